"""Record of the feature."""

from framescope.core.system.features import Feature

_IMAGE_LINE = r"(?:\xef\xbb\xbf)?+(?:\s*+(?:#[^\n]*+\n)?+)*+\d{1,10}(?:[ \t]++[-+.\deE]++){7}[ \t]++\d{1,10}[ \t]++\S"
"""Beginning of ``images.txt`` of COLMAP: comments, then number, quaternion, position, camera and name of an image."""

_TRANSFORMS = r'(?s:\s*+\{.*?"transform_matrix")'
"""Beginning of ``transforms.json`` of nerfstudio and instant-ngp."""

FEATURE = Feature(
    "calibrations",
    importers=("app.calibration_importer:IMPORTER",),
    tables=("core.pose_tables:BINARY_IMAGES",),
    text_tables=((_IMAGE_LINE, "core.pose_tables:TEXT_IMAGES"), (_TRANSFORMS, "core.pose_tables:TRANSFORMS")),
    manual=(("calibrations", "modelica"),),
)
"""Importer of the feature, and readers of the poses in its files."""

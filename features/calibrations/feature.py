"""Record of the feature."""

from framescope.core.system.features import Feature

FEATURE = Feature(
    "calibrations",
    importers=("app.calibration_importer:IMPORTER",),
    manual=(("calibrations", "modelica"),),
)

"""Record of the feature."""

from framescope.core.system.features import Feature

_TREES = "URDF SDF LAUNCH_PYTHON LAUNCH_XML LAUNCH_YAML LAUNCH_ROS1 PYTHON CPP HPP HEADER MATLAB TABLE"

FEATURE = Feature(
    "calibrations",
    importers=("app.calibration_importer:IMPORTER",),
    formats=tuple(f"app.tree_formats:{name}" for name in _TREES.split()),
    manual=(("trees", "export"),),
)

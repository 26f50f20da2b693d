"""Record of the feature."""

from framescope.core.system.features import Feature

FEATURE = Feature(
    "bags",
    importers=("app.bag_importer:IMPORTER",),
    evaluation_warnings=("app.bag_report:fault_warning",),
    motions={"transforms": "core.compile_transforms:compile_transforms"},
    joint_logs=("core.joint_states:joint_states_of",),
    checks=("core.bag_problems:bag_problems",),
)

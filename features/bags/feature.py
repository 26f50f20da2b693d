"""Record of the feature."""

from framescope.core.system.features import Dock, Feature

FEATURE = Feature(
    "bags",
    importers=("app.bag_importer:IMPORTER",),
    evaluation_warnings=("app.bag_report:fault_warning",),
    motions={"transforms": "core.compile_transforms:compile_transforms"},
    joint_logs=("core.joint_states:joint_states_of",),
    checks=("core.bag_problems:bag_problems",),
    docks=(
        Dock(
            "recording",
            "Recording",
            "bottom",
            maker="app.recording_controller:fill_recording",
            after="drift",
            behind="plots",
            height=200,
            place="Check",
            help_page="bags.md#in-the-window",
            needs="core.recorded_frames:has_recordings",
            words="panel bag ros tf transforms frames over time gaps faults timeline mcap rosbag",
        ),
    ),
    controllers=("app.bag_controller:connect_bags",),
    manual=(("bags", "shift"),),
)

"""Record of the feature."""

from framescope.core.system.features import Dock, Example, Feature

_WORDS = "rosbag ros tf tf2 transforms recording drive rover"
"""Words by which a search finds every bag."""

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
    examples=(
        Example(
            "scenes/bags/two-parents.bag",
            "Check",
            "Find the two nodes that both send a frame, so that it jumps.",
            ("frames", "base_link"),
            "bag",
            "Two nodes send one frame",
            words=f"{_WORDS} two parents jump localization odometry",
            dock="recording",
        ),
        Example(
            "scenes/bags/clock-behind.bag",
            "Check",
            "Find the computer whose stamps are late.",
            ("frames", "wheel_left"),
            "bag",
            "A clock is not set",
            words=f"{_WORDS} clock stamps extrapolation into the future late ntp",
            dock="recording",
        ),
        Example(
            "scenes/bags/trees-apart.bag",
            "Check",
            "Find the transform that would join two trees.",
            ("frames", "map"),
            "bag",
            "A transform is missing",
            words=f"{_WORDS} not part of the same tree unconnected missing localization",
            dock="recording",
        ),
        Example(
            "scenes/bags/falls-silent.bag",
            "Check",
            "Find the frame that is no longer sent, and when it stopped.",
            ("frames", "base_link"),
            "bag",
            "A node has ended",
            words=f"{_WORDS} silence gap node died crash extrapolation into the future",
            dock="recording",
        ),
        Example(
            "scenes/bags/two-spellings.bag",
            "Check",
            "Find two frames that should be one.",
            ("frames", "Base_Link"),
            "bag",
            "One frame, two spellings",
            words=f"{_WORDS} name typo case does not exist similar",
            dock="recording",
        ),
    ),
    controllers=("app.bag_controller:connect_bags",),
    manual=(("bags", "shift"),),
)

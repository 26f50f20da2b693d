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
            "Find out why a robot jumps to and fro while it drives.",
            ("frames", "base_link"),
            "bag",
            "A robot that jumps",
            words=f"{_WORDS} two nodes send one frame parents jump localization odometry",
            dock="recording",
        ),
        Example(
            "scenes/bags/clock-behind.bag",
            "Check",
            "Find out why tf2 answers that a look-up needs an extrapolation into the future.",
            ("frames", "wheel_left"),
            "bag",
            "Look-ups that fail",
            words=f"{_WORDS} clock not set stamps extrapolation into the future late ntp",
            dock="recording",
        ),
        Example(
            "scenes/bags/trees-apart.bag",
            "Check",
            "Find out why tf2 finds no connection between two frames.",
            ("frames", "map"),
            "bag",
            "A robot off its map",
            words=f"{_WORDS} transform is missing not part of the same tree unconnected localization",
            dock="recording",
        ),
        Example(
            "scenes/bags/falls-silent.bag",
            "Check",
            "Find out why a robot is gone before its drive ends.",
            ("frames", "base_link"),
            "bag",
            "A drive that breaks off",
            words=f"{_WORDS} silence gap node has ended died crash extrapolation into the future",
            dock="recording",
        ),
        Example(
            "scenes/bags/two-spellings.bag",
            "Check",
            "Find out why the sensors of a robot stay behind while it drives.",
            ("frames", "Base_Link"),
            "bag",
            "A robot without its sensors",
            words=f"{_WORDS} one frame two spellings name typo case does not exist similar",
            dock="recording",
        ),
    ),
    controllers=("app.bag_controller:connect_bags",),
    manual=(("bags", "shift"),),
)

"""Record of the feature."""

from framescope.core.system.features import Dock, Feature

FEATURE = Feature(
    "bags",
    docks=(
        Dock(
            "recording",
            "Recording",
            "bottom",
            maker="app.recording_controller:fill_recording",
            after="drift",
            behind="plots",
            height=200,
            help_page="bags.md#in-the-window",
            needs="core.recorded_frames:has_recordings",
            words="panel bag ros tf transforms frames over time gaps faults timeline mcap rosbag",
        ),
    ),
    controllers=("app.bag_controller:connect_bags",),
    manual=(("bags", "shift"),),
)

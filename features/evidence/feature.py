"""Record of the feature."""

from framescope.core.system.features import Dock, Example, Feature

FEATURE = Feature(
    "evidence",
    requires=("bags", "detective", "robots"),
    docks=(
        Dock(
            "evidence",
            "Evidence",
            "bottom",
            maker="app.evidence_dock:fill_evidence",
            after="recording",
            behind="plots",
            height=200,
            place="Check",
            help_page="evidence.md",
            needs="core.recorded_sensors:has_sensor_recordings",
            words="panel sensors agree contradict odometry mounted mounting delay wrong unit",
        ),
    ),
    examples=(
        Example(
            "scenes/bags/turned-imu.bag",
            "Check",
            "Find out how an IMU is mounted from the drive that it recorded.",
            ("frames", "imu_link"),
            "bag",
            "A rover with an IMU",
            words="rosbag ros imu gyroscope accelerometer mounted mounting turned extrinsics calibration sensors agree",
            dock="evidence",
        ),
    ),
    slow_checks=("core.evidence_problems:evidence_problems",),
    slow_bag_checks=("core.evidence_problems:bag_evidence",),
    controllers=("app.evidence_controller:connect_evidence",),
    manual=(("evidence", "bags"),),
    preload=("app.evidence_dock",),
)

"""Record of the feature."""

from framescope.core.system.features import Action, Feature, Insertion

EQUIPMENT = "Equipment"
STANDARD_FRAME = "Body or base frame"

FEATURE = Feature(
    "things",
    actions=(
        Action(
            "frame_row",
            "Frame as a row…",
            "import",
            "Ctrl+Shift+I",
            words="insert type text line name parent x y z roll pitch yaw rpy xyz static transform publisher urdf"
            " origin paste optical pose",
        ),
    ),
    controllers=("app.frame_row_controller:connect_frame_rows",),
    insertions=(
        Insertion(
            "body_flu",
            "Body frame FLU",
            STANDARD_FRAME,
            "core.standard_frames:body_flu",
            "axis-3d",
            words="forward left up base_link vehicle robot car drone uav ros rep 103",
        ),
        Insertion(
            "body_frd",
            "Body frame FRD",
            STANDARD_FRAME,
            "core.standard_frames:body_frd",
            "axis-3d",
            words="forward right down vehicle aircraft plane drone uav aerospace px4 mavlink",
        ),
        Insertion(
            "enu",
            "Base ENU",
            STANDARD_FRAME,
            "core.standard_frames:base_enu",
            "compass",
            words="east north up local level tangent map odom ros rep 105",
        ),
        Insertion(
            "ned",
            "Base NED",
            STANDARD_FRAME,
            "core.standard_frames:base_ned",
            "compass",
            words="north east down local level tangent navigation aerospace px4 mavlink",
        ),
        Insertion(
            "ecef",
            "ECEF tangent",
            STANDARD_FRAME,
            "core.standard_frames:ecef_tangent",
            "globe",
            words="earth globe latitude longitude lat lon geodetic wgs84 gps local level plane enu",
        ),
        Insertion(
            "camera",
            "Camera",
            EQUIPMENT,
            "core.sensors:camera",
            "camera",
            words="sensor optical frame field of view fov frustum image lens depth stereo camera_link rep 103",
        ),
        Insertion(
            "imu",
            "IMU",
            EQUIPMENT,
            "core.sensors:imu",
            "cpu",
            words="sensor inertial measurement gyro gyroscope accelerometer yaw rate acceleration imu_link rep 145",
        ),
        Insertion(
            "gnss",
            "GNSS antenna",
            EQUIPMENT,
            "core.sensors:gnss_antenna",
            "satellite",
            words="sensor gps rtk satellite navigation fix receiver position velocity",
        ),
        Insertion(
            "lidar",
            "Lidar",
            EQUIPMENT,
            "core.sensors:lidar",
            "radar",
            words="sensor laser scanner scan point cloud range velodyne",
        ),
        Insertion(
            "wheel",
            "Wheel",
            EQUIPMENT,
            "core.robot_parts:wheel",
            "disc-3",
            words="tyre tire axle hub drive roll car rover",
        ),
        Insertion(
            "propeller",
            "Propeller",
            EQUIPMENT,
            "core.robot_parts:propeller",
            "fan",
            words="rotor blade prop spin drone multicopter aircraft",
        ),
        Insertion(
            "gripper",
            "Gripper",
            EQUIPMENT,
            "core.robot_parts:gripper",
            "grab",
            words="tool tcp hand finger end effector flange arm robot",
        ),
    ),
    manual=(("things", "window"),),
)

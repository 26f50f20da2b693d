"""Record of the feature."""

from framescope.core.system.features import Action, Dock, Feature

FEATURE = Feature(
    "robots",
    requires=("bags", "table_import"),
    docks=(
        Dock(
            "joints",
            "Joints",
            "right",
            maker="app.joints_controller:fill_joints",
            after="quaternion",
            behind="readouts",
            width=300,
            help_page="robots.md#joints",
            needs="core.scene_joints:has_joints",
        ),
    ),
    actions=(
        Action("write_robot", "Write into the robot…", "save", words="urdf save back joint origin link diff export"),
    ),
    controllers=("app.connect_robots:connect_robots",),
    visuals=(("ui.joint_velocities:JointVelocities", "SensorArrows"),),
    manual=(("robots", "bags"),),
)

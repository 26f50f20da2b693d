"""Record of the feature."""

from framescope.core.system.features import Action, Dock, Example, Feature

FEATURE = Feature(
    "robots",
    requires=("bags", "table_import"),
    importers=("app.robot_importers:XACRO_IMPORTER", "app.robot_importers:IMPORTER"),
    bag_scenes=("app.bag_robots:read_descriptions",),
    bag_checks=("core.description_faults:description_faults",),
    commands=(("app.robot_commands:add_group", ""),),
    quick_checks=("core.robot_problems:robot_problems",),
    checks=("core.robot_problems:robot_problems",),
    file_frames=("core.robot_problems:frames_of_robots",),
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
            stays_in=("layouts",),
        ),
    ),
    actions=(
        Action("write_robot", "Write into the robot…", "save", words="urdf save back joint origin link diff export"),
    ),
    examples=(
        Example(
            "scenes/robots/desk-arm.urdf",
            "Build",
            "Drag the joints of an arm that is read from its URDF, and see what each does to its tool.",
            ("frames", "tool"),
            "robot",
            "An arm on a desk",
            words="urdf robot ros arm manipulator gripper joints sliders jacobian kinematics",
            dock="joints",
        ),
    ),
    controllers=("app.connect_robots:connect_robots",),
    visuals=(("ui.joint_velocities:JointVelocities", "SensorArrows"),),
    manual=(("robots", "bags"),),
)

"""Record of the feature."""

from framescope.core.system.features import Feature

FEATURE = Feature(
    "robots",
    importers=("app.robot_importers:XACRO_IMPORTER", "app.robot_importers:IMPORTER"),
    bag_scenes=("app.bag_robots:read_descriptions",),
    commands=(("app.robot_commands:add_group", ""),),
    quick_checks=("core.robot_problems:robot_problems",),
    checks=("core.robot_problems:robot_problems",),
    file_frames=("core.robot_problems:frames_of_robots",),
)

"""Record of the feature."""

from framescope.core.system.features import Feature

FEATURE = Feature(
    "robots",
    checks=("core.robot_problems:robot_problems",),
    file_frames=("core.robot_problems:frames_of_robots",),
)

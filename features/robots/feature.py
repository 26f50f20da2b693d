"""Record of the feature."""

from framescope.core.system.features import Feature

FEATURE = Feature(
    "robots",
    visuals=(("ui.joint_velocities:JointVelocities", "SensorArrows"),),
)

"""Record of the feature."""

from framescope.core.system.features import Feature

FEATURE = Feature(
    "cameras",
    quick_checks=("core.camera_checks:camera_problems",),
    checks=("core.camera_checks:camera_problems",),
    manual=(("cameras", "robots"),),
)

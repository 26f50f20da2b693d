"""Record of the feature."""

from framescope.core.system.features import Feature

FEATURE = Feature(
    "cluster",
    manual=(("cluster", "python"),),
)

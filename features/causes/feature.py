"""Record of the feature."""

from framescope.core.system.features import Feature

FEATURE = Feature(
    "causes",
    requires=("detective",),
)

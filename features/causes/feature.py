"""Record of the feature."""

from framescope.core.system.features import Feature

FEATURE = Feature(
    "causes",
    requires=("detective",),
    explanations=("core.explain_misses:explain_misses",),
)

"""Record of the feature."""

from framescope.core.system.features import Feature

FEATURE = Feature(
    "films",
    quick_checks=("core.compiled_film:film_problems",),
    checks=("core.compiled_film:film_problems",),
)

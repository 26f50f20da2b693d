"""Record of the feature."""

from framescope.core.system.features import Feature

FEATURE = Feature(
    "films",
    quick_checks=("core.compiled_film:film_problems",),
    frame_sources={"film": "app.film_request:SOURCE"},
    checks=("core.compiled_film:film_problems",),
)

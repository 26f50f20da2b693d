"""Record of the feature."""

from framescope.core.system.features import Example, Feature

FEATURE = Feature(
    "films",
    quick_checks=("core.compiled_film:film_problems",),
    frame_sources={"film": "app.film_request:SOURCE"},
    examples=(
        Example(
            "scenes/gimbal-film.yaml",
            "Film",
            "Make a film of several shots, with titles, formulas, plots and lit items.",
            ("frames", "arrow"),
            words="movie video shots cut transition camera caption title subtitles animation gimbal lock",
        ),
    ),
    manual=(("films", "export"),),
    checks=("core.compiled_film:film_problems",),
)

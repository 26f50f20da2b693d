"""Record of the feature."""

from framescope.core.system.features import Action, Dock, Example, Feature, Shortcut

FEATURE = Feature(
    "films",
    quick_checks=("core.compiled_film:film_problems",),
    docks=(
        Dock(
            "film",
            "Film",
            "bottom",
            maker="app.film_controllers:fill_film",
            after="plots",
            behind="plots",
            height=220,
            place="Build",
            help_page="films.md",
            needs="core.film_edits:has_film",
            layouts=("Learn",),
            words="panel movie video shots storyboard strip",
        ),
        Dock(
            "shot",
            "Shot of the film",
            "right",
            maker="app.film_controllers:fill_shot",
            after="film",
            behind="readouts",
            tab="Shot",
            width=320,
            place="Build",
            help_page="films.md",
            needs="core.film_edits:has_film",
            layouts=("Learn",),
            words="panel movie video fields camera transition",
        ),
    ),
    actions=(Action("film", "Film", "import", words="movie video shots storyboard new add"),),
    shortcuts=(
        Shortcut("Film", "Move the selected shot", "Alt+Left  Alt+Right"),
        Shortcut("Film", "Duplicate the selected shot", "Ctrl+D"),
        Shortcut("Film", "Delete the selected shot", "Del"),
        Shortcut("Film", "Stop, and show the scene from the viewpoint before the film", "Esc"),
    ),
    controllers=("app.film_desk:connect_films",),
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

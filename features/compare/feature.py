"""Record of the feature."""

from framescope.core.system.features import Action, Dock, Feature

FEATURE = Feature(
    "compare",
    requires=("detective",),
    commands=(("app.compare_command:add_command", "convert"),),
    comparison="app.comparison_text:compare_texts",
    docks=(
        Dock(
            "compare",
            "Compare two numbers",
            "right",
            maker="app.compare_controller:fill_compare",
            after="problems",
            behind="readouts",
            tab="Compare",
            width=320,
            place="Check",
            help_page="compare.md",
            door="Compare two numbers",
            words="panel paste texts pose disagree driver pendant quaternion matrix differ why",
        ),
    ),
    actions=(
        Action(
            "compare_texts",
            "Compare two numbers…",
            "frame",
            shortcut="Ctrl+Shift+V",
            words="paste clipboard pose disagree quaternion matrix which convention",
        ),
    ),
    controllers=("app.compare_controller:connect_compare",),
    manual=(("compare", "import"),),
    preload=("app.compare_controller",),
)

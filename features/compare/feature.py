"""Record of the feature."""

from framescope.core.system.features import Feature

FEATURE = Feature(
    "compare",
    requires=("detective",),
    commands=(("app.compare_command:add_command", "convert"),),
    comparison="app.comparison_text:compare_texts",
    manual=(("compare", "import"),),
)

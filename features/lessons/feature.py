"""Record of the feature."""

from framescope.core.system.features import Feature

FEATURE = Feature(
    "lessons",
    importers=("app.lesson_importer:IMPORTER",),
    commands=(("app.lesson_commands:add_group", ""),),
)

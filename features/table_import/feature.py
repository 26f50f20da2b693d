"""Record of the feature."""

from framescope.core.system.features import Feature

FEATURE = Feature(
    "table_import",
    preloads=("ui.import_dialog",),
    commands=(("app.import_command:add_command", "evaluate"),),
)

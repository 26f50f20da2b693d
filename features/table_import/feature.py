"""Record of the feature."""

from framescope.core.system.features import Feature

FEATURE = Feature(
    "table_import",
    commands=(("app.import_command:add_command", "evaluate"),),
)

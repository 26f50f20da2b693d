"""Record of the feature."""

from framescope.core.system.features import Feature

FEATURE = Feature(
    "detective",
    preloads=("app.detective_controller", "ui.detective_panel"),
    commands=(("app.detect_command:add_command", "convert"),),
)

"""Record of the feature."""

from framescope.core.system.features import Feature

FEATURE = Feature(
    "shift",
    preloads=("app.shift_controller", "ui.shift_panel"),
)

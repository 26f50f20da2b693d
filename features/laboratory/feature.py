"""Record of the feature."""

from framescope.core.system.features import Feature

FEATURE = Feature(
    "laboratory",
    preloads=("app.laboratory_controller", "ui"),
)

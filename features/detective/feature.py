"""Record of the feature."""

from framescope.core.system.features import Feature

FEATURE = Feature(
    "detective",
    commands=(("app.detect_command:add_command", "convert"),),
)

"""Record of the feature."""

from framescope.core.system.features import Feature

FEATURE = Feature(
    "shift",
    visuals=(("ui.shift_arrows:ShiftArrows", "MeasuringLine"),),
)

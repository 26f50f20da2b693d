"""Record of the feature."""

from framescope.core.system.features import Feature

FEATURE = Feature(
    "compiled",
    formula_compilers=("core.compilation:COMPILER",),
)

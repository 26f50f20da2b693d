"""Comparison of two texts that should be the same pose: how they differ, how sure that is, and a pair to settle it.

`core/sides.py` lists the readings of a text and of its numbers, `core/relations.py` the relations between two of them,
`core/odds.py` the prior and the evidence, and `core/comparison.py` compares. `app` has the command, `ui` the panel.

>>> from framescope.features.compare import compare
>>> compare("rpy 10 20 30 deg", "quaternion wxyz 0.951549 0.038135 0.189308 0.239298").verdict
'settled'
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from framescope.features.compare.core.comparison import Comparison, Row, compare

__all__ = ["Comparison", "Row", "compare"]


def __getattr__(name: str) -> object:
    """Import the public names when they are first used: the record of the feature costs no import."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from framescope.features.compare.core import comparison

    return getattr(comparison, name)

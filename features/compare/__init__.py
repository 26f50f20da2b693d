"""Comparison of two texts that should be the same pose: how they differ, how sure that is, and what would settle it.

`core/sides.py` lists the readings of a text and of its numbers, `core/relations.py` the relations between two of them,
`core/odds.py` the prior and the evidence, and `core/comparison.py` compares. `app` has the command.

>>> from framescope.features.compare import compare
>>> compare("rpy 30 30 60 deg", "quaternion wxyz 0.84150635 0.09150635 0.34150635 0.40849365").verdict
'settled'
"""

from framescope.features.compare.core.comparison import Comparison, Row, compare

__all__ = ["Comparison", "Row", "compare"]

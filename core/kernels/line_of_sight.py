"""Unchecked kernels of the line from one origin to another.

>>> import numpy as np
>>> float(range_rate(np.array([3.0, 4.0, 0.0]), np.array([0.0, 2.0, 7.0])))
1.6
"""

from __future__ import annotations

from framescope.core.kernels.components import dot_of
from framescope.core.kernels.componentwise import Components, divide, kernel, sqrt


@kernel((3,), (3,), gives=())
def range_rate(r: Components, v: Components) -> Components:
    """Return the rate of change of the length of `r`, whose derivative is `v`; NaN for a length of zero.

    The length has a kink at zero, so that its rate differs before and after.
    """
    return (divide(dot_of(r, v), sqrt(dot_of(r, r))),)

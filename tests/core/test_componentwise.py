"""Functions of components: of a float the bits that numpy gives for it in an array."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from framescope.core.kernels import componentwise

NUMBERS = [0.0, 0.3, 0.5, 1.0, 1.5, 2.5, 1e-320, 1e-8, math.pi, 1e15 + 0.5, 1e300, math.inf, math.nan]
ALL = [*NUMBERS, *(-x for x in NUMBERS)]


def same(one: float, array: np.ndarray) -> bool:
    other = float(array)
    return (math.isnan(one) and math.isnan(other)) or (
        one == other and math.copysign(1, one) == math.copysign(1, other)
    )


@pytest.mark.parametrize("name", ["sqrt", "sin", "cos", "nearest_whole", "atan2", "divide"])
def test_that_a_float_gives_the_bits_of_an_array(name) -> None:
    function = getattr(componentwise, name)
    n = 2 if name in ("atan2", "divide") else 1
    given = list(itertools.product(ALL, repeat=n))
    with np.errstate(all="ignore"):
        arrays = function(*np.array(given).T)
    for numbers, array in zip(given, arrays, strict=True):
        assert same(function(*numbers), array), numbers

"""Hypothesis strategies shared by the tests: rotations near 0, pi and gimbal lock among them."""

from __future__ import annotations

import math

import numpy as np
from hypothesis import strategies as st

from framescope.core import frames
from framescope.core.kernels.validation import SEQUENCES

SPECIAL_ANGLES = (0.0, 1e-12, 1e-6, math.pi / 2, math.pi / 2 - 1e-9, math.pi - 1e-9, math.pi, -math.pi / 2, 3.5, -7.0)
SHAPES = ((), (1,), (4,), (2, 3), (0,))

sequences = st.sampled_from(SEQUENCES)
angles = st.one_of(st.sampled_from(SPECIAL_ANGLES), st.floats(-10.0, 10.0))
angle_triples = st.tuples(angles, angles, angles)
rates = st.tuples(*[st.floats(-5.0, 5.0)] * 3)
shapes = st.sampled_from(SHAPES)


def triples(shape: tuple[int, ...], element: st.SearchStrategy[float]) -> st.SearchStrategy[np.ndarray]:
    """Return arrays (*shape, 3)."""
    n = 3 * math.prod(shape)
    return st.lists(element, min_size=n, max_size=n).map(lambda numbers: np.array(numbers).reshape(*shape, 3))


@st.composite
def orientations(draw: st.DrawFn, n: int) -> list[frames.Orientation]:
    """Return n orientations with angular velocities, all of one leading shape."""
    shape = draw(shapes)
    return [
        frames.axes_rotations(draw(sequences), draw(triples(shape, angles)), draw(triples(shape, st.floats(-5.0, 5.0))))
        for _ in range(n)
    ]


@st.composite
def vectors(draw: st.DrawFn, n: int, size: int = 3) -> list[np.ndarray]:
    """Return n arrays of vectors (..., size), all of one leading shape."""
    shape = draw(shapes)
    count = size * math.prod(shape)
    numbers = st.lists(st.floats(-10.0, 10.0), min_size=count, max_size=count)
    return [np.array(draw(numbers)).reshape(*shape, size) for _ in range(n)]

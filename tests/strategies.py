"""Hypothesis strategies shared by the tests: rotations near 0, pi and gimbal lock among them."""

from __future__ import annotations

import math

from hypothesis import strategies as st

from framescope.core.arrays import SEQUENCES

SPECIAL_ANGLES = (0.0, 1e-12, 1e-6, math.pi / 2, math.pi / 2 - 1e-9, math.pi - 1e-9, math.pi, -math.pi / 2, 3.5, -7.0)

sequences = st.sampled_from(SEQUENCES)
angles = st.one_of(st.sampled_from(SPECIAL_ANGLES), st.floats(-10.0, 10.0))
angle_triples = st.tuples(angles, angles, angles)
rates = st.tuples(*[st.floats(-5.0, 5.0)] * 3)

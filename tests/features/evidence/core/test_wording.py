"""Faults and mountings in words."""

from __future__ import annotations

import numpy as np
from scipy.spatial.transform import Rotation

from framescope.features.evidence.core.wording import axes_words, delay_words, direction_words, listed, turn_words


def test_that_axes_up_to_three_degrees_off_have_their_names() -> None:
    off = Rotation.from_euler("x", 2.0, degrees=True).as_matrix()
    assert axes_words(off) == "x y z"
    assert axes_words(Rotation.from_euler("x", 5.0, degrees=True).as_matrix()).startswith("turned by 5°")


def test_that_an_uncertain_turn_is_named_by_the_axes_within_its_error() -> None:
    assert axes_words(Rotation.from_euler("x", 5.0, degrees=True).as_matrix(), np.radians(2.0)) == "x y z"


def test_that_turns_delays_and_directions_have_words() -> None:
    assert turn_words(Rotation.from_euler("z", 30.0, degrees=True).as_matrix()) == "turned by 30° about +z"
    assert delay_words(-0.0381) == "38.1 ms early"
    assert direction_words(np.array([0.0, -1.0, 0.0])) == "y"
    assert listed(["a"]) == "a"

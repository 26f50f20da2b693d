"""Shortest stretches that prove something."""

from __future__ import annotations

import numpy as np

from framescope.features.evidence.core.stretches import shortest_stretch


def test_that_the_stretch_with_the_information_is_chosen() -> None:
    information = np.zeros(100)
    information[40:50] = 1.0
    start, end = shortest_stretch(np.arange(100.0), information)
    assert 40.0 <= start < end <= 49.0
    assert end - start == 5.0


def test_that_of_stretches_as_short_that_with_more_information_is_chosen() -> None:
    assert shortest_stretch(np.arange(5.0), np.array([0.0, 1.0, 5.0, 4.0, 0.0])) == (2.0, 3.0)


def test_that_no_information_gives_the_whole_recording() -> None:
    assert shortest_stretch(np.arange(5.0), np.zeros(5)) == (0.0, 4.0)

"""Words for what a motion leaves open."""

from __future__ import annotations

import numpy as np
import pytest

from framescope.features.trajectories.core.align_streams import align
from framescope.features.trajectories.core.blind_directions import motion_in_words
from tests.support.pose_streams import Plant, planted


def test_that_axes_are_given_beside_the_words() -> None:
    made = planted(Plant(1, kind="one axis"))
    blind = align(made.a, made.b).blind[0]
    assert blind.part == "body position"
    assert np.abs(np.abs(blind.axes) - [[0.0, 0.0, 1.0]]).max() < 0.05


def test_that_nothing_is_open_in_rich_motion() -> None:
    made = planted(Plant(2))
    assert align(made.a, made.b).blind == ()


@pytest.mark.long
def test_that_the_motion_is_described_by_its_turning() -> None:
    made = planted(Plant(3, kind="no turning"))
    assert motion_in_words(align(made.a, made.b).fit, "imu") == "imu does not turn"
    made = planted(Plant(3, kind="one axis"))
    assert motion_in_words(align(made.a, made.b).fit, "imu") == "imu turns about one axis only (z of imu)"

"""What is said of mounts about some of whose directions any turn is as likely."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from framescope.features.evidence.core.account import Mounting
from framescope.features.evidence.core.mounting import Turn

UPSIDE_DOWN = Rotation.from_euler("ZYX", [90.0, 0.0, 180.0], degrees=True).as_matrix()


def test_that_a_turn_about_an_open_direction_is_stated_without_its_angle() -> None:
    words = Turn(UPSIDE_DOWN, np.diag([1e5, 1e5, 0.0])).words_if_open
    assert words == "mounted with its z along −z (±0.27°), its turn about z open"


def test_that_a_known_turn_needs_no_such_words() -> None:
    assert not Turn(UPSIDE_DOWN, 1e5 * np.eye(3)).words_if_open


@pytest.mark.parametrize(
    ("sigma", "is_known"), [(1.0, True), (19.0, True), (21.0, False), (180.0, False), (np.nan, False)]
)
def test_that_a_mount_with_an_open_direction_is_not_known(sigma: float, is_known: bool) -> None:
    covariance = np.diag(np.radians([0.2, 0.2, sigma]) ** 2)
    mounting = Mounting("imu", "base", np.array([0.0, 0.0, 0.0, 1.0]), None, covariance, "x y z")
    assert mounting.is_known is is_known

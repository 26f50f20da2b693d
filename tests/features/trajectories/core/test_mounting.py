"""Closed form of a mounting: rotations, then positions and scale."""

from __future__ import annotations

import numpy as np
import pytest

from framescope.features.trajectories.core.matched_poses import Clocks, matcher_of
from framescope.features.trajectories.core.mounting import (
    angles_between,
    positions_of,
    rotation_candidates,
    some_rows,
    weights_of,
)
from tests.support.pose_streams import Plant, planted


@pytest.mark.parametrize("scale", [1.0, 0.3])
def test_that_two_clean_streams_give_the_mounting_to_rounding(scale) -> None:
    made = planted(Plant(angle=0.0, distance=0.0, outliers=0.0, scale=scale))
    m = matcher_of(made.a, made.b).matched(Clocks())
    R_X, R_Y = rotation_candidates(m, "mounted")[0]
    x = positions_of(m, R_X, R_Y, "mounted", has_scale=scale != 1.0, clocks=Clocks())
    assert np.abs(x.R_X - made.R_X).max() < 1e-9
    assert np.abs(x.R_Y - made.R_Y).max() < 1e-9
    assert np.abs(x.p_X - made.p_X).max() < 1e-9
    assert np.abs(x.p_Y - made.p_Y).max() < 1e-9
    assert abs(x.s - scale) < 1e-9


def test_that_three_pairs_in_ten_may_be_outliers() -> None:
    made = planted(Plant(outliers=0.15))
    m = matcher_of(made.a, made.b).matched(Clocks())
    R_X, R_Y = rotation_candidates(m, "mounted")[0]
    x = positions_of(m, R_X, R_Y, "mounted", has_scale=False, clocks=Clocks())
    assert angles_between(x.R_X[None], made.R_X[None])[0] < 5e-3
    assert np.abs(x.p_X - made.p_X).max() < 1e-2


def test_that_fixed_offsets_stay() -> None:
    made = planted(Plant(outliers=0.0))
    m = matcher_of(made.a, made.b).matched(Clocks())
    for form, kept in (("same frame", "X"), ("same world", "Y")):
        R_X, R_Y = rotation_candidates(m, form)[0]
        x = positions_of(m, R_X, R_Y, form, has_scale=False, clocks=Clocks())
        assert (getattr(x, f"R_{kept}") == np.eye(3)).all()
        assert np.abs(getattr(x, f"p_{kept}")).max() < 1e-12


def test_that_a_direction_without_information_stays_short() -> None:
    made = planted(Plant(angle=0.0, distance=0.0, outliers=0.0, kind="no turning"))
    m = matcher_of(made.a, made.b).matched(Clocks())
    R_X, R_Y = rotation_candidates(m, "mounted")[-1]
    x = positions_of(m, R_X, R_Y, "mounted", has_scale=False, clocks=Clocks())
    assert np.linalg.norm(x.p_X) < 10.0


def test_that_weights_fall_and_rows_are_spread() -> None:
    weights = weights_of(np.array([0.0, 1.0, 1.0, 3.0, 100.0]), 0.0)
    assert weights[0] == 1.0
    assert weights[3] == 0.25
    assert weights[4] < 1e-5
    assert some_rows(10, 4).tolist() == [0, 3, 6, 9]

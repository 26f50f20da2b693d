"""Refinement of a mounting: its derivatives, and the covariance of its noise."""

from __future__ import annotations

import numpy as np
import pytest

from framescope.features.trajectories.core.matched_poses import Clocks, matcher_of
from framescope.features.trajectories.core.mounting import Mounting
from framescope.features.trajectories.core.refinement import (
    PARTS,
    SLICES,
    Free,
    N,
    free_parameters,
    jacobian_of,
    moved,
    refine,
    residuals_of,
)
from tests.support.pose_streams import Plant, planted


def truth(made, plant) -> Mounting:
    clocks = Clocks(plant.offset, plant.drift, 0.0)
    return Mounting(made.R_X, made.p_X, made.R_Y, made.p_Y, plant.scale, clocks)


@pytest.mark.parametrize("hz_b", [200.0, 10.0])
def test_that_the_derivatives_are_those_of_the_residuals(hz_b) -> None:
    plant = Plant(hz_b=hz_b, scale=0.6, angle=0.0, distance=0.0, outliers=0.0)
    made = planted(plant)
    matcher = matcher_of(made.a, made.b)
    x = truth(made, plant)
    rows = matcher.covered_rows(x.clocks)[8:-8]
    m = matcher.matched(x.clocks, rows)
    centre = m.p_B.mean(axis=0)
    J = jacobian_of(m, x, m.R_A, m.p_B, centre)
    h = 1e-6
    for k in range(N):
        step = h * np.eye(N)[k]
        changed = []
        for sign in (1.0, -1.0):
            y = moved(x, sign * step, centre)
            changed.append(residuals_of(matcher.matched(y.clocks, rows), y))
        numeric = (changed[0] - changed[1]) / (2.0 * h)
        size = max(np.abs(numeric).max(), 1e-9)
        assert np.abs(numeric - J[:, :, k].T).max() < (0.03 if k > 12 else 1e-6) * size, k


def test_that_the_parts_cover_all_parameters_once() -> None:
    assert sorted(i for part in PARTS for i in range(N)[SLICES[part]]) == list(range(N))
    assert free_parameters("same frame", Free(False, True, False)).tolist() == [False] * 6 + [True] * 6 + [
        False, True, False,
    ]  # fmt: skip


def test_that_a_refinement_comes_back_from_a_wrong_start() -> None:
    plant = Plant(seed=4, angle=0.0, distance=0.0, outliers=0.0)
    made = planted(plant)
    matcher = matcher_of(made.a, made.b)
    x = truth(made, plant)
    start = moved(
        x, np.array([0.1, -0.1, 0.05, 0.1, 0.0, -0.1, 0.1, 0.0, 0.1, 0.2, 0.0, 0.1, 0.0, 0.0, 0.0]), np.zeros(3)
    )
    fit = refine(matcher, start, "mounted", Free(False, False, False), is_final=True)
    assert np.abs(fit.mounting.R_X - made.R_X).max() < 1e-12
    assert np.abs(fit.mounting.p_X - made.p_X).max() < 1e-12
    assert fit.is_used.all()


def test_that_outliers_are_left_out_and_the_noise_is_that_planted() -> None:
    plant = Plant(seed=5, n=2000)
    made = planted(plant)
    fit = refine(matcher_of(made.a, made.b), truth(made, plant), "mounted", Free(False, False, False), is_final=True)
    assert 0.04 < (~fit.is_used).mean() < 0.08  # those of b are spikes, which are not interpolated
    assert fit.noise_angle == pytest.approx(np.sqrt(2.0) * plant.angle, rel=0.05)
    assert fit.noise_position == pytest.approx(np.sqrt(2.0) * plant.distance, rel=0.1)


def test_that_fixed_parts_have_no_error() -> None:
    plant = Plant(outliers=0.0)
    made = planted(plant)
    fit = refine(matcher_of(made.a, made.b), truth(made, plant), "same world", Free(False, False, False), is_final=True)
    assert (np.diagonal(fit.covariance)[6:] == 0.0).all()
    assert (np.diagonal(fit.covariance)[:6] > 0.0).all()

"""Relations between frames: against the derivatives of relative poses, for every pair and every frame to resolve in."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from framescope.core.evaluation.evaluate import compile_plan, evaluate
from framescope.core.evaluation.relative_motion import pose, relation
from framescope.core.kernels import linear_algebra
from tests.support.scenes import HEAD, scene_of

SCENE = (
    HEAD
    + """\
  arm: {parent: world, position: {value: ["sin(t)", "0.3*t**2", 0.2], unit: m}, orientation: {form: axes, sequence: ZXY,
        angles: ["0.7*t", "0.4*sin(2*t)", "0.2*t**2"], unit: rad}}
  hand: {parent: arm, position: {value: [0.5, "0.2*cos(3*t)", "0.1*t"], unit: m}, orientation: {form: planar,
         axis: [0.6, 0, 0.8], angle: "1.1*t + 0.2*sin(t)", unit: rad}}
  drone: {parent: world, position: {value: ["2*cos(t)", "2*sin(t)", "0.1*t"], unit: m}, orientation: {form: axis,
          axis: z, angle: "t", unit: rad}}
  lost: {parent: nobody}
"""
)
NAMES = ("world", "arm", "hand", "drone")
PLAN = compile_plan(scene_of(SCENE))


@pytest.mark.parametrize(("of", "relative_to"), list(itertools.product(NAMES, repeat=2)))
def test_that_velocity_and_acceleration_are_derivatives_of_the_relative_pose(of, relative_to) -> None:
    t, h = np.linspace(0.2, 2.5, 15), 1e-4
    X = {s: pose(evaluate(PLAN, t + s * h), of, relative_to) for s in (-2, -1, 0, 1, 2)}
    found = relation(evaluate(PLAN, t), of, relative_to, relative_to)
    der_p = (8 * (X[1].p_AB - X[-1].p_AB) - (X[2].p_AB - X[-2].p_AB)) / (12 * h)
    der2_p = (-X[2].p_AB + 16 * X[1].p_AB - 30 * X[0].p_AB + 16 * X[-1].p_AB - X[-2].p_AB) / (12 * h * h)
    der_R = (8 * (X[1].R_AB - X[-1].R_AB) - (X[2].R_AB - X[-2].R_AB)) / (12 * h)
    assert_allclose(found.p, X[0].p_AB, atol=1e-14)
    assert_allclose(found.V[:, 3:], der_p, atol=1e-8)
    assert_allclose(found.A[:, 3:], der2_p, atol=1e-5)
    assert_allclose(der_R, linear_algebra.multiply_matrices(linear_algebra.skew(found.V[:, :3]), X[0].R_AB), atol=1e-8)
    assert_allclose(found.R.T, np.swapaxes(X[0].R_AB, 1, 2), atol=1e-14)
    assert_allclose(linear_algebra.apply_matrix(X[0].R_AB, found.R.w), found.V[:, :3], atol=1e-13)
    ahead, behind = (relation(evaluate(PLAN, t + s * h), of, relative_to, relative_to).V[:, :3] for s in (1, -1))
    assert_allclose(found.A[:, :3], (ahead - behind) / (2 * h), atol=1e-6)


@pytest.mark.parametrize("resolved_in", NAMES)
def test_that_resolving_only_turns_the_components(resolved_in) -> None:
    snapshot = evaluate(PLAN, np.linspace(0.0, 2.0, 7))
    here, there = (relation(snapshot, "hand", "drone", frame) for frame in ("drone", resolved_in))
    R = pose(snapshot, "drone", resolved_in).R_AB
    assert_allclose(linear_algebra.apply_matrix(R, here.p), there.p, atol=1e-12)
    for half in (slice(0, 3), slice(3, 6)):
        assert_allclose(linear_algebra.apply_matrix(R, here.V[:, half]), there.V[:, half], atol=1e-12)
        assert_allclose(linear_algebra.apply_matrix(R, here.A[:, half]), there.A[:, half], atol=1e-12)
    assert_array_equal(here.R.T, there.R.T)


def test_that_a_batch_gives_the_bits_of_single_times_and_a_lost_frame_is_nan() -> None:
    t = np.linspace(0.0, 2.0, 7)
    batch = relation(evaluate(PLAN, t), "hand", "drone", "arm")
    for k, time in enumerate(t):
        single = relation(evaluate(PLAN, time), "hand", "drone", "arm")
        for name in ("p", "V", "A"):
            assert_array_equal(getattr(single, name), getattr(batch, name)[k])
    assert np.isnan(relation(evaluate(PLAN, 0.0), "lost", "world", "world").V).all()
    with pytest.raises(KeyError):
        relation(evaluate(PLAN, 0.0), "nobody", "world", "world")

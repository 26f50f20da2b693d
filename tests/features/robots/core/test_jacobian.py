"""Jacobians against differences of poses, ellipsoids against random rates, and axes of joints that line up."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from framescope.core.evaluation.evaluate import compile_plan, evaluate
from framescope.core.scene.schema.base import FrozenDict
from framescope.core.scene.schema.model import Scene
from framescope.core.time_functions.parameter_derivative import parameter_derivative
from framescope.features.robots.core.aligned_axes import LOCKED_RAD, NEAR_RAD, aligned_axes
from framescope.features.robots.core.jacobian import JointScrew, jacobian, velocity_ellipsoid
from framescope.features.robots.core.robot_scene import scene_of
from framescope.features.robots.core.urdf import read_urdf
from tests.support.robots import healthy_robot

H = 1e-6


def snapshot_at(scene: Scene, changes: dict[str, float]):
    return evaluate(compile_plan(scene.model_copy(update={"parameters": scene.parameters | FrozenDict(changes)})), 0.3)


@pytest.mark.parametrize("seed", range(4))
def test_that_a_jacobian_is_the_change_of_the_pose_by_each_joint(seed: int) -> None:
    scene, _ = scene_of(read_urdf(healthy_robot(seed, 24).text.encode()), {})
    rng = np.random.default_rng(seed)
    values = {name: float(rng.uniform(-1.0, 1.0)) for name in scene.parameters}
    scene = scene.model_copy(update={"parameters": FrozenDict(values)})
    plan = compile_plan(scene)
    snapshot = evaluate(plan, 0.3)
    sides = [[snapshot_at(scene, {name: value + step}) for step in (-H, H)] for name, value in values.items()]
    n_columns = 0
    for frame, row in plan.index.items():
        expected = []
        for before, after in sides:
            turned = Rotation.from_matrix(after.R_WF[row] @ before.R_WF[row].T).as_rotvec()
            column = np.append(turned, after.p_WF[row] - before.p_WF[row]) / (2.0 * H)
            if column.any():
                expected.append(column)
        found = jacobian(plan, snapshot, frame)
        if found is None:
            assert not expected
            continue
        columns = np.concatenate([found.w_W, found.v_W]).T
        assert len(columns) == len(expected)
        for column in expected:
            assert np.abs(columns - column).max(axis=1).min() < 1e-7
        n_columns += len(columns)
    assert n_columns > 10, "the robot has too few joints to tell"


def test_that_a_joint_that_follows_counts_with_the_one_it_follows() -> None:
    turn = {"form": "joint", "type": "revolute", "axis": [0, 0, 1], "unit": "deg"}
    scene = Scene.model_validate(
        {
            "framescope": 1,
            "parameters": {"q": 30.0, "bend": 0.1},
            "frames": {
                "a": {"parent": "world", "motion": {**turn, "value": "q", "name": "first"}},
                "b": {
                    "parent": "a",
                    "position": {"value": [1, 0, 0], "unit": "m"},
                    "motion": {**turn, "value": "-2*q"},
                },
                "c": {"parent": "b", "motion": {**turn, "value": "bend**2 + t", "unit": "rad"}},
                "d": {"parent": "c", "motion": {**turn, "value": 5.0}},
            },
        }
    )
    plan = compile_plan(scene)
    found = jacobian(plan, evaluate(plan, 0.3), "d")
    assert found is not None
    assert found.titles == ("first", "bend", "d")
    np.testing.assert_allclose(found.w_W, [[0, 0, 0], [0, 0, 0], [-1, 0.2, 1]], atol=1e-15)
    assert [screw.title for screw in found.screws] == ["first", "b", "c", "d"]
    assert jacobian(plan, evaluate(plan, 0.3), "world") is None


@given(st.floats(-3.0, 3.0), st.floats(0.1, 3.0))
def test_that_a_derivative_by_a_parameter_is_that_of_the_formula(p: float, t: float) -> None:
    found = parameter_derivative("sin(p*t) + p**2 - 3*t", "p", t, {"p": p})
    assert found == pytest.approx(t * math.cos(p * t) + 2.0 * p, abs=1e-12)
    assert parameter_derivative("2*t", "p", t, {"p": p}) == 0.0


def test_that_the_ellipsoid_holds_all_velocities_of_unit_rates_and_is_reached() -> None:
    scene, _ = scene_of(read_urdf(healthy_robot(1).text.encode()), {})
    plan = compile_plan(scene)
    snapshot = evaluate(plan, 0.0)
    found = max(filter(None, (jacobian(plan, snapshot, name) for name in scene.frames)), key=lambda it: len(it.titles))
    ellipsoid = velocity_ellipsoid(found)
    rates = np.random.default_rng(0).normal(size=(5000, len(found.titles)))
    rates /= np.linalg.norm(rates, axis=1, keepdims=True)
    along = rates @ found.v_W.T @ ellipsoid.axes_W
    reach = (along[:, ellipsoid.radii > 1e-9] / ellipsoid.radii[ellipsoid.radii > 1e-9]) ** 2
    assert reach.sum(axis=1).max() <= 1.0 + 1e-9
    assert reach.sum(axis=1).max() > 0.9
    assert ellipsoid.manipulability == pytest.approx(math.sqrt(abs(np.linalg.det(found.v_W @ found.v_W.T))), abs=1e-9)


def wrist(tilt: float, aside: float = 0.0) -> list[JointScrew]:
    """Return a spherical wrist on an arm of 1 m, whose last axis is tilted from its first one."""
    z, y = np.array([0.0, 0.0, 1.0]), np.array([0.0, 1.0, 0.0])
    center = np.array([0.0, 0.0, 1.0])
    last = np.array([math.sin(tilt), 0.0, math.cos(tilt)])
    return [
        JointScrew("s", "shoulder", y, np.zeros(3), True),
        JointScrew("4", "wrist 1", z, center, True),
        JointScrew("5", "wrist 2", y, center, True),
        JointScrew("6", "wrist 3", last, center + 0.1 * last + [aside, 0.0, 0.0], True),
    ]


@pytest.mark.parametrize("turned", range(5))
def test_that_a_wrist_that_locks_is_found_however_it_stands(turned: int) -> None:
    R = Rotation.random(rng=turned).as_matrix()
    for tilt, is_near in ((0.0, True), (0.5 * LOCKED_RAD, True), (0.9 * NEAR_RAD, True), (1.1 * NEAR_RAD, False)):
        for sign in (1.0, -1.0):
            screws = [
                JointScrew(s.frame, s.title, sign**i * R @ s.e_W, R @ s.p_W + 3.0, s.is_revolute)
                for i, s in enumerate(wrist(tilt))
            ]
            found = aligned_axes(screws)
            assert [(pair.first, pair.second) for pair in found] == [("wrist 1", "wrist 3")] * is_near
            if is_near:
                assert found[0].angle == pytest.approx(tilt, abs=1e-9)
                assert found[0].is_locked == (tilt < LOCKED_RAD)


@pytest.mark.parametrize("tilt", [0.0, math.radians(3.0)])
def test_that_axes_side_by_side_are_not_one(tilt: float) -> None:
    assert aligned_axes(wrist(tilt, aside=0.3)) == ()
    sliding = [JointScrew(s.frame, s.title, s.e_W, s.p_W, False) for s in wrist(0.0)]
    assert aligned_axes(sliding) == ()
    assert aligned_axes([]) == ()

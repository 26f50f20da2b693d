"""Costs of states: plain ones are upper bounds, and batches cost what their members cost."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.ndimage import gaussian_filter1d
from scipy.spatial.transform import Rotation

from framescope.features.evidence.core.examine import examine
from framescope.features.evidence.core.hypotheses import hypotheses_of
from framescope.features.evidence.core.readings import Mount, Readings, SensorLog
from framescope.features.evidence.core.relations import Scope, relations_of
from framescope.features.evidence.core.search import stacked
from framescope.features.evidence.core.states import STATED
from framescope.features.evidence.core.tracks import bodies_of, tracks_of
from framescope.features.evidence.core.weighing import Evidence, lies_on_back, shows_motion, stated, stays_level
from tests.support.turning_device import device


def _evidence() -> Evidence:
    log = device(10.0)
    scope = Scope(tracks_of(log, bodies_of(log)))
    return Evidence(scope, tuple(relations_of(scope)))


@pytest.mark.parametrize("kind", ["turn", "gravity", "carried", "motion"])
def test_that_a_batch_costs_what_its_members_cost(kind: str) -> None:
    evidence = _evidence()
    k = 1 if kind == "turn" else 2
    relation = next(r for r in evidence.relations if r.kind == kind and k in r.members)
    quantity = "angular velocity" if k == 1 else "specific force"
    every = [h.state for h in hypotheses_of(quantity)[:12]]
    states = stated(evidence.scope)
    together = evidence.costs_of(relation, states | {k: stacked(every)}, None, 12, np.arange(12))
    alone = [float(evidence.cost(relation, states | {k: state})) for state in every]
    assert together == pytest.approx(alone, rel=1e-9, abs=1e-9)
    plain = evidence.plain(relation, states | {k: stacked(every)}, None)
    assert (plain >= together - 1e-9).all()


def test_that_costs_are_kept_and_forgotten_with_the_clocks() -> None:
    from framescope.features.evidence.core.windows import Clock

    evidence = _evidence()
    states = stated(evidence.scope)
    relation = next(r for r in evidence.relations if r.kind == "turn" and 1 in r.members)
    before = evidence.cost(relation, states)
    assert evidence.cost(relation, states) is before
    evidence.set_clocks({1: Clock(0.2)})
    assert float(evidence.cost(relation, states)) != float(before)


def _slow_robot(seed: int, late: float) -> SensorLog:
    """Return the late orientations of a robot in the plane at 10 Hz, and its angular velocities at 100 Hz."""
    rng = np.random.default_rng(seed)
    grid = 0.01 * np.arange(3200)
    rate = gaussian_filter1d(rng.normal(size=3200), 160.0)
    rate *= 0.5 / rate.std()
    yaw = 0.01 * np.cumsum(rate)
    t, t2 = grid[100:3100], grid[100:3100:10]
    gyro = np.column_stack([0.0 * t, 0.0 * t, rate[100:3100]]) + 0.005 * rng.normal(size=(3000, 3))
    drift = 0.0019 * np.cumsum(rng.normal(size=300))
    Q = Rotation.from_euler("z", (np.interp(t2 - late, grid, yaw) + drift)[:, None]).as_quat()
    return SensorLog(
        (
            Readings("orientation of /odom", "/odom", "orientation", t2, Q, "base", "odom"),
            Readings("angular velocity of /imu", "/imu", "angular velocity", t, gyro, "base"),
        )
    )


@pytest.mark.parametrize("seed", range(4))
def test_that_a_delay_of_slow_turns_is_taken_back(seed: int) -> None:
    log = _slow_robot(seed, 0.15)
    scope = Scope(tracks_of(log, bodies_of(log)))
    evidence = Evidence(scope, tuple(relations_of(scope)))
    aligned = evidence.aligned(evidence.relations[0], stated(scope))
    assert aligned is not None
    sigma = float(np.sqrt(aligned.lag.covariance[0, 0]))
    assert sigma < 0.01
    assert aligned.lag.delay == pytest.approx(0.145, abs=3.0 * sigma)
    assert aligned.clock.delay == pytest.approx(0.15, abs=0.02)
    assert aligned.gain > 30.0


def test_that_no_delay_of_slow_turns_is_taken_back_where_there_is_none() -> None:
    log = _slow_robot(0, 0.0)
    scope = Scope(tracks_of(log, bodies_of(log)))
    evidence = Evidence(scope, tuple(relations_of(scope)))
    aligned = evidence.aligned(evidence.relations[0], stated(scope))
    assert aligned is not None
    assert aligned.clock.is_right


@pytest.mark.parametrize(("size", "is_shown"), [(1.0, True), (0.01, False)])
def test_that_a_pose_that_hardly_accelerates_shows_no_accelerations(size: float, is_shown: bool) -> None:
    log = device(10.0)
    position = next(each for each in log.readings if each.quantity == "position")
    small = replace(position, values=size * position.values)
    log = replace(log, readings=tuple(small if each is position else each for each in log.readings))
    scope = Scope(tracks_of(log, bodies_of(log)))
    assert shows_motion(scope, 4) is is_shown


def test_that_a_frame_that_stays_level_is_not_likely_to_lie_on_its_back() -> None:
    t = np.arange(0.0, 10.0, 0.02)
    Q = np.column_stack([0.0 * t, 0.0 * t, np.sin(0.1 * t), np.cos(0.1 * t)])
    place = np.column_stack([t, 0.0 * t, 0.0 * t])
    log = SensorLog(
        (
            Readings("orientation of /odom", "/odom", "orientation", t, Q, "base", "odom"),
            Readings("position of /odom", "/odom", "position", t, place, "base", "odom"),
        )
    )
    scope = Scope(tracks_of(log, bodies_of(log)))
    evidence, states = Evidence(scope, tuple(relations_of(scope))), stated(scope)
    FLIP, NED = np.diag([1.0, -1.0, -1.0]), np.array([[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, -1.0]])
    on_back = stacked([STATED, STATED.with_T(FLIP), STATED.with_W(NED), STATED.with_W(NED).with_T(FLIP)])
    assert evidence.toppled(states | {0: on_back}) == pytest.approx([0.0, 5.0, 5.0, 0.0])
    assert float(evidence.toppled(states | {0: replace(STATED, form="wxyz").with_T(FLIP)})) == 0.0
    down = SensorLog((replace(log.readings[0], values=Q[:, [3, 2, 1, 0]]), log.readings[1]))  # turned about x by 180°
    scope = Scope(tracks_of(down, bodies_of(down)))
    evidence = Evidence(scope, tuple(relations_of(scope)))
    assert evidence.toppled(states | {0: on_back}) == pytest.approx([5.0, 0.0, 0.0, 5.0])
    risen = replace(log.readings[1], values=place + 0.1 * t[:, None])
    flying = SensorLog((down.readings[0], risen))
    assert not lies_on_back(Scope(tracks_of(flying, bodies_of(flying))), 0)
    own = SensorLog((replace(log.readings[0], reference=""), log.readings[1]))
    assert not stays_level(Scope(tracks_of(own, bodies_of(own))), 0)


def _turning_in_place(mount: tuple[float, float, float]) -> SensorLog:
    """Return the pose of a body that turns to and fro in place, its velocity, and the position of an antenna on it."""
    rng = np.random.default_rng(5)
    t = 0.05 * np.arange(1200)
    turns = Rotation.from_euler("z", 1.5 * np.sin(0.8 * t)[:, None])
    antenna = turns.apply([0.5, 0.0, 0.0]) + 0.003 * rng.normal(size=(1200, 3))
    v = 0.001 * rng.normal(size=(1200, 3))
    level = np.array([0.0, 0.0, 0.0, 1.0])
    return SensorLog(
        (
            Readings("orientation of /odom", "/odom", "orientation", t, turns.as_quat(), "base", "odom"),
            Readings("velocity of /odom", "/odom", "velocity", t, v, "base", "odom", resolved_in="base"),
            Readings("position of /fix", "/fix", "position", t, antenna, "antenna", "odom"),
        ),
        (Mount("base", "antenna", level, np.array(mount), "/tf_static"),),
    )


@pytest.mark.parametrize(("mount", "least", "most"), [((0.5, 0.0, 0.0), 10.0, 1e4), ((0.0, 0.0, 0.0), -5.0, 5.0)])
def test_that_a_stated_lever_arm_tells_the_axes_of_positions(
    mount: tuple[float, float, float], least: float, most: float
) -> None:
    log = _turning_in_place(mount)
    scope = Scope(tracks_of(log, bodies_of(log)))
    evidence = Evidence(scope, tuple(relations_of(scope)))
    (relation,) = (r for r in evidence.relations if r.kind == "travel" and len(r.members) == 3)
    states = stated(scope)
    turned = states | {relation.members[0]: STATED.with_W(Rotation.from_euler("z", 90.0, degrees=True).as_matrix())}
    more = float(evidence.cost(relation, turned) - evidence.cost(relation, states))
    assert least < more < most


@pytest.mark.parametrize("heading", [0.0, 40.0, -115.0])
def test_that_a_force_in_a_reference_with_a_heading_of_its_own_is_told(heading: float) -> None:
    rng = np.random.default_rng(6)
    t = 0.02 * np.arange(1500)
    turns = Rotation.from_euler(
        "zyx", np.stack([0.9 * np.sin(0.7 * t), 0.6 * np.sin(1.1 * t), 0.5 * np.cos(0.9 * t)], 1)
    )
    p = np.stack([0.6 * np.sin(1.3 * t), 0.5 * np.cos(1.7 * t), 0.3 * np.sin(2.1 * t)], axis=1)
    a = np.gradient(np.gradient(p, t, axis=0), t, axis=0) + np.array([0.0, 0.0, 9.80665])
    force = Rotation.from_euler("z", heading, degrees=True).apply(a) + 0.02 * rng.normal(size=(1500, 3))
    log = SensorLog(
        (
            Readings("orientation of /pose", "/pose", "orientation", t, turns.as_quat(), "tool", "base"),
            Readings("position of /pose", "/pose", "position", t, p + 2e-4 * rng.normal(size=p.shape), "tool", "base"),
            Readings("specific force of /imu", "/imu", "specific force", t, force, "tool"),
        )
    )
    (finding,) = (f for f in examine(log).findings if f.severity != "note")
    assert [fault.kind for fault in finding.faults] == ["resolved in reference"]

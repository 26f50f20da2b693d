"""Scales and offsets of angular velocities, which are estimated apart from the search."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from framescope.features.evidence.core.account import Account
from framescope.features.evidence.core.biases import agreed_offset, mean_square_rate, rate_bias, rate_scale
from framescope.features.evidence.core.examine import examine
from framescope.features.evidence.core.readings import Readings, SensorLog
from framescope.features.evidence.core.relations import Scope, relations_of
from framescope.features.evidence.core.search import Search
from framescope.features.evidence.core.tracks import bodies_of, tracks_of
from framescope.features.evidence.core.weighing import Evidence, stated
from tests.support.turning_device import device


def _search(log: SensorLog) -> Search:
    bodies = bodies_of(log)
    scope = Scope(tracks_of(log, bodies))
    return Search(Evidence(scope, tuple(relations_of(scope))), bodies)


def _faults(account: Account) -> set[tuple[str, str]]:
    return {(fault.kind, fault.readings) for finding in account.findings for fault in finding.faults}


@pytest.mark.parametrize("factor", [1.0, 0.94, 1.06])
def test_that_the_scale_of_rates_is_that_of_turns(factor: float) -> None:
    search = _search(device(15.0, rate_factor=factor))
    states = stated(search.scope)
    estimate = rate_scale(search.evidence, search.explained(states, search.best_mounts(states), (), 0.0), 1)
    assert estimate is not None
    assert estimate[0] == pytest.approx(factor, abs=0.004)
    assert estimate[1] < 0.003


@pytest.mark.long
@pytest.mark.parametrize(("factor", "is_told"), [(0.94, True), (1.06, True), (1.02, False)])
def test_that_a_small_scale_of_rates_is_told_alone(factor: float, is_told: bool) -> None:
    account = examine(device(15.0, rate_factor=factor))
    assert _faults(account) == ({("scale", "angular velocity of /imu")} if is_told else set())


def test_that_turns_about_one_axis_show_no_scale() -> None:
    log = device(15.0, rate_factor=1.06)
    level = [
        replace(each, values=Rotation.from_euler("Z", 0.3 * each.t[:, None]).as_quat())
        if each.quantity == "orientation"
        else replace(each, values=each.values * [0.0, 0.0, 1.0])
        if each.quantity == "angular velocity"
        else each
        for each in log.readings
    ]
    search = _search(replace(log, readings=tuple(level)))
    states = stated(search.scope)
    assert rate_scale(search.evidence, search.explained(states, search.best_mounts(states), (), 0.0), 1) is None


def test_that_the_offset_of_rates_is_not_their_scale() -> None:
    search = _search(device(15.0, rate_factor=1.06, rate_offset=0.1))
    states = stated(search.scope)
    explanation = search.explained(states, search.best_mounts(states), (), 0.0)
    estimate = rate_bias(search.evidence, explanation, 1, 1.06)
    assert estimate is not None
    assert estimate[0] == pytest.approx(np.array([0.1, 0.0, 0.0]), abs=0.004)
    without = rate_bias(search.evidence, explanation, 1)
    assert without is not None
    assert abs(without[0][2]) > 0.008  # the device turns about z


def test_that_offsets_that_contradict_each_other_are_none() -> None:
    near, far = (np.array([1.2, 0.0, 0.0]), 0.01 * np.eye(3)), (np.zeros(3), 0.02 * np.eye(3))
    assert agreed_offset([near, far], [True, True]) is None
    assert agreed_offset([near, far, None], [True, False, True]) is near  # by a fitted mount
    assert agreed_offset([near, (near[0] + 0.1, far[1])], [True, True]) is near
    assert agreed_offset([None], [True]) is None


def test_that_the_pull_of_a_turning_body_is_no_offset() -> None:
    t = np.arange(0.0, 10.0, 0.01)
    Q = Rotation.from_euler("x", 2.0 * t[:, None]).as_quat()
    log = SensorLog((Readings("orientation of /imu", "/imu", "orientation", t, Q, "imu"),))
    (track,) = tracks_of(log, bodies_of(log))
    assert mean_square_rate(track) == pytest.approx(4.0, rel=1e-3)

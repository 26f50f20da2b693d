"""What the search takes for one fault, and what it does not take for one."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from framescope.features.evidence.core.biases import force_bias
from framescope.features.evidence.core.readings import SensorLog
from framescope.features.evidence.core.relations import Scope, relations_of
from framescope.features.evidence.core.search import Search
from framescope.features.evidence.core.states import STATED
from framescope.features.evidence.core.tracks import bodies_of, tracks_of
from framescope.features.evidence.core.weighing import Evidence, stated
from tests.support.turning_device import device

NED = np.array([[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, -1.0]])


def _search(log: SensorLog) -> Search:
    bodies = bodies_of(log)
    scope = Scope(tracks_of(log, bodies))
    return Search(Evidence(scope, tuple(relations_of(scope))), bodies)


def test_that_poses_in_other_axes_of_their_reference_are_one_fault() -> None:
    log = device(10.0)
    readings = []
    for each in log.readings:
        if each.name == "orientation of /odom":
            values = (Rotation.from_matrix(NED) * Rotation.from_quat(each.values)).as_quat()
        elif each.name == "position of /odom":
            values = each.values @ NED.T
        else:
            values = each.values
        readings.append(replace(each, values=values))
    search = _search(replace(log, readings=tuple(readings)))
    assert (3, 4) in search.units()
    base = search.explained(stated(search.scope), search.best_mounts(stated(search.scope)), (), 0.0)
    best = min(search.with_fault_of(base, (3, 4), 5), key=lambda e: e.cost)
    assert pytest.approx(NED) == best.states[3].W.M
    assert pytest.approx(NED) == best.states[4].W.M
    assert best.cost < base.cost - 50.0


def test_that_another_form_of_numbers_needs_a_part_of_the_evidence() -> None:
    search = _search(device(10.0))
    base = search.explained(stated(search.scope), search.best_mounts(stated(search.scope)), (), 0.0)
    relations = search.evidence.of((3,))
    evidence = search.evidence_of(base, relations)
    assert evidence > 100.0
    for explanation in search.with_fault_of(base, (3,), 200):
        (_, labels) = explanation.faults[-1]
        is_form = explanation.states[3].form != "stated"
        assert explanation.prior >= (6.0 + 0.03 * evidence if is_form else 5.0), labels


def test_that_motion_gives_the_mount_that_turns_about_one_axis_leave_open() -> None:
    C = Rotation.from_euler("z", 50.0, degrees=True)
    loose = _search(replace(device(10.0, turned=C), mounts=()))
    states = stated(loose.scope)
    loose.evidence.relations = tuple(r for r in loose.evidence.relations if r.kind == "motion")
    mounts = loose.best_mounts(states)
    error = (Rotation.from_matrix(mounts[1]) * C.inv()).magnitude()
    assert min(error, (Rotation.from_matrix(mounts[1]) * C).magnitude()) < np.radians(2.0)


def test_that_an_offset_of_a_force_is_in_the_axes_of_the_sensor() -> None:
    C = Rotation.from_euler("x", 90.0, degrees=True)
    log = device(20.0, turned=C, force_offset=1.5)
    mounts = tuple(replace(mount, Q=C.as_quat()) for mount in log.mounts)
    search = _search(replace(log, mounts=mounts))
    states = stated(search.scope) | {2: replace(STATED, form="offset")}
    explanation = search.explained(states, search.best_mounts(states), (), 0.0)
    estimate = force_bias(search.evidence, explanation, 2)
    assert estimate is not None
    assert estimate[0] == pytest.approx([1.5, 0.0, 0.0], abs=0.25)

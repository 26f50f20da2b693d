"""What the search takes for one fault, and what it does not take for one."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from framescope.features.evidence.core.biases import force_bias
from framescope.features.evidence.core.faults import judge
from framescope.features.evidence.core.hypotheses import Label
from framescope.features.evidence.core.readings import Readings, SensorLog
from framescope.features.evidence.core.relations import FORCE_ERROR, ONE, Scope, relations_of, series_of
from framescope.features.evidence.core.search import Explanation, Search
from framescope.features.evidence.core.states import STATED, UP
from framescope.features.evidence.core.tracks import bodies_of, tracks_of
from framescope.features.evidence.core.weighing import Evidence, stated
from tests.support.turning_device import device

OPTICAL = np.array([[0.0, 0.0, 1.0], [-1.0, 0.0, 0.0], [0.0, -1.0, 0.0]])
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
        assert explanation.prior >= (6.0 + 0.02 * evidence if is_form else 5.0), labels


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


def _level_robot(heading: float) -> SensorLog:
    """Return a robot that turns about z alone, with positions in a reference of another heading than its unit's."""
    rng = np.random.default_rng(8)
    t = np.arange(0.0, 40.0, 0.02)
    R = Rotation.from_euler("z", (0.7 * np.sin(0.5 * t) + 0.1 * t)[:, None])
    w, size = np.array([0.9, 1.3, 0.0]), np.array([1.5, 1.0, 0.0])
    p, a = size * np.sin(t[:, None] * w), -size * w**2 * np.sin(t[:, None] * w)
    force = R.inv().apply(a + np.array([0.0, 0.0, 9.80665])) + 0.02 * rng.normal(size=p.shape)
    rate = np.gradient(R.as_euler("zyx")[:, 0], t)
    gyro = np.column_stack([0.0 * t, 0.0 * t, np.unwrap(rate)]) + 2e-3 * rng.normal(size=p.shape)
    turned = Rotation.from_euler("z", heading)
    noise = Rotation.from_rotvec(5e-4 * rng.normal(size=p.shape))
    return SensorLog(
        (
            Readings("orientation of /imu", "/imu", "orientation", t, (R * noise).as_quat(), "base"),
            Readings("specific force of /imu", "/imu", "specific force", t, force, "base"),
            Readings("angular velocity of /imu", "/imu", "angular velocity", t, gyro, "base"),
            Readings("orientation of /odom", "/odom", "orientation", t, (turned * R * noise).as_quat(), "base", "odom"),
            Readings("position of /odom", "/odom", "position", t, turned.apply(p), "base", "odom"),
        )
    )


@pytest.mark.parametrize("heading", [0.0, 0.7, -2.5])
def test_that_accelerations_show_the_heading_between_references_that_turn_in_the_plane(heading: float) -> None:
    log = _level_robot(heading)
    # The orientation of the odometry is left out of the motion: the unit's own has another reference.
    search = _search(replace(log, readings=tuple(r for r in log.readings if r.name != "orientation of /odom")))
    mounts = search.best_mounts(stated(search.scope))
    yaw = Rotation.from_matrix(mounts["odom"]).as_euler("zyx")[0]
    assert abs((yaw + heading + np.pi) % (2.0 * np.pi) - np.pi) < np.radians(3.0)


def test_that_a_straight_way_has_no_other_axes_of_a_velocity() -> None:
    log = _level_robot(0.0)
    t, n = log.readings[0].t, len(log.readings[0].t)
    Q = Rotation.from_rotvec(0.01 * np.sin(t)[:, None] * [0.0, 0.0, 1.0]).as_quat()
    v = np.column_stack([1.0 + 0.5 * np.sin(t), np.zeros((n, 2))])
    readings = (
        replace(log.readings[3], values=Q),
        Readings("velocity of /odom", "/odom", "velocity", t, v, "base", "odom", "base"),
        replace(log.readings[4], values=np.column_stack([t - 0.5 * np.cos(t), np.zeros((n, 2))])),
    )
    search = _search(SensorLog(readings))
    base = search.explained(stated(search.scope), search.best_mounts(stated(search.scope)), (), 0.0)
    forms = {e.states[1].form for e in search.with_fault_of(base, (1,), 100)}
    assert forms == {"stated"}


def test_that_gravity_is_no_offset() -> None:
    log = _level_robot(0.0)
    readings = tuple(
        replace(each, values=each.values - [0.0, 0.0, 9.80665]) if each.quantity == "specific force" else each
        for each in log.readings
    )
    search = _search(replace(log, readings=readings))
    states = stated(search.scope)
    base = search.explained(states, search.best_mounts(states), (), 0.0)
    costs = {e.faults[-1][1][0].kind: e.cost for e in reversed(search.with_fault_of(base, (1,), 20))}
    assert min(costs, key=lambda kind: costs[kind]) == "gravity removed"
    assert costs["bias"] > costs["gravity removed"] + 15.0


def _turned_unit(force_factor: float) -> SensorLog:
    """Return the readings of a unit along axes of its base, where its mount is stated aslant."""
    log = device(15.0, turned=Rotation.from_euler("z", 90.0, degrees=True))
    aslant = Rotation.from_rotvec([0.7, -1.1, 0.4]).as_quat()
    readings = tuple(
        replace(each, values=force_factor * each.values) if each.quantity == "specific force" else each
        for each in log.readings
    )
    return replace(log, readings=readings, mounts=(replace(log.mounts[0], Q=aslant),))


@pytest.mark.long
def test_that_a_unit_is_mounted_along_axes_rather_than_two_sources_wrong() -> None:
    best = _search(_turned_unit(1.0)).run()
    ((unit, labels),) = best.faults
    assert unit == (0, 1, 2)
    assert [label.kind for label in labels] == ["mounting"]
    assert best.prior < 12.0


@pytest.mark.long
def test_that_a_sensor_of_a_turned_unit_has_a_scale_besides() -> None:
    search = _search(_turned_unit(1.3))
    best = search.run()
    faults = {unit: [label.kind for label in labels] for unit, labels in best.faults}
    assert faults == {(0, 1, 2): ["mounting"], (2,): ["scale"]}
    assert float(best.states[2].T.size) == pytest.approx(1.3, abs=0.03)
    assert float(best.states[1].T.size) == pytest.approx(1.0)


def test_that_gravity_has_no_part_in_the_scale_that_motion_shows() -> None:
    log = device(15.0)
    readings = tuple(
        replace(each, values=1.3 * each.values) if each.quantity == "specific force" else each for each in log.readings
    )
    search = _search(replace(log, readings=readings))
    states = stated(search.scope)
    base = search.explained(states, search.best_mounts(states), (), 0.0)
    motion = tuple(r for r in search.evidence.of((2,)) if r.kind == "motion")
    search.evidence.relations = motion
    (scale,) = (
        float(e.states[2].T.size)
        for e in search.with_fault_of(base, (2,), 400)
        if e.faults[-1][1][0].kind == "scale" and len(e.faults[-1][1]) == 1
    )
    assert scale == pytest.approx(1.3, abs=0.02)


def _in_reference(heading: float) -> SensorLog:
    """Return a unit without orientations whose rates are resolved in a reference of its own, beside an odometry."""
    log = device(15.0)
    orientation, rates, force, *others = log.readings
    turned = Rotation.from_euler("z", heading) * Rotation.from_quat(orientation.values)
    return replace(log, readings=(replace(rates, values=turned.apply(rates.values)), force, *others))


@pytest.mark.parametrize("heading", [0.0, 0.8, -2.0])
def test_that_rates_may_be_resolved_in_a_reference_of_their_own_heading(heading: float) -> None:
    best = _search(_in_reference(heading)).run()
    ((unit, labels),) = best.faults
    assert unit == (0,)
    assert [label.kind for label in labels] == ["resolved in reference"]
    yaw = Rotation.from_matrix(best.states[0].W.M).as_euler("zyx")[0]
    assert yaw == pytest.approx(heading, abs=np.radians(1.0))


@pytest.mark.long
def test_that_rates_may_be_resolved_in_a_reference_that_another_body_shows() -> None:
    log = _in_reference(0.0)
    search = _search(replace(log, mounts=()))
    assert len(search.bodies) == 2
    best = search.run()
    assert [(unit, [label.kind for label in labels]) for unit, labels in best.faults] == [
        ((0,), ["resolved in reference"])
    ]
    # The mount is known by the forces alone.
    assert Rotation.from_matrix(best.mounts[1]).magnitude() < np.radians(2.0)
    turn = next(r for r in search.evidence.relations if r.kind == "turn")
    assert search.scope.leans_on_mount(turn, best.states)


@pytest.mark.parametrize("heading", [0.0, 0.7, -2.5])
def test_that_a_reference_that_is_tilted_may_have_any_heading(heading: float) -> None:
    log = device(10.0)
    log = replace(log, readings=(replace(log.readings[0], reference=""), *log.readings[1:]), mounts=())
    own = Rotation.from_matrix(OPTICAL) * Rotation.from_euler("z", heading)
    values = (own * Rotation.from_quat(log.readings[0].values)).as_quat()
    healthy = _search(log)
    tilted = _search(replace(log, readings=(replace(log.readings[0], values=values), *log.readings[1:])))
    base = tilted.explained(stated(tilted.scope), tilted.best_mounts(stated(tilted.scope)), (), 0.0)
    best = min(tilted.with_fault_of(base, (0,), 5), key=lambda e: e.cost)
    ((_, labels),) = best.faults
    assert [label.kind for label in labels] == ["world axes"]
    assert pytest.approx(OPTICAL @ UP) == best.states[0].W.M @ UP
    right = healthy.explained(stated(healthy.scope), healthy.best_mounts(stated(healthy.scope)), (), 0.0)
    assert best.misfit == pytest.approx(right.misfit, abs=2.0)


def test_that_two_sources_of_one_relation_that_turn_in_the_plane_tell_the_axes() -> None:
    log = _level_robot(0.0)
    turn, place = (replace(x, t=x.t[::2], values=x.values[::2]) for x in log.readings[3:])
    level = np.column_stack([np.zeros((len(turn.t), 2)), turn.values[:, 2:]])
    turn = replace(turn, values=level / np.linalg.norm(level, axis=1, keepdims=True))
    flipped = (Rotation.from_quat(turn.values) * Rotation.from_quat([1.0, 0.0, 0.0, 0.0])).as_quat()
    rate = log.readings[2]
    readings = (
        turn,
        place,
        replace(rate, name="angular velocity of /odom", source="/odom"),
        replace(turn, name="orientation on /tf", source="/tf", values=flipped),
        replace(place, name="position on /tf", source="/tf"),
    )
    search = _search(SensorLog(readings))
    base = search.explained(stated(search.scope), search.best_mounts(stated(search.scope)), (), 0.0)
    best, *others = sorted(search.with_fault_of(base, (3,), 30), key=lambda e: (round(e.misfit, 3), e.prior))
    assert [label.kind for label in best.faults[0][1]] == ["body axes"]
    one = [e for e in others if len(e.faults[0][1]) == 1 and e.faults[0][1][0].words != "turned"]
    assert min(e.misfit for e in one) > best.misfit + 10.0
    # That the odometry is wrong in both its readings fits as well, but would put the robot on its back.
    both = min(search.with_fault_of(base, (0, 2), 30), key=lambda e: e.misfit)
    assert both.misfit > best.misfit + 4.5


def test_that_one_turned_unit_is_simpler_than_two_other_faults_that_make_the_same_of_it() -> None:
    # Axes of the base, and a pose that is turned by a quarter, need no fitted turn, but are two faults.
    C, S = Rotation.from_euler("z", 90.0, degrees=True), Rotation.from_euler("xyz", [20.0, -70.0, 40.0], degrees=True)
    log = device(10.0, turned=C)
    readings = tuple(each for each in log.readings[1:] if each.quantity != "velocity")
    search = _search(replace(log, readings=readings, mounts=(replace(log.mounts[0], Q=S.as_quat()),)))
    states, unit = stated(search.scope), (0, 1)
    turned = dict.fromkeys(unit, STATED.with_T((C.inv() * S).as_matrix()))
    in_base = dict.fromkeys(unit, STATED.with_T(S.as_matrix()))
    faults = (Label("mounting", "turned"),), (Label("wrong frame", "base_link"),), (Label("mounting", "y −x z"),)
    one = search.explained(states | turned, {0: ONE}, ((unit, faults[0]),), 18.0)
    two = search.explained(
        states | in_base | {2: STATED.with_T(C.as_matrix())}, {0: ONE}, ((unit, faults[1]), ((2,), faults[2])), 17.0
    )
    assert two.misfit == pytest.approx(one.misfit, abs=2.0)
    assert one.cost < two.cost
    (judged,) = judge(search.scope, one, [two])
    assert judged.rivals == ()


def test_that_a_rival_that_only_adds_to_another_is_left_out() -> None:
    search = _search(device(10.0))
    states = stated(search.scope)

    def explanation(k: int, *more: int) -> Explanation:
        every = tuple(((n,), (Label("sign"),)) for n in (k, *more))
        return search.explained(states | {k: STATED.with_T(-ONE)}, {0: ONE}, every, 0.0)

    best, rivals = explanation(1), [explanation(2), explanation(2, 3), explanation(2, 0)]
    (judged,) = judge(search.scope, best, [replace(rival, misfit=best.misfit - 9.0) for rival in rivals])
    assert [[unit for unit, _, _ in rival] for rival in judged.rivals] == [[(2,)]]


@pytest.mark.long
def test_that_a_turned_unit_is_told_by_its_own_body_although_a_loose_one_has_followed_it() -> None:
    C = Rotation.from_euler("xyz", [100.0, 20.0, -70.0], degrees=True)

    def with_second(log: SensorLog, turned: Rotation) -> SensorLog:
        # The second unit is turned with the first, and no mount is stated for it.
        seconds = device(10.0, turned=turned * Rotation.from_euler("x", 90.0, degrees=True)).readings[:3]
        more = (
            replace(each, name=f"{each.quantity} of /imu2", source="/imu2", frame="imu2_link", reference="")
            for each in seconds
        )
        own = (replace(log.readings[0], reference=""), *log.readings[1:])
        return replace(log, readings=(*own, *more))

    healthy, faulty = (_search(with_second(device(10.0, turned=turned), C)) for turned in (None, C))
    right = healthy.explained(stated(healthy.scope), healthy.best_mounts(stated(healthy.scope)), (), 0.0)
    base = faulty.explained(stated(faulty.scope), faulty.best_mounts(stated(faulty.scope)), (), 0.0)
    best = min(faulty.with_fault_of(base, (0, 1, 2), 5), key=lambda e: e.cost)
    assert Rotation.from_matrix(best.states[0].T.M @ C.as_matrix()).magnitude() < np.radians(1.0)
    assert best.misfit < 0.98 * right.misfit


def _scaled(log: SensorLog, quantity: str, factor: float) -> SensorLog:
    readings = (replace(r, values=factor * r.values) if r.quantity == quantity else r for r in log.readings)
    return replace(log, readings=tuple(readings))


@pytest.mark.parametrize("factor", [1.3, 0.8])
def test_that_the_scale_of_a_position_is_weighed_beside_other_axes(factor: float) -> None:
    search = _search(_scaled(device(15.0), "position", factor))
    states = stated(search.scope)
    base = search.explained(states, search.best_mounts(states), (), 0.0)
    (k,) = (k for k, track in enumerate(search.scope.tracks) if track.quantity == "position")
    best = min(search.with_fault_of(base, (k,), 400), key=lambda e: e.cost)
    assert [label.kind for label in best.faults[-1][1]] == ["scale"]
    assert float(best.states[k].W.size) == pytest.approx(factor, abs=0.03)


def test_that_the_errors_of_a_scaled_position_are_those_of_its_numbers() -> None:
    search = _search(device(15.0))
    (k,) = (k for k, track in enumerate(search.scope.tracks) if track.quantity == "position")
    relation = next(r for r in search.evidence.relations if r.kind == "motion" and r.members[0] == k)
    ratios = list[float]()
    for size in (1.0, 1.4, 1000.0):  # the last is another unit, and the errors are those of metres
        states = stated(search.scope) | {k: STATED.with_W(size * ONE)}
        series = series_of(search.scope, relation, states)
        assert series is not None
        ratios.append(series.error / FORCE_ERROR / series.width**2)
        assert series.noise > 0.0
    assert ratios == pytest.approx([1.0, 1.0 / 1.4, 1.0])


def test_that_forces_with_and_without_gravity_are_not_compared() -> None:
    log = device(15.0)
    force = next(r for r in log.readings if r.quantity == "specific force")
    other = replace(force, name="other force", source="/other")
    search = _search(replace(log, readings=(*log.readings, other)))
    tracks = search.scope.tracks
    i, j = (k for k, track in enumerate(tracks) if track.quantity == "specific force")
    relation = next(r for r in search.evidence.relations if r.kind == "vector" and set(r.members) == {i, j})
    states = stated(search.scope)
    weightless = replace(STATED, gravity=np.zeros(()))
    assert float(search.evidence.cost(relation, states)) < -30.0
    assert float(search.evidence.cost(relation, states | {i: weightless})) == 0.0
    assert float(search.evidence.cost(relation, states | {j: weightless})) == 0.0
    assert float(search.evidence.plain(relation, states | {j: weightless}, None)) == 0.0
    assert float(search.evidence.cost(relation, states | {i: weightless, j: weightless})) < -30.0


def test_that_the_first_faults_of_two_are_of_several_sensors() -> None:
    search = _search(device(5.0))
    turned = (Label("mounting", "turned"),)
    pool = [Explanation({0: STATED}, {}, (((0,), turned),), float(n), 0.0) for n in range(9)]
    pool += [Explanation({0: STATED, k: STATED}, {}, (((k,), turned),), 20.0 + k, 0.0) for k in (1, 2)]
    units = [e.faults[0][0] for e in search.beam(pool, 22.0)]  # the last is worse than no fault
    assert units == [(0,), (0,), (1,)]

"""Equations of motion of systems: against bodies, points and elements one by one, in batches, and what is refused."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.integrate import DOP853, RK45, Radau
from scipy.spatial.transform import Rotation

from framescope.core.bodies import RigidBody
from framescope.core.orientation import Orientation
from framescope.core.points import PointX, PointXYZ, PointY, PointZ
from framescope.core.simulation import body_kinematics, dense_output, dynamics, mechanism
from framescope.core.simulation.constraints import independent_rows
from framescope.core.simulation.system import Force, Spring, System, SystemBody, SystemPoint, VelocitySource
from tests.support.laws_of_elements import SpringDamper

EYE, ZERO = np.eye(3), np.zeros(3)
GRAVITY = np.array([0.0, 0.3, -9.81])
MATRIX = np.array([[2.0, 0.3, -0.2], [0.3, 2.5, 0.4], [-0.2, 0.4, 3.0]])
TURN = Rotation.from_rotvec([0.3, -0.2, 0.5]).as_matrix()
QUARTER = np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])


def waves(*amplitudes):
    """Return a signal of sines, with its derivatives."""

    def signal(t):
        a = np.array(amplitudes)
        s, c = np.sin(2.0 * t)[:, np.newaxis], np.cos(2.0 * t)[:, np.newaxis]
        return np.stack([a * s, 2.0 * a * c, -4.0 * a * s])

    return signal


def two_bodies(**changes) -> System:
    """Return a finite body and a small-angle one with points and elements of all kinds."""
    plate = SystemBody(
        "plate", RigidBody(2.0, MATRIX), "finite", TURN, [0, 0, 1], TURN @ TURN, [0.1, 0, 1.1], [1, 0, 0], [0, 1, 0.5]
    )
    block = SystemBody(
        "block",
        RigidBody(3.0, [1.0, 2.0, 2.5]),
        "small angle",
        QUARTER,
        [2.0, 0.0, 1.0],
        Rotation.from_rotvec([0.02, 0.01, -0.03]).as_matrix() @ QUARTER,
        [2.0, 0.1, 1.0],
        [0.0, 0.5, 0.0],
        [0.1, 0.2, -0.1],
    )
    points = [
        SystemPoint("a", "plate", "XYZ", [0.5, 0.1, 0.0]),
        SystemPoint("b", "plate", "X", [0.0, 0.5, 0.2]),
        SystemPoint("c", "block", "XYZ", [0.1, -0.5, 0.3]),
        SystemPoint("d", "block", "Y", [0.3, 0.0, -0.2]),
        SystemPoint("e", "block", "Z", [-0.3, 0.2, 0.1]),
    ]
    elements = [
        Spring("leg", "a", None, [100.0, 80.0, 60.0], 3.0),
        Spring("link", "a", "c", 50.0, [1.0, 2.0, 0.0]),
        Spring("guide", "b", "d", 20.0, 0.5),
        Force("push", "e", None, waves(3.0)),
        Force("pull", "b", "e", waves(-2.0)),
        VelocitySource("drive", "b", "d", waves(0.4)),
        VelocitySource("track", "c", None, waves(0.1, 0.2, -0.3)),
    ]
    fields = {"bodies": [plate, block], "points": points, "elements": elements, "gravity_W": GRAVITY}
    return System(**{**fields, "start": 0.0, "end": 1.0, **changes})


def states_of(found: mechanism.Mechanism, n: int) -> np.ndarray:
    return np.random.default_rng(5).normal(size=(n, found.size))


# --- One by one


def test_that_accelerations_are_those_of_bodies_on_points():
    """Every force of an element, as a port force of its point, gives the body's own equations of motion."""
    system = two_bodies()
    found = mechanism.build_mechanism(system)
    for y in states_of(found, 20):
        evaluation = dynamics.evaluate(found, y.tolist(), dynamics.signals_at(found, 0.7).tolist())
        plate, block = evaluation.kinematics.bodies
        q = y[3:7] / np.linalg.norm(y[3:7])
        R_WB = Rotation.from_quat(q).as_matrix()
        forces = {point.name: evaluation.port_forces[i] for i, point in enumerate(system.points)}
        r = {"a": R_WB @ [0.5, 0.1, 0.0], "b": R_WB @ [0.0, 0.5, 0.2]}
        on_plate = [PointXYZ(*r["a"]).force_out(forces["a"]), PointX(*r["b"][1:]).force_out(forces["b"][0])]
        R = Orientation(R_WB.T, y[10:13])
        a, b = system.bodies[0].body.finite_acceleration(R, on_plate, GRAVITY)
        assert_allclose(evaluation.accelerations[0][0], a, rtol=1e-11, atol=1e-10)
        assert_allclose(evaluation.accelerations[0][1], b, rtol=1e-11, atol=1e-10)

        x, y_, z = (QUARTER @ point.offset for point in system.points[2:])
        on_block = [
            PointXYZ(*x).force_out(forces["c"]),
            PointY(y_[0], y_[2]).force_out(forces["d"][1]),
            PointZ(z[0], z[1]).force_out(forces["e"][2]),
            [*(3.0 * GRAVITY), 0.0, 0.0, 0.0],
        ]
        turned = RigidBody(3.0, [2.0, 1.0, 2.5])
        expected = turned.small_angle_acceleration(np.array(on_block))
        assert_allclose(np.concatenate(evaluation.accelerations[1]), expected, rtol=1e-11, atol=1e-10)
        assert_allclose(PointXYZ(*x).velocity_in([*block.v, *block.w]), evaluation.kinematics.ports[2].v, atol=1e-12)
        assert_allclose(
            PointXYZ(*r["a"]).velocity_in([*plate.v, *plate.w]), evaluation.kinematics.ports[0].v, atol=1e-12
        )


def test_that_springs_pull_by_the_law_of_the_element():
    system = two_bodies()
    found = mechanism.build_mechanism(system)
    y = states_of(found, 1)[0].tolist()
    evaluation = dynamics.evaluate(found, y, dynamics.signals_at(found, 0.7).tolist())
    a, c = evaluation.kinematics.ports[0], evaluation.kinematics.ports[2]
    F, _ = SpringDamper([50.0] * 3, [1.0, 2.0, 0.0]).forces(np.subtract(a.x, c.x), np.subtract(a.v, c.v))
    assert_allclose(evaluation.spring_forces[3:6], F, rtol=1e-14)


def test_that_constraints_hold_the_accelerations_of_their_points():
    """The rows' accelerations, found by differentiating port velocities along the motion, are those of the signals."""
    found = mechanism.build_mechanism(two_bodies())
    t, h = 0.7, 1e-6
    for y in states_of(found, 5):
        y[3:7] /= np.linalg.norm(y[3:7])
        slope = dynamics.rate(found, t, y)
        ahead, behind = (body_kinematics.move(found, (y + s * h * slope).tolist()).ports for s in (1.0, -1.0))
        signals = dynamics.signals_at(found, t)
        for row in found.constraints:
            now = (body_kinematics.difference(ahead, row)[1] - body_kinematics.difference(behind, row)[1]) / (2.0 * h)
            assert now == pytest.approx(signals[1, row.channel], abs=1e-6)


def test_that_the_start_of_small_angles_is_the_authored_pose():
    system = two_bodies()
    y = mechanism.start_of_bodies(system)[13:]
    assert_allclose(y[:3], [0.0, 0.1, 0.0], atol=1e-15)
    assert_allclose(y[3:6], [0.02, 0.01, -0.03], atol=1e-15)
    assert_allclose(y[9:12], QUARTER @ [0.1, 0.2, -0.1], atol=6e-3)  # to first order the rates of the angles


# --- Batches


def test_that_many_states_give_the_bits_of_single_ones():
    found = mechanism.build_mechanism(two_bodies())
    states = states_of(found, 50)
    singles = np.array([dynamics.rate(found, 0.7, y) for y in states])
    together = dynamics.rates(found, 0.7, np.ascontiguousarray(states.T)).T
    assert together.tobytes() == singles.tobytes()


@pytest.mark.parametrize("m", [1, 2, 3, 6, 7, 12, 24])
def test_that_many_equations_are_solved_with_the_bits_of_single_ones(m):
    rng = np.random.default_rng(m)
    A = rng.normal(size=(40, m, m + 2))
    W, b = A @ A.swapaxes(-1, -2), rng.normal(size=(40, m))
    together = dynamics.solve(W, b)
    assert (
        together.tobytes() == np.concatenate([dynamics.solve(W[i : i + 1], b[i : i + 1]) for i in range(40)]).tobytes()
    )
    assert_allclose(np.einsum("kij,kj->ki", W, together), b, atol=1e-6)


def test_that_a_singular_equation_spoils_no_other():
    W = np.stack([np.eye(2), np.zeros((2, 2))])
    found = dynamics.solve(W, np.ones((2, 2)))
    assert_allclose(found[0], 1.0)
    assert np.isnan(found[1]).all()


# --- Dense output


@pytest.mark.parametrize("solver", [DOP853, RK45, Radau])
def test_that_states_between_steps_are_those_of_scipy(solver):
    """A guard: the form of scipy's interpolants is not documented."""
    run = solver(lambda t, y: np.array([y[1], -4.0 * y[0]]), 0.0, [1.0, 0.0], 3.0, rtol=1e-6, atol=1e-9)
    times, parts, theirs = [0.0], [], []
    while run.status == "running":
        run.step()
        interpolant = run.dense_output()
        parts.append(dense_output.step_coefficients(interpolant))
        times.append(run.t)
        theirs.append(interpolant)
    starts, coefficients, flags = zip(*parts, strict=True)
    ours = dense_output.DenseStates(np.array(times), np.array(starts), np.array(coefficients), flags[0])
    t = np.linspace(0.0, 3.0, 301)
    at = np.clip(np.searchsorted(times, t, side="right") - 1, 0, len(theirs) - 1)
    expected = np.array([theirs[i](x) for i, x in zip(at, t, strict=True)])

    found = ours(t)

    assert_allclose(found, expected, rtol=1e-13, atol=1e-14)
    assert found.tobytes() == np.concatenate([ours(t[i : i + 1]) for i in range(len(t))]).tobytes()
    assert_allclose(found[:, 0], np.cos(2.0 * t), atol=2e-4)


def test_that_an_unknown_interpolant_is_refused():
    with pytest.raises(TypeError, match="DOP853, RK45 or Radau, got int"):
        dense_output.step_coefficients(3)


# --- Constraints


def test_that_dependent_rows_are_found_with_what_they_depend_on():
    A = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 2.0, 0.0], [3.0, -1.0, 0.0], [0.0, 0.0, 1.0]])
    kept, dependent = independent_rows(A)
    assert kept == (0, 2, 4)
    assert [(d.row, d.others, d.factors) for d in dependent] == [(1, (), ()), (3, (0, 2), (3.0, -0.5))]


# --- What is refused


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"name": "leg", "point_1": "z"}, "element leg: point_1: expected one of a, b, c, d, e, got 'z'"),
        ({"point_2": "b"}, "element leg: point_2: expected as many directions as a, 3, got 1"),
        ({"point_2": "a"}, "element leg: point_2: expected another point"),
        ({"stiffness": -1.0}, "element leg: stiffness: expected 0 or more, got -1.0"),
        ({"stiffness": [1.0, 2.0]}, "element leg: stiffness: expected a number or three"),
        ({"point_1": "b"}, "element leg: stiffness: expected one number for a single direction"),
    ],
)
def test_that_a_wrong_spring_is_refused(change, message):
    with pytest.raises(ValueError, match=message):
        two_bodies(elements=[dataclasses.replace(two_bodies().elements[0], **change)])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"model": "rigid"}, "body plate: model: expected finite or small angle, got 'rigid'"),
        ({"model": "small angle"}, "body plate: inertia: expected principal axes along the world's at rest"),
        ({"R_start": 2.0 * EYE}, "body plate: R_start: expected a rotation, got a matrix off by 3"),
        ({"R_rest": -EYE}, "body plate: R_rest: expected a rotation"),
        ({"p_start": [0, 0]}, r"body plate: p_start: expected shape \(..., 3\), got \(2,\)"),
        ({"w_start": [0, 0, np.nan]}, "body plate: w_start: expected finite numbers"),
        ({"body": RigidBody(1.0, [1.0, 1.0, 3.0])}, "body plate: inertia: expected moments of which none is greater"),
        ({"body": RigidBody([1.0, 2.0], [1.0, 1.0, 1.0])}, "body plate: expected a single body"),
        ({"body": None}, "body plate: expected a RigidBody, got NoneType"),
    ],
)
def test_that_a_wrong_body_is_refused(change, message):
    with pytest.raises(ValueError, match=message):
        dataclasses.replace(two_bodies().bodies[0], **change)


def test_that_names_have_to_fit():
    system = two_bodies()
    point = system.points[0]
    cases = [
        ({"bodies": [*system.bodies, system.bodies[0]]}, "body plate: expected a name of its own, got it 2 times"),
        ({"points": [*system.points, point]}, "point a: expected a name of its own"),
        ({"points": [dataclasses.replace(point, body="x")]}, "point a: body: expected one of plate, block, got 'x'"),
        ({"elements": [system.elements[0]] * 2}, "element leg: expected a name of its own"),
        ({"end": 0.0}, "end: expected a time after the start at 0.0 s, got 0.0"),
        ({"gravity_W": 0.0}, "gravity_W: expected shape"),
        (
            {"elements": [Force("f", "a", None, waves(1.0))]},
            r"element f: signal: expected shape \(3, 1, 3\) at one time",
        ),
    ]
    for changes, message in cases:
        with pytest.raises(ValueError, match=message):
            two_bodies(**changes)


def test_that_a_point_of_no_kind_and_a_source_without_a_signal_are_refused():
    with pytest.raises(ValueError, match="point p: kind: expected X, Y, Z or XYZ, got 'XY'"):
        SystemPoint("p", "plate", "XY", ZERO)
    with pytest.raises(ValueError, match="element f: signal: expected a function of times, got float"):
        Force("f", "a", None, 3.0)
    with pytest.raises(ValueError, match="element v: signal: expected a function of times, got NoneType"):
        VelocitySource("v", "a", None, None)

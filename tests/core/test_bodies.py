"""Rigid bodies: the reference's numbers, anchors, conservation, what points hold, and laws of elements."""

from __future__ import annotations

import copy
import json
import pickle
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from framescope.core import frames, quaternions
from framescope.core.bodies import RigidBody
from framescope.core.kernels.componentwise import BLOCK
from framescope.core.points import PointX, PointXYZ, PointY, PointZ
from framescope.core.simulation import point_constraints
from tests.support import laws_of_elements
from tests.support.cases import for_each
from tests.support.laws_of_elements import SpringDamper, VelocitySource

CASES = json.loads((Path(__file__).parents[1] / "golden" / "twentysim_3dbody.json").read_text("utf-8"))["cases"]

MOMENTS = np.array([1.0, 2.0, 2.5])
BODY = RigidBody(2.0, MOMENTS)
MATRIX = np.array([[2.0, 0.3, -0.2], [0.3, 2.5, 0.4], [-0.2, 0.4, 3.0]])
FULL = RigidBody(2.0, MATRIX)
SHAPES = [(), (1,), (5,), (2, 3), (0,), (2, 0)]

sixes = st.tuples(*[st.floats(-5.0, 5.0)] * 6)


def orientation(angles, w) -> frames.Orientation:
    return frames.Orientation(frames.axes_rotations("ZYX", angles).T, w)


# --- The reference's numbers


@pytest.mark.parametrize("case", CASES, ids=range(len(CASES)))
def test_that_a_case_of_the_reference_comes_out(case) -> None:
    given_, expected = case["inputs"], case["outputs"]
    found = RigidBody(given_["M"], given_["J"]).small_angle_acceleration(given_["port_forces"])
    assert_allclose(found, expected["dP.v/dt"], rtol=1e-13, atol=1e-15)
    assert_allclose(np.sum(given_["port_forces"], axis=0), expected["P.F"], rtol=1e-13, atol=1e-15)


@pytest.mark.parametrize("n_ports", [1, 2, 3])
def test_that_cases_of_the_reference_in_a_batch_have_the_bits_of_single_calls(n_ports) -> None:
    some = [case["inputs"] for case in CASES if len(case["inputs"]["port_forces"]) == n_ports]
    assert len(some) > 1
    M, J, F = (np.array([case[name] for case in some])[:, np.newaxis] for name in ("M", "J", "port_forces"))
    found = RigidBody(M, J).small_angle_acceleration(F)  # (n, 1, 3): three rows would be a matrix
    for row, case in zip(found, some, strict=True):
        single = RigidBody(case["M"], case["J"]).small_angle_acceleration(case["port_forces"])
        assert row[0].tobytes() == single.tobytes()


# --- Anchors


def test_that_a_force_at_a_lever_pushes_and_turns() -> None:
    F = PointY(XP=0.5, ZP=0.0).force_out(4.0)  # in front of the centre of mass, to the left: yaws
    assert_array_equal(BODY.small_angle_acceleration([F]), [0, 2, 0, 0, 0, 0.8])
    a_W, b_B = BODY.finite_acceleration(frames.null_rotation(), [F])
    assert_array_equal(a_W, [0, 2, 0])
    assert_array_equal(b_B, [0, 0, 0.8])


def test_that_a_torque_is_resolved_in_the_body() -> None:
    # A quarter turn about z: the body's x axis is the world's y axis.
    a_W, b_B = BODY.finite_acceleration(frames.axis_rotation(3, np.pi / 2), [[1, 0, 0, 0, 3, 0]])
    assert_array_equal(a_W, [0.5, 0, 0])
    assert_allclose(b_B, [3, 0, 0], atol=1e-15)


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_that_a_free_body_keeps_turning_about_a_principal_axis(axis) -> None:
    R = orientation([0.3, -0.4, 0.5], 3.0 * np.eye(3)[axis])
    a_W, b_B = BODY.finite_acceleration(R, np.zeros((0, 6)))
    assert_array_equal(a_W, np.zeros(3))
    assert_array_equal(b_B, np.zeros(3))


def test_that_the_middle_axis_is_unstable_and_the_others_are_not() -> None:
    # Along axis 1, J2 b2 = (J3 - J1) w3 w1 and J3 b3 = (J1 - J2) w1 w2: the signs of Euler's equations.
    _, b_B = BODY.finite_acceleration(orientation([0, 0, 0], [2.0, 0.1, 0.3]), np.zeros((1, 6)))
    J1, J2, J3 = MOMENTS
    expected = [(J2 - J3) * 0.03 / J1, (J3 - J1) * 0.6 / J2, (J1 - J2) * 0.2 / J3]
    assert_allclose(b_B, expected, rtol=1e-14)


def test_that_a_gyroscope_precesses_the_right_way() -> None:
    # A wheel spins about +x, its axle held at the origin, its weight at +x: the torque about the origin is
    # [r, 0, 0] × [0, 0, -m g] = +y, and the spin axis goes towards it: counter-clockwise seen from above.
    spin, torque = 50.0, 2.0
    wheel = RigidBody(1.0, [0.02, 0.011, 0.011])
    rate = torque / (0.02 * spin)
    slow = orientation([0, 0, 0], [spin, 0.0, rate])
    _, b_B = wheel.finite_acceleration(slow, [[0, 0, 0, 0, torque, 0]])
    # In the spinning body w_B = Tᵀ-rotated (0, 0, rate) turns back with -spin: der(w_B) = (0, 0, rate) × (spin, 0, 0).
    assert_allclose(b_B, np.cross([0, 0, rate], [spin, 0, 0]), atol=1e-12)
    _, wrong = wheel.finite_acceleration(orientation([0, 0, 0], [spin, 0, -rate]), [[0, 0, 0, 0, torque, 0]])
    assert not np.allclose(wrong, np.cross([0, 0, -rate], [spin, 0, 0]), atol=1.0)


def test_that_gravity_accelerates_the_finite_model_only_and_turns_nothing() -> None:
    a_W, b_B = BODY.finite_acceleration(orientation([1, 2, 3], [0, 0, 0]), np.zeros((0, 6)), [0, 0, -9.81])
    assert_array_equal(a_W, [0, 0, -9.81])
    assert_array_equal(b_B, np.zeros(3))


@given(w=st.tuples(*[st.floats(-5, 5)] * 3), F=sixes)
def test_that_the_finite_model_is_that_of_general_matrices(w, F) -> None:
    R = orientation([0.3, -0.4, 0.5], w)
    a_W, b_B = FULL.finite_acceleration(R, [F], [1, 2, 3])
    assert_allclose(a_W, np.array(F[:3]) / 2.0 + [1, 2, 3], atol=1e-14)
    assert_allclose(b_B, np.linalg.solve(MATRIX, R.T @ F[3:] - np.cross(w, MATRIX @ w)), atol=1e-13)
    v = F[:3]
    assert_allclose(FULL.kinetic_energy(R, v), np.dot(v, v) + np.dot(w, MATRIX @ w) / 2, rtol=1e-13, atol=1e-15)
    assert_allclose(FULL.angular_momentum(R), R.T.T @ MATRIX @ w, atol=1e-13)
    about_origin = np.cross(F[3:], FULL.linear_momentum(v)) + FULL.angular_momentum(R)
    assert_allclose(FULL.angular_momentum_about_origin(R, F[3:], v), about_origin, atol=1e-12)


def test_that_an_ill_conditioned_inertia_is_solved_to_the_last_digits() -> None:
    # A rod, hardly any moment about its own axis, which lies askew.
    T = frames.axes_rotations("ZYX", [0.3, 0.7, -0.2]).T
    J = T.T @ np.diag([1e-8, 1.0, 1.0]) @ T
    body = RigidBody(1.0, J)
    _, b_B = body.finite_acceleration(frames.null_rotation(), [[0, 0, 0, 1, 2, 3]])
    assert_allclose(body.inertia_matrix @ b_B, [1, 2, 3], atol=1e-15 * np.abs(b_B).max())


# --- Conservation


def rates(body, state, gravity=(0, 0, 0), F=None):
    """Return the derivative of [p_W, v_W, Q, w_B]."""
    R = frames.Orientation(quaternions.to_T(state[6:10]), state[10:])
    ports = np.zeros((0, 6)) if F is None else [F]
    a_W, b_B = body.finite_acceleration(R, ports, gravity)
    der_Q = 0.5 * quaternions.absolute_rotation(state[6:10], [*state[10:], 0.0])
    return np.concatenate([state[3:6], a_W, der_Q, b_B])


def rk4(body, state, duration, n_steps, **forces):
    h = duration / n_steps
    for _ in range(n_steps):
        k1 = rates(body, state, **forces)
        k2 = rates(body, state + 0.5 * h * k1, **forces)
        k3 = rates(body, state + 0.5 * h * k2, **forces)
        k4 = rates(body, state + h * k3, **forces)
        state = state + h / 6.0 * (k1 + 2.0 * (k2 + k3) + k4)
    return state


def balance(body, state):
    """Return kinetic energy and the angular momenta about the centre of mass and about the world's origin."""
    R = frames.Orientation(quaternions.to_T(state[6:10]), state[10:])
    p_W, v_W = state[:3], state[3:6]
    return np.hstack(
        [body.kinetic_energy(R, v_W), body.angular_momentum(R), body.angular_momentum_about_origin(R, p_W, v_W)]
    )


START = np.array([0.1, 0.2, 0.3, 1.0, -0.5, 0.2, 0.0, 0.0, 0.0, 1.0, 1.0, 2.0, -0.5])


@pytest.mark.parametrize("body", [BODY, FULL], ids=["principal", "full"])
def test_that_a_free_body_keeps_its_energy_and_angular_momentum_to_the_order_of_the_method(body) -> None:
    misses = [np.abs(balance(body, rk4(body, START, 4.0, n)) - balance(body, START)).max() for n in (100, 200, 400)]
    orders = np.log2(np.array(misses[:-1]) / misses[1:])
    assert misses[-1] < 1e-7
    assert orders.min() > 3.7


def test_that_a_falling_body_trades_height_for_speed() -> None:
    g = np.array([0.0, 0.0, -9.81])
    end = rk4(FULL, START, 1.0, 200, gravity=g)
    gained = balance(FULL, end)[0] - balance(FULL, START)[0]
    assert_allclose(gained, 2.0 * g @ (end[:3] - START[:3]), rtol=1e-9)


@given(F=sixes, w=st.tuples(*[st.floats(-2, 2)] * 3), v=st.tuples(*[st.floats(-2, 2)] * 3))
def test_that_energy_grows_by_the_power_of_force_and_torque(F, w, v) -> None:
    state = np.array([0, 0, 0, *v, *quaternions.from_T(orientation([0.3, -0.4, 0.5], w).T), *w])
    h = 1e-4
    ahead, behind = (rk4(FULL, state, step, 1, F=F) for step in (h, -h))
    grown = (balance(FULL, ahead) - balance(FULL, behind)) / (2.0 * h)
    w_W = quaternions.to_T(state[6:10]).T @ w
    assert_allclose(grown[0], np.dot(F[:3], v) + np.dot(F[3:], w_W), atol=2e-5)
    assert_allclose(grown[1:4], F[3:], atol=2e-5)
    assert_allclose(grown[4:], F[3:], atol=2e-5)  # p = 0


@given(P_v=sixes, F=sixes)
def test_that_small_angle_energy_and_momentum_balance_exactly(P_v, F) -> None:
    P_v, der_v = np.array(P_v), BODY.small_angle_acceleration([F])
    h = 0.5
    grown = BODY.small_angle_kinetic_energy(P_v + h * der_v) - BODY.small_angle_kinetic_energy(P_v - h * der_v)
    assert_allclose(grown, np.dot(F, P_v), atol=1e-12)  # quadratic: central differences are exact
    assert_allclose(BODY.small_angle_momentum(der_v), F, atol=1e-14)
    p_W = np.array([0.3, -0.2, 0.9])
    about = BODY.small_angle_momentum(P_v, p_W)
    plain = BODY.small_angle_momentum(P_v)
    assert_array_equal(about[:3], plain[:3])
    assert_allclose(about[3:] - plain[3:], np.cross(p_W, plain[:3]), atol=1e-13)


# --- The two models


def test_that_the_models_agree_to_first_order_in_the_angle() -> None:
    angles, w = np.array([0.4, -0.7, 0.5]), np.array([0.6, 0.3, -0.8])
    F = np.array([1.0, 2.0, 3.0, 0.4, -0.6, 0.5])
    misses = []
    for size in (1e-2, 5e-3, 2.5e-3):
        R = frames.Orientation(frames.axes_rotations("XYZ", size * angles).T, size * w)
        a_W, b_B = BODY.finite_acceleration(R, [size * F])
        small = BODY.small_angle_acceleration([size * F])
        assert_array_equal(a_W, small[:3])
        misses.append(np.abs(frames.resolve1(R, b_B) - small[3:]).max())
        energy = BODY.small_angle_kinetic_energy(np.concatenate([size * F[:3], frames.resolve1(R, size * w)]))
        assert abs(energy - BODY.kinetic_energy(R, size * F[:3])) < 5.0 * size**3
    assert misses[0] < 2.0 * 1e-2**2
    assert_allclose(np.array(misses[:-1]) / misses[1:], 4.0, rtol=0.02)


def test_that_the_models_are_the_same_at_rest_upright() -> None:
    F = [[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [0.1, 0.2, 0.3, 0.4, 0.5, 0.6]]
    found = np.concatenate(BODY.finite_acceleration(frames.null_rotation(), F))
    assert_array_equal(found, BODY.small_angle_acceleration(F))
    assert_array_equal(found, RigidBody(2.0, np.diag(MOMENTS)).small_angle_acceleration(F))


def test_that_products_of_inertia_are_for_the_finite_model() -> None:
    for call in (
        lambda: FULL.small_angle_acceleration(np.zeros((1, 6))),
        lambda: FULL.small_angle_kinetic_energy(np.zeros(6)),
        lambda: FULL.small_angle_momentum(np.zeros(6)),
    ):
        with pytest.raises(ValueError, match=r"^inertia: expected three principal moments .* products of inertia"):
            call()


# --- What a body is made of


@pytest.mark.parametrize(
    ("mass", "inertia", "message"),
    [
        (0.0, MOMENTS, "mass: expected a positive mass, got 0.0"),
        ([1.0, -2.0], MOMENTS, "mass: expected a positive mass, got -2.0"),
        (np.nan, MOMENTS, "mass: expected finite"),
        ("1", MOMENTS, "mass: expected real numbers"),
        (1.0, [1.0, 2.0], "inertia: expected three principal moments"),
        (1.0, 1.0, "inertia: expected three principal moments"),
        (1.0, np.ones((3, 2)), "inertia: expected three principal moments"),
        (1.0, [1.0, 0.0, 1.0], "inertia: expected positive principal moments, got 0.0"),
        (1.0, [1.0, np.inf, 1.0], "inertia: expected finite"),
        (1.0, [[1, 0, 0.1], [0, 1, 0], [0, 0, 1]], "inertia: expected a symmetric matrix, .* differ by 0.1"),
        (1.0, np.tile(MOMENTS, (3, 1)), "inertia: expected a symmetric matrix"),
        (1.0, np.ones((3, 3)), "inertia: expected a positive definite matrix"),
        (1.0, np.zeros((3, 3)), "inertia: expected a positive definite matrix"),
        (1.0, np.diag([1.0, -1.0, 1.0]), "inertia: expected a positive definite matrix, got a principal moment of -1"),
        (1.0, np.diag([1.0, 4.0, 2.0]), r"inertia: .* got 4 > 1 \+ 2, which no body has"),
        ([1.0, 1.0], np.ones((3, 1, 3)) * [[[1]]] * np.ones((3, 5, 3)), "leading shapes do not broadcast: mass"),
    ],
)
def test_that_what_is_no_body_is_refused(mass, inertia, message) -> None:
    with pytest.raises(ValueError, match=f"^{message}"):
        RigidBody(mass, inertia)


def test_that_moments_which_no_body_has_are_for_the_small_angle_model_only() -> None:
    body = RigidBody(1.0, [[1.0, 1.0, 1.0], [1.0, 4.0, 2.0]])
    assert not body.is_realizable
    assert_array_equal(body.small_angle_acceleration(np.ones((1, 6)))[1], [1, 1, 1, 1, 0.25, 0.5])
    R = frames.null_rotation()
    for call in (
        lambda: body.finite_acceleration(R, np.zeros((1, 6))),
        lambda: body.kinetic_energy(R, np.zeros(3)),
        lambda: body.angular_momentum(R),
        lambda: body.angular_momentum_about_origin(R, np.zeros(3), np.zeros(3)),
    ):
        with pytest.raises(ValueError, match=r"^inertia: .* got 4 > 1 \+ 2, which no body has"):
            call()
    for flat in ([1.0, 1.0, 2.0], [0.1, 0.2, 0.1 + 0.2], [0.0833333, 0.0833333, 0.1666667], np.diag([1.0, 1.0, 2.0])):
        assert RigidBody(1.0, flat).is_realizable


def test_that_a_body_keeps_read_only_copies() -> None:
    mass, inertia = np.array(2.0), MATRIX.copy()
    body = RigidBody(mass, inertia)
    mass[...], inertia[...] = -1.0, np.nan
    assert float(body.mass) == 2.0
    assert_array_equal(body.inertia, MATRIX)
    batch = RigidBody([1.0, 2.0, 3.0], [1.0, 4.0, 2.0])  # its moments are (3, 3) and no matrix
    assert batch.inertia.shape == (3, 3)
    for kept in (body, batch, copy.deepcopy(batch), pickle.loads(pickle.dumps(batch))):
        for name in ("mass", "inertia", "inertia_matrix"):
            with pytest.raises(ValueError, match="read-only"):
                getattr(kept, name)[...] = 1.0
    again = copy.deepcopy(batch)
    assert not again.is_realizable
    F = np.ones((1, 6))
    assert_array_equal(again.small_angle_acceleration(F), batch.small_angle_acceleration(F))


def test_that_a_matrix_is_made_symmetric() -> None:
    askew = MATRIX.copy()
    askew[0, 1] += 1e-9
    J = RigidBody(1.0, askew).inertia_matrix
    assert_array_equal(J, J.T)
    assert_allclose(J, MATRIX, atol=1e-9)


# --- What every method does with its input


METHODS = {
    "small_angle_acceleration": {"port_forces": (2, 6)},
    "small_angle_kinetic_energy": {"P_v": (6,)},
    "small_angle_momentum": {"P_v": (6,), "p_W": (3,)},
    "finite_acceleration": {"R": (3,), "port_forces": (2, 6), "gravity_W": (3,)},
    "kinetic_energy": {"R": (3,), "v_W": (3,)},
    "linear_momentum": {"v_W": (3,)},
    "angular_momentum": {"R": (3,)},
    "angular_momentum_about_origin": {"R": (3,), "p_W": (3,), "v_W": (3,)},
}


def some(method, shape):
    """Return a body and arguments of a shape."""
    rng = np.random.default_rng(7)
    arguments = {}
    for name, trailing in METHODS[method].items():
        value = np.round(rng.normal(size=shape + trailing), 3)
        arguments[name] = orientation(rng.normal(size=(*shape, 3)), value) if name == "R" else value
    mass = 1.0 + rng.random(shape)
    J = np.eye(3) * (1.0 + rng.random((*shape, 1, 3)))
    if not method.startswith("small"):
        J = J + 0.1
    return mass, J, arguments


def at(arguments, index):
    return {
        name: frames.Orientation(value.T[index], value.w[index]) if name == "R" else value[index]
        for name, value in arguments.items()
    }


def results(found):
    return found if isinstance(found, tuple) else (found,)


@for_each("shape", [*SHAPES, (BLOCK + 7,)])
@pytest.mark.parametrize("method", METHODS)
def test_that_a_batched_call_gives_row_by_row_the_bits_of_single_calls(method, shape) -> None:
    mass, J, arguments = some(method, shape)
    found = results(getattr(RigidBody(mass, J), method)(**arguments))
    indices = list(np.ndindex(*shape)) if np.prod(shape) < BLOCK else [(0,), (BLOCK - 1,), (BLOCK,), (BLOCK + 6,)]
    for result in found:
        assert result.dtype == np.float64
        assert result.shape[: len(shape)] == shape
    for index in indices:
        single = results(getattr(RigidBody(mass[index], J[index]), method)(**at(arguments, index)))
        for whole, one in zip(found, single, strict=True):
            assert whole[index].tobytes() == one.tobytes()


@pytest.mark.parametrize("method", METHODS)
def test_that_one_body_broadcasts_with_many_states(method) -> None:
    _, _, arguments = some(method, (4,))
    found = results(getattr(BODY, method)(**arguments))
    for i in range(4):
        for whole, one in zip(found, results(getattr(BODY, method)(**at(arguments, i))), strict=True):
            assert whole[i].tobytes() == one.tobytes()
    with pytest.raises(ValueError, match=r"leading shapes do not broadcast: .*(mass|inertia) \(3,\)"):
        getattr(RigidBody([1.0, 2.0, 3.0], MOMENTS), method)(**arguments)


@pytest.mark.parametrize("method", METHODS)
def test_that_what_is_no_finite_array_of_the_shape_is_refused_by_name(method) -> None:
    _, _, arguments = some(method, ())
    for name, good in arguments.items():
        wrong = [np.eye(3), None]
        if name != "R":
            wrong = [good + np.nan, good + np.inf, good + 0j, good.astype(str), good[..., 1:], 1.0, None, [[1], [1, 2]]]
        for value in wrong:
            with pytest.raises(ValueError, match=rf"^{name}: expected "):
                getattr(BODY, method)(**arguments | {name: value})
    if "port_forces" in arguments:
        with pytest.raises(ValueError, match=r"^port_forces: expected shape \(\.\.\., n_ports, 6\), got \(6,\)"):
            getattr(BODY, method)(**arguments | {"port_forces": np.zeros(6)})


@pytest.mark.parametrize("method", METHODS)
def test_that_any_real_array_is_taken_and_left_alone(method) -> None:
    _, _, arguments = some(method, (4,))
    whole = {name: value if name == "R" else np.round(10 * value) + 0.0 for name, value in arguments.items()}
    expected = results(getattr(BODY, method)(**whole))
    for form in (
        lambda a: a.astype(int),
        lambda a: a.astype(np.float32),
        lambda a: a.tolist(),
        lambda a: np.stack([a, a], axis=-1)[..., 0],
        np.asfortranarray,
        lambda a: a.astype(">f8"),
        lambda a: np.broadcast_to(a, a.shape),  # read-only
    ):
        given_ = {name: value if name == "R" else form(value) for name, value in whole.items()}
        found = results(getattr(BODY, method)(**given_))
        for one, other in zip(found, expected, strict=True):
            assert one.tobytes() == other.tobytes()
    for dtype in (int, np.float32):
        typed = RigidBody(np.array(2, dtype), np.array([2, 4, 5], dtype))
        exact = RigidBody(2.0, [2.0, 4.0, 5.0])
        for one, other in zip(
            results(getattr(typed, method)(**whole)), results(getattr(exact, method)(**whole)), strict=True
        ):
            assert one.tobytes() == other.tobytes()


def test_that_many_ports_are_summed_in_their_order_whatever_the_memory() -> None:
    F = np.random.default_rng(3).normal(size=(5, 40, 6))
    expected = BODY.small_angle_acceleration(F)
    assert BODY.small_angle_acceleration(np.asfortranarray(F)).tobytes() == expected.tobytes()
    for i in range(5):
        assert BODY.small_angle_acceleration(F[i]).tobytes() == expected[i].tobytes()


@pytest.mark.parametrize("shape", [(), (5,)])
def test_that_overflow_neither_warns_nor_raises(shape) -> None:
    huge = RigidBody(1e-300, np.full(3, 1e-300))
    assert not np.isfinite(huge.small_angle_acceleration(np.full((*shape, 3, 6), 1.7e308))).any()
    R = orientation(np.zeros((*shape, 3)), np.full((*shape, 3), 1e300))
    huge.finite_acceleration(R, np.full((2, 6), -1.7e308))
    assert not np.isfinite(BODY.kinetic_energy(R, np.zeros(3))).any()


# --- What points hold


def xyz(*offsets):
    return [PointXYZ(*r) for r in offsets]


TABLE = [PointZ(0.0, 0.0), PointZ(1.0, 0.0), PointZ(0.0, 1.0)]
LEGS = [PointX(0, 1), PointX(0, -1), PointY(1, 0), PointY(-1, 0), PointZ(0, 1), PointZ(0, -1)]
AXES_3 = ("translation along x", "translation along y", "translation along z")
ABOUT_3 = tuple(f"rotation about {a} through the centre of mass" for a in "xyz")
FREE = {
    "none": ([], AXES_3 + ABOUT_3),
    "one XYZ at the centre of mass": (xyz([0, 0, 0]), ABOUT_3),
    "one XYZ": (xyz([1, 2, 3]), tuple(f"rotation about {a} through (1, 2, 3) m" for a in "xyz")),
    "two XYZ": (xyz([1, 2, 3], [1, 2, 5]), ("rotation about z through (1, 2, 0) m",)),
    "two XYZ askew": (
        xyz([1, 0, 0], [0, 1, 0]),
        ("rotation about (0.707107, -0.707107, 0) through (0.5, 0.5, 0) m",),
    ),
    "three XYZ on a line": (
        xyz([0, 1, 0], [1, 1, 0], [3, 1, 0]),
        ("rotation about x through (0, 1, 0) m",),
    ),
    "three XYZ": (xyz([1, 0, 0], [0, 1, 0], [0, 0, 1]), ()),
    "three XYZ far away": (xyz([1000, 0, 0], [1000, 1e-2, 0], [1000, 0, 1e-2]), ()),
    "three XYZ close together": (xyz([1e-4, 0, 0], [0, 1e-4, 0], [0, 0, 1e-4]), ()),
    "six of one direction": (LEGS, ()),
    "six of one direction, all along z": (
        [PointZ(x, y) for x, y in [(0, 0), (1, 0), (0, 1), (2, 1), (-1, 3), (5, 5)]],
        ("translation along x", "translation along y", "rotation about z through the centre of mass"),
    ),
    "a table": (TABLE, ("translation along x", "translation along y", "rotation about z through the centre of mass")),
    "the reference's rule with one direction each": (
        [PointX(1, 0), PointY(0, 1), PointZ(1, 0)],
        (
            "rotation about x through (0, 0, 1) m",
            "rotation about y through (1, 0, 0) m",
            "rotation about z through (0, 1, 0) m",
        ),
    ),
}


@pytest.mark.parametrize("name", FREE)
def test_that_known_points_leave_known_motions(name) -> None:
    points, words = FREE[name]
    assert point_constraints.describe_free_motions(points) == words


points_ = st.lists(
    st.builds(
        lambda kind, r: kind(*r[: 3 if kind is PointXYZ else 2]),
        st.sampled_from([PointX, PointY, PointZ, PointXYZ]),
        st.tuples(*[st.integers(-3, 3)] * 3),
    ),
    max_size=6,
)


@given(points=points_)
def test_that_free_motions_are_as_many_as_the_rank_leaves_and_do_no_work(points) -> None:
    columns = point_constraints.force_columns(points)
    assert columns.shape[0] == 6
    motions = point_constraints.plain_motions(columns)
    assert len(motions) == 6 - (np.linalg.matrix_rank(columns) if points else 0)
    assert_allclose(columns.T @ motions.T, np.zeros((columns.shape[1], len(motions))), atol=1e-11)
    for point in points:
        for motion in motions:
            assert_allclose(point.velocity_in(motion), 0.0, atol=1e-11)
    is_translation = [not motion[3:].any() for motion in motions]
    assert is_translation == sorted(is_translation, reverse=True)
    words = point_constraints.describe_free_motions(points)
    assert len(words) == len(motions) == (np.linalg.matrix_rank(motions) if len(motions) else 0)
    assert_allclose(np.linalg.norm(motions[:, 3:], axis=1), 1.0 - np.array(is_translation), atol=1e-12)
    assert [word.startswith("translation") for word in words] == is_translation


@given(points=points_, size=st.sampled_from([1e-6, 1e-3, 1e3, 1e6]))
def test_that_the_unit_of_length_does_not_decide_what_is_held(points, size) -> None:
    scaled = [
        type(point)(*(size * getattr(point, name) for name in ("XP", "YP", "ZP") if hasattr(point, name)))
        for point in points
    ]
    assert len(point_constraints.describe_free_motions(scaled)) == len(point_constraints.describe_free_motions(points))


def test_that_a_translation_may_undo_the_advance_of_a_screw() -> None:
    # Only the velocity along (1, 1, 0) of one point and the rotations about x and y are taken away, by four points.
    points = [PointZ(0, 0), PointZ(1, 0), PointZ(0, 1), PointX(0, 0), PointX(2, 0)]
    assert point_constraints.describe_free_motions(points) == ("translation along y",)
    assert point_constraints.describe_free_motions(points[:4]) == (
        "translation along y",
        "rotation about z through the centre of mass",
    )


@given(points=points_, P_v=sixes, forces=st.lists(st.floats(-5, 5), min_size=18, max_size=18))
def test_that_columns_are_those_of_the_points(points, P_v, forces) -> None:
    columns = point_constraints.force_columns(points)
    velocities = [np.atleast_1d(point.velocity_in(P_v)) for point in points]
    assert_allclose(columns.T @ P_v, np.concatenate([np.zeros(0), *velocities]), atol=1e-12)
    left, total = list(forces), np.zeros(6)
    for point in points:
        F = [left.pop(0) for _ in range(3 if isinstance(point, PointXYZ) else 1)]
        total = total + point.force_out(F if len(F) == 3 else F[0])
    assert_allclose(columns @ forces[: columns.shape[1]], total, atol=1e-12)


def test_that_columns_broadcast_and_have_no_negative_zeros() -> None:
    r = np.random.default_rng(0).normal(size=(4, 3))
    many = point_constraints.force_columns([PointXYZ(*r.T), PointX(r[:, 1], 0.0), PointZ(1.0, 2.0)])
    assert many.shape == (4, 6, 5)
    for i in range(4):
        single = point_constraints.force_columns([PointXYZ(*r[i]), PointX(r[i, 1], 0.0), PointZ(1.0, 2.0)])
        assert many[i].tobytes() == single.tobytes()
    assert not np.signbit(point_constraints.force_columns([PointX(0, 0), PointXYZ(0, 0, 0)])).any()
    with pytest.raises(ValueError, match=r"broadcast: points\[0\] \(2,\), points\[1\] \(3,\)"):
        point_constraints.force_columns([PointX([0, 0], 0), PointXYZ([0, 0, 0], 0, 0)])


def test_that_only_lists_of_single_points_are_looked_at() -> None:
    for wrong, message in (
        (3, "points: expected a list of points, got int"),
        ([np.zeros(3)], r"points\[0\]: expected a PointX, .* got ndarray"),
        ([PointX(0, 0), "PointX"], r"points\[1\]: expected a PointX, .* got str"),
        ([PointX([0.0, 1.0], 0.0)], r"points: expected single numbers as offsets, got offsets of shape \(2,\)"),
    ):
        with pytest.raises(ValueError, match=f"^{message}"):
            point_constraints.describe_free_motions(wrong)


@pytest.mark.parametrize(
    ("P_v", "words"),
    [
        ([0, 0, 0, 0, 0, 0], "rest"),
        ([0, -2, 0, 0, 0, 0], "translation along y"),
        ([0, -3, 4, 0, 0, 0], "translation along (0, -0.6, 0.8)"),
        ([1e-300, 0, 0, 0, 0, 0], "translation along x"),
        ([0, 0, 0, 0, -7, 0], "rotation about y through the centre of mass"),
        ([0, 0, 2, 0, 1, 0], "rotation about y through (2, 0, 0) m"),
        ([0, 0, -2, 0, -1, 0], "rotation about y through (2, 0, 0) m"),
        ([1, 0, 0, 2 * np.pi, 0, 0], "screw about x through the centre of mass, advancing 1 m per turn"),
        ([-1, 0, 2 * np.pi, 2 * np.pi, 0, 0], "screw about x through (0, -1, 0) m, advancing -1 m per turn"),
    ],
)
def test_that_a_motion_is_named(P_v, words) -> None:
    assert point_constraints.motion_text(np.array(P_v, dtype=float), 1.0) == words


# --- Laws of elements


@given(x=st.floats(-5, 5), v=st.floats(-5, 5), k=st.floats(0, 9), d=st.floats(0, 9))
def test_that_a_stretched_spring_pulls_back_and_its_power_is_lost_or_stored(x, v, k, d) -> None:
    element = SpringDamper(k, d)
    F_1, F_2 = element.forces(x, v)
    assert F_1 == -F_2
    assert_allclose(F_2, k * x + d * v, atol=1e-13)
    stored = (element.energy(x + v) - element.energy(x - v)) / 2.0  # quadratic: the derivative times v, exactly
    assert_allclose(-F_1 * v, stored + element.dissipated_power(v), atol=1e-11)
    assert element.dissipated_power(v) >= 0.0


def test_that_a_force_source_pushes_both_ends_apart() -> None:
    F_1, F_2 = laws_of_elements.force_source([3, -1])
    assert_array_equal(F_1, [3.0, -1.0])
    assert_array_equal(F_2, [-3.0, 1.0])
    for wrong in (np.nan, None, "3"):
        with pytest.raises(ValueError, match=r"^signal: expected "):
            laws_of_elements.force_source(wrong)


@pytest.mark.parametrize("shape", [(), (1,), (6,), (2, 3), (0,)])
def test_that_laws_of_elements_in_a_batch_have_the_bits_of_single_calls(shape) -> None:
    k, d, x, v = np.random.default_rng(5).random((4, *shape))
    element = SpringDamper(k, d)
    for index in np.ndindex(*shape):
        one = SpringDamper(k[index], d[index])
        for whole, single in (
            (element.forces(x, v)[0], one.forces(x[index], v[index])[0]),
            (element.forces(x, v)[1], one.forces(x[index], v[index])[1]),
            (element.energy(x), one.energy(x[index])),
            (element.dissipated_power(v), one.dissipated_power(v[index])),
            (laws_of_elements.force_source(x)[1], laws_of_elements.force_source(x[index])[1]),
        ):
            assert whole.shape == shape
            assert whole[index].tobytes() == single.tobytes()


def test_that_a_spring_is_checked() -> None:
    for name in ("stiffness", "damping"):
        for wrong in (-1.0, [1.0, -2.0], np.nan, None, "1"):
            with pytest.raises(ValueError, match=rf"^{name}: expected "):
                SpringDamper(**{"stiffness": 1.0, "damping": 1.0} | {name: wrong})
    element = SpringDamper([1.0, 2.0], 0.0)
    for kept in (element, copy.deepcopy(element)):
        with pytest.raises(ValueError, match="read-only"):
            kept.stiffness[...] = 1.0
    for call, name in (
        (lambda a: element.forces(a, 0.0), "elongation"),
        (lambda a: element.forces(0.0, a), "elongation_rate"),
        (element.energy, "elongation"),
        (element.dissipated_power, "elongation_rate"),
    ):
        with pytest.raises(ValueError, match=rf"^{name}: expected finite"):
            call(np.inf)
        with pytest.raises(ValueError, match=rf"leading shapes do not broadcast: .*{name} \(3,\)"):
            call(np.zeros(3))
    with pytest.raises(ValueError, match="leading shapes do not broadcast: stiffness"):
        SpringDamper([1.0, 2.0], [1.0, 2.0, 3.0])


SOURCES = {
    "to ground": VelocitySource(PointX(1.0, 2.0)),
    "between two": VelocitySource(PointX(1.0, 2.0), PointZ(0.3, -0.4)),
    "three to ground": VelocitySource(PointXYZ(1.0, 2.0, 3.0)),
    "three between two": VelocitySource(PointXYZ(1.0, 2.0, 3.0), PointXYZ(0.1, -0.2, 0.3)),
}


@pytest.mark.parametrize("name", SOURCES)
@given(P_1_v=sixes, P_2_v=sixes, signal=st.tuples(*[st.floats(-5, 5)] * 3))
def test_that_a_velocity_source_is_a_linear_map_and_its_forces_are_the_transposed_one(
    name, P_1_v, P_2_v, signal
) -> None:
    source = SOURCES[name]
    is_triple = isinstance(source.point_1, PointXYZ)
    given_ = np.array(signal if is_triple else signal[0])
    row_1, row_2 = source.rows()
    assert row_1.shape == row_2.shape == (3 if is_triple else 1, 6)
    residual = source.residual(P_1_v, P_2_v, given_)
    assert residual.shape == given_.shape
    assert_allclose(np.atleast_1d(residual), row_1 @ P_1_v + row_2 @ P_2_v - given_, atol=1e-12)
    P_1_F, P_2_F = source.port_forces(given_)
    assert_allclose(P_1_F, row_1.T @ np.atleast_1d(given_), atol=1e-12)
    assert_allclose(P_2_F, row_2.T @ np.atleast_1d(given_), atol=1e-12)


def test_that_a_velocity_source_is_checked() -> None:
    with pytest.raises(ValueError, match=r"^point_1: expected a PointX"):
        VelocitySource(np.zeros(3))
    with pytest.raises(ValueError, match=r"^point_2: expected a PointX"):
        VelocitySource(PointX(0, 0), 3)
    for one, other in ((PointX(0, 0), PointXYZ(0, 0, 0)), (PointXYZ(0, 0, 0), PointX(0, 0))):
        with pytest.raises(ValueError, match=r"^point_2: expected a point with as many directions"):
            VelocitySource(one, other)
    source = SOURCES["three between two"]
    good = {"P_1_v": np.zeros(6), "P_2_v": np.zeros(6), "signal": np.zeros(3)}
    for name, value in good.items():
        for wrong in (value + np.nan, value[1:], None):
            with pytest.raises(ValueError, match=rf"^{name}: expected "):
                source.residual(**good | {name: wrong})
    with pytest.raises(ValueError, match=r"^F: expected "):
        source.port_forces(1.0)
    many = np.random.default_rng(2).normal(size=(7, 6))
    together = source.residual(many, good["P_2_v"], [1, 2, 3])
    for i in range(7):
        assert together[i].tobytes() == source.residual(many[i], good["P_2_v"], [1, 2, 3]).tobytes()

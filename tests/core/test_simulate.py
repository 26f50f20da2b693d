"""Simulations: closed solutions, balances, derivatives, constraints, and how runs end."""

from __future__ import annotations

import functools

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.spatial.transform import Rotation
from scipy.special import ellipj, ellipk

from framescope.core.bodies import RigidBody
from framescope.core.kernels import linear_algebra
from framescope.core.orientation import Orientation
from framescope.core.points import PointXYZ
from framescope.core.simulation.simulate import PACE, Cancelled, simulate
from framescope.core.simulation.source_signals import CELLS
from framescope.core.simulation.system import Force, Spring, System, SystemBody, SystemPoint, VelocitySource
from framescope.core.time_functions.breakpoints import breakpoints
from framescope.core.time_functions.expressions import parse_expression
from tests.support.laws_of_elements import SpringDamper

EYE, ZERO = np.eye(3), np.zeros(3)
GRAVITY = np.array([0.0, 0.0, -9.81])
METHODS = ["dop853", *(pytest.param(method, marks=pytest.mark.long) for method in ("rk45", "radau"))]
CORNERS = {"p": [0.5, 0.0, 0.1], "q": [-0.3, 0.4, 0.0], "r": [-0.2, -0.4, -0.1]}


def simulated(system, **options):
    """Return the simulation of a system in steps as long as its errors allow, up to a tenth of it, not a hundredth."""
    return simulate(system, **{"max_step": (system.end - system.start) / 10.0, **options})


def signal(f, df, ddf, k=1):
    """Return a signal of functions of time, the same in all its directions."""
    return lambda t: np.stack([np.repeat((g(t) + 0.0 * t)[:, np.newaxis], k, axis=1) for g in (f, df, ddf)])


def held(k=1):
    return lambda t: np.zeros((3, len(t), k))


def made(name="body", inertia=(1.0, 2.0, 2.5), mass=2.0, model="finite", **pose) -> SystemBody:
    """Return a body that starts at rest in the world's axes, but for what is said otherwise."""
    body = {"R_rest": EYE, "p_rest": ZERO, "R_start": EYE, "p_start": ZERO, "v_start": ZERO, "w_start": ZERO, **pose}
    return SystemBody(name, RigidBody(mass, inertia), model, **body)


def alone(body: SystemBody, end: float, **options):
    return simulated(System([body], [], [], ZERO, 0.0, end), **options)


def sprung_plate(model="finite", scale=1.0, end=2.0, damping=1.0, **options):
    """Return the simulation of a plate on three springs, with gravity."""
    turn = Rotation.from_rotvec(scale * np.array([0.3, -0.2, 0.4])).as_matrix()
    body = made(model=model, R_start=turn, p_start=scale * np.array([0.1, 0.05, -0.02]))
    points = [SystemPoint(name, "body", "XYZ", offset) for name, offset in CORNERS.items()]
    springs = [Spring(f"k {name}", name, None, [200.0, 150.0, 300.0], damping) for name in CORNERS]
    gravity = options.pop("gravity", GRAVITY)
    return simulated(System([body], points, springs, gravity, 0.0, end), **options)


def pendulum(angle, end=3.0, **options):
    """Return the simulation of a body hung by an XYZ point half a metre above its centre, turned about x and let go."""
    R = Rotation.from_rotvec([angle, 0.0, 0.0]).as_matrix()
    top = np.array([0.0, 0.0, 0.5])
    body = made(p_rest=-top, R_start=R, p_start=-(R @ top))
    hinge = VelocitySource("hinge", "top", None, held(3))
    return simulated(System([body], [SystemPoint("top", "body", "XYZ", top)], [hinge], GRAVITY, 0.0, end), **options)


PENDULUM_RATE = np.sqrt(2.0 * 9.81 * 0.5 / (1.0 + 2.0 * 0.25))


def driven_pair(**options):
    """Return the simulation of a finite and a small-angle body with elements of all kinds."""
    plate = made("plate", [[2.0, 0.3, -0.2], [0.3, 2.5, 0.4], [-0.2, 0.4, 3.0]], w_start=[0.0, 1.0, 0.5])
    block = made("block", model="small angle", p_rest=[2.0, 0.0, 0.0], p_start=[2.0, 0.0, 0.05])
    points = [
        SystemPoint("a", "plate", "XYZ", [0.5, 0.1, 0.0]),
        SystemPoint("b", "plate", "X", [0.0, 0.5, 0.2]),
        SystemPoint("c", "block", "XYZ", [0.1, -0.5, 0.3]),
        SystemPoint("d", "block", "Y", [0.3, 0.0, -0.2]),
    ]
    elements = [
        Spring("leg", "a", None, 100.0, 3.0),
        Spring("link", "a", "c", 50.0, [1.0, 2.0, 0.0]),
        Force("push", "d", None, signal(np.sin, np.cos, lambda t: -np.sin(t))),
        VelocitySource(
            "drive", "b", "d", signal(lambda t: 0.1 * np.sin(t), lambda t: 0.1 * np.cos(t), lambda t: -0.1 * t)
        ),
        VelocitySource("track", "c", None, held(3)),
    ]
    return simulated(System([plate, block], points, elements, GRAVITY, 0.5, 2.5), **options)


TOLERANCES = {"dop853": 1e-9, "rk45": 1e-9, "radau": 1e-7}


@functools.cache
def pair_by(method):
    """Return the run of the driven pair by a method, at its tolerance: one for all that look at it."""
    return driven_pair(method=method, tolerance=TOLERANCES[method])


@pytest.fixture
def pair():
    return pair_by("dop853")


# --- Closed solutions


@pytest.mark.parametrize("method", METHODS)
def test_that_a_free_symmetric_top_precesses(method):
    """About its angular momentum H with H/J1, while it spins in its own frame with (J1 - J3)/J1 w3."""
    J1, J3, w = 1.0, 1.6, np.array([0.4, 0.0, 2.0])
    R0 = Rotation.from_rotvec([0.3, 0.5, -0.2])
    t = np.linspace(0.0, 3.0, 40)
    tolerance = 1e-7 if method == "radau" else 1e-11

    run = alone(made(inertia=[J1, J1, J3], R_start=R0.as_matrix(), w_start=w), 3.0, method=method, tolerance=tolerance)

    H = R0.apply([J1 * w[0], 0.0, J3 * w[2]])
    spin = (J1 - J3) / J1 * w[2]
    expected = [Rotation.from_rotvec(H / J1 * x) * R0 * Rotation.from_rotvec([0.0, 0.0, spin * x]) for x in t]
    T, _, w_B, *_ = run.motion("body", t)
    assert_allclose(T.swapaxes(-1, -2), [R.as_matrix() for R in expected], atol=100 * tolerance)
    assert_allclose(w_B[:, 0], w[0] * np.cos(spin * t), atol=100 * tolerance)
    assert_allclose(w_B[:, 1], -w[0] * np.sin(spin * t), atol=100 * tolerance)


def test_that_a_free_asymmetric_top_turns_as_jacobis_functions_say():
    J1, J2, J3, A, C = 1.0, 2.0, 2.5, 0.5, 1.5
    p = C * np.sqrt((J3 - J2) * (J3 - J1) / (J1 * J2))
    B = A * np.sqrt((J3 - J1) * J1 / ((J3 - J2) * J2))
    m = (J2 - J1) / J3 * A * B / (C * p)
    t = np.linspace(0.0, 20.0, 60)

    run = alone(made(w_start=[A, 0.0, C]), 20.0, tolerance=1e-12)

    sn, cn, dn, _ = ellipj(p * t, m)
    assert_allclose(run.motion("body", t)[2], np.stack([A * cn, B * sn, C * dn], axis=-1), atol=1e-10)
    assert run.balance.energy < 1e-11
    assert run.balance.angular_momentum < 1e-11


@pytest.mark.parametrize("model", ["finite", "small angle"])
@pytest.mark.parametrize("damping", [0.0, 1.5, 60.0])
def test_that_a_mass_on_a_spring_swings_and_dies_away(model, damping):
    m, k, x_0 = 2.0, 50.0, 0.1
    body = made(mass=m, model=model, p_start=[x_0, 0.0, 0.0])
    system = System([body], [SystemPoint("c", "body", "X", ZERO)], [Spring("k", "c", None, k, damping)], ZERO, 0.0, 4.0)
    t = np.linspace(0.0, 4.0, 50)

    run = simulate(system)

    s = np.roots([m, damping, k]).astype(complex)
    exact = x_0 * (s[0] * np.exp(s[1] * t) - s[1] * np.exp(s[0] * t)) / (s[0] - s[1])
    assert_allclose(run.displacements(t)["c"], exact.real, atol=1e-9)
    assert_allclose(run.energy(t).kinetic + run.energy(t).potential + run.energy(t).dissipated, 0.25, rtol=1e-8)


def test_that_two_masses_on_a_spring_swing_with_the_reduced_mass():
    one, two = (
        made("one", p_start=[0.1, 0.0, 0.0], v_start=[0.0, 0.0, 0.3]),
        made("two", mass=3.0, p_rest=[1.0, 0.0, 0.0]),
    )
    two = made("two", mass=3.0, p_rest=[1.0, 0.0, 0.0], p_start=[1.0, 0.0, 0.0])
    points = [SystemPoint("a", "one", "X", ZERO), SystemPoint("b", "two", "X", ZERO)]
    t = np.linspace(0.0, 5.0, 40)

    run = simulated(System([one, two], points, [Spring("k", "a", "b", 60.0, 0.0)], ZERO, 0.0, 5.0))

    x = run.displacements(t)
    assert_allclose(x["a"] - x["b"], 0.1 * np.cos(np.sqrt(60.0 / 1.2) * t), atol=2e-9)
    assert_allclose((2.0 * x["a"] + 3.0 * x["b"]) / 5.0, 0.04, atol=1e-12)
    assert_allclose(run.motion("one", t)[1][:, 2], 0.3 * t, atol=1e-12)
    assert_allclose(run.momentum(t).linear, [[0.0, 0.0, 0.6]] * 40, atol=1e-12)


@pytest.mark.parametrize("angle", [0.02, 1.0, 3.0])
def test_that_a_pendulum_swings_as_the_elliptic_solution_says(angle):
    t = np.linspace(0.0, 3.0, 50)
    m = np.sin(angle / 2.0) ** 2

    run = pendulum(angle, tolerance=1e-11)

    _, cn, dn, _ = ellipj(PENDULUM_RATE * t, m)
    phi = 2.0 * np.arcsin(np.sqrt(m) * cn / dn)
    expected = Rotation.from_rotvec(np.outer(phi, [1.0, 0.0, 0.0])).as_matrix()
    assert_allclose(run.motion("body", t)[0].swapaxes(-1, -2), expected, atol=3e-9)
    assert run.balance.energy < 1e-10


def test_that_the_period_of_a_pendulum_grows_with_its_amplitude():
    period = 4.0 * ellipk(np.sin(0.1) ** 2) / PENDULUM_RATE
    assert period == pytest.approx(2.0 * np.pi / PENDULUM_RATE * (1.0 + 0.2**2 / 16.0), rel=1e-5)

    run = pendulum(0.2, end=period)

    assert_allclose(run.motion("body", [period])[0], run.motion("body", [0.0])[0], atol=1e-8)


@pytest.mark.long
@pytest.mark.parametrize("model", ["finite", "small angle"])
def test_that_bodies_hang_on_each_other(model):
    """A chain of three, with balances; the joints pull on both sides alike."""
    bodies, points, joints = [], [], []
    for i in range(3):
        at = np.array([0.0, 0.0, -0.5 - i])
        bodies.append(
            made(f"link {i}", mass=1.0 + i, model=model, p_rest=at, p_start=at, w_start=[0.02 * i, 0.01, 0.0])
        )
        points += [
            SystemPoint(f"{end} {i}", f"link {i}", "XYZ", [0.0, 0.0, z]) for end, z in (("top", 0.5), ("end", -0.5))
        ]
        joints.append(VelocitySource(f"joint {i}", f"top {i}", f"end {i - 1}" if i else None, held(3)))
    t = np.linspace(0.0, 2.0, 15)

    run = simulated(System(bodies, points, joints, GRAVITY, 0.0, 2.0))

    assert run.stop is None
    assert {finding.kind for finding in run.findings} == {"start"}
    assert run.balance.energy < 1e-7
    assert run.balance.angular_momentum < 1e-7
    assert run.balance.constraint_position < 1e-12
    x, F = run.displacements(t), run.port_forces(t)
    assert_allclose(x["top 1"], x["end 0"], atol=1e-9)
    assert_allclose(F["top 2"], -F["end 1"], rtol=1e-12)
    assert_allclose(
        F["top 0"] + 6.0 * GRAVITY, sum((1.0 + i) * run.motion(f"link {i}", t)[5] for i in range(3)), atol=1e-9
    )


def test_that_a_force_may_begin_with_an_infinite_derivative():
    root = Force("root", "c", None, signal(np.sqrt, lambda t: 0.5 / np.sqrt(t), lambda t: -0.25 / t**1.5))
    run = simulated(System([made()], [SystemPoint("c", "body", "X", ZERO)], [root], ZERO, 0.0, 1.0))
    assert run.stop is None
    assert_allclose(run.port_velocities([1.0])["c"], 1.0 / 3.0, rtol=1e-7)


def test_that_a_body_falls():
    run = simulated(System([made(v_start=[1.0, 0.0, 2.0])], [], [], GRAVITY, 1.0, 3.0))
    t = np.array([1.0, 2.0, 3.0])
    _, p, _, v, _, a = run.motion("body", t)
    assert_allclose(p, [[0, 0, 0], [1, 0, 2 - 4.905], [2, 0, 4 - 19.62]], atol=1e-11)
    assert_allclose(v[:, 2], 2.0 - 9.81 * (t - 1.0), atol=1e-11)
    assert_allclose(a, [GRAVITY] * 3)
    assert_allclose(run.momentum(t).linear[:, 2], 2.0 * v[:, 2])


@pytest.mark.parametrize("model", ["finite", "small angle"])
def test_that_a_force_source_pushes(model):
    push = Force(
        "push", "c", None, signal(lambda t: 3.0 * np.cos(t), lambda t: -3.0 * np.sin(t), lambda t: -3.0 * np.cos(t))
    )
    t = np.linspace(0.0, 5.0, 30)

    run = simulate(System([made(model=model)], [SystemPoint("c", "body", "Y", ZERO)], [push], ZERO, 0.0, 5.0))

    assert_allclose(run.displacements(t)["c"], 1.5 * (1.0 - np.cos(t)), atol=1e-8)
    assert_allclose(run.element_forces(t)["push"], 3.0 * np.cos(t), rtol=1e-15)
    assert_allclose(run.energy(t).work, (1.5 * np.sin(t)) ** 2, atol=1e-8)


@pytest.mark.parametrize("model", ["finite", "small angle"])
def test_that_a_velocity_source_moves_its_point(model):
    drive = VelocitySource("drive", "c", None, signal(np.sin, np.cos, lambda t: -np.sin(t), k=3))
    t = np.linspace(0.0, 5.0, 30)

    run = simulated(System([made(model=model)], [SystemPoint("c", "body", "XYZ", ZERO)], [drive], GRAVITY, 0.0, 5.0))

    assert_allclose(run.displacements(t)["c"], np.repeat(1.0 - np.cos(t)[:, np.newaxis], 3, axis=1), atol=1e-8)
    assert_allclose(run.element_forces(t)["drive"], 2.0 * (np.cos(t)[:, np.newaxis] - GRAVITY), atol=1e-7)
    assert run.balance.constraint_velocity < 1e-14


# --- Models


def test_that_the_models_differ_by_second_order_in_the_amplitude():
    amplitudes = np.array([0.003, 0.01, 0.03, 0.1])
    t = np.linspace(0.0, 1.0, 21)

    def poses(model, scale):
        return np.stack(list(sprung_plate(model, scale, 1.0, gravity=ZERO).displacements(t).values()))

    differences = [np.abs(poses("finite", a) - poses("small angle", a)).max() for a in amplitudes]

    order = np.polyfit(np.log(amplitudes), np.log(differences), 1)[0]
    assert order == pytest.approx(2.0, abs=0.1)


def test_that_a_large_angle_of_the_small_angle_model_is_flagged():
    small, large = sprung_plate("small angle", 0.1, 0.5, gravity=ZERO), sprung_plate("small angle", 1.0, 0.5)
    assert small.largest_angle("body") < 0.1 < large.largest_angle("body")
    assert small.findings == ()
    (finding,) = large.findings
    assert finding.kind == "large angle"
    assert finding.key_path == ("frames", "body")
    with pytest.raises(ValueError, match="body: expected one with the small-angle model, got 'bod'"):
        large.largest_angle("bod")


# --- Balances and derivatives


@pytest.mark.parametrize("method", METHODS)
def test_that_energy_momentum_and_constraints_balance(method):
    tolerance = TOLERANCES[method]
    for run in (pair_by(method), sprung_plate(method=method, tolerance=tolerance)):
        assert run.stop is None
        assert run.balance.energy < 100 * tolerance
        assert run.balance.linear_momentum < 100 * tolerance
        assert run.balance.angular_momentum < 100 * tolerance
        assert run.balance.constraint_position < 1e-12
        assert run.balance.constraint_velocity < 1e-12


def test_that_balances_hold_between_the_steps(pair):
    t = np.linspace(0.5, 2.5, 333)
    energy, momentum = pair.energy(t), pair.momentum(t)
    assert np.abs(energy.residual).max() < 1e-7 * np.abs(energy.potential).max()
    assert np.abs(momentum.residual).max() < 1e-7 * np.abs(momentum.linear).max()
    for x, v in pair.constraint_errors(t).values():
        assert np.abs(x).max() < 1e-9
        assert np.abs(v).max() < 1e-7


@pytest.mark.parametrize("body", ["plate", "block"])
def test_that_rates_are_the_derivatives_of_poses(pair, body):
    t, h = np.linspace(0.6, 2.4, 57), 1e-3
    before, now, after = (pair.motion(body, t + s) for s in (-h, 0.0, h))
    before_2, after_2 = pair.motion(body, t - 2.0 * h), pair.motion(body, t + 2.0 * h)

    def slope(i):
        return (8.0 * (after[i] - before[i]) - (after_2[i] - before_2[i])) / (12.0 * h)

    assert_allclose(now[3], slope(1), atol=1e-6)
    assert_allclose(now[5], slope(3), atol=1e-5)
    assert_allclose(now[2], linear_algebra.velocity_from_rows(now[0], slope(0)), atol=1e-6)
    assert_allclose(now[4], slope(2), atol=1e-5)


def test_that_the_authored_angular_velocity_is_that_of_the_first_pose():
    R = Rotation.from_rotvec([0.05, -0.08, 0.03]).as_matrix()
    for model in ("finite", "small angle"):
        run = alone(made(model=model, R_start=R, w_start=[0.1, 0.2, -0.3], v_start=[1.0, 2.0, 3.0]), 1.0)
        T, _, w, v, *_ = run.motion("body", [0.0])
        assert_allclose(T[0].T, R, atol=1e-15)
        assert_allclose(w[0], [0.1, 0.2, -0.3], atol=1e-15)
        assert_allclose(v[0], [1.0, 2.0, 3.0])


def test_that_recorded_states_satisfy_bodies_points_and_elements():
    run = sprung_plate()
    t = np.linspace(0.0, 2.0, 9)
    T, p, w, v, b, a = run.motion("body", t)
    x, F, moving = run.displacements(t), run.port_forces(t), run.port_velocities(t)
    for i in range(len(t)):
        ports = []
        for name, offset in CORNERS.items():
            r = T[i].T @ offset
            point = PointXYZ(*r)
            assert_allclose(x[name][i], p[i] + r - offset, atol=1e-13)
            assert_allclose(moving[name][i], point.velocity_in([*v[i], *(T[i].T @ w[i])]), atol=1e-13)
            law = SpringDamper([200.0, 150.0, 300.0], 1.0).forces(x[name][i], moving[name][i])[0]
            assert_allclose(F[name][i], law, rtol=1e-13)
            assert_allclose(run.element_forces(t)[f"k {name}"][i], law, rtol=1e-13)
            ports.append(point.force_out(F[name][i]))
        body = RigidBody(2.0, [1.0, 2.0, 2.5])
        expected = body.finite_acceleration(Orientation(T[i], w[i]), ports, GRAVITY)
        assert_allclose(a[i], expected[0], atol=1e-11)
        assert_allclose(b[i], expected[1], atol=1e-11)


def test_that_a_pendulum_hangs_on_the_force_that_its_motion_needs():
    run = pendulum(1.0)
    t = np.linspace(0.0, 3.0, 20)
    _, _, _, _, _, a = run.motion("body", t)
    assert_allclose(run.element_forces(t)["hinge"], 2.0 * (a - GRAVITY), atol=1e-12)
    assert_allclose(run.port_forces(t)["top"], run.element_forces(t)["hinge"])


# --- The same bits


def every_number(run, t):
    """Return all that a run tells at some times, as rows."""
    found = [x for body in run.mechanism.bodies for x in run.motion(body.name, t)]
    for told in (run.port_forces(t), run.port_velocities(t), run.displacements(t), run.element_forces(t)):
        found += told.values()
    found += [x for pair in run.constraint_errors(t).values() for x in pair]
    found += [*run.energy(t), *run.momentum(t)]
    return np.concatenate([np.reshape(x, (len(t), -1)) for x in found], axis=1)


@pytest.mark.parametrize("method", METHODS)
def test_that_many_times_give_the_bits_of_single_ones(method):
    run = pair_by(method)
    t = np.linspace(0.3, 2.7, 41)  # beyond both ends
    together = every_number(run, t)
    assert np.isfinite(together[(t >= 0.5) & (t <= 2.5)]).all()
    assert together.tobytes() == np.concatenate([every_number(run, t[i : i + 1]) for i in range(len(t))]).tobytes()


def test_that_the_same_system_gives_the_same_bits():
    t = np.linspace(0.5, 2.5, 20)
    one, other = (every_number(driven_pair(tolerance=1e-6), t) for _ in range(2))
    assert one.tobytes() == other.tobytes()


@pytest.mark.long
def test_that_all_methods_agree():
    t = np.linspace(0.5, 2.5, 20)
    dop853, rk45, radau = map(pair_by, TOLERANCES)
    for body in ("plate", "block"):
        for x, y, z in zip(*(run.motion(body, t)[:4] for run in (dop853, rk45, radau)), strict=True):
            assert_allclose(y, x, atol=1e-6)
            assert_allclose(z, x, atol=1e-5)


def test_that_beyond_the_span_bodies_stand_still_and_there_are_no_forces(pair):
    outside, ends = np.array([-3.0, 9.0]), np.array([0.5, 2.5])
    held, last = pair.motion("plate", outside), pair.motion("plate", ends)
    for x, y in zip(held[:2], last[:2], strict=True):
        assert x.tobytes() == y.tobytes()
    for x in (*held[2:], *pair.port_velocities(outside).values()):
        assert_array_equal(x, 0.0)
    assert np.abs(last[3]).max() > 0.0
    for name, x in pair.displacements(outside).items():
        assert_array_equal(x, pair.displacements(ends)[name])
    numbers = (*pair.port_forces(outside).values(), *pair.element_forces(outside).values(), *pair.energy(outside))
    for x in numbers:
        assert np.isnan(x).all()
    assert np.isfinite(pair.energy(ends * (1.0 + 1e-15)).kinetic).all()  # a time that misses the end by rounding is it


# --- Constraints


def plate_on(elements, points=CORNERS, model="finite", gravity=GRAVITY, max_step=0.1, **pose):
    listed = [SystemPoint(name, "body", "XYZ", offset) for name, offset in points.items()]
    return simulate(System([made(model=model, **pose)], listed, elements, gravity, 0.0, 1.0), max_step=max_step)


def test_that_velocities_that_constraints_forbid_are_changed_and_told():
    run = plate_on([VelocitySource("hinge", "p", None, held(3))], v_start=[1.0, 0.0, 0.0], w_start=[0.0, 0.0, 2.0])
    (finding,) = run.findings
    assert finding.kind == "start"
    assert finding.key_path == ("frames", "body")
    # The least change, masses as weights, of what moves the point: a linear system of its own.
    rows = PointXYZ(*CORNERS["p"]).velocity_in(np.eye(6)).T
    weights = np.diag([2.0, 2.0, 2.0, 1.0, 2.0, 2.5])
    block = np.block([[weights, rows.T], [rows, np.zeros((3, 3))]])
    change = np.linalg.solve(block, [*[0.0] * 6, *(-(rows @ [1.0, 0.0, 0.0, 0.0, 0.0, 2.0]))])[:6]
    _, _, w, v, _, _ = run.motion("body", [0.0])
    assert_allclose([*v[0], *w[0]], np.add([1.0, 0.0, 0.0, 0.0, 0.0, 2.0], change), atol=1e-14)
    dv, dw = np.linalg.norm(change[:3]), np.linalg.norm(change[3:])
    assert f"by {dv:.3g} m/s and {dw:.3g} rad/s" in finding.message
    assert_allclose(run.port_velocities([0.0])["p"], 0.0, atol=1e-15)
    allowed = plate_on([VelocitySource("hinge", "p", None, held(3))], v_start=[0.0, -1.0, 0.0], w_start=[0.0, 0.0, 2.0])
    assert allowed.findings == ()


@pytest.mark.parametrize("model", ["finite", "small angle"])
def test_that_redundant_constraints_are_named_with_what_they_depend_on(model):
    run = plate_on([VelocitySource(name, name, None, held(3)) for name in CORNERS], model=model)
    assert run.stop is None
    assert [(finding.kind, finding.key_path) for finding in run.findings] == [
        ("redundant", ("elements", "q")),
        ("redundant", ("elements", "r")),
    ]
    assert "velocity source q holds in 1 of its 3 directions is held by velocity source p" in run.findings[0].message
    assert "in 2 of its 3 directions is held by velocity source p and velocity source q" in run.findings[1].message
    forces = run.element_forces([0.0, 1.0])
    assert np.count_nonzero(np.all(np.concatenate(list(forces.values()), axis=1) == 0.0, axis=0)) >= 3
    assert_allclose(sum(forces.values()), [-2.0 * GRAVITY] * 2, atol=1e-12)
    assert_allclose(run.motion("body", [1.0])[1], 0.0, atol=1e-12)


def test_that_a_constraint_within_one_body_is_redundant():
    run = plate_on([VelocitySource("bar", "p", "q", held(3))], model="small angle", gravity=ZERO)
    assert run.stop is None
    (finding,) = run.findings  # the points cannot come nearer to each other anyway
    assert "what velocity source bar holds in 1 of its 3 directions is held already" in finding.message
    twice = plate_on([VelocitySource("one", "p", None, held(3)), VelocitySource("two", "p", None, held(3))])
    assert [finding.key_path for finding in twice.findings] == [("elements", "two")]
    assert "velocity source two holds is held by velocity source one, too" in twice.findings[0].message


def test_that_constraints_that_conflict_at_the_start_stop_it_there():
    one = signal(lambda t: 1.0 + 0.0 * t, lambda t: 0.0 * t, lambda t: 0.0 * t, k=3)
    run = plate_on([VelocitySource("still", "p", None, held(3)), VelocitySource("move", "p", None, one)])
    assert run.t_end == 0.0
    assert run.n_steps == 0
    assert run.stop.culprit == ("elements", "move")
    assert "velocity source move asks for another motion than velocity source still, by 1 m/s" in run.stop.message
    T, *_ = run.motion("body", [0.0, 0.5])
    assert_allclose(T[0], EYE)
    assert np.isnan(T[1]).all()


def test_that_constraints_that_conflict_later_stop_it_then():
    late = signal(
        lambda t: np.maximum(t - 0.6, 0.0) ** 3,
        lambda t: 3.0 * np.maximum(t - 0.6, 0.0) ** 2,
        lambda t: 6.0 * np.maximum(t - 0.6, 0.0),
        k=3,
    )
    sources = [VelocitySource("still", "p", None, held(3)), VelocitySource("move", "p", None, late)]
    run = plate_on(sources, max_step=0.01)
    assert 0.59 < run.t_end < 0.7
    assert run.stop.t == pytest.approx(run.t_end, abs=0.02)
    assert "move asks for another motion than velocity source still" in run.stop.message


@pytest.mark.parametrize("method", METHODS)
def test_that_a_velocity_that_jumps_is_an_impact_with_its_work_and_impulse(method):
    jump = signal(lambda t: np.where(t < 0.503, 0.0, 1.0), lambda t: 0.0 * t, lambda t: 0.0 * t, k=3)
    points = [SystemPoint("p", "body", "XYZ", CORNERS["p"])]
    system = System([made()], points, [VelocitySource("v", "p", None, jump)], GRAVITY, 0.0, 2.0)

    run = simulated(system, method=method, tolerance=1e-8)

    assert run.stop is None
    assert run.balance.energy < 1e-5
    assert run.balance.linear_momentum < 1e-5
    assert run.balance.angular_momentum < 1e-5
    assert_allclose(run.port_velocities([0.502, 0.504])["p"], [[0.0] * 3, [1.0] * 3], atol=1e-9)
    assert_allclose(run.displacements([2.0])["p"], 1.497, atol=1e-5)


def test_that_a_mechanism_that_becomes_singular_stops_there():
    """An arm that is pulled along x beyond its length."""
    pull = signal(lambda t: 1.0 + 0.0 * t, lambda t: 0.0 * t, lambda t: 0.0 * t)
    points = [SystemPoint("hinge", "body", "XYZ", ZERO), SystemPoint("tip", "body", "X", [0.0, 1.0, 0.0])]
    elements = [VelocitySource("held", "hinge", None, held(3)), VelocitySource("pull", "tip", None, pull)]

    run = simulated(System([made()], points, elements, ZERO, 0.0, 3.0))

    assert run.t_end == pytest.approx(1.0, abs=1e-3)
    assert "singular" in run.stop.message
    assert run.stop.culprit == ("elements", "pull")
    t = np.array([0.5])
    assert_allclose(run.displacements(t)["tip"], t, atol=1e-9)


# --- How runs end


def test_that_a_stiff_spring_is_named_and_what_there_is_stays():
    points = [SystemPoint("c", "body", "X", ZERO), SystemPoint("d", "body", "Y", ZERO)]
    elements = [Spring("soft", "d", None, 1.0, 0.0), Spring("stiff", "c", None, 2e12, 0.0)]
    body = made(p_start=[0.1, 0.1, 0.0])

    run = simulated(System([body], points, elements, ZERO, 0.0, 1.0), max_steps=200)

    assert 0.0 < run.t_end < 1e-3
    assert run.n_steps == 200
    assert run.stop.culprit == ("elements", "stiff")
    assert "200 steps are used up" in run.stop.message
    assert "for spring stiff on body, whose own time is 1e-06 s." in run.stop.message
    assert run.stop.hint == "Lower its stiffness or damping, or use the method radau."
    t = np.array([0.5 * run.t_end, 1.0])
    assert np.isfinite(run.displacements(t)["c"][0])
    assert np.isnan(run.displacements(t)["c"][1])
    assert np.isnan(run.energy(t).kinetic[1])


def test_that_steps_that_cannot_be_afforded_are_given_up_early():
    body = made(p_start=[1e-4, 0.0, 0.0])
    system = System([body], [SystemPoint("c", "body", "X", ZERO)], [Spring("k", "c", None, 2e20, 0.0)], ZERO, 0.0, 1.0)
    run = simulated(system)
    assert run.n_steps < 2000
    assert (
        "shorter than can be afforded, would be needed, for spring k on body, whose own time is 1e-10 s"
        in run.stop.message
    )


def test_that_a_body_that_keeps_the_solver_busy_is_named():
    run = alone(made(w_start=[0.1, 0.0, 3e5]), 10.0, max_steps=100)
    assert run.stop.culprit == ("frames", "body")
    assert "100 steps are used up, the last of" in run.stop.message
    assert "body turns fastest, with 3e+05 rad/s" in run.stop.message


@pytest.mark.long
def test_that_a_run_that_would_need_far_more_steps_than_it_may_take_is_given_up_early():
    run = alone(made(w_start=[0.1, 0.0, 3e6]), 10.0)
    assert run.n_steps <= 2 * PACE  # and not all 200 000, of half a minute
    assert f"{run.n_steps} steps are taken, and " in run.stop.message
    assert " would be needed to the end; the last is of " in run.stop.message
    assert "body turns fastest, with 3e+06 rad/s" in run.stop.message


def test_that_a_stiff_damper_is_for_radau():
    body = made(p_start=[0.1, 0.0, 0.0])
    damper = Spring("k", "c", None, 1e6, 1e6)
    system = System([body], [SystemPoint("c", "body", "X", ZERO)], [damper], ZERO, 0.0, 1.0)
    run = simulated(system, method="radau", tolerance=1e-6)
    assert run.stop is None
    assert run.n_steps < 1000
    assert_allclose(run.displacements([1.0])["c"], 0.1 * np.exp(-1.0), rtol=1e-4)


@pytest.mark.parametrize("method", ["dop853", "radau"])
def test_that_a_body_that_is_driven_without_bounds_is_named(method):
    grow = signal(lambda t: np.exp(40.0 * t), lambda t: 40.0 * np.exp(40.0 * t), lambda t: 1600.0 * np.exp(40.0 * t))
    points = [SystemPoint("c", "body", "X", ZERO)]
    elements = [Spring("k", "c", None, 1.0, 0.0), Force("grow", "c", None, grow)]

    run = simulated(System([made()], points, elements, ZERO, 0.0, 2.0), method=method, tolerance=1e-6)

    assert 0.5 < run.t_end < 0.7
    assert run.stop.culprit == ("frames", "body")
    assert "pushed hardest by force source grow" in run.stop.message


@pytest.mark.parametrize("method", METHODS)
def test_that_a_signal_without_a_value_is_named(method):
    ends = signal(lambda t: np.where(t < 0.5, 1.0, np.nan), lambda t: 0.0 * t, lambda t: 0.0 * t)
    points = [SystemPoint("c", "body", "X", ZERO)]

    run = simulated(System([made()], points, [Force("f", "c", None, ends)], ZERO, 0.0, 2.0), method=method)

    assert run.t_end == pytest.approx(0.5, abs=1e-6)
    assert run.stop.culprit == ("elements", "f")
    assert "the signal of force source f has no finite value there" in run.stop.message
    never = signal(lambda t: np.nan * t, lambda t: 0.0 * t, lambda t: 0.0 * t)
    at_once = simulated(System([made()], points, [Force("f", "c", None, never)], ZERO, 0.0, 2.0), method=method)
    assert at_once.t_end == 0.0
    assert at_once.stop.culprit == ("elements", "f")


def test_that_a_short_pulse_is_not_stepped_over():
    pulse = signal(lambda t: np.exp(-(((t - 6.0) / 0.05) ** 2)), lambda t: 0.0 * t, lambda t: 0.0 * t)
    points = [SystemPoint("c", "body", "X", ZERO)]
    run = simulated(System([made()], points, [Force("f", "c", None, pulse)], ZERO, 0.0, 10.0))
    assert_allclose(run.port_velocities([10.0])["c"], 0.05 * np.sqrt(np.pi) / 2.0, rtol=1e-7)


def authored(text: str):
    """Return the signal of an expression, and its breakpoints."""
    expression = parse_expression(text)

    def signal(t):
        jet = expression.jet(t)
        return np.stack((jet.f, jet.d, jet.dd))[..., np.newaxis]

    return signal, lambda start, end, most: breakpoints([expression], start, end, most)


def pushed(signal, breaks=None, end=60.0, **options):
    """Return the simulation of a mass of 2 kg pushed along x."""
    force = Force("push", "c", None, signal, breaks)
    return simulated(System([made()], [SystemPoint("c", "body", "X", ZERO)], [force], ZERO, 0.0, end), **options)


IMPULSES = {
    "20*pulse(t, 30, 30.1)": 2.0,
    "20*pulse(2*t - 1, 61.468, 61.568)": 1.0,
    "1e5*pulse(t, 31.234, 31.234001)": 0.1,
    "smoothstep(t, 1, 1.001) - smoothstep(t, 1.002, 1.003)": 0.002,
    "max(0, 1 - 1e4*abs(t - 31.234))": 1e-4,
    "pulses(t, 2, 0.0001)": 0.003,
    "20*exp(-((t - 31.234)/0.005)**2)": 0.1 * np.sqrt(np.pi),
}


@pytest.mark.long
@pytest.mark.parametrize(
    ("method", "text"),
    [
        *(("dop853", text) for text in IMPULSES),
        *(
            (method, text)
            for method in ("rk45", "radau")
            for text in ("1e5*pulse(t, 31.234, 31.234001)", list(IMPULSES)[-1])
        ),
    ],
)
def test_that_the_impulse_of_a_short_pulse_is_all_in_the_motion(method, text):
    run = pushed(*authored(text), method=method, tolerance=1e-7)
    assert_allclose(run.momentum([60.0]).linear[0, 0], IMPULSES[text], rtol=1e-6)
    assert run.balance.linear_momentum < 1e-6
    assert run.balance.energy < 1e-6
    assert run.findings == ()


def test_that_a_pulse_that_no_step_has_seen_is_found_in_the_balance():
    at = (12_345 + 0.5 - np.sqrt(0.15)) * 60.0 / CELLS
    run = pushed(signal(lambda t: 20.0 * np.exp(-(((t - at) / 1e-5) ** 2)), lambda t: 0.0 * t, lambda t: 0.0 * t))
    assert abs(run.momentum([60.0]).linear[0, 0]) < 1e-9  # or it was seen, and this proves nothing
    assert run.balance.linear_momentum > 0.3
    (finding,) = run.findings
    assert finding.kind == "missed"
    assert finding.key_path == ("elements", "push")


def test_that_a_signal_that_jumps_without_end_stops_the_run_at_its_start():
    run = pushed(*authored("pulses(t, 1e-6, 5e-7)"))
    assert run.t_end == 0.0
    assert "jumps more than 200000 times" in run.stop.message
    assert run.stop.culprit == ("elements", "push")


@pytest.mark.parametrize("method", METHODS)
def test_that_a_velocity_source_pulses_as_authored(method):
    move = VelocitySource("move", "c", None, *authored("pulse(t, 31.234, 31.244)"))
    system = System([made()], [SystemPoint("c", "body", "X", ZERO)], [move], ZERO, 0.0, 60.0)
    run = simulated(system, method=method, tolerance=1e-7)
    assert_allclose(run.displacements([31.23, 31.239, 60.0])["c"], [0.0, 0.005, 0.01], atol=1e-9)
    assert_allclose(run.port_velocities([31.2341, 31.245])["c"], [1.0, 0.0], atol=1e-9)
    assert run.balance.energy < 1e-6
    assert run.balance.constraint_velocity < 1e-9


@pytest.mark.long
@pytest.mark.parametrize("amplitude", [1e-9, 1e-7])
def test_that_a_motion_far_smaller_than_the_system_is_as_accurate_as_a_large_one(amplitude):
    mass = made(p_start=[amplitude, 0.0, 0.0], mass=1.0)
    arm = made("arm", p_start=[1.0, 0.0, 0.0])
    points = [SystemPoint("c", "body", "XYZ", ZERO), SystemPoint("d", "arm", "X", [0.0, 1.0, 0.0])]
    run = simulated(System([mass, arm], points, [Spring("k", "c", None, 4e4, 0.0)], ZERO, 0.0, 1.0))
    t = np.linspace(0.0, 1.0, 201)
    x = run.motion("body", t)[1][:, 0]
    assert_allclose(x / amplitude, np.cos(200.0 * t), atol=5e-6)
    assert run.balance.energy < 1e-6


def test_that_progress_grows_to_one():
    shares = []
    sprung_plate(on_progress=shares.append)
    assert shares[0] == 0.0
    assert shares[-1] == 1.0
    assert np.all(np.diff(shares) > 0.0)
    assert 20 < len(shares) <= 102
    again = []
    sprung_plate(on_progress=again.append)
    assert again == shares


def test_that_a_run_can_be_cancelled():
    asked = []

    def is_cancelled():
        asked.append(1)
        return len(asked) > 5

    with pytest.raises(Cancelled, match="The simulation was cancelled"):
        sprung_plate(is_cancelled=is_cancelled)
    assert len(asked) == 6


def test_that_a_system_without_bodies_runs():
    run = simulated(System([], [], [], GRAVITY, 0.0, 1.0))
    assert run.t_end == 1.0
    assert_allclose(run.energy([0.0, 1.0]).kinetic, 0.0)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"method": "euler"}, "method: expected dop853, rk45 or radau, got 'euler'"),
        ({"tolerance": 1e-15}, "tolerance: expected a number from 1e-13 to 1e-2, got 1e-15"),
        ({"max_step": 0.0}, "max_step: expected a positive number, got 0.0"),
        ({"max_steps": 0}, "max_steps: expected 1 or more, got 0"),
    ],
)
def test_that_options_out_of_range_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        alone(made(), 1.0, **options)


def test_that_what_is_asked_has_to_exist(pair):
    with pytest.raises(ValueError, match="body: expected one of plate, block, got 'disk'"):
        pair.motion("disk", [0.0])
    with pytest.raises(ValueError, match=r"t: expected shape \(n,\), got \(\)"):
        pair.energy(0.0)


def test_that_a_start_too_fast_for_any_step_ends_at_once() -> None:
    body = SystemBody("top", RigidBody(1.0, [1.0, 2.0, 2.5]), "finite", np.eye(3), [0, 0, 0], np.eye(3), [0, 0, 0],
                      [0, 0, 0], [1e160, 1e160, 1e160])  # fmt: skip
    run = simulated(System((body,), (), (), np.zeros(3), 0.0, 1.0))
    assert run.stop is not None
    assert run.t_end == 0.0

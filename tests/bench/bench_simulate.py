"""Simulations: how energy drifts over a thousand periods, and what a step costs.

The peer is `scipy.integrate.solve_ivp` with the same method and tolerance, on equations written out for each case: two
numbers for a mass on a spring and a pendulum, quaternion and angular velocity for a top. Long runs are first ones, in
which formulas are compiled; the plate is timed with compiled formulas where llvmlite is installed, and its first run.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation
from scipy.special import ellipk

from framescope.core.bodies import RigidBody
from framescope.core.simulation import dynamics
from framescope.core.simulation.equations import equations_of, signals_for
from framescope.core.simulation.result import Simulation
from framescope.core.simulation.simulate import simulate
from framescope.core.simulation.system import Spring, System, SystemBody, SystemPoint, VelocitySource
from framescope.features.compiled.core import compilation
from tests.bench.bench_run import Row, median_time, row

PERIODS = 1000
TOLERANCE = 1e-9
PEER = "solve_ivp (DOP853)"

EYE, ZERO = np.eye(3), np.zeros(3)
MOMENTS = np.array([1.0, 2.0, 2.5])
GRAVITY = np.array([0.0, 0.0, -9.81])
CORNERS = np.array([[0.5, 0.0, 0.1], [-0.3, 0.4, 0.0], [-0.2, -0.4, -0.1]])


def body(**pose: object) -> SystemBody:
    """Return a body of 2 kg that starts at rest, but for what is said otherwise."""
    fields = {"R_rest": EYE, "p_rest": ZERO, "R_start": EYE, "p_start": ZERO, "v_start": ZERO, "w_start": ZERO, **pose}
    return SystemBody("body", RigidBody(2.0, MOMENTS), "finite", **fields)


def spring_mass() -> tuple[System, float]:
    """Return a mass on a spring, with a period of a second, and the peer's drift."""
    k = 2.0 * (2.0 * np.pi) ** 2
    spring = Spring("spring", "c", None, k, 0.0)
    points = [SystemPoint("c", "body", "X", ZERO)]
    system = System([body(p_start=[0.1, 0.0, 0.0])], points, [spring], ZERO, 0.0, float(PERIODS))
    found = peer(lambda _, y: np.array([y[1], -k / 2.0 * y[0]]), [0.1, 0.0], system.end)
    return system, drift(0.5 * k * found[0] ** 2 + found[1] ** 2)


def pendulum() -> tuple[System, float]:
    """Return a pendulum with an amplitude of 1 rad on a velocity source of zero, and the peer's drift."""
    R, top = Rotation.from_rotvec([1.0, 0.0, 0.0]).as_matrix(), np.array([0.0, 0.0, 0.5])
    square = 2.0 * 9.81 * 0.5 / (1.0 + 2.0 * 0.25)
    end = float(PERIODS * 4.0 * ellipk(np.sin(0.5) ** 2) / np.sqrt(square))
    hinge = VelocitySource("hinge", "top", None, lambda t: np.zeros((3, len(t), 3)))
    hung = body(p_rest=-top, R_start=R, p_start=-(R @ top))
    system = System([hung], [SystemPoint("top", "body", "XYZ", top)], [hinge], GRAVITY, 0.0, end)
    found = peer(lambda _, y: np.array([y[1], -square * np.sin(y[0])]), [1.0, 0.0], end)
    return system, drift(0.5 * found[1] ** 2 + square * (1.0 - np.cos(found[0])))


def top() -> tuple[System, float]:
    """Return an asymmetric top near its middle axis, a period being a turn at its rate, and the peer's drift."""
    w = np.array([0.01, 2.0 * np.pi, 0.02])

    def derivative(_: float, y: np.ndarray) -> np.ndarray:
        q, w = y[:4], y[4:]
        der_q = 0.5 * np.array([*(q[3] * w + np.cross(q[:3], w)), -np.dot(q[:3], w)])
        return np.concatenate([der_q, np.cross(MOMENTS * w, w) / MOMENTS])

    found = peer(derivative, [0.0, 0.0, 0.0, 1.0, *w], float(PERIODS))
    return System([body(w_start=w)], [], [], ZERO, 0.0, float(PERIODS)), drift(0.5 * MOMENTS @ found[4:] ** 2)


def peer(derivative: Callable[[float, np.ndarray], np.ndarray], y: list[float], end: float) -> np.ndarray:
    """Return the peer's states at its steps."""
    return solve_ivp(derivative, (0.0, end), y, method="DOP853", rtol=TOLERANCE, atol=TOLERANCE).y


def drift(E: np.ndarray) -> float:
    """Return how far an energy gets from where it started, relative to it."""
    return float(np.abs(E - E[0]).max() / np.abs(E).max())


def own_drift(run: Simulation) -> float:
    """Return the same of a simulation, at its steps, with the kinetic energy and that above the lowest point."""
    energy = run.energy(run.states.times)
    return float(np.abs(energy.residual).max() / energy.kinetic.max())


def drifts() -> list[Row]:
    """Return energy drifts and times of long runs."""
    rows: list[Row] = []
    cases = {"mass on a spring": spring_mass, "pendulum of 1 rad": pendulum, "asymmetric top": top}
    for name, make in cases.items():
        start = time.perf_counter()
        system, theirs = make()
        their_s = time.perf_counter() - start
        start = time.perf_counter()
        run = simulate(system, tolerance=TOLERANCE, max_step=np.inf)
        own_s = time.perf_counter() - start
        case = f"{name}, {PERIODS} periods"
        rows += [
            row(f"{case}: energy drift", own_drift(run), "J/J", PEER, theirs),
            row(f"{case}: time", own_s, "s", PEER, their_s),
        ]
        if run.mechanism.held:
            rows.append(row(f"{case}: constraint error", run.balance.constraint_position, "m"))
    return rows


def plate() -> System:
    """Return a plate on three XYZ springs with dampers, and gravity."""
    R = Rotation.from_rotvec([0.3, -0.2, 0.4]).as_matrix()
    points = [SystemPoint(f"p{i}", "body", "XYZ", corner) for i, corner in enumerate(CORNERS)]
    springs = [Spring(f"k{i}", f"p{i}", None, 200.0, 1.0) for i in range(3)]
    return System([body(R_start=R, p_start=[0.1, 0.05, -0.02])], points, springs, GRAVITY, 0.0, 10.0)


def plain_rate(_: float, y: np.ndarray) -> np.ndarray:
    """Return the derivative of the plate's state as one writes it with numpy."""
    p, q, v, w = y[:3], y[3:7], y[7:10], y[10:13]
    R = Rotation.from_quat(q).as_matrix()
    r = CORNERS @ R.T
    F = -200.0 * (p + r - CORNERS) - (v + np.cross(R @ w, r))
    M = np.cross(r, F).sum(axis=0)
    der_q = 0.5 * np.array([*(q[3] * w + np.cross(q[:3], w)), -np.dot(q[:3], w)])
    b = (R.T @ M - np.cross(w, MOMENTS * w)) / MOMENTS
    return np.concatenate([v, der_q, F.sum(axis=0) / 2.0 + GRAVITY, b])


def costs() -> list[Row]:
    """Return what a right-hand side and a step cost."""
    system = plate()
    start = time.perf_counter()
    run = simulate(system, tolerance=TOLERANCE)
    first_run = time.perf_counter() - start
    for _ in range(3):
        simulate(system, tolerance=TOLERANCE)
        compilation.wait()
    y = run.states.starts[len(run.states.starts) // 2]
    n = 300

    def repeated(call: Callable[[], object]) -> Callable[[], None]:
        def calls() -> None:
            for _ in range(n):
                call()

        return calls

    equations, out = equations_of(run.mechanism), np.empty_like(y)
    assert equations is not None
    (values,), (rates,) = signals_for(run.mechanism, np.array([0.5]))
    own = median_time(repeated(lambda: equations.rate_into(y, values, rates, out))) / n
    in_arrays = median_time(repeated(lambda: dynamics.rate(run.mechanism, 0.5, y))) / n
    theirs = median_time(repeated(lambda: plain_rate(0.5, y[:13]))) / n
    own_run = median_time(lambda: simulate(system, tolerance=TOLERANCE), 3)
    options = {"method": "DOP853", "rtol": TOLERANCE, "atol": TOLERANCE, "max_step": 0.1, "dense_output": True}
    their_run = median_time(lambda: solve_ivp(plain_rate, (0.0, 10.0), run.states.starts[0, :13], **options), 3)
    times = np.linspace(0.0, 10.0, 10_000)
    singles = times[:n].reshape(-1, 1)
    many = median_time(lambda: simulate_again(run).motion("body", times))
    few = median_time(lambda: [run.motion("body", t) for t in singles])
    return [
        row("plate on three XYZ springs: right-hand side", 1e6 * own, "µs", "numpy", 1e6 * theirs),
        row("the same in arrays, for a system too large for a formula", 1e6 * in_arrays, "µs", "numpy", 1e6 * theirs),
        row("plate on three XYZ springs: 10 s", 1e3 * own_run, "ms", PEER, 1e3 * their_run),
        row("plate on three XYZ springs: 10 s, the first time", 1e3 * first_run, "ms", PEER, 1e3 * their_run),
        row("plate on three XYZ springs: a step", 1e6 * own_run / run.n_steps, "µs"),
        row("plate on three XYZ springs: motion at 10 000 times, each", 1e9 * many / len(times), "ns"),
        row("plate on three XYZ springs: motion at one time", 1e6 * few / n, "µs"),
    ]


def simulate_again(run: Simulation) -> Simulation:
    """Return the simulation without what it has kept of the last times."""
    run.last_evaluation.clear()
    return run


def run() -> list[Row]:
    """Measure."""
    return costs() + drifts()

"""Mechanisms written out as formulas: the bits of the functions they came from, and the steps of scipy's solver."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.integrate import DOP853
from scipy.spatial.transform import Rotation

from framescope.core.bodies import RigidBody
from framescope.core.kernels.code.python_code import python_function, python_text
from framescope.core.kernels.code.symbolic import UntraceableError, code_of
from framescope.core.kernels.componentwise import sqrt, where
from framescope.core.simulation import constraints, dynamics, equations, simulate
from framescope.core.simulation.explicit_steps import stepper
from framescope.core.simulation.mechanism import Mechanism, build_mechanism, start_of_bodies, with_held_rows
from framescope.core.simulation.system import Force, Spring, System, SystemBody, SystemPoint, VelocitySource
from framescope.features.compiled.core import machine

EYE, ZERO = np.eye(3), np.zeros(3)
GRAVITY = np.array([0.0, 0.3, -9.81])
MATRIX = [[2.0, 0.3, -0.2], [0.3, 2.5, 0.4], [-0.2, 0.4, 3.0]]


def waves(*amplitudes):
    """Return a signal of sines, with its derivatives."""

    def signal(t):
        s, c = np.sin(2.0 * t)[:, np.newaxis], np.cos(2.0 * t)[:, np.newaxis]
        a = np.array(amplitudes)
        return np.stack([a * s, 2.0 * a * c, -4.0 * a * s])

    return signal


def bodies(mass: float = 2.0) -> list[SystemBody]:
    turn = Rotation.from_rotvec([0.3, -0.2, 0.5]).as_matrix()
    plate = SystemBody("plate", RigidBody(mass, MATRIX), "finite", turn, [0, 0, 1], EYE, [0.1, 0, 1.1], [1, 0, 0], ZERO)
    block = SystemBody(
        "block", RigidBody(3.0, [1.0, 2.0, 2.5]), "small angle", EYE, [2, 0, 1], EYE, [2, 0.1, 1], [0, 0.5, 0], ZERO
    )
    return [plate, block]


POINTS = [
    SystemPoint("a", "plate", "XYZ", [0.5, 0.1, 0.0]),
    SystemPoint("b", "plate", "X", [0.0, 0.5, 0.2]),
    SystemPoint("c", "block", "XYZ", [0.1, -0.5, 0.3]),
    SystemPoint("d", "block", "Y", [0.3, 0.0, -0.2]),
]
ELEMENTS = {
    "springs": [Spring("leg", "a", None, [100.0, 80.0, 60.0], 3.0), Spring("link", "a", "c", 50.0, [1.0, 2.0, 0.0])],
    "forces": [Force("push", "d", None, waves(3.0)), Force("pull", "b", "d", waves(-2.0))],
    "one held": [VelocitySource("drive", "b", "d", waves(0.4))],
    "all held": [VelocitySource("hinge", "a", None, waves(0.1, 0.2, -0.3)), VelocitySource("d", "b", "d", waves(0.4))],
    "nothing": [],
}
ELEMENTS["everything"] = [*ELEMENTS["springs"], *ELEMENTS["forces"], *ELEMENTS["all held"]]


def system_of(which: str, **changes) -> System:
    return System(bodies(**changes), POINTS, ELEMENTS[which], GRAVITY, 0.0, 1.0)


def states_of(mechanism: Mechanism, n: int) -> np.ndarray:
    return np.random.default_rng(5).normal(size=(n, mechanism.size))


def signals_of(mechanism: Mechanism) -> tuple[np.ndarray, np.ndarray]:
    values, rates = equations.signals_for(mechanism, np.array([0.3]))
    return values[0], rates[0]


@pytest.fixture(params=ELEMENTS)
def mechanism(request) -> Mechanism:
    return build_mechanism(system_of(request.param))


def test_that_the_formula_gives_the_bits_of_the_functions(mechanism) -> None:
    found, (values, rates) = equations.equations_of(mechanism), signals_of(mechanism)
    for compiled in (False, machine.is_available()):
        if compiled:
            found.derivative.compile()
        for y in states_of(mechanism, 5):
            wanted = dynamics.rate(mechanism, 0.3, y)
            np.testing.assert_array_equal(found.rate(y, values, rates), wanted)
            out = np.empty_like(y)
            found.rate_into(y, values, rates, out)
            np.testing.assert_array_equal(out, wanted)


def test_that_mechanisms_of_one_structure_share_their_code() -> None:
    light, heavy = (build_mechanism(system_of("everything", mass=mass)) for mass in (2.0, 5.0))
    one, other = equations.equations_of(light), equations.equations_of(heavy)
    assert one.derivative is other.derivative
    y, (values, rates) = states_of(light, 1)[0], signals_of(light)
    np.testing.assert_array_equal(other.rate(y, values, rates), dynamics.rate(heavy, 0.3, y))
    assert np.any(one.rate(y, values, rates) != other.rate(y, values, rates))
    free = equations.equations_of(with_held_rows(light, (0, 1)))
    assert free.derivative is not one.derivative, "other rows are held"


def test_that_many_bodies_are_not_written_out() -> None:
    many = [dataclasses.replace(bodies()[0], name=f"b{i}") for i in range(equations.MOST_BODIES + 1)]
    assert equations.equations_of(build_mechanism(System(many, [], [], GRAVITY, 0.0, 1.0))) is None


@pytest.mark.parametrize("which", ["one held", "all held", "everything"])
def test_that_a_state_is_brought_back_as_step_by_step(which) -> None:
    mechanism = build_mechanism(system_of(which))
    found = equations.equations_of(mechanism)
    rng, values = np.random.default_rng(1), signals_of(mechanism)[0]
    start = np.array([*start_of_bodies(system_of(which)), *[0.0] * (mechanism.size - mechanism.goals_at)])
    for miss in (1e-3, 1e-8, 0.0):
        y = start.copy()
        y[: mechanism.goals_at] += miss * rng.normal(size=mechanism.goals_at)
        slow = constraints.project_positions(mechanism, y.tolist())
        slow = constraints.project_velocities(mechanism, slow, values.tolist())
        assert_allclose(found.project(y, values, math.inf), slow, rtol=0, atol=1e-12)


def test_that_what_takes_a_closer_look_is_left_to_it() -> None:
    mechanism = build_mechanism(system_of("all held"))
    found, values = equations.equations_of(mechanism), np.zeros(4)
    start = np.array([*start_of_bodies(system_of("all held")), *[0.0] * (mechanism.size - mechanism.goals_at)])
    start = np.array(constraints.project_positions(mechanism, start.tolist()))
    assert found.project(start, values, math.inf) is not None
    assert found.project(start, np.full(4, 3.0), 1e-3) is None, "an impact is booked"
    turned = start.copy()
    turned[mechanism.goals_at :] = math.nan
    assert found.project(turned, values, math.inf) is None, "nobody gets there"
    rope = [VelocitySource(name, name, None, waves(0.0, 0.0, 0.0)) for name in ("a", "e")]
    points = [*POINTS, SystemPoint("e", "plate", "XYZ", [0.5, 0.1, 1e-9])]
    dependent = build_mechanism(System(bodies(), points, rope, GRAVITY, 0.0, 1.0))
    assert equations.equations_of(dependent).project(states_of(dependent, 1)[0], np.zeros(6), math.inf) is None


@pytest.mark.parametrize("m", [1, 2, 3, 7, 12])
def test_that_rows_are_solved_as_by_lapack(m) -> None:
    rng = np.random.default_rng(m)
    A = rng.normal(size=(m, m + 3))
    W, b = A @ A.T, rng.normal(size=m)
    assert_allclose(dynamics.solve_rows(W.tolist(), b.tolist()), np.linalg.solve(W, b), rtol=1e-9)
    many = [[np.repeat(entry, 2) for entry in row] for row in W]
    twice = np.array(dynamics.solve_rows(many, [np.repeat(each, 2) for each in b]))
    np.testing.assert_array_equal(twice[:, 0], dynamics.solve_rows(W.tolist(), b.tolist()))
    scale = 1.0 / np.sqrt(np.diagonal(W))
    scaled = W * scale * scale[:, np.newaxis]
    found = constraints.determinant(W.tolist())
    assert_allclose(found, np.linalg.det(scaled), rtol=1e-9)
    assert np.linalg.eigvalsh(scaled)[0] >= found / m ** (m - 1) * (1 - 1e-9)


def test_that_a_singular_matrix_is_not_far_from_it() -> None:
    W = [[1.0, 1.0], [1.0, 1.0]]
    assert not constraints.is_far_from_singular(constraints.determinant(W), 2)
    assert not constraints.is_far_from_singular(constraints.determinant([[0.0]]), 1)
    assert not constraints.is_far_from_singular(math.nan, 2)
    assert not np.isfinite(dynamics.solve_rows(W, [1.0, 2.0])).any()


# --- Steps


def swing(t, y):
    return np.array([y[1], -math.sin(y[0]) + 0.1 * math.cos(t)])


class Swing:
    """Equations that know two numbers."""

    def rate_into(self, y, values, rates, out) -> None:
        out[0], out[1] = y[1], -math.sin(y[0]) + 0.1 * values[0]


def both_solvers(**options):
    settings = {"rtol": 1e-9, "atol": np.array([1e-9, 1e-9]), **options}
    theirs = DOP853(swing, 0.0, np.array([1.0, 0.0]), 20.0, **settings)
    ours = stepper()(swing, 0.0, np.array([1.0, 0.0]), 20.0, **settings)
    return ours.set_equations(Swing(), lambda t: (np.cos(t)[:, np.newaxis], np.zeros((len(t), 1)))), theirs


@pytest.mark.parametrize("options", [{}, {"max_step": 0.05}, {"first_step": 3.0}])
def test_that_steps_are_those_of_scipy(options) -> None:
    ours, theirs = both_solvers(**options)
    while theirs.status == "running":
        ours.step()
        theirs.step()
        assert_allclose((ours.t, ours.t_old, ours.h_abs), (theirs.t, theirs.t_old, theirs.h_abs), rtol=1e-3)
        assert_allclose(ours.y, theirs.y, atol=1e-6)  # at times that differ by rounding, amplified
        assert_allclose(ours.coefficients(), theirs.dense_output().F, atol=1e-6)
    assert ours.status == theirs.status == "finished"
    assert_allclose(ours.y, theirs.y, atol=1e-9)


def test_that_steps_of_what_is_not_finite_fail() -> None:
    class Broken:
        def rate_into(self, y, values, rates, out) -> None:
            out[:] = math.nan

    ours, _ = both_solvers()
    ours.set_equations(Broken(), lambda t: (np.zeros((len(t), 1)), np.zeros((len(t), 1))))
    ours.step()
    assert ours.status == "failed"


@pytest.mark.long
def test_that_runs_are_the_same_with_and_without_machine_code(monkeypatch) -> None:
    system = system_of("everything")
    runs = []
    for compiles in (False, machine.is_available()):
        equations.formulas_of.cache_clear()
        monkeypatch.setattr(simulate, "equations_of", _compiled_equations if compiles else equations.equations_of)
        runs.append(simulate.simulate(system))
    for one, other in ((run.states.starts, runs[0].states.starts) for run in runs):
        np.testing.assert_array_equal(one, other)
    monkeypatch.setattr(simulate, "equations_of", lambda _: None)
    plain = simulate.simulate(system)
    t = np.linspace(0.0, 1.0, 50)
    assert_allclose(runs[0].states(t), plain.states(t), atol=1e-9)


def _compiled_equations(mechanism):
    """Return the equations of a mechanism, whose formulas are machine code."""
    made = equations.equations_of(mechanism)
    for formula in (made.derivative, made.positions, made.velocities):
        if formula is not None:
            formula.compile()
    return made


# --- Python of straight-line code


def test_that_a_function_is_written_as_it_computes() -> None:
    def formula(a, t):
        size = sqrt(a[0] * a[0] + a[1] * a[1])
        return [where(size > -1.0, a[0] / size, -0.5), abs(t) - size, -t, 2.0]

    code = code_of(formula, {"a": (2,), "t": ()})
    made = python_function(code, equations.FUNCTIONS)
    assert made([3.0, 4.0], -2.0) == tuple(formula([3.0, 4.0], -2.0))
    arrays = [np.array([3.0, 0.0]), np.array([4.0, 1.0])]
    for ours, theirs in zip(made(arrays, np.ones(2)), formula(arrays, np.ones(2)), strict=True):
        np.testing.assert_array_equal(ours, theirs)
    assert python_text(code).count("sqrt(") == 1


def test_that_what_cannot_be_written_is_told() -> None:
    with pytest.raises(UntraceableError, match="there is no code for floor"):
        python_text(code_of(lambda a: [np.floor(a)], {"a": ()}))


def test_that_points_without_an_element_are_no_part_of_the_equations_of_a_run(monkeypatch) -> None:
    rod = RigidBody(2.0, [1.0, 1.2, 1.4])
    pose = {"R_rest": np.eye(3), "p_rest": np.zeros(3), "R_start": np.eye(3), "p_start": np.zeros(3)}
    body = SystemBody("rod", rod, "finite", **pose, v_start=[0.1, 0.0, 0.0], w_start=[0.3, 0.5, 0.1])
    tied = [SystemPoint("a", "rod", "XYZ", [0.3, 0.0, 0.1]), SystemPoint("b", "rod", "Z", [-0.3, 0.1, 0.0])]
    idle = [SystemPoint(f"idle {i}", "rod", "XYZ", [0.001 * i, 0.0, 0.0]) for i in range(50)]
    elements = [
        Spring("leg", "a", None, 40.0, 1.0),
        VelocitySource("hold", "b", None, lambda t: np.zeros((3, len(t), 1))),
    ]
    written = []
    whole = simulate.equations_of
    monkeypatch.setattr(
        simulate, "equations_of", lambda mechanism: (written.append(len(mechanism.ports)), whole(mechanism))[1]
    )
    alone, among_others = (
        simulate.simulate(System([body], points, elements, [0.0, 0.0, -9.81], 0.0, 0.5))
        for points in (tied, [*idle[:25], tied[0], *idle[25:], tied[1]])
    )
    assert set(written) == {2}
    np.testing.assert_array_equal(alone.states.times, among_others.states.times)
    times = np.linspace(0.0, 0.5, 7)
    for name in ("a", "b"):
        np.testing.assert_array_equal(alone.port_forces(times)[name], among_others.port_forces(times)[name])
    moved = among_others.port_velocities(times)["idle 30"]
    assert moved.shape == (7, 3)
    assert np.abs(moved).max() > 0.1

"""Integration against a closed solution, and the singularity measure."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from framescope.core import frames, kinematics, transformation_matrices

# A precessing body: T(t) = Rz(spin t) Rx(tilt) Rz(precession t), passive, with its exact rate.
SPIN, TILT, PRECESSION = 1.3, 0.6, 0.9


def exact(t: np.ndarray) -> frames.Orientation:
    angles = np.stack([PRECESSION * t, np.full_like(t, TILT), SPIN * t], axis=-1)
    return frames.axes_rotations("ZXZ", angles, [PRECESSION, 0.0, SPIN])


def w_exact(t: np.ndarray) -> np.ndarray:
    return exact(t).w


ORDERS = [
    ("euler", 1, 400),
    ("rk4", 4, 80),
    ("exponential", 2, 80),
    ("munthe-kaas-4", 4, 80),
    ("magnus-4", 4, 80),
    ("magnus-6", 6, 20),
]


def w_of_orientation(t: float, R: frames.Orientation) -> np.ndarray:
    """Return the same motion as an angular velocity that is known in frame 1, so that it depends on the orientation."""
    return frames.resolve2(R, frames.angular_velocity1(exact(np.array(t))))


def error_at_end(method: str, of: str, n_steps: int, w=w_exact, renormalize: bool = False) -> float:
    times = np.linspace(0.0, 4.0, n_steps + 1)
    run = kinematics.integrate(exact(times[:1][0]), w, times, method=method, of=of, renormalize=renormalize)
    return float(np.abs(run.T(times[-1:])[0] - exact(times[-1]).T).max())


@pytest.mark.parametrize("of", ["dcm", "quaternion"])
@pytest.mark.parametrize("renormalize", [False, True])
@pytest.mark.parametrize(("method", "order", "n_steps"), ORDERS)
def test_that_the_order_of_each_method_is_as_named(method, order, n_steps, of, renormalize) -> None:
    coarse, fine = (error_at_end(method, of, n, renormalize=renormalize) for n in (n_steps, 2 * n_steps))
    assert np.log2(coarse / fine) == pytest.approx(order, abs=0.25)


@pytest.mark.long
@pytest.mark.parametrize("of", ["dcm", "quaternion"])
@pytest.mark.parametrize(("method", "order", "n_steps"), ORDERS[:4])
def test_that_the_order_is_the_same_when_w_depends_on_the_orientation(method, order, n_steps, of) -> None:
    coarse, fine = (error_at_end(method, of, n, w_of_orientation) for n in (n_steps, 2 * n_steps))
    assert np.log2(coarse / fine) == pytest.approx(order, abs=0.25)


@pytest.mark.parametrize("method", kinematics.METHODS)
@pytest.mark.parametrize("of", ["dcm", "quaternion"])
def test_that_w_may_be_written_for_one_time_or_for_many(method, of) -> None:
    times = np.linspace(0.0, 1.0, 11)
    many = kinematics.integrate(frames.null_rotation(), w_exact, times, method, of)
    one = kinematics.integrate(frames.null_rotation(), lambda t: list(w_exact(np.array(t))), times, method, of)
    assert_array_equal(one.states, many.states)
    orientations, residues = many
    assert orientations.T.shape == (11, 3, 3)
    assert_array_equal(orientations.w, w_exact(times))
    assert residues.shape == ((11, 6) if of == "dcm" else (11, 1))
    assert_array_equal(residues[0], 0.0)


@pytest.mark.parametrize("of", ["dcm", "quaternion"])
def test_that_the_exponential_is_exact_for_a_constant_rate(of) -> None:
    e, rate = np.array([0.6, 0.0, 0.8]), 2.3
    times = np.array([0.0, 1.7, 4.0, 4.5])
    orientations, residues = kinematics.integrate(frames.null_rotation(), lambda _t: rate * e, times, "exponential", of)
    assert_allclose(orientations.T, frames.planar_rotation(e, rate * times).T, atol=2e-15)
    assert np.abs(residues).max() < 2e-15


@pytest.mark.parametrize("method", ["euler", "rk4", "munthe-kaas-4", "magnus-6"])
@pytest.mark.parametrize("of", ["dcm", "quaternion"])
@pytest.mark.parametrize("renormalize", [False, True])
def test_that_many_orientations_are_integrated_at_once(method, of, renormalize) -> None:
    start = frames.axes_rotations("XYZ", np.random.default_rng(2).normal(size=(2, 3, 3)))
    times = np.linspace(0.0, 1.0, 6)
    run = kinematics.integrate(start, w_exact, times, method, of, renormalize)
    assert run.orientations.T.shape == (6, 2, 3, 3, 3)
    assert run.orientations.w.shape == (6, 2, 3, 3)
    between = np.array([0.33, 0.9])
    for i, j in np.ndindex(2, 3):
        one = frames.Orientation(start.T[i, j], start.w[i, j])
        single = kinematics.integrate(one, w_exact, times, method, of, renormalize)
        assert_array_equal(run.states[:, i, j], single.states)
        assert_array_equal(run.residues[:, i, j], single.residues)
        assert_array_equal(run.at(between)[:, i, j], single.at(between))


@pytest.mark.parametrize("of", ["dcm", "quaternion"])
@pytest.mark.parametrize("method", kinematics.METHODS[:4])
def test_that_many_orientations_may_each_have_their_own_rate(method, of) -> None:
    start = frames.axes_rotations("XYZ", np.random.default_rng(2).normal(size=(4, 3)))
    times = np.linspace(0.0, 1.0, 6)
    w_1 = np.array([0.3, -0.2, 0.9])
    run = kinematics.integrate(start, lambda _t, R: frames.resolve2(R, w_1), times, method, of)
    assert_array_equal(run.orientations.w[-1], frames.resolve2(run.orientations, w_1)[-1])
    for i in range(4):
        single = kinematics.integrate(
            frames.Orientation(start.T[i], start.w[i]), lambda _t, R: frames.resolve2(R, w_1), times, method, of
        )
        assert_array_equal(run.states[:, i], single.states)


def test_that_methods_on_rotations_leave_residues_at_rounding_and_the_others_do_not() -> None:
    times = np.linspace(0.0, 100.0, 10_001)
    largest = {}
    for method in kinematics.METHODS:
        _, residues = kinematics.integrate(frames.null_rotation(), w_exact, times, method=method)
        largest[method] = np.abs(residues).max()
    assert largest["euler"] > 0.5
    assert 1e-9 < largest["rk4"] < 1e-6
    assert all(largest[method] < 1e-11 for method in kinematics.METHODS[2:])


def test_that_residues_of_explicit_euler_grow_and_those_of_rk4_hardly() -> None:
    times = np.linspace(0.0, 10.0, 501)
    largest = {}
    for method in ("euler", "rk4"):
        run = kinematics.integrate(frames.null_rotation(), w_exact, times, method=method)
        residues = np.abs(transformation_matrices.orientation_constraint(run.states)).max(axis=1)
        largest[method] = residues[[100, 250, 500]]
    assert np.all(np.diff(largest["euler"]) > 0.01)
    assert largest["rk4"][-1] < 1e-6 * largest["euler"][-1]


def test_that_renormalising_leaves_no_residue() -> None:
    times = np.linspace(0.0, 10.0, 201)
    run = kinematics.integrate(frames.null_rotation(), w_exact, times, method="euler", renormalize=True)
    between = run.T(np.linspace(0.0, 10.0, 777))
    assert np.abs(transformation_matrices.orientation_constraint(between)).max() < 1e-14


@pytest.mark.parametrize("of", ["dcm", "quaternion"])
def test_that_an_integration_is_continuous_between_its_steps_and_exact_at_them(of) -> None:
    times = np.linspace(0.0, 2.0, 41)
    run = kinematics.integrate(frames.null_rotation(), w_exact, times, of=of)
    assert_array_equal(run.at(times), run.states)
    eps = 1e-9
    assert_allclose(run.at(times[1:] - eps), run.states[1:], atol=5e-9)
    assert_array_equal(run.at(np.array([-1.0, 99.0])), run.states[[0, -1]])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"times": [0.0, 1.0, 1.0]}, "times: expected increasing times, got 1 s before 1 s at 1"),
        ({"times": [[0.0, 1.0]]}, r"times: expected a one-dimensional array of increasing times, got shape \(1, 2\)"),
        ({"method": "rk5"}, "method: expected"),
        ({"of": "matrix"}, "of: expected"),
        ({"method": "magnus-4", "w": w_of_orientation}, r"magnus-4 needs w\(t\)"),
        ({"w": lambda t: 1.0 + t}, r"w\(t\): expected three real numbers, rad/s, got shape \(\)"),
        ({"w": lambda t: [5.0]}, r"w\(t\): expected three real numbers, rad/s, got shape \(1,\)"),
        ({"w": lambda t: [1j, 0.0, 0.0]}, r"w\(t\): expected three real numbers, rad/s, got complex128"),
        ({"w": lambda t: ["a", "b", "c"]}, r"w\(t\): expected three real numbers, rad/s, got <U1"),
        ({"w": lambda t: np.ones((5, 3))}, r"got shape \(5, 3\); a rate for each of many orientations needs w\(t, R\)"),
        ({"w": lambda t, R: 5.0}, r"w\(t, R\): expected three real numbers, rad/s, got shape \(\)"),
        ({"w": lambda t, R: R.T}, r"w\(t, R\): expected three real numbers, rad/s, got shape \(3, 3\)"),
        ({"w": [0.0, 0.0, 1.0]}, r"w: expected a function w\(t\) or w\(t, R\), got list"),
        ({"w": lambda a, b, c: a}, r"w: expected a function w\(t\) or w\(t, R\), got one of 3 arguments"),
        ({"R0": np.eye(3)}, "R0: expected an Orientation"),
    ],
)
def test_that_wrong_arguments_are_named(arguments, message) -> None:
    arguments = {"R0": frames.null_rotation(), "w": w_exact, "times": [0.0, 1.0]} | arguments
    with pytest.raises(ValueError, match=message):
        kinematics.integrate(**arguments)


def test_that_singularity_is_measured_for_both_kinds_of_sequence() -> None:
    measure, condition = kinematics.singularity_measure("XYZ", [0.0, np.pi / 2, 0.0])
    assert measure == 1.0
    assert condition == np.inf
    assert kinematics.singularity_measure("ZXZ", [0.0, 0.0, 0.0])[0] == 1.0
    measure, condition = kinematics.singularity_measure("ZXZ", [0.0, 1.1, 0.0])
    # The rate map of a sequence has the columns e3, T3 e2, T3 T2 e1; its condition does not depend on angle 3.
    rates = [frames.axes_rotations("ZXZ", [0.3, 1.1, 0.7], unit).w for unit in np.eye(3)]
    assert condition == pytest.approx(np.linalg.cond(np.array(rates)), rel=1e-12)


def test_that_w_may_use_what_only_a_single_time_has() -> None:
    def w(t: float) -> list[float]:
        return [0.0, 0.0, 1.0 if t.is_integer() else 2.0]

    run = kinematics.integrate(frames.null_rotation(), w, [0.0, 0.5, 1.0])
    assert_array_equal(run.orientations.w[:, 2], [1.0, 2.0, 1.0])
    assert kinematics.integrate(frames.null_rotation(), lambda *_: [0, 0, 1], [0.0]).states.shape == (1, 3, 3)


@pytest.mark.parametrize("method", kinematics.METHODS)
@pytest.mark.parametrize("w", [w_exact, lambda t: list(w_exact(np.array(t)))], ids=["many", "one"])
def test_that_an_integration_is_evaluated_at_one_time_at_many_and_at_none(method, w) -> None:
    run = kinematics.integrate(frames.null_rotation(), w, np.linspace(0.0, 1.0, 5), method)
    assert_array_equal(run.at(0.3), run.at([0.3])[0])
    assert_array_equal(run.T(0.3), run.T([0.1, 0.3])[1])
    assert run.at([]).shape == (0, 3, 3)
    with pytest.raises(ValueError, match="t: expected times"):
        run.at([[0.1]])
    with pytest.raises(ValueError, match="t: expected finite"):
        run.T(np.nan)


@pytest.mark.parametrize("rate", [1e3, 1e200])
def test_that_a_state_far_from_a_rotation_is_renormalised_alone_as_among_others(rate) -> None:
    start, times = frames.axes_rotations("XYZ", np.zeros((2, 3))), np.linspace(0.0, 1.0, 9)
    run = kinematics.integrate(start, lambda t: [rate * t, rate, 1.0], times, "euler", "dcm", True)
    single = kinematics.integrate(frames.null_rotation(), lambda t: [rate * t, rate, 1.0], times, "euler", "dcm", True)
    assert_array_equal(run.states[:, 1], single.states)


def test_that_one_orientation_that_overflows_leaves_the_others_alone() -> None:
    start = frames.Orientation(np.stack([np.eye(3), np.eye(3)]), np.zeros(3))
    rates = np.array([[0.0, 0.0, 1.0], [0.0, 0.0, 1e200]])
    times = np.linspace(0.0, 1.0, 11)
    run = kinematics.integrate(start, lambda _t, _R: rates, times, "euler", "dcm", renormalize=True)
    single = kinematics.integrate(frames.null_rotation(), lambda _t, _R: rates[0], times, "euler", renormalize=True)
    assert_array_equal(run.states[:, 0], single.states)


@pytest.mark.parametrize("sequence", ["XYZ", "ZYX", "ZXZ", "YZY"])
def test_that_the_condition_number_is_right_down_to_the_lock(sequence) -> None:
    locks = (0.0, np.pi, -np.pi) if sequence[0] == sequence[2] else (np.pi / 2, -np.pi / 2)
    for lock in locks:
        for distance in (1e-1, 1e-4, 1e-8, 1e-12):
            angle2 = lock + distance
            _, condition = kinematics.singularity_measure(sequence, [0.3, angle2, 0.7])
            off = abs(np.sin(angle2) if sequence[0] == sequence[2] else np.cos(angle2))
            assert condition == pytest.approx(2.0 / off, rel=distance * distance + 1e-12)
        measure, condition = kinematics.singularity_measure(sequence, [0.3, lock, 0.7])
        assert measure == 1.0
        assert condition == np.inf
    angles = [0.3, locks[0] + 1e-3, 0.7]
    rates = [kinematics.angular_velocity_from_euler_rates(sequence, angles, unit) for unit in np.eye(3)]
    assert kinematics.singularity_measure(sequence, angles)[1] == pytest.approx(
        np.linalg.cond(np.array(rates)), rel=1e-9
    )


@pytest.mark.long
@pytest.mark.parametrize("renormalize", [False, True])
@pytest.mark.parametrize("of", ["dcm", "quaternion"])
@pytest.mark.parametrize("method", kinematics.METHODS[:4])
def test_that_factors_of_all_steps_at_once_give_the_states_of_one_step_after_another(method, of, renormalize) -> None:
    start = frames.Orientation(exact(np.array(0.3)).T + 1e-4 * np.arange(9.0).reshape(3, 3), np.zeros(3))
    times = np.linspace(0.0, 20.0, 301)
    at_once = kinematics.integrate(start, w_exact, times, method, of, renormalize)
    one_by_one = kinematics.integrate(start, lambda t, _R: w_exact(np.array(t)), times, method, of, renormalize)
    assert_allclose(at_once.states, one_by_one.states, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("of", ["dcm", "quaternion"])
@pytest.mark.parametrize("bad", [np.inf, np.nan])
def test_that_states_are_no_numbers_from_a_rate_on_that_is_none(of, bad) -> None:
    def w(t: np.ndarray) -> np.ndarray:
        return np.stack([np.where(t == 0.5, bad, 0.2), 0.0 * t, 1.0 + 0.0 * t], axis=-1)

    run = kinematics.integrate(frames.null_rotation(), w, np.linspace(0.0, 1.0, 5), "euler", of)
    assert np.isfinite(run.states[:3]).all()
    assert np.isnan(run.states[3:]).all()

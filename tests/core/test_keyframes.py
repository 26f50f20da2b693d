"""Keyframes: that they go through their keys, that the rates are derivatives, and how smooth they are."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.interpolate import CubicSpline

from framescope.core import quaternions
from framescope.core.kernels import axis_rotations, linear_algebra, rotation_vectors
from framescope.core.time_functions.keyframes import pose_keyframes
from framescope.core.time_functions.rotation_keyframes import RotationKeyframes, slerp_keyframes, step_rotations
from framescope.core.time_functions.rotation_spline import rotation_spline
from framescope.core.time_functions.scalar_keyframes import scalar_keyframes

seeds = st.integers(0, 2**32 - 1)
ROTATIONS = (rotation_spline, lambda t, Q: rotation_spline(t, Q, "rest"), slerp_keyframes)


def random_keys(seed: int, k: int, largest: float = math.pi, ratio: float = 10.0) -> tuple[np.ndarray, np.ndarray]:
    """Return k times, and quaternions that turn by up to `largest` from one to the next, with random signs."""
    rng = np.random.default_rng(seed)
    axes = rng.normal(size=(k, 3))
    angles = largest * rng.uniform(size=(k, 1))
    steps = axis_rotations.quaternion_from_rotation_vector(axes / np.linalg.norm(axes, axis=1, keepdims=True) * angles)
    Q = [rng.normal(size=4)]
    Q[0] /= np.linalg.norm(Q[0])
    for step in steps[1:]:
        Q.append(linear_algebra.multiply_quaternions(Q[-1], step))
    times = rng.normal() + np.cumsum(ratio ** rng.uniform(0.0, 1.0, size=k))
    return times, np.array(Q) * rng.choice([-1.0, 1.0], size=(k, 1))


def inside(times: np.ndarray, n: int = 7) -> np.ndarray:
    """Return times within the intervals, away from the keys."""
    u = np.linspace(0.05, 0.95, n)
    return (times[:-1, None] + u * np.diff(times)[:, None]).ravel()


def assert_same_rotations(P: np.ndarray, Q: np.ndarray, atol: float) -> None:
    assert_allclose(quaternions.to_T(P), quaternions.to_T(Q), atol=atol)


# --- Numbers


@pytest.mark.parametrize(("ends", "condition"), [("natural",) * 2, ("not-a-knot",) * 2, ("rest", "clamped")])
@pytest.mark.parametrize("k", [2, 3, 4, 9])
@pytest.mark.parametrize("shape", [(), (3,), (2, 2)])
def test_that_cubic_keyframes_are_the_spline_of_scipy(ends, condition, k, shape) -> None:
    rng = np.random.default_rng(k)
    times, values = np.cumsum(rng.uniform(0.1, 2.0, k)), rng.normal(size=(k, *shape))
    t = np.concatenate([times, inside(times)])
    exact = CubicSpline(times, values, bc_type=condition)
    for order, ours in enumerate(scalar_keyframes(times, values, ends=ends).sample(t)):
        assert ours.shape == t.shape + shape
        assert_allclose(ours, exact(t, order), rtol=1e-10, atol=1e-10)


@pytest.mark.parametrize("ends", ["natural", "not-a-knot", "rest"])
def test_that_cubic_keyframes_are_smooth_at_the_keys_and_have_the_stated_ends(ends) -> None:
    rng = np.random.default_rng(1)
    times, values = np.arange(8.0), rng.normal(size=8)
    keys = scalar_keyframes(times, values, ends=ends)
    _, rate, acceleration = keys.sample(times)
    _, rate_before, acceleration_before = keys.sample(np.nextafter(times, -np.inf))
    assert_allclose(rate[1:], rate_before[1:], atol=1e-11)
    assert_allclose(acceleration[1:], acceleration_before[1:], atol=1e-11)
    if ends == "natural":
        assert_allclose(acceleration[[0, -1]], 0.0, atol=1e-12)
    if ends == "rest":
        assert_allclose(rate[[0, -1]], 0.0, atol=1e-12)


def test_that_lines_and_steps_are_what_they_say() -> None:
    times, values = [0.0, 1.0, 3.0], [[0.0, 1.0], [2.0, 1.0], [-2.0, 5.0]]
    t = np.array([-1.0, 0.0, 0.5, 1.0, 2.0, 3.0, 4.0])
    value, rate, acceleration = scalar_keyframes(times, values, "linear").sample(t)
    assert_allclose(value, [[0, 1], [0, 1], [1, 1], [2, 1], [0, 3], [-2, 5], [-2, 5]])
    assert_allclose(rate, [[0, 0], [2, 0], [2, 0], [-2, 2], [-2, 2], [-2, 2], [0, 0]])
    assert not acceleration.any()
    value, rate, acceleration = scalar_keyframes(times, values, "step").sample(t)
    assert_allclose(value, [[0, 1], [0, 1], [0, 1], [2, 1], [2, 1], [-2, 5], [-2, 5]])
    assert not rate.any()
    assert not acceleration.any()


@pytest.mark.parametrize("interpolation", ["cubic", "linear", "step"])
@given(seed=seeds)
def test_that_numbers_go_exactly_through_their_keys_and_hold_outside(interpolation, seed) -> None:
    rng = np.random.default_rng(seed)
    k = int(rng.integers(1, 9))
    times, values = np.cumsum(10.0 ** rng.uniform(-6.0, 3.0, k)), rng.normal(size=k)
    keys = scalar_keyframes(times, values, interpolation)
    assert_array_equal(keys.sample(times)[0], values)
    value, rate, acceleration = keys.sample([times[0] - 1e-3, times[-1] + 1e-3])
    assert_array_equal(value, values[[0, -1]])
    assert not rate.any()
    assert not acceleration.any()


# --- Orientations


@pytest.mark.parametrize("make", [*ROTATIONS, step_rotations])
@given(seed=seeds)
def test_that_rotations_go_through_their_keys_and_hold_outside(make, seed) -> None:
    times, Q = random_keys(seed, 1 + seed % 8)
    keys = make(times, Q)
    found = keys.sample(times)[0]
    assert_same_rotations(found, Q, 1e-14)
    assert_array_equal(found, keys.Q)
    outside, w, der_w = keys.sample([times[0] - 1.0, times[-1] + 1.0])
    assert_array_equal(outside, keys.Q[[0, -1]])
    assert not w.any()
    assert not der_w.any()


@pytest.mark.parametrize("make", ROTATIONS)
@given(seed=seeds)
def test_that_velocity_and_acceleration_are_derivatives(make, seed) -> None:
    times, Q = random_keys(seed, 5)
    keys, t = make(times, Q), inside(times)
    d = 1e-4
    at = {i: keys.sample(t + i * d) for i in (-2, -1, 0, 1, 2)}
    der_Q, der_w = ((8.0 * (at[1][j] - at[-1][j]) - (at[2][j] - at[-2][j])) / (12.0 * d) for j in (0, 1))
    scale = 1.0 + np.abs(at[0][1]).max() ** 2
    assert_allclose(np.linalg.norm(at[0][0], axis=-1), 1.0, atol=1e-14)
    assert_allclose(at[0][1], quaternions.angular_velocity2(at[0][0], der_Q), atol=1e-9 * scale**2)
    assert_allclose(at[0][2], der_w, atol=1e-9 * scale**2)


@pytest.mark.parametrize("ends", ["natural", "rest"])
@given(seed=seeds, k=st.integers(2, 12), largest=st.sampled_from([1e-9, 1e-3, 1.0, math.pi]))
def test_that_the_rotation_spline_is_twice_continuous_at_the_keys(ends, seed, k, largest) -> None:
    times, Q = random_keys(seed, k, largest, ratio=100.0)
    keys = rotation_spline(times, Q, ends)
    before = keys.sample(np.nextafter(times[1:], -np.inf))
    after = keys.sample(times[1:])
    assert_allclose(before[0], after[0], atol=1e-13)
    between = keys.sample(inside(times))
    scales = [np.abs(x).max() + 1e-300 for x in between]
    for j in (1, 2):
        assert_allclose(before[j], after[j], atol=1e-11 * (scales[j] + scales[1]))
    is_zero = 2 if ends == "natural" else 1
    assert_allclose(keys.sample(times)[is_zero][[0, -1]], 0.0, atol=1e-11 * (scales[is_zero] + scales[1]))


def test_that_a_long_rotation_spline_through_wild_keys_is_smooth() -> None:
    times, Q = random_keys(7, 3000, ratio=1000.0)
    keys = rotation_spline(times, Q)
    assert len(keys.coefficients) == 6, "the cubics have no solution here"
    _, w, der_w = keys.sample(times[1:])
    _, w_before, der_w_before = keys.sample(np.nextafter(times[1:], -np.inf))
    assert_allclose(w, w_before, atol=1e-10 * np.abs(w).max())
    assert_allclose(der_w, der_w_before, atol=1e-10 * np.abs(der_w).max())


@pytest.mark.parametrize(("ends", "condition"), [("natural", "natural"), ("rest", "clamped")])
def test_that_turns_about_one_axis_are_the_cubic_spline_of_the_angle(ends, condition) -> None:
    rng = np.random.default_rng(3)
    times, angles = np.cumsum(rng.uniform(0.2, 2.0, 9)), np.cumsum(rng.uniform(-3.0, 3.0, 9))
    e = np.array([2.0, -1.0, 2.0]) / 3.0
    t = inside(times)
    Q, w, der_w = rotation_spline(times, quaternions.planar_rotation(e, angles), ends).sample(t)
    exact = CubicSpline(times, angles, bc_type=condition)
    assert_same_rotations(Q, quaternions.planar_rotation(e, exact(t)), 1e-12)
    assert_allclose(w, exact(t, 1)[:, None] * e, atol=1e-11)
    assert_allclose(der_w, exact(t, 2)[:, None] * e, atol=1e-11)


@given(seed=seeds, make=st.sampled_from(ROTATIONS))
def test_that_turning_either_frame_turns_the_result(seed, make) -> None:
    times, Q = random_keys(seed, 6, largest=3.0)
    P = random_keys(seed + 1, 1)[1][0]
    t = inside(times)
    q, w, der_w = make(times, Q).sample(t)
    scale = 1.0 + np.abs(w).max() ** 2
    q1, w1, der_w1 = make(times, quaternions.absolute_rotation(P, Q)).sample(t)
    assert_same_rotations(q1, quaternions.absolute_rotation(P, q), 1e-9)
    assert_allclose(w1, w, atol=1e-9 * scale)
    assert_allclose(der_w1, der_w, atol=1e-9 * scale)
    q2, w2, der_w2 = make(times, quaternions.absolute_rotation(Q, P)).sample(t)
    assert_same_rotations(q2, quaternions.absolute_rotation(q, P), 1e-9)
    assert_allclose(w2, quaternions.resolve2(P, w), atol=1e-9 * scale)
    assert_allclose(der_w2, quaternions.resolve2(P, der_w), atol=1e-9 * scale)


def test_that_the_rotation_spline_nears_a_smooth_motion_with_the_fourth_power_of_the_interval() -> None:
    def motion(t: np.ndarray) -> np.ndarray:
        turn = quaternions.planar_rotation([0.6, 0.0, 0.8], np.sin(t) + 0.5 * t)
        return linear_algebra.multiply_quaternions(turn, quaternions.planar_rotation([0.0, 1.0, 0.0], np.cos(1.3 * t)))

    t = np.linspace(3.0, 7.0, 401)  # away from the ends
    misses = []
    for n in (41, 81):
        times = np.linspace(0.0, 10.0, n)
        Q = rotation_spline(times, motion(times)).sample(t)[0]
        misses.append(np.abs(quaternions.to_T(Q) - quaternions.to_T(motion(t))).max())
    assert misses[0] < 2e-3
    assert 14.0 < misses[0] / misses[1] < 18.0


def test_that_two_keys_make_the_spline_a_slerp() -> None:
    times, Q = random_keys(11, 2, largest=3.0)
    t = inside(times)
    for ours, even in zip(rotation_spline(times, Q).sample(t), slerp_keyframes(times, Q).sample(t), strict=True):
        assert_allclose(ours, even, atol=1e-13)


@pytest.mark.parametrize("angle", [0.0, 1e-300, 1e-12, 1e-8, 1e-3, 1.0, 3.0, math.pi - 1e-9, math.pi])
def test_that_slerp_is_accurate_from_no_turn_to_a_half_turn(angle) -> None:
    e = np.array([0.48, -0.6, 0.64])
    Q = quaternions.planar_rotation(e, np.array([0.0, angle]))
    found, w, der_w = slerp_keyframes([0.0, 2.0], Q * [[1.0], [-1.0]] if angle < 3.0 else Q).sample([0.5, 1.0, 1.5])
    assert_allclose(w, np.broadcast_to(0.5 * angle * e, (3, 3)), rtol=1e-13, atol=0.0)
    assert_allclose(found, quaternions.planar_rotation(e, angle * np.array([0.25, 0.5, 0.75])), atol=1e-15)
    assert not der_w.any()


def test_that_slerp_has_continuous_signs_and_takes_the_shorter_way() -> None:
    times, Q = random_keys(5, 40, largest=3.1)
    keys = slerp_keyframes(times, Q)
    path = keys.sample(np.linspace(times[0], times[-1], 20_001))[0]
    assert np.abs(np.diff(path, axis=0)).max() < 0.01
    w = keys.sample(times[:-1])[1]
    assert (np.linalg.norm(w, axis=1) * np.diff(times) <= math.pi + 1e-12).all()


def test_that_a_longer_turn_takes_keys_on_its_way() -> None:
    e, angles = np.array([0.0, 0.0, 1.0]), np.linspace(0.0, 20.0, 9)
    _, w, _ = rotation_spline(np.arange(9.0), quaternions.planar_rotation(e, angles)).sample(inside(np.arange(9.0)))
    assert_allclose(w, np.broadcast_to([0.0, 0.0, 2.5], w.shape), atol=1e-12)


@pytest.mark.parametrize("r", [0.0, 1e-200, 1e-9, 1e-3, 0.3, 0.999999, 1.0, 1.000001, 2.0, math.pi, 6.28, 9.0])
def test_that_the_factors_of_the_velocity_are_accurate_at_every_angle(r) -> None:
    mpmath = pytest.importorskip("mpmath")
    with mpmath.workdps(60):
        x = mpmath.mpf(r) ** 2 + mpmath.mpf(10) ** -30
        exact = [
            lambda x: (1 - mpmath.cos(mpmath.sqrt(x))) / x,
            lambda x: (mpmath.sqrt(x) - mpmath.sin(mpmath.sqrt(x))) / (x * mpmath.sqrt(x)),
        ]
        values = [float(f(x)) for f in exact]
        with mpmath.workdps(120):
            values += [float(mpmath.diff(f, x, h=mpmath.mpf(10) ** -45)) for f in exact]
    for factor in (
        rotation_vectors.series_factors(r * r),
        [x[0] for x in rotation_vectors.series_factors(np.array([r * r]))],
    ):
        assert_allclose(factor, values, rtol=2e-14, atol=1e-17)


# --- Both


@pytest.mark.parametrize("make", [*ROTATIONS, step_rotations])
def test_that_one_time_gives_the_bits_of_many(make) -> None:
    times, Q = random_keys(2, 7)
    keys = make(times, Q)
    t = np.linspace(times[0] - 1.0, times[-1] + 1.0, 120).reshape(10, 12)
    together = keys.sample(t)
    for index in np.ndindex(t.shape):
        for whole, alone in zip(together, keys.sample(t[index]), strict=True):
            assert_array_equal(whole[index], alone)
    positions = scalar_keyframes(times, Q[:, :3])
    for whole, alone in zip(positions.sample(t), positions.sample(t[3, 4]), strict=True):
        assert_array_equal(whole[3, 4], alone)


@pytest.mark.parametrize("interpolation", ["cubic", "linear", "step"])
def test_that_a_pose_is_its_position_and_its_orientation(interpolation) -> None:
    times, Q = random_keys(4, 6)
    p = np.random.default_rng(4).normal(size=(6, 3))
    t = inside(times)
    T, at, w, v, b, a = pose_keyframes(times, p, Q, interpolation).sample(t)
    make = {"cubic": rotation_spline, "linear": slerp_keyframes, "step": step_rotations}[interpolation]
    q, w_alone, b_alone = make(times, Q).sample(t)
    assert_allclose(T, quaternions.to_T(q), atol=1e-14)
    assert_allclose(w, w_alone, atol=1e-13)
    assert_allclose(b, b_alone, atol=1e-12)
    for ours, alone in zip((at, v, a), scalar_keyframes(times, p, interpolation).sample(t), strict=True):
        assert_array_equal(ours, alone)


def test_that_keys_are_copied_and_one_key_stands_still() -> None:
    times, Q, p = np.array([1.0]), np.array([[0.0, 0.6, 0.0, 0.8]]), np.array([[1.0, 2.0, 3.0]])
    motion = pose_keyframes(times, p, Q)
    times[0], Q[0], p[0] = 5.0, 0.0, 0.0
    T, at, *rates = motion.sample([0.0, 1.0, 2.0])
    assert_allclose(at, [[1.0, 2.0, 3.0]] * 3)
    assert_allclose(T, [quaternions.to_T([0.0, 0.6, 0.0, 0.8])] * 3)
    assert not np.any(rates)


def test_that_no_times_give_no_samples() -> None:
    T, p, w, v, b, a = pose_keyframes([0, 1], np.zeros((2, 3)), [[0, 0, 0, 1]] * 2).sample(np.zeros(0))
    assert T.shape == (0, 3, 3)
    assert {x.shape for x in (p, w, v, b, a)} == {(0, 3)}


def test_that_quaternions_next_to_unit_length_are_normalised() -> None:
    keys = slerp_keyframes([0.0, 1.0], [[0.0, 0.0, 0.0, 1.0009], [0.0, 0.0, 0.6, 0.8]])
    assert_array_equal(keys.Q[0], [0.0, 0.0, 0.0, 1.0])


STILL = [[0.0, 0.0, 0.0, 1.0]] * 2


@pytest.mark.parametrize(
    ("times", "Q", "message"),
    [
        ([], np.zeros((0, 4)), "times: .*at least one key"),
        ([[0.0, 1.0]], STILL, "times: expected shape"),
        (0.0, STILL, "times: expected shape"),
        ([0.0, 0.0], STILL, "times: expected each later than the one before, got 0 after 0 at key 2"),
        ([1.0, 0.0], STILL, "times: expected each later"),
        ([0.0, np.nan], STILL, "times: expected finite"),
        ([-1e308, 1e308], STILL, "times: expected intervals"),
        (["a", "b"], STILL, "times"),
        ([0.0, 1.0, 2.0], STILL, r"Q: expected shape \(3, 4\)"),
        ([0.0, 1.0], [STILL], r"Q: expected shape \(2, 4\)"),
        ([0.0, 1.0], [[0.0, 0.0, 1.0]] * 2, "Q: expected shape"),
        ([0.0, 1.0], [[0.0, 0.0, 0.0, 1.0], [0.0, 0.0, 0.0, 1.01]], "Q: expected unit length .* off by 0.01 at key 2"),
        ([0.0, 1.0], [[0.0, 0.0, 0.0, 1.0], [0.0, 0.0, 0.0, 0.0]], "Q: expected unit length"),
        ([0.0, 1.0], [[0.0, 0.0, 0.0, 1.0], [0.0, 0.0, 0.0, 1e300]], "Q: expected unit length"),
        ([0.0, 1.0], [[0.0, 0.0, 0.0, 1.0], [0.0, 0.0, 0.0, np.inf]], "Q: expected finite"),
        ([0.0, 5e-324], [[0.0, 0.0, 0.0, 1.0], [0.0, 0.0, 1.0, 0.0]], "Q: expected finite rates"),
    ],
)
def test_that_what_are_no_keys_is_refused_by_name(times, Q, message) -> None:
    for make in (rotation_spline, slerp_keyframes):
        with pytest.raises(ValueError, match=message):
            make(times, Q)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([0, 1], [1.0]), "values: expected one for each of 2 times"),
        (([0, 1], 1.0), "values: expected one for each of 2 times"),
        (([0, 1], [1.0, np.nan]), "values: expected finite"),
        (([0, 1], [1.0, 2.0], "smooth"), "interpolation: expected one of cubic, linear, step, got 'smooth'"),
        (([0, 1], [1.0, 2.0], "cubic", "free"), "ends: expected one of natural"),
        (([0, 1e-300], [0.0, 1e300], "linear"), "values: expected finite rates"),
        (([0, 0], [0.0, 1.0]), "times: expected each later"),
    ],
)
def test_that_what_are_no_numbers_at_keys_is_refused_by_name(arguments, message) -> None:
    with pytest.raises(ValueError, match=message):
        scalar_keyframes(*arguments)


def test_that_other_faults_are_named_too() -> None:
    with pytest.raises(ValueError, match="ends: expected one of natural, rest"):
        rotation_spline([0, 1], STILL, "not-a-knot")
    with pytest.raises(ValueError, match="p_PF: expected shape"):
        pose_keyframes([0, 1], np.zeros((3, 3)), STILL)
    with pytest.raises(ValueError, match="Q_PF: expected unit length"):
        pose_keyframes([0, 1], np.zeros((2, 3)), [[0, 0, 0, 2]] * 2)
    with pytest.raises(ValueError, match="interpolation: expected one of"):
        pose_keyframes([0, 1], np.zeros((2, 3)), STILL, "slerp")
    for keys in (slerp_keyframes([0, 1], STILL), scalar_keyframes([0, 1], [0, 1])):
        with pytest.raises(ValueError, match="t: expected finite"):
            keys.sample([0.0, np.nan])
    assert isinstance(slerp_keyframes([0, 1], STILL), RotationKeyframes)

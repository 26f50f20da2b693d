"""Conversions between forms of an orientation: absolute anchors, scipy as oracle, properties, and input checks."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.spatial.transform import Rotation

from framescope.core import conventions, frames
from framescope.core.conventions import code_snippets
from framescope.core.kernels.validation import SEQUENCES
from tests.support import strategies

HALF = math.sqrt(0.5)
TURN = 2.0 * math.pi
Z90 = frames.axis_rotation(3, math.pi / 2)
Q_Z90 = np.array([0.0, 0.0, HALF, HALF])

# Every function of one array, with the trailing shape it takes and a set of arguments it is made for.
RNG = np.random.default_rng(5)
QUATERNIONS = Rotation.random(10_000, rng=3).as_quat()
MATRICES = Rotation.from_quat(QUATERNIONS).as_matrix()
TRIPLES = RNG.normal(size=(10_000, 3))
UNARY = {
    "scalar_first_from_scalar_last": QUATERNIONS,
    "scalar_last_from_scalar_first": QUATERNIONS,
    "passive_quaternion_from_Q": QUATERNIONS,
    "Q_from_passive_quaternion": QUATERNIONS,
    "active_matrix_from_T": MATRICES,
    "T_from_active_matrix": MATRICES,
    "row_vector_matrix_from_T": MATRICES,
    "T_from_row_vector_matrix": MATRICES,
    "T_from_roll_pitch_yaw": TRIPLES,
    "roll_pitch_yaw_from_T": MATRICES,
    "axes_angles_all_in_first": MATRICES,
    "rotation_vector_from_quaternion": QUATERNIONS,
    "quaternion_from_rotation_vector": TRIPLES,
    "rotation_vector_from_T": MATRICES,
    "T_from_rotation_vector": TRIPLES,
    "rodrigues_from_quaternion": QUATERNIONS,
    "quaternion_from_rodrigues": TRIPLES,
    "modified_rodrigues_from_quaternion": QUATERNIONS,
    "quaternion_from_modified_rodrigues": TRIPLES,
    "shadow_modified_rodrigues": TRIPLES,
    "T_from_small_angles": TRIPLES,
    "quaternion_from_small_angles": TRIPLES,
    "orthonormalize_by_gram_schmidt": MATRICES,
}
# What has two results, more arguments, or a name for the angles: made functions of one array.
OTHERS = {
    "axis of axis_angle_from_quaternion": (lambda Q: conventions.axis_angle_from_quaternion(Q)[0], QUATERNIONS),
    "angle of axis_angle_from_quaternion": (lambda Q: conventions.axis_angle_from_quaternion(Q)[1], QUATERNIONS),
    "intrinsic_from_extrinsic": (lambda a: conventions.intrinsic_from_extrinsic("xzy", a)[1], TRIPLES),
    "extrinsic_from_intrinsic": (lambda a: conventions.extrinsic_from_intrinsic("ZXZ", a)[1], TRIPLES),
    "axes_angles_all_in_first ZXZ": (lambda T: conventions.axes_angles_all_in_first(T, "ZXZ"), MATRICES),
    "quaternion_from_axis_angle": (
        lambda a: conventions.quaternion_from_axis_angle([0.6, 0.0, -0.8], a),
        TRIPLES[:, 0],
    ),
}
ALL = {name: (getattr(conventions, name), arguments) for name, arguments in UNARY.items()} | OTHERS

numbers = st.floats(-10.0, 10.0)
SIZES = (0.0, 5e-324, -1.5e-323, 1e-310, 3e-160, -4e-160, 1e-8, 1.0, -3e153, 1.7e308)
components = st.one_of(st.sampled_from(SIZES), st.floats(allow_nan=False, allow_infinity=False))
quaternions_of_any_size = st.tuples(components, components, components, components)


def quaternion(sequence, angles):
    return frames.to_Q(frames.axes_rotations(sequence, angles))


def assert_same_rotation(Q, R, atol=1e-14) -> None:
    assert_allclose(frames.from_Q(Q, np.zeros(3)).T, R.T, atol=atol)


def assert_same_angles(found, expected, atol=1e-12) -> None:
    assert_allclose((np.asarray(found) - expected + math.pi) % TURN - math.pi, 0.0, atol=atol)


# --- Anchors


def test_that_90_degrees_about_z_takes_x_of_frame_2_to_y_of_frame_1() -> None:
    assert_allclose(conventions.active_matrix_from_T(Z90.T) @ [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], atol=1e-15)
    assert_allclose(Z90.T @ [0.0, 1.0, 0.0], [1.0, 0.0, 0.0], atol=1e-15)
    assert_allclose([0.0, 1.0, 0.0] @ conventions.row_vector_matrix_from_T(Z90.T), [1.0, 0.0, 0.0], atol=1e-15)
    assert_allclose(Rotation.from_matrix(conventions.active_matrix_from_T(Z90.T)).as_quat(), Q_Z90, atol=1e-15)


def test_that_every_form_of_90_degrees_about_z_is_what_tables_say() -> None:
    assert_allclose(conventions.scalar_first_from_scalar_last(Q_Z90), [HALF, 0.0, 0.0, HALF])
    assert_allclose(conventions.rotation_vector_from_T(Z90.T), [0.0, 0.0, math.pi / 2])
    assert_allclose(conventions.rodrigues_from_quaternion(Q_Z90), [0.0, 0.0, 1.0])
    assert_allclose(conventions.modified_rodrigues_from_quaternion(Q_Z90), [0.0, 0.0, math.tan(math.pi / 8)])
    assert_allclose(conventions.quaternion_from_axis_angle([0.0, 0.0, 1.0], math.pi / 2), Q_Z90)
    assert_allclose(conventions.passive_quaternion_from_Q(Q_Z90), [0.0, 0.0, -HALF, HALF])
    assert_allclose(conventions.roll_pitch_yaw_from_T(Z90.T), [0.0, 0.0, math.pi / 2])


@pytest.mark.parametrize(
    ("roll_pitch_yaw", "v_2", "v_1"),
    [
        ([0.0, 0.0, math.pi / 2], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]),  # turned left: the nose points to y
        ([0.0, math.pi / 2, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, -1.0]),  # pitched: the nose points down, z is up in ROS
        ([math.pi / 2, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]),  # rolled to the right: the left wing is up
        ([math.pi / 2, 0.0, math.pi / 2], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]),  # about fixed axes: roll first
    ],
)
def test_that_roll_pitch_yaw_are_those_of_ros(roll_pitch_yaw, v_2, v_1) -> None:
    T = conventions.T_from_roll_pitch_yaw(roll_pitch_yaw)
    assert_allclose(T.T @ v_2, v_1, atol=1e-15)
    assert_allclose(T.T, Rotation.from_euler("xyz", roll_pitch_yaw).as_matrix(), atol=1e-15)


# --- scipy as oracle


def test_that_scipy_agrees() -> None:
    rotations = Rotation.from_quat(QUATERNIONS)
    close = {"rtol": 1e-13, "atol": 1e-13}
    assert_allclose(conventions.scalar_first_from_scalar_last(QUATERNIONS), rotations.as_quat(scalar_first=True))
    assert_allclose(conventions.rotation_vector_from_quaternion(QUATERNIONS), rotations.as_rotvec(), **close)
    assert_allclose(conventions.rotation_vector_from_T(rotations.inv().as_matrix()), rotations.as_rotvec(), **close)
    assert_allclose(conventions.modified_rodrigues_from_quaternion(QUATERNIONS), rotations.as_mrp(), **close)
    assert_allclose(
        conventions.quaternion_from_rotation_vector(TRIPLES), Rotation.from_rotvec(TRIPLES).as_quat(), **close
    )
    assert_allclose(conventions.T_from_rotation_vector(TRIPLES), Rotation.from_rotvec(-TRIPLES).as_matrix(), **close)
    assert_same_rotation(
        conventions.quaternion_from_modified_rodrigues(TRIPLES),
        frames.from_T(Rotation.from_mrp(TRIPLES).inv().as_matrix(), np.zeros(3)),
    )
    rpy = conventions.roll_pitch_yaw_from_T(rotations.inv().as_matrix())
    assert_allclose(rpy, rotations.as_euler("xyz"), rtol=1e-9, atol=1e-11)
    T = conventions.T_from_roll_pitch_yaw(TRIPLES)
    assert_allclose(conventions.active_matrix_from_T(T), Rotation.from_euler("xyz", TRIPLES).as_matrix(), **close)


@pytest.mark.parametrize("sequence", SEQUENCES)
def test_that_fixed_axes_are_those_of_scipy(sequence) -> None:
    fixed, angles = conventions.extrinsic_from_intrinsic(sequence, TRIPLES[:50])
    R_12 = Rotation.from_euler(fixed, angles).as_matrix()
    assert_allclose(frames.axes_rotations(sequence, TRIPLES[:50]).T, np.swapaxes(R_12, -1, -2), atol=1e-14)
    back, again = conventions.intrinsic_from_extrinsic(fixed, angles)
    assert back == sequence
    assert_array_equal(again, TRIPLES[:50])


@pytest.mark.parametrize("sequence", SEQUENCES)
def test_that_angles_all_in_first_have_the_second_in_its_half(sequence) -> None:
    T = np.swapaxes(MATRICES[:500], -1, -2)
    angles = conventions.axes_angles_all_in_first(T, sequence)
    assert_allclose(angles, Rotation.from_matrix(MATRICES[:500]).as_euler(sequence), rtol=1e-9, atol=1e-11)


# --- Properties


@given(strategies.sequences, strategies.angle_triples, st.sampled_from([1.0, 1.0 + 2e-16, 0.3, -2.0, 1e-150, -1e150]))
def test_that_all_forms_give_the_orientation_back(sequence, angles, length) -> None:
    R = frames.axes_rotations(sequence, angles)
    Q = length * frames.to_Q(R)
    axis, angle = conventions.axis_angle_from_quaternion(Q)
    assert 0.0 <= angle <= math.pi
    assert_same_rotation(conventions.quaternion_from_axis_angle(axis, angle), R)
    r = conventions.rotation_vector_from_quaternion(Q)
    assert_same_rotation(conventions.quaternion_from_rotation_vector(r), R)
    assert_allclose(conventions.T_from_rotation_vector(conventions.rotation_vector_from_T(R.T)), R.T, atol=1e-14)
    assert_allclose(conventions.T_from_roll_pitch_yaw(conventions.roll_pitch_yaw_from_T(R.T)), R.T, atol=3e-12)


@given(strategies.sequences, strategies.angle_triples, st.sampled_from([1.0, 0.3, -2.0, 1e-100, -1e100]))
def test_that_parameters_of_rodrigues_give_the_orientation_back(sequence, angles, length) -> None:
    R = frames.axes_rotations(sequence, angles)
    Q = length * frames.to_Q(R)
    p = conventions.modified_rodrigues_from_quaternion(Q)
    assert math.hypot(*p) <= 1.0 + 1e-15
    assert_same_rotation(conventions.quaternion_from_modified_rodrigues(p), R)
    shadow = conventions.shadow_modified_rodrigues(p)
    if np.abs(p).max() > 1e-100:
        assert math.hypot(*shadow) >= 1.0 - 1e-15
        assert_same_rotation(conventions.quaternion_from_modified_rodrigues(shadow), R)
        assert_allclose(conventions.shadow_modified_rodrigues(shadow), p, rtol=1e-14)
    g = conventions.rodrigues_from_quaternion(Q)
    if np.isfinite(g).all():
        assert_same_rotation(conventions.quaternion_from_rodrigues(g), R)


@given(strategies.sequences, strategies.angle_triples)
def test_that_ranges_hold_and_the_matrix_comes_back_by_the_rule_of_julia(sequence, angles) -> None:
    R = frames.axes_rotations(sequence, angles)
    found = conventions.axes_angles_all_in_first(R.T, sequence)
    assert_allclose(frames.axes_rotations(sequence, found).T, R.T, atol=3e-12)
    low, high = (0.0, math.pi) if sequence[0] == sequence[2] else (-math.pi / 2, math.pi / 2)
    assert low - 2e-12 <= found[1] <= high + 2e-12
    assert -math.pi < found[0] <= math.pi
    assert -math.pi < found[2] <= math.pi
    roll, pitch, yaw = conventions.roll_pitch_yaw_from_T(R.T)
    assert abs(pitch) <= math.pi / 2 + 2e-12
    assert -math.pi < roll <= math.pi
    assert -math.pi < yaw <= math.pi


@given(quaternions_of_any_size)
def test_that_the_axis_has_unit_length_at_any_size_of_the_quaternion(Q) -> None:
    axis, angle = conventions.axis_angle_from_quaternion(Q)
    assert math.hypot(*axis) == pytest.approx(1.0, abs=4e-16)
    assert 0.0 <= angle <= math.pi
    exponent = math.frexp(max(map(abs, Q)))[1]
    x, y, z, w = (math.ldexp(x, -exponent) for x in Q)  # in the same proportion, and neither too large nor too small
    assert angle == pytest.approx(2.0 * math.atan2(math.hypot(x, y, z), abs(w)), rel=1e-14, abs=1e-300)
    conventions.quaternion_from_axis_angle(axis, angle)  # is accepted as unit
    assert_allclose(conventions.rotation_vector_from_quaternion(Q), angle * axis, rtol=1e-15)


@given(st.tuples(numbers, numbers, numbers), st.sampled_from([1.0, 1e-5, 1e-9, 1e-30, 1e-155, 1e-163, 1e-200, 5e-324]))
def test_that_small_rotation_vectors_keep_all_digits(v, size) -> None:
    r = np.array(v) * size
    Q = conventions.quaternion_from_rotation_vector(r)
    assert_allclose((Q * Q).sum(), 1.0, rtol=1e-14)
    if math.hypot(*r) < math.pi:
        back = conventions.rotation_vector_from_quaternion(Q)
        assert_allclose(back, r, rtol=2e-15 / max(1.0 - math.hypot(*r) / math.pi, 1e-3), atol=5e-323)


def test_that_small_angles_are_the_first_order_of_both() -> None:
    angles = np.array([1e-4, -2e-4, 3e-4])
    exact = conventions.T_from_rotation_vector(angles)
    assert_allclose(conventions.T_from_small_angles(angles), exact, atol=1e-7)
    assert_allclose(
        conventions.orthonormalize_by_gram_schmidt(conventions.T_from_small_angles(angles)), exact, atol=1e-7
    )
    Q = conventions.quaternion_from_small_angles(angles)
    assert_allclose(Q, conventions.quaternion_from_rotation_vector(angles), atol=1e-11)
    assert_allclose(frames.small_rotation(frames.from_T(exact, np.zeros(3))), angles, atol=1e-7)


def test_that_gram_schmidt_keeps_the_first_column_and_the_hand() -> None:
    M = np.random.default_rng(2).normal(size=(50, 3, 3))
    found = conventions.orthonormalize_by_gram_schmidt(M)
    q, r = np.linalg.qr(M)
    assert_allclose(found, q * np.sign(np.diagonal(r, axis1=-2, axis2=-1))[:, np.newaxis], atol=1e-12)
    assert_array_equal(np.sign(np.linalg.det(found)), np.sign(np.linalg.det(M)))


# --- Singular places


def test_that_no_rotation_has_an_axis_all_the_same() -> None:
    for Q in ([0.0, 0.0, 0.0, 1.0], [0.0, 0.0, -0.0, -1.0], [0.0] * 4):
        axis, angle = conventions.axis_angle_from_quaternion(Q)
        assert_array_equal(axis, [1.0, 0.0, 0.0])
        assert angle == 0.0
        assert_array_equal(conventions.rotation_vector_from_quaternion(Q), np.zeros(3))
        assert_array_equal(conventions.rodrigues_from_quaternion(Q), np.zeros(3))
        assert_array_equal(conventions.modified_rodrigues_from_quaternion(Q), np.zeros(3))


def test_that_half_turns_keep_the_axis_as_given() -> None:
    Q = np.array([[0.6, 0.0, -0.8, 0.0], [0.6, 0.0, -0.8, -0.0]])
    axis, angle = conventions.axis_angle_from_quaternion(Q)
    assert_allclose(axis, Q[:, :3], atol=1e-16)
    assert_array_equal(angle, [math.pi, math.pi])
    assert_allclose(conventions.modified_rodrigues_from_quaternion(Q), Q[:, :3], atol=1e-16)
    assert_array_equal(conventions.rodrigues_from_quaternion(Q), [[math.inf, 0.0, -math.inf]] * 2)
    assert_array_equal(conventions.rodrigues_from_quaternion(Q[1]), [math.inf, 0.0, -math.inf])


def test_that_the_shadow_of_no_rotation_is_infinite_along_x() -> None:
    assert_array_equal(conventions.shadow_modified_rodrigues(np.zeros(3)), [math.inf, 0.0, 0.0])
    assert_array_equal(conventions.shadow_modified_rodrigues(np.zeros((2, 3)))[1], [math.inf, 0.0, 0.0])


@pytest.mark.parametrize("pitch", [math.pi / 2, -math.pi / 2])
def test_that_ros_sets_yaw_to_zero_with_the_nose_straight_up_or_down(pitch) -> None:
    T = conventions.T_from_roll_pitch_yaw([0.3, pitch, 0.5])
    assert_allclose(conventions.roll_pitch_yaw_from_T(T), [0.3 - math.copysign(0.5, pitch), pitch, 0.0], atol=1e-15)


@pytest.mark.parametrize("sequence", SEQUENCES)
@pytest.mark.parametrize("side", [0, 1])
def test_that_at_the_lock_everything_is_in_the_first_angle(sequence, side) -> None:
    is_symmetric = sequence[0] == sequence[2]
    angle2 = (0.0, math.pi)[side] if is_symmetric else (math.pi / 2, -math.pi / 2)[side]
    R = frames.axes_rotations(sequence, [0.7, angle2, 0.4])
    first, second, third = conventions.axes_angles_all_in_first(R.T, sequence)
    assert third == 0.0
    assert_same_angles(second, angle2)
    assert_allclose(frames.axes_rotations(sequence, [first, second, third]).T, R.T, atol=1e-15)


def test_that_dependent_columns_are_refused() -> None:
    with pytest.raises(ValueError, match="T: expected independent columns"):
        conventions.orthonormalize_by_gram_schmidt(np.zeros((2, 3, 3)))


def test_that_lengths_up_to_the_stated_limit_are_understood() -> None:
    far = [0.0, 0.0, 1e150]
    assert_allclose((conventions.quaternion_from_rotation_vector(far) ** 2).sum(), 1.0)
    assert_allclose(conventions.quaternion_from_rodrigues(far), [0.0, 0.0, 1.0, 0.0], atol=1e-149)
    assert_allclose(conventions.quaternion_from_modified_rodrigues(far), [0.0, 0.0, 0.0, -1.0], atol=1e-149)
    # Beyond, the result is none, and says so.
    assert np.isnan(conventions.quaternion_from_rotation_vector([0.0, 0.0, 1e160])).all()


# --- Shapes, types, and what is refused


@pytest.mark.parametrize("name", ALL)
def test_that_a_batch_gives_the_bits_of_single_calls(name) -> None:
    function, arguments = ALL[name]
    batch = function(arguments)
    assert batch.dtype == np.float64
    for i in [*range(40), 4095, 4096, 9999]:
        assert_array_equal(batch[i], function(arguments[i]))
    shaped = arguments[:24].reshape(2, 3, 4, *arguments.shape[1:])
    assert_array_equal(function(shaped).reshape(24, *batch.shape[1:]), batch[:24])


@pytest.mark.parametrize("name", ALL)
def test_that_input_may_be_empty_read_only_strided_or_of_another_type(name) -> None:
    function, arguments = ALL[name]
    expected = function(arguments[:8])
    assert function(arguments[:0]).shape == (0, *expected.shape[1:])
    read_only = arguments[:8].copy()
    read_only.flags.writeable = False
    assert_array_equal(function(read_only), expected)
    assert_array_equal(function(np.repeat(arguments[:8], 2, axis=0)[::2]), expected)
    assert_array_equal(function(np.asfortranarray(arguments[:8])), expected)
    single = arguments[:8].astype(np.float32)
    assert_array_equal(function(single), function(single.astype(np.float64)))
    whole = np.eye(3, dtype=np.int64)[:, [1, 2, 0]] if arguments.ndim == 3 else np.ones(arguments.shape[1:], np.int64)
    assert_array_equal(function(whole), function(whole.astype(np.float64)))
    assert_array_equal(function(whole.tolist()), function(whole.astype(np.float64)))


@pytest.mark.parametrize("name", ALL)
def test_that_results_are_no_views_of_what_was_given(name) -> None:
    function, arguments = ALL[name]
    given = arguments[:4].copy()
    result = function(given)
    assert not np.shares_memory(result, given)
    assert result.flags.writeable


@pytest.mark.parametrize("name", ALL)
def test_that_wrong_input_is_named(name) -> None:
    function, arguments = ALL[name]
    for bad in (math.nan, math.inf):
        wrong = arguments[:3].copy()
        wrong.flat[-1] = bad
        with pytest.raises(ValueError, match=r"\w+: expected finite numbers"):
            function(wrong)
    with pytest.raises(ValueError, match=r"\w+: expected real numbers"):
        function(np.full(arguments.shape[1:], "1"))
    if arguments.ndim > 1:
        with pytest.raises(ValueError, match=r"\w+: expected shape \(\.\.\., "):
            function(np.ones((*arguments.shape[1:-1], 2)))


@pytest.mark.parametrize("sequence", ["XYZ", "xyy", "xy", "abc", "", ("x", "y", "z"), (1, 2, 3), None, 7])
def test_that_only_lower_case_sequences_are_extrinsic(sequence) -> None:
    with pytest.raises(ValueError, match="sequence: expected fixed axes in lower case"):
        conventions.intrinsic_from_extrinsic(sequence, [0.0, 0.0, 0.0])


@pytest.mark.parametrize(
    "call",
    [
        lambda: conventions.extrinsic_from_intrinsic("xyz", [0.0, 0.0, 0.0]),
        lambda: conventions.axes_angles_all_in_first(np.eye(3), "xyz"),
        lambda: conventions.axes_angles_all_in_first(np.eye(3), "XYY"),
    ],
)
def test_that_moving_axes_are_upper_case(call) -> None:
    with pytest.raises(ValueError, match="sequence"):
        call()


def test_that_an_axis_must_have_unit_length() -> None:
    with pytest.raises(ValueError, match="axis: expected unit length"):
        conventions.quaternion_from_axis_angle([0.0, 0.0, 1.1], 0.0)


def test_that_axes_and_angles_broadcast() -> None:
    Q = conventions.quaternion_from_axis_angle(np.eye(3), np.array([[0.1], [0.2]]))
    assert Q.shape == (2, 3, 4)
    assert_array_equal(Q[1, 2], conventions.quaternion_from_axis_angle([0, 0, 1], 0.2))


def test_that_code_is_found_among_the_conventions() -> None:
    assert conventions.as_code is code_snippets.as_code


def test_that_columns_that_follow_from_the_others_are_refused() -> None:
    rng = np.random.default_rng(4)
    for factor in (3.0, -0.1, 1e-8, 1e6):
        T = rng.normal(size=(200, 3, 3))
        T[:, :, 1] = factor * T[:, :, 0]
        for one in T:
            with pytest.raises(ValueError, match="T: expected independent columns"):
                conventions.orthonormalize_by_gram_schmidt(one)


def test_that_nearly_dependent_and_very_long_or_short_columns_are_made_orthonormal() -> None:
    rng = np.random.default_rng(4)
    T = rng.normal(size=(200, 3, 3))
    T[:, :, 1] = T[:, :, 0] + 1e-8 * T[:, :, 2]
    for matrices in (T, 1e170 * rng.normal(size=(9, 3, 3)), 1e-170 * rng.normal(size=(9, 3, 3))):
        found = conventions.orthonormalize_by_gram_schmidt(matrices)
        assert_allclose(np.swapaxes(found, -1, -2) @ found, np.broadcast_to(np.eye(3), found.shape), atol=1e-15)


@pytest.mark.parametrize("size", [1e-149, 1e-3, 1.0, 1e149])
def test_that_modified_rodrigues_parameters_do_not_depend_on_the_length_of_the_quaternion(size) -> None:
    found = conventions.modified_rodrigues_from_quaternion([0.0, 0.0, size, size])
    assert_allclose(found, [0.0, 0.0, math.tan(math.pi / 8)], rtol=1e-15)

"""Absolute anchors and derivatives: what catches a convention mistake that is made consistently everywhere.

A library that is passive throughout where it should be active passes every round trip. What it cannot pass is one fact
from outside, such as where a quarter turn takes an axis, or the motion of a point differentiated over time. None of
these tests has parameters: ``test_mutations.py`` runs them all against deliberate mistakes.
"""

from __future__ import annotations

import numpy as np
from numpy.testing import assert_allclose

from framescope.core import conventions, frames, kinematics, points, quaternions, spatial, transformation_matrices
from framescope.core.frames import Orientation

X, Y, Z = np.eye(3)
QUARTER = np.pi / 2
HALF = np.sqrt(0.5)
TINY = 1e-14

# A frame B that tumbles and travels in A, both moving in F; everything is a function of time.
T0, H = 0.3, 1e-4


def tumbling(t: float, rates: tuple[float, float, float], start: tuple[float, float, float]) -> Orientation:
    angles = np.array(start) + np.array(rates) * t + np.array([0.1, -0.2, 0.15]) * t * t
    return frames.axes_rotations("ZXY", angles, np.array(rates) + 2.0 * np.array([0.1, -0.2, 0.15]) * t)


def pose_FA(t: float) -> spatial.Transform:
    p = np.array([0.2 + t, 0.5 * t * t, -0.3 * t])
    return spatial.Transform.from_orientation(tumbling(t, (0.4, 0.9, -0.5), (0.2, 0.1, 0.6)), p)


def pose_FB(t: float) -> spatial.Transform:
    p = np.array([1.0 - 0.4 * t * t, 0.7 * t, 0.2 + 0.1 * t * t * t])
    return spatial.Transform.from_orientation(tumbling(t, (-0.7, 0.3, 0.8), (1.2, -0.4, 0.3)), p)


def derivative(f, t: float):
    """Return the derivative by central differences, of fourth order."""
    return (8.0 * (f(t + H) - f(t - H)) - (f(t + 2.0 * H) - f(t - 2.0 * H))) / (12.0 * H)


def velocity(pose, t: float) -> np.ndarray:
    """Return the spatial velocity of a moving pose X_FA from its derivative, in F."""
    der_R = derivative(lambda s: pose(s).R_AB, t)
    W = der_R @ pose(t).R_AB.T
    w = 0.5 * np.array([W[2, 1] - W[1, 2], W[0, 2] - W[2, 0], W[1, 0] - W[0, 1]])
    return np.concatenate([w, derivative(lambda s: pose(s).p_AB, t)])


def acceleration(pose, t: float) -> np.ndarray:
    return derivative(lambda s: velocity(pose, s), t)


def pose_AB(t: float) -> spatial.Transform:
    return pose_FA(t).inverse() @ pose_FB(t)


# --- Where a quarter turn takes an axis


def test_that_the_turned_frame_has_its_x_axis_where_y_was() -> None:
    assert_allclose(frames.resolve1(frames.axis_rotation(3, QUARTER), X), Y, atol=TINY)
    assert_allclose(frames.resolve1(frames.planar_rotation(Z, QUARTER), X), Y, atol=TINY)
    assert_allclose(frames.resolve2(frames.axis_rotation(1, QUARTER), Z), Y, atol=TINY)
    assert_allclose(frames.axis_rotation(2, QUARTER).T, [[0, 0, -1], [0, 1, 0], [1, 0, 0]], atol=TINY)
    assert_allclose(transformation_matrices.planar_rotation(X, QUARTER) @ Y, [0, 0, -1], atol=TINY)


def test_that_a_sequence_turns_about_the_axes_of_the_moving_frame() -> None:
    # First about z, so that x of the moving frame points along y; then about that x, by which z goes to x of frame 1.
    R = frames.axes_rotations("ZXY", [QUARTER, QUARTER, 0.0])
    assert_allclose(frames.resolve1(R, X), Y, atol=TINY)
    assert_allclose(frames.resolve1(R, Z), X, atol=TINY)
    assert_allclose(transformation_matrices.axes_rotations("ZXY", [QUARTER, QUARTER, 0.0]), R.T, atol=TINY)


def test_that_angles_are_those_of_the_moving_axes() -> None:
    # The rows of T are the axes of frame 2: its x along y, its y along z, its z along x.
    T = np.array([Y, Z, X])
    found = frames.axes_rotations_angles(Orientation(T, np.zeros(3)), "ZXZ")
    assert_allclose(found, [QUARTER, QUARTER, 0.0], atol=TINY)


def test_that_the_angle_between_two_vectors_counts_from_the_first() -> None:
    # In a frame turned by 30 degrees about z a vector's components are turned by -30 degrees.
    v2 = [np.cos(-np.pi / 6), np.sin(-np.pi / 6), 0.0]
    assert_allclose(frames.planar_rotation_angle(Z, X, v2), np.pi / 6, atol=TINY)


def test_that_a_quaternion_is_hamilton_scalar_last() -> None:
    assert_allclose(frames.to_Q(frames.axis_rotation(3, QUARTER)), [0, 0, HALF, HALF], atol=TINY)
    assert_allclose(quaternions.planar_rotation(X, QUARTER), [HALF, 0, 0, HALF], atol=TINY)
    assert_allclose(quaternions.to_T([0, HALF, 0, HALF]), frames.axis_rotation(2, QUARTER).T, atol=TINY)
    assert_allclose(quaternions.resolve1([0, 0, HALF, HALF], X), Y, atol=TINY)
    assert_allclose(quaternions.resolve2([0, 0, HALF, HALF], Y), X, atol=TINY)
    assert_allclose(quaternions.absolute_rotation([1, 0, 0, 0], [0, 1, 0, 0]), [0, 0, 1, 0], atol=TINY)


def test_that_two_turns_follow_one_another() -> None:
    # About z, then about the new x: the frame's z axis ends along x of frame 0.
    first, second = frames.axis_rotation(3, QUARTER, 1.0), frames.axis_rotation(1, QUARTER, 2.0)
    R = frames.absolute_rotation(first, second)
    assert_allclose(frames.resolve1(R, Z), X, atol=TINY)
    Q = quaternions.absolute_rotation(frames.to_Q(first), frames.to_Q(second))
    assert_allclose(quaternions.resolve1(Q, Z), X, atol=TINY)
    assert_allclose(transformation_matrices.absolute_rotation(first.T, second.T), R.T, atol=TINY)
    # 1 rad/s about z of frame 0, 2 rad/s about the x axis, which points along y there.
    assert_allclose(frames.angular_velocity1(R), [0, 2, 1], atol=TINY)
    back = frames.relative_rotation(first, R)
    assert_allclose(back.T, second.T, atol=TINY)
    assert_allclose(back.w, second.w, atol=TINY)
    assert_allclose(transformation_matrices.relative_rotation(first.T, R.T), second.T, atol=TINY)
    assert_allclose(quaternions.relative_rotation(frames.to_Q(first), Q), frames.to_Q(second), atol=TINY)


def test_that_directions_become_axes() -> None:
    R = frames.from_nxy(Y, Z)
    assert_allclose(frames.resolve1(R, np.eye(3)), [Y, Z, X], atol=TINY)
    assert_allclose(frames.resolve1(frames.from_nxz(Y, X), np.eye(3)), [Y, Z, X], atol=TINY)
    assert_allclose(frames.to_exy(R), np.column_stack([Y, Z]), atol=TINY)
    assert_allclose(frames.to_vector(R)[:3], R.T[:, 0], atol=TINY)


def test_that_a_tensor_turns_on_both_sides() -> None:
    R = frames.axis_rotation(3, QUARTER)
    D2 = np.outer(X, Y)  # x of frame 2 is y of frame 1, y is -x
    D1 = np.outer(Y, -X)
    assert_allclose(frames.resolve_dyade1(R, D2), D1, atol=TINY)
    assert_allclose(frames.resolve_dyade2(R, D1), D2, atol=TINY)
    assert_allclose(transformation_matrices.resolve_dyade1(R.T, D2), D1, atol=TINY)
    assert_allclose(transformation_matrices.resolve_dyade2(R.T, D1), D2, atol=TINY)


def test_that_small_angles_have_the_sign_of_the_turn() -> None:
    R = frames.axis_rotation(3, 1e-3)
    assert_allclose(frames.small_rotation(R), [0, 0, 1e-3], atol=1e-9)
    assert_allclose(quaternions.small_rotation(frames.to_Q(R)), [0, 0, 1e-3], atol=1e-9)
    assert_allclose(frames.equality_constraint(frames.null_rotation(), R), [0, 0, 1e-3], atol=1e-6)
    assert_allclose(transformation_matrices.equality_constraint(np.eye(3), R.T), [0, 0, 1e-3], atol=1e-6)
    assert_allclose(quaternions.equality_constraint([0, 0, 0, 1], frames.to_Q(R)), [0, 0, 5e-4], atol=1e-9)


def test_that_a_relative_vector_goes_by_way_of_the_common_frame() -> None:
    R1, R2 = frames.axis_rotation(3, QUARTER), frames.axis_rotation(1, QUARTER)
    # x of frame 1 is y of frame 0, which is -z of frame 2.
    assert_allclose(frames.resolve_relative(X, R1, R2), -Z, atol=TINY)


# --- Angular velocity is the derivative of the orientation


def test_that_w_is_the_derivative_resolved_in_frame_2() -> None:
    rates, start = (0.4, 0.9, -0.5), (0.2, 0.1, 0.6)
    R = tumbling(T0, rates, start)
    der_T = derivative(lambda t: tumbling(t, rates, start).T, T0)
    W = R.T @ der_T.T  # skew(w) = T der(T)ᵀ
    assert_allclose(R.w, [W[2, 1], W[0, 2], W[1, 0]], atol=1e-9)
    assert_allclose(kinematics.ddcm(R.T, R.w), der_T, atol=1e-9)
    assert_allclose(frames.from_T2(R.T, der_T).w, R.w, atol=1e-9)
    assert_allclose(transformation_matrices.angular_velocity2(R.T, der_T), R.w, atol=1e-9)
    assert_allclose(transformation_matrices.angular_velocity1(R.T, der_T), R.T.T @ R.w, atol=1e-9)
    Q = frames.to_Q(R)
    der_Q = derivative(lambda t: frames.to_Q(tumbling(t, rates, start), Q), T0)
    assert_allclose(kinematics.dquat(Q, R.w), der_Q, atol=1e-9)
    assert_allclose(quaternions.angular_velocity2(Q, der_Q), R.w, atol=1e-9)
    assert_allclose(quaternions.angular_velocity1(Q, der_Q), R.T.T @ R.w, atol=1e-9)


def test_that_planar_and_axis_rates_are_derivatives() -> None:
    e = np.array([0.6, 0.0, 0.8])
    R = frames.planar_rotation(e, 0.4, 1.5)
    der_T = derivative(lambda t: frames.planar_rotation(e, 0.4 + 1.5 * t).T, 0.0)
    assert_allclose(kinematics.ddcm(R.T, R.w), der_T, atol=1e-9)
    R = frames.axis_rotation(2, 0.4, 1.5)
    der_T = derivative(lambda t: frames.axis_rotation(2, 0.4 + 1.5 * t).T, 0.0)
    assert_allclose(kinematics.ddcm(R.T, R.w), der_T, atol=1e-9)


def test_that_composed_and_inverted_orientations_keep_w_the_derivative() -> None:
    def first(t: float) -> Orientation:
        return tumbling(t, (0.4, 0.9, -0.5), (0.2, 0.1, 0.6))

    def second(t: float) -> Orientation:
        return tumbling(t, (-0.7, 0.3, 0.8), (1.2, -0.4, 0.3))

    for made in (
        lambda t: frames.absolute_rotation(first(t), second(t)),
        lambda t: frames.relative_rotation(first(t), second(t)),
        lambda t: frames.inverse_rotation(first(t)),
        lambda t: frames.from_T_inv(second(t).T, second(t).w),
    ):
        assert_allclose(
            kinematics.ddcm(made(T0).T, made(T0).w), derivative(lambda t, made=made: made(t).T, T0), atol=1e-9
        )


def test_that_euler_rates_are_the_derivatives_of_the_angles() -> None:
    rates = np.array([0.4, 0.9, -0.5])
    for sequence in ("ZXY", "ZXZ", "XYZ"):
        R = frames.axes_rotations(sequence, [0.2, 0.7, 0.6], rates)
        assert_allclose(kinematics.euler_rates(sequence, [0.2, 0.7, 0.6], R.w), rates, atol=1e-13)
    assert_allclose(kinematics.singularity_measure("XYZ", [0.0, QUARTER, 0.0])[0], 1.0, atol=TINY)
    assert_allclose(kinematics.singularity_measure("ZXZ", [0.0, QUARTER, 0.0])[0], 0.0, atol=TINY)


def test_that_integration_turns_about_the_axes_of_the_moving_frame() -> None:
    # A quarter turn about z, then a quarter turn about the x axis that has moved: as the sequence ZX.
    def w(t: float) -> np.ndarray:
        return QUARTER * (Z if t < 1.0 else X)

    times = np.linspace(0.0, 2.0, 3)
    for of in ("dcm", "quaternion"):
        orientations, residues = kinematics.integrate(frames.null_rotation(), w, times, "exponential", of)
        assert_allclose(orientations.T[-1], frames.axes_rotations("ZXY", [QUARTER, QUARTER, 0.0]).T, atol=1e-14)
        assert np.abs(residues).max() < 1e-14


# --- Poses, velocities and forces of bodies


def test_that_a_pose_takes_points_from_B_into_A() -> None:
    X_AB = spatial.Transform.from_orientation(frames.axis_rotation(3, QUARTER), [1.0, 0.0, 0.0])
    assert_allclose(X_AB.shift_point([2.0, 0.0, 0.0]), [1.0, 2.0, 0.0], atol=TINY)
    assert_allclose(X_AB.inverse().shift_point([1.0, 2.0, 0.0]), [2.0, 0.0, 0.0], atol=TINY)
    assert_allclose((X_AB @ X_AB).p_AB, [1.0, 1.0, 0.0], atol=TINY)


def test_that_relative_velocity_is_the_derivative_of_the_relative_pose() -> None:
    X_FA, X_FB = pose_FA(T0), pose_FB(T0)
    V_FA, V_FB = velocity(pose_FA, T0), velocity(pose_FB, T0)
    V_AB = velocity(pose_AB, T0)
    assert_allclose(spatial.find_relative_velocity(X_FA, V_FA, X_FB, V_FB), V_AB, atol=1e-9)
    in_F = np.concatenate([X_FA.R_AB @ V_AB[:3], X_FA.R_AB @ V_AB[3:]])
    assert_allclose(spatial.find_relative_velocity_in_F(X_FB.p_AB - X_FA.p_AB, V_FA, V_FB), in_F, atol=1e-9)
    V_BA = velocity(lambda t: pose_AB(t).inverse(), T0)
    X_AB = pose_AB(T0)
    assert_allclose(spatial.reverse_relative_velocity(X_AB, V_AB), V_BA, atol=1e-9)
    in_A = np.concatenate([X_AB.R_AB @ V_BA[:3], X_AB.R_AB @ V_BA[3:]])
    assert_allclose(spatial.reverse_relative_velocity_in_A(X_AB, V_AB), in_A, atol=1e-9)


def test_that_relative_acceleration_is_the_second_derivative_of_the_relative_pose() -> None:
    X_FA, X_FB = pose_FA(T0), pose_FB(T0)
    motion_A = velocity(pose_FA, T0), acceleration(pose_FA, T0)
    motion_B = velocity(pose_FB, T0), acceleration(pose_FB, T0)
    A_AB = acceleration(pose_AB, T0)
    assert_allclose(spatial.find_relative_acceleration(X_FA, *motion_A, X_FB, *motion_B), A_AB, atol=1e-6)
    in_F = np.concatenate([X_FA.R_AB @ A_AB[:3], X_FA.R_AB @ A_AB[3:]])
    found = spatial.find_relative_acceleration_in_F(X_FB.p_AB - X_FA.p_AB, *motion_A, *motion_B)
    assert_allclose(found, in_F, atol=1e-6)


def test_that_a_point_of_a_body_moves_as_the_shifts_say() -> None:
    p_B = np.array([0.3, -0.2, 0.5])
    r = pose_FB(T0).R_AB @ p_B
    V, A = velocity(pose_FB, T0), acceleration(pose_FB, T0)
    v = derivative(lambda t: pose_FB(t).shift_point(p_B), T0)
    a = derivative(lambda s: derivative(lambda t: pose_FB(t).shift_point(p_B), s), T0)
    assert_allclose(spatial.shift_velocity_by(V, r), [*V[:3], *v], atol=1e-9)
    assert_allclose(spatial.shift_velocity_from_to(V, X, X + r), [*V[:3], *v], atol=1e-9)
    assert_allclose(spatial.shift_acceleration_by(A, V[:3], r), [*A[:3], *a], atol=1e-6)
    assert_allclose(spatial.shift_acceleration_from_to(A, V[:3], X, X + r), [*A[:3], *a], atol=1e-6)


def test_that_a_force_ahead_of_a_point_turns_it_to_the_left() -> None:
    # A force along y at the origin has the moment +1 about a point one metre behind, at -x.
    assert_allclose(spatial.shift_force_by([0, 0, 0, 0, 1, 0], -X), [0, 0, 1, 0, 1, 0], atol=TINY)
    assert_allclose(spatial.shift_force_from_to([0, 0, 0, 0, 1, 0], X, 0 * X), [0, 0, 1, 0, 1, 0], atol=TINY)


def test_that_a_connector_shifts_its_force_to_the_body() -> None:
    # A force along y, one metre ahead of the centre of mass, turns to the left; force first in a port.
    assert_allclose(points.PointY(1.0, 0.0).force_out(1.0), [0, 1, 0, 0, 0, 1], atol=TINY)
    assert_allclose(points.PointX(1.0, 0.0).force_out(1.0), [1, 0, 0, 0, 0, -1], atol=TINY)
    assert_allclose(points.PointZ(0.0, 1.0).force_out(1.0), [0, 0, 1, 1, 0, 0], atol=TINY)
    # Turning to the left at 2 rad/s, the point ahead moves to the left, and one at the left moves back.
    turning = [0, 0, 0, 0, 0, 2.0]
    assert_allclose(points.PointXYZ(1.0, 0.0, 0.0).velocity_in(turning), [0, 2, 0], atol=TINY)
    assert_allclose(points.PointY(1.0, 0.0).velocity_in(turning), 2.0, atol=TINY)
    assert_allclose(points.PointX(1.0, 0.0).velocity_in(turning), -2.0, atol=TINY)
    assert_allclose(points.PointZ(1.0, 0.0).velocity_in([0, 0, 0, 0, 2.0, 0]), -2.0, atol=TINY)
    assert_allclose(points.PointXYZ(1.0, 0.0, 0.0).force_out([0, 1, 0]), [0, 1, 0, 0, 0, 1], atol=TINY)


# --- What people hand over


def test_that_conversions_say_what_their_names_say() -> None:
    R = frames.axis_rotation(3, QUARTER)
    assert_allclose(conventions.scalar_first_from_scalar_last([1, 2, 3, 4]), [4, 1, 2, 3])
    assert_allclose(conventions.active_matrix_from_T(R.T) @ X, Y, atol=TINY)
    assert_allclose(Y @ conventions.row_vector_matrix_from_T(R.T), X, atol=TINY)
    assert_allclose(conventions.rotation_vector_from_T(R.T), [0, 0, QUARTER], atol=TINY)
    # A vehicle (x ahead, y left, z up): yaw of a quarter turn heads along y; then a pitch lowers its nose.
    R_12 = conventions.active_matrix_from_T(conventions.T_from_roll_pitch_yaw([0.0, 0.1, QUARTER]))
    assert_allclose(R_12 @ X, [0.0, np.cos(0.1), -np.sin(0.1)], atol=TINY)
    assert_allclose(conventions.rodrigues_from_quaternion([0, 0, HALF, HALF]), [0, 0, 1], atol=TINY)
    assert_allclose(
        conventions.modified_rodrigues_from_quaternion([0, 0, HALF, HALF]), [0, 0, np.tan(np.pi / 8)], atol=TINY
    )
    assert_allclose(conventions.T_from_small_angles([0.0, 0.0, 1e-3]), frames.axis_rotation(3, 1e-3).T, atol=1e-6)
    assert_allclose(conventions.quaternion_from_small_angles([1e-3, 0, 0]), [5e-4, 0, 0, 1], atol=1e-6)
    # Extrinsic about x, then about z of the fixed frame: x goes to y.
    sequence, angles = conventions.intrinsic_from_extrinsic("xyz", [QUARTER, 0.0, QUARTER])
    assert_allclose(frames.resolve1(frames.axes_rotations(sequence, angles), X), Y, atol=TINY)
    assert_allclose(frames.resolve1(frames.axes_rotations(sequence, angles), Y), Z, atol=TINY)

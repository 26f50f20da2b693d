"""What holds for all rotations, stated once and run over every representation, single and in batches.

The tolerances are in units of 2^-52, the distance of 1 from the next number. They lie a little above the largest misses
of four million random and special rotations: a product 8.5, matrix to quaternion and back 7, quaternion to matrix and
back 2, residues of a sequence 3.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from framescope.core import conventions, frames, kinematics, quaternions, spatial, transformation_matrices
from framescope.core.frames import Orientation
from tests.support import strategies

UNIT = 2.0**-52


@dataclass(frozen=True)
class Group:
    """Rotations or poses in one representation: made from an orientation, and what the laws of a group need."""

    made: Callable[[Orientation], Any]
    compose: Callable[[Any, Any], Any]
    """The second after the first: 0 into 1, then 1 into 2."""
    inverse: Callable[[Any], Any]
    identity: Any
    resolve2: Callable[[Any, np.ndarray], np.ndarray]
    numbers: Callable[[Any], np.ndarray]
    """Numbers that are the same for the same element: those of a quaternion are its matrix."""


def pose(R: Orientation) -> spatial.Transform:
    return spatial.Transform.from_orientation(R, R.w)


GROUPS = {
    "orientation": Group(
        made=lambda R: R,
        compose=frames.absolute_rotation,
        inverse=frames.inverse_rotation,
        identity=frames.null_rotation(),
        resolve2=frames.resolve2,
        numbers=lambda R: np.concatenate([R.T.reshape(*R.T.shape[:-2], 9), R.w], axis=-1),
    ),
    "matrix": Group(
        made=lambda R: R.T,
        compose=transformation_matrices.absolute_rotation,
        inverse=transformation_matrices.inverse_rotation,
        identity=transformation_matrices.null_rotation(),
        resolve2=transformation_matrices.resolve2,
        numbers=np.asarray,
    ),
    "quaternion": Group(
        made=frames.to_Q,
        compose=quaternions.absolute_rotation,
        inverse=quaternions.inverse_rotation,
        identity=quaternions.null_rotation(),
        resolve2=quaternions.resolve2,
        numbers=quaternions.to_T,
    ),
    "pose": Group(
        made=pose,
        compose=lambda X_01, X_12: X_01 @ X_12,
        inverse=lambda X: X.inverse(),
        identity=pose(frames.null_rotation()),
        resolve2=lambda X, p: X.inverse().shift_point(p),
        numbers=lambda X: np.concatenate([X.R_AB.reshape(*X.R_AB.shape[:-2], 9), X.p_AB], axis=-1),
    ),
}
groups = pytest.mark.parametrize("group", GROUPS.values(), ids=GROUPS)


def assert_close(a: np.ndarray, b: np.ndarray, units: float, scale: float = 1.0) -> None:
    assert a.shape == b.shape
    assert np.abs(a - b).max(initial=0.0) <= units * UNIT * scale


@groups
@given(R=strategies.orientations(3))
def test_that_composition_is_associative(group, R) -> None:
    a, b, c = map(group.made, R)
    left, right = group.compose(group.compose(a, b), c), group.compose(a, group.compose(b, c))
    assert_close(group.numbers(left), group.numbers(right), 16, 20.0)


@groups
@given(R=strategies.orientations(1))
def test_that_the_inverse_undoes_and_the_identity_does_nothing(group, R) -> None:
    a = group.made(R[0])
    nothing = np.broadcast_to(group.numbers(group.identity), group.numbers(a).shape)
    assert_close(group.numbers(group.compose(a, group.inverse(a))), nothing, 16, 10.0)
    assert_close(group.numbers(group.compose(group.inverse(a), a)), nothing, 16, 10.0)
    assert_close(group.numbers(group.inverse(group.inverse(a))), group.numbers(a), 4, 10.0)
    assert_close(group.numbers(group.compose(a, group.identity)), group.numbers(a), 2, 10.0)
    assert_close(group.numbers(group.compose(group.identity, a)), group.numbers(a), 2, 10.0)


@groups
@given(R=strategies.orientations(2), v=st.tuples(*[st.floats(-10.0, 10.0)] * 3))
def test_that_a_composition_resolves_one_after_the_other(group, R, v) -> None:
    a, b = map(group.made, R)
    together = group.resolve2(group.compose(a, b), np.array(v))
    assert_close(together, group.resolve2(b, group.resolve2(a, np.array(v))), 32, 30.0)


@groups
@given(R=strategies.orientations(1), v=st.tuples(*[st.floats(-10.0, 10.0)] * 3))
def test_that_all_representations_resolve_alike(group, R, v) -> None:
    if group is not GROUPS["pose"]:
        found = group.resolve2(group.made(R[0]), np.array(v))
        assert_close(found, frames.resolve2(R[0], v), 16, 20.0)


@given(strategies.orientations(2))
def test_that_a_product_of_quaternions_is_that_of_their_matrices(R) -> None:
    Q1, Q2 = (quaternions.normalize_quaternion(frames.to_Q(each)) for each in R)
    product = transformation_matrices.absolute_rotation(quaternions.to_T(Q1), quaternions.to_T(Q2))
    assert_close(quaternions.to_T(quaternions.absolute_rotation(Q1, Q2)), product, 12)


@given(strategies.orientations(1))
def test_that_quaternion_and_matrix_give_each_other_back(R) -> None:
    Q = frames.to_Q(R[0])
    assert_close(quaternions.to_T(Q), R[0].T, 10)
    assert_close(frames.to_Q(frames.from_Q(Q, R[0].w), Q), Q, 4)
    assert_close(quaternions.orientation_constraint(Q), np.zeros((*Q.shape[:-1], 1)), 5)


@given(strategies.orientations(1))
def test_that_sequences_make_rotations(R) -> None:
    assert_close(frames.orientation_constraint(R[0]), np.zeros((*R[0].T.shape[:-2], 6)), 10)
    assert np.all(np.linalg.det(R[0].T) > 0.0)


@given(strategies.orientations(1))
def test_that_both_kinematic_equations_say_the_same(R) -> None:
    Q = frames.to_Q(R[0])
    T = quaternions.to_T(Q)
    der_Q = kinematics.dquat(Q, R[0].w)
    size = 1.0 + np.abs(R[0].w).max(initial=0.0)
    assert_close(quaternions.angular_velocity2(Q, der_Q), R[0].w, 4, size)
    der_T = kinematics.ddcm(T, R[0].w)
    assert_close(transformation_matrices.angular_velocity2(T, der_T), R[0].w, 8, size)
    assert_close(frames.resolve1(R[0], R[0].w), quaternions.angular_velocity1(Q, der_Q), 16, size)


@given(strategies.sequences, strategies.angle_triples, strategies.rates)
def test_that_w_is_the_derivative_of_T(sequence, angles, rates) -> None:
    h = 1e-5
    angles, rates = np.array(angles), np.array(rates)
    R = frames.axes_rotations(sequence, angles, rates)
    forward, back = (frames.axes_rotations(sequence, angles + s * h * rates).T for s in (1.0, -1.0))
    assert_allclose(kinematics.ddcm(R.T, R.w), (forward - back) / (2.0 * h), atol=1e-7)


@given(strategies.sequences, strategies.angle_triples, strategies.rates)
def test_that_euler_rates_and_their_inverse_undo_each_other(sequence, angles, rates) -> None:
    measure, condition = kinematics.singularity_measure(sequence, angles)
    if measure > 1.0 - 1e-9:
        return
    w = kinematics.angular_velocity_from_euler_rates(sequence, angles, rates)
    assert_array_equal(w, frames.axes_rotations(sequence, angles, rates).w)
    found = kinematics.euler_rates(sequence, angles, w)
    assert_close(found, np.array(rates), 16, float(condition) * (1.0 + np.abs(rates).max()))


@given(strategies.orientations(2))
def test_that_relative_rotation_is_the_inverse_first(R) -> None:
    direct = frames.relative_rotation(R[0], R[1])
    by_inverse = frames.absolute_rotation(frames.inverse_rotation(R[0]), R[1])
    assert_close(direct.T, by_inverse.T, 4)
    assert_close(direct.w, by_inverse.w, 16, 10.0)
    assert_close(frames.equality_constraint(R[0], R[0]), np.zeros((*R[0].T.shape[:-2], 3)), 4)


@given(strategies.vectors(2, 6), st.tuples(*[st.floats(-10.0, 10.0)] * 3))
def test_that_power_does_not_change_under_a_shift(FV, r) -> None:
    F, V = FV
    before, after = (F * V).sum(axis=-1), (spatial.shift_force_by(F, r) * spatial.shift_velocity_by(V, r)).sum(axis=-1)
    terms = np.abs(F).max(initial=0.0) * np.abs(V).max(initial=0.0) * (1.0 + np.abs(r).max()) ** 2
    assert_close(after, before, 30, terms)


@given(strategies.orientations(1))
def test_that_every_form_gives_the_matrix_back(R) -> None:
    T = R[0].T
    Q = frames.to_Q(R[0])
    axis, angle = conventions.axis_angle_from_quaternion(Q)
    assert np.all((angle >= 0.0) & (angle <= np.pi))
    assert_close(transformation_matrices.planar_rotation(axis, angle), T, 16)
    assert_close(conventions.T_from_rotation_vector(conventions.rotation_vector_from_T(T)), T, 16)
    p = conventions.modified_rodrigues_from_quaternion(Q)
    assert np.all(frames.length(p) <= 1.0 + 4 * UNIT)
    assert_close(quaternions.to_T(conventions.quaternion_from_modified_rodrigues(p)), T, 16)
    # Within 1e-12 of the lock, where one angle is chosen, the distance from it is what is lost.
    assert_allclose(conventions.T_from_roll_pitch_yaw(conventions.roll_pitch_yaw_from_T(T)), T, atol=3e-12)
    all_in_first = conventions.axes_angles_all_in_first(T, "XZX")
    assert_allclose(transformation_matrices.axes_rotations("XZX", all_in_first), T, atol=3e-12)


@given(strategies.orientations(1), st.floats(-1e-4, 1e-4))
def test_that_the_nearest_rotation_of_a_drifted_one_is_near(R, drift) -> None:
    T = R[0].T * (1.0 + drift)
    nearest, distance = transformation_matrices.project_to_rotation(T)
    assert_close(nearest, R[0].T, 32)
    assert_allclose(distance, abs(drift) * np.sqrt(3.0), atol=1e-14)


def test_that_the_nearest_rotation_of_a_mirror_image_is_a_rotation() -> None:
    T = frames.axes_rotations("XYZ", [0.3, -0.8, 1.9]).T
    rotation, distance = transformation_matrices.project_to_rotation(np.stack([T, -T, 1.1 * T]))
    assert_allclose(rotation[[0, 2]], [T, T], atol=1e-15)
    assert np.linalg.det(rotation[1]) == pytest.approx(1.0)
    assert_allclose(distance, np.sqrt(((np.stack([T, -T, 1.1 * T]) - rotation) ** 2).sum(axis=(1, 2))), atol=1e-14)


@given(st.lists(strategies.angle_triples, max_size=20))
def test_that_continuous_signs_leave_no_flip(angles) -> None:
    Q = frames.to_Q(frames.axes_rotations("XYZ", np.array(angles).reshape(-1, 3)))
    found = quaternions.continuous_signs(Q)
    assert_array_equal(np.abs(found), np.abs(Q))
    assert np.all((found[1:] * found[:-1]).sum(axis=-1) >= 0.0)

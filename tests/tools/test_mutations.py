"""Deliberate convention mistakes, each shown to be caught by a test of ``test_anchors.py``.

A mistake is made where a programmer would make it: in the formula. Formulas are the one place where the arithmetic
stands, so that the public functions, batches and `evaluate` all make it together, and no comparison among them notices.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest

from framescope.core import (
    conventions,
    kinematics,
)
from framescope.core.kernels import (
    axis_rotations,
    components,
    componentwise,
    connection_points,
    conversions,
    linear_algebra,
    spatial,
)
from framescope.core.kernels.components import (
    applied_to,
    cross_of,
    minus,
    negated,
    plus,
    product_of,
    quaternion_product_of,
    scaled,
    transpose_of,
)
from framescope.core.kernels.componentwise import Kernel
from tests.core import test_anchors

Patch = pytest.MonkeyPatch
ANCHORS = [(name, test) for name, test in vars(test_anchors).items() if name.startswith("test_")]
SINE = axis_rotations.sin


def formula(kernel: object, wrong: Callable[..., object]) -> Callable[[Patch], None]:
    """Return a mistake that replaces the formula of a kernel, and has it computed as it is written."""

    def make(patch: Patch) -> None:
        patch.setattr(kernel, "formula", wrong)
        patch.setattr(kernel, "machine_code", None)
        patch.setattr(kernel, "n_processed", -math.inf)
        if isinstance(kernel, Kernel):
            patch.setattr(kernel, "checked", kernel.checked_in_python)

    return make


class Wrong:
    """A kernel that computes something else."""

    def __init__(self, call: Callable[..., object]) -> None:
        self.call = call

    def __call__(self, *arrays: np.ndarray, names: tuple[str, ...] = ()) -> object:
        return self.call(*arrays)

    def checked(self, names: tuple[str, ...], *values: object, n_trusted: int = 0) -> object:
        return self.call(*(np.asarray(value, dtype=np.float64) for value in values))


def of_sequences(wrong: Callable[[object, tuple[int, int, int]], object]) -> Callable[[Patch], None]:
    """Return a mistake in the kernel of every axis sequence, with and without rates."""

    def make(patch: Patch) -> None:
        for name in ("axes_rotations", "axes_matrix"):
            right = getattr(axis_rotations, name)
            patch.setattr(axis_rotations, name, lambda sequence, right=right: wrong(right, sequence))

    return make


def all_active(patch: Patch) -> None:
    """Make every turn go the other way, matrices, quaternions, sequences and angles alike."""
    patch.setattr(axis_rotations, "sin", lambda x: -SINE(x))
    patch.setattr(linear_algebra, "sin", lambda x: -SINE(x))
    right = axis_rotations.axes_rotations_angles
    patch.setattr(axis_rotations, "axes_rotations_angles", lambda s: Wrong(lambda T, guess: -right(s)(T, -guess)))


def rates_in_frame_1(patch: Patch) -> None:
    def wrong(sequence):
        right = made(sequence)

        def axes_rotations(angles, rates):
            T, w = right(angles, rates)
            return T, linear_algebra.apply_transposed(T, w)

        return Wrong(axes_rotations)

    made = axis_rotations.axes_rotations
    patch.setattr(axis_rotations, "axes_rotations", wrong)


def relative_acceleration(
    coriolis: float = 2.0, centripetal: float = 1.0, euler: float = 1.0, transport: float = 1.0
) -> Callable[..., object]:
    def wrong(p, V_FA, A_FA, V_FB, A_FB):
        w, b_FA = V_FA[:3], A_FA[:3]
        der_p, der2_p = minus(V_FB[3:], V_FA[3:]), minus(A_FB[3:], A_FA[3:])
        b = minus(minus(A_FB[:3], b_FA), scaled(transport, cross_of(w, minus(V_FB[:3], w))))
        a = minus(der2_p, scaled(euler, cross_of(b_FA, p)))
        a = minus(a, scaled(coriolis, cross_of(w, der_p)))
        return (*b, *plus(a, scaled(centripetal, cross_of(w, cross_of(w, p)))))

    return formula(spatial.relative_acceleration_in_F, wrong)


def negated_matrix(T):
    return tuple(-x for x in T)


MISTAKES: dict[str, Callable[[Patch], None]] = {
    "port of a connector torque first": formula(
        connection_points.force_y,
        lambda XP, ZP, F, right=connection_points.force_y.formula: (*right(XP, ZP, F)[3:], *right(XP, ZP, F)[:3]),
    ),
    "velocity of a connector with the lever's sign": formula(
        connection_points.velocity_y, lambda XP, ZP, V: (V[1] - XP * V[5] + ZP * V[3],)
    ),
    "small angles as an active matrix": formula(
        conversions.matrix_from_small_angles,
        lambda a, right=conversions.matrix_from_small_angles.formula: transpose_of(right(a)),
    ),
    "torque of a connector with the wrong sign": formula(
        connection_points.force_x, lambda YP, ZP, F: (F, 0.0, 0.0, 0.0, -ZP * F, YP * F)
    ),
    "all turns active instead of passive": all_active,
    "matrix of a quaternion transposed": formula(
        linear_algebra.matrix_from_quaternion, lambda q: transpose_of(components.matrix_of_quaternion(q))
    ),
    "quaternion of the transposed matrix": formula(
        linear_algebra.quaternion_from_matrix,
        lambda T, g, right=linear_algebra.quaternion_from_matrix.formula: right(transpose_of(T), g),
    ),
    "extrinsic instead of intrinsic": of_sequences(
        lambda right, s: Wrong(lambda angles, *rates: right(s[::-1])(angles[..., ::-1], *(r[..., ::-1] for r in rates)))
    ),
    "absolute rotation in the other order": formula(
        linear_algebra.absolute_rotation, lambda T1, w1, T, w: (*product_of(T1, T), *plus(applied_to(T, w1), w))
    ),
    "absolute angular velocity added without resolving": formula(
        linear_algebra.absolute_rotation, lambda T1, w1, T, w: (*product_of(T, T1), *plus(w1, w))
    ),
    "relative rotation in the other order": formula(
        linear_algebra.relative_rotation,
        lambda T1, w1, T2, w2: (
            *product_of(transpose_of(T1), T2),
            *minus(w2, applied_to(product_of(T2, transpose_of(T1)), w1)),
        ),
    ),
    "relative angular velocity subtracted without resolving": formula(
        linear_algebra.relative_rotation, lambda T1, w1, T2, w2: (*product_of(T2, transpose_of(T1)), *minus(w2, w1))
    ),
    "inverse rotation with its angular velocity only negated": formula(
        linear_algebra.inverse_rotation, lambda T, w: (*transpose_of(T), *negated(w))
    ),
    "angular velocity of a sequence resolved in frame 1": rates_in_frame_1,
    "ddcm with w resolved in frame 1": formula(
        linear_algebra.matrix_rate,
        lambda T, w: product_of(negated_matrix(T), (0.0, -w[2], w[1], w[2], 0.0, -w[0], -w[1], w[0], 0.0)),
    ),
    "ddcm with the sign of an active matrix": formula(
        linear_algebra.matrix_rate,
        lambda T, w, right=linear_algebra.matrix_rate.formula: negated_matrix(right(T, w)),
    ),
    "dquat with w resolved in frame 1": formula(
        linear_algebra.quaternion_rate, lambda q, w: quaternion_product_of((*scaled(0.5, w), 0.0), q)
    ),
    "dquat without the half": formula(linear_algebra.quaternion_rate, lambda q, w: quaternion_product_of(q, (*w, 0.0))),
    "quaternion product in the other order (JPL)": formula(
        linear_algebra.multiply_quaternions, lambda p, q: quaternion_product_of(q, p)
    ),
    "vectors resolved the wrong way": formula(linear_algebra.apply_matrix, linear_algebra.apply_transposed.formula),
    "quaternion resolves the wrong way": formula(
        linear_algebra.resolve2_by_quaternion, linear_algebra.resolve1_by_quaternion.formula
    ),
    "angular velocity of a quaternion in the other frame": formula(
        linear_algebra.velocity2_of_quaternion, linear_algebra.velocity1_of_quaternion.formula
    ),
    "angular velocity from columns instead of rows": formula(
        linear_algebra.velocity_from_rows, linear_algebra.velocity_from_columns.formula
    ),
    "a whole angle in a quaternion": formula(
        linear_algebra.planar_quaternion, lambda e, a: (*scaled(SINE(a), e), axis_rotations.cos(a))
    ),
    "a tensor resolved on one side": formula(linear_algebra.conjugate_by, product_of),
    "small angles with the other sign": formula(
        linear_algebra.small_rotation,
        lambda T, right=linear_algebra.small_rotation.formula: tuple(-x for x in right(T)),
    ),
    "residue of equality with the frames exchanged": formula(
        linear_algebra.angles_between, lambda T1, T2, right=linear_algebra.angles_between.formula: right(T2, T1)
    ),
    "angle about an axis counted the other way": formula(
        axis_rotations.planar_angle,
        lambda e, a, b, right=axis_rotations.planar_angle.formula: tuple(-x for x in right(e, a, b)),
    ),
    "axes of two directions as columns": formula(
        axis_rotations.matrix_from_nxy,
        lambda x, y, right=axis_rotations.matrix_from_nxy.formula: transpose_of(right(x, y)),
    ),
    "singularity measure of the other kind of sequence": lambda patch: patch.setattr(
        kinematics, "as_sequence", lambda s: (1, 2, 3) if s == "ZXZ" else (1, 2, 1)
    ),
    "shifted acceleration without the centripetal term": formula(
        spatial.shift_acceleration, lambda A, w, r: (*A[:3], *plus(A[3:], cross_of(A[:3], r)))
    ),
    "shifted velocity with r × w": formula(
        spatial.shift_velocity, lambda V, r: (*V[:3], *minus(V[3:], cross_of(V[:3], r)))
    ),
    "shifted force with the moment's sign": formula(
        spatial.shift_force, lambda F, r: (*plus(F[:3], cross_of(r, F[3:])), *F[3:])
    ),
    "relative velocity without w × p": formula(
        spatial.relative_velocity_in_F, lambda p, V_A, V_B: (*minus(V_B[:3], V_A[:3]), *minus(V_B[3:], V_A[3:]))
    ),
    "reversed velocity left in A": lambda patch: patch.setattr(
        spatial, "reverse_velocity", lambda R, p, V, **_names: spatial.reverse_velocity_in_A(p, V)
    ),
    "relative acceleration with half the Coriolis term": relative_acceleration(coriolis=1.0),
    "relative acceleration without the centripetal term": relative_acceleration(centripetal=0.0),
    "relative acceleration without the Euler term": relative_acceleration(euler=0.0),
    "relative angular acceleration without the transport term": relative_acceleration(transport=0.0),
    "scalar first taken for scalar last": lambda patch: patch.setattr(
        conventions, "scalar_first_from_scalar_last", np.asarray
    ),
    "roll, pitch, yaw about the moving axes": formula(
        conversions.matrix_from_rpy, axis_rotations.axes_matrix((1, 2, 3)).formula
    ),
}


def first_that_fails() -> str | None:
    """Return the name of an anchor that does not hold."""
    for name, test in ANCHORS:
        try:
            test()
        except AssertionError:
            return name
    return None


def test_that_the_anchors_hold_without_a_mistake() -> None:
    assert len(ANCHORS) > 20
    assert first_that_fails() is None


@pytest.mark.parametrize("mistake", MISTAKES)
def test_that_a_mistake_is_caught(mistake, monkeypatch) -> None:
    monkeypatch.setattr(componentwise, "COMPILED_AFTER", math.inf)  # what is compiled now would keep the mistake
    MISTAKES[mistake](monkeypatch)
    assert first_that_fails() is not None


def test_that_nothing_of_a_mistake_stays() -> None:
    assert first_that_fails() is None

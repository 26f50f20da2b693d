"""Text forms of an orientation: what their numbers are and what they mean."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from framescope.core import conventions, frames
from framescope.core.kernels import axis_rotations, linear_algebra
from framescope.core.kernels.angle_branches import both_branches
from framescope.core.kernels.validation import EXTRINSIC_SEQUENCES, SEQUENCES, Array, as_sequence
from framescope.core.transformation_matrices import project_to_rotation

_NEAR_LOCK = 1e-6
_HALF_TURN = 1e-12


@dataclass(frozen=True)
class TextForm:
    """One form: how its numbers are read and written, `write` with all sets of them.

    Angles are the last numbers, in rad; those that together have unit length are the first. Of a vector the
    length is an angle.
    """

    name: str
    n_numbers: int
    read: Callable[[str, Array], tuple[Array, float]]
    write: Callable[[str, Array], Sequence[Array]]
    meaning: Callable[[str], str]
    note: Callable[[str, Array], str] = lambda _qualifier, _T: ""
    qualifiers: tuple[str, ...] = ()
    kind_of_qualifier: str = ""
    default: str = ""
    n_angles: int = 0
    n_of_unit_length: int = 0
    is_matrix: bool = False
    is_vector: bool = False


def _exact(read: Callable[[str, Array], Array]) -> Callable[[str, Array], tuple[Array, float]]:
    """Return a reader of numbers of which all are rotations."""
    return lambda qualifier, numbers: (read(qualifier, numbers), 0.0)


def _T(Q: Array) -> Array:
    return linear_algebra.matrix_from_quaternion(Q)


def _Q(T: Array) -> Array:
    return linear_algebra.quaternion_from_matrix(T, linear_algebra.NO_TURN)


def _read_matrix(qualifier: str, numbers: Array) -> tuple[Array, float]:
    M = numbers.reshape(3, 3)
    T, distance = project_to_rotation(M if qualifier == "passive" else M.T)
    return T, float(distance)


def _axes_branches(sequence: str, T: Array) -> list[Array]:
    return list(both_branches(as_sequence(sequence), T))


def _lock_note(sequence: str, T: Array, first: str, third: str) -> str:
    """Tell of gimbal lock; `first` and `third` are what the angles of the moving axes are called."""
    axes = as_sequence(sequence)
    row = T[axes[2] - 1]
    if axis_rotations.is_locked(axes)(T):
        sign = "+" if row[axes[0] - 1] > 0.0 else "-"
        return f"gimbal lock: only {first} {sign} {third} is defined; {first} is set to 0"
    off = math.hypot(*(row[i] for i in range(3) if i != axes[0] - 1))
    if off < _NEAR_LOCK:
        by = f"{1e-16 / off:.1g} rad"
        return f"near gimbal lock, {off:.2g} rad from it: {first} and {third} are uncertain by about {by}"
    return ""


def _half_turn_note(_qualifier: str, T: Array) -> str:
    return "half turn: the opposite direction is the same orientation" if abs(_Q(T)[3]) < _HALF_TURN else ""


def _rodrigues_note(_qualifier: str, T: Array) -> str:
    w = abs(_Q(T)[3])
    if w == 0.0:
        return "infinite at a half turn; mrp, quaternion or axis-angle have numbers for it"
    return "half turn within rounding: the numbers say little more than that" if w < _HALF_TURN else ""


_ORDERS = {"xyzw": "last", "wxyz": "first"}

FORMS: dict[str, TextForm] = {
    form.name: form
    for form in (
        TextForm(
            "axes",
            3,
            _exact(lambda sequence, angles: frames.axes_rotations(sequence, angles).T),
            _axes_branches,
            lambda sequence: (
                f"turns about the axes {', '.join(sequence.lower())} of the moving frame, one after another"
            ),
            note=lambda sequence, T: _lock_note(sequence, T, "angle 1", "angle 3"),
            qualifiers=SEQUENCES,
            kind_of_qualifier="sequence of moving axes (upper case)",
            n_angles=3,
        ),
        TextForm(
            "extrinsic",
            3,
            _exact(lambda axes, angles: frames.axes_rotations(*conventions.intrinsic_from_extrinsic(axes, angles)).T),
            lambda axes, T: [angles[::-1] for angles in _axes_branches(axes[::-1].upper(), T)],
            lambda axes: f"turns about the fixed axes {', then '.join(axes)} of frame 1",
            note=lambda axes, T: _lock_note(axes[::-1].upper(), T, "angle 3", "angle 1"),
            qualifiers=EXTRINSIC_SEQUENCES,
            kind_of_qualifier="sequence of fixed axes (lower case)",
            n_angles=3,
        ),
        TextForm(
            "rpy",
            3,
            _exact(lambda _, angles: conventions.T_from_roll_pitch_yaw(angles)),
            lambda _, T: [conventions.roll_pitch_yaw_from_T(T)],
            lambda _: "roll, pitch, yaw as in ROS: turns about the fixed axes x, then y, then z of frame 1",
            note=lambda _, T: _lock_note("ZYX", T, "yaw", "roll"),
            n_angles=3,
        ),
        TextForm(
            "quaternion",
            4,
            _exact(lambda order, q: _T(q if order == "xyzw" else np.roll(q, -1))),
            lambda order, T: [_Q(T) if order == "xyzw" else np.roll(_Q(T), 1)],
            lambda order: f"Hamilton's, scalar {_ORDERS[order]}: v_1 = q v_2 conj(q)",
            qualifiers=tuple(_ORDERS),
            kind_of_qualifier="order",
            default="xyzw",
            n_of_unit_length=4,
        ),
        TextForm(
            "matrix",
            9,
            _read_matrix,
            lambda direction, T: [(T if direction == "passive" else T.T).ravel()],
            lambda direction: (
                "row by row, v_2 = T v_1: its rows are the axes of frame 2 resolved in frame 1"
                if direction == "passive"
                else "row by row, v_1 = R v_2: its columns are the axes of frame 2 resolved in frame 1"
            ),
            qualifiers=("passive", "active"),
            kind_of_qualifier="direction",
            default="passive",
            is_matrix=True,
        ),
        TextForm(
            "axis-angle",
            4,
            _exact(lambda _, n: _T(conventions.quaternion_from_axis_angle(n[:3], n[3]))),
            lambda _, T: [np.append(*conventions.axis_angle_from_quaternion(_Q(T)))],
            lambda _: "the turn from frame 1 to frame 2 about an axis, whose components are the same in both",
            note=_half_turn_note,
            n_angles=1,
            n_of_unit_length=3,
        ),
        TextForm(
            "rotation-vector",
            3,
            _exact(lambda _, r: conventions.T_from_rotation_vector(r)),
            lambda _, T: [conventions.rotation_vector_from_T(T)],
            lambda _: "axis times angle of the turn from frame 1 to frame 2",
            note=_half_turn_note,
            n_angles=3,
            is_vector=True,
        ),
        TextForm(
            "rodrigues",
            3,
            _exact(lambda _, g: _T(conventions.quaternion_from_rodrigues(g))),
            lambda _, T: [conventions.rodrigues_from_quaternion(_Q(T))],
            lambda _: "Rodrigues (Gibbs) parameters, axis times tan(angle/2), of the turn from frame 1 to frame 2",
            note=_rodrigues_note,
        ),
        TextForm(
            "mrp",
            3,
            _exact(lambda _, p: _T(conventions.quaternion_from_modified_rodrigues(p))),
            lambda _, T: [conventions.modified_rodrigues_from_quaternion(_Q(T))],
            lambda _: "modified Rodrigues parameters, axis times tan(angle/4), of the turn from frame 1 to frame 2",
            note=_half_turn_note,
        ),
    )
}
"""The forms that are read and written, by name."""

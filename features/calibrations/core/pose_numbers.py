"""Numbers of poses as files write them: quaternions, yaw pitch roll, and names of frames."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from framescope.core import frames
from framescope.core.conventions.code_snippets import single_rotation
from framescope.core.conventions.pose_snippets import yaw_pitch_roll
from framescope.core.errors import Problem, visible_text
from framescope.core.kernels.validation import Array
from framescope.core.orientation import Orientation
from framescope.core.transform import Transform
from framescope.features.calibrations.core.calibration import CalibrationError

UNIT_LENGTH = 1e-3
"""Difference of a quaternion's length from 1 up to which it is rounding."""

SAME_ROTATION = 1e-12
"""Distance of two rotations, in the Frobenius norm, up to which a file keeps the numbers that it has."""

LARGEST = 1e9
"""Largest number of a position or a quaternion, m."""

MAX_NAME = 200
"""Largest number of characters of the name of a frame."""


def pose_of_quaternion(
    q: Sequence[float], p: Sequence[float], entry: str, order: str = "xyzw"
) -> tuple[Transform, tuple[Problem, ...]]:
    """Return the pose of a quaternion and a position, m, with the problem of a quaternion that is not of unit length.

    Raises
    ------
    CalibrationError
        When a number is not finite or too large, or the quaternion is zero.

    Examples
    --------
    >>> X, problems = pose_of_quaternion([0.0, 0.0, 0.6, 0.8], [1.0, 2.0, 3.0], "line 1")
    >>> X.p_AB, problems
    (array([1., 2., 3.]), ())
    """
    numbers = np.array([*q, *p], dtype=float)
    if not (np.isfinite(numbers).all() and (np.abs(numbers) <= LARGEST).all()):
        raise CalibrationError(f"{visible_text(entry)}: a number is not finite or larger than {LARGEST:g}.")
    length = float(np.linalg.norm(numbers[:4]))
    if length < UNIT_LENGTH:
        raise CalibrationError(f"{visible_text(entry)}: the quaternion is zero, expected length 1.")
    unit = numbers[:4] / length
    xyzw = unit if order == "xyzw" else np.roll(unit, -1)
    X = Transform.from_quaternion(xyzw, numbers[4:], order="xyzw")
    if abs(length - 1.0) <= UNIT_LENGTH:
        is_half_turn = order == "xyzw" and abs(numbers[0]) == 1.0 and not numbers[1:4].any()
        return X, (_half_turn(entry),) if is_half_turn else ()
    message = f"its quaternion has length {length:.4g}, expected 1."
    hint = "It is divided by its length. Other programs, such as tf2, refuse it."
    return X, (Problem((entry,), message, hint, severity="amber", kind="quaternion-length"),)


def _half_turn(entry: str) -> Problem:
    message = "its quaternion 1 0 0 0 has the scalar last: it is a half turn about x."
    hint = "Is the identity with the scalar first meant? With the scalar last it is 0 0 0 1."
    return Problem((entry,), message, hint, "note", kind="half-turn")


def pose_of_angles(ypr: Sequence[float], p: Sequence[float], entry: str) -> Transform:
    """Return the pose of yaw, pitch and roll, rad (about the moving axes z, y, x), and a position, m.

    Raises
    ------
    CalibrationError
        When a number is not finite or too large.

    Examples
    --------
    >>> pose_of_angles([np.pi / 2, 0.0, 0.0], [0.0, 0.0, 0.0], "line 1").R_AB.round(3) + 0.0
    array([[ 0., -1.,  0.],
           [ 1.,  0.,  0.],
           [ 0.,  0.,  1.]])
    """
    numbers = np.array([*ypr, *p], dtype=float)
    if not (np.isfinite(numbers).all() and (np.abs(numbers) <= LARGEST).all()):
        raise CalibrationError(f"{visible_text(entry)}: a number is not finite or larger than {LARGEST:g}.")
    return Transform.from_orientation(frames.axes_rotations((3, 2, 1), numbers[:3]), numbers[3:])


def quaternion_of(X: Transform, entry: str, old: Sequence[float] | None = None) -> list[float]:
    """Return the unit quaternion of a pose, x y z w, on the side of an `old` one; the old one if it is the same.

    Raises
    ------
    CalibrationError
        When the rotation of the pose is farther than 1e-3 from a rotation.

    Examples
    --------
    >>> quaternion_of(Transform(np.eye(3), np.zeros(3)), "line 1", old=[0.0, 0.0, 0.0, -1.0])
    [0.0, 0.0, 0.0, -1.0]
    """
    if old is not None and is_same_rotation(X, pose_of_quaternion(old, np.zeros(3).tolist(), entry)[0]):
        return list(old)
    guess = [0.0, 0.0, 0.0, 1.0] if old is None else list(old)
    return (frames.to_Q(rotation_of(X, entry), np.array(guess)) + 0.0).tolist()


def angles_of(X: Transform, entry: str, old: Sequence[float] | None = None) -> list[float]:
    """Return yaw, pitch and roll of a pose, rad, on the branch nearest an `old` yaw; the old ones if they are the same.

    Raises
    ------
    CalibrationError
        When the rotation of the pose is farther than 1e-3 from a rotation.
    """
    if old is not None and is_same_rotation(X, pose_of_angles(old, [0.0, 0.0, 0.0], entry)):
        return list(old)
    R = rotation_of(X, entry)
    return yaw_pitch_roll(R) if old is None else (frames.axes_rotations_angles(R, (3, 2, 1), old[0]) + 0.0).tolist()


def rotation_of(X: Transform, entry: str) -> Orientation:
    """Return the orientation of a pose, A into B; raise a `CalibrationError` where its matrix is no rotation."""
    try:
        return single_rotation(Orientation(X.R_AB.T, np.zeros(3)))
    except ValueError:
        raise CalibrationError(f"{visible_text(entry)}: the matrix of the pose is no rotation.") from None


def is_same_rotation(a: Transform, b: Transform) -> bool:
    """Return whether two poses have the same rotation, up to rounding."""
    return float(np.linalg.norm(a.R_AB - b.R_AB)) <= SAME_ROTATION


def frame_name(text: object, entry: str) -> str:
    """Return the name of a frame without the leading slash that tf2 drops.

    Raises
    ------
    CalibrationError
        When it is empty, too long, or holds characters that cannot be seen.

    Examples
    --------
    >>> frame_name("/base_link", "line 1")
    'base_link'
    """
    name = str(text).strip().removeprefix("/")
    if not name or len(name) > MAX_NAME or not name.isprintable() or name != name.strip():
        raise CalibrationError(f"{visible_text(entry)}: expected the name of a frame, got {name[:40]!r}.")
    return name


def check_pair(parent: str, child: str, entry: str) -> None:
    """Raise a `CalibrationError` where a frame would be its own parent."""
    if parent == child:
        raise CalibrationError(f"{visible_text(entry)}: parent and child are the same frame, {visible_text(child)}.")


def rounded(numbers: Array) -> list[float]:
    """Return numbers as a list without -0.0."""
    return (np.asarray(numbers, dtype=float) + 0.0).ravel().tolist()

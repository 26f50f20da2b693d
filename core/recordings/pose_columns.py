"""Pose columns of a table: units, conventions, and conversion to poses.

Positions are in m. Orientations are quaternions, scalar last, that map the parent into the frame.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

import numpy as np

from framescope.core import conventions, frames, quaternions
from framescope.core.conventions.code_snippets import ROTATION_TOLERANCE
from framescope.core.errors import did_you_mean
from framescope.core.kernels import linear_algebra
from framescope.core.kernels.validation import EXTRINSIC_SEQUENCES, SEQUENCES, Array
from framescope.core.recordings.pose_spline import UNIT_NORM_TOLERANCE, RecordingError
from framescope.core.recordings.tables.numeric import Table
from framescope.core.scene.schema import motions
from framescope.core.scene.schema.quantities import UNITS
from framescope.core.transformation_matrices import project_to_rotation, to_Q

TIME_UNITS = UNITS["recorded time"]
"""Sizes of the units of recorded times, s."""

LENGTH_UNITS = UNITS["length"]
"""Sizes of the units of positions, m."""

ANGLE_UNITS = UNITS["angle"]
"""Sizes of the units of angles, rad."""

DIRECTIONS = ("frame to parent", "parent to frame")
"""Directions in which a recorded matrix or quaternion may map vectors."""

NEAREST_ROTATION_TOLERANCE = 0.3
"""Largest distance of a matrix from a rotation that the fix "normalise" corrects."""


def times_of(table: Table, columns: motions.PoseColumns, rate_hz: float | None = None) -> Array:
    """Return the times (n,) of a table's rows in file order, s since the first row."""
    if columns.time is None:
        return _times_from_rate(rate_hz, table)
    time_unit = _check_choice(table, "unit of time", columns.time_unit, TIME_UNITS)
    return _scale(table.since_first(columns.time), TIME_UNITS[time_unit])


def rows_of(table: Table, columns: motions.PoseColumns, mends: Collection[str] = ()) -> tuple[Array, Array]:
    """Return positions (n, 3), m, and unit quaternions (n, 4), with the signs of the file, of a table's rows.

    Raises the errors of `framescope.core.recordings.row_cleaning.poses_at`, except errors about time.
    """
    p_PF, Q_PF = np.zeros((table.n_rows, 3)), np.tile([0.0, 0.0, 0.0, 1.0], (table.n_rows, 1))
    if columns.position is not None:
        length_unit = _check_choice(table, "unit of length", columns.position_unit, LENGTH_UNITS)
        p_PF = _scale(_stack_columns(table, columns.position), LENGTH_UNITS[length_unit])
        if len(columns.position) == 2:
            p_PF = np.concatenate([p_PF, np.zeros((len(p_PF), 1))], axis=1)
    if columns.orientation is not None:
        Q_PF = _orientation(table, columns.orientation, normalises="normalise" in mends)
    return p_PF, Q_PF


def _times_from_rate(rate_hz: float | None, table: Table) -> Array:
    if rate_hz is None or not (np.isfinite(rate_hz) and rate_hz > 0.0):
        raise RecordingError(f"{table.name}: a rate of {rate_hz} Hz is none.", "Use a number larger than 0.")
    with np.errstate(over="ignore"):
        return np.arange(table.n_rows) / np.float64(rate_hz)


def _check_choice(table: Table, noun: str, choice: str | None, choices: Iterable[str]) -> str:
    if choice is None or choice not in choices:
        raise RecordingError(f'{table.name}: "{choice}" is no {noun}.', did_you_mean(choice or "", choices))
    return choice


def _scale(values: Array, unit: float) -> Array:
    with np.errstate(over="ignore"):  # infinite results are rejected afterwards
        return values * unit


def _stack_columns(table: Table, names: Sequence[str]) -> Array:
    return np.stack([table.column(name) for name in names], axis=-1)


def _orientation(table: Table, columns: motions.OrientationColumns, *, normalises: bool) -> Array:
    match columns:
        case motions.QuaternionColumns():
            order = _check_choice(table, "order of a quaternion", columns.order, ("xyzw", "wxyz"))
            q = _stack_columns(table, columns.columns)
            maps = _check_choice(table, "direction of a quaternion", columns.maps, DIRECTIONS)
            Q = q if order == "xyzw" else conventions.scalar_last_from_scalar_first(q)
            _check_quaternions(table.name, Q, normalises=normalises)
            Q = quaternions.normalize_quaternion(Q)
            return Q if maps == "frame to parent" else Q * [-1.0, -1.0, -1.0, 1.0]
        case motions.MatrixColumns():
            maps = _check_choice(table, "direction of a matrix", columns.maps, DIRECTIONS)
            M = _stack_columns(table, columns.columns).reshape(-1, 3, 3)
            T = M if maps == "parent to frame" else linear_algebra.transpose(M)
            return _from_matrices(table.name, T, NEAREST_ROTATION_TOLERANCE if normalises else ROTATION_TOLERANCE)
        case motions.AngleColumns():
            sequence = _check_choice(table, "axis sequence", columns.sequence, (*SEQUENCES, *EXTRINSIC_SEQUENCES))
            unit = _check_choice(table, "unit of angles", columns.unit, ANGLE_UNITS)
            angles = _scale(_stack_columns(table, columns.columns), ANGLE_UNITS[unit])
            check_finite(table.name, "angles are", angles)
            angles = _convert_vehicle_angles(table, columns, sequence, angles)
            if sequence in EXTRINSIC_SEQUENCES:
                sequence, angles = conventions.intrinsic_from_extrinsic(sequence, angles)
            return frames.to_Q(frames.axes_rotations(sequence, angles))
        case motions.HeadingColumn():
            return _quaternions_of_headings(table, columns)
        case motions.RotationVectorColumns():
            return _quaternions_of_rotation_vectors(table, columns)


def _convert_vehicle_angles(table: Table, columns: motions.AngleColumns, sequence: str, angles: Array) -> Array:
    """Convert a vehicle's angles (n, 3) with a clockwise heading to angles about z, y and x in a frame with z up."""
    if columns.counts == "counterclockwise":
        return angles
    if sequence != "ZYX":
        message = f"{table.name}: a heading that counts {columns.counts} is the first of ZYX, not of {sequence}."
        raise RecordingError(message, "Use the sequence ZYX, or leave counts out.")
    north = 0.5 * np.pi if columns.counts == "compass" else 0.0
    return np.stack([north - angles[:, 0], -angles[:, 1], angles[:, 2]], axis=-1)


def _quaternions_of_headings(table: Table, columns: motions.HeadingColumn) -> Array:
    unit = _check_choice(table, "unit of angles", columns.unit, ANGLE_UNITS)
    angle = _scale(table.column(columns.column), ANGLE_UNITS[unit])
    check_finite(table.name, "angles are", angle)
    if columns.counts == "clockwise":
        angle = -angle
    elif columns.counts == "compass":
        angle = 0.5 * np.pi - angle
    zero = np.zeros_like(angle)
    return np.stack([zero, zero, np.sin(0.5 * angle), np.cos(0.5 * angle)], axis=-1)


def _quaternions_of_rotation_vectors(table: Table, columns: motions.RotationVectorColumns) -> Array:
    unit = _check_choice(table, "unit of angles", columns.unit, ANGLE_UNITS)
    maps = _check_choice(table, "direction of a rotation vector", columns.maps, DIRECTIONS)
    vector = _scale(_stack_columns(table, columns.columns), ANGLE_UNITS[unit])
    check_finite(table.name, "angles are", vector)
    half = 0.5 * np.sqrt((vector * vector).sum(axis=1))[:, np.newaxis]
    xyz = 0.5 * np.sinc(half / np.pi) * vector * (1.0 if maps == "frame to parent" else -1.0)
    return np.concatenate([xyz, np.cos(half)], axis=1)


def _check_quaternions(name: str, Q: Array, *, normalises: bool) -> None:
    with np.errstate(over="ignore"):
        norm = np.sqrt(linear_algebra.squared_norm(Q))
    miss = np.where((norm > 0.0) & np.isfinite(norm), 0.0, 1.0) if normalises else np.abs(norm - 1.0)
    row = int(np.argmax(miss))
    if miss[row] > UNIT_NORM_TOLERANCE:
        raise RecordingError(
            f"{name}: the quaternion of sample {row + 1} misses unit length by {miss[row]:.3g}.",
            f"At most {UNIT_NORM_TOLERANCE:g} is taken as rounding: check the columns and their order.",
        )


def _from_matrices(name: str, T: Array, tolerance: float) -> Array:
    """Return the quaternions of the rotations nearest to matrices (n, 3, 3); raise `RecordingError` if one is far."""
    largest: Array = np.abs(T).reshape(-1, 9).max(axis=1)
    is_bounded = largest < 2.0
    rotation, distance = project_to_rotation(np.where(is_bounded[:, np.newaxis, np.newaxis], T, 0.0))
    distance = np.where(is_bounded, distance, np.inf)
    row = int(np.argmax(distance))
    if distance[row] > tolerance:
        raise RecordingError(
            f"{name}: the matrix of sample {row + 1} misses a rotation by {distance[row]:.3g}.",
            f"At most {tolerance:g} is taken as rounding: check the columns and their order.",
        )
    return to_Q(rotation)


def check_finite(name: str, subject: str, values: Array) -> None:
    """Raise `RecordingError` for the first sample whose numbers (n, ...) are infinite in SI units."""
    is_finite = np.isfinite(values).reshape(len(values), -1).all(axis=1)
    if not is_finite.all():
        row = int(np.argmin(is_finite))
        raise RecordingError(f"{name}, sample {row + 1}: the {subject} too large.", "Check the columns and the units.")

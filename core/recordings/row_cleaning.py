"""Conversion of table rows into a `Recording`: sorted by time, with the requested fixes.

Irregularities that do not prevent the use of a recording are returned as problems.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

import numpy as np

from framescope.core import quaternions
from framescope.core.errors import Problem, counted
from framescope.core.kernels import linear_algebra
from framescope.core.kernels.validation import Array, median
from framescope.core.recordings import row_mends
from framescope.core.recordings.outliers import gaps, outliers
from framescope.core.recordings.pose_columns import check_finite, rows_of
from framescope.core.recordings.pose_spline import Recording, RecordingError
from framescope.core.recordings.row_mends import Rows
from framescope.core.recordings.tables.numeric import Table
from framescope.core.scene.schema.motions import PoseColumns

MIN_SAMPLES = 5
"""Smallest number of samples that the smoothing spline needs."""

MAX_PROBLEMS = 100
"""Largest number of problems of one kind that are listed individually."""


Poses = tuple[Recording, tuple[Problem, ...]]
"""Recording, and its problems in the order of time."""


def poses_at(t: Array, table: Table, columns: PoseColumns, mends: Collection[str] = ()) -> Poses:
    """Return the poses in the columns of a table.

    Parameters
    ----------
    t
        Times (n,), s, from the table (see `times_of`) or from another source.
    table
        Numbers by column, one row for each sample.
    columns
        Columns of time, position and orientation, and their conventions.
    mends
        Fixes to apply to the rows, see `framescope.core.scene.schema.motions.Recorded`.

    Returns
    -------
    recording : Recording
        The poses; quaternions of unit length and continuous sign.
    problems : tuple of Problem
        ``"time-gap"``: a much larger step than usual, which the spline bridges; `times` are those of the samples before
        and after the gap, `rows` has the sample before. ``"duplicate-sample"``: a sample that is left out because it
        has the time of the sample before. Times are in s since the first sample; rows count the samples of the file,
        from 1. The last problem of a kind stands for all that are not listed individually, and has their rows.

    Raises
    ------
    TableError
        When a column does not exist.
    RecordingError
        When a unit, order, direction or sequence is unknown, there are fewer than 5 samples, time runs backwards, or an
        orientation is not a rotation within 1e-3.

    Notes
    -----
    Hamilton's quaternion that rotates vectors from the frame into the parent has the same numbers as `Q`, from the
    parent into the frame, because ``T(Q)`` is the transposed rotation. The first time is subtracted before scaling, so
    that large times lose no further digits.

    Examples
    --------
    >>> from framescope.core.recordings.pose_columns import times_of
    >>> from framescope.core.scene.schema.motions import AngleColumns
    >>> n = np.arange(5.0)
    >>> table = Table("turntable.csv", {"ms": 20 * n, "x": n, "y": 0 * n, "z": 0 * n, "yaw": 10 * n, "none": 0 * n})
    >>> angles = AngleColumns(columns=("yaw", "none", "none"), sequence="ZYX", unit="deg")
    >>> xyz = PoseColumns(time="ms", time_unit="ms", position=("x", "y", "z"), position_unit="mm", orientation=angles)
    >>> recording, problems = poses_at(times_of(table, xyz), table, xyz)
    >>> recording.t, recording.Q_PF[-1].round(4), problems
    (array([0.  , 0.02, 0.04, 0.06, 0.08]), array([0.    , 0.    , 0.342 , 0.9397]), ())
    """
    name, (p_PF, Q_PF) = table.name, rows_of(table, columns, mends)
    check_finite(name, "time is", t)
    check_finite(name, "position is", p_PF)
    order, t = row_mends.in_order(t, mends)
    p_PF, Q_PF = p_PF[order], Q_PF[order]
    step = np.diff(t)
    if (step < 0.0).any():
        row = int(np.argmax(step < 0.0))
        raise RecordingError(
            f"{name}: time runs backwards after sample {row + 1}, from {t[row]:.9g} s to {t[row + 1]:.9g} s.",
            "Sort the samples by time, or cut the file where it starts anew.",
        )
    rows = np.flatnonzero(np.concatenate([[True], step > 0.0]))
    if "drop frozen" in mends:
        rows = np.delete(rows, row_mends.frozen(p_PF[rows], Q_PF[rows]).rows)
    if "drop outliers" in mends:
        rows = np.delete(rows, outliers(t[rows], p_PF[rows], Q_PF[rows]))
    if len(rows) < MIN_SAMPLES:
        raise RecordingError(
            f"{name} has {counted(len(rows), 'sample')} of different times, at least {MIN_SAMPLES} are needed."
        )
    problems = [] if "leave gaps empty" in mends else _gaps(t, rows)
    problems += [] if "drop duplicates" in mends else _doubled_samples(t, p_PF, Q_PF)
    recording = Recording(t[rows], p_PF[rows], quaternions.continuous_signs(Q_PF[rows]))
    return recording, tuple(sorted(problems, key=lambda problem: problem.times[0]))


def inverted(recording: Recording) -> Recording:
    """Return the poses of P in F from a recording of F in P.

    Examples
    --------
    >>> turned = np.tile([0.0, 0.0, np.sqrt(0.5), np.sqrt(0.5)], (5, 1))
    >>> recording = Recording(np.arange(5.0), np.tile([1.0, 0.0, 0.0], (5, 1)), turned)
    >>> result = inverted(recording)
    >>> result.p_PF[0].round(9) + 0.0, result.Q_PF[0].round(4)
    (array([0., 1., 0.]), array([-0.    , -0.    , -0.7071,  0.7071]))
    """
    T_PF = linear_algebra.matrix_from_quaternion(recording.Q_PF)
    p_FP = -np.einsum("nij,nj->ni", T_PF, recording.p_PF)
    return Recording(recording.t, p_FP, recording.Q_PF * [-1.0, -1.0, -1.0, 1.0])


def _doubled_samples(t: Array, p_PF: Array, Q_PF: Array) -> list[Problem]:
    rows = np.flatnonzero(np.diff(t) == 0.0) + 1
    is_turned = (Q_PF[rows] != Q_PF[rows - 1]).any(axis=1) & (Q_PF[rows] != -Q_PF[rows - 1]).any(axis=1)
    is_same = (p_PF[rows] == p_PF[rows - 1]).all(axis=1) & ~is_turned
    problems: list[Problem] = []
    for row, same in zip(rows[:MAX_PROBLEMS].tolist(), is_same.tolist(), strict=False):
        poses = "the same pose" if same else "another pose"
        text = f"sample {row + 1} has the time of the one before, {t[row]:.9g} s, and {poses}: left out."
        problems.append(_problem_of_row("duplicate-sample", text, (float(t[row]),), row))
    return _add_summary(problems, rows, "samples left out")


def _gaps(t: Array, rows: Rows) -> list[Problem]:
    step = np.diff(t[rows])
    usual = median(step)
    places = gaps(t[rows])
    places = places[np.argsort(-step[places], kind="stable")]
    problems: list[Problem] = []
    for i in places[:MAX_PROBLEMS].tolist():
        row, length = int(rows[i]), float(step[i])
        text = f"no sample for {length:.3g} s after {t[row]:.9g} s, {length / usual:.0f} times the usual step."
        problems.append(_problem_of_row("time-gap", text, (float(t[row]), float(t[rows[i + 1]])), row))
    return _add_summary(problems, rows[places], "gaps, none longer")


def _problem_of_row(kind: str, text: str, times: tuple[float, ...], row: int) -> Problem:
    return Problem((), text, severity="note", time=times[0], kind=kind, times=times, rows=(row + 1,))


def _add_summary(problems: list[Problem], rows: Rows, noun: str) -> list[Problem]:
    """Add a problem with all rows, from 0, that are not listed individually."""
    others = (rows[len(problems) :] + 1).tolist()
    if others:
        problems.append(replace(problems[-1], message=f"{len(others)} more {noun}.", rows=tuple(others)))
    return problems

"""Summary of a frame or vector of a table: rows, time span, first and last value."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from framescope.core.errors import FramescopeError, Problem
from framescope.core.kernels import linear_algebra
from framescope.core.kernels.validation import Array
from framescope.core.recordings.pose_columns import rows_of
from framescope.core.recordings.pose_spline import Recording
from framescope.core.recordings.row_cleaning import inverted
from framescope.core.recordings.tables.mixed import MixedTable, Rows
from framescope.core.scene.schema.motions import Mend
from framescope.core.scene.schema.quantities import UNITS
from framescope.features.table_import.core.choices import Choices, TableSource, motion_of
from framescope.features.table_import.core.row_checks import check, check_with_mends, unread_times


@dataclass(frozen=True, eq=False)
class RecordingSummary:
    """Summary of one frame, or one measured vector, of a table.

    Attributes
    ----------
    source
        Frame or vector.
    n_rows
        Number of rows with all their numbers.
    first_time, last_time
        Times by the clock of the file, s.
    positions : (2, 3), quaternions : (2, 4)
        First and last pose of the frame in its parent: m, and Hamilton quaternions, scalar last, which take vectors of
        the frame into the parent. For a measured vector, `positions` holds its first and last value in SI units.
    problems, mends
        Problems of the rows, and the fixes that the import applies.
    """

    source: TableSource
    n_rows: int
    first_time: float
    last_time: float
    positions: Array
    quaternions: Array
    problems: tuple[Problem, ...]
    mends: tuple[Mend, ...] = ()

    def is_fixed(self, problem: Problem) -> bool:
        """Return whether the fix of a problem is applied."""
        return problem.fix is not None and problem.fix.change in self.mends

    @property
    def is_usable(self) -> bool:
        """Whether no remaining problem prevents the import."""
        return not any(problem.severity == "red" for problem in self.problems)

    @property
    def duration(self) -> float:
        """Time from the first to the last row, s."""
        return self.last_time - self.first_time


Mending = Literal["safe", "all", "chosen"]
"""Fixes to apply besides the chosen ones: the safe ones, all, or none."""


def summary_of(
    table: MixedTable, choices: Choices, source: TableSource, unit: str = "", mending: Mending = "safe"
) -> RecordingSummary:
    """Return the summary of a frame or a vector of a table; `unit` overrides the guessed unit of a vector."""
    is_chosen = mending == "chosen"
    checked = (
        check(table, choices, source)
        if is_chosen
        else check_with_mends(table, choices, source, is_safe_only=mending == "safe")
    )
    problems = (*checked.problems, *(unread_times(table, choices) if source.vector is None else ()))
    n = len(checked.t)
    ends = np.array([0, n - 1]) if n else np.zeros(0, dtype=np.intp)
    nothing = np.zeros((0, 3)), np.zeros((0, 4))
    positions, quaternions = nothing
    if source.vector is not None:
        scale = UNITS[source.vector.form][unit or source.vector.unit]
        positions = checked.position[ends] * scale
    elif n and checked.is_usable:
        try:
            positions, quaternions = _poses(table, choices, source, checked.rows[ends])
        except (FramescopeError, ValueError) as error:
            problems = (*problems, Problem((), str(error), kind="columns"))
    first, last = (checked.first + float(checked.t[i]) if n else 0.0 for i in (0, -1))
    return RecordingSummary(source, n, first, last, positions, quaternions, problems, checked.mends)


def _poses(table: MixedTable, choices: Choices, source: TableSource, rows: Rows) -> tuple[Array, Array]:
    columns = motion_of(replace(choices, format="table"), source, table.name).columns
    if columns is None:
        raise ValueError("no columns are chosen")
    p, Q = rows_of(table.table(columns.names, rows), columns, ("normalise",))
    if choices.pose == "parent in frame":
        recording = inverted(Recording(np.arange(float(len(p))), p, Q))
        p, Q = recording.p_PF, recording.Q_PF
    Q = Q / np.sqrt(linear_algebra.squared_norm(Q))[:, np.newaxis]
    return p, Q

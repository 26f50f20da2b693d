"""Columns of a table over time, for joints and sensors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from framescope.core.kernels.validation import Array
from framescope.core.recordings.tables.limits import TableError, quoted
from framescope.core.recordings.tables.mixed import read_once
from framescope.core.system.caches import FileState, cache_while_used, file_state


@dataclass(frozen=True, eq=False)
class ColumnSeries:
    """Values (n, k) of k columns at times (n,), s, since the first; NaN for a row without a value.

    At a time with two rows the value jumps; tools write events like this.
    """

    t: Array
    values: Array

    def __call__(self, t: Array) -> Array:
        """Return the values (m, k) at times (m,), interpolated linearly; NaN before and after the samples."""
        out = np.full((len(t), self.values.shape[1]), np.nan)
        for i in range(self.values.shape[1]):
            known = np.isfinite(self.values[:, i])
            if known.any():
                out[:, i] = np.interp(t, self.t[known], self.values[known, i], left=np.nan, right=np.nan)
        return out


def read_columns(path: Path, time: str, time_unit_s: float, columns: Sequence[str]) -> ColumnSeries:
    """Return columns of a table over its column of time; the first time counts as 0.

    Raises
    ------
    TableError
        When the file is not a table, or a column is missing or holds text.
    """
    return _read(path, file_state(path), time, time_unit_s, tuple(columns))


@cache_while_used
def _read(path: Path, _state: FileState, time: str, time_unit_s: float, columns: tuple[str, ...]) -> ColumnSeries:
    mixed = read_once(path)
    timed = mixed.whole_rows((time,))
    if not len(timed):
        raise TableError(f"{path.name} has no row with a number in the column {quoted(time)}.")
    times = mixed.table((time,), timed).since_first(time) * time_unit_s
    values = np.full((len(timed), len(columns)), np.nan)
    for i, column in enumerate(columns):
        rows = mixed.whole_rows((column,), timed)
        values[np.isin(timed, rows), i] = mixed.table((column,), rows).column(column)
    return ColumnSeries(times, values)

"""Time series of a recorded vector."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from framescope.core.kernels.validation import Array
from framescope.core.recordings import row_mends
from framescope.core.recordings.pose_spline import RecordingError
from framescope.core.recordings.tables.mixed import read_once
from framescope.core.scene.schema.motions import PoseColumns
from framescope.core.system.caches import FileState, cache_while_used, file_state


@dataclass(frozen=True, eq=False)
class Series:
    """Samples (n, 3) of a vector at times (n,), s; linear between them, NaN before and after.

    `first` is the first time in the file, s. `stand_ins` are the rows of the file, from 1, with a placeholder such as
    -9999 that `mends` does not drop, and `stand_in` is the column of the first placeholder.
    """

    t: Array
    values: Array
    first: float = 0.0
    stand_ins: tuple[int, ...] = ()
    stand_in: str = ""

    def __call__(self, t: Array) -> Array:
        """Return the vector (m, 3) at times (m,)."""
        out = np.empty((len(t), self.values.shape[1]))
        for i in range(self.values.shape[1]):
            out[:, i] = np.interp(t, self.t, self.values[:, i], left=np.nan, right=np.nan)
        return out


def read_series(
    path: Path, time: str, time_unit_s: float, values: tuple[str, str, str], mends: Collection[str] = ()
) -> Series:
    """Read three columns of a table over its column of time, starting at 0.

    See `framescope.core.scene.schema.measured.MeasuredVector` for `mends`.

    Raises
    ------
    TableError, RecordingError
        When the file is not a table, a column is missing, or time does not run forward.
    """
    return _read(path, file_state(path), time, time_unit_s, values, frozenset(mends))


@cache_while_used
def _read(
    path: Path, _state: FileState, time: str, time_unit_s: float, values: tuple[str, str, str], mends: frozenset[str]
) -> Series:
    mixed = read_once(path)
    mixed.check_time_unit(time, "s" if time_unit_s == 1.0 else "another unit")
    names = (time, *values)
    whole = mixed.whole_rows(names) if "drop missing" in mends else np.arange(mixed.n_rows)
    table = mixed.table(names, whole)
    stand_ins, stand_in = row_mends.sentinel_rows(table, names) if "drop sentinels" not in mends else ((), "")
    rows = row_mends.kept_rows(table, PoseColumns(time=time, position=values), mends)
    table = table if rows is None else table.some(rows)
    t = table.since_first(time) * time_unit_s
    if not len(t):
        raise RecordingError(f"{path.name} has no samples.")
    first = float(table.column(time)[0]) * time_unit_s
    vectors = np.stack([table.column(name).astype(np.float64) for name in values], axis=-1)
    if not np.isfinite(t).all():
        raise RecordingError(f"{path.name}: time has no value in sample {int(np.argmin(np.isfinite(t))) + 1}.")
    first += float(t.min()) if "sort by time" in mends else 0.0
    _, late = row_mends.in_order(t, mends - {"spread time"})
    first += row_mends.late_by(late) if "spread time" in mends else 0.0
    order, t = row_mends.in_order(t, mends)
    vectors = vectors[order]
    if "drop duplicates" in mends:
        is_first = np.concatenate([[True], np.diff(t) != 0.0])
        t, vectors = t[is_first], vectors[is_first]
    late = np.flatnonzero(np.diff(t) <= 0.0)
    if late.size:
        message = f"{path.name}: time does not run forward after sample {int(late[0]) + 1}."
        raise RecordingError(message, "Sort the samples by time, and leave out doubled ones.")
    return Series(t, vectors, first, tuple((whole[list(stand_ins)] + 1).tolist()), stand_in)

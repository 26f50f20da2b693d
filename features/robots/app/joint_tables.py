"""Time columns of tables with joints."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from framescope.core.errors import FramescopeError
from framescope.core.recordings.columns.column_names import read_name
from framescope.core.recordings.columns.guess_time import combined_unit, guess_time, guess_time_unit
from framescope.core.recordings.pose_columns import TIME_UNITS
from framescope.core.recordings.tables.mixed import MixedTable


def joint_times(table: MixedTable, values: Collection[str]) -> tuple[str, str, float]:
    """Return the time column of a table beside the columns of values, its unit, and the duration, s."""
    named = {column: read_name(column) for column in table.order if column in table.numbers and column not in values}
    time, _ = guess_time(list(named), named, table.numbers, table.stamps)
    if time is None:
        raise FramescopeError(f"{table.name} has no column of times. Give it one, such as t, in seconds.")
    t = table.numbers[time]
    unit = "s" if time in table.stamps else (combined_unit(time) or guess_time_unit(t, named[time]))[0]
    t = t[np.isfinite(t)]
    return time, unit, float(np.ptp(t)) * TIME_UNITS[unit] if len(t) else 0.0

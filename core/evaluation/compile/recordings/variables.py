"""Variables of the tables that a scene names; each can be plotted by a recorded sensor."""

from __future__ import annotations

import heapq
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from framescope.core.errors import FramescopeError
from framescope.core.evaluation.compile.recorded import RecordedSource, row_numbers, source_of
from framescope.core.evaluation.compile.recordings.vectors import read_series
from framescope.core.evaluation.local_motion import MotionContext
from framescope.core.recordings.columns.column_names import read_name
from framescope.core.recordings.tables.limits import TableError
from framescope.core.recordings.tables.mixed import read_once
from framescope.core.scene.files.referenced_files import TABLE_FILES
from framescope.core.scene.schema.measured import MeasuredPose, MeasuredVector
from framescope.core.scene.schema.model import Scene
from framescope.core.scene.schema.motions import Joint, Recorded
from framescope.core.scene.schema.quantities import Quantity, unit_factor
from framescope.core.scene.schema.sensors import RecordedSensor
from framescope.core.system.caches import FileCache, FileState, file_state
from framescope.core.system.file_access import resolve_named

MAX_NAME = 300
"""Longest column name that a sensor can have, in characters."""

MAX_RANKED = 20_000
"""Largest number of matches that are ranked by whole words; more are in the order of the file."""

SAME_TIME_S = 1e-6
"""Largest difference between equal times of a file, due to rounding, s."""


@dataclass(frozen=True)
class TableClock:
    """Clock of a table in a scene: its time column, and the scene time `start` of its first row."""

    file: str
    time: str
    time_unit: str | None
    start: Quantity


@dataclass(frozen=True, eq=False)
class VariableList:
    """Columns of numbers in a table, with units stated in the file, and case-folded names for searching.

    `combined` are columns that the reader combined from others, such as times of seconds and nanoseconds.
    """

    names: tuple[str, ...]
    units: Mapping[str, str]
    folded: tuple[str, ...]
    combined: frozenset[str]

    def has(self, name: str) -> bool:
        """Return whether the table has a column of this name that may contain times."""
        return name in self.combined or name in self.names


@dataclass(frozen=True, eq=False)
class TableVariables:
    """Variables of a table that a scene names, with the clock by which the scene reads it."""

    clock: TableClock
    listed: VariableList

    def unit(self, name: str) -> str:
        """Return the unit of a variable, empty if the file states none."""
        return self.listed.units.get(name, "") or read_name(name).unit

    def sensor(self, name: str) -> RecordedSensor:
        """Return a sensor for a variable."""
        clock = self.clock
        return RecordedSensor(
            unit=self.unit(name) or None,
            file=clock.file,
            time=clock.time,
            time_unit=clock.time_unit,
            values=(name,),
            start=clock.start,
        )


@dataclass(frozen=True, eq=False)
class FoundVariables:
    """Nearest matches of a search, each with its table, and the number of all matches."""

    nearest: tuple[tuple[TableVariables, str], ...]
    count: int


NO_VARIABLES = FoundVariables((), 0)


def names_tables(scene: Scene) -> bool:
    """Return whether a scene names a table with variables for plots."""
    return any(_clocks(scene))


def recorded_variables(scene: Scene, context: MotionContext) -> tuple[TableVariables, ...]:
    """Return the variables of all tables named in a sensor, a joint, a motion or a measurement of a scene.

    The clock of a table comes from its first readable use in the scene. Unreadable files are skipped; the problems list
    reports them. A file is read again only when it changes.
    """
    lists, tables = dict[str, VariableList | None](), dict[str, TableVariables]()
    for clock, recording in _clocks(scene):
        if clock.file in tables:
            continue
        if clock.file not in lists:
            lists[clock.file] = _list_of(clock.file, context)
        listed = lists[clock.file]
        if listed is None or not listed.has(clock.time):
            continue
        with suppress(FramescopeError, OSError):
            tables[clock.file] = TableVariables(replace(clock, start=_start_of_rows(clock, recording, context)), listed)
    return tuple(tables.values())


def find_variables(
    tables: Sequence[TableVariables], query: str, most: int, without: Collection[tuple[str, str]] = ()
) -> FoundVariables:
    """Return the variables with all words of a query in their name or file name.

    A name equal to the query comes first, then names with more of the words as whole parts and with fewer other parts.

    Parameters
    ----------
    tables, query
        Variables, and words to search for, in any order.
    most
        Largest number of matches returned; all are counted.
    without
        Files and names of variables to exclude.
    """
    text = query.strip().casefold()
    words = text.split()
    matches = [(table, i) for table in tables for i in _matching_rows(table, words, without)]
    if words:

        def rank(match: tuple[TableVariables, int]) -> tuple[bool, int, int]:
            return _rank(match[0].listed.folded[match[1]], text, words if len(matches) <= MAX_RANKED else ())

        nearest = heapq.nsmallest(most, matches, key=rank)
    else:
        nearest = matches[:most]
    return FoundVariables(tuple((table, table.listed.names[i]) for table, i in nearest), len(matches))


def _matching_rows(table: TableVariables, words: Sequence[str], without: Collection[tuple[str, str]]) -> list[int]:
    file, folded, names = table.clock.file, table.listed.folded, table.listed.names
    skipped = {name for of, name in without if of == file} | {table.clock.time}
    rows = [i for i, name in enumerate(names) if name not in skipped]
    for word in words:
        if word not in file.casefold():
            rows = [i for i in rows if word in folded[i]]
    return rows


def _rank(name: str, text: str, words: Sequence[str]) -> tuple[bool, int, int]:
    """Return sort keys of a name: whether it differs from the text, and the numbers of partial matches and of parts."""
    parts = re.split(r"[\W_]+", name.strip("[]")) if words else ()
    return name != text, sum(word not in parts for word in words), len(parts)


# --- Files


def _list_of(file: str, context: MotionContext) -> VariableList | None:
    try:
        return _cached_list(resolve_named(file, context.access, (), TABLE_FILES))
    except (FramescopeError, OSError):
        return None


def _list_variables(path: Path) -> VariableList:
    table = read_once(path)
    names = tuple(name for name in table.own if len(name) <= MAX_NAME and name in table.numbers)
    combined = frozenset(table.order).difference(table.own) if len(table.own) < len(table.order) else frozenset[str]()
    return VariableList(names, table.units, tuple(map(str.casefold, names)), combined)


_cached_list = FileCache(_list_variables, 1, lambda listed: len(listed.names), 2_000_000)


# --- Clocks


def _clocks(scene: Scene) -> Iterator[tuple[TableClock, Recorded | MeasuredVector | None]]:
    """Yield the clocks of the tables of a scene, with recordings that may skip first rows; the simplest come first.

    Recordings that read only some rows, or have no times in the file, give no clock.
    """
    for sensor in scene.sensors.values():
        if isinstance(sensor, RecordedSensor):
            yield TableClock(sensor.file, sensor.time, sensor.time_unit, sensor.start), None
    motions = [frame.motion for frame in scene.frames.values()]
    for motion in motions:
        joint = motion.recording if isinstance(motion, Joint) else None
        if joint is not None and joint.topic is None and joint.time is not None:
            yield TableClock(joint.file, joint.time, joint.time_unit, joint.start), None
    for item in scene.measured.values():
        if isinstance(item, MeasuredVector):
            yield TableClock(item.file, item.time, item.time_unit, item.start), item
    of_poses = (item.motion for item in scene.measured.values() if isinstance(item, MeasuredPose))
    for motion in (*motions, *of_poses):
        if isinstance(motion, Recorded) and motion.format == "table" and motion.rows is None:
            columns = motion.columns
            if columns is not None and columns.time is not None:
                yield TableClock(motion.file, columns.time, columns.time_unit, motion.start), motion


def _start_of_rows(clock: TableClock, recording: Recorded | MeasuredVector | None, context: MotionContext) -> Quantity:
    """Return the scene time of a table's first row with a time, which may be earlier than a recording's first row."""
    second = unit_factor(clock.time_unit, "recorded time", ())
    if recording is None:
        return clock.start
    if isinstance(recording, MeasuredVector):
        path = resolve_named(clock.file, context.access, (), TABLE_FILES)
        late = _vector_delay(path, file_state(path), clock.time, second, recording.values, recording.mends)
    else:
        late = _pose_delay(source_of(recording, context, ()), clock.time, second)
    if abs(late) <= SAME_TIME_S:
        return clock.start
    return Quantity(round(clock.start.si("time", ()) - late, 9), "s")


@lru_cache(maxsize=64)
def _pose_delay(source: RecordedSource, time: str, second: float) -> float:
    """Return the delay of the first row that a recording uses after the first row with a time, s."""
    path, _ = source.file
    rows = row_numbers(source)
    if not len(rows):
        raise TableError(f"{path.name} has no row that holds a pose.")
    return float(read_once(path).numbers[time][rows[0] - 1]) * second - _first_time(path, time, second)


@lru_cache(maxsize=64)
def _vector_delay(
    path: Path, _state: FileState, time: str, second: float, values: tuple[str, str, str], mends: tuple[str, ...]
) -> float:
    """Return the delay of the first row that a measured vector uses after the first row with a time, s."""
    return read_series(path, time, second, values, mends).first - _first_time(path, time, second)


def _first_time(path: Path, time: str, second: float) -> float:
    table = read_once(path)
    rows = table.whole_rows((time,))
    if not len(rows):
        raise TableError(f"{path.name} has no times.")
    return float(table.numbers[time][rows[0]]) * second

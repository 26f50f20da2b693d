"""Compilation of sensors with recorded values: columns of a table, or a vector that acts at a frame."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from framescope.core.errors import ItemError
from framescope.core.evaluation.compile.recorded import file_problems
from framescope.core.evaluation.compile.recordings.columns import ColumnSeries, read_columns
from framescope.core.evaluation.local_motion import MotionContext
from framescope.core.kernels.validation import Array
from framescope.core.scene.files.referenced_files import TABLE_FILES
from framescope.core.scene.schema.quantities import unit_factor
from framescope.core.scene.schema.sensors import RecordedSensor
from framescope.core.snapshot import Snapshot
from framescope.core.system.file_access import resolve_named

LETTERS = {"force": "f", "torque": "t"}
"""Letter for the arrow of each recorded quantity, beside the letters of other sensors."""

SLICE = "values"


@dataclass(frozen=True, eq=False)
class RecordedValues:
    """Output of a recorded sensor: values in their unit, resolved in its frame if they are a vector."""

    frame_a: str
    series: ColumnSeries
    labels: tuple[str, ...]
    quantity: str
    unit: str
    factor: float
    """Size of the unit in N or N m; 1 for any other quantity."""
    animation: bool = True

    @property
    def resolved_in(self) -> str:
        """Frame in which a vector is resolved."""
        return self.frame_a

    @property
    def slices(self) -> Mapping[str, slice]:
        """Slice of its only quantity in its output."""
        return {SLICE: slice(0, len(self.labels))}

    def output(self, snapshot: Snapshot) -> Array:
        """Return the values (..., k) at the times of a snapshot."""
        t = np.asarray(snapshot.t, dtype=np.float64)
        return self.series(t.reshape(-1)).reshape((*t.shape, len(self.labels)))


def compile_recorded_sensor(item: RecordedSensor, context: MotionContext) -> tuple[RecordedValues, dict[str, float]]:
    """Compile a recorded sensor; return its output, and arrow lengths per unit, m, by letter. Raises `ItemError`."""
    factor, arrows = 1.0, dict[str, float]()
    if item.quantity is not None:
        factor = unit_factor(item.unit, item.quantity, ("unit",))
        if len(item.values) != 3:
            message = f"a {item.quantity} has three columns, along x, y and z, and not {len(item.values)}."
            raise ItemError(("values",), message, "Name three, or leave out the quantity.")
    if item.arrow is not None:
        if item.quantity is None:
            raise ItemError(("arrow",), "only a force or a torque has an arrow.", "Add the quantity.")
        arrows[LETTERS[item.quantity]] = item.arrow.si("length", ("arrow",))
    second = unit_factor(item.time_unit, "recorded time", ("time_unit",))
    path = resolve_named(item.file, context.access, ("file",), TABLE_FILES)
    with file_problems(("file",), item.file):
        series = read_columns(path, item.time, second, item.values)
    late = np.flatnonzero(np.diff(series.t) < 0.0)
    if len(late):
        message = f"{item.file}: time does not run forward after row {int(late[0]) + 1}."
        raise ItemError(("file",), message, "Sort it by time.")
    start = item.start.si("time", ("start",))
    output = RecordedValues(
        item.frame_a,
        replace(series, t=series.t + start),
        item.values,
        item.quantity or "",
        item.unit or "",
        factor,
        item.animation,
    )
    return output, arrows

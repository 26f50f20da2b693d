"""Table of a scene over time: poses and velocities of all frames, and all sensors, with units."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from framescope.app.exporters.request import ExportError, ExportRequest
from framescope.core.errors import counted
from framescope.core.evaluation.compile.plots import CompiledPlot
from framescope.core.evaluation.evaluate import Plan
from framescope.core.evaluation.signal_curves import describe, labels, sample_curves, tabulate
from framescope.core.recordings.tables.writing import TableFileError, text_cell, write_table
from framescope.core.scene.schema.model import WORLD
from framescope.core.system.atomic_write import atomically
from framescope.core.system.optional_packages import PARQUET

MAX_NUMBERS = 20_000_000
"""Largest number of values in a table, limited by memory."""

BLOCK = 50_000
"""Rows of a CSV file that are formatted at once."""

LONG_COLUMNS = ("t [s]", "signal", "component", "unit", "value")

Array = NDArray[np.float64]


def write(request: ExportRequest) -> None:
    """Write a table: wide, with a column per signal component, or long, with a row per value."""
    count = request.n_rows
    times = request.start + np.arange(count) / request.fps
    signals = list(all_signals(request.plan))
    if not signals:
        raise ExportError(f"{request.path.name}: the scene has neither frames nor sensors, so that there is no table.")
    n_columns = 1 + sum(len(labels(request.plan, signal)) for signal in signals)
    if n_columns * count > MAX_NUMBERS:
        columns = counted(n_columns, "column")
        message = f"fps: {columns} of {counted(count, 'row')} are more than {MAX_NUMBERS} numbers. Use a lower rate."
        raise ExportError(message)
    try:
        if request.options.long:
            _write_long(request, signals, times)
        else:
            _write_wide(request, signals, times)
    except OSError as error:
        raise request.failure(error) from None


def all_signals(plan: Plan) -> Iterator[CompiledPlot]:
    """Yield position, quaternion, velocity and angular velocity of each frame in world, then each sensor."""
    for name in plan.names:
        if name != WORLD:
            yield CompiledPlot("position", name, WORLD, WORLD, "m", 1.0)
            yield CompiledPlot("quaternion", name, WORLD, "", "", 1.0)
            yield CompiledPlot("velocity", name, WORLD, WORLD, "m/s", 1.0)
            yield CompiledPlot("angular velocity", name, WORLD, WORLD, "rad/s", 1.0)
    for name in plan.instruments.sensors:
        yield CompiledPlot("sensor", name, "", "", "", 1.0)


def _write_wide(request: ExportRequest, signals: list[CompiledPlot], times: Array) -> None:
    columns = tabulate(request.plan, signals, times, partial(_report, request))
    try:
        write_table(request.path, columns)
    except TableFileError as error:
        raise ExportError(str(error)) from None


def _report(request: ExportRequest, done: int, total: int) -> None:
    """Report progress; raise `ExportCancelledError` when the caller has cancelled the export."""
    request.stop_if_cancelled()
    request.progress(done, total)


@dataclass(frozen=True)
class _Curve:
    """One component of a signal over all times, for a long table."""

    signal: str
    component: str
    unit: str
    values: Array


_UNIT = re.compile(r" \[([^\]]*)\]")
"""Unit in the label of a sensor's component; components may have different units."""


def _write_long(request: ExportRequest, signals: list[CompiledPlot], times: Array) -> None:
    with atomically(request.path) as partial:
        write_curves = _long_csv if request.path.suffix.lower() == ".csv" else _long_parquet
        write_curves(partial, times, _curves(request, signals, times))


def _curves(request: ExportRequest, signals: list[CompiledPlot], times: Array) -> Iterator[_Curve]:
    curves = sample_curves(request.plan, signals, times, partial(_report, request))
    for signal, values in zip(signals, curves, strict=True):
        name = describe(replace(signal, unit=""))
        for i, label in enumerate(labels(request.plan, signal)):
            unit_match = _UNIT.search(label) if signal.signal == "sensor" else None
            component = _UNIT.sub("", label, count=1) if unit_match else label
            unit = unit_match[1] if unit_match else signal.unit or "1"
            yield _Curve(name, component, unit, np.ascontiguousarray(values[:, i]))


def _long_csv(path: Path, times: Array, curves: Iterator[_Curve]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(LONG_COLUMNS)
        for curve in curves:
            named = tuple(map(text_cell, (curve.signal, curve.component, curve.unit)))
            for first in range(0, len(times), BLOCK):
                block = slice(first, first + BLOCK)
                writer.writerows(
                    (repr(t), *named, "" if x != x else repr(x))  # noqa: PLR0124 (NaN is not itself)
                    for t, x in zip(times[block].tolist(), curve.values[block].tolist(), strict=True)
                )


def _long_parquet(path: Path, times: Array, curves: Iterator[_Curve]) -> None:
    try:
        pa, parquet = PARQUET.part(), PARQUET.part("parquet")
    except ImportError:
        raise ExportError(PARQUET.reason) from None
    texts = pa.dictionary(pa.int32(), pa.string())
    schema = pa.schema(list(zip(LONG_COLUMNS, (pa.float64(), texts, texts, texts, pa.float64()), strict=True)))
    same = pa.array(np.zeros(len(times), dtype=np.int32))
    with parquet.ParquetWriter(path, schema) as writer:
        for curve in curves:
            texts_of = (curve.signal, curve.component, curve.unit)
            named = (pa.DictionaryArray.from_arrays(same, pa.array([text])) for text in texts_of)
            writer.write_table(pa.table([pa.array(times), *named, pa.array(curve.values)], schema=schema))

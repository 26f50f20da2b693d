"""Report of ``framescope import``, as lines and as JSON."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from framescope.app.cli.json_output import json_text
from framescope.core.errors import counted, with_source
from framescope.core.kernels import linear_algebra
from framescope.core.scene.files.loading import LoadedScene
from framescope.core.scene.schema.quantities import UNITS
from framescope.features.table_import.app.table_import import TableImport
from framescope.features.table_import.core.decisions import Decision
from framescope.features.table_import.core.summaries import RecordingSummary

VERSION = 1
"""Version of the JSON report, raised when a key changes its meaning or is removed."""


@dataclass(frozen=True)
class FileReport:
    """Report on one file.

    Attributes
    ----------
    file
        File name as given.
    kind
        ``"table"``, ``"bag"``, ``"scene"``, ``"mesh"``, ``"foreign"`` or ``"unreadable"``.
    message
        Sentence about a file that is no table.
    table
        Import of the table; None for other files.
    bag
        Scene of the bag, the robot or another file that describes one; None for other files.
    """

    file: str
    kind: str
    message: str = ""
    table: TableImport | None = field(default=None, compare=False)
    bag: LoadedScene | None = field(default=None, compare=False)

    @property
    def has_failed(self) -> bool:
        """Whether the file, or a part of it, cannot be imported."""
        return self.kind in ("foreign", "unreadable") or (self.table is not None and not self.table.is_usable)

    @property
    def open_decisions(self) -> tuple[Decision, ...]:
        """Decisions that nothing settles."""
        return () if self.table is None else self.table.open_decisions


def as_json(reports: Sequence[FileReport], scene: str | None) -> str:
    """Return the reports as one JSON object."""
    content = {
        "version": VERSION,
        "files": [_file(report) for report in reports],
        "open": sum(len(report.open_decisions) for report in reports),
        "scene": scene,
    }
    return json_text(content)


def _file(report: FileReport) -> dict[str, Any]:
    imported = report.table
    return {
        "file": report.file,
        "kind": report.kind,
        "message": report.message,
        "rows": 0 if imported is None else imported.table.n_rows,
        "columns": [] if imported is None else list(imported.table.own),
        "decisions": [] if imported is None else [_decision(decision) for decision in imported.decisions],
        "open": [decision.name for decision in report.open_decisions],
        "notes": [] if imported is None else [{"kind": note.kind, "text": note.text} for note in imported.table.notes],
        "recordings": [] if imported is None else [_recording(imported, summary) for summary in imported.summaries],
    }


def _decision(decision: Decision) -> dict[str, Any]:
    return {
        "name": decision.name,
        "value": decision.value,
        "alternatives": list(decision.alternatives),
        "reason": decision.reason,
        "certainty": decision.certainty,
        "settled_by": decision.settled_by,
    }


def _recording(imported: TableImport, summary: RecordingSummary) -> dict[str, Any]:
    vector = summary.source.vector
    ends = [_end(summary, i) for i in range(len(summary.positions))]
    return {
        "name": summary.source.label or imported.path.stem,
        "parent": summary.source.parent or None,
        "form": "pose" if vector is None else vector.form,
        "rows": summary.n_rows,
        "first_time": _number(summary.first_time),
        "last_time": _number(summary.last_time),
        "duration": _number(summary.duration),
        "first": ends[0] if ends else None,
        "last": ends[-1] if ends else None,
        "usable": summary.is_usable,
        "mends": list(summary.mends),
        "problems": [
            {
                "kind": problem.kind,
                "severity": problem.severity,
                "text": problem.message,
                "rows": list(problem.rows),
                "mend": problem.fix.change if problem.fix is not None else None,
                "change": problem.fix.effect if problem.fix is not None else problem.hint,
                "mended": summary.is_fixed(problem),
            }
            for problem in summary.problems
        ],
    }


def _end(summary: RecordingSummary, i: int) -> dict[str, Any]:
    time = summary.first_time if i == 0 else summary.last_time
    vector = summary.source.vector
    if vector is not None:
        return {"time": _number(time), "value": _numbers(summary.positions[i]), "unit": next(iter(UNITS[vector.form]))}
    matrix = linear_algebra.matrix_from_quaternion(summary.quaternions[i])
    return {
        "time": _number(time),
        "position": _numbers(summary.positions[i]),
        "quaternion_xyzw": _numbers(summary.quaternions[i]),
        "matrix": [_numbers(row) for row in np.swapaxes(np.asarray(matrix), -1, -2)],
    }


def _number(value: float) -> float | None:
    return float(value) if math.isfinite(value) else None


def _numbers(values: Any) -> list[float | None]:
    return [_number(value) for value in np.asarray(values, dtype=float).tolist()]


def decision_lines(decisions: Sequence[Decision]) -> Iterator[str]:
    """Yield decisions as lines of a terminal; an open one with its alternatives."""
    width = max((len(decision.name) for decision in decisions), default=0)
    values = min(max((len(decision.value) for decision in decisions), default=0), 40)
    for decision in decisions:
        yield f"  {decision.name:{width}}  {decision.value:{values}}  {decision.certainty:8}{decision.reason}"
        if decision.certainty == "open":
            others = "; ".join(decision.alternatives[:6])
            yield (
                f"  {'':{width}}  or {others}: {decision.settled_by}"
                if others
                else f"  {'':{width}}  {decision.settled_by}"
            )


def as_lines(reports: Sequence[FileReport]) -> Iterator[str]:
    """Yield the reports as lines of a terminal."""
    for report in reports:
        imported = report.table
        if imported is None:
            yield with_source(report.file, report.message)
            continue
        yield f"{report.file}: {counted(imported.table.n_rows, 'row')}, {counted(len(imported.table.own), 'column')}"
        yield from decision_lines(imported.decisions)
        for note in imported.table.notes:
            yield f"  note: {note.text}"
        for summary in imported.summaries:
            yield from _lines_of(imported, summary)


def _lines_of(imported: TableImport, summary: RecordingSummary) -> Iterator[str]:
    vector = summary.source.vector
    name = summary.source.label or imported.path.stem
    yield f"  {name}: {counted(summary.n_rows, 'row')}, {summary.duration:.6g} s"
    for word, i in (("first", 0), ("last", -1)):
        if not len(summary.positions):
            continue
        numbers = "  ".join(f"{value:.6g}" for value in summary.positions[i])
        if vector is None:
            quaternion = "  ".join(f"{value:.6g}" for value in summary.quaternions[i])
            yield f"    {word:5} at {numbers} m, quaternion xyzw {quaternion}"
        else:
            yield f"    {word:5} {numbers} {next(iter(UNITS[vector.form]))}"
    for problem in summary.problems:
        is_fixed, fix = summary.is_fixed(problem), problem.fix
        severity = "fixed" if is_fixed and problem.severity == "note" else problem.severity
        yield f"    {severity}{', fixed' * (is_fixed and severity != 'fixed')}: {problem.message}"
        if fix is not None:
            yield f"      {fix.change}: {fix.effect}" + ("" if is_fixed else f' (--mend "{fix.change}")')

"""Report of ``framescope import``: as lines, and as JSON."""

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
"""Of the JSON: it rises when a key changes its meaning or goes."""


@dataclass(frozen=True)
class FileReport:
    """What was found in one file.

    Attributes
    ----------
    file
        Its name as it was given.
    kind
        ``"table"``, ``"bag"``, ``"scene"``, ``"mesh"``, ``"foreign"`` or ``"unreadable"``.
    message
        A sentence on what is no table.
    found
        The table and how it is read; None of anything else.
    bag
        The scene that a bag becomes; None of anything else.
    """

    file: str
    kind: str
    message: str = ""
    found: TableImport | None = field(default=None, compare=False)
    bag: LoadedScene | None = field(default=None, compare=False)

    @property
    def has_failed(self) -> bool:
        """Whether nothing, or not all, of it can be imported."""
        return self.kind in ("foreign", "unreadable") or (self.found is not None and not self.found.is_usable)

    @property
    def open_decisions(self) -> tuple[Decision, ...]:
        """What nothing settles."""
        return () if self.found is None else self.found.open_decisions


def as_json(reports: Sequence[FileReport], scene: str | None) -> str:
    """Return reports as one JSON object."""
    content = {
        "version": VERSION,
        "files": [_file(report) for report in reports],
        "open": sum(len(report.open_decisions) for report in reports),
        "scene": scene,
    }
    return json_text(content)


def _file(report: FileReport) -> dict[str, Any]:
    found = report.found
    return {
        "file": report.file,
        "kind": report.kind,
        "message": report.message,
        "rows": 0 if found is None else found.table.n_rows,
        "columns": [] if found is None else list(found.table.own),
        "decisions": [] if found is None else [_decision(each) for each in found.decisions],
        "open": [each.name for each in report.open_decisions],
        "notes": [] if found is None else [{"kind": each.kind, "text": each.text} for each in found.table.notes],
        "recordings": [] if found is None else [_recording(found, each) for each in found.summaries],
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


def _recording(found: TableImport, summary: RecordingSummary) -> dict[str, Any]:
    vector = summary.source.vector
    ends = [_end(summary, i) for i in range(len(summary.positions))]
    return {
        "name": summary.source.label or found.path.stem,
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
                "kind": each.kind,
                "severity": each.severity,
                "text": each.text,
                "rows": list(each.rows),
                "mend": each.mend,
                "change": each.change,
                "mended": each.is_mended,
            }
            for each in summary.problems
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
    """Yield decisions as lines of a terminal, an open one with what else it could be."""
    width = max((len(each.name) for each in decisions), default=0)
    values = min(max((len(each.value) for each in decisions), default=0), 40)
    for each in decisions:
        yield f"  {each.name:{width}}  {each.value:{values}}  {each.certainty:8}{each.reason}"
        if each.certainty == "open":
            others = "; ".join(each.alternatives[:6])
            yield f"  {'':{width}}  or {others}: {each.settled_by}" if others else f"  {'':{width}}  {each.settled_by}"


def as_lines(reports: Sequence[FileReport]) -> Iterator[str]:
    """Yield the lines of a terminal."""
    for report in reports:
        found = report.found
        if found is None:
            yield with_source(report.file, report.message)
            continue
        yield f"{report.file}: {counted(found.table.n_rows, 'row')}, {counted(len(found.table.own), 'column')}"
        yield from decision_lines(found.decisions)
        for note in found.table.notes:
            yield f"  note: {note.text}"
        for summary in found.summaries:
            yield from _lines_of(found, summary)


def _lines_of(found: TableImport, summary: RecordingSummary) -> Iterator[str]:
    vector = summary.source.vector
    name = summary.source.label or found.path.stem
    yield f"  {name}: {counted(summary.n_rows, 'row')}, {summary.duration:.6g} s"
    for word, i in (("first", 0), ("last", -1)):
        if not len(summary.positions):
            continue
        numbers = "  ".join(f"{value:.6g}" for value in summary.positions[i])
        if vector is None:
            turned = "  ".join(f"{value:.6g}" for value in summary.quaternions[i])
            yield f"    {word:5} at {numbers} m, quaternion xyzw {turned}"
        else:
            yield f"    {word:5} {numbers} {next(iter(UNITS[vector.form]))}"
    for problem in summary.problems:
        severity = "mended" if problem.is_mended and problem.severity == "note" else problem.severity
        yield f"    {severity}{', mended' * (problem.is_mended and severity != 'mended')}: {problem.text}"
        if problem.mend is not None:
            yield f"      {problem.mend}: {problem.change}" + (
                "" if problem.is_mended else f' (--mend "{problem.mend}")'
            )

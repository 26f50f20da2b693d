"""Work of the command `detect`: reading both sides, detection and the printed report."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from framescope.app.cli.json_output import json_text
from framescope.core.errors import FramescopeError, counted
from framescope.core.scene.files.referenced_files import TABLE_FILES
from framescope.core.system.features import entries
from framescope.features.detective.core.conversion import conversion_code
from framescope.features.detective.core.interpretations import interpretations_of
from framescope.features.detective.core.pasted_samples import read_pasted_samples
from framescope.features.detective.core.pipeline import Report, detect_samples
from framescope.features.detective.core.report_text import NONE, as_json, columns_of
from framescope.features.detective.core.samples import Samples, read_samples

STANDARD_INPUT = "-"
EXIT_FOUND, EXIT_UNCLEAR, EXIT_NOTHING = 0, 3, 4


@dataclass(frozen=True)
class SideOption:
    """One side on the command line: a file, numbers or ``-``, with a known interpretation and columns."""

    source: str
    read_as: str = "auto"
    columns: str = ""
    time: str | None = None


def run_detect(
    a: SideOption, b: SideOption, *, offset: float | None, by_row: bool, as_text: str, code: str
) -> tuple[str, int]:
    """Return the printed text and the exit status of the command.

    Parameters
    ----------
    a, b
        The two sides.
    offset
        Offset to add to the times of `b`, s; None estimates it.
    by_row
        Whether to pair row by row despite times.
    as_text
        ``"table"`` or ``"json"``.
    code
        Target of `conversion_code`; empty for none.

    Raises
    ------
    FramescopeError
        When a side cannot be read, or the sides do not pair up.
    """
    if a.source == b.source == STANDARD_INPUT:
        raise FramescopeError("both sides are -: standard input has the numbers of one side only.")
    samples_a, samples_b = _samples("A", a), _samples("B", b)
    if len(samples_a.numbers) == len(samples_b.numbers) == 1 and a.read_as == b.read_as == "auto" and not code:
        for compare in entries(lambda feature: (feature.comparison,) if feature.comparison else ()):
            texts = (_row_text(samples_a), _row_text(samples_b))
            return compare(*texts, ("A", "B"), as_json_text=as_text == "json")
    if by_row:
        samples_a, samples_b = (replace(samples, times=None) for samples in (samples_a, samples_b))
    try:
        interpretations_a, interpretations_b = (
            None if side.read_as == "auto" else interpretations_of(samples.numbers.shape[1], side.read_as)
            for side, samples in ((a, samples_a), (b, samples_b))
        )
        pairs, report = detect_samples(samples_a, samples_b, offset, interpretations_a, interpretations_b)
        best = report.findings[0].hypothesis
        code_text = conversion_code(best, code, samples_a.label, samples_b.label) if code else ""
    except ValueError as error:
        raise FramescopeError(f"{error}.".replace("..", ".")) from None
    status = {"found": EXIT_FOUND, "unclear": EXIT_UNCLEAR, "nothing": EXIT_NOTHING}[report.status]
    if as_text == "json":
        content = as_json(report) | {
            "sides": {"a": _side_json(samples_a), "b": _side_json(samples_b)},
            "pairing": pairs.description,
            "time_offset": pairs.offset,
        }
        return json_text(content | ({"code": code_text} if code else {})), status
    sides = (("A", samples_a), ("B", samples_b))
    head = "\n".join([*(f"{name} is {side.label}: {side.description}" for name, side in sides), pairs.description])
    ignored = (
        f"Ignored: {counted(report.n_left_out, 'pair')} with a value that is missing or not finite, or zeros alone."
    )
    lines = [head, *([ignored] if report.n_left_out else []), "", *_table(report), "", report.verdict]
    return "\n".join(lines + (["", code_text.rstrip()] if code else [])), status


def _samples(name: str, side: SideOption) -> Samples:
    text = side.source
    if text == STANDARD_INPUT:
        return read_pasted_samples(sys.stdin.read(), "standard input")
    path = Path(text)
    if path.suffix.lower() in TABLE_FILES or _exists(path):
        columns = tuple(column.strip() for column in side.columns.split(",") if column.strip())
        return read_samples(path, columns, side.time)
    if not any(char.isdigit() for char in text):
        read_samples(path)  # raises with the likely file name
    return read_pasted_samples(text.replace(";", "\n") if "[" not in text else text, f"numbers {name}")


def _row_text(samples: Samples) -> str:
    """Return the numbers of the only row of a side, with all their digits."""
    return " ".join(repr(float(number)) for number in samples.numbers[0])


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:  # numbers can be no file name
        return False


def _side_json(samples: Samples) -> dict[str, str | int]:
    return {"name": samples.label, "read": samples.description, "rows": len(samples.numbers)}


def _table(report: Report) -> Iterator[str]:
    rows = [("#", "A is", "axes", "sense", "unit", "B is", "and", "rad rms", "against")]
    for i, finding in enumerate(report.findings, start=1):
        message = columns_of(finding.hypothesis)
        against = f"{finding.n_against} of {report.n_samples}"
        mark = "=" if i - 1 in report.unclear or (i == 1 and report.unclear) else " "
        rms = f"{finding.rms:.4f}" if finding.rms >= 1e-4 else f"{finding.rms:.1e}"
        of_a = (message.form, message.axes, message.sense, message.unit)
        rows.append((f"{mark}{i}", *of_a, message.form_b, message.more or NONE, rms, against))
    widths = [max(len(row[k]) for row in rows) for k in range(len(rows[0]))]
    is_right = (0, 7, 8)
    for row in rows:
        placed = enumerate(zip(row, widths, strict=True))
        cells = (cell.rjust(w) if k in is_right else cell.ljust(w) for k, (cell, w) in placed)
        yield "  ".join(cells).rstrip()

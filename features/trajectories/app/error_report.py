"""Reports of the commands ``ape``, ``rpe`` and ``traj``, as lines or JSON, and the files that they write."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from framescope.app.cli.json_output import json_text
from framescope.core.errors import FramescopeError, counted, visible_text
from framescope.core.recordings.outliers import gaps
from framescope.core.recordings.tables.writing import write_table
from framescope.core.scene.files.saving import write_atomically
from framescope.core.system.output_check import check_output
from framescope.features.trajectories.core.error_tables import (
    AlignmentKind,
    EstimateErrors,
    Pairing,
    Steps,
    errors_of,
    names_of,
    title_of,
)
from framescope.features.trajectories.core.pose_stream import PoseStream, StreamError
from framescope.features.trajectories.core.stream_reading import StreamChoice, read_stream, split_name
from framescope.features.trajectories.core.trajectory_errors import RELATIONS, STATISTICS, Relation
from framescope.features.trajectories.core.trajectory_writing import (
    WRITERS,
    columns_of_errors,
    format_of,
    stamp_texts,
)

TABLES = (".csv", ".npz", ".parquet")
"""Endings of tables of errors."""


@dataclass(frozen=True)
class ErrorOutputs:
    """Files that a comparison writes: a table of errors, the aligned estimate, a figure; and whether it prints JSON."""

    results: Path | None = None
    aligned: Path | None = None
    plot: Path | None = None
    as_json: bool = False


def run_errors(
    reference: str,
    estimates: Sequence[str],
    relation: Relation,
    steps: Steps | None,
    alignment: AlignmentKind,
    pairing: Pairing,
    choice: StreamChoice,
    outputs: ErrorOutputs,
) -> str:
    """Return the table of errors of estimates against a reference, and write what is asked for.

    Raises
    ------
    FramescopeError
        When a file cannot be read or written, or the poses do not pair up.
    """
    _check_outputs(outputs, [reference, *estimates])
    truth = read_stream(reference, choice)
    streams = [read_stream(name, choice) for name in estimates]
    streams = [replace(stream, name=name) for stream, name in zip(streams, names_of(streams), strict=True)]
    found = [errors_of(truth, stream, relation, steps, alignment, pairing) for stream in streams]
    title = title_of(relation, steps, alignment)
    written = _write(found, outputs, relation, title)
    if outputs.as_json:
        return json_text(_as_data(title, truth, found, relation))
    lines = [title, f"reference: {visible_text(truth.name)}, {counted(len(truth), 'pose')}", "", *_table(found)]
    remarks = list(_remarks([truth, *streams], found))
    return "\n".join([*lines, *(["", *remarks] if remarks else []), *([""] if written else []), *written])


def _check_outputs(outputs: ErrorOutputs, sources: Sequence[str]) -> None:
    inputs = [split_name(source)[0] for source in sources]
    tables = [] if outputs.results is None else [_table_path(outputs.results, k) for k in range(len(sources) - 1)]
    for out in (*tables, outputs.aligned, outputs.plot):
        if out is not None:
            check_output(out, inputs)
    if outputs.results is not None and not outputs.results.name.lower().endswith(TABLES):
        raise FramescopeError(f"{visible_text(outputs.results.name)}: errors are written as {', '.join(TABLES)}.")
    if outputs.aligned is not None:
        format_of(outputs.aligned.name)
        if len(sources) > 2:
            raise FramescopeError("--save_aligned writes one estimate. Give one, or use framescope traj --save_as.")


def _table(found: Sequence[EstimateErrors]) -> Iterator[str]:
    """Yield the statistics of all estimates, a row each."""
    rows: list[tuple[str, ...]] = [("estimate", "pairs", *STATISTICS)]
    for estimate in found:
        values = (f"{estimate.statistics[name]:.6f}" for name in STATISTICS)
        rows.append((visible_text(estimate.name), str(len(estimate.pairs)), *values))
    yield from columns_text(rows)


def columns_text(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Yield rows of cells as lines: the first column to the left, the others to the right.

    >>> list(columns_text([("a", "n"), ("long", "12")]))
    ['a      n', 'long  12']
    """
    widths = [max(len(row[k]) for row in rows) for k in range(len(rows[0]))]
    for row in rows:
        cells = [row[0].ljust(widths[0]), *(cell.rjust(w) for cell, w in zip(row[1:], widths[1:], strict=True))]
        yield "  ".join(cells).rstrip()


def _remarks(streams: Sequence[PoseStream], found: Sequence[EstimateErrors]) -> Iterator[str]:
    for stream in streams:
        yield from (f"{visible_text(stream.name)}: {visible_text(note)}" for note in stream.notes)
    for estimate in found:
        name = visible_text(estimate.name)
        yield from (f"{name}: {note}" for note in estimate.errors.notes)
        if estimate.similarity.s != 1.0:
            yield f"{name}: scale {estimate.similarity.s:.9g}"


def _write(found: Sequence[EstimateErrors], outputs: ErrorOutputs, relation: Relation, title: str) -> list[str]:
    """Write the files that are asked for; return a line for each."""
    lines: list[str] = []
    if outputs.results is not None:
        _write_results(outputs.results, found, relation)
        lines.append(str(outputs.results))
    if outputs.aligned is not None:
        text = WRITERS[format_of(outputs.aligned.name)](found[0].estimate)
        write_atomically(outputs.aligned, text)
        lines.append(str(outputs.aligned))
    if outputs.plot is not None:
        draw(outputs.plot, found, relation, title)
        lines.append(str(outputs.plot))
    return lines


def _table_path(path: Path, k: int) -> Path:
    """Return the file of the errors of estimate k: with its number, counted from 1, from the second on."""
    return path if k == 0 else path.with_name(f"{path.stem}-{k + 1}{path.suffix}")


def _write_results(path: Path, found: Sequence[EstimateErrors], relation: Relation) -> None:
    """Write the errors of each pair; of several estimates, a table each, with a number in its name."""
    unit = RELATIONS[relation][1]
    column = f"error [{unit}]" if unit else "error"
    for k, estimate in enumerate(found):
        own = _table_path(path, k)
        errors = {column: (estimate.errors.rows, estimate.errors.errors)}
        try:
            write_table(own, columns_of_errors(estimate.t, errors, len(estimate.pairs)))
        except OSError as error:
            raise FramescopeError(f"{own} cannot be written: {error.strerror or error}.") from None


def draw(path: Path, found: Sequence[EstimateErrors], relation: Relation, title: str) -> None:
    """Write the figure of the errors of estimates.

    Raises
    ------
    FramescopeError
        When the file cannot be written, or is no .pdf or .svg.
    """
    from framescope.features.trajectories.app.error_figure import FigureCurve, FigureWords, write_figure

    part, unit = RELATIONS[relation]
    curves: list[FigureCurve] = []
    has_times = all(estimate.pairs.t is not None for estimate in found)
    for estimate in found:
        t = estimate.pairs.t if has_times and estimate.pairs.t is not None else np.arange(float(len(estimate.pairs)))
        t = t - t[0] if len(t) else t
        rows = estimate.errors.rows
        curves.append(
            FigureCurve(estimate.name, t[rows], estimate.errors.errors, estimate.pairs.p_B, estimate.pairs.p_A, rows)
        )
    label = f"{part}, {unit}" if unit else part
    times = "time since the first pair, s" if has_times else "pair"
    write_figure(path, curves, FigureWords(title.partition(";")[0], label, times))


def _as_data(title: str, truth: PoseStream, found: Sequence[EstimateErrors], relation: Relation) -> dict[str, Any]:
    return {
        "title": title,
        "relation": relation,
        "unit": RELATIONS[relation][1],
        "reference": {"name": truth.name, "poses": len(truth), "notes": list(truth.notes)},
        "estimates": [
            {
                "name": estimate.name,
                "pairs": len(estimate.pairs),
                "statistics": estimate.statistics,
                "alignment": estimate.similarity.matrix(),
                "scale": estimate.similarity.s,
                "times": None if estimate.t is None else estimate.t[estimate.errors.rows],
                "errors": estimate.errors.errors,
                "notes": [*estimate.pairs.b.notes, *estimate.errors.notes],
            }
            for estimate in found
        ],
    }


# --- Lists of trajectories


def run_traj(
    files: Sequence[str],
    reference: str,
    alignment: AlignmentKind,
    pairing: tuple[float, float],
    choice: StreamChoice,
    save_as: str,
    *,
    as_json: bool = False,
) -> str:
    """Return a table of trajectories, aligned to a reference if one is given, and write them in another format.

    Raises
    ------
    FramescopeError
        When a file cannot be read or written, or a trajectory does not pair up with the reference.
    """
    if save_as and save_as not in WRITERS:
        raise StreamError(f"--save_as: expected {' or '.join(WRITERS)}, got {visible_text(save_as)}.")
    if alignment != AlignmentKind() and not reference:
        raise StreamError("an alignment needs a reference: give --ref.")
    streams = [read_stream(name, choice) for name in files]
    if reference:
        truth = read_stream(reference, choice)
        of_pairs = Pairing(*pairing)
        streams = [errors_of(truth, stream, "trans_part", None, alignment, of_pairs).estimate for stream in streams]
        streams = [truth, *streams]
    written = _convert(streams[1:] if reference else streams, files, reference, save_as)
    if as_json:
        return json_text([_trajectory_data(stream) for stream in streams])
    rows = [("trajectory", "poses", "from, s", "to, s", "duration, s", "rate, Hz", "gaps", "path, m")]
    rows += [_trajectory_row(stream) for stream in streams]
    notes = [f"{visible_text(stream.name)}: {visible_text(note)}" for stream in streams for note in stream.notes]
    return "\n".join([*columns_text(rows), *(["", *notes] if notes else []), *([""] if written else []), *written])


def _convert(streams: Sequence[PoseStream], files: Sequence[str], reference: str, save_as: str) -> list[str]:
    """Write trajectories in another format into the working folder; return the names of the files."""
    if not save_as:
        return []
    sources = [split_name(name)[0] for name in files]
    inputs = [*sources, *([split_name(reference)[0]] if reference else [])]
    outputs = [Path(f"{source.stem}.{save_as}") for source in sources]
    for k, out in enumerate(outputs):
        check_output(out, inputs)
        if out in outputs[:k]:
            raise FramescopeError(f"{out} would be written twice. Write the files one by one.")
    texts = [WRITERS[save_as](stream) for stream in streams]
    for out, text in zip(outputs, texts, strict=True):
        write_atomically(out, text)
    return [str(out) for out in outputs]


def _trajectory_row(stream: PoseStream) -> tuple[str, ...]:
    name, n = visible_text(stream.name), str(len(stream))
    path = f"{stream.length:.3f}"
    if stream.t is None:
        return name, n, "-", "-", "-", "-", "-", path
    ends = stamp_texts(stream.some(slice(0, 1))), stamp_texts(stream.some(slice(len(stream) - 1, None)))
    first, last = (texts[0][:-6] for texts in ends)
    return name, n, first, last, f"{stream.duration:.3f}", rate_text(stream), str(len(gaps(stream.t))), path


def rate_text(stream: PoseStream) -> str:
    """Return the usual rate of a stream, Hz; a hyphen for a single pose."""
    if stream.t is None or len(stream) < 2:
        return "-"
    return f"{1.0 / float(np.median(np.diff(stream.t))):.4g}"


def _trajectory_data(stream: PoseStream) -> dict[str, Any]:
    return {
        "name": stream.name,
        "frame": stream.frame,
        "reference": stream.reference,
        "poses": len(stream),
        "first": None if stream.t is None else stamp_texts(stream.some(slice(0, 1)))[0],
        "duration": stream.duration,
        "path_length": stream.length,
        "gaps": 0 if stream.t is None else len(gaps(stream.t)),
        "notes": list(stream.notes),
    }

"""Command `evaluate`: writes signals of a scene to a table."""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from framescope.core.errors import FramescopeError
from framescope.core.evaluation.evaluate import Plan
from framescope.core.evaluation.signal_curves import describe, tabulate
from framescope.core.evaluation.signal_parser import parse_signal
from framescope.core.evaluation.smoothing_notes import signal_note
from framescope.core.recordings.tables.writing import write_csv, write_table

MAX_SAMPLES = 5_000_000


class EvaluateError(FramescopeError):
    """A table cannot be made; the message gives the reason and a remedy."""


def evaluate_to(
    plan: Plan, texts: Sequence[str], out: Path, *, start: float | None, stop: float | None, rate: float
) -> None:
    """Write signals to a table file, or as CSV to standard output when `out` is ``-``.

    Raises
    ------
    EvaluateError, SignalTextError, TableFileError
        When there is no signal, a signal is invalid, or the file cannot be written.
    """
    words = [part for text in texts for part in text.split(";") if part.strip()]
    signals = [parse_signal(text, plan.scene) for text in words] or list(plan.view_data.plots)
    if not signals:
        raise EvaluateError("the scene has no plots. Say what to evaluate with --signals.")
    begin, end = plan.start if start is None else start, plan.end if stop is None else stop
    if not (math.isfinite(begin) and math.isfinite(end) and end >= begin):
        raise EvaluateError(f"stop: expected a time not before the start at {begin:g} s, got {end:g} s.")
    n_steps = math.floor((end - begin) * rate * (1.0 + 1e-12))
    if n_steps >= MAX_SAMPLES:
        raise EvaluateError(f"rate: {n_steps + 1} samples are more than {MAX_SAMPLES}. Use a lower rate.")
    for signal in (single for plot in signals for single in plot.signals):
        if note := signal_note(plan, signal):
            sys.stderr.write(f"{describe(signal)}: {note}\n")
    columns = tabulate(plan, signals, begin + np.arange(n_steps + 1) / rate)
    for name, values in columns.items():
        if not np.isfinite(values).any():
            sys.stderr.write(f"{name}: no value at any of these times\n")
    if str(out) == "-":
        write_csv(sys.stdout, columns)
    else:
        write_table(out, columns)

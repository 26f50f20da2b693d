"""Start of a table in a scene by the clocks of its recordings, and of each frame by the table's clock."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace

from framescope.core.recordings.columns.guess_time import Clock, guess_start
from framescope.core.recordings.columns.reasons import Reason
from framescope.core.recordings.tables.mixed import MixedTable
from framescope.features.table_import.core.choices import Choices
from framescope.features.table_import.core.row_checks import stamps_of


def start_by_clocks(table: MixedTable, choices: Choices, clocks: Iterable[Clock]) -> tuple[float, Reason | None]:
    """Return the scene time of a table's first sample, s, and the reason; 0 and None without a shared clock."""
    stamps = stamps_of(table, choices)
    guessed = None if stamps is None else guess_start(*stamps, clocks)
    return (0.0, None) if guessed is None else guessed


def placed_choices(choices: Choices, stamps: tuple[float, float] | None, first: float | None) -> Choices:
    """Return the choices with the start of one frame or vector of a table.

    Parameters
    ----------
    choices
        Choices for the table.
    stamps
        First and last time of the table, s; None without times.
    first
        First time of the frame or vector by the same clock, s; None without rows.
    """
    if stamps is None or first is None or not math.isfinite(first):
        return choices
    return replace(choices, start_s=round(choices.start_s + first - stamps[0], 6))


def end_of(spans: Iterable[tuple[float, float]]) -> float:
    """Return the scene time at which the last recording ends, rounded up to 1 ms, from starts and durations, s.

    >>> end_of([(0.0, 2.0), (0.49, 2.0)]), end_of([])
    (2.49, 0.0)
    """
    # Rounding first: a rounded start must not add 1 ms.
    return math.ceil(round(1e3 * max((start + span for start, span in spans), default=0.0), 2)) / 1e3

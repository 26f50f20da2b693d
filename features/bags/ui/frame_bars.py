"""Frames of a recording as bars over time: their pixels, the rows that pass a filter, and hit tests. Pure: no Qt."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from framescope.ui.formatting import number_text

FAULTS = ("red", "amber")
"""Severities that count as faults; a note does not."""

WORST_LAST = ("note", "amber", "red")
"""Severities in painting order."""


@dataclass(frozen=True)
class FrameMark:
    """Mark at a time of a frame, s, with its severity, `red`, `amber` or `note`, and a text."""

    time: float
    severity: str
    text: str


@dataclass(frozen=True)
class FrameBar:
    """Frame of a recording.

    Attributes
    ----------
    name
        Unique name of the frame.
    depth
        Number of its ancestors. Rows are in depth-first order: each frame is followed by its descendants.
    spans
        First and last time of each stretch in which it is known, s. Unused for a static frame.
    parents
        Text that names its parents.
    marks
        Marks of its faults and notes.
    is_static
        Whether it never moves, and so is known at all times.
    """

    name: str
    depth: int
    spans: tuple[tuple[float, float], ...]
    parents: str
    marks: tuple[FrameMark, ...]
    is_static: bool

    @property
    def worst(self) -> str:
        """The worst severity of its marks; empty without any."""
        return worst_of(self.marks)


@dataclass(frozen=True)
class ShownRow:
    """Row that passes a filter: the index of its frame, and whether it is shown only for a descendant."""

    i_frame: int
    is_dim: bool


def shown_rows(bars: Sequence[FrameBar], text: str = "", *, only_faults: bool = False) -> tuple[ShownRow, ...]:
    """Return rows of the frames whose names contain a text, optionally only those with a fault, and of their ancestors.

    Examples
    --------
    >>> bars = [FrameBar(name, depth, (), "", (), False) for depth, name in enumerate(("map", "odom", "base"))]
    >>> shown_rows(bars, "OD")
    (ShownRow(i_frame=0, is_dim=True), ShownRow(i_frame=1, is_dim=False))
    """
    needle = text.strip().casefold()
    rows: list[ShownRow] = []
    # From the last row up: a less deep row before a match is an ancestor of it.
    depth = 0
    for i in range(len(bars) - 1, -1, -1):
        bar = bars[i]
        is_match = needle in bar.name.casefold() and (not only_faults or bar.worst in FAULTS)
        if is_match or bar.depth < depth:
            rows.append(ShownRow(i, not is_match))
            depth = bar.depth
    return tuple(reversed(rows))


def span_pixels(
    spans: Sequence[tuple[float, float]], start: float, end: float, width: int
) -> tuple[tuple[int, int], ...]:
    """Return first pixel, and the one after the last, of each stretch; touching stretches are merged, none is empty.

    Parameters
    ----------
    spans
        Stretches of time, s.
    start, end
        First and last time shown over the width, s.
    width
        Pixels.

    Examples
    --------
    >>> span_pixels([(0.0, 1.0), (1.001, 2.0), (5.0, 5.0)], 0.0, 10.0, 100)
    ((0, 20), (50, 51))
    """
    if not spans or width < 1 or not end > start:
        return ()
    edges = np.array(spans, float).reshape(-1, 2)
    edges = edges[(edges[:, 1] >= start) & (edges[:, 0] <= end)]
    if not len(edges):
        return ()
    pixels = np.rint((np.clip(edges, start, end) - start) * (width / (end - start))).astype(int)
    first = np.minimum(pixels[:, 0], width - 1)
    last = np.maximum(pixels[:, 1], first + 1)
    order = np.argsort(first, kind="stable")
    first, last = first[order], np.maximum.accumulate(last[order])
    begins = np.concatenate(([True], first[1:] > last[:-1]))
    ends = np.concatenate((begins[1:], [True]))
    return tuple(zip(first[begins].tolist(), last[ends].tolist(), strict=True))


def mark_pixels(
    marks: Iterable[FrameMark], start: float, end: float, width: int
) -> tuple[tuple[str, tuple[int, ...]], ...]:
    """Return each severity, the worst last, with the pixels that have a mark of it and none of a worse one."""
    taken: set[int] = set()
    pixels: list[tuple[str, tuple[int, ...]]] = []
    if width < 1 or not end > start:
        return ()
    scale = width / (end - start)
    marks = tuple(mark for mark in marks if start <= mark.time <= end)
    for severity in reversed(WORST_LAST):
        here = {round((mark.time - start) * scale) for mark in marks if mark.severity == severity} - taken
        taken |= here
        if here:
            pixels.append((severity, tuple(sorted(here))))
    return tuple(reversed(pixels))


def worst_of(marks: Iterable[FrameMark]) -> str:
    """Return the worst severity of some marks; empty without any."""
    severities = {mark.severity for mark in marks}
    return next((severity for severity in reversed(WORST_LAST) if severity in severities), "")


def marks_near(marks: Iterable[FrameMark], t: float, reach: float) -> list[FrameMark]:
    """Return the marks within a distance of a time, s, sorted by distance, then by severity."""
    near = [mark for mark in marks if abs(mark.time - t) <= reach]
    return sorted(near, key=lambda mark: (abs(mark.time - t), -_rank(mark.severity)))


def next_mark(marks: Iterable[FrameMark], t: float, way: int, apart: float) -> FrameMark | None:
    """Return the mark after (1) or before (-1) a time, more than `apart` seconds away; None at the end."""
    further = [mark for mark in marks if way * (mark.time - t) > apart]
    return min(further, key=lambda mark: (abs(mark.time - t), -_rank(mark.severity)), default=None)


def words_at(bar: FrameBar, t: float, reach: float, slack: float) -> tuple[str, ...]:
    """Return the texts about a frame at a time: its marks there, else whether it is known.

    Parameters
    ----------
    bar
        The frame.
    t
        The time, s.
    reach, slack
        Largest distance of marks and stretches from the time, s.

    Examples
    --------
    >>> words_at(FrameBar("odom", 0, ((0.0, 1.0),), "", (), False), 0.5, 0.1, 0.0)
    ('known from 0.000 to 1.000 s',)
    """
    near = marks_near(bar.marks, t, reach)
    if near:
        more = (f"and {len(near) - 1} more here",) if len(near) > 1 else ()
        return (f"{near[0].text} ({number_text.fixed(near[0].time, 3)} s)", *more)
    if bar.is_static:
        return ("static: known all the time",)
    span = next((span for span in bar.spans if span[0] - slack <= t <= span[1] + slack), None)
    if span is None:
        return ("no data here",)
    first, last = (number_text.fixed(edge, 3) for edge in span)
    return (f"known from {first} to {last} s",)


def _rank(severity: str) -> int:
    return WORST_LAST.index(severity) if severity in WORST_LAST else -1

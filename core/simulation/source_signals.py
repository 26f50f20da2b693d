"""Signals of sources over a run: breakpoints, fast changes, and integrals by quadrature.

A solver samples a signal a dozen times per step and misses anything in between. So steps end at bends and jumps of
signals and are short where signals change quickly. After the run the integrals of the samples are compared with those
of the authored signals.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from framescope.core.kernels.validation import Array
from framescope.core.simulation.dynamics import signals_along
from framescope.core.simulation.mechanism import Mechanism
from framescope.core.simulation.system import Spring
from framescope.core.time_functions.breakpoints import TooManyBreakpointsError

CELLS = 20_480
"""Number of cells for sampling signals; a feature shorter than a cell, without a breakpoint, may be missed."""

QUICK = 0.005
"""Deviation from a straight line over three cells, relative to the signal's maximum, above which it counts as fast."""

SHORT = 4
"""Length of a step where a signal is fast, in cells."""

GAUSS_AT = np.array([0.5 - np.sqrt(0.15), 0.5, 0.5 + np.sqrt(0.15)])
GAUSS = np.array([5.0, 8.0, 5.0]) / 18.0
"""Nodes and weights of Gauss' quadrature in a cell."""

BLOCK = 16_384
"""Number of cells integrated together."""


@dataclass(frozen=True)
class Span:
    """Times between two breakpoints: a solver runs from `start` to `end`; the next span starts at `until`."""

    start: float
    end: float
    until: float


class TooManySpansError(Exception):
    """Error of a signal that bends or jumps more often than steps are allowed; `i_element` is its element."""

    def __init__(self, i_element: int, most: int) -> None:
        self.i_element, self.most = i_element, most
        super().__init__(f"element {i_element}: more than {most} breakpoints")


def breaks_of(mechanism: Mechanism, start: float, end: float, most: int) -> Array:
    """Return the times before and after each breakpoint (n, 2) of all signals.

    Raises
    ------
    TooManySpansError
        When there are more than `most` breakpoints.
    """
    pairs = np.zeros((0, 2))
    for i, element in enumerate(mechanism.elements):
        if isinstance(element, Spring) or element.breaks is None:
            continue
        try:
            breaks = element.breaks(start, end, most)
        except TooManyBreakpointsError as error:
            raise TooManySpansError(i, error.most) from None
        pairs = np.unique(np.concatenate((pairs, breaks)), axis=0)
        if len(pairs) > most:
            raise TooManySpansError(i, most)
    return pairs


def spans_between(pairs: Array, start: float, end: float) -> list[Span]:
    """Return the spans between breakpoints (n, 2) from start to end.

    >>> [(span.start, span.end) for span in spans_between(np.array([[1.0, 1.5]]), 0.0, 3.0)]
    [(0.0, 1.0), (1.5, 3.0)]
    """
    starts, ends = [start, *pairs[:, 1].tolist()], [*pairs[:, 0].tolist(), end]
    proper = [(a, b) for a, b in zip(starts, ends, strict=True) if b > a]
    later = [*(a for a, _ in proper[1:]), end]
    return [Span(a, b, until) for (a, b), until in zip(proper, later, strict=True)]


def step_limit(mechanism: Mechanism, start: float, end: float, longest: float) -> Callable[[float], float] | None:
    """Return a function of time that returns the longest allowed step; None if `longest` is allowed everywhere."""
    edges = np.linspace(start, end, CELLS + 1)
    values = signals_along(mechanism, 0.5 * (edges[:-1] + edges[1:]))[0]
    with np.errstate(all="ignore"):
        values = np.where(np.isfinite(values), values, 0.0)
        bend = np.abs(np.diff(values, n=2, axis=1))
        is_quick = (bend > QUICK * np.abs(values).max(axis=1, initial=0.0)[:, np.newaxis]).any(axis=0)
    cells = np.flatnonzero(is_quick) + 1
    if not len(cells):
        return None
    first = cells[np.diff(cells, prepend=-CELLS) > SHORT] - SHORT
    last = cells[np.diff(cells, append=2 * CELLS) > SHORT] + SHORT
    begins, ends = edges[np.maximum(first, 0)], edges[np.minimum(last + 1, CELLS)]
    short = min(SHORT * (end - start) / CELLS, longest)

    def limit(t: float) -> float:
        i = int(np.searchsorted(ends, t, side="right"))
        if i == len(ends):
            return longest
        return min(longest, max(float(begins[i]) - t, short))

    return limit


def integrate_signals(
    mechanism: Mechanism, starts: Array, ends: Array, at: Array, weights: Array, breaks: Array
) -> tuple[Array, Array, Array]:
    """Return the integrals of signals over steps: sampled by the solver, as authored, and of absolute values.

    Parameters
    ----------
    starts, ends : (m,)
        Times at which steps begin and end, s; one ends before a breakpoint and the next begins after it.
    at, weights : (s,)
        Nodes, as fractions of a step, and weights of the solver.
    breaks : (n, 2)
        Times before and after breakpoints.

    Returns
    -------
    seen, authored, sizes : (channels, m)
        Integrals of the signals, and of their absolute values.
    """
    n = sum(mechanism.channels)
    seen, authored, sizes = np.zeros((3, n, len(starts)))
    if not n or not len(starts):
        return seen, authored, sizes
    h = ends - starts
    for c, b in zip(at.tolist(), weights.tolist(), strict=True):
        for i in range(0, len(starts), BLOCK):
            part = slice(i, i + BLOCK)
            nodes = np.minimum(starts[part] + c * h[part], ends[part])
            seen[:, part] += b * h[part] * signals_along(mechanism, nodes)[0]
    cells = np.linspace(float(starts[0]), float(ends[-1]), CELLS + 1)
    edges: Array = np.unique(np.concatenate((starts, ends, breaks.ravel(), cells)))
    edges = edges[(edges >= starts[0]) & (edges <= ends[-1])]
    begins, width = edges[:-1], np.diff(edges)
    step = np.searchsorted(starts, begins, side="right") - 1
    is_inside = begins < ends[step]
    begins, width, step = begins[is_inside], width[is_inside], step[is_inside]
    for i in range(0, len(begins), BLOCK):
        part = slice(i, i + BLOCK)
        for c, b in zip(GAUSS_AT.tolist(), GAUSS.tolist(), strict=True):
            values = signals_along(mechanism, begins[part] + c * width[part])[0] * (b * width[part])
            for channel in range(n):
                np.add.at(authored[channel], step[part], values[channel])
                np.add.at(sizes[channel], step[part], np.abs(values[channel]))
    return seen, authored, sizes


def quadrature_of(method: str) -> tuple[Array, Array]:
    """Return nodes and weights with which a scipy solver integrates a function of time alone."""
    from scipy import integrate  # here, because it is slow to import

    if method == "radau":
        root = np.sqrt(6.0)
        return np.array([(4.0 - root) / 10.0, (4.0 + root) / 10.0, 1.0]), np.array([16.0 - root, 16.0 + root, 4.0]) / 36
    solver = integrate.DOP853 if method == "dop853" else integrate.RK45
    return np.array(solver.C[: len(solver.B)]), np.array(solver.B)

"""Convergence order of an integration method, estimated from the errors with different steps."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from framescope.core.kernels.validation import Array
from framescope.features.laboratory.core.drift import DriftSettings, Stop, run_at
from framescope.features.laboratory.core.rate_presets import Rate

EPSILON = 2.0**-52
"""Machine epsilon of a double."""

FEWEST, MOST = 8, 8192
"""Smallest and largest number of steps of a study."""

LARGEST_TURN = 1.5
"""Largest rotation in one step, rad; longer steps show no order."""

POINTS = 12
"""Largest number of step sizes of a study."""

ABOVE_ROUNDING = 30.0
"""Ratio of an error to the rounding error above which the error is used."""

LARGEST_ERROR = 0.5
"""Largest error that is used, rad; larger errors saturate."""

STRAIGHT = 0.08
"""Largest relative deviation of the slope between two points from the slope of the line."""

LEAST_POINTS = 3
"""Smallest number of points of a line."""


@dataclass(frozen=True)
class Fit:
    """Straight line through part of the errors against the steps, both in logarithms.

    Attributes
    ----------
    order
        Slope of the line; None where there is no straight part.
    factor
        Factor of the error, which is about ``factor * step ** order`` rad.
    first, last
        First and last point of the line.
    reason
        Reason why there is no line.
    """

    order: float | None = None
    factor: float = math.nan
    first: int = 0
    last: int = 0
    reason: str = ""


@dataclass(frozen=True, eq=False)
class Study:
    """Errors at the end of runs with several steps.

    Attributes
    ----------
    settings
        Settings of the runs; their step is not used.
    steps : (n,)
        Steps, s, from long to short.
    errors : (n,)
        Attitude errors at the end, rad; NaN where a run overflowed.
    floor : (n,)
        Approximate error from rounding and from the uncertainty of the exact orientation, rad.
    fit
        Estimated order.
    """

    settings: DriftSettings
    steps: Array
    errors: Array
    floor: Array
    fit: Fit


def study_order(rate: Rate, settings: DriftSettings, stop: Stop = lambda: False) -> Study | None:
    """Integrate with steps halved from run to run, and estimate the order of the method.

    Parameters
    ----------
    rate
        Angular velocity with its orientation.
    settings
        Equation, method and re-normalisation.
    stop
        Function that returns whether to stop, called regularly.

    Returns
    -------
    Study or None
        None when it was stopped.

    Notes
    -----
    All steps divide the time range. The longest one rotates by at most 1.5 rad, unless the range is too long.
    """
    span = rate.end - rate.start
    fastest = float(np.sqrt(np.square(rate.w(np.linspace(rate.start, rate.end, 513))).sum(axis=-1)).max())
    fewest = min(max(FEWEST, math.ceil(span * fastest / LARGEST_TURN)), MOST // 16)
    counts = [fewest * 2**k for k in range(POINTS) if fewest * 2**k <= MOST]
    errors: list[float] = []
    for n in counts:
        times: Array = rate.start + span / n * np.arange(n + 1, dtype=np.float64)
        times[-1] = rate.end
        run = run_at(rate, replace(settings, step=span / n), times, stop)
        if run is None:
            return None
        errors.append(run.end_error)
    steps = span / np.array(counts, dtype=np.float64)
    floor = EPSILON * np.sqrt(np.array(counts, dtype=np.float64)) * (2.0 + span * fastest / 4.0) + rate.doubt
    measured = np.array(errors)
    return Study(settings, steps, measured, floor, fit_order(steps, measured, floor))


def fit_order(steps: Array, errors: Array, floor: Array | float = EPSILON) -> Fit:
    """Fit a line to the straight part of errors against steps, both in logarithms.

    Parameters
    ----------
    steps : (n,)
        Steps from long to short, s.
    errors : (n,)
        Errors, rad.
    floor : () or (n,)
        Error from rounding, rad; points near it are left out.

    Returns
    -------
    Fit
        Least-squares line through the longest run of points whose slopes agree. Among equal runs the one with the
        shorter steps is used.

    Examples
    --------
    >>> h = 0.1 / 2.0 ** np.arange(6)
    >>> f"{fit_order(h, 3.0 * h**4, 1e-16).order:.2f}"
    '4.00'
    >>> fit_order(h, np.full(6, 1e-16), 1e-16).reason
    'only rounding remains of the error'
    """
    with np.errstate(all="ignore"):
        is_clear = errors > ABOVE_ROUNDING * floor
        is_usable = np.isfinite(errors) & is_clear & (errors < LARGEST_ERROR)
        x, y = np.log(steps), np.log(errors)
    n = len(steps)
    for length in range(n, LEAST_POINTS - 1, -1):
        for first in range(n - length, -1, -1):
            part = slice(first, first + length)
            if not is_usable[part].all():
                continue
            slope, offset = np.polyfit(x[part], y[part], 1)
            local = np.diff(y[part]) / np.diff(x[part])
            if slope > 0.0 and np.abs(local - slope).max() <= STRAIGHT * slope:
                return Fit(float(slope), float(np.exp(offset)), first, first + length - 1)
    return Fit(reason=_reason(errors, is_clear, is_usable))


def _reason(errors: Array, is_clear: NDArray[np.bool_], is_usable: NDArray[np.bool_]) -> str:
    is_number = np.isfinite(errors)
    if not is_number.any():
        return "the numbers overflow with every step"
    if not is_clear[is_number].any():
        return "only rounding remains of the error"
    if is_usable.sum() < LEAST_POINTS:
        is_large = is_number & ~is_usable & is_clear
        if is_large.sum() >= (is_number & ~is_clear).sum():
            return "the error is too large with nearly every step"
        return "rounding hides the error with nearly every step"
    return "the error does not fall evenly with the step"

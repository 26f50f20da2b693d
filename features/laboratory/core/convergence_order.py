"""Error against step, and the order of a method as it shows in it."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from framescope.core.kernels.validation import Array
from framescope.features.laboratory.core.drift import DriftSettings, Stop, run_at
from framescope.features.laboratory.core.rate_presets import Rate

EPSILON = 2.0**-52

FEWEST, MOST = 8, 8192
"""Fewest and most steps of a study."""

LARGEST_TURN = 1.5
"""Turn of the longest step, rad: beyond it nothing is an order."""

POINTS = 12

ABOVE_ROUNDING = 30.0
"""How many times the error of rounding an error is when it counts."""

LARGEST_ERROR = 0.5
"""Largest error that counts, rad: a larger one has nowhere to grow."""

STRAIGHT = 0.08
"""How far the slope between two points may be from the line's, as a part of it."""

LEAST_POINTS = 3


@dataclass(frozen=True)
class Fit:
    """A straight line through part of an error against its step, in logarithms.

    Attributes
    ----------
    order
        Its slope; None where there is no straight part.
    factor
        The error is about ``factor * step ** order`` rad.
    first, last
        The points it goes through.
    reason
        Why there is none.
    """

    order: float | None = None
    factor: float = math.nan
    first: int = 0
    last: int = 0
    reason: str = ""


@dataclass(frozen=True, eq=False)
class Study:
    """Errors at the end for several steps.

    Attributes
    ----------
    settings
        Whose step is not used.
    steps : (n,)
        Steps, s, from long to short.
    errors : (n,)
        Attitude errors at the end, rad; NaN where numbers ran out.
    floor : (n,)
        About where rounding, or what is not known of the orientation, hides the error, rad.
    fit
        The order that shows.
    """

    settings: DriftSettings
    steps: Array
    errors: Array
    floor: Array
    fit: Fit


def study_order(rate: Rate, settings: DriftSettings, stop: Stop = lambda: False) -> Study | None:
    """Integrate with steps that halve from one to the next, and read the order off.

    Parameters
    ----------
    rate
        The angular velocity with its orientation.
    settings
        Equation, method and re-normalisation.
    stop
        Asked now and then whether the result is not wanted any more.

    Returns
    -------
    Study or None
        None when it was stopped.

    Notes
    -----
    All steps divide the time range. The longest turns by at most 1.5 rad, where the range is not too long for that.
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
    found = np.array(errors)
    return Study(settings, steps, found, floor, fit_order(steps, found, floor))


def fit_order(steps: Array, errors: Array, floor: Array | float = EPSILON) -> Fit:
    """Return the straight part of errors against steps, both in logarithms.

    Parameters
    ----------
    steps : (n,)
        Steps from long to short, s.
    errors : (n,)
        Errors, rad.
    floor : () or (n,)
        The error that rounding makes, rad: points near it are left out.

    Returns
    -------
    Fit
        The longest run of points whose slopes agree, the one of shorter steps where two are as long; by least squares.

    Examples
    --------
    >>> h = 0.1 / 2.0 ** np.arange(6)
    >>> f"{fit_order(h, 3.0 * h**4, 1e-16).order:.2f}"
    '4.00'
    >>> fit_order(h, np.full(6, 1e-16), 1e-16).reason
    'nothing but rounding is left of the error'
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
        return "the numbers run out with every step"
    if not is_clear[is_number].any():
        return "nothing but rounding is left of the error"
    if is_usable.sum() < LEAST_POINTS:
        is_large = is_number & ~is_usable & is_clear
        if is_large.sum() >= (is_number & ~is_clear).sum():
            return "the error is too large with nearly every step"
        return "rounding hides the error with nearly every step"
    return "the error does not fall evenly with the step"

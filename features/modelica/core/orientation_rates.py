"""Check of the orientation objects of a result: whether `R.w` is the angular velocity that `R.T` turns with."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from framescope.core.errors import Problem, counted
from framescope.core.kernels import conversions, linear_algebra
from framescope.core.kernels.validation import Array
from framescope.features.modelica.core.modelica_result import ResultFile
from framescope.features.modelica.core.result_frames import ResultFrame

ROUNDING_SINGLE, ROUNDING = 4e-7, 1e-12
"""How far rounding turns an orientation in single, and as solvers leave it in double precision, rad."""

LEAST_RATE = 1e-6
"""Angular velocities that differ by less are one, rad/s."""

SHARE = 0.1
"""Of the intervals that must be off: one that is may be an event that the result does not show."""

FEWEST = 3


@dataclass(frozen=True, eq=False)
class RateMisses:
    """By how much w misses the turning of T: in the middle of the intervals at times (k,), rad/s, and where it does."""

    times: Array
    misses: Array
    is_off: NDArray[np.bool_]
    turned: Array
    """Angular velocity (k, 3) that T turns with, resolved in the frame, rad/s."""
    w: Array


@np.errstate(all="ignore")  # a damaged file may hold numbers whose squares or differences overflow
def rate_misses(times: Array, T: Array, w: Array, rounding: float) -> RateMisses:
    """Compare angular velocities w (n, 3), resolved in the frame, with orientations T (n, 3, 3) at times (n,), s.

    Over an interval the mean of w is between its values at the ends, but for how it bends; the turn from one
    orientation to the next, by its length, is the mean that it should be. Intervals without a length, as events have
    them, say nothing.
    """
    h = np.diff(times)
    is_whole = h > 0.0
    step = linear_algebra.multiply_by_transposed(T[1:], T[:-1])
    turned = conversions.vector_from_matrix(step) / h[:, np.newaxis]
    mean, change = 0.5 * (w[1:] + w[:-1]), np.abs(w[1:] - w[:-1]).max(axis=1)
    miss = np.linalg.norm(turned - mean, axis=1)
    bound = 0.5 * change + 2.0 * rounding / np.where(is_whole, h, 1.0) + 1e-3 * np.linalg.norm(mean, axis=1)
    rows: NDArray[np.bool_] = is_whole & np.isfinite(miss)
    middle = 0.5 * (times[1:] + times[:-1])
    is_off = miss[rows] > np.maximum(bound[rows], LEAST_RATE)
    return RateMisses(middle[rows], miss[rows], is_off, turned[rows], mean[rows])


ALONG = 0.005
"""Part of the angular velocity that is left of one that is only scaled, at most."""

AS_LARGE = 0.01
"""Part by which lengths differ, on average, that are the same."""


def rate_problems(result: ResultFile, frames: Iterable[ResultFrame]) -> Iterator[Problem]:
    """Yield a problem for each frame whose `R.w` is not what its `R.T` turns with."""
    rounding = ROUNDING_SINGLE if result.is_single else ROUNDING
    for frame in frames:
        name = next((name for name in frame.names if result.has_vector(f"{name}.R.w")), None)
        if name is None:
            continue
        found = rate_misses(result.times, frame.T, result.vector(f"{name}.R.w"), rounding)
        n_off = int(found.is_off.sum())
        if n_off < max(FEWEST, SHARE * len(found.is_off)):
            continue
        worst = int(np.argmax(np.where(found.is_off, found.misses, 0.0)))
        message = f"{name}.R.w is not the angular velocity that R.T turns with: off by up to {found.misses[worst]:.3g}"
        message += f" rad/s, in {n_off:,} of {counted(len(found.is_off), 'interval')}."
        first = float(found.times[int(np.argmax(found.is_off))])
        yield Problem(
            ("frames", frame.name),
            message,
            _cause(found),
            "amber",
            time=first,
            kind="modelica-rate",
            times=(first, float(found.times[worst])),
        )


def _cause(found: RateMisses) -> str:
    """Return what would explain a w that is off."""
    turned, w = found.turned[found.is_off], found.w[found.is_off]
    size = float(np.linalg.norm(turned, axis=1).mean())

    def is_near(other: Array) -> bool:
        return float(np.linalg.norm(turned - other, axis=1).mean()) < 0.1 * size

    if is_near(-w):
        return "Its sign is the other one: T may take the local frame into the world."
    if float(np.linalg.norm(w, axis=1).max()) < 0.01 * size:
        return "It is zero while T turns."
    factor = float((w * turned).sum() / max(float((turned**2).sum()), 1e-300))
    rest = float(np.linalg.norm(w - factor * turned, axis=1).mean())
    if factor > 0.0 and rest < ALONG * size:
        return f"It has the right direction, and is {factor:.3g} times as large as it should be."
    lengths, right = (np.linalg.norm(each, axis=1) for each in (w, turned))
    if float(np.abs(lengths - right).mean()) < AS_LARGE * size:
        return "It is as large as it should be at all times: it may be resolved in another frame, as in the world."
    return "The model sets it otherwise."

"""Check of the orientation objects of a result: `R.w` must be the angular velocity of `R.T`."""

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
"""Rounding errors of an orientation, rad: in single precision, and after solvers in double precision."""

LEAST_RATE = 1e-6
"""Difference of angular velocities that is ignored, rad/s."""

SHARE = 0.1
"""Fraction of the intervals that must deviate; a single one may be an event that the result does not show."""

FEWEST = 3


@dataclass(frozen=True, eq=False)
class RateMisses:
    """Deviation of w from the rotation of T, rad/s, in the middle of the intervals at times (k,), s."""

    times: Array
    misses: Array
    is_off: NDArray[np.bool_]
    turned: Array
    """Angular velocity (k, 3) of T, resolved in the frame, rad/s."""
    w: Array


@np.errstate(all="ignore")  # a damaged file may hold numbers whose squares or differences overflow
def rate_misses(times: Array, T: Array, w: Array, rounding: float) -> RateMisses:
    """Compare angular velocities w (n, 3), resolved in the frame, with orientations T (n, 3, 3) at times (n,), s.

    The mean of w over an interval lies between its values at the ends, apart from its curvature. It must equal the
    rotation from one orientation to the next divided by the length of the interval. Intervals of zero length, as at
    events, are skipped.
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
"""Largest deviation of a w that is only scaled, as a fraction of the angular velocity."""

AS_LARGE = 0.01
"""Mean relative difference of lengths that count as equal."""


def rate_problems(result: ResultFile, frames: Iterable[ResultFrame]) -> Iterator[Problem]:
    """Yield a problem for each frame whose `R.w` is not the angular velocity of its `R.T`."""
    rounding = ROUNDING_SINGLE if result.is_single else ROUNDING
    for frame in frames:
        name = next((name for name in frame.names if result.has_vector(f"{name}.R.w")), None)
        if name is None:
            continue
        misses = rate_misses(result.times, frame.T, result.vector(f"{name}.R.w"), rounding)
        n_off = int(misses.is_off.sum())
        if n_off < max(FEWEST, SHARE * len(misses.is_off)):
            continue
        worst = int(np.argmax(np.where(misses.is_off, misses.misses, 0.0)))
        message = f"{name}.R.w is not the angular velocity that R.T turns with: off by up to {misses.misses[worst]:.3g}"
        message += f" rad/s, in {n_off:,} of {counted(len(misses.is_off), 'interval')}."
        first = float(misses.times[int(np.argmax(misses.is_off))])
        yield Problem(
            ("frames", frame.name),
            message,
            _cause(misses),
            "amber",
            time=first,
            kind="modelica-rate",
            times=(first, float(misses.times[worst])),
        )


def _cause(misses: RateMisses) -> str:
    """Return a likely explanation of a wrong w."""
    turned, w = misses.turned[misses.is_off], misses.w[misses.is_off]
    size = float(np.linalg.norm(turned, axis=1).mean())

    def is_near(other: Array) -> bool:
        return float(np.linalg.norm(turned - other, axis=1).mean()) < 0.1 * size

    if is_near(-w):
        return "Its sign is the other one: T may take the local frame into the world."
    if float(np.linalg.norm(w, axis=1).max()) < 0.01 * size:
        return "It is zero while T turns."
    factor = float((w * turned).sum() / max(float((turned**2).sum()), 1e-300))
    residual = float(np.linalg.norm(w - factor * turned, axis=1).mean())
    if factor > 0.0 and residual < ALONG * size:
        return f"It has the right direction, and is {factor:.3g} times as large as it should be."
    lengths, right = (np.linalg.norm(vectors, axis=1) for vectors in (w, turned))
    if float(np.abs(lengths - right).mean()) < AS_LARGE * size:
        return "It is as large as it should be at all times: it may be resolved in another frame, as in the world."
    return "The model sets it otherwise."

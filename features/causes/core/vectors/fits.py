"""Robust least squares of possible causes of a measured vector's miss, several at once.

The model of the mean i is ``m_i = k C (e_i + J_i r)(t - d) + T_i g + b``. It takes the vector e expected by the motion
of the frames, at a point off the origin by the lever arm r, rotated by C, scaled by k and delayed by d. It adds a
constant world vector g, such as weight, and a bias b. Only the causes of a hypothesis are free; the others are 1 or 0.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from framescope.core.analysis.misses.misfits import OFFSET_COST, misfit_of, wild_rows
from framescope.core.analysis.misses.vector_comparison import (
    RANGE,
    Expected,
    Mask,
    Rows,
    VectorComparison,
    rms_of,
    squares_of,
)
from framescope.core.kernels import axis_rotations
from framescope.core.kernels.validation import Array
from framescope.features.detective.core.hypotheses import turns_of

FREE = {"rotation": 3, "scale": 1, "bias": 3, "delay": 1, "weight": 3, "lever": 3}
"""Causes that may be free, with their numbers of parameters."""

USUAL_LEVER = 1.0
"""Prior standard deviation of a lever arm, m. It keeps components that the motion hardly shows near zero."""

CAUSE_COST = 14.0
"""Cost of each further cause: twice the logarithm of the prior odds of 1000."""

USUAL_SCALE, FAR_SCALE = 0.1, 15.0
"""Usual logarithm of a scale, and the multiple of it at which its cost stops growing."""

SMALL, SMALL_GAIN = 0.2, 15.0
"""Size below which half of all rotations, rad, and biases, by the usual length, lie, and the lower cost of such a fit,
``2 ln(8π² / ((2π)^(3/2) 0.1³) / 2)``, as a coincidence is less likely."""

RELATED = 0.5
"""Least correlation of a vector with its expectation for fitting a scale."""

STEPS, CONVERGED = 15, 1e-5
"""Limit of Gauss-Newton steps, and relative change of the miss at which they stop."""

WEAK = 1e-8
"""Relative size of singular values below which parameters are indistinguishable; they get the smallest solution."""

STANDARD_WEIGHT, NEAR_WEIGHT = 9.80665, 0.03
"""Standard gravity, m/s², and the relative deviation up to which a vector counts as it."""

AXES: Array = np.eye(3)
NO_AXES: Array = np.zeros((0, 3, 3))


@dataclass(frozen=True, eq=False)
class VectorHypothesis:
    """A possible meaning of a measured vector.

    Attributes
    ----------
    expected
        Vector expected by the motion of its frames.
    changes
        Changes of the scene other than numbers, with keys such as ``("resolved_in", "imu")``.
    map : (3, 3)
        Matrix of axes, signs and unit.
    cost
        Prior cost of the changes.
    free
        Causes in `FREE` whose numbers are fitted.
    turn, lag
        Initial values of the rotation (3, 3) and the delay, s.
    """

    expected: Expected
    changes: tuple[tuple[str, object], ...] = ()
    map: Array = field(default_factory=lambda: AXES)
    cost: float = 0.0
    free: frozenset[str] = frozenset()
    turn: Array = field(default_factory=lambda: AXES)
    lag: float = 0.0

    @property
    def causes(self) -> frozenset[object]:
        """All changes and free causes."""
        return frozenset((*self.changes, *self.free))


@dataclass(frozen=True, eq=False)
class VectorFit:
    """Fit of a hypothesis: its numbers, misses (n_means, 3), and a mask of means without outliers (n_means,)."""

    hypothesis: VectorHypothesis
    turn: Array
    scale: float
    bias: Array
    weight: Array
    lever: Array
    delay: float
    missed: Array
    accepted: Mask
    is_good: bool = True
    _misfits: dict[tuple[float, int], tuple[float, int]] = field(init=False, repr=False, default_factory=dict)

    def cost(self, whiteness: float, scale: float) -> float:
        """Return twice the negative logarithm of the likelihood and the prior probability of the causes.

        Correlated misses count only in part, see `misfits.whiteness`. By Laplace's method, each fitted number costs as
        much as a coincidence of it is worth.
        """
        p, n = self.n_parameters, len(self._squares)
        numbers = p * float(np.log(OFFSET_COST * max(n * whiteness, 2.0)))
        causes = self.hypothesis.cost + CAUSE_COST * len(self.hypothesis.causes)
        return self.likelihood(whiteness, scale, p) + numbers + causes + self._dear_numbers(scale)

    def likelihood(self, whiteness: float, scale: float, n_fitted: int = 0) -> float:
        """Return twice the negative logarithm of the likelihood of the misses alone."""
        cost, n_wild = self._misfit(scale, n_fitted)
        own = n_fitted * float(np.log(OFFSET_COST * max(len(self._squares) - n_wild, 1)))
        return whiteness * (cost - own)

    def _misfit(self, scale: float, n_fitted: int) -> tuple[float, int]:
        """Return cost and number of outliers of the misses, cached for further calls."""
        if (scale, n_fitted) not in self._misfits:
            length = np.sqrt(self._squares) / scale
            misfit = misfit_of(length[np.newaxis], np.ones(1), np.array([n_fitted]))
            self._misfits[scale, n_fitted] = float(misfit.cost[0]), int(misfit.n_wild[0])
        return self._misfits[scale, n_fitted]

    @cached_property
    def _squares(self) -> Array:
        """Squared lengths of the finite misses."""
        squares = squares_of(self.missed)
        return squares[np.isfinite(squares)]

    def _dear_numbers(self, scale: float) -> float:
        """Return the prior cost of fitted numbers: high for unusual scales, low for small rotations and biases."""
        free = self.hypothesis.free
        far = min(abs(float(np.log(self.scale))) / USUAL_SCALE, FAR_SCALE) if "scale" in free else 0.0
        is_small = ("rotation" in free and float(np.linalg.norm(self.rotation_vector)) < SMALL) + (
            "bias" in free and float(np.linalg.norm(self.bias)) < SMALL * scale / RANGE
        )
        return 2.0 * far - SMALL_GAIN * is_small

    @property
    def is_standard_weight(self) -> bool:
        """Whether the constant world vector has the length of standard gravity."""
        return abs(float(np.linalg.norm(self.weight)) / STANDARD_WEIGHT - 1.0) < NEAR_WEIGHT

    @property
    def n_parameters(self) -> int:
        """Number of fitted parameters; standard gravity saves two."""
        spared = 2 if "weight" in self.hypothesis.free and self.is_standard_weight else 0
        return sum(FREE[cause] for cause in self.hypothesis.free) - spared

    @cached_property
    def rms(self) -> float:
        """Root mean square of the lengths of the misses without outliers, SI."""
        return rms_of(self.missed[self.accepted])

    @property
    def rotation_vector(self) -> Array:
        """Rotation vector (3,), rad."""
        return turns_of(self.turn[np.newaxis])[0]


def fit_vector(comparison: VectorComparison, hypothesis: VectorHypothesis) -> VectorFit | None:
    """Return the fit of a hypothesis; None if too little can be compared."""
    shown = VectorFit(
        hypothesis, hypothesis.turn, 1.0, np.zeros(3), np.zeros(3), np.zeros(3), hypothesis.lag, comparison.m,
        np.ones(comparison.n_means, dtype=np.bool_),
    )  # fmt: skip
    expected = _Averaged(comparison, hypothesis)
    shown, slopes = _with_misses(comparison, expected, shown)
    for _ in range(STEPS if hypothesis.free else 0):
        if shown.accepted.sum() < max(FREE["bias"], 0.3 * comparison.n_means):
            return None
        J = _columns(shown, slopes)[shown.accepted].reshape(-1, slopes.n_columns)
        normal, along = _with_prior(shown, J.T @ J, J.T @ shown.missed[shown.accepted].reshape(-1))
        length = np.sqrt(np.diag(normal))
        length[length == 0.0] = 1.0
        step = np.linalg.lstsq(normal / np.outer(length, length), along / length, rcond=WEAK)[0] / length
        before = shown.rms
        shown, slopes = _with_misses(comparison, expected, _apply_step(comparison, shown, step))
        if abs(shown.rms - before) <= CONVERGED * before:
            break
    enough = max(1.0, 0.3 * comparison.n_means)
    if shown.accepted.sum() < enough or not np.isfinite(shown.rms):
        return None
    return shown if "scale" not in hypothesis.free or _is_related(comparison, shown, slopes) else None


def _with_prior(shown: VectorFit, normal: Array, along: Array) -> tuple[Array, Array]:
    """Return normal equations with a prior that keeps the lever arm near zero unless the misses contradict."""
    free = shown.hypothesis.free
    if "lever" in free:
        at = sum(FREE[cause] for cause in list(FREE)[: list(FREE).index("lever")] if cause in free)
        weight = shown.rms**2 / 3.0 / USUAL_LEVER**2
        normal[range(at, at + 3), range(at, at + 3)] += weight
        along[at : at + 3] -= weight * shown.lever
    return normal, along


def _is_related(comparison: VectorComparison, shown: VectorFit, slopes: _Slopes) -> bool:
    """Return whether a vector correlates with its expectation; a scale near zero would explain any constant vector."""
    y = slopes.y[shown.accepted]
    x = y + shown.missed[shown.accepted]
    if rms_of(y) < 1e-6 * comparison.scale:
        return False
    return float(np.sum(x * y)) > RELATED * float(np.linalg.norm(x) * np.linalg.norm(y))


@dataclass(frozen=True, eq=False)
class _Slopes:
    """Derivatives of the misses.

    They hold the mapped expected vectors (n_means, 3), their time derivatives, the axes of the world vector, and the
    derivatives by the lever arm (n_means, 3, 3).
    """

    y: Array
    by_time: Array
    T: Array
    by_lever: Array
    n_columns: int


class _Averaged:
    """Means of the expected vectors of a hypothesis at any delay, with shared parts computed once."""

    def __init__(self, comparison: VectorComparison, hypothesis: VectorHypothesis) -> None:
        self._comparison, self._hypothesis, self._expected = comparison, hypothesis, hypothesis.expected

    @cached_property
    def _e_now(self) -> Array:
        return self._comparison.mean(self._expected.e)

    @cached_property
    def _T_now(self) -> Array:
        return self._comparison.mean(self._expected.T)

    @cached_property
    def _e_earlier(self) -> Earlier:
        return Earlier(self._comparison, self._expected.e)

    @cached_property
    def _T_earlier(self) -> Earlier:
        return Earlier(self._comparison, self._expected.T.reshape(-1, 9))

    @cached_property
    def _J_now(self) -> Array:
        return self._comparison.mean(self._expected.by_lever)

    @cached_property
    def _J_earlier(self) -> Earlier:
        return Earlier(self._comparison, self._expected.by_lever.reshape(-1, 9))

    def at(self, delay: float) -> tuple[Array, Array | None, Array | None, Array | None]:
        """Return expected vectors (n_means, 3), and for fitting: slopes, axes, derivatives by the lever arm."""
        free, comparison = self._hypothesis.free, self._comparison
        if "delay" not in free and not delay:
            return (
                self._e_now,
                None,
                self._T_now if "weight" in free else None,
                self._J_now if "lever" in free else None,
            )
        e, slope = self._e_earlier.values_and_slopes(delay)
        T = comparison.mean(self._T_earlier.values(delay).reshape(-1, 3, 3)) if "weight" in free else None
        J = comparison.mean(self._J_earlier.values(delay).reshape(-1, 3, 3)) if "lever" in free else None
        return comparison.mean(e), comparison.mean(slope), T, J


def _with_misses(comparison: VectorComparison, expected: _Averaged, shown: VectorFit) -> tuple[VectorFit, _Slopes]:
    """Return a fit with its misses, and their derivatives."""
    h = shown.hypothesis
    e, slope, T, J = expected.at(shown.delay)
    by = (shown.turn @ h.map).T
    by_time = np.zeros((comparison.n_means, 3)) if slope is None else slope @ by
    by_lever = NO_AXES if J is None else shown.scale * (by.T @ J)
    y = shown.scale * (e if J is None else e + J @ shown.lever) @ by
    missed = comparison.m - y - shown.bias
    if T is not None:
        missed -= T @ shown.weight
    squares = squares_of(missed)
    accepted: Mask = np.isfinite(squares)
    if accepted.any():
        accepted[accepted] = ~wild_rows(np.sqrt(squares[accepted]) / comparison.scale)
    n = sum(FREE[cause] for cause in h.free)
    slopes = _Slopes(y, shown.scale * by_time, NO_AXES if T is None else T, by_lever, n)
    return replace(shown, missed=missed, accepted=accepted), slopes


def _columns(shown: VectorFit, slopes: _Slopes) -> Array:
    """Return the derivatives of the model by each free number (n_means, 3, k)."""
    n = len(slopes.y)
    parts = {
        "rotation": lambda: np.stack([np.cross(axis, slopes.y) for axis in AXES], axis=-1),
        "scale": lambda: slopes.y[..., np.newaxis] / shown.scale,
        "bias": lambda: np.broadcast_to(AXES, (n, 3, 3)),
        "delay": lambda: -slopes.by_time[..., np.newaxis],
        "weight": lambda: slopes.T,
        "lever": lambda: slopes.by_lever,
    }
    return np.concatenate([parts[cause]() for cause in FREE if cause in shown.hypothesis.free], axis=-1)


def _apply_step(comparison: VectorComparison, shown: VectorFit, step: Array) -> VectorFit:
    """Return a fit with its numbers changed by a step."""
    free, at = shown.hypothesis.free, 0
    turn, scale, bias, weight, delay = shown.turn, shown.scale, shown.bias, shown.weight, shown.delay
    lever = shown.lever
    for cause in (cause for cause in FREE if cause in free):
        part = step[at : at + FREE[cause]]
        at += FREE[cause]
        match cause:
            case "rotation":
                turn = rotation_of(part) @ turn
            case "scale":
                scale = max(scale + float(part[0]), 0.05 * scale)
            case "bias":
                bias = bias + part
            case "weight":
                weight = weight + part
            case "lever":
                lever = lever + part
            case _:
                most = 0.25 * float(comparison.t[-1] - comparison.t[0])
                delay = float(np.clip(delay + np.clip(part[0], -0.1 * most, 0.1 * most), -most, most))
    return replace(shown, turn=turn, scale=scale, bias=bias, weight=weight, lever=lever, delay=delay)


class Earlier:
    """Values (n, k) of rows at an earlier time, and their slopes; NaN before the first row.

    Cubic Hermite interpolation within each stretch. The interpolated values are smooth, and the noise of the measured
    vector, which interpolation would reduce, stays unchanged.
    """

    def __init__(self, comparison: VectorComparison, values: Array) -> None:
        self._comparison, self._values = comparison, values
        self._slope = np.gradient(values, comparison.t, axis=0) if len(comparison.t) > 1 else np.zeros_like(values)

    def values(self, delay: float) -> Array:
        """Return the values at a delay, s."""
        return self._value(*self._between(delay))

    def values_and_slopes(self, delay: float) -> tuple[Array, Array]:
        """Return the values and their slopes at a delay, s."""
        i, u, h, is_known = self._between(delay)
        v, slope = 1.0 - u, self._slope
        by_time = 6.0 * u * v * (self._values[i + 1] - self._values[i]) / h
        by_time = by_time + v * (v - 2.0 * u) * slope[i] + u * (u - 2.0 * v) * slope[i + 1]
        return self._value(i, u, h, is_known), np.where(is_known, by_time, np.nan)

    def _between(self, delay: float) -> tuple[Rows, Array, Array, Mask]:
        """Return the rows before, fractions of the way to the next rows, step lengths, and a mask of known times."""
        t, part, at = self._comparison.t, self._comparison.part, self._comparison.t - delay
        i = np.clip(np.searchsorted(t, at, side="right") - 1, 0, len(t) - 2)
        h = (t[i + 1] - t[i])[:, np.newaxis]
        u = (at - t[i])[:, np.newaxis] / h
        is_known = (at >= t[i]) & (at <= t[i + 1]) & (part[i] == part[i + 1])
        return i, u, h, np.asarray(is_known[:, np.newaxis])

    def _value(self, i: Rows, u: Array, h: Array, is_known: Mask) -> Array:
        v, a, b = 1.0 - u, self._values[i], self._values[i + 1]
        value = a + u**2 * (1.0 + 2.0 * v) * (b - a) + h * u * v * (v * self._slope[i] - u * self._slope[i + 1])
        return np.where(is_known, value, np.nan)


def rotation_of(vector: Array) -> Array:
    """Return the rotation (3, 3) of a rotation vector (3,), rad."""
    return axis_rotations.matrix_from_rotation_vector(vector).T


def with_causes(hypothesis: VectorHypothesis, causes: Collection[str]) -> VectorHypothesis:
    """Return a hypothesis with further free causes."""
    return replace(hypothesis, free=hypothesis.free | set(causes))

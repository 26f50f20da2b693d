"""Robust least squares of what may be the matter with a measured vector, several causes at once.

The model of the mean i is ``m_i = k C (e_i + J_i r)(t - d) + T_i g + b``: what is expected of the frames, e, at a point
off the origin by the lever arm r, turned by C, scaled by k and late by d, a vector g that stands still in world, such
as weight, and a bias b. Of these only the causes of a hypothesis are free; the others are 1 or 0.
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
"""What may be free, with its numbers."""

USUAL_LEVER = 1.0
"""Standard deviation of a lever arm before anything is measured, m. It keeps what the motion hardly shows near zero."""

CAUSE_COST = 14.0
"""Each cause more is so unlikely before anything is known: twice the logarithm of 1000."""

USUAL_SCALE, FAR_SCALE = 0.1, 15.0
"""Logarithm of a scale that surprises nobody, and how many times that it may be at no more cost."""

SMALL, SMALL_GAIN = 0.2, 15.0
"""Half of all turns, rad, and biases, in parts of the usual length, are as small as this: so much less a coincidence is
one of them than any other, ``2 ln(8π² / ((2π)^(3/2) 0.1³) / 2)``."""

RELATED = 0.5
"""Correlation of a vector with what is expected of it below which it is no multiple of that."""

STEPS, CONVERGED = 15, 1e-5
"""Steps of Gauss and Newton at most, and the change of the miss after which there is none."""

WEAK = 1e-8
"""Part of the largest singular value below which numbers cannot be told apart: they stay as small as they can."""

STANDARD_WEIGHT, NEAR_WEIGHT = 9.80665, 0.03
"""Acceleration of weight, m/s², and how near to it what is found is that."""

AXES: Array = np.eye(3)
NO_AXES: Array = np.zeros((0, 3, 3))


@dataclass(frozen=True, eq=False)
class VectorHypothesis:
    """What a measured vector may be.

    Attributes
    ----------
    expected
        What is expected by the frames that it is of.
    changes
        What is said otherwise than in the scene, and is no number: keys such as ``("resolved_in", "imu")``.
    map : (3, 3)
        Axes and signs, and the unit.
    cost
        How unlikely all that is before anything is known.
    free
        Causes whose numbers are fitted, of `FREE`.
    turn, lag
        Where to begin: rotation (3, 3), and delay, s.
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
        """All that is the matter."""
        return frozenset((*self.changes, *self.free))


@dataclass(frozen=True, eq=False)
class VectorFit:
    """Fit of a hypothesis: its numbers, what is missed (n_means, 3), and the means that are not wild (n_means,)."""

    hypothesis: VectorHypothesis
    turn: Array
    scale: float
    bias: Array
    weight: Array
    lever: Array
    delay: float
    missed: Array
    kept: Mask
    is_good: bool = True
    _misfits: dict[tuple[float, int], tuple[float, int]] = field(init=False, repr=False, default_factory=dict)

    def cost(self, whiteness: float, scale: float) -> float:
        """Return twice the negative logarithm of the likelihood, and of how likely the causes are before.

        Where misses follow each other only so many of them speak, see `misfits.whiteness`. By Laplace's method each
        number that is fitted costs what a coincidence of it is worth.
        """
        p, n = self.n_fitted, len(self._squares)
        numbers = p * float(np.log(OFFSET_COST * max(n * whiteness, 2.0)))
        causes = self.hypothesis.cost + CAUSE_COST * len(self.hypothesis.causes)
        return self.likelihood(whiteness, scale, p) + numbers + causes + self._dear_numbers(scale)

    def likelihood(self, whiteness: float, scale: float, n_fitted: int = 0) -> float:
        """Return twice the negative logarithm of the likelihood of the misses alone."""
        cost, n_wild = self._misfit(scale, n_fitted)
        own = n_fitted * float(np.log(OFFSET_COST * max(len(self._squares) - n_wild, 1)))
        return whiteness * (cost - own)

    def _misfit(self, scale: float, n_fitted: int) -> tuple[float, int]:
        """Return cost and number of wild ones of the misses; asked for again whenever there is another fit."""
        if (scale, n_fitted) not in self._misfits:
            length = np.sqrt(self._squares) / scale
            found = misfit_of(length[np.newaxis], np.ones(1), np.array([n_fitted]))
            self._misfits[scale, n_fitted] = float(found.cost[0]), int(found.n_wild[0])
        return self._misfits[scale, n_fitted]

    @cached_property
    def _squares(self) -> Array:
        """Squares of the lengths of the misses that are numbers."""
        squares = squares_of(self.missed)
        return squares[np.isfinite(squares)]

    def _dear_numbers(self, scale: float) -> float:
        """What numbers cost that are far from none, and those gain that are near: a scale is near 1 as a rule."""
        free = self.hypothesis.free
        far = min(abs(float(np.log(self.scale))) / USUAL_SCALE, FAR_SCALE) if "scale" in free else 0.0
        is_small = ("rotation" in free and float(np.linalg.norm(self.rotation_vector)) < SMALL) + (
            "bias" in free and float(np.linalg.norm(self.bias)) < SMALL * scale / RANGE
        )
        return 2.0 * far - SMALL_GAIN * is_small

    @property
    def is_standard_weight(self) -> bool:
        """Whether what stands still in world is as long as weight."""
        return abs(float(np.linalg.norm(self.weight)) / STANDARD_WEIGHT - 1.0) < NEAR_WEIGHT

    @property
    def n_fitted(self) -> int:
        """Numbers that are fitted; of weight only what tells it from the usual one."""
        spared = 2 if "weight" in self.hypothesis.free and self.is_standard_weight else 0
        return sum(FREE[cause] for cause in self.hypothesis.free) - spared

    @cached_property
    def rms(self) -> float:
        """Root mean square of the length of the misses that are not wild, SI."""
        return rms_of(self.missed[self.kept])

    @property
    def rotation_vector(self) -> Array:
        """The turn (3,) as axis times angle, rad."""
        return turns_of(self.turn[np.newaxis])[0]


def fit(both: VectorComparison, hypothesis: VectorHypothesis) -> VectorFit | None:
    """Return the fit of a hypothesis; None where too little can be compared."""
    shown = VectorFit(
        hypothesis, hypothesis.turn, 1.0, np.zeros(3), np.zeros(3), np.zeros(3), hypothesis.lag, both.m,
        np.ones(both.n_means, dtype=np.bool_),
    )  # fmt: skip
    expected = _Averaged(both, hypothesis)
    shown, slopes = _missed(both, expected, shown)
    for _ in range(STEPS if hypothesis.free else 0):
        if shown.kept.sum() < max(FREE["bias"], 0.3 * both.n_means):
            return None
        J = _columns(shown, slopes)[shown.kept].reshape(-1, slopes.n_columns)
        normal, along = _with_prior(shown, J.T @ J, J.T @ shown.missed[shown.kept].reshape(-1))
        length = np.sqrt(np.diag(normal))
        length[length == 0.0] = 1.0
        step = np.linalg.lstsq(normal / np.outer(length, length), along / length, rcond=WEAK)[0] / length
        before = shown.rms
        shown, slopes = _missed(both, expected, _moved(both, shown, step))
        if abs(shown.rms - before) <= CONVERGED * before:
            break
    enough = max(1.0, 0.3 * both.n_means)
    if shown.kept.sum() < enough or not np.isfinite(shown.rms):
        return None
    return shown if "scale" not in hypothesis.free or _is_related(both, shown, slopes) else None


def _with_prior(shown: VectorFit, normal: Array, along: Array) -> tuple[Array, Array]:
    """Return normal equations in which the lever arm is near zero as far as the misses do not say otherwise."""
    free = shown.hypothesis.free
    if "lever" in free:
        at = sum(FREE[cause] for cause in list(FREE)[: list(FREE).index("lever")] if cause in free)
        weight = shown.rms**2 / 3.0 / USUAL_LEVER**2
        normal[range(at, at + 3), range(at, at + 3)] += weight
        along[at : at + 3] -= weight * shown.lever
    return normal, along


def _is_related(both: VectorComparison, shown: VectorFit, slopes: _Slopes) -> bool:
    """Whether a vector goes with what is expected: a scale of nothing would explain whatever stands still."""
    y = slopes.y[shown.kept]
    x = y + shown.missed[shown.kept]
    if rms_of(y) < 1e-6 * both.scale:
        return False
    return float(np.sum(x * y)) > RELATED * float(np.linalg.norm(x) * np.linalg.norm(y))


@dataclass(frozen=True, eq=False)
class _Slopes:
    """What misses change by.

    Expected vectors as mapped (n_means, 3), by time, axes of weight and changes by the lever arm (n_means, 3, 3).
    """

    y: Array
    by_time: Array
    T: Array
    by_lever: Array
    n_columns: int


class _Averaged:
    """Means of what a hypothesis expects, at any delay, without doing again what is the same at each."""

    def __init__(self, both: VectorComparison, hypothesis: VectorHypothesis) -> None:
        self._both, self._hypothesis, self._expected = both, hypothesis, hypothesis.expected

    @cached_property
    def _e_now(self) -> Array:
        return self._both.mean(self._expected.e)

    @cached_property
    def _T_now(self) -> Array:
        return self._both.mean(self._expected.T)

    @cached_property
    def _e_earlier(self) -> Earlier:
        return Earlier(self._both, self._expected.e)

    @cached_property
    def _T_earlier(self) -> Earlier:
        return Earlier(self._both, self._expected.T.reshape(-1, 9))

    @cached_property
    def _J_now(self) -> Array:
        return self._both.mean(self._expected.by_lever)

    @cached_property
    def _J_earlier(self) -> Earlier:
        return Earlier(self._both, self._expected.by_lever.reshape(-1, 9))

    def at(self, delay: float) -> tuple[Array, Array | None, Array | None, Array | None]:
        """Return expected vectors (n_means, 3), and what is fitted needs: slopes, axes, changes by the lever arm."""
        free, both = self._hypothesis.free, self._both
        if "delay" not in free and not delay:
            return (
                self._e_now,
                None,
                self._T_now if "weight" in free else None,
                self._J_now if "lever" in free else None,
            )
        e, slope = self._e_earlier.values_and_slopes(delay)
        T = both.mean(self._T_earlier.values(delay).reshape(-1, 3, 3)) if "weight" in free else None
        J = both.mean(self._J_earlier.values(delay).reshape(-1, 3, 3)) if "lever" in free else None
        return both.mean(e), both.mean(slope), T, J


def _missed(both: VectorComparison, expected: _Averaged, shown: VectorFit) -> tuple[VectorFit, _Slopes]:
    """Return a fit with what its numbers miss, and the slopes there."""
    h = shown.hypothesis
    e, slope, T, J = expected.at(shown.delay)
    by = (shown.turn @ h.map).T
    by_time = np.zeros((both.n_means, 3)) if slope is None else slope @ by
    by_lever = NO_AXES if J is None else shown.scale * (by.T @ J)
    y = shown.scale * (e if J is None else e + J @ shown.lever) @ by
    missed = both.m - y - shown.bias
    if T is not None:
        missed -= T @ shown.weight
    squares = squares_of(missed)
    kept: Mask = np.isfinite(squares)
    if kept.any():
        kept[kept] = ~wild_rows(np.sqrt(squares[kept]) / both.scale)
    n = sum(FREE[cause] for cause in h.free)
    slopes = _Slopes(y, shown.scale * by_time, NO_AXES if T is None else T, by_lever, n)
    return replace(shown, missed=missed, kept=kept), slopes


def _columns(shown: VectorFit, slopes: _Slopes) -> Array:
    """Return how the model changes with each number that is free (n_means, 3, k)."""
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


def _moved(both: VectorComparison, shown: VectorFit, step: Array) -> VectorFit:
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
                most = 0.25 * float(both.t[-1] - both.t[0])
                delay = float(np.clip(delay + np.clip(part[0], -0.1 * most, 0.1 * most), -most, most))
    return replace(shown, turn=turn, scale=scale, bias=bias, weight=weight, lever=lever, delay=delay)


class Earlier:
    """Values (n, k) of rows as they were some time ago, and their slopes; not numbers before the first.

    Cubic between rows (Hermite), in each stretch for itself: what is shifted is smooth, and the noise of the measured
    vector, which interpolation would lessen, is not touched.
    """

    def __init__(self, both: VectorComparison, values: Array) -> None:
        self._both, self._values = both, values
        self._slope = np.gradient(values, both.t, axis=0) if len(both.t) > 1 else np.zeros_like(values)

    def values(self, delay: float) -> Array:
        """Return the values."""
        return self._value(*self._between(delay))

    def values_and_slopes(self, delay: float) -> tuple[Array, Array]:
        """Return the values, and their slopes."""
        i, u, h, is_known = self._between(delay)
        v, slope = 1.0 - u, self._slope
        by_time = 6.0 * u * v * (self._values[i + 1] - self._values[i]) / h
        by_time = by_time + v * (v - 2.0 * u) * slope[i] + u * (u - 2.0 * v) * slope[i + 1]
        return self._value(i, u, h, is_known), np.where(is_known, by_time, np.nan)

    def _between(self, delay: float) -> tuple[Rows, Array, Array, Mask]:
        """Return the rows before, the shares of the ways to the next, their lengths, and which are in one stretch."""
        t, part, at = self._both.t, self._both.part, self._both.t - delay
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
    """Return the rotation (3, 3) by a rotation vector (3,), rad."""
    return axis_rotations.matrix_from_rotation_vector(vector).T


def with_causes(hypothesis: VectorHypothesis, causes: Collection[str]) -> VectorHypothesis:
    """Return a hypothesis in which more is free."""
    return replace(hypothesis, free=hypothesis.free | set(causes))

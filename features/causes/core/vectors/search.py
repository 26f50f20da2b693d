"""Search for the simplest explanation of a measured vector, its rivals, and the test against noise."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from framescope.core.analysis.diagnostics.measured_problems import NOISE, largest_match, size_of
from framescope.core.analysis.misses.miss import Miss
from framescope.core.analysis.misses.vector_comparison import VectorComparison, miss_by, rms_of
from framescope.features.causes.core.vectors.fits import FREE, VectorFit, VectorHypothesis, fit_vector, with_causes
from framescope.features.causes.core.vectors.hypotheses import other_forms, other_frames, select_promising, units
from framescope.features.detective.core.misfits import whiteness

CLOSE = 12.0
"""Difference of cost above which a rival is not reported: a likelihood ratio of 1 to 400."""

MOST_CAUSES = 3
"""Limit of simultaneous causes of a fit."""

MOST_STATED = 2
"""Limit of causes that are stated together: with more, almost any vector fits any other."""

LEAST_TURN, LEAST_SCALE, LEAST_DELAY, LEAST_WEIGHT = np.radians(1.0), 0.01, 0.0025, 0.2
"""Least reported rotation, rad, deviation of a scale from 1, delay, s, and constant world vector, m/s²."""

LEAST_LEVER, SEEN = 0.01, 2.0
"""Shortest lever arm that is reported, m, and its least effect on the vector, as a multiple of the noise."""

LEAST_BIAS = {
    "velocity": 0.005,
    "angular velocity": 0.005,
    "acceleration": 0.05,
    "specific force": 0.05,
    "angular acceleration": 0.05,
}
"""Least reported biases, SI; a tenth of the size if that is smaller, down to a tenth of these."""


@dataclass(frozen=True, eq=False)
class Verdict:
    """Best explanation of a measured vector.

    Attributes
    ----------
    best
        The likeliest fit.
    causes
        Its causes that are large enough to report; empty if the vector matches.
    rivals
        Nearly as likely fits with other causes, and these.
    fits
        Whether the miss of the best fit is only noise, or small if the vector matches.
    miss
        Miss of the vector as the scene states it.
    needs_more
        Whether only more causes than are stated together would fit.
    """

    miss: Miss
    best: VectorFit
    causes: tuple[object, ...]
    rivals: tuple[tuple[VectorFit, tuple[object, ...]], ...]
    fits: bool
    needs_more: bool = False


def explain(comparison: VectorComparison) -> Verdict | None:
    """Return the best explanation of a measured vector; None if too little can be compared.

    A cause is reported if it changes the vector by the tolerance, or by the cause's own limit without a tolerance. No
    cause is reported if the miss does not exceed the noise.
    """
    as_stated = VectorHypothesis(comparison.expected)
    plain = fit_vector(comparison, as_stated)
    if plain is None:
        return None
    judge = _Judge(comparison)
    if judge.miss.rms <= judge.miss.noise:
        return Verdict(judge.miss, plain, (), (), fits=True)
    free = _causes_of(comparison)
    every = fit_vector(comparison, with_causes(as_stated, free))
    if judge.fits(plain) and every is not None and not judge.reported_causes(every):
        return Verdict(judge.miss, plain, (), (), fits=True)
    fits = [plain, *_fit_all(comparison, (with_causes(as_stated, (cause,)) for cause in free))]
    fits += _grow(comparison, judge, judge.best(fits), free)
    best = judge.simplest(fits)
    if judge.fits(plain) and not judge.reported_causes(best):
        return Verdict(judge.miss, best, (), (), fits=True)
    framed = [as_stated, *other_forms(comparison), *other_frames(comparison)]
    fits += _fit_all(comparison, select_promising(comparison, framed))
    for start in judge.sort_by_cost(fits)[:4]:
        fits += _grow(comparison, judge, start, free)
    best = judge.simplest(fits)
    if len(judge.reported_causes(best)) > MOST_STATED:
        stated = [vector_fit for vector_fit in fits if judge.is_stated(vector_fit)]
        if not stated:
            return Verdict(judge.miss, best, (), (), fits=False, needs_more=True)
        best = judge.simplest(stated)
    causes = judge.reported_causes(best)
    fits_noise = judge.settles(best) if causes else judge.fits(best)
    return Verdict(judge.miss, best, causes, tuple(judge.rivals(fits, best)), fits_noise)


def _causes_of(comparison: VectorComparison) -> list[str]:
    """Return the fitted causes that are possible for a kind of vector."""
    absent = {"lever"} if comparison.is_angular else set[str]()
    absent |= {"weight"} if comparison.measurement.form != "acceleration" else set()
    return [cause for cause in FREE if cause not in absent]


def _fit_all(comparison: VectorComparison, hypotheses: Iterable[VectorHypothesis]) -> list[VectorFit]:
    return [vector_fit for hypothesis in hypotheses if (vector_fit := fit_vector(comparison, hypothesis)) is not None]


def _grow(comparison: VectorComparison, judge: _Judge, start: VectorFit, free: Iterable[str]) -> Iterator[VectorFit]:
    """Yield fits with further causes, as long as each reduces the cost."""
    while len(start.hypothesis.causes) < MOST_CAUSES:
        more = [
            replace(with_causes(start.hypothesis, (cause,)), turn=start.turn, lag=start.delay)
            for cause in free
            if cause not in start.hypothesis.free
        ]
        fits = _fit_all(comparison, more)
        yield from fits
        best = judge.best([start, *fits])
        if best is start:
            return
        start = best


class _Judge:
    """Costs of the fits of one measurement, at the same whiteness, and their reported causes."""

    def __init__(self, comparison: VectorComparison) -> None:
        self.comparison = comparison
        stated = comparison.measurement.tolerance
        self.tolerance = None if stated is None else stated * comparison.staged.factor
        self.size = size_of(comparison)
        self.miss = miss_by(comparison, comparison.expected.e)
        self.largest_match = largest_match(comparison, self.miss)

    def fits(self, vector_fit: VectorFit) -> bool:
        """Return whether a miss is small enough to be accepted without an explanation."""
        return vector_fit.rms <= self.largest_match

    def settles(self, vector_fit: VectorFit) -> bool:
        """Return whether the miss of a fit is only noise."""
        return vector_fit.rms <= max(NOISE * self.miss.noise, self.tolerance or self.miss.floor, 1e-9)

    def is_stated(self, vector_fit: VectorFit) -> bool:
        """Return whether a fit has few enough causes to be stated, and leaves only noise."""
        return 0 < len(self.reported_causes(vector_fit)) <= MOST_STATED and self.settles(vector_fit)

    def whiteness(self, fits: list[VectorFit]) -> float:
        nearest = min(fits, key=lambda vector_fit: vector_fit.rms)
        return whiteness(nearest.missed[nearest.accepted])

    def costs(self, fits: list[VectorFit]) -> list[float]:
        white = self.whiteness(fits)
        return [vector_fit.cost(white, self.comparison.scale) for vector_fit in fits]

    def sort_by_cost(self, fits: list[VectorFit]) -> list[VectorFit]:
        costs = self.costs(fits)
        return [fits[i] for i in np.argsort(costs, kind="stable")]

    def best(self, fits: list[VectorFit]) -> VectorFit:
        return self.sort_by_cost(fits)[0]

    def simplest(self, fits: list[VectorFit]) -> VectorFit:
        """Return the likeliest fit, without causes that hardly improve it."""
        costs = self.costs(fits)
        order = [int(i) for i in np.argsort(costs, kind="stable")]
        simplest_fit = fits[order[0]]
        for i in order:
            if costs[i] <= costs[order[0]] + CLOSE and fits[i].hypothesis.causes < simplest_fit.hypothesis.causes:
                simplest_fit = fits[i]
        return simplest_fit

    def rivals(self, fits: list[VectorFit], best: VectorFit) -> Iterator[tuple[VectorFit, tuple[object, ...]]]:
        """Yield fits nearly as likely as the best one whose causes do not include all causes of it or of another rival.

        A fit with the same changes and no more numbers counts by its likelihood alone, as the motion may hide
        differences.
        """
        costs, white = self.costs(fits), self.whiteness(fits)
        least, nearest = costs[fits.index(best)], best.likelihood(white, self.comparison.scale)
        seen = [frozenset(self.reported_causes(best))]
        for i in np.argsort(costs, kind="stable"):
            vector_fit = fits[int(i)]
            is_alike = vector_fit.hypothesis.changes == best.hypothesis.changes
            is_alike &= len(vector_fit.hypothesis.free) <= len(best.hypothesis.free)
            is_near = costs[int(i)] <= least + CLOSE
            if not is_near and not (
                is_alike and vector_fit.likelihood(white, self.comparison.scale) <= nearest + CLOSE
            ):
                continue
            causes = self.reported_causes(vector_fit)
            is_same = "weight" in causes and "form" in dict(best.hypothesis.changes)  # gravity both
            if is_same or not 0 < len(causes) <= MOST_STATED:
                continue
            if not any(others <= frozenset(causes) for others in seen):
                seen.append(frozenset(causes))
                yield vector_fit, causes

    def reported_causes(self, vector_fit: VectorFit) -> tuple[object, ...]:
        """Return the causes of a fit that are large enough to report."""
        free = [cause for cause in FREE if cause in vector_fit.hypothesis.free and self._is_large(vector_fit, cause)]
        return (*vector_fit.hypothesis.changes, *free)

    def _is_large(self, vector_fit: VectorFit, cause: str) -> bool:
        if cause == "scale" and not self._has_scale(vector_fit):
            return False
        if self.tolerance is not None:
            return self._effect(vector_fit, cause) >= self.tolerance
        match cause:
            case "rotation":
                return float(np.linalg.norm(vector_fit.rotation_vector)) >= LEAST_TURN
            case "delay":
                return abs(vector_fit.delay) >= LEAST_DELAY and self._closes_noise(vector_fit)
            case "bias":
                least, times = LEAST_BIAS[self.comparison.measurement.form], self._times_too_large(vector_fit)
                limit = float(np.clip(0.1 * self.size / times, 0.1 * least, least))
                return float(np.linalg.norm(vector_fit.bias)) >= times * limit
            case "weight":
                return float(np.linalg.norm(vector_fit.weight)) >= self._times_too_large(vector_fit) * LEAST_WEIGHT
            case "lever":
                least = max(SEEN * self.miss.noise, self.miss.floor)
                return (
                    float(np.linalg.norm(vector_fit.lever)) >= LEAST_LEVER and self._effect(vector_fit, cause) >= least
                )
            case _:
                return True

    def _closes_noise(self, vector_fit: VectorFit) -> bool:
        """Return whether a fit reduces the miss by more than the stated noise."""
        return self.miss.rms**2 - vector_fit.rms**2 >= self.miss.noise**2

    def _times_too_large(self, vector_fit: VectorFit) -> float:
        """Return the factor by which all numbers are too large if a fit has another unit."""
        unit = dict(vector_fit.hypothesis.changes).get("unit")
        return 1.0 if unit is None else units(self.comparison)[str(unit)]

    def _has_scale(self, vector_fit: VectorFit) -> bool:
        """Return whether the scale differs from 1, regardless of which side has the noise.

        Noise of the expected vector makes the scale of least squares too small. Noise of the measured vector makes the
        inverse regression's scale too large. The true scale is between the two.
        """
        y = (self.comparison.m - vector_fit.missed - vector_fit.bias)[vector_fit.accepted] / vector_fit.scale
        x = y * vector_fit.scale + vector_fit.missed[vector_fit.accepted]
        across, power = float(np.sum(x * y)), float(np.sum(y * y))
        if min(across, power) <= 0.0:
            return True
        forth, back = across / power, float(np.sum(x * x)) / across
        least = 0.0 if self.tolerance is not None else LEAST_SCALE
        return min(forth, back) > 1.0 + least or max(forth, back) < 1.0 - least

    def _effect(self, vector_fit: VectorFit, cause: str) -> float:
        """Return the rms change of the vector by a cause."""
        y = self.comparison.m - vector_fit.missed
        match cause:
            case "rotation":
                changed = (y - vector_fit.bias) - (y - vector_fit.bias) @ vector_fit.turn
            case "scale":
                changed = (y - vector_fit.bias) * (1.0 - 1.0 / vector_fit.scale)
            case "bias":
                changed = np.broadcast_to(vector_fit.bias, y.shape)
            case "weight":
                changed = np.broadcast_to(vector_fit.weight, y.shape)
            case "lever":
                changed = vector_fit.scale * (
                    self.comparison.mean(vector_fit.hypothesis.expected.by_lever) @ vector_fit.lever
                )
            case _:
                changed = vector_fit.delay * np.gradient(y, self.comparison.at, axis=0)
        return rms_of(np.asarray(changed)[vector_fit.accepted])

"""The simplest that a measured vector may be, what it is as likely, and whether that fits the noise."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from framescope.core.analysis.diagnostics.measured_problems import NOISE, largest_match, size_of
from framescope.core.analysis.misses.miss import Miss
from framescope.core.analysis.misses.vector_comparison import VectorComparison, miss_by, rms_of
from framescope.features.causes.core.vectors.fits import FREE, VectorFit, VectorHypothesis, fit, with_causes
from framescope.features.causes.core.vectors.hypotheses import other_frames, promising, units
from framescope.features.detective.core.misfits import whiteness

CLOSE = 12.0
"""What costs so much more is so much less likely that it is told no more: a chance of one to 400."""

MOST_CAUSES = 3
"""Causes that are told at once."""

LEAST_TURN, LEAST_SCALE, LEAST_DELAY, LEAST_WEIGHT = np.radians(1.0), 0.01, 0.0025, 0.2
"""A turn, rad, a scale off 1, a delay, s, and what stands still, m/s², that are told."""

LEAST_LEVER, SEEN = 0.01, 2.0
"""Shortest lever arm that is reported, m, and the least change of the vector by it, in parts of the noise."""

LEAST_BIAS = {"velocity": 0.005, "angular velocity": 0.005, "acceleration": 0.05, "angular acceleration": 0.05}
"""Biases that are told, SI; a tenth of the size where that is less, down to a tenth of these."""


@dataclass(frozen=True, eq=False)
class Verdict:
    """What a measured vector is found to be.

    Attributes
    ----------
    best
        The likeliest.
    causes
        Those of its causes that are large enough to be told; none where nothing is the matter.
    rivals
        What is nearly as likely, with its causes, which are others.
    fits
        Whether what the best misses is no more than noise, or little where nothing is the matter.
    miss
        By how much the vector misses what the scene expects as it stands.
    """

    miss: Miss
    best: VectorFit
    causes: tuple[object, ...]
    rivals: tuple[tuple[VectorFit, tuple[object, ...]], ...]
    fits: bool


def explain(both: VectorComparison) -> Verdict | None:
    """Return what a measured vector is found to be; None where too little can be compared.

    Causes are told that change the vector by its tolerance, or by the usual limits of each where it has none; none
    where it misses by no more than noise alone does.
    """
    as_said = VectorHypothesis(both.expected)
    plain = fit(both, as_said)
    if plain is None:
        return None
    judge = _Judge(both)
    if judge.miss.rms <= judge.miss.noise:
        return Verdict(judge.miss, plain, (), (), fits=True)
    free = _causes_of(both)
    every = fit(both, with_causes(as_said, free))
    if judge.fits(plain) and every is not None and not judge.told(every):
        return Verdict(judge.miss, plain, (), (), fits=True)
    fits = [plain, *_fitted(both, (with_causes(as_said, (cause,)) for cause in free))]
    fits += _grown(both, judge, judge.best(fits), free)
    best = judge.simplest(fits)
    if judge.fits(plain) and not judge.told(best):
        return Verdict(judge.miss, best, (), (), fits=True)
    framed = [as_said, *other_frames(both)]
    fits += _fitted(both, promising(both, framed))
    for start in judge.ranked(fits)[:4]:
        fits += _grown(both, judge, start, free)
    best = judge.simplest(fits)
    causes = judge.told(best)
    fits_noise = judge.settles(best) if causes else judge.fits(best)
    return Verdict(judge.miss, best, causes, tuple(judge.rivals(fits, best)), fits_noise)


def _causes_of(both: VectorComparison) -> list[str]:
    """Return the causes whose numbers can be fitted to a kind of vector."""
    absent = {"lever"} if both.is_angular else set[str]()
    absent |= {"weight"} if both.measurement.form != "acceleration" else set()
    return [cause for cause in FREE if cause not in absent]


def _fitted(both: VectorComparison, hypotheses: Iterable[VectorHypothesis]) -> list[VectorFit]:
    return [one for hypothesis in hypotheses if (one := fit(both, hypothesis)) is not None]


def _grown(both: VectorComparison, judge: _Judge, start: VectorFit, free: Iterable[str]) -> Iterator[VectorFit]:
    """Yield a fit with more causes, as long as each is worth it."""
    while len(start.hypothesis.causes) < MOST_CAUSES:
        more = [
            replace(with_causes(start.hypothesis, (cause,)), turn=start.turn, lag=start.delay)
            for cause in free
            if cause not in start.hypothesis.free
        ]
        found = _fitted(both, more)
        yield from found
        best = judge.best([start, *found])
        if best is start:
            return
        start = best


class _Judge:
    """Costs of fits of one measurement, all by the same whiteness, and what of them is told."""

    def __init__(self, both: VectorComparison) -> None:
        self.both = both
        stated = both.measurement.tolerance
        self.tolerance = None if stated is None else stated * both.staged.factor
        self.size = size_of(both)
        self.miss = miss_by(both, both.expected.e)
        self.largest_match = largest_match(both, self.miss)

    def fits(self, one: VectorFit) -> bool:
        """Whether a miss counts as a match where nothing explains it."""
        return one.rms <= self.largest_match

    def settles(self, one: VectorFit) -> bool:
        """Whether what a fit misses is no more than noise."""
        return one.rms <= max(NOISE * self.miss.noise, self.tolerance or self.miss.floor, 1e-9)

    def whiteness(self, fits: list[VectorFit]) -> float:
        nearest = min(fits, key=lambda one: one.rms)
        return whiteness(nearest.missed[nearest.kept])

    def costs(self, fits: list[VectorFit]) -> list[float]:
        white = self.whiteness(fits)
        return [one.cost(white, self.both.scale) for one in fits]

    def ranked(self, fits: list[VectorFit]) -> list[VectorFit]:
        costs = self.costs(fits)
        return [fits[i] for i in np.argsort(costs, kind="stable")]

    def best(self, fits: list[VectorFit]) -> VectorFit:
        return self.ranked(fits)[0]

    def simplest(self, fits: list[VectorFit]) -> VectorFit:
        """Return the likeliest, less the causes without which it is nearly as likely."""
        costs = self.costs(fits)
        order = [int(i) for i in np.argsort(costs, kind="stable")]
        found = fits[order[0]]
        for i in order:
            if costs[i] <= costs[order[0]] + CLOSE and fits[i].hypothesis.causes < found.hypothesis.causes:
                found = fits[i]
        return found

    def rivals(self, fits: list[VectorFit], best: VectorFit) -> Iterator[tuple[VectorFit, tuple[object, ...]]]:
        """Yield what is nearly as likely as the best, and no more than that and something besides.

        Of numbers alone also what only fits as well: that three of them look as one may be the motion's doing.
        """
        costs, white = self.costs(fits), self.whiteness(fits)
        least, nearest = costs[fits.index(best)], best.likelihood(white, self.both.scale)
        seen = [frozenset(self.told(best))]
        for i in np.argsort(costs, kind="stable"):
            one = fits[int(i)]
            is_alike = one.hypothesis.changes == best.hypothesis.changes
            is_alike &= len(one.hypothesis.free) <= len(best.hypothesis.free)
            is_near = costs[int(i)] <= least + CLOSE
            if not is_near and not (is_alike and one.likelihood(white, self.both.scale) <= nearest + CLOSE):
                continue
            told = self.told(one)
            if told and not any(others <= frozenset(told) for others in seen):
                seen.append(frozenset(told))
                yield one, told

    def told(self, one: VectorFit) -> tuple[object, ...]:
        """Return the causes of a fit that are large enough to be told."""
        free = [cause for cause in FREE if cause in one.hypothesis.free and self._is_large(one, cause)]
        return (*one.hypothesis.changes, *free)

    def _is_large(self, one: VectorFit, cause: str) -> bool:
        if cause == "scale" and not self._is_scaled(one):
            return False
        if self.tolerance is not None:
            return self._effect(one, cause) >= self.tolerance
        match cause:
            case "rotation":
                return float(np.linalg.norm(one.rotation_vector)) >= LEAST_TURN
            case "delay":
                return abs(one.delay) >= LEAST_DELAY and self._closes_noise(one)
            case "bias":
                least, times = LEAST_BIAS[self.both.measurement.form], self._times_too_large(one)
                limit = float(np.clip(0.1 * self.size / times, 0.1 * least, least))
                return float(np.linalg.norm(one.bias)) >= times * limit
            case "weight":
                return float(np.linalg.norm(one.weight)) >= self._times_too_large(one) * LEAST_WEIGHT
            case "lever":
                least = max(SEEN * self.miss.noise, self.miss.floor)
                return float(np.linalg.norm(one.lever)) >= LEAST_LEVER and self._effect(one, cause) >= least
            case _:
                return True

    def _closes_noise(self, one: VectorFit) -> bool:
        """Return whether a fit takes more off the miss than the noise that is stated."""
        return self.miss.rms**2 - one.rms**2 >= self.miss.noise**2

    def _times_too_large(self, one: VectorFit) -> float:
        """Return by how many times all numbers are too large where they are in another unit by a fit."""
        unit = dict(one.hypothesis.changes).get("unit")
        return 1.0 if unit is None else units(self.both)[str(unit)]

    def _is_scaled(self, one: VectorFit) -> bool:
        """Whether the scale is off 1 whichever side has the noise.

        Noise of what is expected makes the scale of least squares too small, noise of what is measured that of the
        other way round too large: the truth is between.
        """
        y = (self.both.m - one.missed - one.bias)[one.kept] / one.scale
        x = y * one.scale + one.missed[one.kept]
        across, power = float(np.sum(x * y)), float(np.sum(y * y))
        if min(across, power) <= 0.0:
            return True
        forth, back = across / power, float(np.sum(x * x)) / across
        least = 0.0 if self.tolerance is not None else LEAST_SCALE
        return min(forth, back) > 1.0 + least or max(forth, back) < 1.0 - least

    def _effect(self, one: VectorFit, cause: str) -> float:
        """Return by how much, rms, a cause changes the vector."""
        y = self.both.m - one.missed
        match cause:
            case "rotation":
                changed = (y - one.bias) - (y - one.bias) @ one.turn
            case "scale":
                changed = (y - one.bias) * (1.0 - 1.0 / one.scale)
            case "bias":
                changed = np.broadcast_to(one.bias, y.shape)
            case "weight":
                changed = np.broadcast_to(one.weight, y.shape)
            case "lever":
                changed = one.scale * (self.both.mean(one.hypothesis.expected.by_lever) @ one.lever)
            case _:
                changed = one.delay * np.gradient(y, self.both.at, axis=0)
        return rms_of(np.asarray(changed)[one.kept])

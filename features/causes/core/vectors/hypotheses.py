"""Hypotheses of what a measured vector is: other frames, axes, signs and units, and which of them are worth a fit."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np

from framescope.core.analysis.diagnostics.nearby_frames import likely_frames
from framescope.core.analysis.misses.vector_comparison import Mask, Rows, VectorComparison, rms_of
from framescope.core.kernels.nearest_rotation import best_rotations
from framescope.core.kernels.validation import Array
from framescope.core.scene.schema.model import WORLD
from framescope.core.scene.schema.quantities import UNITS
from framescope.features.causes.core.vectors.fits import (
    AXES,
    CAUSE_COST,
    FREE,
    Earlier,
    VectorHypothesis,
)
from framescope.features.detective.core.axis_changes import AxisChange, changes

LATEST, N_LAGS = 2.0, 81
"""Delays that are tried, s, at most a quarter of the measurement; and how many."""

MOST_MEANS = 1000
"""Means by which hypotheses are chosen that are worth a fit."""

MOST_CAUSES, MOST_OF_A_KIND, MOST_FITTED = 2, 2, 14
"""Of those that are fitted: causes at most, how many of the same kinds, and how many in all."""

LONGEST = 3.0
"""Times the length of nine tenths of the vectors that longer ones are taken for."""

ROUNDING = 1e-14
"""Of the mean square of a vector: what varies by less is constant, and its scale cannot be seen."""

MINUS_ONE = AxisChange((0, 1, 2), (-1, -1, -1))


def other_frames(both: VectorComparison) -> Iterator[VectorHypothesis]:
    """Yield the measurement relative to and resolved in other frames, one change or two."""
    measurement, plan = both.measurement, both.plan
    named = (measurement.resolved_in, measurement.relative_to, measurement.of)
    frames = tuple(dict.fromkeys((*named, *likely_frames(plan, *named))))
    snapshot = both.snapshot_of(plan, frames)
    dear = 2.0 * float(np.log(len(frames)))
    for relative_to in (x for x in frames if x != measurement.of):
        is_measured = relative_to == measurement.relative_to
        for resolved_in in frames if is_measured else dict.fromkeys((*named, relative_to, WORLD)):
            said = {"relative_to": relative_to, "resolved_in": resolved_in}
            new = tuple((key, value) for key, value in said.items() if value != getattr(measurement, key))
            expected = both.expect(relative_to, resolved_in, snapshot)
            is_moving = rms_of(expected.e) > 1e-6 * both.scale  # what stands still explains nothing
            if new and is_moving and np.isfinite(expected.e).all():
                yield VectorHypothesis(expected, new, cost=dear * len(new))


def units(both: VectorComparison) -> Mapping[str, float]:
    """Return by unit how many times too large the vector is where it has been written in that."""
    form, factor = both.measurement.form, both.staged.factor
    ratios: dict[float, str] = {}
    for unit, other in UNITS[form].items():
        ratios.setdefault(factor / other, unit)
    return {unit: ratio for ratio, unit in ratios.items() if ratio != 1.0}


@dataclass(frozen=True)
class _Way:
    """A way to map what is expected: what changes, the map (3, 3) or a turn to be found, and what it costs."""

    changes: tuple[tuple[str, object], ...]
    map: Array | None
    cost: float


def _ways() -> list[_Way]:
    ways = [_Way((), np.eye(3), 0.0), _Way((("axes", MINUS_ONE),), MINUS_ONE.matrix, 2.0 * float(np.log(4.0)))]
    every = [change for is_proper in (True, False) for change in changes(is_proper=is_proper)]
    others = [change for change in every if not change.is_identity and change != MINUS_ONE]
    dear = 2.0 * float(np.log(len(others)))
    ways += (_Way((("axes", change),), change.matrix, dear + change.cost) for change in others)
    return [*ways, _Way((), None, 0.0)]


@dataclass(frozen=True)
class _Candidate:
    cost: float
    kinds: frozenset[str]
    hypothesis: VectorHypothesis


def promising(both: VectorComparison, framed: Iterable[VectorHypothesis]) -> list[VectorHypothesis]:
    """Return the hypotheses that are worth a fit, by least squares of all axes, units and delays.

    Parameters
    ----------
    framed
        With what is expected of frames, the measurement as it stands first.
    """
    some = np.linspace(0, both.n_means - 1, min(both.n_means, MOST_MEANS)).astype(int)
    most = min(LATEST, 0.25 * float(both.t[-1] - both.t[0]))
    lags = np.unique(np.append(np.round(np.linspace(-most, most, N_LAGS) / both.step) * both.step, 0.0))
    values = Earlier(both, both.series.values[both.rows])
    limit = LONGEST * float(np.quantile(np.linalg.norm(both.m, axis=1), 0.9))
    shifts = np.stack([_limited(both.mean(values.values(-lag))[some], limit) for lag in lags])
    there: Mask = np.asarray(np.isfinite(shifts).all(axis=2))
    shifts = np.where(there[..., np.newaxis], shifts, 0.0)
    found: list[_Candidate] = []
    for hypothesis in framed:
        found += _of_frames(both, hypothesis, lags, shifts, there, some)
    chosen: list[_Candidate] = []
    for one in sorted(found, key=lambda one: one.cost):
        alike = sum(other.kinds == one.kinds for other in chosen)
        if alike < MOST_OF_A_KIND and len(chosen) < MOST_FITTED:
            chosen.append(one)
    return [one.hypothesis for one in chosen]


def _limited(vectors: Array, limit: float) -> Array:
    length = np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-300)
    return np.asarray(vectors * np.minimum(1.0, limit / length))


def _of_frames(
    both: VectorComparison, hypothesis: VectorHypothesis, lags: Array, shifts: Array, there: Mask, some: Rows
) -> Iterator[_Candidate]:
    """Yield the best of each kind of map, size, delay and bias of a hypothesis about frames."""
    e: Array = both.mean(hypothesis.expected.e)[some]
    n = np.maximum(there.sum(axis=1), 1).astype(float)
    is_long = n >= 0.5 * len(some)
    m_mean: Array = shifts.sum(axis=1) / n[:, np.newaxis]
    e_mean: Array = (there @ e) / n[:, np.newaxis]
    S = np.einsum("lki,kj->lij", shifts, e) / n[:, np.newaxis, np.newaxis]
    mm: Array = (shifts**2).sum(axis=(1, 2)) / n
    ee: Array = (there @ (e**2).sum(axis=1)) / n
    by_unit = units(both)
    dear_unit = 2.0 * float(np.log(len(by_unit) + 1.0))
    ways = _ways()
    at_once, later = np.flatnonzero(lags == 0.0), np.flatnonzero(lags != 0.0)
    for has_bias in (False, True):
        S_b = S - m_mean[:, :, np.newaxis] * e_mean[:, np.newaxis, :] if has_bias else S
        mm_b = mm - (m_mean**2).sum(axis=1) if has_bias else mm
        ee_b = ee - (e_mean**2).sum(axis=1) if has_bias else ee
        turns = best_rotations(S_b)
        along = np.stack(
            [
                np.einsum("lij,ij->l", S_b, way.map) if way.map is not None else np.einsum("lij,lij->l", S_b, turns)
                for way in ways
            ]
        )
        varies = ee_b > ROUNDING * np.maximum(ee, mm)
        best_scale = np.where(varies, along / np.where(varies, ee_b, 1.0), 0.0)
        sizes: list[tuple[str, Array]] = [("", np.ones_like(along)), ("scale", best_scale)]
        sizes += [(unit, np.full_like(along, ratio)) for unit, ratio in by_unit.items()]
        for size, a in sizes:
            left = np.maximum(mm_b - 2.0 * a * along + a**2 * ee_b, (1e-7 * both.scale) ** 2)
            cost = np.where(is_long & (a > 0.0), 3.0 * n * np.log(left), np.inf)
            cost += np.array([way.cost for way in ways])[:, np.newaxis]
            costs = [(cost[:, of], of) for of in (at_once, later)]
            for places in (slice(0, 1), slice(1, 2), slice(2, -1), slice(len(ways) - 1, None)):
                for all_of, of in costs:
                    part = all_of[places]
                    if not part.size:
                        continue
                    i, at = np.unravel_index(int(np.argmin(part)), part.shape)
                    if not np.isfinite(part[i, at]):
                        continue
                    j, k = of[at], range(len(ways))[places][int(i)]
                    numbers = float(a[k, j]), float(lags[j]), turns[int(j)]
                    one = _hypothesis(hypothesis, ways[k], size, dear_unit, numbers, has_bias=has_bias)
                    if len(one.causes) <= MOST_CAUSES:
                        dear = (
                            float(part[i, at])
                            + one.cost
                            + sum(FREE[key] for key in one.free) * float(np.log(3.0 * n[j]))
                        )
                        yield _Candidate(dear + CAUSE_COST * len(one.causes), _kinds(one), one)


def _kinds(hypothesis: VectorHypothesis) -> frozenset[str]:
    return frozenset((*(key for key, _ in hypothesis.changes), *hypothesis.free))


def _hypothesis(
    framed: VectorHypothesis,
    way: _Way,
    size: str,
    dear_unit: float,
    numbers: tuple[float, float, Array],
    *,
    has_bias: bool,
) -> VectorHypothesis:
    """Return a hypothesis about frames with axes or a turn, a unit or a scale, and a delay, and maybe a bias."""
    scale, lag, turn = numbers
    free = {"bias"} if has_bias else set[str]()
    if way.map is None:
        free.add("rotation")
    said, cost, by = (*framed.changes, *way.changes), framed.cost + way.cost, AXES if way.map is None else way.map
    if size == "scale":
        free.add("scale")
    elif size:
        said, cost, by = (*said, ("unit", size)), cost + dear_unit, scale * by
    if lag:
        free.add("delay")
    start = turn if way.map is None else AXES
    return replace(framed, changes=said, map=by, cost=cost, free=frozenset(free), turn=start, lag=lag)

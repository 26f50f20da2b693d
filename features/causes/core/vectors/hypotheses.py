"""Hypotheses for a measured vector: other frames, axes, signs and units, and the selection of those worth a fit."""

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
"""Largest delay that is tried, s, at most a quarter of the measurement, and the number of delays."""

MOST_MEANS = 1000
"""Limit of means used for selecting hypotheses."""

MOST_CAUSES, MOST_OF_A_KIND, MOST_FITTED = 2, 2, 14
"""Limits of fitted hypotheses: causes of one, number of one kind, and total number."""

LONGEST = 3.0
"""Limit of the length of vectors, as a multiple of their 90th percentile; longer ones are shortened."""

ROUNDING = 1e-14
"""Least variance of a vector relative to its mean square; the scale of a constant vector is undetermined."""

MINUS_ONE = AxisChange((0, 1, 2), (-1, -1, -1))


def other_frames(comparison: VectorComparison) -> Iterator[VectorHypothesis]:
    """Yield the measurement with one or both of its reference frames changed."""
    measurement, plan = comparison.measurement, comparison.plan
    named = (measurement.resolved_in, measurement.relative_to, measurement.of)
    frames = tuple(dict.fromkeys((*named, *likely_frames(plan, *named))))
    snapshot = comparison.snapshot_of(plan, frames)
    dear = 2.0 * float(np.log(len(frames)))
    for relative_to in (x for x in frames if x != measurement.of):
        is_measured = relative_to == measurement.relative_to
        for resolved_in in frames if is_measured else dict.fromkeys((*named, relative_to, WORLD)):
            new_frames = {"relative_to": relative_to, "resolved_in": resolved_in}
            new = tuple((key, value) for key, value in new_frames.items() if value != getattr(measurement, key))
            expected = comparison.expect(relative_to, resolved_in, snapshot)
            is_moving = rms_of(expected.e) > 1e-6 * comparison.scale  # a frame at rest explains nothing
            if new and is_moving and np.isfinite(expected.e).all():
                yield VectorHypothesis(expected, new, cost=dear * len(new))


OTHER_FORMS = {"acceleration": "specific force", "specific force": "acceleration"}
"""Form that a vector has if gravity is in it, or is not."""


def other_forms(comparison: VectorComparison) -> Iterator[VectorHypothesis]:
    """Yield an acceleration as a specific force, which has gravity in it, and a specific force as an acceleration."""
    measurement = comparison.measurement
    form = OTHER_FORMS.get(measurement.form)
    if form is not None:
        snapshot = comparison.snapshot_of(
            comparison.plan, (measurement.of, measurement.relative_to, measurement.resolved_in)
        )
        expected = comparison.expect(measurement.relative_to, measurement.resolved_in, snapshot, form)
        yield VectorHypothesis(expected, (("form", form),))


def units(comparison: VectorComparison) -> Mapping[str, float]:
    """Return the factor by which the vector is too large if it was written in another unit, by unit."""
    form, factor = comparison.measurement.form, comparison.staged.factor
    ratios: dict[float, str] = {}
    for unit, other in UNITS[form].items():
        ratios.setdefault(factor / other, unit)
    return {unit: ratio for ratio, unit in ratios.items() if ratio != 1.0}


@dataclass(frozen=True)
class _Map:
    """Map of the expected vector: its changes, the matrix (3, 3) or None for a fitted rotation, and its cost."""

    changes: tuple[tuple[str, object], ...]
    map: Array | None
    cost: float


def _maps() -> list[_Map]:
    maps = [_Map((), np.eye(3), 0.0), _Map((("axes", MINUS_ONE),), MINUS_ONE.matrix, 2.0 * float(np.log(4.0)))]
    every = [change for is_proper in (True, False) for change in changes(is_proper=is_proper)]
    others = [change for change in every if not change.is_identity and change != MINUS_ONE]
    dear = 2.0 * float(np.log(len(others)))
    maps += (_Map((("axes", change),), change.matrix, dear + change.cost) for change in others)
    return [*maps, _Map((), None, 0.0)]


@dataclass(frozen=True)
class _Candidate:
    cost: float
    kinds: frozenset[str]
    hypothesis: VectorHypothesis


def select_promising(comparison: VectorComparison, framed: Iterable[VectorHypothesis]) -> list[VectorHypothesis]:
    """Return the hypotheses worth a fit, selected by least squares over all axes, units and delays.

    Parameters
    ----------
    framed
        Hypotheses about frames, the unchanged measurement first.
    """
    some = np.linspace(0, comparison.n_means - 1, min(comparison.n_means, MOST_MEANS)).astype(int)
    most = min(LATEST, 0.25 * float(comparison.t[-1] - comparison.t[0]))
    lags = np.unique(np.append(np.round(np.linspace(-most, most, N_LAGS) / comparison.step) * comparison.step, 0.0))
    values = Earlier(comparison, comparison.series.values[comparison.rows])
    limit = LONGEST * float(np.quantile(np.linalg.norm(comparison.m, axis=1), 0.9))
    shifts = np.stack([_limit_lengths(comparison.mean(values.values(-lag))[some], limit) for lag in lags])
    there: Mask = np.asarray(np.isfinite(shifts).all(axis=2))
    shifts = np.where(there[..., np.newaxis], shifts, 0.0)
    candidates: list[_Candidate] = []
    for hypothesis in framed:
        candidates += _of_frames(comparison, hypothesis, lags, shifts, there, some)
    chosen: list[_Candidate] = []
    for candidate in sorted(candidates, key=lambda candidate: candidate.cost):
        alike = sum(other.kinds == candidate.kinds for other in chosen)
        if alike < MOST_OF_A_KIND and len(chosen) < MOST_FITTED:
            chosen.append(candidate)
    return [candidate.hypothesis for candidate in chosen]


def _limit_lengths(vectors: Array, limit: float) -> Array:
    length = np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-300)
    return np.asarray(vectors * np.minimum(1.0, limit / length))


def _of_frames(
    comparison: VectorComparison, hypothesis: VectorHypothesis, lags: Array, shifts: Array, there: Mask, some: Rows
) -> Iterator[_Candidate]:
    """Yield the best candidate of each kind of map, scale, delay and bias for a hypothesis about frames."""
    e: Array = comparison.mean(hypothesis.expected.e)[some]
    n = np.maximum(there.sum(axis=1), 1).astype(float)
    is_long = n >= 0.5 * len(some)
    m_mean: Array = shifts.sum(axis=1) / n[:, np.newaxis]
    e_mean: Array = (there @ e) / n[:, np.newaxis]
    S = np.einsum("lki,kj->lij", shifts, e) / n[:, np.newaxis, np.newaxis]
    mm: Array = (shifts**2).sum(axis=(1, 2)) / n
    ee: Array = (there @ (e**2).sum(axis=1)) / n
    by_unit = units(comparison)
    dear_unit = 2.0 * float(np.log(len(by_unit) + 1.0))
    maps = _maps()
    at_once, later = np.flatnonzero(lags == 0.0), np.flatnonzero(lags != 0.0)
    for has_bias in (False, True):
        S_b = S - m_mean[:, :, np.newaxis] * e_mean[:, np.newaxis, :] if has_bias else S
        mm_b = mm - (m_mean**2).sum(axis=1) if has_bias else mm
        ee_b = ee - (e_mean**2).sum(axis=1) if has_bias else ee
        turns = best_rotations(S_b)
        along = np.stack(
            [
                np.einsum("lij,ij->l", S_b, axes_map.map)
                if axes_map.map is not None
                else np.einsum("lij,lij->l", S_b, turns)
                for axes_map in maps
            ]
        )
        varies = ee_b > ROUNDING * np.maximum(ee, mm)
        best_scale = np.where(varies, along / np.where(varies, ee_b, 1.0), 0.0)
        sizes: list[tuple[str, Array]] = [("", np.ones_like(along)), ("scale", best_scale)]
        sizes += [(unit, np.full_like(along, ratio)) for unit, ratio in by_unit.items()]
        for size, a in sizes:
            residual = np.maximum(mm_b - 2.0 * a * along + a**2 * ee_b, (1e-7 * comparison.scale) ** 2)
            cost = np.where(is_long & (a > 0.0), 3.0 * n * np.log(residual), np.inf)
            cost += np.array([axes_map.cost for axes_map in maps])[:, np.newaxis]
            costs = [(cost[:, of], of) for of in (at_once, later)]
            for places in (slice(0, 1), slice(1, 2), slice(2, -1), slice(len(maps) - 1, None)):
                for all_of, of in costs:
                    part = all_of[places]
                    if not part.size:
                        continue
                    i, at = np.unravel_index(int(np.argmin(part)), part.shape)
                    if not np.isfinite(part[i, at]):
                        continue
                    j, k = of[at], range(len(maps))[places][int(i)]
                    numbers = float(a[k, j]), float(lags[j]), turns[int(j)]
                    candidate = _hypothesis(hypothesis, maps[k], size, dear_unit, numbers, has_bias=has_bias)
                    if len(candidate.causes) <= MOST_CAUSES:
                        dear = (
                            float(part[i, at])
                            + candidate.cost
                            + sum(FREE[key] for key in candidate.free) * float(np.log(3.0 * n[j]))
                        )
                        yield _Candidate(dear + CAUSE_COST * len(candidate.causes), _kinds(candidate), candidate)


def _kinds(hypothesis: VectorHypothesis) -> frozenset[str]:
    return frozenset((*(key for key, _ in hypothesis.changes), *hypothesis.free))


def _hypothesis(
    framed: VectorHypothesis,
    axes_map: _Map,
    size: str,
    dear_unit: float,
    numbers: tuple[float, float, Array],
    *,
    has_bias: bool,
) -> VectorHypothesis:
    """Return a hypothesis about frames with axes or a rotation, a unit or a scale, a delay, and optionally a bias."""
    scale, lag, turn = numbers
    free = {"bias"} if has_bias else set[str]()
    if axes_map.map is None:
        free.add("rotation")
    changes, cost, by = (
        (*framed.changes, *axes_map.changes),
        framed.cost + axes_map.cost,
        AXES if axes_map.map is None else axes_map.map,
    )
    if size == "scale":
        free.add("scale")
    elif size:
        changes, cost, by = (*changes, ("unit", size)), cost + dear_unit, scale * by
    if lag:
        free.add("delay")
    start = turn if axes_map.map is None else AXES
    return replace(framed, changes=changes, map=by, cost=cost, free=frozenset(free), turn=start, lag=lag)

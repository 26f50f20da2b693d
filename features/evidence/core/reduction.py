"""Reduction of a long recording to the stretches that tell most, in which the faults are searched.

Readings that go on in the same way for half an hour tell little more than some minutes of them, and cost far more. The
search takes the liveliest stretches of each third of the recording, those in which readings disagree most, and the
starts of the sensors. What it finds is weighed once over the whole recording.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from framescope.core.kernels.validation import Array
from framescope.features.evidence.core.delays import synchronize
from framescope.features.evidence.core.relations import Relation, Scope, coefficients
from framescope.features.evidence.core.search import MARGIN, Explanation
from framescope.features.evidence.core.spectral_fit import SpectralFit
from framescope.features.evidence.core.states import STATED
from framescope.features.evidence.core.tracks import FEWEST_SAMPLES, Track
from framescope.features.evidence.core.weighing import Evidence, stated

LONGEST = 600.0
"""Time up to which a recording is searched as a whole, s."""

PARTS = 20
"""Blocks in the longest recording that is searched as a whole; of longer ones some blocks of this length are taken."""

PER_THIRD, WORST = 2, 2
"""Liveliest blocks of each third of a recording, and blocks in which readings disagree most."""

SEAM = 4.0
"""Time without samples between two stretches, which no delay exceeds, s."""

ENOUGH = 4.0
"""Growth of the information of a relation, in its best block, beyond which more counts less."""

MOST_DISAGREEMENT = 10.0
"""Disagreement of a block, in that of the usual one, beyond which more does not count."""

Stretch = tuple[float, float]
"""Start and end of a stretch, s."""


@dataclass(frozen=True, eq=False)
class Blocks:
    """What blocks of a recording tell.

    Attributes
    ----------
    start, width
        Start of the first block and width of each, s.
    information : (r, b)
        Information of relations in blocks, relative to that of the best block.
    disagreement : (b,)
        Disagreement of the readings as stated beyond the usual one, over all relations.
    """

    start: float
    width: float
    information: Array
    disagreement: Array


def reduced(evidence: Evidence, longest: float = LONGEST) -> Evidence:
    """Return the evidence in the stretches that tell most; the evidence itself if the recording is not long.

    Tracks and relations keep their numbers and order. The stretches follow on each other with short gaps, so that
    times are others than those of the recording.
    """
    tracks = evidence.scope.tracks
    first, last = min(float(track.t[0]) for track in tracks), max(float(track.t[-1]) for track in tracks)
    if last - first <= longest:
        return evidence
    blocks = _blocks(evidence, first, last, longest / PARTS)
    stretches = _stretches(blocks, _chosen(blocks, tracks))
    scope = Scope(tuple(shortened(track, stretches) for track in tracks))
    return Evidence(scope, evidence.relations)


def shortened(track: Track, stretches: tuple[Stretch, ...]) -> Track:
    """Return a track with the samples in some stretches, which follow on each other with gaps of `SEAM`.

    A track without enough samples in them becomes one that no other meets in time.
    """
    kept, times = list[Array](), list[Array]()
    at = 0.0
    for start, end in stretches:
        i, j = np.searchsorted(track.t, [start, end])
        kept.append(track.x[i:j])
        times.append(track.t[i:j] - start + at)
        at += end - start + SEAM
    t, x = np.concatenate(times), np.concatenate(kept)
    if len(t) < FEWEST_SAMPLES:
        t, x = track.t[:FEWEST_SAMPLES] - track.t[FEWEST_SAMPLES - 1] - SEAM, track.x[:FEWEST_SAMPLES]
    return replace(track, t=t, x=x)


def confirmed(evidence: Evidence, explanation: Explanation) -> Explanation:
    """Return an explanation without the faults that do not make the whole recording agree better.

    The delays that all relations show are taken back first.
    """
    states, mounts = explanation.states, explanation.mounts
    synchronize(evidence, states, mounts)
    kept = list(explanation.faults)
    for fault in explanation.faults if len(explanation.faults) else ():
        unit, _ = fault
        relations = evidence.of(unit)
        without = states | dict.fromkeys(unit, STATED)
        if evidence.total(without, mounts, relations) - evidence.total(states, mounts, relations) < MARGIN:
            states = without
            kept.remove(fault)
    if len(kept) == len(explanation.faults):
        return explanation
    return replace(explanation, states=states, faults=tuple(kept), misfit=float(evidence.total(states, mounts)))


# --- Blocks


def _blocks(evidence: Evidence, first: float, last: float, width: float) -> Blocks:
    """Return what blocks tell, by the readings as they are stated."""
    count = max(int(np.ceil((last - first) / width)), 3)
    information, disagreement = list[Array](), np.zeros(count)
    states = stated(evidence.scope)
    for relation in evidence.relations:
        aligned = evidence.aligned(relation, states, {})
        if aligned is None:
            continue
        fit = aligned.fit
        series = fit.series
        block = np.clip(((series.t - first) / width).astype(np.int64), 0, count - 1)
        told = _per_block(_information(fit), series.is_good, block, count)
        if told.max(initial=0.0) > 0.0:
            information.append(told / told.max())
        if fit.is_telling:
            disagreement += _disagreement(evidence, relation, fit, block, count)
    rows = np.stack(information) if information else np.ones((1, count))
    return Blocks(first, width, rows, disagreement)


def _information(fit: SpectralFit) -> Array:
    """Return what each window (n,) tells of a relation; by the motion alone if the readings have nothing in common."""
    series = fit.series
    if fit.is_telling:
        return np.sum(fit.whiten(series.predict(fit.theta)) ** 2, axis=1)
    changes = series.y if series.order else np.gradient(series.y, axis=0)
    return np.sum(changes**2, axis=1)


def _disagreement(
    evidence: Evidence, relation: Relation, fit: SpectralFit, block: NDArray[np.int64], count: int
) -> Array:
    """Return the difference of readings in blocks (b,) as they are stated, beyond the usual one."""
    theta = coefficients(evidence.scope, relation, stated(evidence.scope), {})
    is_good = fit.series.is_good
    squares = _per_block(np.sum(fit.whiten(fit.residual(theta)) ** 2, axis=1), is_good, block, count)
    windows = np.bincount(block[is_good], minlength=count)
    mean = squares / np.maximum(windows, 1)
    usual = float(np.median(mean[windows > 0])) if np.any(windows) else 0.0
    return np.clip(mean / usual - 1.0, 0.0, MOST_DISAGREEMENT) if usual > 0.0 else np.zeros(count)


def _per_block(x: Array, is_good: NDArray[np.bool_], block: NDArray[np.int64], count: int) -> Array:
    return np.asarray(np.bincount(block[is_good], x[is_good], minlength=count), dtype=np.float64)


def _chosen(blocks: Blocks, tracks: tuple[Track, ...]) -> NDArray[np.int64]:
    """Return the numbers of the blocks that are taken, in order."""
    count = blocks.information.shape[1]
    chosen = {min(max(int((float(track.t[0]) - blocks.start) / blocks.width), 0), count - 1) for track in tracks}
    for k in range(3):
        third: NDArray[np.int64] = np.arange(k * count // 3, (k + 1) * count // 3, dtype=np.int64)
        got = np.zeros(len(blocks.information))
        for _ in range(min(PER_THIRD, len(third))):
            gain = np.sum(np.log1p(ENOUGH * (got[:, None] + blocks.information[:, third])), axis=0)
            gain[np.isin(third, list(chosen))] = -1.0
            if gain.max() < 0.0:
                break
            best = int(third[int(np.argmax(gain))])
            got = got + blocks.information[:, best]
            chosen.add(best)
    worst = [b for b in np.argsort(-blocks.disagreement).tolist() if b not in chosen and blocks.disagreement[b] > 0.0]
    chosen |= set(worst[:WORST])
    for row in blocks.information:  # no relation is left out
        if row[sorted(chosen)].max() < 0.1:
            chosen.add(int(np.argmax(row)))
    return np.array(sorted(chosen))


def _stretches(blocks: Blocks, chosen: NDArray[np.int64]) -> tuple[Stretch, ...]:
    """Return the stretches of blocks, neighbours as one."""
    groups = np.split(chosen, np.flatnonzero(np.diff(chosen) > 1) + 1)
    return tuple(
        (blocks.start + blocks.width * float(g[0]), blocks.start + blocks.width * float(g[-1] + 1)) for g in groups
    )

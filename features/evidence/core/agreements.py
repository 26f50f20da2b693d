"""Comparisons of readings by pairs: as stated, and with the faults taken back."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from framescope.core.kernels.validation import Array
from framescope.core.system.cooperative_yield import checkpoint
from framescope.features.evidence.core.account import Agreement, Fault, Verdict
from framescope.features.evidence.core.mean_squares import root_mean_square
from framescope.features.evidence.core.relations import Kind, Relation, coefficients
from framescope.features.evidence.core.search import Explanation
from framescope.features.evidence.core.spectral_fit import Flags
from framescope.features.evidence.core.stretches import shortest_stretch
from framescope.features.evidence.core.weighing import Aligned, Evidence, stated, wiggled_cost
from framescope.features.evidence.core.wording import listed, three_digits

SHOWN = 600
"""Largest number of differences that a comparison keeps."""

POOR = 4.0
"""Ratio of the difference with all faults taken back to its noise, from which readings contradict each other."""

TELLING = 12.0
"""Negative log-likelihood by which readings must have to do with each other to agree."""

SAME = 0.02
"""Part by which a difference must change for faults to explain it."""

UNITS: dict[Kind, tuple[str, int]] = {
    "turn": ("rad/s", 1),
    "world turn": ("rad/s", 1),
    "heading": ("rad/s", 1),
    "gravity": ("m/s²", 0),
    "travel": ("m/s", 1),
    "motion": ("m/s²", 1),
}
"""Unit of the differences of a relation after a division by the width of a window to a power."""


@dataclass(frozen=True, eq=False)
class Compared:
    """Comparison of one relation: whitened and plain residuals as stated and as explained."""

    relation: Relation
    aligned: Aligned
    cost: float
    stretch: tuple[float, float]


def agreements_of(
    evidence: Evidence, explanation: Explanation, faults: dict[int, tuple[Fault, ...]], apart: dict[int, float]
) -> tuple[Agreement, ...]:
    """Return the comparisons of all pairs of readings that have a relation.

    Parameters
    ----------
    faults
        Faults by the number of the track.
    apart
        Certainty of the faults of a track, in standard errors.
    """
    by_pair: dict[tuple[int, int], list[Relation]] = {}
    for relation in evidence.relations:
        i, j = relation.members[:2]
        by_pair.setdefault((min(i, j), max(i, j)), []).append(relation)
    return tuple(
        agreement
        for pair, relations in sorted(by_pair.items())
        if (agreement := _agreement(evidence, explanation, pair, relations, faults, apart)) is not None
    )


def _agreement(
    evidence: Evidence,
    explanation: Explanation,
    pair: tuple[int, int],
    relations: list[Relation],
    faults: dict[int, tuple[Fault, ...]],
    apart: dict[int, float],
) -> Agreement | None:
    checkpoint()
    candidates = list[tuple[float, Relation, Aligned]]()
    for relation in relations:
        aligned = evidence.aligned(relation, explanation.states, explanation.mounts)
        if aligned is not None:
            candidates.append((aligned.fit.unexplained, relation, aligned))
    if not candidates:
        return None
    _, relation, aligned = min(candidates, key=lambda candidate: candidate[0])
    fit, tracks = aligned.fit, evidence.scope.tracks
    theta = coefficients(evidence.scope, relation, explanation.states, explanation.mounts)
    wiggle = evidence.wiggle(relation, fit, theta, explanation.states, explanation.mounts)
    cost, beta = wiggled_cost(fit, theta, wiggle)
    best = theta + np.einsum("w,wcq->cq", beta, wiggle.directions)
    after = fit.residual(best)
    before = _residual_as_stated(evidence, explanation, relation, after)
    unit, power = _unit(evidence, relation)
    scale = fit.series.width**-power
    own = tuple(fault for k in pair for fault in faults.get(k, ()))
    off_before, off_after = (root_mean_square(x[fit.series.is_good]) for x in (before, after))
    if abs(off_before - off_after) < SAME * off_before:
        own = ()  # faults that both have, such as a turn of one device, change nothing between them
    chi = fit.chi_squares(best)
    miss = float(np.sqrt(np.max(chi / np.maximum(fit.n, 1.0)))) if fit.is_telling else 1.0
    verdict = _verdict(fit.is_telling, float(cost), miss, own)
    if verdict == "cannot tell":
        stretch = float(fit.series.t[0]), float(fit.series.t[-1])
    else:
        stretch = proof_of(aligned, theta, before if own else None, after)
    certainty = min((apart[k] for k in pair if k in apart), default=float(np.sqrt(2.0 * max(-float(cost), 0.0))))
    t, residual = _shown(fit.series.t, fit.series.is_good, before * scale, after * scale)
    rms = [off_before * scale, off_after * scale]
    first, second = (tracks[k].name for k in relation.members[:2])
    sentence = _sentence(first, second, verdict, rms, unit, own)
    return Agreement(first, second, verdict, own, certainty, miss, rms[0], rms[1], unit, stretch, sentence, t, residual)


def _unit(evidence: Evidence, relation: Relation) -> tuple[str, int]:
    quantity = evidence.scope.tracks[relation.members[0]].quantity
    of_quantity = {"angular velocity": "rad/s", "specific force": "m/s²", "velocity": "m/s", "magnetic field": "T"}
    if relation.kind == "motion":
        return "m/s²", 2 if quantity == "position" else 1
    return UNITS.get(relation.kind, (of_quantity.get(quantity, ""), 0))


def _residual_as_stated(evidence: Evidence, explanation: Explanation, relation: Relation, after: Array) -> Array:
    """Return the residual (n, c) of the readings as stated, on the windows of the explained one."""
    states = stated(evidence.scope)
    lead = relation.members[0]
    aligned = evidence.aligned(relation, explanation.states, explanation.mounts)
    as_stated = evidence.aligned(relation, states, explanation.mounts)
    if aligned is None or as_stated is None:
        return after
    if not aligned.clock.is_right or any(k in evidence.scope.clocks for k in relation.members):
        series = evidence.unaligned(relation, states, explanation.mounts)
        if series is None:
            return after
    else:
        series = as_stated.fit.series
    theta = coefficients(evidence.scope, relation, states, explanation.mounts)
    residual = series.y - series.predict(theta)
    return _on(aligned.fit.series.t, series.t, residual) if len(residual) != len(after) or lead < 0 else residual


def _on(t: Array, at: Array, x: Array) -> Array:
    columns: list[Array] = [np.interp(t, at, x[:, k]) for k in range(x.shape[1])]
    return np.stack(columns, axis=1)


def proof_of(aligned: Aligned, theta: Array, before: Array | None, after: Array) -> tuple[float, float]:
    """Return the stretch that proves a relation, or that it was violated as stated."""
    fit = aligned.fit
    if before is None:
        information = np.sum(fit.whiten(fit.series.predict(theta)) ** 2, axis=1)
    else:
        information = np.sum(fit.whiten(before) ** 2, axis=1) - np.sum(fit.whiten(after) ** 2, axis=1)
        if np.sum(information) <= 0.0:
            information = np.sum(before**2, axis=1)
    return shortest_stretch(fit.series.t, np.where(fit.series.is_good, information, 0.0))


def _verdict(is_telling: bool, cost: float, miss: float, faults: tuple[Fault, ...]) -> Verdict:
    if not is_telling or (cost > -TELLING and miss < POOR):
        return "cannot tell"
    if miss >= POOR:
        return "contradict"
    return "explained" if faults else "agree"


def _shown(t: Array, is_good: Flags, before: Array, after: Array) -> tuple[Array, Array]:
    """Return times and the lengths of both residuals, means over blocks."""
    t, before, after = t[is_good], before[is_good], after[is_good]
    count = max(len(t) // SHOWN + 1, 1)
    n = len(t) // count
    if n == 0:
        return np.zeros(0), np.zeros((0, 2))
    blocks = [x[: n * count].reshape(n, count, -1).mean(axis=1) for x in (t[:, None], before, after)]
    return blocks[0][:, 0], np.stack([np.linalg.norm(block, axis=1) for block in blocks[1:]], axis=1)


def _sentence(first: str, second: str, verdict: Verdict, rms: list[float], unit: str, faults: tuple[Fault, ...]) -> str:
    pair = f"{first} and {second}"
    if verdict == "agree":
        return f"{pair} agree: {three_digits(rms[1])} {unit} rms."
    if verdict == "explained":
        words = listed(dict.fromkeys(f"{fault.readings} is {fault.words}" for fault in faults))
        return f"{pair} agree if {words}: {three_digits(rms[1])} instead of {three_digits(rms[0])} {unit} rms."
    if verdict == "contradict":
        return f"{pair} contradict each other under all hypotheses: {three_digits(rms[1])} {unit} rms."
    return f"{pair} cannot be compared: the motion is too small beside the noise."

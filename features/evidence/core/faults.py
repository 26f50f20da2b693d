"""Faults of an explanation, with their sizes and standard errors, and how certain they are."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from scipy.spatial.transform import Rotation

from framescope.core.errors import Severity
from framescope.core.kernels.validation import Array
from framescope.features.evidence.core.account import Fault, FaultKind
from framescope.features.evidence.core.hypotheses import Label, free_cost
from framescope.features.evidence.core.mounting import Turn, unit_turn
from framescope.features.evidence.core.relations import Scope
from framescope.features.evidence.core.search import NEAR_SCALE, NEAR_TURN, Explanation, Unit
from framescope.features.evidence.core.states import UP, State
from framescope.features.evidence.core.tracks import Track
from framescope.features.evidence.core.weighing import Evidence
from framescope.features.evidence.core.wording import axes_words, change_words, nearest_axes, three_digits

CERTAIN = 3.0
"""Standard errors by which every rival must be worse."""

SEVERITIES: dict[FaultKind, Severity] = {
    "scale": "amber",
    "bias": "amber",
    "delay": "amber",
    "clock drift": "amber",
    "mounting": "amber",
    "starts as zero": "amber",
}
"""Severities of kinds of faults; those of others are red."""


@dataclass(frozen=True, eq=False)
class Judged:
    """Faults of sensors, and the explanations that are as likely.

    Attributes
    ----------
    unit
        Numbers of the tracks.
    labels
        The faults.
    apart
        Standard errors by which the best rival is worse.
    rivals
        Faults of the rivals that are less than three standard errors away, the likeliest first.
    """

    unit: Unit
    labels: tuple[Label, ...]
    apart: float
    rivals: tuple[tuple[tuple[Unit, tuple[Label, ...], Explanation], ...], ...]


def judge(scope: Scope, best: Explanation, rivals: list[Explanation]) -> tuple[Judged, ...]:
    """Return the faults of the best explanation with their certainty."""
    return tuple(_judge(scope, best, unit, labels, rivals) for unit, labels in best.faults)


def _judge(scope: Scope, best: Explanation, unit: Unit, labels: tuple[Label, ...], rivals: list[Explanation]) -> Judged:
    worlds = {k for k in unit if scope.has_own_world(k, unit)}
    apart, near = np.inf, list[tuple[float, Explanation]]()
    for rival in rivals:
        if _has(rival, unit, labels) or _is_same(rival, best, unit, worlds):
            continue
        more = max(rival.prior - best.prior, 0.0) if rival.count > best.count else _more_free(rival, best)
        more += max(rival.further - best.further, 0.0)
        worse = rival.misfit + more - best.misfit
        apart = min(apart, worse)
        if worse < 0.5 * CERTAIN**2 and rival.faults:
            near.append((worse, rival))
    near.sort(key=lambda item: item[0] + item[1].prior)
    told = dict[frozenset[tuple[Unit, tuple[Label, ...]]], tuple[tuple[Unit, tuple[Label, ...], Explanation], ...]]()
    for _, rival in near:
        other = tuple((u, ls, rival) for u, ls in rival.faults if not _has(best, u, ls))
        key = frozenset((u, ls) for u, ls, _ in other)
        if not any(simpler and simpler <= key for simpler in told):
            told[key] = other
    rows = tuple(told.values())[:4]
    return Judged(unit, labels, float(np.sqrt(2.0 * max(apart, 0.0))), rows)


def _more_free(rival: Explanation, best: Explanation) -> float:
    """Return the improbability of the numbers that a rival has free beyond those of the best explanation.

    Numbers that can be fitted reach what one fault of a list does, but seldom by chance.
    """
    a, b = (sum(free_cost(labels) for _, labels in explanation.faults) for explanation in (rival, best))
    return max(a - b, 0.0)


def _has(explanation: Explanation, unit: Unit, labels: tuple[Label, ...]) -> bool:
    """Return whether an explanation has the faults of a unit, perhaps with others."""
    return any(set(unit) <= set(u) and set(labels) <= set(ls) for u, ls in explanation.faults)


def _is_same(a: Explanation, b: Explanation, unit: Unit, free: set[int]) -> bool:
    """Return whether two explanations give the sensors of a unit the same state, up to the headings that are free."""
    return all(_is_near(a.states[k], b.states[k], is_free=k in free) for k in unit)


def _proper(state: State) -> State:
    """Return a state that mirrors neither axes if it mirrors those of frame and reference, which is the same."""
    if float(state.W.hand) > 0.0 or float(state.T.hand) > 0.0:
        return state
    return state.with_T(-state.T.M).with_W(-state.W.M)


def _is_near(a: State, b: State, *, is_free: bool) -> bool:
    a, b = _proper(a), _proper(b)
    if is_free and np.allclose(a.W.M @ UP, b.W.M @ UP, atol=NEAR_TURN):
        a = replace(a, W=b.W)
    if a.form != b.form or float(a.gravity) != float(b.gravity):
        return False
    return all(
        float(p.hand) == float(q.hand)
        and abs(np.log(float(p.size / q.size))) < NEAR_SCALE
        and Rotation.from_matrix((p.M / p.size) @ (q.M / q.size).T).magnitude() < NEAR_TURN
        for p, q in ((a.T, b.T), (a.W, b.W))
    )


def turn_of_labels(evidence: Evidence, explanation: Explanation, unit: Unit, labels: tuple[Label, ...]) -> Turn | None:
    """Return the fitted turn of a unit whose faults turn it; None otherwise."""
    if any(label.kind in ("mounting", "body axes") for label in labels):
        return unit_turn(evidence, explanation, unit)
    return None


def faults_of(evidence: Evidence, explanation: Explanation, unit: Unit, labels: tuple[Label, ...]) -> tuple[Fault, ...]:
    """Return the faults of the sensors of a unit."""
    turn = turn_of_labels(evidence, explanation, unit, labels)
    return tuple(_fault(evidence.scope.tracks[k], explanation.states[k], label, turn) for k in unit for label in labels)


def _fault(track: Track, state: State, label: Label, turn: Turn | None) -> Fault:  # noqa: C901, PLR0912
    words, value, sigma = label.words, tuple[float, ...](), tuple[float, ...]()
    T, W = state.T.M / state.T.size, state.W.M / state.W.size
    match label.kind:
        case "quaternion order":
            words = f"in the order {label.words}"
        case "inverse":
            words = "the inverse"
        case "world axes":
            change, _ = nearest_axes(W)
            words, value = f"resolved in {change_words(change)} axes of the reference", _quaternion(W)
        case "body axes":
            change, _ = nearest_axes(T)
            words, value = f"in {change_words(change)} axes", _quaternion(T.T)
            sigma = _sigma(turn)
            words = words if turn is None else turn.words_if_open or words
        case "doubled axes":
            words, value = "relative to NED axes and in FRD axes", _quaternion(W)
        case "mirrored axes":
            M = T if float(state.T.hand) < 0.0 else W
            words = f"mirrored: its x y z are {nearest_axes(M)[0].short}"
        case "mounting":
            R = T if turn is None or not label.words.startswith(("turned", "along")) else turn.R
            spread = float(np.sqrt(np.max(np.diag(turn.covariance)))) if turn is not None else 0.0
            words, value, sigma = f"mounted {axes_words(R, spread)}", _quaternion(R.T), _sigma(turn)
            if not words.startswith("mounted turned"):
                value = _quaternion(nearest_axes(R)[0].matrix.T)
            words = words.replace("mounted turned", "turned")
            words = words if turn is None else turn.words_if_open or words
        case "wrong frame":
            words = f"in the axes of {label.words}"
        case "resolved in reference":
            words = f"resolved in {track.readings.reference or 'the reference'}"
        case "resolved in frame":
            words = f"resolved in {track.readings.frame or 'the frame'}"
        case "unit":
            size = state.W.size if track.quantity == "position" or float(state.W.size) != 1.0 else state.T.size
            words, value = label.words if "twice" in label.words else f"in {label.words}", (float(size),)
        case "sign":
            words = "of the opposite sign"
        case "scale":
            size = float(state.W.size if float(state.W.size) != 1.0 else state.T.size)
            words, value = f"{three_digits(size)} times as large as it should be", (size,)
        case "gravity removed":
            words = "without gravity"
        case "starts as zero":
            words, value = "zero at its start", _quaternion(W)
        case _:
            pass
    return Fault(label.kind, track.name, words, value, sigma)


def _quaternion(R: Array) -> tuple[float, ...]:
    if np.linalg.det(R) < 0.0:
        return ()
    x, y, z, w = (float(part) for part in Rotation.from_matrix(R).as_quat(canonical=True))
    return x, y, z, w


def _sigma(turn: Turn | None) -> tuple[float, ...]:
    return () if turn is None else tuple(float(s) for s in np.sqrt(np.diag(turn.covariance)))

"""Findings: ranked hypotheses with their residuals, equivalent ones merged."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import cast

import numpy as np

from framescope.core.analysis.misses.misfits import FLOOR, cost_of, misfit_of, most_wild, wild_rows
from framescope.core.kernels.validation import Array
from framescope.features.detective.core.hypotheses import Hypothesis, angles_between, predict_b, turns_of
from framescope.features.detective.core.interpretations import Interpretation, unit_of
from framescope.features.detective.core.misfits import whiteness
from framescope.features.detective.core.other_orders import in_other_orders
from framescope.features.detective.core.search import scale_of, spread_of

OUTSIDE = 5.0
"""Residual from which a sample contradicts a hypothesis, as a multiple of the best finding's noise."""

SAME = 1e-6
"""Largest angle on generic samples up to which two hypotheses are equivalent, rad."""

CLOSE = 12.0
"""Largest difference of twice the log-likelihood up to which two hypotheses fit equally well."""

ALIKE_WITHIN = 0.04
"""Largest noise assumed in comparing fitted offsets, rad: offsets further apart than `OUTSIDE` times this always
differ.
"""

KNOWN = 3.0
"""Error of a fitted offset, as a multiple of noise / (spread · √number of rows)."""

ALIKE = 1.1
"""Factor below which misfits count as equal for any number of samples, as real noise is never white."""

UNEXPECTED, ODD_UNIT = 12.0, 0.3
"""Implausibility of an interpretation against the names of columns, and of one against the likely unit."""

LISTED, FAR_LISTED = 12, 3
"""Largest number of findings, and of bad fits with changed axes or fitted offsets among them."""

NEXT_BEST, MEASURED, SOME = 30, 120, 60
"""Smallest and largest number of hypotheses to evaluate on all samples, and samples for choosing them."""

AS_LIKELY = 4.0
"""Largest implausibility by which an equivalent hypothesis exceeds the simplest one to be as likely."""

GENERIC, COMPARED = 12, 3
"""Number of generic samples to compare hypotheses on, and of those to group equivalent ones by."""


@dataclass(frozen=True)
class Prior:
    """Prior knowledge of the sides, for choosing between equivalent hypotheses.

    Attributes
    ----------
    expected_a, expected_b
        Interpretations suggested by the names of columns; empty for none.
    unit_a, unit_b
        Unit of angles suggested by the size of the numbers; empty for none.
    """

    expected_a: tuple[Interpretation, ...] = ()
    expected_b: tuple[Interpretation, ...] = ()
    unit_a: str = ""
    unit_b: str = ""

    def cost(self, h: Hypothesis) -> float:
        """Return the cost of a hypothesis that contradicts the prior knowledge."""
        return self.cost_of_a(h.interpretation_a) + self.cost_of_b(h.interpretation_b)

    def cost_of_a(self, interpretation: Interpretation) -> float:
        """Return the cost of an interpretation of `a` that contradicts the prior knowledge."""
        return _against(interpretation, self.expected_a, self.unit_a)

    def cost_of_b(self, interpretation: Interpretation) -> float:
        """Return the cost of an interpretation of `b` that contradicts the prior knowledge."""
        return _against(interpretation, self.expected_b, self.unit_b)


def _against(interpretation: Interpretation, expected: tuple[Interpretation, ...], unit: str) -> float:
    is_unexpected = bool(expected) and interpretation not in expected
    return UNEXPECTED * is_unexpected + ODD_UNIT * (bool(unit and interpretation.unit) and interpretation.unit != unit)


@dataclass(frozen=True, eq=False)
class Finding:
    """Hypothesis with its residuals.

    Attributes
    ----------
    hypothesis
        Simplest of the equivalent hypotheses.
    rms
        Root mean square of the residual angles, rad, without the outliers of the best finding.
    n_against
        Number of samples that contradict it.
    residuals
        Residual angles (n,), rad.
    scale
        Scale of residuals, as interpretations of `b` differ in the spread of their orientations; else 1.
    fits_as_well
        Whether it fits as well as the first finding.
    others
        Other equivalent hypotheses.
    as_likely
        Those of them that are as likely and read the numbers of a side otherwise: which is meant, no sample can tell.
    """

    hypothesis: Hypothesis
    rms: float
    n_against: int
    residuals: Array
    scale: float = 1.0
    fits_as_well: bool = False
    others: tuple[Hypothesis, ...] = ()
    as_likely: tuple[Hypothesis, ...] = ()


def rank_hypotheses(
    hypotheses: Iterable[Hypothesis],
    numbers_a: Array,
    numbers_b: Array,
    prior: Prior | None = None,
    times: Array | None = None,
) -> list[Finding]:
    """Return the best findings, the best first, with equivalent hypotheses merged.

    Hypotheses that fit equally well are ordered by implausibility, and fitted offsets are penalised. With several
    interpretations of `b`, residuals are relative to the spread of the orientations, see `search.scale_of`. With times,
    rows with correlated residuals count as fewer, see `misfits.whiteness`.
    """
    prior = prior or Prior()
    generic = generic_numbers(numbers_a)
    every, ways, costs = _group_equivalent(hypotheses, generic, prior)
    scales = _scales(every, numbers_b)
    chosen = _promising(every, numbers_a, numbers_b, scales, costs)
    distinct, costs = [every[k] for k in chosen], costs[chosen]
    A = {
        interpretation: interpretation.matrices(numbers_a)
        for interpretation in dict.fromkeys(h.interpretation_a for h in distinct)
    }
    B = {
        interpretation: interpretation.matrices(numbers_b)
        for interpretation in dict.fromkeys(h.interpretation_b for h in distinct)
    }
    residuals = np.stack([h.angles_off(A[h.interpretation_a], B[h.interpretation_b]) for h in distinct])
    scale = np.array([scales[h.interpretation_b] for h in distinct])
    n_fitted = np.array([h.n_fitted for h in distinct])
    nearest = int(misfit_of(residuals, scale, n_fitted).cost.argmin())
    is_good_row = ~wild_rows(residuals[nearest])  # the same rows for all
    rms = np.sqrt(np.mean(residuals[:, is_good_row] ** 2, axis=1))
    miss = rms / scale
    noise = max(float(miss[nearest]), FLOOR)
    cost = cost_of(miss, int(is_good_row.sum()), n_fitted, scale)
    if times is not None:
        h = distinct[nearest]
        turns = turns_of(np.swapaxes(B[h.interpretation_b], 1, 2) @ h.matrices_b(A[h.interpretation_a]))
        cost *= whiteness(turns[is_good_row][np.argsort(times[is_good_row], kind="stable")])
    is_good = (cost < cost.min() + CLOSE) | (miss < ALIKE * noise)
    # Good fits by implausibility, then the others by misfit.
    order = np.lexsort((costs, np.where(is_good, -np.inf, cast("Array", np.round(np.log(miss + FLOOR), 6)))))
    ks: list[int] = order.tolist()
    R = predict_b(distinct, generic)
    numbers = _numbers_of_b(distinct, R) if len({h.interpretation_b for h in distinct}) > 1 else None
    reach = max(1.0, KNOWN / (np.sqrt(len(numbers_a)) * spread_of(B[distinct[ks[0]].interpretation_b]) + FLOOR))
    findings: list[Finding] = []
    listed: list[int] = []
    n_far = 0
    for k in ks:
        h = distinct[k]
        # A fitted offset is only as accurate as the noise.
        known = max(OUTSIDE * min(reach * noise * float(scale[k]), ALIKE_WITHIN), SAME)
        limits = np.where((n_fitted[listed] > 0) | (n_fitted[k] > 0), known, SAME)
        before = R[listed] if numbers is None else _read_as(numbers[listed], h.interpretation_b)
        equivalent = np.flatnonzero(angles_between(before, R[k]).max(axis=1) < limits)
        if len(equivalent):
            i = int(equivalent[0])
            findings[i] = replace(findings[i], others=(*findings[i].others, h, *ways[chosen[k]]))
        elif len(findings) < LISTED and (is_good[k] or h.is_plain or n_far < FAR_LISTED):
            n_far += not (is_good[k] or h.is_plain)
            n_against = int(np.sum(residuals[k] > OUTSIDE * noise * scale[k]))
            fits = bool(cost[k] < cost[ks[0]] + CLOSE)
            others = ways[chosen[k]]
            findings.append(Finding(h, float(rms[k]), n_against, residuals[k], float(scale[k]), fits, others))
            listed.append(k)
    return [_with_as_likely(finding, prior, generic) for finding in findings]


def _with_as_likely(finding: Finding, prior: Prior, generic: Array) -> Finding:
    """Return a finding with the equivalent hypotheses that are as likely and read the numbers otherwise."""
    h = finding.hypothesis
    most = h.cost + prior.cost(h) + AS_LIKELY
    alike: dict[tuple[Interpretation, Interpretation], Hypothesis] = {}
    others = (*finding.others, *in_other_orders(h, generic))
    for other in sorted(others, key=lambda other: other.cost + prior.cost(other)):
        read = other.interpretation_a, other.interpretation_b
        if read != (h.interpretation_a, h.interpretation_b) and other.cost + prior.cost(other) <= most:
            alike.setdefault(read, other)
    return replace(finding, as_likely=tuple(alike.values()))


def _group_equivalent(
    hypotheses: Iterable[Hypothesis],
    generic: Array,
    prior: Prior,
) -> tuple[list[Hypothesis], list[tuple[Hypothesis, ...]], Array]:
    """Return the simplest of each group of equivalent hypotheses, the others, and the costs of the simplest."""
    every = list(dict.fromkeys(hypotheses))
    costs = np.array([h.cost + prior.cost(h) for h in every])
    by_key: dict[bytes, list[int]] = {}
    R = predict_b(every, generic[:COMPARED])
    if len({h.interpretation_b for h in every}) > 1:
        R = _read_as(_numbers_of_b(every, R), every[0].interpretation_b)
    R = np.round(R + 0.0, 5) + 0.0  # + 0.0 removes -0.0
    ks: list[int] = np.argsort(costs, kind="stable").tolist()
    for k in ks:
        by_key.setdefault(R[k].tobytes(), []).append(k)
    groups = list(by_key.values())
    ways = [tuple(every[k] for k in others) for _, *others in groups]
    return [every[first] for first, *_ in groups], ways, costs[[first for first, *_ in groups]]


def _read_as(numbers: Array, interpretation: Interpretation) -> Array:
    """Return numbers of `b` (k, n, l) as matrices (k, n, 3, 3)."""
    return interpretation.matrices(numbers.reshape(-1, numbers.shape[-1])).reshape(*numbers.shape[:2], 3, 3)


def _numbers_of_b(hypotheses: Sequence[Hypothesis], R: Array) -> Array:
    """Return predicted orientations (k, n, 3, 3) as numbers of `b` (k, n, l), by each hypothesis."""
    places: dict[Interpretation, list[int]] = {}
    for k, h in enumerate(hypotheses):
        places.setdefault(h.interpretation_b, []).append(k)
    by_interpretation: list[tuple[list[int], Array]] = [
        (ks, interpretation.numbers(R[ks].reshape(-1, 3, 3)).reshape(len(ks), R.shape[1], -1))
        for interpretation, ks in places.items()
    ]
    numbers = np.empty((len(hypotheses), R.shape[1], by_interpretation[0][1].shape[-1]))
    for ks, of_kind in by_interpretation:
        numbers[ks] = of_kind
    return numbers


def _scales(hypotheses: list[Hypothesis], numbers_b: Array) -> dict[Interpretation, float]:
    """Return the scale of residuals of each interpretation of `b`; 1 for a single one."""
    interpretations = {h.interpretation_b for h in hypotheses}
    if len(interpretations) == 1:
        return dict.fromkeys(interpretations, 1.0)
    return {interpretation: scale_of(interpretation, numbers_b) for interpretation in interpretations}


def _promising(
    hypotheses: list[Hypothesis],
    numbers_a: Array,
    numbers_b: Array,
    scales: Mapping[Interpretation, float],
    costs: Array,
) -> list[int]:
    """Return the indices of hypotheses to evaluate on all samples, by some samples: good fits and the next best."""
    if len(hypotheses) <= NEXT_BEST:
        return list(range(len(hypotheses)))
    some = np.linspace(0, len(numbers_a) - 1, min(len(numbers_a), SOME)).astype(int)
    a, b = numbers_a[some], numbers_b[some]
    B = {interpretation: interpretation.matrices(b) for interpretation in scales}
    misses = angles_between(predict_b(hypotheses, a), np.stack([B[h.interpretation_b] for h in hypotheses]))
    smallest = np.sort(misses**2, axis=1)[:, : len(some) - most_wild(len(some))]
    rms = np.sqrt(np.mean(smallest, axis=1)) / np.array([scales[h.interpretation_b] for h in hypotheses])
    # Hypotheses that are equal up to rounding are sorted by implausibility.
    order = np.argsort(rms + 1e-9 * costs, kind="stable")
    limit = max(OUTSIDE * (rms[order[0]] + FLOOR), float(rms[order[NEXT_BEST - 1]]))
    ks: list[int] = order.tolist()
    promising = [k for k in ks[:MEASURED] if rms[k] <= limit]
    known = set(promising)
    promising += [k for k in ks if hypotheses[k].is_plain and k not in known][:LISTED]
    return promising


def angles_apart(first: Hypothesis, second: Hypothesis, numbers_a: Array) -> Array:
    """Return the angles (n,) between the predictions of two hypotheses for numbers `a`, rad."""
    R1, R2 = first.predicted_b(numbers_a), second.predicted_b(numbers_a)
    if first.interpretation_b != second.interpretation_b:
        R1 = second.interpretation_b.matrices(first.interpretation_b.numbers(R1))
    return angles_between(R1, R2)


def generic_numbers(numbers_a: Array) -> Array:
    """Return random rows of the form of `a`."""
    random = np.random.default_rng(1)
    columns = numbers_a.shape[1]
    if columns == 3:
        in_degrees = unit_of(numbers_a) == "deg"
        return random.uniform(-1.4, 1.4, (GENERIC, 3)) * (60.0 if in_degrees else 1.0)
    Q = random.normal(size=(GENERIC, 4))
    Q /= np.linalg.norm(Q, axis=1, keepdims=True)
    if columns == 4:
        return Q
    x, y, z, w = Q.T
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
        [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
        [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
    ]
    return np.array(rows).transpose(2, 0, 1).reshape(-1, 9)

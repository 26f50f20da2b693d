"""Findings: hypotheses with how well they fit, each told once, and which of them the data cannot tell apart."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import cast

import numpy as np

from framescope.core.analysis.misses.misfits import FLOOR, cost_of, misfit_of, most_wild, wild_rows
from framescope.core.kernels.validation import Array
from framescope.features.detective.core.hypotheses import Hypothesis, angles_between, predicted, turns_of
from framescope.features.detective.core.interpretations import Interpretation, unit_of
from framescope.features.detective.core.misfits import whiteness
from framescope.features.detective.core.search import scale_of, spread_of

OUTSIDE = 5.0
"""A sample speaks against a hypothesis when it misses it by so many times the noise of the best."""

SAME = 1e-6
"""Up to which angle two hypotheses say the same of generic samples, rad."""

CLOSE = 12.0
"""Up to which difference of twice the log-likelihood the misfit of two hypotheses is the same."""

ALIKE_WITHIN = 0.04
"""Fitted offsets that differ by five times this are others, however large the noise is, rad."""

KNOWN = 3.0
"""How many times the noise over the spread and the root of the number of rows a fitted offset may be off."""

ALIKE = 1.1
"""Misfits that differ by less than this factor are the same however many samples there are: noise is never white."""

UNEXPECTED, ODD_UNIT = 12.0, 0.3
"""How far-fetched it is that columns are not what they are called, and that angles have the other unit."""

LISTED, FAR_LISTED = 12, 3
"""Findings that are told at most; and of those that do not fit, the ones with changed axes or fitted offsets."""

NEXT_BEST, MEASURED, SOME = 30, 120, 60
"""Hypotheses that are measured at least, and at most; and the samples by which they are chosen."""

GENERIC, COMPARED = 12, 3
"""Samples on which hypotheses are compared, and by which those that are the same are found."""


@dataclass(frozen=True)
class Prior:
    """Prior knowledge of the sides, which chooses between ways to say the same.

    Attributes
    ----------
    expected_a, expected_b
        Readings that the names of columns speak for; empty where they say nothing.
    unit_a, unit_b
        The unit of angles that the size of the numbers speaks for; empty where it says nothing.
    """

    expected_a: tuple[Interpretation, ...] = ()
    expected_b: tuple[Interpretation, ...] = ()
    unit_a: str = ""
    unit_b: str = ""

    def cost(self, h: Hypothesis) -> float:
        """Return how much a hypothesis goes against it."""
        return self.cost_of_a(h.interpretation_a) + self.cost_of_b(h.interpretation_b)

    def cost_of_a(self, interpretation: Interpretation) -> float:
        """Return how much a reading of `a` goes against it."""
        return _against(interpretation, self.expected_a, self.unit_a)

    def cost_of_b(self, interpretation: Interpretation) -> float:
        """Return how much a reading of `b` goes against it."""
        return _against(interpretation, self.expected_b, self.unit_b)


def _against(interpretation: Interpretation, expected: tuple[Interpretation, ...], unit: str) -> float:
    is_unexpected = bool(expected) and interpretation not in expected
    return UNEXPECTED * is_unexpected + ODD_UNIT * (bool(unit and interpretation.unit) and interpretation.unit != unit)


@dataclass(frozen=True, eq=False)
class Finding:
    """A hypothesis and how well it fits.

    Attributes
    ----------
    hypothesis
        The simplest way to say it.
    rms
        Root of the mean square of the angles by which the samples miss it that are not wild by the best, rad.
    n_against
        How many samples speak against it.
    residuals
        The angles (n,), rad.
    scale
        What misses are measured by, where readings of `b` differ in how far the orientations lie apart.
    fits_as_well
        Whether the samples do not prefer the first to it.
    others
        Other ways to say the same.
    """

    hypothesis: Hypothesis
    rms: float
    n_against: int
    residuals: Array
    scale: float = 1.0
    fits_as_well: bool = False
    others: tuple[Hypothesis, ...] = ()


def ranked(
    hypotheses: Iterable[Hypothesis],
    numbers_a: Array,
    numbers_b: Array,
    prior: Prior | None = None,
    times: Array | None = None,
) -> list[Finding]:
    """Return the best findings, the best first, each told once.

    What fits as well is ordered by how far-fetched it is, and fitted offsets must earn their numbers. Where readings
    of `b` are tried, misses count in parts of how far the orientations then lie apart, see `search.scale_of`. With
    times, rows whose misses follow each other count as fewer, see `misfits.whiteness`.
    """
    prior = prior or Prior()
    generic = generic_numbers(numbers_a)
    every, ways, costs = _ways_to_say(hypotheses, generic, prior)
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
    residuals = np.stack([h.missed(A[h.interpretation_a], B[h.interpretation_b]) for h in distinct])
    scale = np.array([scales[h.interpretation_b] for h in distinct])
    n_fitted = np.array([h.n_fitted for h in distinct])
    nearest = int(misfit_of(residuals, scale, n_fitted).cost.argmin())
    kept = ~wild_rows(residuals[nearest])  # the same rows for all
    rms = np.sqrt(np.mean(residuals[:, kept] ** 2, axis=1))
    miss = rms / scale
    noise = max(float(miss[nearest]), FLOOR)
    judged = cost_of(miss, int(kept.sum()), n_fitted, scale)
    if times is not None:
        h = distinct[nearest]
        missed = turns_of(np.swapaxes(B[h.interpretation_b], 1, 2) @ h.turned(A[h.interpretation_a]))
        judged *= whiteness(missed[kept][np.argsort(times[kept], kind="stable")])
    is_good = (judged < judged.min() + CLOSE) | (miss < ALIKE * noise)
    # Those that fit, simplest first; then the others by how well they fit.
    order = np.lexsort((costs, np.where(is_good, -np.inf, cast("Array", np.round(np.log(miss + FLOOR), 6)))))
    ks: list[int] = order.tolist()
    made = predicted(distinct, generic)
    numbers = _numbers_of_b(distinct, made) if len({h.interpretation_b for h in distinct}) > 1 else None
    reach = max(1.0, KNOWN / (np.sqrt(len(numbers_a)) * spread_of(B[distinct[ks[0]].interpretation_b]) + FLOOR))
    found: list[Finding] = []
    told: list[int] = []
    n_far = 0
    for k in ks:
        h = distinct[k]
        # A fitted offset is known to the noise only.
        known = max(OUTSIDE * min(reach * noise * float(scale[k]), ALIKE_WITHIN), SAME)
        limits = np.where((n_fitted[told] > 0) | (n_fitted[k] > 0), known, SAME)
        before = made[told] if numbers is None else _read_as(numbers[told], h.interpretation_b)
        is_same = np.flatnonzero(angles_between(before, made[k]).max(axis=1) < limits)
        if len(is_same):
            same = int(is_same[0])
            found[same] = replace(found[same], others=(*found[same].others, h, *ways[chosen[k]]))
        elif len(found) < LISTED and (is_good[k] or h.is_plain or n_far < FAR_LISTED):
            n_far += not (is_good[k] or h.is_plain)
            n_against = int(np.sum(residuals[k] > OUTSIDE * noise * scale[k]))
            fits = bool(judged[k] < judged[ks[0]] + CLOSE)
            others = ways[chosen[k]]
            found.append(Finding(h, float(rms[k]), n_against, residuals[k], float(scale[k]), fits, others))
            told.append(k)
    return found


def _ways_to_say(
    hypotheses: Iterable[Hypothesis],
    generic: Array,
    prior: Prior,
) -> tuple[list[Hypothesis], list[tuple[Hypothesis, ...]], Array]:
    """Return the simplest way to say each thing that is said, the other ways, and how far-fetched the simplest is."""
    every = list(dict.fromkeys(hypotheses))
    costs = np.array([h.cost + prior.cost(h) for h in every])
    by_key: dict[bytes, list[int]] = {}
    made = predicted(every, generic[:COMPARED])
    if len({h.interpretation_b for h in every}) > 1:
        made = _read_as(_numbers_of_b(every, made), every[0].interpretation_b)
    made = np.round(made + 0.0, 5) + 0.0  # + 0.0 leaves no -0.0
    ks: list[int] = np.argsort(costs, kind="stable").tolist()
    for k in ks:
        by_key.setdefault(made[k].tobytes(), []).append(k)
    groups = list(by_key.values())
    ways = [tuple(every[k] for k in others) for _, *others in groups]
    return [every[first] for first, *_ in groups], ways, costs[[first for first, *_ in groups]]


def _read_as(numbers: Array, interpretation: Interpretation) -> Array:
    """Return numbers of `b` (k, n, l) as matrices (k, n, 3, 3)."""
    return interpretation.matrices(numbers.reshape(-1, numbers.shape[-1])).reshape(*numbers.shape[:2], 3, 3)


def _numbers_of_b(hypotheses: Sequence[Hypothesis], made: Array) -> Array:
    """Return what hypotheses make of numbers, (k, n, 3, 3), as the numbers of `b` (k, n, l) that would be that."""
    places: dict[Interpretation, list[int]] = {}
    for k, h in enumerate(hypotheses):
        places.setdefault(h.interpretation_b, []).append(k)
    found: list[tuple[list[int], Array]] = [
        (ks, interpretation.numbers(made[ks].reshape(-1, 3, 3)).reshape(len(ks), made.shape[1], -1))
        for interpretation, ks in places.items()
    ]
    numbers = np.empty((len(hypotheses), made.shape[1], found[0][1].shape[-1]))
    for ks, of_kind in found:
        numbers[ks] = of_kind
    return numbers


def _scales(hypotheses: list[Hypothesis], numbers_b: Array) -> dict[Interpretation, float]:
    """Return what misses of each reading of `b` are measured by; where there is one reading, the same for all."""
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
    """Return which are worth measuring on all samples, judged by some of them: all that fit, and the next best."""
    if len(hypotheses) <= NEXT_BEST:
        return list(range(len(hypotheses)))
    some = np.linspace(0, len(numbers_a) - 1, min(len(numbers_a), SOME)).astype(int)
    a, b = numbers_a[some], numbers_b[some]
    B = {interpretation: interpretation.matrices(b) for interpretation in scales}
    misses = angles_between(predicted(hypotheses, a), np.stack([B[h.interpretation_b] for h in hypotheses]))
    kept = np.sort(misses**2, axis=1)[:, : len(some) - most_wild(len(some))]
    rms = np.sqrt(np.mean(kept, axis=1)) / np.array([scales[h.interpretation_b] for h in hypotheses])
    # Of those that are the same to rounding the simple ones first.
    order = np.argsort(rms + 1e-9 * costs, kind="stable")
    limit = max(OUTSIDE * (rms[order[0]] + FLOOR), float(rms[order[NEXT_BEST - 1]]))
    ks: list[int] = order.tolist()
    promising = [k for k in ks[:MEASURED] if rms[k] <= limit]
    known = set(promising)
    promising += [k for k in ks if hypotheses[k].is_plain and k not in known][:LISTED]
    return promising


def parted(first: Hypothesis, second: Hypothesis, numbers_a: Array) -> Array:
    """Return by which angles (n,) two hypotheses differ in what they make of numbers `a`, rad."""
    one, other = first.predicted_b(numbers_a), second.predicted_b(numbers_a)
    if first.interpretation_b != second.interpretation_b:
        one = second.interpretation_b.matrices(first.interpretation_b.numbers(one))
    return angles_between(one, other)


def generic_numbers(numbers_a: Array) -> Array:
    """Return rows as those of `a` might be, of orientations of no particular kind."""
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

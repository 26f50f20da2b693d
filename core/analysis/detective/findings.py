"""Findings: hypotheses with how well they fit, each told once, and which of them the data cannot tell apart."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from framescope.core.analysis.detective.hypotheses import Hypothesis, angles_between, predicted
from framescope.core.analysis.detective.interpretations import Interpretation, unit_of
from framescope.core.analysis.detective.search import scale_of
from framescope.core.kernels.validation import Array

FLOOR = 1e-7
"""Residuals below this are rounding, rad."""

OUTSIDE = 5.0
"""A sample speaks against a hypothesis when it misses it by so many times the noise of the best."""

SAME = 1e-6
"""Up to which angle two hypotheses say the same of generic samples, rad."""

CLOSE = 9.0
"""Up to which difference of twice the log-likelihood the misfit of two hypotheses is the same."""

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
        sides = ((h.interpretation_a, self.expected_a, self.unit_a), (h.interpretation_b, self.expected_b, self.unit_b))
        return sum(
            UNEXPECTED * (bool(expected) and interpretation not in expected)
            + ODD_UNIT * (bool(unit and interpretation.unit) and interpretation.unit != unit)
            for interpretation, expected, unit in sides
        )


@dataclass(frozen=True, eq=False)
class Finding:
    """A hypothesis and how well it fits.

    Attributes
    ----------
    hypothesis
        The simplest way to say it.
    rms
        Root of the mean square of the angles by which the samples miss it, rad.
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
) -> list[Finding]:
    """Return the best findings, the best first, each told once.

    What fits as well is ordered by how far-fetched it is, and fitted offsets must earn their numbers. Where readings
    of `b` are tried, misses count in parts of how far the orientations then lie apart, see `search.scale_of`.
    """
    prior = prior or Prior()
    generic = generic_numbers(numbers_a)
    ways = _ways_to_say(hypotheses, generic, prior)
    every = list(ways)
    scales = _scales(every, numbers_b)
    distinct = _promising(every, numbers_a, numbers_b, scales, prior)
    A = {
        interpretation: interpretation.matrices(numbers_a)
        for interpretation in dict.fromkeys(h.interpretation_a for h in distinct)
    }
    B = {
        interpretation: interpretation.matrices(numbers_b)
        for interpretation in dict.fromkeys(h.interpretation_b for h in distinct)
    }
    residuals = [h.missed(A[h.interpretation_a], B[h.interpretation_b]) for h in distinct]
    rms = np.array([np.sqrt(np.mean(angles**2)) for angles in residuals])
    scale = np.array([scales[h.interpretation_b] for h in distinct])
    miss = rms / scale
    noise = max(float(miss.min()), FLOOR)
    n = len(numbers_a)
    misfit = 3 * n * np.log((miss**2 + FLOOR**2) / (noise**2 + FLOOR**2))
    fitted = np.array([h.n_fitted for h in distinct]) * np.log(3 * n)
    cost = _costs(distinct, prior)
    judged = misfit + fitted
    is_good = (judged < judged.min() + CLOSE) | (miss < ALIKE * noise)
    # Those that fit, simplest first; then the others by how well they fit.
    order = np.lexsort((cost, np.where(is_good, -np.inf, np.round(np.log(miss + FLOOR), 6))))
    found: list[Finding] = []
    n_far = 0
    ks: list[int] = order.tolist()
    for k in ks:
        h = distinct[k]
        within = noise * float(scale[k])
        same = next((i for i, f in enumerate(found) if says_the_same(f.hypothesis, h, generic, within)), None)
        if same is not None:
            found[same] = replace(found[same], others=(*found[same].others, h, *ways[h]))
        elif len(found) < LISTED and (is_good[k] or h.is_plain or n_far < FAR_LISTED):
            n_far += not (is_good[k] or h.is_plain)
            n_against = int(np.sum(residuals[k] > OUTSIDE * within))
            fits = bool(misfit[k] < misfit[ks[0]] + CLOSE + max(fitted[ks[0]] - fitted[k], 0.0))
            found.append(Finding(h, float(rms[k]), n_against, residuals[k], float(scale[k]), fits, ways[h]))
    return found


def _ways_to_say(
    hypotheses: Iterable[Hypothesis],
    generic: Array,
    prior: Prior,
) -> dict[Hypothesis, tuple[Hypothesis, ...]]:
    """Return the simplest way to say each thing that is said, with the other ways."""
    every = list(dict.fromkeys(hypotheses))
    order = np.argsort(_costs(every, prior), kind="stable")
    by_key: dict[bytes, list[Hypothesis]] = {}
    common = every[0].interpretation_b
    made = predicted(every, generic[:COMPARED])
    for k in [k for k, h in enumerate(every) if h.interpretation_b != common]:
        made[k] = common.matrices(every[k].interpretation_b.numbers(made[k]))
    made = np.round(made + 0.0, 5) + 0.0  # + 0.0 leaves no -0.0
    ks: list[int] = order.tolist()
    for k in ks:
        by_key.setdefault(made[k].tobytes(), []).append(every[k])
    return {first: tuple(others) for first, *others in by_key.values()}


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
    prior: Prior,
) -> list[Hypothesis]:
    """Return those worth measuring on all samples, judged by some of them: all that fit, and the next best."""
    if len(hypotheses) <= NEXT_BEST:
        return hypotheses
    some = np.linspace(0, len(numbers_a) - 1, min(len(numbers_a), SOME)).astype(int)
    a, b = numbers_a[some], numbers_b[some]
    B = {interpretation: interpretation.matrices(b) for interpretation in scales}
    misses = angles_between(predicted(hypotheses, a), np.stack([B[h.interpretation_b] for h in hypotheses]))
    rms = np.sqrt(np.mean(misses**2, axis=1)) / np.array([scales[h.interpretation_b] for h in hypotheses])
    # Of those that are the same to rounding the simple ones first.
    order = np.argsort(rms + 1e-9 * _costs(hypotheses, prior), kind="stable")
    limit = max(OUTSIDE * (rms[order[0]] + FLOOR), float(rms[order[NEXT_BEST - 1]]))
    ks: list[int] = order.tolist()
    promising = [k for k in ks[:MEASURED] if rms[k] <= limit]
    known = set(promising)
    promising += [k for k in ks if hypotheses[k].is_plain and k not in known][:LISTED]
    return [hypotheses[k] for k in promising]


def _costs(hypotheses: Iterable[Hypothesis], prior: Prior) -> Array:
    """Return how far-fetched hypotheses are."""
    return np.array([h.cost + prior.cost(h) for h in hypotheses])


def says_the_same(first: Hypothesis, second: Hypothesis, numbers_a: Array, noise: float) -> bool:
    """Whether two hypotheses say the same of these numbers; an offset that was fitted is known to the noise only."""
    limit = OUTSIDE * noise if second.n_fitted or first.n_fitted else SAME
    return float(parted(first, second, numbers_a).max()) < max(limit, SAME)


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

"""Findings: hypotheses with how well they fit, each told once, and which of them the data cannot tell apart."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from framescope.core.arrays import Array
from framescope.core.detective.hypotheses import Hypothesis, angles_between

FLOOR = 1e-7
"""Residuals below this are rounding, rad."""

OUTSIDE = 5.0
"""A sample speaks against a hypothesis when it misses it by so many times the noise of the best."""

SAME = 1e-6
"""Up to which angle two hypotheses say the same of generic samples, rad."""

CLOSE = 9.0
"""Up to which difference of twice the log-likelihood the misfit of two hypotheses is the same."""

LISTED = 12
NEXT_BEST, MEASURED, SOME = 30, 200, 60
"""Hypotheses that are measured at least, and at most; and the samples by which they are chosen."""

GENERIC = 12
"""Samples on which hypotheses are compared."""


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
    others
        Other ways to say the same.
    """

    hypothesis: Hypothesis
    rms: float
    n_against: int
    residuals: Array
    others: tuple[Hypothesis, ...] = ()


def ranked(hypotheses: Iterable[Hypothesis], numbers_a: Array, numbers_b: Array) -> list[Finding]:
    """Return the best findings, the best first, each told once.

    What fits as well is ordered by how far-fetched it is, and fitted offsets must earn their numbers.
    """
    distinct = _promising(list(dict.fromkeys(hypotheses)), numbers_a, numbers_b)
    residuals = [h.residuals(numbers_a, numbers_b) for h in distinct]
    rms = np.array([np.sqrt(np.mean(angles**2)) for angles in residuals])
    noise = max(float(rms.min()), FLOOR)
    n = len(numbers_a)
    misfit = 3 * n * np.log((rms**2 + FLOOR**2) / (noise**2 + FLOOR**2))
    fitted = np.array([h.n_fitted for h in distinct]) * np.log(3 * n)
    cost = np.array([h.cost for h in distinct])
    is_good = misfit < CLOSE + fitted
    # Those that fit, simplest first; then the others by how well they fit.
    order = np.lexsort((cost, np.where(is_good, -np.inf, np.round(np.log(rms + FLOOR), 6))))
    generic = generic_numbers(numbers_a)
    found: list[Finding] = []
    ks: list[int] = order.tolist()
    for k in ks:
        h = distinct[k]
        same = next((i for i, f in enumerate(found) if says_the_same(f.hypothesis, h, generic, noise)), None)
        if same is not None:
            found[same] = replace(found[same], others=(*found[same].others, h))
        elif len(found) < LISTED:
            n_against = int(np.sum(residuals[k] > OUTSIDE * noise))
            found.append(Finding(h, float(rms[k]), n_against, residuals[k]))
    return found


def _promising(hypotheses: list[Hypothesis], numbers_a: Array, numbers_b: Array) -> list[Hypothesis]:
    """Return those worth measuring on all samples, judged by some of them: all that fit, and the next best."""
    if len(hypotheses) <= NEXT_BEST:
        return hypotheses
    some = np.linspace(0, len(numbers_a) - 1, min(len(numbers_a), SOME)).astype(int)
    a, b = numbers_a[some], numbers_b[some]
    rms = np.array([np.sqrt(np.mean(h.residuals(a, b) ** 2)) for h in hypotheses])
    order = np.argsort(rms, kind="stable")
    limit = max(OUTSIDE * (rms[order[0]] + FLOOR), float(rms[order[NEXT_BEST - 1]]))
    return [hypotheses[k] for k in order[:MEASURED].tolist() if rms[k] <= limit]


def says_the_same(first: Hypothesis, second: Hypothesis, numbers_a: Array, noise: float) -> bool:
    """Whether two hypotheses say the same of these numbers; an offset that was fitted is known to the noise only."""
    limit = OUTSIDE * noise if second.n_fitted or first.n_fitted else SAME
    return float(parted(first, second, numbers_a).max()) < max(limit, SAME)


def parted(first: Hypothesis, second: Hypothesis, numbers_a: Array) -> Array:
    """Return by which angles (n,) two hypotheses differ in what they make of numbers `a`, rad."""
    one, other = first.predicted_b(numbers_a), second.predicted_b(numbers_a)
    if first.reading_b != second.reading_b:
        one = second.reading_b.matrices(first.reading_b.numbers(one))
    return angles_between(one, other)


def generic_numbers(numbers_a: Array) -> Array:
    """Return rows as those of `a` might be, of orientations of no particular kind."""
    random = np.random.default_rng(1)
    columns = numbers_a.shape[1]
    if columns == 3:
        in_degrees = float(np.abs(numbers_a).max()) > 7.0
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

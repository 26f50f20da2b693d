"""Two series of headings against each other: unit, sense and offset."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from framescope.core.analysis.misses.misfits import FLOOR, wild_rows
from framescope.core.kernels.validation import Array
from framescope.features.detective.core.axis_changes import IDENTITY, AxisChange
from framescope.features.detective.core.findings import CLOSE, OUTSIDE, Finding, Prior
from framescope.features.detective.core.hypotheses import Hypothesis
from framescope.features.detective.core.interpretations import Interpretation
from framescope.features.detective.core.misfits import evidence, n_different, whiteness
from framescope.features.detective.core.next_sample import Advice
from framescope.features.detective.core.search import spread_of

OPPOSITE = AxisChange((0, 1, 2), (1, -1, -1))
"""Change of the axes of parent and frame by which headings count the other way."""

NO_OFFSET = 3.0
"""Offset that counts as none, in standard errors."""


def heading_findings(
    numbers_a: Array,
    numbers_b: Array,
    interpretations: tuple[Sequence[Interpretation], Sequence[Interpretation]],
    prior: Prior,
    times: Array | None = None,
) -> tuple[list[Finding], NDArray[np.bool_]]:
    """Return the ways in which headings are those of another series, the best first, and flags of outliers.

    Parameters
    ----------
    numbers_a, numbers_b : (n, 1)
        Headings of both sides.
    interpretations
        Possible units of each side.
    prior
        Prior knowledge, which decides between units of one ratio.
    times : (n,), optional
        Times, s; with them correlated residuals count as fewer rows.

    Examples
    --------
    >>> a = np.linspace(0.0, 200.0, 50)[:, np.newaxis]
    >>> units = (Interpretation("heading", unit="deg"),)
    >>> found, _ = heading_findings(a, 90.0 - a, (units, units), Prior())
    >>> found[0].hypothesis.texts[1:]
    ('B counts the other way: one clockwise, one counterclockwise', 'B is zero where A is 90.00°')
    """
    findings = [
        _finding(numbers_a, numbers_b, a, b, axes)
        for a, b, axes in itertools.product(*interpretations, (IDENTITY, OPPOSITE))
    ]
    findings = _without_twins(findings, prior)
    # Both senses fit a still heading: the usual one comes first.
    best = min(findings, key=lambda each: (round(np.log(each.rms / each.scale + FLOOR), 6), each.hypothesis.cost))
    is_wild = wild_rows(best.residuals)
    order = np.arange(len(numbers_a)) if times is None else np.argsort(times, kind="stable")
    kept = order[~is_wild[order]]
    turns = np.outer(_misses(best.hypothesis, numbers_a, numbers_b)[kept], (0.0, 0.0, 1.0))
    n = len(kept) * (1.0 if times is None else whiteness(turns))
    least = max(best.rms, FLOOR)
    ranked = [
        Finding(
            each.hypothesis,
            rms := float(np.sqrt(np.mean(each.residuals[~is_wild] ** 2))),
            int(np.sum(each.residuals > OUTSIDE * least)),
            each.residuals,
            each.scale,
            each is best or 2.0 * n * np.log(max(rms / each.scale, FLOOR) / max(least / best.scale, FLOOR)) < CLOSE,
            each.others,
        )
        for each in findings
    ]

    def order_of(each: Finding) -> tuple[bool, float, float]:
        return not each.fits_as_well, each.hypothesis.cost + prior.cost(each.hypothesis), each.rms

    return sorted(ranked, key=order_of), is_wild


def heading_evidence(best: Finding, numbers_b: Array) -> float:
    """Return the evidence for a fit of headings, see `framescope.features.detective.core.misfits.evidence`."""
    R = best.hypothesis.interpretation_b.matrices(numbers_b)
    spread = spread_of(R)
    one_by_one = 1.0 + max(n_different(R, spread) - 2.0, 0.0) / 3.0  # one angle a row, of which one is the offset
    return evidence(best.rms, spread, one_by_one, 0, 8.0)


def heading_advice(first: Hypothesis, numbers_a: Array) -> Advice:
    """Return the sample that tells the sense of headings."""
    turned = np.radians(30.0) if first.interpretation_a.unit == "rad" else 30.0
    text = "A turn by 30° to one side, noted on both sides, would decide it."
    return Advice(numbers_a[-1] + turned, float(np.radians(60.0)), text)


def _finding(numbers_a: Array, numbers_b: Array, a: Interpretation, b: Interpretation, axes: AxisChange) -> Finding:
    plain = Hypothesis(a, b, False, axes, axes)
    off = _misses(plain, numbers_a, numbers_b)
    middle = float(np.angle(np.exp(1j * off).sum()))
    middle += float(np.median(_wrapped(off - middle)))
    left = _wrapped(off - middle)
    rms = float(np.sqrt(np.mean(left**2)))
    spreads = spread_of(a.matrices(numbers_a)), spread_of(b.matrices(numbers_b))
    scale = max(float(np.hypot(*spreads)), FLOOR)  # of unrelated headings
    if abs(middle) <= NO_OFFSET * max(rms / np.sqrt(len(off)), FLOOR):
        return Finding(plain, float(np.sqrt(np.mean(off**2))), 0, np.abs(off), scale)
    c, s = float(np.cos(middle)), float(np.sin(middle))
    hypothesis = Hypothesis(a, b, False, axes, axes, ((c, -s, 0.0), (s, c, 0.0), (0.0, 0.0, 1.0)))
    return Finding(hypothesis, rms, 0, np.abs(left), scale)


def _misses(h: Hypothesis, numbers_a: Array, numbers_b: Array) -> Array:
    """Return the angles (n,) by which the headings of `a` exceed those that `b` predicts, rad."""
    E = h.left @ h.interpretation_b.matrices(numbers_b) @ h.right
    predicted = np.arctan2(E[:, 1, 0], E[:, 0, 0])
    A = h.interpretation_a.matrices(numbers_a)
    return _wrapped(np.arctan2(A[:, 1, 0], A[:, 0, 0]) - predicted)


def _wrapped(angle: Array) -> Array:
    return np.asarray((angle + np.pi) % (2.0 * np.pi) - np.pi)


def _without_twins(findings: Sequence[Finding], prior: Prior) -> list[Finding]:
    """Return the findings with one pair of units for each ratio of units and sense, the likelier by prior knowledge."""
    kept: dict[tuple[float, bool], Finding] = {}
    for each in sorted(findings, key=lambda each: prior.cost(each.hypothesis)):
        h = each.hypothesis
        ratio = {"rad": 1.0, "deg": np.pi / 180.0}
        key = round(ratio[h.interpretation_a.unit] / ratio[h.interpretation_b.unit], 6), h.parent_axes.is_identity
        kept.setdefault(key, each)
    return list(kept.values())

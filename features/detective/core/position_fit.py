"""What the positions beside two sets of orientations say: their axes, their unit, and the offsets of the origins.

Two left-handed readings of a rotation are one right-handed reading: ``M R Mᵀ`` is the same for ``M`` and ``-M``.
Positions part them.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from framescope.core.kernels.validation import Array
from framescope.features.detective.core.axis_changes import AxisChange
from framescope.features.detective.core.hypotheses import Hypothesis

SCALES = {1.0: 0.0, 1000.0: 1.0, 0.001: 1.0, 100.0: 2.0, 0.01: 2.0}
"""Units of the positions of `a` over those of `b`, with their implausibility."""

UNIT_WORDS = {1000.0: "millimetres against metres", 0.001: "metres against millimetres"} | {
    100.0: "centimetres against metres",
    0.01: "metres against centimetres",
}

GOOD = 0.05
"""Largest misfit of positions that agree, as a fraction of their spread."""

FLOOR = 1e-7
"""Misfit below which a better fit does not count, as a fraction of the spread."""

EXACT = 1e-9
"""Misfit up to which positions agree exactly."""

APART = 12.0
"""Difference of the scores, twice the log-likelihood, from which one fit is chosen and the other ruled out."""

OFFSET = 10.0
"""Score of an offset of the origins that is assumed, beside that of its three numbers."""

SOME = 300
"""Largest number of rows for a fit."""

WILD = 6.0
"""Residual from which a row is an outlier, as a multiple of the median."""

ROWS_FOR = {0: 1, 1: 4, 2: 7}
"""Smallest number of rows for a fit of none, one and both of the offsets."""


@dataclass(frozen=True, eq=False)
class PositionFit:
    """Positions of `a` as those of `b` under a hypothesis: ``p_a = s (L p_b + w + A r)``.

    Attributes
    ----------
    hypothesis
        The hypothesis, with the handedness of the axes that the positions have.
    scale
        Unit of `b` over unit of `a`: 1000 if `a` is in millimetres and `b` in metres.
    is_inverse
        Whether the positions of `a` are those of the parent in the frame.
    origin : (3,) or None
        Fitted position ``w`` of the parent of `b` in the parent of `a`, in the unit of `b`; None for none.
    lever_arm : (3,) or None
        Fitted position ``r`` of the frame of `a` in the frame of `b`, in the axes of `a`; None for none.
    rms
        Misfit, in the unit of `b`.
    score
        Minus twice the log-likelihood with the costs of what is assumed; of two fits the lower one is likelier.
    is_good
        Whether the positions agree.
    """

    hypothesis: Hypothesis
    scale: float
    is_inverse: bool
    origin: Array | None
    lever_arm: Array | None
    rms: float
    score: float
    is_good: bool

    @property
    def text(self) -> str:
        """What the positions say, in a sentence."""
        if not self.is_good:
            return "The positions beside them do not agree."
        parts = ["The positions agree " + ("exactly" if self.rms < EXACT else f"to {self.rms:.2g}")]
        if self.is_inverse:
            parts.append("those of A inverted")
        if self.scale != 1.0:
            parts.append(UNIT_WORDS[self.scale])
        if self.origin is not None:
            parts.append(f"origins {_triple(self.origin)} apart")
        if self.lever_arm is not None:
            parts.append(f"a lever arm of {_triple(self.lever_arm)}")
        return ", ".join(parts) + "."


def _triple(v: Array) -> str:
    return "(" + ", ".join(f"{value:.3g}".replace("-", "\N{MINUS SIGN}") for value in v) + ")"


def fit_positions(hypotheses: Iterable[Hypothesis], numbers_a: Array, p_a: Array, p_b: Array) -> PositionFit | None:
    """Return the likeliest fit of positions (n, 3) under equivalent hypotheses; None if positions do not vary.

    >>> from framescope.features.detective.core.axis_changes import IDENTITY
    >>> from framescope.features.detective.core.interpretations import Interpretation
    >>> angles = Interpretation("angles", "ZYX", "deg")
    >>> h = Hypothesis(angles, Interpretation("matrix"), False, IDENTITY, IDENTITY)
    >>> p = np.random.default_rng(0).normal(size=(20, 3))
    >>> fit_positions([h], np.zeros((20, 3)), 1000.0 * p, p).text
    'The positions agree exactly, millimetres against metres.'
    """
    is_whole = np.isfinite(numbers_a).all(axis=1) & np.isfinite(p_a).all(axis=1) & np.isfinite(p_b).all(axis=1)
    rows = np.flatnonzero(is_whole)
    rows = rows[np.linspace(0, len(rows) - 1, min(len(rows), SOME)).astype(int)] if len(rows) else rows
    if len(rows) < 2 or not np.ptp(p_b[rows], axis=0).max() > 0.0:
        return None
    numbers, a, b = numbers_a[rows], p_a[rows], p_b[rows]
    fits = [fit for h in hypotheses for each in _handednesses(h) for fit in _fits(each, each.matrices_a(numbers), a, b)]
    return min(fits, key=lambda fit: fit.score, default=None)


def _handednesses(h: Hypothesis) -> tuple[Hypothesis, ...]:
    """Return a hypothesis, and the one of the other handedness that gives the same orientations."""
    if h.parent_axes.is_identity and h.frame_axes.is_identity:
        return (h,)
    return h, replace(h, parent_axes=_opposite(h.parent_axes), frame_axes=_opposite(h.frame_axes))


def _opposite(change: AxisChange) -> AxisChange:
    return AxisChange(change.places, tuple(-sign for sign in change.signs))


def _fits(h: Hypothesis, A: Array, p_a: Array, p_b: Array) -> Iterator[PositionFit]:
    n = len(A)
    turned = p_b @ h.left.T
    inverted: Array = -np.einsum("nij,nj->ni", A, p_a)
    ways = ((False, p_a), (True, inverted)) if h.is_inverse else ((False, p_a),)
    offsets = itertools.product((False, True), repeat=2)
    for (has_origin, has_arm), (scale, cost), (is_inverse, at) in itertools.product(offsets, SCALES.items(), ways):
        k = has_origin + has_arm
        if n < ROWS_FOR[k]:
            continue
        target = at / scale
        spread = float(np.linalg.norm(target - target.mean(axis=0)) / np.sqrt(n))
        columns = [np.tile(np.eye(3), (n, 1, 1))] * has_origin + [A] * has_arm
        design = np.concatenate(columns, axis=2).reshape(3 * n, -1) if columns else np.zeros((3 * n, 0))
        misses = target - turned
        offset, residuals = _solve(design, misses)
        is_wild = residuals > WILD * np.median(residuals) + FLOOR * spread
        if 0 < is_wild.sum() < n // 4:
            kept = np.repeat(~is_wild, 3)
            offset, _ = _solve(design[kept], misses[~is_wild])
            residuals = _lengths(misses - (design @ offset).reshape(-1, 3))
        inside = residuals[~is_wild] if is_wild.sum() < n // 4 else residuals
        rms = float(np.sqrt(np.mean(inside**2)))
        size = max(rms, FLOOR * spread, 1e-300)
        score = 6.0 * n * np.log(size / max(spread, 1e-300)) + k * (3 * np.log(n) + OFFSET) + 2.0 * (cost + h.cost)
        yield PositionFit(
            h,
            scale,
            is_inverse,
            offset[:3] if has_origin else None,
            offset[3 * has_origin :] if has_arm else None,
            rms,
            float(score),
            bool(rms < GOOD * spread),
        )


def _solve(design: Array, misses: Array) -> tuple[Array, Array]:
    """Return the offsets that fit the misses (n, 3) best, and the lengths (n,) of what is left."""
    if not design.shape[1]:
        return np.zeros(0), _lengths(misses)
    offset = np.asarray(np.linalg.lstsq(design, misses.ravel(), rcond=None)[0], dtype=np.float64)
    return offset, _lengths(misses - (design @ offset).reshape(-1, 3))


def _lengths(v: Array) -> Array:
    return np.asarray(np.linalg.norm(v, axis=1), dtype=np.float64)

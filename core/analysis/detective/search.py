"""Search over all hypotheses, scored from sums of products of the matrices' components, of which there are few.

The sum of ``tr(Aᵀ L B Rᵀ)`` over the samples is linear in ``Σ A ⊗ B``, nine by nine numbers for each pair of
readings: one matrix product gives them all, and from them the score of any `L` and `R` costs the same for ten samples
and for ten thousand. Best offsets come from the same numbers, by singular values (Wahba's problem; for two offsets at
once alternately, starting from the nearest Kronecker product).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from framescope.core.analysis.detective.axis_changes import IDENTITY, AxisChange, pair_costs, pair_table, pairs
from framescope.core.analysis.detective.hypotheses import Hypothesis, Offset
from framescope.core.analysis.detective.interpretations import Interpretation, unit_of
from framescope.core.kernels.validation import Array

KEPT = 600
"""Hypotheses of axis changes that are looked at more closely."""

PLAIN = 40
"""Hypotheses without changed axes that are looked at, too: the ones people know."""

FITTED = 40
"""Pairs of readings for which offsets are fitted, of each kind of offset."""

LEAST_SPREAD = 1e-3

ODD = 3.0
"""How many times a miss counts where angles have the unit that their size does not speak for."""

ROUNDS = 60
"""Of two offsets fitted alternately."""

RATHER = 1e-9
"""What a step of far-fetchedness costs, so that of many that fit alike the simple ones are kept."""

TRANSPOSED = np.arange(9).reshape(3, 3).T.ravel()


def candidates(
    numbers_a: Array, numbers_b: Array, a: Sequence[Interpretation], b: Sequence[Interpretation]
) -> list[Hypothesis]:
    """Return the hypotheses that fit best, of all axis changes and of every fixed offset."""
    moments = _moments(numbers_a, numbers_b, a, b)
    weights = np.array([1.0 / scale_of(interpretation, numbers_b) ** 2 for interpretation in b])
    return [*_of_axes(moments, weights, a, b), *_of_offsets(moments, weights, a, b)]


def scale_of(interpretation: Interpretation, numbers_b: Array) -> float:
    """Return what misses of a reading of `b` are measured by: how far the orientations lie apart, rad.

    Numbers in radians read as degrees are small turns, of which any two differ by little. Where the size of the numbers
    speaks for the other unit, misses count more.
    """
    R = interpretation.matrices(numbers_b)
    mean = R.mean(axis=0)
    spread = float(np.sqrt(max((3.0 - np.sum(mean * mean)) / 2.0, 0.0)))
    unit = unit_of(numbers_b)
    is_odd = bool(unit and interpretation.unit) and interpretation.unit != unit
    return max(spread, LEAST_SPREAD) / (ODD if is_odd else 1.0)


def _moments(numbers_a: Array, numbers_b: Array, a: Sequence[Interpretation], b: Sequence[Interpretation]) -> Array:
    """Return means of ``A ⊗ B`` (direction, readings of a, readings of b, 9, 9); the second direction has Aᵀ."""
    A = np.stack([interpretation.matrices(numbers_a).reshape(-1, 9) for interpretation in a])
    B = np.stack([interpretation.matrices(numbers_b).reshape(-1, 9) for interpretation in b])
    n = A.shape[1]
    flat_A, flat_B = (X.transpose(0, 2, 1).reshape(-1, n) for X in (A, B))
    found = (flat_A @ flat_B.T / n).reshape(len(a), 9, len(b), 9).transpose(0, 2, 1, 3)
    return np.stack([found, found[:, :, TRANSPOSED]])


def _of_axes(
    moments: Array, weights: Array, a: Sequence[Interpretation], b: Sequence[Interpretation]
) -> list[Hypothesis]:
    shape = (*moments.shape[:3], len(pairs()))
    scores = (moments.reshape(-1, 81) @ pair_table() - RATHER * pair_costs()).reshape(shape)
    if len(b) > 1:
        scores = (scores - 3.0) * weights[:, None]
    plain = scores[..., :1].ravel()  # no change of axes is the first of the pairs
    best = np.union1d(_best(scores.ravel(), KEPT), _best(plain, PLAIN) * shape[3])
    places: list[list[int]] = np.stack(np.unravel_index(best, shape), axis=1).tolist()
    return [Hypothesis(a[i], b[j], bool(direction), *pairs()[k]) for direction, i, j, k in places]


def _best(scores: Array, n: int) -> NDArray[np.intp]:
    return np.argpartition(scores, -n)[-n:] if scores.size > n else np.arange(scores.size)


def _of_offsets(
    moments: Array, weights: Array, a: Sequence[Interpretation], b: Sequence[Interpretation]
) -> Iterator[Hypothesis]:
    """Yield the best fits with a fixed offset of the parent, of the frame, and of both."""
    weight = np.tile(weights, moments.shape[0] * moments.shape[1])
    M = moments.reshape(-1, 3, 3, 3, 3)  # a b c d of A[a, b] B[c, d]
    of_parent, of_frame = np.einsum("nabcb->nac", M), np.einsum("nabad->ndb", M)
    # The sum of the singular values is the best score itself; the first of the nine bounds that of two offsets.
    for N, keep in ((of_parent, "parent_offset"), (of_frame, "frame_offset")):
        best = _largest((np.linalg.svd(N, compute_uv=False).sum(axis=-1) - 3.0) * weight)
        for k, R in zip(best, nearest_rotation(N[best]), strict=True):
            yield Hypothesis(*_start(k, moments, a, b), **{keep: _rows(R)})
    both = M.transpose(0, 1, 3, 4, 2).reshape(-1, 9, 9)
    best = _largest((np.linalg.svd(both, compute_uv=False)[:, 0] - 3.0) * weight)
    for k, L, R in zip(best, *_both(M[best]), strict=True):
        yield Hypothesis(*_start(k, moments, a, b), parent_offset=_rows(L), frame_offset=_rows(R))


def _start(
    k: int, moments: Array, a: Sequence[Interpretation], b: Sequence[Interpretation]
) -> tuple[Interpretation, Interpretation, bool, AxisChange, AxisChange]:
    direction, rest = divmod(k, moments.shape[1] * moments.shape[2])
    i, j = divmod(rest, moments.shape[2])
    return a[i], b[j], bool(direction), IDENTITY, IDENTITY


def _largest(scores: NDArray[np.floating[Any]]) -> list[int]:
    return np.argsort(-scores, kind="stable")[:FITTED].tolist()


def _both(M: Array) -> tuple[Array, Array]:
    """Return for each M (n, 3, 3, 3, 3) the rotations L and R that make the mean of ``tr(Aᵀ L B R)`` largest."""
    U, _, Vt = np.linalg.svd(M.transpose(0, 1, 3, 4, 2).reshape(-1, 9, 9))  # rows a c of L, columns d b of R
    first_L, first_R = U[:, :, 0].reshape(-1, 3, 3), Vt[:, 0].reshape(-1, 3, 3)
    # Of a product of two matrices only the common sign is known: both are tried.
    M = np.concatenate([M, M])
    L = nearest_rotation(np.concatenate([first_L, -first_L]))
    R = nearest_rotation(np.concatenate([first_R, -first_R]))
    before = np.full(len(M), -np.inf)
    for _ in range(ROUNDS):
        R = nearest_rotation(np.einsum("nabcd,nac->ndb", M, L))
        L = nearest_rotation(np.einsum("nabcd,ndb->nac", M, R))
        now = np.einsum("nabcd,nac,ndb->n", M, L, R)
        if float((now - before).max()) < 1e-14:
            break
        before = now
    score = np.einsum("nabcd,nac,ndb->n", M, L, R).reshape(2, -1)
    best = score.argmax(axis=0)
    rows = np.arange(len(best))
    return L.reshape(2, -1, 3, 3)[best, rows], R.reshape(2, -1, 3, 3)[best, rows]


def nearest_rotation(M: Array) -> Array:
    """Return the rotation matrices that make ``tr(Rᵀ M)`` largest, for M (..., 3, 3)."""
    U, _, Vt = np.linalg.svd(M)
    Vt[..., 2, :] *= np.sign(np.linalg.det(U @ Vt))[..., None]
    return U @ Vt


def _rows(R: Array) -> Offset:
    return tuple(map(tuple, R.tolist()))

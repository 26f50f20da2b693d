"""The search: every hypothesis is scored from sums of products of the matrices' components, of which there are few.

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

from framescope.core.arrays import Array
from framescope.core.detective.axis_changes import IDENTITY, AxisChange, pair_table, pairs
from framescope.core.detective.hypotheses import Hypothesis, Offset
from framescope.core.detective.readings import Reading

KEPT = 600
"""Hypotheses of axis changes that are looked at more closely."""

FITTED = 40
"""Pairs of readings for which offsets are fitted, of each kind of offset."""

ROUNDS = 60
"""Of two offsets fitted alternately."""

TRANSPOSED = np.arange(9).reshape(3, 3).T.ravel()


def candidates(numbers_a: Array, numbers_b: Array, a: Sequence[Reading], b: Sequence[Reading]) -> list[Hypothesis]:
    """Return the hypotheses that fit best, of all axis changes and of every fixed offset."""
    moments = _moments(numbers_a, numbers_b, a, b)
    return [*_of_axes(moments, a, b), *_of_offsets(moments, a, b)]


def _moments(numbers_a: Array, numbers_b: Array, a: Sequence[Reading], b: Sequence[Reading]) -> Array:
    """Return means of ``A ⊗ B`` (direction, readings of a, readings of b, 9, 9); the second direction has Aᵀ."""
    A = np.stack([reading.matrices(numbers_a).reshape(-1, 9) for reading in a])
    B = np.stack([reading.matrices(numbers_b).reshape(-1, 9) for reading in b])
    n = A.shape[1]
    flat_A, flat_B = (X.transpose(0, 2, 1).reshape(-1, n) for X in (A, B))
    found = (flat_A @ flat_B.T / n).reshape(len(a), 9, len(b), 9).transpose(0, 2, 1, 3)
    return np.stack([found, found[:, :, TRANSPOSED]])


def _of_axes(moments: Array, a: Sequence[Reading], b: Sequence[Reading]) -> list[Hypothesis]:
    shape = (*moments.shape[:3], len(pairs()))
    scores = (moments.reshape(-1, 81) @ pair_table()).ravel()
    best = np.argpartition(scores, -KEPT)[-KEPT:] if scores.size > KEPT else np.arange(scores.size)
    places: list[list[int]] = np.stack(np.unravel_index(best, shape), axis=1).tolist()
    return [Hypothesis(a[i], b[j], bool(direction), *pairs()[k]) for direction, i, j, k in places]


def _of_offsets(moments: Array, a: Sequence[Reading], b: Sequence[Reading]) -> Iterator[Hypothesis]:
    """Yield the best fits with a fixed offset of the parent, of the frame, and of both."""
    M = moments.reshape(-1, 3, 3, 3, 3)  # a b c d of A[a, b] B[c, d]
    of_parent, of_frame = np.einsum("nabcb->nac", M), np.einsum("nabad->ndb", M)
    # The sum of the singular values is the best score itself; the first of the nine bounds that of two offsets.
    for N, keep in ((of_parent, "parent_offset"), (of_frame, "frame_offset")):
        for k in _largest(np.linalg.svd(N, compute_uv=False).sum(axis=-1)):
            yield Hypothesis(*_start(k, moments, a, b), **{keep: _rows(nearest_rotation(N[k]))})
    both = M.transpose(0, 1, 3, 4, 2).reshape(-1, 9, 9)
    for k in _largest(np.linalg.svd(both, compute_uv=False)[:, 0]):
        L, R = _both(M[k])
        yield Hypothesis(*_start(k, moments, a, b), parent_offset=_rows(L), frame_offset=_rows(R))


def _start(
    k: int, moments: Array, a: Sequence[Reading], b: Sequence[Reading]
) -> tuple[Reading, Reading, bool, AxisChange, AxisChange]:
    direction, rest = divmod(k, moments.shape[1] * moments.shape[2])
    i, j = divmod(rest, moments.shape[2])
    return a[i], b[j], bool(direction), IDENTITY, IDENTITY


def _largest(scores: NDArray[np.floating[Any]]) -> list[int]:
    return np.argsort(-scores, kind="stable")[:FITTED].tolist()


def _both(M: Array) -> tuple[Array, Array]:
    """Return the rotations L and R that make the mean of ``tr(Aᵀ L B R)`` largest."""
    best, score = (np.eye(3), np.eye(3)), -np.inf
    U, _, Vt = np.linalg.svd(M.transpose(0, 2, 3, 1).reshape(9, 9))  # rows a c of L, columns d b of R
    for sign in (1.0, -1.0):
        L, R = nearest_rotation(sign * U[:, 0].reshape(3, 3)), nearest_rotation(sign * Vt[0].reshape(3, 3))
        before = now = -np.inf
        for _ in range(ROUNDS):
            R = nearest_rotation(np.einsum("abcd,ac->db", M, L))
            L = nearest_rotation(np.einsum("abcd,db->ac", M, R))
            now = float(np.einsum("abcd,ac,db->", M, L, R))
            if now - before < 1e-14:
                break
            before = now
        if now > score:
            best, score = (L, R), now
    return best


def nearest_rotation(M: Array) -> Array:
    """Return the rotation matrix that makes ``tr(Rᵀ M)`` largest."""
    U, _, Vt = np.linalg.svd(M)
    return U @ np.diag([1.0, 1.0, np.sign(np.linalg.det(U @ Vt))]) @ Vt


def _rows(R: Array) -> Offset:
    return tuple(map(tuple, R.tolist()))

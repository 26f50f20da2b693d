"""Search over all hypotheses, scored from sums of products of the matrices' components, of which there are few.

The sum of ``tr(Aᵀ L B Rᵀ)`` over the samples is linear in ``Σ A ⊗ B``, nine by nine numbers for each pair of
readings: one matrix product gives them all, and from them the score of any `L` and `R` costs the same for ten samples
and for ten thousand. Best offsets come from the same numbers, by singular values (Wahba's problem; for two offsets at
once alternately, starting from the nearest Kronecker product, and from the turns away from the means, of which those of
one side are those of the other, turned by `L` alone).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from framescope.core.kernels.nearest_rotation import best_rotations
from framescope.core.kernels.validation import Array
from framescope.features.detective.core.axis_changes import IDENTITY, AxisChange, pair_costs, pair_table, pairs
from framescope.features.detective.core.hypotheses import Hypothesis, Offset, turns_of
from framescope.features.detective.core.interpretations import Interpretation, unit_of

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

TURNED, STARTS, STEPS = 400, 8, 8
"""Rows and pairs of readings for which two offsets are fitted to the rows themselves, and steps of that."""

RIDGE = 1e-9
"""What keeps two offsets apart that the rows do not tell apart."""

RATHER = 1e-9
"""What far-fetchedness costs, see `Hypothesis.cost`, so that of many that fit alike the simple ones are kept."""

TRANSPOSED = np.arange(9).reshape(3, 3).T.ravel()


def candidates(
    numbers_a: Array,
    numbers_b: Array,
    a: Sequence[Interpretation],
    b: Sequence[Interpretation],
    costs: tuple[Array, Array],
) -> list[Hypothesis]:
    """Return the hypotheses that fit best, of all axis changes and of every fixed offset.

    Of those that fit alike the simple ones are kept: `costs` says how far-fetched the readings of both sides are.
    """
    A, B = (
        np.stack([interpretation.matrices(numbers) for interpretation in every])
        for every, numbers in ((a, numbers_a), (b, numbers_b))
    )
    moments = _moments(A, B)
    weights = np.array([_scale(R, interpretation, numbers_b) ** -2.0 for R, interpretation in zip(B, b, strict=True)])
    rather = RATHER * (np.array([0.0, 2.0])[:, None, None] + costs[0][:, None] + costs[1])
    found = [*_of_axes(moments, weights, a, b, rather), *_of_offsets(moments, weights, a, b, rather)]
    n: int = A.shape[1]
    some: NDArray[np.intp] = np.linspace(0, n - 1, min(n, TURNED)).astype(np.intp)
    return [*found, *_of_turns(A[:, some], B[:, some], weights, a, b)]


def scale_of(interpretation: Interpretation, numbers_b: Array) -> float:
    """Return what misses of a reading of `b` are measured by: how far the orientations lie apart, rad.

    Numbers in radians read as degrees are small turns, of which any two differ by little. Where the size of the numbers
    speaks for the other unit, misses count more.
    """
    return _scale(interpretation.matrices(numbers_b), interpretation, numbers_b)


def _scale(R: Array, interpretation: Interpretation, numbers_b: Array) -> float:
    spread = spread_of(R)
    unit = unit_of(numbers_b)
    is_odd = bool(unit and interpretation.unit) and interpretation.unit != unit
    return max(spread, LEAST_SPREAD) / (ODD if is_odd else 1.0)


def spread_of(R: Array) -> float:
    """Return how far orientations (n, 3, 3) lie apart, rad; exact where they lie near."""
    mean = R.mean(axis=0)
    return float(np.sqrt(max((3.0 - np.sum(mean * mean)) / 2.0, 0.0)))


def _moments(A: Array, B: Array) -> Array:
    """Return means of ``A ⊗ B`` (direction, readings of a, readings of b, 9, 9); the second direction has Aᵀ."""
    n = A.shape[1]
    flat_A, flat_B = (X.reshape(-1, n, 9).transpose(0, 2, 1).reshape(-1, n) for X in (A, B))
    found = (flat_A @ flat_B.T / n).reshape(len(A), 9, len(B), 9).transpose(0, 2, 1, 3)
    return np.stack([found, found[:, :, TRANSPOSED]])


def _of_axes(
    moments: Array,
    weights: Array,
    a: Sequence[Interpretation],
    b: Sequence[Interpretation],
    rather: Array,
) -> list[Hypothesis]:
    shape = (*moments.shape[:3], len(pairs()))
    # How far-fetched each is goes in as two more products.
    table = np.vstack([pair_table(), -4.0 * RATHER * pair_costs(), -np.ones(len(pairs()))])
    products = np.column_stack([moments.reshape(-1, 81), np.ones(rather.size), rather.ravel()])
    scores = (products @ table).reshape(shape)
    if len(b) > 1:
        scores = (scores - 3.0) * weights[:, None]
    plain = scores[..., :1].ravel()  # no change of axes is the first of the pairs
    best = np.union1d(_best(scores.ravel(), KEPT), _best(plain, PLAIN) * shape[3])
    places: list[list[int]] = np.stack(np.unravel_index(best, shape), axis=1).tolist()
    return [Hypothesis(a[i], b[j], bool(direction), *pairs()[k]) for direction, i, j, k in places]


def _best(scores: Array, n: int) -> NDArray[np.intp]:
    return np.argpartition(scores, -n)[-n:] if scores.size > n else np.arange(scores.size)


def _of_offsets(
    moments: Array, weights: Array, a: Sequence[Interpretation], b: Sequence[Interpretation], rather: Array
) -> Iterator[Hypothesis]:
    """Yield the best fits with a fixed offset of the parent, of the frame, and of both."""
    weight = np.tile(weights, moments.shape[0] * moments.shape[1])
    M = moments.reshape(-1, 3, 3, 3, 3)  # a b c d of A[a, b] B[c, d]
    of_parent, of_frame = np.einsum("nabcb->nac", M), np.einsum("nabad->ndb", M)
    # The sum of the singular values is the best score itself; the first of the nine bounds that of two offsets.
    for N, keep in ((of_parent, "parent_offset"), (of_frame, "frame_offset")):
        best = _largest((np.linalg.svd(N, compute_uv=False).sum(axis=-1) - 3.0) * weight - rather.ravel())
        for k, R in zip(best, best_rotations(N[best]), strict=True):
            yield Hypothesis(*_start(k, moments, a, b), **{keep: _rows(R)})
    both = M.transpose(0, 1, 3, 4, 2).reshape(-1, 9, 9)
    best = _largest((np.linalg.svd(both, compute_uv=False)[:, 0] - 3.0) * weight - rather.ravel())
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
    L = best_rotations(np.concatenate([first_L, -first_L]))
    R = best_rotations(np.concatenate([first_R, -first_R]))
    before = np.full(len(M), -np.inf)
    for _ in range(ROUNDS):
        R = best_rotations(np.einsum("nabcd,nac->ndb", M, L))
        L = best_rotations(np.einsum("nabcd,ndb->nac", M, R))
        now = np.einsum("nabcd,nac,ndb->n", M, L, R)
        if float((now - before).max()) < 1e-14:
            break
        before = now
    score = np.einsum("nabcd,nac,ndb->n", M, L, R).reshape(2, -1)
    best = score.argmax(axis=0)
    rows = np.arange(len(best))
    return L.reshape(2, -1, 3, 3)[best, rows], R.reshape(2, -1, 3, 3)[best, rows]


def _of_turns(
    A: Array, B: Array, weights: Array, a: Sequence[Interpretation], b: Sequence[Interpretation]
) -> Iterator[Hypothesis]:
    """Yield the best fits with two fixed offsets, begun from the turns away from the mean orientations.

    With ``A = L B R``, and means alike, ``A A0ᵀ = L (B B0ᵀ) Lᵀ``: the turns of one side are those of the other, turned
    by `L`, however little they are. What is left is fitted to the rows by the method of Gauss and Newton.
    """
    n = A.shape[1]
    mean_A, mean_B = best_rotations(A.mean(axis=1)), best_rotations(B.mean(axis=1))
    turns_A = np.stack(
        [turns_of(A @ mean_A.transpose(0, 2, 1)[:, None]), turns_of(A.transpose(0, 1, 3, 2) @ mean_A[:, None])]
    )
    turns_B = turns_of(B @ mean_B.transpose(0, 2, 1)[:, None])
    flat_A, flat_B = (v.reshape(-1, n, 3).transpose(0, 2, 1).reshape(-1, n) for v in (turns_A, turns_B))
    N = (flat_A @ flat_B.T / n).reshape(2 * len(a), 3, len(b), 3).transpose(0, 2, 1, 3).reshape(-1, 3, 3)
    squares_A, squares_B = (np.sum(v * v, axis=(-1, -2)) / n for v in (turns_A, turns_B))
    L = best_rotations(N)
    misses = (squares_A.reshape(-1, 1) + squares_B).ravel() - 2.0 * np.sum(L * N, axis=(1, 2))
    best = _largest(-misses * np.tile(weights, 2 * len(a)))[:STARTS]
    places = [(k // (len(a) * len(b)), k // len(b) % len(a), k % len(b)) for k in best]
    rows_A = np.stack([A[i].transpose(0, 2, 1) if is_inverse else A[i] for is_inverse, i, _ in places])
    rows_B = np.stack([B[j] for *_, j in places])
    starts = np.stack([mean_A[i].T if is_inverse else mean_A[i] for is_inverse, i, _ in places])
    L = L[best]
    R = np.stack([mean_B[j].T for *_, j in places]) @ L.transpose(0, 2, 1) @ starts
    L, R = _fitted_to_rows(rows_A, rows_B, L, R)
    for (is_inverse, i, j), left, right in zip(places, L, R, strict=True):
        start = (a[i], b[j], bool(is_inverse), IDENTITY, IDENTITY)
        yield Hypothesis(*start, parent_offset=_rows(left), frame_offset=_rows(right))


def _fitted_to_rows(A: Array, B: Array, L: Array, R: Array) -> tuple[Array, Array]:
    """Return `L` and `R` (k, 3, 3) that make the angles of ``(L B R)ᵀ A`` least squares, from those nearby."""
    n = A.shape[1]
    unit = np.eye(3) * n
    for _ in range(STEPS):
        moved = B @ R[:, None]
        missed = turns_of((L[:, None] @ moved).transpose(0, 1, 3, 2) @ A)
        total = moved.sum(axis=1)
        upper = np.concatenate([np.broadcast_to(unit, total.shape), total.transpose(0, 2, 1)], axis=2)
        lower = np.concatenate([total, np.broadcast_to(unit, total.shape)], axis=2)
        normal = np.concatenate([upper, lower], axis=1) + RIDGE * n * np.eye(6)
        right_side = np.concatenate([missed.sum(axis=1), np.einsum("knij,knj->ki", moved, missed)], axis=1)
        step = cast("Array", np.linalg.solve(normal, right_side[..., None])[..., 0])
        R = R @ _rotations(step[:, :3])
        L = L @ _rotations(step[:, 3:])
        if float(np.abs(step).max()) < 1e-12:
            break
    return L, R


def _rotations(v: Array) -> Array:
    return Interpretation("rotation vector", unit="rad").matrices(v)


def _rows(R: Array) -> Offset:
    return tuple(map(tuple, R.tolist()))

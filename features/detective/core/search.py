"""Search over all hypotheses, scored from sums of products of the matrices' components.

The sum of ``tr(Aᵀ L B Rᵀ)`` over the samples is linear in ``Σ A ⊗ B``, nine by nine numbers for each pair of
interpretations. One matrix product computes them all; then scoring any `L` and `R` costs the same for ten samples and
for ten thousand. The best single offset follows from the same numbers by singular values (Wahba's problem). Two offsets
are fitted alternately, starting from the nearest Kronecker product. A second start uses the rotations relative to the
mean orientations: `L` alone rotates those of one side into those of the other.
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

WITH_AXES = 600
"""Number of hypotheses with any axes among the candidates."""

PLAIN = 40
"""Number of hypotheses without changed axes among the candidates."""

FITTED = 40
"""Number of pairs of interpretations with fitted offsets among the candidates, for each kind of offset."""

LEAST_SPREAD = 1e-3
"""Smallest scale of residuals, rad."""

ODD = 3.0
"""Factor on residuals of angles in a unit that does not fit their size."""

ROUNDS = 60
"""Largest number of rounds of the alternating fit of two offsets."""

TURNED, STARTS, STEPS = 400, 8, 8
"""Numbers of rows, of pairs of interpretations and of Gauss-Newton steps for the fit of two offsets to rows."""

RIDGE = 1e-9
"""Regularisation for two offsets that the rows do not determine separately."""

SIMPLICITY = 1e-9
"""Weight of the implausibility, see `Hypothesis.cost`, so that simple hypotheses win among equal fits."""

TRANSPOSED = np.arange(9).reshape(3, 3).T.ravel()
"""Indices of the transposed matrix in a flat matrix."""


def candidates(
    numbers_a: Array,
    numbers_b: Array,
    a: Sequence[Interpretation],
    b: Sequence[Interpretation],
    costs: tuple[Array, Array],
) -> list[Hypothesis]:
    """Return the hypotheses that fit best, with all axis changes and with fixed offsets.

    `costs` are the implausibilities of the interpretations of both sides; they decide between equal fits.
    """
    A, B = (
        np.stack([interpretation.matrices(numbers) for interpretation in every])
        for every, numbers in ((a, numbers_a), (b, numbers_b))
    )
    moments = _moments(A, B)
    weights = np.array([_scale(R, interpretation, numbers_b) ** -2.0 for R, interpretation in zip(B, b, strict=True)])
    penalty = SIMPLICITY * (np.array([0.0, 2.0])[:, None, None] + costs[0][:, None] + costs[1])
    hypotheses = [*_of_axes(moments, weights, a, b, penalty), *_of_offsets(moments, weights, a, b, penalty)]
    n: int = A.shape[1]
    some: NDArray[np.intp] = np.linspace(0, n - 1, min(n, TURNED)).astype(np.intp)
    return [*hypotheses, *_of_turns(A[:, some], B[:, some], weights, a, b)]


def scale_of(interpretation: Interpretation, numbers_b: Array) -> float:
    """Return the scale of residuals of an interpretation of `b`, rad: the spread of its orientations.

    Radians read as degrees are small rotations with small residuals, so residuals are relative to the spread. If the
    size of the numbers suggests the other unit, the scale is `ODD` times smaller.
    """
    return _scale(interpretation.matrices(numbers_b), interpretation, numbers_b)


def _scale(R: Array, interpretation: Interpretation, numbers_b: Array) -> float:
    spread = spread_of(R)
    unit = unit_of(numbers_b)
    is_odd = bool(unit and interpretation.unit) and interpretation.unit != unit
    return max(spread, LEAST_SPREAD) / (ODD if is_odd else 1.0)


def spread_of(R: Array) -> float:
    """Return the spread of orientations (n, 3, 3), rad; accurate for small spreads."""
    mean = R.mean(axis=0)
    return float(np.sqrt(max((3.0 - np.sum(mean * mean)) / 2.0, 0.0)))


def _moments(A: Array, B: Array) -> Array:
    """Return means of ``A ⊗ B`` (direction, interpretations of a, of b, 9, 9); the second direction has Aᵀ."""
    n = A.shape[1]
    flat_A, flat_B = (X.reshape(-1, n, 9).transpose(0, 2, 1).reshape(-1, n) for X in (A, B))
    means = (flat_A @ flat_B.T / n).reshape(len(A), 9, len(B), 9).transpose(0, 2, 1, 3)
    return np.stack([means, means[:, :, TRANSPOSED]])


def _of_axes(
    moments: Array,
    weights: Array,
    a: Sequence[Interpretation],
    b: Sequence[Interpretation],
    penalty: Array,
) -> list[Hypothesis]:
    shape = (*moments.shape[:3], len(pairs()))
    # The penalty is added by two more columns of the product.
    table = np.vstack([pair_table(), -4.0 * SIMPLICITY * pair_costs(), -np.ones(len(pairs()))])
    products = np.column_stack([moments.reshape(-1, 81), np.ones(penalty.size), penalty.ravel()])
    scores = (products @ table).reshape(shape)
    if len(b) > 1:
        scores = (scores - 3.0) * weights[:, None]
    plain = scores[..., :1].ravel()  # no change of axes is the first of the pairs
    best = np.union1d(_best(scores.ravel(), WITH_AXES), _best(plain, PLAIN) * shape[3])
    places: list[list[int]] = np.stack(np.unravel_index(best, shape), axis=1).tolist()
    return [Hypothesis(a[i], b[j], bool(direction), *pairs()[k]) for direction, i, j, k in places]


def _best(scores: Array, n: int) -> NDArray[np.intp]:
    return np.argpartition(scores, -n)[-n:] if scores.size > n else np.arange(scores.size)


def _of_offsets(
    moments: Array, weights: Array, a: Sequence[Interpretation], b: Sequence[Interpretation], penalty: Array
) -> Iterator[Hypothesis]:
    """Yield the best fits with a fixed offset of the parent, of the frame, and of both."""
    weight = np.tile(weights, moments.shape[0] * moments.shape[1])
    M = moments.reshape(-1, 3, 3, 3, 3)  # a b c d of A[a, b] B[c, d]
    of_parent, of_frame = np.einsum("nabcb->nac", M), np.einsum("nabad->ndb", M)
    # The sum of the singular values is the best score; the first of the nine bounds the score of two offsets.
    for N, keep in ((of_parent, "parent_offset"), (of_frame, "frame_offset")):
        best = _largest((np.linalg.svd(N, compute_uv=False).sum(axis=-1) - 3.0) * weight - penalty.ravel())
        for k, R in zip(best, best_rotations(N[best]), strict=True):
            yield Hypothesis(*_start(k, moments, a, b), **{keep: _rows(R)})
    products = M.transpose(0, 1, 3, 4, 2).reshape(-1, 9, 9)
    best = _largest((np.linalg.svd(products, compute_uv=False)[:, 0] - 3.0) * weight - penalty.ravel())
    for k, L, R in zip(best, *_fit_two_offsets(M[best]), strict=True):
        yield Hypothesis(*_start(k, moments, a, b), parent_offset=_rows(L), frame_offset=_rows(R))


def _start(
    k: int, moments: Array, a: Sequence[Interpretation], b: Sequence[Interpretation]
) -> tuple[Interpretation, Interpretation, bool, AxisChange, AxisChange]:
    direction, rest = divmod(k, moments.shape[1] * moments.shape[2])
    i, j = divmod(rest, moments.shape[2])
    return a[i], b[j], bool(direction), IDENTITY, IDENTITY


def _largest(scores: NDArray[np.floating[Any]]) -> list[int]:
    return np.argsort(-scores, kind="stable")[:FITTED].tolist()


def _fit_two_offsets(M: Array) -> tuple[Array, Array]:
    """Return for each M (n, 3, 3, 3, 3) the rotations L and R that maximise the mean of ``tr(Aᵀ L B R)``."""
    U, _, Vt = np.linalg.svd(M.transpose(0, 1, 3, 4, 2).reshape(-1, 9, 9))  # rows a c of L, columns d b of R
    first_L, first_R = U[:, :, 0].reshape(-1, 3, 3), Vt[:, 0].reshape(-1, 3, 3)
    # The product determines two matrices up to a common sign: try both signs.
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
    """Yield the best fits with two fixed offsets, starting from the rotations relative to the mean orientations.

    With ``A = L B R`` and the same for the means, ``A A0ᵀ = L (B B0ᵀ) Lᵀ``: `L` rotates the rotation vectors of one
    side into those of the other, however small they are. Gauss-Newton steps then refine both offsets on the rows.
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
    L, R = _fit_to_rows(rows_A, rows_B, L, R)
    for (is_inverse, i, j), left, right in zip(places, L, R, strict=True):
        start = (a[i], b[j], bool(is_inverse), IDENTITY, IDENTITY)
        yield Hypothesis(*start, parent_offset=_rows(left), frame_offset=_rows(right))


def _fit_to_rows(A: Array, B: Array, L: Array, R: Array) -> tuple[Array, Array]:
    """Return `L` and `R` (k, 3, 3) that minimise the squared angles of ``(L B R)ᵀ A``, from start values nearby."""
    n = A.shape[1]
    unit = np.eye(3) * n
    for _ in range(STEPS):
        BR = B @ R[:, None]
        residual = turns_of((L[:, None] @ BR).transpose(0, 1, 3, 2) @ A)
        total = BR.sum(axis=1)
        upper = np.concatenate([np.broadcast_to(unit, total.shape), total.transpose(0, 2, 1)], axis=2)
        lower = np.concatenate([total, np.broadcast_to(unit, total.shape)], axis=2)
        normal = np.concatenate([upper, lower], axis=1) + RIDGE * n * np.eye(6)
        right_side = np.concatenate([residual.sum(axis=1), np.einsum("knij,knj->ki", BR, residual)], axis=1)
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

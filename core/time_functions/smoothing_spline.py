"""Cubic smoothing spline of samples, without scipy, which takes almost half a second to import."""

from __future__ import annotations

from typing import NamedTuple, cast

import numpy as np

from framescope.core.kernels.validation import Array

STIFFEST = 1e5
"""Largest ratio of lam to g h³, for the smallest step, at which Reinsch's equations are used.

The equations lose as many decimal digits as this ratio has. With even steps, 140 samples in a period of the bandwidth
reach it.
"""


def smoothing_spline(t: Array, y: Array, weights: Array, lam: float) -> Array:
    """Return the natural cubic spline s that minimizes ``sum g_i |y_i - s(t_i)|² + lam ∫ |s''|²``.

    Parameters
    ----------
    t : (n,)
        Times of the samples, each later than the one before; at least 3.
    y : (n, m)
        Samples of m signals.
    weights : (n,)
        Weights g of the samples, all positive.
    lam
        Weight of the roughness, positive.

    Returns
    -------
    (4, n - 1, m)
        Polynomials in the time since the sample before, the highest power first.

    Notes
    -----
    With `h` the steps, `Q` second differences, ``(Qᵀ y)_i = (y_i+2 - y_i+1)/h_i+1 - (y_i+1 - y_i)/h_i``, and `R` the
    product of hat functions, the second derivatives c of s at the inner samples solve ``(R + lam Qᵀ G⁻¹ Q) c = Qᵀ y``,
    and ``s = y - lam G⁻¹ Q c``. The matrix is symmetric and positive definite, with two diagonals on either side.

    Its condition number grows as ``lam / (g h³)``, which is the fourth power of the number of samples in a period of
    the bandwidth. Up to `STIFFEST`, values, rates and second derivatives are accurate to 1e-10 of the largest. Above
    it, and where two samples are very close, `smooth_states` is used, which takes 1.5 times as long. Its values are
    accurate to 1e-12, and its rates and second derivatives to 1e-9, as measured with up to a billion samples in a
    period and gaps of a million steps.

    References
    ----------
    C. H. Reinsch, "Smoothing by spline functions", Numerische Mathematik 10, 1967.

    Examples
    --------
    >>> line = np.array([[0.0], [1.0], [2.0]])
    >>> smoothing_spline(np.arange(3.0), line, np.ones(3), 1.0)[:, :, 0].round(12).T
    array([[0., 0., 1., 0.],
           [0., 0., 1., 1.]])
    """
    h = np.diff(t)
    if lam > STIFFEST * (weights[1:-1] * np.minimum(h[1:], h[:-1]) ** 3).min():
        return _stiff_spline(h, y, weights, lam)
    first, last = 1.0 / h[:-1], 1.0 / h[1:]
    middle = -first - last
    ratio = lam / weights
    # R + lam Qᵀ G⁻¹ Q: the diagonal and the two diagonals beside it.
    beside0 = (h[:-1] + h[1:]) / 3.0 + first**2 * ratio[:-2] + middle**2 * ratio[1:-1] + last**2 * ratio[2:]
    beside1 = h[1:-1] / 6.0 + middle[:-1] * first[1:] * ratio[1:-2] + last[:-1] * middle[1:] * ratio[2:-1]
    beside2 = last[:-2] * first[2:] * ratio[2:-2]

    H = h[:, np.newaxis]
    c = np.zeros_like(y)
    c[1:-1] = _solve_five_diagonals(beside0, beside1, beside2, np.diff(np.diff(y, axis=0) / H, axis=0))
    smoothed = y - ratio[:, np.newaxis] * np.diff(np.diff(c, axis=0) / H, axis=0, prepend=0.0, append=0.0)
    slope = np.diff(smoothed, axis=0) / H - H * (2.0 * c[:-1] + c[1:]) / 6.0
    return np.stack([np.diff(c, axis=0) / (6.0 * H), 0.5 * c[:-1], slope, smoothed[:-1]])


def _stiff_spline(h: Array, y: Array, weights: Array, lam: float) -> Array:
    """Return the polynomials of `smoothing_spline`, computed from states and costates at the samples.

    Where the weights of samples dominate the stiffness, the states at both ends determine the shape of an interval.
    Elsewhere these states are too similar, and the costate determines the shape.
    """
    common = y[0]  # a constant signal is reproduced exactly
    x, p = smooth_states(h, (y - common).T, weights, lam)
    value, rate, next_rate = x[0, :, :-1], x[1, :, :-1], x[1, :, 1:]
    is_weighted = np.maximum(weights[1:], weights[:-1]) * h**3 > lam
    mean = (x[0, :, 1:] - value) / h
    second = (p[1, :, :-1] + h * p[0, :, :-1]) / lam
    second = np.where(is_weighted, (6.0 * mean - 4.0 * rate - 2.0 * next_rate) / h, second)
    third = np.where(is_weighted, 6.0 * (rate + next_rate - 2.0 * mean) / h**2, p[0, :, :-1] / -lam)
    pieces = np.stack([third / 6.0, 0.5 * second, rate, value + common[:, np.newaxis]])
    return np.ascontiguousarray(np.swapaxes(pieces, 1, 2))


def _solve_five_diagonals(beside0: Array, beside1: Array, beside2: Array, right: Array) -> Array:
    """Return x (n, m) with A x = right, for A symmetric, positive definite and of five diagonals.

    `beside0` (n,) is the main diagonal, `beside1` (n - 1,) the first and `beside2` (n - 2,) the second diagonal beside
    it. In blocks of (2, 2) the system is block tridiagonal.
    """
    n = len(right)
    n_blocks = (n + 1) // 2
    # An odd number of rows is padded with a row of the identity.
    d0, d1, d2 = np.ones(2 * n_blocks), np.zeros(2 * n_blocks), np.zeros(2 * n_blocks)
    d0[:n], d1[: n - 1], d2[: max(n - 2, 0)] = beside0, beside1, beside2
    padded = np.zeros((2 * n_blocks, right.shape[1]))
    padded[:n] = right
    diagonal = np.empty((n_blocks, 2, 2))
    diagonal[:, 0, 0], diagonal[:, 1, 1] = d0[::2], d0[1::2]
    diagonal[:, 0, 1] = diagonal[:, 1, 0] = d1[::2]
    lower = np.zeros((n_blocks - 1, 2, 2))
    lower[:, 0, 0], lower[:, 1, 1], lower[:, 0, 1] = d2[:-2:2], d2[1:-2:2], d1[1:-2:2]
    return _solve_three_diagonals(diagonal, lower, padded.reshape(n_blocks, 2, -1)).reshape(2 * n_blocks, -1)[:n]


def _solve_three_diagonals(diagonal: Array, lower: Array, right: Array) -> Array:
    """Return x (n, 2, m) with A x = right, for A symmetric, positive definite and block tridiagonal with blocks (2, 2).

    Cyclic reduction eliminates every other row at once, and repeats this for the remaining rows. This is Gaussian
    elimination in another order, and as accurate. Row k + 1 of A has ``lower[k]`` before ``diagonal[k + 1]``. Row k has
    the transpose of ``lower[k]`` after ``diagonal[k]``.
    """
    if len(diagonal) == 1:
        return cast("Array", np.linalg.solve(diagonal, right))
    inverse = np.linalg.inv(diagonal[1::2])
    # Blocks that couple odd rows with the even row before, and with the even row after.
    before, after = lower[::2], lower[1::2]
    n_after = len(after)
    out = np.swapaxes(before, -1, -2) @ inverse
    into = after @ inverse[:n_after]
    even, reduced = diagonal[::2].copy(), right[::2].copy()
    even[: len(before)] -= out @ before
    reduced[: len(before)] -= out @ right[1::2]
    even[1 : n_after + 1] -= into @ np.swapaxes(after, -1, -2)
    reduced[1 : n_after + 1] -= into @ right[1::2][:n_after]
    x = np.empty_like(right)
    x[::2] = _solve_three_diagonals(even, -into @ before[:n_after], reduced)
    remainder = right[1::2] - before @ x[::2][: len(before)]
    remainder[:n_after] -= np.swapaxes(after, -1, -2) @ x[::2][1 : n_after + 1]
    x[1::2] = inverse @ remainder
    return x


class _Segments(NamedTuple):
    """Linear maps of state x and costate p of m signals over segments of time.

    ``x_end = A x_start + b + C p_end`` and ``p_start = e - J x_start + Aᵀ p_end``, with C and J symmetric and
    semidefinite. For k segments, `A`, `C` and `J` are (2, 2, k), and `b` and `e` are (2, m, k).
    """

    A: Array
    b: Array
    C: Array
    e: Array
    J: Array

    def select(self, which: slice) -> _Segments:
        """Return some of the segments."""
        return _Segments(*(np.ascontiguousarray(part[..., which]) for part in self))


class _Joints(NamedTuple):
    """State and costate at joints of two segments, as functions of x at the first start and p at the second end.

    At a joint, ``x = W (A x_start + b) + V (e + Aᵀ p_end)`` and ``p = Wᵀ (e + Aᵀ p_end) - U (A x_start + b)``. `A` and
    `b` belong to the first segment, `e` and `A_next` to the second.
    """

    A: Array
    b: Array
    A_next: Array
    e: Array
    W: Array
    V: Array
    U: Array


def smooth_states(h: Array, y: Array, weights: Array, lam: float) -> tuple[Array, Array]:
    """Return states and costates of the smoothing spline of samples.

    Parameters
    ----------
    h : (n - 1,)
        Steps from one sample to the next.
    y : (m, n)
        Samples of m signals.
    weights : (n,)
        Weights of the samples.
    lam
        Weight of the roughness.

    Returns
    -------
    states : (2, m, n)
        Value and rate of the spline at each sample.
    costates : (2, m, n)
        ``(-lam s''', lam s'')`` at the end of the step after each sample; zero after the last.

    Notes
    -----
    The spline is the likeliest path of a point accelerated by white noise. A sample subtracts ``g (s - y)`` from the
    first component of p, and a step has ``A = [[1, h], [0, 1]]`` and ``lam C = [[h³/3, h²/2], [h²/2, h]]``. Pairs of
    neighbouring segments are joined, all pairs at once, until a single segment remains. At its ends p is zero. The
    joins only add semidefinite matrices, which loses no digits, unlike the second differences in Reinsch's equations.

    References
    ----------
    G. Wahba, "Improper priors, spline smoothing and the problem of guarding against model errors in regression",
    Journal of the Royal Statistical Society B 40, 1978, for the noise.
    S. Särkkä, Á. F. García-Fernández, "Temporal parallelization of Bayesian smoothers", IEEE Transactions on Automatic
    Control 66, 2021, for segments joined in pairs.
    """
    segments = _steps(h, y, weights, lam)
    counts: list[int] = []
    joints: list[_Joints] = []
    while (n := segments.A.shape[-1]) > 1:
        between, pairs = _join(segments.select(slice(0, n - n % 2, 2)), segments.select(slice(1, None, 2)))
        unpaired = segments.select(slice(n - n % 2, None))
        segments = _Segments(*(np.concatenate(parts, axis=-1) for parts in zip(pairs, unpaired, strict=True)))
        counts.append(n)
        joints.append(between)
    x = _times(_adjugate(segments.J), segments.e) / _determinant(segments.J)
    p = np.zeros_like(x)
    while joints:
        x, p = _split(joints.pop(), x, p, counts.pop())
    return x, p


def _steps(h: Array, y: Array, weights: Array, lam: float) -> _Segments:
    """Return a segment for each sample and the step after it, with a step of length zero after the last."""
    h = np.append(h, 0.0)
    one, zero = np.ones_like(h), np.zeros_like(h)
    return _Segments(
        _matrix(one, h, zero, one),
        np.zeros((2, *y.shape)),
        _matrix(h**3 / 3.0, h**2 / 2.0, h**2 / 2.0, h) / lam,
        np.stack([weights * y, np.zeros_like(y)]),
        _matrix(weights, zero, zero, zero),
    )


def _join(first: _Segments, second: _Segments) -> tuple[_Joints, _Segments]:
    """Return the joints between segments and their successors, and each pair as one segment.

    ``W = (I + C J)⁻¹``, ``V = W C`` and ``U = J W`` are computed by cofactors; `V` and `U` are symmetric.
    """
    CJ = _times(first.C, second.J)
    C_size, J_size = _determinant(first.C), _determinant(second.J)
    size = 1.0 + CJ[0, 0] + CJ[1, 1] + C_size * J_size
    W = _matrix(1.0 + CJ[1, 1], -CJ[0, 1], -CJ[1, 0], 1.0 + CJ[0, 0]) / size
    V = (first.C + C_size * _adjugate(second.J)) / size
    U = (second.J + J_size * _adjugate(first.C)) / size
    A_back = first.A.swapaxes(0, 1)
    pairs = _Segments(
        _times(second.A, _times(W, first.A)),
        _times(second.A, _times(W, first.b) + _times(V, second.e)) + second.b,
        _times(second.A, _times(V, second.A.swapaxes(0, 1))) + second.C,
        _times(A_back, _times(W.swapaxes(0, 1), second.e) - _times(U, first.b)) + first.e,
        _times(A_back, _times(U, first.A)) + first.J,
    )
    return _Joints(first.A, first.b, second.A, second.e, W, V, U), pairs


def _split(joints: _Joints, x: Array, p: Array, n: int) -> tuple[Array, Array]:
    """Return x at the starts and p at the ends of n segments, from x and p of the joined pairs."""
    k = n // 2
    onward = _times(joints.A, x[..., :k]) + joints.b
    back = joints.e + _times(joints.A_next.swapaxes(0, 1), p[..., :k])
    starts, ends = np.empty((*x.shape[:2], n)), np.empty((*x.shape[:2], n))
    starts[..., ::2], ends[..., -1] = x, p[..., -1]
    starts[..., 1::2] = _times(joints.W, onward) + _times(joints.V, back)
    ends[..., 1::2] = p[..., :k]
    ends[..., : 2 * k : 2] = _times(joints.W.swapaxes(0, 1), back) - _times(joints.U, onward)
    return starts, ends


def _matrix(a: Array, b: Array, c: Array, d: Array) -> Array:
    return np.stack([a, b, c, d]).reshape(2, 2, -1)


def _times(matrix: Array, other: Array) -> Array:
    """Return the products of matrices (2, 2, k) and other matrices (2, m, k)."""
    return matrix[:, 0, np.newaxis] * other[0] + matrix[:, 1, np.newaxis] * other[1]


def _determinant(matrix: Array) -> Array:
    return matrix[0, 0] * matrix[1, 1] - matrix[0, 1] * matrix[1, 0]


def _adjugate(matrix: Array) -> Array:
    return _matrix(matrix[1, 1], -matrix[0, 1], -matrix[1, 0], matrix[0, 0])

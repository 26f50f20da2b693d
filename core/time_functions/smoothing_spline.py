"""The cubic smoothing spline of samples, in numpy alone: scipy's takes almost half a second to import."""

from __future__ import annotations

from typing import cast

import numpy as np

from framescope.core.kernels.validation import Array
from framescope.core.time_functions.smoothed_states import smoothed_states

STIFFEST = 1e5
"""How much larger lam may be than g h³, of the smallest step, for Reinsch's equations: they lose as many digits.

Of even steps it is reached with 140 samples in a period of the bandwidth.
"""


def smoothing_spline(t: Array, y: Array, weights: Array, lam: float) -> Array:
    """Return the natural cubic spline s that minimises ``sum g_i |y_i - s(t_i)|² + lam ∫ |s''|²``.

    Parameters
    ----------
    t : (n,)
        Times of the samples, each later than the one before; at least 3.
    y : (n, m)
        Samples of m signals.
    weights : (n,)
        The weights g of the samples, all positive.
    lam
        What roughness costs, positive.

    Returns
    -------
    (4, n - 1, m)
        Polynomials in the time since the sample before, the highest power first.

    Notes
    -----
    With `h` the steps, `Q` second differences, ``(Qᵀ y)_i = (y_i+2 - y_i+1)/h_i+1 - (y_i+1 - y_i)/h_i``, and `R` the
    product of hat functions, the second derivatives c of s at the inner samples solve ``(R + lam Qᵀ G⁻¹ Q) c = Qᵀ y``,
    and ``s = y - lam G⁻¹ Q c``. The matrix is symmetric and positive definite, with two diagonals on either side.

    Its condition goes by lam / g h³, the fourth power of the number of samples in a period of the bandwidth. Up to
    `STIFFEST`, values, rates and second derivatives are right to 1e-10 of the largest. Beyond, where all would be lost
    in the end, and where two samples are very near each other, `smoothed_states` has values to 1e-12, rates and second
    derivatives to 1e-9: measured up to a billion samples a period, and gaps of a million steps. It takes half as long
    again.

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
    share = lam / weights
    # R + lam Qᵀ G⁻¹ Q: its diagonal, and the two beside.
    beside0 = (h[:-1] + h[1:]) / 3.0 + first**2 * share[:-2] + middle**2 * share[1:-1] + last**2 * share[2:]
    beside1 = h[1:-1] / 6.0 + middle[:-1] * first[1:] * share[1:-2] + last[:-1] * middle[1:] * share[2:-1]
    beside2 = last[:-2] * first[2:] * share[2:-2]

    H = h[:, np.newaxis]
    c = np.zeros_like(y)
    c[1:-1] = _solve_five_diagonals(beside0, beside1, beside2, np.diff(np.diff(y, axis=0) / H, axis=0))
    smoothed = y - share[:, np.newaxis] * np.diff(np.diff(c, axis=0) / H, axis=0, prepend=0.0, append=0.0)
    slope = np.diff(smoothed, axis=0) / H - H * (2.0 * c[:-1] + c[1:]) / 6.0
    return np.stack([np.diff(c, axis=0) / (6.0 * H), 0.5 * c[:-1], slope, smoothed[:-1]])


def _stiff_spline(h: Array, y: Array, weights: Array, lam: float) -> Array:
    """Return the same polynomials from states and costates at the samples.

    Where samples hold the spline more than its stiffness does, the states at both ends tell its shape; elsewhere these
    are too much alike, and the costate does.
    """
    common = y[0]  # a signal that does not change comes out as it is
    x, p = smoothed_states(h, (y - common).T, weights, lam)
    value, rate, next_rate = x[0, :, :-1], x[1, :, :-1], x[1, :, 1:]
    is_held = np.maximum(weights[1:], weights[:-1]) * h**3 > lam
    mean = (x[0, :, 1:] - value) / h
    second = (p[1, :, :-1] + h * p[0, :, :-1]) / lam
    second = np.where(is_held, (6.0 * mean - 4.0 * rate - 2.0 * next_rate) / h, second)
    third = np.where(is_held, 6.0 * (rate + next_rate - 2.0 * mean) / h**2, p[0, :, :-1] / -lam)
    pieces = np.stack([third / 6.0, 0.5 * second, rate, value + common[:, np.newaxis]])
    return np.ascontiguousarray(np.swapaxes(pieces, 1, 2))


def _solve_five_diagonals(beside0: Array, beside1: Array, beside2: Array, right: Array) -> Array:
    """Return x (n, m) of A x = right, with A symmetric, positive definite and zero but for five diagonals.

    `beside0` (n,) is its diagonal, `beside1` (n - 1,) and `beside2` (n - 2,) are the two beside it. Two rows and two
    columns make a block: in blocks it has but three diagonals.
    """
    n = len(right)
    n_blocks = (n + 1) // 2
    # With one row more where there is an odd number of them: of the identity.
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
    """Return x (n, 2, m) of A x = right, A symmetric, positive definite, of blocks (2, 2) in three diagonals.

    Cyclic reduction: every other row is eliminated at once, again and again; that is elimination in another order, and
    as accurate. Row k + 1 of A has ``lower[k]`` before ``diagonal[k + 1]``, row k its transpose behind ``diagonal[k]``.
    """
    if len(diagonal) == 1:
        return cast("Array", np.linalg.solve(diagonal, right))
    inverse = np.linalg.inv(diagonal[1::2])
    before, after = lower[::2], lower[1::2]  # of the odd rows: to the even row before, and of the one after to them
    n_after = len(after)
    out = np.swapaxes(before, -1, -2) @ inverse
    into = after @ inverse[:n_after]
    even, kept = diagonal[::2].copy(), right[::2].copy()
    even[: len(before)] -= out @ before
    kept[: len(before)] -= out @ right[1::2]
    even[1 : n_after + 1] -= into @ np.swapaxes(after, -1, -2)
    kept[1 : n_after + 1] -= into @ right[1::2][:n_after]
    x = np.empty_like(right)
    x[::2] = _solve_three_diagonals(even, -into @ before[:n_after], kept)
    rest = right[1::2] - before @ x[::2][: len(before)]
    rest[:n_after] -= np.swapaxes(after, -1, -2) @ x[::2][1 : n_after + 1]
    x[1::2] = inverse @ rest
    return x

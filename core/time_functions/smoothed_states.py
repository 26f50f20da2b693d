"""States of a smoothing spline by stretches: as exact however many samples it smooths away."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from framescope.core.kernels.validation import Array


class _Stretches(NamedTuple):
    """Stretches of time: each takes state x and costate p at one end to those at the other, of m signals at once.

    ``x_end = A x_start + b + C p_end`` and ``p_start = e - J x_start + Aᵀ p_end``, with C and J symmetric and
    semidefinite. The stretches are the last axis: `A`, `C` and `J` are (2, 2, k), `b` and `e` are (2, m, k).
    """

    A: Array
    b: Array
    C: Array
    e: Array
    J: Array

    def some(self, which: slice) -> _Stretches:
        """Return some of the stretches."""
        return _Stretches(*(np.ascontiguousarray(part[..., which]) for part in self))


class _Joints(NamedTuple):
    """Joints between two stretches, given x where the first begins and p where the second ends.

    There, ``x = W (A x_start + b) + V (e + Aᵀ p_end)`` and ``p = Wᵀ (e + Aᵀ p_end) - U (A x_start + b)``, with `A` and
    `b` of the first, `e` and `A_next` of the second.
    """

    A: Array
    b: Array
    A_next: Array
    e: Array
    W: Array
    V: Array
    U: Array


def smoothed_states(h: Array, y: Array, weights: Array, lam: float) -> tuple[Array, Array]:
    """Return states and costates of the smoothing spline of samples.

    Parameters
    ----------
    h : (n - 1,)
        Steps from one sample to the next.
    y : (m, n)
        Samples of m signals.
    weights : (n,)
        The weights of the samples.
    lam
        What roughness costs.

    Returns
    -------
    states : (2, m, n)
        Value and rate of the spline at each sample.
    costates : (2, m, n)
        ``(-lam s''', lam s'')`` at the end of the step after each sample; zero after the last.

    Notes
    -----
    The spline is the likeliest path of a point that white noise accelerates. A sample takes ``g (s - y)`` off the
    first component of p, and a step has ``A = [[1, h], [0, 1]]`` and ``lam C = [[h³/3, h²/2], [h²/2, h]]``. Two
    stretches make one: every other place between them is left out at once, again and again, until one stretch is
    left, at whose ends p is zero. In that nothing but sums of semidefinite matrices occurs, which lose nothing where
    the second differences cancel that Reinsch's equations are made of.

    References
    ----------
    G. Wahba, "Improper priors, spline smoothing and the problem of guarding against model errors in regression",
    Journal of the Royal Statistical Society B 40, 1978, for the noise.
    S. Särkkä, Á. F. García-Fernández, "Temporal parallelization of Bayesian smoothers", IEEE Transactions on Automatic
    Control 66, 2021, for stretches that are joined in pairs.
    """
    stretches = _steps(h, y, weights, lam)
    counts: list[int] = []
    joints: list[_Joints] = []
    while (n := stretches.A.shape[-1]) > 1:
        between, joined = _joined(stretches.some(slice(0, n - n % 2, 2)), stretches.some(slice(1, None, 2)))
        alone = stretches.some(slice(n - n % 2, None))
        stretches = _Stretches(*(np.concatenate(parts, axis=-1) for parts in zip(joined, alone, strict=True)))
        counts.append(n)
        joints.append(between)
    x = _times(_adjugate(stretches.J), stretches.e) / _determinant(stretches.J)
    p = np.zeros_like(x)
    while joints:
        x, p = _parted(joints.pop(), x, p, counts.pop())
    return x, p


def _steps(h: Array, y: Array, weights: Array, lam: float) -> _Stretches:
    """Return a stretch for each sample and the step after it, with a step of no length after the last."""
    h = np.append(h, 0.0)
    one, zero = np.ones_like(h), np.zeros_like(h)
    return _Stretches(
        _matrix(one, h, zero, one),
        np.zeros((2, *y.shape)),
        _matrix(h**3 / 3.0, h**2 / 2.0, h**2 / 2.0, h) / lam,
        np.stack([weights * y, np.zeros_like(y)]),
        _matrix(weights, zero, zero, zero),
    )


def _joined(first: _Stretches, second: _Stretches) -> tuple[_Joints, _Stretches]:
    """Return what is between stretches and the ones after them, and both as one.

    With ``W = (I + C J)⁻¹``, ``V = W C`` and ``U = J W`` symmetric: all by cofactors.
    """
    CJ = _times(first.C, second.J)
    C_size, J_size = _determinant(first.C), _determinant(second.J)
    size = 1.0 + CJ[0, 0] + CJ[1, 1] + C_size * J_size
    W = _matrix(1.0 + CJ[1, 1], -CJ[0, 1], -CJ[1, 0], 1.0 + CJ[0, 0]) / size
    V = (first.C + C_size * _adjugate(second.J)) / size
    U = (second.J + J_size * _adjugate(first.C)) / size
    A_back = first.A.swapaxes(0, 1)
    joined = _Stretches(
        _times(second.A, _times(W, first.A)),
        _times(second.A, _times(W, first.b) + _times(V, second.e)) + second.b,
        _times(second.A, _times(V, second.A.swapaxes(0, 1))) + second.C,
        _times(A_back, _times(W.swapaxes(0, 1), second.e) - _times(U, first.b)) + first.e,
        _times(A_back, _times(U, first.A)) + first.J,
    )
    return _Joints(first.A, first.b, second.A, second.e, W, V, U), joined


def _parted(joints: _Joints, x: Array, p: Array, n: int) -> tuple[Array, Array]:
    """Return x at the starts and p at the ends of n stretches, from those of the stretches made of them."""
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
    """Return the products of matrices (2, 2, k) with others (2, m, k)."""
    return matrix[:, 0, np.newaxis] * other[0] + matrix[:, 1, np.newaxis] * other[1]


def _determinant(matrix: Array) -> Array:
    return matrix[0, 0] * matrix[1, 1] - matrix[0, 1] * matrix[1, 0]


def _adjugate(matrix: Array) -> Array:
    return _matrix(matrix[1, 1], -matrix[0, 1], -matrix[1, 0], matrix[0, 0])

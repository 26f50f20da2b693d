"""Forward kinematics of a tree of frames: motions in world from the motions in the parents.

Arrays are stored by component, ``(3, 3, times, frames)`` and ``(3, times, frames)``, with the frames sorted by level. A
level is one slice, and each operation runs over all of it at once. Only values that depend on the parents are computed
level by level; the others are computed for all frames together. Results are in the order of the scene.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from framescope.core.evaluation.local_motion import Sample
from framescope.core.kernels.componentwise import Array
from framescope.core.kernels.rounding import product_with_rest, sum_with_rest

Rows = NDArray[np.intp]


class TreeWalk:
    """Walk down a tree for given motions of all frames in their parents; derivatives are computed on request.

    Parameters
    ----------
    order
        Rows of the frames that have a pose: the world, then level by level.
    above
        For each level, the indices of its parents in `order`: (r,), or (m, r) if they depend on time.
    local : (m, n, 3, 3), (m, n, 3)
        Motions of all n frames in their parents at m times.
    """

    def __init__(self, order: Rows, above: tuple[Rows, ...], local: Sample) -> None:
        self._order, self._n_frames = order, local.T.shape[1]
        self._T, self._p = self._by_component(local.T), self._by_component(local.p)
        self._rates, self._accelerations = (local.w, local.v), (local.b, local.a)
        bounds = np.cumsum([1, *(up.shape[-1] for up in above)]).tolist()
        self._levels = [(up, slice(a, b)) for up, a, b in zip(above, bounds[:-1], bounds[1:], strict=True)]
        self._above = _concatenate([np.zeros(1, dtype=np.intp), *above])
        self._R_WF, self._p_WF = np.empty_like(self._T), np.empty_like(self._p)
        self._R_WF[..., 0] = np.eye(3)[..., np.newaxis]
        for up, rows in self._levels:
            self._R_WF[..., rows] = _times_transpose(_take(self._R_WF, up), self._T[..., rows])
        self._lever = _apply(self._R_WP, self._p)
        self._add_up(self._p_WF, self._lever)

    @cached_property
    def _R_WP(self) -> Array:
        return _take(self._R_WF, self._above)

    def _add_up(self, out: Array, steps: Array) -> None:
        """Set each frame's value to its parent's value plus a step; the world's value is zero."""
        out[..., 0] = 0.0
        for up, rows in self._levels:
            out[..., rows] = _take(out, up) + steps[..., rows]

    def poses(self) -> tuple[Array, Array]:
        """Return `R_WF` (m, n, 3, 3) and `p_WF` (m, n, 3)."""
        return self._of_frames(self._R_WF), self._of_frames(self._p_WF)

    def position_rests(self) -> Array:
        """Return the rounding errors of `p_WF` (m, n, 3); with them, differences of large positions keep their digits.

        Positions of frames whose parent is the world have no rounding errors, so the computation begins one level
        below.
        """
        rest = np.zeros_like(self._p)
        deeper = [(up, rows) for up, rows in self._levels if up.any()]
        if not deeper:
            return self._of_frames(rest)
        start = deeper[0][1].start
        products = [product_with_rest(self._R_WP[:, k, :, start:], self._p[k, :, start:]) for k in range(3)]
        partial, off = sum_with_rest(products[0][0], products[1][0])
        lever, more = sum_with_rest(partial, products[2][0])
        off = off + more + products[0][1] + products[1][1] + products[2][1]
        for up, rows in deeper:
            columns = slice(rows.start - start, rows.stop - start)
            _, lost = sum_with_rest(_take(self._p_WF, up), lever[..., columns])
            rest[..., rows] = _take(rest, up) + lost + off[..., columns]
        return self._of_frames(rest)

    def velocities(self) -> tuple[Array, Array]:
        """Return `w_WF_F` and `v_WF`, (m, n, 3)."""
        v = np.empty_like(self._p)
        self._add_up(v, _cross(self._w_WP, self._lever) + self._v_PF_W)
        return self._of_frames(self._angular_velocities[1]), self._of_frames(v)

    def accelerations(self) -> tuple[Array, Array]:
        """Return `b_WF_F` and `a_WF`, (m, n, 3)."""
        w_PF, b_PF, a_PF = (self._by_component(local) for local in (self._rates[0], *self._accelerations))
        own = b_PF - _cross(w_PF, self._angular_velocities[0])
        b, a = np.zeros_like(self._p), np.empty_like(self._p)
        for up, rows in self._levels:
            b[..., rows] = _apply(self._T[..., rows], _take(b, up)) + own[..., rows]
        b_WP = _apply(self._R_WP, _take(b, self._above))
        swung = _cross(b_WP, self._lever) + _cross(self._w_WP, _cross(self._w_WP, self._lever))
        coriolis = 2.0 * _cross(self._w_WP, self._v_PF_W)
        self._add_up(a, swung + coriolis + _apply(self._R_WP, a_PF))
        return self._of_frames(b), self._of_frames(a)

    @cached_property
    def _angular_velocities(self) -> tuple[Array, Array]:
        """Angular velocity of the parent, and of the frame itself, resolved in the frame."""
        w_PF = self._by_component(self._rates[0])
        w_WP_F, w = np.zeros_like(self._p), np.zeros_like(self._p)
        for up, rows in self._levels:
            w_WP_F[..., rows] = _apply(self._T[..., rows], _take(w, up))
            w[..., rows] = w_WP_F[..., rows] + w_PF[..., rows]
        return w_WP_F, w

    @cached_property
    def _w_WP(self) -> Array:
        """Angular velocity of each frame's parent, resolved in world."""
        return _apply(self._R_WP, _take(self._angular_velocities[1], self._above))

    @cached_property
    def _v_PF_W(self) -> Array:
        """Velocity of each frame in its parent, resolved in world."""
        return _apply(self._R_WP, self._by_component(self._rates[1]))

    def _by_component(self, values: Array) -> Array:
        """Return values (m, n, ...) as a contiguous array (..., m, frames), in the order of the walk."""
        ordered = values[:, self._order]
        return np.ascontiguousarray(ordered.transpose(*range(2, ordered.ndim), 0, 1))

    def _of_frames(self, values: Array) -> Array:
        """Return values by component as an array (m, n, ...) over all frames, NaN for frames without a pose."""
        out = np.full((values.shape[-2], self._n_frames, *values.shape[:-2]), np.nan, dtype=values.dtype)
        n = values.ndim
        out[:, self._order] = values.transpose(n - 2, n - 1, *range(n - 2))
        return out


def _take(values: Array, rows: Rows) -> Array:
    """Return values (..., m, n) of rows (r,), or of rows (m, r) that depend on time."""
    if rows.ndim == 1:
        return values[..., rows]
    return np.take_along_axis(values, rows.reshape(*(1,) * (values.ndim - 2), *rows.shape), axis=-1)


def _concatenate(rows: list[Rows]) -> Rows:
    """Return rows (r,) and (m, r) as one array."""
    m = max(len(part) if part.ndim == 2 else 0 for part in rows)
    if not m:
        return np.concatenate(rows)
    return np.concatenate([np.broadcast_to(part, (m, part.shape[-1])) for part in rows], axis=-1)


def _apply(M: Array, v: Array) -> Array:
    """Return ``M v`` of (3, 3, ...) and (3, ...)."""
    return M[:, 0] * v[0] + M[:, 1] * v[1] + M[:, 2] * v[2]


def _times_transpose(A: Array, B: Array) -> Array:
    """Return ``A Bᵀ`` of two (3, 3, ...)."""
    terms = (A[:, np.newaxis, k] * B[np.newaxis, :, k] for k in range(3))
    return next(terms) + next(terms) + next(terms)


def _cross(a: Array, b: Array) -> Array:
    """Return ``a × b`` of two (3, ...)."""
    out = np.empty(np.broadcast_shapes(a.shape, b.shape), dtype=a.dtype)
    for i, j, k in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
        out[i] = a[j] * b[k] - a[k] * b[j]
    return out

"""Alignment of an estimated trajectory to a reference: rotation, position and scale in closed form."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from framescope.core.errors import counted
from framescope.core.kernels.nearest_rotation import best_rotations
from framescope.core.kernels.validation import Array
from framescope.features.trajectories.core.pose_stream import StreamError, quaternions_of, rotations

Kind = Literal["none", "points", "poses", "yaw", "origin"]

ALIGNMENTS: dict[Kind, str] = {
    "none": "not aligned",
    "points": "aligned by points",
    "poses": "aligned by poses",
    "yaw": "aligned by points, about z alone",
    "origin": "first poses aligned",
}
"""Kinds of alignment in words."""


@dataclass(frozen=True, eq=False)
class Similarity:
    """Similarity of space: ``p -> s R p + t`` for points, ``R_PF -> R R_PF`` for orientations.

    Attributes
    ----------
    R : (3, 3)
        Rotation.
    t : (3,)
        Translation, m.
    s
        Scale.
    """

    R: Array
    t: Array
    s: float = 1.0

    def moved(self, p: Array, q: Array) -> tuple[Array, Array]:
        """Return positions (n, 3) and quaternions (n, 4) of moved poses."""
        return self.s * (p @ self.R.T) + self.t, quaternions_of(self.R @ rotations(q))

    def matrix(self) -> Array:
        """Return the matrix (4, 4) of points, whose rotation is scaled."""
        M = np.eye(4)
        M[:3, :3], M[:3, 3] = self.s * self.R, self.t
        return M


IDENTITY = Similarity(np.eye(3), np.zeros(3))


def align(
    kind: Kind,
    reference: tuple[Array, Array],
    estimate: tuple[Array, Array],
    *,
    has_scale: bool = False,
    first: int | None = None,
) -> Similarity:
    """Return the similarity that brings estimated poses to those of a reference, pair by pair.

    Parameters
    ----------
    kind
        ``"points"``: least squares of the positions (Umeyama). ``"poses"``: of positions and orientations together.
        ``"yaw"``: of the positions, with a rotation about z alone. ``"origin"``: the first poses agree. ``"none"``: the
        poses stay, or are scaled if `has_scale`.
    reference, estimate
        Positions (n, 3), m, and quaternions (n, 4).
    has_scale
        Whether positions are scaled too.
    first
        Number of pairs, from the first, that determine the alignment; None for all.

    Raises
    ------
    StreamError
        When the positions leave the rotation open: all in a line or at a point.

    Notes
    -----
    By poses, the sum of ``|p - (s R p' + t)|² + L² |Q - R Q'|²/2`` is least, with rotation matrices Q and Q', and L the
    root mean square distance of the positions of the reference from their centre: both parts then weigh alike, and
    a straight line, or a body that rests and turns, leaves nothing open.

    References
    ----------
    S. Umeyama, "Least-squares estimation of transformation parameters between two point patterns", IEEE PAMI 13, 1991.

    Examples
    --------
    >>> q = np.tile([0.0, 0.0, 0.0, 1.0], (3, 1))
    >>> p = np.eye(3)
    >>> found = align("points", (2.0 * p + 1.0, q), (p, q), has_scale=True)
    >>> found.R.round(9) + 0.0, found.t.round(9), round(found.s, 9)
    (array([[1., 0., 0.],
           [0., 1., 0.],
           [0., 0., 1.]]), array([1., 1., 1.]), 2.0)
    """
    (p, q), (p_est, q_est) = reference, estimate
    if first is not None:
        if not 1 <= first <= len(p):
            raise StreamError(f"expected 1 to {len(p)} pairs to align by, got {first}.")
        p, q, p_est, q_est = p[:first], q[:first], p_est[:first], q_est[:first]
    match kind:
        case "none":
            return (
                IDENTITY if not has_scale else Similarity(np.eye(3), np.zeros(3), by_points(p, p_est, has_scale=True).s)
            )
        case "points":
            return by_points(p, p_est, has_scale=has_scale)
        case "poses":
            return by_poses((p, q), (p_est, q_est), has_scale=has_scale)
        case "yaw":
            return by_yaw(p, p_est, has_scale=has_scale)
        case "origin":
            R = rotations(q[:1])[0] @ rotations(q_est[:1])[0].T
            s = by_points(p, p_est, has_scale=True).s if has_scale else 1.0
            return Similarity(R, p[0] - s * (R @ p_est[0]), s)


def by_points(p: Array, p_est: Array, *, has_scale: bool = False) -> Similarity:
    """Return the least-squares similarity of points (n, 3) by Umeyama's method.

    Raises
    ------
    StreamError
        When the points are all in a line or at a point.
    """
    centre, centre_est = p.mean(axis=0), p_est.mean(axis=0)
    x, x_est = p - centre, p_est - centre_est
    covariance = x.T @ x_est / len(p)
    U, d, Vt = np.linalg.svd(covariance)
    if int(np.sum(d > np.finfo(float).eps * max(float(d[0]), 1.0))) < 2:
        raise StreamError(_in_a_line(len(p), p, p_est))
    signs = np.array([1.0, 1.0, 1.0 if np.linalg.det(U) * np.linalg.det(Vt) > 0.0 else -1.0])
    R = (U * signs) @ Vt
    s = float(d @ signs) / (float(np.linalg.norm(x_est)) ** 2 / len(x_est)) if has_scale else 1.0
    return Similarity(R, centre - s * (R @ centre_est), s)


def _in_a_line(n: int, p: Array, p_est: Array) -> str:
    rests = min(float(np.ptp(each, axis=0).max(initial=0.0)) for each in (p, p_est)) < 1e-12
    where = "stay at one point" if rests else "lie in a line"
    return (
        f"the positions of {counted(n, 'pair')} {where}, so that points leave the rotation open."
        " Align by poses (--align_poses), or by the first poses (--align_origin)."
    )


def by_poses(reference: tuple[Array, Array], estimate: tuple[Array, Array], *, has_scale: bool = False) -> Similarity:
    """Return the least-squares similarity of positions and orientations, see `align`."""
    (p, q), (p_est, q_est) = reference, estimate
    centre, centre_est = p.mean(axis=0), p_est.mean(axis=0)
    x, x_est = p - centre, p_est - centre_est
    squares: Array = (x**2).sum(axis=1)
    L2 = float(squares.mean()) or 1.0
    squares_est: Array = (x_est**2).sum(axis=1)
    scale = float(np.sqrt(L2 / squares_est.mean())) if has_scale and x_est.any() else 1.0
    M = scale * (x.T @ x_est) / len(p) + 0.5 * L2 * np.einsum("nij,nkj->ik", rotations(q), rotations(q_est)) / len(p)
    R = best_rotations(M)
    s = float((x * (x_est @ R.T)).sum() / (x_est**2).sum()) if has_scale and x_est.any() else 1.0
    return Similarity(R, centre - s * (R @ centre_est), s)


def by_yaw(p: Array, p_est: Array, *, has_scale: bool = False) -> Similarity:
    """Return the least-squares similarity of points (n, 3) whose rotation is about z alone.

    Raises
    ------
    StreamError
        When the positions are all above one point.
    """
    centre, centre_est = p.mean(axis=0), p_est.mean(axis=0)
    x, x_est = p - centre, p_est - centre_est
    along = float((x[:, :2] * x_est[:, :2]).sum())
    across = float((x[:, 1] * x_est[:, 0] - x[:, 0] * x_est[:, 1]).sum())
    size = np.hypot(along, across)
    if size <= np.finfo(float).eps * max(float((x**2).sum()), float((x_est**2).sum()), 1e-300):
        raise StreamError("the positions lie above one point, so that they leave the heading open. Align by poses.")
    c, s_angle = along / size, across / size
    R = np.array([[c, -s_angle, 0.0], [s_angle, c, 0.0], [0.0, 0.0, 1.0]])
    s = float((x * (x_est @ R.T)).sum() / (x_est**2).sum()) if has_scale else 1.0
    return Similarity(R, centre - s * (R @ centre_est), s)

r"""Residuals of loops and their chi-square, by least squares with conditions.

Poses are :math:`X e^{\xi}` with :math:`\xi = (\varphi, \rho)`, a small rotation and a small displacement in the axes
of the child. The product of the poses along a loop should be the identity. With the residuals r of independent loops,
the Jacobian B of the residuals by all :math:`\xi`, and their covariance :math:`\Sigma`, the least sum of squares that
closes all loops is :math:`r^T (B \Sigma B^T)^{-1} r`. Its expectation is six for each independent loop.

References
----------
E. M. Mikhail, F. Ackermann, *Observations and Least Squares*, 1976, ch. 9, "adjustment of observations only".
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from framescope.core.kernels.validation import Array
from framescope.features.calibrations.core.rig.graph import Ends, Path, basis

ROUNDING = 1e-9
"""Least standard deviation, rad and m, so that exact numbers can be compared."""


@dataclass(frozen=True)
class Noise:
    """Standard deviations of each axis of a pose: of the position, m, and of the rotation, degrees."""

    position: float = 1e-3
    angle: float = 0.1

    @property
    def sigmas(self) -> tuple[float, float]:
        """Standard deviations of the rotation, rad, and of the position, m."""
        return max(math.radians(self.angle), ROUNDING), max(self.position, ROUNDING)


def quantile(dof: int, p: float) -> float:
    """Return the chi-square that noise exceeds with a probability p.

    >>> round(quantile(6, 0.05), 2)
    12.59
    """
    from scipy.special import chdtri  # late: not at a start

    return float(chdtri(dof, p))


def cross_matrix(v: Array) -> Array:
    """Return the matrices (..., 3, 3) of the cross product with vectors (..., 3) on the left."""
    x, y, z = np.moveaxis(np.asarray(v, dtype=float), -1, 0)
    o = np.zeros_like(x)
    return np.stack([np.stack([o, -z, y], -1), np.stack([z, o, -x], -1), np.stack([-y, x, o], -1)], -2)


def rotation_vectors(R: Array) -> Array:
    """Return the rotation vectors (..., 3) of rotations (..., 3, 3), rad; near a half turn of either sign."""
    v = np.stack([R[..., 2, 1] - R[..., 1, 2], R[..., 0, 2] - R[..., 2, 0], R[..., 1, 0] - R[..., 0, 1]], -1)
    sine = np.linalg.norm(v, axis=-1)
    angle = np.arctan2(sine, np.trace(R, axis1=-2, axis2=-1) - 1.0)
    # At a half turn the axis is lost. Its direction does not matter here: such a residual is never noise.
    axis = np.where(sine[..., None] > 1e-12, v / np.maximum(sine, 1e-12)[..., None], np.array([1.0, 0.0, 0.0]))
    return angle[..., None] * axis


@dataclass(frozen=True, eq=False)
class Poses:
    """Poses of children in parents: rotations (n, 3, 3) and positions (n, 3), m, with covariances (n, 6, 6)."""

    R: Array
    p: Array
    covariance: Array

    def __getitem__(self, index: object) -> Poses:
        return Poses(self.R[index], self.p[index], self.covariance[index])  # type: ignore[index]

    def with_pose(self, edge: int, R: Array, p: Array, covariance: Array) -> Poses:
        """Return a copy in which one edge has another pose."""
        new = Poses(self.R.copy(), self.p.copy(), self.covariance.copy())
        new.R[edge], new.p[edge], new.covariance[edge] = R, p, covariance
        return new


def covariance_of(numbers_p: Array, is_inverse: Array, noise: Noise) -> Array:
    """Return the covariances (n, 6, 6) of poses whose numbers in the file have noise of each axis.

    Parameters
    ----------
    numbers_p : (n, 3)
        Positions as the file holds them, m.
    is_inverse : (n,)
        Whether the file holds the pose of the parent in the child. The noise of the rotation then moves the position.
    noise
        Standard deviations.
    """
    turn, shift = noise.sigmas
    lever = np.asarray(is_inverse)[:, None, None] * cross_matrix(numbers_p)
    covariance = np.zeros((len(numbers_p), 6, 6))
    covariance[:, :3, :3] = turn**2 * np.eye(3)
    covariance[:, :3, 3:] = turn**2 * np.swapaxes(lever, 1, 2)
    covariance[:, 3:, :3] = turn**2 * lever
    covariance[:, 3:, 3:] = shift**2 * np.eye(3) + turn**2 * lever @ np.swapaxes(lever, 1, 2)
    return covariance


def adjoint(R: Array, p: Array) -> Array:
    """Return the matrices (..., 6, 6) that take a small motion (φ, ρ) from the child's axes into the parent's."""
    A = np.zeros((*R.shape[:-2], 6, 6))
    A[..., :3, :3] = A[..., 3:, 3:] = R
    A[..., 3:, :3] = cross_matrix(p) @ R
    return A


def loop_pose(loop: Path, poses: Poses) -> tuple[Array, Array]:
    """Return the product of the poses along a path: the identity for a loop without noise."""
    R, p = np.eye(3), np.zeros(3)
    for edge, is_down in loop:
        if is_down:
            R, p = R @ poses.R[edge], p + R @ poses.p[edge]
        else:
            R = R @ poses.R[edge].T
            p = p - R @ poses.p[edge]
    return R, p


def _places(loop: Path, poses: Poses) -> Iterator[tuple[int, bool, Array, Array]]:
    """Yield each step of a loop with the pose of the step's child in the frame in which the loop starts."""
    R, p = np.eye(3), np.zeros(3)
    for edge, is_down in loop:
        if is_down:
            R, p = R @ poses.R[edge], p + R @ poses.p[edge]
        yield edge, is_down, R, p
        if not is_down:
            R = R @ poses.R[edge].T
            p = p - R @ poses.p[edge]


class Adjustment:
    """Adjustment of the loops of a block of edges.

    Parameters
    ----------
    ends
        Frames of all edges.
    edges
        Edges of a block.
    poses
        Poses of all edges.
    late
        Edges that are each in one loop alone, where the block allows it; those loops come last.
    """

    def __init__(self, ends: Ends, edges: Sequence[int], poses: Poses, late: Sequence[int] = ()) -> None:
        loops = basis(ends, edges, late)
        last = {edge: k for k, edge in enumerate(late)}
        self.loops = tuple(sorted(loops, key=lambda loop: last.get(loop[-1][0], -1)))
        self._edges = np.sort(np.array(edges, dtype=int))
        self._poses = poses

    @property
    def dof(self) -> int:
        """Degrees of freedom: six for each independent loop."""
        return 6 * len(self.loops)

    @cached_property
    def residuals(self) -> Array:
        """Residuals (6 n) of the loops: rotation vectors, rad, and displacements, m."""
        r = np.zeros(self.dof)
        for k, loop in enumerate(self.loops):
            R, p = loop_pose(loop, self._poses)
            r[6 * k : 6 * k + 3], r[6 * k + 3 : 6 * k + 6] = rotation_vectors(R), p
        return r

    @cached_property
    def jacobians(self) -> Array:
        """Derivatives (n edges, 6 n, 6) of the residuals by the noise of each edge."""
        steps = [(k, *step) for k, loop in enumerate(self.loops) for step in _places(loop, self._poses)]
        loops, edges, is_down, R, p = (np.array(column) for column in zip(*steps, strict=True))
        B = np.zeros((len(self._edges), len(self.loops), 6, 6))
        B[np.searchsorted(self._edges, edges), loops] = np.where(is_down, 1.0, -1.0)[:, None, None] * adjoint(R, p)
        return B.reshape(len(self._edges), self.dof, 6)

    def covariance(self, without: Sequence[int] = ()) -> Array:
        """Return the covariance (6 n, 6 n) of the residuals, some edges counted as exact."""
        counts = ~np.isin(self._edges, np.array(without, dtype=int))
        B = self.jacobians[counts]
        noise = self._poses.covariance[self._edges[counts]]
        return _side_by_side(B @ noise) @ _side_by_side(B).T

    @cached_property
    def chi_square(self) -> float:
        """Least sum of squares, in standard deviations, that closes all loops."""
        return quadratic(self.residuals, self.covariance()) if self.loops else 0.0


def _side_by_side(B: Array) -> Array:
    """Return matrices (n, m, 6) as one matrix (m, 6 n)."""
    return np.swapaxes(B, 0, 1).reshape(B.shape[1], -1)


def quadratic(r: Array, S: Array) -> float:
    """Return ``rᵀ S⁻¹ r``; not below zero, as rounding of very different numbers might make it."""
    return max(0.0, float(r @ np.linalg.solve(S, r)))


def quadratics(r: Array, S: Array) -> Array:
    """Return ``rᵀ S⁻¹ r`` of residuals (n, k) with covariances (n, k, k), as `quadratic`."""
    return np.maximum(np.einsum("ni,ni->n", r, np.linalg.solve(S, r[..., None])[..., 0]), 0.0)


def loop_error(loop: Path, poses: Poses) -> tuple[float, float]:
    """Return the residual of a loop: its angle, rad, and its distance, m.

    The distance depends on the frame in which the loop starts, as the angle moves far frames more. It is the largest
    over all frames of the loop: how far off the origin of that frame arrives after one way round.
    """
    R, p = loop_pose(loop, poses)
    places = np.array([loop_pose(loop[:k], poses)[1] for k in range(len(loop))])
    distances = np.linalg.norm(p + places @ (R - np.eye(3)).T, axis=1)
    return float(np.linalg.norm(rotation_vectors(R))), float(distances.max())

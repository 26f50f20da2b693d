"""Hypotheses: possible relations between two sets of numbers, each of which can be tried."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from framescope.core.kernels.validation import Array
from framescope.features.detective.core.axis_changes import AxisChange, pair_cost
from framescope.features.detective.core.interpretations import Interpretation

Offset = tuple[tuple[float, float, float], ...]
"""Rows of a rotation matrix."""


@dataclass(frozen=True)
class Hypothesis:
    """The numbers `a`, read so, are the orientations of `b`, read so: ``A = L B Rᵀ``, or the transpose of it.

    Attributes
    ----------
    interpretation_a, interpretation_b
        What the numbers mean.
    is_inverse
        Whether one has the matrix of the parent in the frame where the other has that of the frame in its parent:
        active against passive.
    parent_axes, frame_axes
        How the axes of the parent and of the frame are called in `a`, in terms of those in `b`.
    parent_offset, frame_offset
        Fixed rotations that were fitted: of the parent of `b` in that of `a`, and of the frame of `a` in that of `b`.
    """

    interpretation_a: Interpretation
    interpretation_b: Interpretation
    is_inverse: bool
    parent_axes: AxisChange
    frame_axes: AxisChange
    parent_offset: Offset | None = None
    frame_offset: Offset | None = None

    @property
    def left(self) -> Array:
        """What stands before `B`: `L` (3, 3)."""
        axes = self.parent_axes.matrix
        return axes if self.parent_offset is None else np.array(self.parent_offset) @ axes

    @property
    def right(self) -> Array:
        """What stands after `B`: `Rᵀ` (3, 3)."""
        axes = self.frame_axes.matrix.T
        return axes if self.frame_offset is None else axes @ np.array(self.frame_offset)

    @property
    def n_fitted(self) -> int:
        """How many numbers were fitted to the data."""
        return 3 * ((self.parent_offset is not None) + (self.frame_offset is not None))

    @property
    def is_plain(self) -> bool:
        """Whether it is a matter of reading alone: no axes are changed, and nothing is fitted."""
        return self.parent_axes.is_identity and self.frame_axes.is_identity and not self.n_fitted

    @property
    def cost(self) -> float:
        """How far-fetched it is, for those that fit as well."""
        axes = pair_cost(self.parent_axes, self.frame_axes)
        return (
            4 * axes + 2 * self.is_inverse + self.interpretation_a.cost + self.interpretation_b.cost + 5 * self.n_fitted
        )

    @property
    def texts(self) -> tuple[str, ...]:
        """What it says, sentence by sentence; the reading of `a` first."""
        found = [self.interpretation_a.text]
        if self.is_inverse:
            found.append("inverse: what one maps from, the other maps to (active against passive)")
        if self.parent_axes == self.frame_axes and not self.parent_axes.is_identity:
            found.append(f"both frames: {self.parent_axes.text}")
        else:
            sides = (("parent", self.parent_axes), ("frame", self.frame_axes))
            found += [f"{side}: {axes.text}" for side, axes in sides if not axes.is_identity]
        if self.parent_offset is not None:
            found.append(f"a fixed offset of the parent, {turn_text(self.parent_offset)}")
        if self.frame_offset is not None:
            found.append(f"a fixed offset of the frame, {turn_text(self.frame_offset)}")
        return tuple(found)

    def matrices_a(self, numbers_a: Array) -> Array:
        """Return what `A` would have to be, the inverse undone: (n, 3, 3)."""
        A = self.interpretation_a.matrices(numbers_a)
        return np.swapaxes(A, 1, 2) if self.is_inverse else A

    def predicted_b(self, numbers_a: Array) -> Array:
        """Return the orientations of `b` (n, 3, 3) that follow from the numbers of `a`."""
        return self.left.T @ self.matrices_a(numbers_a) @ self.right.T

    def missed(self, A: Array, B: Array) -> Array:
        """Return by which angles (n,) matrices miss the relation, rad: those that both sides are read as (n, 3, 3)."""
        return angles_between(self.turned(A), B)

    def turned(self, A: Array) -> Array:
        """Return what `B` would have to be, for matrices that `a` is read as (n, 3, 3)."""
        A = np.swapaxes(A, 1, 2) if self.is_inverse else A
        return A if self.is_plain else self.left.T @ A @ self.right.T

    def residuals(self, numbers_a: Array, numbers_b: Array) -> Array:
        """Return by which angles (n,) the data miss the relation, rad."""
        return angles_between(self.predicted_b(numbers_a), self.interpretation_b.matrices(numbers_b))


def predicted(hypotheses: Sequence[Hypothesis], numbers_a: Array) -> Array:
    """Return what many hypotheses make of the numbers of `a`, all at once: orientations of `b` (k, n, 3, 3)."""
    read: dict[Interpretation, Array] = {}
    for h in hypotheses:
        if h.interpretation_a not in read:
            read[h.interpretation_a] = h.interpretation_a.matrices(numbers_a)
    A = np.stack([read[h.interpretation_a] for h in hypotheses])
    is_inverse = np.array([h.is_inverse for h in hypotheses])
    A = np.where(is_inverse[:, None, None, None], np.swapaxes(A, 2, 3), A)
    L, R = (np.stack([h.left for h in hypotheses]), np.stack([h.right for h in hypotheses]))
    found: Array = np.swapaxes(L, 1, 2)[:, None] @ A @ np.swapaxes(R, 1, 2)[:, None]
    return found


def angles_between(R1: Array, R2: Array) -> Array:
    """Return the angles of the rotations between matrices (..., 3, 3), rad; exact for small ones too."""
    E = np.swapaxes(R1, -1, -2) @ R2
    x, y, z = E[..., 2, 1] - E[..., 1, 2], E[..., 0, 2] - E[..., 2, 0], E[..., 1, 0] - E[..., 0, 1]
    trace = E[..., 0, 0] + E[..., 1, 1] + E[..., 2, 2]
    return np.asarray(np.arctan2(np.sqrt(x * x + y * y + z * z), trace - 1.0))


def turns_of(R: Array) -> Array:
    """Return the rotation vectors (..., 3) of matrices (..., 3, 3), rad; at half turns, none."""
    axial = np.stack([R[..., 2, 1] - R[..., 1, 2], R[..., 0, 2] - R[..., 2, 0], R[..., 1, 0] - R[..., 0, 1]], axis=-1)
    size = np.linalg.norm(axial, axis=-1)
    angle = np.arctan2(size, np.trace(R, axis1=-2, axis2=-1) - 1.0)
    is_turned = size > 1e-9
    factor = np.where(is_turned, angle / np.where(is_turned, size, 1.0), 0.5)
    return np.asarray(axial * factor[..., None])


def turn_text(offset: Offset) -> str:
    """Return the angle of a fixed rotation, in degrees."""
    angle = float(angles_between(np.eye(3), np.array(offset)))
    return f"{np.degrees(angle):.2f}°"

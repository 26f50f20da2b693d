"""Hypotheses: possible relations between two sets of numbers, to be tested."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from framescope.core.kernels.validation import Array
from framescope.features.detective.core.axis_changes import AxisChange, pair_cost
from framescope.features.detective.core.interpretations import Interpretation

Offset = tuple[tuple[float, float, float], ...]
"""Rows of a rotation matrix."""


@dataclass(frozen=True)
class Hypothesis:
    """Relation between the matrices of numbers `a` and `b`: ``A = L B Rᵀ``, or with ``Aᵀ``.

    Attributes
    ----------
    interpretation_a, interpretation_b
        Meaning of the numbers.
    is_inverse
        Whether one side has the frame in its parent and the other the parent in the frame: active against passive.
    parent_axes, frame_axes
        Axes of the parent and of the frame in `a`, in terms of the axes in `b`.
    parent_offset, frame_offset
        Fitted fixed rotations: of the parent of `b` in the parent of `a`, and of the frame of `a` in the frame of `b`.
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
        """Left factor `L` (3, 3) of `B`."""
        axes = self.parent_axes.matrix
        return axes if self.parent_offset is None else np.array(self.parent_offset) @ axes

    @property
    def right(self) -> Array:
        """Right factor `Rᵀ` (3, 3) of `B`."""
        axes = self.frame_axes.matrix.T
        return axes if self.frame_offset is None else axes @ np.array(self.frame_offset)

    @property
    def n_fitted(self) -> int:
        """Number of fitted parameters."""
        return 3 * ((self.parent_offset is not None) + (self.frame_offset is not None))

    @property
    def is_plain(self) -> bool:
        """Whether it changes no axes and has no fitted offset."""
        return self.parent_axes.is_identity and self.frame_axes.is_identity and not self.n_fitted

    @property
    def cost(self) -> float:
        """Implausibility, to choose between hypotheses that fit equally well."""
        axes = pair_cost(self.parent_axes, self.frame_axes)
        return (
            4 * axes + 2 * self.is_inverse + self.interpretation_a.cost + self.interpretation_b.cost + 5 * self.n_fitted
        )

    @property
    def texts(self) -> tuple[str, ...]:
        """Description as phrases; the interpretation of `a` first."""
        texts = [self.interpretation_a.text]
        if self.interpretation_a.kind == "heading":
            return (*texts, *self._texts_of_headings())
        if self.is_inverse:
            texts.append("inverse: what one maps from, the other maps to (active against passive)")
        if self.parent_axes == self.frame_axes and not self.parent_axes.is_identity:
            texts.append(f"both frames: {self.parent_axes.text}")
        else:
            sides = (("parent", self.parent_axes), ("frame", self.frame_axes))
            texts += [f"{side}: {axes.text}" for side, axes in sides if not axes.is_identity]
        if self.parent_offset is not None:
            texts.append(f"a fixed offset of the parent, {turn_text(self.parent_offset)}")
        if self.frame_offset is not None:
            texts.append(f"a fixed offset of the frame, {turn_text(self.frame_offset)}")
        return tuple(texts)

    def _texts_of_headings(self) -> Iterator[str]:
        """Yield sense and offset of two headings."""
        is_opposite = not self.parent_axes.is_identity
        if is_opposite:
            yield "B counts the other way: one clockwise, one counterclockwise"
        offset = np.degrees(np.arctan2(self.left[1, 0], self.left[0, 0]))
        if self.parent_offset is not None:
            yield f"B is zero where A is {offset:.2f}°".replace("-", "\N{MINUS SIGN}")

    def matrices_a(self, numbers_a: Array) -> Array:
        """Return the matrices (n, 3, 3) of the numbers of `a`, transposed for an inverse."""
        A = self.interpretation_a.matrices(numbers_a)
        return np.swapaxes(A, 1, 2) if self.is_inverse else A

    def predicted_b(self, numbers_a: Array) -> Array:
        """Return the orientations of `b` (n, 3, 3) predicted from the numbers of `a`."""
        return self.left.T @ self.matrices_a(numbers_a) @ self.right.T

    def angles_off(self, A: Array, B: Array) -> Array:
        """Return the residual angles (n,) of the relation, rad, from the matrices (n, 3, 3) of both sides."""
        return angles_between(self.matrices_b(A), B)

    def matrices_b(self, A: Array) -> Array:
        """Return the predicted `B` (n, 3, 3) for the matrices (n, 3, 3) of `a`."""
        A = np.swapaxes(A, 1, 2) if self.is_inverse else A
        return A if self.is_plain else self.left.T @ A @ self.right.T

    def residuals(self, numbers_a: Array, numbers_b: Array) -> Array:
        """Return the residual angles (n,) of the relation, rad, from the numbers of both sides."""
        return angles_between(self.predicted_b(numbers_a), self.interpretation_b.matrices(numbers_b))


def predict_b(hypotheses: Sequence[Hypothesis], numbers_a: Array) -> Array:
    """Return the orientations of `b` (k, n, 3, 3) that many hypotheses predict from the numbers of `a`."""
    matrices: dict[Interpretation, Array] = {}
    for h in hypotheses:
        if h.interpretation_a not in matrices:
            matrices[h.interpretation_a] = h.interpretation_a.matrices(numbers_a)
    A = np.stack([matrices[h.interpretation_a] for h in hypotheses])
    is_inverse = np.array([h.is_inverse for h in hypotheses])
    A = np.where(is_inverse[:, None, None, None], np.swapaxes(A, 2, 3), A)
    L, R = (np.stack([h.left for h in hypotheses]), np.stack([h.right for h in hypotheses]))
    B: Array = np.swapaxes(L, 1, 2)[:, None] @ A @ np.swapaxes(R, 1, 2)[:, None]
    return B


def angles_between(R1: Array, R2: Array) -> Array:
    """Return the angles between rotation matrices (..., 3, 3), rad; accurate for small angles, too."""
    E = np.swapaxes(R1, -1, -2) @ R2
    x, y, z = E[..., 2, 1] - E[..., 1, 2], E[..., 0, 2] - E[..., 2, 0], E[..., 1, 0] - E[..., 0, 1]
    trace = E[..., 0, 0] + E[..., 1, 1] + E[..., 2, 2]
    return np.asarray(np.arctan2(np.sqrt(x * x + y * y + z * z), trace - 1.0))


def turns_of(R: Array) -> Array:
    """Return the rotation vectors (..., 3) of matrices (..., 3, 3), rad; zero for half turns."""
    axial = np.stack([R[..., 2, 1] - R[..., 1, 2], R[..., 0, 2] - R[..., 2, 0], R[..., 1, 0] - R[..., 0, 1]], axis=-1)
    size = np.linalg.norm(axial, axis=-1)
    angle = np.arctan2(size, np.trace(R, axis1=-2, axis2=-1) - 1.0)
    is_turned = size > 1e-9
    factor = np.where(is_turned, angle / np.where(is_turned, size, 1.0), 0.5)
    return np.asarray(axial * factor[..., None])


def turn_text(offset: Offset) -> str:
    """Return the text of a fixed rotation's angle, in degrees."""
    angle = float(angles_between(np.eye(3), np.array(offset)))
    return f"{np.degrees(angle):.2f}°"

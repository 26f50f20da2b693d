"""State of a sensor: what its readings are in truth, relative to what the recording states."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from framescope.core.kernels.validation import Array
from framescope.core.sensors.absolute import STANDARD_GRAVITY_W
from framescope.features.evidence.core.windows import RIGHT, Clock

GRAVITY = -STANDARD_GRAVITY_W[2]
"""Standard acceleration of free fall, m/s²."""

UP = np.array([0.0, 0.0, 1.0])
"""Upward axis that references have as stated."""


@dataclass(frozen=True, eq=False)
class Change:
    """Change of axes: a multiple of an orthogonal matrix, or a batch of them.

    Attributes
    ----------
    M, back : (..., 3, 3)
        The matrix and its inverse.
    hand : (...)
        1, or −1 if the matrix mirrors.
    size : (...)
        Factor of lengths.
    """

    M: Array
    back: Array
    hand: Array
    size: Array

    @property
    def turning(self) -> Array:
        """Matrices by which turn vectors of an orientation change: mirrored axes turn the other way."""
        return self.hand[..., None, None] * self.M

    @property
    def turning_back(self) -> Array:
        """Inverses of `turning`."""
        return self.hand[..., None, None] * self.back

    @property
    def is_none(self) -> bool:
        """Whether nothing changes."""
        return bool(np.max(np.abs(self.M - np.eye(3))) < 1e-9)


def change_of(M: Array) -> Change:
    """Return the change by multiples of orthogonal matrices (..., 3, 3)."""
    M = np.asarray(M, dtype=float)
    squared = np.einsum("...ij,...ij->...", M, M) / 3.0
    back = np.swapaxes(M, -1, -2) / squared[..., None, None]
    return Change(M, back, np.sign(np.linalg.det(M)), np.sqrt(squared))


def probe(M: Array, size: float = 1.0, hand: float = 1.0) -> Change:
    """Return a change that takes any matrices (..., 3, 3) for rotations, to find what depends linearly on them.

    It has a size besides, and all directions are opposite if `hand` is −1.
    """
    one = np.ones(M.shape[:-2])
    return Change(hand * size * M, hand * np.swapaxes(M, -1, -2) / size, hand * one, size * one)


NONE = change_of(np.eye(3))


@dataclass(frozen=True, eq=False)
class State:
    """State of one sensor, or a batch of states. As stated, all changes are none.

    Attributes
    ----------
    form
        ``"stated"``, or which numbers the readings are in truth, see `framescope.features.evidence.core.hypotheses`.
    T
        Change of the frame's axes: a vector is read as ``T @ v``, an orientation as ``R @ inv(T)``.
    W
        Change of the reference's axes: an orientation is read as ``W @ R``, a position and a velocity that is resolved
        in the reference as ``W @ p``.
    gravity : (...)
        1 if a specific force has the reaction to gravity, else 0.
    clock
        Error of the stamps.
    """

    form: str = "stated"
    T: Change = NONE
    W: Change = NONE
    gravity: Array = field(default_factory=lambda: np.ones(()))
    clock: Clock = RIGHT

    def with_T(self, M: Array) -> State:
        """Return the state with another change of the frame's axes (..., 3, 3)."""
        return replace(self, T=change_of(M))

    def with_W(self, M: Array) -> State:
        """Return the state with another change of the reference's axes (..., 3, 3)."""
        return replace(self, W=change_of(M))


STATED = State()


def skew(v: Array) -> Array:
    """Return the matrices (..., 3, 3) of cross products with vectors (..., 3)."""
    return np.einsum("...a,abc->...bc", np.asarray(v, dtype=float), GENERATORS)


GENERATORS = np.array(
    [
        [[0.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]],
        [[0.0, 0.0, 1.0], [0.0, 0.0, 0.0], [-1.0, 0.0, 0.0]],
        [[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 0.0]],
    ]
)
"""Matrices of cross products with x, y and z."""

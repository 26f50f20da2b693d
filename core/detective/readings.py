"""Readings: what numbers may mean. Each turns rows of numbers into matrices and back.

Matrices here are active, of the frame in its parent: ``v_parent = R @ v_frame``, the transpose of Framescope's `T`.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Literal

import numpy as np

from framescope.core import kernels
from framescope.core.arrays import SEQUENCES, Array
from framescope.core.conventions import rotation_vector_from_quaternion
from framescope.core.frames import axes_rotations_angles
from framescope.core.orientation import Orientation

Kind = Literal["quaternion", "matrix", "angles", "rotation vector"]
COLUMNS: dict[int, tuple[Kind, ...]] = {4: ("quaternion",), 9: ("matrix",), 3: ("angles", "rotation vector")}
"""What rows of so many numbers may be."""


@dataclass(frozen=True)
class Reading:
    """One way to read a row of numbers as an orientation.

    Attributes
    ----------
    kind
        What they are.
    choice
        Of quaternions the order, ``xyzw`` or ``wxyz``; of angles the sequence, in upper case about moving axes, in
        lower case about fixed ones.
    unit
        Of angles and rotation vectors.
    """

    kind: Kind
    choice: str = ""
    unit: str = ""

    @property
    def text(self) -> str:
        """What it says, in a few words.

        >>> Reading("angles", "zyx", "deg").text
        'angles zyx about fixed axes, deg'
        """
        match self.kind:
            case "quaternion":
                return f"quaternion {self.choice}"
            case "matrix":
                return "matrix, row by row"
            case "rotation vector":
                return f"rotation vector, {self.unit}"
            case _:
                axes = "moving" if self.choice.isupper() else "fixed"
                return f"angles {self.choice} about {axes} axes, {self.unit}"

    def matrices(self, numbers: Array) -> Array:
        """Return the active matrices (n, 3, 3) of rows of numbers (n, k)."""
        match self.kind:
            case "quaternion":
                Q = numbers if self.choice == "xyzw" else np.roll(numbers, -1, axis=1)
                with np.errstate(invalid="ignore", divide="ignore"):
                    Q = Q / np.linalg.norm(Q, axis=1, keepdims=True)
                return np.swapaxes(kernels.matrix_from_quaternion(Q), 1, 2)
            case "matrix":
                return numbers.reshape(-1, 3, 3)
            case "rotation vector":
                return _turned_by(self._radians(numbers))
            case _:
                turns = [_about(letter, self._radians(numbers)[:, i]) for i, letter in enumerate(self.choice.upper())]
                first, second, third = turns if self.choice.isupper() else turns[::-1]
                return first @ second @ third

    def numbers(self, R: Array) -> Array:
        """Return rows of numbers (n, k) that this reading takes for the matrices (n, 3, 3)."""
        match self.kind:
            case "quaternion":
                Q = _quaternions(R)
                return Q if self.choice == "xyzw" else np.roll(Q, 1, axis=1)
            case "matrix":
                return R.reshape(-1, 9)
            case "rotation vector":
                return self._in_unit(rotation_vector_from_quaternion(_quaternions(R)))
            case _:
                sequence = self.choice if self.choice.isupper() else self.choice[::-1].upper()
                T = Orientation(np.swapaxes(R, 1, 2), np.zeros((len(R), 3)))
                angles = self._in_unit(axes_rotations_angles(T, sequence))
                return angles if self.choice.isupper() else angles[:, ::-1]

    def _radians(self, numbers: Array) -> Array:
        return np.radians(numbers) if self.unit == "deg" else numbers

    def _in_unit(self, radians: Array) -> Array:
        return np.degrees(radians) if self.unit == "deg" else radians


@cache
def readings_of(n_columns: int) -> tuple[Reading, ...]:
    """Return every reading of rows of 3, 4 or 9 numbers; raise `ValueError` for others."""
    if n_columns not in COLUMNS:
        raise ValueError(
            f"a row has {n_columns} numbers: expected 3 (angles or a rotation vector), 4 (a quaternion) or 9 (a matrix)"
        )
    return tuple(itertools.chain.from_iterable(_readings(kind) for kind in COLUMNS[n_columns]))


def _readings(kind: Kind) -> Iterator[Reading]:
    match kind:
        case "quaternion":
            yield from (Reading(kind, order) for order in ("xyzw", "wxyz"))
        case "matrix":
            yield Reading(kind)
        case "rotation vector":
            yield from (Reading(kind, unit=unit) for unit in ("rad", "deg"))
        case _:
            for sequence, unit in itertools.product(SEQUENCES, ("rad", "deg")):
                yield Reading(kind, sequence, unit)
                yield Reading(kind, sequence.lower(), unit)


def _about(letter: str, angle: Array) -> Array:
    i = "XYZ".index(letter)
    j, k = (i + 1) % 3, (i + 2) % 3
    R = np.zeros((len(angle), 3, 3))
    R[:, i, i] = 1.0
    R[:, j, j] = R[:, k, k] = np.cos(angle)
    R[:, k, j] = np.sin(angle)
    R[:, j, k] = -R[:, k, j]
    return R


def _turned_by(v: Array) -> Array:
    angle = np.linalg.norm(v, axis=1)
    half = np.sinc(angle / (2 * np.pi)) / 2
    Q = np.column_stack([v * half[:, None], np.cos(angle / 2)])
    return np.swapaxes(kernels.matrix_from_quaternion(Q), 1, 2)


def _quaternions(R: Array) -> Array:
    T = np.swapaxes(R, 1, 2)
    return kernels.quaternion_from_matrix(T, np.broadcast_to([0.0, 0.0, 0.0, 1.0], (len(R), 4)))

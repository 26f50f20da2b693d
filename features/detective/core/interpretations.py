"""Interpretations of numbers as orientations, each converting rows of numbers to matrices and back.

Matrices here are active, of the frame in its parent: ``v_parent = R @ v_frame``, the transpose of Framescope's `T`.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal

import numpy as np

from framescope.core.conventions import rotation_vector_from_quaternion
from framescope.core.errors import counted
from framescope.core.frames import axes_rotations_angles
from framescope.core.kernels import linear_algebra
from framescope.core.kernels.validation import SEQUENCES, Array
from framescope.core.orientation import Orientation

Kind = Literal["quaternion", "matrix", "angles", "rotation vector", "axis and angle", "heading"]
COLUMNS: dict[int, tuple[Kind, ...]] = {
    4: ("quaternion", "axis and angle"),
    9: ("matrix",),
    3: ("angles", "rotation vector"),
    1: ("heading",),
}
"""Possible kinds for each number of columns."""

USUAL = ("ZYX", "XYZ", "ZXZ", "ZYZ")
"""Most frequent sequences."""

UNIT_WITHIN, UNIT_FINE = 0.05, 2e-3
"""Largest deviation of a quaternion's or axis's length from 1 in most rows, and the one below which it is accurate."""

ANGLES, DEGREES = (1, 3), 7.0
"""Numbers of columns of angles, and value above which angles are in degrees."""

NOT_WILD = 0.97
"""Quantile of the rows that decides the unit of angles; larger values may be outliers."""

SAME, ROUNDED = 1e-9, 0.05
"""Largest differences of the elements of one orientation, and of a rounded matrix from its rotation."""

ANGLE_PLACES = {"xyz angle": 3, "angle xyz": 0}
"""Index of the angle among the four numbers of axis and angle."""


@dataclass(frozen=True)
class Interpretation:
    """Interpretation of a row of numbers as an orientation.

    Attributes
    ----------
    kind
        Form of the orientation.
    choice
        Order of quaternions, ``xyzw`` or ``wxyz``; sequence of angles, in upper case about moving axes, in lower case
        about fixed ones; order of axis and angle, ``xyz angle`` or ``angle xyz``.
    unit
        Unit of angles and rotation vectors, ``rad`` or ``deg``.
    """

    kind: Kind
    choice: str = ""
    unit: str = ""

    @property
    def text(self) -> str:
        """Short description of the interpretation.

        >>> Interpretation("angles", "zyx", "deg").text
        'angles zyx about fixed axes, deg'
        """
        match self.kind:
            case "quaternion":
                return f"quaternion {self.choice}"
            case "matrix":
                return "matrix, row by row"
            case "heading":
                return f"heading, {self.unit}"
            case "rotation vector":
                return f"rotation vector, {self.unit}"
            case "axis and angle":
                return f"axis and angle, {'axis' if self.choice == 'xyz angle' else 'angle'} first, {self.unit}"
            case _:
                axes = "moving" if self.choice.isupper() else "fixed"
                return f"angles {self.choice} about {axes} axes, {self.unit}"

    @property
    def cost(self) -> float:
        """Implausibility, to choose between equivalent interpretations.

        >>> Interpretation("angles", "ZYX", "deg").cost < Interpretation("angles", "YXY", "deg").cost
        True
        """
        if self.kind != "angles":
            return 0.0
        sequence = self.choice.upper()
        return (0.0 if sequence in USUAL else 1.5) + (1.0 if self.choice.islower() else 0.0)

    def matrices(self, numbers: Array) -> Array:
        """Return the active matrices (n, 3, 3) of rows of numbers (n, k)."""
        match self.kind:
            case "quaternion":
                Q = numbers if self.choice == "xyzw" else np.roll(numbers, -1, axis=1)
                with np.errstate(invalid="ignore", divide="ignore"):
                    Q = Q / np.linalg.norm(Q, axis=1, keepdims=True)
                return np.swapaxes(linear_algebra.matrix_from_quaternion(Q), 1, 2)
            case "matrix":
                return numbers.reshape(-1, 3, 3)
            case "heading":
                return _about("Z", self._radians(numbers)[:, 0])
            case "rotation vector":
                return _rotations_of(self._radians(numbers))
            case "axis and angle":
                place = ANGLE_PLACES[self.choice]
                axes = np.delete(numbers, place, axis=1)
                length = np.linalg.norm(axes, axis=1, keepdims=True)
                with np.errstate(over="ignore"):
                    axes = axes / np.where(length > 0.0, length, 1.0)
                return _rotations_of(axes * self._radians(numbers[:, [place]]))
            case _:
                turns = [_about(letter, self._radians(numbers)[:, i]) for i, letter in enumerate(self.choice.upper())]
                first, second, third = turns if self.choice.isupper() else turns[::-1]
                return first @ second @ third

    def numbers(self, R: Array) -> Array:
        """Return the rows of numbers (n, k) of active matrices (n, 3, 3)."""
        match self.kind:
            case "quaternion":
                Q = _quaternions(R)
                return Q if self.choice == "xyzw" else np.roll(Q, 1, axis=1)
            case "matrix":
                return R.reshape(-1, 9)
            case "heading":
                return self._in_unit(np.arctan2(R[:, 1, 0], R[:, 0, 0]))[:, np.newaxis]
            case "rotation vector":
                return self._in_unit(rotation_vector_from_quaternion(_quaternions(R)))
            case "axis and angle":
                turns = rotation_vector_from_quaternion(_quaternions(R))
                angle = np.linalg.norm(turns, axis=1)
                axes = np.where(angle[:, None] > 0.0, turns / np.where(angle > 0.0, angle, 1.0)[:, None], [1.0, 0, 0])
                return np.insert(axes, ANGLE_PLACES[self.choice], self._in_unit(angle), axis=1)
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
def interpretations_of(n_columns: int, wanted: str = "auto") -> tuple[Interpretation, ...]:
    """Return every interpretation of rows of 1, 3, 4 or 9 numbers that matches `wanted`.

    Parameters
    ----------
    n_columns
        Numbers per row.
    wanted
        ``auto``, or words that must all match: a kind such as ``quaternion``, ``angles``, ``matrix``,
        ``rotation vector`` or ``axis and angle``, a choice such as ``wxyz`` or ``ZYX``, a unit.

    Raises
    ------
    ValueError
        When no interpretation has this number of columns, or none matches `wanted`.

    Examples
    --------
    >>> [interpretation.text for interpretation in interpretations_of(3, "angles ZYX")]
    ['angles ZYX about moving axes, rad', 'angles ZYX about moving axes, deg']
    """
    every = _every_interpretation(n_columns)
    if wanted == "auto":
        return every
    matches = tuple(interpretation for interpretation in every if _matches(interpretation, wanted))
    if not matches:
        kinds = " or ".join(COLUMNS[n_columns])
        raise ValueError(f'{counted(n_columns, "number")} a row are {kinds}, and nothing of that is "{wanted}"')
    return matches


def interpretation_of(numbers: Array, R: Array, form: str = "") -> Interpretation | None:
    """Return the interpretation by which rows of numbers (n, k) are active matrices (n, 3, 3); None if there is none.

    Of several, it is the one that a form of `framescope.core.conventions.notation` names, else the likeliest.

    >>> quarter = np.array([[[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]])
    >>> interpretation_of(np.array([[90.0, 0.0, 0.0]]), quarter, "axes ZYX").text
    'angles ZYX about moving axes, deg'
    """
    if numbers.shape[1] not in COLUMNS:
        return None
    found = [each for each in interpretations_of(numbers.shape[1]) if _is_by(each, numbers, R)]
    return min(found, key=lambda each: (each.choice not in form.split(), each.cost), default=None)


def _is_by(interpretation: Interpretation, numbers: Array, R: Array) -> bool:
    M = interpretation.matrices(numbers)
    within = ROUNDED if interpretation.kind == "matrix" else SAME
    return bool(np.isfinite(M).all() and np.abs(M - R).max() < within)


def _matches(interpretation: Interpretation, wanted: str) -> bool:
    rest = f" {wanted.replace('-', ' ').strip()} "
    rest = rest.replace("degrees", "deg").replace("radians", "rad").replace(" axis angle ", " axis and angle ")
    for known in (interpretation.kind, interpretation.choice, interpretation.unit):
        if known:
            rest = rest.replace(f" {known} ", "  ", 1)
    return not rest.strip()


def _every_interpretation(n_columns: int) -> tuple[Interpretation, ...]:
    if n_columns not in COLUMNS:
        raise ValueError(
            f"a row has {counted(n_columns, 'number')}: "
            "expected 1 (a heading), 3 (angles or a rotation vector), 4 (a quaternion) or 9 (a matrix)"
        )
    return tuple(itertools.chain.from_iterable(_interpretations(kind) for kind in COLUMNS[n_columns]))


def _interpretations(kind: Kind) -> Iterator[Interpretation]:
    match kind:
        case "quaternion":
            yield from (Interpretation(kind, order) for order in ("xyzw", "wxyz"))
        case "matrix":
            yield Interpretation(kind)
        case "rotation vector" | "heading":
            yield from (Interpretation(kind, unit=unit) for unit in ("rad", "deg"))
        case "axis and angle":
            yield from (Interpretation(kind, place, unit) for place in ANGLE_PLACES for unit in ("rad", "deg"))
        case _:
            for sequence, unit in itertools.product(SEQUENCES, ("rad", "deg")):
                yield Interpretation(kind, sequence, unit)
                yield Interpretation(kind, sequence.lower(), unit)


def unit_of(numbers: Array) -> str:
    """Return the likely unit of angles (n, 3) or headings (n, 1) by their size; empty for other numbers."""
    if numbers.shape[1] not in ANGLES:
        return ""
    return "deg" if float(np.quantile(np.abs(numbers).max(axis=1), NOT_WILD)) > DEGREES else "rad"


def plausible(interpretations: Sequence[Interpretation], numbers: Array) -> tuple[Interpretation, ...]:
    """Return the interpretations of rows (n, 4) whose quaternion or axis has unit length.

    Without any, quaternions are returned. For other numbers, all are returned.
    """
    if numbers.shape[1] != 4 or not len(numbers):
        return tuple(interpretations)
    off = {
        interpretation: float(
            np.quantile(np.abs(np.linalg.norm(_of_unit_length(interpretation, numbers), axis=1) - 1.0), 0.8)
        )
        for interpretation in interpretations
    }
    # Near a half turn, axis and quaternion have nearly the same length: the better fit counts.
    limit = min(UNIT_WITHIN, max(10.0 * min(off.values()), UNIT_FINE))
    of_unit_length = tuple(interpretation for interpretation in interpretations if off[interpretation] <= limit)
    return (
        of_unit_length
        or tuple(interpretation for interpretation in interpretations if interpretation.kind == "quaternion")
        or tuple(interpretations)
    )


def _of_unit_length(interpretation: Interpretation, numbers: Array) -> Array:
    if interpretation.kind == "axis and angle":
        return np.delete(numbers, ANGLE_PLACES[interpretation.choice], axis=1)
    return numbers


def _about(letter: str, angle: Array) -> Array:
    i = "XYZ".index(letter)
    j, k = (i + 1) % 3, (i + 2) % 3
    R = np.zeros((len(angle), 3, 3))
    R[:, i, i] = 1.0
    R[:, j, j] = R[:, k, k] = np.cos(angle)
    R[:, k, j] = np.sin(angle)
    R[:, j, k] = -R[:, k, j]
    return R


def _rotations_of(v: Array) -> Array:
    angle = np.linalg.norm(v, axis=1)
    half = np.sinc(angle / (2 * np.pi)) / 2
    Q = np.column_stack([v * half[:, None], np.cos(angle / 2)])
    return np.swapaxes(linear_algebra.matrix_from_quaternion(Q), 1, 2)


def _quaternions(R: Array) -> Array:
    T = np.swapaxes(R, 1, 2)
    return linear_algebra.quaternion_from_matrix(T, np.broadcast_to([0.0, 0.0, 0.0, 1.0], (len(R), 4)))

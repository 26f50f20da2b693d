"""Interpretations of numbers as orientations. Each turns rows of numbers into matrices and back.

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

Kind = Literal["quaternion", "matrix", "angles", "rotation vector", "axis and angle"]
COLUMNS: dict[int, tuple[Kind, ...]] = {
    4: ("quaternion", "axis and angle"),
    9: ("matrix",),
    3: ("angles", "rotation vector"),
}
"""What rows of so many numbers may be."""

USUAL = ("ZYX", "XYZ", "ZXZ", "ZYZ")
"""Sequences that are met most."""

UNIT_WITHIN, UNIT_FINE = 0.05, 2e-3
"""How far from 1 a quaternion or an axis may be long, for most rows; and below which it is as good as 1."""

ANGLES, DEGREES = 3, 7.0
"""Columns of angles, and beyond what they are in degrees."""

NOT_WILD = 0.97
"""Part of the rows of which the size of angles speaks; the others may be wild."""

ANGLE_PLACES = {"xyz angle": 3, "angle xyz": 0}
"""Where the angle of an axis and an angle stands."""


@dataclass(frozen=True)
class Interpretation:
    """One way to read a row of numbers as an orientation.

    Attributes
    ----------
    kind
        What they are.
    choice
        Of quaternions the order, ``xyzw`` or ``wxyz``; of angles the sequence, in upper case about moving axes, in
        lower case about fixed ones; of an axis and an angle which is first, ``xyz angle`` or ``angle xyz``.
    unit
        Of angles and rotation vectors, ``rad`` or ``deg``.
    """

    kind: Kind
    choice: str = ""
    unit: str = ""

    @property
    def text(self) -> str:
        """What it says, in a few words.

        >>> Interpretation("angles", "zyx", "deg").text
        'angles zyx about fixed axes, deg'
        """
        match self.kind:
            case "quaternion":
                return f"quaternion {self.choice}"
            case "matrix":
                return "matrix, row by row"
            case "rotation vector":
                return f"rotation vector, {self.unit}"
            case "axis and angle":
                return f"axis and angle, {'axis' if self.choice == 'xyz angle' else 'angle'} first, {self.unit}"
            case _:
                axes = "moving" if self.choice.isupper() else "fixed"
                return f"angles {self.choice} about {axes} axes, {self.unit}"

    @property
    def cost(self) -> float:
        """How unusual it is, for those that say the same.

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
            case "rotation vector":
                return _turned_by(self._radians(numbers))
            case "axis and angle":
                place = ANGLE_PLACES[self.choice]
                axes = np.delete(numbers, place, axis=1)
                length = np.linalg.norm(axes, axis=1, keepdims=True)
                with np.errstate(over="ignore"):
                    axes = axes / np.where(length > 0.0, length, 1.0)
                return _turned_by(axes * self._radians(numbers[:, [place]]))
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
    """Return every reading of rows of 3, 4 or 9 numbers that goes with what is known of them.

    Parameters
    ----------
    n_columns
        Numbers of a row.
    wanted
        ``auto``, or words that all must fit: a kind such as ``quaternion``, ``angles``, ``matrix``,
        ``rotation vector`` or ``axis and angle``, a choice such as ``wxyz`` or ``ZYX``, a unit.

    Raises
    ------
    ValueError
        When rows of so many numbers are nothing, or nothing that goes with `wanted`.

    Examples
    --------
    >>> [interpretation.text for interpretation in interpretations_of(3, "angles ZYX")]
    ['angles ZYX about moving axes, rad', 'angles ZYX about moving axes, deg']
    """
    every = _every_interpretation(n_columns)
    if wanted == "auto":
        return every
    found = tuple(interpretation for interpretation in every if _goes_with(interpretation, wanted))
    if not found:
        kinds = " or ".join(COLUMNS[n_columns])
        raise ValueError(f'{counted(n_columns, "number")} a row are {kinds}, and nothing of that is "{wanted}"')
    return found


def _goes_with(interpretation: Interpretation, wanted: str) -> bool:
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
            "expected 3 (angles or a rotation vector), 4 (a quaternion) or 9 (a matrix)"
        )
    return tuple(itertools.chain.from_iterable(_interpretations(kind) for kind in COLUMNS[n_columns]))


def _interpretations(kind: Kind) -> Iterator[Interpretation]:
    match kind:
        case "quaternion":
            yield from (Interpretation(kind, order) for order in ("xyzw", "wxyz"))
        case "matrix":
            yield Interpretation(kind)
        case "rotation vector":
            yield from (Interpretation(kind, unit=unit) for unit in ("rad", "deg"))
        case "axis and angle":
            yield from (Interpretation(kind, place, unit) for place in ANGLE_PLACES for unit in ("rad", "deg"))
        case _:
            for sequence, unit in itertools.product(SEQUENCES, ("rad", "deg")):
                yield Interpretation(kind, sequence, unit)
                yield Interpretation(kind, sequence.lower(), unit)


def unit_of(numbers: Array) -> str:
    """Return the unit that the size of angles (n, 3) speaks for; of other numbers none."""
    if numbers.shape[1] != ANGLES:
        return ""
    return "deg" if float(np.quantile(np.abs(numbers).max(axis=1), NOT_WILD)) > DEGREES else "rad"


def plausible(interpretations: Sequence[Interpretation], numbers: Array) -> tuple[Interpretation, ...]:
    """Return those readings that rows (n, 4) can be, by what has unit length; all where nothing has, or of others."""
    if numbers.shape[1] != 4 or not len(numbers):
        return tuple(interpretations)
    off = {
        interpretation: float(
            np.quantile(np.abs(np.linalg.norm(_of_unit_length(interpretation, numbers), axis=1) - 1.0), 0.8)
        )
        for interpretation in interpretations
    }
    # An axis is nearly as long as its quaternion where the turn is nearly a half one: the better one counts.
    limit = min(UNIT_WITHIN, max(10.0 * min(off.values()), UNIT_FINE))
    kept = tuple(interpretation for interpretation in interpretations if off[interpretation] <= limit)
    return (
        kept
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


def _turned_by(v: Array) -> Array:
    angle = np.linalg.norm(v, axis=1)
    half = np.sinc(angle / (2 * np.pi)) / 2
    Q = np.column_stack([v * half[:, None], np.cos(angle / 2)])
    return np.swapaxes(linear_algebra.matrix_from_quaternion(Q), 1, 2)


def _quaternions(R: Array) -> Array:
    T = np.swapaxes(R, 1, 2)
    return linear_algebra.quaternion_from_matrix(T, np.broadcast_to([0.0, 0.0, 0.0, 1.0], (len(R), 4)))

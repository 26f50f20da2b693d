"""Records of readings, and readings built from the numbers of a form."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

import numpy as np

from framescope.core.conventions.matrix_problems import matrix_problem
from framescope.core.conventions.notation import FORMS, NotationError, Parsed, orientation_from_numbers
from framescope.core.errors import FramescopeError, counted
from framescope.core.kernels.validation import Array
from framescope.core.orientation import Orientation
from framescope.core.readings.numerals import step_of, steps_of

MOST_READINGS = 4
"""Largest number of readings offered for one text."""

EXACT_RADIANS = 0.05
"""Step of the last digit from which on angles in radians count as exact, rad: 0.1 is what somebody chose."""

UNIT_LENGTH = 0.1
"""Largest deviation of four numbers from unit length that still counts as a quaternion or an axis."""

NEAR_ROTATION = 0.3
"""Largest distance of nine numbers from a rotation, in the Frobenius norm, for them to count as a rotation matrix."""

NOTABLE = 1e-3
"""Distance from a rotation above which a reading reports it, unless rounding explains it."""

ROUNDED_ROWS = 30
"""Number of the first values of a list whose rounding is computed."""

EXACT = 1e-12
"""Distance from a rotation up to which numbers are no rounded ones."""

Kind = Literal["orientation", "pose", "position", "vector"]
Vector = tuple[float, float, float]


class ReadingError(FramescopeError, ValueError):
    """Error of a text whose form is recognised, with numbers that do not fit the form."""


@dataclass(frozen=True, eq=False)
class Placement:
    """Orientation and position of a frame in its parent, as far as a text has them.

    Parameters
    ----------
    R : Orientation or None
        Orientation, parent into frame.
    p_PF : (3,) or None
        Position of the frame's origin in the parent, m, or the components of a vector.
    parent, child
        Names of the two frames; empty if the text has none.
    """

    R: Orientation | None = None
    p_PF: Vector | None = None
    parent: str = ""
    child: str = ""


@dataclass(frozen=True, eq=False)
class Reading:
    """One reading of a text.

    Parameters
    ----------
    source
        How the text was recognised, such as ``"A pose of tf2_echo"``.
    form
        Form of `framescope.core.conventions.notation` that the numbers have, such as ``"quaternion xyzw"``.
    placements
        Values. More than one is a list of orientations, poses or positions.
    choice
        Few words that part this reading from the others; empty if there are no others.
    assumed
        Assumptions, a few words each.
    rounding_of_text
        Standard deviation of an orientation without rows that the rounding of its digits leaves, degrees.
    distance
        Distance of the numbers from a rotation, as in `framescope.core.conventions.notation.Parsed`.
    fault
        Why the numbers are no rotation, such as a mirrored matrix; `R` is None then.
    is_vector
        Whether the three numbers may be any vector.
    rows
        For each value, the numbers of its orientation as they are written, with their digits; none if an orientation
        has more than one form, such as a product.
    unit
        Unit of the numbers, ``"deg"`` or ``"rad"``; empty if they have none.
    """

    source: str
    form: str = ""
    placements: tuple[Placement, ...] = ()
    choice: str = ""
    assumed: tuple[str, ...] = ()
    rounding_of_text: float = 0.0
    distance: float = 0.0
    fault: str = ""
    is_vector: bool = False
    rows: tuple[tuple[float, ...], ...] = ()
    unit: str = ""

    @property
    def numbers(self) -> tuple[float, ...]:
        """Numbers of the orientation of the first value as they are written; empty if `rows` has none."""
        return self.rows[0] if self.rows else ()

    @cached_property
    def rounding_deg(self) -> float:
        """Standard deviation of the orientation that the rounding of the digits leaves, degrees."""
        rows = self.rows[:ROUNDED_ROWS]
        return max((rounding_deg(self.form, row, self.unit) for row in rows), default=self.rounding_of_text)

    @property
    def kind(self) -> Kind:
        """What the text is."""
        first = self.placements[0]
        if first.R is None and not self.fault:
            return "vector" if self.is_vector else "position"
        return "orientation" if first.p_PF is None else "pose"

    @property
    def is_list(self) -> bool:
        """Whether the text has several values."""
        return len(self.placements) > 1

    @property
    def R(self) -> Orientation | None:
        """Orientation, parent into frame, of the first value."""
        return self.placements[0].R

    @property
    def p_PF(self) -> Vector | None:
        """Position in the parent, m, of the first value."""
        return self.placements[0].p_PF

    @property
    def is_off(self) -> bool:
        """Whether the numbers are farther from a rotation than their rounding explains."""
        return self.distance > max(NOTABLE, 3.0 * math.radians(self.rounding_deg))


@dataclass(frozen=True, eq=False)
class TextReadings:
    """Readings of one text.

    Parameters
    ----------
    readings
        At most four; one if the text settles its reading.
    question
        What the text leaves open; empty for one reading.
    reason
        One sentence on why there is no reading; empty if there is one.
    """

    readings: tuple[Reading, ...] = ()
    question: str = ""
    reason: str = ""

    @property
    def settled(self) -> Reading | None:
        """The only reading, or None."""
        return self.readings[0] if len(self.readings) == 1 else None


def read_orientation(
    form: str,
    numbers: Sequence[float],
    unit: str = "",
    *,
    source: str,
    p: Sequence[float] | None = None,
    choice: str = "",
    assumed: Sequence[str] = (),
    names: tuple[str, str] = ("", ""),
) -> Reading:
    """Return the reading of the numbers of a form, with a position in the parent, m.

    Raises
    ------
    ReadingError
        When the count of numbers is wrong, or a quaternion or an axis is far from unit length.

    Examples
    --------
    >>> read_orientation("quaternion xyzw", [0.0, 0.0, 0.6, 0.8], source="A quaternion").kind
    'orientation'
    """
    text_form = FORMS[form.partition(" ")[0]]
    n = text_form.n_numbers
    if len(numbers) != n:
        raise ReadingError(f"{source}: expected {counted(n, 'number')}, got {len(numbers)}.")
    position = None if p is None else _vector(p)
    n_unit = text_form.n_of_unit_length
    length = math.hypot(*numbers[:n_unit]) if n_unit else 1.0
    if n_unit == 4 and abs(length - 1.0) > UNIT_LENGTH:
        raise ReadingError(f"{source}: its four numbers have length {length:.4g}, a quaternion has length 1.")
    if text_form.is_matrix:
        fault = rotation_fault(np.reshape(numbers, (3, 3)))
        if fault:
            return Reading(source, form, (Placement(None, position, *names),), choice, tuple(assumed), fault=fault)
    try:
        parsed = _parse(form, numbers, unit)
    except NotationError as error:
        raise ReadingError(f"{source}: {error}") from None
    return Reading(
        source,
        form,
        (Placement(parsed.R, position, *names),),
        choice,
        tuple(assumed),
        distance=0.0 if n_unit == 3 else parsed.distance,
        rows=(tuple(numbers),),
        unit=unit,
    )


def rotation_fault(M: Array) -> str:
    """Return why nine numbers are no rotation, and the change that would fix it; empty if they are one, or near one.

    >>> rotation_fault(np.diag([1.0, 1.0, -1.0])).partition(";")[0]
    'Mirrored matrix: row 3, column 3 has the wrong sign'
    """
    det = float(np.linalg.det(M))
    problem = matrix_problem(M)
    if problem is None:
        return ""
    hint = f" {problem.hint}" if problem.hint else ""
    if det < 0.0 and np.abs(M @ M.T - np.eye(3)).max() < NEAR_ROTATION:
        return f"Mirrored matrix: {problem.message}{hint}"
    is_near = det > 0.0 and np.linalg.norm(M @ M.T - np.eye(3)) < 2.0 * NEAR_ROTATION
    return "" if is_near else f"Not a rotation: {problem.message}{hint}"


def read_position(
    p: Sequence[float],
    *,
    source: str,
    choice: str = "",
    names: tuple[str, str] = ("", ""),
    is_vector: bool = False,
    assumed: Sequence[str] = (),
) -> Reading:
    """Return the reading of a position, m, or of a vector."""
    at = (Placement(None, _vector(p), *names),)
    return Reading(source, "position", at, choice, tuple(assumed), is_vector=is_vector)


def join_readings(readings: Sequence[Reading], source: str) -> Reading:
    """Return readings of the same form as one list."""
    placements = tuple(placement for reading in readings for placement in reading.placements)
    faults = [reading.fault for reading in readings if reading.fault]
    rows = tuple(row for reading in readings for row in reading.rows)
    return replace(
        readings[0],
        source=source,
        placements=placements,
        rows=rows if len(rows) == len(placements) else (),
        rounding_of_text=0.0 if len(rows) == len(placements) else max(each.rounding_deg for each in readings),
        distance=max(reading.distance for reading in readings),
        fault=faults[0] if faults else "",
    )


def invert(reading: Reading) -> Reading:
    """Return the reading with each pose inverted: the parent in the frame becomes the frame in the parent."""
    return replace(reading, placements=tuple(_inverse(placement) for placement in reading.placements))


def _inverse(placement: Placement) -> Placement:
    R, p = placement.R, placement.p_PF
    if R is None:
        return placement
    position = None if p is None else _vector(-(R.T @ np.array(p)))
    return Placement(Orientation(R.T.T.copy(), np.zeros(3)), position, placement.child, placement.parent)


def change_axes(reading: Reading, M: Array) -> Reading:
    """Return the reading in other axes of both frames, ``v_new = M v_old``; `M` may be a mirror."""
    placements: list[Placement] = []
    for placement in reading.placements:
        R, p = placement.R, placement.p_PF
        turned = None if R is None else Orientation(M @ R.T @ M.T + 0.0, np.zeros(3))
        moved = None if p is None else _vector(M @ np.array(p))
        placements.append(replace(placement, R=turned, p_PF=moved))
    return replace(reading, placements=tuple(placements))


def rounding_deg(form: str, numbers: Sequence[float], unit: str = "") -> float:
    """Return the standard deviation of the orientation that the rounding of the digits leaves, degrees.

    A number with digits after the point may be off by half of its last one. Whole numbers count as exact, and so do
    radians with one digit, and numbers that are a rotation exactly, such as 0.6 and 0.8.

    >>> from framescope.core.readings.numerals import read_numeral
    >>> numbers = [read_numeral(word) for word in "0.71 0 0 0.71".split()]
    >>> round(rounding_deg("quaternion wxyz", numbers), 1)
    0.3
    """
    if not any(step_of(number) for number in numbers):
        return 0.0
    parsed, text_form = _parse(form, numbers, unit), FORMS[form.partition(" ")[0]]
    if (text_form.n_of_unit_length == 4 or text_form.is_matrix) and parsed.distance < EXACT:
        return 0.0
    T, largest = parsed.R.T, EXACT_RADIANS if unit == "rad" else math.inf
    squares = 0.0
    for i, (number, last) in enumerate(zip(numbers, steps_of(numbers), strict=True)):
        step = last / math.sqrt(12.0)
        if step and last < largest:
            changed = [*numbers]
            changed[i] = float(number) + step
            squares += float(np.linalg.norm(_parse(form, changed, unit).R.T - T)) ** 2 / 2.0
    return math.degrees(math.sqrt(squares))


def _parse(form: str, numbers: Sequence[float], unit: str) -> Parsed:
    return orientation_from_numbers(form, numbers, unit, take_nearest=True)


def _vector(p: Sequence[float] | Array) -> Vector:
    if len(p) != 3:
        raise ReadingError(f"Expected the three numbers of a position, got {len(p)}.")
    x, y, z = (float(part) + 0.0 for part in p)
    return x, y, z

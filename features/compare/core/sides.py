"""Readings of one side of a comparison: those that its text offers, and others of its numbers."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from framescope.core.kernels.validation import Array
from framescope.core.readings import Reading, TextReadings
from framescope.core.readings.numerals import steps_of
from framescope.core.readings.reading import EXACT_RADIANS, UNIT_LENGTH
from framescope.features.detective.core.hypotheses import angles_between
from framescope.features.detective.core.interpretations import (
    COLUMNS,
    Interpretation,
    interpretation_of,
    interpretations_of,
)

SMALL_DEGREES = 2.0
"""Cost of degrees where the unit is open: numbers that may be radians would be a turn of a few degrees at most."""

REREAD, AGAINST_WORDS, OTHER_KIND, OTHER_UNIT = 1.5, 4.0, 2.0, 1.5
"""Costs of a reading: one that an open text does not offer, one against the words of a text, another form or unit."""

FULL_TURN = 2.0 * math.pi + 0.01
"""Largest angle in radians."""


@dataclass(frozen=True, eq=False)
class SideReading:
    """A reading of one side.

    Attributes
    ----------
    text
        Short description of the numbers.
    R
        Orientation (3, 3) of the frame in its parent, active.
    p
        Position (3,) in the parent, m; None if the text has none.
    cost
        Implausibility, as minus the logarithm of a probability.
    rounding
        Standard deviation of the orientation that the digits leave, rad.
    interpretation
        Interpretation of `numbers`.
    numbers
        Row of numbers (k,): those of the text, or the nine of `R`.
    is_inverse
        Whether `interpretation` gives the parent in the frame.
    is_written
        Whether `numbers` are those of the text.
    """

    text: str
    R: Array
    p: Array | None
    cost: float
    rounding: float
    interpretation: Interpretation
    numbers: Array
    is_inverse: bool = False
    is_written: bool = True

    def matrices(self, numbers: Array) -> Array:
        """Return the orientations (n, 3, 3) of rows of numbers (n, k) in this reading."""
        R = self.interpretation.matrices(numbers)
        return np.swapaxes(R, 1, 2) if self.is_inverse else R

    def numbers_of(self, R: Array) -> Array:
        """Return the rows of numbers (n, k) of orientations (n, 3, 3) in this reading."""
        return self.interpretation.numbers(np.swapaxes(R, 1, 2) if self.is_inverse else R)


def side_readings(readings: TextReadings) -> tuple[SideReading, ...]:
    """Return the readings of a text's first orientation, those that the text offers first.

    >>> from framescope.core.readings import read_text
    >>> [side.text for side in side_readings(read_text("quaternion wxyz 0.8 0 0 0.6"))]
    ['quaternion wxyz', 'quaternion xyzw']
    """
    offered = [side for reading in readings.readings if (side := _as_offered(reading)) is not None]
    is_open = {"deg", "rad"} <= {reading.unit for reading in readings.readings if reading.R is not None}
    sides = list(offered)
    for side, reading in zip(offered, (r for r in readings.readings if r.R is not None), strict=True):
        if side.is_written:
            sides += _reread(side, reading, REREAD if readings.settled is None else AGAINST_WORDS)
    if is_open:
        sides = [replace(s, cost=s.cost + SMALL_DEGREES) if s.interpretation.unit == "deg" else s for s in sides]
    return tuple(_without_repeats(sides))


def _as_offered(reading: Reading) -> SideReading | None:
    """Return a reading as the text offers it, with the interpretation of its numbers where there is one."""
    if reading.R is None:
        return None
    R, p = reading.R.T.T.copy(), None if reading.p_PF is None else np.array(reading.p_PF)
    rounding = math.radians(reading.rounding_deg)
    numbers = np.array([float(number) for number in reading.numbers])
    if len(numbers) in COLUMNS:
        for is_inverse in (False, True):
            interpretation = interpretation_of(numbers[None], (R.T if is_inverse else R)[None], reading.form)
            if interpretation is not None:
                words = _words(interpretation, reading)
                return SideReading(words, R, p, 0.0, rounding, interpretation, numbers, is_inverse)
    words = reading.source[:1].lower() + reading.source[1:]
    return SideReading(words, R, p, 0.0, rounding, Interpretation("matrix"), R.ravel(), is_written=False)


def _words(interpretation: Interpretation, reading: Reading) -> str:
    if interpretation.kind == "matrix":
        return "matrix" + (f", {reading.choice}" if reading.choice else "")
    return interpretation.text


def _reread(side: SideReading, reading: Reading, least_cost: float) -> list[SideReading]:
    """Return the readings of the numbers of a side that its text does not offer."""
    numbers = side.numbers
    if len(numbers) == 4 and abs(float(np.linalg.norm(numbers)) - 1.0) < UNIT_LENGTH:
        kinds = ("quaternion",)
    elif len(numbers) == 9:
        return []  # the transposed matrix is the inverse, which every relation has
    else:
        kinds = ("angles", "rotation vector", "axis and angle")
    steps = np.array(steps_of(reading.numbers))
    sides: list[SideReading] = []
    for interpretation in interpretations_of(len(numbers)):
        if interpretation.kind not in kinds or interpretation == side.interpretation:
            continue
        if interpretation.unit == "rad" and float(np.abs(numbers).max()) > FULL_TURN:
            continue
        R = interpretation.matrices(numbers[None])[0]
        if not np.isfinite(R).all():
            continue
        cost = least_cost + 0.5 * interpretation.cost
        cost += OTHER_KIND * (interpretation.kind != side.interpretation.kind)
        cost += OTHER_UNIT * (interpretation.unit != side.interpretation.unit)
        rounding = _rounding(interpretation, numbers, steps)
        sides.append(SideReading(interpretation.text, R, side.p, cost, rounding, interpretation, numbers))
    return sides


def _rounding(interpretation: Interpretation, numbers: Array, steps: Array) -> float:
    """Return the standard deviation of the orientation that steps (k,) of the last digits leave, rad."""
    if interpretation.unit == "rad":
        steps = np.where(steps < EXACT_RADIANS, steps, 0.0)
    changed = numbers + np.diag(steps / math.sqrt(12.0))
    angles = angles_between(interpretation.matrices(changed), interpretation.matrices(numbers[None]))
    return float(np.linalg.norm(angles))


def _without_repeats(sides: list[SideReading]) -> list[SideReading]:
    """Leave out readings of the same numbers by the same interpretation, and those of the same orientation offered."""
    kept: dict[tuple[object, ...], SideReading] = {}
    for side in sides:
        key = (
            side.interpretation,
            side.is_inverse,
            side.numbers.tobytes(),
            None if side.p is None else side.p.tobytes(),
        )
        if key not in kept or side.cost < kept[key].cost:
            kept[key] = side
    return list(kept.values())

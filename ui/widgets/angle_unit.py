"""Unit in which angles are displayed, and typed if no unit is given."""

from __future__ import annotations

import contextlib
import math
from dataclasses import dataclass

from framescope.ui.formatting import number_text


@dataclass(frozen=True)
class AngleUnit:
    """A unit of angles on the screen.

    Parameters
    ----------
    key
        ``"deg"`` or ``"rad"``.
    name
        Name in words, for screen readers.
    symbol
        Symbol after a number.
    sign
        Sign painted after an angle in a field; empty if the heading contains the unit.
    rate
        Unit of rates.
    size_deg
        Size of the unit, degrees.
    decimals
        Decimals of a displayed angle.
    scene_decimals
        Decimals of an angle in the scene.
    """

    key: str
    name: str
    symbol: str
    sign: str
    rate: str
    size_deg: float
    decimals: int
    scene_decimals: int

    def of_deg(self, value_deg: float) -> float:
        """Convert an angle from degrees to this unit."""
        return value_deg if self.size_deg == 1.0 else value_deg / self.size_deg

    def to_deg(self, value: float) -> float:
        """Convert an angle from this unit to degrees, without spurious digits of the conversion.

        >>> RAD.to_deg(0.5235987755982988)
        30.0
        """
        return value if self.size_deg == 1.0 else round(value * self.size_deg, 12)

    def shown(self, unit: str) -> tuple[str, float]:
        """Return the display unit of a number in some unit, and the factor that converts to it.

        Degrees and radians become this unit, alone or per something; all other units stay unchanged.

        >>> RAD.shown("°/s²")[0], DEG.shown("rad/s")[0], DEG.shown("°"), RAD.shown("m/s")
        ('rad/s²', '°/s', ('°', 1.0), ('m/s', 1.0))
        """
        head, per, divisor = unit.partition("/")
        size_deg = _SIZES_DEG.get(head)
        if size_deg is None or size_deg == self.size_deg:
            return unit, 1.0
        return f"{self.symbol}{per}{divisor}", size_deg / self.size_deg

    def text(self, angle: float, decimals: int | None = None) -> str:
        """Format an angle, rad, with its unit; by default with the decimals of the scene.

        >>> DEG.text(math.radians(-36.61)), RAD.text(0.6389)
        ('−36.6°', '0.639 rad')
        """
        return number_text.fixed(self.of_rad(angle), self.scene_decimals if decimals is None else decimals) + (
            self.sign or f" {self.symbol}"
        )

    def of_rad(self, value: float) -> float:
        """Convert an angle from rad to this unit."""
        return value if self.key == "rad" else math.degrees(value)

    def to_rad(self, value: float) -> float:
        """Convert an angle from this unit to rad."""
        return value if self.key == "rad" else math.radians(value)

    def parse(self, text: str) -> float:
        """Parse a typed angle, with or without a unit of its own; see `units.parse_angle_deg`.

        >>> DEG.parse("pi/6"), round(RAD.parse("30deg"), 4), RAD.parse("0,5")
        (30.0, 0.5236, 0.5)
        """
        if self.key == "rad":
            # A number without a unit is kept as typed: a detour through degrees would lose its last digits.
            with contextlib.suppress(ValueError):
                return number_text.parse_number(text)
        return self.of_deg(number_text.parse_angle_deg(text, self.key))


DEG = AngleUnit("deg", "degrees", "°", "°", "°/s", 1.0, 2, 1)
RAD = AngleUnit("rad", "radians", "rad", "", "rad/s", 180.0 / math.pi, 4, 3)
_SIZES_DEG = {unit.symbol: unit.size_deg for unit in (DEG, RAD)}
ANGLE_UNITS = {unit.key: unit for unit in (DEG, RAD)}

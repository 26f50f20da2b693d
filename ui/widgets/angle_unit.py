"""The unit that angles are shown in, and typed in where no unit is typed."""

from __future__ import annotations

import contextlib
import math
from dataclasses import dataclass

from framescope.ui import units


@dataclass(frozen=True)
class AngleUnit:
    """A unit of angles on the screen.

    Parameters
    ----------
    key
        ``"deg"`` or ``"rad"``.
    name
        In words, for a screen reader.
    sign
        Painted behind an angle.
    rate
        The unit of rates.
    size_deg
        One of it, in degrees.
    decimals
        Digits after the point.
    """

    key: str
    name: str
    sign: str
    rate: str
    size_deg: float
    decimals: int

    def of_deg(self, value_deg: float) -> float:
        """Return an angle in degrees in this unit."""
        return value_deg if self.size_deg == 1.0 else value_deg / self.size_deg

    def to_deg(self, value: float) -> float:
        """Return an angle in this unit in degrees, without the digits that the conversion alone puts there.

        >>> RAD.to_deg(0.5235987755982988)
        30.0
        """
        return value if self.size_deg == 1.0 else round(value * self.size_deg, 12)

    def of_rad(self, value: float) -> float:
        """Return an angle in rad in this unit."""
        return value if self.key == "rad" else math.degrees(value)

    def to_rad(self, value: float) -> float:
        """Return an angle in this unit in rad."""
        return value if self.key == "rad" else math.radians(value)

    def parse(self, text: str) -> float:
        """Read a typed angle, with a unit of its own or without; see `units.parse_angle_deg`.

        >>> DEG.parse("pi/6"), round(RAD.parse("30deg"), 4), RAD.parse("0,5")
        (30.0, 0.5236, 0.5)
        """
        if self.key == "rad":
            # Without a unit it is taken as it stands: through degrees it would lose its last digits.
            with contextlib.suppress(ValueError):
                return units.parse_number(text)
        return self.of_deg(units.parse_angle_deg(text, self.key))


DEG = AngleUnit("deg", "degrees", "°", "°/s", 1.0, 2)
RAD = AngleUnit("rad", "radians", "", "rad/s", 180.0 / math.pi, 4)
ANGLE_UNITS = {unit.key: unit for unit in (DEG, RAD)}

"""Angle unit that is shown, and typed in where no unit is typed."""

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
        In words, for a screen reader.
    symbol
        As it is written behind a number.
    sign
        Painted behind an angle in a field; empty where the heading has to say it.
    rate
        The unit of rates.
    size_deg
        One of it, in degrees.
    decimals
        Digits after the point at rest.
    scene_decimals
        Of an angle in the scene.
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
        """Return an angle in degrees in this unit."""
        return value_deg if self.size_deg == 1.0 else value_deg / self.size_deg

    def to_deg(self, value: float) -> float:
        """Return an angle in this unit in degrees, without the digits that the conversion alone puts there.

        >>> RAD.to_deg(0.5235987755982988)
        30.0
        """
        return value if self.size_deg == 1.0 else round(value * self.size_deg, 12)

    def shown(self, unit: str) -> tuple[str, float]:
        """Return in which unit a number is shown that is in some unit, and by what it is multiplied for that.

        Degrees and radians become this unit, alone or per something; all others stay as they are.

        >>> RAD.shown("°/s²")[0], DEG.shown("rad/s")[0], DEG.shown("°"), RAD.shown("m/s")
        ('rad/s²', '°/s', ('°', 1.0), ('m/s', 1.0))
        """
        head, per, rest = unit.partition("/")
        size_deg = _SIZES_DEG.get(head)
        if size_deg is None or size_deg == self.size_deg:
            return unit, 1.0
        return f"{self.symbol}{per}{rest}", size_deg / self.size_deg

    def text(self, angle: float, decimals: int | None = None) -> str:
        """Write an angle, rad, with its unit; with the digits that it has in the scene unless others are given.

        >>> DEG.text(math.radians(-36.61)), RAD.text(0.6389)
        ('−36.6°', '0.639 rad')
        """
        return number_text.fixed(self.of_rad(angle), self.scene_decimals if decimals is None else decimals) + (
            self.sign or f" {self.symbol}"
        )

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
                return number_text.parse_number(text)
        return self.of_deg(number_text.parse_angle_deg(text, self.key))


DEG = AngleUnit("deg", "degrees", "°", "°", "°/s", 1.0, 2, 1)
RAD = AngleUnit("rad", "radians", "rad", "", "rad/s", 180.0 / math.pi, 4, 3)
_SIZES_DEG = {unit.symbol: unit.size_deg for unit in (DEG, RAD)}
ANGLE_UNITS = {unit.key: unit for unit in (DEG, RAD)}

"""Quantities: numbers with a unit, such as ``50 ms`` or ``30 deg`` in a scene file.

A unit is never assumed. A quantity without a unit is read, so that the user can correct the scene, but using it raises
an `ItemError` that lists the possible units.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from pydantic_core import CoreSchema, PydanticCustomError, core_schema

from framescope.core.errors import ItemError, KeyPath, did_you_mean
from framescope.core.scene.schema.plain_scalars import number_text

# Size of each unit in SI units, by dimension.
UNITS: dict[str, dict[str, float]] = {
    "angle": {"rad": 1.0, "deg": math.pi / 180.0, "turn": 2.0 * math.pi, "mrad": 1e-3},
    "angular velocity": {
        "rad/s": 1.0, "deg/s": math.pi / 180.0, "rpm": math.pi / 30.0, "mrad/s": 1e-3, "mdeg/s": 1e-3 * math.pi / 180.0,
    },
    "angular acceleration": {"rad/s²": 1.0, "deg/s²": math.pi / 180.0, "rad/s2": 1.0, "deg/s2": math.pi / 180.0},
    "length": {"m": 1.0, "cm": 1e-2, "mm": 1e-3, "km": 1e3, "um": 1e-6, "in": 0.0254, "ft": 0.3048},
    "velocity": {"m/s": 1.0, "mm/s": 1e-3, "km/h": 1.0 / 3.6, "ft/s": 0.3048,
                 "cm/s": 1e-2, "mph": 0.44704, "kn": 1852.0 / 3600.0},
    "acceleration": {"m/s²": 1.0, "mm/s²": 1e-3, "m/s2": 1.0, "mm/s2": 1e-3, "g": 9.80665, "mg": 9.80665e-3,
                     "cm/s²": 1e-2, "cm/s2": 1e-2, "ft/s²": 0.3048, "ft/s2": 0.3048},
    "place in an image": {"px": 1.0},
    "time": {"s": 1.0, "ms": 1e-3, "min": 60.0},
    "recorded time": {"s": 1.0, "ms": 1e-3, "us": 1e-6, "ns": 1e-9, "min": 60.0, "h": 3600.0, "d": 86400.0},
    "frequency": {"Hz": 1.0, "kHz": 1e3},
    "mass": {"kg": 1.0, "g": 1e-3, "t": 1e3},
    "moment of inertia": {"kg m²": 1.0, "kg m2": 1.0, "g cm²": 1e-7, "g cm2": 1e-7, "kg mm²": 1e-6, "kg mm2": 1e-6},
    "force": {"N": 1.0, "kN": 1e3, "mN": 1e-3},
    "torque": {"N m": 1.0, "kN m": 1e3, "N mm": 1e-3},
    "stiffness": {"N/m": 1.0, "kN/m": 1e3, "N/mm": 1e3},
    "damping": {"N s/m": 1.0, "kN s/m": 1e3, "N s/mm": 1e3},
    "linear momentum": {"N s": 1.0, "kg m/s": 1.0},
    "angular momentum": {"N m s": 1.0, "kg m²/s": 1.0, "kg m2/s": 1.0},
    "energy": {"J": 1.0, "kJ": 1e3, "mJ": 1e-3},
    # Length of the drawn arrow per unit of the vector.
    "arrow of a velocity": {"m per m/s": 1.0, "mm per m/s": 1e-3},
    "arrow of an acceleration": {"m per m/s²": 1.0, "mm per m/s²": 1e-3, "m per m/s2": 1.0, "mm per m/s2": 1e-3},
    "arrow of an angular velocity": {"m per rad/s": 1.0, "mm per rad/s": 1e-3},
    "arrow of an angular acceleration": {
        "m per rad/s²": 1.0,
        "mm per rad/s²": 1e-3,
        "m per rad/s2": 1.0,
        "mm per rad/s2": 1e-3,
    },
    "arrow of a force": {"m per N": 1.0, "mm per N": 1e-3},
    "arrow of a torque": {"m per N m": 1.0, "mm per N m": 1e-3},
}  # fmt: skip
UNITS["specific force"] = UNITS["acceleration"]

LARGEST = 1e100
"""Magnitude above which numbers are rejected, because their products would overflow."""

_QUANTITY = re.compile(r"\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)\s*(\S.*?)?\s*\Z")


def unit_factor(unit: str | None, dimension: str, key_path: KeyPath) -> float:
    """Return the size of a `unit` in SI units, or raise an `ItemError` that lists the units of `dimension`.

    >>> unit_factor("ms", "time", ("step",))
    0.001
    """
    known = UNITS[dimension]
    if unit is None:
        message, hint = f"the unit of this {dimension} is missing.", f"Add one of: {', '.join(known)}."
        raise ItemError(key_path, message, hint, choices=single_spellings(known))
    if unit not in known:
        message, hint = f'"{unit}" is no unit of {dimension}.', hint_for_unit(unit, known)
        raise ItemError(key_path, message, hint, meant=meant_unit(unit, known) or "", choices=single_spellings(known))
    return known[unit]


def single_spellings(units: Collection[str]) -> tuple[str, ...]:
    """Return units in one spelling each.

    >>> single_spellings(("m/s²", "mm/s²", "m/s2", "g"))
    ('m/s²', 'mm/s²', 'g')
    """
    return tuple(unit for unit in units if not (unit.endswith("2") and unit[:-1] + "²" in units))


@dataclass(frozen=True)
class Quantity:
    """Number with its unit as authored; `unit` is None if the file omits it.

    >>> Quantity.parse("50 ms").si("time", ("step",))
    0.05
    >>> str(Quantity(0.3, "m"))
    '0.3 m'
    """

    value: float
    unit: str | None

    def __post_init__(self) -> None:
        object.__setattr__(self, "value", float(self.value))  # 1 m and 1.0 m are equal

    @classmethod
    def parse(cls, authored: object) -> Quantity:
        """Parse a value of a scene file; raise `ValueError` for anything but a number, with or without a unit."""
        if isinstance(authored, Quantity):
            return authored
        if isinstance(authored, int | float) and not isinstance(authored, bool):
            return cls(float(authored), None)
        match = _QUANTITY.match(authored) if isinstance(authored, str) and len(authored) < 100 else None
        if match is None:
            raise ValueError("expected a number with its unit, such as 50 ms or 0.3 m")
        return cls(float(match[1]), match[2])

    def si(self, dimension: str, key_path: KeyPath) -> float:
        """Return the value in SI units; raise `ItemError` at `key_path` if the unit does not fit."""
        return self.value * unit_factor(self.unit, dimension, key_path)

    def authored(self) -> float | str:
        """Return the value for the scene file: text, or a number if there is no unit."""
        return self.value if self.unit is None else str(self)

    def __str__(self) -> str:
        return number_text(self.value) if self.unit is None else f"{number_text(self.value)} {self.unit}"

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: Any) -> CoreSchema:
        def validate(authored: object) -> Quantity:
            try:
                quantity = cls.parse(authored)
            except ValueError as error:
                raise PydanticCustomError("quantity", "{why}", {"why": str(error)}) from None
            if not abs(quantity.value) <= LARGEST:
                raise PydanticCustomError("quantity", "expected a number of at most 1e100 with its unit")
            return quantity

        return core_schema.no_info_plain_validator_function(
            validate, serialization=core_schema.plain_serializer_function_ser_schema(cls.authored)
        )

    @classmethod
    def __get_pydantic_json_schema__(cls, schema: CoreSchema, handler: Any) -> dict[str, Any]:
        return {"type": "string", "pattern": PATTERN}


PATTERN = r"^\s*[-+]?[0-9.]+([eE][-+]?[0-9]+)?\s*\S+\s*$"
"""Pattern of a quantity in the JSON schema."""

UNIT_SPELLINGS = {
    "degree": "deg", "degrees": "deg", "°": "deg", "º": "deg", "radian": "rad", "radians": "rad", "rads": "rad",
    "milliradian": "mrad", "milliradians": "mrad",
    "turns": "turn", "rev": "turn", "revolution": "turn", "revolutions": "turn",
    "meter": "m", "meters": "m", "metre": "m", "metres": "m", "millimeter": "mm", "millimeters": "mm",
    "millimetre": "mm", "millimetres": "mm", "centimeter": "cm", "centimeters": "cm", "centimetre": "cm",
    "centimetres": "cm", "kilometer": "km", "kilometers": "km", "kilometre": "km", "kilometres": "km",
    "µm": "um", "μm": "um", "micron": "um", "microns": "um", "micrometer": "um", "micrometers": "um",
    "micrometre": "um", "micrometres": "um", "inch": "in", "inches": "in", "foot": "ft", "feet": "ft",
    "sec": "s", "secs": "s", "second": "s", "seconds": "s", "msec": "ms", "millisecond": "ms", "milliseconds": "ms",
    "usec": "us", "µs": "us", "μs": "us", "microseconds": "us", "nsec": "ns", "nanoseconds": "ns", "minutes": "min",
    "hertz": "Hz", "newton": "N", "newtons": "N", "kilogram": "kg", "kilograms": "kg", "gram": "g", "grams": "g",
    "joule": "J", "joules": "J", "hr": "h", "hour": "h", "hours": "h",
    "pixel": "px", "pixels": "px",
    "dps": "deg/s", "mps": "m/s", "kph": "km/h", "kmh": "km/h",
}  # fmt: skip
"""Names of units, and of parts between their slashes and spaces, by other spellings in lower case."""

_POWER_SIGNS = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹−", "-0123456789-")
_FACTOR = re.compile(r"(.*?[^\d^*-])(?:\^|\*\*)?\{?(-?\d)?\}?\Z")

_PREFIXES = ("n", "u", "µ", "μ", "m", "c", "d", "h", "k", "M", "G", "T")


def meant_unit(written: str, known: Collection[str]) -> str | None:
    """Return the known unit that a text probably means; None if unclear.

    >>> lengths, rates = ("m", "mm", "km"), ("rad/s", "deg/s")
    >>> meant_unit("metres", lengths), meant_unit("MM", lengths), meant_unit("degrees/sec", rates)
    ('m', 'mm', 'deg/s')
    >>> meant_unit("furlong", lengths), meant_unit("Mm", lengths), meant_unit("deg", lengths)
    (None, None, None)
    """
    words = written if written in known else _normalize_unit(written)
    if words in known:
        return words
    if _differs_by_prefix(words, known):
        return None
    folded = {unit for unit in known if unit.casefold() == words.casefold()}
    return folded.pop() if len(folded) == 1 else None


def hint_for_unit(written: str, known: Collection[str]) -> str:
    """Return a hint with the unit probably meant, which never differs by a prefix, or else with all units.

    >>> hint_for_unit("degs", ("rad", "deg")), hint_for_unit("mHz", ("Hz", "kHz"))
    ('Did you mean "deg"?', 'Use one of: Hz, kHz.')
    """
    meant = meant_unit(written, known)
    if meant is not None:
        return f'Did you mean "{meant}"?'
    if _differs_by_prefix(_normalize_unit(written), known):
        return f"Use one of: {', '.join(known)}."
    return did_you_mean(written, known)


def _normalize_unit(written: str) -> str:
    """Return a unit with the names and the signs of `UNITS`: factors with spaces between them, divided by others.

    >>> [_normalize_unit(unit) for unit in ("rad s^-1", "m·s⁻²", "degrees per second", "Nm", "deg/sec^2", "m/s/s")]
    ['rad/s', 'm/s²', 'deg/s', 'N m', 'deg/s²', 'm/s²']
    """
    text = written.strip()
    if whole := UNIT_SPELLINGS.get(text.casefold()):
        return whole
    text = re.sub(r"\s+squared\b", "^2", re.sub(r"\s+per\s+", "/", text)).replace("Nm", "N m")
    powers: dict[str, int] = {}
    for i, part in enumerate(text.split("/")):
        for factor in re.split(r"[\s·⋅]+|(?<!\*)\*(?!\*)", part.strip()):
            match = _FACTOR.match(factor.translate(_POWER_SIGNS))
            name, power = (factor, "1") if match is None else (match[1], match[2] or "1")
            name = UNIT_SPELLINGS.get(name.casefold(), name)
            if factor:
                powers[name] = powers.get(name, 0) + (-int(power) if i else int(power))
    over, under = (
        " ".join(f"{name}{_POWERS.get(abs(power), '')}" for name, power in powers.items() if power * sign > 0)
        for sign in (1, -1)
    )
    return f"{over}/{under}" if under else over


_POWERS = {2: "²", 3: "³"}


def _differs_by_prefix(words: str, known: Collection[str]) -> bool:
    """Return whether a unit differs from a known unit only by a prefix, which is not a spelling mistake."""
    parts, folded = words.split("/"), {unit.casefold() for unit in known}
    for i, part in enumerate(parts):
        without = "/".join((*parts[:i], part[1:], *parts[i + 1 :]))
        if part.startswith(_PREFIXES) and without.casefold() in folded:
            return words.casefold() not in folded or without in known
    return False

"""Numbers in a text with their units, in the spellings that people use: signs, fractions, powers, words, TeX."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from framescope.core.scene.schema.quantities import UNIT_SPELLINGS, UNITS, meant_unit

_ONES = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
]
_TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_WORDS = {
    **{word: float(i) for i, word in enumerate(_ONES)},
    **{word: 10.0 * (i + 2) for i, word in enumerate(_TENS)},
    "hundred": 100.0,
}
_SIGNED_WORD = (
    rf"(?P<minus>(?:minus|negative)\s+)?(?P<tens>{'|'.join(_TENS)})?[-\s]?(?P<ones>{'|'.join(_ONES)}|hundred)?"
)
_WORD = re.compile(rf"\b{_SIGNED_WORD}\b", re.IGNORECASE)

_TURNS = {
    r"(?:one\s+|a\s+)?right\s+angles?": 0.25,
    r"(?:one\s+|a\s+)?quarter\s+(?:of\s+a\s+)?turn": 0.25,
    r"(?:one\s+)?half\s+(?:of\s+)?(?:a\s+)?turn": 0.5,
    r"(?:one\s+|a\s+)?(?:whole|full|complete)\s+(?:turn|revolution)": 1.0,
}
"""Angles in words, in turns."""

_PARTS_OF_ONE = {"half": 2.0, "third": 3.0, "quarter": 4.0, "fifth": 5.0, "tenth": 10.0}
_FRACTION = re.compile(
    rf"\b(?P<minus>(?:minus|negative)\s+)?(?:(?P<ones>an?|{'|'.join(_ONES[1:])})[-\s]+)?(?P<part>{'|'.join(_PARTS_OF_ONE)})s?"
    r"\s+(?:of\s+)?(?:an?\s+|one\s+)?(?=[a-z])",
    re.IGNORECASE,
)
"""Fraction of a unit in words, such as *a quarter of a metre*."""

_VULGAR = {"½": "1/2", "¼": "1/4", "¾": "3/4", "⅓": "1/3", "⅔": "2/3", "⅙": "1/6", "⅛": "1/8"}
_SUPERSCRIPTS = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")
_POWER_OF_TEN = re.compile(
    r"\s*(?:×|x|·|\*|\\cdot|\\times)\s*10\s*(?:\^|\*\*)?\s*\{?\s*([-−]?[0-9]+|[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)\s*\}?"
)
_DECIMAL = r"\d+(?:[.,]\d+)?|\.\d+"
_NUMBER = re.compile(
    rf"(?<![\w.,^])(?<!\^-)(?P<sign>[-−–+]\s?)?(?:"
    rf"(?P<over>{_DECIMAL})?\s*(?P<root>√|sqrt)\(?(?P<radicand>{_DECIMAL})\)?(?:\s*/\s*(?P<rooted>{_DECIMAL}))?"
    rf"|(?P<whole>{_DECIMAL})(?P<exponent>[eE][-+]?\d+)?\s*(?P<pi>π|pi\b)?(?:\s*/\s*(?P<under>{_DECIMAL}|√\d+))?"
    rf"|(?P<only_pi>π|pi\b)(?:\s*/\s*(?P<pi_under>{_DECIMAL}))?)"
)

_INDEX = re.compile(
    r"\b(?:question|exercise|problem|task|example|lesson|lecture|step|part|page|chapter|section|figure|fig\.|table|"
    r"equation|eq\.|slide|sheet|room|hall|building|week|day|group|version|run|trial|no\.|nr\.|#)\s*\Z",
    re.IGNORECASE,
)
"""Word before a number that names a thing, such as *Exercise 10*."""

MAX_UNIT_WORDS = 4
"""Number of words after a number in which its unit is looked for."""


@dataclass(frozen=True)
class SpokenValue:
    """Number in a text.

    Attributes
    ----------
    value
        The number as written.
    rounding
        Half of the last written digit; 0 for a fraction and for a number in words.
    digits
        Number of significant digits; a fraction and a word have as many as their value.
    unit, dimension
        Unit after the number and its dimension; empty without one.
    text
        The number as it stands in the text.
    """

    value: float
    rounding: float
    digits: int
    unit: str
    dimension: str
    text: str

    @property
    def si(self) -> float:
        """The value in SI units; without a unit, as written."""
        return self.value * UNITS[self.dimension][self.unit] if self.unit else self.value


def values_in(text: str) -> list[SpokenValue]:
    r"""Return the numbers of a text with their units, without those that name a thing, such as *Exercise 10*.

    A unit that scenes do not have is converted to one that they have.

    >>> [(v.value, v.unit) for v in values_in("It turns by 0,49 rad, or twenty-eight degrees.")]
    [(0.49, 'rad'), (28.0, 'deg')]
    >>> [(v.value, v.unit) for v in values_in(r"$5.76\,^\circ/\mathrm{s}$, $\frac{1}{2}$ N·m, a right angle")]
    [(0.25, 'turn'), (5.76, 'deg/s'), (0.5, 'N m')]
    >>> [(round(v.value, 6), v.unit) for v in values_in("Figure 4: 63 N cm, 30 m/min, 100 gon")]
    [(0.63, 'N m'), (0.5, 'm/s'), (1.570796, 'rad')]
    >>> [(v.value, v.unit) for v in values_in("minus a quarter of a metre, a tenth of a newton, half of them")]
    [(-0.25, 'm'), (0.1, 'N')]
    """
    plain = plain_of(text)
    return [*_turns_in(plain), *_numbers_in(plain), *_words_in(plain), *_fractions_in(plain)]


def plain_of(text: str) -> str:
    r"""Return a text without the marks of Markdown and TeX.

    >>> plain_of(r"**half**: $\frac{\pi}{2}\,\mathrm{rad}$, $\alpha + \gamma$")
    'half: π/2 rad, α + γ'
    """
    for sign, fraction in _VULGAR.items():
        text = text.replace(sign, f" {fraction}")
    text = re.sub(r"\\(?:[dt]?frac)\{([^{}]*)\}\{([^{}]*)\}", r"\1/\2", text)
    text = re.sub(r"\\sqrt\{([^{}]*)\}", r"√\1", text)
    text = re.sub(r"\^\{?\\circ\}?|\\degree", "°", text)
    text = re.sub(r"\\(?:mathrm|text|mathbf|operatorname|vec|hat|dot|ddot)\{([^{}]*)\}", r"\1", text)
    text = re.sub(r"\\[,;:! ]|~|[\u00a0\u2009\u202f]", " ", text)
    text = re.sub(r"\\([A-Za-z]+)", lambda match: _LETTERS.get(match[1], f" {match[1]} "), text)
    return re.sub(r"\s+", " ", text.replace("$", "").replace("**", "").replace("`", "").replace("*", " ")).strip()


_LETTERS = {
    "pi": "π", "alpha": "α", "beta": "β", "gamma": "γ", "psi": "ψ", "theta": "θ", "phi": "φ", "varphi": "φ",
    "omega": "ω", "Omega": "Ω", "times": "×", "cdot": "·", "prime": "′", "approx": "≈",
}  # fmt: skip


def _turns_in(text: str) -> Iterator[SpokenValue]:
    for pattern, turns in _TURNS.items():
        for match in re.finditer(rf"\b{pattern}\b", text, re.IGNORECASE):
            yield SpokenValue(turns, 0.0, 3, "turn", "angle", match[0])


def _numbers_in(text: str) -> Iterator[SpokenValue]:
    end = 0
    for match in _NUMBER.finditer(text):
        if match.start() < end:  # the power of ten of the number before
            continue
        value, rounding, digits = _value_of(match)
        end = match.end()
        if power := _POWER_OF_TEN.match(text, end):
            factor = 10.0 ** int(power[1].translate(_SUPERSCRIPTS).replace("−", "-"))
            value, rounding, end = value * factor, rounding * factor, power.end()
        if (match["sign"] or "").strip() in ("-", "−", "–") and _is_sign(text, match.start()):
            value = -value
        unit, dimension, size = unit_after(text[end:])
        if not unit and _INDEX.search(text[: match.start()]):
            continue
        if match["pi"] or match["only_pi"]:
            unit, dimension = (unit, dimension) if unit else ("rad", "angle")
        written = text[match.start() : end].strip()
        yield SpokenValue(value * size, rounding * size, digits, unit, dimension, written)


def _is_sign(text: str, at: int) -> bool:
    """Return whether a hyphen begins a negative number, and is not a minus between two numbers or in a word."""
    return at == 0 or text[at - 1] in " (=[≈:,"


def _value_of(match: re.Match[str]) -> tuple[float, float, int]:
    """Return a number, half of its last digit, and its significant digits."""
    if match["root"]:
        value = _decimal(match["over"] or "1") * math.sqrt(_decimal(match["radicand"]))
        return value / _decimal(match["rooted"] or "1"), 0.0, 3
    if match["only_pi"]:
        return math.pi / _decimal(match["pi_under"] or "1"), 0.0, 3
    whole = match["whole"].replace(",", ".")
    value = float(whole + (match["exponent"] or ""))
    if match["pi"] or match["under"]:
        under = match["under"] or "1"
        value *= math.pi if match["pi"] else 1.0
        return value / (math.sqrt(float(under[1:])) if under[0] == "√" else _decimal(under) or 1.0), 0.0, 3
    decimals = len(whole.partition(".")[2])
    scale = 10.0 ** int((match["exponent"] or "e0")[1:])
    return value, 0.5 * 10.0**-decimals * scale, len(whole.replace(".", "").lstrip("0")) or 1


def _decimal(text: str) -> float:
    return float(text.replace(",", "."))


def _words_in(text: str) -> Iterator[SpokenValue]:
    for match in _WORD.finditer(text):
        if not (match["tens"] or match["ones"]):
            continue
        value = _WORDS[(match["tens"] or "zero").lower()] + _WORDS[(match["ones"] or "zero").lower()]
        unit, dimension, size = unit_after(text[match.end() :])
        if not unit and _INDEX.search(text[: match.start()]):
            continue
        value *= -size if match["minus"] else size
        yield SpokenValue(value, 0.0, 2 if abs(value) >= 10.0 else 1, unit, dimension, match[0])


def _fractions_in(text: str) -> Iterator[SpokenValue]:
    for match in _FRACTION.finditer(text):
        unit, dimension, size = unit_after(text[match.end() :])
        if not unit or unit == "turn":
            continue
        count = float(_ONES.index((match["ones"] or "").lower())) if (match["ones"] or "a").lower() in _ONES else 1.0
        value = (-size if match["minus"] else size) * count / _PARTS_OF_ONE[match["part"].lower()]
        yield SpokenValue(value, 0.0, 2, unit, dimension, match[0].strip())


_UNIT_PART = re.compile(r"[-‐]?\s*((?:[A-Za-zµμ°º′/^·⋅⁻¹²³−]|(?<=[A-Za-z^{])-?\d|\s(?=[A-Za-z/])|\s?/\s?)+)")


def unit_after(text: str) -> tuple[str, str, float]:
    """Return the unit at the beginning of a text, its dimension, and the factor from the written unit to it.

    Without a unit, both texts are empty.

    >>> unit_after(" deg/sec about z"), unit_after("° to the left"), unit_after(" metres per second"), unit_after(" on")
    (('deg/s', 'angular velocity', 1.0), ('deg', 'angle', 1.0), ('m/s', 'velocity', 1.0), ('', '', 1.0))
    >>> unit_after(" N cm about x")
    ('N m', 'torque', 0.01)
    """
    match = _UNIT_PART.match(text)
    if match is None:
        return "", "", 1.0
    words = match[1].split()[:MAX_UNIT_WORDS]
    for n in range(len(words), 0, -1):
        written = " ".join(words[:n])
        if (unit := known_unit(written)) != ("", ""):
            return *unit, 1.0
        if (compound := compound_unit(written)) != ("", "", 1.0):
            return compound
    return "", "", 1.0


@cache
def known_unit(written: str) -> tuple[str, str]:
    """Return a unit in the spelling of scenes and its dimension, both empty for any other word.

    >>> known_unit("deg/sec"), known_unit("N·m"), known_unit("turns"), known_unit("in"), known_unit("boxes")
    (('deg/s', 'angular velocity'), ('N m', 'torque'), ('turn', 'angle'), ('', ''), ('', ''))
    """
    if written.lower() in _NO_UNITS:
        return "", ""
    found = ((meant_unit(written, units), dimension) for dimension, units in UNITS.items())
    return next(((unit, dimension) for unit, dimension in found if unit), ("", ""))


_NO_UNITS = {"in", "a", "t", "turn about", "d", "h"}
"""Words of sentences that are units as well."""


@cache
def compound_unit(written: str) -> tuple[str, str, float]:
    """Return the SI unit, the dimension and the size of a product or quotient of units; empty texts for others.

    >>> compound_unit("N cm"), compound_unit("arcmin"), compound_unit("m m"), compound_unit("N boxes")
    (('N m', 'torque', 0.01), ('rad', 'angle', 0.0002908882086657216), ('', '', 1.0), ('', '', 1.0))
    """
    measured = _size_and_powers(written)
    if measured is None:
        return "", "", 1.0
    size, powers = measured
    for unit, dimension in _SI_UNITS.items():
        whole = _size_and_powers(unit)
        if whole is not None and whole[1] == powers:
            return unit, dimension, size / whole[0]
    return "", "", 1.0


Powers = tuple[int, ...]
"""Powers of length, mass, time and angle in a unit."""

_PARTS: dict[str, tuple[float, Powers]] = {
    **{unit: (size, (1, 0, 0, 0)) for unit, size in {**UNITS["length"], "dm": 0.1}.items() if unit != "in"},
    **{unit: (size, (0, 0, 1, 0)) for unit, size in UNITS["recorded time"].items() if unit != "d"},
    **{unit: (size, (0, 0, 0, 1)) for unit, size in UNITS["angle"].items()},
    "gon": (math.pi / 200.0, (0, 0, 0, 1)),
    "arcmin": (math.pi / 10800.0, (0, 0, 0, 1)),
    "arcsec": (math.pi / 648000.0, (0, 0, 0, 1)),
    "kg": (1.0, (0, 1, 0, 0)),
    **{unit: (size, (1, 1, -2, 0)) for unit, size in UNITS["force"].items()},
    **{unit: (size, (2, 1, -2, 0)) for unit, size in UNITS["energy"].items()},
}
"""Size and powers of the units of which others consist."""

_SI_UNITS = {
    next(unit for unit, size in units.items() if size == 1.0): dimension
    for dimension, units in UNITS.items()
    if not dimension.startswith(("arrow", "recorded", "frequency"))
}
"""SI unit of each dimension."""

_PART = re.compile(r"([^\W\d_°]+|°)\s*(?:\^|\*\*)?\{?([-−⁻]?[0-9²³¹])?\}?\Z")


def _size_and_powers(written: str) -> tuple[float, Powers] | None:
    size, total = 1.0, (0, 0, 0, 0)
    for i, half in enumerate(re.sub(r"\s+per\s+", "/", written).split("/")):
        for part in filter(None, re.split(r"[\s·⋅]+", half)):
            match = _PART.match(part)
            name = "" if match is None else UNIT_SPELLINGS.get(match[1].casefold(), match[1])
            if match is None or name not in _PARTS:
                return None
            power = int((match[2] or "1").translate(_SUPERSCRIPTS).replace("−", "-")) * (-1 if i else 1)
            one, powers = _PARTS[name]
            size *= one**power
            total = tuple(a + power * b for a, b in zip(total, powers, strict=True))
    return size, total

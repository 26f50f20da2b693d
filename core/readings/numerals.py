"""Numbers of a text, with the rounding that their digits show, and decimal commas."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from typing import Self

NUMBER = r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?"
"""Pattern of a number in most languages."""

_NUMERAL = re.compile(r"([+-]?)\s*(\d+\.?\d*|\.\d+)(?:(?:[eEdD]|\*\^|\*10\^)\(?([+-]?\d+)\)?)?[fFlL]?")
_OF_PI = re.compile(r"([+-]?)(\d+\.?\d*|\.\d+)?\*?(?:pi|π)(?:/(\d+\.?\d*))?", re.IGNORECASE)
_NOT_FINITE = re.compile(r"([+-]?)(?:\w+\.)?(nan|inf(?:inity)?)", re.IGNORECASE)
_LIMIT = 1e100
_SIGNIFICANT = 12
"""Significant digits from which a number counts as exact."""


class Numeral(float):
    """Number with the step of its last written digit; 0 if it counts as exact."""

    step: float

    def __new__(cls, value: float, step: float = 0.0) -> Self:
        """Return a number with the step of its last digit."""
        numeral = super().__new__(cls, value)
        numeral.step = step
        return numeral

    def __neg__(self) -> Numeral:
        return Numeral(-float(self), self.step)


def step_of(number: float) -> float:
    """Return the step of the last written digit of a number; 0 if the number counts as exact."""
    return number.step if isinstance(number, Numeral) else 0.0


def steps_of(numbers: Iterable[float]) -> list[float]:
    """Return the steps of numbers that are printed together: the finest of all, for each that is not exact.

    A print may leave out zeros at the end: beside 0.9274, 0.1 is 0.1000. It may also have as many significant digits
    in each number, as C++ prints: 1.77208 beside 0.00352357 has five decimals.

    >>> steps_of([read_numeral(word) for word in "0.1 0.2 1 0.9274".split()])
    [0.0001, 0.0001, 0.0, 0.0001]
    >>> steps_of([read_numeral(word) for word in "0.00352357 -0.0991321 1.77208".split()])
    [1e-08, 1e-07, 1e-05]
    """
    every = list(numbers)
    finest = min((step_of(number) for number in every if step_of(number)), default=0.0)
    places = [_place_of(number) for number in every if number and step_of(number)]
    most = max((first - last for first, last in places), default=0)
    steps: list[float] = []
    for number in every:
        step = step_of(number)
        if step and number:
            step = min(step, max(finest, float(f"1e{_place_of(number)[0] - most}")))
        steps.append(min(step, finest) if not number else step)
    return steps


def _place_of(number: float) -> tuple[int, int]:
    """Return the powers of ten of the first and of the last digit of a number that is not exact."""
    return math.floor(math.log10(abs(float(number)))), round(math.log10(step_of(number)))


def scaled(number: float, factor: float) -> Numeral:
    """Return a number times a factor, with its rounding."""
    return Numeral(float(number) * factor, step_of(number) * abs(factor))


def read_numeral(word: str) -> Numeral | None:
    """Return the number that a word writes, also as a fraction of pi; None for other words.

    >>> read_numeral("0.71").step, read_numeral("-1.5*^-3"), read_numeral("pi/2").step, read_numeral("x1")
    (0.01, -0.0015, 0.0, None)
    """
    match = _NUMERAL.fullmatch(word)
    if match is None:
        of_pi = _OF_PI.fullmatch(word)
        if of_pi is None or float(of_pi[3] or 1) == 0.0:
            return None
        return Numeral(float(f"{of_pi[1]}{of_pi[2] or 1}") * math.pi / float(of_pi[3] or 1))
    sign, digits, exponent = match[1], match[2], int(match[3] or 0)
    if abs(exponent) > 400:
        return None
    value = float(f"{sign}{digits}e{exponent}")
    n_decimals = len(digits.partition(".")[2])
    n_significant = len(digits.replace(".", "").lstrip("0"))
    is_exact = n_decimals == 0 or n_significant >= _SIGNIFICANT
    return None if abs(value) > _LIMIT else Numeral(value, 0.0 if is_exact else float(f"1e{exponent - n_decimals}"))


def read_any_numeral(word: str) -> Numeral | None:
    """Return the number that a word writes, as `read_numeral` does, also NaN and infinity.

    >>> read_any_numeral("np.nan"), read_any_numeral("-Infinity"), read_any_numeral("info")
    (nan, -inf, None)
    """
    match = _NOT_FINITE.fullmatch(word)
    return Numeral(float(match[1] + match[2])) if match else read_numeral(word)


def with_points(text: str) -> str:
    """Return a text with points for decimal commas; other commas stay.

    A comma is decimal where a space, a tab, a semicolon or a bracket ends each number, and no number has a point.

    >>> with_points("0,71 0,0 0,0 0,71"), with_points("1,0,0;0,1,0"), with_points("0,5; -0,5; 1")
    ('0.71 0.0 0.0 0.71', '1,0,0;0,1,0', '0.5; -0.5; 1')
    """
    if re.search(r"\d\.\d", text) or not re.search(r"\d,\d", text):
        return text
    words = [word.rstrip(",") for word in re.split(r"[\s;()\[\]{}]+|(?<![\d])=|:", text)]
    numeric = [word for word in words if re.match(r"[+-]?\d", word)]
    decimal = [word for word in numeric if re.fullmatch(r"[+-]?\d+,\d+(?:[eE][+-]?\d+)?(?:°|deg|rad|mm|m)?", word)]
    whole = [word for word in numeric if re.fullmatch(r"[+-]?\d+(?:°|deg|rad|mm|m)?", word)]
    if len(decimal) < 2 or len(decimal) + len(whole) < len(numeric):
        return text
    return re.sub(r"(?<=\d),(?=\d)", ".", text)

"""Readings of numbers that names or words explain: parts of quaternions, roll, pitch, yaw, and ambiguous words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from framescope.core.kernels.validation import SEQUENCES
from framescope.core.readings.bare_numbers import (
    HAS_PI,
    UNIT_LABELS,
    number_blocks,
    position_of,
    possible_units,
    read_quaternion_orders,
)
from framescope.core.readings.numerals import NUMBER, Numeral, read_numeral
from framescope.core.readings.reading import (
    MOST_READINGS,
    Reading,
    ReadingError,
    TextReadings,
    read_orientation,
    read_position,
)

_BETWEEN = r"[\"']?\s{0,12}(?:\([^()\d]{1,12}\)\s{0,4})?(?:[:=]|->)?\s{0,12}[\"'(\[]?\s{0,4}"
_ANGLES = re.compile(r"(?<![A-Za-z])(roll|pitch|yaw|heading)" + _BETWEEN + rf"({NUMBER})", re.IGNORECASE)
_TURNS = re.compile(r"(?<![A-Za-z])r_?([xyz])" + _BETWEEN + rf"({NUMBER})", re.IGNORECASE)
_XYZ = re.compile(rf"(?<![A-Za-z])(?:[tp]_?)?([xyz])[\"']?\s*[:=]\s*({NUMBER})", re.IGNORECASE)
_PARTS = re.compile(rf"(?<![A-Za-z])(?:q_?|_)?([wxyz])[\"']?\s*[:=(\[]?\s*({NUMBER})")
_Q_KEYS = re.compile(rf"\bq_?([wxyz0-4])[\"']?\s*[:=]?\s*({NUMBER})", re.IGNORECASE)
_T_KEYS = re.compile(rf"\b[tp]_?([xyz])[\"']?\s*[:=]?\s*({NUMBER})", re.IGNORECASE)
_PRINT = re.compile(rf"({NUMBER})\s*<{{1,2}}\s*({NUMBER})\s*,\s*({NUMBER})\s*,\s*({NUMBER})\s*>{{1,2}}")
_UNSIGNED = r"((?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)"
_HAMILTON = re.compile(
    rf"(?<![\w.])([+-]?)\s{{0,20}}{_UNSIGNED}\s{{0,20}}([+-])\s{{0,20}}{_UNSIGNED}\s{{0,20}}\*?\s{{0,20}}(?:qi|i)m?\w?\s{{0,20}}([+-])\s{{0,20}}{_UNSIGNED}\s{{0,20}}\*?\s{{0,20}}(?:qj|j)m?\w?"
    rf"\s{{0,20}}([+-])\s{{0,20}}{_UNSIGNED}\s{{0,20}}\*?\s{{0,20}}(?:qk|k)m?(?!\w)"
)
_SEQUENCE = r"(?<![A-Za-z])([xyzXYZ])[-\s,>'′″\"]*([xyzXYZ])[-\s,>'′″\"]*([xyzXYZ])[\"'′″]*(?![A-Za-z])"
_DIGITS = re.compile(
    r"(?<![\w.])([123])-?([123])-?([123])(?![\w.])(?=.*(?:euler|rotation|sequence|angles))", re.IGNORECASE
)
_FIXED = re.compile(r"\b(?:extrinsic|fixed|static|space)\b", re.IGNORECASE)
_MOVING = re.compile(r"\b(?:intrinsic|moving|rotating|body)\b", re.IGNORECASE)
_RPY = re.compile(r"\b(?:rpy|roll\W{1,3}pitch\W{1,3}(?:and\s+)?yaw)\b", re.IGNORECASE)
_YPR = re.compile(r"\b(?:ypr|yaw\W{1,3}pitch\W{1,3}(?:and\s+)?roll)\b", re.IGNORECASE)
_VECTOR = re.compile(r"\b(?:rot(?:ation)?[-_ ]?vec(?:tor)?|rvec|axis[-_ ]?angle vector|so3 log)\b", re.IGNORECASE)
_AXIS_ANGLE = re.compile(r"\b(?:axis[-_ ]?(?:and[-_ ]?)?angle|ax(?:is)?ang(?:le)?|angle[-_ ]?axis)\b", re.IGNORECASE)
_QUATERNION = re.compile(r"\b(?:quat(?:ernion)?|orientation|q)\b(?!\s*\()", re.IGNORECASE)
_ORDER = re.compile(
    r"(w\W{0,3}x\W{0,3}y\W{0,3}z|scalar[-_ ]?first|hamilton.?first)|(x\W{0,3}y\W{0,3}z\W{0,3}w|scalar[-_ ]?last)",
    re.IGNORECASE,
)
_TURN = re.compile(r"\b(?:rot\w*|angles?|axes)\b", re.IGNORECASE)
_EULER = re.compile(r"\b(?:euler|tait|cardan)\w*", re.IGNORECASE)

UNIT_QUESTION = "Unit of the angles?"


def read_named(text: str) -> TextReadings | None:
    """Return the readings of numbers that names or words explain; None for other texts.

    Examples
    --------
    >>> read_named("roll: 10, pitch: 20, yaw: 30 deg").settled.form
    'extrinsic xyz'
    >>> [reading.choice for reading in read_named("ypr 0.1 0.2 0.3").readings]
    ['degrees', 'radians']
    """
    return _read_quaternion_parts(text) or _read_angle_parts(text) or _read_turns(text) or _read_words(text)


def read_named_pose(text: str) -> TextReadings | None:
    """Return the reading of a quaternion with named parts beside a position with named coordinates; else None."""
    result = _read_lettered_parts(text)
    return result if result is not None and result.readings[0].kind == "pose" else None


# --- Named parts


def _read_quaternion_parts(text: str) -> TextReadings | None:
    printed = _PRINT.search(text)
    if printed is not None:
        source = "A quaternion as w << x, y, z >>"
        return TextReadings((read_orientation("quaternion wxyz", _numbers(printed.groups()), source=source),))
    hamilton = _HAMILTON.search(text)
    if hamilton is not None:
        groups = hamilton.groups()
        w, x, y, z = _numbers(f"{groups[i] or ''}{groups[i + 1]}" for i in (0, 2, 4, 6))
        source = "A quaternion w + x i + y j + z k"
        return TextReadings((read_orientation("quaternion xyzw", [x, y, z, w], source=source),))
    return _read_numbered_parts(text) or _read_lettered_parts(text)


def _read_numbered_parts(text: str) -> TextReadings | None:
    """Read qx, qy, qz, qw, or q0 to q3, or q1 to q4, whose scalar is the first or the last."""
    values = {key.lower(): number for key, number in _Q_KEYS.findall(text)}
    translation = {key.lower(): number for key, number in _T_KEYS.findall(text)}
    if set(translation) != set("xyz"):
        translation = {key.lower(): number for key, number in _XYZ.findall(re.sub(_Q_KEYS, " ", text))}
    p, assumed = None, ()
    if set(translation) == set("xyz"):
        p, assumed = position_of(_numbers(translation[key] for key in "xyz"), _length_unit(text))
    if set("wxyz") <= set(values):
        numbers = _numbers(values[key] for key in "xyzw")
        source = "A quaternion with named parts"
        return TextReadings((read_orientation("quaternion xyzw", numbers, source=source, p=p, assumed=assumed),))
    if set("0123") <= set(values):
        numbers = _numbers(values[key] for key in "0123")
        source = "A quaternion q0 to q3, scalar first"
        return TextReadings((read_orientation("quaternion wxyz", numbers, source=source, p=p, assumed=assumed),))
    if set("1234") <= set(values):
        numbers = _numbers(values[key] for key in "1234")
        return TextReadings(read_quaternion_orders(numbers, "A quaternion q1 to q4", p), "Which number is the scalar?")
    return None


def _read_lettered_parts(text: str) -> TextReadings | None:
    """Read x, y, z, w in any order; three more x, y, z beside them are a position."""
    found = [(key, number) for key, number in _PARTS.findall(text)]
    letters = "".join(key for key, _ in found)
    if letters.count("w") != 1:
        return None
    if len(found) == 4 and set(letters) == set("wxyz"):
        values = dict(found)
        numbers = _numbers(values[key] for key in "xyzw")
        return TextReadings((read_orientation("quaternion xyzw", numbers, source="A quaternion with named parts"),))
    layouts = {
        "xyzxyzw": (slice(0, 3), slice(3, 7)),
        "xyzwxyz": (slice(4, 7), slice(0, 4)),
        "wxyzxyz": (slice(4, 7), slice(0, 4)),
    }
    layout = layouts.get(letters)
    if layout is None:
        return None
    at, turn = layout
    values = dict(found[turn])
    p, assumed = position_of(_numbers(number for _, number in found[at]), _length_unit(text))
    numbers = _numbers(values[key] for key in "xyzw")
    source = "A position and a quaternion with named parts"
    return TextReadings((read_orientation("quaternion xyzw", numbers, source=source, p=p, assumed=assumed),))


def _read_angle_parts(text: str) -> TextReadings | None:
    """Read roll, pitch and yaw by name, about moving z, y', x'' as nearly everyone means them."""
    values = {key.lower().replace("heading", "yaw"): number for key, number in _ANGLES.findall(text)}
    if not set(values) >= {"roll", "pitch", "yaw"}:
        return None
    angles = _numbers(values[key] for key in ("roll", "pitch", "yaw"))
    position = {key.lower(): number for key, number in _XYZ.findall(text)}
    p, assumed = None, ()
    if set(position) == set("xyz"):
        p, assumed = position_of(_numbers(position[key] for key in "xyz"), _length_unit(text))
    return _by_unit("extrinsic xyz", angles, text, "Roll, pitch, yaw by name", p, assumed)


def _read_turns(text: str) -> TextReadings | None:
    """Read rx, ry, rz, which name angles for some and a rotation vector for others."""
    found = _TURNS.findall(text)
    if len(found) != 3 or {key.lower() for key, _ in found} != set("xyz"):
        return None
    values = {key.lower(): number for key, number in found}
    numbers = _numbers(values[key] for key in "xyz")
    position = {key.lower(): number for key, number in _XYZ.findall(_TURNS.sub(" ", text))}
    p, assumed = None, ()
    if set(position) == set("xyz"):
        p, assumed = position_of(_numbers(position[key] for key in "xyz"), _length_unit(text))
    units = possible_units(numbers, _angle_unit(text))
    forms = (("rotation-vector", "rotation vector"), ("extrinsic xyz", "roll, pitch, yaw"))
    readings = tuple(
        read_orientation(
            form,
            numbers,
            unit,
            source="Rotations rx, ry, rz by name",
            choice=f"{label}, {UNIT_LABELS[unit]}",
            p=p,
            assumed=assumed,
        )
        for unit in reversed(units)
        for form, label in forms
    )
    return TextReadings(readings, "What are rx, ry, rz?")


# --- Words


def _read_words(text: str) -> TextReadings | None:
    words = (_RPY, _YPR, _VECTOR, _AXIS_ANGLE, _QUATERNION, _ORDER, _EULER, _DIGITS)
    if not (re.search(_SEQUENCE, text) or any(pattern.search(text) for pattern in words)):
        return None
    numbers = _numbers_of(text)
    if numbers is None or len(numbers) not in (3, 4, 6, 7):
        return None
    p, assumed = None, ()
    if len(numbers) in (6, 7):
        p, assumed = position_of(numbers[:3], _length_unit(text))
        numbers = numbers[3:]
    if len(numbers) == 4:
        return _read_four_words(text, numbers, p)
    for pattern, form, source in _STATED:
        if pattern.search(text):
            return _by_unit(form, numbers, text, source, p, assumed)
    return _read_three_words(text, numbers)


_STATED = (
    (_RPY, "extrinsic xyz", "Roll, pitch, yaw"),
    (_YPR, "axes ZYX", "Yaw, pitch, roll"),
    (_VECTOR, "rotation-vector", "A rotation vector"),
)
"""Words that state the form of three numbers, with the form and a description."""


def _read_three_words(text: str, numbers: Sequence[Numeral]) -> TextReadings | None:
    """Read three angles with a sequence of axes in letters or digits, or with the word Euler alone."""
    sequence, digits = re.search(_SEQUENCE, text), _DIGITS.search(text)
    letters = "".join(sequence.groups()) if sequence is not None else ""
    if not letters and digits is not None:
        letters = "".join("XYZ"[int(digit) - 1] for digit in digits.groups())
    if letters == "xyz" and (position := _read_coordinates(numbers, text)) is not None:
        return position
    if letters.upper() in SEQUENCES:
        return _read_sequence(letters, numbers, text)
    if _EULER.search(text) or _FIXED.search(text) or _MOVING.search(text):
        return _read_euler(numbers, text)
    return None


def _read_coordinates(numbers: Sequence[Numeral], text: str) -> TextReadings | None:
    """Read three numbers behind the word xyz alone: a position, or angles where no unit of length says so."""
    is_of_angles = _angle_unit(text) or any(pattern.search(text) for pattern in (_EULER, _FIXED, _MOVING, _TURN))
    if is_of_angles:
        return None
    p, assumed = position_of(numbers, _length_unit(text))
    position = read_position(p, source="A position x, y, z", assumed=assumed)
    if _length_unit(text):
        return TextReadings((position,))
    angles = _read_sequence("xyz", numbers, text).readings[: MOST_READINGS - 1]
    return TextReadings((replace(position, choice="position"), *angles), "A position, or angles?")


def _read_four_words(text: str, numbers: Sequence[Numeral], p: Sequence[float] | None) -> TextReadings | None:
    order = _ORDER.search(text)
    if _AXIS_ANGLE.search(text):
        return _by_unit("axis-angle", numbers, text, "An axis and an angle", p, ())
    if order is not None:
        form = "quaternion wxyz" if order[1] else "quaternion xyzw"
        source = f"A quaternion, scalar {'first' if order[1] else 'last'}"
        return TextReadings((read_orientation(form, numbers, source=source, p=p),))
    if _QUATERNION.search(text):
        return TextReadings(read_quaternion_orders(numbers, "A quaternion", p), "Which number is the scalar?")
    return None


def _read_sequence(letters: str, numbers: Sequence[Numeral], text: str) -> TextReadings:
    """Read three angles of a sequence of axes; moving or fixed may be open, and the order of fixed axes."""
    moving, fixed = f"axes {letters.upper()}", f"extrinsic {letters.lower()}"
    as_product = f"extrinsic {letters.lower()[::-1]}"
    spoken = ", ".join(letters.lower())
    if _MOVING.search(text) and not _FIXED.search(text):
        forms = [(moving, numbers, f"moving axes {spoken}")]
    elif _FIXED.search(text):
        forms = [(fixed, numbers, f"fixed axes {spoken}, in this order")]
        if letters.lower() != letters.lower()[::-1]:
            backwards = ", ".join(letters.lower()[::-1])
            forms.append((as_product, numbers[::-1], f"fixed axes {backwards}: the letters name the product"))
    else:
        forms = [(moving, numbers, f"moving axes {spoken}"), (fixed, numbers, f"fixed axes {spoken}")]
    return _offers(forms, numbers, text, "Angles about axes")


def _read_euler(numbers: Sequence[Numeral], text: str) -> TextReadings:
    """Read three Euler angles whose sequence is not stated."""
    forms = [
        ("extrinsic xyz", numbers, "roll, pitch, yaw"),
        ("axes XYZ", numbers, "moving x, y, z"),
        ("axes ZYX", numbers, "moving z, y, x"),
        ("axes ZYZ", numbers, "moving z, y, z"),
    ]
    n_units = len(possible_units(numbers, _angle_unit(text)))
    return _offers(forms[: MOST_READINGS // n_units], numbers, text, "Euler angles without a sequence")


def _offers(
    forms: Sequence[tuple[str, Sequence[Numeral], str]], numbers: Sequence[Numeral], text: str, source: str
) -> TextReadings:
    units = possible_units(numbers, _angle_unit(text))
    assumed = _assumed_unit(numbers, text)
    readings: list[Reading] = []
    for unit in units:
        for form, values, label in forms:
            choice = f"{label}, {UNIT_LABELS[unit]}" if len(units) > 1 else label
            readings.append(read_orientation(form, values, unit, source=source, choice=choice, assumed=assumed))
    question = "About which axes, and in which unit?" if len(forms) > 1 else UNIT_QUESTION
    return TextReadings(tuple(readings[:MOST_READINGS]), question if len(readings) > 1 else "")


def _by_unit(
    form: str,
    numbers: Sequence[Numeral],
    text: str,
    source: str,
    p: Sequence[float] | None,
    assumed: Sequence[str],
) -> TextReadings:
    """Return the readings of numbers whose unit alone may be open."""
    angles = numbers[3:] if form == "axis-angle" else numbers
    units = possible_units(angles, _angle_unit(text))
    assumed = (*assumed, *_assumed_unit(angles, text))
    readings = tuple(
        read_orientation(
            form, numbers, unit, source=source, p=p, assumed=assumed, choice=UNIT_LABELS[unit] if len(units) > 1 else ""
        )
        for unit in units
    )
    return TextReadings(readings, UNIT_QUESTION if len(readings) > 1 else "")


def _assumed_unit(angles: Sequence[float], text: str) -> tuple[str, ...]:
    is_assumed = not _angle_unit(text) and possible_units(angles) == ("deg",)
    return ("degrees, since an angle exceeds a full turn in radians",) if is_assumed else ()


def _angle_unit(text: str) -> str:
    if re.search(r"(?<![a-zA-Z])rad(?:ians?)?(?![a-z])", text, re.IGNORECASE):
        return "rad"
    if re.search(r"°|(?<![a-zA-Z])deg(?:rees?)?(?![a-z])", text, re.IGNORECASE):
        return "deg"
    return "rad" if HAS_PI.search(text) else ""


def _length_unit(text: str) -> str:
    match = re.search(r"(?<![a-zA-Z/])(mm|cm|m)(?![a-zA-Z/])", text)
    return match[1] if match else ""


def _numbers_of(text: str) -> tuple[Numeral, ...] | None:
    """Return the numbers behind the words of a text; None if they are not one group."""
    blocks = number_blocks(_DIGITS.sub(" ", re.sub(_SEQUENCE, " ", text)))
    blocks = [block for block in blocks if len(block.numbers) in (3, 4, 6, 7)]
    return blocks[0].numbers if len(blocks) == 1 else None


def _numbers(words: Iterable[str]) -> list[Numeral]:
    numbers: list[Numeral] = []
    for word in words:
        number = read_numeral(word)
        if number is None:
            raise ReadingError(f"Expected a number, got {word[:40]}.")
        numbers.append(number)
    return numbers

"""Readings of numbers without names: matrices, quaternions, angles and positions in any brackets, prints of tools."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from framescope.core.errors import counted
from framescope.core.kernels.validation import SEQUENCES
from framescope.core.readings.numerals import Numeral, read_numeral, scaled, step_of
from framescope.core.readings.reading import (
    MOST_READINGS,
    NEAR_ROTATION,
    UNIT_LENGTH,
    Reading,
    TextReadings,
    invert,
    join_readings,
    read_orientation,
    read_position,
    rotation_fault,
)

COUNTS = (3, 4, 6, 7, 8, 9, 12, 16)
"""Counts of numbers that a row may have."""

FULL_TURN = 2.0 * math.pi + 0.01
"""Angle above which numbers without a unit are degrees."""

FAR = 10.0
"""Coordinate from which a position without a unit may be in millimetres."""

HAS_PI = re.compile(r"(?<![A-Za-z])(?:pi|π)(?![A-Za-z])", re.IGNORECASE)
"""Numbers with pi, which are radians."""

FEW_WORDS = 8
"""Largest number of words beside three or six numbers in brackets for them to be read."""

_NOISE = re.compile(
    r"\bMatrix\s*\(\s*\d+\s*,\s*\d+\s*,|\b(?:np|numpy|torch|jnp|tf|sympy)\.(?=\w)|\b(?:array|tensor|asarray|matrix|Matrix|MutableDenseMatrix|Tensor|mat)\b"
    r"|,?\s*(?:dtype|device|requires_grad|shape)\s*=\s*[\w.:'\"]+|\bDiagonal Matrix\b|\bans\b\s*=|\bdouble\b|\bfloat\b"
    r"|^\s*\d+\s*[×x]\s*\d+\s+(?:\w+\s+)?\w*(?:Matrix|SMatrix|Array|adjoint)[^\n]*:?$"
    r"|^\s*\d+-element\s+[^\n]*$|\b[SM]?Vector\{[^}]*\}|\bFloat(?:32|64)(?=\[)|\\(?:begin|end)\{[bpv]?matrix\}"
    r"|^\s*Columns? \d+[^\n]*$|\[\s*\d*,\]|\[,\d+\]|\bMatrixForm\b|\bn?Point\b",
    re.MULTILINE,
)
_PI = re.compile(
    r"(?:[ \t]{0,4}\*[ \t]{0,4})?(?:\b(?:np|numpy|math|torch)\.|(?<![A-Za-z.]))(?:pi|π)(?![A-Za-z])"
    r"(?:[ \t]{0,4}/[ \t]{0,4}(?=\d))?",
    re.IGNORECASE,
)
"""The number pi in a product or a quotient."""

_COMMENT = re.compile(r"(?://|#|%|--|;;)(?![^\n]*[\])}]\s*$).*")
_SCALE = re.compile(r"^\s*1\.0*e([+-]?\d+)\s*\*\s*$|^\s*Columns.*\n", re.MULTILINE)
_APART_SIGN = re.compile(r"(?<=[\[({,;])\s{0,9}([+-])\s{1,9}(?=[\d.])")
"""A sign with a space before its number, at the start of an element."""

_SEPARATORS = re.compile(r"[\s,;|&\[\](){}<>\"']+|\\\\")
_UNIT = re.compile(
    r"(?<![a-zA-Z])(deg(?:rees?)?|rad(?:ians?)?|°|mm|millimet\w+|cm|met(?:er|re)s?|m)(?![a-zA-Z/])", re.IGNORECASE
)
_GLUED = re.compile(r"(?<=[\d.])\s*(°|deg\b|rad\b|mm\b|cm\b|m\b)")
_LABEL = re.compile(
    r"^\s*(?:>>>|In \[\d+\]:|Out\[\d+\]=?:?|\$|>|julia>|octave:\d+>)?\s*[\w.^'{}\\]{1,24}\s*(?::=|=|:|->)\s*"
)

_POSITION = re.compile(r"\W*(?:position|translation|location|origin)\W", re.IGNORECASE)
_RUN = re.compile(r"(?<![\w.,])(?<!\w\()(?:[+-]?\d[\d.eE+-]*f?[\s,;]+){2,15}[+-]?\d[\d.eE+-]*f?(?!\w)")


ReadsWord = Callable[[str], "Numeral | None"]
"""Function that returns the number that a word writes, or None."""


@dataclass(frozen=True)
class NumberBlock:
    """Rows of numbers that stand together in a text, with the unit beside them."""

    rows: tuple[tuple[Numeral, ...], ...]
    unit: str = ""
    n_words: int = 0

    @property
    def numbers(self) -> tuple[Numeral, ...]:
        """All numbers, row by row."""
        return tuple(number for row in self.rows for number in row)


def read_bare(text: str, sequence: str = "XYZ") -> TextReadings | None:
    """Return the readings of the numbers in a text; None if it has no numbers of an orientation or a position.

    Parameters
    ----------
    text
        Numbers, in brackets if other words surround them.
    sequence
        Axis sequence to offer for three angles.

    Examples
    --------
    >>> [reading.form for reading in read_bare("[0, 0, 0.6, 0.8]").readings]
    ['quaternion xyzw', 'quaternion wxyz']
    """
    blocks = [block for block in number_blocks(text) if _is_of_interest(block)]
    if not blocks:
        return None
    if len(blocks) == 1:
        result = read_block(blocks[0], sequence)
        return _only_position(result) if _POSITION.match(text) else result
    results = [result for block in blocks if (result := read_block(block, sequence)).readings]
    if not results:
        return read_block(blocks[0], sequence)
    if len(results) == 1:
        return results[0]
    same = {tuple((reading.kind, reading.choice) for reading in result.readings) for result in results}
    if len(same) == 1:
        joined = [
            join_readings(readings, f"{len(results)} values: {readings[0].source[:1].lower()}{readings[0].source[1:]}")
            for readings in zip(*(result.readings for result in results), strict=True)
        ]
        return TextReadings(tuple(joined), results[0].question)
    return TextReadings(reason=f"The text has {len(results)} groups of numbers that differ: paste one of them alone.")


def _only_position(result: TextReadings) -> TextReadings:
    """Return the readings as a position of a text that says it is one; all where none is."""
    positions = tuple(replace(each, choice="", is_vector=False) for each in result.readings if each.kind == "vector")
    return TextReadings(positions) if positions else result


# --- Blocks of numbers


def number_blocks(text: str, read: ReadsWord = read_numeral) -> list[NumberBlock]:
    """Return the blocks of numbers of a text: all of it, else its brackets, else its lines of numbers.

    `read` returns the number that a word writes, or None; `read_any_numeral` also takes NaN and infinity.

    >>> [len(block.numbers) for block in number_blocks("The pose [1, 2, 3] and the rotation [0, 0, 0, 1].")]
    [3, 4]
    """
    text, factor = _plain(text)
    unit = _unit_of(text)
    words = re.findall(r"[^\W\d_]{2,}", _UNIT.sub(" ", text))
    whole = _rows(_GLUED.sub(" ", _LABEL.sub("", text)), read)
    if whole is None:
        whole = _rows(_UNIT.sub(" ", _LABEL.sub("", text)), read)
    if whole is not None:
        return [NumberBlock(_scaled_rows(whole, factor), unit)]
    found = _in_brackets(text, read) or _in_lines(text, unit, read) or _in_prose(text, unit, read)
    return [NumberBlock(_scaled_rows(rows, factor), near, len(words)) for rows, near in found]


Rows = tuple[tuple[Numeral, ...], ...]


def _in_brackets(text: str, read: ReadsWord) -> list[tuple[Rows, str]]:
    """Return the rows in each outermost bracket of numbers, with the unit in it or behind it."""
    found: list[tuple[Rows, str]] = []
    for start, stop in _adjacent(_brackets(text, read), text):
        rows = _rows(_GLUED.sub(" ", text[start:stop]), read)
        if rows is not None:
            near = _unit_of(text[stop : stop + 12].partition("\n")[0]) or _unit_of(text[start:stop])
            found.append((rows, near))
    return found


def _in_lines(text: str, unit: str, read: ReadsWord) -> list[tuple[Rows, str]]:
    """Return the rows of each run of lines of nothing but numbers."""
    found: list[tuple[Rows, str]] = []
    run: list[str] = []
    for line in [*text.splitlines(), "end"]:
        plain = _GLUED.sub(" ", line if run else _LABEL.sub("", line))
        if plain.strip() and _rows(plain, read) is not None:
            run.append(plain)
        elif run and (line.strip() or len(run) > 2):
            rows = _rows("\n".join(run), read)
            if rows is not None:
                found.append((rows, unit))
            run = []
    return found


def _in_prose(text: str, unit: str, read: ReadsWord) -> list[tuple[Rows, str]]:
    """Return each run of three or more numbers between words."""
    matches = (_rows(match[0], read) for match in _RUN.finditer(text))
    return [(rows, unit) for rows in matches if rows is not None]


_COLUMNS = re.compile(r"^[ \t]*Columns? \d+(?: (?:through|to|and) \d+)?:?[ \t]*$", re.MULTILINE)


def _joined_columns(text: str) -> str:
    """Return a print in groups of columns, as MATLAB and Octave write wide matrices, with its rows joined."""
    head, *groups = _COLUMNS.split(text)
    if len(groups) < 2:
        return text
    parts = [[line.strip() for line in group.splitlines() if line.strip()] for group in groups]
    if len({len(part) for part in parts}) != 1:
        return text
    return "\n".join([head, *("  ".join(row) for row in zip(*parts, strict=True))])


def _plain(text: str) -> tuple[str, float]:
    """Return a text without comments, headers and names of types, and the factor that a print states above it."""
    text = _joined_columns(text)
    scale = re.search(r"^\s*1\.0*e([+-]?\d+)\s*\*\s*$", text, re.MULTILINE)
    factor = 10.0 ** int(scale[1]) if scale else 1.0
    text = re.sub(r"^\s*1\.0*e[+-]?\d+\s*\*\s*$", "", text, flags=re.MULTILINE)
    text = "\n".join(_COMMENT.sub("", line) for line in text.splitlines())
    text = _APART_SIGN.sub(r"\1", text)
    text = re.sub(
        r"^\s*(?:>>>|\.\.\.|In \[\d+\]:|Out\[\d+\]=?:?|\$|julia>|octave:\d+>|>>)\s?", "", text, flags=re.MULTILINE
    )
    text = _PI.sub(lambda match: re.sub(r"\s|\w+\.", "", match[0]), text)
    return _NOISE.sub(" ", text.replace("\\\\", ";").replace("⋅", "0")), factor


def _scaled_rows(rows: tuple[tuple[Numeral, ...], ...], factor: float) -> tuple[tuple[Numeral, ...], ...]:
    return rows if factor == 1.0 else tuple(tuple(scaled(number, factor) for number in row) for row in rows)


def _rows(text: str, read: ReadsWord) -> tuple[tuple[Numeral, ...], ...] | None:
    """Return the rows of a text of nothing but numbers, brackets and separators; None for other texts."""
    numbers = numerals(text, read)
    if numbers is None or not numbers:
        return None
    inner = re.findall(r"[\[({<]([^\[\](){}<>]*)[\])}>]", text)
    parts = inner if len(inner) > 1 else re.split(r"[;\n]", text)
    rows = [row for part in parts if (row := numerals(part, read))]
    flat = [number for row in rows for number in row]
    widths = {len(row) for row in rows}
    if len(flat) != len(numbers) or len(widths) != 1:
        return (tuple(numbers),)
    if widths == {1} or (len(rows) == 1):
        return (tuple(numbers),)
    return tuple(map(tuple, rows))


def numerals(text: str, read: ReadsWord = read_numeral) -> list[Numeral] | None:
    """Return the numbers of a text of nothing but numbers, brackets and separators; None for other texts."""
    words = [word for word in _SEPARATORS.split(text.strip().rstrip(".;,")) if word]
    numbers = [read(word) for word in words]
    return None if any(number is None for number in numbers) else [number for number in numbers if number is not None]


def _brackets(text: str, read: ReadsWord) -> list[tuple[int, int]]:
    """Return start and end of the outermost brackets that no name precedes, or those inside of brackets with words."""
    spans: list[tuple[int, int]] = []
    stack: list[tuple[int, bool]] = []
    for i, mark in enumerate(text):
        if mark in "[({":
            is_call = mark == "(" and bool(re.match(r"\w", text[i - 1 : i]))
            stack.append((i, is_call))
        elif mark in "])}" and stack:
            start, is_call = stack.pop()
            if not is_call and numerals(text[start : i + 1], read):
                while spans and spans[-1][0] > start:
                    spans.pop()
                spans.append((start, i + 1))
    return spans


def _adjacent(spans: list[tuple[int, int]], text: str) -> list[tuple[int, int]]:
    """Return spans of brackets, those of rows joined that only space, commas or a list's dashes part."""
    joined: list[tuple[int, int]] = []
    for start, stop in spans:
        last = joined[-1] if joined else None
        if (
            last is not None
            and re.fullmatch(r"[\s,;]*(?:\n\s*-\s*)?", text[last[1] : start])
            and "\n" in text[last[1] : start]
        ):
            joined[-1] = (last[0], stop)
        else:
            joined.append((start, stop))
    return joined


def _unit_of(text: str) -> str:
    units = {match[1].lower() for match in _UNIT.finditer(text)}
    for unit in units:
        if unit.startswith("deg") or unit == "°":
            return "deg"
        if unit.startswith("rad"):
            return "rad"
    if not units and HAS_PI.search(text):
        return "rad"
    return next(("mm" if unit[:2] in ("mm", "mi") else unit[:2] if unit == "cm" else "m" for unit in units), "")


def _is_of_interest(block: NumberBlock) -> bool:
    """Return whether numbers beside other words look like an orientation or a pose."""
    n = len(block.numbers)
    if not block.n_words:
        return True
    if n < 3:
        return False
    width = len(block.rows[0])
    if n in (3, 6) and len(block.rows) == 1:
        return block.n_words <= FEW_WORDS
    if len(block.rows) == 1 and n in (4, 7, 8):
        parts = (block.numbers[-4:], block.numbers[:4])
        is_axis = n == 4 and abs(math.hypot(*block.numbers[:3]) - 1.0) < UNIT_LENGTH
        return is_axis or any(abs(math.hypot(*part) - 1.0) < UNIT_LENGTH for part in parts)
    if n in (9, 12, 16):
        return _rotation_rows(block.numbers) is not None
    return width in (4, 7, 8, 9, 12, 16) and len(block.rows) > 1


def _rotation_rows(numbers: Sequence[float]) -> tuple[int, ...] | None:
    """Return the indices of nine numbers, row by row, whose rows are nearly orthonormal; None without them."""
    candidates = {
        9: (tuple(range(9)),),
        12: ((0, 1, 2, 4, 5, 6, 8, 9, 10), tuple(range(9))),
        16: ((0, 1, 2, 4, 5, 6, 8, 9, 10),),
    }
    for indices in candidates.get(len(numbers), ()):
        M = np.reshape([float(numbers[i]) for i in indices], (3, 3))
        if np.abs(M @ M.T - np.eye(3)).max() < NEAR_ROTATION:
            return indices
    return None


# --- Readings by shape


def read_block(block: NumberBlock, sequence: str = "XYZ") -> TextReadings:
    """Return the readings of a block of numbers."""
    rows, numbers = block.rows, block.numbers
    sequence = sequence if sequence in SEQUENCES else "XYZ"
    shape = (len(rows), len(rows[0]))
    if len(rows) == 1 or shape in ((3, 3), (3, 4)) or (shape == (4, 4) and _homogeneous(numbers) != ""):
        if shape == (3, 3) and _rotation_rows(numbers) is None and not rotation_fault(np.reshape(numbers, (3, 3))):
            return _read_list(rows, block.unit, sequence)
        if len(numbers) not in COUNTS:
            return TextReadings(reason=_wrong_count(len(numbers)))
        return _read_row(numbers, block.unit, sequence)
    for height in (3, 4):
        if shape[1] in (3, 4) and shape[0] % height == 0 and (height, shape[1]) in ((3, 3), (3, 4), (4, 4)):
            groups = [
                tuple(number for row in rows[i : i + height] for number in row) for i in range(0, shape[0], height)
            ]
            is_pose = shape[1] == 3 or height == 3 or all(_homogeneous(group) == "rows" for group in groups)
            if is_pose and all(_rotation_rows(group) is not None for group in groups):
                return _read_list(groups, block.unit, sequence)
    if shape[1] not in COUNTS:
        return TextReadings(reason=f"The rows have {counted(shape[1], 'number')}, which is no form of a pose.")
    return _read_list(rows, block.unit, sequence)


def _wrong_count(n: int) -> str:
    return (
        f"Found {counted(n, 'number')}: expected 9 of a matrix, 12 or 16 of a pose, 4 of a quaternion, or 3 of angles"
        " or of a position."
    )


def _read_list(rows: Sequence[Sequence[Numeral]], unit: str, sequence: str) -> TextReadings:
    results = [_read_row(row, unit, sequence) for row in rows]
    reason = next((result.reason for result in results if not result.readings), "")
    if reason:
        return TextReadings(reason=reason)
    choices = [reading.choice for reading in results[0].readings]
    choices = [choice for choice in choices if all(choice in map(_choice, result.readings) for result in results)]
    joined: list[Reading] = []
    for choice in choices:
        readings = [next(reading for reading in result.readings if reading.choice == choice) for result in results]
        first = readings[0].source
        joined.append(join_readings(readings, f"{counted(len(rows), 'value')}: {first[:1].lower()}{first[1:]}"))
    if not joined:
        return TextReadings(reason="The rows of numbers have no reading in common.")
    return TextReadings(tuple(joined), results[0].question if len(joined) > 1 else "")


def _choice(reading: Reading) -> str:
    return reading.choice


def _read_row(numbers: Sequence[Numeral], unit: str, sequence: str) -> TextReadings:
    match len(numbers):
        case 3:
            return _read_three(numbers, unit, sequence)
        case 4:
            return _read_four(numbers, unit)
        case 6:
            return _read_six(numbers, unit)
        case 7:
            return _read_seven(numbers, unit)
        case 8:
            return _read_seven(numbers[1:], unit, "A time and a pose", "8 numbers")
        case _:
            return _read_matrix(numbers, unit)


UNIT_LABELS = {"deg": "degrees", "rad": "radians"}
"""Labels of units of angles."""


def possible_units(angles: Sequence[float], unit: str = "") -> tuple[str, ...]:
    """Return the units that angles may have: the stated one, degrees above a full turn in radians, else both."""
    if unit in UNIT_LABELS:
        return (unit,)
    return ("deg",) if max(map(abs, angles), default=0.0) > FULL_TURN else ("deg", "rad")


def _read_three(numbers: Sequence[Numeral], unit: str, sequence: str) -> TextReadings:
    if unit in ("m", "mm", "cm"):
        return TextReadings((read_position(in_metres(numbers, unit), source="A position"),))
    units = possible_units(numbers, unit)
    source = "Three numbers"
    readings = [
        read_orientation(
            f"axes {sequence}", numbers, each, source=source, choice=f"angles {sequence}, {UNIT_LABELS[each]}"
        )
        for each in units
    ]
    vector_unit = "rad" if "rad" in units else "deg"
    readings.append(
        read_orientation(
            "rotation-vector",
            numbers,
            vector_unit,
            source=source,
            choice=f"rotation vector, {UNIT_LABELS[vector_unit]}",
        )
    )
    if len(units) == 1:
        choice = f"roll, pitch, yaw, {UNIT_LABELS[units[0]]}"
        readings.insert(1, read_orientation("extrinsic xyz", numbers, units[0], source=source, choice=choice))
    if not unit:
        readings.append(read_position(numbers, source=source, choice="position or vector", is_vector=True))
    return TextReadings(tuple(readings[:MOST_READINGS]), "What are the three numbers?")


def in_metres(numbers: Sequence[float], unit: str) -> list[Numeral]:
    """Return lengths in metres."""
    return [scaled(number, {"mm": 1e-3, "cm": 1e-2}.get(unit, 1.0)) for number in numbers]


def is_unit_length(numbers: Sequence[float]) -> bool:
    """Return whether numbers have unit length, up to the rounding of their digits."""
    rounding = 0.5 * math.hypot(*(step_of(number) for number in numbers))
    return abs(math.hypot(*numbers) - 1.0) <= max(UNIT_LENGTH / 2.0, rounding)


def read_quaternion_orders(
    numbers: Sequence[float], source: str = "A quaternion", p: Sequence[float] | None = None
) -> tuple[Reading, ...]:
    """Return the readings of four numbers with the scalar last and first."""
    labels = (("quaternion xyzw", "scalar last: x y z w"), ("quaternion wxyz", "scalar first: w x y z"))
    return tuple(read_orientation(form, numbers, source=source, choice=label, p=p) for form, label in labels)


def _read_four(numbers: Sequence[Numeral], unit: str) -> TextReadings:
    is_axis = [is_unit_length(part) for part in (numbers[:3], numbers[1:])]
    is_quaternion = is_unit_length(numbers)
    if is_quaternion and unit not in UNIT_LABELS:
        return TextReadings(read_quaternion_orders(numbers), "Which number is the scalar?")
    if not any(is_axis) and unit in UNIT_LABELS and math.hypot(*numbers[:3]) > 0.0:
        is_axis[0] = True
    readings: list[Reading] = []
    for begins_with_axis, is_it in zip((True, False), is_axis, strict=True):
        if is_it:
            axis, angle = (numbers[:3], numbers[3]) if begins_with_axis else (numbers[1:], numbers[0])
            for each in possible_units([angle], unit):
                order = "axis, then angle" if begins_with_axis else "angle, then axis"
                choice = f"{order}, {UNIT_LABELS[each]}"
                source = "An axis and an angle"
                readings.append(read_orientation("axis-angle", [*axis, angle], each, source=source, choice=choice))
    if not readings:
        length = math.hypot(*numbers)
        reason = (
            f"The four numbers have length {length:.4g}: a quaternion has length 1, and so have the three numbers of an"
            " axis beside its angle."
        )
        return TextReadings(reason=reason)
    if len(readings) == 1:
        return TextReadings((readings[0],))
    return TextReadings(tuple(readings), "How are axis and angle written?")


def position_of(numbers: Sequence[Numeral], unit: str) -> tuple[list[Numeral], tuple[str, ...]]:
    """Return a position in metres and what was assumed of its unit."""
    if unit in ("m", "mm", "cm"):
        return in_metres(numbers, unit), ()
    if max(map(abs, numbers), default=0.0) >= FAR:
        return in_metres(numbers, "mm"), ("position in millimetres",)
    return list(numbers), ("position in metres",)


def _read_six(numbers: Sequence[Numeral], unit: str) -> TextReadings:
    p, assumed = position_of(numbers[:3], unit)
    angles = numbers[3:]
    source = "A position and three numbers of an orientation"
    forms = [("extrinsic xyz", each, "roll, pitch, yaw") for each in possible_units(angles, unit)]
    if "rad" in possible_units(angles, unit):
        forms.append(("rotation-vector", "rad", "rotation vector"))
    if "deg" in possible_units(angles, unit):
        forms.append(("axes ZYX", "deg", "angles about z, y, x"))
    if len(forms) < MOST_READINGS and "deg" in possible_units(angles, unit):
        forms.append(("axes XYZ", "deg", "angles about moving x, y, z"))
    readings = tuple(
        read_orientation(
            form, angles, each, source=source, p=p, assumed=assumed, choice=f"{label}, {UNIT_LABELS[each]}"
        )
        for form, each, label in forms[:MOST_READINGS]
    )
    return TextReadings(readings, "What are the last three numbers?")


def _read_seven(
    numbers: Sequence[Numeral], unit: str, source: str = "A position and a quaternion", n: str = "7"
) -> TextReadings:
    readings: list[Reading] = []
    for begins_with_p in (True, False):
        p, q = (numbers[:3], numbers[3:]) if begins_with_p else (numbers[4:], numbers[:4])
        if is_unit_length(q):
            metres, assumed = position_of(p, unit)
            for form, label in (("quaternion xyzw", "x y z w"), ("quaternion wxyz", "w x y z")):
                order = f"position, then {label}" if begins_with_p else f"{label}, then position"
                readings.append(read_orientation(form, q, source=source, p=metres, choice=order, assumed=assumed))
    if not readings:
        return TextReadings(
            reason=f"Found {n} without a quaternion: neither the first nor the last four have length 1."
        )
    return TextReadings(tuple(readings), "In which order are the numbers?")


def _homogeneous(numbers: Sequence[float]) -> str:
    """Return whether sixteen numbers end with the row 0 0 0 1 (``"rows"``) or the column (``"columns"``)."""
    for layout, indices in (("rows", (12, 13, 14, 15)), ("columns", (3, 7, 11, 15))):
        if max(abs(numbers[i] - (i == 15)) for i in indices) < 1e-2:
            return layout
    return ""


DIRECTION = "What does the matrix do?"
DIRECTIONS = (("matrix active", "frame into parent"), ("matrix passive", "parent into frame"))
"""Directions of a matrix, with their labels."""


def _read_matrix(numbers: Sequence[Numeral], unit: str) -> TextReadings:
    if len(numbers) == 9:
        return _read_nine(numbers)
    layout, p_indices, indices = "rows", (3, 7, 11), _rotation_rows(numbers)
    if len(numbers) == 16:
        layout = _homogeneous(numbers)
        if not layout:
            return TextReadings(reason="Found 16 numbers whose last row is not 0 0 0 1: expected the matrix of a pose.")
        p_indices = (3, 7, 11) if layout == "rows" else (12, 13, 14)
        indices = (0, 1, 2, 4, 5, 6, 8, 9, 10)
        numbers = [scaled(number, 1.0 / float(numbers[15])) if i != 15 else number for i, number in enumerate(numbers)]
    elif indices is None:
        indices = (0, 1, 2, 4, 5, 6, 8, 9, 10)
        if np.abs(np.linalg.norm(np.reshape(numbers, (3, 4))[:, :3], axis=1) - 1.0).max() > 1.0:
            return TextReadings(reason="Found 12 numbers that are no pose: the axes in them are not of unit length.")
    elif indices == tuple(range(9)):
        p_indices = (9, 10, 11)
    rotation = [numbers[i] for i in indices]
    if layout == "columns":
        rotation = [rotation[3 * k + i] for i in range(3) for k in range(3)]
    p = [numbers[i] for i in p_indices]
    units = (unit,) if unit in ("m", "mm", "cm") else ("m", "mm") if max(map(abs, p)) >= FAR else ("m",)
    assumed = ("position in metres",) if units == ("m",) and not unit and any(p) else ()
    names = {"m": "metres", "mm": "millimetres", "cm": "centimetres"}
    source = "The matrix of a pose" + (", column by column" if layout == "columns" else "")
    readings: list[Reading] = []
    for each in units:
        suffix = f", {names[each]}" if len(units) > 1 else ""
        reading = read_orientation(
            "matrix active", rotation, source=source, p=in_metres(p, each), assumed=assumed,
            choice=f"frame into parent{suffix}",
        )  # fmt: skip
        readings.append(reading)
        if reading.fault:
            return TextReadings((reading,))
        inverse = invert(reading)
        readings.append(_with_choice(inverse, f"parent into frame{suffix}"))
    return TextReadings(tuple(readings), DIRECTION)


def _with_choice(reading: Reading, choice: str) -> Reading:
    return replace(reading, choice=choice, form="matrix passive")


def _read_nine(numbers: Sequence[Numeral]) -> TextReadings:
    M = np.reshape([float(number) for number in numbers], (3, 3))
    if np.abs(np.linalg.norm(M, axis=1) - 1.0).max() > 1.0 and rotation_fault(M):
        return TextReadings(reason="Found 9 numbers that are no rotation: its axes would not be of unit length.")
    readings = [read_orientation(form, numbers, source="A matrix", choice=label) for form, label in DIRECTIONS]
    if readings[0].fault:
        return TextReadings((_without_choice(readings[0]),))
    if np.abs(M - M.T).max() < 1e-12:
        return TextReadings((_without_choice(readings[0]),))
    return TextReadings(tuple(readings), DIRECTION)


def _without_choice(reading: Reading) -> Reading:
    return replace(reading, choice="")

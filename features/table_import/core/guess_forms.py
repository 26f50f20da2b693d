"""Guess of the form of an orientation that names leave open, and conventions stated in lines above a table."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from framescope.core.kernels.validation import EXTRINSIC_SEQUENCES, SEQUENCES, Array
from framescope.core.recordings.columns.column_names import COMPASS, Named, unit_of
from framescope.core.recordings.columns.reasons import Reason
from framescope.core.scene.schema.quantities import UNITS
from framescope.features.table_import.core.answers import GIVEN
from framescope.features.table_import.core.choices import Choices, Group
from framescope.features.table_import.core.guess_conventions import has_z_down

_ABOUT_AXES = re.compile(r"(^|[._\s/\-])(r|rot|rotation)[._\s]?\[?[xyz012]\]?\W*([\[(].*)?$", re.IGNORECASE)
_SEQUENCE = re.compile(r"(?:rotation|euler|angle)\w*\W*(?:type|order|sequence|convention)\W+([XYZxyz]{3})\b")
_ORDER = re.compile(r"\b(wxyz|xyzw|w[ ,]+x[ ,]+y[ ,]+z|x[ ,]+y[ ,]+z[ ,]+w)\b", re.IGNORECASE)
_RATE = re.compile(
    r"(?:rate|frequency|hz|fps)\b[^0-9\n]{0,12}([0-9]+(?:\.[0-9]+)?)|([0-9]+(?:\.[0-9]+)?) ?hz", re.IGNORECASE
)
_STATED = (
    (
        "position_unit",
        "length",
        re.compile(r"(?:length|position|translation|distance|coordinate)\w*\W*(?:units?|in)?\W+([\w°\"]+)"),
    ),
    (
        "angle_unit",
        "angle",
        re.compile(r"(?:angle|angular|rotation|orientation|euler|heading)\w*\W*(?:units?|in)?\W+([\w°]+)"),
    ),
    ("time_unit", "recorded time", re.compile(r"(?:time|timestamp)\w*\W*(?:units?|in)\W+([\wµ]+)")),
)


def settle_forms(
    choices: Choices, named: Mapping[str, Named], values: Mapping[str, Array], reasons: dict[str, Reason]
) -> Choices:
    """Return the choices with the form of an orientation that names leave open, and add the reasons."""
    group = next((group for group in choices.groups if group.orientation), Group())
    columns = [column for column in group.orientation if column]
    if choices.form == "axes" and len(columns) == 3:
        return _turns(choices, columns, named, values, reasons)
    if choices.form == "heading" and columns:
        name = columns[0].lower()
        is_compass = any(word in name for word in COMPASS)
        if is_compass and has_z_down(choices):
            reasons["counts"] = Reason(
                "a heading usually turns clockwise from north, about z where z points down", 0.45
            )
            return replace(choices, counts="counterclockwise")
        if is_compass:
            why = Reason("a heading usually turns clockwise from north, where y points", 0.45)
            reasons["counts"] = why
            return replace(choices, counts="compass")
        reasons["counts"] = Reason("counterclockwise from x, as is usual", 0.6)
    if choices.form == "rotation vector" and any("rodrigues" in column.lower() for column in columns):
        text = "the axis times the angle, as OpenCV has it; Rodrigues parameters are the axis times tan(angle / 2)"
        reasons["form"] = Reason(text, 0.7)
    if choices.form == "matrix" and len(columns) == 9:
        return _matrix(choices, columns, named, values, reasons)
    return choices


def _turns(
    choices: Choices,
    columns: list[str],
    named: Mapping[str, Named],
    values: Mapping[str, Array],
    reasons: dict[str, Reason],
) -> Choices:
    """Return the choices with three angles about x, y and z as a rotation vector where they may be one."""
    if reasons["form"] == GIVEN:
        return choices
    kinds = {named[column].kind for column in columns}
    if kinds <= {"axis angle", "quaternion"} and all(_ABOUT_AXES.search(column) for column in columns):
        size = max((float(np.nanmax(np.abs(values[column]))) for column in columns if column in values), default=0.0)
        in_degrees = {named[column].unit for column in columns} == {"deg"} or size > 2.0 * np.pi
        text = "turns about x, y and z: a rotation vector, or three angles"
        reasons["form"] = Reason(text, 0.4, ("axes", "rotation vector"))
        return choices if in_degrees else replace(choices, form="rotation vector")
    if kinds == {""}:  # guessed by their place alone
        reasons["form"] = replace(reasons["form"], alternatives=("axes", "rotation vector", "none"))
    return choices


def _matrix(
    choices: Choices,
    columns: list[str],
    named: Mapping[str, Named],
    values: Mapping[str, Array],
    reasons: dict[str, Reason],
) -> Choices:
    """Return the choices with the element order of a matrix, by its names or by its fourth row and column."""
    if all(named[column].kind == "matrix" for column in columns):
        reasons["major"] = Reason("the names of the columns say so")
        return _transpose_if_by_columns(choices, named, values, reasons)
    if "matrix" in reasons["form"].text:
        choices = replace(choices, major="column" if "column by column" in reasons["form"].text else "row")
        reasons["major"] = Reason("where the translation and the zeros stand", reasons["form"].confidence)
    else:
        reasons["major"] = Reason("nine numbers are three rows, or three columns", 0.45)
    return choices


def _transpose_if_by_columns(
    choices: Choices, named: Mapping[str, Named], values: Mapping[str, Array], reasons: dict[str, Reason]
) -> Choices:
    """Return the choices with each 4x4 matrix transposed that has its translation in the last row."""
    elements = {
        (named[column].prefix, named[column].component): column for column in named if named[column].kind == "matrix"
    }
    groups: list[Group] = []
    for group in choices.groups:
        own = [named[column].component for column in group.orientation if column]
        prefix = next((named[column].prefix for column in group.orientation if column), "")
        first = 0 if any("0" in key for key in own) else 1
        last = first + 3
        below = [elements.get((prefix, f"{last}{j}")) for j in range(first, last)]
        beside = [elements.get((prefix, f"{i}{last}")) for i in range(first, last)]
        if all(below) and all(beside) and all(column in values for column in (*below, *beside)):
            zeros = [float(np.nanmax(np.abs(np.stack([values[str(c)] for c in part])))) for part in (below, beside)]
            if zeros[0] > 1e-9 > zeros[1]:
                transposed = tuple(group.orientation[3 * j + i] for i in range(3) for j in range(3))
                groups.append(replace(group, position=tuple(below), orientation=transposed))
                reasons["major"] = Reason("the translation stands in the last row: turned over", 0.97)
                reasons["position"] = Reason("the last row of the matrix", 0.97)
                continue
        groups.append(group)
    major = "row" if tuple(groups) == choices.groups else "column"
    return replace(choices, groups=tuple(groups), major=major)


def with_stated_conventions(choices: Choices, preamble: Iterable[str], reasons: dict[str, Reason]) -> Choices:
    """Return the choices with units, order, sequence and rate from lines above the table, and add the reasons."""
    if choices.format != "table" and reasons["format"].confidence >= 1.0:
        return choices
    stated = Reason("a line above the table says so")
    for line in preamble:
        for key, dimension, pattern in _STATED:
            match = pattern.search(line.lower())
            unit = unit_of(match[1]) if match else ""
            if unit in UNITS[dimension] and _is_weak(reasons.get(key)):
                choices, reasons[key] = _set_word(choices, key, unit), stated
        if choices.form == "axes" and (match := _SEQUENCE.search(line)) and _is_weak(reasons.get("sequence")):
            sequence = match[1] if match[1] in (*SEQUENCES, *EXTRINSIC_SEQUENCES) else ""
            if sequence:
                why = Reason(f"a line above the table says {sequence}; moving axes are assumed", 0.6)
                choices, reasons["sequence"] = replace(choices, sequence=sequence), why
        if choices.form == "quaternion" and (match := _ORDER.search(line)) and _is_weak(reasons.get("order")):
            order = re.sub(r"[ ,]", "", match[1].lower())
            choices, reasons["order"] = _set_word(choices, "order", order), stated
        if choices.time is None and (match := _RATE.search(line)):
            hz = float(match[1] or match[2])
            if hz > 0.0:
                why = Reason(f"a line above the table speaks of {hz:g} Hz", 0.7)
                choices, reasons["rate_hz"] = replace(choices, rate_hz=hz), why
    return choices


def _set_word(choices: Choices, key: str, word: str) -> Choices:
    """Return the choices with one field set; a known format with another value becomes ``"table"``."""
    changes: dict[str, Any] = {key: word}
    return replace(choices, format=choices.format if getattr(choices, key) == word else "table", **changes)


def _is_weak(reason: Reason | None) -> bool:
    return reason is not None and reason.certainty in ("assumed", "open")

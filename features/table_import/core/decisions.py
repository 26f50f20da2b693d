"""Decisions of an import, each with its reason, its certainty and its alternatives."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from framescope.core.kernels.validation import Array
from framescope.core.recordings.columns.column_names import Named, is_on_earth, read_name
from framescope.core.recordings.columns.guess_time import is_row_count
from framescope.core.recordings.columns.reasons import Certainty, Reason
from framescope.core.recordings.tables.mixed import MixedTable
from framescope.core.recordings.tables.split_timestamps import is_week, is_week_time, read_as_twin
from framescope.core.scene.schema.quantities import UNITS
from framescope.features.table_import.core.answers import CHOICES, GIVEN, NONE
from framescope.features.table_import.core.choices import Choices, Group, TableSource
from framescope.features.table_import.core.vectors import vector_sources

MOST_ALTERNATIVES = 30

CERTAINTIES: tuple[Certainty, ...] = ("format", "certain", "assumed", "open")
"""Certainties, from settled to open."""

_SETTLED_BY = {
    "holds": "give the columns of each vector, or the columns of the pose",
    "time": "choose the column, or give the rate",
    "time_unit": "give the unit, or the rate of the samples",
    "rate": "give the number of rows per second",
    "position": "choose its columns",
    "position_unit": "give the unit, or measure one distance",
    "orientation": "choose its form and its columns",
    "quaternion": "give the place of the scalar; angular rates in the file, or one known pose, would decide it",
    "matrix": "choose row by row or column by column; one known pose would decide it",
    "sequence": "give the sequence of the axes; angular rates in the file, or one known pose, would decide it",
    "heading": "give the direction in which it counts; a path that the vehicle drives forward would decide it",
    "angle_unit": "give the unit; angular rates in the file would decide it",
    "rotation": "choose frame to parent or parent to frame; angular rates in the file would decide it",
    "direction": "choose frame in parent or parent in frame; the true position at one time would decide it",
    "columns": "choose one of the columns with this name",
    "decimal_comma": "choose decimal marks or thousands separators",
}


@dataclass(frozen=True)
class Decision:
    """One decision of an import.

    Attributes
    ----------
    name
        Name on the command line.
    value, alternatives
        Chosen value, and the other possible ones, the likeliest first.
    reason
        Reason for the value, a phrase.
    certainty
        ``"format"``: the file's format, its names or its header state it; ``"certain"``: its numbers or the user
        settled it; ``"assumed"``: usual, with no evidence against it; ``"open"``: nothing settles it.
    settled_by
        Information that would settle it, a phrase; empty for a settled decision.
    field
        Field of `Choices` that it sets; empty for none.
    """

    name: str
    value: str
    alternatives: tuple[str, ...]
    reason: str
    certainty: Certainty
    settled_by: str = ""
    field: str = ""

    @property
    def is_settled(self) -> bool:
        """Whether no user needs to check it."""
        return self.certainty in ("format", "certain")


def decisions(
    table: MixedTable, choices: Choices, reasons: Mapping[str, Reason], chosen: Sequence[TableSource] = ()
) -> tuple[Decision, ...]:
    """Return the decisions about a table, in the order in which a user would ask.

    Parameters
    ----------
    table
        The table.
    choices, reasons
        Choices, and their reasons by the names of the fields of `Choices`, as
        `framescope.features.table_import.core.guess_columns.guess` returns them.
    chosen
        Measured vectors that the user chose.

    Examples
    --------
    >>> import numpy as np
    >>> from framescope.features.table_import.core.guess_columns import guess
    >>> n = np.arange(20.0)
    >>> columns = {"t_ms": 20 * n, "x": n, "y": 0 * n, "z": 0 * n}
    >>> table = MixedTable("a.csv", tuple(columns), columns, {}, 20)
    >>> read = guess(table, "a.csv")
    >>> [(row.name, row.value, row.certainty) for row in decisions(table, read.choices, read.reasons)][1:5:3]
    [('time', 't_ms', 'format'), ('position', 'x, y, z', 'format')]
    """
    rows = [_mark_ambiguous_open(table, decision) for decision in _all(table, choices, reasons, chosen)]
    return tuple(replace(decision, settled_by="") if decision.is_settled else decision for decision in rows)


def _all(
    table: MixedTable, choices: Choices, reasons: Mapping[str, Reason], chosen: Sequence[TableSource]
) -> Iterator[Decision]:
    yield _decision("format", choices.format, ("table",), reasons.get("format", Reason("")), "format")
    yield from _of_time(table, choices, reasons)
    if choices.names is not None:
        yield _decision("frames", choices.names, (NONE,), reasons.get("names", _GIVEN), "names")
    elif len(choices.groups) > 1:
        names = ", ".join(group.name for group in choices.groups)
        yield _decision("frames", names, (NONE,), Reason("columns of several frames, by their names", 0.7), "groups")
    vectors = chosen or vector_sources(table, choices)
    reason = GIVEN if chosen else Reason("the names of its columns say so")
    if not chosen and any(read_name(column).kind == "bare" for source in vectors[:1] for column in _columns_of(source)):
        reason = Reason("the name of the file speaks of a sensor", 0.6)
    if vectors:
        yield _decision("holds", "vectors", ("poses",), reason, "")
    for source in vectors:
        vector = source.vector
        if vector is not None:
            name = vector.form.replace(" ", "_")
            of_gravity = not chosen and vector.form == "specific force"
            why = Reason("its usual length is that of gravity, as an accelerometer reads it", 0.95)
            yield _decision(name, ", ".join(vector.columns), (), why if of_gravity else reason, "")
            units = tuple(unit for unit, scale in UNITS[vector.form].items() if _is_first(vector.form, unit, scale))
            yield _decision(f"{name}_unit", vector.unit, units, vector.why, "")
    if not vectors:
        yield from _of_poses(table, choices, reasons)
    for note in table.notes:
        if note.kind == "decimal comma" and note.is_doubtful:
            yield _of_marks(table, Reason(note.text, 0.4))


def _columns_of(source: TableSource) -> tuple[str, ...]:
    return () if source.vector is None else source.vector.columns


_MARKS = ("decimal", "thousands")


def _of_marks(table: MixedTable, reason: Reason) -> Decision:
    """Return the decision about commas or points in numbers; a column named after it has the other reading."""
    for word, other in (_MARKS, _MARKS[::-1]):
        twins = [column for column in table.order if column.endswith(f" ({word})")]
        if twins:
            is_chosen = read_as_twin(twins[0]) not in table.order
            return _decision("decimal_comma", word if is_chosen else other, _MARKS, GIVEN if is_chosen else reason, "")
    return _decision("decimal_comma", "decimal", (), reason, "")


_GIVEN = Reason("chosen", 0.99)


def _of_time(table: MixedTable, choices: Choices, reasons: Mapping[str, Reason]) -> Iterator[Decision]:
    running = [
        column
        for column in table.order
        if column in table.numbers
        and len(table.numbers[column]) > 1
        and not is_week(column)
        and (_runs(table.numbers[column]) or read_name(column).kind == "time" or is_week_time(column))
    ]
    reason = reasons.get("time", _GIVEN)
    if choices.time is None and reason != GIVEN:
        reason = _of_text(table, ("time",)) or reason
    yield _decision("time", choices.time or NONE, (*running, NONE), reason, "time")
    if choices.time is None:
        given = reasons.get("rate_hz", Reason("assumed: there is no column of time, and the rate is unknown", 0.2))
        yield _decision("rate", f"{choices.rate_hz:g}", (), given, "rate_hz")
    elif choices.time not in table.stamps:
        units = tuple(UNITS["recorded time"])
        yield _decision("time_unit", choices.time_unit, units, reasons.get("time_unit", _GIVEN), "time_unit")


def _runs(numbers: Array) -> bool:
    return bool(numbers[-1] > numbers[0] and numbers[len(numbers) // 2] >= numbers[0])


def _of_poses(table: MixedTable, choices: Choices, reasons: Mapping[str, Reason]) -> Iterator[Decision]:
    group = next(iter(choices.groups), Group())
    free = _free(table, choices)
    position = ", ".join(filter(None, group.position)) or NONE
    reason = reasons.get("position", _GIVEN)
    if position == NONE and reason != GIVEN:
        reason = Reason("no columns are left for it", 0.95) if len(free) < 2 else Reason("none was found", 0.4)
        reason = _of_text(table, ("position", "bare")) or reason
        if any(map(is_on_earth, table.order)):
            reason = Reason("latitude and longitude are angles: convert them to metres", 0.6)
    yield _decision("holds", "poses", ("vectors",), _of_content(choices, reasons), "")
    others: tuple[str, ...] = ()
    if position == NONE or not _is_sure(reason):
        others = _triples(table, choices, free, reasons)
    yield _decision("position", position, (*others, NONE), reason, "position")
    if position != NONE:
        units = tuple(UNITS["length"])
        yield _decision(
            "position_unit", choices.position_unit, units, reasons.get("position_unit", _GIVEN), "position_unit"
        )
    form = reasons.get("form", _GIVEN)
    if not group.orientation and form != GIVEN:
        form = _why_none(choices, free, is_position_sure=position != NONE and _is_sure(reason))
        form = _of_text(table, ("quaternion", "matrix", "angle", "axis angle", "rotation vector")) or form
    candidates = free if form.certainty == "format" else _candidates(table, choices, reasons)
    yield _form(choices, group, candidates, form)
    conventions = {
        "quaternion": ("quaternion",),
        "matrix": ("matrix",),
        "axes": ("sequence",),
        "heading": ("heading",),
    }.get(choices.form, ())
    if choices.form == "axes" and choices.sequence == "ZYX" and "counts" in reasons:
        conventions = (*conventions, "heading")
    for name in conventions:
        yield _word(name, choices, reasons)
    if choices.form in ("axes", "heading", "rotation vector"):
        units = tuple(UNITS["angle"])
        yield _decision("angle_unit", choices.angle_unit, units, reasons.get("angle_unit", _GIVEN), "angle_unit")
    if choices.form in ("quaternion", "matrix", "rotation vector"):
        yield _word("rotation", choices, reasons)
    yield _word("direction", choices, reasons)


def _of_text(table: MixedTable, kinds: Sequence[str]) -> Reason | None:
    """Return a reason if a column with a name of these kinds holds text instead of numbers; else None."""
    text_column = next((c for c in table.order if c not in table.numbers and read_name(c).kind in kinds), None)
    if text_column is None:
        return None
    example = f', such as "{table.names[text_column].text(0)}"' if text_column in table.names else ""
    return Reason(f'"{text_column}" has text instead of numbers{example}', 0.3)


def _of_content(choices: Choices, reasons: Mapping[str, Reason]) -> Reason:
    """Return the reason for reading a table as poses."""
    for_poses = [reasons.get(key, _GIVEN) for key in ("position", "form")]
    group = next(iter(choices.groups), Group())
    are_bare = all(column and read_name(column) == Named("bare", "xyz"[i]) for i, column in enumerate(group.position))
    if are_bare and choices.form == "none" and choices.format == "table" and for_poses[0] != GIVEN:
        return Reason("columns called x, y and z are usually a position, but may be those of a sensor", 0.7)
    if choices.form in ("quaternion", "matrix") or any(map(_is_sure, for_poses)):
        return max(for_poses, key=lambda reason: reason.confidence)
    return Reason("numbers without names may be measured vectors, too", 0.4)


def _why_none(choices: Choices, free: Sequence[str], *, is_position_sure: bool) -> Reason:
    """Return the reason for having no orientation: no columns remain, or none has such a name."""
    if is_position_sure and len(choices.groups) == 1 and not free:
        return Reason("no columns are left for it", 0.95)
    if is_position_sure and len(choices.groups) == 1 and len(free) < 3 and not any(map(str.isdigit, free)):
        return Reason("no columns have such names", 0.6)
    return Reason("no such columns were found", 0.4)


def _word(name: str, choices: Choices, reasons: Mapping[str, Reason]) -> Decision:
    field, words = CHOICES[name]
    return _decision(name, getattr(choices, field), words, reasons.get(field, _GIVEN), field)


_THREES = ("axes", "rotation vector")
"""Forms of an orientation in three columns."""


def _form(choices: Choices, group: Group, free: Sequence[str], reason: Reason) -> Decision:
    columns = tuple(filter(None, group.orientation))
    value = f"{choices.form}={','.join(columns)}" if columns else NONE
    others: list[str] = []
    if reason.certainty != "format":
        threes = [",".join(free[i : i + 3]) for i in range(len(free) - 2)]
        threes = threes[-5:] if choices.form in ("none", "axes", "heading", "rotation vector") else []
        own = ",".join(columns) if len(columns) == 3 else ""
        others += [f"{form}={three}" for three in filter(None, (own, *reversed(threes))) for form in _THREES]
        is_one = not columns or choices.form in ("heading", "axes", "rotation vector")
        others += [f"heading={column}" for column in (reversed(free[-6:]) if is_one else ())]
        others.append(NONE)
    return _decision("orientation", value, tuple(others), reason, "form")


def _is_sure(reason: Reason) -> bool:
    return reason.certainty in ("format", "certain")


def _free(table: MixedTable, choices: Choices) -> list[str]:
    """Return the columns of numbers that are not in use and whose names have no other meaning."""
    used = {choices.time, choices.names, choices.parents}
    for group in choices.groups:
        used |= {*group.position, *group.orientation}
    return [
        column
        for column in table.own
        if column in table.numbers
        and column not in used
        and (named := read_name(column)).kind not in ("time", "other", "frame", "parent")
        and not is_row_count(column, named, table.numbers[column])
    ]


def _candidates(table: MixedTable, choices: Choices, reasons: Mapping[str, Reason]) -> list[str]:
    """Return the columns of numbers that may be part of a pose, an uncertain time among them."""
    time = choices.time if _is_sure(reasons.get("time", _GIVEN)) else None
    return [
        column
        for column in table.own
        if column in table.numbers
        and column != time
        and (named := read_name(column)).kind not in ("time", "other", "frame", "parent")
        and not is_row_count(column, named, table.numbers[column])
    ]


def _triples(
    table: MixedTable, choices: Choices, free: Sequence[str], reasons: Mapping[str, Reason]
) -> tuple[str, ...]:
    """Return consecutive columns that could be the position instead."""
    columns = _candidates(table, choices, reasons)
    groups = choices.groups if choices.form in ("quaternion", "matrix") else ()
    oriented = {column for group in groups for column in group.orientation}
    columns = [column for column in columns if column not in oriented or column in free]
    threes = [", ".join(columns[i : i + 3]) for i in range(len(columns) - 2)]
    twos = [", ".join(columns[:2])] if len(columns) >= 2 else []
    return (*threes[:8], *twos)


_OF_COLUMNS = ("time", "position", "orientation", "angular_velocity", "acceleration", "specific_force", "velocity")
"""Decisions whose values are columns."""


def _mark_ambiguous_open(table: MixedTable, decision: Decision) -> Decision:
    """Return a decision, as an open one where several columns have the name of a chosen column."""
    if decision.name not in _OF_COLUMNS:
        return decision
    used = re.split(r", ?|=", decision.value)
    twins = {
        column: [other for other in table.order if re.fullmatch(re.escape(column) + r" \(\d+\)", other)]
        for column in used
    }
    others = [
        _replace_column(decision.value, column, other)
        for column, same_name in twins.items()
        if column
        for other in same_name
    ]
    whole = decision.value
    for column in used:
        if column and twins[column]:
            whole = _replace_column(whole, column, twins[column][0])
    others = [whole, *others] if whole != decision.value else others
    if not others or decision.reason == GIVEN.text:
        return decision
    return replace(
        decision,
        alternatives=tuple(dict.fromkeys((*others, *decision.alternatives)))[:MOST_ALTERNATIVES],
        reason="the first of several columns of one name",
        certainty="open",
        settled_by=_SETTLED_BY["columns"],
    )


def _replace_column(value: str, column: str, other: str) -> str:
    """Return a list of columns, a text, with one column replaced."""
    return re.sub(rf"(?<![^,= ]){re.escape(column)}(?![^,])", lambda _: other, value)


def _is_first(form: str, unit: str, scale: float) -> bool:
    """Return whether a unit is the first of the spellings with its scale."""
    return next(name for name, value in UNITS[form].items() if value == scale) == unit


def _decision(name: str, value: str, words: Sequence[str], reason: Reason, field: str) -> Decision:
    others = tuple(dict.fromkeys(word for word in words if word != value))[
        : max(MOST_ALTERNATIVES, len(CHOICES_OF_MANY.get(name, ())))
    ]
    settled_by = _SETTLED_BY.get(name, "give the unit" if name.endswith("_unit") else "say it")
    return Decision(name, value, others, reason.text, reason.certainty, settled_by, field)


CHOICES_OF_MANY = {"sequence": CHOICES["sequence"][1]}
"""Decisions whose alternatives are all listed, beyond the usual limit."""

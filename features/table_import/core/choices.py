"""Choices that turn a table into recorded motions: columns, units and conventions."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Literal, cast

import numpy as np

from framescope.core.recordings.columns.reasons import Reason
from framescope.core.recordings.tables.mixed import MixedTable, Names
from framescope.core.scene.schema import motions
from framescope.core.scene.schema.quantities import Quantity

Format = Literal["tum", "kitti", "euroc", "table"]
Pose = Literal["frame in parent", "parent in frame"]
Maps = Literal["frame to parent", "parent to frame"]
Counts = Literal["counterclockwise", "clockwise", "compass"]
Major = Literal["row", "column"]
VectorForm = Literal["velocity", "acceleration", "specific force", "angular velocity", "angular acceleration"]

FORMS = {"none": 0, "heading": 1, "axes": 3, "rotation vector": 3, "quaternion": 4, "matrix": 9}
"""Number of columns of each form of an orientation."""

NO_ROLE = ""
LETTERS: dict[VectorForm, str] = {
    "velocity": "v",
    "acceleration": "a",
    "specific force": "f",
    "angular velocity": "ω",
    "angular acceleration": "α",
}
"""Short symbol of each form of a measured vector."""

MAX_FRAMES = 100
"""Frames of one table that the dialog offers at first."""

MOST_FRAMES = 1000
"""Largest number of frames of one table that the dialog offers."""


@dataclass(frozen=True)
class Group:
    """Columns of one frame, or of every frame where a column names the frame of each row.

    A column that is not known yet is None. `name` is the common part of the column names, empty for a single group.
    `orientation` has one place for each column of its form, in the order of the convention. A position may be x and y
    alone: z is zero then.
    """

    name: str = ""
    position: tuple[str | None, ...] = (None, None, None)
    orientation: tuple[str | None, ...] = ()

    @property
    def has_position(self) -> bool:
        """Whether all three columns of the position are known, or x and y."""
        return all(self.position[:2])

    @property
    def is_planar(self) -> bool:
        """Whether the position is x and y alone."""
        return self.has_position and not self.position[2]

    @property
    def is_empty(self) -> bool:
        """Whether no column is known."""
        return not any(self.position) and not any(self.orientation)

    def missing(self) -> str:
        """Return a sentence about the missing columns; empty for a usable group."""
        if any(self.position) and not self.has_position:
            return "Of the position " + _which("xyz", self.position) + " is missing: give a column that role, or none."
        if not all(self.orientation):
            n = sum(1 for column in self.orientation if column)
            return f"The orientation has {n} of {len(self.orientation)} columns: give the others their roles."
        if self.is_empty:
            return "Neither a position nor an orientation is chosen: give columns their roles."
        return ""


@dataclass(frozen=True)
class Choices:
    """Choices for reading a table.

    Attributes
    ----------
    format
        Format name in the scene file; the columns of ``"table"`` are listed there.
    time, time_unit
        Column of time and its unit; None for a table without times.
    rate_hz
        Rows per second of a table without times.
    is_rate_chosen
        Whether the user gave the rate.
    groups
        Columns of position and orientation, all of the same form and conventions.
    every
        Stride of the rows of each frame: 1 imports all, 2 every second one.
    names, parents
        Columns that name the frame, and its parent, of each row; None without such a column.
    major
        Order of a matrix's numbers in the file, row by row or column by column. `groups` lists its columns row by row
        either way.
    bandwidth_hz
        Bandwidth of the rates; None derives it from the noise of the samples.
    orientation_bandwidth_hz
        Bandwidth of the rates of the orientation; None is `bandwidth_hz`, or derived from the noise without it.
    mends
        Fixes to apply to the rows, see `framescope.core.scene.schema.motions.Recorded`.
    counts
        Direction in which a heading counts, see `framescope.core.scene.schema.motions.HeadingColumn`.
    """

    format: Format = "table"
    time: str | None = None
    time_unit: str = "s"
    rate_hz: float = 100.0
    is_rate_chosen: bool = False
    groups: tuple[Group, ...] = (Group(),)
    names: str | None = None
    parents: str | None = None
    position_unit: str = "m"
    form: str = "quaternion"
    order: str = "xyzw"
    maps: Maps = "frame to parent"
    sequence: str = "ZYX"
    counts: Counts = "counterclockwise"
    major: Major = "row"
    angle_unit: str = "rad"
    pose: Pose = "frame in parent"
    bandwidth_hz: float | None = None
    orientation_bandwidth_hz: float | None = None
    every: int = 1
    start_s: float = 0.0
    mends: tuple[motions.Mend, ...] = ()


@dataclass(frozen=True)
class Vector:
    """Three columns that hold a vector over time, with a guess of its form and unit.

    Attributes
    ----------
    form
        Form as in `framescope.core.scene.schema.measured.MeasuredVector`.
    columns
        Columns of x, y and z.
    unit, why
        Unit, and the reason for it.
    """

    form: VectorForm
    columns: tuple[str, str, str]
    unit: str
    why: Reason


@dataclass(frozen=True)
class TableSource:
    """One frame or one measured vector of a table.

    `value` is the name in the rows of the frame; None where the frame has all rows. A measured vector has `vector` and
    an empty group.
    """

    group: Group
    value: str | float | None = None
    parent: str = ""
    label: str = field(default="")
    vector: Vector | None = None


def sources(table: MixedTable, choices: Choices, most: int = MAX_FRAMES) -> tuple[TableSource, ...]:
    """Return the frames of a table under these choices; the first `most` of them."""
    frames: list[TableSource] = []
    for value, parent in _values(table, choices, most):
        for group in choices.groups:
            if value is None:
                label = group.name
            else:
                label = f"{value} {group.name}".strip() if isinstance(value, str) else f"{value:g} {group.name}".strip()
            frames.append(TableSource(group, value, parent, label))
    return tuple(frames[:most])


def n_sources(table: MixedTable, choices: Choices) -> int:
    """Return the number of all frames of a table under these choices."""
    column = choices.names
    n = 1
    if column is not None and column in table.numbers:
        numbers = table.numbers[column]
        n = len(np.unique(numbers[np.isfinite(numbers)]))
    elif column is not None and column in table.names:
        n = len(_first_rows(table.names[column]))
    return n * len(choices.groups)


def _values(table: MixedTable, choices: Choices, most: int) -> list[tuple[str | float | None, str]]:
    column = choices.names
    if column is not None and column in table.numbers:
        numbers = table.numbers[column]
        values, first = np.unique(numbers[np.isfinite(numbers)], return_index=True)
        return [(value, "") for value in values[np.argsort(first)[:most]].tolist()]
    parents = table.names.get(choices.parents or "")
    if column is None or column not in table.names:
        stated = () if parents is None else tuple(name for name in parents.values if name)
        return [(None, stated[0] if len(stated) == 1 else "")]
    rows = islice(_first_rows(table.names[column]).items(), most)
    return [(value, "" if parents is None else parents.text(row)) for value, row in rows]


def _first_rows(texts: Names) -> dict[str, int]:
    """Return the first row of each text of a column, without the empty text."""
    first = np.full(len(texts.values), -1)
    first[texts.codes[::-1]] = np.arange(len(texts.codes))[::-1]
    return {value: row for value, row in zip(texts.values, first.tolist(), strict=True) if value and row >= 0}


def motion_of(
    choices: Choices, source: TableSource, file: str, mends: tuple[motions.Mend, ...] = ()
) -> motions.Recorded:
    """Return the recorded motion, as a scene holds it, for one frame of a table.

    Parameters
    ----------
    file
        Name of the table in the scene file.
    mends
        Fixes for the rows of this frame. "drop missing" makes the scene list the columns, whatever the format.

    Raises
    ------
    ValueError
        When columns are still missing, with the text of `Group.missing`.
    """
    if missing := source.group.missing():
        raise ValueError(missing)
    if "drop missing" in mends:
        choices = replace(choices, format="table")
    is_table = choices.format == "table"
    has_rate = choices.format == "kitti" or (is_table and choices.time is None)
    return motions.Recorded(
        file=file,
        format=choices.format,
        bandwidth=_hertz(choices.bandwidth_hz),
        orientation_bandwidth=_hertz(choices.orientation_bandwidth_hz) if source.group.orientation else None,
        start=Quantity(choices.start_s, "s"),
        columns=columns_of(choices, source.group) if is_table else None,
        rows=motions.RowsWhere(column=choices.names, value=source.value)
        if is_table and choices.names is not None and source.value is not None
        else None,
        every=choices.every,
        pose=choices.pose,
        rate=Quantity(choices.rate_hz, "Hz") if has_rate else None,
        mends=mends,
    )


def _hertz(value: float | None) -> Quantity | None:
    return None if value is None else Quantity(value, "Hz")


def columns_of(choices: Choices, group: Group) -> motions.PoseColumns:
    """Return the columns of a group as a scene lists them, without an incomplete position or orientation."""
    has_orientation = bool(group.orientation) and all(group.orientation)
    return motions.PoseColumns(
        time=choices.time,
        time_unit=choices.time_unit if choices.time is not None else None,
        position=_position(group),
        position_unit=choices.position_unit if group.has_position else None,
        orientation=_orientation(choices, cast("tuple[str, ...]", group.orientation)) if has_orientation else None,
    )


def _position(group: Group) -> tuple[str, str, str] | tuple[str, str] | None:
    known = tuple(filter(None, group.position))
    return cast("tuple[str, str, str] | tuple[str, str]", known) if group.has_position else None


def _orientation(choices: Choices, names: tuple[str, ...]) -> motions.OrientationColumns:
    if choices.form == "quaternion":
        four = cast("tuple[str, str, str, str]", names)
        return motions.QuaternionColumns(columns=four, order=choices.order, maps=choices.maps)
    if choices.form == "matrix":
        return motions.MatrixColumns(columns=names, maps=choices.maps)
    if choices.form == "heading":
        return motions.HeadingColumn(column=names[0], unit=choices.angle_unit, counts=choices.counts)
    three = cast("tuple[str, str, str]", names)
    if choices.form == "rotation vector":
        return motions.RotationVectorColumns(columns=three, unit=choices.angle_unit, maps=choices.maps)
    counts = choices.counts if choices.sequence == "ZYX" else "counterclockwise"
    return motions.AngleColumns(columns=three, sequence=choices.sequence, unit=choices.angle_unit, counts=counts)


def nth(n: int) -> str:
    """Return an ordinal number as text.

    >>> nth(2), nth(3), nth(12), nth(21)
    ('2nd', '3rd', '12th', '21st')
    """
    ends = "th" if n % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(n % 10, "th")
    return f"{n}{ends}"


# --- Roles


def role_names(choices: Choices) -> tuple[str, ...]:
    """Return the roles that a column can have in the chosen form, in the order of a menu."""
    return ("time", "frame name", "x", "y", "z", *orientation_roles(choices))


def orientation_roles(choices: Choices) -> tuple[str, ...]:
    """Return the roles of the columns of the orientation, in the order of the convention.

    >>> orientation_roles(Choices(order="wxyz")), orientation_roles(Choices(form="axes", sequence="ZYX"))
    (('qw', 'qx', 'qy', 'qz'), ('1st Z', '2nd Y', '3rd X'))
    """
    match choices.form:
        case "quaternion":
            return tuple(f"q{letter}" for letter in choices.order)
        case "matrix":
            return tuple(f"r{i}{j}" for i in "123" for j in "123")
        case "axes":
            return tuple(f"{nth} {axis}" for nth, axis in zip(("1st", "2nd", "3rd"), choices.sequence, strict=True))
        case "rotation vector":
            return ("rx", "ry", "rz")
        case "heading":
            return ("heading",)
        case _:
            return ()


def roles(choices: Choices) -> dict[str, tuple[str, int]]:
    """Return the role of each column in use, and the index of its group."""
    by_column: dict[str, tuple[str, int]] = {}
    if choices.time is not None:
        by_column[choices.time] = ("time", 0)
    if choices.names is not None:
        by_column[choices.names] = ("frame name", 0)
    for i, group in enumerate(choices.groups):
        for role, column in zip("xyz", group.position, strict=True):
            if column:
                by_column.setdefault(column, (role, i))
        for role, column in zip(orientation_roles(choices), group.orientation, strict=False):
            if column:
                by_column.setdefault(column, (role, i))
    return by_column


def with_role(choices: Choices, column: str, role: str, i_group: int = 0) -> Choices:
    """Return the choices with a new role for a column in place of its old one; `NO_ROLE` for none.

    >>> choices = with_role(Choices(), "7", "qw")
    >>> choices.groups[0].orientation, roles(choices)
    ((None, None, None, '7'), {'7': ('qw', 0)})
    """
    groups = [_without(group, column) for group in choices.groups]
    time = None if choices.time == column else choices.time
    names = None if choices.names == column else choices.names
    group = groups[i_group]
    if role == "time":
        time = column
    elif role == "frame name":
        names = column
    elif role in ("x", "y", "z"):
        groups[i_group] = replace(group, position=_replace_slot(group.position, "xyz".index(role), column))
    elif role != NO_ROLE:
        places = orientation_roles(choices)
        slots = group.orientation if len(group.orientation) == len(places) else (None,) * len(places)
        groups[i_group] = replace(group, orientation=_replace_slot(slots, places.index(role), column))
    return replace(choices, format="table", time=time, names=names, groups=tuple(groups))


def with_form(choices: Choices, form: str) -> Choices:
    """Return the choices with another form of the orientation, whose columns are not chosen yet."""
    if form == choices.form:
        return choices
    empty: tuple[str | None, ...] = (None,) * FORMS[form]
    groups = tuple(replace(group, orientation=empty) for group in choices.groups)
    return replace(choices, format="table", form=form, groups=groups)


def _without(group: Group, column: str) -> Group:
    position = tuple(None if name == column else name for name in group.position)
    return replace(
        group,
        position=position,
        orientation=tuple(None if name == column else name for name in group.orientation),
    )


def _replace_slot(slots: tuple[str | None, ...], i: int, column: str) -> tuple[str | None, ...]:
    return (*slots[:i], column, *slots[i + 1 :])


def _which(letters: str, columns: tuple[str | None, ...]) -> str:
    return " and ".join(letter for letter, column in zip(letters, columns, strict=True) if not column)

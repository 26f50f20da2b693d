"""User's answers to the decisions of an import, named as on the command line."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, cast, get_args

from framescope.core.errors import FramescopeError, did_you_mean
from framescope.core.kernels.validation import EXTRINSIC_SEQUENCES, SEQUENCES
from framescope.core.recordings.columns.column_names import read_name
from framescope.core.recordings.columns.reasons import Reason
from framescope.core.recordings.tables.split_timestamps import read_as_twin
from framescope.core.scene.schema.motions import Mend
from framescope.core.scene.schema.quantities import UNITS, meant_unit
from framescope.features.table_import.core.choices import FORMS, LETTERS, Choices, Group, VectorForm, with_role

GIVEN = Reason("as you said", 0.99)

NONE = "none"

ALL = get_args(Mend)
"""All fixes of rows."""

UNITS_OF: Mapping[str, tuple[str, str]] = {
    "time": ("time_unit", "recorded time"),
    "position": ("position_unit", "length"),
    "length": ("position_unit", "length"),
    "angle": ("angle_unit", "angle"),
    "angles": ("angle_unit", "angle"),
    "heading": ("angle_unit", "angle"),
    "velocity": ("velocity", "velocity"),
    "acceleration": ("acceleration", "acceleration"),
    "specific force": ("specific force", "specific force"),
    "angular velocity": ("angular velocity", "angular velocity"),
    "angular acceleration": ("angular acceleration", "angular acceleration"),
}
"""Field of `Choices` or form of the vector, and dimension, for each quantity that has a unit."""

CHOICES: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "quaternion": ("order", ("xyzw", "wxyz")),
    "matrix": ("major", ("row", "column")),
    "sequence": ("sequence", (*SEQUENCES, *EXTRINSIC_SEQUENCES)),
    "heading": ("counts", ("counterclockwise", "clockwise", "compass")),
    "rotation": ("maps", ("frame to parent", "parent to frame")),
    "direction": ("pose", ("frame in parent", "parent in frame")),
}
"""Field of `Choices` and its allowed words, for each decision between words."""


@dataclass(frozen=True)
class Answers:
    """User's statements about a table. None means that the user left the decision to the guess.

    Attributes
    ----------
    time
        Column of time; empty for none.
    position
        Three columns, or x and y; empty for none.
    orientation
        Form and its columns.
    rate_hz
        Rows per second of a table without times.
    choices
        Values of fields of `Choices`, by name.
    units
        Units of measured vectors, by form.
    vectors
        Forms of measured vectors with their columns, for a table of vectors instead of poses.
    every
        Stride of the rows: 1 imports all, 2 every second one.
    frames
        Column that names the frame of each row; empty for none.
    mends
        Fixes to apply to rows; `ALL` for every available fix. None applies the safe ones.
    """

    time: str | None = None
    position: tuple[str, ...] | None = None
    orientation: tuple[str, tuple[str, ...]] | None = None
    rate_hz: float | None = None
    choices: Mapping[str, str] = field(default_factory=dict[str, str])
    units: Mapping[str, str] = field(default_factory=dict[str, str])
    vectors: tuple[tuple[VectorForm, tuple[str, str, str]], ...] = ()
    mends: tuple[Mend, ...] | None = None
    every: int | None = None
    frames: str | None = None

    @property
    def are_columns_given(self) -> bool:
        """Whether the user named columns that a known format would fix by itself."""
        answers = (self.position, self.orientation, self.time)
        return bool(self.vectors) or any(answer is not None for answer in answers)

    def with_columns(self, choices: Choices, reasons: dict[str, Reason]) -> Choices:
        """Return the choices with the columns that the user named."""
        if self.vectors:
            return replace(choices, form="none", groups=(Group(),))
        group = choices.groups[0] if choices.groups else Group()
        if self.position is not None:
            padded = (*self.position, None, None, None)[:3]
            others = tuple(None if column in self.position else column for column in group.orientation)
            group = replace(group, position=padded, orientation=others if all(others) else ())
            reasons["position"] = GIVEN
        form = choices.form
        if self.orientation is not None:
            form, columns = self.orientation
            position = group.position if not set(columns) & set(group.position) else (None, None, None)
            group = replace(group, position=position, orientation=columns)
            reasons["form"] = GIVEN
        if not group.orientation:
            form = "none"
        if self.position is None and self.orientation is None:
            return choices
        return replace(choices, form=form, groups=(group,))

    def with_conventions(self, choices: Choices, reasons: dict[str, Reason]) -> Choices:
        """Return the choices with the conventions and units that the user named."""
        for key, value in self.choices.items():
            format_ = choices.format if key == "pose" or getattr(choices, key) == value else "table"
            choices, reasons[key] = replace(_with_word(choices, key, value), format=format_), GIVEN
        if self.rate_hz is not None:
            choices = replace(choices, rate_hz=self.rate_hz, is_rate_chosen=True)
            reasons["rate_hz"] = GIVEN
        if self.every is not None:
            choices = replace(choices, every=self.every)
            reasons["every"] = GIVEN
        return choices


NO_ANSWERS = Answers()


def parse_answers(
    columns: tuple[str, ...],
    words: Mapping[str, str | None],
    units: tuple[str, ...] = (),
    rate_hz: float | None = None,
    vectors: tuple[str, ...] = (),
    mends: tuple[str, ...] = (),
    every: int | None = None,
) -> Answers:
    """Return the answers that options of the command line give.

    Parameters
    ----------
    columns
        Names of all columns of the table.
    words
        Texts of options by the name of the decision; None for an option that is not given.
    units
        Such as ``"position=mm"``.
    rate_hz
        Rows per second.
    vectors
        Such as ``"acceleration=ax,ay,az"``.
    mends
        Words of `framescope.core.scene.schema.motions.Mend`, ``"all"``, or ``"none"``.
    every
        Stride of the rows.

    Raises
    ------
    FramescopeError
        When a column, a word or a unit does not exist.

    Examples
    --------
    >>> answers = parse_answers(("t", "a", "b"), {"quaternion": "wxyz", "position": "a,b"}, ("position=millimetres",))
    >>> answers.position, answers.choices
    (('a', 'b'), {'order': 'wxyz', 'position_unit': 'mm'})
    """
    given = {key: text for key, text in words.items() if text is not None}
    choices: dict[str, str] = {}
    of_vectors: dict[str, str] = {}
    for key, (name, known) in CHOICES.items():
        if key in given:
            choices[name] = _one_of(key, given[key], known)
    for text in units:
        quantity, _, unit = text.partition("=")
        quantity = quantity.strip().replace("_", " ")
        if quantity not in UNITS_OF:
            raise FramescopeError(f'--unit {text}: "{quantity}" is no quantity. {did_you_mean(quantity, UNITS_OF)}')
        name, dimension = UNITS_OF[quantity]
        known_unit = meant_unit(unit.strip(), tuple(UNITS[dimension]))
        if known_unit is None:
            raise FramescopeError(
                f'--unit {text}: "{unit}" is no unit of {dimension}. Use one of: {", ".join(UNITS[dimension])}.'
            )
        (choices if name.endswith("_unit") else of_vectors)[name] = known_unit
    time = given.get("time")
    frames = given.get("frames")
    frames = None if frames is None else "" if frames == NONE else _column("frames", frames, columns)
    position = _position(columns, given["position"]) if "position" in given else None
    orientation = _orientation(columns, given["orientation"]) if "orientation" in given else None
    stamp = None if time is None else "" if time == NONE else _column("time", time, columns)
    measured = tuple(_vector(columns, text) for text in vectors)
    return Answers(stamp, position, orientation, rate_hz, choices, of_vectors, measured, _mends(mends), every, frames)


def parse_marks(word: str | None) -> str:
    """Return the meaning of commas in numbers, ``"decimal"`` or ``"thousands"``; empty without an answer."""
    return "" if word is None else _one_of("decimal-comma", word, ("decimal", "thousands"))


def _mends(words: tuple[str, ...]) -> tuple[Mend, ...] | None:
    if not words:
        return None
    if "all" in words:
        return ALL
    known = [_one_of("mend", word, (*ALL, "all", NONE)) for word in words]
    return tuple(dict.fromkeys(cast("list[Mend]", [word for word in known if word != NONE])))


def _vector(columns: tuple[str, ...], text: str) -> tuple[VectorForm, tuple[str, str, str]]:
    word, _, names = text.partition("=")
    form = _one_of("vector", word.strip().replace("_", " "), tuple(LETTERS))
    xyz = _columns("vector", names, columns)
    if len(xyz) != 3:
        raise FramescopeError(f"--vector {text}: expected three columns with commas between.")
    return cast("VectorForm", form), (xyz[0], xyz[1], xyz[2])


def _position(columns: tuple[str, ...], text: str) -> tuple[str, ...]:
    if text == NONE:
        return ()
    xyz = _columns("position", text, columns)
    if len(xyz) not in (2, 3):
        raise FramescopeError(f"--position {text}: expected three columns with commas between, or x and y, or {NONE}.")
    return xyz


def _orientation(columns: tuple[str, ...], text: str) -> tuple[str, tuple[str, ...]]:
    form, _, names = text.partition("=")
    form = _one_of("orientation", form.strip(), tuple(FORMS))
    components = _columns("orientation", names, columns) if names else ()
    if len(components) != FORMS[form]:
        raise FramescopeError(f"--orientation {text}: {form} has {FORMS[form]} columns, got {len(components)}.")
    return form, components


def _columns(option: str, text: str, columns: tuple[str, ...]) -> tuple[str, ...]:
    plain = {read_as_twin(column): column for column in columns}
    parts = [part.strip() for part in text.split(",")]
    matches: list[str] = []
    while parts:  # a column name may contain commas
        for n in range(len(parts), 0, -1):
            name = ",".join(parts[:n])
            name = name if name in columns else plain.get(name, name)
            if name in columns:
                matches.append(name)
                parts = parts[n:]
                break
        else:
            _column(option, parts[0], columns)
    return tuple(matches)


def _column(option: str, name: str, columns: tuple[str, ...]) -> str:
    name = next((column for column in columns if name and read_as_twin(column) == name not in columns), name)
    if name not in columns:
        raise FramescopeError(f'--{option}: there is no column "{name}". {did_you_mean(name, columns)}')
    return name


def _one_of(option: str, word: str, known: tuple[str, ...]) -> str:
    if word not in known:
        raise FramescopeError(f'--{option}: "{word}" is none of: {", ".join(known)}.')
    return word


def with_answer(choices: Choices, name: str, value: str) -> Choices:
    """Return the choices with one decision changed, as the import dialog changes it.

    >>> with_answer(Choices(), "quaternion", "wxyz").order
    'wxyz'
    """
    if name == "time":
        return with_role(choices, value, "time") if value != NONE else replace(choices, format="table", time=None)
    key = CHOICES[name][0] if name in CHOICES else name
    return replace(_with_word(choices, key, value), format=choices.format if key == "pose" else "table")


def _with_word(choices: Choices, key: str, value: str) -> Choices:
    """Return the choices with one field changed, and the columns reordered where the field is about their order."""
    groups = choices.groups
    if key == "major" and value != choices.major:
        groups = tuple(map(_transpose_matrix, groups))
    if key == "sequence" and choices.form == "axes":
        groups = tuple(_sort_angles(group, value) for group in groups)
    changes: dict[str, Any] = {key: value}
    return replace(choices, groups=groups, **changes)


_AXES = {"roll": "x", "pitch": "y", "yaw": "z", "x": "x", "y": "y", "z": "z"}


def _sort_angles(group: Group, sequence: str) -> Group:
    """Return a group with its angle columns sorted by a sequence; unchanged unless the names give all three axes."""
    by_axis = {_AXES.get(read_name(column).component): column for column in group.orientation if column}
    letters = sequence.lower()
    if set(by_axis) != set("xyz") or set(letters) != set("xyz") or len(letters) != 3:
        return group
    return replace(group, orientation=tuple(by_axis[letter] for letter in letters))


def _transpose_matrix(group: Group) -> Group:
    """Return a group with its matrix columns transposed."""
    names = group.orientation
    return (
        group
        if len(names) != 9
        else replace(group, orientation=tuple(names[3 * j + i] for i in range(3) for j in range(3)))
    )

"""A frame as one row of text: name, parent, position, orientation with its unit, and whether it is optical.

``camera base_link 0.1 0 0.25 0 -10 0 deg optical`` is the frame *camera* in *base_link*. Rows that other programs have
are read, too: a ``static_transform_publisher``, an ``<origin xyz= rpy=>``, and six or seven numbers alone.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from framescope.core import frames
from framescope.core.conventions.code_snippets import single_rotation
from framescope.core.conventions.standard_axes import OPTICAL, body_rotation
from framescope.core.errors import FramescopeError, RefusedError, did_you_mean
from framescope.core.kernels.validation import Array
from framescope.core.orientation import Orientation
from framescope.core.readings import read_text
from framescope.core.readings.numerals import read_numeral
from framescope.core.readings.reading import UNIT_LENGTH
from framescope.core.scene.edits.base import with_item
from framescope.core.scene.edits.items import (
    ItemEdit,
    check_item_name,
    check_sizes,
    free_name,
    taken_names,
    without_items,
)
from framescope.core.scene.edits.new_items import untouched_first_frame
from framescope.core.scene.schema.model import WORLD, Frame, Scene
from framescope.core.scene.schema.poses import Axes, OrientationForm, Position, QuaternionForm

Key = Literal["name", "parent", "x", "y", "z", "roll", "pitch", "yaw", "qx", "qy", "qz", "qw", "unit", "axes"]

PLACE: tuple[Key, ...] = ("x", "y", "z")
ANGLES: tuple[Key, ...] = ("roll", "pitch", "yaw")
QUATERNION: tuple[Key, ...] = ("qx", "qy", "qz", "qw")

LENGTHS = ("m", "mm", "cm")
ANGLE_UNITS = {"deg": "deg", "°": "deg", "degrees": "deg", "rad": "rad", "radians": "rad"}
OPTICAL_WORD = "optical"
PUBLISHER = "static_transform_publisher"
_SMALL_WORDS = {"in", "at", "to", "xyz", "rpy", "pose", "position", "orientation"}
"""Words of sentences that a row may contain."""

MOST = 2_000
"""Largest number of characters of a row."""

_TOKEN = re.compile(r"\"([^\"]*)\"?|'([^']*)'?|[^\s,;\[\](){}]+")
_PASTED = re.compile(r"static_transform_publisher|--(?:child-)?frame-id|<\s*origin\b|\bxyz\s*=|<\s*pose\b")
_CODE = re.compile(
    r"<[^>]*>?|\bxyz\s*=.*|(?:\bros2?\s+run\s+\S+\s+|\brosrun\s+\S+\s+)?static_transform_publisher.*|--.*"
)


@dataclass(frozen=True)
class Word:
    """Word of a row with its place in the text."""

    text: str
    start: int
    end: int
    is_quoted: bool = False


@dataclass(frozen=True)
class RowField:
    """Field of a row: its text as typed or assumed, and the place of the typed text; -1 where nothing is typed."""

    key: Key
    text: str = ""
    start: int = -1
    end: int = -1


@dataclass(frozen=True)
class FrameRow:
    """Reading of a row of text.

    Attributes
    ----------
    fields
        All fields in their order, those that are missing with an empty text.
    problem, at
        What is wrong or missing, in a sentence, and the field; both empty for a row that is complete.
    is_begun
        Whether the row has no mistake so far, and only lacks fields.
    name, frame
        The frame; None while the row has a problem.
    note
        What was assumed, in a sentence; empty for nothing.
    """

    fields: tuple[RowField, ...]
    problem: str = ""
    at: Key | Literal[""] = ""
    is_begun: bool = False
    name: str = ""
    frame: Frame | None = None
    note: str = ""

    def field_at(self, place: int) -> Key:
        """Return the field in which a place of the text is, else the one that follows."""
        typed = [field for field in self.fields if field.start >= 0]
        for field in typed:
            if field.start <= place <= field.end:
                return field.key
        before = [field for field in typed if field.end < place]
        keys: list[Key] = [field.key for field in self.fields]
        after = keys.index(before[-1].key) + 1 if before else 0
        return keys[min(after, len(keys) - 1)]


class _RowError(Exception):
    """Mistake in a field, or a field that is missing."""

    def __init__(self, key: Key, text: str, *, is_begun: bool = False) -> None:
        super().__init__(text)
        self.key: Key = key
        self.text, self.is_begun = text, is_begun


def read_row(text: str, scene: Scene, parent: str = WORLD) -> FrameRow:
    """Return the reading of a row.

    Parameters
    ----------
    text
        Row of text. Names with blanks are quoted.
    scene
        Scene that the frame joins.
    parent
        Parent of a row that names none, such as the selected frame.

    Notes
    -----
    Lengths are in m unless the row says mm or cm. Angles of roll, pitch and yaw, about the fixed axes x, y and z of the
    parent, are in the unit that the row says; without one they are degrees only if one exceeds a full turn of radians.
    Four numbers after the position are a quaternion with the scalar last. The angles of an *optical* frame are those
    of the body that looks along x with z up: the frame itself has z forward, x to the right and y down.

    Examples
    --------
    >>> scene = Scene.model_validate({"frames": {"base_link": {"parent": "world"}}})
    >>> row = read_row("camera base_link 0.1 0 0.25 0 -10 0 deg", scene)
    >>> row.name, row.frame.parent, row.frame.orientation.angles
    ('camera', 'base_link', (0.0, -10.0, 0.0))
    >>> row = read_row("camera base_lnk 0.1 0 0.25", scene)
    >>> row.at, row.problem
    ('parent', 'There is no frame base_lnk. Did you mean "base_link"?')
    """
    if len(text) > MOST:
        return FrameRow(_fields({}), f"The row is longer than {MOST:,} characters.", "name")
    filled: dict[Key, RowField] = {}
    try:
        return _read_pasted(text, scene, parent) if _PASTED.search(text) else _read_typed(text, scene, parent, filled)
    except _RowError as error:
        return FrameRow(_fields(filled), error.text, error.key, error.is_begun)


def insert_row(row: FrameRow, scene: Scene) -> ItemEdit:
    """Return the edit that adds the frame of a row without problem, and selects it.

    The untouched frame of a new scene is replaced.

    Raises
    ------
    RefusedError
        When the row has a problem, or the scene would become too large.
    """
    name, frame = row.name, row.frame
    if frame is None:
        raise RefusedError(row.problem or "the row has no frame")
    first = untouched_first_frame(scene)
    replaced = first if first is not None and frame.parent != first[1] else None

    def apply(scene: Scene) -> Scene:
        if replaced is not None:
            scene = without_items(scene, {replaced})
        return check_sizes(with_item(scene, "frames", name, frame))

    apply(scene)
    return ItemEdit(f"Inserted {name}", apply, (("frames", name),))


def parents_for(row: FrameRow, text: str, place: int, scene: Scene) -> tuple[str, ...]:
    """Return the frames that complete the parent at a place of the text, those that begin with the typed text first."""
    if row.field_at(place) != "parent":
        return ()
    word = next((word for word in _words(text) if word.start <= place <= word.end), None)
    typed = "" if word is None else word.text[: max(place - word.start - word.is_quoted, 0)].casefold()
    names = (WORLD, *scene.frames)
    begun = [name for name in names if name.casefold().startswith(typed)]
    held = [name for name in names if typed and typed in name.casefold() and name not in begun]
    return tuple(name for name in (*begun, *held) if name.casefold() != typed or (len(begun) == 1 and name not in text))


def with_parent(text: str, place: int, name: str) -> tuple[str, int]:
    """Return a row in which a name replaces the word at a place, and the place after it."""
    word = next((word for word in _words(text) if word.start <= place <= word.end), None)
    start, end = (place, place) if word is None else (word.start, word.end)
    written = _quoted(name) + " "
    return text[:start] + written + text[end:].lstrip(), start + len(written)


def _quoted(name: str) -> str:
    """Return a name as a word of a row.

    >>> _quoted("base_link"), _quoted("inner ring")
    ('base_link', '"inner ring"')
    """
    is_plain = bool(re.fullmatch(r"[^\s,;\[\](){}\"']+", name)) and read_numeral(name) is None
    return name if is_plain and name not in _SMALL_WORDS else f"'{name}'" if '"' in name else f'"{name}"'


# --- Typed rows


def _words(text: str) -> Iterator[Word]:
    for match in _TOKEN.finditer(text):
        quoted = next((group for group in match.groups() if group is not None), None)
        yield Word(match[0] if quoted is None else quoted, match.start(), match.end(), quoted is not None)


def _read_typed(text: str, scene: Scene, parent: str, filled: dict[Key, RowField]) -> FrameRow:
    words = [word for word in _words(text) if word.is_quoted or word.text.casefold() not in _SMALL_WORDS]
    n_names = next((i for i, word in enumerate(words) if _is_number(word)), len(words))
    names, rest = words[:n_names], words[n_names:]
    numbers = [word for word in rest if _is_number(word)]
    ends = [word for word in rest if not _is_number(word)]
    if len(names) > 2:
        raise _RowError("x", f"{_shown(names[2])} is no number. A row is: name, parent, x y z, roll pitch yaw.")
    for key, word in zip(("name", "parent"), names, strict=False):
        filled[key] = RowField(key, word.text, word.start, word.end)
    keys = _number_keys(numbers)
    for key, word in zip(keys, numbers, strict=False):
        filled[key] = RowField(key, word.text, word.start, word.end)
    note: list[str] = []
    length, angle, is_optical = _read_ends(ends, filled)
    name = _name(names, scene, filled)
    frame_parent = _parent(names, scene, parent, filled)
    p = _numbers(numbers, keys)
    if len(p) not in (3, 6, 7):
        missing = keys[len(p)] if len(p) < len(keys) else "yaw"
        expected = "x y z" if len(p) < 3 else "roll pitch yaw, or qx qy qz qw" if len(p) < 6 else "seven numbers"
        raise _RowError(missing, f"{missing} is missing: {expected}.", is_begun=True)
    values = [number + 0.0 for number in p]
    if len(values) == 6:
        angle = _angle_unit(values[3:], angle, filled, note)
    elif len(values) == 7:
        _check_quaternion(values[3:], numbers[3:])
    orientation = _orientation(values[3:], angle, is_optical=is_optical)
    position = Position.model_validate({"value": values[:3], "unit": length})
    return FrameRow(
        _fields(filled),
        name=name,
        frame=Frame(parent=frame_parent, position=position, orientation=orientation),
        note=" ".join(note),
    )


def _is_number(word: Word) -> bool:
    if word.is_quoted:
        return False
    return read_numeral(word.text) is not None or bool(re.match(r"[-+.]?\d|[-+]?(?:nan|inf)", word.text, re.IGNORECASE))


def _number_keys(numbers: Sequence[Word]) -> tuple[Key, ...]:
    return (*PLACE, *(QUATERNION if len(numbers) > 6 else ANGLES))


def _numbers(words: Sequence[Word], keys: Sequence[Key]) -> list[float]:
    if len(words) > len(keys):
        raise _RowError("axes", f"There are {len(words)} numbers: expected 3, 6 or 7.")
    values: list[float] = []
    for key, word in zip(keys, words, strict=False):
        value = read_numeral(word.text)
        if value is None or not math.isfinite(value):
            raise _RowError(key, f"{key}: {_shown(word)} is no number.")
        values.append(float(value))
    return values


def _read_ends(words: Sequence[Word], filled: dict[Key, RowField]) -> tuple[str, str, bool]:
    """Return the unit of lengths, the unit of angles, empty without one, and whether the frame is optical."""
    length, angle, is_optical = "m", "", False
    for word in words:
        text = word.text.casefold()
        if text in LENGTHS:
            length = text
            continue
        if text in ANGLE_UNITS:
            angle, key = ANGLE_UNITS[text], "unit"
        elif text and OPTICAL_WORD.startswith(text) and len(text) > 2:
            is_optical, key = text == OPTICAL_WORD, "axes"
            if not is_optical:
                filled["axes"] = RowField("axes", word.text, word.start, word.end)
                raise _RowError("axes", "optical is not complete.", is_begun=True)
        else:
            key = "axes" if "unit" in filled else "unit"
            filled[key] = RowField(key, word.text, word.start, word.end)
            raise _RowError(key, f"{_shown(word)} is unknown here: expected deg, rad, mm, cm or optical.")
        filled[key] = RowField(key, word.text, word.start, word.end)
    return length, angle, is_optical


def _name(names: Sequence[Word], scene: Scene, filled: dict[Key, RowField]) -> str:
    taken = {*taken_names(scene, "frames"), WORLD}
    if not names:
        name = free_name(taken, "frame")
        filled["name"] = RowField("name", name)
        return name
    return _checked_name(names[0].text, scene, taken)


def _checked_name(name: str, scene: Scene, taken: set[str]) -> str:
    try:
        check_item_name(name)
    except RefusedError as error:
        raise _RowError("name", f"{str(error)[:1].upper()}{str(error)[1:]}.") from None
    first = untouched_first_frame(scene)
    if name in taken and ("frames", name) != first:
        raise _RowError("name", f"There is a frame {name} already. {free_name(taken, name)} is free.")
    return name


def _parent(names: Sequence[Word], scene: Scene, parent: str, filled: dict[Key, RowField]) -> str:
    if len(names) < 2:
        filled["parent"] = RowField("parent", parent)
        return parent
    return _checked_parent(names[1].text, scene)


def _checked_parent(name: str, scene: Scene) -> str:
    if name == WORLD or name in scene.frames:
        return name
    raise _RowError("parent", f"There is no frame {name}. {did_you_mean(name, (WORLD, *scene.frames))}".rstrip())


def _angle_unit(angles: Sequence[float], unit: str, filled: dict[Key, RowField], note: list[str]) -> str:
    if unit:
        return unit
    if not any(angles):
        filled["unit"] = RowField("unit", "deg")
        return "deg"
    if max(map(abs, angles)) > 2.0 * math.pi:
        filled["unit"] = RowField("unit", "deg")
        note.append("Degrees: an angle exceeds a full turn of radians.")
        return "deg"
    raise _RowError("unit", "Type deg or rad: the angles may be either.", is_begun=True)


def _check_quaternion(q: Sequence[float], words: Sequence[Word]) -> None:
    size = float(np.linalg.norm(q))
    if abs(size - 1.0) > UNIT_LENGTH:
        texts = " ".join(word.text for word in words)
        raise _RowError("qx", f"{texts} is no quaternion: its length is {size:.3g} instead of 1.")


# --- Frames


def _orientation(turn: Sequence[float], unit: str, *, is_optical: bool) -> OrientationForm | None:
    """Return the orientation of a frame by roll, pitch and yaw, by a quaternion, or none."""
    if is_optical:
        R_PB = _rotation(turn, unit)
        return _by_angles(R_PB @ body_rotation("FLU", OPTICAL).T)
    if not turn:
        return None
    if len(turn) == 3:
        roll, pitch, yaw = turn
        return Axes.model_validate({"sequence": "ZYX", "angles": (yaw, pitch, roll), "unit": unit})
    return QuaternionForm.model_validate({"value": tuple(turn), "order": "xyzw"})


def _rotation(turn: Sequence[float], unit: str) -> Array:
    """Return the rotation (3, 3) of a body in its parent."""
    if not turn:
        return np.eye(3)
    if len(turn) == 4:
        return frames.from_Q(np.array(turn) / np.linalg.norm(turn), np.zeros(3)).T.T
    factor = math.pi / 180.0 if unit == "deg" else 1.0
    roll, pitch, yaw = (factor * angle for angle in turn)
    return frames.axes_rotations("ZYX", [yaw, pitch, roll], np.zeros(3)).T.T


def _by_angles(R_PF: Array) -> Axes:
    """Return a rotation by yaw, pitch and roll in degrees, without the rounding of their computation."""
    angles = frames.axes_rotations_angles(single_rotation(Orientation(R_PF.T, np.zeros(3))), "ZYX")
    yaw, pitch, roll = (float(f"{angle:.10g}") + 0.0 for angle in np.degrees(angles).tolist())
    return Axes(sequence="ZYX", angles=(yaw, pitch, roll), unit="deg")


# --- Pasted rows


def _read_pasted(text: str, scene: Scene, parent: str) -> FrameRow:
    """Read a row that another program has. Words before its code are the name and the parent."""
    filled: dict[Key, RowField] = {}
    is_bare = "--" in text and PUBLISHER not in text and "<" not in text
    try:
        readings = read_text(f"{PUBLISHER} {text}" if is_bare else text)
    except FramescopeError as error:
        raise _RowError("x", str(error)) from None
    reading = readings.settled
    if reading is None or reading.is_list or reading.fault:
        several = reading is not None and reading.is_list
        why = "The text has several poses: paste one line." if several else readings.reason or readings.question
        raise _RowError("x", why or (reading.fault if reading is not None else "The text has no pose."))
    placement = reading.placements[0]
    words = [word for word in _words(_CODE.sub(" ", text)) if word.text.casefold() not in _SMALL_WORDS]
    is_optical = any(word.text.casefold() == OPTICAL_WORD for word in words)
    names = [word.text for word in words if re.match(r"[A-Za-z_/]", word.text) and word.text.casefold() != OPTICAL_WORD]
    name = placement.child or next(iter(names), "")
    of_text = placement.parent or (names[1] if len(names) > 1 and not placement.child else "")
    taken = {*taken_names(scene, "frames"), WORLD}
    p, R = placement.p_PF or (0.0, 0.0, 0.0), placement.R
    orientation = None if R is None else _by_angles(R.T.T)
    angles = (0.0, 0.0, 0.0) if orientation is None else orientation.angles
    for key, value in zip(PLACE, p, strict=True):
        filled[key] = RowField(key, f"{value:.6g}")
    for key, value in zip(ANGLES, reversed(angles), strict=True):
        filled[key] = RowField(key, f"{float(value):.6g}")
    filled["unit"] = RowField("unit", "deg")
    filled["name"], filled["parent"] = RowField("name", name), RowField("parent", of_text or parent)
    if is_optical:
        filled["axes"] = RowField("axes", OPTICAL_WORD)
        R_PB = np.eye(3) if R is None else R.T.T
        orientation = _by_angles(R_PB @ body_rotation("FLU", OPTICAL).T)
    elif R is not None and reading.form == "quaternion xyzw" and len(reading.numbers) == 4:
        orientation = QuaternionForm.model_validate({"value": tuple(map(float, reading.numbers)), "order": "xyzw"})
    try:
        if not name:
            name = free_name(taken, "frame")
            filled["name"] = RowField("name", name)
        else:
            name = _checked_name(name, scene, taken)
        frame_parent = _checked_parent(of_text, scene) if of_text else parent
    except _RowError as error:
        return FrameRow(_fields(filled), error.text, error.key)
    position = Position.model_validate({"value": tuple(map(float, p)), "unit": "m"})
    frame = Frame(parent=frame_parent, position=position, orientation=orientation)
    note = "; ".join((reading.source, *reading.assumed))
    return FrameRow(_fields(filled), name=name, frame=frame, note=f"{note}.")


def _fields(filled: dict[Key, RowField]) -> tuple[RowField, ...]:
    """Return all fields in their order; those of a quaternion in place of the angles if one is there."""
    turn = QUATERNION if "qw" in filled else ANGLES
    keys: tuple[Key, ...] = ("name", "parent", *PLACE, *turn, *(("unit",) if turn is ANGLES else ()), "axes")
    return tuple(filled.get(key, RowField(key)) for key in keys)


def _shown(word: Word) -> str:
    return word.text if len(word.text) <= 40 else f"{word.text[:40]}…"

"""Readings of texts that tools of ROS print or take: tf_echo, topic echo, static_transform_publisher."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from framescope.core.readings.numerals import NUMBER, read_numeral
from framescope.core.readings.reading import (
    Reading,
    ReadingError,
    TextReadings,
    join_readings,
    read_orientation,
    read_position,
)

DISAGREEMENT_DEG = 0.3
"""Angle above which two blocks of tf_echo disagree, in degrees, unless their rounding explains more."""

_BRACKET = r"[\[({]([^\])}]{1,200})(?:[\])}]|$)"
_TRANSLATION = re.compile(rf"\bTranslation:\s*{_BRACKET}", re.IGNORECASE)
_QUATERNION = re.compile(rf"\bin\s+Quaternion\s*(?:\(xyzw\)\s*)?{_BRACKET}", re.IGNORECASE)
_RPY = re.compile(rf"\bin\s+RPY\s*\((radian|degree)s?\)\s*{_BRACKET}", re.IGNORECASE)
_MATRIX = re.compile(rf"^[-\s]*Matrix:\s*((?:\s*{NUMBER})+)", re.MULTILINE)

_FIELD = r"[\"']?\s*[:=]\s*(?:[\w.]+\s*\(\s*)?"
_XYZ = rf"[{{(\s]*[\"']?x{_FIELD}({NUMBER})[,\s]+[\"']?y{_FIELD}({NUMBER})[,\s]+[\"']?z{_FIELD}({NUMBER})"
_POSITION = re.compile(rf"\b(?:translation|position|origin){_FIELD}{_XYZ}", re.IGNORECASE)
_ORIENTATION = re.compile(
    rf"\b(?:rotation|orientation|quaternion){_FIELD}{_XYZ}[,\s]+[\"']?w{_FIELD}({NUMBER})"
    rf"|\b(?:rotation|orientation|quaternion){_FIELD}[{{(\s]*[\"']?w{_FIELD}({NUMBER})[,\s]+{_XYZ[9:]}",
    re.IGNORECASE,
)
_PARENT = re.compile(r"(?<!child_)\bframe_id[\"']?\s*[:=]\s*[\"']?([^\s\"',})]+)")
_CHILD = re.compile(r"\bchild_frame_id[\"']?\s*[:=]\s*[\"']?([^\s\"',})]+)")
_NO_ORIENTATION = re.compile(r"orientation_covariance[\"']?\s*:\s*(?:\[|-)\s*-1(?:\.0*)?\b")

_PUBLISHER = re.compile(r"static_transform_publisher\b(.*?)(?=static_transform_publisher\b|\Z)", re.DOTALL)
_OPTION = re.compile(r"--(x|y|z|qx|qy|qz|qw|roll|pitch|yaw|frame-id|child-frame-id)(?:=(.*))?")
_NAME_OPTIONS = ("frame-id", "child-frame-id")
_QUATERNION_KEYS, _ANGLE_KEYS = ("qx", "qy", "qz", "qw"), ("yaw", "pitch", "roll")


def read_ros(text: str) -> TextReadings | None:
    r"""Return the readings of output of tf_echo, of messages, or of a static_transform_publisher; None without one.

    Examples
    --------
    >>> read_ros("- Translation: [0.1, 0, 0.3]\n- Rotation: in Quaternion [0, 0, 0.6, 0.8]").settled.p_PF
    (0.1, 0.0, 0.3)
    >>> read_ros("static_transform_publisher 1 2 3 0.5 0 0 map odom").settled.form
    'axes ZYX'
    """
    if _PUBLISHER.search(text):
        return _read_publishers(text)
    if _QUATERNION.search(text) or _RPY.search(text):
        return _read_echo(text)
    return _read_messages(text)


# --- tf_echo


def _read_echo(text: str) -> TextReadings:
    """Read the last block, with its rotation by quaternion, by angles and by matrix, which are compared."""
    blocks = re.split(r"(?=\bTranslation:)", text, flags=re.IGNORECASE)[-1:] if _TRANSLATION.search(text) else [text]
    n = max(len(_QUATERNION.findall(text)), 1)
    block = blocks[-1]
    if not (_QUATERNION.search(block) or _RPY.search(block)) and n > 1:  # the last block is cut off
        block = re.split(r"(?=\bTranslation:)", text, flags=re.IGNORECASE)[-2]
    translation = _TRANSLATION.search(block)
    p = None if translation is None else _numbers(translation[1])
    if p is not None and len(p) != 3:
        raise ReadingError("tf_echo: expected three numbers of a translation.")
    readings = _blocks_of_echo(block, p, "tf_echo" if n == 1 else f"tf_echo, the last of {n}")
    if not readings:
        raise ReadingError("tf_echo: expected a quaternion, angles or a matrix.")
    is_quaternion = readings[0].form.startswith("quaternion")
    first = readings[0] if is_quaternion else min(readings, key=lambda reading: reading.rounding_deg)
    others = [reading for reading in readings if _apart_deg(first, reading) > _tolerance_deg(first, reading)]
    if not others:
        return TextReadings((replace(first, choice=""),))
    return TextReadings((first, *others[:3]), "The blocks of tf_echo disagree. Which one holds?")


def _blocks_of_echo(block: str, p: list[float] | None, label: str) -> list[Reading]:
    """Return the readings of the quaternion, the angles and the matrix of one output, as far as they are whole."""
    readings: list[Reading] = []
    quaternion, matrix = _QUATERNION.search(block), _MATRIX.search(block)
    q = [] if quaternion is None else _numbers(quaternion[1])
    if len(q) == 4:
        source = f"The pose of {label}, quaternion with scalar last"
        readings.append(read_orientation("quaternion xyzw", q, source=source, p=p, choice="its quaternion"))
    source = f"The pose of {label}, roll pitch yaw about fixed axes"
    for word, numbers in _RPY.findall(block):
        angles, unit = _numbers(numbers), word.lower()[:3]
        if len(angles) == 3:
            choice = f"its angles, {unit}"
            readings.append(read_orientation("extrinsic xyz", angles, unit, source=source, p=p, choice=choice))
    rows = [] if matrix is None else _numbers(matrix[1])
    if len(rows) == 16:
        rotation = [rows[4 * i + k] for i in range(3) for k in range(3)]
        at = p or [rows[3], rows[7], rows[11]]
        source = f"The pose of {label}, its matrix"
        readings.append(read_orientation("matrix active", rotation, source=source, p=at, choice="its matrix"))
    return readings


def _apart_deg(a: Reading, b: Reading) -> float:
    if a.R is None or b.R is None:
        return 0.0
    return math.degrees(2.0 * math.asin(min(1.0, float(np.linalg.norm(a.R.T - b.R.T)) / math.sqrt(8.0))))


def _tolerance_deg(a: Reading, b: Reading) -> float:
    return max(DISAGREEMENT_DEG, 4.0 * math.hypot(a.rounding_deg, b.rounding_deg))


# --- Messages


@dataclass
class _Part:
    start: int
    position: list[float] | None = None
    orientation: list[float] | None = None
    parent: str = ""
    child: str = ""


def _read_messages(text: str) -> TextReadings | None:
    parts = _parts(text)
    if not parts:
        return None
    if _NO_ORIENTATION.search(text) and not any(part.position for part in parts):
        return TextReadings(reason="The message has no orientation: the first number of its covariance is -1.")
    readings = [_reading_of(part) for part in parts]
    kinds = {reading.kind for reading in readings}
    children = list(dict.fromkeys(part.child for part in parts))
    is_repeated = len(children) == 1 and (bool(children[0]) or len(re.findall(r"^---", text, re.MULTILINE)) > 1)
    if len(readings) == 1:
        return TextReadings((readings[0],))
    if is_repeated or (len(re.findall(r"\bstamp\b", text)) >= len(readings) and len(children) == 1):
        last = readings[-1]
        return TextReadings((replace(last, source=f"{last.source}, the last of {len(readings)}"),))
    if len(kinds) > 1:
        poses = [reading for reading in readings if reading.kind == "pose"]
        readings = poses or readings[:1]
    source = f"{len(readings)} poses of messages of ROS, scalar last"
    return TextReadings((join_readings(readings, source) if len(readings) > 1 else readings[0],))


def _parts(text: str) -> list[_Part]:
    """Return positions and orientations in order, paired where a position and an orientation follow each other."""
    events = sorted(
        [
            *((match.start(), match.end(), "p", _floats(match.groups())) for match in _POSITION.finditer(text)),
            *((match.start(), match.end(), "q", _xyzw(match.groups())) for match in _ORIENTATION.finditer(text)),
        ],
        key=lambda event: event[0],
    )
    parts: list[_Part] = []
    end = 0
    for start, stop, kind, numbers in events:
        head = text[end:start]
        parents, children = _PARENT.findall(head), _CHILD.findall(head)
        last = parts[-1] if parts else None
        is_new = last is None or bool(children) or "---" in head
        if not is_new and last is not None:
            is_new = (last.position if kind == "p" else last.orientation) is not None
        if is_new or last is None:
            child = children[-1] if children else ""
            last = _Part(start, parent=parents[-1] if parents else "", child=child)
            parts.append(last)
        if kind == "p":
            last.position = numbers
        else:
            last.orientation = numbers
        end = stop
    return parts


def _reading_of(part: _Part) -> Reading:
    names = (part.parent, part.child)
    if part.orientation is None:
        return read_position(part.position or [], source="The position of a message of ROS", names=names)
    if part.position is None:
        source = "The orientation of a message of ROS, scalar last"
        return read_orientation("quaternion xyzw", part.orientation, source=source, names=names)
    source = "The pose of a message of ROS, scalar last"
    return read_orientation("quaternion xyzw", part.orientation, source=source, p=part.position, names=names)


def _floats(groups: Sequence[str | None]) -> list[float]:
    return [_number(group) for group in groups if group is not None]


def _xyzw(groups: Sequence[str | None]) -> list[float]:
    numbers = _floats(groups)
    return numbers if groups[0] is not None else [*numbers[1:], numbers[0]]


# --- static_transform_publisher


def _read_publishers(text: str) -> TextReadings:
    readings = [reading for match in _PUBLISHER.finditer(text) if (reading := _read_publisher(match[1])) is not None]
    if not readings:
        raise ReadingError("static_transform_publisher: expected x y z and then yaw pitch roll or qx qy qz qw.")
    if len(readings) == 1:
        return TextReadings((readings[0],))
    return TextReadings((join_readings(readings, f"{len(readings)} poses of static_transform_publisher"),))


@dataclass(frozen=True)
class PublisherArguments:
    """Arguments of a static_transform_publisher.

    Attributes
    ----------
    numbers
        Position ``x, y, z``, m, with ``qx, qy, qz, qw`` or with ``yaw, pitch, roll``, rad, by name. Options that are
        left out have their defaults.
    places
        For each number that is written, the index of its word and the offset in the word.
    parent, child
        Names of the frames; empty where they are missing.
    rest
        Indices of the words after the names, such as the period of old publishers.
    """

    numbers: Mapping[str, float]
    places: Mapping[str, tuple[int, int]]
    parent: str
    child: str
    rest: tuple[int, ...] = ()

    @property
    def is_quaternion(self) -> bool:
        """Whether the orientation is a quaternion."""
        return "qw" in self.numbers


def publisher_arguments(words: Sequence[str]) -> PublisherArguments | None:
    """Return the arguments of a static_transform_publisher: named, or in order; None for other words.

    Examples
    --------
    >>> arguments = publisher_arguments("0 0 1.5 0.1 0 0 base lidar 100".split())
    >>> arguments.numbers["z"], arguments.numbers["yaw"], arguments.child
    (1.5, 0.1, 'lidar')
    >>> publisher_arguments("--x=1 --qz 0.6 --qw 0.8 --frame-id base --child-frame-id lidar".split()).places["qz"]
    (2, 0)
    """
    return _named_arguments(words) or _ordered_arguments(words)


def _named_arguments(words: Sequence[str]) -> PublisherArguments | None:
    numbers: dict[str, float] = {}
    places: dict[str, tuple[int, int]] = {}
    names: dict[str, str] = {}
    for i, word in enumerate(words):
        match = _OPTION.fullmatch(word)
        if match is None:
            continue
        name, own = match[1], match[2]
        place = (i + 1, 0) if own is None else (i, match.start(2))
        if place[0] >= len(words):
            break
        value = words[place[0]][place[1] :]
        if name in _NAME_OPTIONS:
            names[name] = value
        elif (number := read_numeral(value)) is not None:
            numbers[name], places[name] = number, place
    if not (numbers or names):
        return None
    turn = _QUATERNION_KEYS if any(key in numbers for key in _QUATERNION_KEYS) else _ANGLE_KEYS
    every = {key: numbers.get(key, 1.0 if key == "qw" else 0.0) for key in ("x", "y", "z", *turn)}
    return PublisherArguments(every, places, names.get("frame-id", ""), names.get("child-frame-id", ""))


def _ordered_arguments(words: Sequence[str]) -> PublisherArguments | None:
    run: list[float] = []
    rest: list[int] = []
    start = 0
    for i, word in enumerate(words):
        number = read_numeral(word)
        if number is not None and not (rest and run):
            start = start if run else i
            run.append(number)
        elif len(run) >= 6:
            rest.append(i)
        else:
            run = []
    if len(run) not in (6, 7):
        return None
    keys = ("x", "y", "z", *(_QUATERNION_KEYS if len(run) == 7 else _ANGLE_KEYS))
    places = {key: (start + k, 0) for k, key in enumerate(keys)}
    parent, child = (words[rest[0]], words[rest[1]]) if len(rest) > 1 else ("", "")
    return PublisherArguments(dict(zip(keys, run, strict=True)), places, parent, child, tuple(rest[2:]))


def _read_publisher(tail: str) -> Reading | None:
    label = "The pose of a static_transform_publisher"
    arguments = publisher_arguments(re.sub(r"[\"',\[\]<>]|/(?=>)|\\\n|\bargs=|\barguments=", " ", tail).split())
    if arguments is None:
        return None
    numbers, names = list(arguments.numbers.values()), (arguments.parent, arguments.child)
    p, turn = numbers[:3], numbers[3:]
    if arguments.is_quaternion:
        return read_orientation("quaternion xyzw", turn, source=f"{label}, scalar last", p=p, names=names)
    return _of_angles(label, turn, p, names)


def _of_angles(label: str, angles: list[float], p: list[float], names: tuple[str, str]) -> Reading:
    assumed = ("angles over a turn: check that they are radians",) if max(map(abs, angles)) > 2.0 * math.pi else ()
    source = f"{label}, yaw pitch roll in radians"
    return read_orientation("axes ZYX", angles, "rad", source=source, p=p, names=names, assumed=assumed)


def _numbers(text: str) -> list[float]:
    return [_number(word) for word in re.split(r"[\s,]+", text.strip()) if word]


def _number(word: str) -> float:
    number = read_numeral(word)
    if number is None:
        raise ReadingError(f"Expected a number, got {word[:40]}.")
    return number

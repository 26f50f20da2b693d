"""Readings of texts that tools of ROS print or take: tf_echo, topic echo, static_transform_publisher."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
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
_OPTION = re.compile(rf"--(x|y|z|qx|qy|qz|qw|roll|pitch|yaw)[\s=]+({NUMBER})(?![\w.])")
_NAME_OPTION = re.compile(r"--(frame-id|child-frame-id)[\s=]+(\S+)")


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


def _read_publisher(tail: str) -> Reading | None:
    label = "The pose of a static_transform_publisher"
    words = re.sub(r"[\"',\[\]<>]|/(?=>)|\\\n|\bargs=|\barguments=", " ", tail)
    options = {name: _number(number) for name, number in _OPTION.findall(words)}
    names = dict(_NAME_OPTION.findall(words))
    if options or names:
        p = [options.get(key, 0.0) for key in "xyz"]
        frames_ = names.get("frame-id", ""), names.get("child-frame-id", "")
        if any(key in options for key in ("qx", "qy", "qz", "qw")):
            q = [options.get(key, 1.0 if key == "qw" else 0.0) for key in ("qx", "qy", "qz", "qw")]
            return read_orientation("quaternion xyzw", q, source=f"{label}, scalar last", p=p, names=frames_)
        angles = [options.get(key, 0.0) for key in ("yaw", "pitch", "roll")]
        return _of_angles(label, angles, p, frames_)
    run: list[float] = []
    rest: list[str] = []
    for word in words.split():
        number = read_numeral(word)
        if number is not None and not (rest and run):
            run.append(number)
        elif len(run) >= 6:
            rest.append(word)
        else:
            run = []
    if len(run) not in (6, 7):
        return None
    frames_ = (rest[0], rest[1]) if len(rest) > 1 else ("", "")
    if len(run) == 7:
        return read_orientation("quaternion xyzw", run[3:], source=f"{label}, scalar last", p=run[:3], names=frames_)
    return _of_angles(label, run[3:], run[:3], frames_)


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

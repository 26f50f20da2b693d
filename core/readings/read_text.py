"""Readings of any text: the recognisers in order."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from framescope.core.conventions.code_snippets import ROTATION_TOLERANCE
from framescope.core.conventions.notation import FORMS, NotationError, parse_orientation
from framescope.core.readings.bare_numbers import number_blocks, read_bare, read_block
from framescope.core.readings.calls import read_calls, read_matrix
from framescope.core.readings.makers import read_makers
from framescope.core.readings.named_angles import read_named, read_named_pose
from framescope.core.readings.numerals import Numeral, with_points
from framescope.core.readings.pose_parts import read_pose_parts
from framescope.core.readings.reading import (
    Placement,
    Reading,
    ReadingError,
    TextReadings,
    read_orientation,
)
from framescope.core.readings.ros_texts import read_ros
from framescope.core.readings.xml_texts import read_xml

MAX_LENGTH = 100_000
"""Largest number of characters that are read."""

NOTHING = "No orientation, pose, position or vector was found in the text."
TOO_LONG = f"The text is longer than {MAX_LENGTH:,} characters. Take the part with the pose, or import it as a table."
EMPTY = "Nothing to read yet: a matrix, a quaternion, angles, a pose or a line of code."

INTRINSICS = "The text has the intrinsics of a camera, which are no pose."

_INTRINSICS = re.compile(
    r"\b(?:camera_matrix|projection_matrix|rectification_matrix|distortion_model|distortion_coeff\w*)\b"
)
_NOTATION = re.compile(rf"({'|'.join(sorted(FORMS, key=len, reverse=True))})\b(?!\s*[(\[:=])", re.IGNORECASE)
_PROSE = re.compile(r"extrinsic\s+(?![xyz]{2,3}\b)[a-z]", re.IGNORECASE)
"""A sentence on extrinsic parameters, which names no sequence of axes."""

_ESCAPES = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
_FENCE = re.compile(r"^\s*(?:```\w*|~~~\w*|>(?!>)\s?)", re.MULTILINE)
_LONG_NUMBER = re.compile(r"\d{40,}")
_LONG_GAP = re.compile(r"\s{60,}")
"""Blanks that part words no more than a few of them do: patterns with optional blanks take long on them."""

_NOT_FINITE = re.compile(r"(?<![\w.])[+-]?(?:nan|inf(?:inity)?)(?!\w)", re.IGNORECASE)
_PASSIVE = re.compile(r"v_2 = T \*?@? ?v_1")


def read_text(text: str, sequence: str = "XYZ") -> TextReadings:
    """Return the candidate readings of a text: at most four, or the reason why there is none.

    Parameters
    ----------
    text
        Any text: numbers in any brackets, prints and code of languages and libraries, messages of ROS, elements of
        robot descriptions, poses of makers' controllers, or a text of `framescope.core.conventions.notation`.
    sequence
        Axis sequence to offer for three angles without names.

    Returns
    -------
    TextReadings
        One reading if the text settles it, else those that it leaves open.

    Notes
    -----
    Orientations are ``R`` with ``v_F = R.T @ v_P`` (parent into frame), positions are metres in the parent.

    Examples
    --------
    >>> read_text("q.setRPY(0, 0, pi/2)").settled.R.T.round(12)[0]
    array([0., 1., 0.])
    >>> [reading.choice for reading in read_text("0, 0, 0.6, 0.8").readings]
    ['scalar last: x y z w', 'scalar first: w x y z']
    >>> read_text("The robot does not move.").reason
    'No orientation, pose, position or vector was found in the text.'
    """
    if len(text) > MAX_LENGTH:
        return TextReadings(reason=TOO_LONG)
    text = _ESCAPES.sub("", text.replace("\N{MINUS SIGN}", "-").replace("\xa0", " "))
    text = _LONG_GAP.sub(lambda gap: "\n\n" if "\n" in gap[0] else "  ", text)
    text = _LONG_NUMBER.sub("\N{HORIZONTAL ELLIPSIS}", _FENCE.sub("", text)).strip()
    if not text:
        return TextReadings(reason=EMPTY)
    try:
        text = with_points(text)
        if _NOTATION.match(text):
            result = _read_notation(text)
            if result is not None:
                return result
        readers: tuple[Callable[[str], TextReadings | None], ...] = (
            read_ros,
            read_xml,
            read_makers,
            read_named_pose,
            read_calls,
            _read_passive,
            read_pose_parts,
            read_named,
            _refuse_intrinsics,
            lambda plain: None if _NOT_FINITE.search(plain) else read_bare(plain, sequence),
        )
        for read in readers:
            result = read(text)
            if result is not None and (result.readings or result.reason):
                return _with_place(text, result)
    except ReadingError as error:
        return TextReadings(reason=str(error))
    if _NOT_FINITE.search(text):
        return TextReadings(reason="The text has NaN or infinity in place of a number.")
    return TextReadings(reason=_reason_without_pose(text))


def _with_place(text: str, result: TextReadings) -> TextReadings:
    """Return readings of an orientation with the position that stands beside it by name, so that nothing is dropped."""
    readings = result.readings
    if not readings or any(each.kind != "orientation" or each.is_list or each.fault for each in readings):
        return result
    poses = read_pose_parts(text)
    is_same = poses is not None and [each.form for each in poses.readings] == [each.form for each in readings]
    return poses if poses is not None and is_same else result


def holds_one_pose(text: str) -> bool:
    """Return whether a text has one orientation or pose, be it that its reading is open.

    >>> holds_one_pose("0, 0, 0.6, 0.8"), holds_one_pose("frames: {a: {parent: world}}"), holds_one_pose("3 m")
    (True, False, False)
    """
    readings = read_text(text).readings
    return bool(readings) and readings[0].kind in ("orientation", "pose") and not readings[0].is_list


def _refuse_intrinsics(text: str) -> TextReadings | None:
    """Answer a camera's intrinsics, whose matrices look like poses."""
    return TextReadings(reason=INTRINSICS) if _INTRINSICS.search(text) else None


def _reason_without_pose(text: str) -> str:
    blocks = number_blocks(text)
    if len(blocks) == 1 and not blocks[0].n_words:
        return read_block(blocks[0]).reason or NOTHING
    return NOTHING


def _read_notation(text: str) -> TextReadings | None:
    """Read a text that begins with the name of a form; an incomplete one is left to the other readers."""
    try:
        parsed = parse_orientation(text, take_nearest=True)
    except NotationError as error:
        name = text.split(maxsplit=1)[0].casefold()
        others = read_named(text)
        if others is not None and others.readings:
            return others
        if name == "matrix" or _PROSE.match(text):
            return None
        return TextReadings(reason=str(error))
    name = "RPY" if parsed.form == "rpy" else f"{parsed.form[:1].upper()}{parsed.form[1:]}"
    source = f"{name}: {parsed.meaning}"
    numbers = _numbers_of_notation(text, parsed.form)
    if parsed.form.startswith("matrix") and parsed.distance > ROTATION_TOLERANCE and numbers:
        return TextReadings((read_orientation(parsed.form, numbers, source=source),))
    unit = "" if not FORMS[parsed.form.split()[0]].n_angles else "deg" if re.search("deg|°", text) else "rad"
    reading = Reading(source, parsed.form, (Placement(parsed.R),), distance=parsed.distance)
    return TextReadings((replace(reading, rows=(numbers,) if numbers else (), unit=unit if numbers else ""),))


def _numbers_of_notation(text: str, form: str) -> tuple[Numeral, ...]:
    """Return the numbers of a text of the notation with their digits; empty if a unit stands between them."""
    blocks = number_blocks(text[len(form.split(maxsplit=1)[0]) :].strip().removeprefix(form.partition(" ")[2]))
    is_whole = len(blocks) == 1 and len(blocks[0].numbers) == FORMS[form.split(maxsplit=1)[0]].n_numbers
    return blocks[0].numbers if is_whole else ()


def _read_passive(text: str) -> TextReadings | None:
    """Read a matrix whose comment states ``v_2 = T v_1``, as Framescope writes it, or a pose with ``v_parent``."""
    direction = "passive" if _PASSIVE.search(text) else "active" if re.search(r"v_parent = X @ v_child", text) else ""
    if not direction:
        return None
    blocks = number_blocks(re.sub(r"(?:#|%|//).*", "", text))
    if len(blocks) != 1 or len(blocks[0].numbers) not in (9, 16):
        return None
    source = "A matrix, v_2 = T v_1" if direction == "passive" else "The matrix of a pose, frame into parent"
    return TextReadings((read_matrix(blocks[0].numbers, direction, source),))

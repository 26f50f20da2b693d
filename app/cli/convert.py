"""Command `convert`: writes one orientation in any number of forms with their meanings, without a window."""

from __future__ import annotations

import sys

from framescope.app.cli.json_output import json_text
from framescope.core.conventions import notation
from framescope.core.conventions.code_snippets import ROTATION_TOLERANCE, ROUNDING
from framescope.core.frames import Orientation
from framescope.core.readings import Reading, TextReadings, read_text

STANDARD_INPUT = "-"

LONGEST_LINE = 200
"""Number of characters of the text that the output repeats."""

NOTABLE_ROUNDING_DEG = 0.05
"""Uncertainty from rounded digits that the output mentions, degrees."""


def convert(text: str, targets: str, *, unit: str = "deg", as_json: bool = False, take_nearest: bool = False) -> str:
    """Return the output of the command.

    Parameters
    ----------
    text
        An orientation or a pose as `core.readings` reads it, or ``"-"`` to read standard input.
    targets
        Forms to write, separated by commas.
    unit
        Unit of angles for targets without one.
    as_json
        Whether to write one JSON object instead of lines.
    take_nearest
        Whether to accept numbers farther than 1e-3 from a rotation, and use the nearest one.

    Raises
    ------
    NotationError
        When the text or a target is invalid, or the text leaves its reading open.

    Examples
    --------
    >>> print(convert("quaternion xyzw 0.5 0.5 0.5 0.5", "rpy"))
    read: quaternion xyzw 0.5 0.5 0.5 0.5
      Hamilton's, scalar last: v_1 = q v_2 conj(q)
    <BLANKLINE>
    rpy 90 0 90 deg
      roll, pitch, yaw as in ROS: turns about the fixed axes x, then y, then z of frame 1
    """
    if text == STANDARD_INPUT:
        text = read_stdin()
    names = [name.strip() for name in targets.split(",") if name.strip()]
    if not names:
        raise notation.NotationError("--to: expected forms to write, such as quaternion,matrix,axes:ZYX.")
    for name in names:
        notation.parse_target(name, unit)  # raise errors before anything is printed
    reading = _settled(read_text(text))
    R = _rotation(reading, take_nearest=take_nearest)
    writings = [notation.describe_orientation(R, name, unit) for name in names]
    text = " ".join(text.split())
    return _as_json(text, reading, writings) if as_json else _as_lines(text, reading, writings)


def _settled(result: TextReadings) -> Reading:
    """Return the only reading; raise an error that lists the readings of a text that leaves it open."""
    if result.settled is not None:
        return result.settled
    if not result.readings:
        raise notation.NotationError(result.reason)
    lines = [f"The text leaves its reading open. {result.question}"]
    lines += [f"  {reading.choice}{notation_of(reading)}" for reading in result.readings]
    raise notation.NotationError("\n".join(lines))


def notation_of(reading: Reading) -> str:
    """Return the text with which `convert` reads a reading without a question, after a colon; empty without one."""
    if reading.R is None or reading.is_list:
        return ""
    form = reading.form if reading.form.partition(" ")[0] in notation.FORMS else "quaternion xyzw"
    return f": {notation.write_orientation(reading.R, form.replace(' ', ':'))}"


def _rotation(reading: Reading, *, take_nearest: bool) -> Orientation:
    """Return the rotation of a reading, or raise the reason why it has none."""
    if reading.is_list:
        raise notation.NotationError("The text has several poses: convert one of them alone.")
    if reading.fault:
        raise notation.NotationError(reading.fault)
    if reading.R is None:
        raise notation.NotationError(f"The text has a {reading.kind} and no orientation.")
    if reading.distance > ROTATION_TOLERANCE and reading.is_off and not take_nearest:
        raise notation.NotationError(
            f"{reading.form}: its numbers are {reading.distance:.3g} away from any rotation. Expected a rotation within"
            f' {ROTATION_TOLERANCE:g}. The nearest is "{notation_of(reading)[2:]}".'
        )
    return reading.R


def meaning_of(reading: Reading) -> str:
    """Return the meaning of the numbers of a reading, in words."""
    name, _, qualifier = reading.form.partition(" ")
    return notation.FORMS[name].meaning(qualifier) if name in notation.FORMS else reading.source


def notes_of(reading: Reading) -> list[str]:
    """Return the source, the position, the assumptions and the rounding of a reading, a line each."""
    notes = [] if meaning_of(reading) in reading.source else [reading.source]
    if reading.p_PF is not None:
        notes.append(f"position {' '.join(f'{x:.15g}' for x in reading.p_PF)} m")
    if reading.assumed:
        notes.append(f"assumed: {', '.join(reading.assumed)}")
    if reading.rounding_deg >= NOTABLE_ROUNDING_DEG:
        notes.append(f"rounded digits leave about {reading.rounding_deg:.1g} deg")
    return notes


def read_stdin() -> str:
    """Return the text of standard input."""
    try:
        return sys.stdin.read()
    except UnicodeDecodeError as error:
        raise notation.NotationError(f"Standard input: expected text, got bytes that are none ({error}).") from None


def _as_lines(text: str, reading: Reading, writings: list[notation.Writing]) -> str:
    shown = text if len(text) <= LONGEST_LINE else f"{text[:LONGEST_LINE]}…"
    lines = [f"read: {shown}", f"  {meaning_of(reading)}", *(f"  {note}" for note in notes_of(reading))]
    if reading.distance > ROUNDING:
        lines.append(f"  {reading.distance:.3g} away from a rotation; the nearest is taken")
    for writing in writings:
        first, *further = writing.texts or (f"{writing.form}: no numbers",)
        lines += ["", first, *(f"or {other}" for other in further)]
        lines += [f"  {remark}" for remark in (writing.meaning, writing.note) if remark]
    return "\n".join(lines)


def _as_json(text: str, reading: Reading, writings: list[notation.Writing]) -> str:
    content = {
        "from": {
            "text": text,
            "form": reading.form,
            "meaning": meaning_of(reading),
            "source": reading.source,
            "distance": reading.distance,
            "rounding_deg": reading.rounding_deg,
            "position": reading.p_PF,
            "assumed": reading.assumed,
        },
        "to": [
            {
                "form": writing.form,
                "text": writing.texts[0] if writing.texts else None,
                "others": list(writing.texts[1:]),
                "meaning": writing.meaning,
                "note": writing.note,
            }
            for writing in writings
        ],
    }
    return json_text(content)

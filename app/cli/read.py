"""Command `read`: writes all readings of one text, without a window."""

from __future__ import annotations

from dataclasses import dataclass

from framescope.app.cli.convert import STANDARD_INPUT, meaning_of, notation_of, notes_of, read_stdin
from framescope.app.cli.json_output import json_text
from framescope.core import frames
from framescope.core.readings import Reading, TextReadings, read_text

SETTLED = 0
"""Exit status of a text with one reading."""

OPEN = 3
"""Exit status of a text that leaves its reading open."""

NOTHING = 2
"""Exit status of a text without a reading, or with numbers that are no rotation."""


@dataclass(frozen=True)
class ReadResult:
    """Output of the command and its exit status."""

    text: str
    status: int


def read(text: str, *, as_json: bool = False) -> ReadResult:
    """Return all readings of a text, or the reason why there is none.

    Parameters
    ----------
    text
        Any text, or ``"-"`` to read standard input.
    as_json
        Whether to write one JSON object instead of lines.

    Examples
    --------
    >>> print(read("q.setRPY(0, 0, pi/2)").text)
    extrinsic xyz 0 0 90 deg
      turns about the fixed axes x, then y, then z of frame 1
      tf2's setRPY: roll, pitch, yaw
    """
    result = read_text(read_stdin() if text == STANDARD_INPUT else text)
    has_value = any(not reading.fault for reading in result.readings)
    status = NOTHING if not has_value else SETTLED if result.settled is not None else OPEN
    return ReadResult(_as_json(result) if as_json else _as_lines(result), status)


def _as_lines(result: TextReadings) -> str:
    if not result.readings:
        return result.reason
    blocks = [result.question] if result.question else []
    return "\n\n".join([*blocks, *map(_block, result.readings)])


def _block(reading: Reading) -> str:
    """Return the lines of one reading; the first can be converted again."""
    lines = [reading.choice] if reading.choice else []
    if reading.fault:
        lines += [reading.fault, f"  {reading.source}"]
    elif reading.is_list:
        names = ", ".join(placement.child for placement in reading.placements if placement.child)
        lines += [f"{len(reading.placements)} values of the kind {reading.kind}" + (f": {names}" if names else "")]
        lines += [f"  {reading.source}"]
    elif reading.R is None:
        lines += [f"{reading.kind} {' '.join(f'{x:.15g}' for x in reading.p_PF or ())}", f"  {reading.source}"]
    else:
        lines += [notation_of(reading)[2:], f"  {meaning_of(reading)}", *(f"  {note}" for note in notes_of(reading))]
    return "\n".join(lines)


def _as_json(result: TextReadings) -> str:
    readings = [
        {
            "kind": reading.kind,
            "choice": reading.choice,
            "form": reading.form,
            "meaning": meaning_of(reading),
            "source": reading.source,
            "assumed": reading.assumed,
            "rounding_deg": reading.rounding_deg,
            "distance": reading.distance,
            "fault": reading.fault,
            "values": [
                {
                    "parent": placement.parent,
                    "frame": placement.child,
                    "quaternion_xyzw": None if placement.R is None else frames.to_Q(placement.R),
                    "position": placement.p_PF,
                }
                for placement in reading.placements
            ],
        }
        for reading in result.readings
    ]
    return json_text({"question": result.question, "reason": result.reason, "readings": readings})

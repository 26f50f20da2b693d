"""Command `convert`: writes one orientation in any number of forms with their meanings, without a window."""

from __future__ import annotations

import sys

from framescope.app.cli.json_output import json_text
from framescope.core.conventions import notation
from framescope.core.conventions.code_snippets import ROUNDING

STANDARD_INPUT = "-"


def convert(text: str, targets: str, *, unit: str = "deg", as_json: bool = False, take_nearest: bool = False) -> str:
    """Return the output of the command.

    Parameters
    ----------
    text
        An orientation as `core.notation` reads it, or ``"-"`` to read standard input.
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
        When the text or a target is invalid.

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
        text = _read_stdin()
    names = [name.strip() for name in targets.split(",") if name.strip()]
    if not names:
        raise notation.NotationError("--to: expected forms to write, such as quaternion,matrix,axes:ZYX.")
    for name in names:
        notation.parse_target(name, unit)  # raise errors before anything is printed
    parsed = notation.parse_orientation(text, take_nearest=take_nearest)
    writings = [notation.describe_orientation(parsed.R, name, unit) for name in names]
    text = " ".join(text.split())
    return _as_json(text, parsed, writings) if as_json else _as_lines(text, parsed, writings)


def _read_stdin() -> str:
    try:
        return sys.stdin.read()
    except UnicodeDecodeError as error:
        raise notation.NotationError(f"Standard input: expected text, got bytes that are none ({error}).") from None


def _as_lines(text: str, parsed: notation.Parsed, writings: list[notation.Writing]) -> str:
    lines = [f"read: {text}", f"  {parsed.meaning}"]
    if parsed.distance > ROUNDING:
        lines.append(f"  {parsed.distance:.3g} away from a rotation; the nearest is taken")
    for writing in writings:
        first, *further = writing.texts or (f"{writing.form}: no numbers",)
        lines += ["", first, *(f"or {other}" for other in further)]
        lines += [f"  {remark}" for remark in (writing.meaning, writing.note) if remark]
    return "\n".join(lines)


def _as_json(text: str, parsed: notation.Parsed, writings: list[notation.Writing]) -> str:
    content = {
        "from": {"text": text, "form": parsed.form, "meaning": parsed.meaning, "distance": parsed.distance},
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

"""Guess of conventions and units from names and numbers, and usual values for the others."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from framescope.core.analysis.diagnostics.angle_units import MOST_RADIANS
from framescope.core.kernels.validation import Array
from framescope.core.recordings.columns.column_names import COMPASS, Named
from framescope.core.recordings.columns.reasons import Reason
from framescope.core.scene.schema.quantities import UNITS
from framescope.features.table_import.core.choices import Choices, Group
from framescope.features.table_import.core.number_groups import matrix_off, quaternion_off

NO_GROUP = Group()
FASTEST = 60.0
"""Speed above which lengths are more likely in millimetres, m/s."""

NEAR_ZERO = 0.02
"""Magnitude below which a component of a quaternion counts as zero."""

_INVERSE = re.compile(
    r"(world|map|odom|w)_?(2|to)_?(cam|camera|body|base|imu|lidar|c|b)|(^|[^a-z])t_?(cw|bw|sw|iw)([^a-z]|$)|extrinsic",
    re.IGNORECASE,
)

_DOWN = re.compile(r"down|(?:^|[_ .])d(?:_m)?\s*(?:[\[(].*)?$", re.IGNORECASE)
_JPL = re.compile(r"(?<![a-z])jpl(?![a-z])", re.IGNORECASE)


def are_unit(q: Array) -> bool:
    """Return whether most rows (n, 4) have unit length."""
    return bool(np.quantile(quaternion_off(q), 0.8) < 1e-2)


def are_rotations(M: Array) -> bool:
    """Return whether most rows (n, 9) are rotation matrices."""
    return bool(np.quantile(matrix_off(M), 0.8) < 1e-2)


def with_conventions(
    choices: Choices,
    named: Mapping[str, Named],
    values: Mapping[str, Array],
    file_name: str,
    reasons: dict[str, Reason],
) -> Choices:
    """Return the choices with guessed conventions and units, and add the reason of each."""
    group = next((group for group in choices.groups if group.orientation), NO_GROUP)
    columns = [column for column in group.orientation if column]
    if choices.format == "table":
        choices = _of_orientation(choices, columns, named, values, reasons)
        choices, reasons["position_unit"] = _with_position_unit(choices, named, values)
    inverse = _INVERSE.search(file_name) or next(filter(None, map(_INVERSE.search, named)), None)
    if inverse:
        reasons["pose"] = Reason(f'"{inverse[0].strip("_- .")}" in a name speaks of the parent in the frame', 0.6)
        return replace(choices, pose="parent in frame")
    reasons.setdefault("pose", Reason("assumed, as ROS and most recorders have it; numbers cannot tell", 0.7))
    return choices


def _of_orientation(
    choices: Choices,
    columns: list[str],
    named: Mapping[str, Named],
    values: Mapping[str, Array],
    reasons: dict[str, Reason],
) -> Choices:
    """Return the choices with guessed conventions of the orientation, and add the reasons."""
    if choices.form == "quaternion" and len(columns) == 4:
        choices, reasons["order"] = _with_order(choices, columns, named, values)
        reasons["maps"] = Reason("nearly all files have it so; numbers cannot tell", 0.7)
    elif choices.form == "matrix":
        is_asked = "major" in reasons and reasons["major"].is_doubtful  # the same question
        is_whole = is_asked or _holds_position(choices, named, reasons)
        reasons["maps"] = MATRIX_OF_POSE if is_whole else MATRIX_ALONE
    elif choices.form in ("axes", "heading", "rotation vector") and columns:
        if choices.form == "axes" or "axes" in reasons["form"].alternatives:
            choices, reasons["sequence"] = _with_sequence(choices, columns, named)
            if choices.form == "axes" and _has_heading(columns, named):
                choices, reasons["counts"] = _with_counts(choices)
        choices, reasons["angle_unit"] = _with_angle_unit(choices, columns, named, values)
    if choices.form == "rotation vector":
        reasons["maps"] = Reason("nearly all files have it so; numbers cannot tell", 0.7)
    return choices


MATRIX_OF_POSE = Reason("usual for matrices of a pose; numbers cannot tell", 0.55)
"""Reason for the direction of a matrix that holds the position, too."""

MATRIX_ALONE = Reason("nine numbers alone are written in both directions; this one is usual", 0.45)
"""Reason for the direction of a matrix of nine numbers."""


def _holds_position(choices: Choices, named: Mapping[str, Named], reasons: Mapping[str, Reason]) -> bool:
    """Return whether a matrix holds the position, too, so that one direction is that of both."""
    position = [column for group in choices.groups for column in group.position if column]
    are_elements = bool(position) and all(named[column].kind == "matrix" for column in position)
    return are_elements or "of the matrix" in reasons.get("position", Reason("")).text


def doubt_jpl(choices: Choices, texts: Iterable[str], reasons: dict[str, Reason]) -> None:
    """Make the direction of quaternions open if the name of the file, of a column or a line above speaks of JPL.

    The numbers of JPL's quaternion of one direction are those of Hamilton's quaternion of the other one.
    """
    if choices.form == "quaternion" and any(map(_JPL.search, texts)):
        text = "JPL is named: so if its quaternions take the parent into the frame, as those of MSCKF and OpenVINS"
        reasons["maps"] = Reason(text, 0.45)


def guess_order(q: Array) -> tuple[str, Reason]:
    """Return the order of quaternions (n, 4), ``"xyzw"`` or ``"wxyz"``, and the reason.

    Most motions are small rotations, with a large scalar. Many programs keep the scalar positive.
    """
    q = q[np.isfinite(q).all(axis=1)]
    if not len(q):
        return "xyzw", Reason("assumed; there are no numbers to tell", 0.2)
    size = np.abs(q).mean(axis=0)
    first, last = float(size[0]), float(size[3])
    for order, large, other, place in (("wxyz", first, last, "first"), ("xyzw", last, first, "last")):
        if large > 0.8 and other < 0.6 and large == float(size.max()):
            return order, Reason(f"the {place} component is the large one, {large:.2f} on average", 0.3 + 0.5 * large)
    for order, large, other, place in (("wxyz", first, last, "first"), ("xyzw", last, first, "last")):
        if other < NEAR_ZERO and large > 0.2:
            why = "last" if place == "first" else "first"
            return order, Reason(f"the {why} component stays near zero, as a scalar hardly does", 0.55)
    has_both_signs = [bool((q[:, i] > NEAR_ZERO).any() and (q[:, i] < -NEAR_ZERO).any()) for i in (0, 3)]
    if has_both_signs[0] != has_both_signs[1]:
        order, place = ("xyzw", "last") if has_both_signs[0] else ("wxyz", "first")
        return order, Reason(f"the {place} component never changes its sign", 0.45)
    return "xyzw", Reason("the more usual one; the numbers do not tell", 0.35)


def _with_order(
    choices: Choices, columns: list[str], named: Mapping[str, Named], values: Mapping[str, Array]
) -> tuple[Choices, Reason]:
    letters = "".join(named[column].component for column in columns)
    if letters in ("xyzw", "wxyz"):
        return replace(choices, order=letters), Reason("the names of the columns say so")
    if not all(column in values for column in columns):
        return choices, Reason("assumed", 0.2)
    order, reason = guess_order(np.stack([values[column] for column in columns], axis=-1))
    if letters == "0123" and reason.confidence < 0.6 and named[columns[0]].kind == "quaternion":
        return replace(choices, order="wxyz"), Reason("q0 is mostly the scalar", 0.6)
    return replace(choices, order=order), reason


def _has_heading(columns: Sequence[str], named: Mapping[str, Named]) -> bool:
    """Return whether three angles are a heading, with the pitch and the roll of a vehicle."""
    stated = tuple(named[column].component for column in columns)
    return stated == ("yaw", "pitch", "roll") and any(word in columns[0].lower() for word in COMPASS)


def has_z_down(choices: Choices) -> bool:
    """Return whether a column of a position is called down, or d."""
    position = [column for group in choices.groups for column in group.position if column]
    return any(map(_DOWN.search, position))


def _with_counts(choices: Choices) -> tuple[Choices, Reason]:
    """Return the choices with the counting direction of a vehicle's heading, by the names of its positions."""
    position = [str(column).casefold() for group in choices.groups for column in group.position if column]
    if has_z_down(choices):
        return replace(choices, counts="counterclockwise"), Reason("where z points down, a heading turns about it", 0.7)
    if any("east" in column for column in position):
        return replace(choices, counts="compass"), Reason("clockwise from north, in east, north and up", 0.7)
    why = "a heading usually turns clockwise from north: y where x is east, or x where z points down"
    return replace(choices, counts="compass"), Reason(why, 0.45)


def _with_sequence(choices: Choices, columns: list[str], named: Mapping[str, Named]) -> tuple[Choices, Reason]:
    stated = tuple(named[column].component for column in columns)
    if stated == ("yaw", "pitch", "roll"):
        return replace(choices, sequence="ZYX"), Reason("yaw, pitch and roll are turns about z, y and x", 0.85)
    if stated == ("x", "y", "z"):
        return replace(choices, sequence="XYZ"), Reason("named by their axes; the order is assumed", 0.4)
    if stated == ("first", "second", "third"):
        return replace(choices, sequence="XYZ"), Reason("assumed; the names only tell the order", 0.4)
    return replace(choices, sequence="XYZ"), Reason("assumed; nothing tells it", 0.2)


def _with_angle_unit(
    choices: Choices, columns: list[str], named: Mapping[str, Named], values: Mapping[str, Array]
) -> tuple[Choices, Reason]:
    stated = {named[column].unit for column in columns} & UNITS["angle"].keys()
    if stated:
        unit = stated.pop()
        return replace(choices, angle_unit=unit), Reason(f"the names say {unit}")
    known = {column: values[column] for column in columns if column in values}
    largest = max((float(np.nanmax(np.abs(numbers))) for numbers in known.values()), default=0.0)
    wraps = [_wrap_unit(numbers) for numbers in known.values()]
    if unit := next((unit for unit in wraps if unit), ""):
        return replace(choices, angle_unit=unit), Reason(f"they jump by a turn in {unit}", 0.95)
    pitch = next((numbers for column, numbers in known.items() if named[column].component == "pitch"), None)
    steepest = 0.0 if pitch is None else float(np.nanmax(np.abs(pitch)))
    if choices.form == "axes" and steepest > 0.5 * math.pi + 0.02:
        text = f"pitch reaches {steepest:.3g}, past 90 degrees in rad"
        return replace(choices, angle_unit="deg"), Reason(text, 0.95 if steepest > math.pi else 0.8)
    if largest > MOST_RADIANS:
        text = f"they reach {largest:.4g}, more than a turn in rad"
        return replace(choices, angle_unit="deg"), Reason(text, 0.8 if largest > 20.0 * math.pi else 0.6)
    if largest > 0.5:
        text = f"they stay below {largest:.3g}"
        return replace(choices, angle_unit="rad"), Reason(text, 0.55 if largest > 1.0 else 0.45)
    return replace(choices, angle_unit="rad"), Reason(f"they stay below {largest:.2g}: rad, or small ones in deg", 0.35)


def _wrap_unit(numbers: Array) -> str:
    """Return the unit in which angles jump by one revolution; empty without jumps."""
    steps = np.abs(np.diff(numbers[np.isfinite(numbers)]))
    usual = float(np.quantile(steps, 0.9)) if len(steps) else 0.0
    for unit, turn in (("rad", 2.0 * math.pi), ("deg", 360.0)):
        jumps = steps[steps > 0.5 * turn]
        if len(jumps) and usual < 0.1 * turn and bool((np.abs(jumps - turn) < 0.05 * turn + usual).all()):
            return unit
    return ""


def _with_position_unit(
    choices: Choices, named: Mapping[str, Named], values: Mapping[str, Array]
) -> tuple[Choices, Reason]:
    group = next((group for group in choices.groups if group.has_position), NO_GROUP)
    columns = [column for column in group.position if column]
    stated = {named[column].unit for column in columns} & UNITS["length"].keys()
    if stated:
        unit = stated.pop()
        return replace(choices, position_unit=unit), Reason(f"the names say {unit}")
    known = [values[column] for column in columns if column in values]
    if not known:
        return choices, Reason("no position")
    size = max(float(np.nanmax(np.abs(numbers - np.nanmedian(numbers)))) for numbers in known)
    if size > 100.0 and all(float(np.nanmax(np.abs(np.diff(numbers)), initial=0.0)) > 0.05 for numbers in known[:1]):
        return replace(choices, position_unit="mm"), Reason(f"it ranges over {size:.3g}: millimetres, or far in m", 0.4)
    text = f"not said; it ranges over {size:.3g}"
    return replace(choices, position_unit="m"), Reason(text, 0.6 if 0.05 < size < 50.0 else 0.45)


def rate_of(choices: Choices, t: Array | None) -> float | None:
    """Return the sampling rate by the median step of the times (n,), Hz; None without increasing times."""
    if choices.time is None:
        return choices.rate_hz
    if t is None:
        return None
    steps = np.diff(t[np.isfinite(t)])
    steps = steps[steps > 0.0]
    if not len(steps):
        return None
    return 1.0 / (float(np.median(steps)) * UNITS["recorded time"][choices.time_unit])

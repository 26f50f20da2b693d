"""Angles in radians that are probably degrees: more than half a turn, and their rotation if they are degrees."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from framescope.core import frames
from framescope.core.transform import Transform

HALF_TURN, WHOLE_TURN = math.pi + 0.01, 2.0 * math.pi + 0.01
"""Angles above which radians are unusual, and above which a problem is reported, rad."""

STEP, ROUNDED = math.pi / 12.0, 1e-3
"""Step of angles that people write as fractions of a turn in radians, and their deviation by rounding, rad."""

_NAMES = ("roll", "pitch", "yaw")
_OPTICAL = np.array([[0.0, 0.0, 1.0], [-1.0, 0.0, 0.0], [0.0, -1.0, 0.0]])


@dataclass(frozen=True)
class AngleRemark:
    """Remark on large angles: ``"amber"`` for more than a whole turn, else ``"note"``, and the message."""

    severity: Literal["amber", "note"]
    message: str


def angle_remark(rpy: Sequence[float]) -> AngleRemark | None:
    """Return the remark on roll, pitch and yaw in rad, of which one is more than half a turn; None without one.

    Fractions of a turn, such as 3π/2, are none.

    Examples
    --------
    >>> print(angle_remark((0.0, 0.0, 5.0)).message)
    yaw 5 rad is more than half a turn. In degrees this would be roll 0°, pitch 0°, yaw 5°.
    >>> angle_remark((0.0, 0.0, 4.712)) is None
    True
    """
    if not all(map(math.isfinite, rpy)):
        return None
    large = [k for k, angle in enumerate(rpy) if abs(angle) > HALF_TURN and not _is_fraction(angle)]
    if not large:
        return None
    k = max(large, key=lambda k: abs(rpy[k]))
    is_turned = abs(rpy[k]) > WHOLE_TURN
    much = "a whole turn" if is_turned else "half a turn"
    message = f"{_NAMES[k]} {rpy[k]:g} rad is more than {much}. In degrees this would be {in_degrees(rpy)}."
    return AngleRemark("amber" if is_turned else "note", message)


def in_degrees(rpy: Sequence[float]) -> str:
    """Return the rotation of numbers that are taken for degrees, in words.

    >>> print(in_degrees((-90.0, 0.0, -90.0)))
    roll -90°, pitch 0°, yaw -90°: an optical frame (z forward, x right, y down)
    """
    text = ", ".join(f"{name} {angle:g}°" for name, angle in zip(_NAMES, rpy, strict=True))
    if any(angle % 90.0 for angle in rpy):
        return text
    yaw_pitch_roll = np.radians(np.array(rpy, dtype=float)[::-1])
    R = Transform.from_orientation(frames.axes_rotations((3, 2, 1), yaw_pitch_roll), np.zeros(3)).R_AB
    if np.allclose(R, _OPTICAL, atol=1e-9):
        return f"{text}: an optical frame (z forward, x right, y down)"
    return f"{text}: multiples of 90°"


def _is_fraction(angle: float) -> bool:
    return abs(angle) <= 2.0 * WHOLE_TURN and abs(angle - STEP * round(angle / STEP)) <= ROUNDED

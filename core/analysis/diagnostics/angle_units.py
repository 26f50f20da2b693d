"""Check for angles with the unit rad whose numbers are in degrees."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import islice
from typing import Any

import numpy as np

from framescope.core.analysis.diagnostics.diagnosis import make_problem
from framescope.core.errors import KeyPath, Problem
from framescope.core.kernels.validation import Array
from framescope.core.scene.edits.fields import set_values
from framescope.core.scene.schema.base import Item
from framescope.core.scene.schema.kinds.orientations import ORIENTATION_KINDS, authored_angles
from framescope.core.scene.schema.model import Scene
from framescope.core.scene.schema.poses import OrientationForm

MOST_RADIANS = 2.0 * math.pi + 0.05
"""Angle above which a number is more likely in degrees than in radians: more than one turn."""

MAX_NAMED = 200
"""Largest number of orientations that are reported individually."""

ROUND_STEP = 5.0
"""Step of most angles written in degrees, but not of angles in radians."""

LEAST_ROUND = 15.0
"""Smallest largest angle of a set of round angles that counts as degrees."""

MOST_CONSTANT = 30.0
"""Angle above which a constant is in degrees, whatever its digits."""

PART_OF_PI = math.pi / 12.0
"""Step of angles that are written in radians."""

WRAP_STEP = (300.0, 361.0)
"""Range of the change between rows of an angle in degrees that wraps around."""

MARGIN = 0.05


def written_degrees(scene: Scene) -> Iterator[Problem]:
    """Yield a problem for each constant orientation in radians whose numbers look like degrees."""
    written = ((key, form) for name, frame in scene.frames.items() for key, form in _forms(("frames", name), frame))
    in_radians = ((key, form) for key, form in written if form.unit == "rad" and _look_like_degrees(_constants(form)))
    for key, form in islice(in_radians, MAX_NAMED):
        what = "its angles reach" if len(authored_angles(form)) > 1 else "its angle is"
        yield _message(key, what, max(map(abs, _constants(form))))


def recorded_degrees(key: KeyPath, angles: Array, sequence: str) -> Problem | None:
    """Return a problem if recorded angles (n, 3), read as radians, are in degrees; else None.

    A rotation about one axis may extend over many turns. Angles are in degrees if the second angle, which is bounded,
    exceeds its bounds, too, or if a column wraps around at 360.
    """
    largest = float(np.abs(angles).max(initial=0.0))
    if largest <= MOST_RADIANS:
        return None
    is_proper = sequence[:1].upper() == sequence[2:].upper()
    least, most = (0.0, math.pi) if is_proper else (-math.pi / 2.0, math.pi / 2.0)
    second = angles[:, 1]
    is_beyond = bool(((second < least - MARGIN) | (second > most + MARGIN)).any())
    steps = np.abs(np.diff(angles, axis=0))
    if not is_beyond and not ((steps > WRAP_STEP[0]) & (steps < WRAP_STEP[1])).any():
        return None
    return _message((*key, "columns", "orientation"), "its angles reach", largest)


def _message(key: KeyPath, subject: str, largest: float) -> Problem:
    place, message = (*key, "unit"), f"{subject} {largest:.4g} rad, {largest / (2.0 * math.pi):.3g} turns."
    problem = make_problem(place, "unit-wrong", "wrong unit", message, 'Did you mean "deg"?')
    return problem.with_fix("Read as deg", set_values({place: "deg"}, f"{key[1]}: angles in deg"))


def _forms(key: KeyPath, value: object) -> Iterator[tuple[KeyPath, Any]]:
    """Yield the orientations by angles in an item, with their key paths."""
    match value:
        case Item() if (kind := ORIENTATION_KINDS.get(value)) is not None and kind.turns is not None:
            yield key, value
        case Item():
            for name in type(value).model_fields:
                yield from _forms((*key, name), getattr(value, name))
        case tuple():
            for i, part in enumerate(value):  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
                yield from _forms((*key, i), part)  # pyright: ignore[reportUnknownArgumentType]
        case _:
            return


def _constants(form: OrientationForm) -> tuple[float, ...]:
    return tuple(angle for angle in authored_angles(form) if isinstance(angle, float))


def _look_like_degrees(angles: tuple[float, ...]) -> bool:
    """Return whether constants with the unit rad are more likely in degrees.

    >>> _look_like_degrees((90.0, 45.0, 180.0)), _look_like_degrees((7.0, 0.0, 10.0)), _look_like_degrees((31.41593,))
    (True, False, False)
    """
    largest = max(map(abs, angles), default=0.0)
    if largest <= MOST_RADIANS or any(angle and _is_multiple(angle, PART_OF_PI) for angle in angles):
        return False
    is_round = all(_is_multiple(angle, ROUND_STEP) for angle in angles)
    return largest > MOST_CONSTANT or (is_round and largest >= LEAST_ROUND)


def _is_multiple(number: float, unit: float) -> bool:
    return abs(number / unit - round(number / unit)) < 1e-3

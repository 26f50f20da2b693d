"""Readings of a pose in two named parts: a position here, the numbers of a rotation there."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from framescope.core.readings.bare_numbers import position_of, read_bare
from framescope.core.readings.named_angles import read_named
from framescope.core.readings.numerals import NUMBER, read_numeral
from framescope.core.readings.reading import Placement, Reading, TextReadings

_NAMES = (
    r"(?:pos(?:ition)?|trans(?:lation)?(?:[ _-]?vec(?:tor)?)?|location|origin|xyz|tvec|extrinsic_?T(?:rans(?:lation)?)?"
    r"|[Ttp])"
)
_GAP = r"[\s,;]{1,40}"
_PLACE = re.compile(
    rf"(?<![A-Za-z]){_NAMES}[\"']?\s{{0,8}}(?:[\[(](mm|cm|m)[\])])?\s{{0,8}}[:=]?\s{{0,8}}(?:np\.array)?"
    rf"[\[({{\"'\s]{{0,20}}({NUMBER}){_GAP}({NUMBER}){_GAP}({NUMBER})(?![\d.eE])\s{{0,8}}(mm|cm|m)?(?![A-Za-z])"
    r"[\])}\"']{0,8}(?!\s{0,8}[,;]?\s{0,8}[+-]?[\d.])",
    re.IGNORECASE,
)
"""A name of a position, its three numbers, and no fourth one."""


def read_pose_parts(text: str) -> TextReadings | None:
    """Return the readings of a text with one named position and the numbers of one rotation; None for other texts.

    Examples
    --------
    >>> result = read_pose_parts("translation: [0.1, 0.2, 0.3], rotation: [0, 0, 0.6, 0.8]")
    >>> [(reading.form, reading.p_PF) for reading in result.readings]
    [('quaternion xyzw', (0.1, 0.2, 0.3)), ('quaternion wxyz', (0.1, 0.2, 0.3))]
    """
    places = list(_PLACE.finditer(text))
    if len(places) != 1:
        return None
    place = places[0]
    numbers = [number for word in place.group(2, 3, 4) if (number := read_numeral(word)) is not None]
    p, assumed = position_of(numbers, (place[1] or place[5] or "").lower())
    rest = f"{text[: place.start()]}\n{text[place.end() :]}".strip(" \t\n,;")
    rotation = read_named(rest) or read_bare(rest)
    if rotation is None:
        return None
    turned = [reading for reading in rotation.readings if reading.kind == "orientation" and not reading.is_list]
    if not turned:
        return None
    readings = tuple(_with_position(reading, p, assumed) for reading in turned)
    return TextReadings(readings, rotation.question if len(readings) > 1 else "")


def _with_position(reading: Reading, p: Sequence[float], assumed: tuple[str, ...]) -> Reading:
    """Return a reading of an orientation with a position; a matrix that is read the other way takes it along."""
    R, place = reading.R, np.array([float(number) for number in p])
    if R is not None and reading.form == "matrix passive":
        place = -(R.T.T @ place)
    x, y, z = (float(number) + 0.0 for number in place)
    old = reading.placements[0]
    placement = Placement(R, (x, y, z), old.parent, old.child)
    return replace(reading, placements=(placement,), assumed=(*reading.assumed, *assumed))

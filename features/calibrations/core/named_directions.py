"""Directions that names of matrices state, such as ``T_imu_cam0``, ``body_T_cam1`` and ``T_BC``.

A matrix ``T_A_B`` or ``A_T_B`` takes points of B to A by the usage of this notation. As nothing in a file says so, its
edge has a doubt.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from framescope.core.errors import visible_text
from framescope.core.transform import Transform
from framescope.features.calibrations.core.calibration import Edge, edge_of
from framescope.features.calibrations.core.lens_models import carrier_of

_PATTERNS = (
    re.compile(r"(?P<end>[A-Za-z]\w*?)_[TRtp]_(?P<start>\w+)\Z"),
    re.compile(r"[TRtp]_(?P<end>[A-Z]\d?)(?P<start>[A-Z]\d?)\Z"),
    re.compile(r"[TRtp]_(?P<end>[A-Za-z0-9]+)_(?P<start>[A-Za-z0-9]+)\Z"),
    re.compile(r"(?:T_)?(?P<start>[A-Za-z]\w*?)_(?:to|2)_(?P<end>\w+)\Z", re.IGNORECASE),
)
LETTERS: Mapping[str, str] = {"B": "body", "C": "camera", "I": "imu", "L": "lidar", "S": "sensor", "V": "vehicle"}
"""Frames for which names of matrices have a single letter."""


def direction_of(name: str) -> tuple[str, str] | None:
    """Return the names of the frames from which and to which a matrix takes points by its name; None for another name.

    >>> direction_of("T_imu_cam0"), direction_of("body_T_cam1"), direction_of("T_BC"), direction_of("extrinsic")
    (('cam0', 'imu'), ('cam1', 'body'), ('C', 'B'), None)
    """
    match = next((match for pattern in _PATTERNS if (match := pattern.match(name))), None)
    if match is None or match["start"] == match["end"]:
        return None
    return match["start"], match["end"]


def open_edge(
    entry: str, takes: tuple[str, str], X_file: Transform, reason: str = "nothing in the file states the direction."
) -> Edge:
    """Return the edge of a matrix whose direction its name alone states, with the doubt and its reason."""
    start, end = takes
    here, there = visible_text(start), visible_text(end)
    doubt = (
        f"{reason} By the usage of the name it takes points of {here} to {there};"
        f" meant the other way round, points of {there} to {here}."
    )
    return replace(edge_of(entry, takes, X_file, carrier_of(end, start)), doubt=doubt)

"""Dialects in the order in which a file is tried."""

from __future__ import annotations

from framescope.features.calibrations.core.dialect import Dialect
from framescope.features.calibrations.core.dialects.colmap import COLMAP
from framescope.features.calibrations.core.dialects.kalibr import KALIBR
from framescope.features.calibrations.core.dialects.nerf import NERF

DIALECTS: tuple[Dialect, ...] = (KALIBR, COLMAP, NERF)
"""All dialects; the first that recognizes a file reads it."""


def dialect_of(data: bytes) -> Dialect | None:
    r"""Return the dialect of a file by its content; None if it is no calibration.

    >>> dialect_of(b"cam0:\n  cam_overlaps: [1]\n").name
    'kalibr'
    """
    return next((dialect for dialect in DIALECTS if dialect.recognizes(data)), None)

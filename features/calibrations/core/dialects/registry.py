"""Dialects in the order in which a file is tried."""

from __future__ import annotations

from framescope.features.calibrations.core.dialect import Dialect
from framescope.features.calibrations.core.dialects.easy_handeye import EASY_HANDEYE
from framescope.features.calibrations.core.dialects.kalibr import KALIBR
from framescope.features.calibrations.core.dialects.kitti import KITTI
from framescope.features.calibrations.core.dialects.launch_files import LAUNCH_FILES
from framescope.features.calibrations.core.dialects.opensim import OPENSIM
from framescope.features.calibrations.core.dialects.transforms import TRANSFORMS

DIALECTS: tuple[Dialect, ...] = (KALIBR, TRANSFORMS, LAUNCH_FILES, EASY_HANDEYE, KITTI, OPENSIM)
"""All dialects; the first that recognizes a file reads it."""


def dialect_of(data: bytes) -> Dialect | None:
    r"""Return the dialect of a file by its content; None if it is no calibration.

    >>> dialect_of(b"cam0:\n  cam_overlaps: [1]\n").name
    'kalibr'
    """
    return next((dialect for dialect in DIALECTS if dialect.recognizes(data)), None)

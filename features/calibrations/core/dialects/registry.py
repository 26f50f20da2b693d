"""Dialects in the order in which a file is tried."""

from __future__ import annotations

from framescope.features.calibrations.core.dialect import Dialect
from framescope.features.calibrations.core.dialects.camera_info import CAMERA_INFO
from framescope.features.calibrations.core.dialects.colmap import COLMAP
from framescope.features.calibrations.core.dialects.easy_handeye import EASY_HANDEYE
from framescope.features.calibrations.core.dialects.euroc import EUROC
from framescope.features.calibrations.core.dialects.kalibr import KALIBR
from framescope.features.calibrations.core.dialects.kitti import KITTI
from framescope.features.calibrations.core.dialects.launch_files import LAUNCH_FILES
from framescope.features.calibrations.core.dialects.nerf import NERF
from framescope.features.calibrations.core.dialects.opencv import OPENCV
from framescope.features.calibrations.core.dialects.opensim import OPENSIM
from framescope.features.calibrations.core.dialects.orb_slam import ORB_SLAM
from framescope.features.calibrations.core.dialects.transforms import TRANSFORMS
from framescope.features.calibrations.core.dialects.vins import VINS

DIALECTS: tuple[Dialect, ...] = (
    KALIBR,
    EUROC,
    ORB_SLAM,
    VINS,
    TRANSFORMS,
    LAUNCH_FILES,
    EASY_HANDEYE,
    CAMERA_INFO,
    OPENCV,
    KITTI,
    OPENSIM,
    COLMAP,
    NERF,
)
"""All dialects; the first that recognizes a file reads it."""


def dialect_of(data: bytes) -> Dialect | None:
    r"""Return the dialect of a file by its content; None if it is no calibration.

    >>> dialect_of(b"cam0:\n  cam_overlaps: [1]\n").name
    'kalibr'
    """
    return next((dialect for dialect in DIALECTS if dialect.recognizes(data)), None)

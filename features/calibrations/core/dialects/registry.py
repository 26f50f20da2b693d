"""Dialects in the order in which a file is tried."""

from __future__ import annotations

import re

from framescope.features.calibrations.core.calibration import Calibration, CalibrationError, Edge
from framescope.features.calibrations.core.dialect import Dialect, Source, decoded, mark_and_encoding
from framescope.features.calibrations.core.dialects.camera_info import CAMERA_INFO
from framescope.features.calibrations.core.dialects.colmap import COLMAP
from framescope.features.calibrations.core.dialects.easy_handeye import EASY_HANDEYE
from framescope.features.calibrations.core.dialects.euroc import EUROC
from framescope.features.calibrations.core.dialects.kalibr import KALIBR
from framescope.features.calibrations.core.dialects.kitti import KITTI
from framescope.features.calibrations.core.dialects.launch_files import LAUNCH_FILES
from framescope.features.calibrations.core.dialects.matrices import MATRICES
from framescope.features.calibrations.core.dialects.nerf import NERF
from framescope.features.calibrations.core.dialects.opencv import OPENCV
from framescope.features.calibrations.core.dialects.opensim import OPENSIM
from framescope.features.calibrations.core.dialects.orb_slam import ORB_SLAM
from framescope.features.calibrations.core.dialects.transforms import TRANSFORMS
from framescope.features.calibrations.core.dialects.vins import VINS
from framescope.features.calibrations.core.unread_poses import patch_unread, with_unread_poses

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
    MATRICES,
)
"""All dialects; the first that recognizes a file reads it."""


def read_whole(dialect: Dialect, source: Source) -> Calibration:
    """Return the content of a file with the matrices that its dialect does not read, see `unread_poses`."""
    try:
        calibration = dialect.read(source)
    except CalibrationError as error:
        raise _decimal_comma(source) or error from None
    return with_unread_poses(calibration, dialect, source)


_DECIMAL_COMMA = re.compile(r"(?<![\w.,])[-+]?\d+,(?:0\d+|\d{5,})(?![\d.])")


def _decimal_comma(source: Source) -> CalibrationError | None:
    """Return the error of the first number with a decimal comma in a text that cannot be read; None without one."""
    text = source.text
    match = _DECIMAL_COMMA.search(text)
    if match is None:
        return None
    line = text.count("\n", 0, match.start()) + 1
    number = match[0] if len(match[0]) <= 8 else f"{match[0][:7]}…"
    return CalibrationError(f"{source.name}: line {line}: {number} has a decimal comma. Write a point.")


def patch_whole(dialect: Dialect, source: Source, edges: tuple[Edge, ...]) -> bytes:
    """Return the content of a file with the numbers of some edges replaced, by their entries, and all else kept.

    Its byte order mark and its encoding stay.

    Raises
    ------
    CalibrationError
        When the dialect is not patched, or the text has no such entry, or is no UTF-8 or UTF-16.
    """
    if dialect.patch is None:
        raise CalibrationError(f"{dialect.title} are not changed in place.")
    mark, encoding = mark_and_encoding(source.data)
    try:
        text = decoded(source.data, "strict")
    except UnicodeDecodeError:
        raise CalibrationError(f"{source.name} is no text in UTF-8: its numbers cannot be replaced.") from None
    own = {edge.entry for edge in dialect.read(source).edges}
    text = dialect.patch(text, tuple(edge for edge in edges if edge.entry in own))
    return mark + patch_unread(text, [edge for edge in edges if edge.entry not in own]).encode(encoding)


def dialect_of(data: bytes) -> Dialect | None:
    r"""Return the dialect of a file by its content; None if it is no calibration.

    >>> dialect_of(b"cam0:\n  cam_overlaps: [1]\n").name
    'kalibr'
    """
    mark, encoding = mark_and_encoding(data)
    if mark:
        data = data[len(mark) :].decode(encoding, "ignore").encode()
    return next((dialect for dialect in DIALECTS if dialect.recognizes(data)), None)

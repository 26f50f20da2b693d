"""Matrices in YAML and JSON of any program whose names state a direction, such as ``T_cam_lidar`` and ``T_BC``.

The names are read by the usage of the notation, and every direction is marked as open.
"""

from __future__ import annotations

import re

from framescope.features.calibrations.core.calibration import Calibration, CalibrationError
from framescope.features.calibrations.core.dialect import Dialect, Source
from framescope.features.calibrations.core.opencv_storage import read_storage
from framescope.features.calibrations.core.unread_poses import patch_unread, with_unread_poses

_NAME = rb"(?:T_[A-Za-z]\w*|[A-Za-z]\w*_T_\w+|[A-Za-z]\w*_to_\w+)"
_MARK = re.compile(
    rb"^[ \t{-]*[\"']?" + _NAME + rb"[\"']?[ \t]*:\s*(?:!!\S+\s*)?(?:-[ \t]*)?\[\s*\[?\s*[-+.\d]"
    rb"|^[ \t{-]*[\"']?" + _NAME + rb"[\"']?[ \t]*:\s*\{?[\s\"']*(?:rows|cols)\b",
    re.MULTILINE,
)


def is_matrices(head: bytes) -> bool:
    """Return whether a text has a matrix under a name that states a direction."""
    return b"\0" not in head and head.lstrip()[:1] != b"<" and _MARK.search(head) is not None


def read(source: Source) -> Calibration:
    """Return the poses of the matrices, all with open directions."""
    document = read_storage(source.text, source.name)
    calibration = with_unread_poses(Calibration("matrices", problems=document.problems), MATRICES, source)
    if not calibration.edges:
        reasons = [problem.message for problem in calibration.problems]
        raise CalibrationError(f"{source.name}: no matrix could be read. {' '.join(reasons[:1])}".rstrip())
    return calibration


MATRICES = Dialect(
    "matrices",
    "YAML and JSON files with matrices named by direction",
    (".yaml", ".json"),
    is_matrices,
    read,
    (("T_A_B, A_T_B", "takes points of B to A by the usage of the name; the file does not state it"),),
    example="""\
lidar:
  T_cam_lidar:
  - [0.0, -1.0, 0.0, 0.03]
  - [0.0, 0.0, -1.0, 0.02]
  - [1.0, 0.0, 0.0, -0.05]
  - [0.0, 0.0, 0.0, 1.0]
""",
    patch=patch_unread,
)

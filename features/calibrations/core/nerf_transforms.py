"""Poses of ``transforms.json`` of nerfstudio and instant-ngp, turned from the axes of OpenGL to those of OpenCV."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from framescope.core.errors import Problem
from framescope.core.kernels.validation import Array
from framescope.core.transform import Transform
from framescope.features.calibrations.core.calibration import MAX_NUMBER, CalibrationError, pose_of_rows
from framescope.features.calibrations.core.image_order import label_of

MAX_IMAGES = 200_000
"""Largest number of images of a file."""

MAX_BYTES = 100_000_000
"""Largest size of a file, bytes."""

ROTATION = 1e-3
"""Deviation of a matrix from a rotation above which it is reported."""

FLIP = np.array([1.0, -1.0, -1.0])
"""Signs of the axes of OpenGL (y up, z back) along those of OpenCV (y down, z forward)."""

_MARK = re.compile(rb'"transform_matrix"\s*:')


@dataclass(frozen=True, eq=False)
class Transforms:
    """Content of a file.

    Attributes
    ----------
    keys
        Its top level.
    frames
        Its images, in the order of the file.
    names
        Names of the images (n): their paths.
    X_RC : Transform
        Poses of the cameras, with axes x right, y down, z forward, in the reconstruction (n,).
    times : (n,) or None
        Times of the images, s, if all have one and no two are equal.
    problems
        Problems of the poses.
    """

    keys: Mapping[str, Any]
    frames: tuple[Mapping[str, Any], ...]
    names: tuple[str, ...]
    X_RC: Transform
    times: Array | None
    problems: tuple[Problem, ...]


def is_transforms(head: bytes) -> bool:
    """Return whether a text is JSON with camera poses.

    >>> is_transforms(b'{"frames": [{"transform_matrix": ['), is_transforms(b'{"transform": 1}')
    (True, False)
    """
    is_object = b"\0" not in head and head.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"{")
    return is_object and _MARK.search(head) is not None


def read_transforms(name: str, data: bytes) -> Transforms:
    """Read the poses of a file.

    Raises
    ------
    CalibrationError
        When the file is too large or no JSON, has no images, or a matrix is none.
    """
    if len(data) > MAX_BYTES:
        raise CalibrationError(f"{name} is larger than {MAX_BYTES // 1_000_000} MB.")
    try:
        document: Any = json.loads(data.decode("utf-8-sig", "replace"))
    except RecursionError:
        raise CalibrationError(f"{name}: its lists or objects are nested too deep.") from None
    except ValueError as error:
        raise CalibrationError(f"{name} is no valid JSON: {str(error)[:200]}.") from None
    keys = cast("dict[str, Any]", document) if isinstance(document, dict) else {}
    frames = keys.get("frames")
    if not isinstance(frames, list) or not frames:
        raise CalibrationError(f"{name}: expected a list of images in frames.")
    listed = cast("list[Any]", frames)
    if len(listed) > MAX_IMAGES:
        raise CalibrationError(f"{name} has more than {MAX_IMAGES:,} images.")
    for k, frame in enumerate(listed):
        if not isinstance(frame, dict) or "transform_matrix" not in frame:
            raise CalibrationError(f"{name}: frames[{k}] has no transform_matrix.")
    entries = tuple(cast("list[dict[str, Any]]", listed))
    matrices = np.stack([_matrix(frame["transform_matrix"], f"frames[{k}]") for k, frame in enumerate(entries)])
    names = tuple(_name(frame, k) for k, frame in enumerate(entries))
    X = Transform(matrices[:, :3, :3] * FLIP, matrices[:, :3, 3])
    return Transforms(keys, entries, names, X, _times(entries), _problems(matrices))


def _matrix(value: Any, entry: str) -> Array:
    """Return a matrix (4, 4) of finite numbers; the last row may be missing."""
    place = f"{entry}.transform_matrix"
    try:
        rows = np.array(value, dtype=float)
    except (TypeError, ValueError, OverflowError):
        raise CalibrationError(f"{place}: expected four rows of four numbers.") from None
    if rows.shape == (3, 4):
        rows = np.concatenate([rows, [[0.0, 0.0, 0.0, 1.0]]])
    is_plain = rows.shape == (4, 4) and np.isfinite(rows).all() and np.abs(rows).max() <= MAX_NUMBER
    if not is_plain or np.abs(rows[3] - (0.0, 0.0, 0.0, 1.0)).max() > 1e-6:
        pose_of_rows(rows, place)  # raises the error with its reason
        raise CalibrationError(f"{place}: expected four rows of four numbers, the last 0 0 0 1.")
    return rows


def _name(frame: Mapping[str, Any], k: int) -> str:
    path = frame.get("file_path")
    return (label_of(path[:1000]) if isinstance(path, str) else "") or f"image {k + 1}"


def _times(frames: tuple[Mapping[str, Any], ...]) -> Array | None:
    values = [frame.get("time") for frame in frames]
    if not all(isinstance(value, int | float) and not isinstance(value, bool) for value in values):
        return None
    try:
        times = np.array(values, dtype=float)
    except OverflowError:
        return None
    is_usable = bool(np.isfinite(times).all()) and len(np.unique(times)) == len(times)
    return times if is_usable else None


def _problems(matrices: Array) -> tuple[Problem, ...]:
    """Return the problem of the matrix that is farthest from a rotation, if one is far from it."""
    R = matrices[:, :3, :3]
    with np.errstate(over="ignore", invalid="ignore"):
        off = np.abs(R @ np.swapaxes(R, 1, 2) - np.eye(3)).max(axis=(1, 2))
        off = np.where(np.linalg.det(R) > 0.0, off, np.inf)
    row = int(np.argmax(off))
    if math.isfinite(off[row]) and off[row] <= ROTATION:
        return ()
    _, problems = pose_of_rows(matrices[row], f"frames[{row}].transform_matrix")
    return problems

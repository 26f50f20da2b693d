"""Cameras and images of a model of COLMAP, from text and from binary files, and back.

References
----------
COLMAP, "Output Format": https://colmap.github.io/format.html.
"""

from __future__ import annotations

import io
import math
import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from framescope.core.errors import visible_text
from framescope.core.kernels.validation import Array
from framescope.features.calibrations.core.calibration import CalibrationError
from framescope.features.calibrations.core.image_order import label_of
from framescope.features.calibrations.core.numbers_in_text import number_text

MAX_IMAGES = 200_000
"""Largest number of images of a model."""

MAX_CAMERAS = 200_000
"""Largest number of cameras of a model."""

MAX_NAME_BYTES = 1000
"""Largest length of the name of an image, bytes."""

LEAST_LENGTH = 0.1
"""Length of a quaternion below which it gives no orientation."""

CAMERA_MODELS: dict[str, tuple[int, int, int]] = {
    "SIMPLE_PINHOLE": (0, 3, 1),
    "PINHOLE": (1, 4, 2),
    "SIMPLE_RADIAL": (2, 4, 1),
    "RADIAL": (3, 5, 1),
    "OPENCV": (4, 8, 2),
    "OPENCV_FISHEYE": (5, 8, 2),
    "FULL_OPENCV": (6, 12, 2),
    "FOV": (7, 5, 2),
    "SIMPLE_RADIAL_FISHEYE": (8, 4, 1),
    "RADIAL_FISHEYE": (9, 5, 1),
    "THIN_PRISM_FISHEYE": (10, 12, 2),
    "RAD_TAN_THIN_PRISM_FISHEYE": (11, 16, 2),
    "SIMPLE_DIVISION": (12, 4, 1),
    "DIVISION": (13, 5, 2),
    "SIMPLE_FISHEYE": (14, 3, 1),
    "FISHEYE": (15, 4, 2),
    "EUCM": (16, 6, 2),
}
"""Models of cameras: number in binary files, count of parameters, and how many of them are focal lengths."""

WITHOUT_FOCAL = {"EQUIRECTANGULAR": (17, 2)}
"""Models without a focal length, whose cameras are left out: number and count of parameters."""

_MODEL_OF_NUMBER = {number: name for name, (number, _, _) in CAMERA_MODELS.items()}
_COUNT_WITHOUT_FOCAL = {number: (name, count) for name, (number, count) in WITHOUT_FOCAL.items()}
_CAMERA_HEAD = struct.Struct("<IiQQ")
_IMAGE_HEAD = struct.Struct("<I7dI")
_POINT_2D = 24
"""Bytes of a point of an image."""

_CHECKED = 30
"""Number of words of a line of points that are checked to be numbers."""


@dataclass(frozen=True)
class CameraEntry:
    """Camera of a model: number, model, size of the image in pixels, and parameters in the order of the file."""

    number: int
    model: str
    width: int
    height: int
    parameters: tuple[float, ...]


@dataclass(frozen=True, eq=False)
class ImageList:
    """Images of a model, in the order of the file.

    Attributes
    ----------
    names
        Names of the images (n).
    numbers : (n, 7)
        Quaternion w, x, y, z and position of the world in the camera, as in the file. The quaternion may be off unit
        length.
    cameras
        Numbers of their cameras (n).
    """

    names: tuple[str, ...]
    numbers: Array
    cameras: tuple[int, ...]


# --- Text


def _rows(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield the lines of a text without comments, numbered from 1; empty ones too, since they count."""
    for number, line in enumerate(io.BytesIO(data.removeprefix(b"\xef\xbb\xbf")), 1):
        if not line.lstrip().startswith(b"#"):
            yield number, line


def is_images_text(head: bytes) -> bool:
    r"""Return whether a text begins with an image of COLMAP.

    >>> is_images_text(b"# my images\n1 0.5 0.5 0.5 0.5 1 2 3 1 left.png\n"), is_images_text(b"1 0 0 0 0 0 0 0 0 1\n")
    (True, False)
    """
    if b"\0" in head:
        return False
    for _, line in _rows(head):
        if line.strip():
            pose = _pose(line.split(None, 9))
            return pose is not None and abs(math.hypot(*pose[:4]) - 1.0) < 0.01 and not _is_number(line.split()[9])
    return False


def images_of_text(name: str, data: bytes) -> ImageList:
    """Return the images of ``images.txt``: two lines each, of which the second holds points and may be missing.

    Raises
    ------
    CalibrationError
        When a line is neither an image nor a list of points, or there is no image.
    """
    names: list[str] = []
    numbers: list[tuple[float, ...]] = []
    cameras: list[int] = []
    takes_points = False
    for number, line in _rows(data):
        words = line.split(None, 9)
        if not words:
            takes_points = False  # an image without points has an empty line
            continue
        pose = _pose(words)
        if takes_points and (pose is None or _are_points(words, line)):
            if not all(map(_is_number, line.split(None, _CHECKED)[:_CHECKED])):
                raise _fault(name, number, line)
            takes_points = False
            continue
        if pose is None:
            raise _fault(name, number, line)
        if len(names) == MAX_IMAGES:
            raise CalibrationError(f"{name} has more than {MAX_IMAGES:,} images.")
        if math.hypot(*pose[:4]) < LEAST_LENGTH:
            raise CalibrationError(f"{name}, line {number}: the quaternion has a length of {math.hypot(*pose[:4]):g}.")
        names.append(label_of(words[9][:MAX_NAME_BYTES].decode("utf-8", "replace")))
        numbers.append(pose)
        cameras.append(int(words[8]))
        takes_points = True
    return _images(name, names, numbers, cameras)


def _pose(words: Sequence[bytes]) -> tuple[float, ...] | None:
    """Return the seven numbers of the line of an image; None for another line."""
    if len(words) != 10 or not (_is_count(words[0]) and _is_count(words[8])):
        return None
    try:
        pose = tuple(float(word) for word in words[1:8])
    except ValueError:
        return None
    return pose if all(map(math.isfinite, pose)) and max(map(abs, pose)) < 1e100 else None


def _are_points(words: Sequence[bytes], line: bytes) -> bool:
    """Return whether a line that may be an image holds points instead: triples of numbers."""
    return _is_number(words[9].split(None, 1)[0]) and len(line.split()) % 3 == 0


def _is_count(word: bytes) -> bool:
    return word.isdigit() and len(word) <= 10


def _is_number(word: bytes) -> bool:
    try:
        float(word)
    except ValueError:
        return False
    return True


def _fault(name: str, number: int, line: bytes) -> CalibrationError:
    got = visible_text(line.strip()[:80].decode("utf-8", "replace"))
    expected = "IMAGE_ID QW QX QY QZ TX TY TZ CAMERA_ID NAME, or its points as triples of numbers"
    return CalibrationError(f"{name}, line {number}: expected {expected}, got {got}.")


def _images(name: str, names: list[str], numbers: list[tuple[float, ...]], cameras: list[int]) -> ImageList:
    if not names:
        raise CalibrationError(f"{name} holds no image.")
    return ImageList(tuple(names), np.array(numbers, dtype=float).reshape(-1, 7), tuple(cameras))


def is_cameras_text(head: bytes) -> bool:
    r"""Return whether a text begins with a camera of COLMAP.

    >>> is_cameras_text(b"# cameras\n1 PINHOLE 640 480 500 500 320 240\n")
    True
    """
    if b"\0" in head:
        return False
    for _, line in _rows(head):
        if words := line.split(None, 5):
            is_known = len(words) > 4 and words[1].decode("ascii", "replace") in {**CAMERA_MODELS, **WITHOUT_FOCAL}
            return is_known and all(map(_is_count, (words[0], words[2], words[3])))
    return False


def cameras_of_text(name: str, data: bytes) -> tuple[tuple[CameraEntry, ...], tuple[str, ...]]:
    """Return the cameras of ``cameras.txt``, and the names of models that are unknown, whose cameras are left out.

    Raises
    ------
    CalibrationError
        When a line is no camera.
    """
    entries: list[CameraEntry] = []
    unknown: dict[str, None] = {}
    for number, line in _rows(data):
        words = line.split()
        if not words:
            continue
        place = f"{name}, line {number}"
        if len(words) < 5 or not all(map(_is_count, (words[0], words[2], words[3]))):
            got = visible_text(line.strip()[:80].decode("utf-8", "replace"))
            raise CalibrationError(f"{place}: expected CAMERA_ID MODEL WIDTH HEIGHT PARAMS, got {got}.")
        model = words[1][:60].decode("utf-8", "replace")
        if model not in CAMERA_MODELS:
            unknown[visible_text(model)] = None
            continue
        try:
            parameters = tuple(float(word) for word in words[4:21])
        except ValueError:
            raise CalibrationError(f"{place}: a parameter of the camera is no number.") from None
        if len(entries) == MAX_CAMERAS:
            raise CalibrationError(f"{name} has more than {MAX_CAMERAS:,} cameras.")
        entries.append(_camera(place, int(words[0]), model, int(words[2]), int(words[3]), parameters))
    return tuple(entries), tuple(unknown)


def _camera(place: str, number: int, model: str, width: int, height: int, parameters: tuple[float, ...]) -> CameraEntry:
    _, n, n_focal = CAMERA_MODELS[model]
    if len(parameters) != n:
        raise CalibrationError(f"{place}: {model} has {n} parameters, got {len(parameters)}.")
    if not all(map(math.isfinite, parameters)) or not min(parameters[:n_focal]) > 0.0:
        raise CalibrationError(f"{place}: expected finite parameters and a focal length above zero.")
    if not (0 < width < 10**6 and 0 < height < 10**6):
        raise CalibrationError(f"{place}: the image is {width} x {height} pixels.")
    return CameraEntry(number, model, width, height, parameters)


# --- Binary


def is_images_binary(head: bytes) -> bool:
    """Return whether data begins with images of COLMAP: their number, and an image with a quaternion of unit length."""
    if len(head) < 8 + 4 + 32:
        return False
    (n,) = struct.unpack_from("<Q", head)
    q = struct.unpack_from("<4d", head, 12)
    return 0 < n <= MAX_IMAGES and all(map(math.isfinite, q)) and abs(math.hypot(*q) - 1.0) < 1e-3


def images_of_binary(name: str, data: bytes) -> ImageList:
    """Return the images of ``images.bin``.

    Raises
    ------
    CalibrationError
        When the data ends early, a number is not finite, or there is no image.
    """
    names: list[str] = []
    numbers: list[tuple[float, ...]] = []
    cameras: list[int] = []
    at, (n,) = 8, struct.unpack_from("<Q", _at_least(name, data, 8))
    if n > min(MAX_IMAGES, len(data) // (_IMAGE_HEAD.size + 9)):
        raise CalibrationError(f"{name} should hold {n:,} images, and has no room for them.")
    for k in range(n):
        place = f"{name}, image {k + 1} of {n}"
        head = _IMAGE_HEAD.unpack_from(_at_least(place, data, at + _IMAGE_HEAD.size), at)
        at += _IMAGE_HEAD.size
        pose: tuple[float, ...] = head[1:8]
        if not all(map(math.isfinite, pose)) or max(map(abs, pose)) > 1e100 or math.hypot(*pose[:4]) < LEAST_LENGTH:
            raise CalibrationError(f"{place}: its pose is {', '.join(f'{number:g}' for number in pose)}.")
        end = data.find(b"\0", at, at + MAX_NAME_BYTES)
        if end < 0:
            raise CalibrationError(f"{place}: its name has no end.")
        names.append(label_of(data[at:end].decode("utf-8", "replace")))
        (n_points,) = struct.unpack_from("<Q", _at_least(place, data, end + 9), end + 1)
        at = end + 9 + _POINT_2D * n_points
        numbers.append(pose)
        cameras.append(head[8])
    _at_least(name, data, at)
    return _images(name, names, numbers, cameras)


def is_cameras_binary(head: bytes) -> bool:
    """Return whether data begins with cameras of COLMAP: their number, and a camera of a known model."""
    if len(head) < 8 + _CAMERA_HEAD.size + 24:
        return False
    (n,) = struct.unpack_from("<Q", head)
    _, model, width, height = _CAMERA_HEAD.unpack_from(head, 8)
    (focal,) = struct.unpack_from("<d", head, 8 + _CAMERA_HEAD.size)
    is_sized = 0 < width < 10**6 and 0 < height < 10**6 and 1.0 < focal < 1e9
    return 0 < n <= MAX_CAMERAS and model in _MODEL_OF_NUMBER and is_sized


def cameras_of_binary(name: str, data: bytes) -> tuple[tuple[CameraEntry, ...], tuple[str, ...]]:
    """Return the cameras of ``cameras.bin``, and the names of models without a focal length, which are left out.

    Raises
    ------
    CalibrationError
        When the data ends early, or a model is unknown.
    """
    entries: list[CameraEntry] = []
    left_out: dict[str, None] = {}
    at, (n,) = 8, struct.unpack_from("<Q", _at_least(name, data, 8))
    if n > min(MAX_CAMERAS, len(data) // _CAMERA_HEAD.size):
        raise CalibrationError(f"{name} should hold {n:,} cameras, and has no room for them.")
    for k in range(n):
        place = f"{name}, camera {k + 1} of {n}"
        number, of_model, width, height = _CAMERA_HEAD.unpack_from(_at_least(place, data, at + _CAMERA_HEAD.size), at)
        at += _CAMERA_HEAD.size
        if of_model in _COUNT_WITHOUT_FOCAL:
            name_of_model, count = _COUNT_WITHOUT_FOCAL[of_model]
            _at_least(place, data, at := at + 8 * count)
            left_out[name_of_model] = None
            continue
        model = _MODEL_OF_NUMBER.get(of_model)
        if model is None:
            raise CalibrationError(
                f"{place}: the model of the camera has the number {of_model}, which is unknown here."
            )
        count = CAMERA_MODELS[model][1]
        parameters = struct.unpack_from(f"<{count}d", _at_least(place, data, at + 8 * count), at)
        at += 8 * count
        entries.append(_camera(place, number, model, width, height, parameters))
    return tuple(entries), tuple(left_out)


def is_points_binary(head: bytes) -> bool:
    """Return whether data begins with points of COLMAP: their number, and a point that at least two images see."""
    if len(head) < 8 + 51:
        return False
    n, _, *p = struct.unpack_from("<QQ3d", head)
    error, n_images = struct.unpack_from("<dQ", head, 43)
    is_placed = all(math.isfinite(part) and abs(part) < 1e9 for part in p)
    return 0 < n < 10**9 and is_placed and -1.0 <= error < 1e6 and 2 <= n_images < 10**6


def _at_least(what: str, data: bytes, size: int) -> bytes:
    if len(data) < size:
        raise CalibrationError(f"{what}: the file ends early, after {len(data):,} bytes.")
    return data


# --- Rigs

_LONE_RIG = 16
"""Bytes of a rig with one sensor."""


def has_rigs(data: bytes) -> bool:
    r"""Return whether ``rigs.txt`` or ``rigs.bin`` has a rig of several sensors. COLMAP writes one for each camera.

    >>> has_rigs(b"# rigs\n1 1 CAMERA 1\n"), has_rigs(b"1 2 CAMERA 1 CAMERA 2 1 1 0 0 0 0.1 0 0\n")
    (False, True)
    """
    if b"\0" in data:
        return len(data) >= 8 and len(data) != 8 + _LONE_RIG * struct.unpack_from("<Q", data)[0]
    return any(words[1:2] not in ([], [b"0"], [b"1"]) for words in (line.split(None, 2) for _, line in _rows(data)))


# --- Writing

_HEADS = {
    "cameras": "# Cameras, a line for each:\n#   CAMERA_ID MODEL WIDTH HEIGHT PARAMS[]\n",
    "images": (
        "# Images, two lines for each, the second for its points:\n"
        "#   IMAGE_ID QW QX QY QZ TX TY TZ CAMERA_ID NAME\n"
        "# Q and T take points of the world to the camera (x right, y down, z forward).\n"
    ),
    "points3D": "# Points, a line for each:\n#   POINT3D_ID X Y Z R G B ERROR TRACK[]\n",
}


def cameras_text(entries: Sequence[CameraEntry]) -> str:
    """Return the content of ``cameras.txt``."""
    lines = [
        f"{entry.number} {entry.model} {entry.width} {entry.height} {' '.join(map(number_text, entry.parameters))}\n"
        for entry in entries
    ]
    return _HEADS["cameras"] + "".join(lines)


def images_text(images: ImageList) -> str:
    """Return the content of ``images.txt``, numbered from 1, without points of images."""
    rows = zip(images.numbers.tolist(), images.cameras, images.names, strict=True)
    lines = [
        f"{k} {' '.join(map(number_text, row))} {camera} {name}\n\n" for k, (row, camera, name) in enumerate(rows, 1)
    ]
    return _HEADS["images"] + "".join(lines)


def points_text(points: Array, colors: NDArray[np.uint8]) -> str:
    """Return the content of ``points3D.txt``: points (n, 3), colours (n, 3), no error and no images."""
    rows = zip(points.tolist(), colors.tolist(), strict=True)
    lines = [
        f"{k} {' '.join(map(number_text, p))} {' '.join(str(int(part)) for part in color)} -1\n"
        for k, (p, color) in enumerate(rows, 1)
    ]
    return _HEADS["points3D"] + "".join(lines)


def cameras_binary(entries: Sequence[CameraEntry]) -> bytes:
    """Return the content of ``cameras.bin``."""
    parts = [struct.pack("<Q", len(entries))]
    for entry in entries:
        number = CAMERA_MODELS[entry.model][0]
        parts.append(_CAMERA_HEAD.pack(entry.number, number, entry.width, entry.height))
        parts.append(struct.pack(f"<{len(entry.parameters)}d", *entry.parameters))
    return b"".join(parts)


def images_binary(images: ImageList) -> bytes:
    """Return the content of ``images.bin``, numbered from 1, without points of images."""
    parts = [struct.pack("<Q", len(images.names))]
    rows = zip(images.numbers.tolist(), images.cameras, images.names, strict=True)
    for k, (row, camera, name) in enumerate(rows, 1):
        parts.append(_IMAGE_HEAD.pack(k, *row, camera) + name.encode() + b"\0" + struct.pack("<Q", 0))
    return b"".join(parts)


def points_binary(points: Array, colors: NDArray[np.uint8]) -> bytes:
    """Return the content of ``points3D.bin``: points (n, 3), colours (n, 3), no error and no images."""
    row = np.dtype([("number", "<u8"), ("p", "<f8", 3), ("color", "u1", 3), ("error", "<f8"), ("count", "<u8")])
    rows = np.zeros(len(points), dtype=row)
    rows["number"] = np.arange(1, len(points) + 1)
    rows["p"], rows["color"], rows["error"] = points, colors, -1.0
    return struct.pack("<Q", len(points)) + rows.tobytes()

"""ROS camera_info: files of ``camera_calibration``, and messages as ``ros2 topic echo`` and ``rostopic`` print them.

They hold a lens and no extrinsic. The rectification ``R`` turns rays of the camera into rectified ones. The projection
``P`` of the second camera of a stereo pair holds the baseline: ``P[0, 3] = -fx Tx``, and the second camera is ``Tx``
along x of the first one, in rectified axes.

References
----------
ROS ``sensor_msgs/CameraInfo`` ("the fourth column [Tx Ty 0]' is related to the position of the optical center of the
second camera in the first camera's frame"), ``camera_calibration_parsers``.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, cast

import numpy as np

from framescope.core.errors import KeyPath, Problem, key_path_text, visible_text
from framescope.core.kernels.validation import Array
from framescope.core.transform import Transform
from framescope.features.calibrations.core.calibration import Calibration, CalibrationError, Edge, Lens, edge_of
from framescope.features.calibrations.core.dialect import Dialect, Source
from framescope.features.calibrations.core.lens_models import (
    EQUIDISTANT,
    NONE,
    RADTAN,
    RATIONAL,
    frame_name,
    lens_model,
)
from framescope.features.calibrations.core.numbers_in_text import number_text
from framescope.features.calibrations.core.opencv_storage import (
    matrix_of,
    read_storage,
    replace_entry,
    size_at,
)
from framescope.features.calibrations.core.yaml_texts import floats

MAX_CAMERAS = 20
"""Largest number of cameras whose messages are read from one text."""

TURNED = 1e-9
"""Angle from which a rectification turns the camera, rad."""

_FILE = re.compile(rb"^[ \t]*[\"']?camera_matrix[\"']?[ \t]*:", re.MULTILINE)
_FILE_TOO = re.compile(
    rb"^[ \t]*[\"']?(?:rectification_matrix|projection_matrix|image_width|camera_name)[\"']?[ \t]*:", re.MULTILINE
)
_ECHO = re.compile(rb"^distortion_model:", re.MULTILINE)
_ECHO_K, _ECHO_P = re.compile(rb"^[kK]:", re.MULTILINE), re.compile(rb"^[pP]:", re.MULTILINE)
_FRAME = re.compile(r"^\s*frame_id:[ \t]*[\"']?([^\"'\n]*)", re.MULTILINE)
_BREAK = re.compile(r"^---[ \t]*$", re.MULTILINE)
_END = re.compile(r"^---\s*\Z", re.MULTILINE)
_ROS_MODELS = {RADTAN: "plumb_bob", RATIONAL: "rational_polynomial", EQUIDISTANT: "equidistant", NONE: "plumb_bob"}


@dataclass(frozen=True)
class _Names:
    """Keys of the width, height, matrices and distortion of a file or a message."""

    width: str
    height: str
    K: str
    D: str
    R: str
    P: str


_FILE_NAMES = _Names(
    "image_width",
    "image_height",
    "camera_matrix",
    "distortion_coefficients",
    "rectification_matrix",
    "projection_matrix",
)
_LOWER, _UPPER = _Names("width", "height", "k", "d", "r", "p"), _Names("width", "height", "K", "D", "R", "P")


def is_camera_info(head: bytes) -> bool:
    """Return whether a text is a file of camera_calibration, or a printed message of CameraInfo."""
    if b"\0" in head or b"!!opencv-matrix" in head:
        return False
    is_file = _FILE.search(head) is not None and _FILE_TOO.search(head) is not None
    return is_file or all(mark.search(head) is not None for mark in (_ECHO, _ECHO_K, _ECHO_P))


def read(source: Source) -> Calibration:
    """Return the lens of a file, or those of the first message of each frame, with the baselines of stereo pairs."""
    cameras: list[Calibration] = []
    for name, text in _documents(source):
        document = read_storage(text, source.name)
        keys = document.keys
        names = next((names for names in (_FILE_NAMES, _LOWER, _UPPER) if names.K in keys), None)
        if names is None:
            raise CalibrationError(f"{source.name}: expected camera_matrix, or K of a message.")
        frame = frame_name(name or keys.get("camera_name", ""), frame_name(source.stem, "camera"))
        camera = _camera(frame, keys, names)
        cameras.append(replace(camera, problems=(*document.problems, *camera.problems)))
    return Calibration(
        "camera_info",
        tuple(edge for camera in cameras for edge in camera.edges),
        tuple(lens for camera in cameras for lens in camera.lenses),
        problems=tuple(problem for camera in cameras for problem in camera.problems),
    )


def camera_of_message(frame: str, message: Mapping[str, Any]) -> Calibration:
    """Return the lens of a message, with the baseline of the second camera of a stereo pair as its edge.

    Parameters
    ----------
    frame
        Name of the camera, whose word for a side is compared with the baseline.
    message
        ``width``, ``height``, ``distortion_model``, and ``d``, ``k``, ``r``, ``p`` as lists of numbers.

    Raises
    ------
    CalibrationError
        When the camera is not calibrated, or its numbers cannot be used.

    Examples
    --------
    >>> message = {"width": 640, "height": 480, "distortion_model": "plumb_bob", "d": [],
    ...     "k": [400.0, 0, 320, 0, 400, 240, 0, 0, 1], "p": [400.0, 0, 320, -48, 0, 400, 240, 0, 0, 0, 1, 0]}
    >>> camera = camera_of_message("right", message)
    >>> camera.lenses[0].focal, camera.edges[0].X_PC.p_AB
    ((400.0, 400.0), array([0.12, 0.  , 0.  ]))
    """
    return _camera(frame, message, _LOWER)


def _camera(frame: str, keys: Mapping[str, Any], names: _Names) -> Calibration:
    edges, problems = _baseline(frame, keys, names)
    return Calibration("camera_info", tuple(edges), (_lens(frame, keys, names),), problems=tuple(problems))


def _documents(source: Source) -> list[tuple[str, str]]:
    """Return the texts to read with the names of their frames: the file, or the first message of each frame."""
    text = source.text
    if _FILE.search(source.data) is not None:
        return [("", text)]
    messages: dict[str, str] = {}
    for part in _BREAK.split(text):
        if "distortion_model:" not in part:
            continue
        match = _FRAME.search(part)
        messages.setdefault("" if match is None else match[1].strip(), part)
        if len(messages) > MAX_CAMERAS:
            raise CalibrationError(f"{source.name}: messages of more than {MAX_CAMERAS} cameras.")
    if not messages:
        raise CalibrationError(f"{source.name}: expected a message of CameraInfo.")
    return list(messages.items())


def _matrix(keys: Mapping[str, Any], key: str, shape: tuple[int, int]) -> Array | None:
    """Return a matrix by its key, from a mapping or a list of numbers; None where the file has none."""
    if keys.get(key) is None:
        return None
    M = matrix_of(keys[key], key)
    if M.size != shape[0] * shape[1] or M.shape not in (shape, (1, M.size)):
        raise CalibrationError(f"{key}: expected a matrix {shape[0]} x {shape[1]}, got {M.shape[0]} x {M.shape[1]}.")
    return M.reshape(shape)


def _lens(frame: str, keys: Mapping[str, Any], names: _Names) -> Lens:
    K = _matrix(keys, names.K, (3, 3))
    if K is None:
        raise CalibrationError(f"{names.K}: expected a matrix 3 x 3.")
    if not K.any():
        raise CalibrationError(f"{names.K}: all its numbers are 0, as of a camera that is not calibrated.")
    D = keys.get(names.D)
    coefficients: tuple[float, ...] = ()
    if isinstance(D, Mapping):
        data = cast("Mapping[str, Any]", D).get("data")
        coefficients = floats(data if data is not None else [], None, f"{names.D}.data")
    elif D is not None:
        coefficients = floats(D, None, names.D)
    named = str(keys.get("distortion_model") or "")
    model = lens_model(named or "plumb_bob", len(coefficients), names.D)
    fx, fy, cx, cy = (float(K[i, k]) for i, k in ((0, 0), (1, 1), (0, 2), (1, 2)))
    topic = visible_text(str(keys.get("camera_name", "")))[:200]
    size = size_at(keys, names.width, names.height)
    return Lens(frame, None if size == (0, 0) else size, (fx, fy), (cx, cy), model, coefficients, topic)


def _baseline(frame: str, keys: Mapping[str, Any], names: _Names) -> tuple[list[Edge], list[Problem]]:
    """Return the edge of the second camera of a stereo pair, with notes on its axes and names."""
    P = _matrix(keys, names.P, (3, 4))
    problems = _rectification(keys, names)
    if P is None or not P[:2, 3].any():
        return [], problems
    if P[0, 0] == 0.0 or P[1, 1] == 0.0:
        raise CalibrationError(f"{names.P}: its focal lengths are 0, its fourth column is not.")
    x, y = -float(P[0, 3] / P[0, 0]) + 0.0, -float(P[1, 3] / P[1, 1]) + 0.0
    if not (abs(x) < 1e100 and abs(y) < 1e100):
        raise CalibrationError(f"{names.P}: its focal lengths are too small.")
    other = _other(frame)
    path: KeyPath = (names.P,)
    ways = [f"{abs(x):.4g} m to the {'right' if x > 0.0 else 'left'} of the first"] * (x != 0.0)
    ways += [f"{abs(y):.4g} m {'below' if y > 0.0 else 'above'} the first"] * (y != 0.0)
    who = f"P says that {visible_text(frame)} is the second camera of a stereo pair"
    words = f"{who}, {' and '.join(ways)}"
    side = next((side for side in ("left", "right") if side in frame.lower()), "")
    is_contrary = side == ("left" if x > 0.0 else "right") and x != 0.0
    hint = f'The name "{visible_text(frame)}" says otherwise.' if is_contrary else ""
    there = "right" if side == "left" else "left"
    doubt = (
        f'the name "{visible_text(frame)}" says that the camera is the {side} one: then the other lies to its {there}.'
    )
    severity = "amber" if is_contrary else "note"
    problems.append(Problem(path, f"{words}, in rectified axes.", hint, severity, kind="baseline"))
    X = Transform(np.eye(3), np.array([x, y, 0.0]))
    return [edge_of(key_path_text(path), (frame, other), X, other, doubt if is_contrary else "")], problems


def _other(frame: str) -> str:
    """Return the name of the first camera of a pair by that of the second.

    "right" becomes "left". The first camera of a pair without such names is called left, or first camera.
    """
    for second, first in (("right", "left"), ("Right", "Left"), ("RIGHT", "LEFT")):
        if second in frame:
            return frame.replace(second, first)
    first = "first camera" if "left" in frame.lower() else "left"
    return f"{first}_optical" if "optical" in frame.lower() else first


def _rectification(keys: Mapping[str, Any], names: _Names) -> list[Problem]:
    R = _matrix(keys, names.R, (3, 3))
    if R is None or not R.any():
        return []
    angle = float(np.arccos(np.clip(0.5 * (np.trace(R) - 1.0), -1.0, 1.0)))
    if angle <= TURNED or np.allclose(R, np.eye(3), atol=TURNED):
        return []
    message = f"the rectification turns rays of the camera by {math.degrees(angle):.3g}° into rectified ones."
    return [Problem((names.R,), f"{message} It is no pose of the camera and is not drawn.", severity="note")]


# --- Writing


def write(calibration: Calibration) -> str:
    """Return the text of a file of camera_calibration; of a stereo pair that of the second camera, with its baseline.

    Raises
    ------
    CalibrationError
        When there is not exactly one lens, or a pose that is more than a shift in the plane of the image.
    """
    if len(calibration.lenses) != 1 or len(calibration.edges) > 1:
        raise CalibrationError("a camera_info file holds the lens of one camera, and no pose but a baseline.")
    lens = calibration.lenses[0]
    if lens.model not in _ROS_MODELS:
        raise CalibrationError(f"a camera_info file holds no lens of the model {visible_text(lens.model)}.")
    (fx, fy), (cx, cy) = lens.focal, lens.center
    shift, comment = (0.0, 0.0), []
    for edge in calibration.edges:
        if edge.child != lens.frame:
            raise CalibrationError(
                f"a camera_info file holds the baseline of its own camera, {visible_text(lens.frame)}."
            )
        shift = _shift_of(edge)
        ends = f"{visible_text(edge.child)} to {visible_text(edge.parent)}"
        comment = [f"# projection_matrix holds the baseline, which takes points of {ends}: P[0, 3] = -fx Tx"]
    tx, ty = (-f * length + 0.0 for f, length in zip((fx, fy), shift, strict=True))
    coefficients = lens.coefficients or ((0.0,) * 5 if lens.model == NONE else ())
    size = [] if lens.size is None else [f"image_width: {lens.size[0]}", f"image_height: {lens.size[1]}"]
    lines = [
        *size,
        f"camera_name: {_quoted(lens.frame)}",
        *_matrix_lines("camera_matrix", 3, [fx, 0.0, cx, 0.0, fy, cy, 0.0, 0.0, 1.0]),
        f"distortion_model: {_ROS_MODELS[lens.model]}",
        *_matrix_lines("distortion_coefficients", 1, coefficients),
        *_matrix_lines("rectification_matrix", 3, [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]),
        *comment,
        *_matrix_lines("projection_matrix", 3, [fx, 0.0, cx, tx, 0.0, fy, cy, ty, 0.0, 0.0, 1.0, 0.0]),
    ]
    return "\n".join([*lines, ""])


def _shift_of(edge: Edge) -> tuple[float, float]:
    X = edge.X_PC
    if not np.allclose(X.R_AB, np.eye(3), atol=1e-9) or abs(float(X.p_AB[2])) > 1e-9:
        raise CalibrationError("a camera_info file holds a shift along x and y of the image, no rotation and no z.")
    return float(X.p_AB[0]), float(X.p_AB[1])


def _quoted(name: str) -> str:
    is_plain = re.fullmatch(r"[A-Za-z_][\w/.\-]*", name) is not None
    return name if is_plain else "'" + visible_text(name).replace("'", "''") + "'"


def _matrix_lines(key: str, rows: int, numbers: Any) -> list[str]:
    values = list(numbers)
    text = ", ".join(map(number_text, values))
    return [f"{key}:", f"  rows: {rows}", f"  cols: {len(values) // rows}", f"  data: [{text}]"]


def patch(text: str, edges: tuple[Edge, ...]) -> str:
    """Return the text of a file with the baselines of some edges replaced.

    Raises
    ------
    CalibrationError
        When an edge is more than a shift in the plane of the image, or the text has several messages.
    """
    if sum(1 for part in _BREAK.split(text) if part.strip()) > 1:
        raise CalibrationError("the text has several messages. Take one of them to change it.")
    end = _END.search(text)
    text, tail = (text, "") if end is None else (text[: end.start()], text[end.start() :])
    for edge in edges:
        stored = read_storage(text, "the file")
        P = _matrix(stored.keys, edge.entry, (3, 4))
        if P is None:
            raise CalibrationError(f"the file has no {visible_text(edge.entry)}.")
        shift = _shift_of(edge)
        values = P.ravel().tolist()
        old = (-values[3] / values[0], -values[7] / values[5]) if values[0] and values[5] else (0.0, 0.0)
        for k, (index, focal) in enumerate(((3, values[0]), (7, values[5]))):
            if abs(shift[k] - old[k]) > 1e-12 * max(1.0, abs(old[k])):
                values[index] = -focal * shift[k]
        text = replace_entry(text, (edge.entry,), values)
    return text + tail


CAMERA_INFO = Dialect(
    "camera_info",
    "camera_info of ROS",
    (".yaml",),
    is_camera_info,
    read,
    (
        (
            "projection_matrix",
            "of the second camera of a pair: -P[0, 3] / P[0, 0] takes its points to the first, along x",
        ),
        ("rectification_matrix", "turns rays of the camera into rectified ones; it is no pose of the camera"),
    ),
    example="""\
image_width: 640
image_height: 480
camera_name: right
camera_matrix:
  rows: 3
  cols: 3
  data: [420.0, 0.0, 318.5, 0.0, 421.0, 242.25, 0.0, 0.0, 1.0]
distortion_model: plumb_bob
distortion_coefficients:
  rows: 1
  cols: 5
  data: [-0.28, 0.07, 0.0002, 0.00002, 0.0]
rectification_matrix:
  rows: 3
  cols: 3
  data: [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]
projection_matrix:
  rows: 3
  cols: 4
  data: [400.0, 0.0, 318.5, -48.0, 0.0, 400.0, 242.25, 0.0, 0.0, 0.0, 1.0, 0.0]
""",
    write=write,
    patch=patch,
)

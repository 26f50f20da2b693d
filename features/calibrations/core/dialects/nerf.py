"""Camera poses of nerfstudio and instant-ngp: ``transforms.json``.

A ``transform_matrix`` is the pose of the camera in the reconstruction, with the axes of OpenGL: x right, y up, z back.
The y and the z axis are turned on reading, as an optical frame has y down and z forward, and turned back on writing.
``applied_transform`` takes points of the axes before the processing to those of the file.

References
----------
nerfstudio, "Data conventions": https://docs.nerf.studio/quickstart/data_conventions.html.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from framescope.core.errors import FramescopeError, Problem
from framescope.core.kernels.validation import Array
from framescope.core.mesh_files.clouds import cloud_of
from framescope.core.scene.schema.motions import MatrixColumns, PoseColumns, Recorded
from framescope.core.scene.schema.quantities import Quantity
from framescope.features.calibrations.core.calibration import (
    Calibration,
    CalibrationError,
    Edge,
    Fact,
    Lens,
    PointCloud,
    PoseList,
    pose_of_rows,
)
from framescope.features.calibrations.core.dialect import Dialect, Source
from framescope.features.calibrations.core.image_order import CAMERA
from framescope.features.calibrations.core.nerf_transforms import (
    FLIP,
    MAX_BYTES,
    Transforms,
    is_transforms,
    read_transforms,
)
from framescope.features.calibrations.core.pose_columns import NERF_POSITION, NERF_ROTATION, RECONSTRUCTION, TIME

ORIGINAL = "axes before applied_transform"
"""Frame of the axes that the file had before it was processed."""

_SIZES = (("w", "h"), ("fl_x", "fl_y"), ("cx", "cy"))
_COEFFICIENTS = ("k1", "k2", "k3", "k4", "p1", "p2")
_LENS_KEYS = (
    *("camera_model", "is_fisheye", "camera_angle_x", "camera_angle_y"),
    *(key for pair in _SIZES for key in pair),
    *_COEFFICIENTS,
)
_FACTS = (
    ("camera_angle_x", "angle of view across", "rad"),
    ("camera_angle_y", "angle of view along the height", "rad"),
    ("aabb_scale", "size of the box around the scene", ""),
    ("applied_scale", "scale that was applied to positions", ""),
    ("scale", "scale for instant-ngp", ""),
)
_WHOLE = ("w", "h", "aabb_scale")
_MODELS = {"PINHOLE": "none", "SIMPLE_PINHOLE": "none", "OPENCV": "radtan", "OPENCV_FISHEYE": "equidistant"}


def read(source: Source) -> Calibration:
    """Return the content of a file, and the points beside it that it names."""
    content = read_transforms(source.name, source.data)
    lenses, cameras, problems = _lenses(content)
    clouds, of_clouds = _clouds(source, content.keys)
    edges: tuple[Edge, ...] = ()
    if content.keys.get("applied_transform") is not None:
        X, of_matrix = pose_of_rows(_rows(content.keys["applied_transform"], "applied_transform"), "applied_transform")
        edges = (Edge(RECONSTRUCTION, ORIGINAL, X, "applied_transform"),)
        problems += of_matrix
    facts = [
        Fact(key, label, number, unit)
        for key, label, unit in _FACTS
        if (number := _number(content.keys, key)) is not None
    ]
    poses = PoseList(
        RECONSTRUCTION,
        CAMERA,
        content.X_RC,
        content.names,
        content.times,
        cameras=cameras,
        motion=_motion(source.name, has_times=content.times is not None),
        is_camera=True,
        has_gl_axes=True,
    )
    return Calibration(
        "nerf", edges, lenses, (poses,), clouds, tuple(facts), (*content.problems, *problems, *of_clouds)
    )


def _motion(file: str, *, has_times: bool) -> Recorded:
    columns = PoseColumns(
        time=TIME if has_times else None,
        time_unit="s" if has_times else None,
        position=NERF_POSITION,
        position_unit="m",
        orientation=MatrixColumns(columns=NERF_ROTATION, maps="frame to parent"),
    )
    rate = None if has_times else Quantity(1.0, "Hz")
    return Recorded(file=file, format="table", columns=columns, rate=rate, mends=("keep sign", "normalise"))


def _rows(value: Any, entry: str) -> Array:
    try:
        return np.array(value, dtype=float)
    except (TypeError, ValueError, OverflowError):
        raise CalibrationError(f"{entry}: expected rows of four numbers.") from None


def _number(entries: Mapping[str, Any], key: str) -> float | None:
    """Return a finite number of an entry; None without one."""
    value = entries.get(key)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if math.isfinite(number) and abs(number) < 1e100 else None


def _lenses(content: Transforms) -> tuple[tuple[Lens, ...], tuple[int, ...], tuple[Problem, ...]]:
    """Return the different lenses of a file, and the index of the lens of each image."""
    places: dict[tuple[Any, ...], int] = {}
    lenses: list[Lens] = []
    of_images: list[int] = []
    for frame in content.frames:
        entries = {key: _scalar(frame.get(key, content.keys.get(key))) for key in _LENS_KEYS}
        known = tuple(entries.values())
        if known not in places:
            lens = _lens(entries)
            places[known] = -1 if lens is None else len(lenses)
            lenses += [] if lens is None else [lens]
        of_images.append(places[known])
    if not of_images or min(of_images) < 0:
        if not lenses:
            return (), (), ()
        message = "some images have no size or no focal length: they are drawn with the lens of the others."
        return tuple(lenses), (), (Problem(("frames",), message, severity="amber"),)
    return tuple(lenses), tuple(of_images), ()


def _scalar(value: Any) -> Any:
    """Return a number or a short text; None for anything else."""
    return value[:60] if isinstance(value, str) else value if isinstance(value, int | float) else None


def _lens(entries: Mapping[str, Any]) -> Lens | None:
    """Return the lens of an image; None without the size of the image or a focal length."""
    w, h = (_number(entries, key) for key in ("w", "h"))
    if w is None or h is None or not (1.0 <= w < 1e6 and 1.0 <= h < 1e6):
        return None
    fx = _focal(_number(entries, "fl_x"), _number(entries, "camera_angle_x"), w)
    fy = _focal(_number(entries, "fl_y"), _number(entries, "camera_angle_y"), h)
    fx, fy = fx or fy, fy or fx
    if fx is None or fy is None:
        return None
    cx, cy = _number(entries, "cx"), _number(entries, "cy")
    center = (w / 2.0 if cx is None else cx, h / 2.0 if cy is None else cy)
    model, coefficients = _distortion(entries)
    return Lens(CAMERA, (int(w), int(h)), (fx, fy), center, model, coefficients)


def _focal(focal: float | None, angle: float | None, size: float) -> float | None:
    """Return a focal length, pixels, from its entry or from the angle of view, rad."""
    if focal is not None and focal > 0.0:
        return focal
    return size / 2.0 / math.tan(angle / 2.0) if angle is not None and 1e-3 < angle < math.pi - 1e-3 else None


def _distortion(entries: Mapping[str, Any]) -> tuple[str, tuple[float, ...]]:
    """Return model and coefficients; without a model in the file, the coefficients decide."""
    k1, k2, k3, k4, p1, p2 = (_number(entries, key) or 0.0 for key in _COEFFICIENTS)
    name = entries.get("camera_model")
    if not isinstance(name, str):
        is_plain = not any((k1, k2, k3, k4, p1, p2))
        name = "OPENCV_FISHEYE" if entries.get("is_fisheye") is True else "PINHOLE" if is_plain else "OPENCV"
    model = _MODELS.get(name, name)
    if model == "none":
        return model, ()
    if model == "radtan" and not k4:
        return model, (k1, k2, p1, p2, k3) if k3 else (k1, k2, p1, p2)
    if model == "equidistant":
        return model, (k1, k2, k3, k4)
    return ("OPENCV with k4" if model == "radtan" else model), (k1, k2, k3, k4, p1, p2)


def _clouds(source: Source, keys: Mapping[str, Any]) -> tuple[tuple[PointCloud, ...], tuple[Problem, ...]]:
    """Return the points beside the file that it names, and the problem of points that cannot be read."""
    name = keys.get("ply_file_path")
    name = name.removeprefix("./") if isinstance(name, str) else ""
    data = source.beside(name) if name.lower().endswith(".ply") else None
    if data is None:
        return (), ()
    try:
        cloud = cloud_of(name, data)
    except FramescopeError as error:
        return (), (Problem(("ply_file_path",), str(error), severity="amber"),)
    return (PointCloud(RECONSTRUCTION, cloud.points, cloud.colors, name),), ()


# --- Writing


def write(calibration: Calibration) -> str:
    """Return the text of ``transforms.json``.

    Raises
    ------
    CalibrationError
        When there are no poses of a moving camera, the cameras stand in different frames, or a lens cannot be written.
    """
    lists = calibration.pose_lists
    if not lists:
        raise CalibrationError("transforms.json holds poses of a moving camera, and there are none.")
    if len({poses.parent for poses in lists}) > 1:
        raise CalibrationError("transforms.json holds poses in one frame, and these are in several.")
    frames = [frame for poses in lists for frame in _frames_to_write(poses, calibration.lenses)]
    return _text(_head_to_write(calibration), frames)


def _head_to_write(calibration: Calibration) -> dict[str, Any]:
    """Return the entries that hold for all images."""
    lenses = calibration.lenses
    head = _lens_entries(lenses[0]) if len(lenses) == 1 else {}
    facts = {fact.entry: fact.value for fact in calibration.facts}
    head |= {key: _plain(key, facts[key]) for key, _, _ in _FACTS if key in facts}
    for edge in calibration.edges:
        if edge.entry == "applied_transform":
            head["applied_transform"] = _lists(edge.X_file.to_matrix()[:3])
    if calibration.clouds and calibration.clouds[0].file.lower().endswith(".ply"):
        head["ply_file_path"] = calibration.clouds[0].file
    return head


def _frames_to_write(poses: PoseList, lenses: Sequence[Lens]) -> Iterator[dict[str, Any]]:
    """Yield the entry of each image, with its lens if there are several."""
    matrices = np.array(poses.X_PC.to_matrix())
    matrices[:, :3, :3] *= FLIP
    of_frame = next((k for k, lens in enumerate(lenses) if lens.frame == poses.child), 0)
    for k, matrix in enumerate(matrices):
        entry: dict[str, Any] = {"file_path": poses.labels[k] if poses.labels else f"{poses.child}/{k + 1:06}.png"}
        if len(lenses) > 1:
            entry |= _lens_entries(lenses[poses.cameras[k] if poses.cameras else of_frame])
        if poses.times is not None:
            entry["time"] = float(poses.times[k])
        yield {**entry, "transform_matrix": _lists(matrix)}


def _lens_entries(lens: Lens) -> dict[str, Any]:
    names = {model: name for name, model in _MODELS.items() if not name.startswith("SIMPLE")}
    name = names.get(lens.model, lens.model)
    entries: dict[str, Any] = {"camera_model": "OPENCV" if name == "OPENCV with k4" else name}
    if lens.size is not None:
        entries |= {"w": lens.size[0], "h": lens.size[1]}
    entries |= {"fl_x": lens.focal[0], "fl_y": lens.focal[1], "cx": lens.center[0], "cy": lens.center[1]}
    coefficients = lens.coefficients
    if lens.model == "radtan":
        order: Sequence[str] = ("k1", "k2", "p1", "p2", "k3")
    elif lens.model == "equidistant":
        order = ("k1", "k2", "k3", "k4")
    else:
        order = _COEFFICIENTS
    if len(coefficients) > len(order) or (lens.model not in names and len(coefficients) != len(order)):
        raise CalibrationError(
            f"the lens of {lens.frame} has the model {lens.model}, which transforms.json cannot hold."
        )
    return entries | dict(zip(order, coefficients, strict=False))


def _plain(key: str, value: float) -> float | int:
    return int(value) if key in _WHOLE and value == int(value) else value


def _lists(matrix: Array) -> list[list[float]]:
    return (np.asarray(matrix) + 0.0).tolist()


def _text(head: Mapping[str, Any], frames: Sequence[Mapping[str, Any]]) -> str:
    """Return JSON with a line for each entry and each row of a matrix."""
    lines = [f"  {json.dumps(key)}: {_value(value, 4)}," for key, value in head.items()]
    parts: list[str] = []
    for frame in frames:
        entries = ",\n".join(f"      {json.dumps(key)}: {_value(value, 8)}" for key, value in frame.items())
        parts.append(f"    {{\n{entries}\n    }}")
    return "\n".join(["{", *lines, '  "frames": [', ",\n".join(parts), "  ]", "}", ""])


def _value(value: Any, indent: int) -> str:
    if not isinstance(value, list):
        return json.dumps(value)
    blank = " " * indent
    rows = ",\n".join(f"{blank}{json.dumps(row)}" for row in value)  # pyright: ignore[reportUnknownVariableType]
    return f"[\n{rows}\n{blank[2:]}]"


EXAMPLE = """\
{
  "camera_model": "OPENCV",
  "w": 640,
  "h": 480,
  "fl_x": 500.0,
  "fl_y": 500.0,
  "cx": 320.0,
  "cy": 240.0,
  "k1": 0.01,
  "k2": 0.0,
  "p1": 0.0,
  "p2": 0.0,
  "frames": [
    {
      "file_path": "images/0001.png",
      "transform_matrix": [
        [1.0, 0.0, 0.0, 0.5],
        [0.0, 0.0, -1.0, -2.0],
        [0.0, 1.0, 0.0, 1.0],
        [0.0, 0.0, 0.0, 1.0]
      ]
    }
  ]
}
"""

NERF = Dialect(
    "nerf",
    "camera poses of nerfstudio and instant-ngp",
    (".json",),
    is_transforms,
    read,
    (
        ("transform_matrix", "takes points of the camera (y up, z back) to the reconstruction"),
        ("applied_transform", "takes points of the axes before the processing to the reconstruction"),
    ),
    EXAMPLE,
    write,
    max_bytes=MAX_BYTES,
)

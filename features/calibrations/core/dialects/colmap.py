"""Models of COLMAP: cameras, images and points, as text and in binary.

An image holds a quaternion w, x, y, z and a position, which take points of the world to the camera: x right, y down,
z forward. The centre of the camera in the world is -Rᵀ t. Pixels are counted from the corner of the image, so that the
centre of the first pixel is at 0.5, 0.5.

References
----------
COLMAP, "Output Format": https://colmap.github.io/format.html.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from framescope.core.errors import FramescopeError, Problem
from framescope.core.kernels import linear_algebra
from framescope.core.kernels.validation import Array
from framescope.core.mesh_files.clouds import cloud_of
from framescope.core.scene.schema.motions import PoseColumns, QuaternionColumns, Recorded, RowsWhere
from framescope.core.scene.schema.quantities import Quantity
from framescope.core.transform import Transform
from framescope.features.calibrations.core import colmap_model as model
from framescope.features.calibrations.core.calibration import Calibration, CalibrationError, Lens, PointCloud, PoseList
from framescope.features.calibrations.core.colmap_model import CameraEntry, ImageList
from framescope.features.calibrations.core.dialect import Dialect, Source
from framescope.features.calibrations.core.image_order import CAMERA, groups
from framescope.features.calibrations.core.pose_columns import COLMAP_POSE, FOLDER, RECONSTRUCTION

MAX_BYTES = 500_000_000
"""Largest size of a file of a model, bytes."""

UNIT_LENGTH = 0.01
"""Deviation of the length of a quaternion from 1 above which it is reported."""

SAME_POSE = 1e-9
"""Deviation up to which the numbers of a file still give a pose, relative to the size of the numbers."""

_RADIAL = {"SIMPLE_RADIAL", "RADIAL", "OPENCV"}
_FISHEYE = {"SIMPLE_FISHEYE", "FISHEYE", "SIMPLE_RADIAL_FISHEYE", "RADIAL_FISHEYE", "OPENCV_FISHEYE"}
_FILES = ("images", "cameras", "points3D")


def is_colmap(head: bytes) -> bool:
    """Return whether a file begins like the images, the cameras or the points of COLMAP.

    The text of points is recognized by its comment alone: its rows could be those of another table.
    """
    if b"\0" in head:
        return model.is_images_binary(head) or model.is_cameras_binary(head) or model.is_points_binary(head)
    return b"# 3D point list" in head[:200] or model.is_images_text(head) or model.is_cameras_text(head)


def read(source: Source) -> Calibration:
    """Return the content of a model: the file, and the files of the same model beside it."""
    files = _files_of(source)
    problems: list[Problem] = []
    entries = _cameras(files, problems)
    images = _images(files)
    cloud, cloud_problems = _cloud(files)
    problems += cloud_problems
    if images is None and not entries and cloud is None:
        raise CalibrationError(f"{source.name}: it holds no camera, no image and no points of COLMAP.")
    if any(model.has_rigs(data) for name in ("rigs.bin", "rigs.txt") if (data := source.beside(name)) is not None):
        message = "the model has rigs of several cameras, which are not read."
        hint = "Each image has its own pose, which is read."
        problems.append(Problem(("rigs",), message, hint, "note"))
    lenses, pose_lists, of_images = _poses(files, entries, images)
    clouds = () if cloud is None else (cloud,)
    return Calibration("colmap", (), lenses, pose_lists, clouds, problems=(*problems, *of_images))


Files = Mapping[str, tuple[str, bytes]]
"""Name and content of the files of a model, by `_FILES`."""


def _files_of(source: Source) -> Files:
    """Return the files of the model: the given one, and for the others those of the same kind first."""
    given = _kind_of(source)
    suffix = ".bin" if b"\0" in source.data[: model.MAX_NAME_BYTES] else ".txt"
    files = {given: (source.name, source.data)}
    for kind in _FILES:
        for name in (f"{kind}{suffix}", f"{kind}{'.txt' if suffix == '.bin' else '.bin'}"):
            if kind not in files and (data := source.beside(name)) is not None:
                files[kind] = name, data
    return files


def _kind_of(source: Source) -> str:
    data = source.data[:65_536]
    if b"\0" in data:
        if source.stem in _FILES:
            return source.stem
        is_images, is_cameras = model.is_images_binary(data), model.is_cameras_binary(data)
    else:
        is_images, is_cameras = model.is_images_text(data), model.is_cameras_text(data)
        if not is_images and not is_cameras and source.stem in _FILES:
            return source.stem
    return "images" if is_images else "cameras" if is_cameras else "points3D"


def _is_binary(data: bytes) -> bool:
    return b"\0" in data[: model.MAX_NAME_BYTES]


def _cameras(files: Files, problems: list[Problem]) -> tuple[CameraEntry, ...]:
    if "cameras" not in files:
        return ()
    name, data = files["cameras"]
    entries, unknown = (model.cameras_of_binary if _is_binary(data) else model.cameras_of_text)(name, data)
    if unknown:
        message = f"{name}: cameras of the model {', '.join(unknown[:3])} are left out, which is unknown here."
        problems.append(Problem((name,), message, severity="amber"))
    return entries


def _images(files: Files) -> ImageList | None:
    return images_of(*files["images"]) if "images" in files else None


def images_of(name: str, data: bytes) -> ImageList:
    """Return the images of ``images.txt`` or ``images.bin``; raise a `CalibrationError` for a damaged file."""
    return model.images_of_binary(name, data) if _is_binary(data) else model.images_of_text(name, data)


def _cloud(files: Files) -> tuple[PointCloud | None, tuple[Problem, ...]]:
    """Return the points, and the problem of points that cannot be read or are read in part."""
    if "points3D" not in files:
        return None, ()
    name, data = files["points3D"]
    try:
        cloud = cloud_of(name if name.endswith((".txt", ".bin")) else "points3D.txt", data)
    except FramescopeError as error:
        if set(files) == {"points3D"}:
            raise CalibrationError(str(error)) from None
        return None, (Problem((name,), str(error), severity="amber"),)
    return PointCloud(RECONSTRUCTION, cloud.points, cloud.colors, name), ()


def _poses(
    files: Files, entries: Sequence[CameraEntry], images: ImageList | None
) -> tuple[tuple[Lens, ...], tuple[PoseList, ...], tuple[Problem, ...]]:
    """Return the lenses, the poses of each camera, and the problems of the poses."""
    if images is None:
        names = [CAMERA] if len(entries) == 1 else [f"{CAMERA} {entry.number}" for entry in entries]
        return tuple(map(lens_of, entries, names)), (), ()
    of_groups = groups(images.names)
    lenses: list[Lens] = []
    place_of: dict[tuple[str, int], int] = {}
    by_number = {entry.number: entry for entry in entries}
    pose_lists: list[PoseList] = []
    for name, rows in of_groups.items():
        members: list[int] = rows.tolist()
        frame = frame_name(name)
        cameras: list[int] = []
        for number in (images.cameras[row] for row in members):
            key = frame, number
            if key not in place_of and number in by_number:
                place_of[key] = len(lenses)
                lenses.append(lens_of(by_number[number], frame))
            cameras.append(place_of.get(key, -1))
        numbers = images.numbers[rows]
        pose_lists.append(
            PoseList(
                RECONSTRUCTION,
                frame,
                pose_of_numbers(numbers).inverse(),
                tuple(images.names[row] for row in members),
                is_inverse=True,
                cameras=tuple(cameras) if min(cameras) >= 0 else (),
                motion=_motion(files["images"][0], name if len(of_groups) > 1 else ""),
                numbers=numbers,
                is_camera=True,
            )
        )
    problems = [*_length_problems(images)]
    lost = sorted({number for number in images.cameras if number not in by_number})
    if lost and entries:
        message = f"images of camera {lost[0]} have no camera of that number: they are drawn without its lens."
        problems.append(Problem(("cameras",), message, severity="amber"))
    return tuple(lenses), tuple(pose_lists), tuple(problems)


def frame_name(group: str) -> str:
    """Return the name of the frame of a group of images; the names of the world and of the model are taken.

    >>> frame_name("cam0"), frame_name("world")
    ('cam0', 'camera world')
    """
    return f"{CAMERA} {group}" if group in ("world", RECONSTRUCTION) else group


def _length_problems(images: ImageList) -> list[Problem]:
    off = np.abs(np.linalg.norm(images.numbers[:, :4], axis=1) - 1.0)
    if off.max() <= UNIT_LENGTH:
        return []
    row = int(np.argmax(off))
    length = float(np.linalg.norm(images.numbers[row, :4]))
    message = f"the quaternion of {images.names[row]} has a length of {length:.4g}: its direction is used."
    return [Problem((images.names[row],), message, severity="amber")]


def _motion(file: str, folder: str) -> Recorded:
    return Recorded(
        file=file,
        format="table",
        columns=PoseColumns(
            position=COLMAP_POSE[4:],
            position_unit="m",
            orientation=QuaternionColumns(columns=COLMAP_POSE[:4], order="wxyz"),
        ),
        rows=RowsWhere(column=FOLDER, value=folder) if folder else None,
        pose="parent in frame",
        rate=Quantity(1.0, "Hz"),
        mends=("keep sign", "normalise"),
    )


def pose_of_numbers(numbers: Array) -> Transform:
    """Return the poses of the world in the camera (n,) from quaternions w, x, y, z and positions (n, 7).

    >>> pose_of_numbers(np.array([[0.0, 0.0, 0.0, 2.0, 1.0, 2.0, 3.0]])).R_AB[0].diagonal()
    array([-1., -1.,  1.])
    """
    Q = numbers[:, [1, 2, 3, 0]]
    Q = Q / np.linalg.norm(Q, axis=1, keepdims=True)
    R = linear_algebra.transpose(np.asarray(linear_algebra.matrix_from_quaternion(Q)))
    return Transform(R, numbers[:, 4:])


def numbers_of_pose(X: Transform) -> Array:
    """Return quaternions w, x, y, z and positions (n, 7) of poses of the world in the camera (n,)."""
    T = linear_algebra.transpose(X.R_AB)
    Q = np.asarray(linear_algebra.quaternion_from_matrix(T, np.broadcast_to(linear_algebra.NO_TURN, (len(T), 4))))
    return np.concatenate([Q[:, [3, 0, 1, 2]], X.p_AB], axis=1)


def lens_of(entry: CameraEntry, frame: str) -> Lens:
    """Return the lens of a camera of a model.

    >>> lens_of(CameraEntry(1, "SIMPLE_RADIAL", 640, 480, (500.0, 320.0, 240.0, 0.01)), "camera").coefficients
    (0.01, 0.0, 0.0, 0.0)
    """
    n_focal = model.CAMERA_MODELS[entry.model][2]
    fx, fy = entry.parameters[0], entry.parameters[n_focal - 1]
    cx, cy, *more = entry.parameters[n_focal:]
    name, coefficients = entry.model, tuple(more)
    if entry.model in ("SIMPLE_PINHOLE", "PINHOLE"):
        name = "none"
    elif entry.model in _RADIAL:
        name, coefficients = "radtan", (*more, 0.0, 0.0, 0.0)[:4]
    elif entry.model in _FISHEYE:
        name, coefficients = "equidistant", (*more, 0.0, 0.0, 0.0, 0.0)[:4]
    elif entry.model == "FULL_OPENCV":
        name = "rational"
    return Lens(frame, (entry.width, entry.height), (fx, fy), (cx, cy), name, coefficients, str(entry.number))


# --- Writing


def write(calibration: Calibration) -> str:
    """Return the text of ``images.txt``.

    Raises
    ------
    CalibrationError
        When there are no poses of a moving camera, or frames stand in different frames.
    """
    return model.images_text(_images_to_write(calibration))


def write_beside(calibration: Calibration) -> dict[str, bytes]:
    """Return the other files of the model as text: ``cameras.txt`` and ``points3D.txt``."""
    files = write_model(calibration, is_binary=False)
    return {name: data for name, data in files.items() if name != "images.txt"}


def write_model(calibration: Calibration, *, is_binary: bool) -> dict[str, bytes]:
    """Return the three files of a model by their names, as text or in binary.

    Raises
    ------
    CalibrationError
        As in `write`, and when a lens is of a model that COLMAP does not have, or has no size of its image.
    """
    entries = [_entry_of(k, lens) for k, lens in enumerate(calibration.lenses, 1)]
    images = _images_to_write(calibration)
    points = [cloud.points for cloud in calibration.clouds]
    colors = [
        np.full(cloud.points.shape, 128, dtype=np.uint8) if cloud.colors is None else cloud.colors
        for cloud in calibration.clouds
    ]
    p, color = np.concatenate([np.empty((0, 3)), *points]), np.concatenate([np.empty((0, 3), np.uint8), *colors])
    if is_binary:
        return {
            "cameras.bin": model.cameras_binary(entries),
            "images.bin": model.images_binary(images),
            "points3D.bin": model.points_binary(p, color),
        }
    return {
        "cameras.txt": model.cameras_text(entries).encode(),
        "images.txt": model.images_text(images).encode(),
        "points3D.txt": model.points_text(p, color).encode(),
    }


def _images_to_write(calibration: Calibration) -> ImageList:
    if not calibration.pose_lists:
        raise CalibrationError("a model of COLMAP holds poses of a moving camera, and there are none.")
    if len({poses.parent for poses in calibration.pose_lists}) > 1:
        raise CalibrationError("a model of COLMAP holds poses in one frame, and these are in several.")
    names: list[str] = []
    numbers: list[Array] = []
    cameras: list[int] = []
    for poses in calibration.pose_lists:
        n = len(poses.X_PC)
        of_frame = next((k for k, lens in enumerate(calibration.lenses) if lens.frame == poses.child), 0)
        names += poses.labels or [f"{poses.child}/{k:06}.png" for k in range(1, n + 1)]
        numbers.append(_numbers_to_write(poses))
        cameras += [place + 1 for place in poses.cameras or (of_frame,) * n]
    return ImageList(tuple(names), np.concatenate(numbers), tuple(cameras))


def _numbers_to_write(poses: PoseList) -> Array:
    """Return the numbers of the file if they still give the poses, or else numbers computed from the poses."""
    X_CP = poses.X_PC.inverse()
    numbers = poses.numbers
    if numbers is not None and numbers.shape == (len(poses.X_PC), 7):
        X = pose_of_numbers(numbers)
        size = 1.0 + float(np.abs(X_CP.p_AB).max())
        if np.allclose(X.R_AB, X_CP.R_AB, atol=SAME_POSE) and np.allclose(X.p_AB, X_CP.p_AB, atol=SAME_POSE * size):
            return numbers
    return numbers_of_pose(X_CP)


def _entry_of(number: int, lens: Lens) -> CameraEntry:
    if lens.size is None:
        raise CalibrationError(f"the lens of {lens.frame} has no size of its image, which COLMAP needs.")
    head, more = (*lens.focal, *lens.center), lens.coefficients
    if lens.model in ("none", "") and not any(more):
        return CameraEntry(number, "PINHOLE", *lens.size, head)
    if lens.model in ("radtan", "rational") and len(more) in (5, 8):
        k1, k2, p1, p2, *further = more
        return CameraEntry(
            number, "FULL_OPENCV", *lens.size, (*head, k1, k2, p1, p2, *further, *(0.0,) * (8 - len(more)))
        )
    name = {"radtan": "OPENCV", "equidistant": "OPENCV_FISHEYE"}.get(lens.model, lens.model)
    if name not in model.CAMERA_MODELS:
        raise CalibrationError(f"the lens of {lens.frame} has the model {lens.model}, which COLMAP does not have.")
    _, n, n_focal = model.CAMERA_MODELS[name]
    parameters = (*lens.focal[:n_focal], *lens.center, *more)
    if len(parameters) != n:
        raise CalibrationError(f"the lens of {lens.frame} has {len(more)} coefficients, and {name} another number.")
    return CameraEntry(number, name, *lens.size, parameters)


EXAMPLE = """\
# Images, two lines for each, the second for its points:
#   IMAGE_ID QW QX QY QZ TX TY TZ CAMERA_ID NAME
1 0.5 0.5 0.5 0.5 0.0 1.0 2.0 1 left.png

"""

COLMAP = Dialect(
    "colmap",
    "models of COLMAP",
    (".txt", ".bin"),
    is_colmap,
    read,
    (("QW QX QY QZ TX TY TZ", "takes points of the world to the camera"),),
    EXAMPLE,
    write,
    write_beside=write_beside,
    max_bytes=MAX_BYTES,
)

"""Scene of a reconstruction: a moving camera that reads its poses from the file, fields of view along its way, points.

Nothing is copied into the scene: the motion and the points name the files of the reconstruction. The world of a file
is the frame `reconstruction`. It is turned by quarter turns where another axis than z points up in its images, as y
points down in most models of COLMAP. Its poses keep their numbers, relative to that frame.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from framescope.core.errors import Problem
from framescope.core.kernels.nearest_rotation import nearest_rotation
from framescope.core.kernels.validation import Array
from framescope.core.recordings.row_cleaning import MIN_SAMPLES
from framescope.core.scene.schema.bodies import Body
from framescope.core.scene.schema.model import WORLD, Frame, Scene
from framescope.core.system.proportions import MARGIN, TOWARDS_CAMERA, VIEW_ANGLE, axes_length
from framescope.features.calibrations.core.calibration import Calibration, Lens, PointCloud, PoseList
from framescope.features.calibrations.core.lens_bodies import camera_shape, is_drawable
from framescope.features.calibrations.core.pose_columns import RECONSTRUCTION

MOST_VIEWS = 60
"""Largest number of fields of view that are drawn along the ways of all cameras."""

MOST_PICTURES = 16
"""Largest number of fields of view that show their pictures: each takes up to 10 MB of memory."""

VIEW_SHARE = 0.035
"""Depth of a field of view along the way, as a fraction of the size of the way."""

NOW_FACTOR = 2.0
"""Depth of the field of view of the moving camera, in depths of those along the way."""

MOST_TRAILS = 100
"""Largest number of trails of a scene."""

WIDEST = 3.0
"""Largest width of a field of view, in depths: a fisheye has no plane image."""

CLOSER = 0.75
"""Distance of the camera of the view, in distances at which a sphere around everything fills the picture."""

NEAR = (0.02, 0.98)
"""Quantiles between which positions count as the extent of points: a few lie far off."""

MOST_KEYS = 10_000
"""Largest number of poses that become keyframes, where no reader reads them from the file."""


FindPicture = Callable[[str], str]
"""Function that returns the name of a picture beside the file by that of an image; empty for none."""


def find_no_picture(_image: str) -> str:
    """Return the name of no picture."""
    return ""


def add_reconstruction(scene: Scene, calibration: Calibration, picture_of: FindPicture = find_no_picture) -> Scene:
    """Return the scene with the moving cameras and the points of a calibration; without any, the scene itself.

    Some fields of view whose pictures lie beside the file show them. Each of these is on a frame of its own, so that
    one can look through it and see where frames are in its picture.
    """
    if not calibration.pose_lists and not calibration.clouds:
        return scene
    maker = _Maker(calibration, dict(scene.frames), dict(scene.bodies), picture_of)
    for poses in calibration.pose_lists:
        maker.add_poses(poses)
    for cloud in calibration.clouds:
        maker.add_cloud(cloud)
    # The first frame is selected when the scene is opened: a camera, whose bodies are few.
    fields = {
        "frames": {**maker.moving, **maker.frames},
        "bodies": maker.bodies,
        "view": maker.view(),
        "time": maker.time(),
    }
    return Scene.model_validate({**{name: getattr(scene, name) for name in scene.model_fields_set}, **fields})


@dataclass
class _Maker:
    calibration: Calibration
    frames: dict[str, Any]
    bodies: dict[str, Any]
    picture_of: FindPicture = find_no_picture
    pictured: list[str] = field(default_factory=list[str])
    """Frames of fields of view with pictures."""
    moving: dict[str, Frame] = field(default_factory=dict[str, Frame])
    last: float = 0.0

    def __post_init__(self) -> None:
        lists = self.calibration.pose_lists
        self.up = _up_axis(lists)
        n = sum(len(poses.X_PC) for poses in lists)
        self._every = max(1, math.ceil(n / MOST_VIEWS))
        self._every_picture = max(1, math.ceil(n / self._every / MOST_PICTURES))
        centers = [poses.X_PC.p_AB for poses in lists]
        self._size = _diagonal(np.concatenate(centers)) if centers else 0.0
        if not self._size > 0.0:
            clouds = [cloud.points for cloud in self.calibration.clouds]
            self._size = (_diagonal(np.concatenate(clouds)) if clouds else 0.0) or 1.0

    def add_poses(self, poses: PoseList) -> None:
        """Add a moving frame; of a camera also its field of view, and fields of view along its way."""
        self._add_parent(poses.parent)
        self.frames.pop(poses.child, None)
        self.bodies.pop(f"view of {poses.child}", None)
        lenses = self._lenses_of(poses)
        n = len(poses.X_PC)
        if n >= MIN_SAMPLES and (poses.motion is not None or n <= MOST_KEYS):
            motion = poses.motion if poses.motion is not None else _keyframes(poses)
            self.moving[poses.child] = Frame.model_validate({"parent": poses.parent, "motion": motion})
            self.last = max(self.last, n - 1.0 if poses.times is None else float(np.ptp(poses.times)))
            if not poses.is_camera:
                return
            shape = _frustum(lenses[0], NOW_FACTOR * VIEW_SHARE * self._size)
            self.bodies[f"view of {poses.child}"] = {"frame": poses.child, "shape": shape, "color": "frame"}
            for i, k in enumerate(range(0, n, self._every)):
                if i % self._every_picture or not self._add_picture(poses, k, lenses[k]):
                    self._add_view(poses, k, lenses[k])
        else:  # too few poses for a motion: a frame for each
            for k in range(min(n, MOST_VIEWS)):
                name = self._own_name(poses.labels[k] if poses.labels else f"{poses.child} {k + 1}")
                self.frames[name] = {"parent": poses.parent, **_pose(poses, k)}
                if poses.is_camera:
                    depth = NOW_FACTOR * VIEW_SHARE * self._size
                    picture = self._picture(poses, k) if len(self.pictured) < MOST_PICTURES else ""
                    shape = _with_picture(lenses[k], depth, picture)
                    if shape is None:
                        shape = _frustum(lenses[k], depth)
                    else:
                        self.pictured.append(name)
                    self.bodies[f"view of {name}"] = {"frame": name, "shape": shape}

    def add_cloud(self, cloud: PointCloud) -> None:
        """Add the points of a file as a body."""
        if not cloud.file:
            return
        self._add_parent(cloud.frame)
        name = self._own_name(cloud.file.rpartition(".")[0] or cloud.file)
        shape = {"form": "points", "file": cloud.file, "unit": "m"}
        color = "neutral" if cloud.colors is None else "own"
        self.bodies[name] = {"frame": cloud.frame, "shape": shape, "color": color}

    def time(self) -> dict[str, str]:
        """Return the range of time: a second for each image, or the times of the file."""
        return {"start": "0 s", "end": f"{self.last or 10.0!r} s"}

    def view(self) -> dict[str, Any]:
        """Return trails, axes in proportion, and a camera that sees the points with the images upright."""
        look: dict[str, Any] = {
            "triad_length": f"{axes_length(0.5 * self._size)!r} m",
            "trails": [{"frame": name} for name in list(self.moving)[:MOST_TRAILS]],
            "hidden": {"frames": [name for name in self.pictured if self.moving]},  # the axes, not the picture
        }
        places = [*(poses.X_PC.p_AB for poses in self.calibration.pose_lists)]
        points = [cloud.points for cloud in self.calibration.clouds]
        R_WR = turn_of(self.up)
        low, high = _box([part @ R_WR.T for part in (*places, *points)])
        size = float(np.linalg.norm(high - low))
        if not 1e-3 < size < 1e6:
            return look
        middle = (low + high) / 2.0
        far = CLOSER * MARGIN * size / 2.0 / math.sin(VIEW_ANGLE / 2.0) / math.hypot(*TOWARDS_CAMERA)
        place = middle + far * np.array(TOWARDS_CAMERA)
        camera = {"position": place.tolist(), "focal_point": middle.tolist(), "unit": "m"}
        return look | {"camera": camera, "grid": f"{axes_length(size)!r} m"}

    def _add_parent(self, name: str) -> None:
        if name == WORLD or name in self.frames or name in self.moving:
            return
        is_turned = name == RECONSTRUCTION and self.up != UPRIGHT
        turn = {"orientation": {"form": "axis", "unit": "deg", **QUARTER_TURNS[self.up]}} if is_turned else {}
        self.frames[name] = Frame.model_validate({"parent": WORLD, **turn})

    def _add_view(self, poses: PoseList, k: int, lens: Lens | None) -> None:
        name = self._own_name(poses.labels[k] if poses.labels else f"{poses.child} {k + 1}")
        shape = _frustum(lens, VIEW_SHARE * self._size)
        body = Body.model_validate({"frame": poses.parent, "shape": shape, **_pose(poses, k), "opacity": 0.7})
        self.bodies[name] = body

    def _picture(self, poses: PoseList, k: int) -> str:
        return self.picture_of(poses.labels[k]) if poses.labels else ""

    def _add_picture(self, poses: PoseList, k: int, lens: Lens | None) -> bool:
        """Add a field of view with its picture, on a frame of its own. Return whether there is one."""
        if len(self.pictured) >= MOST_PICTURES:
            return False
        shape = _with_picture(lens, VIEW_SHARE * self._size, self._picture(poses, k))
        if shape is None:
            return False
        name = self._own_name(poses.labels[k])
        self.frames[name] = Frame.model_validate({"parent": poses.parent, **_pose(poses, k)})
        self.bodies[self._own_name(f"view of {name}")] = {"frame": name, "shape": shape}
        self.pictured.append(name)
        return True

    def _lenses_of(self, poses: PoseList) -> Sequence[Lens | None]:
        """Return the lens of each pose; None without one."""
        lenses = self.calibration.lenses
        if poses.cameras:
            return [lenses[k] for k in poses.cameras]
        return [next((lens for lens in lenses if lens.frame == poses.child), None)] * len(poses.X_PC)

    def _own_name(self, name: str) -> str:
        taken = {*self.moving, *self.frames, *self.bodies, WORLD}
        return name if name not in taken else next(new for new in _numbered(name) if new not in taken)


def _numbered(name: str) -> Iterator[str]:
    return (f"{name} {n}" for n in range(2, 10**9))


def _pose(poses: PoseList, k: int) -> dict[str, Any]:
    """Return position and orientation of a pose: the nearest rotation, as a file may have few digits."""
    X = poses.X_PC[k]
    rows = (nearest_rotation(X.R_AB)[0] + 0.0).tolist()
    return {
        "position": {"value": (X.p_AB + 0.0).tolist(), "unit": "m"},
        "orientation": {"form": "matrix", "rows": rows, "maps": "frame to parent"},
    }


def _keyframes(poses: PoseList) -> dict[str, Any]:
    times = np.arange(len(poses.X_PC), dtype=float) if poses.times is None else poses.times - poses.times.min()
    order = np.argsort(times, kind="stable")
    keys = [
        {
            "time": f"{float(times[k])!r} s",
            "position": _pose(poses, k)["position"]["value"],
            "orientation": _pose(poses, k)["orientation"],
        }
        for k in order.tolist()
    ]
    return {"form": "keyframes", "keys": keys, "unit": "m", "interpolation": "linear"}


def _with_picture(lens: Lens | None, depth: float, picture: str) -> dict[str, Any] | None:
    """Return a camera with its picture; None without a picture, or for a lens whose image has no plane."""
    if not picture or lens is None or not is_drawable(lens):
        return None
    shape = camera_shape(replace(lens, picture=picture))
    return None if shape is None else {**shape, "depth": f"{float(depth)!r} m"}


def _frustum(lens: Lens | None, depth: float) -> dict[str, Any]:
    """Return the field of view of a lens; without one, of a usual camera."""
    across, along = 1.0, 0.75
    if lens is not None and lens.size is not None:
        across, along = (min(n / focal, WIDEST) for n, focal in zip(lens.size, lens.focal, strict=True))
    sizes = {"depth": depth, "width": depth * across, "height": depth * along}
    return {"form": "frustum", **{key: f"{float(size)!r} m" for key, size in sizes.items()}}


def _box(places: Sequence[Array]) -> tuple[Array, Array]:
    """Return the lowest and the highest corner of a box around most positions."""
    corners = [np.quantile(part, NEAR, axis=0) for part in places if len(part)]
    if not corners:
        return np.zeros(3), np.zeros(3)
    return np.min([low for low, _ in corners], axis=0), np.max([high for _, high in corners], axis=0)


def _diagonal(positions: Array) -> float:
    low, high = _box([positions])
    return float(np.linalg.norm(high - low))


# --- Upright

UPRIGHT = "+z"
"""Axis of the reconstruction that points up where nothing is turned."""

QUARTER_TURNS: dict[str, dict[str, Any]] = {
    "+y": {"axis": "x", "angle": 90.0},
    "-y": {"axis": "x", "angle": -90.0},
    "+x": {"axis": "y", "angle": -90.0},
    "-x": {"axis": "y", "angle": 90.0},
    "-z": {"axis": "x", "angle": 180.0},
}
"""Rotation about an axis that takes each other axis to z."""

COMMON = 0.7
"""Length of the mean of the upper edges of images, unit vectors, above which they have a direction in common."""


def _up_axis(lists: Sequence[PoseList]) -> str:
    """Return the axis nearest to the mean direction of the upper edges of the images of moving cameras."""
    edges = [-poses.X_PC.R_AB[:, :, 1] for poses in lists if len(poses.X_PC) >= MIN_SAMPLES]
    if not edges or any(poses.parent != RECONSTRUCTION for poses in lists):
        return UPRIGHT
    up = np.concatenate(edges).mean(axis=0)
    k = int(np.argmax(np.abs(up)))
    return f"{'+' if up[k] > 0.0 else '-'}{'xyz'[k]}" if float(np.linalg.norm(up)) > COMMON else UPRIGHT


def turn_of(up: str) -> Array:
    """Return the rotation (3, 3) that takes an axis, such as ``"-y"``, to z.

    >>> turn_of("-y") @ [0.0, -1.0, 0.0]
    array([0., 0., 1.])
    """
    if up == UPRIGHT:
        return np.eye(3)
    k, angle = "xyz".index(QUARTER_TURNS[up]["axis"]), math.radians(QUARTER_TURNS[up]["angle"])
    a, b = (k + 1) % 3, (k + 2) % 3
    R = np.eye(3)
    R[[a, b], [a, b]] = round(math.cos(angle))
    R[b, a], R[a, b] = round(math.sin(angle)), -round(math.sin(angle))
    return R


def upright_note(scene: Scene) -> tuple[Problem, ...]:
    """Return the note on a reconstruction that is turned upright; nothing for others."""
    frame = scene.frames.get(RECONSTRUCTION)
    if frame is None or frame.orientation is None:
        return ()
    message = "the reconstruction is turned by quarter turns, so that its images stand upright in the world."
    hint = f"Its poses relative to {RECONSTRUCTION} are those of the file; remove the orientation to undo it."
    return (Problem(("frames", RECONSTRUCTION), message, hint, "note"),)

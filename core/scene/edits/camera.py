"""Edits of the camera: save the present view as the scene's camera, or as a key of its path; change the keys."""

from __future__ import annotations

import math
from typing import Literal, Protocol

from framescope.core.errors import ItemError
from framescope.core.scene.edits.base import Edit
from framescope.core.scene.edits.fields import RefusedValueError
from framescope.core.scene.edits.keyframes import APART, with_key_moved
from framescope.core.scene.schema.model import Scene
from framescope.core.scene.schema.quantities import Quantity, unit_factor
from framescope.core.scene.schema.view import Camera, CameraKey, CameraPath

DIGITS = 5
"""Significant digits of a position, relative to the distance to the focal point."""

MAX_KEYS = 1000
"""Largest number of keys of a camera's path, in the scene and in a shot."""

Vector = tuple[float, float, float]


class SeenFrom(Protocol):
    """Camera of the present view: position, focal point and up vector in world, m; view angle, rad."""

    @property
    def position(self) -> Vector:
        """Position of the camera."""
        ...

    @property
    def focal_point(self) -> Vector:
        """Point at the centre of the picture."""
        ...

    @property
    def up(self) -> Vector:
        """Direction that points up in the picture."""
        ...

    @property
    def view_angle(self) -> float:
        """Vertical field of view."""
        ...


def camera_from(eye: SeenFrom, before: Camera | None = None) -> Camera:
    """Return a camera with the present view, in the units of the camera before.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> eye = SimpleNamespace(position=(2.0, 0.0, 1.0), focal_point=(0.0, 0.0, 0.5), up=(0.0, 0.0, 1.0), view_angle=0.5)
    >>> camera = camera_from(eye, Camera(position=(1, 1, 1), focal_point=(0, 0, 0), unit="mm"))
    >>> camera.position, camera.focal_point, str(camera.view_angle)
    ((2000.0, 0.0, 1000.0), (0.0, 0.0, 500.0), '28.648 deg')
    """
    unit = "m" if before is None or _length(before.unit) is None else before.unit
    angle_unit = None if before is None else before.view_angle.unit
    position, focal_point, up, view_angle = _round_view(eye, unit, angle_unit)
    return Camera(unit=unit, position=position, focal_point=focal_point, up=up, view_angle=view_angle)


def camera_key_from(eye: SeenFrom, time: Quantity, unit: str | None, angle_unit: str | None = None) -> CameraKey:
    """Return a key of a camera path with the present view; `unit` is the unit of the path."""
    unit = unit if _length(unit) is not None else "m"
    position, focal_point, up, view_angle = _round_view(eye, unit, angle_unit)
    return CameraKey(time=time, position=position, focal_point=focal_point, up=up, view_angle=view_angle)


# --- Keys of the scene's path

_SHARED = sorted(Camera.model_fields.keys() & CameraKey.model_fields.keys())
"""Fields of a camera and of a key of its path."""


def camera_key_times(scene: Scene) -> tuple[float, ...]:
    """Return the times of the keys of the camera's path, s; empty without a path or if a time has no unit.

    >>> camera_key_times(Scene())
    ()
    """
    path = scene.view.camera_path
    try:
        return () if path is None else tuple(key.time.si("time", ("time",)) for key in path.keys)
    except ItemError:
        return ()


def add_camera_key(eye: SeenFrom, t: float, start: float, end: float) -> Edit:
    """Return the edit that adds the present view to the camera's path at a time, s, or replaces the key there.

    Without a path, the edit makes one from the scene's camera at its `start`, or the present view, to the new key. At
    the start it makes one that rests until the `end`, s.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> eye = SimpleNamespace(position=(2.0, 0.0, 1.0), focal_point=(0.0, 0.0, 0.5), up=(0.0, 0.0, 1.0), view_angle=0.5)
    >>> scene = add_camera_key(eye, 1.0, 0.0, 4.0).apply(Scene())
    >>> camera_key_times(scene), camera_key_times(add_camera_key(eye, 3.0, 0.0, 4.0).apply(scene))
    ((0.0, 1.0), (0.0, 1.0, 3.0))
    """

    def apply(scene: Scene) -> Scene:
        path, camera = scene.view.camera_path, scene.view.camera
        if path is None:
            unit = "m" if camera is None or _length(camera.unit) is None else camera.unit
            key = first = camera_key_from(eye, _seconds(t), unit)
            if camera is not None and t > start:
                first = key.model_copy(update={name: getattr(camera, name) for name in _SHARED})
            times = (start, t) if t > start else (start, end)
            keys = tuple(
                one.model_copy(update={"time": _seconds(time)}) for one, time in zip((first, key), times, strict=True)
            )
            return _with_path(scene, CameraPath(keys=keys, unit=unit))
        times = _known_times(scene)
        key = camera_key_from(eye, _seconds(t), path.unit, path.keys[0].view_angle.unit)
        others = [pair for pair in zip(times, path.keys, strict=True) if abs(pair[0] - t) >= APART]
        keys = tuple(other for _, other in sorted((*others, (t, key)), key=lambda pair: pair[0]))
        return _with_path(scene, path.model_copy(update={"keys": keys, "unit": path.unit or "m"}))

    return Edit(f"Added a camera key at {t:.6g} s", apply)


def move_camera_key(i_key: int, t: float) -> Edit:
    """Return the edit that moves a key of the camera's path to a time, s, at most up to its neighbours."""

    def apply(scene: Scene) -> Scene:
        path = _path_with(scene, i_key)
        _known_times(scene)
        return _with_path(scene, path.model_copy(update={"keys": with_key_moved(path.keys, i_key, t)}))

    return Edit(f"Moved camera key {i_key + 1} to {t:.6g} s", apply)


def delete_camera_key(i_key: int) -> Edit:
    """Return the edit that deletes a key of the camera's path; of two keys, the other becomes the scene's camera."""

    def apply(scene: Scene) -> Scene:
        path = _path_with(scene, i_key)
        keys: tuple[CameraKey, ...] = (*path.keys[:i_key], *path.keys[i_key + 1 :])
        if len(keys) != 1:
            return _with_path(scene, path.model_copy(update={"keys": keys}))
        values = {name: getattr(keys[0], name) for name in _SHARED}
        changes = {"camera": Camera(unit=path.unit, **values), "camera_path": None}
        return scene.model_copy(update={"view": scene.view.model_copy(update=changes)})

    return Edit(f"Deleted camera key {i_key + 1}", apply)


def set_camera_interpolation(interpolation: Literal["cubic", "linear"]) -> Edit:
    """Return the edit that sets what the camera's path is between its keys."""

    def apply(scene: Scene) -> Scene:
        return _with_path(scene, _path_with(scene, 0).model_copy(update={"interpolation": interpolation}))

    return Edit(f"Made the camera's path {interpolation}", apply)


def _path_with(scene: Scene, i_key: int) -> CameraPath:
    path = scene.view.camera_path
    if path is None or i_key >= len(path.keys):
        raise RefusedValueError("The camera's path does not have this key any more, so nothing is changed.")
    return path


def _known_times(scene: Scene) -> tuple[float, ...]:
    times = camera_key_times(scene)
    if not times:
        raise RefusedValueError("The keys of the camera's path have times without a unit. Give them one first.")
    return times


def _with_path(scene: Scene, path: CameraPath) -> Scene:
    if len(path.keys) > MAX_KEYS:
        raise RefusedValueError(f"The camera's path has at most {MAX_KEYS} keys.")
    return scene.model_copy(update={"view": scene.view.model_copy(update={"camera_path": path})})


def _seconds(t: float) -> Quantity:
    return Quantity(round(t, 9), "s")


def _round_view(eye: SeenFrom, unit: str | None, angle_unit: str | None) -> tuple[Vector, Vector, Vector, Quantity]:
    factor = _length(unit) or 1.0
    distance = math.dist(eye.position, eye.focal_point) / factor
    decimals = max(DIGITS - 1 - math.floor(math.log10(distance)), 0) if distance > 0.0 else DIGITS
    if angle_unit not in ("deg", "rad"):
        angle_unit = "deg"
    angle = math.degrees(eye.view_angle) if angle_unit == "deg" else eye.view_angle
    return (
        _round_vector(eye.position, factor, decimals),
        _round_vector(eye.focal_point, factor, decimals),
        _round_vector(eye.up, 1.0, DIGITS),
        Quantity(round(angle, 3 if angle_unit == "deg" else DIGITS), angle_unit),
    )


def _round_vector(vector: Vector, factor: float, decimals: int) -> Vector:
    x, y, z = (round(value / factor, decimals) + 0.0 for value in vector)
    return x, y, z


def _length(unit: str | None) -> float | None:
    try:
        return unit_factor(unit, "length", ())
    except ItemError:
        return None

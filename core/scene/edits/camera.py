"""Edits of the camera: save the present view as the scene's camera, or as a key of its path."""

from __future__ import annotations

import math
from typing import Protocol

from framescope.core.errors import ItemError
from framescope.core.scene.schema.quantities import Quantity, unit_factor
from framescope.core.scene.schema.view import Camera, CameraKey

DIGITS = 5
"""Significant digits of a position, relative to the distance to the focal point."""

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

"""Edits of the camera: the present view as the scene's camera, or as a key of its path."""

from __future__ import annotations

import math
from typing import Protocol

from framescope.core.errors import ItemError
from framescope.core.scene.schema.quantities import Quantity, unit_factor
from framescope.core.scene.schema.view import Camera, CameraKey

DIGITS = 5
"""Of a position, counted from the size of the distance to what is looked at."""

Vector = tuple[float, float, float]


class SeenFrom(Protocol):
    """Position, focal point and up vector in world, m; view angle, rad."""

    @property
    def position(self) -> Vector:
        """Where the eye is."""
        ...

    @property
    def focal_point(self) -> Vector:
        """What it looks at."""
        ...

    @property
    def up(self) -> Vector:
        """What is up in the picture."""
        ...

    @property
    def view_angle(self) -> float:
        """How much of the scene the height of the picture holds."""
        ...


def camera_from(eye: SeenFrom, before: Camera | None = None) -> Camera:
    """Return the camera that sees what is seen now, in the units of the one before.

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
    position, focal_point, up, view_angle = _seen(eye, unit, angle_unit)
    return Camera(unit=unit, position=position, focal_point=focal_point, up=up, view_angle=view_angle)


def camera_key_from(eye: SeenFrom, time: Quantity, unit: str | None, angle_unit: str | None = None) -> CameraKey:
    """Return the key of a camera path that sees what is seen now; `unit` is the path's."""
    unit = unit if _length(unit) is not None else "m"
    position, focal_point, up, view_angle = _seen(eye, unit, angle_unit)
    return CameraKey(time=time, position=position, focal_point=focal_point, up=up, view_angle=view_angle)


def _seen(eye: SeenFrom, unit: str | None, angle_unit: str | None) -> tuple[Vector, Vector, Vector, Quantity]:
    factor = _length(unit) or 1.0
    distance = math.dist(eye.position, eye.focal_point) / factor
    decimals = max(DIGITS - 1 - math.floor(math.log10(distance)), 0) if distance > 0.0 else DIGITS
    if angle_unit not in ("deg", "rad"):
        angle_unit = "deg"
    angle = math.degrees(eye.view_angle) if angle_unit == "deg" else eye.view_angle
    return (
        _rounded(eye.position, factor, decimals),
        _rounded(eye.focal_point, factor, decimals),
        _rounded(eye.up, 1.0, DIGITS),
        Quantity(round(angle, 3 if angle_unit == "deg" else DIGITS), angle_unit),
    )


def _rounded(vector: Vector, factor: float, decimals: int) -> Vector:
    x, y, z = (round(value / factor, decimals) + 0.0 for value in vector)
    return x, y, z


def _length(unit: str | None) -> float | None:
    try:
        return unit_factor(unit, "length", ())
    except ItemError:
        return None

"""Where the scene is seen from: a turntable camera as plain data, and its projection in numpy.

The z axis of the world stays upright. Labels, picking and the view cube use the same `Projection`,
which equals VTK's own matrix (a test compares them), so that they need no renderer.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Vector = tuple[float, float, float]

UP = np.array([0.0, 0.0, 1.0])
POLE_MARGIN = math.radians(0.1)
"""Elevation stops this far from the pole, where "up" would flip."""

DEFAULT_DIRECTION = (0.32, -0.88, 0.42)
"""From the focal point towards a camera that nobody placed: x to the right, y away, seen from above."""


@dataclass(frozen=True)
class CameraState:
    """Position, focal point and up vector in world coordinates (m); view angle is vertical (rad)."""

    position: tuple[float, float, float]
    focal_point: tuple[float, float, float] = (0.0, 0.0, 0.0)
    up: tuple[float, float, float] = (0.0, 0.0, 1.0)
    view_angle: float = math.radians(30.0)

    @property
    def distance(self) -> float:
        """Distance from the position to the focal point, m."""
        return math.dist(self.position, self.focal_point)

    @property
    def direction(self) -> Array:
        """Unit vector from the camera to its focal point, in world."""
        return _unit(np.subtract(self.focal_point, self.position))

    def axes(self) -> Array:
        """Return the rows right, up and backward of the camera in world: `R_CW`, world into camera."""
        return _axes(self.position, self.focal_point, self.up)


@lru_cache(maxsize=8)  # every visual asks for those of the same camera in each tick
def _axes(position: Vector, focal_point: Vector, up: Vector) -> Array:
    backward = _unit(np.subtract(position, focal_point))
    right = np.cross(up, backward)
    if math.hypot(*right) < 1e-9:  # looking along `up`: any right angle to it will do
        right = np.cross((0.0, 1.0, 0.0), backward)
    right = _unit(right)
    axes = np.array([right, np.cross(backward, right), backward])
    axes.flags.writeable = False
    return axes


@dataclass(frozen=True, eq=False)
class Projection:
    """World to device pixels, with x to the right and y upward from the lower left corner."""

    camera: CameraState
    width: int
    height: int
    scale: float
    """Device pixels per logical pixel."""

    @property
    def focal_length_px(self) -> float:
        """Distance of the picture plane in pixels."""
        return 0.5 * self.height / math.tan(0.5 * self.camera.view_angle)

    def project(self, p_W: Array) -> Array:
        """Project points ``(..., 3)`` to ``(..., 3)``: x and y in pixels, and depth in m (behind: <= 0)."""
        p_C = (np.asarray(p_W) - self.camera.position) @ self.camera.axes().T
        depth = -p_C[..., 2]
        with np.errstate(divide="ignore", invalid="ignore"):
            per_metre = self.focal_length_px / depth
            x = 0.5 * self.width + p_C[..., 0] * per_metre
            y = 0.5 * self.height + p_C[..., 1] * per_metre
        return np.stack([x, y, depth], axis=-1)

    def metres_per_pixel(self, p_W: Array) -> float:
        """Return the size of a pixel at the depth of a point."""
        depth = float(np.dot(np.subtract(p_W, self.camera.position), self.camera.direction))
        return max(depth, 1e-6) / self.focal_length_px

    def ray(self, x: float, y: float) -> Array:
        """Return the unit vector in world from the camera through a pixel."""
        v_C = (x - 0.5 * self.width, y - 0.5 * self.height, -self.focal_length_px)
        return _unit(np.asarray(v_C) @ self.camera.axes())


def orbit(camera: CameraState, azimuth: float, elevation: float) -> CameraState:
    """Turn the camera about its focal point: `azimuth` about world z, `elevation` towards the pole, rad."""
    offset = np.subtract(camera.position, camera.focal_point)
    radius = math.hypot(*offset)
    theta = math.atan2(offset[1], offset[0]) if math.hypot(offset[0], offset[1]) > 1e-9 * radius else _heading(camera)
    phi = math.asin(np.clip(offset[2] / radius, -1.0, 1.0)) + elevation
    phi = float(np.clip(phi, POLE_MARGIN - math.pi / 2, math.pi / 2 - POLE_MARGIN))
    theta += azimuth
    direction = (math.cos(phi) * math.cos(theta), math.cos(phi) * math.sin(theta), math.sin(phi))
    position = np.add(camera.focal_point, radius * np.array(direction))
    return replace(camera, position=as_tuple(position), up=(0.0, 0.0, 1.0))


def pan(camera: CameraState, dx: float, dy: float, projection: Projection) -> CameraState:
    """Move the camera so that the focal point follows a drag of `dx`, `dy` pixels."""
    per_pixel = camera.distance / projection.focal_length_px
    right, up, _ = camera.axes()
    shift = -(dx * right + dy * up) * per_pixel
    return replace(camera, position=as_tuple(camera.position + shift), focal_point=as_tuple(camera.focal_point + shift))


def zoom(camera: CameraState, factor: float, projection: Projection, at: tuple[float, float]) -> CameraState:
    """Come nearer by `factor` (above 1), keeping what lies under the pixel `at` where it is."""
    ray = projection.ray(*at)
    # The point under the cursor in the plane through the focal point stays under the cursor.
    target = camera.position + ray * camera.distance / float(ray @ camera.direction)
    shrink = 1.0 / factor
    return replace(
        camera,
        position=as_tuple(target + (np.asarray(camera.position) - target) * shrink),
        focal_point=as_tuple(target + (np.asarray(camera.focal_point) - target) * shrink),
    )


def look_from(camera: CameraState, direction: Array) -> CameraState:
    """Look at the focal point from `direction`; from a pole, world y points up."""
    offset = _unit(np.asarray(direction, dtype=float)) * camera.distance
    is_polar = math.hypot(offset[0], offset[1]) < 1e-9 * camera.distance
    up = (0.0, math.copysign(1.0, offset[2]), 0.0) if is_polar else (0.0, 0.0, 1.0)
    return replace(camera, position=as_tuple(camera.focal_point + offset), up=up)


def fit(camera: CameraState, center: Array, radius: float, aspect: float) -> CameraState:
    """Move the camera along its direction so that a sphere fills the picture."""
    half = 0.5 * camera.view_angle
    if aspect < 1.0:
        half = math.atan(math.tan(half) * aspect)
    distance = 1.05 * max(radius, 1e-6) / math.sin(half)
    position = np.asarray(center) - camera.direction * distance
    return replace(camera, position=as_tuple(position), focal_point=as_tuple(center))


def clipping_range(camera: CameraState, center: Array, radius: float) -> tuple[float, float]:
    """Return near and far for a sphere that holds the whole scene; near never falls below far / 5000."""
    depth = float(np.dot(np.subtract(center, camera.position), camera.direction))
    far = max(depth + radius, 1e-3)
    # 24 bits of depth: a nearer plane would make faces that touch flicker.
    return max(depth - radius, far / 5000.0), far


def _heading(camera: CameraState) -> float:
    """Azimuth to leave a pole by: the picture keeps its upright direction."""
    toward = np.asarray(camera.up) * (1.0 if camera.direction[2] > 0 else -1.0)
    return math.atan2(toward[1], toward[0])


def _unit(v: Array) -> Array:
    return v / math.hypot(*v)


def as_tuple(v: Array) -> Vector:
    """Return a vector the way a `CameraState` holds it."""
    return float(v[0]), float(v[1]), float(v[2])

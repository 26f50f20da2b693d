"""Turntable camera as plain data, with its projection in numpy.

The z axis of the world stays upright. Labels, picking and the view cube use the same `Projection`, which equals VTK's
own matrix (a test compares them), so they need no renderer.

A parallel (orthographic) camera shows objects at the focal point at the same size as a perspective camera, so switching
between the two keeps the size. The distance of a parallel camera is its zoom.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Vector = tuple[float, float, float]

POLE_MARGIN = math.radians(0.1)
"""Elevation stops this far from the pole, where "up" would flip."""

DEFAULT_DIRECTION = (0.32, -0.88, 0.42)
"""Direction from the focal point to a camera that has not been placed: x to the right, y away, seen from above."""

PRESETS: dict[str, Vector] = {
    "front": (0.0, -1.0, 0.0),
    "back": (0.0, 1.0, 0.0),
    "left": (-1.0, 0.0, 0.0),
    "right": (1.0, 0.0, 0.0),
    "top": (0.0, 0.0, 1.0),
    "bottom": (0.0, 0.0, -1.0),
    "isometric": (1.0, -1.0, 1.0),
}
"""Direction in world from the focal point to the camera; the front view has x to the right and z upward."""

NARROW_ASPECT = 1.4
"""Aspect ratio, width over height, below which the camera steps back so that nothing is cropped at the sides."""

FIT_ROUNDS = 8
"""Iterations of a perspective fit, where nearer points grow faster; each reduces the error about tenfold."""

Area = tuple[float, float, float, float]

RETREAT = 1e4
"""Depth of a parallel camera is counted from this many distances behind it, so that no point is behind it."""


@dataclass(frozen=True)
class CameraState:
    """Position, focal point and up vector in world coordinates (m); the view angle is vertical (rad).

    The focal point appears in the middle of the picture, moved by `center`: to the right in half widths, upward in half
    heights.
    """

    position: tuple[float, float, float]
    focal_point: tuple[float, float, float] = (0.0, 0.0, 0.0)
    up: tuple[float, float, float] = (0.0, 0.0, 1.0)
    view_angle: float = math.radians(30.0)
    is_parallel: bool = False
    center: tuple[float, float] = (0.0, 0.0)

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


@lru_cache(maxsize=8)  # each visual reads the axes of the same camera at each tick
def _axes(position: Vector, focal_point: Vector, up: Vector) -> Array:
    backward = _unit(np.subtract(position, focal_point))
    right = np.cross(up, backward)
    if math.hypot(*right) < 1e-9:  # looking along `up`: any perpendicular direction will do
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

    @cached_property
    def focal_length_px(self) -> float:
        """Distance of the picture plane in pixels."""
        return 0.5 * self.height / math.tan(0.5 * self.camera.view_angle)

    @cached_property
    def center_px(self) -> tuple[float, float]:
        """Pixel of the focal point."""
        x, y = self.camera.center
        return 0.5 * self.width * (1.0 + x), 0.5 * self.height * (1.0 + y)

    def project(self, p_W: Array) -> Array:
        """Project points ``(..., 3)`` to ``(..., 3)``: x and y in pixels, and depth in m (behind: <= 0).

        Infinite points have no place, NaN.
        """
        with np.errstate(divide="ignore", invalid="ignore"):
            projected = (np.asarray(p_W) - self.camera.position) @ self.camera.axes().T
            picture, depth = projected[..., :2], projected[..., 2]
            np.negative(depth, out=depth)
            if self.camera.is_parallel:
                picture *= self.focal_length_px / self.camera.distance
                depth += RETREAT * self.camera.distance
            else:
                picture *= (self.focal_length_px / depth)[..., np.newaxis]
            picture += self.center_px
        return projected

    def metres_per_pixel(self, p_W: Array) -> float:
        """Return the size of a pixel at the depth of a point."""
        return float(self.sizes_of_pixels(np.asarray(p_W, dtype=float)))

    def sizes_of_pixels(self, p_W: Array) -> Array:
        """Return the sizes (...) in m of a pixel at the depths of points ``(..., 3)``."""
        if self.camera.is_parallel:
            return np.full(p_W.shape[:-1], self.camera.distance / self.focal_length_px)
        with np.errstate(invalid="ignore"):  # infinite points
            depth = (p_W - self.camera.position) @ self.camera.direction
        return np.maximum(depth, 1e-6) / self.focal_length_px

    def sizes_in_frame(self, points: Array, R_WF: Array, p_WF: Array, out: Array) -> Array:
        """Write the sizes (n,) in m of a pixel at the depths of points (n, 3), given in a frame, into `out`.

        ``d · (R p + o - c) = (Rᵀ d) · p + d · (o - c)``: no point is transformed into world, and nothing is allocated.
        """
        if self.camera.is_parallel:
            out[:] = self.camera.distance / self.focal_length_px
            return out
        direction = self.camera.direction
        np.dot(points, R_WF.T @ direction, out=out)
        out += float((p_WF - self.camera.position) @ direction)
        np.maximum(out, 1e-6, out=out)
        out /= self.focal_length_px
        return out

    def ray(self, x: float, y: float) -> Array:
        """Return the unit vector in world of the view ray through a pixel; see also `ray_start`."""
        if self.camera.is_parallel:
            return self.camera.direction
        x0, y0 = self.center_px
        v_C = (x - x0, y - y0, -self.focal_length_px)
        return _unit(np.asarray(v_C) @ self.camera.axes())

    def ray_start(self, x: float, y: float) -> Array:
        """Return a point in world from which the ray of a pixel starts, in front of all visible points."""
        camera = self.camera
        if not camera.is_parallel:
            return np.array(camera.position)
        return self.point_at(x, y) - RETREAT * camera.distance * camera.direction

    def point_at(self, x: float, y: float) -> Array:
        """Return the point in world under a pixel, in the plane through the focal point that faces the camera."""
        camera = self.camera
        right, up, _ = camera.axes()
        per_pixel = camera.distance / self.focal_length_px
        x0, y0 = self.center_px
        return camera.focal_point + ((x - x0) * right + (y - y0) * up) * per_pixel

    def towards_camera(self, p_W: Array) -> Array:
        """Return the unit vector in world from a point to the eye."""
        if self.camera.is_parallel:
            return -self.camera.direction
        return _unit(np.subtract(self.camera.position, p_W))


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
    """Move closer by `factor` (above 1), and keep the point under the pixel `at` in place."""
    # The point under the cursor, in the plane through the focal point, stays under the cursor.
    target = projection.point_at(*at)
    shrink = 1.0 / factor
    return replace(
        camera,
        position=as_tuple(target + (np.asarray(camera.position) - target) * shrink),
        focal_point=as_tuple(target + (np.asarray(camera.focal_point) - target) * shrink),
    )


def step_back(camera: CameraState, factor: float) -> CameraState:
    """Return the camera at `factor` times its distance from the focal point."""
    offset = np.subtract(camera.position, camera.focal_point)
    return replace(camera, position=as_tuple(camera.focal_point + factor * offset))


def fit_narrow_picture(camera: CameraState, aspect: float) -> CameraState:
    """Return the camera, moved back for a picture narrower than `NARROW_ASPECT`, so that its sides stay visible."""
    return step_back(camera, NARROW_ASPECT / aspect) if aspect < NARROW_ASPECT else camera


def look_from(camera: CameraState, direction: Array) -> CameraState:
    """Look at the focal point from `direction`; from a pole, world y points up."""
    offset = _unit(np.asarray(direction, dtype=float)) * camera.distance
    is_polar = math.hypot(offset[0], offset[1]) < 1e-9 * camera.distance
    up = (0.0, math.copysign(1.0, offset[2]), 0.0) if is_polar else (0.0, 0.0, 1.0)
    return replace(camera, position=as_tuple(camera.focal_point + offset), up=up)


def look_along(camera: CameraState, axis: int, R_WF: Array, p_WF: Array) -> CameraState:
    """Look along an axis (0, 1 or 2) of a frame to its origin.

    The frame's z axis is up; when looking along z, its y axis is up.

    >>> import numpy as np
    >>> look_along(CameraState((0.0, -2.0, 0.0)), 0, np.eye(3), np.zeros(3)).position
    (-2.0, 0.0, 0.0)
    """
    position = p_WF - camera.distance * _unit(R_WF[:, axis])
    up = R_WF[:, 1 if axis == 2 else 2]
    return replace(camera, position=as_tuple(position + 0.0), focal_point=as_tuple(p_WF), up=as_tuple(up))


def fit(camera: CameraState, center: Array, radius: float, aspect: float) -> CameraState:
    """Move the camera along its direction so that a sphere fills the picture."""
    half = 0.5 * camera.view_angle
    if aspect < 1.0:
        half = math.atan(math.tan(half) * aspect)
    distance = 1.05 * max(radius, 1e-6) / math.sin(half)
    position = np.asarray(center) - camera.direction * distance
    return replace(camera, position=as_tuple(position), focal_point=as_tuple(center))


def fit_points(camera: CameraState, points: Array, size: tuple[int, int], area: Area) -> CameraState:
    """Move the camera, without turning it, until points fill an area of the picture.

    Parameters
    ----------
    points : (n, 3)
        Points in world, m.
    size
        Width and height of the picture, pixels.
    area
        Left, bottom, right and top of the area to fill, pixels from the lower left corner.
    """
    left, bottom, right, top = area
    width, height = max(right - left, 1.0), max(top - bottom, 1.0)
    camera = fit(camera, points.mean(axis=0), float(np.linalg.norm(np.ptp(points, axis=0))), size[0] / size[1])
    for _ in range(FIT_ROUNDS):
        projection = Projection(camera, *size, 1.0)
        pixels = projection.project(points)[:, :2]
        low, high = pixels.min(axis=0), pixels.max(axis=0)
        share = max((high[0] - low[0]) / width, (high[1] - low[1]) / height)
        shift = np.array([left + right, bottom + top]) / 2 - (low + high) / 2
        camera = step_back(pan(camera, *shift, projection), share)
    return camera


def clipping_range(camera: CameraState, center: Array, radius: float) -> tuple[float, float]:
    """Return the near and far distances of a sphere that holds the whole scene; near is at least far / 5000.

    The range of a parallel camera may lie behind it; the renderer then moves it back.
    """
    depth = float(np.dot(np.subtract(center, camera.position), camera.direction))
    if camera.is_parallel:
        return depth - radius, depth + radius
    far = max(depth + radius, 1e-3)
    # 24 bits of depth: a nearer plane would make touching faces flicker.
    return max(depth - radius, far / 5000.0), far


def _heading(camera: CameraState) -> float:
    """Return the azimuth for leaving a pole, so that the picture keeps its upright direction."""
    toward = np.asarray(camera.up) * (1.0 if camera.direction[2] > 0 else -1.0)
    return math.atan2(toward[1], toward[0])


def _unit(v: Array) -> Array:
    return v / math.hypot(*v)


def as_tuple(v: Array) -> Vector:
    """Convert a vector to a tuple, as stored in `CameraState`."""
    return float(v[0]), float(v[1]), float(v[2])

"""Geometry of turning and moving with the pointer: rays, planes and lines. Knows neither Qt nor VTK nor scenes."""

from __future__ import annotations

import math
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from framescope.ui.scene_view.camera.camera import Projection

Array = NDArray[np.float64]

RADIUS = 76.0
"""Radius of the rings, logical pixels."""
ARROW = (1.14, 1.50)
"""Start and end of an arrow, in radii of the rings."""
RING_POINTS = 73

EDGE_ON = math.sin(math.radians(6.0))
"""Sine of the tilt below which a ring counts as edge-on and is turned by moving along it."""
FRONT = math.radians(60.0)
"""Angle on either side of the foremost point within which an edge-on ring keeps its true angles."""
END_ON = math.cos(math.radians(12.0))
"""Cosine of the angle to the view ray below which an arrow cannot be dragged and is not shown."""

GRASP = 8.0
"""Distance from a handle within which the pointer grabs it, logical pixels."""


JOINT = 3
"""Index of a joint's axis, after x, y and z."""


class Handle(NamedTuple):
    """Handle that can be dragged: ring or arrow of axis 0, 1 or 2, or of a joint's axis."""

    kind: Literal["turn", "shift"]
    axis: int


class HandleAxes(NamedTuple):
    """Axes about and along which the user drags a frame."""

    e_W: Array  # (3, n): unit vectors in columns
    can_turn: NDArray[np.bool_]  # (n,): axes with a ring
    can_shift: NDArray[np.bool_]  # (n,): axes with an arrow


class HandleShapes(NamedTuple):
    """The handles as drawn: pixels, and their orientation towards the eye."""

    rings: Array  # (n, RING_POINTS, 2)
    is_near: NDArray[np.bool_]  # (n, RING_POINTS): points of the ring nearer to the eye than its centre
    has_ring: NDArray[np.bool_]  # (n,)
    arrows: Array  # (n, 2, 2): start and end
    has_arrow: NDArray[np.bool_]  # (n,)


def radius_m(projection: Projection, center_W: Array) -> float:
    """Return the radius in m of rings that appear with a radius of `RADIUS` pixels."""
    return RADIUS * projection.scale * projection.metres_per_pixel(center_W)


def circle(e: Array) -> Array:
    """Return unit vectors (RING_POINTS, 3) around a unit vector, right-handed; the last equals the first."""
    side = np.eye(3)[int(np.argmin(np.abs(e)))]
    u = np.cross(e, side)
    u /= np.linalg.norm(u)
    phi = np.linspace(0.0, math.tau, RING_POINTS)[:, None]
    return np.asarray(np.cos(phi) * u + np.sin(phi) * np.cross(e, u), dtype=np.float64)


def handle_shapes(projection: Projection, center_W: Array, axes: HandleAxes) -> HandleShapes:
    """Return the rings and arrows around a point."""
    axes_W = axes.e_W
    radius = radius_m(projection, center_W)
    eye = projection.towards_camera(center_W)
    around = np.array([circle(e) for e in axes_W.T])
    rings = projection.project(center_W + radius * around)[..., :2]
    ends = np.array([[begin * e, end * e] for e in axes_W.T for begin, end in (ARROW,)])
    arrows = projection.project(center_W + radius * ends)[..., :2]
    has_arrow = axes.can_shift & (np.abs(eye @ axes_W) < END_ON)
    return HandleShapes(rings, around @ eye >= -0.02, axes.can_turn, arrows, has_arrow)


def nearest_handle(shapes: HandleShapes, x: float, y: float, scale: float) -> Handle | None:
    """Return the handle under a pixel; arrows win over rings, and the near half of a ring over the far half."""
    at, grasp = np.array([x, y]), GRASP * scale
    candidates: list[tuple[float, Handle]] = []
    for axis in range(len(shapes.rings)):
        if shapes.has_arrow[axis]:
            miss = float(distances_to_segments(at, shapes.arrows[axis, :1], shapes.arrows[axis, 1:])[0])
            candidates.append((miss - 2.0 * scale, Handle("shift", axis)))
        if shapes.has_ring[axis]:
            ring = shapes.rings[axis]
            misses = distances_to_segments(at, ring[:-1], ring[1:])
            misses = np.where(shapes.is_near[axis, :-1], misses, misses + 0.5 * grasp)
            candidates.append((float(misses.min()), Handle("turn", axis)))
    miss, handle = min(candidates, default=(math.inf, None))
    return handle if miss <= grasp else None


def distances_to_segments(at: Array, begin: Array, end: Array) -> Array:
    """Return the distances (n,) from a point (2,) to segments given by their ends (n, 2).

    >>> distances_to_segments(np.array([1.0, 1.0]), np.array([[0.0, 0.0]]), np.array([[4.0, 0.0]]))
    array([1.])
    """
    along = end - begin
    length2 = np.maximum((along * along).sum(axis=-1), 1e-12)
    share = np.clip(((at - begin) * along).sum(axis=-1) / length2, 0.0, 1.0)
    off = begin + share[..., None] * along - at
    return np.hypot(off[..., 0], off[..., 1])


class TurnDrag:
    """A turn about an axis `e_W` through `center_W`, dragged by a pointer pressed at a pixel.

    If the ring faces the eye, the ray of the pointer meets the plane of the ring, and the angle is swept about the
    centre there; full turns are counted. If the ring is seen edge-on, its near part follows the pointer.
    """

    def __init__(self, projection: Projection, center_W: Array, e_W: Array, x: float, y: float) -> None:
        self._projection, self._center, self._e = projection, center_W, e_W
        eye = projection.towards_camera(center_W)
        self._is_edge_on = abs(float(eye @ e_W)) < EDGE_ON
        self._begin = np.array([x, y])
        self._angle = 0.0
        begin = self._in_plane(x, y)
        front = eye - float(eye @ e_W) * e_W
        self.start_W: Array = front / np.linalg.norm(front) if begin is None or self._is_edge_on else begin
        """Unit vector from the centre to the start of the turn, in world."""
        self._along = self._front()

    def angle(self, x: float, y: float) -> float:
        """Return the angle for the pointer at a pixel, rad, right-handed about the axis."""
        if self._is_edge_on:
            way = float((np.array([x, y]) - self._begin) @ self._along[0])
            return self._on_front(way) - self._on_front(0.0)
        now = self._in_plane(x, y)
        if now is not None:
            swept = math.atan2(float(self._e @ np.cross(self.start_W, now)), float(self.start_W @ now))
            self._angle = swept + math.tau * round((self._angle - swept) / math.tau)
        return self._angle

    def _in_plane(self, x: float, y: float) -> Array | None:
        """Return the unit vector from the centre to the point of the plane under a pixel; None without such a point."""
        start, ray = self._projection.ray_start(x, y), self._projection.ray(x, y)
        slope = float(ray @ self._e)
        if abs(slope) < 1e-9:
            return None
        far = float((self._center - start) @ self._e) / slope
        if far <= 0.0:
            return None
        out = start + far * ray - self._center
        out -= float(out @ self._e) * self._e
        length = float(np.linalg.norm(out))
        return out / length if length > 1e-12 else None

    def _front(self) -> tuple[Array, Array, Array]:
        """Return the direction (2,) of the ring's near part in the picture, distances along it, and their angles."""
        angles = np.linspace(-FRONT, FRONT, 121)
        side = np.cross(self._e, self.start_W)
        around = np.cos(angles)[:, None] * self.start_W + np.sin(angles)[:, None] * side
        at = self._projection.project(self._center + radius_m(self._projection, self._center) * around)[:, :2]
        along = at[-1] - at[0]
        along /= max(float(np.hypot(*along)), 1e-9)
        return along, (at - self._begin) @ along, angles

    def _on_front(self, way: float) -> float:
        """Return the angle at a distance along the ring's near part, extrapolated linearly beyond its ends."""
        _, ways, angles = self._along
        for end, beyond in ((0, way < ways[0]), (-1, way > ways[-1])):
            if beyond:
                inner = 1 if end == 0 else -2
                slope = (angles[end] - angles[inner]) / (ways[end] - ways[inner])
                return float(angles[end] + slope * (way - ways[end]))
        return float(np.interp(way, ways, angles))


class ShiftDrag:
    """A move along an axis `e_W` through `center_W`, to the point of the line nearest to the pointer's ray."""

    def __init__(self, projection: Projection, center_W: Array, e_W: Array, x: float, y: float) -> None:
        self._projection, self._center, self._e = projection, center_W, e_W
        self._last = 0.0
        self._begin = 0.0
        self._begin = self._along(x, y)

    def distance(self, x: float, y: float) -> float:
        """Return the distance moved for the pointer at a pixel, m along the axis."""
        return self._along(x, y) - self._begin

    def _along(self, x: float, y: float) -> float:
        ray = self._projection.ray(x, y)
        along = float(ray @ self._e)
        apart = 1.0 - along * along
        if apart < 1e-6:  # the ray is parallel to the axis
            return self._last
        off = self._projection.ray_start(x, y) - self._center
        far = (float(self._e @ off) - along * float(ray @ off)) / apart
        self._last = far
        return far


def snap(value: float, step: float) -> float:
    """Round a value to the nearest multiple of a step; a step of 0 keeps the value.

    >>> snap(0.34, 0.25), snap(0.34, 0.0)
    (0.25, 0.34)
    """
    return step * round(value / step) if step > 0.0 else value

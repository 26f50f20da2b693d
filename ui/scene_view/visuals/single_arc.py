"""One arc of an angle, as drawn and as it unfolds in an animated model."""

from __future__ import annotations

import math

import numpy as np
import pyvista as pv
from numpy.typing import NDArray
from vtkmodules.vtkCommonMath import vtkMatrix4x4

from framescope.ui.scene_view.base.animated_nodes import AnimatedItem, PosedItems, ValueText
from framescope.ui.scene_view.base.node_shapes import NodeShape, shape_of
from framescope.ui.scene_view.base.visual import ViewContext
from framescope.ui.scene_view.geometry import actors
from framescope.ui.scene_view.geometry.lathe_meshes import cone, lathe, pv_cells, to_polydata
from framescope.ui.theme.tokens import channels

Array = NDArray[np.float64]

SEGMENTS = 96
"""Number of segments of an arc, independent of its angle."""

WIDTH, EDGE_WIDTH = 2.5, 1.0
FILL_OPACITY, EDGE_OPACITY = 0.16, 0.55

HEAD_LENGTH, HEAD_RADIUS = 0.15, 0.045
"""Size of the arrow at the end, relative to the radius; a short arc has a smaller one."""

WEDGES = 24
"""Number of wedges of an arc in a model; each is a flat triangle, at most 15 degrees wide."""

RIBBON = 0.007
"""Half the line thickness of an arc in a model, relative to its radius."""


def split_turns(angle: float) -> tuple[float, int]:
    """Split an angle into an angle within one turn and the number of full turns; rad.

    >>> [(round(math.degrees(rest)), turns) for rest, turns in map(split_turns, np.radians([-40, 360, 400, -760]))]
    [(-40, 0), (360, 0), (40, 1), (-40, -2)]
    """
    turns = max(0, math.ceil(abs(angle) / math.tau - 1e-9) - 1)
    signed = int(math.copysign(turns, angle))
    return angle - signed * math.tau, signed


class Arc:
    """One arc: a translucent sector, its two edges, the line and the arrow at its end.

    Attributes
    ----------
    radius, color
        Radius, m, and colour, red, green and blue from 0 to 1.
    is_seen, angle
        Whether the arc is visible, and its angle, rad.
    plane : (3, 3)
        Rotation of its plane into world: x to its start, z to the rotation axis.
    rest, turns
        Angle within one turn, rad, and number of full turns beyond it.
    """

    def __init__(self, radius: float, color: str, context: ViewContext) -> None:
        self.radius = radius
        self.color = channels(color)
        self.angle = 0.0
        self.is_seen = False
        at = np.arange(SEGMENTS + 1)
        zeros = np.zeros((SEGMENTS + 2, 3), dtype=np.float32)
        # Point 0 is the centre, the others are on the arc.
        fan = np.column_stack([np.zeros(SEGMENTS, dtype=int), at[1:], at[1:] + 1])
        self._fan = pv.PolyData(zeros, faces=pv_cells(fan))
        self._edges = pv.PolyData(np.zeros((3, 3), dtype=np.float32), lines=pv_cells(np.array([[0, 1], [0, 2]])))
        self._line = pv.PolyData(zeros[1:].copy(), lines=pv_cells(np.column_stack([at[:-1], at[1:]])))
        self._head = to_polydata(cone(HEAD_RADIUS, -HEAD_LENGTH, 0.0, 20))
        self._matrix = vtkMatrix4x4()
        fill = actors.flat(self._fan, color, opacity=FILL_OPACITY)
        edges = actors.lines(self._edges, context.px(EDGE_WIDTH), color, opacity=EDGE_OPACITY)
        line = actors.lines(self._line, context.px(WIDTH), color)
        head = actors.surface(self._head, color)
        head.SetUserMatrix(self._matrix)
        self.actors = [line, head, fill, edges]
        self._fan_points = actors.points_of(self._fan)
        self._edge_points = actors.points_of(self._edges)
        self._line_points = actors.points_of(self._line)
        self._shares = np.linspace(0.0, 1.0, SEGMENTS + 1)
        self._phi = np.empty(SEGMENTS + 1)
        self._cos_sin = np.empty((SEGMENTS + 1, 2))

    def hide(self) -> None:
        """Hide the arc."""
        self.is_seen = False
        for actor in self.actors:
            actor.VisibilityOff()

    def bend(self, angle: float, R_WA: Array, p_W: Array) -> None:
        """Set the angle, and the plane of the arc: x to the start, z to the rotation axis."""
        if not self.is_seen:
            for actor in self.actors:
                actor.VisibilityOn()
        self.is_seen, self.angle = True, angle
        remainder, turns = split_turns(angle)
        self.plane, self._p_W, self.rest, self.turns = R_WA, p_W, remainder, turns
        self._sweep(remainder, self._fan_points[1:])
        self._fan_points[0] = p_W
        self._edge_points[:] = self._fan_points[[0, 1, -1]]
        # The line ends inside the arrow, whose tip is the end of the arc.
        head = min(HEAD_LENGTH, 0.6 * abs(remainder))
        whole = math.copysign(math.tau, angle) if turns else remainder - math.copysign(0.5 * head, angle)
        self._sweep(whole, self._line_points)
        for polydata in (self._fan, self._edges, self._line):
            actors.touch(polydata)
        # The arrow is a chord of the arc, so that both its ends are on the arc.
        back = remainder - math.copysign(head, angle)
        tip, foot = self.point(remainder), self.point(back)
        along = (tip - foot) / max(float(np.linalg.norm(tip - foot)), 1e-12)
        frame = _along_third(R_WA[:, 2], along)
        actors.set_pose(self._matrix, frame * (self.radius * head / HEAD_LENGTH), tip)

    def point(self, angle: float) -> Array:
        """Return the point of the arc at an angle."""
        x, y = math.cos(angle), math.sin(angle)
        return self._p_W + self.radius * (x * self.plane[:, 0] + y * self.plane[:, 1])

    def middle(self) -> Array:
        """Return the middle of the arc."""
        return self.point(0.5 * self.rest)

    def center(self) -> Array:
        """Return the centre of the arc's circle."""
        return self._p_W

    def _sweep(self, angle: float, out: NDArray[np.float32]) -> None:
        np.multiply(self._shares, angle, out=self._phi)
        np.cos(self._phi, out=self._cos_sin[:, 0])
        np.sin(self._phi, out=self._cos_sin[:, 1])
        np.matmul(self._cos_sin, self.radius * self.plane[:, :2].T, out=out)
        out += self._p_W.astype(np.float32)


class ArcItems(PosedItems):
    """Items of one arc: its plane, wedges that unfold like a fan, two edges, the arrow, and the circle of full turns.

    Each wedge is a child of the previous one, rotated by an equal share of the angle, so that all move alike.
    """

    def __init__(self, frame: str, turn_index: int, arc: Arc, role: str) -> None:
        self._arc = arc
        r, g, b = (channel for channel in arc.color)
        plain, pale, edge = ((r, g, b, opacity) for opacity in (1.0, FILL_OPACITY, EDGE_OPACITY))
        radius = arc.radius
        called = f"{'αβγ'[turn_index]} of {frame}"
        fill = NodeShape(radius * np.array([[0.0, 0, 0], [1, -1, 0], [1, 1, 0]]), np.array([[0, 1, 2]]), pale)
        spoke = NodeShape(radius * np.array([[0.0, 0, 0], [1, 0, 0]]), np.array([[0, 1]]), edge)
        look = (_ribbon(radius, plain), fill)
        head = shape_of(cone(HEAD_RADIUS, -HEAD_LENGTH, 0.0, 20).transform(scale=radius), _bytes(plain))
        ring = lathe(_square(radius), 96)
        items = [
            AnimatedItem(f"arc {called}", ()),
            AnimatedItem(f"start of {called}", (spoke,), 0, comes_and_goes=False),
            AnimatedItem(f"end of {called}", (spoke,), 0, comes_and_goes=False),
            AnimatedItem(f"arrow of {called}", (head,), 0, comes_and_goes=False),
            AnimatedItem(f"circle of {called}", (shape_of(ring, _bytes(plain)),), 0),
        ]
        self._first = len(items)
        for k in range(WEDGES):
            parent = 0 if k == 0 else self._first + 2 * (k - 1)
            turn, wedge = f"turn {k + 1} of {called}", f"wedge {k + 1} of {called}"
            items.append(AnimatedItem(turn, (), parent, tightness=float(WEDGES), comes_and_goes=False))
            items.append(AnimatedItem(wedge, look, self._first + 2 * k, comes_and_goes=False))
        items.append(AnimatedItem("", (), 0, caption=ValueText("αβγ"[turn_index], frame, "", 1.0, role, is_angle=True)))
        items.append(AnimatedItem("", (), 0, is_read=True))
        super().__init__(items)

    def take(self) -> None:
        """Record the current angle."""
        arc = self._arc
        if arc.is_seen:
            remainder, turns = arc.rest, arc.turns
            self.is_seen[:] = True
            self.p[0], self.R[0] = arc.center(), arc.plane
            self.R[2] = _about_z(remainder)
            head = min(HEAD_LENGTH, 0.6 * abs(remainder))
            tip, foot = _on_circle(remainder), _on_circle(remainder - math.copysign(head, remainder))
            along = (tip - foot) / max(float(np.linalg.norm(tip - foot)), 1e-12)
            self.p[3], self.R[3] = arc.radius * tip, _along_third(np.array([0.0, 0.0, 1.0]), along)
            self.size[3] = head / HEAD_LENGTH
            self.is_seen[4] = bool(turns)
            half = 0.5 * remainder / WEDGES
            joints, wedges = self._first + 2 * np.arange(WEDGES), self._first + 1 + 2 * np.arange(WEDGES)
            self.R[joints[0]], self.R[joints[1:]] = _about_z(half), _about_z(2.0 * half)
            self.size[wedges] = math.cos(half), abs(math.sin(half)), 1.0
            self.p[-2], self.p[-1, 0] = arc.middle(), arc.angle
        self.end()


def _along_third(second: Array, third: Array) -> Array:
    """Return the rotation with the given last two columns; `np.cross` takes ten times as long for one vector."""
    (a, b, c), (x, y, z) = second.tolist(), third.tolist()
    return np.array([[b * z - c * y, a, x], [c * x - a * z, b, y], [a * y - b * x, c, z]])


def _ribbon(radius: float, color: tuple[float, float, float, float]) -> NodeShape:
    """Return the line of a wedge: a bar of four sides between its two outer corners."""
    low, high, t = 1.0 - RIBBON, 1.0 + RIBBON, RIBBON
    corners = [(low, -t), (high, -t), (high, t), (low, t)]
    points = radius * np.array([(x, y * x, z) for y in (-1.0, 1.0) for x, z in corners])
    cells = [(k, (k + 1) % 4, 4 + k) for k in range(4)] + [((k + 1) % 4, 4 + (k + 1) % 4, 4 + k) for k in range(4)]
    return NodeShape(points, np.array(cells), color)


def _square(radius: float) -> list[tuple[float, float]]:
    low, high, t = radius * (1 - RIBBON), radius * (1 + RIBBON), radius * RIBBON
    return [(low, t), (low, -t), (high, -t), (high, t), (low, t)]


def _bytes(color: tuple[float, float, float, float]) -> tuple[int, ...]:
    return tuple(round(255 * channel) for channel in color)


def _on_circle(angle: float) -> Array:
    return np.array([math.cos(angle), math.sin(angle), 0.0])


def _about_z(angle: float) -> Array:
    c, s = math.cos(angle), math.sin(angle)
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])

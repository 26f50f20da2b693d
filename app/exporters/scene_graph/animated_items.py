"""What of a moving model is asked of the picture: arrows and elements, arcs, stages and claims, in world."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from framescope.app.exporters.scene_graph.shapes import NodeShape, part_of, shape_of
from framescope.core import quaternions
from framescope.core.kernels.nearest_rotation import nearest_rotation
from framescope.core.kernels.sampled_tracks import ErrorBound, States
from framescope.core.kernels.validation import Array, as_sequence
from framescope.ui.scene_view.base.visual import Visual
from framescope.ui.scene_view.geometry.element_shapes import FREE_LENGTH
from framescope.ui.scene_view.geometry.instanced_mesh import AxesAlong, LinearMesh, pieces
from framescope.ui.scene_view.geometry.lathe_meshes import cone, cylinder, lathe, rgba
from framescope.ui.scene_view.scene_renderer import SceneRenderer
from framescope.ui.scene_view.visuals.angle_arcs import EDGE_OPACITY, FILL_OPACITY, HEAD_LENGTH, HEAD_RADIUS, Arc, Arcs
from framescope.ui.scene_view.visuals.force_arrows import ForceArrows
from framescope.ui.scene_view.visuals.intermediate_frames import (
    LIT_OPACITY,
    LIT_REACH,
    OPACITIES,
    FrameTurns,
    IntermediateFrames,
    ghost_template,
)
from framescope.ui.scene_view.visuals.measured_ghosts import OPACITY, Claims
from framescope.ui.scene_view.visuals.sensor_arrows import SensorArrows
from framescope.ui.scene_view.visuals.triads import TriadTemplate, arrow_template
from framescope.ui.theme.tokens import Theme

NO_TURN = (0.0, 0.0, 0.0, 1.0)
UNBOUND = 1e30

WEDGES = 24
"""Of an arc: each is a flat triangle, at most 15 degrees wide."""

RIBBON = 0.007
"""Half the thickness of the line of an arc, parts of its radius."""

LIT_RADIUS, LIT_HALO = 0.008, 0.04
"""Of the lit axis, in its lengths: the core, and what is about it."""


@dataclass(frozen=True)
class ValueText:
    """A value that stands at something: its letter, whose it is, and its unit.

    It is `factor` times the length of a vector that is sampled; of an arc, the angle, rad. `role` is its colour.
    """

    symbol: str
    name: str
    unit: str
    factor: float
    role: str
    is_angle: bool = False


@dataclass(frozen=True, eq=False)
class AnimatedItem:
    """A thing of the picture: its name, where it hangs among the items of its source, what it looks like.

    `parent` counts from the first item of the source, None is the world; what hangs on a parent is there when that is,
    unless it `comes_and_goes` by itself. What `is_piece` is a part of `group`. `tightness` is by how much less its
    angle may be off than that of other things, `extent` how far it reaches aside for a size of one (see `Allowed`). One
    with a `caption` stands in world where its value does, on what its parent shows, and the next item, which `is_read`,
    is the value.
    """

    name: str
    shapes: tuple[NodeShape, ...]
    parent: int | None = None
    group: str = ""
    tightness: float = 1.0
    extent: float = UNBOUND
    comes_and_goes: bool = True
    caption: ValueText | None = None
    is_read: bool = False

    @property
    def is_piece(self) -> bool:
        """Whether it is one of several that make up a thing."""
        return bool(self.group)


class ItemSource(Protocol):
    """Something of the picture that is looked at again and again."""

    @property
    def items(self) -> Sequence[AnimatedItem]:
        """What there is of it."""
        ...

    def take(self) -> None:
        """Take where all of it is now."""
        ...

    def states(self) -> States:
        """Return what was taken since the last time, and forget it."""
        ...


def sources_of(renderer: SceneRenderer, theme: Theme) -> dict[Visual, list[ItemSource]]:
    """Return all that is asked of a picture, by the visuals that know it."""
    sources: dict[Visual, list[ItemSource]] = {}
    for visual in renderer.visuals:
        found: list[ItemSource] = [MeshItems(*item) for item in visual.items()]
        if isinstance(visual, SensorArrows | ForceArrows) and visual.values is not None:
            found.append(TipItems(visual))
        if isinstance(visual, Arcs):
            for arc_set in visual.sets:
                roles = [f"axis_{'xyz'[axis - 1]}" for axis in as_sequence(arc_set.sequence)]
                found += [
                    ArcItems(arc_set.name, k, arc, role)
                    for k, (arc, role) in enumerate(zip(arc_set.arcs, roles, strict=True))
                ]
        elif isinstance(visual, IntermediateFrames):
            found += [IntermediateItems(turns, theme) for turns in visual.turns]
        elif isinstance(visual, Claims) and visual.names:
            found.append(ClaimItems(visual, theme))
        if found:
            sources[visual] = found
    return sources


# Many items of one shape


class MeshItems:
    """The items of a mesh: arrows, springs and the like, each of one piece or several."""

    def __init__(self, mesh: LinearMesh, names: Sequence[str]) -> None:
        self._mesh, self._parts = mesh, pieces(mesh.template, FREE_LENGTH)
        looks = {
            (k, color): (shape_of(part, color),)
            for color in {tuple(row) for row in mesh.colors.tolist()}
            for k, (_, _, part) in enumerate(self._parts)
        }
        self.items = [
            AnimatedItem(
                name,
                looks[k, tuple(mesh.colors[i].tolist())],
                group=name,
                extent=float(np.abs(part.points[:, :2]).max(initial=0.0)),
            )
            for k, (_, _, part) in enumerate(self._parts)
            for i, name in enumerate(names)
        ]
        self._taken: list[tuple[Array, Array, Array, NDArray[np.bool_]]] = []

    def take(self) -> None:
        """Take where they are now."""
        mesh = self._mesh
        self._taken.append((mesh.stations.copy(), mesh.axes.copy(), mesh.sizes.copy(), mesh.is_shown.copy()))

    def states(self) -> States:
        """Return what was taken."""
        stations, axes, sizes, shown = zip(*self._taken, strict=True)
        stations, axes, sizes, is_shown = np.stack(stations), np.stack(axes), np.stack(sizes), np.stack(shown)
        self._taken.clear()
        is_shown &= np.isfinite(axes).all(axis=(1, 3)) & np.isfinite(stations).all(axis=(1, 3))
        m, count = is_shown.shape
        Q = np.tile(np.array(NO_TURN), (m, count, 1))
        Q[is_shown] = _quaternions(np.moveaxis(axes, 1, -1)[is_shown])
        p: list[Array] = []
        size: list[Array] = []
        for start, end, _ in self._parts:
            p.append(np.where(is_shown[..., None], stations[:, start], 0.0))
            stretch = np.repeat(np.where(is_shown, sizes, 1.0)[..., None], 3, axis=-1)
            if end is not None:
                away = np.where(is_shown[..., None], stations[:, end] - stations[:, start], 1.0)
                stretch[..., 2] = np.sqrt(np.square(away).sum(axis=-1))
            size.append(stretch)
        n = len(self._parts)
        return States(
            np.concatenate(p, axis=1),
            np.tile(Q, (1, n, 1)),
            np.concatenate(size, axis=1),
            np.tile(is_shown, (1, n)),
            np.zeros((m, n * count)),
        )


# Things with poses of their own


class _Posed:
    """Things whose poses are written down one after another, (n,) for each moment."""

    def __init__(self, items: Sequence[AnimatedItem]) -> None:
        self.items = items
        self._taken: list[tuple[Array, Array, Array, NDArray[np.bool_]]] = []
        self._begin()

    def _begin(self) -> None:
        n = len(self.items)
        self.p, self.R = np.zeros((n, 3)), np.tile(np.eye(3), (n, 1, 1))
        self.size, self.is_seen = np.ones((n, 3)), np.zeros(n, dtype=bool)

    def _end(self) -> None:
        self._taken.append((self.p, self.R, self.size, self.is_seen))
        self._begin()

    def states(self) -> States:
        """Return what was taken, and forget it."""
        p, R, size, seen = zip(*self._taken, strict=True)
        self._taken.clear()
        is_seen = np.stack(seen)
        return States(np.stack(p), _quaternions(np.stack(R)), np.stack(size), is_seen, np.zeros(is_seen.shape))


class TipItems(_Posed):
    """The values of arrows: where they end, and themselves."""

    def __init__(self, arrows: SensorArrows | ForceArrows) -> None:
        self._arrows = arrows
        role = "sensor" if isinstance(arrows, SensorArrows) else ""
        items: list[AnimatedItem] = []
        for symbol, name, unit, factor in arrows.told:
            shown_as = role or ("force" if symbol == "F" else "omega")
            items.append(AnimatedItem("", (), caption=ValueText(symbol, name, unit, factor, shown_as)))
            items.append(AnimatedItem("", (), is_read=True))
        super().__init__(items)

    def take(self) -> None:
        """Take feet and vectors."""
        feet, vectors = self._arrows.ends
        is_known = np.isfinite(feet).all(axis=1) & np.isfinite(vectors).all(axis=1)
        self.p[0::2][is_known], self.p[1::2][is_known] = feet[is_known], vectors[is_known]
        self.is_seen[0::2] = self.is_seen[1::2] = is_known
        self._end()


class ArcItems(_Posed):
    """One arc: its plane, wedges that unfold like a fan, the two edges, the arrow, and the circle of whole turns.

    Each wedge hangs on the one before it, turned by one share of the angle, so that all of them move alike.
    """

    def __init__(self, frame: str, which: int, arc: Arc, role: str) -> None:
        self._arc = arc
        r, g, b = (channel for channel in arc.color)
        plain, pale, edge = ((r, g, b, opacity) for opacity in (1.0, FILL_OPACITY, EDGE_OPACITY))
        radius = arc.radius
        called = f"{'αβγ'[which]} of {frame}"
        fill = NodeShape(radius * np.array([[0.0, 0, 0], [1, -1, 0], [1, 1, 0]]), np.array([[0, 1, 2]]), pale)
        spoke = NodeShape(radius * np.array([[0.0, 0, 0], [1, 0, 0]]), np.array([[0, 1]]), edge)
        look = (_ribbon(radius, plain), fill)
        head = shape_of(cone(HEAD_RADIUS, -HEAD_LENGTH, 0.0, 20).moved(scale=radius), _bytes(plain))
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
        items.append(AnimatedItem("", (), 0, caption=ValueText("αβγ"[which], frame, "", 1.0, role, is_angle=True)))
        items.append(AnimatedItem("", (), 0, is_read=True))
        super().__init__(items)

    def take(self) -> None:
        """Take the angle."""
        arc = self._arc
        if arc.is_seen:
            rest, turns = arc.rest, arc.turns
            self.is_seen[:] = True
            self.p[0], self.R[0] = arc.center(), arc.plane
            self.R[2] = _about_z(rest)
            head = min(HEAD_LENGTH, 0.6 * abs(rest))
            tip, foot = _on_circle(rest), _on_circle(rest - math.copysign(head, rest))
            along = (tip - foot) / max(float(np.linalg.norm(tip - foot)), 1e-12)
            up = np.array([0.0, 0.0, 1.0])
            self.p[3], self.R[3] = arc.radius * tip, np.column_stack([np.cross(up, along), up, along])
            self.size[3] = head / HEAD_LENGTH
            self.is_seen[4] = bool(turns)
            half = 0.5 * rest / WEDGES
            joints, wedges = self._first + 2 * np.arange(WEDGES), self._first + 1 + 2 * np.arange(WEDGES)
            self.R[joints[0]], self.R[joints[1:]] = _about_z(half), _about_z(2.0 * half)
            self.size[wedges] = math.cos(half), abs(math.sin(half)), 1.0
            self.p[-2], self.p[-1, 0] = arc.middle(), arc.angle
        self._end()


class IntermediateItems(_Posed):
    """The frames between the turns of a frame, and the axis that is being turned about."""

    def __init__(self, turns: FrameTurns, theme: Theme) -> None:
        self._turns = turns
        items = [
            AnimatedItem(f"stage {k + 1} of {turns.name}", _triad_shapes(ghost_template(), theme, opacity, length))
            for k, (opacity, length) in enumerate(zip(OPACITIES, (turns.length,) * 2, strict=True))
        ]
        for axis in range(3):
            core, halo = _axis_shapes(theme.axes[axis], turns.reach)
            items.append(AnimatedItem(f"lit {'xyz'[axis]} of {turns.name}", (core, halo)))
        super().__init__(items)

    def take(self) -> None:
        """Take where the stages are."""
        turns = self._turns
        if turns.has_pose:
            self.p[:] = turns.origin
            self.R[0], self.R[1] = turns.rotations[1:3]
            self.is_seen[0], self.is_seen[1] = turns.is_drawn
            if turns.lit is not None:
                axis, along = turns.lit
                self.is_seen[2 + axis] = True
                self.R[2 + axis] = _toward(along)
        self._end()


class ClaimItems(_Posed):
    """Where frames are claimed to be: pale triads, and dashed lines to where they are."""

    def __init__(self, claims: Claims, theme: Theme) -> None:
        self._claims = claims
        dashes = np.linspace(0.0, 1.0, 18)
        points = np.stack([np.zeros(18), np.zeros(18), dashes], axis=-1)
        r, g, b, _ = (channel / 255 for channel in rgba(theme.text))
        gap = NodeShape(points, np.arange(18).reshape(-1, 2), (r, g, b, 0.8))
        items: list[AnimatedItem] = []
        for name, length in zip(claims.names, claims.lengths.tolist(), strict=True):
            triad = _triad_shapes(arrow_template(is_fine=True), theme, OPACITY, length)
            items.append(AnimatedItem(f"claim {name}", triad))
        items += [AnimatedItem(f"gap of {name}", (gap,), extent=0.0) for name in claims.names]
        super().__init__(items)

    def take(self) -> None:
        """Take the claims."""
        claims, n = self._claims, len(self._claims.names)
        R_WM, p_WM, gaps, is_known = claims.poses
        along = AxesAlong(n)
        along.turn(gaps)
        for i in np.flatnonzero(is_known).tolist():
            self.p[i] = self.p[n + i] = p_WM[i]
            self.R[i] = nearest_rotation(R_WM[i])[0]
            self.is_seen[i], self.is_seen[n + i] = True, bool(along.is_given[i])
            if along.is_given[i]:
                self.R[n + i] = along.axes[:, i].T
                self.size[n + i, 2] = along.lengths[i]
        self._end()


# Shapes


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


def _axis_shapes(color: str, reach: float) -> tuple[NodeShape, NodeShape]:
    low, high = (end * reach for end in LIT_REACH)
    opaque, pale = rgba(color), rgba(color, LIT_OPACITY)
    core, halo = (cylinder(part * reach, low, high, 12) for part in (LIT_RADIUS, LIT_HALO))
    return shape_of(core, opaque), shape_of(halo, pale)


def _triad_shapes(template: TriadTemplate, theme: Theme, opacity: float, length: float) -> tuple[NodeShape, ...]:
    """Return a pale triad, a shape for each colour."""
    colors = [rgba(color, opacity) for color in (*theme.axes, theme.quiet)]
    parts = (part_of(template, k, color, length) for k, color in enumerate(colors))
    return tuple(part for part in parts if len(part.points))


def _bytes(color: tuple[float, float, float, float]) -> tuple[int, ...]:
    return tuple(round(255 * channel) for channel in color)


def _on_circle(angle: float) -> Array:
    return np.array([math.cos(angle), math.sin(angle), 0.0])


def _about_z(angle: float) -> Array:
    c, s = math.cos(angle), math.sin(angle)
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])


def _toward(along: Array) -> Array:
    """Return a rotation that takes z to a direction."""
    axes = AxesAlong(1)
    axes.turn(along[None])
    return axes.axes[:, 0].T


def _quaternions(R: Array) -> Array:
    """Return quaternions (..., 4) of what are nearly rotations (..., 3, 3)."""
    return quaternions.from_T(np.swapaxes(nearest_rotation(R)[0], -1, -2))


def allowances(items: Sequence[AnimatedItem], bound: ErrorBound) -> tuple[Array, Array, Array, Array]:
    """Return what items may use of a bound: angles, lengths, sizes, and extents, (n,); values that are read a tenth."""
    tightness = np.array([item.tightness for item in items])
    extents = np.array([item.extent for item in items])
    lengths = np.full(len(items), 0.5 * bound.length)
    for k, item in enumerate(items):
        if item.is_read:
            caption = items[k - 1].caption
            lengths[k] = 0.1 * (bound.angle if caption is not None and caption.is_angle else bound.length)
    widths = np.where(extents < UNBOUND, np.maximum(extents, 1.0), 1.0)
    return 0.5 * bound.angle / tightness, lengths, lengths / widths, extents

"""What lies under a pixel, by projection in numpy: no render, no VTK picker.

Marks (the origins of frames, points, claims) win over lines (axes, arrows of sensors, elements, rings), and lines over
the bodies; what an opaque body hides is not hit, except on the body's own frame. Of several the nearest to the pointer
comes first, all are told, so that a second click at the same place can take the next.

Origins are projected once per tick and camera: a pointer that only moves costs a distance for each frame.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from framescope.core.evaluation.compile.view_data import ViewBody
from framescope.core.scene.schema.model import ItemKey
from framescope.core.snapshot import Snapshot
from framescope.ui.scene_view.base.visual import Extent, Tick
from framescope.ui.scene_view.camera.camera import Projection
from framescope.ui.scene_view.geometry.drag_geometry import distances_to_segments
from framescope.ui.scene_view.geometry.gimbal_geometry import RADII, WIDTH, ring_frames, ring_rotations
from framescope.ui.scene_view.geometry.lathe_meshes import Mesh
from framescope.ui.scene_view.geometry.mesh_files import coarse
from framescope.ui.scene_view.visuals.bodies import body_pose, body_reach, drawn_mesh

Array = NDArray[np.float64]

MARK_RADIUS = 11.0
LINE_RADIUS = 7.0
"""How far from a mark or a line the pointer still means it, logical pixels."""

UNSEEN = 4.0
"""By how much farther an origin counts where nothing of its frame is drawn, logical pixels."""

CLEAR = 0.5
"""A body less opaque than this hides nothing."""

MARK, LINE, SOLID, GLASS = range(4)
"""What comes first."""

RING_STEPS = 48


@dataclass(frozen=True)
class PickHit:
    """An item under the pointer: what it is, its class, how far the pointer is off (pixels), and its depth (m)."""

    key: ItemKey
    rank: int
    miss: float
    depth: float
    i_frame: int = -1


class BodySpheres:
    """Spheres about bodies, so that a ray is sent through the triangles of few of thousands."""

    def __init__(self, bodies: Sequence[ViewBody]) -> None:
        self.bodies = bodies
        self._rows = np.array([body.i_frame for body in bodies], dtype=np.intp)
        self._p_FB = np.array([body.p_FB for body in bodies]).reshape(-1, 3)
        self._radii = np.array([body_reach(body) for body in bodies])

    def met_by(self, start: Array, ray: Array, snapshot: Snapshot) -> NDArray[np.intp]:
        """Return the numbers of the bodies whose spheres a ray (a unit vector) meets, as far as they have a pose."""
        rows = self._rows
        with np.errstate(invalid="ignore"):
            to = snapshot.p_WF[rows] + np.einsum("nij,nj->ni", snapshot.R_WF[rows], self._p_FB) - start
            along = to @ ray
            off = np.einsum("ni,ni->n", to, to) - along**2
            is_met = (off <= self._radii**2) & (along > -self._radii) & snapshot.is_posed[rows]
        return np.flatnonzero(is_met)


class Picker:
    """Finds items under pixels of one picture after another."""

    def __init__(self) -> None:
        self._made_for: tuple[object, ...] = ()
        # By component and kept: a pointer that moves allocates nothing but a few bits.
        self._at: Array = np.empty((3, 0))
        self._limit: Array = np.empty(0)
        self._off: Array = np.empty((2, 0))
        self._is_near: NDArray[np.bool_] = np.empty(0, dtype=bool)
        self._meshes: dict[str, tuple[object, Mesh | None]] = {}
        self._spheres = BodySpheres(())

    def hits(
        self, tick: Tick, projection: Projection, x: float, y: float, elements: Iterable[Extent] = ()
    ) -> list[PickHit]:
        """Return all items under a device pixel, from the lower left, the best first; elements as they are drawn."""
        self._project(tick, projection)
        pointer = np.array([x, y])
        bodies = list(self._bodies(tick, projection, x, y))
        found = [*self._frames(tick, projection, pointer), *_rings(tick, projection, pointer)]
        found += [*_instruments(tick, projection, pointer), *_elements(tick, projection, pointer, elements)]
        wall = min((hit for hit in bodies if hit.rank == SOLID), key=lambda hit: hit.depth, default=None)
        if wall is not None:
            found = [hit for hit in found if hit.depth <= wall.depth or hit.i_frame == wall.i_frame]
        found.sort(key=lambda hit: (hit.rank, round(hit.miss / (2.0 * projection.scale)), hit.depth))
        bodies.sort(key=lambda hit: (hit.rank, hit.depth))
        best: dict[ItemKey, PickHit] = {}
        for hit in (*found, *bodies):
            best.setdefault(hit.key, hit)
        return list(best.values())

    def _project(self, tick: Tick, projection: Projection) -> None:
        """Project all origins, if this has not been done for this moment and camera."""
        size = projection.width, projection.height, projection.scale
        made_for = (tick, projection.camera, *size)
        if self._made_for == made_for:
            return
        self._made_for = made_for
        snapshot, view_data = tick.snapshot, tick.plan.view_data
        self._at = np.ascontiguousarray(projection.project(snapshot.p_WF).T)
        self._at[:2, (self._at[2] <= 0.0) | view_data.is_hidden] = np.inf
        np.nan_to_num(self._at, copy=False, nan=np.inf)  # nothing is near what has no pose
        lengths = np.where(view_data.has_triad, view_data.triad_length, 0.0)
        # Axes reach farther than they should where they point at the eye, which the factor allows for.
        self._limit = 1.5 * lengths / projection.sizes_of_pixels(snapshot.p_WF) + MARK_RADIUS * projection.scale
        if self._off.shape[1] != len(lengths):
            self._off, self._is_near = np.empty((2, len(lengths))), np.empty(len(lengths), dtype=bool)

    def _frames(self, tick: Tick, projection: Projection, pointer: Array) -> Iterator[PickHit]:
        snapshot, view_data, names = tick.snapshot, tick.plan.view_data, tick.plan.names
        scale = projection.scale
        # A square about the pointer first.
        np.subtract(self._at[:2], pointer[:, None], out=self._off)
        np.abs(self._off, out=self._off)
        with np.errstate(invalid="ignore"):
            np.less_equal(self._off.max(axis=0), self._limit, out=self._is_near)
        for row in np.flatnonzero(self._is_near):
            is_drawn = view_data.has_triad[row] or view_data.has_label[row]
            miss = float(np.hypot(*self._off[:, row])) + (0.0 if is_drawn else UNSEEN * scale)
            depth, key = float(self._at[2, row]), ("frames", names[row])
            if miss <= MARK_RADIUS * scale:
                yield PickHit(key, MARK, miss, depth, int(row))
            elif view_data.has_triad[row]:
                tips = snapshot.p_WF[row] + view_data.triad_length[row] * snapshot.R_WF[row].T
                yield from _on_lines(key, snapshot.p_WF[row], tips, projection, pointer, int(row))

    def _bodies(self, tick: Tick, projection: Projection, x: float, y: float) -> Iterator[PickHit]:
        """Send the ray of the pixel through the triangles of all bodies whose spheres it meets."""
        start, ray = projection.ray_start(x, y), projection.ray(x, y)
        snapshot = tick.snapshot
        bodies = tick.plan.view_data.bodies
        if self._spheres.bodies is not bodies:
            self._spheres = BodySpheres(bodies)
        for k in self._spheres.met_by(start, ray, snapshot).tolist():
            body = bodies[k]
            mesh = self._mesh_of(body)
            if mesh is None:
                continue
            R_WB, p_WB = body_pose(body, snapshot.R_WF[body.i_frame], snapshot.p_WF[body.i_frame])
            far = first_meeting(mesh, R_WB.T @ (start - p_WB), R_WB.T @ ray)
            if far is None:
                continue
            depth = float(projection.project(start + far * ray)[2])
            is_glass = body.kind == "frustum" or body.opacity < CLEAR
            yield PickHit(("bodies", body.name), GLASS if is_glass else SOLID, 0.0, depth, body.i_frame)

    def _mesh_of(self, body: ViewBody) -> Mesh | None:
        made_of = body.kind, tuple(body.size.items()), body.file
        known = self._meshes.get(body.name)
        if known is None or known[0] != made_of:
            mesh = drawn_mesh(body)
            self._meshes[body.name] = known = made_of, None if mesh is None else coarse(mesh)
        return known[1]


def first_meeting(mesh: Mesh, start: Array, ray: Array) -> float | None:
    """Return how far along a ray it first meets a mesh, both in the mesh's coordinates; None when it never does.

    References
    ----------
    Möller, Trumbore: Fast, Minimum Storage Ray/Triangle Intersection, 1997.
    """
    low, high = mesh.points.min(axis=0), mesh.points.max(axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        to_low, to_high = (low - start) / ray, (high - start) / ray
    # Where the ray runs along a face, 0/0 says nothing.
    if np.nanmax(np.fmin(to_low, to_high)) > np.nanmin(np.fmax(to_low, to_high)):
        return None
    a, b, c = (mesh.points[mesh.triangles[:, k]] for k in range(3))
    ab, ac = b - a, c - a
    p = np.cross(ray, ac)
    volume = np.einsum("ij,ij->i", ab, p)
    with np.errstate(divide="ignore", invalid="ignore"):
        off = start - a
        u = np.einsum("ij,ij->i", off, p) / volume
        q = np.cross(off, ab)
        v = q @ ray / volume
        far = np.einsum("ij,ij->i", ac, q) / volume
        is_hit = (u >= -1e-9) & (v >= -1e-9) & (u + v <= 1.0 + 1e-9) & (far > 0.0)
    return float(far[is_hit].min()) if is_hit.any() else None


def _rings(tick: Tick, projection: Projection, pointer: Array) -> Iterator[PickHit]:
    """Yield the frames whose gimbal rings lie under the pointer."""
    phi = np.linspace(0.0, 2.0 * np.pi, RING_STEPS + 1)
    flat = np.stack([np.cos(phi), np.sin(phi), np.zeros_like(phi)], axis=-1)
    for rings in tick.plan.view_data.rings:
        name, row = tick.plan.names[rings.i_frame], rings.i_frame
        authored = tick.plan.angles(name, float(tick.snapshot.t))
        if authored is None or not tick.snapshot.is_posed[row]:
            continue
        R_WP = tick.snapshot.R_WF[tick.plan.tree.parents[row]]
        parts = zip(RADII, ring_rotations(rings.sequence, authored[0])[1:], ring_frames(rings.sequence), strict=True)
        for radius, R_PR, frame in parts:
            circle_W = tick.snapshot.p_WF[row] + rings.radius * radius * (flat @ (R_WP @ R_PR @ frame).T)
            at = projection.project(circle_W)
            if not (at[:, 2] > 0.0).all():
                continue
            misses = distances_to_segments(pointer, at[:-1, :2], at[1:, :2])
            k = int(np.argmin(misses))
            half = 0.5 * WIDTH * rings.radius / projection.metres_per_pixel(circle_W[k])
            if misses[k] <= max(0.7 * half, LINE_RADIUS * projection.scale):
                yield PickHit(("frames", name), LINE, float(misses[k]), float(at[k, 2]), row)


def _instruments(tick: Tick, projection: Projection, pointer: Array) -> Iterator[PickHit]:
    """Yield points, elements, sensors and claims under the pointer."""
    snapshot, instruments = tick.snapshot, tick.plan.instruments
    if instruments.points:
        yield from _points(tick, projection, pointer)
    for name, arrows in snapshot.arrows.items():
        compiled = instruments.sensors[name]
        for key, arrow in arrows.items():
            tip = arrow.p_W + compiled.arrows[key] * arrow.vector_W
            # Near its foot an arrow lies over the origin of the frame, which comes first.
            yield from _on_lines(
                ("sensors", name), arrow.p_W, tip[None], projection, pointer, snapshot.index[compiled.at]
            )
    hidden = tick.plan.view_data.hidden
    for name, claim in snapshot.claims.items():
        if ("measured", name) in hidden:
            continue
        if claim.p_WM is not None and np.isfinite(claim.p_WM).all():
            yield from _on_mark(("measured", name), claim.p_WM, projection, pointer, -1)


def _points(tick: Tick, projection: Projection, pointer: Array) -> Iterator[PickHit]:
    """Yield connection points under the pointer."""
    snapshot = tick.snapshot
    hidden = tick.plan.view_data.hidden
    for name, point in tick.plan.instruments.points.items():
        row = snapshot.index.get(point.frame, -1)
        if row >= 0 and snapshot.is_posed[row]:
            p_W = snapshot.p_WF[row] + snapshot.R_WF[row] @ point.offset
            if ("points", name) not in hidden:
                yield from _on_mark(("points", name), p_W, projection, pointer, row)


def _elements(tick: Tick, projection: Projection, pointer: Array, elements: Iterable[Extent]) -> Iterator[PickHit]:
    """Yield elements under the pointer, along all that is drawn of them."""
    points = tick.plan.instruments.points
    for name, end, start, radius in elements:
        if ("elements", name) in tick.plan.view_data.hidden:
            continue
        element = tick.plan.scene.elements.get(name)
        point = None if element is None else points.get(element.point)
        row = -1 if point is None else tick.snapshot.index.get(point.frame, -1)
        yield from _on_lines(("elements", name), end, start[None], projection, pointer, row, radius)


def _on_mark(key: ItemKey, p_W: Array, projection: Projection, pointer: Array, row: int) -> Iterator[PickHit]:
    x, y, depth = projection.project(p_W)
    miss = float(np.hypot(x - pointer[0], y - pointer[1]))
    if depth > 0.0 and miss <= MARK_RADIUS * projection.scale:
        yield PickHit(key, MARK, miss, float(depth), row)


def _on_lines(
    key: ItemKey, begin_W: Array, ends_W: Array, projection: Projection, pointer: Array, row: int, radius: float = 0.0
) -> Iterator[PickHit]:
    """Yield a hit on the nearest of some lines that begin together, and may be as thick as a radius, m."""
    begin, ends = projection.project(begin_W), projection.project(ends_W)
    is_seen = (ends[:, 2] > 0.0) & (begin[2] > 0.0)
    if not is_seen.any():
        return
    misses = distances_to_segments(pointer, np.broadcast_to(begin[:2], (len(ends), 2)), ends[:, :2])
    misses = np.where(is_seen, misses, np.inf)
    k = int(np.argmin(misses))
    thick = radius / projection.metres_per_pixel(begin_W) if radius else 0.0
    if misses[k] <= max(LINE_RADIUS * projection.scale, thick):
        yield PickHit(key, LINE, float(misses[k]), float(min(begin[2], ends[k, 2])), row)

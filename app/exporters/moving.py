"""A scene as a tree of nodes that move, for formats that keep shapes and motions apart: GLB, USD and HTML.

The frames are the tree. Axes and bodies hang on them; rings, arrows and elements hang on the root, where each is moved
and stretched by itself. Shapes are those of the picture, and so are their places: they are asked of the same visuals.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pyvista as pv
from numpy.typing import NDArray
from vtkmodules.vtkRenderingCore import vtkActor, vtkPolyDataMapper

from framescope.app.exporters.request import ExportRequest
from framescope.core import quaternions
from framescope.core.arrays import Array
from framescope.core.evaluate import Plan, evaluate
from framescope.core.nearest import nearest_rotation
from framescope.core.snapshot import Snapshot
from framescope.ui.theme import Theme
from framescope.ui.view.bodies import Bodies
from framescope.ui.view.camera import CameraState
from framescope.ui.view.context import BARE
from framescope.ui.view.element_shapes import FREE_LENGTH
from framescope.ui.view.linear_mesh import LinearMesh, pieces
from framescope.ui.view.meshes import Mesh, rgba
from framescope.ui.view.rings import Rings, ring_rotations
from framescope.ui.view.scene_renderer import SceneRenderer
from framescope.ui.view.triads import arrow_parts, triad_colors

ROOT = -1


@dataclass(frozen=True, eq=False)
class Shape:
    """Triangles, or lines, in coordinates of their node.

    Attributes
    ----------
    points : (m, 3)
        Vertices, m.
    cells : (k, 3) or (k, 2)
        Triangles, or the two ends of each line.
    color
        Red, green, blue and opacity, 0 to 1, in sRGB; white where the vertices have `colors`.
    normals : (m, 3), optional
        Of triangles that are lit; without, they have their plain colour.
    colors : (m, 4), optional
        Bytes, for each vertex.
    """

    points: Array
    cells: NDArray[np.int64]
    color: tuple[float, float, float, float]
    normals: Array | None = None
    colors: NDArray[np.uint8] | None = None

    @property
    def is_lines(self) -> bool:
        """Whether these are lines."""
        return self.cells.shape[1] == 2


@dataclass(frozen=True, eq=False)
class Node:
    """Something that moves relative to its parent.

    Attributes
    ----------
    parent
        The place of the parent in `Moving.nodes`, before this one; `ROOT` for the world.
    p : (n, 3)
        Where it is in its parent, m.
    Q : (n, 4)
        How it is turned there: x, y, z, w of the quaternion that takes vectors into the parent; signs are continuous.
    size : (n, 3)
        By how much it is stretched along its own axes; zero where it is not to be seen.
    shapes
        What it looks like; nodes that look the same share one tuple.
    is_frame
        Whether it is a frame of the scene.
    """

    name: str
    parent: int
    p: Array
    Q: Array
    size: Array
    shapes: tuple[Shape, ...] = ()
    is_frame: bool = False


@dataclass(frozen=True, eq=False)
class Moving:
    """All nodes of a scene, and its camera, at `times` (n,), s, the last one being the end of the range."""

    times: Array
    nodes: tuple[Node, ...]
    cameras: tuple[CameraState, ...]


def moving(request: ExportRequest) -> Moving:
    """Return what moves in a scene, sampled as often as asked for."""
    count = max(1, round((request.stop - request.start) * request.fps))
    times = request.start + (request.stop - request.start) * np.arange(count + 1) / count
    plan, theme = request.plan, request.theme
    poses = _Poses(plan, len(times))
    renderer = SceneRenderer(theme, furniture=BARE)
    renderer.set_scene(request.scene, plan)
    items = [_Items(*item, len(times)) for visual in renderer.visuals for item in visual.items()]
    cameras: list[CameraState] = []
    for k, t in enumerate(times):
        request.stop_if_cancelled()
        snapshot = evaluate(plan, float(t))
        renderer.show(snapshot)
        cameras.append(renderer.camera())
        poses.take(k, snapshot)
        for item in items:
            item.take(k)
        request.progress(k + 1, len(times) + 1)
    nodes = _frames(plan, poses)
    nodes += _axes(plan, theme, len(times))
    for visual in renderer.visuals:
        if isinstance(visual, Bodies):
            nodes += _bodies(visual, len(times))
        elif isinstance(visual, Rings):
            nodes += _rings(visual, plan, poses, times)
    _add_items(nodes, items, len(times))
    return Moving(times, tuple(nodes), tuple(cameras))


# Frames, and what hangs on them


class _Poses:
    """Poses of all frames in world, rotations made exact; where a frame has none, its last one, at size zero."""

    def __init__(self, plan: Plan, n_times: int) -> None:
        count = len(plan.names)
        self.R_WF, self.p_WF = np.empty((n_times, count, 3, 3)), np.zeros((n_times, count, 3))
        self.is_posed = np.zeros((n_times, count), dtype=bool)

    def take(self, k: int, snapshot: Snapshot) -> None:
        is_posed = snapshot.is_posed
        self.is_posed[k] = is_posed
        held = (self.R_WF[k - 1], self.p_WF[k - 1]) if k else (np.eye(3), np.zeros(3))
        R_WF = np.where(is_posed[:, None, None], snapshot.R_WF, held[0])
        self.R_WF[k] = nearest_rotation(R_WF)[0]
        self.p_WF[k] = np.where(is_posed[:, None], snapshot.p_WF, held[1])


def _frames(plan: Plan, poses: _Poses) -> list[Node]:
    """Return a node for each frame but the world, in the order of the plan, parents by their places among them."""
    parents = plan.tree.parents
    nodes: list[Node] = []
    for row in range(1, len(plan.names)):
        parent = max(int(parents[row]), 0)
        R_WP, p_WP = poses.R_WF[:, parent], poses.p_WF[:, parent]
        R_PF = np.swapaxes(R_WP, -1, -2) @ poses.R_WF[:, row]
        p_PF = np.einsum("tji,tj->ti", R_WP, poses.p_WF[:, row] - p_WP)
        size = np.repeat(poses.is_posed[:, row, None].astype(float), 3, axis=1)
        nodes.append(Node(plan.names[row], parent - 1, p_PF, _quaternions(R_PF), size, is_frame=True))
    return nodes


def _quaternions(R: Array) -> Array:
    """Return the quaternions of rotations (n, 3, 3) that take vectors into the parent, with continuous signs."""
    return quaternions.continuous_signs(quaternions.from_T(np.swapaxes(R, -1, -2)))


def _axes(plan: Plan, theme: Theme, n_times: int) -> list[Node]:
    """Return the axes of the frames that show them; the world's hang on the root."""
    staging = plan.staging
    parts = arrow_parts(is_fine=True)
    shapes = tuple(_shape(part, color) for part, color in zip(parts, triad_colors(theme), strict=True))
    drawn = np.flatnonzero(np.where(staging.has_triad, staging.triad_length, 0.0)).tolist()
    return [
        _still(f"axes of {plan.names[row]}", row - 1, n_times, shapes, size=float(staging.triad_length[row]))
        for row in drawn
    ]


def _bodies(bodies: Bodies, n_times: int) -> list[Node]:
    nodes: list[Node] = []
    for placed in bodies.placed:
        body = placed.body
        shapes = tuple(shape for actor in placed.actors if (shape := _drawn(actor)) is not None)
        if shapes:
            Q = quaternions.from_T(nearest_rotation(body.R_FB)[0].T)
            nodes.append(_still(body.name, body.i_frame - 1, n_times, shapes, p=body.p_FB, Q=Q))
    return nodes


def _rings(rings: Rings, plan: Plan, poses: _Poses, times: Array) -> list[Node]:
    """Return fork and rings of each gimbal; they turn with the angles, in the frame's parent."""
    nodes: list[Node] = []
    for gimbal in rings.gimbals:
        row = gimbal.rings.i_frame
        authored = [plan.angles(gimbal.name, float(t)) for t in times]
        turned = [ring_rotations(gimbal.rings.sequence, a[0]) if a is not None else [np.eye(3)] * 4 for a in authored]
        is_seen = poses.is_posed[:, row] & np.array([a is not None for a in authored])
        parent = max(int(plan.tree.parents[row]), 0)
        p_PF = np.einsum("tji,tj->ti", poses.R_WF[:, parent], poses.p_WF[:, row] - poses.p_WF[:, parent])
        size = np.repeat(is_seen[:, None].astype(float), 3, axis=1)
        for k, called in enumerate(("fork", "outer ring", "middle ring", "inner ring")):
            R_PR = np.stack([rotations[k] for rotations in turned])
            shapes = (_colored(gimbal.meshes[k]),)
            nodes.append(Node(f"{called} of {gimbal.name}", parent - 1, p_PF, _quaternions(R_PR), size, shapes))
    return nodes


def _still(
    name: str,
    parent: int,
    n_times: int,
    shapes: tuple[Shape, ...],
    *,
    p: Sequence[float] | Array = (0.0, 0.0, 0.0),
    Q: Sequence[float] | Array = (0.0, 0.0, 0.0, 1.0),
    size: float = 1.0,
) -> Node:
    """Return a node that stands still in its parent."""

    def still(values: Sequence[float] | Array) -> Array:
        return np.repeat(np.asarray([values], dtype=float), n_times, axis=0)

    return Node(name, parent, still(p), still(Q), still((size, size, size)), shapes)


# Many items of one shape


class _Items:
    """Where the items of a mesh are over time: arrows, springs and the like."""

    def __init__(self, mesh: LinearMesh, names: Sequence[str], n_times: int) -> None:
        self._mesh, self._names = mesh, names
        count = len(mesh.sizes)
        self._stations = np.zeros((n_times, *mesh.stations.shape))
        self._axes = np.zeros((n_times, *mesh.axes.shape))
        self._sizes, self._is_shown = np.zeros((n_times, count)), np.zeros((n_times, count), dtype=bool)

    def take(self, k: int) -> None:
        """Take where they are now; those that are not seen stay where they were."""
        mesh = self._mesh
        is_shown = self._is_shown[k]
        is_shown[:] = mesh.is_shown
        if k:
            self._stations[k], self._axes[k], self._sizes[k] = (
                self._stations[k - 1],
                self._axes[k - 1],
                self._sizes[k - 1],
            )
        else:
            self._axes[k] = np.eye(3)[:, None]
        for kept, now in ((self._stations, mesh.stations), (self._axes, mesh.axes)):
            kept[k][:, is_shown] = now[:, is_shown]
        self._sizes[k][is_shown] = mesh.sizes[is_shown]

    def pieces(self) -> Iterator[tuple[str, Node]]:
        """Yield each piece of each item that is ever seen, with the name of the item."""
        parts = pieces(self._mesh.template, FREE_LENGTH)
        shapes = {
            (k, color): (_shape_of(mesh, color),)
            for color in {tuple(row) for row in self._mesh.colors.tolist()}
            for k, (_, _, mesh) in enumerate(parts)
        }
        for i, name in enumerate(self._names):
            if not self._is_shown[:, i].any():
                continue
            R_WI = np.stack([self._axes[:, axis, i] for axis in range(3)], axis=-1)
            Q = _quaternions(nearest_rotation(R_WI)[0])
            color = tuple(self._mesh.colors[i].tolist())
            for k, (start, end, _) in enumerate(parts):
                p = self._stations[:, start, i]
                size = np.repeat(self._sizes[:, i, None], 3, axis=1)
                if end is not None:
                    size[:, 2] = np.linalg.norm(self._stations[:, end, i] - p, axis=1)
                size *= self._is_shown[:, i, None]
                yield name, Node("", ROOT, p, Q, size, shapes[k, color])


def _add_items(nodes: list[Node], items: Sequence[_Items], n_times: int) -> None:
    """Add the items: one of several pieces is a node at the root that holds them."""
    by_name: dict[str, list[Node]] = {}
    for item in items:
        for name, piece in item.pieces():
            by_name.setdefault(name, []).append(piece)
    for name, parts in by_name.items():
        if len(parts) == 1:
            nodes.append(replace(parts[0], name=name))
            continue
        holder = len(nodes)
        nodes.append(_still(name, ROOT, n_times, ()))
        nodes += [replace(piece, name=f"{name}, part {k}", parent=holder) for k, piece in enumerate(parts, start=1)]


# Shapes


def _shape(mesh: Mesh, color: str) -> Shape:
    return _shape_of(mesh, rgba(color))


def _shape_of(mesh: Mesh, color: tuple[int, ...]) -> Shape:
    r, g, b, a = (channel / 255 for channel in color)
    return Shape(mesh.points, mesh.triangles, (r, g, b, a), mesh.normals)


def _drawn(actor: vtkActor) -> Shape | None:
    """Return what an actor of one colour draws; None when that is nothing."""
    mapper = actor.GetMapper()
    if not isinstance(mapper, vtkPolyDataMapper):
        return None
    data = pv.PolyData(mapper.GetInput())  # pyright: ignore[reportUnknownMemberType, reportUnknownArgumentType]
    prop = actor.GetProperty()
    is_lines = data.GetNumberOfPolys() == 0
    cells = _cells(data, 2) if is_lines else _cells(data, 3)
    if not len(cells):
        return None
    normals = data.point_data.active_normals if prop.GetLighting() and not is_lines else None
    r, g, b = prop.GetColor()
    return Shape(
        np.array(data.points, dtype=float),
        cells,
        (r, g, b, prop.GetOpacity()),
        None if normals is None else np.array(normals, dtype=float),
    )


def _colored(data: pv.PolyData) -> Shape:
    """Return a mesh that has a colour at each vertex."""
    return Shape(
        np.array(data.points, dtype=float),
        _cells(data, 3),
        (1.0, 1.0, 1.0, 1.0),
        np.array(data.point_data.active_normals, dtype=float),
        np.array(data.point_data["colors"], dtype=np.uint8),
    )


def _cells(data: pv.PolyData, corners: int) -> NDArray[np.int64]:
    """Return the lines or the triangles of a mesh, of two and three corners."""
    rows = data.lines if corners == 2 else data.faces  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
    return np.array(rows, dtype=np.int64).reshape(-1, corners + 1)[:, 1:]

"""Rigid bodies on frames: lit shapes, and the field of view of a camera as faces and lines."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pyvista as pv
from numpy.typing import NDArray
from vtkmodules.vtkCommonMath import vtkMatrix4x4
from vtkmodules.vtkRenderingCore import vtkActor

from framescope.core import quaternions
from framescope.core.evaluation.compile.view_data import ViewBody
from framescope.core.evaluation.evaluate import Plan
from framescope.core.kernels.nearest_rotation import nearest_rotation
from framescope.core.mesh_files.clouds import Cloud, kept_cloud
from framescope.core.mesh_files.surface import MeshFileError
from framescope.core.scene.schema.kinds.shapes import Sizes
from framescope.core.snapshot import Snapshot
from framescope.core.system.picture_files import PictureFileError, Pixels, load_picture
from framescope.ui.scene_view.base.animated_nodes import NodeSource, StandingNode
from framescope.ui.scene_view.base.node_shapes import shape_of_actor
from framescope.ui.scene_view.base.pick_ray import GLASS, SOLID, PickHit, PickRay
from framescope.ui.scene_view.base.tick import Tick
from framescope.ui.scene_view.base.visual import ViewContext, Visual
from framescope.ui.scene_view.camera.camera import Projection
from framescope.ui.scene_view.geometry import actors
from framescope.ui.scene_view.geometry.camera_marks import BEYOND, camera_marks
from framescope.ui.scene_view.geometry.hard_edges import edge_lines
from framescope.ui.scene_view.geometry.lathe_meshes import (
    Mesh,
    box,
    capsule,
    cone,
    ellipsoid,
    lathe,
    merge,
    pv_cells,
    sphere,
    to_polydata,
    torus,
)
from framescope.ui.scene_view.geometry.mesh_files import coarse, load_mesh
from framescope.ui.scene_view.geometry.picture_quad import picture_quad
from framescope.ui.scene_view.geometry.point_clouds import points_polydata
from framescope.ui.scene_view.geometry.ray_casting import first_meeting
from framescope.ui.scene_view.visuals.light_bodies import LightBodies
from framescope.ui.scene_view.visuals.seen_points import SeenPoints, with_seen_points
from framescope.ui.theme.tokens import Theme

FACE_OPACITY = 0.16
EDGE_OPACITY = 0.55
LINE_WIDTH = 1.5
POINT_SIZE = 2.0

NEAR_SHARE = 0.98
"""Share of the points of a cloud whose farthest is its reach: a few points of a reconstruction lie far off."""

MARK_OPACITY = 0.75
"""Opacity of the marks on the image of a camera."""

ARROW_HEAD_LENGTH, ARROW_HEAD_RADIUS = 5.0, 2.2
"""Length and radius of an arrow's head, in radii of its shaft."""

CLEAR = 0.5
"""Opacity below which a body hides nothing from picking."""

VIEWS = ("frustum", "camera")
"""Shapes that are fields of view, through which one sees."""

FRUSTUM_EDGES = np.array([(0, 1), (0, 2), (0, 3), (0, 4), (1, 2), (2, 3), (3, 4), (4, 1)])
"""Pairs of corners of `frustum_corners`."""


FEW_FRUSTA = 4
"""Number of frusta up to which names avoid their edges."""

EDGES_FROM, EDGES_TO = (0, 0, 0, 0, 1, 2, 3, 4), (1, 2, 3, 4, 2, 3, 4, 1)
"""Corners of `frustum_corners` at the two ends of each edge."""

EDGE_HALF_WIDTH = 2.0
"""Half the width of the area that an edge occupies, logical pixels."""


class Bodies(Visual):
    """All bodies: each has a few actors under one matrix, so a tick writes sixteen numbers."""

    works_unseen = True

    def __init__(self, context: ViewContext) -> None:
        super().__init__(context)
        self._tick: Tick | None = None
        self.placed: list[PlacedBody] = []
        for bodies in drawn_together(context.view_data.bodies):
            body = bodies[0]
            color = body_color(body.color, context.theme)
            if len(bodies) > 1:
                name = f"{body.name} and {len(bodies) - 1} more"
                body_actors = _frusta_actors(bodies, color, context)
                body = replace(body, name=name, R_FB=np.eye(3), p_FB=np.zeros(3))
            else:
                body_actors = SHAPE_DRAWINGS[body.kind].actors(body, color, context)
            self.placed.append(PlacedBody(body, body_actors))
            self.scene_actors += body_actors
        self.light = LightBodies(self.placed)
        self.scene_actors += [light for placed in self.placed for light in placed.lights.values()]
        if context.is_live and not context.has_gpu:
            for placed in self.placed:
                self.scene_actors += placed.leave_out_hidden_points()
        self._meshes: dict[str, tuple[object, Mesh | None]] = {}
        self._spheres = BodySpheres(context.view_data.bodies)

    @classmethod
    def look_key(cls, plan: Plan) -> object:
        """Return the authored bodies and derived data that may change without them: mesh files and offsets."""
        bodies = plan.view_data.bodies
        looks = [(body.name, body.i_frame, body.file, body.R_FB.tobytes(), body.p_FB.tobytes()) for body in bodies]
        return plan.scene.bodies, looks

    def show(self, tick: Tick) -> None:
        """Move the bodies; bodies on frames without a pose are hidden."""
        self._tick, snapshot = tick, tick.snapshot
        for placed in self.placed:
            row = placed.body.i_frame
            placed.show(snapshot.R_WF[row], snapshot.p_WF[row], is_seen=bool(snapshot.is_posed[row]))

    def occupy(self, projection: Projection) -> None:
        """Keep names and values off the edges of a few frusta, through which one sees."""
        snapshot = None if self._tick is None else self._tick.snapshot
        frusta = [body for body in self.context.view_data.bodies if body.kind in VIEWS]
        if snapshot is None or not 0 < len(frusta) <= FEW_FRUSTA:
            return
        for body in frusta:
            if not snapshot.is_posed[body.i_frame]:
                continue
            R_WB, p_WB = body_pose(body, snapshot.R_WF[body.i_frame], snapshot.p_WF[body.i_frame])
            at = projection.project(frustum_corners(body) @ R_WB.T + p_WB)
            starts, ends = at[list(EDGES_FROM)], at[list(EDGES_TO)]
            is_ahead = (starts[:, 2] > 0) & (ends[:, 2] > 0)
            half_width = self.context.px(EDGE_HALF_WIDTH)
            self.context.occupied.add_lines(starts[:, :2], ends[:, :2], half_width, is_ahead)

    def place_in_scene(self, projection: Projection) -> None:
        """Leave out the points of clouds that others hide."""
        for placed in self.placed:
            placed.place(projection)

    def pick(self, ray: PickRay) -> Iterator[PickHit]:
        """Intersect the pixel's ray with the triangles of all bodies whose bounding spheres it meets."""
        snapshot, bodies = ray.tick.snapshot, ray.tick.plan.view_data.bodies
        if self._spheres.bodies is not bodies:
            self._spheres = BodySpheres(bodies)
        for k in self._spheres.met_by(ray.start, ray.direction, snapshot).tolist():
            body = bodies[k]
            mesh = self._mesh_of(body)
            if mesh is None:
                continue
            R_WB, p_WB = body_pose(body, snapshot.R_WF[body.i_frame], snapshot.p_WF[body.i_frame])
            far = first_meeting(mesh, R_WB.T @ (ray.start - p_WB), R_WB.T @ ray.direction)
            if far is not None:
                depth = float(ray.projection.project(ray.start + far * ray.direction)[2])
                is_glass = SHAPE_DRAWINGS[body.kind].is_glass or body.opacity < CLEAR
                yield PickHit(("bodies", body.name), GLASS if is_glass else SOLID, 0.0, depth, body.i_frame)

    def nodes(self) -> Iterator[NodeSource]:
        """Yield the bodies, on their frames."""
        for placed in self.placed:
            body = placed.body
            plain = (actor for actor in placed.actors if not actor.GetTexture())
            shapes = tuple(shape for actor in plain if (shape := shape_of_actor(actor)) is not None)
            if shapes:
                Q = quaternions.from_T(nearest_rotation(body.R_FB)[0].T)
                yield StandingNode(body.name, body.i_frame, shapes, body.p_FB, Q)

    def _mesh_of(self, body: ViewBody) -> Mesh | None:
        made_of = body.kind, tuple(body.size.items()), body.file
        cached = self._meshes.get(body.name)
        if cached is None or cached[0] != made_of:
            mesh = mesh_or_none(body)
            self._meshes[body.name] = cached = made_of, None if mesh is None else coarse(mesh)
        return cached[1]


def drawn_together(bodies: Sequence[ViewBody]) -> list[list[ViewBody]]:
    """Return the bodies in groups: many fields of view of one look on one frame together, any other body alone.

    A picture of a hundred fields of view, as along the way of a camera, takes most of its time for their actors.
    """
    groups: dict[object, list[ViewBody]] = {}
    for k, body in enumerate(bodies):
        key = (body.i_frame, body.color, body.opacity) if body.kind == "frustum" else k
        groups.setdefault(key, []).append(body)
    together = [group for group in groups.values() if len(group) > FEW_FRUSTA]
    return [*([body] for group in groups.values() if len(group) <= FEW_FRUSTA for body in group), *together]


class BodySpheres:
    """Bounding spheres of bodies, so that a ray is tested against the triangles of few of thousands."""

    def __init__(self, bodies: Sequence[ViewBody]) -> None:
        self.bodies = bodies
        self._rows = np.array([body.i_frame for body in bodies], dtype=np.intp)
        self._p_FB = np.array([body.p_FB for body in bodies]).reshape(-1, 3)
        self._radii = np.array([body_reach(body) for body in bodies])

    def met_by(self, start: NDArray[np.float64], ray: NDArray[np.float64], snapshot: Snapshot) -> NDArray[np.intp]:
        """Return the indices of bodies with a pose whose spheres a ray (a unit vector) meets."""
        rows = self._rows
        with np.errstate(invalid="ignore"):
            to = snapshot.p_WF[rows] + np.einsum("nij,nj->ni", snapshot.R_WF[rows], self._p_FB) - start
            along = to @ ray
            off = np.einsum("ni,ni->n", to, to) - along**2
            is_met = (off <= self._radii**2) & (along > -self._radii) & snapshot.is_posed[rows]
        return np.flatnonzero(is_met)


class PlacedBody:
    """A body as actors under one matrix.

    A frame with a left-handed matrix mirrors its body. The triangles are then reversed, so that their outer sides stay
    outside and lit.
    """

    def __init__(self, body: ViewBody, body_actors: list[vtkActor]) -> None:
        self.body, self.actors = body, body_actors
        self.lights: dict[vtkActor, vtkActor] = {}
        """Simplified versions of some actors, drawn in their place while `is_light` is set."""
        self._seen: dict[vtkActor, SeenPoints] = {}
        """Clouds without hidden points, drawn in place of some actors."""
        self._R_WB, self._p_WB = np.eye(3), np.zeros(3)
        self.matrix = vtkMatrix4x4()
        self._is_mirrored = self._is_light = self._is_seen = False
        for actor in body_actors:
            actor.SetUserMatrix(self.matrix)

    def show(self, R_WF: NDArray[np.float64], p_WF: NDArray[np.float64], *, is_seen: bool) -> None:
        """Move the body with its frame, or hide it."""
        self._is_seen = is_seen
        self._show_actors()
        if not is_seen:
            return
        R_WB, p_WB = body_pose(self.body, R_WF, p_WF)
        actors.set_pose(self.matrix, R_WB, p_WB)
        self._R_WB, self._p_WB = R_WB, p_WB
        is_mirrored = self.matrix.Determinant() < 0.0
        if is_mirrored != self._is_mirrored:
            self._is_mirrored = is_mirrored
            for actor in (*self.actors, *self.lights.values()):
                actors.turn_round(actor)

    def add_light(self, actor: vtkActor, light: vtkActor) -> None:
        """Add the simplified version of an actor."""
        light.SetUserMatrix(self.matrix)
        self.lights[actor] = light

    def leave_out_hidden_points(self) -> list[vtkActor]:
        """Draw large clouds without the points that others hide; return the actors that do so."""
        self._seen = with_seen_points(self)
        for seen in self._seen.values():
            seen.actor.SetUserMatrix(self.matrix)
        self._show_actors()
        return [seen.actor for seen in self._seen.values()]

    def place(self, projection: Projection) -> None:
        """Choose the points of clouds that are seen from the camera."""
        if self._is_seen and not self._is_light:
            for seen in self._seen.values():
                seen.place(projection, self._R_WB, self._p_WB)

    def set_light(self, is_light: bool) -> None:
        """Draw the simplified or the original actors."""
        if self._is_light != is_light:
            self._is_light = is_light
            self._show_actors()

    def _show_actors(self) -> None:
        for actor in self.actors:
            light, seen = self.lights.get(actor), self._seen.get(actor)
            whole = actor if seen is None else seen.actor
            whole.SetVisibility(self._is_seen and (light is None or not self._is_light))
            if whole is not actor:
                actor.SetVisibility(False)
            if light is not None:
                light.SetVisibility(self._is_seen and self._is_light)


def body_pose(
    body: ViewBody, R_WF: NDArray[np.float64], p_WF: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the pose of a body in world from the pose of its frame."""
    return R_WF @ body.R_FB, p_WF + R_WF @ body.p_FB


def body_color(color: str, theme: Theme) -> str:
    """Return the theme's colour for a body's colour name; neutral for "own"."""
    neutral = "#717C88" if theme.is_dark else "#8F99A5"
    roles = {
        "neutral": neutral,
        "own": neutral,
        "frame": theme.frame_a,
        "x": theme.axis_x,
        "y": theme.axis_y,
        "z": theme.axis_z,
    }
    return roles.get(color, color)


def main_color(mesh: Mesh, colors: NDArray[np.uint8]) -> str:
    """Return the colour of the largest part of a surface, for formats with one colour per mesh.

    >>> square = Mesh(np.eye(3), np.eye(3), np.array([[0, 1, 2], [0, 1, 2]]))
    >>> main_color(square, np.array([[255, 0, 0], [255, 0, 0]], dtype=np.uint8))
    '#ff0000'
    """
    a, b, c = (mesh.points[mesh.triangles[:, k]] for k in range(3))
    areas = np.linalg.norm(np.cross(b - a, c - a), axis=1)
    distinct_colors, inverse = np.unique(colors, axis=0, return_inverse=True)
    r, g, b_ = distinct_colors[int(np.argmax(np.bincount(inverse.ravel(), areas)))].tolist()
    return f"#{r:02x}{g:02x}{b_:02x}"


def body_mesh(body: ViewBody) -> Mesh:
    """Return the mesh of a body in its own coordinates, m; raise `MeshFileError` if its file has none."""
    return SHAPE_DRAWINGS[body.kind].mesh(body)


def mesh_or_none(body: ViewBody) -> Mesh | None:
    """Return the mesh of a solid body; None if its file has none, a problem that the session reports."""
    try:
        return body_mesh(body)
    except MeshFileError:
        return None


def body_reach(body: ViewBody) -> float:
    """Return the reach of a body from its own origin, m."""
    reach = SHAPE_DRAWINGS[body.kind].reach
    if reach is not None:
        return reach(body.size)
    if body.kind == "points":
        cloud = cloud_or_none(body)
        return 0.0 if cloud is None else body.size["x"] * _reach_of_cloud(cloud)
    mesh = mesh_or_none(body)
    return 0.0 if mesh is None else float(np.linalg.norm(mesh.points, axis=1).max())


def cloud_or_none(body: ViewBody) -> Cloud | None:
    """Return the points of a body; None if its file has none, a problem that the session reports."""
    try:
        return None if body.file is None else kept_cloud(body.file)
    except MeshFileError:
        return None


def _reach_of_cloud(cloud: Cloud) -> float:
    """Return the distance from the origin within which `NEAR_SHARE` of the points lie, in the unit of the file."""
    return float(np.quantile(np.linalg.norm(cloud.points, axis=1), NEAR_SHARE))


def frustum_corners(body: ViewBody) -> NDArray[np.float64]:
    """Return the corners of a field of view, m.

    These are the apex, then the far corners: upper left, upper right, lower right, lower left; y points down.
    """
    size, z = body.size, body.size["depth"]
    if body.kind == "camera":
        left, right, top, bottom = (size[key] for key in ("left", "right", "top", "bottom"))
    else:
        right, bottom = size["width"] / 2, size["height"] / 2
        left, top = -right, -bottom
    return np.array([(0, 0, 0), (left, top, z), (right, top, z), (right, bottom, z), (left, bottom, z)])


def _solid_actors(body: ViewBody, color: str, context: ViewContext) -> list[vtkActor]:
    mesh = mesh_or_none(body)
    if mesh is None or body.opacity == 0.0:
        return []
    colors = mesh.colors if body.color == "own" else None
    if colors is not None:
        color = main_color(mesh, colors)
    actor = actors.surface(to_polydata(mesh), color, opacity=body.opacity)
    if colors is not None:
        actors.color_faces(actor, colors)
    if not SHAPE_DRAWINGS[body.kind].is_closed:
        actor.GetProperty().BackfaceCullingOff()
    if not body.has_edges:
        return [actor]
    edges = actors.lines(edge_lines(mesh), context.px(1), context.theme.text, opacity=EDGE_OPACITY)
    edges.GetMapper().SetRelativeCoincidentTopologyLineOffsetParameters(0.0, -4.0)  # in front of their faces
    return [actor, edges]


def _points_actors(body: ViewBody, color: str, context: ViewContext) -> list[vtkActor]:
    cloud = cloud_or_none(body)
    if cloud is None or body.opacity == 0.0:
        return []
    polydata = points_polydata(body.size["x"] * cloud.points, cloud.colors if body.color == "own" else None)
    return [actors.points(polydata, context.px(POINT_SIZE), color, opacity=body.opacity)]


def _no_surface(_body: ViewBody) -> Mesh:
    raise MeshFileError("points have no surface.")


def _frustum_actors(body: ViewBody, color: str, context: ViewContext) -> list[vtkActor]:
    return _actors_of_frusta([frustum_corners(body)], [_frustum_mark(body)], body.opacity, color, context)


def _frusta_actors(bodies: Sequence[ViewBody], color: str, context: ViewContext) -> list[vtkActor]:
    """Return the actors of several fields of view of one look, in coordinates of their frame."""
    corners = [frustum_corners(body) @ body.R_FB.T + body.p_FB for body in bodies]
    marks = [_frustum_mark(body) @ body.R_FB.T + body.p_FB for body in bodies]
    return _actors_of_frusta(corners, marks, bodies[0].opacity, color, context)


def _actors_of_frusta(
    corners: Sequence[NDArray[np.float64]],
    marks: Sequence[NDArray[np.float64]],
    opacity: float,
    color: str,
    context: ViewContext,
) -> list[vtkActor]:
    n = np.arange(len(corners))[:, np.newaxis, np.newaxis]
    faces = actors.flat(to_polydata(merge(map(_pyramid, corners))), color, opacity=FACE_OPACITY * opacity)
    triangles = pv_cells((np.arange(3) + 3 * n).reshape(-1, 3))
    mark = actors.flat(pv.PolyData(np.concatenate(marks).astype(np.float32), faces=triangles), color, opacity=opacity)
    edges = pv_cells((FRUSTUM_EDGES + 5 * n).reshape(-1, 2))
    wires = pv.PolyData(np.concatenate(corners).astype(np.float32), lines=edges)
    return [faces, actors.lines(wires, context.px(LINE_WIDTH), color, opacity=opacity), mark]


def _frustum_mark(body: ViewBody) -> NDArray[np.float64]:
    """Return the triangle (3, 3) at the upper edge, which shows whether the picture is upside down."""
    corners = frustum_corners(body)
    upper_left, upper_right = corners[1], corners[2]
    middle, half = (upper_left + upper_right) / 2, (upper_right - upper_left) / 2
    width = float(np.linalg.norm(half))
    mark = np.array([middle - 0.32 * half, middle + 0.32 * half, middle - (0.0, 0.40 * width, 0.0)])
    mark[:, 1] -= 0.05 * width
    return mark


def _camera_actors(body: ViewBody, color: str, context: ViewContext) -> list[vtkActor]:
    corners, picture = frustum_corners(body), _picture_of(body)
    mesh = _pyramid(corners)
    if picture is not None:
        mesh = Mesh(mesh.points, mesh.normals, mesh.triangles[:4])  # without the far end
    faces = actors.flat(to_polydata(mesh), color, opacity=FACE_OPACITY * body.opacity)
    edges = pv.PolyData(corners.astype(np.float32), lines=pv_cells(FRUSTUM_EDGES))
    marks = actors.lines(
        camera_marks(body.size), context.px(1), color, opacity=(1.0 if picture is not None else MARK_OPACITY)
    )
    marks.GetMapper().SetRelativeCoincidentTopologyLineOffsetParameters(0.0, -4.0)  # in front of the image
    quad = [] if picture is None else [picture_quad(corners[1:], picture, body.opacity)]
    return [*quad, faces, actors.lines(edges, context.px(LINE_WIDTH), color, opacity=body.opacity), marks]


def _picture_of(body: ViewBody) -> Pixels | None:
    """Return the picture of a camera; None without one, and for a file that is reported as a problem."""
    if body.file is None:
        return None
    try:
        return load_picture(body.file)
    except PictureFileError:
        return None


def _pyramid(corners: NDArray[np.float64]) -> Mesh:
    """Return the faces of a field of view, each with its own corners."""
    faces = [corners[[0, a, b]] for a, b in ((2, 1), (3, 2), (4, 3), (1, 4))]
    faces += [corners[[1, 2, 3]], corners[[1, 3, 4]]]
    points = np.concatenate(faces)
    n = np.cross(points[1::3] - points[0::3], points[2::3] - points[0::3])
    normals = np.repeat(n / np.linalg.norm(n, axis=1, keepdims=True), 3, axis=0)
    return Mesh(points, normals, np.arange(len(points)).reshape(-1, 3))


def _beveled_cylinder(radius: float, height: float) -> Mesh:
    """Return a centred cylinder with bevelled rims that catch the light."""
    bevel, h = 0.06 * min(radius, height), height / 2
    profile = [(0, -h), (radius - bevel, -h), (radius, bevel - h), (radius, h - bevel), (radius - bevel, h), (0, h)]
    return lathe(profile, 64)


def _mesh_of_file(body: ViewBody) -> Mesh:
    if body.file is None:
        raise MeshFileError("it has no file.")
    return load_mesh(body.file).rescale(tuple(body.size[axis] for axis in "xyz"))


def _arrow(length: float, radius: float) -> Mesh:
    """Return an arrow along z from the origin; a short one consists of its head only."""
    head = min(ARROW_HEAD_LENGTH * radius, length)
    wide, neck = ARROW_HEAD_RADIUS * radius, length - head
    if neck <= 0.0:
        return cone(wide, 0.0, length, 32)
    return lathe([(0, 0), (radius, 0), (radius, neck), (wide, neck), (0, length)], 32)


Point3 = tuple[float, float, float]


@dataclass(frozen=True)
class ShapeDrawing:
    """Drawing of one kind of shape.

    Attributes
    ----------
    mesh
        Mesh of a body in its own coordinates, m; raises `MeshFileError`.
    reach
        Reach from its origin, m, from its sizes; by default the reach of the mesh.
    corner
        A point on it far from its middle, from its sizes; None if there is no such point.
    is_closed, is_glass
        Whether its inner side is never visible, and whether it is transparent.
    actors
        The actors of a body, in a colour.
    """

    mesh: Callable[[ViewBody], Mesh]
    reach: Callable[[Sizes], float] | None = None
    corner: Callable[[Sizes], Point3] | None = None
    is_closed: bool = True
    is_glass: bool = False
    actors: Callable[[ViewBody, str, ViewContext], list[vtkActor]] = _solid_actors


def _corner_of_sphere(size: Sizes) -> Point3:
    part = size["radius"] / math.sqrt(3.0)
    return part, part, part


def _reach_of_camera(size: Sizes) -> float:
    x, y = max(-size["left"], size["right"]), max(-size["top"], size["bottom"])
    return math.hypot(x, y, BEYOND * size["depth"])


SHAPE_DRAWINGS: dict[str, ShapeDrawing] = {
    "box": ShapeDrawing(
        lambda body: box((body.size["x"], body.size["y"], body.size["z"])),
        lambda size: math.hypot(size["x"], size["y"], size["z"]) / 2,
        lambda size: (size["x"] / 2, size["y"] / 2, size["z"] / 2),
    ),
    "cylinder": ShapeDrawing(
        lambda body: _beveled_cylinder(body.size["radius"], body.size["height"]),
        lambda size: math.hypot(size["radius"], size["height"] / 2),
        lambda size: (size["radius"], 0.0, size["height"] / 2),
    ),
    "sphere": ShapeDrawing(
        lambda body: sphere(body.size["radius"], sides=48), lambda size: size["radius"], _corner_of_sphere
    ),
    "ellipsoid": ShapeDrawing(
        lambda body: ellipsoid((body.size["x"], body.size["y"], body.size["z"])),
        lambda size: max(size.values()),
        lambda size: (size["x"] / math.sqrt(3.0), size["y"] / math.sqrt(3.0), size["z"] / math.sqrt(3.0)),
    ),
    "capsule": ShapeDrawing(
        lambda body: capsule(body.size["radius"], body.size["length"]),
        lambda size: size["radius"] + size["length"] / 2,
        lambda size: (0.0, 0.0, size["radius"] + size["length"] / 2),
    ),
    "torus": ShapeDrawing(
        lambda body: torus(body.size["ring_radius"], body.size["tube_radius"]),
        lambda size: size["ring_radius"] + size["tube_radius"],
        lambda size: (size["ring_radius"] + size["tube_radius"], 0.0, 0.0),
    ),
    "cone": ShapeDrawing(
        lambda body: cone(body.size["radius"], 0.0, body.size["height"], 48),
        lambda size: max(size["radius"], size["height"]),
        lambda size: (0.0, 0.0, size["height"]),
    ),
    "arrow": ShapeDrawing(
        lambda body: _arrow(body.size["length"], body.size["radius"]),
        lambda size: math.hypot(size["length"], ARROW_HEAD_RADIUS * size["radius"]),
        lambda size: (0.0, 0.0, size["length"]),
    ),
    "frustum": ShapeDrawing(
        lambda body: _pyramid(frustum_corners(body)),
        lambda size: math.hypot(size["width"] / 2, size["height"] / 2, size["depth"]),
        lambda size: (size["width"] / 2, size["height"] / 2, size["depth"]),
        is_glass=True,
        actors=_frustum_actors,
    ),
    "camera": ShapeDrawing(
        lambda body: _pyramid(frustum_corners(body)),
        _reach_of_camera,
        lambda size: (size["right"], size["bottom"], size["depth"]),
        is_glass=True,
        actors=_camera_actors,
    ),
    # It is unknown whether a file's surface is closed.
    "mesh": ShapeDrawing(_mesh_of_file, is_closed=False),
    "points": ShapeDrawing(_no_surface, is_closed=False, actors=_points_actors),
}
"""Drawings of the kinds of shapes, by their names in a scene file."""

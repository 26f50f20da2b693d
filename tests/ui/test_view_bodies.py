"""Bodies, trails and the outline of what is selected."""

from __future__ import annotations

import numpy as np
import pytest
from vtkmodules.util.numpy_support import vtk_to_numpy

from framescope.core.evaluation.evaluate import compile_plan
from framescope.core.evaluation.signal_curves import TRAIL_POINTS
from framescope.core.scene.schema.base import FrozenDict
from framescope.core.scene.schema.bodies import Body, Capsule, Cylinder, Ellipsoid, Sphere, Torus
from framescope.core.scene.schema.kinds.shapes import uniform_inertia
from framescope.core.scene.schema.model import Scene
from framescope.core.scene.schema.quantities import Quantity
from framescope.ui.scene_view.base.scene_options import SELECTED
from framescope.ui.scene_view.base.tick import Tick
from framescope.ui.scene_view.camera.camera import CameraState, Projection
from framescope.ui.scene_view.geometry.lathe_meshes import Mesh, lathe
from framescope.ui.scene_view.visuals.bodies import (
    Bodies,
    body_color,
    body_mesh,
    body_pose,
    body_reach,
    frustum_corners,
)
from framescope.ui.scene_view.visuals.gimbal_rings import ring_band
from framescope.ui.scene_view.visuals.selection import Contour, Selection
from framescope.ui.scene_view.visuals.trails import OPACITY, Trails, resize_path
from framescope.ui.scene_view.visuals.triads import (
    template_for,
)
from framescope.ui.theme.tokens import DARK, channels
from tests.support.scenes import GOOD, HEAD, PROBLEMS
from tests.support.visuals import CAMERA, GIMBAL, built, give, looks_outward, plan_of, points, pose, tick_of

SHAPES = {
    "box": ("size: [1, 2, 3], unit: m", (-0.5, -1.0, -1.5), (0.5, 1.0, 1.5)),
    "cylinder": ("radius: 1 m, height: 3 m", (-1, -1, -1.5), (1, 1, 1.5)),
    "sphere": ("radius: 2 m", (-2, -2, -2), (2, 2, 2)),
    "ellipsoid": ("radii: [1, 2, 3], unit: m", (-1, -2, -3), (1, 2, 3)),
    "capsule": ("radius: 1 m, length: 2 m", (-1, -1, -2), (1, 1, 2)),
    "torus": ("ring_radius: 3 m, tube_radius: 1 m", (-4, -4, -1), (4, 4, 1)),
    "cone": ("radius: 1 m, height: 2 m", (-1, -1, 0), (1, 1, 2)),
    "arrow": ("length: 3 m, radius: 0.5 m", (-1.1, -1.1, 0), (1.1, 1.1, 3)),
    "frustum": ("depth: 2 m, width: 4 m, height: 3 m", (-2, -1.5, 0), (2, 1.5, 2)),
    "camera": (
        "depth: 2 m, resolution: [40, 30], focal_lengths: [20, 15], principal_point: [9.5, 19.5]",
        (-1, -8 / 3, 0),
        (3, 4 / 3, 2),
    ),
}


@pytest.mark.parametrize("form", SHAPES)
def test_that_a_body_has_its_size_and_hangs_on_its_frame(form) -> None:
    size, low, high = SHAPES[form]
    body = (
        f"bodies:\n  it:\n    frame: ring\n    shape: {{form: {form}, {size}}}\n    color: y\n"
        "    position: {value: [1, 2, 3], unit: cm}\n"
        "    orientation: {form: axis, axis: x, angle: 90, unit: deg}\n"
    )
    plan = plan_of(GIMBAL.format(sequence="XYZ", angles=[10, 20, 30]) + body)
    assert not plan.problems
    (staged,) = plan.view_data.bodies
    mesh = body_mesh(staged)
    np.testing.assert_allclose((mesh.points.min(axis=0), mesh.points.max(axis=0)), (low, high), atol=1e-12)
    np.testing.assert_allclose(np.linalg.norm(mesh.normals, axis=1), 1.0)
    bodies, tick = built(Bodies, plan), tick_of(plan)
    bodies.show(tick)
    row = plan.index["ring"]
    R_WF, p_WF = tick.snapshot.R_WF[row], tick.snapshot.p_WF[row]
    turned = np.array([[1, 0, 0], [0, 0, -1], [0, 1, 0]])
    for actor in bodies.scene_actors:
        assert actor.GetVisibility()
        assert actor.GetProperty().GetColor() == pytest.approx(channels(DARK.axis_y))
        np.testing.assert_allclose(pose(actor)[:3, :3], R_WF @ turned, atol=1e-14)
        np.testing.assert_allclose(pose(actor)[:3, 3], p_WF + R_WF @ (0.01, 0.02, 0.03), atol=1e-14)


@pytest.mark.parametrize("form", SHAPES)
def test_that_the_faces_of_a_body_look_outward(form) -> None:
    size, *_ = SHAPES[form]
    plan = plan_of(GOOD.replace("{form: box, size: [1, 2, 3], unit: cm}", f"{{form: {form}, {size}}}"))
    mesh = body_mesh(plan.view_data.bodies[0])
    a, b, c = (mesh.points[mesh.triangles[:, k]] for k in range(3))
    center = (mesh.points.min(axis=0) + mesh.points.max(axis=0)) / 2
    if form == "torus":  # the nearest point in the middle of the tube
        center = (a + b + c) / 3 * (1, 1, 0)
        center *= 3.0 / np.linalg.norm(center, axis=1, keepdims=True)
    n = np.cross(b - a, c - a)
    has_area = np.linalg.norm(n, axis=1) > 1e-9
    assert (np.einsum("ij,ij->i", n, (a + b + c) / 3 - center)[has_area] > 0).all()
    assert looks_outward(mesh.points, mesh.triangles, mesh.normals)


def test_that_a_torus_whose_tube_overlaps_itself_is_a_problem_of_its_body() -> None:
    shape = "{form: torus, ring_radius: 10 mm, tube_radius: 2 cm}"
    plan = plan_of(GOOD.replace("{form: box, size: [1, 2, 3], unit: cm}", shape))
    (problem,) = plan.problems
    assert "expected at most the ring radius, 10 mm, got 2 cm" in problem.message
    assert problem.key_path[-2:] == ("shape", "tube_radius")
    assert not plan.view_data.bodies


def test_that_a_field_of_view_opens_along_z_with_its_mark_above() -> None:
    shape = "{form: frustum, depth: 2 m, width: 4 m, height: 3 m}"
    plan = plan_of(GOOD.replace("{form: box, size: [1, 2, 3], unit: cm}", shape))
    corners = frustum_corners(plan.view_data.bodies[0])
    assert corners[0].tolist() == [0, 0, 0]
    assert (corners[1:, 2] == 2).all()
    mark = points(built(Bodies, plan).scene_actors[2])
    assert (mark[:, 1] < corners[:, 1].min()).all()  # y points down: above the upper edge


def test_that_many_fields_of_view_on_a_frame_are_drawn_together_where_each_is() -> None:
    views = "".join(
        f"  v{k}: {{frame: ring, shape: {{form: frustum, depth: {k + 1} m, width: 4 m, height: 3 m}},"
        f" position: {{value: [{k}, 2, 3], unit: m}},"
        f" orientation: {{form: axis, axis: x, angle: {10 * k}, unit: deg}}}}\n"
        for k in range(6)
    )
    other = "  single: {frame: ring, color: x, shape: {form: frustum, depth: 1 m, width: 4 m, height: 3 m}}\n"
    plan = plan_of(GIMBAL.format(sequence="XYZ", angles=[10, 20, 30]) + "bodies:\n" + views + other)
    assert not plan.problems
    bodies, tick = built(Bodies, plan), tick_of(plan)
    bodies.show(tick)
    assert [len(placed.actors) for placed in bodies.placed] == [3, 3]
    faces, wires, marks = bodies.placed[1].actors
    row = plan.index["ring"]
    R_WF, p_WF = tick.snapshot.R_WF[row], tick.snapshot.p_WF[row]
    expected = []
    for body in plan.view_data.bodies[:6]:
        R_WB, p_WB = body_pose(body, R_WF, p_WF)
        expected.append(frustum_corners(body) @ R_WB.T + p_WB)
    drawn = points(wires) @ pose(wires)[:3, :3].T + pose(wires)[:3, 3]
    np.testing.assert_allclose(drawn, np.concatenate(expected), atol=1e-5)
    assert wires.GetMapper().GetInput().GetNumberOfLines() == 6 * 8
    assert (len(points(faces)), len(points(marks))) == (6 * 18, 6 * 3)
    assert len(list(bodies.nodes())) == 2


def test_that_colours_are_those_of_the_theme_or_as_written() -> None:
    assert body_color("frame", DARK) == DARK.frame_a
    assert body_color("z", DARK) == DARK.axis_z
    assert body_color("#aa55cc", DARK) == "#aa55cc"
    channels(body_color("neutral", DARK))


def test_that_a_trail_fades_towards_the_past_and_ends_at_the_frame() -> None:
    plan = plan_of(GOOD.replace("frame: top, duration", "frame: stand, duration"))
    visual, tick = built(Trails, plan), tick_of(plan, 3.0)
    path = np.linspace((0, 0, 0), (1, 2, 3), TRAIL_POINTS)
    visual.show(Tick(tick.snapshot, plan, {"stand": path}))
    np.testing.assert_allclose(points(visual.scene_actors[0]), path, atol=1e-6)
    alpha = vtk_to_numpy(visual.polydata.GetPointData().GetScalars())[:, 3].astype(int)
    assert (alpha[0], alpha[-1]) == (0, round(255 * OPACITY))
    assert (np.diff(alpha) >= 0).all()
    memory = points(visual.scene_actors[0]).ctypes.data
    visual.show(Tick(tick.snapshot, plan, {}))
    assert not points(visual.scene_actors[0]).any()
    assert points(visual.scene_actors[0]).ctypes.data == memory


def test_that_paths_of_any_length_fit_their_buffer() -> None:
    path = np.arange(30.0).reshape(10, 3)
    short = resize_path(path)
    assert short.shape == (TRAIL_POINTS, 3)
    np.testing.assert_array_equal(short[-10:], path)
    np.testing.assert_array_equal(short[:-10], np.tile(path[0], (TRAIL_POINTS - 10, 1)))
    np.testing.assert_array_equal(resize_path(np.repeat(path, 40, axis=0))[-1], path[-1])
    path[[0, 5, 9]] = np.nan
    np.testing.assert_array_equal(resize_path(path)[-10:], path[[1, 1, 2, 3, 4, 6, 6, 7, 8, 8]])
    assert not resize_path(np.full((4, 3), np.nan)).any()


def outline(text: str, name: str | None) -> tuple[Selection, Tick]:
    plan = plan_of(text)
    selection, tick = built(Selection, plan), tick_of(plan)
    selection.show(tick)
    give(selection, SELECTED, name)
    selection.place_in_scene(Projection(CAMERA, 640, 400, 1.0))
    return selection, tick


def test_that_the_outline_goes_round_the_inner_ring_else_bodies_else_the_triad() -> None:
    def count(name: str) -> int:
        return len(points(outline(GOOD, name)[0].scene_actors[0]))

    plan = plan_of(GOOD)
    assert count("ring") == len(ring_band(plan.view_data.rings[0], 2).points)
    no_rings = outline(GOOD.replace("rings:\n    - {frame: ring, radius: 0.3 m}", "rings: []"), "ring")[0]
    assert len(points(no_rings.scene_actors[0])) == len(body_mesh(plan.view_data.bodies[0]).points)
    assert count("stand") == len(template_for(1).points)


def test_that_the_outline_is_as_wide_on_the_picture_near_and_far() -> None:
    selection, tick = outline(GOOD, "stand")
    row = tick.snapshot.index["stand"]
    widths = []
    for distance in (1.0, 10.0):
        camera = CameraState((0.0, -distance, 0.5), (0.0, 0.0, 0.5))
        projection = Projection(camera, 640, 400, 1.0)
        selection.place_in_scene(projection)
        offset = points(selection.scene_actors[0]) - 0.2 * template_for(1).points
        widths.append(np.linalg.norm(offset, axis=1).max() / projection.metres_per_pixel(tick.snapshot.p_WF[row]))
    assert widths == pytest.approx([1.6, 1.6], rel=0.25)  # the triad is not all at the depth of its origin


def test_that_a_translucent_body_has_its_contour_as_lines_and_no_hull() -> None:
    text = GOOD.replace("{frame: ring, shape", "{frame: ring, opacity: 0.5, shape").replace(
        "rings:\n    - {frame: ring, radius: 0.3 m}", "rings: []"
    )
    selection, tick = outline(text, "ring")
    hull, wires, contour = selection.scene_actors
    assert [bool(actor.GetVisibility()) for actor in (hull, wires, contour)] == [False, False, True]
    row, body = tick.snapshot.index["ring"], plan_of(text).view_data.bodies[0]
    half = np.array([0.005, 0.01, 0.015])
    R_WB, p_WB = body_pose(body, tick.snapshot.R_WF[row], tick.snapshot.p_WF[row])
    for is_parallel in (False, True):
        camera = CameraState((2.0, -3.0, 1.5), (0.0, 0.0, 0.4), is_parallel=is_parallel)
        selection.place_in_scene(Projection(camera, 640, 400, 1.0))
        lines = points(contour).reshape(-1, 2, 3)
        lines = lines[np.linalg.norm(lines[:, 1] - lines[:, 0], axis=1) > 1e-9]
        # A box shows three faces: its contour has six edges, and each is one between a face seen and one unseen.
        assert len(lines) == 6
        towards = -camera.direction if is_parallel else camera.position - p_WB
        is_seen = {
            (k, sign): sign * (R_WB.T @ towards)[k] > (0.0 if is_parallel else half[k])
            for k in range(3)
            for sign in (1, -1)
        }
        for a, b in lines:
            faces = [(k, int(np.sign(a[k]))) for k in range(3) if np.isclose(a[k], b[k])]
            assert sorted(is_seen[face] for face in faces) == [False, True]
    give(selection, SELECTED, "stand")
    assert [bool(actor.GetVisibility()) for actor in selection.scene_actors] == [True, False, False]


def test_that_a_contour_takes_in_open_edges() -> None:
    square = Mesh(
        np.array([(0.0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)]),
        np.tile((0.0, 0, 1), (4, 1)),
        np.array([(0, 1, 2), (0, 2, 3)]),
    )
    contour = Contour(square)
    contour.show(CameraState((0.5, 0.5, 3.0), (0.5, 0.5, 0.0), (0.0, 1.0, 0.0)), np.eye(3), np.zeros(3))
    ends = vtk_to_numpy(contour.polydata.GetPoints().GetData()).reshape(-1, 2, 3)
    assert (np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1) > 0).sum() == 4


def test_that_the_outline_of_a_field_of_view_widens_its_lines() -> None:
    text = GOOD.replace(
        "{form: box, size: [1, 2, 3], unit: cm}", "{form: frustum, depth: 2 cm, width: 4 cm, height: 3 cm}"
    ).replace("rings:\n    - {frame: ring, radius: 0.3 m}", "rings: []")
    selection, tick = outline(text, "ring")
    assert [bool(actor.GetVisibility()) for actor in selection.scene_actors] == [False, True, False]
    np.testing.assert_allclose(pose(selection.scene_actors[1])[:3, :3], tick.snapshot.R_WF[tick.plan.index["ring"]])


def test_that_nothing_is_outlined_without_a_selection_or_a_pose() -> None:
    for text, name in ((GOOD, None), (GOOD, "nobody"), (PROBLEMS["unknown parent"][0], "ring")):
        selection = outline(text, name)[0]
        assert not any(actor.GetVisibility() for actor in selection.scene_actors)


def test_that_the_outline_of_a_left_handed_frame_shows_its_far_side_too() -> None:
    rows = "[[1, 0, 0], [0, 0, 1], [0, 1, 0]]"
    orientation = f"{{form: matrix, rows: {rows}, maps: parent to frame}}"
    plan = plan_of(HEAD + f"  lidar: {{parent: world, orientation: {orientation}}}\n")
    outline = built(Selection, plan)
    outline.show(tick_of(plan))
    for name, is_mirrored in (("world", False), ("lidar", True)):
        give(outline, SELECTED, name)
        prop = outline.outline.hull.GetProperty()
        assert bool(prop.GetBackfaceCulling()) is is_mirrored
        assert bool(prop.GetFrontfaceCulling()) is not is_mirrored


@pytest.mark.parametrize("scale", [(2, 3, 0.5), (-1, 2, 1), (1, 1, 1), (-2, -3, -1)])
def test_that_a_stretched_or_mirrored_mesh_looks_outward_and_has_its_volume(scale) -> None:
    mesh = lathe([(0, -1), (1, -1), (1, 1), (0, 1)], 200).rescale(scale)
    a, b, c = (mesh.points[mesh.triangles[:, k]] for k in range(3))
    across = np.cross(b - a, c - a)
    assert np.einsum("ij,ij->", a, np.cross(b, c)) / 6 == pytest.approx(abs(np.prod(scale)) * 2 * np.pi, rel=1e-3)
    solid = np.linalg.norm(across, axis=1) > 1e-9
    of_faces = across[solid] / np.linalg.norm(across[solid], axis=1, keepdims=True)
    own = mesh.normals[mesh.triangles[solid, 0]]
    assert (np.einsum("ij,ij->i", of_faces, own) > 0.98).all()
    np.testing.assert_allclose(np.linalg.norm(own, axis=1), 1.0, rtol=1e-9)


@pytest.mark.parametrize(
    "shape",
    [
        Ellipsoid(radii=(0.3, 0.2, 0.1), unit="m"),
        Capsule(radius=Quantity(0.1, "m"), length=Quantity(0.3, "m")),
        Sphere(radius=Quantity(0.2, "m")),
        Cylinder(radius=Quantity(0.1, "m"), height=Quantity(0.3, "m")),
        Torus(ring_radius=Quantity(0.3, "m"), tube_radius=Quantity(0.1, "m")),
    ],
    ids=lambda shape: shape.form,
)
def test_that_what_is_drawn_of_a_solid_looks_outward_and_has_its_inertia(shape) -> None:
    """Moments of the tetrahedra from the origin to the drawn triangles, against those that the mechanics uses."""
    scene = Scene(bodies=FrozenDict(solid=Body(frame="world", shape=shape)))
    (body,) = compile_plan(scene).view_data.bodies
    mesh = body_mesh(body)
    corners = mesh.points[mesh.triangles]
    volumes = np.linalg.det(corners) / 6.0
    if not isinstance(shape, Torus):  # which does not enclose the origin
        assert volumes.min() >= -1e-15
    sums = corners.sum(axis=1)
    squares = np.einsum("n,nki,nkj->ij", volumes, corners, corners) + np.einsum("n,ni,nj->ij", volumes, sums, sums)
    spread = squares / 20.0 / volumes.sum()
    found = np.trace(spread) * np.eye(3) - spread
    np.testing.assert_allclose(found, uniform_inertia(shape, 1.0), rtol=0.01, atol=1e-9)
    reach = np.linalg.norm(mesh.points, axis=1).max()
    assert body_reach(body) == pytest.approx(reach, rel=0.02)  # a cylinder has beveled edges
    across = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    solid = np.linalg.norm(across, axis=1) > 1e-9
    of_faces = across[solid] / np.linalg.norm(across[solid], axis=1, keepdims=True)
    normals = mesh.normals[mesh.triangles[solid]].mean(axis=1)
    assert (np.einsum("ij,ij->i", of_faces, normals) > 0.95).all()

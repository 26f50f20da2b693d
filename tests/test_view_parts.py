"""What the visuals hold after a tick: their points, poses and colours, without drawing anything."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest
from vtkmodules.util.numpy_support import vtk_to_numpy

from framescope.core.arrays import SEQUENCES, as_sequence
from framescope.core.curves import TRAIL_POINTS, trails
from framescope.core.evaluate import compile_plan, evaluate
from framescope.core.kinematics import singularity_measure
from framescope.ui.theme import DARK, channels
from framescope.ui.view import camera as cameras
from framescope.ui.view.bodies import Bodies, body_color, body_mesh, frustum_corners
from framescope.ui.view.camera import CameraState, Projection
from framescope.ui.view.context import Tick, ViewContext
from framescope.ui.view.labels import Labels
from framescope.ui.view.rings import RADII, THICKNESS, WIDTH, Rings, ring_band, ring_frames
from framescope.ui.view.scene_renderer import SceneRenderer
from framescope.ui.view.selection import Selection
from framescope.ui.view.sprites import SpriteSheet
from framescope.ui.view.trails import OPACITY, Trails, fitted
from framescope.ui.view.triads import (
    ARROW_LIMIT,
    FINE_LIMIT,
    PLAIN_LIMIT,
    Triads,
    arrow_template,
    sketch_template,
    template_for,
)
from framescope.ui.view.view_cube import EDGE, MARGIN, NORMALS, SPAN, UPS, ViewCube
from tests.scenes import GOOD, HEAD, PROBLEMS, scene_of

CAMERA = CameraState((2.0, -3.0, 1.5), (0.0, 0.0, 0.4))
GIMBAL = (
    HEAD
    + """\
  base:
    parent: world
    position: {{value: [0.1, -0.2, 0.5], unit: m}}
    orientation: {{form: axis, axis: z, angle: 25, unit: deg}}
  ring:
    parent: base
    orientation: {{form: axes, sequence: {sequence}, angles: {angles}, unit: deg}}
view:
  rings: [{{frame: ring, radius: 0.4 m}}]
"""
)


def plan_of(text: str):
    return compile_plan(scene_of(text))


def tick_of(plan, t: float = 0.0) -> Tick:
    return Tick(evaluate(plan, t), plan, trails(plan, t))


def built(visual, plan, scale: float = 1.0):
    """Return a visual of a scene, ready to be placed."""
    sheet = SpriteSheet(scale)
    made = visual(ViewContext(plan, DARK, scale, sheet))
    sheet.pack()
    return made


def points(actor) -> np.ndarray:
    return vtk_to_numpy(actor.GetMapper().GetInput().GetPoints().GetData())


def pose(actor) -> np.ndarray:
    matrix = actor.GetUserMatrix()
    return np.array([[matrix.GetElement(i, j) for j in range(4)] for i in range(4)])


def looks_outward(corners, cells, outward) -> bool:
    """Return whether all triangles that have an area turn the way their corners say: the back is not drawn."""
    a, b, c = (corners[cells[:, k]] for k in range(3))
    n = np.cross(b - a, c - a)
    has_area = np.linalg.norm(n, axis=1) > 1e-9
    return bool((np.einsum("ij,ij->i", n, outward[cells].mean(axis=1))[has_area] > 0).all())


def gimbal(sequence: str, angles) -> tuple[Rings, Tick]:
    plan = plan_of(GIMBAL.format(sequence=sequence, angles=list(angles)))
    assert not plan.problems
    rings, tick = built(Rings, plan), tick_of(plan)
    rings.show(tick)
    return rings, tick


# ---- triads


@pytest.mark.parametrize("count", [3, FINE_LIMIT + 5, PLAIN_LIMIT + 5, ARROW_LIMIT + 5])
def test_that_all_triads_have_the_points_of_their_poses(count) -> None:
    frames = "".join(
        f"  f{i}: {{parent: {'gone' if i % 3 == 1 else 'world'}, position: {{value: [{i}, {i % 5}, 1], unit: cm}}, "
        f"orientation: {{form: axes, sequence: XYZ, angles: [{i}, {2 * i}, 40], unit: deg}}}}\n"
        for i in range(count)
    )
    plan = plan_of(HEAD + frames)
    triads, tick = built(Triads, plan), tick_of(plan, 1.0)
    triads.show(tick)
    snapshot, template = tick.snapshot, template_for(count + 1)
    expected = np.einsum("nij,mj->nmi", 0.2 * snapshot.R_WF, template.points) + snapshot.p_WF[:, None]
    expected[~snapshot.is_posed] = 0.0
    assert not snapshot.is_posed.all()
    np.testing.assert_allclose(points(triads.scene_actors[0]), expected.reshape(-1, 3), atol=2e-6)


@pytest.mark.parametrize("is_fine", [True, False])
def test_that_the_faces_of_arrows_look_outward(is_fine) -> None:
    template = arrow_template(is_fine=is_fine)
    assert looks_outward(template.points, template.cells, template.normals)


def test_that_the_faces_of_sketched_arrows_look_outward() -> None:
    template = sketch_template()
    first = 0
    for axis in range(3):
        last = first + int((template.axis_of == axis).sum())
        for start, stop in ((first, first + 6), (first + 6, last)):  # shaft and tip are convex, each by itself
            cells = template.cells[((template.cells >= start) & (template.cells < stop)).all(axis=1)]
            assert len(cells) >= 6
            outward = template.points - template.points[start:stop].mean(axis=0)
            assert looks_outward(template.points, cells, outward)
        first = last
    assert first == len(template.points)


def test_that_a_triad_comes_back_with_its_pose() -> None:
    plan = plan_of(GOOD)
    triads, tick = built(Triads, plan), tick_of(plan)
    triads.show(tick)
    before = points(triads.scene_actors[0]).copy()
    snapshot = tick.snapshot
    gone = np.zeros_like(snapshot.is_posed)
    triads.triads.update(snapshot.R_WF, snapshot.p_WF, np.full(len(gone), 0.2), gone)
    assert not points(triads.scene_actors[0]).any()
    triads.show(tick)
    np.testing.assert_array_equal(points(triads.scene_actors[0]), before)


def test_that_a_tick_makes_no_array_of_the_size_of_the_picture() -> None:
    frames = "".join(
        f'  f{i}: {{parent: world, orientation: {{form: axis, axis: z, angle: "{i}*t", unit: deg}}}}\n'
        for i in range(400)
    )
    plan = plan_of(HEAD + frames)
    triads, ticks = built(Triads, plan), [tick_of(plan, t) for t in (0.0, 1.0)]
    triads.show(ticks[0])
    tracemalloc.start()
    try:
        triads.show(ticks[1])
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 0.5 * points(triads.scene_actors[0]).nbytes


# ---- rings


@pytest.mark.parametrize("sequence", SEQUENCES)
def test_that_each_ring_turns_about_an_axis_of_the_part_that_carries_it(sequence) -> None:
    rings, tick = gimbal(sequence, (35, -50, 115))
    fork, outer, middle, inner = (pose(actor)[:3, :3] for actor in rings.scene_actors[:4])
    e1, e2, e3 = (np.eye(3)[axis - 1] for axis in as_sequence(sequence))
    row = tick.snapshot.index["ring"]
    np.testing.assert_allclose(fork, tick.snapshot.R_WF[tick.snapshot.index["base"]], atol=1e-15)
    np.testing.assert_allclose(outer @ e1, fork @ e1, atol=1e-14)
    np.testing.assert_allclose(middle @ e2, outer @ e2, atol=1e-14)
    np.testing.assert_allclose(inner @ e3, middle @ e3, atol=1e-14)
    np.testing.assert_allclose(inner, tick.snapshot.R_WF[row], atol=1e-14)
    for actor in rings.scene_actors:
        np.testing.assert_allclose(pose(actor)[:3, 3], tick.snapshot.p_WF[row], atol=1e-15)


@pytest.mark.parametrize("sequence", SEQUENCES)
def test_that_the_faces_of_rings_fork_and_pins_look_outward(sequence) -> None:
    for actor in gimbal(sequence, (0, 0, 0))[0].scene_actors[:4]:
        mesh = actor.GetMapper().GetInput()
        cells = mesh.faces.reshape(-1, 4)[:, 1:]
        normals = vtk_to_numpy(mesh.GetPointData().GetNormals())
        assert looks_outward(mesh.points, cells, normals)


@pytest.mark.parametrize("sequence", SEQUENCES)
def test_that_the_plane_of_a_ring_holds_the_axes_it_joins(sequence) -> None:
    axes = [np.eye(3)[axis - 1] for axis in as_sequence(sequence)]
    for k, joined in enumerate(((0, 1), (1, 2), (2,))):
        frame = ring_frames(sequence)[k]
        np.testing.assert_allclose(frame.T @ frame, np.eye(3), atol=1e-15)
        assert np.linalg.det(frame) == pytest.approx(1.0)
        assert [frame[:, 2] @ axes[i] for i in joined] == [0.0] * len(joined)
    normals = np.array([frame[:, 2] for frame in ring_frames(sequence)])
    if sequence[0] != sequence[2]:
        np.testing.assert_array_equal(np.abs(normals @ normals.T), np.eye(3))


def test_that_three_different_axes_lock_when_the_third_falls_on_the_first() -> None:
    rings, _ = gimbal("XYZ", (20, 90, 0))
    fork, _, middle, _ = (pose(actor)[:3, :3] for actor in rings.scene_actors[:4])
    np.testing.assert_allclose(middle[:, 2], fork[:, 0], atol=1e-14)


def test_that_equal_first_and_third_axes_lock_when_outer_and_middle_ring_lie_in_one_plane() -> None:
    rings, _ = gimbal("ZXZ", (20, 0, 50))
    outer, middle = (pose(rings.scene_actors[1 + k])[:3, :3] @ ring_frames("ZXZ")[k][:, 2] for k in (0, 1))
    assert abs(outer @ middle) == pytest.approx(1.0, abs=1e-14)


def test_that_bands_are_as_wide_and_thick_as_they_say_and_carry_the_colour_of_their_axis() -> None:
    plan = plan_of(GIMBAL.format(sequence="YZX", angles=[0, 0, 0]))
    rings = built(Rings, plan)
    for k in range(3):
        band = ring_band(plan.staging.rings[0], k).points @ ring_frames("YZX")[k] / 0.4
        radius = np.hypot(band[:, 0], band[:, 1])
        assert (radius.min(), radius.max()) == pytest.approx((RADII[k] - THICKNESS / 2, RADII[k] + THICKNESS / 2))
        assert np.abs(band[:, 2]).max() == pytest.approx(WIDTH / 2)
        colors = vtk_to_numpy(rings.scene_actors[1 + k].GetMapper().GetInput().GetPointData().GetScalars())
        axis = as_sequence("YZX")[k] - 1
        assert tuple(colors[0, :3] / 255) == pytest.approx(channels(DARK.axes[axis]))


@pytest.mark.parametrize(("beta", "color"), [(52.0, None), (54.0, DARK.amber), (71.0, DARK.amber), (73.0, DARK.red)])
def test_that_edges_warn_of_the_lock_without_new_geometry(beta, color) -> None:
    rings, _ = gimbal("XYZ", (10, beta, 0))
    edges = rings.scene_actors[4:]
    measure = singularity_measure("XYZ", np.radians([10, beta, 0]))[0]
    assert (measure >= 0.80, measure >= 0.95) == (color is not None, color == DARK.red)
    assert [bool(edge.GetVisibility()) for edge in edges] == [color is not None] * 3
    if color:
        assert [edge.GetProperty().GetColor() for edge in edges] == [pytest.approx(channels(color))] * 3
    made = [edge.GetMapper().GetInput().GetMTime() for edge in rings.scene_actors]
    rings.show(tick_of(plan_of(GIMBAL.format(sequence="XYZ", angles=[10, 90, 0]))))
    assert [bool(edge.GetVisibility()) for edge in edges] == [True] * 3
    assert [edge.GetProperty().GetColor() for edge in edges] == [pytest.approx(channels(DARK.red))] * 3
    assert [edge.GetMapper().GetInput().GetMTime() for edge in rings.scene_actors] == made


def test_that_what_hangs_on_a_frame_without_a_pose_is_hidden() -> None:
    plan = plan_of(PROBLEMS["unknown parent"][0])
    tick = tick_of(plan)
    assert not tick.snapshot.is_posed[plan.index["ring"]]
    for kind in (Rings, Bodies):
        visual = built(kind, plan)
        visual.show(tick)
        assert visual.scene_actors
        assert not any(actor.GetVisibility() for actor in visual.scene_actors)


# ---- bodies

SHAPES = {
    "box": ("size: [1, 2, 3], unit: m", (-0.5, -1.0, -1.5), (0.5, 1.0, 1.5)),
    "cylinder": ("radius: 1 m, height: 3 m", (-1, -1, -1.5), (1, 1, 1.5)),
    "sphere": ("radius: 2 m", (-2, -2, -2), (2, 2, 2)),
    "cone": ("radius: 1 m, height: 2 m", (-1, -1, 0), (1, 1, 2)),
    "frustum": ("depth: 2 m, width: 4 m, height: 3 m", (-2, -1.5, 0), (2, 1.5, 2)),
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
    (staged,) = plan.staging.bodies
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
    mesh = body_mesh(plan.staging.bodies[0])
    a, b, c = (mesh.points[mesh.triangles[:, k]] for k in range(3))
    center = (mesh.points.min(axis=0) + mesh.points.max(axis=0)) / 2
    n = np.cross(b - a, c - a)
    has_area = np.linalg.norm(n, axis=1) > 1e-9
    assert (np.einsum("ij,ij->i", n, (a + b + c) / 3 - center)[has_area] > 0).all()
    assert looks_outward(mesh.points, mesh.triangles, mesh.normals)


def test_that_a_field_of_view_opens_along_z_with_its_mark_above() -> None:
    shape = "{form: frustum, depth: 2 m, width: 4 m, height: 3 m}"
    plan = plan_of(GOOD.replace("{form: box, size: [1, 2, 3], unit: cm}", shape))
    corners = frustum_corners(plan.staging.bodies[0])
    assert corners[0].tolist() == [0, 0, 0]
    assert (corners[1:, 2] == 2).all()
    mark = points(built(Bodies, plan).scene_actors[2])
    assert (mark[:, 1] < corners[:, 1].min()).all()  # y points down: above the upper edge


def test_that_colours_are_those_of_the_theme_or_as_written() -> None:
    assert body_color("frame", DARK) == DARK.frame_a
    assert body_color("z", DARK) == DARK.axis_z
    assert body_color("#aa55cc", DARK) == "#aa55cc"
    channels(body_color("neutral", DARK))


# ---- trails


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
    short = fitted(path)
    assert short.shape == (TRAIL_POINTS, 3)
    np.testing.assert_array_equal(short[-10:], path)
    np.testing.assert_array_equal(short[:-10], np.tile(path[0], (TRAIL_POINTS - 10, 1)))
    np.testing.assert_array_equal(fitted(np.repeat(path, 40, axis=0))[-1], path[-1])
    path[[0, 5, 9]] = np.nan
    np.testing.assert_array_equal(fitted(path)[-10:], path[[1, 1, 2, 3, 4, 6, 6, 7, 8, 8]])
    assert not fitted(np.full((4, 3), np.nan)).any()


# ---- selection


def outline(text: str, name: str | None) -> tuple[Selection, Tick]:
    plan = plan_of(text)
    selection, tick = built(Selection, plan), tick_of(plan)
    selection.show(tick)
    selection.select(name)
    selection.place(Projection(CAMERA, 640, 400, 1.0))
    return selection, tick


def test_that_the_outline_goes_round_the_inner_ring_else_bodies_else_the_triad() -> None:
    def count(name: str) -> int:
        return len(points(outline(GOOD, name)[0].scene_actors[0]))

    plan = plan_of(GOOD)
    assert count("ring") == len(ring_band(plan.staging.rings[0], 2).points)
    no_rings = outline(GOOD.replace("rings:\n    - {frame: ring, radius: 0.3 m}", "rings: []"), "ring")[0]
    assert len(points(no_rings.scene_actors[0])) == len(body_mesh(plan.staging.bodies[0]).points)
    assert count("stand") == len(template_for(1).points)


def test_that_the_outline_is_as_wide_on_the_picture_near_and_far() -> None:
    selection, tick = outline(GOOD, "stand")
    row = tick.snapshot.index["stand"]
    widths = []
    for distance in (1.0, 10.0):
        camera = CameraState((0.0, -distance, 0.5), (0.0, 0.0, 0.5))
        projection = Projection(camera, 640, 400, 1.0)
        selection.place(projection)
        offset = points(selection.scene_actors[0]) - 0.2 * template_for(1).points
        widths.append(np.linalg.norm(offset, axis=1).max() / projection.metres_per_pixel(tick.snapshot.p_WF[row]))
    assert widths == pytest.approx([1.6, 1.6], rel=0.25)  # the triad is not all at the depth of its origin


def test_that_the_outline_of_a_field_of_view_widens_its_lines() -> None:
    text = GOOD.replace(
        "{form: box, size: [1, 2, 3], unit: cm}", "{form: frustum, depth: 2 cm, width: 4 cm, height: 3 cm}"
    ).replace("rings:\n    - {frame: ring, radius: 0.3 m}", "rings: []")
    selection, tick = outline(text, "ring")
    assert [bool(actor.GetVisibility()) for actor in selection.scene_actors] == [False, True]
    np.testing.assert_allclose(pose(selection.scene_actors[1])[:3, :3], tick.snapshot.R_WF[tick.plan.index["ring"]])


def test_that_nothing_is_outlined_without_a_selection_or_a_pose() -> None:
    for text, name in ((GOOD, None), (GOOD, "nobody"), (PROBLEMS["unknown parent"][0], "ring")):
        selection = outline(text, name)[0]
        assert not any(actor.GetVisibility() for actor in selection.scene_actors)


# ---- labels


def label_boxes(labels: Labels) -> np.ndarray:
    """Return left, bottom, right, top of each name (n, 4)."""
    corners = labels._batch.corners()[..., :2]
    return np.concatenate([corners.min(axis=1), corners.max(axis=1)], axis=-1)


@pytest.mark.parametrize("scale", [1.0, 2.0])
def test_that_names_are_whole_in_the_picture_and_apart(scale) -> None:
    frames = "".join(
        f"  a longer name {i}: {{parent: world, position: {{value: [{7 * i}, {4 * i}, 0], unit: cm}}}}\n"
        for i in range(6)
    )
    plan = plan_of(HEAD + frames)
    labels = built(Labels, plan, scale)
    labels.show(tick_of(plan))
    width, height = int(480 * scale), int(300 * scale)
    for target in ((0, 0, 0), (0.55, 0.2, 0.0), (-0.4, 0, 0.3)):
        labels.place(Projection(CameraState((0.3, -2.0, 1.0), target), width, height, scale))
        boxes = label_boxes(labels)
        boxes = boxes[boxes[:, 2] > boxes[:, 0]]
        assert len(boxes) >= 4
        assert (boxes[:, :2] >= 0).all()
        assert (boxes[:, 2:] <= (width, height)).all()
    labels.place(Projection(CameraState((0.1, -4.0, 2.0)), width, height, scale))
    boxes = label_boxes(labels)
    for i, a in enumerate(boxes):
        for b in boxes[i + 1 :]:
            assert min(a[2], b[2]) <= max(a[0], b[0]) + 1 or min(a[3], b[3]) <= max(a[1], b[1]) + 1


def test_that_the_leader_of_a_gimbal_ends_on_its_inner_ring() -> None:
    plan = plan_of(GIMBAL.format(sequence="XYZ", angles=[30, 40, 50]))
    labels, tick = built(Labels, plan), tick_of(plan)
    labels.show(tick)
    projection = Projection(CAMERA, 1280, 720, 1.0)
    labels.place(projection)
    k = plan.index["ring"]
    point = labels._on_inner_ring(k, plan.staging.rings[0], projection)
    at = tick.snapshot.R_WF[k].T @ (point - tick.snapshot.p_WF[k])
    assert np.linalg.norm(at) == pytest.approx(0.4 * RADII[2])
    assert at @ ring_frames("XYZ")[2][:, 2] == pytest.approx(0.0, abs=1e-12)
    np.testing.assert_allclose(labels._leader_ends[k, 0, :2], projection.project(point)[:2], atol=1e-3)


# ---- view cube


@pytest.mark.parametrize("k", range(6))
def test_that_a_click_on_the_cube_gives_the_face_that_is_seen(k) -> None:
    cube = built(ViewCube, plan_of(GOOD))
    camera = cameras.look_from(CAMERA, NORMALS[k])
    projection = Projection(camera, 640, 400, 1.0)
    center = MARGIN + SPAN / 2
    np.testing.assert_array_equal(cube.face_at(center, center, projection), NORMALS[k])
    # Seen straight on, the face stands upright, as its letter says.
    np.testing.assert_allclose(camera.axes()[1], UPS[k], atol=1e-12)
    for corner in ((5, 5), (center + EDGE, center), (400, 300)):
        assert cube.face_at(*corner, projection) is None


def test_that_the_cube_shows_three_faces_of_an_oblique_view() -> None:
    cube = built(ViewCube, plan_of(GOOD))
    projection = Projection(cameras.look_from(CAMERA, (1.0, -1.0, 1.0)), 640, 400, 1.0)
    cube.place(projection)
    grid = np.linspace(MARGIN - 10, MARGIN + SPAN + 10, 40)
    found = {tuple(face) for x in grid for y in grid if (face := cube.face_at(x, y, projection)) is not None}
    assert found == {(1, 0, 0), (0, -1, 0), (0, 0, 1)}
    letters = cube._letters.corners()
    center = cube._points[0][..., :2].mean(axis=1)
    for face in (0, 3, 4):
        np.testing.assert_allclose(letters[face, :, :2].mean(axis=0), center[face], atol=0.01)


def test_that_without_a_window_a_scene_can_be_set_shown_and_picked() -> None:
    scene = scene_of(GOOD)
    plan = compile_plan(scene)
    renderer = SceneRenderer(DARK)
    renderer.set_scene(scene, plan)
    renderer.show(evaluate(plan, 0.0))
    assert renderer.frame_count == 4
    x, y = renderer.position_of("stand")
    assert renderer.pick(x, y) in plan.names
    renderer.detach()

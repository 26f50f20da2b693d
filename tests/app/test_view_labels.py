"""Names in the picture, and the view cube."""

from __future__ import annotations

import numpy as np
import pytest

from framescope.app.exporters.rendering.headless import LECTURE
from framescope.core.evaluation.evaluate import compile_plan, evaluate
from framescope.ui.scene_view.base.label_layout import OccupiedAreas
from framescope.ui.scene_view.base.scene_options import HOVERED, LARGE_CORNERS, SELECTED, SceneOptions
from framescope.ui.scene_view.base.visual import WINDOW, ViewContext
from framescope.ui.scene_view.camera import camera as cameras
from framescope.ui.scene_view.camera.camera import CameraState, Projection
from framescope.ui.scene_view.geometry.gimbal_geometry import RADII, ring_frames
from framescope.ui.scene_view.geometry.sprites import SpriteSheet
from framescope.ui.scene_view.scene_renderer import SceneRenderer
from framescope.ui.scene_view.visuals.corner_overlay import CLOCK_WIDTH
from framescope.ui.scene_view.visuals.frame_names import TOOLS, Labels, take_corners
from framescope.ui.scene_view.visuals.view_cube import EDGE, MARGIN, NORMALS, SPAN, UPS, ViewCube
from framescope.ui.theme.tokens import DARK
from tests.support.scenes import GOOD, HEAD, scene_of
from tests.support.visuals import CAMERA, GIMBAL, built, plan_of, tick_of


def label_boxes(labels: Labels) -> np.ndarray:
    """Return left, bottom, right, top of each name (n, 4)."""
    corners = labels.batch.corners()[..., :2]
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
    point = labels.point_on_inner_ring(k, plan.view_data.rings[0], projection)
    at = tick.snapshot.R_WF[k].T @ (point - tick.snapshot.p_WF[k])
    assert np.linalg.norm(at) == pytest.approx(0.4 * RADII[2])
    assert at @ ring_frames("XYZ")[2][:, 2] == pytest.approx(0.0, abs=1e-12)
    np.testing.assert_allclose(labels.leaders.ends[k, 0, :2], projection.project(point)[:2], atol=1e-3)


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
    letters = cube.letters.corners()
    center = cube.corner_points[0][..., :2].mean(axis=1)
    for face in (0, 3, 4):
        np.testing.assert_allclose(letters[face, :, :2].mean(axis=0), center[face], atol=0.01)


UP = "position: {value: [1, 0, 0], unit: m}"
DOWN = "orientation: {form: axis, axis: x, angle: 180, unit: deg}"


@pytest.mark.parametrize(
    ("frame", "world", "is_named"), [(DOWN, "false", True), (DOWN, "true", False), (UP, "false", False)]
)
def test_that_the_cube_names_the_world_where_other_axes_point_down_alone(frame, world, is_named) -> None:
    plan = plan_of(f"{HEAD}  ned: {{parent: world, {frame}}}\nview: {{frames: {{world: {{triad: {world}}}}}}}\n")
    cube = built(ViewCube, plan)
    cube.show(tick_of(plan))
    cube.place(Projection(CAMERA, 640, 400, 1.0))
    corners = cube.caption.corners()[0, :, :2]
    assert bool(np.ptp(corners[:, 0]) > 0) == is_named
    if is_named:
        assert (corners >= 0).all()
        assert corners[:, 1].max() < MARGIN


def test_that_without_a_window_a_scene_can_be_set_shown_and_picked() -> None:
    scene = scene_of(GOOD)
    plan = compile_plan(scene)
    renderer = SceneRenderer(DARK)
    renderer.set_plan(plan)
    renderer.show(evaluate(plan, 0.0))
    assert len(renderer.tick.plan.names) == 4
    x, y = renderer.position_of("stand")
    assert renderer.hits(x, y)[0].key[1] in plan.names
    renderer.detach()


@pytest.mark.parametrize("decorations", [LECTURE, WINDOW])
@pytest.mark.parametrize("is_large", [False, True])
def test_that_the_corner_of_a_large_clock_is_kept_free(decorations, is_large) -> None:
    plan = plan_of(GIMBAL.format(sequence="ZYX", angles="[0, 0, 0]"))
    context = ViewContext(
        plan, DARK, 1.0, SpriteSheet(1.0), decorations=decorations, options=SceneOptions({LARGE_CORNERS: is_large})
    )
    taken = OccupiedAreas()
    take_corners(taken, context, Projection(CAMERA, 720, 720, 1.0))
    needed = (CLOCK_WIDTH if is_large else 0) + (TOOLS[0] if decorations.tools else 0)
    beside_edge = np.array([720.0 - needed / 2, 715.0])
    assert taken.is_free(beside_edge, np.array([needed - 2.0, 4.0])) == (needed == 0)
    assert taken.is_free(np.array([720.0 - needed - 5.0, 715.0]), np.array([8.0, 4.0]))


def crowd(n: int, spread: float) -> str:
    """Return a scene of a chain of frames that stand close together, and one frame on the world beside it."""
    chain = "".join(
        f"  a link of a robot {i}: {{parent: {f'a link of a robot {i - 1}' if i else 'world'},"
        f" position: {{value: [0, 0, {spread}], unit: m}}}}\n"
        for i in range(n)
    )
    return f"{HEAD}{chain}  camera: {{parent: world, position: {{value: [0.3, 0, 0.2], unit: m}}}}\n"


def seen(labels: Labels) -> dict[str, np.ndarray]:
    names = [labels.context.names[int(row)] for row in labels.rows]
    return {name: np.array(labels.box_of(name)) for name in names if labels.box_of(name) is not None}


@pytest.mark.parametrize("n", [14, 33, 120])
@pytest.mark.parametrize("spread", [0.0, 0.01, 0.05])
def test_that_names_of_a_crowd_do_not_pile_up_beside_it(n, spread) -> None:
    plan = plan_of(crowd(n, spread))
    labels, tick = built(Labels, plan), tick_of(plan)
    for selected in (None, f"a link of a robot {n - 1}", f"a link of a robot {n // 2}"):
        labels.context.options[SELECTED] = selected
        labels.apply_option(SELECTED)
        labels.show(tick)
        camera = CameraState((0.5, -2.0 - 3 * n * spread, 0.5 * n * spread), (0.0, 0.0, 0.5 * n * spread))
        labels.place(Projection(camera, 900, 700, 1.0))
        boxes = seen(labels)
        assert (selected is None) or selected in boxes
        assert boxes
        for name, box in boxes.items():
            for other, (left, bottom, right, top) in boxes.items():
                apart = box[0] >= right - 1 or box[2] <= left + 1 or box[1] >= top - 1 or box[3] <= bottom + 1
                assert apart or name == other, (name, other)


def test_that_few_names_are_all_there_and_of_many_those_that_have_room() -> None:
    for n, spread, n_seen in ((8, 0.0, 10), (14, 0.5, 14)):
        plan = plan_of(crowd(n, spread))
        labels = built(Labels, plan)
        labels.show(tick_of(plan))
        middle = 0.5 * n * spread
        labels.place(Projection(CameraState((0.5, -3.0 - 2 * n * spread, middle), (0.0, 0.0, middle)), 1600, 1600, 1.0))
        assert len(seen(labels)) >= n_seen


TWO_AT_ONE_ORIGIN = (
    HEAD
    + """
  camera: {parent: world, position: {value: [20, 0, 0], unit: cm}}
  camera_optical:
    parent: camera
    orientation: {form: axes, sequence: ZYX, angles: [-90, 0, -90], unit: deg}
  imu: {parent: world, position: {value: [0, 30, 0], unit: cm}}
"""
)


def test_that_names_of_frames_at_one_origin_share_a_plate() -> None:
    plan = plan_of(TWO_AT_ONE_ORIGIN)
    labels = built(Labels, plan)
    labels.show(tick_of(plan))
    projection = Projection(CameraState((0.3, -2.0, 1.0)), 640, 480, 1.0)
    labels.place(projection)
    upper, lower = labels.box_of("camera"), labels.box_of("camera_optical")
    assert upper is not None
    assert lower is not None
    # One below the other, without a gap: side by side they would read as one name.
    assert lower[3] == pytest.approx(upper[1])
    assert lower[0] == pytest.approx(upper[0])
    assert labels.box_of("imu") is not None
    visible_leaders = np.any(labels.leaders.ends[:, 0] != labels.leaders.ends[:, 1], axis=-1)
    assert np.count_nonzero(visible_leaders) <= 2


@pytest.mark.parametrize("name", ["camera", "camera_optical"])
@pytest.mark.parametrize("option", [HOVERED, SELECTED])
def test_that_names_on_one_plate_stay_where_they_are_under_the_pointer(name: str, option) -> None:
    plan = plan_of(TWO_AT_ONE_ORIGIN)
    renderer = SceneRenderer(DARK)
    renderer.set_live(True)
    renderer.set_plan(plan)
    projection = Projection(CameraState((0.3, -2.0, 1.0)), 640, 480, 1.0)
    renderer.show(evaluate(plan, 0.0))
    labels = renderer.visual(Labels)
    labels.place(projection)
    before = {each: labels.box_of(each) for each in ("camera", "camera_optical")}
    renderer.set_option(option, ("frames", name) if option is HOVERED else name)
    renderer.show(evaluate(plan, 0.0))
    labels = renderer.visual(Labels)
    labels.place(projection)
    assert {each: labels.box_of(each) for each in before} == before


TURNING = (
    HEAD
    + """
  drone:
    parent: world
    position: {value: ["2*cos(0.6*t)", 0, 0], unit: m}
    orientation: {form: axes, sequence: ZYX, angles: ["36*t", "20*sin(t)", 0], unit: deg}
  camera: {parent: drone, position: {value: [60, 0, 0], unit: cm}}
  imu: {parent: drone, position: {value: [60, 60, 0], unit: cm}}
  propeller: {parent: drone, position: {value: [60, 120, 0], unit: cm}}
view: {triad_length: 0.4 m}
"""
)


def jumps_of(*, is_live: bool) -> tuple[int, dict[float, dict[str, tuple[float, ...] | None]]]:
    """Count how often names jump while a scene plays; return the count, and their places at each time."""
    plan = plan_of(TURNING)
    renderer = SceneRenderer(DARK)
    renderer.set_live(is_live)
    renderer.set_plan(plan)
    projection = Projection(CameraState((2.0, -9.0, 4.0)), 640, 480, 1.0)
    jumps, last, places = 0, {}, {}
    for t in np.arange(0.0, 10.0, 0.05).round(2).tolist():
        renderer.show(evaluate(plan, t))
        labels = renderer.visual(Labels)
        renderer.occupied.clear()
        for visual in renderer.visuals:
            visual.occupy(projection)
        labels.place(projection)
        places[t] = {name: labels.box_of(name) for name in plan.names}
        for name, row in plan.index.items():
            box = places[t][name]
            if box is None:
                continue
            offset = np.array(box[:2]) - projection.project(renderer.tick.snapshot.p_WF[row])[:2]
            jumps += name in last and np.hypot(*(offset - last[name])) > 20.0
            last[name] = offset
    renderer.detach()
    return jumps, places


@pytest.mark.long
def test_that_names_keep_their_sides_while_a_window_plays_and_depend_on_the_time_alone_in_films() -> None:
    in_film, places = jumps_of(is_live=False)
    assert jumps_of(is_live=False)[1] == places
    in_window, _ = jumps_of(is_live=True)
    assert in_window < in_film / 2

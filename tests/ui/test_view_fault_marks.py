"""Problems in the scene: which items are marked, when, in which words; tints, ghosts, plates, and the camera."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtWidgets import QApplication

from framescope.core.analysis.diagnostics import diagnose
from framescope.core.analysis.diagnostics.diagnosis import make_problem
from framescope.core.evaluation.evaluate import compile_plan, evaluate
from framescope.ui.scene_view.base.layers import Layers
from framescope.ui.scene_view.base.problem_marks import MARKS, MAX_MARKS, marks_of
from framescope.ui.scene_view.base.scene_options import SELECTED, SceneOptions
from framescope.ui.scene_view.base.visual import ViewContext
from framescope.ui.scene_view.camera.camera import Projection
from framescope.ui.scene_view.geometry.sprites import SpriteSheet
from framescope.ui.scene_view.scene_renderer import SceneRenderer
from framescope.ui.scene_view.scene_view import SceneView
from framescope.ui.scene_view.visuals.frame_names import Labels
from framescope.ui.scene_view.visuals.problem_tints import MAX_PLATES, NEAR_S, ProblemTints
from framescope.ui.theme.tokens import DARK, channels
from framescope.ui.widgets.angle_unit import RAD
from tests.support.scenes import scene_of
from tests.support.visuals import CAMERA, give, points, pose, tick_of

pytestmark = pytest.mark.window

SCENE = """\
framescope: 1
frames:
  rig: {parent: world, position: {value: [-0.4, 0, 0.2], unit: m},
        orientation: {form: matrix, maps: frame to parent, rows: [[0, 1, 0], [1, 0, 0], [0, 0, 1]]}}
  part: {parent: world, position: {value: [0.4, "0.1*t", 0.2], unit: m}}
  bare: {parent: world, orientation: {form: quaternion, order: xyzw, value: [0, 0, 0, 1.1]}}
  lost: {parent: nobody}
bodies:
  can: {frame: rig, shape: {form: cylinder, radius: 10 cm, height: 20 cm}}
  box: {frame: part, shape: {form: box, size: [20, 20, 10], unit: cm}}
measured:
  survey: {form: pose, of: part, relative_to: bare, position: {value: [0.4, 0.1, 0.2], unit: m},
           orientation: {form: axis, axis: z, angle: 10, unit: deg}}
"""


@pytest.fixture(scope="module")
def plan():
    return compile_plan(scene_of(SCENE))


@pytest.fixture(scope="module")
def faults(plan):
    return diagnose(plan)


def made(plan, marks, *others, **context):
    """Return the visual and others of the same picture, with what they are made from."""
    given = ViewContext(plan, DARK, 1.0, SpriteSheet(1.0), options=SceneOptions({MARKS: marks}), **context)
    visuals = [visual(given) for visual in (ProblemTints, *others)]
    given.sheet.pack()
    return visuals


def drawn(visuals, plan, t: float = 0.0, size=(800, 600), camera=CAMERA) -> None:
    tick, projection = tick_of(plan, t), Projection(camera, *size, 1.0)
    visuals[0].context.occupied.clear()
    for visual in visuals:
        visual.show(tick)
    for step in ("occupy", "place"):
        for visual in visuals:
            getattr(visual, step)(projection)


def told(marks: ProblemTints) -> list[int]:
    """Return the marks whose plates are in the picture."""
    return np.flatnonzero(marks.plates.is_visible[:, 0]).tolist()


# --- What is marked


def test_that_the_worst_come_first_and_notes_and_lost_items_are_told_apart(plan, faults) -> None:
    marks = marks_of(plan.scene, faults)
    said = [(mark.key, mark.severity, mark.text) for mark in marks]
    assert said == [
        (("frames", "rig"), "red", "rig, left-handed matrix"),
        (("frames", "bare"), "red", "bare, not a unit quaternion"),
        (("frames", "lost"), "red", "lost, parent missing"),
        (("measured", "survey"), "amber", "survey, loop open"),
    ]
    assert [mark.measurement for mark in marks] == ["", "", "", "survey"]
    note = make_problem(("frames", "part"), "time-gap", "time gap", "short", severity="note")
    assert marks_of(plan.scene, [note]) == ()
    of_scene = make_problem(("time", "end"), "value", "no value", "never", severity="red")
    assert marks_of(plan.scene, [of_scene]) == ()


def test_that_an_item_is_marked_once_and_there_is_an_end_of_marks(plan) -> None:
    twice = [make_problem(("frames", "rig"), "jump", "jumps", "x", severity=severity) for severity in ("amber", "red")]
    assert [mark.severity for mark in marks_of(plan.scene, twice)] == ["red"]
    names = "".join(f"  f{i}: {{parent: world}}\n" for i in range(60))
    many = scene_of(f"framescope: 1\nframes:\n{names}")
    faults = [make_problem(("frames", f"f{i}"), "jump", "jumps", "x") for i in range(60)]
    assert len(marks_of(many, faults)) == MAX_MARKS


def test_that_a_long_name_is_cut(plan) -> None:
    name = "the second lidar from the left of the roof"
    scene = scene_of(f"framescope: 1\nframes:\n  {name}: {{parent: world}}\n")
    (mark,) = marks_of(scene, [make_problem(("frames", name), "jump", "jumps", "x")])
    assert mark.text == "the second lidar from t…, jumps"


# --- What is drawn


def test_that_a_body_is_tinted_where_it_is_and_a_bare_frame_has_a_circle(plan, faults) -> None:
    marks = marks_of(plan.scene, faults)
    visuals = made(plan, marks)
    drawn(visuals, plan)
    visual = visuals[0]
    (tint,) = visual.copies[0]
    assert tint.actors[0].GetVisibility()
    np.testing.assert_allclose(tint.actors[0].GetProperty().GetColor(), channels(DARK.red), atol=1e-6)
    np.testing.assert_allclose(pose(tint.actors[0])[:3, 3], [-0.4, 0, 0.2])
    assert visual.has_ring.tolist() == [False, True, True, False]
    assert told(visual) == [0, 1, 3]  # what has no pose has no place


def test_that_what_is_mirrored_shows_its_outside(plan, faults) -> None:
    visuals = made(plan, marks_of(plan.scene, faults))
    drawn(visuals, plan)
    actor = visuals[0].copies[0][0].actors[0]
    polydata = actor.GetMapper().GetInput()
    corners = points(actor)[polydata.faces.reshape(-1, 4)[:, 1:]]
    n = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    outward = np.einsum("ij,ij->i", n, corners.mean(axis=1))
    assert np.linalg.det(pose(actor)[:3, :3]) < 0
    assert (outward <= 1e-12).all()  # the pose turns them round once more
    assert outward.min() < -1e-6


def test_that_a_gap_is_told_at_every_time_in_the_unit_of_angles(plan, faults) -> None:
    marks = marks_of(plan.scene, faults)
    visuals = made(plan, marks)
    drawn(visuals, plan, 0.0)
    assert visuals[0].plates.texts[3] == "0.1000 m 10.00°"
    (ghost,) = visuals[0].copies[3]
    np.testing.assert_allclose(pose(ghost.actors[0])[:3, 3], [0.4, 0.1, 0.2])
    drawn(visuals, plan, 0.5)
    assert visuals[0].plates.texts[3] == "0.0500 m 10.00°"
    drawn(visuals, plan, 1.0)
    assert visuals[0].plates.texts[3] == "10.00°"
    in_rad = made(plan, marks, angles=RAD)
    drawn(in_rad, plan, 0.0)
    assert in_rad[0].plates.texts[3] == "0.1000 m 0.1745 rad"


def test_that_a_dashed_line_leads_from_where_the_measurement_comes_from(plan, faults) -> None:
    visuals = made(plan, marks_of(plan.scene, faults))
    drawn(visuals, plan)
    ((_, dashes, actor),) = visuals[0].paths
    assert actor.GetVisibility()
    np.testing.assert_allclose(dashes[[0, -1]], [[0, 0, 0], [0.4, 0.1, 0.2]], atol=1e-7)


def test_that_a_fault_of_some_rows_is_marked_when_they_are(plan) -> None:
    fault = make_problem(("frames", "part"), "jump", "jumps", "x", severity="red", times=(3.0, 5.0), rows=(30, 50))
    visuals = made(plan, marks_of(plan.scene, [fault]))
    for t, is_told in (
        (2.0, False),
        (3.0 - 0.9 * NEAR_S, True),
        (4.0, False),
        (5.0, True),
        (5.0 + 1.1 * NEAR_S, False),
    ):
        drawn(visuals, plan, t)
        assert bool(told(visuals[0])) is is_told, t
        assert bool(visuals[0].copies[0][0].actors[0].GetVisibility()) is is_told


def test_that_only_a_handful_of_plates_is_shown_the_selected_item_among_them() -> None:
    n = 12
    frames = "".join(f"  f{i}: {{parent: world, position: {{value: [{0.1 * i}, 0, 0], unit: m}}}}\n" for i in range(n))
    plan = compile_plan(scene_of(f"framescope: 1\nframes:\n{frames}"))
    faults = [make_problem(("frames", f"f{i}"), "jump", "jumps", "x") for i in range(n)]
    visuals = made(plan, marks_of(plan.scene, faults))
    drawn(visuals, plan)
    assert told(visuals[0]) == list(range(MAX_PLATES))
    give(visuals[0], SELECTED, "f11")
    drawn(visuals, plan)
    assert told(visuals[0]) == [*range(MAX_PLATES - 1), 11]


def test_that_plates_are_whole_in_the_picture_and_lie_on_neither_each_other_nor_names(plan, faults) -> None:
    visuals = made(plan, marks_of(plan.scene, faults), Labels)
    for size in ((800, 600), (420, 300)):
        drawn(visuals, plan, 0.3, size)
        plates = visuals[0].plates.batch.corners().reshape(len(visuals[0].plates.texts), -1, 4, 3)[:, 0]
        names = visuals[1].batch.corners()
        boxes = [(box[:, :2].min(axis=0), box[:, :2].max(axis=0)) for box in (*plates, *names)]
        boxes = [(low, high) for low, high in boxes if (high > low).all()]
        assert len(boxes) >= 5
        for low, high in boxes[:3]:
            assert (low >= 0).all()
            assert (high <= size).all()
        for i, (low, high) in enumerate(boxes):
            for other_low, other_high in boxes[i + 1 :]:
                overlap = np.minimum(high, other_high) - np.maximum(low, other_low)
                assert overlap.min() <= 1.0


def test_that_leader_lines_are_drawn_below_all_plates(plan, faults) -> None:
    visuals = made(plan, marks_of(plan.scene, faults), Labels)
    layers = Layers(DARK, has_ground=True)
    layers.add(visuals)
    props = layers.overlay_layer.GetViewProps()
    drawn_in_order = [props.GetItemAsObject(i) for i in range(props.GetNumberOfItems())]
    leaders = visuals[1].leaders.actors + [actor for leaders in visuals[0].leaders for actor in leaders.actors]
    plates = [visuals[1].batch.actor, *visuals[0].plates.actors]
    assert max(map(drawn_in_order.index, leaders)) < min(map(drawn_in_order.index, plates))
    assert len(drawn_in_order) == len(set(drawn_in_order)), "each is drawn once"


def test_that_a_scene_without_faults_has_no_actors(plan) -> None:
    (visual,) = made(plan, ())
    assert not visual.scene_actors
    assert not visual.overlay_actors


def test_that_marks_of_items_that_are_gone_are_left_out(plan, faults) -> None:
    marks = marks_of(plan.scene, faults)
    less = compile_plan(plan.scene.model_copy(update={"frames": {}, "bodies": {}, "measured": {}}))
    assert not made(less, marks)[0].scene_actors
    gone = replace(marks[3], measurement="nothing")
    assert not made(plan, (gone,))[0].overlay_actors


# --- In the widget


@pytest.fixture
def view(qtbot, dark, plan):
    view = SceneView()
    qtbot.addWidget(view)
    view.resize(480, 360)
    view.set_plan(plan)
    view.show_snapshot(evaluate(plan, 0.0), {})
    view.show()
    with qtbot.waitExposed(view):
        pass
    yield view
    view.close()


def test_that_the_same_faults_again_cost_nothing_and_none_take_the_marks_away(view, plan, monkeypatch, faults) -> None:
    rebuilt = []
    build = SceneRenderer.build_visuals
    monkeypatch.setattr(SceneRenderer, "build_visuals", lambda self: (rebuilt.append(True), build(self)))
    view.set_problems(faults)
    red = red_pixels(view)
    view.set_problems(faults)
    assert red_pixels(view) == pytest.approx(red, abs=20)  # edges may be smoothed by now
    assert len(rebuilt) == 1
    view.set_problems(())
    assert red > 200 + red_pixels(view)
    assert len(rebuilt) == 2


def red_pixels(view) -> int:
    """Return how many pixels have the red of problems, about."""
    QApplication.processEvents()
    image = view.grab().toImage()
    data = (
        np.frombuffer(image.constBits(), dtype=np.uint8).reshape(image.height(), image.width(), 4)[..., :3].astype(int)
    )
    b, g, r = data[..., 0], data[..., 1], data[..., 2]
    return int(((r > 110) & (r > 1.7 * g) & (r > 1.7 * b)).sum())


def test_that_the_camera_comes_only_when_the_item_is_out_of_the_picture(view) -> None:
    camera = view.camera
    camera.reset()
    before = camera.state
    camera.bring_into_view("rig")
    assert camera.state == before
    camera.pan(5000.0, 0.0)
    away = camera.state
    camera.bring_into_view("lost")  # it has no pose: nothing to look at
    assert camera.state == away
    camera.bring_into_view("rig")
    np.testing.assert_allclose(camera.state.focal_point, [-0.4, 0, 0.2], atol=1e-12)
    np.testing.assert_allclose(camera.state.direction, away.direction, atol=1e-12)
    assert camera.state.distance == pytest.approx(away.distance)

"""Arrows of sensors, their letters, and the legend of their scales."""

from __future__ import annotations

import numpy as np
import pytest

from framescope.core.analysis.staged_rotation import StagedRotation
from framescope.core.evaluation.evaluate import evaluate
from framescope.ui.scene_view.base.pick_ray import PickRay
from framescope.ui.scene_view.base.scene_options import STAGED_ROTATION, SceneOptions
from framescope.ui.scene_view.base.visual import VIDEO, ViewContext
from framescope.ui.scene_view.camera.camera import Projection
from framescope.ui.scene_view.geometry.sprites import SpriteSheet
from framescope.ui.scene_view.visual_registry import looks_alike
from framescope.ui.scene_view.visuals import arrow_labels, arrow_legend
from framescope.ui.scene_view.visuals.arrow_labels import captions_of, readable
from framescope.ui.scene_view.visuals.arrow_legend import ArrowScales, scale_notes
from framescope.ui.scene_view.visuals.sensor_arrows import SensorArrows
from framescope.ui.theme.tokens import DARK, LIGHT, contrast
from tests.support.mechanical_scenes import MECHANICS
from tests.support.scenes import HEAD
from tests.support.visuals import CAMERA, built, peak_of, plan_of, points, tick_of

DISC = (
    HEAD
    + """\
  disc: {parent: world, orientation: {form: axis, axis: z, angle: "2*t", unit: rad}}
  bug: {parent: disc, position: {value: [0.5, 0, "0.1*t"], unit: m}}
sensors:
  still:
    form: absolute
    frame_a: bug
    get_r: false
    get_v: true
    arrows: {v: 0.5 m per m/s, a: 100 mm per m/s², w: 0.2 m per rad/s, z: 1 m per rad/s²}
  carried:
    form: relative
    frame_a: disc
    frame_b: bug
    get_r_rel: true
    arrows: {v: 3 m per m/s}
  hidden: {form: absolute, frame_a: bug, get_v: true, animation: false, arrows: {v: 1 m per m/s}}
"""
)


CONTEXT = ViewContext(plan_of(DISC), DARK, 1.0, SpriteSheet(1.0))


def ends(bundle) -> list[tuple[np.ndarray, np.ndarray]]:
    """Return foot and tip of each arrow as it is drawn."""
    drawn = points(bundle.actors[0]).reshape(len(bundle.feet), -1, 3)
    found = []
    for foot, vector, arrow in zip(bundle.feet, bundle.vectors, drawn, strict=True):
        along = (arrow - foot) @ vector
        found.append((foot, arrow[along.argmax()]))
    return found


def test_that_arrows_stand_at_what_is_measured_and_reach_as_far_as_their_scale_says() -> None:
    plan = plan_of(DISC)
    assert not plan.problems
    arrows, tick = built(SensorArrows, plan), tick_of(plan, 0.7)
    arrows.show(tick)
    (straight, linear), (curled, angular) = arrows.bundles
    assert straight == [("still", "v"), ("still", "a"), ("carried", "v")]
    assert curled == [("still", "w"), ("still", "z")]
    c, s = np.cos(1.4), np.sin(1.4)
    p = np.array([0.5 * c, 0.5 * s, 0.07])
    vectors = (0.5 * np.array([-s, c, 0.1]), 0.1 * np.array([-2 * c, -2 * s, 0]), (0, 0, 0.3))
    for (foot, tip), vector in zip(ends(linear), vectors, strict=True):
        np.testing.assert_allclose(foot, p, atol=1e-12)
        np.testing.assert_allclose(tip, p + vector, atol=1e-6)
    np.testing.assert_allclose(ends(angular)[0][1], p + np.array([0, 0, 0.4]), atol=1e-6)
    still = points(angular.actors[0]).reshape(2, -1, 3)[1]
    assert not still.any()  # no angular acceleration


def test_that_a_measured_position_is_an_arrow_from_the_frame_it_is_measured_from() -> None:
    plan = plan_of(DISC.replace("get_r: false", "get_r: true"))
    arrows, tick = built(SensorArrows, plan), tick_of(plan, 0.3)
    arrows.show(tick)
    names = [(plan.names[start], plan.names[end]) for start, end in arrows.position_pairs]
    assert names == [("world", "bug"), ("disc", "bug")]  # and none of the sensor that is not drawn
    foot, tip = ends(arrows.position_arrows)[0]
    np.testing.assert_allclose(foot, 0.0)
    np.testing.assert_allclose(tip, tick.snapshot.p_WF[plan.index["bug"]], atol=1e-6)


def test_that_arrows_looked_at_many_times_at_once_are_those_of_one_time_after_another() -> None:
    plan = plan_of(DISC.replace("get_r: false", "get_r: true").replace("0.1*t", "0.1*sqrt(t - 0.5)"))
    times = np.array([0.2, 0.7, 1.9])  # at the first there is no bug
    arrows, others = built(SensorArrows, plan), built(SensorArrows, plan)
    one_by_one, at_once = list(arrows.nodes()), list(others.nodes())
    for t in times:
        arrows.show(tick_of(plan, t))
        for source in one_by_one:
            source.take()
    assert all(source.take_all(evaluate(plan, times)) for source in at_once)
    assert len(at_once) == 4  # straight, curled, positions and values
    for one, other in zip(one_by_one, at_once, strict=True):
        expected, found = one.states(), other.states()
        assert 0 < found.is_seen.sum() < found.is_seen.size
        for name in expected._fields:
            np.testing.assert_allclose(getattr(found, name), getattr(expected, name), rtol=1e-12, atol=1e-14)


def placed(plan, t: float) -> SensorArrows:
    arrows, projection = built(SensorArrows, plan), Projection(CAMERA, 800, 600, 1.0)
    arrows.show(tick_of(plan, t))
    arrows.occupy(projection)
    arrows.place(projection)
    return arrows


def test_that_the_value_of_an_arrow_is_picked_as_its_sensor() -> None:
    plan = plan_of(DISC)
    arrows, tick, projection = placed(plan, 0.7), tick_of(plan, 0.7), Projection(CAMERA, 800, 600, 1.0)
    names = [name for keys, _ in arrows.bundles for name, _ in keys]
    boxes = arrows.values.boxes
    is_shown = np.isfinite(boxes).all(axis=1)
    assert np.count_nonzero(is_shown) >= 3
    for name, box in zip(np.array(names)[is_shown], boxes[is_shown], strict=True):
        x, y = (box[:2] + box[2:]) / 2
        assert next(iter(arrows.pick(PickRay(tick, projection, x, y)))).key == ("sensors", name)
    left, bottom = boxes[is_shown].min(axis=0)[:2]
    assert not list(arrows.pick(PickRay(tick, projection, left - 40.0, bottom - 40.0)))


def test_that_letters_stand_beside_tips_and_only_of_arrows_that_are_seen(monkeypatch) -> None:
    monkeypatch.setattr(arrow_labels, "FEW", 4)
    plan, projection = plan_of(DISC), Projection(CAMERA, 800, 600, 1.0)
    arrows = placed(plan, 0.7)
    assert arrows.values is None
    corners = arrows.letters.batch.corners()[..., :2]
    is_seen = np.ptp(corners[..., 0], axis=1) > 0
    assert is_seen.tolist() == [True, True, True, True, False]
    tips = [tip for _, bundle in arrows.bundles for _, tip in ends(bundle)]
    for center, tip in list(zip(corners.mean(axis=1), tips, strict=True))[:4]:
        assert 5 < np.hypot(*(center - projection.project(tip)[:2])) < 16


def test_that_values_stand_beyond_tips_with_names_and_units() -> None:
    plan, projection = plan_of(DISC), Projection(CAMERA, 800, 600, 1.0)
    arrows = placed(plan, 0.7)
    assert arrows.letters is None
    captions = captions_of([("v", "still", "m/s"), ("a", "still", "m/s²"), ("v", "carried", "m/s")], "#FFFFFF", CONTEXT)
    assert [caption.name for caption in captions] == ["still", "", "carried"]  # five arrows: where there are several
    # Straight ones first; velocities in m/s, rates in degrees.
    speed = np.hypot(1.0, 0.1)
    assert arrows.values.plates.texts == [f"{speed:.2f}", "2.00", "0.100", "114.6", "0.0"]
    boxes = arrows.values.plates.corners()[:, 0, :, :2]
    is_seen = np.ptp(boxes[..., 0], axis=1) > 0
    assert is_seen.tolist() == [True, True, True, True, False]
    feet_and_tips = [pair for _, bundle in arrows.bundles for pair in ends(bundle)]
    for box, (_, tip) in list(zip(boxes, feet_and_tips, strict=True))[:4]:
        off = np.maximum(np.maximum(box.min(axis=0) - (at := projection.project(tip)[:2]), at - box.max(axis=0)), 0.0)
        assert 0 < np.hypot(*off) < 60
    # None lies over an arrow, and none over another.
    for i, box in enumerate(boxes[:4]):
        low, high = box.min(axis=0), box.max(axis=0)
        for foot, tip in feet_and_tips[:4]:
            a, b = (projection.project(p)[:2] for p in (foot, tip))
            along = a + np.linspace(0.0, 1.0, 50)[:, None] * (b - a)
            assert not ((along > low) & (along < high)).all(axis=1).any()
        for other in boxes[i + 1 : 4]:
            assert (np.minimum(high, other.max(axis=0)) - np.maximum(low, other.min(axis=0))).min() <= 1.0


def test_that_values_follow_the_time_and_are_those_of_the_moment_alone() -> None:
    plan = plan_of(DISC.replace('angle: "2*t"', 'angle: "t + sin(t)"'))
    projection = Projection(CAMERA, 800, 600, 1.0)
    arrows = placed(plan, 0.7)
    first = arrows.values.plates.texts.copy(), arrows.values.plates.corners().copy()
    for t in (1.9, 0.7):
        arrows.show(tick_of(plan, t))
        arrows.context.occupied.clear()
        arrows.occupy(projection)
        arrows.place(projection)
        assert (arrows.values.plates.texts == first[0]) is (t == 0.7)
    np.testing.assert_array_equal(arrows.values.plates.corners(), first[1])


def test_that_an_arrow_that_leaves_the_picture_has_its_value_at_the_edge() -> None:
    plan = plan_of(DISC.replace("v: 0.5 m per m/s", "v: 50 m per m/s"))
    arrows, projection = placed(plan, 0.7), Projection(CAMERA, 800, 600, 1.0)
    box = arrows.values.plates.corners()[0, 0, :, :2]
    assert np.ptp(box[:, 0]) > 0
    assert not ((arrows.arrow_ends.tips[0] >= 0) & (arrows.arrow_ends.tips[0] <= (800, 600))).all()
    assert (box >= 0).all()
    assert (box <= (projection.width, projection.height)).all()


def test_that_a_frame_without_a_pose_has_no_arrows() -> None:
    plan = plan_of(DISC.replace("bug: {parent: disc", "bug: {parent: dsic"))
    arrows = placed(plan, 0.0)
    for actor in arrows.scene_actors:
        assert not points(actor).any()
    assert not np.ptp(arrows.values.plates.corners(), axis=2).any()


def notes_of(text: str, theme=DARK):
    return scale_notes(ViewContext(plan_of(text), theme, 1.0, SpriteSheet(1.0)))


def test_that_the_legend_tells_each_scale_in_the_unit_of_its_values() -> None:
    assert [note[:2] for note in notes_of(DISC)] == [
        ("v", "0.5 m per m/s, bug"),
        ("v", "3 m per m/s, bug"),
        ("a", "100 mm per m/s²"),
        ("ω", "3.49 mm per °/s"),
        ("z", "17.5 mm per °/s²"),
    ]
    assert notes_of(MECHANICS) == [("F", "20 mm per N", DARK.force), ("M", "0.1 m per N m", DARK.omega)]
    assert notes_of(HEAD + "  it: {parent: world}\n") == []


@pytest.mark.parametrize("decorations", [None, VIDEO])
def test_that_the_legend_stands_in_the_corner_line_above_line(decorations) -> None:
    plan = plan_of(DISC)
    sheet = SpriteSheet(1.0)
    context = ViewContext(plan, DARK, 1.0, sheet) if decorations is None else ViewContext(plan, DARK, 1.0, sheet, VIDEO)
    scales = ArrowScales(context)
    sheet.pack()
    scales.place(Projection(CAMERA, 640, 400, 1.0))
    corners = scales.batch.corners()[..., :2]
    low, high = corners.min(axis=1), corners.max(axis=1)
    assert high[:, 0].max() == 640 - 16
    assert np.ptp(low[:, 0]) == 0
    assert (low[:-1, 1] >= high[1:, 1]).all()
    assert low[-1, 1] > (30 if decorations is None else 48)  # above the note on the grid, and the axes of a video


def test_that_the_legend_has_a_plate_while_a_rotation_is_shown_turn_by_turn() -> None:
    step = StagedRotation("disc", "world", "XYZ", (0.1, 0.2, 0.3), 1.0)
    lines = []
    for staged_rotation in (None, step):
        context = ViewContext(
            plan_of(DISC), DARK, 1.0, SpriteSheet(1.0), options=SceneOptions({STAGED_ROTATION: staged_rotation})
        )
        lines.append(arrow_legend.render_scale_line("v", "2 m per m/s", DARK.sensor, context))
    plain, plated = (np.asarray(line)[:, :, 3] for line in lines)
    assert plain[2, plain.shape[1] // 2 :].min() == 0
    assert plated[2:-2, 2:-2].min() > 180  # behind all of it
    assert plated.shape[1] > plain.shape[1]


def test_that_colours_of_arrows_can_be_read_as_letters() -> None:
    for theme in (DARK, LIGHT):
        for color in (theme.sensor, theme.force, theme.omega):
            assert contrast(readable(color, theme), theme.scene_bottom) >= 4.5
    assert readable(DARK.sensor, DARK) == DARK.sensor


def test_that_an_edit_of_a_scale_draws_the_legend_anew_and_one_of_a_position_does_not() -> None:
    plan = plan_of(DISC)
    assert looks_alike(plan, plan_of(DISC.replace("[0.5, 0,", "[0.4, 0,")))
    for old, new in (("0.5 m per", "0.6 m per"), ("get_r_rel: true", "get_r_rel: false\n    get_v_rel: true")):
        assert not looks_alike(plan, plan_of(DISC.replace(old, new)))


def test_that_a_tick_makes_nothing_large() -> None:
    plan = plan_of(DISC)
    arrows, ticks = built(SensorArrows, plan), [tick_of(plan, t) for t in (0.0, 1.0)]
    for tick in ticks:  # what the core makes when it is first asked is not ours
        arrows.show(tick)
    assert peak_of(lambda: arrows.show(ticks[0])) < 4096

"""The shift in the 3D view: arrows head to tail, their scale, and a point that is dragged over a body."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkCommonCore import vtkUnsignedCharArray

from framescope.core.analysis.shifts import ShiftKey, shift_at
from framescope.core.evaluation.evaluate import evaluate
from framescope.features.shift.ui.shift_arrows import ShiftArrows, color_of
from framescope.features.shift.ui.shift_look import (
    ROLES,
    SHIFT,
    SHIFT_LIT,
    DrawnShift,
    ShiftScales,
    scale_key,
    scales_of,
    symbols_of,
)
from framescope.ui.formatting.number_text import MINUS
from framescope.ui.scene_view.base.scene_options import SceneOptions
from framescope.ui.scene_view.base.visual import ViewContext
from framescope.ui.scene_view.camera.camera import Projection
from framescope.ui.scene_view.geometry.sprites import SpriteSheet
from framescope.ui.scene_view.interaction.surface_drag import PointDrag, Surfaces
from framescope.ui.scene_view.scene_renderer import SceneRenderer
from framescope.ui.scene_view.visuals.arrow_labels import has_values
from framescope.ui.theme.tokens import DARK, LIGHT, contrast
from tests.core.test_shift_terms import mechanics
from tests.support.mechanical_scenes import MECHANICS
from tests.support.scenes import HEAD
from tests.support.view_ticks import new_window
from tests.support.visuals import CAMERA, give, plan_of, points, tick_of

DISC = (
    HEAD
    + """\
  disc:
    parent: world
    position: {value: ["0.1*t", 0, 0.3], unit: m}
    orientation: {form: axis, axis: z, angle: "0.5*t**2", unit: rad}
  bug: {parent: disc, position: {value: ["0.2*t", 0.3, 0], unit: m}}
bodies:
  plate: {frame: disc, shape: {form: box, size: [1.0, 0.8, 0.2], unit: m}}
  knob: {frame: disc, shape: {form: sphere, radius: 0.1 m}, position: {value: [0.3, 0.2, 0.1], unit: m}}
view: {triad_length: 0.2 m}
"""
)
R = (0.5, 0.1, 0.1)
PROJECTION = Projection(CAMERA, 640, 480, 1.0)


def built(plan, key: ShiftKey, scales: ShiftScales | None = None, theme=DARK) -> ShiftArrows:
    sheet = SpriteSheet(1.0)
    drawn = DrawnShift(key, scales or scales_of(plan, key))
    made = ShiftArrows(ViewContext(plan, theme, 1.0, sheet, options=SceneOptions({SHIFT: drawn})))
    sheet.pack()
    return made


def test_that_nothing_is_made_while_no_shift_is_shown() -> None:
    plan = plan_of(DISC)
    visual = ShiftArrows(ViewContext(plan, DARK, 1.0, SpriteSheet(1.0)))
    assert visual.scene_actors == visual.overlay_actors == []


@pytest.mark.parametrize("quantity", ["velocity", "acceleration"])
@pytest.mark.parametrize("other", ["", "bug"])
def test_that_terms_stand_head_to_tail_and_the_sum_closes_them(quantity, other) -> None:
    plan = plan_of(DISC)
    key = ShiftKey("disc", quantity, R, other=other)
    visual, tick = built(plan, key, ShiftScales(0.4)), tick_of(plan, 1.5)
    visual.show(tick)
    shift = shift_at(plan, tick.snapshot, key)
    assert len(shift.terms) == len(symbols_of(key)) == len(visual.term_arrows.feet)
    at = shift.p_W
    for foot, vector, term in zip(visual.term_arrows.feet, visual.term_arrows.vectors, shift.terms, strict=True):
        assert_allclose(foot, at, atol=1e-12)
        assert_allclose(vector, 0.4 * term.vector, atol=1e-12)
        at = foot + vector
    assert_allclose(visual.total_arrow.feet[0], shift.p_W)
    assert_allclose(visual.total_arrow.tips[0], at, atol=1e-12)
    assert_allclose(visual.lever_arrow.tips[0], shift.p_W, atol=1e-12)
    visual.occupy(PROJECTION)
    visual.place(PROJECTION)
    shown = [f"{np.linalg.norm(term.vector):.3g}" for term in shift.terms]
    texts = visual.values.plates.texts
    assert len(texts) == len(shown) + 1
    for text, expected in zip(texts, shown, strict=False):
        assert float(text.replace(MINUS, "-")) == pytest.approx(float(expected), abs=0.006)


def test_that_a_force_stands_at_both_places_with_its_moment() -> None:
    plan = plan_of(DISC)
    key = ShiftKey("disc", "force", R, force=(0.0, 0.0, -10.0))
    visual, tick = built(plan, key, ShiftScales(0.05, 0.02)), tick_of(plan, 0.0)
    visual.show(tick)
    i = plan.index["disc"]
    assert_allclose(visual.term_arrows.feet[0], tick.snapshot.p_WF[i] + R)
    assert_allclose(visual.term_arrows.vectors[0], (0, 0, -0.5))
    assert_allclose(visual.total_arrow.feet[0], tick.snapshot.p_WF[i])
    assert_allclose(visual.total_arrow.vectors[0], (0, 0, -0.5))
    assert_allclose(visual.moment_arrow.feet[0], tick.snapshot.p_WF[i])
    assert_allclose(visual.moment_arrow.vectors[0], 0.02 * np.cross(R, (0, 0, -10)))
    assert visual.values.plates.texts == ["10.0", "5.10"]


def test_that_arrows_vanish_where_there_is_no_value() -> None:
    plan = plan_of(DISC)
    visual = built(plan, ShiftKey("disc", "velocity", R), ShiftScales(1.0))
    visual.show(tick_of(plan, 1.0))
    assert points(visual.total_arrow.actors[0]).any()
    give(visual, SHIFT, DrawnShift(ShiftKey("gone", "velocity", R), ShiftScales(1.0)))
    assert visual.shift is None
    assert not points(visual.total_arrow.actors[0]).any()
    visual.occupy(PROJECTION)
    visual.place(PROJECTION)
    assert visual.handle_at(PROJECTION) is None


def test_that_a_connection_point_shows_the_force_of_its_port() -> None:
    plan = mechanics(MECHANICS)
    key = ShiftKey("left", "force", point="B")
    visual, tick = built(plan, key), tick_of(plan, 0.4)
    visual.show(tick)
    port = tick.snapshot.ports["B"]
    assert_allclose(visual.term_arrows.feet[0], port.p_W)
    assert_allclose(visual.term_arrows.vectors[0], 0.02 * port.force_W)  # the scale of the scene's own arrows
    assert_allclose(visual.moment_arrow.vectors[0], 0.1 * np.cross(visual.shift.r_W, port.force_W))


# --- Looks


def test_that_colours_differ_and_can_be_told_from_the_sum() -> None:
    for theme in (DARK, LIGHT):
        for quantity in ("velocity", "acceleration", "force"):
            symbols = symbols_of(ShiftKey("a", quantity, other="b"))
            colors = [color_of(symbol, theme) for symbol in symbols]
            assert len({*colors, theme.sensor}) == len(symbols) + 1
            assert all(contrast(color, theme.scene_bottom) > 2.5 for color in colors)
    assert set(ROLES) == {
        s for q in ("velocity", "acceleration", "force") for s in symbols_of(ShiftKey("a", q, other="b"))
    }


def test_that_arrows_are_as_long_as_those_of_sensors_or_to_be_seen() -> None:
    sensed = plan_of(DISC + "sensors:\n  s: {form: absolute, frame_a: bug, get_v: true, arrows: {v: 0.7 m per m/s}}\n")
    key = ShiftKey("disc", "velocity", R)
    assert scales_of(sensed, key).linear == 0.7
    for quantity in ("velocity", "acceleration"):
        plan, key = plan_of(DISC), ShiftKey("disc", quantity, R)
        length = scales_of(plan, key).linear
        largest = max(
            np.linalg.norm(term.vector)
            for t in np.linspace(plan.start, plan.end, 20)
            for term in shift_at(plan, evaluate(plan, float(t)), key).terms
        )
        assert 0.15 < length * largest < 2.2  # half an axis to eleven
    assert scales_of(plan_of(HEAD + "  a: {parent: world}\n"), ShiftKey("a", "velocity", R)).linear > 0.0


def test_that_a_point_that_is_dragged_a_little_keeps_the_scale() -> None:
    plan, key = plan_of(DISC), ShiftKey("disc", "velocity", R)
    assert scale_key(plan, key) == scale_key(plan, replace(key, r=(0.5, 0.15, 0.1)))
    assert scale_key(plan, key) != scale_key(plan, replace(key, r=(5.0, 0.0, 0.0)))


def test_that_sensors_leave_their_values_out_beside_a_shift() -> None:
    plan = plan_of(DISC)
    context = ViewContext(plan, DARK, 1.0, SpriteSheet(1.0))
    assert has_values(context)
    assert not has_values(
        replace(context, options=SceneOptions({SHIFT: DrawnShift(ShiftKey("disc"), ShiftScales(1.0))}))
    )


# --- The renderer


@pytest.fixture
def renderer():
    window = new_window()
    window.SetSize(320, 240)
    made = SceneRenderer(DARK)
    made.layers.attach(window)
    plan = plan_of(DISC)
    made.set_plan(plan)
    made.show(evaluate(plan, 1.0))
    yield made
    made.detach()
    window.Finalize()


def test_that_a_shift_is_switched_on_and_off_and_a_drag_rebuilds_nothing(renderer) -> None:
    key = ShiftKey("disc", "velocity", R)
    assert renderer.visual(ShiftArrows) is None
    renderer.set_option(SHIFT, DrawnShift(key, ShiftScales(0.5)))
    renderer.prepare()
    visuals = renderer.visuals
    before = renderer.visual(ShiftArrows).handle_at(renderer.projection())
    moved = replace(key, r=(-0.5, 0.1, 0.1))
    renderer.set_option(SHIFT, DrawnShift(moved, ShiftScales(0.5)))
    renderer.set_option(SHIFT_LIT, True)
    renderer.prepare()
    assert renderer.visuals is visuals
    assert np.hypot(*(renderer.visual(ShiftArrows).handle_at(renderer.projection()) - before)) > 20
    at = renderer.projection().project(renderer.visual(ShiftArrows).shift.p_W)
    assert_allclose(renderer.visual(ShiftArrows).handle_at(renderer.projection()), at[:2])
    renderer.set_option(SHIFT, DrawnShift(replace(moved, quantity="acceleration"), ShiftScales(0.5)))
    assert renderer.visuals is not visuals  # other terms
    assert renderer.visual(ShiftArrows).shift.unit == "m/s²"
    other = SceneRenderer(DARK)
    other.match(renderer)
    assert_allclose(other.visual(ShiftArrows).shift.p_W, renderer.visual(ShiftArrows).shift.p_W)
    other.detach()
    renderer.set_option(SHIFT, None)
    assert renderer.visual(ShiftArrows) is None


def test_that_the_picture_has_the_arrows_while_they_are_on_and_no_trace_of_them_after(renderer) -> None:
    def picture() -> np.ndarray:
        renderer.prepare()
        window = renderer.layers.window
        window.Render()
        pixels = vtkUnsignedCharArray()
        window.GetPixelData(0, 0, 319, 239, 0, pixels, 0)
        return vtk_to_numpy(pixels).reshape(240, 320, 3).astype(int)

    before = picture()
    renderer.set_option(SHIFT, DrawnShift(ShiftKey("disc", "velocity", (0.5, -0.4, 0.1)), ShiftScales(0.8)))
    during = picture()
    is_magenta = (during[..., 0] > during[..., 1] + 40) & (during[..., 2] > during[..., 1] + 20)
    assert is_magenta.sum() > 60  # the arrow of ω×r
    renderer.set_option(SHIFT, None)
    assert np.array_equal(picture(), before)


# --- Dragging


def test_that_a_point_slides_over_the_surface_and_keeps_its_distance_from_the_pointer() -> None:
    plan = plan_of(DISC)
    tick = tick_of(plan, 0.0)
    p_W = tick.snapshot.p_WF[plan.index["disc"]] + (0.0, -0.1, 0.1)  # on the top of the plate
    x, y, _ = PROJECTION.project(p_W)
    drag = PointDrag(PROJECTION, p_W, x + 3, y - 2, Surfaces().of(tick, "disc"))
    assert_allclose(drag.move(x + 3, y - 2), p_W, atol=1e-9)
    for goal in ((0.2, -0.3, 0.1), (-0.3, 0.2, 0.1)):
        goal_W = tick.snapshot.p_WF[plan.index["disc"]] + goal
        gx, gy, _ = PROJECTION.project(goal_W)
        assert_allclose(drag.move(gx + 3, gy - 2), goal_W, atol=1e-9)
    # over the knob the point stands on it
    top = tick.snapshot.p_WF[plan.index["disc"]] + (0.3, 0.2, 0.2)
    found = drag.move(*(PROJECTION.project(top)[:2] + np.array([3, -2]))) - tick.snapshot.p_WF[plan.index["disc"]]
    assert np.linalg.norm(found - (0.3, 0.2, 0.1)) == pytest.approx(0.1, abs=2e-3)


def test_that_off_the_body_or_set_free_a_point_keeps_its_depth() -> None:
    plan = plan_of(DISC)
    tick = tick_of(plan, 0.0)
    p_W = np.array([0.1, -0.1, 0.4])
    x, y, depth = PROJECTION.project(p_W)
    drag = PointDrag(PROJECTION, p_W, x, y, Surfaces().of(tick, "disc"))
    free = drag.move(x + 30, y + 10, is_free=True)
    assert_allclose(PROJECTION.project(free), (x + 30, y + 10, depth), atol=1e-6)
    off = drag.move(5.0, 475.0)
    assert_allclose(PROJECTION.project(off), (5.0, 475.0, depth), atol=1e-6)


def test_that_a_frame_without_a_body_has_no_surface() -> None:
    plan = plan_of(DISC)
    meet = Surfaces().of(tick_of(plan, 0.0), "bug")
    assert meet(np.array([0.0, 0.3, 2.0]), np.array([0.0, 0.0, -1.0])) is None

"""The picture of a rotation turn by turn: ghosts, lit axis, letters, arcs; and the same seen from the frame."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from framescope.core.analysis.staged_rotation import EXAMPLE, StagedRotation
from framescope.core.evaluation.evaluate import compile_plan, evaluate
from framescope.core.kernels.validation import SEQUENCES, as_sequence
from framescope.ui.scene_view.base.scene_options import LARGE_CORNERS, STAGED_ROTATION, SceneOptions
from framescope.ui.scene_view.base.tick import Tick
from framescope.ui.scene_view.base.visual import ViewContext
from framescope.ui.scene_view.camera.camera import Projection, step_back
from framescope.ui.scene_view.camera.follow_frame import rotate_with_frame
from framescope.ui.scene_view.geometry.sprites import SpriteSheet
from framescope.ui.scene_view.scene_renderer import SceneRenderer
from framescope.ui.scene_view.visuals.angle_arcs import Arcs, planes_of
from framescope.ui.scene_view.visuals.corner_overlay import CLOCK_WIDTH, TOOLS_WIDTH, Overlay
from framescope.ui.scene_view.visuals.example_vector import ExampleVector
from framescope.ui.scene_view.visuals.intermediate_frames import LIT_REACH, IntermediateFrames, ghost_template
from framescope.ui.scene_view.visuals.staged_rotation import GHOST_SHARE, StagedTurns, lengths_of
from framescope.ui.theme.tokens import DARK, channels
from tests.support.scenes import HEAD
from tests.support.turns import elementary
from tests.support.visuals import CAMERA, plan_of, points, tick_of
from tests.ui.test_view_stages import TURNED, turned

DEGREES = (35.0, -50.0, 115.0)
PLAIN = TURNED.partition("view:")[0]


def step_of(sequence="XYZ", progress=1.6, degrees=DEGREES) -> StagedRotation:
    first, second, third = (math.radians(angle) for angle in degrees)
    return StagedRotation("part", "base", sequence, (first, second, third), progress)


def made(visual, step: StagedRotation, plan=None):
    """Return a visual of a rotation turn by turn, shown and placed, and its tick."""
    plan = plan or turned(step.sequence, list(DEGREES))
    shown = compile_plan(step.edit().apply(plan.scene))
    sheet = SpriteSheet(1.0)
    context = ViewContext(plan, DARK, 1.0, sheet, options=SceneOptions({STAGED_ROTATION: step}))
    built = visual(context)
    sheet.pack()
    tick = Tick(evaluate(shown, 0.0), shown, {}, step)
    built.show(tick)
    projection = Projection(CAMERA, 800, 600, 1.0)
    built.occupy(projection)
    built.place(projection)
    return built, tick, context


def stages_of(tick, step) -> list[np.ndarray]:
    R = [tick.snapshot.R_WF[tick.plan.index["base"]]]
    for i, axis in enumerate(step.axes):
        R.append(R[-1] @ elementary(axis + 1, math.degrees(step.turned[i])))
    return R


@pytest.mark.parametrize("sequence", SEQUENCES)
def test_that_a_ghost_stays_where_each_turn_has_begun(sequence) -> None:
    step = step_of(sequence)
    stepped, tick, _ = made(StagedTurns, step)
    R, row = stages_of(tick, step), tick.plan.index["part"]
    np.testing.assert_allclose(R[2], tick.snapshot.R_WF[row], atol=1e-12)
    for k in (0, 1):
        expected = 0.3 * ghost_template().points @ R[k].T + tick.snapshot.p_WF[row]
        np.testing.assert_allclose(points(stepped.scene_actors[k]), expected, atol=1e-6)
    assert np.ptp(points(stepped.scene_actors[2]), axis=0).max() == 0.0  # the third turn has not begun


@pytest.mark.parametrize(("progress", "turn"), [(0.0, None), (0.5, 0), (1.0, 0), (1.5, 1), (2.2, 2), (3.0, 2)])
def test_that_the_axis_of_the_turn_is_lit_in_its_colour(progress, turn) -> None:
    step = step_of("ZYX", progress)
    stepped, tick, context = made(StagedTurns, step)
    assert [bool(actor.GetVisibility()) for actor in stepped.lit.actors] == [turn is not None] * 2
    if turn is not None:
        axis = step.axes[turn]
        along = stages_of(tick, step)[turn][:, axis] * lengths_of(context.plan, context.staged_frame)[0]
        origin = tick.snapshot.p_WF[tick.plan.index["part"]]
        np.testing.assert_allclose(points(stepped.lit.actors[0]), [origin + r * along for r in LIT_REACH], atol=1e-6)
        assert stepped.lit.actors[0].GetProperty().GetColor() == pytest.approx(channels(DARK.axes[axis]))


def test_that_axes_get_primes_and_one_text_where_they_are_one() -> None:
    plan = turned("XYZ", list(DEGREES), (0.3, 0, 0))
    stepped, _, _ = made(StagedTurns, step_of(progress=1.6), plan)
    assert sorted(stepped.texts) == sorted(["x = x′", "x″", "y", "y′ = y″", "z", "z′", "z″"])
    stepped, _, _ = made(StagedTurns, step_of(progress=0.0), plan)
    assert sorted(stepped.texts) == ["x", "y", "z"]


def test_that_the_value_so_far_and_the_value_to_come_are_written() -> None:
    stepped, _, _ = made(StagedTurns, step_of(progress=1.5))
    assert stepped.arcs.labels.texts == ["35.0°", "−25.0°", ""]
    assert stepped.remaining.text == "to −50.0°"
    stepped, _, _ = made(StagedTurns, step_of(progress=2.0))
    assert stepped.remaining.text == ""
    assert not stepped.remaining.scene_actors[0].GetVisibility()


def test_that_the_dots_go_on_where_the_arc_ends_and_end_at_the_set_angle() -> None:
    stepped, _, context = made(StagedTurns, step_of(progress=1.5))
    arc, radius = stepped.arcs.arcs[1], lengths_of(context.plan, context.staged_frame)[2]
    dots = points(stepped.remaining.scene_actors[0])
    center, end = arc.center(), arc.point(math.radians(-50.0))
    used = dots[np.linalg.norm(dots - dots[-1], axis=1) > 1e-9]
    assert np.linalg.norm(used - center, axis=1) == pytest.approx(arc.radius, abs=1e-6)
    assert np.linalg.norm(used[0] - arc.point(math.radians(-25.0))) < 0.1 * radius
    assert np.linalg.norm(used[-1] - end) < 0.1 * radius
    assert np.linalg.norm(used[1] - used[0]) > 0


def test_that_the_stages_and_arcs_of_the_scene_give_way_to_it() -> None:
    plan = turned("XYZ", list(DEGREES))
    for visual in (IntermediateFrames, Arcs):
        drawn = visual(
            ViewContext(plan, DARK, 1.0, SpriteSheet(1.0), options=SceneOptions({STAGED_ROTATION: step_of()}))
        )
        assert not drawn.scene_actors
        assert visual(ViewContext(plan, DARK, 1.0, SpriteSheet(1.0))).scene_actors
    assert not StagedTurns(ViewContext(plan, DARK, 1.0, SpriteSheet(1.0))).scene_actors


def test_that_a_scene_without_stages_and_arcs_gets_lengths_from_the_triad() -> None:
    text = PLAIN.format(position=[0, 0, 0], sequence="XYZ", angles=list(DEGREES))
    _, _, context = made(StagedTurns, step_of(), plan_of(text))
    triad, ghost, radius = lengths_of(context.plan, context.staged_frame)
    assert ghost == pytest.approx(GHOST_SHARE * triad)
    assert 0.3 * triad < radius < triad


def test_that_the_example_vector_turns_with_the_frame() -> None:
    vector, tick, context = made(ExampleVector, step_of())
    row = tick.plan.index["part"]
    length, _, _ = lengths_of(context.plan, context.staged_frame)
    tip = tick.snapshot.p_WF[row] + length * tick.snapshot.R_WF[row] @ np.array(EXAMPLE)
    np.testing.assert_allclose(vector.bundle.feet[0] + vector.bundle.vectors[0], tip, atol=1e-12)


def test_that_seen_from_the_frame_it_stands_still_and_the_parent_turns_back() -> None:
    plan = turned("XYZ", list(DEGREES), (0.3, -0.2, 0.1))
    frames, parents = [], []
    for progress in (0.0, 0.7, 1.6, 3.0):
        renderer = SceneRenderer(DARK)
        renderer.set_camera(CAMERA)
        renderer.set_passive(True)
        step = step_of(progress=progress)
        renderer.set_option(STAGED_ROTATION, step)
        shown = compile_plan(step.edit().apply(plan.scene))
        renderer.set_plan(shown)
        renderer.show(evaluate(shown, 0.0))
        R_CW, snapshot = renderer.projection().camera.axes(), renderer.tick.snapshot
        frames.append(R_CW @ snapshot.R_WF[shown.index["part"]])
        parents.append(snapshot.R_WF[shown.index["base"]].T @ R_CW.T)
        np.testing.assert_allclose(parents[-1], step.T.T @ parents[0], atol=1e-9)
        renderer.detach()
    for other in frames[1:]:
        np.testing.assert_allclose(other, frames[0], atol=1e-9)


def test_that_a_carried_camera_keeps_the_point_it_turns_about_in_its_place() -> None:
    R_WP, p_W = elementary(3, 25.0), np.array([0.4, -0.2, 0.5])
    R_WF = R_WP @ elementary(1, 70.0)
    there = Projection(rotate_with_frame(CAMERA, R_WP, R_WF, p_W), 800, 600, 1.0)
    here = Projection(CAMERA, 800, 600, 1.0)
    np.testing.assert_allclose(there.project(p_W), here.project(p_W), atol=1e-6)
    q_F = np.array([0.1, 0.2, 0.3])
    np.testing.assert_allclose(there.project(p_W + R_WF @ q_F), here.project(p_W + R_WP @ q_F), atol=1e-6)


def test_that_a_camera_steps_back_along_its_direction() -> None:
    back = step_back(CAMERA, 1.5)
    assert back.distance == pytest.approx(1.5 * CAMERA.distance)
    np.testing.assert_allclose(back.direction, CAMERA.direction, atol=1e-12)


def test_that_title_and_clock_are_large_while_it_is_shown() -> None:
    plan = turned("XYZ", list(DEGREES))
    renderer = SceneRenderer(DARK)
    renderer.set_plan(plan)
    renderer.show(evaluate(plan, 0.0))

    def height() -> float:
        overlay = next(visual for visual in renderer.visuals if isinstance(visual, Overlay))
        return overlay.clock.height

    small = height()
    renderer.set_option(STAGED_ROTATION, step_of())
    large = height()
    renderer.set_option(STAGED_ROTATION, None)
    assert large > 1.5 * small
    assert height() == small
    renderer.set_option(LARGE_CORNERS, True)
    assert height() == large
    renderer.detach()


@pytest.mark.parametrize("width", [160, 260, 320, 700])
@pytest.mark.parametrize("is_large", [False, True])
def test_that_the_title_ends_before_the_buttons(width, is_large) -> None:
    plan = plan_of(HEAD.replace("Test", "Recorded camera and a gimbal") + "  a: {parent: world}\n")
    context = ViewContext(plan, DARK, 1.0, SpriteSheet(1.0), options=SceneOptions({LARGE_CORNERS: is_large}))
    overlay = Overlay(context)
    context.sheet.pack()
    overlay.show(tick_of(plan))
    overlay.place(Projection(CAMERA, width, 260, 1.0))
    title = overlay.fixed_texts.corners()[0, :, 0]
    buttons = width - TOOLS_WIDTH - (CLOCK_WIDTH if is_large else 0)
    assert title.max() <= max(buttons, 24)  # where there is no room at all, it is a blank


@pytest.mark.parametrize("sequence", SEQUENCES)
def test_that_about_fixed_axes_an_axis_of_the_parent_is_lit_and_ghosts_stand_where_turns_began(sequence) -> None:
    step = replace(step_of(sequence), turn_axes="fixed")
    stepped, tick, context = made(StagedTurns, step)
    row, numbers = tick.plan.index["part"], as_sequence(sequence)
    R_WP, p_W = tick.snapshot.R_WF[tick.plan.index["base"]], tick.snapshot.p_WF[row]
    first = R_WP @ elementary(numbers[2], DEGREES[2])
    np.testing.assert_allclose(
        points(stepped.scene_actors[1]), 0.3 * ghost_template().points @ first.T + p_W, atol=1e-6
    )
    along = R_WP[:, numbers[1] - 1] * lengths_of(context.plan, context.staged_frame)[0]
    np.testing.assert_allclose(points(stepped.lit.actors[0]), [p_W + r * along for r in LIT_REACH], atol=1e-6)
    assert stepped.remaining.text == "to −50.0°"
    assert stepped.arcs.labels.texts == ["", "−30.0°", "115.0°"]


@pytest.mark.parametrize("sequence", SEQUENCES)
def test_that_about_fixed_axes_each_arc_follows_an_axis_of_the_frame_as_it_is_turned(sequence) -> None:
    step = replace(step_of(sequence, 3.0), turn_axes="fixed")
    for i, plane in enumerate([planes_of(step)[k] for k in step.order]):
        axis, angle = np.eye(3)[step.axes[i]], step.whole(i)
        end = math.cos(angle) * plane[:, 0] + math.sin(angle) * plane[:, 1]
        np.testing.assert_allclose(plane[:, 2], axis)
        shadows = [[v - axis * (axis @ v) for v in R.T] for R in (step.stages[i], step.stages[i + 1])]
        followed = [
            k
            for k in range(3)
            if np.cross(shadows[0][k], plane[:, 0]) == pytest.approx(0.0, abs=1e-12)
            and shadows[0][k] @ plane[:, 0] > 0.6
        ]
        assert any(shadows[1][k] == pytest.approx(end * np.linalg.norm(shadows[1][k])) for k in followed)

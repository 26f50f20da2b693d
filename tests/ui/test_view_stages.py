"""Intermediate frames and angle arcs: where they stand for any sequence, what is lit, what is written."""

from __future__ import annotations

import math
import tracemalloc

import numpy as np
import pytest
from vtkmodules.util.numpy_support import vtk_to_numpy

from framescope.core.kernels.validation import SEQUENCES, as_sequence
from framescope.ui.scene_view.camera.camera import Projection
from framescope.ui.scene_view.geometry.default_sizes import FACTORS
from framescope.ui.scene_view.visual_registry import looks_alike
from framescope.ui.scene_view.visuals.angle_arcs import SLOTS, Arcs, angle_text, arc_planes, push_off
from framescope.ui.scene_view.visuals.intermediate_frames import LIT_REACH, IntermediateFrames, ghost_template
from framescope.ui.scene_view.visuals.single_arc import HEAD_LENGTH, SEGMENTS
from framescope.ui.theme.tokens import DARK, channels
from tests.support.scenes import HEAD
from tests.support.turns import elementary
from tests.support.visuals import CAMERA, built, looks_outward, plan_of, points, pose, tick_of

TURNED = (
    HEAD
    + """\
  base:
    parent: world
    position: {{value: [0.1, -0.2, 0.5], unit: m}}
    orientation: {{form: axis, axis: z, angle: 25, unit: deg}}
  part:
    parent: base
    position: {{value: {position}, unit: m}}
    orientation: {{form: axes, sequence: {sequence}, angles: {angles}, unit: deg}}
view:
  stages: [{{frame: part, length: 0.3 m}}]
  arcs: [{{frame: part, radius: 0.2 m}}]
"""
)


def turned(sequence="XYZ", angles=(35, -50, 115), position=(0, 0, 0)):
    quoted = [f'"{angle}"' if isinstance(angle, str) else angle for angle in angles]
    text = TURNED.format(sequence=sequence, angles=f"[{', '.join(map(str, quoted))}]", position=list(position))
    plan = plan_of(text)
    assert not plan.problems
    return plan


def stages_of(plan, sequence, angles) -> list[np.ndarray]:
    """Return the axes of the parent and after each turn, in world."""
    R = [tick_of(plan).snapshot.R_WF[plan.index["base"]]]
    for axis, angle in zip(as_sequence(sequence), angles, strict=True):
        R.append(R[-1] @ elementary(axis, angle))
    return R


@pytest.mark.parametrize("sequence", SEQUENCES)
@pytest.mark.parametrize("angles", [(35, -50, 115), (-170, 20, -5)])
def test_that_the_ghosts_stand_after_the_first_and_the_second_turn(sequence, angles) -> None:
    plan = turned(sequence, angles, (0.3, 0, 0))
    stages, tick = built(IntermediateFrames, plan), tick_of(plan)
    stages.show(tick)
    R = stages_of(plan, sequence, angles)
    row = plan.index["part"]
    np.testing.assert_allclose(R[3], tick.snapshot.R_WF[row], atol=1e-12)
    for k in (0, 1):
        expected = 0.3 * ghost_template().points @ R[k + 1].T + tick.snapshot.p_WF[row]
        np.testing.assert_allclose(points(stages.scene_actors[k]), expected, atol=1e-6)


@pytest.mark.parametrize("sequence", SEQUENCES)
@pytest.mark.parametrize("angles", [(35, -50, 115), (-170, 20, -5), (80, 0.2, -300)])
def test_that_an_arc_goes_from_where_an_axis_is_before_its_turn_to_where_it_is_after(sequence, angles) -> None:
    plan = turned(sequence, angles)
    arcs, tick = built(Arcs, plan), tick_of(plan)
    arcs.show(tick)
    R, origin = stages_of(plan, sequence, angles), tick.snapshot.p_WF[plan.index["part"]]
    e = [axis - 1 for axis in as_sequence(sequence)]
    for k, (arc, follows) in enumerate(zip(arcs.sets[0].arcs, (e[1], e[2], e[1]), strict=True)):
        fan = points(arc.actors[2])[1:] - origin
        np.testing.assert_allclose(np.linalg.norm(fan, axis=1), 0.2 * FACTORS[k], atol=1e-6)
        np.testing.assert_allclose(fan @ R[k][:, e[k]], 0.0, atol=1e-6)
        np.testing.assert_allclose(fan[0] / np.linalg.norm(fan[0]), R[k][:, follows], atol=1e-6)
        np.testing.assert_allclose(fan[-1] / np.linalg.norm(fan[-1]), R[k + 1][:, follows], atol=1e-6)
        # A right-hand turn about the axis when positive, by the authored angle and no other that ends there.
        steps = np.cross(fan[:-1], fan[1:]) @ R[k][:, e[k]]
        assert (np.sign(steps) == np.sign(angles[k])).all()
        swept = np.degrees(np.arcsin(np.clip(steps / (0.2 * FACTORS[k]) ** 2, -1, 1))).sum()
        assert swept == pytest.approx(angles[k], abs=0.05)
        # The tip of the arrow is the end of the arc, and points onward.
        matrix = pose(arc.actors[1])
        np.testing.assert_allclose(matrix[:3, 3] - origin, fan[-1], atol=1e-6)
        size = np.linalg.norm(matrix[:3, 2])
        onward = np.sign(angles[k]) * np.cross(R[k][:, e[k]], fan[-1] / np.linalg.norm(fan[-1]))
        assert matrix[:3, 2] / size @ onward > 0.99
        assert np.linalg.det(matrix[:3, :3]) > 0
        assert size <= 0.2 * FACTORS[k] * 1.0001
        color = channels(DARK.axes[e[k]])
        assert [actor.GetProperty().GetColor() for actor in arc.actors] == [pytest.approx(color)] * 4


def test_that_the_first_arc_of_zxz_ends_on_the_line_of_nodes_and_the_last_one_starts_there() -> None:
    plan = turned("ZXZ", (50, 60, 70))
    arcs = built(Arcs, plan)
    arcs.show(tick_of(plan))
    first, _, last = (points(arc.actors[2])[1:] - points(arc.actors[2])[0] for arc in arcs.sets[0].arcs)
    np.testing.assert_allclose(first[-1] / FACTORS[0], last[0] / FACTORS[2], atol=1e-6)


@pytest.mark.parametrize(
    ("degrees", "text"),
    [
        (0.06, "0.1°"),
        (-36.62, "−36.6°"),
        (180, "180.0°"),
        (-359.99, "−360.0°"),
        (360, "360.0°"),
        (400, "40.0° +1"),
        (-400, "−40.0° −1"),
        (725.24, "5.2° +2"),
        (-35_999, "−359.0° −99"),
        (-35_999_640 - 1, "−1.0° −99999"),
        (36_000_000 + 361, "1.0° +…"),
    ],
)
def test_that_a_value_has_one_decimal_and_counts_its_turns(degrees, text) -> None:
    assert angle_text(math.radians(degrees)) == text


def test_that_an_arc_beyond_a_turn_is_a_circle_with_its_arrow_where_the_axis_is() -> None:
    plan = turned("XYZ", (400, -500, 30))
    arcs, tick = built(Arcs, plan), tick_of(plan)
    arcs.show(tick)
    R, origin = stages_of(plan, "XYZ", (400, -500, 30)), tick.snapshot.p_WF[plan.index["part"]]
    for arc, end in zip(arcs.sets[0].arcs[:2], (R[1][:, 1], R[2][:, 2]), strict=True):
        line = points(arc.actors[0])
        np.testing.assert_allclose(line[0], line[-1], atol=1e-6)
        assert np.ptp(line @ arc.plane[:, 0]) == pytest.approx(2 * arc.radius, rel=1e-3)
        np.testing.assert_allclose(pose(arc.actors[1])[:3, 3] - origin, arc.radius * end, atol=1e-6)
    assert arcs.sets[0].labels.texts == ["40.0° +1", "−140.0° −1", "30.0°"]


def test_that_angles_near_zero_leave_no_clutter() -> None:
    plan = turned("XYZ", (0, "0.04*(1-t)", "0.03 + 40*t"))
    arcs, stages = built(Arcs, plan), built(IntermediateFrames, plan)
    for t, is_seen in ((0.0, False), (1.0, True)):
        tick = tick_of(plan, t)
        for visual in (arcs, stages):
            visual.show(tick)
            visual.place(Projection(CAMERA, 640, 400, 1.0))
        seen = [bool(actor.GetVisibility()) for arc in arcs.sets[0].arcs for actor in arc.actors]
        assert seen == [False] * 8 + [is_seen] * 4
        quads = np.ptp(arcs.sets[0].labels.batch.corners(), axis=1)
        assert (quads[:, 0] > 0).sum() == (2 + len("40.0°") if is_seen else 0)
        assert not stages.is_drawn.any()
        assert np.ptp(points(stages.scene_actors[0])) == 0.0


def test_that_a_ghost_that_lies_in_another_triad_is_left_out() -> None:
    def drawn(angles, position=(0, 0, 0)) -> list[bool]:
        plan = turned("XYZ", angles, position)
        stages = built(IntermediateFrames, plan)
        stages.show(tick_of(plan))
        return stages.is_drawn[:, 0].tolist()

    assert drawn((35, 20, 10)) == [True, True]
    assert drawn((0, 20, 10)) == [False, True]  # the first stands as the parent does
    assert drawn((0, 20, 10), (0.3, 0, 0)) == [True, True]  # ... but elsewhere
    assert drawn((35, 0, 10)) == [True, False]
    assert drawn((35, 20, 0)) == [True, False]  # the second is the frame itself
    assert drawn((35, 0, 360)) == [False, False]
    assert drawn((0, 0, 0), (0.3, 0, 0)) == [False, False]


def shown_letters(stages) -> list[str]:
    """Return what is written by the letters that are seen."""
    staged = stages.turns[0]
    known = {number: key[0] for key, number in staged.context.sheet.sprite_numbers.items()}
    batch = staged.letters
    is_seen = np.ptp(batch.corners(), axis=1)[:, 0] > 0
    return ["".join(run[0] for run in known[n]) for n, seen in zip(batch.sprites, is_seen, strict=True) if seen]


def test_that_letters_say_which_axes_a_turn_leaves_where_they_are() -> None:
    def letters(angles, position=(0, 0, 0)) -> list[str]:
        plan = turned("XYZ", angles, position)
        stages = built(IntermediateFrames, plan)
        stages.show(tick_of(plan))
        stages.place(Projection(CAMERA, 1280, 800, 1.0))
        return shown_letters(stages)

    # Apart from its parent and with longer ghosts than triads, the frame shares no letter with them.
    assert letters((35, 50, 60), (0.5, 0, 0)) == ["x′", "x″", "y′ = y″", "z′", "z″"]
    assert letters((0, 0, 0)) == []


def test_that_the_only_axis_being_turned_about_is_lit() -> None:
    plan = turned("XYZ", ("40*smoothstep(t,0,1)", "-60*smoothstep(t,1,2)", "25*smoothstep(t,1.5,3)"))
    stages = built(IntermediateFrames, plan)
    lit = {}
    for t in (0.5, 1.2, 1.8, 2.5, 4.0):
        tick = tick_of(plan, t)
        stages.show(tick)
        wide, core = stages.turns[0].line.actors
        assert wide.GetVisibility() == core.GetVisibility()
        if not wide.GetVisibility():
            continue
        ends = points(wide) - tick.snapshot.p_WF[plan.index["part"]]
        R_WF, R_WB = (tick.snapshot.R_WF[plan.index[name]] for name in ("part", "base"))
        angles = plan.angles("part", t)[0]
        axis = {0.5: R_WB[:, 0], 1.2: (R_WB @ elementary(1, np.degrees(angles[0])))[:, 1], 2.5: R_WF[:, 2]}[t]
        np.testing.assert_allclose(ends, 0.3 * np.outer(LIT_REACH, axis), atol=1e-6)
        lit[t] = wide.GetProperty().GetColor()
        assert wide.GetProperty().GetOpacity() < 0.5 < core.GetProperty().GetOpacity()
    assert lit == {t: pytest.approx(channels(DARK.axes[k])) for k, t in enumerate((0.5, 1.2, 2.5))}


def test_that_nothing_is_seen_of_a_frame_without_a_pose() -> None:
    text = TURNED.format(sequence="XYZ", angles="[10, 20, 30]", position=[0, 0, 0]).replace(
        "parent: base", "parent: bsae"
    )
    plan = plan_of(text)
    tick = tick_of(plan)
    arcs, stages = built(Arcs, plan), built(IntermediateFrames, plan)
    for visual in (arcs, stages):
        visual.show(tick)
        visual.place(Projection(CAMERA, 640, 400, 1.0))
    assert not any(actor.GetVisibility() for actor in (*arcs.scene_actors, *stages.scene_actors[2:]))
    assert not stages.is_drawn.any()


def test_that_labels_are_whole_in_the_picture_and_apart() -> None:
    plan = turned("ZXZ", (50, -130, 70))
    arcs = built(Arcs, plan)
    arcs.show(tick_of(plan))
    for width, height in ((640, 400), (160, 120)):
        arcs.place(Projection(CAMERA, width, height, 1.0))
        plates = arcs.sets[0].labels.batch.corners().reshape(3, SLOTS + 2, 4, 3)[:, 0]
        low, high = plates[:, 0, :2], plates[:, 2, :2]
        assert (low >= 0).all()
        assert (high <= (width, height)).all()
        assert (high > low).all()
    arcs.place(Projection(CAMERA, 640, 400, 1.0))
    for i in range(3):
        for k in range(i):
            assert ((high[i] <= low[k] + 1) | (high[k] <= low[i] + 1)).any() or (width, height) == (160, 120)


def test_that_a_label_goes_outward_off_a_letter_and_no_farther() -> None:
    half, letter = np.array([30.0, 10.0]), (100.0, 50.0, 10.0, 8.0)
    for out in ((1.0, 0.0), (0.0, -1.0), (0.6, 0.8), (-0.8, 0.6)):
        center = np.array([95.0, 55.0])
        push_off(center, np.array(out), half, [letter])
        over = half + letter[2:] - np.abs(center - letter[:2])
        assert over.min() == pytest.approx(0.0, abs=1e-9)
        assert (center - (95.0, 55.0)) @ np.array(out) == pytest.approx(np.linalg.norm(center - (95.0, 55.0)))
        there = center.copy()
        push_off(center, np.array(out), half, [letter])
        np.testing.assert_allclose(center, there, atol=1e-9)


def test_that_faces_look_outward() -> None:
    template = ghost_template()
    assert looks_outward(template.points, template.cells, template.normals)
    plan = turned()
    head = built(Arcs, plan).sets[0].arcs[0].actors[1].GetMapper().GetInput()
    normals = vtk_to_numpy(head.GetPointData().GetNormals())
    assert looks_outward(head.points, head.faces.reshape(-1, 4)[:, 1:], normals)
    assert head.points[:, 2].min() == pytest.approx(-HEAD_LENGTH)


def test_that_a_tick_allocates_no_large_array() -> None:
    plan = turned("ZYX", ("40*t", "-30*t", "20*t"))
    arcs, stages = built(Arcs, plan), built(IntermediateFrames, plan)
    ticks = [tick_of(plan, t) for t in (0.5, 1.0, 1.5)]
    largest = 0
    for tick in ticks:
        for visual in (arcs, stages):
            tracemalloc.start()
            try:
                before = tracemalloc.get_traced_memory()[0]
                visual.show(tick)
                visual.place(Projection(CAMERA, 640, 400, 1.0))
                after, peak = tracemalloc.get_traced_memory()
            finally:
                tracemalloc.stop()
            largest = max(largest, peak - before)
            assert after - before < 8192
    assert SEGMENTS * 3 * 8 < 4096
    assert largest < 16_384  # all small objects of a tick together


def test_that_another_sequence_or_radius_is_another_look_and_other_angles_are_not() -> None:
    plan = turned("XYZ", (1, 2, 3))
    assert looks_alike(plan, turned("XYZ", (4, 5, 6)))
    assert not looks_alike(plan, turned("XZY", (1, 2, 3)))


def test_that_arc_planes_are_rotations() -> None:
    for sequence in SEQUENCES:
        for plane in arc_planes(sequence, np.radians([20, -70, 160])):
            np.testing.assert_allclose(plane.T @ plane, np.eye(3), atol=1e-12)
            assert np.linalg.det(plane) == pytest.approx(1.0)

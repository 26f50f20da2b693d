"""A rotation turn by turn: how far it is at each progress, in numbers and in words, and as a scene."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from framescope.core.analysis.staged_rotation import EXAMPLE, StagedRotation, staged_rotation_of
from framescope.core.evaluation.evaluate import compile_plan, evaluate
from framescope.core.kernels.validation import SEQUENCES, as_sequence
from tests.support.cases import for_each
from tests.support.scenes import HEAD, scene_of
from tests.support.turns import elementary

ANGLES = (math.radians(200.0), math.radians(-35.0), math.radians(80.0))
SCENE = (
    HEAD
    + """\
  base: {parent: world, orientation: {form: axis, axis: z, angle: 25, unit: deg}}
  plane:
    parent: base
    position: {value: [0.1, 0, 0.2], unit: m}
    orientation: {form: axes, sequence: ZYX, angles: ["20*t", 28, 200], unit: deg}
  child: {parent: plane, position: {value: [1, 0, 0], unit: m}}
  quiet: {parent: base, orientation: {form: quaternion, value: [0, 0.6, 0, 0.8], order: xyzw}}
  guide:
    parent: base
    motion:
      form: keyframes
      unit: m
      keys:
        - {time: 0 s, position: [0, 0, 0]}
        - {time: 2 s, position: [0, 0, 1], orientation: {form: axis, axis: z, angle: 80, unit: deg}}
  bob: {parent: world, motion: {form: simulated, model: finite}}
bodies:
  ball: {frame: bob, shape: {form: sphere, radius: 10 cm}, mass: 1 kg, inertia: uniform}
"""
)


def staged_rotation(progress: float = 0.0, sequence: str = "XYZ") -> StagedRotation:
    return StagedRotation("plane", "base", sequence, ANGLES, progress)


@pytest.mark.parametrize("sequence", SEQUENCES)
@for_each("progress", [0.0, 0.4, 1.0, 1.7, 2.0, 2.3, 3.0])
def test_that_the_matrix_so_far_is_the_product_of_the_turns_so_far(sequence, progress) -> None:
    step, R = staged_rotation(progress, sequence), np.eye(3)
    for i, axis in enumerate(as_sequence(sequence)):
        R = R @ elementary(axis, math.degrees(ANGLES[i]) * min(max(progress - i, 0.0), 1.0))
    np.testing.assert_allclose(step.T, R.T, atol=1e-12)


def test_that_states_and_words_follow_the_progress() -> None:
    told = {
        p: (staged_rotation(p).turn, [staged_rotation(p).state(i) for i in range(3)]) for p in (0.0, 0.5, 1.0, 1.2, 3.0)
    }
    assert told == {
        0.0: (-1, ["to come"] * 3),
        0.5: (0, ["present", "to come", "to come"]),
        1.0: (0, ["done", "to come", "to come"]),
        1.2: (1, ["done", "present", "to come"]),
        3.0: (2, ["done"] * 3),
    }
    assert [staged_rotation(sequence="ZXZ").about(i) for i in range(3)] == ["about z", "about x′", "about z″"]


def test_that_steps_go_to_the_ends_of_turns_and_stop_at_both_ends() -> None:
    assert [staged_rotation(p).next().progress for p in (0.0, 0.3, 1.0, 2.9, 3.0)] == [1.0, 1.0, 2.0, 3.0, 3.0]
    assert [staged_rotation(p).previous().progress for p in (0.0, 0.3, 1.0, 2.9, 3.0)] == [0.0, 0.0, 0.0, 2.0, 2.0]
    assert staged_rotation().at(-1.0).progress == 0.0
    assert staged_rotation().at(9.0).is_at_end


@given(st.lists(st.floats(0.0, 1.5), max_size=12))
def test_that_play_in_many_ticks_comes_as_far_as_in_one(ticks) -> None:
    many = staged_rotation()
    for dt in ticks:
        many = many.advance(dt, 2.0)
    assert many.progress == pytest.approx(staged_rotation().advance(sum(ticks), 2.0).progress, abs=1e-9)


def test_that_the_preview_turns_the_frame_and_all_on_it_and_nothing_else() -> None:
    scene = scene_of(SCENE)
    plan = compile_plan(scene)
    step = staged_rotation_of(plan, evaluate(plan, 2.0), "plane").at(1.5)
    assert (step.frame, step.parent, step.sequence) == ("plane", "base", "ZYX")
    np.testing.assert_allclose(np.degrees(step.angles), (40.0, 28.0, 200.0))
    shown = step.edit().apply(scene)
    assert {name for name in scene.frames if scene.frames[name] != shown.frames[name]} == {"plane"}
    assert shown.model_copy(update={"frames": scene.frames}) == scene
    there = evaluate(compile_plan(shown), 0.7)
    np.testing.assert_allclose(there.T_PF[there.index["plane"]], step.T, atol=1e-12)
    tip = there.p_WF[there.index["child"]] - there.p_WF[there.index["plane"]]
    np.testing.assert_allclose(tip, there.R_WF[there.index["plane"]][:, 0], atol=1e-12)


def test_that_the_end_is_the_frame_as_authored() -> None:
    scene = scene_of(SCENE)
    plan = compile_plan(scene)
    snapshot = evaluate(plan, 1.5)
    for name, sequence in (("plane", "XYZ"), ("quiet", "ZXZ"), ("guide", "XZY")):
        step = staged_rotation_of(plan, snapshot, name, sequence).at(3.0)
        assert step.sequence == ("ZYX" if name == "plane" else sequence)
        there = evaluate(compile_plan(step.edit().apply(scene)), 0.0)
        row = snapshot.index[name]
        np.testing.assert_allclose(there.R_WF[row], snapshot.R_WF[row], atol=1e-9)
        np.testing.assert_allclose(there.p_WF[row], snapshot.p_WF[row], atol=1e-9)


@pytest.mark.parametrize(
    ("name", "why"), [("", "Select a frame"), ("world", "Select a frame"), ("bob", "bob is simulated")]
)
def test_that_what_has_no_turns_is_refused_in_words(name, why) -> None:
    plan = compile_plan(scene_of(SCENE))
    with pytest.raises(ValueError, match=why):
        staged_rotation_of(plan, evaluate(plan, 0.0), name)


def test_that_the_example_is_a_unit_vector_off_all_axes() -> None:
    assert math.hypot(*EXAMPLE) == pytest.approx(1.0, abs=1e-15)
    assert min(EXAMPLE) > 0.2


@pytest.mark.parametrize("sequence", SEQUENCES)
@for_each("progress", [0.0, 0.4, 1.0, 1.7, 2.3, 3.0])
def test_that_about_fixed_axes_each_turn_is_multiplied_from_the_left_and_the_last_angle_comes_first(
    sequence, progress
) -> None:
    step, R = replace(staged_rotation(progress, sequence), turn_axes="fixed"), np.eye(3)
    numbers = as_sequence(sequence)
    for i, k in enumerate((2, 1, 0)):
        before, share = R, min(max(progress - i, 0.0), 1.0)
        R = elementary(numbers[k], math.degrees(ANGLES[k]) * share) @ R
        np.testing.assert_allclose(step.stages[i + 1], R, atol=1e-12)
        # It is about the named axis of the parent: that axis is what the turn leaves where it is.
        np.testing.assert_allclose((R @ before.T) @ step.turn_axis(i), np.eye(3)[numbers[k] - 1], atol=1e-12)
    np.testing.assert_allclose(step.T, R.T, atol=1e-12)


@pytest.mark.parametrize("sequence", SEQUENCES)
def test_that_both_kinds_of_axes_come_to_the_same_frame(sequence) -> None:
    moving = staged_rotation(3.0, sequence)
    np.testing.assert_array_equal(moving.T, replace(moving, turn_axes="fixed").T)


def test_that_fixed_axes_are_named_without_primes_and_angles_keep_their_letters() -> None:
    step = replace(staged_rotation(1.5, "ZYX"), turn_axes="fixed")
    assert [step.about(i) for i in range(3)] == ["about x", "about y", "about z"]
    assert [step.letter(i) for i in range(3)] == ["γ", "β", "α"]
    assert [step.whole(i) for i in range(3)] == [*reversed(ANGLES)]
    assert [step.so_far(i) for i in range(3)] == [ANGLES[2], 0.5 * ANGLES[1], 0.0]
    assert step.turned == (0.0, 0.5 * ANGLES[1], ANGLES[2])


def test_that_about_fixed_axes_a_turn_about_nothing_takes_no_time_either() -> None:
    step = StagedRotation("plane", "base", "XYZ", (0.4, 0.2, 0.0), turn_axes="fixed")
    assert step.advance(1.25, 2.5).progress == pytest.approx(1.5)

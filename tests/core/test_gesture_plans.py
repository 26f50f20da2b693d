"""Plans of a gesture: bodies and motions that it leaves alone are taken over, all else is compiled as ever."""

from __future__ import annotations

import numpy as np
import pytest

from framescope.core.evaluation.evaluate import compile_plan, evaluate
from framescope.core.evaluation.signal_curves import trails
from framescope.core.scene.edits.fields import set_values
from framescope.core.scene.schema.model import Scene
from framescope.core.system.file_access import Access
from tests.support.fine_meshes import bumpy


@pytest.fixture
def scene(tmp_path) -> Scene:
    bumpy(tmp_path / "ball.stl", 6)
    box = {"form": "box", "size": [1, 1, 1], "unit": "cm"}
    return Scene.model_validate(
        {
            "framescope": 1,
            "parameters": {"angle": 10.0, "height": 0.2},
            "frames": {
                "arm": {
                    "parent": "world",
                    "orientation": {"form": "axes", "sequence": "XYZ", "angles": ["angle", 0, 0], "unit": "deg"},
                },
                "hand": {"parent": "arm"},
            },
            "bodies": {
                "ball": {"frame": "arm", "shape": {"form": "mesh", "file": "ball.stl", "unit": "m"}},
                "mark": {"frame": "arm", "shape": box, "position": {"value": [0, 0, "height"], "unit": "m"}},
                "lost": {"frame": "arm", "shape": {"form": "mesh", "file": "none.stl", "unit": "m"}},
                "bent": {
                    "frame": "hand",
                    "shape": box,
                    "orientation": {
                        "form": "matrix",
                        "maps": "frame to parent",
                        "rows": [[1, 0, 0], [0, 1, 0], [0, 0, 1.01]],
                    },
                },
            },
        }
    )


def same(one, other) -> None:
    assert one.problems == other.problems
    for a, b in zip(one.view_data.bodies, other.view_data.bodies, strict=True):
        for key in ("name", "i_frame", "kind", "size", "color", "file"):
            assert getattr(a, key) == getattr(b, key)
        np.testing.assert_array_equal(a.p_FB, b.p_FB)
        np.testing.assert_array_equal(a.R_FB, b.R_FB)


def bodies_of(plan) -> dict:
    return {body.name: body for body in plan.view_data.bodies}


def test_that_a_parameter_is_turned_and_bodies_that_do_not_use_it_are_taken_over(scene, tmp_path) -> None:
    access = Access(tmp_path)
    before = compile_plan(scene, access=access)
    assert len(before.problems) == 2
    turned = set_values({("parameters", "angle"): 40.0}, "").apply(scene)
    plan = compile_plan(turned, access=access, gesture=before)
    same(plan, compile_plan(turned, access=access))
    assert bodies_of(plan)["ball"] is bodies_of(before)["ball"]


def test_that_what_uses_a_parameter_is_another_item_or_on_another_row_is_compiled_anew(scene, tmp_path) -> None:
    access = Access(tmp_path)
    before = compile_plan(scene, access=access)
    changes = (
        {("parameters", "height"): 0.5},
        {("bodies", "ball", "color"): "x"},
        {("bodies", "ball", "frame"): "hand"},
        {("bodies", "lost", "shape", "file"): "ball.stl"},
    )
    for change in changes:
        changed = set_values(change, "").apply(scene)
        same(compile_plan(changed, access=access, gesture=before), compile_plan(changed, access=access))
    frames = {"first": scene.frames["hand"], **scene.frames}
    moved = Scene.model_validate({**scene.model_dump(), "frames": {k: f.model_dump() for k, f in frames.items()}})
    moved = moved.model_copy(update={"bodies": scene.bodies})
    same(compile_plan(moved, access=access, gesture=before), compile_plan(moved, access=access))


def test_that_files_are_looked_at_again_at_the_end(scene, tmp_path) -> None:
    access = Access(tmp_path)
    before = compile_plan(scene, access=access)
    (tmp_path / "ball.stl").unlink()
    assert "ball" in bodies_of(compile_plan(scene, access=access, gesture=before))
    assert "ball" not in bodies_of(compile_plan(scene, access=access))


def test_that_motions_of_unchanged_frames_are_taken_over(scene, tmp_path) -> None:
    access = Access(tmp_path)
    before = compile_plan(scene, access=access)
    moved = set_values({("frames", "hand", "position"): {"value": [0, 0, "t"], "unit": "m"}}, "").apply(scene)
    plan = compile_plan(moved, access=access, gesture=before)
    arm, hand = (plan.tree.index[name] for name in ("arm", "hand"))
    assert plan.tree.motions[arm] is before.tree.motions[arm]
    assert not plan.tree.motions[hand].is_constant


@pytest.mark.parametrize(
    "change",
    [
        {("parameters", "angle"): 40.0},
        {("time", "end"): "3 s"},
        {("frames", "hand", "parent"): "world"},
        {("frames", "arm", "orientation", "angles"): ["1/t", 0, 0]},
        {("frames", "arm", "orientation", "sequence"): "ZYX"},
    ],
)
def test_that_a_gesture_has_the_frames_and_problems_of_a_plan_made_anew(scene, tmp_path, change) -> None:
    access = Access(tmp_path)
    before = compile_plan(scene, access=access)
    changed = set_values(change, "").apply(scene)
    plan, anew = compile_plan(changed, access=access, gesture=before), compile_plan(changed, access=access)
    assert plan.problems == anew.problems
    one, other = evaluate(plan, 1.5), evaluate(anew, 1.5)
    np.testing.assert_array_equal(one.R_WF, other.R_WF)
    np.testing.assert_array_equal(one.p_WF, other.p_WF)


def test_that_a_motion_without_values_is_reported_during_a_gesture(scene, tmp_path) -> None:
    access = Access(tmp_path)
    wrong = set_values({("frames", "arm", "orientation", "angles"): ["1/t", 0, 0]}, "").apply(scene)
    before = compile_plan(wrong, access=access)
    moved = set_values({("frames", "hand", "position"): {"value": [0, 0, 1], "unit": "m"}}, "").apply(wrong)
    assert compile_plan(moved, access=access, gesture=before).problems == before.problems


@pytest.mark.parametrize("duration", ["2 s", None])
def test_that_a_trail_stays_during_a_gesture_that_leaves_its_frames_alone(scene, tmp_path, duration) -> None:
    access = Access(tmp_path)
    drawn = {
        ("frames", "hand", "position"): {"value": [0, "t", 0], "unit": "m"},
        ("view", "trails"): [{"frame": "hand", "duration": duration}],
    }
    scene = set_values(drawn, "").apply(scene)
    scene = set_values({("frames", "other"): {"parent": "world"}}, "").apply(scene)
    before = compile_plan(scene, access=access)
    path = trails(before, 5.0)["hand"]
    changes = {
        "other": {("frames", "other", "position"): {"value": [1, 0, 0], "unit": "m"}},
        "hand": {("frames", "hand", "position"): {"value": [0, "2*t", 0], "unit": "m"}},
        "arm": {("frames", "arm", "position"): {"value": [0, 0, 1], "unit": "m"}},
    }
    for frame, change in changes.items():
        changed = set_values(change, "").apply(scene)
        plan, anew = compile_plan(changed, access=access, gesture=before), compile_plan(changed, access=access)
        np.testing.assert_array_equal(trails(plan, 5.0)["hand"], trails(anew, 5.0)["hand"])
        np.testing.assert_array_equal(trails(plan, 4.0)["hand"], trails(anew, 4.0)["hand"])
        assert (trails(plan, 5.0)["hand"] is path) == (frame == "other")
        assert trails(plan, 5.0)["hand"].shape == path.shape

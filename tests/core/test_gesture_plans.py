"""Plans of a gesture: bodies and motions that it leaves alone are taken over, all else is compiled as ever."""

from __future__ import annotations

from dataclasses import fields, is_dataclass

import numpy as np
import pytest

from framescope import assets
from framescope.core.evaluation.evaluate import compile_plan, evaluate
from framescope.core.evaluation.signal_curves import trails
from framescope.core.scene.edits.fields import set_values
from framescope.core.scene.files.loading import parse_scene
from framescope.core.scene.schema.model import Scene
from framescope.core.scene.schema.poses import Integrated
from framescope.core.system.file_access import Access
from tests.support.fine_meshes import bumpy

EXAMPLES = sorted(path.stem for path in assets.path("scenes").glob("*.yaml"))


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


def test_that_a_drag_brings_back_a_pose_for_a_change_of_parent(tmp_path) -> None:
    """Until then its key is a problem, since the pose at its time is unknown."""
    angle = ("frames", "part", "orientation", "angle")
    turned = {"form": "axis", "axis": "z", "angle": "sqrt(t - 5)", "unit": "rad"}
    part = {"parent": "world", "orientation": turned, "parent_keys": [{"time": "1 s", "parent": "arm"}]}
    moving = {"parent": "world", "position": {"value": ["t", 0, 0], "unit": "m"}}
    access = Access(tmp_path)
    scene = Scene.model_validate({"framescope": 1, "frames": {"arm": moving, "part": part}})
    before = compile_plan(scene, access=access)
    assert [problem.key_path[2] for problem in before.problems if problem.item == ("frames", "part")]
    for value in ("0.1*t", 0.3, "sqrt(t - 5)"):
        changed = set_values({angle: value}, "").apply(scene)
        plan, anew = compile_plan(changed, access=access, gesture=before), compile_plan(changed, access=access)
        assert plan.problems == anew.problems
        assert plan.tree.switches.keys() == anew.tree.switches.keys()
        np.testing.assert_array_equal(evaluate(plan, 2.0).p_WF, evaluate(anew, 2.0).p_WF)


MOST_FRAMES = 3
"""Number of frames of an example whose numbers change."""


def assert_alike(one: object, other: object, where: str) -> None:
    """Compare two values, arrays by their bits, and everything in dataclasses without an equality of their own."""
    assert type(one) is type(other), where
    if isinstance(one, np.ndarray) and isinstance(other, np.ndarray):
        np.testing.assert_array_equal(one, other, where)
    elif isinstance(one, dict) and isinstance(other, dict):
        assert list(one) == list(other), where
        for key in one:
            assert_alike(one[key], other[key], f"{where}.{key}")
    elif isinstance(one, tuple) and isinstance(other, tuple):
        assert len(one) == len(other), where
        for i, pair in enumerate(zip(one, other, strict=True)):
            assert_alike(*pair, f"{where}[{i}]")
    elif is_dataclass(one) and type(one).__eq__ is object.__eq__:
        for field in fields(one):
            assert_alike(getattr(one, field.name), getattr(other, field.name), f"{where}.{field.name}")
    elif not callable(one):
        assert one == other, where


def other_numbers(scene: Scene, name: str) -> list[dict]:
    """Return changes of the numbers of a frame: its position, and its angles if it has any."""
    form = scene.frames[name].orientation
    changes: list[dict] = [{("frames", name, "position"): {"value": [0.1, "0.2*t", -3], "unit": "m"}}]
    if form is None:
        return changes
    if hasattr(form, "angles"):
        changes.append({("frames", name, "orientation", "angles"): [0.3, "sqrt(t - 1)", "0.5*t"]})
    if hasattr(form, "angle"):
        changes.append({("frames", name, "orientation", "angle"): "0.4*t + 0.1"})
    return changes


@pytest.mark.parametrize("example", EXAMPLES)
def test_that_numbers_of_a_frame_of_an_example_change_as_in_a_plan_made_anew(example: str) -> None:
    path = assets.path(f"scenes/{example}.yaml")
    scene, access = parse_scene(path.read_text(encoding="utf-8"))[0], Access(path.parent)
    before = compile_plan(scene, access=access, run=lambda _: None)
    plan, n_changes, n_quick = before, 0, 0
    names = [name for name, frame in scene.frames.items() if frame.motion is None]
    for name in names[:: max(1, len(names) // MOST_FRAMES)]:
        for change in other_numbers(scene, name):
            changed = set_values(change, "").apply(scene)
            plan = compile_plan(changed, access=access, run=lambda _: None, gesture=plan)  # one drag after the other
            anew = compile_plan(changed, access=access, run=lambda _: None)
            n_quick += bool(plan.unchecked)
            n_changes += not isinstance(scene.frames[name].orientation, Integrated)
            assert plan.problems == anew.problems
            assert_alike(plan.view_data, anew.view_data, "view_data")
            assert plan.trail_trees.keys() == anew.trail_trees.keys()
            times = np.linspace(anew.start, anew.end, 4)
            one, other = evaluate(plan, times), evaluate(anew, times)
            for key in ("R_WF", "p_WF", "v_WF", "w_WF_F", "a_WF", "b_WF_F", "T_PF"):
                np.testing.assert_array_equal(getattr(one, key), getattr(other, key), f"{name} {key}")
            for key in anew.trail_trees:
                np.testing.assert_array_equal(trails(plan, anew.end)[key], trails(anew, anew.end)[key])
    assert n_quick > 0 or n_changes == 0 or before.pending or before.tree.switches

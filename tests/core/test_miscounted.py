"""A list of numbers of the wrong length in a pose is a problem of its item: the scene opens and is saved as it was."""

from __future__ import annotations

import copy
import pickle

import pytest

from framescope.core.evaluation.evaluate import compile_plan, evaluate
from framescope.core.scene.edits.fields import with_value
from framescope.core.scene.edits.items import rename_item
from framescope.core.scene.files.loading import parse_scene
from framescope.core.scene.files.saving import scene_text
from framescope.core.scene.schema.model import Scene

ADD = "Until then it has no pose and is not drawn."

FAULTS = {
    "orientation: {form: axes, sequence: ZYX, angles: [10, 20], unit: deg}": (
        "orientation.angles",
        "expected 3 angles, got 2: γ is missing.",
        "Add γ.",
    ),
    'orientation: {form: axes, sequence: ZYX, angles: ["5*t"], unit: deg}': (
        "orientation.angles",
        "expected 3 angles, got 1: β and γ are missing.",
        "Add them.",
    ),
    "orientation: {form: axes, sequence: ZYX, angles: [], unit: deg}": (
        "orientation.angles",
        "expected 3 angles, got 0: α, β and γ are missing.",
        "Add them.",
    ),
    "orientation: {form: axes, sequence: ZYX, angles: [1, 2, 3, 4, 5], unit: deg}": (
        "orientation.angles",
        "expected 3 angles, got 5.",
        "Remove 2 of them.",
    ),
    "position: {value: [1, 2], unit: m}": (
        "position.value",
        "expected 3 numbers, got 2: z is missing.",
        "Add z.",
    ),
    "position: {value: [1, 2, 3, t], unit: m}": (
        "position.value",
        "expected 3 numbers, got 4.",
        "Remove 1 of them.",
    ),
    "orientation: {form: quaternion, value: [0, 0, 1], order: wxyz}": (
        "orientation.value",
        "expected 4 numbers, got 3: z is missing.",
        "Add z.",
    ),
    "orientation: {form: quaternion, value: [0, 0, 0, 1, 0]}": (
        "orientation.value",
        "expected 4 numbers, got 5.",
        "Remove 1 of them.",
    ),
    "orientation: {form: matrix, maps: parent to frame, rows: [[1, 0, 0], [0, 1], [0, 0, 1]]}": (
        "orientation.rows[1]",
        "expected 3 numbers, got 2: z is missing.",
        "Add z.",
    ),
    "orientation: {form: matrix, maps: parent to frame, rows: [[1, 0, 0], [0, 1, 0]]}": (
        "orientation.rows",
        "expected 3 rows, got 2: row 3 is missing.",
        "Add row 3.",
    ),
    "orientation: {form: planar, axis: [0, 1], angle: 3, unit: deg}": (
        "orientation.axis",
        "expected 3 numbers, got 2: z is missing.",
        "Add z.",
    ),
    "orientation: {form: nxy, n_x: [1, 0, 0, 0], n_y: [0, 1, 0]}": (
        "orientation.n_x",
        "expected 3 numbers, got 4.",
        "Remove 1 of them.",
    ),
    "motion: {form: joint, type: revolute, axis: [0, 1], unit: rad}": (
        "motion.axis",
        "expected 3 numbers, got 2: z is missing.",
        "Add z.",
    ),
}


def text_with(fault: str) -> str:
    return f"""\
framescope: 1
frames:
  # comment
  odd:
    parent: world
    {fault}  # as written
  on odd: {{parent: odd}}
  good: {{parent: world}}
"""


@pytest.mark.parametrize("fault", FAULTS)
def test_that_a_list_of_wrong_length_is_a_problem_that_names_what_is_missing(fault) -> None:
    text = text_with(fault)
    scene, _ = parse_scene(text)
    plan = compile_plan(scene)
    key_path, message, hint = FAULTS[fault]
    problem = plan.problems[0]
    assert str(problem).startswith(f"frames.odd.{key_path}: {message}")
    assert problem.hint == f"{hint} {ADD}"
    assert all(problem.severity != "red" for problem in plan.problems[1:])
    snapshot = evaluate(plan, 0.5)
    assert {name: bool(snapshot.is_posed[snapshot.index[name]]) for name in ("odd", "on odd", "good")} == {
        "odd": False,
        "on odd": False,
        "good": True,
    }


@pytest.mark.parametrize("fault", FAULTS)
def test_that_it_is_saved_as_it_was_written(fault) -> None:
    text = text_with(fault)
    scene, _ = parse_scene(text)
    assert scene_text(scene, text) == text
    assert parse_scene(scene_text(scene))[0] == scene
    assert Scene.model_validate_json(scene.model_dump_json(exclude_unset=True)) == scene
    assert Scene.model_validate(scene.model_dump(exclude_unset=True)) == scene
    assert pickle.loads(pickle.dumps(scene)) == copy.deepcopy(scene) == scene
    assert hash(scene.frames["odd"]) == hash(parse_scene(text)[0].frames["odd"])
    renamed = rename_item(scene, "frames", "good", "better").apply(scene)
    assert parse_scene(scene_text(renamed, text))[0] == renamed


def test_that_lists_of_other_numbers_differ() -> None:
    faults = [fault for fault in FAULTS if "angles" in fault]
    frames = [parse_scene(text_with(fault))[0].frames["odd"] for fault in faults]
    assert all(a != b for i, a in enumerate(frames) for b in frames[:i])
    whole = parse_scene(text_with("orientation: {form: axes, sequence: ZYX, angles: [1, 2, 3], unit: deg}"))[0]
    assert frames[-1] != whole.frames["odd"]
    assert whole.frames["odd"] != frames[-1]


def test_that_whole_numbers_mend_it() -> None:
    scene, _ = parse_scene(text_with("position: {value: [1, 2], unit: m}"))
    mended = with_value(scene, ("frames", "odd", "position", "value"), (1.0, 2.0, 3.0))
    assert compile_plan(mended).problems == ()
    assert "value: [1, 2, 3]" in scene_text(mended)

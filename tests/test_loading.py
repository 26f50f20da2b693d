"""Reading scene files: what a scalar is, what is refused, and that every fault names its place and its mend."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from framescope.core.errors import SceneError
from framescope.core.evaluate import compile_plan, evaluate
from framescope.core.scene.loading import load_scene, locate, parse_scene
from framescope.core.scene.quantities import Quantity
from tests.scenes import GOOD, HEAD, PROBLEMS, UNREADABLE, scene_of


def test_that_a_good_scene_has_no_problems() -> None:
    scene, lines = parse_scene(GOOD)
    assert compile_plan(scene).problems == ()
    assert lines["frames", "ring", "orientation", "angles", 1] == 9


@pytest.mark.parametrize("fault", PROBLEMS)
def test_that_a_fault_of_an_item_is_a_problem_and_the_rest_lives_on(tmp_path, fault) -> None:
    text, where, message, hint = PROBLEMS[fault]
    (tmp_path / "walk.txt").write_text("")
    scene, lines = parse_scene(text)
    plan = compile_plan(scene, tmp_path)
    (problem,) = (p for p in plan.problems if p.where == where)
    assert message in problem.message
    assert hint in problem.hint
    assert locate(problem, lines).line is not None
    snapshot = evaluate(plan, 1.0)
    assert snapshot.is_posed[plan.index["stand"]]
    is_posed = snapshot.is_posed[plan.index[problem.key_path[1]]]
    assert not is_posed


@pytest.mark.parametrize("fault", UNREADABLE)
def test_that_what_is_no_scene_is_one_clear_error_with_its_line(tmp_path, fault) -> None:
    text, message, line = UNREADABLE[fault]
    path = tmp_path / "scene.yaml"
    path.write_text(text)
    with pytest.raises(SceneError) as caught:
        load_scene(path)
    assert message in str(caught.value)
    assert str(path) in str(caught.value)
    assert caught.value.problems[0].line == line


def test_that_scalars_are_those_of_yaml_1_2() -> None:
    text = HEAD + '  no:\n    parent: world\n    position: {value: [1e-3, .5, -2.], unit: m}\n  "1":\n    parent: no\n'
    scene = scene_of(text)
    assert list(scene.frames) == ["no", "1"]
    assert scene.frames["no"].position.value == (0.001, 0.5, -2.0)
    assert scene.frames["1"].parent == "no"


def test_that_json_is_read_too() -> None:
    assert scene_of('{"framescope": 1, "frames": {"a": {"parent": "world"}}}').frames["a"].parent == "world"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (HEAD + "  a: &x {parent: world}\n  b: *x\n", "aliases"),
        (HEAD + "  a: !!python/object/apply:os.system [ls]\n", "line 4"),
        (HEAD + "  a: !mine {parent: world}\n", "tags such as !mine"),
        ("framescope: 1\nframes: " + "[" * 500 + "]" * 500, "nested too deeply"),
        (HEAD + "  ? [a]\n  : {parent: world}\n", "a key must be plain text"),
        (HEAD + "  a: {parent: world, position: {value: [1, 2], unit: m}}\n", "item 3 is missing"),
        (HEAD + "  a: {parent: world, position: {value: [1, 2, .inf], unit: m}}\n", "expression"),
        (HEAD + "  ' a': {parent: world}\n", "is no name"),
        (HEAD + "  a: {parent: world, orientation: {sequence: XYZ}}\n", 'the key "form" is missing'),
    ],
)
def test_that_hostile_and_odd_files_are_refused(text, message) -> None:
    try:
        problems = "\n".join(map(str, compile_plan(scene_of(text)).problems))
    except SceneError as error:
        problems = str(error)
    assert message in problems


def test_that_a_missing_file_names_the_nearest(tmp_path) -> None:
    (tmp_path / "camera.yaml").write_text(GOOD)
    with pytest.raises(SceneError, match=r'no such file. Did you mean "camera.yaml"'):
        load_scene(tmp_path / "camrea.yaml")


def test_that_a_file_outside_the_folder_is_not_read(tmp_path) -> None:
    (tmp_path / "walk.txt").write_text("")
    folder = tmp_path / "scene"
    folder.mkdir()
    (folder / "link.txt").symlink_to(tmp_path / "walk.txt")
    for name in ("../walk.txt", str(tmp_path / "walk.txt"), "link.txt"):
        text = PROBLEMS["missing file"][0].replace("wlak.txt", name)
        (problem,) = compile_plan(scene_of(text), folder).problems
        assert "outside the folder" in problem.message


@settings(max_examples=300)
@given(st.data())
def test_that_a_damaged_file_is_a_scene_or_a_scene_error(data) -> None:
    i = data.draw(st.integers(0, len(GOOD) - 1))
    j = data.draw(st.integers(i, min(len(GOOD), i + 20)))
    text = GOOD[:i] + data.draw(st.text(max_size=8)) + GOOD[j:]
    try:
        plan = compile_plan(scene_of(text))
    except SceneError as error:
        assert error.problems  # noqa: PT017 - either outcome is right, but an error always names a place
    else:
        evaluate(plan, plan.start)


@given(st.floats(-1e9, 1e9), st.sampled_from(["s", "ms", None]))
def test_that_a_quantity_reads_back_what_it_writes(value, unit) -> None:
    quantity = Quantity(value, unit)
    assert Quantity.parse(str(quantity)) == quantity


@pytest.mark.parametrize("text", ["", "ms", "1 2", "0x10 m", "1..2 m", [1], None, True, math.inf, "1" * 200])
def test_that_what_is_no_quantity_is_refused(text) -> None:
    scene = {"framescope": 1, "time": {"end": text}}
    try:
        problems = compile_plan(scene_of(str(scene).replace("True", "true").replace("None", "null"))).problems
    except SceneError as error:
        problems = error.problems
    assert problems[0].where == "time.end"

"""Reading scene files: what a scalar is, what is refused, and that every fault names its place and its mend."""

from __future__ import annotations

import contextlib
import gc
import math
import os

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from framescope.core.errors import SceneError
from framescope.core.evaluation.evaluate import compile_plan, evaluate
from framescope.core.scene.files.loading import load_scene, parse_scene
from framescope.core.scene.files.validation_messages import locate
from framescope.core.scene.schema.quantities import Quantity
from tests.support.scenes import GOOD, HEAD, PROBLEMS, UNREADABLE, scene_of


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


def test_that_a_value_in_place_of_an_item_tells_how_the_item_is_written() -> None:
    with pytest.raises(SceneError) as caught:
        parse_scene("framescope: 1\ntime: 3\nframes:\n  a: {parent: world, position: [1, 2, 3]}\n")
    assert [(problem.where, problem.hint) for problem in caught.value.problems] == [
        ("time", "Its keys are start, end."),
        ("frames.a.position", "Write it as position: {value: [1, 2, 3], unit: m}."),
    ]


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
        (
            "framescope: 1\nbodies:\n  a: {frame: world, shape: {form: box, size: [1, 2], unit: m}}\n",
            "item 3 is missing",
        ),
        (HEAD + "  a: {parent: world, position: {value: [1, x, [2], 4], unit: m}}\n", "expected a number"),
        (HEAD + f"  a: {{parent: world, position: {{value: {[1] * 1000}, unit: m}}}}\n", "got 1000"),
        (HEAD + "  a: {parent: world, position: {value: [1, 2, .inf], unit: m}}\n", "expression"),
        (HEAD + "  ' a': {parent: world}\n", "is no name"),
        (HEAD + "  a: {parent: world, orientation: {sequence: XYZ}}\n", 'the key "form" is missing'),
        (HEAD + "  a: {parent: world, orientation: {angle: 3}}\n", "axes, extrinsic, rpy, planar, axis"),
        (
            HEAD + "  a: {parent: world}\nsensors:\n  g: {kind: gyro, frame_a: a}\n",
            "form follows: absolute, relative, recorded",
        ),
    ],
)
def test_that_hostile_and_odd_files_are_refused(text, message) -> None:
    try:
        problems = "\n".join(map(str, compile_plan(scene_of(text)).problems))
    except SceneError as error:
        problems = str(error)
    assert message in problems


BOUNDS = {
    "levels": ("framescope: 1\ntitle:\n" + "".join(" " * i + "a:\n" for i in range(1, 60)), "nested too deeply", 42),
    "lists in mappings": ("framescope: 1\ntitle: " + "{a: [" * 30_000, "nested too deeply", 2),
    "keys": ("framescope: 1\n" + "".join(f"{i}: 1\n" for i in range(20_000)), "at most 12000 keys", 12_001),
    "items": ("framescope: 1\ntitle: [" + "1,\n" * 20_000 + "]", "at most 12000 items", 12_002),
    "nodes": ("framescope: 1\ntitle: [" + ("[" + "1," * 9_999 + "],\n") * 50 + "]", "more than 300000 keys", 31),
    "text": ("framescope: 1\ntitle: " + "a" * 10_001, "at most 10000 characters", 2),
    "many lines of text": ("framescope: 1\ntitle:\n" + " a\n" * 10_000, "at most 10000 characters", 3),
    "digits": ("framescope: 1\ntitle: " + "9" * 10_001, "at most 10000 characters", 2),
    "long key": ("framescope: 1\n" + "a" * 201 + ": 1", "at most 200 characters", 2),
    "operators": (
        "framescope: 1\nframes: [" + ('"' + "t+" * 499 + 't",\n') * 500 + "]",
        "more than 100000 operators",
        202,
    ),
    "huge number": (HEAD + "  a: {parent: world, position: {value: [1e999, 0, 0], unit: m}}\n", "got inf", 4),
    "huge integer": (HEAD + "  a: {parent: world, position: {value: [" + "9" * 400 + ", 0, 0]}}\n", "got inf", 4),
    "many numbers": (HEAD + "  a: {parent: world, position: {value: [" + "1," * 999 + "]}}\n", "at most 3 items", 4),
    "long title": ("framescope: 1\ntitle: " + "a" * 3_000, "at most 2,000 characters", 2),
    "long form": (
        HEAD + "  a: {parent: world, orientation: {form: " + "x" * 9_000 + "}}\n",
        "xxx… is no form here",
        4,
    ),
}


@pytest.mark.long
@pytest.mark.parametrize("bound", BOUNDS)
def test_that_what_is_too_much_is_refused_at_its_line(bound) -> None:
    text, message, line = BOUNDS[bound]
    with pytest.raises(SceneError) as caught:
        parse_scene(text)
    assert message in str(caught.value)
    assert caught.value.problems[0].line == line
    assert len(str(caught.value)) < 10_000


ODD_YAML = {
    "anchor": (HEAD + "  a: &x {parent: world}\n", "anchors (&name) and aliases", 4),
    "anchor of a key": (HEAD + "  &x a: {parent: world}\n", "anchors (&name) and aliases", 4),
    "alias as a key": (HEAD + "  a: {*x : world}\n", "anchors (&name) and aliases", 4),
    "endless alias": ("framescope: 1\ntitle: &x [*x]\n", "anchors (&name) and aliases", 2),
    "merge key": (HEAD + "  a:\n    <<: {parent: world}\n", "merge keys (<<) are not used", 5),
    "tag of YAML": (HEAD + "  a: !!map {parent: world}\n", "tags such as tag:yaml.org,2002:map", 4),
    "long tag": ("framescope: 1\ntitle: !" + "x" * 5_000 + " a\n", "tags such as !xxx", 2),
    "tag of a key": ("framescope: 1\n!!str title: a\n", "tags such as", 2),
    "second document": (GOOD + "---\nframescope: 1\n", "a second document begins here", 23),
    "directive": ("%YAML 9.9\n---\nframescope: 1\n", "the YAML is broken", 1),
    "unfinished": ("framescope: 1\ntitle: 'a\n", "the YAML is broken", 3),
    "tabs": ("framescope: 1\nframes:\n\ta: 1\n", "the YAML is broken", 3),
    "bell": ("framescope: 1\ntitle: a\x07\n", "the character U+0007 is no text", 2),
    "zero": ("framescope: 1\ntitle: a\0\n", "the character U+0000 is no text", 2),
    "half a character": ("framescope: 1\n\ntitle: \ud800\n", "the character U+D800 is no text", 3),
    "half a character escaped": ('framescope: 1\ntitle: "\\ud800"\n', "the YAML is broken", 2),
    "no mapping": ("- framescope: 1\n", "the version is missing", None),
    "number": ("1", "the version is missing", None),
    "nothing": ("", "the version is missing", None),
    "comment": ("# framescope: 1", "the version is missing", None),
}


@pytest.mark.parametrize("kind", ODD_YAML)
def test_that_what_scenes_do_not_need_of_yaml_is_refused_at_its_line(kind) -> None:
    text, message, line = ODD_YAML[kind]
    with pytest.raises(SceneError) as caught:
        parse_scene(text)
    (problem,) = caught.value.problems
    assert message in str(problem)
    assert problem.line == line
    assert str(problem).isprintable()


ENCODINGS = {
    "UTF-16": (GOOD.encode("utf-16"), "UTF-16", 1),
    "UTF-16 without its mark": (GOOD.encode("utf-16-le"), "UTF-16", 1),
    "UTF-32": (GOOD.encode("utf-32-be"), "UTF-16 or UTF-32", 1),
    "Latin 1": (b"framescope: 1\ntitle: K\xf6rper\n", "byte 0xf6", 2),
    "half a character": (b"framescope: 1\n\ntitle: \xc3", "byte 0xc3", 3),
    "binary": (b"\x89PNG\r\n\x1a\n", "byte 0x89", 1),
    "zeros": (bytes(1000), "UTF-16", 1),
}


@pytest.mark.parametrize("kind", ENCODINGS)
def test_that_what_is_no_utf_8_is_refused_at_its_line(tmp_path, kind) -> None:
    data, message, line = ENCODINGS[kind]
    (tmp_path / "scene.yaml").write_bytes(data)
    with pytest.raises(SceneError) as caught:
        load_scene(tmp_path / "scene.yaml")
    assert message in str(caught.value)
    assert caught.value.problems[0].line == line


@pytest.mark.parametrize(
    "change",
    [
        lambda text: "\ufeff" + text,
        lambda text: text.replace("\n", "\r\n"),
        lambda text: text.replace("\n", "\r"),
    ],
)
def test_that_a_file_of_windows_reads_as_any_other(tmp_path, change) -> None:
    (tmp_path / "scene.yaml").write_bytes(change(GOOD).encode())
    loaded = load_scene(tmp_path / "scene.yaml")
    scene, lines = parse_scene(GOOD)
    assert (loaded.scene, loaded.lines, loaded.text) == (scene, lines, GOOD)


def test_that_the_first_problems_of_many_are_told_and_the_others_counted() -> None:
    for n in (200, 5_000):
        with pytest.raises(SceneError) as caught:
            parse_scene(GOOD.replace("bodies:\n", "bodies:\n" + "".join(f"  b{i}: 1\n" for i in range(n))))
        *told, last = caught.value.problems
        assert [problem.line for problem in told] == list(range(14, 64))
        assert last.message == f"and {n - 50:,} more problems."


def test_that_a_file_that_is_too_large_or_no_ordinary_one_is_not_read(tmp_path) -> None:
    (tmp_path / "large.yaml").write_bytes(b"#" * 10_000_001)
    (tmp_path / "folder.yaml").mkdir()
    faults = {"large.yaml": "larger than 10 MB", "folder.yaml": "this is a folder", "a\0.yaml": "no file name"}
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "pipe.yaml")
        faults["pipe.yaml"] = "no ordinary file"
    for name, message in faults.items():
        with pytest.raises(SceneError, match=message):
            load_scene(tmp_path / name)


@pytest.mark.long
def test_that_a_scene_of_ten_thousand_frames_is_read() -> None:
    frame = '  f{}: {{parent: world, position: {{value: [0, "0.1*sin(2*t)", 0.5], unit: m}}, orientation: {{form: axes'
    frame += ', sequence: XYZ, angles: [10, "5*t", -20], unit: deg}}}}\n'
    assert len(scene_of(HEAD + "".join(map(frame.format, range(10_000)))).frames) == 10_000


def test_that_reading_leaves_the_garbage_collector_as_it_was() -> None:
    for text in (GOOD, "framescope: 2"):
        for was_on in (True, False):
            (gc.enable if was_on else gc.disable)()
            with contextlib.suppress(SceneError):
                parse_scene(text)
            assert gc.isenabled() is was_on
    gc.enable()


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


@settings(max_examples=70)
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

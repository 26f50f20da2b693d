"""`framescope check --json`: valid JSON of known shape for every fault that this suite knows."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from pydantic import ConfigDict, TypeAdapter

from framescope import assets
from framescope.app.cli import json_output
from framescope.app.cli.json_output import OtherMend, SceneProblem, json_text
from framescope.app.cli.main import app
from framescope.core.analysis.diagnostics import diagnose
from framescope.core.conventions.matrix_problems import matrix_problem
from framescope.core.evaluation.evaluate import compile_plan
from framescope.core.scene.files.loading import load_scene
from framescope.core.scene.files.saving import save_scene
from framescope.core.scene.schema.model import Scene
from framescope.features.bags.app.bag_json import BagDamage, BagFault
from framescope.features.lessons.app.lesson_lookup import lesson_paths
from tests.setups.corpus import Case, double, healthy, single
from tests.support.bags import WRITERS, drive, write_foxglove, write_ros1, write_ros2
from tests.support.command_line import CliRunner
from tests.support.planted_bags import FAULTS
from tests.support.scenes import PROBLEMS, UNREADABLE

FAULTY = sorted(assets.path("scenes/faulty").glob("*.yaml"))
PREPARED = sorted((assets.path("scenes") / "bags").glob("*.bag"))
SETUPS = (*healthy(), *single(), *double())
FEW = SETUPS[::12]

for each in (OtherMend, SceneProblem, BagDamage, BagFault):
    each.__pydantic_config__ = ConfigDict(extra="forbid", strict=True)
SCHEMA = TypeAdapter(list[SceneProblem] | list[BagDamage | BagFault])


def checked(*words: str | Path) -> tuple[int, list]:
    """Run the command; return its exit status and what it prints, which has to be as its types say."""
    result = CliRunner().invoke(app, ["check", "--json", *map(str, words)])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    problems = json.loads(result.stdout, parse_constant=pytest.fail)
    SCHEMA.validate_json(result.stdout)
    is_wrong = any(one["severity"] != "note" for one in problems)
    assert result.exit_code == (2 if is_wrong else 0), result.output
    return result.exit_code, problems


MATRICES = {
    "mirrored": np.diag([1.0, 1.0, -1.0]),
    "two rows swapped": np.eye(3)[[1, 0, 2]],
    "scaled": 2.0 * np.eye(3),
    "one sign lost": [[0.8, -0.6, 0.0], [0.6, -0.8, 0.0], [0.0, 0.0, 1.0]],
    "sheared": [[1.0, 0.02, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
    "rounded": np.round([[0.36, 0.48, -0.8], [-0.8, 0.6, 0.0], [0.48, 0.64, 0.6]], 1),
    "two numbers swapped": [[0.36, -0.8, -0.48], [0.48, 0.6, 0.64], [-0.8, 0.0, 0.6]],
    "none": np.zeros((3, 3)),
    "far from any": [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 10.0]],
}


@pytest.mark.parametrize("form", ["matrix", "said of a measurement"])
@pytest.mark.parametrize("name", MATRICES)
def test_that_every_fault_of_a_matrix_is_printed(tmp_path, name, form) -> None:
    rows = np.asarray(MATRICES[name]).tolist()
    pose = f"orientation: {{form: matrix, maps: frame to parent, rows: {rows}}}"
    text = f"framescope: 1\nframes:\n  a: {{parent: world, {pose}}}\n"
    if form != "matrix":
        text = "framescope: 1\nframes:\n  a: {parent: world}\n"
        text += f"measured:\n  m: {{form: pose, of: a, relative_to: world, {pose}}}\n"
    (tmp_path / "matrix.yaml").write_text(text)
    status, problems = checked(tmp_path / "matrix.yaml")
    assert (status == 2) == any(one["severity"] != "note" for one in problems)
    assert problems
    problem = matrix_problem(np.array(rows))
    assert problem is not None
    assert all(
        type(one.has_safe_fix) is bool for one in diagnose(compile_plan(load_scene(tmp_path / "matrix.yaml").scene))
    )


@pytest.mark.parametrize("path", FAULTY, ids=lambda path: path.stem)
@pytest.mark.parametrize("deep", [(), ("--deep",)], ids=["quick", "deep"])
def test_that_every_faulty_example_is_printed(path, deep) -> None:
    is_solution = path.stem.endswith(".solution")
    status, problems = checked(path, *deep)
    assert not (is_solution and status)
    assert not (deep and not is_solution and status == 0)
    assert all(one["title"] and one["message"] for one in problems)


@pytest.mark.parametrize("fault", PROBLEMS)
def test_that_every_fault_of_compiling_is_printed(tmp_path, fault) -> None:
    (tmp_path / "walk.txt").write_text("")
    (tmp_path / "bad.yaml").write_text(PROBLEMS[fault][0])
    status, problems = checked(tmp_path / "bad.yaml")
    assert status == 2
    assert any(one["where"] for one in problems)


@pytest.mark.parametrize("fault", UNREADABLE)
def test_that_a_file_that_is_no_scene_is_a_list_too(tmp_path, fault) -> None:
    text, message, _ = UNREADABLE[fault]
    (tmp_path / "bad.yaml").write_text(text)
    status, problems = checked(tmp_path / "bad.yaml")
    assert status == 2
    assert any(message in f"{one['message']} {one['hint']}" for one in problems)


@pytest.mark.parametrize(
    ("name", "content"),
    [("missing.yaml", None), ("walk.csv", b"t,x\n0,1\n1,2\n"), ("a.bag", b"#ROSBAG V2.0\n")],
)
def test_that_whatever_is_named_is_answered_with_a_list(tmp_path, name, content) -> None:
    if content is not None:
        (tmp_path / name).write_bytes(content)
    status, problems = checked(tmp_path / name)
    assert status == 2
    assert problems[0]["kind"]


def test_that_a_lesson_is_a_list_too(tmp_path) -> None:
    assert checked(lesson_paths()[0]) == (0, [])
    (tmp_path / "bad.lesson.md").write_text("# A lesson\n\n## A step\n\n```yaml\nscene: nowhere\n```\n")
    status, problems = checked(tmp_path / "bad.lesson.md")
    assert status == 2
    assert 'there is no example "nowhere"' in problems[0]["message"]


@pytest.mark.parametrize("fault", FAULTS)
def test_that_every_fault_of_a_bag_is_printed(tmp_path, fault) -> None:
    planted = FAULTS[fault](np.random.default_rng(3), drive(seconds=8.0, hz=10.0))
    status, problems = checked(write_ros1(tmp_path / "drive.bag", planted.sent))
    assert problems or status == 0


@pytest.mark.parametrize("container", WRITERS)
def test_that_a_bag_of_every_container_is_printed(tmp_path, container) -> None:
    planted = FAULTS["two_parents"](np.random.default_rng(1), drive(seconds=4.0, hz=10.0))
    status, problems = checked(WRITERS[container](tmp_path / "drive", planted.sent))
    assert status == 2
    assert "two parents" in {one["kind"] for one in problems}


@pytest.mark.long
@pytest.mark.parametrize("path", PREPARED, ids=lambda path: path.stem)
def test_that_every_prepared_bag_is_printed(path) -> None:
    checked(path)


def test_that_a_damaged_and_an_empty_bag_are_printed(tmp_path) -> None:
    whole = write_foxglove(tmp_path / "drive.mcap", drive(seconds=3.0)).read_bytes()
    for n in (100, len(whole) // 3, len(whole) - 100):
        (tmp_path / "cut.mcap").write_bytes(whole[:n])
        checked(tmp_path / "cut.mcap")
    checked(write_ros2(tmp_path / "empty", []))


def _checked_setup(case: Case, folder: Path, *words: str) -> list:
    save_scene(Scene.model_validate(case.setup.write(folder)), folder / "setup.yaml")
    return checked(folder / "setup.yaml", *words)[1]


@pytest.mark.long
@pytest.mark.parametrize("case", FEW, ids=lambda case: case.label)
def test_that_what_is_wrong_with_a_set_up_is_printed(tmp_path, case) -> None:
    problems = _checked_setup(case, tmp_path, "--deep")
    assert problems or not case.faults


@pytest.mark.soak
@pytest.mark.fuzz
@pytest.mark.parametrize("case", SETUPS, ids=lambda case: case.label)
def test_that_what_is_wrong_with_every_set_up_is_printed(tmp_path, case) -> None:
    _checked_setup(case, tmp_path)


def test_that_numbers_of_numpy_and_those_that_are_none_become_json() -> None:
    value = {"a": (np.bool_(True), np.int64(3), np.float32(0.5)), "b": [float("inf"), np.nan, np.array([[1, 2]])]}
    assert json.loads(json_text(value)) == {"a": [True, 3, 0.5], "b": [None, None, [[1, 2]]]}
    assert all(
        "json.dumps" not in path.read_text("utf-8") or path.name in {"json_output.py", "lesson_commands.py"}
        for path in Path(json_output.__file__).parent.glob("*.py")
    )

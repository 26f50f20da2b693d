"""What is said of the scenes that ship: no false alarm in an example, and the way out of each prepared fault."""

from __future__ import annotations

import json

import numpy as np
import pytest

from framescope import assets
from framescope.app.cli.main import app
from framescope.core.analysis.diagnostics import diagnose
from framescope.core.errors import Problem
from framescope.core.evaluation.evaluate import Plan, compile_plan, evaluate
from framescope.core.scene.files.loading import LoadedScene, load_scene
from framescope.core.scene.schema.model import Scene
from tests.support.command_line import CliRunner
from tests.tools.make_faulty import RECORDINGS

pytestmark = pytest.mark.long

EXAMPLES = sorted(path.stem for path in assets.path("scenes").glob("*.yaml"))
FOLDER = assets.path("scenes/faulty")

TRUE = {
    # The recording has a gap of 0.11 s in the tenth second.
    "demo": {("time-gap", "frames.camera.motion.file")},
    "recorded-camera": {
        ("time-gap", "frames.calm.motion.file"),
        ("time-gap", "frames.quick.motion.file"),
        ("time-gap", "frames.quick in the same room.motion.file"),
        # 1.5 Hz are too few for its rates, which the scene is about.
        ("smoothed-motion", "frames.calm.motion.bandwidth"),
    },
    # A pendulum is free to swing.
    "pendulum": {("free-motion", "frames.small swing.motion"), ("free-motion", "frames.large swing.motion")},
    # What somebody has measured, off by a few millimetres: the scene is about that.
    "robot-arm": {("loop-open", "measured.tool calibration")},
}
"""What is said of the examples: all of it notes, and all of it true."""

FAULTS = {
    "gyro-frame": ("rate-mismatch", "measured.gyro", ["Resolve in imu"]),
    "mirrored-matrix": ("left-handed", "frames.lidar.orientation.rows", ["Swap rows"]),
    "misspelt-parent": ("parent-missing", "frames.mast_link.parent", ["Use base_link"]),
    "rolled-camera": ("camera-on-its-side", "frames.camera.orientation", ["Make optical"]),
    "shuffled-packets": ("time-backward", "frames.camera.motion.file", ["Sort by time", "Keep sign"]),
    "swapped-order": ("loop-open", "measured.calibration", ["Read as wxyz"]),
}
"""Of each prepared fault the first thing that is said, where, and the buttons that lead to the solution."""


def loaded(path) -> LoadedScene:
    return load_scene(path)


def plan_of(scene: Scene, path) -> Plan:
    return compile_plan(scene, path.parent)


def faults_in(path) -> tuple[Problem, ...]:
    return diagnose(plan_of(loaded(path).scene, path))


@pytest.mark.parametrize("name", EXAMPLES)
def test_that_an_example_has_no_false_alarm(name) -> None:
    found = faults_in(assets.path(f"scenes/{name}.yaml"))
    assert {(one.kind, one.where) for one in found} == TRUE.get(name, set())
    assert {one.severity for one in found} <= {"note"}


# --- The prepared faults


def test_that_each_prepared_fault_stands_beside_its_solution() -> None:
    names = {path.name.removesuffix(".yaml") for path in FOLDER.glob("*.yaml")}
    assert names == {*FAULTS, *(f"{name}.solution" for name in FAULTS)}


@pytest.mark.parametrize("name", FAULTS)
def test_that_the_mends_of_a_prepared_fault_lead_to_its_solution(name) -> None:
    path = FOLDER / f"{name}.yaml"
    scene = loaded(path).scene
    kind, where, buttons = FAULTS[name]
    first = diagnose(plan_of(scene, path))[0]
    assert (first.kind, first.where) == (kind, where)
    for button in buttons:
        (one,) = (one for one in diagnose(plan_of(scene, path)) if one.fix is not None)
        assert one.fix_text == button
        scene = one.fix.change.apply(scene)
    assert scene == loaded(FOLDER / f"{name}.solution.yaml").scene
    assert [one for one in diagnose(plan_of(scene, path)) if one.severity != "note"] == []


@pytest.mark.parametrize("name", FAULTS)
def test_that_a_solution_has_no_fault_and_everything_in_its_place(name) -> None:
    path = FOLDER / f"{name}.solution.yaml"
    plan = plan_of(loaded(path).scene, path)
    assert {one.severity for one in diagnose(plan)} <= {"note"}
    assert plan.problems == ()
    assert evaluate(plan, np.linspace(plan.start, plan.end, 5)).is_posed.all()


@pytest.mark.parametrize("name", RECORDINGS)
def test_that_the_recordings_are_what_their_script_makes(name) -> None:
    text = (FOLDER / name).read_text(encoding="utf-8")
    assert len(text) < 200_000
    made = RECORDINGS[name]().splitlines()
    assert len(made) == len(text.splitlines())
    separator = "," if name.endswith(".csv") else None
    numbers, expected = (np.genfromtxt(lines, delimiter=separator)[1:] for lines in (text.splitlines(), made))
    np.testing.assert_allclose(numbers, expected, atol=1.1e-5)


# --- The command line


def run(*arguments) -> tuple[int, str]:
    result = CliRunner().invoke(app, ["check", *map(str, arguments)])
    assert "Traceback" not in result.output
    return result.exit_code, result.output


def test_that_check_deep_says_more_than_check_and_ends_with_2() -> None:
    path = FOLDER / "swapped-order.yaml"
    assert run(path) == (0, run(path)[1])
    status, output = run(path, "--deep")
    assert status == 2
    assert "amber: loop open: measured.calibration (line 25)" in output
    assert "fix: Read as wxyz" in output


def test_that_notes_do_not_make_a_check_fail() -> None:
    status, output = run("robot-arm", "--deep")
    assert status == 0
    assert "note: loop closed nearly" in output
    assert "no problems" in output


def test_that_json_has_every_fault_with_place_and_mend() -> None:
    status, output = run(FOLDER / "shuffled-packets.yaml", "--deep", "--json")
    assert status == 2
    (fault,) = json.loads(output)
    assert fault | {"message": "", "title": ""} == {
        "kind": "time-backward",
        "severity": "red",
        "title": "",
        "where": "frames.camera.motion.file",
        "line": 10,
        "time": 4.0,
        "times": [4.0],
        "rows": [221],
        "message": "",
        "hint": "",
        "mend": "Sort by time",
        "is_safe": False,
        "others": [],
    }


def test_that_json_without_deep_has_what_compiling_finds() -> None:
    status, output = run(FOLDER / "misspelt-parent.yaml", "--json")
    assert status == 2
    (fault,) = json.loads(output)
    assert (fault["kind"], fault["mend"], fault["is_safe"]) == ("parent-missing", "Use base_link", True)
    assert json.loads(run("sensor", "--json")[1]) == []

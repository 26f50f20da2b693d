"""`framescope check` on a bag."""

import json
import shlex
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from framescope.app.cli.main import app
from framescope.assets import path as asset_path
from framescope.core.evaluation.evaluate import compile_plan
from framescope.core.scene.files.loading import load_scene
from framescope.core.system.cooperative_yield import report_progress_to
from framescope.features.bags.app import bag_reader as bags
from tests.support.bags import NS, START_NS, Other, Sent, drive, write_ros1, write_ros2
from tests.support.command_line import CliRunner
from tests.support.planted_bags import two_parents


def run(*arguments: str):
    return CliRunner().invoke(app, list(arguments))


@pytest.fixture
def faulty(tmp_path):
    return write_ros1(tmp_path / "drive.bag", two_parents(np.random.default_rng(1), drive(seconds=10.0)).sent)


def test_that_a_bag_is_checked_with_answer_and_mend(faulty):
    done = run("check", str(faulty))
    assert done.exit_code == 2
    assert "/tf: " in done.stdout
    assert "8 frames, " in done.stdout
    assert (
        f"{faulty}: red: Two parents: base_link: base_link is sent in odom (200 samples by /driver) and map"
        in done.stdout
    )
    assert "fix: Leave out base_link in map" in done.stdout


def test_that_the_autopsy_can_be_read_by_programs(faulty):
    (fault,) = json.loads(run("check", "--json", str(faulty)).stdout)
    assert (fault["kind"], fault["frame"], fault["parent"], fault["publishers"]) == (
        *("two parents", "base_link", "map"),
        ["/other"],
    )
    assert 0.0 < fault["first_time"] < fault["last_time"] < 10.0


def test_that_a_healthy_bag_has_no_problem(tmp_path):
    done = run("check", str(write_ros2(tmp_path / "bag", drive(seconds=3.0))))
    assert (done.exit_code, done.stderr) == (0, "")
    assert "no problems" in done.stdout


def test_that_a_bag_without_transforms_says_so(tmp_path):
    done = run("check", str(write_ros2(tmp_path / "bag", [])))
    assert done.exit_code == 0
    assert "no transforms between frames" in done.stdout


def test_that_a_bag_that_was_cut_short_says_so(tmp_path, faulty):
    faulty.write_bytes(faulty.read_bytes()[:60_000])
    done = run("check", str(faulty))
    assert done.exit_code == 2
    assert "Damaged: it has no index, as if the recording was interrupted" in done.stdout


def topics_of(sent: Sent) -> tuple[str, str]:
    """Return the topics of transforms of two robots."""
    name = "tf_static" if sent.is_static else "tf"
    return f"/{name}", f"/two/{name}"


def test_that_reading_says_how_far_it_is_over_all_that_is_read(tmp_path: Path) -> None:
    sent = [replace(each, topic=topic) for each in drive() for topic in topics_of(each)]
    write_ros1(tmp_path / "drive.bag", sent)
    shares: list[float | None] = []
    with report_progress_to(shares.append):
        scene = bags.read(tmp_path / "drive.bag").scene

    assert scene is not None
    assert "two/base_link" in scene.scene.frames or len(scene.scene.frames) > 8
    known = [share for share in shares if share is not None]
    assert known == sorted(known)
    assert known[0] == 0.0
    assert known[-1] > 0.7


def test_that_the_commands_of_the_manual_page_run(faulty, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    lines = asset_path("manual/bags.md").read_text("utf-8").splitlines()
    commands = [line for line in lines if line.startswith("framescope evaluate drive.mcap")]
    assert len(commands) >= 3
    for command in commands:
        arguments = shlex.split(command.replace("drive.mcap", str(faulty)))[1:]
        done = run(*arguments, "--rate", "1")
        assert done.exit_code == 0, done.stderr


def test_that_a_bag_in_which_nothing_can_be_judged_is_not_said_to_have_no_problems(tmp_path):
    done = run("check", str(write_ros2(tmp_path / "empty", [])))
    assert (done.exit_code, "no problems" in done.stdout) == (0, False)
    assert "it is empty: there is nothing to judge" in done.stdout

    vector = ("geometry_msgs/msg/Vector3", {"x": 0.1, "y": 0.0, "z": 0.0})
    twist = "geometry_msgs/msg/Twist", {"linear": vector, "angular": vector}
    sent = [Other(START_NS + k * NS, "/cmd_vel", *twist) for k in range(5)]
    done = run("check", str(write_ros2(tmp_path / "driven", sent)))
    assert (done.exit_code, "no problems" in done.stdout) == (0, False)
    assert "nothing in it is about frames" in done.stdout


def test_that_frames_of_messages_are_told_where_there_are_no_transforms(tmp_path):
    point = ("geometry_msgs/msg/Point", {"x": 0.0, "y": 0.0, "z": 0.0})
    turn = ("geometry_msgs/msg/Quaternion", {"x": 0.0, "y": 0.0, "z": 0.0, "w": 1.0})
    pose = ("geometry_msgs/msg/Pose", {"position": point, "orientation": turn})
    header = {name: {"header": ("header", name), "pose": pose} for name in ("imu_link", "imu_back")}
    names = ["imu_link", "imu_back"] * 20
    sent = [Other(START_NS + k * NS, "/goal", "geometry_msgs/msg/PoseStamped", header[n]) for k, n in enumerate(names)]
    done = run("check", str(write_ros1(tmp_path / "goals.bag", sent)))
    assert done.exit_code == 2
    assert "40 messages are stamped in imu_link and imu_back, but the recording has no transforms" in done.stdout
    assert "no problems" not in done.stdout

    done = run("check", str(write_ros1(tmp_path / "goal.bag", sent[::2])))  # of one frame nothing can be lost
    assert (done.exit_code, "20 messages are stamped in imu_link" in done.stdout) == (0, True)
    assert "nothing to judge" in done.stdout


@pytest.mark.long
@pytest.mark.parametrize("command", ["evaluate", "export", "picture"])
def test_that_commands_on_a_faulty_bag_say_that_it_has_faults(faulty, tmp_path, command):
    asked = {
        "evaluate": ["-s", "position of base_link relative to odom resolved in odom in m", "--stop", "0.1"],
        "export": [str(tmp_path / "drive.csv"), "--stop", "0.1"],
        "picture": [str(tmp_path / "drive.png"), "--size", "96x64"],
    }[command]
    done = run(command, str(faulty), *asked)
    assert done.exit_code == 0
    assert f"{faulty}: 1 fault in recorded frames: framescope check says which." in done.stderr

    saved = tmp_path / "drive.yaml"
    assert run("import", str(faulty), "--out", str(saved)).exit_code == 0
    done = run(command, str(saved), *asked)
    assert f"{saved}: 1 fault in recorded frames: framescope check --deep says which." in done.stderr
    assert "two parents" in run("check", "--deep", str(saved)).stdout


def test_that_a_bag_is_imported_as_the_scene_that_names_it(tmp_path):
    bag = write_ros2(tmp_path / "bag", drive(seconds=3.0))
    done = run("import", str(bag), "--out", str(tmp_path / "drive.yaml"))
    assert done.exit_code == 0
    assert "a bag with 8 frames" in done.stdout
    scene = load_scene(tmp_path / "drive.yaml").scene
    assert "base_link" in scene.frames
    assert compile_plan(scene, tmp_path).problems == ()


@pytest.mark.parametrize("name", ["mesh.stl", "scene.yaml", "empty"])
def test_that_nothing_is_written_of_what_is_no_recording(tmp_path, name):
    path = tmp_path / name
    if name == "empty":
        path = write_ros2(path, [])
    else:
        path.write_text("solid\nendsolid\n" if name == "mesh.stl" else "framescope: 1\n")
    done = run("import", str(path), "--out", str(tmp_path / "out.yaml"))
    assert done.exit_code == 2
    assert "is not written" in done.stderr
    assert not (tmp_path / "out.yaml").exists()

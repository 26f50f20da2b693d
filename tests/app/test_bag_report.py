"""`framescope check` on a bag."""

import json
import shlex
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from framescope.app.cli.main import app
from framescope.app.importers import bags
from framescope.assets import path as asset_path
from framescope.core.system.cooperative_yield import hearing
from tests.support.bags import Sent, drive, write_ros1, write_ros2
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
        in done.stderr
    )
    assert "mend: Leave out base_link in map" in done.stderr


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
    assert "Damaged: it has no index, as of a recording that was cut short" in done.stderr


def topics_of(sent: Sent) -> tuple[str, str]:
    """Return the topics of transforms of two robots."""
    name = "tf_static" if sent.is_static else "tf"
    return f"/{name}", f"/two/{name}"


def test_that_reading_says_how_far_it_is_over_all_that_is_read(tmp_path: Path) -> None:
    sent = [replace(each, topic=topic) for each in drive() for topic in topics_of(each)]
    write_ros1(tmp_path / "drive.bag", sent)
    shares: list[float | None] = []
    with hearing(shares.append):
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
    assert len(commands) == 2
    for command in commands:
        arguments = shlex.split(command.replace("drive.mcap", str(faulty)))[1:]
        done = run(*arguments, "--rate", "1")
        assert done.exit_code == 0, done.stderr

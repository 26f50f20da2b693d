"""`framescope check` on a bag."""

import json

import numpy as np
import pytest

from framescope.app.cli.main import app
from tests.support.bags import drive, write_ros1, write_ros2
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

"""``framescope check`` on a bag and on a scene of a bag: what the sensors prove, in words and as JSON."""

from __future__ import annotations

import json

import numpy as np
import pytest
import yaml

from framescope.app.cli.main import app
from framescope.core.scene.files.saving import save_scene
from framescope.features.evidence.core import evidence_problems
from tests.support.bag_scenes import scene_plan
from tests.support.bags import START_NS, write_ros1
from tests.support.command_line import CliRunner
from tests.support.hand_made_accounts import SENTENCE, account, healthy_account
from tests.support.imu_drives import drive_with, turned_imu


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    folder = tmp_path_factory.mktemp("bags")
    return write_ros1(folder / "turned.bag", drive_with(np.random.default_rng(3), (turned_imu(),), seconds=2.0))


def run(*arguments: str):
    return CliRunner().invoke(app, list(map(str, arguments)))


def test_that_the_check_of_a_bag_has_the_sentences_with_lines_to_copy(path, monkeypatch) -> None:
    monkeypatch.setattr(evidence_problems, "examine", lambda log: account())
    done = run("check", path)
    assert done.exit_code == 2
    quoted = '"imu_link"' + SENTENCE.removeprefix("imu_link")
    assert f"{path}: red: mounted otherwise: imu_link: {quoted}\n" in done.stdout
    assert "  fix: ros2 run tf2_ros static_transform_publisher --x 0.0" in done.stdout
    assert f"{path}: note: sensors compared: " in done.stdout


def test_that_programs_read_the_sentences_as_the_other_faults(path, monkeypatch) -> None:
    monkeypatch.setattr(evidence_problems, "examine", lambda log: account())
    mounted, degrees, uncertain, *notes = json.loads(run("check", "--json", path).stdout)
    assert mounted["kind"] == "evidence mounting"
    assert (mounted["frame"], mounted["first_time"], mounted["last_time"]) == ("imu_link", 6.0, 12.5)
    assert mounted["first_ns"] == START_NS + 6_000_000_000
    assert mounted["mend"].splitlines()[0].startswith("ros2 run")
    assert yaml.safe_load(degrees["mend"])["scale"] == pytest.approx(np.pi / 180)
    assert {note["severity"] for note in notes} == {"note"}
    assert all(each["mend"] is None for each in (uncertain, *notes))


def test_that_sensors_that_agree_are_no_problem(path, monkeypatch) -> None:
    monkeypatch.setattr(evidence_problems, "examine", lambda log: healthy_account())
    done = run("check", path)
    assert done.exit_code == 0
    assert "note: sensors compared: imu_link: " in done.stdout
    assert done.stdout.endswith("no problems\n")


def test_that_a_scene_is_compared_in_a_deep_check_alone(path, monkeypatch) -> None:
    scene = path.with_suffix(".yaml")
    save_scene(scene_plan(path)[1].scene, scene)
    asked = []
    monkeypatch.setattr(evidence_problems, "examine", lambda log: asked.append(log) or account())
    assert run("check", scene).exit_code == 0
    assert asked == []
    done = run("check", "--deep", scene)
    assert done.exit_code == 2
    assert "red: mounted otherwise: frames.imu_link" in done.stdout
    assert "  fix: Turn frame" in done.stdout

"""The command rig: the answer first, tree, loops, notes, JSON, exit status, and the rig as a scene."""

from __future__ import annotations

import json

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from framescope.app.cli.main import app
from framescope.core.scene.files.loading import load_scene
from framescope.features.calibrations.app.tree_formats import TREES
from tests.support.command_line import CliRunner
from tests.support.rig_files import CAM0, make_wrong, write_files

run = CliRunner().invoke


@pytest.fixture
def files(tmp_path):
    return write_files(tmp_path)


def test_that_a_healthy_rig_closes(files) -> None:
    result = run(app, ["rig", *map(str, files)])
    assert result.exit_code == 0, result.output
    first, _, *tree = result.stdout.splitlines()
    assert first.startswith("1 loop of imu0, cam0 and cam1 closes: ")
    assert tree[0] == "imu0"
    assert tree[1].startswith("  cam0: at ")
    assert "(camchain.yaml: cam1.T_cn_cnm1)" in tree[2]


def test_that_the_inverted_entry_is_told_first(files) -> None:
    result = run(app, ["rig", *make_wrong(files)])
    assert result.exit_code == 2
    first = result.stdout.splitlines()[0]
    assert first.startswith("camchain.yaml: cam1.T_cn_cnm1 is inverted. The loop of ")
    assert "instead of 2.1° and 0.22" in first
    data = json.loads(run(app, ["rig", *make_wrong(files), "--json"]).stdout)
    (verdict,) = data["verdicts"]
    assert (verdict["state"], verdict["kinds"]) == ("found", ["inverted"])
    assert verdict["places"] == ["camchain.yaml: cam1.T_cn_cnm1"]
    assert verdict["loops"][0]["angle_deg"] == pytest.approx(2.14, abs=0.05)


def test_that_the_rig_is_written_as_a_scene(files, tmp_path) -> None:
    out = tmp_path / "rig.yaml"
    result = run(app, ["rig", *map(str, files), "--out", str(out)])
    assert result.exit_code == 0
    assert result.stdout.splitlines()[-1] == str(out)
    loaded = load_scene(out)
    assert list(loaded.scene.frames) == ["imu0", "cam0", "cam1"]
    assert loaded.scene.measured["cam1 from imu0"].source.file == "imucam.yaml"
    assert run(app, ["check", str(out)]).exit_code == 0
    run(app, ["rig", *make_wrong(files), "--out", str(out)])
    checked = run(app, ["check", str(out)])
    assert checked.exit_code == 2
    assert "cam1.T_cn_cnm1 is inverted" in checked.stdout
    deep = run(app, ["check", "--deep", str(out)])
    assert deep.exit_code == 2
    assert deep.stdout.count("is inverted") == 1
    assert "fix: Invert the pose" in deep.stdout


def test_that_refusals_name_what_is_expected(files, tmp_path) -> None:
    result = run(app, ["rig", str(files[0]), "--out", str(tmp_path / "rig.xyz")])
    assert result.exit_code == 2
    assert ".yaml, .urdf, " in result.output
    assert run(app, ["rig", str(files[0]), "--out", str(files[0])]).exit_code == 2
    other = tmp_path / "notes.txt"
    other.write_text("no calibration", "utf-8")
    assert "no calibration in a known dialect" in run(app, ["rig", str(other)]).output
    assert "there is no frame 'camm0'" in run(app, ["rig", str(files[0]), "--same", "camm0=cam0"]).output
    assert "expected two names" in run(app, ["rig", str(files[0]), "--same", "cam0"]).output


def test_that_a_robot_joins_and_near_names_are_asked(files, tmp_path) -> None:
    body = np.linalg.inv(CAM0)
    rpy = Rotation.from_matrix(body[:3, :3]).as_euler("xyz")
    robot = tmp_path / "robot.urdf"
    robot.write_text(
        '<robot name="r"><link name="base_link"/><link name="imu_link"/><link name="cam0"/>'
        '<joint name="i" type="fixed"><parent link="base_link"/><child link="imu_link"/></joint>'
        '<joint name="c" type="fixed"><parent link="base_link"/><child link="cam0"/>'
        f'<origin xyz="{" ".join(map(repr, body[:3, 3].tolist()))}" rpy="{" ".join(map(repr, rpy.tolist()))}"/>'
        "</joint></robot>",
        "utf-8",
    )
    paths = [str(path) for path in (*files, robot)]
    assert "Are imu_link (robot.urdf) and imu0 (camchain.yaml) the same frame?" in run(app, ["rig", *paths]).stdout
    result = run(app, ["rig", *paths, "--same", "imu_link=imu0"])
    assert result.exit_code == 0, result.output
    assert result.stdout.startswith("3 loops of imu0, cam0, cam1 and base_link close")
    text, written = robot.read_text("utf-8"), " ".join(map(repr, rpy.tolist()))
    robot.write_text(text.replace(written, " ".join(map(repr, np.degrees(rpy).tolist()))), "utf-8")
    result = run(app, ["rig", *paths, "--same", "imu_link=imu0"])
    assert result.exit_code == 2
    assert result.stdout.startswith("robot.urdf: joint c has its angles in deg. ")


def test_that_files_of_one_name_get_their_folders(files, tmp_path) -> None:
    for name, path in zip(("left", "right"), files, strict=True):
        (tmp_path / name).mkdir()
        (tmp_path / name / "sensor.yaml").write_text(path.read_text("utf-8"), "utf-8")
    result = run(app, ["rig", str(tmp_path / "left" / "sensor.yaml"), str(tmp_path / "right" / "sensor.yaml")])
    assert "(left/sensor.yaml: cam0.T_cam_imu)" in result.stdout


def test_that_one_file_has_no_loop(files) -> None:
    result = run(app, ["rig", str(files[1])])
    assert result.exit_code == 0
    assert result.stdout.startswith("There is no loop")


@pytest.mark.parametrize("suffix", [made.suffix for made in TREES])
def test_that_a_rig_is_written_as_a_tree_below_its_root(tmp_path, suffix) -> None:
    (tmp_path / "camchain.yaml").write_text(
        "cam0:\n  T_cam_imu: [[0, -1, 0, 0.03], [0, 0, -1, 0.02], [1, 0, 0, -0.05], [0, 0, 0, 1]]\n"
    )
    out = tmp_path / f"rig{suffix}"
    shown = run(app, ["rig", str(tmp_path / "camchain.yaml"), "--out", str(out)])
    assert shown.exit_code == 0, shown.output
    text = out.read_text()
    assert "cam0" in text
    assert "0.05" in text
    assert "world" not in text.replace("the world", "")

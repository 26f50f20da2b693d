"""Export of trees of frames by the command: the ending decides the format, and frames that move need a time."""

from __future__ import annotations

import runpy
import xml.etree.ElementTree as ET

import numpy as np
import pytest
from typer.testing import CliRunner

from framescope.app.cli.main import app
from framescope.app.exporters.registry import chosen
from framescope.app.importers.registry import read_scene
from framescope.core.evaluation.evaluate import compile_plan, evaluate

SCENE = """\
framescope: 1
time: {end: 4 s}
frames:
  base:
    parent: world
    position: {value: [1, 2, 0.5], unit: m}
  lidar:
    parent: base
    position: {value: [0.2, 0, 1.5], unit: m}
    orientation: {form: axes, sequence: ZYX, angles: [90, 10, -20], unit: deg}
  arm:
    parent: world
    orientation: {form: axes, sequence: ZYX, angles: ["90*t", 0, 0], unit: deg}
"""


@pytest.fixture
def scene(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "rig.yaml"
    path.write_text(SCENE)
    return path


def run(*words: str):
    """Run ``framescope export`` with words."""
    return CliRunner().invoke(app, ["export", *words])


SUFFIXES = (
    ".urdf", ".sdf", ".launch.py", ".launch.xml", ".launch.yaml", ".launch",
    ".py", ".cpp", ".hpp", ".h", ".m", ".tree.csv",
)  # fmt: skip


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_that_the_ending_decides_the_format(suffix, scene, tmp_path) -> None:
    out = tmp_path / f"rig.v2{suffix}"
    result = run(str(scene), str(out), "--frame", "base")
    assert result.exit_code == 0, result.output
    text = out.read_text()
    assert "lidar" in text
    assert "arm" not in text
    if suffix != ".tree.csv":
        assert "Pose of lidar in base: takes points of lidar to base." in text
    assert chosen(out)[1].suffix == suffix


def test_that_a_table_over_time_keeps_its_ending(scene, tmp_path) -> None:
    assert run(str(scene), "rig.csv", "--fps", "2").exit_code == 0
    assert (tmp_path / "rig.csv").read_text().startswith("t [s]")


def test_that_frames_that_move_need_a_time(scene, tmp_path) -> None:
    refused = run(str(scene), "rig.urdf")
    assert refused.exit_code != 0
    assert "time: arm moves over time" in " ".join(refused.output.split())
    assert not (tmp_path / "rig.urdf").exists()
    written = run(str(scene), "rig.urdf", "--time", "1")
    assert written.exit_code == 0
    assert "arm moves over time: the file has the poses at 1 s." in written.output
    text = (tmp_path / "rig.urdf").read_text()
    assert "<!-- arm moves over time: the file has the poses at 1 s. -->" in text
    joint = next(joint for joint in ET.fromstring(text).iter("joint") if joint.get("name") == "world_to_arm")
    np.testing.assert_allclose([float(x) for x in joint.find("origin").get("rpy").split()], [0, 0, np.pi / 2])


@pytest.mark.parametrize("suffix", [".urdf", ".sdf", ".launch.py", ".launch.xml", ".launch.yaml", ".launch"])
def test_that_a_written_tree_opens_with_the_poses_of_the_scene(suffix, scene, tmp_path) -> None:
    assert run(str(scene), f"out{suffix}", "--time", "0.5").exit_code == 0
    before = evaluate(compile_plan(read_scene(scene)[0].scene), 0.5)
    after = evaluate(compile_plan(read_scene(tmp_path / f"out{suffix}")[0].scene), 0.0)
    for name in ("base", "lidar", "arm"):
        row, again = before.index[name], after.index[name]
        np.testing.assert_allclose(after.R_WF[again], before.R_WF[row], atol=1e-12)
        np.testing.assert_allclose(after.p_WF[again], before.p_WF[row], atol=1e-12)


def test_that_the_library_of_code_is_an_option(scene, tmp_path) -> None:
    assert run(str(scene), "rig.py", "--frame", "base", "--library", "scipy").exit_code == 0
    R, p = runpy.run_path(str(tmp_path / "rig.py"))["POSES"]["base", "lidar"]
    np.testing.assert_allclose(p, [0.2, 0, 1.5])
    np.testing.assert_allclose(R.as_euler("ZYX", degrees=True), [90, 10, -20])
    wrong = run(str(scene), "rig.cpp", "--frame", "base", "--library", "scipy")
    assert "library: code in C++ is written with eigen or tf2, got scipy." in " ".join(wrong.output.split())
    unknown = run(str(scene), "rig.urdf", "--frame", "base", "--library", "eigen")
    assert "takes no library" in " ".join(unknown.output.split())
    missing = run(str(scene), "rig.urdf", "--frame", "bse")
    assert missing.exit_code != 0
    assert '"base"' in missing.output

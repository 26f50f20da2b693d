"""The command rig: the answer first, tree, loops, notes, JSON, exit status, and the rig as a scene."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from framescope.app.cli.main import app
from framescope.core.scene.files.loading import load_scene
from framescope.features.calibrations.app.tree_formats import TREES
from tests.support.command_line import CliRunner
from tests.support.planted_rigs import OPTICAL, matrix_of
from tests.support.rig_files import CAM0, make_wrong, text_of, write_files

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
    robot = write_rover(tmp_path, "imu_link")
    written = re.search('rpy="(.*?)"', robot.read_text("utf-8"))[1]
    paths = [str(path) for path in (*files, robot)]
    assert "Are imu_link (rover.urdf) and imu0 (camchain.yaml) the same frame?" in run(app, ["rig", *paths]).stdout
    result = run(app, ["rig", *paths, "--same", "imu_link=imu0"])
    assert result.exit_code == 0, result.output
    assert result.stdout.startswith("3 loops of base_link, imu0, cam0 and cam1 close")
    degrees = " ".join(map(repr, np.degrees(list(map(float, written.split()))).tolist()))
    robot.write_text(robot.read_text("utf-8").replace(written, degrees), "utf-8")
    result = run(app, ["rig", *paths, "--same", "imu_link=imu0"])
    assert result.exit_code == 2
    assert result.stdout.startswith("rover.urdf: joint c has its angles in deg. ")


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


def test_that_an_entry_that_is_not_read_counts_as_a_problem(tmp_path) -> None:
    line = "ros2 run tf2_ros static_transform_publisher {} 0 0.2 0 0 0 base_link {}\n"
    script = tmp_path / "order.sh"
    script.write_text(line.format("0.1", "lidar"), "utf-8")
    assert run(app, ["rig", str(script)]).exit_code == 0
    for wrong in (line.format("0,1", "camera"), line.format("$X", "camera"), line.format("0.1", "base_link")):
        script.write_text(line.format("0.1", "lidar") + wrong, "utf-8")
        result = run(app, ["rig", str(script)])
        assert result.exit_code == 2
        assert "line 2" in result.stdout


NOISE = "accelerometer_noise_density: 1.86e-03\ngyroscope_noise_density: 1.87e-04\nrostopic: /imu0\n"


@pytest.mark.parametrize("command", ["rig", "check"])
@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("imu.yaml", NOISE, "an IMU file of Kalibr: noise alone, no pose"),
        ("body.yaml", "comment: MAV\n", "a body.yaml of EuRoC: a comment alone, no pose"),
        ("a.launch.py", "def generate_launch_description():\n    pass\n", "without a static_transform_publisher"),
        ("a.launch", "<launch/>\n", "without a static_transform_publisher"),
        ("a.launch.py", "", "a.launch.py is empty."),
        ("a.urdf", "", "a.urdf is empty."),
        (
            "a.sh",
            "static_transform_publisher 0 0 0 0 0 0 a b\n" * 250_000,
            "a calibration of 10.8 MB is not read. The limit is 10 MB",
        ),
    ],
)
def test_that_a_file_without_poses_is_refused_with_its_reason(tmp_path, command, name, content, reason) -> None:
    path = tmp_path / name
    path.write_text(content, "utf-8")
    result = run(app, [command, str(path)])
    assert result.exit_code == 2
    assert reason in " ".join(result.output.split())


def test_that_the_only_imu_of_kalibr_is_a_frame(tmp_path) -> None:
    rows = "".join(f"  - {row}\n" for row in np.eye(4).tolist())
    path = tmp_path / "imu.yaml"
    path.write_text(f"imu0:\n  T_i_b:\n{rows}  accelerometer_noise_density: 0.002\n", "utf-8")
    result = run(app, ["check", str(path)])
    assert result.exit_code == 0
    assert "imu0: in world" in result.stdout
    path.write_text(path.read_text("utf-8").replace("[1.0, 0.0, 0.0, 0.0]", "[1.0, 0.0, 0.0, 0.5]"), "utf-8")
    result = run(app, ["check", str(path)])
    assert result.exit_code == 2
    assert "T_i_b of it is the identity" in result.stdout


ROVER = (
    '<robot name="r"><link name="base_link"/><link name="{name}"/><link name="cam0"/>'
    '<joint name="i" type="fixed"><parent link="base_link"/><child link="{name}"/></joint>'
    '<joint name="c" type="fixed"><parent link="base_link"/><child link="cam0"/>{origin}</joint></robot>'
)


def write_rover(folder, name: str = "imu0"):
    body = np.linalg.inv(CAM0)
    rpy, xyz = Rotation.from_matrix(body[:3, :3]).as_euler("xyz"), body[:3, 3]
    origin = f'<origin xyz="{" ".join(map(repr, xyz.tolist()))}" rpy="{" ".join(map(repr, rpy.tolist()))}"/>'
    robot = folder / "rover.urdf"
    robot.write_text(ROVER.format(name=name, origin=origin), "utf-8")
    return robot


@pytest.mark.parametrize("name", ["a&#10;b", "x" * 300, "&#x202E;abc"])
@pytest.mark.parametrize("suffix", [".yaml", ".urdf", ".launch.py"])
def test_that_a_rig_with_a_name_that_no_scene_can_have_is_written(tmp_path, name, suffix) -> None:
    out = tmp_path / f"out{suffix}"
    result = run(app, ["rig", str(write_rover(tmp_path, name)), "--out", str(out)])
    assert result.exit_code == 0, result.output
    assert "cam0" in out.read_text("utf-8")


def test_that_the_order_of_the_files_changes_nothing(files, tmp_path) -> None:
    make_wrong(files)
    paths = [*map(str, files), str(write_rover(tmp_path))]
    outputs = set()
    for order in (paths, paths[::-1], [paths[1], paths[2], paths[0]]):
        out = tmp_path / "rig.launch.py"
        result = run(app, ["rig", *order, "--out", str(out)])
        outputs.add((result.stdout, out.read_text("utf-8")))
    ((text, launch),) = outputs
    assert text.splitlines()[2] == "base_link"
    assert "rover.urdf: joint c" in text
    assert launch.count("base_link") >= 2


def test_that_another_root_is_taken_by_name(files, tmp_path) -> None:
    paths = [*map(str, files), str(write_rover(tmp_path))]
    out = tmp_path / "rig.yaml"
    result = run(app, ["rig", *paths, "--root", "cam1", "--out", str(out)])
    assert result.exit_code == 0, result.output
    assert result.stdout.splitlines()[2] == "cam1"
    roots = [name for name, frame in load_scene(out).scene.frames.items() if frame.parent == "world"]
    assert roots == ["cam1"]
    assert run(app, ["check", str(out)]).exit_code == 0
    refused = run(app, ["rig", *paths, "--root", "cam7"])
    assert refused.exit_code == 2
    assert "--root: there is no frame 'cam7'" in refused.output


RING = 6


def ring(wrong: int | None = None) -> str:
    """Return a camera chain of cameras in a ring that look outward, one of them inverted."""
    poses = [
        matrix_of(
            Rotation.from_euler("z", 360.0 * k / RING, degrees=True).as_matrix() @ OPTICAL.T, np.array([0, 0, 0.1])
        )
        for k in range(RING)
    ]
    for pose in poses:
        pose[:2, 3] = 0.2 * pose[:2, 2]
    to_camera = [np.linalg.inv(pose) for pose in poses]
    cameras = {f"cam{k}": {"T_cam_imu": poses[k] if k == wrong else to_camera[k]} for k in range(RING)}
    for k in range(1, RING):
        cameras[f"cam{k}"]["T_cn_cnm1"] = to_camera[k] @ poses[k - 1]
    return text_of(**cameras)


def test_that_the_consequence_of_a_wrong_pose_is_not_reported_beside_it(tmp_path) -> None:
    path = tmp_path / "ring.yaml"
    path.write_text(ring(2), "utf-8")
    for options in ([], ["--deep"]):
        lines = run(app, ["check", *options, str(path)]).stdout.splitlines()
        (problem,) = (line for line in lines if line.startswith(f"{path}: amber: "))
        assert "frames.cam2: ring.yaml: cam2.T_cam_imu is inverted." in problem
    text = run(app, ["rig", str(path)]).stdout
    assert text.startswith("ring.yaml: cam2.T_cam_imu is inverted.")
    assert "notes" not in text


def test_that_only_the_worst_loops_are_listed_with_their_entries(tmp_path) -> None:
    path = tmp_path / "ring.yaml"
    path.write_text(ring(), "utf-8")
    lines = run(app, ["rig", str(path)]).stdout.splitlines()
    start = next(k for k, line in enumerate(lines) if line.startswith("loops, the 5 most open of "))
    assert len(lines) == start + 7
    assert ", 0 times the noise  (ring.yaml: cam" in lines[start + 1]
    assert lines[-1].endswith(" more loops, open by up to 0 times the noise")


def test_that_import_shows_the_tree_of_a_calibration(files) -> None:
    lines = run(app, ["import", str(files[0])]).stdout.splitlines()
    assert "one of the camera chains of Kalibr, 3 frames. The window opens it" in lines[0]
    assert lines[1].strip() == "imu0"
    assert lines[2].strip().startswith("cam0: at ")

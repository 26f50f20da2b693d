"""The command ``framescope import``: its report, its exit status, answers, scenes that it writes, and foreign files."""

from __future__ import annotations

import json

import numpy as np
import pytest

from framescope.app.cli.main import app, with_command
from framescope.app.importers.foreign import KINDS, foreign_kind
from framescope.core.evaluation.evaluate import compile_plan, evaluate
from framescope.core.scene.files.loading import load_scene
from framescope.core.scene.files.referenced_files import named_files
from framescope.core.system.file_access import Access
from framescope.features.table_import.app.import_report import VERSION
from tests.imports.judge import run_import
from tests.imports.motions import Motion, drive, pose, quat, text, tumble, walk, xyz
from tests.support.bags import drive as bag_drive
from tests.support.bags import write_foxglove
from tests.support.command_line import CliRunner

run = CliRunner().invoke


def written(folder, content: str, name: str = "walk.csv"):
    (folder / name).write_text(content, "utf-8")
    return folder / name


def named(m: Motion) -> str:
    columns = {"time [s]": m.t} | {f"{k} [m]": v for k, v in xyz(m).items()} | quat(m)
    return text(columns, number=lambda x: f"{x:.17g}")


def test_that_the_report_has_all_that_its_help_names(tmp_path) -> None:
    found, status = run_import(written(tmp_path, named(walk())))
    assert status == 0
    assert set(found) == {"version", "files", "open", "scene"}
    assert (found["version"], found["open"], found["scene"]) == (VERSION, 0, None)
    (file,) = found["files"]
    keys = {"file", "kind", "message", "rows", "columns", "decisions", "open", "notes", "recordings"}
    assert set(file) == keys
    decision = {"name", "value", "alternatives", "reason", "certainty", "settled_by"}
    assert all(set(each) == decision for each in file["decisions"])
    assert {each["certainty"] for each in file["decisions"]} <= {"format", "certain", "assumed", "open"}
    (recording,) = file["recordings"]
    ends = {"time", "position", "quaternion_xyzw", "matrix"}
    assert set(recording["first"]) == set(recording["last"]) == ends
    help_text = run(app, ["import", "--help"]).output
    for word in (*keys, *decision, *ends, *recording, *(each["name"] for each in file["decisions"])):
        assert word in help_text


def test_that_a_settled_file_needs_no_answer_and_an_open_one_ends_with_3(tmp_path) -> None:
    m = walk()
    path = written(tmp_path, text(quat(m) | xyz(m)))
    found, status = run_import(path)
    assert status == 3
    assert found["files"][0]["open"] == ["time", "rate"]
    answered, status = run_import(path, {"rate": "20"})
    assert status == 0
    rate = next(each for each in answered["files"][0]["decisions"] if each["name"] == "rate")
    assert (rate["value"], rate["certainty"], rate["settled_by"]) == ("20", "certain", "")


@pytest.mark.parametrize(
    ("option", "message"),
    [
        (["--quaternion", "wzyx"], "none of: xyzw, wxyz"),
        (["--unit", "position=furlong"], "no unit of length"),
        (["--unit", "colour=red"], "no quantity"),
        (["--time", "tt"], "no column"),
        (["--position", "x,y,z,t"], "three columns"),
        (["--orientation", "quaternion=qx,qy"], "4 columns, got 2"),
    ],
)
def test_that_an_answer_that_cannot_be_is_a_message_and_exit_status_2(tmp_path, option, message) -> None:
    result = run(app, ["import", str(written(tmp_path, text(pose(walk())))), *option])
    assert result.exit_code == 2
    assert message in result.output
    assert "Traceback" not in result.output


def evaluated(path, t: np.ndarray):
    loaded = load_scene(path)
    plan = compile_plan(loaded.scene, access=Access(path.parent))
    assert [problem for problem in plan.problems if problem.severity == "red"] == []
    return plan, evaluate(plan, t)


def test_that_a_scene_is_written_that_moves_as_the_file_says(tmp_path) -> None:
    m = walk()
    path = written(tmp_path, named(m))
    result = run(app, ["import", str(path), "--out", str(tmp_path / "walk.yaml")])
    assert result.exit_code == 0, result.output
    plan, found = evaluated(tmp_path / "walk.yaml", m.t[10:50])
    np.testing.assert_allclose(found.p_WF[:, plan.index["walk"]], m.p[10:50], atol=0.05)
    assert plan.end == pytest.approx(m.t[-1])


@pytest.mark.parametrize("form", ["heading", "rotation vector", "4x4"])
def test_that_headings_rotation_vectors_and_matrices_become_scenes(tmp_path, form) -> None:
    m = drive()
    if form == "heading":
        content = text({"t [s]": m.t, "x [m]": m.p[:, 0], "y [m]": m.p[:, 1], "yaw [rad]": m.angles[:, 0]})
    elif form == "rotation vector":
        zero = np.zeros(len(m.t))
        turns = {"rotvec_x [rad]": zero, "rotvec_y [rad]": zero, "rotvec_z [rad]": m.angles[:, 0]}
        content = text({"t [s]": m.t} | {f"{k} [m]": v for k, v in xyz(m).items()} | turns)
    else:
        T = np.zeros((len(m.t), 4, 4))
        T[:, :3, :3], T[:, :3, 3], T[:, 3, 3] = m.R, m.p, 1.0
        names = [f"T{i}{j}" for i in range(4) for j in range(4)]
        content = text({"t [s]": m.t} | dict(zip(names, T.reshape(-1, 16).T, strict=True)))
    out = tmp_path / "a.yaml"
    result = run(app, ["import", str(written(tmp_path, content)), "--out", str(out), "--accept-open"])
    assert result.exit_code == 0, result.output
    plan, found = evaluated(out, m.t[10:50])
    i = plan.index["walk"]
    np.testing.assert_allclose(found.p_WF[:, i], m.p[10:50], atol=0.05)
    np.testing.assert_allclose(found.R_WF[:, i], m.R[10:50], atol=0.02)


def test_that_an_open_file_is_not_written_unless_that_is_said(tmp_path) -> None:
    m = tumble()
    path = written(tmp_path, text(xyz(m) | quat(m)))
    out = tmp_path / "a.yaml"
    result = run(app, ["import", str(path), "--out", str(out)])
    assert result.exit_code == 3
    assert not out.exists()
    assert "is not written" in result.output
    assert run(app, ["import", str(path), "--out", str(out), "--accept-open"]).exit_code == 0
    assert out.exists()


def test_that_several_files_become_one_scene_beside_which_they_are_copied(tmp_path) -> None:
    (tmp_path / "there").mkdir()
    paths = [written(tmp_path / "there", named(walk()), f"{name}.csv") for name in ("a", "b")]
    out = tmp_path / "both.yaml"
    result = run(app, ["import", *map(str, paths), "--out", str(out), "--json"])
    assert result.exit_code == 0, result.output
    assert json.loads(result.output)["scene"] == str(out)
    assert set(load_scene(out).scene.frames) == {"a", "b"}
    assert (tmp_path / "there" / "a.csv").read_bytes() == (out.parent / "there/a.csv").read_bytes()


def test_that_measured_vectors_become_measurements_of_a_frame(tmp_path) -> None:
    m = tumble()
    rates = dict(zip((f"gyro_{c} [deg/s]" for c in "xyz"), np.degrees(m.rates).T, strict=True))
    out = tmp_path / "imu.yaml"
    result = run(app, ["import", str(written(tmp_path, text({"t [s]": m.t} | rates), "imu.csv")), "--out", str(out)])
    assert result.exit_code == 0, result.output
    (vector,) = load_scene(out).scene.measured.values()
    assert (vector.form, vector.unit, vector.of) == ("angular velocity", "deg/s", "imu")


FOREIGN = {
    "robot": [b'<?xml version="1.0"?>\n<!-- arm -->\n<mujocoinclude model="arm">', b"<mujocoinclude>"],
    "calibration": [
        b"%YAML:1.0\ncamera: 1\n",
        b"front:\n  intrinsics: [1, 2, 3, 4]\n",
        b"P0: 7.188560e+02 0.0\nP1: 7 0\n",
    ],
    "log": [b"ULog\x01\x12\x35\x01", b"[INFO] 12:00:01 started\n", b"2026-11-21 10:00:00,123 INFO started\n"],
    "image": [b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff\xe0", b"GIF89a"],
    "spreadsheet": [b"PK\x03\x04\x14\0\x06\0" + b"\0" * 22 + b"[Content_Types].xml"],
    "data": [b"\x89HDF\r\n\x1a\n", b"\x93NUMPY\x01\0", b"MATLAB 5.0 MAT-file, Platform"],
}


@pytest.mark.parametrize("kind", FOREIGN)
def test_that_a_foreign_file_is_said_to_be_what_it_is(tmp_path, kind) -> None:
    for i, content in enumerate(FOREIGN[kind]):
        path = tmp_path / f"a{i}.txt"
        path.write_bytes(content)
        found, status = run_import(path)
        (file,) = found["files"]
        assert status == 2
        assert file["kind"] == "foreign", content
        known = foreign_kind(content)
        assert known is not None
        assert known.name == kind
        assert known.what in file["message"]
        assert "UTF-8" not in file["message"]


def test_that_each_foreign_kind_says_what_can_be_done_with_it() -> None:
    assert all(kind.what and kind.do.endswith((".", "…")) for kind in KINDS)


def test_that_tables_scenes_and_meshes_are_not_foreign(tmp_path) -> None:
    for content in (named(walk()).encode(), b"framescope: 1\nframes: {}\n", b"solid a\nfacet normal 0 0 1\n"):
        assert foreign_kind(content) is None


def test_that_a_table_may_be_named_without_a_command() -> None:
    assert with_command(["walk.csv"]) == ["open", "walk.csv"]


@pytest.mark.parametrize(
    ("options", "status", "mends"),
    [
        ((), 2, ["drop missing"]),
        (("--mend", "none"), 2, []),
        (("--mend", "sort by time"), 2, ["sort by time"]),
        (("--mend", "sort by time", "--mend", "drop missing"), 0, ["drop missing", "sort by time"]),
        (("--mend", "all"), 0, ["drop missing", "sort by time"]),
    ],
)
def test_that_rows_are_mended_as_asked_and_what_is_left_names_its_mend(tmp_path, options, status, mends) -> None:
    rows = [[0.05 * i, np.cos(0.05 * i), np.sin(0.05 * i), 0.0, 0.0, 0.0, 0.0, 1.0] for i in range(100)]
    rows[40][1], rows[20], rows[21] = np.nan, rows[21], rows[20]
    path = tmp_path / "a.csv"
    path.write_text("t [s],x [m],y [m],z [m],qx,qy,qz,qw\n" + "".join(",".join(map(str, row)) + "\n" for row in rows))
    result = CliRunner().invoke(app, ["import", str(path), "--json", *options])
    assert result.exit_code == status
    (recording,) = json.loads(result.output)["files"][0]["recordings"]
    assert recording["mends"] == mends
    assert {each["mend"] for each in recording["problems"] if each["severity"] == "red"} == {
        "drop missing", "sort by time",
    } - set(mends)  # fmt: skip


def test_that_frames_and_every_are_answered_by_options(tmp_path) -> None:
    path = tmp_path / "a.csv"
    rows = [f"{0.01 * i:.2f},{i % 2},{np.cos(i / 50):.5f},0.5,0.5\n" for i in range(200)]
    path.write_text("t [s],who,x [m],y [m],z [m]\n" + "".join(rows))
    result = CliRunner().invoke(app, ["import", str(path), "--json", "--frames", "who", "--every", "2"])
    recordings = json.loads(result.output)["files"][0]["recordings"]
    assert [each["rows"] for each in recordings] == [50, 50]


@pytest.mark.parametrize(
    ("out", "name", "is_outside"),
    [
        ("drive.yaml", "data/drive.mcap", False),
        ("data/drive.yaml", "drive.mcap", False),
        ("scenes/drive.yaml", "../data/drive.mcap", True),
        ("link/drive.yaml", "drive.mcap", False),
    ],
)
def test_that_a_scene_of_a_bag_elsewhere_names_it_from_there(tmp_path, out, name, is_outside) -> None:
    for folder in ("data", "scenes"):
        (tmp_path / folder).mkdir()
    (tmp_path / "link").symlink_to("data", target_is_directory=True)
    bag = write_foxglove(tmp_path / "data" / "drive.mcap", bag_drive(seconds=1.0))
    shown = run(app, ["import", str(bag), "--out", str(tmp_path / out)])
    assert shown.exit_code == 0, shown.output
    assert named_files(load_scene(tmp_path / out).scene) == (name,)
    assert ("framescope check --allow-outside reads it" in shown.output) == is_outside
    beside = run(app, ["import", str(bag), "--out", str(tmp_path / "data" / "beside.yaml")])
    assert beside.exit_code == 0
    words = ["evaluate", "-s", "position of base_link relative to odom resolved in odom in m"]
    expected = run(app, [*words, str(tmp_path / "data" / "beside.yaml")])
    assert expected.exit_code == 0, expected.output
    assert run(app, [*words, "--allow-outside", str(tmp_path / out)]).stdout == expected.stdout
    assert (run(app, [*words, str(tmp_path / out)]).exit_code != 0) == is_outside


ROBOT = """\
<robot name="arm">
  <link name="base"/>
  <link name="tip"/>
  <joint name="turn" type="revolute">
    <parent link="base"/><child link="tip"/><axis xyz="0 0 1"/><limit lower="-1" upper="1" effort="1" velocity="1"/>
  </joint>
</robot>
"""


def test_that_a_robot_becomes_a_scene_that_names_its_file_from_there(tmp_path) -> None:
    (tmp_path / "models").mkdir()
    path = written(tmp_path / "models", ROBOT, "arm.urdf")
    out = tmp_path / "arm.yaml"
    result = run(app, ["import", str(path), "--out", str(out)])
    assert (result.exit_code, result.output.splitlines()[-1]) == (0, str(out))
    scene = load_scene(out).scene
    assert scene.robots["arm"].file == "models/arm.urdf"
    assert scene.frames["tip"].motion.value == "turn"
    assert run(app, ["check", str(out)]).exit_code == 0


def test_that_a_scene_of_a_file_that_is_one_already_is_not_written(tmp_path) -> None:
    path = written(tmp_path, "framescope: 1\n", "a.yaml")
    result = run(app, ["import", str(path), "--out", str(tmp_path / "b.yaml")])
    assert result.exit_code == 2
    assert "b.yaml is not written: a.yaml is a scene already" in result.output


def test_that_a_bag_that_no_scene_there_can_name_is_told_with_what_to_do(tmp_path) -> None:
    (tmp_path / "a\\b").mkdir()
    bag = write_foxglove(tmp_path / "a\\b" / "drive.mcap", bag_drive(seconds=1.0))
    shown = run(app, ["import", str(bag), "--out", str(tmp_path / "drive.yaml")])
    assert shown.exit_code == 2
    assert "holds a backslash. Write it beside the bag." in shown.output
    assert not (tmp_path / "drive.yaml").exists()


def test_that_recordings_of_one_clock_keep_it_in_whichever_order_they_are_named(tmp_path) -> None:
    m = walk()
    epoch = 1_700_000_000.0

    def part(name: str, first: float, last: float, clock: float = epoch):
        is_in = (m.t >= first - 1e-9) & (m.t <= last + 1e-9)
        columns = {"time [s]": m.t + clock} | {f"{k} [m]": v for k, v in xyz(m).items()} | quat(m)
        content = text({key: values[is_in] for key, values in columns.items()}, number=lambda x: f"{x:.17g}")
        return written(tmp_path, content, f"{name}.csv")

    a, b, other = part("a", 0.0, 3.0), part("b", 0.5, 4.0), part("other", 0.0, 2.0, clock=0.0)
    for names in ((a, b, other), (b, a, other)):
        shown = run(app, ["import", *map(str, names), "--out", str(tmp_path / "all.yaml"), "--accept-open"])
        assert shown.exit_code == 0, shown.output
        scene = load_scene(tmp_path / "all.yaml").scene
        starts = {name: frame.motion.start.si("time", ()) for name, frame in scene.frames.items()}
        assert starts["b"] - starts["a"] == pytest.approx(0.5)
        assert starts["other"] == 0.0
        plan = compile_plan(scene, tmp_path)
        found = evaluate(plan, 1.3)
        np.testing.assert_allclose(found.p_WF[plan.index["a"]], found.p_WF[plan.index["b"]], atol=1e-3)
        assert scene.time.end.si("time", ()) == pytest.approx(starts["b"] + m.t.max() - 0.5, abs=2e-3)


def test_that_rows_that_are_left_out_at_the_begin_do_not_shift_what_follows(tmp_path) -> None:
    m = walk()
    columns = {"time [s]": m.t} | {f"{k} [m]": v for k, v in xyz(m).items()} | quat(m)
    whole = written(tmp_path, text(columns, number=lambda x: f"{x:.17g}"), "whole.csv")
    lost = {key: np.where((m.t < 0.45) & (key != "time [s]"), -9999.0, values) for key, values in columns.items()}
    late = written(tmp_path, text(lost, number=lambda x: f"{x:.17g}"), "late.csv")
    for names in ((whole, late), (late, whole)):
        out = tmp_path / "both.yaml"
        shown = run(app, ["import", *map(str, names), "--out", str(out), "--accept-open"])
        assert shown.exit_code == 0, shown.output
        plan = compile_plan(load_scene(out).scene, tmp_path)
        found = evaluate(plan, 1.3)
        np.testing.assert_allclose(found.p_WF[plan.index["whole"]], found.p_WF[plan.index["late"]], atol=1e-3)


def test_that_messages_without_names_of_columns_move_in_the_frame_of_their_header(tmp_path) -> None:
    m = walk()
    q = quat(m)
    columns = {"s": np.floor(m.t) + 1_739_700_000, "ns": np.round(m.t % 1.0 * 1e9)} | xyz(m) | {k: q[k] for k in q}
    rows = text(columns, number=lambda x: f"{x:.9f}").strip().split("\n")[1:]
    cells = [row.split(",") for row in rows]
    lines = [",".join([str(int(float(s))), str(int(float(ns))), "map", *rest]) for s, ns, *rest in cells]
    path, out = written(tmp_path, "\n".join(lines) + "\n", "robot.csv"), tmp_path / "robot.yaml"
    found, _ = run_import(path)
    (recording,) = found["files"][0]["recordings"]
    assert (recording["name"], recording["parent"]) == ("robot", "map")
    assert run(app, ["import", str(path), "--out", str(out), "--accept-open"]).exit_code == 0
    scene = load_scene(out).scene
    assert {name: frame.parent for name, frame in scene.frames.items()} == {"map": "world", "robot": "map"}

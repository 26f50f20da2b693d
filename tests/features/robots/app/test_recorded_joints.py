"""Joints that a recording moves: a table, or joint states in a bag; what follows them, and what cannot be."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from framescope.app.cli.main import app
from framescope.core.errors import FramescopeError
from framescope.core.evaluation.evaluate import Plan, compile_plan, evaluate
from framescope.core.scene.edits.joints import free_joints, joint_of, set_joint
from framescope.core.scene.files.loading import parse_scene
from framescope.core.scene.files.referenced_files import named_files, renamed_files
from framescope.core.scene.files.saving import scene_text
from framescope.core.scene.schema.model import Scene
from framescope.features.robots.app.joint_recordings import find_joints, line_of
from tests.support.bags import NS, START_NS, Other, write_ros1, write_ros2

SCENE = """
framescope: 1
time: {start: 0 s, end: 5 s}
parameters: {shoulder: 0.1, slide: 0.2, elbow: 30}
frames:
  shoulder:
    parent: world
    motion: {form: joint, type: revolute, axis: [0, 0, 1], value: shoulder, unit: rad, upper: 2, lower: -2}
  lower:
    parent: shoulder
    motion: {form: joint, type: revolute, axis: [1, 0, 0], value: elbow, unit: deg, name: elbow_joint}
  rail: {parent: lower, motion: {form: joint, type: prismatic, axis: [0, 1, 0], value: slide, unit: m}}
  thumb: {parent: rail, motion: {form: joint, type: prismatic, axis: [1, 0, 0], value: "elbow/2 + 3", unit: mm}}
  finger: {parent: rail, motion: {form: joint, type: revolute, axis: [0, 1, 0], value: "-2*shoulder + 0.5", unit: rad}}
"""
T = np.linspace(0.0, 3.0, 301)
UPPER, LOWER, RAIL = np.sin(T), 20.0 * np.cos(2.0 * T), 0.1 * T * T
VALUES = {
    "shoulder": UPPER,
    "lower": np.radians(LOWER),
    "rail": RAIL,
    "thumb": 1e-3 * (LOWER / 2.0 + 3.0),
    "finger": 0.5 - 2.0 * UPPER,
}


@pytest.fixture
def plan() -> Plan:
    return compile_plan(parse_scene(SCENE, "arm.yaml")[0])


def table(path: Path, **columns: np.ndarray) -> Path:
    rows = np.stack(list(columns.values()), axis=1).tolist()
    lines = [",".join(name.replace("__", "/") for name in columns)]
    lines += [",".join("" if math.isnan(x) else repr(x) for x in row) for row in rows]
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return path


def played(plan: Plan, path: Path) -> Plan:
    """Return the plan with what a file tells of its joints, written to a file and read again."""
    scene = find_joints(plan, path, path.name).edit(plan).apply(plan.scene)
    again, _ = parse_scene(scene_text(scene), "scene.yaml")
    assert again == scene
    return compile_plan(again, path.parent)


def values_of(plan: Plan, frame: str, t: np.ndarray) -> np.ndarray:
    joint = plan.tree.motions[plan.index[frame]].joint
    assert joint is not None
    return joint.value.values(t)[:, 0]


def joint_state(stamp_ns: int, topic: str, log_ns: int | None = None, **positions: float) -> Other:
    fields = {
        "header": ("header", ""),
        "name": list(positions),
        "position": np.array(list(positions.values())),
        "velocity": np.array([]),
        "effort": np.array([]),
    }
    return Other(stamp_ns, topic, "sensor_msgs/msg/JointState", fields, log_ns=log_ns)


def bag(path: Path, write=write_ros2) -> Path:
    ns = START_NS + np.round(T * NS).astype(np.int64)
    arm = [
        joint_state(int(ns[i]), "/joint_states", shoulder=UPPER[i], elbow_joint=VALUES["lower"][i]) for i in range(301)
    ]
    rail = [joint_state(int(ns[i]), "/rail/state", rail=RAIL[i]) for i in range(100, 301)]
    return write(path, [*arm, *rail])


def columns_of_table() -> dict[str, np.ndarray]:
    return {"t": T + 7.0, "shoulder": UPPER, "elbow_joint": LOWER, "rail": RAIL}


def test_that_a_table_moves_the_joints_of_its_columns_and_what_follows_them(plan, tmp_path):
    moved = played(plan, table(tmp_path / "walk.csv", **columns_of_table()))
    assert moved.problems == ()
    assert moved.end == pytest.approx(3.0)
    between = (T[:-1] + T[1:]) / 2.0
    exact = {"shoulder": np.sin(between), "rail": 0.1 * between**2, "finger": 0.5 - 2.0 * np.sin(between)}
    for frame, values in VALUES.items():
        np.testing.assert_allclose(values_of(moved, frame, T), values, atol=1e-12, err_msg=frame)
    for frame, values in exact.items():  # a natural spline is off next to its ends
        np.testing.assert_allclose(values_of(moved, frame, between)[20:-20], values[20:-20], atol=1e-9, err_msg=frame)
    now = evaluate(moved, T)
    np.testing.assert_allclose(now.w_WF_F[:, moved.index["shoulder"], 2][20:-20], np.cos(T)[20:-20], atol=1e-5)
    assert played(moved, table(tmp_path / "short.csv", t=T[:9], rail=RAIL[:9])).end == moved.end, "the others go on"
    far = values_of(moved, "shoulder", np.array([-5.0, 50.0]))
    np.testing.assert_allclose(far, UPPER[[0, -1]], atol=1e-12)


@pytest.mark.parametrize(
    ("names", "scale"),
    [
        ({"shoulder": "joint_states__shoulder__position", "rail": "state/rail", "elbow_joint": "elbow"}, {}),
        ({"shoulder": "shoulder [deg]", "rail": "rail_mm"}, {"shoulder": 180 / math.pi, "rail": 1000.0}),
        ({"elbow_joint": "elbow_joint (rad)"}, {"elbow_joint": math.pi / 180}),
        ({"t": "time_ms"}, {"t": 1000.0}),
        ({"t": "stamp"}, {"t": 1e9}),
    ],
    ids=["PlotJuggler", "deg and mm", "rad", "ms", "ns"],
)
def test_that_columns_are_found_by_what_they_mean(plan, tmp_path, names, scale):
    columns = {names.get(name, name): values * scale.get(name, 1.0) for name, values in columns_of_table().items()}
    columns |= {"shoulder velocity": np.cos(T), "elbow effort": T * 0.0}
    moved = played(plan, table(tmp_path / "walk.csv", **columns))
    for frame, values in VALUES.items():
        np.testing.assert_allclose(values_of(moved, frame, T), values, atol=1e-8, err_msg=frame)


def test_that_angles_beyond_all_bounds_are_taken_as_degrees_and_that_is_said(plan, tmp_path):
    path = table(tmp_path / "walk.csv", t=T, shoulder=np.degrees(UPPER))
    found = find_joints(plan, path, path.name)
    assert found.note == (
        "Its angles are taken as degrees: in radians it turns far beyond the joint limits."
        " walk.csv has no values of elbow_joint, rail, thumb."
    )
    np.testing.assert_allclose(values_of(played(plan, path), "shoulder", T), UPPER, atol=1e-12)


@pytest.mark.parametrize("answer", ["rad", "deg"])
def test_that_the_unit_of_angles_can_be_answered(plan, tmp_path, answer):
    path = table(tmp_path / "walk.csv", t=T, shoulder=UPPER, rail=RAIL)
    found = find_joints(plan, path, path.name, answer)
    assert (found.angles.value, found.angles.certainty) == (answer, "certain")
    moved = compile_plan(found.edit(plan).apply(plan.scene), tmp_path)
    expected = np.radians(UPPER) if answer == "deg" else UPPER
    np.testing.assert_allclose(values_of(moved, "shoulder", T), expected, atol=1e-12)
    np.testing.assert_allclose(values_of(moved, "rail", T), RAIL, atol=1e-12)
    with pytest.raises(FramescopeError, match='"grad" is no unit of angles here'):
        find_joints(plan, path, path.name, "grad")


def test_that_angles_of_a_bag_are_radians_by_format_unless_a_person_says_otherwise(plan, tmp_path):
    path = bag(tmp_path / "drive.bag", write_ros1)
    found = find_joints(plan, path, path.name)
    assert (found.angles.value, found.angles.certainty) == ("rad", "format")
    assert "angles" not in found.note
    moved = compile_plan(find_joints(plan, path, path.name, "deg").edit(plan).apply(plan.scene), tmp_path)
    np.testing.assert_allclose(values_of(moved, "shoulder", T), np.radians(UPPER), atol=1e-9)
    np.testing.assert_allclose(values_of(moved, "rail", T[100:]), RAIL[100:], atol=1e-8)


def test_that_the_command_line_shows_the_unit_and_takes_an_answer(tmp_path):
    (tmp_path / "arm.yaml").write_text(SCENE, "utf-8")
    table(tmp_path / "walk.csv", t=T, shoulder=1.9 * UPPER, elbow_joint=LOWER, rail=RAIL)
    one, file, out = (str(tmp_path / name) for name in ("arm.yaml", "walk.csv", "played.yaml"))
    told = CliRunner().invoke(app, ["robot", "play", one, file, "--out", out])
    assert told.exit_code == 3, told.output
    assert "angle_unit  as each joint  open" in told.output
    assert "or rad; deg: give the unit" in told.output
    assert not Path(out).exists()
    done = CliRunner().invoke(app, ["robot", "play", one, file, "--out", out, "--angles", "deg"])
    assert done.exit_code == 0, done.output
    scene, _ = parse_scene(Path(out).read_text("utf-8"), "played.yaml")
    assert scene.frames["shoulder"].motion.recording.factor == pytest.approx(math.radians(1.0))
    assert scene.frames["lower"].motion.recording.factor == 1.0
    for bad in (one, file, str(tmp_path / "sub" / "x.yaml")):
        refused = CliRunner().invoke(app, ["robot", "play", one, file, "--angles", "deg", "--out", bad])
        assert refused.exit_code == 2
        assert "Traceback" not in refused.output


def test_that_holes_of_one_column_do_not_move_it_in_time(plan, tmp_path):
    holed = UPPER.copy()
    holed[:50] = np.nan
    holed[150] = np.nan
    moved = played(plan, table(tmp_path / "walk.csv", t=T, shoulder=holed, rail=RAIL))
    np.testing.assert_allclose(values_of(moved, "shoulder", T[50:]), UPPER[50:], atol=1e-8)
    np.testing.assert_allclose(values_of(moved, "rail", T), RAIL, atol=1e-12)


@pytest.mark.parametrize("write", [write_ros1, write_ros2], ids=["ROS 1", "ROS 2"])
def test_that_joint_states_of_a_bag_move_the_joints(plan, tmp_path, write):
    path = bag(tmp_path / "drive.bag", write)
    file = path if path.is_file() else path / "metadata.yaml"
    found = find_joints(plan, path, file.relative_to(tmp_path).as_posix())
    assert {frame: each.topic for frame, each in found.recordings.items()} == {
        **dict.fromkeys(("shoulder", "lower", "finger", "thumb"), "/joint_states"),
        "rail": "/rail/state",
    }
    moved = compile_plan(found.edit(plan).apply(plan.scene), tmp_path)
    assert moved.problems == ()
    for frame in ("shoulder", "lower", "finger", "thumb"):
        np.testing.assert_allclose(values_of(moved, frame, T), VALUES[frame], atol=1e-8, err_msg=frame)
    np.testing.assert_allclose(values_of(moved, "rail", T[100:]), RAIL[100:], atol=1e-8)


def test_that_late_joint_states_are_put_in_their_places(plan, tmp_path):
    order = (0, 2, 1, *range(3, 20))
    stamps = [START_NS + i * NS // 10 for i in range(20)]
    states = [
        joint_state(stamps[i], "/joint_states", START_NS + k, shoulder=0.005 * i * i) for k, i in enumerate(order)
    ]
    moved = played(plan, write_ros1(tmp_path / "late.bag", states))
    assert moved.problems == ()
    np.testing.assert_allclose(values_of(moved, "shoulder", np.arange(20) / 10), 0.005 * np.arange(20) ** 2, atol=1e-8)


@pytest.mark.parametrize(
    ("columns", "said"),
    [
        (
            {"t": T, "x": T},
            "walk.csv has values of none of the joints. Columns, or names in joint states, must have the names",
        ),
        ({"shoulder": UPPER}, "walk.csv has no column of times. Give it one, such as t, in seconds."),
    ],
)
def test_that_a_file_that_cannot_be_played_is_refused(plan, tmp_path, columns, said):
    path = table(tmp_path / "walk.csv", **columns)
    with pytest.raises(FramescopeError, match="^" + said.replace(".", r"\.")):
        find_joints(plan, path, path.name)
    with pytest.raises(FramescopeError, match=r"there is no file .*away\.csv"):
        find_joints(plan, tmp_path / "away.csv", "away.csv")


@pytest.mark.parametrize(
    ("recording", "said"),
    [
        ("{file: walk.csv, column: sholder, time: t, time_unit: s}", 'no column "sholder"'),
        ("{file: walk.csv, column: shoulder}", "column of times is not named"),
        ("{file: walk.csv, column: shoulder, time: t, time_unit: kg}", "kg"),
        ("{file: away.csv, column: shoulder, time: t, time_unit: s}", "away.csv"),
        (
            "{file: back.csv, column: shoulder, time: t, time_unit: s}",
            "time jumps back by 1 s after value 2 of shoulder",
        ),
        ("{file: empty.csv, column: shoulder, time: t, time_unit: s}", "has no value of shoulder"),
        ("{file: walk.csv, column: shoulder, topic: /joint_states}", "walk.csv"),
        ("{file: drive.bag, column: shoulder, topic: /joint_state}", 'no joint states on "/joint_state"'),
        ("{file: drive.bag, column: sholder, topic: /joint_states}", 'has no values of a joint "sholder"'),
        ("{file: runs.bag, column: shoulder, topic: /joint_states}", "time jumps back by 5 s after value 6"),
    ],
)
def test_that_a_recording_that_is_not_there_is_a_problem_of_the_joint_alone(tmp_path, recording, said):
    table(tmp_path / "walk.csv", **columns_of_table())
    table(tmp_path / "back.csv", t=np.array([0.0, 2.0, 1.0]), shoulder=np.zeros(3))
    table(tmp_path / "empty.csv", t=np.array([0.0, 2.0]), shoulder=np.full(2, np.nan))
    bag(tmp_path / "drive.bag", write_ros1)
    stamps = [*range(6), *range(6)]
    runs = [
        joint_state(START_NS + s * NS, "/joint_states", START_NS + i * NS, shoulder=0.1) for i, s in enumerate(stamps)
    ]
    write_ros1(tmp_path / "runs.bag", runs)
    scene, _ = parse_scene(SCENE.replace("value: shoulder", f"value: shoulder, recording: {recording}"), "arm.yaml")
    (problem,) = compile_plan(scene, tmp_path).problems
    assert said in problem.message
    assert problem.key_path[:2] == ("frames", "shoulder")


def test_that_recorded_joints_are_freed_where_they_stand_and_not_set_by_hand_before(plan, tmp_path):
    moved = played(plan, table(tmp_path / "walk.csv", **columns_of_table()))
    with pytest.raises(Exception, match=r"its joint is recorded in walk\.csv"):
        set_joint("shoulder", 0.3, "").apply(moved.scene)
    at = {frame: float(values_of(moved, frame, np.array([1.0]))[0]) for frame in VALUES}
    freed = free_joints(at).apply(moved.scene)
    assert all(joint_of(freed.frames[frame]).recording is None for frame in VALUES)
    stands = compile_plan(freed, tmp_path)
    for frame in VALUES:
        np.testing.assert_allclose(values_of(stands, frame, np.zeros(1)), at[frame], atol=1e-9, err_msg=frame)
    assert "recording" not in scene_text(freed)


def test_that_the_file_is_named_watched_and_renamed_with_the_scene(plan, tmp_path):
    scene: Scene = played(plan, table(tmp_path / "walk.csv", **columns_of_table())).scene
    assert named_files(scene) == ("walk.csv",)
    assert named_files(renamed_files(scene, {"walk.csv": "data/walk.csv"})) == ("data/walk.csv",)


def test_that_what_is_recorded_anew_is_read_anew(plan, tmp_path):
    path = table(tmp_path / "walk.csv", **columns_of_table())
    scene = played(plan, path).scene
    table(path, **{**columns_of_table(), "shoulder": UPPER + 0.25})
    again = compile_plan(scene, tmp_path)
    np.testing.assert_allclose(values_of(again, "shoulder", T), UPPER + 0.25, atol=1e-12)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("2.0*elbow - 0.1", ("elbow", 2.0, -0.1)),
        ("-elbow", ("elbow", -1.0, 0.0)),
        ("elbow**2", None),
        ("elbow^2", None),
        ("elbow + shoulder", None),
        ("sin(elbow)", None),
        ("1/elbow", None),
        ("3", None),
        ("elbow + t", None),
    ],
)
def test_that_what_follows_in_a_straight_line_is_told_from_what_does_not(text, line):
    assert line_of(text, {"elbow": 0.7, "shoulder": 0.2}) == line

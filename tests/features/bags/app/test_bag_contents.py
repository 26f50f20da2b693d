"""Bags with little in them: poses alone, and nothing at all, in every container."""

from __future__ import annotations

import contextlib
import io
import re
import struct
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from framescope.app.cli.common import EXIT_PROBLEM
from framescope.core.errors import FramescopeError
from framescope.core.evaluation.evaluate import compile_plan, evaluate
from framescope.core.evaluation.relative_motion import relative_position
from framescope.core.scene.schema.motions import Transforms
from framescope.core.scene.schema.stamps import stamp_of
from framescope.features.bags.app import bag_reader as bags
from framescope.features.bags.app.bag_report import print_report, verdict
from framescope.features.bags.core.autopsy.bag_autopsy import BagAutopsy, examine_bag
from framescope.features.bags.core.bag_file import open_bag
from tests.support.bags import NS, START_NS, Other, Sent, store, write_ros1, write_ros2
from tests.support.robot_bags import joint_state

Write = Callable[[Path, list[Any]], Path]


def write_file(path: Path, sent: list[Any], storage: str) -> Path:
    """Write a bag of ROS 2, and return the file in its folder."""
    folder = write_ros2(path, sent, storage=storage)
    return next(file for file in folder.iterdir() if file.suffix != ".yaml")


WRITERS: dict[str, Write] = {
    "ROS 1": lambda path, sent: write_ros1(path.with_suffix(".bag"), sent),
    "ROS 2, folder": write_ros2,
    "ROS 2, SQLite": lambda path, sent: write_file(path, sent, "SQLITE3"),
    "ROS 2, MCAP": lambda path, sent: write_file(path, sent, "MCAP"),
}
EVERY = pytest.mark.parametrize("write", WRITERS.values(), ids=WRITERS)


def pose(i: int, *, frame: str = "", topic: str = "/mocap/drone/pose", w: float | None = None, stamp: bool = True):
    t = i / 50
    turned = (0.0, 0.0, np.sin(t / 2), np.cos(t / 2)) if w is None else (0.0, 0.0, 0.0, w)
    received = START_NS + round(t * NS)
    fields = {
        "header": ("header", frame),
        "pose": (
            "geometry_msgs/msg/Pose",
            {
                "position": ("geometry_msgs/msg/Point", {"x": float(np.sin(t)), "y": 0.5, "z": 1.0}),
                "orientation": ("geometry_msgs/msg/Quaternion", dict(zip("xyzw", map(float, turned), strict=True))),
            },
        ),
    }
    return Other(received if stamp else 0, topic, "geometry_msgs/msg/PoseStamped", fields, log_ns=received)


@EVERY
@pytest.mark.parametrize(
    ("change", "note"),
    [
        ({"frame": "world"}, ""),
        ({"frame": "/arena"}, ""),
        ({}, "name no parent frame"),
        ({"frame": "drone", "topic": "/drone"}, "called like the topic"),
        ({"frame": "world", "w": 0.0}, "no orientation"),
        ({"frame": "world", "stamp": False}, "have no time"),
        ({"stamp": False, "w": 0.0}, "have no time"),
    ],
)
def test_that_a_bag_of_poses_alone_is_a_recorded_frame(write: Write, change, note, tmp_path: Path) -> None:
    path = write(tmp_path / "poses", [pose(i, **change) for i in range(150)])
    contents = bags.read(path)
    assert contents.scene is not None
    plan = compile_plan(contents.scene.scene, path.parent)
    assert plan.problems == ()
    assert (plan.start, plan.end) == pytest.approx((0.0, 2.98))
    (frame,) = (name for name, frame in plan.scene.frames.items() if frame.motion is not None)
    place = relative_position(evaluate(plan, 1.0), frame, plan.scene.frames[frame].parent, "world")
    assert place == pytest.approx([np.sin(1.0), 0.5, 1.0], abs=1e-6)
    notes = [problem for problem in contents.problems if problem.severity == "note"]
    assert bool(notes) == bool(note)
    assert not note or any(note in problem.message for problem in notes)
    with open_bag(path) as bag:
        autopsy = examine_bag(bag)
        assert "nothing in it is about frames" not in verdict(bag, autopsy)


def path_message(n: int, *, at_s: float, topic: str = "/path", stamps: Sequence[float | None] | None = None) -> Other:
    """Return a path of n poses along x, 20 ms apart or with other times, that is sent at a time."""
    poses: list[Any] = []
    for i in range(n):
        t = i / 50 if stamps is None else stamps[i]
        point = ("geometry_msgs/msg/Point", {"x": 0.1 * i, "y": 0.0, "z": 1.0})
        turned = ("geometry_msgs/msg/Quaternion", {"x": 0.0, "y": 0.0, "z": 0.0, "w": 1.0})
        stamp = 0 if t is None else START_NS + round(t * NS)
        fields = {
            "header": ("header", "", stamp),
            "pose": ("geometry_msgs/msg/Pose", {"position": point, "orientation": turned}),
        }
        poses.append(("geometry_msgs/msg/PoseStamped", fields))
    sent = START_NS + round(at_s * NS)
    return Other(sent, topic, "nav_msgs/msg/Path", {"header": ("header", "map"), "poses": poses})


def report(path: Path) -> tuple[int, str]:
    """Return exit status and text of the report on a bag."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        status = print_report(path, as_json=False)
    return status, out.getvalue()


@EVERY
@pytest.mark.parametrize("lengths", [(100,), (30, 70, 100), (100, 40, 0), (100, 100)], ids=str)
def test_that_the_longest_path_of_a_bag_is_a_recorded_frame(write: Write, lengths, tmp_path: Path) -> None:
    path = write(tmp_path / "path", [path_message(n, at_s=5.0 + k) for k, n in enumerate(lengths)])
    contents = bags.read(path)
    assert contents.scene is not None
    plan = compile_plan(contents.scene.scene, path.parent)
    assert plan.problems == ()
    assert (plan.start, plan.end) == pytest.approx((0.0, 1.98))
    assert plan.scene.frames["path"].parent == "map"
    assert relative_position(evaluate(plan, 1.01), "path", "map", "map") == pytest.approx([5.05, 0.0, 1.0])
    notes = [problem.message for problem in contents.problems if problem.severity == "note"]
    words = f"/path: the longest of its {len(lengths)} paths is shown, with 100 poses."
    assert notes == ([words] if len(lengths) > 1 else [])
    status, text = report(path)
    assert status == 0
    assert "poses of /path: open the bag to see them" in text
    assert (words in text) == (len(lengths) > 1)
    assert "nothing in it is about frames" not in text


def test_that_the_last_of_two_equally_long_paths_is_shown(tmp_path: Path) -> None:
    sent = [path_message(3, at_s=t, stamps=[t - 2.0, t - 1.0, t]) for t in (5.0, 8.0)]
    contents = bags.read(write_ros1(tmp_path / "path.bag", sent))
    assert contents.scene is not None
    motion = contents.scene.scene.frames["path"].motion
    assert isinstance(motion, Transforms)
    assert stamp_of(motion.zero or "") == START_NS + 6 * NS


@EVERY
def test_that_each_topic_of_paths_is_a_frame(write: Write, tmp_path: Path) -> None:
    sent = [path_message(100, at_s=5.0, topic="/left/path"), path_message(50, at_s=5.5, topic="/right/path")]
    contents = bags.read(write(tmp_path / "paths", [*sent, pose(1, frame="map"), pose(9, frame="map")]))
    assert contents.scene is not None
    assert {"left/path", "right/path", "mocap/drone/pose"} < set(contents.scene.scene.frames)


def test_that_poses_of_a_path_may_be_far_apart_in_time(tmp_path: Path) -> None:
    stamps = [0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 4.0, 4.1, 4.2, 4.3, 9.0, 9.1, 9.2, 9.3, 9.4, 9.5, 9.6]
    path = write_ros1(tmp_path / "path.bag", [path_message(len(stamps), at_s=20.0, stamps=stamps)])
    contents = bags.read(path)
    assert contents.scene is not None
    plan = compile_plan(contents.scene.scene, path.parent)
    assert (plan.start, plan.end) == pytest.approx((0.0, 9.6))
    for t, i in ((0.45, 4.5), (4.2, 8.0), (9.5, 15.0)):
        assert relative_position(evaluate(plan, t), "path", "map", "map")[0] == pytest.approx(0.1 * i)


@EVERY
@pytest.mark.parametrize(
    ("stamps", "words"), [([None] * 9, "have no times"), ([2.0] * 9, "all have the same time")], ids=["none", "one"]
)
def test_that_a_path_without_times_is_a_line_of_positions(write: Write, stamps, words, tmp_path: Path) -> None:
    said = f"/path: its 9 poses {words}. They are a line of positions without times."
    path = write(tmp_path / "path", [path_message(9, at_s=5.0, stamps=stamps)])
    with pytest.raises(FramescopeError, match=re.escape(said)):
        bags.read(path)
    status, text = report(path)
    assert status == 0
    assert said in text
    assert "open the bag" not in text

    beside = write(tmp_path / "both", [path_message(9, at_s=5.0, stamps=stamps), *(pose(i) for i in range(20))])
    contents = bags.read(beside)
    assert contents.scene is not None
    assert set(contents.scene.scene.frames) == {"mocap/drone/pose"}
    assert said in [problem.message for problem in contents.problems]


@pytest.mark.parametrize("pose_number", [None, 0, 30])
def test_that_a_damaged_path_is_left_out(pose_number: int | None, tmp_path: Path) -> None:
    path = write_ros1(tmp_path / "path.bag", [path_message(40, at_s=5.0), path_message(50, at_s=6.0)])
    data = path.read_bytes()
    # The number of poses of the second path, or the length of the name of a frame in it.
    poses = data.rindex(b"map") + 3
    at = poses if pose_number is None else poses + 4 + 72 * pose_number + 12
    path.write_bytes(data[:at] + b"\xff\xff\xff\x00" + data[at + 4 :])
    status, text = report(path)
    assert status == EXIT_PROBLEM
    assert "/path: 1 message is damaged and left out" in text
    if pose_number is None:
        assert "poses of /path: open the bag to see them" in text
        contents = bags.read(path)
        assert contents.scene is not None
        assert float(contents.scene.scene.time.end.value) == pytest.approx(0.78)


def test_that_poses_of_a_path_without_a_time_are_left_out(tmp_path: Path) -> None:
    stamps = [None, *(0.1 * i for i in range(20)), None]
    contents = bags.read(write_ros1(tmp_path / "path.bag", [path_message(22, at_s=5.0, stamps=stamps)]))
    assert contents.scene is not None
    assert float(contents.scene.scene.time.end.value) == pytest.approx(1.9)
    assert "/path: 2 of its poses have no time, and are left out." in [each.message for each in contents.problems]


@EVERY
def test_that_poses_are_shown_beside_a_topic_of_transforms_without_messages(write: Write, tmp_path: Path) -> None:
    path = write(tmp_path / "poses", [pose(i, frame="world") for i in range(20)])
    if path.suffix == ".bag":
        _add_connection(path)
    contents = bags.read(path)
    assert contents.scene is not None
    assert "mocap/drone/pose" in contents.scene.scene.frames


def _add_connection(path: Path) -> None:
    """Write a bag of ROS 1 anew with a topic of transforms on which nothing was sent."""
    from rosbags.rosbag1 import Writer

    types = store(1)
    with open_bag(path) as bag:
        messages = [(log_ns, bytes(data)) for _, log_ns, data in bag.messages(lambda _: True)]
    path.unlink()
    with Writer(path) as writer:
        writer.add_connection("/tf", "tf2_msgs/msg/TFMessage", typestore=types)
        connection = writer.add_connection("/mocap/drone/pose", "geometry_msgs/msg/PoseStamped", typestore=types)
        for log_ns, data in messages:
            writer.write(connection, log_ns, data)


def examined(path: Path) -> tuple[str, BagAutopsy]:
    with open_bag(path) as bag:
        autopsy = examine_bag(bag)
        return verdict(bag, autopsy), autopsy


@EVERY
def test_that_a_bag_without_messages_is_empty_and_not_damaged(write: Write, tmp_path: Path) -> None:
    path = write(tmp_path / "none", [])
    words, autopsy = examined(path)
    assert autopsy.damages == ()
    assert words.startswith("it is empty")
    with pytest.raises(FramescopeError, match="is empty: it has no messages"):
        bags.read(path)


def with_topic(path: Path, kind: str) -> Path:
    """Write a bag with a topic of transforms and no messages."""
    if kind == "ROS 1":
        from rosbags.rosbag1 import Writer

        with Writer(path.with_suffix(".bag")) as writer:
            writer.add_connection("/tf", "tf2_msgs/msg/TFMessage", typestore=store(1))
        return path.with_suffix(".bag")
    from rosbags.rosbag2 import StoragePlugin
    from rosbags.rosbag2 import Writer as Writer2

    with Writer2(path, version=9, storage_plugin=StoragePlugin[kind]) as writer:
        writer.add_connection("/tf", "tf2_msgs/msg/TFMessage", typestore=store(2))
    return path


@pytest.mark.parametrize("kind", ["ROS 1", "SQLITE3", "MCAP"])
def test_that_a_bag_of_topics_alone_is_empty(kind: str, tmp_path: Path) -> None:
    path = with_topic(tmp_path / "topics", kind)
    words, autopsy = examined(path)
    assert autopsy.damages == ()
    assert words.startswith("it is empty")
    with open_bag(path) as bag:
        assert [channel.topic for channel in bag.channels] == ["/tf"]
        assert bag.span_ns is None
    with pytest.raises(FramescopeError, match="is empty: it has no messages"):
        bags.read(path)


@EVERY
def test_that_a_message_of_an_unknown_type_is_nothing_of_frames(write: Write, tmp_path: Path) -> None:
    path = write(tmp_path / "unknown", [Other(START_NS, "/level", "std_msgs/msg/Float64", {"data": 1.0})])
    words, autopsy = examined(path)
    assert autopsy.damages == ()
    assert words.startswith("nothing in it is about frames")
    with pytest.raises(FramescopeError, match=r"neither transforms between frames nor poses \(std_msgs/Float64\)"):
        bags.read(path)


def test_that_a_bag_of_joint_states_says_how_they_are_played(tmp_path):
    path = write_ros1(tmp_path / "arm.bag", [joint_state(START_NS, {"pan": 0.1})])
    with pytest.raises(
        FramescopeError, match="It has joint states: open the file of their robot"
    ):
        bags.read(path)


@pytest.mark.parametrize("options", [{}, {"use_chunking": False}, {"use_statistics": False}], ids=str)
@pytest.mark.parametrize("has_topic", [False, True])
def test_that_an_empty_recording_of_foxglove_is_empty(options, has_topic, tmp_path: Path) -> None:
    from mcap.writer import Writer

    path = tmp_path / "none.mcap"
    with path.open("wb") as file:
        writer = Writer(file, **options)
        writer.start()
        if has_topic:
            schema = writer.register_schema("foxglove.FrameTransform", "jsonschema", b"{}")
            writer.register_channel("/tf", "json", schema)
        writer.finish()
    words, autopsy = examined(path)
    assert autopsy.damages == ()
    assert words.startswith("it is empty")


def test_that_a_bag_that_lost_its_index_is_damaged_and_not_empty(tmp_path: Path) -> None:
    """Controls of the empty ones: a bag that ends before its index, one whose index was never written, and one byte."""
    sent = [Sent(START_NS, "map", "odom", (0, 0, 0), (0, 0, 0, 1))]
    data = write_ros1(tmp_path / "whole.bag", sent).read_bytes()
    at = data.index(b"index_pos=") + len(b"index_pos=")
    (index_at,) = struct.unpack_from("<Q", data, at)
    cut = tmp_path / "cut.bag"
    cut.write_bytes(data[:index_at])
    assert examined(cut)[1].damages
    empty = write_ros1(tmp_path / "empty.bag", []).read_bytes()
    never = tmp_path / "never.bag"
    never.write_bytes(empty[:at] + bytes(8) + empty[at + 8 :])
    assert examined(never)[1].damages
    with pytest.raises(FramescopeError, match=r"never\.bag can be shown\. It is damaged: it has no index"):
        bags.read(never)
    (tmp_path / "one.bag").write_bytes(b"#")
    with pytest.raises(FramescopeError, match="is no bag"):
        bags.read(tmp_path / "one.bag")


def test_that_damaged_messages_of_a_bag_that_is_opened_are_told(tmp_path: Path) -> None:
    sent = [Sent(START_NS + i * NS // 10, "map", "odom", (0.1 * i, 0, 0), (0, 0, 0, 1)) for i in range(40)]
    path = write_ros1(tmp_path / "drive.bag", sent)
    data = path.read_bytes()
    at = data.index(b"\x04\x00\x00\x00odom", len(data) // 2)
    path.write_bytes(data[:at] + b"\xff\xff\x00\x00" + data[at + 4 :])
    contents = bags.read(path)
    assert [problem.kind for problem in contents.problems] == ["bag-damaged"]
    assert "1 message is damaged" in contents.problems[0].message

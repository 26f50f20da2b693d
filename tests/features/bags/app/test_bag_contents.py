"""Bags with little in them: poses alone, and nothing at all, in every container."""

from __future__ import annotations

import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from framescope.core.errors import FramescopeError
from framescope.core.evaluation.evaluate import compile_plan, evaluate
from framescope.core.evaluation.relative_motion import relative_position
from framescope.features.bags.app import bag_reader as bags
from framescope.features.bags.app.bag_report import verdict
from framescope.features.bags.core.autopsy.bag_autopsy import BagAutopsy, examine_bag
from framescope.features.bags.core.bag_file import open_bag
from tests.support.bags import NS, START_NS, Other, Sent, store, write_ros1, write_ros2

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

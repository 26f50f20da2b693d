"""Messages decoded by columns have the numbers of messages decoded one by one, in any container and order."""

import struct

import numpy as np
import pytest

from framescope.features.bags.core import columns as columns_module
from framescope.features.bags.core.bag import Channel, RawMessage
from framescope.features.bags.core.bag_file import open_bag
from framescope.features.bags.core.columns import COLUMN_TYPES, read_columns
from framescope.features.bags.core.messages import Imu, Odometry
from framescope.features.bags.core.tf_log import decode_messages
from tests.features.bags.core.test_header_frames import CONTAINERS, filled, types_of
from tests.support.bags import NS, START_NS, Other


def random_fields(fields, random):
    """Return fields with random numbers in place of floats."""
    if isinstance(fields, dict):
        return {name: random_fields(value, random) for name, value in fields.items()}
    if isinstance(fields, tuple) and len(fields) == 2 and isinstance(fields[1], dict):
        return fields[0], random_fields(fields[1], random)
    if isinstance(fields, np.ndarray) and fields.dtype == np.float64:
        return random.normal(size=fields.shape)
    return float(random.normal()) if isinstance(fields, float) else fields


def messages_of(kind, version, frames, n=30, topic="/topic", **changes):
    random = np.random.default_rng(len(kind))
    return [
        Other(
            START_NS + i * NS // 100,
            topic,
            kind,
            {**random_fields(filled(types_of(version), kind, ("header", frames[i % len(frames)])), random), **changes},
        )
        for i in range(n)
    ]


def columns_of(path):
    damages: list[str] = []
    with open_bag(path) as bag:
        return read_columns(bag, lambda channel: True, damages), damages


@CONTAINERS
@pytest.mark.parametrize("frames", [["imu"], ["imu", "imu_back"], ["a", "b", "c"]], ids=len)
def test_that_inertial_readings_are_those_of_single_messages(write, version, frames, tmp_path):
    path = write(tmp_path / "a.bag", messages_of("sensor_msgs/msg/Imu", version, frames))
    parts, damages = columns_of(path)
    with open_bag(path) as bag:
        singles = [m for _, _, ms in decode_messages(bag, lambda c: True, []) for m in ms if isinstance(m, Imu)]
    assert damages == []
    assert [part.texts for part in parts] == [(frame,) for frame in frames]
    for part in parts:
        mine = [m for m in singles if m.frame == part.texts[0]]
        assert part.stamp_ns.tolist() == [m.stamp_ns for m in mine]
        kept = np.array([(*m.quaternion, *m.w, *m.f) for m in mine])
        assert np.array_equal(part.values[:, [0, 1, 2, 3, 5, 6, 7, 9, 10, 11]], kept)
        assert part.first.shape == (37,)


@CONTAINERS
def test_that_odometry_is_that_of_single_messages(write, version, tmp_path):
    path = write(tmp_path / "a.bag", messages_of("nav_msgs/msg/Odometry", version, ["odom"], child_frame_id="base"))
    (part,), _ = columns_of(path)
    with open_bag(path) as bag:
        singles = [m for _, _, ms in decode_messages(bag, lambda c: True, []) for m in ms if isinstance(m, Odometry)]
    assert part.texts == ("odom", "base")
    expected = [(*m.pose.position, *m.pose.quaternion, *m.v, *m.w) for m in singles]
    assert np.array_equal(part.values, np.array(expected))


@CONTAINERS
def test_that_numbers_of_other_types_come_in_their_order(write, version, tmp_path):
    vector = ("geometry_msgs/msg/Vector3", {"x": 1.0, "y": 2.0, "z": 3.0})
    turn = ("geometry_msgs/msg/Vector3", {"x": 4.0, "y": 5.0, "z": 6.0})
    twist = {"linear": vector, "angular": turn}
    fix = {"latitude": 48.1, "longitude": 11.5, "altitude": 519.0}
    joints = {"name": ["elbow", "wrist"], "position": np.array([0.1, 0.2]), "velocity": np.array([7.0, 8.0])}
    sent = [
        *messages_of("geometry_msgs/msg/Twist", version, [""], topic="/cmd", **twist),
        *messages_of("sensor_msgs/msg/NavSatFix", version, ["gps"], topic="/fix", **fix),
        *messages_of("sensor_msgs/msg/JointState", version, [""], topic="/joints", **joints),
        *messages_of("sensor_msgs/msg/MagneticField", version, ["mag"], topic="/mag", magnetic_field=vector),
    ]
    parts = {part.channel.topic: part for part in columns_of(write(tmp_path / "a.bag", sent))[0]}
    assert parts["/cmd"].values[0].tolist() == [1, 2, 3, 4, 5, 6]
    assert parts["/cmd"].stamp_ns.tolist() == parts["/cmd"].log_ns.tolist()
    assert parts["/fix"].values[-1].tolist() == [0.0, 48.1, 11.5, 519.0]
    assert parts["/mag"].values[0].tolist() == [1, 2, 3]
    assert parts["/joints"].texts == ("", "elbow", "wrist")
    assert parts["/joints"].values[0].tolist() == [0.1, 0.2, 7.0, 8.0]


class Messages:
    """A bag in memory."""

    damages = ()

    def __init__(self, type_name, encoding, data):
        self.channel = Channel("/topic", type_name, encoding, count=len(data))
        self.channels, self.data = (self.channel,), data

    def messages(self, is_wanted):
        return (RawMessage(self.channel, i, data) for i, data in enumerate(self.data) if is_wanted(self.channel))


def pose(frame: str, x: float, order: str = "<") -> bytes:
    name = frame.encode() + b"\0"
    head = struct.pack(f"{order}iII", 7, 8, len(name)) + name
    return bytes([0, int(order == "<"), 0, 0]) + head + bytes(-len(head) % 8) + struct.pack(f"{order}7d", x, *range(6))


def read(data, type_name="geometry_msgs/PoseStamped", encoding="cdr"):
    damages: list[str] = []
    return read_columns(Messages(type_name, encoding, data), lambda channel: True, damages), damages


def test_that_both_byte_orders_are_read():
    (part,), damages = read([pose("map", 1.5), pose("map", 2.5, ">"), pose("map", 3.5)])
    assert (damages, part.values[:, 0].tolist()) == ([], [1.5, 2.5, 3.5])
    assert (part.stamp_ns == 7 * NS + 8).all()


@pytest.mark.parametrize(
    "bad", [b"", b"\0", b"\0\1\0\0", pose("map", 1.0)[:-5], b"\0\1\0\0" + b"\xff" * 60, b"\7" * 80]
)
def test_that_a_damaged_message_is_counted_and_left_out(bad):
    parts, damages = read([pose("map", 1.0), bad, pose("map", 2.0), bad])
    assert [part.values[:, 0].tolist() for part in parts] == [[1.0, 2.0]]
    assert damages[0].startswith("/topic: 2 messages are damaged and left out (")
    assert read([bad, pose("map", 2.0)])[0][0].values[:, 0].tolist() == [2.0]


@pytest.mark.parametrize("bad", [b"", b"\0", b"\0\1\0\0", b"\0\1\0\0" + b"\xff" * 60])
def test_that_a_damaged_header_is_counted_and_left_out(bad):
    scan = pose("lidar", 0.0) + b"ranges of any length"
    parts, damages = read([scan, bad, scan + b"more"], "sensor_msgs/LaserScan")
    assert [(part.texts, len(part.log_ns)) for part in parts] == [(("lidar",), 2)]
    assert damages[0].startswith("/topic: 1 message is damaged")


def test_that_more_layouts_than_the_limit_are_read(monkeypatch):
    monkeypatch.setattr(columns_module, "BATCH_BYTES", 1000)
    names = [f"frame_{i:03}" for i in range(100)]
    parts, damages = read([pose(name, i) for _ in range(3) for i, name in enumerate(names)])
    assert damages == []
    assert [(part.texts[0], part.values[:, 0].tolist()) for part in parts] == [
        (name, [i, i, i]) for i, name in enumerate(names)
    ]


def test_that_every_type_has_fields():
    assert all(kind.kept is None or max(kind.kept) < 85 for kind in COLUMN_TYPES.values())

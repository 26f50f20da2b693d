"""Bags as tests write them: one drive in every container, by libraries that are not ours."""

from __future__ import annotations

import functools
import json
import struct
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

NS = 1_000_000_000
START_NS = 1_700_000_000 * NS


@dataclass(frozen=True)
class Sent:
    """A transform as it is sent: when it was stamped and logged, on which topic, by whom."""

    stamp_ns: int
    parent: str
    child: str
    position: Sequence[float]
    quaternion: Sequence[float]
    is_static: bool = False
    log_ns: int | None = None
    publisher: str = "/node"
    topic: str = ""

    @property
    def received_ns(self) -> int:
        return self.stamp_ns if self.log_ns is None else self.log_ns

    @property
    def on(self) -> str:
        return self.topic or ("/tf_static" if self.is_static else "/tf")


@dataclass(frozen=True)
class Other:
    """Any other message: its type, and its fields as `rosbags` names them."""

    stamp_ns: int
    topic: str
    type: str
    fields: dict[str, Any]
    publisher: str = "/node"
    log_ns: int | None = None

    @property
    def received_ns(self) -> int:
        return self.stamp_ns if self.log_ns is None else self.log_ns

    @property
    def on(self) -> str:
        return self.topic


def in_order(sent: Iterable[Sent | Other]) -> list[Sent | Other]:
    return sorted(sent, key=lambda each: each.received_ns)


def store(version: int) -> Any:
    from rosbags.typesys import Stores, get_types_from_msg, get_typestore

    types = get_typestore(Stores.ROS1_NOETIC if version == 1 else Stores.ROS2_HUMBLE)
    if version == 1:
        types.register(get_types_from_msg("geometry_msgs/TransformStamped[] transforms", "tf2_msgs/msg/TFMessage"))
    return types


@functools.cache  # it compiles code for each type of message that it meets
def common_store(version: int) -> Any:
    return store(version)


def message_of(types: Any, each: Sent | Other, version: int) -> tuple[Any, str]:
    kinds = types.types

    def header(stamp_ns: int, frame: str):
        stamp = kinds["builtin_interfaces/msg/Time"](*divmod(stamp_ns, NS))
        return kinds["std_msgs/msg/Header"](*((0,) if version == 1 else ()), stamp, frame)

    if isinstance(each, Sent):
        vector = kinds["geometry_msgs/msg/Vector3"](*map(float, each.position))
        rotation = kinds["geometry_msgs/msg/Quaternion"](*map(float, each.quaternion))
        transform = kinds["geometry_msgs/msg/Transform"](vector, rotation)
        stamped = kinds["geometry_msgs/msg/TransformStamped"](header(each.stamp_ns, each.parent), each.child, transform)
        return kinds["tf2_msgs/msg/TFMessage"]([stamped]), "tf2_msgs/msg/TFMessage"

    def made(value: Any) -> Any:
        if isinstance(value, tuple) and value[0] == "header":
            return header(value[2] if len(value) > 2 else each.stamp_ns, value[1])
        if isinstance(value, list):
            return [made(part) for part in value]
        if isinstance(value, tuple):
            return kinds[value[0]](**{name: made(part) for name, part in value[1].items()})
        return value

    return made((each.type, each.fields)), each.type


def write_ros1(path: Path, sent: Iterable[Sent | Other], *, compression: str = "") -> Path:
    from rosbags.rosbag1 import Writer

    types = common_store(1)
    writer = Writer(path)
    if compression:
        writer.set_compression(Writer.CompressionFormat[compression])
    with writer:
        connections: dict[tuple[str, str], Any] = {}
        for each in in_order(sent):
            message, type_name = message_of(types, each, 1)
            key = each.on, each.publisher
            if key not in connections:
                connections[key] = writer.add_connection(each.on, type_name, typestore=types, callerid=each.publisher)
            writer.write(connections[key], each.received_ns, types.serialize_ros1(message, type_name))
    return path


def write_ros2(
    path: Path, sent: Iterable[Sent | Other], *, storage: str = "SQLITE3", compression: str = "", size: int = 0
) -> Path:
    from rosbags.rosbag2 import CompressionFormat, CompressionMode, StoragePlugin, Writer

    types = common_store(2)
    writer = Writer(path, version=9, storage_plugin=StoragePlugin[storage])
    if compression:
        writer.set_compression(CompressionMode[compression], CompressionFormat.ZSTD)
    with writer:
        connections: dict[str, Any] = {}
        for each in in_order(sent):
            message, type_name = message_of(types, each, 2)
            if each.on not in connections:
                connections[each.on] = writer.add_connection(each.on, type_name, typestore=types)
            writer.write(connections[each.on], each.received_ns, types.serialize_cdr(message, type_name))
    return path


def write_foxglove(
    path: Path,
    sent: Iterable[Sent],
    *,
    encoding: str = "protobuf",
    compression: str = "ZSTD",
    is_chunked: bool = True,
    cameras: Mapping[str, bytes] | None = None,
) -> Path:
    """Write `foxglove.FrameTransforms`, one topic for what moves and one for what does not.

    `cameras` are messages of `foxglove.CameraCalibration` by topic.
    """
    from mcap.writer import CompressionType, Writer

    with path.open("wb") as file:
        writer = Writer(file, compression=CompressionType[compression], use_chunking=is_chunked, chunk_size=20_000)
        writer.start()
        schema = writer.register_schema("foxglove.FrameTransforms", encoding + "schema", b"")
        channels = {}
        for each in in_order(sent):
            if each.on not in channels:
                channels[each.on] = writer.register_channel(each.on, encoding, schema)
            data = _protobuf(each) if encoding == "protobuf" else _json(each)
            writer.add_message(channels[each.on], each.received_ns, data, each.received_ns)
        for topic, data in (cameras or {}).items():
            schema = writer.register_schema("foxglove.CameraCalibration", encoding + "schema", b"")
            writer.add_message(writer.register_channel(topic, encoding, schema), START_NS, data, START_NS)
        writer.finish()
    return path


def foxglove_camera(encoding: str, frame: str, **matrices: Sequence[float]) -> bytes:
    """Return a message of `foxglove.CameraCalibration` of 640 x 480 pixels, with ``D``, ``K``, ``R`` and ``P``."""
    if encoding == "json":
        stamp = {"sec": START_NS // NS, "nsec": START_NS % NS}
        size = {"width": 640, "height": 480, "distortion_model": "plumb_bob"}
        lists = {name: list(values) for name, values in matrices.items()}
        return json.dumps({"timestamp": stamp, "frame_id": frame, **size, **lists}).encode()
    stamp = _field(1, START_NS // NS) + _field(2, START_NS % NS)
    size = b"".join(bytes([number << 3 | 5]) + struct.pack("<I", n) for number, n in ((2, 640), (3, 480)))
    packed = {name: struct.pack(f"<{len(values)}d", *values) for name, values in matrices.items()}
    lists = b"".join(_field(number, packed[name]) for number, name in zip((5, 6, 7, 8), "DKRP", strict=True))
    return _field(1, stamp) + size + _field(4, b"plumb_bob") + lists + _field(9, frame.encode())


def _json(sent: Sent) -> bytes:
    seconds, rest = divmod(sent.stamp_ns, NS)
    return json.dumps(
        {
            "transforms": [
                {
                    "timestamp": {"sec": seconds, "nsec": rest},
                    "parent_frame_id": sent.parent,
                    "child_frame_id": sent.child,
                    "translation": dict(zip("xyz", map(float, sent.position), strict=True)),
                    "rotation": dict(zip("xyzw", map(float, sent.quaternion), strict=True)),
                }
            ]
        }
    ).encode()


def _protobuf(sent: Sent) -> bytes:
    seconds, rest = divmod(sent.stamp_ns, NS)
    stamp = _field(1, seconds) + _field(2, rest)
    parts = (stamp, sent.parent.encode(), sent.child.encode(), _doubles(sent.position), _doubles(sent.quaternion))
    return _field(1, b"".join(_field(i + 1, part) for i, part in enumerate(parts)))


def _doubles(values: Sequence[float]) -> bytes:
    return b"".join(bytes([(i + 1) << 3 | 1]) + struct.pack("<d", v) for i, v in enumerate(values) if v != 0.0)


def _field(number: int, value: int | bytes) -> bytes:
    if isinstance(value, bytes):
        return _varint(number << 3 | 2) + _varint(len(value)) + value
    return _varint(number << 3) + _varint(value) if value else b""


def _varint(value: int) -> bytes:
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*out, value])


WRITERS = {
    "ROS 1": lambda path, sent: write_ros1(path.with_suffix(".bag"), sent),
    "ROS 1, bz2": lambda path, sent: write_ros1(path.with_suffix(".bag"), sent, compression="BZ2"),
    "ROS 1, lz4": lambda path, sent: write_ros1(path.with_suffix(".bag"), sent, compression="LZ4"),
    "ROS 2, SQLite": write_ros2,
    "ROS 2, SQLite, packed files": lambda path, sent: write_ros2(path, sent, compression="FILE"),
    "ROS 2, SQLite, packed messages": lambda path, sent: write_ros2(path, sent, compression="MESSAGE"),
    "ROS 2, MCAP": lambda path, sent: write_ros2(path, sent, storage="MCAP"),
    "Foxglove, protobuf": lambda path, sent: write_foxglove(path.with_suffix(".mcap"), sent),
    "Foxglove, JSON, lz4": lambda path, sent: write_foxglove(
        path.with_suffix(".mcap"), sent, encoding="json", compression="LZ4"
    ),
    "Foxglove, protobuf, no chunks": lambda path, sent: write_foxglove(
        path.with_suffix(".mcap"), sent, compression="NONE", is_chunked=False
    ),
}
"""What writes transforms into a file or folder, by container."""


def drive(*, seconds: float = 20.0, hz: float = 20.0, seed: int = 1) -> list[Sent]:
    """Return a healthy drive: map, odom, base_link, wheels that turn, and sensors that stand on the base."""
    random = np.random.default_rng(seed)
    sent: list[Sent] = []
    for i in range(round(seconds * hz)):
        t = i / hz
        stamp = START_NS + round(t * NS)
        heading = 0.3 * t
        turned = (0.0, 0.0, np.sin(heading / 2), np.cos(heading / 2))
        place = (2.0 * np.sin(heading), 2.0 - 2.0 * np.cos(heading), 0.0)
        sent.append(Sent(stamp, "odom", "base_link", place, turned, publisher="/driver"))
        for name, y in (("wheel_left", 0.2), ("wheel_right", -0.2)):
            spun = (0.0, np.sin(t), 0.0, np.cos(t))
            sent.append(Sent(stamp, "base_link", name, (0.0, y, 0.1), spun, publisher="/joints"))
        if i % 4 == 0:
            sent.append(
                Sent(stamp, "map", "odom", (0.01 * t, 0.0, 0.0), (0.0, 0.0, 0.0, 1.0), publisher="/localization")
            )
    for name in ("imu", "camera", "lidar"):
        q = random.normal(size=4)
        sent.append(
            Sent(
                START_NS,
                "base_link",
                name,
                random.normal(size=3).tolist(),
                (q / np.linalg.norm(q)).tolist(),
                is_static=True,
                publisher="/robot_state_publisher",
            )
        )
    return sent


def two_robots() -> list[Sent]:
    """A healthy drive, and a second robot whose transforms no other joins to it."""
    sent = drive()
    for i in range(0, 400, 2):
        t = i / 20
        sent.append(Sent(START_NS + round(t * NS), "b/odom", "b/base", (2.0 + 0.1 * t, 1.0, 0.0), (0.0, 0.0, 0.0, 1.0)))
    sent.append(Sent(START_NS, "b/base", "b/laser", (0.2, 0.0, 0.1), (0.0, 0.0, 0.0, 1.0), is_static=True))
    return sent

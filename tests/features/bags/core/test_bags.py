"""Bags that other libraries write are read as they were written, whole, cut short, or damaged."""

import random
import sqlite3
from pathlib import Path

import numpy as np
import pytest

from framescope.core.errors import FramescopeError
from framescope.core.recordings.tf_buffer import TfBuffer
from framescope.core.system.optional_packages import Extra
from framescope.features.bags.core import compression
from framescope.features.bags.core.bag import BagError, MissingPackageError
from framescope.features.bags.core.bag_file import is_bag, is_bag_folder, open_bag
from framescope.features.bags.core.foxglove import fields, read_foxglove
from framescope.features.bags.core.messages import CameraInfo, Imu, JointState, Odometry, StampedPose
from framescope.features.bags.core.tf_log import decode_messages, insert_row, namespaces, read_tf
from framescope.features.bags.core.wire import MessageError
from tests.support.bags import (
    NS,
    START_NS,
    WRITERS,
    Other,
    Sent,
    drive,
    in_order,
    message_of,
    store,
    write_foxglove,
    write_ros1,
    write_ros2,
)

SHORT = drive(seconds=5.0)


def file_of(path: Path) -> Path:
    return path if path.is_file() else next(each for each in path.iterdir() if each.suffix != ".yaml")


def as_numbers(stamp_ns, parent, child, position, quaternion):
    return stamp_ns, parent, child, *map(float, position), *map(float, quaternion)


@pytest.mark.parametrize("container", WRITERS)
def test_that_transforms_are_read_as_they_were_written(container, tmp_path):
    bag = open_bag(WRITERS[container](tmp_path / "drive", SHORT))
    log = read_tf(bag)

    sent = [as_numbers(e.stamp_ns, e.parent, e.child, e.position, e.quaternion) for e in in_order(SHORT)]
    read = [
        as_numbers(
            log.stamp_ns[i], log.names[log.parent[i]], log.names[log.child[i]], log.position[i], log.quaternion[i]
        )
        for i in range(len(log))
    ]
    assert sorted(read) == sorted(sent)
    assert bag.damages == []
    assert log.log_ns.tolist() == [each.received_ns for each in in_order(SHORT)]
    assert [log.is_static.sum(), len(log)] == [3, sum(channel.count for channel in bag.channels)]
    assert bag.span_ns == (START_NS, max(each.received_ns for each in SHORT))
    assert is_bag(file_of(tmp_path / next(tmp_path.iterdir()).name).read_bytes()[:64]) or "packed files" in container


def test_that_publishers_are_known_where_the_bag_has_them(tmp_path):
    log = read_tf(open_bag(write_ros1(tmp_path / "drive.bag", SHORT)))
    assert set(log.publishers) == {"/driver", "/joints", "/localization", "/robot_state_publisher"}
    wheels = [log.publishers[log.publisher[i]] for i in range(len(log)) if log.names[log.child[i]] == "wheel_left"]
    assert set(wheels) == {"/joints"}


def test_that_what_is_read_answers_as_what_was_sent(tmp_path):
    log, buffer = read_tf(open_bag(write_ros2(tmp_path / "drive", SHORT))), TfBuffer()
    for i in range(len(log)):
        insert_row(buffer, log, i)
    position, quaternion = buffer.look_up("map", "wheel_left", START_NS + 2 * NS + 25_000_000)
    assert np.isfinite([*position, *quaternion]).all()
    # By hand: odom stands at 0.01 t; the base drives a circle of 2 m; the wheel stands 0.2 m to its left.
    t, step = 2.025, 0.05
    places = [np.array([2 * np.sin(0.3 * s), 2 - 2 * np.cos(0.3 * s), 0]) for s in (t - step / 2, t + step / 2)]
    base = sum(places) / 2 + [0.01 * 2.025, 0, 0]  # odom is sent every 0.2 s, and even
    wheel = base + np.array([-0.2 * np.sin(0.3 * t), 0.2 * np.cos(0.3 * t), 0.1])
    np.testing.assert_allclose(position, wheel, atol=1e-12)


def others() -> list[Other]:
    """Return a message of each other type that is read."""
    vector = "geometry_msgs/msg/Vector3"

    def quaternion(*values):
        return ("geometry_msgs/msg/Quaternion", dict(zip("xyzw", values, strict=True)))

    def triple(type_name, *values):
        return (type_name, dict(zip("xyz", values, strict=True)))

    pose = (
        "geometry_msgs/msg/Pose",
        {"position": triple("geometry_msgs/msg/Point", 1.0, 2.0, 3.0), "orientation": quaternion(0.0, 0.6, 0.0, 0.8)},
    )
    covariance = np.arange(36.0)
    twist = (
        "geometry_msgs/msg/Twist",
        {"linear": triple(vector, 0.1, 0.2, 0.3), "angular": triple(vector, 0.4, 0.5, 0.6)},
    )
    no_reading = np.array([-1.0, *[0.0] * 8])
    imu = {
        "header": ("header", "imu"),
        "orientation": quaternion(0.0, 0.0, 0.0, 1.0),
        "orientation_covariance": np.zeros(9),
        "angular_velocity": triple(vector, 1.0, 2.0, 3.0),
        "angular_velocity_covariance": np.zeros(9),
        "linear_acceleration": triple(vector, 0.0, 0.0, 9.81),
        "linear_acceleration_covariance": np.zeros(9),
    }
    return [
        Other(START_NS, "/pose", "geometry_msgs/msg/PoseStamped", {"header": ("header", "map"), "pose": pose}),
        Other(
            START_NS + 1,
            "/odom",
            "nav_msgs/msg/Odometry",
            {
                "header": ("header", "odom"),
                "child_frame_id": "base_link",
                "pose": ("geometry_msgs/msg/PoseWithCovariance", {"pose": pose, "covariance": covariance}),
                "twist": ("geometry_msgs/msg/TwistWithCovariance", {"twist": twist, "covariance": covariance}),
            },
        ),
        Other(START_NS + 2, "/imu", "sensor_msgs/msg/Imu", imu),
        Other(START_NS + 3, "/imu", "sensor_msgs/msg/Imu", {**imu, "orientation_covariance": no_reading}),
        Other(START_NS + 4, "/imu", "sensor_msgs/msg/Imu", {**imu, "orientation": quaternion(0.0, 0.0, 0.0, 0.0)}),
        Other(
            START_NS + 5,
            "/joints",
            "sensor_msgs/msg/JointState",
            {
                "header": ("header", ""),
                "name": ["shoulder", "élbow"],
                "position": np.array([0.5, -0.5]),
                "velocity": np.array([]),
                "effort": np.array([1.0, np.nan]),
            },
        ),
        Other(START_NS + 6, "/robot_description", "std_msgs/msg/String", {"data": "<robot/>"}),
    ]


@pytest.mark.parametrize("write", [write_ros1, write_ros2], ids=["ROS 1", "ROS 2"])
def test_that_other_messages_are_read_as_they_were_written(write, tmp_path):
    bag = open_bag(write(tmp_path / "drive.bag", others()))
    read = [message for _, _, messages in decode_messages(bag, lambda _: True, []) for message in messages]

    pose = StampedPose(START_NS, "map", "", (1.0, 2.0, 3.0), (0.0, 0.6, 0.0, 0.8))
    moving = StampedPose(START_NS + 1, "odom", "base_link", pose.position, pose.quaternion)
    readings = (1.0, 2.0, 3.0), (0.0, 0.0, 9.81)
    assert read[:2] == [pose, Odometry(moving, (0.1, 0.2, 0.3), (0.4, 0.5, 0.6))]
    assert read[2] == Imu(START_NS + 2, "imu", (0.0, 0.0, 0.0, 1.0), *readings)
    assert read[3:5] == [Imu(START_NS + i, "imu", None, *readings) for i in (3, 4)]
    joints = read[5]
    assert isinstance(joints, JointState)
    assert (joints.names, joints.positions, joints.velocities) == (("shoulder", "élbow"), (0.5, -0.5), ())
    np.testing.assert_equal(joints.efforts, (1.0, np.nan))
    assert read[6] == "<robot/>"


def test_that_the_info_of_a_camera_is_read(tmp_path):
    from rosbags.rosbag2 import StoragePlugin, Writer

    types = store(2)
    kinds = types.types
    stamp = kinds["builtin_interfaces/msg/Time"](1, 2)
    roi = kinds["sensor_msgs/msg/RegionOfInterest"](0, 0, 0, 0, False)
    info = kinds["sensor_msgs/msg/CameraInfo"](
        *(kinds["std_msgs/msg/Header"](stamp, "camera"), 480, 640, "plumb_bob", np.arange(5.0), np.arange(9.0)),
        *(np.arange(9.0), np.arange(12.0), 0, 0, roi),
    )
    with Writer(tmp_path / "bag", version=9, storage_plugin=StoragePlugin.MCAP) as writer:
        connection = writer.add_connection("/info", "sensor_msgs/msg/CameraInfo", typestore=types)
        writer.write(connection, 5, types.serialize_cdr(info, "sensor_msgs/msg/CameraInfo"))

    ((_, _, (read,)),) = decode_messages(open_bag(tmp_path / "bag"), lambda _: True, [])

    K, distortion = tuple(map(float, range(9))), tuple(map(float, range(5)))
    P = tuple(map(float, range(12)))
    assert read == CameraInfo(1_000_000_002, "camera", 640, 480, "plumb_bob", distortion, K, K, P)


@pytest.mark.long
@pytest.mark.parametrize("container", WRITERS)
def test_that_what_is_whole_of_a_bag_that_was_cut_short_is_read(container, tmp_path):
    path = WRITERS[container](tmp_path / "drive", SHORT)
    file, chance = file_of(path), random.Random(7)
    data = file.read_bytes()
    whole = sorted(as_numbers(e.stamp_ns, e.parent, e.child, e.position, e.quaternion) for e in SHORT)
    shares: list[tuple[float, float]] = []

    for _ in range(20):
        n = chance.randrange(len(data))
        file.write_bytes(data[:n])
        try:
            log = read_tf(open_bag(path))
        except BagError as error:
            assert file.stem in str(error)  # noqa: PT017 (or it opens)
            continue
        shares.append((n / len(data), len(log) / len(SHORT)))
        if len(log) and "SQLite" not in container:
            with open_bag(path) as bag:
                assert bag.span_ns == (int(log.log_ns.min()), int(log.log_ns.max()))
            assert "unpack" not in " ".join(log.damages)
        for i in range(len(log)):
            names = log.names[log.parent[i]], log.names[log.child[i]]
            assert as_numbers(log.stamp_ns[i], *names, log.position[i], log.quaternion[i]) in whole

    if container in ("ROS 1", "ROS 2, SQLite", "ROS 2, MCAP", "Foxglove, protobuf, no chunks"):  # else all or nothing
        before = 0.45 if "SQLite" in container else 0.25  # what stands before the first message, and the last page
        assert all(read > cut - before for cut, read in shares)
        assert sum(read for _, read in shares) > 0


@pytest.mark.fuzz
@pytest.mark.soak
@pytest.mark.parametrize("container", WRITERS)
def test_that_a_damaged_bag_is_read_or_refused(container, tmp_path):
    path = WRITERS[container](tmp_path / "drive", SHORT)
    file, chance = file_of(path), random.Random(11)
    data = file.read_bytes()
    for _ in range(60):
        changed = bytearray(data)
        for _ in range(chance.choice([1, 3, 20, 200])):
            changed[chance.randrange(len(data))] = chance.randrange(256)
        file.write_bytes(changed)
        try:
            bag = open_bag(path)
            for name in namespaces(bag.channels):
                read_tf(bag, name)
        except FramescopeError:
            pass


def test_that_only_chunks_with_wanted_messages_are_unpacked(tmp_path, monkeypatch):
    from framescope.features.bags.core import mcap_file

    path = write_foxglove(tmp_path / "drive.mcap", drive(seconds=30.0))
    unpacked: list[int] = []
    monkeypatch.setattr(
        mcap_file,
        "unpack_part",
        lambda data, *rest, **more: (unpacked.append(1), compression.unpack_part(data, *rest, **more))[1],
    )

    bag = open_bag(path)
    assert (unpacked, [channel.topic for channel in bag.channels]) == ([], ["/tf", "/tf_static"])
    list(bag.messages(lambda channel: channel.topic == "/tf_static"))

    assert len(unpacked) == 1
    assert len(bag.parts[0].chunks) > 5


def test_that_what_stands_in_the_log_of_a_database_alone_is_read_and_the_bag_left_as_it_is(tmp_path):
    source = file_of(write_ros2(tmp_path / "source", SHORT))
    folder = tmp_path / "left"
    folder.mkdir()
    path = folder / "left.db3"
    with sqlite3.connect(source) as old, sqlite3.connect(tmp_path / "new.db3") as new:
        old.backup(new)
        last = new.execute("SELECT max(id) FROM messages").fetchone()[0]
        rows = new.execute("SELECT * FROM messages WHERE id > ?", (last - 100,)).fetchall()
        new.execute("DELETE FROM messages WHERE id > ?", (last - 100,))
        new.commit()
        new.execute("PRAGMA journal_mode = WAL")
        new.executemany(f"INSERT INTO messages VALUES ({', '.join('?' * len(rows[0]))})", rows)
        new.commit()
        for name in ("new.db3", "new.db3-wal"):  # as a crash leaves them
            (folder / name.replace("new", "left")).write_bytes((tmp_path / name).read_bytes())
    old.close()
    new.close()
    before = path.read_bytes()

    with open_bag(path) as bag:
        log = read_tf(bag)

    assert len(log) == len(SHORT)
    assert path.read_bytes() == before
    assert {each.name for each in folder.iterdir()} == {"left.db3", "left.db3-wal"}


def test_that_messages_of_the_other_byte_order_are_read():
    from framescope.features.bags.core.messages import read_ros

    types = store(2)
    sent = Sent(START_NS + 5, "map", "odom", (1.0, 2.0, 3.0), (0.0, 0.6, 0.0, 0.8))
    message, name = message_of(types, sent, 2)
    for is_little in (True, False):
        data = types.serialize_cdr(message, name, little_endian=is_little)
        (pose,) = read_ros("tf2_msgs/TFMessage", "cdr", data)
        assert pose == StampedPose(START_NS + 5, "map", "odom", sent.position, sent.quaternion)


def test_that_a_bag_of_several_files_is_one(tmp_path):
    early, late = (
        [each for each in SHORT if (each.stamp_ns < START_NS + 2 * NS) is is_early] for is_early in (True, False)
    )
    for name, part in (("a", early), ("b", late)):
        write_ros2(tmp_path / name, part, storage="MCAP")
    folder = tmp_path / "whole"
    folder.mkdir()
    for i, name in enumerate("ab"):
        next((tmp_path / name).glob("*.mcap")).rename(folder / f"whole_{i}.mcap")

    bag = open_bag(folder)

    assert is_bag_folder(folder)
    assert len(read_tf(bag)) == len(SHORT)
    assert {channel.topic: channel.count for channel in bag.channels} == {"/tf": len(SHORT) - 3, "/tf_static": 3}


def test_that_metadata_name_the_files_and_lead_nowhere_else(tmp_path):
    inside = write_ros2(tmp_path / "bag", SHORT, storage="MCAP")
    outside = write_ros2(tmp_path / "other", drive(seconds=1.0), storage="MCAP")
    secret = next(outside.glob("*.mcap"))
    metadata = inside / "metadata.yaml"
    text = metadata.read_text(encoding="utf-8").replace("bag.mcap", f"../other/{secret.name}")
    metadata.write_text(text, encoding="utf-8")

    bag = open_bag(metadata)

    assert len(read_tf(bag)) == len(SHORT)
    assert any("is missing" in text for text in bag.damages)


def test_that_namespaces_have_trees_of_their_own(tmp_path):
    sent = [
        *SHORT,
        *(Sent(START_NS + i * NS, "odom", "base", (i, 0, 0), (0, 0, 0, 1), topic="/robot1/tf") for i in range(9)),
    ]
    bag = open_bag(write_ros1(tmp_path / "two.bag", sent))
    assert namespaces(bag.channels) == ("", "/robot1")
    assert read_tf(bag, "/robot1").names == ("odom", "base")


def test_that_another_database_and_another_file_are_told_apart(tmp_path):
    database = tmp_path / "notes.db3"
    with sqlite3.connect(database) as connection:
        connection.execute("CREATE TABLE notes (id INTEGER)")
    connection.close()
    (tmp_path / "table.csv").write_text("t,x\n0,1\n", encoding="utf-8")
    (tmp_path / "empty.bag").touch()
    (tmp_path / "old.bag").write_bytes(b"#ROSBAG V1.2\n" + bytes(100))
    (tmp_path / "folder").mkdir()

    for name, words in (
        ("notes.db3", "no ROS 2 bag"),
        ("table.csv", "is no bag"),
        ("empty.bag", "is empty"),
        ("old.bag", "version V1.2; `rosbag migrate`"),
        ("folder", "is no bag"),
        ("nowhere.mcap", "cannot be read"),
    ):
        with pytest.raises(BagError, match=words):
            open_bag(tmp_path / name)


def test_that_a_missing_package_is_named(tmp_path, monkeypatch):
    path = write_foxglove(tmp_path / "drive.mcap", SHORT)
    monkeypatch.setattr(Extra, "is_installed", property(lambda extra: extra.module != "mcap"))
    with pytest.raises(MissingPackageError, match=r"MCAP needs mcap, .*Set the environment up again"):
        open_bag(path)


@pytest.mark.parametrize(
    ("package", "container"),
    [
        ("lz4", "ROS 1, lz4"),
        ("zstandard", "ROS 2, SQLite, packed messages"),
        ("zstandard", "ROS 2, SQLite, packed files"),
    ],
)
def test_that_what_unpacks_a_bag_is_named_where_it_is_missing(package, container, tmp_path, monkeypatch):
    path = WRITERS[container](tmp_path / "drive", SHORT)
    monkeypatch.setattr(Extra, "is_installed", property(lambda extra: extra.module != package))
    with pytest.raises(MissingPackageError, match=f"needs {package}"):
        read_tf(open_bag(path))


@pytest.mark.parametrize("method", ["bz2", "lz4", "zstd"])
def test_that_a_part_is_unpacked_no_further_than_it_says(method):
    import bz2

    import lz4.frame
    import zstandard

    pack = {"bz2": bz2.compress, "lz4": lz4.frame.compress, "zstd": zstandard.compress}[method]
    packed = pack(bytes(50_000_000))

    assert compression.unpack_part(pack(b"frames"), method, 6) == b"frames"
    with pytest.raises(BagError, match="damaged"):
        compression.unpack_part(packed, method, 1000)
    with pytest.raises(BagError, match="exceeds the limit"):
        compression.unpack_part(packed, method, 1 << 40)
    with pytest.raises(BagError, match="damaged"):
        compression.unpack_part(b"no such thing at all", method, 10)


def test_that_messages_that_are_none_are_refused():
    for data in (b"\xff", b"\x0a\xff\x01", b"\x0b", b"\x80" * 11):
        with pytest.raises(ValueError, match=r"\w"):
            fields(data)
    for data in (b"{", b"[1]", b'{"transforms": [{"timestamp": 5}]}', b"null", b"[" * 100_000):
        with pytest.raises(MessageError):
            read_foxglove("foxglove.FrameTransforms", "json", data)


def test_that_json_may_have_its_time_as_text():
    text = b'{"timestamp": "2023-11-14T22:13:20.000000123Z", "parent_frame_id": "a", "child_frame_id": "b"}'
    (pose,) = read_foxglove("foxglove.FrameTransform", "json", text)
    assert pose == StampedPose(START_NS + 123, "a", "b", (0.0, 0.0, 0.0), (0.0, 0.0, 0.0, 1.0))

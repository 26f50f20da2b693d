"""Frames in the headers of all messages: of any type, in any container, missing, misspelt or empty."""

import dataclasses
import functools

import numpy as np
import pytest
from rosbags.typesys import get_types_from_msg

from framescope.features.bags.core.autopsy.bag_autopsy import examine_bag
from framescope.features.bags.core.bag_file import open_bag
from framescope.features.bags.core.definitions import begins_with_header
from tests.support import bags
from tests.support.bags import NS, START_NS, Other, drive, write_ros1, write_ros2

RADAR = "std_msgs/Header header\nfloat64 range\n"


@functools.cache
def types_of(version: int):
    types = bags.common_store(version)
    types.register(get_types_from_msg(RADAR, "radar_msgs/msg/Echo"))
    types.register(get_types_from_msg("float64 range\nstd_msgs/Header header\n", "radar_msgs/msg/Late"))
    return types


def filled(types, name: str, header):
    """Return the fields of a message of a type, all zero or empty; `header` goes into its headers."""
    from rosbags.interfaces import Nodetype

    def value(kind):
        node, detail = kind
        if node == Nodetype.BASE:
            return {"string": "", "bool": False, "float32": 0.0, "float64": 0.0}.get(detail[0], 0)
        if node == Nodetype.NAME:
            return header if detail == "std_msgs/msg/Header" else (detail, filled(types, detail, header))
        (inner, size) = detail[0], detail[1]
        n = size if node == Nodetype.ARRAY else 0
        if inner[0] == Nodetype.BASE and inner[1][0] != "string":
            return np.zeros(n, inner[1][0])
        return [value(inner) for _ in range(n)]

    return {field: value(kind) for field, kind in types.fielddefs[name][1]}


def sent(name: str, frame: str, version: int, n: int = 5, topic: str = "/topic") -> list[Other]:
    fields = filled(types_of(version), name, ("header", frame))
    return [Other(START_NS + i * NS // 10, topic, name, fields, publisher="/driver") for i in range(n)]


def write_db3(path, messages):
    return write_ros2(path, messages)


def write_mcap(path, messages):
    return write_ros2(path, messages, storage="MCAP")


def faults_of(path):
    with open_bag(path) as bag:
        return [fault for _, fault in examine_bag(bag).faults]


CONTAINERS = pytest.mark.parametrize(
    ("write", "version"), [(write_ros1, 1), (write_db3, 2), (write_mcap, 2)], ids=["ROS 1", "SQLite", "MCAP"]
)
PLACED = (
    *("sensor_msgs/msg/LaserScan", "sensor_msgs/msg/PointCloud2", "sensor_msgs/msg/Image"),
    *("sensor_msgs/msg/CompressedImage", "sensor_msgs/msg/CameraInfo", "visualization_msgs/msg/Marker"),
    *("nav_msgs/msg/Path", "sensor_msgs/msg/NavSatFix", "sensor_msgs/msg/Imu", "sensor_msgs/msg/MagneticField"),
    *("sensor_msgs/msg/Range", "nav_msgs/msg/OccupancyGrid", "geometry_msgs/msg/PoseArray"),
    *("stereo_msgs/msg/DisparityImage", "sensor_msgs/msg/MultiEchoLaserScan", "geometry_msgs/msg/PointStamped"),
)


@CONTAINERS
def test_that_an_unknown_frame_is_told_for_every_type_that_has_a_header(write, version, tmp_path):
    messages = [m for i, name in enumerate(PLACED) for m in sent(name, f"mast_{i}", version, topic=f"/topic_{i}")]
    faults = [
        f for f in faults_of(write(tmp_path / "a.bag", [*drive(seconds=4.0), *messages])) if f.kind != "no orientation"
    ]
    assert {(f.kind, f.severity, f.frame) for f in faults} == {
        ("frame missing", "red", f"mast_{i}") for i in range(len(PLACED))
    }
    assert all(f.count == 5 and "does not exist" in f.answer for f in faults)


@CONTAINERS
@pytest.mark.parametrize(("frame", "told"), [("mast", True), ("lidar", False), ("/lidar", False)])
def test_that_the_definition_in_the_bag_tells_which_messages_begin_with_a_header(write, version, frame, told, tmp_path):
    messages = [*sent("radar_msgs/msg/Echo", frame, version), *sent("radar_msgs/msg/Late", "x", version, topic="/late")]
    faults = faults_of(write(tmp_path / "a.bag", [*drive(seconds=4.0), *messages]))
    assert [(f.kind, f.severity, f.frame) for f in faults] == ([("frame missing", "amber", frame)] if told else [])


@CONTAINERS
def test_that_markers_in_an_array_name_their_frame_after_those_that_clear(write, version, tmp_path):
    marker = "visualization_msgs/msg/Marker"

    def array(i: int, *frames: str) -> Other:
        markers = [(marker, filled(types_of(version), marker, ("header", frame))) for frame in frames]
        return Other(START_NS + i * NS // 10, "/markers", f"{marker}Array", {"markers": markers})

    messages = [array(0), array(1, ""), array(2, "mast", "lidar")]
    (fault,) = faults_of(write(tmp_path / "a.bag", [*drive(seconds=4.0), *messages]))
    assert (fault.kind, fault.frame, fault.count) == ("frame missing", "mast", 3)
    assert faults_of(write(tmp_path / "b.bag", [*drive(seconds=4.0), *messages[:2]])) == []


@CONTAINERS
@pytest.mark.parametrize(
    "name", ["sensor_msgs/msg/Joy", "sensor_msgs/msg/JointState", "diagnostic_msgs/msg/DiagnosticArray"]
)
def test_that_headers_that_state_only_a_time_are_no_fault(name, write, version, tmp_path):
    messages = sent(name, "/dev/input/js0", version)
    assert faults_of(write(tmp_path / "a.bag", [*drive(seconds=4.0), *messages])) == []


def test_that_a_near_name_is_advised_and_no_frame_is_doubled(tmp_path):
    messages = [
        *sent("sensor_msgs/msg/Image", "robot/lidar", 1),
        *sent("sensor_msgs/msg/Range", "camra", 1, topic="/r"),
    ]
    scan, image = sorted(
        faults_of(write_ros1(tmp_path / "a.bag", [*drive(seconds=4.0), *messages])), key=lambda f: f.frame
    )
    assert "The most similar frame is camera. If it is meant, set frame_id of /driver to camera." in scan.cause
    assert "set frame_id of /driver to lidar." in image.cause


def test_that_a_recording_without_static_transforms_says_what_to_record(tmp_path):
    moving = [each for each in drive(seconds=4.0) if not each.is_static]
    path = write_ros1(tmp_path / "a.bag", [*moving, *sent("sensor_msgs/msg/LaserScan", "lidar", 1)])
    (fault,) = faults_of(path)
    assert (fault.kind, fault.frame) == ("frame missing", "lidar")
    assert "no static transforms" in fault.cause
    assert "/tf_static" in fault.cause
    whole = write_ros1(tmp_path / "b.bag", [*drive(seconds=4.0), *sent("sensor_msgs/msg/LaserScan", "lidr", 1)])
    assert "/tf_static" not in faults_of(whole)[0].cause


@CONTAINERS
def test_that_a_frame_with_a_slash_is_told_once_for_all_its_topics(write, version, tmp_path):
    messages = [
        *sent("sensor_msgs/msg/LaserScan", "/lidar", version, topic="/scan"),
        *sent("sensor_msgs/msg/PointCloud2", "/lidar", version, topic="/points"),
        *sent("sensor_msgs/msg/Image", "camera", version, topic="/image"),
    ]
    (fault,) = faults_of(write(tmp_path / "a.bag", [*drive(seconds=4.0), *messages]))
    assert (fault.kind, fault.frame, fault.severity, fault.count) == ("leading slash", "lidar", "amber", 10)
    assert "10 messages of /scan and /points" in fault.cause
    assert "name /lidar with a slash." in fault.cause
    assert "cannot start with a '/'" in fault.answer


@CONTAINERS
@pytest.mark.parametrize("name", ["sensor_msgs/msg/LaserScan", "sensor_msgs/msg/Image", "sensor_msgs/msg/NavSatFix"])
def test_that_an_empty_frame_is_named_as_such(name, write, version, tmp_path):
    (fault,) = faults_of(write(tmp_path / "a.bag", [*drive(seconds=4.0), *sent(name, "", version)]))
    assert (fault.kind, fault.severity, fault.count) == ("empty frame", "amber", 5)
    assert "/topic" in fault.cause
    assert "have an empty frame_id" in fault.cause
    assert "frame_ids cannot be empty" in fault.answer


@pytest.mark.parametrize(
    ("parent", "child", "keys"),
    [("odom", "", ["child_frame_id"]), ("", "base_link", ["frame_id"]), ("odom", "base_link", [])],
)
def test_that_an_empty_frame_of_odometry_is_named_by_its_field(parent, child, keys, tmp_path):
    messages = [
        dataclasses.replace(m, fields=m.fields | {"child_frame_id": child})
        for m in sent("nav_msgs/msg/Odometry", parent, 1)
    ]
    faults = faults_of(write_ros1(tmp_path / "a.bag", [*drive(seconds=4.0), *messages]))
    faults = [f for f in faults if f.severity != "note"]
    assert [f.kind for f in faults] == ["empty frame"] * len(keys)
    assert all(f" {key}:" in f.cause for f, key in zip(faults, keys, strict=True))


def test_that_a_frame_that_comes_later_or_is_only_cleared_is_no_empty_frame(tmp_path):
    first, *others = sent("sensor_msgs/msg/Image", "lidar", 1)
    empty = dataclasses.replace(first, fields=first.fields | {"header": ("header", "")})
    path = sent("nav_msgs/msg/Path", "", 1, topic="/path")
    assert faults_of(write_ros1(tmp_path / "a.bag", [*drive(seconds=4.0), empty, *others, *path])) == []


def test_that_an_empty_frame_without_any_transform_is_only_a_note(tmp_path):
    (fault,) = faults_of(write_ros1(tmp_path / "a.bag", sent("sensor_msgs/msg/LaserScan", "", 1)))
    assert (fault.kind, fault.severity) == ("empty frame", "note")


@pytest.mark.parametrize(
    ("definition", "expected"),
    [
        ("Header header\nuint8 x", True),
        ("# a comment\n\nuint8 NEAR=1\nstring NAME=Header x\nstd_msgs/msg/Header h  # when", True),
        ("uint8 x\nHeader header", False),
        ("std_msgs/Header[] headers", False),
        ("uint8 A=1\n====\nMSG: std_msgs/Header\nuint32 seq", False),
        ("my_msgs/Header header", False),
        ("module p { module msg { struct Echo { std_msgs::msg::Header header; double x; }; }; };", True),
        ("struct Other { std_msgs::msg::Header h; }; struct Echo { double x; std_msgs::msg::Header header; };", False),
        ("struct Echo { @key\n// when\nstd_msgs::msg::Header header; };", True),
        ("", False),
        ("\0\xff;{", False),
    ],
)
def test_that_the_first_field_of_a_definition_decides(definition, expected):
    assert begins_with_header("p/Echo", definition) is expected


def test_that_common_types_are_known_without_a_definition():
    assert begins_with_header("sensor_msgs/PointCloud2", "")
    assert not begins_with_header("std_msgs/String", "")

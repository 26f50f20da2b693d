"""The autopsy of topics beside the transforms: odometry, inertial readings, and frames that nobody sends."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from framescope.features.bags.core.autopsy.bag_autopsy import examine_bag
from framescope.features.bags.core.autopsy.topic_faults import missing_frames, topic_faults
from framescope.features.bags.core.bag_file import open_bag
from framescope.features.bags.core.topic_series import NamedFrame, TopicContents, TopicSeries
from tests.support.bags import NS, START_NS, Other, Sent, drive, write_ros1, write_ros2


def odometry(change=lambda v, w, v_parent: (v, w), noise=0.0) -> TopicSeries:
    """Return a flight whose velocities are known exactly, as odometry; `change` says what its twist is instead."""
    t = np.linspace(0.0, 20.0, 801)
    place = np.stack([np.sin(t), np.cos(0.7 * t), 0.3 * t], axis=1)
    v_parent = np.stack([np.cos(t), -0.7 * np.sin(0.7 * t), np.full_like(t, 0.3)], axis=1)
    turned = Rotation.from_euler("ZYX", np.stack([0.5 * t, 0.3 * np.sin(t), np.zeros_like(t)], axis=1))
    # Rates in the body by differences a thousand times finer than the samples.
    h = 1e-5
    later = Rotation.from_euler("ZYX", np.stack([0.5 * (t + h), 0.3 * np.sin(t + h), np.zeros_like(t)], axis=1))
    w = (turned.inv() * later).as_rotvec() / h
    v, w = change(turned.inv().apply(v_parent), w, v_parent)
    random = np.random.default_rng(1)
    place = place + random.normal(0, noise, place.shape)
    q = (turned * Rotation.from_rotvec(random.normal(0, noise, place.shape))).as_quat()
    stamps = START_NS + np.round(t * NS).astype(np.int64)
    return TopicSeries("/odom", "/driver", "odom", "base_link", stamps, stamps, np.hstack([place, q, v, w]))


@pytest.mark.parametrize("noise", [0.0, 0.005])
def test_that_a_twist_that_is_the_motion_is_no_fault(noise):
    assert list(topic_faults(TopicContents(odometry=(odometry(noise=noise),)))) == []


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda v, w, v_parent: (0 * v, w), ": the velocity is zero in all messages"),
        (lambda v, w, v_parent: (v, 0 * w), ": the angular velocity is zero in all messages"),
        (lambda v, w, v_parent: (0 * v, 0 * w), ": the velocity and the angular velocity are zero in all messages"),
    ],
)
def test_that_a_twist_of_zeros_is_found_and_named(change, words):
    (fault,) = topic_faults(TopicContents(odometry=(odometry(change, noise=0.002),)))
    assert (fault.kind, fault.frame, fault.parent, fault.publishers) == ("twist", "base_link", "odom", ("/driver",))
    with pytest.raises(AssertionError, match=words):
        raise AssertionError(fault.cause)


@pytest.mark.parametrize(("frame", "child"), [("", ""), ("odom", ""), ("", "base_link"), ("odom", "base_link")])
def test_that_a_fault_of_a_twist_names_what_has_a_name(frame, child):
    whole = odometry(lambda v, w, v_parent: (0 * v, w))
    series = TopicSeries("/odometry", "", frame, child, whole.stamp_ns, whole.log_ns, whole.values)
    (fault,) = topic_faults(TopicContents(odometry=(series,)))
    assert fault.frame == (child or frame or "/odometry")
    assert "  " not in fault.cause
    assert " of in " not in fault.cause
    assert all(name in fault.cause for name in (frame, child, "/odometry"))


def test_that_a_robot_that_stands_has_no_wrong_twist():
    still = odometry()
    values = np.tile(still.values[:1], (len(still.values), 1))
    values[:, 7:] = 0.0
    standing = TopicSeries("/odom", "", "odom", "base_link", still.stamp_ns, still.log_ns, values)
    assert list(topic_faults(TopicContents(odometry=(standing,)))) == []


def readings(force: float, *, with_orientation: bool = True) -> TopicSeries:
    stamps = START_NS + np.arange(200) * NS // 100
    values = np.zeros((200, 10))
    values[:, 3] = 1.0 if with_orientation else np.nan
    values[:, :3] = 0.0 if with_orientation else np.nan
    values[:, 9] = force + np.random.default_rng(2).normal(0, 0.02 * force, 200)
    return TopicSeries("/imu", "", "imu", "", stamps, stamps, values)


def test_that_a_missing_orientation_is_noted():
    (fault,) = topic_faults(TopicContents(inertial=(readings(9.81, with_orientation=False),)))
    assert (fault.kind, fault.severity) == ("no orientation", "note")


def test_that_a_frame_that_nobody_sends_is_found():
    named = [NamedFrame("camera_optical", "/info", "", 1, 2, 30), NamedFrame("/imu", "/imu", "", 1, 2, 30)]
    (fault,) = missing_frames(named, ["camera", "imu", "base_link"])
    assert (fault.kind, fault.frame, fault.count) == ("frame missing", "camera_optical", 30)
    assert "does not exist" in fault.answer
    assert "camera" in fault.cause
    assert list(missing_frames(named, [])) == []


def stamped(kind: str, fields: dict, topic: str, frame: str, n: int = 40) -> list[Other]:
    """Return messages with a header, sent at 10 Hz."""
    header = {"header": ("header", frame)}
    return [Other(START_NS + i * NS // 10, topic, kind, header | fields, publisher="/sensor") for i in range(n)]


def scans(frame: str, topic: str = "/scan") -> list[Other]:
    numbers = ("angle_min", "angle_max", "angle_increment", "time_increment", "scan_time", "range_min", "range_max")
    arrays = {name: np.ones(9, np.float32) for name in ("ranges", "intensities")}
    return stamped("sensor_msgs/msg/LaserScan", {**dict.fromkeys(numbers, 0.1), **arrays}, topic, frame)


def images(frame: str, topic: str = "/image") -> list[Other]:
    size = {"height": 2, "width": 3, "step": 9, "encoding": "rgb8", "is_bigendian": 0}
    return stamped("sensor_msgs/msg/Image", {**size, "data": np.zeros(18, np.uint8)}, topic, frame)


@pytest.mark.parametrize("write", [write_ros1, write_ros2], ids=["ROS 1", "ROS 2"])
@pytest.mark.parametrize("readings", [scans, images])
def test_that_readings_of_a_sensor_in_a_frame_that_nobody_sends_are_reported_once_a_topic(write, readings, tmp_path):
    sent = [*drive(seconds=4.0), *readings("lidar_link", "/front"), *readings("lidar_link", "/back")]
    with open_bag(write(tmp_path / "drive.bag", [*sent, *readings("lidar", "/good")])) as bag:
        faults = [fault for _, fault in examine_bag(bag).faults]
    assert [(fault.kind, fault.frame, fault.count) for fault in faults] == [("frame missing", "lidar_link", 40)] * 2
    assert sorted(topic for topic in ("/front", "/back", "/good") for f in faults if topic in f.cause) == [
        "/back",
        "/front",
    ]
    assert all("The most similar frame is lidar." in fault.cause for fault in faults)
    assert all(fault.first_ns == START_NS for fault in faults)
    assert all(fault.last_ns == pytest.approx(START_NS + 3.9 * NS, abs=0.1 * NS) for fault in faults)


def test_that_frames_of_one_topic_are_all_looked_at(tmp_path):
    sonars = [*scans("sonar_left"), *scans("imu"), *scans("sonar_right")]
    with open_bag(write_ros1(tmp_path / "drive.bag", [*drive(seconds=4.0), *sonars])) as bag:
        faults = [fault for _, fault in examine_bag(bag).faults]
    assert sorted(fault.frame for fault in faults) == ["sonar_left", "sonar_right"]


def test_that_readings_of_sensors_in_frames_that_are_sent_are_no_fault(tmp_path):
    late = Sent(START_NS + 3 * NS, "base_link", "gripper_camera", (0.0, 0.0, 0.1), (0.0, 0.0, 0.0, 1.0), is_static=True)
    for i, frame in enumerate(["gripper_camera", "lidar", "/lidar", "map", ""]):
        sent = [*drive(seconds=4.0), late, *images(frame), *scans(frame)]
        with open_bag(write_ros1(tmp_path / f"drive{i}.bag", sent)) as bag:
            assert [f.kind for _, f in examine_bag(bag).faults if f.kind == "frame missing"] == [], frame


def test_that_readings_of_sensors_without_any_transform_are_no_fault(tmp_path):
    with open_bag(write_ros1(tmp_path / "sensors.bag", [*images("camera"), *scans("lidar")])) as bag:
        assert examine_bag(bag).faults == ()


def test_that_messages_that_are_damaged_are_counted_and_the_rest_is_looked_at(tmp_path):
    path = write_ros1(tmp_path / "drive.bag", drive(seconds=5.0))
    data = path.read_bytes()
    # The length of a name, in the middle of the bag, is made longer than its message.
    at = data.index(b"\x0a\x00\x00\x00wheel_left", len(data) // 2)
    path.write_bytes(data[:at] + b"\xff\xff\x00\x00" + data[at + 4 :])

    with open_bag(path) as bag:
        found = examine_bag(bag)

    assert found.faults == ()
    assert len(found.logs[""]) == len(drive(seconds=5.0)) - 1
    assert [text.partition(" (")[0] for text in found.damages] == ["/tf: 1 message is damaged and left out"]


@pytest.mark.parametrize("write", [write_ros1, write_ros2], ids=["ROS 1", "ROS 2"])
def test_that_a_whole_bag_is_looked_at(write, tmp_path):
    series = odometry(lambda v, w, v_parent: (0 * v, w))

    def message(i):
        p, q, v, w = np.split(series.values[i], [3, 7, 10])
        names = "geometry_msgs/msg/Vector3", "geometry_msgs/msg/Point", "geometry_msgs/msg/Quaternion"
        pose = (
            "geometry_msgs/msg/Pose",
            {
                "position": (names[1], dict(zip("xyz", map(float, p), strict=True))),
                "orientation": (names[2], dict(zip("xyzw", map(float, q), strict=True))),
            },
        )
        linear, angular = ((names[0], dict(zip("xyz", map(float, u), strict=True))) for u in (v, w))
        covariance = np.eye(6).ravel()
        return Other(
            int(series.stamp_ns[i]),
            "/odometry",
            "nav_msgs/msg/Odometry",
            {
                "header": ("header", "odom"),
                "child_frame_id": "hull",
                "pose": ("geometry_msgs/msg/PoseWithCovariance", {"pose": pose, "covariance": covariance}),
                "twist": (
                    "geometry_msgs/msg/TwistWithCovariance",
                    {
                        "twist": ("geometry_msgs/msg/Twist", {"linear": linear, "angular": angular}),
                        "covariance": covariance,
                    },
                ),
            },
        )

    sent = [*drive(seconds=20.0), *map(message, range(0, 801, 2))]
    with open_bag(write(tmp_path / "drive.bag", sent)) as bag:
        found = examine_bag(bag)

    assert list(found.logs) == [""]
    assert [(fault.kind, fault.frame) for _, fault in found.faults] == [("frame missing", "hull"), ("twist", "hull")]
    assert found.damages == ()

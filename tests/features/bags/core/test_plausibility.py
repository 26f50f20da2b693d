"""Numbers that no robot has: mounts far away, quaternions off unit length, impossible covariances, names doubled."""

import itertools
from dataclasses import replace

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from framescope.features.bags.core.autopsy.autopsy import examine
from framescope.features.bags.core.autopsy.bag_autopsy import examine_bag
from framescope.features.bags.core.autopsy.fixes import apply_change
from framescope.features.bags.core.bag_file import open_bag
from tests.features.bags.core.test_columns import random_fields
from tests.features.bags.core.test_header_frames import CONTAINERS, filled, types_of
from tests.features.bags.core.test_tf_autopsy import log_of
from tests.support.bags import NS, START_NS, Other, Sent, drive, two_robots, write_ros1

NO_TURN = (0.0, 0.0, 0.0, 1.0)


def mount(frame, p, parent="base_link") -> Sent:
    return Sent(START_NS, parent, frame, p, NO_TURN, is_static=True)


@pytest.mark.parametrize("place", [(250.0, 0.0, 180.0), (283.0, 0.0, 0.0), (0.0, 20.0, -150.0)])
def test_that_a_sensor_in_millimetres_is_told(place):
    (fault,) = examine(log_of([*drive(), mount("camera_left", place)]))
    assert (fault.kind, fault.severity, fault.frame, fault.parent) == ("far away", "amber", "camera_left", "base_link")
    assert f"send {', '.join(f'{x / 1e3:.4g}' for x in place)} if millimetres" in fault.cause


def test_that_a_joint_in_millimetres_is_told():
    turns = Rotation.from_euler("z", np.arange(200)[:, np.newaxis] * 0.05).as_quat()
    spindle = [
        Sent(START_NS + i * NS // 10, "base_link", "spindle", (250.0, 0.0, 180.0), q) for i, q in enumerate(turns)
    ]
    (fault,) = examine(log_of([*drive(), *spindle]))
    assert (fault.kind, fault.frame) == ("far away", "spindle")


@pytest.mark.parametrize(
    "healthy",
    [
        [mount("mast_top", (0.0, 0.0, 9.5))],
        [mount("station", (350.0, 20.0, 0.0), "map")],
        [mount("map", (4e6, 6e5, 400.0), "earth"), mount("gate", (700.0, 0.0, 0.0), "map")],
        [Sent(START_NS + i * NS // 10, "base_link", "person", (30.0 - 0.1 * i, 1.0, 0.0), NO_TURN) for i in range(200)],
    ],
    ids=["mast", "station", "earth", "detection"],
)
def test_that_what_may_be_far_away_is_no_fault(healthy):
    assert examine(log_of([*drive(), *healthy])) == ()


# --- Poses and covariances


def sent(kind, version, frame="map", n=10, **changes):
    random = np.random.default_rng(3)
    fields = random_fields(filled(types_of(version), kind, ("header", frame)), random)
    return [Other(START_NS + i * NS // 10, "/topic", kind, fields | changes) for i in range(n)]


def pose(q):
    point = ("geometry_msgs/msg/Point", {"x": 1.0, "y": 0.0, "z": 0.0})
    turn = ("geometry_msgs/msg/Quaternion", dict(zip("xyzw", map(float, q), strict=True)))
    return ("geometry_msgs/msg/Pose", {"position": point, "orientation": turn})


def with_covariance(q=NO_TURN, covariance=None):
    covariance = np.eye(6) if covariance is None else covariance
    return ("geometry_msgs/msg/PoseWithCovariance", {"pose": pose(q), "covariance": np.ravel(covariance)})


def faults_of(path):
    with open_bag(path) as bag:
        return [fault for _, fault in examine_bag(bag).faults]


@CONTAINERS
@pytest.mark.parametrize(
    ("q", "severity"), [((0, 0, 0.5, 0.5), "amber"), ((0, 0, 0, 1.02), "amber"), ((0, 0, 0, 0), "note"), (NO_TURN, "")]
)
def test_that_quaternions_of_poses_are_checked(write, version, q, severity, tmp_path):
    stamped = sent("geometry_msgs/msg/PoseStamped", version, pose=pose(q))
    stated = [
        replace(m, topic="/stated")
        for m in sent("geometry_msgs/msg/PoseWithCovarianceStamped", version, pose=with_covariance(q))
    ]
    faults = faults_of(write(tmp_path / "a.bag", [*drive(seconds=4.0), *stamped, *stated]))
    assert [(f.kind, f.severity, f.count) for f in faults] == (
        [("pose not unit", severity, 10)] * 2 if severity else []
    )
    assert all("10 quaternions of /" in f.cause for f in faults)


def symmetric(i, j, value):
    matrix = np.eye(6)
    matrix[i, j] = matrix[j, i] = value
    return matrix


@CONTAINERS
@pytest.mark.parametrize(
    ("covariance", "severity", "words"),
    [
        (np.eye(6), "", ""),
        (np.diag([1e-3, 1e-3, 0, 0, 0, 1e6]), "", ""),
        (symmetric(0, 5, 0.9), "", ""),
        (np.zeros((6, 6)), "note", "is zero"),
        (np.diag([-0.1, 1, 1, 1, 1, 1]), "amber", "variance -0.1 below zero"),
        (np.diag([-1.0, 1, 1, 1, 1, 1]), "amber", "marks a missing reading only in sensor_msgs/Imu"),
        (np.eye(6) + 0.3 * np.eye(6, k=1), "amber", "is not symmetric"),
        (symmetric(0, 5, 1.5), "amber", "correlations beyond 1"),
        (np.eye(6) * np.nan, "amber", "NaN"),
    ],
)
def test_that_covariances_of_poses_are_checked(write, version, covariance, severity, words, tmp_path):
    messages = sent("geometry_msgs/msg/PoseWithCovarianceStamped", version, pose=with_covariance(covariance=covariance))
    faults = faults_of(write(tmp_path / "a.bag", [*drive(seconds=4.0), *messages]))
    assert [(f.kind, f.severity) for f in faults] == ([("covariance", severity)] if severity else [])
    assert all(words in f.cause and "/topic" in f.cause for f in faults)


@pytest.mark.parametrize(
    ("rates", "told"),
    [
        (np.zeros(9), False),
        (np.array([-1.0, *[0.0] * 8]), False),
        (np.diag([1e-4, -1e-4, 1e-4]).ravel(), True),
        (np.diag([1e-4, 1e-4, 1e-4]).ravel(), False),
    ],
)
def test_that_covariances_of_inertial_readings_are_checked(rates, told, tmp_path):
    good = np.eye(3).ravel()
    changes = {
        "orientation": ("geometry_msgs/msg/Quaternion", dict(zip("xyzw", NO_TURN, strict=True))),
        "linear_acceleration": ("geometry_msgs/msg/Vector3", {"x": 0.0, "y": 0.0, "z": 9.81}),
        "orientation_covariance": good,
        "linear_acceleration_covariance": good,
        "angular_velocity_covariance": rates,
    }
    messages = sent("sensor_msgs/msg/Imu", 1, "imu", **changes)
    faults = faults_of(write_ros1(tmp_path / "a.bag", [*drive(seconds=4.0), *messages]))
    assert [f.kind for f in faults] == (["covariance"] if told else [])


@pytest.mark.parametrize(("is_marked", "varies"), [(True, True), (True, False), (False, True), (True, float("nan"))])
def test_that_readings_that_are_marked_as_missing_but_sent_are_told(is_marked, varies, tmp_path):
    mark = np.array([-1.0, *[0.0] * 8]) if is_marked else np.eye(3).ravel()
    messages = [
        replace(
            message,
            fields={
                **message.fields,
                "linear_acceleration": ("geometry_msgs/msg/Vector3", {"x": 0.1 * i * varies, "y": 0.0, "z": 9.81}),
                "linear_acceleration_covariance": mark,
                "orientation_covariance": np.array([-1.0, *[0.0] * 8]),
                "angular_velocity_covariance": np.eye(3).ravel(),
            },
        )
        for i, message in enumerate(sent("sensor_msgs/msg/Imu", 1, "imu"))
    ]
    faults = faults_of(write_ros1(tmp_path / "a.bag", [*drive(seconds=4.0), *messages]))
    told = [fault for fault in faults if fault.kind == "covariance"]
    assert len(told) == (is_marked and varies is True)
    assert all("Accelerations of /topic" in fault.cause and fault.severity == "amber" for fault in told)


# --- One frame under two names


def test_that_a_frame_with_a_namespace_is_the_one_without_it():
    shell = [mount("shell_link", (0, 0, 0.1)), mount("rplidar_link", (0, 0, 0.1), "turtlebot4/shell_link")]
    log = log_of([*drive(), *shell])
    (fault,) = examine(log)
    assert (fault.kind, fault.frame, fault.parent) == ("similar name", "turtlebot4/shell_link", "shell_link")
    assert "only one has a namespace" in fault.cause
    assert fault.fix is not None
    mended = apply_change(log, fault.fix.change)
    assert examine(mended) == ()
    assert "turtlebot4/shell_link" not in mended.names


def test_that_a_second_robot_is_not_the_first_one():
    faults = examine(log_of(two_robots()))
    assert [(fault.kind, fault.frame) for fault in faults] == [("trees apart", "b/odom")]


@pytest.mark.parametrize(
    ("kept", "lost", "edge"),
    [
        (("map", "odom", "base_footprint"), ("base_link", "lidar_link"), "base_link in base_footprint"),
        (("map", "odom"), ("base_link", "lidar_link"), "base_link in odom"),
        (("map", "odom"), ("base_footprint", "base_link", "lidar_link", "lens"), "base_footprint in odom"),
        (("map", "odom"), ("robot_base", "mast", "lidar_link"), "robot_base in odom"),
        (("world", "robot_base", "mast"), ("map", "odom"), "world in odom"),
    ],
)
def test_that_the_missing_transform_is_that_of_the_nearest_frame_above(kept, lost, edge):
    edges = [pair for chain in (kept, lost) for pair in itertools.pairwise(chain)]
    sent = [Sent(START_NS + i * NS // 20, *pair, (0.1, i * 0.01, 0), NO_TURN) for pair in edges for i in range(40)]
    (fault,) = examine(log_of(sent))
    assert fault.kind == "trees apart"
    assert f"The missing transform is probably {edge}." in fault.cause


def prefixed(prefix: str, child: str = "base_link") -> list[Sent]:
    """Return the transforms of a robot_state_publisher with a prefix of frames, beside odometry without one."""
    wheel = [
        Sent(m.stamp_ns, f"{prefix}{child}", f"{prefix}caster", (0, 0.1, 0), m.quaternion)
        for m in drive()
        if isinstance(m, Sent) and m.child == "wheel_left"
    ]
    return [*wheel, mount(f"{prefix}shell_link", (0, 0, 0.1), f"{prefix}{child}")]


@pytest.mark.parametrize("prefix", ["turtlebot4/", "turtlebot4/turtlebot4/"])
def test_that_a_robot_whose_links_have_a_prefix_is_no_second_robot(prefix):
    log = log_of([*drive(), *prefixed(prefix)])
    (fault,) = examine(log)
    assert (fault.kind, fault.frame, fault.parent) == ("similar name", f"{prefix}base_link", "base_link")
    assert fault.fix is not None
    assert fault.fix.change.kind == "take name"
    assert examine(apply_change(log, fault.fix.change)) == ()


def test_that_a_prefix_that_is_doubled_is_the_single_one():
    with_prefix = [
        replace(m, parent=f"robot1/{m.parent}", child=f"robot1/{m.child}") for m in drive() if isinstance(m, Sent)
    ]
    log = log_of([*with_prefix, mount("rplidar_link", (0, 0, 0.1), "robot1/robot1/base_link")])
    (fault,) = examine(log)
    assert (fault.frame, fault.parent) == ("robot1/robot1/base_link", "robot1/base_link")
    assert fault.fix is not None
    assert not any("robot1/robot1" in name for name in apply_change(log, fault.fix.change).names)


def test_that_a_frame_sent_under_two_names_is_a_note_without_a_second_frame():
    twins = [mount("shell_link", (0, 0, 0.1)), mount("turtlebot4/shell_link", (0, 0, 0.1))]
    laser = mount("rplidar_link", (0, 0, 0.1), "turtlebot4/shell_link")
    (fault,) = examine(log_of([*drive(), *twins, laser]))
    assert (fault.kind, fault.severity, fault.frame) == ("similar name", "note", "shell_link")
    assert "one frame under two names" in fault.cause
    assert fault.fix is None
    apart = [mount("shell_link", (0, 0, 0.1)), mount("turtlebot4/shell_link", (0, 0, 0.2))]
    assert examine(log_of([*drive(), *apart])) == ()
    others = [mount("left/lens", (0, 0, 0.1)), mount("right/lens", (0, 0, 0.1))]
    assert examine(log_of([*drive(), *others])) == ()


@pytest.mark.parametrize("bad", ["Lidar_Top", "lidar-top"])
def test_that_two_spellings_of_one_place_are_a_note(bad):
    twins = [mount(bad, (0, 0, 0.3)), mount("lidar_top", (0, 0, 0.3))]
    (fault,) = examine(log_of([*drive(), *twins]))
    assert (fault.kind, fault.severity, fault.frame, fault.parent) == ("similar name", "note", bad, "lidar_top")
    assert "whose spelling differs" in fault.cause
    apart = [mount(bad, (0, 0, 0.3)), mount("lidar_top", (0, 0, 0.4))]
    assert examine(log_of([*drive(), *apart])) == ()

"""Readings of the sensors in a bag: their numbers, frames, times and names, from any container."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from framescope.features.bags.core.bag_file import open_bag
from framescope.features.evidence.core.bag_log import sensor_log
from framescope.features.evidence.core.readings import WIDTHS
from tests.features.bags.core.test_header_frames import CONTAINERS, filled, types_of
from tests.support.bags import NS, START_NS, Other, Sent, drive, write_ros1, write_ros2

NO_TURN = (0.0, 0.0, 0.0, 1.0)


def vector(kind, *numbers):
    return f"geometry_msgs/msg/{kind}", dict(zip("xyzw", map(float, numbers), strict=False))


def sent(kind, version, frame, fields_at, topic, n=40, hz=20, **changes) -> list[Other]:
    """Return messages of a type, whose fields at each time are those of `fields_at`."""
    return [
        Other(
            START_NS + round(i / hz * NS),
            topic,
            kind,
            filled(types_of(version), kind, ("header", frame)) | changes | fields_at(i / hz),
            log_ns=START_NS + round((i / hz + 0.01) * NS),
        )
        for i in range(n)
    ]


def imu_at(t):
    q = Rotation.from_euler("z", 0.3 * t).as_quat()
    return {
        "orientation": vector("Quaternion", *q),
        "angular_velocity": vector("Vector3", 0, 0, 0.3),
        "linear_acceleration": vector("Vector3", 0.1, 0, 9.81),
        "angular_velocity_covariance": np.diag([1e-4, 2e-4, 3e-4]).ravel(),
    }


def odometry_at(t):
    pose = (
        "geometry_msgs/msg/Pose",
        {"position": vector("Point", t, 0, 0), "orientation": vector("Quaternion", *NO_TURN)},
    )
    twist = ("geometry_msgs/msg/Twist", {"linear": vector("Vector3", 1, 0, 0), "angular": vector("Vector3", 0, 0, 0.1)})
    covariance = np.diag([1.0, 2, 3, 4, 5, 6]).ravel()
    return {
        "child_frame_id": "base_link",
        "pose": ("geometry_msgs/msg/PoseWithCovariance", {"pose": pose, "covariance": covariance}),
        "twist": ("geometry_msgs/msg/TwistWithCovariance", {"twist": twist, "covariance": covariance}),
    }


def log_of(path):
    with open_bag(path) as bag:
        return sensor_log(bag)


def by_name(log):
    return {readings.name: readings for readings in log.readings}


@CONTAINERS
def test_that_every_sensor_is_read_with_its_frames(write, version, tmp_path):
    field = {"magnetic_field": vector("Vector3", 2e-5, 0, -4e-5)}
    twist = {"twist": odometry_at(0.0)["twist"][1]["twist"]}
    at = lambda fields: lambda t: fields  # noqa: E731
    messages = [
        *sent("sensor_msgs/msg/Imu", version, "/imu", imu_at, "/imu/data"),
        *sent("sensor_msgs/msg/MagneticField", version, "mag", at(field), "/imu/mag"),
        *sent("nav_msgs/msg/Odometry", version, "odom", odometry_at, "/odom"),
        *sent("geometry_msgs/msg/TwistStamped", version, "base_link", at(twist), "/speed"),
        *sent(
            "geometry_msgs/msg/PoseStamped",
            version,
            "map",
            lambda t: {"pose": odometry_at(t)["pose"][1]["pose"]},
            "/mocap",
        ),
    ]
    log = log_of(write(tmp_path / "a.bag", messages))
    readings = by_name(log)
    assert {name: (r.frame, r.reference, r.resolved_in) for name, r in readings.items()} == {
        "orientation of /imu/data": ("imu", "", ""),
        "angular velocity of /imu/data": ("imu", "", ""),
        "specific force of /imu/data": ("imu", "", ""),
        "magnetic field of /imu/mag": ("mag", "", ""),
        "position of /odom": ("base_link", "odom", ""),
        "orientation of /odom": ("base_link", "odom", ""),
        "velocity of /odom": ("base_link", "odom", "base_link"),
        "angular velocity of /odom": ("base_link", "odom", ""),
        "velocity of /speed": ("base_link", "", "base_link"),
        "angular velocity of /speed": ("base_link", "", ""),
        "position of /mocap": ("", "map", ""),
        "orientation of /mocap": ("", "map", ""),
    }
    for r in readings.values():
        assert r.values.shape == (40, WIDTHS[r.quantity])
        assert np.allclose(r.t, np.arange(40) / 20)
        assert np.allclose(r.received, np.arange(40) / 20)
    assert np.allclose(readings["position of /odom"].values[:, 0], np.arange(40) / 20)
    last = Rotation.from_quat(readings["orientation of /imu/data"].values[-1])
    assert last.as_euler("xyz") == pytest.approx([0.0, 0.0, 0.3 * 39 / 20])
    assert np.allclose(readings["magnetic field of /imu/mag"].values, [2e-5, 0, -4e-5])
    assert np.allclose(readings["angular velocity of /imu/data"].covariance, np.diag([1e-4, 2e-4, 3e-4]))
    assert readings["specific force of /imu/data"].covariance is None
    assert np.allclose(readings["position of /odom"].covariance, np.diag([1, 2, 3]))
    assert np.allclose(readings["angular velocity of /odom"].covariance, np.diag([4, 5, 6]))


def test_that_missing_readings_of_an_inertial_unit_are_left_out(tmp_path):
    marked = {"orientation_covariance": np.array([-1.0, *[0.0] * 8])}
    log = log_of(
        write_ros1(tmp_path / "a.bag", sent("sensor_msgs/msg/Imu", 1, "imu", lambda t: imu_at(t) | marked, "/imu"))
    )
    assert set(by_name(log)) == {"angular velocity of /imu", "specific force of /imu"}
    nothing = {"orientation": vector("Quaternion", 0, 0, 0, 0), "angular_velocity": vector("Vector3", 0, 0, 0)}
    log = log_of(
        write_ros1(tmp_path / "b.bag", sent("sensor_msgs/msg/Imu", 1, "imu", lambda t: imu_at(t) | nothing, "/imu"))
    )
    assert set(by_name(log)) == {"specific force of /imu"}


def test_that_fixes_of_satellites_are_east_north_and_up_of_the_first(tmp_path):
    def at(t):
        status = ("sensor_msgs/msg/NavSatStatus", {"status": -1 if t < 0.2 else 0, "service": 1})
        place = {"latitude": 48.0 + 1e-5 * (t - 0.2), "longitude": 11.0 + 2e-5 * (t - 0.2), "altitude": 500.0 + t - 0.2}
        return {"status": status, **place, "position_covariance": np.eye(3).ravel(), "position_covariance_type": 2}

    (readings,) = log_of(
        write_ros1(tmp_path / "a.bag", sent("sensor_msgs/msg/NavSatFix", 1, "gps", at, "/fix"))
    ).readings
    assert (readings.name, readings.frame, readings.quantity) == ("position of /fix", "gps", "position")
    assert len(readings.t) == 36
    assert np.allclose(readings.values[0], 0.0)
    t = readings.t[-1] - readings.t[0]
    # Radii of curvature at 48 degrees: 6,372.9 km along the meridian, 6,389.9 km across.
    across = np.radians(2e-5 * t) * 6_390_313.0 * np.cos(np.radians(48.0))
    assert np.allclose(readings.values[-1], [across, np.radians(1e-5 * t) * 6_370_707.0, t], rtol=1e-3)
    assert np.allclose(readings.covariance, np.eye(3))


def test_that_transforms_are_poses_of_moving_frames_and_mounts_of_fixed_ones(tmp_path):
    turn, place = Rotation.from_euler("xyz", [0.3, -0.2, 1.0]), np.array([0.1, 0.2, 0.3])
    static = [
        Sent(
            START_NS, "base_link", "plate", (0, 0, 0.5), tuple(Rotation.from_euler("z", 0.5).as_quat()), is_static=True
        ),
        Sent(START_NS, "plate", "imu_link", place, tuple(turn.as_quat()), is_static=True),
        Sent(START_NS, "plate", "lamp", place, NO_TURN, is_static=True),
    ]
    log = log_of(
        write_ros1(
            tmp_path / "a.bag",
            [*drive(seconds=4.0), *static, *sent("sensor_msgs/msg/Imu", 1, "imu_link", imu_at, "/imu")],
        )
    )
    poses = [r for r in log.readings if r.source == "/tf"]
    assert [(r.name, r.frame, r.reference) for r in poses] == [
        (f"{quantity} of base_link in /tf", "base_link", "odom") for quantity in ("position", "orientation")
    ]
    assert [len(r.t) for r in poses] == [80, 80]
    (mount,) = log.mounts
    assert (mount.parent, mount.frame, mount.source) == ("base_link", "imu_link", "/tf_static")
    whole = Rotation.from_euler("z", 0.5)
    assert np.allclose(mount.p, np.array([0, 0, 0.5]) + whole.apply(place))
    assert (Rotation.from_quat(mount.Q).inv() * whole * turn).magnitude() < 1e-12


def test_that_a_fixed_frame_on_tf_is_a_mount(tmp_path):
    on_tf = [Sent(START_NS + i * NS // 10, "base_link", "imu_link", (0.1, 0, 0), NO_TURN) for i in range(40)]
    log = log_of(
        write_ros1(
            tmp_path / "a.bag",
            [*drive(seconds=4.0), *on_tf, *sent("sensor_msgs/msg/Imu", 1, "imu_link", imu_at, "/imu")],
        )
    )
    assert [(m.parent, m.frame) for m in log.mounts] == [("base_link", "imu_link")]
    assert "imu_link" not in {r.frame for r in log.readings if r.source == "/tf"}


def test_that_an_arm_that_carries_a_sensor_is_read_down_to_it(tmp_path):
    on_wheel = Sent(START_NS, "wheel_left", "imu_link", (0.1, 0, 0), NO_TURN, is_static=True)
    log = log_of(
        write_ros1(
            tmp_path / "a.bag",
            [*drive(seconds=4.0), on_wheel, *sent("sensor_msgs/msg/Imu", 1, "imu_link", imu_at, "/imu")],
        )
    )
    assert {r.frame for r in log.readings if r.source == "/tf"} == {"base_link", "wheel_left"}
    assert {(m.parent, m.frame) for m in log.mounts} == {("wheel_left", "imu_link")}


def test_that_times_of_a_topic_increase_and_runs_are_not_mixed(tmp_path):
    messages = sent("sensor_msgs/msg/Imu", 1, "imu", imu_at, "/imu")
    again = [replace(m, log_ns=m.log_ns + 5 * NS) for m in messages[:20]]
    swapped = [replace(m, log_ns=m.log_ns + (60_000_000 if i == 7 else 0)) for i, m in enumerate(messages)]
    twice = [messages[3]]
    for r in log_of(write_ros1(tmp_path / "a.bag", [*swapped, *again, *twice])).readings:
        assert (np.diff(r.t) > 0).all()
        assert len(r.t) == 40


@pytest.mark.parametrize("since_boot", [0, 7])
def test_that_stamps_since_a_start_are_those_of_the_other_clock(since_boot, tmp_path):
    imu = sent("sensor_msgs/msg/Imu", 1, "imu", imu_at, "/imu")
    imu = [replace(m, stamp_ns=m.stamp_ns - START_NS + NS) if i >= since_boot else m for i, m in enumerate(imu)]
    log = log_of(
        write_ros1(tmp_path / "a.bag", [*imu, *sent("nav_msgs/msg/Odometry", 1, "odom", odometry_at, "/odom")])
    )
    for r in log.readings:
        assert (r.t.min() >= 0.0) & (r.t.max() < 3.0)
        assert r.is_stamped == (r.source == "/odom")
        if r.source == "/imu":
            assert np.allclose(r.t, np.arange(since_boot, 40) / 20, atol=1e-6)


def test_that_a_clock_that_is_set_begins_another_run(tmp_path):
    imu = sent("sensor_msgs/msg/Imu", 1, "imu", imu_at, "/imu")
    imu = [replace(m, stamp_ns=NS + i * NS // 20) if i < 6 else m for i, m in enumerate(imu)]
    for r in log_of(write_ros1(tmp_path / "a.bag", imu)).readings:
        assert len(r.t) == 34
        assert r.t.max() < 3.0


def test_that_stamps_of_zero_are_replaced_and_commands_and_goals_are_left_out(tmp_path):
    zero = [replace(m, stamp_ns=0) for m in sent("sensor_msgs/msg/Imu", 1, "imu", imu_at, "/imu")]
    goals = sent("geometry_msgs/msg/PoseStamped", 1, "map", lambda t: {}, "/goal", n=2)
    command = sent("geometry_msgs/msg/Twist", 1, "", lambda t: {"linear": vector("Vector3", 1, 0, 0)}, "/cmd_vel")
    asked = sent("geometry_msgs/msg/PoseStamped", 1, "map", lambda t: {}, "/mavros/setpoint_position/local")
    placed = sent("geometry_msgs/msg/TransformStamped", 1, "map", lambda t: {}, "/desired/transform")
    log = log_of(write_ros1(tmp_path / "a.bag", [*zero, *goals, *command, *asked, *placed]))
    assert {r.source for r in log.readings} == {"/imu"}
    assert np.allclose(log.readings[0].t, np.arange(40) / 20)
    assert not any(r.is_stamped for r in log.readings)


def test_that_names_differ_where_several_senders_share_a_topic(tmp_path):
    left, right = (sent("sensor_msgs/msg/Imu", 1, frame, imu_at, "/imu") for frame in ("left", "right"))
    other = [replace(m, publisher="/other") for m in left]
    names = [r.name for r in log_of(write_ros1(tmp_path / "a.bag", [*left, *right, *other])).readings]
    assert len(names) == len(set(names)) == 9
    assert any("(right)" in name for name in names)


@pytest.mark.parametrize("numbers", [np.nan, np.inf, 1e300, 0.0])
def test_that_hostile_numbers_are_no_error(numbers, tmp_path):
    def at(t):
        bad = vector("Quaternion", *[numbers] * 4)
        force = vector("Vector3", *[numbers] * 3)
        return {"orientation": bad, "angular_velocity": force, "linear_acceleration": force}

    log = log_of(write_ros1(tmp_path / "a.bag", sent("sensor_msgs/msg/Imu", 1, "imu", at, "/imu")))
    assert all((np.diff(r.t) > 0).all() for r in log.readings)


def test_that_an_empty_bag_has_no_readings(tmp_path):
    log = log_of(write_ros2(tmp_path / "a.bag", []))
    assert (log.readings, log.mounts) == ((), ())

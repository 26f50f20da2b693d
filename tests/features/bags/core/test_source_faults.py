"""Two sources of one relation: two publishers, and odometry beside transforms."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from framescope.features.bags.core.autopsy.autopsy import examine
from framescope.features.bags.core.autopsy.bag_autopsy import examine_bag
from framescope.features.bags.core.autopsy.source_faults import odometry_faults
from framescope.features.bags.core.autopsy.tree_faults import joined_by_odometry
from framescope.features.bags.core.bag_file import open_bag
from framescope.features.bags.core.topic_series import TopicSeries
from tests.features.bags.core.test_tf_autopsy import log_of
from tests.support.bags import NS, START_NS, Sent, drive, write_ros1, write_ros2

NO_TURN = (0.0, 0.0, 0.0, 1.0)


def moved_by(each: Sent, x: float, yaw: float, publisher: str) -> Sent:
    turned = Rotation.from_euler("z", yaw) * Rotation.from_quat(each.quaternion)
    place = np.add(each.position, (x, 0.0, 0.0))
    return replace(each, position=place, quaternion=turned.as_quat(), publisher=publisher)


def second_publisher(sent, *, every=1, shift_ns=3_000_000, x=0.4, yaw=0.1, publisher="/ekf"):
    mine = [each for each in sent if each.child == "base_link"][::every]
    return [moved_by(replace(e, stamp_ns=e.stamp_ns + shift_ns), x, yaw, publisher) for e in mine]


@pytest.mark.parametrize("write", [write_ros1, write_ros2], ids=["ROS 1", "ROS 2"])
@pytest.mark.parametrize(("every", "shift_ns"), [(1, 3_000_000), (2, 3_000_000), (3, 20_000_000), (1, 0)])
def test_that_two_publishers_of_one_frame_are_told_once(write, every, shift_ns, tmp_path):
    sent = drive()
    second = second_publisher(sent, every=every, shift_ns=shift_ns)
    second = [replace(e, log_ns=e.received_ns + 1_000_000) for e in second]
    with open_bag(write(tmp_path / "drive.bag", [*sent, *second])) as bag:
        ((_, fault),) = examine_bag(bag).faults
    assert (fault.kind, fault.frame, fault.parent) == ("two sources", "base_link", "odom")
    assert "by up to 0.4" in fault.cause
    assert ("/driver and /ekf" in fault.cause) == (write is write_ros1)
    assert "publish_tf" in fault.cause
    assert ("ros2 topic info" in fault.cause) == (write is write_ros2)


def test_that_the_rarer_publisher_can_be_left_out():
    sent = drive()
    (fault,) = examine(log_of([*sent, *second_publisher(sent, every=2)]))
    assert fault.fix is not None
    assert fault.fix.text == "Leave out base_link by /ekf"


@pytest.mark.parametrize("noise", [0.0, 0.01])
def test_that_two_publishers_of_the_same_pose_are_no_fault(noise):
    sent = drive()
    random = np.random.default_rng(1)
    again = [
        replace(e, position=np.add(e.position, random.normal(0, noise, 3)))
        for e in second_publisher(sent, x=0.0, yaw=0.0, every=2)
    ]
    assert [f.kind for f in examine(log_of([*sent, *again])) if f.severity == "red"] == []


@pytest.mark.parametrize("step", [0.3, 0.9, 1.4])
@pytest.mark.parametrize("publisher", ["", "/wiper"])
def test_that_a_frame_that_turns_over_and_over_has_one_source(step, publisher):
    swing = Rotation.from_euler("x", np.sin(np.arange(200) * step)[:, np.newaxis]).as_quat()
    wiper = [
        Sent(START_NS + i * NS // 10, "base_link", "wiper", (0.0, 0.0, 0.3), q, publisher=publisher)
        for i, q in enumerate(swing)
    ]
    assert examine(log_of([*drive(), *wiper])) == ()


# --- Odometry beside transforms


def path(seconds=20.0, hz=20.0, straight=False):
    t = np.arange(0.0, seconds, 1.0 / hz)
    heading = np.where((t > 8.0) & (t < 14.0), 0.3 * (t - 8.0), np.where(t >= 14.0, 1.8, 0.0)) if straight else 0.3 * t
    v = np.stack([np.cos(heading), np.sin(heading), 0 * t], axis=1) * 0.6
    place = np.concatenate([np.zeros((1, 3)), np.cumsum(0.5 * (v[1:] + v[:-1]) / hz, axis=0)])
    return t, place, Rotation.from_euler("z", heading[:, np.newaxis]), v


def odometry(change=None, *, offset=(0.0, 0.0), noise=0.0, slip=1.0, names=("odom", "base_link")) -> TopicSeries:
    """Return odometry along `path`, in another start pose and with noise; `change` makes its misreading."""
    t, place, turned, _ = path()
    random = np.random.default_rng(1)
    start = Rotation.from_euler("z", offset[1])
    p = start.apply(place * slip) + np.array([offset[0], 0.0, 0.0]) + random.normal(0.0, noise, place.shape)
    R = start * turned * Rotation.from_rotvec(random.normal(0.0, noise, place.shape) * (0, 0, 1))
    p, q = (p, R.as_quat()) if change is None else change(p, R)
    stamps = START_NS + np.round(t * NS).astype(np.int64)
    return TopicSeries("/wheels/odom", "/wheels", *names, stamps, stamps, np.hstack([p, q, np.zeros((len(t), 6))]))


def tf_log(scale=1.0, *, inverted=False):
    t, place, turned, _ = path()
    sent = []
    for i, at in enumerate(t):
        p, R = place[i] * scale, turned[i]
        p, R = (-R.inv().apply(p), R.inv()) if inverted else (p, R)
        names = ("base_link", "odom") if inverted else ("odom", "base_link")
        sent.append(Sent(START_NS + round(at * NS), *names, p, R.as_quat()))
    return log_of(sent)


MISREADINGS = {
    "1,000 times .* /wheels/odom|/wheels/odom are 1,000 times": lambda p, R: (1e3 * p, R.as_quat()),
    "w x y z in the fields x y z w": lambda p, R: (p, R.as_quat()[:, [3, 0, 1, 2]]),
    "opposite sign .yaw": lambda p, R: (p, R.inv().as_quat()),
    "parent and child are swapped": lambda p, R: (-R.inv().apply(p), R.inv().as_quat()),
}


@pytest.mark.parametrize("words", MISREADINGS)
@pytest.mark.parametrize(("offset", "noise"), [((0.0, 0.0), 0.0), ((3.0, 1.2), 0.001)])
def test_that_odometry_is_laid_against_the_transforms(words, offset, noise):
    (fault,) = odometry_faults([odometry(MISREADINGS[words], offset=offset, noise=noise)], [tf_log()])
    assert (fault.kind, fault.frame, fault.parent, fault.publishers) == (
        "odometry differs",
        "base_link",
        "odom",
        ("/wheels",),
    )
    with pytest.raises(AssertionError, match=words):
        raise AssertionError(fault.cause)


def test_that_two_faults_at_once_are_both_told():
    both = odometry(lambda p, R: (1e3 * p, R.as_quat()[:, [3, 0, 1, 2]]))
    (fault,) = odometry_faults([both], [tf_log()])
    assert "millimetres" in fault.cause
    assert "w x y z" in fault.cause


def test_that_the_transform_in_millimetres_is_blamed():
    (fault,) = odometry_faults([odometry()], [tf_log(1e3)])
    assert "the positions of the transform are 1,000 times" in fault.cause


@pytest.mark.parametrize(
    "healthy",
    [
        odometry(),
        odometry(offset=(5.0, 2.0)),
        odometry(noise=0.005),
        odometry(slip=1.15),
        odometry(names=("odom", "base_footprint")),
        odometry(names=("", "")),
        odometry(lambda p, R: (p, 0.0 * R.as_quat())),
        odometry(lambda p, R: (p * np.nan, R.as_quat())),
    ],
    ids=["same", "other start", "noise", "slip", "unknown frame", "no names", "zeros", "NaN"],
)
def test_that_healthy_odometry_is_no_fault(healthy):
    assert list(odometry_faults([healthy], [tf_log()])) == []


def test_that_a_tree_that_is_turned_over_is_no_fault():
    assert list(odometry_faults([odometry()], [tf_log(inverted=True)])) == []


def test_that_odometry_of_a_robot_that_stands_is_no_fault():
    still = odometry(lambda p, R: (0.0 * p + 1.0, np.tile(NO_TURN, (len(p), 1))))
    assert list(odometry_faults([still], [tf_log(0.0)])) == []


def test_that_odometry_reaches_its_frame_over_static_transforms():
    t, place, turned, _ = path()
    sent = [
        Sent(START_NS + round(at * NS), "odom", "footprint", place[i], turned[i].as_quat()) for i, at in enumerate(t)
    ]
    sent.append(Sent(START_NS, "footprint", "base_link", (0.0, 0.0, 0.2), NO_TURN, is_static=True))
    log = log_of(sent)
    assert list(odometry_faults([odometry()], [log])) == []
    (fault,) = odometry_faults([odometry(lambda p, R: (1e3 * p, R.as_quat()))], [log])
    assert "millimetres" in fault.cause


@pytest.mark.parametrize(
    ("names", "severity"),
    [(("map", "base_link"), "amber"), (("/map", "base_link"), "amber"), (("map", "odom"), "red"), (("", ""), "red")],
)
def test_that_odometry_between_unconnected_trees_is_named_at_them(names, severity):
    sent = [
        Sent(START_NS + i * NS // 10, parent, child, (0.1 * i, 0.0, 0.0), NO_TURN)
        for i in range(40)
        for parent, child in (("map", "odom"), ("base_link", "wheel"))
    ]
    log = log_of(sent)
    (fault,) = (fault for fault in examine(log) if fault.kind == "trees apart")
    told = joined_by_odometry(fault, log, [odometry(names=names)])
    assert told.severity == severity
    assert ("/wheels/odom has the pose of base_link in map, but /wheels does not send" in told.cause) == (
        severity == "amber"
    )

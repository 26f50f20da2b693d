"""The autopsy finds each planted fault, with the right frame and time, names no other, and is silent when healthy."""

import numpy as np
import pytest

from framescope.features.bags.core.autopsy.autopsy import examine
from framescope.features.bags.core.autopsy.fault import TITLES
from framescope.features.bags.core.autopsy.fixes import apply_change
from framescope.features.bags.core.bag_file import open_bag
from framescope.features.bags.core.tf_log import TfLog, read_tf
from tests.support.bags import NS, START_NS, Sent, drive, in_order, write_foxglove, write_ros1, write_ros2
from tests.support.planted_bags import FAULTS, healthy

SEEDS = 3
PAIRS = 25


def log_of(sent: list[Sent]) -> TfLog:
    """Return the log of what was sent, without a file."""
    sent = in_order(sent)
    names: dict[str, int] = {}
    topics: dict[str, int] = {}
    publishers: dict[str, int] = {}

    def number(of: dict[str, int], name: str) -> int:
        return of.setdefault(name, len(of))

    numbers = np.array(
        [
            (number(names, e.parent), number(names, e.child), number(topics, e.on), number(publishers, e.publisher))
            for e in sent
        ]
    )
    return TfLog(
        *(tuple(names), tuple(topics), tuple(publishers)),
        *(np.array([e.stamp_ns for e in sent]), np.array([e.received_ns for e in sent])),
        *numbers.T,
        np.array([e.is_static for e in sent]),
        np.array([e.position for e in sent], float),
        np.array([e.quaternion for e in sent], float),
    )


def planted(name: str, seed: int):
    random = np.random.default_rng([seed, *name.encode()])
    return FAULTS[name](random, healthy(random))


@pytest.mark.fuzz
def test_that_a_healthy_recording_has_no_fault():
    for seed in range(5 * SEEDS):
        faults = examine(log_of(healthy(np.random.default_rng(seed))))
        assert faults == (), (seed, [(fault.kind, fault.frame, fault.cause) for fault in faults])


@pytest.mark.fuzz
@pytest.mark.parametrize("name", FAULTS)
def test_that_a_planted_fault_is_found_and_no_other(name):
    for seed in range(SEEDS):
        truth = planted(name, seed)
        (fault,) = examine(log_of(truth.sent))
        assert (fault.kind, fault.frame) == (truth.kind, truth.frame)
        if truth.first_ns is not None:
            assert abs(fault.first_ns - truth.first_ns) <= 2_000_000
        assert fault.frame in fault.cause
        assert fault.title == TITLES[fault.kind]


@pytest.mark.fuzz
def test_that_two_faults_in_two_frames_are_both_found():
    # A loop whose names are spelt otherwise is none, one that two parents close is two, and what is apart has no frame.
    names = [name for name in FAULTS if name not in ("loop", "other_case", "apart")]
    wrong = []
    for seed in range(PAIRS):
        random = np.random.default_rng([7, seed])
        first, second = random.choice(names, 2, replace=False)
        one = FAULTS[first](random, healthy(random))
        two = FAULTS[second](random, in_order(one.sent))
        if one.frame == two.frame:
            continue
        found = {(fault.kind, fault.frame) for fault in examine(log_of(two.sent))}
        if found != {(one.kind, one.frame), (two.kind, two.frame)}:
            wrong.append((seed, first, second, found))
    assert wrong == []


@pytest.mark.fuzz
def test_that_a_mend_leaves_a_log_without_a_fault():
    mended_kinds = set()
    for name in FAULTS:
        log = log_of(planted(name, 2).sent)
        (fault,) = examine(log)
        if fault.fix is not None:
            mended_kinds.add(fault.kind)
            assert examine(apply_change(log, fault.fix.change)) == ()
    assert mended_kinds >= {
        *("two parents", "loop", "similar name", "static changed", "backward stamp", "future stamp"),
        *("not unit", "nearly unit", "outlier"),
    }


def test_that_a_mend_that_makes_another_fault_is_not_given():
    # The arm alone joins the sun to the rest.
    sent = drive(seconds=10.0)
    for i in range(100):
        parent, publisher = ("world", "/a") if i % 2 else ("base_link", "/b")
        stamp = START_NS + i * NS // 10
        sent.append(Sent(stamp, parent, "arm", (0.1, 0.0, 0.0), (0.0, 0.0, 0.0, 1.0), publisher=publisher))
        sent.append(Sent(stamp, "world", "sun", (0.1, 0.0, 0.0), (0.0, 0.0, 0.0, 1.0)))
    (fault,) = examine(log_of(sent))
    assert (fault.kind, fault.frame, fault.fix) == ("two parents", "arm", None)


@pytest.mark.long
@pytest.mark.parametrize("write", [write_ros1, write_ros2, write_foxglove], ids=["ROS 1", "ROS 2", "Foxglove"])
def test_that_a_fault_is_found_in_a_file(write, tmp_path):
    truth = planted("two_parents", 3)
    (fault,) = examine(read_tf(open_bag(write(tmp_path / "drive.mcap", truth.sent))))
    assert (fault.kind, fault.frame, fault.parent) == ("two parents", "base_link", "map")
    assert fault.publishers == (("/other",) if write is write_ros1 else ())
    assert fault.fix is not None
    assert (fault.fix.change.child, fault.fix.change.parent) == ("base_link", "map")


@pytest.mark.long
def test_that_tf2s_answer_is_told():
    answers = {}
    for name in FAULTS:
        (fault,) = examine(log_of(planted(name, 1).sent))
        answers[fault.kind] = fault.answer
    assert "not part of the same tree" in answers["trees apart"]
    assert "cannot start with a '/'" in answers["leading slash"]
    assert "does not exist" in answers["static late"]
    for kind in ("gap", "silence", "late stamps", "not finite"):
        assert "into the future" in answers[kind] or "only time" in answers[kind], kind


def test_that_a_second_parent_in_another_tree_loses_the_frame():
    sent = drive(seconds=5.0)
    stamp = START_NS + 2 * NS + 1
    sent.append(Sent(stamp, "world", "base_link", (0, 0, 0), (0, 0, 0, 1), publisher="/other"))
    (fault,) = examine(log_of(sent))
    assert (fault.kind, fault.frame, fault.parent) == ("two parents", "base_link", "world")
    assert "'odom' and 'base_link' because they are not part of the same tree" in fault.answer


def test_that_a_frame_that_is_handed_over_is_no_fault():
    sent = drive(seconds=20.0)
    for i in range(200):
        parent = "lidar" if i < 120 else "wheel_left"
        stamp = START_NS + i * NS // 10
        sent.append(Sent(stamp, parent, "box", (0.1, 0.0, 0.0), (0.0, 0.0, 0.0, 1.0), publisher="/gripper"))
    assert examine(log_of(sent)) == ()


def test_that_the_gravest_faults_come_first():
    random = np.random.default_rng(5)
    slashed = FAULTS["slash"](random, healthy(random))
    both = FAULTS["not_finite"](random, in_order(slashed.sent))
    kinds = [fault.kind for fault in examine(log_of(both.sent))]
    assert kinds == ["not finite", "leading slash"]


def test_that_a_log_of_nothing_or_of_one_row_has_no_fault():
    one = log_of([Sent(START_NS, "map", "odom", (0, 0, 0), (0, 0, 0, 1))])
    assert examine(one) == ()
    assert examine(one.rows(np.zeros(0, np.int64))) == ()

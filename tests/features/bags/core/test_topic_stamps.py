"""Late, early and constant stamps, of frames and of sensors, with their onset; and clocks that are healthy."""

from dataclasses import replace

import numpy as np
import pytest

from framescope.features.bags.core.autopsy.autopsy import examine
from framescope.features.bags.core.autopsy.bag_autopsy import examine_bag
from framescope.features.bags.core.bag_file import open_bag
from tests.features.bags.core.test_header_frames import CONTAINERS, filled, types_of
from tests.features.bags.core.test_tf_autopsy import log_of
from tests.support.bags import NS, START_NS, Other, drive, write_ros1


def shifted(sent, seconds, frame="", since=0.0, *, received=False):
    """Return messages whose stamps, or receptions, of a frame are shifted from a time on; all frames without one."""
    found = []
    for each in sent:
        is_it = (each.stamp_ns - START_NS) >= since * NS and (
            not frame or frame == getattr(each, "child", None) or frame == each.on
        )
        by = round(seconds * NS) if is_it and not getattr(each, "is_static", False) else 0
        log_ns = each.received_ns
        stamp, log = (each.stamp_ns, log_ns + by) if received else (each.stamp_ns + by, log_ns)
        found.append(replace(each, stamp_ns=stamp, log_ns=log))
    return found


def scans(topic="/scan", frame="lidar", seconds=20.0, hz=10, kind="sensor_msgs/msg/LaserScan", version=1):
    fields = filled(types_of(version), kind, ("header", frame))
    return [
        Other(START_NS + i * NS // hz, topic, kind, fields, log_ns=START_NS + i * NS // hz + 5_000_000)
        for i in range(round(seconds * hz))
    ]


def faults_of(tmp_path, sent, write=write_ros1):
    path = write(tmp_path / f"drive_{len(list(tmp_path.iterdir()))}.bag", sent)
    with open_bag(path) as bag:
        return [fault for _, fault in examine_bag(bag).faults]


@pytest.mark.parametrize("frame", ["base_link", "wheel_left"])
@pytest.mark.parametrize(("seconds", "kind"), [(0.5, "early stamps"), (1.5, "early stamps"), (-1.5, "late stamps")])
def test_that_a_frame_that_is_always_early_or_late_is_told(frame, seconds, kind):
    (fault,) = examine(log_of(shifted(drive(), seconds, frame)))
    assert (fault.kind, fault.frame, fault.severity) == (kind, frame, "red")
    assert f"{abs(seconds) * 1e3:.3g} ms" in fault.cause or f"{abs(seconds):g} s" in fault.cause
    assert ("into the future" in fault.answer) == (seconds < 0)


def test_that_the_early_one_of_two_frames_is_blamed():
    sent = [each for each in drive() if each.child in ("odom", "base_link")]
    (fault,) = examine(log_of(shifted(sent, 1.5, "base_link")))
    assert (fault.kind, fault.frame) == ("early stamps", "base_link")


@pytest.mark.parametrize("seconds", [1.5, 3.0])
def test_that_a_frame_that_is_received_late_from_a_moment_on_is_late_and_not_early(seconds):
    (fault,) = examine(log_of(shifted(drive(), seconds, "base_link", 5.0, received=True)))
    assert (fault.kind, fault.frame) == ("late stamps", "base_link")
    assert f"{seconds:g} s late" in fault.cause
    assert f"from {5.0 + seconds:.1f} s on" in fault.cause
    assert abs(fault.first_ns - START_NS - (5.0 + seconds) * NS) < 0.1 * NS
    assert "into the future" in fault.answer


@pytest.mark.parametrize(("seconds", "answered"), [(-1.5, True), (-0.6, True), (0.5, False), (1.5, False)])
def test_that_a_clock_that_is_set_within_the_recording_is_told_with_its_onset(seconds, answered):
    (fault,) = examine(log_of(shifted(drive(), seconds, "base_link", 5.0)))
    assert fault.kind in ("clock jump", "early stamps")
    assert fault.frame == "base_link"
    assert abs(fault.first_ns - START_NS - 5.0 * NS) < 0.1 * NS
    assert ("into the future" in fault.answer) == answered


def test_that_all_frames_that_are_received_late_from_a_moment_on_are_told_once():
    (fault,) = examine(log_of(shifted(drive(), 1.5, "", 5.0, received=True)))
    assert (fault.kind, fault.frame, fault.severity) == ("late stamps", "", "amber")
    assert "from 6.5 s on" in fault.cause


@pytest.mark.parametrize("frames", [("base_link",), ("base_link", "odom", "wheel_left", "wheel_right")])
def test_that_stamps_that_are_all_zero_are_told_once(frames):
    sent = [replace(e, stamp_ns=0, log_ns=e.received_ns) if e.child in frames else e for e in drive()]
    (fault,) = examine(log_of(sent))
    assert (fault.kind, fault.frame) == ("constant stamp", frames[0] if len(frames) == 1 else "")
    assert " are 0" in fault.cause
    assert "into the past" in fault.answer or "only time" in fault.answer


@pytest.mark.parametrize("seconds", [0.5, 1.5, 3600.0, -3600.0])
def test_that_another_clock_is_noted_once(seconds):
    (fault,) = examine(log_of(shifted(drive(), seconds)))
    assert (fault.kind, fault.severity, fault.frame) == ("clock offset", "note", "")


def simulated(sent):
    return [replace(e, stamp_ns=e.stamp_ns - START_NS + 9 * NS, log_ns=e.received_ns) for e in sent]


def slow_simulation(sent):
    return [replace(e, log_ns=START_NS + round(2.5 * (e.received_ns - START_NS))) for e in simulated(sent)]


def replayed(sent):
    return [replace(e, log_ns=e.received_ns + 90 * 86_400 * NS) for e in sent]


def jittery(sent):
    """Return messages received up to 0.3 s late, in the order in which each sender sent them."""
    random = np.random.default_rng(3)
    last: dict[str, int] = {}
    found = []
    for each in sent:
        key = getattr(each, "child", each.on)
        last[key] = max(last.get(key, 0) + 1, each.received_ns + round(float(random.gamma(2.0, 0.03)) * NS))
        found.append(replace(each, log_ns=last[key]))
    return found


def dated_ahead(sent):
    return shifted(sent, 1.0, "odom")


HEALTHY = (simulated, slow_simulation, replayed, jittery, dated_ahead)


@pytest.mark.parametrize("change", HEALTHY)
def test_that_a_healthy_clock_is_no_fault(change, tmp_path):
    assert examine(log_of(change(drive()))) == ()
    assert faults_of(tmp_path, change([*drive(), *scans()])) == []


@pytest.mark.parametrize(
    ("seconds", "since", "kind", "severity"),
    [
        (0.5, 0.0, "early stamps", "red"),
        (1.5, 0.0, "early stamps", "red"),
        (1.5, 5.0, "early stamps", "red"),
        (-1.5, 0.0, "late stamps", "amber"),
        (-1.5, 5.0, "late stamps", "amber"),
        (-15.0, 0.0, "late stamps", "amber"),
    ],
)
def test_that_stamps_of_a_sensor_are_laid_against_the_transforms(seconds, since, kind, severity, tmp_path):
    (fault,) = faults_of(tmp_path, [*drive(), *shifted(scans(), seconds, since=since)])
    assert (fault.kind, fault.severity, fault.frame) == (kind, severity, "lidar")
    assert "/scan" in fault.cause
    assert abs(fault.first_ns - START_NS - since * NS) < 0.1 * NS
    assert ("from 5.0 s on" in fault.cause) == (since > 0.0)
    assert ("into the future" in fault.answer) == (seconds > 0)
    assert ("into the past" in fault.answer) == (seconds < -10)


@pytest.mark.parametrize("seconds", [1.5, -1.5])
def test_that_transforms_of_another_clock_than_the_sensors_are_told(seconds, tmp_path):
    faults = faults_of(tmp_path, [*shifted(drive(), seconds), *scans()])
    (fault,) = faults  # no note that the clock of the recorder is another one
    assert (fault.kind, fault.frame) == ("early stamps" if seconds > 0 else "late stamps", "")
    assert ("into the future" in fault.answer) == (seconds < 0)
    assert "/scan" in fault.cause


def test_that_a_sensor_of_another_kind_of_time_names_the_setting(tmp_path):
    (fault,) = faults_of(tmp_path, [*simulated(drive()), *scans()])
    assert "use_sim_time" in fault.cause


def test_that_a_sensor_with_stamps_of_zero_is_told(tmp_path):
    zero = [replace(e, stamp_ns=0, log_ns=e.received_ns) for e in scans()]
    (fault,) = faults_of(tmp_path, [*drive(), *zero])
    assert (fault.kind, fault.severity) == ("constant stamp", "amber")


@pytest.mark.parametrize("seconds", [0.2, -0.3])
def test_that_a_slow_sensor_is_no_fault(seconds, tmp_path):
    assert faults_of(tmp_path, [*drive(), *shifted(scans(), seconds)]) == []


@CONTAINERS
@pytest.mark.parametrize(
    "kind", ["sensor_msgs/msg/PointCloud2", "sensor_msgs/msg/Image", "sensor_msgs/msg/NavSatFix", "radar_msgs/msg/Echo"]
)
@pytest.mark.parametrize(("seconds", "told"), [(1.5, "early stamps"), (-18.0, "late stamps"), (0.0, "")])
def test_that_stamps_of_every_kind_of_sensor_are_read(kind, write, version, seconds, told, tmp_path):
    messages = shifted(scans("/sensor", kind=kind, version=version), seconds)
    faults = faults_of(tmp_path, [*drive(), *messages], write)
    assert [(fault.kind, fault.frame) for fault in faults] == ([(told, "lidar")] if told else [])
    assert all("/sensor" in fault.cause for fault in faults)


@pytest.mark.parametrize(
    ("zeros", "words"),
    [
        (range(5), "The first 5 of 200 stamps of /scan by /node are 0: the publisher sends before it knows the time."),
        (range(1), "The first of 200 stamps of /scan by /node is 0: the publisher sends before"),
        ((3, 90, 91), "3 of 200 stamps of /scan by /node are 0: the publisher does not always set it."),
    ],
)
def test_that_some_stamps_of_zero_are_told_and_the_others_still_compared(zeros, words, tmp_path):
    def with_zeros(sent):
        return [replace(e, stamp_ns=0, log_ns=e.received_ns) if i in zeros else e for i, e in enumerate(sent)]

    (fault,) = faults_of(tmp_path, [*drive(), *with_zeros(scans())])
    assert (fault.kind, fault.severity, fault.count) == ("zero stamp", "amber", len(zeros))
    assert words in fault.cause
    assert (fault.first_ns - START_NS) // NS == zeros[0] // 10
    kinds = [fault.kind for fault in faults_of(tmp_path, [*drive(), *with_zeros(shifted(scans(), 1.5))])]
    assert sorted(kinds) == ["early stamps", "zero stamp"]

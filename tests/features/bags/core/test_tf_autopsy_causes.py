"""The autopsy tells causes and not what comes of them: recorders that stand still, and several faults in one frame."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from framescope.core.analysis.diagnostics import diagnose
from framescope.features.bags.core.autopsy.autopsy import examine
from framescope.features.bags.core.autopsy.fault import TfFault
from framescope.features.bags.core.bag_file import named_file, open_bag
from framescope.features.bags.core.clock_jumps import runs_of
from framescope.features.bags.core.tf_log import read_tf
from framescope.features.bags.core.tf_tracks import tracks_of
from tests.features.bags.core.test_tf_autopsy import log_of
from tests.support.bag_scenes import scene_plan
from tests.support.bags import NS, START_NS, Sent, drive, in_order, write_foxglove, write_ros1, write_ros2
from tests.support.planted_bags import FAULTS, SIX, Drive, busy, healthy, of, stalled

SHORT, LONG = (3, 8), (40, 200)
"""Messages that queues hold: a part of what is sent while a recorder stands still, and all of it."""


def named(faults: tuple[TfFault, ...]) -> list[tuple[str, str]]:
    return [(fault.kind, fault.frame) for fault in faults]


@pytest.mark.fuzz
@pytest.mark.parametrize("keep", ["newest", "oldest"])
@pytest.mark.parametrize("slots", [SHORT, (6, 24), (12, 48), LONG])
def test_that_no_clock_jumps_where_queues_are_drained_out_of_order(slots, keep):
    for seed in range(2):
        random = np.random.default_rng([seed, *slots])
        log = log_of(stalled(random, busy(random), slots=slots, keep=keep))
        assert {fault.kind for fault in examine(log)} <= {"gap"}, seed
        assert len(runs_of(tracks_of(log))) == 1


@pytest.mark.parametrize("keep", ["newest", "oldest"])
def test_that_what_all_frames_lost_while_the_recorder_stood_still_is_one_hole(keep):
    random = np.random.default_rng(8)
    (fault,) = examine(log_of(stalled(random, busy(random), slots=SHORT, keep=keep)))
    assert (fault.kind, fault.frame, fault.severity, fault.count) == ("gap", "", "amber", 1)
    assert "No frame is recorded for" in fault.cause
    assert "The recorder" in fault.cause
    assert len(fault.rows) == len(SIX)
    assert START_NS + 19.9 * NS < fault.first_ns < START_NS + 22.2 * NS
    assert fault.answer  # what tf2 answered in it


def _at_rates(hz: tuple[float, ...], random: np.random.Generator, *, jitter: float = 0.0, drop: float = 0.0) -> Drive:
    """Return a drive of half a minute, one frame for each rate, with noise of the stamps and lost samples."""
    sent: Drive = []
    for k, rate in enumerate(hz):
        phase = float(random.uniform(0.0, 1.0 / rate))
        for i in range(round(30.0 * rate)):
            stamp = START_NS + round((phase + (i + jitter * (random.random() - 0.5)) / rate) * NS)
            if random.random() >= drop:
                log_ns = stamp + round(float(random.uniform(1e-3, 8e-3)) * NS)
                sent.append(Sent(stamp, "base", f"part{k}", (0.0, 0.1 * k, 0.0), (0.0, 0.0, 0.0, 1.0), log_ns=log_ns))
    return sent


RATES = (20.0, 50.0, 25.0, 25.0, 40.0, 40.0)


@pytest.mark.parametrize("length_s", [0.5, 0.6, 0.9, 1.2, 1.5])
def test_that_a_short_hole_of_all_frames_is_one_fault(length_s):
    sent = _at_rates(RATES, np.random.default_rng(2))
    begin, end = (START_NS + round(t * NS) for t in (10.0, 10.0 + length_s))
    (fault,) = examine(log_of([each for each in sent if not begin <= each.stamp_ns < end]))
    assert (fault.kind, fault.frame, fault.severity, fault.count) == ("gap", "", "amber", 1)
    assert len(fault.rows) == len(RATES)
    assert "No frame is recorded for" in fault.cause


@pytest.mark.parametrize("frames", [("part0",), ()], ids=["one", "all"])
@pytest.mark.parametrize("keep", ["newest", "oldest"])
def test_that_frames_that_lost_more_and_less_in_a_hole_are_one_fault(keep, frames):
    random = np.random.default_rng(9)
    late = stalled(random, _at_rates(RATES, random), at_s=10.0, length_s=1.2, slots=(2, 10), keep=keep)
    back = _set(late, (5.0, -3.0), frames=frames) if frames else late  # its stamps do not show that it is simultaneous
    faults = [fault for fault in examine(log_of(back)) if fault.kind == "gap"]
    assert named(tuple(faults)) == [("gap", "")]
    assert len(faults[0].rows) == len(RATES)


@pytest.mark.parametrize("length_s", [0.1, 0.3])
def test_that_a_pause_of_a_few_steps_is_no_hole(length_s):
    sent = _at_rates(RATES, np.random.default_rng(2))
    begin, end = (START_NS + round(t * NS) for t in (10.0, 10.0 + length_s))
    assert examine(log_of([each for each in sent if not begin <= each.stamp_ns < end])) == ()


@pytest.mark.fuzz
@pytest.mark.parametrize("jitter", [0.0, 0.3, 0.6])
@pytest.mark.parametrize("drop", [0.0, 0.1, 0.3, 0.5])
@pytest.mark.parametrize("hz", [(20.0, 20.0), (10.0, 10.0, 20.0), (5.0, 50.0, 10.0, 30.0), RATES], ids=str)
def test_that_unsteady_frames_have_no_hole(hz, drop, jitter):
    for seed in range(4):
        random = np.random.default_rng([seed, round(100 * drop), round(100 * jitter)])
        faults = examine(log_of(_at_rates(hz, random, jitter=jitter, drop=drop)))
        assert "" not in {fault.frame for fault in faults}


def test_that_a_short_pause_of_some_frames_is_no_hole():
    sent = _at_rates(RATES, np.random.default_rng(2))
    begin, end = (START_NS + round(t * NS) for t in (10.0, 10.9))
    paused = [e for e in sent if e.child == "part5" or not begin <= e.stamp_ns < end]
    assert examine(log_of(paused)) == ()


def test_that_two_holes_are_counted_and_a_frame_that_goes_on_ends_them():
    random = np.random.default_rng(3)
    once = stalled(random, busy(random), slots=SHORT, keep="newest")
    twice = stalled(random, once, at_s=40.0, slots=SHORT, keep="newest")
    (fault,) = examine(log_of(twice))
    assert (fault.kind, fault.frame, fault.count) == ("gap", "", 2)
    on = busy(np.random.default_rng(3))
    goes_on = [*(each for each in twice if each.child != "hand"), *(each for each in on if each.child == "hand")]
    faults = examine(log_of(goes_on))
    assert {fault.kind for fault in faults} == {"gap"}
    assert "hand" not in {fault.frame for fault in faults}
    assert {fault.count for fault in faults} == {2}


WRITERS = {
    "ROS 1": lambda path, sent: write_ros1(path / "drive.bag", sent),
    "ROS 2, SQLite": lambda path, sent: write_ros2(path / "drive", sent),
    "ROS 2, MCAP": lambda path, sent: write_ros2(path / "drive", sent, storage="MCAP"),
    "Foxglove": lambda path, sent: write_foxglove(path / "drive.mcap", sent),
}


@pytest.mark.long
@pytest.mark.parametrize("write", WRITERS.values(), ids=WRITERS)
def test_that_a_bag_whose_recorder_stood_still_is_one_drive(write, tmp_path: Path):
    random = np.random.default_rng(5)
    sent = busy(random, 40.0)
    path = write(tmp_path, stalled(random, sent, slots=SHORT, keep="newest"))
    with open_bag(path) as bag:
        faults = examine(read_tf(bag))
    assert named(faults) == [("gap", "")]
    _, plan = scene_plan(named_file(path))
    assert plan.end - plan.start == pytest.approx(40.0, abs=0.3)
    assert [each.kind for each in diagnose(plan) if each.kind.startswith("tf ")] == ["tf gap"]
    assert not any(each.fix for each in diagnose(plan) if each.kind == "tf gap")

    (tmp_path / "twin").mkdir()
    with open_bag(write(tmp_path / "twin", sent)) as bag:
        assert examine(read_tf(bag)) == ()


@pytest.mark.parametrize("back_s", [0.8, 6.0, 300.0])
def test_that_a_simulation_that_starts_again_is_two_runs(back_s):
    random = np.random.default_rng(6)
    sent = busy(random, 30.0)
    again = [replace(each, stamp_ns=each.stamp_ns - round(back_s * NS)) for each in sent if _after(each, 15.0)]
    log = log_of([*(each for each in sent if not _after(each, 15.0)), *again])
    assert named(examine(log))[0] == ("clock jump", "")
    assert len(runs_of(tracks_of(log))) == 2
    # The same, where the recorder stood still in the first run.
    random = np.random.default_rng(6)
    late = stalled(random, [each for each in sent if not _after(each, 15.0)], at_s=5.0, slots=SHORT, keep="oldest")
    assert set(named(examine(log_of([*late, *again])))) == {("clock jump", ""), ("gap", "")}


def _after(each: Sent, t: float) -> bool:
    return each.received_ns >= START_NS + t * NS


def test_that_a_clock_that_is_set_ahead_is_no_hole():
    random = np.random.default_rng(9)
    sent = busy(random, 30.0)
    ahead = [replace(each, stamp_ns=each.stamp_ns + 5 * NS * _after(each, 15.0)) for each in sent]
    assert named(examine(log_of(ahead))) == [("clock jump", "")]
    own = [each if each.child != "arm" else new for each, new in zip(sent, ahead, strict=True)]
    assert named(examine(log_of(own))) == [("clock jump", "arm")]


def _set(sent: Drive, *steps: tuple[float, float], frames: tuple[str, ...] = ()) -> Drive:
    """Return a drive in which the clock of some frames, or of all, is set at some times by some seconds."""
    return [
        each
        if each.is_static or (frames and each.child not in frames)
        else replace(each, stamp_ns=each.stamp_ns + round(sum(s * NS for t, s in steps if _after(each, t))))
        for each in (replace(each, log_ns=each.received_ns) for each in sent)
    ]


STEPS = (
    *(((20.0, -3.0),), ((20.0, -1.0),), ((20.0, -20.0),), ((20.0, 3.0),)),
    *(((10.0, -3.0), (25.0, -3.0)), ((10.0, -3.0), (25.0, 3.0)), ((10.0, 3.0), (25.0, -3.0))),
    *(((15.0, -3.0), (16.0, 3.0)), ((15.0, 2.0), (16.0, -2.0))),
)
"""Times at which a clock is set, and sizes, s: multiples of the periods of all frames."""


@pytest.mark.long
@pytest.mark.parametrize("steps", STEPS, ids=str)
@pytest.mark.parametrize("frame", ["odom", "base_link", "wheel_left"])
def test_that_a_clock_that_is_set_by_whole_periods_is_the_only_fault(frame, steps):
    sent = busy(np.random.default_rng(4), 40.0)
    sent += [
        Sent(START_NS + round(t * NS), "base_link", "lidar", (0.0, 0.0, 0.1), (0.0, 0.0, 0.0, 1.0), is_static=True)
        for t in (0.0, 15.5, 20.01, 21.0, 30.0)
    ]
    (fault,) = examine(log_of(_set(sent, *steps, frames=(frame,))))
    assert (fault.kind, fault.frame, fault.severity, fault.count) == ("clock jump", frame, "red", len(steps))
    assert f"by {max(abs(size) for _, size in steps):g} s" in fault.cause
    assert f"/{frame}_node was set" in fault.cause
    assert fault.first_ns == pytest.approx(START_NS + steps[0][0] * NS, abs=0.11 * NS)
    assert len(runs_of(tracks_of(log_of(_set(sent, *steps, frames=(frame,)))))) == 1


@pytest.mark.parametrize("steps", STEPS, ids=str)
def test_that_each_setting_of_the_common_clock_is_one_fault(steps):
    sent = busy(np.random.default_rng(4), 40.0)
    faults = examine(log_of(_set(sent, *steps)))
    assert named(faults) == [("clock jump", "")] * len(steps)
    assert [fault.first_ns for fault in faults] == pytest.approx([START_NS + t * NS for t, _ in steps], abs=0.11 * NS)


@pytest.mark.parametrize("spread_s", [0.05, 0.15])
@pytest.mark.parametrize("frame", ["base_link", "wheel_left"])
def test_that_a_clock_is_set_though_its_frame_is_received_out_of_order(frame, spread_s):
    random = np.random.default_rng(4)
    sent = [
        replace(each, log_ns=each.received_ns + round(float(random.uniform(0.0, spread_s)) * NS))
        if each.child == frame
        else each
        for each in busy(np.random.default_rng(4), 40.0)
    ]
    (fault,) = (fault for fault in examine(log_of(_set(sent, (20.0, -3.0), frames=(frame,)))) if fault.frame == frame)
    assert fault.kind == "clock jump"


@pytest.mark.parametrize("at_s", [15.0, 19.5, 21.0, 22.2, 25.0])
@pytest.mark.parametrize("frames", [("arm",), ()], ids=["one", "all"])
def test_that_a_clock_is_set_near_the_time_at_which_the_recorder_stood_still(frames, at_s):
    random = np.random.default_rng(4)
    late = stalled(random, busy(random, 40.0), slots=LONG, keep="newest")
    back = [
        replace(each, stamp_ns=each.stamp_ns - 3 * NS)
        if each.stamp_ns >= START_NS + at_s * NS and (not frames or each.child in frames)
        else each
        for each in late
    ]
    assert named(examine(log_of(back))) == [("clock jump", "".join(frames))]


@pytest.mark.parametrize("keep", ["newest", "oldest"])
@pytest.mark.parametrize("at_s", [15.0, 19.5, 21.0, 25.0])
def test_that_a_clock_is_set_near_a_hole_of_all_frames(at_s, keep):
    late = stalled(np.random.default_rng(4), busy(np.random.default_rng(4), 40.0), length_s=2.1, slots=SHORT, keep=keep)
    back = [
        replace(each, stamp_ns=each.stamp_ns - 3 * NS)
        if each.stamp_ns >= START_NS + at_s * NS and each.child == "arm"
        else each
        for each in late
    ]
    assert named(examine(log_of(back))) == [("clock jump", "arm"), ("gap", "")]


def _burst(sent: Drive, frames: tuple[str, ...]) -> Drive:
    """Return the samples of two seconds, sent again at once."""
    again: Drive = []
    for frame in frames:
        of_frame = [each for each in sent if each.child == frame and _after(each, 18.0) and not _after(each, 20.0)]
        again += [replace(each, log_ns=START_NS + 20 * NS + k * NS // 1000) for k, each in enumerate(of_frame)]
    return again


def _echo(sent: Drive, frames: tuple[str, ...]) -> Drive:
    """Return samples that a second sender sends again two seconds later."""
    return [replace(each, log_ns=each.received_ns + 2 * NS) for each in sent if each.child in frames]


@pytest.mark.parametrize("again", [_burst, _echo])
@pytest.mark.parametrize("frames", [("arm",), tuple(frame for _, frame, _ in SIX)], ids=["one", "all"])
def test_that_samples_that_are_sent_again_set_no_clock(again, frames):
    sent = busy(np.random.default_rng(4), 40.0)
    log = log_of([*sent, *again(sent, frames)])
    assert sorted(named(examine(log))) == sorted(("repeated stamp", frame) for frame in frames)
    assert len(runs_of(tracks_of(log))) == 1


@pytest.mark.parametrize("until_s", [23.0, 40.0])
def test_that_a_stamp_that_is_sent_again_for_some_time_sets_no_clock(until_s):
    sent = busy(np.random.default_rng(4), 40.0)
    held = [i for i in of(sent, "arm") if _after(sent[i], 20.0) and not _after(sent[i], until_s)]
    for i in held[1:]:
        sent[i] = replace(sent[i], stamp_ns=sent[held[0]].stamp_ns, log_ns=sent[i].received_ns)
    (fault,) = examine(log_of(sent))
    assert (fault.kind, fault.frame, fault.count) == ("repeated stamp", "arm", len(held) - 1)


@pytest.mark.parametrize("rate", [0.95, 1.05])
def test_that_a_clock_of_another_rate_drifts(rate):
    sent = [
        replace(each, stamp_ns=START_NS + round((each.stamp_ns - START_NS) * rate)) if each.child == "arm" else each
        for each in busy(np.random.default_rng(4), 40.0)
    ]
    assert named(examine(log_of(sent))) == [("log time spread", "arm")]


def test_that_a_recording_that_was_paused_is_a_hole_and_no_jump_of_a_clock():
    sent = [
        each for each in busy(np.random.default_rng(4), 30.0) if not (_after(each, 12.0) and not _after(each, 16.0))
    ]
    assert named(examine(log_of(sent))) == [("gap", "")]


@pytest.mark.fuzz
@pytest.mark.parametrize("ahead_s", [0.3, 0.5, 1.5, -0.7, -3.0])
@pytest.mark.parametrize("n", [2, 40, 150, 400])
def test_that_two_parents_are_one_fault_however_the_second_is_stamped(ahead_s, n):
    random = np.random.default_rng([n, round(100 * abs(ahead_s))])
    sent = healthy(random)
    places = of(sent, "base_link")[60 : 60 + n]
    off = round(ahead_s * NS) + 7_000_000
    second = [
        replace(e, parent="map", stamp_ns=e.stamp_ns + off, log_ns=e.received_ns + 1, publisher="/other")
        for e in (sent[i] for i in places)
    ]
    (fault,) = examine(log_of([*sent, *second]))
    assert (fault.kind, fault.frame, fault.parent) == ("two parents", "base_link", "map")
    assert fault.fix is not None


def test_that_a_second_parent_with_the_stamps_of_the_first_is_found():
    sent = drive(seconds=10.0)
    places = of(sent, "base_link")[50:90]
    second = [replace(sent[i], parent="map", log_ns=sent[i].received_ns + 1) for i in places]
    (fault,) = examine(log_of([*sent, *second]))
    assert (fault.kind, fault.frame, fault.count) == ("two parents", "base_link", 40)


def test_that_a_static_second_parent_is_one_fault():
    sent = drive(seconds=10.0)
    place = sent[of(sent, "base_link")[40]]
    extra = replace(place, parent="map", is_static=True, log_ns=place.received_ns + 1)
    (fault,) = examine(log_of([*sent, extra]))
    assert (fault.kind, fault.frame) == ("two parents", "base_link")
    assert "map (1 static sample" in fault.cause


def test_that_a_frame_that_is_handed_over_may_have_a_wrong_stamp():
    sent = drive(seconds=20.0)
    for i in range(200):
        stamp = START_NS + i * NS // 10 + (30 * NS if i == 40 else 0)
        parent = "lidar" if i < 120 else "wheel_left"
        log_ns = START_NS + i * NS // 10
        sent.append(Sent(stamp, parent, "box", (0.1, 0.0, 0.0), (0.0, 0.0, 0.0, 1.0), log_ns=log_ns))
    assert named(examine(log_of(sent))) == [("future stamp", "box")]


APART = (
    *(("two_parents", "gap"), ("two_parents", "silence"), ("not_finite", "gap"), ("not_unit", "silence")),
    *(("future", "gap"), ("future", "outlier"), ("backward", "jump"), ("repeated", "gap"), ("repeated", "jump")),
    *(("future", "late_start"), ("two_parents", "jump"), ("late", "silence"), ("static_and_moving", "gap")),
    *(("future", "backward"), ("not_finite", "outlier"), ("nearly_unit", "two_parents"), ("slash", "future")),
)
"""Pairs of faults of one frame, of which one often brings what looks like the other."""


@pytest.mark.fuzz
@pytest.mark.parametrize(("first", "second"), APART, ids=["-".join(pair) for pair in APART])
def test_that_a_cause_does_not_hide_another_fault_of_its_frame(first, second):
    for seed in range(40):
        random = np.random.default_rng([seed, *first.encode()])
        one = FAULTS[first](random, healthy(random))
        two = FAULTS[second](random, in_order(one.sent))
        if one.frame == two.frame and _is_whole(two.sent, one.sent):
            break
    else:
        pytest.fail("no such pair was made")
    found = set(named(examine(log_of(two.sent))))
    assert found == {(one.kind, one.frame), (two.kind, two.frame)}


def _is_whole(after: Drive, before: Drive) -> bool:
    """Return whether the second fault took none of the rows away that the first one changed."""
    odd = {id(each) for each in before if not _is_unit(each) or each.publisher == "/other"}
    kept = {id(each) for each in after}
    return odd <= kept


def _is_unit(each: Sent) -> bool:
    return abs(float(np.square(each.quaternion).sum()) - 1.0) < 1e-3


@pytest.mark.parametrize("frame", ["base_link", "odom"])
@pytest.mark.parametrize("n", [1, 39])
def test_that_a_stamp_that_is_sent_again_at_the_end_is_one_fault(frame, n):
    sent = drive()
    last = sent[of(sent, frame)[-1]]
    again = [replace(last, log_ns=last.received_ns + k * NS // 20) for k in range(1, n + 1)]
    (fault,) = examine(log_of([*sent, *again]))
    assert (fault.kind, fault.frame, fault.count) == ("repeated stamp", frame, n)
    words = (
        "1 sample of {} has a stamp that an earlier sample has"
        if n == 1
        else "39 samples of {} have stamps that an earlier sample has"
    )
    assert fault.cause.startswith(words.format(frame))


def test_that_two_stamps_ahead_in_a_row_are_both_told():
    sent = drive()
    places = of(sent, "base_link")[100:102]
    for i in places:
        sent[i] = replace(sent[i], stamp_ns=sent[i].stamp_ns + 40 * NS, log_ns=sent[i].received_ns)
    (fault,) = examine(log_of(sent))
    assert (fault.kind, fault.count) == ("future stamp", 2)
    assert fault.fix is not None


def test_that_jumps_are_counted_over_the_whole_drive():
    sent = drive(seconds=30.0)
    jumps = {("odom", k) for k in (4.0, 9.0, 20.0)}
    moved = []
    for each in sent:
        t = (each.stamp_ns - START_NS) / NS
        far = sum(0.5 + 0.1 * k for name, k in jumps if name == each.child and t >= k)
        after = 2 * NS if t >= 15.0 and not each.is_static else 0  # the clock is set in the middle
        place = np.add(each.position, (far, 0.0, 0.0))
        moved.append(replace(each, position=place, stamp_ns=each.stamp_ns - after, log_ns=each.received_ns))
    faults = {fault.kind: fault for fault in examine(log_of(moved))}
    assert set(faults) == {"clock jump", "jump"}
    assert faults["jump"].count == 3
    assert "odom jumps 3 times in map" in faults["jump"].cause
    assert "by up to 2.5 m" in faults["jump"].cause


@pytest.mark.parametrize("n", [1, 2, 3, 5, 9, 12])
def test_that_a_fixed_frame_that_is_sent_a_few_times_on_tf_is_told(n):
    camera = [
        Sent(START_NS + i * NS // 20, "base_link", "camera_rgb", (0.1, 0.0, 0.3), (0.0, 0.0, 0.0, 1.0))
        for i in range(n)
    ]
    (fault,) = examine(log_of([*drive(seconds=4.0), *camera]))
    assert (fault.kind, fault.frame, fault.parent) == ("silence", "camera_rgb", "base_link")
    assert "/tf_static" in fault.cause
    assert "into the future" in fault.answer or "only time" in fault.answer


@pytest.mark.parametrize("hz", [0.25, 0.5, 1.0])
def test_that_a_frame_that_is_sent_seldom_is_no_fault(hz):
    seldom = [
        Sent(START_NS + round(i / hz * NS), "map", "dock", (0.1 * i, 0.0, 0.3), (0.0, 0.0, 0.0, 1.0))
        for i in range(int(20 * hz))
    ]
    assert examine(log_of([*drive(), *seldom])) == ()

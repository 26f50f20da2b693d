"""Drives with one fault each, planted at a random place, and healthy drives with all that real ones have."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from tests.support.bags import NS, START_NS, Sent, drive

Random = np.random.Generator
Drive = list[Sent]

MOVING = ("base_link", "wheel_left", "wheel_right", "odom")
STATIC = ("imu", "camera", "lidar")


@dataclass(frozen=True)
class Planted:
    """A drive, and the fault that is in it: its kind, the frame to blame, and when it is first received, ns."""

    sent: Drive
    kind: str = ""
    frame: str = ""
    first_ns: int | None = None


def healthy(random: Random) -> Drive:
    """Return a drive with imperfections that are no faults: late and bundled reception, noise, stamps dated ahead."""
    sent = drive(
        seconds=float(random.uniform(20, 30)), hz=float(random.choice([10, 20])), seed=int(random.integers(99))
    )
    delay = float(random.uniform(0.0, 0.05))
    jitter = float(random.choice([0.0, 0.005, 0.02]))
    bundle = float(random.choice([0.0, 0.0, 0.05]))
    ahead = float(random.choice([0.0, 0.1, 1.0]))
    noise = float(random.choice([0.0, 1e-4, 3e-3]))
    rate = float(random.choice([1.0, 1.0, 1.0, 0.4]))
    found: Drive = []
    for each in sent:
        t = (each.stamp_ns - START_NS) / NS / rate + delay + float(random.uniform(0, jitter))
        if bundle:
            t = np.ceil(t / bundle) * bundle
        q = np.array(each.quaternion, float)
        p = np.array(each.position, float)
        if not each.is_static and noise:
            p = p + random.normal(0, noise, 3)
            q = q + random.normal(0, noise / 10, 4)
            q /= np.linalg.norm(q)
        stamp = each.stamp_ns + (round(ahead * NS) if each.child == "odom" else 0)
        found.append(replace(each, stamp_ns=stamp, position=p, quaternion=q, log_ns=START_NS + round(t * NS)))
    if random.random() < 0.5:  # statics are sent again, the same
        found += [replace(each, log_ns=each.received_ns + 5 * NS) for each in found if each.is_static]
    return sorted(found, key=lambda each: each.received_ns)


SIX = (
    *(("map", "odom", 10), ("odom", "base_link", 50), ("base_link", "wheel_left", 30)),
    *(("base_link", "wheel_right", 30), ("base_link", "arm", 20), ("arm", "hand", 25)),
)
"""Parent, child and rate, Hz, of frames that six publishers send."""


def busy(random: Random, seconds: float = 60.0) -> Drive:
    """Return a healthy drive of six publishers, each with its own rate and phase, received within 1 to 8 ms."""
    sent: Drive = []
    for k, (parent, child, hz) in enumerate(SIX):
        phase = float(random.uniform(0.0, 1.0 / hz))
        for i in range(round(seconds * hz)):
            t = phase + i / hz
            stamp = START_NS + round(t * NS)
            place, turned = (np.sin(0.1 * t), 0.1 * k, 0.0), (0.0, 0.0, np.sin(0.05 * t), np.cos(0.05 * t))
            log_ns = stamp + round(float(random.uniform(1e-3, 8e-3)) * NS)
            sent.append(Sent(stamp, parent, child, place, turned, log_ns=log_ns, publisher=f"/{child}_node"))
    return sent


def stalled(
    random: Random, sent: Drive, *, at_s: float = 20.0, length_s: float = 2.1, slots: tuple[int, int], keep: str
) -> Drive:
    """Return a drive whose recorder stood still for some time, after which it drained a queue of each publisher.

    Parameters
    ----------
    random
        How long each queue is, and when it is drained.
    sent
        A healthy drive.
    at_s, length_s
        When and how long the recorder stood still, s.
    slots
        Least and largest number of messages that a queue holds.
    keep
        Which of them: the ``"newest"``, or the ``"oldest"``.
    """
    begin, end = (START_NS + round(t * NS) for t in (at_s, at_s + length_s))
    found: Drive = []
    for child in dict.fromkeys(each.child for each in sent):
        mine = [each for each in sent if each.child == child]
        queue = [each for each in mine if begin <= each.stamp_ns < end]
        n = int(random.integers(slots[0], slots[1] + 1))
        drained = end + round(float(random.uniform(0.0, 0.3)) * NS)
        waiting = [*(queue[-n:] if keep == "newest" else queue[:n]), *(e for e in mine if e.stamp_ns >= end)]
        found += [each for each in mine if each.stamp_ns < begin]
        for i, each in enumerate(waiting):
            found.append(replace(each, log_ns=max(each.received_ns, drained + i * NS // 500)))
    return found


def of(sent: Drive, frame: str) -> list[int]:
    return [i for i, each in enumerate(sent) if each.child.removeprefix("/") == frame]


def somewhere(random: Random, sent: Drive, frame: str, n: int = 1) -> list[int]:
    """Return the places of some samples in a row of a frame, away from both ends."""
    places = of(sent, frame)
    first = int(random.integers(len(places) // 4, 3 * len(places) // 4))
    return places[first : first + n]


def two_parents(random: Random, sent: Drive) -> Planted:
    places = somewhere(random, sent, "base_link", int(random.integers(2, 60)))
    extra = [
        replace(
            sent[i],
            parent="map",
            stamp_ns=sent[i].stamp_ns + 7_000_000,
            log_ns=sent[i].received_ns + 1,
            publisher="/other",
        )
        for i in places
    ]
    return Planted(sent + extra, "two parents", "base_link", extra[0].received_ns)


def static_two_parents(random: Random, sent: Drive) -> Planted:
    frame = str(random.choice(STATIC))
    first = sent[of(sent, frame)[0]]
    extra = replace(first, parent="wheel_left", log_ns=first.received_ns + 2 * NS, publisher="/other")
    again = [each for each in sent if each.child != frame or each is first]
    return Planted([*again, extra], "two parents", frame, None)


def static_and_moving(random: Random, sent: Drive) -> Planted:
    frame = str(random.choice(("wheel_left", "wheel_right")))
    place = somewhere(random, sent, frame)[0]
    extra = replace(sent[place], is_static=True, log_ns=sent[place].received_ns + 1, publisher="/other")
    return Planted([*sent, extra], "static and moving", frame, extra.received_ns)


def loop(random: Random, sent: Drive) -> Planted:
    place = somewhere(random, sent, "base_link")[0]
    extra = replace(sent[place], parent="wheel_left", child="map", log_ns=sent[place].received_ns + 1, is_static=True)
    return Planted([*sent, extra], "loop", "map", extra.received_ns)


def apart(random: Random, sent: Drive) -> Planted:
    frame = str(random.choice(["odom", "camera", "base_link"]))
    left = [each for each in sent if each.child != frame]
    below = {"odom": ("map", "goal"), "camera": ("camera", "camera_hood"), "base_link": ("map", "goal")}[frame]
    first = min(sent, key=lambda each: each.received_ns)
    left.append(replace(first, parent=below[0], child=below[1], is_static=True))
    return Planted(left, "trees apart", below[0], None)


def other_case(random: Random, sent: Drive) -> Planted:
    frame = str(random.choice(["base_link", "odom"]))
    wrong = str(
        random.choice([frame.title(), frame.upper(), frame.replace("_", "-") if "_" in frame else frame.upper()])
    )
    changed = [replace(each, parent=wrong) if each.parent == frame else each for each in sent]
    return Planted(changed, "similar name", wrong, None)


def slash(random: Random, sent: Drive) -> Planted:
    frame = str(random.choice(MOVING))
    changed = [replace(each, child="/" + frame) if each.child == frame else each for each in sent]
    return Planted(changed, "leading slash", frame, None)


def static_changed(random: Random, sent: Drive) -> Planted:
    frame = str(random.choice(STATIC))
    first = sent[of(sent, frame)[0]]
    left = [each for each in sent if each.child != frame or each is first]
    moved = np.array(first.position) + random.choice([0.01, 0.3])
    extra = replace(first, position=moved, log_ns=first.received_ns + int(random.integers(1, 9)) * NS)
    return Planted([*left, extra], "static changed", frame, extra.received_ns)


def static_late(random: Random, sent: Drive) -> Planted:
    frame = str(random.choice(STATIC))
    late = int(random.integers(2, 9)) * NS
    changed = [replace(each, log_ns=each.received_ns + late) if each.child == frame else each for each in sent]
    return Planted(changed, "static late", frame, None)


def repeated(random: Random, sent: Drive) -> Planted:
    frame = str(random.choice(MOVING))
    places = somewhere(random, sent, frame, int(random.integers(1, 30)))
    extra = [replace(sent[i], log_ns=sent[i].received_ns + 1) for i in places]
    return Planted(sent + extra, "repeated stamp", frame, extra[0].received_ns)


def backward(random: Random, sent: Drive) -> Planted:
    frame = str(random.choice(MOVING))
    place = somewhere(random, sent, frame)[0]
    mine = of(sent, frame)
    step = sent[mine[5]].stamp_ns - sent[mine[4]].stamp_ns
    back = step * 3 + step // 3 if random.random() < 0.5 else max(2 * step, NS) + step // 7
    changed = list(sent)
    changed[place] = replace(sent[place], stamp_ns=sent[place].stamp_ns - back)
    return Planted(changed, "backward stamp", frame, sent[place].received_ns)


def future(random: Random, sent: Drive) -> Planted:
    frame = str(random.choice(MOVING))
    place = somewhere(random, sent, frame)[0]
    changed = list(sent)
    ahead = int(random.uniform(1.5, 100.0) * NS)
    changed[place] = replace(sent[place], stamp_ns=sent[place].stamp_ns + ahead)
    return Planted(changed, "future stamp", frame, sent[place].received_ns)


def late(random: Random, sent: Drive) -> Planted:
    frame = str(random.choice(["wheel_left", "base_link"]))
    by = int(random.uniform(1.0, 8.0) * NS)
    changed = [replace(each, stamp_ns=each.stamp_ns - by) if each.child == frame else each for each in sent]
    return Planted(changed, "late stamps", frame, None)


def clock_back(random: Random, sent: Drive) -> Planted:
    moving = [each for each in sent if not each.is_static]
    when = moving[int(random.integers(len(moving) // 4, 3 * len(moving) // 4))].received_ns
    by = int(random.uniform(3.0, 60.0) * NS) * int(random.choice([-1, 1]))
    changed = [
        replace(each, stamp_ns=each.stamp_ns + by) if each.received_ns >= when and not each.is_static else each
        for each in sent
    ]
    return Planted(changed, "clock jump", "", when)


def spread(random: Random, sent: Drive) -> Planted:
    frame = str(random.choice(["wheel_left", "base_link"]))
    burst = int(random.uniform(1.5, 3.0) * NS)
    changed = [
        replace(each, log_ns=-(-each.received_ns // burst) * burst) if each.child == frame else each for each in sent
    ]
    return Planted(changed, "log time spread", frame, None)


def gap(random: Random, sent: Drive) -> Planted:
    frame = str(random.choice(MOVING))
    places = of(sent, frame)
    place = places[int(random.uniform(0.1, 0.4) * len(places))]
    start = sent[place].stamp_ns
    length = (5 if frame != "odom" else 9) * NS
    left = [each for each in sent if each.child != frame or not start < each.stamp_ns < start + length]
    return Planted(left, "gap", frame, sent[place].received_ns)


def silence(random: Random, sent: Drive) -> Planted:
    frame = str(random.choice(MOVING))
    places = of(sent, frame)
    last = places[int(len(places) * random.uniform(0.3, 0.5))]
    left = [each for i, each in enumerate(sent) if each.child != frame or i <= last]
    return Planted(left, "silence", frame, sent[last].received_ns)


def late_start(random: Random, sent: Drive) -> Planted:
    frame = str(random.choice(MOVING))
    places = of(sent, frame)
    first = places[int(len(places) * random.uniform(0.4, 0.6))]
    left = [each for i, each in enumerate(sent) if each.child != frame or i >= first]
    start = min(each.received_ns for each in left if not each.is_static)
    return Planted(left, "late start", frame, start)


def not_finite(random: Random, sent: Drive) -> Planted:
    frame = str(random.choice(MOVING))
    places = somewhere(random, sent, frame, int(random.integers(1, 8)))
    changed = list(sent)
    for i in places:
        quaternion = np.array(sent[i].quaternion)
        quaternion[int(random.integers(4))] = np.nan
        changed[i] = replace(sent[i], quaternion=quaternion)
    return Planted(changed, "not finite", frame, sent[places[0]].received_ns)


def not_unit(random: Random, sent: Drive) -> Planted:
    frame = str(random.choice(MOVING))
    places = somewhere(random, sent, frame, int(random.integers(1, 8)))
    scale = float(random.choice([0.0, 0.5, 2.0]))
    changed = list(sent)
    for i in places:
        changed[i] = replace(sent[i], quaternion=scale * np.array(sent[i].quaternion))
    return Planted(changed, "not unit", frame, sent[places[0]].received_ns)


def nearly_unit(random: Random, sent: Drive) -> Planted:
    frame = str(random.choice(MOVING))
    changed = [
        replace(each, quaternion=1.002 * np.array(each.quaternion)) if each.child == frame else each for each in sent
    ]
    return Planted(changed, "nearly unit", frame, None)


def own_parent(random: Random, sent: Drive) -> Planted:
    place = somewhere(random, sent, "base_link")[0]
    extra = replace(sent[place], parent="base_link", log_ns=sent[place].received_ns + 1)
    return Planted([*sent, extra], "own parent", "base_link", extra.received_ns)


def no_name(random: Random, sent: Drive) -> Planted:
    place = somewhere(random, sent, "base_link")[0]
    extra = replace(sent[place], parent="", log_ns=sent[place].received_ns + 1)
    return Planted([*sent, extra], "no name", "base_link", extra.received_ns)


def jump(random: Random, sent: Drive) -> Planted:
    frame = str(random.choice(["base_link", "odom"]))
    place = somewhere(random, sent, frame)[0]
    by = random.choice([-1, 1], 3) * random.uniform(2.0, 5.0, 3)
    changed = [
        replace(each, position=np.array(each.position) + by) if each.child == frame and i >= place else each
        for i, each in enumerate(sent)
    ]
    return Planted(changed, "jump", frame, sent[place].received_ns)


def outlier(random: Random, sent: Drive) -> Planted:
    frame = str(random.choice(["base_link", "odom", "wheel_left"]))
    place = somewhere(random, sent, frame)[0]
    changed = list(sent)
    changed[place] = replace(sent[place], position=np.array(sent[place].position) + 3.0)
    return Planted(changed, "outlier", frame, sent[place].received_ns)


FAULTS: dict[str, Callable[[Random, Drive], Planted]] = {
    each.__name__: each
    for each in (
        *(two_parents, static_two_parents, static_and_moving, loop, apart, other_case, slash, static_changed),
        *(
            static_late,
            repeated,
            backward,
            future,
            late,
            clock_back,
            spread,
            gap,
            silence,
            late_start,
            not_finite,
            not_unit,
        ),
        *(nearly_unit, own_parent, no_name, jump, outlier),
    )
}

"""Findings about the joints of described robots: states laid against transforms, limits and velocities, and names."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from framescope.core.errors import Severity, counted, near_miss
from framescope.core.kernels.validation import Array
from framescope.core.scene.schema.motions import Joint as SceneJoint
from framescope.core.scene.schema.stamps import NS
from framescope.features.bags.core.joint_states import JointTrack
from framescope.features.evidence.core.account import Agreement, Fault, FaultKind, Finding
from framescope.features.evidence.core.faults import SEVERITIES
from framescope.features.evidence.core.joint_fits import FEWEST, SAME, JointFault, JointFit, fit_joint
from framescope.features.evidence.core.mean_squares import root_mean_square
from framescope.features.evidence.core.readings import Readings
from framescope.features.evidence.core.robot_joints import RobotJoints, SentJoint, is_turning
from framescope.features.evidence.core.robot_readings import Chain
from framescope.features.evidence.core.wording import listed, percent_words, three_digits
from framescope.features.robots.core.joint_units import JointColumn, decide_units
from framescope.features.robots.core.link_poses import MOVING
from framescope.features.robots.core.robot import Joint

MOST_NAMED = 4
"""Limit of joints that a sentence names."""

LARGEST_SHARE = 0.2
"""Part of a topic's steps that jump forth and back from which two publishers send one joint."""

LEAST_JUMP = 0.02
"""Jump forth and back from which two publishers send one joint, rad or m."""

ROUNDING = 1e-6
"""Difference of values up to which it is one of rounding, rad or m."""

ALIKE, RATE_LIMIT = 0.95, 0.1
"""Least correlation of velocities with changes of the values, and deviation of their ratio that is accepted."""


@dataclass(frozen=True, eq=False)
class JointEvidence:
    """What the joints of a recording prove.

    Attributes
    ----------
    readings
        Values of joints that are compared: as published, and by transforms.
    findings, agreements
        As in an account.
    """

    readings: tuple[Readings, ...] = ()
    findings: tuple[Finding, ...] = ()
    agreements: tuple[Agreement, ...] = ()


@dataclass(frozen=True, eq=False)
class _Compared:
    joint: Joint
    track: JointTrack
    sent: SentJoint
    fit: JointFit

    @property
    def name(self) -> str:
        return joint_name(self.joint.name, self.track.topic)

    @property
    def is_at_odds(self) -> bool:
        return bool(self.fit.faults) or not self.fit.is_explained


def joint_name(joint: str, topic: str) -> str:
    """Return the name of the values of a joint by a topic."""
    return f"joint {joint} of {topic}"


def examine_joints(robots: Sequence[RobotJoints], start_ns: int, chains: Sequence[Chain] = ()) -> JointEvidence:
    """Return what the states of the joints of described robots prove.

    Parameters
    ----------
    robots
        The robots.
    chains
        Joints of the robots compared with sensors on their links.
    start_ns
        Stamp of time zero, ns.
    """
    parts = [_examine(robot, start_ns) for robot in robots]
    findings = [finding for part in parts for finding in part.findings]
    blamed = {name for finding in findings for name in finding.readings}
    findings += chain_findings(chains, blamed, start_ns)
    return JointEvidence(
        tuple(readings for part in parts for readings in part.readings),
        tuple(findings),
        tuple(agreement for part in parts for agreement in part.agreements),
    )


def chain_findings(chains: Sequence[Chain], blamed: Collection[str], start_ns: int) -> Iterator[Finding]:
    """Yield the findings about joints that do not turn a sensor as it reads.

    Parameters
    ----------
    chains
        Joints compared with sensors.
    blamed
        Names of readings that other findings blame already.
    start_ns
        Stamp of time zero, ns.
    """
    for chain in chains:
        fit = chain.fit
        first = next(iter(fit.explanations), None)
        if first is None or any(joint_name(name, chain.topic) in blamed for name in first.joints):
            continue
        shown = fit.explanations[:MOST_NAMED]
        parts = [
            f"{names_words(fault.joints)} of {chain.topic} {'is' if len(fault.joints) == 1 else 'are'} {fault.words}"
            for fault in shown
        ]
        cause = parts[0] if len(parts) == 1 else f"Either {listed(parts, 'or')}"
        percent = [percent_words(size) for size in (fit.explained, fit.difference)]
        sentence = (
            f"{cause}: {chain.frame} then turns as {chain.sensor} reads, with a difference of {percent[0]} instead of"
            f" {percent[1]}."
        )
        faults = tuple(fault for each in shown for fault in each.faults(partial(joint_name, topic=chain.topic)))
        shift = (chain.start_ns - start_ns) / NS
        severity: Severity = "red" if len(shown) == 1 else "amber"
        yield Finding(
            sentence,
            severity,
            tuple(dict.fromkeys([*(fault.readings for fault in faults), chain.sensor])),
            faults,
            stretch=(fit.stretch[0] + shift, fit.stretch[1] + shift),
            is_certain=len(shown) == 1,
            frame=chain.frame,
        )


def _examine(robot: RobotJoints, start_ns: int) -> JointEvidence:
    compared = list(_compare(robot, start_ns))
    orders = list(_orders(compared, start_ns))
    ordered = {name for finding in orders for name in finding.readings}
    findings = [*orders, *_fault_findings([each for each in compared if each.name not in ordered], compared)]
    blamed = {name for finding in findings for name in finding.readings}
    findings += _by_limits(robot, blamed | {each.name for each in compared}, start_ns)
    findings += _by_velocities(robot, blamed, start_ns)
    findings += [*_twice(robot, start_ns), *_unknown_names(robot)]
    own = {finding.readings: finding for finding in orders}
    agreements = tuple(_agreement(each, own) for each in compared)
    readings = {each.name: each for each in _readings(compared, start_ns)}
    for each in _readings_of_states(robot, {name for finding in findings for name in finding.readings}, start_ns):
        readings.setdefault(each.name, each)
    return JointEvidence(tuple(readings.values()), tuple(findings), agreements)


def _compare(robot: RobotJoints, start_ns: int) -> Iterator[_Compared]:
    """Yield the joints with states and transforms, compared."""
    for track in robot.states:
        joint, sent = robot.joints.get(track.name), robot.sent.get(track.name)
        if joint is None or sent is None or np.isnan(track.position).all():
            continue
        t, x = _in_time(track, start_ns)
        fit = fit_joint(t, x, (sent.stamp_ns - start_ns) / NS, sent.values, is_angle=is_turning(joint))
        if fit is not None:
            yield _Compared(joint, track, sent, fit)


def _in_time(track: JointTrack, start_ns: int) -> tuple[Array, Array]:
    """Return times, s, and values of a joint."""
    stamps, values = track.in_order()
    return (stamps - start_ns) / NS, values


# --- Joints in another order


def _orders(compared: Sequence[_Compared], start_ns: int) -> Iterator[Finding]:
    """Yield findings about joints of one topic whose values are those of each other."""
    by_topic: dict[tuple[str, str], list[_Compared]] = {}
    for each in compared:
        by_topic.setdefault((each.track.topic, each.track.publisher), []).append(each)
    for members in by_topic.values():
        at_odds = [each for each in members if each.is_at_odds]
        owners: dict[int, int] = {}
        for i, each in enumerate(at_odds):
            fits = [k for k, other in enumerate(at_odds) if k != i and _is_of(other, each, start_ns)]
            if len(fits) == 1:
                owners[i] = fits[0]
        cycle = {i for i in owners if owners[i] in owners}
        while any(owners[i] not in cycle for i in cycle):
            cycle = {i for i in cycle if owners[i] in cycle}
        if len(cycle) < 2 or {owners[i] for i in cycle} != cycle:
            continue
        yield _order_finding([at_odds[i] for i in sorted(cycle)], {at_odds[i].name: at_odds[owners[i]] for i in cycle})


def _is_of(other: _Compared, owner: _Compared, start_ns: int) -> bool:
    """Return whether the values that are published for another joint are those of the transforms of a joint."""
    if is_turning(other.joint) != is_turning(owner.joint):
        return False
    t, x = _in_time(other.track, start_ns)
    sent = owner.sent
    fit = fit_joint(t, x, (sent.stamp_ns - start_ns) / NS, sent.values, is_angle=is_turning(owner.joint))
    return fit is not None and fit.is_explained and not fit.faults


def _order_finding(members: Sequence[_Compared], owners: dict[str, _Compared]) -> Finding:
    """Return the finding about joints whose values belong to each other; `owners` publish the values of each."""
    topic, source = members[0].track.topic, members[0].sent.source
    names = [each.joint.name for each in members]
    if len(members) == 2:
        sentence = f"{listed(names)} of {topic} are swapped: each has the values that {source} has for the other."
    else:
        parts = [f"{owners[each.name].joint.name} has those of {each.joint.name}" for each in members]
        sentence = f"The values of {listed(names)} in {topic} are in another order than their names: {listed(parts)}."
    is_certain = not any(_is_single(each.fit.faults) for each in members)
    words = "swapped" if len(members) == 2 else "in another order"
    faults = tuple(Fault("joint order", each.name, words) for each in members)
    stretch = _stretch(members)
    return Finding(
        sentence, "red", tuple(each.name for each in members), faults, stretch=stretch, is_certain=is_certain,
        frame=members[0].sent.frame,
    )  # fmt: skip


def _is_single(faults: tuple[JointFault, ...]) -> bool:
    return len(faults) == 1 and faults[0].kind in ("unit", "sign")


def _stretch(members: Sequence[_Compared]) -> tuple[float, float]:
    t = np.concatenate([each.fit.t for each in members])
    return float(t.min()), float(t.max())


# --- Faults of single joints


def _fault_findings(at_odds: Sequence[_Compared], compared: Sequence[_Compared]) -> Iterator[Finding]:
    """Yield the findings about faults, those of joints with the same faults in one sentence."""
    agreed = {each.joint.name for each in compared if not each.is_at_odds}
    groups: dict[tuple[str, str, tuple[str, ...]], list[_Compared]] = {}
    for each in at_odds:
        if each.is_at_odds:
            key = each.track.topic, each.sent.source, tuple(fault.words for fault in each.fit.faults)
            groups.setdefault(key, []).append(each)
    for (topic, source, words), members in groups.items():
        kinds: list[FaultKind] = [fault.kind for fault in members[0].fit.faults]
        severities = [SEVERITIES.get(kind, "red") for kind in kinds] or ["amber"]
        severity: Severity = "red" if "red" in severities else "amber"
        if all(each.joint.name in agreed for each in members):
            severity = "note"  # another topic has the values of the transforms
        subject = f"{_subject(members)} of {topic}"
        be = "is" if len(members) == 1 else "are"
        worst = max(members, key=lambda each: root_mean_square(each.fit.before, 0.0))
        unit = "rad" if is_turning(worst.joint) else "m"
        rms = [size_words(root_mean_square(x, 0.0)) for x in (worst.fit.before, worst.fit.after)]
        if words:
            sentence = (
                f"{subject} {be} {listed(words)}: compared with the transforms in {source}, the difference is then"
                f" {rms[1]} instead of {rms[0]} {unit}."
            )
        else:
            sentence = (
                f"{subject} and the transforms in {source} contradict each other: they differ by {rms[0]} {unit}, and"
                " no unit, sign, offset or delay explains it. Two publishers may send them: keep one."
            )
        names = tuple(each.name for each in members)
        # Joints with the same words have the same fault: its size is the median of theirs.
        sizes = [
            tuple(np.median([each.fit.faults[k].value for each in members], axis=0).tolist()) for k in range(len(kinds))
        ]
        faults = tuple(
            Fault(fault.kind, each.name, fault.words, size)
            for each in members
            for fault, size in zip(each.fit.faults, sizes, strict=True)
        )
        yield Finding(sentence, severity, names, faults, stretch=_stretch(members), frame=members[0].sent.frame)


def _subject(members: Sequence[_Compared]) -> str:
    return names_words([each.joint.name for each in members])


def names_words(names: Sequence[str]) -> str:
    """Return the names of joints in a sentence; of many the first ones.

    >>> names_words(["a", "b"]), names_words(["a", "b", "c", "d", "e", "f"])
    ('a and b', 'a, b, c, d and 2 others')
    """
    if len(names) <= MOST_NAMED + 1:
        return listed(names)
    return listed([*names[:MOST_NAMED], f"{len(names) - MOST_NAMED} others"])


def size_words(size: float) -> str:
    """Return a difference with three digits; that of rounding is zero.

    >>> size_words(1.234e-2), size_words(1e-16)
    ('0.0123', '0')
    """
    return three_digits(size) if size > ROUNDING else "0"


def _agreement(each: _Compared, orders: dict[tuple[str, ...], Finding]) -> Agreement:
    fit, first, second = each.fit, each.name, joint_name(each.joint.name, each.sent.source)
    faults = tuple(Fault(fault.kind, first, fault.words, fault.value) for fault in fit.faults)
    for finding in orders.values():
        if first in finding.readings:
            faults = tuple(fault for fault in finding.faults if fault.readings == first)
    unit = "rad" if is_turning(each.joint) else "m"
    before, after = root_mean_square(fit.before, 0.0), root_mean_square(fit.after, 0.0)
    is_order = any(fault.kind == "joint order" for fault in faults)
    verdict = "explained" if faults else "agree" if fit.is_explained else "contradict"
    pair = f"{first} and {second}"
    if verdict == "agree":
        sentence = f"{pair} agree: {size_words(after)} {unit} rms."
    elif is_order:
        sentence = f"{pair} differ by {size_words(before)} {unit} rms: the values are those of another joint."
        after = before
    elif faults:
        words = listed(fault.words for fault in faults)
        sentence = f"{pair} agree if it is {words}: {size_words(after)} instead of {size_words(before)} {unit} rms."
    else:
        sentence = f"{pair} contradict each other: {size_words(before)} {unit} rms."
    stretch = float(fit.t[0]), float(fit.t[-1])
    residual = np.abs(np.stack([fit.before, fit.before if is_order else fit.after], axis=1))
    miss = after / SAME[is_turning(each.joint)]
    return Agreement(
        first, second, verdict, faults, fit.apart, miss, before, after, unit, stretch, sentence, fit.t, residual
    )


def _readings(compared: Sequence[_Compared], start_ns: int) -> Iterator[Readings]:
    """Yield the values of compared joints by states and by transforms."""
    for each in compared:
        t, x = _in_time(each.track, start_ns)
        sent = each.sent
        other = joint_name(each.joint.name, sent.source)
        pair = (
            (each.name, each.track.topic, t, x),
            (other, sent.source, (sent.stamp_ns - start_ns) / NS, sent.values),
        )
        for name, source, times, values in pair:
            yield Readings(name, source, "joint", times, values[:, np.newaxis], sent.frame, sent.reference)


def _readings_of_states(robot: RobotJoints, names: Collection[str], start_ns: int) -> Iterator[Readings]:
    """Yield the values of some joints by states."""
    for track in robot.states:
        name, joint = joint_name(track.name, track.topic), robot.joints.get(track.name)
        if name in names:
            t, x = _in_time(track, start_ns)
            frames = ("", "") if joint is None else (robot.frame_of(joint.child), robot.frame_of(joint.parent))
            yield Readings(name, track.topic, "joint", t, x[:, np.newaxis], *frames)


# --- Without transforms


def _by_limits(robot: RobotJoints, known: set[str], start_ns: int) -> Iterator[Finding]:
    """Yield the topics whose angles are in degrees by the limits of their joints."""
    by_topic: dict[str, list[JointTrack]] = {}
    for track in robot.states:
        joint = robot.joints.get(track.name)
        is_new = joint_name(track.name, track.topic) not in known and len(track.position) >= FEWEST
        if joint is not None and joint.type == "revolute" and joint.limits is not None and is_new:
            by_topic.setdefault(track.topic, []).append(track)
    for topic, all_tracks in by_topic.items():
        tracks = list({track.name: track for track in all_tracks if np.isfinite(track.position).any()}.values())
        columns = [
            JointColumn(track.name, track.name, _with_limits(robot.joints[track.name]), track.position)
            for track in tracks
        ]
        if not columns:
            continue
        _, decision = decide_units(columns, np.zeros(0), {})
        if decision is None or decision.value != "deg" or decision.certainty not in ("certain", "format"):
            continue
        names = tuple(joint_name(track.name, topic) for track in tracks)
        subject = f"{names_words([track.name for track in tracks])} of {topic}"
        be = "is" if len(tracks) == 1 else "are"
        sentence = f"{subject} {be} in degrees: {decision.reason} of {robot.source}. Joint states are in rad."
        faults = tuple(Fault("unit", name, "in degrees", (float(np.degrees(1.0)),)) for name in names)
        frame = robot.frame_of(robot.joints[tracks[0].name].child)
        yield Finding(sentence, "red", names, faults, stretch=_span(tracks, start_ns), frame=frame)


def _with_limits(joint: Joint) -> SceneJoint:
    limits = joint.limits
    lower, upper = (None, None) if limits is None else (limits.lower, limits.upper)
    return SceneJoint(type="revolute", unit="rad", lower=lower, upper=upper)


def _span(tracks: Sequence[JointTrack], start_ns: int) -> tuple[float, float]:
    first = min(int(track.stamp_ns.min()) for track in tracks)
    last = max(int(track.stamp_ns.max()) for track in tracks)
    return (first - start_ns) / NS, (last - start_ns) / NS


def _by_velocities(robot: RobotJoints, blamed: set[str], start_ns: int) -> Iterator[Finding]:
    """Yield the joints whose velocities are not the rates of their values, by unit or sign."""
    groups: dict[tuple[str, str], list[tuple[JointTrack, float]]] = {}
    for track in robot.states:
        joint = robot.joints.get(track.name)
        if joint is None or joint_name(track.name, track.topic) in blamed or joint.type not in MOVING:
            continue
        ratio = rate_ratio(track, start_ns, is_angle=is_turning(joint))
        words = "" if ratio is None else _rate_words(ratio, is_angle=is_turning(joint))
        if words and ratio is not None:
            groups.setdefault((track.topic, words), []).append((track, ratio))
    for (topic, words), members in groups.items():
        tracks = [track for track, _ in members]
        names = tuple(joint_name(track.name, topic) for track in tracks)
        subject = names_words([track.name for track in tracks])
        is_sign = "sign" in words
        kind: FaultKind = "sign" if is_sign else "unit"
        ratio = float(np.median([ratio for _, ratio in members]))
        number = "" if is_sign else f" (ratio {three_digits(ratio)})"
        have = "has" if len(tracks) == 1 else "have"
        sentence = f"{subject} of {topic} {have} {words}: the change of the values over time shows it{number}."
        faults = tuple(Fault(kind, name, f"has {words}") for name in names)
        frame = robot.frame_of(robot.joints[tracks[0].name].child)
        yield Finding(sentence, "red", names, faults, stretch=_span(tracks, start_ns), frame=frame)


def _rate_words(ratio: float, *, is_angle: bool) -> str:
    expected = {1.0: "", -1.0: "a velocity of opposite sign"}
    if is_angle:
        degree = float(np.degrees(1.0))
        expected |= {
            1.0 / degree: "the position in degrees and the velocity in rad/s",
            degree: "the velocity in degrees per second and the position in rad",
        }
    return next((words for value, words in expected.items() if abs(ratio / value - 1.0) < RATE_LIMIT), "")


def rate_ratio(track: JointTrack, start_ns: int, *, is_angle: bool) -> float | None:
    """Return the ratio of the velocities of a joint to the rates of its values; None if the two do not correlate."""
    good = np.flatnonzero(np.isfinite(track.position) & np.isfinite(track.velocity))
    stamps, first = np.unique(track.stamp_ns[good], return_index=True)
    t, x, v = (stamps - start_ns) / NS, track.position[good][first], track.velocity[good][first]
    if len(t) < 4 * FEWEST:
        return None
    if is_angle and np.abs(x).max() <= 2.0 * np.pi and np.ptp(np.diff(x)) > np.pi:
        x = np.unwrap(x)
    travel = np.append(0.0, np.cumsum(0.5 * (v[1:] + v[:-1]) * np.diff(t)))
    # Changes over several samples average the noise of encoders.
    k = max(1, len(t) // 200)
    moved, expected = x[k:] - x[:-k], travel[k:] - travel[:-k]
    xx, vv, xv = float(moved @ moved), float(expected @ expected), float(moved @ expected)
    if min(xx, vv) <= 0.0 or np.ptp(x) < 4.0 * SAME[is_angle] or abs(xv) < ALIKE * np.sqrt(xx * vv):
        return None
    return float(np.sign(xv) * np.sqrt(vv / xx))


# --- Names


def _twice(robot: RobotJoints, start_ns: int) -> Iterator[Finding]:
    """Yield the joints that one message names twice, or that two publishers send with different values."""
    groups: dict[tuple[str, str], list[JointTrack]] = {}
    for track in robot.states:
        words = "once by each of two publishers whose values differ" if jumps_to_and_fro(track.position) else ""
        others = [
            other
            for other in robot.states
            if other is not track and (other.topic, other.name) == (track.topic, track.name)
        ]
        if any(_differ(track, other) for other in others):
            senders = sorted({track.publisher, *(other.publisher for other in others)} - {""})
            words = f"by {listed(senders)}, with different values"
        if track.n_repeats:
            words = f"within one message, in {counted(track.n_repeats, 'message')}"
        if words:
            groups.setdefault((track.topic, words), []).append(track)
    for (topic, words), tracks in groups.items():
        names = list(dict.fromkeys(track.name for track in tracks))
        be = "is" if len(names) == 1 else "are"
        sentence = f"{names_words(names)} of {topic} {be} published twice, {words}. Keep one publisher of each joint."
        readings = tuple(dict.fromkeys(joint_name(name, topic) for name in names))
        faults = tuple(Fault("joint name", name, "published twice") for name in readings)
        joint = robot.joints.get(names[0])
        frame = "" if joint is None else robot.frame_of(joint.child)
        yield Finding(sentence, "amber", readings, faults, stretch=_span(tracks, start_ns), frame=frame)


def jumps_to_and_fro(x: Array) -> bool:
    """Return whether values of one joint alternate between two courses, as of two publishers.

    >>> jumps_to_and_fro(np.tile([0.0, 0.5], 20)), jumps_to_and_fro(np.sin(np.arange(40.0) / 5))
    (True, False)
    """
    x = x[np.isfinite(x)]
    if len(x) < 4 * FEWEST:
        return False
    step, leap = np.abs(np.diff(x)), np.abs(x[2:] - x[:-2])
    is_jump = (np.minimum(step[:-1], step[1:]) > LEAST_JUMP) & (np.minimum(step[:-1], step[1:]) > 5.0 * leap)
    return bool(np.mean(is_jump) > LARGEST_SHARE)


def _differ(track: JointTrack, other: JointTrack) -> bool:
    """Return whether two publishers send different values of a joint during the same time."""
    (t1, x1), (t2, x2) = (_in_time(each, 0) for each in (track, other))
    if min(len(x1), len(x2)) < 2:
        return False
    rows = (t1 >= t2[0]) & (t1 <= t2[-1])
    apart = np.abs(x1[rows] - np.interp(t1[rows], t2, x2))
    return bool(rows.sum() >= FEWEST and np.median(apart) > LEAST_JUMP)


def _unknown_names(robot: RobotJoints) -> Iterator[Finding]:
    """Yield the topics that name joints which the description lacks."""
    by_topic: dict[str, dict[str, None]] = {}
    for track in robot.states:
        by_topic.setdefault(track.topic, {})[track.name] = None
    known = set(robot.joints)
    for topic, names in by_topic.items():
        unknown = [name for name in names if name not in known]
        if not unknown:
            continue
        free = [name for name, joint in robot.joints.items() if name not in names and joint.type in MOVING]
        meant = {name: other for name in unknown if (other := near_miss(name, free)) is not None}
        is_strange = len(unknown) == len(names) and bool(free)
        severity: Severity = "amber" if meant or is_strange else "note"
        spelt = [f'"{name}" may be meant for "{other}"' for name, other in list(meant.items())[:MOST_NAMED]]
        hint = f" {'; '.join(spelt)}." if spelt else ""
        effect = "robot_state_publisher ignores " + ("it" if len(unknown) == 1 else "them")
        sentence = f"{robot.source} has no joint {names_words(unknown)}, which {topic} publishes: {effect}.{hint}"
        readings = tuple(joint_name(name, topic) for name in unknown)
        faults = tuple(Fault("joint name", name, "not in the description") for name in readings)
        yield Finding(sentence, severity, readings, faults, stretch=(float("nan"), float("nan")))

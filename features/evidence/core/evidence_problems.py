"""Problems of the sensors of recordings: the sentences of an account, at the frames of a scene or of a bag."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from framescope.core.analysis.diagnostics.diagnosis import make_problem
from framescope.core.errors import Fix, KeyPath, Problem
from framescope.core.evaluation.evaluate import Plan
from framescope.core.scene.schema.stamps import NS
from framescope.features.bags.core.bag import Bag
from framescope.features.bags.core.bag_file import open_bag
from framescope.features.bags.core.joint_states import read_joint_tracks
from framescope.features.evidence.core.account import Account, Agreement, FaultKind, Finding
from framescope.features.evidence.core.attitudes import corrected_log, misread_attitudes, with_misread
from framescope.features.evidence.core.bag_log import BagReadings, read_bag
from framescope.features.evidence.core.examine import ORDER, examine
from framescope.features.evidence.core.force_lengths import length_findings
from framescope.features.evidence.core.joint_findings import examine_joints
from framescope.features.evidence.core.mends import Snippet, fix_lines, in_sent_parent, mount_fix, snippets_of
from framescope.features.evidence.core.readings import Readings, SensorLog
from framescope.features.evidence.core.scene_readings import SceneBag, bags_of, restate_mounts
from framescope.features.evidence.core.scene_tables import SceneTables, tables_of
from framescope.features.evidence.core.wheel_findings import examine_wheels
from framescope.features.robots.core.moved_links import robot_of

MOST_TIMES = 2000
"""Largest number of times of a comparison that leaves the process that made it."""

TITLES: Mapping[FaultKind, str] = {
    "quaternion order": "order of a quaternion",
    "inverse": "inverse orientation",
    "world axes": "axes of the reference",
    "body axes": "axes of the frame",
    "doubled axes": "axes of reference and frame",
    "mirrored axes": "mirrored axes",
    "mounting": "mounted otherwise",
    "wrong frame": "wrong frame",
    "resolved in reference": "resolved in the reference",
    "resolved in frame": "resolved in the frame",
    "unit": "wrong unit",
    "sign": "wrong sign",
    "scale": "wrong scale",
    "bias": "constant offset",
    "gravity removed": "gravity removed",
    "starts as zero": "starts as zero",
    "delay": "shifted stamps",
    "clock drift": "clock at another rate",
    "angles": "angles of an orientation",
    "joint order": "joints in another order",
    "joint name": "names of joints",
}
"""Titles of problems by the kind of the most important fault."""

CONTRADICTION, NOTE = "contradicting sensors", "sensors compared"
"""Titles of findings without a fault, by whether they are problems."""


@dataclass(frozen=True, eq=False)
class BagEvidence:
    """Account of a bag, or of the tables, that a scene refers to; its times are those of the scene, s."""

    bag: SceneBag
    account: Account


def recordings_of(plan: Plan) -> tuple[SceneBag, ...]:
    """Return the recordings of sensors that a scene refers to: its bags, and its tables in one."""
    return (*bags_of(plan), *tables_of(plan))


def examine_scene_bag(part: SceneBag) -> BagEvidence:
    """Return the account of a recording with the mounts that a scene states; raise as `open_bag`.

    The account holds no readings any more, and of each comparison up to `MOST_TIMES` times.
    """
    if isinstance(part, SceneTables):
        account = without_readings(_account_of(part.log(), BagReadings(SensorLog(()))))
        return BagEvidence(replace(part, readings=()), account)
    with open_bag(part.file) as bag:
        contents = read_bag(bag, {path.name: robot_of(path) for path in part.robots})
        zero = _first_state_ns(bag) - round(part.joint_start * NS) if part.zero_ns is None else part.zero_ns
    log = restate_mounts(contents.log, part.poses, "the scene")
    log = shift_times(log, (log.start_ns - zero) / NS if log.start_ns else 0.0)
    return BagEvidence(part, without_readings(_account_of(log, contents)))


def _first_state_ns(bag: Bag) -> int:
    """Return the first stamp of the joint states of a bag, ns."""
    tracks = read_joint_tracks(bag, [])
    return min((int(track.stamp_ns.min()) for track in tracks if not np.isnan(track.position).all()), default=0)


def is_comparable(log: SensorLog) -> bool:
    """Return whether a log has readings of several sources, or of rates or forces beside poses.

    Transforms alone contradict nothing.
    """
    quantities = {readings.quantity for readings in log.readings}
    return len({readings.source for readings in log.readings}) > 1 or not quantities <= _POSES


_POSES = {"position", "orientation"}


def _account_of(log: SensorLog, contents: BagReadings) -> Account:
    """Return the account of a log and of the joints of the robots of its bag."""
    misread = misread_attitudes(log)
    account = examine(corrected_log(log, misread)) if is_comparable(log) else Account(log, (), ())
    account = with_misread(account, log, misread)
    joints = examine_joints(contents.robots, log.start_ns, contents.chains)
    blamed = {fault.readings for finding in account.findings for fault in finding.faults}
    wheels = examine_wheels(contents.robots, log, blamed)
    findings = (*account.findings, *length_findings(log, account.findings), *joints.findings, *wheels.findings)
    return Account(
        replace(account.log, readings=(*account.log.readings, *joints.readings, *wheels.readings)),
        tuple(sorted(findings, key=lambda finding: ORDER[finding.severity])),
        (*account.agreements, *joints.agreements, *wheels.agreements),
    )


def without_readings(account: Account) -> Account:
    """Return an account whose readings have no values, with at most `MOST_TIMES` times of each comparison."""
    log = replace(account.log, readings=tuple(map(_without_values, account.log.readings)))
    return replace(account, log=log, agreements=tuple(map(_thin, account.agreements)))


def _without_values(readings: Readings) -> Readings:
    return replace(readings, t=readings.t[:0].copy(), values=readings.values[:0].copy(), received=None)


def _thin(agreement: Agreement) -> Agreement:
    """Return a comparison with the time of the largest difference in each of many parts of its time."""
    n = len(agreement.t)
    if n <= MOST_TIMES:
        return agreement
    largest = np.nan_to_num(np.abs(agreement.residual).max(axis=1), nan=-1.0)
    edges = np.linspace(0, n, MOST_TIMES + 1).astype(int)
    rows = np.array([a + int(np.argmax(largest[a:b])) for a, b in pairwise(edges.tolist())])
    return replace(agreement, t=agreement.t[rows].copy(), residual=agreement.residual[rows].copy())


def shift_times(log: SensorLog, by: float) -> SensorLog:
    """Return a log whose stamps and times of reception are later by some seconds."""
    readings = tuple(_shifted(each, by) for each in log.readings)
    return replace(log, readings=readings, start_ns=log.start_ns - round(by * NS))


def _shifted(readings: Readings, by: float) -> Readings:
    received = None if readings.received is None else readings.received + by
    return replace(readings, t=readings.t + by, received=received)


def evidence_problems(plan: Plan) -> Iterator[Problem]:
    """Yield what the sensors of the bags and tables of a scene prove against it; may be called on any thread.

    It takes up to 20 s for a long recording, so that the window calls `examine_scene_bag` in another process instead.
    """
    for part in recordings_of(plan):
        yield from problems_of(plan, (examine_scene_bag(part),))


def problems_of(plan: Plan, accounts: Sequence[BagEvidence]) -> Iterator[Problem]:
    """Yield the problems of a scene that accounts of its bags state; notes are none."""
    for evidence in accounts:
        for finding in evidence.account.findings:
            if finding.severity != "note":
                problem = problem_of(finding, evidence.account, _place(plan, evidence.bag, finding, evidence.account))
                fix = mount_fix(plan, evidence.bag, finding)
                yield problem if fix is None else replace(problem, fix=fix)


def bag_evidence(bag: Bag) -> Iterator[Problem]:
    """Yield what the sensors of an open bag prove, notes included; times are in s since the bag begins."""
    contents = read_bag(bag)
    account = _account_of(contents.log, contents)
    for finding in account.findings:
        frame = frame_of(finding, account)
        problem = problem_of(finding, account, ("bag", frame or _source_of(finding, account)))
        lines = () if finding.severity == "note" else _lines_for(finding, account.log)
        fixes = tuple(Fix(line, line) for line in lines)
        times = finding.stretch if np.isfinite(finding.stretch).all() else ()
        yield replace(problem, times=times, fix=next(iter(fixes), None), others=fixes[1:])


def _lines_for(finding: Finding, log: SensorLog) -> tuple[str, ...]:
    """Return the lines that mend a finding: a frame stays in the parent and the place that the recording states."""
    mounting = finding.mounting
    if mounting is None:
        return fix_lines(finding)
    pair = mounting.parent, mounting.frame
    stated = next((mount for mount in log.mounts if (mount.parent, mount.frame) == pair), None)
    if stated is None:
        return fix_lines(finding)
    if stated.sent is None:
        return fix_lines(finding, stated.p)
    return fix_lines(replace(finding, mounting=in_sent_parent(mounting, stated, stated.sent)), stated.sent.p)


def problem_of(finding: Finding, account: Account, place: KeyPath) -> Problem:
    """Return the problem of a finding at a place."""
    kinds: list[FaultKind] = [fault.kind for fault in finding.faults]
    if finding.mounting is not None and not kinds:
        kinds.append("mounting")
    title = TITLES[kinds[0]] if kinds else NOTE if finding.severity == "note" else CONTRADICTION
    kind = f"evidence {kinds[0]}" if kinds else "evidence"
    sentence, frame = finding.sentence, frame_of(finding, account)
    if frame and sentence.startswith(f"{frame} "):
        sentence = f'"{frame}"{sentence.removeprefix(frame)}'  # a name must not be capitalized
    hint = "" if finding.is_certain else "Another explanation fits nearly as well."
    has_time = finding.severity != "note" and np.isfinite(finding.stretch[0])
    times = (finding.stretch[0],) if has_time else ()
    return make_problem(place, kind, title, sentence, hint, severity=finding.severity, times=times)


def frame_of(finding: Finding, account: Account) -> str:
    """Return the frame that a finding is about, as the recording names it; empty if it names none."""
    if finding.mounting is not None:
        return finding.mounting.frame
    if finding.frame:
        return finding.frame.removeprefix("/")
    faulty = [fault.readings for fault in finding.faults] or list(finding.readings)
    frames = (each.frame for name in faulty for each in account.log.readings if each.name == name)
    return next(filter(None, frames), "").removeprefix("/")


def _source_of(finding: Finding, account: Account) -> str:
    return next((each.source for each in account.log.readings if each.name in finding.readings), "sensors")


def _place(plan: Plan, bag: SceneBag, finding: Finding, account: Account) -> KeyPath:
    frame = frame_of(finding, account)
    name = bag.scene_name(frame)
    return ("frames", name) if name in plan.scene.frames else ("bag", frame or _source_of(finding, account))


def mends_outside(bag: SceneBag, finding: Finding) -> tuple[Snippet, ...]:
    """Return the texts that mend a finding outside of a scene.

    The frame keeps the position that the scene states, where the finding has none.
    """
    mounting = finding.mounting
    stated = None if mounting is None else bag.stated_pose(mounting.parent, mounting.frame)
    return snippets_of(finding, None if stated is None else stated.p_AB)

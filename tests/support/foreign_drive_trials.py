"""Judgement of accounts of the drives of `foreign_drives`: found, missed, wrong, cannot tell, silent, false alarm.

One drive or several, what was said of each, and a table: ``python -m tests.support.foreign_drive_trials SEED...``, with
seeds as ``7`` or ``0-60``; from 100000 they are those of healthy drives.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np
from scipy.spatial.transform import Rotation
from scipy.stats import norm

from framescope.features.evidence.core.account import Account, Fault, Finding
from framescope.features.evidence.core.examine import examine
from tests.support.foreign_drive_cases import CAN_TELL
from tests.support.foreign_drive_hypotheses import FAMILIES
from tests.support.foreign_drive_rivals import judged, mount_covariance
from tests.support.foreign_drives import BASES, HEALTHY_FROM, Drive, Planted, drive, healthy_drive
from tests.support.foreign_motions import KINDS

Array = np.ndarray

SIGMAS = 3.0
"""Standard errors within which an estimate is right."""

WITHIN_3D = 14.16
"""Chi-square of three numbers that is exceeded as seldom as three standard errors of one."""

DELAY_S = 0.002
"""Error of a delay that is right at 100 Hz, s; in proportion at lower rates."""

SURE = 26.0
"""Chi-square of the nearest rival from which the ideal search finds 95 %."""

DIRECTION_DEG = 20.0
"""Error of an open direction that is right."""

TURNING = frozenset(
    [
        *("quaternion order", "inverse", "world axes", "body axes", "doubled axes", "mirrored axes"),
        *("mounting", "wrong frame", "sign"),
    ]
)
"""Kinds of faults by which readings are turned or mirrored, as another mount of their frame turns them."""

KNOWN_DEG, OPEN_DEG = 0.5, 5.0
"""Standard errors of a mount about a direction that is known, and about one that is open, degrees."""


@dataclass(frozen=True)
class Judgement:
    """Outcome for a drive, and its parts.

    Attributes
    ----------
    outcome
        One of ``found``, ``missed``, ``wrong``, ``cannot tell``, and of healthy drives ``silent``, ``false alarm``.
    per_fault
        Kind of each planted fault, and ``found``, ``missed`` or ``cannot tell``.
    mounts, delays, directions
        For each mount, delay and open direction that could be given, whether it is right; False if it is not given.
    delay_errors
        Errors of delays that were given, where all readings have at least 100 Hz, s.
    extra
        Faults that are stated as certain and were not planted, or the sentences of false alarms.
    """

    outcome: str
    per_fault: tuple[tuple[str, str], ...] = ()
    mounts: tuple[bool, ...] = ()
    delays: tuple[bool, ...] = ()
    directions: tuple[bool, ...] = ()
    extra: tuple[str, ...] = ()
    remarks: tuple[str, ...] = field(default=(), repr=False)
    delay_errors: tuple[float, ...] = ()

    @property
    def is_right(self) -> bool:
        """Whether all that can be told is found, nothing is wrong, and open directions are named."""
        return self.outcome in ("found", "cannot tell", "silent") and all(self.directions)


def judge(account: Account, truth: Drive) -> Judgement:
    """Return the judgement of an account of a drive whose rivals are known (`judged`)."""
    alarms = [finding for finding in account.findings if finding.severity != "note"]
    remarks: list[str] = []
    mounts = _judge_mounts(account, truth, remarks)
    directions = _judge_directions(account, truth, remarks)
    if not truth.faults:
        extra = tuple(finding.sentence for finding in alarms)
        return Judgement("false alarm" if alarms else "silent", (), mounts, (), directions, extra, tuple(remarks))
    stated = [(fault, finding) for finding in alarms for fault in finding.faults]
    sure = [(fault, finding) for fault, finding in stated if finding.is_certain or _are_all_true(finding, truth)]
    per_fault = []
    for planted in truth.faults:
        is_found = any(_is_same(fault, planted, truth, remarks) for fault, _ in sure)
        is_found = is_found or (planted.kind == "mounting" and any(_is_about(f, planted, truth) for f in alarms))
        per_fault.append((planted.kind, "found" if is_found else "missed" if planted.can_tell else "cannot tell"))
    extra = tuple(
        f"{fault.kind} of {fault.readings}: {fault.words}"
        for fault, finding in stated
        if finding.is_certain
        and not any(_is_same(fault, planted, truth, []) or _is_single(fault, planted) for planted in truth.faults)
    )
    states = {state for _, state in per_fault}
    outcome = "wrong" if extra else "missed" if "missed" in states else "found" if "found" in states else "cannot tell"
    delays = tuple(
        any(_is_right_time(fault, planted, truth, remarks) for fault, _ in stated if fault.kind == planted.kind)
        for planted in truth.faults
        if planted.kind == "delay" and planted.can_tell
    )
    late = tuple(error for planted in truth.faults for error in _delay_errors(stated, planted, truth))
    return Judgement(outcome, tuple(per_fault), mounts, delays, directions, extra, tuple(remarks), late)


def _delay_errors(stated: list[tuple[Fault, Finding]], planted: Planted, truth: Drive) -> list[float]:
    """Return the smallest error of a delay at 100 Hz and more, s; none if it is not given or cannot be told."""
    if planted.kind != "delay" or not planted.can_tell or _slowest(planted, truth) < 100.0:
        return []
    errors = [_time_error(fault, planted) for fault, _ in stated if fault.kind == "delay" and fault.value]
    return sorted(errors)[:1]


def _are_all_true(finding: Finding, truth: Drive) -> bool:
    """Return whether all faults of a finding that is not certain, which are alternatives, may be the planted ones."""
    return all(any(_is_same(fault, planted, truth, []) for planted in truth.faults) for fault in finding.faults)


def _is_same(fault: Fault, planted: Planted, truth: Drive, remarks: list[str]) -> bool:
    """Return whether a fault is the planted one: by its readings, kind and value."""
    is_turned_round = fault.readings not in planted.sensors
    if is_turned_round and fault.readings not in planted.also:
        return False
    if fault.kind != planted.kind and not any({fault.kind, planted.kind} <= family for family in FAMILIES):
        return False
    if fault.kind == planted.kind and planted.kind in ("unit", "scale") and fault.value:
        return _is_factor(fault, planted.value[0], remarks)
    if fault.kind != planted.kind:
        return _is_alike(fault, planted, truth, is_turned_round=is_turned_round)
    if planted.kind == "bias" and fault.value:
        error = float(np.linalg.norm(np.array(fault.value) - np.array(planted.value)))
        size = float(np.linalg.norm(planted.value))
        if error > 0.4 * size:
            remarks.append(f"bias {fault.value}, planted {planted.value}")
        return error <= 0.4 * size
    if planted.is_of_clock and fault.value:
        sign = -1.0 if is_turned_round else 1.0
        return fault.value[-1] * sign * planted.value[0] > 0.0
    return True


def _is_single(fault: Fault, planted: Planted) -> bool:
    """Return whether a fault alone explains all planted ones, which are not to be preferred then."""
    return any(
        name == fault.readings and (kind == fault.kind or any({kind, fault.kind} <= family for family in FAMILIES))
        for kind, name in planted.single
    )


def _is_factor(fault: Fault, factor: float, remarks: list[str]) -> bool:
    sigma = fault.sigma[0] / abs(fault.value[0]) if fault.sigma else 0.0
    error = min(abs(np.log(abs(fault.value[0]) / factor)), abs(np.log(abs(fault.value[0]) * factor)))
    is_right = bool(error < max(0.03, SIGMAS * sigma))
    if not is_right:
        remarks.append(f"{fault.kind} {fault.value}, planted {factor}")
    return is_right


def _is_alike(fault: Fault, planted: Planted, truth: Drive, *, is_turned_round: bool) -> bool:
    """Return whether a fault of a kindred kind does the same to the readings."""
    if {fault.kind, planted.kind} <= {"unit", "scale"}:
        return not fault.value or _is_factor(fault, planted.value[0], [])
    if planted.is_of_clock:
        if not fault.value:
            return False
        end = truth.motion.duration if planted.kind == "clock drift" else 0.0
        return abs(fault.value[-1] * (end or 1.0)) < 0.05 if end else False
    if is_turned_round or len(fault.value) != 4:
        return True
    turn = Rotation.from_quat(fault.value)
    if planted.kind == "mounting":
        turn_of = {mount.frame: mount for mount in truth.mounts}
        frame = next(sensor.frame for sensor in truth.sensors if sensor.name in planted.sensors)
        mount = turn_of[frame]
        assert mount.stated is not None
        references = [mount.turn, mount.stated.inv() * mount.turn, mount.turn * mount.stated.inv()]
    else:
        references = [Rotation.from_quat(planted.value)]
    return any((turn * other).magnitude() < 0.1 or (turn.inv() * other).magnitude() < 0.1 for other in references)


def _is_about(finding: Finding, planted: Planted, truth: Drive) -> bool:
    frames = {sensor.frame for sensor in truth.sensors if sensor.name in planted.sensors}
    return finding.mounting is not None and bool({finding.mounting.frame, finding.mounting.parent} & frames)


def _is_right_time(fault: Fault, planted: Planted, truth: Drive, remarks: list[str]) -> bool:
    if not fault.value or fault.readings not in (*planted.sensors, *planted.also):
        return False
    sigma = fault.sigma[0] if fault.sigma else 0.0
    is_right = _time_error(fault, planted) < max(DELAY_S * 100.0 / _slowest(planted, truth), SIGMAS * sigma)
    if not is_right:
        remarks.append(f"delay {fault.value[0]:.4f} ± {sigma:.4f} s, planted {planted.value[0]:.4f} s")
    return is_right


def _time_error(fault: Fault, planted: Planted) -> float:
    """Return the error of a delay, which others have with the opposite sign, s."""
    return abs((1.0 if fault.readings in planted.sensors else -1.0) * fault.value[0] - planted.value[0])


def _slowest(planted: Planted, truth: Drive) -> float:
    """Return the rate of the slower of the late readings and the others, at most 100 Hz."""
    rates = [s.hz for s in truth.sensors if s.name in planted.sensors]
    others = [s.hz for s in truth.sensors if s.name not in planted.sensors]
    return min(max(rates), max(others, default=100.0), 100.0)


def _turns_on_body(truth: Drive) -> dict[str, Rotation]:
    """Return the true turns of all frames on the body."""
    return {BASES[truth.kind]: Rotation.identity(), **{mount.frame: mount.turn for mount in truth.mounts}}


def _asked_mounts(truth: Drive) -> list[str]:
    """Return the frames of inertial sensors whose mount the recording states wrongly or not at all."""
    quantities = {sensor.quantity for sensor in truth.sensors if sensor.frame == BASES[truth.kind]}
    wrong = {
        sensor.frame
        for planted in truth.faults
        if planted.kind == "mounting" and planted.can_tell
        for sensor in truth.sensors
        if sensor.name in planted.sensors
    }
    reads_body = bool(quantities & {"orientation", "angular velocity"}) or len(truth.mounts) > 1
    return [
        mount.frame
        for mount in truth.mounts
        if "imu" in mount.frame and (mount.frame in wrong or (mount.stated is None and reads_body))
    ]


def _judge_mounts(account: Account, truth: Drive, remarks: list[str]) -> tuple[bool, ...]:
    """Return for each asked mount, and each other that is given, whether it is within its standard errors.

    Stated mounts are off by a tenth of a degree, so that the body may be that of its own readings or of any such mount.
    A mount that is not stated takes a turn of the readings of its frame upon itself if the motion does not tell whose
    turn it is: such mounts are left out.
    """
    frame_of = {sensor.name: sensor.frame for sensor in truth.sensors}
    doubtful = {
        frame_of[name]
        for planted in truth.faults
        if planted.kind in TURNING and (planted.also or not planted.can_tell)
        for name in (*planted.sensors, *planted.also)
    }
    turns = _turns_on_body(truth)
    stated = [mount.turn * mount.stated.inv() for mount in truth.mounts if mount.stated is not None]
    bodies = [Rotation.identity(), *(turn for turn in stated if turn.magnitude() < np.radians(1.0))]
    rights, given = [], set()
    for finding in account.findings:
        mounting = finding.mounting
        if mounting is None or not {mounting.frame, mounting.parent} <= set(turns):
            continue
        given |= {mounting.frame, mounting.parent}
        if doubtful & {mounting.frame, mounting.parent}:
            continue
        covariance = np.asarray(mounting.covariance)[:3, :3] + 1e-12 * np.eye(3)
        errors = []
        for body in bodies:
            at = {**turns, BASES[truth.kind]: body}
            actual = at[mounting.parent].inv() * at[mounting.frame]
            errors.append((Rotation.from_quat(mounting.Q) * actual.inv()).as_rotvec())
        chi_square, error = min(
            ((float(e @ np.linalg.solve(covariance, e)), e) for e in errors), key=lambda each: each[0]
        )
        rights.append(chi_square < WITHIN_3D)
        if not rights[-1]:
            sigmas = np.degrees(np.sqrt(np.diag(covariance)))
            remarks.append(
                f"mount of {mounting.frame} to {mounting.parent} off by {np.degrees(error).round(3)} deg, "
                f"standard errors {sigmas.round(3)} deg, chi-square {chi_square:.1f}"
            )
    of_frame = {sensor.name: sensor.frame for sensor in truth.sensors}
    kindred = {"wrong frame", "body axes", "doubled axes"}
    for finding in account.findings:  # they name the axes, and with them the mount
        given |= {of_frame.get(fault.readings, "") for fault in finding.faults if fault.kind in kindred}
    for frame in _asked_mounts(truth):
        values = np.linalg.eigvalsh(mount_covariance(truth, frame))
        if frame not in given | doubtful and np.degrees(np.sqrt(values[-1])) < OPEN_DEG:
            rights.append(False)
            remarks.append(f"mount of {frame} is not given")
    return tuple(rights)


def _judge_directions(account: Account, truth: Drive, remarks: list[str]) -> tuple[bool, ...]:
    """Return for each asked mount with an open direction whether it is named; False for a known one called open."""
    turns = _turns_on_body(truth)
    of_frame = {sensor.name: sensor.frame for sensor in truth.sensors}
    rights = []
    for frame in _asked_mounts(truth):
        values, vectors = np.linalg.eigh(mount_covariance(truth, frame))
        sigmas = np.degrees(np.sqrt(values))
        claims = [
            claim
            for finding in account.findings
            for claim in finding.unexcited
            if claim.what != "position" and (claim.frame == frame or frame in {of_frame.get(r) for r in claim.readings})
        ]
        is_open = sigmas > OPEN_DEG
        if is_open.any():
            rights.append(
                any(_names(claim.direction, claim.frame, claim.what, vectors[:, is_open], turns) for claim in claims)
            )
            if not rights[-1]:
                remarks.append(f"open directions of {frame} {vectors[:, is_open].T.round(2)} are not named")
        elif sigmas[-1] < KNOWN_DEG and claims:
            rights.append(False)
            remarks.append(f"mount of {frame} is called open, and is known to {sigmas[-1]:.2f} deg")
    return tuple(rights)


def _names(direction: Array, frame: str, what: str, span: Array, turns: dict[str, Rotation]) -> bool:
    """Return whether a claim names a direction within the open ones."""
    if what == "all" or not np.any(direction):
        return span.shape[1] == 3 or what == "all"
    d = turns.get(frame, Rotation.identity()).apply(direction / np.linalg.norm(direction))
    return bool(np.linalg.norm(span.T @ d) > np.cos(np.radians(DIRECTION_DEG)))


# --- Many drives


@dataclass
class Tally:
    """Counts of outcomes over many drives.

    `rights` counts faulty drives, in all, by number of faults and by kind of motion: whether the motion can tell all
    faults, and whether the account is right. `delay_errors` are those at 100 Hz and more, s. `ideals` has for each
    drive that can tell what the ideal search finds in the mean, the least chi-square, and whether it was found.
    """

    outcomes: Counter[str] = field(default_factory=Counter)
    by_fault: Counter[tuple[str, str]] = field(default_factory=Counter)
    by_drive: Counter[tuple[str, str]] = field(default_factory=Counter)
    rights: Counter[tuple[str, bool, bool]] = field(default_factory=Counter)
    mounts: list[bool] = field(default_factory=list)
    delays: list[bool] = field(default_factory=list)
    directions: list[bool] = field(default_factory=list)
    delay_errors: list[float] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    misses: list[str] = field(default_factory=list)
    ideals: list[tuple[float, float, bool]] = field(default_factory=list)

    def add(self, truth: Drive, judgement: Judgement, seconds: float) -> None:
        """Count a drive."""
        self.outcomes[judgement.outcome] += 1
        self.by_fault.update(judgement.per_fault)
        self.by_drive[f"{truth.kind}, {truth.liveliness}", judgement.outcome] += 1
        if not truth.faults:
            self.by_fault[f"healthy, {truth.liveliness}", judgement.outcome] += 1
        else:
            can_tell = all(fault.can_tell for fault in truth.faults)
            if can_tell:
                least = min(fault.apart for fault in truth.faults)
                self.ideals.append((found_by_ideal(truth), least, judgement.outcome == "found"))
            for group in ("all", f"{len(truth.faults)} planted", truth.kind):
                self.rights[group, can_tell, judgement.is_right] += 1
        self.delay_errors += judgement.delay_errors
        self.mounts += judgement.mounts
        self.delays += judgement.delays
        self.directions += judgement.directions
        self.seconds.append(seconds)

    @property
    def groups(self) -> list[str]:
        """Return the groups of `rights` that have drives."""
        groups = {group for group, *_ in self.rights}
        return [group for group in ("all", "1 planted", "2 planted", *KINDS) if group in groups]

    def n_right(self, group: str, *, can_tell: bool) -> tuple[int, int]:
        """Return how many drives of a group are right, of how many, that can or cannot tell their faults."""
        right, wrong = (self.rights[group, can_tell, is_right] for is_right in (True, False))
        return right, right + wrong

    def table(self) -> str:
        """Return the counts as a table of lines."""
        lines = [str(dict(self.outcomes))]
        for title, counts in (("fault", self.by_fault), ("drive", self.by_drive)):
            columns = sorted({outcome for _, outcome in counts})
            lines.append(f"\n{title:28}" + "".join(f"{column:>13}" for column in columns))
            lines += [
                f"{name:28}" + "".join(f"{counts[name, column] or '':>13}" for column in columns)
                for name in sorted({name for name, _ in counts})
            ]
        lines.append(f"\n{'right':28}{'can tell':>15}{'cannot tell':>15}")
        for group in self.groups:
            told, open_ = (self.n_right(group, can_tell=can_tell) for can_tell in (True, False))
            lines.append(f"{group:28}" + "".join(f"{f'{n} of {of}':>15}" for n, of in (told, open_)))
        for title, least in (("the motion can tell", CAN_TELL), (f"the chi-square is over {SURE:.0f}", SURE)):
            found = [(ideal, is_found) for ideal, apart, is_found in self.ideals if apart > least]
            lines.append(
                f"found where {title}: {sum(is_found for _, is_found in found)} of {len(found)}, "
                f"by the ideal search {sum(ideal for ideal, _ in found):.1f}"
            )
        for title, rights in (("mounts", self.mounts), ("delays", self.delays), ("open directions", self.directions)):
            lines.append(f"{title}: {sum(rights)} of {len(rights)} right")
        if self.delay_errors:
            at_most = 1e3 * np.quantile(self.delay_errors, [0.5, 0.9, 1.0])
            lines.append("errors of delays at 100 Hz, ms: median {:.2f}, 90 % {:.2f}, at most {:.2f}".format(*at_most))
        if self.seconds:
            lines.append(f"time: median {np.median(self.seconds):.2f} s, at most {max(self.seconds):.2f} s")
        return "\n".join(lines)


def found_by_ideal(truth: Drive) -> float:
    """Return the probability that the ideal search, which states what is three standard errors sure, finds all faults.

    The difference of chi-squares of the nearest rival and the truth is about normal, with mean a and standard
    deviation 2√a, where a is the chi-square that exact readings leave the rival.
    """
    aparts = np.array([fault.apart for fault in truth.faults])
    finite = np.maximum(aparts[np.isfinite(aparts)], 1e-12)
    return float(np.prod(norm.cdf((finite - CAN_TELL) / (2.0 * np.sqrt(finite)))))


def trial(planted: Drive) -> tuple[Drive, Account, Judgement, float]:
    """Return a drive with its rivals, the account of it, its judgement, and the time of the search, s."""
    truth = judged(planted)
    start = time.perf_counter()
    account = examine(truth.log)
    seconds = time.perf_counter() - start
    return truth, account, judge(account, truth), seconds


def tally(drives: Iterable[Drive]) -> Tally:
    """Return the counts of drives, with a text for each miss."""
    counts = Tally()
    for planted in drives:
        truth, account, judgement, seconds = trial(planted)
        counts.add(truth, judgement, seconds)
        if not (judgement.is_right and all((*judgement.mounts, *judgement.delays))):
            counts.misses.append(described(truth, account, judgement))
    return counts


def described(truth: Drive, account: Account, judgement: Judgement) -> str:
    """Return the truth, what was found, and what is wrong about it, as text."""
    of_drive = f"{truth.kind}, {truth.liveliness}, {truth.grade}, {truth.motion.duration} s"
    lines = [f"## seed {truth.seed}: {judgement.outcome} ({of_drive})"]
    for planted in truth.faults:
        told = "can tell" if planted.can_tell else "cannot tell"
        lines.append(
            f"- planted: {planted.kind} of {', '.join(planted.sensors)} {np.round(planted.value, 5).tolist()}; {told}, "
            f"nearest rival {planted.rival} at chi-square {planted.apart:.3g}"
            + (f"; or of {', '.join(planted.also)}" if planted.also else "")
        )
    lines += [f"- unmatched and certain: {text}" for text in judgement.extra]
    lines += [f"- {remark}" for remark in judgement.remarks]
    for finding in account.findings:
        if finding.severity != "note" or finding.unexcited or finding.mounting:
            faults = "; ".join(f"{f.kind} of {f.readings} {np.round(f.value, 4).tolist()}" for f in finding.faults)
            sure = "certain" if finding.is_certain else "not certain"
            lines.append(f"- said ({finding.severity}, {sure}): {finding.sentence} [{faults}]")
    return "\n".join(lines)


def drive_of(seed: int) -> Drive:
    """Return the drive of a seed, a healthy one from 100000."""
    return drive(seed) if seed < HEALTHY_FROM else healthy_drive(seed - HEALTHY_FROM)


def _seeds(texts: Iterable[str]) -> list[int]:
    """Return the seeds of texts such as ``7`` and ``0-60``."""
    ends = [list(map(int, text.split("-"))) for text in texts]
    return [seed for first, *last in ends for seed in range(first, (last or [first + 1])[0])]


if __name__ == "__main__":
    result = Tally()
    for each in _seeds(sys.argv[1:]):
        answer = trial(drive_of(each))
        result.add(answer[0], *answer[2:])
        print(described(*answer[:3]), end="\n\n", flush=True)
    print(result.table())

"""Whether a drive of `foreign_drives` can tell its fault, from exact readings and the noise, by NumPy and SciPy alone.

Readings are laid against each other in relations: turns against turns and rates, specific forces against turns and
accelerations, velocities against positions, positions against positions, fields against turns. A rival is another
explanation of the same readings: no fault, or one fault of another kind or of other readings. Its least chi-square,
over its own numbers and those that nobody knows (headings of references, biases, mounts that are not stated), has to
be over nine: three standard errors.

The table of the first drives: ``python -m tests.support.foreign_drive_rivals SEED...``.
"""

from __future__ import annotations

import copy
import functools
import itertools
import json
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from scipy.spatial.transform import Rotation

from tests.support.foreign_drives import DEGREES, FIELD, STANDARD_G, Drive, Planted, Sensor, drive
from tests.support.foreign_motions import G, Motion

Array = np.ndarray

CAN_TELL = 9.0
"""Chi-square that the best rival leaves at least where the motion can tell."""

N_TIMES = 48
"""Times at which relations are compared."""

STENCIL_S = 0.01
"""Interval of differences of exact readings, s."""

QUICK_RAD_S = 17.0
"""Angular frequency at which noise is compared where nothing moves, rad/s."""

JITTER_S = 3e-4
"""Standard deviation of stamps, s."""

NOISE_S = 40.0
"""Time over which noise is drawn at most, s."""

OPEN_DEG = 5.0
"""Standard error of a mount from which a direction counts as open, degrees."""

FIELD_UT = 45.0, 12.0
"""Likely size of the Earth's field, and its standard deviation, µT."""

LIKELY_BIAS = {"angular velocity": 0.3, "specific force": 1.5, "magnetic field": 40.0}
"""Standard deviation of biases that are taken for a fault, rad/s, m/s² and µT."""

MOST_ALTERNATIVES = 8
"""Kinds of fault in place of one planted fault beside which the other is compared with its rivals."""

N_DESCENTS = 3
"""Starts from which the chi-square of a kind of fault is made least."""

LEVER_M = {True: 0.02, False: 0.15}
"""Standard deviation of each component of a lever arm, stated or not, m."""

SCALE, STATED_RAD, SIZE = 1.5e-3, np.radians(0.1), 2e-3
"""Standard deviations of scales of inertial sensors, of small turns of stated mounts, and of scales of paths."""

SLACK_RAD = 1e-3
"""Error of orientations that no comparison makes smaller, rad."""

REST = 0.04
"""Part of the relative error of a sensor that is not in its scale, its mount and its bias."""

N_WANDERS = 3
"""Slow functions of time by which biases wander."""

RELATIONS = "turns", "rates", "forces", "velocities", "places", "fields", "compasses"
"""Relations between readings."""

FAMILIES = (
    {"unit", "scale"},
    {"mounting", "wrong frame", "body axes", "doubled axes"},
    {"world axes", "starts as zero", "doubled axes"},
    {"delay", "clock drift"},
)
"""Kinds that do the same to the same readings, if their values agree."""


@dataclass(frozen=True)
class Hypothesis:
    """Fault that some readings may have: kind, names of the readings, and what is known or fitted of its value.

    `known` is the value of a kind with a list of values; `starts` are first values of what is fitted.
    """

    kind: str
    sensors: tuple[str, ...]
    known: tuple[float, ...] = ()
    starts: tuple[tuple[float, ...], ...] = ((),)

    @property
    def size(self) -> int:
        """Return how many numbers are fitted."""
        return len(self.starts[0])


Explanation = tuple[Hypothesis, ...]
"""Faults that some readings may have together; none if there is no fault."""

NOTHING: Explanation = ()

LAST_PLANTED = "scale", "bias", "unit"
"""Kinds that are planted after all others on the same readings, and undone before them."""

SAME_TURN, SAME_VECTORS, SAME_FITTED = 0.1, 0.03, 0.3
"""Difference up to which two faults do the same: of orientations, rad, as a part of vectors, and of fitted values."""


TABLE = Path(__file__).with_name("foreign_drive_rivals.json")
"""Nearest rivals of the faults of the first drives, since they take some seconds each."""


@functools.cache
def _table() -> dict[str, list[dict[str, Any]]]:
    return json.loads(TABLE.read_text(encoding="utf-8")) if TABLE.exists() else {}


def judged(planted: Drive) -> Drive:
    """Return a drive whose faults say whether the motion can tell them, and which rival is nearest.

    The answers of the first drives are kept in `TABLE`.
    """
    rows = _table().get(str(planted.seed), [])
    if [(row["kind"], row["of"]) for row in rows] != [(fault.kind, list(fault.sensors)) for fault in planted.faults]:
        return computed(planted)
    faults = [
        replace(
            fault,
            rival=row["rival"],
            apart=row["apart"],
            can_tell=row["apart"] > CAN_TELL,
            also=tuple(row["also"]),
            single=tuple((kind, name) for kind, name in row["single"]),
        )
        for fault, row in zip(planted.faults, rows, strict=True)
    ]
    return replace(planted, faults=tuple(faults))


def computed(planted: Drive) -> Drive:
    """Return a drive whose faults say whether the motion can tell them, computed anew."""
    verdicts = [_judge(planted, fault) for fault in planted.faults]
    single: tuple[tuple[str, str], ...] = ()
    if len(verdicts) == 2:
        single = _compare_with_single(planted, verdicts)
        open_kinds = [verdict.alternatives() for verdict in verdicts]
        for verdict, of_other in zip(verdicts, reversed(open_kinds), strict=True):
            _compare_with_pairs(planted, verdict, of_other)
    return replace(planted, faults=tuple(replace(verdict.fault(), single=single) for verdict in verdicts))


@dataclass
class Fit:
    """Least chi-square of an explanation, with all that is unknown at it."""

    chi_square: float
    x: Array
    explanation: Explanation

    def fitted(self, k: int = 0) -> Hypothesis:
        """Return one fault of the explanation with its fitted value as its only start."""
        n_behind = sum(hypothesis.size for hypothesis in self.explanation[k:])
        start = self.x[len(self.x) - n_behind :][: self.explanation[k].size]
        return replace(self.explanation[k], starts=(tuple(map(float, start)),))


class Verdict:
    """Nearest rival of a planted fault, as far as rivals have been compared."""

    def __init__(self, drive: Drive, planted: Planted) -> None:
        self.planted = planted
        self.alone = Case(drive, planted)
        self.apart, self.rival = np.inf, ""
        self.also: list[str] = []
        self.rivals: list[Fit] = []
        self._known: dict[Hypothesis, bool] = {}

    def compare(self, chi_square: float, words: str) -> None:
        """Keep a rival if it is nearer than the others."""
        if chi_square < self.apart:
            self.apart, self.rival = float(chi_square), words

    def alternatives(self) -> list[Hypothesis]:
        """Return the faults, one of each kind and readings, that the motion cannot tell from this one, with values.

        Those that bring the true readings back are left out, since the other planted fault is compared beside them.
        """
        least: dict[tuple[str, tuple[str, ...]], Fit] = {}
        for fit in self.rivals:
            fault = fit.explanation[0]
            key = fault.kind, fault.sensors
            is_undone = (
                set(self.planted.sensors) <= set(fault.sensors)
                and fault.kind not in ("delay", "clock drift")
                and self.alone.difference_of_mended(fault, fit.x) < SAME_VECTORS
            )
            if not is_undone and (key not in least or fit.chi_square < least[key].chi_square):
                least[key] = fit
        return [fit.fitted() for fit in sorted(least.values(), key=lambda fit: fit.chi_square)[:MOST_ALTERNATIVES]]

    def is_planted(self, hypothesis: Hypothesis, x: Array) -> bool:
        """Return whether a hypothesis, with all that is unknown and its own numbers, is the planted fault."""
        planted = self.planted
        if set(hypothesis.sensors) != set(planted.sensors) or not _is_kindred(hypothesis.kind, planted.kind):
            return False
        if planted.kind in ("unit", "scale", "bias", "clock drift") or hypothesis.kind == "clock drift":
            return True
        if planted.kind == "delay":
            return bool(x[-1] * planted.value[0] > 0.0)
        difference = self.alone.difference_of_mended(hypothesis, x)
        if not hypothesis.size:
            is_turned = all(name.startswith("orientation") for name in hypothesis.sensors[:1])
            return difference < (SAME_TURN if is_turned else SAME_VECTORS)
        return difference < SAME_FITTED or not self._is_known(hypothesis)

    def _is_known(self, hypothesis: Hypothesis) -> bool:
        """Return whether the motion leaves no direction of the fitted turn of a planted fault open.

        If it leaves one, other values are the planted fault as well, since they go over into each other.
        """
        if hypothesis not in self._known:
            fit = self.alone.least([(hypothesis,)])
            J = self.alone.jacobian(fit.x, self.alone.residual(fit.x, fit.explanation), fit.explanation, ())
            covariance = np.linalg.inv(J.T @ J + 1e-6 * np.eye(len(fit.x)))[-hypothesis.size :, -hypothesis.size :]
            known = np.degrees(np.sqrt(np.linalg.eigvalsh(covariance)[-1])) < OPEN_DEG
            self._known[hypothesis] = bool(known)
        return self._known[hypothesis]

    def fault(self) -> Planted:
        """Return the planted fault with what has been found."""
        return replace(
            self.planted,
            can_tell=bool(self.apart > CAN_TELL),
            rival=self.rival,
            apart=float(self.apart),
            also=tuple(dict.fromkeys(self.also)),
        )


def _compare_with_single(drive: Drive, verdicts: list[Verdict]) -> tuple[tuple[str, str], ...]:
    """Compare planted faults with single faults that explain all of them, and return those.

    A single fault that is one of the planted ones is a rival of the others alone.
    """
    case = Case(drive, *drive.faults)
    single: list[tuple[str, str]] = []
    nothing = case.least([NOTHING]).chi_square
    for verdict in verdicts:
        verdict.compare(nothing, "no fault at all")
    for group, bound in _open_groups(case):
        if bound > CAN_TELL:
            for verdict in verdicts:
                if not set(verdict.planted.sensors) <= set(group):
                    verdict.compare(bound, "one fault of " + ", ".join(group))
            continue
        for hypotheses in _by_kind(drive, group).values():
            words = f"{hypotheses[0].kind} alone of " + ", ".join(group)
            fits = [_rival_of(case, verdict, hypotheses, ()) for verdict in verdicts]
            for verdict, fit in zip(verdicts, fits, strict=True):
                if fit is not None:
                    verdict.compare(fit.chi_square, words)
            if any(fit is not None and fit.chi_square < CAN_TELL for fit in fits):
                single += [(hypotheses[0].kind, name) for name in group]
    return tuple(single)


def _compare_with_pairs(drive: Drive, verdict: Verdict, of_other: list[Hypothesis]) -> None:
    """Compare a planted fault with another in its place, beside each that cannot be told from the other planted one."""
    case = Case(drive, *drive.faults)
    open_groups: dict[tuple[str, ...], list[tuple[tuple[str, ...], float]]] = {}
    for beside in of_other:
        if verdict.apart < CAN_TELL:
            return
        if verdict.is_planted(beside, np.concatenate([case.first_unknowns(), beside.starts[0]])):
            continue
        if beside.sensors not in open_groups:
            open_groups[beside.sensors] = list(_open_groups(case, beside.sensors))
        words = f"with {beside.kind} of " + ", ".join(beside.sensors)
        for group, bound in open_groups[beside.sensors]:
            if bound < CAN_TELL:
                _compare_beside(case, verdict, group, beside)
            elif not set(verdict.planted.sensors) <= set(group):
                verdict.compare(bound, f"any fault of {', '.join(group)} {words}")


def _compare_beside(case: Case, verdict: Verdict, group: tuple[str, ...], beside: Hypothesis) -> None:
    """Compare a planted fault with those that some readings may have, beside another of other readings."""
    if case.least([(beside,)], without=group).chi_square > verdict.apart:
        return
    for hypotheses in _by_kind(case.drive, group).values():
        fit = _rival_of(case, verdict, hypotheses, (beside,))
        is_turned_round = _is_kindred(hypotheses[0].kind, verdict.planted.kind) and set(group) <= set(verdict.also)
        if fit is not None and not is_turned_round:
            names = ", ".join(beside.sensors)
            words = f"{hypotheses[0].kind} of {', '.join(group)} with {beside.kind} of {names}"
            verdict.compare(fit.chi_square, words)


def _open_groups(case: Case, beside: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], float]]:
    """Yield readings that may share a fault, with the chi-square without them and without some others.

    No fault of theirs leaves less. Readings among others whose bound is too large are left out.
    """
    excluded: list[set[str]] = []
    for group in sorted(_groups(case.drive), key=len, reverse=True):
        if any(set(group) <= names for names in excluded):
            continue
        is_faulty = set(case.faulty) <= {*group, *beside}
        bound = 0.0 if is_faulty else case.least([NOTHING], without=tuple(dict.fromkeys(group + beside))).chi_square
        if bound > CAN_TELL:
            excluded.append(set(group))
        yield group, bound


def _rival_of(case: Case, verdict: Verdict, hypotheses: list[Hypothesis], beside: Explanation) -> Fit | None:
    """Return the best fit of some faults of one kind that is not the planted one."""
    if hypotheses[0].size:
        explanations: list[Explanation] = [(*beside, hypothesis) for hypothesis in hypotheses]
        is_near = set(hypotheses[0].sensors) == set(verdict.planted.sensors)
        return case.least(explanations, skip=verdict.is_planted if is_near else None)
    x = case.first_unknowns()
    others = [hypothesis for hypothesis in hypotheses if not verdict.is_planted(hypothesis, x)]
    return case.least([(*beside, hypothesis) for hypothesis in others]) if others else None


def write_table(seeds: Iterable[int]) -> None:
    """Put the nearest rivals of drives, computed anew, into the table."""
    for seed in seeds:
        faults = computed(drive(seed)).faults
        rows = json.loads(TABLE.read_text(encoding="utf-8")) if TABLE.exists() else {}
        rows[str(seed)] = [
            {
                "kind": f.kind,
                "of": f.sensors,
                "rival": f.rival,
                "apart": float(f"{f.apart:.4g}"),
                "also": f.also,
                "single": f.single,
            }
            for f in faults
        ]
        lines = [f"{json.dumps(key)}: {json.dumps(rows[key], ensure_ascii=False)}" for key in sorted(rows, key=int)]
        TABLE.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


def _judge(drive: Drive, fault: Planted) -> Verdict:
    """Return the verdict about a fault whose other planted faults are known."""
    verdict = Verdict(drive, fault)
    case = verdict.alone
    verdict.compare(case.least([NOTHING]).chi_square, "no fault")
    if verdict.apart < CAN_TELL:
        return verdict
    for group, bound in _open_groups(case):
        if bound > CAN_TELL:
            verdict.compare(bound, "any fault of " + ", ".join(group))
            continue
        for hypotheses in _by_kind(drive, group).values():
            kind = hypotheses[0].kind
            is_decided = len(drive.faults) == 1 and verdict.apart < 0.1 * CAN_TELL
            if is_decided and not _is_kindred(kind, fault.kind):
                continue
            fit = _rival_of(case, verdict, hypotheses, NOTHING)
            if fit is None:
                continue
            is_other_group = set(group) != set(fault.sensors)
            if is_other_group and _is_kindred(kind, fault.kind) and fit.chi_square < CAN_TELL:
                verdict.also += group
            else:
                verdict.compare(fit.chi_square, f"{kind} of " + ", ".join(group))
            if fit.chi_square < CAN_TELL:
                verdict.rivals.append(fit)
    return verdict


def _is_kindred(kind: str, other: str) -> bool:
    """Return whether two kinds may do the same to the same readings."""
    return kind == other or any({kind, other} <= family for family in FAMILIES)


def _by_kind(drive: Drive, group: tuple[str, ...]) -> dict[str, list[Hypothesis]]:
    """Return the faults that some readings may have together, by kind."""
    by_kind: dict[str, list[Hypothesis]] = {}
    for hypothesis in hypotheses_of(drive, group):
        by_kind.setdefault(hypothesis.kind, []).append(hypothesis)
    return by_kind


def _groups(drive: Drive) -> Iterator[tuple[str, ...]]:
    """Yield names of readings that may share a fault: one reading, a source, a frame, a pose in its reference."""
    sensors, seen = drive.sensors, set()
    for sensor in sensors:
        of_source = [s for s in sensors if s.source == sensor.source]
        in_reference = [s for s in of_source if s.quantity in ("orientation", "position")]
        in_reference += [s for s in of_source if s.quantity == "velocity" and s.resolved_in == s.reference]
        of_frame = [s for s in sensors if s.frame == sensor.frame] if "imu" in sensor.frame else []
        for group in ([sensor], of_source, in_reference, of_frame):
            names = tuple(s.name for s in group)
            if names and frozenset(names) not in seen:
                seen.add(frozenset(names))
                yield names


_TURNS = tuple(tuple(q) for q in Rotation.create_group("O").as_quat() if abs(q[3]) < 0.999)
_MIRRORS = tuple(tuple(-R.ravel()) for R in Rotation.create_group("O").as_matrix() if np.trace(R) < 2.9)
"""Matrices that map axes onto axes and mirror them; −1 is the other sign."""


def hypotheses_of(drive: Drive, group: tuple[str, ...]) -> Iterator[Hypothesis]:
    """Yield the faults that all of some readings may have together."""
    sensors = [s for s in drive.sensors if s.name in group]
    of_source = {s.name for s in drive.sensors if s.source == sensors[0].source}
    if set(group) == of_source:
        yield Hypothesis("delay", group, (), tuple((x,) for x in (-0.4, -0.1, -0.03, 0.0, 0.03, 0.1, 0.4)))
        if drive.motion.duration > 40.0:
            small = 0.15 / drive.motion.duration
            yield Hypothesis("clock drift", group, (), ((0.0, small), (0.0, -small)))
    stated = {mount.frame for mount in drive.mounts if mount.stated is not None and "imu" in mount.frame}
    if sensors[0].frame in stated and set(group) == {s.name for s in drive.sensors if s.frame == sensors[0].frame}:
        starts = tuple(tuple(Rotation.from_quat(q).as_rotvec()) for q in _TURNS)
        yield Hypothesis("mounting", group, (), ((0.0, 0.0, 0.0), *starts))
    quantities = {s.quantity for s in sensors}
    if len(sensors) > 1:
        if quantities <= {"orientation", "position", "velocity"} and "orientation" in quantities:
            yield from (Hypothesis("world axes", group, q) for q in _TURNS)
        return
    (quantity,) = quantities
    yield from _of_one(drive, sensors[0], quantity, group)


def _of_one(drive: Drive, sensor: Sensor, quantity: str, group: tuple[str, ...]) -> Iterator[Hypothesis]:
    if "imu" in sensor.frame and quantity != "heading":
        starts = tuple(tuple(Rotation.from_quat(q).as_rotvec()) for q in _TURNS)
        yield Hypothesis("mounting", group, (), ((0.0, 0.0, 0.0), *starts))
    if quantity == "orientation":
        yield Hypothesis("inverse", group)
        yield from (Hypothesis("quaternion order", group, (shift,)) for shift in (1.0, -1.0))
        yield from (Hypothesis(kind, group, q) for kind in ("world axes", "body axes") for q in _TURNS)
        first = drive.stated(sensor, np.zeros(1))[0]
        if abs(first[3]) > 0.9999 * np.linalg.norm(first):
            yield Hypothesis(
                "starts as zero", group, (), ((0.0, 0.0, 0.0), (np.pi, 0, 0), (0, np.pi, 0), (2.0, 0, 0), (0, 2, 0))
            )
        return
    yield Hypothesis("sign", group)
    factors = {"angular velocity": DEGREES, "heading": DEGREES, "specific force": STANDARD_G, "magnetic field": 1e6}
    factor = factors.get(quantity, 1e3)
    yield from (Hypothesis("unit", group, (x,)) for x in (factor, 1.0 / factor))
    yield Hypothesis("scale", group, (), ((1.0,), (3.0,), (0.3,)))
    if quantity == "heading":
        return
    yield from (Hypothesis("mirrored axes", group, matrix) for matrix in _MIRRORS)
    kind = "world axes" if quantity == "position" else "body axes"
    yield from (Hypothesis(kind, group, q) for q in _TURNS)
    if quantity in ("angular velocity", "specific force", "magnetic field"):
        yield Hypothesis("bias", group, (), ((0.0, 0.0, 0.0),))
    if quantity == "specific force":
        yield Hypothesis("gravity removed", group)
    if quantity in ("angular velocity", "specific force", "velocity"):
        is_in_reference = quantity == "velocity" and sensor.resolved_in == sensor.reference
        yield Hypothesis("resolved in frame" if is_in_reference else "resolved in reference", group)


# --- Noise


@functools.lru_cache(maxsize=8)
def spectra(sensors: tuple[Sensor, ...], motion: Motion) -> dict[str, tuple[Array, Array]]:
    """Return the spectral densities (3,) of the noise of the first and the second derivative of readings.

    They are those near the frequencies of the motion, where derivatives are compared: of the angular velocity for
    orientations and headings, of the acceleration for velocities, of the velocity and of the specific force for
    positions. Noise is drawn as the drive draws it, so that white noise, slow errors and random walks are all in it.
    """
    t = np.arange(0.0, motion.duration, 0.05)
    w_of = motion.rate(t)
    w = _frequency(w_of, 1)
    a, v, f = motion.acceleration(t), motion.velocity(t), motion.specific_force(t, np.zeros(3))
    once_of = {"orientation": w, "heading": w, "velocity": _frequency(a, 1), "position": _frequency(v, 1)}
    of_sensor = {}
    for k, sensor in enumerate(sensors):
        if sensor.quantity not in once_of:
            continue
        e = _noise_of(sensor, min(motion.duration, NOISE_S), k)
        moved = _rms(
            w_of if sensor.quantity in ("orientation", "heading") else a if sensor.quantity == "velocity" else v
        )
        white = np.sqrt(sensor.white**2 + (JITTER_S * moved) ** 2)
        of_sensor[sensor.name] = tuple(
            _density(e, white, sensor.hz, frequency, n)
            for n, frequency in ((1, once_of[sensor.quantity]), (2, _frequency(f, 2)))
        )
    return of_sensor


def _frequency(values: Array, n: int) -> float:
    """Return the angular frequency of values 0.05 s apart, from the size of their n-th derivative, rad/s."""
    changing = values - values.mean(axis=0)
    derivative = np.diff(values, n, axis=0) / 0.05**n
    size = np.sqrt(np.mean(np.sum(changing**2, axis=1)))
    if size < 1e-3:
        return QUICK_RAD_S
    return float(np.clip((np.sqrt(np.mean(np.sum(derivative**2, axis=1))) / size) ** (1.0 / n), 0.5, QUICK_RAD_S))


def _noise_of(sensor: Sensor, duration: float, k: int) -> Array:
    """Return noise of a sensor (2, n, k): of orientations as small turns in the axes of the body, rad."""
    t = np.arange(0.0, duration, 1.0 / sensor.hz)
    exact = sensor.exact(t)
    draws = []
    for j in range(2):
        noisy = sensor.noisy
        of = getattr(noisy, "__self__", None)
        if of is not None:  # a state of its own, so that the recording stays as it is
            of = copy.copy(of)
            of.t = np.zeros(0)
            noisy = getattr(of, noisy.__name__)
        values = noisy(np.random.default_rng([52, k, j]), t)
        if sensor.quantity == "orientation":
            draws.append((Rotation.from_quat(exact).inv() * Rotation.from_quat(values)).as_rotvec())
        else:
            draws.append(values - exact)
    return np.array(draws)


def _density(e: Array, white: Array, hz: float, frequency: float, n: int) -> Array:
    """Return the spectral density (3,) of the n-th derivative of noise (j, m, k) about an angular frequency.

    It is at least that of white noise: readings that are always zero, such as sideways velocities, are not exact.
    """
    m = e.shape[1]
    taper = np.hanning(m)[:, None]
    power = np.mean(np.abs(np.fft.rfft((e - e.mean(axis=1, keepdims=True)) * taper, axis=1)) ** 2, axis=0)
    omega = 2.0 * np.pi * np.fft.rfftfreq(m, 1.0 / hz)
    top = min(frequency, 0.25 * omega[-1])
    rows = (omega >= 0.5 * top) & (omega <= 2.0 * top)
    least = white**2 * np.sum(taper**2)
    return np.mean(omega[rows, None] ** (2 * n) * np.maximum(power[rows], least), axis=0) / (hz * np.sum(taper**2))


# --- Relations


@dataclass
class _Read:
    """A sensor with its exact stated values at the times of the relations: before, at and after each (3, n, k)."""

    sensor: Sensor
    stated: Callable[[Array], Array]
    values: Array
    mount: Rotation | None
    lever: Array

    def __post_init__(self) -> None:
        self.turns = Turns.of(Rotation.identity() if self.mount is None else self.mount)


class Case:
    """Relations between the exact readings of a drive with some of its faults, the others undone."""

    def __init__(self, drive: Drive, *faults: Planted) -> None:
        self.drive = drive
        self.faulty = tuple(name for fault in faults for name in fault.sensors)
        kept = replace(drive, faults=faults)
        T = drive.motion.duration
        self.t = (np.arange(N_TIMES) + 0.5) * (T / N_TIMES)
        self.window = T / N_TIMES
        self.times = np.concatenate([self.t - STENCIL_S, self.t, self.t + STENCIL_S])
        mounts = {mount.frame: mount for mount in drive.mounts}
        strayed = {name for fault in faults if fault.kind == "mounting" for name in fault.sensors}
        self.strayed: Rotation | None = None
        self.reads: list[_Read] = []
        self.unknown: list[str] = []
        for sensor in drive.sensors:
            mount = mounts.get(sensor.frame)
            stated = None if mount is None else mount.stated
            if mount is not None and stated is None and mount.frame not in self.unknown:
                self.unknown.append(mount.frame)
            if mount is not None and stated is not None and sensor.name not in strayed:
                stated = mount.turn
            elif mount is not None and stated is not None:
                self.strayed = stated * mount.turn.inv()
            of = _stated_by(kept, sensor)
            turn = Rotation.identity() if mount is None else stated
            lever = np.zeros(3) if mount is None else mount.lever
            self.reads.append(_Read(sensor, of, self.read_at(of, self.times), turn, lever))
        self.true_mounts = {frame: mounts[frame].turn for frame in self.unknown}
        self.references = list(
            dict.fromkeys(_reference(r.sensor) for r in self.reads if r.sensor.quantity != "heading")
        )
        turning = [r.sensor for r in self.reads if r.sensor.quantity == "orientation"]
        self.root = _reference(turning[0]) if turning else self.references[0]
        self.headings = self._true_headings()
        swings = drive.motion.specific_force(self.t, np.zeros(3))
        true_swings = np.stack([drive.motion.specific_force(self.t, e) - swings for e in np.eye(3)], axis=-1)
        forces = [r for r in self.reads if r.sensor.quantity == "specific force"]
        self.swing = {r.sensor.frame: true_swings @ r.lever for r in forces}
        self.lever = {r.sensor.frame: mounts[r.sensor.frame].turn.inv().apply(r.lever) for r in forces}
        turned = drive.motion.turn(self.t).inv().apply(drive.motion.acceleration(self.t))
        self.push = {frame: mounts[frame].turn.inv().apply(turned + swing) for frame, swing in self.swing.items()}
        self.pull = float(np.sqrt(np.mean(drive.motion.acceleration(self.t) ** 2)))
        self.rate = drive.motion.rate(self.t)
        self.speed = float(_rms(drive.motion.velocity(self.t)).max())
        places = drive.motion.place(self.t)
        self.reach = float(_rms(places - places.mean(axis=0)).max())
        self.variances: dict[tuple[str, str, float | None], Array] = {}
        self.spectra = spectra(drive.sensors, drive.motion)
        self.names = self._names()
        self.at: dict[tuple[str, str], tuple[slice, float]] = {}
        k = 0
        for what, of, n, sigma in self.names:
            self.at[what, of] = slice(k, k + n), sigma
            k += n
        self.n_unknown = k
        self.kept: dict[tuple[str, str], Any] = {}
        self.systematic: dict[tuple[str, ...], tuple[Array, Array]] = {}
        self.last_linear: tuple[Any, Array] | None = None
        self.last: dict[str, tuple[tuple[float, ...], Array]] = {}

    @staticmethod
    def read_at(of: Callable[[Array], Array], times: Array) -> Array:
        """Return readings before, at and after the times of the relations, (3, n, k)."""
        return of(times).reshape(3, N_TIMES, -1)

    def read_late(self, read: _Read, delay: float, rate: float) -> Array:
        """Return readings whose stamps are mended; the last ones are kept, since most other numbers leave them."""
        key, values = self.last.get(read.sensor.name, ((), np.zeros(0)))
        if key != (delay, rate):
            values = self.read_at(read.stated, self.times * (1.0 + rate) + delay)
            self.last[read.sensor.name] = (delay, rate), values
        return values

    def _true_headings(self) -> dict[str, float]:
        """Return the angle about z from the axes of each reference to those of the first."""
        at = np.zeros(1)
        body = self.drive.motion.turn(at)[0]
        mounts = {mount.frame: mount.turn for mount in self.drive.mounts}
        angles = {}
        for read in self.reads:
            mount = mounts.get(read.sensor.frame, Rotation.identity())
            angles.setdefault(
                _reference(read.sensor), (read.sensor.turn(at)[0] * mount.inv() * body.inv()).as_euler("ZYX")[0]
            )
        return {name: angles[self.root] - angle for name, angle in angles.items()}

    def _names(self) -> list[tuple[str, str, int, float]]:
        """Return what nobody knows: what it is, of what, its numbers, and its standard deviation beforehand."""
        names = [("heading", ref, 1, np.inf) for ref in self.references if ref != self.root]
        names += [("mount", frame, 3, np.inf) for frame in self.unknown]
        names += [("lever", frame, 3, LEVER_M[frame not in self.unknown]) for frame in self.swing]
        for read in self.reads:
            s = read.sensor
            if s.quantity in ("angular velocity", "specific force", "magnetic field") and s.tau > 1e3:
                names.append(("bias", s.name, 3, float(s.slow[0])))
            if s.quantity == "magnetic field":
                names.append(("field", s.name, 3, np.inf))
            if s.quantity == "heading":
                names.append(("zero", s.name, 1, np.inf))
        return names

    def least(
        self,
        explanations: list[Explanation],
        *,
        without: tuple[str, ...] = (),
        skip: Callable[[Hypothesis, Array], bool] | None = None,
    ) -> Fit:
        """Return the best fit of several explanations, over all that is unknown.

        `skip` says of the last fault of an explanation, at the end of a descent, whether it does not count.
        """
        starts = self._starts()
        n = len(starts[0])
        trials: list[tuple[float, int, Array, Explanation]] = []
        for explanation in explanations:
            first = (sum(each, ()) for each in itertools.product(*(of.starts for of in explanation)))
            for start, numbers in itertools.product(starts, first):
                raw = np.concatenate([start, numbers])
                for x in self.settled(raw, explanation, without):
                    r = self.residual(x, explanation, without)
                    trials.append((float(r @ r), len(trials), x, explanation))
        trials.sort(key=lambda trial: trial[:2])
        best = Fit(np.inf, np.zeros(n), NOTHING)
        n_left, seen = N_DESCENTS, []
        for first_chi, _, x, explanation in trials:
            if any(explanation is other and np.max(np.abs(x - y), initial=0.0) < 1e-3 for other, y in seen):
                continue
            if best.chi_square < 0.1 or not n_left:
                break
            seen.append((explanation, x))
            chi_square, x_end = self._descend(x, explanation, without, first_chi)
            n_left -= 1
            if chi_square >= best.chi_square:
                continue
            own = np.concatenate([x_end[:n], x_end[len(x_end) - explanation[-1].size :]]) if explanation else x_end
            if skip is None or not skip(explanation[-1], own):
                best = Fit(chi_square, x_end, explanation)
        return best

    def settled(self, x: Array, explanation: Explanation, without: tuple[str, ...]) -> Iterator[Array]:
        """Yield first values of all that is unknown, better than x: turns by directions, then what is linear.

        Mounts, headings and what is linear (biases, lever arms, fields) follow a supposed fault however far it takes
        them, such as a field that has the opposite direction in a magnetometer with mirrored axes.
        """
        yield self._with_linear(x, explanation, without)
        blocks = self._turn_blocks(explanation)
        for _ in range(2 if blocks else 1):
            x = self._with_turns(x, explanation, without, blocks)
            x = self._with_headings(x, explanation, without)
            x = self._with_linear(x, explanation, without)
            yield x

    def state(self, x: Array, explanation: Explanation, without: tuple[str, ...] = ()) -> _State:
        """Return the readings in the axes of the body with an explanation's faults taken back."""
        known: dict[tuple[str, str], Array] = {}
        for (what, of), (rows, sigma) in self.at.items():
            known[what, of] = x[rows] * (sigma if np.isfinite(sigma) else 1.0)
        return _State(self, known, self.values_of(x, explanation), set(without))

    def values_of(self, x: Array, explanation: Explanation) -> list[tuple[Hypothesis, Array]]:
        """Return the faults of an explanation with their numbers, which follow all that is unknown."""
        k = self.n_unknown
        values = []
        for hypothesis in explanation:
            values.append((hypothesis, x[k : k + hypothesis.size]))
            k += hypothesis.size
        return values

    def _turn_blocks(self, explanation: Explanation) -> list[tuple[slice, set[str]]]:
        """Return where the mounts stand among the unknown numbers, and names of the readings that each turns."""
        blocks: list[tuple[slice, set[str]]] = []
        fitted: set[str] = set()
        k = self.n_unknown
        for hypothesis in explanation:
            if hypothesis.kind == "mounting":
                blocks.append((slice(k, k + 3), set(hypothesis.sensors)))
                fitted |= set(hypothesis.sensors)
            k += hypothesis.size
        of_frames = [
            (
                self.at["mount", frame][0],
                {read.sensor.name for read in self.reads if read.sensor.frame == frame} - fitted,
            )
            for frame in self.unknown
        ]
        return of_frames + blocks

    def _with_turns(
        self, x: Array, explanation: Explanation, without: tuple[str, ...], blocks: list[tuple[slice, set[str]]]
    ) -> Array:
        """Return x with mounts that bring directions nearest to those of the other readings."""
        x = x.copy()
        for rows, names in blocks:
            correction = self.state(x, explanation, without).turn_to_others(names)
            x[rows] = (correction * Rotation.from_rotvec(x[rows])).as_rotvec()
        return x

    def _with_headings(self, x: Array, explanation: Explanation, without: tuple[str, ...]) -> Array:
        """Return x with headings of references, and of compasses, nearest to those of the first reference."""
        x = x.copy()
        state = self.state(x, explanation, without)
        roots = [r for r in state.turning if _reference(r.sensor) == self.root]
        if not roots:
            return x
        settled = {self.root}
        for read in state.turning:
            rows, _ = self.at.get(("heading", _reference(read.sensor)), (None, 0.0))
            if rows is not None:
                x[rows] = state.heading_between(state.turns[read.sensor.name], state.turns[roots[0].sensor.name])
                settled.add(_reference(read.sensor))
        state = self.state(x, explanation, without)
        places = [r for r in state.reads if r.sensor.quantity == "position"]
        for read in places:
            rows, _ = self.at.get(("heading", _reference(read.sensor)), (None, 0.0))
            others = [r for r in places if _reference(r.sensor) in settled]
            if rows is not None and _reference(read.sensor) not in settled and others:
                x[rows] = state.heading_of_places(read, others[0])
        for read in state.reads:
            if read.sensor.quantity == "heading":
                x[self.at["zero", read.sensor.name][0]] = state.zero_of_compass(read, roots[0])
        return x

    def _with_linear(self, x: Array, explanation: Explanation, without: tuple[str, ...]) -> Array:
        """Return x with the biases, lever arms and fields that leave the least chi-square."""
        columns = [
            (k, self._touched(what, of))
            for (what, of), (rows, _) in self.at.items()
            if what in ("bias", "lever", "field")
            for k in range(rows.start, rows.stop)
        ]
        k = self.n_unknown
        for hypothesis in explanation:
            if hypothesis.kind == "bias":
                columns += [(k + j, self._touched("bias", hypothesis.sensors[0])) for j in range(3)]
            k += hypothesis.size
        if not columns:
            return x
        parts = self._parts(x, explanation, without)
        r = np.concatenate(list(parts.values()))
        fixed = np.array([k for k in range(len(x)) if k not in {k for k, _ in columns}], dtype=int)
        turned = tuple(of for of in explanation if of.kind == "mounting" or any("orientation" in n for n in of.sensors))
        key = x[fixed].tobytes(), turned, without, tuple(k for k, _ in columns)
        if self.last_linear is None or self.last_linear[0] != key:
            J = np.zeros((len(r), len(columns)))
            state = self.state(x, explanation, without)
            for j, (k, touched) in enumerate(columns):
                J[:, j] = self._derivative(x, k, explanation, without, touched, (parts, r, state))
            self.last_linear = key, self._whitened(J, without)
        J, r = self.last_linear[1], self._whitened(r, without)
        better = x.copy()
        better[[k for k, _ in columns]] -= np.linalg.solve(J.T @ J + 1e-9 * np.eye(len(columns)), J.T @ r)
        return better

    def difference_of_mended(self, hypothesis: Hypothesis, x: Array) -> float:
        """Return how far readings are from the true ones once a fault is taken back, rad or as a part of the vectors.

        x has all that is unknown and the fault's own numbers. Headings and origins of references are left open.
        """
        state = self.state(x, (hypothesis,))
        mounts = {mount.frame: mount.turn for mount in self.drive.mounts}
        largest = 0.0
        for read in self.reads:
            if read.sensor.name not in hypothesis.sensors:
                continue
            free = ("mount", read.sensor.frame)
            mount = Rotation.from_rotvec(x[self.at[free][0]]) if free in self.at else mounts.get(read.sensor.frame)
            as_known = Turns.of(Rotation.identity() if mount is None else mount)
            now = as_known.inv() * state.mount(read)
            true = read.sensor.exact(self.t)
            if read.sensor.quantity == "orientation":
                mended = Turns.of(Rotation.from_quat(state.mend_turn(read, read.values[1]))) * now.inv()
                true_turn = Turns.of(Rotation.from_quat(true))
                level = Turns.of(Rotation.from_euler("Z", state.heading_between(mended, true_turn)))
                largest = max(largest, float(_rms((level * mended * true_turn.inv()).as_rotvec()).max()))
            else:
                mended = state.vector(read)[1]
                mended = now.apply(mended) if mended.shape[1] == 3 else mended
                if read.sensor.quantity == "position":
                    mended, true = mended - mended.mean(axis=0), true - true.mean(axis=0)
                if read.sensor.quantity in ("position", "velocity") and read.sensor.resolved_in != read.sensor.frame:
                    mended = mended @ Rotation.from_euler("Z", heading_of_vectors(mended, true)).as_matrix().T
                size = np.linalg.norm(_rms(true)) + 1e-12
                largest = max(largest, float(np.linalg.norm(_rms(mended - true)) / size))
        return largest

    def _starts(self) -> list[Array]:
        """Return first values of all that is unknown: the true ones, and those that follow a wrong mount."""
        true = self.first_unknowns()
        following = true.copy()
        k = 0
        for what, of, n, _ in self.names:
            if what == "mount" and self.strayed is not None:
                following[k : k + n] = (self.strayed * self.true_mounts[of]).as_rotvec()
            k += n
        return [true] if self.strayed is None else [true, following]

    def first_unknowns(self) -> Array:
        """Return true values of all that nobody knows."""
        parts: list[Array] = []
        turning = [r.sensor for r in self.reads if r.sensor.quantity == "orientation"]
        to_root = self.headings[_reference(turning[0])] - self._world_heading(turning[0]) if turning else 0.0
        for what, of, n, _ in self.names:
            value = np.zeros(n)
            if what == "heading":
                value = np.array([self.headings[of]])
            elif what == "mount":
                value = self.true_mounts[of].as_rotvec()
            elif what == "zero":
                value = np.array([to_root])
            elif what == "field":
                value = 1e6 * Rotation.from_euler("Z", to_root).apply(FIELD)
            parts.append(value)
        return np.concatenate(parts) if parts else np.zeros(0)

    def _world_heading(self, sensor: Sensor) -> float:
        """Return the angle about z from the axes of a sensor's reference to those of the world."""
        at = np.zeros(1)
        mount = {m.frame: m.turn for m in self.drive.mounts}.get(sensor.frame, Rotation.identity())
        return -float((sensor.turn(at)[0] * mount.inv() * self.drive.motion.turn(at)[0].inv()).as_euler("ZYX")[0])

    def _descend(
        self, x: Array, hypothesis: Explanation, without: tuple[str, ...], first: float
    ) -> tuple[float, Array]:
        """Return the chi-square and all that is unknown after steps of Levenberg and Marquardt."""
        least, damping = first, 1e-6
        r = self.residual(x, hypothesis, without)
        for step in range(25):
            J = self.jacobian(x, r, hypothesis, without)
            A, g = J.T @ J, J.T @ r
            now = np.inf
            for _ in range(6):
                d = np.linalg.solve(A + damping * np.diag(np.diag(A)) + 1e-9 * np.eye(len(A)), -g) if len(x) else x
                r_new = self.residual(x + d, hypothesis, without)
                now = float(r_new @ r_new)
                if now < least or not len(x):
                    break
                damping = max(10.0 * damping, 1e-4)
            if not now < least:
                return least, x
            gain, least, x, r = least - now, now, x + d, r_new
            damping *= 0.2
            if least < 0.1 or gain < 1e-3 * least or (step >= 3 and least > 100.0 * CAN_TELL):
                return least, x
        return least, x

    def jacobian(self, x: Array, r: Array, hypothesis: Explanation, without: tuple[str, ...]) -> Array:
        """Return the derivatives of `residual`, which is r at x."""
        J = np.zeros((len(r), len(x)))
        parts = self._parts(x, hypothesis, without)
        raw = np.concatenate(list(parts.values()))
        state = self.state(x, hypothesis, without)
        names = [(what, of) for what, of, n, _ in self.names for _ in range(n)]
        for k in range(len(x)):
            touched = self._touched(*names[k]) if k < len(names) else RELATIONS
            J[:, k] = self._derivative(x, k, hypothesis, without, touched, (parts, raw, state))
        return self._whitened(J, without)

    def _derivative(
        self, x: Array, k: int, explanation: Explanation, without: tuple[str, ...], touched: tuple[str, ...],
        at: tuple[dict[str, Array], Array, _State],
    ) -> Array:  # fmt: skip
        """Return the derivative of `residual` by one number; `at` has its parts, itself and the state at x."""
        parts, r, state = at
        h = 1e-5
        moved = x.copy()
        moved[k] += h
        key = next((key for key, (rows, _) in self.at.items() if rows.start <= k < rows.stop), None)
        is_linear = key is not None and key[0] in ("bias", "lever", "field", "zero")
        if key is not None and is_linear:
            rows, sigma = self.at[key]
            state = state.changed(key, moved[rows] * (sigma if np.isfinite(sigma) else 1.0))
        changed = {**parts, **self._parts(moved, explanation, without, touched, state if is_linear else None)}
        return (np.concatenate(list(changed.values())) - r) / h

    def _touched(self, what: str, of: str) -> tuple[str, ...]:
        """Return the relations that depend on something unknown."""
        if what == "bias":
            quantity = next(r.sensor.quantity for r in self.reads if r.sensor.name == of)
            return {"angular velocity": ("rates",), "specific force": ("forces",)}.get(quantity, ("fields",))
        return {"lever": ("forces",), "field": ("fields",), "zero": ("compasses",)}.get(what, RELATIONS)

    def residual(self, x: Array, hypothesis: Explanation, without: tuple[str, ...] = ()) -> Array:
        """Return the weighted differences of all relations, those of some readings left out, with white noise."""
        return self._whitened(np.concatenate(list(self._parts(x, hypothesis, without).values())), without)

    def _whitened(self, r: Array, without: tuple[str, ...]) -> Array:
        """Return differences (m,) or derivatives (m, n), shortened along what small errors of the sensors do."""
        if without not in self.systematic:
            clean = Case(replace(self.drive, faults=())) if self.faulty else self
            U, sizes, _ = np.linalg.svd(clean.small_errors(without), full_matrices=False)
            self.systematic[without] = U, 1.0 / np.sqrt(1.0 + sizes**2) - 1.0
        U, less = self.systematic[without]
        shorter = r.copy()
        shorter[: len(U)] += U @ (less * (U.T @ r[: len(U)]).T).T
        return shorter

    def small_errors(self, without: tuple[str, ...]) -> Array:
        """Return what each small error of the sensors changes in the weighted differences (m, n), one sigma each.

        Scales, small turns of stated mounts and wandering biases are the same, or slow, over the whole drive, so that
        the many comparisons do not make them smaller.
        """
        x = self.first_unknowns()
        plain = np.concatenate(list(self._parts(x, NOTHING, without).values()))
        columns = [np.zeros(len(plain))]
        parts = self._parts(x, NOTHING, without)
        errors = [(changed, RELATIONS) for changed in self._with_small_errors()]
        errors += [(changed, ("forces", "fields")) for changed in self._with_slow_turns()]
        for changed, touched in errors:
            reads, self.reads, kept, self.kept = self.reads, changed, self.kept, {}
            after = {**parts, **self._parts(x, NOTHING, without, touched)}
            columns.append(np.concatenate(list(after.values())) - plain)
            self.reads, self.kept = reads, kept
        return np.column_stack(columns)

    def _with_slow_turns(self) -> Iterator[list[_Read]]:
        """Yield the sensors, of which one orientation has a part of its slow error.

        Forces and fields that vary quickly are compared past it; in the other relations it is noise.
        """
        T = self.drive.motion.duration
        for read in self.reads:
            s = read.sensor
            if not has_slow_turns(s):
                continue
            R = Rotation.from_quat(read.values.reshape(-1, 4))
            for k, axis in itertools.product(range(n_slow(s, T)), range(3)):
                size = s.slow[axis] * np.sqrt(min(1.0, 2.0 * s.tau / T) / (1.0 + (k * np.pi * s.tau / T) ** 2))
                wave = size * (1.0 if not k else np.sqrt(2.0)) * np.cos(k * np.pi * self.times / T)
                turned = Rotation.from_rotvec(wave[:, None] * np.eye(3)[axis]) * R
                yield self._with({s.name: replace(read, values=turned.as_quat().reshape(read.values.shape))})

    def _with_small_errors(self) -> Iterator[list[_Read]]:
        """Yield the sensors, of which some have one small error."""
        T = self.drive.motion.duration
        waves = [
            np.sqrt(2.0 * T) / ((k + 0.5) * np.pi) * np.sin((k + 0.5) * np.pi * self.times / T).reshape(3, N_TIMES)
            for k in range(N_WANDERS)
        ]
        walks = {"angular velocity": 1.0 / 30.0, "specific force": 1.0 / 60.0}
        for read in self.reads:
            quantity, values = read.sensor.quantity, read.values
            if quantity not in walks or read.sensor.tau < 1e3:
                continue
            for axis in np.eye(3):
                yield self._with({read.sensor.name: replace(read, values=values * (1.0 + SCALE * axis))})
                for wave in waves:
                    wander = wave[..., None] * axis * read.sensor.slow * walks[quantity]
                    yield self._with({read.sensor.name: replace(read, values=values + wander)})
        for frame in dict.fromkeys(read.sensor.frame for read in self.reads):
            of_frame = [r for r in self.reads if r.sensor.frame == frame and r.mount is not None]
            for axis in np.eye(3) if of_frame and "imu" in frame else ():
                turn = Rotation.from_rotvec(STATED_RAD * axis)
                yield self._with({r.sensor.name: replace(r, mount=r.mount * turn) for r in of_frame if r.mount})
        for source in dict.fromkeys(read.sensor.source for read in self.reads):
            path = [
                r for r in self.reads if r.sensor.source == source and r.sensor.quantity in ("position", "velocity")
            ]
            if path and source != "/fix":
                yield self._with({r.sensor.name: replace(r, values=r.values * (1.0 + SIZE)) for r in path})

    def _with(self, changed: dict[str, _Read]) -> list[_Read]:
        return [changed.get(read.sensor.name, read) for read in self.reads]

    def _parts(
        self,
        x: Array,
        hypothesis: Explanation,
        without: tuple[str, ...],
        only: tuple[str, ...] = RELATIONS,
        state: _State | None = None,
    ) -> dict[str, Array]:
        """Return the weighted differences by relation, after what is likely beforehand."""
        parts: list[Array] = []
        own: list[Array] = []
        for (what, _), (rows, sigma) in self.at.items():
            if np.isfinite(sigma):
                parts.append(x[rows])
            if what == "field":
                parts.append(np.array([(np.linalg.norm(x[rows]) - FIELD_UT[0]) / FIELD_UT[1]]))
        for fault, theta in self.values_of(x, hypothesis):
            if fault.kind == "bias":
                quantity = next(r.sensor.quantity for r in self.reads if r.sensor.name in fault.sensors)
                own.append(theta / LIKELY_BIAS[quantity])
        state = self.state(x, hypothesis, without) if state is None else state
        of_relations = {
            name: np.concatenate([np.zeros(0), *(np.clip(part, -1e6, 1e6).ravel() for part in state.relation(name))])
            for name in only
        }
        beforehand, of_fault = (np.concatenate([np.zeros(0), *each]) for each in (parts, own))
        return {"beforehand": beforehand, **of_relations, "fault": of_fault}

    def mount_covariance(self, frame: str) -> Array:
        """Return the covariance (3, 3) of a small turn of a mount, resolved in the body, rad²."""
        names = tuple(r.sensor.name for r in self.reads if r.sensor.frame == frame)
        mounting = Hypothesis("mounting", names, (), ((0.0, 0.0, 0.0),))
        explanation = (mounting,) if frame not in self.unknown else NOTHING
        x = np.concatenate([self.first_unknowns(), np.zeros(3 * len(explanation))])
        r = self.residual(x, explanation)
        J = self.jacobian(x, r, explanation, ())
        if explanation:
            rows = np.arange(len(x) - 3, len(x))
        else:
            k = 0
            rows = np.arange(3)
            for what, of, n, _ in self.names:
                if (what, of) == ("mount", frame):
                    rows = np.arange(k, k + n)
                k += n
            J[:, rows] = J[:, rows] @ _turns_of_rotvec(x[rows])
        covariance = np.linalg.inv(J.T @ J + 1e-6 * np.eye(len(x)))
        return covariance[np.ix_(rows, rows)]


def _turns_of_rotvec(v: Array) -> Array:
    """Return the changes (3, 3) of a rotation vector by small turns on the left."""
    R = Rotation.from_rotvec(v)
    h = 1e-6
    return np.column_stack([((Rotation.from_rotvec(h * e) * R).as_rotvec() - v) / h for e in np.eye(3)])


class Turns:
    """Rotation matrices, one or many, with the few operations of SciPy's that are needed; several times as fast."""

    __slots__ = ("R",)

    def __init__(self, R: Array) -> None:
        self.R = R

    @staticmethod
    def of(rotation: Rotation) -> Turns:
        """Return SciPy's rotations."""
        return Turns(rotation.as_matrix())

    def __mul__(self, other: Turns) -> Turns:
        return Turns(self.R @ other.R)

    def __getitem__(self, rows: slice) -> Turns:
        return Turns(self.R[rows])

    def inv(self) -> Turns:
        """Return the inverse rotations."""
        return Turns(np.swapaxes(self.R, -1, -2))

    def apply(self, v: Array) -> Array:
        """Return turned vectors."""
        return (self.R @ np.asarray(v)[..., None])[..., 0]

    def as_rotvec(self) -> Array:
        """Return rotation vectors, rad."""
        return Rotation.from_matrix(self.R, assume_valid=True).as_rotvec()


def _stated_by(drive: Drive, sensor: Sensor) -> Callable[[Array], Array]:
    def of(t: Array) -> Array:
        return drive.stated(sensor, t)

    return of


def _reference(sensor: Sensor) -> str:
    return sensor.reference or sensor.source


def _rms(values: Array) -> Array:
    return np.sqrt((values * values).sum(axis=0) / len(values))


class _State:
    """Readings in the axes of the body with one fault taken back, and their relations."""

    def __init__(
        self,
        case: Case,
        known: dict[tuple[str, str], Array],
        faults: list[tuple[Hypothesis, Array]],
        without: set[str],
    ) -> None:
        self.case, self.known = case, known
        self.cache: dict[tuple[str, str], Any] = {}
        ordered = sorted(
            faults, key=lambda each: -LAST_PLANTED.index(each[0].kind) if each[0].kind in LAST_PLANTED else 1
        )
        self.faults: dict[str, list[tuple[Hypothesis, Array]]] = {}
        for fault in ordered:
            for name in fault[0].sensors:
                self.faults.setdefault(name, []).append(fault)
        self.reads = [read for read in case.reads if read.sensor.name not in without]
        self.window = case.window
        self.turns: dict[str, Turns] = {}
        for read in self.reads:
            if read.sensor.quantity == "orientation":
                self.turns[read.sensor.name] = self._once_for_all("turn", read, self._body_turn)
        present = {read.sensor.name for read in self.reads}
        self.turning = [r for r in self.reads if r.sensor.quantity == "orientation" and r.sensor.copy_of not in present]
        self.present = present

    def _values(self, read: _Read) -> Array:
        """Return the stated values of a sensor at the times, stamps mended."""
        for fault, theta in self.faults.get(read.sensor.name, ()):
            if fault.kind in ("delay", "clock drift"):
                delay, *rate = map(float, theta)
                return self.case.read_late(read, delay, sum(rate))
        return read.values

    def _once_for_all(self, what: str, read: _Read, of: Callable[[_Read], Any]) -> Any:
        """Return a function of a sensor, kept if neither the fault nor anything unknown changes it."""
        is_free = read.mount is None or read.sensor.name in self.faults
        cache = self.cache if is_free else self.case.kept
        key = what, read.sensor.name
        if key not in cache:
            cache[key] = of(read)
        return cache[key]

    def changed(self, key: tuple[str, str], value: Array) -> _State:
        """Return a state with another bias, lever arm, field or zero, which leaves all that is kept as it is."""
        other = copy.copy(self)
        other.known = {**self.known, key: value}
        return other

    def _body_turn(self, read: _Read) -> Turns:
        q = self._values(read).reshape(-1, 4)
        return Turns.of(Rotation.from_quat(self.mend_turn(read, q))) * self.mount(read).inv()

    def _body_rate(self, read: _Read) -> Array:
        R = self.turns[read.sensor.name]
        return (self._part(R, 0).inv() * self._part(R, 2)).as_rotvec() / (2.0 * STENCIL_S)

    def _upward(self, read: _Read) -> Array:
        """Return the upward reaction to gravity in the body."""
        return self._part(self.turns[read.sensor.name], 1).inv().apply(G)

    def mount(self, read: _Read) -> Turns:
        """Return the mount of a sensor."""
        return self._once_here("mount", read, self._mount)

    def _mount(self, read: _Read) -> Turns:
        turns = [theta for fault, theta in self.faults.get(read.sensor.name, ()) if fault.kind == "mounting"]
        if read.mount is not None and not turns:
            return read.turns
        mount = turns_of_rotvec(self.known["mount", read.sensor.frame]) if read.mount is None else read.turns
        for theta in turns:
            mount = turns_of_rotvec(theta) * mount
        return mount

    def mend_turn(self, read: _Read, q: Array) -> Array:
        """Return quaternions with the faults of a sensor taken back."""
        for fault, theta in self.faults.get(read.sensor.name, ()):
            q = self._mend_turn_once(fault, theta, q)
        return q

    @staticmethod
    def _mend_turn_once(fault: Hypothesis, theta: Array, q: Array) -> Array:
        if fault.kind == "quaternion order":
            return np.roll(q, -int(fault.known[0]), axis=1)
        if fault.kind == "inverse":
            return q * [-1.0, -1.0, -1.0, 1.0]
        if fault.kind == "world axes":
            return (Rotation.from_quat(fault.known).inv() * Rotation.from_quat(q)).as_quat()
        if fault.kind == "starts as zero":
            return (Rotation.from_rotvec(theta) * Rotation.from_quat(q)).as_quat()
        if fault.kind == "body axes":
            return (Rotation.from_quat(q) * Rotation.from_quat(fault.known).inv()).as_quat()
        return q

    def _own_turn(self, read: _Read) -> Turns | None:
        """Return the orientation of a sensor's frame in its reference: that of its source, or the first of any."""
        own = [r for r in self.turning if r.sensor.source == read.sensor.source] or self.turning
        if not own:
            return None
        turn = self.turns[own[0].sensor.name] * self.mount(read)
        if _reference(own[0].sensor) == _reference(read.sensor):
            return turn
        return self._heading(read).inv() * self._heading(own[0]) * turn

    def vector(self, read: _Read) -> Array:
        """Return a vector or position (3, n, k) as its sensor gives it, with its faults taken back."""
        return self._once_here("vector", read, self._vector)

    def _once_here(self, what: str, read: _Read, of: Callable[[_Read], Any]) -> Any:
        """Return a function of a sensor, kept in this state."""
        key = what, read.sensor.name
        if key not in self.cache:
            self.cache[key] = of(read)
        return self.cache[key]

    def _vector(self, read: _Read) -> Array:
        v = self._values(read)
        for fault, theta in self.faults.get(read.sensor.name, ()):
            v = self._mend_vector_once(fault, theta, read, v)
        return v

    def _mend_vector_once(self, fault: Hypothesis, theta: Array, read: _Read, v: Array) -> Array:
        kind = fault.kind
        if kind == "unit":
            return v / fault.known[0]
        if kind == "scale":
            return v / np.where(np.abs(theta[0]) < 1e-3, 1e-3, theta[0])
        if kind == "sign":
            return -v
        if kind == "bias":
            return v - theta * _bias_unit(read.sensor)
        if kind == "mirrored axes":
            return v @ np.reshape(fault.known, (3, 3))
        if kind in ("world axes", "body axes"):
            Q = Turns.of(Rotation.from_quat(fault.known))
            Q = Q.inv() if kind == "world axes" else Q
            return Q.apply(v.reshape(-1, 3)).reshape(v.shape)
        if kind in ("resolved in reference", "resolved in frame", "gravity removed"):
            R = self._own_turn(read)
            if R is not None:
                flat = v.reshape(-1, 3)
                if kind == "gravity removed":
                    return (flat + R.inv().apply(G)).reshape(v.shape)
                return (R.inv() if kind == "resolved in reference" else R).apply(flat).reshape(v.shape)
        return v

    def turn_to_others(self, names: set[str]) -> Rotation:
        """Return the turn of the body that brings directions by some readings nearest to those by the others."""
        B = 1e-9 * np.eye(3)
        rates = [
            *((r, self._once_for_all("rate", r, self._body_rate), self._once(r.sensor, None)) for r in self.turning),
            *(
                (r, self.mount(r).apply(self.vector(r)[1] - self._bias(r)), self._plain(r.sensor, None))
                for r in self.reads
                if r.sensor.quantity == "angular velocity"
            ),
        ]
        ups = [(r, self._once_for_all("up", r, self._upward), np.full(3, 1.0)) for r in self.turning]
        forces = [
            (r, self.mount(r).apply(self.vector(r)[1] - self._bias(r)), np.full(3, 1.0))
            for r in self.reads
            if r.sensor.quantity == "specific force"
        ]
        pulls = []
        for r in self.turning if forces else []:
            a, variance = self._acceleration(r)
            pulls.append((r, self._once_for_all("up", r, self._upward) + (0.0 if a is None else a), variance))
        for some, others in ((rates, rates), (ups, ups), (forces, pulls), (pulls, forces), (forces, forces)):
            for (a, u, s_u), (b, v, s_v) in itertools.product(some, others):
                if a.sensor.name in names and b.sensor.name not in names:
                    B += (v.T @ u) / np.mean(s_u + s_v)
        U, _, Vt = np.linalg.svd(B + 1e-4 * np.linalg.norm(B) * np.eye(3))
        return Rotation.from_matrix(U @ np.diag([1.0, 1.0, np.linalg.det(U @ Vt)]) @ Vt)

    def mount_of_frame(self, read: _Read) -> Turns:
        """Return the mount of a sensor's frame, whatever is supposed of the sensor itself."""
        return read.turns if read.mount is not None else turns_of_rotvec(self.known["mount", read.sensor.frame])

    def _lever(self, read: _Read) -> Array:
        """Return the place of a sensor on the body; where its axes are free, it turns with them."""
        change = self.known["lever", read.sensor.frame]
        if read.mount is not None:
            return read.lever + change
        return self.mount_of_frame(read).R @ (self.case.lever[read.sensor.frame] + change)

    @property
    def swings(self) -> Array:
        """Return the matrices (n, 3, 3) from a lever arm to the acceleration that the rotation gives it.

        Angular velocity and acceleration are the weighted means of all readings, in the axes of the body as supposed.
        """
        if ("swings", "") not in self.cache:
            self.cache["swings", ""] = self._swings()
        return self.cache["swings", ""]

    def _swings(self) -> Array:
        sum_w, sum_a, sum_of_weights = np.zeros((N_TIMES, 3)), np.zeros((N_TIMES, 3)), np.zeros(3)
        for r in self.turning:
            w, a = (
                self._once_for_all("rate", r, self._body_rate),
                self._once_for_all("swing", r, self._body_acceleration),
            )
            weight = 1.0 / self._once(r.sensor, None)
            sum_w, sum_a, sum_of_weights = sum_w + weight * w, sum_a + weight * a, sum_of_weights + weight
        for r in self.reads:
            if r.sensor.quantity == "angular velocity":
                mount, values = self.mount(r), self.vector(r)
                weight = 1.0 / self._plain(r.sensor, None)
                sum_w = sum_w + weight * mount.apply(values[1])
                sum_a = sum_a + weight * mount.apply(values[2] - values[0]) / (2.0 * STENCIL_S)
                sum_of_weights = sum_of_weights + weight
        w, a = sum_w / (sum_of_weights + 1e-12), sum_a / (sum_of_weights + 1e-12)
        return _crossing(a) + w[:, :, None] * w[:, None, :] - (w * w).sum(axis=1)[:, None, None] * np.eye(3)

    def _body_acceleration(self, read: _Read) -> Array:
        R = self.turns[read.sensor.name]
        before, now, after = (self._part(R, k) for k in range(3))
        return ((now.inv() * after).as_rotvec() - (before.inv() * now).as_rotvec()) / STENCIL_S**2

    @staticmethod
    def heading_between(R: Turns, other: Turns) -> float:
        """Return the angle about z that brings orientations, turned on the left, nearest to others, rad."""
        M = (other * R.inv()).R.sum(axis=0)
        return float(np.arctan2(M[1, 0] - M[0, 1], M[0, 0] + M[1, 1]))

    def heading_of_places(self, read: _Read, other: _Read) -> float:
        """Return the angle about z from the axes of a reference to those of the first, by positions in both, rad."""
        p, q = self.vector(read)[1], self._heading(other).apply(self.vector(other)[1])
        return heading_of_vectors(p - p.mean(axis=0), q - q.mean(axis=0))

    def zero_of_compass(self, read: _Read, turning: _Read) -> float:
        """Return the angle that is added to the readings of a compass, rad."""
        x = self._part(self._heading(turning) * self.turns[turning.sensor.name], 1).apply([1.0, 0.0, 0.0])
        ahead = np.exp(1j * (np.arctan2(x[:, 1], x[:, 0]) - self.vector(read)[1, :, 0]))
        return float(np.angle(ahead.sum()))

    def _bias(self, read: _Read) -> Array:
        return self.known.get(("bias", read.sensor.name), np.zeros(3))

    def _heading(self, read: _Read) -> Turns:
        """Return the turn from the axes of a sensor's reference to those of the first."""
        angle = self.known.get(("heading", _reference(read.sensor)), np.zeros(1))[0]
        c, s = np.cos(angle), np.sin(angle)
        return Turns(np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]]))

    def _part(self, R: Turns, k: int) -> Turns:
        return R[k * N_TIMES : (k + 1) * N_TIMES]

    # Variances of one comparison (3,)

    def _plain(self, s: Sensor, size: float | None) -> Array:
        """Return the variance of one comparison of a reading whose size is that, or that of the angular velocity."""
        return self._variance("plain", s, size)

    def _once(self, s: Sensor, size: float | None) -> Array:
        """Return the variance of a derivative."""
        return self._variance("once", s, size)

    def _twice(self, s: Sensor, size: float | None) -> Array:
        """Return the variance of a second derivative."""
        return self._variance("twice", s, size)

    def _tilt(self, s: Sensor) -> Array:
        """Return the variance of an orientation where a direction is compared, past its slow errors."""
        return self._variance("beside gravity", s, 0.0)

    def _variance(self, what: str, s: Sensor, size: float | None) -> Array:
        key = what, s.name, size
        if key not in self.case.variances:
            if what == "beside gravity":
                T = self.case.drive.motion.duration
                past = 1.0 + (n_slow(s, T) * np.pi * s.tau / T) ** 2 if has_slow_turns(s) else 1.0
                noise = s.white**2 / (s.hz * self.window) + s.slow**2 * max(1.0, 2.0 * s.tau / self.window) / past
            elif what == "plain":
                slow = 0.0 if s.tau > 1e3 else s.slow**2 * max(1.0, 2.0 * s.tau / self.window)
                noise = s.white**2 / (s.hz * self.window) + slow
            else:
                noise = self.case.spectra[s.name][("once", "twice").index(what)] / self.window
            rest = REST * s.relative * (_rms(self.case.rate) if size is None else size)
            self.case.variances[key] = noise + N_TIMES * rest**2
        return self.case.variances[key]

    # Relations

    def relation(self, name: str) -> Iterator[Array]:
        """Return weighted differences (n, k) of one of `RELATIONS`."""
        of_name: dict[str, Callable[[], Iterator[Array]]] = {
            "turns": self._turn_pairs,
            "rates": self._rate_pairs,
            "forces": lambda: itertools.chain(self._forces(), self._force_pairs()),
            "velocities": self._velocities,
            "places": self._place_pairs,
            "fields": self._fields,
            "compasses": self._compasses,
        }
        return of_name[name]()

    def _turn_pairs(self) -> Iterator[Array]:
        turned = [(r, self._heading(r) * self._part(self.turns[r.sensor.name], 1)) for r in self.turning]
        slack = N_TIMES * SLACK_RAD**2
        variances = [self._plain(r.sensor, 0.0) + slack for r, _ in turned]
        for (i, (_, Ri)), (j, (_, Rj)) in itertools.combinations(enumerate(turned), 2):
            yield (Ri.inv() * Rj).as_rotvec() * _weight(variances, i, j)
        for r in self.reads:
            if r.sensor.quantity == "orientation" and r.sensor.copy_of in self.present:
                difference = self.turns[r.sensor.name].inv() * self.turns[r.sensor.copy_of]
                yield self._part(difference, 1).as_rotvec() / 5e-3

    def _rate_pairs(self) -> Iterator[Array]:
        rates, variances = [], []
        for r in self.turning:
            rates.append(self._once_for_all("rate", r, self._body_rate))
            variances.append(self._once(r.sensor, None))
        for r in self.reads:
            if r.sensor.quantity == "angular velocity":
                bias = self._bias(r)
                rates.append(self.mount(r).apply(self.vector(r)[1] - bias))
                variances.append(self._plain(r.sensor, None))
        for i, j in itertools.combinations(range(len(rates)), 2):
            yield (rates[i] - rates[j]) * _weight(variances, i, j)

    def _forces(self) -> Iterator[Array]:
        for r in self.reads:
            if r.sensor.quantity != "specific force" or not self.turning:
                continue
            mount = self.mount(r).R
            swing = self.swings @ self._lever(r) + mount @ self._bias(r)
            for difference, sigma, is_given, up, less in self._once_here("pushes", r, self._pushes):
                e = (difference - (swing if is_given else mount @ self._bias(r))) / sigma
                yield less * e + (1.0 - less) * up * (up * e).sum(axis=1, keepdims=True)

    def _pushes(self, r: _Read) -> list[tuple[Array, Array, bool, Array, float]]:
        """Return for each orientation what a force is beyond gravity and the acceleration, without bias and swing.

        With it stand its standard deviation, whether the acceleration is given, so that the swing is to be taken off
        (else the true one, with swing, has been), the direction of gravity, and how much less it weighs across that:
        a tilt leaves the size of gravity as it is.
        """
        base = self._plain(r.sensor, G[2]) + 0.01**2
        f = self.vector(r)[1]
        pushes = []
        for i in self.turning:
            a, variance = self._acceleration(i)
            push = self.mount(r).apply(f if a is not None else f - self.case.push[r.sensor.frame])
            g = self._once_for_all("up", i, self._upward)
            tilted = (G[2] ** 2) * np.max(self._tilt(i.sensor)[:2])
            sigma = np.sqrt((base + variance) * len(self.turning))
            less = float(np.sqrt(np.mean(base + variance) / (np.mean(base + variance) + tilted)))
            pushes.append((push - g - (0.0 if a is None else a), sigma, a is not None, g / G[2], less))
        return pushes

    def _force_pairs(self) -> Iterator[Array]:
        """Yield differences of two forces, half of whose weight is that of `_forces`."""
        forces, variances = [], []
        for r in self.reads:
            if r.sensor.quantity == "specific force":
                f = self.vector(r)[1] - self._bias(r)
                swing = self.swings @ self._lever(r)
                forces.append(self.mount(r).apply(f) - swing)
                variances.append(self._plain(r.sensor, G[2]) + 0.01**2)
        for i, j in itertools.combinations(range(len(forces)), 2):
            yield (forces[i] - forces[j]) / np.sqrt(2.0 * (variances[i] + variances[j]))

    def _acceleration(self, i: _Read) -> tuple[Array | None, Array]:
        return self._once_here("acceleration", i, self._acceleration_once)

    def _acceleration_once(self, i: _Read) -> tuple[Array | None, Array]:
        """Return the acceleration in the body by the best sensor that gives it, None if none does, and its variance."""
        R = self.turns[i.sensor.name]
        options = [(self.case.pull**2 * np.ones(3) * N_TIMES / 4.0 + 1e-6, "none", i)]
        for r in self.reads:
            if r.sensor.copy_of in self.present:
                continue
            if r.sensor.quantity == "velocity":
                options.append((self._once(r.sensor, self.case.pull), "velocity", r))
            elif r.sensor.quantity == "position" and r.sensor.hz >= 4.0:
                options.append((self._twice(r.sensor, self.case.pull), "position", r))
        variance, form, r = min(options, key=lambda option: float(np.sum(option[0])))
        if form == "none":
            return None, variance
        values = self.vector(r)
        if form == "position":
            second = (values[0] - 2.0 * values[1] + values[2]) / STENCIL_S**2
            if r.sensor.source == "/fix":
                swing = self.swings @ r.lever
                turn = (self._heading(i) * self._part(R, 1)).inv() * self._heading(r)
                return turn.apply(second) - swing, variance
            own = self._own_turn(r)
            assert own is not None
            return self._part(own, 1).inv().apply(second), variance
        first = (values[2] - values[0]) / (2.0 * STENCIL_S)
        if r.sensor.resolved_in == r.sensor.frame:
            return first + np.cross(self._once_for_all("rate", i, self._body_rate), values[1]), variance
        own = self._own_turn(r)
        assert own is not None
        return self._part(own, 1).inv().apply(first), variance

    def _velocities(self) -> Iterator[Array]:
        for r in self.reads:
            if r.sensor.quantity != "velocity":
                continue
            v = self.vector(r)[1]
            typical = self.case.speed
            if r.sensor.resolved_in != r.sensor.frame:
                own = self._own_turn(r)
                if own is None:
                    continue
                v = self._part(own, 1).inv().apply(v)
            rows = [p for p in self.reads if p.sensor.quantity == "position" and p.sensor.copy_of not in self.present]
            for p in rows:
                if p.sensor.source == "/fix":
                    continue
                own = self._own_turn(p)
                if own is None:
                    continue
                values = self.vector(p)
                u = self._part(own, 1).inv().apply((values[2] - values[0]) / (2.0 * STENCIL_S))
                variance = self._plain(r.sensor, typical) + self._once(p.sensor, typical)
                yield (v - u) / np.sqrt(variance)

    def _place_pairs(self) -> Iterator[Array]:
        places = [r for r in self.reads if r.sensor.quantity == "position"]
        for a, b in itertools.combinations(places, 2):
            p, q = self.vector(a)[1], self.vector(b)[1]
            if b.sensor.copy_of == a.sensor.name:
                yield (p - q) / 0.01
                continue
            if b.sensor.copy_of in self.present or a.sensor.copy_of in self.present:
                continue
            if b.sensor.source == "/fix":
                own = self._own_turn(a)
                p = p + (0.0 if own is None else self._part(own, 1).apply(b.lever))
            p, q = self._heading(a).apply(p), self._heading(b).apply(q)
            typical = self.case.reach
            variance = self._plain(a.sensor, typical) + self._plain(b.sensor, typical)
            difference = (p - p.mean(axis=0)) - (q - q.mean(axis=0))
            yield difference / np.sqrt(variance)

    def _fields(self) -> Iterator[Array]:
        for r in self.reads:
            if r.sensor.quantity != "magnetic field" or not self.turning:
                continue
            bias = self.mount(r).R @ self._bias(r)
            field = 1e-6 * self.known["field", r.sensor.name]
            for m, back, sigma in self._once_here("directions", r, self._directions):
                yield (m - bias - back @ field) / sigma

    def _directions(self, r: _Read) -> list[tuple[Array, Array, Array]]:
        """Return for each orientation a field in the body, the matrices to the body, and the standard deviation."""
        m = self.mount(r).apply(self.vector(r)[1])
        directions = []
        for i in self.turning:
            R = self._heading(i) * self._part(self.turns[i.sensor.name], 1)
            turned = (48e-6) ** 2 * np.max(self._tilt(i.sensor))
            variance = self._plain(r.sensor, 48e-6) + turned
            directions.append((m, R.inv().R, np.sqrt(variance * len(self.turning))))
        return directions

    def _compasses(self) -> Iterator[Array]:
        for r in self.reads:
            if r.sensor.quantity != "heading":
                continue
            values = self.vector(r)[..., 0]
            zero = self.known["zero", r.sensor.name][0]
            for i in self.turning:
                R = self._heading(i) * self.turns[i.sensor.name]
                x = self._part(R, 1).apply([1.0, 0.0, 0.0])[:, :2]
                lean = np.linalg.norm(x, axis=1, keepdims=True)
                psi = values[1] + zero
                variance = self._plain(r.sensor, 0.0)[2] + self._plain(i.sensor, 0.0)[2]
                share = np.sqrt(len(self.turning) * (variance + N_TIMES * SLACK_RAD**2))
                yield (np.column_stack([np.cos(psi), np.sin(psi)]) - x / lean) / share
                turned = R.apply([1.0, 0.0, 0.0])
                angle = np.unwrap(np.arctan2(turned[:, 1], turned[:, 0]).reshape(3, N_TIMES), axis=0)
                rate = (angle[2] - angle[0] - values[2] + values[0]) / (2.0 * STENCIL_S)
                spread = self._once(r.sensor, None)[2] + self._once(i.sensor, None)[2]
                yield rate[:, None] / np.sqrt(spread * len(self.turning))


def _crossing(v: Array) -> Array:
    """Return the matrices (n, 3, 3) of the cross products with vectors (n, 3)."""
    matrices = np.zeros((len(v), 3, 3))
    matrices[:, [2, 0, 1], [1, 2, 0]] = v
    matrices[:, [1, 2, 0], [2, 0, 1]] = -v
    return matrices


def turns_of_rotvec(v: Array) -> Turns:
    """Return the rotation of a rotation vector (3,), as SciPy does, several times as fast."""
    angle = float(np.sqrt(v @ v))
    if angle < 1e-6:
        return Turns.of(Rotation.from_rotvec(v))
    (K,) = _crossing(v[None] / angle)
    return Turns(np.eye(3) + np.sin(angle) * K + (1.0 - np.cos(angle)) * (K @ K))


def heading_of_vectors(p: Array, q: Array) -> float:
    """Return the angle about z that brings vectors (n, 3) nearest to others, rad."""
    return float(np.arctan2(np.sum(p[:, 0] * q[:, 1] - p[:, 1] * q[:, 0]), np.sum(p[:, :2] * q[:, :2])))


def has_slow_turns(sensor: Sensor) -> bool:
    """Return whether an orientation errs slowly; that of wheels errs with each bump."""
    return sensor.quantity == "orientation" and sensor.white.max() < 0.01 and not sensor.copy_of


def n_slow(sensor: Sensor, duration: float) -> int:
    """Return how many cosines of time have nearly all of a slow error."""
    return min(40, int(np.ceil(10.0 * duration / (np.pi * sensor.tau))) + 1)


def _bias_unit(sensor: Sensor) -> float:
    return 1e-6 if sensor.quantity == "magnetic field" else 1.0


def _weight(variances: list[Array], i: int, j: int) -> Array:
    """Return the weight of the difference of two of several readings, so that their sum is that about their mean."""
    whole = sum(1.0 / v for v in variances)
    return np.sqrt((1.0 / variances[i]) * (1.0 / variances[j]) / whole)


# --- What the motion leaves open


def open_directions(drive: Drive, frame: str) -> list[Array]:
    """Return the unit vectors, in the body, about which a mount cannot be known; three if it cannot be known at all."""
    values, vectors = np.linalg.eigh(mount_covariance(drive, frame))
    return [vectors[:, k] for k in range(3) if np.degrees(np.sqrt(values[k])) > OPEN_DEG]


def mount_covariance(drive: Drive, frame: str) -> Array:
    """Return the covariance of the mount of a frame by exact readings without faults, resolved in the body, rad²."""
    return Case(replace(drive, faults=())).mount_covariance(frame)


if __name__ == "__main__":
    write_table(map(int, sys.argv[1:]))

"""Whether a drive of `foreign_drives` can tell its fault, from exact readings and the noise, by NumPy and SciPy alone.

Readings are laid against each other in relations: turns against turns and rates, specific forces against turns and
accelerations, velocities against positions, positions against positions, fields against turns. A rival is another
explanation of the same readings: no fault, or one fault of another kind or of other readings. Its least chi-square,
over its own numbers and those that nobody knows (headings of references, biases, mounts that are not stated), has to
be over nine: three standard errors.

The table of the first drives: ``python -m tests.support.foreign_drive_rivals FIRST LAST``.
"""

from __future__ import annotations

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
from tests.support.foreign_motions import G

Array = np.ndarray

CAN_TELL = 9.0
"""Chi-square that the best rival leaves at least where the motion can tell."""

N_TIMES = 48
"""Times at which relations are compared."""

STENCIL_S = 0.01
"""Interval of differences of exact readings, s."""

SMOOTHED_S = 0.2
"""Time over which noisy readings can be smoothed before they are differentiated, s."""

OPEN_DEG = 5.0
"""Standard error of a mount from which a direction counts as open, degrees."""

FIELD_UT = 45.0, 12.0
"""Likely size of the Earth's field, and its standard deviation, µT."""

LIKELY_BIAS = {"angular velocity": 0.3, "specific force": 1.5, "magnetic field": 40.0}
"""Standard deviation of biases that are taken for a fault, rad/s, m/s² and µT."""

LEVER_M = {True: 0.02, False: 0.15}
"""Standard deviation of each component of a lever arm, stated or not, m."""

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


NOTHING = Hypothesis("no fault", ())


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
    faults = [_judge(planted, fault) for fault in planted.faults]
    if len(faults) > 1 and all(fault.can_tell for fault in faults):
        chi_square, rival, single = _single(planted)
        if chi_square < min(fault.apart for fault in faults):
            told = bool(chi_square > CAN_TELL)
            faults = [replace(fault, can_tell=told, rival=rival, apart=float(chi_square)) for fault in faults]
        faults = [replace(fault, single=single) for fault in faults]
    return replace(planted, faults=tuple(faults))


def _single(drive: Drive) -> tuple[float, str, tuple[tuple[str, str], ...]]:
    """Return the least chi-square of one fault that explains all that were planted, that fault, and all such faults."""
    case = Case(drive, *drive.faults)
    nearest, rival = case.least([NOTHING]), "no fault at all"
    single: list[tuple[str, str]] = []
    excluded: list[set[str]] = []
    for group in sorted(_groups(drive), key=len, reverse=True):
        if any(set(group) <= names for names in excluded):
            continue
        bound = case.least([NOTHING], without=group)
        if bound > CAN_TELL:
            excluded.append(set(group))
            nearest, rival = min((nearest, rival), (bound, "one fault of " + ", ".join(group)))
            continue
        for kind, chi_square in _explained(case, group, None):
            nearest, rival = min((nearest, rival), (chi_square, f"{kind} alone of " + ", ".join(group)))
            single += [(kind, name) for name in group if chi_square < CAN_TELL]
    return nearest, rival, tuple(single)


def write_table(seeds: Iterable[int]) -> None:
    """Add the nearest rivals of drives to the table."""
    rows = dict(_table())
    for seed in seeds:
        faults = judged(drive(seed)).faults
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


def _judge(drive: Drive, fault: Planted) -> Planted:
    case = Case(drive, fault)
    nearest, rival, also = case.least([NOTHING]), "no fault", []
    excluded: list[set[str]] = []
    for group in sorted(_groups(drive), key=len, reverse=True):
        if any(set(group) <= names for names in excluded):
            continue
        bound = case.least([NOTHING], without=group) if set(group) != set(fault.sensors) else 0.0
        if bound > CAN_TELL:
            excluded.append(set(group))
            if bound < nearest:
                nearest, rival = bound, "any fault of " + ", ".join(group)
            continue
        for kind, chi_square in _explained(case, group, fault):
            if _is_kindred(kind, fault.kind) and chi_square < CAN_TELL:
                also += group
            elif chi_square < nearest:
                nearest, rival = chi_square, f"{kind} of " + ", ".join(group)
    return replace(fault, can_tell=bool(nearest > CAN_TELL), rival=rival, apart=float(nearest), also=tuple(also))


def _is_kindred(kind: str, other: str) -> bool:
    """Return whether two kinds may do the same to the same readings."""
    return kind == other or any({kind, other} <= family for family in FAMILIES)


def _explained(case: Case, group: tuple[str, ...], fault: Planted | None) -> Iterator[tuple[str, float]]:
    """Yield the kinds of fault that some readings may have, with the chi-square that each leaves."""
    by_kind: dict[str, list[Hypothesis]] = {}
    for hypothesis in _hypotheses(case.drive, group):
        is_planted = fault is not None and set(group) == set(fault.sensors) and _is_kindred(hypothesis.kind, fault.kind)
        if not is_planted:
            by_kind.setdefault(hypothesis.kind, []).append(hypothesis)
    for kind, hypotheses in by_kind.items():
        yield kind, case.least(hypotheses)


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


def _hypotheses(drive: Drive, group: tuple[str, ...]) -> Iterator[Hypothesis]:
    """Yield the faults that all of some readings may have together."""
    sensors = [s for s in drive.sensors if s.name in group]
    of_source = {s.name for s in drive.sensors if s.source == sensors[0].source}
    if set(group) == of_source:
        yield Hypothesis("delay", group, (), tuple((x,) for x in (-0.4, -0.1, -0.03, 0.0, 0.03, 0.1, 0.4)))
        if drive.motion.duration > 40.0:
            small = 0.15 / drive.motion.duration
            yield Hypothesis("clock drift", group, (), ((0.0, small), (0.0, -small)))
    if "imu" in sensors[0].frame and set(group) == {s.name for s in drive.sensors if s.frame == sensors[0].frame}:
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
    yield from (Hypothesis("mirrored axes", group, tuple(1.0 - 2.0 * np.eye(3)[k])) for k in range(3))
    kind = "world axes" if quantity == "position" else "body axes"
    yield from (Hypothesis(kind, group, q) for q in _TURNS)
    if quantity in ("angular velocity", "specific force", "magnetic field"):
        yield Hypothesis("bias", group, (), ((0.0, 0.0, 0.0),))
    if quantity == "specific force":
        yield Hypothesis("gravity removed", group)
    if quantity in ("angular velocity", "specific force", "velocity"):
        is_in_reference = quantity == "velocity" and sensor.resolved_in == sensor.reference
        yield Hypothesis("resolved in frame" if is_in_reference else "resolved in reference", group)


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
        self.swings = np.stack([drive.motion.specific_force(self.t, e) - swings for e in np.eye(3)], axis=-1)
        forces = [r for r in self.reads if r.sensor.quantity == "specific force"]
        self.swing = {r.sensor.frame: self.swings @ r.lever for r in forces}
        turned = drive.motion.turn(self.t).inv().apply(drive.motion.acceleration(self.t))
        self.push = {frame: mounts[frame].turn.inv().apply(turned + swing) for frame, swing in self.swing.items()}
        self.pull = float(np.sqrt(np.mean(drive.motion.acceleration(self.t) ** 2)))
        self.rate = drive.motion.rate(self.t)
        self.speed = float(_rms(drive.motion.velocity(self.t)).max())
        places = drive.motion.place(self.t)
        self.reach = float(_rms(places - places.mean(axis=0)).max())
        self.fix_swing = {r.sensor.name: self.swings @ r.lever for r in self.reads if r.sensor.source == "/fix"}
        self.names = self._names()
        self.kept: dict[tuple[str, str], Any] = {}
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

    def least(self, hypotheses: list[Hypothesis], *, without: tuple[str, ...] = ()) -> float:
        """Return the least chi-square with one of several faults taken back, over all that is unknown."""
        starts = self._starts()
        at = {}
        k = 0
        for what, of, n, _ in self.names:
            at[what, of] = slice(k, k + n)
            k += n
        quarters = (0.0, 0.5 * np.pi, np.pi, -0.5 * np.pi)
        trials = []
        for hypothesis in hypotheses:
            touched = {_reference(r.sensor) for r in self.reads if r.sensor.name in hypothesis.sensors}
            free = [ref for ref in touched if ("heading", ref) in at]
            for start, first, quarter in itertools.product(starts, hypothesis.starts, quarters if free else (0.0,)):
                x = np.concatenate([start, first])
                for ref in free:
                    x[at["heading", ref]] += quarter
                chi_square = float(np.sum(self.residual(x, hypothesis, without) ** 2))
                trials.append((chi_square, len(trials), x, hypothesis))
        trials.sort(key=lambda trial: trial[:2])
        least = np.inf
        for first_chi, _, x, hypothesis in trials[:2]:
            least = min(least, self._descend(x, hypothesis, without, first_chi))
            if least < 0.1:
                break
        return least

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

    def _descend(self, x: Array, hypothesis: Hypothesis, without: tuple[str, ...], first: float) -> float:
        """Return the chi-square after steps of Levenberg and Marquardt; of the first steps if it stays large."""
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
                return least
            gain, least, x, r = least - now, now, x + d, r_new
            damping *= 0.2
            if least < 0.1 or gain < 1e-3 * least or (step >= 3 and least > 100.0 * CAN_TELL):
                return least
        return least

    def jacobian(self, x: Array, r: Array, hypothesis: Hypothesis, without: tuple[str, ...]) -> Array:
        """Return the derivatives of `residual`, which is r at x."""
        J = np.zeros((len(r), len(x)))
        parts = self._parts(x, hypothesis, without)
        names = [(what, of) for what, of, n, _ in self.names for _ in range(n)]
        for k in range(len(x)):
            e = np.zeros(len(x))
            e[k] = 1e-5
            touched = self._touched(*names[k]) if k < len(names) else RELATIONS
            changed = {**parts, **self._parts(x + e, hypothesis, without, touched)}
            J[:, k] = (np.concatenate(list(changed.values())) - r) / 1e-5
        return J

    def _touched(self, what: str, of: str) -> tuple[str, ...]:
        """Return the relations that depend on something unknown."""
        if what == "bias":
            quantity = next(r.sensor.quantity for r in self.reads if r.sensor.name == of)
            return {"angular velocity": ("rates",), "specific force": ("forces",)}.get(quantity, ("fields",))
        return {"lever": ("forces",), "field": ("fields",), "zero": ("compasses",)}.get(what, RELATIONS)

    def residual(self, x: Array, hypothesis: Hypothesis, without: tuple[str, ...] = ()) -> Array:
        """Return the weighted differences of all relations, those of some readings left out."""
        return np.concatenate(list(self._parts(x, hypothesis, without).values()))

    def _parts(
        self, x: Array, hypothesis: Hypothesis, without: tuple[str, ...], only: tuple[str, ...] = RELATIONS
    ) -> dict[str, Array]:
        """Return the weighted differences by relation, after what is likely beforehand."""
        known: dict[tuple[str, str], Array] = {}
        parts: list[Array] = []
        k = 0
        for what, of, n, sigma in self.names:
            known[what, of] = x[k : k + n]
            if np.isfinite(sigma):
                parts.append(x[k : k + n])
                known[what, of] = x[k : k + n] * sigma
            if what == "field":
                parts.append(np.array([(np.linalg.norm(known[what, of]) - FIELD_UT[0]) / FIELD_UT[1]]))
            k += n
        if hypothesis.kind == "bias":
            quantity = next(r.sensor.quantity for r in self.reads if r.sensor.name in hypothesis.sensors)
            parts.append(x[k:] / LIKELY_BIAS[quantity])
        state = _State(self, known, hypothesis, x[k:], set(without))
        of_relations = {
            name: np.concatenate([np.zeros(0), *(np.clip(part, -1e6, 1e6).ravel() for part in state.relation(name))])
            for name in only
        }
        return {"beforehand": np.concatenate([np.zeros(0), *parts]), **of_relations}

    def mount_covariance(self, frame: str) -> Array:
        """Return the covariance (3, 3) of a small turn of a mount, resolved in the body, rad²."""
        names = tuple(r.sensor.name for r in self.reads if r.sensor.frame == frame)
        hypothesis = Hypothesis("mounting", names, (), ((0.0, 0.0, 0.0),)) if frame not in self.unknown else NOTHING
        x = np.concatenate([self.first_unknowns(), np.zeros(3 if hypothesis.sensors else 0)])
        r = self.residual(x, hypothesis)
        J = self.jacobian(x, r, hypothesis, ())
        if hypothesis.sensors:
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
        self, case: Case, known: dict[tuple[str, str], Array], hypothesis: Hypothesis, theta: Array, without: set[str]
    ) -> None:
        self.case, self.known, self.hypothesis, self.theta = case, known, hypothesis, theta
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
        if self.hypothesis.kind in ("delay", "clock drift") and read.sensor.name in self.hypothesis.sensors:
            delay, *rate = map(float, self.theta)
            return self.case.read_late(read, delay, sum(rate))
        return read.values

    def _once_for_all(self, what: str, read: _Read, of: Callable[[_Read], Any]) -> Any:
        """Return a function of a sensor, kept if neither the fault nor anything unknown changes it."""
        if read.mount is None or read.sensor.name in self.hypothesis.sensors:
            return of(read)
        key = what, read.sensor.name
        if key not in self.case.kept:
            self.case.kept[key] = of(read)
        return self.case.kept[key]

    def _body_turn(self, read: _Read) -> Turns:
        q = self._values(read).reshape(-1, 4)
        return Turns.of(Rotation.from_quat(self._mend_turn(read, q))) * self._mount(read).inv()

    def _body_rate(self, read: _Read) -> Array:
        R = self.turns[read.sensor.name]
        return (self._part(R, 0).inv() * self._part(R, 2)).as_rotvec() / (2.0 * STENCIL_S)

    def _upward(self, read: _Read) -> Array:
        """Return the upward reaction to gravity in the body."""
        return self._part(self.turns[read.sensor.name], 1).inv().apply(G)

    def _mount(self, read: _Read) -> Turns:
        is_turned = self.hypothesis.kind == "mounting" and read.sensor.name in self.hypothesis.sensors
        if read.mount is not None and not is_turned:
            return read.turns
        mount = Rotation.from_rotvec(self.known["mount", read.sensor.frame]) if read.mount is None else read.mount
        return Turns.of(Rotation.from_rotvec(self.theta) * mount if is_turned else mount)

    def _mend_turn(self, read: _Read, q: Array) -> Array:
        hypothesis = self.hypothesis
        kind = hypothesis.kind if read.sensor.name in hypothesis.sensors else ""
        if kind == "quaternion order":
            return np.roll(q, -int(hypothesis.known[0]), axis=1)
        if kind == "inverse":
            return q * [-1.0, -1.0, -1.0, 1.0]
        if kind == "world axes":
            return (Rotation.from_quat(hypothesis.known).inv() * Rotation.from_quat(q)).as_quat()
        if kind == "starts as zero":
            return (Rotation.from_rotvec(self.theta) * Rotation.from_quat(q)).as_quat()
        if kind == "body axes":
            return (Rotation.from_quat(q) * Rotation.from_quat(hypothesis.known).inv()).as_quat()
        return q

    def _own_turn(self, read: _Read) -> Turns | None:
        """Return the orientation of a sensor's frame: that of its source, or the first of any."""
        own = [r for r in self.turning if r.sensor.source == read.sensor.source] or self.turning
        if not own:
            return None
        return self.turns[own[0].sensor.name] * self._mount(read)

    def _vector(self, read: _Read) -> Array:
        """Return a vector or position (3, n, k) as its sensor gives it, mended."""
        v = self._values(read)
        hypothesis, theta = self.hypothesis, self.theta
        kind = hypothesis.kind if read.sensor.name in hypothesis.sensors else ""
        if kind == "unit":
            return v / hypothesis.known[0]
        if kind == "scale":
            return v / np.where(np.abs(theta[0]) < 1e-3, 1e-3, theta[0])
        if kind == "sign":
            return -v
        if kind == "bias":
            return v - theta * _bias_unit(read.sensor)
        if kind == "mirrored axes":
            return v * np.array(hypothesis.known)
        if kind in ("world axes", "body axes"):
            Q = Turns.of(Rotation.from_quat(hypothesis.known))
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

    def _heading(self, read: _Read) -> Turns:
        """Return the turn from the axes of a sensor's reference to those of the first."""
        angle = self.known.get(("heading", _reference(read.sensor)), np.zeros(1))[0]
        c, s = np.cos(angle), np.sin(angle)
        return Turns(np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]]))

    def _part(self, R: Turns, k: int) -> Turns:
        return R[k * N_TIMES : (k + 1) * N_TIMES]

    # Variances of one comparison (3,)

    def _plain(self, s: Sensor, signal: Array) -> Array:
        slow = 0.0 if s.tau > 1e3 else s.slow**2 * max(1.0, 2.0 * s.tau / self.window)
        return s.white**2 / (s.hz * self.window) + slow + N_TIMES * (s.relative * _rms(signal)) ** 2

    def _once(self, s: Sensor, signal: Array) -> Array:
        """Return the variance of a derivative."""
        smoothed = max(SMOOTHED_S, 3.0 / s.hz)
        white = 12.0 * s.white**2 / (s.hz * smoothed**2 * self.window)
        slow = 0.0 if s.tau > 1e3 else 2.0 * s.slow**2 / (s.tau * self.window)
        return white + slow + N_TIMES * (s.relative * _rms(signal)) ** 2

    def _twice(self, s: Sensor, signal: Array) -> Array:
        """Return the variance of a second derivative."""
        smoothed = max(SMOOTHED_S, 5.0 / s.hz)
        white = 720.0 * s.white**2 / (s.hz * smoothed**4 * self.window)
        return white + N_TIMES * (s.relative * _rms(signal)) ** 2

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
        slack = N_TIMES * 0.003**2
        variances = [self._plain(r.sensor, np.zeros((1, 3))) + slack for r, _ in turned]
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
            variances.append(self._once(r.sensor, self.case.rate))
        for r in self.reads:
            if r.sensor.quantity == "angular velocity":
                bias = self.known.get(("bias", r.sensor.name), np.zeros(3))
                rates.append(self._mount(r).apply(self._vector(r)[1] - bias))
                variances.append(self._plain(r.sensor, self.case.rate))
        for i, j in itertools.combinations(range(len(rates)), 2):
            yield (rates[i] - rates[j]) * _weight(variances, i, j)

    def _forces(self) -> Iterator[Array]:
        for r in self.reads:
            if r.sensor.quantity != "specific force" or not self.turning:
                continue
            bias = self.known.get(("bias", r.sensor.name), np.zeros(3))
            f = self._vector(r)[1] - bias
            base = self._plain(r.sensor, np.array([G[2] * np.ones(3)])) + 0.02**2
            share = np.sqrt(len(self.turning))
            for i in self.turning:
                a, variance = self._acceleration(i)
                if a is None:
                    push = self._mount(r).apply(f - self.case.push[r.sensor.frame])
                    a = np.zeros(3)
                else:
                    swing = self.case.swing[r.sensor.frame] + self.case.swings @ self.known["lever", r.sensor.frame]
                    push = self._mount(r).apply(f) - swing
                g = self._once_for_all("up", i, self._upward)
                tilted = (G[2] ** 2) * np.max(self._plain(i.sensor, np.zeros((1, 3)))[:2])
                yield (push - a - g) / np.sqrt(base + variance + tilted) / share

    def _force_pairs(self) -> Iterator[Array]:
        """Yield differences of two forces, half of whose weight is that of `_forces`."""
        forces, variances = [], []
        for r in self.reads:
            if r.sensor.quantity == "specific force":
                f = self._vector(r)[1] - self.known.get(("bias", r.sensor.name), np.zeros(3))
                swing = self.case.swing[r.sensor.frame] + self.case.swings @ self.known["lever", r.sensor.frame]
                forces.append(self._mount(r).apply(f) - swing)
                variances.append(self._plain(r.sensor, np.array([G[2] * np.ones(3)])) + 0.02**2)
        for i, j in itertools.combinations(range(len(forces)), 2):
            yield (forces[i] - forces[j]) / np.sqrt(2.0 * (variances[i] + variances[j]))

    def _acceleration(self, i: _Read) -> tuple[Array | None, Array]:
        """Return the acceleration in the body by the best sensor that gives it, None if none does, and its variance."""
        R = self.turns[i.sensor.name]
        options = [(self.case.pull**2 * np.ones(3) * N_TIMES / 4.0 + 1e-6, "none", i)]
        for r in self.reads:
            if r.sensor.copy_of in self.present:
                continue
            if r.sensor.quantity == "velocity":
                options.append((self._once(r.sensor, self.case.pull * np.ones((1, 3))), "velocity", r))
            elif r.sensor.quantity == "position" and r.sensor.hz >= 4.0:
                options.append((self._twice(r.sensor, self.case.pull * np.ones((1, 3))), "position", r))
        variance, form, r = min(options, key=lambda option: float(np.sum(option[0])))
        if form == "none":
            return None, variance
        values = self._vector(r)
        if form == "position":
            second = (values[0] - 2.0 * values[1] + values[2]) / STENCIL_S**2
            if r.sensor.source == "/fix":
                swing = self.case.fix_swing[r.sensor.name]
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
            v = self._vector(r)[1]
            typical = self.case.speed * np.ones((1, 3))
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
                values = self._vector(p)
                u = self._part(own, 1).inv().apply((values[2] - values[0]) / (2.0 * STENCIL_S))
                variance = self._plain(r.sensor, typical) + self._once(p.sensor, typical)
                yield (v - u) / np.sqrt(variance)

    def _place_pairs(self) -> Iterator[Array]:
        places = [r for r in self.reads if r.sensor.quantity == "position"]
        for a, b in itertools.combinations(places, 2):
            p, q = self._vector(a)[1], self._vector(b)[1]
            if b.sensor.copy_of == a.sensor.name:
                yield (p - q) / 0.01
                continue
            if b.sensor.copy_of in self.present or a.sensor.copy_of in self.present:
                continue
            if b.sensor.source == "/fix":
                own = self._own_turn(a)
                p = p + (0.0 if own is None else self._part(own, 1).apply(b.lever))
            p, q = self._heading(a).apply(p), self._heading(b).apply(q)
            typical = self.case.reach * np.ones((1, 3))
            variance = self._plain(a.sensor, typical) + self._plain(b.sensor, typical)
            difference = (p - p.mean(axis=0)) - (q - q.mean(axis=0))
            yield difference / np.sqrt(variance)

    def _fields(self) -> Iterator[Array]:
        for r in self.reads:
            if r.sensor.quantity != "magnetic field" or not self.turning:
                continue
            bias = self.known.get(("bias", r.sensor.name), np.zeros(3))
            m = self._mount(r).apply(self._vector(r)[1] - bias)
            field = 1e-6 * self.known["field", r.sensor.name]
            for i in self.turning:
                R = self._heading(i) * self._part(self.turns[i.sensor.name], 1)
                turned = (48e-6) ** 2 * np.max(self._plain(i.sensor, np.zeros((1, 3))))
                variance = self._plain(r.sensor, 48e-6 * np.ones((1, 3))) + turned
                yield (m - R.inv().apply(field)) / np.sqrt(variance * len(self.turning))

    def _compasses(self) -> Iterator[Array]:
        for r in self.reads:
            if r.sensor.quantity != "heading":
                continue
            values = self._vector(r)[..., 0]
            zero = self.known["zero", r.sensor.name][0]
            for i in self.turning:
                R = self._heading(i) * self.turns[i.sensor.name]
                x = self._part(R, 1).apply([1.0, 0.0, 0.0])[:, :2]
                lean = np.linalg.norm(x, axis=1, keepdims=True)
                psi = values[1] + zero
                variance = self._plain(r.sensor, np.zeros((1, 3)))[2] + self._plain(i.sensor, np.zeros((1, 3)))[2]
                share = np.sqrt(len(self.turning) * (variance + N_TIMES * 0.003**2))
                yield (np.column_stack([np.cos(psi), np.sin(psi)]) - x / lean) / share
                turned = R.apply([1.0, 0.0, 0.0])
                angle = np.unwrap(np.arctan2(turned[:, 1], turned[:, 0]).reshape(3, N_TIMES), axis=0)
                rate = (angle[2] - angle[0] - values[2] + values[0]) / (2.0 * STENCIL_S)
                spread = self._once(r.sensor, self.case.rate)[2] + self._once(i.sensor, self.case.rate)[2]
                yield rate[:, None] / np.sqrt(spread * len(self.turning))


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
    write_table(range(int(sys.argv[1]), int(sys.argv[2])))

"""Readings of a planted drive with supposed faults taken back, and the relations between them."""

from __future__ import annotations

import copy
import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.spatial.transform import Rotation

from tests.support.foreign_drive_hypotheses import Hypothesis
from tests.support.foreign_drive_noise import rms
from tests.support.foreign_drives import Drive, Sensor
from tests.support.foreign_motions import Array, G

if TYPE_CHECKING:
    from tests.support.foreign_drive_cases import Case

N_TIMES = 48
"""Times at which relations are compared."""

STENCIL_S = 0.01
"""Interval of differences of exact readings, s."""

SCALE, STATED_RAD, SIZE = 1.5e-3, np.radians(0.1), 2e-3
"""Standard deviations of scales of inertial sensors, of small turns of stated mounts, and of scales of paths."""

SLACK_RAD = 1e-3
"""Error of orientations that no comparison makes smaller, rad."""

REST = 0.04
"""Part of the relative error of a sensor that is not in its scale, its mount and its bias."""

LAST_PLANTED = "scale", "bias", "unit"
"""Kinds that are planted after all others on the same readings, and undone before them."""


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


@dataclass
class Read:
    """A sensor with its exact stated values at the times of the relations: before, at and after each (3, n, k)."""

    sensor: Sensor
    stated: Callable[[Array], Array]
    values: Array
    mount: Rotation | None
    lever: Array

    def __post_init__(self) -> None:
        self.turns = Turns.of(Rotation.identity() if self.mount is None else self.mount)


class State:
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

    def _values(self, read: Read) -> Array:
        """Return the stated values of a sensor at the times, stamps mended."""
        for fault, theta in self.faults.get(read.sensor.name, ()):
            if fault.kind in ("delay", "clock drift"):
                delay, *rate = map(float, theta)
                return self.case.read_late(read, delay, sum(rate))
        return read.values

    def _once_for_all(self, what: str, read: Read, of: Callable[[Read], Any]) -> Any:
        """Return a function of a sensor, kept if neither the fault nor anything unknown changes it."""
        is_free = read.mount is None or read.sensor.name in self.faults
        cache = self.cache if is_free else self.case.kept
        key = what, read.sensor.name
        if key not in cache:
            cache[key] = of(read)
        return cache[key]

    def changed(self, key: tuple[str, str], value: Array) -> State:
        """Return a state with another bias, lever arm, field or zero, which leaves all that is kept as it is."""
        other = copy.copy(self)
        other.known = {**self.known, key: value}
        return other

    def _body_turn(self, read: Read) -> Turns:
        q = self._values(read).reshape(-1, 4)
        return Turns.of(Rotation.from_quat(self.mend_turn(read, q))) * self.mount(read).inv()

    def _body_rate(self, read: Read) -> Array:
        R = self.turns[read.sensor.name]
        return (self._part(R, 0).inv() * self._part(R, 2)).as_rotvec() / (2.0 * STENCIL_S)

    def _upward(self, read: Read) -> Array:
        """Return the upward reaction to gravity in the body."""
        return self._part(self.turns[read.sensor.name], 1).inv().apply(G)

    def mount(self, read: Read) -> Turns:
        """Return the mount of a sensor."""
        return self._once_here("mount", read, self._mount)

    def _mount(self, read: Read) -> Turns:
        turns = [theta for fault, theta in self.faults.get(read.sensor.name, ()) if fault.kind == "mounting"]
        if read.mount is not None and not turns:
            return read.turns
        mount = turns_of_rotvec(self.known["mount", read.sensor.frame]) if read.mount is None else read.turns
        for theta in turns:
            mount = turns_of_rotvec(theta) * mount
        return mount

    def mend_turn(self, read: Read, q: Array) -> Array:
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
        if fault.kind == "mirrored axes":  # turns in mirrored axes go the other way about mirrored axes
            return np.hstack([-q[:, :3] @ np.reshape(fault.known, (3, 3)), q[:, 3:]])
        if fault.kind == "world axes":
            return (Rotation.from_quat(fault.known).inv() * Rotation.from_quat(q)).as_quat()
        if fault.kind == "starts as zero":
            return (Rotation.from_rotvec(theta) * Rotation.from_quat(q)).as_quat()
        if fault.kind == "body axes":
            return (Rotation.from_quat(q) * Rotation.from_quat(fault.known).inv()).as_quat()
        return q

    def _own_turn(self, read: Read) -> Turns | None:
        """Return the orientation of a sensor's frame in its reference: that of its source, or the first of any."""
        own = [r for r in self.turning if r.sensor.source == read.sensor.source] or self.turning
        if not own:
            return None
        turn = self.turns[own[0].sensor.name] * self.mount(read)
        if reference_of(own[0].sensor) == reference_of(read.sensor):
            return turn
        return self._heading(read).inv() * self._heading(own[0]) * turn

    def vector(self, read: Read) -> Array:
        """Return a vector or position (3, n, k) as its sensor gives it, with its faults taken back."""
        return self._once_here("vector", read, self._vector)

    def _once_here(self, what: str, read: Read, of: Callable[[Read], Any]) -> Any:
        """Return a function of a sensor, kept in this state."""
        key = what, read.sensor.name
        if key not in self.cache:
            self.cache[key] = of(read)
        return self.cache[key]

    def _vector(self, read: Read) -> Array:
        v = self._values(read)
        for fault, theta in self.faults.get(read.sensor.name, ()):
            v = self._mend_vector_once(fault, theta, read, v)
        return v

    def _mend_vector_once(self, fault: Hypothesis, theta: Array, read: Read, v: Array) -> Array:
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

    def mount_of_frame(self, read: Read) -> Turns:
        """Return the mount of a sensor's frame, whatever is supposed of the sensor itself."""
        return read.turns if read.mount is not None else turns_of_rotvec(self.known["mount", read.sensor.frame])

    def _lever(self, read: Read) -> Array:
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

    def _body_acceleration(self, read: Read) -> Array:
        R = self.turns[read.sensor.name]
        before, now, after = (self._part(R, k) for k in range(3))
        return ((now.inv() * after).as_rotvec() - (before.inv() * now).as_rotvec()) / STENCIL_S**2

    @staticmethod
    def heading_between(R: Turns, other: Turns) -> float:
        """Return the angle about z that brings orientations, turned on the left, nearest to others, rad."""
        M = (other * R.inv()).R.sum(axis=0)
        return float(np.arctan2(M[1, 0] - M[0, 1], M[0, 0] + M[1, 1]))

    def heading_of_places(self, read: Read, other: Read) -> float:
        """Return the angle about z from the axes of a reference to those of the first, by positions in both, rad."""
        p, q = self.vector(read)[1], self._heading(other).apply(self.vector(other)[1])
        return heading_of_vectors(p - p.mean(axis=0), q - q.mean(axis=0))

    def zero_of_compass(self, read: Read, turning: Read) -> float:
        """Return the angle that is added to the readings of a compass, rad."""
        x = self._part(self._heading(turning) * self.turns[turning.sensor.name], 1).apply([1.0, 0.0, 0.0])
        ahead = np.exp(1j * (np.arctan2(x[:, 1], x[:, 0]) - self.vector(read)[1, :, 0]))
        return float(np.angle(ahead.sum()))

    def _bias(self, read: Read) -> Array:
        return self.known.get(("bias", read.sensor.name), np.zeros(3))

    def _heading(self, read: Read) -> Turns:
        """Return the turn from the axes of a sensor's reference to those of the first."""
        angle = self.known.get(("heading", reference_of(read.sensor)), np.zeros(1))[0]
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
            rest = REST * s.relative * (rms(self.case.rate) if size is None else size)
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

    def _pushes(self, r: Read) -> list[tuple[Array, Array, bool, Array, float]]:
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

    def _acceleration(self, i: Read) -> tuple[Array | None, Array]:
        return self._once_here("acceleration", i, self._acceleration_once)

    def _acceleration_once(self, i: Read) -> tuple[Array | None, Array]:
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

    def _directions(self, r: Read) -> list[tuple[Array, Array, Array]]:
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


def _bias_unit(sensor: Sensor) -> float:
    return 1e-6 if sensor.quantity == "magnetic field" else 1.0


def _weight(variances: list[Array], i: int, j: int) -> Array:
    """Return the weight of the difference of two of several readings, so that their sum is that about their mean."""
    whole = sum(1.0 / v for v in variances)
    return np.sqrt((1.0 / variances[i]) * (1.0 / variances[j]) / whole)


def stated_by(drive: Drive, sensor: Sensor) -> Callable[[Array], Array]:
    """Return the function of times that gives the exact readings of a sensor as a drive states them."""

    def of(t: Array) -> Array:
        return drive.stated(sensor, t)

    return of


def reference_of(sensor: Sensor) -> str:
    """Return the name of the reference of a sensor, or of its source if it has none."""
    return sensor.reference or sensor.source


def has_slow_turns(sensor: Sensor) -> bool:
    """Return whether an orientation errs slowly; that of wheels errs with each bump."""
    return sensor.quantity == "orientation" and sensor.white.max() < 0.01 and not sensor.copy_of


def n_slow(sensor: Sensor, duration: float) -> int:
    """Return how many cosines of time have nearly all of a slow error."""
    return min(40, int(np.ceil(10.0 * duration / (np.pi * sensor.tau))) + 1)

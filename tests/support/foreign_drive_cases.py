"""Least chi-square of explanations of the readings of a planted drive, over all that nobody knows."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy.spatial.transform import Rotation

from tests.support.foreign_drive_hypotheses import NOTHING, Explanation, Hypothesis
from tests.support.foreign_drive_noise import rms, spectra
from tests.support.foreign_drive_states import (
    N_TIMES,
    SCALE,
    SIZE,
    STATED_RAD,
    STENCIL_S,
    Read,
    State,
    Turns,
    has_slow_turns,
    heading_of_vectors,
    n_slow,
    reference_of,
    stated_by,
)
from tests.support.foreign_drives import FIELD, Drive, Planted, Sensor
from tests.support.foreign_motions import Array

CAN_TELL = 9.0
"""Chi-square that the best rival leaves at least where the motion can tell."""

FIELD_UT = 45.0, 12.0
"""Likely size of the Earth's field, and its standard deviation, µT."""

LIKELY_BIAS = {"angular velocity": 0.3, "specific force": 1.5, "magnetic field": 40.0}
"""Standard deviation of biases that are taken for a fault, rad/s, m/s² and µT."""

N_DESCENTS = 3
"""Starts from which the chi-square of a kind of fault is made least."""

LEVER_M = {True: 0.02, False: 0.15}
"""Standard deviation of each component of a lever arm, stated or not, m."""

N_WANDERS = 3
"""Slow functions of time by which biases wander."""

RELATIONS = "turns", "rates", "forces", "velocities", "places", "fields", "compasses"
"""Relations between readings."""


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
        self.reads: list[Read] = []
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
            of = stated_by(kept, sensor)
            turn = Rotation.identity() if mount is None else stated
            lever = np.zeros(3) if mount is None else mount.lever
            self.reads.append(Read(sensor, of, self.read_at(of, self.times), turn, lever))
        self.true_mounts = {frame: mounts[frame].turn for frame in self.unknown}
        self.references = list(
            dict.fromkeys(reference_of(r.sensor) for r in self.reads if r.sensor.quantity != "heading")
        )
        turning = [r.sensor for r in self.reads if r.sensor.quantity == "orientation"]
        self.root = reference_of(turning[0]) if turning else self.references[0]
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
        self.speed = float(rms(drive.motion.velocity(self.t)).max())
        places = drive.motion.place(self.t)
        self.reach = float(rms(places - places.mean(axis=0)).max())
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

    def read_late(self, read: Read, delay: float, rate: float) -> Array:
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
                reference_of(read.sensor), (read.sensor.turn(at)[0] * mount.inv() * body.inv()).as_euler("ZYX")[0]
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

    def state(self, x: Array, explanation: Explanation, without: tuple[str, ...] = ()) -> State:
        """Return the readings in the axes of the body with an explanation's faults taken back."""
        known: dict[tuple[str, str], Array] = {}
        for (what, of), (rows, sigma) in self.at.items():
            known[what, of] = x[rows] * (sigma if np.isfinite(sigma) else 1.0)
        return State(self, known, self.values_of(x, explanation), set(without))

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
        roots = [r for r in state.turning if reference_of(r.sensor) == self.root]
        if not roots:
            return x
        settled = {self.root}
        for read in state.turning:
            rows, _ = self.at.get(("heading", reference_of(read.sensor)), (None, 0.0))
            if rows is not None:
                x[rows] = state.heading_between(state.turns[read.sensor.name], state.turns[roots[0].sensor.name])
                settled.add(reference_of(read.sensor))
        state = self.state(x, explanation, without)
        places = [r for r in state.reads if r.sensor.quantity == "position"]
        for read in places:
            rows, _ = self.at.get(("heading", reference_of(read.sensor)), (None, 0.0))
            others = [r for r in places if reference_of(r.sensor) in settled]
            if rows is not None and reference_of(read.sensor) not in settled and others:
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
                largest = max(largest, float(rms((level * mended * true_turn.inv()).as_rotvec()).max()))
            else:
                mended = state.vector(read)[1]
                mended = now.apply(mended) if mended.shape[1] == 3 else mended
                if read.sensor.quantity == "position":
                    mended, true = mended - mended.mean(axis=0), true - true.mean(axis=0)
                if read.sensor.quantity in ("position", "velocity") and read.sensor.resolved_in != read.sensor.frame:
                    mended = mended @ Rotation.from_euler("Z", heading_of_vectors(mended, true)).as_matrix().T
                size = np.linalg.norm(rms(true)) + 1e-12
                largest = max(largest, float(np.linalg.norm(rms(mended - true)) / size))
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
        to_root = self.headings[reference_of(turning[0])] - self._world_heading(turning[0]) if turning else 0.0
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
        at: tuple[dict[str, Array], Array, State],
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

    def _with_slow_turns(self) -> Iterator[list[Read]]:
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

    def _with_small_errors(self) -> Iterator[list[Read]]:
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

    def _with(self, changed: dict[str, Read]) -> list[Read]:
        return [changed.get(read.sensor.name, read) for read in self.reads]

    def _parts(
        self,
        x: Array,
        hypothesis: Explanation,
        without: tuple[str, ...],
        only: tuple[str, ...] = RELATIONS,
        state: State | None = None,
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

"""Checks of measured velocities and accelerations against derivatives of poses, and what they would match as."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice

import numpy as np

from framescope.core.analysis.diagnostics.diagnosis import Diagnosis, found
from framescope.core.analysis.diagnostics.nearby_frames import likely_frames
from framescope.core.analysis.diagnostics.underconstrained_bodies import not_at_all
from framescope.core.errors import KeyPath
from framescope.core.evaluation import relative_motion
from framescope.core.evaluation.compile.instruments import CompiledMeasurement
from framescope.core.evaluation.compile.vector_series import Series
from framescope.core.evaluation.evaluate import Plan, compile_plan
from framescope.core.evaluation.frame_tree import evaluate_tree, subtree
from framescope.core.kernels import linear_algebra
from framescope.core.kernels.validation import Array
from framescope.core.scene.edits.fields import set_values, with_value
from framescope.core.scene.schema.measured import MeasuredVector
from framescope.core.scene.schema.model import WORLD
from framescope.core.scene.schema.motions import Recorded
from framescope.core.scene.schema.quantities import UNITS, Quantity, unit_factor
from framescope.core.snapshot import Snapshot

SAMPLES = 600
"""How many samples of a measurement are compared."""

BETTER = 0.35
"""What explains a measurement misses it by so much less."""

SIMPLER = 1.6
"""With fewer changes it may miss by so much more."""

NOISE = 3.0
"""A measurement that misses by so many times its own noise does not match."""

AS_MEASURED = 0.05
"""Part of the size that a measurement may miss by."""

FAR = 0.2
"""Part of the size from which on it does not match at all."""

NEAR_FACTOR = 0.08
"""How far a scale may be off the ratio of two units."""

MAX_INVERTED = 3
"""Recordings that are tried the other way round for a measurement: each is fitted for it."""

LATEST = 2.0
"""Delays that are tried, s; at most a quarter of the measurement."""


@dataclass(frozen=True, eq=False)
class RateMatch:
    """Match of a measurement under another reading: how well, in how many changes, and the values to set for it."""

    rms: float
    n_changes: int
    title: str
    what: str
    button: str
    values: Mapping[KeyPath, object]


def rate_problems(plan: Plan) -> Iterator[Diagnosis]:
    """Yield which measured vectors do not match the motion of their frames, and as what they would."""
    for name, staged in plan.instruments.measurements.items():
        measurement = plan.scene.measured[name]
        if staged.series is not None and isinstance(measurement, MeasuredVector):
            yield from _Compared(plan, staged, measurement, staged.series).diagnoses()


class _Compared:
    """A measurement beside the motion that its frames have, at some of its samples."""

    def __init__(self, plan: Plan, staged: CompiledMeasurement, measurement: MeasuredVector, series: Series) -> None:
        self.plan = plan
        self.measurement = measurement
        self.staged = staged
        self.key: KeyPath = ("measured", staged.name)
        self.series = series
        rows = np.flatnonzero((series.t >= plan.start) & (series.t <= plan.end))
        if len(rows) > SAMPLES:
            rows = rows[np.linspace(0, len(rows) - 1, SAMPLES).astype(int)]
        self.t = series.t[rows]
        self.c = series.values[rows]
        self.noise = _noise(series.values)
        named = (measurement.resolved_in, measurement.relative_to, measurement.of)
        self.frames = tuple(dict.fromkeys((*named, *likely_frames(plan, *named))))
        if len(rows):
            self.snapshot: Snapshot = evaluate_tree(subtree(plan.tree, self.frames), self.t)

    def diagnoses(self) -> Iterator[Diagnosis]:
        measurement = self.measurement
        if len(self.t) < 3:
            return
        e = self._expected(measurement.relative_to, measurement.resolved_in)
        is_there = np.isfinite(e).all(axis=1) & np.isfinite(self.c).all(axis=1)
        if is_there.sum() < 3:
            return
        miss = _rms(self.c - e)
        size = max(_rms(e), _rms(self.c))
        if miss <= max(NOISE * self.noise, AS_MEASURED * size, 1e-9):
            return
        worst = float(self.t[np.nanargmax(np.abs(self.c - e).max(axis=1))])
        of = f"{measurement.of} relative to {measurement.relative_to} resolved in {measurement.resolved_in}"
        text = f"it misses the {measurement.form} of {of} by {self._message(miss)} rms"
        match = self._best(e, miss)
        if match is None:
            is_far = miss > max(NOISE * self.noise, FAR * size)
            yield found(
                self.key, "rate-mismatch", "does not match" if is_far else "matches roughly", f"{text}.",
                severity="amber" if is_far else "note", times=(worst,),
            )  # fmt: skip
            return
        message = f"{text}; {match.what} by {self._message(match.rms)}."
        one = found(self.key, "rate-mismatch", match.title, message, severity="red", times=(worst,))
        if match.values:
            one = one.with_mend(match.button, set_values(match.values, f"{self.key[1]}: {match.what}"))
        yield one

    def _message(self, value: float) -> str:
        return f"{value / self.staged.factor:.3g} {self.staged.unit}"

    def _expected(self, relative_to: str, resolved_in: str, snapshot: Snapshot | None = None) -> Array:
        snapshot = snapshot or self.snapshot
        R = snapshot.R_WF[:, snapshot.index[resolved_in]]
        return linear_algebra.apply_transposed(R, self._in_world(relative_to, snapshot))

    def _in_world(self, relative_to: str, snapshot: Snapshot) -> Array:
        is_rate = self.measurement.form in ("velocity", "angular velocity")
        motion = relative_motion.relative_velocity if is_rate else relative_motion.relative_acceleration
        half = slice(0, 3) if self.measurement.form.startswith("angular") else slice(3, 6)
        return motion(snapshot, self.measurement.of, relative_to, WORLD)[:, half]

    # --- What it would match as

    def _best(self, e: Array, miss: float) -> RateMatch | None:
        matches = [match for match in self._matches(e) if match.rms < BETTER * miss]
        if not matches:
            return None
        least = min(match.rms for match in matches)
        good = [match for match in matches if match.rms <= max(SIMPLER * least, self.noise)]
        return min(good, key=lambda match: match.n_changes)

    def _matches(self, e: Array) -> Iterator[RateMatch]:
        """Yield what the measurement may be; of as many changes the likelier first."""
        measurement = self.measurement
        for relative_to in (
            measurement.relative_to,
            *(x for x in self.frames if x not in (measurement.relative_to, measurement.of)),
        ):
            in_world = self._in_world(relative_to, self.snapshot)
            is_measured = relative_to == measurement.relative_to
            for resolved_in in (
                self.frames
                if is_measured
                else dict.fromkeys((measurement.resolved_in, relative_to, measurement.of, WORLD))
            ):
                R = self.snapshot.R_WF[:, self.snapshot.index[resolved_in]]
                yield from self._scaled(linear_algebra.apply_transposed(R, in_world), relative_to, resolved_in)
        yield from self._inverted()
        yield from self._offset(e)
        yield from self._late(e)

    def _scaled(self, e: Array, relative_to: str, resolved_in: str) -> Iterator[RateMatch]:
        """Yield the measurement relative to and resolved in these, and perhaps negative or in another unit."""
        measurement = self.measurement
        is_there = np.isfinite(e).all(axis=1) & np.isfinite(self.c).all(axis=1)
        power = float((e[is_there] ** 2).sum())
        if not power > 1e-18 * max(1, int(is_there.sum())):
            return
        k = float((self.c[is_there] * e[is_there]).sum()) / power
        words, button, fields, title = list[str](), list[str](), dict[str, object](), ""
        if relative_to != measurement.relative_to:
            words.append(f"relative to {relative_to}")
            button.append(f"Relative to {relative_to}")
            fields["relative_to"], title = relative_to, "relative to another frame"
        if resolved_in != measurement.resolved_in:
            words.append(f"resolved in {resolved_in}")
            button.append(f"Resolve in {resolved_in}")
            fields["resolved_in"], title = resolved_in, title or "wrong frame"
        n = len(words)
        is_scaled = False
        if k < 0.0:
            n += 1
            words.append("negated")
            title = title or "negated"
            if measurement.form.startswith("angular"):
                button.append("Swap the frames")
                fields |= {"of": fields.get("relative_to", measurement.relative_to), "relative_to": measurement.of}
        unit = self._unit(abs(k))
        if unit is None:
            n, is_scaled = n + 2, True
            words.append(f"{abs(k):.3g} times as large")
            title = title or "scaled"
        elif unit != measurement.unit:
            n += 1
            words.append(f"in {unit}")
            button.append(f"Read as {unit}")
            fields["unit"], title = unit, title or "wrong unit"
        else:
            k = np.sign(k)
        if n == 0:
            return
        if not is_scaled and unit is not None:
            k = np.sign(k) * self.staged.factor / UNITS[measurement.form][unit]
        rms = _rms(self.c - k * e)
        is_mended = not is_scaled and len(button) == len(words)
        text = button[0] if len(button) == 1 else "Say it so"
        values = {(*self.key, key): value for key, value in fields.items()} if is_mended else {}
        yield RateMatch(rms, n, title, ", ".join(words), text, values)

    def _unit(self, k: float) -> str | None:
        """Return the unit in which a measurement `k` times too large has been written; None of no known one."""
        if abs(k - 1.0) < 2.0 * NEAR_FACTOR:
            return self.measurement.unit
        for unit, factor in UNITS[self.measurement.form].items():
            if abs(k * factor / self.staged.factor - 1.0) < NEAR_FACTOR:
                return unit
        return None

    def _inverted(self) -> Iterator[RateMatch]:
        """Yield the measurement as it stands, where the recorded pose of a frame is inverted."""
        measurement, scene = self.measurement, self.plan.scene
        motions = ((name, scene.frames[name].motion) for name in self.frames if name in scene.frames)
        recorded = ((name, motion) for name, motion in motions if isinstance(motion, Recorded))
        for name, motion in islice(recorded, MAX_INVERTED):
            pose = "frame in parent" if motion.pose == "parent in frame" else "parent in frame"
            key: KeyPath = ("frames", name, "motion", "pose")
            plan = compile_plan(with_value(scene, key, pose), access=self.plan.context.access, run=not_at_all)
            snapshot = evaluate_tree(subtree(plan.tree, self.frames), self.t)
            rms = _rms(self.c - self._expected(measurement.relative_to, measurement.resolved_in, snapshot))
            what = f"with the recording of {name} read as {pose}"
            yield RateMatch(rms, 1, "inverse recording", what, f"Read as {pose}", {key: pose})

    def _offset(self, e: Array) -> Iterator[RateMatch]:
        off = self.c - e
        mean = np.nanmean(off, axis=0)
        text = ", ".join(f"{x / self.staged.factor:.3g}" for x in mean)
        message = f"less a constant offset of ({text}) {self.staged.unit}"
        yield RateMatch(_rms(off - mean), 2, "constant offset", message, "", {})
        if self.measurement.form == "acceleration":
            R = self.snapshot.R_WF[:, self.snapshot.index[self.measurement.resolved_in]]
            g_W = np.nanmean(linear_algebra.apply_matrix(R, off), axis=0)
            text = ", ".join(f"{x:.3g}" for x in g_W)
            message = f"less a vector that stands still in world, ({text}) m/s², as weight does,"
            rms = _rms(off - linear_algebra.apply_transposed(R, np.broadcast_to(g_W, off.shape)))
            yield RateMatch(rms, 2, "weight in it", message, "", {})

    def _late(self, e: Array) -> Iterator[RateMatch]:
        """Yield the measurement moved in time."""
        most = min(LATEST, 0.25 * float(self.t[-1] - self.t[0]))
        best, width = 0.0, most
        for _ in range(4):
            lags = best + np.linspace(-width, width, 41)
            misses = [self._moved(e, float(lag)) for lag in lags]
            best, width = float(lags[int(np.argmin(misses))]), width / 15.0
        rms = self._moved(e, best)
        start = self.measurement.start
        if start.unit is None or abs(best) < 1e-6 or not np.isfinite(rms):
            return
        moved = start.value - best / unit_factor(start.unit, "time", (*self.key, "start"))
        message = f"{abs(best):.3g} s {'earlier' if best > 0.0 else 'later'}"
        values = {(*self.key, "start"): str(Quantity(round(moved, 6), start.unit))}
        yield RateMatch(rms, 1, "late" if best > 0.0 else "early", message, f"Move by {-best:.3g} s", values)

    def _moved(self, e: Array, lag: float) -> float:
        off = self.series(self.t + lag) - e
        is_there = np.isfinite(off).all(axis=1)
        return _rms(off[is_there]) if is_there.sum() >= 0.5 * len(off) else np.inf


def _rms(vectors: Array) -> float:
    squares = (vectors**2).sum(axis=-1)
    squares = squares[np.isfinite(squares)]
    return float(np.sqrt(squares.mean())) if len(squares) else np.inf


def _noise(values: Array) -> float:
    """Return the noise of samples (n, 3), from how each misses the middle of its neighbours: a motion hardly does."""
    if len(values) < 3:
        return 0.0
    return _rms(values[:-2] - 2.0 * values[1:-1] + values[2:]) / np.sqrt(6.0)

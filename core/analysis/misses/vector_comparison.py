"""Comparison of a measured vector with the motion of its frames, both averaged, without outliers."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from framescope.core.analysis.misses.misfits import wild_rows
from framescope.core.analysis.misses.miss import Miss
from framescope.core.evaluation import relative_motion
from framescope.core.evaluation.compile.gravity import gravity_of_specific_force
from framescope.core.evaluation.compile.recordings.vectors import Series
from framescope.core.evaluation.evaluate import Plan
from framescope.core.evaluation.frame_tree import evaluate_tree, subtree
from framescope.core.evaluation.smoothing_notes import recordings_between
from framescope.core.kernels import linear_algebra
from framescope.core.kernels.validation import Array, median
from framescope.core.recordings.outliers import gaps
from framescope.core.scene.schema.measured import MeasuredVector
from framescope.core.scene.schema.model import WORLD
from framescope.core.snapshot import Snapshot

Rows = NDArray[np.intp]
Mask = NDArray[np.bool_]

MOST_ROWS, AVERAGED, STRETCHES = 1500, 4, 5
"""Largest number of compared rows, factor by which it is larger for averaged rows, and number of stretches of rows."""

DENSE = 0.02
"""Spacing of rows, s, below which denser rows add nothing about the motion."""

FEWEST = 3
"""Smallest number of compared rows."""

PERIODS = 1.5
"""Time over which measured and expected vectors are averaged, in periods of the recordings' bandwidth. Both then lose
the same part of the motion, and most of the noise of the derivatives vanishes."""

FEWEST_MEANS = 20
"""Smallest number of means, unless there are fewer rows."""

PASSED = 0.3
"""Largest fraction of the error of smoothed rates that remains in a mean: 0.3 for velocities (0.2 for accelerations),
because the spectrum of the error rises up to the bandwidth."""

SPIKE, ALONE = 8.0, 4.0
"""A row is an outlier if its distance from the median of its four neighbours exceeds the first multiple of the usual
distance, and the second multiple of the neighbours' own spread."""

TO_SIGMA = 1.4826
"""Ratio of the standard deviation to the median absolute deviation of a normal distribution."""

ROUGH = 0.01
"""Relative miss that is accepted without a report, whatever the noise."""

RANGE = 3.0 / (6.0 * np.pi) ** (1.0 / 3.0)
"""Unit of length for misses, as a multiple of the usual length. An outlier may be anywhere in a ball whose radius is
three times the usual length. In this unit the ball has the volume of the rotations, as
`framescope.core.analysis.misses.misfits` expects."""


@dataclass(frozen=True, eq=False)
class Expected:
    """Expected vectors (n, 3) at some rows, SI, and matrices (n, 3, 3) from world into the axes of the vectors.

    `levers` returns the derivatives (n, 3, 3) of the vector by a lever arm in the axes of its own frame.
    """

    e: Array
    T: Array
    levers: Callable[[], Array] | None = None

    @cached_property
    def by_lever(self) -> Array:
        """Derivatives (n, 3, 3) by the components of a lever arm; zero for angular vectors."""
        return np.zeros((*self.e.shape, 3)) if self.levers is None else self.levers()


class VectorComparison:
    """Comparison of a measured vector with the motion of its frames.

    Attributes
    ----------
    t : (n,)
        Times of the rows, s.
    means : (n,)
        Index of the mean of each row; there are `n_means`.
    m : (n_means, 3)
        Means of the measured vector, SI.
    at : (n_means,)
        Times of the means, s.
    expected
        Vector expected by the scene as stated.
    scale
        Unit of length of misses for `misfits`, SI.
    n_wild
        Number of rows left out as outliers among their neighbours.
    """

    def __init__(self, plan: Plan, name: str, most_rows: int = MOST_ROWS) -> None:
        measurement = plan.scene.measured[name]
        staged = plan.instruments.measurements[name]
        if not isinstance(measurement, MeasuredVector) or staged.series is None:
            raise TypeError(name)
        self.plan, self.name, self.measurement, self.staged = plan, name, measurement, staged
        self.series: Series = staged.series
        named = (measurement.of, measurement.relative_to, measurement.resolved_in)
        recordings = recordings_between(plan, named)
        rough = {
            key: motion.smoothing
            for key, motion in recordings.items()
            if motion.smoothing and not motion.smoothing.is_exact
        }
        is_angular = measurement.form.startswith("angular")
        bandwidths = [motion.bandwidths for motion in rough.values()]
        bandwidth = min(
            (motion.orientation_hz if is_angular else motion.least_hz for motion in bandwidths), default=np.inf
        )
        rows = np.flatnonzero((self.series.t >= plan.start) & (self.series.t <= plan.end))
        for motion in recordings.values():
            rows = _rows_within(rows, self.series.t, motion.sample_times, 1.0 / bandwidth)
        rows = _stretches(rows, self.series.t, most_rows * (AVERAGED if rough else 1))
        is_wild = _spikes(self.series.values[rows])
        self.n_wild, rows = int(is_wild.sum()), rows[~is_wild]
        self.snapshot = evaluate_tree(subtree(plan.tree, named), self.series.t[rows])
        e = self.expect(measurement.relative_to, measurement.resolved_in, self.snapshot)
        values = self.series.values[rows]
        is_finite = np.isfinite(e.e).all(axis=1) & np.isfinite(values).all(axis=1)
        self.rows, self.t = rows[is_finite], self.series.t[rows][is_finite]
        self.is_enough = len(self.t) >= FEWEST
        if not self.is_enough:
            return
        levers = e.levers
        self.expected = Expected(
            e.e[is_finite], e.T[is_finite], None if levers is None else lambda: levers()[is_finite]
        )
        span = float(self.t[-1] - self.t[0])
        self.width = 0.0 if not rough else min(PERIODS / bandwidth, span / FEWEST_MEANS)
        self._group()
        self.m = self.mean(values[is_finite])
        self.at = self.mean(self.t[:, np.newaxis])[:, 0]
        self.scale = max(RANGE * float(np.hypot(rms_of(self.m), rms_of(self.mean(self.expected.e)))), 1e-12)
        self._error = PASSED * self._rate_error(rough) if rough else 0.0

    # --- Means

    def _group(self) -> None:
        step = np.diff(self.t)
        self.breaks = np.append(0, gaps(self.t) + 1) if len(step) else np.zeros(1, dtype=np.intp)
        part = np.zeros(len(self.t), dtype=np.intp)
        part[self.breaks[1:]] = 1
        self.part = np.cumsum(part)
        if self.width <= 0.0:
            self.means = np.arange(len(self.t))
            self._count = np.ones(len(self.t))
            return
        cell = np.floor((self.t - self.t[0]) / self.width).astype(np.intp)
        is_new = np.append(True, (np.diff(cell) > 0) | (np.diff(self.part) > 0))
        self.means = np.cumsum(is_new) - 1
        self._count = np.bincount(self.means).astype(float)

    def mean(self, values: Array) -> Array:
        """Return the means (n_means, ...) of values (n, ...) of rows; NaN for rows with NaN."""
        if self.width <= 0.0:
            return values
        flat = values.reshape(len(values), -1)
        sums = np.stack([np.bincount(self.means, flat[:, i], len(self._count)) for i in range(flat.shape[1])], axis=-1)
        return (sums / self._count[:, np.newaxis]).reshape(-1, *values.shape[1:])

    @property
    def n_means(self) -> int:
        """Number of means."""
        return len(self._count)

    # --- Expected vectors

    def expect(self, relative_to: str, resolved_in: str, snapshot: Snapshot, form: str = "") -> Expected:
        """Return the vector expected relative to a frame and resolved in another, from a snapshot at some rows.

        It has another `form` than the measurement if one is given: that of a specific force instead of an acceleration.
        """
        T = np.swapaxes(snapshot.smoothed.R_WF[:, snapshot.index[resolved_in]], 1, 2)
        vector = self._in_world(relative_to, snapshot, form or self.measurement.form)
        half = slice(0, 3) if self.is_angular else slice(3, 6)
        levers = None if self.is_angular else lambda: T @ self._by_lever(relative_to, snapshot)
        return Expected(linear_algebra.apply_matrix(T, vector[:, half]), T, levers)

    def snapshot_of(self, plan: Plan, frames: Iterable[str]) -> Snapshot:
        """Return a snapshot of frames of a plan at the rows."""
        return evaluate_tree(subtree(plan.tree, frames), self.t)

    def _in_world(self, relative_to: str, snapshot: Snapshot, form: str) -> Array:
        is_rate = form in ("velocity", "angular velocity")
        motion = relative_motion.relative_velocity if is_rate else relative_motion.relative_acceleration
        vector = motion(snapshot, self.measurement.of, relative_to, WORLD)
        if form == "specific force":
            return vector - np.append(np.zeros(3), gravity_of_specific_force(self.plan.scene).g_W)
        return vector

    def _by_lever(self, relative_to: str, snapshot: Snapshot) -> Array:
        """Return the derivatives (n, 3, 3) of a velocity or acceleration by a lever arm of the frame, in world axes.

        A point at r in the frame has the velocity ``v + w x r`` and the acceleration ``a + b x r + w x (w x r)``, with
        w and b relative to the other frame.
        """
        of = self.measurement.of
        w = relative_motion.relative_velocity(snapshot, of, relative_to, WORLD)[:, :3]
        R = snapshot.smoothed.R_WF[:, snapshot.index[of]]
        axes = [R[:, :, i] for i in range(3)]
        if self.measurement.form == "velocity":
            return np.stack([np.cross(w, axis) for axis in axes], axis=-1)
        b = relative_motion.relative_acceleration(snapshot, of, relative_to, WORLD)[:, :3]
        return np.stack([np.cross(b, axis) + np.cross(w, np.cross(w, axis)) for axis in axes], axis=-1)

    @property
    def is_angular(self) -> bool:
        """Whether the vector is the same at all points of a frame."""
        return self.measurement.form.startswith("angular")

    # --- Noise

    def noise_of(self, missed: Array) -> float:
        """Return the rms length of misses by noise alone, SI, from misses (n, 3) of rows.

        The noise of the rows is their change from row to row. With recordings, the expected error of their rates is
        added.
        """
        count = float(np.median(self._count))
        return float(np.sqrt(3.0 * noise_per_axis(missed, self.part) ** 2 / count + self._error**2))

    def _rate_error(self, rough: Iterable[str]) -> float:
        """Return the expected error of the motion from the accuracy of the recordings."""
        form, of = self.measurement.form, self.measurement.of
        squares = 0.0
        for name in rough:
            smoothing = self.plan.tree.motions[self.plan.index[name]].smoothing
            accuracy = None if smoothing is None else smoothing.accuracy
            if accuracy is None:
                continue
            is_rate = form.endswith("velocity")
            turn = accuracy.angular_velocity_error if is_rate else accuracy.angular_acceleration_error
            shift = accuracy.velocity_error if is_rate else accuracy.acceleration_error
            if form.startswith("angular"):
                squares += turn**2
                continue
            index, p = self.snapshot.index, self.snapshot.p_WF
            squares += shift**2 + rms_of(p[:, index[of]] - p[:, index[name]]) ** 2 * turn**2
        return float(np.sqrt(squares))

    @cached_property
    def step(self) -> float:
        """Usual time between rows, s."""
        return median(np.diff(self.t))


def miss_by(comparison: VectorComparison, e: Array) -> Miss:
    """Return the miss of a measured vector against an expected vector (n, 3) at the rows."""
    means = comparison.mean(e)
    missed = comparison.m - means
    length = np.sqrt(np.sum(missed**2, axis=1))
    is_wild = wild_rows(length / comparison.scale)
    accepted = np.flatnonzero(~is_wild)
    worst = int(accepted[np.argmax(length[accepted])])
    values = comparison.series.values[comparison.rows]
    return Miss(
        ("measured", comparison.name),
        comparison.measurement.form,
        rms=rms_of(missed[accepted]),
        worst=float(length[worst]),
        time=float(comparison.at[worst]),
        noise=min(comparison.noise_of(values - e), comparison.noise_of(values)),
        floor=ROUGH * max(rms_of(comparison.m), rms_of(means)),
        unit=comparison.staged.unit,
        factor=comparison.staged.factor,
        n=comparison.n_means,
        n_wild=int(is_wild.sum()),
    )


def rms_of(vectors: Array) -> float:
    """Return the root mean square of the lengths of vectors (n, 3), ignoring vectors that are not finite."""
    squares = squares_of(vectors)
    squares = squares[np.isfinite(squares)]
    return float(np.sqrt(squares.mean())) if len(squares) else np.inf


def squares_of(vectors: Array) -> Array:
    """Return the squared lengths of vectors (n, 3), several times faster than a sum over the last axis."""
    x, y, z = vectors.T
    return x**2 + y**2 + z**2


def noise_per_axis(values: Array, part: Rows) -> float:
    """Return the noise of samples (n, 3) per axis, from the deviation of each sample from the mean of its neighbours.

    Motion hardly contributes to the result. Outliers and neighbours in another `part` (n,) are ignored.
    """
    if len(values) < 3:
        return 0.0
    inside = part[2:] == part[:-2]
    bend = (values[:-2] - 2.0 * values[1:-1] + values[2:])[inside] / np.sqrt(6.0)
    return TO_SIGMA * float(np.median(np.abs(bend))) if len(bend) else 0.0


def _rows_within(rows: Rows, t: Array, samples: Array | None, spared: float) -> Rows:
    """Return the rows between the samples of a recording, outside gaps, and if possible away from the ends."""
    if samples is None or len(samples) < 2:
        return rows
    after = gaps(samples)
    first, last = samples[np.append(0, after + 1)], samples[np.append(after, len(samples) - 1)]
    i = np.clip(np.searchsorted(first, t[rows], side="right") - 1, 0, len(first) - 1)
    inside = (t[rows] >= first[i]) & (t[rows] <= last[i])
    away = inside & (t[rows] >= first[i] + spared) & (t[rows] <= last[i] - spared)
    return rows[away if 2 * away.sum() > inside.sum() else inside]


def _stretches(rows: Rows, t: Array, most: int) -> Rows:
    """Return at most `most` rows: every n-th, or, where that is too sparse, evenly spread stretches."""
    if len(rows) <= most:
        return rows
    n = int(np.ceil(len(rows) / most))
    rows = rows[:: max(1, min(n, int(DENSE / max(median(np.diff(t[rows])), 1e-12))))]
    if len(rows) <= most:
        return rows
    length = most // STRETCHES
    starts = np.linspace(0, len(rows) - length, STRETCHES).astype(int)
    return rows[(starts[:, np.newaxis] + np.arange(length)).reshape(-1)]


def _spikes(values: Array) -> Mask:
    """Return a mask of vectors (n, 3) far off their four neighbours, which lie close together."""
    n = len(values)
    if n < 5:
        return np.zeros(n, dtype=np.bool_)
    at = np.clip(np.arange(n)[:, np.newaxis] + np.array([-2, -1, 1, 2]), 0, n - 1)
    around = values[at]
    middle = np.median(around, axis=1)
    off = np.sqrt(np.sum((values - middle) ** 2, axis=1))
    apart = np.median(np.sqrt(np.sum((around - middle[:, np.newaxis]) ** 2, axis=2)), axis=1)
    usual = np.median(off[np.isfinite(off)]) if np.isfinite(off).any() else 0.0
    with np.errstate(invalid="ignore"):
        return np.asarray((off > SPIKE * usual) & (off > ALONE * apart) & (off > 1e-9))

"""A measured vector beside the motion of its frames: rows without wild ones, averaged alike on both sides."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from framescope.core.analysis.misses.misfits import wild_rows
from framescope.core.analysis.misses.miss import Miss
from framescope.core.evaluation import relative_motion
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
"""How many rows are compared at most, how many times as many where they are averaged, and in how many stretches."""

DENSE = 0.02
"""Rows so near each other say of the motion what all of them do, s."""

FEWEST = 3
"""Rows that are compared at least."""

PERIODS = 1.5
"""Rows are averaged over so many periods of the bandwidth of recordings, both sides alike: what smoothing loses of the
motion is then lost to both, and most of the noise of the derivatives is gone."""

FEWEST_MEANS = 20
"""Means that there are at least, where there are as many rows."""

PASSED = 0.3
"""Part of the error of smoothed rates that such a mean leaves, at most: three tenths of velocities' (two of
accelerations'), whose spectrum rises up to the bandwidth."""

SPIKE, ALONE = 8.0, 4.0
"""A row is wild that is so many times the usual off the middle of its four neighbours, and so many times as far as they
lie apart."""

TO_SIGMA = 1.4826
"""Standard deviation over the median of absolute values, of normal ones."""

ROUGH = 0.01
"""Part of the size that a measurement may miss by without a word, whatever its noise."""

RANGE = 3.0 / (6.0 * np.pi) ** (1.0 / 3.0)
"""A wild vector may be anywhere in a ball of three times the usual length. Lengths are told in units in which its
volume is that of the rotations, as `framescope.core.analysis.misses.misfits` takes them."""


@dataclass(frozen=True, eq=False)
class Expected:
    """What a vector (n, 3) would be at some rows by the motion of frames, SI, and axes (n, 3, 3), world into them.

    `levers` gives the changes (n, 3, 3) of the vector by a lever arm in the axes of the frame that it is of.
    """

    e: Array
    T: Array
    levers: Callable[[], Array] | None = None

    @cached_property
    def by_lever(self) -> Array:
        """Changes (n, 3, 3) by each component of a lever arm; none where a lever arm changes nothing."""
        return np.zeros((*self.e.shape, 3)) if self.levers is None else self.levers()


class VectorComparison:
    """A measured vector and the motion of its frames.

    Attributes
    ----------
    t : (n,)
        Times of the rows, s.
    means : (n,)
        To which mean each row belongs; there are `n_means`.
    m : (n_means, 3)
        The measured vector, SI.
    at : (n_means,)
        Times of the means, s.
    expected
        What the scene expects as it stands.
    scale
        Length by which misses are told to `misfits`, SI.
    n_wild
        Rows that were left out as they are off all around them.
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
            key: each.smoothing for key, each in recordings.items() if each.smoothing and not each.smoothing.is_exact
        }
        is_angular = measurement.form.startswith("angular")
        bandwidths = [each.bandwidths for each in rough.values()]
        bandwidth = min((each.orientation_hz if is_angular else each.least_hz for each in bandwidths), default=np.inf)
        rows = np.flatnonzero((self.series.t >= plan.start) & (self.series.t <= plan.end))
        for motion in recordings.values():
            rows = _covered(rows, self.series.t, motion.sample_times, 1.0 / bandwidth)
        rows = _stretches(rows, self.series.t, most_rows * (AVERAGED if rough else 1))
        is_wild = _spikes(self.series.values[rows])
        self.n_wild, rows = int(is_wild.sum()), rows[~is_wild]
        self.snapshot = evaluate_tree(subtree(plan.tree, named), self.series.t[rows])
        e = self.expect(measurement.relative_to, measurement.resolved_in, self.snapshot)
        values = self.series.values[rows]
        kept = np.isfinite(e.e).all(axis=1) & np.isfinite(values).all(axis=1)
        self.rows, self.t = rows[kept], self.series.t[rows][kept]
        self.is_enough = len(self.t) >= FEWEST
        if not self.is_enough:
            return
        levers = e.levers
        self.expected = Expected(e.e[kept], e.T[kept], None if levers is None else lambda: levers()[kept])
        span = float(self.t[-1] - self.t[0])
        self.width = 0.0 if not rough else min(PERIODS / bandwidth, span / FEWEST_MEANS)
        self._group()
        self.m = self.mean(values[kept])
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
        """Return the means (n_means, ...) of values (n, ...) of rows; not a number where rows have none."""
        if self.width <= 0.0:
            return values
        flat = values.reshape(len(values), -1)
        sums = np.stack([np.bincount(self.means, flat[:, i], len(self._count)) for i in range(flat.shape[1])], axis=-1)
        return (sums / self._count[:, np.newaxis]).reshape(-1, *values.shape[1:])

    @property
    def n_means(self) -> int:
        """How many means there are."""
        return len(self._count)

    # --- What is expected

    def expect(self, relative_to: str, resolved_in: str, snapshot: Snapshot) -> Expected:
        """Return what the vector would be relative to and resolved in these frames of a snapshot of some rows."""
        T = np.swapaxes(snapshot.smoothed.R_WF[:, snapshot.index[resolved_in]], 1, 2)
        vector = self._in_world(relative_to, snapshot)
        half = slice(0, 3) if self.is_angular else slice(3, 6)
        levers = None if self.is_angular else lambda: T @ self._by_lever(relative_to, snapshot)
        return Expected(linear_algebra.apply_matrix(T, vector[:, half]), T, levers)

    def snapshot_of(self, plan: Plan, frames: Iterable[str]) -> Snapshot:
        """Return frames of a plan at the rows."""
        return evaluate_tree(subtree(plan.tree, frames), self.t)

    def _in_world(self, relative_to: str, snapshot: Snapshot) -> Array:
        form = self.measurement.form
        is_rate = form in ("velocity", "angular velocity")
        motion = relative_motion.relative_velocity if is_rate else relative_motion.relative_acceleration
        return motion(snapshot, self.measurement.of, relative_to, WORLD)

    def _by_lever(self, relative_to: str, snapshot: Snapshot) -> Array:
        """Return the changes (n, 3, 3) in world axes of a velocity or acceleration by a lever arm of the frame.

        A point that is fixed in the frame at r has the velocity ``v + w x r`` and the acceleration
        ``a + b x r + w x (w x r)``, with w and b relative to the other frame.
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
        """Whether the vector is the same at each point of a frame."""
        return self.measurement.form.startswith("angular")

    # --- Noise

    def noise_of(self, missed: Array) -> float:
        """Return the root mean square of the length of misses by noise alone, SI, from misses (n, 3) of rows.

        The noise of the rows is what changes from row to row, whatever the motion; where recordings take part, what
        their rates are expected to be off by is added.
        """
        count = float(np.median(self._count))
        return float(np.sqrt(3.0 * noise_per_axis(missed, self.part) ** 2 / count + self._error**2))

    def _rate_error(self, rough: Iterable[str]) -> float:
        """Return the expected error of the motion, by what is known of the samples of recordings."""
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
        """The usual time between rows, s."""
        return median(np.diff(self.t))


def miss_by(both: VectorComparison, e: Array) -> Miss:
    """Return by how much a measured vector misses what is expected of it, (n, 3) at the rows."""
    means = both.mean(e)
    missed = both.m - means
    length = np.sqrt(np.sum(missed**2, axis=1))
    is_wild = wild_rows(length / both.scale)
    kept = np.flatnonzero(~is_wild)
    worst = int(kept[np.argmax(length[kept])])
    values = both.series.values[both.rows]
    return Miss(
        ("measured", both.name),
        both.measurement.form,
        rms=rms_of(missed[kept]),
        worst=float(length[worst]),
        time=float(both.at[worst]),
        noise=min(both.noise_of(values - e), both.noise_of(values)),
        floor=ROUGH * max(rms_of(both.m), rms_of(means)),
        unit=both.staged.unit,
        factor=both.staged.factor,
        n=both.n_means,
        n_wild=int(is_wild.sum()),
    )


def rms_of(vectors: Array) -> float:
    """Return the root mean square of the lengths of vectors (n, 3), those without numbers left out."""
    squares = squares_of(vectors)
    squares = squares[np.isfinite(squares)]
    return float(np.sqrt(squares.mean())) if len(squares) else np.inf


def squares_of(vectors: Array) -> Array:
    """Return the squares of the lengths of vectors (n, 3); a sum over the last axis takes several times as long."""
    x, y, z = vectors.T
    return x**2 + y**2 + z**2


def noise_per_axis(values: Array, part: Rows) -> float:
    """Return the noise of samples (n, 3) about one axis, from what each misses of the middle of its neighbours.

    A motion hardly does; wild rows do not count, nor what is in another `part` (n,).
    """
    if len(values) < 3:
        return 0.0
    inside = part[2:] == part[:-2]
    bend = (values[:-2] - 2.0 * values[1:-1] + values[2:])[inside] / np.sqrt(6.0)
    return TO_SIGMA * float(np.median(np.abs(bend))) if len(bend) else 0.0


def _covered(rows: Rows, t: Array, samples: Array | None, spared: float) -> Rows:
    """Return the rows at times between the samples of a recording, not in gaps, and away from the ends of both."""
    if samples is None or len(samples) < 2:
        return rows
    after = gaps(samples)
    first, last = samples[np.append(0, after + 1)], samples[np.append(after, len(samples) - 1)]
    i = np.clip(np.searchsorted(first, t[rows], side="right") - 1, 0, len(first) - 1)
    inside = (t[rows] >= first[i]) & (t[rows] <= last[i])
    away = inside & (t[rows] >= first[i] + spared) & (t[rows] <= last[i] - spared)
    return rows[away if 2 * away.sum() > inside.sum() else inside]


def _stretches(rows: Rows, t: Array, most: int) -> Rows:
    """Return rows, of many every n-th, and of very many some stretches of those, evenly spread."""
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
    """Say which of vectors (n, 3) are far off their four neighbours, which lie close together."""
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

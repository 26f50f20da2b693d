"""Poses of two streams at the same times, with the rates of the interpolated one, for any clock offset and drift."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from framescope.core.errors import counted, visible_text
from framescope.core.kernels.validation import Array, median
from framescope.core.recordings.pose_spline import Recording
from framescope.core.recordings.sampled_poses import SampledPoses, through
from framescope.features.trajectories.core.pose_stream import PoseStream, StreamError, rotations, same_signs, times_of

GAP_STEPS = 5.0
"""Length of a step from which no pose is interpolated within it, as a multiple of the median step."""

LEAST_PAIRS = 3
"""Smallest number of pairs that an alignment uses."""


@dataclass(frozen=True)
class Clocks:
    """Relation of two clocks: a time t of b is ``t + offset_s + drift (t - centre_s)`` of a.

    Attributes
    ----------
    offset_s
        Offset added to the times of b, s.
    drift
        Seconds by which the offset grows per second of b.
    centre_s
        Time of b at which the offset holds, s.
    """

    offset_s: float = 0.0
    drift: float = 0.0
    centre_s: float = 0.0

    def in_a(self, t: Array) -> Array:
        """Return the times of a at times t (n,) of b, s."""
        return t + self.offset_s + self.drift * (t - self.centre_s)

    def in_b(self, t: Array) -> Array:
        """Return the times of b at times t (n,) of a, s."""
        return self.centre_s + (t - self.centre_s - self.offset_s) / (1.0 + self.drift)


@dataclass(frozen=True, eq=False)
class Matched:
    """Pairs of poses of A and B.

    Attributes
    ----------
    t : (n,) or None
        Times of the pairs in the clock of a, s.
    rows : (n,)
        Indices of the pairs in the stream that is not interpolated.
    R_A, p_A, R_B, p_B : (n, 3, 3), (n, 3)
        The poses.
    of_rates
        Stream that is interpolated; empty if none is.
    w, v : (n, 3)
        Angular velocity of the interpolated stream, resolved in its frame, rad/s, and its velocity, resolved in its
        reference, m/s.
    by_offset, by_drift : (n,)
        Derivatives of the time at which that stream is read, by the clock offset and by the drift.
    """

    t: Array | None
    rows: NDArray[np.intp]
    R_A: Array
    p_A: Array
    R_B: Array
    p_B: Array
    of_rates: Literal["", "a", "b"]
    w: Array
    v: Array
    by_offset: Array
    by_drift: Array

    def __len__(self) -> int:
        return len(self.p_A)

    def some(self, rows: slice | NDArray[np.intp] | NDArray[np.bool_]) -> Matched:
        """Return some of the pairs."""
        parts = [getattr(self, key)[rows] for key in ("rows", "R_A", "p_A", "R_B", "p_B")]
        t = None if self.t is None else self.t[rows]
        rates = [getattr(self, key)[rows] for key in ("w", "v", "by_offset", "by_drift")]
        return Matched(t, *parts, self.of_rates, *rates)  # pyright: ignore[reportCallIssue]


@dataclass(frozen=True, eq=False)
class SampledPath:
    """Poses that pass through all samples of a stream, and their rates.

    Attributes
    ----------
    poses
        The poses over time.
    rates : (n, 7)
        Rates of position and quaternion at the samples, over some samples before and after. Rates between neighbours
        would hold the noise that is in the poses too, and an estimate of a clock offset would then prefer the times at
        which the interpolation averages most.
    """

    poses: SampledPoses
    rates: Array

    @property
    def t(self) -> Array:
        """Times (n,) of the samples, s."""
        return self.poses.t


@dataclass(frozen=True, eq=False)
class Matcher:
    """Two streams that are matched again and again, for changing clocks.

    Attributes
    ----------
    a, b
        The streams, with one epoch.
    a_path, b_path
        Interpolation through all samples of the stream that is interpolated; None for the other.
    """

    a: PoseStream
    b: PoseStream
    a_path: SampledPath | None
    b_path: SampledPath | None

    @property
    def has_clocks(self) -> bool:
        """Whether the streams are matched by their times."""
        return self.a_path is not None or self.b_path is not None

    def matched(self, clocks: Clocks, chosen: NDArray[np.intp] | None = None) -> Matched:
        """Return the pairs for a relation of the clocks: one for each pose of the stream with the longer steps.

        `chosen` are the rows of that stream to match; None for all.

        Raises
        ------
        StreamError
            When fewer than `LEAST_PAIRS` pairs exist.
        """
        if not self.has_clocks:
            return _in_order(self.a, self.b, chosen)
        if self.b_path is not None:
            return self._with_b_interpolated(self.b_path, clocks, chosen)
        assert self.a_path is not None  # noqa: S101 - one of both has a path
        return self._with_a_interpolated(self.a_path, clocks, chosen)

    def _with_b_interpolated(self, path: SampledPath, clocks: Clocks, chosen: NDArray[np.intp] | None) -> Matched:
        t = times_of(self.a)
        rows = np.arange(len(t)) if chosen is None else chosen
        t_b = clocks.in_b(t[rows])
        is_known = is_covered(path.t, t_b)
        rows, t_b = rows[is_known], t_b[is_known]
        _check_pairs(len(rows), self.a, self.b)
        R, p, w, v = poses_and_rates(path, t_b)
        slope = 1.0 / (1.0 + clocks.drift)
        return Matched(
            t[rows], rows, rotations(self.a.q_RF[rows]), self.a.p_RF[rows], R, p, "b", w, v,
            np.full(len(rows), -slope), -slope * (t_b - clocks.centre_s),
        )  # fmt: skip

    def _with_a_interpolated(self, path: SampledPath, clocks: Clocks, chosen: NDArray[np.intp] | None) -> Matched:
        t_b = times_of(self.b)
        rows = np.arange(len(t_b)) if chosen is None else chosen
        t = clocks.in_a(t_b[rows])
        is_known = is_covered(path.t, t)
        rows, t = rows[is_known], t[is_known]
        _check_pairs(len(rows), self.a, self.b)
        R, p, w, v = poses_and_rates(path, t)
        return Matched(
            t, rows, R, p, rotations(self.b.q_RF[rows]), self.b.p_RF[rows], "a", w, v,
            np.ones(len(rows)), t_b[rows] - clocks.centre_s,
        )  # fmt: skip

    def covered_rows(self, clocks: Clocks) -> NDArray[np.intp]:
        """Return the rows of all pairs, without their poses."""
        if self.b_path is not None:
            return np.flatnonzero(is_covered(self.b_path.t, clocks.in_b(times_of(self.a))))
        if self.a_path is not None:
            return np.flatnonzero(is_covered(self.a_path.t, clocks.in_a(times_of(self.b))))
        return np.arange(len(self.a))


def matcher_of(a: PoseStream, b: PoseStream, is_spike: NDArray[np.bool_] | None = None) -> Matcher:
    """Return the matcher of two streams with one epoch; the one with the shorter steps is interpolated.

    Streams without times are matched in their order. `is_spike` are the spikes of the interpolated stream, if known.

    Raises
    ------
    StreamError
        When streams that are matched in their order differ in length, or only one has times.
    """
    if a.t is None or b.t is None:
        if len(a) != len(b):
            raise StreamError(
                f"{visible_text(a.name)} has {len(a)} poses and {visible_text(b.name)} {len(b)}, and not both have"
                " times: poses are then paired in their order, which needs equally many."
            )
        return Matcher(a, b, None, None)
    if min(len(a), len(b)) < LEAST_PAIRS:
        _check_pairs(min(len(a), len(b)), a, b)
    if interpolated_side(a, b) == "b":
        return Matcher(a, b, None, _path(b, is_spike))
    return Matcher(a, b, _path(a, is_spike), None)


def interpolated_side(a: PoseStream, b: PoseStream) -> Literal["", "a", "b"]:
    """Return the stream with the shorter steps, b of equal ones; empty if not both have times."""
    if a.t is None or b.t is None:
        return ""
    return "b" if median(np.diff(b.t)) <= median(np.diff(a.t)) * (1.0 + 1e-6) else "a"


def _path(stream: PoseStream, is_spike: NDArray[np.bool_] | None) -> SampledPath:
    """Return the interpolation of a stream, without the spikes that it would spread to their neighbours."""
    rows = np.flatnonzero(~(spikes(stream) if is_spike is None else is_spike))
    t = times_of(stream)[rows]
    return sampled_path(t, stream.p_RF[rows], same_signs(stream.q_RF[rows]))


WINDOW, AROUND = 5, 25
"""Number of poses whose median a spike is compared with, and of steps whose usual length it is compared with."""

SPIKE_STEPS = 6.0
"""Distance from the median of the poses around from which a pose is a spike, in steps of usual length."""


def spikes(stream: PoseStream) -> NDArray[np.bool_]:
    """Return which poses (n,) are far from both neighbours in position or orientation.

    >>> p = np.zeros((40, 3))
    >>> p[:, 0], p[12, 1] = np.arange(40), 9.0
    >>> np.flatnonzero(spikes(PoseStream("", np.arange(40.0), p, np.tile([0.0, 0.0, 0.0, 1.0], (40, 1)))))
    array([12])
    """
    from scipy.ndimage import (  # late: not at a start
        median_filter,  # pyright: ignore[reportUnknownVariableType]
        percentile_filter,  # pyright: ignore[reportUnknownVariableType]
    )

    if len(stream) < 2 * WINDOW:
        return np.zeros(len(stream), dtype=np.bool_)
    out = np.zeros(len(stream), dtype=np.bool_)
    for values in (stream.p_RF, stream.R_RF.reshape(-1, 9)):
        middle = np.asarray(median_filter(values, size=(WINDOW, 1), mode="nearest"), dtype=np.float64)
        off = np.linalg.norm(values - middle, axis=1)
        step = np.linalg.norm(np.diff(values, axis=0), axis=1)
        steps = np.append(step, step[-1:])
        usual = np.asarray(percentile_filter(steps, 25, size=AROUND, mode="nearest"), dtype=np.float64)
        least = 1e-9 * float(np.ptp(values, axis=0).max(initial=1.0))
        out |= off > np.maximum(SPIKE_STEPS * usual, least)
    return out if out.mean() < 0.5 else np.zeros(len(stream), dtype=np.bool_)


def _in_order(a: PoseStream, b: PoseStream, chosen: NDArray[np.intp] | None) -> Matched:
    rows = np.arange(len(a)) if chosen is None else chosen
    n = len(rows)
    _check_pairs(n, a, b)
    zeros, flat = np.zeros((n, 3)), np.zeros(n)
    poses = rotations(a.q_RF[rows]), a.p_RF[rows], rotations(b.q_RF[rows]), b.p_RF[rows]
    return Matched(None, rows, *poses, "", zeros, zeros, flat, flat)


def _check_pairs(n: int, a: PoseStream, b: PoseStream) -> None:
    if n >= LEAST_PAIRS:
        return
    spans = " and ".join(
        f"{visible_text(each.name)} from {each.t[0]:.3f} to {each.t[-1]:.3f} s"
        for each in (a, b)
        if each.t is not None and len(each)
    )
    where = f" Their times: {spans}." if spans else ""
    raise StreamError(f"the streams have {counted(n, 'pose')} in common, expected at least {LEAST_PAIRS}.{where}")


def is_covered(times: Array, t: Array) -> NDArray[np.bool_]:
    """Return whether samples at increasing times surround each time t (n,), and no gap lies around it.

    >>> is_covered(np.array([0.0, 1.0, 2.0, 12.0]), np.array([-0.1, 0.0, 1.5, 5.0, 12.0]))
    array([False,  True,  True, False,  True])
    """
    i = np.clip(np.searchsorted(times, t, side="right") - 1, 0, len(times) - 2)
    step = times[i + 1] - times[i]
    is_near = step <= GAP_STEPS * median(np.diff(times))
    return (t >= times[0]) & (t <= times[-1]) & (is_near | (t == times[i]) | (t == times[i + 1]))


RATE_S = 0.05
"""Time before and after a sample from which its rates are taken, s; at least the neighbours."""


def sampled_path(t: Array, p: Array, q: Array) -> SampledPath:
    """Return the path through samples at increasing times (n,), with positions (n, 3) and quaternions (n, 4)."""
    poses = through(Recording(t, p, q))
    n = len(t)
    k = max(round(RATE_S / median(np.diff(t))), 1) if n > 1 else 1
    first, last = np.maximum(np.arange(n) - k, 0), np.minimum(np.arange(n) + k, n - 1)
    return SampledPath(poses, (poses.y[last] - poses.y[first]) / (t[last] - t[first])[:, np.newaxis])


def poses_and_rates(path: SampledPath, t: Array) -> tuple[Array, Array, Array, Array]:
    """Return rotations (n, 3, 3), positions, angular velocities in the frame and velocities (n, 3) at times (n,).

    >>> q = np.stack([np.zeros(9), np.zeros(9), np.sin(np.arange(9) / 20), np.cos(np.arange(9) / 20)], axis=1)
    >>> path = sampled_path(np.arange(9.0), np.outer(np.arange(9.0), [1.0, 0.0, 0.0]), q)
    >>> R, p, w, v = poses_and_rates(path, np.array([4.0]))
    >>> p.round(6), w.round(4), v.round(6)
    (array([[4., 0., 0.]]), array([[0. , 0. , 0.1]]), array([[1., 0., 0.]]))
    """
    times = path.t
    T, p = path.poses.poses(t)
    i = np.clip(np.searchsorted(times, t, side="right") - 1, 0, len(times) - 2)
    u = np.clip((t - times[i]) / (times[i + 1] - times[i]), 0.0, 1.0)[:, np.newaxis]
    rate = path.rates[i] + u * (path.rates[i + 1] - path.rates[i])
    q, dq = path.poses.y[i, 3:] + u * (path.poses.y[i + 1, 3:] - path.poses.y[i, 3:]), rate[:, 3:]
    w = q[:, 3:] * dq[:, :3] - dq[:, 3:] * q[:, :3] - np.cross(q[:, :3], dq[:, :3])
    w *= 2.0 / np.einsum("ni,ni->n", q, q)[:, np.newaxis]
    return np.swapaxes(T, 1, 2), p, w, rate[:, :3]

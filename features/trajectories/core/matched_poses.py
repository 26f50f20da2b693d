"""Poses of two streams at the same times, with the rates of the interpolated one, for any clock offset and drift."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from framescope.core.errors import visible_text
from framescope.core.kernels.validation import Array, median
from framescope.core.recordings.pose_spline import Recording
from framescope.core.recordings.sampled_poses import SampledPoses, through
from framescope.features.trajectories.core.pose_stream import PoseStream, StreamError, rotations, times_of

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

    def some(self, rows: NDArray[np.intp] | NDArray[np.bool_]) -> Matched:
        """Return some of the pairs."""
        parts = [getattr(self, key)[rows] for key in ("rows", "R_A", "p_A", "R_B", "p_B")]
        t = None if self.t is None else self.t[rows]
        rates = [getattr(self, key)[rows] for key in ("w", "v", "by_offset", "by_drift")]
        return Matched(t, *parts, self.of_rates, *rates)


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
    a_path: SampledPoses | None
    b_path: SampledPoses | None

    @property
    def has_clocks(self) -> bool:
        """Whether the streams are matched by their times."""
        return self.a_path is not None or self.b_path is not None

    def matched(self, clocks: Clocks) -> Matched:
        """Return the pairs for a relation of the clocks: one for each pose of the stream with the longer steps.

        Raises
        ------
        StreamError
            When fewer than `LEAST_PAIRS` pairs exist.
        """
        if not self.has_clocks:
            return _in_order(self.a, self.b)
        if self.b_path is not None:
            return self._with_b_interpolated(self.b_path, clocks)
        assert self.a_path is not None  # noqa: S101 - one of both has a path
        return self._with_a_interpolated(self.a_path, clocks)

    def _with_b_interpolated(self, path: SampledPoses, clocks: Clocks) -> Matched:
        t = times_of(self.a)
        t_b = clocks.in_b(t)
        rows = np.flatnonzero(is_covered(path.t, t_b))
        _check_pairs(len(rows), self.a, self.b)
        R, p, w, v = poses_and_rates(path, t_b[rows])
        slope = 1.0 / (1.0 + clocks.drift)
        by_drift = -slope * (t_b[rows] - clocks.centre_s)
        return Matched(
            t[rows], rows, rotations(self.a.q_RF[rows]), self.a.p_RF[rows], R, p, "b", w, v,
            np.full(len(rows), -slope), by_drift,
        )  # fmt: skip

    def _with_a_interpolated(self, path: SampledPoses, clocks: Clocks) -> Matched:
        t_b = times_of(self.b)
        t = clocks.in_a(t_b)
        rows = np.flatnonzero(is_covered(path.t, t))
        _check_pairs(len(rows), self.a, self.b)
        R, p, w, v = poses_and_rates(path, t[rows])
        by_drift = t_b[rows] - clocks.centre_s
        return Matched(
            t[rows], rows, R, p, rotations(self.b.q_RF[rows]), self.b.p_RF[rows], "a", w, v,
            np.ones(len(rows)), by_drift,
        )  # fmt: skip


def matcher_of(a: PoseStream, b: PoseStream) -> Matcher:
    """Return the matcher of two streams with one epoch; the one with the shorter steps is interpolated.

    Streams without times are matched in their order.

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
    if median(np.diff(b.t)) <= median(np.diff(a.t)) * (1.0 + 1e-6):
        return Matcher(a, b, None, _path(b))
    return Matcher(a, b, _path(a), None)


def _path(stream: PoseStream) -> SampledPoses:
    return through(Recording(times_of(stream), stream.p_RF, stream.q_RF))


def _in_order(a: PoseStream, b: PoseStream) -> Matched:
    n = len(a)
    _check_pairs(n, a, b)
    zeros, flat = np.zeros((n, 3)), np.zeros(n)
    return Matched(
        None, np.arange(n), rotations(a.q_RF), a.p_RF, rotations(b.q_RF), b.p_RF, "", zeros, zeros, flat, flat
    )  # fmt: skip


def _check_pairs(n: int, a: PoseStream, b: PoseStream) -> None:
    if n >= LEAST_PAIRS:
        return
    spans = " and ".join(
        f"{visible_text(each.name)} from {each.t[0]:.3f} to {each.t[-1]:.3f} s" for each in (a, b) if each.t is not None
    )
    where = f" Their times: {spans}." if spans else ""
    raise StreamError(f"the streams have {n} poses in common, expected at least {LEAST_PAIRS}.{where}")


def is_covered(times: Array, t: Array) -> NDArray[np.bool_]:
    """Return whether samples at increasing times surround each time t (n,), and no gap lies around it.

    >>> is_covered(np.array([0.0, 1.0, 2.0, 12.0]), np.array([-0.1, 0.0, 1.5, 5.0, 12.0]))
    array([False,  True,  True, False,  True])
    """
    i = np.clip(np.searchsorted(times, t, side="right") - 1, 0, len(times) - 2)
    step = times[i + 1] - times[i]
    is_near = step <= GAP_STEPS * median(np.diff(times))
    return (t >= times[0]) & (t <= times[-1]) & (is_near | (t == times[i]) | (t == times[i + 1]))


def poses_and_rates(path: SampledPoses, t: Array) -> tuple[Array, Array, Array, Array]:
    """Return rotations (n, 3, 3), positions, angular velocities in the frame and velocities (n, 3) at times (n,).

    >>> q = np.stack([np.zeros(9), np.zeros(9), np.sin(np.arange(9) / 20), np.cos(np.arange(9) / 20)], axis=1)
    >>> path = through(Recording(np.arange(9.0), np.outer(np.arange(9.0), [1.0, 0.0, 0.0]), q))
    >>> R, p, w, v = poses_and_rates(path, np.array([4.0]))
    >>> p.round(6), w.round(4), v.round(6)
    (array([[4., 0., 0.]]), array([[0. , 0. , 0.1]]), array([[1., 0., 0.]]))
    """
    T, p = path.poses(t)
    i = np.clip(np.searchsorted(path.t, t, side="right") - 1, 0, len(path.t) - 2)
    h = (path.t[i + 1] - path.t[i])[:, np.newaxis]
    u = (np.clip(t, path.t[0], path.t[-1])[:, np.newaxis] - path.t[i][:, np.newaxis]) / h
    chord = (path.y[i + 1] - path.y[i]) / h
    rate = 6.0 * u * (1.0 - u) * chord
    rate += (1.0 - u) * (1.0 - 3.0 * u) * path.slopes[i] + u * (3.0 * u - 2.0) * path.slopes[i + 1]
    u2, h3 = u**2, u**2 * (3.0 - 2.0 * u)
    y = path.y[i] + h3 * (path.y[i + 1] - path.y[i])
    y += h * (u * (1.0 - u) ** 2 * path.slopes[i] - u2 * (1.0 - u) * path.slopes[i + 1])
    q, dq = y[:, 3:], rate[:, 3:]
    w = q[:, 3:] * dq[:, :3] - dq[:, 3:] * q[:, :3] - np.cross(q[:, :3], dq[:, :3])
    w *= 2.0 / np.einsum("ni,ni->n", q, q)[:, np.newaxis]
    return np.swapaxes(T, 1, 2), p, w, rate[:, :3]

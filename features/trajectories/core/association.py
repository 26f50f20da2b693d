"""Association of two pose streams: pairs of poses of one time, the nearest or interpolated, or in their order."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from framescope.core.errors import counted, visible_text
from framescope.core.kernels.validation import Array
from framescope.features.trajectories.core.pose_stream import NS, PoseStream, StreamError, on_one_epoch, times_of

Method = Literal["nearest", "interpolated", "order"]

TOLERANCE_S = 0.01
"""Largest difference of the times of a pair, s, as in evo."""

Rows = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class PosePairs:
    """Poses of two streams at the same times.

    Attributes
    ----------
    a, b
        The streams; times of b with the offset added, from the epoch of a.
    t : (n,) or None
        Times of the pairs, s since the epoch of a: those of the stream that is not interpolated, or of a.
    rows_a, rows_b : (n,)
        Indices of the nearest poses in the streams.
    p_A, q_A : (n, 3), (n, 4)
        Poses of the first stream, as in `PoseStream`.
    p_B, q_B : (n, 3), (n, 4)
        Poses of the second.
    """

    a: PoseStream
    b: PoseStream
    t: Array | None
    rows_a: Rows
    rows_b: Rows
    p_A: Array
    q_A: Array
    p_B: Array
    q_B: Array

    def __len__(self) -> int:
        return len(self.p_A)

    def some(self, rows: slice | NDArray[Any]) -> PosePairs:
        """Return some of the pairs."""
        t = None if self.t is None else self.t[rows]
        parts = {key: getattr(self, key)[rows] for key in ("rows_a", "rows_b", "p_A", "q_A", "p_B", "q_B")}
        return replace(self, t=t, **parts)


def associate(
    a: PoseStream,
    b: PoseStream,
    *,
    tolerance_s: float = TOLERANCE_S,
    offset_s: float = 0.0,
    method: Method = "nearest",
) -> PosePairs:
    """Return the pairs of poses of two streams.

    Parameters
    ----------
    a, b
        The streams.
    tolerance_s
        Largest difference of the times of a pair, s.
    offset_s
        Offset that is added to the times of b, s.
    method
        ``"nearest"``: each pose of the stream with fewer poses and the nearest of the other. ``"interpolated"``: the
        same pairs, with the pose of the other at the very time. ``"order"``: the first with the first, and so on.
        Streams without times are paired in their order.

    Raises
    ------
    StreamError
        When no pair is within the tolerance, or streams that are paired in their order differ in length.

    Notes
    -----
    A pose of the stream with more poses may belong to several pairs. Of two equally near poses, the earlier one is
    taken. All of this is as in evo, where ``offset_s`` is ``--t_offset`` and ``tolerance_s`` is ``--t_max_diff``.

    Examples
    --------
    >>> q = np.tile([0.0, 0.0, 0.0, 1.0], (3, 1))
    >>> a = PoseStream("a", np.array([0.0, 1.0, 2.0]), np.zeros((3, 3)), q)
    >>> b = PoseStream("b", np.array([0.5, 1.5]), np.array([[0.5, 0.0, 0.0], [1.5, 0.0, 0.0]]), q[:2])
    >>> pairs = associate(a, b, offset_s=0.501)
    >>> pairs.t, pairs.rows_a, pairs.rows_b
    (array([1.001, 2.001]), array([1, 2]), array([0, 1]))
    """
    if method == "order" or (a.t is None and b.t is None):
        return _in_order(a, b)
    if not tolerance_s >= 0.0 or not np.isfinite(offset_s):
        raise StreamError(f"expected a tolerance of 0 s or more and a finite offset, got {tolerance_s} and {offset_s}.")
    a, b = on_one_epoch([a, b])
    times_of(a)
    b = b.shifted(offset_s)
    is_b_long = len(b) > len(a)
    short, long = (a, b) if is_b_long else (b, a)
    t_short, t_long = times_of(short), times_of(long)
    nearest = _nearest(t_short, t_long)
    rows = np.flatnonzero(np.abs(t_long[nearest] - t_short) <= tolerance_s)
    if not len(rows):
        raise StreamError(_no_pair(a, b, tolerance_s, offset_s))
    t, near = t_short[rows], nearest[rows]
    if method == "interpolated":
        p_long, q_long = interpolated(long, t)
    else:
        p_long, q_long = long.p_RF[near], long.q_RF[near]
    p_short, q_short = short.p_RF[rows], short.q_RF[rows]
    if is_b_long:
        return PosePairs(a, b, t, rows, near, p_short, q_short, p_long, q_long)
    return PosePairs(a, b, t, near, rows, p_long, q_long, p_short, q_short)


def _in_order(a: PoseStream, b: PoseStream) -> PosePairs:
    if len(a) != len(b):
        n_a, n_b = counted(len(a), "pose"), counted(len(b), "pose")
        raise StreamError(
            f"{visible_text(a.name)} has {n_a}, {visible_text(b.name)} {n_b}: pairs in their order need equally many."
        )
    rows = np.arange(len(a))
    return PosePairs(a, b, a.t, rows, rows, a.p_RF, a.q_RF, b.p_RF, b.q_RF)


def _nearest(t: Array, among: Array) -> Rows:
    """Return the index of the nearest of increasing times for each time t (n,); of two, the earlier."""
    after = np.clip(np.searchsorted(among, t, side="right"), 0, len(among) - 1)
    before = np.maximum(after - 1, 0)
    is_after = np.abs(among[after] - t) < np.abs(t - among[before])
    return np.where(is_after, after, before)


def interpolated(stream: PoseStream, t: Array) -> tuple[Array, Array]:
    """Return positions (n, 3) and quaternions (n, 4) of a stream at times (n,), s.

    Positions are linear between two poses, orientations turn at a constant rate (slerp). Outside, the end poses apply.

    Examples
    --------
    >>> q = np.array([[0.0, 0.0, 0.0, 1.0], [0.0, 0.0, 1.0, 0.0]])
    >>> stream = PoseStream("a", np.array([0.0, 1.0]), np.array([[0.0, 0.0, 0.0], [2.0, 0.0, 0.0]]), q)
    >>> interpolated(stream, np.array([0.5]))
    (array([[1., 0., 0.]]), array([[0.        , 0.        , 0.70710678, 0.70710678]]))
    """
    times = times_of(stream)
    if len(times) == 1:
        return np.tile(stream.p_RF, (len(t), 1)), np.tile(stream.q_RF, (len(t), 1))
    i = np.clip(np.searchsorted(times, t, side="left") - 1, 0, len(times) - 2)
    u = np.clip((t - times[i]) / (times[i + 1] - times[i]), 0.0, 1.0)[:, np.newaxis]
    p = stream.p_RF[i] + u * (stream.p_RF[i + 1] - stream.p_RF[i])
    return p, slerp(stream.q_RF[i], stream.q_RF[i + 1], u)


def slerp(q_0: Array, q_1: Array, u: Array) -> Array:
    """Return the quaternions (n, 4) at fractions u (n, 1) of the shorter way from `q_0` to `q_1` (n, 4)."""
    q_1 = np.where(np.einsum("ni,ni->n", q_0, q_1)[:, np.newaxis] < 0.0, -q_1, q_1)
    chord = np.linalg.norm(q_1 - q_0, axis=1, keepdims=True)
    half = np.arctan2(chord, np.linalg.norm(q_1 + q_0, axis=1, keepdims=True))  # half the angle between the quaternions
    sine = np.sin(2.0 * half)
    is_small = sine < 1e-12
    divisor = np.where(is_small, 1.0, sine)
    first = np.where(is_small, 1.0 - u, np.sin((1.0 - u) * 2.0 * half) / divisor)
    second = np.where(is_small, u, np.sin(u * 2.0 * half) / divisor)
    q = first * q_0 + second * q_1
    return q / np.linalg.norm(q, axis=1, keepdims=True)


def _no_pair(a: PoseStream, b: PoseStream, tolerance_s: float, offset_s: float) -> str:
    """Return why no pair is within the tolerance, with the offset of the clocks that would bring them together."""
    t_a, t_b = times_of(a), times_of(b)
    name_a, name_b = visible_text(a.name), visible_text(b.name)
    zero = a.epoch_ns / NS
    spans = f"{name_a} runs from {_stamp(zero, t_a[0])} to {_stamp(zero, t_a[-1])} s, "
    spans += f"{name_b} from {_stamp(zero, t_b[0])} to {_stamp(zero, t_b[-1])} s"
    spans += f" with the offset {offset_s:g} s." if offset_s else "."
    if t_a[-1] < t_b[0] - tolerance_s or t_b[-1] < t_a[0] - tolerance_s:
        between = float(t_a[0] - t_b[0]) + offset_s
        return (
            f"the times do not overlap: {spans} An offset of {between:.6g} s would make them begin together"
            " (--t_offset); framescope align finds the offset of two clocks."
        )
    least = float(np.abs(t_a[_nearest(t_b, t_a)] - t_b).min())
    return (
        f"no two poses are within {tolerance_s:g} s: the nearest are {least:.3g} s apart. {spans}"
        " Allow more (--t_max_diff), or interpolate."
    )


def _stamp(zero: float, t: float) -> str:
    return f"{zero + t:.3f}".rstrip("0").rstrip(".")

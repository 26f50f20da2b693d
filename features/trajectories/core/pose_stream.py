"""Pose stream: the poses of one frame in a reference frame, in the order of time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from framescope.core.errors import FramescopeError, counted, visible_text
from framescope.core.kernels import linear_algebra
from framescope.core.kernels.rounding import since_first
from framescope.core.kernels.validation import Array, read_only
from framescope.core.transformation_matrices import to_Q

UNIT_TOLERANCE = 0.3
"""Largest distance of a quaternion's length from 1 that is normalised; a row beyond it is left out."""

NS = 1_000_000_000
"""Nanoseconds of a second."""

DAY_S = 86_400.0
"""Time below which stamps count from their own zero, s."""


class StreamError(FramescopeError):
    """Pose stream that cannot be read, or cannot be used for a computation."""


@dataclass(frozen=True, eq=False)
class PoseStream:
    """Poses of a frame F in a reference frame R.

    Attributes
    ----------
    name
        Name in tables and messages, such as the name of the file.
    t : (n,) or None
        Times, s since `epoch_ns`, strictly increasing. None for poses without times, which are numbered.
    p_RF : (n, 3)
        Positions of F's origin from R's, expressed in R, m.
    q_RF : (n, 4)
        Unit quaternions, scalar last, that take vectors from F into R. Neighbours have the same sign.
    frame, reference
        Names of F and R; empty if the source states none.
    epoch_ns
        Stamp of ``t = 0``, ns. Streams of one clock share their epoch after `on_one_epoch`.
    notes
        Sentences on rows that were left out and on what was assumed.

    Raises
    ------
    StreamError
        When shapes differ, a number is not finite, a quaternion is not of unit length, or time does not increase.
        `stream_of` cleans such rows.

    Examples
    --------
    >>> stream = PoseStream("a", np.arange(2.0), np.zeros((2, 3)), np.array([[0.0, 0.0, 0.0, 1.0]] * 2))
    >>> len(stream), stream.R_RF.shape, stream.duration
    (2, (2, 3, 3), 1.0)
    """

    name: str
    t: Array | None
    p_RF: Array
    q_RF: Array
    frame: str = ""
    reference: str = ""
    epoch_ns: int = 0
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        who = visible_text(self.name) or "the stream"
        p, q = np.asarray(self.p_RF, dtype=float), np.asarray(self.q_RF, dtype=float)
        if p.ndim != 2 or p.shape[1] != 3 or q.shape != (len(p), 4):
            raise StreamError(f"{who}: expected positions (n, 3) and quaternions (n, 4), got {p.shape} and {q.shape}.")
        if not (np.isfinite(p).all() and np.isfinite(q).all()):
            raise StreamError(f"{who}: a number of a pose is not finite. Leave such rows out.")
        if (np.abs(np.linalg.norm(q, axis=1) - 1.0) > 1e-6).any():
            raise StreamError(f"{who}: a quaternion is not of unit length.")
        t = None if self.t is None else np.asarray(self.t, dtype=float)
        if t is not None and (t.shape != (len(p),) or not np.isfinite(t).all()):
            raise StreamError(f"{who}: expected {len(p)} finite times, got {t.shape}.")
        if t is not None and (np.diff(t) <= 0.0).any():
            raise StreamError(f"{who}: time does not increase from each pose to the next.")
        for key, values in (("t", t), ("p_RF", p), ("q_RF", q)):
            object.__setattr__(self, key, None if values is None else read_only(values))

    def __len__(self) -> int:
        return len(self.p_RF)

    @property
    def R_RF(self) -> Array:
        """Rotation matrices (n, 3, 3) that take vectors from F into R."""
        return rotations(self.q_RF)

    @property
    def duration(self) -> float:
        """Time from the first pose to the last, s; NaN without times."""
        return float("nan") if self.t is None or not len(self) else float(self.t[-1] - self.t[0])

    @property
    def length(self) -> float:
        """Length of the path through all positions, m."""
        return float(np.linalg.norm(np.diff(self.p_RF, axis=0), axis=1).sum())

    def some(self, rows: slice | NDArray[Any]) -> PoseStream:
        """Return the stream of some of its poses."""
        t = None if self.t is None else self.t[rows]
        return replace(self, t=t, p_RF=self.p_RF[rows], q_RF=self.q_RF[rows])

    def shifted(self, offset_s: float) -> PoseStream:
        """Return the stream with an offset added to its times, s.

        Raises
        ------
        StreamError
            When the stream has no times.
        """
        return replace(self, t=times_of(self) + offset_s)


def rotations(q: Array) -> Array:
    """Return the rotation matrices (n, 3, 3) of unit quaternions (n, 4), scalar last.

    >>> rotations(np.array([[0.0, 0.0, np.sqrt(0.5), np.sqrt(0.5)]]))[0].round(9) @ [1.0, 0.0, 0.0]
    array([0., 1., 0.])
    """
    return linear_algebra.transpose(linear_algebra.matrix_from_quaternion(q))


def quaternions_of(R: Array) -> Array:
    """Return the unit quaternions (n, 4), scalar last, of rotation matrices (n, 3, 3).

    >>> quaternions_of(np.eye(3)[np.newaxis])
    array([[0., 0., 0., 1.]])
    """
    return to_Q(linear_algebra.transpose(R)) + 0.0


def same_signs(q: Array) -> Array:
    """Return quaternions (n, 4) of which each is on the half sphere of the one before.

    >>> same_signs(np.array([[0.0, 0.0, 0.0, 1.0], [0.0, 0.0, 0.0, -1.0]]))
    array([[ 0.,  0.,  0.,  1.],
           [-0., -0., -0.,  1.]])
    """
    flips = np.einsum("ni,ni->n", q[1:], q[:-1]) < 0.0
    signs = np.where(np.concatenate([[0], np.cumsum(flips)])[: len(q)] % 2, -1.0, 1.0)
    return q * signs[:, np.newaxis]


def times_of(stream: PoseStream) -> Array:
    """Return the times (n,) of a stream, s.

    Raises
    ------
    StreamError
        When it has none.
    """
    if stream.t is None:
        hint = "Pair the poses by their order, or give a rate or a file of times."
        raise StreamError(f"{visible_text(stream.name)} has no times. {hint}")
    return stream.t


def stream_of(
    name: str,
    t: ArrayLike | None,
    p_RF: ArrayLike,
    q_RF: ArrayLike,
    *,
    frame: str = "",
    reference: str = "",
    epoch_ns: int = 0,
    notes: Sequence[str] = (),
) -> PoseStream:
    """Return the stream of rows that may be damaged: sorted, each time once, without rows that hold no pose.

    Rows with a number that is not finite, or a quaternion whose length is off 1 by more than `UNIT_TOLERANCE`, are left
    out, and of rows of one time all but the first. `notes` of the stream count them. Other quaternions are normalised.

    Raises
    ------
    StreamError
        When no row holds a pose.

    Examples
    --------
    >>> q = [[0.0, 0.0, 0.0, 2.0], [0.0, 0.0, 0.0, 1.0], [0.0, 0.0, 0.0, 1.0]]
    >>> stream = stream_of("a.csv", [0.0, 2.0, 1.0], np.zeros((3, 3)), q)
    >>> stream.t, stream.notes
    (array([1., 2.]), ('1 row without a unit quaternion is left out.', 'Rows are sorted by time.'))
    """
    p, q = np.asarray(p_RF, dtype=float).reshape(-1, 3), np.asarray(q_RF, dtype=float).reshape(-1, 4)
    times = None if t is None else np.asarray(t, dtype=float)
    remarks = list(notes)
    is_finite = np.isfinite(p).all(axis=1) & np.isfinite(q).all(axis=1)
    if times is not None:
        is_finite &= np.isfinite(times)
    with np.errstate(all="ignore"):
        length = np.linalg.norm(np.where(np.isfinite(q), q, 0.0), axis=1)
    is_unit = np.abs(length - 1.0) <= UNIT_TOLERANCE
    _note(remarks, int((~is_finite).sum()), "with a missing number")
    _note(remarks, int((is_finite & ~is_unit).sum()), "without a unit quaternion")
    rows = np.flatnonzero(is_finite & is_unit)
    if not len(rows):
        raise StreamError(f"{visible_text(name)} has no row that holds a pose. Check its columns and its format.")
    if times is not None:
        if (np.diff(times[rows]) < 0.0).any():
            rows = rows[np.argsort(times[rows], kind="stable")]
            remarks.append("Rows are sorted by time.")
        is_new = np.concatenate([[True], np.diff(times[rows]) > 0.0])
        _note(remarks, int((~is_new).sum()), "with the time of the row before")
        rows = rows[is_new]
        times = times[rows]
    q = same_signs(q[rows] / length[rows, np.newaxis])
    return PoseStream(name, times, p[rows], q, frame, reference, epoch_ns, tuple(remarks))


def _note(remarks: list[str], n: int, what: str) -> None:
    if n:
        remarks.append(f"{counted(n, 'row')} {what} {'is' if n == 1 else 'are'} left out.")


def on_one_epoch(streams: Sequence[PoseStream]) -> tuple[PoseStream, ...]:
    """Return streams whose times count from one epoch, that of the first with times.

    >>> q = np.array([[0.0, 0.0, 0.0, 1.0]])
    >>> a, b = (PoseStream("", np.zeros(1), np.zeros((1, 3)), q, epoch_ns=epoch) for epoch in (0, 10**9))
    >>> on_one_epoch([a, b])[1].t
    array([1.])
    """
    epoch = next((stream.epoch_ns for stream in streams if stream.t is not None), 0)
    return tuple(
        stream
        if stream.t is None or stream.epoch_ns == epoch
        else replace(stream, t=stream.t + (stream.epoch_ns - epoch) / NS, epoch_ns=epoch)
        for stream in streams
    )


def seconds_and_epoch(t: Array, rests: Array | None = None, unit_s: float = 1.0) -> tuple[Array, int]:
    """Return times (n,), s, and the stamp of their zero, ns, from the numbers of a file.

    The zero of large numbers, such as times since 1970, is the first time, so that differences keep all digits. Times
    of less than a day keep the zero of the file.

    Parameters
    ----------
    t : (n,)
        Finite numbers of the file.
    rests : (n,), optional
        Their rounding errors, in the same unit.
    unit_s
        Unit of the numbers, s.

    Examples
    --------
    >>> seconds_and_epoch(np.array([1403636579.5, 1403636580.0]))
    (array([0. , 0.5]), 1403636579500000000)
    >>> seconds_and_epoch(np.array([10.0, 10.5]))
    (array([10. , 10.5]), 0)
    """
    if not len(t) or abs(float(t[0])) * unit_s < DAY_S:
        return t * unit_s, 0
    rest = 0.0 if rests is None else float(rests[0])
    scale = Fraction(unit_s).limit_denominator(NS) * NS
    return since_first(t, rests) * unit_s, round((Fraction(float(t[0])) + Fraction(rest)) * scale)

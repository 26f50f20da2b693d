"""Path of one frame of a bag: the samples that tf2 accepts, and the intervals between them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from framescope.core.kernels.lengths import lengths
from framescope.core.kernels.validation import Array
from framescope.core.scene.schema.stamps import NS
from framescope.features.bags.core.tf_log import Flags, Whole
from framescope.features.bags.core.tf_tracks import REFUSALS, Tracks, gap_limit_ns

_NOT_UNIT = REFUSALS.index("not unit") + 1


@dataclass(frozen=True)
class TfChoice:
    """Selection of rows of a log as the samples of a frame.

    Attributes
    ----------
    names
        Names of the frame in the log, one for each spelling.
    parents
        Parents whose samples are used; empty for all.
    from_ns, until_ns
        Bounds of the time of reception of the rows, the second one excluded, ns.
    without_ns
        Stamps of ignored samples, ns.
    normalize
        Whether quaternions are normalized, so that none is refused for its length.
    """

    names: tuple[str, ...]
    parents: tuple[str, ...] = ()
    from_ns: int | None = None
    until_ns: int | None = None
    without_ns: tuple[int, ...] = ()
    normalize: bool = False


@dataclass(frozen=True, eq=False)
class TfPath:
    """Samples of a frame in its parents, sorted by stamp, each stamp once.

    Attributes
    ----------
    stamp_ns : (n,)
        Increasing stamps, ns.
    position : (n, 3)
        Position of the frame in the parent of each sample, m.
    quaternion : (n, 4)
        Unit orientation of the frame in that parent, scalar last.
    parents
        Names of the parents.
    parent : (n,)
        Index in `parents` of each sample's parent.
    is_static
        Whether the single sample holds at all times.
    """

    stamp_ns: Whole
    position: Array
    quaternion: Array
    parents: tuple[str, ...]
    parent: Whole
    is_static: bool

    @cached_property
    def gaps(self) -> Whole:
        """Indices of the samples before a gap."""
        return np.flatnonzero(np.diff(self.stamp_ns) > gap_limit_ns(self.stamp_ns))

    @cached_property
    def changes(self) -> Whole:
        """Indices of the samples whose parent differs from that of the sample before."""
        return np.flatnonzero(np.diff(self.parent)) + 1

    def seconds(self, zero_ns: int) -> Array:
        """Return the times (n,) of the samples relative to a stamp, s."""
        return (self.stamp_ns - zero_ns) / NS

    def spans(self, zero_ns: int) -> Array:
        """Return first and last time (k, 2) of each stretch without gaps, s since a stamp; ±inf if static."""
        if self.is_static:
            return np.array([[-np.inf, np.inf]])
        t = self.seconds(zero_ns)
        return np.stack([t[[0, *(self.gaps + 1)]], t[[*self.gaps, -1]]], axis=1)


def path_of(tracks: Tracks, choice: TfChoice) -> TfPath | None:
    """Return the path of a frame of a bag; None without samples.

    The first sample decides whether the frame is static. A static frame keeps its last received pose at all times.
    """
    log = tracks.log
    rows = np.flatnonzero(taken_rows(tracks, choice))
    if not len(rows):
        return None
    is_static = bool(log.is_static[rows[0]])
    if is_static:
        rows = rows[-1:]
    stamps = log.stamp_ns[rows]
    order = np.argsort(stamps, kind="stable")
    order = order[np.concatenate([[True], np.diff(stamps[order]) > 0])]
    rows = rows[order]
    numbers, parent = np.unique(tracks.parent[rows], return_inverse=True)
    Q = log.quaternion[rows]
    return TfPath(
        log.stamp_ns[rows],
        log.position[rows],
        normalize_rows(Q, np.ones(len(Q), bool)),
        tuple(tracks.names[int(i)] for i in numbers),
        parent,
        is_static,
    )


def first_stamp_ns(tracks: Tracks) -> int:
    """Return the first stamp of moving frames, ns; 0 if none moves."""
    stamps = tracks.log.stamp_ns[(tracks.refused == 0) & ~tracks.log.is_static]
    return int(stamps.min()) if len(stamps) else 0


def taken_rows(tracks: Tracks, choice: TfChoice, *, with_refused: bool = False) -> Flags:
    """Return a mask of the log's rows that are samples of a frame, with or without rows that tf2 refuses."""
    log = tracks.log
    taken = _frame_mask(tracks, choice.names)[tracks.child]
    if not with_refused:
        refused = tracks.refused
        if choice.normalize:
            has_length = (log.quaternion != 0.0).any(axis=1)
            refused = np.where((refused == _NOT_UNIT) & has_length, 0, refused)
        taken &= (refused == 0) & ~_frame_mask(tracks, choice.names)[tracks.parent]
    if choice.parents:
        taken &= _frame_mask(tracks, choice.parents)[tracks.parent]
    if choice.from_ns is not None:
        taken &= (log.log_ns >= choice.from_ns) | log.is_static  # as in tf2, static transforms survive a restart
    if choice.until_ns is not None:
        taken &= log.log_ns < choice.until_ns
    if choice.without_ns:
        taken &= ~np.isin(log.stamp_ns, choice.without_ns)
    return taken


def normalize_rows(quaternion: Array, rows: Flags) -> Array:
    """Return quaternions (n, 4) with some rows normalized, except zero and non-finite ones."""
    length = lengths(quaternion)[:, np.newaxis]
    has_length = rows[:, np.newaxis] & np.isfinite(length) & (length > 0.0)
    return np.divide(quaternion, length, out=quaternion.copy(), where=has_length)


def _frame_mask(tracks: Tracks, names: Iterable[str]) -> Flags:
    selected = set(names)
    return np.array([name in selected for name in tracks.names], bool)

"""Path of one frame of a bag: the samples that are taken, as tf2 takes them, and what is between them."""

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
    """Which rows of a log are the samples of a frame.

    Attributes
    ----------
    names
        What the frame is called there, in one spelling or several.
    parents
        Names of its parents whose samples are taken; without any all are.
    from_ns, until_ns
        Times of reception between which rows are taken, the last not included, ns.
    without_ns
        Stamps of samples that are left out, ns.
    normalize
        Whether quaternions are made unit, and so none is refused for its length.
    """

    names: tuple[str, ...]
    parents: tuple[str, ...] = ()
    from_ns: int | None = None
    until_ns: int | None = None
    without_ns: tuple[int, ...] = ()
    normalize: bool = False


@dataclass(frozen=True, eq=False)
class TfPath:
    """Samples of a frame in its parents, in the order of their stamps, each stamp once.

    Attributes
    ----------
    stamp_ns : (n,)
        Rising.
    position : (n, 3)
        Of the frame in the parent of the sample, m.
    quaternion : (n, 4)
        Of the frame in that parent, scalar last, of unit length.
    parents
        Names of parents.
    parent : (n,)
        Number of the parent of each sample.
    is_static
        Whether the one sample holds at any time.
    """

    stamp_ns: Whole
    position: Array
    quaternion: Array
    parents: tuple[str, ...]
    parent: Whole
    is_static: bool

    @cached_property
    def gaps(self) -> Whole:
        """The samples that a gap follows."""
        return np.flatnonzero(np.diff(self.stamp_ns) > gap_limit_ns(self.stamp_ns))

    @cached_property
    def changes(self) -> Whole:
        """The samples with another parent than the one before."""
        return np.flatnonzero(np.diff(self.parent)) + 1

    def seconds(self, zero_ns: int) -> Array:
        """Return the times (n,) of the samples since a stamp, s."""
        return (self.stamp_ns - zero_ns) / NS

    def spans(self, zero_ns: int) -> Array:
        """Return from when to when (k, 2) the frame is known, s since a stamp; all time of a static one."""
        if self.is_static:
            return np.array([[-np.inf, np.inf]])
        t = self.seconds(zero_ns)
        return np.stack([t[[0, *(self.gaps + 1)]], t[[*self.gaps, -1]]], axis=1)


def path_of(tracks: Tracks, choice: TfChoice) -> TfPath | None:
    """Return the path of a frame of a bag; None where there is no sample of it.

    The first sample decides whether it is static; of those the last that was received holds, at any time.
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
        normalized(Q, np.ones(len(Q), bool)),
        tuple(tracks.names[int(i)] for i in numbers),
        parent,
        is_static,
    )


def first_stamp_ns(tracks: Tracks) -> int:
    """Return the first stamp of what moves, ns; 0 where nothing does."""
    stamps = tracks.log.stamp_ns[(tracks.refused == 0) & ~tracks.log.is_static]
    return int(stamps.min()) if len(stamps) else 0


def taken_rows(tracks: Tracks, choice: TfChoice, *, with_refused: bool = False) -> Flags:
    """Return which rows of a log are samples of a frame, with those or without that tf2 refuses."""
    log = tracks.log
    taken = _numbered(tracks, choice.names)[tracks.child]
    if not with_refused:
        refused = tracks.refused
        if choice.normalize:
            has_length = (log.quaternion != 0.0).any(axis=1)
            refused = np.where((refused == _NOT_UNIT) & has_length, 0, refused)
        taken &= (refused == 0) & ~_numbered(tracks, choice.names)[tracks.parent]
    if choice.parents:
        taken &= _numbered(tracks, choice.parents)[tracks.parent]
    if choice.from_ns is not None:
        taken &= (log.log_ns >= choice.from_ns) | log.is_static  # as in tf2, what is static outlasts a new start
    if choice.until_ns is not None:
        taken &= log.log_ns < choice.until_ns
    if choice.without_ns:
        taken &= ~np.isin(log.stamp_ns, choice.without_ns)
    return taken


def normalized(quaternion: Array, rows: Flags) -> Array:
    """Return quaternions (n, 4), those of some rows made unit that have a length."""
    length = lengths(quaternion)[:, np.newaxis]
    has_length = rows[:, np.newaxis] & np.isfinite(length) & (length > 0.0)
    return np.divide(quaternion, length, out=quaternion.copy(), where=has_length)


def _numbered(tracks: Tracks, names: Iterable[str]) -> Flags:
    wanted = set(names)
    return np.array([name in wanted for name in tracks.names], bool)

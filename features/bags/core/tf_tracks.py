"""Rows of a log by frame, without the rows that tf2 refuses."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from framescope.core.kernels.validation import Array
from framescope.core.recordings.tf_buffer import UNIT_TOLERANCE
from framescope.core.scene.schema.stamps import NS
from framescope.features.bags.core.tf_log import Flags, TfLog, Whole

GAP_NS, GAP_STEPS = NS, 10
"""Shortest gap, ns, and shortest gap in median steps of the frame. The larger limit applies."""

REFUSALS = ("own parent", "no name", "not finite", "not unit")
"""Reasons for refusing a row. `Tracks.refused` has the index plus one."""


SAME_POSE = 1e-6
"""Change of a pose by rounding to float32: metres per metre of distance, and components of a quaternion."""

WORLD_FRAMES = ("earth", "map", "odom")
"""Parents of frames that localization and odometry send (REP 105)."""


@dataclass(frozen=True, eq=False)
class Track:
    """Accepted rows of one frame.

    Attributes
    ----------
    child
        Number of the frame in `Tracks.names`.
    rows : (n,)
        Rows of the log, in its order.
    stamp_ns, log_ns, parent, publisher, position, quaternion : (n,), (n, 3) or (n, 4)
        Columns of the log for these rows; parents as numbers in `Tracks.names`.
    is_static
        Whether the first row is static. As in tf2, this decides for all rows.
    is_mixed
        Whether only some rows are static.
    """

    child: int
    rows: Whole
    stamp_ns: Whole
    log_ns: Whole
    parent: Whole
    publisher: Whole
    position: Array
    quaternion: Array
    is_static: bool
    is_mixed: bool

    @cached_property
    def in_time(self) -> Whole:
        """Indices into `rows` sorted by stamp, each stamp once, as tf2 stores them."""
        order = np.argsort(self.stamp_ns, kind="stable")
        stamps = self.stamp_ns[order]
        return order[np.concatenate([[True], stamps[1:] != stamps[:-1]])] if len(order) else order

    def select(self, is_chosen: Flags) -> Track:
        """Return the track of some rows."""
        columns = ("rows", "stamp_ns", "log_ns", "parent", "publisher", "position", "quaternion")
        return replace(self, **{name: getattr(self, name)[is_chosen] for name in columns})


@dataclass(frozen=True, eq=False)
class Tracks:
    """A log with its rows assigned to frames.

    Attributes
    ----------
    log
        All rows.
    names
        Names of frames as stored by tf2, without a leading slash.
    child, parent : (n,)
        Numbers of frames in `names`, for each row of the log.
    refused : (n,)
        0 for an accepted row, else 1 plus the index in `REFUSALS`.
    """

    log: TfLog
    names: tuple[str, ...]
    child: Whole
    parent: Whole
    refused: Whole

    @cached_property
    def by_frame(self) -> tuple[Track, ...]:
        """Track of each frame that has a parent, in the order of their first rows."""
        return tuple(self._tracks())

    def _tracks(self) -> Iterator[Track]:
        log = self.log
        good = np.flatnonzero(self.refused == 0)
        order = good[np.argsort(self.child[good], kind="stable")]
        ends = np.flatnonzero(np.diff(self.child[order])) + 1
        parts = [rows for rows in np.split(order, ends) if len(rows)]
        for rows in sorted(parts, key=lambda rows: rows[0]):
            static = log.is_static[rows]
            yield Track(
                child=int(self.child[rows[0]]),
                rows=rows,
                stamp_ns=log.stamp_ns[rows],
                log_ns=log.log_ns[rows],
                parent=self.parent[rows],
                publisher=log.publisher[rows],
                position=log.position[rows],
                quaternion=log.quaternion[rows],
                is_static=bool(static[0]),
                is_mixed=bool(static.any() and not static.all()),
            )

    def publishers(self, rows: Whole) -> tuple[str, ...]:
        """Return the known publishers of some rows."""
        numbers = np.unique(self.log.publisher[rows])
        return tuple(name for name in (self.log.publishers[int(i)] for i in numbers) if name)


def is_below_world(tracks: Tracks, track: Track, worlds: tuple[str, ...] = WORLD_FRAMES) -> bool:
    """Return whether a frame has, at any time, one of some parents in any namespace, such as ``"robot1/map"``."""
    parents = (tracks.names[parent] for parent in map(int, np.unique(track.parent)))
    return any(parent.rpartition("/")[2] in worlds for parent in parents)


def keeps_pose(track: Track) -> bool:
    """Return whether a frame is always sent as the same pose in one parent."""
    if len(np.unique(track.parent)) > 1:
        return False
    sign = np.where(track.quaternion @ track.quaternion[0] < 0.0, -1.0, 1.0)[:, np.newaxis]
    moved = np.abs(track.position - track.position[0]).max()
    turned = np.abs(sign * track.quaternion - track.quaternion[0]).max()
    return bool(moved <= SAME_POSE * max(1.0, np.abs(track.position[0]).max()) and turned <= SAME_POSE)


def gap_limit_ns(stamp_ns: Whole) -> int:
    """Return the time between two samples of a moving frame above which there is a gap, ns.

    >>> gap_limit_ns(np.arange(0, 50) * 500_000_000)
    5000000000
    """
    return max(GAP_NS, GAP_STEPS * int(np.median(np.diff(stamp_ns)))) if len(stamp_ns) > 1 else GAP_NS


def tracks_of(log: TfLog) -> Tracks:
    """Return a log with its rows assigned to frames, each accepted or refused as by tf2."""
    names = tuple(dict.fromkeys(name.removeprefix("/") for name in log.names))
    number = {name: i for i, name in enumerate(names)}
    of = np.array([number[name.removeprefix("/")] for name in log.names], np.int64)
    child, parent = of[log.child], of[log.parent]
    nameless = np.array([not name for name in names], bool)
    finite = np.isfinite(log.position).all(axis=1) & np.isfinite(log.quaternion).all(axis=1)
    with np.errstate(invalid="ignore", over="ignore"):
        off = np.abs(np.square(log.quaternion).sum(axis=1) - 1.0) > UNIT_TOLERANCE
    refused = np.select(
        [(child == parent) & ~nameless[child], nameless[child] | nameless[parent], ~finite, off], [1, 2, 3, 4], 0
    )
    return Tracks(log, names, child, parent, refused)

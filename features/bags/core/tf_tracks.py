"""The rows of a log sorted out: those that tf2 refuses, and the rest, frame by frame."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from framescope.core.kernels.validation import Array
from framescope.core.recordings.tf_buffer import UNIT_TOLERANCE
from framescope.core.scene.schema.stamps import NS
from framescope.features.bags.core.tf_log import TfLog, Whole

GAP_NS, GAP_STEPS = NS, 10
"""A gap is longer than either: ns, and usual steps of the frame."""

REFUSALS = ("own parent", "no name", "not finite", "not unit")
"""Why a row is refused, by its number less one."""


@dataclass(frozen=True, eq=False)
class Track:
    """The rows of one frame that are not refused.

    Attributes
    ----------
    child
        Number of the frame in `Tracks.names`.
    rows : (n,)
        Rows of the log, in its order.
    stamp_ns, log_ns, parent, publisher : (n,)
        Stamp, time of reception, parent and publisher of each row; parents by their number in `Tracks.names`.
    is_static
        Whether the first of them holds at any time, and so all.
    is_mixed
        Whether some are static and some are not.
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
        """Places in `rows` in the order of their stamps, each stamp once, as tf2 keeps them."""
        order = np.argsort(self.stamp_ns, kind="stable")
        stamps = self.stamp_ns[order]
        return order[np.concatenate([[True], stamps[1:] != stamps[:-1]])] if len(order) else order


@dataclass(frozen=True, eq=False)
class Tracks:
    """A log, sorted out.

    Attributes
    ----------
    log
        All rows.
    names
        Names of frames as tf2 keeps them, without a leading slash.
    child, parent : (n,)
        Numbers of `names`, for the rows of the log.
    refused : (n,)
        0, or 1 and the place in `REFUSALS`.
    """

    log: TfLog
    names: tuple[str, ...]
    child: Whole
    parent: Whole
    refused: Whole

    @cached_property
    def by_frame(self) -> tuple[Track, ...]:
        """The track of each frame that has a parent, in the order of their first rows."""
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
        """Return who sent some rows, without those who are not known."""
        numbers = np.unique(self.log.publisher[rows])
        return tuple(name for name in (self.log.publishers[int(i)] for i in numbers) if name)


def gap_limit_ns(stamp_ns: Whole) -> int:
    """Return how long after a sample of a moving frame the next may come, ns; later there is a gap between.

    >>> gap_limit_ns(np.arange(0, 50) * 500_000_000)
    5000000000
    """
    return max(GAP_NS, GAP_STEPS * int(np.median(np.diff(stamp_ns)))) if len(stamp_ns) > 1 else GAP_NS


def tracks_of(log: TfLog) -> Tracks:
    """Return a log sorted out, as tf2 takes and refuses its rows."""
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

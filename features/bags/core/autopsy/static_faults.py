"""Faults of static transforms: changed during the recording, or sent long after the moving ones."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from framescope.core.errors import Fix, counted
from framescope.core.kernels.lengths import distances, lengths
from framescope.core.kernels.validation import Array
from framescope.core.scene.schema.stamps import NS
from framescope.features.bags.core.autopsy.fault import LogChange, TfFault
from framescope.features.bags.core.autopsy.wording import by, span
from framescope.features.bags.core.tf_tracks import Track, Tracks

LATE_NS = NS
"""Time after the first moving sample from which a static transform counts as late, ns."""

SAME_POSITION, SAME_TURN = 1e-6, 1e-6
"""Change of a pose by rounding to float32: metres per metre of distance, and radians."""


def static_faults(tracks: Tracks) -> Iterator[TfFault]:
    """Yield the faults of static transforms that change or come late."""
    log = tracks.log
    moving = ~log.is_static & (tracks.refused == 0)
    starts = int(log.log_ns[moving].min()) if moving.any() else None
    for track in tracks.by_frame:
        if not track.is_static or track.is_mixed:
            continue
        if len(np.unique(track.parent)) == 1:
            yield from _changes(tracks, track)
        if starts is not None and track.log_ns[0] - starts > LATE_NS:
            yield _late_fault(tracks, track, starts)


def _changes(tracks: Tracks, track: Track) -> Iterator[TfFault]:
    frame = tracks.names[track.child]
    moved = distances(track.position[1:], track.position[:-1])
    turned = turns(track.quaternion)
    size = np.maximum(1.0, lengths(track.position[1:]))
    changes = np.flatnonzero((moved > SAME_POSITION * size) | (turned > SAME_TURN)) + 1
    if len(changes):
        rows = track.rows[changes]
        publishers = tracks.publishers(track.rows)
        senders_text = f" It is sent{by(publishers)}." if len(publishers) > 1 else ""
        yield TfFault(
            "static changed",
            frame,
            f"{frame} in {tracks.names[int(track.parent[0])]} is static, but sent again with another pose"
            f" ({counted(len(changes), 'time')}; by {moved[changes - 1].max():.3g} m and"
            f" {np.degrees(turned[changes - 1].max()):.3g}°). The last pose is valid at all times, also before its"
            f" stamp.{senders_text}",
            int(track.log_ns[changes[0]]),
            int(track.log_ns[changes[-1]]),
            count=len(changes),
            parent=tracks.names[int(track.parent[0])],
            publishers=tracks.publishers(rows),
            rows=rows,
            fix=Fix(
                f"Keep the first pose of {frame}",
                LogChange("leave out", child=frame, log_ns=int(track.log_ns[changes[0]])),
            ),
        )


def _late_fault(tracks: Tracks, track: Track, starts: int) -> TfFault:
    frame = tracks.names[track.child]
    return TfFault(
        "static late",
        frame,
        f"{frame} is static, but first sent {span(int(track.log_ns[0]) - starts)} after the moving frames"
        f"{by(tracks.publishers(track.rows[:1]))}: look-ups fail until then.",
        starts,
        int(track.log_ns[0]),
        severity="amber",
        parent=tracks.names[int(track.parent[0])],
        publishers=tracks.publishers(track.rows[:1]),
    )


def turns(quaternion: Array) -> Array:
    """Return the angles (n - 1,) from each of n quaternions (n, 4) to the next, rad."""
    q = quaternion / lengths(quaternion)[:, np.newaxis]
    p, q = q[:-1], q[1:]
    sign = np.where((p * q).sum(axis=1, keepdims=True) < 0.0, -1.0, 1.0)
    apart, together = np.linalg.norm(sign * q - p, axis=1), np.linalg.norm(sign * q + p, axis=1)
    return 4.0 * np.arctan2(apart, together)

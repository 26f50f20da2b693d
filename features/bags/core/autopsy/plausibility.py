"""Faults of numbers that no robot has: mounts far away, poses without a rotation, and impossible covariances."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from framescope.core.errors import Severity, counted
from framescope.core.kernels.lengths import distances, lengths
from framescope.core.kernels.validation import Array
from framescope.features.bags.core.autopsy.fault import TfFault
from framescope.features.bags.core.autopsy.wording import by, join_names
from framescope.features.bags.core.messages import NO_READING
from framescope.features.bags.core.tf_tracks import WORLD_FRAMES, Track, Tracks
from framescope.features.bags.core.topic_series import StatedCovariances, TopicSeries

FAR_M, HUGE_M = 10.0, 100.0
"""Distances of a mounted frame, m: up to the first none is reported, from the second on any."""

TIMES_AS_FAR = 100.0
"""Multiple of the median distance of all mounted frames above which a frame is reported."""

SITE_FRAMES = (*WORLD_FRAMES, "world", "utm", "ecef", "enu", "ned", "site")
"""Frames of a place, whose children may be far away, and which may be far from a robot."""

OFF_UNIT = 0.01
"""Deviation of a quaternion's length from 1 above which a pose is reported."""

SAME = 1e-6
"""Relative difference by which elements of a covariance differ by rounding."""


def far_faults(tracks: Tracks) -> Iterator[TfFault]:
    """Yield the mounted frames that are far off for the size of their robot, as if metres were millimetres."""
    mounted = [track for track in tracks.by_frame if _is_mounted(tracks, track)]
    far_off = np.array([float(lengths(track.position[-1])) for track in mounted])
    for i, track in enumerate(mounted):
        others = np.delete(far_off, i)
        others = others[others > 0.0]
        usual = float(np.median(others)) if len(others) else np.inf
        far = float(far_off[i])
        if far <= FAR_M or (far <= HUGE_M and far <= TIMES_AS_FAR * usual):
            continue
        frame, parent = tracks.names[track.child], tracks.names[int(track.parent[-1])]
        compared = f" The median distance of the other mounted frames is {usual:.3g} m." if np.isfinite(usual) else ""
        meant = ", ".join(f"{x / 1e3:.4g}" for x in track.position[-1] + 0.0)
        yield TfFault(
            "far away",
            frame,
            f"{frame} is {far:.4g} m from {parent}{by(tracks.publishers(track.rows))}, which looks like"
            f" millimetres.{compared} Lengths are in m: send {meant} if millimetres are meant.",
            int(track.log_ns.min()),
            int(track.log_ns.max()),
            count=len(track.rows),
            severity="amber",
            parent=parent,
            publishers=tracks.publishers(track.rows),
            rows=track.rows,
        )


def _is_mounted(tracks: Tracks, track: Track) -> bool:
    """Return whether a frame keeps its position on a parent that is no frame of a place."""
    names = {tracks.names[track.child], *(tracks.names[int(i)] for i in np.unique(track.parent))}
    if any(name.rpartition("/")[2] in SITE_FRAMES for name in names) or len(names) > 2:
        return False
    moved = float(distances(track.position, track.position[-1]).max())
    return moved <= 1e-3 * float(lengths(track.position[-1]))


def unit_faults(all_series: Sequence[tuple[TopicSeries, slice]]) -> Iterator[TfFault]:
    """Yield the topics of poses whose quaternions are off unit length, given the columns of the quaternions."""
    for series, columns in all_series:
        q = series.values[:, columns]
        q = q[np.isfinite(q).all(axis=1)]
        length = lengths(q)
        is_off = np.abs(length - 1.0) > OFF_UNIT
        n, n_zero = int(is_off.sum()), int((length == 0.0).sum())
        if not n:
            continue
        severity: Severity = "note" if n_zero == len(q) else "amber"
        worst = float(length[np.argmax(np.abs(length - 1.0))])
        what = "are four zeros" if n_zero == n else f"are off unit length, such as {worst:.4g}"
        what = what.replace("are", "is", 1) if n == 1 else what
        if n_zero == n:
            effect = "They state no orientation, and readers take them for no rotation or refuse them."
        else:
            effect = "Readers normalize them or refuse them: normalize before sending."
        yield TfFault(
            "pose not unit",
            series.frame or series.topic,
            f"{counted(n, 'quaternion')} of {series.topic}{by([series.publisher] if series.publisher else [])} {what}."
            f" {effect}",
            int(series.log_ns[0]),
            int(series.log_ns[-1]),
            count=n,
            severity=severity,
            publishers=(series.publisher,) if series.publisher else (),
        )


@dataclass(frozen=True)
class _Verdict:
    words: str
    severity: Severity


def covariance_faults(all_stated: Sequence[StatedCovariances]) -> Iterator[TfFault]:
    """Yield the topics whose first message states impossible covariances, and note poses with a covariance of zero."""
    for stated in all_stated:
        verdicts = {name: _judge(matrix, stated) for name, matrix in stated.matrices}
        wrong = {name: verdict for name, verdict in verdicts.items() if verdict is not None}
        if stated.sent_as_missing:
            yield _missing_mark(stated)
        if not wrong:
            continue
        worst: Severity = "amber" if any(verdict.severity == "amber" for verdict in wrong.values()) else "note"
        parts = "; ".join(f"that of the {name} {verdict.words}" for name, verdict in wrong.items())
        yield TfFault(
            "covariance",
            stated.frame or stated.topic,
            f"A covariance in {stated.topic}{by([stated.publisher] if stated.publisher else [])} is"
            f" {'impossible' if worst == 'amber' else 'missing'}: {parts}. Set it in the driver before a filter such as"
            " robot_localization reads it.",
            stated.first_ns,
            stated.last_ns,
            count=stated.count,
            severity=worst,
            publishers=(stated.publisher,) if stated.publisher else (),
        )


def _missing_mark(stated: StatedCovariances) -> TfFault:
    """Return the fault of readings that are marked as missing, though they are sent."""
    plurals = {"orientation": "orientations", "angular velocity": "angular velocities", "acceleration": "accelerations"}
    names = join_names([plurals[name] for name in stated.sent_as_missing])
    return TfFault(
        "covariance",
        stated.frame or stated.topic,
        f"{names.capitalize()} of {stated.topic}{by([stated.publisher] if stated.publisher else [])} are"
        " marked as missing by -1 in their covariance, but they are sent and change. Filters such as robot_localization"
        " leave them out: if they are measured, set their covariance in the driver.",
        stated.first_ns,
        stated.last_ns,
        count=stated.count,
        severity="amber",
        publishers=(stated.publisher,) if stated.publisher else (),
    )


def _judge(matrix: Array, stated: StatedCovariances) -> _Verdict | None:
    """Return the verdict on a covariance (k, k); None for a possible one, and for one that is unknown or missing."""
    if matrix[0, 0] == NO_READING and stated.may_be_missing:
        return None
    if not np.isfinite(matrix).all():
        return _Verdict("has invalid numbers (NaN)", "amber")
    diagonal, size = np.diag(matrix), float(np.abs(matrix).max())
    if size == 0.0:  # unknown, by the definition of messages of sensors
        return _Verdict("is zero, which filters take for exact", "note") if stated.is_of_poses else None
    if (diagonal < 0.0).any():
        is_marked = bool((diagonal[diagonal < 0.0] == NO_READING).all())
        marks = ", which marks a missing reading only in sensor_msgs/Imu" if is_marked else ""
        return _Verdict(f"has the variance {float(diagonal.min()):.3g} below zero{marks}", "amber")
    if float(np.abs(matrix - matrix.T).max()) > SAME * size:
        return _Verdict("is not symmetric", "amber")
    # The correlations do not depend on the units of the rows.
    scale = np.sqrt(np.where(diagonal > 0.0, diagonal, 1.0))
    correlations = matrix / np.outer(scale, scale)
    if float(np.linalg.eigvalsh(correlations).min()) < -1e-3:
        return _Verdict("has correlations beyond 1, so that it is no covariance", "amber")
    return None

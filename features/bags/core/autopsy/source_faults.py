"""Faults of two sources of one relation: two publishers of a frame, and odometry beside the transforms."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

import numpy as np

from framescope.core.errors import Fix, counted
from framescope.core.kernels import conversions, linear_algebra
from framescope.core.kernels.lengths import distances, lengths
from framescope.core.kernels.validation import Array
from framescope.core.scene.schema.stamps import NS
from framescope.features.bags.core.autopsy.fault import LogChange, TfFault
from framescope.features.bags.core.autopsy.static_faults import turns
from framescope.features.bags.core.autopsy.wording import by, join_names
from framescope.features.bags.core.tf_log import Flags, TfLog, Whole
from framescope.features.bags.core.tf_tracks import Track, Tracks, tracks_of
from framescope.features.bags.core.topic_series import TopicSeries

APART_M, APART_RAD = 0.05, np.radians(3.0)
"""Least distance, m, and angle, rad, between the poses of two publishers of one frame."""

MIN_CHANGES = 6
"""Number of samples that return to the pose before the last one, from which a frame has two publishers."""

RETURNED = 0.3
"""Size of a step back to the pose before the last one, as a fraction of the last step."""

STEPS = 3.0
"""Size of the steps between two publishers, in steps of the motion itself, above which they are told apart."""

WINDOW_S = 0.5
"""Window over which odometry and transforms are compared, s, short enough that they do not drift apart."""

MIN_WINDOWS = 8
"""Number of windows with motion below which nothing is compared."""

MOVED_M, TURNED_RAD = 0.02, np.radians(2.0)
"""Least motion within a window to be compared, m and rad."""

DIFFERENT, ALIKE = 0.5, 0.15
"""Median difference of motions, as a fraction of the motion, above which they contradict, and below which they agree.

Between the two, wheels slip and filters smooth.
"""

_CONJUGATE = np.array([-1.0, -1.0, -1.0, 1.0])


# --- Two publishers of one frame


def two_sources_faults(tracks: Tracks) -> Iterator[TfFault]:
    """Yield the moving frames that jump to and fro between two poses in one parent, as two nodes send them."""
    for track in tracks.by_frame:
        if track.is_static or track.is_mixed or len(track.rows) < 2 * MIN_CHANGES or len(np.unique(track.parent)) > 1:
            continue
        publishers = np.unique(track.publisher)
        if len(publishers) == 1 and tracks.publishers(track.rows):
            continue
        is_back, far, angle = _returns(track)
        if int(is_back.sum()) < MIN_CHANGES:
            continue
        least = min(publishers, key=lambda number: int((track.publisher == number).sum()))
        rows = track.rows[1:-1][is_back] if len(publishers) < 2 else track.rows[track.publisher == least]
        frame, parent = tracks.names[track.child], tracks.names[int(track.parent[0])]
        senders = tracks.publishers(track.rows)
        who = join_names(senders) if len(senders) > 1 else "two publishers"
        fix = None
        if len(publishers) > 1:
            stamps = tuple(tracks.log.stamp_ns[rows].tolist())
            text = f"Leave out {frame} by {tracks.publishers(rows)[0]}" if tracks.publishers(rows) else ""
            is_shared = np.isin(track.stamp_ns[track.publisher != least], stamps).any()
            fix = Fix(text, LogChange("leave out", child=frame, stamps_ns=stamps)) if text and not is_shared else None
        yield TfFault(
            "two sources",
            frame,
            f"{frame} in {parent} is sent by {who} with different poses: {counted(int(is_back.sum()), 'time')} it"
            f" jumps away and back with the next sample, by up to {far:.3g} m and {np.degrees(angle):.3g}°. tf2"
            f" interpolates between both. Let only one of them send it ({_way_to_list(senders)}of robot_localization:"
            " publish_tf).",
            int(track.log_ns[1:-1][is_back][0]),
            int(track.log_ns[1:-1][is_back][-1]),
            count=int(is_back.sum()),
            parent=parent,
            publishers=senders,
            rows=rows,
            fix=fix,
        )


def _way_to_list(senders: Sequence[str]) -> str:
    """Return how the publishers of a topic are found out in ROS 2, whose recordings do not name them."""
    return "" if len(senders) > 1 else "ros2 topic info -v /tf lists the publishers; "


def _returns(track: Track) -> tuple[Flags, float, float]:
    """Return which inner samples (n - 2,) are far off both neighbours, which agree; and the largest step, m and rad."""
    step = distances(track.position[1:], track.position[:-1])
    skip = distances(track.position[2:], track.position[:-2])
    turn = turns(track.quaternion)
    every_second = np.concatenate([turns(track.quaternion[k::2]) for k in (0, 1)])
    skipped = np.empty(len(track.rows) - 2)
    skipped[0::2], skipped[1::2] = every_second[: len(skipped[0::2])], every_second[len(skipped[0::2]) :]
    away, away_turn = np.minimum(step[:-1], step[1:]), np.minimum(turn[:-1], turn[1:])
    is_back = _stand_out((away > APART_M) & (skip < RETURNED * away), away, skip, step)
    is_back |= _stand_out((away_turn > APART_RAD) & (skipped < RETURNED * away_turn), away_turn, skipped, turn)
    if not is_back.any():
        return is_back, 0.0, 0.0
    return is_back, float(away[is_back].max()), float(away_turn[is_back].max())


def _stand_out(is_back: Flags, away: Array, skip: Array, step: Array) -> Flags:
    """Return the samples that are off both neighbours if their steps are far larger than those of the motion itself.

    A frame that swings also returns where it turns, but its steps there are its smallest.
    """
    if not is_back.any():
        return is_back
    others = np.ones(len(step), bool)
    others[:-1] &= ~is_back
    others[1:] &= ~is_back
    usual = np.concatenate([step[others], 0.5 * skip[is_back]])
    stands_out = float(np.median(away[is_back])) > STEPS * float(np.median(usual))
    return is_back if stands_out else np.zeros_like(is_back)


# --- Odometry and transforms


Poses = tuple[Array, Array]
"""Positions (n, 3), m, and quaternions (n, 4), scalar last."""


def _windows(poses: Poses) -> tuple[Array, Array]:
    """Return displacements, m, and rotation vectors, rad, from each pose to the next, resolved in the first frame."""
    p, q = poses
    moved = linear_algebra.resolve2_by_quaternion(q[:-1], np.diff(p, axis=0))
    return moved, conversions.rotation_vector(linear_algebra.relative_quaternion(q[:-1], q[1:]))


def _inverse(poses: Poses) -> Poses:
    p, q = poses
    return -linear_algebra.resolve2_by_quaternion(q, p), q * _CONJUGATE


def odometry_faults(all_odometry: Sequence[TopicSeries], logs: Collection[TfLog]) -> Iterator[TfFault]:
    """Yield the odometry that contradicts the transforms of the same frames, and agrees with a likely misreading.

    Wheels slip and filters smooth, so that two sources may differ. Hence only motions over short windows are compared,
    and a difference without an explanation is not reported.
    """
    all_tracks = [tracks_of(log) for log in logs]
    for series in all_odometry:
        parent, child = series.frame.removeprefix("/"), series.child.removeprefix("/")
        for tracks in all_tracks:
            if parent in tracks.names and child in tracks.names and parent != child:
                yield from _compare(series, tracks, parent, child)


def _compare(series: TopicSeries, tracks: Tracks, parent: str, child: str) -> Iterator[TfFault]:
    order = np.argsort(series.stamp_ns, kind="stable")
    stamps = series.stamp_ns[order]
    values = series.values[order]
    is_good = np.isfinite(values[:, :7]).all(axis=1) & (np.square(values[:, 3:7]).sum(axis=1) > 0.0)
    is_good &= np.concatenate([[True], np.diff(stamps) > 0])
    stamps, values = stamps[is_good], values[is_good]
    if not len(stamps):
        return
    step = max(1, round(WINDOW_S * NS / max(float(np.median(np.diff(stamps))), 1.0))) if len(stamps) > 1 else 1
    stamps, values = stamps[::step], values[::step]
    sent = _relative_poses(tracks, parent, child, stamps)
    if sent is None:
        return
    is_known, *poses = sent
    sent = poses[0][is_known], poses[1][is_known]
    if np.count_nonzero(is_known) <= MIN_WINDOWS:
        return
    q = values[is_known, 3:7]
    stated = values[is_known, :3], q / lengths(q)[:, np.newaxis]
    words = _misreading(stated, _windows(sent), series.topic)
    if words:
        yield TfFault(
            "odometry differs",
            child,
            f"{series.topic}{by([series.publisher] if series.publisher else [])} and the transforms disagree about"
            f" {child} in {parent}: {words}.",
            int(series.log_ns[0]),
            int(series.log_ns[-1]),
            count=len(series.log_ns),
            parent=parent,
            publishers=(series.publisher,) if series.publisher else (),
        )


def _misreading(stated: Poses, of_tf: tuple[Array, Array], topic: str) -> str:
    """Return the misreading of poses under which their motions are those of the transforms; empty for good poses."""
    moved, turned = of_tf
    far, near = lengths(moved), lengths(_windows(stated)[0])
    moves, turns_ = far > MOVED_M, lengths(turned) > TURNED_RAD
    can_move, can_turn = np.count_nonzero(moves) >= MIN_WINDOWS, np.count_nonzero(turns_) >= MIN_WINDOWS
    size = float(np.median(near[moves] / far[moves])) if can_move else 1.0

    def miss(poses: Poses) -> tuple[float, float]:
        other_moved, other_turned = _windows(poses)
        return (
            _difference(other_moved, moved, moves) if can_move else 0.0,
            _difference(other_turned, turned, turns_) if can_turn else 0.0,
        )

    before = miss(stated)
    if max(before) <= DIFFERENT:
        return ""
    if can_move and can_turn and max(miss(_inverse(stated))) < ALIKE:
        return f"one is the inverse of the other, so parent and child are swapped: exchange them in {topic}"
    words: list[str] = []
    if can_move and any(abs(size / k - 1.0) < ALIKE for k in (1e3, 1e-3)):
        who, other = (topic, "the transform") if size > 1.0 else ("the transform", topic)
        words.append(
            f"the positions of {who} are 1,000 times as large as those of {other}: they are in millimetres, and must"
            " be in metres"
        )
    if before[1] > DIFFERENT:
        words += _turn_misreading(stated, turned, turns_, topic)
    p, q = stated
    if not words and before[0] > DIFFERENT and before[1] < ALIKE and miss((p * (1.0, -1.0, 1.0), q))[0] < ALIKE:
        words.append(f"the y coordinates of {topic} have the opposite sign")
    return "; ".join(words)


def _turn_misreading(stated: Poses, turned: Array, turns_: Flags, topic: str) -> list[str]:
    axes = np.abs(turned[turns_]).sum(axis=0)
    is_flat = axes[2] > 0.9 * axes.sum()  # a vehicle: the source that turns about z is right
    who = topic if is_flat else f"{topic} or of the transform"
    p, q = stated
    fits = {
        f"the quaternion of {who} is sent as w x y z in the fields x y z w": q[:, [1, 2, 3, 0]],
        f"the quaternion of {who} is sent with its last number in the field of the first": q[:, [3, 0, 1, 2]],
        f"the rotation of {topic} has the opposite sign (yaw to the right, or the inverse quaternion)": q * _CONJUGATE,
    }
    misses = {words: _difference(_windows((p, other))[1], turned, turns_) for words, other in fits.items()}
    best = min(misses, key=lambda words: misses[words])
    return [best] if misses[best] < ALIKE else []


def _difference(stated: Array, measured: Array, chosen: Flags) -> float:
    """Return the median difference of motions, as a fraction of the motion."""
    return float(np.median(lengths(stated[chosen] - measured[chosen]) / lengths(measured[chosen])))


def _relative_poses(tracks: Tracks, parent: str, child: str, stamps: Whole) -> tuple[Flags, Array, Array] | None:
    """Return where the pose of a frame relative to another is known (n,), and its poses (n,); None without a path."""
    of_child = {track.child: track for track in tracks.by_frame}
    up, down = (_way_up(of_child, tracks.names.index(name)) for name in (child, parent))
    common = next((i for i in up if i in down), None)
    if common is None:
        return None
    known = np.ones(len(stamps), bool)
    ends: list[Poses] = []
    for way in (up, down):
        p, q = np.zeros((len(stamps), 3)), np.tile((0.0, 0.0, 0.0, 1.0), (len(stamps), 1))
        for i in way[: way.index(common)]:
            at, p_step, q_step = _interpolated(of_child[i], stamps)
            known &= at
            p = p_step + linear_algebra.resolve1_by_quaternion(q_step, p)
            q = linear_algebra.multiply_quaternions(q_step, q)
        ends.append((p, q))
    (p, q), (p0, q0) = ends
    return (
        known,
        linear_algebra.resolve2_by_quaternion(q0, p - p0),
        linear_algebra.relative_quaternion(q0, q),
    )


def _way_up(of_child: dict[int, Track], i: int) -> list[int]:
    way = [i]
    while i in of_child and (i := int(of_child[i].parent[0])) not in way:
        way.append(i)
    return way


def _interpolated(track: Track, stamps: Whole) -> tuple[Flags, Array, Array]:
    """Return where a frame has samples on both sides (n,), and its poses in its parent, interpolated linearly."""
    order = track.in_time
    q = track.quaternion / lengths(track.quaternion)[:, np.newaxis]
    if track.is_static or len(order) < 2:
        n = len(stamps)
        return np.full(n, track.is_static), np.tile(track.position[-1], (n, 1)), np.tile(q[-1], (n, 1))
    begin = int(track.stamp_ns[order[0]])
    t, at = (track.stamp_ns[order] - begin) / NS, (stamps - begin) / NS
    q = q[order]
    q[1:] *= np.cumprod(np.where((q[1:] * q[:-1]).sum(axis=1) < 0.0, -1.0, 1.0))[:, np.newaxis]
    numbers = np.hstack([track.position[order], q])
    columns: list[Array] = [np.interp(at, t, column) for column in numbers.T]
    between = np.stack(columns, axis=1)
    q_at = between[:, 3:]
    return (at >= 0.0) & (at <= t[-1]), between[:, :3], q_at / lengths(q_at)[:, np.newaxis]

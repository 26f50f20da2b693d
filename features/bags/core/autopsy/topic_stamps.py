"""Faults of the stamps of topics other than transforms: late, early, zero, and of another clock than the transforms."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

import numpy as np

from framescope.core.errors import counted
from framescope.core.recordings.tf_buffer import TF2_CACHE_S, TfBuffer, TfLookUpError
from framescope.core.scene.schema.stamps import NS
from framescope.features.bags.core.autopsy.fault import FaultKind, TfFault
from framescope.features.bags.core.autopsy.stamp_faults import (
    BEHIND_NS,
    CONSTANT_AHEAD_NS,
    OFFSET_AHEAD_NS,
    OFFSET_DAY_NS,
    onset_of,
)
from framescope.features.bags.core.autopsy.wording import by, join_names, span
from framescope.features.bags.core.clock_jumps import (
    DATED_AHEAD_BELOW,
    MIN_SAMPLES,
    RECEIVED_AT_ONCE_NS,
    clock_jumps,
    running_median,
)
from framescope.features.bags.core.header_frames import SENSOR_PACKAGES
from framescope.features.bags.core.tf_log import Flags, TfLog, Whole, insert_row
from framescope.features.bags.core.tf_tracks import Track, Tracks, is_below_world, tracks_of
from framescope.features.bags.core.topic_series import ODOMETRY_TYPE, TopicClock

SAME_RATE = 0.02
"""Relative difference of the rates of two clocks above which the stamps are of a simulation."""


def topic_stamp_faults(clocks: Sequence[TopicClock], logs: Collection[TfLog]) -> Iterator[TfFault]:
    """Yield the faults of the stamps of sensor topics, given all transforms by namespace."""
    running: list[TopicClock] = []
    for clock in (clock for clock in clocks if _is_of_sensor(clock)):
        is_zero = clock.stamp_ns == 0
        if is_zero.any():
            yield _zero_fault(clock, is_zero)
        rest = replace(clock, stamp_ns=clock.stamp_ns[~is_zero], log_ns=clock.log_ns[~is_zero])
        if len(rest.stamp_ns) >= MIN_SAMPLES and (rest.stamp_ns != rest.stamp_ns[0]).any():
            running.append(rest)
    all_tracks = [tracks_of(log) for log in logs]
    steady = [clock for clock in running if _has_rate_one(clock.stamp_ns, clock.log_ns)]
    if not steady or any(True for tracks in all_tracks for _ in clock_jumps(tracks)):
        return  # stamps of a simulation, or reported as a jump of the clock
    frames = [lag for tracks in all_tracks for lag in _lags_of_frames(tracks)]
    lags = [float(np.median(clock.stamp_ns - clock.log_ns)) for clock in steady]
    reference = _reference_ns(frames, lags)
    if reference is None:
        return
    wrong = [_fault_of(clock, reference, all_tracks) for clock in steady]
    others = [clock for clock, fault in zip(steady, wrong, strict=True) if fault is None]
    yield from filter(None, wrong)
    if frames and others:
        yield from _fault_of_transforms(all_tracks, frames, reference, others)


def has_clock_of_recorder(clocks: Sequence[TopicClock]) -> bool:
    """Return whether any sensor is stamped as it is received, so that the recorder has the clock of the robot."""
    lags = (float(np.median(clock.stamp_ns - clock.log_ns)) for clock in clocks if _is_of_sensor(clock))
    return any(abs(lag) < OFFSET_AHEAD_NS / 2 for lag in lags)


def _is_of_sensor(clock: TopicClock) -> bool:
    """Return whether messages are sent when they are measured, so that stamp and reception belong together."""
    is_sensor = clock.type == ODOMETRY_TYPE or clock.type.partition("/")[0] in SENSOR_PACKAGES
    return is_sensor and len(clock.log_ns) >= MIN_SAMPLES


def _zero_fault(clock: TopicClock, is_zero: Flags) -> TfFault:
    """Return the fault of stamps of 0: of all messages, of the first, or of some."""
    places = np.flatnonzero(is_zero)
    n, total = len(places), len(is_zero)
    is_first = n < total and int(places[-1]) == n - 1
    if n == total:
        which = f"All {counted(n, 'stamp')}"
        cause = "the publisher does not set header.stamp, or it uses the simulated time and no /clock runs"
    else:
        which = f"The first{f' {n:,}' if n > 1 else ''}" if is_first else f"{n:,}"
        which += f" of {counted(total, 'stamp')}"
        cause = "the publisher sends before it knows the time" if is_first else "the publisher does not always set it"
    return TfFault(
        "constant stamp" if n == total else "zero stamp",
        clock.frame or clock.topic,
        f"{which} of {clock.topic}{_by(clock)} {'is' if n == 1 else 'are'} 0: {cause}. tf2 takes the stamp 0 for the"
        " newest transform, so that the readings are placed at another time than they were measured.",
        int(clock.log_ns[places[0]]),
        int(clock.log_ns[places[-1]]),
        count=n,
        severity="amber",
        publishers=_senders(clock),
    )


def _by(clock: TopicClock) -> str:
    return by(_senders(clock))


def _senders(clock: TopicClock) -> tuple[str, ...]:
    return (clock.publisher,) if clock.publisher else ()


def _has_rate_one(stamp_ns: Whole, log_ns: Whole) -> bool:
    """Return whether stamps run as fast as the times of reception, over all and except for a constant change."""
    steps, received = np.diff(stamp_ns), np.diff(log_ns)
    total = int(log_ns[-1] - log_ns[0])
    return total > 0 and abs(float(np.median(steps)) / max(float(np.median(received)), 1.0) - 1.0) < 10 * SAME_RATE


def _lags_of_frames(tracks: Tracks) -> Iterator[float]:
    """Yield the usual difference of stamp and reception of each moving frame that is not dated ahead, ns."""
    for track in tracks.by_frame:
        if not track.is_static and len(track.rows) >= MIN_SAMPLES and not _may_be_dated(tracks, track):
            yield float(np.median(track.stamp_ns - track.log_ns))


def _may_be_dated(tracks: Tracks, track: Track) -> bool:
    return is_below_world(tracks, track, DATED_AHEAD_BELOW)


def _reference_ns(frames: Sequence[float], topics: Sequence[float]) -> float | None:
    """Return the right difference of stamp and reception, ns: none if any keeps it, else that of the transforms."""
    if any(abs(lag) < RECEIVED_AT_ONCE_NS for lag in (*frames, *topics)):
        return 0.0
    if frames:
        return float(np.median(frames))
    return float(np.median(topics)) if len(topics) > 2 else None


def _fault_of(clock: TopicClock, reference: float, all_tracks: Sequence[Tracks]) -> TfFault | None:
    """Return the fault of stamps that are late or early, from the beginning or from a moment on; None for good ones."""
    off = clock.stamp_ns - clock.log_ns - round(reference)
    onset = onset_of(off, running_median(off))
    first = 0 if onset is None else onset[0]
    size = float(np.median(off[first:])) if onset is None else onset[2] - onset[1]
    if -BEHIND_NS <= size <= CONSTANT_AHEAD_NS:
        return None
    is_late = size < 0
    when = ""
    if onset is not None:
        when = f" from {(int(clock.log_ns[first]) - _begin_ns(clock, all_tracks)) / NS:.1f} s on"
    kind: FaultKind = "late stamps" if is_late else "early stamps"
    return TfFault(
        kind,
        clock.frame or clock.topic,
        f"The stamps of {clock.topic}{_by(clock)} are {span(round(size))} {'behind' if is_late else 'ahead of'} their"
        f" reception{when}: {_cause(size)}. {_effect(size)}",
        int(clock.log_ns[first]),
        int(clock.log_ns[-1]),
        count=len(off) - first,
        severity="amber" if is_late else "red",
        publishers=_senders(clock),
        answer=_answer(clock, (first + len(off)) // 2, all_tracks),
    )


def _begin_ns(clock: TopicClock, all_tracks: Sequence[Tracks]) -> int:
    spans = [tracks.log.span_ns[0] for tracks in all_tracks if tracks.log.span_ns is not None]
    return min(spans, default=int(clock.log_ns[0]))


def _cause(size: float) -> str:
    if abs(size) > OFFSET_DAY_NS:
        return "its publisher uses another clock, such as the simulated time where the others do not (use_sim_time)"
    if size < 0:
        return "the sensor is slow, its messages wait in a queue, or the clock of its computer is behind"
    return "the clock of its computer is ahead, or the driver adds an offset to the time"


def _effect(size: float) -> str:
    if size > 0:
        return "A look-up at such a stamp fails until the transforms catch up."
    if size < -TF2_CACHE_S * NS:
        return f"A look-up at such a stamp fails, as tf2 keeps {TF2_CACHE_S:g} s."
    return "If the stamps are right, the readings are old; if not, they are placed where the robot was before."


def _fault_of_transforms(
    all_tracks: Sequence[Tracks], frames: Sequence[float], reference: float, sensors: Sequence[TopicClock]
) -> Iterator[TfFault]:
    """Yield the fault of transforms that all are late or early in the same way, where sensors are not."""
    size = float(np.median(frames)) - reference
    is_late = size < 0
    if -BEHIND_NS <= size <= CONSTANT_AHEAD_NS or float(np.ptp(frames)) > RECEIVED_AT_ONCE_NS:
        return
    topics = list(dict.fromkeys(clock.topic for clock in sensors))
    rows = [tracks.log.log_ns[~tracks.log.is_static] for tracks in all_tracks]
    received = np.concatenate(rows)
    clock = next((each for each in sensors if any(each.frame in tracks.names for tracks in all_tracks)), sensors[0])
    effect = (
        f"Each look-up at a stamp of {join_names(topics)} fails for {span(round(size))}."
        if is_late
        else "A look-up of the newest transform returns a pose of the future."
    )
    yield TfFault(
        "late stamps" if is_late else "early stamps",
        "",
        f"The stamps of all transforms are {span(round(size))} {'behind' if is_late else 'ahead of'} the stamps of"
        f" {join_names(topics)} by their reception: {_cause_of_transforms(size)}. {effect}",
        int(received.min()),
        int(received.max()),
        count=len(received),
        answer=_answer(clock, len(clock.log_ns) // 2, all_tracks),
    )


def _cause_of_transforms(size: float) -> str:
    if abs(size) > OFFSET_DAY_NS:
        return "some nodes use the simulated time, others do not (use_sim_time)"
    return "the clocks of two computers differ" + (", or the transforms are computed late" if size < 0 else "")


def _answer(clock: TopicClock, i: int, all_tracks: Sequence[Tracks]) -> str:
    """Return the error of tf2 for a look-up of the sensor in the root of its tree when a message is received."""
    frame = clock.frame.removeprefix("/")
    tracks = next((each for each in all_tracks if frame in each.names), None)
    if tracks is None:
        return ""
    return answer_at(tracks, frame, int(clock.stamp_ns[i]), int(clock.log_ns[i]))


def answer_at(tracks: Tracks, frame: str, stamp_ns: int, log_ns: int) -> str:
    """Return the error of tf2 for a look-up of a frame in its root at a time of reception; empty if it succeeds."""
    log = tracks.log
    rows = np.flatnonzero(log.log_ns <= log_ns)
    moving = rows[~log.is_static[rows]]
    if not len(moving):
        return ""
    newest = int(log.stamp_ns[moving].max())
    kept = rows[log.is_static[rows] | (log.stamp_ns[rows] > newest - round(TF2_CACHE_S * NS))]
    buffer = TfBuffer(TF2_CACHE_S)
    parents: dict[str, str] = {}
    for i in kept.tolist():
        insert_row(buffer, log, i)
        parents[tracks.names[int(tracks.child[i])]] = tracks.names[int(tracks.parent[i])]
    root, seen = frame, {frame}
    while root in parents and parents[root] not in seen:
        root = parents[root]
        seen.add(root)
    try:
        buffer.look_up(root, frame, stamp_ns)
    except TfLookUpError as error:
        return error.tf2_message.strip()
    return ""

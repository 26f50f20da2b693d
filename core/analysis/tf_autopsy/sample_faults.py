"""Faults of samples: numbers that are none, quaternions off unit length, gaps, jumps and outliers."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from framescope.core.analysis.tf_autopsy.fault import FaultKind, TfFault, TfMend
from framescope.core.analysis.tf_autopsy.static_faults import turns
from framescope.core.analysis.tf_autopsy.wording import by, counted, span
from framescope.core.kernels.validation import Array
from framescope.core.recordings.bags.tf_log import Flags, Whole
from framescope.core.recordings.bags.tf_tracks import REFUSALS, Track, Tracks, gap_limit_ns

NEARLY_UNIT = 1e-4
"""By how much the squared length of a quaternion is off by more than rounding to float32."""

JUMP_M, JUMP_RAD, JUMP_STEPS = 0.05, np.radians(5.0), 10.0
"""A jump is larger than so much, and so many times what 9 of 10 steps of the frame are at most."""

MIN_SAMPLES = 10


def refused_faults(tracks: Tracks) -> Iterator[TfFault]:
    """Yield what tf2 refuses when it is sent, and quaternions that it takes though they are not of unit length."""
    log = tracks.log
    for number, kind in enumerate(REFUSALS, start=1):
        rows = np.flatnonzero(tracks.refused == number)
        for child in dict.fromkeys(map(int, tracks.child[rows])):
            yield _refused(tracks, kind, rows[tracks.child[rows] == child])
    with np.errstate(invalid="ignore", over="ignore"):
        off = np.abs(np.square(log.quaternion).sum(axis=1) - 1.0)
    rows = np.flatnonzero((tracks.refused == 0) & (off > NEARLY_UNIT))
    for child in dict.fromkeys(map(int, tracks.child[rows])):
        mine = rows[tracks.child[rows] == child]
        frame = tracks.names[child]
        worst = float(np.abs(np.linalg.norm(log.quaternion[mine], axis=1) - 1.0).max())
        yield _fault(
            tracks,
            "nearly unit",
            frame,
            mine,
            f"{counted(len(mine), 'quaternion')} of {frame}{by(tracks.publishers(mine))}"
            f" {'is' if len(mine) == 1 else 'are'} off unit length by up to {worst:.2g}. tf2 takes"
            f" {'it' if len(mine) == 1 else 'them'} as they are, and scales all that hangs below.",
            TfMend("normalize", f"Make the quaternions of {frame} unit", child=frame),
            is_amber=True,
        )


def _refused(tracks: Tracks, kind: FaultKind, rows: Whole) -> TfFault:
    frame, parent = tracks.names[int(tracks.child[rows[0]])], tracks.names[int(tracks.parent[rows[0]])]
    n = counted(len(rows), "sample")
    who = by(tracks.publishers(rows))
    have = "has" if len(rows) == 1 else "have"
    length = np.linalg.norm(tracks.log.quaternion[rows[0]])
    what = {
        "own parent": f"{frame} is sent as its own parent ({n}{who})",
        "no name": f"{frame or 'A frame'} is sent {'with no parent' if frame else 'without a name'} ({n}{who})",
        "not finite": f"{n} of {frame} in {parent}{who} {have} numbers that are none (NaN)",
        "not unit": f"{n} of {frame} in {parent}{who} {have} a quaternion of length {length:.4g}",
    }[kind]
    mend = TfMend("normalize", f"Make the quaternions of {frame} unit", child=frame) if kind == "not unit" else None
    if mend is not None and not np.linalg.norm(tracks.log.quaternion[rows], axis=1).all():
        mend = None  # of zeros nothing can be made
    return _fault(tracks, kind, frame, rows, f"{what}: tf2 refuses {'it' if len(rows) == 1 else 'them'}.", mend)


def gap_faults(tracks: Tracks) -> Iterator[TfFault]:
    """Yield the gaps in the stamps of moving frames, and the frames that fall silent before the end."""
    moving = [each for each in tracks.by_frame if not each.is_static and len(each.in_time) >= MIN_SAMPLES]
    end = max((int(each.log_ns.max()) for each in moving), default=0)
    last_stamp = max(map(_last_stamp, moving), default=0)
    for track in moving:
        frame = tracks.names[track.child]
        stamps = track.stamp_ns[track.in_time]
        steps = np.diff(stamps)
        usual = int(np.median(steps))
        limit = gap_limit_ns(stamps)
        places = np.flatnonzero(steps > limit)
        places = places[~_is_ahead(track, places)]
        if len(places):
            after = track.in_time[places + 1]
            before = track.in_time[places]
            longest = int(steps[places].max())
            yield TfFault(
                "gap",
                frame,
                f"{frame} is not sent for {span(longest)}"
                f"{'' if len(places) == 1 else f' at most, in {len(places)} gaps'}; otherwise every {span(usual)}"
                f"{by(tracks.publishers(track.rows))}.",
                int(track.log_ns[before[0]]),
                int(track.log_ns[after[-1]]),
                count=len(places),
                severity="amber",
                parent=tracks.names[int(track.parent[before[0]])],
                publishers=tracks.publishers(track.rows),
                rows=track.rows[after],
            )
        silent = end - int(track.log_ns.max())
        # Where reception alone ends early, the others were late.
        if silent > limit and last_stamp - _last_stamp(track) > limit:
            yield TfFault(
                "silence",
                frame,
                f"{frame} is not sent any more for the last {span(silent)}; before that every {span(usual)}"
                f"{by(tracks.publishers(track.rows))}.",
                int(track.log_ns.max()),
                end,
                parent=tracks.names[int(track.parent[-1])],
                publishers=tracks.publishers(track.rows),
                rows=track.rows[-1:],
            )


def late_starts(tracks: Tracks) -> Iterator[TfFault]:
    """Yield the moving frames that are sent only some time after the others, as by a localization that begins late."""
    moving = [each for each in tracks.by_frame if not each.is_static and len(each.in_time) >= MIN_SAMPLES]
    start = min((int(each.log_ns.min()) for each in moving), default=0)
    first_stamp = min(map(_first_stamp, moving), default=0)
    for track in moving:
        frame, first = tracks.names[track.child], int(track.log_ns.min())
        limit = gap_limit_ns(track.stamp_ns[track.in_time])
        if first - start <= limit or _first_stamp(track) - first_stamp <= limit:
            continue
        parent = tracks.names[int(track.parent[0])]
        yield TfFault(
            "late start",
            frame,
            f"{frame} is first sent {span(first - start)} after the others{by(tracks.publishers(track.rows))}:"
            f" until then nobody knows where it is in {parent}.",
            start,
            first,
            severity="note",
            parent=parent,
            publishers=tracks.publishers(track.rows),
            rows=track.rows[:1],
        )


def _first_stamp(track: Track) -> int:
    """Return the stamp of the first samples; a single one may be wrong."""
    return int(np.median(track.stamp_ns[:3]))


def _last_stamp(track: Track) -> int:
    """Return the stamp of the last samples; a single one may be wrong."""
    return int(np.median(track.stamp_ns[-3:]))


def _is_ahead(track: Track, places: Whole) -> Flags:
    """Return whether each gap is one of stamps alone: what was received in between shows that none was there."""
    received = track.log_ns[track.in_time]
    steps = np.diff(track.stamp_ns[track.in_time])
    return np.abs(received[places + 1] - received[places]) < steps[places] // 2


def jump_faults(tracks: Tracks) -> Iterator[TfFault]:
    """Yield jumps of moving frames from one sample to the next, and samples off a path that goes on without them."""
    for track in tracks.by_frame:
        order = track.in_time
        if track.is_static or track.is_mixed or len(order) < MIN_SAMPLES or len(np.unique(track.parent)) > 1:
            continue
        steps = _steps(track, order)
        limits = tuple(
            max(least, JUMP_STEPS * float(np.percentile(step, 90)))
            for least, step in zip((JUMP_M, JUMP_RAD), steps, strict=True)
        )
        jumps = np.flatnonzero((steps[0] > limits[0]) | (steps[1] > limits[1])) + 1
        single = [i for i in jumps.tolist() if i + 1 in jumps and _goes_on_without(track, order, i, limits)]
        stay = [i for i in jumps.tolist() if i not in single and i - 1 not in single]
        yield from _jump_fault(tracks, track, "outlier", order, np.array(single, np.int64))
        yield from _jump_fault(tracks, track, "jump", order, np.array(stay, np.int64))


def _steps(track: Track, order: Whole) -> tuple[Array, Array]:
    """Return lengths, m, and turns, rad, from sample to sample, each for the usual step of time."""
    stamps = track.stamp_ns[order]
    usual = max(1, int(np.median(np.diff(track.stamp_ns[track.in_time]))))
    longer = np.maximum(1.0, np.diff(stamps) / usual)
    moved = np.linalg.norm(np.diff(track.position[order], axis=0), axis=1)
    return moved / longer, turns(track.quaternion[order]) / longer


def _goes_on_without(track: Track, order: Whole, i: int, limits: tuple[float, ...]) -> bool:
    """Return whether there is no jump from the sample before one to the sample after it."""
    moved, turned = _steps(track, order[[i - 1, i + 1]])
    return bool(moved[0] <= limits[0] and turned[0] <= limits[1])


def _jump_fault(tracks: Tracks, track: Track, kind: FaultKind, order: Whole, places: Whole) -> Iterator[TfFault]:
    if not len(places):
        return
    frame, parent = tracks.names[track.child], tracks.names[int(track.parent[0])]
    samples = order[places]
    rows = track.rows[samples]
    before = track.position[order[places - 1]]
    far = float(np.linalg.norm(track.position[samples] - before, axis=1).max())
    pairs = [turns(track.quaternion[[a, b]])[0] for a, b in zip(order[places - 1], samples, strict=True)]
    size = f"{far:.3g} m and {np.degrees(max(pairs)):.3g}°"
    n = counted(len(places), "sample")
    if kind == "outlier":
        are = "is" if len(places) == 1 else "are"
        cause = (
            f"{n} of {frame} in {parent}{by(tracks.publishers(rows))} {are} off the path of the others by up to {size}."
        )
        mend = TfMend("leave out", f"Leave out {n}", child=frame, stamps_ns=tuple(track.stamp_ns[samples].tolist()))
    else:
        what = "jumps" if len(places) == 1 else f"jumps {len(places)} times"
        cause = (
            f"{frame} {what} in {parent} from one sample to the next, by up to {size}{by(tracks.publishers(rows))}:"
            " a localization that corrects itself, odometry that was reset, or another source."
        )
        mend = None
    fault = _fault(tracks, kind, frame, rows, cause, mend, is_amber=kind == "jump")
    yield fault


def _fault(
    tracks: Tracks, kind: FaultKind, frame: str, rows: Whole, cause: str, mend: TfMend | None, *, is_amber: bool = False
) -> TfFault:
    log_ns = tracks.log.log_ns[rows]
    return TfFault(
        kind,
        frame,
        cause,
        int(log_ns.min()),
        int(log_ns.max()),
        count=len(rows),
        severity="amber" if is_amber else "red",
        parent=tracks.names[int(tracks.parent[rows[0]])],
        publishers=tracks.publishers(rows),
        rows=rows,
        mend=mend,
    )

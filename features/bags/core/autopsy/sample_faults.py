"""Faults of samples: values that are not finite, quaternions off unit length, jumps and outliers."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from framescope.core.errors import Fix, counted
from framescope.core.kernels.lengths import distances, lengths
from framescope.core.kernels.validation import Array
from framescope.features.bags.core.autopsy.fault import FaultKind, LogChange, TfFault
from framescope.features.bags.core.autopsy.finding import Finding
from framescope.features.bags.core.autopsy.static_faults import turns
from framescope.features.bags.core.autopsy.wording import by
from framescope.features.bags.core.tf_log import Whole
from framescope.features.bags.core.tf_tracks import REFUSALS, Track, Tracks

NEARLY_UNIT = 1e-4
"""Deviation of a quaternion's squared length from 1 above which it exceeds rounding to float32."""

JUMP_M, JUMP_RAD, JUMP_STEPS = 0.05, np.radians(5.0), 10.0
"""Least size of a jump: m, rad, and multiples of the 90th percentile of the frame's steps; all must be exceeded."""

FARTHEST = 1e300
"""Largest step that is computed with, m."""

MIN_SAMPLES = 10


def refused_faults(tracks: Tracks) -> Iterator[TfFault]:
    """Yield rows that tf2 refuses, and quaternions off unit length that it accepts."""
    log = tracks.log
    for number, kind in enumerate(REFUSALS, start=1):
        rows = np.flatnonzero(tracks.refused == number)
        for child in dict.fromkeys(map(int, tracks.child[rows])):
            yield _refusal_fault(tracks, kind, rows[tracks.child[rows] == child])
    with np.errstate(invalid="ignore", over="ignore"):
        off = np.abs(np.square(log.quaternion).sum(axis=1) - 1.0)
    rows = np.flatnonzero((tracks.refused == 0) & (off > NEARLY_UNIT))
    for child in dict.fromkeys(map(int, tracks.child[rows])):
        mine = rows[tracks.child[rows] == child]
        frame = tracks.names[child]
        worst = float(np.abs(lengths(log.quaternion[mine]) - 1.0).max())
        yield _fault(
            tracks,
            "nearly unit",
            frame,
            mine,
            f"{counted(len(mine), 'quaternion')} of {frame}{by(tracks.publishers(mine))}"
            f" {'is' if len(mine) == 1 else 'are'} off unit length by up to {worst:.2g}. tf2 accepts"
            f" {'it' if len(mine) == 1 else 'them'} unchanged, which scales all frames below {frame}.",
            Fix(f"Normalize the quaternions of {frame}", LogChange("normalize", child=frame)),
            is_amber=True,
        )


def _refusal_fault(tracks: Tracks, kind: FaultKind, rows: Whole) -> TfFault:
    frame, parent = tracks.names[int(tracks.child[rows[0]])], tracks.names[int(tracks.parent[rows[0]])]
    n = counted(len(rows), "sample")
    who = by(tracks.publishers(rows))
    have = "has" if len(rows) == 1 else "have"
    length = lengths(tracks.log.quaternion[rows[0]])
    problem = {
        "own parent": f"{frame} is sent as its own parent ({n}{who})",
        "no name": f"{frame or 'A frame'} is sent {'with no parent' if frame else 'without a name'} ({n}{who})",
        "not finite": f"{n} of {frame} in {parent}{who} {have} invalid numbers (NaN)",
        "not unit": f"{n} of {frame} in {parent}{who} {have} a quaternion of length {length:.4g}",
    }[kind]
    fix = (
        Fix(f"Normalize the quaternions of {frame}", LogChange("normalize", child=frame))
        if kind == "not unit"
        else None
    )
    if fix is not None and not lengths(tracks.log.quaternion[rows]).all():
        fix = None  # zeros cannot be normalized
    return _fault(tracks, kind, frame, rows, f"{problem}: tf2 refuses {'it' if len(rows) == 1 else 'them'}.", fix)


def jump_findings(tracks: Tracks) -> Iterator[Finding]:
    """Yield jumps of moving frames between samples, and samples off a path that continues without them."""
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
        single = [i for i in jumps.tolist() if i + 1 in jumps and _continues_without(track, order, i, limits)]
        stay = [i for i in jumps.tolist() if i not in single and i - 1 not in single]
        yield from _jumps(tracks, track, "outlier", order, np.array(single, np.int64))
        yield from _jumps(tracks, track, "jump", order, np.array(stay, np.int64))


def _steps(track: Track, order: Whole) -> tuple[Array, Array]:
    """Return lengths, m, and angles, rad, from sample to sample, each scaled to the usual time step."""
    stamps = track.stamp_ns[order]
    usual = max(1, int(np.median(np.diff(track.stamp_ns[track.in_time]))))
    longer = np.maximum(1.0, np.diff(stamps) / usual)
    position = track.position[order]
    moved = np.minimum(distances(position[1:], position[:-1]), FARTHEST)  # percentiles of infinity are none
    return moved / longer, turns(track.quaternion[order]) / longer


def _continues_without(track: Track, order: Whole, i: int, limits: tuple[float, ...]) -> bool:
    """Return whether the path has no jump from the sample before one to the sample after it."""
    moved, turned = _steps(track, order[[i - 1, i + 1]])
    return bool(moved[0] <= limits[0] and turned[0] <= limits[1])


def _jumps(tracks: Tracks, track: Track, kind: FaultKind, order: Whole, places: Whole) -> Iterator[Finding]:
    if not len(places):
        return
    samples = order[places]
    far = float(distances(track.position[samples], track.position[order[places - 1]]).max())
    pairs = [turns(track.quaternion[[a, b]])[0] for a, b in zip(order[places - 1], samples, strict=True)]
    yield Finding(
        kind,
        tracks.names[track.child],
        _outlier_fault if kind == "outlier" else _jump_fault,
        track.rows[samples],
        int(track.log_ns[samples].min()),
        int(track.log_ns[samples].max()),
        len(places),
        (far, max(pairs)),
    )


def _outlier_fault(tracks: Tracks, finding: Finding) -> TfFault:
    frame, rows = finding.frame, finding.rows
    parent = tracks.names[int(tracks.parent[rows[0]])]
    n = counted(len(rows), "sample")
    cause = (
        f"{n} of {frame} in {parent}{by(tracks.publishers(rows))} {'is' if len(rows) == 1 else 'are'} off the path of"
        f" the others by up to {_size_text(finding)}."
    )
    stamps = tuple(tracks.log.stamp_ns[rows].tolist())
    fix = Fix(f"Leave out {n}", LogChange("leave out", child=frame, stamps_ns=stamps))
    return _fault(tracks, "outlier", frame, rows, cause, fix)


def _jump_fault(tracks: Tracks, finding: Finding) -> TfFault:
    frame, rows = finding.frame, finding.rows
    jumps = "jumps" if finding.count == 1 else f"jumps {finding.count} times"
    cause = (
        f"{frame} {jumps} in {tracks.names[int(tracks.parent[rows[0]])]} from one sample to the next, by up to"
        f" {_size_text(finding)}{by(tracks.publishers(rows))}: a correction by localization, odometry that was"
        " reset, or another source."
    )
    return _fault(tracks, "jump", frame, rows, cause, None, is_amber=True)


def _size_text(finding: Finding) -> str:
    far, angle = finding.sizes
    return f"{far:.3g} m and {np.degrees(angle):.3g}°"


def _fault(
    tracks: Tracks,
    kind: FaultKind,
    frame: str,
    rows: Whole,
    cause: str,
    fix: Fix[LogChange] | None,
    *,
    is_amber: bool = False,
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
        fix=fix,
    )

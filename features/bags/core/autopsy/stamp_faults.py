"""Faults of stamps: repeated, backward, ahead, behind, and clocks that jump.

The expected stamp of a sample follows from its time of reception: the delay between the two is nearly constant.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from framescope.core.errors import Fix, counted
from framescope.core.kernels.validation import Array
from framescope.core.recordings.tf_buffer import TF2_CACHE_S
from framescope.core.scene.schema.stamps import NS
from framescope.features.bags.core.autopsy.fault import FaultKind, LogChange, TfFault
from framescope.features.bags.core.autopsy.finding import Finding
from framescope.features.bags.core.autopsy.wording import by, join_names, span
from framescope.features.bags.core.clock_jumps import (
    AROUND,
    CLOCK_NS,
    DATED_AHEAD_BELOW,
    MIN_SAMPLES,
    NOISES,
    ClockJump,
    Delays,
    delays_of,
    is_repeated,
    resent_samples,
    step_ns,
    steps_of,
)
from framescope.features.bags.core.tf_log import Flags, Whole
from framescope.features.bags.core.tf_tracks import Track, Tracks, is_below_world

AHEAD_NS = NS // 4
"""Least deviation of a wrong single stamp from its expected value, ns; at least `NOISES` times the usual one."""

BEHIND_NS = NS // 2
"""Least delay of all stamps of a frame behind the others to be reported, ns."""

CONSTANT_AHEAD_NS = 2 * NS // 5
"""Least time of all stamps of a frame ahead of the others to be reported, ns."""

LOCALIZED_AHEAD_NS = 5 * NS // 4
"""Time by which a localization may date its stamps ahead, so that look-ups need not wait, ns."""

OFFSET_AHEAD_NS, OFFSET_DAY_NS = 3 * NS // 10, 86_400 * NS
"""Least time of the stamps of all frames ahead of their reception to be noted, and most before or after it, ns."""

ONSET_NS = 2 * NS // 5
"""Least change of the delay of stamps, from a moment on, to be reported, ns."""

SPREAD_NS = NS // 2
"""Limit of the spread between the 5th and the 95th percentile of the delay, ns."""


def stamp_findings(tracks: Tracks, holes: Whole) -> Iterator[Finding]:
    """Yield the other stamp faults of each frame, given a log without repeated stamps.

    Parameters
    ----------
    tracks
        The log, or a part of it between clock jumps.
    holes
        Intervals without reception in the whole log, see `holes_of_reception`.
    """
    all_delays = delays_of(tracks)
    jumps = {delays.track.child: steps_of(delays) for delays in all_delays}
    onsets = {
        delays.track.child: onset
        for delays in all_delays
        if not jumps[delays.track.child] and (onset := onset_of(delays.off_ns, delays.usual_ns)) is not None
    }
    common = _common_onset(tracks, all_delays, onsets)
    if common is not None:
        yield common
    for delays in all_delays:
        own, onset = jumps[delays.track.child], onsets.get(delays.track.child)
        if own:
            yield _own_jump(tracks, delays, own)
        yield from _single(tracks, delays)
        if onset is not None:
            if common is None:
                yield _onset(tracks, delays, onset)
        elif not own:
            yield from _constant(tracks, delays, holes)


def constant_stamp_faults(tracks: Tracks) -> Iterator[TfFault]:
    """Yield the moving frames whose samples all have the same stamp, such as zero; all moving frames at once."""
    moving = [track for track in tracks.by_frame if not track.is_static and not track.is_mixed]
    constant = [track for track in moving if len(track.rows) > 1 and not (track.stamp_ns != track.stamp_ns[0]).any()]
    groups = [constant] if len(constant) > 1 and len(constant) == len(moving) else [[track] for track in constant]
    for group in filter(None, groups):
        rows = np.concatenate([track.rows for track in group])
        frames = [tracks.names[track.child] for track in group]
        stamp = int(group[0].stamp_ns[0])
        publishers = tracks.publishers(rows)
        value = "0" if stamp == 0 else "the same"
        why = "the publisher does not set header.stamp" + (
            ", or it uses the simulated time and no /clock runs" if stamp == 0 else ""
        )
        yield TfFault(
            "constant stamp",
            frames[0] if len(group) == 1 else "",
            f"All {counted(len(rows), 'stamp')} of {join_names(frames)} are {value}{by(publishers)}: {why}. tf2 keeps"
            f" only the first sample, so the {'frame stays' if len(group) == 1 else 'frames stay'} there, and each"
            " look-up at another time fails.",
            int(tracks.log.log_ns[rows].min()),
            int(tracks.log.log_ns[rows].max()),
            count=len(rows),
            parent=tracks.names[int(group[0].parent[0])] if len(group) == 1 else "",
            publishers=publishers,
            rows=np.sort(rows),
        )


def offset_faults(tracks: Tracks) -> Iterator[TfFault]:
    """Yield a note if the stamps of all frames are off the times of reception by the same time.

    Simulated times and recordings that are replayed much later differ by days, which is no fault.
    """
    log = tracks.log
    moving = [track for track in tracks.by_frame if not track.is_static and len(track.rows) >= MIN_SAMPLES]
    offs = [track.stamp_ns - track.log_ns for track in moving]
    if not offs:
        return
    usual = np.array([np.median(off) for off in offs])
    spread = max(float(np.ptp(np.percentile(off, [5, 95]))) for off in offs)
    offset = round(float(np.median(usual)))
    limit = OFFSET_AHEAD_NS if offset > 0 else BEHIND_NS
    if abs(offset) < limit or abs(offset) > OFFSET_DAY_NS or max(spread, np.abs(usual - offset).max()) > limit / 2:
        return
    rows = np.flatnonzero(~log.is_static & (tracks.refused == 0))
    way = "ahead of" if offset > 0 else "behind"
    replayed = "" if offset > 0 else ", or the recording was replayed while it was recorded"
    yield TfFault(
        "clock offset",
        "",
        f"The stamps of all frames are {span(offset)} {way} the times of reception: the clock of the recorder is"
        f" another than that of the robot{replayed}. Among themselves, the frames agree.",
        int(log.log_ns[rows].min()),
        int(log.log_ns[rows].max()),
        count=1,
        severity="note",
        rows=rows[:1],
    )


def repeated_findings(tracks: Tracks) -> Iterator[Finding]:
    """Yield the repeated stamps of moving frames, except where a clock was set back."""
    delays = {item.track.child: item for item in delays_of(tracks)}
    for track in tracks.by_frame:
        if track.is_static or track.is_mixed:
            continue
        own = delays.get(track.child)
        again = is_repeated(track.stamp_ns) if own is None else resent_samples(own)
        one_parent = len(np.unique(track.parent)) == 1
        if again.any() and one_parent:  # several parents are a fault of their own
            yield _finding(tracks, track, "repeated stamp", _repeated_fault, np.flatnonzero(again), ())


def _repeated_fault(tracks: Tracks, finding: Finding) -> TfFault:
    publishers = tracks.publishers(np.flatnonzero(tracks.child == tracks.names.index(finding.frame)))
    who = f" It has several publishers: {join_names(publishers)}." if len(publishers) > 1 else ""
    n = counted(finding.count, "sample")
    return _fault(
        tracks,
        finding,
        f"{n} of {finding.frame} {'has a stamp' if finding.count == 1 else 'have stamps'} that an earlier sample"
        " has, too."
        f" tf2 keeps the first sample and drops the later ones.{who}",
        is_amber=True,
    )


def clock_fault(tracks: Tracks, jump: ClockJump) -> TfFault:
    """Return the fault of a simultaneous clock jump of most frames, at which another recording begins."""
    log = tracks.log
    first, last = jump.ends
    way, why = "ahead", "a clock was set, or the recording has a gap"
    effect, mixed = "", np.zeros(0, np.int64)
    moving = (tracks.refused == 0) & ~log.is_static
    if jump.is_back:
        way, why = "back", "a simulation or a bag was started again, or a clock was set"
        newest = int(log.stamp_ns[:first][moving[:first]].max(initial=0))
        later = np.arange(first, len(log))[moving[first:]]
        mixed = later[log.stamp_ns[later] <= newest]
        effect = f" {_of_mixture(-jump.size_ns, newest - int(log.stamp_ns[later].max()))}"
    return TfFault(
        "clock jump",
        "",
        f"The stamps of all frames jump {way} by {span(jump.size_ns)}: {why}.{effect}",
        int(log.log_ns[first]),
        int(log.log_ns[last]),
        rows=np.union1d(np.arange(first, last + 1), mixed),
        fix=Fix("Leave out all later samples", LogChange("leave out", log_ns=int(log.log_ns[first])))
        if jump.is_back
        else None,
    )


def _of_mixture(size_ns: int, left_ns: int) -> str:
    """Return the effect on tf2 of a jump back by `size_ns` to a run that ends `left_ns` before the old run."""
    cache_ns = round(TF2_CACHE_S * NS)
    if left_ns > cache_ns:
        lost = f"All later samples are more than {TF2_CACHE_S:g} s older than the newest sample of tf2"
        return f"{lost}. tf2 drops them until its buffer is cleared."
    mixed = "a mixture of both runs, until its buffer is cleared."
    if size_ns <= cache_ns:
        return f"tf2 accepts the later samples, and its answers for {span(size_ns)} are from {mixed}"
    lost = f"For {span(size_ns - cache_ns)}, tf2 drops samples more than {TF2_CACHE_S:g} s older than its newest"
    return f"{lost}. Then its answers are from {mixed}"


def _own_jump(tracks: Tracks, delays: Delays, places: list[int]) -> Finding:
    size = max((step_ns(delays, i) for i in places), key=abs)
    return _finding(tracks, delays.track, "clock jump", _own_jump_fault, places, (size,))


def _own_jump_fault(tracks: Tracks, finding: Finding) -> TfFault:
    (size,) = finding.sizes
    publishers = tracks.publishers(finding.rows)
    return _fault(
        tracks,
        finding,
        f"The stamps of {finding.frame} jump {'back' if size < 0 else 'ahead'} by {span(round(size))}"
        f"{'' if finding.count == 1 else f' at most, {finding.count} times'}, and the stamps of other frames do not."
        " The"
        f" clock{f' of {join_names(publishers)}' if publishers else ''} was set.",
    )


def _single(tracks: Tracks, delays: Delays) -> Iterator[Finding]:
    """Yield single wrong stamps: ahead of the following ones, or behind the previous ones."""
    track, off = delays.track, delays.off_ns - np.maximum(delays.usual_ns, delays.prompt_ns)
    first = np.zeros(len(off), bool)
    first[np.unique(track.stamp_ns, return_index=True)[1]] = True  # the others are repetitions
    backward = np.flatnonzero((np.diff(track.stamp_ns) < 0) & first[1:]) + 1
    limit = max(AHEAD_NS, NOISES * delays.noise_ns)
    ahead: list[int] = []
    behind: list[int] = []
    for i in backward.tolist():
        if off[i - 1] > limit and off[i - 1] >= -off[i]:
            ahead.append(i - 1)
        elif not _is_step(delays, i):
            behind.append(i)
    outliers = set(np.flatnonzero(off > limit).tolist()) - set(ahead)
    ahead += [i for i in sorted(outliers) if i == len(off) - 1]
    for i in list(ahead):  # and the outliers directly before it
        while i - 1 in outliers:
            outliers.discard(i := i - 1)
            ahead.append(i)
    if ahead:
        places = sorted(ahead)
        yield _finding(tracks, track, "future stamp", _ahead_fault, places, (float(off[places].max()),))
    if behind:
        back = max(int(track.stamp_ns[i - 1] - track.stamp_ns[i]) for i in behind)
        yield _finding(tracks, track, "backward stamp", _behind_fault, behind, (float(back),))


def _is_step(delays: Delays, i: int) -> bool:
    """Return whether a sample begins a run with another delay, which is reported as a clock jump."""
    off = delays.off_ns
    after, before = off[i : i + AROUND], off[max(0, i - AROUND) : i]
    return bool(np.abs(np.median(after) - np.median(before)) > CLOCK_NS)


def _ahead_fault(tracks: Tracks, finding: Finding) -> TfFault:
    single = finding.count == 1
    cause = (
        f"{counted(finding.count, 'sample')} of {finding.frame} {'is' if single else 'are'} stamped up to"
        f" {span(round(finding.sizes[0]))} ahead of {'its' if single else 'their'} time"
        f"{by(tracks.publishers(finding.rows))}: until then tf2 interpolates from the sample before to a future pose,"
        " and drops samples that are older than its cache by this stamp."
    )
    return replace(_fault(tracks, finding, cause), fix=_leave_out(tracks, finding))


def _behind_fault(tracks: Tracks, finding: Finding) -> TfFault:
    cause = (
        f"{counted(finding.count, 'sample')} of {finding.frame} {'is' if finding.count == 1 else 'are'} stamped before"
        f" an earlier sample, by up to {span(round(finding.sizes[0]))}{by(tracks.publishers(finding.rows))}: tf2"
        " sorts samples within its cache, and drops the others."
    )
    return replace(_fault(tracks, finding, cause, is_amber=True), fix=_leave_out(tracks, finding))


def _leave_out(tracks: Tracks, finding: Finding) -> Fix[LogChange]:
    stamps = tuple(tracks.log.stamp_ns[finding.rows].tolist())
    n = counted(finding.count, "sample")
    return Fix(f"Leave out {n}", LogChange("leave out", child=finding.frame, stamps_ns=stamps))


def _constant(tracks: Tracks, delays: Delays, holes: Whole) -> Iterator[Finding]:
    """Yield the faults of all stamps of a frame: behind those of others, far ahead, or widely spread."""
    track, off = delays.track, delays.off_ns
    prompt = off[~_is_from_queue(track, holes)]
    off = prompt if 2 * len(prompt) > len(off) else off
    middle = round(float(np.median(off)))
    low, high = (round(float(x)) for x in np.percentile(off, [5, 95]))
    every = range(len(track.rows))
    if high - low > SPREAD_NS:
        yield _finding(tracks, track, "log time spread", _spread_fault, every, (high - low,))
    elif middle < -BEHIND_NS:
        yield _finding(tracks, track, "late stamps", _late_fault, every, (middle,))
    elif middle > (LOCALIZED_AHEAD_NS if is_below_world(tracks, track, DATED_AHEAD_BELOW) else CONSTANT_AHEAD_NS):
        yield _finding(tracks, track, "early stamps", _late_fault, every, (middle,))


def onset_of(off_ns: Whole, usual_ns: Array) -> tuple[int, float, float] | None:
    """Return the sample at which the delay of stamps changes once and for good, and the delays before and after, ns.

    Parameters
    ----------
    off_ns, usual_ns : (n,)
        As in `framescope.features.bags.core.clock_jumps.Delays`.
    """
    if len(off_ns) < 4 * AROUND:
        return None
    low, high = (float(x) for x in np.percentile(usual_ns, [5, 95]))
    changes = np.flatnonzero(np.diff((usual_ns > 0.5 * (low + high)).astype(np.int8))) + 1
    if high - low < ONSET_NS or len(changes) != 1 or not 2 * AROUND <= changes[0] <= len(off_ns) - 2 * AROUND:
        return None
    i = int(changes[0])
    near = np.arange(i - AROUND, i + AROUND)
    i = int(near[np.argmax(np.abs(np.diff(off_ns)[near - 1]))])
    before, after = float(np.median(off_ns[:i])), float(np.median(off_ns[i:]))
    # A clock that drifts has no onset: its delays change on both sides, too.
    wide = max(float(np.ptp(np.percentile(part, [10, 90]))) for part in (usual_ns[:i], usual_ns[i:]))
    return (i, before, after) if abs(after - before) > max(ONSET_NS, 4.0 * wide) else None


def _onset(tracks: Tracks, delays: Delays, onset: tuple[int, float, float]) -> Finding:
    i, before, after = onset
    kind: FaultKind = "late stamps" if after < before else "early stamps"
    return _finding(tracks, delays.track, kind, _onset_fault, range(i, len(delays.track.rows)), (after - before,))


def _common_onset(
    tracks: Tracks, all_delays: list[Delays], onsets: dict[int, tuple[int, float, float]]
) -> Finding | None:
    """Return the finding of delays that change in all frames at once; None for changes of single frames."""
    findings = [_onset(tracks, each, onsets[each.track.child]) for each in all_delays if each.track.child in onsets]
    sizes = [finding.sizes[0] for finding in findings]
    if len(findings) < 2 or len(findings) < len(all_delays) or len({finding.kind for finding in findings}) > 1:
        return None
    first = [finding.first_ns for finding in findings]
    if max(first) - min(first) > 2 * NS + max(map(abs, sizes)) or max(map(abs, sizes)) > 2.0 * min(map(abs, sizes)):
        return None
    rows = np.sort(np.concatenate([finding.rows for finding in findings]))
    size = float(np.median(sizes))
    last = max(finding.last_ns for finding in findings)
    return Finding(findings[0].kind, "", _common_onset_fault, rows, min(first), last, len(rows), (size,))


def _common_onset_fault(tracks: Tracks, finding: Finding) -> TfFault:
    (size,) = finding.sizes
    cause = (
        f"The stamps of all frames are {span(round(size))} {'late' if size < 0 else 'early'} by their reception from"
        f" {seconds_into(tracks, finding.first_ns):.1f} s on:"
        f" {'the recorder or its network has a queue, or ' if size < 0 else ''}a clock was set."
    )
    return _fault(tracks, finding, cause, is_amber=True)


def _onset_fault(tracks: Tracks, finding: Finding) -> TfFault:
    frame, (size,) = finding.frame, finding.sizes
    mine = np.flatnonzero((tracks.child == tracks.names.index(frame)) & (tracks.refused == 0))
    first = int(np.searchsorted(mine, int(finding.rows[0])))
    stamps = tracks.log.stamp_ns[mine]
    step = int(stamps[first] - stamps[first - 1]) if first else 0
    is_of_stamps = abs(step - float(np.median(np.diff(stamps)))) > abs(size) / 2
    when = f"from {seconds_into(tracks, finding.first_ns):.1f} s on"
    senders = tracks.publishers(finding.rows)
    way = f"{span(round(size))} {'late' if size < 0 else 'early'}"
    if is_of_stamps:
        what = f"The stamps of {frame} are {way} {when}{by(senders)}: a clock was set"
        what += ", or it is computed with a delay from then on." if size < 0 else "."
        what += f" {_clock_advice(frame, senders, round(size))}"
    else:
        what = f"{frame} is received {way} by its stamps {when}{by(senders)}. Its stamps go on evenly: "
        what += (
            "its messages wait in a queue, in the network or in the recorder, so look-ups have to wait for it."
            if size < 0
            else "its messages waited in a queue before."
        )
    parent = tracks.names[int(tracks.parent[finding.rows[0]])]
    return replace(_fault(tracks, finding, what), parent=parent)


def seconds_into(tracks: Tracks, log_ns: int) -> float:
    """Return a time of reception since the beginning of the recording, s."""
    log = tracks.log
    begin = log.span_ns[0] if log.span_ns else int(log.log_ns.min())
    return (log_ns - begin) / NS


def _spread_fault(tracks: Tracks, finding: Finding) -> TfFault:
    cause = (
        f"{finding.frame} is received with delays that differ by up to {span(round(finding.sizes[0]))}"
        f"{by(tracks.publishers(finding.rows))}: samples are sent in bursts, or stamped by a clock with another rate."
    )
    return _fault(tracks, finding, cause, is_amber=True)


def _late_fault(tracks: Tracks, finding: Finding) -> TfFault:
    middle = round(finding.sizes[0])
    where = f"{span(middle)} {'behind' if middle < 0 else 'ahead of'}"
    why = (
        "it is computed late, sent through a slow link, or its clock is not set, so look-ups have to wait for it"
        if middle < 0
        else "the clock of its publisher is not set, and a look-up at that moment returns a pose of the future"
    )
    senders = tracks.publishers(finding.rows)
    cause = f"The stamps of {finding.frame} are {where} the stamps of other frames{by(senders)}: {why}."
    cause += f" {_clock_advice(finding.frame, senders, middle)}"
    parent = tracks.names[int(tracks.parent[finding.rows[-1]])]
    return replace(_fault(tracks, finding, cause), parent=parent)


def _clock_advice(frame: str, senders: Sequence[str], offset: int) -> str:
    """Return what to do on the robot about stamps that are off by a constant time, ns."""
    who = join_names(senders) if senders else f"the publisher of {frame}"
    clock = f"On the robot, compare the clock of the computer that runs {who} with the others (chronyc tracking)"
    if offset < 0:
        return f"{clock}. If it is {span(offset)} slow, synchronize it. Otherwise send {frame} {span(offset)} sooner."
    return (
        f"{clock}. If it is {span(offset)} fast, synchronize it."
        f" Otherwise {who} dates its transforms ahead on purpose (transform_tolerance): reduce that."
    )


def holes_of_reception(tracks: Tracks) -> Whole:
    """Return begin and end (n, 2) of the intervals without reception, ns."""
    moving = ~tracks.log.is_static & (tracks.refused == 0)
    received = np.sort(tracks.log.log_ns[moving])
    places = np.flatnonzero(np.diff(received) > SPREAD_NS)
    return np.stack([received[places], received[places + 1]], axis=1)


def _is_from_queue(track: Track, holes: Whole) -> Flags:
    """Return a mask of the samples of a frame that waited in a queue during an interval without reception."""
    waited = np.zeros(len(track.rows), bool)
    lag = int(np.median(track.log_ns - track.stamp_ns))
    for begin, end in holes.tolist():
        due = track.stamp_ns + lag
        waited |= (due > begin) & (due <= end) & (track.log_ns >= end)
        # Samples behind them wait until the queue is drained.
        waited |= (due > end) & (due <= end + (end - begin)) & (track.log_ns > due + SPREAD_NS // 10)
    return waited


def _finding(
    tracks: Tracks,
    track: Track,
    kind: FaultKind,
    describe: Callable[[Tracks, Finding], TfFault],
    places: Sequence[int] | Whole,
    sizes: tuple[float, ...],
) -> Finding:
    at = np.asarray(places, np.int64)
    when = int(track.log_ns[at[0]]), int(track.log_ns[at[-1]])
    return Finding(kind, tracks.names[track.child], describe, track.rows[at], *when, len(at), sizes)


def _fault(tracks: Tracks, finding: Finding, cause: str, *, is_amber: bool = False) -> TfFault:
    return TfFault(
        finding.kind,
        finding.frame,
        cause,
        finding.first_ns,
        finding.last_ns,
        count=finding.count,
        severity="amber" if is_amber else "red",
        publishers=tracks.publishers(finding.rows),
        rows=finding.rows,
    )

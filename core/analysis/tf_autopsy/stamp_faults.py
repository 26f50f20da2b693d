"""Faults of stamps: repeated, backward, ahead, behind, and clocks that jump.

What a stamp should be is told by when the sample was received: the delay between both is that of the frame's others.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from framescope.core.analysis.tf_autopsy.fault import FaultKind, TfFault, TfMend
from framescope.core.analysis.tf_autopsy.wording import by, counted, listed, span
from framescope.core.kernels.validation import Array
from framescope.core.recordings.bags.tf_log import Whole
from framescope.core.recordings.bags.tf_tracks import Track, Tracks
from framescope.core.scene.schema.stamps import NS

AHEAD_NS = NS // 4
"""By how much a single stamp has to be off its expected one to be wrong; never less than `NOISES` of the usual."""

NOISES = 10.0
CLOCK_NS = NS // 2
"""By how much the delay has to change, and stay, to be a jump of a clock."""

BEHIND_NS = NS // 2
"""By how much all stamps of a frame have to be behind those of others."""

DATED_AHEAD_NS = 2 * NS
"""By how much a localization may date its stamps ahead, so that look-ups need not wait."""

SPREAD_NS = NS // 2
"""Between the 5th and the 95th percentile of the delay."""

AROUND = 5
"""Samples to either side whose delay says what is usual."""

MIN_SAMPLES = 8


@dataclass(frozen=True, eq=False)
class _Delays:
    """Delays of the samples of one frame.

    Attributes
    ----------
    track
        The frame.
    off_ns : (n,)
        By how much each stamp is ahead of what the recording's other stamps are at its time of reception.
    usual_ns : (n,)
        The same of samples around each.
    noise_ns
        By how much they usually differ.
    """

    track: Track
    off_ns: Whole
    usual_ns: Array
    noise_ns: float


def clock_faults(tracks: Tracks) -> Iterator[TfFault]:
    """Yield the jumps of the clock that most frames have at once: at each of them another recording begins."""
    delays = _delays(tracks)
    jumps = {each.track.child: _steps(each) for each in delays}
    yield from (_clock_jump(tracks, delays, rows) for rows in _common(delays, jumps))


def stamp_faults(tracks: Tracks) -> Iterator[TfFault]:
    """Yield what is wrong with the stamps of each frame by itself."""
    yield from _repeated(tracks)
    for each in _delays(tracks):
        own = _steps(each)
        if own:
            yield _own_jump(tracks, each, own)
        yield from _single(tracks, each)
        if not own:
            yield from _constant(tracks, each)


def _delays(tracks: Tracks) -> list[_Delays]:
    """Return the delays of all moving frames, less what the recording as a whole has: its clock may be simulated."""
    moving = [each for each in tracks.by_frame if not each.is_static and len(each.rows) >= MIN_SAMPLES]
    if not moving:
        return []
    rate = _clock_rate(moving)
    begin = int(min(each.log_ns[0] for each in moving))
    offs = [each.stamp_ns - begin - np.round(rate * (each.log_ns - begin)).astype(np.int64) for each in moving]
    middle = int(np.median([np.median(off) for off in offs]))
    found: list[_Delays] = []
    for track, off in zip(moving, offs, strict=True):
        usual = _running_median(off)
        noise = float(np.median(np.abs(off - usual)))
        found.append(_Delays(track, off - middle, usual - middle, noise))
    return found


def _clock_rate(moving: list[Track]) -> float:
    """Return how fast stamps go by time of reception: 1, but for a simulation that is slower or faster."""
    rates: list[Array] = []
    for track in moving:
        lag = min(10, len(track.rows) // 2)
        received = track.log_ns[lag:] - track.log_ns[:-lag]
        stamped = track.stamp_ns[lag:] - track.stamp_ns[:-lag]
        rates.append((stamped / np.maximum(received, 1))[received > 0])
    every = np.concatenate(rates)
    rate = float(np.median(every)) if len(every) else 1.0
    return 1.0 if abs(rate - 1.0) < 0.02 or not rate > 0.0 else rate


def _running_median(values: Whole) -> Array:
    """Return the median of each value and those around it."""
    padded = np.pad(values, AROUND, mode="edge")
    return np.median(np.lib.stride_tricks.sliding_window_view(padded, 2 * AROUND + 1), axis=1)


def _repeated(tracks: Tracks) -> Iterator[TfFault]:
    for track in tracks.by_frame:
        if track.is_static or track.is_mixed:
            continue
        _, first = np.unique(track.stamp_ns, return_index=True)
        again = np.ones(len(track.rows), bool)
        again[first] = False
        one_parent = len(np.unique(track.parent)) == 1
        if not again.any() or not one_parent:  # of two parents it is told as that
            continue
        rows = track.rows[again]
        frame = tracks.names[track.child]
        publishers = tracks.publishers(track.rows)
        who = f" It has several publishers: {listed(publishers)}." if len(publishers) > 1 else ""
        yield TfFault(
            "repeated stamp",
            frame,
            f"{counted(len(rows), 'sample')} of {frame}"
            f" {'has a stamp' if len(rows) == 1 else 'have stamps'} that was there before. tf2 keeps the first and"
            f" leaves out what comes later.{who}",
            int(track.log_ns[again][0]),
            int(track.log_ns[again][-1]),
            count=len(rows),
            severity="amber",
            publishers=tracks.publishers(rows),
            rows=rows,
        )


def _steps(delays: _Delays) -> list[int]:
    """Return the places of samples from which on the delay is another one, and stays."""
    off, n = delays.off_ns, len(delays.off_ns)
    if n < 2 * AROUND:
        return []
    windows = np.median(np.lib.stride_tricks.sliding_window_view(off, AROUND), axis=1)
    before, after = windows[: n - 2 * AROUND + 1], windows[AROUND:]
    size = np.abs(after - before)
    found: list[int] = []
    for i in np.flatnonzero(size > max(CLOCK_NS, NOISES * delays.noise_ns)):
        if found and i + AROUND - found[-1] <= 2 * AROUND:
            continue
        near = np.arange(max(0, i), min(len(size), i + 2 * AROUND))
        best = int(near[np.argmax(size[near])]) + AROUND
        # The step itself is where consecutive samples differ most.
        around = np.arange(max(1, best - AROUND), min(n, best + AROUND + 1))
        found.append(int(around[np.argmax(np.abs(np.diff(off)[around - 1]))]))
    # Where stamps go on evenly it is reception that does not.
    steps = np.diff(delays.track.stamp_ns)
    return [i for i in found if abs(steps[i - 1] - np.median(steps)) > CLOCK_NS // 2]


def _common(delays: list[_Delays], jumps: dict[int, list[int]]) -> list[Whole]:
    """Return the rows at which most frames jump at once: first and last of each such moment."""
    marks = sorted(
        (int(each.track.log_ns[i]), int(each.track.rows[i]), each.track.child)
        for each in delays
        for i in jumps[each.track.child]
    )
    groups: list[list[tuple[int, int, int]]] = []
    for mark in marks:
        if groups and mark[0] - groups[-1][0][0] < 2 * NS:
            groups[-1].append(mark)
        else:
            groups.append([mark])
    most = max(2, (len(delays) + 1) // 2)
    single = len(delays) == 1
    return [
        np.array([min(row for _, row, _ in group), max(row for _, row, _ in group)])
        for group in groups
        if len({child for _, _, child in group}) >= most or single
    ]


def _clock_jump(tracks: Tracks, delays: list[_Delays], rows: Whole) -> TfFault:
    sizes: list[float] = []
    for each in delays:
        place = int(np.searchsorted(each.track.rows, int(rows[0])))
        before, after = each.off_ns[max(0, place - AROUND) : place], each.off_ns[place + 1 : place + 1 + AROUND]
        if len(before) and len(after):
            sizes.append(float(np.median(after) - np.median(before)))
    size = round(float(np.median(sizes))) if sizes else 0
    log = tracks.log
    when = int(log.log_ns[rows[0]])
    way = "back" if size < 0 else "ahead"
    why = (
        "a simulation or a bag that was started again, or a clock that was set"
        if size < 0
        else "a clock that was set, or a recording with a hole"
    )
    lost = " What comes after is older than what tf2 keeps, and left out until it is cleared." if size < 0 else ""
    return TfFault(
        "clock jump",
        "",
        f"The stamps of all frames jump {way} by {span(size)}: {why}.{lost}",
        when,
        int(log.log_ns[rows[1]]),
        rows=np.arange(int(rows[0]), int(rows[1]) + 1),
        mend=TfMend("leave out", "Leave out what comes after", log_ns=when) if size < 0 else None,
    )


def _own_jump(tracks: Tracks, delays: _Delays, places: list[int]) -> TfFault:
    track = delays.track
    frame = tracks.names[track.child]
    first = places[0]
    size = round(
        float(
            np.median(delays.off_ns[first : first + AROUND]) - np.median(delays.off_ns[max(0, first - AROUND) : first])
        )
    )
    rows = track.rows[places]
    way = "back" if size < 0 else "ahead"
    return TfFault(
        "clock jump",
        frame,
        f"The stamps of {frame} jump {way} by {span(size)}, and those of other frames do not: the clock"
        f"{f' of {listed(tracks.publishers(rows))}' if tracks.publishers(rows) else ''} was set.",
        int(track.log_ns[first]),
        int(track.log_ns[places[-1]]),
        count=len(places),
        publishers=tracks.publishers(rows),
        rows=rows,
    )


def _single(tracks: Tracks, delays: _Delays) -> Iterator[TfFault]:
    """Yield stamps that are off by themselves: ahead of what follows, or behind what came before."""
    track, off = delays.track, delays.off_ns - delays.usual_ns
    first = np.zeros(len(off), bool)
    first[np.unique(track.stamp_ns, return_index=True)[1]] = True  # others are repeated
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
    yield from _stamps(tracks, track, "future stamp", sorted(ahead), off)
    yield from _stamps(tracks, track, "backward stamp", behind, off)


def _is_step(delays: _Delays, i: int) -> bool:
    """Return whether a sample begins a run with another delay, which is told as a jump of the clock."""
    off = delays.off_ns
    after, before = off[i : i + AROUND], off[max(0, i - AROUND) : i]
    return bool(np.abs(np.median(after) - np.median(before)) > CLOCK_NS)


def _stamps(tracks: Tracks, track: Track, kind: FaultKind, places: list[int], off: Array) -> Iterator[TfFault]:
    if not places:
        return
    frame = tracks.names[track.child]
    rows = track.rows[places]
    n = counted(len(places), "sample")
    if kind == "future stamp":
        cause = (
            f"{n} of {frame} {'is' if len(places) == 1 else 'are'} stamped up to {span(round(off[places].max()))} ahead"
            f" of {'its' if len(places) == 1 else 'their'} time{by(tracks.publishers(rows))}: until then tf2 turns from"
            " the sample before to a pose of the future, and forgets what is older than its cache by that stamp."
        )
    else:
        back = max(int(track.stamp_ns[i - 1] - track.stamp_ns[i]) for i in places)
        cause = (
            f"{n} of {frame} {'is' if len(places) == 1 else 'are'} stamped before the one sent earlier, by up to"
            f" {span(back)}{by(tracks.publishers(rows))}: tf2 puts what is within its cache in order, and leaves out"
            " the rest."
        )
    yield TfFault(
        kind,
        frame,
        cause,
        int(track.log_ns[places[0]]),
        int(track.log_ns[places[-1]]),
        count=len(places),
        severity="red" if kind == "future stamp" else "amber",
        publishers=tracks.publishers(rows),
        rows=rows,
        mend=TfMend("leave out", f"Leave out {n}", child=frame, stamps_ns=tuple(track.stamp_ns[places].tolist())),
    )


def _constant(tracks: Tracks, delays: _Delays) -> Iterator[TfFault]:
    """Yield that all stamps of a frame are behind those of others, or far ahead, or at no steady distance."""
    track = delays.track
    frame = tracks.names[track.child]
    middle = round(float(np.median(delays.off_ns)))
    low, high = (round(float(x)) for x in np.percentile(delays.off_ns, [5, 95]))
    publishers = tracks.publishers(track.rows)
    when = int(track.log_ns[0]), int(track.log_ns[-1])
    if high - low > SPREAD_NS:
        yield TfFault(
            "log time spread",
            frame,
            f"{frame} is received between {span(round(middle - low))} late and {span(round(high - middle))} early by"
            f" its stamps{by(publishers)}: they are sent in bursts, or stamped by a clock that runs differently.",
            *when,
            count=len(track.rows),
            severity="amber",
            publishers=publishers,
            rows=track.rows,
        )
    elif middle < -BEHIND_NS or middle > DATED_AHEAD_NS:
        where = f"{span(middle)} {'behind' if middle < 0 else 'ahead of'}"
        why = (
            "it is computed late, sent through a slow link, or its clock is not set: look-ups have to wait for it"
            if middle < 0
            else "the clock of its publisher is not set"
        )
        yield TfFault(
            "late stamps",
            frame,
            f"The stamps of {frame} are {where} those of other frames{by(publishers)}: {why}.",
            *when,
            count=len(track.rows),
            parent=tracks.names[int(track.parent[-1])],
            publishers=publishers,
            rows=track.rows,
        )

"""Faults of stamps: repeated, backward, ahead, behind, and clocks that jump.

What a stamp should be is told by when the sample was received: the delay between both is that of the frame's others.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from framescope.core.analysis.tf_autopsy.fault import FaultKind, TfFault, TfMend
from framescope.core.analysis.tf_autopsy.wording import by, counted, listed, span
from framescope.core.kernels.validation import Array
from framescope.core.recordings.bags.clock_jumps import (
    AROUND,
    CLOCK_NS,
    NOISES,
    ClockJump,
    Delays,
    clock_jumps,
    delays_of,
    steps_of,
)
from framescope.core.recordings.bags.tf_tracks import Track, Tracks
from framescope.core.recordings.tf_buffer import TF2_CACHE_S
from framescope.core.scene.schema.stamps import NS

AHEAD_NS = NS // 4
"""By how much a single stamp has to be off its expected one to be wrong; never less than `NOISES` of the usual."""

BEHIND_NS = NS // 2
"""By how much all stamps of a frame have to be behind those of others."""

DATED_AHEAD_NS = 2 * NS
"""By how much a localization may date its stamps ahead, so that look-ups need not wait."""

SPREAD_NS = NS // 2
"""Between the 5th and the 95th percentile of the delay."""


def clock_faults(tracks: Tracks) -> Iterator[TfFault]:
    """Yield the jumps of the clock that most frames have at once: at each of them another recording begins."""
    yield from (_clock_jump(tracks, jump) for jump in clock_jumps(tracks))


def stamp_faults(tracks: Tracks) -> Iterator[TfFault]:
    """Yield what is wrong with the stamps of each frame by itself."""
    yield from _repeated(tracks)
    for each in delays_of(tracks):
        own = steps_of(each)
        if own:
            yield _own_jump(tracks, each, own)
        yield from _single(tracks, each)
        if not own:
            yield from _constant(tracks, each)


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


def _clock_jump(tracks: Tracks, jump: ClockJump) -> TfFault:
    log = tracks.log
    first, last = jump.rows
    way, why = "ahead", "a clock that was set, or a recording with a hole"
    effect, mixed = "", np.zeros(0, np.int64)
    moving = (tracks.refused == 0) & ~log.is_static
    if jump.is_back:
        way, why = "back", "a simulation or a bag that was started again, or a clock that was set"
        newest = int(log.stamp_ns[:first][moving[:first]].max(initial=0))
        rest = np.arange(first, len(log))[moving[first:]]
        mixed = rest[log.stamp_ns[rest] <= newest]
        effect = f" {_of_mixture(-jump.size_ns, newest - int(log.stamp_ns[rest].max()))}"
    return TfFault(
        "clock jump",
        "",
        f"The stamps of all frames jump {way} by {span(jump.size_ns)}: {why}.{effect}",
        int(log.log_ns[first]),
        int(log.log_ns[last]),
        rows=np.union1d(np.arange(first, last + 1), mixed),
        mend=TfMend("leave out", "Leave out what comes after", log_ns=int(log.log_ns[first])) if jump.is_back else None,
    )


def _of_mixture(size_ns: int, left_ns: int) -> str:
    """Return what tf2 makes of a jump back by so much, after which the stamps end so long before those that were."""
    cache_ns = round(TF2_CACHE_S * NS)
    if left_ns > cache_ns:
        lost = f"What comes after is more than {TF2_CACHE_S:g} s older than the newest of tf2"
        return f"{lost}, and left out until it is cleared."
    mixed = "both runs at once, now of the one and now of the other"
    if size_ns <= cache_ns:
        return f"tf2 takes them, and for {span(size_ns)} it answers from {mixed}, until it is cleared."
    lost = f"What is more than {TF2_CACHE_S:g} s older than its newest it leaves out, {span(size_ns - cache_ns)} long"
    return f"{lost}; then it answers from {mixed}, until it is cleared."


def _own_jump(tracks: Tracks, delays: Delays, places: list[int]) -> TfFault:
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


def _single(tracks: Tracks, delays: Delays) -> Iterator[TfFault]:
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


def _is_step(delays: Delays, i: int) -> bool:
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


def _constant(tracks: Tracks, delays: Delays) -> Iterator[TfFault]:
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

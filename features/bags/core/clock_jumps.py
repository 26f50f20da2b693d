"""Clock jumps of a recording: where the stamps of all frames jump at once, and the runs between jumps back.

What a stamp should be is told by when the sample was received: the delay between both is that of the frame's others.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from framescope.core.kernels.validation import Array
from framescope.core.scene.schema.stamps import NS
from framescope.features.bags.core.tf_log import Flags, Whole
from framescope.features.bags.core.tf_tracks import Track, Tracks

NOISES = 10.0
"""How many times the usual a difference between delays has to be to mean something."""

CLOCK_NS = NS // 2
"""By how much the delay has to change, and stay, to be a jump of a clock."""

AROUND = 5
"""Samples to either side whose delay says what is usual."""

PROMPT_NS = 10 * NS
"""Time of reception before a sample over which the promptest delays say where its clock is."""

MIN_SAMPLES = 8


@dataclass(frozen=True)
class ClockJump:
    """Jump of the stamps of most frames at once.

    Attributes
    ----------
    rows
        Rows of the log at which the first frame and the last one jump.
    size_ns
        By how much, ns; negative for back.
    """

    rows: tuple[int, int]
    size_ns: int

    @property
    def is_back(self) -> bool:
        """Whether times come again that were there before."""
        return self.size_ns < 0


@dataclass(frozen=True)
class Run:
    """Part of a recording in which no clock jumps back.

    Attributes
    ----------
    from_ns, until_ns
        Times of reception between which it is, the last not included; None for its begin and its end, ns.
    first_ns, last_ns
        First and last stamp of what moves in it, ns.
    """

    from_ns: int | None
    until_ns: int | None
    first_ns: int
    last_ns: int

    def holds(self, tracks: Tracks) -> Flags:
        """Return which rows of a log are of the run: those received in it, and what was static before."""
        log = tracks.log
        taken = np.ones(len(log), bool)
        if self.from_ns is not None:
            taken &= (log.log_ns >= self.from_ns) | log.is_static
        if self.until_ns is not None:
            taken &= log.log_ns < self.until_ns
        return taken


def clock_jumps(tracks: Tracks) -> Iterator[ClockJump]:
    """Yield the jumps of the clock that most frames have at once, in the order of reception."""
    delays = delays_of(tracks)
    jumps = {each.track.child: steps_of(each) for each in delays}
    sizes = {int(each.track.rows[i]): step_ns(each, i) for each in delays for i in jumps[each.track.child]}
    for rows in _common(delays, jumps):
        yield ClockJump((min(rows), max(rows)), round(float(np.median([sizes[row] for row in rows]))))


def runs_of(tracks: Tracks) -> tuple[Run, ...]:
    """Return the runs of a log between jumps back, in the order of reception; one that is whole where none jumps."""
    log = tracks.log
    back = [jump.rows for jump in clock_jumps(tracks) if jump.is_back]
    begins = [None, *(int(log.log_ns[last]) for _, last in back)]
    ends = [*(int(log.log_ns[first]) for first, _ in back), None]
    moving = (tracks.refused == 0) & ~log.is_static
    runs: list[Run] = []
    for begin, end in zip(begins, ends, strict=True):
        rows = Run(begin, end, 0, 0).holds(tracks) & moving
        if rows.any():
            stamps = np.sort(log.stamp_ns[rows])
            runs.append(Run(begin, end, int(stamps[0]), int(stamps[-1])))
    return tuple(runs) or (Run(None, None, 0, 0),)


@dataclass(frozen=True, eq=False)
class Delays:
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

    @cached_property
    def prompt_ns(self) -> Array:
        """Delays (n,) of the promptest samples around each and in the time before it, ns.

        Queues that were held up make stamps late, never early: the clock itself is where the promptest samples are.
        """
        log_ns, n = self.track.log_ns, len(self.usual_ns)
        step = max(1, int(log_ns[-1] - log_ns[0]) // n)
        return _trailing_maximum(self.usual_ns, min(n, max(2 * AROUND, PROMPT_NS // step)) + 1)


def delays_of(tracks: Tracks) -> list[Delays]:
    """Return the delays of all moving frames, less what the recording as a whole has: its clock may be simulated."""
    moving = [each for each in tracks.by_frame if not each.is_static and len(each.rows) >= MIN_SAMPLES]
    if not moving:
        return []
    rate = _clock_rate(moving)
    begin = int(min(each.log_ns[0] for each in moving))
    offs = [each.stamp_ns - begin - np.round(rate * (each.log_ns - begin)).astype(np.int64) for each in moving]
    middle = int(np.median([np.median(off) for off in offs]))
    found: list[Delays] = []
    for track, off in zip(moving, offs, strict=True):
        usual = _running_median(off)
        noise = float(np.median(np.abs(off - usual)))
        found.append(Delays(track, off - middle, usual - middle, noise))
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


def _trailing_maximum(values: Array, size: int) -> Array:
    """Return the largest of each value and those before it, `size` in all, by van Herk's two passes over blocks.

    >>> _trailing_maximum(np.array([0.0, 5.0, 1.0, 2.0, 0.0]), 3)
    array([0., 5., 5., 5., 2.])
    """
    n = len(values)
    padded = np.concatenate([np.full(size - 1, -np.inf), values, np.full(-(n + size - 1) % size, -np.inf)])
    blocks = padded.reshape(-1, size)
    from_begin = np.maximum.accumulate(blocks, axis=1).ravel()
    to_end = np.maximum.accumulate(blocks[:, ::-1], axis=1)[:, ::-1].ravel()
    return np.maximum(to_end[:n], from_begin[size - 1 : size - 1 + n])


def _running_median(values: Whole) -> Array:
    """Return the median of each value and those around it."""
    padded = np.pad(values, AROUND, mode="edge")
    return np.median(np.lib.stride_tricks.sliding_window_view(padded, 2 * AROUND + 1), axis=1)


def steps_of(delays: Delays) -> list[int]:
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
    uneven = [i for i in found if abs(steps[i - 1] - np.median(steps)) > CLOCK_NS // 2]
    return [i for begin, i in pairwise([0, *uneven]) if _is_set(delays, i, begin)]


def _is_set(delays: Delays, i: int, begin: int) -> bool:
    """Return whether a clock was set where the delay changes at sample `i`, and no queue was held up.

    A clock that was set back sends stamps that were there before. One that was set ahead is further ahead than the
    promptest samples since `begin`, where it was set last: a queue that has been drained is as prompt as it was.
    """
    stamps, off = delays.track.stamp_ns, delays.off_ns
    before, after = slice(max(0, i - AROUND), i), slice(i, i + AROUND)
    if step_ns(delays, i) < 0.0:
        # The second of each: a single stamp may be wrong.
        return bool(np.sort(stamps[after])[:2][-1] < np.sort(stamps[before])[-2:][0])
    since = int(np.searchsorted(delays.track.log_ns, int(delays.track.log_ns[i]) - PROMPT_NS))
    begin = min(max(begin, since), max(0, i - AROUND - 1))
    earlier = delays.usual_ns[begin : max(begin + 1, i - AROUND)]
    return bool(np.median(off[after]) - max(float(earlier.max()), float(np.median(off[before]))) > CLOCK_NS)


def step_ns(delays: Delays, i: int) -> float:
    """Return by how much the delay changes at sample `i`, ns."""
    off = delays.off_ns
    return float(np.median(off[i : i + AROUND]) - np.median(off[max(0, i - AROUND) : i]))


def _common(delays: list[Delays], jumps: dict[int, list[int]]) -> list[list[int]]:
    """Return the rows at which most frames jump at once, for each such moment."""
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
    return [[row for _, row, _ in group] for group in groups if len({child for _, _, child in group}) >= most or single]

"""Clock jumps of a recording: simultaneous jumps of all frames' stamps, and the runs between jumps back.

The expected stamp of a sample follows from its time of reception: the delay between the two is nearly constant.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

import numpy as np

from framescope.core.kernels.validation import Array
from framescope.core.scene.schema.stamps import NS
from framescope.features.bags.core.tf_log import Flags, Whole
from framescope.features.bags.core.tf_tracks import Track, Tracks, is_below_world

NOISES = 10.0
"""Factor by which a difference of delays must exceed their usual spread to count."""

CLOCK_NS = NS // 2
"""Lasting change of the delay from which it counts as a clock jump, ns."""

AROUND = 5
"""Samples on either side that give the usual delay."""

PROMPT_NS = 10 * NS
"""Time of reception before a sample over which the promptest delays give the clock's offset, ns."""

OUT_OF_ORDER = 4.0
"""Factor of the usual spread of delays by which the stamps of samples received out of order go back."""

RECEIVED_AT_ONCE_NS = NS // 4
"""Delay of a frame below which its clock is that of the recorder, ns."""

DATED_AHEAD_BELOW = ("earth", "map", "world")
"""Parents of frames that a localization dates ahead, so that look-ups need not wait."""

MIN_SAMPLES = 8


@dataclass(frozen=True)
class ClockJump:
    """Simultaneous jump of the stamps of most frames.

    Attributes
    ----------
    rows
        Rows of the log at which the frames jump, in order of reception.
    size_ns
        Size of the jump, ns; negative for a jump back.
    """

    rows: tuple[int, ...]
    size_ns: int

    @property
    def ends(self) -> tuple[int, int]:
        """Rows of the log at which the first and the last frame jump."""
        return self.rows[0], self.rows[-1]

    @property
    def is_back(self) -> bool:
        """Whether the clock repeats earlier times."""
        return self.size_ns < 0


@dataclass(frozen=True)
class ClockRun:
    """Part of a recording without a jump back of the clock.

    Attributes
    ----------
    from_ns, until_ns
        Bounds of the time of reception, ns, the second one excluded; None at the beginning and end of the recording.
    first_ns, last_ns
        First and last stamp of moving frames in the run, ns.
    """

    from_ns: int | None
    until_ns: int | None
    first_ns: int
    last_ns: int

    def holds(self, tracks: Tracks) -> Flags:
        """Return a mask of the log's rows in the run: rows received in it, and earlier static rows."""
        log = tracks.log
        taken = np.ones(len(log), bool)
        if self.from_ns is not None:
            taken &= (log.log_ns >= self.from_ns) | log.is_static
        if self.until_ns is not None:
            taken &= log.log_ns < self.until_ns
        return taken


def clock_jumps(tracks: Tracks) -> Iterator[ClockJump]:
    """Yield the simultaneous clock jumps of most frames, in order of reception."""
    delays = [item.select(~resent_samples(item)) for item in delays_of(tracks)]
    jumps = {item.track.child: steps_of(item) for item in delays}
    sizes = {int(delay.track.rows[i]): step_ns(delay, i) for delay in delays for i in jumps[delay.track.child]}
    for rows in _common(delays, jumps):
        yield ClockJump(tuple(sorted(rows)), round(float(np.median([sizes[row] for row in rows]))))


def runs_of(tracks: Tracks) -> tuple[ClockRun, ...]:
    """Return the runs of a log between jumps back, in order of reception; a log without jumps is one run."""
    log = tracks.log
    back = [jump.ends for jump in clock_jumps(tracks) if jump.is_back]
    begins = [None, *(int(log.log_ns[last]) for _, last in back)]
    ends = [*(int(log.log_ns[first]) for first, _ in back), None]
    moving = (tracks.refused == 0) & ~log.is_static
    runs: list[ClockRun] = []
    for begin, end in zip(begins, ends, strict=True):
        rows = ClockRun(begin, end, 0, 0).holds(tracks) & moving
        if rows.any():
            stamps = np.sort(log.stamp_ns[rows])
            runs.append(ClockRun(begin, end, int(stamps[0]), int(stamps[-1])))
    return tuple(runs) or (ClockRun(None, None, 0, 0),)


def epochs_of(tracks: Tracks, jumps: Iterable[ClockJump]) -> Whole:
    """Return the number of clock jumps before each row of a log; each frame jumps at its own row."""
    epochs = np.zeros(len(tracks.log), np.int64)
    for jump in jumps:
        begins = np.full(len(tracks.names), jump.rows[0])
        rows = np.array(jump.rows)
        begins[tracks.child[rows]] = rows
        epochs += np.arange(len(epochs)) >= begins[tracks.child]
    return epochs


@dataclass(frozen=True, eq=False)
class Delays:
    """Delays between stamp and reception of the samples of one frame.

    Attributes
    ----------
    track
        The frame.
    off_ns : (n,)
        Difference of each stamp from the typical stamp at its time of reception in this recording, positive if ahead.
        The typical stamp is that of the frames that are received at once, if there are any.
    usual_ns : (n,)
        Median of `off_ns` over the samples around each sample.
    noise_ns
        Median deviation of `off_ns` from `usual_ns`.
    """

    track: Track
    off_ns: Whole
    usual_ns: Array
    noise_ns: float

    @cached_property
    def prompt_ns(self) -> Array:
        """Delays (n,) of the promptest samples around each sample and shortly before it, ns.

        Congested queues make stamps late, never early, so the promptest samples show the offset of the clock itself.
        """
        log_ns, n = self.track.log_ns, len(self.usual_ns)
        step = max(1, int(log_ns[-1] - log_ns[0]) // n)
        return _trailing_maximum(self.usual_ns, min(n, max(2 * AROUND, PROMPT_NS // step)) + 1)

    def select(self, is_chosen: Flags) -> Delays:
        """Return the delays of some samples."""
        if is_chosen.all():
            return self
        off = self.off_ns[is_chosen]
        return replace(self, track=self.track.select(is_chosen), off_ns=off, usual_ns=running_median(off))


def delays_of(tracks: Tracks) -> list[Delays]:
    """Return the delays of all moving frames relative to the whole recording, whose clock may be simulated."""
    moving = [track for track in tracks.by_frame if not track.is_static and len(track.rows) >= MIN_SAMPLES]
    if not moving:
        return []
    rate = _clock_rate(moving)
    begin = int(min(track.log_ns[0] for track in moving))
    offs = [track.stamp_ns - begin - np.round(rate * (track.log_ns - begin)).astype(np.int64) for track in moving]
    middle = _middle_ns(tracks, moving, offs, rate)
    delays: list[Delays] = []
    for track, off in zip(moving, offs, strict=True):
        usual = running_median(off)
        noise = float(np.median(np.abs(off - usual)))
        delays.append(Delays(track, off - middle, usual - middle, noise))
    return delays


def _middle_ns(tracks: Tracks, moving: Sequence[Track], offs: Sequence[Whole], rate: float) -> int:
    """Return the offset of the typical stamps from the time of reception, ns; localization may date its own ahead."""
    usual = [int(np.median(off)) for off in offs]
    own = [
        lag for lag, track in zip(usual, moving, strict=True) if not is_below_world(tracks, track, DATED_AHEAD_BELOW)
    ]
    at_once = [lag for lag in usual if abs(lag) < RECEIVED_AT_ONCE_NS]
    if rate == 1.0 and at_once:
        return int(np.median(at_once))
    return int(np.median(own or usual)) if len(own or usual) != 2 else max(own or usual)


def _clock_rate(moving: list[Track]) -> float:
    """Return the rate of stamps by time of reception: 1 except for a slower or faster simulation."""
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
    """Return the maximum of each value and its predecessors, `size` in all, by van Herk's two passes over blocks.

    >>> _trailing_maximum(np.array([0.0, 5.0, 1.0, 2.0, 0.0]), 3)
    array([0., 5., 5., 5., 2.])
    """
    n = len(values)
    padded = np.concatenate([np.full(size - 1, -np.inf), values, np.full(-(n + size - 1) % size, -np.inf)])
    blocks = padded.reshape(-1, size)
    from_begin = np.maximum.accumulate(blocks, axis=1).ravel()
    to_end = np.maximum.accumulate(blocks[:, ::-1], axis=1)[:, ::-1].ravel()
    return np.maximum(to_end[:n], from_begin[size - 1 : size - 1 + n])


def running_median(values: Whole) -> Array:
    """Return the median of each value and its neighbours."""
    padded = np.pad(values, AROUND, mode="edge")
    return np.median(np.lib.stride_tricks.sliding_window_view(padded, 2 * AROUND + 1), axis=1)


def steps_of(delays: Delays) -> list[int]:
    """Return the indices of samples at which the delay changes and then keeps its new value."""
    off, n = delays.off_ns, len(delays.off_ns)
    if n < 2 * AROUND:
        return []
    windows = np.median(np.lib.stride_tricks.sliding_window_view(off, AROUND), axis=1)
    before, after = windows[: n - 2 * AROUND + 1], windows[AROUND:]
    size = np.abs(after - before)
    # If the stamps go on evenly, the reception changed, not the clock.
    stamp_steps = np.diff(delays.track.stamp_ns)
    is_uneven = np.abs(stamp_steps - np.median(stamp_steps)) > CLOCK_NS // 2
    steps: list[int] = []
    for i in np.flatnonzero(size > max(CLOCK_NS, NOISES * delays.noise_ns)):
        if steps and i + AROUND - steps[-1] <= 2 * AROUND:
            continue
        near = np.arange(max(0, i), min(len(size), i + 2 * AROUND))
        best = int(near[np.argmax(size[near])]) + AROUND
        # The step lies where consecutive samples differ most.
        around = np.arange(max(1, best - AROUND), min(n, best + AROUND + 1))
        step = int(around[np.argmax(np.abs(np.diff(off)[around - 1]))])
        if is_uneven[step - 1]:
            steps.append(step)
    return [i for begin, i in pairwise([0, *steps]) if _is_clock_set(delays, i, begin)]


def _is_clock_set(delays: Delays, i: int, begin: int) -> bool:
    """Return whether the delay changes at sample `i` because a clock was set, not because a queue was congested.

    A clock that was set back repeats earlier stamps. A clock that was set ahead is ahead even of the promptest samples
    since `begin`, its previous setting; a congested queue returns to its former delay once drained.
    """
    stamps, off = delays.track.stamp_ns, delays.off_ns
    before, after = slice(max(0, i - AROUND), i), slice(i, i + AROUND)
    if step_ns(delays, i) < 0.0:
        # The second value on each side, as a single stamp may be wrong.
        return bool(np.sort(stamps[after])[:2][-1] < np.sort(stamps[before])[-2:][0])
    since = int(np.searchsorted(delays.track.log_ns, int(delays.track.log_ns[i]) - PROMPT_NS))
    begin = min(max(begin, since), max(0, i - AROUND - 1))
    earlier = delays.usual_ns[begin : max(begin + 1, i - AROUND)]
    return bool(np.median(off[after]) - max(float(earlier.max()), float(np.median(off[before]))) > CLOCK_NS)


def resent_samples(delays: Delays) -> Flags:
    """Return a mask of the samples whose stamp was sent before, except where a clock was set back.

    A clock that was set back by a multiple of the frame's period sends its former stamps again, in place of new ones.
    """
    stamps, n = delays.track.stamp_ns, len(delays.off_ns)
    resent = is_repeated(stamps)
    if not resent.any():
        return resent
    slack = round(OUT_OF_ORDER * delays.noise_ns)
    received = delays.track.log_ns
    runs: list[slice[int, int]] = []
    for begin, end in _runs_of_old_stamps(delays, slack):
        if _replaces_new_stamps(delays, begin, end):
            # The last samples with old stamps may be received after the first ones with new stamps.
            mixed = int(np.searchsorted(received, int(received[end - 1]) + 2 * slack, side="right"))
            runs.append(slice(begin, mixed + AROUND))
    of_clock = np.zeros(n, bool)
    for run in runs:
        of_clock[run] = True
    is_sent = ~resent | of_clock
    steps = np.flatnonzero(is_sent)[steps_of(delays.select(is_sent))].tolist()
    for run in runs:
        if all(abs(step - run.start) > 2 * AROUND for step in steps):
            of_clock[run] = False
    return resent & ~of_clock


def is_repeated(stamp_ns: Whole) -> Flags:
    """Return a mask of the stamps that an earlier sample has."""
    again = np.ones(len(stamp_ns), bool)
    again[np.unique(stamp_ns, return_index=True)[1]] = False
    return again


def due_ns(delays: Delays) -> Array:
    """Return the times (n,) of the samples by a common clock, ns: stamps less the usual delay of the frame's clock.

    A clock that is set has another usual delay from then on. Congested queues do not change it.
    """
    is_sent = ~resent_samples(delays)
    settings = np.flatnonzero(is_sent)[steps_of(delays.select(is_sent))]
    parts = np.split(delays.off_ns, settings)
    return delays.track.stamp_ns - np.concatenate([np.full(len(off), np.median(off)) for off in parts])


def _runs_of_old_stamps(delays: Delays, slack_ns: int) -> list[tuple[int, int]]:
    """Return begin and end of the runs of samples whose stamps are older than an earlier one by more than a slack."""
    stamps = delays.track.stamp_ns
    is_ahead = delays.off_ns > delays.usual_ns + max(CLOCK_NS, NOISES * delays.noise_ns)
    newest = np.maximum.accumulate(np.where(is_ahead, stamps.min(), stamps))
    old = np.flatnonzero(stamps[1:] <= newest[:-1] - slack_ns) + 1
    runs = np.split(old, np.flatnonzero(np.diff(old) > AROUND) + 1)
    return [(int(run[0]), int(run[-1]) + 1) for run in runs if len(run)]


def _replaces_new_stamps(delays: Delays, begin: int, end: int) -> bool:
    """Return whether samples with old stamps are sent by a clock that runs on, while no new stamps are sent."""
    off, stamps, received = delays.off_ns, delays.track.stamp_ns, delays.track.log_ns
    before = float(np.median(off[max(0, begin - AROUND) : begin]))
    low, middle, high = np.percentile(off[begin:end], [25, 50, 75])
    size = before - middle
    if size < CLOCK_NS or high - low > size / 2:
        return False
    if end == len(off):
        return True
    after = float(np.median(off[end : end + AROUND]))
    is_kept = before - after > size / 2
    has_hole = int(stamps[end]) - int(stamps[:begin].max()) > (int(received[end - 1]) - int(received[begin])) / 2
    return is_kept or has_hole


def step_ns(delays: Delays, i: int) -> float:
    """Return the change of the delay at sample `i`, ns."""
    off = delays.off_ns
    return float(np.median(off[i : i + AROUND]) - np.median(off[max(0, i - AROUND) : i]))


def _common(delays: list[Delays], jumps: dict[int, list[int]]) -> list[list[int]]:
    """Return the rows of each group of simultaneous jumps of most frames."""
    marks = sorted(
        (int(delay.track.log_ns[i]), int(delay.track.rows[i]), delay.track.child)
        for delay in delays
        for i in jumps[delay.track.child]
    )
    groups: list[list[tuple[int, int, int]]] = []
    for mark in marks:
        is_near = bool(groups) and mark[0] - groups[-1][0][0] < 2 * NS
        if is_near and all(mark[2] != other[2] for other in groups[-1]):
            groups[-1].append(mark)
        else:
            groups.append([mark])
    most = max(2, (len(delays) + 1) // 2)
    single = len(delays) == 1
    return [[row for _, row, _ in group] for group in groups if len({child for _, _, child in group}) >= most or single]

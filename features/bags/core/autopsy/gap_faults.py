"""Faults of time: gaps, frames that fall silent or start late, and simultaneous gaps of all frames.

The input includes all samples that were sent: a sample refused by tf2 leaves no gap, as it is reported as refused.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np

from framescope.core.kernels.lengths import distances, lengths
from framescope.core.kernels.validation import Array
from framescope.core.scene.schema.stamps import NS
from framescope.features.bags.core.autopsy.fault import TfFault
from framescope.features.bags.core.autopsy.finding import Finding
from framescope.features.bags.core.autopsy.static_faults import SAME_POSITION, SAME_TURN, turns
from framescope.features.bags.core.autopsy.wording import by, join_names, span
from framescope.features.bags.core.clock_jumps import Delays, delays_of, due_ns
from framescope.features.bags.core.tf_log import Whole
from framescope.features.bags.core.tf_tracks import GAP_NS, Track, Tracks, gap_limit_ns, is_below_world

MIN_SAMPLES = 10
"""Number of samples from which the usual step of a frame is known well enough to detect gaps."""

RARE_NS = 2 * NS
"""Median time between the samples of a fixed frame above which it is sent too rarely, ns."""

HOLE_NS, HOLE_STEPS = 2 * NS // 5, 10
"""Shortest gap of a frame in a hole of all frames, ns, and in multiples of the 90th percentile of the frame's steps.

The larger limit applies. It is shorter than that of a gap of one frame, as a node may pause.
"""


@dataclass(frozen=True)
class _Gap:
    """Gap in the stamps of a frame.

    Attributes
    ----------
    track
        The frame.
    before, after
        Indices of the samples before and after the gap.
    due_ns
        Time at which the gap begins by a clock common to all frames, ns.
    is_long
        Whether the gap is a fault of its own.
    """

    track: Track
    before: int
    after: int
    due_ns: float
    is_long: bool

    @property
    def stamps_ns(self) -> tuple[int, int]:
        return int(self.track.stamp_ns[self.before]), int(self.track.stamp_ns[self.after])

    @property
    def length_ns(self) -> int:
        first, last = self.stamps_ns
        return last - first

    @property
    def span_ns(self) -> tuple[float, float]:
        """Begin and end of the gap by a clock common to all frames, ns."""
        return self.due_ns, self.due_ns + self.length_ns


def gap_findings(tracks: Tracks) -> Iterator[Finding]:
    """Yield the gaps of moving frames; simultaneous gaps of all frames are reported as one hole."""
    delays = {item.track.child: item for item in delays_of(tracks)}
    moving = [item for item in tracks.by_frame if not item.is_static and len(item.in_time) >= MIN_SAMPLES]
    due = {track.child: due_ns(delays[track.child]) for track in moving}
    gaps = [gap for track in moving for gap in _gaps(delays[track.child], due[track.child])]
    holes = list(_holes(gaps, due))
    common = {id(gap) for hole in holes for gap in hole}
    if holes:
        yield _hole_finding(holes)
    for track in moving:
        own = [gap for gap in gaps if gap.track is track and gap.is_long and id(gap) not in common]
        if own:
            steps = np.diff(track.stamp_ns[track.in_time])
            sizes = float(max(gap.length_ns for gap in own)), float(np.median(steps))
            yield _finding(own, tracks.names[track.child], sizes)


def _gaps(delays: Delays, due: Array) -> Iterator[_Gap]:
    """Yield the gaps of a frame, and its shorter ones that may belong to a hole of all frames."""
    track = delays.track
    order = track.in_time
    stamps, received = track.stamp_ns[order], track.log_ns[order]
    steps = np.diff(stamps)
    long = gap_limit_ns(stamps)
    for i in np.flatnonzero(steps > min(long, hole_limit_ns(stamps))).tolist():
        # If no sample is missing in reception and the next ones are ahead of their time, the clock was set.
        has_none = abs(int(received[i + 1]) - int(received[i])) < steps[i] // 2
        ahead = delays.off_ns[order[i + 1]] - delays.prompt_ns[order[i]]
        if not (has_none and ahead > steps[i] // 2):
            yield _Gap(track, int(order[i]), int(order[i + 1]), float(due[order[i]]), bool(steps[i] > long))


def hole_limit_ns(stamp_ns: Whole) -> int:
    """Return the time between two samples of a frame above which it may belong to a hole of all frames, ns.

    >>> hole_limit_ns(np.arange(0, 50) * 20_000_000), hole_limit_ns(np.arange(0, 50) * 100_000_000)
    (400000000, 1000000000)
    """
    return max(HOLE_NS, round(HOLE_STEPS * float(np.percentile(np.diff(stamp_ns), 90))))


def _holes(gaps: list[_Gap], due: Mapping[int, Array]) -> Iterator[list[_Gap]]:
    """Yield groups of simultaneous gaps during which no other frame has a sample; `due` has all samples by frame."""
    groups: list[tuple[float, float, list[_Gap]]] = []
    for gap in sorted(gaps, key=lambda gap: gap.span_ns):
        begin, end = gap.span_ns
        if groups and min(end, groups[-1][1]) - begin >= HOLE_NS:
            groups[-1] = begin, min(end, groups[-1][1]), [*groups[-1][2], gap]
        else:
            groups.append((begin, end, [gap]))
    for begin, end, group in groups:
        frames = {gap.track.child for gap in group}
        others = (times for child, times in due.items() if child not in frames)
        if len(group) >= max(2, (len(due) + 1) // 2) and not any(
            ((times > begin) & (times < end)).any() for times in others
        ):
            yield group


def _finding(gaps: list[_Gap], frame: str, sizes: tuple[float, ...]) -> Finding:
    return Finding(
        "gap",
        frame,
        _gap_fault,
        np.array([gap.track.rows[gap.after] for gap in gaps], np.int64),
        min(int(gap.track.log_ns[gap.before]) for gap in gaps),
        max(int(gap.track.log_ns[gap.after]) for gap in gaps),
        len(gaps),
        sizes,
    )


def _hole_finding(holes: list[list[_Gap]]) -> Finding:
    gaps = [gap for hole in holes for gap in hole]
    lengths = [gap.length_ns for gap in gaps]
    whole = _finding(gaps, "", (float(max(lengths)), float(min(lengths))))
    return replace(whole, describe=_hole_fault, count=len(holes))


def _gap_fault(tracks: Tracks, finding: Finding) -> TfFault:
    frame, (longest, usual) = finding.frame, finding.sizes
    child = tracks.names.index(frame)
    rows = np.flatnonzero((tracks.child == child) & (tracks.refused == 0))
    cause = (
        f"{frame} is missing for {span(round(longest))}"
        f"{'' if finding.count == 1 else f' at most, in {finding.count} gaps'}. Usually it is sent every"
        f" {span(round(usual))}"
        f"{by(tracks.publishers(rows))}."
    )
    return _fault(tracks, finding, cause, tracks.publishers(rows))


def _hole_fault(tracks: Tracks, finding: Finding) -> TfFault:
    longest, shortest = (round(size) for size in finding.sizes)
    frames = [tracks.names[child] for child in dict.fromkeys(map(int, tracks.child[finding.rows]))]
    length = span(longest) if span(longest) == span(shortest) else f"{span(shortest)} to {span(longest)}"
    times = "" if finding.count == 1 else f", {finding.count} times"
    cause = (
        f"No frame is recorded for {length}{times} ({join_names(frames)}). The recorder or its computer stalled and"
        " lost messages, or the recording was paused."
    )
    return _fault(tracks, finding, cause, ())


def _fault(tracks: Tracks, finding: Finding, cause: str, publishers: tuple[str, ...]) -> TfFault:
    return TfFault(
        finding.kind,
        finding.frame,
        cause,
        finding.first_ns,
        finding.last_ns,
        count=finding.count,
        severity="amber",
        parent=tracks.names[int(tracks.parent[finding.rows[0]])] if finding.frame else "",
        publishers=publishers,
        rows=finding.rows,
    )


def silence_faults(tracks: Tracks) -> Iterator[TfFault]:
    """Yield the moving frames that stop being sent, including frames sent only once or a few times.

    A frame that is sent too rarely and always as the same pose is reported, too.
    """
    moving = [track for track in tracks.by_frame if not track.is_static]
    end_of_frames = max((int(track.log_ns.max()) for track in moving), default=0)
    last_stamp = max(map(_last_stamp, moving), default=0)
    for track in moving:
        is_fixed = _stays(track) and not track.is_mixed
        limit, end = _silence_limit_ns(track, is_fixed=is_fixed), end_of_frames
        if is_fixed and len(track.in_time) < MIN_SAMPLES and end - int(track.log_ns.max()) <= limit:
            end = max(
                end, tracks.log.span_ns[1] if tracks.log.span_ns else 0
            )  # the other topics show that the recording goes on
        silent = end - int(track.log_ns.max())
        # If only the reception ends early, the other frames were late.
        is_late = end == end_of_frames and last_stamp - _last_stamp(track) <= limit
        if silent <= limit or is_late:
            if is_fixed and _is_rare(tracks, track):
                yield _rare_fault(tracks, track)
            continue
        frame = tracks.names[track.child]
        publishers = tracks.publishers(track.rows)
        n = len(track.in_time)
        usual = span(int(np.median(np.diff(track.stamp_ns[track.in_time])))) if n > 1 else ""
        cause = (
            f"{frame} is no longer sent for the last {span(silent)}. Before, it was sent every {usual}{by(publishers)}."
        )
        if n < MIN_SAMPLES or is_fixed:
            times = "once" if n == 1 else f"{n:,} times"
            pose = ", always as the same pose" if n > 1 and _stays(track) else ""
            cause = (
                f"{frame} is sent {times} as a moving frame{by(publishers)}{pose}, and no longer for the last"
                f" {span(silent)}: every later look-up fails."
            )
            if n == 1 or _stays(track):
                cause += " Send a frame that does not move on /tf_static, where it is valid at all times."
        yield TfFault(
            "silence",
            frame,
            cause,
            int(track.log_ns.max()),
            end,
            parent=tracks.names[int(track.parent[-1])],
            publishers=publishers,
            rows=track.rows[-1:],
        )


def _silence_limit_ns(track: Track, *, is_fixed: bool) -> int:
    """Return the time after the last sample of a frame above which it has fallen silent, ns.

    A few samples of one pose tell no period: the longest step between them counts.
    """
    stamps = track.stamp_ns[track.in_time]
    limit = gap_limit_ns(stamps)
    if is_fixed and len(stamps) < MIN_SAMPLES:
        return min(limit, max(GAP_NS, 3 * int(np.diff(stamps).max(initial=0)) // 2))
    return limit


def _is_rare(tracks: Tracks, track: Track) -> bool:
    """Return whether look-ups of a frame that stays wait long for the next sample; localization may stand still."""
    stamps = track.stamp_ns[track.in_time]
    return len(stamps) > 1 and float(np.median(np.diff(stamps))) > RARE_NS and not is_below_world(tracks, track)


def _rare_fault(tracks: Tracks, track: Track) -> TfFault:
    frame, n = tracks.names[track.child], len(track.in_time)
    step = span(int(np.median(np.diff(track.stamp_ns[track.in_time]))))
    publishers = tracks.publishers(track.rows)
    return TfFault(
        "fixed on tf",
        frame,
        f"{frame} is sent only every {step} as a moving frame ({n:,} times{by(publishers)}), always as the same pose:"
        f" look-ups fail for up to {step}, until the next sample is received. Send a frame that does not move on"
        " /tf_static, where it is valid at all times.",
        int(track.log_ns.min()),
        int(track.log_ns.max()),
        count=n,
        severity="amber",
        parent=tracks.names[int(track.parent[-1])],
        publishers=publishers,
        rows=track.rows,
    )


def _stays(track: Track) -> bool:
    """Return whether all samples of a frame are the same pose."""
    size = max(1.0, float(lengths(track.position).max()))
    moved = distances(track.position, track.position[0])
    is_placed = bool((moved <= SAME_POSITION * size).all())
    return is_placed and bool((turns(track.quaternion) <= SAME_TURN).all())


def late_starts(tracks: Tracks) -> Iterator[TfFault]:
    """Yield the moving frames that start long after the others, such as one from a localization that begins late."""
    moving = [track for track in tracks.by_frame if not track.is_static and len(track.in_time) >= MIN_SAMPLES]
    start = min((int(track.log_ns.min()) for track in moving), default=0)
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
            f" its pose in {parent} is unknown until then.",
            start,
            first,
            severity="note",
            parent=parent,
            publishers=tracks.publishers(track.rows),
            rows=track.rows[:1],
        )


def _first_stamp(track: Track) -> int:
    """Return the median of the first stamps, as a single one may be wrong."""
    return int(np.median(track.stamp_ns[:3]))


def _last_stamp(track: Track) -> int:
    """Return the median of the last stamps, as a single one may be wrong."""
    return int(np.median(track.stamp_ns[-3:]))

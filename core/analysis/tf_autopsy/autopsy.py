"""The autopsy: all faults of a log of transforms, the gravest first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import pairwise

import numpy as np

from framescope.core.analysis.tf_autopsy.answers import answered
from framescope.core.analysis.tf_autopsy.fault import TfFault
from framescope.core.analysis.tf_autopsy.mends import with_good_mends
from framescope.core.analysis.tf_autopsy.sample_faults import gap_faults, jump_faults, late_starts, refused_faults
from framescope.core.analysis.tf_autopsy.stamp_faults import clock_faults, stamp_faults
from framescope.core.analysis.tf_autopsy.static_faults import static_faults
from framescope.core.analysis.tf_autopsy.tree_faults import apart_faults, loop_faults, parent_faults, slash_faults
from framescope.core.recordings.bags.tf_log import TfLog
from framescope.core.recordings.bags.tf_tracks import tracks_of
from framescope.core.system.cooperative_yield import breathe

_GRAVITY = {"red": 0, "amber": 1, "note": 2}

CHECKS_OF_ALL = (refused_faults, parent_faults, loop_faults, apart_faults, slash_faults, static_faults)
"""What looks for faults in a whole log; each takes it sorted out, and yields those of its kinds."""

CHECKS_OF_PARTS = (stamp_faults, gap_faults, late_starts, jump_faults)
"""What looks for faults between two jumps of the clock."""


def examine(log: TfLog) -> tuple[TfFault, ...]:
    """Return the faults of a log: the gravest first, then by time.

    Parameters
    ----------
    log
        All transforms of one namespace; see `framescope.core.recordings.bags.tf_log.read_tf`.

    Notes
    -----
    A fault that another explains is not told: a frame with two parents jumps, a sample that is refused leaves a gap.
    A mend is given where the log that it leaves is without the fault, and has no other. Takes the time of reading, and
    a third of it for each mend, about; it may be called on any thread.
    """
    found = with_good_mends(log, _found(log), _found)
    return tuple(sorted(answered(tracks_of(log), found), key=by_gravity))


def _found(log: TfLog) -> list[TfFault]:
    """Return the faults of a log that no other explains, without answers."""
    tracks = tracks_of(log)
    clock = list(clock_faults(tracks))
    found = list(clock)
    for check in CHECKS_OF_ALL:
        breathe()
        found += check(tracks)
    found += _united(
        fault
        for begin, part in _parts(log, clock)
        for fault in _faults_of(part, begin, is_last=begin + len(part) == len(log))
    )
    return _explained(found)


def by_gravity(fault: TfFault) -> tuple[int, int]:
    """Return the key by which faults are sorted: the gravest first, then by time."""
    return _GRAVITY[fault.severity], fault.first_ns


def _parts(log: TfLog, clock: list[TfFault]) -> Iterator[tuple[int, TfLog]]:
    """Yield the parts of a log between jumps of the clock, each with the number of its first row."""
    ends = [0, *(int(fault.rows[0]) for fault in clock), len(log)]
    for begin, end in pairwise(ends):
        yield begin, log if len(ends) == 2 else log.rows(np.arange(begin, end))


def _faults_of(part: TfLog, begin: int, *, is_last: bool) -> Iterator[TfFault]:
    tracks = tracks_of(part)
    for check in CHECKS_OF_PARTS:
        breathe()
        for fault in check(tracks):
            # Beside a jump of the clock a frame may go on after it, or have been there before it.
            if (fault.kind != "silence" or is_last) and (fault.kind != "late start" or begin == 0):
                yield replace(fault, rows=fault.rows + begin)


def _united(faults: Iterable[TfFault]) -> list[TfFault]:
    """Return faults of parts with those of one kind and frame as one, told in the words of the most frequent."""
    groups: dict[tuple[str, str], list[TfFault]] = {}
    for fault in faults:
        groups.setdefault((fault.kind, fault.frame), []).append(fault)
    return [
        replace(
            max(group, key=lambda fault: fault.count),
            first_ns=min(fault.first_ns for fault in group),
            last_ns=max(fault.last_ns for fault in group),
            count=sum(fault.count for fault in group),
            rows=np.concatenate([fault.rows for fault in group]),
        )
        for group in groups.values()
    ]


EXPLAINS: dict[str, tuple[str, ...]] = {
    "two parents": ("jump", "outlier", "repeated stamp", "backward stamp", "gap"),
    "static and moving": (
        "jump",
        "outlier",
        "repeated stamp",
        "backward stamp",
        "gap",
        "silence",
        "late start",
        "static changed",
        "static late",
    ),
    "loop": ("static late", "static changed"),
    "not finite": ("gap", "silence", "late start"),
    "not unit": ("gap", "silence", "late start"),
    "future stamp": ("gap", "jump", "outlier", "backward stamp", "repeated stamp"),
    "backward stamp": ("jump", "outlier", "repeated stamp"),
    "clock jump": ("gap", "jump", "outlier", "backward stamp", "future stamp"),
    "late stamps": ("silence",),
}
"""What else comes of a fault in the same frame."""


def _explained(faults: list[TfFault]) -> list[TfFault]:
    """Return the faults that no other explains."""
    explained = {(other, fault.frame) for fault in faults for other in EXPLAINS.get(fault.kind, ())}
    return [fault for fault in faults if (fault.kind, fault.frame) not in explained]

"""Answers of tf2 at the faults: the log is sent to a buffer again, with a look-up at the moment of each fault."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from framescope.core.recordings.tf_buffer import LATEST, TF2_CACHE_S, TfBuffer, TfLookUpError
from framescope.core.scene.schema.stamps import NS
from framescope.features.bags.core.autopsy.fault import TfFault
from framescope.features.bags.core.tf_log import insert_row
from framescope.features.bags.core.tf_tracks import Tracks

ASKED_AFTER_NS = NS // 4
"""Time after a jump of a frame's clock at which the frame is looked up, ns."""


@dataclass(frozen=True)
class _Question:
    """Look-up in the buffer after the first `n_rows` rows have been sent."""

    n_rows: int
    fault: int
    target: str
    source: str
    stamp_ns: int


def add_answers(tracks: Tracks, all_faults: Iterable[TfFault]) -> list[TfFault]:
    """Return the faults with the error of tf2 at each, for its default cache; empty if the look-up succeeds."""
    faults = list(all_faults)
    questions = sorted(
        filter(None, map(_question, [tracks] * len(faults), range(len(faults)), faults)), key=lambda q: q.n_rows
    )
    log = tracks.log
    buffer = TfBuffer(TF2_CACHE_S)
    sent = 0
    for question in questions:
        for i in range(sent, question.n_rows):
            insert_row(buffer, log, i)
        sent = max(sent, question.n_rows)
        try:
            buffer.look_up(question.target, question.source, question.stamp_ns)
        except TfLookUpError as error:
            faults[question.fault] = replace(faults[question.fault], answer=error.tf2_message.strip())
    return faults


def _question(tracks: Tracks, i: int, fault: TfFault) -> _Question | None:
    """Return the look-up that shows a fault, usually of the frame in its parent at that moment."""
    log = tracks.log
    if fault.kind == "two parents":
        usual = _usual_parent(tracks, fault)
        return _Question(int(fault.rows[0]) + 1, i, usual, fault.frame, LATEST)
    if fault.kind == "trees apart":
        top = next((name for name in _roots(tracks) if name != fault.frame), fault.frame)
        return _Question(len(log), i, top, fault.frame, LATEST)
    if fault.kind == "similar name":
        return _Question(len(log), i, fault.parent, fault.frame, LATEST)
    if fault.kind == "leading slash":
        return _Question(int(fault.rows[0]) + 1, i, f"/{fault.frame}", _other(tracks, fault), LATEST)
    if fault.kind in ("static late", "late start"):
        return _Question(int(np.searchsorted(log.log_ns, fault.last_ns)), i, fault.parent, fault.frame, LATEST)
    if fault.kind == "gap" and not fault.frame:  # a gap in all frames: ask for the first of them
        row = int(fault.rows[0])
        child, parent = tracks.names[int(tracks.child[row])], tracks.names[int(tracks.parent[row])]
        fault = replace(fault, frame=child, parent=parent)
    if fault.kind in ("gap", "silence"):
        last = int(np.searchsorted(log.log_ns, fault.first_ns, side="right"))
        asked = _first_stamp_after(tracks, fault)
        middle = (_last_stamp(tracks, fault.frame, last) + asked) // 2
        return _Question(last, i, fault.parent, fault.frame, middle)
    if fault.kind in ("not finite", "not unit") and len(fault.rows):
        return _Question(int(fault.rows[0]) + 1, i, fault.parent, fault.frame, _stamp(tracks, fault))
    return _question_about_stamps(tracks, i, fault)


def _question_about_stamps(tracks: Tracks, i: int, fault: TfFault) -> _Question | None:
    """Return the look-up of a listener that asks for the newest time of other frames at a fault of stamps."""
    log = tracks.log
    if fault.kind == "fixed on tf":
        first, second = (int(row) for row in fault.rows[:2])
        stamps = int(log.stamp_ns[first]), int(log.stamp_ns[second])
        return _Question(second, i, fault.parent, fault.frame, sum(stamps) // 2)
    if fault.kind == "constant stamp":
        row = int(fault.rows[-1])
        child, parent = tracks.names[int(tracks.child[row])], tracks.names[int(tracks.parent[row])]
        return _Question(row + 1, i, parent, child, int(log.stamp_ns[row]) + NS)
    if fault.kind == "clock jump" and fault.frame:
        row = int(np.searchsorted(log.log_ns, fault.first_ns + ASKED_AFTER_NS))
        newest = int(log.stamp_ns[:row][~log.is_static[:row]].max(initial=0))
        parent = tracks.names[int(tracks.parent[fault.rows[0]])]
        return _Question(row, i, parent, fault.frame, newest)
    if fault.kind == "late stamps" and fault.frame:
        row = int(fault.rows[len(fault.rows) // 2])
        newest = int(log.stamp_ns[: row + 1][~log.is_static[: row + 1]].max(initial=0))
        return _Question(row + 1, i, fault.parent, fault.frame, newest)
    return None


def _stamp(tracks: Tracks, fault: TfFault) -> int:
    return int(tracks.log.stamp_ns[fault.rows[0]])


def _usual_parent(tracks: Tracks, fault: TfFault) -> str:
    child = tracks.names.index(fault.frame)
    parents = tracks.parent[(tracks.child == child) & (tracks.refused == 0)]
    others = [int(i) for i in np.unique(parents) if tracks.names[int(i)] != fault.parent]
    return tracks.names[max(others, key=lambda i: int((parents == i).sum()))]


def _roots(tracks: Tracks) -> list[str]:
    children = {track.child for track in tracks.by_frame}
    counts = np.bincount(tracks.parent[tracks.refused == 0], minlength=len(tracks.names))
    return [tracks.names[i] for i in np.argsort(-counts, kind="stable") if counts[i] and i not in children]


def _other(tracks: Tracks, fault: TfFault) -> str:
    row = int(fault.rows[0])
    child, parent = tracks.names[int(tracks.child[row])], tracks.names[int(tracks.parent[row])]
    return parent if child == fault.frame else child


def _last_stamp(tracks: Tracks, frame: str, n_rows: int) -> int:
    child = tracks.names.index(frame)
    return int(tracks.log.stamp_ns[:n_rows][(tracks.child[:n_rows] == child) & (tracks.refused[:n_rows] == 0)].max())


def _first_stamp_after(tracks: Tracks, fault: TfFault) -> int:
    child = tracks.names.index(fault.frame)
    mine = tracks.log.stamp_ns[(tracks.child == child) & (tracks.refused == 0)]
    last = _last_stamp(tracks, fault.frame, int(np.searchsorted(tracks.log.log_ns, fault.first_ns, side="right")))
    later = mine[mine > last]
    return int(later.min()) if len(later) else last + (fault.last_ns - fault.first_ns)

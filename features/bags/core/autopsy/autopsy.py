"""The autopsy: all faults of a log of transforms, the most severe first."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from framescope.core.system.cooperative_yield import checkpoint
from framescope.features.bags.core.autopsy.answers import add_answers
from framescope.features.bags.core.autopsy.fault import FaultKind, TfFault
from framescope.features.bags.core.autopsy.finding import Finding, unite
from framescope.features.bags.core.autopsy.fixes import with_good_fixes
from framescope.features.bags.core.autopsy.gap_faults import gap_findings, late_starts, silence_faults
from framescope.features.bags.core.autopsy.plausibility import far_faults
from framescope.features.bags.core.autopsy.sample_faults import jump_findings, refused_faults
from framescope.features.bags.core.autopsy.source_faults import two_sources_faults
from framescope.features.bags.core.autopsy.stamp_faults import (
    clock_fault,
    constant_stamp_faults,
    holes_of_reception,
    offset_faults,
    repeated_findings,
    stamp_findings,
)
from framescope.features.bags.core.autopsy.static_faults import static_faults
from framescope.features.bags.core.autopsy.tree_faults import (
    apart_faults,
    doubled_faults,
    loop_faults,
    parent_faults,
    slash_faults,
)
from framescope.features.bags.core.clock_jumps import clock_jumps, epochs_of
from framescope.features.bags.core.tf_log import Flags, TfLog, Whole
from framescope.features.bags.core.tf_tracks import REFUSALS, Tracks, tracks_of

_GRAVITY = {"red": 0, "amber": 1, "note": 2}

CHECKS_OF_ALL = (
    refused_faults,
    parent_faults,
    loop_faults,
    apart_faults,
    doubled_faults,
    slash_faults,
    constant_stamp_faults,
    two_sources_faults,
    far_faults,
)
"""Checks of a whole log: parents, names, and rows that tf2 refuses."""

CAUSES: tuple[FaultKind, ...] = (
    *("two parents", "static and moving", "loop", "two sources"),
    *("future stamp", "backward stamp", "repeated stamp", "constant stamp"),
)
"""Kinds of faults whose rows are skipped by later checks, because consequences of a fault are not reported again."""


def examine(log: TfLog) -> tuple[TfFault, ...]:
    """Return the faults of a log, sorted by severity, then by time.

    Parameters
    ----------
    log
        All transforms of one namespace; see `framescope.features.bags.core.tf_log.read_tf`.

    Notes
    -----
    Causes are looked for before their consequences: parents and names first, then static transforms and clocks, stamps,
    gaps, and jumps of poses. A check skips the rows that an earlier cause blames. So a frame with two parents has no
    jumps, and a refused sample leaves no gap. Other faults of the frame are still reported. A fix is offered only if it
    removes the fault without causing another one. The autopsy takes about as long as reading, and each fix about a
    third of that. It may be called on any thread.
    """
    faults = with_good_fixes(log, _faults(log), _faults)
    return tuple(sorted(add_answers(tracks_of(log), faults), key=by_gravity))


def _faults(log: TfLog) -> list[TfFault]:
    """Return the faults of a log that no other fault explains, without answers of tf2."""
    tracks = tracks_of(log)
    faults: list[TfFault] = []
    for check in CHECKS_OF_ALL:
        checkpoint()
        faults += check(tracks)
    whole = _View(tracks, np.arange(len(log)))
    remaining = whole.without(_rows_of(faults, CAUSES))
    faults += remaining.with_log_rows(static_faults(remaining.tracks))
    jumps = tuple(clock_jumps(remaining.tracks))
    faults += remaining.with_log_rows(clock_fault(remaining.tracks, jump) for jump in jumps)
    jumps = tuple(replace(jump, rows=tuple(remaining.rows[list(jump.rows)].tolist())) for jump in jumps)
    epochs = epochs_of(tracks, jumps)
    faults += remaining.with_log_rows(() if jumps else offset_faults(remaining.tracks))
    find_stamp_faults = partial(stamp_findings, holes=holes_of_reception(remaining.tracks))
    faults += _describe_parts(tracks, remaining, epochs, repeated_findings)
    faults += _describe_parts(tracks, remaining.without(_rows_of(faults, CAUSES)), epochs, find_stamp_faults)
    blamed = _rows_of(faults, CAUSES)
    sent = _repair_samples(tracks, blamed, _rows_of(faults, ["static and moving"]))
    faults += _describe_parts(tracks, sent, epochs, gap_findings)
    faults += _ends_of_frames(sent, epochs)
    faults += _describe_parts(tracks, whole.without(blamed), epochs, jump_findings)
    return _drop_explained(faults)


def by_gravity(fault: TfFault) -> tuple[int, int]:
    """Return the sort key of a fault: severity, then time."""
    return _GRAVITY[fault.severity], fault.first_ns


@dataclass(frozen=True, eq=False)
class _View:
    """Some rows of a log by frame, with their row numbers `rows` (n,) in the whole log."""

    tracks: Tracks
    rows: Whole

    def without(self, rows: Whole) -> _View:
        """Return the view without some rows of the log."""
        return self._select(~np.isin(self.rows, rows)) if len(rows) else self

    def in_epoch(self, epochs: Whole, epoch: int) -> _View:
        """Return the view of the rows of one epoch, given the epoch of each row of the log."""
        is_within = epochs[self.rows] == epoch
        return self if is_within.all() else self._select(is_within)

    def _select(self, is_chosen: Flags) -> _View:
        return _View(tracks_of(self.tracks.log.rows(is_chosen)), self.rows[is_chosen])

    def with_log_rows(self, faults: Iterable[TfFault]) -> list[TfFault]:
        """Return faults of the view with row numbers of the whole log."""
        return [replace(fault, rows=self.rows[fault.rows]) for fault in faults]


def _describe_parts(
    tracks: Tracks, view: _View, epochs: Whole, check: Callable[[Tracks], Iterable[Finding]]
) -> list[TfFault]:
    """Return the faults that a check finds between clock jumps, counted over the whole log."""
    findings: list[Finding] = []
    for epoch in range(_n_epochs(epochs)):
        checkpoint()
        part = view.in_epoch(epochs, epoch)
        findings += [replace(finding, rows=part.rows[finding.rows]) for finding in check(part.tracks)]
    return [finding.describe(tracks, finding) for finding in unite(findings)]


def _n_epochs(epochs: Whole) -> int:
    return int(epochs.max(initial=0)) + 1


def _ends_of_frames(view: _View, epochs: Whole) -> list[TfFault]:
    """Return the frames that start late in the first part, or fall silent in the last.

    Between other parts a frame may be missing only because of the clock jump.
    """
    first, last = view.in_epoch(epochs, 0), view.in_epoch(epochs, _n_epochs(epochs) - 1)
    return first.with_log_rows(late_starts(first.tracks)) + last.with_log_rows(silence_faults(last.tracks))


def _repair_samples(tracks: Tracks, blamed: Whole, dropped: Whole) -> _View:
    """Return all samples of moving frames as sent, wrong ones included, each at its expected time.

    Parameters
    ----------
    tracks
        A whole log.
    blamed
        Rows with possibly wrong stamps.
    dropped
        Rows to leave out, such as static rows of moving frames.
    """
    log = tracks.log
    is_refused = np.isin(tracks.refused, [1 + REFUSALS.index(kind) for kind in ("not finite", "not unit")])
    is_wrong = is_refused.copy()
    is_wrong[blamed] = True
    is_wrong &= ~log.is_static
    view = _View(tracks, np.arange(len(log)))
    if is_wrong.any():
        stamps, position, quaternion = log.stamp_ns.copy(), log.position.copy(), log.quaternion.copy()
        position[is_refused], quaternion[is_refused] = 0.0, (0.0, 0.0, 0.0, 1.0)
        for child in np.unique(tracks.child[is_wrong]).tolist():
            mine = tracks.child == child
            good, bad = (np.flatnonzero(mine & (is_wrong == wrong) & ~log.is_static) for wrong in (False, True))
            good = good[tracks.refused[good] == 0]
            if len(good):
                begin = int(log.stamp_ns[good[0]])
                due = np.interp(log.log_ns[bad], log.log_ns[good], (log.stamp_ns[good] - begin).astype(float))
                stamps[bad] = begin + np.round(due).astype(np.int64)
        view = _View(tracks_of(replace(log, stamp_ns=stamps, position=position, quaternion=quaternion)), view.rows)
    return view.without(dropped)


def _rows_of(faults: Iterable[TfFault], kinds: Iterable[FaultKind]) -> Whole:
    """Return the rows blamed by faults of some kinds."""
    rows = [fault.rows for fault in faults if fault.kind in kinds]
    return np.unique(np.concatenate(rows)) if rows else np.zeros(0, np.int64)


EXPLAINS: dict[FaultKind, tuple[FaultKind, ...]] = {
    "static and moving": ("silence", "fixed on tf", "late start", "static late"),
    "clock jump": ("gap", "jump", "outlier", "backward stamp", "future stamp"),
    "late stamps": ("repeated stamp",),
    "two sources": ("jump", "outlier", "repeated stamp", "backward stamp", "future stamp", "gap", "log time spread"),
    "constant stamp": ("silence", "fixed on tf", "gap", "late start", "jump", "outlier"),
}
"""Other kinds of faults in the same frame that follow from a fault, though none of its rows shows that."""


def _drop_explained(faults: list[TfFault]) -> list[TfFault]:
    """Return the faults that no other fault explains."""
    explained = {(other, fault.frame) for fault in faults if fault.frame for other in EXPLAINS.get(fault.kind, ())}
    return [fault for fault in faults if (fault.kind, fault.frame) not in explained]

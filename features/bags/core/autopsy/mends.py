"""Mends of a log of transforms: what each leaves, and whether that is without the fault."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

import numpy as np

from framescope.features.bags.core.autopsy.fault import TfFault, TfMend
from framescope.features.bags.core.tf_log import Flags, TfLog
from framescope.features.bags.core.tf_path import normalized

MAX_TRIED = 20
"""Mends of one log that are tried: each is an autopsy of its own."""


def mended(log: TfLog, mend: TfMend) -> TfLog:
    """Return a log with a mend made: rows left out, a name taken for another, or quaternions made unit."""
    named = np.array([name.removeprefix("/") == mend.child for name in log.names], bool)
    if mend.kind == "take name":
        return replace(
            log, names=tuple(mend.name if is_it else name for name, is_it in zip(log.names, named, strict=True))
        )
    rows = named[log.child] if mend.child else np.ones(len(log), bool)
    if mend.kind == "normalize":
        return replace(log, quaternion=normalized(log.quaternion, rows))
    return log.rows(~(rows & _left_out(log, mend)))


def _left_out(log: TfLog, mend: TfMend) -> Flags:
    out = np.ones(len(log), bool)
    if mend.parent:
        out &= np.array([name.removeprefix("/") == mend.parent for name in log.names], bool)[log.parent]
    if mend.stamps_ns:
        out &= np.isin(log.stamp_ns, mend.stamps_ns)
    if mend.log_ns is not None:
        out &= log.log_ns >= mend.log_ns
    return out


def with_good_mends(
    log: TfLog, faults: Iterable[TfFault], examine: Callable[[TfLog], Iterable[TfFault]]
) -> list[TfFault]:
    """Return the faults, each with its mend where that takes it away and brings no other; `examine` finds faults."""
    found = list(faults)
    before = {(fault.kind, fault.frame) for fault in found}
    tried = [i for i, fault in enumerate(found) if fault.mend is not None]
    for n, i in enumerate(tried):
        fault, mend = found[i], found[i].mend
        if mend is None:
            continue
        left = {(each.kind, each.frame) for each in examine(mended(log, mend))} if n < MAX_TRIED else before
        if (fault.kind, fault.frame) in left or not left <= before:
            found[i] = replace(fault, mend=None)
    return found

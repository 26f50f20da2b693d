"""Fixes of a log of transforms: their effect, and the check that they remove the fault."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

import numpy as np

from framescope.features.bags.core.autopsy.fault import LogChange, TfFault
from framescope.features.bags.core.tf_log import Flags, TfLog
from framescope.features.bags.core.tf_path import normalize_rows

MAX_TRIED = 20
"""Limit of fixes tried for one log, as each needs an autopsy of its own."""


def apply_change(log: TfLog, change: LogChange) -> TfLog:
    """Return a log with a change applied: rows left out, a name replaced, or quaternions normalized."""
    named = np.array([name.removeprefix("/") == change.child for name in log.names], bool)
    if change.kind == "take name":
        return replace(
            log, names=tuple(change.name if is_it else name for name, is_it in zip(log.names, named, strict=True))
        )
    rows = named[log.child] if change.child else np.ones(len(log), bool)
    if change.kind == "normalize":
        return replace(log, quaternion=normalize_rows(log.quaternion, rows))
    return log.rows(~(rows & _mask_of_omitted(log, change)))


def _mask_of_omitted(log: TfLog, change: LogChange) -> Flags:
    out = np.ones(len(log), bool)
    if change.parent:
        out &= np.array([name.removeprefix("/") == change.parent for name in log.names], bool)[log.parent]
    if change.stamps_ns:
        out &= np.isin(log.stamp_ns, change.stamps_ns)
    if change.log_ns is not None:
        out &= log.log_ns >= change.log_ns
    return out


def with_good_fixes(
    log: TfLog, faults: Iterable[TfFault], examine: Callable[[TfLog], Iterable[TfFault]]
) -> list[TfFault]:
    """Return the faults, each with its fix only if this removes it without causing another; `examine` finds faults."""
    checked = list(faults)
    before = {(fault.kind, fault.frame) for fault in checked}
    with_fix = [i for i, fault in enumerate(checked) if fault.fix is not None]
    for n, i in enumerate(with_fix):
        fault, fix = checked[i], checked[i].fix
        if fix is None:
            continue
        remaining = (
            {(other.kind, other.frame) for other in examine(apply_change(log, fix.change))} if n < MAX_TRIED else before
        )
        if (fault.kind, fault.frame) in remaining or not remaining <= before:
            checked[i] = replace(fault, fix=None)
    return checked

"""Fixes of a log of transforms: their effect, and the check that they remove the fault."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

import numpy as np

from framescope.features.bags.core.autopsy.fault import TfFault, TfMend
from framescope.features.bags.core.tf_log import Flags, TfLog
from framescope.features.bags.core.tf_path import normalize_rows

MAX_TRIED = 20
"""Limit of fixes tried for one log, as each needs an autopsy of its own."""


def apply_mend(log: TfLog, mend: TfMend) -> TfLog:
    """Return a log with a fix applied: rows left out, a name replaced, or quaternions normalized."""
    named = np.array([name.removeprefix("/") == mend.child for name in log.names], bool)
    if mend.kind == "take name":
        return replace(
            log, names=tuple(mend.name if is_it else name for name, is_it in zip(log.names, named, strict=True))
        )
    rows = named[log.child] if mend.child else np.ones(len(log), bool)
    if mend.kind == "normalize":
        return replace(log, quaternion=normalize_rows(log.quaternion, rows))
    return log.rows(~(rows & _mask_of_omitted(log, mend)))


def _mask_of_omitted(log: TfLog, mend: TfMend) -> Flags:
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
    """Return the faults, each with its fix only if this removes it without causing another; `examine` finds faults."""
    checked = list(faults)
    before = {(fault.kind, fault.frame) for fault in checked}
    with_mend = [i for i, fault in enumerate(checked) if fault.mend is not None]
    for n, i in enumerate(with_mend):
        fault, mend = checked[i], checked[i].mend
        if mend is None:
            continue
        remaining = {(other.kind, other.frame) for other in examine(apply_mend(log, mend))} if n < MAX_TRIED else before
        if (fault.kind, fault.frame) in remaining or not remaining <= before:
            checked[i] = replace(fault, mend=None)
    return checked

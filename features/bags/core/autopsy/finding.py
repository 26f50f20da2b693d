"""Findings of one part of a recording, and how those of all parts become one fault of the whole.

A clock that jumps parts a recording. What is found in the parts is counted over the whole, and put into words once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace

import numpy as np

from framescope.features.bags.core.autopsy.fault import FaultKind, TfFault
from framescope.features.bags.core.tf_log import Whole
from framescope.features.bags.core.tf_tracks import Tracks


@dataclass(frozen=True, eq=False)
class Finding:
    """Symptoms of one kind of one frame.

    Attributes
    ----------
    kind
        Of the fault that it becomes.
    frame
        The frame to blame; empty for all.
    describe
        Makes the fault of a finding, with the recording that its rows are of.
    rows : (n,)
        Rows of the log at which it is.
    first_ns, last_ns
        Times of reception within which it is, ns.
    count
        How often.
    sizes
        The largest of each measure that its sentence states.
    """

    kind: FaultKind
    frame: str
    describe: Callable[[Tracks, Finding], TfFault]
    rows: Whole
    first_ns: int
    last_ns: int
    count: int
    sizes: tuple[float, ...] = field(default=())


def unite(findings: Iterable[Finding]) -> list[Finding]:
    """Return the findings with those of one kind and frame as one: counts add up, and the largest sizes stay."""
    groups: dict[tuple[str, str], list[Finding]] = {}
    for finding in findings:
        groups.setdefault((finding.kind, finding.frame), []).append(finding)
    return [
        replace(
            group[0],
            rows=np.concatenate([each.rows for each in group]),
            first_ns=min(each.first_ns for each in group),
            last_ns=max(each.last_ns for each in group),
            count=sum(each.count for each in group),
            sizes=tuple(max(sizes, key=abs) for sizes in zip(*(each.sizes for each in group), strict=True)),
        )
        for group in groups.values()
    ]

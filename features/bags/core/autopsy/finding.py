"""Findings in parts of a recording, and their merging into one fault of the whole.

A clock jump splits a recording. Findings in its parts are counted over the whole and put into words once.
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
    """Symptoms of one kind in one frame.

    Attributes
    ----------
    kind
        Kind of the resulting fault.
    frame
        The frame to blame; empty for all.
    describe
        Returns the fault of a finding, given the recording with its rows.
    rows : (n,)
        Affected rows of the log.
    first_ns, last_ns
        First and last time of reception of the symptoms, ns.
    count
        Number of occurrences.
    sizes
        Maximum of each measure stated in the fault's sentence.
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
    """Return the findings merged by kind and frame, with summed counts and the largest sizes."""
    groups: dict[tuple[str, str], list[Finding]] = {}
    for finding in findings:
        groups.setdefault((finding.kind, finding.frame), []).append(finding)
    return [
        replace(
            group[0],
            rows=np.concatenate([finding.rows for finding in group]),
            first_ns=min(finding.first_ns for finding in group),
            last_ns=max(finding.last_ns for finding in group),
            count=sum(finding.count for finding in group),
            sizes=tuple(max(sizes, key=abs) for sizes in zip(*(finding.sizes for finding in group), strict=True)),
        )
        for group in groups.values()
    ]

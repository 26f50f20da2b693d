"""Specific forces judged by their length alone, where no other readings tell: at rest it is that of gravity."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from framescope.core.kernels.lengths import lengths
from framescope.features.evidence.core.account import Fault, Finding
from framescope.features.evidence.core.readings import Readings, SensorLog
from framescope.features.evidence.core.states import GRAVITY
from framescope.features.evidence.core.wording import three_digits

SAME = 0.15
"""Relative deviation of the usual length from that of gravity that is accepted: sensors are not calibrated."""


def length_findings(log: SensorLog, findings: Sequence[Finding]) -> Iterator[Finding]:
    """Yield the specific forces whose usual length is not that of gravity, and that no finding blames already.

    Parameters
    ----------
    log
        The readings.
    findings
        What the comparison of the readings tells.
    """
    blamed = {fault.readings for finding in findings for fault in finding.faults}
    for readings in log.readings:
        if readings.quantity == "specific force" and readings.name not in blamed:
            yield from _finding(readings)


def _finding(readings: Readings) -> Iterator[Finding]:
    size = lengths(readings.values[np.isfinite(readings.values).all(axis=1)])
    usual = float(np.median(size)) if len(size) else GRAVITY
    if abs(usual / GRAVITY - 1.0) <= SAME:
        return
    if abs(usual - 1.0) <= SAME:
        fault = Fault("unit", readings.name, "in g", (1.0 / GRAVITY,))
    elif usual < 0.5 * GRAVITY:
        fault = Fault("gravity removed", readings.name, "without gravity")
    else:
        words = f"{three_digits(usual / GRAVITY)} times as large as it should be"
        fault = Fault("scale", readings.name, words, (usual / GRAVITY,))
    sentence = (
        f"{readings.name} is {fault.words}: its usual length is {three_digits(usual)} m/s², where an accelerometer at"
        f" rest reads {three_digits(GRAVITY)}."
    )
    stretch = (float(readings.t[0]), float(readings.t[-1]))
    yield Finding(sentence, "amber", (readings.name,), (fault,), stretch=stretch)

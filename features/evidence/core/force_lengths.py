"""Specific forces judged by their length alone, where no other readings tell: at rest it is that of gravity."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from framescope.core.kernels.lengths import lengths
from framescope.core.kernels.validation import Array
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


def usual_length(forces: Array) -> float:
    """Return the usual length of specific forces (n, 3), m/s²; that of gravity without any."""
    size = lengths(forces[np.isfinite(forces).all(axis=1)])
    return float(np.median(size)) if len(size) else GRAVITY


def is_in_g(forces: Array) -> bool:
    """Return whether specific forces (n, 3) have the usual length of gravity in g.

    >>> is_in_g(np.array([[0.0, 0.6, 0.8]]))
    True
    """
    return abs(usual_length(forces) - 1.0) <= SAME


def _finding(readings: Readings) -> Iterator[Finding]:
    usual = usual_length(readings.values)
    if abs(usual / GRAVITY - 1.0) <= SAME:
        return
    if is_in_g(readings.values):
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

"""Search of long recordings in their liveliest stretches, beside that of the whole."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from framescope.features.evidence.core.account import Account, Fault
from framescope.features.evidence.core.examine import examine
from framescope.features.evidence.core.hypotheses import Label
from framescope.features.evidence.core.readings import Readings, SensorLog
from framescope.features.evidence.core.reduction import PER_THIRD, SEAM, WORST, confirmed, reduced, shortened
from framescope.features.evidence.core.relations import Scope, relations_of
from framescope.features.evidence.core.search import Explanation
from framescope.features.evidence.core.states import STATED
from framescope.features.evidence.core.tracks import FEWEST_SAMPLES, Track, bodies_of, tracks_of
from framescope.features.evidence.core.weighing import Evidence, stated
from tests.support.turning_device import device

SECONDS, LONGEST = 150.0, 60.0
"""Length of a recording, and time above which only stretches are searched, s."""

TURNED = Rotation.from_matrix([[0.0, 0.0, -1.0], [-1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])


def _evidence(log: SensorLog) -> Evidence:
    scope = Scope(tracks_of(log, bodies_of(log)))
    return Evidence(scope, tuple(relations_of(scope)))


def _from(log: SensorLog, name: str, start: float, factor: float) -> SensorLog:
    """Return a log in which some readings are multiplied from a time on."""

    def changed(readings: Readings) -> Readings:
        if readings.name != name:
            return readings
        values = np.where(readings.t[:, None] >= start, factor * readings.values, readings.values)
        return replace(readings, values=values)

    return replace(log, readings=tuple(map(changed, log.readings)))


def _faults(account: Account) -> dict[tuple[str, str], Fault]:
    return {
        (fault.kind, fault.readings): fault
        for finding in account.findings
        if finding.severity != "note"
        for fault in finding.faults
    }


def _times(track: Track, start: float, end: float) -> np.ndarray:
    return track.t[(track.t >= start) & (track.t < end)]


@pytest.mark.parametrize(
    "log",
    [
        pytest.param(device(SECONDS), id="healthy"),
        pytest.param(device(SECONDS, turned=TURNED), id="mounting"),
        pytest.param(device(SECONDS, late=0.05), id="delay"),
        pytest.param(device(SECONDS, rate_factor=float(np.degrees(1.0))), id="unit"),
        pytest.param(
            _from(device(SECONDS), "angular velocity of /imu", 0.75 * SECONDS, float(np.degrees(1.0))),
            id="unit in the last quarter",
        ),
    ],
)
def test_that_the_search_of_stretches_finds_what_that_of_the_whole_finds(log: SensorLog) -> None:
    whole, parts = _faults(examine(log, SECONDS + 1.0)), _faults(examine(log, LONGEST))
    assert set(parts) == set(whole)
    for key, fault in parts.items():
        assert fault.words == whole[key].words or fault.value == pytest.approx(whole[key].value, rel=0.02, abs=2e-3)

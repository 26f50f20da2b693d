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
from framescope.features.evidence.core.tracks import FEWEST_SAMPLES, bodies_of, tracks_of
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


@pytest.mark.long
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


@pytest.mark.long
def test_that_a_fault_from_late_on_is_named_with_its_stretch() -> None:
    start = 0.75 * SECONDS
    account = examine(_from(device(SECONDS), "angular velocity of /imu", start, float(np.degrees(1.0))), LONGEST)
    (finding,) = (finding for finding in account.findings if finding.severity != "note")
    assert [fault.kind for fault in finding.faults] == ["unit"]
    assert finding.stretch[0] > start - 5.0


def test_that_a_recording_that_is_not_long_is_searched_as_a_whole() -> None:
    evidence = _evidence(device(20.0))
    assert reduced(evidence, 20.0) is evidence


def test_that_stretches_come_from_all_thirds_and_keep_the_numbers_of_tracks_and_relations() -> None:
    evidence = _evidence(device(SECONDS))
    parts = reduced(evidence, LONGEST)
    width = LONGEST / 20
    assert parts.relations == evidence.relations
    for track, whole in zip(parts.scope.tracks, evidence.scope.tracks, strict=True):
        assert track.name == whole.name
        assert track.x[0] == pytest.approx(whole.x[0])
        assert 3 * PER_THIRD * width <= len(track.t) * track.period <= (3 * PER_THIRD + WORST + 2) * width
        values = {tuple(row) for row in track.x}
        for third in np.array_split(whole.x, 3):
            assert sum(tuple(row) in values for row in third) * track.period > 0.9 * PER_THIRD * width


def test_that_the_stretch_in_which_readings_disagree_most_is_taken() -> None:
    log = device(SECONDS)
    glitch = 0.55 * SECONDS

    def disturbed(readings: Readings) -> Readings:
        if readings.name != "angular velocity of /imu":
            return readings
        is_in = (readings.t > glitch) & (readings.t < glitch + 2.0)
        return replace(readings, values=readings.values + 3.0 * is_in[:, None])

    evidence = _evidence(replace(log, readings=tuple(map(disturbed, log.readings))))
    (k,) = (k for k, track in enumerate(evidence.scope.tracks) if track.name == "angular velocity of /imu")
    whole, part = evidence.scope.tracks[k], reduced(evidence, LONGEST).scope.tracks[k]
    disturbed_rows = whole.x[(whole.t > glitch + 0.1) & (whole.t < glitch + 1.9)]
    kept = {tuple(row) for row in part.x}
    assert sum(tuple(row) in kept for row in disturbed_rows) > 0.5 * len(disturbed_rows)


def test_that_stretches_follow_on_each_other_with_gaps() -> None:
    track = _evidence(device(60.0)).scope.tracks[0]
    short = shortened(track, ((5.0, 10.0), (40.0, 42.0)))
    assert len(short.t) == pytest.approx(700, abs=2)
    (starts, ends) = short.gaps
    assert ends - starts == pytest.approx(SEAM, abs=0.02)
    assert short.t[-1] == pytest.approx(5.0 + SEAM + 2.0, abs=0.02)
    assert short.x[-1] == pytest.approx(track.x[np.searchsorted(track.t, 42.0) - 1])


def test_that_a_track_outside_the_stretches_stays_and_meets_no_other() -> None:
    tracks = _evidence(device(60.0)).scope.tracks
    early = shortened(replace(tracks[0], t=tracks[0].t[:500], x=tracks[0].x[:500]), ((40.0, 50.0),))
    assert len(early.t) == FEWEST_SAMPLES
    assert early.t[-1] < shortened(tracks[1], ((40.0, 50.0),)).t[0]


def test_that_a_fault_that_does_not_help_the_whole_recording_is_left_out() -> None:
    log = device(30.0, rate_factor=float(np.degrees(1.0)))
    evidence = _evidence(log)
    names = [track.name for track in evidence.scope.tracks]
    gyro, force = names.index("angular velocity of /imu"), names.index("specific force of /imu")
    states = stated(evidence.scope) | {
        gyro: STATED.with_T(np.degrees(1.0) * np.eye(3)),
        force: STATED.with_T(-np.eye(3)),
    }
    faults = (((gyro,), (Label("unit", "degrees per second"),)), ((force,), (Label("sign"),)))
    kept = confirmed(evidence, Explanation(states, {0: np.eye(3)}, faults, 0.0, 0.0))
    assert [unit for unit, _ in kept.faults] == [(gyro,)]
    assert kept.states[force] is STATED

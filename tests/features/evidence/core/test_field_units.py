"""Magnetic fields in other units than tesla, and with the offset of iron."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from framescope.features.evidence.core.examine import examine
from framescope.features.evidence.core.field_units import UNITS, in_tesla, unit_of
from framescope.features.evidence.core.readings import Readings, SensorLog
from framescope.features.evidence.core.tracks import bodies_of, tracks_of
from tests.support.turning_device import device, motion

FIELD = np.array([3e-6, 20e-6, -44e-6])
NAME = "magnetic field of /mag"


def _log(factor: float = 1.0, offset: tuple[float, float, float] = (0.0, 0.0, 0.0)) -> SensorLog:
    """Return the readings of a device with a magnetometer."""
    log, t = device(30.0), np.arange(0.0, 30.0, 0.02)
    noise = np.random.default_rng(4).normal(0.0, 3e-7, (len(t), 3))
    field = factor * (motion(t)[0].inv().apply(FIELD) + np.asarray(offset) + noise)
    return replace(log, readings=(*log.readings, Readings(NAME, "/mag", "magnetic field", t, field, "imu_link")))


@pytest.mark.parametrize(("unit", "factor"), UNITS.items())
def test_that_the_unit_of_a_field_is_known_by_its_length(unit: str, factor: float) -> None:
    assert unit_of(np.tile(FIELD * factor, (9, 1))) == (unit, factor)


@pytest.mark.parametrize("length", [0.0, 30e-6, 90e-6, 1e-12, 1e30])
def test_that_a_field_of_no_known_length_stays_as_it_is(length: float) -> None:
    assert unit_of(np.array([[length, 0.0, 0.0]])) == ("T", 1.0)


def test_that_no_readings_have_no_unit() -> None:
    assert unit_of(np.zeros((0, 3))) == ("T", 1.0)


def test_that_tracks_are_given_in_tesla_with_the_unit_that_was_another() -> None:
    log = _log(1e6)
    tracks = tracks_of(log, bodies_of(log))
    mended, faults = in_tesla(tracks)
    assert mended[-1].x == pytest.approx(1e-6 * tracks[-1].x)
    assert mended[:-1] == tracks[:-1]
    assert {k: (fault.kind, fault.words, fault.value) for k, fault in faults.items()} == {
        len(tracks) - 1: ("unit", "in µT", (1e6,))
    }


@pytest.mark.parametrize("factor", [1.0, 1e6])
def test_that_an_offset_of_a_field_is_found_as_it_is_read(factor: float) -> None:
    offset = np.array([25e-6, -20e-6, 32e-6])
    account = examine(_log(factor, tuple(offset)))
    faults = {f.kind: f for finding in account.findings if finding.severity != "note" for f in finding.faults}
    assert set(faults) == {"bias"} | ({"unit"} if factor != 1.0 else set())
    assert faults["bias"].value == pytest.approx(factor * offset, abs=2e-6 * factor)
    assert "µT" in faults["bias"].words


def test_that_a_usual_offset_of_a_field_is_no_fault() -> None:
    account = examine(_log(1.0, (3e-6, -2e-6, 4e-6)))
    assert all(finding.severity == "note" for finding in account.findings)

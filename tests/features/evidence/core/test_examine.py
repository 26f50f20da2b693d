"""Accounts of a device with one planted fault, and of a healthy one."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from framescope.features.evidence.core.account import Account, Fault
from framescope.features.evidence.core.examine import examine
from tests.support.turning_device import device


def _faults(account: Account) -> dict[tuple[str, str], Fault]:
    return {
        (fault.kind, fault.readings): fault
        for finding in account.findings
        if finding.severity != "note"
        for fault in finding.faults
    }


def test_that_a_healthy_device_is_silent_and_agrees() -> None:
    account = examine(device())
    assert not _faults(account)
    assert {agreement.verdict for agreement in account.agreements} <= {"agree", "cannot tell"}


def test_that_an_order_of_quaternions_is_found() -> None:
    assert set(_faults(examine(device(is_wxyz=True)))) == {("quaternion order", "orientation of /imu")}


def test_that_degrees_per_second_are_found() -> None:
    faults = _faults(examine(device(rate_factor=float(np.degrees(1.0)))))
    assert faults["unit", "angular velocity of /imu"].words == "in degrees per second"
    assert len(faults) == 1


def test_that_a_turned_unit_is_found_with_its_mount_and_agrees_within_itself() -> None:
    C = Rotation.from_matrix([[0.0, 0.0, -1.0], [-1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
    account = examine(device(turned=C))
    (finding,) = (finding for finding in account.findings if finding.severity != "note")
    assert finding.mounting is not None
    error = (Rotation.from_quat(finding.mounting.Q) * C.inv()).magnitude()
    assert error < 3.0 * np.sqrt(np.trace(finding.mounting.covariance[:3, :3]))
    assert error < np.radians(1.0)
    within = next(
        a for a in account.agreements if {a.first, a.second} == {"orientation of /imu", "angular velocity of /imu"}
    )
    assert within.verdict == "agree"
    assert not within.faults


def test_that_a_delay_is_found_to_two_milliseconds() -> None:
    faults = _faults(examine(device(late=0.05)))
    delays = [fault for (kind, _), fault in faults.items() if kind == "delay"]
    assert {abs(round(fault.value[0], 2)) for fault in delays} == {0.05}
    assert all(abs(abs(fault.value[0]) - 0.05) < 0.002 for fault in delays)


@pytest.mark.parametrize("offset", [0.08, -0.15])
def test_that_an_offset_of_a_rate_is_found(offset: float) -> None:
    fault = _faults(examine(device(rate_offset=offset)))["bias", "angular velocity of /imu"]
    assert fault.value == pytest.approx((offset, 0.0, 0.0), abs=0.004)


def test_that_an_offset_of_a_force_is_found() -> None:
    fault = _faults(examine(device(force_offset=1.2)))["bias", "specific force of /imu"]
    assert fault.value == pytest.approx((1.2, 0.0, 0.0), abs=0.15)


def test_that_readings_without_relations_give_an_empty_account() -> None:
    log = device()
    account = examine(type(log)(log.readings[1:2]))
    assert not account.findings
    assert not account.agreements

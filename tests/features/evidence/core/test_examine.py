"""Accounts of a device with one planted fault, and of a healthy one."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from framescope.features.evidence.core.account import Account, Fault
from framescope.features.evidence.core.examine import examine
from framescope.features.evidence.core.readings import Mount, Readings, SensorLog
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


@pytest.mark.long
def test_that_an_order_of_quaternions_is_found() -> None:
    assert set(_faults(examine(device(is_wxyz=True)))) == {("quaternion order", "orientation of /imu")}


@pytest.mark.long
def test_that_degrees_per_second_are_found() -> None:
    faults = _faults(examine(device(rate_factor=float(np.degrees(1.0)))))
    assert faults["unit", "angular velocity of /imu"].words == "in degrees per second"
    assert len(faults) == 1


@pytest.mark.long
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


def vehicle(late: float = 0.0) -> SensorLog:
    """Return odometry of a car and positions of an antenna behind its origin, which are `late` seconds late."""
    rng = np.random.default_rng(4)
    fine = np.arange(-2.0, 32.0, 0.01)
    speed = 8.0 + 4.0 * np.sin(0.5 * fine) + 2.0 * np.sin(1.3 * fine)
    yaw = 0.6 * np.sin(0.3 * fine) + 0.2 * np.sin(0.9 * fine)
    path = np.cumsum(speed[:, None] * np.stack([np.cos(yaw), np.sin(yaw), 0.0 * yaw], axis=1), axis=0) * 0.01
    arm = np.array([-0.8, 0.0, 1.5])

    def at(t: np.ndarray) -> tuple[np.ndarray, Rotation]:
        p = np.stack([np.interp(t, fine, x) for x in path.T], axis=1)
        return p, Rotation.from_euler("z", np.interp(t, fine, yaw)[:, None])

    t, t_fix = np.arange(0.0, 30.0, 0.02), np.arange(0.1, 29.0, 0.1)
    (p, R), (p_fix, R_fix) = at(t), at(t_fix)
    fixes = p_fix + R_fix.apply(arm) + 0.005 * rng.normal(size=p_fix.shape)
    p = p + 0.005 * rng.normal(size=p.shape)
    Q = (R * Rotation.from_rotvec(1e-3 * rng.normal(size=p.shape))).as_quat()
    return SensorLog(
        (
            Readings("position of /ins", "/ins", "position", t, p, "base_link", "map"),
            Readings("orientation of /ins", "/ins", "orientation", t, Q, "base_link", "map"),
            Readings("position of /tf", "/tf", "position", t, p + 0.005 * rng.normal(size=p.shape), "base_link", "map"),
            Readings("orientation of /tf", "/tf", "orientation", t, Q, "base_link", "map"),
            Readings("position of /fix", "/fix", "position", t_fix + late, fixes, "antenna"),
        ),
        (Mount("base_link", "antenna", np.array([0.0, 0.0, 0.0, 1.0]), arm),),
    )


@pytest.mark.parametrize(("late", "is_told"), [(0.0, False), (0.5, True)])
def test_that_the_lever_arm_of_an_antenna_is_no_delay(late, is_told) -> None:
    delays = [name for kind, name in _faults(examine(vehicle(late))) if kind == "delay"]
    assert delays == (["position of /fix"] if is_told else [])


def test_that_readings_without_stamps_have_no_delay() -> None:
    log = device(late=0.05)
    log = replace(log, readings=tuple(replace(each, is_stamped="/imu" not in each.source) for each in log.readings))
    assert not any(kind == "delay" for kind, _ in _faults(examine(log)))


@pytest.mark.parametrize("offset", [0.08, -0.15])
def test_that_an_offset_of_a_rate_is_found(offset: float) -> None:
    fault = _faults(examine(device(rate_offset=offset)))["bias", "angular velocity of /imu"]
    assert fault.value == pytest.approx((offset, 0.0, 0.0), abs=0.004)


@pytest.mark.long
def test_that_an_offset_is_said_in_the_unit_that_is_named() -> None:
    factor = 180.0 / np.pi
    faults = _faults(examine(device(rate_factor=factor, rate_offset=0.12 * factor)))
    fault = faults["bias", "angular velocity of /imu"]
    assert fault.words.startswith("off by (0.12, ")
    assert fault.words.endswith(" rad/s")
    assert fault.value == pytest.approx((0.12 * factor, 0.0, 0.0), abs=0.5)


def test_that_an_offset_of_a_force_is_found() -> None:
    fault = _faults(examine(device(force_offset=1.2)))["bias", "specific force of /imu"]
    assert fault.value == pytest.approx((1.2, 0.0, 0.0), abs=0.15)


def test_that_readings_without_relations_give_an_empty_account() -> None:
    log = device()
    account = examine(type(log)(log.readings[1:2]))
    assert not account.findings
    assert not account.agreements


def _with(log: SensorLog, name: str, values: np.ndarray) -> SensorLog:
    """Return a log with other values of some readings."""
    readings = tuple(replace(each, values=values) if each.name == name else each for each in log.readings)
    return replace(log, readings=readings)


def _values(log: SensorLog, name: str) -> np.ndarray:
    return next(each.values for each in log.readings if each.name == name)


@pytest.mark.long
def test_that_an_order_of_quaternions_and_a_turned_unit_are_found_together() -> None:
    log = device(turned=Rotation.from_euler("xyz", [20.0, -70.0, 40.0], degrees=True))
    pose = "orientation of /odom"
    faults = _faults(examine(_with(log, pose, _values(log, pose)[:, [3, 0, 1, 2]])))
    assert ("quaternion order", pose) in faults
    assert {name for kind, name in faults if kind == "mounting"} == {
        f"{quantity} of /imu" for quantity in ("orientation", "angular velocity", "specific force")
    }
    assert len(faults) == 4


@pytest.mark.long
def test_that_an_orientation_in_other_axes_turns_the_velocity_of_its_frame_with_it() -> None:
    log, name = device(), "orientation of /odom"
    C = Rotation.from_matrix([[0.0, -1.0, 0.0], [0.0, 0.0, -1.0], [1.0, 0.0, 0.0]])
    faults = _faults(examine(_with(log, name, (Rotation.from_quat(_values(log, name)) * C).as_quat())))
    assert set(faults) == {("mounting", name)}


@pytest.mark.long
def test_that_a_wrong_mount_is_not_ascribed_to_the_pose_of_the_body() -> None:
    account = examine(device(turned=Rotation.from_euler("xyz", [20.0, -70.0, 40.0], degrees=True)))
    assert {name for kind, name in _faults(account) if kind == "mounting"} == {
        f"{quantity} of /imu" for quantity in ("orientation", "angular velocity", "specific force")
    }
    assert all(finding.is_certain for finding in account.findings)


@pytest.mark.long
def test_that_axes_of_one_of_several_readings_are_no_mount() -> None:
    log, name = device(), "specific force of /imu"
    account = examine(_with(log, name, _values(log, name) * [1.0, -1.0, -1.0]))
    assert set(_faults(account)) == {("body axes", name)}
    assert all(finding.mounting is None for finding in account.findings)


@pytest.mark.long
def test_that_what_other_readings_of_a_frame_test_is_not_called_open() -> None:
    log, name = device(), "angular velocity of /imu"
    account = examine(_with(log, name, -_values(log, name)))
    assert set(_faults(account)) == {("sign", name)}
    assert not any(finding.unexcited for finding in account.findings)


@pytest.mark.long
def test_that_a_scale_and_not_a_bias_is_found_where_positions_show_the_accelerations() -> None:
    log, name = device(), "specific force of /imu"
    faults = _faults(examine(_with(log, name, 1.3 * _values(log, name))))
    assert set(faults) == {("scale", name)}
    assert faults["scale", name].value == pytest.approx((1.3,), abs=0.03)


def test_that_a_resting_force_in_g_is_neither_an_offset_nor_without_gravity() -> None:
    t = np.arange(0.0, 20.0, 0.02)
    noise, of_rate, of_turn = np.random.default_rng(3).normal(0.0, 2e-3, (3, len(t), 3))
    force = np.array([0.0, 0.0, 1.0]) + noise
    Q = np.tile([0.0, 0.0, 0.0, 1.0], (len(t), 1)) + np.column_stack([of_turn, 0.0 * t])
    log = SensorLog(
        (
            Readings("specific force of /imu", "/imu", "specific force", t, force, "base_link"),
            Readings("angular velocity of /imu", "/imu", "angular velocity", t, of_rate, "base_link"),
            Readings("orientation of /odom", "/odom", "orientation", t, Q, "base_link", "odom"),
        )
    )
    faults = _faults(examine(log))
    assert set(faults) <= {("unit", "specific force of /imu")}


@pytest.mark.parametrize(("signs", "told"), [((-1.0, -1.0, 1.0), True), ((1.0, 1.0, 1.0), False)])
def test_that_a_field_of_a_level_body_has_an_offset_or_other_axes(signs: tuple[float, ...], told: bool) -> None:
    rng = np.random.default_rng(4)
    t = 0.05 * np.arange(1200)
    tilts = [0.011 * np.sin(1.1 * t), 0.011 * np.sin(1.7 * t + 1.0)]
    turns = Rotation.from_euler("zyx", np.stack([1.2 * np.sin(0.3 * t), *tilts], axis=1))
    field = turns.inv().apply([20e-6, 5e-6, -45e-6]) + 5e-7 * rng.normal(size=(1200, 3))
    log = SensorLog(
        (
            Readings("orientation of /odom", "/odom", "orientation", t, turns.as_quat(), "base", "odom"),
            Readings("magnetic field of /mag", "/mag", "magnetic field", t, field * signs, "base"),
        )
    )
    findings = [finding for finding in examine(log).findings if finding.severity != "note"]
    if not told:
        assert findings == []
        return
    (finding,) = findings
    assert not finding.is_certain
    assert {"bias", "mounting"} <= {fault.kind for fault in finding.faults}
    assert "mounted −x −y z" in finding.sentence


def test_that_an_orientation_that_turns_the_other_way_is_told_in_one_sentence() -> None:
    rng = np.random.default_rng(5)
    t = 0.05 * np.arange(1200)
    yaw = Rotation.from_euler("z", 1.2 * np.sin(0.3 * t)[:, None])
    rate = np.stack([0.0 * t, 0.0 * t, 0.36 * np.cos(0.3 * t)], axis=1) + 1e-3 * rng.normal(size=(1200, 3))
    log = SensorLog(
        (
            Readings("orientation of /odom", "/odom", "orientation", t, yaw.inv().as_quat(), "base", "odom"),
            Readings("angular velocity of /imu", "/imu", "angular velocity", t, rate, "base"),
            Readings("orientation of /tf", "/tf", "orientation", t, yaw.as_quat(), "base", "odom"),
        )
    )
    findings = [finding for finding in examine(log).findings if finding.severity != "note"]
    (finding,) = findings
    assert {fault.readings for fault in finding.faults} == {"orientation of /odom"}
    assert "turns the other way" in finding.sentence or finding.faults[0].kind == "inverse"


@pytest.mark.parametrize("gravity", [True, False])
def test_that_forces_in_g_are_no_forces_without_gravity_where_positions_know_the_motion(gravity: bool) -> None:
    rng = np.random.default_rng(6)
    t = 0.02 * np.arange(1500)
    turns = Rotation.from_euler("z", 0.8 * np.sin(0.5 * t)[:, None])
    p = np.stack([1.5 * np.sin(0.6 * t), 0.8 * np.sin(0.9 * t), 0.0 * t], axis=1)
    a = np.gradient(np.gradient(p, t, axis=0), t, axis=0) + gravity * np.array([0.0, 0.0, 9.80665])
    force = turns.inv().apply(a) / (9.80665 if gravity else 1.0) + 0.01 * rng.normal(size=(1500, 3))
    log = SensorLog(
        (
            Readings("orientation of /odom", "/odom", "orientation", t, turns.as_quat(), "base", "odom"),
            Readings("position of /odom", "/odom", "position", t, p, "base", "odom"),
            Readings("specific force of /imu", "/imu", "specific force", t, force, "base"),
        )
    )
    findings = [finding for finding in examine(log).findings if finding.severity != "note"]
    kinds = {fault.kind for finding in findings for fault in finding.faults}
    assert ("unit" in kinds) == gravity
    assert kinds <= {"unit"} or not gravity


@pytest.mark.long
@pytest.mark.parametrize(("kind", "told"), [("scale", {"scale"}), ("bias", set())])
def test_that_a_force_that_is_too_small_has_no_offset_along_gravity(kind: str, told: set[str]) -> None:
    rng = np.random.default_rng(7)
    t = 0.02 * np.arange(3000)
    tilts = [0.011 * np.sin(1.1 * t), 0.011 * np.sin(1.7 * t + 1.0)]
    turns = Rotation.from_euler("zyx", np.stack([1.2 * np.sin(0.3 * t), *tilts], axis=1))
    p = np.stack([4.0 * np.sin(0.9 * t), 2.0 * np.sin(1.3 * t), 0.0 * t], axis=1)
    a = np.gradient(np.gradient(p, t, axis=0), t, axis=0) + np.array([0.0, 0.0, 9.80665])
    force = turns.inv().apply(a) * (0.9 if kind == "scale" else 1.0) - (kind == "bias") * np.array([0.0, 0.0, 1.0])
    log = SensorLog(
        (
            Readings("orientation of /odom", "/odom", "orientation", t, turns.as_quat(), "base", "odom"),
            Readings("position of /odom", "/odom", "position", t, p, "base", "odom"),
            Readings(
                "specific force of /imu", "/imu", "specific force", t, force + 0.02 * rng.normal(size=(3000, 3)), "base"
            ),
        )
    )
    findings = [finding for finding in examine(log).findings if finding.severity != "note"]
    kinds = {fault.kind for finding in findings for fault in finding.faults}
    assert told <= kinds <= {"scale", "bias"} - ({"bias"} if kind == "scale" else {"scale"})

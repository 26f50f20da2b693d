"""Several faults at once: one cause after the other, no fit of three causes, no rival that closes less."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from framescope.core.analysis.diagnostics import diagnose
from framescope.core.errors import Problem
from framescope.core.evaluation.evaluate import Plan, compile_plan
from framescope.core.scene.schema.model import Scene
from tests.setups import faults as f
from tests.setups import twins
from tests.setups.faults import Fault
from tests.setups.items import Setup
from tests.setups.motions import Array, Placed, wandering
from tests.setups.twins import MOUNTS, QUIET, drive, flight, rig

pytestmark = pytest.mark.fuzz

TRANSPOSED = f.said("mount_1", "matrix transposed", "transpos", said="parent to frame")
INVERSE = f.orientation_inverted("body")


def faulty(folder: Path, setup: Setup, *faults: Fault) -> Plan:
    """Return the plan of a set-up with faults."""
    for fault in faults:
        setup = setup.changed(fault.item, fault.change)
    return compile_plan(Scene.model_validate(setup.write(folder)), folder)


def alarms(plan: Plan) -> dict[str, Problem]:
    """Return the red and amber problems of a plan by the names of their items."""
    problems = [problem for problem in diagnose(plan) if problem.severity in ("red", "amber")]
    assert len({problem.name for problem in problems}) == len(problems)
    return {problem.name: problem for problem in problems}


def is_left(folder: Path, plan: Plan, edit) -> bool:
    return bool(alarms(compile_plan(edit.apply(plan.scene), folder)))


mounted = partial(rig, mounts=1, file_format="tum", sensors=("gyro", "velocity"))


@pytest.mark.parametrize("seed", [3, 9])
def test_that_a_fault_below_another_is_stated_beside_it(tmp_path, seed) -> None:
    plan = faulty(tmp_path, mounted(flight(seed), seed), INVERSE, TRANSPOSED)
    problems = alarms(plan)
    assert problems["velocity"].fix_text == "body: Invert the quaternion"
    gyro = problems["gyro"]
    assert gyro.title == "inverse recording and inverse orientation"
    assert "the quaternion of body is the inverse and the matrix of mount_1 is transposed" in gyro.hint
    assert gyro.fix is None
    assert not is_left(tmp_path, plan, gyro.others[0].change)
    (after,) = alarms(compile_plan(problems["velocity"].fix.change.apply(plan.scene), tmp_path)).values()
    assert (after.title, after.fix_text) == ("inverse orientation", "mount_1: Read as frame to parent")


def test_that_a_cause_that_another_fault_hides_is_stated_with_it(tmp_path) -> None:
    plan = faulty(tmp_path, mounted(flight(4), 4), INVERSE, TRANSPOSED)
    (both,) = alarms(plan).values()
    assert (both.name, both.title, both.fix) == ("body", "two causes of 2 misses", None)
    assert "its quaternion is the inverse and the matrix of mount_1 is transposed" in both.message
    assert not is_left(tmp_path, plan, both.others[0].change)


def planted(*numbers: int) -> tuple[Fault, ...]:
    """Return faults of a gyroscope that are independent of each other."""
    every = (
        f.said("gyro", "deg/s said to be rad/s", "deg/s", unit="deg/s", said_unit="rad/s"),
        f.permuted("gyro", (1, 0, 2), (1, 1, -1)),
        f.biased("gyro", 0.4, -0.3, 0.5),
        f.delayed("gyro", 0.2),
    )
    return tuple(every[i] for i in numbers)


@pytest.mark.parametrize("numbers", [(0, 1, 2), (1, 2, 3), (0, 2, 3)])
def test_that_three_causes_at_once_are_not_stated(tmp_path, numbers) -> None:
    plan = faulty(tmp_path, rig(flight(5), 5, sensors=("gyro",)), *planted(*numbers))
    gyro = alarms(plan)["gyro"]
    assert (gyro.severity, gyro.title) == ("amber", "does not match")
    assert "No one or two causes explain it" in gyro.hint
    assert (gyro.fix, gyro.others) == (None, ())
    assert not any(words in f"{gyro.message} {gyro.hint}" for words in ("deg/s", "axes:", "offset", "earlier"))


def test_that_a_cause_above_defers_guesses_below_it(tmp_path) -> None:
    plan = faulty(tmp_path, mounted(flight(11), 11), INVERSE, *planted(1, 2))
    problems = alarms(plan)
    assert problems["velocity"].fix_text == "body: Invert the quaternion"
    gyro = problems["gyro"]
    assert (gyro.severity, gyro.title, gyro.fix, gyro.others) == ("amber", "does not match", None, ())
    assert "No single cause explains it. Fix body first, then look again." in gyro.hint
    after = alarms(compile_plan(problems["velocity"].fix.change.apply(plan.scene), tmp_path))["gyro"]
    assert set(after.title.split(" and ")) == {"other axes", "constant offset"}


def test_that_a_cause_that_a_sensor_does_not_feel_defers_nothing(tmp_path) -> None:
    unit = f.said("body", "written in mm", "mm", unit="mm")
    plan = faulty(tmp_path, mounted(flight(7), 7), unit, *planted(0, 2))
    problems = alarms(plan)
    assert "mm" in problems["velocity"].fix_text
    assert set(problems["gyro"].title.split(" and ")) == {"wrong unit", "constant offset"}


def slow() -> Placed:
    """Return a body that turns slowly, so that a short lever shows little."""

    def way(t: Array) -> Array:
        x = 2.2 * np.sin(0.41 * t + 0.3) + 0.35 * np.cos(1.3 * t)
        return np.column_stack([x, 1.7 * np.cos(0.29 * t) + 0.4 * np.sin(1.6 * t + 0.5), 1.0 + 0.4 * np.sin(0.7 * t)])

    def angles(t: Array) -> Array:
        yaw = 1.1 * np.sin(0.37 * t + 0.2) + 0.4 * np.sin(1.1 * t)
        return np.column_stack([yaw, 0.35 * np.sin(0.91 * t + 1.0), 0.45 * np.sin(0.77 * t) + 0.12 * np.cos(2.1 * t)])

    return wandering("world", way, angles)


def test_that_a_lever_is_found_behind_a_wrong_order(tmp_path) -> None:
    setup = rig(flight(5), 5, mounts=1, sensors=("gyro", "velocity"))
    plan = faulty(tmp_path, setup, twins.misread("table"), twins.lever_forgotten("mount_1"))
    problems = alarms(plan)
    assert problems["gyro"].fix_text == "body: Read as xyzw"
    assert problems["velocity"].title == "wrong order and lever arm"
    after = compile_plan(problems["gyro"].fix.change.apply(plan.scene), tmp_path)
    assert alarms(after)["velocity"].title == "lever arm"
    assert not is_left(tmp_path, plan, problems["velocity"].others[0].change)


def test_that_a_choice_above_defers_what_is_below_it(tmp_path) -> None:
    counted = f.said("body", "clockwise", "clockwise", said="heading deg clockwise")
    form = "heading deg counterclockwise"
    setup = rig(drive(2, turning=0.8, speed=0.3), 2, mounts=1, sensors=("gyro", "velocity"), form=form, span=30.0)
    problems = alarms(faulty(tmp_path, setup, counted, twins.lever_forgotten("mount_1")))
    assert problems["gyro"].fix is None
    assert "does not tell which" in problems["gyro"].hint
    assert problems["velocity"].hint == "No single cause explains it. Fix gyro first, then look again."


@pytest.mark.parametrize("lever", [(0.03, 0.0, 0.02), (0.03, -0.02, 0.0), (0.02, 0.01, 0.02)])
def test_that_a_rival_closes_the_miss_as_well_as_the_best(tmp_path, monkeypatch, lever) -> None:
    monkeypatch.setattr(twins, "MOUNTS", ((MOUNTS[0][0], lever),))
    noise = replace(QUIET, metres=1e-3, degrees=0.06, speed=0.02)
    setup = rig(slow(), mounts=1, file_format="tum", noise=noise, sensors=("velocity",), span=24.0)
    (problem,) = alarms(faulty(tmp_path, setup, INVERSE)).values()
    assert problem.fix_text == "body: Invert the quaternion"
    sizes = [float(size) for size in re.findall(r"→ ([\d.]+) m/s", " ".join(fix.effect for fix in problem.fixes))]
    assert all(size <= 1.5 * 0.009 for size in sizes)

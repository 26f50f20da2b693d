"""Measured vectors with planted faults and realistic noise: what is found, with which numbers, and what stays open."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from framescope.core.errors import ItemError, Problem
from framescope.core.evaluation.evaluate import Plan, compile_plan, evaluate
from framescope.core.evaluation.relative_motion import relative_acceleration, relative_velocity
from framescope.core.scene.edits.fields import with_value
from framescope.core.scene.schema.model import Scene
from framescope.core.scene.schema.quantities import UNITS
from framescope.features.causes.core.rate_checks import rate_problems, vector_miss

pytestmark = pytest.mark.fuzz

NOISE = {"velocity": 0.01, "acceleration": 0.05, "angular velocity": 0.01, "angular acceleration": 0.05}
BASE = {"velocity": "m/s", "acceleration": "m/s²", "angular velocity": "rad/s", "angular acceleration": "rad/s²"}
AXIS = np.array([0.48, 0.6, 0.64])
END = 16.0
KEY = ("measured", "m")


class Setup:
    """A drone that is recorded with 1 mm and 0.1 degrees of noise, or exact, and a sensor that is fixed on it."""

    def __init__(self, folder: Path, form: str, seed: int = 1, *, is_recorded: bool = True) -> None:
        self.folder, self.form, self.rng = folder, form, np.random.default_rng(seed)
        a, f, b = self.rng.uniform(0.3, 0.9, 12), self.rng.uniform(0.1, 0.9, 12), self.rng.uniform(0.0, 6.0, 12)
        waves = [f"{a[i]:.3f}*sin({2 * np.pi * f[i]:.3f}*t + {b[i]:.3f})" for i in range(12)]
        signals = [f"{waves[i]} + {waves[i + 6]}" for i in range(6)]
        self.frames = {
            "drone": {
                "parent": "world",
                "position": {"value": signals[:3], "unit": "m"},
                "orientation": {"form": "axes", "sequence": "ZYX", "angles": signals[3:], "unit": "rad"},
            },
            "imu": {
                "parent": "drone",
                "position": {"value": [0.1, -0.05, 0.2], "unit": "m"},
                "orientation": {"form": "axes", "sequence": "ZYX", "angles": [35, -20, 50], "unit": "deg"},
            },
        }
        self.truth = compile_plan(self.scene(self.frames))
        self.t = np.arange(0.5, END - 0.5, 0.01)
        self.poses = self._poses()
        self.is_recorded = is_recorded

    def scene(self, frames: dict, **more: object) -> Scene:
        return Scene.model_validate(
            {"framescope": 1, "time": {"start": "0 s", "end": f"{END} s"}, "frames": frames, **more}
        )

    def _poses(self) -> np.ndarray:
        t = np.arange(0.0, END + 1e-9, 0.01)
        snapshot = evaluate(self.truth, t)
        i, noise = snapshot.index["drone"], self.rng.normal(size=(2, len(t), 3))
        R = Rotation.from_matrix(snapshot.R_WF[:, i]) * Rotation.from_rotvec(np.radians(0.1) * noise[0])
        return np.column_stack([t, snapshot.p_WF[:, i] + 1e-3 * noise[1], R.as_quat()])

    def vector(self, delay: float = 0.0, resolved_in: str = "imu") -> np.ndarray:
        motion = relative_velocity if self.form.endswith("velocity") else relative_acceleration
        half = slice(0, 3) if self.form.startswith("angular") else slice(3, 6)
        return motion(evaluate(self.truth, self.t - delay), "imu", "world", resolved_in)[:, half]

    def upwards(self, length: float) -> np.ndarray:
        snapshot = evaluate(self.truth, self.t)
        return np.array([0.0, 0.0, length]) @ snapshot.R_WF[:, snapshot.index["imu"]]

    def plan(self, values: np.ndarray, noise: float | None = None, **said: object) -> Plan:
        sigma = NOISE[self.form] if noise is None else noise
        values = values + sigma * self.rng.normal(size=values.shape)
        np.savetxt(
            self.folder / "v.csv", np.column_stack([self.t, values]), delimiter=",", header="t,x,y,z", comments=""
        )
        frames = dict(self.frames)
        if self.is_recorded:
            header = "t,x,y,z,qx,qy,qz,qw"
            np.savetxt(self.folder / "p.csv", self.poses, delimiter=",", header=header, comments="")
            columns = {
                "time": "t", "time_unit": "s", "position": ["x", "y", "z"], "position_unit": "m",
                "orientation": {"form": "quaternion", "columns": ["qx", "qy", "qz", "qw"], "order": "xyzw"},
            }  # fmt: skip
            motion = {"form": "recorded", "file": "p.csv", "format": "table", "columns": columns}
            frames["drone"] = {"parent": "world", "motion": motion}
        measured = {
            "form": self.form, "of": "imu", "relative_to": "world", "resolved_in": "imu", "unit": BASE[self.form],
            "file": "v.csv", "time": "t", "time_unit": "s", "values": ["x", "y", "z"], "start": "0.5 s",
        }  # fmt: skip
        return compile_plan(self.scene(frames, measured={"m": measured | said}), self.folder)


def one_of(plan: Plan) -> Problem:
    (one,) = rate_problems(plan)
    assert (one.kind, one.where) == ("rate-mismatch", "measured.m")
    return one


def numbers_after(word: str, text: str) -> list[float]:
    return [float(x) for x in re.findall(r"-?\d+\.?\d*(?:e[-+]?\d+)?", text.split(word, 1)[1])]


@pytest.mark.parametrize("is_recorded", [True, False])
@pytest.mark.parametrize("form", NOISE)
def test_that_a_right_sensor_is_no_alarm_beside_noisy_poses(tmp_path, form, is_recorded) -> None:
    setup = Setup(tmp_path, form, 2, is_recorded=is_recorded)
    assert list(rate_problems(setup.plan(setup.vector()))) == []


@pytest.mark.long
@pytest.mark.parametrize("form", NOISE)
def test_that_what_can_be_seen_is_found(tmp_path, form) -> None:
    setup = Setup(tmp_path, form)
    turned = one_of(setup.plan(setup.vector() @ Rotation.from_rotvec(-np.radians(2.0) * AXIS).as_matrix().T))
    assert turned.title == "turned"
    angle, *about = numbers_after("turned by", turned.message)[:4]
    assert angle == pytest.approx(2.0, abs=0.2)
    assert np.dot(about, AXIS) > 0.98
    scaled = one_of(setup.plan(1.02 * setup.vector()))
    assert scaled.title == "scaled"
    assert numbers_after("it is read ", scaled.message)[0] == pytest.approx(1.02, abs=0.005)
    late = one_of(setup.plan(setup.vector(delay=0.005)))
    assert late.title == "late"
    start = late.fix.change.apply(setup.plan(setup.vector()).scene).measured["m"].start
    assert start.value == pytest.approx(0.495, abs=0.001)


def test_that_a_bias_of_a_gyroscope_as_large_as_its_noise_is_found(tmp_path) -> None:
    setup = Setup(tmp_path, "angular velocity")
    one = one_of(setup.plan(setup.vector() + 0.01 * AXIS))
    assert (one.title, one.fix) == ("constant offset", None)
    np.testing.assert_allclose(numbers_after("offset of", one.message)[:3], 0.01 * AXIS, atol=0.001)


def test_that_a_small_turn_may_be_of_the_frame_or_of_the_vector(tmp_path) -> None:
    setup = Setup(tmp_path, "angular velocity")
    plan = setup.plan(setup.vector() @ Rotation.from_rotvec(np.radians(5.0) * AXIS).as_matrix().T)
    one = one_of(plan)
    assert one.fix is None
    (choice,) = one.others
    assert choice.text == "Turn imu"
    mended = compile_plan(choice.change.apply(plan.scene), tmp_path)
    assert list(rate_problems(mended)) == []


CHANGES = {
    "other axes": lambda v: v[:, [1, 2, 0]],
    "left-handed axes": lambda v: v * [1, -1, 1],
    "negated": lambda v: -v,
}


@pytest.mark.parametrize("title", CHANGES)
def test_that_other_axes_are_found(tmp_path, title) -> None:
    setup = Setup(tmp_path, "angular velocity")
    plan = setup.plan(CHANGES[title](setup.vector()))
    one = one_of(plan)
    assert one.title == title
    if one.fix is not None:  # the columns in another order, or the frames swapped
        assert list(rate_problems(compile_plan(one.fix.change.apply(plan.scene), tmp_path))) == []
    assert (one.fix is None) == (title == "left-handed axes")


def accelerometer(tmp_path, change=lambda f: f, **said) -> Plan:
    """Return a scene with the readings of an accelerometer: its acceleration less gravity."""
    setup = Setup(tmp_path, "acceleration")
    return setup.plan(change(setup.vector() + setup.upwards(9.80665)), **said)


def test_that_an_acceleration_with_gravity_is_a_specific_force(tmp_path) -> None:
    plan = accelerometer(tmp_path)
    one = one_of(plan)
    assert (one.title, one.severity, one.fix.text) == ("weight in it", "amber", "Read as specific force")
    mended = one.fix.change.apply(plan.scene)
    assert mended.measured["m"].form == "specific force"
    assert list(rate_problems(compile_plan(mended, tmp_path))) == []


def test_that_an_accelerometer_is_no_alarm_as_a_specific_force(tmp_path) -> None:
    assert list(rate_problems(accelerometer(tmp_path, form="specific force"))) == []


@pytest.mark.parametrize(
    ("change", "title"),
    [
        (lambda f: f / 9.80665, "wrong unit"),
        (lambda f: -f, "negated"),
        (lambda f: f @ Rotation.from_rotvec(-np.radians(8.0) * AXIS).as_matrix().T, "turned"),
        (lambda f: f * 1.2, "scaled"),
    ],
    ids=["g", "sign", "turned", "scaled"],
)
def test_that_a_fault_of_a_specific_force_is_told(tmp_path, change, title) -> None:
    assert one_of(accelerometer(tmp_path, change, form="specific force")).title == title


def test_that_a_specific_force_without_gravity_is_an_acceleration(tmp_path) -> None:
    setup = Setup(tmp_path, "acceleration")
    one = one_of(setup.plan(setup.vector(), form="specific force"))
    assert (one.title, one.fix.text) == ("gravity removed", "Read as acceleration")


def test_that_the_lever_arm_of_an_accelerometer_is_tried(tmp_path) -> None:
    setup = Setup(tmp_path, "acceleration", is_recorded=False)
    there = setup.vector() + setup.upwards(9.80665)
    del setup.frames["imu"]["position"]
    setup.frames["imu"]["position"] = {"value": [0.1, -0.05, 1.2], "unit": "m"}
    one = one_of(setup.plan(there, form="specific force", tolerance=0.2))
    assert "lever" in one.title or "off the origin" in one.message or "at (" in one.message


@pytest.mark.long
@pytest.mark.parametrize(("form", "unit"), [(form, unit) for form in NOISE for unit in UNITS[form]])
def test_that_numbers_are_in_the_unit_they_are_said_to_be_in(tmp_path, form, unit) -> None:
    setup = Setup(tmp_path, form, is_recorded=False)
    setup.t = setup.t[::4]
    factor = UNITS[form][unit]
    one = one_of(setup.plan((setup.vector() + 0.5 * AXIS) / factor, NOISE[form] / factor, unit=unit))
    message = one.message
    assert one.title == "constant offset"
    assert numbers_after("instead of", message)[0] == pytest.approx(0.5 / factor, rel=0.02)
    np.testing.assert_allclose(numbers_after("offset of", message)[:3], 0.5 * AXIS / factor, rtol=0.03)
    rest, noise = numbers_after("error", message)[0], numbers_after("noise", message)[0]
    assert rest == pytest.approx(np.sqrt(3.0) * NOISE[form] / factor, rel=0.1)
    assert noise == pytest.approx(rest, rel=0.1)
    assert set(re.findall(r"[a-z]+/[a-z]+[²2]?", message)) <= {unit}


@pytest.mark.parametrize("wild", [0.01, 0.05])
def test_that_wild_rows_neither_make_a_fault_nor_hide_one(tmp_path, wild) -> None:
    setup = Setup(tmp_path, "angular velocity")

    def with_wild(values: np.ndarray) -> np.ndarray:
        is_wild = setup.rng.random(len(values)) < wild
        return np.where(is_wild[:, np.newaxis], 30.0 * setup.rng.normal(size=values.shape), values)

    assert list(rate_problems(setup.plan(with_wild(setup.vector())))) == []
    one = one_of(setup.plan(with_wild(setup.vector(delay=0.01))))
    assert one.title == "late"
    assert "wild rows left out" in one.message


def test_that_wild_poses_make_no_fault_of_a_right_sensor(tmp_path) -> None:
    setup = Setup(tmp_path, "acceleration")
    rows = setup.rng.choice(len(setup.poses), 16, replace=False)
    setup.poses[rows, 1:4] += setup.rng.normal(size=(16, 3))
    assert list(rate_problems(setup.plan(setup.vector()))) == []


def test_that_two_causes_at_once_are_both_named(tmp_path) -> None:
    setup = Setup(tmp_path, "angular velocity")
    late = one_of(setup.plan(setup.vector(delay=0.03) + 0.05 * AXIS))
    assert set(late.title.split(" and ")) == {"late", "constant offset"}
    turned = one_of(setup.plan(1.05 * setup.vector() @ Rotation.from_rotvec(np.radians(4.0) * AXIS).as_matrix().T))
    assert set(turned.title.split(" and ")) == {"turned", "scaled"}
    degrees = one_of(setup.plan(np.degrees(setup.vector(resolved_in="world")), noise=0.5))
    assert set(degrees.title.split(" and ")) == {"wrong unit", "wrong frame"}
    assert degrees.fix_text == "Mend both"


def test_that_numbers_in_another_unit_are_told_in_that_unit(tmp_path) -> None:
    setup = Setup(tmp_path, "angular velocity")
    one = one_of(setup.plan(np.degrees(setup.vector() + 0.05 * AXIS), noise=0.5))
    assert set(one.title.split(" and ")) == {"wrong unit", "constant offset"}
    message = one.message
    np.testing.assert_allclose(numbers_after("offset of", message)[:3], np.degrees(0.05 * AXIS), rtol=0.1)
    assert re.search(r"offset of \(.*?\) deg/s: error [\d.]+ deg/s", message)


def test_that_an_offset_too_small_to_be_told_is_none_in_another_unit_either(tmp_path) -> None:
    setup = Setup(tmp_path, "angular velocity", is_recorded=False)
    assert one_of(setup.plan(np.degrees(setup.vector() + 0.003 * AXIS), noise=0.05)).title == "wrong unit"


def test_that_what_explains_only_a_part_is_no_answer(tmp_path) -> None:
    setup = Setup(tmp_path, "angular velocity")
    rest = 0.3 * np.sin(2.0 * np.pi * np.array([0.31, 0.47, 0.71]) * setup.t[:, np.newaxis])
    one = one_of(setup.plan(setup.vector(delay=0.1) + rest))
    assert (one.title, one.fix) == ("more than one cause", None)


def test_that_a_steady_turn_leaves_scale_and_bias_open(tmp_path) -> None:
    setup = Setup(tmp_path, "angular velocity", is_recorded=False)
    turn = {"form": "axis", "axis": "z", "angle": "40*t", "unit": "deg"}
    setup.frames["drone"] = {"parent": "world", "orientation": turn}
    setup.frames["imu"] = {"parent": "drone"}
    setup.truth = compile_plan(setup.scene(setup.frames))
    one = one_of(setup.plan(1.1 * setup.vector()))
    assert (one.title, one.fix) == ("one of several causes", None)
    assert "at rest" in one.hint


@pytest.mark.parametrize(("form", "rate"), [("angular velocity", 37), ("velocity", 37), ("velocity", 10)])
def test_that_a_motion_that_is_constant_but_for_rounding_gives_no_scale(tmp_path, form, rate) -> None:
    setup = Setup(tmp_path, form, is_recorded=False)
    turn = {"form": "axis", "axis": "y", "angle": f"{rate}*t", "unit": "deg"}
    way = {"value": [f"{rate / 10}*t", f"{rate / 7}*t", 0], "unit": "m"}
    setup.frames["drone"] = {"parent": "world", "position": way, "orientation": turn}
    setup.frames["imu"] = {"parent": "drone"}
    circle = np.column_stack([np.sin(setup.t), np.cos(setup.t), 0.0 * setup.t])
    one = one_of(setup.plan(circle, resolved_in="world"))
    assert one.fix is None


def test_that_a_tolerance_says_what_is_told(tmp_path) -> None:
    setup = Setup(tmp_path, "angular velocity", is_recorded=False)
    plan = setup.plan(setup.vector() + 0.02 * AXIS)
    assert one_of(plan).title == "constant offset"
    patient = compile_plan(with_value(plan.scene, (*KEY, "tolerance"), 0.05), tmp_path)
    assert list(rate_problems(patient)) == []
    faint = setup.plan(setup.vector() + 0.003 * AXIS)
    assert list(rate_problems(faint)) == []
    strict = compile_plan(with_value(faint.scene, (*KEY, "tolerance"), 0.002), tmp_path)
    assert one_of(strict).title == "constant offset"
    with pytest.raises((ItemError, ValueError)):
        with_value(plan.scene, (*KEY, "tolerance"), -1.0)


def test_that_another_unit_keeps_a_tolerance(tmp_path) -> None:
    setup = Setup(tmp_path, "angular velocity")
    plan = setup.plan(np.degrees(setup.vector()), 0.5, tolerance=1.0)
    mended = one_of(plan).fix.change.apply(plan.scene).measured["m"]
    assert (mended.unit, mended.tolerance) == ("deg/s", pytest.approx(np.degrees(1.0), rel=1e-5))


def test_that_the_miss_of_a_variant_falls_with_the_fault(tmp_path) -> None:
    setup = Setup(tmp_path, "angular velocity")
    wrong = setup.plan(setup.vector(resolved_in="world"))
    right = compile_plan(with_value(wrong.scene, (*KEY, "resolved_in"), "world"), tmp_path)
    before, after = vector_miss(wrong, "m"), vector_miss(right, "m")
    assert before.is_open
    assert not after.is_open
    assert before.rms > 50.0 * after.rms
    assert (after.quantity, after.unit) == ("angular velocity", "rad/s")


def test_that_times_in_a_gap_of_a_recording_do_not_count(tmp_path) -> None:
    setup = Setup(tmp_path, "angular velocity")
    setup.poses = setup.poses[(setup.poses[:, 0] < 5.0) | (setup.poses[:, 0] > 7.5)]
    assert list(rate_problems(setup.plan(setup.vector()))) == []


@pytest.mark.parametrize("scale", [0.0, 1.0])
def test_that_a_sensor_that_shows_nothing_or_noise_is_not_explained(tmp_path, scale) -> None:
    setup = Setup(tmp_path, "angular velocity")
    one = one_of(setup.plan(np.zeros((len(setup.t), 3)), noise=scale))
    assert (one.title, one.fix, one.others) == ("does not match", None, ())


def test_that_a_long_delay_of_fast_samples_is_found(tmp_path) -> None:
    setup = Setup(tmp_path, "velocity", is_recorded=False)
    setup.t = np.arange(0.5, END - 0.5, 0.002)
    one = one_of(setup.plan(setup.vector(delay=-0.4)))
    assert one.title == "early"
    assert numbers_after("Move by", one.fix_text)[0] == pytest.approx(0.4, abs=0.002)

"""Measurements meant otherwise than written: what would match is named, and the mend makes it match."""

from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from framescope.core.analysis.diagnostics import diagnose
from framescope.core.errors import Problem
from framescope.core.evaluation.evaluate import Plan, compile_plan, evaluate
from framescope.core.evaluation.relative_motion import relative_acceleration, relative_velocity
from framescope.core.scene.edits.fields import with_value
from framescope.core.scene.schema.model import Scene

pytestmark = pytest.mark.long

EXAMPLES = settings(max_examples=2)
SEEDS = st.integers(0, 10**6)
FORMS = ("velocity", "acceleration", "angular velocity", "angular acceleration")
UNITS = {
    "velocity": ("m/s", "mm/s", 1e3),
    "acceleration": ("m/s²", "mm/s²", 1e3),
    "angular velocity": ("rad/s", "deg/s", 180 / np.pi),
    "angular acceleration": ("rad/s²", "deg/s²", 180 / np.pi),
}


def moving_frames(seed: int) -> dict:
    """Return frames that all move: car in the world, arm in the car, tool in the arm, and drone in the world."""
    rng = np.random.default_rng(seed)

    def frame(parent: str) -> dict:
        a, w, f = rng.uniform(0.4, 1.1, 6), rng.uniform(0.6, 1.8, 6), rng.uniform(0, 6, 6)
        signals = [f"{a[i]:.3f}*sin({w[i]:.3f}*t + {f[i]:.3f})" for i in range(6)]
        return {
            "parent": parent,
            "position": {"value": signals[:3], "unit": "m"},
            "orientation": {"form": "axes", "sequence": "ZYX", "angles": signals[3:], "unit": "rad"},
        }

    return {"car": frame("world"), "arm": frame("car"), "tool": frame("arm"), "drone": frame("world")}


PLACE: list[Path] = []
NUMBERS = itertools.count()


@pytest.fixture(autouse=True, scope="module")
def place_for_files(tmp_path_factory):
    """Give hypothesis' examples a folder, since they cannot have a tmp_path each."""
    PLACE[:] = [tmp_path_factory.mktemp("measurements")]


class Case:
    """A scene with a recorded vector of the tool relative to the car."""

    def __init__(self, seed: int, form: str) -> None:
        self.form, self.frames = form, moving_frames(seed)
        self.rng = np.random.default_rng(seed + 1)
        self.t = np.arange(0.0, 8.0, 0.04)
        self.folder = PLACE[0] / str(next(NUMBERS))
        self.folder.mkdir()
        snapshot = evaluate(compile_plan(Scene.model_validate({"framescope": 1, "frames": self.frames})), self.t)
        motion = relative_velocity if form.endswith("velocity") else relative_acceleration
        half = slice(0, 3) if form.startswith("angular") else slice(3, 6)
        self.vector = lambda of, relative_to, resolved_in: motion(snapshot, of, relative_to, resolved_in)[:, half]

    def plan(self, values: np.ndarray, noise: float = 0.01, **measurement) -> Plan:
        """Return the plan of a scene that measures these values, said to be of tool relative to car resolved in arm."""
        values = values + noise * np.sqrt(np.nanmean(values**2)) * self.rng.normal(size=values.shape)
        rows = (",".join(map(repr, row.tolist())) for row in np.column_stack([self.t, values]))
        (self.folder / "values.csv").write_text("t,x,y,z\n" + "\n".join(rows))
        said = {
            "form": self.form, "of": "tool", "relative_to": "car", "resolved_in": "arm", "unit": UNITS[self.form][0],
            "file": "values.csv", "time": "t", "time_unit": "s", "values": ["x", "y", "z"],
        }  # fmt: skip
        data = {"framescope": 1, "frames": self.frames, "measured": {"measurement": said | measurement}}
        return compile_plan(Scene.model_validate(data), self.folder)

    def mended(self, one: Problem, plan: Plan) -> tuple[Problem, ...]:
        return diagnose(compile_plan(one.fix.change.apply(plan.scene), self.folder))


def one_of(plan: Plan) -> Problem:
    (one,) = diagnose(plan)
    assert (one.kind, one.where) == ("rate-mismatch", "measured.measurement")
    assert one.time is not None
    return one


FORM = st.sampled_from(FORMS)


@given(SEEDS, FORM, st.floats(0.0, 0.03))
@EXAMPLES
def test_that_a_measurement_that_matches_is_let_be(seed, form, noise) -> None:
    case = Case(seed, form)
    assert diagnose(case.plan(case.vector("tool", "car", "arm"), noise)) == ()


@given(SEEDS, FORM, st.sampled_from(["world", "car", "tool", "drone"]))
@EXAMPLES
def test_that_the_frame_it_is_resolved_in_is_found(seed, form, resolved_in) -> None:
    case = Case(seed, form)
    plan = case.plan(case.vector("tool", "car", resolved_in))
    one = one_of(plan)
    assert (one.title, one.fix_text, one.severity) == ("wrong frame", f"Resolve in {resolved_in}", "red")
    assert one.message.startswith(f"it fits only if it is read in the axes of {resolved_in}: error ")
    assert case.mended(one, plan) == ()


@given(SEEDS, FORM, st.sampled_from(["world", "arm", "drone"]))
@EXAMPLES
def test_that_the_frame_it_is_relative_to_is_found(seed, form, relative_to) -> None:
    case = Case(seed, form)
    plan = case.plan(case.vector("tool", relative_to, "arm"))
    one = one_of(plan)
    assert one.fix_text == f"Relative to {relative_to}"
    assert case.mended(one, plan) == ()


@given(SEEDS, st.sampled_from(FORMS[2:]))
@EXAMPLES
def test_that_a_negated_angular_vector_is_found(seed, form) -> None:
    case = Case(seed, form)
    plan = case.plan(-case.vector("tool", "car", "arm"))
    one = one_of(plan)
    assert (one.title, one.fix_text) == ("negated", "Swap the frames")
    assert case.mended(one, plan) == ()


@given(SEEDS, st.sampled_from(FORMS[:2]))
@EXAMPLES
def test_that_a_negated_vector_is_named_without_a_mend(seed, form) -> None:
    case = Case(seed, form)
    one = one_of(case.plan(-case.vector("tool", "car", "arm")))
    assert one.title == "negated"
    assert one.fix is None


@given(SEEDS, FORM)
@EXAMPLES
def test_that_the_unit_is_found(seed, form) -> None:
    case = Case(seed, form)
    _, unit, factor = UNITS[form]
    plan = case.plan(factor * case.vector("tool", "car", "arm"))
    one = one_of(plan)
    assert (one.title, one.fix_text) == ("wrong unit", f"Read as {unit}")
    assert case.mended(one, plan) == ()


@given(SEEDS)
@EXAMPLES
def test_that_two_faults_at_once_are_found(seed) -> None:
    case = Case(seed, "angular velocity")
    plan = case.plan(np.degrees(case.vector("tool", "car", "tool")))
    one = one_of(plan)
    assert "it is read in the axes of tool, in deg/s: error" in one.message
    assert case.mended(one, plan) == ()


@given(SEEDS, FORM, st.floats(0.15, 1.0))
@EXAMPLES
def test_that_a_delay_is_found(seed, form, delay) -> None:
    case = Case(seed, form)
    plan = case.plan(case.vector("tool", "car", "arm"), start=f"{delay} s")
    one = one_of(plan)
    assert one.title == "late"
    assert float(one.fix_text.split()[2]) == pytest.approx(-delay, abs=0.01)
    assert case.mended(one, plan) == ()


@given(SEEDS, FORM)
@EXAMPLES
def test_that_a_constant_offset_is_told(seed, form) -> None:
    case = Case(seed, form)
    true = case.vector("tool", "car", "arm")
    bias = np.abs(true).max() * np.array([0.8, -0.5, 0.3])
    one = one_of(case.plan(true + bias))
    assert one.title == "constant offset"
    assert f"({bias[0]:.3g}"[:3] in one.message


def test_that_weight_in_an_accelerometer_is_told() -> None:
    case = Case(4, "acceleration")
    upwards = np.array([0.0, 0.0, 9.81])
    snapshot = evaluate(compile_plan(Scene.model_validate({"framescope": 1, "frames": case.frames})), case.t)
    felt = case.vector("tool", "world", "tool") + upwards @ snapshot.R_WF[:, snapshot.index["tool"]]
    one = one_of(case.plan(felt, relative_to="world", resolved_in="tool"))
    assert one.title == "weight in it"
    assert "9.8" in one.message


@given(SEEDS)
@EXAMPLES
def test_that_what_matches_nothing_is_told_so(seed) -> None:
    case = Case(seed, "angular velocity")
    one = one_of(case.plan(np.sin(3.0 * case.t[:, None] + np.arange(3)) * 3.0))
    assert (one.title, one.severity, one.fix) == ("does not match", "amber", None)


@given(SEEDS, st.integers(10, 180), st.integers(2, 9))
@EXAMPLES
def test_that_rows_in_the_wrong_order_or_of_one_time_are_found_and_mended(seed, row, n) -> None:
    case = Case(seed, "angular velocity")
    plan = case.plan(case.vector("tool", "car", "arm"))
    file = case.folder / "values.csv"
    header, *rows = file.read_text().splitlines()
    file.write_text("\n".join([header, *rows[:row], *rows[row + 1 : row + n], rows[row], rows[row], *rows[row + n :]]))
    (back,) = diagnose(compile_plan(plan.scene, case.folder))
    assert (back.kind, back.rows, back.fix_text) == ("time-backward", (row + n,), "Sort by time")
    assert back.times == pytest.approx((case.t[row],))
    sorted_scene = back.fix.change.apply(plan.scene)
    (doubled,) = diagnose(compile_plan(sorted_scene, case.folder))
    assert (doubled.kind, doubled.fix_text) == ("duplicate-sample", "Leave out")
    assert doubled.times == pytest.approx((case.t[row],))
    assert diagnose(compile_plan(doubled.fix.change.apply(sorted_scene), case.folder)) == ()


def test_that_rows_of_a_vector_without_a_number_are_found_and_left_out() -> None:
    case = Case(11, "velocity")
    values = case.vector("tool", "car", "arm").copy()
    values[[30, 90], 1] = np.nan
    plan = case.plan(values, noise=0.0)
    (one,) = diagnose(plan)
    assert (one.kind, one.where, one.rows) == ("missing-number", "measured.measurement.file", (31, 91))
    assert (one.severity, one.fix_text) == ("red", "Leave out")
    assert 'row 31 has no number in the column "y"; there are 2 such rows.' in one.message
    assert case.mended(one, plan) == ()


def test_that_numbers_of_a_vector_that_stand_for_none_are_found_and_left_out() -> None:
    case = Case(11, "velocity")
    values = case.vector("tool", "car", "arm").copy()
    values[[30, 90], 1] = -9999.0
    plan = case.plan(values, noise=0.0)
    (one,) = diagnose(plan)
    assert (one.kind, one.where, one.rows) == ("sentinel", "measured.measurement.file", (31, 91))
    assert (one.severity, one.fix_text) == ("red", "Leave out")
    assert case.mended(one, plan) == ()


@given(SEEDS, st.sampled_from(["angular velocity", "velocity"]))
@settings(max_examples=2)
def test_that_a_recording_that_is_the_inverse_of_what_it_is_said_to_be_is_found_by_a_sensor(seed, form) -> None:
    case = Case(seed, form)
    truth = evaluate(compile_plan(Scene.model_validate({"framescope": 1, "frames": case.frames})), case.t)
    i = truth.index["car"]
    R_FW = truth.R_WF[:, i].transpose(0, 2, 1)
    p_FW = -np.einsum("nij,nj->ni", R_FW, truth.p_WF[:, i])
    rows = np.column_stack([case.t, p_FW, Rotation.from_matrix(R_FW).as_quat()])
    np.savetxt(case.folder / "poses.csv", rows, delimiter=",", header="t,x,y,z,qx,qy,qz,qw", comments="")
    columns = {
        "time": "t", "time_unit": "s", "position": ["x", "y", "z"], "position_unit": "m",
        "orientation": {"form": "quaternion", "columns": ["qx", "qy", "qz", "qw"], "order": "xyzw"},
    }  # fmt: skip
    motion = {"form": "recorded", "file": "poses.csv", "format": "table", "bandwidth": "8 Hz", "columns": columns}
    case.frames = {"car": {"parent": "world", "motion": motion}}
    plan = case.plan(case.vector("car", "world", "car"), of="car", relative_to="world", resolved_in="car")
    plan = compile_plan(with_value(plan.scene, ("time", "end"), "7.9 s"), case.folder)
    (one,) = (each for each in diagnose(plan) if each.kind == "rate-mismatch")
    assert one.title == "inverse recording"
    choices = {fix.text: fix.change for fix in one.fixes}
    assert (one.fix is None) == (form == "angular velocity"), "the position may be right where only turns are known"
    edit = choices["car: Read as parent in frame"]
    mended = edit.apply(plan.scene)
    assert mended.frames["car"].motion.pose == "parent in frame"
    assert mended.measured == plan.scene.measured
    again = diagnose(compile_plan(mended, case.folder))
    assert [each for each in again if each.severity != "note"] == []


def tip_vector(case: Case, arm: list[float]) -> np.ndarray:
    """Return the vector of a case at a point of the tool instead of at its origin."""
    frames = {**case.frames, "tip": {"parent": "tool", "position": {"value": arm, "unit": "m"}}}
    snapshot = evaluate(compile_plan(Scene.model_validate({"framescope": 1, "frames": frames})), case.t)
    motion = relative_velocity if case.form == "velocity" else relative_acceleration
    return motion(snapshot, "tip", "car", "arm")[:, 3:]


@given(SEEDS, st.sampled_from(FORMS[:2]))
@EXAMPLES
def test_that_a_lever_arm_that_nobody_has_written_is_found_and_gets_a_frame(seed, form) -> None:
    case, arm = Case(seed, form), [0.3, -0.25, 0.2]
    plan = case.plan(tip_vector(case, arm), noise=0.003)
    one = one_of(plan)
    assert one.title == "lever arm"
    assert one.fix_text.startswith("Add a frame at (0.")
    mended = one.fix.change.apply(plan.scene)
    (new,) = mended.frames.keys() - plan.scene.frames.keys()
    assert mended.measured["measurement"].of == new
    np.testing.assert_allclose(mended.frames[new].position.value, arm, atol=0.02)
    assert case.mended(one, plan) == ()


@given(SEEDS)
@EXAMPLES
def test_that_a_forgotten_position_of_a_fixed_frame_is_found_in_each_place_it_may_be(seed) -> None:
    case, arm = Case(seed, "velocity"), [0.3, -0.25, 0.2]
    values = tip_vector(case, arm)
    case.frames = {**case.frames, "mast": {"parent": "tool"}, "antenna": {"parent": "mast"}}
    plan = case.plan(values, noise=0.003, of="antenna")
    one = one_of(plan)
    assert one.fix is None, "the antenna may be off the mast, or the mast off the tool"
    assert [mend.text.split(" to ")[0] for mend in one.others] == ["Move antenna", "Move mast"]
    for mend in one.others:
        assert diagnose(compile_plan(mend.change.apply(plan.scene), case.folder)) == ()


def test_that_a_direction_of_a_lever_arm_that_no_turn_shows_is_named() -> None:
    case = Case(3, "velocity")
    spin = {"form": "axis", "axis": "z", "angle": "1.3*sin(0.9*t) + 0.8*t", "unit": "rad"}
    case.frames = {"car": {"parent": "world", "orientation": spin}, "tool": {"parent": "car"}}
    turn = 1.3 * np.sin(0.9 * case.t) + 0.8 * case.t
    rate = 1.3 * 0.9 * np.cos(0.9 * case.t) + 0.8
    across = np.column_stack([-np.sin(turn + 0.6), np.cos(turn + 0.6), np.zeros_like(turn)])
    plan = case.plan(0.5 * rate[:, None] * across, noise=0.003, relative_to="world", resolved_in="world")
    one = one_of(plan)
    assert one.title == "lever arm"
    assert "not along (0, 0, " in one.message
    assert one.fix is None
    (mend,) = one.others
    np.testing.assert_allclose(
        mend.change.apply(plan.scene).frames["tool"].position.value, 0.5 * np.array([np.cos(0.6), np.sin(0.6), 0.0]),
        atol=5e-3,
    )  # fmt: skip


# --- Poses


def camera_scene(seed: int, measurement) -> dict:
    """Return a scene in which a measurement is made of the pose of a camera in a flange."""
    rng = np.random.default_rng(seed)
    R = Rotation.from_euler("ZYX", rng.uniform([0.5, -1.0, 0.4], [1.2, -0.4, 1.0]))
    p = rng.uniform(0.1, 0.4, 3)
    angles = R.as_euler("ZYX")
    frames = {
        **moving_frames(seed),
        "flange": {"parent": "tool", "position": {"value": [0.1, 0, 0.3], "unit": "m"}},
        "camera": {
            "parent": "flange",
            "position": {"value": p.tolist(), "unit": "m"},
            "orientation": {"form": "axes", "sequence": "ZYX", "angles": angles.tolist(), "unit": "rad"},
        },
    }
    said = {"form": "pose", "of": "camera", "relative_to": "flange"} | measurement(R, p)
    return {"framescope": 1, "frames": frames, "measured": {"calibration": said}}


def pose(R: Rotation, p: np.ndarray, order: str = "xyzw") -> dict:
    q = R.as_quat().tolist()
    q = q if order == "xyzw" else [q[3], *q[:3]]
    return {
        "position": {"value": p.tolist(), "unit": "m"},
        "orientation": {"form": "quaternion", "value": q, "order": order},
    }


def inverse(R: Rotation, p: np.ndarray) -> dict:
    return pose(R.inv(), -R.inv().apply(p))


def transposed(R: Rotation, p: np.ndarray) -> dict:
    rows = R.as_matrix().tolist()
    return pose(R, p) | {"orientation": {"form": "matrix", "rows": rows, "maps": "parent to frame"}}


def about_fixed_axes(R: Rotation, p: np.ndarray) -> dict:
    angles = R.as_euler("xyz", degrees=True).tolist()
    return pose(R, p) | {"orientation": {"form": "axes", "sequence": "XYZ", "angles": angles, "unit": "deg"}}


def in_degrees(R: Rotation, p: np.ndarray) -> dict:
    angles = R.as_euler("ZYX", degrees=True).tolist()
    return pose(R, p) | {"orientation": {"form": "axes", "sequence": "ZYX", "angles": angles, "unit": "rad"}}


MEANT = {
    "other order": (
        lambda R, p: pose(R, p, "wxyz") | {"orientation": pose(R, p, "wxyz")["orientation"] | {"order": "xyzw"}},
        "Read as wxyz",
    ),
    "inverse pose": (inverse, "Swap the frames"),
    "transposed matrix": (transposed, "Read as frame to parent"),
    "fixed axes": (about_fixed_axes, "Turn about fixed axes"),
    "degrees": (in_degrees, "Read as deg"),
    "millimetres": (lambda R, p: pose(R, 1000 * p), "Read as mm"),
    "inverse quaternion": (lambda R, p: pose(R.inv(), p), "Invert the quaternion"),
}


@pytest.mark.parametrize("fault", MEANT)
@given(SEEDS)
@settings(max_examples=2)
def test_that_what_would_close_a_loop_is_found(fault, seed) -> None:
    measurement, button = MEANT[fault]
    plan = compile_plan(Scene.model_validate(camera_scene(seed, measurement)))
    (one,) = diagnose(plan)
    assert (one.kind, one.where) == ("loop-open", "measured.calibration")
    assert one.hint.startswith("It closes if")
    # The pose of the frame may be the inverse as well, or about fixed axes: nothing in the scene tells which.
    is_open = fault in ("fixed axes", "inverse pose", "inverse quaternion")
    assert (one.fix is None) is is_open
    assert one.fixes[0].text == button
    assert diagnose(compile_plan(one.fixes[0].change.apply(plan.scene))) == ()


@given(SEEDS, st.sampled_from(["arm", "tool", "drone"]))
@EXAMPLES
def test_that_the_frame_a_pose_is_relative_to_is_found(seed, relative_to) -> None:
    data = camera_scene(seed, pose)
    data["measured"]["calibration"]["relative_to"] = relative_to
    plan = compile_plan(Scene.model_validate(data))
    (one,) = diagnose(plan)
    assert one.fix_text == "Relative to flange"
    assert (one.time is None) is (relative_to == "tool")  # the gap is the same at all times then
    assert diagnose(compile_plan(one.fix.change.apply(plan.scene))) == ()


@given(SEEDS, st.floats(0.1, 0.5), st.floats(5.0, 40.0))
@EXAMPLES
def test_that_a_gap_that_nothing_explains_is_told_in_metres_and_degrees(seed, shift, angle) -> None:
    turn = Rotation.from_rotvec(np.radians(angle) * np.array([0.48, 0.6, 0.64]))
    plan = compile_plan(Scene.model_validate(camera_scene(seed, lambda R, p: pose(R * turn, p + shift * np.eye(3)[0]))))
    (one,) = diagnose(plan)
    assert f"{shift:.4g} m and {angle:.3g}°" in one.message
    assert (one.severity, one.fix_text, one.has_safe_fix) == ("amber", "Take the measurement's pose", False)
    assert diagnose(compile_plan(one.fix.change.apply(plan.scene))) == ()


@given(SEEDS)
@EXAMPLES
def test_that_a_measurement_that_closes_is_let_be_and_one_that_nearly_does_is_a_note(seed) -> None:
    assert diagnose(compile_plan(Scene.model_validate(camera_scene(seed, pose)))) == ()
    turn = Rotation.from_rotvec([0.01, 0.0, 0.01])
    (one,) = diagnose(compile_plan(Scene.model_validate(camera_scene(seed, lambda R, p: pose(R * turn, p)))))
    assert (one.kind, one.severity) == ("loop-open", "note")


def test_that_two_measurements_of_frames_without_a_pose_are_laid_beside_each_other() -> None:
    frames = {"base": {"parent": "qqqqqq"}, "tip": {"parent": "zzzzzzz"}}
    there = {"form": "pose", "of": "tip", "relative_to": "base", "position": {"value": [1, 0, 0], "unit": "m"}}
    back = {
        "form": "pose", "of": "base", "relative_to": "tip", "position": {"value": [-1.2, 0, 0], "unit": "m"},
        "orientation": {"form": "axis", "axis": "x", "angle": 0, "unit": "deg"},
    }  # fmt: skip
    data = {"framescope": 1, "frames": frames, "measured": {"there": there, "back": back}}
    (one,) = (one for one in diagnose(compile_plan(Scene.model_validate(data))) if one.kind == "loop-open")
    assert (one.name, one.title) == ("back", "measurements differ")
    assert "0.2 m apart" in one.message
    del data["measured"]["back"]["orientation"]  # and so it is not known which way its position points back
    assert "loop-open" not in {one.kind for one in diagnose(compile_plan(Scene.model_validate(data)))}


def only_part(key: str):
    """Return a measurement of a pose that leaves all but its position or its orientation out."""
    return lambda R, p: {key: pose(R, p)[key]}


@given(SEEDS, st.sampled_from(["position", "orientation"]))
@EXAMPLES
def test_that_what_a_measurement_leaves_out_is_not_compared(seed, key) -> None:
    plan = compile_plan(Scene.model_validate(camera_scene(seed, only_part(key))))
    assert diagnose(plan) == ()
    snapshot = evaluate(plan, 1.0)
    measurement, i = snapshot.measurements["calibration"], snapshot.index["camera"]
    np.testing.assert_allclose(measurement.R_WM, snapshot.R_WF[i], atol=1e-12)
    np.testing.assert_allclose(measurement.p_WM, snapshot.p_WF[i], atol=1e-12)


@given(SEEDS)
@EXAMPLES
def test_that_a_measured_position_leaves_the_orientation_alone(seed) -> None:
    off = np.array([0.31, -0.17, 0.23])
    data = camera_scene(seed, lambda R, p: {"position": pose(R, p + off)["position"]})
    plan = compile_plan(Scene.model_validate(data))
    (one,) = diagnose(plan)
    assert f"puts camera {np.linalg.norm(off):.4g} m from" in one.message
    assert one.fix_text == "Take the measurement's pose"
    mended = one.fix.change.apply(plan.scene)
    assert mended.frames["camera"].orientation == plan.scene.frames["camera"].orientation
    assert diagnose(compile_plan(mended)) == ()


@given(SEEDS)
@EXAMPLES
def test_that_what_does_not_close_a_loop_is_said_and_is_no_mend(seed) -> None:
    def nearly_inverse(R: Rotation, p: np.ndarray) -> dict:
        measurement = inverse(R, p)
        measurement["position"]["value"][0] += 0.2 * float(np.linalg.norm(p))
        return measurement

    plan = compile_plan(Scene.model_validate(camera_scene(seed, nearly_inverse)))
    (one,) = diagnose(plan)
    assert one.hint.startswith("Nearest, ")
    assert "is that it is the pose of flange in camera." in one.hint
    assert one.fix_text == "Take the measurement's pose"
    assert diagnose(compile_plan(one.fix.change.apply(plan.scene))) == ()

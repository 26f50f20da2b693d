"""Faults of recordings: planted in random rows, they are found with row and time, and mended where that is possible."""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from framescope import assets
from framescope.core.analysis.diagnostics import diagnose
from framescope.core.errors import Problem
from framescope.core.evaluation.evaluate import Plan, compile_plan, evaluate
from framescope.core.scene.edits.fields import with_value
from framescope.core.scene.schema.model import Scene
from tests.support.trajectories import read_tum

N = 160
STEP = 0.02
START = 1.5
EXAMPLES = settings(max_examples=6)
ROWS = st.integers(15, N - 15)
SEEDS = st.integers(0, 10**6)


def rows_of(seed: int, n: int = N) -> np.ndarray:
    """Return a sound recording (n, 8): time, position, quaternion scalar last."""
    rng = np.random.default_rng(seed)
    t = STEP * np.arange(n)
    w = rng.uniform(0.3, 2.0, (3, 1))
    phase = rng.uniform(0, 6, (3, 1))
    p = np.sin(w * t + phase).T
    angles = (rng.uniform(0.2, 1.0, (3, 1)) * np.cos(w * t + phase)).T
    Q = Rotation.from_euler("ZYX", angles).as_quat()
    for i in range(1, n):
        if Q[i] @ Q[i - 1] < 0:
            Q[i] *= -1
    return np.column_stack([t, p, Q])


def plan_of(rows: np.ndarray, scene: Scene | None = None, **columns) -> tuple[Plan, tempfile.TemporaryDirectory]:
    """Return the plan of a scene with a recording, and the folder that it is in."""
    folder = tempfile.TemporaryDirectory()
    header = ",".join(f"c{i}" for i in range(rows.shape[1]))
    text = "\n".join([header, *(",".join(repr(float(x)) for x in row) for row in rows)])
    (Path(folder.name) / "walk.csv").write_text(text + "\n")
    orientation = columns or {"form": "quaternion", "columns": ["c4", "c5", "c6", "c7"], "order": "xyzw"}
    motion = {
        "form": "recorded",
        "file": "walk.csv",
        "format": "table",
        "bandwidth": "4 Hz",
        "start": f"{START} s",
        "columns": {
            "time": "c0",
            "time_unit": "s",
            "position": ["c1", "c2", "c3"],
            "position_unit": "m",
            "orientation": orientation,
        },
    }
    end = START + float(np.ptp(rows[:, 0]))
    data = {
        "framescope": 1,
        "time": {"start": f"{START} s", "end": f"{end!r} s"},
        "frames": {"walker": {"parent": "world", "motion": motion}},
    }
    return compile_plan(scene or Scene.model_validate(data), Path(folder.name)), folder


def check(rows: np.ndarray, kind: str, row: int | None = None, **columns) -> Problem:
    """Return the one fault of a recording, which is of a kind and in a row from 0; its mend takes it away."""
    plan, folder = plan_of(rows, **columns)
    with folder:
        found = diagnose(plan)
        assert [one.kind for one in found] == [kind]
        (one,) = found
        assert one.where == "frames.walker.motion.file"
        if row is not None:
            assert row + 1 in one.rows
            assert one.times[one.rows.index(row + 1)] == pytest.approx(START + rows[row, 0] - rows[0, 0])
        if one.fix is not None:
            after = compile_plan(one.fix.change.apply(plan.scene), Path(folder.name))
            assert diagnose(after) == ()
            assert [p for p in after.problems if p.severity != "note"] == []
        return one


@given(SEEDS)
@EXAMPLES
def test_that_a_sound_recording_has_no_fault(seed) -> None:
    plan, folder = plan_of(rows_of(seed))
    with folder:
        assert diagnose(plan) == ()


@given(SEEDS, ROWS)
@EXAMPLES
def test_that_a_change_of_sign_is_found(seed, row) -> None:
    rows = rows_of(seed)
    rows[row:, 4:] *= -1.0
    one = check(rows, "sign-flip", row)
    assert (one.severity, one.fix_text, one.has_safe_fix) == ("note", "Keep sign", True)


@given(SEEDS, st.lists(ROWS, min_size=2, max_size=6, unique=True))
@EXAMPLES
def test_that_all_changes_of_sign_are_told_at_once(seed, where) -> None:
    rows = rows_of(seed)
    for row in where:
        rows[row:, 4:] *= -1.0
    one = check(rows, "sign-flip")
    assert set(one.rows) == {row + 1 for row in where}
    assert f"there are {len(where)} flips" in one.message


@given(SEEDS, ROWS, st.floats(0.2, 2.0))
@EXAMPLES
def test_that_a_gap_is_found(seed, row, length) -> None:
    rows = rows_of(seed)
    rows[row + 1 :, 0] += length
    one = check(rows, "time-gap", row)
    assert one.severity == ("amber" if length + STEP > 0.25 else "note")
    assert f"{length + STEP:.3g} s" in one.message
    assert one.fix_text == "Mark gap"


def test_that_nothing_is_drawn_inside_a_marked_gap() -> None:
    rows = rows_of(3)
    rows[81:, 0] += 1.0
    plan, folder = plan_of(rows)
    with folder:
        (one,) = diagnose(plan)
        after = compile_plan(one.fix.change.apply(plan.scene), Path(folder.name))
    t = START + rows[80, 0] + np.array([0.0, 0.01, 0.5, 1.0, 1.0 + STEP])
    is_posed = evaluate(after, t).is_posed[:, after.index["walker"]]
    assert is_posed.tolist() == [True, False, False, False, True]
    assert evaluate(plan, t).is_posed.all()


@given(SEEDS, ROWS, st.booleans())
@EXAMPLES
def test_that_a_doubled_time_is_found(seed, row, is_other) -> None:
    rows = rows_of(seed)
    again = rows[row].copy()
    again[1] += 0.01 * is_other
    one = check(np.insert(rows, row + 1, again, axis=0), "duplicate-sample", row + 1)
    assert one.severity == ("amber" if is_other else "note")
    assert one.has_safe_fix is not is_other


@given(SEEDS, ROWS, st.integers(2, 12))
@EXAMPLES
def test_that_rows_in_the_wrong_order_are_found_and_sorted(seed, row, n) -> None:
    rows = rows_of(seed)
    sound, folder = plan_of(rows)
    t = START + np.linspace(0, 3, 20)
    with folder:
        expected = evaluate(sound, t).p_WF
    order = np.concatenate([np.arange(row), np.arange(row + 1, row + n), [row], np.arange(row + n, N)])
    one = check(rows[order], "time-backward", row + n - 1)
    assert (one.severity, one.fix_text) == ("red", "Sort by time")
    shuffled, folder = plan_of(rows[order])
    with folder:
        after = compile_plan(one.fix.change.apply(shuffled.scene), Path(folder.name))
    np.testing.assert_allclose(evaluate(after, t).p_WF, expected, atol=1e-12)


@given(SEEDS, ROWS, st.floats(0.5, 3.1))
@EXAMPLES
def test_that_a_sample_far_off_is_found_and_left_out(seed, row, angle) -> None:
    rows = rows_of(seed)
    off = Rotation.from_rotvec(angle * np.array([0.6, 0.0, 0.8]))
    q = (Rotation.from_quat(rows[row, 4:]) * off).as_quat()
    rows[row, 4:] = q if q @ rows[row - 1, 4:] >= 0 else -q
    assume(rows[row, 4:] @ rows[row + 1, 4:] >= 0)
    one = check(rows, "outlier", row)
    assert one.severity == "amber"
    assert one.fix_text == "Leave out"


@given(SEEDS, st.lists(ROWS, min_size=1, max_size=3, unique=True), st.integers(1, 7))
@EXAMPLES
def test_that_rows_without_a_number_are_found_and_left_out(seed, where, column) -> None:
    rows = rows_of(seed)
    rows[where, column] = np.nan
    one = check(rows, "missing-number")
    assert one.rows == tuple(row + 1 for row in sorted(where))
    assert f'row {min(where) + 1} has no number in the column "c{column}"' in one.message
    assert (one.severity, one.fix_text) == ("red", "Leave out")
    plan, folder = plan_of(rows)
    with folder:
        after = compile_plan(one.fix.change.apply(plan.scene), Path(folder.name))
    t = START + rows[where[0], 0]
    np.testing.assert_allclose(evaluate(after, t).p_WF[1], rows_of(seed)[where[0], 1:4], atol=0.05)


@pytest.mark.parametrize("kind", ["tum", "kitti", "kitti with times", "euroc"])
def test_that_rows_without_a_number_are_left_out_of_a_known_format(tmp_path, kind) -> None:
    rows = rows_of(4)
    rows[[30, 31], 2] = np.nan
    t, p, Q = rows[:, :1], rows[:, 1:4], rows[:, 4:]
    more = {} if kind != "kitti" else {"rate": f"{1 / STEP} Hz"}
    header = ""
    if kind.startswith("kitti"):
        rows = np.concatenate([Rotation.from_quat(Q).as_matrix(), p[:, :, np.newaxis]], axis=2).reshape(N, 12)
    elif kind == "euroc":
        header = "#timestamp,p_RS_R_x,p_RS_R_y,p_RS_R_z,q_RS_w,q_RS_x,q_RS_y,q_RS_z,v_RS_R_x"
        rows = np.concatenate([1e9 * t, p, Q[:, [3, 0, 1, 2]], np.full((N, 1), np.nan)], axis=1)
    separator = "," if header else " "
    np.savetxt(tmp_path / "walk.txt", rows, delimiter=separator, header=header, comments="", fmt="%.17g")
    if kind == "kitti with times":
        np.savetxt(tmp_path / "times.txt", t)
        more = {"times": "times.txt"}
    motion = {"form": "recorded", "file": "walk.txt", "format": kind.split()[0]} | more
    scene = Scene.model_validate({"framescope": 1, "frames": {"walker": {"parent": "world", "motion": motion}}})
    one = next(each for each in diagnose(compile_plan(scene, tmp_path)) if each.kind != "not-covered")
    assert (one.kind, one.rows, one.fix_text) == ("missing-number", (31, 32), "Leave out")
    after = compile_plan(one.fix.change.apply(scene), tmp_path)
    assert not [problem for problem in after.problems if problem.severity == "red"]
    for row in (29, 32, 90):
        np.testing.assert_allclose(evaluate(after, STEP * row).p_WF[1], rows_of(4)[row, 1:4], atol=1e-6)


def test_that_the_rows_after_those_left_out_keep_their_numbers() -> None:
    rows = rows_of(4)
    rows[20, 1] = np.nan
    rows[60:, 4:] *= -1.0
    plan, folder = plan_of(rows)
    with folder:
        (one,) = diagnose(plan)
        (flip,) = diagnose(compile_plan(one.fix.change.apply(plan.scene), Path(folder.name)))
    assert (flip.kind, flip.rows) == ("sign-flip", (61,))


def test_that_a_table_without_a_whole_row_is_refused() -> None:
    rows = rows_of(4)
    rows[::2, 1] = rows[1::2, 4] = np.nan
    plan, folder = plan_of(rows)
    with folder:
        (one,) = diagnose(plan)
        assert (one.kind, one.fix) == ("missing-number", None)
        scene = with_value(plan.scene, ("frames", "walker", "motion", "mends"), ("drop missing",))
        (rest,) = diagnose(compile_plan(scene, Path(folder.name)))
    assert "no row with a number in each column" in rest.message


@pytest.mark.parametrize(("unit", "factor", "written"), [("ms", 1e3, "s"), ("ns", 1e9, "s"), ("us", 1e6, "ms")])
def test_that_a_wrong_unit_of_time_is_found_by_the_steps(unit, factor, written) -> None:
    rows = rows_of(2)
    sound, folder = plan_of(rows)
    folder.cleanup()
    rows[:, 0] *= factor
    plan, folder = plan_of(rows, sound.scene)
    place = ("frames", "walker", "motion", "columns", "time_unit")
    with folder:
        wrong = with_value(plan.scene, place, written)
        (one,) = diagnose(compile_plan(wrong, Path(folder.name)))
        assert (one.kind, one.title, one.key_path) == ("unit-wrong", "wrong unit", place)
        assert f'Did you mean "{unit}"?' in one.hint
        assert (one.severity, one.fix_text, one.has_safe_fix) == ("red", f"Use {unit}", False)
        assert diagnose(compile_plan(one.fix.change.apply(wrong), Path(folder.name))) == ()


def test_that_a_recording_in_too_small_a_unit_says_so_where_it_ends_too_early() -> None:
    plan, folder = plan_of(rows_of(2))
    with folder:
        wrong = with_value(plan.scene, ("frames", "walker", "motion", "columns", "time_unit"), "ms")
        (one,) = diagnose(compile_plan(wrong, Path(folder.name)))
        assert (one.kind, one.severity, one.fix_text) == ("unit-wrong", "amber", "Use s")
        assert diagnose(compile_plan(one.fix.change.apply(wrong), Path(folder.name))) == ()


@pytest.mark.parametrize(("step", "bandwidth"), [(60.0, "0.001 Hz"), (20.0, "0.01 Hz")])
def test_that_a_slow_recording_is_let_be(step, bandwidth) -> None:
    rows = rows_of(2)
    rows[:, 0] *= step / STEP
    plan, folder = plan_of(rows)
    with folder:
        scene = with_value(plan.scene, ("frames", "walker", "motion", "bandwidth"), bandwidth)
        assert diagnose(compile_plan(scene, Path(folder.name))) == ()


@pytest.mark.parametrize(("missing", "is_told"), [(0.9, False), (1.9, False), (2.1, True), (30.0, True)])
def test_that_a_scene_may_end_with_the_last_step_of_a_recording(missing, is_told) -> None:
    plan, folder = plan_of(rows_of(6))
    with folder:
        scene = with_value(plan.scene, ("time", "end"), f"{plan.end + missing * STEP!r} s")
        found = diagnose(compile_plan(scene, Path(folder.name)))
    assert ["covers" in one.message for one in found] == [True] * is_told


@given(SEEDS, ROWS, st.floats(0.5, 3.0))
@EXAMPLES
def test_that_a_jump_is_found(seed, row, angle) -> None:
    rows = rows_of(seed)
    off = Rotation.from_rotvec(angle * np.array([0.0, 0.6, 0.8]))
    Q = (off * Rotation.from_quat(rows[row:, 4:])).as_quat()
    for i, q in enumerate(Q):
        Q[i] = q if q @ (rows[row - 1, 4:] if i == 0 else Q[i - 1]) >= 0 else -q
    rows[row:, 4:] = Q
    one = check(rows, "jump", row)
    assert one.severity == "amber"
    told = float(one.message.split("by ")[1].split("°")[0])
    assert told == pytest.approx(np.degrees(angle), abs=4.0)  # with the step that it makes anyhow
    assert one.fix is None


@given(SEEDS, ROWS)
@EXAMPLES
def test_that_a_jump_of_the_place_is_found(seed, row) -> None:
    rows = rows_of(seed)
    rows[row:, 1] += 1.0
    check(rows, "position-jump", row)


@given(SEEDS, ROWS, st.floats(0.5, 1.5))
@EXAMPLES
def test_that_a_quaternion_of_another_length_is_found_and_normalised(seed, row, length) -> None:
    assume(abs(length - 1.0) > 2e-3)
    rows = rows_of(seed)
    rows[row, 4:] *= length
    one = check(rows, "not-normalised", row)
    assert one.severity == "red"
    assert one.has_safe_fix is (abs(length - 1.0) < 0.05)


@given(SEEDS, st.floats(-170, 170))
@EXAMPLES
def test_that_angles_that_go_round_are_found(seed, first) -> None:
    t = STEP * np.arange(N)
    yaw = (first + 120.0 * t + 180.0) % 360.0 - 180.0
    rows = np.column_stack([rows_of(seed)[:, :4], yaw, 10 * np.sin(t), 5 * np.cos(t)])
    wrapped = np.flatnonzero(np.abs(np.diff(yaw)) > 180) + 1
    assume(wrapped.size)
    columns = {"form": "axes", "columns": ["c4", "c5", "c6"], "sequence": "ZYX", "unit": "deg"}
    one = check(rows, "angle-wrap", int(wrapped[0]), **columns)
    assert set(one.rows) == set((wrapped + 1).tolist())
    assert (one.severity, one.fix_text, one.has_safe_fix) == ("note", "Unwrap", True)


def rows_of_angles(seed: int, *angles: np.ndarray) -> np.ndarray:
    return np.column_stack([rows_of(seed)[:, :4], *angles])


IN_RADIANS = {"form": "axes", "columns": ["c4", "c5", "c6"], "sequence": "ZYX", "unit": "rad"}


@given(SEEDS, st.floats(-170, 170), st.floats(10, 40))
@EXAMPLES
def test_that_angles_in_degrees_said_to_be_radians_are_found(seed, first, pitch) -> None:
    t = STEP * np.arange(N)
    yaw = (first + 20.0 * t + 180.0) % 360.0 - 180.0
    rows = rows_of_angles(seed, yaw, pitch * np.sin(2 * t), 5 * np.cos(t))
    plan, folder = plan_of(rows, **IN_RADIANS)
    with folder:
        (one,) = diagnose(plan)
        assert one.where == "frames.walker.motion.columns.orientation.unit"
        assert (one.kind, one.severity, one.fix_text) == ("unit-wrong", "amber", "Read as deg")
        after = compile_plan(one.fix.change.apply(plan.scene), Path(folder.name))
        assert {each.kind for each in diagnose(after)} <= {"angle-wrap"}


@pytest.mark.parametrize("sequence", ["ZYX", "zxz"])
def test_that_turns_over_many_radians_are_let_be(sequence) -> None:
    t = STEP * np.arange(N)
    rows = rows_of_angles(3, 12.0 * t, 0.8 + 0.4 * np.sin(t), 9.0 * t)
    plan, folder = plan_of(rows, **IN_RADIANS | {"sequence": sequence})
    with folder:
        assert diagnose(plan) == ()


def test_that_several_faults_are_told_apart_and_mended_one_after_another() -> None:
    rows = rows_of(5)
    rows[40:, 4:] *= -1.0
    rows[101:, 0] += 1.0
    rows[120, 4:] *= 1.02
    rows = np.insert(rows, 60, rows[59], axis=0)
    plan, folder = plan_of(rows)
    with folder:
        found = diagnose(plan)
        assert {one.kind for one in found} == {"sign-flip", "time-gap", "not-normalised", "duplicate-sample"}
        scene = plan.scene
        for one in found:
            scene = one.fix.change.apply(scene)
        assert diagnose(compile_plan(scene, Path(folder.name))) == ()
        assert len(scene.frames["walker"].motion.mends) == 4


def test_that_the_rows_of_one_frame_among_others_are_those_of_the_file() -> None:
    rows = np.repeat(rows_of(8), 2, axis=0)
    rows = np.column_stack([rows, np.arange(len(rows)) % 2])
    rows[100::2, 4:8] *= -1.0
    plan, folder = plan_of(rows)
    with folder:
        scene = with_value(plan.scene, ("frames", "walker", "motion", "rows"), {"column": "c8", "value": 0})
        (one,) = diagnose(compile_plan(scene, Path(folder.name)))
    assert (one.kind, one.rows) == ("sign-flip", (101,))


def test_that_the_real_recording_has_one_gap_and_nothing_else() -> None:
    motion = {"form": "recorded", "file": "freiburg1_xyz.txt", "format": "tum", "bandwidth": "4 Hz"}
    scene = Scene.model_validate(
        {"framescope": 1, "time": {"end": "30 s"}, "frames": {"camera": {"parent": "world", "motion": motion}}}
    )
    (one,) = diagnose(compile_plan(scene, assets.path("scenes")))
    assert (one.kind, one.severity, one.rows) == ("time-gap", "note", (1018,))
    t = read_tum(assets.path("scenes/freiburg1_xyz.txt"))[0].t
    assert np.flatnonzero(np.diff(t) > 0.06).tolist() == [1017]  # the gap is there

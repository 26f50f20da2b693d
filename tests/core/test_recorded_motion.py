"""Recordings of every format as the motion of a frame: the same poses out of each, and what is said of gaps."""

from __future__ import annotations

import numpy as np
import pytest

from framescope.core import frames
from framescope.core.analysis.diagnostics import diagnose
from framescope.core.evaluation.compile.recorded import as_table, sampled_motion
from framescope.core.evaluation.evaluate import Plan, compile_plan, evaluate
from framescope.core.scene.schema.model import Scene

T = np.arange(0.0, 4.0, 0.02)
R = frames.axes_rotations("ZYX", np.stack([0.5 * np.sin(T), 0.2 * T, 0.1 * np.cos(T)], axis=-1), 0)
Q = frames.to_Q(R)
P = np.stack([np.sin(T), np.cos(T), 0.1 * T], axis=-1)


def plan_of(folder, motion: dict) -> Plan:
    given = {"form": "recorded", "bandwidth": "5 Hz", **motion}
    scene = Scene.model_validate(
        {"time": {"start": "0 s", "end": "3.9 s"}, "frames": {"f": {"parent": "world", "motion": given}}}
    )
    return compile_plan(scene, folder)


def text_of(columns: np.ndarray, separator: str = " ") -> str:
    return "\n".join(separator.join(repr(float(x)) for x in row) for row in columns) + "\n"


def write_tum(folder) -> dict:
    (folder / "a.txt").write_text(text_of(np.column_stack([T + 100.0, P, Q])))
    return {"file": "a.txt", "format": "tum"}


def write_kitti(folder) -> dict:
    poses = np.concatenate([np.swapaxes(R.T, -1, -2), P[..., None]], axis=-1)
    (folder / "a.txt").write_text(text_of(poses.reshape(-1, 12)))
    return {"file": "a.txt", "format": "kitti", "rate": "50 Hz"}


def write_kitti_with_times(folder) -> dict:
    (folder / "times.txt").write_text(text_of(T[:, None]))
    kitti = write_kitti(folder)
    del kitti["rate"]
    return {**kitti, "times": "times.txt"}


def write_euroc(folder) -> dict:
    names = ["#timestamp [ns]", *(f"p_RS_R_{x} [m]" for x in "xyz"), *(f"q_RS_{x} []" for x in "wxyz")]
    rows = [f"{round(t * 1e9)}," + ",".join(map(repr, row)) for t, row in zip(T, _euroc_rows(), strict=True)]
    (folder / "a.csv").write_text(",".join(names) + "\n" + "\n".join(rows) + "\n")
    return {"file": "a.csv", "format": "euroc"}


def _euroc_rows() -> list[list[float]]:
    return np.column_stack([P, Q[:, 3], Q[:, :3]]).tolist()


TABLE_NAMES = ("stamp", "x", "y", "z", "qx", "qy", "qz", "qw")
QUATERNION = {"form": "quaternion", "columns": ["qx", "qy", "qz", "qw"], "order": "xyzw"}


def table_of(file: str, **columns: object) -> dict:
    known = {"time": "stamp", "time_unit": "s", "position": ["x", "y", "z"], "position_unit": "m"}
    return {"file": file, "format": "table", "columns": {**known, "orientation": QUATERNION, **columns}}


def write_csv(folder) -> dict:
    text = ",".join(TABLE_NAMES) + "\n" + text_of(np.column_stack([1e3 * T, 1e3 * P, Q]), ",")
    (folder / "a.csv").write_text(text)
    return table_of("a.csv", time_unit="ms", position_unit="mm")


def write_npz(folder) -> dict:
    columns = np.column_stack([T, P, Q])
    np.savez(folder / "a.npz", **{name: columns[:, i] for i, name in enumerate(TABLE_NAMES)})
    return table_of("a.npz")


def write_parquet(folder) -> dict:
    pa = pytest.importorskip("pyarrow")
    columns = np.column_stack([T, P, Q])
    table = pa.table({name: columns[:, i] for i, name in enumerate(TABLE_NAMES)})
    pytest.importorskip("pyarrow.parquet").write_table(table, folder / "a.parquet")
    return table_of("a.parquet")


def write_angles(folder) -> dict:
    angles = np.degrees(np.stack([0.5 * np.sin(T), 0.2 * T, 0.1 * np.cos(T)], axis=-1))
    text = "stamp,x,y,z,yaw,pitch,roll\n" + text_of(np.column_stack([T, P, angles]), ",")
    (folder / "a.csv").write_text(text)
    form = {"form": "axes", "columns": ["yaw", "pitch", "roll"], "sequence": "ZYX", "unit": "deg"}
    return table_of("a.csv", orientation=form)


def write_matrices(folder) -> dict:
    names = [f"r{i}{j}" for i in range(3) for j in range(3)]
    text = ",".join(["stamp", "x", "y", "z", *names]) + "\n"
    (folder / "a.csv").write_text(text + text_of(np.column_stack([T, P, R.T.reshape(-1, 9)]), ","))
    return table_of("a.csv", orientation={"form": "matrix", "columns": names, "maps": "parent to frame"})


WRITERS = [
    write_tum, write_kitti, write_kitti_with_times, write_euroc, write_csv, write_npz, write_parquet, write_angles,
    write_matrices,
]  # fmt: skip


@pytest.mark.parametrize("write", WRITERS)
def test_that_every_format_gives_the_poses_that_were_written(write, tmp_path) -> None:
    plan = plan_of(tmp_path, write(tmp_path))
    assert plan.problems == ()
    inside = slice(25, -25)  # a smoothing spline bends a little at its ends
    snapshot = evaluate(plan, T[inside])
    np.testing.assert_allclose(snapshot.p_WF[:, 1], P[inside], atol=3e-4)
    np.testing.assert_allclose(snapshot.R_WF[:, 1], np.swapaxes(R.T, -1, -2)[inside], atol=3e-4)
    der = (P[26:-24] - P[24:-26]) / 0.04
    np.testing.assert_allclose(snapshot.v_WF[:, 1], der, atol=3e-3)


@pytest.mark.parametrize("mends", [[], ["drop missing", "drop duplicates"]])
@pytest.mark.parametrize("write", WRITERS)
def test_that_a_recording_of_every_format_is_the_same_as_a_table(write, mends, tmp_path) -> None:
    plan = plan_of(tmp_path, {**write(tmp_path), "mends": mends})
    table = as_table(plan.scene.frames["f"].motion, plan.context)
    assert table.format == "table"
    again = plan_of(tmp_path, table.model_dump(mode="json", exclude_none=True))
    assert again.problems == ()
    np.testing.assert_array_equal(evaluate(again, T).p_WF, evaluate(plan, T).p_WF)
    np.testing.assert_array_equal(evaluate(again, T).w_WF_F, evaluate(plan, T).w_WF_F)


@pytest.mark.parametrize("write", WRITERS)
def test_that_samples_alone_are_the_poses_of_the_fitted_recording(write, tmp_path) -> None:
    plan = plan_of(tmp_path, {**write(tmp_path), "start": "0.5 s"})
    fitted = plan.tree.motions[1]
    sampled = sampled_motion(plan.scene.frames["f"].motion, plan.context, fitted)
    for former, now in zip(fitted.pose(T), sampled.pose(T), strict=True):
        np.testing.assert_array_equal(now, former)
    np.testing.assert_array_equal(sampled.sample_times, fitted.sample_times)


def test_that_a_table_without_times_has_a_rate_or_a_file_of_times(tmp_path) -> None:
    motion = write_csv(tmp_path)
    del motion["columns"]["time"], motion["columns"]["time_unit"]
    (tmp_path / "times.txt").write_text(text_of(T[:, None]))
    for known in ({"times": "times.txt"}, {"rate": "50 Hz"}):
        plan = plan_of(tmp_path, {**motion, **known})
        assert plan.problems == ()
        np.testing.assert_allclose(evaluate(plan, 1.0).p_WF[1], P[50], atol=3e-4)
    for known in ({}, {"rate": "50 Hz", "times": "times.txt"}):
        (problem,) = plan_of(tmp_path, {**motion, **known}).problems
        assert problem.where == "frames.f.motion.rate"
        assert problem.message == "the table has no column of time."


def test_that_a_recording_may_start_at_any_time_of_the_scene(tmp_path) -> None:
    plan = plan_of(tmp_path, {**write_tum(tmp_path), "start": "-1 s"})
    assert [problem.severity for problem in plan.problems] == ["amber"]  # it ends before the scene does
    np.testing.assert_allclose(evaluate(plan, 1.0).p_WF[1], P[100], atol=3e-4)
    np.testing.assert_array_equal(evaluate(plan, 3.9).v_WF[1], 0.0)


@pytest.mark.parametrize(("seconds", "severity"), [(0.14, "note"), (0.6, "amber")])
def test_that_a_gap_is_said_and_one_longer_than_the_spline_can_follow_is_a_fault(seconds, severity, tmp_path) -> None:
    is_missing = np.abs(T - 2.0 - 0.5 * seconds) < 0.5 * seconds
    keep = ~is_missing
    (tmp_path / "a.txt").write_text(text_of(np.column_stack([T, P, Q])[keep]))
    (problem,) = plan_of(tmp_path, {"file": "a.txt", "format": "tum"}).problems
    assert problem.severity == severity
    assert problem.message.startswith(f"no sample for {seconds:.2g} s after 2 s")
    assert problem.where == "frames.f.motion.file"


def test_that_many_gaps_and_doubled_samples_are_each_one_line(tmp_path) -> None:
    keep = (np.arange(len(T)) % 50) > 6
    rows = np.column_stack([T, P, Q])[keep]
    (tmp_path / "a.txt").write_text(text_of(np.repeat(rows, 2, axis=0)))
    found = plan_of(tmp_path, {"file": "a.txt", "format": "tum"}).problems
    assert [problem.severity for problem in found] == ["note", "note", "amber"]  # starts late, too
    assert "in all" in found[0].message
    assert "left out" in found[1].message


def test_that_all_of_many_gaps_are_counted_and_the_longest_is_told(tmp_path) -> None:
    steps = np.full(3000, 0.01)
    steps[10::20] = 0.07
    steps[-5] = 0.4
    t = np.cumsum(steps)
    (tmp_path / "a.txt").write_text(text_of(np.column_stack([t, np.sin(t), 0 * t, 0 * t, *[0 * t] * 3, 0 * t + 1])))
    plan = plan_of(tmp_path, {"file": "a.txt", "format": "tum"})
    (shallow,) = (one for one in diagnose(plan, deep=False) if one.kind == "time-gap")
    (deep,) = (one for one in diagnose(plan) if one.kind == "time-gap")
    assert "0.4 s" in shallow.message
    assert " 151 " in shallow.message
    assert " 151 " in deep.message


@pytest.mark.parametrize(
    ("change", "where", "said"),
    [
        ({"format": "kitti"}, "rate", "has no times"),
        ({"format": "kitti", "rate": "0 Hz"}, "rate", "more than zero"),
        ({"format": "kitti", "rate": "5 Hz", "times": "a.txt"}, "rate", "has no times"),
        ({"rate": "5 Hz"}, "rate", "has its own times"),
        ({"bandwidth": "400 Hz"}, "file", "does not fit samples every 20 ms"),
        ({"bandwidth": "1e-9 Hz"}, "file", "too small for 50 samples a second"),
        ({"bandwidth": "4"}, "bandwidth", "unit of this frequency is missing"),
        ({"format": "table"}, "columns", "needs its columns named"),
        ({"file": "b.txt"}, "file", "there is no file b.txt"),
    ],
)
def test_that_what_does_not_fit_is_said_at_its_key(change, where, said, tmp_path) -> None:
    (problem,) = plan_of(tmp_path, {**write_tum(tmp_path), **change}).problems
    assert problem.where == f"frames.f.motion.{where}"
    assert said in problem.message


def test_that_a_changed_file_is_read_again(tmp_path) -> None:
    motion = write_tum(tmp_path)
    before = evaluate(plan_of(tmp_path, motion), 2.0).p_WF[1]
    (tmp_path / "a.txt").write_text(text_of(np.column_stack([T + 100.0, P + 1.0, Q])))
    np.testing.assert_allclose(evaluate(plan_of(tmp_path, motion), 2.0).p_WF[1], before + 1.0, atol=1e-9)

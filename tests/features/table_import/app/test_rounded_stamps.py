"""Stamps that are rounded, rows that are left out, and GPS weeks beside their times."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from framescope.core.evaluation.evaluate import compile_plan, evaluate
from framescope.core.recordings.row_mends import grid_of, spread
from framescope.core.recordings.tables.mixed import read_mixed
from framescope.core.scene.schema.model import Scene
from framescope.features.table_import.app.table_import import TableImport, import_table

N, STEP = 900, 0.02
T = STEP * np.arange(N)


def write(path: Path, **columns: np.ndarray) -> Path:
    rows = np.column_stack(list(columns.values()))
    np.savetxt(path, rows, delimiter=",", header=",".join(columns), comments="", fmt="%.9g")
    return path


def read(path: Path) -> TableImport:
    return import_table(path, read_mixed(path))


def poses(t: np.ndarray) -> dict[str, np.ndarray]:
    p = {"x": np.sin(t), "y": np.cos(0.7 * t), "z": 0.1 * t}
    return p | {"qx": 0 * t, "qy": 0 * t, "qz": np.sin(0.2 * t), "qw": np.cos(0.2 * t)}


@pytest.mark.parametrize(
    "stamps", [np.floor(10 * T) / 10, np.round(T, 1), np.floor(4 * T) / 4], ids=["cut", "rounded", "4 Hz"]
)
def test_that_rounded_stamps_are_spread_evenly(tmp_path: Path, stamps: np.ndarray) -> None:
    found = read(write(tmp_path / "a.csv", t=stamps, **poses(T)))
    (summary,) = found.summaries
    (problem,) = (each for each in summary.problems if each.kind == "doubled")
    assert (problem.fix.change, summary.is_fixed(problem), problem.severity) == ("spread time", True, "note")
    assert "The stamps are rounded to" in problem.message
    assert summary.n_rows == N
    assert summary.duration == pytest.approx(T[-1], abs=2 * STEP)
    motion = {"form": "recorded", "file": "a.csv", "format": "table", "mends": ["spread time"], "columns": {
        "time": "t", "time_unit": "s", "position": ["x", "y", "z"], "position_unit": "m",
        "orientation": {"form": "quaternion", "columns": ["qx", "qy", "qz", "qw"], "order": "xyzw"}}}  # fmt: skip
    scene = {"framescope": 1, "time": {"end": "17.9 s"}, "frames": {"a": {"parent": "world", "motion": motion}}}
    plan = compile_plan(Scene.model_validate(scene), tmp_path)
    v = evaluate(plan, T[100:-100]).v_WF[:, 1]
    assert np.abs(v[:, 0] - np.cos(T[100:-100])).max() < 0.06
    assert plan.tree.motions[1].n_samples == N


def test_that_rounded_stamps_keep_their_places_to_half_a_grid() -> None:
    for stamps in (np.floor(10 * T) / 10, np.round(T + 0.03, 1)):
        found = spread(stamps)
        assert np.diff(found).min() > 0.5 * STEP
        assert np.abs(found - stamps).max() <= 0.1 + 1e-9
        assert np.abs(np.diff(found) - STEP).mean() < 0.2 * STEP


@pytest.mark.parametrize(
    "t",
    [np.arange(50.0), np.repeat(np.arange(20.0), 1), np.sort(np.append(np.arange(60.0), [5.0, 9.0, 30.0])), np.zeros(9),
     np.arange(9.0)[::-1], np.repeat(np.cumsum(np.arange(1.0, 30.0)), 3), np.zeros(0)],
    ids=["even", "each once", "a few twice", "one time", "backwards", "uneven", "none"],
)  # fmt: skip
def test_that_other_times_are_not_called_rounded(t: np.ndarray) -> None:
    assert grid_of(t) is None
    assert len(spread(t)) == len(t)


@pytest.mark.parametrize(("share", "severity"), [(0.02, "note"), (0.3, "amber")])
@pytest.mark.parametrize("kind", ["doubled", "missing", "sentinel"])
def test_that_many_rows_left_out_are_a_warning_and_are_not_counted(
    tmp_path: Path, kind: str, share: float, severity: str
) -> None:
    rows = np.sort(np.random.default_rng(3).choice(np.arange(1, N), round(share * N), replace=False))
    columns = {"t": T.copy(), **poses(T)}
    if kind == "doubled":
        columns = {name: np.insert(values, rows, values[rows]) for name, values in columns.items()}
    else:
        columns["y"][rows] = np.nan if kind == "missing" else -9999.0
    (summary,) = read(write(tmp_path / "a.csv", **columns)).summaries
    (problem,) = (each for each in summary.problems if each.kind == kind)
    assert summary.is_fixed(problem)
    assert problem.severity == severity
    assert summary.n_rows == (N if kind == "doubled" else N - len(rows))


# --- GPS weeks


@pytest.mark.parametrize(
    ("week", "time", "scale"),
    [("gps_week", "gps_tow", 1.0), ("week", "iTOW", 1e3), ("GPSWeek", "GPSSeconds", 1.0), ("wn", "tow_ms", 1e3)],
)
def test_that_a_gps_week_and_its_time_are_one_clock_over_the_end_of_the_week(
    tmp_path: Path, week: str, time: str, scale: float
) -> None:
    clock = 2290 * 604_800.0 + 604_795.0 + T
    columns = {week: np.floor(clock / 604_800.0), time: scale * (clock % 604_800.0), "x": np.sin(T), "y": T, "z": 0 * T}
    path = tmp_path / "gps.csv"
    np.savetxt(
        path, np.column_stack(list(columns.values())), delimiter=",", header=",".join(columns), comments="", fmt="%.6f"
    )
    found = read(path)
    decision = next(each for each in found.decisions if each.name == "time")
    assert (decision.value, decision.certainty) == (f"{week} + {time}", "format")
    assert {time} <= {*decision.alternatives}
    (summary,) = found.summaries
    assert summary.n_rows == N
    assert summary.duration == pytest.approx(T[-1], abs=1e-3)


def test_that_a_week_alone_and_steps_of_a_few_values_are_no_time(tmp_path: Path) -> None:
    for name in ("gps_week", "lap"):
        slow = np.floor(T / 9.0) + 2290.0
        found = read(write(tmp_path / f"{name}.csv", **{name: slow}, x=np.sin(T), y=T % 1.0, z=0 * T))
        decision = next(each for each in found.decisions if each.name == "time")
        assert decision.value == "none", name

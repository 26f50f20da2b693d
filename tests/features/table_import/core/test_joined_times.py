"""Times in two columns, as ROS writes them: joined when a table is read, guessed, shown, and found again by a scene."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from framescope.core.evaluation.evaluate import compile_plan, evaluate
from framescope.core.recordings.tables.mixed import read_mixed
from framescope.core.recordings.tables.split_timestamps import join_times
from framescope.core.scene.edits.recordings import add_recordings
from framescope.core.scene.schema.model import Scene
from framescope.features.table_import.core.choices import motion_of, sources
from framescope.features.table_import.core.guess_columns import guess
from framescope.features.table_import.core.row_checks import check

SECONDS = 1_700_000_000


def write(path: Path, whole: str, part: str, per_second: int = 1_000_000_000) -> Path:
    lines = [f"seq,{whole},{part},x,y,z"]
    for i in range(100):
        ticks = i * per_second // 20
        lines.append(f"{i},{SECONDS + ticks // per_second},{ticks % per_second},{0.1 * i:.3f},0,1")
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return path


@pytest.mark.parametrize(
    ("whole", "part", "per_second"),
    [
        ("header.stamp.secs", "header.stamp.nsecs", 1_000_000_000),
        ("sec", "nanosec", 1_000_000_000),
        ("tv_sec", "tv_usec", 1_000_000),
    ],
)
def test_that_a_stamp_in_two_columns_becomes_the_time_of_a_frame(tmp_path, whole, part, per_second) -> None:
    path = write(tmp_path / "walk.csv", whole, part, per_second)
    table = read_mixed(path)
    found = guess(table, path.name)
    assert (found.choices.time, found.choices.time_unit) == (f"{whole} + {part}", "s")
    small = "nanoseconds" if per_second > 1_000_000 else "microseconds"
    assert found.reasons["time_unit"].text == f"seconds and {small}, joined"
    (source,) = sources(table, found.choices)
    checked = check(table, found.choices, source)
    assert [problem.kind for problem in checked.problems if problem.severity != "note"] == []
    np.testing.assert_allclose(checked.t, np.arange(100) / 20, atol=5e-7)

    motion = motion_of(found.choices, source, path.name)
    plan = compile_plan(add_recordings([("walk", "world", motion)]).apply(Scene()), tmp_path)
    assert [problem.message for problem in plan.problems if problem.severity == "red"] == []
    np.testing.assert_allclose(evaluate(plan, 2.0).p_WF[1], [4.0, 0.0, 1.0], atol=1e-4)


@pytest.mark.parametrize(
    ("columns", "why"),
    [
        ({"sec": [0.0, 0.5], "nsec": [0.0, 5e8]}, "seconds with a fraction are whole times"),
        ({"t_s": [0.0, 1.0], "t_ns": [0.0, 1e9]}, "all of the time in nanoseconds"),
        ({"sec": [0.0, 1.0], "other_nsec": [0.0, 5.0]}, "of something else"),
        ({"poses": [0.0, 1.0], "posens": [0.0, 1.0]}, "words that end alike"),
        ({"sec": [0.0, 1.0], "nsec": [0.0, 1.0], "sec + nsec": [7.0, 8.0]}, "the file has its own"),
    ],
)
def test_that_nothing_else_is_joined(columns, why) -> None:
    assert join_times(columns, {name: np.array(values) for name, values in columns.items()}) == {}, why


def test_that_a_row_without_a_number_stays_without_one() -> None:
    columns = {"sec": np.array([1.0, np.nan]), "nsec": np.array([5e8, 0.0])}
    np.testing.assert_array_equal(join_times(columns, columns)["sec + nsec"][0], [1.5, np.nan])

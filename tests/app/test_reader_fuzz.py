"""Damaged files of every kind, opened by commands: each ends in an answer or a message.

``run.py bench readers`` opens more than twenty thousand, with bounds on time and memory.
"""

from __future__ import annotations

import json

import numpy as np
import pytest

from framescope.core.recordings.tables.mixed import read_mixed
from framescope.features.lessons.app import lesson_lookup
from tests.support import modelica_results
from tests.support.reader_fuzzing import KINDS, LateError, mutant, open_file, run_commands

CHILDREN = ("MJCF", "xacro")
"""Kinds whose commands start a process for each file."""


@pytest.mark.fuzz
@pytest.mark.parametrize(
    "kind", [pytest.param(kind, marks=[pytest.mark.process] * (kind in CHILDREN)) for kind in KINDS]
)
def test_that_damaged_files_end_in_an_answer_or_a_message(kind, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    numbers = range(50_000, 50_002 if kind in CHILDREN else 50_010)
    tally = run_commands(kind, numbers, tmp_path)
    assert not tally.faults
    assert tally.outcomes.total() >= len(numbers)


OVERFLOWING = {
    "tables": (720, 2133),
    "bags": (14, 93, 2704),
    "results": (1554,),
    "URDF": (1391,),
    "lessons": (66, 997),
    "bundles": (42,),
}
"""Damaged files by kind whose numbers are near the largest one, or none, where that was a warning or a traceback."""


@pytest.mark.parametrize("kind", OVERFLOWING)
def test_that_numbers_too_large_to_compute_with_are_no_warning(kind, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert not run_commands(kind, OVERFLOWING[kind], tmp_path).faults


@pytest.mark.parametrize(("error", "outcome"), [(KeyError("no such thing"), "exception"), (LateError(), "too slow")])
def test_that_a_traceback_and_a_late_end_are_faults(error, outcome, tmp_path, monkeypatch) -> None:
    def slip(*_arguments: object) -> None:
        raise error

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(lesson_lookup, "read_lesson", slip)
    tally = run_commands("lessons", [1], tmp_path)
    assert tally.outcomes == {outcome: 1}
    assert tally.faults[0].startswith("lessons 1 (lesson check")


@pytest.mark.fuzz
@pytest.mark.parametrize("kind", ["JSON tables", "tables", "NPZ tables", "Parquet tables", "results"])
def test_that_a_file_that_ends_anywhere_is_imported_or_refused(kind, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    name, data = KINDS[kind].seeds()[-1]
    for end in np.linspace(0, len(data), 8).astype(int).tolist():
        path = tmp_path / name
        path.write_bytes(data[:end])
        assert not open_file(path).faults


@pytest.mark.parametrize("rows", [0, 1, 2, 3])
def test_that_a_table_of_a_few_rows_is_no_traceback(rows, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "few.json"
    path.write_text(json.dumps([{"t": 0.1 * k, "x": k, "y": 2 * k, "h": 0.1} for k in range(rows)]))
    assert not open_file(path).faults


@pytest.mark.parametrize("force", [5e-324, 1e-310, 1e300, np.inf, np.nan])
def test_that_forces_beyond_all_scenes_get_no_arrow(force, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    result = modelica_results.pendulum(21)
    result.add_vector("boxBody1.frame_b.f", np.full((len(result.times), 3), force))
    assert not open_file(modelica_results.write(tmp_path / "force.mat", result)).faults


@pytest.mark.parametrize(
    "column", [["1e308", "-1e308"], ["1e200", "2e200"], ["5e-324", "0"], ["1e-320", "2e-320"]], ids=lambda each: each[0]
)
def test_that_numbers_whose_squares_overflow_are_no_warning(column, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    for place in range(8):
        rows = [[f"{0.1 * k:g}", "1", "2", "3", "0", "0", "0", "1"] for k in range(12)]
        for k, row in enumerate(rows):
            row[place] = column[k % 2]
        path = tmp_path / "huge.csv"
        path.write_text("t,x,y,z,qx,qy,qz,qw\n" + "".join(",".join(row) + "\n" for row in rows))
        assert not open_file(path).faults


def test_that_what_is_no_character_is_replaced_in_texts_of_numpy(tmp_path) -> None:
    words = np.array(["odom", "map"] * 6)
    words.view(np.uint32)[5] = 0x7FFF_FFFF
    np.savez(tmp_path / "table.npz", t=np.arange(12.0), x=np.arange(12.0), frame=words)
    assert set(read_mixed(tmp_path / "table.npz").names["frame"].values) == {
        "map",
        "m\N{REPLACEMENT CHARACTER}p",
        "odom",
    }


def test_that_a_number_gives_the_same_file_again() -> None:
    assert all(mutant(kind, 7) == mutant(kind, 7) for kind in KINDS)

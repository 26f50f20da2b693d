"""Damaged tables and results: imported, or refused in words; ``run.py bench fuzz`` takes thousands of each kind."""

from __future__ import annotations

import json

import numpy as np
import pytest

from tests.support import modelica_results as results
from tests.support.table_fuzzing import SUFFIXES, import_mutant, mutant, seeds


@pytest.mark.fuzz
@pytest.mark.parametrize("suffix", SUFFIXES)
def test_that_damaged_files_are_imported_or_refused(suffix, tmp_path) -> None:
    """The first ones, and those in which faults were found: numbers whose squares overflow, times no time apart."""
    found = {".mat": (116, 127, 218, 552, 695), ".json": (16, 167, 179, 796)}
    for number in (*range(5), *found.get(suffix, ())):
        path = tmp_path / f"{number}{suffix}"
        path.write_bytes(mutant(suffix, number))
        assert import_mutant(path) in ("scene", "imported", "refused")


@pytest.mark.fuzz
@pytest.mark.parametrize("suffix", SUFFIXES)
def test_that_a_file_that_ends_anywhere_is_imported_or_refused(suffix, tmp_path) -> None:
    data = seeds(suffix)[0]
    for end in np.linspace(0, len(data), 8).astype(int).tolist():
        path = tmp_path / f"cut{suffix}"
        path.write_bytes(data[:end])
        assert import_mutant(path) in ("scene", "imported", "refused")


@pytest.mark.parametrize("rows", [0, 1, 2, 3])
def test_that_a_table_of_a_few_rows_is_no_traceback(rows, tmp_path) -> None:
    path = tmp_path / "few.json"
    path.write_text(json.dumps([{"t": 0.1 * k, "x": k, "y": 2 * k, "h": 0.1} for k in range(rows)]))
    assert import_mutant(path) in ("scene", "refused")


@pytest.mark.parametrize("force", [5e-324, 1e-310, 1e300, np.inf, np.nan])
def test_that_forces_beyond_all_scenes_get_no_arrow(force, tmp_path) -> None:
    made = results.pendulum(21)
    made.add_vector("boxBody1.frame_b.f", np.full((len(made.times), 3), force))
    path = results.write(tmp_path / "force.mat", made)
    assert import_mutant(path) in ("imported", "refused")


def test_that_a_small_file_takes_no_room_for_the_largest(tmp_path, monkeypatch) -> None:
    from framescope.core.recordings.tables import numeric

    asked: list[int] = []
    real = type(tmp_path).open

    class Counted:
        def __init__(self, file) -> None:
            self._file = file

        def __enter__(self):
            return self

        def __exit__(self, *_: object) -> None:
            self._file.close()

        def read(self, count: int) -> bytes:
            asked.append(count)
            return self._file.read(count)

    path = tmp_path / "a.csv"
    path.write_text("t,x\n0,1\n")
    monkeypatch.setattr(type(tmp_path), "open", lambda self, *given, **more: Counted(real(self, *given, **more)))
    assert numeric.read_bytes(path) == b"t,x\n0,1\n"
    assert asked == [9]

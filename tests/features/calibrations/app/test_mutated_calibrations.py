"""Damaged files of every dialect, over 3,000 in all: a scene, problems, or one clear error.

`run.py bench fuzz` reads more of them.
"""

from __future__ import annotations

import pytest

from framescope.core.errors import FramescopeError
from framescope.features.calibrations.app.calibration_reader import read
from framescope.features.calibrations.core.calibration import Calibration
from framescope.features.calibrations.core.dialects.registry import DIALECTS
from tests.support.calibration_fuzzing import mutant, open_mutants, seeds

COUNT = 240


@pytest.mark.fuzz
@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda dialect: dialect.name)
def test_that_a_damaged_file_is_a_scene_problems_or_one_clear_error(tmp_path, dialect) -> None:
    tally = open_mutants(dialect, range(COUNT), tmp_path)
    assert tally.faults == []
    assert tally.outcomes.total() == COUNT
    assert tally.outcomes["refused"] < 0.9 * COUNT


def test_that_over_three_thousand_files_are_read() -> None:
    assert len(DIALECTS) * COUNT >= 3000


def test_that_a_focal_length_near_zero_is_no_lens(tmp_path) -> None:
    (kalibr,) = (dialect for dialect in DIALECTS if dialect.name == "kalibr")
    text = kalibr.example.replace("intrinsics: [458.6", "intrinsics: [4e-310").replace("radtan", "fov")
    path = tmp_path / "camchain.yaml"
    path.write_text(text.replace("[-0.28, 0.07, 0.0002, 0.00002]", "[0.9]"))
    with pytest.raises(FramescopeError, match="expected focal lengths above 0 pixels, got 4e-310"):
        read(path)


@pytest.mark.parametrize("dialect", [dialect for dialect in DIALECTS if dialect.write], ids=lambda each: each.name)
def test_that_nothing_is_not_written_as_an_empty_file(dialect) -> None:
    with pytest.raises(FramescopeError):
        dialect.write(Calibration("nothing"))


@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda dialect: dialect.name)
def test_that_the_seeds_are_healthy_and_the_mutants_are_not_they(tmp_path, dialect) -> None:
    healthy = dict(seeds(dialect))
    assert all(dialect.recognizes(data) for data in healthy.values())
    assert mutant(dialect, 3) == mutant(dialect, 3)
    assert len({mutant(dialect, number)[1] for number in range(40)}) > 30

"""Damaged files of every kind, opened by commands: each ends in an answer or a message.

``run.py bench readers`` opens more than twenty thousand, with bounds on time and memory.
"""

from __future__ import annotations

import pytest

from framescope.app.session import lesson_lookup
from tests.support.reader_fuzzing import KINDS, LateError, mutant, run_commands

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
    assert tally.outcomes.total() == len(numbers) * len(KINDS[kind].commands)


@pytest.mark.parametrize(("error", "outcome"), [(KeyError("no such thing"), "exception"), (LateError(), "too slow")])
def test_that_a_traceback_and_a_late_end_are_faults(error, outcome, tmp_path, monkeypatch) -> None:
    def slip(*_arguments: object) -> None:
        raise error

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(lesson_lookup, "read_lesson", slip)
    tally = run_commands("lessons", [1], tmp_path)
    assert tally.outcomes == {outcome: 1}
    assert tally.faults[0].startswith("lessons 1 (lesson check")


def test_that_a_number_gives_the_same_file_again() -> None:
    assert all(mutant(kind, 7) == mutant(kind, 7) for kind in KINDS)

"""Rigs that SciPy alone has made: the wrong entry is found where the loops can tell, and nothing else is named."""

from __future__ import annotations

import pytest

from tests.support.foreign_rig_trials import outcome_of
from tests.support.foreign_rigs import chi_square, rig


@pytest.mark.long
@pytest.mark.parametrize("seed", range(12))
def test_that_the_wrong_entry_is_found_where_the_loops_can_tell(seed: int) -> None:
    planted = rig(seed)
    outcome = outcome_of(planted)
    assert outcome == "right" if planted.can_tell else outcome in ("open", "silent", "right")


@pytest.mark.parametrize("seed", range(12))
def test_that_a_healthy_rig_of_another_maker_is_silent(seed: int) -> None:
    planted = rig(seed, is_healthy=True)
    assert outcome_of(planted) == "silent"
    assert chi_square(list(planted.entries)) < 100.0


def test_that_a_wrong_entry_in_a_loop_is_seen_by_the_judge() -> None:
    planted = next(planted for planted in map(rig, range(12)) if planted.can_tell)
    assert chi_square(list(planted.entries)) > 100.0

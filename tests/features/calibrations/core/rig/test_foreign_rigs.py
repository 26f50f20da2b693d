"""Rigs that SciPy alone has made: the wrong entry is found where the loops can tell, and nothing else is named."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.support.foreign_rig_trials import outcome_of
from tests.support.foreign_rigs import chi_square, rig


@pytest.mark.long
@pytest.mark.parametrize("seed", range(12))
def test_that_the_wrong_entry_is_found_where_the_loops_can_tell(seed: int) -> None:
    planted = rig(seed)
    outcome = outcome_of(planted)
    assert outcome == "right" if planted.can_tell else outcome in ("open", "silent", "right")


@pytest.mark.long
@pytest.mark.parametrize("first", range(0, 200, 20))
def test_that_nineteen_of_twenty_wrong_entries_are_found_and_no_other_is_named(first: int) -> None:
    rigs = [rig(seed) for seed in range(first, first + 20)]
    outcomes = Counter((planted.can_tell, outcome_of(planted)) for planted in rigs)
    n_can_tell = sum(planted.can_tell for planted in rigs)
    assert n_can_tell >= 10
    assert outcomes[True, "right"] >= 0.95 * n_can_tell
    assert not {outcome for _, outcome in outcomes} & {"wrong"}
    assert outcomes[False, "right"] == 0


@pytest.mark.parametrize("seed", range(50))
def test_that_a_healthy_rig_of_another_maker_is_silent(seed: int) -> None:
    planted = rig(seed, is_healthy=True)
    assert outcome_of(planted) == "silent"
    assert chi_square(list(planted.entries)) < 100.0


@pytest.mark.long
def test_that_a_wrong_entry_in_a_loop_is_seen_by_the_judge() -> None:
    planted = next(planted for planted in map(rig, range(12)) if planted.can_tell)
    assert chi_square(list(planted.entries)) > 100.0

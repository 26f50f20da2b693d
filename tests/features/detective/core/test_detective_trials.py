"""The convention detective on random trials: right or honestly open, never surely wrong."""

from __future__ import annotations

import pytest

from tests.support.detective_trials import KINDS, tried

pytestmark = [pytest.mark.fuzz, pytest.mark.soak]

N_TRIALS = 2
"""Of each kind; ``run.py bench detective_cases`` takes four hundred."""


@pytest.mark.parametrize("kind", KINDS)
def test_that_random_trials_are_right_or_open(kind: str) -> None:
    seeds = range(KINDS.index(kind), N_TRIALS * len(KINDS), len(KINDS))
    found = [tried(seed) for seed in seeds]
    told = [f"{trial.seed} {trial.facts}: {outcome}, {report.verdict}" for trial, _, report, outcome in found]
    assert {outcome for *_, outcome in found} <= {"right", "open"}, "\n".join(told)
    assert sum(outcome == "right" for *_, outcome in found) >= N_TRIALS - 1, "\n".join(told)

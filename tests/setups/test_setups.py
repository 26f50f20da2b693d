"""Faulty set-ups: found and explained rightly, no mend harms; healthy ones raise no alarm."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.setups.corpus import Case, double, healthy, single
from tests.setups.judge import judged, misses_of

pytestmark = [pytest.mark.fuzz, pytest.mark.soak]

HEALTHY, SINGLE, DOUBLE = healthy(), single(), double()

QUIET = ("rover", "arm", "two systems", "drone with wild poses", "drone with gaps")
"""Healthy set-ups of the suite; ``run.py bench setups`` tries all."""

EXPLAINED = (
    "rover: camera optical for body",
    "rover: wheels 1.05 times as large",
    "arm: camera matrix transposed",
    "two systems: odometry said to be wxyz",
    "two systems: gyro turned by 2 deg",
)
"""Faulty ones of the suite."""

BOTH = ("arm: camera inverted and tool sign of z",)
"""Faulty in two places."""


def test_that_the_corpus_is_large_and_of_many_kinds() -> None:
    labels = [case.label for case in (*SINGLE, *DOUBLE, *HEALTHY)]
    assert len(set(labels)) == len(labels)
    assert len(SINGLE) >= 60
    assert len(DOUBLE) >= 10
    assert len(HEALTHY) >= 20
    assert min(Counter(label.split(":")[0] for label in labels[: len(SINGLE)]).values()) >= 12


@pytest.mark.parametrize("case", SINGLE[::17] + DOUBLE[::5], ids=lambda case: case.label)
def test_that_the_healthy_set_up_is_nearer_the_truth_than_the_faulty_one(case: Case) -> None:
    right, wrong = misses_of(case.healthy, case.healthy), misses_of(case.setup, case.healthy)
    assert any(wrong[key] > 1.5 * right[key] + 1e-4 for key in right)
    assert all(wrong[key] > 0.9 * right[key] - 1e-9 for key in right)


@pytest.mark.parametrize("name", QUIET)
def test_that_a_healthy_set_up_raises_no_alarm(name: str) -> None:
    (case,) = (case for case in HEALTHY if case.label == f"{name}: healthy")
    assert judged(case).told == ()


@pytest.mark.parametrize("label", EXPLAINED + BOTH)
def test_that_a_fault_is_found_and_explained(label: str) -> None:
    (case,) = (case for case in (*SINGLE, *DOUBLE) if case.label == label)
    judgement = judged(case)
    assert judgement.found
    assert judgement.explained, judgement.told
    assert judgement.harm == judgement.alarms == ()

"""Twins of faults: every cause is found in each format, no mend breaks what is right, what is healthy is let be."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from tests.setups.judge import judged, misses_of
from tests.setups.twins import groups

pytestmark = pytest.mark.fuzz

PARTS = dict(groups())
EVERY = {case.label: case for cases in PARTS.values() for case in cases}

FOUND = (
    "table behind 2, 1 sensors, quiet: body axes in turn",
    "table behind 1, 1 sensors, loud: body said to be wxyz",
    "tum behind 1, 1 sensors, quiet: body written wxyz",
    "euroc behind 2, 3 sensors, loud: body written xyzw",
    "kitti with slam, quiet: body written in mm",
    "tum with velocity, loud: body written in mm",
    "drive behind 1 with gyro and slam: body compass said to count counterclockwise",
    "velocity behind 1, quiet: mount_1 lever forgotten",
    "accelerometer behind 0: accelerometer lever unknown",
    "tum behind 1: body written wxyz and gyro 50 ms late",
)
"""Cases of the suite; ``run.py bench setups`` tries all."""

OPEN = (
    "nod: body orientation inverted",
    "drive: body inverted",
    "tum behind 1, 1 sensors, quiet: body orientation inverted",
    "drive behind 0 with gyro: body clockwise said to count counterclockwise",
)
"""Cases that what is measured does not decide."""

QUIET = (
    "kitti, loud: healthy",
    "drive behind 2, loud: healthy",
    "nod behind 2, quiet: healthy",
    "straight drive behind 2, loud: healthy",
)


def test_that_the_twins_are_many_and_of_all_kinds() -> None:
    counts = {name: len(cases) for name, cases in PARTS.items()}
    assert len(EVERY) == sum(counts.values())
    assert counts["one fault"] >= 100
    assert counts["healthy"] >= 20
    formats = Counter(re.split("[ :]", label)[0] for label in EVERY)
    assert all(formats[name] >= 10 for name in ("table", "tum", "euroc", "kitti"))


@pytest.mark.parametrize("case", PARTS["one fault"][::19], ids=lambda case: case.label)
def test_that_a_fault_takes_the_scene_away_from_the_truth(case) -> None:
    right, wrong = misses_of(case.healthy, case.healthy), misses_of(case.setup, case.healthy)
    assert any(wrong[key] > 1.5 * right[key] + 1e-4 for key in right)


@pytest.mark.parametrize(
    "label", [*FOUND[::2], *(pytest.param(label, marks=pytest.mark.soak) for label in FOUND[1::2])]
)
def test_that_a_cause_is_found_and_mended_towards_the_truth(label) -> None:
    judgement = judged(EVERY[label])
    assert judgement.found
    assert judgement.explained, judgement.told
    assert judgement.harm == judgement.invented == judgement.alarms == ()


@pytest.mark.parametrize("label", [*OPEN[::2], *(pytest.param(label, marks=pytest.mark.soak) for label in OPEN[1::2])])
def test_that_what_cannot_be_decided_has_no_first_mend_and_offers_the_truth(label) -> None:
    judgement = judged(EVERY[label])
    assert judgement.explained == "choice", judgement.told
    assert judgement.harm == judgement.invented == judgement.alarms == ()


@pytest.mark.parametrize("label", QUIET)
def test_that_a_healthy_twin_raises_no_alarm(label) -> None:
    assert judged(EVERY[label]).told == ()

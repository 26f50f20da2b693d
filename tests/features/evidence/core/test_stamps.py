"""Even times of rounded stamps."""

from __future__ import annotations

import numpy as np
import pytest

from framescope.features.evidence.core.stamps import even_stamps

RNG = np.random.default_rng(8)
EVEN = 1.7e9 + 0.0137 + np.arange(600.0) / 30.0


def test_that_rounded_stamps_of_even_samples_are_even_again() -> None:
    kept = RNG.random(len(EVEN)) > 0.05
    kept[200:260] = False
    true = (EVEN + RNG.normal(0.0, 1e-4, len(EVEN)))[kept]
    even = even_stamps(np.round(true / 0.01) * 0.01)
    assert even == pytest.approx(true, abs=1.2e-3)


def test_that_fine_stamps_stay_as_they_are() -> None:
    for tick in (0.001, 1e-6):
        t = np.round(EVEN / tick) * tick
        assert even_stamps(t) is t


@pytest.mark.parametrize("shift", [0.03, 0.5])
def test_that_samples_that_are_not_even_keep_their_stamps(shift: float) -> None:
    t = np.round((EVEN + shift * np.sin(np.arange(len(EVEN)) / 40.0)) / 0.01) * 0.01
    t = t[np.concatenate([[True], np.diff(t) > 0.0])]
    assert even_stamps(t) is t


def test_that_stamps_as_coarse_as_the_samples_stay_as_they_are() -> None:
    t = np.unique(np.round(EVEN / 0.05) * 0.05)
    assert even_stamps(t) is t


def test_that_few_and_equal_stamps_stay_as_they_are() -> None:
    for t in (np.zeros(0), np.array([1.0]), np.array([0.0, 0.01]), np.array([0.0, 0.1, 0.1, 0.2])):
        assert even_stamps(t) is t

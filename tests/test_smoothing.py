"""The smoothing spline against scipy's, and where it is known without one."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.interpolate import make_smoothing_spline

from framescope.core.piecewise import sampled
from framescope.core.smoothing import smoothing_spline


@pytest.mark.parametrize("n", [5, 6, 7, 8, 9, 16, 17, 18, 3001])
@pytest.mark.parametrize("lam", [1e-9, 1e-6, 1e-4])
def test_that_the_spline_is_scipys(n, lam) -> None:
    rng = np.random.default_rng(n)
    t = np.cumsum(rng.uniform(0.005, 0.015, n))
    y, weights = rng.normal(size=(n, 7)), rng.uniform(0.5, 2.0, n)
    dense = np.linspace(t[0], t[-1], 1001)
    expected = make_smoothing_spline(t, y, w=weights, lam=lam, axis=0)
    for order, found in enumerate(sampled(t, smoothing_spline(t, y, weights, lam), dense)):
        size = np.abs(expected(dense, order)).max()
        assert_allclose(found, expected(dense, order), rtol=0.0, atol=1e-9 * size)


def test_that_three_samples_become_a_line_as_roughness_costs_ever_more() -> None:
    t, y = np.array([0.0, 1.0, 2.0]), np.array([[0.0], [3.0], [0.0]])
    values, rates, _ = sampled(t, smoothing_spline(t, y, np.ones(3), 1e9), t)
    assert_allclose(values, 1.0, atol=1e-8)
    assert_allclose(rates, 0.0, atol=1e-8)


def test_that_without_a_cost_of_roughness_the_spline_goes_through_the_samples() -> None:
    t, y = np.linspace(0.0, 1.0, 12), np.cos(7.0 * np.linspace(0.0, 1.0, 12))[:, np.newaxis]
    assert_allclose(sampled(t, smoothing_spline(t, y, np.ones(12), 1e-18), t)[0], y, atol=1e-12)

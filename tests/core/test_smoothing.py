"""The smoothing spline against scipy's, and where it is known without one."""

from __future__ import annotations

from decimal import Decimal, localcontext

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.interpolate import make_smoothing_spline

from framescope.core.time_functions.piecewise_polynomial import sample_polynomials
from framescope.core.time_functions.smoothing_spline import smoothing_spline


@pytest.mark.parametrize("n", [5, 6, 7, 8, 9, 16, 17, 18, 3001])
@pytest.mark.parametrize("lam", [1e-9, 1e-6, 1e-4])
def test_that_the_spline_is_scipys(n, lam) -> None:
    rng = np.random.default_rng(n)
    t = np.cumsum(rng.uniform(0.005, 0.015, n))
    y, weights = rng.normal(size=(n, 7)), rng.uniform(0.5, 2.0, n)
    dense = np.linspace(t[0], t[-1], 1001)
    expected = make_smoothing_spline(t, y, w=weights, lam=lam, axis=0)
    for order, found in enumerate(sample_polynomials(t, smoothing_spline(t, y, weights, lam), dense)):
        size = np.abs(expected(dense, order)).max()
        assert_allclose(found, expected(dense, order), rtol=0.0, atol=1e-9 * size)


def test_that_three_samples_become_a_line_as_roughness_costs_ever_more() -> None:
    t, y = np.array([0.0, 1.0, 2.0]), np.array([[0.0], [3.0], [0.0]])
    values, rates, _ = sample_polynomials(t, smoothing_spline(t, y, np.ones(3), 1e9), t)
    assert_allclose(values, 1.0, atol=1e-8)
    assert_allclose(rates, 0.0, atol=1e-8)


def test_that_without_a_cost_of_roughness_the_spline_goes_through_the_samples() -> None:
    t, y = np.linspace(0.0, 1.0, 12), np.cos(7.0 * np.linspace(0.0, 1.0, 12))[:, np.newaxis]
    assert_allclose(sample_polynomials(t, smoothing_spline(t, y, np.ones(12), 1e-18), t)[0], y, atol=1e-12)


@pytest.mark.parametrize("samples_a_period", [3.0, 30.0, 130.0, 150.0, 1e3, 1e4, 1e5, 1e6, 1e9])
@pytest.mark.parametrize("kind", ["even", "uneven", "near", "gap"])
def test_that_the_spline_keeps_its_digits(kind, samples_a_period) -> None:
    rng = np.random.default_rng(3)
    h = np.full(599, 0.001)
    if kind == "uneven":
        h *= rng.uniform(0.2, 1.8, 599)
    if kind == "near":
        h[[50, 51, 300]] = 1e-9
    if kind == "gap":
        h[200] = 1.0
    t = np.concatenate([[0.0], np.cumsum(h)])
    y = 1000.0 + 5.0 * t + np.sin(10.0 * t / t[-1]) + rng.normal(0.0, 0.01, 600)
    weights = np.convolve(np.pad(h, 1, mode="edge"), [500.0, 500.0], mode="valid")
    lam = (np.sqrt(2.0) - 1.0) / (0.001 * (2.0 * np.pi * 1000.0 / samples_a_period) ** 4)
    pieces = smoothing_spline(t, y[:, np.newaxis], weights, lam)[:, :, 0]
    found, expected = pieces[[3, 2, 1]] * [[1.0], [1.0], [2.0]], exact_spline(t, y, weights, lam)
    size = np.abs(expected - [[1000.0], [0.0], [0.0]]).max(axis=1)
    assert (np.abs(found - expected).max(axis=1) <= size * [1e-11, 1e-9, 1e-9]).all()


def exact_spline(t: np.ndarray, y: np.ndarray, weights: np.ndarray, lam: float) -> np.ndarray:
    """Return value, rate and second derivative (3, n - 1) by Reinsch's equations in seventy digits."""
    with localcontext() as context:
        context.prec = 70
        h = np.diff([Decimal(x) for x in t.tolist()])
        Y = np.array([Decimal(x) for x in y.tolist()])
        share = Decimal(lam) / np.array([Decimal(x) for x in weights.tolist()])
        first, last = 1 / h[:-1], 1 / h[1:]
        middle = -first - last
        d0 = (h[:-1] + h[1:]) / 3 + first**2 * share[:-2] + middle**2 * share[1:-1] + last**2 * share[2:]
        d1 = h[1:-1] / 6 + middle[:-1] * first[1:] * share[1:-2] + last[:-1] * middle[1:] * share[2:-1]
        d2 = last[:-2] * first[2:] * share[2:-2]
        c = np.diff(np.diff(Y) / h)
        for i in range(len(c) - 1):
            by = d1[i] / d0[i]
            d0[i + 1] -= by * d1[i]
            c[i + 1] -= by * c[i]
            if i + 2 < len(c):
                d1[i + 1] -= by * d2[i]
                d0[i + 2] -= d2[i] ** 2 / d0[i]
                c[i + 2] -= d2[i] / d0[i] * c[i]
        for i in reversed(range(len(c))):
            if i + 1 < len(c):
                c[i] -= d1[i] * c[i + 1]
            if i + 2 < len(c):
                c[i] -= d2[i] * c[i + 2]
            c[i] /= d0[i]
        none = [Decimal(0)]
        c = np.concatenate([none, c, none])
        value = Y - share * np.diff(np.concatenate([none, np.diff(c) / h, none]))
        rate = np.diff(value) / h - h * (2 * c[:-1] + c[1:]) / 6
        return np.array([value[:-1], rate, c[:-1]], dtype=float)

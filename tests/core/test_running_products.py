"""Products of many factors against a loop."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from framescope.core.kernels.cumulative_products import FEW, running_products


@pytest.mark.parametrize("m", [1, 3, 4])
@pytest.mark.parametrize("n", [0, 1, 200, FEW, FEW + 1])
def test_that_products_are_those_of_a_loop(n, m) -> None:
    rng = np.random.default_rng(n + m)
    A = np.linalg.qr(rng.normal(size=(n, m, m)))[0] * 1.001
    expected = [rng.normal(size=(m, 5))]
    for factor in A:
        expected.append(factor @ expected[-1])
    assert_allclose(running_products(A, expected[0]), np.array(expected), rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("n", [50, FEW + 1])
def test_that_a_column_has_the_same_bits_alone_as_among_others(n) -> None:
    rng = np.random.default_rng(3)
    A, x0 = np.linalg.qr(rng.normal(size=(n, 3, 3)))[0], rng.normal(size=(3, 4))
    together = running_products(A, x0)
    for i in range(4):
        assert_array_equal(running_products(A, x0[:, i : i + 1]), together[..., i : i + 1])


@pytest.mark.parametrize("n", [400, FEW + 1])
def test_that_growth_beyond_all_numbers_is_infinite_and_stops_nothing_before(n) -> None:
    states = running_products(np.full((n, 1, 1), 10.0), np.ones((1, 1))).ravel()
    assert_allclose(states[:300], 10.0 ** np.arange(300), rtol=1e-12)
    assert np.isinf(states[320:]).all()


@pytest.mark.parametrize("n", [9, FEW + 9])
def test_that_nothing_is_a_number_after_a_factor_that_is_none(n) -> None:
    A = np.broadcast_to(np.eye(3), (n, 3, 3)).copy()
    A[4, 0, 1] = np.inf
    states = running_products(A, np.eye(3))
    assert_array_equal(states[:5], np.broadcast_to(np.eye(3), (5, 3, 3)))
    assert np.isnan(states[5:]).all()

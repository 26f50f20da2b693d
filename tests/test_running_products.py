"""Products of many factors against a loop."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from framescope.core.running_products import running_products


@pytest.mark.parametrize("m", [1, 3, 4])
@pytest.mark.parametrize("n", [0, 1, 200])
def test_that_products_are_those_of_a_loop(n, m) -> None:
    rng = np.random.default_rng(n + m)
    A = np.linalg.qr(rng.normal(size=(n, m, m)))[0] * 1.01
    expected = [rng.normal(size=(m, 5))]
    for factor in A:
        expected.append(factor @ expected[-1])
    assert_allclose(running_products(A, expected[0]), np.array(expected), rtol=1e-12, atol=1e-12)


def test_that_a_column_has_the_same_bits_alone_as_among_others() -> None:
    rng = np.random.default_rng(3)
    A, x0 = rng.normal(size=(50, 3, 3)), rng.normal(size=(3, 4))
    together = running_products(A, x0)
    for i in range(4):
        assert_array_equal(running_products(A, x0[:, i : i + 1]), together[..., i : i + 1])


def test_that_growth_beyond_all_numbers_is_infinite_and_stops_nothing_before() -> None:
    states = running_products(np.full((400, 1, 1), 10.0), np.ones((1, 1))).ravel()
    assert_allclose(states[:300], 10.0 ** np.arange(300), rtol=1e-12)
    assert np.isinf(states[320:]).all()

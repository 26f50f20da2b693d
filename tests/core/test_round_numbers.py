"""Round numbers: they are 1, 2 and 5 times powers of ten, next to the value on the wanted side."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from framescope.core.kernels.round_numbers import round_by_ratio, round_down, round_up

NEAR_POWERS = st.builds(lambda power, off: 10.0**power * (1.0 + off), st.integers(-9, 9), st.floats(-5e-9, 5e-9))

VALUES = st.floats(1e-99, 1e99) | NEAR_POWERS


@given(VALUES)
def test_that_they_are_next_to_the_value(value: float) -> None:
    down, nearest, up = round_down(value), round_by_ratio(value), round_up(value)
    assert all(f"{found:e}".startswith(("1.000000e", "2.000000e", "5.000000e")) for found in (down, nearest, up))
    assert down <= value * (1.0 + 1e-8)
    assert up >= value * (1.0 - 1e-8)
    assert up / down <= 2.5 + 1e-8
    assert nearest in (down, up)


@given(st.sampled_from((1, 2, 5)), st.integers(-99, 99))
def test_that_a_round_number_stays(digit: int, power: int) -> None:
    value = float(f"{digit}e{power}")
    assert round_down(value) == round_by_ratio(value) == round_up(value) == value


@pytest.mark.parametrize("value", [0.3 / 3, 0.1 * 3 - 0.2, 2.0000000001])
def test_that_rounding_errors_do_not_count(value: float) -> None:
    assert round_down(value) == round_up(value) == pytest.approx(value)

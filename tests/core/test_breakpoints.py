"""Breakpoints of expressions: found to the last float, wherever they hide, and bounded in number."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from framescope.core.time_functions.breakpoints import TooManyBreakpointsError, breakpoints
from framescope.core.time_functions.expressions import parse_expression


def found(text: str, end: float = 60.0, **parameters: float):
    return breakpoints([parse_expression(text, parameters)], 0.0, end, 100_000)


@pytest.mark.parametrize(
    ("text", "times"),
    [
        ("sin(t) + t**3", []),
        ("pulse(t, 30, 30.0001)", [30.0, 30.0001]),
        ("pulse(2*t - 1, 0, 1e-3)", [0.5, 0.5005]),
        ("pulse(t**2, 10, 11)", [10**0.5, 11**0.5]),
        ("kick*pulse(t, begin, begin + 0.05)", [31.234, 31.284]),
        ("smoothstep(t, 1, 2)", [1.0, 2.0]),
        ("max(t - 2, 0)**1.5", [2.0]),
        ("sqrt((t - 3)**2)", [3.0]),
        ("abs(sin(3*t))", (np.pi / 3.0 * np.arange(1, 58)).tolist()),
        ("min(t, 4, 9 - t)", [4.0, 5.0]),
        ("pulse(pulse(t, 3, 4), 0.5, 2)", [3.0, 4.0]),
        # Inside the bend of another, and on top of a wave: between any two times of a grid.
        ("pulse(abs(t - 30.01), -1, 1e-6)", [30.009999, 30.01, 30.010001]),
        ("pulse(sin(t), 0.99999999, 2)", None),
        ("pulses(t, 2, 0.001)", sorted([2.0 * k for k in range(1, 31)] + [2.0 * k + 0.001 for k in range(30)])),
        ("pulses(-t, 7, 1)", sorted([7.0 * k for k in range(9)] + [7.0 * k - 1.0 for k in range(1, 9)])),
        ("pulses(t, 1, 2)", []),
    ],
)
def test_that_every_bend_and_jump_is_found(text, times) -> None:
    if times is None:
        half = np.arccos(0.99999999)
        tops = np.pi * (0.5 + 2.0 * np.arange(10))
        times = np.sort(np.concatenate((tops - half, tops + half)))
    pairs = found(text, kick=20.0, begin=31.234) if "kick" in text else found(text)
    assert_allclose(pairs[:, 1], times, rtol=1e-12, atol=1e-12)
    assert (pairs[:, 0] < pairs[:, 1]).all()
    assert (np.diff(pairs, axis=1)[:, 0] <= 3.0 * np.spacing(60.0)).all()


def test_that_a_quick_wave_is_followed_through_each_of_its_turns() -> None:
    half, k = np.arccos(0.99), 2.0 * np.pi * np.arange(2000)
    times = np.sort(np.concatenate(((k + half) / 200.0, (k - half) / 200.0)))
    assert_allclose(found("pulse(cos(200*t), 0.99, 2)")[:, 1], times[(times > 0.0) & (times < 60.0)], atol=1e-12)


def test_that_the_sides_of_a_breakpoint_have_the_values_before_and_after() -> None:
    expression = parse_expression("3*pulse(t, 0.1, 0.3) + pulses(t, 0.7, 0.1)")
    pairs = breakpoints([expression], 0.05, 0.75, 100)
    assert_allclose(expression(pairs), [[1.0, 3.0], [3.0, 0.0], [0.0, 1.0]])


@pytest.mark.parametrize("text", ["pulses(t, 1e-9, 1e-10)", "pulses(t**40, 1e-3, 1e-4)", "pulses(t, 1e-300, 1e-301)"])
def test_that_breakpoints_without_number_are_refused_at_once(text) -> None:
    with pytest.raises(TooManyBreakpointsError):
        found(text)


def test_that_what_cannot_be_followed_in_time_is_refused() -> None:
    text = f"max({', '.join(f'sin({k}*t)' for k in range(1, 70))})"
    with pytest.raises(TooManyBreakpointsError):
        found(text)

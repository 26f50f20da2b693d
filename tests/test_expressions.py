"""Expressions of t: their derivatives against sympy, what is refused, and the constant at their end."""

from __future__ import annotations

import numpy as np
import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from framescope.core.expressions import ExpressionError, parse_expression, split_constant, with_constant

TEXTS = [
    "3",
    "t",
    "pi*t",
    "0.8*sin(0.5*t + 1) - cos(t)*t",
    "exp(-t/3)*sin(2*t)",
    "tan(t/4)/(1 + t**2)",
    "log(1 + t*t) + sqrt(t + 2)",
    "(t + 2)**3 - (t + 1)**0.5",
    "2**t",
    "(t + 1)**t",
    "-t**2 + +t",
    "t**0 + t**1",
]


@pytest.mark.parametrize("text", TEXTS)
def test_that_derivatives_are_exact(text) -> None:
    t = np.linspace(0.1, 3.0, 17)
    jet = parse_expression(text).jet(t)
    symbol = sympy.Symbol("t", positive=True)
    exact = sympy.sympify(text, locals={"t": symbol})
    for order, ours in enumerate((jet.f, jet.d, jet.dd)):
        derivative = sympy.lambdify(symbol, sympy.diff(exact, symbol, order), "numpy")
        assert_allclose(ours, np.broadcast_to(derivative(t), t.shape), rtol=1e-11, atol=1e-11)


def test_that_min_max_and_abs_choose_the_branch_with_its_derivative() -> None:
    jet = parse_expression("max(t, 2 - t) + min(t, 1) + abs(t - 3)").jet(np.array([0.5, 1.5, 4.0]))
    assert_allclose(jet.f, [1.5 + 0.5 + 2.5, 1.5 + 1.0 + 1.5, 4.0 + 1.0 + 1.0])
    assert_allclose(jet.d, [-1 + 1 - 1, 1 + 0 - 1, 1 + 0 + 1])


def test_that_powers_are_defined_at_zero() -> None:
    jet = parse_expression("t**2 + t**1 + t**0").jet(np.array([0.0]))
    assert_allclose([jet.f[0], jet.d[0], jet.dd[0]], [1.0, 1.0, 2.0])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("0.8*sin(t", "is no expression of t"),
        ("", "is no expression of t"),
        ("sni(t)", 'Did you mean "sin"'),
        ("tau", "is not known"),
        ("t^2", r"Write a power with \*\*"),
        ("sin(t, 2)", "takes 1 argument, got 2"),
        ("max(t)", "takes 2 arguments, got 1"),
        ("__import__('os')", "is no expression|is no function|uses something"),
        ("t.real", "uses something"),
        ("[t for t in (1,)]", "uses something"),
        ("True", "uses something"),
        ("'a'", "uses something"),
        ("1e999", "too large"),
        ("9" * 400, "too large"),
        ("(" * 60 + "t" + ")" * 60 + "+" + "-" * 60 + "t", "nested too deeply"),
        ("t+" * 300 + "t", "over 500|too long"),
        ("sin(x=t)", "uses something"),
        ("t if t else 1", "uses something"),
    ],
)
def test_that_anything_else_is_refused_with_a_reason(text, message) -> None:
    with pytest.raises(ExpressionError, match=message):
        parse_expression(text)


@given(st.text(max_size=60))
def test_that_any_text_is_an_expression_or_an_expression_error(text) -> None:
    try:
        parse_expression(text).jet(np.array([0.0, 1.0]))
    except ExpressionError as error:
        assert error.message  # noqa: PT017 - either outcome is right, but an error always says something


@pytest.mark.parametrize(
    ("text", "rest", "constant"),
    [
        ("0.8*sin(t) + 0.21", "0.8*sin(t)", 0.21),
        ("0.8*sin(t)-2", "0.8*sin(t)", -2.0),
        ("2*t", "2*t", 0.0),
        ("2*(t + 1)", "2*(t + 1)", 0.0),
        ("t**-2", "t**-2", 0.0),
        ("t - 2*3", "t - 2*3", 0.0),
        ("1e-3*t + 1e-3", "1e-3*t", 1e-3),
        ("1e-3", "1e-3", 0.0),
        ("broken(", "broken(", 0.0),
        ("  sin(t) + 1 ", "sin(t)", 1.0),
    ],
)
def test_that_the_constant_at_the_end_is_told_from_the_rest(text, rest, constant) -> None:
    assert split_constant(text) == (rest, constant)


@given(st.sampled_from([t for t in TEXTS if t != "3"]), st.floats(-1e6, 1e6).map(lambda x: round(x, 6)))
def test_that_a_constant_can_be_set_changed_and_removed(text, constant) -> None:
    original = split_constant(text)[0]
    changed = with_constant(with_constant(text, 5.0), constant)
    t = np.array([0.3, 1.2])
    assert_allclose(parse_expression(changed)(t), parse_expression(original)(t) + constant, rtol=1e-8, atol=1e-9)
    assert with_constant(changed, 0.0) == original


def test_that_a_power_does_not_depend_on_the_times_it_is_asked_at() -> None:
    expression = parse_expression("(0 - 2)**min(t, 2)")
    alone, together = expression(np.array([3.0])), expression(np.array([1.5, 3.0]))
    assert_array_equal(alone[0], together[1])
    assert_allclose(parse_expression("(0 - 2)**(1 + 2)").jet(0.0).f, -8.0)

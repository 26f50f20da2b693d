"""Expressions computed together have the bits of those computed one by one."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from framescope.core.evaluation.batched_frames import SignalTable
from framescope.core.evaluation.local_motion import MotionSignals
from framescope.core.time_functions.expression_groups import group_expressions
from framescope.core.time_functions.expression_parser import MAX_LENGTH
from framescope.core.time_functions.expressions import parse_expression

SHAPES = (
    "{}*sin({}*t + {})",
    "{} + t**2/{}",
    "t**(1/2) + {}",
    "t**-2*{}",
    "t**t + {}",
    "{}**0.5*t",
    "a*t + {}",
    "smoothstep(t, {}, 3)",
    "max(t, {}) - min({}*t, 1)",
    "pulses(t, {}, 0.2)*{}",
    "t",
    "exp(-{}*t)*cos({}*t)",
    "t**sin({})",
    "t**+3 - {}",
    "abs(t - {})",
)
NUMBERS = st.sampled_from(("0.5", "1", "2.25", "1e-3", "7", "0.1"))
PARAMETERS = {"a": 1.5}


@st.composite
def texts(draw: st.DrawFn) -> str:
    shape = draw(st.sampled_from(SHAPES))
    return shape.format(*(draw(NUMBERS) for _ in range(shape.count("{}"))))


@given(st.lists(texts(), min_size=1, max_size=12), st.sampled_from((1, 2, 5, 33)))
def test_that_a_table_of_signals_has_the_bits_of_each(found: list[str], n: int) -> None:
    triples = [
        MotionSignals((parse_expression(text, PARAMETERS), 2.0, parse_expression("a*2", PARAMETERS)), 0.3)
        for text in found
    ]
    t = np.linspace(-1.3, 2.9, n)
    table = SignalTable([*triples, None])(t)
    for i, triple in enumerate(triples):
        np.testing.assert_array_equal(table[:, :, i], triple(t))
    np.testing.assert_array_equal(table[:, :, -1], 0.0)


def test_that_expressions_of_one_structure_are_one_group() -> None:
    found = [parse_expression(f"{k}*sin({k + 1}*t) - 0.1") for k in range(50)] + [parse_expression("cos(t)")]
    groups = group_expressions(found)
    assert sorted(len(group.rows) for group in groups) == [1, 50]


@pytest.mark.parametrize(
    ("texts", "parameters"),
    [
        (("t**(1/2)", "t**(1/3)"), {}),  # exponents have to be the same
        (("t*__number0", "t*2"), {"__number0": 4.0}),  # a name that groups use themselves
        (("+".join(["9"] * 150) + "*t", "+".join(["8"] * 150) + "*t"), {}),  # too long with names
    ],
)
def test_that_what_cannot_be_grouped_is_computed_alone(texts, parameters) -> None:
    found = [parse_expression(text, parameters) for text in texts]
    assert all(len(text) <= MAX_LENGTH for text in texts)
    groups = group_expressions(found)
    assert len(groups) == 2
    for group in groups:
        (i,) = group.rows
        np.testing.assert_array_equal(group.jet(np.array([2.0])).f.ravel(), found[i](2.0))

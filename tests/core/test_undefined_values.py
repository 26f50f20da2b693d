"""Expressions without a value: what a problem says of them, where, and what to change."""

from __future__ import annotations

import pytest

from framescope.core.analysis.diagnostics import diagnose
from framescope.core.evaluation.evaluate import compile_plan
from framescope.core.time_functions.expressions import parse_expression
from framescope.core.time_functions.undefined_values import why_undefined
from tests.support.scenes import scene_of


@pytest.mark.parametrize(
    ("text", "what", "fix"),
    [
        ("1/0", "divides by 0", "Write a divisor that is not 0."),
        ("2*t/(a - 2)", "divides by a - 2, which is 0", "Write a divisor that is not 0."),
        ("1 + 3/(2*(t - 1))", "divides by 2*(t - 1), which is 0", "Keep the divisor away from 0"),
        ("sin(1/(t - 1)**2)", "divides by (t - 1)**2, which is 0", "Keep the divisor away from 0"),
        ("sqrt(t - 3)", "takes the root of t - 3, which is -2", "Keep that at or above 0, as in sqrt(max(t - 3, 0))."),
        ("log(1 - t)", "takes the logarithm of 1 - t, which is 0", "Keep that above 0, as in log(max(1 - t, 0.001))."),
        ("sqrt(-4)", "takes the root of -4", "Write a value at or above 0."),
        ("(t - 2)**0.5", "computes (t - 2)**0.5, which has no finite value", "Change that part"),
        ("exp(1000*t) - exp(1000*t)", "computes exp(1000*t), which has no finite value", "Change that part"),
    ],
)
def test_that_the_first_part_without_a_value_is_named(text, what, fix) -> None:
    reason = why_undefined(parse_expression(text, {"a": 2.0}), 1.0)
    assert reason is not None
    assert reason.what == what
    assert reason.fix.startswith(fix)


@pytest.mark.parametrize("text", ["t", "1/t", "0*t", "min(1, 2)"])
def test_that_an_expression_with_a_value_has_no_reason(text) -> None:
    assert why_undefined(parse_expression(text), 1.0) is None


SCENE = """\
framescope: 1
time: {end: 4 s}
frames:
  slides: {parent: world, position: {value: [0, "1/0", 0], unit: m}}
  turns: {parent: world, orientation: {form: axes, sequence: XYZ, angles: [0, 0, "1/(t - 1)"], unit: deg}}
  spins: {parent: world, orientation: {form: axis, axis: z, angle: "log(0)", unit: deg}}
  slider:
    parent: world
    motion: {form: joint, type: prismatic, axis: [1, 0, 0], value: "sqrt(t - 3)", unit: m}
"""

PROBLEMS = {
    "slides": (
        'y = "1/0" has no value at any time: it divides by 0.',
        "Write a divisor that is not 0. The frame is not drawn.",
    ),
    "turns": (
        'angle 3 = "1/(t - 1)" has no value at t = 1 s: it divides by t - 1, which is 0.',
        "Keep the divisor away from 0, or start the time after it. The frame is not drawn then.",
    ),
    "spins": (
        'the angle = "log(0)" has no value at any time: it takes the logarithm of 0.',
        "Write a value above 0. The frame is not drawn.",
    ),
    "slider": (
        'the joint = "sqrt(t - 3)" has no value at t = 0 s: it takes the root of t - 3, which is -3.',
        "Keep that at or above 0, as in sqrt(max(t - 3, 0)). The frame is not drawn then.",
    ),
}


def test_that_problems_name_the_formula_the_reason_and_the_fix() -> None:
    problems = {problem.key_path[1]: problem for problem in diagnose(compile_plan(scene_of(SCENE)))}
    for name, (message, hint) in PROBLEMS.items():
        assert (problems[name].message, problems[name].hint) == (message, hint)

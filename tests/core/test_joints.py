"""The motion `joint`: against the frames it is made of, with rates, bounds over time, and what cannot be."""

from __future__ import annotations

import numpy as np
import pytest

from framescope.core.evaluation.evaluate import compile_plan, evaluate
from framescope.core.scene.edits.joints import set_joints
from tests.support.scenes import scene_of

SCENE = """
framescope: 1
time: {{start: 0 s, end: 2 s}}
parameters: {{rate: 1.5}}
frames:
  base: {{parent: world, orientation: {{form: axis, axis: y, angle: "20*t", unit: deg}}}}
  arm: {{parent: base, {pose}, motion: {{form: joint, type: {type}, axis: [0.6, 0, -0.8], {joint}}}}}
  zero: {{parent: base, {pose}}}
  twin: {{parent: zero, {twin}}}
"""
POSE = (
    "position: {value: [1, 2, 3], unit: m}, orientation: {form: axes, sequence: ZYX, angles: [10, -20, 130], unit: deg}"
)
VALUE = "0.4 + sin(rate*t)"


def plan_of(type_: str, joint: str, twin: str = "", pose: str = POSE):
    text = SCENE.format(pose=pose, type=type_, joint=joint, twin=twin or "position: {value: [0, 0, 0], unit: m}")
    return compile_plan(scene_of(text))


@pytest.mark.parametrize(
    ("type_", "twin"),
    [
        ("revolute", f'orientation: {{form: planar, axis: [0.6, 0, -0.8], angle: "{VALUE}", unit: rad}}'),
        ("prismatic", f'position: {{value: ["0.6*({VALUE})", 0, "-0.8*({VALUE})"], unit: m}}'),
    ],
)
def test_that_a_joint_is_a_frame_at_zero_and_a_turn_or_a_way_from_there(type_: str, twin: str) -> None:
    unit = "rad" if type_ == "revolute" else "m"
    plan = plan_of(type_, f'value: "{VALUE}", unit: {unit}', twin)
    assert plan.problems == ()
    now = evaluate(plan, np.linspace(0, 2, 40))
    arm, twin_row = plan.index["arm"], plan.index["twin"]
    for each in ("R_WF", "p_WF", "w_WF_F", "v_WF", "b_WF_F", "a_WF"):
        values = getattr(now, each)
        np.testing.assert_allclose(values[:, arm], values[:, twin_row], atol=1e-12, err_msg=each)


def test_that_a_value_beyond_its_bounds_is_a_problem_with_its_times() -> None:
    (problem,) = plan_of("revolute", 'value: "100*t", unit: deg, lower: -90, upper: 90').problems
    assert (problem.kind, problem.severity) == ("joint-limit", "amber")
    assert problem.time == pytest.approx(0.9, abs=0.01)
    assert problem.message.startswith("the joint is at 200°, above its upper limit 90° at 2 s")
    (problem,) = plan_of("prismatic", "value: -3, unit: cm, lower: 0").problems
    assert problem.message == "the joint is at -3 cm, below its lower limit 0 cm."
    assert problem.time is None
    assert problem.fix is not None
    assert (problem.fix.text, problem.fix.change) == ("Set to the limit", 0.0)
    (problem,) = plan_of("revolute", "value: 7.853981633974483, unit: rad, upper: 3.1, name: wrist").problems
    assert problem.message == "wrist is at 7.85398 rad (450°), above its upper limit 3.1 rad (177.6°)."
    assert problem.fix is not None
    assert problem.fix.change == pytest.approx(3.1)
    assert plan_of("prismatic", "value: 30000, unit: cm, lower: 0").problems == ()


@pytest.mark.parametrize(
    ("joint", "pose", "expected"),
    [
        ("value: 1, unit: m", POSE, '"m" is no unit of angle'),
        ("value: 1", POSE, "unit"),
        ("value: 1, unit: rad, lower: 2, upper: 1", POSE, "the lower limit 2 is above the upper limit 1"),
        ("value: nobody, unit: rad", POSE, "nobody"),
        ("value: 1, unit: rad", 'position: {value: ["t", 0, 0], unit: m}', "must not depend on t"),
        ('value: "1/(t - 1)", unit: rad', POSE, "no value"),
    ],
)
def test_that_what_cannot_be_is_said_at_its_place(joint: str, pose: str, expected: str) -> None:
    problems = plan_of("revolute", joint, pose=pose).problems
    assert any(expected in f"{problem.message} {problem.where}" for problem in problems), problems
    assert {problem.item for problem in problems} <= {("frames", "arm")}


def test_that_values_are_set_where_they_stand_and_driven_ones_are_left() -> None:
    text = SCENE.format(pose=POSE, type="revolute", joint="value: 10, unit: deg", twin=POSE)
    scene = scene_of(text)
    found = set_joints({"arm": np.pi / 2, "twin": 1.0, "nobody": 1.0}, "Set").apply(scene)
    assert found.frames["arm"].motion.value == 90.0
    driven = scene_of(text.replace("value: 10", 'value: "2*rate"'))
    assert set_joints({"arm": 1.0}, "Set").apply(driven) == driven
    by_name = scene_of(text.replace("value: 10", "value: rate"))
    assert set_joints({"arm": np.pi}, "Set").apply(by_name).parameters == {"rate": 180.0}

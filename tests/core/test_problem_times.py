"""When a problem is: what compiling finds says its times, so that the timeline can mark them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from framescope.core.analysis.diagnostics import diagnose
from framescope.core.errors import Problem
from framescope.core.evaluation.compile import domain_checks
from framescope.core.evaluation.evaluate import Plan, compile_plan, evaluate
from framescope.core.scene.files.loading import parse_scene
from framescope.core.scene.schema.model import Scene
from framescope.core.simulation.simulate import simulate

ROOT = """\
framescope: 1
time: {start: 0 s, end: 8 s}
frames:
  arm: {parent: world, position: {value: ["sqrt(sin(pi*t/2 + 0.1))", 0, 0], unit: m}}
"""
RECORDED = """\
framescope: 1
time: {start: 0 s, end: 12 s}
frames:
  arm: {parent: world, motion: {form: recorded, file: walk.txt, format: tum, bandwidth: 2 Hz, start: 1 s}}
"""
SWING = """\
framescope: 1
time: {start: 0 s, end: 2 s}
frames:
  disc: {parent: world, motion: {form: simulated, model: small angle,
    angular_velocity: {value: [0, 0, 0.2], unit: rad/s, resolved_in: frame}}}
bodies:
  disc: {frame: disc, shape: {form: sphere, radius: 1 m}, mass: 1 kg, inertia: uniform}
"""


def plan_of(text: str, folder: Path | None = None) -> Plan:
    return compile_plan(parse_scene(text)[0], folder, run=lambda job: simulate(job.system))


def found(plan: Plan, word: str) -> Problem:
    return next(problem for problem in plan.problems if word in problem.message)


def test_that_each_time_from_which_a_value_is_missing_is_told() -> None:
    problem = found(plan_of(ROOT), "no value")
    assert problem.times == pytest.approx((2.0, 6.0), abs=8 / 64)
    assert problem.time == problem.times[0]
    assert f"t = {problem.time:.4g} s" in problem.message


def test_that_frames_tried_together_are_told_apart(monkeypatch) -> None:
    monkeypatch.setattr(domain_checks, "BATCH", 4)
    turns = {0: "t", 3: "log(t - 4)", 5: "sin(t)", 6: "sqrt(4 - t)", 8: "1/0"}
    frames = "".join(
        f"  f{i}: {{parent: world, orientation: {{form: axes, sequence: XYZ, angles: [{i} + 2*t, '{turns.get(i, i)}',"
        f" t], unit: rad}}}}\n"
        for i in range(10)
    )
    plan = plan_of(ROOT[: ROOT.index("  arm")] + frames)
    assert [(problem.key_path, problem.time) for problem in plan.problems] == [
        (("frames", "f3", "orientation"), 0.0),
        (("frames", "f6", "orientation"), pytest.approx(4.0, abs=8 / 64)),
        (("frames", "f8", "orientation"), None),
    ]


def test_that_what_never_has_a_value_has_no_time() -> None:
    problem = found(plan_of(ROOT.replace("sin(pi*t/2 + 0.1)", "-1 - t*t")), "no value")
    assert (problem.time, problem.times, problem.severity) == (None, (), "red")


def test_that_gaps_and_the_ends_of_a_recording_are_told_in_the_time_of_the_scene(tmp_path) -> None:
    t = np.arange(0.0, 10.0, 0.05)
    t = t[~((t > 2.01) & (t < 2.99)) & ~((t > 5.01) & (t < 5.79))]
    rows = np.column_stack([t + 1e9, np.sin(t), np.cos(t), 0 * t, 0 * t, 0 * t, 0 * t, 1 + 0 * t])
    np.savetxt(tmp_path / "walk.txt", rows, fmt="%.17g")
    plan = plan_of(RECORDED, tmp_path)
    gap = found(plan, "no sample for")
    assert gap.time == pytest.approx(3.0, abs=1e-6)  # the longer one
    assert gap.times == pytest.approx((3.0, 6.0), abs=1e-6)
    assert found(plan, "covers").times == pytest.approx((1.0, 10.95), abs=1e-6)
    assert next(fault.times for fault in diagnose(plan) if fault.kind == "time-gap") == gap.times


def test_that_a_small_angle_body_says_when_its_model_is_left() -> None:
    problem = found(plan_of(SWING), "turns by up to")
    assert problem.time == pytest.approx(0.5, abs=3 * 2 / 500)


def test_that_a_frame_at_rest_has_rates_of_zero_and_so_have_its_children() -> None:
    scene = Scene.model_validate(
        {
            "framescope": 1,
            "time": {"end": "4 s"},
            "frames": {
                "arm": {
                    "parent": "world",
                    "position": {"value": ["max(t - 2, 0)**1.5", 0, 0], "unit": "m"},
                    "orientation": {
                        "form": "axes",
                        "sequence": "XYZ",
                        "angles": [0, 0, "30*sqrt(smoothstep(t, 1, 2))"],
                        "unit": "deg",
                    },
                },
                "hand": {"parent": "arm", "position": {"value": [1, 0, 0], "unit": "m"}},
            },
        }
    )
    plan = compile_plan(scene)
    assert plan.problems == ()
    snapshot = evaluate(plan, 0.5)
    for rates in (snapshot.v_WF, snapshot.w_WF_F, snapshot.a_WF, snapshot.b_WF_F):
        assert_array_equal(rates, np.zeros_like(rates))


@pytest.mark.parametrize(
    ("text", "what", "time"),
    [("sqrt(abs(t - 2.0123))", "velocity", 2.0123), ("abs(t - 2.0123)**1.5", "acceleration", 2.0123)],
)
def test_that_a_rate_without_a_value_is_named_with_its_time(text, what, time) -> None:
    position = {"value": [text, 0, 0], "unit": "m"}
    scene = Scene.model_validate(
        {"framescope": 1, "time": {"end": "4 s"}, "frames": {"arm": {"parent": "world", "position": position}}}
    )
    (problem,) = compile_plan(scene).problems
    assert problem.message == f"its {what} has no value at t = 2.012 s."
    assert problem.time == pytest.approx(time)
    assert problem.severity == "amber"

"""Scenes as JavaScript, run in a browser: the numbers of the core, at random times and with other parameters."""

from __future__ import annotations

import itertools
import json
from dataclasses import replace

import numpy as np
import pytest

from framescope.core import frames
from framescope.core.angle_branches import axes_rotations_angles_branches
from framescope.core.evaluation.evaluate import Plan, compile_plan, evaluate
from framescope.core.evaluation.relative_motion import relation
from framescope.core.kernels.code.symbolic import UntraceableError, code_of
from framescope.core.kernels.validation import SEQUENCES
from framescope.core.scene.schema.base import FrozenDict
from framescope.features.web_page.app.html import motion_of
from framescope.features.web_page.core.scene_code import SceneCode, scene_code
from tests.support.examples import example
from tests.support.page_scripts import run_over_scene
from tests.support.scenes import scene_of


@pytest.fixture(scope="module")
def sheet(browser, tmp_path_factory):
    """An empty page, in which code runs."""
    path = tmp_path_factory.mktemp("sheet") / "empty.html"
    path.write_text("<!DOCTYPE html><title>empty</title>")
    page = browser.open(path)
    yield page
    page.close()


def states_of(sheet, plan: Plan, code: SceneCode, asked: list[tuple[float, list[float]]]) -> np.ndarray:
    """Return the states (m, n, 24) of all frames by the page's own walk, NaN of those that have to be sampled."""
    frames = [{"name": name, "node": -1} for name in plan.names]
    file = {"frames": frames, "nodes": [], "motion": motion_of(plan, (), code)}
    script = f"""import {{ motion }} from "./base/motion.js";
import {{ file }} from "./base/scene.js";
const result = {json.dumps(asked)}.map(([t, parameters]) => {{
  parameters.forEach((value, i) => {{ motion.parameters[i] = value; }});
  const states = motion.statesAt(t);
  return file.frames.map((_, i) => states[i] ?? null);
}});
"""
    rows = sheet.evaluate(run_over_scene(file, code.text, script))
    empty = [np.nan] * 24
    return np.array([[np.array(state or empty, float) for state in each] for each in rows])


def expected_states(plan: Plan, times: np.ndarray) -> np.ndarray:
    now = evaluate(plan, times).smoothed
    n = now.p_WF.shape[:2]
    parts = (now.R_WF.reshape(*n, 9), now.p_WF, now.w_WF_F, now.v_WF, now.b_WF_F, now.a_WF)
    return np.concatenate(parts, axis=-1)


EXAMPLES = [
    "aircraft", "demo", "gimbal-lock", "sensor", "spatial-velocity", "robot-arm", "field", "drift", "keyframes",
    "pendulum", "three-springs", "recorded-camera", "tennis-racket",
]  # fmt: skip


@pytest.mark.parametrize("name", EXAMPLES)
def test_that_frames_move_as_in_the_core(sheet, name: str) -> None:
    _, plan, _ = example(name)
    code = scene_code(plan)
    random = np.random.default_rng(5)
    times = random.uniform(plan.start, plan.end, 100 if len(plan.names) < 100 else 10)
    own = list(code.parameters.values())
    found = states_of(sheet, plan, code, [(t, own) for t in times.tolist()])
    expected = expected_states(plan, times)

    is_computed = np.isfinite(found).all(axis=(0, 2))
    scale = 1.0 + np.abs(expected[:, is_computed])
    assert (np.abs(found - expected)[:, is_computed] / scale).max(initial=0.0) < 1e-12
    frames = plan.scene.frames.values()
    if not plan.scene.bodies and all(each.motion is None for each in frames):
        assert is_computed.all()


PARAMETERS = """
framescope: 1
time: {start: -1 s, end: 6 s}
parameters: {tilt: 20.0, rate: 1.5, reach: 0.4, late: 2.0}
frames:
  base: {parent: world, position: {value: ["reach*sin(rate*t)", "max(t - late, 0)**1.5", "abs(t - 1)"], unit: m},
         orientation: {form: axes, sequence: ZYX, unit: deg,
                       angles: ["tilt*t", "30*smoothstep(t, 0, late)", "sqrt(t**2)"]}}
  arm: {parent: base, position: {value: [reach, "exp(-t)*cos(t)", "log(t + 2)"], unit: m},
        orientation: {form: planar, axis: [0.6, 0, 0.8], angle: "pulse(t, 0, late) + tan(0.1*t)", unit: rad}}
  wrist: {parent: arm, orientation: {form: axes, sequence: ZXZ, unit: turn,
                                     angles: ["tilt", "min(t, rate)", "pulses(t, 1, 0.5)"]}}
  joint: {parent: base, position: {value: [10, 20, 30], unit: cm},
          orientation: {form: axes, sequence: ZYX, angles: [10, -20, 130], unit: deg},
          motion: {form: joint, type: revolute, axis: [0.6, 0, -0.8], value: "tilt*sin(rate*t)", unit: deg}}
  slide: {parent: joint, orientation: {form: axes, sequence: ZXZ, angles: [10, -20, 130], unit: deg},
          motion: {form: joint, type: prismatic, axis: [0.6, 0, -0.8], value: "reach*cos(t) + late*t", unit: m}}
  tip: {parent: wrist, position: {value: ["2**t/50", "t/(1 + t*t)", -0.3], unit: ft},
        orientation: {form: quaternion, value: [0, 0, 0.6, -0.8], order: xyzw}}
"""


def test_that_parameters_turn_the_frames_as_in_the_core(sheet) -> None:
    scene = scene_of(PARAMETERS)
    code = scene_code(compile_plan(scene))
    random = np.random.default_rng(8)
    assert all(frame is not None for frame in code.frames[1:])
    assert not code.sampled_parameters
    for _ in range(8):
        values = {name: float(random.uniform(0.2, 3.0)) for name in code.parameters}
        plan = compile_plan(scene.model_copy(update={"parameters": FrozenDict(values)}))
        times = np.concatenate([random.uniform(plan.start, plan.end, 25), [0.0, 1.0, 2.0, values["late"]]])
        found = states_of(sheet, plan, code, [(t, list(values.values())) for t in times.tolist()])
        expected = expected_states(plan, times)
        assert (np.isnan(found[:, 1:]) == np.isnan(expected[:, 1:])).all()
        miss = np.abs(found - expected)[:, 1:] / (1.0 + np.abs(expected[:, 1:]))
        assert np.nanmax(miss) < 1e-12


def test_that_a_fault_in_one_line_is_seen(sheet) -> None:
    plan = compile_plan(scene_of(PARAMETERS))
    code = scene_code(plan)
    before, mark, rest = code.text.partition("function step(")
    step, after_mark, after = rest.partition("function relation(")
    lines = step.split("\n")
    with_minus = [k for k, line in enumerate(lines) if line.startswith("const v") and "-" in line]
    times = np.array([0.7, 2.2, 5.9])
    expected = expected_states(plan, times)
    asked = [(t, list(code.parameters.values())) for t in times.tolist()]
    for k in np.random.default_rng(3).choice(with_minus, 5, replace=False).tolist():
        faulty = [*lines[:k], lines[k].replace("-", "+", 1), *lines[k + 1 :]]
        text = before + mark + "\n".join(faulty) + after_mark + after
        found = states_of(sheet, plan, replace(code, text=text), asked)
        assert np.nanmax(np.abs(found - expected)[:, 1:]) > 1e-6, faulty[k]


def test_that_relations_are_those_of_the_core(sheet) -> None:
    scene = scene_of(PARAMETERS)
    plan = compile_plan(scene)
    code = scene_code(plan)
    states = expected_states(plan, np.array([0.7]))[0]
    snapshot = evaluate(plan, 0.7)
    for names in itertools.permutations(plan.names, 3):
        given = [json.dumps(states[plan.index[name]].tolist()) for name in names]
        found = sheet.evaluate(f"(() => {{ {code.text}; return relation({', '.join(given)}); }})()")
        expected = relation(snapshot, *names)
        T = plan.traces.matrices(snapshot, names[0], names[1])
        # The core also carries what rounding took off positions, which matters far from the origin alone.
        numbers = np.concatenate([expected.p, expected.V, expected.A])
        np.testing.assert_allclose(found[:15], numbers, rtol=1e-14, atol=4e-15)
        np.testing.assert_allclose(found[15:], T.ravel(), atol=1e-15)


@pytest.mark.parametrize("sequence", SEQUENCES)
def test_that_both_branches_are_those_of_the_core(sheet, sequence: str) -> None:
    _, plan, _ = example("aircraft")
    random = np.random.default_rng(2)
    angles = np.concatenate(
        [random.uniform(-np.pi, np.pi, (20, 3)), [[0.3, np.pi / 2, 0.4], [0.3, 0.0, 0.4], [0, 0, 0]]]
    )
    R = frames.axes_rotations(sequence, angles)
    matrices = json.dumps(R.T.reshape(-1, 9).tolist())
    text = f"(() => {{ {scene_code(plan).text}; return {matrices}.map(branches_{sequence}); }})()"
    found = np.array(sheet.evaluate(text), float)
    first, second = axes_rotations_angles_branches(R, sequence)
    np.testing.assert_allclose(found, np.concatenate([first, second], axis=-1), atol=1e-12)


@pytest.mark.long
def test_that_many_frames_of_one_kind_share_their_code() -> None:
    _, plan, _ = example("field")
    code = scene_code(plan)
    assert len({frame["signals"] for frame in code.frames[1:]}) < 10
    assert len(code.text) < 60_000


def test_that_what_decides_by_values_is_told() -> None:
    with pytest.raises(UntraceableError, match="branches on a value"):
        code_of(lambda x: x if x > 0.0 else -x, {"x": ()})
    with pytest.raises(UntraceableError, match="no code for arcsinh"):
        code_of(np.arcsinh, {"x": ()})
    with pytest.raises(UntraceableError, match="needs the value"):
        code_of(float, {"x": ()})


def test_that_turns_about_fixed_axes_are_the_code_of_the_reversed_turns() -> None:
    texts = []
    for form in ("{form: rpy, angles: [10, 5*t, 30]", "{form: axes, sequence: ZYX, angles: [30, 5*t, 10]"):
        frame = f"{{parent: world, orientation: {form}, unit: deg}}}}"
        texts.append(scene_code(compile_plan(scene_of(f"framescope: 1\nframes: {{a: {frame}}}"))).text)
    assert texts[0] == texts[1]

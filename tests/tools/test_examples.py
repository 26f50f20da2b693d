"""Every example scene: it opens without problems, its numbers agree with each other, and it survives saving."""

from __future__ import annotations

import itertools
import re
from functools import cache

import numpy as np
import pytest
from numpy.testing import assert_allclose

from framescope import assets
from framescope.core.evaluation.evaluate import Plan, compile_plan, evaluate
from framescope.core.kernels import linear_algebra
from framescope.core.scene.files.loading import LoadedScene, load_scene, parse_scene
from framescope.core.scene.files.saving import scene_text
from framescope.core.scene.schema.model import WORLD, Scene
from framescope.core.scene.schema.motions import Keyframes, Recorded, Simulated
from framescope.core.scene.schema.poses import Integrated
from tests.support.trajectories import read_tum
from tests.tools.make_field import PLACE, field_text

pytestmark = pytest.mark.long

NAMES = sorted(path.stem for path in assets.path("scenes").glob("*.yaml"))
ARRAYS = ("T_PF", "w_PF_F", "R_WF", "p_WF", "w_WF_F", "v_WF", "b_WF_F", "a_WF")

STEP_S = 1e-3
"""Half the distance of the samples that are differenced.

With Richardson's extrapolation a difference is off by about ``(h ω)⁴ / 120`` of the derivative's size: 1e-10 for the
fastest motion of the examples, some 10 rad/s, or 1e-8 for what a recording has of 5 Hz. Rounding leaves 1e-13.
"""

SMOOTH = 1e-8
"""Tolerance for expressions, keyframes and recordings, of the size of the derivative: the above, and a margin."""

SIMULATED = 1e-6
"""The same for simulated bodies. Their states are interpolated between the steps of the solver; the derivative of that
polynomial and the equation of motion agree to the tolerance of a step, 1e-9, over its length, some 10 ms."""


@cache
def loaded(name: str) -> LoadedScene:
    return load_scene(assets.path(f"scenes/{name}.yaml"))


@cache
def plan_of(name: str) -> Plan:
    return compile_plan(loaded(name).scene, loaded(name).path.parent)


def test_that_there_are_examples() -> None:
    assert {"demo", "drift", "gimbal-lock", "aircraft", "recorded-camera", "sensor", "three-springs"} <= set(NAMES)


# --- What a person reads


@pytest.mark.parametrize("name", NAMES)
def test_that_an_example_has_no_problems(name) -> None:
    assert [str(problem) for problem in plan_of(name).problems if problem.severity != "note"] == []


@pytest.mark.parametrize("name", NAMES)
def test_that_an_example_begins_with_a_comment_that_teaches(name) -> None:
    lines = loaded(name).text.splitlines()
    comment = list(itertools.takewhile(lambda line: line.startswith("# "), lines))
    is_the_demo = name == "demo"  # the window itself introduces it
    assert is_the_demo or 3 <= len(comment) <= 8
    assert all(len(line) <= 120 for line in lines)


@pytest.mark.parametrize("name", NAMES)
def test_that_an_example_has_a_title_a_camera_and_plots(name) -> None:
    scene = loaded(name).scene
    assert 3 <= len(scene.title) <= 60
    assert scene.view.camera is not None
    assert 2 <= len(scene.view.plots) <= 3
    has_data = any(isinstance(frame.motion, Recorded) for frame in scene.frames.values())
    assert bool(scene.source) is has_data
    assert not has_data or "CC BY" in scene.source


# --- Derivatives


def sample_times(name: str) -> np.ndarray:
    """Return times inside the scene, spread evenly, but away from where a derivative jumps.

    Pulses jump, and so do the third derivatives of smoothstep at its ends, of cubic keyframes at the keys, and of the
    splines of a recording at its samples.
    """
    plan, scene = plan_of(name), loaded(name).scene
    count = 4 if len(plan.names) > 100 else 36
    t = plan.start + (plan.end - plan.start) * (np.arange(count) + 0.5 * np.sqrt(2.0)) / (count + 0.5)
    pairs = re.findall(r"(?:pulse|smoothstep)\(t, ([\d.]+), ([\d.]+)\)", loaded(name).text)
    jumps = [float(time) for pair in pairs for time in pair]
    for frame in scene.frames.values():
        if isinstance(frame.motion, Keyframes):
            jumps += [key.time.si("time", ()) for key in frame.motion.keys]
    files = {frame.motion.file for frame in scene.frames.values() if isinstance(frame.motion, Recorded)}
    for file in files:
        samples = read_tum(loaded(name).path.parent / file)[0].t
        middles = 0.5 * (samples[1:] + samples[:-1]) - samples[0]
        t = np.unique(middles[np.searchsorted(middles, t)])
    is_near = np.abs(t[:, np.newaxis] - np.array([*jumps, np.inf])).min(axis=1) < 5 * STEP_S
    assert is_near.mean() < 0.2
    return t[~is_near]


def derivative(function, t: np.ndarray) -> np.ndarray:
    """Return the derivative of arrays (n, ...) over t (n,), from four samples around each time."""

    def central(h: float) -> np.ndarray:
        return (function(t + h) - function(t - h)) / (2.0 * h)

    return (4.0 * central(0.5 * STEP_S) - central(STEP_S)) / 3.0


def lineage(scene: Scene, name: str) -> list[str]:
    """Return a frame and its ancestors below the world."""
    found: list[str] = []
    while name != WORLD:
        found.append(name)
        name = scene.frames[name].parent
    return found


def tolerance_of(scene: Scene, name: str) -> float:
    """Return how far the motion of a frame may miss the difference of its poses, of the size of the derivative."""
    motions = [scene.frames[each].motion for each in lineage(scene, name)]
    return SIMULATED if any(isinstance(motion, Simulated) for motion in motions) else SMOOTH


ORDERS = {"euler": 1, "exponential": 2, "rk4": 4, "munthe-kaas-4": 4, "magnus-4": 4, "magnus-6": 6}


def drift_of(scene: Scene, name: str, w: np.ndarray, b: np.ndarray) -> float:
    """Return by how much an integrated orientation may turn otherwise than with its angular velocity `w` (n, 3), rad/s.

    It drifts on purpose, and `w` is the one authored. Between two steps the method is applied for the rest of the way,
    and its result satisfies the equation up to its order p: the defect is about ``W (W h)^p``, where W bounds the
    angular velocity and, as a rate, how fast that changes. Zero for a frame that is not integrated.
    """
    bound = 0.0
    for each in lineage(scene, name):
        form = scene.frames[each].orientation
        if isinstance(form, Integrated):
            W = np.linalg.norm(w, axis=-1).max() + np.sqrt(np.linalg.norm(b, axis=-1).max())
            bound += W * (W * form.step.si("time", ())) ** ORDERS[form.method]
    return float(bound)


@pytest.mark.parametrize("name", NAMES)
def test_that_velocities_are_derivatives_of_poses(name) -> None:
    plan, scene, t = plan_of(name), loaded(name).scene, sample_times(name)
    now = evaluate(plan, t).smoothed
    T_WF = linear_algebra.transpose(now.R_WF)
    v_WF = derivative(lambda times: evaluate(plan, times).smoothed.p_WF, t)
    der_T_WF = derivative(lambda times: linear_algebra.transpose(evaluate(plan, times).smoothed.R_WF), t)
    for frame in scene.frames:
        i = plan.index[frame]
        w, b = now.w_WF_F[:, i], now.b_WF_F[:, i]
        assert np.isfinite(w).all()
        close, drift = tolerance_of(scene, frame), drift_of(scene, frame, w, b)
        assert_allclose(now.v_WF[:, i], v_WF[:, i], rtol=0, atol=close * size_of(now.v_WF[:, i]), err_msg=frame)
        if drift == 0.0:  # a rotation: skew(w) = T der(T)ᵀ, and what is not skew in that is zero too
            found = linear_algebra.multiply_matrices(T_WF[:, i], linear_algebra.transpose(der_T_WF[:, i]))
            assert_allclose(found, linear_algebra.skew(w), rtol=0, atol=close * size_of(w), err_msg=frame)
        else:  # the equation integrated, der(T) = -skew(w) T, which holds for what is no rotation too
            expected = -linear_algebra.multiply_matrices(linear_algebra.skew(w), T_WF[:, i])
            size = np.linalg.norm(T_WF[:, i], axis=(-2, -1)).max()
            assert_allclose(der_T_WF[:, i], expected, rtol=0, atol=size * drift, err_msg=frame)


@pytest.mark.parametrize("name", NAMES)
def test_that_accelerations_are_derivatives_of_velocities(name) -> None:
    plan, scene, t = plan_of(name), loaded(name).scene, sample_times(name)
    now = evaluate(plan, t)
    a_WF = derivative(lambda times: evaluate(plan, times).v_WF, t)
    b_WF_F = derivative(lambda times: evaluate(plan, times).w_WF_F, t)
    for frame in scene.frames:
        i, close = plan.index[frame], tolerance_of(scene, frame)
        a, b, w = now.a_WF[:, i], now.b_WF_F[:, i], now.w_WF_F[:, i]
        # On a moving parent the angular velocity of that is carried over by the orientation, drift and all.
        drift = drift_of(scene, frame, w, b) * np.linalg.norm(w, axis=-1).max()
        assert_allclose(a, a_WF[:, i], rtol=0, atol=close * size_of(a), err_msg=frame)
        assert_allclose(b, b_WF_F[:, i], rtol=0, atol=close * size_of(b) + drift, err_msg=frame)


def size_of(vectors: np.ndarray) -> float:
    """Return the size that tolerances refer to: at least that of a slow motion, 1 m/s or rad/s or per second."""
    return max(1.0, float(np.linalg.norm(vectors, axis=-1).max()))


@pytest.mark.parametrize("name", NAMES)
def test_that_batches_have_the_bits_of_single_times(name) -> None:
    plan = plan_of(name)
    t = plan.start + (plan.end - plan.start) * np.array([0.0, 0.21, 0.5, 0.83, 1.0])
    batch = evaluate(plan, t)
    for k, single in enumerate(evaluate(plan, float(time)) for time in t):
        for array in ARRAYS:
            assert np.array_equal(getattr(batch, array)[k], getattr(single, array), equal_nan=True), array
        for sensor, shown in single.sensors.items():
            assert np.array_equal(batch.sensors[sensor][k], shown), sensor


# --- Saving


@pytest.mark.parametrize("name", NAMES)
def test_that_an_example_that_nobody_has_edited_is_saved_as_it_is(name) -> None:
    scene, text = loaded(name).scene, loaded(name).text
    assert scene_text(scene, text) == text
    assert loaded(name).path.read_bytes() == text.encode()


@pytest.mark.parametrize("name", NAMES)
def test_that_an_example_written_anew_is_the_same_scene(name) -> None:
    scene = loaded(name).scene
    assert parse_scene(scene_text(scene))[0] == scene


def test_that_the_field_is_what_its_script_makes() -> None:
    text = field_text()
    assert PLACE.read_text(encoding="utf-8") == text
    assert len(text.encode()) < 1_000_000
    assert len(loaded("field").scene.frames) == 1000

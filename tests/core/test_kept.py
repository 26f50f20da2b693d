"""What a scene reads and computes once is there as long as the scene is, however many there are, and no longer."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from types import FunctionType
from weakref import ref

import numpy as np
import pytest

from framescope.core import frames, kinematics
from framescope.core.evaluation.evaluate import Plan, compile_plan
from framescope.core.recordings import pose_spline
from framescope.core.scene.edits.base import Edit
from framescope.core.scene.schema.base import FrozenDict
from framescope.core.scene.schema.model import Scene
from framescope.core.system import caches
from tests.core.test_recorded_motion import write_tum

N = 70


@pytest.fixture
def calls(monkeypatch) -> list[object]:
    """Return what is appended to at each fit of a recording."""
    found: list[object] = []
    usual = pose_spline.smooth_clean_recording
    monkeypatch.setattr(pose_spline, "smooth_clean_recording", lambda *args: found.append(args) or usual(*args))
    return found


def plan_of(folder, n: int, bandwidths: float = 5.0) -> Plan:
    recorded = write_tum(folder) | {"form": "recorded"}
    frames = {
        f"f{i}": {"parent": "world", "motion": recorded | {"bandwidth": f"{bandwidths + 0.01 * i} Hz"}}
        for i in range(n)
    }
    return compile_plan(Scene.model_validate({"frames": frames}), folder)


def renamed(plan: Plan, title: str) -> Scene:
    return Edit("", lambda scene: scene.model_copy(update={"title": title})).apply(plan.scene)


@pytest.mark.long
def test_that_no_recording_of_a_scene_is_fitted_twice_while_it_is_open(tmp_path, calls) -> None:
    plan = plan_of(tmp_path, N)
    assert len(calls) == N
    again = compile_plan(renamed(plan, "x"), tmp_path)
    assert len(calls) == N
    assert len(again.tree.motions) == N


def test_that_nothing_is_integrated_twice_while_it_is_open_nor_when_it_is_saved_elsewhere(tmp_path) -> None:
    turning: dict[str, object] = {"form": "integrated", "unit": "rad/s", "step": "0.1 s"}
    turning |= {"equation": "quaternion", "method": "rk4"}
    frames = {f"f{i}": {"parent": "world", "orientation": turning | {"w": [0, 0, f"{i}*t"]}} for i in range(N)}
    scene = Scene.model_validate({"frames": frames})
    first = compile_plan(scene)
    again = compile_plan(renamed(first, "x"))
    saved = compile_plan(first.scene, tmp_path)
    assert len(first.tree.motions) == N
    for plan in (again, saved):
        assert all(plan.tree.motions[i] is motion for i, motion in first.tree.motions.items())


def test_that_a_parameter_makes_the_motions_anew_that_use_it_and_no_other() -> None:
    turning = {"form": "integrated", "unit": "rad/s", "step": "0.1 s", "equation": "quaternion", "method": "rk4"}
    scene = Scene.model_validate(
        {
            "parameters": {"a": 1.0, "ab": 2.0},
            "frames": {
                "still": {"parent": "world"},
                "turning": {
                    "parent": "world",
                    "orientation": {"form": "axis", "axis": "z", "angle": "a*t", "unit": "rad"},
                },
                "moving": {"parent": "world", "position": {"value": ["ab*t", 0, 0], "unit": "m"}},
                "integrated": {"parent": "world", "orientation": turning | {"w": [0, 0, "a*t"]}},
                "other": {"parent": "world", "orientation": turning | {"w": [0, 0, "t"]}},
            },
        }
    )

    def made_anew(parameters: dict[str, float]) -> set[str]:
        changed = Edit("", lambda scene: scene.model_copy(update={"parameters": FrozenDict(parameters)})).apply(scene)
        plan = compile_plan(changed)
        assert plan.problems == first.problems == ()
        return {name for name, i in plan.index.items() if plan.tree.motions.get(i) is not first.tree.motions.get(i)}

    first = compile_plan(scene)
    assert made_anew({"a": 1.0, "ab": 2.0, "t0": 3.0}) == set()
    assert made_anew({"a": 1.0, "ab": 5.0}) == {"moving"}
    assert made_anew({"a": 5.0, "ab": 2.0}) == {"turning", "integrated"}


def test_that_a_plan_finds_its_motions_again_after_a_hand_has_turned_a_parameter() -> None:
    frame = {"parent": "world", "position": {"value": ["a*t", 0, 0], "unit": "m"}}
    scene = Scene.model_validate({"parameters": {"a": 1.0}, "frames": {"f": frame}})
    plan = compile_plan(scene)
    for value in range(2, 9):
        compile_plan(scene.model_copy(update={"parameters": FrozenDict({"a": float(value)})}))
    assert compile_plan(scene).tree.motions[1] is plan.tree.motions[1]


def test_that_a_name_that_is_none_is_told_with_all_there_are() -> None:
    frame = {"parent": "world", "position": {"value": ["amplitud*t", 0, 0], "unit": "m"}}
    scene = Scene.model_validate({"parameters": {"amplitude": 1.0, "b": 2.0}, "frames": {"f": frame}})
    (problem,) = compile_plan(scene).problems
    assert "amplitude" in problem.hint


@pytest.mark.long
def enclosed(function: Callable[..., object]) -> Iterator[object]:
    """Yield what a function encloses, and what the functions enclose that it encloses."""
    for cell in function.__closure__ or ():
        value = cell.cell_contents
        yield value
        if isinstance(value, FunctionType):
            yield from enclosed(value)


@pytest.mark.long
def test_that_recordings_go_with_their_scene(tmp_path) -> None:
    plan = plan_of(tmp_path, N, bandwidths=4.0)
    motions = [ref(motion) for motion in plan.tree.motions.values()]
    splines = [
        ref(value)
        for motion in plan.tree.motions.values()
        for value in enclosed(motion.sample)
        if type(value).__name__ == "Fitted"
    ]
    assert len(splines) == N
    del plan
    gc.collect()
    assert not any(motion() for motion in motions)
    assert sum(spline() is not None for spline in splines) == caches.N_LAST


def test_that_what_was_used_last_waits_for_a_step_that_is_taken_back() -> None:
    class Fit:
        pass

    asked: list[int] = []

    @caches.cache_while_used
    def fit(i: int) -> Fit:
        asked.append(i)
        return Fit()

    first = ref(fit(0))
    for i in range(1, caches.N_LAST):
        fit(i)
    assert fit(0) is first()
    fit(caches.N_LAST)
    fit(caches.N_LAST + 1)
    assert first() is not None  # it was asked for after the others
    fit(1)
    assert asked == [*range(caches.N_LAST + 2), 1]


def test_that_a_frame_that_gets_a_colour_or_a_place_is_not_integrated_anew(monkeypatch) -> None:
    runs: list[object] = []
    usual = kinematics.integrate
    monkeypatch.setattr(kinematics, "integrate", lambda *args, **how: runs.append(args) or usual(*args, **how))
    turning = {"form": "integrated", "w": [0, 0, "7*t"], "unit": "rad/s", "step": "0.1 s"}
    turning |= {"equation": "quaternion", "method": "rk4"}
    frame = {"parent": "world", "orientation": turning}
    plans = [
        compile_plan(Scene.model_validate({"frames": {"a": frame | more}}))
        for more in ({}, {"position": {"value": [1, 0, 0], "unit": "m"}})
    ]
    assert len(plans) == 2
    assert len(runs) == 1


def test_that_a_rate_of_turn_is_computed_once_for_each_time() -> None:
    asked: list[float] = []

    def w(t):
        asked.extend(np.atleast_1d(t).tolist())
        return np.stack([np.cos(t), np.sin(t), 0 * t], axis=-1)

    times = np.linspace(0.0, 1.0, 9)
    kinematics.integrate(frames.null_rotation(), w, times)
    looked_at_first = 2  # whether it takes many times
    assert len(asked) == looked_at_first + len(times) + len(times) - 1

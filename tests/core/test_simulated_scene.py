"""Simulated bodies of a scene: what is run, when it is run again, and what is said of it."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest

from framescope.core import frames
from framescope.core.evaluation.compile.simulation_systems import SimulationJob
from framescope.core.evaluation.evaluate import compile_plan, evaluate
from framescope.core.scene.edits.base import with_item
from framescope.core.scene.schema.model import Scene
from framescope.core.simulation import simulate

PLATE = {
    "time": {"start": "0 s", "end": "2 s"},
    "parameters": {"push": 2.0},
    "frames": {
        "plate": {
            "parent": "world",
            "position": {"value": [0, 0, 0.5], "unit": "m"},
            "motion": {"form": "simulated", "model": "finite"},
        },
        "twin": {"parent": "world", "motion": {"form": "simulated", "model": "small angle", "like": "plate"}},
    },
    "bodies": {
        "slab": {
            "frame": "plate",
            "shape": {"form": "box", "size": [0.6, 0.4, 0.05], "unit": "m"},
            "mass": "4 kg",
            "inertia": "uniform",
        },
    },
    "points": {
        name: {"body": "slab", "kind": "XYZ", "offset": {"value": offset, "unit": "m"}}
        for name, offset in {"A": [0.3, 0, 0], "B": [-0.3, 0.2, 0], "C": [-0.3, -0.2, 0]}.items()
    },
    "elements": {
        **{f"spring {name}": {"form": "spring", "point": name, "stiffness": "200 N/m"} for name in "ABC"},
        "push": {"form": "force", "point": "A", "signal": [0, 0, "push*pulse(t, 0.2, 0.5)"], "unit": "N"},
    },
    "simulation": {"tolerance": 1e-8, "max_step": "200 ms"},
}


def scene_of(**changes: object) -> Scene:
    return Scene.model_validate({**PLATE, **changes})


class Runs:
    """Runs jobs and counts them."""

    def __init__(self) -> None:
        self.done = {}

    def __call__(self, job: SimulationJob):
        if job not in self.done:
            self.done[job] = job.run()
        return self.done[job]


def test_that_a_scene_of_two_models_has_two_jobs_and_the_models_differ() -> None:
    runs = Runs()
    plan = compile_plan(scene_of(), run=runs)
    assert len(runs.done) == 2
    assert [body.model for job in runs.done for body in job.system.bodies] == ["finite", "small angle"]
    snapshot = evaluate(plan, 1.0)
    a, b = (snapshot.R_WF[snapshot.index[name]] for name in ("plate", "twin"))
    assert 1e-7 < np.abs(a - b).max() < 1e-2


@pytest.mark.long
def test_that_only_what_a_simulation_depends_on_runs_it_again() -> None:
    runs, scene = Runs(), scene_of()
    compile_plan(scene, run=runs)
    shown = scene.model_copy(update={"title": "Other"})
    shown = with_item(
        shown, "frames", "child", Scene.model_validate({"frames": {"c": {"parent": "plate"}}}).frames["c"]
    )
    compile_plan(shown, run=runs)
    assert len(runs.done) == 2
    compile_plan(scene_of(parameters={"push": 3.0}), run=runs)
    assert len(runs.done) == 4
    compile_plan(scene_of(gravity={"value": [0, 0, -1], "unit": "m/s²"}), run=runs)
    assert len(runs.done) == 6


def test_that_bodies_stand_where_they_start_until_they_are_simulated() -> None:
    plan = compile_plan(scene_of(), run=lambda _job: None)
    assert len(plan.pending) == 2
    assert plan.instruments.simulation is None
    snapshot = evaluate(plan, [0.0, 1.5])
    np.testing.assert_array_equal(snapshot.p_WF[:, snapshot.index["twin"]], [[0, 0, 0.5]] * 2)
    assert plan.problems == ()


def test_that_a_twin_of_a_body_among_others_changes_only_its_model() -> None:
    runs = Runs()
    frames_ = {**PLATE["frames"], "other": {"parent": "world", "motion": {"form": "simulated", "model": "finite"}}}
    bodies = {
        **PLATE["bodies"],
        "ball": {
            "frame": "other",
            "shape": {"form": "sphere", "radius": "0.1 m"},
            "mass": "1 kg",
            "inertia": "uniform",
        },
    }
    compile_plan(scene_of(frames=frames_, bodies=bodies), run=runs)
    models = [[body.model for body in job.system.bodies] for job in runs.done]
    assert models == [["finite", "finite"], ["small angle", "finite"]]


def test_that_turning_far_with_small_angles_is_said() -> None:
    elements = {**PLATE["elements"], "push": {**PLATE["elements"]["push"], "signal": [0, 0, "60*pulse(t, 0, 0.4)"]}}
    problems = compile_plan(scene_of(elements=elements)).problems
    (problem,) = [found for found in problems if found.severity == "amber"]
    assert problem.where == "frames.twin.motion.model"
    assert "meant for 0.1 rad" in problem.message


@pytest.mark.parametrize(
    ("points", "words"),
    [
        ("A", "3 motions free: rotation about x through (0.3, 0, 0) m"),
        ("AB", "1 motion free: rotation about"),
        ("ABC", ""),
    ],
)
def test_that_motions_that_points_leave_free_are_named(points, words) -> None:
    elements = {f"spring {name}": PLATE["elements"][f"spring {name}"] for name in points}
    notes = [found for found in compile_plan(scene_of(elements=elements)).problems if found.severity == "note"]
    assert bool(notes) is bool(words)
    assert all(words in note.message and note.where == "frames.plate.motion" for note in notes)


def test_that_a_body_in_free_flight_is_no_finding() -> None:
    plan = compile_plan(scene_of(elements={}, points={}))
    assert plan.problems == ()


def test_that_a_run_that_stops_keeps_what_came_before_and_names_the_time_and_the_culprit() -> None:
    elements = {
        **PLATE["elements"],
        "wild": {"form": "force", "point": "B", "signal": [0, 0, "1e9*exp(9*t)"], "unit": "N"},
    }
    plan = compile_plan(scene_of(elements=elements, simulation={"max_steps": 40}))
    problem = next(found for found in plan.problems if found.severity == "red")
    assert "the simulation stops at t = " in problem.message
    assert "What came before is kept." in problem.hint
    simulation = plan.instruments.simulation
    assert 0.0 < simulation.t_end < 2.0
    snapshot = evaluate(plan, [0.5 * simulation.t_end, 1.99])
    row = snapshot.index["plate"]
    assert snapshot.is_posed[:, row].tolist() == [True, False]
    assert np.isfinite(snapshot.ports["A"].F[0]).all()
    assert np.isnan(snapshot.ports["A"].F[1]).all()


def test_that_the_start_of_a_body_is_as_authored() -> None:
    frame = {
        "parent": "world",
        "position": {"value": [1, 2, 3], "unit": "m"},
        "orientation": {"form": "axes", "sequence": "ZYX", "angles": [30, 20, 10], "unit": "deg"},
        "motion": {
            "form": "simulated",
            "model": "finite",
            "velocity": {"value": [1, 0, -1], "unit": "m/s"},
            "angular_velocity": {"value": [10, 20, 30], "unit": "deg/s", "resolved_in": "world"},
        },
    }
    scene = scene_of(frames={"plate": frame}, elements={}, points={})
    snapshot = evaluate(compile_plan(scene), 0.0)
    R = frames.axes_rotations("ZYX", np.radians([30, 20, 10]), 0)
    np.testing.assert_allclose(snapshot.R_WF[1], R.T.T, atol=1e-12)
    np.testing.assert_allclose(snapshot.p_WF[1], [1, 2, 3], atol=1e-12)
    np.testing.assert_allclose(snapshot.v_WF[1], [1, 0, -1], atol=1e-12)
    np.testing.assert_allclose(snapshot.R_WF[1] @ snapshot.w_WF_F[1], np.radians([10, 20, 30]), atol=1e-12)


def test_that_points_and_elements_without_a_simulated_body_are_problems() -> None:
    still = {name: {"parent": "world"} for name in PLATE["frames"]}
    plan = compile_plan(scene_of(frames=still))
    assert {problem.key_path[0] for problem in plan.problems} == {"points", "elements"}
    assert all("nothing in the scene is simulated" in problem.message for problem in plan.problems)


@pytest.mark.long
@pytest.mark.parametrize("width", [0.1, 0.05, 0.001])
def test_that_a_short_pulse_moves_a_body_of_a_scene(width) -> None:
    begin = 31.234
    elements = {
        "push": {
            "form": "force",
            "point": "A",
            "signal": [0, 0, f"push*pulse(t, {begin}, {begin} + {width})"],
            "unit": "N",
        }
    }
    frames = {"plate": PLATE["frames"]["plate"]}
    plan = compile_plan(
        scene_of(time={"end": "60 s"}, elements=elements, frames=frames, simulation={"tolerance": 1e-8})
    )
    (v,) = evaluate(plan, 60.0).v_WF[[plan.index["plate"]]]
    assert v[2] == pytest.approx(2.0 * width / 4.0, rel=1e-6)


@pytest.mark.long
def test_that_thousands_of_points_on_a_body_are_judged_at_once() -> None:
    points = {
        f"p{i}": {"body": "slab", "kind": "XYZ", "offset": {"value": [i * 1e-4, 0.1, 0], "unit": "m"}}
        for i in range(1000)
    }
    elements = {f"s{i}": {"form": "spring", "point": f"p{i}", "stiffness": "1 N/m"} for i in range(1000)}
    frames = {"plate": PLATE["frames"]["plate"]}
    scene = scene_of(points=points, elements=elements, frames=frames)
    tracemalloc.start()
    plan = compile_plan(scene, run=lambda _job: None)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    (problem,) = plan.problems
    assert "leave 1 motion free: rotation about x" in problem.message
    assert most < 25e6


def test_that_a_range_that_ends_before_it_starts_is_a_problem_however_far_out() -> None:
    plan = compile_plan(scene_of(time={"start": "1e30 s", "end": "2 s"}), run=lambda _job: None)
    assert [problem.where for problem in plan.problems if problem.severity == "red"] == ["time.end"]
    assert plan.end > plan.start


def test_that_integrations_together_keep_to_their_bound() -> None:
    form = {
        "form": "integrated",
        "w": [0, 0, 1],
        "unit": "rad/s",
        "equation": "quaternion",
        "method": "euler",
        "step": "0.1 ms",
    }
    frames = {f"f{i}": {"parent": "world", "orientation": {**form, "w": [0, 0, i]}} for i in range(4)}
    (problem,) = compile_plan(Scene.model_validate({"framescope": 1, "frames": frames})).problems
    assert problem.where == "frames.f3"
    assert "all of the 300000 steps" in problem.message


def test_that_a_run_ends_when_it_is_as_large_as_is_kept(monkeypatch) -> None:
    monkeypatch.setattr(simulate, "MOST_NUMBERS", 5000)
    (job,) = compile_plan(scene_of(frames={"plate": PLATE["frames"]["plate"]}), run=lambda _job: None).pending
    run = job.run()
    assert run.t_end < 2.0
    assert "as much as is kept" in run.stop.message

"""Recorded sensors: values of columns over time, arrows of forces at frames, and what cannot be."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from framescope.core.evaluation.compile.plots import compile_plot
from framescope.core.evaluation.evaluate import Plan, compile_plan, evaluate
from framescope.core.evaluation.signal_curves import labels, plot_curves
from framescope.core.scene.edits.items import rename_item
from framescope.core.scene.files.referenced_files import named_files, renamed_files
from framescope.core.scene.schema.view import Plot
from tests.support.scenes import scene_of

SCENE = """
framescope: 1
time: {{start: 0 s, end: 4 s}}
frames:
  arm:
    parent: world
    position: {{value: [1, 0, 0], unit: m}}
    orientation: {{form: axis, axis: z, angle: "90*t", unit: deg}}
sensors:
  pull:
    {{form: recorded, frame_a: arm, quantity: force, unit: kN, file: run.csv, time: t, time_unit: s, values: [x, y, z],
    arrow: 1 mm}}
  valve: {{form: recorded, file: run.csv, time: t, time_unit: s, values: [{values}], start: 1 s}}
"""


def plan_of(folder: Path, values: str = "open, flow") -> Plan:
    (folder / "run.csv").write_text(
        "t,x,y,z,open,flow,word\n10,1,0,0,0,5,a\n11,2,0,0,0,,b\n11,2,0,0,1,7,c\n13,4,0,0,1,9,d\n", "utf-8"
    )
    return compile_plan(scene_of(SCENE.format(values=values)), folder)


def compiled_of(plan: Plan, **keys):
    return compile_plot(Plot(signal="sensor", **keys), plan.scene, plan.index).signals[0]


def curves(plan: Plan, times, **keys):
    return plot_curves(plan, compiled_of(plan, **keys), np.asarray(times, float))


def test_that_columns_are_shown_over_the_time_of_the_scene_and_jump_where_a_time_is_there_twice(tmp_path) -> None:
    plan = plan_of(tmp_path)
    assert plan.problems == ()
    found = curves(plan, [0.5, 1.0, 1.75, 2.0, 3.0, 4.0, 4.1], of="valve")
    nan = np.nan
    np.testing.assert_allclose(found[:, 0], [nan, 0, 0, 1, 1, 1, nan])
    np.testing.assert_allclose(found[:, 1], [nan, 5, 6.5, 7, 8, 9, nan])
    assert curves(plan, [1.5], of="valve", components=("value 2",)).shape == (1, 1)
    assert labels(plan, compiled_of(plan, of="valve")) == ("open", "flow")
    np.testing.assert_allclose(curves(plan, [0.5, 2.0], of="pull", components=("x", "norm")), [[1.5, 1.5], [3.0, 3.0]])


def test_that_a_force_is_an_arrow_that_turns_with_its_frame(tmp_path) -> None:
    plan = plan_of(tmp_path)
    snapshot = evaluate(plan, 1.0)
    (arrow,) = snapshot.arrows["pull"].values()
    np.testing.assert_allclose(arrow.p_W, [1, 0, 0], atol=1e-15)
    np.testing.assert_allclose(arrow.vector_W, [0, 2000, 0], atol=1e-9)
    assert plan.instruments.sensors["pull"].arrows == {"f": 1e-3}
    assert plan.instruments.sensors["valve"].arrows == {}
    several = evaluate(plan, np.array([0.0, 1.0, 3.0]))
    np.testing.assert_allclose(np.linalg.norm(several.arrows["pull"]["f"].vector_W, axis=-1), [1000, 2000, 4000])


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("values: [x, y, z]", "values: [x, y]", "a force has three columns, along x, y and z, and not 2."),
        ("quantity: force, unit: kN", "unit: kN", "only a force or a torque has an arrow."),
        ("unit: kN", "unit: m", "is no unit of force"),
        ("values: [x, y, z]", "values: [x, y, zz]", '"zz"'),
        ("values: [x, y, z]", "values: [x, y, word]", "holds text"),
        ("frame_a: arm", "frame_a: leg", "leg"),
        ("file: run.csv", "file: away.csv", "away.csv"),
    ],
)
def test_that_what_cannot_be_is_a_problem_of_the_sensor_alone(tmp_path, old: str, new: str, said: str) -> None:
    plan_of(tmp_path)
    plan = compile_plan(scene_of(SCENE.format(values="open").replace(old, new, 1)), tmp_path)
    (problem,) = plan.problems
    assert problem.key_path[:2] == ("sensors", "pull")
    assert said in str(problem)
    assert "valve" in plan.instruments.sensors


def test_that_time_that_runs_back_is_told(tmp_path) -> None:
    plan_of(tmp_path)
    (tmp_path / "run.csv").write_text("t,x,y,z,open\n0,1,1,1,0\n2,1,1,1,0\n1,1,1,1,0\n", "utf-8")
    problems = compile_plan(scene_of(SCENE.format(values="open")), tmp_path).problems
    assert [problem.message for problem in problems] == ["run.csv: time does not run forward after row 2."] * 2


def test_that_a_table_without_a_time_is_told(tmp_path) -> None:
    plan_of(tmp_path)
    (tmp_path / "run.csv").write_text("t,x,y,z,open\n,1,1,1,0\n,1,1,1,0\n", "utf-8")
    problems = compile_plan(scene_of(SCENE.format(values="open")), tmp_path).problems
    assert [problem.message for problem in problems] == ['run.csv has no row with a number in the column "t".'] * 2


def test_that_its_file_and_its_frame_go_with_the_scene(tmp_path) -> None:
    scene = plan_of(tmp_path).scene
    assert named_files(scene) == ("run.csv",)
    assert named_files(renamed_files(scene, {"run.csv": "data/run.csv"})) == ("data/run.csv",)
    renamed = rename_item(scene, "frames", "arm", "leg").apply(scene)
    assert renamed.sensors["pull"].frame_a == "leg"

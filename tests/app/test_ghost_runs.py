"""A second run as a ghost: pale, under one frame, beside the first, which stays as it is."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from framescope.app.importers.registry import read_scene
from framescope.core.evaluation.evaluate import compile_plan, evaluate
from framescope.core.scene.edits.copies import PALE, add_ghost
from framescope.core.scene.files.referenced_files import renamed_files
from framescope.core.scene.schema.model import Scene
from framescope.core.system.file_access import Access
from tests.support.modelica_results import pendulum, write


def slower(n: int = 101):
    """Return the pendulum with half the deflections of its first joint, and twice as long."""
    made = pendulum(n)
    return replace(made, times=2.0 * made.times)


@pytest.fixture
def runs(tmp_path: Path) -> tuple[Scene, Scene]:
    """Give the scenes of two results in one folder."""
    write(tmp_path / "first_res.mat", pendulum())
    write(tmp_path / "second_res.mat", slower())
    first, second = (read_scene(tmp_path / f"{name}_res.mat")[0].scene for name in ("first", "second"))
    return first, second


def test_that_a_ghost_moves_by_its_own_result_under_one_frame(runs, tmp_path) -> None:
    first, second = runs
    both = add_ghost(second, "second", first).apply(first)
    plan = compile_plan(both, access=Access(tmp_path))
    assert not [problem for problem in plan.problems if problem.severity == "red"]
    alone = compile_plan(second, access=Access(tmp_path))
    for t in (0.3, 1.1, 3.2):
        seen, own = evaluate(plan, t), evaluate(alone, t)
        row, own_row = plan.index["boxBody2.frame_b_2"], alone.index["boxBody2.frame_b"]
        np.testing.assert_allclose(seen.p_WF[row], own.p_WF[own_row], atol=1e-12)
        np.testing.assert_allclose(seen.R_WF[row], own.R_WF[own_row], atol=1e-12)
    roots = [name for name, frame in second.frames.items() if frame.parent == "world"]
    assert {both.frames[f"{name}_2"].parent for name in roots} == {"second"}
    assert both.time.end.si("time", ()) == pytest.approx(4.0), "as long as the longer one"


def test_that_the_first_run_stays_as_it_is_and_the_ghost_is_pale_and_without_names(runs, tmp_path) -> None:
    bar = {"frame": "boxBody1.frame_b", "shape": {"form": "sphere", "radius": "5 cm"}, "opacity": 0.5}
    bodies = Scene.model_validate({"framescope": 1, "bodies": {"bar": bar}}).bodies
    first, second = (scene.model_copy(update={"bodies": bodies}) for scene in runs)
    both = add_ghost(second, "second", first).apply(first)
    for kind in ("frames", "bodies", "sensors"):
        for name, item in getattr(first, kind).items():
            assert getattr(both, kind)[name] == item
    assert both.bodies["bar_2"].opacity == pytest.approx(PALE * 0.5)
    assert both.bodies["bar_2"].frame == "boxBody1.frame_b_2"
    assert len(both.sensors) == len(first.sensors)
    view = compile_plan(both, access=Access(tmp_path)).view_data
    index = compile_plan(both, access=Access(tmp_path)).index
    for name in ("second", "boxBody2.frame_b_2"):
        assert not view.has_triad[index[name]]
        assert not view.has_label[index[name]]


def test_that_a_run_is_a_ghost_beside_itself_and_names_that_are_taken_are_made_free(runs) -> None:
    first, _ = runs
    once = add_ghost(first, "first", first).apply(first)
    twice = add_ghost(renamed_files(first, {}), "first", once).apply(once)
    assert {"first", "first_2"} <= twice.frames.keys()
    assert len(twice.frames) == 3 * len(first.frames) + 2

"""The process that exports draws the plan that the window has: nothing is simulated again."""

from __future__ import annotations

import importlib
from dataclasses import replace

import pytest

from framescope.app.background.plan_source import PlanSource
from framescope.app.export_service.client import ExportProcess
from framescope.app.export_service.tasks import ExportJob
from framescope.app.exporters.registry import export
from framescope.app.session.document import Document
from framescope.app.session.session import Session
from framescope.core.evaluation.compile.simulation_systems import SimulationJob
from framescope.core.evaluation.evaluate import compile_plan
from framescope.ui.exports.options import ExportOptions
from tests.support.grown_scenes import PLATE
from tests.support.scenes import scene_of

FOR_MS = 60_000
NEVER = """
from framescope.core.evaluation.compile.simulation_systems import SimulationJob

def run(self, on_progress=None, is_cancelled=None):
    raise ZeroDivisionError("simulated again")

SimulationJob.run = run
"""


@pytest.fixture
def never(tmp_path, monkeypatch) -> None:
    """Have no simulation run in a process that is started from here."""
    (tmp_path / "sitecustomize.py").write_text(NEVER)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))


def written(source: PlanSource, path, qtbot):
    process = ExportProcess(source)
    with qtbot.waitSignal(process.ended, timeout=FOR_MS) as ended:
        process.write(ExportJob(process.plan, path, ExportOptions(fps=20.0, stop=0.5)))
    process.close()
    return ended.args[0]


def test_that_an_export_of_the_window_simulates_nothing_again(qtbot, tmp_path, never) -> None:
    session = Session(Document(scene_of(PLATE)))
    source = session.plan_source()
    known = tuple((job, job.run()) for job in session.plan.pending)
    ended = written(replace(source, simulations=known), tmp_path / "a.csv", qtbot)
    assert ended.state == "done", ended.why
    export(session.plan.scene, compile_plan(session.plan.scene), tmp_path / "b.csv", fps=20.0, stop=0.5)
    assert (tmp_path / "a.csv").read_text() == (tmp_path / "b.csv").read_text()
    session.close()


def test_that_what_the_window_has_not_simulated_yet_is_simulated_for_the_export(qtbot, tmp_path, never) -> None:
    session = Session(Document(scene_of(PLATE)))
    ended = written(session.plan_source(), tmp_path / "a.csv", qtbot)
    assert ended.state == "failed"
    assert "simulated again" in ended.why
    session.close()


def test_that_the_window_hands_over_what_it_has_simulated(qtbot) -> None:
    session = Session(Document(scene_of(PLATE)))
    with qtbot.waitSignal(session.simulator.finished, timeout=FOR_MS):
        session.start()
    ((job, simulation),) = session.plan_source().simulations
    assert isinstance(job, SimulationJob)
    assert simulation is session.plan.instruments.simulation
    session.close()


@pytest.mark.long
def test_that_titles_of_plots_are_found_without_a_curve(monkeypatch) -> None:
    from framescope.app.session.scene_lookup import example_names, example_path
    from framescope.core.scene.files.loading import load_scene

    plot_content = importlib.import_module("framescope.ui.plots.plot_content")
    plans = [compile_plan(load_scene(example_path(name)).scene, example_path(name).parent) for name in example_names()]
    wanted = [[curves.title for curves in plot_content.plot_contents(plan, 2)] for plan in plans]
    monkeypatch.setattr(plot_content, "plot_curves", None)
    monkeypatch.setattr(plot_content, "frames_at", None)
    assert [plot_content.chart_titles(plan) for plan in plans] == wanted
    assert any(wanted)

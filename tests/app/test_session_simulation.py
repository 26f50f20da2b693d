"""Simulations beside the window: run, shown, cancelled, run again, and failed, by real processes and signals."""

from __future__ import annotations

import threading

import numpy as np
import pytest

from framescope.app.background import latest_task
from framescope.app.session import simulations
from framescope.app.session.document import Document
from framescope.app.session.session import Session
from framescope.app.session.simulations import MAX_RESULTS, Simulator
from framescope.core.evaluation.compile.simulation_systems import SimulationJob
from framescope.core.evaluation.evaluate import compile_plan
from framescope.core.scene.edits import authored_angles
from framescope.core.scene.edits.base import Edit
from tests.support.grown_scenes import PLATE
from tests.support.scenes import scene_of
from tests.support.tasks_here import TaskHere
from tests.support.threads import beside
from tests.support.whole_window import wait_for


@pytest.fixture
def session(qtbot):
    """Return a session on the plate, not started yet; it is closed at the end."""
    session = Session(Document(scene_of(PLATE)))
    yield session
    session.close()
    wait_for(lambda: not beside())


@pytest.fixture
def held(monkeypatch):
    """Hold every simulation until it is let go or cancelled; return what lets it go."""
    let_go = threading.Event()
    real = SimulationJob.run
    monkeypatch.setattr(latest_task, "WorkerTask", TaskHere)

    def run(self, on_progress=None, is_cancelled=None):
        on_progress(0.25)
        while not let_go.wait(0.001):
            if is_cancelled():
                break
        return real(self, on_progress, is_cancelled)

    monkeypatch.setattr(SimulationJob, "run", run)
    return let_go


def height(session) -> float:
    return float(session.snapshot.p_WF[session.snapshot.index["corner"], 2])


def pushed(mass: str) -> Edit:
    def apply(scene):
        slab = scene.bodies["slab"].model_copy(update={"mass": type(scene.bodies["slab"].mass).parse(mass)})
        return scene.model_copy(update={"bodies": scene.bodies | {"slab": slab}})

    return Edit(f"Made the mass {mass}", apply)


def test_that_bodies_stand_at_their_start_until_their_simulation_is_done(session, held, qtbot) -> None:
    session.start()
    session.scrub(0.7)
    before = height(session)
    assert session.plan.pending
    assert not session.problems
    with qtbot.waitSignal(session.simulator.finished):
        held.set()
    assert not session.plan.pending
    assert height(session) != pytest.approx(before, abs=1e-3)
    assert np.isfinite(session.snapshot.ports["A"].F).all()
    assert session.simulator.activity.state == "idle"


def test_that_progress_is_told_as_it_goes(session, held, qtbot) -> None:
    with qtbot.waitSignal(session.activity_changed, check_params_cb=lambda activity: activity.share == 0.25):
        session.start()
    assert session.simulator.activity.state == "running"


def test_that_after_cancelling_a_note_says_how_to_run_it_again(session, held, qtbot) -> None:
    session.start()
    with qtbot.waitSignal(session.problems_changed):
        session.cancel_simulation()
    (note,) = session.problems
    assert note.severity == "note"
    assert "cancelled" in note.message
    assert "Run the simulation again" in note.hint
    assert session.simulator.activity.state == "held"
    held.set()
    with qtbot.waitSignal(session.simulator.finished):
        session.simulate_again()
    assert session.problems == ()
    assert not session.plan.pending


def test_that_a_newer_scene_cancels_the_older_one_and_only_its_result_is_shown(
    session, held, qtbot, monkeypatch
) -> None:
    ran = []
    inner = SimulationJob.run
    monkeypatch.setattr(SimulationJob, "run", lambda self, *hooks: ran.append(self) or inner(self, *hooks))
    session.start()
    for grams in (1000, 2000, 3000):
        session.preview(pushed(f"{grams} g"))
    session.commit(pushed("5 kg"))
    held.set()
    with qtbot.waitSignal(session.simulator.finished):
        pass
    assert not session.plan.pending
    assert session.plan.instruments.simulation.system is ran[-1].system
    assert len(ran) <= 3  # those in between were never begun


def test_that_an_edit_of_something_else_keeps_the_simulation_and_undo_finds_the_last_ones(session, qtbot) -> None:
    with qtbot.waitSignal(session.simulator.finished):
        session.start()
    first = session.plan.instruments.simulation
    session.commit(authored_angles.turn_to("arm", 0, 0.3, 0.0, "Turned"))
    assert session.plan.instruments.simulation is first
    with qtbot.waitSignal(session.simulator.finished):
        session.commit(pushed("5 kg"))
    assert session.plan.instruments.simulation is not first
    session.undo()
    assert session.plan.instruments.simulation is first
    assert len(session.simulator.results) <= MAX_RESULTS


def test_that_a_failure_of_the_process_becomes_a_problem(session, qtbot, monkeypatch, caplog) -> None:
    def run(self, on_progress=None, is_cancelled=None):
        raise ZeroDivisionError("a stone in the works")

    monkeypatch.setattr(latest_task, "WorkerTask", TaskHere)
    monkeypatch.setattr(SimulationJob, "run", run)
    with qtbot.waitSignal(session.simulator.finished):
        session.start()
    (problem,) = session.problems
    assert problem.severity == "red"
    assert "a stone in the works" in problem.message
    assert problem.item == ("frames", "plate")
    assert "Traceback" in caplog.text
    monkeypatch.undo()
    with qtbot.waitSignal(session.simulator.finished):
        session.simulate_again()
    assert session.problems == ()


def test_that_closing_waits_for_what_is_under_way(qtbot, held) -> None:
    session = Session(Document(scene_of(PLATE)))
    session.start()
    assert beside()
    session.close()
    wait_for(lambda: not beside())


def test_that_expressions_and_all_get_to_the_process_and_back_with_the_same_bits(session, qtbot) -> None:
    session.commit(authored_angles.turn_to("arm", 0, 0.3, 0.0, "Turned"))
    with qtbot.waitSignal(session.simulator.finished):
        session.start()
    here = session.plan.instruments.simulation
    job = session.simulator.results[0][0]
    again = job.run()
    t = np.linspace(0.0, 1.0, 7)
    for found, expected in zip(here.motion("plate", t), again.motion("plate", t), strict=True):
        np.testing.assert_array_equal(found, expected)
    assert (here.n_steps, here.t_end, here.findings) == (again.n_steps, again.t_end, again.findings)


def test_that_another_document_takes_the_place_of_the_running_simulation(session, held, qtbot, tmp_path) -> None:
    session.start()
    path = tmp_path / "still.yaml"
    path.write_text("framescope: 1\nframes:\n  a: {parent: world}\n")
    with qtbot.waitSignal(session.simulator.task.idle):
        assert session.open(path.name, lambda: Document.open(path))
    assert session.simulator.activity.state == "idle"
    assert session.problems == ()


def test_that_a_long_run_says_how_long_it_will_still_take(qtbot, monkeypatch) -> None:
    simulator, now, told = Simulator(), [100.0], []
    monkeypatch.setattr(simulations.time, "monotonic", lambda: now[0])
    monkeypatch.setattr(simulator.task, "want", lambda *_: None)
    job = compile_plan(scene_of(PLATE), run=lambda _: None).pending[0]
    simulator.activity_changed.connect(lambda activity: told.append((activity.share, activity.time_left)))
    simulator.want([job])
    for seconds, share in ((0.0, 0.0), (1.0, 0.05), (9.0, 0.1), (30.0, 0.5), (31.0, 0.1), (33.0, 0.2)):
        now[0] = 100.0 + seconds
        simulator.task.found.emit(share)
    assert told == [
        (0.0, ""), (0.05, ""), (0.1, "about 81 s left"), (0.5, "about 30 s left"),
        (0.1, ""), (0.2, "about 8 s left"),  # once more, with smaller errors
    ]  # fmt: skip
    simulator.close()

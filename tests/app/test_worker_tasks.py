"""Tasks of real worker processes: reported, given up, failed, and done by the next one when theirs has died."""

from __future__ import annotations

import importlib
import os
import signal
import subprocess
import sys
import threading
import time
from dataclasses import replace

import numpy as np
import pytest

from framescope.app.background import worker_client
from framescope.app.background.worker_client import SHARED, TaskCancelledError, TaskError, WorkerTask
from framescope.core.evaluation.compile.simulation_systems import SimulationJob
from framescope.core.evaluation.evaluate import compile_plan
from framescope.core.scene.schema.quantities import Quantity
from tests.support import processes
from tests.support.cases import for_each
from tests.support.grown_scenes import PLATE, SLOW
from tests.support.processes import is_running
from tests.support.scenes import scene_of

pytestmark = pytest.mark.process

PATIENCE_S = 120.0
"""How long a process may take to start and to end on a machine that does much else."""


def job_of(text: str) -> SimulationJob:
    (job,) = compile_plan(scene_of(text), run=lambda _job: None).pending
    return job


def unheard(_said: object) -> None:
    pass


@pytest.fixture(autouse=True)
def patient(monkeypatch):
    """Give one that is to give up all the time it needs."""
    monkeypatch.setattr(worker_client, "PATIENCE_S", PATIENCE_S)


@pytest.fixture(autouse=True, scope="module")
def closed_at_the_end():
    """Begin without a process, and leave none; one that is kept does for the next test, too."""
    SHARED.close()
    yield
    SHARED.close()


@pytest.fixture
def alone():
    """Begin without a process."""
    SHARED.close()


class Deadly:
    """Ends the process that reads it."""

    def __reduce__(self):
        return os._exit, (3,)


class Unreadable:
    """Cannot be read by the process."""

    def __reduce__(self):
        return int, ("no number",)


def test_that_the_result_is_that_of_the_same_function_here() -> None:
    job, told = job_of(PLATE), []
    found, expected = WorkerTask(SimulationJob.run, job).result(told.append), job.run()
    t = np.linspace(0.0, 1.0, 5)
    for one, other in zip(found.motion("plate", t), expected.motion("plate", t), strict=True):
        np.testing.assert_array_equal(one, other)
    assert told[0] == 0.0
    assert sorted(told) == told


def test_that_a_process_is_kept_for_the_next_task() -> None:
    job = job_of(PLATE)
    numbers = set()
    for _ in range(3):
        WorkerTask(SimulationJob.run, job).result(unheard)
        (process,) = SHARED.idle
        numbers.add(process.pid)
    assert len(numbers) == 1


def test_that_a_task_is_given_up_while_it_runs_and_its_process_does_the_next() -> None:
    task = WorkerTask(SimulationJob.run, job_of(SLOW))
    with pytest.raises(TaskCancelledError):
        task.result(lambda _share: task.cancel())
    (process,) = SHARED.idle
    assert WorkerTask(SimulationJob.run, job_of(PLATE)).result(unheard).n_steps > 0
    assert SHARED.idle == [process]


def test_that_giving_up_twice_does_not_end_the_process_of_the_next() -> None:
    task = WorkerTask(SimulationJob.run, job_of(SLOW))

    def cancel_twice(_share: object) -> None:
        task.cancel()
        task.cancel()

    with pytest.raises(TaskCancelledError):
        task.result(cancel_twice)
    (process,) = SHARED.idle
    assert not [thread for thread in threading.enumerate() if isinstance(thread, threading.Timer)]
    assert process.is_alive()


def test_that_a_task_given_up_before_it_began_is_never_begun(alone) -> None:
    task = WorkerTask(SimulationJob.run, job_of(SLOW))
    task.cancel()
    with pytest.raises(TaskCancelledError):
        task.result(unheard)
    assert not SHARED.idle


def test_that_what_does_not_give_up_is_ended(alone, monkeypatch, tmp_path) -> None:
    (tmp_path / "stubborn.py").write_text(
        "import threading\n\ndef wait(report, _is_cancelled):\n    report('begun')\n    threading.Event().wait()\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setattr(worker_client, "PATIENCE_S", 0.05)
    task = WorkerTask(importlib.import_module("stubborn").wait)
    with pytest.raises(TaskCancelledError):
        task.result(lambda _said: task.cancel())
    assert not SHARED.idle


@pytest.mark.skipif(sys.platform == "win32", reason="processes end otherwise there")
def test_that_what_a_killed_process_has_started_is_ended_before_that_is_told(alone, monkeypatch, tmp_path) -> None:
    """As an encoder of a film, which would make its file anew after that was removed."""
    (tmp_path / "fertile.py").write_text(
        "import subprocess, sys\n\n"
        "def begin(report, _is_cancelled):\n"
        "    child = subprocess.Popen([sys.executable, '-c', 'import signal; signal.pause()'])\n"
        "    report(child.pid)\n"
        "    child.wait()\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    task, started = WorkerTask(importlib.import_module("fertile").begin), []

    def kill(pid: int) -> None:
        started.append(pid)
        task.kill()

    with pytest.raises(TaskCancelledError):
        task.result(kill)
    end = time.monotonic() + PATIENCE_S
    while is_running(*started):
        assert time.monotonic() < end, "it goes on"
        threading.Event().wait(0.01)


def test_that_an_error_of_ours_is_handed_on_and_a_fault_goes_to_the_log(caplog) -> None:
    job = job_of(PLATE)
    wrong = replace(job, settings=job.settings.model_copy(update={"max_step": Quantity.parse("1 m")}))
    with pytest.raises(TaskError, match="max_step"):
        WorkerTask(SimulationJob.run, wrong).result(unheard)
    assert not caplog.text
    with pytest.raises(TaskError, match=r"TypeError: .*This is an error of Framescope; the log has more\."):
        WorkerTask(int, "1").result(unheard)
    assert "Traceback" in caplog.text
    assert len(SHARED.idle) == 1


@for_each(("deadly", "status"), [(Deadly(), 3), (Unreadable(), 1)])
def test_that_the_death_of_the_process_is_told_and_the_next_task_has_another(deadly, status) -> None:
    with pytest.raises(TaskError, match=f"the process that computes has ended with status {status}"):
        WorkerTask(SimulationJob.run, deadly).result(unheard)
    assert WorkerTask(SimulationJob.run, job_of(PLATE)).result(unheard).n_steps > 0


def test_that_the_process_ends_with_the_program() -> None:
    program = (
        "import sys; from framescope.app.background.worker_client import SHARED; "
        "p = SHARED.take(); SHARED.give_back(p);"
        "print(p.pid, flush=True); import os; os._exit(0)"
    )
    done = subprocess.run([sys.executable, "-P", "-c", program], capture_output=True, text=True, check=True)
    pid, end = int(done.stdout), time.monotonic() + PATIENCE_S
    while is_running(pid):
        assert time.monotonic() < end, "it goes on"
        threading.Event().wait(0.01)


@pytest.mark.skipif(sys.platform == "win32", reason="processes end otherwise there")
def test_that_a_kept_process_that_has_ended_goes_although_nobody_asks() -> None:
    WorkerTask(SimulationJob.run, job_of(PLATE)).result(unheard)
    (process,) = SHARED.idle
    pid, end = process.pid, time.monotonic() + PATIENCE_S
    os.kill(pid, signal.SIGKILL)
    while processes.state_of(pid):
        assert time.monotonic() < end, "it is a zombie"
        threading.Event().wait(0.01)
    assert WorkerTask(SimulationJob.run, job_of(PLATE)).result(unheard).n_steps > 0


@pytest.mark.skipif(sys.platform == "win32", reason="processes end otherwise there")
def test_that_a_process_that_nobody_has_asked_for_is_taken_for_ended() -> None:
    """As one whose parent is gone, in a container whose first process asks for none."""
    with subprocess.Popen([sys.executable, "-c", ""]) as process:
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
        os.kill(process.pid, 0)  # it has a number still
        assert not processes.is_running(process.pid)

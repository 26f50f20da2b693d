"""Simulations of bodies beside the window: one at a time in another process, the newest scene first."""

from __future__ import annotations

import contextlib
import math
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from PySide6.QtCore import QObject, Qt, Signal

from framescope.app.background.worker_client import Errand, ErrandCancelledError, ErrandError
from framescope.core.errors import Problem
from framescope.core.evaluation.compile.simulation_systems import SimulationJob
from framescope.core.evaluation.evaluate import Plan
from framescope.core.simulation.result import Simulation

KEPT = 4
"""Finished simulations that are kept, so that undo and redo show theirs at once."""

TELL_S = 0.1
"""How often progress is told: each time the status line is painted."""

AGAIN = 'Choose "Run the simulation again" in the View menu.'


@dataclass(frozen=True)
class Activity:
    """What the simulator does: runs and how far it is, or waits to be told to run what was cancelled."""

    state: Literal["idle", "running", "held"] = "idle"
    share: float = 0.0


@dataclass(eq=False)
class _Run:
    """One job, and the thread that waits for it."""

    job: SimulationJob
    errand: Errand
    thread: threading.Thread | None = None
    is_stopped: bool = False

    def stop(self) -> None:
        """Give it up."""
        self.is_stopped = True
        self.errand.cancel()


class Simulator(QObject):
    """Runs the simulations that a plan still needs, and keeps the newest results.

    Signals
    -------
    finished()
        A job has ended, with a result or a failure: the scene is to be compiled again.
    activity_changed(Activity)
        Something else is done now, or it is further.
    """

    finished = Signal()
    activity_changed = Signal(object)
    _progressed = Signal(object, float)
    _ended = Signal(object, object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._results: dict[SimulationJob, Simulation] = {}
        self._failures: dict[SimulationJob, str] = {}
        self._held: set[SimulationJob] = set()
        self._wanted: tuple[SimulationJob, ...] = ()
        self._run: _Run | None = None
        self._activity = Activity()
        self._is_closed = False
        # From the thread to the window's one.
        self._progressed.connect(self._on_progressed, Qt.ConnectionType.QueuedConnection)
        self._ended.connect(self._on_ended, Qt.ConnectionType.QueuedConnection)

    @property
    def activity(self) -> Activity:
        """What is done now."""
        return self._activity

    @property
    def results(self) -> tuple[tuple[SimulationJob, Simulation], ...]:
        """The newest results with their jobs."""
        return tuple(self._results.items())

    def find(self, job: SimulationJob) -> Simulation | None:
        """Return the result of a job, or None when it is still to be run; see `compile_plan`."""
        found = self._results.pop(job, None)
        if found is not None:
            self._results[job] = found  # the newest is the last
        return found

    def want(self, jobs: Sequence[SimulationJob]) -> None:
        """Run these and nothing else; what is under way for another scene is cancelled."""
        self._wanted = tuple(jobs)
        if self._run is not None and self._run.job not in self._wanted:
            self._run.stop()
        self._start_next()

    def cancel(self) -> None:
        """Give up what is wanted, until `run_again`."""
        self._held |= {job for job in self._wanted if job not in self._failures}
        if self._run is not None:
            self._run.stop()
        self._tell()

    def run_again(self) -> None:
        """Run what was cancelled or has failed."""
        self._held.clear()
        self._failures.clear()
        self._start_next()

    def forget(self) -> None:
        """Let go of what was cancelled and of what has failed: another document is open."""
        self._held.clear()
        self._failures.clear()

    def problems(self, plan: Plan) -> tuple[Problem, ...]:
        """Return what is to be said of the simulations that a plan lacks."""
        where = next((("frames", body.name, "motion") for job in plan.pending for body in job.system.bodies), ())
        failures = dict.fromkeys(self._failures[job] for job in plan.pending if job in self._failures)
        hint = f"Bodies stand where they start. {AGAIN}"
        found = [Problem(where, f"the simulation failed: {why}", hint) for why in failures]
        if any(job in self._held for job in plan.pending):
            found.append(Problem(where, "the simulation was cancelled.", hint, "note"))
        return tuple(found)

    def close(self) -> None:
        """Cancel what is under way, and wait for it."""
        self._is_closed = True
        self._wanted = ()
        if self._run is not None:
            self._run.stop()
            if self._run.thread is not None:
                self._run.thread.join()
            self._run = None

    # Inside

    def _start_next(self) -> None:
        job = next((job for job in self._wanted if self._is_to_be_run(job)), None)
        if self._run is None and job is not None and not self._is_closed:
            self._run = run = _Run(job, Errand(SimulationJob.run, job))
            run.thread = threading.Thread(target=self._wait_for, args=(run,), name="simulation", daemon=True)
            run.thread.start()
        self._tell()

    def _is_to_be_run(self, job: SimulationJob) -> bool:
        return job not in self._results and job not in self._failures and job not in self._held

    def _wait_for(self, run: _Run) -> None:
        """Wait for a job; in the thread."""
        result: Simulation | str | None = None
        told = -math.inf

        def tell(share: float) -> None:
            nonlocal told
            now = time.monotonic()
            if now - told >= TELL_S:
                told = now
                self._progressed.emit(run, share)

        with contextlib.suppress(RuntimeError):  # the window is gone
            try:
                result = run.errand.result(tell)
            except ErrandCancelledError:
                pass
            except ErrandError as error:
                result = str(error)
            self._ended.emit(run, result)

    def _on_progressed(self, run: _Run, share: float) -> None:
        if run is self._run and not run.is_stopped:
            self._show(Activity("running", share))

    def _on_ended(self, run: _Run, result: Simulation | str | None) -> None:
        if run is not self._run:
            return
        if run.thread is not None:
            run.thread.join()
        self._run = None
        if isinstance(result, Simulation):
            self._results[run.job] = result
            while len(self._results) > KEPT:
                del self._results[next(iter(self._results))]
        elif isinstance(result, str):
            self._failures[run.job] = result
        if result is not None and run.job in self._wanted:
            self.finished.emit()
        self._start_next()

    def _tell(self) -> None:
        if any(self._is_to_be_run(job) for job in self._wanted):
            is_same = self._run is not None and self._run.job in self._wanted
            self._show(Activity("running", self._activity.share if is_same else 0.0))
        elif any(job in self._held for job in self._wanted):
            self._show(Activity("held"))
        else:
            self._show(Activity())

    def _show(self, activity: Activity) -> None:
        if activity != self._activity:
            self._activity = activity
            self.activity_changed.emit(activity)

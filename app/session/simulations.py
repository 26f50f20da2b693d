"""Simulations of bodies in the worker process: one at a time, the newest scene first."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import QObject, Signal

from framescope.app.background.latest_task import LatestTask
from framescope.app.background.plan_source import simulated
from framescope.core.errors import Problem
from framescope.core.evaluation.compile.simulation_systems import SimulationJob
from framescope.core.evaluation.evaluate import Plan

if TYPE_CHECKING:
    from framescope.core.simulation.result import Simulation

KEPT = 4
"""Finished simulations that are kept, so that undo and redo show theirs at once."""

MOST_JOBS = 2
"""How many simulations a plan has at most: its own, and that with the other models."""

AGAIN = 'Choose "Run the simulation again" in the View menu.'


@dataclass(frozen=True)
class Activity:
    """Activity of the simulator: it runs, with its progress, or waits to be told to run what was cancelled."""

    state: Literal["idle", "running", "held"] = "idle"
    share: float = 0.0
    time_left: str = ""
    """How long it will still take, in words; nothing while that is not known."""


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

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._results: dict[SimulationJob, Simulation] = {}
        self._failures: dict[SimulationJob, str] = {}
        self._held: set[SimulationJob] = set()
        self._wanted: tuple[SimulationJob, ...] = ()
        self._job: SimulationJob | None = None
        """What is under way."""
        self._begun_s: float | None = None
        """When it was first heard of."""
        self.activity = Activity()
        """What is done now."""
        self._task = LatestTask(self)
        self._task.found.connect(self._on_found)
        self._task.failed.connect(self._on_failed)
        self._task.idle.connect(self._on_idle)

    @property
    def results(self) -> tuple[tuple[SimulationJob, Simulation], ...]:
        """The newest results with their jobs, those of the present scene last."""
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
        if self._job is not None and self._job not in self._wanted:
            self._task.stop()
        self._start_next()

    def cancel(self) -> None:
        """Give up what is wanted, until `run_again`."""
        self._held |= {job for job in self._wanted if job not in self._failures}
        self._task.stop()
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
        self._wanted = ()
        self._task.close()

    # Inside

    def _start_next(self) -> None:
        job = next((job for job in self._wanted if self._is_to_be_run(job)), None)
        if not self._task.is_busy and job is not None:
            self._job, self._begun_s = job, None
            self._task.want(simulated, job)
        self._tell()

    def _is_to_be_run(self, job: SimulationJob) -> bool:
        return job not in self._results and job not in self._failures and job not in self._held

    def _on_found(self, found: float | Simulation) -> None:
        job = self._job
        if job is None:
            return
        if not isinstance(found, int | float):
            self._results[job] = found
            while len(self._results) > KEPT:
                del self._results[next(iter(self._results))]
            self._end(job)
        elif job in self._wanted and job not in self._held:
            now = time.monotonic()
            if self._begun_s is None or found < self.activity.share:  # it runs once more, with smaller errors
                self._begun_s = now
            from framescope.core.system.time_left import time_left

            self._show(Activity("running", found, time_left(found, now - self._begun_s)))

    def _on_failed(self, why: str) -> None:
        if self._job is not None:
            self._failures[self._job] = why
            self._end(self._job)

    def _end(self, job: SimulationJob) -> None:
        self._job = None
        if job in self._wanted:
            self.finished.emit()

    def _on_idle(self) -> None:
        self._job = None
        self._start_next()

    def _tell(self) -> None:
        if any(self._is_to_be_run(job) for job in self._wanted):
            is_same = self._job is not None and self._job in self._wanted
            self._show(self.activity if is_same and self.activity.state == "running" else Activity("running"))
        elif any(job in self._held for job in self._wanted):
            self._show(Activity("held"))
        else:
            self._show(Activity())

    def _show(self, activity: Activity) -> None:
        if activity != self.activity:
            self.activity = activity
            self.activity_changed.emit(activity)

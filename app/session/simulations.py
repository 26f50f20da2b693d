"""Simulations of bodies in the worker process: one at a time, the newest scene first."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import QObject, Signal

from framescope.app.background.latest_task import LatestTask
from framescope.app.background.plan_source import run_simulation
from framescope.core.errors import Problem
from framescope.core.evaluation.compile.simulation_systems import SimulationJob
from framescope.core.evaluation.evaluate import Plan

if TYPE_CHECKING:
    from framescope.core.simulation.result import Simulation

MAX_RESULTS = 4
"""Largest number of kept results, with which undo and redo show simulations at once."""

MAX_JOBS = 2
"""Largest number of simulations of a plan: its own, and the one with the other models."""

RUN_AGAIN_HINT = 'Choose "Run the simulation again" in the View menu.'


@dataclass(frozen=True)
class Activity:
    """Activity of the simulator: running with its progress, or held until the user runs it again."""

    state: Literal["idle", "running", "held"] = "idle"
    share: float = 0.0
    time_left: str = ""
    """Estimated remaining time, in words; empty while unknown."""


class Simulator(QObject):
    """Runs the simulations that a plan still needs, and keeps the newest results.

    Signals
    -------
    finished()
        A job has ended with a result or a failure, and the scene must be compiled again.
    activity_changed(Activity)
        The activity or its progress has changed.
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
        """The running job."""
        self._begun_s: float | None = None
        """Time of the running job's first report, s."""
        self.activity = Activity()
        """The present activity."""
        self.task = LatestTask(self)
        self.task.found.connect(self._on_found)
        self.task.failed.connect(self._on_failed)
        self.task.idle.connect(self._on_idle)

    @property
    def results(self) -> tuple[tuple[SimulationJob, Simulation], ...]:
        """The newest results with their jobs, the present scene's last."""
        return tuple(self._results.items())

    def find(self, job: SimulationJob) -> Simulation | None:
        """Return the result of a job, or None when it has not run yet; see `compile_plan`."""
        result = self._results.pop(job, None)
        if result is not None:
            self._results[job] = result  # move the newest to the end
        return result

    def want(self, jobs: Sequence[SimulationJob]) -> None:
        """Run these jobs and no others; a running job of another scene is cancelled."""
        self._wanted = tuple(jobs)
        if self._job is not None and self._job not in self._wanted:
            self.task.stop()
        self._start_next()

    def cancel(self) -> None:
        """Cancel the wanted jobs until `run_again`."""
        self._held |= {job for job in self._wanted if job not in self._failures}
        self.task.stop()
        self._update_activity()

    def run_again(self) -> None:
        """Run the jobs that were cancelled or have failed."""
        self._held.clear()
        self._failures.clear()
        self._start_next()

    def forget(self) -> None:
        """Forget cancelled and failed jobs, when another document is opened."""
        self._held.clear()
        self._failures.clear()

    def problems(self, plan: Plan) -> tuple[Problem, ...]:
        """Return the problems of the simulations that a plan lacks."""
        where = next((("frames", body.name, "motion") for job in plan.pending for body in job.system.bodies), ())
        failures = dict.fromkeys(self._failures[job] for job in plan.pending if job in self._failures)
        hint = f"Bodies stand where they start. {RUN_AGAIN_HINT}"
        reports = [Problem(where, f"the simulation failed: {why}", hint) for why in failures]
        if any(job in self._held for job in plan.pending):
            reports.append(Problem(where, "the simulation was cancelled.", hint, "note"))
        return tuple(reports)

    def close(self) -> None:
        """Cancel the running job and wait for its end."""
        self._wanted = ()
        self.task.close()

    # Internal

    def _start_next(self) -> None:
        job = next((job for job in self._wanted if self._is_due(job)), None)
        if not self.task.is_busy and job is not None:
            self._job, self._begun_s = job, None
            self.task.want(run_simulation, job)
        self._update_activity()

    def _is_due(self, job: SimulationJob) -> bool:
        return job not in self._results and job not in self._failures and job not in self._held

    def _on_found(self, report: float | Simulation) -> None:
        job = self._job
        if job is None:
            return
        if not isinstance(report, int | float):
            self._results[job] = report
            while len(self._results) > MAX_RESULTS:
                del self._results[next(iter(self._results))]
            self._end(job)
        elif job in self._wanted and job not in self._held:
            now = time.monotonic()
            if self._begun_s is None or report < self.activity.share:  # a second run with smaller errors has started
                self._begun_s = now
            from framescope.core.system.time_left import time_left

            self._show(Activity("running", report, time_left(report, now - self._begun_s)))

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

    def _update_activity(self) -> None:
        if any(self._is_due(job) for job in self._wanted):
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

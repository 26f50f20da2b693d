"""Source of a plan for other processes, since a plan itself cannot be pickled."""

from __future__ import annotations

import math
import pickle
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeVar

from framescope.core.evaluation.compile.simulation_systems import SimulationJob
from framescope.core.evaluation.evaluate import Plan, compile_plan
from framescope.core.scene.schema.model import Scene
from framescope.core.system.file_access import Access

if TYPE_CHECKING:
    from framescope.core.simulation.result import Simulation

REPORT_S = 0.1
"""Shortest interval between progress reports, s."""


T = TypeVar("T")
Report = Callable[[Any], object]
IsCancelled = Callable[[], bool]


@dataclass(frozen=True)
class PlanSource:
    """Picklable inputs from which a plan is compiled.

    Attributes
    ----------
    scene, access
        The document, and access to its files.
    simulations
        Known simulations of its bodies.
    """

    scene: Scene
    access: Access
    simulations: tuple[tuple[SimulationJob, Simulation], ...] = ()

    def pack(self) -> bytes:
        """Pickle the source for another process, which compiles the plan once for all its tasks."""
        return pickle.dumps(self)


@lru_cache(maxsize=1)
def plan_of(packed: bytes) -> Plan:
    """Compile the plan as the window shows it: bodies without a known simulation stay at their starts."""
    return _compile(packed, lambda _job: None)


@lru_cache(maxsize=1)
def whole_plan_of(packed: bytes) -> Plan:
    """Compile the plan; simulate missing simulations first."""
    return _compile(packed, SimulationJob.run)


def _compile(packed: bytes, otherwise: Callable[[SimulationJob], Simulation | None]) -> Plan:
    source: PlanSource = pickle.loads(packed)  # noqa: S301 - from the window that has started this process
    known = dict(source.simulations)
    return compile_plan(source.scene, access=source.access, run=lambda job: known.get(job) or otherwise(job))


def run_simulation(job: SimulationJob, report: Report, is_cancelled: IsCancelled) -> Simulation:
    """Run a simulation job; report its progress at intervals."""
    return job.run(now_and_then(report), is_cancelled)


def now_and_then(report: Callable[[T], object]) -> Callable[[T], None]:
    """Return a function that reports the first value, and later values at most every `REPORT_S` seconds."""
    reported = -math.inf

    def report_sometimes(value: T) -> None:
        nonlocal reported
        now = time.monotonic()
        if now - reported >= REPORT_S:
            reported = now
            report(value)

    return report_sometimes

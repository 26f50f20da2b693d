"""What a plan is made of, for other processes: a plan itself does not go through a pickle."""

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
"""How often progress is reported."""


T = TypeVar("T")
Report = Callable[[Any], object]
IsCancelled = Callable[[], bool]


@dataclass(frozen=True)
class PlanSource:
    """What a plan is made of.

    Attributes
    ----------
    scene, access
        The document, and which files it may read.
    simulations
        What is known of its bodies.
    """

    scene: Scene
    access: Access
    simulations: tuple[tuple[SimulationJob, Simulation], ...] = ()

    def packed(self) -> bytes:
        """Return it as it is handed to another process, which makes the plan once for all its tasks."""
        return pickle.dumps(self)


@lru_cache(maxsize=1)
def plan_of(packed: bytes) -> Plan:
    """Return the plan as the window has it: bodies whose simulation is not known stand at their starts."""
    return _compiled(packed, lambda _job: None)


@lru_cache(maxsize=1)
def whole_plan_of(packed: bytes) -> Plan:
    """Return the plan; what is not simulated yet is simulated now."""
    return _compiled(packed, SimulationJob.run)


def _compiled(packed: bytes, otherwise: Callable[[SimulationJob], Simulation | None]) -> Plan:
    source: PlanSource = pickle.loads(packed)  # noqa: S301 - of the window that has started this process
    known = dict(source.simulations)
    return compile_plan(source.scene, access=source.access, run=lambda job: known.get(job) or otherwise(job))


def simulated(job: SimulationJob, report: Report, is_cancelled: IsCancelled) -> Simulation:
    """Return the simulation of a job; report now and then how much of it is done."""
    return job.run(now_and_then(report), is_cancelled)


def now_and_then(report: Callable[[T], object]) -> Callable[[T], None]:
    """Return what reports the first value, and later ones only after a while."""
    reported = -math.inf

    def tell(value: T) -> None:
        nonlocal reported
        now = time.monotonic()
        if now - reported >= REPORT_S:
            reported = now
            report(value)

    return tell

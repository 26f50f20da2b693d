"""What a plan is made of, for other processes."""

from __future__ import annotations

from dataclasses import dataclass

from framescope.core.evaluation.compile.simulation_systems import SimulationJob
from framescope.core.evaluation.evaluate import Plan, compile_plan
from framescope.core.scene.schema.model import Scene
from framescope.core.simulation.result import Simulation
from framescope.core.system.file_access import Access


@dataclass(frozen=True)
class PlanSource:
    """What a plan is made of: it goes through a pickle, and a plan does not.

    Attributes
    ----------
    scene, access
        The document, and which files it may read.
    simulations
        What is known of its bodies; else they stand at their starts.
    """

    scene: Scene
    access: Access
    simulations: tuple[tuple[SimulationJob, Simulation], ...] = ()

    def plan(self) -> Plan:
        """Return the plan."""
        return compile_plan(self.scene, access=self.access, run=dict(self.simulations).get)

"""Assembly of simulated bodies, points and elements into systems to simulate."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from framescope.core.errors import ItemError, Problem, add_problem
from framescope.core.evaluation.compile.gravity import authored_gravity
from framescope.core.evaluation.compile.simulated_bodies import compile_body, compile_twin
from framescope.core.evaluation.compile.simulated_elements import SIMULATE, compile_element, compile_point
from framescope.core.evaluation.local_motion import MotionContext
from framescope.core.kernels.validation import Array
from framescope.core.scene.schema import points
from framescope.core.scene.schema.model import Scene
from framescope.core.scene.schema.motions import Simulated
from framescope.core.simulation.system import System
from framescope.core.system.cooperative_yield import checkpoint

if TYPE_CHECKING:
    from framescope.core.simulation.result import Simulation

Item = TypeVar("Item")
Made = TypeVar("Made")


@dataclass(frozen=True)
class SimulationJob:
    """A simulation to run. Two jobs are equal if all data that they depend on are equal."""

    key: Hashable
    system: System = field(compare=False)
    settings: points.Simulation = field(compare=False)

    def run(
        self, on_progress: Callable[[float], None] | None = None, is_cancelled: Callable[[], bool] | None = None
    ) -> Simulation:
        """Run the simulation; raise `Cancelled` if `is_cancelled` returns true."""
        from framescope.core.simulation.simulate import simulate

        settings = self.settings
        return simulate(
            self.system,
            method=settings.method,
            tolerance=settings.tolerance,
            max_step=None if settings.max_step is None else settings.max_step.si("time", ("simulation", "max_step")),
            max_steps=settings.max_steps,
            on_progress=on_progress,
            is_cancelled=is_cancelled,
        )


@lru_cache(maxsize=8)
def run_now(job: SimulationJob) -> Simulation | None:
    """Run a job immediately; equal jobs run once."""
    return job.run(checkpoint)


@dataclass(frozen=True, eq=False)
class Assembly:
    """Assembly of a scene's simulated bodies.

    Attributes
    ----------
    jobs
        Simulation of the scene as authored, and, if frames are `like` others, a simulation with their models.
    bodies
        Index of the job and name of the body, by simulated frame. A body has the name of its frame, or of the frame
        that its frame is `like`.
    """

    jobs: tuple[SimulationJob, ...] = ()
    bodies: Mapping[str, tuple[int, str]] = field(default_factory=dict[str, tuple[int, str]])


def assemble(scene: Scene, context: MotionContext, problems: list[Problem]) -> Assembly:
    """Return the systems of a scene; items that cannot be simulated are skipped and added to `problems`."""
    authored = {name: frame.motion for name, frame in scene.frames.items() if isinstance(frame.motion, Simulated)}
    if not authored:
        idle = [(kind, name) for kind in ("points", "elements") for name in getattr(scene, kind)]
        problems += (Problem(place, "nothing in the scene is simulated.", SIMULATE) for place in idle)
        return Assembly()

    def compile_all(kind: str, items: Mapping[str, Item], make: Callable[[str, Item], Made]) -> dict[str, Made]:
        compiled: dict[str, Made] = {}
        for name, item in items.items():
            try:
                compiled[name] = make(name, item)
            except ItemError as problem:
                add_problem(problems, (kind, name), problem)
        return compiled

    own = {name: motion for name, motion in authored.items() if motion.like is None}
    like = {name: motion for name, motion in authored.items() if motion.like is not None}
    bodies = compile_all("frames", own, lambda name, motion: compile_body(scene, name, motion, context))
    twins = compile_all("frames", like, lambda name, motion: compile_twin(scene, name, motion, bodies))
    points = compile_all("points", scene.points, lambda name, point: compile_point(scene, name, point, bodies))
    kinds = {name: point.kind for name, point in points.items()}
    elements = compile_all(
        "elements", scene.elements, lambda name, element: compile_element(element, name, kinds, scene, context)
    )
    gravity = _gravity(scene, problems)
    settings = _usable_settings(scene, problems)
    parts = tuple(bodies.values()), tuple(points.values()), tuple(elements.values())
    system = System(*parts, gravity, context.start, context.end)
    frames = tuple((name, scene.frames[name]) for name in authored)
    heavy = tuple((name, body) for name, body in scene.bodies.items() if body.frame in authored)
    key = (frames, heavy, scene.points, scene.elements, tuple(gravity), context, settings)
    jobs = [SimulationJob((key, "as authored"), system, settings)]
    places = {name: (0, name) for name in bodies}
    if twins:
        models = {twins[name]: like[name].model for name in twins}
        others = tuple(replace(body, model=models.get(body.name, body.model)) for body in system.bodies)
        jobs.append(SimulationJob((key, "the other models"), replace(system, bodies=others), settings))
        places |= {name: (1, of) for name, of in twins.items()}
    return Assembly(tuple(jobs), places)


def _gravity(scene: Scene, problems: list[Problem]) -> Array:
    try:
        return authored_gravity(scene)
    except ItemError as problem:
        problems.append(replace(problem.problem(()), hint=f"{problem.hint} Until then there is none."))
        return np.zeros(3)


def _usable_settings(scene: Scene, problems: list[Problem]) -> points.Simulation:
    """Return the settings without an invalid longest step."""
    settings, key = scene.simulation, ("simulation", "max_step")
    try:
        if settings.max_step is not None and not settings.max_step.si("time", key) > 0.0:
            raise ItemError(key, f"a step is longer than zero, this one is {settings.max_step}.")  # noqa: TRY301
    except ItemError as problem:
        add_problem(problems, (), problem)
        return settings.model_copy(update={"max_step": None})
    return settings

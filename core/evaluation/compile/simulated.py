"""Compilation of simulations into motions of frames, and problems of their runs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from framescope.core.errors import Problem
from framescope.core.evaluation.compile.simulation_systems import Assembly
from framescope.core.evaluation.local_motion import LocalMotion, Sample
from framescope.core.kernels.validation import Array
from framescope.core.points import Point, PointX, PointXYZ, PointY, PointZ
from framescope.core.simulation.point_constraints import describe_free_motions
from framescope.core.simulation.system import Force, System, SystemBody, SystemPoint

if TYPE_CHECKING:
    from framescope.core.simulation.result import Simulation

SMALL_ANGLE = 0.1
"""Largest angle for which the small-angle model is valid, rad."""


PROBES = 501
"""Number of times at which the first large angle of a simulation is searched."""


def motions_of(assembly: Assembly, simulations: Sequence[Simulation | None]) -> dict[str, LocalMotion]:
    """Return the motion of each simulated frame; without a simulation it rests at its start."""
    systems = [job.system for job in assembly.jobs]
    return {frame: _motion(simulations[i], systems[i], body) for frame, (i, body) in assembly.bodies.items()}


def _motion(simulation: Simulation | None, system: System, name: str) -> LocalMotion:
    if simulation is None:
        body = next(body for body in system.bodies if body.name == name)
        return LocalMotion(_standing(body), is_constant=False)

    def sample(t: Array) -> Sample:
        return Sample(*simulation.motion(name, t))

    return LocalMotion(sample, is_constant=False)


def _standing(body: SystemBody) -> Callable[[Array], Sample]:
    def sample(t: Array) -> Sample:
        zeros = np.zeros((len(t), 3))
        T, p = np.broadcast_to(body.R_start.T, (len(t), 3, 3)), np.broadcast_to(body.p_start, (len(t), 3))
        return Sample(T, p, zeros, zeros, zeros, zeros)

    return sample


def problems_of(assembly: Assembly, simulations: Sequence[Simulation | None]) -> Iterator[Problem]:
    """Yield problems of simulated bodies, and of their simulations that have run."""
    if assembly.jobs:
        yield from _free_motion_notes(assembly.jobs[0].system)
    seen: set[str] = set()
    for simulation in simulations:
        if simulation is None:
            continue
        for finding in simulation.findings:
            if finding.message not in seen and finding.kind != "large angle":
                seen.add(finding.message)
                at = simulation.system.start if finding.kind == "start" else None
                yield replace(finding, time=at, kind="simulation")
        stop = simulation.stop
        if stop is not None and stop.message not in seen:
            seen.add(stop.message)
            hint = f"{stop.hint} What came before is kept.".strip()
            place, t = stop.culprit or (), simulation.t_end
            yield Problem(place, stop.message, hint, "red", time=t, kind="simulation-stopped")
    for frame, (i, name) in assembly.bodies.items():
        simulation = simulations[i]
        body = next(body for body in assembly.jobs[i].system.bodies if body.name == name)
        if simulation is not None and body.model == "small angle":
            largest = simulation.largest_angle(name)
            if largest > SMALL_ANGLE:
                meant = f"the small-angle model is meant for {SMALL_ANGLE:g} rad"
                message = f"it turns by up to {largest:.3g} rad; {meant}."
                hint = "Compare it with the finite model."
                at = _first_large_angle(simulation, name)
                yield Problem(("frames", frame, "motion", "model"), message, hint, "amber", time=at, kind="large-angle")


def _first_large_angle(simulation: Simulation, name: str) -> float | None:
    """Return the first time at which a body exceeds the small-angle limit, s, among `PROBES` times."""
    body = next(body for body in simulation.mechanism.bodies if body.name == name)
    times = np.linspace(simulation.system.start, simulation.t_end, PROBES)
    angles = simulation.states(times)[:, body.at + 3 : body.at + 6]
    late = np.flatnonzero(np.sqrt((angles**2).sum(axis=1)) > SMALL_ANGLE)
    return float(times[late[0]]) if late.size else None


def _free_motion_notes(system: System) -> Iterator[Problem]:
    """Yield a note for each body whose points block some of its six motions but not all."""
    holding_elements = (element for element in system.elements if not isinstance(element, Force))
    joined = {point for element in holding_elements for point in (element.point_1, element.point_2)}
    by_body: dict[str, list[SystemPoint]] = {}
    for point in system.points:
        if point.name in joined:
            by_body.setdefault(point.body, []).append(point)
    for body in system.bodies:
        points = by_body.get(body.name)
        if not points:
            continue  # a freely flying body is intended
        free = describe_free_motions([_at_rest(point, body) for point in points])
        if free:
            words = f"{len(free)} motion{'s' * (len(free) > 1)}" if len(free) < 6 else "all six motions"
            message = f"its points leave {words} free: {'; '.join(free)}."
            hint = "That may be meant, as for a pendulum."
            yield Problem(("frames", body.name, "motion"), message, hint, "note", kind="free-motion")


def _at_rest(point: SystemPoint, body: SystemBody) -> Point:
    """Return the connector of a point in the rest pose of its body."""
    x, y, z = body.R_rest @ point.offset
    kinds: Mapping[str, Callable[[], Point]] = {
        "X": lambda: PointX(y, z),
        "Y": lambda: PointY(x, z),
        "Z": lambda: PointZ(x, y),
        "XYZ": lambda: PointXYZ(x, y, z),
    }
    return kinds[point.kind]()

"""Advice on a run before it starts: stiff springs that make it slow."""

from __future__ import annotations

from framescope.core.simulation.body_kinematics import move
from framescope.core.simulation.mechanism import build_mechanism, start_of_bodies
from framescope.core.simulation.system import System
from framescope.core.simulation.termination import fastest_spring

OWN_TIMES = 3.0
"""Longest stable step of an explicit method, in time constants of a spring."""

MANY_STEPS = 50_000
"""Number of steps above which a spring is reported as slow."""


def stiff_advice(system: System, method: str) -> str:
    """Return a sentence about a stiff spring that makes a run slow, with a fix; empty if there is none.

    Parameters
    ----------
    system
        System to simulate.
    method
        Method of integration, see `framescope.core.simulation.simulate.Method`.
    """
    if method == "radau":
        return ""
    mechanism = build_mechanism(system)
    fastest = fastest_spring(mechanism, move(mechanism, start_of_bodies(system)))
    if fastest is None:
        return ""
    i, own_time = fastest
    n_steps = (system.end - system.start) / (OWN_TIMES * own_time)
    if n_steps < MANY_STEPS:
        return ""
    text = f"element {mechanism.elements[i].name} is stiff: its own time is {own_time:.2g} s, which takes"
    advice = "Lower its stiffness or damping, allow larger errors, or use the method radau"
    return f"{text} {n_steps:.1g} steps or more. {advice}"

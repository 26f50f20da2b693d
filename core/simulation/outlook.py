"""Outlook of a run: what makes it long."""

from __future__ import annotations

from framescope.core.simulation.body_kinematics import move
from framescope.core.simulation.mechanism import build_mechanism, start_of_bodies
from framescope.core.simulation.system import System
from framescope.core.simulation.termination import fastest_spring

OWN_TIMES = 3.0
"""Own times of a spring that a step of an explicit method may be long."""

MANY_STEPS = 50_000
"""Steps from which on a spring is reported to make a run long."""


def stiff_advice(system: System, method: str) -> str:
    """Return what makes a run long where that is a stiff spring, and what helps; nothing of any other.

    Parameters
    ----------
    system
        The bodies as they start.
    method
        One of `framescope.core.simulation.simulate.Method`.
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
    helps = "Lower its stiffness or damping, allow larger errors, or use the method radau"
    return f"{text} {n_steps:.1g} steps or more. {helps}"

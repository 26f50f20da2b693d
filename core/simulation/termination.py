"""Problems of a simulation: findings about a system, and why a run has ended early."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from framescope.core.kernels.components import applied_to, dot_of
from framescope.core.kernels.validation import Array
from framescope.core.simulation.balances import Missed
from framescope.core.simulation.body_kinematics import Kinematics, difference, lever_of, move, turning_of
from framescope.core.simulation.constraints import Dependence, weakest_row
from framescope.core.simulation.dynamics import evaluate, reluctance, signals_at
from framescope.core.simulation.mechanism import ConstraintRow, Mechanism, sides_of
from framescope.core.simulation.system import Force, Spring

Culprit = tuple[Literal["frames", "elements"], str]
"""The kind and name of the item that a message is about."""

FASTEST_SPEED = 299_792_458.0
"""m/s; a body that gets there has lost its way. It goes for turns with the longest lever, too."""

CONFLICT = 1e-6
"""Part of the lengths and speeds that constraints may differ by and still be the same."""

GROWN = 30.0
"""A run that fails with speeds this many times those at the start, or usual, diverges."""

NEARLY_SINGULAR = 1e-4
"""A run that fails where ``A M⁻¹ Aᵀ`` is this much nearer to singular than at the start fails because of it."""

SEEN = 1e-3
"""Part of the impulse of a force source that a run may miss unsaid."""

SMALL_ANGLE = 0.1
"""Largest angle, rad, for which the small-angle model is taken at its word."""


@dataclass(frozen=True)
class RunProblem:
    """Something that a person should know about a simulation, which goes on all the same.

    Attributes
    ----------
    kind
        ``"redundant"``: a velocity source holds what others hold; ``"start"``: a body could not start with the
        velocities it was given; ``"missed"``: a force was not seen by the steps; ``"large angle"``: a small-angle body
        turned too far.
    message, hint
        What there is, and what to do about it, as sentences.
    culprit
        The kind and name of the item: a body is a frame.
    """

    kind: Literal["redundant", "start", "missed", "large angle"]
    message: str
    hint: str
    culprit: Culprit


@dataclass(frozen=True)
class Stop:
    """Reason of a run's early end.

    Attributes
    ----------
    t
        When, s.
    message, hint
        Why, and what to do about it, as sentences.
    culprit
        The kind and name of the item that is most to do with it: a body is a frame.
    """

    t: float
    message: str
    hint: str
    culprit: Culprit


def element_text(mechanism: Mechanism, i_element: int) -> str:
    """Return what an element is called in a message."""
    element = mechanism.elements[i_element]
    return f"{element.word} {element.name}"


def redundant_problems(mechanism: Mechanism, dependences: tuple[Dependence, ...]) -> tuple[RunProblem, ...]:
    """Return one finding for each velocity source that others make superfluous, in part or as a whole."""
    by_element: dict[int, list[Dependence]] = {}
    for dependence in dependences:
        by_element.setdefault(mechanism.constraints[dependence.row].element, []).append(dependence)
    found: list[RunProblem] = []
    for i, rows in by_element.items():
        n = len(mechanism.rows_of[i])
        part = "" if len(rows) == n else f" in {len(rows)} of its {n} directions"
        text = element_text(mechanism, i)
        others = _others(mechanism, i, [row for dependence in rows for row in dependence.others])
        by = f"is held by {others}, too" if others else "is held already"
        message = f"what {text} holds{part} {by}: the forces between them are not unique, and it carries none there."
        hint, culprit = "Remove it, or make it a stiff spring.", _element(mechanism, i)
        found.append(RunProblem("redundant", message, hint, culprit))
    return tuple(found)


def start_problems(
    mechanism: Mechanism, before: list[float], after: list[float], speed: float
) -> tuple[RunProblem, ...]:
    """Return one finding for each body whose velocities at the start had to be changed."""
    found: list[RunProblem] = []
    for body in mechanism.bodies:
        at = body.at + (7 if body.is_finite else 6)
        change = np.array(after[at : at + 6]) - np.array(before[at : at + 6])
        dv, dw = float(np.hypot.reduce(change[:3])), float(np.hypot.reduce(change[3:]))
        if max(dv, mechanism.lever * dw) > CONFLICT * speed:
            others = f"it starts with others, by {dv:.3g} m/s and {dw:.3g} rad/s."
            message = f"{body.name} cannot start with the velocities it is given, as velocity sources hold it: {others}"
            hint = "Give it velocities that its velocity sources allow."
            found.append(RunProblem("start", message, hint, ("frames", body.name)))
    return tuple(found)


def large_angle_problems(angles: dict[str, float]) -> tuple[RunProblem, ...]:
    """Return one finding for each small-angle body that turns further than its model is good for."""
    return tuple(
        RunProblem(
            "large angle",
            f"{name} turns by {angle:.3g} rad; the small-angle model is good for {SMALL_ANGLE:g} rad.",
            "Use the finite model.",
            ("frames", name),
        )
        for name, angle in angles.items()
        if angle > SMALL_ANGLE
    )


def missed_problems(mechanism: Mechanism, missed: Missed) -> tuple[RunProblem, ...]:
    """Return one finding for each force source whose signal the run has not seen as it is authored."""
    worst: dict[int, float] = {}
    for row, share in zip(mechanism.forces, missed.shares, strict=True):
        worst[row.element] = max(worst.get(row.element, 0.0), share)
    return tuple(
        RunProblem(
            "missed",
            f"the run has not seen all that {element_text(mechanism, i)} does: the sum of its force over time is off by"
            f" {share:.1%} of what it is.",
            "Set a smaller max_step in simulation.",
            _element(mechanism, i),
        )
        for i, share in worst.items()
        if share > SEEN
    )


# --- Why a run ends


def _stop(t: float, why: str, hint: str, culprit: Culprit) -> Stop:
    return Stop(t, f"the simulation stops at t = {t:.4g} s: {why}", hint, culprit)


def _element(mechanism: Mechanism, i_element: int) -> Culprit:
    return "elements", mechanism.elements[i_element].name


def busy_signal_stop(mechanism: Mechanism, t: float, i_element: int, most: int) -> Stop:
    """Return the stop of a signal that bends or jumps more often than steps may end."""
    signal = f"the signal of {element_text(mechanism, i_element)}"
    why = f"{signal} bends or jumps more than {most} times, and each time a step has to end."
    hint = "Give it a longer period, end the time range before, or allow more steps (max_steps)."
    return _stop(t, why, hint, _element(mechanism, i_element))


def conflict_stop(
    mechanism: Mechanism, dependences: tuple[Dependence, ...], t: float, y: list[float], speed: float
) -> Stop | None:
    """Return the stop of velocity sources that ask for different things, or None."""
    if not dependences:
        return None
    values = signals_at(mechanism, t)[0].tolist()
    ports = move(mechanism, y).ports
    length = mechanism.lever + max(abs(x) for port in ports for x in port.x)
    speed = max(speed, *(abs(v) for port in ports for v in port.v), *(abs(v) for v in values))
    for dependence in dependences:
        row = mechanism.constraints[dependence.row]
        x, v = difference(ports, row)
        dx, dv = abs(x - y[mechanism.goals_at + dependence.row]), abs(v - values[row.channel])
        if dx <= CONFLICT * length and dv <= CONFLICT * speed:
            continue
        text = element_text(mechanism, row.element)
        others = _others(mechanism, row.element, dependence.others) or "its own points allow"
        miss = f"{dv:.3g} m/s" if dv > CONFLICT * speed else f"{dx:.3g} m"
        hint = "Remove one of them, or give them signals that go together."
        why = f"{text} asks for another motion than {others}, by {miss}."
        return _stop(t, why, hint, _element(mechanism, row.element))
    return None


def singular_stop(mechanism: Mechanism, t: float, i_row: int) -> Stop:
    """Return the stop of a mechanism whose constraints have become dependent."""
    i = mechanism.constraints[i_row].element
    held = "is held by the other velocity sources, too, so that its force is not known."
    why = f"there the mechanism is singular. What {element_text(mechanism, i)} holds {held}"
    hint = "Remove it, make it a stiff spring, or end the time range before."
    return _stop(t, why, hint, _element(mechanism, i))


def singular_now(mechanism: Mechanism, t: float, y: list[float], y_start: list[float]) -> Stop | None:
    """Return the stop of a mechanism whose constraints have come near being dependent since the start, or None."""
    if not mechanism.held:
        return None
    before, _ = weakest_row(mechanism, reluctance(mechanism, move(mechanism, y_start))[0])
    now, i_row = weakest_row(mechanism, reluctance(mechanism, move(mechanism, y))[0])
    return singular_stop(mechanism, t, i_row) if now < NEARLY_SINGULAR * before else None


def undefined_signal_stop(mechanism: Mechanism, t: float, span: float) -> Stop | None:
    """Return the stop of a signal that has no value at a time or right after it, or None."""
    for later in (0.0, *(span * 10.0**n for n in range(-15, -5))):
        i_channel = 0
        sources = [i for i, element in enumerate(mechanism.elements) if not isinstance(element, Spring)]
        values = signals_at(mechanism, t + later)
        for i, n in zip(sources, mechanism.channels, strict=True):
            needed = 1 if isinstance(mechanism.elements[i], Force) else 2
            if not np.isfinite(values[:needed, i_channel : i_channel + n]).all():
                why = f"the signal of {element_text(mechanism, i)} has no finite value there."
                return _stop(t, why, "Give it a signal that has one at all times.", _element(mechanism, i))
            i_channel += n
    return None


def failed_stop(
    mechanism: Mechanism,
    t: float,
    y: list[float],
    y_start: list[float],
    step: float,
    message: str,
    *,
    method: str,
    speed: float,
) -> Stop:
    """Return the stop of a run whose steps are too many or too short: singular, too stiff, diverging, or too busy."""
    singular = singular_now(mechanism, t, y, y_start)
    if singular is not None:
        return singular
    fastest = fastest_spring(mechanism, move(mechanism, y))
    # An explicit method takes some three of the own times of the stiffest spring in one step.
    if fastest is not None and step > 1e-3 * fastest[1]:
        i, own_time = fastest
        body = mechanism.bodies[mechanism.ports[_first_row(mechanism, i).port_1].body].name
        other = "" if method == "radau" else ", or use the method radau"
        why = f"{message}, for {element_text(mechanism, i)} on {body}, whose own time is {own_time:.2g} s."
        return _stop(t, why, f"Lower its stiffness or damping{other}.", _element(mechanism, i))
    if max(speeds(mechanism, y)) > GROWN * speed:
        return diverging_stop(mechanism, t, y, y_start, message)
    rates = [float(np.hypot.reduce(motion.w)) for motion in move(mechanism, y).bodies]
    i = int(np.argmax(rates))
    name = mechanism.bodies[i].name
    why = f"{message}; {name} turns fastest, with {rates[i]:.3g} rad/s."
    hint = "Allow larger errors, shorten the time range, or look at what drives it."
    return _stop(t, why, hint, ("frames", name))


def diverging_stop(mechanism: Mechanism, t: float, y: list[float], y_start: list[float], message: str = "") -> Stop:
    """Return the stop of a run whose speeds grow without bound."""
    growths = [b - a for a, b in zip(speeds(mechanism, y_start), speeds(mechanism, y), strict=True)]
    i = int(np.argmax(np.nan_to_num(growths, nan=np.inf)))
    name = mechanism.bodies[i].name
    hardest = _hardest_push(mechanism, t, y, i)
    because = f"{message}, as " if message else ""
    by = "" if hardest is None else f", pushed hardest by {element_text(mechanism, hardest)}"
    why = f"{because}{name} gets {growths[i]:.3g} m/s faster than it started{by}."
    return _stop(t, why, "Look at what drives it there, or end the time range before.", ("frames", name))


def speeds(mechanism: Mechanism, y: list[float]) -> list[float]:
    """Return the speed of each body, of its centre of mass or of the longest lever, m/s."""
    found: list[float] = []
    for body in mechanism.bodies:
        at = body.at + (7 if body.is_finite else 6)
        v, w = np.hypot.reduce(y[at : at + 3]), np.hypot.reduce(y[at + 3 : at + 6])
        found.append(float(max(v, mechanism.lever * w)))
    return found


def fastest_spring(mechanism: Mechanism, kinematics: Kinematics) -> tuple[int, float] | None:
    """Return the element with the fastest rate of its own, and its time, s: of ``s² + d s/m + k/m = 0``."""
    found: tuple[int, float] | None = None
    for row in mechanism.springs:
        w = inverse_mass(mechanism, kinematics, row)
        half, square = 0.5 * row.d * w, row.k * w
        rate = half + float(np.sqrt(half * half - square)) if half * half > square else float(np.sqrt(square))
        if rate > 0.0 and (found is None or 1.0 / rate < found[1]):
            found = row.element, 1.0 / rate
    return found


def inverse_mass(mechanism: Mechanism, kinematics: Kinematics, row: ConstraintRow) -> float:
    """Return the acceleration along a row for a unit force there, 1/kg, as if it were alone."""
    total = 0.0
    for body, port, axis, _ in sides_of(mechanism, row):
        c = lever_of(kinematics.ports[port].r, axis)
        total += 1.0 / mechanism.bodies[body].mass + dot_of(c, applied_to(turning_of(mechanism, kinematics, body), c))
    return total


def _first_row(mechanism: Mechanism, i_element: int) -> ConstraintRow:
    kind, n = mechanism.rows_of[i_element][0]
    return {"Spring": mechanism.springs, "Force": mechanism.forces, "VelocitySource": mechanism.constraints}[kind][n]


def _hardest_push(mechanism: Mechanism, t: float, y: list[float], i_body: int) -> int | None:
    """Return the element with the largest force on a body, if there is one."""
    signals: Array = signals_at(mechanism, t)
    evaluation = evaluate(mechanism, y, signals.tolist())
    forces = [
        *zip(mechanism.springs, evaluation.spring_forces, strict=True),
        *zip(mechanism.forces, evaluation.source_forces, strict=True),
        *zip(mechanism.constraints, evaluation.constraint_forces, strict=True),
    ]
    touching = ((row, F) for row, F in forces if any(side[0] == i_body for side in sides_of(mechanism, row)))
    on_body = [(abs(F), -row.element) for row, F in touching]
    return -max(on_body)[1] if on_body else None


def _others(mechanism: Mechanism, i_element: int, rows: list[int] | tuple[int, ...]) -> str:
    """Return the names of the elements of constraint rows, without that of the one in question."""
    numbers = dict.fromkeys(mechanism.constraints[row].element for row in rows)
    names = [element_text(mechanism, i) for i in numbers if i != i_element]
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)

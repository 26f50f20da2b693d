"""Problems of a simulation: findings about a system, and reasons why a run ended early."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from framescope.core.errors import Problem
from framescope.core.kernels.components import applied_to, dot_of
from framescope.core.kernels.validation import Array
from framescope.core.simulation.balances import Missed
from framescope.core.simulation.body_kinematics import Kinematics, difference, lever_of, move, turning_of
from framescope.core.simulation.constraints import Dependence, weakest_row
from framescope.core.simulation.dynamics import evaluate, reluctance, signals_at
from framescope.core.simulation.mechanism import ConstraintRow, Mechanism, sides_of
from framescope.core.simulation.system import Force, Spring

Culprit = tuple[Literal["frames", "elements"], str]
"""Kind and name of the item that a message is about."""

FASTEST_SPEED = 299_792_458.0
"""Speed at which a run is stopped as diverged, m/s; also for the angular velocity times the longest lever."""

CONFLICT = 1e-6
"""Relative difference of lengths and speeds below which constraints agree."""

GROWN = 30.0
"""Growth of the speeds, relative to the start or to usual speeds, above which a failed run counts as diverging."""

NEARLY_SINGULAR = 1e-4
"""Smallest eigenvalue of ``A M⁻¹ Aᵀ``, relative to the start, below which a failed run counts as singular."""

SEEN = 1e-3
"""Fraction of a force source's impulse that a run may miss without a report."""

SMALL_ANGLE = 0.1
"""Largest angle for which the small-angle model is valid, rad."""


@dataclass(frozen=True)
class Stop:
    """Reason for a run's early end.

    Attributes
    ----------
    t
        Time, s.
    message, hint
        The reason and its fix, as sentences.
    culprit
        Kind and name of the item most responsible; a body is named by its frame.
    """

    t: float
    message: str
    hint: str
    culprit: Culprit


def element_text(mechanism: Mechanism, i_element: int) -> str:
    """Return the name of an element in a message."""
    element = mechanism.elements[i_element]
    return f"{element.word} {element.name}"


def redundant_problems(mechanism: Mechanism, dependences: tuple[Dependence, ...]) -> tuple[Problem, ...]:
    """Return one finding for each velocity source that others make redundant, in part or entirely."""
    by_element: dict[int, list[Dependence]] = {}
    for dependence in dependences:
        by_element.setdefault(mechanism.constraints[dependence.row].element, []).append(dependence)
    problems: list[Problem] = []
    for i, rows in by_element.items():
        n = len(mechanism.rows_of[i])
        part = "" if len(rows) == n else f" in {len(rows)} of its {n} directions"
        text = element_text(mechanism, i)
        others = _others(mechanism, i, [row for dependence in rows for row in dependence.others])
        by = f"is held by {others}, too" if others else "is held already"
        message = f"what {text} holds{part} {by}: the forces between them are not unique, and it carries none there."
        hint, culprit = "Remove it, or make it a stiff spring.", _element(mechanism, i)
        problems.append(Problem(culprit, message, hint, "amber", kind="redundant"))
    return tuple(problems)


def start_problems(mechanism: Mechanism, before: list[float], after: list[float], speed: float) -> tuple[Problem, ...]:
    """Return one finding for each body whose initial velocities had to be changed."""
    problems: list[Problem] = []
    for body in mechanism.bodies:
        at = body.at + (7 if body.is_finite else 6)
        change = np.array(after[at : at + 6]) - np.array(before[at : at + 6])
        dv, dw = float(np.hypot.reduce(change[:3])), float(np.hypot.reduce(change[3:]))
        if max(dv, mechanism.lever * dw) > CONFLICT * speed:
            others = f"it starts with others, by {dv:.3g} m/s and {dw:.3g} rad/s."
            message = f"{body.name} cannot start with the velocities it is given, as velocity sources hold it: {others}"
            hint = "Give it velocities that its velocity sources allow."
            problems.append(Problem(("frames", body.name), message, hint, "amber", kind="start"))
    return tuple(problems)


def large_angle_problems(angles: dict[str, float]) -> tuple[Problem, ...]:
    """Return one finding for each small-angle body that rotates beyond the validity of its model."""
    return tuple(
        Problem(
            ("frames", name),
            f"{name} turns by {angle:.3g} rad; the small-angle model is good for {SMALL_ANGLE:g} rad.",
            "Use the finite model.",
            "amber",
            kind="large angle",
        )
        for name, angle in angles.items()
        if angle > SMALL_ANGLE
    )


def missed_problems(mechanism: Mechanism, missed: Missed) -> tuple[Problem, ...]:
    """Return one finding for each force source whose signal the steps missed in part."""
    worst: dict[int, float] = {}
    for row, share in zip(mechanism.forces, missed.shares, strict=True):
        worst[row.element] = max(worst.get(row.element, 0.0), share)
    return tuple(
        Problem(
            _element(mechanism, i),
            f"the run has not seen all that {element_text(mechanism, i)} does: the sum of its force over time is off by"
            f" {share:.1%} of what it is.",
            "Set a smaller max_step in simulation.",
            "amber",
            kind="missed",
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
    """Return the stop for a signal with more bends and jumps than steps are allowed."""
    signal = f"the signal of {element_text(mechanism, i_element)}"
    why = f"{signal} bends or jumps more than {most} times, and each time a step has to end."
    hint = "Give it a longer period, end the time range before, or allow more steps (max_steps)."
    return _stop(t, why, hint, _element(mechanism, i_element))


def conflict_stop(
    mechanism: Mechanism, dependences: tuple[Dependence, ...], t: float, y: list[float], speed: float
) -> Stop | None:
    """Return the stop for velocity sources that impose different motions; None if they agree."""
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
    """Return the stop for a mechanism whose constraints have become dependent."""
    i = mechanism.constraints[i_row].element
    held = "is held by the other velocity sources, too, so that its force is not known."
    why = f"there the mechanism is singular. What {element_text(mechanism, i)} holds {held}"
    hint = "Remove it, make it a stiff spring, or end the time range before."
    return _stop(t, why, hint, _element(mechanism, i))


def singular_now(mechanism: Mechanism, t: float, y: list[float], y_start: list[float]) -> Stop | None:
    """Return the stop for a mechanism whose constraints are nearly dependent, unlike at the start; None otherwise."""
    if not mechanism.held:
        return None
    before, _ = weakest_row(mechanism, reluctance(mechanism, move(mechanism, y_start))[0])
    now, i_row = weakest_row(mechanism, reluctance(mechanism, move(mechanism, y))[0])
    return singular_stop(mechanism, t, i_row) if now < NEARLY_SINGULAR * before else None


def undefined_signal_stop(mechanism: Mechanism, t: float, span: float) -> Stop | None:
    """Return the stop for a signal without a value at a time or right after it; None if all have values."""
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
    """Return the stop for a run with too many or too short steps: singular, too stiff, diverging, or too fast."""
    singular = singular_now(mechanism, t, y, y_start)
    if singular is not None:
        return singular
    fastest = fastest_spring(mechanism, move(mechanism, y))
    # A step of an explicit method is about three time constants of the stiffest spring.
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
    """Return the stop for a run whose speeds grow without bound."""
    growths = [b - a for a, b in zip(speeds(mechanism, y_start), speeds(mechanism, y), strict=True)]
    i = int(np.argmax(np.nan_to_num(growths, nan=np.inf)))
    name = mechanism.bodies[i].name
    hardest = _hardest_push(mechanism, t, y, i)
    because = f"{message}, as " if message else ""
    by = "" if hardest is None else f", pushed hardest by {element_text(mechanism, hardest)}"
    why = f"{because}{name} gets {growths[i]:.3g} m/s faster than it started{by}."
    return _stop(t, why, "Look at what drives it there, or end the time range before.", ("frames", name))


def speeds(mechanism: Mechanism, y: list[float]) -> list[float]:
    """Return the speed of each body, m/s: the larger of centre of mass and longest lever."""
    sizes: list[float] = []
    for body in mechanism.bodies:
        at = body.at + (7 if body.is_finite else 6)
        v, w = np.hypot.reduce(y[at : at + 3]), np.hypot.reduce(y[at + 3 : at + 6])
        sizes.append(float(max(v, mechanism.lever * w)))
    return sizes


def fastest_spring(mechanism: Mechanism, kinematics: Kinematics) -> tuple[int, float] | None:
    """Return the element with the fastest rate and its time constant, s, from ``s² + d s/m + k/m = 0``."""
    fastest: tuple[int, float] | None = None
    for row in mechanism.springs:
        w = inverse_mass(mechanism, kinematics, row)
        half, square = 0.5 * row.d * w, row.k * w
        rate = half + float(np.sqrt(half * half - square)) if half * half > square else float(np.sqrt(square))
        if rate > 0.0 and (fastest is None or 1.0 / rate < fastest[1]):
            fastest = row.element, 1.0 / rate
    return fastest


def inverse_mass(mechanism: Mechanism, kinematics: Kinematics, row: ConstraintRow) -> float:
    """Return the acceleration along a row for a unit force, 1/kg, without other elements."""
    total = 0.0
    for body, port, axis, _ in sides_of(mechanism, row):
        c = lever_of(kinematics.ports[port].r, axis)
        total += 1.0 / mechanism.bodies[body].mass + dot_of(c, applied_to(turning_of(mechanism, kinematics, body), c))
    return total


def _first_row(mechanism: Mechanism, i_element: int) -> ConstraintRow:
    kind, n = mechanism.rows_of[i_element][0]
    return {"Spring": mechanism.springs, "Force": mechanism.forces, "VelocitySource": mechanism.constraints}[kind][n]


def _hardest_push(mechanism: Mechanism, t: float, y: list[float], i_body: int) -> int | None:
    """Return the element with the largest force on a body; None if no element acts on it."""
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
    """Return the names of the elements of constraint rows, except the given element."""
    numbers = dict.fromkeys(mechanism.constraints[row].element for row in rows)
    names = [element_text(mechanism, i) for i in numbers if i != i_element]
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)

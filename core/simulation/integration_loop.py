"""Integration loop: steps of a solver, one by one, into a record, each projected onto the constraints."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from framescope.core.kernels.validation import Array
from framescope.core.simulation import constraints, termination
from framescope.core.simulation.dense_output import step_coefficients
from framescope.core.simulation.dynamics import rate, signals_at
from framescope.core.simulation.mechanism import Mechanism
from framescope.core.simulation.source_signals import Span

Method = Literal["dop853", "rk45", "radau"]

HOPELESS = 1000
"""Steps in a row that are so short that a thousand times those allowed would not do."""

IMPACT = 1e-3
"""Part of the usual speed from which on a correction of velocities is an impact."""

MOST_NUMBERS = 30_000_000
"""Numbers that a run may leave behind, 240 MB: a stiff scene would fill the memory."""

CHECKED = 50
"""Of them, after how many each time the mechanism is looked at."""


@dataclass
class Record:
    """Record of a run; `begins` and `ends` are the times of each step as the solver has them."""

    times: list[float]
    states: list[Array]
    begins: list[float] = field(default_factory=list[float])
    ends: list[float] = field(default_factory=list[float])
    starts: list[Array] = field(default_factory=list[Array])
    coefficients: list[Array] = field(default_factory=list[Array])
    is_alternating: bool = False
    stop: termination.Stop | None = None


@dataclass(frozen=True, eq=False)
class Task:
    """Task of a run."""

    mechanism: Mechanism
    dependences: tuple[constraints.Dependence, ...]
    start: float
    end: float
    y_start: list[float]
    speed: float
    method: Method
    max_steps: int


def run(
    task: Task,
    spans: Sequence[Span],
    make_solver: Callable[[Span, Array], Any],
    limit: Callable[[float], float] | None,
    record: Record,
    on_progress: Callable[[float], None],
) -> None:
    """Step to the end, or as far as it goes, into the record; each span has a solver of its own."""
    shortest = (task.end - task.start) / (1000.0 * task.max_steps)
    n_short = 0
    for i, span in enumerate(spans):
        if i:
            record.stop = _jumped(task, span.start, record)
            if record.stop is not None:
                return
        solver = make_solver(span, record.states[-1])
        while solver.status == "running":
            on_progress((record.times[-1] - task.start) / (task.end - task.start))
            if limit is not None:
                solver.max_step = limit(float(solver.t))
            record.stop = _given_up(task, solver, record, n_short) or _stepped(task, solver, record)
            if record.stop is not None:
                return
            is_short = record.times[-1] - record.times[-2] < shortest and solver.status == "running"
            n_short = n_short + 1 if is_short else 0
        record.times[-1] = span.until
    on_progress(1.0)


def _jumped(task: Task, t: float, record: Record) -> termination.Stop | None:
    """Give the velocities what velocity sources ask for right after a breakpoint, or return why that cannot be."""
    mechanism = task.mechanism
    if not mechanism.held:
        return None
    try:
        y = _corrected(mechanism, t, record.states[-1].tolist(), IMPACT * task.speed)
    except constraints.SingularMechanismError as error:
        return termination.singular_stop(mechanism, t, error.i_row)
    record.states[-1] = np.array(y)
    return termination.conflict_stop(mechanism, task.dependences, t, y, task.speed)


def _given_up(task: Task, solver: Any, record: Record, n_short: int) -> termination.Stop | None:
    """Return the stop of a run that takes too many steps, or will."""
    h, n_steps = float(solver.h_abs), len(record.times) - 1
    numbers = n_steps * (record.coefficients[-1].size + 2 * record.states[-1].size) if n_steps else 0
    if n_short and n_short % CHECKED == 0:
        singular = termination.singular_now(task.mechanism, float(solver.t), solver.y.tolist(), task.y_start)
        if singular is not None:
            return singular
    if n_short > HOPELESS:
        message = f"steps of {h:.2g} s, shorter than can be afforded, would be needed"
    elif n_steps >= task.max_steps:
        message = f"{n_steps} steps are used up, the last of {h:.2g} s"
    elif numbers > MOST_NUMBERS:
        message = f"{n_steps} steps of all bodies together are as much as is kept, the last of {h:.2g} s"
    else:
        return None
    return _failed(task, float(solver.t), solver.y.tolist(), h, message)


def _stepped(task: Task, solver: Any, record: Record) -> termination.Stop | None:
    """Take one step into the record, or return why it cannot be taken."""
    mechanism = task.mechanism
    before, h = solver.y.tolist(), float(solver.h_abs)
    if not math.isfinite(h):  # the solver would never end
        return _failure(task, record.times[-1], before, h)
    try:
        solver.step()
        is_done = solver.status != "failed"
    except (ValueError, np.linalg.LinAlgError):  # what Radau does with numbers that are not finite
        is_done = False
    if not is_done:
        return _failure(task, record.times[-1], before, h)
    start_of_step, coefficients, record.is_alternating = step_coefficients(solver.dense_output())
    t, t_old = float(solver.t), float(solver.t_old)
    try:
        found = solver.y.tolist()
        y = _corrected(mechanism, t, found, IMPACT * task.speed)
    except constraints.SingularMechanismError as error:
        return termination.singular_stop(mechanism, record.times[-1], error.i_row)
    if not all(map(math.isfinite, y)) or max(termination.speeds(mechanism, y), default=0.0) > termination.FASTEST_SPEED:
        now = record.times[-1]
        singular = termination.singular_now(mechanism, now, before, task.y_start)
        return singular or termination.diverging_stop(mechanism, now, before, task.y_start)
    conflict = termination.conflict_stop(mechanism, task.dependences, t, y, task.speed)
    if conflict is not None:
        return conflict
    if y != found:
        solver.y = np.array(y)
        solver.f = rate(mechanism, t, solver.y)
    record.begins.append(t_old)
    record.ends.append(t)
    record.times.append(t)
    record.states.append(solver.y)
    record.starts.append(start_of_step)
    record.coefficients.append(np.array(coefficients))
    return None


def _corrected(mechanism: Mechanism, t: float, y: list[float], impact: float) -> list[float]:
    """Return a state brought back onto the constraints, with unit quaternions."""
    y = constraints.project_positions(mechanism, y)
    values = signals_at(mechanism, t)[0].tolist() if mechanism.held else []
    return constraints.project_velocities(mechanism, y, values, impact)


def _failure(task: Task, t: float, y: list[float], h: float) -> termination.Stop:
    """Return the stop of a step that could not be done however short."""
    span = task.end - task.start
    undefined = termination.undefined_signal_stop(task.mechanism, t, span)
    if undefined is not None:
        return undefined
    message = f"steps shorter than {1e-12 * span:.2g} s would be needed"
    return _failed(task, t, y, h, message)


def _failed(task: Task, t: float, y: list[float], h: float, message: str) -> termination.Stop:
    return termination.failed_stop(task.mechanism, t, y, task.y_start, h, message, method=task.method, speed=task.speed)

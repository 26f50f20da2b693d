"""Simulation of a system: steps of a scipy solver, one by one, projected onto the constraints after each.

`scipy.integrate.solve_ivp` takes the same steps. Taking them one by one allows this module to project each state onto
the constraints, to cancel, to report progress, and to keep partial results when a run cannot continue.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from framescope.core.errors import FramescopeError, Problem, counted
from framescope.core.kernels.validation import Array
from framescope.core.simulation import constraints, termination
from framescope.core.simulation.balances import balance_of, missed_of
from framescope.core.simulation.body_kinematics import difference, move
from framescope.core.simulation.dense_output import DenseStates, step_coefficients
from framescope.core.simulation.dynamics import rates, signals_at
from framescope.core.simulation.equations import Equations, equations_of, rate_at, signals_for
from framescope.core.simulation.explicit_steps import stepper
from framescope.core.simulation.mechanism import (
    Mechanism,
    build_mechanism,
    start_of_bodies,
    with_acting_ports,
    with_held_rows,
)
from framescope.core.simulation.result import Simulation, angles_of
from framescope.core.simulation.source_signals import Span, TooManySpansError, breaks_of, spans_between, step_limit
from framescope.core.simulation.system import System

STEPS_PER_SPAN = 100
"""Minimum number of steps of a run by default: the longest step is the time range divided by it."""

PROGRESS, PROGRESS_S = 0.01, 0.5
"""Fraction of the time range, and time in s, after which progress is reported again."""

SMALL_MOTION = 1e-3
"""Motion of a body, relative to the scale of its errors, below which the system runs again with a smaller scale."""

LEAST_MOTION = 1e-11
"""Motion of a body, relative to the scale of its errors, below which the motion is only rounding."""

MOST_RUNS = 3
"""Maximum number of runs of a system, because the motion of the first run may itself be an error."""

LEAST_TOLERANCE = 3e-14
"""Smallest tolerance that scipy's solvers accept."""

UNWATCHED = 1e100
"""Absolute tolerance of work, heat and impulse, so that only the motion determines the steps."""


class Cancelled(FramescopeError):  # noqa: N818
    """Error of a simulation that the caller has cancelled."""

    def __init__(self) -> None:
        super().__init__("The simulation was cancelled.")


def simulate(
    system: System,
    *,
    method: Method = "dop853",
    tolerance: float = 1e-9,
    max_step: float | None = None,
    max_steps: int = 200_000,
    on_progress: Callable[[float], None] | None = None,
    is_cancelled: Callable[[], bool] | None = None,
) -> Simulation:
    """Simulate a system of bodies from its start to its end, or up to an early stop.

    Parameters
    ----------
    system : System
        Bodies, points, elements, and the time range.
    method
        ``"dop853"``, explicit of order 8; ``"rk45"``, explicit of order 5; ``"radau"``, implicit of order 5, for stiff
        springs and dampers.
    tolerance
        Relative error of each number in a step, from 1e-13 to 1e-2. The absolute error is this fraction of the scales
        of the system: its longest lever, and its initial speeds or the speed after falling one lever. If a body moves
        less than a thousandth of this, the system is run again with errors relative to its motion.
    max_step
        Longest step, s; by default a hundredth of the time range.
    max_steps
        Number of steps after which the run stops.
    on_progress
        Called with the fraction done, from 0 to 1, after every further hundredth.
    is_cancelled
        Called before each step; a true result cancels the run.

    Returns
    -------
    Simulation
        The result has a `stop` if the run did not reach the end: the system became too stiff, diverged or became
        singular, or its constraints contradict each other.

    Raises
    ------
    ValueError
        When an option is out of range.
    Cancelled
        When `is_cancelled` returns true.

    Notes
    -----
    Velocity sources are constraints; their forces follow from the accelerations. After each step positions and
    velocities are projected onto the constraints, weighted by masses, which removes errors of rounding and of the
    solver. Redundant constraints are ignored. At bends and jumps of a signal a step ends and the solver restarts. If
    the signal of a velocity source jumps, the velocities jump, too: an impact, whose work and impulse are counted.
    Where a signal changes quickly, steps are short. The same system and options give the same bits.

    References
    ----------
    E. Hairer, S. P. Nørsett, G. Wanner, "Solving Ordinary Differential Equations I", sections II.4 to II.6.
    E. Eich-Soellner, C. Führer, "Numerical Methods in Multibody Dynamics", 1998, section 5.3.

    Examples
    --------
    A mass on a spring, with a period of 2 pi s:

    >>> from framescope.core.bodies import RigidBody
    >>> from framescope.core.simulation.system import Spring, SystemBody, SystemPoint
    >>> I, o = np.eye(3), np.zeros(3)
    >>> mass = SystemBody("mass", RigidBody(2.0, [1.0, 1.0, 1.0]), "finite", I, o, I, [0.1, 0.0, 0.0], o, o)
    >>> spring = Spring("spring", "centre", None, 2.0, 0.0)
    >>> system = System([mass], [SystemPoint("centre", "mass", "X", o)], [spring], o, 0.0, 2.0 * np.pi)
    >>> run = simulate(system)
    >>> run.displacements([0.0, np.pi, 2.0 * np.pi])["centre"].round(8)
    array([ 0.1, -0.1,  0.1])
    """
    span = system.end - system.start
    _check_options(method, tolerance, max_step, max_steps)
    progress = Progress(on_progress, is_cancelled)
    progress(0.0)
    with np.errstate(all="ignore"):
        whole, dependences, findings, y, stop = _start(system)
        mechanism = with_acting_ports(whole)
        pairs = np.zeros((0, 2))
        if stop is None:
            try:
                pairs = breaks_of(mechanism, system.start, system.end, max_steps)
            except TooManySpansError as error:
                stop = termination.busy_signal_stop(mechanism, system.start, error.i_element, error.most)
        record = Record([system.start], [np.array(y)], stop=stop)
        if stop is None:
            longest = span / STEPS_PER_SPAN if max_step is None else max_step
            # A solver limits the mean square of all errors; this factor limits each single error.
            part = max(tolerance / math.sqrt(mechanism.size), LEAST_TOLERANCE)
            sizes = _absolute_tolerances(system, mechanism, y, part)
            limit = step_limit(mechanism, system.start, system.end, longest)
            speed = _speed_scale(system, mechanism, y)
            task = Task(
                mechanism,
                equations_of(mechanism),
                dependences,
                system.start,
                system.end,
                y,
                speed,
                method,
                max_steps,
            )

            spans = spans_between(pairs, system.start, system.end)
            for _ in range(MOST_RUNS):
                before, allowed = record, sizes

                def solver_of(of: Span, y: Array, sizes: Array = allowed) -> Any:
                    return _solver(task, of, y, part, sizes, longest)

                record = Record([system.start], [np.array(y)])
                run(task, spans, solver_of, limit, record, progress)
                if record.stop is not None:
                    record = record if before.times[-1] <= record.times[-1] else before
                    break
                sizes = _sizes_of_motion(mechanism, record.states, allowed, part)
                if np.array_equal(sizes, allowed):
                    break
        steps = _dense(record)
        states = np.array(record.states)
        angles = angles_of(mechanism, states)
        missed = missed_of(mechanism, states, (np.array(record.begins), np.array(record.ends)), method, pairs)
        balance = balance_of(mechanism, steps, states, missed)
    problems = (*termination.missed_problems(mechanism, missed), *termination.large_angle_problems(angles))
    t_end, stop, n_steps = record.times[-1], record.stop, len(record.times) - 1
    return Simulation(system, t_end, stop, (*findings, *problems), n_steps, balance, whole, steps, angles)


class Progress:
    """Reports progress to the caller, and raises `Cancelled` on request."""

    def __init__(self, on_progress: Callable[[float], None] | None, is_cancelled: Callable[[], bool] | None) -> None:
        self._on_progress = on_progress
        self._is_cancelled = is_cancelled
        self._last = self._last_s = -math.inf

    def __call__(self, share: float) -> None:
        """Report the share of the run that is done, unless the last report is recent."""
        if self._is_cancelled is not None and self._is_cancelled():
            raise Cancelled
        if self._on_progress is None:
            return
        now = time.monotonic()
        if share >= self._last + PROGRESS or share >= 1.0 > self._last or now >= self._last_s + PROGRESS_S:
            self._last, self._last_s = share, now
            self._on_progress(share)


def _check_options(method: str, tolerance: float, max_step: float | None, max_steps: int) -> None:
    if method not in ("dop853", "rk45", "radau"):
        raise ValueError(f"method: expected dop853, rk45 or radau, got {method!r}")
    if not 1e-13 <= tolerance <= 1e-2:
        raise ValueError(f"tolerance: expected a number from 1e-13 to 1e-2, got {tolerance!r}")
    if max_step is not None and not max_step > 0.0:
        raise ValueError(f"max_step: expected a positive number, got {max_step!r}")
    if not max_steps >= 1:
        raise ValueError(f"max_steps: expected 1 or more, got {max_steps!r}")


_Dependences = tuple[constraints.Dependence, ...]
_Findings = tuple[Problem, ...]


def _start(system: System) -> tuple[Mechanism, _Dependences, _Findings, list[float], termination.Stop | None]:
    """Return mechanism, redundant constraint rows, findings, initial state, and the stop if the run cannot start."""
    mechanism = build_mechanism(system)
    authored = start_of_bodies(system)
    ports = move(mechanism, authored).ports
    y = [*authored, *(difference(ports, row)[0] for row in mechanism.constraints), *[0.0] * 8]
    stop = termination.undefined_signal_stop(mechanism, system.start, system.end - system.start)
    if stop is not None or not mechanism.constraints:
        return mechanism, (), (), y, stop
    independent, dependences = constraints.independent_rows(
        constraints.constraint_matrix(mechanism, move(mechanism, y))
    )
    mechanism = with_held_rows(mechanism, independent)
    findings = termination.redundant_problems(mechanism, dependences)
    speed = _speed_scale(system, mechanism, authored)
    try:
        y = constraints.project_velocities(mechanism, y, signals_at(mechanism, system.start)[0].tolist())
    except constraints.SingularMechanismError as error:
        return mechanism, dependences, findings, y, termination.singular_stop(mechanism, system.start, error.i_row)
    findings = (*findings, *termination.start_problems(mechanism, authored, y, speed))
    stop = termination.conflict_stop(mechanism, dependences, system.start, y, speed)
    return mechanism, dependences, findings, y, stop


def _speed_scale(system: System, mechanism: Mechanism, y: list[float]) -> float:
    """Return a typical speed of a system, m/s."""
    fall = math.sqrt(float(np.hypot.reduce(system.gravity_W)) * mechanism.lever)
    return max(mechanism.lever / (system.end - system.start), fall, *termination.speeds(mechanism, y), 0.0)


def _absolute_tolerances(system: System, mechanism: Mechanism, y: list[float], tolerance: float) -> Array:
    """Return the absolute error allowed for each number of the state."""
    tolerances = np.full(mechanism.size, UNWATCHED)
    lever, speed = mechanism.lever, _speed_scale(system, mechanism, y)
    for body in mechanism.bodies:
        turn = [1.0] * (4 if body.is_finite else 3)
        tolerances[body.at : body.at + body.size] = [*[lever] * 3, *turn, *[speed] * 3, *[speed / lever] * 3]
    tolerances[mechanism.goals_at : mechanism.totals_at] = lever
    tolerances[: mechanism.totals_at] *= tolerance
    return tolerances


def _sizes_of_motion(mechanism: Mechanism, states: list[Array], sizes: Array, tolerance: float) -> Array:
    """Return the allowed absolute errors, which are relative to the motion for quantities that change very little."""
    result = sizes.copy()
    all_states = np.array(states)
    for body in mechanism.bodies:
        at, end, velocities_at = body.at, body.at + body.size, body.at + body.size - 6
        for part in (
            slice(at, at + 3),
            slice(at + 3, velocities_at),
            slice(velocities_at, velocities_at + 3),
            slice(velocities_at + 3, end),
        ):
            since = 0.0 if part.start >= velocities_at else all_states[0, part]
            extent = float(np.abs(all_states[:, part] - since).max())
            size = float(sizes[part.start]) / tolerance
            if LEAST_MOTION * size < extent < SMALL_MOTION * size:
                result[part] = tolerance * extent
    return result


def _solver(task: Task, span: Span, y: Array, tolerance: float, sizes: Array, max_step: float) -> Any:
    # Here, because it is slow to import.
    from scipy import integrate

    mechanism, equations = task.mechanism, task.equations
    t, end = span.start, span.end

    def derivative(t: float, y: Array) -> Array:
        # Rounding may put the end of a step after the end of the span, where signals have jumped.
        return rate_at(mechanism, equations, min(t, end), y)

    options: dict[str, Any] = {"rtol": tolerance, "atol": sizes, "max_step": max_step}
    if task.method == "dop853" and equations is not None:
        solver: Any = stepper()(derivative, t, y, end, **options)

        def signals(t: Array) -> tuple[Array, Array]:
            return signals_for(mechanism, np.minimum(t, end))

        return solver.set_equations(equations, signals)
    if task.method != "radau":
        solver = integrate.DOP853 if task.method == "dop853" else integrate.RK45
        return solver(derivative, t, y, end, **options)

    def jacobian(t: float, y: Array) -> Array:
        n = mechanism.totals_at  # nothing depends on work, heat and impulse
        step = 1.5e-8 * np.maximum(np.abs(y[:n]), sizes[:n] / tolerance)
        columns = np.repeat(y[:, np.newaxis], n + 1, axis=1)
        columns[np.arange(n), np.arange(n)] += step
        derivatives = rates(mechanism, min(t, end), columns)
        J = np.zeros((len(y), len(y)))
        J[:, :n] = (derivatives[:, :n] - derivatives[:, n:]) / (columns[np.arange(n), np.arange(n)] - y[:n])
        return J

    return integrate.Radau(derivative, t, y, end, jac=jacobian, **options)


def _dense(record: Record) -> DenseStates:
    n = record.states[0].size
    if not record.starts:
        return DenseStates(np.array(record.times[:1]), record.states[0][np.newaxis], np.zeros((0, 1, n)), False)
    times, starts, coefficients = map(np.array, (record.times, record.starts, record.coefficients))
    return DenseStates(times, starts, coefficients, record.is_alternating)


Method = Literal["dop853", "rk45", "radau"]

HOPELESS = 1000
"""Number of consecutive steps that are too short, by a factor of a thousand, after which a run stops."""

IMPACT = 1e-3
"""Correction of velocities, relative to the typical speed, above which it is an impact."""

MOST_NUMBERS = 30_000_000
"""Maximum number of stored numbers, 240 MB, because stiff scenes could fill the memory."""

CHECKED = 50
"""Number of short steps after which the mechanism is tested for singularity again."""

PACE = 10_000
"""Number of recent steps from which the total number of steps is predicted."""

FAR_OVER = 5.0
"""Ratio of predicted steps to allowed steps above which a run stops early."""


@dataclass
class Record:
    """Record of a run; `begins` and `ends` are the times of each step in the solver."""

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
    """Input of a run."""

    mechanism: Mechanism
    equations: Equations | None
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
    """Step to the end, or to an early stop, and append to the record; each span has its own solver."""
    shortest = (task.end - task.start) / (1000.0 * task.max_steps)
    n_short = 0
    for i, span in enumerate(spans):
        if i:
            record.stop = _apply_jump(task, span.start, record)
            if record.stop is not None:
                return
        solver = make_solver(span, record.states[-1])
        while solver.status == "running":
            on_progress((record.times[-1] - task.start) / (task.end - task.start))
            if limit is not None:
                solver.max_step = limit(float(solver.t))
            record.stop = _excess_stop(task, solver, record, n_short) or _step(task, solver, record)
            if record.stop is not None:
                return
            is_short = record.times[-1] - record.times[-2] < shortest and solver.status == "running"
            n_short = n_short + 1 if is_short else 0
        record.times[-1] = span.until
    on_progress(1.0)


def _apply_jump(task: Task, t: float, record: Record) -> termination.Stop | None:
    """Set the velocities that velocity sources demand right after a breakpoint; return a stop if this is impossible."""
    mechanism = task.mechanism
    if not mechanism.held:
        return None
    try:
        y = _project(task, t, record.states[-1].tolist())
    except constraints.SingularMechanismError as error:
        return termination.singular_stop(mechanism, t, error.i_row)
    record.states[-1] = np.array(y)
    return termination.conflict_stop(mechanism, task.dependences, t, y, task.speed)


def _excess_stop(task: Task, solver: Any, record: Record, n_short: int) -> termination.Stop | None:
    """Return the stop for a run with too many steps, taken or predicted; None for other runs."""
    h, n_steps = float(solver.h_abs), len(record.times) - 1
    numbers = n_steps * (record.coefficients[-1].size + 2 * record.states[-1].size) if n_steps else 0
    if n_short and n_short % CHECKED == 0:
        singular = termination.singular_now(task.mechanism, float(solver.t), solver.y.tolist(), task.y_start)
        if singular is not None:
            return singular
    if n_short > HOPELESS:
        message = f"steps of {h:.2g} s, shorter than can be afforded, would be needed"
    elif n_steps >= task.max_steps:
        message = f"{counted(n_steps, 'step')} {'is' if n_steps == 1 else 'are'} used up, the last of {h:.2g} s"
    elif numbers > MOST_NUMBERS:
        message = f"{counted(n_steps, 'step')} of all bodies together are as much as is kept, the last of {h:.2g} s"
    elif n_steps and n_steps % PACE == 0 and (needed := _predict_steps(task, record)) > FAR_OVER * task.max_steps:
        message = f"{n_steps} steps are taken, and {needed:.1g} would be needed to the end; the last is of {h:.2g} s"
    else:
        return None
    return _failed_stop(task, float(solver.t), solver.y.tolist(), h, message)


def _predict_steps(task: Task, record: Record) -> float:
    """Return the total number of steps of a run at its recent pace."""
    times = record.times
    pace = max(times[-1] - times[-1 - PACE], math.ulp(times[-1]))
    return len(times) + PACE * (task.end - times[-1]) / pace


def _step(task: Task, solver: Any, record: Record) -> termination.Stop | None:
    """Append one step to the record; return a stop if it fails."""
    mechanism = task.mechanism
    before, h = solver.y.tolist(), float(solver.h_abs)
    if not math.isfinite(h):  # the solver would never return
        return _failure(task, record.times[-1], before, h)
    try:
        solver.step()
        is_done = solver.status != "failed"
    except (ValueError, np.linalg.LinAlgError):  # Radau raises these for numbers that are not finite
        is_done = False
    if not is_done:
        return _failure(task, record.times[-1], before, h)
    own = getattr(solver, "coefficients", None)
    dense = (solver.y_old, own(), True) if own else step_coefficients(solver.dense_output())
    start_of_step, coefficients, record.is_alternating = dense
    t, t_old = float(solver.t), float(solver.t_old)
    try:
        solved = solver.y.tolist()
        y = _project(task, t, solved)
    except constraints.SingularMechanismError as error:
        return termination.singular_stop(mechanism, record.times[-1], error.i_row)
    if not all(map(math.isfinite, y)) or max(termination.speeds(mechanism, y), default=0.0) > termination.FASTEST_SPEED:
        now = record.times[-1]
        singular = termination.singular_now(mechanism, now, before, task.y_start)
        return singular or termination.diverging_stop(mechanism, now, before, task.y_start)
    conflict = termination.conflict_stop(mechanism, task.dependences, t, y, task.speed)
    if conflict is not None:
        return conflict
    if y != solved:
        solver.y = np.array(y)
        solver.f = rate_at(mechanism, task.equations, t, solver.y)
    record.begins.append(t_old)
    record.ends.append(t)
    record.times.append(t)
    record.states.append(solver.y)
    record.starts.append(start_of_step)
    record.coefficients.append(np.array(coefficients))
    return None


def _project(task: Task, t: float, y: list[float]) -> list[float]:
    """Return a state projected onto the constraints, with unit quaternions."""
    mechanism, equations = task.mechanism, task.equations
    if not mechanism.held:
        return constraints.normalize(mechanism, y)
    values = signals_at(mechanism, t)[0]
    quick = None if equations is None else equations.project(np.array(y), values, IMPACT * task.speed)
    if quick is not None:
        return quick
    y = constraints.project_positions(mechanism, y)
    return constraints.project_velocities(mechanism, y, values.tolist(), IMPACT * task.speed)


def _failure(task: Task, t: float, y: list[float], h: float) -> termination.Stop:
    """Return the stop for a step that fails at any length."""
    span = task.end - task.start
    undefined = termination.undefined_signal_stop(task.mechanism, t, span)
    if undefined is not None:
        return undefined
    message = f"steps shorter than {1e-12 * span:.2g} s would be needed"
    return _failed_stop(task, t, y, h, message)


def _failed_stop(task: Task, t: float, y: list[float], h: float, message: str) -> termination.Stop:
    return termination.failed_stop(task.mechanism, t, y, task.y_start, h, message, method=task.method, speed=task.speed)

"""Simulation of a system: steps of a solver of scipy, one by one, held to the constraints after each.

`scipy.integrate.solve_ivp` does the same steps. Doing them by hand makes it possible to bring each state back onto the
constraints, to cancel, to say how far it is, and to keep what there is when a run cannot go on.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from framescope.core.errors import FramescopeError, counted
from framescope.core.kernels.validation import Array
from framescope.core.simulation import constraints, termination
from framescope.core.simulation.balances import balance_of, missed_of
from framescope.core.simulation.body_kinematics import difference, move
from framescope.core.simulation.dense_output import DenseStates, step_coefficients
from framescope.core.simulation.dynamics import rates, signals_at
from framescope.core.simulation.equations import Equations, equations_of, rate_at, signals_for
from framescope.core.simulation.explicit_steps import stepper
from framescope.core.simulation.mechanism import Mechanism, build_mechanism, holding, start_of_bodies, with_acting_ports
from framescope.core.simulation.result import Simulation, angles_of
from framescope.core.simulation.source_signals import Span, TooManySpansError, breaks_of, spans_between, step_limit
from framescope.core.simulation.system import System

STEPS_PER_SPAN = 100
"""No step is longer than this part of the span, unless said otherwise."""

PROGRESS, PROGRESS_S = 0.01, 0.5
"""Share of the span after which progress is told again."""

SMALL_MOTION = 1e-3
"""A part of a body that moves less than this part of the size its errors go by is run again with errors of its own."""

LEAST_MOTION = 1e-11
"""What moves less than this part is moved by rounding."""

MOST_RUNS = 3
"""How often a system is run at most: the motion of the first run may be an error itself."""

LEAST_TOLERANCE = 3e-14
"""What the solvers of scipy take."""

UNWATCHED = 1e100
"""Absolute tolerance of work, heat and impulse: the steps follow from the motion alone."""


class Cancelled(FramescopeError):  # noqa: N818
    """The caller has cancelled the simulation."""

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
    """Return the motion of a system of bodies from its start to its end, or as far as it goes.

    Parameters
    ----------
    system : System
        Bodies, points, elements, and the span of time.
    method
        ``"dop853"``, explicit of order 8; ``"rk45"``, explicit of order 5; ``"radau"``, implicit of order 5, for stiff
        springs and dampers.
    tolerance
        Relative error of each number in a step, from 1e-13 to 1e-2; the absolute one is this part of the sizes of the
        system: its longest lever, and the speeds it starts with or gets by falling that far. Where a body moves less
        than a thousandth of that the system is run again with errors that go by how far it moves.
    max_step
        Longest step, s; a hundredth of the span without it.
    max_steps
        Steps after which it is given up.
    on_progress
        Called with the share that is done, from 0 to 1, each time a hundredth more is.
    is_cancelled
        Asked before each step whether to go on.

    Returns
    -------
    Simulation
        With `stop` when it did not come to the end: it became too stiff, diverged, its constraints contradict each
        other, or the mechanism became singular.

    Raises
    ------
    ValueError
        When an option is out of its range.
    Cancelled
        When the caller wants it.

    Notes
    -----
    Velocity sources are constraints, upheld by forces found from the accelerations. Whatever rounding and the solver
    leave is taken away after each step, in positions and velocities, masses as weights. Constraints that others imply
    are left out. Where a signal bends or jumps a step ends, and the solver starts anew. Where that of a velocity
    source jumps the velocities do, too: an impact, whose work and impulse are counted. Where a signal changes quickly
    steps are short. The same system and options give the same bits.

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
    progress = _Progress(on_progress, is_cancelled)
    progress(0.0)
    with np.errstate(all="ignore"):
        whole, dependences, findings, y, stop = _started(system)
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
            # A solver looks at the mean of the squares of all errors: so no single one is larger.
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
    found = (*termination.missed_problems(mechanism, missed), *termination.large_angle_problems(angles))
    t_end, stop, n_steps = record.times[-1], record.stop, len(record.times) - 1
    return Simulation(system, t_end, stop, (*findings, *found), n_steps, balance, whole, steps, angles)


class _Progress:
    """Tells the caller how far it is, and asks whether to go on."""

    def __init__(self, on_progress: Callable[[float], None] | None, is_cancelled: Callable[[], bool] | None) -> None:
        self._on_progress = on_progress
        self._is_cancelled = is_cancelled
        self._last = self._last_s = -math.inf

    def __call__(self, share: float) -> None:
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
_Findings = tuple[termination.RunProblem, ...]


def _started(system: System) -> tuple[Mechanism, _Dependences, _Findings, list[float], termination.Stop | None]:
    """Return the mechanism, the constraint rows left out, what was found, the state, and why it cannot start."""
    mechanism = build_mechanism(system)
    authored = start_of_bodies(system)
    ports = move(mechanism, authored).ports
    y = [*authored, *(difference(ports, row)[0] for row in mechanism.constraints), *[0.0] * 8]
    stop = termination.undefined_signal_stop(mechanism, system.start, system.end - system.start)
    if stop is not None or not mechanism.constraints:
        return mechanism, (), (), y, stop
    kept, dependences = constraints.independent_rows(constraints.constraint_matrix(mechanism, move(mechanism, y)))
    mechanism = holding(mechanism, kept)
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
    """Return a speed that is usual in a system, m/s."""
    fall = math.sqrt(float(np.hypot.reduce(system.gravity_W)) * mechanism.lever)
    return max(mechanism.lever / (system.end - system.start), fall, *termination.speeds(mechanism, y), 0.0)


def _absolute_tolerances(system: System, mechanism: Mechanism, y: list[float], tolerance: float) -> Array:
    """Return the absolute error allowed for each number of the state."""
    found = np.full(mechanism.size, UNWATCHED)
    lever, speed = mechanism.lever, _speed_scale(system, mechanism, y)
    for body in mechanism.bodies:
        turn = [1.0] * (4 if body.is_finite else 3)
        found[body.at : body.at + body.size] = [*[lever] * 3, *turn, *[speed] * 3, *[speed / lever] * 3]
    found[mechanism.goals_at : mechanism.totals_at] = lever
    found[: mechanism.totals_at] *= tolerance
    return found


def _sizes_of_motion(mechanism: Mechanism, states: list[Array], sizes: Array, tolerance: float) -> Array:
    """Return the absolute errors allowed for what moves far less than the system is large: part of how far it moves."""
    found = sizes.copy()
    all_states = np.array(states)
    for body in mechanism.bodies:
        at, end, moved = body.at, body.at + body.size, body.at + body.size - 6
        for part in (slice(at, at + 3), slice(at + 3, moved), slice(moved, moved + 3), slice(moved + 3, end)):
            since = 0.0 if part.start >= moved else all_states[0, part]
            extent = float(np.abs(all_states[:, part] - since).max())
            size = float(sizes[part.start]) / tolerance
            if LEAST_MOTION * size < extent < SMALL_MOTION * size:
                found[part] = tolerance * extent
    return found


def _solver(task: Task, span: Span, y: Array, tolerance: float, sizes: Array, max_step: float) -> Any:
    # Here, since it takes a while to import.
    from scipy import integrate

    mechanism, equations = task.mechanism, task.equations
    t, end = span.start, span.end

    def derivative(t: float, y: Array) -> Array:
        # By rounding the end of a step may lie after the end of the span, where signals have jumped.
        return rate_at(mechanism, equations, min(t, end), y)

    options: dict[str, Any] = {"rtol": tolerance, "atol": sizes, "max_step": max_step}
    if task.method == "dop853" and equations is not None:
        solver: Any = stepper()(derivative, t, y, end, **options)

        def signals(t: Array) -> tuple[Array, Array]:
            return signals_for(mechanism, np.minimum(t, end))

        return solver.solving(equations, signals)
    if task.method != "radau":
        solver = integrate.DOP853 if task.method == "dop853" else integrate.RK45
        return solver(derivative, t, y, end, **options)

    def jacobian(t: float, y: Array) -> Array:
        n = mechanism.totals_at  # nothing depends on work, heat and impulse
        step = 1.5e-8 * np.maximum(np.abs(y[:n]), sizes[:n] / tolerance)
        columns = np.repeat(y[:, np.newaxis], n + 1, axis=1)
        columns[np.arange(n), np.arange(n)] += step
        found = rates(mechanism, min(t, end), columns)
        J = np.zeros((len(y), len(y)))
        J[:, :n] = (found[:, :n] - found[:, n:]) / (columns[np.arange(n), np.arange(n)] - y[:n])
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
"""Steps in a row that are so short that a thousand times those allowed would not do."""

IMPACT = 1e-3
"""Part of the usual speed from which on a correction of velocities is an impact."""

MOST_NUMBERS = 30_000_000
"""Numbers that a run may leave behind, 240 MB: a stiff scene would fill the memory."""

CHECKED = 50
"""Of them, after how many each time the mechanism is looked at."""

PACE = 10_000
"""Steps by whose pace it is foretold how many a run would need to its end."""

FAR_OVER = 5.0
"""How many times the steps that it may take a run has to need, at that pace, to be given up before they are used up."""


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
        y = _corrected(task, t, record.states[-1].tolist())
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
        message = f"{counted(n_steps, 'step')} {'is' if n_steps == 1 else 'are'} used up, the last of {h:.2g} s"
    elif numbers > MOST_NUMBERS:
        message = (
            f"with {counted(n_steps, 'step')} of all bodies together there is as much as is kept, the last of {h:.2g} s"
        )
    elif n_steps and n_steps % PACE == 0 and (needed := _steps_needed(task, record)) > FAR_OVER * task.max_steps:
        message = f"{n_steps} steps are taken, and {needed:.1g} would be needed to the end; the last is of {h:.2g} s"
    else:
        return None
    return _failed(task, float(solver.t), solver.y.tolist(), h, message)


def _steps_needed(task: Task, record: Record) -> float:
    """Return how many steps a run needs in all, if it goes on as in the last ones."""
    times = record.times
    pace = max(times[-1] - times[-1 - PACE], math.ulp(times[-1]))
    return len(times) + PACE * (task.end - times[-1]) / pace


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
    own = getattr(solver, "coefficients", None)
    found_between = (solver.y_old, own(), True) if own else step_coefficients(solver.dense_output())
    start_of_step, coefficients, record.is_alternating = found_between
    t, t_old = float(solver.t), float(solver.t_old)
    try:
        found = solver.y.tolist()
        y = _corrected(task, t, found)
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
        solver.f = rate_at(mechanism, task.equations, t, solver.y)
    record.begins.append(t_old)
    record.ends.append(t)
    record.times.append(t)
    record.states.append(solver.y)
    record.starts.append(start_of_step)
    record.coefficients.append(np.array(coefficients))
    return None


def _corrected(task: Task, t: float, y: list[float]) -> list[float]:
    """Return a state brought back onto the constraints, with unit quaternions."""
    mechanism, equations = task.mechanism, task.equations
    if not mechanism.held:
        return constraints.normalized(mechanism, y)
    values = signals_at(mechanism, t)[0]
    quick = None if equations is None else equations.projected(np.array(y), values, IMPACT * task.speed)
    if quick is not None:
        return quick
    y = constraints.project_positions(mechanism, y)
    return constraints.project_velocities(mechanism, y, values.tolist(), IMPACT * task.speed)


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

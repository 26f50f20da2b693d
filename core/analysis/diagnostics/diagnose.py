"""Diagnosis of a whole scene."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from framescope.core.analysis.diagnostics.compile_problems import known_problems
from framescope.core.analysis.diagnostics.diagnosis import make_problem
from framescope.core.errors import KeyPath, Problem
from framescope.core.evaluation.evaluate import Plan
from framescope.core.scene.edits.fields import set_values
from framescope.core.scene.schema.model import ITEM_KINDS
from framescope.core.system.features import entries

_OF_RECORDINGS = ("time-gap", "duplicate-sample")


def diagnose(plan: Plan, *, deep: bool = True) -> tuple[Problem, ...]:
    """Return the problems of a scene, in the order of the file.

    Parameters
    ----------
    plan
        Compiled scene.
    deep
        Also check frames at the same place, rows of recordings, measurements against the motion of their frames, and
        the balances of simulated runs.

    Returns
    -------
    tuple of Problem

    Notes
    -----
    Problems with rows of a recording that compiling found, too, are listed once, with the times of the rows.

    Examples
    --------
    >>> from framescope.core.evaluation.evaluate import compile_plan
    >>> from framescope.core.scene.schema.model import Scene
    >>> scene = Scene.model_validate({"framescope": 1, "frames": {
    ...     "mast_link": {"parent": "world"}, "antenna": {"parent": "mast_lnk"}}})
    >>> problem, = diagnose(compile_plan(scene))
    >>> problem.name, problem.title, problem.message, problem.fix_text
    ('antenna', 'parent missing', '"mast_lnk" is no frame; "mast_link" is one letter away.', 'Use mast_link')
    >>> diagnose(compile_plan(problem.fix.change.apply(scene)))
    ()
    """
    known = list(known_problems(plan))
    if deep:
        known = _check_deep(plan, known)
    known = without_consequences(known)
    items = [(kind, name) for kind in ITEM_KINDS for name in getattr(plan.scene, kind)]
    order = {item: i for i, item in enumerate(items)}
    return tuple(sorted(known, key=lambda problem: order.get(problem.item or ("", ""), len(order))))


def _check_deep(plan: Plan, known: list[Problem]) -> list[Problem]:
    """Add the problems of a deep check. Its modules are imported here, after the first picture is drawn."""
    from framescope.core.analysis.diagnostics.comparisons import Comparisons
    from framescope.core.analysis.diagnostics.measured_problems import measured_problems
    from framescope.core.analysis.diagnostics.recorded_problems import recorded_problems, series_problems
    from framescope.core.analysis.diagnostics.underconstrained_bodies import with_holding_fixes

    of_rows = [*recorded_problems(plan), *series_problems(plan)]
    red = {problem.key_path for problem in of_rows if problem.severity == "red"}
    checked_paths = {problem.key_path for problem in of_rows}
    known = [problem for problem in known if not _is_repeated_by_rows(problem, red, checked_paths)]
    of_features = [problem for check in entries(lambda feature: feature.checks) for problem in check(plan)]
    comparisons = Comparisons(plan)
    known = [
        *with_holding_fixes(plan, known),
        *of_rows,
        *of_features,
        *_compare(plan),
        *measured_problems(comparisons),
    ]
    for explain in entries(lambda feature: feature.explanations):
        known = explain(known, comparisons)
    return list(known)


def without_consequences(problems: Iterable[Problem]) -> list[Problem]:
    """Return problems without those that another of them explains.

    These are the consequences that a problem states, and a loss of motion by smoothing in a recording with another
    problem.
    """
    known = list(problems)
    return [problem for problem in known if not _is_consequence(problem, known)]


def _is_consequence(problem: Problem, known: Iterable[Problem]) -> bool:
    if any(problem.kind in other.explains and problem.item == other.item for other in known):
        return True
    if problem.kind != "smoothed-motion" or problem.severity != "note":
        return False
    motion = problem.key_path[:-1]
    return any(other.key_path[: len(motion)] == motion for other in known if other.severity != "note")


def _is_repeated_by_rows(problem: Problem, red: set[KeyPath], checked_paths: set[KeyPath]) -> bool:
    place = problem.key_path
    return (problem.kind in _OF_RECORDINGS and place in checked_paths) or (problem.severity == "red" and place in red)


def _compare(plan: Plan) -> Iterator[Problem]:
    from framescope.core.analysis.diagnostics.angle_units import written_degrees
    from framescope.core.analysis.diagnostics.frame_problems import frame_problems

    yield from frame_problems(plan)
    yield from written_degrees(plan.scene)
    if not plan.pending:
        yield from run_problems(plan)


LARGEST_GAP = 1e-4
"""Largest gap of the energy or momentum balance, as a fraction of the largest energy or momentum."""

LARGEST_DEVIATION = 1e-6
"""Largest deviation from a velocity source, m and m/s."""

USUAL = 1e-9
"""Proposed tolerance when the current one is coarser."""

SMALLEST = 1e-12
"""Proposed tolerance when the current one is `USUAL` or finer."""


def run_problems(plan: Plan) -> Iterator[Problem]:
    """Yield a problem when a balance of the run is not closed."""
    simulation = plan.instruments.simulation
    if simulation is None:
        return
    balance = simulation.balance
    parts = [
        (balance.energy, LARGEST_GAP, "the energy balance is off by {:.1e} of the largest energy"),
        (balance.linear_momentum, LARGEST_GAP, "the momentum balance is off by {:.1e} of the largest momentum"),
        (balance.angular_momentum, LARGEST_GAP, "the balance of angular momentum is off by {:.1e} of the largest"),
        (balance.constraint_position, LARGEST_DEVIATION, "velocity sources are missed by {:.1e} m"),
        (balance.constraint_velocity, LARGEST_DEVIATION, "velocity sources are missed by {:.1e} m/s"),
    ]
    open_ones = [text.format(miss) for miss, limit, text in parts if not miss <= limit]
    if not open_ones:
        return
    key = ("simulation", "tolerance")
    tolerance = plan.scene.simulation.tolerance
    message, hint = f"{'; '.join(open_ones)}.", f"The tolerance is {tolerance:g}."
    problem = make_problem(key, "balance-open", "balance not closed", message, hint)
    if tolerance > SMALLEST:
        new = USUAL if tolerance > USUAL else SMALLEST
        problem = problem.with_fix(
            "Tighten tolerance", set_values({key: new}, f"Simulated with a tolerance of {new:g}")
        )
    yield problem

"""Diagnosis of a whole scene, as far as it can be told from the scene alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from framescope.core.analysis.diagnostics.compile_problems import known_problems
from framescope.core.analysis.diagnostics.diagnosis import Diagnosis, found
from framescope.core.errors import KeyPath
from framescope.core.evaluation.evaluate import Plan
from framescope.core.scene.edits.fields import set_values
from framescope.core.scene.schema.model import ITEM_KINDS
from framescope.core.system.features import entries

_OF_RECORDINGS = ("time-gap", "duplicate-sample")


def diagnose(plan: Plan, *, deep: bool = True) -> tuple[Diagnosis, ...]:
    """Return what is wrong with a scene, in the order of the file.

    Parameters
    ----------
    plan
        The scene, compiled.
    deep
        Also look at what compiling does not: frames that stand in one place, the rows of recordings, measurements
        against the motion of their frames, and the balances of simulated runs.

    Returns
    -------
    tuple of Diagnosis

    Notes
    -----
    What compiling says of the rows of a recording stands here once: as found in the rows, with their times.

    Examples
    --------
    >>> from framescope.core.evaluation.evaluate import compile_plan
    >>> from framescope.core.scene.schema.model import Scene
    >>> scene = Scene.model_validate({"framescope": 1, "frames": {
    ...     "mast_link": {"parent": "world"}, "antenna": {"parent": "mast_lnk"}}})
    >>> one, = diagnose(compile_plan(scene))
    >>> one.name, one.title, one.problem.message, one.mend_text
    ('antenna', 'parent missing', '"mast_lnk" is no frame; "mast_link" is one letter away.', 'Use mast_link')
    >>> diagnose(compile_plan(one.mend.apply(scene)))
    ()
    """
    known = list(known_problems(plan))
    if deep:
        known = _check_deep(plan, known)
    known = [one for one in known if not _comes_of_another(one, known)]
    items = [(kind, name) for kind in ITEM_KINDS for name in getattr(plan.scene, kind)]
    order = {item: i for i, item in enumerate(items)}
    return tuple(sorted(known, key=lambda one: order.get(one.problem.item or ("", ""), len(order))))


def _check_deep(plan: Plan, known: list[Diagnosis]) -> list[Diagnosis]:
    """Return the diagnoses of compiling and of a deep check, whose modules load here, after the first picture."""
    from framescope.core.analysis.diagnostics.comparisons import Comparisons
    from framescope.core.analysis.diagnostics.measured_problems import measured_problems
    from framescope.core.analysis.diagnostics.recorded_problems import recorded_problems, series_problems
    from framescope.core.analysis.diagnostics.underconstrained_bodies import with_holding_mends

    of_rows = [*recorded_problems(plan), *series_problems(plan)]
    red = {one.problem.key_path for one in of_rows if one.problem.severity == "red"}
    looked_at = {one.problem.key_path for one in of_rows}
    known = [one for one in known if not _is_told_by_rows(one, red, looked_at)]
    of_features = [one for check in entries(lambda feature: feature.checks) for one in check(plan)]
    comparisons = Comparisons(plan)
    known = [
        *with_holding_mends(plan, known),
        *of_rows,
        *of_features,
        *_compared(plan),
        *measured_problems(comparisons),
    ]
    for explain in entries(lambda feature: feature.explanations):
        known = explain(known, comparisons)
    return list(known)


def _comes_of_another(one: Diagnosis, known: Iterable[Diagnosis]) -> bool:
    """Return whether a recording loses motion in smoothing as something else is wrong with it."""
    if one.kind != "smoothed-motion" or one.problem.severity != "note":
        return False
    motion = one.problem.key_path[:-1]
    return any(other.problem.key_path[: len(motion)] == motion for other in known if other.problem.severity != "note")


def _is_told_by_rows(one: Diagnosis, red: set[KeyPath], looked_at: set[KeyPath]) -> bool:
    place = one.problem.key_path
    return (one.kind in _OF_RECORDINGS and place in looked_at) or (one.problem.severity == "red" and place in red)


def _compared(plan: Plan) -> Iterator[Diagnosis]:
    from framescope.core.analysis.diagnostics.angle_units import written_degrees
    from framescope.core.analysis.diagnostics.frame_problems import frame_problems

    yield from frame_problems(plan)
    yield from written_degrees(plan.scene)
    if not plan.pending:
        yield from run_problems(plan)


CLOSED = 1e-4
"""Part of the largest energy or momentum that may be missing."""

HELD = 1e-6
"""How far a velocity source may be missed, m and m/s."""

USUAL = 1e-9
"""The tolerance that is proposed for a coarser one."""

SMALLEST = 1e-12
"""The tolerance that is proposed for that."""


def run_problems(plan: Plan) -> Iterator[Diagnosis]:
    """Yield which balances of the run do not close."""
    simulation = plan.instruments.simulation
    if simulation is None:
        return
    balance = simulation.balance
    parts = [
        (balance.energy, CLOSED, "the energy balance is off by {:.1e} of the largest energy"),
        (balance.linear_momentum, CLOSED, "the momentum balance is off by {:.1e} of the largest momentum"),
        (balance.angular_momentum, CLOSED, "the balance of angular momentum is off by {:.1e} of the largest"),
        (balance.constraint_position, HELD, "velocity sources are missed by {:.1e} m"),
        (balance.constraint_velocity, HELD, "velocity sources are missed by {:.1e} m/s"),
    ]
    open_ones = [text.format(miss) for miss, limit, text in parts if not miss <= limit]
    if not open_ones:
        return
    key = ("simulation", "tolerance")
    tolerance = plan.scene.simulation.tolerance
    message, hint = f"{'; '.join(open_ones)}.", f"The tolerance is {tolerance:g}."
    one = found(key, "balance-open", "balance not closed", message, hint)
    if tolerance > SMALLEST:
        new = USUAL if tolerance > USUAL else SMALLEST
        one = one.with_mend("Tighten tolerance", set_values({key: new}, f"Simulated with a tolerance of {new:g}"))
    yield one

"""Checks of measured velocities and accelerations against the motion of their frames."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from framescope.core.analysis.diagnostics.diagnosis import Diagnosis
from framescope.core.analysis.diagnostics.recorded_problems import without_outliers
from framescope.core.evaluation.evaluate import Plan, compile_plan
from framescope.core.evaluation.smoothing_notes import recordings_between
from framescope.core.scene.schema.measured import MeasuredVector
from framescope.features.causes.core.miss import Miss
from framescope.features.causes.core.vectors.comparison import VectorComparison, miss_by
from framescope.features.causes.core.vectors.search import explain
from framescope.features.causes.core.vectors.words import VectorProblem, problem_of

FEW_ROWS = 600
"""Limit of compared rows when many variants of a scene are tried."""


def rate_problems(plan: Plan) -> Iterator[Diagnosis]:
    """Yield the measured vectors that do not match the motion of their frames, each with its own likely misreading."""
    yield from (problem.diagnosis for problem in vector_problems(plan))


def vector_problems(plan: Plan, names: Collection[str] | None = None) -> Iterator[VectorProblem]:
    """Yield problems of measured vectors that miss the motion of their frames, with their readings; of all or some."""
    for name, measurement in plan.scene.measured.items():
        staged = plan.instruments.measurements.get(name)
        if staged is None or staged.series is None or not isinstance(measurement, MeasuredVector):
            continue
        if names is not None and name not in names:
            continue
        comparison = VectorComparison(_without_outliers(plan, measurement), name)
        verdict = explain(comparison) if comparison.is_enough else None
        problem = None if verdict is None else problem_of(comparison, verdict)
        if problem is not None:
            yield problem


def vector_miss(plan: Plan, name: str) -> Miss | None:
    """Return the miss of a measured vector against the motion of its frames; None if they cannot be compared.

    With recordings, means over 1.5 periods of their bandwidth are compared, else rows.
    """
    staged = plan.instruments.measurements.get(name)
    if staged is None or staged.series is None:
        return None
    comparison = VectorComparison(plan, name, FEW_ROWS)
    return miss_by(comparison, comparison.expected.e) if comparison.is_enough else None


def _without_outliers(plan: Plan, measurement: MeasuredVector) -> Plan:
    """Return a plan without outliers in the recordings that a measurement is compared with."""
    if plan.instruments.simulation is not None or plan.pending:
        return plan
    frames = (measurement.of, measurement.relative_to, measurement.resolved_in)
    scene = without_outliers(plan, recordings_between(plan, frames))
    return plan if scene is plan.scene else compile_plan(scene, access=plan.context.access)

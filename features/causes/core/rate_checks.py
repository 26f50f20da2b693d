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
"""Rows that are compared where many variants of a scene are."""


def rate_problems(plan: Plan) -> Iterator[Diagnosis]:
    """Yield which measured vectors do not match the motion of their frames, and as what they would by themselves."""
    yield from (one.diagnosis for one in vector_problems(plan))


def vector_problems(plan: Plan, names: Collection[str] | None = None) -> Iterator[VectorProblem]:
    """Yield the measured vectors that do not match the motion of their frames, all or some, with their readings."""
    for name, measurement in plan.scene.measured.items():
        staged = plan.instruments.measurements.get(name)
        if staged is None or staged.series is None or not isinstance(measurement, MeasuredVector):
            continue
        if names is not None and name not in names:
            continue
        both = VectorComparison(_calm(plan, measurement), name)
        verdict = explain(both) if both.is_enough else None
        one = None if verdict is None else problem_of(both, verdict)
        if one is not None:
            yield one


def vector_miss(plan: Plan, name: str) -> Miss | None:
    """Return by how much a measured vector misses the motion of its frames; None where they cannot be compared.

    Where recordings take part means are compared over 1.5 periods of their bandwidth, else rows.
    """
    staged = plan.instruments.measurements.get(name)
    if staged is None or staged.series is None:
        return None
    both = VectorComparison(plan, name, FEW_ROWS)
    return miss_by(both, both.expected.e) if both.is_enough else None


def _calm(plan: Plan, measurement: MeasuredVector) -> Plan:
    """Return a plan without the wild samples of the recordings that a measurement is compared with, where there are."""
    if plan.instruments.simulation is not None or plan.pending:
        return plan
    frames = (measurement.of, measurement.relative_to, measurement.resolved_in)
    scene = without_outliers(plan, recordings_between(plan, frames))
    return plan if scene is plan.scene else compile_plan(scene, access=plan.context.access)

"""Checks of measured velocities and accelerations against the motion of their frames."""

from __future__ import annotations

from collections.abc import Iterator

from framescope.core.analysis.diagnostics.diagnosis import Diagnosis
from framescope.core.analysis.diagnostics.vectors.comparison import Comparison
from framescope.core.analysis.diagnostics.vectors.search import explain
from framescope.core.analysis.diagnostics.vectors.words import diagnosis_of
from framescope.core.evaluation.evaluate import Plan
from framescope.core.scene.schema.measured import MeasuredVector


def rate_problems(plan: Plan) -> Iterator[Diagnosis]:
    """Yield which measured vectors do not match the motion of their frames, and as what they would."""
    for name, measurement in plan.scene.measured.items():
        staged = plan.instruments.measurements.get(name)
        if staged is None or staged.series is None or not isinstance(measurement, MeasuredVector):
            continue
        both = Comparison(plan, name)
        verdict = explain(both, None) if both.is_enough else None
        one = None if verdict is None else diagnosis_of(both, verdict)
        if one is not None:
            yield one

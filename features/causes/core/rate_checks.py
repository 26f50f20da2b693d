"""Checks of measured velocities and accelerations against the motion of their frames."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from framescope.core.analysis.diagnostics.comparisons import Comparisons
from framescope.core.analysis.misses.miss import Miss
from framescope.core.analysis.misses.vector_comparison import VectorComparison, miss_by
from framescope.core.errors import Problem
from framescope.core.evaluation.evaluate import Plan
from framescope.features.causes.core.vectors.search import explain
from framescope.features.causes.core.vectors.words import ExplainedVector, problem_of

FEW_ROWS = 600
"""Limit of compared rows when many variants of a scene are tried."""


def rate_problems(plan: Plan) -> Iterator[Problem]:
    """Yield the measured vectors that do not match the motion of their frames, each with its own likely misreading."""
    yield from (problem.problem for problem in vector_problems(Comparisons(plan).vectors.values()))


def vector_problems(comparisons: Iterable[VectorComparison]) -> Iterator[ExplainedVector]:
    """Yield problems of measured vectors that miss the motion of their frames, with their readings."""
    for comparison in comparisons:
        verdict = explain(comparison)
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

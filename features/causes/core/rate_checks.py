"""Checks of measured velocities and accelerations against the motion of their frames."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from framescope.core.analysis.diagnostics.comparisons import Comparisons
from framescope.core.analysis.diagnostics.diagnosis import Diagnosis
from framescope.core.analysis.misses.miss import Miss
from framescope.core.analysis.misses.vector_comparison import VectorComparison, miss_by
from framescope.core.evaluation.evaluate import Plan
from framescope.features.causes.core.vectors.search import explain
from framescope.features.causes.core.vectors.words import VectorProblem, problem_of

FEW_ROWS = 600
"""Rows that are compared where many variants of a scene are."""


def rate_problems(plan: Plan) -> Iterator[Diagnosis]:
    """Yield the measured vectors that do not match the motion of their frames, each with its own causes."""
    yield from (one.diagnosis for one in vector_problems(Comparisons(plan).vectors.values()))


def vector_problems(comparisons: Iterable[VectorComparison]) -> Iterator[VectorProblem]:
    """Yield the measured vectors that do not match the motion of their frames, with their readings."""
    for comparison in comparisons:
        verdict = explain(comparison)
        problem = None if verdict is None else problem_of(comparison, verdict)
        if problem is not None:
            yield problem


def vector_miss(plan: Plan, name: str) -> Miss | None:
    """Return by how much a measured vector misses the motion of its frames; None where they cannot be compared.

    Where recordings take part means are compared over 1.5 periods of their bandwidth, else rows.
    """
    staged = plan.instruments.measurements.get(name)
    if staged is None or staged.series is None:
        return None
    both = VectorComparison(plan, name, FEW_ROWS)
    return miss_by(both, both.expected.e) if both.is_enough else None

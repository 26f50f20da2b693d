"""Explanation of what a scene misses: fixes tried against all measurements, and misses by their causes."""

from __future__ import annotations

from collections.abc import Iterable

from framescope.core.analysis.diagnostics.comparisons import Comparisons
from framescope.core.analysis.diagnostics.measured_problems import LOOP_OPEN, RATE_MISMATCH
from framescope.core.errors import Problem


def explain_misses(known: Iterable[Problem], comparisons: Comparisons) -> tuple[Problem, ...]:
    """Return problems with their fixes tried against all measurements, and with the causes of misses.

    A cause may explain several misses at once. The plain problems of measurements are replaced by the explained ones.
    """
    if not comparisons.plan.instruments.measurements:
        return tuple(known)
    from framescope.features.causes.core.judgement import Judge, judged
    from framescope.features.causes.core.loop_closure import explained_problems
    from framescope.features.causes.core.rate_checks import vector_problems

    judge = Judge(comparisons.plan, comparisons.sampled)
    others = (judged(judge, one) for one in known if one.kind not in (LOOP_OPEN, RATE_MISMATCH))
    return (*others, *explained_problems(judge, tuple(vector_problems(comparisons.vectors.values()))))

"""Comparisons of a scene with its measurements, computed once for all reports and explanations."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from framescope.core.analysis.diagnostics.recorded_problems import without_outliers
from framescope.core.analysis.misses.miss import Miss
from framescope.core.analysis.misses.pose_misses import SampledMotions, pose_misses
from framescope.core.analysis.misses.vector_comparison import VectorComparison
from framescope.core.evaluation.evaluate import Plan, compile_plan
from framescope.core.evaluation.smoothing_notes import recordings_between
from framescope.core.scene.schema.measured import MeasuredVector


class Comparisons:
    """Comparisons of the frames of a plan with all measurements of the scene, each computed when first used.

    Attributes
    ----------
    plan
        Plan of the scene.
    sampled
        Poses of its motions at the compared times.
    """

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.sampled = SampledMotions()

    @cached_property
    def poses(self) -> Mapping[str, tuple[Miss, ...]]:
        """Misses of each measured pose by its name, with the position first."""
        misses = dict[str, tuple[Miss, ...]]()
        for miss in pose_misses(self.plan, self.sampled):
            name = str(miss.key[1])
            misses[name] = (*misses.get(name, ()), miss)
        return {name: position_first(parts) for name, parts in misses.items()}

    @cached_property
    def vectors(self) -> Mapping[str, VectorComparison]:
        """Comparison of each measured vector with enough rows, by its name."""
        comparisons = ((name, compare_vector(self.plan, name)) for name in self.plan.scene.measured)
        return {name: comparison for name, comparison in comparisons if comparison is not None}


def position_first(parts: tuple[Miss, ...]) -> tuple[Miss, ...]:
    """Sort the misses of a measured pose so that the position precedes the orientation."""
    return tuple(sorted(parts, key=lambda part: part.unit != "m"))


def compare_vector(plan: Plan, name: str) -> VectorComparison | None:
    """Compare a measured vector with its frames; None for a pose, or when there are too few rows."""
    measurement, staged = plan.scene.measured[name], plan.instruments.measurements.get(name)
    if staged is None or staged.series is None or not isinstance(measurement, MeasuredVector):
        return None
    comparison = VectorComparison(_plan_without_outliers(plan, measurement), name)
    return comparison if comparison.is_enough else None


def _plan_without_outliers(plan: Plan, measurement: MeasuredVector) -> Plan:
    """Compile a plan whose recordings between the frames of a measurement have no outliers."""
    if plan.instruments.simulation is not None or plan.pending:
        return plan
    frames = (measurement.of, measurement.relative_to, measurement.resolved_in)
    scene = without_outliers(plan, recordings_between(plan, frames))
    return plan if scene is plan.scene else compile_plan(scene, access=plan.context.access)

"""Task of the convention detective, for the worker process. Without Qt."""

from __future__ import annotations

from framescope.app.background.plan_source import IsCancelled, Report, plan_of
from framescope.features.detective.core.inputs import Comparison, Side, SideError, compare


def compare_sides(plan: bytes, a: Side, b: Side, _report: Report, _is_cancelled: IsCancelled) -> Comparison | SideError:
    """Return what the detective finds of two sides, or why it cannot; of a plan as `PlanSource.packed` gives it."""
    made = plan_of(plan)
    try:
        return compare(a, b, made, made.context.access)
    except SideError as error:
        return error

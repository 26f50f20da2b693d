"""Task of the convention detective for the worker process, without Qt."""

from __future__ import annotations

from framescope.app.background.plan_source import IsCancelled, Report, plan_of
from framescope.features.detective.core.inputs import Comparison, Side, SideError, compare


def compare_sides(plan: bytes, a: Side, b: Side, _report: Report, _is_cancelled: IsCancelled) -> Comparison | SideError:
    """Return the comparison of two sides, or the error of a side; `plan` as `PlanSource.packed` returns it."""
    compiled = plan_of(plan)
    try:
        return compare(a, b, compiled, compiled.context.access)
    except SideError as error:
        return error

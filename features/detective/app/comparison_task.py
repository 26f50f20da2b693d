"""Task of the detective, which another process runs: the comparison of two sides. Without Qt."""

from __future__ import annotations

from framescope.app.background.plan_source import IsCancelled, Report, plan_of
from framescope.features.detective.core.inputs import Comparison, Side, SideError, compare


def compare_sides(plan: bytes, a: Side, b: Side, _report: Report, _is_cancelled: IsCancelled) -> Comparison | SideError:
    """Return the comparison of two sides, or why there is none; the plan is packed by `PlanSource.packed`."""
    whole = plan_of(plan)
    try:
        return compare(a, b, whole, whole.context.access)
    except SideError as error:
        return error

"""Task of the comparison for the worker process, without Qt."""

from __future__ import annotations

from framescope.app.background.plan_source import IsCancelled, Report
from framescope.features.compare.core.comparison import Comparison, compare


def compare_in_worker(first: str, second: str, _report: Report, _is_cancelled: IsCancelled) -> Comparison:
    """Return the comparison of two texts."""
    return compare(first, second)

"""Errands on a scene: what the panels beside it have computed, in the process that does it. Without Qt."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from framescope.app.background.plan_source import PlanSource
from framescope.core.analysis.detective.inputs import Comparison, Side, SideError, compare
from framescope.core.analysis.laboratory import (
    Choice,
    DriftSettings,
    LaboratoryError,
    make_rate,
    run_drift,
    study_order,
)

Tell = Callable[[Any], None]
Asked = Callable[[], bool]


def compared(source: PlanSource, a: Side, b: Side, _tell: Tell, _is_cancelled: Asked) -> Comparison | SideError:
    """Return what the detective finds of two sides, or why it cannot."""
    try:
        return compare(a, b, source.plan(), source.access)
    except SideError as error:
        return error


def drifted(
    source: PlanSource, choice: Choice, settings: DriftSettings, has_study: bool, tell: Tell, is_cancelled: Asked
) -> LaboratoryError | None:
    """Tell a run of the drift laboratory and, with `has_study`, the study of its order; or return why it cannot."""
    try:
        rate = make_rate(choice, source.plan())
        tell(run_drift(rate, settings, is_cancelled))
        if has_study:
            tell(study_order(rate, settings, is_cancelled))
    except LaboratoryError as error:
        return error
    return None

"""Task of the drift laboratory, for the worker process. Without Qt."""

from __future__ import annotations

from framescope.app.background.plan_source import IsCancelled, Report, plan_of
from framescope.features.laboratory.core.convergence_order import study_order
from framescope.features.laboratory.core.drift import DriftSettings, run_drift
from framescope.features.laboratory.core.rate_presets import Choice, LaboratoryError, make_rate


def run_with_study(
    plan: bytes, choice: Choice, settings: DriftSettings, has_study: bool, report: Report, is_cancelled: IsCancelled
) -> LaboratoryError | None:
    """Report a run of the drift laboratory and, with `has_study`, the study of its order; return the error if any."""
    try:
        rate = make_rate(choice, plan_of(plan))
        report(run_drift(rate, settings, is_cancelled))
        if has_study:
            report(study_order(rate, settings, is_cancelled))
    except LaboratoryError as error:
        return error
    return None

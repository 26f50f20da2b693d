"""Labels of rates, equations and methods in the laboratories, and tables of runs as text."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass

from framescope.features.laboratory.core.convergence_order import Study
from framescope.features.laboratory.core.drift import (
    ANGLES,
    MATRIX,
    QUATERNION,
    ROTATION_VECTOR,
    DriftRun,
    DriftSettings,
)
from framescope.features.laboratory.core.rate_presets import Choice, OfFrame, RatePreset
from framescope.ui.formatting import number_text
from framescope.ui.formatting.item_names import METHODS

EQUATION_WORDS: dict[str, str] = {
    MATRIX: "matrix",
    QUATERNION: "quaternion",
    ROTATION_VECTOR: "rotation vector",
    **{sequence: f"angles {sequence}" for sequence in ANGLES},
}


@dataclass(frozen=True)
class DriftRequest:
    """Request for a run of the drift laboratory: angular velocity and settings of the integration."""

    choice: Choice
    settings: DriftSettings


def choice_text(choice: Choice) -> str:
    """Return the name of an angular velocity.

    >>> choice_text(RatePreset("coning")), choice_text(OfFrame("camera"))
    ('coning', 'of camera')
    """
    match choice:
        case RatePreset():
            return choice.name
        case OfFrame():
            return f"of {choice.name}"
        case _:
            return "constant"


def step_text(step: float) -> str:
    """Format a step, s, in milliseconds.

    >>> step_text(0.02), step_text(0.00125)
    ('20 ms', '1.25 ms')
    """
    return f"{step * 1e3:.4g} ms"


def renormalise_text(settings: DriftSettings) -> str:
    """Return the text of a run's re-normalisation.

    >>> [renormalise_text(DriftSettings(every=n)) for n in (0, 1, 10)]
    ['never', 'each step', 'every 10 steps']
    """
    if settings.every == 0 or settings.equation in ANGLES:
        return "never"
    return "each step" if settings.every == 1 else f"every {settings.every} steps"


def small(value: float) -> str:
    """Format an error or a residue with three digits; a dash for NaN."""
    if value != value:  # noqa: PLR0124 - NaN
        return number_text.MISSING
    if 0.01 <= abs(value) < 1000.0:
        return f"{value:.3g}".replace("-", number_text.MINUS)
    return number_text.scientific(value, 2) if value else "0"


HEADINGS: tuple[str, ...] = (
    "rate",
    "equation",
    "method",
    "step [s]",
    "re-normalised",
    "error at the end [rad]",
    "largest residue",
    "order",
    "order holds from step [s]",
    "to step [s]",
)


def table_rows(runs: Sequence[tuple[DriftRun, Study | None]]) -> list[list[str]]:
    """Return a table of runs at full precision, headings first. Missing values are empty."""
    rows: list[list[str]] = [list(HEADINGS)]
    for run, study in runs:
        settings = run.settings
        fit = None if study is None or study.fit.order is None else study.fit
        rows.append(
            [
                choice_text(run.choice),
                EQUATION_WORDS[settings.equation],
                METHODS[settings.method],
                number_text.full(settings.step),
                renormalise_text(settings),
                _full(run.end_error),
                _full(run.largest_residue) if run.has_residue else "",
                "" if fit is None or fit.order is None else number_text.full(fit.order),
                "" if fit is None or study is None else number_text.full(float(study.steps[fit.first])),
                "" if fit is None or study is None else number_text.full(float(study.steps[fit.last])),
            ]
        )
    return rows


def as_csv(rows: list[list[str]], delimiter: str = ",") -> str:
    """Return a table as CSV with a delimiter."""
    out = io.StringIO()
    csv.writer(out, delimiter=delimiter, lineterminator="\n").writerows(rows)
    return out.getvalue()


def _full(value: float) -> str:
    return "" if value != value else number_text.full(value)  # noqa: PLR0124 - NaN

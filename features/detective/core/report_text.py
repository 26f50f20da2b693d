"""Texts of findings: the columns of a table, and a report as JSON."""

from __future__ import annotations

import math
from dataclasses import dataclass

from framescope.features.detective.core.axis_changes import AxisChange
from framescope.features.detective.core.findings import Finding
from framescope.features.detective.core.hypotheses import Hypothesis, turn_text
from framescope.features.detective.core.interpretations import Interpretation
from framescope.features.detective.core.pipeline import Report
from framescope.features.detective.core.position_fit import PositionFit

NONE = "\N{EN DASH}"
"""Text of an empty cell."""


@dataclass(frozen=True)
class Columns:
    """Cells of a finding in a table.

    Attributes
    ----------
    form
        Form of `a`: the sequence of angles, the order of a quaternion, else the kind.
    axes
        Axes of angles, ``moving`` or ``fixed``.
    sense
        ``active``: maps from the frame to its parent; ``passive``: from the parent to the frame.
    unit
        Unit of angles.
    form_b
        Form of `b`.
    more
        Changed axes and fixed offsets in short; empty for none.
    """

    form: str
    axes: str
    sense: str
    unit: str
    form_b: str
    more: str


def columns_of(h: Hypothesis) -> Columns:
    """Return the cells of a hypothesis in a table.

    >>> from framescope.features.detective.core.axis_changes import IDENTITY
    >>> angles, matrix = Interpretation("angles", "ZYX", "deg"), Interpretation("matrix")
    >>> columns_of(Hypothesis(angles, matrix, False, IDENTITY, IDENTITY))
    Columns(form='ZYX', axes='moving', sense='active', unit='deg', form_b='matrix', more='')
    """
    a = h.interpretation_a
    axes = NONE if a.kind != "angles" else "moving" if a.choice.isupper() else "fixed"
    return Columns(
        form_of(a), axes, "passive" if h.is_inverse else "active", a.unit or NONE, _form_b(h.interpretation_b), _more(h)
    )


def form_of(interpretation: Interpretation) -> str:
    """Return the short name of an interpretation."""
    match interpretation.kind:
        case "quaternion" | "angles":
            return interpretation.choice
        case "axis and angle":
            return "axis, angle" if interpretation.choice == "xyz angle" else "angle, axis"
        case "rotation vector":
            return "rot. vector"
        case _:
            return interpretation.kind


def _form_b(interpretation: Interpretation) -> str:
    axes = "" if interpretation.kind != "angles" else " moving" if interpretation.choice.isupper() else " fixed"
    return f"{form_of(interpretation)}{axes}{f' {interpretation.unit}' if interpretation.unit else ''}"


def _more(h: Hypothesis) -> str:
    parts: list[str] = []
    if h.interpretation_a.kind == "heading":
        parts += [] if h.parent_axes.is_identity else ["the other way"]
        parts += [] if h.parent_offset is None else [f"off by {turn_text(h.parent_offset)}"]
        return ", ".join(parts)
    if h.parent_axes == h.frame_axes:
        parts += [] if h.parent_axes.is_identity else [f"both: {_axes(h.parent_axes)}"]
    else:
        sides = (("parent", h.parent_axes), ("frame", h.frame_axes))
        parts += [f"{side}: {_axes(axes)}" for side, axes in sides if not axes.is_identity]
    if h.parent_offset is not None:
        parts.append(f"parent off by {turn_text(h.parent_offset)}")
    if h.frame_offset is not None:
        parts.append(f"frame off by {turn_text(h.frame_offset)}")
    return ", ".join(parts)


def _axes(axes: AxisChange) -> str:
    return axes.short_name or axes.short


def as_json(report: Report) -> dict[str, object]:
    """Return a report as JSON data; angles in rad, times in s."""
    return {
        "verdict": report.verdict,
        "status": report.status,
        "is_found": report.is_found,
        "evidence": report.evidence if math.isfinite(report.evidence) else None,
        "wild": report.n_wild,
        "cannot_tell": [i + 1 for i in report.unclear],
        "samples": report.n_samples,
        "left_out": report.n_left_out,
        "findings": [_finding(report, i) for i in range(len(report.findings))],
        "advice": [
            {"parts": [1, i + 1], "sample": advice.numbers.tolist(), "angle": advice.angle, "text": advice.text}
            for i, advice in zip(report.unclear, report.advice, strict=True)
            if advice is not None
        ],
        "positions": None if report.positions is None else _positions(report.positions),
    }


def _positions(fit: PositionFit) -> dict[str, object]:
    return {
        "text": fit.text,
        "agree": fit.is_good,
        "scale": fit.scale,
        "is_inverse": fit.is_inverse,
        "origin": None if fit.origin is None else fit.origin.tolist(),
        "lever_arm": None if fit.lever_arm is None else fit.lever_arm.tolist(),
        "rms": fit.rms,
    }


def _finding(report: Report, i: int) -> dict[str, object]:
    finding: Finding = report.findings[i]
    h = finding.hypothesis
    return {
        "rank": i + 1,
        "a": _interpretation(h.interpretation_a),
        "b": _interpretation(h.interpretation_b),
        "sense": "passive" if h.is_inverse else "active",
        "parent_axes": h.parent_axes.matrix.astype(int).tolist(),
        "frame_axes": h.frame_axes.matrix.astype(int).tolist(),
        "parent_offset": None if h.parent_offset is None else [list(row) for row in h.parent_offset],
        "frame_offset": None if h.frame_offset is None else [list(row) for row in h.frame_offset],
        "text": "; ".join(h.texts),
        "rms": finding.rms,
        "against": finding.n_against,
        "fits_like_the_first": i == 0 or i in report.unclear,
    }


def _interpretation(interpretation: Interpretation) -> dict[str, str]:
    return {"kind": interpretation.kind, "choice": interpretation.choice, "unit": interpretation.unit}

"""Choice of the next sample that would distinguish two hypotheses."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from framescope.core.errors import counted
from framescope.core.kernels.validation import Array
from framescope.features.detective.core.findings import angles_apart
from framescope.features.detective.core.hypotheses import Hypothesis
from framescope.features.detective.core.interpretations import Interpretation

ENOUGH = 0.1
"""Angle between predictions from which a sample distinguishes two hypotheses well, rad."""

TURNS_DEG = (10.0, 30.0, 90.0)
STILL_DEG = 0.5
"""Range below which an angle counts as constant in all samples, deg."""

ORDINALS = ("first", "second", "third")


@dataclass(frozen=True, eq=False)
class Advice:
    """Sample that would distinguish two hypotheses.

    Attributes
    ----------
    numbers
        Row of numbers of `a`.
    angle
        Angle between the two predictions for it, rad.
    text
        Sentence on the measurement to make.
    """

    numbers: Array
    angle: float
    text: str


def advise(first: Hypothesis, second: Hypothesis, numbers_a: Array) -> Advice | None:
    """Return the smallest change of a sample that distinguishes two hypotheses well, or the best one."""
    best: Advice | None = None
    for row, what in _samples(first.interpretation_a, numbers_a):
        angle = float(angles_apart(first, second, row[None])[0])
        if not np.isfinite(angle):
            continue
        if best is None or angle > best.angle:
            best = Advice(row, angle, f"{what} would part them by {angle:.3f} rad.")
        if angle > ENOUGH:
            break
    return best if best is not None and best.angle > 1e-3 else None


def _samples(interpretation: Interpretation, numbers_a: Array) -> Iterator[tuple[Array, str]]:
    """Yield possible samples, the nearest to the data first, each with a description of the change."""
    middle = numbers_a[len(numbers_a) // 2]
    for turn in TURNS_DEG:
        if interpretation.kind == "angles":
            for i in (2, 1, 0):
                row = middle.copy()
                row[i] = turn if interpretation.unit == "deg" else np.radians(turn)
                yield row, _angle_text(interpretation, numbers_a, i, turn)
        else:
            R = interpretation.matrices(middle[None])
            for axis, letter in enumerate("XYZ"):
                by = np.zeros((1, 3))
                by[0, axis] = turn
                step = Interpretation("rotation vector", unit="deg").matrices(by)
                yield (
                    interpretation.numbers(R @ step)[0],
                    f"One sample with the frame turned by {turn:g}° about its {letter.lower()}",
                )
    if interpretation.kind == "angles":
        row = np.array([20.0, 35.0, 50.0])
        yield (
            (row if interpretation.unit == "deg" else np.radians(row)),
            "One sample with the three angles at 20°, 35° and 50°",
        )


def _angle_text(interpretation: Interpretation, numbers_a: Array, i: int, turn: float) -> str:
    """Return the description of a sample with one angle changed, noting an angle that is constant in the data."""
    values = numbers_a[:, i]
    still = STILL_DEG if interpretation.unit == "deg" else np.radians(STILL_DEG)
    if float(np.ptp(values)) > still:
        return f"One sample with the {ORDINALS[i]} angle at {turn:g}°"
    value = float(np.median(values)) if interpretation.unit == "deg" else float(np.degrees(np.median(values)))
    at = "0" if abs(value) < STILL_DEG else f"{value:.3g}°".replace("-", "\N{MINUS SIGN}")
    return f"The {ORDINALS[i]} angle is {at} in all {counted(len(values), 'sample')}. One sample with it at {turn:g}°"

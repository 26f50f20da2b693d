"""Sentences of the gimbal laboratory about a path."""

from __future__ import annotations

import math

import numpy as np

from framescope.features.laboratory.core.gimbal import AlongPath
from framescope.ui.formatting.number_text import fixed
from framescope.ui.widgets.angle_unit import AngleUnit

LETTERS = ("α", "β", "γ")

THROUGH = 1e-9
"""Miss distance up to which a path counts as straight through the lock, rad."""

MUCH = 1.5
"""Ratio of an angle's rate to the speed of the body below which a motion counts as clear of the lock."""


def times_text(ratio: float) -> str:
    """Format a ratio.

    >>> times_text(57.299), times_text(2.924), times_text(5729.6)
    ('57', '2.9', '5730')
    """
    return fixed(ratio, 1) if ratio < 10.0 else f"{float(f'{ratio:.3g}') if ratio >= 1000.0 else round(ratio):.0f}"


def verdict_past(along: AlongPath, miss: float, unit: AngleUnit) -> str:
    """Return a sentence about the angles on a path past the lock."""
    if miss <= THROUGH:
        return (
            "Straight through the lock: β turns on evenly, past it, and α and γ stand still. "
            "Seen by one branch alone they jump by half a turn there, and a path that misses it by the least has to "
            "turn them by as much."
        )
    largest = along.largest
    if largest is None:
        return "Nothing turns."
    i, k = largest
    speed = float(np.linalg.norm(along.path.w[i]))
    rate, other = (abs(float(along.ratio[i, j])) for j in (k, 2 - k))
    fast = unit.of_rad(abs(float(along.rates[i, k])))
    sentence = (
        f"Near the lock {LETTERS[k]} turns {times_text(rate)} times as fast as the body: "
        f"{_rate(fast)}\N{NO-BREAK SPACE}{unit.rate} for its {_rate(unit.of_rad(speed))}\N{NO-BREAK SPACE}{unit.rate}."
    )
    if k != 1 and other > 0.7 * rate:
        sentence += f" {LETTERS[2 - k]} turns nearly as fast, and what the two do all but cancels."
    return sentence


def verdict_of_frame(along: AlongPath, name: str, unit: AngleUnit) -> str:
    """Return a sentence about the angles during the motion of a frame."""
    largest = along.largest
    if largest is None:
        return f"{name} does not turn in its parent."
    i, k = largest
    ratio = abs(float(along.ratio[i, k]))
    nearest = along.nearest
    condition = condition_text(float(along.condition[nearest]))
    near = f"It is nearest to the lock at t = {fixed(float(along.path.x[nearest]), 2)} s: condition number {condition}."
    if ratio < MUCH:
        return f"{name} keeps clear of the lock: no angle turns {MUCH:g} times as fast as the body. {near}"
    fast = unit.of_rad(abs(float(along.rates[i, k])))
    return (
        f"At t = {fixed(float(along.path.x[i]), 2)} s {LETTERS[k]} of {name} turns {times_text(ratio)} times as fast "
        f"as the body: {_rate(fast)}\N{NO-BREAK SPACE}{unit.rate}. {near}"
    )


def condition_text(condition: float) -> str:
    """Format a condition number.

    >>> condition_text(114.59), condition_text(math.inf), condition_text(2.0)
    ('115', '∞', '2.00')
    """
    if math.isinf(condition):
        return "∞"
    return fixed(condition, 2) if condition < 100.0 else f"{float(f'{condition:.3g}'):g}"


def _rate(value: float) -> str:
    return f"{float(f'{value:.3g}'):,.10g}".replace(",", "\N{NARROW NO-BREAK SPACE}")

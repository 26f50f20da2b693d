"""Features of a curve: its height, jumps, signs, turning points and ends. A drawn curve is right if it has them all.

`judge.js` has the same rules for pages; a test compares both. Curves (n,) are sampled at equal steps of time and have a
value everywhere.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from framescope.core.kernels.validation import Array

LEVEL = 0.7
"""Distance of the extreme values, as a fraction of the tolerance and of the range of the right curve."""

END = 1.25
"""Distance of the values at both ends, as a fraction of the tolerance and of the range of the right curve."""

PLACE = 0.08
"""Distance of a change of sign or of an extreme value, as a fraction of the time."""

JUMP_PLACE = 0.06
"""Distance of a jump, as a fraction of the time."""

DEAD = 0.06
"""Values around zero that have no sign, as a fraction of the range of the right curve."""

WAVE = 0.35
"""Smallest change between two turning points, as a fraction of the range of the curve."""

FLAT_TOP = 0.25
"""Time near an extreme value, as a fraction of the time, from which on it has no place."""

SUDDEN, BY_HAND = 0.03, 0.12
"""Time within which a curve jumps, and within which a drawn one does, as fractions of the time."""

HALF, MOST = 0.5, 0.6
"""Part of its range by which a curve that jumps changes suddenly, and by which a drawn one does."""

LOWEST = 0.2
"""Range of a drawn curve without a jump, as a fraction of the right jump."""

SAME_SHAPE = 0.6
"""Distance from the scaled right curve below which the shapes agree, as a fraction of the tolerance."""

TOO_LOW, TOO_HIGH = 0.78, 1.28
"""Ratio of the heights outside of which the height is wrong."""


@dataclass(frozen=True)
class Fault:
    """Feature in which a drawn curve differs from the right one: its name, and a sentence for the user."""

    name: str
    text: str


def range_scale(right: Array) -> float:
    """Return the height by which distances from a curve are measured: its range, or part of its values if flat."""
    return max(float(np.ptp(right)), 0.2 * float(np.abs(right).max()), 1e-12)


def find_fault(right: Array, answer: Array, tolerance: float, scale: float) -> Fault | None:
    """Return the first feature in which an answer (n,) differs from a curve (n,); None if it has them all.

    `scale` is the height of the right curve, see `range_scale`, also for the comparison with a wrong curve.
    """
    return (
        _jump_fault(right, answer, scale)
        or _height_fault(right, answer, tolerance, scale)
        or _sign_fault(right, answer, scale)
        or _wave_fault(right, answer, scale)
        or _level_fault(right, answer, tolerance, scale)
        or _place_fault(right, answer, scale)
        or _end_fault(right, answer, tolerance, scale)
    )


def _height_fault(right: Array, answer: Array, tolerance: float, scale: float) -> Fault | None:
    """Return a fault for the right shape in another height."""
    size = float(right @ right)
    if size <= 0.0:
        return None
    ratio = float(answer @ right) / size
    off = float(np.sqrt(np.mean(np.square(answer - ratio * right)))) / scale
    if off > SAME_SHAPE * tolerance or ratio <= 0.2 or TOO_LOW <= ratio <= TOO_HIGH:
        return None
    if abs(ratio - 0.5) < 0.08:
        return Fault("half", "The shape is right, but it is half as high as it should be.")
    if abs(ratio - 2.0) < 0.25:
        return Fault("double", "The shape is right, but it is twice as high as it should be.")
    return Fault("height", f"The shape is right, but it is too {'low' if ratio < 1.0 else 'high'}: read off the scale.")


def _jump_fault(right: Array, answer: Array, scale: float) -> Fault | None:
    n = len(right)
    width = max(1, round(SUDDEN * n))
    at = largest_change(right, width)
    height = float(right[at + width] - right[at])
    if abs(height) < HALF * scale:
        own_at = largest_change(answer, width)
        own = abs(float(answer[own_at + width] - answer[own_at]))
        return Fault("jump", "It changes suddenly. The right curve is smooth.") if own > MOST * scale else None
    wide = max(1, round(BY_HAND * n))
    own_at = largest_change(answer * np.sign(height), wide, has_sign=True)
    own = float(answer[own_at + wide] - answer[own_at]) * float(np.sign(height))
    own_range = float(np.ptp(answer))
    if own < MOST * own_range or own_range < LOWEST * abs(height):
        return Fault("no jump", "It changes little by little. The right curve jumps.")
    middle = 0.5 * float(right[at] + right[at + width])
    place, own_place = at + 0.5 * width, _crossing_near(answer, middle, own_at, own_at + wide)
    if own_place < place - JUMP_PLACE * n:
        return Fault("jump too early", "The jump comes too early.")
    if own_place > place + JUMP_PLACE * n:
        return Fault("jump too late", "The jump comes too late.")
    return None


def largest_change(values: Array, width: int, *, has_sign: bool = False) -> int:
    """Return the first sample of the largest change of a curve within some samples; of the largest rise on request."""
    change = values[width:] - values[:-width]
    return int(np.argmax(change if has_sign else np.abs(change)))


def _crossing_near(values: Array, level: float, begin: int, end: int) -> float:
    """Return the place between two samples where a curve crosses a level; the middle between them without one."""
    above = values[begin : end + 1] > level
    crossings = [begin + i + 0.5 for i in range(len(above) - 1) if above[i] != above[i + 1]]
    return crossings[len(crossings) // 2] if crossings else 0.5 * (begin + end)


def _sign_fault(right: Array, answer: Array, scale: float) -> Fault | None:
    low, high = float(right.min()), float(right.max())
    if low >= -0.5 * DEAD * scale and float(answer.min()) < -2.0 * DEAD * scale:
        return Fault("sign", "It should never be negative.")
    if high <= 0.5 * DEAD * scale and float(answer.max()) > 2.0 * DEAD * scale:
        return Fault("sign", "It should never be positive.")
    places, own = sign_changes(right, DEAD * scale), sign_changes(answer, DEAD * scale)
    if len(own) != len(places):
        return Fault("sign", f"It passes through zero too {'often' if len(own) > len(places) else 'rarely'}.")
    for place, own_place in zip(places, own, strict=True):
        if abs(own_place - place) > PLACE * len(right):
            return Fault("zero", f"It passes through zero too {'early' if own_place < place else 'late'}.")
    return None


def sign_changes(values: Array, dead: float) -> list[float]:
    """Return the places, in samples, where a curve changes its sign; values up to `dead` from zero have none.

    >>> sign_changes(np.array([1.0, 0.0, 0.0, -1.0, 0.0, -1.0, 1.0]), 0.1)
    [1.5, 5.5]
    """
    places: list[float] = []
    sign, last = 0, 0
    for i, value in enumerate(values.tolist()):
        now = 1 if value > dead else -1 if value < -dead else 0
        if now == 0:
            continue
        if sign not in (0, now):
            places.append(0.5 * (last + i))
        sign, last = now, i
    return places


def _wave_fault(right: Array, answer: Array, scale: float) -> Fault | None:
    n, own = len(turning_points(right, WAVE * scale)), len(turning_points(answer, WAVE * scale))
    if n == own:
        return None
    return Fault("period", f"It goes up and down too {'often' if own > n else 'rarely'}.")


def turning_points(values: Array, change: float) -> list[int]:
    """Return the samples at which a curve turns after and before changes of at least `change`.

    >>> turning_points(np.array([0.0, 1.0, 0.9, 1.0, -1.0, 0.0]), 0.5)
    [1, 4]
    """
    points: list[int] = []
    way, low, high = 0, 0, 0
    for i, value in enumerate(values.tolist()):
        low = i if value < float(values[low]) else low
        high = i if value > float(values[high]) else high
        if way >= 0 and value <= float(values[high]) - change:
            points += [high] if way else []
            way, low = -1, i
        elif way <= 0 and value >= float(values[low]) + change:
            points += [low] if way else []
            way, high = 1, i
    return points


def _level_fault(right: Array, answer: Array, tolerance: float, scale: float) -> Fault | None:
    for word, take in (("highest", np.max), ("lowest", np.min)):
        off = (float(take(answer)) - float(take(right))) / scale
        if abs(off) > LEVEL * tolerance:
            return Fault("level", f"Its {word} value is too {'high' if off > 0.0 else 'low'}.")
    return None


def _place_fault(right: Array, answer: Array, scale: float) -> Fault | None:
    """Return a fault for an extreme value at another time. Flat extremes have no place."""
    n = len(right)
    for word, sign in (("highest", 1.0), ("lowest", -1.0)):
        near = np.flatnonzero(sign * right >= float((sign * right).max()) - 0.05 * scale)
        own = np.flatnonzero(sign * answer >= float((sign * answer).max()) - 0.05 * scale)
        if near[-1] - near[0] > FLAT_TOP * n:
            continue
        place, own_place = 0.5 * float(near[0] + near[-1]), 0.5 * float(own[0] + own[-1])
        if abs(own_place - place) > 1.5 * PLACE * n:
            return Fault("place", f"Its {word} value comes too {'early' if own_place < place else 'late'}.")
    points, own_points = turning_points(right, WAVE * scale), turning_points(answer, WAVE * scale)
    for point, own_point in zip(points, own_points, strict=True):
        (begin, end), (own_begin, own_end) = (
            _top_around(curve, i, 0.1 * scale) for curve, i in ((right, point), (answer, own_point))
        )
        off = 0.5 * (own_begin + own_end - begin - end)
        if end - begin <= FLAT_TOP * n and abs(off) > PLACE * n:
            return Fault("place", f"It turns round too {'early' if off < 0.0 else 'late'}.")
    return None


def _top_around(values: Array, at: int, within: float) -> tuple[int, int]:
    """Return the first and the last sample around one whose values are within a distance of its value."""
    begin = end = at
    while begin > 0 and abs(float(values[begin - 1] - values[at])) <= within:
        begin -= 1
    while end < len(values) - 1 and abs(float(values[end + 1] - values[at])) <= within:
        end += 1
    return begin, end


def _end_fault(right: Array, answer: Array, tolerance: float, scale: float) -> Fault | None:
    n = max(1, round(0.02 * len(right)))
    for verb, part in (("begins", slice(0, n)), ("ends", slice(-n, None))):
        off = (float(answer[part].mean()) - float(right[part].mean())) / scale
        if abs(off) > END * tolerance:
            return Fault("end", f"It {verb} too {'high' if off > 0.0 else 'low'}.")
    return None


def fill_gaps(values: Array) -> Array:
    """Return a curve (n,) with straight lines in place of unknown values, and constant ends.

    >>> fill_gaps(np.array([np.nan, 1.0, np.nan, 3.0])).tolist()
    [1.0, 1.0, 2.0, 3.0]
    """
    known = np.flatnonzero(np.isfinite(values))
    return np.interp(np.arange(len(values)), known, values[known])

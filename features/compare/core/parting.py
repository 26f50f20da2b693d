"""Choice of one more pair that would part the relations of a comparison."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

import numpy as np

from framescope.core.kernels.validation import Array
from framescope.features.compare.core.relations import Relation
from framescope.features.detective.core.hypotheses import angles_between
from framescope.features.detective.core.interpretations import Interpretation

TURNS = tuple(
    (axis, angle) for angle in (30.0, 90.0) for axis in ((0, 0, 1), (0, 1, 0), (1, 0, 0), (1, 1, 0), (1, 2, 3))
)
"""Turns of the frame to propose: axis and angle, degrees."""

BETTER, LEAST = 1.5, math.radians(1.0)
"""Factor by which a later turn must be better, and least angle at which relations part, rad."""

_AXES = {(1, 0, 0): "its x", (0, 1, 0): "its y", (0, 0, 1): "its z", (1, 1, 0): "the line between its x and y"}


def next_sample(kinds: Sequence[Relation], offset: Array | None = None) -> str:
    """Return a sentence on the pair that would part the relations, or confirm the only one.

    Parameters
    ----------
    kinds
        Different relations.
    offset
        Known rotation (3, 3) of the second side's frame in that of the first.
    """
    if len(kinds) < 2:
        return "One more pair, turned about another axis, would confirm it."
    best, words = 0.0, ""
    for axis, angle in TURNS:
        v = angle * np.array(axis) / np.linalg.norm(axis)
        step = Interpretation("rotation vector", unit="deg").matrices(v[None])[0]
        apart = min(_apart(one, other, step, offset) for one, other in itertools.combinations(kinds, 2))
        if apart > BETTER * best + 1e-3:
            best, words = apart, f"{angle:g}° about {_AXES.get(axis, 'an axis between all three')}"
    if best < LEAST:
        return "One more pair in a quite different orientation, about none of the axes, would help."
    return f"One more pair with the frame turned by {words} would part them by {math.degrees(best):.0f}° or more."


def _apart(one: Relation, other: Relation, step: Array, offset: Array | None) -> float:
    """Return the angle between two predictions of the second side after a turn of the first side's frame, rad."""
    known = np.eye(3) if offset is None else offset
    R = (one.first.R @ step)[None]
    has_same_numbers = one.first.numbers.shape == other.first.numbers.shape
    other_R = other.first.matrices(one.first.numbers_of(R)) if has_same_numbers else (other.first.R @ step)[None]
    seen, others = one.predict(R @ known), other.predict(other_R @ known)
    if one.second.numbers.shape == other.second.numbers.shape:
        seen = other.second.matrices(one.second.numbers_of(seen))
    return float(angles_between(seen, others).max())

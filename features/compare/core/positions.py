"""Relations between positions alone: axes, mirror, unit, and the inverse of a pose."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from framescope.core.kernels.validation import Array
from framescope.core.orientation import Orientation
from framescope.features.compare.core import odds
from framescope.features.compare.core.relations import AXES, INVERSE, SCALES, step_of_position
from framescope.features.detective.core.axis_changes import AxisChange, changes


@dataclass(frozen=True, eq=False)
class PositionRelation:
    """A relation that two positions fulfil, as `framescope.features.compare.core.relations.Relation`."""

    first: Array
    second: Array
    is_inverse: bool
    axes: AxisChange
    scale: float
    miss: float
    weight: float
    accidents: float = 0.0
    share: float = 0.0


Point = tuple[Orientation | None, Array]
"""Orientation of a frame, where it is known, and its position, m."""


def position_relations(first: Sequence[Point], second: Sequence[Point]) -> tuple[PositionRelation, ...]:
    """Return the relations that two positions fulfil, the most probable first, each prediction once.

    >>> p, q = np.array([0.312, -0.124, 0.741]), np.array([-124.0, -312.0, 741.0])
    >>> [relation.scale for relation in position_relations([(None, p)], [(None, q)])]
    [1000.0]
    """
    found: list[PositionRelation] = []
    tried = 0
    every = [*changes(is_proper=True), *changes(is_proper=False)]
    for (R, p), (_, q) in itertools.product(first, second):
        steps = step_of_position(p), step_of_position(q)
        ways = [(False, p)] if R is None else [(False, p), (True, -(R.T @ p))]
        for (is_inverse, point), axes, (scale, cost) in itertools.product(ways, every, SCALES.items()):
            tried += 1
            miss = float(np.linalg.norm(scale * (axes.matrix.T @ point) - q))
            rounding = math.hypot(scale * steps[0], steps[1])
            sigma = math.hypot(rounding, odds.MEASURED_M * max(scale, 1.0))
            if miss > odds.WITHIN * sigma:
                continue
            size = math.sqrt(float(np.mean(q**2)) + scale**2 * float(np.mean(p**2))) + 1e-3
            widths = (np.array([rounding]), np.array([sigma]))
            factor = float(odds.position_evidence(np.array([miss]), *widths, size)[0])
            weight = factor - cost - INVERSE * is_inverse - AXES * axes.cost
            found.append(PositionRelation(p, q, is_inverse, axes, scale, miss, weight, (sigma / size) ** 3))
    if not found:
        return ()
    total = float(np.logaddexp.reduce([relation.weight for relation in found]))
    ranked = sorted(found, key=lambda relation: -relation.weight)
    return tuple(
        replace(relation, share=math.exp(relation.weight - total), accidents=tried * relation.accidents)
        for relation in ranked
    )

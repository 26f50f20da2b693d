"""Axes of joints that line up: a turn of one is undone by the other, and a way to turn is lost, as in a gimbal."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from framescope.features.robots.core.jacobian import JointScrew

NEAR_RAD = math.radians(10.0)
"""The angle between two axes up to which it is told how near they are to lining up."""

LOCKED_RAD = math.radians(1.0)
"""And up to which they do."""

OFF = 0.02
"""How far two axes may pass each other, as a part of the way from the first joint to the last."""


@dataclass(frozen=True)
class AlignedAxes:
    """Two joints that turn about nearly one axis.

    Attributes
    ----------
    first, second
        What they are called, from the world on.
    frames
        The frames that are their children.
    angle
        Between the axes, whichever way they point, rad.
    """

    first: str
    second: str
    frames: tuple[str, str]
    angle: float

    @property
    def is_locked(self) -> bool:
        """Whether they are one axis, but for a degree."""
        return self.angle < LOCKED_RAD


def aligned_axes(screws: Sequence[JointScrew]) -> tuple[AlignedAxes, ...]:
    """Return the pairs of joints, of those on the way to a frame, whose axes nearly line up; the nearest first.

    Joints that turn about axes side by side, as elbows of an arm in a plane, do not.

    Examples
    --------
    >>> z = np.array([0.0, 0.0, 1.0])
    >>> tilted = np.array([math.sin(0.1), 0.0, math.cos(0.1)])
    >>> base, wrist = JointScrew("a", "pan", z, 0 * z, True), JointScrew("b", "roll", tilted, z, True)
    >>> [(pair.first, pair.second, round(pair.angle, 6)) for pair in aligned_axes([base, wrist])]
    [('pan', 'roll', 0.1)]
    """
    points = np.array([screw.p_W for screw in screws]).reshape(-1, 3)
    size = float(np.linalg.norm(np.ptp(points, axis=0))) if len(points) else 0.0
    return tuple(sorted(_pairs(screws, size), key=lambda pair: pair.angle))


def _pairs(screws: Sequence[JointScrew], size: float) -> Iterator[AlignedAxes]:
    for one, other in combinations([screw for screw in screws if screw.is_revolute], 2):
        across = np.cross(one.e_W, other.e_W)
        angle = math.atan2(float(np.linalg.norm(across)), abs(float(one.e_W @ other.e_W)))
        if angle < NEAR_RAD and _meet(one, other, angle, size):
            yield AlignedAxes(one.title, other.title, (one.frame, other.frame), angle)


def _meet(one: JointScrew, other: JointScrew, angle: float, size: float) -> bool:
    """Return whether two axes pass each other closely, and not farther away than a robot is large."""
    apart = other.p_W - one.p_W
    aside = apart - float(apart @ one.e_W) * one.e_W
    normal = np.cross(one.e_W, other.e_W)
    length = float(np.linalg.norm(normal))
    off = 0.0 if length == 0.0 else abs(float(aside @ normal)) / length  # how far they pass each other
    along = math.sqrt(max(float(aside @ aside) - off**2, 0.0))  # how far from there they are where the first joint is
    return off <= OFF * size and along <= max(OFF * size, size * math.sin(angle))

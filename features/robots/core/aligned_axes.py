"""Axes of joints that line up: the joints undo each other, and one degree of freedom is lost, as in a gimbal."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from framescope.features.robots.core.jacobian import JointScrew

NEAR_RAD = math.radians(10.0)
"""Angle between two axes up to which they are reported as nearly aligned."""

LOCKED_RAD = math.radians(1.0)
"""Angle between two axes up to which they count as aligned."""

OFF = 0.02
"""Largest distance between two axes, as a fraction of the extent of the joints."""


@dataclass(frozen=True)
class AlignedAxes:
    """Two revolute joints with nearly the same axis.

    Attributes
    ----------
    first, second
        Titles of the joints, the one nearer to the world first.
    frames
        Child frames of the joints.
    angle
        Angle between the axes, regardless of their signs, rad.
    """

    first: str
    second: str
    frames: tuple[str, str]
    angle: float

    @property
    def is_locked(self) -> bool:
        """Whether the axes are aligned within a degree."""
        return self.angle < LOCKED_RAD


def aligned_axes(screws: Sequence[JointScrew]) -> tuple[AlignedAxes, ...]:
    """Return the pairs of joints between the world and a frame whose axes nearly line up, the nearest first.

    Parallel axes at a distance, such as elbows of a planar arm, do not line up.

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
    for first, second in combinations([screw for screw in screws if screw.is_revolute], 2):
        across = np.cross(first.e_W, second.e_W)
        angle = math.atan2(float(np.linalg.norm(across)), abs(float(first.e_W @ second.e_W)))
        if angle < NEAR_RAD and _meet(first, second, angle, size):
            yield AlignedAxes(first.title, second.title, (first.frame, second.frame), angle)


def _meet(first: JointScrew, second: JointScrew, angle: float, size: float) -> bool:
    """Return whether two axes pass each other closely, at a place within the extent of the robot."""
    apart = second.p_W - first.p_W
    aside = apart - float(apart @ first.e_W) * first.e_W
    normal = np.cross(first.e_W, second.e_W)
    length = float(np.linalg.norm(normal))
    off = 0.0 if length == 0.0 else abs(float(aside @ normal)) / length  # distance between the axes
    along = math.sqrt(max(float(aside @ aside) - off**2, 0.0))  # from the first axis to the second joint, in plane
    return off <= OFF * size and along <= max(OFF * size, size * math.sin(angle))

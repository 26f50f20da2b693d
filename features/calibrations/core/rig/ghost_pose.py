"""Pose that is drawn beside the scene."""

from __future__ import annotations

from dataclasses import dataclass

from framescope.core.kernels.validation import Array


@dataclass(frozen=True, eq=False)
class GhostPose:
    """Pose of a child in its parent (R_PC, p_PC), m, to draw beside the scene, with a label."""

    label: str
    parent: str
    child: str
    R: Array
    p: Array

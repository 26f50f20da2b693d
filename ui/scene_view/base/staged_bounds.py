"""Bounds of a staged rotation, active or passive, to which a camera can be fitted."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from framescope.core.analysis.staged_rotation import EXAMPLE, N_TURNS, StagedRotation
from framescope.ui.scene_view.geometry.default_sizes import FACTORS

Array = NDArray[np.float64]

PER_TURN = 8
"""Number of sampled positions per turn."""


def staged_points(step: StagedRotation, R_WP: Array, p_W: Array, lengths: tuple[float, float, float]) -> Array:
    """Return the points (n, 3) in world that tips, ghosts, arcs and the example vector reach in all three turns.

    In the passive reading the parent turns back about the frame; its points are included as the camera sees them.

    Parameters
    ----------
    step
        The rotation; its progress does not matter.
    R_WP, p_W
        Orientation of the parent, and origin of the frame, in world.
    lengths
        Length of the triad's axes and of the ghosts' axes, and radius of the first arc, m.
    """
    triad, ghost, radius = lengths
    reach = max(triad, ghost, radius * max(FACTORS))
    tips = np.column_stack([triad * np.eye(3), triad * np.array(EXAMPLE)])
    starts = [step.at(float(j)) for j in range(N_TURNS)]
    points: list[Array] = [tips]
    for k in range(N_TURNS * PER_TURN + 1):
        at = step.at(k / PER_TURN)
        R_PF = at.T.T
        points.append(R_PF @ tips)
        for start in starts[: at.turn + 1]:
            R_PS = start.T.T
            points += [reach * R_PS, reach * R_PF.T @ R_PS]
    return np.hstack(points).T @ R_WP.T + p_W

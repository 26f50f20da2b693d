"""Signals of a snapshot, named by what a number needs: of which frame, relative to which, resolved in which."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from framescope.core import kernels, relations
from framescope.core.arrays import Array
from framescope.core.evaluate import Plan
from framescope.core.snapshot import Snapshot
from framescope.core.staging import StagedPlot
from framescope.core.tree import evaluate_tree, subtree

RESIDUE_NAMES = ("xx", "yy", "zz", "xy", "xz", "yz")
"""Residues by the columns they multiply: squared norms less one, then products."""


def residues(snapshot: Snapshot, of: str) -> Array:
    """Return the six residues (..., 6) of the orientation of a frame in its parent."""
    return kernels.orientation_residues(snapshot.T_PF[..., snapshot.index[of], :, :])


Signal = Callable[[Snapshot, str, str, str], Array]
"""Takes a snapshot and the frames: of, relative to, resolved in."""

ANGULAR, LINEAR = slice(0, 3), slice(3, 6)


def _half(motion: Signal, half: slice) -> Signal:
    def signal(snapshot: Snapshot, of: str, relative_to: str, resolved_in: str) -> Array:
        return motion(snapshot, of, relative_to, resolved_in)[..., half]

    return signal


RELATIVE: dict[str, Signal] = {
    "position": relations.relative_position,
    "velocity": _half(relations.relative_velocity, LINEAR),
    "acceleration": _half(relations.relative_acceleration, LINEAR),
    "angular velocity": _half(relations.relative_velocity, ANGULAR),
    "angular acceleration": _half(relations.relative_acceleration, ANGULAR),
}
"""Signals of one frame relative to another, resolved in a third, each three numbers."""


def plotted(snapshot: Snapshot, plot: StagedPlot) -> Array:
    """Return the values (..., k) of a plot, in the unit the plot asks for."""
    if plot.signal == "residues":
        return residues(snapshot, plot.of)
    return RELATIVE[plot.signal](snapshot, plot.of, plot.relative_to, plot.resolved_in) / plot.factor


def plot_curves(plan: Plan, plot: StagedPlot, times: Array) -> Array:
    """Return the curves (n, k) of a plot at times (n,); only the frames it needs are evaluated."""
    tree = subtree(plan.tree, {plot.of, plot.relative_to, plot.resolved_in} & set(plan.index))
    return plotted(evaluate_tree(tree, times), plot)


TRAIL_POINTS = 160


def trails(plan: Plan, t: float) -> dict[str, Array]:
    """Return the past path (TRAIL_POINTS, 3) of each frame with a trail, oldest first, in world, at time `t`.

    It reaches back the trail's duration, or to the start of the scene.
    """
    found: dict[str, Array] = {}
    for staged in plan.staging.trails:
        times = np.linspace(min(t, max(plan.start, t - staged.duration)), t, TRAIL_POINTS)
        snapshot = evaluate_tree(plan.trail_trees[staged.frame], times)
        found[staged.frame] = snapshot.p_WF[:, snapshot.index[staged.frame]]
    return found

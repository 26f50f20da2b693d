"""Axes of frames by convention, as letters such as FRD: what their names state, else how they move in the world."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np

from framescope.core.conventions.axes_in_words import body_axes_in_name
from framescope.core.conventions.standard_axes import axes_in_name, body_axes
from framescope.core.evaluation.evaluate import Plan
from framescope.core.evaluation.frame_tree import FrameTree, evaluate_tree, subtree
from framescope.core.evaluation.signal_curves import largest_speeds
from framescope.core.kernels.validation import Array
from framescope.core.scene.schema.model import WORLD

N_TIMES = 9
"""Number of times at which frames are looked at in the world."""

MOST_TIMES = 0.8
"""Share of the times at which something must be so to count for the whole motion."""

DOWNWARD = -0.5
"""Height of the tip of a unit z axis in the world below which the axis points down."""

_axes: WeakKeyDictionary[FrameTree, dict[str, str]] = WeakKeyDictionary()


def axes_of(plan: Plan, name: str) -> str:
    """Return the letters of the axes of a frame: by names, else by its motion in the world, else FLU.

    Examples
    --------
    >>> from framescope.core.evaluation.evaluate import compile_plan
    >>> from framescope.core.scene.schema.model import Scene
    >>> down = {"form": "axis", "axis": "x", "angle": 180, "unit": "deg"}
    >>> frames = {"drone": {"parent": "world", "orientation": down}, "rover_enu": {"parent": "world"}}
    >>> plan = compile_plan(Scene.model_validate({"framescope": 1, "frames": frames}))
    >>> axes_of(plan, "drone"), axes_of(plan, "rover_enu")
    ('FRD', 'FLU')
    """
    known = _axes.setdefault(plan.tree, {})
    if name not in known:
        known[name] = _find_axes(plan, name)
    return known[name]


def body_axes_of(plan: Plan, name: str) -> str:
    """Return the letters of the axes of a frame whose own name shows it to be a body; empty for other frames.

    Examples
    --------
    >>> from framescope.core.evaluation.evaluate import compile_plan
    >>> from framescope.core.scene.schema.model import Scene
    >>> down = {"form": "axis", "axis": "x", "angle": 180, "unit": "deg"}
    >>> frames = {"body": {"parent": "world", "orientation": down}, "elbow": {"parent": "world"}}
    >>> plan = compile_plan(Scene.model_validate({"framescope": 1, "frames": frames}))
    >>> body_axes_of(plan, "body"), body_axes_of(plan, "elbow")
    ('FRD', '')
    """
    return axes_of(plan, name) if body_axes_in_name(name) and name in plan.index else body_axes_in_name(name)


def axes_by(names: Iterable[str], R_WF: Array) -> str:
    """Return the letters of the axes of a body: by the first name that states them, else by its motion.

    Parameters
    ----------
    names
        Name of the body and of the frames above it, upwards.
    R_WF : (n, 3, 3)
        Orientation of the body in the world at several times; columns are its axes.
    """
    for name in names:
        if axes := axes_in_name(name):
            return body_axes(axes)
    z = R_WF[:, 2, 2]
    z = z[np.isfinite(z)]
    return "FRD" if len(z) and np.mean(z < DOWNWARD) >= MOST_TIMES else "FLU"


@dataclass(frozen=True)
class PlanMotions:
    """Motions of the frames of a plan, as new items ask for them; see `new_items.FrameMotions`."""

    plan: Plan

    def speeds(self, of: str, relative_to: str) -> tuple[float, float]:
        """Return the largest velocity, m/s, and angular velocity, rad/s, of a frame relative to another."""
        return largest_speeds(self.plan, of, relative_to)

    def axes(self, frame: str) -> str:
        """Return the letters of the axes of a frame; empty for the world and frames without a row."""
        return axes_of(self.plan, frame) if frame in self.plan.index and frame != WORLD else ""


def _find_axes(plan: Plan, name: str) -> str:
    tree = subtree(plan.tree, [name])
    names, row = [name], tree.index[name]
    R_WF = evaluate_tree(tree, np.linspace(plan.start, plan.end, N_TIMES)).R_WF[:, row]
    while (row := int(tree.parents[row])) > 0:
        names.append(tree.names[row])
    return axes_by(names, R_WF)

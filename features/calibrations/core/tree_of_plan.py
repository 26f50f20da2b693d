"""Tree of frames of a scene at a time, to be written as text."""

from __future__ import annotations

import numpy as np

from framescope.core.errors import visible_text
from framescope.core.evaluation.evaluate import Plan, evaluate
from framescope.core.scene.schema.model import WORLD
from framescope.core.transform import Transform
from framescope.features.calibrations.core.calibration import CalibrationError
from framescope.features.calibrations.core.tree_writing import PlacedFrame

MAX_NAMED = 5
"""Number of moving frames that a sentence names."""


def rows_below(plan: Plan, root: str, t: float) -> list[int]:
    """Return the rows of the frames below a frame at time `t`, parents before children."""
    parents = plan.tree.parents_at(t)
    below = {plan.index[root]}
    rows: list[int] = []
    waiting = [int(row) for row in plan.tree.order if int(row) not in below]
    while True:  # more than once only where a parent changes over time
        reached = [row for row in waiting if int(parents[row]) in below]
        for row in waiting:
            if int(parents[row]) in below and row not in below:
                below.add(row)
                rows.append(row)
        waiting = [row for row in waiting if row not in below]
        if not reached:
            return rows


def moving_frames(plan: Plan, root: str = WORLD) -> tuple[str, ...]:
    """Return the names of the frames below a frame whose pose in their parent, or whose parent, changes over time."""
    tree = plan.tree
    rows = rows_below(plan, root, plan.start)
    return tuple(
        plan.names[row]
        for row in rows
        if row in tree.switches or (row in tree.motions and not tree.motions[row].is_constant)
    )


def placed_frames(plan: Plan, root: str = WORLD, t: float | None = None) -> tuple[PlacedFrame, ...]:
    """Return the frames below a frame with their poses in their parents, parents before children.

    Parameters
    ----------
    plan
        Compiled scene.
    root
        Frame whose subtree is meant. It is the parent of the first frames and has no pose itself.
    t
        Time of the poses, s; None only for frames that do not move.

    Raises
    ------
    CalibrationError
        When there is no frame below the root, a frame has no pose, or frames move and no time is given.

    Examples
    --------
    >>> from framescope.core.evaluation.evaluate import compile_plan
    >>> from framescope.core.scene.schema.model import Scene
    >>> base, camera = {"parent": "world"}, {"parent": "base", "position": {"value": [0, 0, 1.5], "unit": "m"}}
    >>> scene = Scene.model_validate({"frames": {"base": base, "camera": camera}})
    >>> [(frame.name, frame.parent, frame.position) for frame in placed_frames(compile_plan(scene), "base")]
    [('camera', 'base', [0.0, 0.0, 1.5])]
    """
    at = plan.start if t is None else t
    moving = moving_frames(plan, root)
    if moving and t is None:
        raise CalibrationError(f"{names_text(moving)}. Give a time to write the poses at that time.")
    tree = plan.tree
    parents = tree.parents_at(at)
    snapshot = None
    placed: list[PlacedFrame] = []
    for row in rows_below(plan, root, at):
        name, parent = plan.names[row], plan.names[int(parents[row])]
        motion = tree.motions.get(row)
        if row in tree.switches:
            snapshot = evaluate(plan, at) if snapshot is None else snapshot
            R_WP, R_WF = (snapshot.R_WF[i] for i in (int(parents[row]), row))
            R, p = R_WP.T @ R_WF, R_WP.T @ (snapshot.p_WF[row] - snapshot.p_WF[int(parents[row])])
        elif motion is None:
            R, p = np.full((3, 3), np.nan), np.full(3, np.nan)
        else:
            with np.errstate(all="ignore"):
                T, position = motion.pose(np.array([at]))
            R, p = T[0].T, position[0]
        if not (np.isfinite(R).all() and np.isfinite(p).all()):
            raise CalibrationError(f"{visible_text(name)} has no pose at {at:g} s.")
        placed.append(PlacedFrame(name, parent, Transform(R.copy(), p.copy())))
    if not placed:
        raise CalibrationError(f"there are no frames below {visible_text(root)}.")
    return tuple(placed)


def names_text(moving: tuple[str, ...]) -> str:
    """Return a sentence, without its end, on frames that move.

    >>> names_text(("arm", "hand")), names_text(("arm",))
    ('arm and hand move over time', 'arm moves over time')
    """
    names = [visible_text(name) for name in moving[:MAX_NAMED]]
    if len(moving) > MAX_NAMED:
        names.append(f"{len(moving) - MAX_NAMED} more")
    *first, last = names
    return f"{', '.join(first)} and {last} move over time" if first else f"{last} moves over time"

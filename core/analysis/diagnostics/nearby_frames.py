"""Candidates for the frame that a measurement may have been meant for."""

from __future__ import annotations

from framescope.core.evaluation.evaluate import Plan
from framescope.core.scene.schema.model import WORLD

MOST_FRAMES = 16


def likely_frames(plan: Plan, *named: str) -> tuple[str, ...]:
    """Return the world, the ancestors of the named frames, then others in file order, up to `MOST_FRAMES`."""
    frames = plan.scene.frames
    likely = [WORLD]
    for name in named:
        above = [name]
        while (frame := frames.get(above[-1])) is not None and frame.parent not in above:
            above.append(frame.parent)
        likely += above
    posed: set[str] = {plan.names[int(i)] for i in plan.tree.order}
    return tuple(name for name in dict.fromkeys((*likely, *frames)) if name in posed)[:MOST_FRAMES]

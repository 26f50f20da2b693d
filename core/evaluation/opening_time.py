"""Time at which a scene opens: the first one at which as many frames as possible have a pose."""

from __future__ import annotations

import numpy as np

from framescope.core.evaluation.evaluate import Plan, evaluate

MAX_CANDIDATES = 64
"""Limit of the times that are compared."""


def opening_time(plan: Plan) -> float:
    """Return the first time at which as many frames as possible have a pose, s.

    Frames of a recording need not begin at the start of the scene. Without recordings, this is the start.
    """
    spans = (motion.known for motion in plan.tree.motions.values() if motion.known is not None)
    first_times = {float(known[0, 0]) for known in spans if len(known)}
    later = sorted(t for t in first_times if plan.start < t <= plan.end)[-MAX_CANDIDATES:]
    if not later:
        return plan.start
    times = np.array([plan.start, *later])
    counts = np.count_nonzero(evaluate(plan, times).is_posed, axis=-1)
    return float(times[np.argmax(counts)])

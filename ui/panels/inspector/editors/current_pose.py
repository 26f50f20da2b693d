"""The pose of a frame at the time that is shown, as edits want it."""

from __future__ import annotations

import numpy as np

from framescope.core.scene.edits.pose import Moment
from framescope.ui.panels.inspector.editors.editor import EditorContext


def moment_of(context: EditorContext, name: str) -> Moment:
    """Return the pose of a frame in its parent now; not a number where it has none, or nothing is shown yet."""
    plan, snapshot = context.plan, context.snapshot
    nothing = Moment(context.t, plan.start, np.full((3, 3), np.nan), np.full(3, np.nan))
    if snapshot is None or name not in snapshot.index:
        return nothing
    parent = plan.scene.frames[name].parent
    if parent not in snapshot.index:
        return nothing
    i, j = snapshot.index[name], snapshot.index[parent]
    p_PF = snapshot.R_WF[j].T @ (snapshot.p_WF[i] - snapshot.p_WF[j])
    return Moment(float(snapshot.t), plan.start, snapshot.T_PF[i], p_PF)

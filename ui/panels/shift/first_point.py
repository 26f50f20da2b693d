"""Where the point of a shift stands before a hand has put it anywhere: somewhere on the body, off its origin."""

from __future__ import annotations

import numpy as np

from framescope.core.analysis.shifts import Quantity, ShiftKey, points_on
from framescope.core.evaluation.compile.view_data import ViewBody
from framescope.core.evaluation.evaluate import Plan
from framescope.ui.scene_view.geometry.default_sizes import usual_length
from framescope.ui.scene_view.visuals.bodies import SHAPE_DRAWINGS

DECIMALS = 3


def first_key(plan: Plan, frame: str, quantity: Quantity) -> ShiftKey:
    """Return the shift that is shown of a frame at first: at its first connection point, or at a corner of its body."""
    points = points_on(plan, frame)
    if points:
        return ShiftKey(frame, quantity, point=points[0].name)
    row = plan.index[frame]
    body = next((body for body in plan.view_data.bodies if body.i_frame == row), None)
    corner = None if body is None else corner_of(body)
    if body is None or corner is None:
        return ShiftKey(frame, quantity, (round(usual_length(plan.view_data), DECIMALS), 0.0, 0.0))
    x, y, z = (round(float(part), DECIMALS) for part in body.p_FB + body.R_FB @ np.array(corner))
    return ShiftKey(frame, quantity, (x, y, z))


def corner_of(body: ViewBody) -> tuple[float, float, float] | None:
    """Return a point on a body that is far from its middle, in its own coordinates, m; None of a mesh."""
    corner = SHAPE_DRAWINGS[body.kind].corner
    return None if corner is None else corner(body.size)

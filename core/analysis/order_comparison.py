"""Comparison of orders: how far two sequences of the same angles turn apart, and where a twin finds room."""

from __future__ import annotations

import math

import numpy as np

from framescope.core import frames
from framescope.core.analysis.diagnostics.pose_misses import rotation_angle
from framescope.core.evaluation.evaluate import Plan
from framescope.core.kernels.validation import Array
from framescope.core.scene.edits.twins import Kept, same_angles
from framescope.core.snapshot import Snapshot

APART = 2.0
"""From a frame to its twin, in what the frame takes with all that hangs on it."""


def angle_apart(sequence: str, angles: Array, other: str, kept: Kept) -> float:
    """Return the angle, rad, between a rotation and that by another sequence from the same angles (3,), rad.

    >>> round(math.degrees(angle_apart("XZY", np.radians([90.0, 90.0, 0.0]), "ZXY", "axis")), 9)
    120.0
    """
    same = np.asarray(angles)[list(same_angles(sequence, other, kept))]
    T_1, T_2 = frames.axes_rotations(sequence, np.asarray(angles)).T, frames.axes_rotations(other, same).T
    return float(rotation_angle((T_2 @ T_1.T)[None])[0])


def room_beside(plan: Plan, snapshot: Snapshot, name: str, right_W: Array) -> tuple[float, float, float]:
    """Return a round offset (3,), resolved in the parent of a frame, m, at which its twin stands beside it.

    Parameters
    ----------
    plan, snapshot
        The scene at a time at which the frame is there.
    name
        The frame.
    right_W : (3,)
        Where right is on the picture, in world: the offset is along the axis of the parent that is nearest to it.
    """
    row, view_data = plan.index[name], plan.view_data
    sizes = np.where(view_data.has_triad, view_data.triad_length, 0.0)
    for rings in view_data.rings:
        sizes[rings.i_frame] = max(sizes[rings.i_frame], 1.4 * rings.radius)
    for body in view_data.bodies:
        if body.file is None:
            reach = float(np.linalg.norm(body.p_FB)) + max(body.size.values(), default=0.0)
            sizes[body.i_frame] = max(sizes[body.i_frame], reach)
    below = {row}
    for child in plan.tree.order[1:].tolist():
        if int(plan.tree.parents[child]) in below:
            below.add(child)
    rows = [each for each in below if snapshot.is_posed[each]] or [row]
    far = np.linalg.norm(snapshot.p_WF[rows] - snapshot.p_WF[row], axis=1)
    reach = float(np.max(np.nan_to_num(far) + sizes[rows])) or float(view_data.triad_length[row])
    R_WP = snapshot.R_WF[int(plan.tree.parents[row])]
    along = R_WP.T @ np.asarray(right_W)
    axis = int(np.argmax(np.abs(along)))
    offset = [0.0, 0.0, 0.0]
    offset[axis] = math.copysign(_round_up(APART * reach), along[axis])
    return offset[0], offset[1], offset[2]


def _round_up(length: float) -> float:
    """Return the next length of one digit that counts, or two and a half of them.

    >>> [_round_up(length) for length in (0.83, 1.2, 2.3, 31.0)]
    [1.0, 1.5, 2.5, 40.0]
    """
    power = 10.0 ** math.floor(math.log10(length))
    steps = (1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0)
    return float(f"{next(step for step in steps if step * power >= length * (1.0 - 1e-9)) * power:.2g}")

"""Values of a frame for the orientation panel, computed without widgets."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from framescope.core import kinematics
from framescope.core.angle_branches import axes_rotations_angles_branches
from framescope.core.evaluation.evaluate import Plan
from framescope.core.kernels.nearest_rotation import shown_rotations
from framescope.core.kernels.validation import Array
from framescope.core.orientation import Orientation
from framescope.core.snapshot import Snapshot

LETTERS = ("α", "β", "γ")
NAMES = ("alpha", "beta", "gamma")

NEARLY_LOCKED = 1.0 - 1e-12


@dataclass(frozen=True, eq=False)
class OrientationValues:
    """Orientation with its angles, rad, and rates, rad/s.

    `angles` (3,) are the authored ones, or the continuous ones where none are authored. `first` and `second` are both
    branches within one turn. `continuous` are angles, and `Q` is the quaternion, scalar last, without jumps over time
    (see `framescope.core.evaluation.frame_traces`). `rates` is None where they are undefined. `measure` and `condition`
    state the distance from gimbal lock.
    """

    R: Orientation
    sequence: str
    is_authored: bool
    angles: Array
    rates: Array | None
    first: Array
    second: Array
    continuous: Array
    Q: Array
    measure: float
    condition: float


def read_orientation(plan: Plan, name: str, snapshot: Snapshot, read_as: str) -> OrientationValues | None:
    """Return the orientation of a frame in its parent, with angles in the authored sequence, else in `read_as`.

    Return None if the frame has no orientation at the time of the snapshot.
    """
    T = snapshot.T_PF[snapshot.index[name]]
    if not np.isfinite(T).all():
        return None
    R = Orientation(T, snapshot.w_PF_F[snapshot.index[name]])
    sequence = plan.sequence(name) or read_as
    parent = plan.scene.frames[name].parent
    continuous = plan.traces.angles(snapshot, name, parent, sequence)
    Q = plan.traces.quaternions(snapshot, name, parent)
    authored = plan.angles(name, float(snapshot.t))
    angles, rates = (continuous, None) if authored is None else authored
    if snapshot.smoothed is not snapshot and authored is None:  # rates are derivatives of the smoothed motion
        moved = plan.traces.angles(snapshot.smoothed, name, parent, sequence)
        if kinematics.singularity_measure(sequence, moved)[0] < NEARLY_LOCKED:
            rates = kinematics.euler_rates(sequence, moved, R.w)
    return values_of(R, sequence, angles, rates, continuous, Q, is_authored=authored is not None)


def values_of(
    R: Orientation,
    sequence: str,
    angles: Array,
    rates: Array | None,
    continuous: Array,
    Q: Array,
    *,
    is_authored: bool,
) -> OrientationValues:
    """Return the values of an orientation with known angles."""
    measure, condition = kinematics.singularity_measure(sequence, angles)
    if rates is None and measure < NEARLY_LOCKED:
        rates = kinematics.euler_rates(sequence, angles, R.w)
    first, second = axes_rotations_angles_branches(Orientation(shown_rotations(R.T), R.w), sequence)
    return OrientationValues(
        R, sequence, is_authored, angles, rates, first, second, continuous, Q, float(measure), float(condition)
    )

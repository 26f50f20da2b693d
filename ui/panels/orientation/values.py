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
from framescope.core.scene.schema.kinds.orientations import is_about_fixed, moving_sequence, sequence_key
from framescope.core.scene.schema.poses import ThreeAngles
from framescope.core.snapshot import Snapshot

LETTERS = ("α", "β", "γ")
NAMES = ("alpha", "beta", "gamma")

NEARLY_LOCKED = 1.0 - 1e-12


@dataclass(frozen=True, eq=False)
class OrientationValues:
    """Orientation with its angles, rad, and rates, rad/s.

    `sequence` is about moving axes. `key` is the shown sequence: the same, or one about fixed axes, whose angles are in
    reverse order (`in_rows`).

    `angles` (3,) are the authored ones, or the continuous ones where none are authored. `first` and `second` are both
    branches within one turn. `continuous` are angles, and `Q` is the quaternion, scalar last, without jumps over time
    (see `framescope.core.evaluation.frame_traces`). `rates` is None where they are undefined. `measure` and `condition`
    state the distance from gimbal lock.
    """

    R: Orientation
    key: str
    is_authored: bool
    angles: Array
    rates: Array | None
    first: Array
    second: Array
    continuous: Array
    Q: Array
    measure: float
    condition: float

    @property
    def sequence(self) -> str:
        """Axis sequence about moving axes."""
        return moving_sequence(self.key)

    def in_rows(self, angles: Array) -> Array:
        """Return angles (3,) of `sequence` in the order of `key`, and angles of `key` in the order of `sequence`."""
        return angles[::-1] if is_about_fixed(self.key) else angles


def shown_key(plan: Plan, name: str, read_as: str) -> str:
    """Return the `sequence_key` of the angles that are shown for a frame: its own, else `read_as`."""
    sequence = plan.sequence(name)
    form = plan.scene.frames[name].orientation
    return read_as if sequence is None else sequence_key(form) if isinstance(form, ThreeAngles) else sequence


def read_orientation(plan: Plan, name: str, snapshot: Snapshot, read_as: str) -> OrientationValues | None:
    """Return the orientation of a frame in its parent, with angles in the authored sequence, else in `read_as`.

    `read_as` is a `sequence_key`.
    Return None if the frame has no orientation at the time of the snapshot.
    """
    T = snapshot.T_PF[snapshot.index[name]]
    if not np.isfinite(T).all():
        return None
    R = Orientation(T, snapshot.w_PF_F[snapshot.index[name]])
    key = shown_key(plan, name, read_as)
    sequence = moving_sequence(key)
    parent = plan.scene.frames[name].parent
    continuous = plan.traces.angles(snapshot, name, parent, sequence)
    Q = plan.traces.quaternions(snapshot, name, parent)
    authored = plan.angles(name, float(snapshot.t))
    angles, rates = (continuous, None) if authored is None else authored
    if snapshot.smoothed is not snapshot and authored is None:  # rates are derivatives of the smoothed motion
        moved = plan.traces.angles(snapshot.smoothed, name, parent, sequence)
        if kinematics.singularity_measure(sequence, moved)[0] < NEARLY_LOCKED:
            rates = kinematics.euler_rates(sequence, moved, R.w)
    return values_of(R, key, angles, rates, continuous, Q, is_authored=authored is not None)


def values_of(
    R: Orientation,
    key: str,
    angles: Array,
    rates: Array | None,
    continuous: Array,
    Q: Array,
    *,
    is_authored: bool,
) -> OrientationValues:
    """Return the values of an orientation with known angles about moving axes."""
    sequence = moving_sequence(key)
    measure, condition = kinematics.singularity_measure(sequence, angles)
    if rates is None and measure < NEARLY_LOCKED:
        rates = kinematics.euler_rates(sequence, angles, R.w)
    first, second = axes_rotations_angles_branches(Orientation(shown_rotations(R.T), R.w), sequence)
    return OrientationValues(
        R, key, is_authored, angles, rates, first, second, continuous, Q, float(measure), float(condition)
    )

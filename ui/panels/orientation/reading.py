"""What the panel shows of a frame at a time, worked out without a widget."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from framescope.core import frames, kinematics
from framescope.core.angle_branches import (
    axes_rotations_angles_along,
    axes_rotations_angles_continuous,
    other_branch,
)
from framescope.core.arrays import Array
from framescope.core.compiling.local_motion import LocalMotion
from framescope.core.evaluate import Plan
from framescope.core.orientation import Orientation

LETTERS = ("α", "β", "γ")
NAMES = ("alpha", "beta", "gamma")

SAMPLES = 513
"""Samples over the time range that the continuous branch is followed along."""

NEARLY_LOCKED = 1.0 - 1e-12


@dataclass(frozen=True, eq=False)
class Reading:
    """An orientation in its angles: rad, rad/s.

    `angles` (3,) are those authored, or the continuous branch where none are. `first` and `second` are both branches
    within one turn; `rates` is None where they mean nothing. `measure` and `condition` tell how near the lock is.
    """

    R: Orientation
    sequence: str
    is_authored: bool
    angles: Array
    rates: Array | None
    first: Array
    second: Array
    measure: float
    condition: float


class AngleHistory:
    """Follows the continuous branch: along time where the frame moves, and along the hand while time stands.

    The angles of a moving frame then depend on the time alone, not on how one got there; and a drag through the lock
    goes on from the angles shown before.
    """

    def __init__(self) -> None:
        self._of: tuple[str, str] = ("", "")
        self._t = np.nan
        self._shown = np.zeros(3)
        self._motion: LocalMotion | None = None
        self._series: tuple[Array, Array] | None = None

    def forget(self) -> None:
        """Begin anew, as when another frame comes into view."""
        self._of, self._t, self._shown = ("", ""), np.nan, np.zeros(3)

    def follow(self, plan: Plan, name: str, sequence: str, R: Orientation, t: float) -> Array:
        """Return the angles (3,) of an orientation that go on from those before, rad."""
        motion = plan.tree.motions.get(plan.index[name])
        is_same = (name, sequence) == self._of
        previous = self._shown if is_same else np.zeros(3)
        if motion is not None and not motion.is_constant and not (is_same and t == self._t):
            previous = self._along(plan, motion, sequence, is_same, t, previous)
        self._of, self._t = (name, sequence), t
        self._shown = axes_rotations_angles_continuous(R, sequence, previous)
        return self._shown

    def take(self, name: str, sequence: str, angles: Array, t: float) -> None:
        """Note the angles that are shown, being authored."""
        self._of, self._t, self._shown = (name, sequence), t, angles

    def _along(
        self, plan: Plan, motion: LocalMotion, sequence: str, is_same: bool, t: float, otherwise: Array
    ) -> Array:
        if motion is not self._motion or not is_same:
            self._motion, self._series = motion, _series(plan, motion, sequence)
        if self._series is None:
            return otherwise
        times, angles = self._series
        return angles[int(np.abs(times - t).argmin())]


def _series(plan: Plan, motion: LocalMotion, sequence: str) -> tuple[Array, Array] | None:
    times = np.linspace(plan.start, plan.end, SAMPLES)
    with np.errstate(all="ignore"):
        T = motion.sample(times).T
    has_value = np.isfinite(T).all(axis=(1, 2))
    if not has_value.any():
        return None
    times, T = times[has_value], T[has_value]
    return times, axes_rotations_angles_along(Orientation(T, np.zeros((len(T), 3))), sequence)


def read_orientation(plan: Plan, name: str, R: Orientation, t: float, read_as: str, history: AngleHistory) -> Reading:
    """Return an orientation in its angles: in the authored sequence, else in `read_as`."""
    sequence = plan.sequence(name)
    authored = plan.angles(name, t)
    is_authored = sequence is not None and authored is not None
    if sequence is not None and authored is not None:
        angles, rates = authored
        history.take(name, sequence, angles, t)
    else:
        sequence = read_as
        angles, rates = history.follow(plan, name, sequence, R, t), None
    return reading_of(R, sequence, angles, rates, is_authored=is_authored)


def reading_of(R: Orientation, sequence: str, angles: Array, rates: Array | None, *, is_authored: bool) -> Reading:
    """Return the reading of an orientation whose angles are known."""
    measure, condition = kinematics.singularity_measure(sequence, angles)
    if rates is None and measure < NEARLY_LOCKED:
        rates = kinematics.euler_rates(sequence, angles, R.w)
    first = frames.axes_rotations_angles(R, sequence, 0.0)
    second = other_branch(sequence, first)
    return Reading(R, sequence, is_authored, angles, rates, first, second, float(measure), float(condition))

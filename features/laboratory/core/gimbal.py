"""Angles of an axis sequence along a path: both branches, the condition number of the rate map, and the rates."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from framescope.core import frames
from framescope.core.angle_branches import axes_rotations_angles_along
from framescope.core.evaluation.evaluate import Plan
from framescope.core.kernels import axis_rotations, linear_algebra
from framescope.core.kernels.angle_branches import both_branches
from framescope.core.kernels.validation import Array, as_sequence
from framescope.core.kinematics import UNSURE, singularity_measure
from framescope.core.orientation import orientation_of
from framescope.features.laboratory.core.rate_presets import LaboratoryError, motion_of, refuse_gaps

REACH = math.pi / 3.0
"""Length of a path past the lock on either side, rad."""

SAMPLES = 1201
"""Number of samples of a path; odd, so that the middle is a sample."""

JUMP = 0.3
"""Smallest step of an angle between samples that may count as a jump, rad."""

FINEST = 1e-6
"""Step of the samples next to the lock on a path straight through it, rad."""


@dataclass(frozen=True, eq=False)
class Path:
    """Orientations along a path, with the angular velocity.

    Attributes
    ----------
    x : (n,)
        Coordinate along the path: time, s, or the angle of rotation from the point nearest to the lock, rad.
    T : (n, 3, 3)
        Transformation matrices from frame 1 into frame 2.
    w : (n, 3)
        Angular velocity of frame 2 relative to frame 1, resolved in frame 2, rad/s.
    is_time
        Whether `x` is time.
    followed
        Function that returns the continuous angles (n, 3) of a sequence, as the scene follows them; None outside of a
        scene.
    """

    x: Array
    T: Array
    w: Array
    is_time: bool
    followed: Callable[[str], Array] | None = None


@dataclass(frozen=True, eq=False)
class AlongPath:
    """Angles of an axis sequence along a path, all (n, 3) in the order of the sequence, rad and rad/s.

    Attributes
    ----------
    sequence
        Axis sequence, such as ``"ZYX"``.
    path
        Path of the samples.
    first, second
        The two branches. In the first, angle 2 is within ±90°, or from 0° to 180° if the outer axes are equal.
    continuous
        Angles without jumps, with whole turns and changes of branch. For a frame of a scene they continue from its
        start, otherwise each sample is nearest to the previous one.
    measure, condition : (n,)
        Singularity measure, and condition number of the map from angular velocity to rates.
    rates
        Rates of the continuous angles; infinite or NaN at the lock itself.
    ratio : (n, 3)
        Rates divided by the magnitude of the angular velocity; NaN where it is zero.
    """

    sequence: str
    path: Path
    first: Array
    second: Array
    continuous: Array
    measure: Array
    condition: Array
    rates: Array
    ratio: Array

    @property
    def largest(self) -> tuple[int, int] | None:
        """Sample and angle with the largest ratio, outside of the lock itself; None where nothing turns."""
        is_sure = np.isfinite(self.ratio) & (self.condition < UNSURE)[:, np.newaxis]
        size = np.where(is_sure, np.abs(self.ratio), -1.0)
        if not size.size or size.max() <= 0.0:
            return None
        # Angles 1 and 3 are nearly as fast as each other at the lock: take the first of equal ratios.
        i, k = np.unravel_index(int(np.argmax(size >= size.max() * (1.0 - 1e-9))), size.shape)
        return int(i), int(k)

    def jumps(self, angles: Array) -> NDArray[np.bool_]:
        """Return a mask (n - 1, 3) of the angles that change more between samples than their rates allow."""
        rates = np.where(np.isfinite(self.rates) & (self.condition < UNSURE)[:, np.newaxis], np.abs(self.rates), 0.0)
        w = np.sqrt(np.square(self.path.w).sum(axis=-1))
        with np.errstate(all="ignore"):
            # On a path that is not over time, x is an angle: divided by the speed it is a time.
            dt = np.diff(self.path.x) / (1.0 if self.path.is_time else w[1:])
        reach = np.maximum(rates[1:], rates[:-1]) * dt[:, np.newaxis]
        step = np.abs(np.diff(angles, axis=0))
        return (step > JUMP) & (step > 3.0 * reach)

    @property
    def nearest(self) -> int:
        """Sample nearest to the lock."""
        return int(np.argmax(self.condition))


def path_past_lock(sequence: str, miss: float, speed: float = 1.0, n: int = SAMPLES, at: Array | None = None) -> Path:
    """Return a path past the lock of a sequence on which a body rotates about a fixed axis at constant speed.

    Parameters
    ----------
    sequence
        Axis sequence, such as ``"ZYX"``.
    miss
        Smallest distance from the lock, rad; 0 for a path straight through it.
    speed
        Angular speed of the body, rad/s.
    n
        Number of samples from -60° to 60°, odd; they are denser next to the lock.
    at : (n,)
        Samples to use instead, as angles of rotation from the point nearest to the lock, rad.

    Raises
    ------
    LaboratoryError
        When `sequence` is invalid, `miss` is not from 0° to less than 90°, or `speed` is not positive.

    Notes
    -----
    At the lock the axis e3 of the last turn lies along e1 of the first. The path moves e3 along a great circle that
    passes e1 at the distance `miss`, by rotation about an axis perpendicular to both. In the middle the first and third
    angle change ``1 / sin(miss)`` and ``cos(miss) / sin(miss)`` times as fast as the body rotates.

    Examples
    --------
    >>> path = path_past_lock("XYZ", np.deg2rad(1.0))
    >>> along = along_path("XYZ", path)
    >>> i, k = along.largest
    >>> f"{path.x[i]:.0f} {k} {along.ratio[i, k]:.1f}"
    '0 0 57.3'
    """
    axes = _axes(sequence)
    if not 0.0 <= miss < 0.5 * math.pi:
        raise LaboratoryError("The distance from the lock must be at least 0° and less than 90°.")
    if not (speed > 0.0 and math.isfinite(speed)):
        raise LaboratoryError("A body that passes the lock turns.", "Use a speed above zero.")
    e1, e2, e3 = (np.eye(3)[axis - 1] for axis in axes)
    lock = 0.0 if axes[0] == axes[2] else 0.5 * math.pi
    angle2 = miss if lock == 0.0 else lock - miss
    T0 = frames.axes_rotations(axes, [0.0, angle2, 0.0]).T
    # All resolved in frame 2. The axis of rotation u is perpendicular to e3 and on the side of e1.
    u = np.cross(e3, e2)
    e1_2 = T0 @ e1
    if miss == 0.0:
        e1_2 = u
    u = u if float(u @ e1_2) > 0.0 else -u
    x = _dense_positions(max(miss, FINEST), REACH, n) if at is None else at
    T = linear_algebra.multiply_matrices(axis_rotations.matrix_from_rotation_vector(x[:, np.newaxis] * u), T0)
    return Path(x, T, np.broadcast_to(speed * u, (len(x), 3)), is_time=False)


def path_of_frame(plan: Plan, name: str, times: Array | None = None) -> Path:
    """Return the motion of a frame in its parent at times (n,), by default over the time range of a plan.

    Raises
    ------
    LaboratoryError
        When there is no such frame, or it has no orientation at one of the times.
    """
    motion = motion_of(plan, name)
    t = np.linspace(plan.start, plan.end, SAMPLES) if times is None else times
    with np.errstate(all="ignore"):
        sample = motion.sample(t)
    refuse_gaps(name, t, sample.T, sample.w)
    parent = plan.scene.frames[name].parent
    return Path(t, sample.T, sample.w, True, lambda axes: plan.traces.angles_of(sample.T, t, name, parent, axes))


def along_path(sequence: str, path: Path) -> AlongPath:
    """Return the angles of a sequence along a path, with their branches, rates and condition numbers."""
    axes = _axes(sequence)
    first, second = both_branches(axes, path.T)
    if path.followed is None:
        continuous = axes_rotations_angles_along(orientation_of(path.T, path.w), axes, float(first[0, 0]))
    else:
        continuous = path.followed(sequence)
    measure, condition = singularity_measure(axes, continuous)
    with np.errstate(all="ignore"):
        rates = axis_rotations.euler_rates(axes)(continuous, path.w)
        speed = np.sqrt(np.square(path.w).sum(axis=-1, keepdims=True))
        ratio = np.where(speed > 0.0, rates / speed, np.nan)
    return AlongPath(sequence, path, first, second, continuous, measure, condition, rates, ratio)


def _dense_positions(scale: float, reach: float, n: int) -> Array:
    """Return positions from -reach to reach with steps of about `scale` in the middle that grow outwards smoothly."""
    k = math.asinh(reach / scale)
    x = scale * np.sinh(np.linspace(-k, k, n))
    x[0], x[n // 2], x[-1] = -reach, 0.0, reach
    return x


def _axes(sequence: str) -> tuple[int, int, int]:
    try:
        return as_sequence(sequence)
    except ValueError:
        raise LaboratoryError(f'"{sequence}" is no axis sequence: three of X, Y, Z, neighbours different.') from None

"""Both sets of angles of an axis sequence, on arrays that are known to be good; `angle_branches` is the public face."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from framescope.core.kernels import axis_rotations
from framescope.core.kernels.components import either
from framescope.core.kernels.componentwise import (
    Component,
    Components,
    KernelOfTwo,
    cos,
    kernel_of_two,
    nearest_whole,
    sin,
    where,
)
from framescope.core.kernels.validation import Array, Sequence3


def both_branches(axes: Sequence3, T: Array) -> tuple[Array, Array]:
    """Return both sets of angles (..., 3) of matrices (..., 3, 3), rad in (-pi, pi]: *branch 1* and *branch 2*.

    Angle 2 of the first is within a right angle of zero, or from zero to pi where the first and third axes are the
    same. At the lock angle 1 of the first is zero, and angle 3 takes the rest.
    """
    return branches(axes)(T)


@lru_cache
def branches(axes: Sequence3) -> KernelOfTwo:
    """Return the kernel of both sets of angles of a matrix."""
    angles, locked = axis_rotations.axes_rotations_angles(axes).formula, axis_rotations.is_locked(axes).formula
    is_symmetric = axes[0] == axes[2]

    @kernel_of_two((3, 3), gives=((3,), (3,)))
    def formula(T: Components) -> Components:
        found = alpha, beta, gamma = angles(T, 0.0)
        second = -beta if is_symmetric else np.pi - beta
        other = tuple(wrapped(angle) for angle in (alpha + np.pi, second, gamma + np.pi))
        is_first = (sin(beta) if is_symmetric else cos(beta)) >= 0.0
        is_first = is_first | (locked(T)[0] == 1.0)
        return (*either(is_first, found, other), *either(is_first, other, found))

    return formula


def nearest_angles(axes: Sequence3, T: Array, previous: Array) -> Array:
    """Return the angles (..., 3) of matrices that are nearest to previous ones, on either branch and any turn."""
    found = axis_rotations.axes_rotations_angles(axes)(T, previous[..., 0], names=("R", "previous_angles"))
    candidates = [nearest_turn(angles, previous) for angles in (found, mirrored(axes, found))]
    with np.errstate(over="ignore"):
        is_first = squared_distance(candidates[0], previous) <= squared_distance(candidates[1], previous)
    return np.where(is_first[..., np.newaxis], *candidates)


def mirrored(axes: Sequence3, angles: Array) -> Array:
    """Return the other angles (..., 3) of the same orientations, with no turns taken off."""
    second = -angles[..., 1] if axes[0] == axes[2] else np.pi - angles[..., 1]
    return np.stack([angles[..., 0] + np.pi, second, angles[..., 2] + np.pi], axis=-1)


def wrapped(angle: Component) -> Component:
    """Take whole turns off, into (-pi, pi]."""
    within = angle - 2.0 * np.pi * nearest_whole(angle / (2.0 * np.pi))
    within = where(within > np.pi, np.pi, within)  # rounding may go past pi
    return where(within <= -np.pi, np.pi, within)


def squared_distance(a: Array, b: Array | float) -> Array:
    """Return the sums (...) of squared differences of angles (..., 3)."""
    return np.square(a - b).sum(axis=-1)


def nearest_turn(angles: Array, previous: Array) -> Array:
    """Return angles with the whole turns that bring each nearest to a previous one."""
    return angles + 2.0 * np.pi * np.round((previous - angles) / (2.0 * np.pi))

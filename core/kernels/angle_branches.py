"""Both sets of angles of an axis sequence, on validated arrays. The public functions are in `core.angle_branches`."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from framescope.core.kernels import axis_rotations
from framescope.core.kernels.components import either
from framescope.core.kernels.componentwise import (
    Component,
    Components,
    Kernel,
    KernelOfTwo,
    cos,
    kernel,
    kernel_of_two,
    nearest_whole,
    sin,
    where,
)
from framescope.core.kernels.validation import Array, Sequence3


def both_branches(axes: Sequence3, T: Array) -> tuple[Array, Array]:
    """Return both sets of angles (..., 3) of matrices (..., 3, 3), rad in (-pi, pi]: *branch 1* and *branch 2*.

    On branch 1, angle 2 is in [-pi/2, pi/2], or in [0, pi] for sequences with equal first and third axes. At gimbal
    lock, angle 1 of branch 1 is zero and angle 3 covers the whole rotation about the shared axis.
    """
    return branches(axes)(T)


@lru_cache
def branches(axes: Sequence3) -> KernelOfTwo:
    """Return the kernel that computes both sets of angles of a matrix for a sequence."""
    angles, locked = axis_rotations.axes_rotations_angles(axes).formula, axis_rotations.is_locked(axes).formula
    is_symmetric = axes[0] == axes[2]

    @kernel_of_two((3, 3), gives=((3,), (3,)))
    def formula(T: Components) -> Components:
        principal = alpha, beta, gamma = angles(T, 0.0)
        other_middle = -beta if is_symmetric else np.pi - beta
        opposite = tuple(wrap_angle(angle) for angle in (alpha + np.pi, other_middle, gamma + np.pi))
        is_first = (sin(beta) if is_symmetric else cos(beta)) >= 0.0
        is_first = is_first | (locked(T)[0] == 1.0)
        return (*either(is_first, principal, opposite), *either(is_first, opposite, principal))

    return formula


@lru_cache
def branch_1(axes: Sequence3) -> Kernel:
    """Return the kernel that computes the angles on branch 1 of a matrix for a sequence."""
    both = branches(axes).formula

    @kernel((3, 3), gives=(3,))
    def formula(T: Components) -> Components:
        return both(T)[:3]

    return formula


@lru_cache
def branch_2(axes: Sequence3) -> Kernel:
    """Return the kernel that computes the branch 2 angles of a matrix for a sequence."""
    both = branches(axes).formula

    @kernel((3, 3), gives=(3,))
    def formula(T: Components) -> Components:
        return both(T)[3:]

    return formula


def nearest_angles(axes: Sequence3, T: Array, previous: Array) -> Array:
    """Return the angles (..., 3) of matrices, on the branch and with the whole turns that are nearest to `previous`."""
    principal = axis_rotations.axes_rotations_angles(axes)(T, previous[..., 0], names=("R", "previous_angles"))
    candidates = [nearest_turn(angles, previous) for angles in (principal, other_angles(axes, principal))]
    with np.errstate(over="ignore"):
        is_first = squared_distance(candidates[0], previous) <= squared_distance(candidates[1], previous)
    return np.where(is_first[..., np.newaxis], *candidates)


def other_angles(axes: Sequence3, angles: Array) -> Array:
    """Return the other set of angles (..., 3) of the same orientations; whole turns are kept."""
    second = -angles[..., 1] if axes[0] == axes[2] else np.pi - angles[..., 1]
    return np.stack([angles[..., 0] + np.pi, second, angles[..., 2] + np.pi], axis=-1)


def wrap_angle(angle: Component) -> Component:
    """Return an angle in (-pi, pi], with whole turns removed."""
    within = angle - 2.0 * np.pi * nearest_whole(angle / (2.0 * np.pi))
    within = where(within > np.pi, np.pi, within)  # rounding may exceed pi
    return where(within <= -np.pi, np.pi, within)


def squared_distance(a: Array, b: Array | float) -> Array:
    """Return the sums (...) of squared differences between angles (..., 3)."""
    return np.square(a - b).sum(axis=-1)


def nearest_turn(angles: Array, previous: Array) -> Array:
    """Return angles plus the whole turns that bring each angle nearest to `previous`."""
    return angles + 2.0 * np.pi * np.round((previous - angles) / (2.0 * np.pi))

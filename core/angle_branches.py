"""Angles of axis sequences beyond the reference: both branches, and branches that stay continuous over time."""

from __future__ import annotations

import itertools

import numpy as np
from numpy.typing import ArrayLike

from framescope.core.kernels import axis_rotations
from framescope.core.kernels.angle_branches import (
    both_branches,
    nearest_angles,
    other_angles,
    squared_distance,
    wrap_angle,
)
from framescope.core.kernels.validation import Array, Sequence3, as_array, as_sequence
from framescope.core.orientation import Orientation, as_orientation


def other_branch(sequence: str | tuple[int, ...], angles: ArrayLike) -> Array:
    """Return the second set of angles that gives the same orientation.

    Parameters
    ----------
    sequence
        Three axes, neighbours different: ``(1, 2, 3)`` or ``"XYZ"``.
    angles : (..., 3)
        Angles in the order of the sequence, rad.

    Returns
    -------
    (..., 3)
        The other angles, rad, each in (-pi, pi].

    Raises
    ------
    ValueError
        When `sequence` is invalid, or `angles` has a wrong shape or is not finite.

    Notes
    -----
    The other angles are ``[a ± pi, pi - b, c ± pi]`` for three different axes, and ``[a ± pi, -b, c ± pi]`` if the
    first axis is also the third. Apart from whole turns there is no third set, except at gimbal lock.

    Examples
    --------
    >>> other_branch("XYZ", [0.1, 0.2, 0.3]).round(4)
    array([-3.0416,  2.9416, -2.8416])
    """
    return wrap_angle(other_angles(as_sequence(sequence), as_array("angles", angles, (3,))))


def axes_rotations_angles_branches(R: Orientation, sequence: str | tuple[int, ...] = (1, 2, 3)) -> tuple[Array, Array]:
    """Return both sets of angles of an orientation, the principal one first.

    Parameters
    ----------
    R : Orientation
        Orientation (...) of frame 2 in frame 1.
    sequence
        Three axes, neighbours different: ``(1, 2, 3)`` or ``"XYZ"``.

    Returns
    -------
    first, second : (..., 3)
        Angles in the order of the sequence, rad, each in (-pi, pi]. Angle 2 of the first set is in [-pi/2, pi/2], or in
        [0, pi] where the first and third axes are the same.

    Raises
    ------
    ValueError
        When `R` is not an `Orientation`, or `sequence` is invalid.

    Notes
    -----
    The two sets are *branch 1* and *branch 2* in the window. At gimbal lock, angle 1 of the first set is zero, and
    angle 3 covers the whole rotation about the shared axis.

    Examples
    --------
    >>> from framescope.core import frames
    >>> first, second = axes_rotations_angles_branches(frames.axes_rotations("ZYX", [1.9, 0.2, 0.3]), "ZYX")
    >>> first.round(12), second.round(4)
    (array([1.9, 0.2, 0.3]), array([-1.2416,  2.9416, -2.8416]))
    """
    axes = as_sequence(sequence)
    return both_branches(axes, as_orientation("R", R).T)


def axes_rotations_angles_continuous(
    R: Orientation, sequence: str | tuple[int, ...] = (1, 2, 3), previous_angles: ArrayLike = (0, 0, 0)
) -> Array:
    """Return the angles of an orientation nearest to previous angles, on either branch and with any whole turns.

    Parameters
    ----------
    R : Orientation
        Orientation (...) of frame 2 in frame 1.
    sequence
        Three axes, neighbours different: ``(1, 2, 3)`` or ``"XYZ"``.
    previous_angles : (..., 3)
        Previous angles, rad; they may be any number of turns from zero.

    Returns
    -------
    (..., 3)
        Angles in the order of the sequence, rad, not confined to one turn.

    Raises
    ------
    ValueError
        When `R` is not an `Orientation`, `sequence` is invalid, `previous_angles` has a wrong shape or is not finite,
        or the leading axes do not broadcast.

    Notes
    -----
    Both branches are shifted by the whole turns that bring every angle nearest to its previous one. The set with the
    smaller sum of squared differences is returned. At gimbal lock angle 1 is unchanged, and only angle 3 follows the
    rotation.

    Examples
    --------
    >>> import numpy as np
    >>> from framescope.core import frames
    >>> R = frames.axes_rotations("XYZ", [np.pi + 0.1, 0.2, 0.3])
    >>> axes_rotations_angles_continuous(R, "XYZ", [3.1, 0.2, 0.3]).round(12)
    array([3.24159265, 0.2       , 0.3       ])
    """
    axes = as_sequence(sequence)
    previous = as_array("previous_angles", previous_angles, (3,))
    return nearest_angles(axes, as_orientation("R", R).T, previous)


def axes_rotations_angles_along(
    R: Orientation, sequence: str | tuple[int, ...] = (1, 2, 3), guess_angle1: float = 0.0
) -> Array:
    """Return the angles (n, 3) along a trajectory, with each sample nearest to the previous sample.

    Parameters
    ----------
    R : Orientation
        Orientations (n,) of frame 2 in frame 1, in the order of time.
    sequence
        Three axes, neighbours different: ``(1, 2, 3)`` or ``"XYZ"``.
    guess_angle1
        Guess of angle 1 of the first sample, which selects its branch, rad.

    Returns
    -------
    (n, 3)
        Angles, rad, without jumps if the samples are close enough, not confined to one turn.

    Raises
    ------
    ValueError
        When `R` is not a series of orientations, `sequence` is invalid, or `guess_angle1` is not finite.

    Notes
    -----
    A change between branches has the same length in both directions. It therefore depends on two neighbouring samples
    only and not on the previous branch, so that all changes are computed at once. A sample at gimbal lock, where angle
    1 is undefined, keeps angle 1 of the previous sample.

    Examples
    --------
    >>> import numpy as np
    >>> from framescope.core import frames
    >>> t = np.linspace(0.0, 10.0, 101)
    >>> R = frames.axes_rotations("ZYX", np.stack([t, 0 * t, 0 * t], axis=-1))
    >>> axes_rotations_angles_along(R, "ZYX")[-1].round(9)
    array([10.,  0.,  0.])
    """
    axes = as_sequence(sequence)
    T = as_orientation("R", R).T
    if T.ndim != 3:
        raise ValueError(f"R: expected a series of orientations, leading shape (n,), got {T.shape[:-2]}")
    guess = as_array("guess_angle1", guess_angle1)
    if guess.ndim:
        raise ValueError(f"guess_angle1: expected one number, got shape {guess.shape}")
    extract = axis_rotations.axes_rotations_angles(axes)
    is_locked = axis_rotations.is_locked(axes)(T) == 1.0
    out = np.empty((len(T), 3))
    bounds = [0, *(np.flatnonzero(np.diff(is_locked)) + 1).tolist(), len(T)]
    for start, stop in itertools.pairwise(bounds):  # runs of samples that are all at gimbal lock, or all not
        if start == stop:
            continue
        before = out[start - 1] if start else None
        if is_locked[start] and before is not None:
            guess = before[0]
        out[start:stop] = _along(axes, extract(T[start:stop], guess), before, has_branches=not is_locked[start])
    return out


def _along(axes: Sequence3, angles: Array, before: Array | None, *, has_branches: bool) -> Array:
    """Return a series of angles (n, 3), each on the branch and turn nearest to the previous sample."""
    if before is not None:
        angles = np.concatenate([before[np.newaxis], angles])
    if has_branches:
        other = other_angles(axes, angles)
        stay = squared_distance(wrap_angle(angles[1:] - angles[:-1]), 0.0)
        change = squared_distance(wrap_angle(other[1:] - angles[:-1]), 0.0)
        is_other = np.concatenate([[False], np.cumsum(change < stay) % 2 == 1])
        angles = np.where(is_other[:, np.newaxis], other, angles)
    continuous = np.unwrap(angles, axis=0)
    return continuous if before is None else continuous[1:]

"""The orientation object of Modelica `MultiBody.Frames`: a transformation matrix with its angular velocity."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from framescope.core.kernels.validation import Array, as_array, broadcast_leading, set_read_only


@dataclass(frozen=True, eq=False)
class Orientation:
    """Orientation of frame 2 in frame 1 with its angular velocity.

    Parameters
    ----------
    T : (..., 3, 3)
        Transformation matrix, ``v2 = T @ v1``. It may have drifted; formulas use it without correction.
    w : (..., 3)
        Angular velocity of frame 2 relative to frame 1, resolved in frame 2, rad/s.

    Raises
    ------
    ValueError
        When a shape is wrong, a number is not finite, or the leading axes do not broadcast.

    Notes
    -----
    Both fields are read-only views with the same leading axes. Nothing is copied, so changes that the owner makes to
    the arrays are visible here.

    Examples
    --------
    >>> import numpy as np
    >>> Orientation(np.eye(3), [0.0, 0.0, 1.0]).w
    array([0., 0., 1.])
    """

    T: Array
    w: Array

    def __post_init__(self) -> None:
        T, w = as_array("T", self.T, (3, 3)), as_array("w", self.w, (3,))
        if T.shape[:-2] != w.shape[:-1]:
            leading = broadcast_leading(T=T.shape[:-2], w=w.shape[:-1])
            T, w = np.broadcast_to(T, (*leading, 3, 3)), np.broadcast_to(w, (*leading, 3))
        set_read_only(self, T=T, w=w)

    def __reduce__(self) -> tuple[object, ...]:
        return unchecked, ((self.T, self.w),)  # a copy is read-only too


def unchecked(T_and_w: tuple[Array, Array]) -> Orientation:
    """Return the orientation of arrays from a kernel, without checks.

    Parameters
    ----------
    T_and_w
        Transformation matrices (..., 3, 3) from frame 1 into frame 2, and angular velocities (..., 3) of frame 2
        relative to frame 1, resolved in frame 2, rad/s: float64, with the same leading axes.

    Returns
    -------
    Orientation
        Orientation (...) of frame 2 in frame 1, with read-only views of both.

    Notes
    -----
    Numbers that have overflowed are kept.

    Examples
    --------
    >>> import numpy as np
    >>> unchecked((np.eye(3), np.zeros(3))).w
    array([0., 0., 0.])
    """
    R = object.__new__(Orientation)
    T, w = T_and_w
    set_read_only(R, T=T, w=w)
    return R


def orientation_of(T: Array, w: Array) -> Orientation:
    """Return the orientation of computed arrays whose leading axes are known to broadcast.

    Parameters
    ----------
    T : (..., 3, 3)
        Transformation matrix from frame 1 into frame 2, float64.
    w : (..., 3)
        Angular velocity of frame 2 relative to frame 1, resolved in frame 2, rad/s, float64.

    Returns
    -------
    Orientation
        Orientation (...) of frame 2 in frame 1, with read-only views of both, broadcast to common leading axes.

    Notes
    -----
    The numbers are not checked: they may have overflowed.

    Examples
    --------
    >>> import numpy as np
    >>> orientation_of(np.eye(3), np.zeros((2, 3))).T.shape
    (2, 3, 3)
    """
    leading = np.broadcast_shapes(T.shape[:-2], w.shape[:-1])
    return unchecked((np.broadcast_to(T, (*leading, 3, 3)), np.broadcast_to(w, (*leading, 3))))


def as_orientation(name: str, R: Orientation) -> Orientation:
    """Return an argument that must be an orientation, or raise an error with its name.

    Parameters
    ----------
    name
        Name of the argument.
    R : Orientation
        The argument.

    Returns
    -------
    Orientation
        `R` itself.

    Raises
    ------
    ValueError
        When `R` is no `Orientation`. An array has an attribute `T` too, its transpose.

    Examples
    --------
    >>> import numpy as np
    >>> as_orientation("R", np.eye(3))  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    ValueError: R: expected an Orientation(T, w), got ndarray ...
    """
    if type(R) is not Orientation:
        raise ValueError(
            f"{name}: expected an Orientation(T, w), got {type(R).__name__}"
            " (plain matrices are for transformation_matrices, quaternions for quaternions)"
        )
    return R

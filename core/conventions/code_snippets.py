"""Code of an orientation for other libraries, each in its own convention."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np

from framescope.core.errors import did_you_mean
from framescope.core.frames import Orientation, to_Q
from framescope.core.kernels.validation import Array
from framescope.core.orientation import as_orientation
from framescope.core.transformation_matrices import project_to_rotation

ROTATION_TOLERANCE = 1e-3
"""Distance from a rotation, in the Frobenius norm, up to which typed or written numbers count as a rotation."""

ROUNDING = 1e-12
"""Distance from a rotation up to which a matrix is used unchanged."""


def as_code(R: Orientation, target: str) -> str:
    """Return the orientation as one line of code, with a comment that shows its effect on vectors.

    Parameters
    ----------
    R : Orientation
        A single orientation, frame 1 into frame 2.
    target
        ``"scipy"``, ``"numpy"``, ``"ros-tf2"`` (C++), ``"modelica"``, ``"julia"`` (ReferenceFrameRotations.jl),
        ``"eigen"`` or ``"matlab"`` (no toolbox). The code for Modelica includes the angular velocity; the types of the
        other libraries have none.

    Returns
    -------
    str
        Code with all digits. `v_1` and `v_2` are the components of a vector in frame 1 and in frame 2.

    Raises
    ------
    ValueError
        When the target is unknown, or `R` is not an `Orientation`, has leading axes, or has a matrix farther than 1e-3
        from a rotation.

    Notes
    -----
    A matrix that has drifted by more than 1e-12 is replaced by the nearest rotation. The quaternion has a scalar that
    is not negative.

    Examples
    --------
    >>> from framescope.core.frames import axis_rotation
    >>> as_code(axis_rotation(3, 0.0), "eigen")
    'Eigen::Quaterniond q_12(1.0, 0.0, 0.0, 0.0);  // v_1 = q_12 * v_2'
    """
    if target not in _WRITERS:
        names = ", ".join(f'"{name}"' for name in TARGETS)
        raise ValueError(f"target: expected {names}, got {target!r}. {did_you_mean(str(target), TARGETS)}")
    return _WRITERS[target](single_rotation(R))


def single_rotation(R: Orientation) -> Orientation:
    """Return a single orientation as a rotation within rounding.

    Parameters
    ----------
    R : Orientation
        A single orientation, frame 1 into frame 2.

    Returns
    -------
    Orientation
        The orientation without -0.0. A matrix farther than 1e-12 from a rotation is replaced by the nearest rotation;
        the angular velocity is unchanged.

    Raises
    ------
    ValueError
        When `R` is not an `Orientation`, has leading axes, or has a matrix farther than 1e-3 from a rotation.

    Notes
    -----
    Distances come from `transformation_matrices.project_to_rotation`, in the Frobenius norm.

    Examples
    --------
    >>> from framescope.core.frames import null_rotation
    >>> single_rotation(null_rotation()).T[0]
    array([1., 0., 0.])
    """
    if as_orientation("R", R).T.shape != (3, 3):
        raise ValueError(f"R: expected a single orientation, got leading axes {R.T.shape[:-2]}")
    nearest, distance = project_to_rotation(R.T)
    if distance > ROTATION_TOLERANCE:
        raise ValueError(
            f"R: expected a rotation within {ROTATION_TOLERANCE:g}, got a matrix {distance:.3g} away from the nearest"
            " (transformation_matrices.project_to_rotation gives that)"
        )
    return Orientation((R.T if distance <= ROUNDING else nearest) + 0.0, R.w + 0.0)  # + 0.0 removes -0.0


def _scipy(R: Orientation) -> str:
    return f"R_12 = Rotation.from_quat([{_numbers(_Q(R))}])  # v_1 = R_12.apply(v_2)"


def _numpy(R: Orientation) -> str:
    rows = ", ".join(f"[{_numbers(row)}]" for row in R.T)
    return f"T = np.array([{rows}])  # v_2 = T @ v_1"


def _ros(R: Orientation) -> str:
    return f"tf2::Quaternion q_12({_numbers(_Q(R))});  // x, y, z, w; v_1 = tf2::quatRotate(q_12, v_2)"


def _modelica(R: Orientation) -> str:
    frames = "Modelica.Mechanics.MultiBody.Frames"
    numbers = f"{{{_numbers(_Q(R))}}}, {{{_numbers(R.w)}}}"
    comment = "v_2 = Frames.resolve2(R, v_1); w in frame 2, rad/s"
    return f"{frames}.Orientation R = {frames}.from_Q({numbers});  // {comment}"


def _julia(R: Orientation) -> str:
    return f"q = Quaternion({_numbers(np.roll(_Q(R), 1))})  # w, x, y, z; v_2 = vect(inv(q) * v_1 * q)"


def _eigen(R: Orientation) -> str:
    return f"Eigen::Quaterniond q_12({_numbers(np.roll(_Q(R), 1))});  // v_1 = q_12 * v_2"


def _matlab(R: Orientation) -> str:
    rows = "; ".join(_numbers(row) for row in R.T)
    return f"T = [{rows}];  % v_2 = T * v_1, vectors as columns"


_WRITERS: dict[str, Callable[[Orientation], str]] = {
    "scipy": _scipy,
    "numpy": _numpy,
    "ros-tf2": _ros,
    "modelica": _modelica,
    "julia": _julia,
    "eigen": _eigen,
    "matlab": _matlab,
}

TARGETS = tuple(_WRITERS)
"""Targets of `as_code`."""


def _Q(R: Orientation) -> Array:
    """Return the quaternion with a scalar that is not negative, without -0.0."""
    return to_Q(R) + 0.0


def _numbers(values: Iterable[float]) -> str:
    """Return numbers as the shortest text with the same bits."""
    return ", ".join(repr(float(value)) for value in values)

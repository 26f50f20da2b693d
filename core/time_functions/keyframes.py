"""Keyframed poses as functions of time, with their derivatives.

Between two keys, the position is a polynomial in the time since the earlier key (see `scalar_keyframes`). The rotation
vector from the orientation at the earlier key is such a polynomial, too (see `rotation_keyframes` and
`rotation_spline`). Before the first key and after the last key the end poses apply, with rates of zero. Single calls
and one call with many times give the same bits.
"""

from __future__ import annotations

from dataclasses import dataclass

from numpy.typing import ArrayLike

from framescope.core.kernels import linear_algebra
from framescope.core.kernels.validation import Array, as_array
from framescope.core.time_functions.keyframe_checks import check_choice, validate_quaternions, validate_times
from framescope.core.time_functions.rotation_keyframes import RotationKeyframes, constant_rates
from framescope.core.time_functions.rotation_spline import RotationEnds, rotation_spline
from framescope.core.time_functions.scalar_keyframes import Interpolation, ScalarKeyframes, scalar_keyframes


@dataclass(frozen=True, eq=False)
class PoseKeyframes:
    """Poses of a frame F in its parent P at some times, interpolated between them. Made by `pose_keyframes`.

    Attributes
    ----------
    position
        Position of F's origin from P's, resolved in P, m.
    orientation
        Quaternion from P into F.
    """

    position: ScalarKeyframes
    orientation: RotationKeyframes

    def sample(self, t: ArrayLike) -> tuple[Array, Array, Array, Array, Array, Array]:
        """Return pose, velocities and accelerations at times (...).

        The result is ``T_PF, p_PF, w_PF_F, v_PF, b_PF_F, a_PF``, where `b` is the derivative of `w`, and `a` the
        derivative of `v`.
        """
        Q, w, b = self.orientation.sample(t)
        p, v, a = self.position.sample(t)
        return linear_algebra.matrix_from_quaternion(Q), p, w, v, b, a


def pose_keyframes(
    times: ArrayLike,
    p_PF: ArrayLike,
    Q_PF: ArrayLike,
    interpolation: Interpolation = "cubic",
    ends: RotationEnds = "natural",
) -> PoseKeyframes:
    """Return the motion of a frame through given poses.

    Parameters
    ----------
    times : (k,)
        Times of the keys, s, each later than the one before; at least one.
    p_PF : (k, 3)
        Positions of the frame's origin from the parent's, resolved in the parent, m.
    Q_PF : (k, 4)
        Quaternions from the parent into the frame, scalar last, of unit length within 1e-3; either sign.
    interpolation
        ``"cubic"``: cubic spline and `rotation_spline`. ``"linear"``: straight lines and `slerp_keyframes`. ``"step"``:
        each pose is held until the next key.
    ends
        End condition of ``"cubic"``: ``"natural"`` for zero acceleration, ``"rest"`` for zero velocity.

    Returns
    -------
    PoseKeyframes
        Its `sample` gives pose, velocities and accelerations.

    Raises
    ------
    ValueError
        When `scalar_keyframes` or `rotation_spline` raises it.

    Examples
    --------
    >>> motion = pose_keyframes([0, 1], [[0, 0, 0], [2, 0, 0]], [[0, 0, 0, 1], [0, 0, 0.6, 0.8]], "linear")
    >>> T, p, w, v, b, a = motion.sample(0.5)
    >>> p, w.round(4), v
    (array([1., 0., 0.]), array([0.   , 0.   , 1.287]), array([2., 0., 0.]))
    """
    positions = as_array("p_PF", p_PF, (3,))
    checked = validate_times(times)
    if positions.shape != (len(checked), 3):
        raise ValueError(f"p_PF: expected shape ({len(checked)}, 3), one for each time, got {positions.shape}")
    units = validate_quaternions(checked, Q_PF, "Q_PF")
    check_choice("interpolation", interpolation, ("cubic", "linear", "step"))
    check_choice("ends", ends, ("natural", "rest"))
    if interpolation == "cubic":
        orientation = rotation_spline(checked, units, ends)
    else:
        orientation = constant_rates(checked, units, 1.0 if interpolation == "linear" else 0.0)
    return PoseKeyframes(scalar_keyframes(checked, positions, interpolation, ends), orientation)

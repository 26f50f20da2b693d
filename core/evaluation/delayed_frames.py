"""Delayed frames: earlier poses seen at the present time through a fixed frame, like tf's look-up with two times.

A delayed frame has a row of its own in a snapshot, beside the row of the same frame at present. So a frame can be
compared with its own past: the distance travelled since then, in its present axes.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from framescope.core.evaluation.relative_motion import (
    are_known,
    relative_acceleration,
    relative_orientations,
    relative_position,
    relative_velocity,
)
from framescope.core.kernels import linear_algebra
from framescope.core.kernels.rounding import sum_with_rest
from framescope.core.kernels.validation import Array
from framescope.core.snapshot import Adrift, Snapshot

NOW = " now"
"""Word after the names of the other frames of a delayed signal: only `of` is delayed."""


@dataclass(frozen=True)
class Delay:
    """Delay of a frame, s, and the frame `through` which it is seen, which counts as fixed meanwhile.

    >>> str(Delay("odom", 0.2))
    'through odom 0.2 s before'
    """

    through: str
    seconds: float

    def __str__(self) -> str:
        return f"through {self.through} {self.before}"

    @property
    def before(self) -> str:
        """Time of the delayed frame relative to the other frames, in words."""
        return f"{abs(self.seconds):.12g} s {'after' if self.seconds < 0.0 else 'before'}"


def row_before(of: str) -> str:
    """Return the name of a delayed frame's row in snapshots of `seen_through`.

    No frame of a scene can have this name, because it contains a character that cannot be printed.
    """
    return f"{of}\0before"


class _Carried(NamedTuple):
    """Pose of a delayed frame in world, and its lever arm from the fixed frame, resolved in world."""

    R: Array
    p: Array
    lever: Array


def seen_through(now: Snapshot, then: Snapshot, of: str, fixed: str) -> Snapshot:
    """Return a snapshot with one more row: the earlier pose of a frame relative to a fixed frame.

    Parameters
    ----------
    now, then
        Snapshots at the same number of times, of these frames and the frames they are compared with.
    of
        Frame whose earlier pose is in the new row, which is named ``row_before(of)``. All other rows, including the
        row of the frame itself, keep their present pose.
    fixed
        Frame that counts as fixed between the two times.

    Notes
    -----
    ``tf2``: ``lookupTransform(target, now, source, then, fixed)`` is the pose of the new row in any target of this
    snapshot, including the source itself. Its velocity is the derivative of this pose while both times advance.
    """
    i = now.index[of]
    carried = _delayed_pose(now, then, of, fixed)
    is_posed = np.isfinite(carried.p).all(axis=-1) & np.isfinite(carried.R).all(axis=(-1, -2))

    def position_rests() -> Array:
        rests, j = now.position_rests, now.index[fixed]
        known = np.zeros_like(now.p_WF) if rests is None else rests
        return _with_row(known, known[..., j, :] + sum_with_rest(now.p_WF[..., j, :], carried.lever)[1])

    def velocities() -> tuple[Array, Array]:
        w_W, v_W = _velocity(now, then, of, fixed, carried)
        return _with_row(now.w_WF_F, linear_algebra.apply_transposed(carried.R, w_W)), _with_row(now.v_WF, v_W)

    def accelerations() -> tuple[Array, Array]:
        b_W, a_W = _acceleration(now, then, of, fixed, carried)
        return _with_row(now.b_WF_F, linear_algebra.apply_transposed(carried.R, b_W)), _with_row(now.a_WF, a_W)

    is_smoothed = now.derive_smoothed is not None or then.derive_smoothed is not None
    return replace(
        now,
        index={**now.index, row_before(of): now.p_WF.shape[-2]},
        T_PF=_with_row(now.T_PF, now.T_PF[..., i, :, :], axis=-3),
        w_PF_F=_with_row(now.w_PF_F, now.w_PF_F[..., i, :]),
        R_WF=_with_row(now.R_WF, carried.R, axis=-3),
        p_WF=_with_row(now.p_WF, carried.p),
        derive_position_rests=None if now.derive_position_rests is None else position_rests,
        is_posed=_with_row(now.is_posed, np.asarray(is_posed), axis=-1),
        derive_velocities=velocities,
        derive_accelerations=accelerations,
        derive_smoothed=(lambda: seen_through(now.smoothed, then.smoothed, of, fixed)) if is_smoothed else None,
        derive_adrift=None if now.adrift is None else partial(_adrift, now.adrift, then, of, fixed),
    )


def _adrift(now: Adrift, then: Snapshot, of: str, fixed: str) -> Adrift:
    """Return the relations of frames without a pose in world, with the delayed frame attached to the fixed frame."""
    anchor = np.where(are_known(then, of, fixed), now.anchors[..., now.snapshot.index[fixed]], _NOWHERE)
    return Adrift(seen_through(now.snapshot, then, of, fixed), _with_row(now.anchors, anchor, axis=-1))


_NOWHERE = -1
"""Anchor of a delayed frame without an ancestor: no frame has this anchor."""


def _with_row(values: NDArray[Any], row: NDArray[Any], axis: int = -2) -> NDArray[Any]:
    """Return an array over frames with one more at the end; `axis` is the axis of the frames."""
    return np.concatenate([values, np.expand_dims(row, axis)], axis=axis)


def _delayed_pose(now: Snapshot, then: Snapshot, of: str, fixed: str) -> _Carried:
    j = now.index[fixed]
    R_WC = now.R_WF[..., j, :, :]
    R_VC, R_VS = relative_orientations(then, of, fixed)
    R_CS = linear_algebra.multiply_matrices(linear_algebra.transpose(R_VC), R_VS)
    lever = linear_algebra.apply_matrix(R_WC, relative_position(then, of, fixed, fixed))
    return _Carried(linear_algebra.multiply_matrices(R_WC, R_CS), now.p_WF[..., j, :] + lever, lever)


def _fixed_motion(now: Snapshot, fixed: str) -> tuple[Array, Array]:
    """Return angular velocity and acceleration of the fixed frame, resolved in world."""
    j = now.index[fixed]
    R = now.R_WF[..., j, :, :]
    w, b = now.w_WF_F[..., j, :], now.b_WF_F[..., j, :]
    return linear_algebra.apply_matrix(R, w), linear_algebra.apply_matrix(R, b)


def _in_world(now: Snapshot, fixed: str, vector: Array) -> tuple[Array, Array]:
    """Return both halves of a spatial vector, resolved in world instead of the fixed frame."""
    R = now.R_WF[..., now.index[fixed], :, :]
    return linear_algebra.apply_matrix(R, vector[..., :3]), linear_algebra.apply_matrix(R, vector[..., 3:])


def _velocity(now: Snapshot, then: Snapshot, of: str, fixed: str, carried: _Carried) -> tuple[Array, Array]:
    """Return angular velocity and velocity of the delayed frame, resolved in world."""
    w_C, _ = _fixed_motion(now, fixed)
    w, v = _in_world(now, fixed, relative_velocity(then, of, fixed, fixed))
    return w_C + w, now.v_WF[..., now.index[fixed], :] + np.cross(w_C, carried.lever) + v


def _acceleration(now: Snapshot, then: Snapshot, of: str, fixed: str, carried: _Carried) -> tuple[Array, Array]:
    """Return angular acceleration and acceleration of the delayed frame, resolved in world."""
    w_C, b_C = _fixed_motion(now, fixed)
    w, v = _in_world(now, fixed, relative_velocity(then, of, fixed, fixed))
    b, a = _in_world(now, fixed, relative_acceleration(then, of, fixed, fixed))
    swung = np.cross(b_C, carried.lever) + np.cross(w_C, np.cross(w_C, carried.lever))
    linear = now.a_WF[..., now.index[fixed], :] + swung + 2.0 * np.cross(w_C, v) + a
    return b_C + np.cross(w_C, w) + b, linear

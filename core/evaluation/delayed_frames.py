"""Frames as they were some time ago, seen now through one that stands still between: tf's look-up with two times."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple

import numpy as np

from framescope.core.evaluation.relative_motion import (
    are_known,
    relative_acceleration,
    relative_orientations,
    relative_position,
    relative_velocity,
)
from framescope.core.kernels import linear_algebra
from framescope.core.kernels.validation import Array
from framescope.core.snapshot import Adrift, Snapshot


@dataclass(frozen=True)
class Delay:
    """How long before a frame is told, s, and through which frame, that stands still between.

    >>> str(Delay("odom", 0.2))
    'through odom 0.2 s before'
    """

    through: str
    seconds: float

    def __str__(self) -> str:
        return f"through {self.through} {self.before}"

    @property
    def before(self) -> str:
        """When it is told, in words."""
        return f"{abs(self.seconds):.12g} s {'after' if self.seconds < 0.0 else 'before'}"


class _Carried(NamedTuple):
    """Pose of the delayed frame in world, and its lever arm from the fixed frame, resolved in world."""

    R: Array
    p: Array
    lever: Array


def seen_through(now: Snapshot, then: Snapshot, of: str, fixed: str) -> Snapshot:
    """Return a snapshot in which a frame is where it was, relative to a fixed frame, at the times of another.

    Parameters
    ----------
    now, then
        Snapshots at as many times, of these frames and those that they are told in.
    of
        The frame that is told as it was then; all others are as they are now.
    fixed
        The frame that is taken to stand still between.

    Notes
    -----
    ``tf2``: ``lookupTransform(target, now, source, then, fixed)`` is the pose of `of` in any target of this snapshot.
    Its velocity is the derivative of that pose as both times go on.
    """
    i = now.index[of]
    carried = _carried(now, then, of, fixed)
    R_WF, p_WF = now.R_WF.copy(), now.p_WF.copy()
    R_WF[..., i, :, :], p_WF[..., i, :] = carried.R, carried.p
    is_posed = now.is_posed.copy()
    is_posed[..., i] = np.isfinite(carried.p).all(axis=-1) & np.isfinite(carried.R).all(axis=(-1, -2))

    def velocities() -> tuple[Array, Array]:
        w, v = now.w_WF_F.copy(), now.v_WF.copy()
        w_W, v_W = _velocity(now, then, of, fixed, carried)
        w[..., i, :], v[..., i, :] = linear_algebra.apply_transposed(carried.R, w_W), v_W
        return w, v

    def accelerations() -> tuple[Array, Array]:
        b, a = now.b_WF_F.copy(), now.a_WF.copy()
        b_W, a_W = _acceleration(now, then, of, fixed, carried)
        b[..., i, :], a[..., i, :] = linear_algebra.apply_transposed(carried.R, b_W), a_W
        return b, a

    is_smoothed = now.derive_smoothed is not None or then.derive_smoothed is not None
    return replace(
        now,
        R_WF=R_WF,
        p_WF=p_WF,
        is_posed=is_posed,
        derive_velocities=velocities,
        derive_accelerations=accelerations,
        derive_smoothed=(lambda: seen_through(now.smoothed, then.smoothed, of, fixed)) if is_smoothed else None,
        derive_adrift=None if now.adrift is None else partial(_adrift, now.adrift, then, of, fixed),
    )


def _adrift(now: Adrift, then: Snapshot, of: str, fixed: str) -> Adrift:
    """Return the frames that hang on one without a pose, with the delayed one hanging on the fixed one."""
    i, j = now.snapshot.index[of], now.snapshot.index[fixed]
    anchors = now.anchors.copy()
    anchors[..., i] = np.where(are_known(then, of, fixed), anchors[..., j], _NOWHERE)
    return Adrift(seen_through(now.snapshot, then, of, fixed), anchors)


_NOWHERE = -1
"""Row that no frame hangs on."""


def _carried(now: Snapshot, then: Snapshot, of: str, fixed: str) -> _Carried:
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
    """Return both halves of a spatial vector that is resolved in the fixed frame, resolved in world."""
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

"""What one frame does relative to another, resolved in a third, at the times of a snapshot.

Velocities and accelerations are those that an observer sees who is fixed in the frame they are relative to; resolving
only turns the components.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from framescope.core import kernels, spatial_kernels
from framescope.core.arrays import Array
from framescope.core.orientation import Orientation, orientation_of
from framescope.core.snapshot import Snapshot
from framescope.core.transform import Transform


@dataclass(frozen=True, eq=False)
class Relation:
    """Motion of frame B relative to frame A, resolved in frame C; leading axes ``(...)`` are those of the snapshot.

    Attributes
    ----------
    R : Orientation
        Orientation from A into B, with the angular velocity of B relative to A, resolved in B as always.
    p : (..., 3)
        Position of B's origin from A's, resolved in C, m.
    V : (..., 6)
        Angular velocity and velocity of B relative to A, resolved in C, rad/s and m/s.
    A : (..., 6)
        Angular acceleration and acceleration of B relative to A, resolved in C, rad/s² and m/s².
    """

    R: Orientation
    p: Array
    V: Array
    A: Array


def relation(snapshot: Snapshot, of: str, relative_to: str, resolved_in: str) -> Relation:
    """Return the motion of one frame relative to another, resolved in a third.

    Parameters
    ----------
    snapshot
        State of a scene at one time or many.
    of, relative_to, resolved_in
        Names of frames, the world included.

    Returns
    -------
    Relation
        NaN where one of the three frames has no pose.

    Raises
    ------
    KeyError
        When there is no frame of a name.

    Notes
    -----
    ``spatial.find_relative_velocity`` and ``spatial.find_relative_acceleration`` of the motions in world.

    Examples
    --------
    >>> from framescope.core.evaluate import compile_plan, evaluate
    >>> from framescope.core.scene.model import Scene
    >>> scene = Scene.model_validate({"framescope": 1, "frames": {"disc": {"parent": "world",
    ...     "orientation": {"form": "axis", "axis": "z", "angle": "2*t", "unit": "rad"}}, "bug": {"parent": "disc",
    ...     "position": {"value": ["0.5*t", 0, 0], "unit": "m"}}}})
    >>> snapshot = evaluate(compile_plan(scene), 1.0)
    >>> relation(snapshot, "bug", "disc", "disc").V.round(3)
    array([0. , 0. , 0. , 0.5, 0. , 0. ])
    >>> relation(snapshot, "bug", "world", "disc").V.round(3)
    array([0. , 0. , 2. , 0.5, 1. , 0. ])
    """
    b, a, c = (snapshot.index[name] for name in (of, relative_to, resolved_in))
    with np.errstate(all="ignore"):
        R_WA, R_WB, R_WC = (snapshot.R_WF[..., i, :, :] for i in (a, b, c))
        p = snapshot.p_WF[..., b, :] - snapshot.p_WF[..., a, :]
        V_A, V_B = (_spatial(snapshot, i, snapshot.w_WF_F, snapshot.v_WF) for i in (a, b))
        A_A, A_B = (_spatial(snapshot, i, snapshot.b_WF_F, snapshot.a_WF) for i in (a, b))
        V = spatial_kernels.relative_velocity_in_F(p, V_A, V_B)
        A = spatial_kernels.relative_acceleration_in_F(p, V_A, A_A, V_B, A_B)
        T = kernels.multiply_matrices(kernels.transpose(R_WB), R_WA)
        w = kernels.apply_transposed(R_WB, V[..., :3])
        return Relation(orientation_of(T, w), kernels.apply_transposed(R_WC, p), _resolved(R_WC, V), _resolved(R_WC, A))


def pose(snapshot: Snapshot, of: str, relative_to: str) -> Transform:
    """Return the pose of one frame in another; raise `ValueError` where one of them has none.

    Examples
    --------
    >>> from framescope.core.evaluate import compile_plan, evaluate
    >>> from framescope.core.scene.model import Scene
    >>> scene = Scene.model_validate({"framescope": 1, "frames": {"arm": {"parent": "world",
    ...     "position": {"value": [1, 0, 0], "unit": "m"}}}})
    >>> pose(evaluate(compile_plan(scene), 0.0), "world", "arm").p_AB
    array([-1.,  0.,  0.])
    """
    X_WA, X_WB = (
        Transform(snapshot.R_WF[..., i, :, :], snapshot.p_WF[..., i, :])
        for i in (snapshot.index[relative_to], snapshot.index[of])
    )
    return X_WA.inverse() @ X_WB


def _spatial(snapshot: Snapshot, i: int, angular: Array, linear: Array) -> Array:
    """Return [angular, linear] of a frame, resolved in world; the angular one is given resolved in the frame."""
    in_world = kernels.apply_matrix(snapshot.R_WF[..., i, :, :], angular[..., i, :])
    return np.concatenate([in_world, linear[..., i, :]], axis=-1)


def _resolved(R_WC: Array, vector: Array) -> Array:
    """Return a spatial vector, given in world, resolved in C."""
    halves = (kernels.apply_transposed(R_WC, vector[..., half]) for half in (slice(0, 3), slice(3, 6)))
    return np.concatenate(list(halves), axis=-1)

"""Motion of one frame relative to another, resolved in a third, at the times of a snapshot.

Velocities and accelerations are relative to an observer fixed in the reference frame; the resolving frame only changes
the components.

Positions and orientations come from the snapshot. Rates come from its smoothed motion, including lever arms and the
resolving frame. A relative velocity is always the derivative of the relative position of the smoothed motion.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from framescope.core.kernels import linear_algebra, spatial
from framescope.core.kernels.validation import Array
from framescope.core.orientation import Orientation, orientation_of
from framescope.core.snapshot import Snapshot
from framescope.core.transform import Transform


@dataclass(frozen=True, eq=False)
class Relation:
    """Motion of frame B relative to frame A, resolved in frame C; with the leading axes ``(...)`` of the snapshot.

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
        NaN if one of the three frames has no known pose relative to the others.

    Raises
    ------
    KeyError
        When there is no frame with such a name.

    Notes
    -----
    The rates are ``spatial.find_relative_velocity`` and ``spatial.find_relative_acceleration`` of the motions in world.

    Examples
    --------
    >>> from framescope.core.evaluation.evaluate import compile_plan, evaluate
    >>> from framescope.core.scene.schema.model import Scene
    >>> scene = Scene.model_validate({"framescope": 1, "frames": {"disc": {"parent": "world",
    ...     "orientation": {"form": "axis", "axis": "z", "angle": "2*t", "unit": "rad"}}, "bug": {"parent": "disc",
    ...     "position": {"value": ["0.5*t", 0, 0], "unit": "m"}}}})
    >>> snapshot = evaluate(compile_plan(scene), 1.0)
    >>> relation(snapshot, "bug", "disc", "disc").V.round(3)
    array([0. , 0. , 0. , 0.5, 0. , 0. ])
    >>> relation(snapshot, "bug", "world", "disc").V.round(3)
    array([0. , 0. , 2. , 0.5, 1. , 0. ])
    """
    R_WA, R_WB = relative_orientations(snapshot, of, relative_to)
    V = relative_velocity(snapshot, of, relative_to, resolved_in)
    w_B = relative_velocity(snapshot, of, relative_to, of)[..., :3]
    return Relation(
        orientation_of(linear_algebra.multiply_matrices(linear_algebra.transpose(R_WB), R_WA), w_B),
        relative_position(snapshot, of, relative_to, resolved_in),
        V,
        relative_acceleration(snapshot, of, relative_to, resolved_in),
    )


def relative_position(snapshot: Snapshot, of: str, relative_to: str, resolved_in: str) -> Array:
    """Return the position (..., 3) of one frame's origin from another's, resolved in a third, m."""
    snapshot, known = _connect(snapshot, of, relative_to, resolved_in)
    if known is not None:
        return _mask(known, relative_position(snapshot, of, relative_to, resolved_in))
    return linear_algebra.apply_transposed(_R(snapshot, resolved_in), _p(snapshot, of, relative_to))


def relative_velocity(snapshot: Snapshot, of: str, relative_to: str, resolved_in: str) -> Array:
    """Return angular velocity and velocity (..., 6) of one frame relative to another, resolved in a third."""
    snapshot, known = _connect(snapshot.smoothed, of, relative_to, resolved_in)
    if known is not None:
        return _mask(known, relative_velocity(snapshot, of, relative_to, resolved_in))
    V_WA, V_WB = (_spatial(snapshot, name, snapshot.w_WF_F, snapshot.v_WF) for name in (relative_to, of))
    V = spatial.relative_velocity_in_F(_lever(snapshot, of, relative_to), V_WA, V_WB)
    return _resolve(_R(snapshot, resolved_in), V)


def relative_acceleration(snapshot: Snapshot, of: str, relative_to: str, resolved_in: str) -> Array:
    """Return angular acceleration and acceleration (..., 6) of one frame relative to another, resolved in a third."""
    snapshot, known = _connect(snapshot.smoothed, of, relative_to, resolved_in)
    if known is not None:
        return _mask(known, relative_acceleration(snapshot, of, relative_to, resolved_in))
    V_WA, V_WB = (_spatial(snapshot, name, snapshot.w_WF_F, snapshot.v_WF) for name in (relative_to, of))
    A_WA, A_WB = (_spatial(snapshot, name, snapshot.b_WF_F, snapshot.a_WF) for name in (relative_to, of))
    A = spatial.relative_acceleration_in_F(_lever(snapshot, of, relative_to), V_WA, A_WA, V_WB, A_WB)
    return _resolve(_R(snapshot, resolved_in), A)


def specific_force(snapshot: Snapshot, of: str, resolved_in: str, g_W: Array) -> Array:
    """Return the specific force (..., 3) of a frame, m/s²: its acceleration in the world less gravity.

    Parameters
    ----------
    snapshot
        State of a scene at one time or many.
    of, resolved_in
        Names of frames, the world included.
    g_W : (3,)
        Acceleration of free fall, resolved in world, m/s².

    Examples
    --------
    >>> from framescope.core.evaluation.evaluate import compile_plan, evaluate
    >>> from framescope.core.scene.schema.model import Scene
    >>> snapshot = evaluate(compile_plan(Scene.model_validate({"framescope": 1, "frames": {"imu": {"parent": "world",
    ...     "orientation": {"form": "axis", "axis": "x", "angle": 180, "unit": "deg"}}}})), 0.0)
    >>> specific_force(snapshot, "imu", "imu", np.array([0.0, 0.0, -9.81])).round(12) + 0.0
    array([ 0.  ,  0.  , -9.81])
    """
    a = relative_acceleration(snapshot, of, "world", resolved_in)[..., 3:]
    R_WC = _R(snapshot.smoothed, resolved_in)
    return a - linear_algebra.apply_transposed(R_WC, np.broadcast_to(g_W, (*R_WC.shape[:-2], 3)))


def relative_orientations(snapshot: Snapshot, of: str, relative_to: str) -> tuple[Array, Array]:
    """Return ``R_WA`` and ``R_WB`` (..., 3, 3) of two frames, which give the rotation of one relative to the other.

    They are relative to a common frame, which is the world if both have a pose in it.
    """
    snapshot, known = _connect(snapshot, of, relative_to, of)
    R_WA, R_WB = (snapshot.R_WF[..., snapshot.index[name], :, :] for name in (relative_to, of))
    if known is None:
        return R_WA, R_WB
    return R_WA, np.where(known[..., np.newaxis, np.newaxis], R_WB, np.nan)


def are_known(snapshot: Snapshot, *names: str) -> NDArray[np.bool_]:
    """Return whether (...) frames have known poses relative to each other."""
    _, known = _connect(snapshot, *names)
    if known is not None:
        return known
    return np.logical_and.reduce([snapshot.is_posed[..., snapshot.index[name]] for name in names])


def _connect(snapshot: Snapshot, *names: str) -> tuple[Snapshot, NDArray[np.bool_] | None]:
    """Return a snapshot with the poses of frames relative to each other, and a mask of the times with such poses.

    The mask is None, and the snapshot is the same object, if all frames have a pose in world, or if the snapshot has no
    relations of frames without such a pose.
    """
    rows = [snapshot.index[name] for name in names]
    if snapshot.derive_adrift is None or snapshot.is_posed[..., rows].all() or snapshot.adrift is None:
        return snapshot, None
    anchors = snapshot.adrift.anchors[..., rows]
    return snapshot.adrift.snapshot, (anchors == anchors[..., :1]).all(axis=-1)


def _mask(known: NDArray[np.bool_], values: Array) -> Array:
    return np.where(known[..., np.newaxis], values, np.nan)


def pose(snapshot: Snapshot, of: str, relative_to: str) -> Transform:
    """Return the pose of one frame in another; raise `ValueError` if a frame has no pose.

    Examples
    --------
    >>> from framescope.core.evaluation.evaluate import compile_plan, evaluate
    >>> from framescope.core.scene.schema.model import Scene
    >>> scene = Scene.model_validate({"framescope": 1, "frames": {"arm": {"parent": "world",
    ...     "position": {"value": [1, 0, 0], "unit": "m"}}}})
    >>> pose(evaluate(compile_plan(scene), 0.0), "world", "arm").p_AB
    array([-1.,  0.,  0.])
    """
    rows = snapshot.index[relative_to], snapshot.index[of]
    X_WA, X_WB = (Transform(snapshot.R_WF[..., i, :, :], snapshot.p_WF[..., i, :]) for i in rows)
    p_AB = linear_algebra.apply_transposed(X_WA.R_AB, _p(snapshot, of, relative_to))
    return Transform((X_WA.inverse() @ X_WB).R_AB, p_AB)


def _R(snapshot: Snapshot, name: str) -> Array:
    return snapshot.R_WF[..., snapshot.index[name], :, :]


def _p(snapshot: Snapshot, of: str, relative_to: str) -> Array:
    """Return the position of one frame's origin relative to another's, resolved in world."""
    return snapshot.offset_W(of, relative_to)


def _lever(snapshot: Snapshot, of: str, relative_to: str) -> Array:
    """Return the position as a lever arm; relative to the world, which is at rest, rounding errors do not matter."""
    j = snapshot.index[relative_to]
    return snapshot.p_WF[..., snapshot.index[of], :] if j == 0 else _p(snapshot, of, relative_to)


def _spatial(snapshot: Snapshot, name: str, angular: Array, linear: Array) -> Array:
    """Return [angular, linear] of a frame, resolved in world; `angular` is resolved in the frame."""
    i = snapshot.index[name]
    in_world = linear_algebra.apply_matrix(snapshot.R_WF[..., i, :, :], angular[..., i, :])
    return np.concatenate([in_world, linear[..., i, :]], axis=-1)


def _resolve(R_WC: Array, vector: Array) -> Array:
    """Resolve a spatial vector in C, given its components in world."""
    halves = [linear_algebra.apply_transposed(R_WC, vector[..., half]) for half in (slice(0, 3), slice(3, 6))]
    return np.concatenate(halves, axis=-1)

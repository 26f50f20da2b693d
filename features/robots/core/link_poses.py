"""Forward kinematics of a robot over time: poses of its links for values of its joints, and the inverse for one joint.

Poses are quaternions (n, 4), scalar last, and positions (n, 3), m, of a frame relative to another.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from framescope.core.kernels import linear_algebra
from framescope.core.kernels.validation import Array
from framescope.features.robots.core.robot import Joint, Placement, Robot
from framescope.features.robots.core.robot_placement import rotation_of

Poses = tuple[Array, Array]
"""Quaternions (n, 4), scalar last, and positions (n, 3), m."""

TURNING = frozenset(("revolute", "continuous"))
"""Types of joints whose value is an angle."""

MOVING = TURNING | {"prismatic"}
"""Types of joints with one value."""

NO_TURN = (0.0, 0.0, 0.0, 1.0)


def quaternion_of(placement: Placement) -> Array:
    """Return the quaternion (4,) of a placement, scalar last.

    >>> quaternion_of(Placement(rpy=(0.0, 0.0, np.pi))).round(3) + 0.0
    array([0., 0., 1., 0.])
    """
    return linear_algebra.quaternion_from_matrix(rotation_of(placement), np.array(NO_TURN))


def compose(first: Poses, second: Poses) -> Poses:
    """Return the poses of a frame C in A from those of B in A and of C in B."""
    (Q_AB, p_AB), (Q_BC, p_BC) = first, second
    p_BC_A = linear_algebra.resolve1_by_quaternion(Q_AB, p_BC)
    return linear_algebra.multiply_quaternions(Q_AB, Q_BC), p_AB + p_BC_A


def joint_poses(joint: Joint, values: Array) -> Poses:
    """Return the poses of a joint's child in its parent.

    Parameters
    ----------
    joint
        A joint of any type; one without a single value counts as fixed.
    values : (n,)
        Values of the joint, rad or m.
    """
    values = np.asarray(values, float)
    n, axis = len(values), np.array(joint.axis, float)
    Q = np.broadcast_to(quaternion_of(joint.placement), (n, 4))
    at = Q, np.broadcast_to(np.array(joint.placement.xyz, float), (n, 3))
    still = np.broadcast_to(np.array(NO_TURN), (n, 4)), np.zeros((n, 3))
    if joint.type in TURNING:
        at = compose(at, (linear_algebra.planar_quaternion(np.broadcast_to(axis, (n, 3)), values), still[1]))
    elif joint.type == "prismatic":
        at = compose(at, (still[0], values[:, np.newaxis] * axis))
    if joint.below == Placement():
        return at
    below = np.broadcast_to(quaternion_of(joint.below), (n, 4)), np.broadcast_to(np.array(joint.below.xyz), (n, 3))
    return compose(at, below)


def joint_values(joint: Joint, poses: Poses) -> tuple[Array, Array, Array]:
    """Return the values of a joint that bring its child nearest to some poses in its parent, and what they leave.

    Parameters
    ----------
    joint
        A joint with one value and without a placement below it, as in URDF.
    poses
        Poses of the child in the parent.

    Returns
    -------
    values : (n,)
        Angles from -pi to pi, or lengths, m.
    turns : (n, 4)
        Remaining rotations in the frame of the joint.
    shifts : (n, 3)
        Remaining displacements in the frame of the joint, m.
    """
    Q, p = poses
    n, axis = len(Q), np.array(joint.axis, float)
    Q_0 = np.broadcast_to(quaternion_of(joint.placement), (n, 4))
    turns = linear_algebra.relative_quaternion(Q_0, Q)
    shifts = linear_algebra.resolve2_by_quaternion(Q_0, p - np.array(joint.placement.xyz))
    if joint.type == "prismatic":
        values = shifts @ axis
        return values, turns, shifts - values[:, np.newaxis] * axis
    values = 2.0 * np.arctan2(turns[:, :3] @ axis, turns[:, 3])
    values = np.arctan2(np.sin(values), np.cos(values))
    along = linear_algebra.planar_quaternion(np.broadcast_to(axis, (n, 3)), values)
    swings = linear_algebra.multiply_quaternions(turns, linear_algebra.conjugate(along))
    return values, swings, shifts


def link_poses(robot: Robot, values: Mapping[str, Array], n: int) -> Mapping[str, Poses]:
    """Return the poses of the links of a robot relative to the root of their tree.

    Links below a moving joint without values are left out. A joint that mimics another follows it, unless it has
    values of its own.

    Parameters
    ----------
    robot
        The robot.
    values
        Values (n,) of joints by name, rad or m.
    n
        Number of times.
    """
    by_name = {joint.name: joint for joint in robot.joints}
    below: dict[str, list[Joint]] = {}
    for joint in robot.joints:
        below.setdefault(joint.parent, []).append(joint)
    still = np.broadcast_to(np.array(NO_TURN), (n, 4)), np.zeros((n, 3))
    poses: dict[str, Poses] = dict.fromkeys(robot.roots, still)
    waiting = list(robot.roots)
    while waiting:
        parent = waiting.pop()
        for joint in below.get(parent, ()):
            own = value_of(joint, by_name, values, n)
            if own is not None and joint.child not in poses:
                poses[joint.child] = compose(poses[parent], joint_poses(joint, own))
                waiting.append(joint.child)
    return poses


def value_of(joint: Joint, by_name: Mapping[str, Joint], values: Mapping[str, Array], n: int) -> Array | None:
    """Return the values (n,) of a joint, of one that mimics another too; None if they are unknown."""
    factor, offset, seen = 1.0, 0.0, {joint.name}
    if joint.type == "fixed":
        return np.zeros(n)
    while joint.name not in values:
        mimic = joint.mimic
        if mimic is None or mimic.joint in seen or mimic.joint not in by_name:
            return None
        seen.add(mimic.joint)
        factor, offset = factor * mimic.multiplier, offset + factor * mimic.offset
        joint = by_name[mimic.joint]
    return factor * np.asarray(values[joint.name], float) + offset if joint.type in MOVING else None

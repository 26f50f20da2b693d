"""Geometric Jacobian of a frame: the velocity that each joint gives it, per unit of the joint's rate."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from framescope.core.evaluation.evaluate import Plan
from framescope.core.evaluation.local_motion import JointValue
from framescope.core.kernels.validation import Array
from framescope.core.scene.edits.joints import is_set_by_hand, joint_of, joint_title, unit_size
from framescope.core.scene.schema.motions import Joint
from framescope.core.snapshot import Snapshot
from framescope.core.time_functions.expressions import parse_expression
from framescope.core.time_functions.parameter_derivative import parameter_derivative


@dataclass(frozen=True, eq=False)
class JointScrew:
    """A joint between the world and a frame, at a moment.

    Attributes
    ----------
    frame, title
        The child frame of the joint, and the title of the joint.
    e_W : (3,)
        Unit vector along its axis, resolved in world.
    p_W : (3,)
        A point on the axis, resolved in world, m.
    is_revolute
        Whether the joint is revolute.
    """

    frame: str
    title: str
    e_W: Array
    p_W: Array
    is_revolute: bool


@dataclass(frozen=True, eq=False)
class Jacobian:
    """Velocity of a frame in world for unit rates of the joints that move it.

    A joint that follows others contributes to their columns, scaled by its ratio. Other motion of the frame, such as
    expressions of time, is held still.

    Attributes
    ----------
    frame
        Name of the frame.
    titles
        Titles of the joints, or parameters that are the value of no joint: one for each column.
    is_revolute : (n,)
        Whether the rate is in rad/s instead of m/s.
    w_W : (3, n)
        Angular velocity of the frame, resolved in world: rad/s per rad/s, or per m/s.
    v_W : (3, n)
        Velocity of its origin, resolved in world: m/s per rad/s, or per m/s.
    screws
        Joints between world and frame, including followers, from the world on.
    """

    frame: str
    titles: tuple[str, ...]
    is_revolute: tuple[bool, ...]
    w_W: Array
    v_W: Array
    screws: tuple[JointScrew, ...]


@dataclass(frozen=True, eq=False)
class VelocityEllipsoid:
    """Velocities of a frame's origin for joint rates of norm 1.

    Attributes
    ----------
    axes_W : (3, 3)
        Unit vectors along its half-axes as columns, resolved in world, the longest first.
    radii : (3,)
        Half-axes, m/s per rad/s: the singular values of the Jacobian of the velocity.
    """

    axes_W: Array
    radii: Array

    @property
    def manipulability(self) -> float:
        """Product of the half-axes, zero if some direction is impossible (Yoshikawa 1985)."""
        return float(np.prod(self.radii))

    @property
    def condition(self) -> float:
        """Ratio of the longest to the shortest half-axis; infinite if that is zero."""
        least = float(self.radii[-1])
        return math.inf if least == 0.0 else float(self.radii[0]) / least


def jacobian(plan: Plan, snapshot: Snapshot, frame: str) -> Jacobian | None:
    """Return the Jacobian of a frame at the moment of a snapshot; None without a pose or a moving joint.

    Notes
    -----
    A revolute joint about e through p gives the frame's origin r the angular velocity e and the velocity e x (r - p). A
    prismatic joint along e gives it the velocity e.

    References
    ----------
    B. Siciliano et al., "Robotics", 2009, section 3.1.3.

    Examples
    --------
    >>> from framescope.core.evaluation.evaluate import compile_plan, evaluate
    >>> from framescope.core.scene.schema.model import Scene
    >>> turn = {"form": "joint", "type": "revolute", "axis": [0, 0, 1], "value": 0, "unit": "rad"}
    >>> arm, tip = {"parent": "world", "motion": turn}, {"parent": "arm", "position": {"value": [2, 0, 0], "unit": "m"}}
    >>> plan = compile_plan(Scene.model_validate({"framescope": 1, "frames": {"arm": arm, "tip": tip}}))
    >>> jacobian(plan, evaluate(plan, 0.0), "tip").v_W.ravel().tolist()
    [0.0, 2.0, 0.0]
    """
    row = plan.index.get(frame)
    if row is None or not snapshot.is_posed[row]:
        return None
    screws = tuple(_screws(plan, snapshot, row))[::-1]
    columns = dict[str, _Column]()
    for screw in screws:
        for name, column, factor in _drivers(plan, screw, float(snapshot.t)):
            existing = columns.setdefault(name, column)
            w, v = velocity_of(screw, snapshot.p_WF[row])
            existing.w_W += factor * w
            existing.v_W += factor * v
    if not columns:
        return None
    values = columns.values()
    return Jacobian(
        frame,
        tuple(column.title for column in values),
        tuple(column.is_revolute for column in values),
        np.column_stack([column.w_W for column in values]),
        np.column_stack([column.v_W for column in values]),
        screws,
    )


def velocity_of(screw: JointScrew, p_W: Array) -> tuple[Array, Array]:
    """Return angular velocity and velocity in world at a point `p_W` for a unit rate of a joint."""
    if screw.is_revolute:
        return screw.e_W, np.cross(screw.e_W, p_W - screw.p_W)
    return np.zeros(3), screw.e_W


def velocity_ellipsoid(J: Jacobian) -> VelocityEllipsoid:
    """Return the ellipsoid of velocities of a frame's origin for joint rates of norm 1.

    Rates of revolute and prismatic joints count alike, 1 rad/s as 1 m/s.
    """
    axes_W, radii, _ = np.linalg.svd(J.v_W)
    return VelocityEllipsoid(axes_W, np.append(radii, np.zeros(3 - len(radii))))


@dataclass
class _Column:
    title: str
    is_revolute: bool
    w_W: Array
    v_W: Array


def _screws(plan: Plan, snapshot: Snapshot, row: int) -> Iterator[JointScrew]:
    """Yield the joints from a frame up to the world."""
    while row > 0:
        motion = plan.tree.motions.get(row)
        if motion is not None and motion.joint is not None:
            yield _screw(plan, snapshot, row, motion.joint)
        row = int(plan.tree.parents[row])


def _screw(plan: Plan, snapshot: Snapshot, row: int, joint: JointValue) -> JointScrew:
    name, e_W = plan.names[row], snapshot.R_WF[row] @ joint.axis
    title = joint_title(plan.scene.frames[name], name)
    return JointScrew(name, title, e_W / np.linalg.norm(e_W), snapshot.p_WF[row], joint.is_revolute)


def _drivers(plan: Plan, screw: JointScrew, t: float) -> Iterator[tuple[str, _Column, float]]:
    """Yield the source of a joint's value, a new column for it, and the derivative of the joint by that source."""
    scene = plan.scene
    joint = joint_of(scene.frames[screw.frame])
    if joint is None:
        return
    if not isinstance(joint.value, str):
        yield f"frame {screw.frame}", _column(screw.title, joint), 1.0
    elif is_set_by_hand(scene, joint):
        yield joint.value.strip(), _column(screw.title, joint), 1.0
    else:
        for name in sorted(parse_expression(joint.value, scene.parameters).mentions - {"t"}):
            rate = parameter_derivative(joint.value, name, t, scene.parameters) * unit_size(joint)
            driver = _driver(plan, name)
            if driver is None:
                yield name, _column(name, joint), rate
            else:
                yield name, _column(*driver), rate / unit_size(driver[1])


def _column(title: str, joint: Joint) -> _Column:
    return _Column(title, joint.type == "revolute", np.zeros(3), np.zeros(3))


def _driver(plan: Plan, parameter: str) -> tuple[str, Joint] | None:
    """Return title and joint whose value is a parameter; None if there is none."""
    for name, frame in plan.scene.frames.items():
        joint = joint_of(frame)
        if joint is not None and isinstance(joint.value, str) and joint.value.strip() == parameter:
            return joint_title(frame, name), joint
    return None

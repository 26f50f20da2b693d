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
    """A joint on the way from the world to a frame, as it stands at a moment.

    Attributes
    ----------
    frame, title
        The frame that is its child, and what the joint is called.
    e_W : (3,)
        Unit vector along its axis, resolved in world.
    p_W : (3,)
        A point on it, from the world's origin, resolved in world, m.
    is_revolute
        Whether it turns.
    """

    frame: str
    title: str
    e_W: Array
    p_W: Array
    is_revolute: bool


@dataclass(frozen=True, eq=False)
class Jacobian:
    """Velocity of a frame in world for unit rates of the joints that move it.

    A joint that follows others counts with those, by how much it follows them. What moves a frame besides, such as
    expressions of the time, is held still.

    Attributes
    ----------
    frame
        The frame.
    titles
        What the joints are called, or the parameters where no joint has one as its value: one for each column.
    is_revolute : (n,)
        Whether a rate is in rad/s, and not in m/s.
    w_W : (3, n)
        Angular velocity of the frame, resolved in world: rad/s per rad/s, or per m/s.
    v_W : (3, n)
        Velocity of its origin, resolved in world: m/s per rad/s, or per m/s.
    screws
        The joints on the way to it, those that follow among them, from the world on.
    """

    frame: str
    titles: tuple[str, ...]
    is_revolute: tuple[bool, ...]
    w_W: Array
    v_W: Array
    screws: tuple[JointScrew, ...]


@dataclass(frozen=True, eq=False)
class VelocityEllipsoid:
    """What a frame's origin can do with joint rates that make a vector of length 1.

    Attributes
    ----------
    axes_W : (3, 3)
        Unit vectors along its half-axes in columns, resolved in world, the longest first.
    radii : (3,)
        Half-axes, m/s per rad/s: the singular values of the Jacobian of the velocity.
    """

    axes_W: Array
    radii: Array

    @property
    def manipulability(self) -> float:
        """The product of the half-axes: zero where there is a direction in which nothing goes (Yoshikawa 1985)."""
        return float(np.prod(self.radii))

    @property
    def condition(self) -> float:
        """The longest half-axis by the shortest; infinite where that is zero."""
        least = float(self.radii[-1])
        return math.inf if least == 0.0 else float(self.radii[0]) / least


def jacobian(plan: Plan, snapshot: Snapshot, frame: str) -> Jacobian | None:
    """Return the Jacobian of a frame at the moment of a snapshot; None where it has no pose, or no joint moves it.

    Notes
    -----
    A joint that turns about e through p gives the frame's origin r the angular velocity e and the velocity e x (r - p),
    one that slides along e the velocity e.

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
            found = columns.setdefault(name, column)
            w, v = velocity_of(screw, snapshot.p_WF[row])
            found.w_W += factor * w
            found.v_W += factor * v
    if not columns:
        return None
    made = columns.values()
    return Jacobian(
        frame,
        tuple(column.title for column in made),
        tuple(column.is_revolute for column in made),
        np.column_stack([column.w_W for column in made]),
        np.column_stack([column.v_W for column in made]),
        screws,
    )


def velocity_of(screw: JointScrew, p_W: Array) -> tuple[Array, Array]:
    """Return angular velocity and velocity, in world, that a unit rate of a joint gives what is rigid behind it."""
    if screw.is_revolute:
        return screw.e_W, np.cross(screw.e_W, p_W - screw.p_W)
    return np.zeros(3), screw.e_W


def velocity_ellipsoid(found: Jacobian) -> VelocityEllipsoid:
    """Return the ellipsoid of velocities of a frame's origin for joint rates of length 1.

    Rates of joints that turn and of those that slide count alike, 1 rad/s as 1 m/s.
    """
    axes_W, radii, _ = np.linalg.svd(found.v_W)
    return VelocityEllipsoid(axes_W, np.append(radii, np.zeros(3 - len(radii))))


@dataclass
class _Column:
    title: str
    is_revolute: bool
    w_W: Array
    v_W: Array


def _screws(plan: Plan, snapshot: Snapshot, row: int) -> Iterator[JointScrew]:
    """Yield the joints from a frame to the world."""
    while row > 0:
        made = plan.tree.motions.get(row)
        if made is not None and made.joint is not None:
            yield _screw(plan, snapshot, row, made.joint)
        row = int(plan.tree.parents[row])


def _screw(plan: Plan, snapshot: Snapshot, row: int, joint: JointValue) -> JointScrew:
    name, e_W = plan.names[row], snapshot.R_WF[row] @ joint.axis
    title = joint_title(plan.scene.frames[name], name)
    return JointScrew(name, title, e_W / np.linalg.norm(e_W), snapshot.p_WF[row], joint.is_revolute)


def _drivers(plan: Plan, screw: JointScrew, t: float) -> Iterator[tuple[str, _Column, float]]:
    """Yield what sets the value of a joint, a new column for it, and how far the joint goes with a unit of that."""
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
    """Return the joint that has a parameter as its value, after what it is called."""
    for name, frame in plan.scene.frames.items():
        joint = joint_of(frame)
        if joint is not None and isinstance(joint.value, str) and joint.value.strip() == parameter:
            return joint_title(frame, name), joint
    return None

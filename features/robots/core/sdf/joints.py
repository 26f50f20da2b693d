"""Joints in SDFormat: placements, axes in named frames, limits, and mimicked joints."""

from __future__ import annotations

import contextlib
import math
from dataclasses import dataclass, field, replace

import numpy as np

from framescope.core.errors import did_you_mean, near_miss
from framescope.core.kernels.validation import Array
from framescope.core.system.xml_elements import Element
from framescope.features.robots.core.robot import (
    Joint,
    JointType,
    Limits,
    Link,
    Mimic,
    Placement,
    Triple,
    robot_problem,
)
from framescope.features.robots.core.robot_placement import inverse, placement_of
from framescope.features.robots.core.sdf.parts import SdfParts
from framescope.features.robots.core.sdf.poses import MODEL, WORLD, PoseError, PoseScope

AXES_IN_JOINT = 1.7
"""Version from which an axis names its frame, and is in the joint's by default."""

AXES_IN_MODEL = 1.5
"""Version from which an axis without a frame is no longer in the frame of the model."""

BOUNDLESS = 1e6
"""Limit of bounds. Larger ones mean no bound, such as the usual 1e16."""

JOINT_TYPES: dict[str, JointType] = {
    "revolute": "revolute",
    "continuous": "continuous",
    "prismatic": "prismatic",
    "fixed": "fixed",
    "ball": "floating",
    "gearbox": "revolute",
    "screw": "revolute",
    "universal": "revolute",
    "revolute2": "revolute",
}
"""Types of joints, with the type of their first axis."""


@dataclass
class WrittenJoint:
    """Joint element with the scope, name prefix and format version that it is read in."""

    element: Element
    scope: PoseScope
    prefix: str
    version: float


@dataclass
class SdfJoints(SdfParts):
    """Joints of all models of a file, and the scopes of their names."""

    scopes: dict[str, tuple[PoseScope, str]] = field(default_factory=dict[str, tuple[PoseScope, str]])
    """Scopes of links and their names there, by their full names."""
    joints: list[WrittenJoint] = field(default_factory=list[WrittenJoint])
    bases: dict[int, Array] = field(default_factory=dict[int, Array])
    """Poses of scopes in the world, by their identity."""
    whole: PoseScope = field(default_factory=PoseScope)
    """Scope that contains all models."""
    unnamed: str = ""
    """Prefix of link names in that scope that their full names lack: the name of a single model."""

    def resolve(self, scope: PoseScope, name: str, where: str, line: int) -> Array:
        """Return the pose of a named item in its scope; if it is undefined, report it and use its written pose."""
        try:
            return scope.pose(name)
        except PoseError as error:
            hint = (
                did_you_mean(self._missing(str(error)), list(scope.items))
                or "Its pose is read as relative to the model."
            )
            self.add(robot_problem(line, "unknown frame", where, f"{error}.", hint, "red"))
            item = scope.items.get(name)
            scope.resolved[name] = np.eye(4) if item is None else item.raw
            return scope.resolved[name]

    @staticmethod
    def _missing(message: str) -> str:
        return message.partition('"')[2].rpartition('"')[0]

    def in_whole(self, scope: PoseScope, name: str, where: str, line: int) -> Array:
        """Return the pose (4, 4) in the world of a named item of a scope."""
        return self.bases[id(scope)] @ self.resolve(scope, name, where, line)

    def read_joints(self) -> tuple[list[Joint], list[Link]]:
        """Return the joints of all models, and the links between the axes of joints with two."""
        joints, links = list[Joint](), list[Link]()
        for written in self.joints:
            chain = self.joint(written)
            for k, joint in enumerate(chain[:-1]):
                links.append(Link(joint.child, line=joint.line))
                chain[k + 1] = replace(chain[k + 1], parent=joint.child)
            joints += chain
        return joints, links

    def joint(self, written: WrittenJoint) -> list[Joint]:
        """Return the joints for one element: two if it has two axes, or both turns and slides."""
        element, scope, prefix = written.element, written.scope, written.prefix
        name, line = element.get("name") or "", self.line(written.element)
        where = f"joint {prefix}{name}"
        ends = [self.end(written, tag, where) for tag in ("parent", "child")]
        if None in ends:
            return []
        parent, child = (end for end in ends if end is not None)
        raw, relative_to = self.pose(element, where)
        try:
            base = scope.pose(relative_to or self.text_of(element, "child") or "")
        except PoseError as error:
            hint = "Its pose is read as relative to its child."
            self.add(robot_problem(line, "unknown frame", where, f"{error}.", hint, "red"))
            base = scope.pose(MODEL)
        M_joint = self.bases[id(scope)] @ base @ raw
        type_ = element.get("type") or ""
        if type_ not in JOINT_TYPES:
            meant = near_miss(type_, JOINT_TYPES)
            hint = f'Did you mean "{meant}"? ' if meant else ""
            self.add(
                robot_problem(
                    line, "joint type", where, f'"{type_[:40]}" is no type of joint.', f"{hint}It is fixed here.", "red"
                )
            )
        kind: JointType = JOINT_TYPES.get(type_, "fixed")
        placement = placement_of(inverse(self.link_pose(parent)) @ M_joint, line)
        below = placement_of(inverse(M_joint) @ self.link_pose(child), line)
        made = Joint(prefix + name, kind, parent, child, placement, line=line, below=below)
        if type_ == "ball":
            hint = "It stays at zero; move the frame of its child by hand."
            self.add(robot_problem(line, "ball joint", where, "a ball joint has no slider.", hint, "note"))
        if kind not in ("revolute", "continuous", "prismatic"):
            return [made]
        first = self.moving(made, written, M_joint, "axis", where)
        if type_ in ("universal", "revolute2"):
            middle = replace(first, child=f"{prefix}{name} axis", below=Placement(line=line))
            second = replace(made, name=f"{prefix}{name} axis 2", placement=Placement(line=line))
            return [middle, self.moving(second, written, M_joint, "axis2", where)]
        if type_ == "screw":
            middle = replace(first, child=f"{prefix}{name} axis", below=Placement(line=line))
            along = Mimic(first.name, self.lead(element, where), line=line)
            slide = replace(first, name=f"{prefix}{name} lead", type="prismatic", placement=Placement(line=line))
            return [middle, replace(slide, limits=None, mimic=along, below=below)]
        if type_ == "gearbox":
            message = "a gearbox is driven by another joint, which is not supported."
            self.add(robot_problem(line, "gearbox", where, message, "It moves independently here.", "note"))
        return [first]

    def end(self, written: WrittenJoint, tag: str, where: str) -> str | None:
        """Return the full name of the link at an end of a joint; None, and a report, if there is none."""
        text = self.text_of(written.element, tag) or ""
        with contextlib.suppress(PoseError):
            if text:
                return self.link_in_whole(written.scope, written.prefix, written.scope.link_of(text))
        names = list(written.scope.items)
        message = f'there is no link "{text[:60]}".' if text else f"it has no <{tag}>."
        hint = did_you_mean(text, names) if text else ""
        self.add(
            robot_problem(
                self.line(written.element),
                "unknown link" if text else "no link",
                where,
                message,
                hint or "It is left out.",
                "red",
            )
        )
        return None

    def link_in_whole(self, scope: PoseScope, prefix: str, link: str) -> str:
        """Return the full name of a link in a scope; raise `PoseError` if there is no such link."""
        if link == WORLD:
            return WORLD
        name = link.removeprefix(self.unnamed) if scope is self.whole else prefix + link
        if name not in self.scopes:
            raise PoseError(f'"{link}" is no link, and not attached to one')
        return name

    def link_pose(self, name: str) -> Array:
        """Return the pose (4, 4) of a link in the world, with all joints at zero."""
        if name == WORLD:
            return np.eye(4)
        scope, own = self.scopes[name]
        return self.in_whole(scope, own, f"link {name}", 0)

    def moving(self, joint: Joint, written: WrittenJoint, M_joint: Array, tag: str, where: str) -> Joint:
        """Return a joint with its axis, its limits, and the joint that it follows."""
        axis = written.element.first(tag)
        if axis is None:
            message = f"it has no <{tag}>."
            self.fault(written.element, "axis zero", where, message, "It is taken as 0 0 1.", severity="red")
            return replace(joint, axis=(0.0, 0.0, 1.0))
        limit, mimic = axis.first("limit"), axis.first("mimic")
        return replace(
            joint,
            axis=self.axis(axis, written, M_joint, where),
            limits=self.limits(limit, where) if limit is not None else Limits(-math.inf, math.inf),
            mimic=None if mimic is None else self.mimic(mimic, written, where),
        )

    def axis(self, axis: Element, written: WrittenJoint, M_joint: Array, where: str) -> Triple:
        """Return the unit axis in the frame of the joint."""
        xyz = axis.first("xyz")
        direction = np.array(self.numbers_in(xyz, 3, where, (0.0, 0.0, 1.0)))
        length = float(np.linalg.norm(direction))
        if length == 0.0:
            self.fault(xyz or axis, "axis zero", where, "its axis is 0 0 0.", "It is taken as 0 0 1.", severity="red")
            return 0.0, 0.0, 1.0
        if abs(length - 1.0) > 1e-3:
            message = f"its axis has the length {length:.6g} instead of 1."
            self.fault(xyz or axis, "axis length", where, message, "It is taken as a direction.")
        named = "" if xyz is None else xyz.get("expressed_in") or ""
        of_model = self.text_of(axis, "use_parent_model_frame") in ("1", "true")
        if not named and written.version < AXES_IN_JOINT and (of_model or written.version < AXES_IN_MODEL):
            named = MODEL
        R = M_joint
        if named:
            R = self.bases[id(written.scope)] @ self.resolve(written.scope, named, where, self.line(axis))
        x, y, z = (M_joint[:3, :3].T @ (R[:3, :3] @ direction / length)).tolist()
        return x, y, z

    def limits(self, limit: Element, where: str) -> Limits:
        """Return the limits of an axis; infinite where the file has none."""

        def bound(name: str) -> float | None:
            element = limit.first(name)
            if element is None:
                return None
            with contextlib.suppress(ValueError):
                if abs(value := float(element.text)) > BOUNDLESS:
                    return math.copysign(math.inf, value)
            return self.numbers_in(element, 1, where, (0.0,))[0]

        lower, upper = bound("lower"), bound("upper")
        lower, upper = -math.inf if lower is None else lower, math.inf if upper is None else upper
        return Limits(lower, upper, bound("velocity"), bound("effort"), self.line(limit))

    def mimic(self, mimic: Element, written: WrittenJoint, where: str) -> Mimic | None:
        """Return the joint that an axis follows; None if the file names none."""
        joint = mimic.get("joint") or ""
        if not joint:
            self.fault(mimic, "mimic", where, "<mimic> names no joint.", "It is left out.", severity="red")
            return None
        keys = (("multiplier", 1.0), ("offset", 0.0), ("reference", 0.0))
        factor, offset, reference = (self.numbers_in(mimic.first(key), 1, where, (usual,))[0] for key, usual in keys)
        suffix = " axis 2" if mimic.get("axis") == "axis2" else ""
        return Mimic(written.prefix + joint + suffix, factor, offset - factor * reference, self.line(mimic))

    def lead(self, element: Element, where: str) -> float:
        """Return the distance that a screw moves along its axis for a rotation of 1 rad, m."""
        pitch, old = element.first("screw_thread_pitch"), element.first("thread_pitch")
        if pitch is not None or old is None:
            return self.numbers_in(pitch, 1, where, (1.0,))[0] / math.tau
        (turns,) = self.numbers_in(old, 1, where, (1.0,))  # rad per m, with opposite sign
        return -1.0 / turns if turns else 0.0

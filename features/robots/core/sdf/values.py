"""Texts, numbers and poses of elements of SDFormat, with faults found in them."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace

import numpy as np

from framescope.core.errors import Problem, Severity
from framescope.core.kernels.validation import Array
from framescope.core.system.xml_elements import Element
from framescope.features.robots.core.robot import Placement, robot_problem
from framescope.features.robots.core.robot_placement import pose_matrix

LARGEST = 1e15
"""Limit of numbers in any unit. Larger numbers are reported and replaced."""


@dataclass
class SdfValues:
    """Reader of the values of elements, with the faults found so far."""

    faults: list[Problem] = field(default_factory=list[Problem])
    foreign: int = 0
    """Nesting depth of included files; their line numbers do not refer to the opened file."""

    def line(self, element: Element) -> int:
        """Return the line of an element."""
        return element.line

    def text_of(self, element: Element, tag: str) -> str | None:
        """Return the text of the first child with a tag; None without text."""
        child = element.first(tag)
        return None if child is None else child.text.strip() or None

    @staticmethod
    def has_pose(element: Element) -> bool:
        """Return whether an element has a pose."""
        return element.first("pose") is not None

    def pose(self, element: Element, where: str) -> tuple[Array, str]:
        """Return the pose (4, 4) of an element as written, and the frame that it is relative to."""
        pose = element.first("pose")
        if pose is None:
            return np.eye(4), ""
        named = pose.get("relative_to") or pose.get("frame") or ""
        is_turned = pose.get("rotation_format") == "quat_xyzw"
        if not pose.text.strip():
            return np.eye(4), named
        usual = (0.0,) * 6 + (1.0,) * is_turned
        numbers = self.numbers_in(pose, len(usual), where, usual)
        if is_turned:
            return self.of_quaternion(pose, numbers, where), named
        x, y, z, *angles = numbers
        if pose.get("degrees") in ("true", "1"):
            angles = [math.radians(angle) for angle in angles]
        roll, pitch, yaw = angles
        return pose_matrix(Placement((x, y, z), (roll, pitch, yaw))), named

    def of_quaternion(self, pose: Element, numbers: tuple[float, ...], where: str) -> Array:
        """Return the pose (4, 4) of a position and a quaternion, scalar last."""
        q = np.array(numbers[3:])
        length = float(np.linalg.norm(q))
        if length < 1e-6:
            self.fault(pose, "quaternion", where, "its quaternion is zero.", "It is taken as no turn.", severity="red")
            q, length = np.array([0.0, 0.0, 0.0, 1.0]), 1.0
        elif abs(length - 1.0) > 1e-3:
            message = f"its quaternion has the length {length:.6g}."
            self.fault(pose, "quaternion", where, message, "It is taken as of length 1.")
        x, y, z, w = q / length
        made = np.eye(4)
        made[:3, :3] = [
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
        ]
        made[:3, 3] = numbers[:3]
        return made

    def numbers_in(
        self, element: Element | None, count: int, where: str, default: tuple[float, ...]
    ) -> tuple[float, ...]:
        """Return the numbers in an element; the default if it is missing or invalid."""
        if element is None:
            return default
        words = element.text.split()
        try:
            numbers = tuple(float(word.replace("_", "?")) for word in words)
        except ValueError:
            numbers = ()
        if len(numbers) != count or not all(abs(value) <= LARGEST for value in numbers):
            expected = "a number" if count == 1 else f"{count} numbers"
            default_text = " ".join(f"{value:g}" for value in default)
            message = f'<{element.tag}> is "{" ".join(words)[:60]}", not {expected}.'
            self.fault(element, "no number", where, message, f"It is taken as {default_text}.", severity="red")
            return default[:count] if len(default) >= count else (*default, *(0.0,) * (count - len(default)))
        return numbers

    def fault(
        self, at: Element, kind: str, where: str, message: str, hint: str = "", *, severity: Severity = "amber"
    ) -> None:
        """Report a fault at an element."""
        self.add(robot_problem(self.line(at), kind, where, message, hint, severity))

    def add(self, fault: Problem) -> None:
        """Report a fault once; a fault in an included file gets line 1."""
        own_fault = replace(fault, line=1) if self.foreign else fault
        if own_fault not in self.faults:
            self.faults.append(own_fault)

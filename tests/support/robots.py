"""Robots in URDF for tests: random healthy ones, and slow forward kinematics by formulas that are not ours."""

from __future__ import annotations

import math
import random
import xml.etree.ElementTree as ET
from dataclasses import dataclass, field

import numpy as np

LETTERS = "abcdefghij_-. 0123456789äß/"


def _numbers(values) -> str:
    return " ".join(repr(float(value)) for value in values)


@dataclass
class MadeRobot:
    """A robot that was made: its text, and between which values each joint that is set by hand may stand."""

    text: str
    ranges: dict[str, tuple[float, float]] = field(default_factory=dict)
    lines: dict[str, int] = field(default_factory=dict)
    """Where the joints and the links stand."""


def healthy_robot(seed: int, n_links: int = 12) -> MadeRobot:
    """Return a random robot without faults: a tree with all types of joints, mimics, shapes and inertias."""
    rng = random.Random(seed)
    links = [f"link {i}{''.join(rng.choices(LETTERS, k=3))}x" for i in range(n_links)]
    out, made = ['<?xml version="1.0"?>', f'<robot name="robot {seed}">'], MadeRobot("")
    for i, link in enumerate(links):
        made.lines[link] = len(out) + 1
        size = [rng.uniform(0.1, 0.6) for _ in range(3)]
        mass = rng.uniform(0.5, 5.0)
        xx, yy, zz = (mass / 12 * (size[(k + 1) % 3] ** 2 + size[(k + 2) % 3] ** 2) for k in range(3))
        out += [
            f'  <link name="{link}">',
            f'    <visual><origin xyz="{_numbers(rng.uniform(-0.1, 0.1) for _ in range(3))}" rpy="0 0 1.5"/>',
            f'      <geometry><box size="{_numbers(size)}"/></geometry></visual>',
            '    <collision><geometry><cylinder radius="0.2" length="0.4"/></geometry></collision>',
            f'    <inertial><origin xyz="0.01 0 0" rpy="0.3 0 0"/><mass value="{mass}"/>',
            f'      <inertia ixx="{xx}" iyy="{yy}" izz="{zz}" ixy="0" ixz="0" iyz="0"/></inertial>',
            "  </link>",
        ]
        if i == 0:
            continue
        joint = f"joint {i}{''.join(rng.choices(LETTERS, k=2))}"
        type_ = rng.choice(["fixed", "revolute", "continuous", "prismatic", "floating", "planar", "revolute"])
        made.lines[joint] = len(out) + 1
        axis = np.array([rng.gauss(0, 1) for _ in range(3)])
        axis /= np.linalg.norm(axis)
        rpy = [rng.uniform(-math.pi, math.pi) for _ in range(3)]
        out += [
            f'  <joint name="{joint}" type="{type_}">',
            f'    <parent link="{rng.choice(links[:i])}"/><child link="{link}"/>',
            f'    <origin xyz="{_numbers(rng.uniform(-1, 1) for _ in range(3))}" rpy="{_numbers(rpy)}"/>',
        ]
        if type_ not in ("fixed", "floating"):
            out.append(f'    <axis xyz="{_numbers(axis)}"/>')
        lower, upper = -rng.uniform(0.1, 2.0), rng.uniform(0.1, 2.0)
        if type_ in ("revolute", "prismatic"):
            out.append(f'    <limit lower="{lower!r}" upper="{upper!r}" effort="10" velocity="2"/>')
        if type_ in ("revolute", "continuous", "prismatic"):
            leaders = list(made.ranges)
            if leaders and rng.random() < 0.25:
                out.append(
                    f'    <mimic joint="{rng.choice(leaders)}" multiplier="{rng.uniform(-2, 2)!r}" offset="0.25"/>'
                )
            else:
                made.ranges[joint] = (-math.pi, math.pi) if type_ == "continuous" else (lower, upper)
        out.append("  </joint>")
    made.text = "\n".join([*out, "</robot>", ""])
    return made


def _rpy(roll: float, pitch: float, yaw: float) -> np.ndarray:
    (cr, cp, cy), (sr, sp, sy) = ([f(a) for a in (roll, pitch, yaw)] for f in (math.cos, math.sin))
    Rx = np.array([[1, 0, 0], [0, cr, -sr], [0, sr, cr]])
    Ry = np.array([[cp, 0, sp], [0, 1, 0], [-sp, 0, cp]])
    Rz = np.array([[cy, -sy, 0], [sy, cy, 0], [0, 0, 1]])
    return Rz @ Ry @ Rx


def _about(axis: np.ndarray, angle: float) -> np.ndarray:
    x, y, z = axis / np.linalg.norm(axis)
    K = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + math.sin(angle) * K + (1 - math.cos(angle)) * K @ K


def slow_poses(text: str, values: dict[str, float]) -> dict[str, np.ndarray]:
    """Return the pose (4, 4) of each link in that of the root, by formulas of the URDF reference."""
    root = ET.fromstring(text)
    joints = {joint.find("child").get("link"): joint for joint in root.findall("joint")}
    named = {joint.get("name"): joint for joint in joints.values()}

    def value(joint) -> float:
        mimic = joint.find("mimic")
        if mimic is None or mimic.get("joint") not in named:  # what follows nothing moves by itself
            return values.get(joint.get("name"), 0.0)
        factor, offset = float(mimic.get("multiplier", 1)), float(mimic.get("offset", 0))
        return factor * value(named[mimic.get("joint")]) + offset

    def pose(link: str) -> np.ndarray:
        joint = joints.get(link)
        if joint is None:
            return np.eye(4)
        origin, axis = joint.find("origin"), joint.find("axis")
        local, moved = np.eye(4), np.eye(4)
        if origin is not None:
            local[:3, 3] = [float(x) for x in origin.get("xyz", "0 0 0").split()]
            local[:3, :3] = _rpy(*(float(x) for x in origin.get("rpy", "0 0 0").split()))
        e = np.array([1.0, 0.0, 0.0] if axis is None else [float(x) for x in axis.get("xyz").split()])
        if joint.get("type") in ("revolute", "continuous"):
            moved[:3, :3] = _about(e, value(joint))
        elif joint.get("type") == "prismatic":
            moved[:3, 3] = value(joint) * e / np.linalg.norm(e)
        return pose(joint.find("parent").get("link")) @ local @ moved

    return {link.get("name"): pose(link.get("name")) for link in root.findall("link")}

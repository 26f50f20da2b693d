"""Robots from models in MJCF: a link for each body, a chain of links for a body with several joints, and shapes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import cast

import numpy as np

from framescope.core import frames
from framescope.core.errors import FramescopeError, Problem
from framescope.core.kernels.validation import Array
from framescope.core.scene.schema.quantities import LARGEST
from framescope.features.robots.core.link_colors import hex_color
from framescope.features.robots.core.mjcf.compiled import (
    Compile,
    CompiledBody,
    CompiledJoint,
    CompiledModel,
    CompiledShape,
    CompileError,
    Pose,
    compile_here,
)
from framescope.features.robots.core.mjcf.source import Find, MjcfSource, NamedMesh, read_source
from framescope.features.robots.core.robot import (
    AttachedFrame,
    BoxShape,
    CapsuleShape,
    CylinderShape,
    EllipsoidShape,
    Geometry,
    Inertial,
    Joint,
    JointType,
    Limits,
    Link,
    MeshShape,
    Mimic,
    Placement,
    Robot,
    RobotShape,
    SphereShape,
    robot_problem,
)
from framescope.features.robots.core.robot_checks import check_robot
from framescope.features.robots.core.robot_placement import inverse, placement_of

WORLD = "world"

SHOWN_GROUPS = 3
"""Number of groups visible in MuJoCo's viewer; shapes that only collide are usually in a later group."""

_LINE = re.compile(r",? ?line (\d+)")


def read_mjcf(data: bytes, stem: str, find: Find, compiler: Compile = compile_here) -> Robot:
    """Return the model of a file as a robot, called `stem` if it has no name.

    Parameters
    ----------
    data
        The file.
    stem
        Name for a model without one.
    find
        Returns included files and meshes by name.
    compiler
        Compiles the model; by default in this process.

    Raises
    ------
    FramescopeError
        When the file is not XML, its root is not ``<mujoco>``, or the compiler rejects it.
    """
    source = read_source(data, find)
    faults = list[Problem](source.faults)
    try:
        model = compiler(source)
    except CompileError as error:
        first = compiler_message(error, source)
        try:
            model = compiler(source.without_meshes) if source.assets else None
        except CompileError:
            model = None
        if model is None:
            raise FramescopeError(first) from None
        message = f"MuJoCo rejects its meshes: {first}"
        hint = "Masses that it would compute from them are wrong."
        faults.append(robot_problem(1, "mesh", "robot", message, hint, "amber"))
    check_numbers(model)
    return _Maker(model, source, faults).robot(stem)


def check_numbers(model: CompiledModel) -> None:
    """Raise a `FramescopeError` for the first part of a compiled model with a number that no scene can hold.

    >>> from framescope.features.robots.core.mjcf.compiled import CompiledMark
    >>> tip = CompiledMark("tip", 0, Pose((1e300, 0, 0), (1, 0, 0, 0)))
    >>> check_numbers(CompiledModel("", (), (), (), (tip,), ()))
    Traceback (most recent call last):
    framescope.core.errors.FramescopeError: site or camera "tip" has the number 1e+300 once MuJoCo has compiled it: \
expected finite numbers of at most 1e+100. Correct its pose or its size, or those of the bodies above it.
    """
    parts = (("body", model.bodies), ("joint", model.joints), ("geom", model.shapes), ("site or camera", model.marks))
    for word, items in parts:
        for item in items:
            wrong = next((number for number in _numbers(item) if not abs(number) <= LARGEST), None)
            if wrong is not None:
                raise FramescopeError(
                    f'{word} "{item.name}" has the number {wrong:g} once MuJoCo has compiled it: expected finite'
                    f" numbers of at most {LARGEST:g}. Correct its pose or its size, or those of the bodies above it."
                )


def _numbers(item: object) -> Iterator[float]:
    """Yield the numbers in nested tuples."""
    if isinstance(item, tuple):
        for part in cast("tuple[object, ...]", item):
            yield from _numbers(part)
    elif isinstance(item, int | float):
        yield item


def compiler_message(error: CompileError, source: MjcfSource) -> str:
    r"""Return the compiler's message, with the line in the file.

    >>> source = read_source(b'<mujoco>\n\n<worldbody/></mujoco>', lambda name: None)
    >>> compiler_message(CompileError("XML Error: no\nElement 'worldbody', line 2"), source)
    "line 3: MuJoCo says: no Element 'worldbody'"
    """
    text = " ".join(str(error).split()).removeprefix("XML Error: ").removeprefix("Error: ")
    match = _LINE.search(text)
    where = ""
    if match is not None and 0 < int(match[1]) <= len(source.lines):
        where, text = f"line {source.lines[int(match[1]) - 1]}: ", _LINE.sub("", text, count=1)
    return f"{where}MuJoCo says: {text}"


@dataclass
class _Maker:
    model: CompiledModel
    source: MjcfSource
    faults: list[Problem]
    names: list[str] = field(default_factory=list[str])
    """Unique names of the bodies."""
    joint_names: list[str] = field(default_factory=list[str])

    def robot(self, stem: str) -> Robot:
        self.names = [WORLD, *_own_names([body.name for body in self.model.bodies[1:]], "body", {WORLD})]
        bare = [joint.name or f"{self.names[joint.body]} joint" for joint in self.model.joints]
        self.joint_names = list(_own_names(bare, "joint", set()))
        joints, between = self.joints()
        links = [*self.links(), *between]
        if not self.model.shapes_of(0) and all(joint.parent != WORLD for joint in joints):
            links = links[1:]
        name = self.model.name if self.model.name != "MuJoCo Model" else ""
        robot = Robot(name or stem, tuple(links), tuple(joints), tuple(self.faults), tuple(self.frames()))
        return check_robot(robot, 1, has_one_root=False)

    def line_of(self, tag: str, name: str) -> int:
        return self.source.named.get((tag, name), 0)

    # --- Joints

    def joints(self) -> tuple[list[Joint], list[Link]]:
        """Return the joints of all bodies, and the links between the joints of a body with several."""
        joints, links = list[Joint](), list[Link]()
        own: dict[int, list[tuple[int, CompiledJoint]]] = {}
        for i, joint in enumerate(self.model.joints):
            own.setdefault(joint.body, []).append((i, joint))
        for i, body in enumerate(self.model.bodies[1:], start=1):
            moving = own.get(i, [])
            if any(joint.type == "free" for _, joint in moving):
                continue
            chain = self.chain(i, body, moving)
            links += [Link(joint.child, line=joint.line) for joint in chain[:-1]]
            joints += chain
        return joints, links

    def chain(self, i: int, body: CompiledBody, moving: Sequence[tuple[int, CompiledJoint]]) -> list[Joint]:
        """Return the chain of joints between a body and its parent; a fixed joint for a body without joints."""
        name, parent, base = self.names[i], self.names[body.parent], matrix_of(body.pose)
        line = self.line_of("body", body.name)
        if not moving:
            return [Joint(f"{name} on {parent}", "fixed", parent, name, placement_of(base, line), line=line)]
        chain = list[Joint]()
        for k, (j, joint) in enumerate(moving):
            child = name if k == len(moving) - 1 else f"{name} after {self.joint_names[j]}"
            chain.append(self.joint(j, joint, parent, child, base))
            parent, base = child, np.eye(4)
        return chain

    def joint(self, j: int, joint: CompiledJoint, parent: str, child: str, base: Array) -> Joint:
        """Return a joint whose child has the pose `base` in the parent at the joint value `joint.zero`."""
        name, line = self.joint_names[j], self.line_of("joint", joint.name)
        if joint.type == "slide":
            back = np.eye(4)
            back[:3, 3] = -joint.zero * np.array(joint.axis)
            to_joint, to_child = base, back
        else:
            anchor = np.eye(4)
            anchor[:3, 3] = joint.position
            to_joint, to_child = base @ anchor, inverse(anchor)
            if joint.type == "hinge":
                to_child = turned_about(joint.axis, -joint.zero) @ to_child
        kinds: dict[str, JointType] = {
            "slide": "prismatic",
            "hinge": "continuous" if joint.range is None else "revolute",
        }
        if joint.type == "ball":
            hint = "It stays at zero; move the frame of its body by hand."
            self.faults.append(
                robot_problem(line, "ball joint", f"joint {name}", "a ball joint has no slider.", hint, "note")
            )
        made = Joint(
            name,
            kinds.get(joint.type, "floating"),
            parent,
            child,
            placement_of(to_joint, line),
            axis=joint.axis,
            limits=Limits(*(joint.range or (-np.inf, np.inf)), line=line),
            line=line,
            below=placement_of(to_child, line),
        )
        return replace(made, mimic=self.mimic(j, name, line))

    def mimic(self, j: int, name: str, line: int) -> Mimic | None:
        """Return the coupling of a joint to another; None without one."""
        for coupling in self.model.couplings:
            if coupling.joint != j:
                continue
            if coupling.leader < 0:
                self.tell(line, name, "it is fixed at a value.", "It can be moved here.")
                return None
            at, of = self.model.joints[j].zero, self.model.joints[coupling.leader].zero
            constant, slope, *higher = coupling.coefficients
            if any(higher):
                self.tell(line, name, "it follows another joint by a curve.", "The linear part of the curve is used.")
            return Mimic(self.joint_names[coupling.leader], slope, at + constant - slope * of, line)
        return None

    def tell(self, line: int, name: str, message: str, hint: str) -> None:
        self.faults.append(robot_problem(line, "coupling", f"joint {name}", message, hint, "note"))

    # --- Links

    def links(self) -> Iterator[Link]:
        for i, body in enumerate(self.model.bodies):
            shapes = self.model.shapes_of(i)
            visuals, collisions = self.split(shapes)
            free = any(joint.body == i and joint.type == "free" for joint in self.model.joints)
            yield Link(
                self.names[i],
                _inertial(body) if body.mass > 0.0 else None,
                tuple(visuals),
                tuple(collisions),
                self.line_of("body", body.name),
                placement_of(matrix_of(body.pose)) if free else Placement(),
            )

    def split(self, shapes: Sequence[CompiledShape]) -> tuple[list[Geometry], list[Geometry]]:
        """Return the visual and the collision shapes of a body, which may be the same."""
        seen = [shape for shape in shapes if not shape.collides]
        visuals = seen or [shape for shape in shapes if shape.group < SHOWN_GROUPS]
        collisions = [shape for shape in shapes if shape.collides]
        return list(self.geometries(visuals, is_reported=True)), list(self.geometries(collisions, is_reported=False))

    def geometries(self, shapes: Sequence[CompiledShape], *, is_reported: bool) -> Iterator[Geometry]:
        for geom in shapes:
            line = self.line_of("geom", geom.name)
            shape = self.shape(geom)
            if shape is None:
                if is_reported and geom.type != "plane":
                    where = f"link {self.names[geom.body]}"
                    self.faults.append(
                        robot_problem(line, "no shape", where, f"a {geom.type} is not drawn.", "", "note")
                    )
                continue
            pose = matrix_of(geom.pose)
            if isinstance(shape, MeshShape):
                pose = pose @ inverse(matrix_of(geom.mesh_pose)) @ self.reference(geom)
            *rgb, alpha = geom.color
            color = hex_color(rgb)
            yield Geometry(shape, placement_of(pose, line), color, min(max(alpha, 0.0), 1.0), geom.name, line)

    def shape(self, geom: CompiledShape) -> RobotShape | None:
        x, y, z = geom.size
        match geom.type:
            case "sphere":
                return SphereShape(x)
            case "capsule":
                return CapsuleShape(x, 2.0 * y)
            case "ellipsoid":
                return EllipsoidShape(geom.size)
            case "cylinder":
                return CylinderShape(x, 2.0 * y)
            case "box":
                return BoxShape((2.0 * x, 2.0 * y, 2.0 * z))
            case "mesh" | "sdf" if geom.mesh in self.source.meshes:
                return MeshShape(self.source.meshes[geom.mesh].file, geom.scale)
            case _:
                return None

    def reference(self, geom: CompiledShape) -> Array:
        """Return the pose to which the reference in the file moves the scaled points of a mesh."""
        mesh = self.source.meshes[geom.mesh]
        length = float(np.linalg.norm(mesh.quaternion))
        if length == 0.0 or mesh == NamedMesh(mesh.file):
            return np.eye(4)
        w, x, y, z = (part / length for part in mesh.quaternion)
        turned = inverse(matrix_of(Pose((0.0, 0.0, 0.0), (w, x, y, z))))
        if abs(w) < 1.0 and len(set(geom.scale)) > 1:
            message = f"{mesh.file} is rotated before it is scaled unevenly."
            where = f"link {self.names[geom.body]}"
            self.faults.append(
                robot_problem(self.line_of("mesh", geom.mesh), "mesh", where, message, "It is scaled first here.")
            )
        moved = np.eye(4)
        moved[:3, 3] = -np.array(geom.scale) * mesh.position
        return turned @ moved

    def frames(self) -> Iterator[AttachedFrame]:
        """Yield the frames of named sites and cameras."""
        for mark in self.model.marks:
            if mark.name:
                yield AttachedFrame(mark.name, self.names[mark.body], placement_of(matrix_of(mark.pose)))


def _own_names(names: Sequence[str], word: str, taken: set[str]) -> Iterator[str]:
    """Yield the names, each made unique; an empty one becomes a word and a number."""
    taken = taken | set(names)
    used = set[str]()
    for name in names:
        own = name or f"{word} 1"
        n = 1
        while own in used or (not name and own in taken):
            n += 1
            own = f"{name or word} {n}"
        used.add(own)
        yield own


def _inertial(body: CompiledBody) -> Inertial:
    xx, yy, zz = body.inertia
    return Inertial(body.mass, xx, yy, zz, 0.0, 0.0, 0.0, placement_of(matrix_of(body.center)))


def matrix_of(pose: Pose) -> Array:
    """Return a pose as a matrix (4, 4) from the frame into its parent.

    >>> matrix_of(Pose((1.0, 2.0, 3.0), (0.5, 0.5, 0.5, 0.5)))[:3].tolist()
    [[0.0, 0.0, 1.0, 1.0], [1.0, 0.0, 0.0, 2.0], [0.0, 1.0, 0.0, 3.0]]
    """
    w, x, y, z = pose.quaternion
    M = np.eye(4)
    M[:3, 3] = pose.position
    M[:3, :3] = frames.from_Q([x, y, z, w], np.zeros(3)).T.T
    return M


def turned_about(axis: Sequence[float], angle: float) -> Array:
    """Return the rotation (4, 4) about a unit axis, from the rotated frame into the other.

    >>> turned_about((0, 0, 1), np.pi / 2).round(12)[:2, :2].tolist()
    [[0.0, -1.0], [1.0, 0.0]]
    """
    M = np.eye(4)
    M[:3, :3] = frames.planar_rotation(axis, angle, 0.0).T.T
    return M

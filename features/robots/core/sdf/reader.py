"""Reader of SDFormat, the format of Gazebo (http://sdformat.org/spec): models and worlds of all versions since 1.4.

Links become a tree as in URDF. Poses relative to named frames are resolved, so that each joint has a placement in its
parent link, and its child one in the joint. Faulty files open with reported faults.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import islice

import numpy as np

from framescope.core.errors import FramescopeError
from framescope.core.kernels.validation import Array
from framescope.core.system.xml_elements import Element, read_elements
from framescope.features.robots.core.robot import (
    AttachedFrame,
    Link,
    Robot,
    RobotSensor,
    robot_problem,
)
from framescope.features.robots.core.robot_checks import check_robot
from framescope.features.robots.core.robot_placement import inverse, placement_of
from framescope.features.robots.core.sdf.joints import WrittenJoint
from framescope.features.robots.core.sdf.poses import MODEL, SEPARATOR, WORLD, PosedItem, PoseError, PoseScope
from framescope.features.robots.core.sdf.sensors import MAX_SENSORS, SdfSensors

MAX_DEPTH = 20
"""Limit of nested models, including included ones."""

MAX_MODELS = 2000

ROOTS = ("sdf", "gazebo")

Find = Callable[[str], bytes | None]
"""Function that returns the model file of an ``<include>`` by its URI; None if it is missing."""


def find_nothing(_uri: str) -> None:
    """Return no included model."""


def read_sdf(data: bytes, stem: str = "model", find: Find = find_nothing) -> Robot:
    """Return the models of a file as one robot, called `stem` if it has no name.

    Raises
    ------
    FramescopeError
        When the file is not XML, or its root is not one of SDFormat.

    Examples
    --------
    >>> robot = read_sdf(b'''<sdf version="1.9"><model name="arm"><link name="base"/>
    ... <link name="hand"><pose relative_to="base">0 0 1 0 0 0</pose></link>
    ... <joint name="elbow" type="revolute"><parent>base</parent><child>hand</child>
    ... <axis><xyz>0 0 1</xyz></axis></joint></model></sdf>''')
    >>> robot.roots, robot.joints[0].placement.xyz
    (('base',), (0.0, 0.0, 1.0))
    """
    root = read_elements(data)
    if root.tag not in ROOTS:
        raise FramescopeError(f"line {root.line}: an SDF begins with <sdf>, and this with <{root.tag}>.")
    return _Reader(stem=stem, find=find).robot(root)


@dataclass
class _Reader(SdfSensors):
    stem: str = "model"
    find: Find = find_nothing
    links: list[tuple[Element, PoseScope, str, str]] = field(default_factory=list[tuple[Element, PoseScope, str, str]])
    """Link elements, with the scope of their names, the prefix of their full names, and their own names."""
    frames: list[tuple[Element, PoseScope, str]] = field(default_factory=list[tuple[Element, PoseScope, str]])
    n_models: int = 0

    def robot(self, root: Element) -> Robot:
        version = self.version(root)
        holders = [root, *root.all("world")]
        models = [model for holder in holders for model in holder.children if model.tag in ("model", "include")]
        is_alone = len(models) == 1
        for world in root.all("world"):
            self.read_frames(world, self.whole, "")
        for model in models:
            self.model(model, self.whole, version, None if is_alone else "", 0)
        if is_alone:
            self.unnamed = "".join(f"{name}{SEPARATOR}" for name in self.whole.nested)
        for world in root.all("world"):
            for joint in world.all("joint"):
                self.joint_name(joint, self.whole, "", version)
        self.place(self.whole, np.eye(4))
        links = list(self.read_links())
        joints, made = self.read_joints()
        attached = tuple(self.attached_frames())
        named = self.own_text(models[0]) if is_alone else ""
        worlds = (world.get("name") for world in root.all("world"))
        name = named or next(filter(None, worlds), "") or self.stem
        needs_world = any(joint.parent == WORLD for joint in joints)
        links += made
        if needs_world and all(link.name != WORLD for link in links):
            links.insert(0, Link(WORLD, line=root.line))
        sensors = tuple(islice(self.read_sensors(), MAX_SENSORS))
        robot_read = Robot(name, tuple(links), tuple(joints), tuple(self.faults), attached, sensors)
        return check_robot(robot_read, root.line, has_one_root=False, has_loops=True)

    # --- Scopes

    def version(self, root: Element) -> float:
        text = root.get("version")
        with contextlib.suppress(ValueError):
            if text is not None and math.isfinite(float(text)):
                return float(text)
        hint = "It is read as 1.7."
        self.fault(root, "version", "robot", "the version of the format is missing.", hint, severity="note")
        return 1.7

    def model(self, element: Element, outer: PoseScope, version: float, prefix: str | None, depth: int) -> None:
        """Read a model or an included model into a scope of its own.

        `prefix` precedes its name in the full names of its links; None to leave out even its name.
        """
        self.n_models += 1
        if self.n_models > MAX_MODELS or depth > MAX_DEPTH:
            raise FramescopeError(f"line {element.line}: there are too many models, or too many in each other.")
        body, is_included = element, element.tag == "include"
        if is_included:
            included = self.find_included(element)
            if included is None:
                return
            body, version = included
        name = self.own_name(element, body, outer)
        scope = PoseScope(placement_frame=self.text_of(element, "placement_frame") or body.get("placement_frame") or "")
        raw, relative_to = self.pose(element if self.has_pose(element) or not is_included else body, f"model {name}")
        outer.items[name] = PosedItem(raw, relative_to, name, element.line)
        outer.nested[name] = scope
        below = "" if prefix is None else prefix + name + SEPARATOR
        self.foreign += is_included
        for link in body.all("link"):
            self.link_name(link, scope, below)
        self.read_frames(body, scope, below)
        for joint in body.all("joint"):
            self.joint_name(joint, scope, below, version)
        for inner in (child for child in body.children if child.tag in ("model", "include")):
            self.model(inner, scope, version, below, depth + 1)
        self.foreign -= is_included
        scope.canonical = body.get("canonical_link") or next(
            (link.get("name") or "" for link in body.all("link")), next(iter(scope.nested), "")
        )
        if self.text_of(body, "static") in ("true", "1") and depth == 0:
            self.fault(
                element, "static", f"model {name}", "it is static.", "Its joints can be moved here.", severity="note"
            )

    def own_text(self, element: Element) -> str:
        return self.text_of(element, "name") or element.get("name") or ""

    def own_name(self, element: Element, body: Element, outer: PoseScope) -> str:
        name = self.own_text(element) or body.get("name") or ""
        if not name:
            name = self.stem
            self.fault(element, "no name", "a model", "the model has no name.", f'It is called "{name}" here.')
        if name in outer.items:
            new = next(candidate for n in range(2, 10**9) if (candidate := f"{name} {n}") not in outer.items)
            message = "another one has that name."
            self.fault(element, "name twice", f"model {name}", message, f'It is called "{new}" here.')
            return new
        return name

    def find_included(self, element: Element) -> tuple[Element, float] | None:
        uri = self.text_of(element, "uri") or ""
        try:
            data = self.find(uri)
            root = None if data is None else read_elements(data)
        except FramescopeError as error:
            message = f"{uri[:120]}: {error}"
            self.fault(element, "no model", "an <include>", message, "It is left out.", severity="red")
            return None
        model = None if root is None else root.first("model")
        if root is None or model is None:
            message = f"there is no model {uri[:120]}."
            hint = "Put its folder beside that of this file. It is left out."
            self.fault(element, "no model", "an <include>", message, hint, severity="red")
            return None
        return model, self.version(root)

    def link_name(self, element: Element, scope: PoseScope, prefix: str) -> None:
        name = element.get("name") or ""
        if not name:
            name = next(candidate for n in range(1, 10**9) if (candidate := f"link {n}") not in scope.items)
            self.fault(element, "no name", "a link", "the link has no name.", f'It is called "{name}" here.')
        where = f"link {prefix}{name}"
        self.check_reserved(element, name, where)
        raw, relative_to = self.pose(element, where)
        if name in scope.items:
            message = f"something else has that name, in line {scope.items[name].line}."
            self.fault(element, "name twice", where, message, "It is left out.", severity="red")
            return
        scope.items[name] = PosedItem(raw, relative_to, name, element.line)
        self.links.append((element, scope, prefix, name))
        self.scopes[prefix + name] = scope, name

    def read_frames(self, holder: Element, scope: PoseScope, prefix: str) -> None:
        for element in holder.all("frame"):
            name = element.get("name") or ""
            where = f"frame {prefix}{name}"
            if not name or name in scope.items:
                message = "it has no name." if not name else "something else has that name."
                self.fault(
                    element, "name twice" if name else "no name", where, message, "It is left out.", severity="red"
                )
                continue
            self.check_reserved(element, name, where)
            raw, relative_to = self.pose(element, where)
            attached_to = element.get("attached_to") or (WORLD if holder.tag == "world" else MODEL)
            scope.items[name] = PosedItem(raw, relative_to or attached_to, attached_to, element.line)
            self.frames.append((element, scope, prefix))

    def joint_name(self, element: Element, scope: PoseScope, prefix: str, version: float) -> None:
        name = element.get("name") or ""
        if not name:
            name = next(candidate for n in range(1, 10**9) if (candidate := f"joint {n}") not in scope.items)
            element.attributes["name"] = name
            self.fault(element, "no name", "a joint", "the joint has no name.", f'It is called "{name}" here.')
        where = f"joint {prefix}{name}"
        self.check_reserved(element, name, where)
        child = self.text_of(element, "child") or ""
        raw, relative_to = self.pose(element, where)
        if name not in scope.items:  # before 1.7, a link and a joint could share a name; the link keeps it
            scope.items[name] = PosedItem(raw, relative_to or child, child, element.line)
        self.joints.append(WrittenJoint(element, scope, prefix, version))

    def check_reserved(self, element: Element, name: str, where: str) -> None:
        if SEPARATOR in name or (name.startswith("__") and name.endswith("__")) or name == WORLD:
            message = f'"{name[:60]}" is a reserved name, or holds ::.'
            self.fault(element, "reserved name", where, message, "Rename it.")

    def place(self, scope: PoseScope, base: Array) -> None:
        """Compute the poses of all scopes in the world."""
        self.bases[id(scope)] = base
        for name, inner in scope.nested.items():
            self.place(inner, base @ self.resolve(scope, name, f"model {name}", scope.items[name].line))

    # --- Links

    def read_links(self) -> Iterator[Link]:
        for element, scope, prefix, name in self.links:
            where = f"link {prefix}{name}"
            inertial = element.first("inertial")
            yield Link(
                prefix + name,
                None if inertial is None else self.inertial(inertial, where),
                tuple(self.geometries(element.all("visual"), where)),
                tuple(self.geometries(element.all("collision"), where)),
                self.line(element),
                placement_of(self.in_whole(scope, name, where, element.line), self.line(element)),
            )

    def read_sensors(self) -> Iterator[RobotSensor]:
        """Yield the sensors of all links, with a note on the axes of cameras."""
        for element, scope, prefix, name in self.links:
            for sensor in self.sensors_of(element, scope, prefix, name):
                if sensor.camera is not None:
                    message = "its camera looks along x of its frame, with y left and z up, as SDF has it."
                    hint = "Its image has axes x right, y down, z forward, which a frame of its own has here."
                    where = f"sensor {sensor.name}"
                    self.add(robot_problem(sensor.line, "camera axes", where, message, hint, "note"))
                yield sensor

    # --- Frames

    def attached_frames(self) -> Iterator[AttachedFrame]:
        """Yield the frames other than links, each in the link that it moves with."""
        for element, scope, prefix in self.frames:
            name, line = element.get("name") or "", self.line(element)
            where = f"frame {prefix}{name}"
            try:
                whole = self.link_in_whole(scope, prefix, scope.link_of(name))
            except PoseError as error:
                self.add(robot_problem(line, "unknown frame", where, f"{error}.", "It is left out.", "red"))
                continue
            M = inverse(self.link_pose(whole)) @ self.in_whole(scope, name, where, line)
            yield AttachedFrame(prefix + name, whole, placement_of(M, line))

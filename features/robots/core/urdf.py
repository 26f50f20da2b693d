"""Reader of URDF, the robot format of ROS (https://wiki.ros.org/urdf/XML). Faulty files open with reported faults."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Iterable
from dataclasses import dataclass, field

from framescope.core.errors import FramescopeError, Problem, Severity, near_miss
from framescope.core.system.xml_elements import Element, read_elements
from framescope.features.robots.core.link_colors import Color, gazebo_color, hex_color
from framescope.features.robots.core.robot import (
    JOINT_TYPES,
    BoxShape,
    CapsuleShape,
    CylinderShape,
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
    Triple,
    robot_problem,
)
from framescope.features.robots.core.robot_checks import check_robot

CHILDREN = {
    "robot": ("link", "joint", "material", "transmission", "gazebo", "sensor", "ros2_control", "group", "version"),
    "link": ("inertial", "visual", "collision", "contact", "sensor", "audio", "self_collision_checking", "gravity"),
    "joint": ("origin", "parent", "child", "axis", "limit", "mimic", "dynamics", "calibration", "safety_controller"),
    "inertial": ("origin", "mass", "inertia"),
    "visual": ("origin", "geometry", "material"),
    "collision": ("origin", "geometry", "material", "verbose", "contact_coefficients"),
    "geometry": ("box", "cylinder", "sphere", "mesh", "capsule"),
    "material": ("color", "texture"),
}
"""Child elements by element. Others are ignored without a fault, unless their name resembles one of these or belongs in
another element."""

IN_JOINT = ("parent", "child", "axis", "limit", "mimic", "dynamics", "calibration", "safety_controller")
PLACES = {
    **dict.fromkeys(CHILDREN["geometry"], "<visual><geometry>"),
    **dict.fromkeys(("mass", "inertia"), "<inertial>"),
    **dict.fromkeys(IN_JOINT, "<joint>"),
    **dict.fromkeys(("inertial", "visual", "collision"), "<link>"),
    **dict.fromkeys(("link", "joint"), "<robot>"),
    **dict.fromkeys(("color", "texture"), "<material>"),
    "geometry": "<visual> or <collision>",
    "material": "<visual>",
    "origin": "<visual>, <collision>, <inertial> or <joint>",
}
"""Parents of elements, for the hint about a misplaced one."""

ATTRIBUTES = {
    "xyz": '<origin xyz="0 0 1"/>, or <axis xyz="0 0 1"/> in a joint',
    "rpy": '<origin rpy="0 0 1.57"/>',
    "pose": '<origin xyz="0 0 1" rpy="0 0 1.57"/>',
    "size": '<box size="1 1 1"/>',
    "radius": '<sphere radius="1"/>',
    "length": '<cylinder radius="1" length="1"/>',
    "filename": '<mesh filename="package://…"/>',
    "uri": '<mesh filename="package://…"/>',
    "scale": '<mesh scale="1 1 1" filename="package://…"/>',
    "rgba": '<color rgba="1 0 0 1"/>',
    "lower": '<limit lower="-1" upper="1"/>',
    "upper": '<limit lower="-1" upper="1"/>',
    "effort": '<limit effort="1" velocity="1"/>',
    "velocity": '<limit effort="1" velocity="1"/>',
    **dict.fromkeys(("ixx", "ixy", "ixz", "iyy", "iyz", "izz"), '<inertia ixx="1" …/>'),
}
"""Attributes of URDF, which are elements in SDF, with an example of each."""

_GREY = (0.75, 0.75, 0.75, 1.0)


def read_urdf(data: bytes, stem: str = "robot") -> Robot:
    """Return the robot of a URDF file, called `stem` if it has no name.

    Raises
    ------
    FramescopeError
        When the file is not XML, with the line as `XmlError`, or its root is not ``<robot>``.

    Examples
    --------
    >>> robot = read_urdf(b'''<robot name="arm"><link name="base"/><link name="hand"/>
    ... <joint name="elbow" type="revolute"><parent link="base"/><child link="hand"/>
    ... <origin xyz="0 0 1"/><axis xyz="0 2 0"/><limit lower="0" upper="1"/></joint></robot>''')
    >>> robot.roots, robot.joints[0].axis
    (('base',), (0.0, 1.0, 0.0))
    >>> [(fault.line, fault.kind) for fault in robot.faults]
    [(3, 'axis length')]
    """
    root = read_elements(data)
    if root.tag != "robot":
        raise FramescopeError(f"line {root.line}: a URDF begins with <robot>, and this with <{root.tag}>.")
    return _Reader(stem).robot(root)


@dataclass
class _Reader:
    """State of reading: robot parts so far, and faults."""

    stem: str
    faults: list[Problem] = field(default_factory=list[Problem])
    colors: dict[str, Color] = field(default_factory=dict[str, Color])
    gazebo_colors: dict[str, Color] = field(default_factory=dict[str, Color])
    """Colours that elements for Gazebo give to links."""
    unheld: set[str] = field(default_factory=set[str])
    """Links whose joint to a parent is left out."""

    def robot(self, root: Element) -> Robot:
        name = root.get("name") or ""
        if not name:
            self.fault(root, "no name", "robot", "the robot has no name.", f'It gets the name "{self.stem}".')
        macros = sorted({child.tag for child in root.children if child.tag.startswith("xacro:")})
        if macros:
            message = f"it is a xacro, which is not expanded: {', '.join(f'<{tag}>' for tag in macros)}."
            hint = "Run `xacro robot.urdf.xacro > robot.urdf`, and open that."
            self.fault(root, "xacro", "robot", message, hint, severity="red")
        self.check_children(root, "robot")
        for material in root.all("material"):
            if (color := self.rgba(material, "robot")) is not None:
                self.colors.setdefault(material.get("name") or "", color)
        for extension in root.all("gazebo"):
            material = extension.first("material")
            color = None if material is None else gazebo_color(material.text.strip())
            if color is not None:
                self.gazebo_colors[extension.get("reference") or ""] = color
        links = [self.link(element, i) for i, element in enumerate(root.all("link"), start=1)]
        joints = [self.joint(element, i) for i, element in enumerate(root.all("joint"), start=1)]
        read = [joint for joint in joints if joint is not None]
        robot = Robot(name or self.stem, tuple(links), tuple(read), tuple(self.faults))
        return check_robot(robot, root.line, left_out=frozenset(self.unheld))

    def fault(
        self, at: Element, kind: str, where: str, message: str, hint: str = "", *, severity: Severity = "amber"
    ) -> None:
        self.faults.append(robot_problem(at.line, kind, where, message, hint, severity))

    def check_children(self, element: Element, where: str) -> None:
        """Report elements whose names resemble an expected one, that belong elsewhere, or that are attributes."""
        expected = CHILDREN[element.tag]
        self.check_attributes(element, where)
        for child in element.children:
            if child.tag in expected and child.tag not in CHILDREN:
                self.check_attributes(child, where)
            if child.tag in expected or child.tag in ATTRIBUTES or ":" in child.tag:
                continue
            if child.tag in PLACES:
                message = f"<{child.tag}> has no meaning in <{element.tag}>."
                hint = f"It belongs in {PLACES[child.tag]}. It is left out."
                self.fault(child, "misplaced element", where, message, hint)
                continue
            similar = near_miss(child.tag, expected)
            if similar is not None:
                message = f"<{child.tag}> has no meaning in <{element.tag}>."
                self.fault(child, "unknown element", where, message, f"Did you mean <{similar}>?")

    def check_attributes(self, element: Element, where: str) -> None:
        """Report the elements in an element that URDF writes as attributes."""
        for child in element.children:
            if child.tag in ATTRIBUTES:
                message = f"<{child.tag}> in <{element.tag}> is an attribute in URDF."
                hint = f"Write {ATTRIBUTES[child.tag]}. It is left out."
                self.fault(child, "misplaced element", where, message, hint)

    # --- Numbers

    def numbers(self, at: Element, name: str, count: int, where: str, default: tuple[float, ...]) -> tuple[float, ...]:
        """Return the numbers in an attribute; the default if it is missing or invalid."""
        text = at.get(name)
        if text is None:
            return default
        words = text.replace(",", " ").split()
        try:
            values = tuple(float(word.replace("_", "?")) for word in words)
        except ValueError:
            values = ()
        if len(values) != count or not all(abs(value) <= LARGEST for value in values):
            expected = "a number" if count == 1 else f"{count} numbers"
            default_text = " ".join(f"{value:g}" for value in default)
            message = f'{name} of <{at.tag}> is "{text[:60]}", not {expected}.'
            self.fault(at, "no number", where, message, f"It is taken as {default_text}.", severity="red")
            return default
        if "," in text:
            message = f'{name} of <{at.tag}> is "{text[:60]}", with commas.'
            self.fault(at, "commas", where, message, "Separate numbers by blanks: ROS accepts no commas.")
        return values

    def number(self, at: Element, name: str, where: str, default: float) -> float:
        return self.numbers(at, name, 1, where, (default,))[0]

    def bound(self, at: Element, name: str, where: str) -> float | None:
        """Return an optional bound; infinite if it exceeds `BOUNDLESS`."""
        text = at.get(name)
        if text is None:
            return None
        with contextlib.suppress(ValueError):
            if abs(value := float(text)) > BOUNDLESS:
                return math.copysign(math.inf, value)
        return self.number(at, name, where, 0.0)

    def triple(self, at: Element, name: str, where: str, default: Triple) -> Triple:
        x, y, z = self.numbers(at, name, 3, where, default)
        return x, y, z

    def placement(self, of: Element, where: str) -> Placement:
        origin = of.first("origin")
        if origin is None:
            return Placement(line=of.line)
        xyz = self.triple(origin, "xyz", where, (0.0, 0.0, 0.0))
        return Placement(xyz, self.triple(origin, "rpy", where, (0.0, 0.0, 0.0)), origin.line)

    # --- Links

    def link(self, element: Element, i: int) -> Link:
        name = element.get("name") or ""
        where = f"link {name}" if name else "a link"
        if not name:
            name = f"link {i}"
            self.fault(element, "no name", where, "the link has no name.", f'It gets the name "{name}".')
        self.check_children(element, where)
        inertial = element.first("inertial")
        return Link(
            name,
            None if inertial is None else self.inertial(inertial, where),
            tuple(self.geometries(element.all("visual"), where, self.gazebo_colors.get(name))),
            tuple(self.geometries(element.all("collision"), where)),
            element.line,
        )

    def inertial(self, element: Element, where: str) -> Inertial | None:
        self.check_children(element, where)
        mass, inertia = element.first("mass"), element.first("inertia")
        if mass is None or mass.get("value") is None:
            self.fault(element, "no mass", where, "<inertial> has no mass.", "Its inertia is left out.", severity="red")
            return None
        if inertia is None:
            message, hint = "<inertial> has no <inertia>.", "It is read as a point mass."
            self.fault(element, "no inertia", where, message, hint)
        names = ("ixx", "iyy", "izz", "ixy", "ixz", "iyz")
        values = (0.0 if inertia is None else self.number(inertia, name, where, 0.0) for name in names)
        value = self.number(mass, "value", where, 0.0)
        return Inertial(value, *values, placement=self.placement(element, where), line=element.line)

    def geometries(
        self, elements: Iterable[Element], where: str, usual_color: Color | None = None
    ) -> Iterable[Geometry]:
        for element in elements:
            self.check_children(element, where)
            holder = element.first("geometry")
            shape = None if holder is None else self.shape(holder, where)
            color = self.color(element, where) or usual_color
            if holder is None or shape is None:
                self.fault_of_shape(element, holder, where)
                continue
            written = None if color is None else hex_color(color)
            opacity = 1.0 if color is None else color[3]
            place = self.placement(element, where)
            yield Geometry(shape, place, written, opacity, element.get("name") or "", element.line)

    def fault_of_shape(self, element: Element, holder: Element | None, where: str) -> None:
        """Report that an element has no shape that can be drawn."""
        shapes = CHILDREN["geometry"]
        others = [] if holder is None else [child.tag for child in holder.children if child.tag not in shapes]
        named = ", ".join(f"<{tag[:40]}>" for tag in others[:3])
        message = f"{named} is no shape of URDF." if named else f"<{element.tag}> has no shape."
        hint = f"Use one of: {', '.join(f'<{tag}>' for tag in shapes)}. It is left out."
        self.fault(holder or element, "no shape", where, message, hint, severity="red")

    def shape(self, holder: Element, where: str) -> RobotShape | None:
        self.check_children(holder, where)
        if (box := holder.first("box")) is not None:
            x, y, z = self.lengths(box, "size", 3, where)
            return BoxShape((x, y, z))
        if (sphere := holder.first("sphere")) is not None:
            return SphereShape(*self.lengths(sphere, "radius", 1, where))
        for tag, shape in (("cylinder", CylinderShape), ("capsule", CapsuleShape)):
            if (round_ := holder.first(tag)) is not None:
                (radius,), (length,) = (self.lengths(round_, name, 1, where) for name in ("radius", "length"))
                return shape(radius, length)
        mesh = holder.first("mesh")
        file = "" if mesh is None else mesh.get("filename") or ""
        return None if mesh is None or not file else MeshShape(file, self.triple(mesh, "scale", where, (1.0, 1.0, 1.0)))

    def lengths(self, at: Element, name: str, count: int, where: str) -> tuple[float, ...]:
        """Return lengths; missing and non-positive ones are reported and replaced."""
        if at.get(name) is None:
            self.fault(at, "no number", where, f"<{at.tag}> has no {name}.", "It is taken as 0.1 m.", severity="red")
        sizes = self.numbers(at, name, count, where, (0.1,) * count)
        if min(sizes) <= 0.0:
            message = f"{name} of <{at.tag}> is not above zero."
            self.fault(at, "no size", where, message, "It is taken as 1 mm there.")
        return tuple(max(length, 0.001) for length in sizes)

    def color(self, element: Element, where: str) -> Color | None:
        material = element.first("material")
        if material is None:
            return None
        self.check_children(material, where)
        name = material.get("name") or ""
        own = self.rgba(material, where)
        if own is not None:
            self.colors.setdefault(name, own)
            return own
        if (known := gazebo_color(name)) is not None:
            self.colors.setdefault(name, known)
        if name and name not in self.colors and material.first("texture") is None:
            hint = f'Did you mean "{meant}"?' if (meant := near_miss(name, self.colors)) else "It is grey here."
            self.fault(material, "unknown material", where, f'nothing defines the material "{name}".', hint)
        return self.colors.get(name)

    def rgba(self, material: Element, where: str) -> Color | None:
        color = material.first("color")
        if color is None:
            return None
        r, g, b, a = self.numbers(color, "rgba", 4, where, _GREY)
        if not all(0.0 <= part <= 1.0 for part in (r, g, b, a)):
            message = f'rgba is "{color.get("rgba")}", but each number must be from 0 to 1.'
            self.fault(color, "color", where, message, "Divide by 255." if max(r, g, b) > 1.0 else "")
            whole = 255.0 if max(r, g, b) > 1.0 else 1.0
            r, g, b, a = (min(max(part, 0.0), 1.0) for part in (r / whole, g / whole, b / whole, a))
        return r, g, b, a

    # --- Joints

    def joint(self, element: Element, i: int) -> Joint | None:
        name = element.get("name") or ""
        where = f"joint {name}" if name else "a joint"
        if not name:
            name = f"joint {i}"
            self.fault(element, "no name", where, "the joint has no name.", f'It gets the name "{name}".')
        self.check_children(element, where)
        parent, child = self.end(element, "parent", where), self.end(element, "child", where)
        if not parent or not child:
            self.unheld.add(child)
            return None
        type_: JointType | None = next(
            (joint_type for joint_type in JOINT_TYPES if joint_type == element.get("type")), None
        )
        if type_ is None:
            type_text = element.get("type")
            message = "it has no type." if type_text is None else f'"{type_text}" is no type of joint.'
            meant = near_miss(type_text or "", JOINT_TYPES)
            hint = f'Did you mean "{meant}"? ' if meant else f"Use one of: {', '.join(JOINT_TYPES)}. "
            self.fault(element, "joint type", where, message, f"{hint}It is read as fixed.", severity="red")
        axis = element.first("axis")
        limit, mimic = element.first("limit"), element.first("mimic")
        return Joint(
            name,
            "fixed" if type_ is None else type_,
            parent,
            child,
            self.placement(element, where),
            (1.0, 0.0, 0.0) if axis is None or type_ is None else self.axis(axis, type_, where),
            None if limit is None else self.limits(limit, where),
            None if mimic is None else self.mimic(mimic, where),
            element.line,
        )

    def end(self, joint: Element, tag: str, where: str) -> str:
        """Return the link of a joint's parent or child element; empty, and reported, if it names none."""
        element = joint.first(tag)
        link = "" if element is None else element.get("link") or ""
        if not link:
            message, hint = f"it has no {tag} link.", f'Write <{tag} link="..."/>. It is left out.'
            if element is not None and "link" not in element.attributes and element.attributes:
                key, value = next(iter(element.attributes.items()))
                self.unheld.add(value.strip())
                message = f'<{tag} {key}="{value[:60]}"/> names no link.'
                hint = f'Write <{tag} link="{value[:60]}"/>. The joint is left out.'
            self.fault(element or joint, "no link", where, message, hint, severity="red")
        return link

    def axis(self, axis: Element, type_: str, where: str) -> Triple:
        xyz = self.triple(axis, "xyz", where, (1.0, 0.0, 0.0))
        length = math.hypot(*xyz)
        if type_ in ("fixed", "floating"):
            return xyz if length == 0.0 else (xyz[0] / length, xyz[1] / length, xyz[2] / length)
        if length == 0.0:
            message = "its axis is zero, and so has no direction."
            self.fault(axis, "axis zero", where, message, "It is taken as 1 0 0.", severity="red")
            return 1.0, 0.0, 0.0
        x, y, z = (part / length + 0.0 for part in xyz)
        if abs(length - 1.0) > AXIS_TOLERANCE:
            message = f"its axis has the length {length:.6g} instead of 1."
            self.fault(axis, "axis length", where, message, f"It is taken as {x:.6g} {y:.6g} {z:.6g}.")
        return x, y, z

    def limits(self, limit: Element, where: str) -> Limits:
        lower, upper, velocity, effort = (
            self.bound(limit, name, where) for name in ("lower", "upper", "velocity", "effort")
        )
        return Limits(lower, upper, velocity, effort, limit.line)

    def mimic(self, mimic: Element, where: str) -> Mimic | None:
        joint = mimic.get("joint")
        if not joint:
            self.fault(mimic, "mimic", where, "<mimic> names no joint.", "It is left out.", severity="red")
            return None
        factor, offset = self.number(mimic, "multiplier", where, 1.0), self.number(mimic, "offset", where, 0.0)
        return Mimic(joint, factor, offset, mimic.line)


LARGEST = 1e15
"""Limit of numbers in any unit. Larger or non-finite numbers are reported and replaced."""

BOUNDLESS = 1e6
"""Limit of bounds. Larger ones mean no bound, such as the 1e16 that converters write for infinity."""

AXIS_TOLERANCE = 1e-3
"""Deviation of an axis's length from 1 that is attributed to few decimals."""

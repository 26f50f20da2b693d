"""Reading of SDFormat, the format of Gazebo (http://sdformat.org/spec): models and worlds of any version since 1.4.

Links become a tree as in URDF: what the format says in frames that it names is resolved, so that each joint stands in
its parent link, and its child in it. Faulty files open and say what is wrong.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

import numpy as np

from framescope.core.errors import FramescopeError, Severity, did_you_mean, near_miss
from framescope.core.kernels.validation import Array
from framescope.core.robots.robot import (
    AttachedFrame,
    BoxShape,
    CapsuleShape,
    CylinderShape,
    EllipsoidShape,
    Fault,
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
)
from framescope.core.robots.robot_checks import checked
from framescope.core.robots.sdf_poses import (
    MODEL,
    SEPARATOR,
    WORLD,
    PosedItem,
    PoseError,
    PoseScope,
    inverse,
    placement_of,
    pose_matrix,
)
from framescope.core.system.xml_elements import Element, read_elements

MAX_DEPTH = 20
"""Models in each other, those that are included among them."""

MAX_MODELS = 2000

ROOTS = ("sdf", "gazebo")

AXES_IN_JOINT = 1.7
"""The version from which on an axis names the frame it is in."""

AXES_IN_MODEL = 1.5
"""Before this one an axis was in the frame of the model."""

LARGEST, BOUNDLESS = 1e15, 1e6
"""What is larger is no number of a model; a bound that is larger is none, such as the usual 1e16."""

Find = Callable[[str], bytes | None]
"""What returns the file of the model that an ``<include>`` names, by its address."""

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
"""Types of joints, and what the first of their axes is."""


def nothing_found(_uri: str) -> None:
    """Find no model that is included."""


def read_sdf(data: bytes, stem: str = "model", find: Find = nothing_found) -> Robot:
    """Return the models of a file as one robot; one without a name has `stem`.

    Raises
    ------
    FramescopeError
        When the file is no XML, or its root is none of SDFormat.

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
    return _Reader(stem, find).robot(root)


@dataclass
class _Joint:
    """A joint as it is written, and the scope of its names."""

    element: Element
    scope: PoseScope
    prefix: str
    version: float


@dataclass
class _Reader:
    stem: str
    find: Find
    faults: list[Fault] = field(default_factory=list[Fault])
    links: list[tuple[Element, PoseScope, str, str]] = field(default_factory=list[tuple[Element, PoseScope, str, str]])
    """Elements of links, the scopes of their names, what stands before those, and their own names."""
    scopes: dict[str, tuple[PoseScope, str]] = field(default_factory=dict[str, tuple[PoseScope, str]])
    """Scopes of links and their names there, by their names in the whole."""
    joints: list[_Joint] = field(default_factory=list[_Joint])
    frames: list[tuple[Element, PoseScope, str]] = field(default_factory=list[tuple[Element, PoseScope, str]])
    bases: dict[int, Array] = field(default_factory=dict[int, Array])
    """Poses of scopes in the whole."""
    n_models: int = 0
    foreign: int = 0
    """How many files within each other are read: lines of those that are included are not of this one."""

    def robot(self, root: Element) -> Robot:
        version = self.version(root)
        holders = [root, *root.all("world")]
        models = [model for holder in holders for model in holder.children if model.tag in ("model", "include")]
        whole = PoseScope()
        is_alone = len(models) == 1
        for world in root.all("world"):
            self.read_frames(world, whole, "")
        for model in models:
            self.model(model, whole, version, None if is_alone else "", 0)
        self.place(whole, np.eye(4))
        links = list(self.read_links())
        joints, made = self.read_joints()
        attached = tuple(self.attached())
        named = self.own_text(models[0]) if is_alone else ""
        worlds = (world.get("name") for world in root.all("world"))
        name = named or next(filter(None, worlds), "") or self.stem
        needs_world = any(joint.parent == WORLD for joint in joints)
        links += made
        if needs_world and all(link.name != WORLD for link in links):
            links.insert(0, Link(WORLD, line=root.line))
        found = Robot(name, tuple(links), tuple(joints), tuple(self.faults), attached)
        return checked(found, root.line)

    # --- Scopes

    def version(self, root: Element) -> float:
        text = root.get("version")
        with contextlib.suppress(ValueError):
            if text is not None and math.isfinite(float(text)):
                return float(text)
        hint = "It is read as 1.7."
        self.fault(root, "version", "robot", "the version of the format is not said.", hint, severity="note")
        return 1.7

    def model(self, element: Element, outer: PoseScope, version: float, prefix: str | None, depth: int) -> None:
        """Read a model, or one that is included, into a scope of its own.

        `prefix` stands before its name in the names of its links; None where not even that does.
        """
        self.n_models += 1
        if self.n_models > MAX_MODELS or depth > MAX_DEPTH:
            raise FramescopeError(f"line {element.line}: there are too many models, or too many in each other.")
        body, is_included = element, element.tag == "include"
        if is_included:
            included = self.included(element)
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
            new = next(each for n in range(2, 10**9) if (each := f"{name} {n}") not in outer.items)
            message = "another one has that name."
            self.fault(element, "name twice", f"model {name}", message, f'It is called "{new}" here.')
            return new
        return name

    def included(self, element: Element) -> tuple[Element, float] | None:
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
            name = next(each for n in range(1, 10**9) if (each := f"link {n}") not in scope.items)
            self.fault(element, "no name", "a link", "the link has no name.", f'It is called "{name}" here.')
        where = f"link {prefix}{name}"
        self.reserved(element, name, where)
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
            self.reserved(element, name, where)
            raw, relative_to = self.pose(element, where)
            attached_to = element.get("attached_to") or (WORLD if holder.tag == "world" else MODEL)
            scope.items[name] = PosedItem(raw, relative_to or attached_to, attached_to, element.line)
            self.frames.append((element, scope, prefix))

    def joint_name(self, element: Element, scope: PoseScope, prefix: str, version: float) -> None:
        name = element.get("name") or ""
        if not name:
            name = next(each for n in range(1, 10**9) if (each := f"joint {n}") not in scope.items)
            element.attributes["name"] = name
            self.fault(element, "no name", "a joint", "the joint has no name.", f'It is called "{name}" here.')
        where = f"joint {prefix}{name}"
        self.reserved(element, name, where)
        child = self.text_of(element, "child") or ""
        raw, relative_to = self.pose(element, where)
        if name not in scope.items:  # links and joints of one name, which were allowed before 1.7, keep the link's
            scope.items[name] = PosedItem(raw, relative_to or child, child, element.line)
        self.joints.append(_Joint(element, scope, prefix, version))

    def reserved(self, element: Element, name: str, where: str) -> None:
        if SEPARATOR in name or (name.startswith("__") and name.endswith("__")) or name == WORLD:
            message = f'"{name[:60]}" is a reserved name, or holds ::.'
            self.fault(element, "reserved name", where, message, "Rename it.")

    def place(self, scope: PoseScope, base: Array) -> None:
        """Find the poses of all scopes in the whole."""
        self.bases[id(scope)] = base
        for name, inner in scope.nested.items():
            self.place(inner, base @ self.resolved(scope, name, f"model {name}", scope.items[name].line))

    def resolved(self, scope: PoseScope, name: str, where: str, line: int) -> Array:
        """Return the pose of what has a name in its scope; where it has none, as it is written in that of the model."""
        try:
            return scope.pose(name)
        except PoseError as error:
            hint = (
                did_you_mean(self._missing(str(error)), list(scope.items)) or "Its pose is taken as that in the model."
            )
            self.add(Fault(line, "unknown frame", where, f"{error}.", hint, "red"))
            item = scope.items.get(name)
            scope.found[name] = np.eye(4) if item is None else item.raw
            return scope.found[name]

    @staticmethod
    def _missing(message: str) -> str:
        return message.partition('"')[2].rpartition('"')[0]

    def in_whole(self, scope: PoseScope, name: str, where: str, line: int) -> Array:
        return self.bases[id(scope)] @ self.resolved(scope, name, where, line)

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

    def inertial(self, element: Element, where: str) -> Inertial:
        inertia = element.first("inertia")
        (mass,) = self.numbers_in(element.first("mass"), 1, where, (1.0,))
        usual = (1.0, 1.0, 1.0, 0.0, 0.0, 0.0)
        names = ("ixx", "iyy", "izz", "ixy", "ixz", "iyz")
        values = (
            default if inertia is None else self.numbers_in(inertia.first(name), 1, where, (default,))[0]
            for name, default in zip(names, usual, strict=True)
        )
        return Inertial(mass, *values, placement=self.own_placement(element, where), line=self.line(element))

    def own_placement(self, element: Element, where: str) -> Placement:
        """Return where a part of a link stands in it."""
        raw, relative_to = self.pose(element, where)
        if relative_to:
            message = f'the pose of <{element.tag}> is relative to "{relative_to[:60]}".'
            self.fault(element, "relative part", where, message, "It is taken as that in its link.")
        return placement_of(raw, self.line(element))

    def geometries(self, elements: Iterator[Element], where: str) -> Iterator[Geometry]:
        for element in elements:
            holder = element.first("geometry")
            shape = None if holder is None else self.shape(holder, where)
            if shape is None:
                kinds = ", ".join(f"<{child.tag}>" for child in holder.children) if holder is not None else "nothing"
                message = f"<{element.tag}> is {kinds[:80] or 'nothing'}, which is not drawn."
                self.fault(element, "no shape", where, message, severity="note")
                continue
            color, opacity = self.color(element, where)
            place = self.own_placement(element, where)
            yield Geometry(shape, place, color, opacity, element.get("name") or "", self.line(element))

    def shape(self, holder: Element, where: str) -> RobotShape | None:
        def sizes(element: Element, name: str, count: int = 1, usual: float = 1.0) -> tuple[float, ...]:
            found = self.numbers_in(element.first(name), count, where, (usual,) * count)
            if min(found) <= 0.0:
                message = f"{name} of <{element.tag}> is not above zero."
                self.fault(element, "no size", where, message, "It is taken as 1 mm there.")
            return tuple(max(each, 0.001) for each in found)

        if (box := holder.first("box")) is not None:
            x, y, z = sizes(box, "size", 3)
            return BoxShape((x, y, z))
        if (sphere := holder.first("sphere")) is not None:
            return SphereShape(*sizes(sphere, "radius"))
        if (ellipsoid := holder.first("ellipsoid")) is not None:
            x, y, z = sizes(ellipsoid, "radii", 3)
            return EllipsoidShape((x, y, z))
        for tag, shape in (("cylinder", CylinderShape), ("capsule", CapsuleShape)):
            if (round_ := holder.first(tag)) is not None:
                return shape(*sizes(round_, "radius"), *sizes(round_, "length"))
        mesh = holder.first("mesh")
        uri = None if mesh is None else self.text_of(mesh, "uri") or self.text_of(mesh, "filename")
        if mesh is None or not uri:
            return None
        if mesh.first("submesh") is not None:
            self.fault(
                mesh, "submesh", where, f"a part of {uri[:80]} is meant.", "All of it is drawn.", severity="note"
            )
        x, y, z = self.numbers_in(mesh.first("scale"), 3, where, (1.0, 1.0, 1.0))
        return MeshShape(uri, (x, y, z))

    def color(self, element: Element, where: str) -> tuple[str | None, float]:
        diffuse = element.first("material", "diffuse")
        (transparency,) = self.numbers_in(element.first("transparency"), 1, where, (0.0,))
        opacity = min(max(1.0 - transparency, 0.0), 1.0)
        if diffuse is None:
            return None, opacity
        words = diffuse.text.split()
        r, g, b, *rest = self.numbers_in(
            diffuse, 4 if len(words) > 3 else 3, where, (0.75, 0.75, 0.75, 1.0)[: max(len(words), 3)]
        )
        alpha = rest[0] if rest else 1.0
        written = "#" + "".join(f"{round(255 * min(max(part, 0.0), 1.0)):02x}" for part in (r, g, b))
        return written, opacity * min(max(alpha, 0.0), 1.0)

    # --- Joints

    def read_joints(self) -> tuple[list[Joint], list[Link]]:
        """Return the joints of all models, and the links between the axes of those that have two."""
        joints, links = list[Joint](), list[Link]()
        for each in self.joints:
            made = self.joint(each)
            for k, joint in enumerate(made[:-1]):
                links.append(Link(joint.child, line=joint.line))
                made[k + 1] = replace(made[k + 1], parent=joint.child)
            joints += made
        return joints, links

    def joint(self, each: _Joint) -> list[Joint]:
        element, scope, prefix = each.element, each.scope, each.prefix
        name, line = element.get("name") or "", self.line(each.element)
        where = f"joint {prefix}{name}"
        ends = [self.end(each, tag, where) for tag in ("parent", "child")]
        if None in ends:
            return []
        parent, child = (end for end in ends if end is not None)
        raw, relative_to = self.pose(element, where)
        try:
            base = scope.pose(relative_to or self.text_of(element, "child") or "")
        except PoseError as error:
            self.add(Fault(line, "unknown frame", where, f"{error}.", "It stands in its child.", "red"))
            base = scope.pose(MODEL)
        M_joint = self.bases[id(scope)] @ base @ raw
        type_ = element.get("type") or ""
        if type_ not in JOINT_TYPES:
            meant = near_miss(type_, JOINT_TYPES)
            hint = f'Did you mean "{meant}"? ' if meant else ""
            self.add(
                Fault(
                    line, "joint type", where, f'"{type_[:40]}" is no type of joint.', f"{hint}It is fixed here.", "red"
                )
            )
        kind: JointType = JOINT_TYPES.get(type_, "fixed")
        placement = placement_of(inverse(self.link_pose(parent)) @ M_joint, line)
        below = placement_of(inverse(M_joint) @ self.link_pose(child), line)
        made = Joint(prefix + name, kind, parent, child, placement, line=line, below=below)
        if type_ == "ball":
            hint = "It stands as at zero; move the frame of its child by hand."
            self.add(Fault(line, "ball joint", where, "a ball joint has no slider.", hint, "note"))
        if kind not in ("revolute", "continuous", "prismatic"):
            return [made]
        first = self.moving(made, each, M_joint, "axis", where)
        if type_ in ("universal", "revolute2"):
            middle = replace(first, child=f"{prefix}{name} axis", below=Placement(line=line))
            second = replace(made, name=f"{prefix}{name} axis 2", placement=Placement(line=line))
            return [middle, self.moving(second, each, M_joint, "axis2", where)]
        if type_ == "screw":
            middle = replace(first, child=f"{prefix}{name} axis", below=Placement(line=line))
            along = Mimic(first.name, self.lead(element, where), line=line)
            rest = replace(first, name=f"{prefix}{name} lead", type="prismatic", placement=Placement(line=line))
            return [middle, replace(rest, limits=None, mimic=along, below=below)]
        if type_ == "gearbox":
            message = "a gearbox is driven by another joint, which is not followed."
            self.add(Fault(line, "gearbox", where, message, "It moves by itself here.", "note"))
        return [first]

    def end(self, each: _Joint, tag: str, where: str) -> str | None:
        """Return the link, by its name in the whole, that an end of a joint moves with; tell where there is none."""
        text = self.text_of(each.element, tag) or ""
        try:
            link = each.scope.link_of(text) if text else ""
        except PoseError:
            link = ""
        if link == WORLD:
            return WORLD
        if link:
            return each.prefix + link
        names = list(each.scope.items)
        message = f'there is no link "{text[:60]}".' if text else f"it has no <{tag}>."
        hint = did_you_mean(text, names) if text else ""
        self.add(
            Fault(
                self.line(each.element),
                "unknown link" if text else "no link",
                where,
                message,
                hint or "It is left out.",
                "red",
            )
        )
        return None

    def link_pose(self, name: str) -> Array:
        if name == WORLD:
            return np.eye(4)
        scope, own = self.scopes[name]
        return self.in_whole(scope, own, f"link {name}", 0)

    def moving(self, joint: Joint, each: _Joint, M_joint: Array, tag: str, where: str) -> Joint:
        """Return a joint with its axis, its bounds, and what it follows."""
        axis = each.element.first(tag)
        if axis is None:
            message = f"it has no <{tag}>."
            self.fault(each.element, "axis zero", where, message, "It is taken as 0 0 1.", severity="red")
            return replace(joint, axis=(0.0, 0.0, 1.0))
        limit, mimic = axis.first("limit"), axis.first("mimic")
        return replace(
            joint,
            axis=self.axis(axis, each, M_joint, where),
            limits=self.limits(limit, where) if limit is not None else Limits(-math.inf, math.inf),
            mimic=None if mimic is None else self.mimic(mimic, each, where),
        )

    def axis(self, axis: Element, each: _Joint, M_joint: Array, where: str) -> Triple:
        """Return the axis, of unit length, in the frame of the joint."""
        xyz = axis.first("xyz")
        given = np.array(self.numbers_in(xyz, 3, where, (0.0, 0.0, 1.0)))
        length = float(np.linalg.norm(given))
        if length == 0.0:
            self.fault(xyz or axis, "axis zero", where, "its axis is 0 0 0.", "It is taken as 0 0 1.", severity="red")
            return 0.0, 0.0, 1.0
        if abs(length - 1.0) > 1e-3:
            message = f"its axis has the length {length:.6g}, and not 1."
            self.fault(xyz or axis, "axis length", where, message, "It is taken as a direction.")
        named = "" if xyz is None else xyz.get("expressed_in") or ""
        of_model = self.text_of(axis, "use_parent_model_frame") in ("1", "true")
        if not named and each.version < AXES_IN_JOINT and (of_model or each.version < AXES_IN_MODEL):
            named = MODEL
        R = M_joint
        if named:
            R = self.bases[id(each.scope)] @ self.resolved(each.scope, named, where, self.line(axis))
        x, y, z = (M_joint[:3, :3].T @ (R[:3, :3] @ given / length)).tolist()
        return x, y, z

    def limits(self, limit: Element, where: str) -> Limits:
        def bound(name: str) -> float | None:
            element = limit.first(name)
            if element is None:
                return None
            with contextlib.suppress(ValueError):
                if abs(found := float(element.text)) > BOUNDLESS:
                    return math.copysign(math.inf, found)
            return self.numbers_in(element, 1, where, (0.0,))[0]

        lower, upper = bound("lower"), bound("upper")
        lower, upper = -math.inf if lower is None else lower, math.inf if upper is None else upper
        return Limits(lower, upper, bound("velocity"), bound("effort"), self.line(limit))

    def mimic(self, mimic: Element, each: _Joint, where: str) -> Mimic | None:
        joint = mimic.get("joint") or ""
        if not joint:
            self.fault(mimic, "mimic", where, "<mimic> names no joint.", "It is left out.", severity="red")
            return None
        keys = (("multiplier", 1.0), ("offset", 0.0), ("reference", 0.0))
        factor, offset, reference = (self.numbers_in(mimic.first(key), 1, where, (usual,))[0] for key, usual in keys)
        suffix = " axis 2" if mimic.get("axis") == "axis2" else ""
        return Mimic(each.prefix + joint + suffix, factor, offset - factor * reference, self.line(mimic))

    def lead(self, element: Element, where: str) -> float:
        """Return how far a screw goes along its axis with a turn of 1 rad, m."""
        pitch, old = element.first("screw_thread_pitch"), element.first("thread_pitch")
        if pitch is not None or old is None:
            return self.numbers_in(pitch, 1, where, (1.0,))[0] / math.tau
        (turns,) = self.numbers_in(old, 1, where, (1.0,))  # rad per m, the other way round
        return -1.0 / turns if turns else 0.0

    def attached(self) -> Iterator[AttachedFrame]:
        """Yield the frames that are written besides links, each in the link that it moves with."""
        for element, scope, prefix in self.frames:
            name, line = element.get("name") or "", self.line(element)
            where = f"frame {prefix}{name}"
            try:
                link = scope.link_of(name)
            except PoseError as error:
                self.add(Fault(line, "unknown frame", where, f"{error}.", "It is left out.", "red"))
                continue
            whole = WORLD if link == WORLD else prefix + link
            M = inverse(self.link_pose(whole)) @ self.in_whole(scope, name, where, line)
            yield AttachedFrame(prefix + name, whole, placement_of(M, line))

    # --- Texts and numbers

    def line(self, element: Element) -> int:
        return element.line

    def text_of(self, element: Element, tag: str) -> str | None:
        child = element.first(tag)
        return None if child is None else child.text.strip() or None

    @staticmethod
    def has_pose(element: Element) -> bool:
        return element.first("pose") is not None

    def pose(self, element: Element, where: str) -> tuple[Array, str]:
        """Return the pose (4, 4) of an element as it is written, and the frame that it names for it."""
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
        """Return the numbers in an element, and the default without it or where they are not as expected."""
        if element is None:
            return default
        words = element.text.split()
        try:
            found = tuple(float(word.replace("_", "?")) for word in words)
        except ValueError:
            found = ()
        if len(found) != count or not all(abs(value) <= LARGEST for value in found):
            expected = "a number" if count == 1 else f"{count} numbers"
            given = " ".join(f"{value:g}" for value in default)
            message = f'<{element.tag}> is "{" ".join(words)[:60]}", not {expected}.'
            self.fault(element, "no number", where, message, f"It is taken as {given}.", severity="red")
            return default[:count] if len(default) >= count else (*default, *(0.0,) * (count - len(default)))
        return found

    def fault(
        self, at: Element, kind: str, where: str, message: str, hint: str = "", *, severity: Severity = "amber"
    ) -> None:
        self.add(Fault(self.line(at), kind, where, message, hint, severity))

    def add(self, fault: Fault) -> None:
        """Note a fault, once; one in a file that is included names no line of this one."""
        told = replace(fault, line=1) if self.foreign else fault
        if told not in self.faults:
            self.faults.append(told)

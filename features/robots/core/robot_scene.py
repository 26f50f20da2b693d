"""Scene of a robot: a frame for each link, a parameter for each joint, and a body for each shape."""

from __future__ import annotations

import math
import re
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np

from framescope.core.errors import ExpressionError, Problem
from framescope.core.scene.schema import bodies
from framescope.core.scene.schema.base import FrozenDict
from framescope.core.scene.schema.model import WORLD, Frame, Scene
from framescope.core.scene.schema.motions import Joint
from framescope.core.scene.schema.poses import Axes, MatrixForm, Position
from framescope.core.scene.schema.quantities import Quantity
from framescope.core.scene.schema.robots import RobotFile
from framescope.core.scene.schema.sources import PoseSource
from framescope.core.scene.schema.view import Camera, Hidden, View
from framescope.core.system.proportions import axes_length, camera_place
from framescope.core.time_functions.expressions import check_parameter_name
from framescope.core.transformation_matrices import from_nxz
from framescope.features.robots.core import robot as robots
from framescope.features.robots.core.equal_box import Rows, equal_box
from framescope.features.robots.core.robot import (
    CameraSensor,
    Geometry,
    Inertial,
    Link,
    MeshShape,
    Placement,
    Robot,
    RobotSensor,
    robot_problem,
)
from framescope.features.robots.core.robot_placement import placement_of, pose_matrix, turns_of
from framescope.features.robots.core.robot_size import Bounds, box_of, parents_first

COLLISION_COLOR, COLLISION_OPACITY = "#e8a33d", 0.35

MASS_COLOR, MASS_OPACITY = "#b48ae0", 0.45

CAMERA_DEPTH = 2.0
"""Distance at which the image of a camera is drawn, as a multiple of the length of axes."""

OPTICAL_ROWS: Rows = ((0.0, 0.0, 1.0), (-1.0, 0.0, 0.0), (0.0, -1.0, 0.0))
"""Rows of the matrix from the axes of an image (x right, y down, z forward) to those of a body (x forward, z up)."""

CENTER_SHARE = 0.1
"""Radius of the ball at a centre of mass, as a fraction of the length of axes."""

STICK = 0.08
"""Radius of a stick in place of a link, as a fraction of the length of axes."""

BOX_TO_RADIUS = math.sqrt(5.0 / 12.0)
"""Factor from the edge of a box to the radius of the ellipsoid of the same mass and inertia: m e²/12 = m r²/5."""

MOVING = ("revolute", "continuous", "prismatic")


def frame_names(robot: Robot) -> dict[str, str]:
    """Return the names of the frames of a robot's links in a scene, by the names of the links."""
    names, taken, roots = dict[str, str](), {WORLD}, robot.roots
    for link in robot.links:
        if link.name == WORLD and link.name in roots:
            names[link.name] = WORLD
            continue
        name = _own_name(_plain(link.name) or "link", taken)
        names[link.name] = name
        taken.add(name)
    return names


def mesh_files(robot: Robot) -> tuple[str, ...]:
    """Return the distinct names of all meshes of a robot, as written in its file."""
    shapes = (geometry.shape for link in robot.links for geometry in (*link.visuals, *link.collisions))
    return tuple(dict.fromkeys(shape.file for shape in shapes if isinstance(shape, MeshShape)))


def missing_meshes(link: Link, there: Container[str]) -> Iterator[Problem]:
    """Yield faults for missing visual meshes of a link, with their stand-ins."""
    box = None if link.inertial is None else equal_box(link.inertial)
    hint = (
        "The box of its mass and inertia stands there instead." if box else "Sticks to its joints stand there instead."
    )
    for geometry in link.visuals:
        shape = geometry.shape
        if isinstance(shape, MeshShape) and shape.file not in there:
            yield robot_problem(geometry.line, "no mesh", f"link {link.name}", f"there is no mesh {shape.file}.", hint)


def scene_of(
    robot: Robot, meshes: Mapping[str, str], file: str = "", bounds: Bounds | None = None, source: str = ""
) -> tuple[Scene, tuple[Problem, ...]]:
    """Return the scene of a robot, all joints as near to zero as their limits allow, and the faults of missing parts.

    A root link called ``world`` becomes the world. Free links keep their placement in the file. A link without its mesh
    gets a stand-in: the box with its mass and inertia.

    Parameters
    ----------
    robot
        The robot.
    meshes
        Names of meshes in the scene, by their names in the robot; missing meshes have none.
    file
        Name of the robot's file in the scene; empty to leave out its origin.
    bounds
        Known bounds of meshes, by which the camera is placed.
    source
        Name of the file that fixed joints and sensors name as the origin of their poses; empty for none.
    """
    maker = _Maker(robot, meshes, bounds or {}, source)
    scene = maker.scene()
    if file:
        name = _printable(robot.name)[:200] or "robot"
        scene = scene.model_copy(update={"robots": FrozenDict({name: RobotFile(file=file)})})
    return scene, tuple(maker.faults)


@dataclass(frozen=True)
class PlacedSensor:
    """A sensor with the names of its frame and, for a camera, of the frame with the axes of its image."""

    sensor: RobotSensor
    name: str
    optical: str = ""


def placed_sensors(robot: Robot, taken: Iterable[str]) -> Iterator[PlacedSensor]:
    """Yield the sensors of a robot with names of frames other than `taken`.

    A sensor that is called as its link or another frame has the name of its link in front. The optical frame of a
    camera keeps its name where the sensor has the same one, as other files mean the optical frame by it. The frame of
    the sensor is then called ``cam0_body``.
    """
    names = set(taken)
    for sensor in robot.sensors:
        plain = _plain(sensor.name) or "sensor"
        if sensor.camera is not None and _plain(sensor.camera.optical) == plain and plain not in names:
            names.add(plain)
            name = _own_name(f"{plain}_body", names)
            names.add(name)
            yield PlacedSensor(sensor, name, plain)
            continue
        name = _own_name(plain if plain not in names else f"{_plain(sensor.link)} {plain}", names)
        names.add(name)
        optical = ""
        if sensor.camera is not None:
            optical = _own_name(_plain(sensor.camera.optical) or f"{name}_optical", names)
            names.add(optical)
        yield PlacedSensor(sensor, name, optical)


@dataclass(frozen=True)
class RobotBodies:
    """Bodies of a scene for the shapes of a robot, the initially hidden ones among them, and faults of missing ones."""

    bodies: Mapping[str, bodies.Body]
    hidden: tuple[str, ...]
    faults: tuple[Problem, ...]


def bodies_of(
    robot: Robot, frames: Mapping[str, str], meshes: Mapping[str, str], bounds: Bounds, taken: Iterable[str]
) -> RobotBodies:
    """Return the bodies of the links with a frame, under names other than `taken`; the rest as in `scene_of`."""
    maker = _Maker(robot, meshes, bounds)
    maker.frames = dict(frames)
    made = dict(maker.bodies(taken))
    return RobotBodies(made, tuple(maker.hidden), tuple(maker.faults))


@dataclass
class _Maker:
    robot: Robot
    meshes: Mapping[str, str]
    bounds: Bounds
    source_file: str = ""
    """Name of the file that fixed poses name as their origin; empty for none."""
    parameters: dict[str, str] = field(default_factory=dict[str, str])
    """Names of parameters by names of joints."""
    hidden: list[str] = field(default_factory=list[str])
    faults: list[Problem] = field(default_factory=list[Problem])

    def scene(self) -> Scene:
        robot, roots = self.robot, self.robot.roots
        driving = [joint for joint in robot.joints if joint.type in MOVING and joint.mimic is None]
        for joint in driving:
            self.parameters[joint.name] = parameter_name(joint.name, set(self.parameters.values()))
        placed = {link.name: link.placement for link in robot.links}
        frames = {self.frames[root]: _fixed_frame(WORLD, placed[root]) for root in roots if self.frames[root] != WORLD}
        for joint in parents_first(robot.joints, roots):
            frames |= self.of_joint(joint, {*self.frames.values(), *frames})
        for each in robot.frames:
            name = _own_name(_plain(each.name) or "frame", {*self.frames.values(), *frames, WORLD})
            frames[name] = _fixed_frame(self.frames.get(each.link, WORLD), each.placement)
        values = {self.parameters[joint.name]: _start(joint) for joint in driving}
        shapes = dict(self.bodies())
        for placed_sensor in placed_sensors(self.robot, {*frames, *shapes, WORLD}):
            sensor, name = placed_sensor.sensor, placed_sensor.name
            parent = self.frames.get(sensor.link, WORLD)
            source = self.source(f"sensor {sensor.name}")
            frames[name] = _fixed_frame(parent, sensor.placement).model_copy(update={"source": source})
            if placed_sensor.optical and sensor.camera is not None:
                turn = MatrixForm(rows=OPTICAL_ROWS, maps="frame to parent")
                frames[placed_sensor.optical] = Frame(parent=name, orientation=turn)
                shapes[f"view of {placed_sensor.optical}"] = self.camera(placed_sensor.optical, sensor.camera)
        return Scene(
            title=_printable(robot.name)[:200],
            parameters=FrozenDict(values),
            frames=FrozenDict(frames),
            bodies=FrozenDict(shapes),
            view=self.view(has_labels=len(frames) <= MAX_LABELLED),
        )

    def view(self, *, has_labels: bool) -> View:
        look = View(
            triad_length=Quantity(self.length, "m"), labels=has_labels, hidden=Hidden(bodies=tuple(self.hidden))
        )
        low, high = ((float(x), float(y), float(z)) for x, y, z in self.box)
        seen = camera_place(low, high)
        if seen is None:
            return look
        return look.model_copy(update={"camera": Camera(position=seen[0], focal_point=seen[1], unit="m")})

    def source(self, entry: str) -> PoseSource | None:
        """Return the origin of a fixed pose in the file, whose numbers are the pose of the child in its parent."""
        file = _printable(self.source_file)[:500]
        return PoseSource(file=file, entry=_printable(entry)[:300], maps="frame to parent") if file else None

    def camera(self, frame: str, camera: CameraSensor) -> bodies.Body:
        """Return the field of view of a camera, with its calibration."""
        distortion = camera.distortion
        names = ("k1", "k2", "p1", "p2", "k3")
        shape = bodies.CameraShape(
            resolution=camera.size,
            focal_lengths=camera.focal,
            principal_point=camera.center,
            distortion=bodies.RadtanDistortion(**dict(zip(names, distortion, strict=True))) if distortion else None,
            depth=Quantity(CAMERA_DEPTH * self.length, "m"),
        )
        return bodies.Body(frame=frame, shape=shape)

    # --- Frames

    def __post_init__(self) -> None:
        self.frames = frame_names(self.robot)
        self.box = box_of(self.robot, self.bounds)
        self.length = axes_length(math.dist(*self.box))

    def of_joint(self, joint: robots.Joint, taken: set[str]) -> dict[str, Frame]:
        """Return the frame of a joint's child, and the frame of the joint if it differs."""
        child = self.frames[joint.child]
        if joint.below == Placement(line=joint.below.line):
            return {child: self.frame(joint)}
        if joint.type not in MOVING:
            whole = placement_of(pose_matrix(joint.placement) @ pose_matrix(joint.below))
            source = self.source(f"joint {joint.name}") if joint.type == "fixed" else None
            return {child: _fixed_frame(self.frames[joint.parent], whole).model_copy(update={"source": source})}
        name = _own_name(_plain(joint.name) or "joint", {*taken, WORLD})
        return {name: self.frame(joint), child: _fixed_frame(name, joint.below)}

    def frame(self, joint: robots.Joint) -> Frame:
        parent, (position, orientation) = self.frames[joint.parent], pose_of(joint.placement)
        motion = self.motion(joint) if joint.type in MOVING else None
        source = self.source(f"joint {joint.name}") if joint.type == "fixed" else None
        return Frame(parent=parent, position=position, orientation=orientation, motion=motion, source=source)

    def motion(self, joint: robots.Joint) -> Joint:
        is_along = joint.type == "prismatic"
        lower, upper = _range(joint)
        return Joint(
            type="prismatic" if is_along else "revolute",
            axis=joint.axis,
            value=self.value(joint, {other.name: other for other in self.robot.joints}),
            unit="m" if is_along else "rad",
            lower=lower,
            upper=upper,
            name=_printable(joint.name)[:200],
        )

    def value(self, joint: robots.Joint, named: Mapping[str, robots.Joint]) -> str:
        """Return the expression of a joint's value: its own parameter, or that of the joint that it follows."""
        factor, offset = 1.0, 0.0
        while joint.mimic is not None:
            factor, offset = factor * joint.mimic.multiplier, offset + factor * joint.mimic.offset
            joint = named[joint.mimic.joint]
        text = self.parameters[joint.name]
        if factor != 1.0:
            text = f"{factor!r}*{text}"
        return text if offset == 0.0 else f"{text} {'+' if offset > 0.0 else '-'} {abs(offset)!r}"

    # --- Bodies

    def bodies(self, taken: Iterable[str] = ()) -> Iterator[tuple[str, bodies.Body]]:
        taken = set(taken)
        for link in self.robot.links:
            if link.name not in self.frames:
                continue
            visuals = [self.body(link, each) for each in link.visuals]
            collisions = [self.body(link, each, is_collision=True) for each in link.collisions]
            if any(body is None for body in visuals):
                visuals += self.stand_ins(link)
            named = [*(("", body) for body in visuals), *((" collision", body) for body in collisions)]
            if link.inertial is not None:
                named += self.masses(link, link.inertial)
            for suffix, body in named:
                if body is not None:
                    name = _own_name(self.frames[link.name] + suffix, taken)
                    taken.add(name)
                    if suffix:
                        self.hidden.append(name)
                    yield name, body

    def stand_ins(self, link: Link) -> Iterator[bodies.Body]:
        """Yield stand-ins for a link with a missing mesh, translucent and with edges, and report the mesh.

        The stand-in is the box with the link's mass and inertia, else a stick to the joint of each child.
        """
        self.faults += missing_meshes(link, self.meshes)
        box = None if link.inertial is None else equal_box(link.inertial)
        if box is not None:
            size, position, rows = box
            yield self.pale(link, bodies.Box(size=size, unit="m"), position, rows)
            return
        for joint in self.robot.joints:
            length = math.hypot(*joint.placement.xyz)
            if joint.parent == link.name and length > STICK * self.length:
                stick = bodies.Cylinder(radius=Quantity(STICK * self.length, "m"), height=Quantity(length, "m"))
                x, y, z = joint.placement.xyz
                yield self.pale(link, stick, (x / 2, y / 2, z / 2), _rows_along((x / length, y / length, z / length)))

    def pale(self, link: Link, shape: bodies.Shape, position: robots.Triple, rows: Rows) -> bodies.Body:
        return bodies.Body(
            frame=self.frames[link.name],
            shape=shape,
            position=Position(value=position, unit="m") if any(position) else None,
            orientation=MatrixForm(rows=rows, maps="parent to frame"),
            opacity=0.5,
            edges=True,
            role="visual",
        )

    def masses(self, link: Link, inertial: Inertial) -> Iterator[tuple[str, bodies.Body]]:
        """Yield the bodies for the mass of a link, each with a suffix for its name.

        They are the uniform ellipsoid of the same mass and inertia, and a ball at the centre of mass.
        """
        frame, center = self.frames[link.name], inertial.placement.xyz
        place = Position(value=center, unit="m") if any(center) else None
        box = equal_box(inertial)
        if box is not None:
            (x, y, z), _, rows = box
            shape = bodies.Ellipsoid(radii=(BOX_TO_RADIUS * x, BOX_TO_RADIUS * y, BOX_TO_RADIUS * z), unit="m")
            turned = MatrixForm(rows=rows, maps="parent to frame")
            solid = bodies.Body(
                frame=frame,
                shape=shape,
                color=MASS_COLOR,
                position=place,
                orientation=turned,
                opacity=MASS_OPACITY,
                role="inertia",
            )
            yield " inertia", solid
        if inertial.mass > 0.0:
            ball = bodies.Sphere(radius=Quantity(CENTER_SHARE * self.length, "m"))
            marked = bodies.Body(frame=frame, shape=ball, color=MASS_COLOR, position=place, role="inertia")
            yield " centre of mass", marked

    def body(self, link: Link, geometry: Geometry, *, is_collision: bool = False) -> bodies.Body | None:
        shape = self.shape(geometry.shape)
        if shape is None:
            return None
        position, orientation = pose_of(geometry.placement)
        is_mesh = isinstance(shape, bodies.MeshFile)
        color, opacity = geometry.color or ("own" if is_mesh else "neutral"), geometry.opacity
        if is_collision:
            color, opacity = COLLISION_COLOR, COLLISION_OPACITY
        role: bodies.Role = "collision" if is_collision else "visual"
        return bodies.Body(
            frame=self.frames[link.name],
            shape=shape,
            color=color,
            opacity=opacity,
            position=position,
            orientation=orientation,
            role=role,
        )

    def shape(self, shape: robots.RobotShape) -> bodies.Shape | None:
        match shape:
            case robots.BoxShape(size):
                return bodies.Box(size=size, unit="m")
            case robots.CylinderShape(radius, length):
                return bodies.Cylinder(radius=Quantity(radius, "m"), height=Quantity(length, "m"))
            case robots.SphereShape(radius):
                return bodies.Sphere(radius=Quantity(radius, "m"))
            case robots.CapsuleShape(radius, length):
                return bodies.Capsule(radius=Quantity(radius, "m"), length=Quantity(length, "m"))
            case robots.EllipsoidShape(radii):
                return bodies.Ellipsoid(radii=radii, unit="m")
            case MeshShape(file, scale):
                name = self.meshes.get(file)
                whole = (1.0, 1.0, 1.0) if 0.0 in scale else scale
                return None if name is None else bodies.MeshFile(file=name, unit="m", scale=whole)


MAX_LABELLED = 12
"""Largest number of links for which all labels are shown at first."""


def parameter_name(joint: str, taken: set[str]) -> str:
    """Return a valid parameter name for a joint, other than those taken.

    >>> parameter_name("panda-joint 1", set()), parameter_name("t", {"q_t"}), parameter_name("Gelenk_ü", set())
    ('panda_joint_1', 'q_t_2', 'Gelenk__')
    """
    name = re.sub(r"\W", "_", joint, flags=re.ASCII)[:100] or "joint"
    try:
        check_parameter_name(name)
    except ExpressionError:
        name = f"q_{name}"
    return name if name not in taken else next(new for n in range(2, 10**9) if (new := f"{name}_{n}") not in taken)


def _rows_along(z: robots.Triple) -> Rows:
    """Return the rows of a matrix into axes whose third one is along a unit vector."""
    across = np.cross(z, np.eye(3)[int(np.argmin(np.abs(z)))])
    T = from_nxz(across, z)
    (xx, xy, xz), (yx, yy, yz), (zx, zy, zz) = T.tolist()
    return (xx, xy, xz), (yx, yy, yz), (zx, zy, zz)


def _fixed_frame(parent: str, placement: Placement) -> Frame:
    position, orientation = pose_of(placement)
    return Frame(parent=parent, position=position, orientation=orientation)


def _plain(name: str) -> str:
    return " ".join(_printable(name).split())


def _own_name(name: str, taken: set[str]) -> str:
    name = name[:180]
    return name if name not in taken else next(new for n in range(2, 10**9) if (new := f"{name} {n}") not in taken)


def _printable(text: str) -> str:
    return "".join(char if char.isprintable() else " " for char in text).strip()


def pose_of(placement: Placement) -> tuple[Position | None, Axes | None]:
    """Return position and orientation in the form of a scene; None for zero."""
    turns = turns_of(placement)
    position = Position(value=placement.xyz, unit="m") if any(placement.xyz) else None
    return position, Axes(sequence="ZYX", angles=turns, unit="rad") if any(turns) else None


def _range(joint: robots.Joint) -> tuple[float | None, float | None]:
    """Return the lower and upper limit of a joint; None without a limit."""
    limits = joint.limits
    if joint.type == "continuous" or limits is None or (limits.lower is None and limits.upper is None):
        return None, None
    low, high = sorted((limits.lower or 0.0, limits.upper or 0.0))
    return low if math.isfinite(low) else None, high if math.isfinite(high) else None


def _start(joint: robots.Joint) -> float:
    lower, upper = _range(joint)
    return min(max(0.0, -math.inf if lower is None else lower), math.inf if upper is None else upper)

"""Contents of a robot file: links, joints, shapes, masses and limits, in SI units.

Angles are in rad, lengths in m, masses in kg, moments of inertia in kg m². A `Placement` is relative to a parent frame:
the parent link for a joint, the own link for a shape or a centre of mass.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from framescope.core.errors import Problem, Severity

Triple = tuple[float, float, float]

JointType = Literal["fixed", "revolute", "continuous", "prismatic", "planar", "floating"]

JOINT_TYPES: tuple[JointType, ...] = ("revolute", "continuous", "prismatic", "fixed", "floating", "planar")


def robot_problem(
    line: int, kind: str, where: str, message: str, hint: str = "", severity: Severity = "amber"
) -> Problem:
    """Return a problem of a part in the file of a robot.

    Parameters
    ----------
    line
        Line in the file, from 1; 0 if it is not known.
    kind
        Name of the kind of problem, such as ``"two roots"``.
    where
        Affected part: ``"joint elbow"``, ``"link hand"``, or the robot.
    message, hint
        Description of the problem as a sentence, and advice for fixing it.
    severity
        ``red`` if something is left out or changed, ``amber`` if it is read in its likely meaning, ``note`` if all is
        read as written.
    """
    return Problem((where,), message, hint, severity, line or None, kind=kind)


@dataclass(frozen=True)
class Placement:
    """Position ``xyz``, m, and rotations ``rpy`` about the fixed axes x, y and z in this order, rad."""

    xyz: Triple = (0.0, 0.0, 0.0)
    rpy: Triple = (0.0, 0.0, 0.0)
    line: int = 0


@dataclass(frozen=True)
class BoxShape:
    """A box, centred; edges along x, y and z."""

    size: Triple


@dataclass(frozen=True)
class CylinderShape:
    """A cylinder along z, centred."""

    radius: float
    length: float


@dataclass(frozen=True)
class SphereShape:
    """A sphere, centred."""

    radius: float


@dataclass(frozen=True)
class CapsuleShape:
    """A cylinder along z with round ends, centred; `length` is the length of the cylinder."""

    radius: float
    length: float


@dataclass(frozen=True)
class EllipsoidShape:
    """An ellipsoid, centred; radii along x, y and z."""

    radii: Triple


@dataclass(frozen=True)
class MeshShape:
    """Surface in a mesh file, by the name written in the robot, and the factors of its coordinates."""

    file: str
    scale: Triple = (1.0, 1.0, 1.0)


RobotShape = BoxShape | CylinderShape | SphereShape | CapsuleShape | EllipsoidShape | MeshShape


@dataclass(frozen=True)
class Geometry:
    """Shape of a link, with colour ``#rrggbb`` and opacity if the file has them."""

    shape: RobotShape
    placement: Placement
    color: str | None = None
    opacity: float = 1.0
    name: str = ""
    line: int = 0


@dataclass(frozen=True)
class Inertial:
    """Mass and moments of inertia about the centre of mass, resolved in the axes of the placement."""

    mass: float
    xx: float
    yy: float
    zz: float
    xy: float
    xz: float
    yz: float
    placement: Placement = Placement()
    line: int = 0


@dataclass(frozen=True)
class Link:
    """A rigid part."""

    name: str
    inertial: Inertial | None = None
    visuals: tuple[Geometry, ...] = ()
    collisions: tuple[Geometry, ...] = ()
    line: int = 0
    placement: Placement = Placement()
    """Placement in the world of a link that is no joint's child."""


@dataclass(frozen=True)
class Limits:
    """Range, speed and force or torque of a joint; None if the file lacks them."""

    lower: float | None = None
    upper: float | None = None
    velocity: float | None = None
    effort: float | None = None
    line: int = 0


@dataclass(frozen=True)
class Mimic:
    """Joint that a joint follows, with the multiplier and offset of its value."""

    joint: str
    multiplier: float = 1.0
    offset: float = 0.0
    line: int = 0


@dataclass(frozen=True)
class Joint:
    """Connection of two links. At zero the child has the placement in the parent; it moves about or along `axis`.

    The axis is a unit vector in the frame of the joint, which is also the frame of the child unless `below` differs.
    """

    name: str
    type: JointType
    parent: str
    child: str
    placement: Placement = Placement()
    axis: Triple = (1.0, 0.0, 0.0)
    limits: Limits | None = None
    mimic: Mimic | None = None
    line: int = 0
    below: Placement = Placement()
    """Placement of the child in the frame of the joint; always zero in URDF."""


@dataclass(frozen=True)
class AttachedFrame:
    """Named frame other than a link, and the link that it moves with."""

    name: str
    link: str
    placement: Placement


@dataclass(frozen=True)
class CameraSensor:
    """Camera of a sensor.

    Attributes
    ----------
    size
        Width and height of the image, pixels.
    focal, center
        Focal lengths and principal point, pixels.
    distortion
        Coefficients k1 k2 p1 p2 k3 of the model of Brown and Conrady; empty without distortion.
    optical
        Name of the frame with the axes of the image, as the file states it; may be empty.
    """

    size: tuple[int, int]
    focal: tuple[float, float]
    center: tuple[float, float]
    distortion: tuple[float, ...] = ()
    optical: str = ""


@dataclass(frozen=True)
class RobotSensor:
    """Sensor on a link, such as a camera, an inertial unit or a lidar.

    A camera looks along x of its placement, with y to the left and z up.
    """

    name: str
    kind: str
    link: str
    placement: Placement
    camera: CameraSensor | None = None
    line: int = 0


@dataclass(frozen=True)
class Robot:
    """A robot, with the faults in its file.

    Its joints form one or more trees of all its links. Faults report joints that are left out of the trees.
    """

    name: str
    links: tuple[Link, ...]
    joints: tuple[Joint, ...]
    faults: tuple[Problem, ...] = field(default=(), compare=False)
    frames: tuple[AttachedFrame, ...] = ()
    sensors: tuple[RobotSensor, ...] = ()

    @property
    def mass(self) -> float:
        """Mass of all links, kg."""
        return sum(link.inertial.mass for link in self.links if link.inertial is not None)

    @property
    def roots(self) -> tuple[str, ...]:
        """Names of the links that are no joint's child."""
        children = {joint.child for joint in self.joints}
        return tuple(link.name for link in self.links if link.name not in children)

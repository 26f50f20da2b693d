"""A robot as a file describes it: links, joints between them, shapes, masses and limits, in SI units.

Angles are in rad, lengths in m, masses in kg, moments of inertia in kg m². A `Placement` is that of a thing in the
frame that it hangs on: of a joint in that of its parent link, of a shape and of a centre of mass in that of its link.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from framescope.core.errors import Severity

Triple = tuple[float, float, float]

JointType = Literal["fixed", "revolute", "continuous", "prismatic", "planar", "floating"]

JOINT_TYPES: tuple[JointType, ...] = ("revolute", "continuous", "prismatic", "fixed", "floating", "planar")


@dataclass(frozen=True)
class Fault:
    """What is wrong in the file of a robot.

    Attributes
    ----------
    line
        Where, from 1.
    kind
        What it is called, such as ``"two roots"``.
    where
        Of what: ``"joint elbow"``, ``"link hand"``, or the robot.
    message
        What is wrong there, as a sentence.
    hint
        What to do about it.
    severity
        ``red`` where something is left out or not as the file has it, ``amber`` where it is taken as one may think,
        ``note`` where all is taken as it stands.
    """

    line: int
    kind: str
    where: str
    message: str
    hint: str = ""
    severity: Severity = "amber"


@dataclass(frozen=True)
class Placement:
    """Position ``xyz`` and turns ``rpy`` about the fixed axes x, y and z, one after another."""

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
    """A cylinder along z with round ends, centred; `length` is that of the cylinder."""

    radius: float
    length: float


@dataclass(frozen=True)
class EllipsoidShape:
    """An ellipsoid, centred; radii along x, y and z."""

    radii: Triple


@dataclass(frozen=True)
class MeshShape:
    """The surface in a file, by the name that stands there, and by how much its numbers are multiplied."""

    file: str
    scale: Triple = (1.0, 1.0, 1.0)


RobotShape = BoxShape | CylinderShape | SphereShape | CapsuleShape | EllipsoidShape | MeshShape


@dataclass(frozen=True)
class Geometry:
    """A shape of a link, in a colour ``#rrggbb`` with an opacity, where the file has one."""

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
    """Where it stands in the world when it hangs on no joint."""


@dataclass(frozen=True)
class Limits:
    """How far a joint goes, how fast, and with which force or torque; None where the file does not say."""

    lower: float | None = None
    upper: float | None = None
    velocity: float | None = None
    effort: float | None = None
    line: int = 0


@dataclass(frozen=True)
class Mimic:
    """Another joint that a joint follows: its value times a multiplier, and an offset."""

    joint: str
    multiplier: float = 1.0
    offset: float = 0.0
    line: int = 0


@dataclass(frozen=True)
class Joint:
    """What joins two links: at zero the child stands at the placement in the parent, and moves about or along `axis`.

    The axis is of unit length, resolved in the frame of the joint, which is that of the child unless it says otherwise.
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
    """Where the child stands in the frame of the joint; in URDF they are one."""


@dataclass(frozen=True)
class AttachedFrame:
    """A frame that is written besides the links, and the link that it moves with."""

    name: str
    link: str
    placement: Placement


@dataclass(frozen=True)
class Robot:
    """A robot, with what is wrong in its file.

    Its joints make a tree of all its links, or several; where a file has other joints, faults say which are left out.
    """

    name: str
    links: tuple[Link, ...]
    joints: tuple[Joint, ...]
    faults: tuple[Fault, ...] = field(default=(), compare=False)
    frames: tuple[AttachedFrame, ...] = ()

    @property
    def mass(self) -> float:
        """The mass of all links, kg."""
        return sum(link.inertial.mass for link in self.links if link.inertial is not None)

    @property
    def roots(self) -> tuple[str, ...]:
        """Names of the links that hang on no joint."""
        children = {joint.child for joint in self.joints}
        return tuple(link.name for link in self.links if link.name not in children)

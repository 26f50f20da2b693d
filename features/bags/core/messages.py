"""Messages that say something of frames, and how they are read from the bytes of ROS 1 and ROS 2.

Their fields have been the same in all distributions of either, so that no definitions are needed to read them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from framescope.features.bags.core.wire import CdrCursor, MessageError, Ros1Cursor

Triple = tuple[float, ...]

TF_TYPES = ("tf2_msgs/TFMessage", "tf/tfMessage")


@dataclass(frozen=True, slots=True)
class StampedPose:
    """Pose of a child in a parent at a time; without a child it is the pose of what its topic is about.

    `position` (3,) is in metres, `quaternion` (4,) has its scalar last, as sent.
    """

    stamp_ns: int
    parent: str
    child: str
    position: Triple
    quaternion: Triple


@dataclass(frozen=True, slots=True)
class Odometry:
    """Pose of a child in a parent, and its velocity: `v`, m/s, and `w`, rad/s, (3,), both resolved in the child."""

    pose: StampedPose
    v: Triple
    w: Triple


@dataclass(frozen=True, slots=True)
class Imu:
    """Readings of an inertial unit, resolved in its frame.

    Attributes
    ----------
    quaternion : (4,), optional
        Orientation of the unit in a frame that its documentation names; None where the unit gives none.
    w : (3,), optional
        Angular velocity, rad/s.
    f : (3,), optional
        Specific force, m/s²: acceleration less gravity, +9.81 upwards at rest.
    """

    stamp_ns: int
    frame: str
    quaternion: Triple | None
    w: Triple | None
    f: Triple | None


@dataclass(frozen=True, slots=True)
class JointState:
    """Positions, velocities and efforts of joints, each for all names or empty, in rad or m."""

    stamp_ns: int
    names: tuple[str, ...]
    positions: Triple
    velocities: Triple
    efforts: Triple


@dataclass(frozen=True, slots=True)
class CameraInfo:
    """Size of a camera's pictures, its distortion and its matrix ``K`` (9,), by rows."""

    stamp_ns: int
    frame: str
    width: int
    height: int
    distortion_model: str
    distortion: Triple
    K: Triple


Message = StampedPose | Odometry | Imu | JointState | CameraInfo | str
"""What is read; a string is one, such as the description of a robot."""

_NO_READING = -1.0
"""The first number of a covariance where there is no reading."""


def _tf(c: Ros1Cursor) -> list[Message]:
    return [_transform(c) for _ in range(c.counted(60))]


def _transform(c: Ros1Cursor) -> StampedPose:
    stamp_ns, parent = c.header()
    child = c.string()
    return StampedPose(stamp_ns, parent, child, *_pose(c))


def _pose(c: Ros1Cursor) -> tuple[Triple, Triple]:
    numbers = c.doubles(7)
    return numbers[:3], numbers[3:]


def _pose_stamped(c: Ros1Cursor) -> list[Message]:
    stamp_ns, parent = c.header()
    return [StampedPose(stamp_ns, parent, "", *_pose(c))]


def _odometry(c: Ros1Cursor) -> list[Message]:
    stamp_ns, parent = c.header()
    child = c.string()
    pose = StampedPose(stamp_ns, parent, child, *_pose(c))
    c.doubles(36)  # covariance
    return [Odometry(pose, c.doubles(3), c.doubles(3))]


def _imu(c: Ros1Cursor) -> list[Message]:
    stamp_ns, frame = c.header()
    readings: list[Triple | None] = []
    for n in (4, 3, 3):
        values, covariance = c.doubles(n), c.doubles(9)
        readings.append(None if covariance[0] == _NO_READING else values)
    if readings[0] is not None and not any(readings[0]):  # no orientation is: what units say that know none
        readings[0] = None
    return [Imu(stamp_ns, frame, *readings)]


def _joint_state(c: Ros1Cursor) -> list[Message]:
    stamp_ns, _ = c.header()
    return [JointState(stamp_ns, c.strings(), *(c.doubles_counted() for _ in range(3)))]


def _camera_info(c: Ros1Cursor) -> list[Message]:
    stamp_ns, frame = c.header()
    height, width = c.u32(), c.u32()
    return [CameraInfo(stamp_ns, frame, width, height, c.string(), c.doubles_counted(), c.doubles(9))]


def _string(c: Ros1Cursor) -> list[Message]:
    return [c.string()]


READERS: dict[str, Callable[[Ros1Cursor], list[Message]]] = {
    **dict.fromkeys(TF_TYPES, _tf),
    "geometry_msgs/TransformStamped": lambda c: [_transform(c)],
    "geometry_msgs/PoseStamped": _pose_stamped,
    "geometry_msgs/PoseWithCovarianceStamped": _pose_stamped,
    "nav_msgs/Odometry": _odometry,
    "sensor_msgs/Imu": _imu,
    "sensor_msgs/JointState": _joint_state,
    "sensor_msgs/CameraInfo": _camera_info,
    "std_msgs/String": _string,
}
"""What reads a message, by the name of its type; a new one is a line here."""


def read_ros(type_name: str, encoding: str, data: bytes | memoryview) -> list[Message]:
    """Return what a message of ROS holds.

    Parameters
    ----------
    type_name
        One of `READERS`.
    encoding
        ``"ros1"`` or ``"cdr"``.
    data
        The message.

    Raises
    ------
    MessageError
        When the bytes are not such a message.
    """
    reader = READERS.get(type_name)
    if reader is None:
        raise MessageError(f"messages of type {type_name} are not read")
    return reader(cursor_over(encoding, data))


def cursor_over(encoding: str, data: bytes | memoryview) -> Ros1Cursor:
    """Return a cursor over a message in ``"ros1"`` or ``"cdr"``."""
    return CdrCursor(data) if encoding == "cdr" else Ros1Cursor(data)

"""Messages about frames, and their readers for the serialization of ROS 1 and ROS 2.

Their fields are the same in all distributions of each, so that reading needs no message definitions.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from framescope.features.bags.core.wire import CdrCursor, MessageError, Ros1Cursor

Triple = tuple[float, ...]

TF_TYPES = ("tf2_msgs/TFMessage", "tf/tfMessage")

PATH_TYPE = "nav_msgs/Path"
"""Type of messages that hold many poses of one object: `READERS` reads the header, `read_path` the poses."""

SCAN_TYPES = (
    "sensor_msgs/LaserScan",
    "sensor_msgs/MultiEchoLaserScan",
    "sensor_msgs/Range",
    "sensor_msgs/MagneticField",
    "sensor_msgs/NavSatFix",
)
"""Types of small messages of sensors, of which only the header is read."""

MARKERS_TYPE = "visualization_msgs/MarkerArray"
"""Type of messages that hold markers, each with a header."""


@dataclass(frozen=True, slots=True)
class StampedPose:
    """Pose of a child in a parent at a time; without a child, the pose of the object that the topic names.

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
        Orientation of the unit in a frame given in its documentation; None for units without orientation.
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
    """Size of a camera's pictures, its distortion, and its matrices by rows.

    `K` (9,) is the matrix of the camera, `R` (9,) turns rays into rectified ones, `P` (12,) projects them.
    """

    stamp_ns: int
    frame: str
    width: int
    height: int
    distortion_model: str
    distortion: Triple
    K: Triple
    R: Triple
    P: Triple


@dataclass(frozen=True, slots=True)
class Header:
    """Header of a message about one frame, such as a scan of a sensor."""

    stamp_ns: int
    frame: str


Message = StampedPose | Odometry | Imu | JointState | CameraInfo | Header | str
"""A message that has been read; a string is the text of a message, such as a robot description."""

NO_READING = -1.0
"""First element of a covariance that marks a missing reading."""


def _read_tf(c: Ros1Cursor) -> list[Message]:
    return [_read_transform(c) for _ in range(c.sequence_length(60))]


def _read_transform(c: Ros1Cursor) -> StampedPose:
    stamp_ns, parent = c.header()
    child = c.string()
    return StampedPose(stamp_ns, parent, child, *_read_pose(c))


def _read_pose(c: Ros1Cursor) -> tuple[Triple, Triple]:
    numbers = c.doubles(7)
    return numbers[:3], numbers[3:]


def _read_stamped_pose(c: Ros1Cursor) -> list[Message]:
    stamp_ns, parent = c.header()
    return [StampedPose(stamp_ns, parent, "", *_read_pose(c))]


def _read_odometry(c: Ros1Cursor) -> list[Message]:
    stamp_ns, parent = c.header()
    child = c.string()
    pose = StampedPose(stamp_ns, parent, child, *_read_pose(c))
    c.doubles(36)  # covariance
    return [Odometry(pose, c.doubles(3), c.doubles(3))]


def _read_imu(c: Ros1Cursor) -> list[Message]:
    stamp_ns, frame = c.header()
    readings: list[Triple | None] = []
    for n in (4, 3, 3):
        values, covariance = c.doubles(n), c.doubles(9)
        readings.append(None if covariance[0] == NO_READING else values)
    if readings[0] is not None and not any(readings[0]):  # units without orientation send four zeros
        readings[0] = None
    return [Imu(stamp_ns, frame, *readings)]


def _read_joint_state(c: Ros1Cursor) -> list[Message]:
    stamp_ns, _ = c.header()
    return [JointState(stamp_ns, c.strings(), *(c.double_sequence() for _ in range(3)))]


def _read_camera_info(c: Ros1Cursor) -> list[Message]:
    stamp_ns, frame = c.header()
    height, width = c.u32(), c.u32()
    model, distortion = c.string(), c.double_sequence()
    return [CameraInfo(stamp_ns, frame, width, height, model, distortion, *(c.doubles(n) for n in (9, 9, 12)))]


def _read_header(c: Ros1Cursor) -> list[Message]:
    return [Header(*c.header())]


def _read_string(c: Ros1Cursor) -> list[Message]:
    return [c.string()]


READERS: dict[str, Callable[[Ros1Cursor], list[Message]]] = {
    **dict.fromkeys(TF_TYPES, _read_tf),
    "geometry_msgs/TransformStamped": lambda c: [_read_transform(c)],
    "geometry_msgs/PoseStamped": _read_stamped_pose,
    "geometry_msgs/PoseWithCovarianceStamped": _read_stamped_pose,
    "nav_msgs/Odometry": _read_odometry,
    "sensor_msgs/Imu": _read_imu,
    "sensor_msgs/JointState": _read_joint_state,
    "sensor_msgs/CameraInfo": _read_camera_info,
    "std_msgs/String": _read_string,
    **dict.fromkeys((PATH_TYPE, *SCAN_TYPES), _read_header),
}
"""Readers of messages by type name. A new message type is one line here."""


def read_ros(type_name: str, encoding: str, data: bytes | memoryview) -> list[Message]:
    """Return the contents of a message of ROS.

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
        When the bytes are not a message of this type.
    """
    reader = READERS.get(type_name)
    if reader is None:
        raise MessageError(f"messages of type {type_name} are not read")
    return reader(cursor_over(encoding, data))


_LEAST_POSE = 60
"""Lower bound of the size of a stamped pose, bytes."""


def path_length(encoding: str, data: bytes | memoryview) -> int:
    """Return the number of poses of a message of `PATH_TYPE`; raise `MessageError` for other bytes."""
    cursor = cursor_over(encoding, data)
    cursor.header()
    return cursor.sequence_length(_LEAST_POSE)


def read_path(encoding: str, data: bytes | memoryview) -> list[StampedPose]:
    """Return the poses of a message of `PATH_TYPE`; raise `MessageError` for other bytes.

    Poses that name no frame are in the frame of the path.
    """
    cursor = cursor_over(encoding, data)
    _, frame = cursor.header()
    poses: list[StampedPose] = []
    for _ in range(cursor.sequence_length(_LEAST_POSE)):
        stamp_ns, parent = cursor.header()
        poses.append(StampedPose(stamp_ns, parent or frame, "", *_read_pose(cursor)))
    return poses


def cursor_over(encoding: str, data: bytes | memoryview) -> Ros1Cursor:
    """Return a cursor over a message in ``"ros1"`` or ``"cdr"``."""
    return CdrCursor(data) if encoding == "cdr" else Ros1Cursor(data)

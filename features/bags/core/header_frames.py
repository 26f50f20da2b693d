"""Frames named in the headers of all messages, of which the first of each sender is read."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from framescope.features.bags.core.bag import Bag, Channel
from framescope.features.bags.core.messages import MARKERS_TYPE, cursor_over
from framescope.features.bags.core.wire import MessageError

MAX_READ = 20
"""Limit of messages of a sender that are read until one names a frame; markers that clear others name none."""

_LEAST_MARKER = 100
"""Lower bound of the size of a marker, bytes."""

FRAMELESS_TYPES = frozenset(
    [
        *("sensor_msgs/JointState", "sensor_msgs/Joy", "sensor_msgs/BatteryState", "sensor_msgs/TimeReference"),
        *("sensor_msgs/MultiDOFJointState", "sensor_msgs/JoyFeedback"),
    ]
)
"""Types whose header states only a time: its frame is empty or the name of a device."""

FRAMELESS_PACKAGES = frozenset(
    [
        *("actionlib_msgs", "actionlib_tutorials", "can_msgs", "control_msgs", "diagnostic_msgs", "mavros_msgs"),
        *("rosgraph_msgs", "trajectory_msgs"),
    ]
)
"""Packages whose headers state only times."""

SENSOR_PACKAGES = frozenset(
    [
        *("livox_ros_driver", "livox_ros_driver2", "radar_msgs", "sensor_msgs", "stereo_msgs", "velodyne_msgs"),
        *("ouster_ros", "ouster_msgs", "event_camera_msgs", "dvs_msgs", "marti_sensor_msgs", "novatel_oem7_msgs"),
    ]
)
"""Packages of the messages of sensors, whose headers state when they are measured."""

_FRAMELESS_ENDINGS = ("ActionFeedback", "ActionGoal", "ActionResult", "Diagnostics", "Status", "StatusArray")


@dataclass(frozen=True)
class NamedFrame:
    """A frame named by messages of a topic: their number, and the times of their first and last reception, ns.

    Attributes
    ----------
    name
        Name of the frame; empty if the messages name none.
    type
        Type of the messages; empty if unknown.
    key
        Field that names the frame.
    """

    name: str
    topic: str
    publisher: str
    first_ns: int
    last_ns: int
    count: int
    type: str = ""
    key: str = "frame_id"


def has_frame(channel: Channel) -> bool:
    """Return whether the messages of a channel begin with a header whose frame has a meaning."""
    package, _, name = channel.type.partition("/")
    if channel.encoding not in ("ros1", "cdr") or package in FRAMELESS_PACKAGES or channel.type in FRAMELESS_TYPES:
        return False
    return channel.type == MARKERS_TYPE or (channel.has_header and not name.endswith(_FRAMELESS_ENDINGS))


def has_stamp_of_sensor(channel: Channel) -> bool:
    """Return whether the headers of a channel state when a sensor measured, besides its frame."""
    return channel.type != MARKERS_TYPE and channel.type.partition("/")[0] in SENSOR_PACKAGES and has_frame(channel)


def frames_of_headers(bag: Bag, without: Callable[[Channel], bool], damages: list[str]) -> Iterator[NamedFrame]:
    """Yield the frame in the first header of each sender, counted as the frame of all its messages.

    Parameters
    ----------
    bag
        An open bag.
    without
        Selects channels that are left out.
    damages
        Receives a message about each sender whose messages cannot be read.
    """
    channels = [channel for channel in bag.channels if has_frame(channel) and not without(channel)]
    end = bag.span_ns[1] if bag.span_ns else 0
    for key in dict.fromkeys(_sender(channel) for channel in channels):
        count = sum(channel.count for channel in channels if _sender(channel) == key)
        try:
            frame = _first_frame(bag, key) if count else None
        except MessageError as error:
            damages.append(f"{key[0]}: its messages are no {key[2]} ({error})")
            continue
        if frame is not None:
            name, log_ns = frame
            yield NamedFrame(name, *key[:2], log_ns, max(end, log_ns), max(count, 1), key[2])


def _first_frame(bag: Bag, sender: tuple[str, str, str]) -> tuple[str, int] | None:
    """Return the first frame that a sender names, or an empty name, and the time of reception, ns."""
    first: tuple[str, int] | None = None
    for i, message in enumerate(bag.messages(lambda channel: _sender(channel) == sender)):
        cursor = cursor_over(message.channel.encoding, message.data)
        if sender[2] == MARKERS_TYPE and not cursor.sequence_length(_LEAST_MARKER):
            continue
        _, name = cursor.header()
        if name:
            return name, message.log_ns
        first = first or (name, message.log_ns)
        if i + 1 >= MAX_READ:
            break
    return first


def _sender(channel: Channel) -> tuple[str, str, str]:
    return channel.topic, channel.publisher, channel.type

"""Time series of topics other than transforms: odometry, inertial readings, and the frames that messages name."""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from framescope.core.kernels.validation import Array
from framescope.features.bags.core.bag import Bag
from framescope.features.bags.core.header_frames import NamedFrame, frames_of_headers
from framescope.features.bags.core.messages import (
    PATH_TYPE,
    SCAN_TYPES,
    CameraInfo,
    Header,
    Imu,
    Message,
    Odometry,
    StampedPose,
)
from framescope.features.bags.core.tf_log import TRANSFORM_TYPES, Whole, decode_messages

LOOKED_AT = (
    "nav_msgs/Odometry",
    "sensor_msgs/Imu",
    "sensor_msgs/CameraInfo",
    "geometry_msgs/PoseStamped",
    "geometry_msgs/PoseWithCovarianceStamped",
    "foxglove.PoseInFrame",
    PATH_TYPE,
    *SCAN_TYPES,
)
"""Types of messages that are odometry or inertial readings, or name a frame."""

_NO_VALUE = float("nan")


@dataclass(frozen=True, eq=False)
class TopicSeries:
    """Numbers of one topic over time.

    Attributes
    ----------
    topic, publisher
        Topic, and node that sent the messages.
    frame, child
        Frames in the first message. `child` is set only for odometry.
    stamp_ns, log_ns : (n,)
        Times of the header and of reception, ns.
    values : (n, 13) or (n, 10)
        Odometry: position, quaternion (scalar last), velocity, angular velocity, the last two resolved in the child.
        Inertial readings: quaternion, angular velocity, specific force. NaN where there is no reading.
    """

    topic: str
    publisher: str
    frame: str
    child: str
    stamp_ns: Whole
    log_ns: Whole
    values: Array


@dataclass(frozen=True, eq=False)
class TopicContents:
    """Contents of the topics other than transforms, and messages about their unreadable parts.

    Attributes
    ----------
    odometry, inertial
        Numbers of the topics of odometry and of inertial readings.
    named
        Frames named by messages that are poses, or readings to be related to a pose.
    sensors
        Frames named by scans, pictures and other messages with a header.
    damages
        Messages about unreadable parts.
    """

    odometry: tuple[TopicSeries, ...] = ()
    inertial: tuple[TopicSeries, ...] = ()
    named: tuple[NamedFrame, ...] = ()
    sensors: tuple[NamedFrame, ...] = ()
    damages: tuple[str, ...] = ()


@dataclass
class _SeriesBuilder:
    frames: tuple[str, str]
    times: array[int] = field(default_factory=lambda: array("q"))
    values: array[float] = field(default_factory=lambda: array("d"))

    def add(self, stamp_ns: int, log_ns: int, values: Iterable[float]) -> None:
        self.times.extend((stamp_ns, log_ns))
        self.values.extend(values)

    def series(self, topic: str, publisher: str, width: int) -> TopicSeries:
        t = np.frombuffer(self.times, np.int64).reshape(-1, 2)
        values = np.frombuffer(self.values).reshape(-1, width)
        return TopicSeries(topic, publisher, *self.frames, t[:, 0], t[:, 1], values)


def read_topics(bag: Bag) -> TopicContents:
    """Return the contents of the topics other than transforms; chunks without any of them are not unpacked.

    Of other messages with a header only the first of each sender is read.
    """
    odometry: dict[tuple[str, str], _SeriesBuilder] = {}
    inertial: dict[tuple[str, str], _SeriesBuilder] = {}
    named: dict[tuple[str, str, str], NamedFrame] = {}
    sensors: dict[tuple[str, str, str], NamedFrame] = {}
    bad: list[str] = []
    for channel, log_ns, messages in decode_messages(bag, lambda each: each.type in LOOKED_AT, bad):
        key = channel.topic, channel.publisher
        for message in messages:
            if isinstance(message, Odometry):
                pose = message.pose
                builder = odometry.setdefault(key, _SeriesBuilder((pose.parent, pose.child)))
                builder.add(pose.stamp_ns, log_ns, (*pose.position, *pose.quaternion, *message.v, *message.w))
            elif isinstance(message, Imu):
                none = (_NO_VALUE,) * 4
                numbers = (*(message.quaternion or none), *(message.w or none[:3]), *(message.f or none[:3]))
                inertial.setdefault(key, _SeriesBuilder((message.frame, ""))).add(message.stamp_ns, log_ns, numbers)
            frames = sensors if channel.type in SCAN_TYPES else named
            for field_name, name in _frames_named_in(message):
                place = field_name, name, channel.topic
                before = frames.get(place)
                first, count = (before.first_ns, before.count) if before else (log_ns, 0)
                frames[place] = NamedFrame(name, *key, first, log_ns, count + 1, channel.type, field_name)
    without = frozenset((*LOOKED_AT, *TRANSFORM_TYPES))
    sensors |= {(entry.key, entry.name, entry.topic): entry for entry in frames_of_headers(bag, without, bad)}
    return TopicContents(
        tuple(builder.series(*key, 13) for key, builder in odometry.items()),
        tuple(builder.series(*key, 10) for key, builder in inertial.items()),
        tuple(named.values()),
        tuple(sensors.values()),
        tuple(bad),
    )


def _frames_named_in(message: Message) -> tuple[tuple[str, str], ...]:
    """Return the fields that name frames, and the frames, hence frames that a listener will look up."""
    if isinstance(message, Odometry):
        return ("frame_id", message.pose.parent), ("child_frame_id", message.pose.child)
    if isinstance(message, StampedPose):
        return (("frame_id", message.parent),)
    if isinstance(message, Imu | CameraInfo | Header):
        return (("frame_id", message.frame),)
    return ()

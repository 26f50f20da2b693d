"""Time series of topics other than transforms: odometry, inertial readings, and the frames that messages name."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from framescope.core.kernels.validation import Array
from framescope.core.scene.schema.base import FrozenDict
from framescope.features.bags.core.bag import Bag, Channel
from framescope.features.bags.core.columns import Columns, read_columns
from framescope.features.bags.core.header_frames import NamedFrame, frames_of_headers, has_stamp_of_sensor
from framescope.features.bags.core.messages import NO_READING, PATH_TYPE, SCAN_TYPES, StampedPose
from framescope.features.bags.core.tf_log import TRANSFORM_TYPES, Whole, decode_messages, describes_robot

POSE_TYPES = ("geometry_msgs/PoseStamped", "geometry_msgs/PoseWithCovarianceStamped")
ODOMETRY_TYPE, IMU_TYPE, FOXGLOVE_POSE = "nav_msgs/Odometry", "sensor_msgs/Imu", "foxglove.PoseInFrame"

NAMING_TYPES = (ODOMETRY_TYPE, IMU_TYPE, "sensor_msgs/CameraInfo", *POSE_TYPES, FOXGLOVE_POSE, PATH_TYPE)
"""Types of messages that are poses, or readings to be related to a pose."""


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
class TopicClock:
    """Stamps of the messages of one topic in order of reception.

    Attributes
    ----------
    topic, publisher, type
        Topic, node that sent the messages, and their type.
    frame
        Frame of the first message.
    stamp_ns, log_ns : (n,)
        Times of the header and of reception, ns.
    """

    topic: str
    publisher: str
    type: str
    frame: str
    stamp_ns: Whole
    log_ns: Whole


@dataclass(frozen=True, eq=False)
class StatedCovariances:
    """Covariances in the first message of a topic.

    Attributes
    ----------
    topic, publisher, frame
        Topic, node that sent the messages, and frame of the first one.
    first_ns, last_ns
        First and last time of reception, ns.
    count
        Number of messages.
    matrices
        Name of the reading, and its covariance (k, k).
    may_be_missing
        Whether -1 as the first element marks a missing reading.
    is_of_poses
        Whether the messages are odometry or poses, whose covariances have no value for an unknown one.
    sent_as_missing
        Names of readings that are marked as missing, though they are sent and vary.
    """

    topic: str
    publisher: str
    frame: str
    first_ns: int
    last_ns: int
    count: int
    matrices: tuple[tuple[str, Array], ...]
    may_be_missing: bool
    is_of_poses: bool
    sent_as_missing: tuple[str, ...] = ()


COVARIANCES: dict[str, tuple[tuple[str, int, int], ...]] = {
    IMU_TYPE: (("orientation", 4, 3), ("angular velocity", 16, 3), ("acceleration", 28, 3)),
    "sensor_msgs/MagneticField": (("field", 3, 3),),
    "sensor_msgs/NavSatFix": (("position", 5, 3),),
    ODOMETRY_TYPE: (("pose", 7, 6), ("twist", 49, 6)),
    POSE_TYPES[1]: (("pose", 7, 6),),
}
"""Covariances by type of message: name of the reading, index of the first number, and rows."""


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
    clocks
        Stamps and times of reception of topics of which all messages are read.
    poses
        Positions and quaternions (n, 7) of topics of poses.
    covariances
        Covariances in the first message of each topic.
    descriptions
        The last robot description on each topic.
    damages
        Messages about unreadable parts.
    """

    odometry: tuple[TopicSeries, ...] = ()
    inertial: tuple[TopicSeries, ...] = ()
    named: tuple[NamedFrame, ...] = ()
    sensors: tuple[NamedFrame, ...] = ()
    clocks: tuple[TopicClock, ...] = ()
    poses: tuple[TopicSeries, ...] = ()
    covariances: tuple[StatedCovariances, ...] = ()
    descriptions: Mapping[str, str] = FrozenDict()
    damages: tuple[str, ...] = ()


def read_topics(bag: Bag) -> TopicContents:
    """Return the contents of the topics other than transforms; chunks without any of them are not unpacked.

    All headers of sensors are read; of other messages with a header only the first of each sender.
    """
    bad: list[str] = []
    columns = read_columns(bag, _is_looked_at, bad)
    named, sensors = list[NamedFrame](), list[NamedFrame]()
    for part in columns:
        frames = sensors if part.channel.type not in NAMING_TYPES else named
        keys = ("frame_id", "child_frame_id") if part.channel.type == ODOMETRY_TYPE else ("frame_id",)
        ends = int(part.log_ns[0]), int(part.log_ns[-1]), len(part.log_ns)
        sender = part.channel.topic, part.channel.publisher
        frames += [
            NamedFrame(name, *sender, *ends, part.channel.type, key)
            for key, name in zip(keys, part.texts, strict=False)
        ]
    named += _frames_of_poses(bag, bad)
    sensors += frames_of_headers(bag, lambda channel: _is_looked_at(channel) or channel.type in TRANSFORM_TYPES, bad)
    of_senders = _by_sender(columns)
    return TopicContents(
        tuple(_odometry(parts) for parts in of_senders if parts[0].channel.type == ODOMETRY_TYPE),
        tuple(_inertial(parts) for parts in of_senders if parts[0].channel.type == IMU_TYPE),
        tuple(_united(named)),
        tuple(_united(sensors)),
        tuple(_clock(parts) for parts in of_senders if parts[0].channel.type != PATH_TYPE),
        tuple(_odometry(parts) for parts in of_senders if parts[0].channel.type in POSE_TYPES),
        tuple(_covariances(part) for part in columns if part.channel.type in COVARIANCES),
        FrozenDict(descriptions_in(bag, bad)),
        tuple(dict.fromkeys(bad)),
    )


def _is_looked_at(channel: Channel) -> bool:
    return channel.type in (*NAMING_TYPES, *SCAN_TYPES) or has_stamp_of_sensor(channel)


def descriptions_in(bag: Bag, damages: list[str], topics: Collection[str] | None = None) -> dict[str, str]:
    """Return the last robot description on each topic of a bag, for some topics or all."""

    def is_wanted(channel: Channel) -> bool:
        return describes_robot(channel) and (topics is None or channel.topic in topics)

    descriptions: dict[str, str] = {}
    for channel, _, messages in decode_messages(bag, is_wanted, damages):
        texts = [text for text in messages if isinstance(text, str) and text.strip()]
        if texts:
            descriptions[channel.topic] = texts[-1]
    return descriptions


def _by_sender(columns: Iterable[Columns]) -> list[list[Columns]]:
    """Return the columns of each topic and publisher, which differ in their texts."""
    groups: dict[tuple[str, str, str], list[Columns]] = {}
    for part in columns:
        groups.setdefault((part.channel.topic, part.channel.publisher, part.channel.type), []).append(part)
    return list(groups.values())


def _joined(parts: list[Columns]) -> tuple[Whole, Whole, Array]:
    """Return stamps, times of reception and kept numbers of the messages of a sender, in order of reception."""
    if len(parts) == 1:
        return parts[0].stamp_ns, parts[0].log_ns, parts[0].values
    log_ns = np.concatenate([part.log_ns for part in parts])
    order = np.argsort(log_ns, kind="stable")
    stamp_ns = np.concatenate([part.stamp_ns for part in parts])
    return stamp_ns[order], log_ns[order], np.concatenate([part.values for part in parts])[order]


def _covariances(part: Columns) -> StatedCovariances:
    channel, first = part.channel, part.first
    matrices = tuple((name, first[at : at + n * n].reshape(n, n)) for name, at, n in COVARIANCES[channel.type])
    ends = int(part.log_ns[0]), int(part.log_ns[-1]), len(part.log_ns)
    is_imu = channel.type == IMU_TYPE
    return StatedCovariances(
        channel.topic,
        channel.publisher,
        part.texts[0],
        *ends,
        matrices,
        is_imu,
        channel.type in (ODOMETRY_TYPE, POSE_TYPES[1]),
        _sent_as_missing(part.values) if is_imu else (),
    )


def _sent_as_missing(kept: Array) -> tuple[str, ...]:
    """Return the readings of inertial units that all messages mark as missing, though they are numbers and vary."""
    parts = {"orientation": slice(0, 4), "angular velocity": slice(5, 8), "acceleration": slice(9, 12)}
    return tuple(
        name
        for name, columns in parts.items()
        if (kept[:, columns.stop] == NO_READING).all()
        and np.isfinite(kept[:, columns]).all()
        and (kept[:, columns] != kept[0, columns]).any()
    )


def _odometry(parts: list[Columns]) -> TopicSeries:
    """Return the numbers of a topic of odometry or poses."""
    channel, (frame, child) = parts[0].channel, (*parts[0].texts, "")[:2]
    return TopicSeries(channel.topic, channel.publisher, frame, child, *_joined(parts))


def _inertial(parts: list[Columns]) -> TopicSeries:
    stamp_ns, log_ns, kept = _joined(parts)
    channel = parts[0].channel
    return TopicSeries(
        channel.topic, channel.publisher, parts[0].texts[0], "", stamp_ns, log_ns, inertial_readings(kept)
    )


def inertial_readings(kept: Array) -> Array:
    """Return quaternions, rates and accelerations (n, 10) of an inertial unit, NaN where it marks them as missing.

    Parameters
    ----------
    kept : (n, 13)
        The kept numbers of its messages, see `framescope.features.bags.core.columns.COLUMN_TYPES`.
    """
    q, w, f = kept[:, :4].copy(), kept[:, 5:8].copy(), kept[:, 9:12].copy()
    for values, at in ((q, 4), (w, 8), (f, 12)):
        values[kept[:, at] == NO_READING] = np.nan
    q[~q.any(axis=1)] = np.nan  # units without orientation send four zeros
    return np.hstack([q, w, f])


def _clock(parts: list[Columns]) -> TopicClock:
    stamp_ns, log_ns, _ = _joined(parts)
    channel = parts[0].channel
    return TopicClock(channel.topic, channel.publisher, channel.type, parts[0].texts[0], stamp_ns, log_ns)


def _united(entries: Iterable[NamedFrame]) -> Iterable[NamedFrame]:
    """Return frames once for each topic and field, counted over all publishers."""
    united: dict[tuple[str, str, str], NamedFrame] = {}
    for entry in entries:
        place = entry.key, entry.name, entry.topic
        other = united.get(place)
        first, last, n = (
            (entry.first_ns, entry.last_ns, entry.count)
            if other is None
            else (min(entry.first_ns, other.first_ns), max(entry.last_ns, other.last_ns), entry.count + other.count)
        )
        united[place] = replace(entry, first_ns=first, last_ns=last, count=n)
    return united.values()


def _frames_of_poses(bag: Bag, bad: list[str]) -> Iterable[NamedFrame]:
    """Yield the frames of Foxglove's poses."""
    for channel, log_ns, messages in decode_messages(bag, lambda each: each.type == FOXGLOVE_POSE, bad):
        for message in messages:
            if isinstance(message, StampedPose):
                yield NamedFrame(message.parent, channel.topic, channel.publisher, log_ns, log_ns, 1, channel.type)

"""The log of all transforms of a bag, column by column, in the order in which they were received."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from framescope.core.kernels.validation import Array
from framescope.core.recordings.bags.bag import Bag, Channel
from framescope.core.recordings.bags.foxglove import READERS as FOXGLOVE_READERS
from framescope.core.recordings.bags.foxglove import read_foxglove
from framescope.core.recordings.bags.messages import READERS, TF_TYPES, Message, Odometry, StampedPose, read_ros
from framescope.core.recordings.bags.wire import MessageError
from framescope.core.recordings.tf_buffer import TfBuffer
from framescope.core.system.cooperative_yield import breathe

TRANSFORM_TYPES = (*TF_TYPES, "foxglove.FrameTransform", "foxglove.FrameTransforms")
POSE_TYPES = (
    "nav_msgs/Odometry",
    "geometry_msgs/PoseStamped",
    "geometry_msgs/PoseWithCovarianceStamped",
    "geometry_msgs/TransformStamped",
    "foxglove.PoseInFrame",
)
"""Types of messages that are the pose of one thing each."""

STATIC_TOPIC = "tf_static"

Whole = NDArray[np.integer[Any]]
"""Whole numbers, one a row."""

Flags = NDArray[np.bool_]

_END_NS = 1 << 62
"""In the year 2116; a stamp beyond is none."""

_BREATH = 1000
"""Messages between two looks at whether anybody still waits."""


@dataclass(frozen=True, eq=False)
class TfLog:
    """Transforms as they were sent, one a row, in the order of reception.

    Attributes
    ----------
    names, topics, publishers
        What the numbers in the columns stand for. Names are as sent, with their slashes.
    stamp_ns, log_ns : (n,) int64
        Time of the header and of reception, ns.
    parent, child, topic, publisher : (n,) int32
        Numbers of names, topics and publishers.
    is_static : (n,) bool
        Whether it came on a topic of statics.
    position : (n, 3)
        Of the child in the parent, m.
    quaternion : (n, 4)
        Of the child in the parent, the scalar last, as sent.
    damages
        What could not be read, in words.
    notes
        What was not sent and is assumed, in words.
    """

    names: tuple[str, ...]
    topics: tuple[str, ...]
    publishers: tuple[str, ...]
    stamp_ns: Whole
    log_ns: Whole
    parent: Whole
    child: Whole
    topic: Whole
    publisher: Whole
    is_static: Flags
    position: Array
    quaternion: Array
    damages: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.stamp_ns)

    def rows(self, chosen: Whole | Flags) -> TfLog:
        """Return the log of some rows, by a mask or by their numbers."""
        columns = ("stamp_ns", "log_ns", "parent", "child", "topic", "publisher", "is_static", "position", "quaternion")
        return replace(self, **{name: getattr(self, name)[chosen] for name in columns})


def is_static_topic(topic: str) -> bool:
    """Return whether what is sent on a topic holds at any time.

    >>> is_static_topic("/robot1/tf_static"), is_static_topic("/tf")
    (True, False)
    """
    return topic.rpartition("/")[2] == STATIC_TOPIC


def namespace_of(topic: str) -> str:
    """Return the namespace that a topic of transforms belongs to: each has a tree of its own.

    >>> namespace_of("/robot1/tf_static"), namespace_of("/tf")
    ('/robot1', '')
    """
    return topic.rpartition("/")[0]


def carries_transforms(channel: Channel) -> bool:
    """Return whether a channel's messages are transforms between frames."""
    return channel.type in TRANSFORM_TYPES


def carries_poses(channel: Channel) -> bool:
    """Return whether a channel's messages are poses of one thing, in a frame that they name."""
    return channel.type in POSE_TYPES


def describes_robot(channel: Channel) -> bool:
    """Return whether a channel's messages are descriptions of a robot, by its topic and type."""
    return channel.type == "std_msgs/String" and channel.topic.rpartition("/")[2] == "robot_description"


def namespaces(channels: Iterable[Channel]) -> tuple[str, ...]:
    """Return the namespaces in which transforms were sent, that with most messages first."""
    counts: dict[str, int] = {}
    for channel in channels:
        if carries_transforms(channel):
            name = namespace_of(channel.topic)
            counts[name] = counts.get(name, 0) + channel.count
    return tuple(sorted(counts, key=lambda name: (-counts[name], name)))


def decoded(
    bag: Bag, is_wanted: Callable[[Channel], bool], damages: list[str]
) -> Iterator[tuple[Channel, int, list[Message]]]:
    """Yield channel, time of reception and content of the messages of some channels that are read at all.

    A message that is damaged is left out; what is wrong with the first of each channel is added to `damages`.
    """
    bad: dict[Channel, tuple[int, str]] = {}
    n_in_all = sum(channel.count for channel in bag.channels if is_read(channel) and is_wanted(channel))
    for i, (channel, log_ns, data) in enumerate(bag.messages(lambda each: is_read(each) and is_wanted(each))):
        if i % _BREATH == 0:
            breathe(min(i / n_in_all, 1.0) if n_in_all else None)
        try:
            reader = read_ros if channel.type in READERS else read_foxglove
            messages = reader(channel.type, channel.encoding, data)
        except MessageError as error:
            n, first = bad.get(channel, (0, str(error)))
            bad[channel] = n + 1, first
            continue
        yield channel, log_ns, messages
    for channel, (n, first) in bad.items():
        what = "message is" if n == 1 else "messages are"
        damages.append(f"{channel.topic}: {n} {what} damaged and left out ({first})")


def is_read(channel: Channel) -> bool:
    """Return whether the messages of a channel can be read."""
    if channel.type in READERS:
        return channel.encoding in ("ros1", "cdr")
    return channel.type in FOXGLOVE_READERS and channel.encoding in ("protobuf", "json")


class _Names:
    """Numbers for names, in the order in which they come."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}

    def number(self, name: str) -> int:
        return self.numbers.setdefault(name, len(self.numbers))

    def __iter__(self) -> Iterator[str]:
        return iter(self.numbers)


def read_tf(bag: Bag, namespace: str = "") -> TfLog:
    """Return the transforms that were sent in one namespace.

    Parameters
    ----------
    bag
        An open bag; only the parts of it with such messages are unpacked.
    namespace
        ``""`` for ``/tf`` and ``/tf_static``, ``"/robot1"`` for those of a robot.
    """
    return _read(bag, lambda each: carries_transforms(each) and namespace_of(each.topic) == namespace)


def read_poses(bag: Bag, topic: str) -> TfLog:
    """Return the poses that were sent on one topic, such as odometry, as transforms.

    A child that a message does not name is called as the topic. What no message of the topic says is assumed, and
    noted: a parent without a name is the world, a time that was not set is that of reception, and an orientation of
    zeros is none.
    """
    log = _read(bag, lambda each: each.topic == topic and carries_poses(each), child=topic.removeprefix("/"))
    return _completed(log, topic)


UNNAMED_PARENT = "world"
"""Name of the frame in which poses are that name none."""


def _completed(log: TfLog, topic: str) -> TfLog:
    """Return the poses of a topic with what they do not say."""
    notes: list[str] = []
    names = list(log.names)
    parent, child = log.parent.copy(), log.child.copy()
    plain = [name.removeprefix("/") for name in names]
    nameless = np.array([not name for name in plain], bool)[parent] if len(log) else np.zeros(0, bool)
    if nameless.any():
        names.append(UNNAMED_PARENT)
        parent[nameless] = len(names) - 1
        plain.append(UNNAMED_PARENT)
        notes.append(f"{topic}: its poses name no frame that they are in. They are shown in {UNNAMED_PARENT}.")
    plain_numbers = np.unique(plain, return_inverse=True)[1]
    own = plain_numbers[parent] == plain_numbers[child] if len(log) else np.zeros(0, bool)
    if own.any():
        name = f"{plain[int(child[own][0])]} (pose)"
        names.append(name)
        child[own] = len(names) - 1
        notes.append(f"{topic}: its poses are in the frame that the topic is called. What moves is called {name!r}.")
    stamps, quaternion = log.stamp_ns, log.quaternion
    if len(log) and not stamps.any():
        stamps = log.log_ns.copy()
        notes.append(f"{topic}: its messages have no time. That of their reception is taken.")
    if len(log) and not quaternion.any():
        quaternion = np.tile((0.0, 0.0, 0.0, 1.0), (len(log), 1))
        notes.append(f"{topic}: its poses have no orientation (four zeros). They are shown without rotation.")
    return replace(
        log,
        names=tuple(names),
        parent=parent,
        child=child,
        stamp_ns=stamps,
        quaternion=quaternion,
        notes=tuple(notes),
    )


def _read(bag: Bag, is_wanted: Callable[[Channel], bool], child: str = "") -> TfLog:
    names, topics, publishers = _Names(), _Names(), _Names()
    times, numbers, values = array("q"), array("i"), array("d")
    bad: list[str] = []
    for channel, log_ns, messages in decoded(bag, is_wanted, bad):
        topic, publisher = topics.number(channel.topic), publishers.number(channel.publisher)
        for message in messages:
            pose = message.pose if isinstance(message, Odometry) else message
            if isinstance(pose, StampedPose) and max(pose.stamp_ns, log_ns) < _END_NS:
                times.extend((pose.stamp_ns, log_ns))
                numbers.extend((names.number(pose.parent), names.number(pose.child or child), topic, publisher))
                values.extend(pose.position)
                values.extend(pose.quaternion)
    t = np.frombuffer(times, np.int64).reshape(-1, 2) if times else np.zeros((0, 2), np.int64)
    k = np.frombuffer(numbers, np.int32).reshape(-1, 4) if numbers else np.zeros((0, 4), np.int32)
    x = np.frombuffer(values).reshape(-1, 7) if values else np.zeros((0, 7))
    order = np.argsort(t[:, 1], kind="stable")
    t, k, x = t[order], k[order], x[order]
    static = np.array([is_static_topic(topic) for topic in topics], bool)
    is_static = static[k[:, 2]] if len(k) else np.zeros(0, bool)
    columns: list[Any] = [t[:, 0], t[:, 1], k[:, 0], k[:, 1], k[:, 2], k[:, 3], is_static, x[:, :3], x[:, 3:]]
    return TfLog(
        tuple(names), tuple(topics), tuple(publishers), *columns, damages=tuple(dict.fromkeys([*bag.damages, *bad]))
    )


def insert_row(buffer: TfBuffer, log: TfLog, i: int) -> None:
    """Put one row of a log into a buffer."""
    buffer.insert(
        int(log.stamp_ns[i]),
        log.names[int(log.parent[i])],
        log.names[int(log.child[i])],
        log.position[i],
        log.quaternion[i],
        is_static=bool(log.is_static[i]),
        publisher=log.publishers[int(log.publisher[i])],
    )

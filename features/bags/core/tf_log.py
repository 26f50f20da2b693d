"""Log of all transforms of a bag, by columns, in order of reception."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from framescope.core.kernels.validation import Array
from framescope.core.recordings.tf_buffer import TfBuffer
from framescope.core.scene.schema.stamps import NS
from framescope.core.system.cooperative_yield import checkpoint
from framescope.features.bags.core.bag import Bag, Channel, RawMessage
from framescope.features.bags.core.foxglove import READERS as FOXGLOVE_READERS
from framescope.features.bags.core.foxglove import read_foxglove
from framescope.features.bags.core.message_layouts import Layouts
from framescope.features.bags.core.messages import (
    PATH_TYPE,
    READERS,
    TF_TYPES,
    Message,
    Odometry,
    StampedPose,
    path_length,
    read_path,
    read_ros,
)
from framescope.features.bags.core.wire import MessageError

TRANSFORM_TYPES = (*TF_TYPES, "foxglove.FrameTransform", "foxglove.FrameTransforms")
POSE_TYPES = (
    "nav_msgs/Odometry",
    "geometry_msgs/PoseStamped",
    "geometry_msgs/PoseWithCovarianceStamped",
    "geometry_msgs/TransformStamped",
    "foxglove.PoseInFrame",
    PATH_TYPE,
)
"""Types of messages that hold poses of a single object."""

STATIC_TOPIC = "tf_static"

Whole = NDArray[np.integer[Any]]
"""Array of integers, one for each row."""

Flags = NDArray[np.bool_]

_END_NS = 1 << 62
"""Limit of valid stamps, ns, in the year 2116."""

_CHECK_INTERVAL = 1000
"""Messages between two checks for cancellation."""


@dataclass(frozen=True, eq=False)
class TfLog:
    """Transforms as sent, one for each row, in order of reception.

    Attributes
    ----------
    names, topics, publishers
        Names for the numbers in the columns, as sent, including slashes.
    stamp_ns, log_ns : (n,) int64
        Time of the header and of reception, ns.
    parent, child, topic, publisher : (n,) int32
        Numbers of names, topics and publishers.
    is_static : (n,) bool
        Whether the transform was sent on a topic of static transforms.
    position : (n, 3)
        Position of the child in the parent, m.
    quaternion : (n, 4)
        Orientation of the child in the parent, scalar last, as sent.
    damages
        Messages about parts that could not be read.
    notes
        Messages about assumptions for values that were not sent.
    span_ns
        Times of reception of the first and the last message of the whole bag, ns; None if unknown.
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
    span_ns: tuple[int, int] | None = None

    def __len__(self) -> int:
        return len(self.stamp_ns)

    def rows(self, chosen: Whole | Flags) -> TfLog:
        """Return the log of some rows, selected by a mask or by row numbers."""
        columns = ("stamp_ns", "log_ns", "parent", "child", "topic", "publisher", "is_static", "position", "quaternion")
        return replace(self, **{name: getattr(self, name)[chosen] for name in columns})


def is_static_topic(topic: str) -> bool:
    """Return whether transforms on a topic are static, hence valid at all times.

    >>> is_static_topic("/robot1/tf_static"), is_static_topic("/tf")
    (True, False)
    """
    return topic.rpartition("/")[2] == STATIC_TOPIC


def namespace_of(topic: str) -> str:
    """Return the namespace of a topic of transforms. Each namespace has a tree of its own.

    >>> namespace_of("/robot1/tf_static"), namespace_of("/tf")
    ('/robot1', '')
    """
    return topic.rpartition("/")[0]


def carries_transforms(channel: Channel) -> bool:
    """Return whether a channel's messages are transforms between frames."""
    return channel.type in TRANSFORM_TYPES


def carries_poses(channel: Channel) -> bool:
    """Return whether a channel's messages are poses of a single object in a frame that they name."""
    return channel.type in POSE_TYPES


def describes_robot(channel: Channel) -> bool:
    """Return whether a channel's messages are robot descriptions, judged by topic and type."""
    return channel.type == "std_msgs/String" and channel.topic.rpartition("/")[2] == "robot_description"


def namespaces(channels: Iterable[Channel]) -> tuple[str, ...]:
    """Return the namespaces of transforms, the one with the most messages first."""
    counts: dict[str, int] = {}
    for channel in channels:
        if carries_transforms(channel):
            name = namespace_of(channel.topic)
            counts[name] = counts.get(name, 0) + channel.count
    return tuple(sorted(counts, key=lambda name: (-counts[name], name)))


def decode_messages(
    bag: Bag, is_wanted: Callable[[Channel], bool], damages: list[str]
) -> Iterator[tuple[Channel, int, list[Message]]]:
    """Yield channel, time of reception and contents of the readable messages of some channels.

    Damaged messages are skipped; the error of the first of each channel is added to `damages`.
    """
    bad = _Damaged()
    for channel, log_ns, data in _wanted_messages(bag, is_wanted):
        try:
            messages = _read_message(channel, data)
        except MessageError as error:
            bad.note(channel, error)
            continue
        yield channel, log_ns, messages
    damages += bad.texts()


def _wanted_messages(bag: Bag, is_wanted: Callable[[Channel], bool]) -> Iterator[RawMessage]:
    """Yield the undecoded messages of some readable channels."""
    n_in_all = sum(channel.count for channel in bag.channels if is_read(channel) and is_wanted(channel))
    for i, message in enumerate(bag.messages(lambda each: is_read(each) and is_wanted(each))):
        if i % _CHECK_INTERVAL == 0:
            checkpoint(min(i / n_in_all, 1.0) if n_in_all else None)
        yield message


def _read_message(channel: Channel, data: bytes | memoryview) -> list[Message]:
    reader = read_ros if channel.type in READERS else read_foxglove
    return reader(channel.type, channel.encoding, data)


class _Damaged:
    """Damaged messages by channel: their number, and the error of the first."""

    def __init__(self) -> None:
        self._found: dict[Channel, tuple[int, str]] = {}

    def note(self, channel: Channel, error: MessageError) -> None:
        n, first = self._found.get(channel, (0, str(error)))
        self._found[channel] = n + 1, first

    def texts(self) -> Iterator[str]:
        for channel, (n, first) in self._found.items():
            subject = "message is" if n == 1 else "messages are"
            yield f"{channel.topic}: {n} {subject} damaged and left out ({first})"


def is_read(channel: Channel) -> bool:
    """Return whether the messages of a channel can be read."""
    if channel.type in READERS:
        return channel.encoding in ("ros1", "cdr")
    return channel.type in FOXGLOVE_READERS and channel.encoding in ("protobuf", "json")


class _Names:
    """Consecutive numbers for names, in order of first use."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}

    def number(self, name: str) -> int:
        return self.numbers.setdefault(name, len(self.numbers))

    def __iter__(self) -> Iterator[str]:
        return iter(self.numbers)


class _Rows:
    """Rows of a log, message by message; messages of one kind have the same frames, topic and publisher."""

    def __init__(self) -> None:
        self._kinds: dict[tuple[tuple[int, ...], ...], int] = {}
        self._sent: array[int] = array("q")
        self._stamps: array[int] = array("q")
        self._values: array[float] = array("d")

    def kind(self, numbers: Iterable[tuple[int, int, int, int]]) -> int:
        """Return the number of the kind of message with these rows of parent, child, topic and publisher numbers."""
        return self._kinds.setdefault(tuple(numbers), len(self._kinds))

    def add(self, log_ns: int, kind: int, stamps: Iterable[int], values: Iterable[float]) -> None:
        """Add a message: time of reception, kind, and seconds, nanoseconds and pose of each row."""
        self._sent.extend((log_ns, kind))
        self._stamps.extend(stamps)
        self._values.extend(values)

    def add_poses(
        self, log_ns: int, sent: Sequence[StampedPose], names: _Names, child: str, sender: tuple[int, int]
    ) -> int:
        """Add a message of poses whose topic and publisher have these numbers, and return its kind.

        A pose of no named child is that of `child`.
        """
        kind = self.kind((names.number(p.parent), names.number(p.child or child), *sender) for p in sent)
        stamps = [x for p in sent for x in divmod(p.stamp_ns, NS)]
        self.add(log_ns, kind, stamps, [x for p in sent for x in (*p.position, *p.quaternion)])
        return kind

    def columns(self) -> tuple[Whole, Whole, Array]:
        """Return stamps and times of reception, ns (n, 2), numbers (n, 4), and poses (n, 7)."""
        if not self._stamps:
            return np.zeros((0, 2), np.int64), np.zeros((0, 4), np.int32), np.zeros((0, 7))
        log_ns, kind = np.frombuffer(self._sent, np.int64).reshape(-1, 2).T
        n_rows = np.array([len(numbers) for numbers in self._kinds])
        table = np.array([row for numbers in self._kinds for row in numbers], np.int32)
        # Table rows of each message, one message after another.
        n = n_rows[kind]
        first, start = (np.cumsum(n_rows) - n_rows)[kind], np.cumsum(n) - n
        k = table[np.repeat(first - start, n) + np.arange(n.sum())]
        seconds, nanoseconds = np.frombuffer(self._stamps, np.int64).reshape(-1, 2).T
        t = np.stack([seconds * NS + nanoseconds, np.repeat(log_ns, n)], axis=-1)
        is_stamp = np.abs(t[:, 0]) < _END_NS
        x = np.frombuffer(self._values).reshape(-1, 7)
        return (t, k, x) if is_stamp.all() else (t[is_stamp], k[is_stamp], x[is_stamp])


def read_tf(bag: Bag, namespace: str = "") -> TfLog:
    """Return the transforms of one namespace.

    Parameters
    ----------
    bag
        An open bag. Only its parts with such messages are unpacked.
    namespace
        ``""`` for ``/tf`` and ``/tf_static``, ``"/robot1"`` for the topics of that robot.
    """
    return _read(bag, lambda each: carries_transforms(each) and namespace_of(each.topic) == namespace)


def read_poses(bag: Bag, topic: str) -> TfLog:
    """Return the poses of one topic, such as odometry, as transforms.

    A child without a name is named after the topic. Values that no message of the topic provides are assumed, and
    noted: ``world`` as the parent, the time of reception as the stamp, and no rotation instead of four zeros.
    Of a topic of paths, the longest one is read. It has no rows if its poses have no times of their own.
    """
    child = topic.removeprefix("/")
    if any(channel.topic == topic and is_path(channel) for channel in bag.channels):
        return _fill_missing(_read_longest_path(bag, topic, child), topic)
    log = _read(bag, lambda each: each.topic == topic and carries_poses(each), child=child)
    return _fill_missing(log, topic)


def is_path(channel: Channel) -> bool:
    """Return whether each message of a channel holds many poses of one object."""
    return channel.type == PATH_TYPE


def _read_longest_path(bag: Bag, topic: str, child: str) -> TfLog:
    """Return the poses of the longest path of a topic, and of the last one of several; without times, no poses."""
    bad, longest, n_most, n_paths = _Damaged(), None, 0, 0
    for message in _wanted_messages(bag, lambda each: each.topic == topic and is_path(each)):
        try:
            n = path_length(message.channel.encoding, message.data)
        except MessageError as error:
            bad.note(message.channel, error)
            continue
        n_paths += 1
        if n and n >= n_most and message.log_ns < _END_NS:
            longest, n_most = message._replace(data=bytes(message.data)), n
    poses: list[StampedPose] = []
    if longest is not None:
        try:
            poses = read_path(longest.channel.encoding, longest.data)
        except MessageError as error:
            bad.note(longest.channel, error)
    sent = sorted((pose for pose in poses if 0 < pose.stamp_ns < _END_NS), key=lambda pose: pose.stamp_ns)
    notes: list[str] = []
    if poses and len({pose.stamp_ns for pose in sent}) < 2:
        why = "all have the same time" if sent else "have no times"
        notes.append(f"{topic}: its {len(poses):,} poses {why}. They are a line of positions without times.")
        sent = []
    elif n_paths > 1:
        notes.append(f"{topic}: the longest of its {n_paths:,} paths is shown, with {len(poses):,} poses.")
    if sent and len(sent) < len(poses):
        notes.append(f"{topic}: {len(poses) - len(sent):,} of its poses have no time, and are left out.")
    names, topics, publishers, rows = _Names(), _Names(), _Names(), _Rows()
    if longest is not None and sent:
        topics.number(topic)
        publishers.number(longest.channel.publisher)
        rows.add_poses(longest.log_ns, sent, names, child, (0, 0))
    return _log_from(rows, names, topics, publishers, [*bag.damages, *bad.texts()], notes)


UNNAMED_PARENT = "world"
"""Parent frame of poses that name no frame."""


def _fill_missing(log: TfLog, topic: str) -> TfLog:
    """Return the poses of a topic with assumed values in place of missing ones."""
    notes = list(log.notes)
    names = list(log.names)
    parent, child = log.parent.copy(), log.child.copy()
    plain = [name.removeprefix("/") for name in names]
    nameless = np.array([not name for name in plain], bool)[parent] if len(log) else np.zeros(0, bool)
    if nameless.any():
        names.append(UNNAMED_PARENT)
        parent[nameless] = len(names) - 1
        plain.append(UNNAMED_PARENT)
        notes.append(f"{topic}: its poses name no parent frame. They are shown in {UNNAMED_PARENT}.")
    plain_numbers = np.unique(plain, return_inverse=True)[1]
    own = plain_numbers[parent] == plain_numbers[child] if len(log) else np.zeros(0, bool)
    if own.any():
        name = f"{plain[int(child[own][0])]} (pose)"
        names.append(name)
        child[own] = len(names) - 1
        notes.append(f"{topic}: the parent of its poses is called like the topic. The moving frame is called {name!r}.")
    stamps, quaternion = log.stamp_ns, log.quaternion
    if len(log) and not stamps.any():
        stamps = log.log_ns.copy()
        notes.append(f"{topic}: its messages have no time. The time of reception is used.")
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
    rows, bad = _Rows(), _Damaged()
    of_channels: dict[int, tuple[Channel, Layouts[int] | None]] = {}  # by identity, as hashing costs more than reading
    for channel, log_ns, data in _wanted_messages(bag, is_wanted):
        if id(channel) not in of_channels:
            is_tf = channel.type in TF_TYPES
            of_channels[id(channel)] = channel, Layouts(channel.type, channel.encoding) if is_tf else None
        layouts = of_channels[id(channel)][1] if log_ns < _END_NS else None
        cached_row = None if layouts is None else layouts.find(data)
        if cached_row is not None:
            rows.add(log_ns, *cached_row)
            continue
        try:
            messages, keep = (_read_message(channel, data), None) if layouts is None else layouts.read(data)
        except MessageError as error:
            bad.note(channel, error)
            continue
        sender = topics.number(channel.topic), publishers.number(channel.publisher)
        poses = [message.pose if isinstance(message, Odometry) else message for message in messages]
        sent = [p for p in poses if isinstance(p, StampedPose) and abs(p.stamp_ns) < _END_NS and log_ns < _END_NS]
        if not sent:
            continue
        kind = rows.add_poses(log_ns, sent, names, child, sender)
        if keep is not None and len(sent) == len(messages):
            keep(kind)
    log = _log_from(rows, names, topics, publishers, [*bag.damages, *bad.texts()])
    return replace(log, span_ns=bag.span_ns)


def _log_from(
    rows: _Rows,
    names: _Names,
    topics: _Names,
    publishers: _Names,
    damages: Iterable[str],
    notes: Iterable[str] = (),
) -> TfLog:
    """Return the log of collected rows."""
    t, k, x = rows.columns()
    order = np.argsort(t[:, 1], kind="stable")
    t, k, x = t[order], k[order], x[order]
    static = np.array([is_static_topic(topic) for topic in topics], bool)
    is_static = static[k[:, 2]] if len(k) else np.zeros(0, bool)
    columns: list[Any] = [t[:, 0], t[:, 1], k[:, 0], k[:, 1], k[:, 2], k[:, 3], is_static, x[:, :3], x[:, 3:]]
    return TfLog(
        tuple(names),
        tuple(topics),
        tuple(publishers),
        *columns,
        damages=tuple(dict.fromkeys(damages)),
        notes=tuple(notes),
    )


def insert_row(buffer: TfBuffer, log: TfLog, i: int) -> None:
    """Insert one row of a log into a buffer."""
    buffer.insert(
        int(log.stamp_ns[i]),
        log.names[int(log.parent[i])],
        log.names[int(log.child[i])],
        log.position[i],
        log.quaternion[i],
        is_static=bool(log.is_static[i]),
        publisher=log.publishers[int(log.publisher[i])],
    )

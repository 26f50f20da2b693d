"""Numbers of many messages at once: messages of one layout are decoded by numpy, not one by one.

A bag holds hundreds of thousands of messages of odometry and inertial readings that differ only in their numbers. The
first message of each layout is read field by field, which yields the byte positions of its texts and numbers. Other
messages of the same length with the same texts share these positions.
"""

from __future__ import annotations

import struct
from array import array
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from framescope.core.kernels.validation import Array
from framescope.core.scene.schema.stamps import NS
from framescope.core.system.cooperative_yield import checkpoint
from framescope.features.bags.core.bag import Bag, Channel
from framescope.features.bags.core.header_frames import has_stamp_of_sensor
from framescope.features.bags.core.messages import PATH_TYPE, SCAN_TYPES, cursor_over
from framescope.features.bags.core.tf_log import Whole
from framescope.features.bags.core.wire import MessageError, Ros1Cursor

BATCH_BYTES = 1 << 20
"""Bytes of messages of one channel that are decoded together."""

MAX_LAYOUTS = 32
"""Limit of layouts of one message length; further messages are read field by field."""

_CHECK_INTERVAL = 1000
_END_NS = 1 << 62

Walk = Callable[[Ros1Cursor], object]


@dataclass(frozen=True)
class ColumnType:
    """Fields of a message type.

    Attributes
    ----------
    walk
        Reads all fields of interest of a message in order.
    kept
        Indices of the numbers that are kept of each message, without its stamp; None for all.
    is_whole
        Whether two messages of one length may have the same layout; otherwise only the header is looked at.
    """

    walk: Walk
    kept: tuple[int, ...] | None = None
    is_whole: bool = True


def _numbers(n: int) -> Walk:
    return lambda c: (c.header(), c.doubles(n))


def _odometry(c: Ros1Cursor) -> object:
    return c.header(), c.string(), c.doubles(85)


def _fix(c: Ros1Cursor) -> object:
    return c.header(), c.take("b", 1), c.take("H", 2), c.doubles(12), c.byte()


def _joints(c: Ros1Cursor) -> object:
    return c.header(), c.strings(), [c.double_sequence() for _ in range(3)]


def _header(c: Ros1Cursor) -> object:
    return c.header()


HEADER_ONLY = ColumnType(_header, is_whole=False)
"""Fields of messages, such as pictures and clouds, of which only stamp and frame are decoded."""

COLUMN_TYPES: dict[str, ColumnType] = {
    # Quaternion, covariance, angular velocity, covariance, acceleration, covariance.
    "sensor_msgs/Imu": ColumnType(_numbers(37), (*range(5), *range(13, 17), *range(25, 29))),
    # Field and covariance.
    "sensor_msgs/MagneticField": ColumnType(_numbers(12), (0, 1, 2)),
    # Status, service, latitude, longitude, altitude, covariance and its type.
    "sensor_msgs/NavSatFix": ColumnType(_fix, (0, 2, 3, 4)),
    # Position, quaternion, covariance, velocity, angular velocity, covariance.
    "nav_msgs/Odometry": ColumnType(_odometry, (*range(7), *range(43, 49))),
    "geometry_msgs/PoseStamped": ColumnType(_numbers(7)),
    "geometry_msgs/PoseWithCovarianceStamped": ColumnType(_numbers(43), tuple(range(7))),
    "geometry_msgs/TwistStamped": ColumnType(_numbers(6)),
    "geometry_msgs/TwistWithCovarianceStamped": ColumnType(_numbers(42), tuple(range(6))),
    "geometry_msgs/Twist": ColumnType(lambda c: c.doubles(6)),
    "sensor_msgs/JointState": ColumnType(_joints),
    **dict.fromkeys(
        (
            "sensor_msgs/CameraInfo",
            PATH_TYPE,
            *(name for name in SCAN_TYPES if name not in ("sensor_msgs/MagneticField", "sensor_msgs/NavSatFix")),
        ),
        HEADER_ONLY,
    ),
}
"""Types that are decoded by columns, with their numbers in order; see also `column_type`."""


def column_type(channel: Channel) -> ColumnType | None:
    """Return the fields of a channel's messages that are decoded: of other sensors the header; None for others."""
    if channel.encoding not in ("ros1", "cdr"):
        return None
    return COLUMN_TYPES.get(channel.type) or (HEADER_ONLY if has_stamp_of_sensor(channel) else None)


@dataclass(frozen=True, eq=False)
class Columns:
    """Messages of one channel with the same texts, in the order of reception.

    Attributes
    ----------
    channel
        The channel.
    texts
        Texts of each message in order, such as the frame of its header, the child's frame, and names of joints.
    stamp_ns, log_ns : (n,) int64
        Times of the header and of reception, ns; a message without a header has the time of reception.
    values : (n, k)
        The kept numbers, see `COLUMN_TYPES`.
    first : (m,)
        All numbers of the first message.
    """

    channel: Channel
    texts: tuple[str, ...]
    stamp_ns: Whole
    log_ns: Whole
    values: Array
    first: Array


@dataclass(frozen=True, eq=False)
class _Layout:
    """Positions of the fields in a message.

    Attributes
    ----------
    texts
        Texts of the message.
    same, content : (j,)
        Positions of bytes that are the same in all messages of the layout, and these bytes.
    stamp
        Position of the stamp, and its type of numbers; None without a header.
    parts
        Position, type and count of the numbers.
    """

    texts: tuple[str, ...]
    same: Whole
    content: NDBytes
    stamp: tuple[int, np.dtype[np.void]] | None
    parts: tuple[tuple[int, np.dtype[np.generic], int], ...]

    def decode(self, rows: NDBytes) -> tuple[Whole | None, Array]:
        """Return stamps (n,), ns, and all numbers (n, m) of messages (n, size)."""
        stamps = None
        if self.stamp is not None:
            at, kind = self.stamp
            seconds = np.ascontiguousarray(rows[:, at : at + 8]).view(kind)[:, 0]
            stamps = seconds["s"].astype(np.int64) * NS + seconds["ns"]
        columns = [np.zeros((len(rows), 0))]
        for at, kind, n in self.parts:
            numbers = np.ascontiguousarray(rows[:, at : at + n * kind.itemsize]).view(kind)
            columns.append(numbers.astype(float))
        return stamps, np.hstack(columns)


NDBytes = np.ndarray[tuple[int, ...], np.dtype[np.uint8]]


def _layout_of(cursor: Ros1Cursor, data: bytes) -> _Layout:
    """Return the layout of a message that a cursor has read."""
    same: list[int] = [0, 1, 2, 3] if not cursor.has_seq else []  # the head of CDR, which has the byte order
    texts: list[str] = []
    stamp, parts = None, list[tuple[int, np.dtype[np.generic], int]]()
    trail = cursor.trail
    for k, (at, form) in enumerate(trail):
        size = struct.calcsize(f"{cursor.order}{form}")
        follows = trail[k + 1][1] if k + 1 < len(trail) else ""
        if form in ("II", "iI"):
            kind = "i4" if form[0] == "i" else "u4"
            stamp = at, np.dtype([("s", cursor.order + kind), ("ns", cursor.order + "u4")])
        elif form.endswith("s"):
            texts.append(data[at : at + size].decode("utf-8", "replace").removesuffix("\0"))
            same += range(at, at + size)
        elif form == "I":
            if follows not in ("II", "iI"):  # a sequence number of a header of ROS 1
                same += range(at, at + size)
        else:
            kind = np.dtype(cursor.order + form[-1])
            parts.append((at, kind, size // kind.itemsize))
    positions = np.array(same, np.int64)
    return _Layout(tuple(texts), positions, np.frombuffer(data, np.uint8)[positions], stamp, tuple(parts))


@dataclass
class _Waiting:
    """Messages of one length that are not decoded yet, and the layouts of this length."""

    data: bytearray = field(default_factory=bytearray)
    log_ns: array[int] = field(default_factory=lambda: array("q"))
    layouts: list[_Layout] = field(default_factory=list)


class _Builder:
    """Columns of one channel."""

    def __init__(self, channel: Channel) -> None:
        self.channel, self.type = channel, COLUMN_TYPES.get(channel.type, HEADER_ONLY)
        self.n_bad, self.error = 0, ""
        self._waiting: dict[int, _Waiting] = {}
        self._parts: dict[tuple[tuple[str, ...], int], list[tuple[Whole, Whole, Array]]] = {}
        self._first: dict[tuple[tuple[str, ...], int], Array] = {}
        self._length_at: int | None = None
        self._n_waiting = 0

    def add(self, log_ns: int, data: bytes | memoryview) -> None:
        """Add a message."""
        if not self.type.is_whole:
            data = data[: self._head_size(data)]
        size = len(data)
        waiting = self._waiting.get(size)
        if waiting is None:
            waiting = self._waiting[size] = _Waiting()
        waiting.data += data
        waiting.log_ns.append(log_ns)
        self._n_waiting += size
        if self._n_waiting >= BATCH_BYTES:
            self._n_waiting = 0
            for length, messages in self._waiting.items():
                self._decode(length, messages)

    def columns(self) -> list[Columns]:
        """Return the columns of all messages by their texts, the first texts first."""
        for size, waiting in self._waiting.items():
            self._decode(size, waiting)
        results: list[Columns] = []
        for (texts, width), parts in self._parts.items():
            stamps, log_ns, values = (np.concatenate(column) for column in zip(*parts, strict=True))
            order = np.argsort(log_ns, kind="stable")
            first = self._first[texts, width]
            if (np.diff(log_ns) < 0).any():
                stamps, log_ns, values = stamps[order], log_ns[order], values[order]
            results.append(Columns(self.channel, texts, stamps, log_ns, values, first))
        return sorted(results, key=lambda part: int(part.log_ns[0]))

    def _head_size(self, data: bytes | memoryview) -> int:
        """Return the number of bytes up to the end of the header, whose frame is the last text."""
        if self._length_at is None:
            cursor = cursor_over(self.channel.encoding, data)
            self.type.walk(cursor)
            self._length_at = cursor.trail[-2][0]
        at = self._length_at
        order: Literal["little", "big"] = "big" if self.channel.encoding == "cdr" and data[1:2] == b"\0" else "little"
        return at + 4 + int.from_bytes(data[at : at + 4], order)

    def _decode(self, size: int, waiting: _Waiting) -> None:
        rows = np.frombuffer(bytes(waiting.data), np.uint8).reshape(len(waiting.log_ns), size)
        log_ns = np.array(waiting.log_ns, np.int64)
        waiting.data, waiting.log_ns = bytearray(), array("q")
        keep = np.abs(log_ns) < _END_NS
        rows, log_ns = rows[keep], log_ns[keep]
        for layout in waiting.layouts:
            rows, log_ns = self._take(layout, rows, log_ns)
        while len(rows):
            data = rows[0].tobytes()
            try:
                cursor = cursor_over(self.channel.encoding, data)
                self.type.walk(cursor)
            except MessageError as error:
                self.n_bad += 1
                self.error = self.error or str(error)
                rows, log_ns = rows[1:], log_ns[1:]
                continue
            layout = _layout_of(cursor, data)
            if len(waiting.layouts) < MAX_LAYOUTS:
                waiting.layouts.append(layout)
                rows, log_ns = self._take(layout, rows, log_ns)
            else:
                self._take(layout, rows[:1], log_ns[:1])
                rows, log_ns = rows[1:], log_ns[1:]

    def _take(self, layout: _Layout, rows: NDBytes, log_ns: Whole) -> tuple[NDBytes, Whole]:
        """Decode the messages of a layout, and return the others."""
        is_mine = (rows[:, layout.same] == layout.content).all(axis=1)
        if is_mine.any():
            stamps, values = layout.decode(rows[is_mine] if not is_mine.all() else rows)
            received = log_ns[is_mine]
            stamps = received if stamps is None else stamps
            key = layout.texts, values.shape[1]
            self._first.setdefault(key, values[0])
            kept = values if self.type.kept is None else values[:, list(self.type.kept)]
            self._parts.setdefault(key, []).append((stamps, received, kept))
        return rows[~is_mine], log_ns[~is_mine]


def has_columns(channel: Channel) -> bool:
    """Return whether the messages of a channel are decoded by columns."""
    return column_type(channel) is not None


def read_columns(bag: Bag, is_wanted: Callable[[Channel], bool], damages: list[str]) -> list[Columns]:
    """Return the numbers of the messages of some channels; the bag is read once, chunk by chunk.

    Damaged messages are left out; the error of the first of each channel is added to `damages`.

    Parameters
    ----------
    bag
        An open bag.
    is_wanted
        Selects channels; those without columns are left out.
    damages
        Receives messages about damaged parts.
    """
    builders: dict[int, _Builder] = {}  # by identity, as hashing a channel costs more than adding its message
    by_channel: dict[Channel, _Builder] = {}
    n_in_all = sum(channel.count for channel in bag.channels if has_columns(channel) and is_wanted(channel))
    for i, (channel, log_ns, data) in enumerate(bag.messages(lambda each: has_columns(each) and is_wanted(each))):
        if i % _CHECK_INTERVAL == 0:
            checkpoint(min(i / n_in_all, 1.0) if n_in_all else None)
        builder = builders.get(id(channel))
        if builder is None:
            key = channel.with_count(0)
            builder = builders[id(channel)] = by_channel.setdefault(key, _Builder(channel))
        try:
            builder.add(log_ns, data)
        except MessageError as error:
            builder.n_bad += 1
            builder.error = builder.error or str(error)
    columns = [part for builder in by_channel.values() for part in builder.columns()]
    for builder in by_channel.values():
        if builder.n_bad:
            are = "message is" if builder.n_bad == 1 else "messages are"
            damages.append(f"{builder.channel.topic}: {builder.n_bad} {are} damaged and left out ({builder.error})")
    return columns

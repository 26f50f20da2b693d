"""Transforms of a bag are read by layouts: the same numbers as field by field, with far less work."""

from __future__ import annotations

import random
import struct
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

import numpy as np
import pytest

from framescope.features.bags.core import mcap_file, message_layouts
from framescope.features.bags.core.bag import BagError, Channel, RawMessage
from framescope.features.bags.core.bag_file import open_bag
from framescope.features.bags.core.message_layouts import Layouts
from framescope.features.bags.core.tf_log import TfLog, read_tf
from tests.support.bags import NS, START_NS, Sent, drive, write_ros1, write_ros2

COLUMNS = ("stamp_ns", "log_ns", "parent", "child", "topic", "publisher", "is_static", "position", "quaternion")


@dataclass
class ListedBag:
    """A bag of messages that are listed."""

    raw: list[RawMessage]
    damages: list[str] = field(default_factory=list)
    span_ns: tuple[int, int] | None = None

    @property
    def channels(self) -> tuple[Channel, ...]:
        return tuple(dict.fromkeys(message.channel for message in self.raw))

    def messages(self, is_wanted) -> Iterator[RawMessage]:
        return (message for message in self.raw if is_wanted(message.channel))


Row = tuple[int, int, str, str, float]
"""Seconds and nanoseconds, parent, child, and the first of seven numbers that rise by one."""


def ros1(rows: Iterable[Row]) -> bytes:
    def text(name: str) -> bytes:
        return struct.pack("<I", len(name.encode())) + name.encode()

    rows = list(rows)
    return struct.pack("<I", len(rows)) + b"".join(
        struct.pack("<III", i, sec, nsec) + text(parent) + text(child) + struct.pack("<7d", *np.arange(7) + x)
        for i, (sec, nsec, parent, child, x) in enumerate(rows)
    )


def cdr(rows: Iterable[Row], order: str = "<") -> bytes:
    rows, body = list(rows), b""

    def add(form: str, *numbers: float, size: int = 4) -> None:
        nonlocal body
        body += bytes(-len(body) % size) + struct.pack(order + form, *numbers)

    def text(name: str) -> None:
        nonlocal body
        add("I", len(name.encode()) + 1)
        body += name.encode() + b"\0"

    add("I", len(rows))
    for sec, nsec, parent, child, x in rows:
        add("iI", sec, nsec)
        text(parent)
        text(child)
        add("7d", *np.arange(7) + x, size=8)
    return bytes((0, order == "<", 0, 0)) + body


PACK = {"ros1": ros1, "cdr": cdr, "cdr, most significant byte first": lambda rows: cdr(rows, ">")}


def channel(encoding: str, topic: str = "/tf", publisher: str = "") -> Channel:
    return Channel(topic, "tf2_msgs/TFMessage", encoding.partition(",")[0], publisher)


def field_by_field(bag, monkeypatch) -> TfLog:
    with monkeypatch.context() as patch:
        patch.setattr(Layouts, "find", lambda *_: None)
        return read_tf(bag)


def assert_same(log: TfLog, other: TfLog) -> None:
    assert (log.names, log.topics, log.publishers, log.damages) == (
        other.names,
        other.topics,
        other.publishers,
        other.damages,
    )
    for name in COLUMNS:
        a, b = getattr(log, name), getattr(other, name)
        assert a.dtype == b.dtype, name
        np.testing.assert_array_equal(a, b, err_msg=name)


@pytest.fixture
def read_whole(monkeypatch):
    """Count the messages that are read field by field."""
    counted: list[int] = []
    cursor_over = message_layouts.cursor_over
    monkeypatch.setattr(message_layouts, "cursor_over", lambda *of: (counted.append(1), cursor_over(*of))[1])
    return counted


@pytest.mark.parametrize("encoding", PACK)
def test_that_rows_are_those_that_were_packed(encoding) -> None:
    rows = [[(i, 7 * i, "map", "odom", float(i)), (i, i, "odom", "bäse", -float(i))] for i in range(50)]
    on = channel(encoding)
    log = read_tf(ListedBag([RawMessage(on, i * NS, PACK[encoding](each)) for i, each in enumerate(rows)]))
    flat = [row for each in rows for row in each]
    assert log.stamp_ns.tolist() == [sec * NS + nsec for sec, nsec, *_ in flat]
    assert [(log.names[p], log.names[c]) for p, c in zip(log.parent, log.child, strict=True)] == [
        row[2:4] for row in flat
    ]
    np.testing.assert_array_equal(np.hstack([log.position, log.quaternion]), [np.arange(7) + row[4] for row in flat])


@pytest.mark.parametrize("encoding", PACK)
def test_that_all_kinds_of_messages_amid_each_other_give_the_same_as_field_by_field(encoding, monkeypatch) -> None:
    random_of = random.Random(5)
    names = ["map", "odom", "base", "arm1", "arm2", "a", "", "a longer name of a frame"]
    channels = [channel(encoding, topic, who) for topic, who in (("/tf", "/a"), ("/tf", "/b"), ("/tf_static", "/a"))]
    raw: list[RawMessage] = []
    for i in range(600):
        rows = [
            (random_of.choice([i, -i if encoding.startswith("cdr") else i, 2**31 - 1]), random_of.randrange(2 * NS),
             random_of.choice(names), random_of.choice(names), random_of.random())
            for _ in range(random_of.choice([0, 1, 1, 1, 2, 3]))
        ]  # fmt: skip
        data = PACK[encoding](rows)
        if random_of.random() < 0.1:  # damaged, of the same length
            at = random_of.randrange(len(data))
            data = data[:at] + bytes([random_of.randrange(256)]) + data[at + 1 :]
        if random_of.random() < 0.05:
            data = data[: random_of.randrange(len(data) + 1)]
        log_ns = (1 << 62) + 1 if random_of.random() < 0.02 else i * NS
        raw.append(RawMessage(random_of.choice(channels), log_ns, memoryview(data)))
    bag = ListedBag(raw)
    log = read_tf(bag)
    assert len(log) > 300
    assert log.damages
    assert_same(log, field_by_field(bag, monkeypatch))


def test_that_messages_of_the_same_frames_are_read_field_by_field_once(read_whole) -> None:
    on = channel("cdr")
    raw = [RawMessage(on, i, cdr([(i, 0, "map", f"arm{i % 3}", 1.0)])) for i in range(300)]
    assert len(read_tf(ListedBag(raw))) == 300
    assert len(read_whole) == 3


def test_that_a_bag_of_ever_other_names_is_kept_within_bounds(monkeypatch) -> None:
    monkeypatch.setattr(message_layouts, "MAX_TEXTS", 5)
    monkeypatch.setattr(message_layouts, "MAX_LAYOUTS", 2)
    on = channel("ros1")
    raw = [
        RawMessage(on, i, ros1([(i, 0, "m" * (1 + i % 7), "n" * (8 - i % 7) + str(i % 10), 1.0)])) for i in range(200)
    ]
    bag = ListedBag(raw)
    assert_same(read_tf(bag), field_by_field(bag, monkeypatch))


def test_that_a_time_beyond_all_clocks_is_left_out_of_messages_of_a_known_layout(monkeypatch) -> None:
    on = channel("ros1")
    secs = [1, 2, 2**32 - 1, 3]
    raw = [
        RawMessage(on, i, ros1([(2, i, "map", "odom", 1.0), (sec, 0, "odom", "base", 2.0)]))
        for i, sec in enumerate(secs)
    ]
    raw.append(RawMessage(on, 1 << 63, ros1([(2, 0, "map", "odom", 1.0)])))
    log = read_tf(ListedBag(raw))
    assert log.stamp_ns.tolist() == [2 * NS, NS, 2 * NS + 1, 2 * NS, 2 * NS + 2, (2**32 - 1) * NS, 2 * NS + 3, 3 * NS]
    assert_same(log, field_by_field(ListedBag(raw), monkeypatch))


@pytest.mark.parametrize("storage", ["ROS 1", "SQLITE3", "MCAP"])
def test_that_a_drive_in_each_container_gives_the_same_as_field_by_field(
    storage, tmp_path, monkeypatch, read_whole
) -> None:
    sent = [each for each in drive(seconds=10.0) if isinstance(each, Sent)]
    path = (
        write_ros1(tmp_path / "drive.bag", sent)
        if storage == "ROS 1"
        else write_ros2(tmp_path / "drive", sent, storage=storage)
    )
    log = read_tf(open_bag(path))
    assert len(log) == len(sent) > 100
    assert log.stamp_ns.min() >= START_NS
    assert len(read_whole) < 20
    assert_same(log, field_by_field(open_bag(path), monkeypatch))


def test_that_messages_that_are_read_chunk_by_chunk_are_those_that_are_read_one_by_one(tmp_path, monkeypatch) -> None:
    sent = [each for each in drive(seconds=5.0) if isinstance(each, Sent)]
    data = (write_ros2(tmp_path / "drive", sent, storage="MCAP") / "drive.mcap").read_bytes()
    random_of, path = random.Random(2), tmp_path / "damaged.mcap"
    n_differing = 0
    for i in range(40):
        damaged = bytearray(data)
        for _ in range(random_of.choice([0, 1, 20])):
            damaged[random_of.randrange(100, len(damaged))] = random_of.randrange(256)
        path.write_bytes(damaged[: random_of.randrange(len(data) // 2, len(data))] if i % 4 == 3 else damaged)
        try:
            log = read_tf(open_bag(path))
        except BagError:
            continue
        n_differing += len(log) != len(sent)
        with monkeypatch.context() as patch:
            patch.setattr(mcap_file, "WHOLE_CHUNK_BYTES", 0)
            other = read_tf(open_bag(path))
        assert len(log.damages) == len(other.damages)  # which may be told in other words
        assert_same(replace(log, damages=()), replace(other, damages=()))
    assert n_differing > 5

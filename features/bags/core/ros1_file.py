"""Bags of ROS 1, format 2.0: records in chunks, with an index at the end unless the recording was interrupted.

References
----------
ROS wiki, "Bags/Format/2.0".
"""

from __future__ import annotations

import struct
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO, NamedTuple

from framescope.core.scene.schema.stamps import NS
from framescope.features.bags.core.bag import ROS1_MAGIC, BagError, Channel, RawMessage, Wanted, cut_text, ros1_type
from framescope.features.bags.core.compression import require_part, unpack_part
from framescope.features.bags.core.definitions import begins_with_header

_MESSAGE, _BAG, _INDEX, _CHUNK, _CHUNK_INFO, _CONNECTION = 2, 3, 4, 5, 6, 7
_U32, _U64 = struct.Struct("<I"), struct.Struct("<Q")
_PAIR, _INDEX_ENTRY = struct.Struct("<II"), struct.Struct("<III")
_MAX_HEADER = 1 << 20

Header = dict[bytes, bytes]


class Record(NamedTuple):
    """A record: its header, the position of its data, and whether the end of the data is missing."""

    header: Header
    data_at: int
    data_size: int
    is_cut: bool = False

    @property
    def op(self) -> int:
        """Operation code, which gives the kind of the record."""
        return self.header.get(b"op", b"\0")[0]


@dataclass
class _Chunk:
    """Position of a chunk, and its number of messages by connection; None if the counts are unknown."""

    at: int
    counts: dict[int, int] | None


@dataclass
class Ros1File:
    """A bag of ROS 1, opened by `open_ros1`."""

    path: Path
    channels: tuple[Channel, ...] = ()
    span_ns: tuple[int, int] | None = None
    damages: list[str] = field(default_factory=list)
    connections: dict[int, Channel] = field(default_factory=dict)
    chunks: list[_Chunk] = field(default_factory=list)

    def messages(self, is_wanted: Wanted) -> Iterator[RawMessage]:
        """Yield the messages of some channels in file order."""
        connections = {i for i, channel in self.connections.items() if is_wanted(channel)}
        with self.path.open("rb") as file:
            for chunk in self.chunks:
                if chunk.counts is None or not connections.isdisjoint(chunk.counts):
                    yield from self._messages_in(file, chunk, connections)

    def _messages_in(self, file: BinaryIO, chunk: _Chunk, wanted: set[int]) -> Iterator[RawMessage]:
        try:
            offsets = _offsets(file, chunk.at, wanted)
            if offsets is not None:
                yield from self._messages_at(file, offsets)
                return
            data = _chunk_data(file, chunk.at)
            for record in _records_in(data):
                if record.op == _MESSAGE and (i := _u32(record, b"conn")) in wanted:
                    message = memoryview(data)[record.data_at : record.data_at + record.data_size]
                    yield RawMessage(self.connections[i], _time_ns(record.header[b"time"]), message)
        except (BagError, KeyError, struct.error, OSError) as error:
            self.damages.append(cut_text(chunk.at, error))

    def _messages_at(self, file: BinaryIO, offsets: list[int]) -> Iterator[RawMessage]:
        for at in offsets:
            record = _record_at(file, at)
            if record is None or record.is_cut or record.op != _MESSAGE:
                raise BagError("its index leads to no message")
            channel = self.connections[_u32(record, b"conn")]
            yield RawMessage(channel, _time_ns(record.header[b"time"]), _data(file, record))


def open_ros1(path: Path) -> Ros1File:
    """Return a bag of ROS 1, listed by its index, or chunk by chunk if the index is missing.

    Raises
    ------
    BagError
        When the file is not a bag of ROS 1, format 2.0.
    """
    bag = Ros1File(path)
    with path.open("rb") as file:
        begin = file.read(len(ROS1_MAGIC))
        if begin != ROS1_MAGIC:
            version = begin[8:].split(b"\n")[0].decode("ascii", "replace")
            raise BagError(f"{path.name} is a bag of version {version.strip() or '?'}; `rosbag migrate` updates it.")
        first = _record_at(file, len(ROS1_MAGIC))
        index_at = _U64.unpack(first.header[b"index_pos"])[0] if first and b"index_pos" in first.header else 0
        is_empty = first is not None and _counts(first.header) == (0, 0) and index_at == file.seek(0, 2)
        if not is_empty and (not index_at or not _list_by_index(bag, file, index_at)):
            bag.damages.append("it has no index, as if the recording was interrupted; the rest is read")
            _list_by_chunks(bag, file)
    counts: Counter[int] = Counter()
    for chunk in bag.chunks:
        counts.update(chunk.counts or {})
    bag.connections = {i: channel.with_count(counts[i]) for i, channel in sorted(bag.connections.items())}
    bag.channels = tuple(bag.connections.values())
    return bag


def _counts(header: Header) -> tuple[int, int] | None:
    """Return the numbers of connections and chunks in the header of a bag; None if the header lacks them."""
    numbers = [header.get(name, b"") for name in (b"conn_count", b"chunk_count")]
    if any(len(number) != _U32.size for number in numbers):
        return None
    connections, chunks = (int(_U32.unpack(number)[0]) for number in numbers)
    return connections, chunks


def _list_by_index(bag: Ros1File, file: BinaryIO, index_at: int) -> bool:
    """Read connections and chunks from the index; return whether it is undamaged."""
    at = index_at
    spans: list[int] = []
    end = file.seek(0, 2)
    while at < end:
        record = _record_at(file, at)
        if record is None or record.is_cut:
            bag.chunks.clear()
            return False
        try:
            if record.op == _CONNECTION:
                bag.connections[_u32(record, b"conn")] = _channel(record.header, _data(file, record))
            elif record.op == _CHUNK_INFO:
                counts = dict(_PAIR.iter_unpack(_data(file, record)))
                bag.chunks.append(_Chunk(_U64.unpack(record.header[b"chunk_pos"])[0], counts))
                ends = [_time_ns(record.header[name]) for name in (b"start_time", b"end_time")]
                spans += ends if any(counts.values()) else []
        except (KeyError, struct.error, BagError):
            bag.chunks.clear()
            return False
        at = record.data_at + record.data_size
    bag.span_ns = (min(spans), max(spans)) if spans else None
    return bool(bag.chunks or bag.connections)


def _list_by_chunks(bag: Ros1File, file: BinaryIO) -> None:
    """List the complete chunks by the index records behind each, or by scanning chunks that lack them."""
    at = len(ROS1_MAGIC)
    while (record := _record_at(file, at)) is not None:
        if record.is_cut and record.op != _CHUNK:
            break
        if record.op == _CHUNK:
            bag.chunks.append(_Chunk(at, None))
        elif record.op == _INDEX and bag.chunks and b"conn" in record.header and b"count" in record.header:
            chunk = bag.chunks[-1]
            chunk.counts = {**(chunk.counts or {}), _u32(record, b"conn"): _u32(record, b"count")}
        at = record.data_at + record.data_size
    stamps: list[int] = []
    for chunk in bag.chunks:
        is_end = chunk is bag.chunks[0] or chunk is bag.chunks[-1]
        if is_end or chunk.counts is None or not bag.connections.keys() >= chunk.counts.keys():
            _scan_chunk(bag, file, chunk, stamps)
    bag.span_ns = (min(stamps), max(stamps)) if stamps else None


def _scan_chunk(bag: Ros1File, file: BinaryIO, chunk: _Chunk, stamps: list[int]) -> None:
    """Count the messages of a chunk, and adopt the connections that it declares."""
    counts: Counter[int] = Counter()
    try:
        data = _chunk_data(file, chunk.at)
        for record in _records_in(data):
            if record.op == _CONNECTION:
                text = bytes(data[record.data_at : record.data_at + record.data_size])
                bag.connections[_u32(record, b"conn")] = _channel(record.header, text)
            elif record.op == _MESSAGE:
                counts[_u32(record, b"conn")] += 1
                stamps.append(_time_ns(record.header[b"time"]))
    except (BagError, KeyError, struct.error, OSError) as error:
        bag.damages.append(cut_text(chunk.at, error))
    chunk.counts = {i: n for i, n in counts.items() if i in bag.connections}


def _channel(header: Header, data: bytes) -> Channel:
    fields = _fields(data)
    text = {name: value.decode("utf-8", "replace") for name, value in {**fields, **header}.items()}
    topic = header.get(b"topic", b"").decode("utf-8", "replace")
    type_name = ros1_type(text.get(b"type", ""))
    has_header = begins_with_header(type_name, text.get(b"message_definition", ""))
    return Channel(topic, type_name, "ros1", text.get(b"callerid", ""), has_header=has_header)


def _record_at(file: BinaryIO, at: int) -> Record | None:
    """Return the record at a byte; None if its header is incomplete."""
    end = file.seek(0, 2)
    if at + 4 > end:
        return None
    file.seek(at)
    size = _U32.unpack(file.read(4))[0]
    if size > _MAX_HEADER or at + 8 + size > end:
        return None
    try:
        header = _fields(file.read(size))
    except BagError:
        return None
    data_size = _U32.unpack(file.read(4))[0]
    data_at = at + 8 + size
    there = min(data_size, end - data_at)
    return Record(header, data_at, there, is_cut=there < data_size)


def _records_in(data: bytes | memoryview) -> Iterator[Record]:
    """Yield the records of an unpacked chunk."""
    at = 0
    while at < len(data):
        (size,) = _U32.unpack_from(data, at)
        header = _fields(bytes(data[at + 4 : at + 4 + size]))
        (data_size,) = _U32.unpack_from(data, at + 4 + size)
        data_at = at + 8 + size
        if data_at + data_size > len(data):
            raise BagError("a record goes beyond the end")
        yield Record(header, data_at, data_size)
        at = data_at + data_size


def _chunk_data(file: BinaryIO, at: int) -> bytes | memoryview:
    record = _record_at(file, at)
    if record is None or record.op != _CHUNK:
        raise BagError("there is no chunk")
    method = record.header.get(b"compression", b"none").decode("ascii", "replace")
    return unpack_part(_data(file, record), method, _u32(record, b"size"), is_cut=record.is_cut)


def _offsets(file: BinaryIO, at: int, wanted: set[int]) -> list[int] | None:
    """Return the file positions of the wanted messages of a chunk by its index; None if it is packed or has no index.

    This skips other messages, such as pictures, without reading them.
    """
    chunk = _record_at(file, at)
    if chunk is None or chunk.is_cut or chunk.header.get(b"compression") != b"none":
        return None
    offsets: list[int] = []
    after = chunk.data_at + chunk.data_size
    has_index = False
    while (record := _record_at(file, after)) is not None and record.op == _INDEX and not record.is_cut:
        has_index = True
        if _u32(record, b"conn") in wanted:
            offsets += [chunk.data_at + offset for _, _, offset in _INDEX_ENTRY.iter_unpack(_data(file, record))]
        after = record.data_at + record.data_size
    return sorted(offsets) if has_index else None


def _data(file: BinaryIO, record: Record) -> bytes:
    require_part(record.data_size)
    file.seek(record.data_at)
    return file.read(record.data_size)


def _fields(data: bytes) -> Header:
    values: Header = {}
    at = 0
    while at + 4 <= len(data):
        (size,) = _U32.unpack_from(data, at)
        name, is_there, value = data[at + 4 : at + 4 + size].partition(b"=")
        if not is_there or at + 4 + size > len(data):
            raise BagError("the header of a record is damaged")
        values[name] = value
        at += 4 + size
    return values


def _u32(record: Record, name: bytes) -> int:
    return int(_U32.unpack(record.header[name])[0])


def _time_ns(data: bytes) -> int:
    seconds, nanoseconds = _PAIR.unpack(data)
    return int(seconds) * NS + int(nanoseconds)

"""MCAP recordings, listed by their summary, or record by record if the summary is missing.

References
----------
MCAP, "Format specification".
"""

from __future__ import annotations

import io
import struct
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from framescope.core.system.optional_packages import MCAP
from framescope.features.bags.core.bag import (
    ENCODINGS,
    MCAP_MAGIC,
    BagError,
    Channel,
    RawMessage,
    Wanted,
    cut_text,
    ros1_type,
)
from framescope.features.bags.core.compression import MAX_PART, require_part, too_large, unpack_part, zstd_message
from framescope.features.bags.core.definitions import begins_with_header

_FOOTER, _SCHEMA, _CHANNEL, _MESSAGE, _CHUNK, _MESSAGE_INDEX, _CHUNK_INDEX, _STATISTICS, _DATA_END = (
    *(2, 3, 4, 5, 6, 7, 8),
    *(11, 15),
)
_HEAD = struct.Struct("<BQ")
_INDEX_ENTRY = struct.Struct("<QQ")
_MESSAGE_HEAD = struct.Struct("<HIQQ")
_FOOTER_BYTES = _HEAD.size + 20 + len(MCAP_MAGIC)
_CHUNK_HEAD = 8 + 8 + 8 + 4

MAX_DEFINITION = 1 << 16
"""Limit of bytes of a message definition that are looked at; its first field decides."""

WHOLE_CHUNK_BYTES = 2048
"""Limit of chunk bytes per wanted message, up to which the whole chunk is read at once."""


class _Record(NamedTuple):
    op: int
    at: int
    """First byte of its content."""
    size: int


@dataclass
class _Chunk:
    """Position of the content of a chunk record, and the known properties of its messages.

    `counts` has the number of messages by channel, `indexes` the position of each channel's message index record.
    `stamps` includes the first and last times of reception, ns.
    """

    at: int
    size: int
    counts: dict[int, int] | None
    indexes: dict[int, int] = field(default_factory=dict)
    stamps: list[int] = field(default_factory=list)


@dataclass
class McapFile:
    """An MCAP recording, opened by `open_mcap`."""

    path: Path
    channels: tuple[Channel, ...] = ()
    span_ns: tuple[int, int] | None = None
    damages: list[str] = field(default_factory=list)
    has_packed_messages: bool = False
    schemas: dict[int, tuple[str, bool]] = field(default_factory=dict)
    """Type of each schema, and whether its messages begin with a header."""
    numbered: dict[int, Channel] = field(default_factory=dict)
    chunks: list[_Chunk] = field(default_factory=list)
    loose: list[tuple[int, int]] = field(default_factory=list)
    """Runs of message records outside chunks: first byte of the first record, and end of the last."""

    def messages(self, is_wanted: Wanted) -> Iterator[RawMessage]:
        """Yield the messages of some channels in file order, messages in chunks first."""
        channels = {i: channel for i, channel in self.numbered.items() if is_wanted(channel)}
        with self.path.open("rb") as file:
            for chunk in self.chunks:
                if chunk.counts is not None and channels.keys().isdisjoint(chunk.counts):
                    continue
                try:
                    offsets = _offsets(file, chunk, channels)
                    if offsets is None:
                        yield from self._select_messages(_chunk_data(file, chunk), channels)
                    else:
                        yield from self._messages_at(file, chunk, offsets, channels)
                except (BagError, struct.error, OSError, OverflowError, ValueError) as error:
                    self.damages.append(cut_text(chunk.at, error))
            n_large = 0
            for begin, end in self.loose:
                for record in _records(file, begin, end):
                    if int.from_bytes(file.read(2), "little") in channels:
                        if record.size > MAX_PART:
                            n_large += 1
                            continue
                        file.seek(record.at - _HEAD.size)
                        yield from self._select_messages(file.read(_HEAD.size + record.size), channels)
            if n_large:
                self.damages.append(too_large(n_large))

    def _messages_at(
        self, file: BinaryIO, chunk: _Chunk, offsets: list[int], wanted: dict[int, Channel]
    ) -> Iterator[RawMessage]:
        """Yield the messages at some positions in an unpacked chunk.

        Messages close together are read with the whole chunk, which is much faster than one seek for each message.
        """
        if chunk.size <= WHOLE_CHUNK_BYTES * len(offsets):
            yield from self._messages_in_content(
                _content(file, _Record(_CHUNK, chunk.at, chunk.size)), chunk, offsets, wanted
            )
            return
        for at in offsets:
            file.seek(at)
            op, size = _HEAD.unpack(file.read(_HEAD.size))
            if op != _MESSAGE or not _MESSAGE_HEAD.size <= size <= chunk.at + chunk.size - at:
                raise BagError("its index leads to no message")
            require_part(size)
            file.seek(at)
            yield from self._select_messages(file.read(_HEAD.size + size), wanted)

    def _messages_in_content(
        self, content: bytes, chunk: _Chunk, offsets: list[int], wanted: dict[int, Channel]
    ) -> Iterator[RawMessage]:
        view, end = memoryview(content), len(content)
        for offset in offsets:
            at = offset - chunk.at
            op, size = _HEAD.unpack_from(view, at)
            if op != _MESSAGE or not _MESSAGE_HEAD.size <= size <= end - at - _HEAD.size:
                raise BagError("its index leads to no message")
            at += _HEAD.size
            i, _, log_ns, _ = _MESSAGE_HEAD.unpack_from(view, at)
            channel = wanted.get(i)
            if channel is not None:
                message = view[at + _MESSAGE_HEAD.size : at + size]
                yield RawMessage(channel, log_ns, zstd_message(message) if self.has_packed_messages else message)

    def _select_messages(self, data: bytes | memoryview, wanted: dict[int, Channel]) -> Iterator[RawMessage]:
        view = memoryview(data)
        for op, at, size in _records_in(view):
            if op != _MESSAGE:
                continue
            i, _, log_ns, _ = _MESSAGE_HEAD.unpack_from(view, at)
            channel = wanted.get(i)
            if channel is not None:
                message = view[at + _MESSAGE_HEAD.size : at + size]
                yield RawMessage(channel, log_ns, zstd_message(message) if self.has_packed_messages else message)


def open_mcap(path: Path, *, has_packed_messages: bool = False) -> McapFile:
    """Return an MCAP recording, listed by its summary, or record by record if the summary is missing.

    Raises
    ------
    BagError
        When the file is not an MCAP recording.
    """
    bag = McapFile(path, has_packed_messages=has_packed_messages)
    with path.open("rb") as file:
        if file.read(len(MCAP_MAGIC)) != MCAP_MAGIC:
            raise BagError(f"{path.name} is no MCAP recording of version 0.")
        end = file.seek(0, 2)
        if not _list_by_summary(bag, file, end):
            _list_by_records(bag, file, end)
    bag.channels = tuple(bag.numbered.values())
    return bag


def _list_by_summary(bag: McapFile, file: BinaryIO, end: int) -> bool:
    """Read channels, counts and chunks from the summary; return whether there is an undamaged summary."""
    if end < len(MCAP_MAGIC) + _FOOTER_BYTES:
        return False
    file.seek(end - _FOOTER_BYTES)
    tail = file.read(_FOOTER_BYTES)
    summary_at = int.from_bytes(tail[_HEAD.size : _HEAD.size + 8], "little")
    if not tail.endswith(MCAP_MAGIC) or tail[0] != _FOOTER or not 0 < summary_at < end:
        return False
    statistics = None
    parts: Any = MCAP.part("records")
    try:
        for record in _records(file, summary_at, end - len(MCAP_MAGIC)):
            if record.op in (_SCHEMA, _CHANNEL):
                _declare(bag, record.op, _content(file, record))
            elif record.op == _STATISTICS:
                statistics = _parse(parts.Statistics, _content(file, record))
            elif record.op == _CHUNK_INDEX:
                index = _parse(parts.ChunkIndex, _content(file, record))
                counts = dict.fromkeys(index.message_index_offsets, 0) if index.message_index_offsets else None
                at, size = index.chunk_start_offset + _HEAD.size, index.chunk_length - _HEAD.size
                bag.chunks.append(_Chunk(at, size, counts, dict(index.message_index_offsets)))
    except BagError:
        statistics = None
    if statistics is None or (statistics.message_count and not bag.chunks):
        bag.chunks.clear()
        return False
    counts = statistics.channel_message_counts
    bag.numbered = {i: channel.with_count(counts.get(i, 0)) for i, channel in bag.numbered.items()}
    if statistics.message_count:
        bag.span_ns = statistics.message_start_time, statistics.message_end_time
    return True


def _list_by_records(bag: McapFile, file: BinaryIO, end: int) -> None:
    """List the file record by record; the index records behind a chunk, if present, state its contents."""
    loose: Counter[int] = Counter()
    stamps: list[int] = []
    is_whole = False
    for record in _records(file, len(MCAP_MAGIC), end):
        if record.op == _CHUNK:
            head = file.read(16)
            ends = struct.unpack("<QQ", head) if len(head) == 16 <= record.size else ()
            bag.chunks.append(_Chunk(record.at, record.size, None, stamps=[stamp for stamp in ends if stamp]))
        elif record.op == _MESSAGE_INDEX and bag.chunks and record.size >= 6:
            i, size = struct.unpack("<HI", file.read(6))
            chunk = bag.chunks[-1]
            chunk.counts = {**(chunk.counts or {}), i: size // 16}
            chunk.indexes[i] = record.at - _HEAD.size
        elif record.op in (_SCHEMA, _CHANNEL):
            _declare_if_whole(bag, record.op, _content(file, record))
        elif record.op == _MESSAGE and record.size >= _MESSAGE_HEAD.size:
            i, _, log_ns, _ = _MESSAGE_HEAD.unpack(file.read(_MESSAGE_HEAD.size))
            loose[i] += 1
            stamps.append(log_ns)
            _add_loose(bag.loose, record)
        elif record.op in (_DATA_END, _FOOTER):
            is_whole = True
            break
    for chunk in bag.chunks:
        if chunk.counts is None or not bag.numbered.keys() >= chunk.counts.keys():
            _scan_chunk(bag, file, chunk)
    counts = sum((Counter(chunk.counts) for chunk in bag.chunks), loose)
    bag.numbered = {i: channel.with_count(counts[i]) for i, channel in bag.numbered.items()}
    stamps += (stamp for chunk in bag.chunks for stamp in chunk.stamps)
    bag.span_ns = (min(stamps), max(stamps)) if stamps else None
    if not is_whole:
        bag.damages.append("it has no end, as if the recording was interrupted; the complete part is read")


def _add_loose(loose: list[tuple[int, int]], record: _Record) -> None:
    begin, end = record.at - _HEAD.size, record.at + record.size
    if loose and loose[-1][1] == begin:
        begin, _ = loose.pop()
    loose.append((begin, end))


def _scan_chunk(bag: McapFile, file: BinaryIO, chunk: _Chunk) -> None:
    """Count the messages of a chunk, and adopt the channels that it declares."""
    counts: Counter[int] = Counter()
    chunk.stamps = []  # the times in its header cover the whole chunk, whose end may be missing
    try:
        data = memoryview(_chunk_data(file, chunk))
        for record in _records_in(data):
            if record.op == _MESSAGE:
                i, _, log_ns, _ = _MESSAGE_HEAD.unpack_from(data, record.at)
                counts[i] += 1
                chunk.stamps.append(log_ns)
            elif record.op in (_SCHEMA, _CHANNEL):
                _declare_if_whole(bag, record.op, bytes(data[record.at : record.at + record.size]))
    except (BagError, struct.error, OSError, OverflowError, ValueError) as error:
        bag.damages.append(cut_text(chunk.at, error))
    chunk.counts = dict(counts)


def _declare_if_whole(bag: McapFile, op: int, content: bytes) -> None:
    try:
        _declare(bag, op, content)
    except BagError as error:
        bag.damages.append(str(error))


def _declare(bag: McapFile, op: int, content: bytes) -> None:
    parts: Any = MCAP.part("records")
    if op == _SCHEMA:
        schema = _parse(parts.Schema, content)
        type_name = ros1_type(schema.name)
        definition = bytes(schema.data[:MAX_DEFINITION]).decode("utf-8", "replace")
        is_ros = schema.encoding in ("ros1msg", "ros2msg", "ros2idl", "")
        bag.schemas[schema.id] = type_name, is_ros and begins_with_header(type_name, definition)
        return
    channel = _parse(parts.Channel, content)
    type_name, has_header = bag.schemas.get(channel.schema_id, ("", False))
    encoding = ENCODINGS.get(channel.message_encoding, "other")
    publisher = str(channel.metadata.get("callerid", ""))
    bag.numbered[channel.id] = Channel(channel.topic, type_name, encoding, publisher, has_header=has_header)


def _parse(kind: Any, content: bytes) -> Any:
    stream: Any = MCAP.part("data_stream")
    error: Any = MCAP.part("exceptions").McapError
    try:
        return kind.read(stream.ReadDataStream(io.BytesIO(content)))
    except (error, ValueError, struct.error, EOFError, OverflowError) as problem:
        raise BagError(f"a record is damaged ({problem or type(problem).__name__})") from None


def _records(file: BinaryIO, at: int, end: int) -> Iterator[_Record]:
    """Yield the complete records from a byte on, and an incomplete chunk at the end."""
    while at + _HEAD.size <= end:
        file.seek(at)
        op, size = _HEAD.unpack(file.read(_HEAD.size))
        if op == 0:
            return
        if at + _HEAD.size + size > end:
            if op == _CHUNK:  # its beginning may hold complete messages
                yield _Record(op, at + _HEAD.size, end - at - _HEAD.size)
            return
        yield _Record(op, at + _HEAD.size, size)
        at += _HEAD.size + size


def _records_in(data: memoryview) -> Iterator[_Record]:
    at = 0
    while at < len(data):
        op, size = _HEAD.unpack_from(data, at)
        at += _HEAD.size
        if at + size > len(data):
            raise BagError("a record goes beyond the end")
        yield _Record(op, at, size)
        at += size


def _content(file: BinaryIO, record: _Record) -> bytes:
    require_part(record.size)
    file.seek(record.at)
    return file.read(record.size)


def _offsets(file: BinaryIO, chunk: _Chunk, wanted: dict[int, Channel]) -> list[int] | None:
    """Return the file positions of the wanted messages of a chunk by its index; None if it is packed or has no index.

    This skips other messages, such as pictures, without reading them.
    """
    file.seek(chunk.at)
    head = file.read(_CHUNK_HEAD + 4 + 8)
    if len(head) < _CHUNK_HEAD + 12 or head[_CHUNK_HEAD : _CHUNK_HEAD + 4] != bytes(4) or not chunk.indexes:
        return None
    offsets: list[int] = []
    for at in (at for i, at in chunk.indexes.items() if i in wanted):
        file.seek(at)
        op, size = _HEAD.unpack(file.read(_HEAD.size))
        if op != _MESSAGE_INDEX or size > chunk.size:
            raise BagError("its index is damaged")
        require_part(size)
        content = file.read(size)
        offsets += [chunk.at + len(head) + offset for _, offset in _INDEX_ENTRY.iter_unpack(content[6:])]
    return sorted(offsets)


def _chunk_data(file: BinaryIO, chunk: _Chunk) -> bytes | memoryview:
    """Return the records of a chunk, unpacked."""
    content = _content(file, _Record(_CHUNK, chunk.at, chunk.size))
    if len(content) < _CHUNK_HEAD + 4:
        raise BagError("there is no chunk")
    size = int.from_bytes(content[16:24], "little")
    name = int.from_bytes(content[_CHUNK_HEAD : _CHUNK_HEAD + 4], "little")
    at = _CHUNK_HEAD + 4
    method = content[at : at + name].decode("ascii", "replace")
    packed = int.from_bytes(content[at + name : at + name + 8], "little")
    data = memoryview(content)[at + name + 8 :]
    return unpack_part(data[:packed], method, size, is_cut=len(data) < packed)

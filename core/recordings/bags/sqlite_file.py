"""Bags of ROS 2 in SQLite: a table of topics and a table of messages.

References
----------
rosbag2, "rosbag2_storage_sqlite3".
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path

from framescope.core.recordings.bags.bag import ENCODINGS, BagError, Channel, RawMessage, Wanted, ros1_type
from framescope.core.recordings.bags.compression import zstd_message

_HEADER_BYTES, _SMALLEST_PAGE, _LARGEST_PAGE = 100, 512, 65_536


@dataclass
class SqliteFile:
    """A bag of ROS 2 in SQLite. Make one with `open_sqlite`."""

    path: Path
    channels: tuple[Channel, ...] = ()
    span_ns: tuple[int, int] | None = None
    damages: list[str] = field(default_factory=list)
    has_packed_messages: bool = False
    topics: dict[int, Channel] = field(default_factory=dict)

    def messages(self, is_wanted: Wanted) -> Iterator[RawMessage]:
        """Yield the messages of some channels in the order of the file."""
        wanted = {i: channel for i, channel in self.topics.items() if is_wanted(channel)}
        if not wanted:
            return
        question = f"SELECT topic_id, timestamp, data FROM messages WHERE topic_id IN ({', '.join('?' * len(wanted))})"  # noqa: S608 (numbers)
        with closing(_connected(self.path)) as database:
            try:
                for i, stamp_ns, data in database.execute(f"{question} ORDER BY id", tuple(wanted)):
                    if not isinstance(stamp_ns, int) or not isinstance(data, bytes):
                        continue
                    yield RawMessage(wanted[i], stamp_ns, zstd_message(data) if self.has_packed_messages else data)
            except (sqlite3.DatabaseError, BagError) as error:
                if not self.damages:
                    self.damages.append(f"the messages end early: {error}")


def whole_pages(path: Path) -> int:
    """Return how many bytes of a database are whole pages: of one that was cut within a page SQLite reads zeros there.

    Raises
    ------
    BagError
        When not even its header is there.
    """
    with path.open("rb") as file:
        header = file.read(_HEADER_BYTES)
        size = file.seek(0, 2)
    page = int.from_bytes(header[16:18], "big")
    page = _LARGEST_PAGE if page == 1 else page
    if len(header) < _HEADER_BYTES or page < _SMALLEST_PAGE:
        raise BagError(f"{path.name}: nothing of this bag can be read (its header is damaged).")
    return size // page * page


def take_log(path: Path) -> None:
    """Put what a write-ahead log beside a database holds into it; a log that is damaged is left alone."""
    with suppress(sqlite3.Error), closing(sqlite3.connect(path)) as database:
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def open_sqlite(path: Path, *, has_packed_messages: bool = False) -> SqliteFile:
    """Return a bag of ROS 2 in SQLite; its messages are counted where they can be.

    Raises
    ------
    BagError
        When it is another database, or nothing of it can be read.
    """
    bag = SqliteFile(path, has_packed_messages=has_packed_messages)
    with closing(_connected(path)) as database:
        try:
            rows = database.execute("SELECT id, name, type, serialization_format FROM topics").fetchall()
        except sqlite3.DatabaseError as error:
            if "no such table" in str(error):
                raise BagError(f"{path.name} is an SQLite database, but no ROS 2 bag: it has no topics.") from None
            raise BagError(f"{path.name}: nothing of this bag can be read ({error}).") from None
        for i, name, type_name, form in rows:
            encoding = ENCODINGS.get(str(form), "other")
            bag.topics[int(i)] = Channel(str(name), ros1_type(str(type_name)), encoding)
        _count(bag, database)
    bag.channels = tuple(bag.topics.values())
    return bag


def _count(bag: SqliteFile, database: sqlite3.Connection) -> None:
    counts = dict.fromkeys(bag.topics, 0)
    stamps: list[int] = []
    try:
        # Row by row, as a file that was cut short fails at the first row that is missing.
        for i, stamp_ns in database.execute("SELECT topic_id, timestamp FROM messages ORDER BY id"):
            if i in counts and isinstance(stamp_ns, int):
                counts[i] += 1
                stamps.append(stamp_ns)
    except sqlite3.DatabaseError as error:
        bag.damages.append(f"it is damaged, as of a recording that was cut short, and read as far as it goes: {error}")
    bag.topics = {i: channel.counted(counts[i]) for i, channel in bag.topics.items()}
    bag.span_ns = (min(stamps), max(stamps)) if stamps else None


def _connected(path: Path) -> sqlite3.Connection:
    """Open a database for reading alone; one that is shorter than it says is read as far as it goes."""
    try:
        database = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro&immutable=1", uri=True)
        database.execute("PRAGMA writable_schema = ON")  # else nothing is read of a file that is too short
        database.execute("PRAGMA trusted_schema = OFF")
    except sqlite3.Error as error:
        raise BagError(f"{path.name} cannot be opened ({error}).") from None
    return database

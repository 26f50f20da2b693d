"""Bags of ROS 2 in SQLite: a table of topics and a table of messages.

A database of a stranger is more than data: its schema may hold views, virtual tables and computed columns, which run
when they are read. Only plain tables are read, of plain columns, and no further than the file is long.

References
----------
rosbag2, "rosbag2_storage_sqlite3". SQLite, "Defense against the dark arts".
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path

from framescope.core.errors import counted
from framescope.core.system.cooperative_yield import checkpoint
from framescope.features.bags.core.bag import ENCODINGS, BagError, Channel, RawMessage, Wanted, ros1_type
from framescope.features.bags.core.compression import MAX_PART, too_large, zstd_message

_HEADER_BYTES, _SMALLEST_PAGE, _LARGEST_PAGE = 100, 512, 65_536

MAX_TEXT = 1 << 20
"""Bytes of one text of the schema or of a topic."""

MAX_TOPICS = 100_000

LEAST_ROW = 8
"""Bytes that a row takes in a file at least: a file with more rows goes in circles."""

OPS_A_ROW, OPS_OF_SCHEMA = 50, 1_000_000
"""Steps of SQLite's machine that reading takes at most, for each possible row and for the schema."""

_OPS_A_LOOK = 10_000
_ROWS_A_BREATH = 1000

_TABLES = {
    "topics": ("id", "name", "type", "serialization_format"),
    "messages": ("topic_id", "timestamp", "data"),
}
"""The tables that are read, and their columns."""

_LIMITS = {
    sqlite3.SQLITE_LIMIT_SQL_LENGTH: MAX_TEXT,
    sqlite3.SQLITE_LIMIT_COLUMN: 100,
    sqlite3.SQLITE_LIMIT_EXPR_DEPTH: 50,
    sqlite3.SQLITE_LIMIT_COMPOUND_SELECT: 2,
    sqlite3.SQLITE_LIMIT_ATTACHED: 0,
    sqlite3.SQLITE_LIMIT_WORKER_THREADS: 0,
}


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
        # What is larger is not even read: the length of a blob stands before it.
        data = "CASE typeof(data) WHEN 'blob' THEN CASE WHEN length(data) <= ? THEN data END END"
        chosen = f"topic_id IN ({', '.join('?' * len(wanted))})"
        question = f"SELECT topic_id, timestamp, {data} FROM messages NOT INDEXED WHERE {chosen}"  # noqa: S608 (numbers)
        with closing(_connected(self.path)) as database:
            try:
                for i, stamp_ns, message in database.execute(question, (MAX_PART, *wanted)):
                    if isinstance(stamp_ns, int) and isinstance(message, bytes):
                        content = zstd_message(message) if self.has_packed_messages else message
                        yield RawMessage(wanted[i], stamp_ns, content)
            except (sqlite3.Error, BagError) as error:
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
        _restrict(database, path)
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def open_sqlite(path: Path, *, has_packed_messages: bool = False) -> SqliteFile:
    """Return a bag of ROS 2 in SQLite; its messages are counted where they can be.

    Raises
    ------
    BagError
        When it is another database, its tables are none, or nothing of it can be read.
    """
    bag = SqliteFile(path, has_packed_messages=has_packed_messages)
    with closing(_connected(path)) as database:
        try:
            for table in _TABLES:
                _require_plain(database, path, table)
            rows = database.execute("SELECT id, name, type, serialization_format FROM topics NOT INDEXED")
            for i, name, type_name, form in rows.fetchmany(MAX_TOPICS):
                if isinstance(i, int):
                    encoding = ENCODINGS.get(str(form), "other")
                    bag.topics[i] = Channel(str(name), ros1_type(str(type_name)), encoding)
        except sqlite3.Error as error:
            raise BagError(f"{path.name}: nothing of this bag can be read ({error}).") from None
        _count(bag, database)
    bag.channels = tuple(bag.topics.values())
    return bag


def _require_plain(database: sqlite3.Connection, path: Path, table: str) -> None:
    """Raise a `BagError` where a table is missing, or is a view, a virtual table, or has columns that are computed."""
    entries = database.execute("SELECT rootpage, sql FROM sqlite_master WHERE lower(name) = ?", (table,)).fetchall()
    if not entries and table == "topics":
        raise BagError(f"{path.name} is an SQLite database, but no ROS 2 bag: it has no topics.")
    if not entries:
        return  # which counting the messages reports
    what = f"{path.name}: {table} is no plain table of an SQLite database, as a bag of ROS 2 has it, but"
    for rootpage, text in entries:
        kind = re.match(r"\s*CREATE\s+(?:TEMP\w*\s+)?(\w+)", str(text), re.IGNORECASE)
        word = kind[1].lower() if kind else "something else"
        if word != "table" or not rootpage:
            name = {"view": "a view", "virtual": "a virtual table"}.get(word, word)
            raise BagError(f"{what} {name}. It is not read.")
    if len(entries) > 1:
        raise BagError(f"{what} there several times. It is not read.")
    listed = database.execute(f"PRAGMA table_list({table})").fetchall()  # empty before SQLite 3.37
    if any(kind != "table" or no_rowid for _, _, kind, _, no_rowid, _ in listed):
        raise BagError(f"{what} another kind of table. It is not read.")
    columns = {
        str(name).lower(): hidden for _, name, _, _, _, _, hidden in database.execute(f"PRAGMA table_xinfo({table})")
    }
    computed = [name for name in _TABLES[table] if columns.get(name)]
    if computed:
        raise BagError(f"{what} one that computes its column {computed[0]}. It is not read.")


def _count(bag: SqliteFile, database: sqlite3.Connection) -> None:
    counts = dict.fromkeys(bag.topics, 0)
    first, last = 1 << 63, -(1 << 63)
    n_large = 0
    try:
        # Row by row, as a file that was cut short fails at the first row that is missing.
        for i, stamp_ns, n_bytes in _sizes(database, bag.path.stat().st_size):
            if n_bytes is not None and n_bytes > MAX_PART:
                n_large += 1
            elif isinstance(i, int) and i in counts and isinstance(stamp_ns, int):
                counts[i] += 1
                first, last = min(first, stamp_ns), max(last, stamp_ns)
    except (sqlite3.Error, BagError) as error:
        bag.damages.append(f"it is damaged, as of a recording that was cut short, and read as far as it goes: {error}")
    if n_large:
        bag.damages.append(too_large(n_large))
    bag.topics = {i: channel.counted(counts[i]) for i, channel in bag.topics.items()}
    bag.span_ns = (first, last) if first <= last else None


def _sizes(database: sqlite3.Connection, file_bytes: int) -> Iterator[tuple[object, object, int | None]]:
    """Yield topic, time and length of the data of each message, which stay in the file.

    Raises
    ------
    BagError
        Where there are more of them than the file can hold: its pages lead in circles.
    """
    length = "CASE typeof(data) WHEN 'blob' THEN length(data) END"
    question = f"SELECT topic_id, timestamp, {length} FROM messages NOT INDEXED"  # noqa: S608 (no input)
    total = 0
    for n_rows, (i, stamp_ns, n_bytes) in enumerate(database.execute(question), start=1):
        total += n_bytes or 0
        # Twice, as of a file that was cut short the last messages may be missing, and their lengths are not.
        if n_rows * LEAST_ROW > file_bytes or total > 2 * file_bytes + MAX_PART:
            raise BagError(f"its pages lead in circles: there is more in them than its {counted(file_bytes, 'byte')}")
        if n_rows % _ROWS_A_BREATH == 0:
            checkpoint()
        yield i, stamp_ns, n_bytes


def _connected(path: Path) -> sqlite3.Connection:
    """Open a database for reading alone; one that is shorter than it says is read as far as it goes."""
    try:
        database = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro&immutable=1", uri=True)
        _restrict(database, path)
        database.execute("PRAGMA writable_schema = ON")  # else nothing is read of a file that is too short
    except (sqlite3.Error, ValueError) as error:
        raise BagError(f"{path.name} cannot be opened ({error}).") from None
    return database


def _restrict(database: sqlite3.Connection, path: Path) -> None:
    """Bound what a database can have SQLite do: no functions in its schema, little memory, and an end of steps."""
    database.text_factory = _decoded
    for limit, value in {**_LIMITS, sqlite3.SQLITE_LIMIT_LENGTH: MAX_PART + MAX_TEXT}.items():
        database.setlimit(limit, value)
    looks = (OPS_OF_SCHEMA + OPS_A_ROW * (path.stat().st_size // LEAST_ROW)) // _OPS_A_LOOK

    def is_over() -> bool:
        nonlocal looks
        looks -= 1
        return looks < 0

    database.set_progress_handler(is_over, _OPS_A_LOOK)
    database.execute("PRAGMA trusted_schema = OFF")
    database.execute("PRAGMA cell_size_check = ON")
    database.execute("PRAGMA mmap_size = 0")


def _decoded(text: bytes) -> str:
    return text[:MAX_TEXT].decode("utf-8", "replace")

"""Bags of ROS 2 in SQLite: a table of topics and a table of messages.

A database from a stranger is more than data: its schema may hold views, virtual tables and computed columns, which run
code when they are read. Only plain columns of plain tables are read, and no more rows than fit into the file.

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
from framescope.features.bags.core.definitions import begins_with_header

_HEADER_BYTES, _SMALLEST_PAGE, _LARGEST_PAGE = 100, 512, 65_536

MAX_TEXT = 1 << 20
"""Limit of bytes of one text of the schema or of a topic."""

MAX_TOPICS = 100_000

LEAST_ROW = 8
"""Smallest size of a row in a file, bytes. A file with more rows than fit has pages in circles."""

OPS_A_ROW, OPS_OF_SCHEMA = 50, 1_000_000
"""Limits of steps of SQLite's virtual machine, for each possible row and for the schema."""

_OPS_PER_CALL = 10_000
_ROWS_PER_CHECK = 1000

_TABLES = {
    "topics": ("id", "name", "type", "serialization_format"),
    "messages": ("topic_id", "timestamp", "data"),
    "message_definitions": ("topic_type", "encoded_message_definition"),
}
"""Tables that are read, with their columns."""

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
    """A bag of ROS 2 in SQLite, opened by `open_sqlite`."""

    path: Path
    channels: tuple[Channel, ...] = ()
    span_ns: tuple[int, int] | None = None
    damages: list[str] = field(default_factory=list)
    has_packed_messages: bool = False
    topics: dict[int, Channel] = field(default_factory=dict)

    def messages(self, is_wanted: Wanted) -> Iterator[RawMessage]:
        """Yield the messages of some channels in file order."""
        channels = {i: channel for i, channel in self.topics.items() if is_wanted(channel)}
        if not channels:
            return
        # Larger blobs are not even read: the length of a blob precedes its content.
        data = "CASE typeof(data) WHEN 'blob' THEN CASE WHEN length(data) <= ? THEN data END END"
        chosen = f"topic_id IN ({', '.join('?' * len(channels))})"
        question = f"SELECT topic_id, timestamp, {data} FROM messages NOT INDEXED WHERE {chosen}"  # noqa: S608 (numbers)
        with closing(_connect(self.path)) as database:
            try:
                for i, stamp_ns, message in database.execute(question, (MAX_PART, *channels)):
                    if isinstance(stamp_ns, int) and isinstance(message, bytes):
                        content = zstd_message(message) if self.has_packed_messages else message
                        yield RawMessage(channels[i], stamp_ns, content)
            except (sqlite3.Error, BagError) as error:
                if not self.damages:
                    self.damages.append(f"the messages end early: {error}")


def whole_pages(path: Path) -> int:
    """Return the number of bytes in complete pages; SQLite reads the rest of an incomplete page as zeros.

    Raises
    ------
    BagError
        When even the header is incomplete.
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
    """Merge the write-ahead log beside a database into it; a damaged log is ignored."""
    with suppress(sqlite3.Error), closing(sqlite3.connect(path)) as database:
        _restrict(database, path)
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def open_sqlite(path: Path, *, has_packed_messages: bool = False) -> SqliteFile:
    """Return a bag of ROS 2 in SQLite, with its messages counted as far as the file is readable.

    Raises
    ------
    BagError
        When it is another database, its tables are not plain, or nothing of it can be read.
    """
    bag = SqliteFile(path, has_packed_messages=has_packed_messages)
    with closing(_connect(path)) as database:
        try:
            for table in _TABLES:
                _require_plain(database, path, table)
            definitions = _definitions(database)
            rows = database.execute("SELECT id, name, type, serialization_format FROM topics NOT INDEXED")
            for i, name, type_name, form in rows.fetchmany(MAX_TOPICS):
                if isinstance(i, int):
                    encoding = ENCODINGS.get(str(form), "other")
                    kind = ros1_type(str(type_name))
                    has_header = begins_with_header(kind, definitions.get(kind, ""))
                    bag.topics[i] = Channel(str(name), kind, encoding, has_header=has_header)
        except sqlite3.Error as error:
            raise BagError(f"{path.name}: nothing of this bag can be read ({error}).") from None
        _count(bag, database)
    bag.channels = tuple(bag.topics.values())
    return bag


def _definitions(database: sqlite3.Connection) -> dict[str, str]:
    """Return the definitions of messages by type; bags before Iron store none."""
    try:
        rows = database.execute(
            "SELECT topic_type, encoded_message_definition FROM message_definitions NOT INDEXED"
        ).fetchmany(MAX_TOPICS)
    except sqlite3.Error:
        return {}
    return {ros1_type(str(name)): text for name, text in rows if isinstance(text, str)}


def _require_plain(database: sqlite3.Connection, path: Path, table: str) -> None:
    """Raise `BagError` for a view, a virtual table, a table with computed columns, or a missing table of topics."""
    entries = database.execute("SELECT rootpage, sql FROM sqlite_master WHERE lower(name) = ?", (table,)).fetchall()
    if not entries and table == "topics":
        raise BagError(f"{path.name} is an SQLite database, but no ROS 2 bag: it has no topics.")
    if not entries:
        return  # counting the messages reports the missing table
    beginning = f"{path.name}: {table} is no plain table of an SQLite database, as a bag of ROS 2 has it, but"
    for rootpage, text in entries:
        kind = re.match(r"\s*CREATE\s+(?:TEMP\w*\s+)?(\w+)", str(text), re.IGNORECASE)
        word = kind[1].lower() if kind else "something else"
        if word != "table" or not rootpage:
            name = {"view": "a view", "virtual": "a virtual table"}.get(word, word)
            raise BagError(f"{beginning} {name}. It is not read.")
    if len(entries) > 1:
        raise BagError(f"{beginning} there several times. It is not read.")
    listed = database.execute(f"PRAGMA table_list({table})").fetchall()  # empty before SQLite 3.37
    if any(kind != "table" or no_rowid for _, _, kind, _, no_rowid, _ in listed):
        raise BagError(f"{beginning} another kind of table. It is not read.")
    columns = {
        str(name).lower(): hidden for _, name, _, _, _, _, hidden in database.execute(f"PRAGMA table_xinfo({table})")
    }
    computed = [name for name in _TABLES[table] if columns.get(name)]
    if computed:
        raise BagError(f"{beginning} one that computes its column {computed[0]}. It is not read.")


def _count(bag: SqliteFile, database: sqlite3.Connection) -> None:
    counts = dict.fromkeys(bag.topics, 0)
    first, last = 1 << 63, -(1 << 63)
    n_large = 0
    try:
        # Row by row: a file that was cut off fails at its first missing row.
        for i, stamp_ns, n_bytes in _sizes(database, bag.path.stat().st_size):
            if n_bytes is not None and n_bytes > MAX_PART:
                n_large += 1
            elif isinstance(i, int) and i in counts and isinstance(stamp_ns, int):
                counts[i] += 1
                first, last = min(first, stamp_ns), max(last, stamp_ns)
    except (sqlite3.Error, BagError) as error:
        bag.damages.append(f"it is damaged, as if the recording was interrupted, and partly read: {error}")
    if n_large:
        bag.damages.append(too_large(n_large))
    bag.topics = {i: channel.with_count(counts[i]) for i, channel in bag.topics.items()}
    bag.span_ns = (first, last) if first <= last else None


def _sizes(database: sqlite3.Connection, file_bytes: int) -> Iterator[tuple[object, object, int | None]]:
    """Yield topic, time and data length of each message without reading the data.

    Raises
    ------
    BagError
        When there are more messages than the file can hold, as its pages lead in circles.
    """
    length = "CASE typeof(data) WHEN 'blob' THEN length(data) END"
    question = f"SELECT topic_id, timestamp, {length} FROM messages NOT INDEXED"  # noqa: S608 (no input)
    total = 0
    for n_rows, (i, stamp_ns, n_bytes) in enumerate(database.execute(question), start=1):
        total += n_bytes or 0
        # Twice the size: a file that was cut off may lack the last messages but still state their lengths.
        if n_rows * LEAST_ROW > file_bytes or total > 2 * file_bytes + MAX_PART:
            raise BagError(f"its pages form a loop: they contain more than its {counted(file_bytes, 'byte')}")
        if n_rows % _ROWS_PER_CHECK == 0:
            checkpoint()
        yield i, stamp_ns, n_bytes


def _connect(path: Path) -> sqlite3.Connection:
    """Open a database read-only; a database shorter than its header states is read as far as it is readable."""
    try:
        database = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro&immutable=1", uri=True)
        _restrict(database, path)
        database.execute("PRAGMA writable_schema = ON")  # without it SQLite rejects a file that is too short
    except (sqlite3.Error, ValueError) as error:
        raise BagError(f"{path.name} cannot be opened ({error}).") from None
    return database


def _restrict(database: sqlite3.Connection, path: Path) -> None:
    """Limit SQLite for a database: no functions in its schema, little memory, and a bounded number of steps."""
    database.text_factory = _decode
    for limit, value in {**_LIMITS, sqlite3.SQLITE_LIMIT_LENGTH: MAX_PART + MAX_TEXT}.items():
        database.setlimit(limit, value)
    calls_left = (OPS_OF_SCHEMA + OPS_A_ROW * (path.stat().st_size // LEAST_ROW)) // _OPS_PER_CALL

    def is_over() -> bool:
        nonlocal calls_left
        calls_left -= 1
        return calls_left < 0

    database.set_progress_handler(is_over, _OPS_PER_CALL)
    database.execute("PRAGMA trusted_schema = OFF")
    database.execute("PRAGMA cell_size_check = ON")
    database.execute("PRAGMA mmap_size = 0")


def _decode(text: bytes) -> str:
    return text[:MAX_TEXT].decode("utf-8", "replace")

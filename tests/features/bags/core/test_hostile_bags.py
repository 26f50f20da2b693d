"""Bags of strangers: a database whose schema computes, files that lie about their sizes, and parts that are too large.

Each ends in an error or a note of what is left out, soon, and without the memory that it asks for.
"""

from __future__ import annotations

import os
import sqlite3
import struct
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from framescope.features.bags.core import compression, mcap_file, sqlite_file
from framescope.features.bags.core.bag import BagError
from framescope.features.bags.core.bag_file import open_bag
from framescope.features.bags.core.tf_log import read_tf
from tests.support.bags import NS, START_NS, Sent, write_foxglove, write_ros1, write_ros2

TOPICS = "CREATE TABLE topics(id INTEGER PRIMARY KEY, name TEXT, type TEXT, serialization_format TEXT)"
MESSAGES = "CREATE TABLE messages(id INTEGER PRIMARY KEY, topic_id INTEGER, timestamp INTEGER, data BLOB)"
TOPIC = "INSERT INTO topics VALUES(1, '/tf', 'tf2_msgs/msg/TFMessage', 'cdr')"
ENDLESS = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c)"
VIEW = f"CREATE VIEW messages AS {ENDLESS} SELECT x AS id, 1 AS topic_id, x AS timestamp, x'00' AS data FROM c"
PRETEND = "UPDATE sqlite_master SET type = 'table', rootpage = 2 WHERE name = 'messages'"
DISGUISE = PRETEND.replace(" WHERE", ", sql = replace(sql, 'CREATE VIEW', 'CREATE /* TABLE */ VIEW') WHERE")
ENDLESS_TOPICS = f"CREATE VIEW topics AS {ENDLESS} SELECT x AS id, '/tf' AS name, '' AS type, 'cdr' AS form FROM c"


def database(path: Path, *statements: str) -> Path:
    """Make a database by statements."""
    connection = sqlite3.connect(path)
    for statement in statements:
        connection.execute(statement)
    connection.commit()
    connection.close()
    return path


COMPUTED = {
    "messages are an endless view": ((TOPICS, TOPIC, VIEW), "a view"),
    "topics are an endless view": ((ENDLESS_TOPICS, MESSAGES), "a view"),
    "a view that is listed as a table": ((TOPICS, TOPIC, VIEW, "PRAGMA writable_schema = ON", PRETEND), "a view"),
    "a view behind a comment": (
        (TOPICS, TOPIC, VIEW, "PRAGMA writable_schema = ON", DISGUISE),
        "something else",
    ),
    "a virtual table": (
        (TOPICS, TOPIC, "CREATE VIRTUAL TABLE messages USING fts4(topic_id, timestamp, data)"),
        "a virtual table",
    ),
    "a table without row numbers": ((TOPICS, TOPIC, f"{MESSAGES} WITHOUT ROWID"), "another kind of table"),
    "data that are computed": (
        (
            TOPICS,
            TOPIC,
            "CREATE TABLE messages(topic_id, timestamp, n, data AS (zeroblob(n)))",
            "INSERT INTO messages VALUES(1, 5, 900000000)",
        ),
        "computes its column data",
    ),
}


@pytest.mark.parametrize(("statements", "word"), COMPUTED.values(), ids=COMPUTED)
def test_that_a_database_that_computes_is_refused(statements, word, tmp_path: Path) -> None:
    path = database(tmp_path / "bag.db3", *statements)
    with pytest.raises(BagError, match=word):
        open_bag(path)


HARMLESS = {
    "an index over a function": "CREATE INDEX i ON messages(length(hex(data)))",
    "a trigger": "CREATE TRIGGER t AFTER INSERT ON messages BEGIN SELECT randomblob(1000000000); END",
    "an endless view of another name": VIEW.replace("messages", "others"),
    "topics that are no numbers": "INSERT INTO topics VALUES(9, 7, x'ff', x'ff', 5, 5)",
    "a message without a time": "INSERT INTO messages VALUES(9000, 1, 'soon', x'00')",
    "a text as data": "INSERT INTO messages VALUES(9000, 1, 5, 'text')",
    "a message of no topic": "INSERT INTO messages VALUES(9000, 77, 5, x'00')",
}


@pytest.mark.parametrize("statement", HARMLESS.values(), ids=HARMLESS)
def test_that_what_is_beside_the_messages_does_nothing(statement, tmp_path: Path) -> None:
    folder = write_ros2(tmp_path / "drive", sent(10))
    (path,) = folder.glob("*.db3")
    database(path, statement)
    with open_bag(path) as bag:
        assert len(read_tf(bag)) == 10


def sent(n: int) -> list[Sent]:
    return [Sent(START_NS + i * NS // 10, "map", "odom", (0.1 * i, 0, 0), (0, 0, 0, 1)) for i in range(n)]


def test_that_a_message_that_is_too_large_is_not_read_and_the_others_are(tmp_path: Path, monkeypatch) -> None:
    for module in (compression, sqlite_file):
        monkeypatch.setattr(module, "MAX_PART", 1 << 20)
    folder = write_ros2(tmp_path / "drive", sent(20))
    (path,) = folder.glob("*.db3")
    database(path, "INSERT INTO messages VALUES(7000, 1, 5, zeroblob(40000000))")
    tracemalloc.start()
    with open_bag(path) as bag:
        log = read_tf(bag)
        damages = bag.damages
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(log) == 20
    assert damages == ["1 message of over 1,048,576 bytes is left out"]
    assert peak < 10 << 20  # the message is not there once


def test_that_a_database_whose_pages_lead_in_circles_ends(tmp_path: Path) -> None:
    """Twelve pages, of which each leads sixty times to the next: 60^12 rows in 60 kB."""
    rows = [f"INSERT INTO messages VALUES({i}, 2, {i}, x'')" for i in range(1, 100)]
    path = database(tmp_path / "bag.db3", TOPICS, MESSAGES, TOPIC, *rows)
    connection = sqlite3.connect(path)
    root = dict(connection.execute("SELECT name, rootpage FROM sqlite_master"))["messages"]
    (size,) = connection.execute("PRAGMA page_size").fetchone()
    connection.close()
    data = bytearray(path.read_bytes())
    leaf = bytes(data[(root - 1) * size : root * size])
    first = len(data) // size + 1
    data[(root - 1) * size : root * size] = _interior(first, size)
    for i in range(1, 12):
        data += _interior(first + i, size)
    data += leaf
    data[28:32] = struct.pack(">I", len(data) // size)
    path.write_bytes(data)
    with open_bag(path) as bag:
        assert "form a loop" in " ".join(bag.damages)
        assert len(read_tf(bag)) == 0


def _interior(child: int, size: int, n: int = 60) -> bytes:
    """Return an inner page of a table, all of whose cells lead to one page."""
    start = size - 6 * n
    head = struct.pack(">BHHHBI", 5, 0, n, start, 0, child)
    places = b"".join(struct.pack(">H", start + 6 * i) for i in range(n))
    return (head + places).ljust(start, b"\0") + n * (struct.pack(">I", child) + b"\x81\x00")


@pytest.mark.fuzz
def test_that_a_header_that_lies_ends_in_an_error_or_a_bag(tmp_path: Path) -> None:
    folder = write_ros2(tmp_path / "drive", sent(50))
    (path,) = folder.glob("*.db3")
    whole = path.read_bytes()
    random = np.random.default_rng(1)
    n_read = 0
    for i in range(150):
        data = bytearray(whole)
        for at in random.integers(16, 100 if i % 2 else 4096, int(random.integers(1, 6))).tolist():
            data[at] = int(random.integers(256))
        path.write_bytes(data)
        try:
            with open_bag(path) as bag:
                n_read += len(read_tf(bag)) > 0
        except BagError:
            pass
    assert n_read > 20


def test_that_a_log_beside_a_database_is_read_by_the_same_rules(tmp_path: Path) -> None:
    path = tmp_path / "bag.db3"
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA journal_mode = WAL")
    for statement in (TOPICS, TOPIC, VIEW):
        connection.execute(statement)
    connection.commit()
    other = tmp_path / "left" / "bag.db3"
    other.parent.mkdir()
    for end in ("", "-wal"):  # as it stands while the writer still has it open
        (tmp_path / "left" / f"bag.db3{end}").write_bytes((tmp_path / f"bag.db3{end}").read_bytes())
    connection.close()
    before = {file.name: file.read_bytes() for file in other.parent.iterdir()}
    with pytest.raises(BagError, match="a view"):
        open_bag(other)
    assert {file.name: file.read_bytes() for file in other.parent.iterdir()} == before


def test_that_what_is_unpacked_of_a_file_is_bounded(tmp_path: Path, monkeypatch) -> None:
    import zstandard

    monkeypatch.setattr(compression, "FREE_BYTES", 1 << 20)
    folder = write_ros2(tmp_path / "drive", sent(5), compression="FILE")
    (path,) = folder.glob("*.zstd")
    path.write_bytes(zstandard.ZstdCompressor().compress(bytes(30 << 20)))
    with pytest.raises(BagError, match="over 200 times its packed size"):
        open_bag(folder)


WRITERS: dict[str, Callable[[Path], Path]] = {
    "ROS 1": lambda path: write_ros1(path, sent(400)),
    "MCAP": lambda path: write_foxglove(path, sent(400), compression="NONE"),
    "MCAP, no chunks": lambda path: write_foxglove(path, sent(400), compression="NONE", is_chunked=False),
}


@pytest.mark.parametrize("write", WRITERS.values(), ids=WRITERS)
def test_that_a_part_that_is_not_packed_is_bounded_too(write, tmp_path: Path, monkeypatch) -> None:
    for module in (compression, mcap_file):
        monkeypatch.setattr(module, "MAX_PART", 52)
    path = write(tmp_path / "drive.bag")
    with open_bag(path) as bag:
        assert len(read_tf(bag)) == 0
        assert any("exceeds the limit" in text or "left out" in text for text in bag.damages)


def test_that_a_pipe_in_a_folder_of_a_bag_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "drive.db3")
    with pytest.raises(BagError, match="is no bag"):
        open_bag(tmp_path)


def test_that_nothing_is_left_of_a_bag_that_cannot_be_opened(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    path = database(tmp_path / "bag.db3", TOPICS, TOPIC, VIEW)
    path.write_bytes(path.read_bytes() + b"x")  # ends within a page: a copy is made
    with pytest.raises(BagError, match="a view"):
        open_bag(path)
    assert [file.name for file in tmp_path.iterdir()] == ["bag.db3"]

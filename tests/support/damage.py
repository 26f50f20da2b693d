"""Random damage to the bytes and to the structure of files.

Each damage takes a generator and the bytes of a file, and returns other bytes.
"""

from __future__ import annotations

import contextlib
import io
import json
import re
import sqlite3
import struct
import tempfile
import xml.etree.ElementTree as ET
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

Damage = Callable[[Random, bytes], bytes]

NUMBERS = (
    *(b"0", b"-1", b"1", b"2", b"3", b"4", b"5", b"9", b"99", b"255", b"256", b"65535", b"65536", b"100000000", b"-99"),
    *(b"2147483647", b"2147483648", b"4294967295", b"-2147483648", b"9223372036854775807", b"18446744073709551616"),
    *(b"1e999", b"-1e300", b"nan", b"inf", b"1e31", b"0.5", b"1.0", b"9" * 400, b"x", b"", b"1/2/3", b"1//", b"/"),
    *(b"1_0", b"1e-320", b"0x10", b"1,5", b"1e17", b"True", b"null"),
)
VALUES: tuple[Any, ...] = (
    *(None, True, 0, 1, 2, 3, 4, 7, -1, 0.5, 255, 256, 65_536, 10**8, 2**31, 2**32, 2**40, 2**63, 10**30, 1e308),
    *("", "x", [], {}, [0], [0, 0], [1, 2, 3], [[]], {"POSITION": 0}, "VEC3", "SCALAR", "MAT4"),
    *(5120, 5121, 5123, 5124, 5125, 5126, "data:;base64,AAAA", "../x.bin", float("nan"), float("inf"), [0] * 500),
)  # fmt: skip
TEXTS = (
    *(
        "",
        " ",
        "0",
        "-1",
        "nan",
        "inf",
        "1e400",
        "1 2",
        "0 0 0",
        "1 0 0 0 0 0 0",
        "9" * 300,
        "x" * 5000,
        "world",
        "a::b",
    ),
    *("../../etc/passwd", "file:///etc/passwd", "${1/0}", "<b>&", "\u202e", "\U0001f600", "true", "1e-400", "1e30"),
)


def flip_bytes(random: Random, data: bytes) -> bytes:
    """Change some bytes."""
    changed = bytearray(data)
    for _ in range(random.choice((1, 1, 2, 8))):
        if changed:
            changed[random.randrange(len(changed))] = random.choice((0, 1, 127, 128, 255, random.randrange(256)))
    return bytes(changed)


def cut(random: Random, data: bytes) -> bytes:
    """Leave a part out, or keep one, or repeat one."""
    i, j = sorted((random.randrange(len(data) + 1), random.randrange(len(data) + 1)))
    return random.choice((data[:i], data[i:], data[:i] + data[j:], data[:j] + data[i:]))


def change_number(random: Random, data: bytes) -> bytes:
    """Write another number in the place of one in a text."""
    places = list(re.finditer(rb"[-+.\w/]*\d[-+.\w/]*", data))
    if not places:
        return data
    place = random.choice(places)
    return data[: place.start()] + random.choice(NUMBERS) + data[place.end() :]


def change_word(random: Random, data: bytes) -> bytes:
    """Write one word of a text in the place of another."""
    places = list(re.finditer(rb"\S+", data))
    if not places:
        return data
    place, other = random.choice(places), random.choice(places)
    return data[: place.start()] + other.group() + data[place.end() :]


def change_line(random: Random, data: bytes) -> bytes:
    """Delete, repeat or exchange lines."""
    lines = data.splitlines(keepends=True) or [b""]
    i, j = random.randrange(len(lines)), random.randrange(len(lines))
    match random.randrange(3):
        case 0:
            del lines[i]
        case 1:
            lines.insert(j, lines[i])
        case _:
            lines[i], lines[j] = lines[j], lines[i]
    return b"".join(lines)


def change_integer(random: Random, data: bytes) -> bytes:
    """Write another number into four bytes: a count, an index or a length."""
    i = random.randrange(max(len(data) - 4, 1))
    number = random.choice((0, 1, 3, 4, 99, 255, 65_535, 10**8, 2**31 - 1, 2**31, 2**32 - 1))
    return data[:i] + struct.pack(random.choice("<>") + "I", number) + data[i + 4 :]


WORDS = (
    *(b"nan", b"inf", b"-inf", b"1e308", b"-1e308", b"5e-324", b"1e999", b"null", b"true", b'""', b'"a"', b"[]", b"{}"),
    *(b"0", b"-1", b"9" * 30, b"1,5", b"1.5.2", b"0x10", b"\xff\xfe", b"\x00", b"\x1b[31m", b"[[[[", b'{"a":', b"=1+1"),
    *(b"[1, 2]", b"[0, 0, 0, 0]", b"2024-02-30T25:61:61", b"1e-300", b"\xc3\xa9", b",,,,", b"\n\n", b"\r", b"\t", b"-"),
)


def change_column(random: Random, data: bytes) -> bytes:
    """Write one word in the place of every n-th word: a whole column of a table changes."""
    places = list(re.finditer(rb"[^\s,;:\[\]{}\"]+", data))
    n, word = random.randrange(1, 17), random.choice(WORDS)
    for place in reversed(places[random.randrange(n) :: n]):
        data = data[: place.start()] + word + data[place.end() :]
    return data


def change_encoding(random: Random, data: bytes) -> bytes:
    """Write a text in another encoding, or with other ends of lines."""
    text = data.decode("utf-8", "replace")
    match random.randrange(5):
        case 0:
            return text.encode("utf-16")
        case 1:
            return b"\xef\xbb\xbf" + data
        case 2:
            return data.replace(b"\n", b"\r\n")
        case 3:
            return data.replace(b"\n", b"\r")
        case _:
            return data + b"\xc3\0"


def change_values(random: Random, tree: Any) -> None:
    """Change or delete values of nested mappings and lists, in place."""
    paths = [path for path in _key_paths(tree) if path]
    for _ in range(random.choice((1, 1, 2)) if paths else 0):
        *above, last = random.choice(paths)
        parent = tree
        # An earlier change may have taken the place away.
        with contextlib.suppress(KeyError, IndexError, TypeError):
            for key in above:
                parent = parent[key]
            if random.random() < 0.15:
                del parent[last]
            else:
                parent[last] = random.choice(VALUES)


def _key_paths(tree: Any, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    pairs = tree.items() if isinstance(tree, dict) else enumerate(tree) if isinstance(tree, list) else ()
    return [path, *(below for key, value in pairs for below in _key_paths(value, (*path, key)))]


def change_json(random: Random, data: bytes) -> bytes:
    """Change values of a file in JSON."""
    try:
        tree = json.loads(data)
    except (ValueError, RecursionError):
        return data
    change_values(random, tree)
    return json.dumps(tree).encode()


def change_xml(random: Random, data: bytes) -> bytes:
    """Delete, repeat, move or rename an element of a file in XML, or change an attribute or a text."""
    try:
        root = ET.fromstring(data)
    except (ET.ParseError, ValueError, RecursionError):
        return data
    parents = [element for element in root.iter() if len(element)]
    if not parents:
        return data
    parent = random.choice(parents)
    child = random.choice(list(parent))
    elements = list(root.iter())
    match random.randrange(7):
        case 0:
            parent.remove(child)
        case 1:
            parent.append(child)
        case 2:
            below = set(child.iter())
            parent.remove(child)
            random.choice([element for element in elements if element not in below]).append(child)
        case 3:
            child.tag = random.choice(elements).tag
        case 4 | 5 if child.attrib:
            _change_attribute(random, child, elements)
        case _:
            child.text = random.choice(TEXTS)
    return ET.tostring(root)


def _change_attribute(random: Random, element: ET.Element, elements: list[ET.Element]) -> None:
    name = random.choice(list(element.attrib))
    if random.random() < 0.2:
        del element.attrib[name]
    else:
        others = [other.attrib[name] for other in elements if name in other.attrib]
        element.set(name, random.choice(random.choice((others, TEXTS))))


def change_member(*inner: Damage) -> Damage:
    """Return the damage that changes one file in a zip by one of `inner`, and packs it again."""

    def change(random: Random, data: bytes) -> bytes:
        try:
            with zipfile.ZipFile(io.BytesIO(data)) as archive:
                members = {info.filename: archive.read(info) for info in archive.infolist()}
        except (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, OSError, ValueError, EOFError):
            return data
        if not members:
            return data
        name = random.choice(list(members))
        members[name] = random.choice(inner)(random, members[name])
        if random.random() < 0.1:
            members[random.choice(("../out.yaml", "/abs.yaml", "a/" * 30 + "deep.csv", name.upper()))] = members[name]
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", random.choice((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED))) as archive:
            for member, content in members.items():
                archive.writestr(member, content)
        return packed.getvalue()

    return change


def change_database(*inner: Damage) -> Damage:
    """Return the damage that changes one value in a database of SQLite by one of `inner`."""

    def change(random: Random, data: bytes) -> bytes:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "x.db3"
            path.write_bytes(data)
            with contextlib.suppress(sqlite3.Error, OverflowError), contextlib.closing(sqlite3.connect(path)) as base:
                tables = [name for (name,) in base.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
                table = random.choice(tables)
                columns = [row[1] for row in base.execute(f'PRAGMA table_info("{table}")')]
                rows = [row for (row,) in base.execute(f'SELECT rowid FROM "{table}"')]
                column, row = random.choice(columns), random.choice(rows)
                (value,) = base.execute(f'SELECT "{column}" FROM "{table}" WHERE rowid = ?', (row,)).fetchone()
                if isinstance(value, bytes):
                    changed: Any = random.choice(inner)(random, value)
                elif isinstance(value, str):
                    changed = random.choice((*TEXTS, value.upper(), value + "\0", value.encode()))
                else:
                    changed = random.choice((None, -1, 0, 2**62, -(2**63), 0.5, float("inf"), "x", b"\xff"))
                base.execute(f'UPDATE "{table}" SET "{column}" = ? WHERE rowid = ?', (changed, row))
                base.commit()
            return path.read_bytes()

    return change


NPY_KINDS = (
    *(b"<f8", b"<f4", b"<i8", b"|b1", b"<U3", b"|O", b"<M8[ns]", b"<M8[D]", b"<c16", b">f8", b"|S4", b"<m8[s]", b"<f2"),
)
NPY_SHAPES = (
    *(b"()", b"(0,)", b"(1,)", b"(2,)", b"(20,)", b"(0, 3)", b"(1, 3)", b"(3, 1)", b"(20, 0)", b"(-1,)", b"(2, 2, 2)"),
)


def change_npy_header(random: Random, data: bytes) -> bytes:
    """Write another type or shape into the header of an array of numpy, with a length that fits."""
    head, sign, rest = data.partition(b"\n")
    kind = next((kind for kind in NPY_KINDS if kind in head), None)
    if kind is not None and random.random() < 0.6:
        head = head.replace(kind, random.choice(NPY_KINDS).ljust(len(kind))[: max(len(kind), 3)])
    begin, end = head.find(b"("), head.find(b")")
    if begin > 0 and random.random() < 0.7:
        head = head[:begin] + random.choice(NPY_SHAPES) + head[end + 1 :]
    return head[:8] + max(len(head) - 9, 0).to_bytes(2, "little") + head[10:] + sign + rest


def change_matrix(random: Random, data: bytes) -> bytes:
    """Change sizes, types or numbers of the matrices in a MAT file of version 4."""
    changed, at = bytearray(data), 0
    heads: list[int] = []
    while at + 20 <= len(data):
        kind, rows, columns, _, length = struct.unpack_from("<5i", data, at)
        size = {0: 8, 1: 4, 2: 4, 5: 1}.get(kind // 10 % 10 if kind < 100 else 5, 8)
        heads.append(at)
        if min(rows, columns, length) < 0 or rows * columns > len(data):
            break
        at += 20 + length + rows * columns * size
    for _ in range(random.choice((1, 1, 2))):
        at = random.choice(heads or [0])
        if random.random() < 0.5 and at + 20 <= len(changed):
            value = random.choice((0, 1, 2, 3, -1, 10, 20, 50, 51, 2**31 - 1, random.randrange(400)))
            struct.pack_into("<i", changed, at + 4 * random.randrange(5), value)
        else:
            number = random.choice((0.0, float("nan"), float("inf"), 1e308, -1e308, 5e-324, 1e-200, 1e30, -1.0))
            begin = random.randrange(max(len(changed) - 8, 1))
            word = struct.pack("<d", number) * random.choice((1, 1, 20))
            changed[begin : begin + len(word)] = word
    return bytes(changed)

"""Files of tables and results as no program would write them: good ones, damaged, and what importing one does."""

from __future__ import annotations

import io
import json
import tempfile
import warnings
import zipfile
from collections import Counter
from collections.abc import Callable
from copy import deepcopy
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from typer.testing import CliRunner

from framescope.app.cli.main import app

_T = np.linspace(0.0, 1.9, 20)
_ROWS = [
    [round(float(t), 3), round(float(np.cos(t)), 6), round(float(np.sin(t)), 6), 0.25, 0.0, 0.0, 0.6, 0.8] for t in _T
]
_NAMES = ["t", "x", "y", "z", "qx", "qy", "qz", "qw"]


def _json_texts() -> list[bytes]:
    rows = [dict(zip(_NAMES, row, strict=True)) for row in _ROWS]
    nested = [{"stamp": row[0], "pose": {"position": row[1:4], "orientation": row[4:]}} for row in _ROWS]
    columns = {name: [row[k] for row in _ROWS] for k, name in enumerate(_NAMES)}
    forms = rows, nested, columns, _ROWS, {"poses": nested}, [{"t": row[0], "x": row[1], "y": row[2]} for row in _ROWS]
    lines = "\n".join(map(json.dumps, rows))
    return [*(json.dumps(form).encode() for form in forms), lines.encode()]


def _texts() -> list[bytes]:
    def text(sign: str, head: bool = True) -> str:
        lines = [sign.join(map(str, row)) for row in _ROWS]
        return "\n".join(([sign.join(_NAMES)] if head else []) + lines) + "\n"

    stamped = "time,x,y,frame\n" + "".join(
        f"2024-05-01T10:00:{row[0]:06.3f}Z,{row[1]},{row[2]},{'ab'[k % 2]}\n" for k, row in enumerate(_ROWS)
    )
    three = "a;b;c\n" + "".join(f"{row[0]};{row[1]};{row[2]}\n".replace(".", ",") for row in _ROWS)
    return [each.encode() for each in (text(","), text(" ", head=False), text("\t"), stamped, three)]


def _npz() -> list[bytes]:
    def packed(**arrays: np.ndarray) -> bytes:
        file = io.BytesIO()
        np.savez(file, **arrays)
        return file.getvalue()

    block = np.array(_ROWS)
    return [
        packed(t=block[:, 0], p=block[:, 1:4], q=block[:, 4:]),
        packed(**{name: block[:, k] for k, name in enumerate(_NAMES)}),
        packed(poses=np.tile(np.eye(4), (20, 1, 1)), times=_T.astype("datetime64[ns]").astype("i8")),
        packed(t=_T.astype("f4"), flag=_T > 1.0, word=np.array([f"w{k % 3}" for k in range(20)]), x=block[:, 1]),
    ]


def _parquet() -> list[bytes]:
    import pyarrow as pa
    from pyarrow import parquet

    def written(**columns: object) -> bytes:
        file = io.BytesIO()
        parquet.write_table(pa.table(columns), file)
        return file.getvalue()

    plain = {name: [row[k] for row in _ROWS] for k, name in enumerate(_NAMES)}
    return [
        written(**plain),
        written(t=pa.array([int(1e9 * t) for t in _T], pa.timestamp("ns")), x=plain["x"], word=["a", "b"] * 10),
        written(t=plain["t"], p=pa.array([row[1:4] for row in _ROWS]), none=[None] * 20, flag=[True] * 20),
        written(t=plain["t"], s=pa.array([{"x": row[1], "y": row[2]} for row in _ROWS])),
    ]


def _results() -> list[bytes]:
    from tests.support import modelica_results as results

    made = results.pendulum(21)
    n = len(made.times)
    for letter in "ft":
        made.add_vector(f"boxBody1.frame_b.{letter}", np.stack([np.sin(made.times), np.ones(n), np.zeros(n)], -1))
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "a.mat"
        writers: tuple[Callable[[], object], ...] = (
            lambda: results.write(path, made),
            lambda: results.write(path, made, layout="binNormal", dtype=np.float32, has_blanks=True),
            lambda: results.write_as_plotted(path, made),
        )
        found: list[bytes] = []
        for write in writers:
            write()
            found.append(path.read_bytes())
    return found


_SEEDS = {".json": _json_texts, ".csv": _texts, ".npz": _npz, ".parquet": _parquet, ".mat": _results}
SUFFIXES = tuple(_SEEDS)


@cache
def seeds(suffix: str) -> list[bytes]:
    """Return the good files of a kind."""
    return _SEEDS[suffix]()


# --- Damage

WORDS = [
    *(b"nan", b"inf", b"-inf", b"1e308", b"-1e308", b"5e-324", b"1e999", b"null", b"true", b'""', b'"a"', b"[]", b"{}"),
    *(b"0", b"-1", b"9" * 30, b"1,5", b"1.5.2", b"0x10", b"\xff\xfe", b"\x00", b"\x1b[31m", b"[[[[", b'{"a":', b"=1+1"),
    *(b"[1, 2]", b"[0, 0, 0, 0]", b"2024-02-30T25:61:61", b"1e-300", b"\xc3\xa9", b",,,,", b"\n\n", b"\r", b"\t", b"-"),
]


def _flipped(random: Random, data: bytes) -> bytes:
    made = bytearray(data)
    for _ in range(random.choice((1, 1, 2, 8, 64))):
        if made:
            made[random.randrange(len(made))] = random.choice((0, 1, 127, 128, 255, random.randrange(256)))
    return bytes(made)


def _cut(random: Random, data: bytes) -> bytes:
    i, j = sorted((random.randrange(len(data) + 1), random.randrange(len(data) + 1)))
    return random.choice((data[:i], data[:j], data[i:], data[:i] + data[j:], data[:j] + data[i:]))


def _places(data: bytes, signs: bytes) -> list[tuple[int, int]]:
    """Return where the words between separators begin and end."""
    found, start = [], None
    for i, sign in enumerate(data + b" "):
        if sign in signs and start is not None:
            found.append((start, i))
            start = None
        elif sign not in signs and start is None:
            start = i
    return found or [(0, 0)]


def _word_changed(random: Random, data: bytes) -> bytes:
    places = _places(data, b' \n,;:[]{}\t"')
    for i, j in sorted(random.sample(places, min(len(places), random.choice((1, 1, 3, 20)))), reverse=True):
        data = data[:i] + random.choice(WORDS) + data[j:]
    return data


def _word_set_everywhere(random: Random, data: bytes) -> bytes:
    """Put one word in the place of every n-th: a whole column changes."""
    places = _places(data, b' \n,;:[]{}\t"')
    n, word = random.randrange(1, 17), random.choice(WORDS)
    for i, j in reversed(places[random.randrange(n) :: n]):
        data = data[:i] + word + data[j:]
    return data


def _line_changed(random: Random, data: bytes) -> bytes:
    lines = data.splitlines(keepends=True) or [b""]
    i, j = random.randrange(len(lines)), random.randrange(len(lines))
    match random.randrange(4):
        case 0:
            del lines[min(i, j) : max(i, j) + 1]
        case 1:
            lines.insert(j, lines[i])
        case 2:
            lines = lines[: random.randrange(4)]
        case _:
            lines[i] = lines[i].rstrip(b"\n") * random.choice((2, 50)) + b"\n"
    return b"".join(lines)


def _json_changed(random: Random, data: bytes) -> bytes:
    try:
        tree = json.loads(data)
    except ValueError:
        return _word_changed(random, data)
    values = (None, 1e308, float("nan"), "a", True, [], {}, [1], {"x": 1}, [[1, 2]], -1, 10**400, "", [0] * 3000)
    holder: list[Any] = [tree]
    for _ in range(random.choice((1, 2, 10))):
        at: Any = holder
        key: Any = 0
        while isinstance(at[key], list | dict) and at[key] and random.random() < 0.8:
            at = at[key]
            key = random.choice(list(at)) if isinstance(at, dict) else random.randrange(len(at))
        match random.randrange(3):
            case 0 if isinstance(at, dict):
                at[random.choice(("t", "x", "", "a" * 300, "q", "\x1b"))] = at.pop(key)
            case 1 if len(at) > 1:
                del at[key]
            case _:
                at[key] = deepcopy(random.choice(values))
    return json.dumps(holder[0]).encode()


def _member_changed(random: Random, data: bytes) -> bytes:
    """Damage one array in a zip, whose sums are made anew."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as bundle:
            members = {name: bundle.read(name) for name in bundle.namelist()}
    except (zipfile.BadZipFile, OSError, ValueError, EOFError, NotImplementedError, RuntimeError):
        return _flipped(random, data)
    if not members:
        return data
    name = random.choice(list(members))
    change = random.choice((_flipped, _cut, _header_changed, _header_changed, _header_changed))
    members[name] = change(random, members[name])
    if random.random() < 0.2:
        members[random.choice(("t.npy", "x", "../a.npy", "a/b.npy", "\x1b.npy"))] = members.pop(name)
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as bundle:
        for key, content in members.items():
            bundle.writestr(key, content)
    return file.getvalue()


def _header_changed(random: Random, data: bytes) -> bytes:
    kinds = (
        b"<f8",
        b"<f4",
        b"<i8",
        b"|b1",
        b"<U3",
        b"|O",
        b"<M8[ns]",
        b"<M8[D]",
        b"<c16",
        b">f8",
        b"|S4",
        b"<m8[s]",
        b"<f2",
    )
    shapes = (
        b"()",
        b"(0,)",
        b"(1,)",
        b"(2,)",
        b"(20,)",
        b"(0, 3)",
        b"(1, 3)",
        b"(3, 1)",
        b"(20, 0)",
        b"(-1,)",
        b"(2, 2, 2)",
    )
    head, sign, rest = data.partition(b"\n")
    for kind in kinds:
        if kind in head and random.random() < 0.6:
            head = head.replace(kind, random.choice(kinds).ljust(len(kind))[: max(len(kind), 3)])
            break
    begin, end = head.find(b"("), head.find(b")")
    if begin > 0 and random.random() < 0.7:
        head = head[:begin] + random.choice(shapes) + head[end + 1 :]
    length = len(head) + 1 - 10
    head = head[:8] + max(length, 0).to_bytes(2, "little") + head[10:]
    return head + sign + rest


def _matrix_changed(random: Random, data: bytes) -> bytes:
    """Damage the sizes, the kinds or the numbers of the matrices of a result."""
    made, at = bytearray(data), 0
    places: list[int] = []
    while at + 20 <= len(data):
        kind, rows, columns, _, length = np.frombuffer(data, "<i4", 5, at).tolist()
        size = {0: 8, 1: 4, 2: 4, 5: 1}.get(kind // 10 % 10 if kind < 100 else 5, 8)
        places.append(at)
        if min(rows, columns, length) < 0 or rows * columns > len(data):
            break
        at += 20 + length + rows * columns * size
    for _ in range(random.choice((1, 1, 2))):
        at = random.choice(places or [0])
        if random.random() < 0.5 and at + 20 <= len(made):
            field = random.randrange(5)
            value = random.choice((0, 1, 2, 3, -1, 10, 20, 50, 51, 2**31 - 1, random.randrange(400)))
            made[at + 4 * field : at + 4 * field + 4] = value.to_bytes(4, "little", signed=True)
        else:
            numbers = (0.0, np.nan, np.inf, -np.inf, 1e308, -1e308, 5e-324, 1e-200, 1e30, -1.0)
            begin = random.randrange(max(len(made) - 8, 1))
            word = np.array(random.choice(numbers)).tobytes() * random.choice((1, 1, 20))
            made[begin : begin + len(word)] = word
    return bytes(made)


Mutation = Callable[[Random, bytes], bytes]
_MUTATIONS: dict[str, tuple[Mutation, ...]] = {
    ".json": (_flipped, _cut, _word_changed, _word_set_everywhere, _json_changed, _json_changed),
    ".csv": (_flipped, _cut, _word_changed, _word_set_everywhere, _line_changed),
    ".npz": (_flipped, _cut, _member_changed, _member_changed, _member_changed),
    ".parquet": (_flipped, _flipped, _cut),
    ".mat": (_flipped, _cut, _matrix_changed, _matrix_changed, _matrix_changed),
}


def mutant(suffix: str, number: int) -> bytes:
    """Return the damaged file of a number, always the same; the first ones are good files cut at every place."""
    random = Random(f"{suffix} {number}")
    data = random.choice(seeds(suffix))
    for _ in range(random.choice((1, 1, 1, 2, 3))):
        data = random.choice(_MUTATIONS[suffix])(random, data)
    return data


# --- Import

CODES = (0, 1, 2, 3)
"""Exit statuses of ``import`` and ``check``: without an exception, 1 is none of a traceback."""


def import_mutant(path: Path) -> str:
    """Import a damaged file, and check the scene that it becomes: ``"scene"``, ``"imported"`` or ``"refused"``."""
    scene = path.with_suffix(".made.yaml")
    done = _run("import", str(path), "--accept-open", "--json", "--out", str(scene))
    try:
        if not scene.exists():
            checked = _run("check", str(path))
            return "imported" if done == 0 and checked != 1 else "refused"
        _run("check", str(scene))
        return "scene"
    finally:
        scene.unlink(missing_ok=True)


def _run(*arguments: str) -> int:
    """Run a command in this process; an exception that it does not tell of is raised, a warning is one."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        done = CliRunner().invoke(app, list(arguments))
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    assert done.exit_code in CODES
    assert "Traceback" not in done.output
    assert done.output.replace("\n", "").replace("\t", "").isprintable(), ascii(done.output)
    return done.exit_code


def import_mutants(folder: Path, suffix: str, first: int, last: int) -> Counter[str]:
    """Import damaged files of a kind; the newest stays in the folder, so that it is there when the process dies."""
    found: Counter[str] = Counter()
    for number in range(first, last):
        path = folder / f"{number}{suffix}"
        path.write_bytes(mutant(suffix, number))
        found[import_mutant(path)] += 1
        path.unlink()
    return found

"""Tables of strangers: what is read bit for bit, what is refused and with which words, and the bounds."""

from __future__ import annotations

import csv
import importlib.util
import io
import os
import struct
import sys
import tracemalloc
import warnings
import zipfile

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from framescope import assets
from framescope.core.errors import FramescopeError
from framescope.core.recordings.tables import limits
from framescope.core.recordings.tables.limits import TableError
from framescope.core.recordings.tables.mixed import read_table
from framescope.core.recordings.tables.numeric import Table, read_bytes
from framescope.core.system.optional_packages import add_command

finite = st.floats(allow_nan=False, allow_infinity=False)
rectangles = st.integers(1, 6).flatmap(
    lambda m: st.lists(st.lists(finite, min_size=m, max_size=m), min_size=1, max_size=8)
)
once = settings(max_examples=30, deadline=None)


def written(folder, name: str, content: str | bytes):
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def bits(table: Table) -> list[bytes]:
    return [column.tobytes() for column in table.columns.values()]


def npz_of(members: dict[str, bytes], method: int = zipfile.ZIP_STORED) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return file.getvalue()


def npy_of(header: str, content: bytes = b"", version: bytes = b"\x01\x00") -> bytes:
    text = header.encode("latin-1") + b"\n"
    return b"\x93NUMPY" + version + struct.pack("<H", len(text)) + text + content


def refusal(path) -> TableError:
    with pytest.raises(TableError) as caught:
        read_table(path)
    assert caught.value.message
    assert len(str(caught.value)) < 1000
    return caught.value


def outcome(path) -> Table | TableError:
    try:
        return read_table(path)
    except TableError as error:
        return error


# --- What is read


@once
@given(
    rows=rectangles, separator=st.sampled_from([",", ";", "\t", " ", " , "]), end=st.sampled_from(["\n", "\r\n", "\r"])
)
def test_that_numbers_written_by_repr_come_back_bit_for_bit(tmp_path_factory, rows, separator, end) -> None:
    text = "".join(separator.join(map(repr, row)) + end for row in rows)
    table = read_table(written(tmp_path_factory.mktemp("t"), "a.csv", text))
    assert list(table.columns) == [str(i) for i in range(1, len(rows[0]) + 1)]
    assert bits(table) == [np.array(column).tobytes() for column in zip(*rows, strict=True)]


@once
@given(rows=rectangles)
def test_that_what_numpy_packs_comes_back_bit_for_bit(tmp_path_factory, rows) -> None:
    path = tmp_path_factory.mktemp("t") / "a.npz"
    array = np.array(rows)
    np.savez_compressed(path, t=array[:, 0], p=np.asfortranarray(array))
    table = read_table(path)
    assert list(table.columns) == ["t", *(f"p[{i}]" for i in range(array.shape[1]))]
    assert bits(table) == [array[:, 0].tobytes(), *(array[:, i].tobytes() for i in range(array.shape[1]))]


@once
@given(
    rows=rectangles,
    dialect=st.sampled_from(["excel", "excel-tab", "unix"]),
    names=st.lists(st.text("abcXYZ_ ,;'.[]/\"", min_size=1).map(lambda s: "n" + s.strip()), min_size=6, unique=True),
)
def test_that_what_the_csv_module_writes_is_read(tmp_path_factory, rows, dialect, names) -> None:
    file = io.StringIO()
    writer = csv.writer(file, dialect)  # "unix" puts all cells in quotation marks
    writer.writerow(names[: len(rows[0])])
    writer.writerows(rows)
    if len(rows[0]) == 1 and {",", ";"} & set(names[0]):  # a lone name that holds a separator may as well be two
        return
    table = read_table(written(tmp_path_factory.mktemp("t"), "a.csv", file.getvalue()))
    assert bits(table) == [np.array(column).tobytes() for column in zip(*rows, strict=True)]
    assert len(table.columns) == len(rows[0])


@pytest.mark.parametrize(
    ("keywords", "names"),
    [
        ({}, ["1", "2", "3"]),
        ({"delimiter": ","}, ["1", "2", "3"]),
        ({"header": "t x y"}, ["t", "x", "y"]),
        ({"header": "t x y", "comments": ""}, ["t", "x", "y"]),
        ({"header": "a recording\nt,x [m],y [m]", "delimiter": ","}, ["t", "x [m]", "y [m]"]),
        ({"header": "of four words here"}, ["1", "2", "3"]),
        ({"header": "1 2 3"}, ["1", "2", "3"]),
        ({"delimiter": "\t", "header": "t\tp x\tp y", "comments": "", "footer": "# end"}, ["t", "p x", "p y"]),
    ],
)
def test_that_what_savetxt_writes_is_read(tmp_path, keywords, names) -> None:
    array = np.random.default_rng(1).normal(size=(5, 3))
    np.savetxt(tmp_path / "a.txt", array, fmt="%.17g", **keywords)
    table = read_table(tmp_path / "a.txt")
    assert list(table.columns) == names
    assert_array_equal(np.stack(list(table.columns.values()), axis=1), array)


@pytest.mark.parametrize(
    ("text", "names", "first"),
    [
        ("t,x\n1,2\n", ["t", "x"], [1.0, 2.0]),
        ("\ufefft;x\n1;2\n", ["t", "x"], [1.0, 2.0]),
        (",t\n0,2\n1,3\n", ["1", "t"], [0.0, 2.0]),
        ('"t, s",x\n1,2\n', ["t, s", "x"], [1.0, 2.0]),
        ("# by hand\n\n  1   2  # the first\n\n3 4", ["1", "2"], [1.0, 2.0]),
        ("1 2\t3\n", ["1", "2", "3"], [1.0, 2.0, 3.0]),
        ("+.5 -2. 1E3 -0.0\n", ["1", "2", "3", "4"], [0.5, -2.0, 1000.0, -0.0]),
        ("x\n5\n", ["x"], [5.0]),
        ("1,5;2,5\n", ["1", "2"], [1.5, 2.5]),
        ("1e-400 5e-324\n", ["1", "2"], [0.0, 5e-324]),
    ],
)
def test_that_usual_ways_of_writing_are_read(tmp_path, text, names, first) -> None:
    for extension in ("csv", "TXT"):
        table = read_table(written(tmp_path, f"a.{extension}", text))
        assert list(table.columns) == names
        assert bits(table) == [column[: table.n_rows].tobytes() for column in table.columns.values()]
        assert [column[0] for column in table.columns.values()] == first


def test_that_the_real_recording_is_read_with_the_names_of_its_comment() -> None:
    table = read_table(assets.path("scenes/freiburg1_xyz.txt"))
    assert list(table.columns) == ["timestamp", "tx", "ty", "tz", "qx", "qy", "qz", "qw"]
    assert table.n_rows == 3000


@pytest.mark.parametrize("dtype", ["<f4", ">f8", "f2", "i1", ">u8", "g"])
def test_that_arrays_of_any_real_type_become_float64(tmp_path, dtype) -> None:
    np.savez(tmp_path / "a.npz", x=np.array([0, 1, 100], dtype=dtype))
    column = read_table(tmp_path / "a.npz").column("x")
    assert column.dtype == np.float64
    assert column.dtype.isnative
    assert_array_equal(column, [0.0, 1.0, 100.0])


def test_that_a_table_cannot_be_changed(tmp_path) -> None:
    table = read_table(written(tmp_path, "a.csv", "1 2\n"))
    with pytest.raises(ValueError, match="read-only"):
        table.column("1")[0] = 2.0
    with pytest.raises(TypeError):
        table.columns["3"] = table.column("1")


def test_that_a_column_that_was_nearly_named_is_offered() -> None:
    table = Table("a.csv", {"time": np.zeros(1), "qx": np.zeros(1)})
    with pytest.raises(TableError, match=r'^a.csv has no column "q_x". Did you mean "qx"\?$'):
        table.column("q_x")
    wide = Table("a.csv", {f"column {i}": np.zeros(1) for i in range(1000)})
    with pytest.raises(TableError, match="and 980 more"):
        wide.column("#")


# --- What is refused


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is empty"),
        ("\n \n# nothing\n", "has no rows"),
        ("t,x\n", 'has no rows of numbers, only the line "t"'),
        ("t,x\n1,2\n3,abc\n", r'a.csv, line 3, column 2 \(x\): "abc" is no number. Numbers are written'),
        ("# c\n\n1,2\n3,\n", "line 4, column 2: the cell is empty"),
        ("1,2\n3,4,5\n", "line 2 has 3 cells, expected 2"),
        ("a,b,c\n3,4\n", "line 2 has 2 cells, expected 3"),
        ("1 2\n3\n", "line 2 has 1 cell, expected 2"),
        ("1,2\nnan,4\n", 'line 2, column 1: "nan" is no finite number'),
        ("nan,nan\n", 'line 1, column 1: "nan" is no finite number'),
        ("t,x\n1,-Infinity\n", r'line 2, column 2 \(x\): "-Infinity"'),
        ("1,1e999\n", 'line 1, column 2: "1e999" is no finite number'),
        ("1,2,x\n", 'line 1, column 3: "x" is no number'),
        ("0x10 1_0\n", "no rows of numbers"),
        ("1 2\n1_0 2\n", '"1_0" is no number'),
        ("1 2\n0x10 2\n", '"0x10" is no number'),
        ("1 2\n١ 2\n", '"١" is no number'),
        ("t,\x1b[31mx\n1,2\n", r'the column name "\?\[31mx" holds characters that do not print'),
        ("t,\x1b[31mx\n1,b\n", r'the column name "\?\[31mx" holds characters that do not print'),
        ("n" * 300 + ",x\n1,2\n", "more than 200 characters"),
        ('1,2\n"3,4\n5,6"\n', "line 2 has 1 cell"),
        ('x\n"1\n2"\n3\n', "Close every quotation mark|no number|cannot be read"),
        ("1,2\n3,=cmd|' /C calc'!A0\n", "is no number"),
        (" ".join(["1"] * 1001), "has 1001 columns, at most 1000 are read"),
        ("1 " * 40_000, "line 1 has 80000 characters, at most 65536"),
        (b"\xff\xfe1\x00,\x002\x00\x00\xd8", "UTF-16"),
        ("1,2\n".encode("utf-16-be"), "line 1: expected text, got a zero byte"),
        ("t,größe\n1,2\n".encode("latin-1"), "line 1: byte 0xf6 is no text in UTF-8. Save it as UTF-8"),
        (b"\x01\x02\x03\x04", r'line 1, column 1: "\?\?\?\?" is no number'),
        (bytes(range(1, 256)), "is no text in UTF-8"),
        (b"\x89PNG\r\n\x1a\n\x00\x00", "line 3: expected text|line 1|binary"),
    ],
)
def test_that_text_that_is_no_table_is_refused_with_the_place(tmp_path, text, message) -> None:
    with pytest.raises(TableError, match=message):
        read_table(written(tmp_path, "a.csv", text))


@once
@given(
    content=st.one_of(st.binary(), st.text().map(str.encode), st.text("1,;\t #\n\"e.-n'", max_size=40).map(str.encode))
)
@pytest.mark.parametrize("name", ["a.csv", "a.npz"])
def test_that_garbage_is_read_or_refused_never_more(tmp_path_factory, name, content) -> None:
    path = written(tmp_path_factory.mktemp("t"), name, content)
    found = outcome(path)
    if isinstance(found, TableError):
        assert name in found.message
    else:
        assert all(np.isfinite(column).all() for column in found.columns.values())


@once
@given(data=st.data())
def test_that_a_damaged_npz_is_read_or_refused_never_more(tmp_path_factory, data) -> None:
    file = io.BytesIO()
    np.savez_compressed(file, t=np.arange(9.0), p=np.ones((9, 3)))
    content = bytearray(file.getvalue())
    for _ in range(data.draw(st.integers(1, 4))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    path = written(tmp_path_factory.mktemp("t"), "a.npz", bytes(content[: data.draw(st.integers(1, len(content)))]))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = outcome(path)
    assert isinstance(found, Table) or "a.npz" in found.message


@pytest.mark.parametrize(
    ("arrays", "message"),
    [
        ({}, "arrays of equal length, got none"),
        ({"t": np.zeros(3), "x": np.zeros(4)}, "arrays of equal length, got t 3, x 4"),
        ({"t": np.array([{}, None])}, '"t" holds Python objects, expected numbers'),
        ({"t": np.array(["a"])}, 'column "t" holds text, such as "a", expected numbers'),
        ({"t": np.array([1j])}, "is of type complex128"),
        ({"t": np.zeros(2, dtype=[("a", "f8")])}, "is of type"),
        ({"t": np.zeros(2, dtype=[("ä", "O")])}, "holds Python objects"),
        ({"t": np.float64(1.0)}, r"has shape \(\), expected"),
        ({"t": np.zeros((2, 2, 2))}, r"has shape \(2, 2, 2\)"),
        ({"t": np.zeros(0)}, "has 0 rows"),
        ({"t": np.zeros((2, 0))}, "has 2 rows and 0 columns"),
        ({"t": np.array([0.0, np.nan])}, 'row 2, column "t": expected a finite number, got no number'),
        ({"t": np.array([np.finfo("g").max])}, "row 1.*got inf"),
        ({"t": np.zeros((1, 2)), "t[1]": np.zeros(1)}, r'two columns "t\[1\]"'),
        ({"t": np.zeros((1, 1001))}, "has 1001 columns, at most 1000"),
        ({"t": np.zeros((1, 600)), "x": np.zeros((1, 600))}, "columns, at most 1000"),
        ({f"x{i}": np.zeros(1) for i in range(1100)}, "holds more than 1000 arrays"),
    ],
)
@pytest.mark.filterwarnings("ignore:Stored array in format:UserWarning")
def test_that_arrays_that_are_no_table_are_refused(tmp_path, arrays, message) -> None:
    if np.finfo("g").max == np.finfo("d").max and "got inf" in message:
        pytest.skip("long doubles are doubles here")
    np.savez(tmp_path / "a.npz", **arrays)
    with pytest.raises(TableError, match=message):
        read_table(tmp_path / "a.npz")


class Unpickled(Exception):  # noqa: N818
    """Raised by what a pickle runs."""


def _raise_unpickled() -> None:
    raise Unpickled


class Trap:
    def __reduce__(self):
        return _raise_unpickled, ()


def test_that_no_pickle_is_run(tmp_path) -> None:
    np.savez(tmp_path / "a.npz", t=np.array([Trap()], dtype=object))
    assert "Python objects" in refusal(tmp_path / "a.npz").message
    disguised = npy_of("{'descr': '<f8', 'fortran_order': False, 'shape': (1,), }", b"\x80\x04]\x94.")
    assert "not as long as its shape" in refusal(written(tmp_path, "b.npz", npz_of({"t.npy": disguised}))).message
    assert "damaged" in refusal(written(tmp_path, "c.npz", npz_of({"t.npy": b"\x80\x04]\x94."}))).message


@pytest.mark.parametrize(
    ("header", "message"),
    [
        ("{'descr': '<f8', 'fortran_order': False, 'shape': (1000000000000,), }", "rows, at most"),
        ("{'descr': '<f8', 'fortran_order': False, 'shape': (5000000, 1000), }", "cells are read"),
        ("{'descr': '<f8', 'fortran_order': False, 'shape': (1000000,), }", "not as long as its shape"),
        ("{'descr': '<f8', 'fortran_order': False, 'shape': (-1,), }", "-1 rows"),
        ("-" * 9000 + "1", "damaged"),
        ("(" * 9000, "damaged"),
        ("__import__('os').abort()", "damaged"),
        ("{'descr': '<f8'}", "damaged"),
        ("{'descr': ('<f8', (3, 3)), 'fortran_order': False, 'shape': (1,), }", "damaged|expected real numbers"),
        ("", "damaged"),
    ],
)
def test_that_headers_that_lie_are_refused(tmp_path, header, message) -> None:
    path = written(tmp_path, "a.npz", npz_of({"t.npy": npy_of(header)}))
    assert message.split("|")[0] in refusal(path).message or message.split("|")[-1] in refusal(path).message


@pytest.mark.long
def test_that_a_packed_bomb_is_refused_by_its_directory(tmp_path) -> None:
    content = npy_of("{'descr': '<f8', 'fortran_order': False, 'shape': (4000000,), }", bytes(32_000_000))
    path = written(tmp_path, "a.npz", npz_of({"t.npy": content}, zipfile.ZIP_DEFLATED))
    assert path.stat().st_size < 40_000
    assert "more than 200 times its packed size" in refusal(path).message
    path = written(tmp_path, "b.npz", npz_of({"t.npy": content}))
    assert read_table(path).n_rows == 4_000_000


def test_that_a_directory_that_lies_about_sizes_is_refused(tmp_path) -> None:
    content = npy_of("{'descr': '<f8', 'fortran_order': False, 'shape': (4000000,), }", bytes(32_000_000))
    packed = bytearray(npz_of({"t.npy": content}, zipfile.ZIP_DEFLATED))
    entry = packed.index(b"PK\x01\x02")
    packed[entry + 24 : entry + 28] = struct.pack("<I", 1000)
    assert "damaged" in refusal(written(tmp_path, "a.npz", bytes(packed))).message
    packed[entry + 24 : entry + 28] = struct.pack("<I", 4_000_000_000)
    assert "says it holds 4000 MB, at most 1000 MB" in refusal(written(tmp_path, "b.npz", bytes(packed))).message


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_that_other_archives_are_refused(tmp_path, method) -> None:
    file = io.BytesIO()
    np.save(file, np.zeros(3))
    path = written(tmp_path, "a.npz", npz_of({"t.npy": file.getvalue()}, method))
    assert "a method that numpy does not write" in refusal(path).message
    path = written(tmp_path, "b.npz", npz_of({"notes.txt": b"1 2 3"}))
    assert 'holds "notes.txt", which is no array' in refusal(path).message
    assert "no NPZ file" in refusal(written(tmp_path, "c.npz", file.getvalue())).message
    doubled = npz_of({"t.npy": file.getvalue(), "x.npy": file.getvalue()}).replace(b"x.npy", b"t.npy")
    assert 'two columns "t"' in refusal(written(tmp_path, "d.npz", doubled)).message


def test_that_files_that_cannot_be_read_are_refused(tmp_path) -> None:
    written(tmp_path, "flight.csv", "1 2\n")
    (tmp_path / "folder.csv").mkdir()
    assert refusal(tmp_path / "fligth.csv").hint == 'Did you mean "flight.csv"?'
    assert "there is no file" in refusal(tmp_path / "none" / "a.csv").message
    assert "is a folder" in refusal(tmp_path / "folder.csv").message
    assert "is a folder" in refusal(tmp_path).message
    assert "cannot be read" in refusal(tmp_path / "a\0.csv").message
    assert "cannot be read" in refusal(tmp_path / ("a" * 5000 + ".csv")).message
    assert "cannot be read" in refusal(tmp_path / "flight.csv" / "b.csv").message
    error = refusal(written(tmp_path, "a.xlsx", b"PK\3\4"))
    assert "no NPZ file" in error.message
    assert isinstance(error, FramescopeError)


def test_that_a_table_is_known_by_what_it_holds(tmp_path) -> None:
    written(tmp_path, "walk.log", "t x\n0 1\n1 2\n")
    np.savez(tmp_path / "walk.npz", t=np.arange(2.0), x=np.arange(1.0, 3.0))
    (tmp_path / "walk.npz").rename(tmp_path / "walk.csv")
    for name in ("walk.log", "walk.csv"):
        assert read_table(tmp_path / name).column("x").tolist() == [1.0, 2.0]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no pipes with names")
def test_that_a_pipe_is_refused_without_waiting_for_it(tmp_path) -> None:
    os.mkfifo(tmp_path / "pipe.csv")
    assert "is no ordinary file" in refusal(tmp_path / "pipe.csv").message


# --- The bounds


@pytest.mark.parametrize(
    ("bound", "value", "message"),
    [
        ("MAX_FILE_BYTES", 23, "is larger than"),
        ("MAX_ROWS", 3, "has more than 3 lines"),
        ("MAX_COLUMNS", 2, "has 3 columns, at most 2"),
        ("MAX_CELLS", 11, "at most 11 cells"),
        ("MAX_LINE_LENGTH", 5, "line 1 has 6 characters, at most 5"),
    ],
)
def test_that_text_is_read_up_to_each_bound(tmp_path, monkeypatch, bound, value, message) -> None:
    path = written(tmp_path, "a.csv", "1 2 3\n" * 4)
    monkeypatch.setattr(limits, bound, value)
    assert message in refusal(path).message
    monkeypatch.setattr(limits, bound, value + 1)
    assert read_table(path).n_rows == 4


@pytest.mark.parametrize(
    ("bound", "value", "message"),
    [
        ("MAX_UNPACKED_BYTES", 2 * 128 + 4 * 8 * 3 - 1, "says it holds"),
        ("MAX_ROWS", 3, "has 4 rows, at most 3"),
        ("MAX_COLUMNS", 2, "has 3 columns, at most 2"),
        ("MAX_CELLS", 11, "at most 11 cells"),
    ],
)
def test_that_arrays_are_read_up_to_each_bound(tmp_path, monkeypatch, bound, value, message) -> None:
    np.savez(tmp_path / "a.npz", t=np.arange(4.0), p=np.ones((4, 2)))
    monkeypatch.setattr(limits, bound, value)
    assert message in refusal(tmp_path / "a.npz").message
    monkeypatch.setattr(limits, bound, value + 1)
    assert read_table(tmp_path / "a.npz").n_rows == 4


# --- Parquet


def test_that_without_pyarrow_the_command_that_installs_it_is_named(tmp_path, monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    error = refusal(written(tmp_path, "a.parquet", "PAR1"))
    assert f"Parquet needs pyarrow. Add it with: {add_command('tables')}" in error.message
    assert "CSV" in error.hint


@pytest.mark.skipif(importlib.util.find_spec("pyarrow") is None, reason="pyarrow is not installed")
def test_that_parquet_is_read_or_refused(tmp_path, monkeypatch) -> None:
    pa, pq = importlib.import_module("pyarrow"), importlib.import_module("pyarrow.parquet")
    path = tmp_path / "a.parquet"
    pq.write_table(pa.table({"t": [0.1, 0.2], "n": [1, 2]}), path)
    table = read_table(path)
    assert list(table.columns) == ["t", "n"]
    assert bits(table) == [np.array([0.1, 0.2]).tobytes(), np.array([1.0, 2.0]).tobytes()]
    monkeypatch.setattr(limits, "MAX_ROWS", 1)
    assert "has 2 rows, at most 1" in refusal(path).message
    monkeypatch.undo()
    for values, message in (
        (["a"], 'holds text, such as "a", expected numbers'),
        ([None, 1.0], "expected a finite number, got no number"),
        ([[1.0]], "holds text, expected numbers"),
        ([], "has 0 rows"),
    ):
        pq.write_table(pa.table({"t": values, "n": list(range(len(values)))}), path)
        assert message in refusal(path).message
    content = path.read_bytes()
    for damaged in (content[:-3], content[:4], b"PAR1" + bytes(50) + b"PAR1", b"garbage"):
        assert "no Parquet file" in refusal(written(tmp_path, "b.parquet", damaged)).message


def test_that_reading_a_small_file_takes_memory_for_that_file_alone(tmp_path) -> None:
    path = tmp_path / "small.csv"
    path.write_text("t,x\n0,1\n")
    tracemalloc.start()
    try:
        assert read_bytes(path) == b"t,x\n0,1\n"
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 1_000_000

"""Texts around a table, and cells in any of the usual ways of writing."""

from __future__ import annotations

import numpy as np
import pytest

from framescope.core.recordings.tables.mixed import MixedTable, mixed_from_text

ROWS = "0,1\n1,2\n2,3\n3,4\n"


def read(text: str) -> MixedTable:
    return mixed_from_text("a.csv", text)


def kinds(table: MixedTable) -> set[str]:
    return {note.kind for note in table.notes}


@pytest.mark.parametrize(
    ("text", "names", "noted"),
    [
        (ROWS, ("1", "2"), set()),
        ("t,x\n" + ROWS, ("t", "x"), set()),
        ("t,x\ns,mm\n" + ROWS, ("t [s]", "x [mm]"), {"units"}),
        ("t,x\n[s],\n" + ROWS, ("t [s]", "x"), {"units"}),
        ("t,x\n---,---\n" + ROWS, ("t", "x"), set()),
        ("t,x\n,\n" + ROWS, ("t", "x"), set()),
        ("Log 3\nof a walk, by hand\nt,x\n" + ROWS, ("t", "x"), {"preamble"}),
        ("Log 3\n" + ROWS, ("1", "2"), {"preamble"}),
        ("% t,x\n" + ROWS, ("t", "x"), set()),
        ("// t,x\n" + ROWS, ("t", "x"), set()),
        ("t,x\n" + ROWS + "4\n", ("t", "x"), {"last line"}),
        ("t,t\n" + ROWS, ("t", "t (2)"), {"doubled names"}),
        ("a,b\nx,x\n" + ROWS, ("a.x", "b.x"), {"header"}),
    ],
)
def test_that_what_stands_around_a_table_is_told_from_it(text, names, noted) -> None:
    table = read(text)
    assert table.order == names
    assert kinds(table) == noted
    np.testing.assert_array_equal(table.numbers[names[1]], [1, 2, 3, 4])


@pytest.mark.parametrize("ids", [",ID,1,1,2,2", ",,1,1,2,2", ",ID,3F5A,3F5A,77B0,77B0", ",Parent,0,0,0,0"])
def test_that_a_line_of_ids_among_the_names_is_no_row(ids) -> None:
    head = f"Format Version,1.23\n,Name,cart,cart,arm,arm\n{ids}\n,,Position,Position,Position,Position\n"
    table = read(head + "Frame,Time (Seconds),X,Y,X,Y\n" + "".join(f"{i},{i / 100},1,2,3,4\n" for i in range(5)))
    assert table.n_rows == 5
    assert table.order[2:] == ("cart.Position.X", "cart.Position.Y", "arm.Position.X", "arm.Position.Y")


def test_that_lines_before_a_table_are_kept_for_what_they_say() -> None:
    table = read("# by hand\nLength Units,Millimeters,Rate,100\nt,x\n" + ROWS)
    assert table.preamble == ("by hand", "Length Units,Millimeters,Rate,100")


@pytest.mark.parametrize("word", ["nan", "#N/A", "1.#QNAN", "-nan(ind)", "off", "NO FIX", "—"])
def test_that_a_few_words_among_numbers_say_that_there_is_none(word) -> None:
    table = read("t,x\n" + "".join(f"{i},{i}\n" for i in range(20)) + f"20,{word}\n" + ROWS)
    np.testing.assert_array_equal(np.isnan(table.numbers["x"]), np.arange(25) == 20)


def test_that_a_column_of_words_stays_one() -> None:
    table = read("t,x\n" + "".join(f"{i},{'ab'[i % 2]}\n" for i in range(20)))
    assert set(table.names) == {"x"}


@pytest.mark.parametrize(
    ("text", "is_doubtful"),
    [("0,5\t1,25\n1\t2,5\n2\t3,5\n", False), ("1,250\t1,500\n2,000\t2,500\n3,125\t3,500\n", True)],
)
def test_that_commas_that_may_part_thousands_are_said(text, is_doubtful) -> None:
    table = read(text)
    (note,) = table.notes
    assert (note.kind, note.is_doubtful) == ("decimal comma", is_doubtful)
    assert all((table.numbers[column] < 10).all() for column in table.own)
    assert ("1 (thousands)" in table.numbers) is is_doubtful


def test_that_a_line_in_the_middle_that_is_cut_short_is_still_refused() -> None:
    with pytest.raises(Exception, match="line 3 has 1 cell"):
        read("t,x\n0,1\n1\n2,3\n3,4\n4,5\n")


@pytest.mark.parametrize("name", ["utf-16", "utf-16-le", "utf-16-be"])
def test_that_text_in_utf_16_is_read(tmp_path, name) -> None:
    from framescope.core.recordings.tables.mixed import read_mixed

    path = tmp_path / "a.csv"
    path.write_bytes(("t,größe\n" + ROWS * 4).encode(name))
    assert read_mixed(path).order == ("t", "größe")


def test_that_the_other_reading_of_doubtful_numbers_can_be_chosen() -> None:
    table = read("t\tx\n1\t1,250\n2\t1,500\n3\t2,125\n4\t3,500\n")
    assert table.numbers["x"].tolist() == [1.25, 1.5, 2.125, 3.5]
    chosen = table.read_otherwise("thousands")
    assert chosen.order == ("t", "x (thousands)")
    assert chosen.numbers["x (thousands)"].tolist() == [1250.0, 1500.0, 2125.0, 3500.0]
    assert table.read_otherwise("decimal") is table

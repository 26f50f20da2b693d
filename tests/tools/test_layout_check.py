"""The layout check finds what it is for, and the source as it is has none of it."""

from __future__ import annotations

import doctest

import pytest

from tests.tools import layout_check
from tests.tools.layout_check import ROOT


def test_that_the_examples_run() -> None:
    done = doctest.testmod(layout_check)
    assert done.attempted
    assert not done.failed


@pytest.mark.long
def test_that_the_source_is_laid_out_well() -> None:
    assert layout_check.complaints() == ""


def test_that_a_circle_of_folders_is_found_where_no_files_are_in_one() -> None:
    imports = [("p.a.x", "p.b.x"), ("p.b.y", "p.a.y"), ("p.a", "p.a.x")]
    (told,) = layout_check.circles(imports)
    assert told.startswith("p: ")


def test_that_crowds_and_long_files_are_found(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(layout_check, "ROOT", tmp_path)
    names = [f"m{i}.py" for i in range(layout_check.MAX_ENTRIES)]
    folder = tmp_path / "core" / "room"
    (folder / "inner").mkdir(parents=True)
    for name in (*names, "__init__.py", "inner/__init__.py"):
        (folder / name).write_text("")
    (folder / "m0.py").write_text("x = 1\n" * (layout_check.MAX_CODE_LINES + 1))
    sources = sorted(tmp_path.rglob("*.py"))
    (told,) = layout_check.crowded(sources)
    assert told.startswith(f"core/room: {layout_check.MAX_ENTRIES + 1} entries")
    (told,) = layout_check.long_files(sources)
    assert told.startswith("core/room/m0.py: ")


def test_that_no_folder_lacks_a_word_on_what_it_is() -> None:
    for layer in layout_check.LAYERS:
        for path in (ROOT / layer).rglob("__init__.py"):
            assert path.read_text(encoding="utf-8").startswith('"""'), path

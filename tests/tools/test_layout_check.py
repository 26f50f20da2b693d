"""The layout check finds what it is for, and the source as it is has none of it."""

from __future__ import annotations

import doctest

import pytest

from tests.tools import check_run, layout_check
from tests.tools.layout_check import ROOT


def test_that_the_examples_run() -> None:
    done = doctest.testmod(layout_check)
    assert done.attempted
    assert not done.failed


@pytest.mark.long
@pytest.mark.process
def test_that_the_source_is_laid_out_well() -> None:
    check_run.link_typings()
    assert layout_check.complaints() == ""


def test_that_a_circle_of_folders_is_found_where_no_files_are_in_one() -> None:
    imports = [("p.a.x", "p.b.x"), ("p.b.y", "p.a.y"), ("p.a", "p.a.x")]
    (told,) = layout_check.circles(imports)
    assert told.startswith("p: ")


def test_that_no_folder_lacks_a_word_on_what_it_is() -> None:
    for layer in layout_check.LAYERS:
        for path in (ROOT / layer).rglob("__init__.py"):
            assert path.read_text(encoding="utf-8").startswith('"""'), path

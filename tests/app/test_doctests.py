"""Every example in a docstring runs, and every module can be imported."""

from __future__ import annotations

import doctest
import importlib
import linecache
from pathlib import Path

import pytest

import framescope.app
import framescope.core
import framescope.features
import framescope.ui
from tests.support.cases import for_each


def modules() -> dict[str, Path]:
    """Return the file of every module, by its name."""
    found = {}
    for package in (framescope.core, framescope.ui, framescope.app, framescope.features):
        root = Path(package.__path__[0])
        for path in sorted(root.rglob("*.py")):
            parts = path.relative_to(root).with_suffix("").parts
            name = ".".join((package.__name__, *parts)).removesuffix(".__init__")
            if not name.endswith("__main__"):
                found[name] = path
    return found


MODULES = modules()
WITH_EXAMPLES = [name for name, path in MODULES.items() if ">>>" in path.read_text(encoding="utf-8")]


def test_that_there_are_modules_with_examples() -> None:
    assert len(MODULES) > 500
    assert len(WITH_EXAMPLES) > 150


@for_each("name", MODULES)
def test_that_every_module_can_be_imported(name) -> None:
    assert importlib.import_module(name).__name__ == name


class Finder(doctest.DocTestFinder):
    """Finds examples without their lines: for those the source of every function is taken apart anew."""

    def _find_lineno(self, obj, source_lines):
        return None


@pytest.mark.parametrize("name", WITH_EXAMPLES)
def test_that_examples_run(name, monkeypatch) -> None:
    monkeypatch.setattr(linecache, "checkcache", lambda *_: None)  # it asks for every source file, each time
    runner = doctest.DocTestRunner()
    for example in Finder().find(importlib.import_module(name)):
        runner.run(example)
    assert runner.tries > 0
    assert runner.failures == 0

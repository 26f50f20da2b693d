"""Tests go by public names. ruff finds private attributes (SLF001); here are the forms that it does not look at."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parents[1]

EXCEPTIONS = {
    "support/command_line.py": 1,  # Typer has no public way to keep the commands that it makes
    "ui/test_plots.py": 1,  # pyqtgraph keeps the labels of an axis, and has no way to ask for them
}
"""Number of lines on which a file reaches into a library, by file."""

BY_NAME = {"setattr", "getattr", "hasattr", "delattr", "attrgetter"}
"""Functions that take the name of an attribute as a string."""


def private_names(tree: ast.AST) -> Iterator[str]:
    """Yield the private names that a module imports, or gives as a string to a function of `BY_NAME`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.Call) and getattr(node.func, "attr", getattr(node.func, "id", "")) in BY_NAME:
            constants = [argument.value for argument in node.args if isinstance(argument, ast.Constant)]
            names = [text.rpartition(".")[2] for text in constants if isinstance(text, str)]
        else:
            continue
        yield from (name for name in names if name.startswith("_") and not name.startswith("__"))


def test_that_private_names_are_found_in_imports_and_strings() -> None:
    text = """
from framescope.core.frames import Frame, _check
monkeypatch.setattr(frames, "_check", None)
monkeypatch.setattr("framescope.core.frames._check", None)
getattr(frame, "_name")
monkeypatch.setitem(sys.modules, "_winapi", None)
object.__getattribute__(frame, "__dict__")
"""
    assert list(private_names(ast.parse(text))) == ["_check", "_check", "_check", "_name"]


@pytest.mark.long
def test_that_no_test_imports_or_replaces_a_private_name() -> None:
    trees = {path: ast.parse(path.read_text(encoding="utf-8")) for path in TESTS.rglob("*.py")}
    found = [f"{path.relative_to(TESTS)}: {name}" for path, tree in trees.items() for name in private_names(tree)]
    assert not found, "\n".join(found)


def test_that_only_libraries_are_looked_into() -> None:
    """An exception that is needed no more is found by ruff (RUF100)."""
    mark = "noqa: " + "SLF001"
    counts = {
        path.relative_to(TESTS).as_posix(): path.read_text(encoding="utf-8").count(mark) for path in TESTS.rglob("*.py")
    }
    assert +Counter(counts) == Counter(EXCEPTIONS)

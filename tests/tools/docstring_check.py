"""Check that docstrings name only what the code has: signals and attributes of classes, parameters of functions.

A name that was changed in the code alone leaves its docstring behind. Nothing else finds that.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LAYERS = ("app", "core", "features", "ui")

Classes = Mapping[str, list[ast.ClassDef]]
Function = ast.FunctionDef | ast.AsyncFunctionDef


def complaints() -> str:
    """Return one line for each docstring that names something that the code does not have."""
    paths = [path for layer in LAYERS for path in sorted((ROOT / layer).rglob("*.py"))]
    trees = {path.relative_to(ROOT).as_posix(): ast.parse(path.read_text(encoding="utf-8")) for path in paths}
    return "\n".join(missing_names(trees))


def missing_names(trees: Mapping[str, ast.Module]) -> Iterator[str]:
    """Yield a line for each class or function of some modules whose docstring names something that it does not have.

    >>> text = '''def move(x, *, speed):
    ...     \"\"\"Move.
    ...
    ...     Parameters
    ...     ----------
    ...     x, velocity
    ...         Place and rate.
    ...     \"\"\"'''
    >>> list(missing_names({"a.py": ast.parse(text)}))
    ['a.py:1: the docstring of move names velocity, which it does not have']
    """
    classes: dict[str, list[ast.ClassDef]] = {}
    for tree in trees.values():
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef):
                classes.setdefault(node.name, []).append(node)
    for path, tree in trees.items():
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef):
                names = missing_in_class(node, classes)
            elif isinstance(node, Function):
                names = missing_in_function(node)
            else:
                continue
            if names:
                listed = ", ".join(names)
                yield f"{path}:{node.lineno}: the docstring of {node.name} names {listed}, which it does not have"


def missing_in_class(node: ast.ClassDef, classes: Classes) -> list[str]:
    """Return the signals, attributes and parameters that a class documents and does not have."""
    docstring = ast.get_docstring(node) or ""
    known = members(node, classes)
    documented = [*names_in(docstring, "Signals"), *names_in(docstring, "Attributes")]
    missing = [name for name in documented if name not in known]
    initializer = _initializer(node, classes)
    if initializer is not None:  # else a base outside of the program takes the parameters
        accepted = _arguments(initializer) | known
        missing += [name for name in names_in(docstring, "Parameters") if name not in accepted]
    return missing


def missing_in_function(node: Function) -> list[str]:
    """Return the parameters that a function documents and does not take."""
    documented = names_in(ast.get_docstring(node) or "", "Parameters")
    accepted = _arguments(node)
    return [name for name in documented if name not in accepted]


def names_in(docstring: str, title: str) -> list[str]:
    """Return the names that a section of a docstring explains.

    >>> names_in("Turn.\\n\\nSignals\\n-------\\nturned(float)\\n    By an angle.\\n\\nNotes\\n-----\\nx", "Signals")
    ['turned']
    """
    section = re.search(rf"^{title}\n-+\n((?:.*\n?)*)", docstring, re.MULTILINE)
    if section is None:
        return []
    body = re.split(r"^\w[\w ]*\n-+$", section[1], flags=re.MULTILINE)[0]
    heads = [line for line in body.split("\n") if line and not line.startswith(" ")]
    entries = [entry.strip().lstrip("*") for head in heads for entry in _split(head.split(" : ")[0])]
    return [match[1] for entry in entries if (match := re.fullmatch(r"(\w+)(?:\(.*\))?", entry))]


def _split(head: str) -> list[str]:
    """Split names at commas, but not inside the parentheses of a signal."""
    return re.split(r",(?![^(]*\))", head)


def members(node: ast.ClassDef, classes: Classes, seen: frozenset[str] = frozenset()) -> set[str]:
    """Return the names that a class and the classes of the program below it define."""
    names: set[str] = set()
    for statement in node.body:
        if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
            names.add(statement.target.id)
        elif isinstance(statement, ast.Assign):
            names |= {target.id for target in statement.targets if isinstance(target, ast.Name)}
        elif isinstance(statement, Function):
            names.add(statement.name)
            names |= set(_assigned_to_self(statement))
    for base in _bases(node):
        if base in classes and base not in seen:
            names |= members(classes[base][0], classes, seen | {base})
    return names


def _bases(node: ast.ClassDef) -> Iterable[str]:
    for base in node.bases:
        inner = base.value if isinstance(base, ast.Subscript) else base
        yield getattr(inner, "id", getattr(inner, "attr", ""))


def _assigned_to_self(function: Function) -> Iterator[str]:
    for node in ast.walk(function):
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.attr


def _initializer(node: ast.ClassDef, classes: Classes) -> Function | None:
    """Return the ``__init__`` of a class, its own or one that it inherits."""
    own = [statement for statement in node.body if isinstance(statement, Function) and statement.name == "__init__"]
    if own:
        return own[0]
    inherited = (_initializer(classes[base][0], classes) for base in _bases(node) if base in classes)
    return next((initializer for initializer in inherited if initializer is not None), None)


def _arguments(function: Function) -> set[str]:
    given = function.args
    listed = [*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg]
    return {argument.arg for argument in listed if argument is not None}

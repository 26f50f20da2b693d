"""The layout of the source: no import circles between siblings, no crowded folders, no long files.

The order of rooms is the business of the import contracts; this finds what they have no name for.
"""

from __future__ import annotations

import ast
import collections
import graphlib
from collections.abc import Iterable, Iterator
from pathlib import Path

import grimp

ROOT = Path(__file__).resolve().parents[2]
LAYERS = ("app", "core", "ui")
MAX_ENTRIES = 18
CATALOGUES = {
    "core": 24,  # the public face
    "ui/plots": 19,
    "ui/panels/inspector/editors": 22,
    "ui/scene_view/visuals": 34,
    "ui/widgets": 34,
}
"""Folders that may have more entries than others, and how many."""
MAX_CODE_LINES = 400


def complaints() -> str:
    """Return what is wrong with the layout, a line each."""
    graph = grimp.build_graph(*(f"framescope.{layer}" for layer in LAYERS), cache_dir=None)
    imports = [(name, other) for name in graph.modules for other in graph.find_modules_directly_imported_by(name)]
    sources = [path for layer in LAYERS for path in sorted((ROOT / layer).rglob("*.py"))]
    return "\n".join([*circles(imports), *crowded(sources), *long_files(sources)])


def circles(imports: Iterable[tuple[str, str]]) -> Iterator[str]:
    """Yield for each folder in which siblings, files or folders, import each other in a circle, one such circle.

    >>> list(circles([("a.b.x", "a.c"), ("a.c", "a.b"), ("a.c", "a.d")]))
    ['a: its entries import each other in a circle: b -> c -> b']
    """
    folders: dict[str, dict[str, set[str]]] = collections.defaultdict(lambda: collections.defaultdict(set))
    for importer, imported in imports:
        ours, theirs = importer.split("."), imported.split(".")
        depth = next((i for i, (a, b) in enumerate(zip(ours, theirs, strict=False)) if a != b), None)
        if depth is not None:  # otherwise one is the other's package
            folders[".".join(ours[:depth])][ours[depth]].add(theirs[depth])
    for folder, graph in sorted(folders.items()):
        try:
            graphlib.TopologicalSorter(graph).prepare()
        except graphlib.CycleError as error:
            circle = " -> ".join(reversed(error.args[1]))
            yield f"{folder}: its entries import each other in a circle: {circle}"


def crowded(sources: Iterable[Path]) -> Iterator[str]:
    """Yield the folders with more modules and sub-folders than a newcomer takes in."""
    entries: dict[Path, set[str]] = collections.defaultdict(set)
    for path in sources:
        if path.name != "__init__.py":
            entries[path.parent].add(path.stem)
        if path.parent.parent != ROOT:
            entries[path.parent.parent].add(path.parent.name)
    for folder, names in sorted(entries.items()):
        name = folder.relative_to(ROOT).as_posix()
        most = CATALOGUES.get(name, MAX_ENTRIES)
        if len(names) > most:
            yield f"{name}: {len(names)} entries; at most {most}"


def long_files(sources: Iterable[Path]) -> Iterator[str]:
    """Yield the files with more lines of code than anyone reads in one go."""
    for path in sources:
        n = code_lines(path.read_text(encoding="utf-8"))
        if n > MAX_CODE_LINES:
            yield f"{path.relative_to(ROOT).as_posix()}: {n} lines of code; at most {MAX_CODE_LINES}"


def code_lines(source: str) -> int:
    '''Return the number of lines that are neither blank nor comment nor docstring.

    >>> code_lines('"""What it is."""\\n\\nx = 1  # one\\n# two\\ny = 2\\n"""The other."""\\n')
    2
    '''
    documented: set[int] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            documented.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    lines = enumerate(source.splitlines(), 1)
    return sum(1 for i, line in lines if i not in documented and line.strip() and not line.lstrip().startswith("#"))

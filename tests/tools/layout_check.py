"""Check that no sibling modules or folders import each other in circles.

Import contracts enforce the order of rooms. They cannot state this rule, since it holds inside every folder.
"""

from __future__ import annotations

import collections
import graphlib
from collections.abc import Iterable, Iterator
from pathlib import Path

import grimp

ROOT = Path(__file__).resolve().parents[2]
LAYERS = ("app", "core", "features", "ui")


def complaints() -> str:
    """Return what is wrong with the layout, a line each."""
    graph = grimp.build_graph(*(f"framescope.{layer}" for layer in LAYERS), cache_dir=None)
    imports = [(name, other) for name in graph.modules for other in graph.find_modules_directly_imported_by(name)]
    return "\n".join(circles(imports))


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

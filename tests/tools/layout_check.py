"""Check that no sibling modules or folders import each other in circles.

Import contracts enforce the order of rooms. They cannot state this rule, since it holds inside every folder.
"""

from __future__ import annotations

import collections
import graphlib
import os
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TYPINGS = ROOT / ".typings"
LAYERS = ("app", "core", "features", "ui")


def complaints() -> str:
    """Return the circles of the whole program, a line each.

    A child process builds the graph from the links in .typings: there the package lies as it is installed, while this
    process has imported the package of the checkout, whose folders lie elsewhere.
    """
    places = os.pathsep.join(map(str, (TYPINGS, ROOT)))
    command = [sys.executable, "-P", "-m", "tests.tools.layout_check"]
    environ = {**os.environ, "PYTHONPATH": places}
    done = subprocess.run(command, env=environ, capture_output=True, text=True, check=False)
    return done.stdout.strip() if done.returncode == 0 else done.stdout + done.stderr


def imports_between_modules() -> list[tuple[str, str]]:
    """Return each module of the program with each module that it imports."""
    import grimp

    graph = grimp.build_graph("framescope", cache_dir=None)
    return [(name, other) for name in graph.modules for other in graph.find_modules_directly_imported_by(name)]


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


if __name__ == "__main__":
    print("\n".join(circles(imports_between_modules())))

"""Graph of frames: parts in which edges close loops, paths, and loops of few edges.

Edges are given by the names of their two frames, and named by their index. Several edges may join the same frames.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterator, Sequence

Ends = Sequence[tuple[str, str]]
"""Frames of each edge: parent and child."""

Step = tuple[int, bool]
"""Edge of a path, and whether the path leads from its parent to its child."""

Path = tuple[Step, ...]

MOST_LOOPS = 200
"""Largest number of short loops that are listed."""

SHORT = 4
"""Largest number of edges of a short loop."""


def neighbours(ends: Ends, among: Collection[int] | None = None) -> dict[str, list[tuple[str, Step]]]:
    """Return the frames that edges join to each frame, with the step there."""
    near: dict[str, list[tuple[str, Step]]] = {}
    for edge in range(len(ends)) if among is None else among:
        parent, child = ends[edge]
        near.setdefault(parent, []).append((child, (edge, True)))
        near.setdefault(child, []).append((parent, (edge, False)))
    return near


def blocks(ends: Ends) -> tuple[tuple[int, ...], ...]:
    """Return the blocks of edges that close loops with each other, in the order of their first edges.

    Two edges are in one block if some loop contains both. An edge that is in no loop is in no block.

    >>> blocks([("a", "b"), ("b", "c"), ("a", "c"), ("c", "d"), ("d", "e"), ("d", "e")])
    ((0, 1, 2), (4, 5))

    References
    ----------
    J. Hopcroft, R. Tarjan, "Efficient algorithms for graph manipulation", Communications of the ACM 16(6), 1973.
    """
    near = neighbours(ends, [i for i, (parent, child) in enumerate(ends) if parent != child])
    order: dict[str, int] = {}
    lowest: dict[str, int] = {}
    found: list[tuple[int, ...]] = []
    for root in near:
        if root in order:
            continue
        order[root] = lowest[root] = len(order)
        open_edges: list[int] = []
        stack = [(root, -1, iter(near[root]))]
        while stack:
            name, came_by, steps = stack[-1]
            for other, (edge, _) in steps:
                if edge == came_by:
                    continue
                if other not in order:
                    open_edges.append(edge)
                    order[other] = lowest[other] = len(order)
                    stack.append((other, edge, iter(near[other])))
                    break
                if order[other] < order[name]:
                    open_edges.append(edge)
                    lowest[name] = min(lowest[name], order[other])
            else:
                stack.pop()
                if stack:
                    above = stack[-1][0]
                    lowest[above] = min(lowest[above], lowest[name])
                    if lowest[name] >= order[above]:
                        start = open_edges.index(came_by)
                        found.append(tuple(sorted(open_edges[start:])))
                        del open_edges[start:]
    return tuple(sorted(block for block in found if len(block) > 1))


def path(ends: Ends, start: str, end: str, among: Collection[int]) -> Path | None:
    """Return the path of fewest edges from one frame to another; None without one.

    >>> path([("a", "b"), ("c", "b")], "a", "c", (0, 1))
    ((0, True), (1, False))
    """
    near = neighbours(ends, among)
    came: dict[str, tuple[str, Step] | None] = {start: None}
    waiting = deque([start])
    while waiting and end not in came:
        name = waiting.popleft()
        for other, step in near.get(name, ()):
            if other not in came:
                came[other] = name, step
                waiting.append(other)
    if end not in came:
        return None
    steps: list[Step] = []
    back = came[end]
    while back is not None:
        steps.append(back[1])
        back = came[back[0]]
    return tuple(reversed(steps))


def spanning_tree(ends: Ends, among: Sequence[int], late: Collection[int] = ()) -> tuple[int, ...]:
    """Return edges that connect all frames without a loop; edges in `late` only where no other edge connects.

    >>> spanning_tree([("a", "b"), ("b", "c"), ("a", "c")], (0, 1, 2), late=(0,))
    (1, 2)
    """
    group = {name: name for edge in among for name in ends[edge]}

    def root(name: str) -> str:
        while group[name] != name:
            group[name] = group[group[name]]
            name = group[name]
        return name

    tree: list[int] = []
    for edge in sorted(among, key=lambda edge: edge in late):
        a, b = map(root, ends[edge])
        if a != b:
            group[a] = b
            tree.append(edge)
    return tuple(sorted(tree))


def basis(ends: Ends, among: Sequence[int], late: Collection[int] = ()) -> tuple[Path, ...]:
    """Return a basis of the loops of connected edges. Each loop ends with an edge of its own, from parent to child.

    Edges in `late` end loops where possible, and are then in no other loop.

    >>> basis([("a", "b"), ("b", "c"), ("a", "c")], (0, 1, 2), late=(0,))
    (((1, True), (2, False), (0, True)),)
    """
    tree = spanning_tree(ends, among, late)
    loops: list[Path] = []
    for edge in among:
        if edge not in tree:
            parent, child = ends[edge]
            way = path(ends, child, parent, tree)
            loops.append((*(way or ()), (edge, True)))
    return tuple(loops)


def short_loops(ends: Ends, among: Sequence[int]) -> tuple[Path, ...]:
    """Return all loops of up to `SHORT` edges, and for each edge the shortest one, short ones first.

    >>> short_loops([("a", "b"), ("b", "c"), ("a", "c"), ("a", "b")], range(4))
    (((0, True), (3, False)), ((0, True), (1, True), (2, False)), ((1, True), (2, False), (3, True)))
    """
    near = neighbours(ends, among)
    found: dict[frozenset[int], Path] = {}
    for loop in _loops_up_to(ends, near, among):
        found.setdefault(frozenset(edge for edge, _ in loop), loop)
        if len(found) >= MOST_LOOPS:
            break
    for edge in among:
        if not any(edge in loop for loop in found):
            parent, child = ends[edge]
            way = path(ends, child, parent, [other for other in among if other != edge])
            if way is not None:
                found[frozenset((edge, *(other for other, _ in way)))] = ((edge, True), *way)
    return tuple(sorted(found.values(), key=len))


def _loops_up_to(ends: Ends, near: dict[str, list[tuple[str, Step]]], among: Sequence[int]) -> Iterator[Path]:
    """Yield loops of up to `SHORT` edges, each from its edge of least index on."""
    for first in among:
        parent, child = ends[first]
        stack: list[tuple[str, Path, frozenset[str]]] = [(child, ((first, True),), frozenset((parent, child)))]
        while stack:
            name, way, passed = stack.pop()
            for other, (edge, is_down) in near[name]:
                if edge <= first:
                    continue
                if other == parent and len(way) < SHORT:
                    yield (*way, (edge, is_down))
                elif other not in passed and len(way) < SHORT - 1:
                    stack.append((other, (*way, (edge, is_down)), passed | {other}))

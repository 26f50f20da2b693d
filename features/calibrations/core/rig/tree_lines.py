"""Tree of a rig as lines of text: each frame below its parent, with its position and the directions of its axes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from framescope.core.errors import visible_text
from framescope.features.calibrations.core.calibration_scene import tree_of
from framescope.features.calibrations.core.rig.rig import RigEdge
from framescope.features.calibrations.core.rig.words import direction_words

MOST_LINES = 200
"""Largest number of lines."""


def tree_lines(edges: Sequence[RigEdge], roots: Sequence[str], others: Iterable[str] = ()) -> Iterator[str]:
    r"""Yield the tree of a rig below its roots, and `others`, which are frames without a pose.

    >>> import numpy as np
    >>> from framescope.core.transform import Transform
    >>> from framescope.features.calibrations.core.calibration import Edge
    >>> edge = Edge("imu", "cam", Transform(np.eye(3), [0.0, 0.0, 1.0]), "T")
    >>> print("\n".join(tree_lines([RigEdge(edge, "a.yaml")], ["cam"])))
    cam
      imu: at 0 0 -1 m, x → +x, y → +y, z → +z in cam  (a.yaml: T)
    """
    tree, _ = tree_of((edge.edge for edge in edges), roots)
    places = {id(edge.edge.X_file): edge.label for edge in edges}  # an edge that is turned round keeps its numbers
    below: dict[str, list[tuple[str, str]]] = {}
    children: set[str] = set()
    for edge in tree:
        place = places[id(edge.X_file)]
        below.setdefault(edge.parent, []).append((edge.child, f"{direction_words(edge)}  ({place})"))
        children.add(edge.child)
    tops = dict.fromkeys([*roots, *below, *others])
    stack = [(name, 0, "") for name in reversed(tops) if name not in children]
    n = 0
    while stack and n < MOST_LINES:
        name, depth, text = stack.pop()
        yield f"{'  ' * depth}{visible_text(name)}{f': {text}' if text else ''}"
        n += 1
        stack += [(child, depth + 1, words) for child, words in reversed(below.get(name, []))]
    if stack:
        yield f"and {len(stack)} more"

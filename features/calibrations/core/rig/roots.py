"""Root of the tree of a rig, and the order of its files: neither depends on the order in which files are given."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence

from framescope.core.scene.schema.model import WORLD
from framescope.features.calibrations.core.calibration import Calibration, Edge
from framescope.features.calibrations.core.rig.names import name_key

ROBOTS = ("urdf", "sdf")
"""Dialects of robots, whose root is the root of a rig."""

_CARRIERS = (("body", "0"), ("body", "footprint"), ("imu", "0"))
"""Keys of names that become the root where no robot does, the likely ones first."""


def in_order(files: Iterable[tuple[str, Calibration]]) -> tuple[tuple[str, Calibration], ...]:
    """Return files in the order in which they make one rig: robots first, then by name.

    >>> [name for name, _ in in_order([("b", Calibration("x")), ("c", Calibration("urdf")), ("a", Calibration("x"))])]
    ['c', 'a', 'b']
    """
    return tuple(sorted(files, key=lambda file: (file[1].dialect not in ROBOTS, file[0])))


def robot_roots(files: Iterable[tuple[str, Calibration]]) -> tuple[str, ...]:
    """Return the frames of robots that have no parent in their robot."""
    return tuple(name for _, content in files if content.dialect in ROBOTS for name in _without_parent(content.edges))


def root_frames(edges: Sequence[Edge], first: Collection[str] = ()) -> tuple[str, ...]:
    """Return the root of each group of connected frames.

    The first of these that a group has: the world; a frame in `first`; the only frame without a parent, where each
    frame has at most one parent; ``base_link``, ``base_footprint`` or another base; an IMU; the frame with most poses.

    Examples
    --------
    >>> import numpy as np
    >>> from framescope.core.transform import Transform
    >>> X = Transform(np.eye(3), np.zeros(3))
    >>> edges = [Edge(*pair.split(), X, "T") for pair in ("radar lidar", "lidar imu", "base_link imu")]
    >>> root_frames(edges), root_frames(edges[:2]), root_frames(edges, ["lidar"])
    (('base_link',), ('radar',), ('lidar',))
    """
    return tuple(_root(group, first) for group in _groups(edges))


def _root(edges: Sequence[Edge], first: Collection[str]) -> str:
    n_of = Counter(name for edge in edges for name in (edge.parent, edge.child))
    chosen = next((name for name in (WORLD, *first) if name in n_of), None)
    if chosen is not None:
        return chosen
    tops = _without_parent(edges)
    if len(tops) == 1 and len({edge.child for edge in edges}) == len(edges):
        return tops[0]
    return min(n_of, key=lambda name: (_rank(name), -n_of[name], name))


def _rank(name: str) -> int:
    plain = name.rsplit("/", 1)[-1]
    key = name_key(plain)
    return 0 if plain == "base_link" else 1 + _CARRIERS.index(key) if key in _CARRIERS else 1 + len(_CARRIERS)


def _without_parent(edges: Iterable[Edge]) -> tuple[str, ...]:
    listed = tuple(edges)
    children = {edge.child for edge in listed}
    return tuple(dict.fromkeys(edge.parent for edge in listed if edge.parent not in children))


def _groups(edges: Sequence[Edge]) -> tuple[tuple[Edge, ...], ...]:
    """Return the edges of each group of connected frames."""
    group = {name: name for edge in edges for name in (edge.parent, edge.child)}

    def top(name: str) -> str:
        while group[name] != name:
            group[name] = group[group[name]]
            name = group[name]
        return name

    for edge in edges:
        group[top(edge.parent)] = top(edge.child)
    groups: dict[str, list[Edge]] = {}
    for edge in edges:
        groups.setdefault(top(edge.parent), []).append(edge)
    return tuple(map(tuple, groups.values()))

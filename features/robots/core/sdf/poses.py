"""Poses in SDFormat (http://sdformat.org, from 1.7 on): each in a frame that is named, resolved in that of their model.

Of versions before 1.7 a pose names no frame, which is the same as naming none now.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from framescope.core.kernels.validation import Array
from framescope.features.robots.core.robot_placement import inverse

MODEL = "__model__"
"""The frame of the model that a name stands in."""

OUTER = "__parent__"
"""The scope that a nested model stands in."""

WORLD = "world"

SEPARATOR = "::"


class PoseError(Exception):
    """A pose cannot be resolved: a frame is not there, or poses need each other."""


@dataclass(frozen=True, eq=False)
class PosedItem:
    """Something with a pose: as it is written (4, 4), the frame that is in, and what it is attached to.

    `attached_to` is the frame that it moves with: of a joint its child, of a link itself.
    """

    raw: Array
    relative_to: str
    attached_to: str = ""
    line: int = 0


@dataclass(eq=False)
class PoseScope:
    """Names of one model, or of a world, and the poses that they stand for."""

    items: dict[str, PosedItem] = field(default_factory=dict[str, PosedItem])
    nested: dict[str, PoseScope] = field(default_factory=dict[str, "PoseScope"])
    placement_frame: str = ""
    """The frame within whose pose the model's own pose is; that of the model when empty."""
    canonical: str = ""
    """The link that the model's frame is attached to."""
    found: dict[str, Array] = field(default_factory=dict[str, Array])
    open: set[str] = field(default_factory=set[str])

    def pose(self, name: str) -> Array:
        """Return the pose (4, 4) of what has a name in the frame of this scope; raise `PoseError` where it has none."""
        if name in ("", MODEL, WORLD) and name not in self.items:
            return np.eye(4)
        if name in self.found:
            return self.found[name]
        if name in self.open:
            raise PoseError(f"the poses of {', '.join(sorted(self.open))} need each other")
        self.open.add(name)
        try:
            made = self._made(name)
        finally:
            self.open.discard(name)
        self.found[name] = made
        return made

    def _made(self, name: str) -> Array:
        head, separator, rest = name.partition(SEPARATOR)
        inner = self.nested.get(head)
        if separator and inner is not None:
            return self.pose(head) @ inner.pose(rest)
        item = self.items.get(name)
        if item is None:
            raise PoseError(f'there is no frame "{name}"')
        made = self.pose(item.relative_to) @ item.raw
        if inner is not None and inner.placement_frame:
            return made @ inverse(inner.pose(inner.placement_frame))
        return made

    def link_of(self, name: str) -> str:
        """Return the link, by its name from this scope, that a frame moves with; raise as `pose`."""
        seen = set[str]()
        while True:
            if name in seen:
                raise PoseError(f'"{name}" is attached to itself')
            seen.add(name)
            if name in ("", MODEL):
                name = self.canonical
            if name == WORLD:
                return name
            head, separator, rest = name.partition(SEPARATOR)
            inner = self.nested.get(head)
            if inner is not None:
                link = inner.link_of(rest if separator else MODEL)
                return link if link == WORLD else head + SEPARATOR + link
            item = self.items.get(name)
            if item is None:
                raise PoseError(f'there is no frame "{name}"')
            if item.attached_to == name:
                return name
            name = item.attached_to

"""Poses in SDFormat (http://sdformat.org, from 1.7 on), each relative to a named frame of its model.

Before version 1.7, a pose names no frame. It is read like a later pose without a named frame.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from framescope.core.kernels.validation import Array
from framescope.features.robots.core.robot_placement import inverse

MODEL = "__model__"
"""Name of the frame of the model that contains a name."""

OUTER = "__parent__"
"""Name of the outer scope of a nested model."""

WORLD = "world"

SEPARATOR = "::"


class PoseError(Exception):
    """A pose cannot be resolved: a frame is missing, or poses depend on each other."""


@dataclass(frozen=True, eq=False)
class PosedItem:
    """Item with a pose (4, 4) as written, relative to a named frame.

    `attached_to` is the frame that it moves with: the child for a joint, the link itself for a link.
    """

    raw: Array
    relative_to: str
    attached_to: str = ""
    line: int = 0


@dataclass(eq=False)
class PoseScope:
    """Named items of one model or world, with their poses."""

    items: dict[str, PosedItem] = field(default_factory=dict[str, PosedItem])
    nested: dict[str, PoseScope] = field(default_factory=dict[str, "PoseScope"])
    placement_frame: str = ""
    """Frame of the model that the pose of the model places; empty for the model frame."""
    canonical: str = ""
    """Link that the frame of the model is attached to."""
    resolved: dict[str, Array] = field(default_factory=dict[str, Array])
    open: set[str] = field(default_factory=set[str])

    def pose(self, name: str) -> Array:
        """Return the pose (4, 4) of a named item in the frame of this scope; raise `PoseError` if there is none."""
        if name in ("", MODEL, WORLD) and name not in self.items:
            return np.eye(4)
        if name in self.resolved:
            return self.resolved[name]
        if name in self.open:
            raise PoseError(f"the poses of {', '.join(sorted(self.open))} depend on each other")
        self.open.add(name)
        try:
            made = self._compute_pose(name)
        finally:
            self.open.discard(name)
        self.resolved[name] = made
        return made

    def _compute_pose(self, name: str) -> Array:
        head, separator, inner_name = name.partition(SEPARATOR)
        inner = self.nested.get(head)
        if separator and inner is not None:
            return self.pose(head) @ inner.pose(inner_name)
        item = self.items.get(name)
        if item is None:
            raise PoseError(f'there is no frame "{name}"')
        made = self.pose(item.relative_to) @ item.raw
        if inner is not None and inner.placement_frame:
            return made @ inverse(inner.pose(inner.placement_frame))
        return made

    def link_of(self, name: str) -> str:
        """Return the name, from this scope, of the link that a frame moves with; raise as `pose`."""
        seen = set[str]()
        while True:
            if name in seen:
                raise PoseError(f'"{name}" is attached to itself')
            seen.add(name)
            if name in ("", MODEL):
                name = self.canonical
            if name == WORLD:
                return name
            head, separator, inner_name = name.partition(SEPARATOR)
            inner = self.nested.get(head)
            if inner is not None:
                link = inner.link_of(inner_name if separator else MODEL)
                return link if link == WORLD else head + SEPARATOR + link
            item = self.items.get(name)
            if item is None:
                raise PoseError(f'there is no frame "{name}"')
            if item.attached_to == name:
                return name
            name = item.attached_to

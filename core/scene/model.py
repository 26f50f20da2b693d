"""The scene document: frozen, and the same thing in the file, in memory and in the undo history."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from framescope.core.scene.base import FrozenDict, Item
from framescope.core.scene.bodies import Body
from framescope.core.scene.poses import OrientationForm, Position, Recorded
from framescope.core.scene.quantities import Quantity
from framescope.core.scene.view import View

WORLD = "world"
"""Name of the root frame. It always exists and is never listed in a file."""

FORMAT_VERSION = 1


class Frame(Item):
    """A frame under its parent: standing still, moved by signals of t, integrated, or recorded.

    Without `position` it stands in the parent's origin, without `orientation` it is not turned.
    `motion` gives both at once, and excludes them.
    """

    parent: str
    position: Position | None = None
    orientation: OrientationForm | None = None
    motion: Recorded | None = None


class TimeRange(Item):
    """The span that the timeline covers."""

    start: Quantity = Quantity(0.0, "s")
    end: Quantity = Quantity(10.0, "s")


class Scene(Item):
    """A whole scene, as authored. Nothing in it depends on the playhead, the window or the selection."""

    framescope: Literal[1]
    title: str = ""
    source: str = ""
    time: TimeRange = TimeRange()
    frames: FrozenDict[Frame] = Field(default=FrozenDict())
    bodies: FrozenDict[Body] = Field(default=FrozenDict())
    view: View = View()

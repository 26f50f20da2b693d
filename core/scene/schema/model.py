"""Models of a scene: frozen, and used for the file, for the document in memory and for the undo history."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from framescope.core.scene.schema.base import FrozenDict, Item, Number, Text
from framescope.core.scene.schema.bodies import Body
from framescope.core.scene.schema.films import Film
from framescope.core.scene.schema.measured import Measured
from framescope.core.scene.schema.motions import Motion
from framescope.core.scene.schema.points import Element, Gravity, Point, Simulation
from framescope.core.scene.schema.poses import OrientationForm, Position
from framescope.core.scene.schema.quantities import Quantity
from framescope.core.scene.schema.robots import RobotFile
from framescope.core.scene.schema.sensors import Sensor
from framescope.core.scene.schema.sources import PoseSource
from framescope.core.scene.schema.view import Note, View

WORLD = "world"
"""Name of the root frame. It always exists, and files never list it."""

FORMAT_VERSION = 1


class ParentKey(Item):
    """Change of a frame's parent at a `time`. The frame keeps its pose at that time, and its motion continues."""

    time: Quantity
    parent: str


class Frame(Item):
    """A frame in its parent: constant, moved by expressions of t, integrated, or with a `motion`.

    Without `position` the frame is at the parent's origin, without `orientation` it has no rotation. A `motion`
    replaces both, except that a simulated frame starts from them.

    `parent_keys` change the parent over time, for example for an object that a gripper picks up and puts down. At such
    a time the frame keeps its pose. From then on it moves with the new parent, and its own motion continues.

    `source` is the place in a calibration file from which the pose was read.
    """

    parent: str
    parent_keys: Annotated[tuple[ParentKey, ...], Field(max_length=100)] = ()
    position: Position | None = None
    orientation: OrientationForm | None = None
    motion: Motion | None = None
    source: PoseSource | None = None


class TimeRange(Item):
    """Time range of the timeline."""

    start: Quantity = Quantity(0.0, "s")
    end: Quantity = Quantity(10.0, "s")


class Scene(Item):
    """A whole scene, as authored; independent of the playhead, the window and the selection."""

    framescope: Literal[1] = 1
    title: Text = ""
    source: Text = ""
    time: TimeRange = TimeRange()
    parameters: FrozenDict[Number] = FrozenDict()
    """Named numbers for use in expressions, in the unit of the field that uses them."""
    gravity: Gravity | None = None
    robots: FrozenDict[RobotFile] = FrozenDict()
    frames: FrozenDict[Frame] = FrozenDict()
    bodies: FrozenDict[Body] = FrozenDict()
    points: FrozenDict[Point] = FrozenDict()
    elements: FrozenDict[Element] = FrozenDict()
    sensors: FrozenDict[Sensor] = FrozenDict()
    measured: FrozenDict[Measured] = FrozenDict()
    notes: FrozenDict[Note] = FrozenDict()
    simulation: Simulation = Simulation()
    view: View = View()
    film: FrozenDict[Film] = FrozenDict()
    """Films of the scene, by name."""


ITEM_WORDS = {
    "frames": "frame",
    "bodies": "body",
    "points": "point",
    "elements": "element",
    "sensors": "sensor",
    "measured": "measurement",
    "notes": "note",
}
"""Singular word for each kind of item."""

ITEM_KINDS = tuple(ITEM_WORDS)
"""Kinds of items, by their key in the scene."""

ItemKey = tuple[str, str]
"""Kind and name of an item, such as ``("frames", "camera")``; two empty strings mean no item."""

NO_ITEM: ItemKey = ("", "")

"""What is shown of a scene, and how: camera, triads, labels, rings, trails and plots."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from framescope.core.scene.base import FrozenDict, Item, Unit, Vector3
from framescope.core.scene.quantities import Quantity


class Camera(Item):
    """Where the scene is seen from, in world coordinates."""

    position: Vector3
    focal_point: Vector3
    up: Vector3 = (0.0, 0.0, 1.0)
    unit: Unit = None
    view_angle: Quantity = Quantity(30.0, "deg")


class FrameLook(Item):
    """How one frame is drawn; what is left out follows the view."""

    triad: bool = True
    label: bool = True
    link: bool = True
    length: Quantity | None = None


class Rings(Item):
    """The three rings of a physical gimbal with the axis sequence of `frame`."""

    frame: str
    radius: Quantity


class Trail(Item):
    """The past path of a frame's origin, fading; `duration` is how far back it reaches."""

    frame: str
    duration: Quantity


class Plot(Item):
    """A plotted signal, with everything a number needs: of, relative to, resolved in, unit.

    ``residues`` are the six of the frame's orientation in its parent; all others are of one frame relative to another,
    as seen from there, resolved in any third.
    """

    signal: Literal["residues", "position", "velocity", "acceleration", "angular velocity", "angular acceleration"]
    of: str
    relative_to: str | None = None
    resolved_in: str | None = None
    unit: Unit = None


class View(Item):
    """The view of a scene."""

    camera: Camera | None = None
    triad_length: Quantity = Quantity(0.2, "m")
    grid: Quantity = Quantity(0.5, "m")
    frames: FrozenDict[FrameLook] = FrozenDict()
    rings: tuple[Rings, ...] = ()
    trails: tuple[Trail, ...] = ()
    plots: Annotated[tuple[Plot, ...], Field(max_length=12)] = ()

"""Rigid shapes that hang on frames."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from framescope.core.scene.base import Item, Number, Unit
from framescope.core.scene.poses import ConstantOrientation, Position
from framescope.core.scene.quantities import Quantity


class Box(Item):
    """A box, centred; `size` along x, y and z."""

    form: Literal["box"]
    size: tuple[Number, Number, Number]
    unit: Unit = None


class Cylinder(Item):
    """A cylinder along z, centred."""

    form: Literal["cylinder"]
    radius: Quantity
    height: Quantity


class Sphere(Item):
    """A sphere, centred."""

    form: Literal["sphere"]
    radius: Quantity


class Cone(Item):
    """A cone along z, its base centred at the origin."""

    form: Literal["cone"]
    radius: Quantity
    height: Quantity


class Frustum(Item):
    """A camera's field of view: apex at the origin, looking along z, x right and y down."""

    form: Literal["frustum"]
    depth: Quantity
    width: Quantity
    height: Quantity


Shape = Annotated[Box | Cylinder | Sphere | Cone | Frustum, Field(discriminator="form")]


class Body(Item):
    """A shape attached to a frame, at an optional constant offset from it.

    `color` is ``neutral``, ``frame``, ``x``, ``y``, ``z`` (colours of the theme) or ``#rrggbb``.
    """

    frame: str
    shape: Shape
    color: Annotated[str, Field(pattern=r"^(neutral|frame|x|y|z|#[0-9a-fA-F]{6})$")] = "neutral"
    position: Position | None = None
    orientation: ConstantOrientation | None = None

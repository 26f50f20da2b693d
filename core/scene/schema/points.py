"""Schema of 20-sim's connection points on bodies, and of the elements that join them to each other or to ground."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from framescope.core.scene.schema.base import Item, Signal, Signal3, Unit, Vector3
from framescope.core.scene.schema.bounds import NOT_NEGATIVE, POSITIVE
from framescope.core.scene.schema.quantities import Quantity


class Offset(Item):
    """Offset of a point: XP, YP, ZP from the centre of mass, resolved in its frame."""

    value: Vector3
    unit: Unit = None


class Point(Item):
    """A connection point of a simulated body: what it passes on is the `kind`, along axes of the world."""

    body: str
    kind: Literal["X", "Y", "Z", "XYZ"]
    offset: Offset


class JoiningElement(Item):
    """What all elements have: the `point` they act on, and `to`, the other one; without it, ground."""

    form: Any
    point: str
    to: str | None = None


class ForceElement(JoiningElement):
    """A source that pushes `point` with a force, and `to` with its opposite; without `to`, ground takes it."""

    form: Literal["force"] = "force"
    signal: Signal | Signal3
    unit: Unit = None


class VelocityElement(JoiningElement):
    """A source that moves `point` with a velocity from `to`, or from ground, whatever force that takes."""

    form: Literal["velocity"] = "velocity"
    signal: Signal | Signal3
    unit: Unit = None


class SpringElement(JoiningElement):
    """A spring and a damper side by side, from `point` to `to` or to ground; one number, or one for each direction."""

    form: Literal["spring"] = "spring"
    stiffness: Annotated[Quantity | tuple[Quantity, Quantity, Quantity], NOT_NEGATIVE] = Quantity(0.0, "N/m")
    damping: Annotated[Quantity | tuple[Quantity, Quantity, Quantity], NOT_NEGATIVE] = Quantity(0.0, "N s/m")


Element = Annotated[ForceElement | VelocityElement | SpringElement, Field(discriminator="form")]


class Gravity(Item):
    """Acceleration of free fall, resolved in world. It pulls at every simulated body."""

    value: Vector3
    unit: Unit = None


class Simulation(Item):
    """Integration of simulated bodies: ``dop853`` and ``rk45`` are explicit, ``radau`` is for stiff springs."""

    method: Literal["dop853", "rk45", "radau"] = "dop853"
    tolerance: Annotated[float, Field(ge=1e-13, le=1e-2)] = 1e-9
    max_step: Annotated[Quantity | None, POSITIVE] = None
    max_steps: Annotated[int, Field(strict=True, gt=0, le=1_000_000)] = 200_000

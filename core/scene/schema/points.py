"""Schema of 20-sim's connection points on bodies, and of elements that connect two points, or a point and ground."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from framescope.core.scene.schema.base import Item, Signal, Signal3, Unit, Vector3
from framescope.core.scene.schema.bounds import NOT_NEGATIVE, POSITIVE
from framescope.core.scene.schema.quantities import Quantity


class Offset(Item):
    """Offset of a point: XP, YP, ZP from the centre of mass, resolved in the body's frame."""

    value: Vector3
    unit: Unit = None


class Point(Item):
    """A connection point of a simulated body; `kind` names the world axes along which it transmits force and motion."""

    body: str
    kind: Literal["X", "Y", "Z", "XYZ"]
    offset: Offset


class JoiningElement(Item):
    """Fields of all elements, which act between two connection points, `point` and `to`; without `to`, on ground."""

    form: Any
    point: str
    to: str | None = None


class ForceElement(JoiningElement):
    """A source that applies a force to `point` and the opposite force to `to`, or to ground without `to`."""

    form: Literal["force"] = "force"
    signal: Signal | Signal3
    unit: Unit = None


class VelocityElement(JoiningElement):
    """A source that imposes the velocity of `point` relative to `to` or ground, with whatever force is necessary."""

    form: Literal["velocity"] = "velocity"
    signal: Signal | Signal3
    unit: Unit = None


class SpringElement(JoiningElement):
    """A spring and a damper in parallel, from `point` to `to` or ground; one value, or one value for each direction."""

    form: Literal["spring"] = "spring"
    stiffness: Annotated[Quantity | tuple[Quantity, Quantity, Quantity], NOT_NEGATIVE] = Quantity(0.0, "N/m")
    damping: Annotated[Quantity | tuple[Quantity, Quantity, Quantity], NOT_NEGATIVE] = Quantity(0.0, "N s/m")


Element = Annotated[ForceElement | VelocityElement | SpringElement, Field(discriminator="form")]


class Gravity(Item):
    """Acceleration of free fall, resolved in world, for all simulated bodies."""

    value: Vector3
    unit: Unit = None


class Simulation(Item):
    """Integration of simulated bodies: ``dop853`` and ``rk45`` are explicit, ``radau`` suits stiff springs."""

    method: Literal["dop853", "rk45", "radau"] = "dop853"
    tolerance: Annotated[float, Field(ge=1e-13, le=1e-2)] = 1e-9
    max_step: Annotated[Quantity | None, POSITIVE] = None
    max_steps: Annotated[int, Field(strict=True, gt=0, le=1_000_000)] = 200_000

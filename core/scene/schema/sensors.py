"""Schema of sensors, with the switches of Modelica's sensors under the names of the reference."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from framescope.core.scene.schema.base import Item, Unit
from framescope.core.scene.schema.bounds import POSITIVE
from framescope.core.scene.schema.quantities import Quantity


class RelativeArrows(Item):
    """Arrows at the frame that a relative sensor measures; each value is an arrow's length per unit of its vector."""

    v: Annotated[Quantity | None, POSITIVE] = None
    a: Annotated[Quantity | None, POSITIVE] = None
    w: Annotated[Quantity | None, POSITIVE] = None
    z: Annotated[Quantity | None, POSITIVE] = None


class Arrows(RelativeArrows):
    """Arrows at the measured frame; each value is the length of an arrow per unit of its vector."""

    s: Annotated[Quantity | None, POSITIVE] = None


class AbsoluteSensor(Item):
    """Sensor of the motion of `frame_a` in the world, see `framescope.core.sensors.AbsoluteSensor`.

    With `get_s` it measures the specific force, as an accelerometer does: the acceleration less the gravity of the
    scene. Without a `gravity`, a scene has standard gravity along -z of the world, and none if bodies are simulated.
    """

    form: Literal["absolute"] = "absolute"
    frame_a: str
    get_r: bool = True
    get_v: bool = False
    get_a: bool = False
    get_angles: bool = False
    get_w: bool = False
    get_z: bool = False
    get_s: bool = False
    resolve_in_frame_a: bool = False
    frame_resolve: str | None = None
    sequence: str = "XYZ"
    guess_angle1: Quantity = Quantity(0.0, "rad")
    animation: bool = True
    arrows: Arrows = Arrows()


class RelativeSensor(Item):
    """Sensor of the motion of `frame_b` relative to `frame_a`, see `framescope.core.sensors.RelativeSensor`."""

    form: Literal["relative"] = "relative"
    frame_a: str
    frame_b: str
    get_r_rel: bool = True
    get_v_rel: bool = False
    get_a_rel: bool = False
    get_angles: bool = False
    get_w_rel: bool = False
    get_z_rel: bool = False
    resolve_in: str | None = None
    sequence: str = "XYZ"
    guess_angle1: Quantity = Quantity(0.0, "rad")
    animation: bool = True
    arrows: RelativeArrows = RelativeArrows()


class RecordedSensor(Item):
    """Sensor with recorded values from columns of a table beside the scene, in `unit`.

    Three `values` may be the components of a `quantity`, a force or a torque, that acts at the origin of `frame_a` and
    is resolved in `frame_a`. `arrow` is the drawn length of one N or N m. The first row is at scene time `start`.
    Values between rows are interpolated linearly. At a time with two rows the value jumps.
    """

    form: Literal["recorded"] = "recorded"
    frame_a: str = "world"
    quantity: Literal["force", "torque"] | None = None
    unit: Unit = None
    file: str
    time: str
    time_unit: str | None = None
    values: Annotated[tuple[Annotated[str, Field(max_length=300)], ...], Field(min_length=1, max_length=24)]
    start: Quantity = Quantity(0.0, "s")
    animation: bool = True
    arrow: Annotated[Quantity | None, POSITIVE] = None


Sensor = Annotated[AbsoluteSensor | RelativeSensor | RecordedSensor, Field(discriminator="form")]

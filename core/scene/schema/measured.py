"""Schema of measurements: what someone has measured of a scene, beside the tree and never driving it."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from framescope.core.scene.schema.base import Item, Number, Unit
from framescope.core.scene.schema.bounds import POSITIVE
from framescope.core.scene.schema.motions import Recorded
from framescope.core.scene.schema.poses import ConstantOrientation, Position
from framescope.core.scene.schema.quantities import Quantity


class MeasuredPose(Item):
    """A measured pose of one frame in another: constant, or recorded. A second path to a frame closes a loop.

    Without `position`, or `orientation`, nothing is measured of it; so it is of a recording without their columns.
    """

    form: Literal["pose"] = "pose"
    of: str
    relative_to: str
    position: Position | None = None
    orientation: ConstantOrientation | None = None
    motion: Recorded | None = None


SeriesMend = Literal[
    "unwrap time", "drop backward", "sort by time", "spread time", "drop missing", "drop sentinels", "drop duplicates"
]


class MeasuredVector(Item):
    """A recorded velocity, acceleration or angular velocity of one frame relative to another, resolved in a third.

    `file` is a CSV, NPZ or Parquet table with a column of the `time` and three of the `values`; between samples a
    straight line holds. The first sample stands at scene time `start`. `mends` say what is odd about the rows and
    dealt with: time runs on where its clock began anew, they are sorted or those that run back dropped, as are those
    without a number and with one that stands for none, and of rows with one time the first is kept.

    What is wrong with it is told where it changes the vector by the `tolerance` or more, rms in its `unit`; left out,
    where it is seen above the noise: a degree, 1 %, 2.5 ms, 0.005 rad/s or m/s, 0.05 rad/s² or m/s².
    """

    form: Literal["velocity", "acceleration", "angular velocity", "angular acceleration"]
    of: str
    relative_to: str
    resolved_in: str
    unit: Unit = None
    file: str
    time: str
    time_unit: str | None = None
    values: tuple[str, str, str]
    start: Quantity = Quantity(0.0, "s")
    mends: Annotated[tuple[SeriesMend, ...], Field(max_length=7)] = ()
    tolerance: Annotated[Number | None, POSITIVE] = None


Measured = Annotated[MeasuredPose | MeasuredVector, Field(discriminator="form")]

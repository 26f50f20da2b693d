"""Schema of measurements: measured poses and vectors that are compared with the scene and never move it."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from framescope.core.scene.schema.base import Item, Number, Unit
from framescope.core.scene.schema.bounds import POSITIVE
from framescope.core.scene.schema.motions import Recorded
from framescope.core.scene.schema.poses import ConstantOrientation, Position
from framescope.core.scene.schema.quantities import Quantity
from framescope.core.scene.schema.sources import PoseSource


class MeasuredPose(Item):
    """A measured pose of one frame in another, constant or recorded; a second path to a frame closes a loop.

    Without `position` or without its columns in a recording, only the orientation is compared; without `orientation`,
    only the position. `source` is the place in a calibration file from which the pose was read: its parent is
    `relative_to`, its frame is `of`.
    """

    form: Literal["pose"] = "pose"
    of: str
    relative_to: str
    position: Position | None = None
    orientation: ConstantOrientation | None = None
    motion: Recorded | None = None
    source: PoseSource | None = None


SeriesMend = Literal[
    "unwrap time", "drop backward", "sort by time", "spread time", "drop missing", "drop sentinels", "drop duplicates"
]


class MeasuredVector(Item):
    """A recorded velocity, acceleration or angular velocity of one frame relative to another, resolved in a third.

    A specific force is what an accelerometer reads: the acceleration less the gravity of the scene.

    `file` is a CSV, NPZ or Parquet table with a column for `time` and three for `values`, interpolated linearly. The
    first sample is at scene time `start`. `mends` names fixes of the rows: a clock that restarts continues, rows out of
    order are sorted or dropped, rows with a missing number or a placeholder such as -9999 are dropped, and of rows with
    equal times the first is used.

    A fault is reported if it changes the vector by `tolerance` or more, rms in its `unit`. The default tolerance is a
    change that is visible above the noise: a degree, 1 %, 2.5 ms, 0.005 rad/s or m/s, 0.05 rad/s² or m/s².
    """

    form: Literal["velocity", "acceleration", "specific force", "angular velocity", "angular acceleration"]
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

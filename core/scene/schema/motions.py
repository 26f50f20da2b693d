"""Schema of motion kinds: recorded, of a bag, not connected, live, through keyframes, or as a simulated body.

Each form names itself with the key ``form``. What moves by signals of t, or is integrated, has that in its
`position` and `orientation`.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from framescope.core.scene.schema.base import Item, Number, Signal, Unit, Vector3
from framescope.core.scene.schema.bounds import POSITIVE
from framescope.core.scene.schema.poses import ConstantOrientation, Position
from framescope.core.scene.schema.quantities import Quantity

# --- Recorded


class QuaternionColumns(Item):
    """Orientation from four columns, in the order ``xyzw`` or ``wxyz``.

    The quaternion is Hamilton's; the rotation it stands for takes vectors from the frame into its parent, or the other
    way round, as `maps` says.
    """

    form: Literal["quaternion"] = "quaternion"
    columns: tuple[str, str, str, str]
    order: str | None = None
    maps: Literal["frame to parent", "parent to frame"] = "frame to parent"


class MatrixColumns(Item):
    """Orientation from nine columns, row by row, with the direction of the matrix."""

    form: Literal["matrix"] = "matrix"
    columns: Annotated[tuple[str, ...], Field(min_length=9, max_length=9)]
    maps: str | None = None


class AngleColumns(Item):
    """Orientation from three angles; `sequence` in upper case turns about moving axes, in lower case about fixed.

    Of ``ZYX`` the first may be the heading of a vehicle, with its pitch, nose up, and its roll, right side down. Then
    `counts` says how: ``compass`` is clockwise from y in a parent of east, north and up, ``clockwise`` from x in one of
    north, west and up; the frame is forward, left and up. ``counterclockwise`` takes the angles as they are, which is
    right for north, east and down with a frame of forward, right and down.
    """

    form: Literal["axes"] = "axes"
    columns: tuple[str, str, str]
    sequence: str
    unit: Unit = None
    counts: Literal["counterclockwise", "clockwise", "compass"] = "counterclockwise"


class HeadingColumn(Item):
    """Orientation from one angle about the parent's z, such as the heading of a vehicle.

    `counts` says how: ``counterclockwise`` from x; ``clockwise`` from x; or as a ``compass``, clockwise from y, which
    is north where x is east.
    """

    form: Literal["heading"] = "heading"
    column: str
    unit: Unit = None
    counts: Literal["counterclockwise", "clockwise", "compass"] = "counterclockwise"

    @property
    def columns(self) -> tuple[str]:
        """The column, as the other forms have theirs."""
        return (self.column,)


class RotationVectorColumns(Item):
    """Orientation from three columns of a rotation vector: the axis times the angle, in `unit`.

    The rotation takes vectors from the frame into its parent, or the other way round, as `maps` says.
    """

    form: Literal["rotation vector"] = "rotation vector"
    columns: tuple[str, str, str]
    unit: Unit = None
    maps: Literal["frame to parent", "parent to frame"] = "frame to parent"


OrientationColumns = QuaternionColumns | MatrixColumns | AngleColumns | HeadingColumn | RotationVectorColumns


class PoseColumns(Item):
    """Columns of a table that are the pose of the frame in its parent, and their meaning.

    Without `time` the recording needs a `rate` or a file of `times`. A position of two columns is x and y, with z zero.
    Without `position` the origins coincide; without `orientation` the frame is not turned.
    """

    time: str | None = None
    time_unit: str | None = None
    position: tuple[str, str, str] | tuple[str, str] | None = None
    position_unit: str | None = None
    orientation: Annotated[OrientationColumns, Field(discriminator="form")] | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """All columns that are used."""
        time = () if self.time is None else (self.time,)
        orientation = () if self.orientation is None else self.orientation.columns
        return tuple(dict.fromkeys((*time, *(self.position or ()), *orientation)))


class RowsWhere(Item):
    """Those rows of a table that hold a `value` in a column: one frame of several that are recorded in turn."""

    column: str
    value: Annotated[str, Field(max_length=200)] | Number


Mend = Literal[
    "unwrap time",
    "drop backward",
    "sort by time",
    "spread time",
    "drop missing",
    "drop sentinels",
    "drop lost",
    "drop duplicates",
    "drop frozen",
    "drop outliers",
    "keep sign",
    "unwrap angles",
    "normalise",
    "leave gaps empty",
]


class Recorded(Item):
    """Pose of the frame in its parent from a recorded table: at the time of a sample it is the sample.

    `format` ``tum`` is ``timestamp tx ty tz qx qy qz qw``: seconds, metres, scalar last; ``kitti`` is twelve numbers
    of a pose in a line, and needs a `rate` or a file of `times`; ``euroc`` is the ground truth of that data set;
    ``table`` is any CSV, NPZ or Parquet file with its `columns` named, and `rows` where it holds several frames. The
    file gives the frame in its parent, or, with `pose`, the parent in the frame. The first sample stands at scene time
    `start`. At most 1 000 000 samples are fitted; `every` 5 takes every fifth, from the first on.

    Velocities and accelerations are those of a smoothing spline, whose `bandwidth` is the frequency where it passes
    1/sqrt(2) of the amplitude; orientations are smoothed at `orientation_bandwidth` where that is another. Left out,
    positions and orientations each have the one that makes their rates most accurate, their noise taken as white.
    With `smooth` ``pose`` the pose is that of the spline, too, and not that of the samples.

    `mends` say what is odd about the rows and dealt with, so that it is no problem any more: time runs on where its
    clock began anew, rows are sorted, or dropped where time runs back, and those of one rounded time are spread evenly
    up to the next; those of a ``table`` without a number in a
    column, with a number that stands for none such as -9999, of lost tracking, of one time, that repeat a frozen pose,
    or far from both neighbours are dropped, quaternions and matrices made rotations, and no pose is drawn inside gaps.
    Signs of quaternions and turns of angles never matter to the pose; these are said to be known.
    """

    form: Literal["recorded"] = "recorded"
    file: str
    format: Literal["tum", "kitti", "euroc", "table"]
    bandwidth: Annotated[Quantity | None, POSITIVE] = None
    orientation_bandwidth: Annotated[Quantity | None, POSITIVE] = None
    smooth: Literal["rates", "pose"] = "rates"
    start: Quantity = Quantity(0.0, "s")
    columns: PoseColumns | None = None
    rows: RowsWhere | None = None
    every: Annotated[int, Field(ge=1, le=10_000)] = 1
    pose: Literal["frame in parent", "parent in frame"] = "frame in parent"
    rate: Annotated[Quantity | None, POSITIVE] = None
    times: str | None = None
    mends: Annotated[tuple[Mend, ...], Field(max_length=13)] = ()


# --- Transforms of a bag

Stamp = Annotated[str, Field(max_length=40, examples=["1718700000.123456789"])]
"""A time as a bag has it, as text: seconds with up to nine decimals, which no number holds exactly."""


MAX_BAG_NAME = 200
"""Characters of the name of a frame or a topic in a bag."""

BagName = Annotated[str, Field(max_length=MAX_BAG_NAME)]
"""What a frame is called in a bag, whatever letters that has."""


class BagParent(Item):
    """A parent of samples in a bag, by its `name` there, and the `frame` of the scene that it is."""

    name: BagName
    frame: str


class Transforms(Item):
    """Pose of the frame in its parent from the transforms in a bag of ROS or Foxglove, as tf2 takes them.

    `file` is a bag beside the scene: ``.bag``, ``.mcap``, ``.db3``, or the ``metadata.yaml`` of one that is a folder.
    `frame` is the name there, `also` other spellings of it, `namespace` that of a robot whose topic is not ``/tf``.
    With a `topic` the poses are those of its messages, such as odometry, and `frame` is the child that they name, or
    the topic where they name none.

    Between two samples position is linear and orientation slerp; before the first, after the last and in a gap there
    is no pose. A static transform holds at any time. The scene's time is that of the stamps, less `zero`; left out,
    that is the first stamp of all that moves in the namespace.

    `parents` says which frames of the scene the parents of the samples are; samples in other parents are left out. So
    the frame hangs on one parent now and on another then. Without it the pose of all samples is taken as that in the
    parent of the frame.

    `received_from` and `received_until` bound the time of reception of what is taken, `without` leaves out the samples
    with some stamps, and `normalize` takes quaternions off unit length, which tf2 refuses.
    """

    form: Literal["transforms"] = "transforms"
    file: str
    frame: BagName
    also: Annotated[tuple[BagName, ...], Field(max_length=20)] = ()
    namespace: BagName = ""
    topic: BagName = ""
    parents: Annotated[tuple[BagParent, ...], Field(max_length=100)] = ()
    zero: Stamp | None = None
    received_from: Stamp | None = None
    received_until: Stamp | None = None
    without: Annotated[tuple[Stamp, ...], Field(max_length=10_000)] = ()
    normalize: bool = False


class Unconnected(Item):
    """Pose of the frame in its parent that nobody knows: the root of a tree of transforms that no other is joined to.

    `position` and `orientation` of the frame say where it is drawn, and nothing else: between what hangs on it and all
    other frames there is no position, orientation or velocity, as tf2 has none. Without this motion they count.
    """

    form: Literal["unconnected"] = "unconnected"


# --- Live


class Live(Item):
    """Pose of the frame in its parent from a `series` that a program feeds while the window is open.

    ``framescope.app.show(scene, live={"arm": series})`` hands a series over. The scene then lasts as long as the data
    do. Between two rows the motion is linear; the frame has no pose before there is a row.
    """

    form: Literal["live"] = "live"
    series: str


# --- Keyframes


class Key(Item):
    """A pose of the frame in its parent at a time; what is left out is the parent's origin, or not turned."""

    time: Quantity
    position: Vector3 | None = None
    orientation: ConstantOrientation | None = None


class Keyframes(Item):
    """Poses at some times and what is between: ``cubic`` curves, ``linear`` ones with slerp, or ``step`` by step.

    Cubic rotation is a spline with continuous angular acceleration. At its ends it has no acceleration
    (``natural``) or is at ``rest``. `unit` is that of the positions.
    """

    form: Literal["keyframes"] = "keyframes"
    keys: Annotated[tuple[Key, ...], Field(min_length=1, max_length=10_000)]
    unit: Unit = None
    interpolation: Literal["cubic", "linear", "step"] = "cubic"
    ends: Literal["natural", "rest"] = "natural"


# --- Joints


class JointRecording(Item):
    """Values of a joint over time from a file beside the scene: a column of a table, or a joint in a topic of a bag.

    Of a table `time` is the column of times, in `time_unit`, and `column` that of the values, in the unit of the joint.
    Of a bag `topic` is one of ``sensor_msgs/JointState``, and `column` what the joint is called there; its values are
    in rad or m. The first row, or the first joint state of the bag, stands at scene time `start`. Between them a cubic
    spline holds; before and after them the value stays. The joint has `factor` times what is recorded, and `offset`
    besides, in the unit of the joint: so a joint is recorded that follows another.
    """

    file: str
    column: Annotated[str, Field(max_length=200)]
    time: str | None = None
    time_unit: str | None = None
    topic: Annotated[str | None, Field(max_length=200)] = None
    start: Quantity = Quantity(0.0, "s")
    factor: Number = 1.0
    offset: Number = 0.0


class Joint(Item):
    """Motion of the frame as the child of a joint: about `axis` (``revolute``) or along it (``prismatic``).

    `position` and `orientation` of the frame are where it stands with a `value` of zero, and are constant. The axis is
    of unit length and resolved in the frame. `value` is an angle or a length, a number or an expression of t and
    parameters. `lower` and `upper` say how far the joint goes, in the same `unit`; without one of them it goes on.
    `name` is what the joint is called elsewhere, such as in a recording of its values. With a `recording` the value is
    from there.
    """

    form: Literal["joint"] = "joint"
    type: Literal["revolute", "prismatic"]
    axis: Vector3 = (0.0, 0.0, 1.0)
    value: Signal = 0.0
    unit: Unit = None
    lower: Number | None = None
    upper: Number | None = None
    name: Annotated[str, Field(max_length=200)] = ""
    recording: JointRecording | None = None


# --- Simulated

Model = Literal["finite", "small angle"]


class Rest(Item):
    """The pose in which all springs of a body are slack, and from which its small angles count."""

    position: Position | None = None
    orientation: ConstantOrientation | None = None


class Velocity(Item):
    """Velocity of the frame's origin at the start, resolved in world."""

    value: Vector3
    unit: Unit = None


class AngularVelocity(Item):
    """Angular velocity at the start, resolved in the ``world`` or in the ``frame``."""

    value: Vector3
    unit: Unit = None
    resolved_in: str | None = None


class Simulated(Item):
    """Motion of a rigid body: the frame is its own, with the origin in the centre of mass.

    The mass is that of the one body on the frame that has one; forces are those of the elements on its points, and
    gravity. `position` and `orientation` of the frame are where it starts. `model` is ``finite`` (Newton and Euler) or
    ``small angle`` (20-sim's). With `like` it is the motion that another simulated frame would have with this model,
    all else the same; it then has no start and no mass of its own.
    """

    form: Literal["simulated"] = "simulated"
    model: Model
    velocity: Velocity | None = None
    angular_velocity: AngularVelocity | None = None
    rest: Rest | None = None
    like: str | None = None


Motion = Annotated[
    Recorded | Transforms | Unconnected | Live | Keyframes | Joint | Simulated, Field(discriminator="form")
]

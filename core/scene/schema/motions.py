"""Schema of motions: recordings, bags, unconnected frames, live series, keyframes, joints and simulated bodies.

The key ``form`` names the kind of motion. Frames that move by signals of t or are integrated have no `motion`: their
`position` and `orientation` describe how they move.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from framescope.core.scene.schema.base import Item, Number, Signal, Unit, Vector3
from framescope.core.scene.schema.bounds import POSITIVE
from framescope.core.scene.schema.miscounted import AnyVector3
from framescope.core.scene.schema.poses import ConstantOrientation, Position, ThreeAngles, as_moving
from framescope.core.scene.schema.quantities import Quantity

# --- Recorded


class QuaternionColumns(Item):
    """Orientation from four columns, in the order ``xyzw`` or ``wxyz``.

    The quaternion is Hamilton's. `maps` is the direction in which its rotation maps vectors.
    """

    form: Literal["quaternion"] = "quaternion"
    columns: tuple[str, str, str, str]
    order: str | None = None
    maps: Literal["frame to parent", "parent to frame"] = "frame to parent"


class MatrixColumns(Item):
    """Orientation from nine columns, row by row; `maps` is the direction of the matrix."""

    form: Literal["matrix"] = "matrix"
    columns: Annotated[tuple[str, ...], Field(min_length=9, max_length=9)]
    maps: str | None = None


class AngleColumns(Item):
    """Orientation from three angles; a `sequence` in upper case is about moving axes, in lower case about fixed axes.

    For ``ZYX`` the angles may be heading, pitch (nose up) and roll (right side down) of a vehicle. `counts` is then the
    direction of the heading. ``compass`` is clockwise from y, in a parent with axes east, north, up. ``clockwise`` is
    clockwise from x, in a parent with axes north, west, up. In both cases the axes of the frame are forward, left, up.
    ``counterclockwise`` uses the angles unchanged, as is right for a parent with axes north, east, down and a frame
    with axes forward, right, down.
    """

    form: Literal["axes"] = "axes"
    columns: tuple[str, str, str]
    sequence: str
    unit: Unit = None
    counts: Literal["counterclockwise", "clockwise", "compass"] = "counterclockwise"


class HeadingColumn(Item):
    """Orientation from one angle about the parent's z axis, such as the heading of a vehicle.

    `counts` is the direction of the angle: ``counterclockwise`` from x, ``clockwise`` from x, or ``compass``, which is
    clockwise from y (north if x is east).
    """

    form: Literal["heading"] = "heading"
    column: str
    unit: Unit = None
    counts: Literal["counterclockwise", "clockwise", "compass"] = "counterclockwise"

    @property
    def columns(self) -> tuple[str]:
        """The column, as a tuple for consistency with the other forms."""
        return (self.column,)


class RotationVectorColumns(Item):
    """Orientation from three columns of a rotation vector: the axis times the angle, in `unit`.

    `maps` is the direction in which the rotation maps vectors.
    """

    form: Literal["rotation vector"] = "rotation vector"
    columns: tuple[str, str, str]
    unit: Unit = None
    maps: Literal["frame to parent", "parent to frame"] = "frame to parent"


OrientationColumns = QuaternionColumns | MatrixColumns | AngleColumns | HeadingColumn | RotationVectorColumns


class PoseColumns(Item):
    """Columns of a table with the pose of the frame in its parent, and the meaning of the columns.

    Without `time` the recording needs a `rate` or a file of `times`. Two columns of `position` are x and y, and z is
    zero. Without `position` the origins coincide. Without `orientation` there is no rotation.
    """

    time: str | None = None
    time_unit: str | None = None
    position: tuple[str, str, str] | tuple[str, str] | None = None
    position_unit: str | None = None
    orientation: Annotated[OrientationColumns, Field(discriminator="form")] | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """All columns in use."""
        time = () if self.time is None else (self.time,)
        orientation = () if self.orientation is None else self.orientation.columns
        return tuple(dict.fromkeys((*time, *(self.position or ()), *orientation)))


class RowsWhere(Item):
    """The rows of a table with a `value` in a `column`, which belong to one of several frames in the table."""

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
    """Pose of the frame in its parent from a recorded table, through all samples.

    `format` ``tum`` is ``timestamp tx ty tz qx qy qz qw``: seconds, metres, scalar last. ``kitti`` is twelve numbers of
    a pose in a line, and needs a `rate` or a file of `times`. ``euroc`` is the ground truth of that data set. ``table``
    is any CSV, NPZ or Parquet file; `columns` names its columns, and `rows` selects a frame if the file has several.
    The file gives the pose of the frame in its parent, or, with `pose`, of the parent in the frame. The first sample is
    at scene time `start`. At most 1 000 000 samples are fitted; `every` 5 uses every fifth sample, starting with the
    first.

    Velocities and accelerations come from a smoothing spline. The `bandwidth` is the frequency at which the spline
    passes 1/sqrt(2) of the amplitude; `orientation_bandwidth` is a separate bandwidth for orientations. By default
    positions and orientations each have the bandwidth with the most accurate rates, assuming white noise. With `smooth`
    ``pose``, the pose comes from the spline, too, instead of the samples.

    `mends` names fixes of the rows; a fault with its fix is no longer a problem. A clock that restarts continues. Rows
    out of order are sorted or dropped. Rows with the same rounded time are spread evenly up to the next time. Rows of a
    ``table`` are dropped if a number is missing or a placeholder such as -9999, if tracking is lost, if the time
    repeats, if the pose is frozen, or if the pose is far from both neighbours. Quaternions and matrices become
    rotations, and no pose is drawn inside gaps. Signs of quaternions and full turns of angles never change the pose;
    listing their fixes confirms that the user knows of them.
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
"""A time in a bag as text: seconds with up to nine decimals, which a float could not store exactly."""


MAX_BAG_NAME = 200
"""Largest number of characters of the name of a frame or a topic in a bag."""

BagName = Annotated[str, Field(max_length=MAX_BAG_NAME)]
"""Name of a frame in a bag, with any characters."""


class BagParent(Item):
    """A parent of samples in a bag: the `name` in the bag, and the `frame` in the scene."""

    name: BagName
    frame: str


class Transforms(Item):
    """Pose of the frame in its parent from the transforms in a ROS or Foxglove bag, with tf2's rules.

    `file` is a bag beside the scene: ``.bag``, ``.mcap``, ``.db3``, or the ``metadata.yaml`` of a bag folder. `frame`
    is the name of the frame in the bag, and `also` lists other spellings of that name. `namespace` is the robot's
    namespace if its topic is not ``/tf``. With a `topic`, the poses come from the messages of that topic, such as
    odometry, and `frame` is the child frame in the messages, or the topic if they name no child frame.

    Between two samples, positions are interpolated linearly and orientations by slerp. Before the first sample, after
    the last sample and in gaps there is no pose. A static transform is valid at any time. Scene time is the stamp minus
    `zero`, by default the first stamp of all moving frames in the namespace.

    `parents` maps the parents of the samples to frames of the scene, so that the frame can change its parent over time.
    Samples with other parents are ignored. Without `parents`, all samples are poses in the parent of the frame.

    `received_from` and `received_until` limit the time of reception. `without` lists stamps of samples to ignore.
    `normalize` accepts quaternions that are not of unit length, which tf2 rejects.
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
    """Unknown pose of the frame in its parent: the root of a tree of transforms without a connection to others.

    `position` and `orientation` of the frame only place it in the picture. Between its descendants and all other frames
    there is no position, orientation or velocity, as in tf2. Without this motion they are the pose of the frame.
    """

    form: Literal["unconnected"] = "unconnected"


# --- Live


class Live(Item):
    """Pose of the frame in its parent from a `series` that a program fills while the window is open.

    ``framescope.app.show(scene, live={"arm": series})`` passes the series. The scene then lasts as long as the data.
    The pose is interpolated linearly between rows; without rows the frame has no pose.
    """

    form: Literal["live"] = "live"
    series: str


# --- Keyframes


class Key(Item):
    """A pose of the frame in its parent at a time; by default at the parent's origin, without rotation."""

    time: Quantity
    position: Vector3 | None = None
    orientation: ConstantOrientation | None = None


class Keyframes(Item):
    """Poses at given times with an interpolation: ``cubic``, ``linear`` with slerp, or ``step``.

    Cubic rotation is a spline with continuous angular acceleration. At the first and last key, ``natural`` sets the
    acceleration to zero, and ``rest`` the velocity. `unit` is the unit of the positions.
    """

    form: Literal["keyframes"] = "keyframes"
    keys: Annotated[tuple[Key, ...], Field(min_length=1, max_length=10_000)]
    unit: Unit = None
    interpolation: Literal["cubic", "linear", "step"] = "cubic"
    ends: Literal["natural", "rest"] = "natural"


def sequence_of_keys(motion: Keyframes) -> str | None:
    """Return the axis sequence about moving axes in which all keys have their orientations; None without one.

    >>> turned = {"form": "axes", "sequence": "ZYX", "angles": (90, 0, 0), "unit": "deg"}
    >>> keys = [{"time": "0 s", "orientation": turned}, {"time": "1 s", "orientation": turned}]
    >>> sequence_of_keys(Keyframes.model_validate({"keys": keys}))
    'ZYX'
    """
    orientations = [key.orientation for key in motion.keys]
    sequences = {as_moving(form).sequence if isinstance(form, ThreeAngles) else None for form in orientations}
    return sequences.pop() if len(sequences) == 1 else None


# --- Joints


class JointRecording(Item):
    """Values of a joint over time from a file beside the scene: a column of a table, or a joint in a topic of a bag.

    In a table, `time` is the column of times, in `time_unit`, and `column` has the values, in the unit of the joint. In
    a bag, `topic` is a ``sensor_msgs/JointState`` topic, and `column` the name of the joint there; its values are in
    rad or m. The first row, or the first joint state of the bag, is at scene time `start`. A cubic spline interpolates;
    before and after the recording the value is constant. The value of the joint is `factor` times the recorded value
    plus `offset`, in the unit of the joint, so that a joint can follow the recording of another joint.
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

    `position` and `orientation` of the frame are its constant pose at a `value` of zero. The axis has unit length and
    is resolved in the frame. `value` is an angle or a length, a number or an expression of t and parameters. `lower`
    and `upper` are the limits of the joint, in the same `unit`; without one, that side has no limit. `name` is the name
    of the joint in other files, for example in a recording of its values. A `recording` replaces the value.
    """

    form: Literal["joint"] = "joint"
    type: Literal["revolute", "prismatic"]
    axis: AnyVector3 = (0.0, 0.0, 1.0)
    value: Signal = 0.0
    unit: Unit = None
    lower: Number | None = None
    upper: Number | None = None
    name: Annotated[str, Field(max_length=200)] = ""
    recording: JointRecording | None = None


# --- Simulated

Model = Literal["finite", "small angle"]


class Rest(Item):
    """Pose of a body in which all its springs are relaxed; its small angles are measured from this pose."""

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
    """Motion of a rigid body: the frame is fixed to the body, with the origin at the centre of mass.

    The mass comes from the only body of the frame with a mass. Forces come from gravity and from the elements at the
    points of this body. `position` and `orientation` of the frame are the initial pose. `model` is ``finite`` (Newton
    and Euler) or ``small angle`` (20-sim's). With `like` it is the motion of another simulated frame under this model,
    all else equal; it then has no initial state and no mass of its own.
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

"""Schema of poses: position and orientation of a frame in its parent, with the forms of orientation.

The key ``form`` names the form of an orientation. Angles have a unit, quaternions an order, and matrices a direction.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from framescope.core.kernels.integration_steps import Equation, Method
from framescope.core.scene.schema.base import Item, Number, Signal, Unit
from framescope.core.scene.schema.bounds import POSITIVE
from framescope.core.scene.schema.miscounted import ANY_FOUR, ANY_ROWS, AnySignals3, AnyVector3
from framescope.core.scene.schema.quantities import Quantity


class Position(Item):
    """Origin of the frame relative to the parent's origin, resolved in the parent; numbers or expressions of t."""

    value: AnySignals3
    unit: Unit = None


class Axes(Item):
    """Three rotations in sequence about the axes of the rotating frame (Modelica `axesRotations`)."""

    form: Literal["axes"] = "axes"
    sequence: str
    angles: AnySignals3
    unit: Unit = None


class Extrinsic(Item):
    """Three rotations in sequence about the fixed axes of the parent, such as ``xyz``.

    They are the rotations of `Axes` about the axes of the moving frame in reverse order. This is a form of its own and
    no key of `Axes`, so that the word in the file says which axes are meant, and a letter's case never decides alone.
    """

    form: Literal["extrinsic"] = "extrinsic"
    sequence: str
    angles: AnySignals3
    unit: Unit = None


class Rpy(Item):
    """Roll, pitch and yaw about the fixed axes x, y and z of the parent, as in URDF and ROS.

    The matrix from the frame to the parent is ``Rz(yaw) Ry(pitch) Rx(roll)``.
    """

    form: Literal["rpy"] = "rpy"
    angles: AnySignals3
    unit: Unit = None


ThreeAngles = Axes | Extrinsic | Rpy
"""Forms with three angles."""


def as_moving(form: ThreeAngles) -> Axes:
    """Return the same rotation as three angles about moving axes: fixed axes in reverse order.

    >>> as_moving(Rpy(angles=(1, 2, "t"), unit="rad"))
    Axes(form='axes', sequence='ZYX', angles=('t', 2.0, 1.0), unit='rad')
    """
    if isinstance(form, Axes):
        return form
    sequence = "xyz" if isinstance(form, Rpy) else form.sequence
    a, b, c = form.angles
    return Axes(sequence=sequence[::-1].upper(), angles=(c, b, a), unit=form.unit)


class Planar(Item):
    """One rotation about a fixed unit vector `axis` (Modelica `planarRotation`)."""

    form: Literal["planar"] = "planar"
    axis: AnyVector3
    angle: Signal
    unit: Unit = None


class Axis(Item):
    """One rotation about a coordinate axis, ``x``, ``y`` or ``z`` (Modelica `axisRotation`)."""

    form: Literal["axis"] = "axis"
    axis: str
    angle: Signal
    unit: Unit = None


class QuaternionForm(Item):
    """A unit quaternion with its order, ``xyzw`` or ``wxyz``, rotating the parent into the frame."""

    form: Literal["quaternion"] = "quaternion"
    value: Annotated[tuple[Number, Number, Number, Number], *ANY_FOUR]
    order: str | None = None


class NxNy(Item):
    """Two directions in the parent: the x axis, and a direction on the side of y (Modelica `from_nxy`)."""

    form: Literal["nxy"] = "nxy"
    n_x: AnyVector3
    n_y: AnyVector3


class NxNz(Item):
    """Two directions in the parent: the x axis, and a direction on the side of z (Modelica `from_nxz`)."""

    form: Literal["nxz"] = "nxz"
    n_x: AnyVector3
    n_z: AnyVector3


class MatrixForm(Item):
    """A rotation matrix with its direction: ``parent to frame`` takes components in the parent into the frame."""

    form: Literal["matrix"] = "matrix"
    rows: Annotated[tuple[AnyVector3, AnyVector3, AnyVector3], *ANY_ROWS]
    maps: str | None = None


ConstantOrientation = Annotated[
    Axes | Extrinsic | Rpy | Planar | Axis | QuaternionForm | NxNy | NxNz | MatrixForm, Field(discriminator="form")
]


class Integrated(Item):
    """Orientation integrated from an angular velocity by a kinematic equation, with its residues.

    `w` is the angular velocity of the frame relative to its parent, resolved in the frame.
    """

    form: Literal["integrated"] = "integrated"
    w: AnySignals3
    unit: Unit = None
    equation: Equation
    method: Method
    step: Annotated[Quantity, POSITIVE]
    renormalize: bool = False
    start: ConstantOrientation | None = None


OrientationForm = Annotated[
    Axes | Extrinsic | Rpy | Planar | Axis | QuaternionForm | NxNy | NxNz | MatrixForm | Integrated,
    Field(discriminator="form"),
]

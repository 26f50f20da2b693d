"""Schema of the view: camera, triads, labels, rings, trails, plots and notes."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from framescope.core.scene.schema.base import FrozenDict, Item, Number, Text, Unit, Vector3
from framescope.core.scene.schema.bounds import POSITIVE
from framescope.core.scene.schema.poses import Position
from framescope.core.scene.schema.quantities import Quantity
from framescope.core.scene.schema.signal_kinds import SignalKind


class Camera(Item):
    """Camera in world coordinates."""

    position: Vector3
    focal_point: Vector3
    up: Vector3 = (0.0, 0.0, 1.0)
    unit: Unit = None
    view_angle: Annotated[Quantity, POSITIVE] = Quantity(30.0, "deg")


class FrameLook(Item):
    """Appearance of one frame; fields left out follow the view."""

    triad: bool | None = None
    label: bool | None = None
    link: bool | None = None
    length: Annotated[Quantity | None, POSITIVE] = None


class Rings(Item):
    """The three rings of a physical gimbal with the axis sequence of `frame`."""

    frame: str
    radius: Annotated[Quantity, POSITIVE]


class Arcs(Item):
    """Arcs of the three angles of `frame`, which has an axis sequence, with their values."""

    frame: str
    radius: Annotated[Quantity, POSITIVE]


class IntermediateFrames(Item):
    """The frames between the parent and `frame`: after the first and the second rotation of its axis sequence."""

    frame: str
    length: Annotated[Quantity | None, POSITIVE] = None


class Trail(Item):
    """The past path of a frame's origin, fading over `duration`.

    Without a duration it is the whole path over the scene's time, and does not fade.
    """

    frame: str
    duration: Annotated[Quantity | None, POSITIVE] = None


class CameraKey(Item):
    """Key of the camera's path."""

    time: Quantity
    position: Vector3
    focal_point: Vector3
    up: Vector3 = (0.0, 0.0, 1.0)
    view_angle: Annotated[Quantity, POSITIVE] = Quantity(30.0, "deg")


class CameraPath(Item):
    """A camera that moves over time, through its keys on cubic curves, in world coordinates."""

    keys: Annotated[tuple[CameraKey, ...], Field(min_length=2, max_length=1000)]
    unit: Unit = None


class PlottedSignal(Item):
    """A signal over time, fully specified: of, relative to, resolved in, unit.

    `framescope.core.scene.schema.signals` lists the fields that each signal needs. Signals of frames describe one frame
    relative to another, as seen from there, resolved in any third. ``angles``, their rates, their distance from gimbal
    lock (``singularity``) and the condition number of the map from angular velocity to these rates are for any axis
    sequence, whatever form the frame's orientation has. ``rotation angle`` is the angle about the one axis of the whole
    rotation, from 0 to half a turn. ``angle between axes`` is the angle from an axis of one frame to an axis of the
    other, such as the component ``z to x``; the default is each axis to the same one. ``residues`` describe a frame's
    orientation in its parent. Other signals belong to a sensor, a measurement, a point or an element. ``energy`` and
    the momenta (about the world's origin) are sums over all simulated bodies.

    `components` are the curves shown, such as ``x``, ``angle 2`` or the magnitude ``norm`` of a vector; the default is
    all except magnitudes. Angles continue beyond half a turn, except those in `wrapped`.

    With a `delay` the pose of the frame is the one at that earlier time, seen `through` a frame that counts as fixed
    meanwhile, such as ``odom``: tf's look-up with two times. The frames `relative_to` and `resolved_in` keep their
    present pose, even if one of them is the same frame. A frame relative to itself and resolved in itself gives its
    earlier pose relative to its present one, along its present axes.
    """

    signal: SignalKind
    of: str | None = None
    relative_to: str | None = None
    resolved_in: str | None = None
    through: str | None = None
    delay: Quantity | None = None
    sequence: str | None = None
    unit: Unit = None
    components: Annotated[tuple[str, ...], Field(min_length=1, max_length=24)] | None = None
    wrapped: Annotated[tuple[str, ...], Field(max_length=24)] = ()


class Plot(PlottedSignal):
    """A plot of a signal, and of more signals in `also`, in the same unit."""

    title: Text | None = None
    also: Annotated[tuple[PlottedSignal, ...], Field(max_length=7)] = ()

    @property
    def called(self) -> str:
        """Title of the plot, or its quantity if it has none."""
        return self.title or self.signal.capitalize()


AnswerForm = Literal["number", "sentence"]


class Answer(PlottedSignal):
    """A signal on a card over the picture: its present value as a number, or in words as a sentence."""

    form: AnswerForm = "number"


Share = Annotated[Number, Field(ge=0.0, le=1.0)]


class Note(Item):
    r"""A text in the picture: beside a point of a `frame`, at a place in the picture, or both with a line between.

    Line breaks are as in the file. ``**bold**`` is bold, ``$\omega$`` a formula within a line, and ``$$\omega$$`` a
    formula on its own line. `position` is a point in the frame, by default its origin. `at` is the place of the text's
    centre, as fractions of the width, from the left, and of the height, from the top; the default without a frame is at
    the top. The note is shown from `start` to `end`.
    """

    text: Annotated[Text, Field(min_length=1, max_length=1000)]
    frame: str | None = None
    position: Position | None = None
    at: tuple[Share, Share] | None = None
    size: Literal["small", "normal", "large"] = "normal"
    start: Quantity | None = None
    end: Quantity | None = None


HiddenNames = Annotated[tuple[str, ...], Field(max_length=12_000)]


class Hidden(Item):
    """Names of hidden items, by kind; a hidden frame has no triad, label, link, rings, arcs, stages and trail."""

    frames: HiddenNames = ()
    bodies: HiddenNames = ()
    points: HiddenNames = ()
    elements: HiddenNames = ()
    sensors: HiddenNames = ()
    measured: HiddenNames = ()
    notes: HiddenNames = ()


class View(Item):
    """The view of a scene; `triads`, `labels` and `links` are the defaults for frames without their own setting.

    `forces` is the length of the arrow of 1 N at a connection point, `torques` of 1 N m about a centre of mass; without
    them there are no arrows.
    """

    camera: Camera | None = None
    camera_path: CameraPath | None = None
    triad_length: Annotated[Quantity, POSITIVE] = Quantity(0.2, "m")
    grid: Annotated[Quantity, POSITIVE] = Quantity(0.5, "m")
    triads: bool = True
    labels: bool = True
    links: bool = True
    frames: FrozenDict[FrameLook] = FrozenDict()
    hidden: Hidden = Hidden()
    rings: Annotated[tuple[Rings, ...], Field(max_length=1000)] = ()
    arcs: Annotated[tuple[Arcs, ...], Field(max_length=100)] = ()
    stages: Annotated[tuple[IntermediateFrames, ...], Field(max_length=100)] = ()
    trails: Annotated[tuple[Trail, ...], Field(max_length=100)] = ()
    forces: Annotated[Quantity | None, POSITIVE] = None
    torques: Annotated[Quantity | None, POSITIVE] = None
    plots: Annotated[tuple[Plot, ...], Field(max_length=12)] = ()
    answers: Annotated[tuple[Answer, ...], Field(max_length=12)] = ()

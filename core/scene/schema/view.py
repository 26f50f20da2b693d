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
    """Appearance of a frame; for missing fields the defaults of the view apply."""

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
    """The past path of a frame's origin, which fades over `duration`.

    Without a duration, the trail is the whole path over the scene's time and does not fade.
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
    """A camera that moves on cubic curves through its keys, or on lines from key to key, in world coordinates."""

    keys: Annotated[tuple[CameraKey, ...], Field(min_length=2, max_length=1000)]
    unit: Unit = None
    interpolation: Literal["cubic", "linear"] = "cubic"


class PlottedSignal(Item):
    """A signal over time, fully specified: of, relative to, resolved in, unit.

    `framescope.core.scene.schema.signals` lists the fields that each signal needs. Signals of frames describe the frame
    `of` relative to a second frame, as an observer fixed in the second frame sees it, resolved in any third frame.
    Several signals take any axis sequence, whatever form the frame's orientation has: ``angles``, their rates, their
    nearness to gimbal lock (``singularity``), and the condition number of the map from angular velocity to these rates.
    ``rotation angle`` is the angle of the whole rotation about its axis, from 0 to half a turn. ``angle between axes``
    is the angle from an axis of one frame to an axis of the other, such as the component ``z to x``; the default is x
    to x, y to y and z to z. ``direction of z`` is the unit vector along the z axis of the frame, in axes of the second
    frame. ``range rate`` is the rate of the distance between the origins. ``pixel`` is the place of the frame in the
    image of a camera (a body of the form `camera`) on the second frame. ``residues`` describe a frame's orientation in
    its parent. Other signals belong to a sensor, a measurement, a point or an element. ``energy`` and the momenta
    (about the world's origin) are sums over all simulated bodies.

    `components` are the curves shown, such as ``x``, ``angle 2`` or the magnitude ``norm`` of a vector; the default is
    all except magnitudes. Angles continue beyond half a turn, except the components in `wrapped`.

    With a `delay`, the frame `of` has the pose of an earlier time, as in tf's look-up with two times. The frame
    `through`, such as ``odom``, counts as fixed meanwhile. The frames `relative_to` and `resolved_in` have their
    present pose, even if one of them is the frame `of`. A frame relative to itself and resolved in itself thus gives
    its earlier pose relative to its present pose, along its present axes.
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
        """Title of the plot; by default its quantity."""
        return self.title or self.signal.capitalize()


AnswerForm = Literal["number", "sentence"]


class Answer(PlottedSignal):
    """A signal on a card over the picture: its present value as a number, or in words as a sentence."""

    form: AnswerForm = "number"


Share = Annotated[Number, Field(ge=0.0, le=1.0)]


class Note(Item):
    r"""A text in the picture: at a point of a `frame`, at a place in the picture, or at a place with a line to a point.

    Line breaks are as in the file. ``**bold**`` is bold, ``$\omega$`` is a formula within a line, and ``$$\omega$$`` is
    a formula on its own line. `position` is a point in the frame, by default its origin. `at` is the centre of the
    text, as fractions of the width from the left and of the height from the top. Without `at` and `frame` the text is
    at the top. The note is shown from `start` to `end`.
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

    `forces` is the length of the arrow of 1 N at a connection point, and `torques` the length of the arrow of 1 N m
    about a centre of mass. Arrows without a length are not drawn. Axes are thin with `thin_triads`; without a value, if
    there are more than 20 of them.
    """

    camera: Camera | None = None
    camera_path: CameraPath | None = None
    triad_length: Annotated[Quantity, POSITIVE] = Quantity(0.2, "m")
    grid: Annotated[Quantity, POSITIVE] = Quantity(0.5, "m")
    triads: bool = True
    thin_triads: bool | None = None
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

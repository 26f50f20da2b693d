"""Schema of a step of a lesson: the moment that it shows, and the question that it asks."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from framescope.core.scene.schema.base import FrozenDict, Item, Number, Text, Vector3
from framescope.core.scene.schema.bounds import POSITIVE
from framescope.core.scene.schema.model import Frame
from framescope.core.scene.schema.poses import Axes, ConstantOrientation, OrientationForm
from framescope.core.scene.schema.quantities import Quantity
from framescope.core.scene.schema.view import Camera

Layout = Literal["Explore", "Teach", "Debug"]

TURN_TOLERANCE = Quantity(12.0, "deg")
"""By how much a hand may miss an orientation or a direction, and be right."""


# --- The moment


class Play(Item):
    """Time that runs from the moment of the step on: `to` when it stops, `speed` times as fast as it is."""

    to: Quantity
    speed: Annotated[Number, POSITIVE] = 1.0


class Staged(Item):
    """Rotation of a frame, shown turn by turn, after `turns` of them: 0 in its parent, 3 as it is.

    About its own `axes`, which move with it, or, the other way round, about the fixed ones of its parent.
    """

    frame: str
    turns: Annotated[Number, Field(ge=0.0, le=3.0)] = 0.0
    axes: Literal["moving", "fixed"] = "moving"


# --- Questions


class Question(Item):
    """What every question has: what it asks, hints, and what is said to a right answer, and to any other."""

    ask: Text
    hints: Annotated[tuple[Text, ...], Field(max_length=5)] = ()
    if_right: Text = ""
    if_wrong: Text = ""


class Option(Item):
    """One answer of several: its `text`, whether it is `right`, and the `reply` to it."""

    text: Text
    right: bool = False
    reply: Text = ""


class Choose(Question):
    """Choice of one answer out of several."""

    form: Literal["choose"] = "choose"
    options: Annotated[tuple[Option, ...], Field(min_length=2, max_length=8)]

    @model_validator(mode="after")
    def _has_one_right(self) -> Choose:
        if sum(option.right for option in self.options) != 1:
            raise ValueError("expected one option with right: true")
        return self


class Misreading(Item):
    """Wrong number that many come to, and the `reply` that names why."""

    value: Number
    reply: Text


class CurveMisreading(Item):
    """Wrong curve that many draw, another `signal` or an `expression` of t, and the `reply` that names why."""

    signal: Text = ""
    component: Annotated[str, Field(max_length=40)] = ""
    expression: Text = ""
    reply: Text

    @model_validator(mode="after")
    def _is_one_curve(self) -> CurveMisreading:
        if bool(self.signal) == bool(self.expression):
            raise ValueError("expected either signal or expression")
        return self


class NumberQuestion(Question):
    """A number in a `unit`, right within a `tolerance` in that unit; `misreadings` are wrong ones that many give."""

    form: Literal["number"] = "number"
    value: Number
    unit: Annotated[str, Field(max_length=40)] = ""
    tolerance: Annotated[Number, POSITIVE]
    misreadings: Annotated[tuple[Misreading, ...], Field(max_length=10)] = ()


class Turn(Question):
    """Orientation that a hand gives to a frame: it is turned as a ghost, from where the frame is.

    Right is where the frame is at a time, `at`, or an orientation, `to`, in its parent. Where the frame has angles of a
    sequence then, or `to` has, a wrong answer is compared with what those angles are in other readings.
    """

    form: Literal["turn"] = "turn"
    frame: str
    at: Quantity | None = None
    to: ConstantOrientation | None = None
    tolerance: Annotated[Quantity, POSITIVE] = TURN_TOLERANCE

    @model_validator(mode="after")
    def _has_one_target(self) -> Turn:
        if (self.at is None) == (self.to is None):
            raise ValueError("expected either at, a time, or to, an orientation")
        return self

    @property
    def angles(self) -> Axes | None:
        """The angles that `to` has."""
        return self.to if isinstance(self.to, Axes) else None


class Point(Question):
    """Direction that a hand gives to an arrow in the origin of a frame.

    Right is an `axis` with components in that frame, or in `resolved_in`, at the moment of the step. As an axis of
    rotation it may be pointed at from either side: `either_way`.
    """

    form: Literal["point"] = "point"
    frame: str
    axis: Vector3
    resolved_in: str = ""
    either_way: bool = False
    tolerance: Annotated[Quantity, POSITIVE] = TURN_TOLERANCE


class Sketch(Question):
    """Curve of a signal over time, drawn by hand; right within a `tolerance`, part of its range.

    `misreadings` are wrong curves that many draw, in the unit of the signal.
    """

    form: Literal["sketch"] = "sketch"
    signal: Text
    component: Annotated[str, Field(max_length=40)] = ""
    start: Quantity
    end: Quantity
    tolerance: Annotated[Number, Field(gt=0.0, le=1.0)] = 0.2
    misreadings: Annotated[tuple[CurveMisreading, ...], Field(max_length=10)] = ()


AnyQuestion = Annotated[Choose | NumberQuestion | Turn | Point | Sketch, Field(discriminator="form")]


# --- The step


class Moment(Item):
    """What a step shows; what it leaves out is as in the step before, of the same scene.

    `scene` is an example, or a scene file beside the lesson. `parameters`, `orientations` and whole `frames` change the
    scene, as far as the next step with the same scene that changes them back. `lit` are the frames that decide. `plots`
    are titles of plots of the scene that are seen in this step alone: any other might tell what is to be found.
    """

    scene: Annotated[str, Field(max_length=300)] = ""
    time: Quantity | None = None
    play: Play | None = None
    camera: Camera | None = None
    layout: Layout | None = None
    select: str | None = None
    lit: Annotated[tuple[str, ...] | None, Field(max_length=20)] = None
    hide: Annotated[tuple[str, ...] | None, Field(max_length=200)] = None
    parameters: FrozenDict[Number] = FrozenDict()
    orientations: FrozenDict[OrientationForm] = FrozenDict()
    frames: FrozenDict[Frame] = FrozenDict()
    staged: Staged | None = None
    plots: Annotated[tuple[str, ...], Field(max_length=20)] = ()
    question: AnyQuestion | None = None
    notes: Text = ""

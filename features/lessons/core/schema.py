"""Schema of a step of a lesson: its moment and its question."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BeforeValidator, Field, model_validator

from framescope.core.scene.schema.base import FrozenDict, Item, Number, Text, Vector3
from framescope.core.scene.schema.bounds import POSITIVE
from framescope.core.scene.schema.model import Frame
from framescope.core.scene.schema.poses import Axes, ConstantOrientation, OrientationForm, ThreeAngles, as_moving
from framescope.core.scene.schema.quantities import Quantity
from framescope.core.scene.schema.view import Camera

OLD_PLACES = {"Explore": "Build", "Teach": "Learn", "Debug": "Check"}
"""Places of the window by the names that older lessons have for them."""

Layout = Annotated[
    Literal["Build", "Learn", "Check"],
    BeforeValidator(lambda name: OLD_PLACES.get(name, name) if isinstance(name, str) else name),
]
"""Place of the window that a step shows."""

Stage = Literal["scene", "both", "panel"]
"""Parts of the window that a step shows large: the scene, a panel, or both side by side."""

TURN_TOLERANCE = Quantity(12.0, "deg")
"""Default tolerance of an orientation or a direction that a user drags."""


# --- The moment

MAX_OPTIONS = 8
"""Largest number of answers to choose from; digits choose them by the keyboard."""


class Play(Item):
    """Playback from the time of the step on: time `to` at which it stops, and `speed` relative to real time."""

    to: Quantity
    speed: Annotated[Number, POSITIVE] = 1.0


class Staged(Item):
    """Rotation of a frame, shown turn by turn, after 0 (no rotation) to 3 (its orientation) `turns`.

    The turns are about the moving `axes` of the frame, or in reverse order about the fixed axes of its parent.
    """

    frame: str
    turns: Annotated[Number, Field(ge=0.0, le=3.0)] = 0.0
    axes: Literal["moving", "fixed"] = "moving"


# --- Questions


class Question(Item):
    """Common keys of all questions: the text to `ask`, hints, and the replies to right and to wrong answers."""

    ask: Text
    hints: Annotated[tuple[Text, ...], Field(max_length=5)] = ()
    if_right: Text = ""
    if_wrong: Text = ""


class Option(Item):
    """Option of a multiple-choice question: its `text`, whether it is `right`, and the `reply` to it."""

    text: Text
    right: bool = False
    reply: Text = ""


class Choose(Question):
    """Multiple-choice question with one right option."""

    form: Literal["choose"] = "choose"
    options: Annotated[tuple[Option, ...], Field(min_length=2, max_length=MAX_OPTIONS)]

    @model_validator(mode="after")
    def _has_one_right(self) -> Choose:
        if sum(option.right for option in self.options) != 1:
            raise ValueError("expected one option with right: true")
        return self


class Misreading(Item):
    """Common wrong number, and the `reply` that explains it."""

    value: Number
    reply: Text


class CurveMisreading(Item):
    """Common wrong curve, another `signal` or an `expression` of t, and the `reply` that explains it."""

    signal: Text = ""
    component: Annotated[str, Field(max_length=40)] = ""
    expression: Text = ""
    reply: Text

    @model_validator(mode="after")
    def _is_one_curve(self) -> CurveMisreading:
        if bool(self.signal) == bool(self.expression):
            raise ValueError("expected either signal or expression")
        return self


class DirectionMisreading(Item):
    """Common wrong direction, an `axis` with components in `resolved_in`, and the `reply` that explains it.

    Without `resolved_in` the components are in the frame of the question.
    """

    axis: Vector3
    resolved_in: str = ""
    reply: Text


class NumberQuestion(Question):
    """Question for a number in a `unit`, with a `tolerance` in that unit; `misreadings` are common wrong numbers."""

    form: Literal["number"] = "number"
    value: Number
    unit: Annotated[str, Field(max_length=40)] = ""
    tolerance: Annotated[Number, POSITIVE]
    misreadings: Annotated[tuple[Misreading, ...], Field(max_length=10)] = ()


class Turn(Question):
    """Question for the orientation of a frame. The user rotates a ghost of the frame.

    The right orientation in its parent is the one of the frame at a time, `at`, or a given one, `to`. Where it has
    angles of an axis sequence, a wrong answer is compared with other readings of these angles. The sliders of the
    answer are `by` another sequence than the angles that the text gives, so that nobody can copy the numbers.
    """

    form: Literal["turn"] = "turn"
    frame: str
    at: Quantity | None = None
    to: ConstantOrientation | None = None
    by: Annotated[str, Field(max_length=3)] = ""
    tolerance: Annotated[Quantity, POSITIVE] = TURN_TOLERANCE

    @model_validator(mode="after")
    def _has_one_target(self) -> Turn:
        if (self.at is None) == (self.to is None):
            raise ValueError("expected either at, a time, or to, an orientation")
        return self

    @property
    def angles(self) -> Axes | None:
        """Angles of `to` about moving axes; None where it has another form."""
        return as_moving(self.to) if isinstance(self.to, ThreeAngles) else None


class PointQuestion(Question):
    """Question for a direction. The user rotates an arrow at the origin of a frame.

    The right direction is an `axis` with components in that frame, or in `resolved_in`, at the time of the step. With
    `either_way` the opposite direction is right as well, as for an axis of rotation. The arrow begins along `start`,
    with components in the frame; by default along a direction that is far from the right one in the picture.

    `misreadings` are common wrong directions.
    """

    form: Literal["point"] = "point"
    frame: str
    axis: Vector3
    resolved_in: str = ""
    either_way: bool = False
    tolerance: Annotated[Quantity, POSITIVE] = TURN_TOLERANCE
    start: Vector3 | None = None
    misreadings: Annotated[tuple[DirectionMisreading, ...], Field(max_length=10)] = ()


class Sketch(Question):
    """Question for the curve of a signal over time, drawn by hand; `tolerance` is a fraction of its range.

    `misreadings` are common wrong curves, in the unit of the signal.
    """

    form: Literal["sketch"] = "sketch"
    signal: Text
    component: Annotated[str, Field(max_length=40)] = ""
    start: Quantity
    end: Quantity
    tolerance: Annotated[Number, Field(gt=0.0, le=1.0)] = 0.2
    misreadings: Annotated[tuple[CurveMisreading, ...], Field(max_length=10)] = ()


AnyQuestion = Annotated[Choose | NumberQuestion | Turn | PointQuestion | Sketch, Field(discriminator="form")]


# --- The step


class LessonMoment(Item):
    """State of the scene in a step. Keys that are left out keep their value from the previous step of the same scene.

    `scene` is an example, or a scene file beside the lesson. `parameters`, `orientations` and whole `frames` change the
    scene until a later step with the same scene changes them back. `lit` are the highlighted frames. `hide` names
    items, or parts of the picture: ``arcs``, ``cards``, ``forces``, ``torques``, ``rings``, ``trails``. `plots` are
    titles of the plots of the scene that this step shows. All other plots are hidden, as they might reveal the answer.
    `panel` is a panel or laboratory that the window shows large in this step; `stage` is whether beside the scene (the
    default), or alone. `light` is an axis or an arrow to light, with the rest dimmed. At a `pause` the question is for
    the class: going on first shows the right answer.
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
    panel: Annotated[str, Field(max_length=40)] = ""
    stage: Stage | None = None
    light: Annotated[str, Field(max_length=200)] = ""
    pause: bool = False
    question: AnyQuestion | None = None
    notes: Text = ""

    @model_validator(mode="after")
    def _is_staged_whole(self) -> LessonMoment:
        if self.stage in ("both", "panel") and not self.panel:
            raise ValueError("expected panel, the name of the panel on the stage")
        if self.pause and self.question is None:
            raise ValueError("expected a question for the pause")
        return self

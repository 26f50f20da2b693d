"""Schema of films: shots of a scene one after another, with cameras, looks of items, insets and texts.

Times of a camera key, a cue, an inset or a text count from the start of their shot. `start` and `end` of a shot are
times of the scene.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from framescope.core.scene.schema.base import Item, Number, Text, Unit, Vector3
from framescope.core.scene.schema.bounds import NOT_NEGATIVE, POSITIVE
from framescope.core.scene.schema.quantities import Quantity
from framescope.core.scene.schema.view import Answer, Camera, Hidden, Plot, Share

Easing = Literal["linear", "ease in", "ease out", "ease in and out"]
"""Course of a motion between its ends: at constant speed, or slower at one end or at both."""

Side = Annotated[int, Field(ge=64, le=7680)]

# --- Cameras


class ShotCamera(Item):
    """Common key of the cameras of shots: the duration of a `blend` from the camera of the previous shot.

    Without a blend, the camera cuts.
    """

    blend: Annotated[Quantity | None, NOT_NEGATIVE] = None


class SceneCamera(ShotCamera):
    """The camera of the scene, or its path."""

    form: Literal["scene"] = "scene"


class PoseCamera(Camera, ShotCamera):
    """A camera at rest."""

    form: Literal["pose"] = "pose"


class ShotCameraKey(Item):
    """Key of a camera's path at a `time` of the shot, and the easing of the way to the next key."""

    time: Annotated[Quantity, NOT_NEGATIVE]
    position: Vector3
    focal_point: Vector3
    up: Vector3 = (0.0, 0.0, 1.0)
    view_angle: Annotated[Quantity, POSITIVE] = Quantity(30.0, "deg")
    easing: Easing = "ease in and out"


class PathCamera(ShotCamera):
    """A camera that moves from key to key, around the point between their focal points."""

    form: Literal["path"] = "path"
    keys: Annotated[tuple[ShotCameraKey, ...], Field(min_length=1, max_length=1000)]
    unit: Unit = None


class OrbitCamera(ShotCamera):
    """A camera that orbits its focal point about the vertical by an `angle` during the shot, counter-clockwise.

    It starts at `pose`, by default at the camera of the scene.
    """

    form: Literal["orbit"] = "orbit"
    angle: Quantity = Quantity(360.0, "deg")
    pose: Camera | None = None
    easing: Easing = "linear"


class FollowCamera(ShotCamera):
    """A camera that follows a frame, and with `turning` also rotates with it.

    It has `pose` at the start of the shot, by default the camera of the scene.
    """

    form: Literal["follow"] = "follow"
    frame: str
    turning: bool = False
    pose: Camera | None = None


class DollyCamera(ShotCamera):
    """A camera that moves, without turning, until frames fill the picture; by default the frames that are lit.

    It starts at `pose`, by default at the camera of the scene, moves during `duration`, by default the whole shot, and
    stops at `distance` times the distance at which the frames fill the picture.
    """

    form: Literal["dolly"] = "dolly"
    to: Annotated[tuple[str, ...], Field(max_length=100)] = ()
    pose: Camera | None = None
    duration: Annotated[Quantity | None, POSITIVE] = None
    distance: Annotated[Number, Field(ge=0.1, le=20.0)] = 1.0
    easing: Easing = "ease in and out"


AnyShotCamera = Annotated[
    SceneCamera | PoseCamera | PathCamera | OrbitCamera | FollowCamera | DollyCamera, Field(discriminator="form")
]

# --- What is in the picture

# fmt: off
Part = Literal[
    "x", "y", "z", "triad", "label", "link", "rings", "arcs", "stages", "trail",
    "v", "a", "w", "s",
]
# fmt: on
"""Part of a frame: an axis, all axes, name, link to the parent, rings, arcs, intermediate frames, trail. Part of a
sensor: its arrow of v, a, w, z or s."""

CueLook = Literal["shown", "hidden", "faint", "lit", "pulse", "drawn on"]


class Cue(Hidden):
    """Look of items during a part of a shot; the items are listed by kind, as those that a view hides.

    ``shown`` items are hidden before `start` and after `end`. ``hidden``, ``faint`` and ``lit`` items have that look
    from `start` to `end`; what is not lit dims. ``pulse`` is a halo that comes and goes. ``drawn on`` items grow from
    their origin during `fade`. Without `start` the look begins with the shot, without `end` it lasts to its end.
    `fade` is the duration of each change. `opacity` is that of ``faint`` items. With `parts`, only these parts of
    frames or sensors.
    """

    look: CueLook
    parts: Annotated[tuple[Part, ...], Field(max_length=16)] = ()
    start: Annotated[Quantity | None, NOT_NEGATIVE] = None
    end: Annotated[Quantity | None, NOT_NEGATIVE] = None
    fade: Annotated[Quantity, NOT_NEGATIVE] = Quantity(0.5, "s")
    opacity: Share = 0.25


# fmt: off
Place = Literal[
    "center", "top", "bottom", "left", "right", "upper left", "upper right", "lower left", "lower right",
]
# fmt: on


class Timed(Item):
    """Common keys of insets and texts: from `start` to `end`, each change during `fade`."""

    start: Annotated[Quantity | None, NOT_NEGATIVE] = None
    end: Annotated[Quantity | None, NOT_NEGATIVE] = None
    fade: Annotated[Quantity, NOT_NEGATIVE] = Quantity(0.4, "s")


# fmt: off
FilmPanelName = Literal[
    "readouts", "gimbal", "drift", "quaternion", "quaternion ball", "quaternion product", "shift",
]
# fmt: on
"""Panel that a film shows: read-outs, laboratories, views of a quaternion, or the shift of a velocity."""


class Inset(Timed):
    """A plot, a read-out or a panel over the picture.

    It shows one of: a `plot` of the view by its title or number, the `curves` of another plot, the `answer` to a
    question, or a `panel`, such as a laboratory, that follows the frame `of`. `width` is that of a plot or a panel, as
    a fraction of the picture; a panel of width 1 fills the picture, and upright pictures show plots at full width. With
    `draws` the curves of a plot end at the present time. Where a text or another inset is in the way, the inset moves
    above or below it, or takes another corner.
    """

    plot: Annotated[Text | int, Field(union_mode="left_to_right")] | None = None
    curves: Plot | None = None
    answer: Answer | None = None
    panel: FilmPanelName | None = None
    of: str | None = None
    place: Place = "upper right"
    width: Annotated[Number, Field(ge=0.1, le=1.0)] = 0.36
    draws: bool = False

    @property
    def is_empty(self) -> bool:
        """Whether it shows nothing."""
        has_panel = self.panel is not None and self.of is not None
        return self.plot is None and self.curves is None and self.answer is None and not has_panel


class FilmText(Timed):
    r"""A text over the picture: a title, a lower third, a caption, or a text or formula on a plate.

    ``$\omega$`` is a formula within a line, ``$$\omega$$`` a formula on its own line, ``**bold**`` is bold. `below` is
    a second, smaller line of a title or a lower third. `at` is the centre of the text as fractions of the width from
    the left and of the height from the top, in place of `place`. Captions are the subtitles of the film.
    """

    text: Annotated[Text, Field(min_length=1)]
    form: Literal["title", "lower third", "caption", "text", "formula"] = "text"
    below: Text = ""
    place: Place | None = None
    at: tuple[Share, Share] | None = None
    size: Literal["small", "normal", "large"] = "normal"


class StagedTurns(Item):
    """Rotation of a frame shown turn by turn, from the first to the second of `turns`, each from 0 to 3.

    The turns are about the moving `axes` of the frame, or in reverse order about the fixed axes of its parent. `pause`
    is the rest after each turn.
    """

    frame: str
    turns: tuple[Annotated[Number, Field(ge=0.0, le=3.0)], Annotated[Number, Field(ge=0.0, le=3.0)]] = (0.0, 3.0)
    axes: Literal["moving", "fixed"] = "moving"
    pause: Annotated[Quantity, NOT_NEGATIVE] = Quantity(0.5, "s")


class Transition(Item):
    """Transition from the previous shot: a cut, a fade through the background, or a cross-fade.

    A fade takes half of its `duration` from each shot. A cross-fade takes the first `duration` of the later shot, while
    the earlier one continues.
    """

    form: Literal["cut", "fade", "cross-fade"] = "cross-fade"
    duration: Annotated[Quantity, NOT_NEGATIVE] = Quantity(1.0, "s")


class Shot(Item):
    """A shot of a film, which is a chapter if it has a `title`.

    It shows the scene from `start` to `end`, at a `speed` or for a `duration`. Without `end` and `speed` the scene
    rests at `start`. `start` is by default the end of the previous shot. During the last `freeze` of the shot the scene
    rests at `end`.
    """

    title: Text = ""
    start: Quantity | None = None
    end: Quantity | None = None
    duration: Annotated[Quantity | None, POSITIVE] = None
    speed: Annotated[Number | None, POSITIVE] = None
    easing: Easing = "linear"
    freeze: Annotated[Quantity | None, NOT_NEGATIVE] = None
    camera: AnyShotCamera | None = None
    items: Annotated[tuple[Cue, ...], Field(max_length=200)] = ()
    insets: Annotated[tuple[Inset, ...], Field(max_length=12)] = ()
    texts: Annotated[tuple[FilmText, ...], Field(max_length=50)] = ()
    staged: StagedTurns | None = None
    transition: Transition | None = None


class Subtitles(Item):
    """Subtitles of a film, from the captions of its shots, in a WebVTT file beside it; `burnt` also draws them."""

    language: Annotated[str, Field(min_length=2, max_length=35, pattern=r"^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$")] = "en"
    burnt: bool = False


class EndCard(Item):
    """Last picture of a film: a title, lines of text, and the licence, which the file states, too."""

    title: Text = ""
    text: Text = ""
    licence: Annotated[Text, Field(max_length=1000)] = ""
    duration: Annotated[Quantity, POSITIVE] = Quantity(5.0, "s")
    transition: Transition | None = Transition()


class Film(Item):
    """A film of the scene: shots, and the size and frames per second that an export uses.

    `sound` is an audio file beside the scene, laid under the film. `clock` shows the time of the scene.
    """

    title: Text = ""
    shots: Annotated[tuple[Shot, ...], Field(min_length=1, max_length=200)]
    size: tuple[Side, Side] | None = None
    fps: Annotated[Number | None, Field(gt=0.0, le=1000.0)] = None
    sound: str | None = None
    subtitles: Subtitles | None = None
    end_card: EndCard | None = None
    clock: bool = False

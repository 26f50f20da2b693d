"""What can be exported, in the words of the dialog, and what a person chooses of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from typing import Any, Protocol, cast

Size = tuple[int, int]


class FormatLike(Protocol):
    """What the dialog has to know of a format: the options it takes, and its bounds."""

    @property
    def takes(self) -> frozenset[str]: ...
    @property
    def is_even(self) -> bool: ...
    @property
    def fps(self) -> float: ...
    @property
    def max_fps(self) -> float: ...


@dataclass(frozen=True)
class Offer:
    """One thing that can be exported.

    Attributes
    ----------
    key, suffix, group
        What it is remembered by, the ending of its file, and the heading it stands under.
    title, use
        What it is, and what it is good for.
    takes
        Names of the options that mean something to it.
    is_even
        Whether width and height must be even.
    fps, max_fps
        Frames, or rows, a second: at first, and at most.
    is_still
        Whether it is one picture of a moment.
    """

    key: str
    suffix: str
    group: str
    title: str
    use: str
    takes: frozenset[str]
    is_even: bool = False
    fps: float = 30.0
    max_fps: float = 1000.0
    is_still: bool = False

    @property
    def is_seen(self) -> bool:
        """Whether there is something to see of it beforehand."""
        return "theme" in self.takes

    @property
    def kin(self) -> str:
        """What has sizes and rates like it."""
        return "looping" if self.key in _LOOPING else self.group

    @property
    def size(self) -> str:
        """The name of its size at first."""
        return "small" if self.key in _LOOPING else "1080p"

    @property
    def is_table(self) -> bool:
        """Whether it has rows instead of frames."""
        return self.group == _NUMBERS


_FILMS, _PICTURES, _MODELS, _NUMBERS, _SCENE = "Film", "Pictures", "Moving model", "Numbers", "Scene"

_LOOPING = ("gif", "apng")
_STILLS = ("still", "svg", "pdf")

_WORDS = (
    ("mp4", ".mp4", _FILMS, "Video, MP4", "Plays everywhere: lectures, slides, phones"),
    ("webm", ".webm", _FILMS, "Video, WebM", "For web pages; the ground can be left out"),
    ("gif", ".gif", _FILMS, "GIF", "Plays by itself in mail and chats; 256 colours"),
    ("apng", ".apng", _FILMS, "APNG", "As a GIF, with all colours and a clear ground"),
    ("still", ".png", _PICTURES, "Picture, PNG", "One moment, up to 8K: slides and posters"),
    ("svg", ".svg", _PICTURES, "Picture, SVG", "For papers: text and plots as vectors"),
    ("pdf", ".pdf", _PICTURES, "Picture, PDF", "The same for LaTeX, with its fonts"),
    ("frames", ".png", _PICTURES, "Numbered pictures, PNG", "For cutting; goes on where it was left"),
    ("glb", ".glb", _MODELS, "Model, GLB", "Moves in Blender, slides and on the web"),
    ("usd", ".usdc", _MODELS, "Model, USD", "For film and robotics, such as Omniverse"),
    ("html", ".html", _MODELS, "Page, HTML", "One file to turn and play in any browser, offline"),
    ("csv", ".csv", _NUMBERS, "Table, CSV", "Poses, velocities and sensors, for any program"),
    ("parquet", ".parquet", _NUMBERS, "Table, Parquet", "The same with types, for pandas and polars"),
    ("npz", ".npz", _NUMBERS, "Arrays, NPZ", "The same for numpy"),
    ("zip", ".zip", _SCENE, "Bundle, ZIP", "The scene with all its files, to hand on"),
)

STILL_TAKES = frozenset(
    {"size", "theme", "bare", "angle_unit", "moment", "eye", "layout", "plots", "frame"}
    | {"text_size", "captions", "title", "license"}
)


def offers(formats: Mapping[str, FormatLike]) -> tuple[Offer, ...]:
    """Return what is offered of the formats, by their suffixes."""
    found: list[Offer] = []
    for key, suffix, group, title, use in _WORDS:
        made = formats.get(suffix)
        if key in _STILLS:
            takes = STILL_TAKES | ({"transparent"} if suffix == ".png" else set())
            found.append(Offer(key, suffix, group, title, use, takes, is_still=True))
        elif made is not None:
            found.append(
                Offer(key, suffix, group, title, use, made.takes, made.is_even, made.fps, min(made.max_fps, 1000.0))
            )
    return tuple(found)


@dataclass(frozen=True)
class ExportChoice:
    """How something is to be exported; what the format does not take means nothing.

    `time` is ``"whole"``, ``"part"`` (that of the timeline) or ``"own"``, from `start` to `stop`, s. `plots` are those
    shown, by number from 0, None for all; `frame` is the one whose numbers a lecture shows. `is_eye` is whether the
    window's camera takes the place of the scene's; `turns` is 0 for none. `speed` is seconds of the scene in one of the
    film, `hold` how long its end stays, s; `text_size` is 1 for the usual one. `accuracy`
    is an angle, degrees.
    """

    key: str = "mp4"
    size: Size = (1920, 1080)
    is_size_of_window: bool = False
    fps: float | None = None
    accuracy: float = 0.005
    time: str = "whole"
    start: float = 0.0
    stop: float = 0.0
    moment: float = 0.0
    theme: str = "dark"
    is_theme_of_window: bool = False
    transparent: bool = False
    bare: bool = False
    long: bool = False
    layout: str = "scene"
    plots: tuple[int, ...] | None = None
    frame: str = ""
    is_eye: bool = False
    follow: str = ""
    turning: bool = False
    turns: int = 0
    bounce: bool = False
    speed: float = 1.0
    hold: float = 0.0
    captions: tuple[str, ...] = ()
    text_size: float = 1.0
    quality: str = "good"
    title: str = ""
    license: str = ""

    def stored(self) -> dict[str, Any]:
        """Return what is remembered of it: nothing that belongs to one scene."""
        return {name: value for name, value in asdict(self).items() if name not in _OF_ONE_SCENE}


_OF_ONE_SCENE = frozenset(
    {"time", "start", "stop", "moment", "plots", "frame", "follow", "turning", "captions", "title"}
)


@dataclass(frozen=True)
class SceneFacts:
    """What the dialog says of the scene and the window.

    Attributes
    ----------
    start, end, t, part
        Its time range, the present moment, and the part that the timeline plays, s.
    view_size
        Of the scene in the window, device pixels.
    frames, plots
        Names of the frames, and titles of the plots.
    frame
        The one that is selected; empty when none is.
    problems
        What is wrong with the scene, in a sentence; empty when nothing is.
    title
        That of the scene.
    theme
        Name of the window's.
    """

    start: float
    end: float
    t: float
    part: tuple[float, float] | None
    view_size: Size
    frames: tuple[str, ...] = ()
    plots: tuple[str, ...] = ()
    frame: str = ""
    problems: str = ""
    title: str = ""
    theme: str = "dark"


@dataclass(frozen=True)
class ChoiceVerdict:
    """What is said of a choice before it is made.

    Attributes
    ----------
    fault, of
        What keeps it from being made, in a sentence, and the option it is about; empty when it can be.
    told
        What will come of it: frames and seconds.
    size
        The pixels it has.
    left_out
        What of the scene it cannot hold, in a sentence; empty when it holds all.
    """

    fault: str = ""
    of: str = ""
    told: str = ""
    size: Size = (16, 9)
    left_out: str = ""


def choice_of(stored: object, facts: SceneFacts) -> ExportChoice:
    """Return what was remembered, as far as it can be read and fits the scene; the window's theme where none was."""
    plain = ExportChoice(
        start=facts.start,
        stop=facts.end,
        moment=facts.t,
        theme=facts.theme,
        is_theme_of_window=True,
        frame=facts.frame,
        time="whole" if facts.part is None else "part",
    )
    if not isinstance(stored, dict):
        return plain
    said = cast("dict[str, Any]", stored)
    found: dict[str, Any] = {}
    for field in fields(ExportChoice):
        value = said.get(field.name)
        if field.name == "size" and isinstance(value, list):
            sides = cast("list[Any]", value)
            if len(sides) == 2 and all(type(side) is int for side in sides):
                found["size"] = (sides[0], sides[1])
        elif field.name == "fps" and isinstance(value, int | float) and not isinstance(value, bool):
            found["fps"] = float(value)
        elif field.name not in _OF_ONE_SCENE and type(value) is type(getattr(plain, field.name)):
            found[field.name] = value
    choice = replace(plain, **found)
    return replace(choice, theme=facts.theme) if choice.is_theme_of_window else choice

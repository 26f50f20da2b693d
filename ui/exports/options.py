"""Options of an export. Command line, dialog, checks, cluster jobs and help are derived from this list.

An option is a field of `ExportOptions`. A format names the options that it takes. This module does not need Qt.
"""

# ruff: noqa: RUF009 - an option is a field of the class, made anew for each

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from framescope.core.errors import did_you_mean

if TYPE_CHECKING:
    from framescope.ui.scene_view.camera.camera import CameraState

Size = tuple[int, int]
Check = Callable[[Any], str]
"""Function that returns a sentence on the problem of a value; empty if it is valid."""

MIN_TEXT_SIZE, MAX_TEXT_SIZE = 0.5, 3.0
"""Smallest and largest factor for the size of text."""

MAX_FPS = 1000.0
MIN_SPEED, MAX_SPEED = 0.001, 1000.0
MAX_HOLD = 3600.0
MAX_SAMPLES = 16
MAX_JOBS = 256
MAX_WORDS = 1000
"""Maximum length of a title or a licence, characters."""

ACCURACY_DEG = 0.005
"""Default error of a model between its samples, degrees: half the last digit of displayed angles."""
FINEST_DEG, COARSEST_DEG = 1e-5, 5.0


@dataclass(frozen=True)
class Ask:
    """Field of an option in the dialog.

    Attributes
    ----------
    kind
        A box of entries, a box of common numbers, a typed number, a line of text, several lines, or a check box.
    name
        Name for screen readers, and text of a check box.
    entries
        Text and value of each entry; for numbers, the common ones.
    unit
        Unit after a number, removed again when parsing.
    label
        Label of the row. An option without one shares the row of another option.
    before, after
        Texts around the field in its row.
    hint, tip
        Placeholder of the empty field, and tooltip.
    """

    kind: Literal["box", "numbers", "seconds", "number", "words", "lines", "tick"]
    name: str
    entries: tuple[tuple[str, object], ...] = ()
    unit: str = ""
    label: str = ""
    before: str = ""
    after: str = ""
    hint: str = ""
    tip: str = ""


@dataclass(frozen=True)
class Option:
    """Properties of an option besides its name and type.

    Attributes
    ----------
    kind
        Type on the command line.
    help, still_help
        Help on the command line and in the documentation; for pictures, where that differs. Users cannot give an option
        without help.
    default, still_default
        Value when the option is left out; None where the format or the scene decides.
    check
        Check of a value by itself.
    ask
        Field in the dialog.
    flag, metavar
        Name on the command line, and placeholder of its value there.
    bounds
        Limits of a number that the command line checks itself.
    parse, text
        Functions that parse the text on the command line, and format it.
    is_of_scene
        Whether the value is meaningless for another scene.
    """

    kind: Any
    help: str = ""
    still_help: str = ""
    default: Any = None
    still_default: Any = None
    check: Check | None = None
    ask: Ask | None = None
    flag: str = ""
    metavar: str | None = None
    bounds: tuple[float | None, float | None] = (None, None)
    parse: Callable[[Any], Any] | None = None
    text: Callable[[Any], str] | None = None
    is_of_scene: bool = False


def option(kind: Any, help: str = "", **more: Any) -> Any:  # noqa: A002 - typer's word
    """Return a field of `ExportOptions`, see `Option`."""
    return field(default=False if kind is bool else None, metadata={"option": Option(kind, help, **more)})


# --- Checks of a value by itself ------------------------------------------------------------------------------------


def between(low: float, high: float, what: str = "", hint: str = "", start: str = "expected") -> Check:
    """Return a check of a number in a range."""

    def check(value: float) -> str:
        message = f"{start} {low:g} to {high:g} {what}".strip()
        return "" if low <= value <= high else f"{message}, got {value:g}. {hint}".strip()

    return check


def one_of(*names: str, is_near: bool = True) -> Check:
    """Return a check of a word among several. Its message suggests the nearest."""

    def check(value: str) -> str:
        if value in names:
            return ""
        *first, last = names
        near = did_you_mean(value, names) if is_near else ""
        return f'expected {", ".join(first)} or {last}, got "{value}". {near}'.strip()

    return check


def _rate(value: float) -> str:
    is_right = 0.0 < value <= MAX_FPS
    return "" if is_right else f"expected more than 0 and at most {MAX_FPS:g}, got {value:g}."


def _finite(value: float) -> str:
    return "" if math.isfinite(value) else f"expected a number of seconds, got {value:g}."


def _line(words: str) -> str:
    if len(words) > MAX_WORDS:
        return f"expected at most {MAX_WORDS} letters, got {len(words)}."
    is_line = all(unicodedata.category(letter) != "Cc" for letter in words)
    return "" if is_line else "expected one line of text, without control characters."


MAX_HOSTS = 20
_ORIGIN = re.compile(r"https?://[a-z0-9.\-]+(?::\d{1,5})?", re.ASCII)


def _origins(hosts: Sequence[str]) -> str:
    if len(hosts) > MAX_HOSTS:
        return f"expected at most {MAX_HOSTS} origins, got {len(hosts)}."
    wrong = [host for host in hosts if not _ORIGIN.fullmatch(host)]
    return f'expected an origin such as https://course.example, without a path, got "{wrong[0]}".' if wrong else ""


# --- Texts on the command line ------------------------------------------------------------------------------


def size_of(text: str) -> Size:
    """Parse width and height such as ``1280x720``."""
    width, _, height = text.lower().partition("x")
    if not (width.isdecimal() and height.isdecimal()):
        raise ValueError(f'expected width x height such as 1280x720, got "{text}".')
    return int(width), int(height)


def size_text(size: Size) -> str:
    """Return width and height as typed on the command line."""
    return f"{size[0]}x{size[1]}"


def several(texts: Sequence[str]) -> list[str] | None:
    """Split the values of an option that can be repeated or separated by semicolons. Return None for no values."""
    return [part.strip() for text in texts for part in text.split(";") if part.strip()] if texts else None


# --- The options ----------------------------------------------------------------------------------------------------

SIZES: dict[str, Size] = {
    "720p": (1280, 720),
    "1080p": (1920, 1080),
    "4K": (3840, 2160),
    "8K": (7680, 4320),
    "square": (1080, 1080),
    "small": (640, 360),
}
RATES = (10, 15, 24, 25, 30, 50, 60)
TABLE_RATES = (1, 10, 30, 100, 1000)
_CAPTIONS_TIP = (
    "One per line, after the scene time at which it appears: 2.5: Then the pitch. "
    "A time may also be 500 ms or 1:30. Without a time it appears at the start. "
    "Each stays until the next one, the last until the end; "
    "a time without text (4:) ends the one before."
)
_HOSTS_HINT = "https://course.example"
_HOSTS_TIP = (
    "Sites whose pages may embed this one and exchange messages with it; empty for the one that its address names"
)
_CAPTIONS_HINT = "2.5: Then the pitch\nOne per line. Without a time it appears at the start"
_ACCURACIES = (
    ("0.001° between samples", 0.001),
    ("0.005°, as exact as read-outs", 0.005),
    ("0.05°, to look at", 0.05),
    ("0.5°, for a small file", 0.5),
)
COLOURS = {"Dark": "dark", "Light": "light", "White, for papers": "white"}
_LAYOUTS = (("The scene alone", "scene"), ("With plots", "plots"), ("As a lecture", "lecture"))
QUALITIES = {"Small file": "small", "Good": "good", "Best, large file": "best"}
_SPEEDS = tuple((f"{speed:g}", speed) for speed in (0.1, 0.25, 0.5, 1.0, 2.0, 5.0, 10.0))
_TEXT_SIZES = tuple((f"{100 * size:g}", size) for size in (0.75, 1.0, 1.25, 1.5, 2.0, 3.0))


@dataclass(frozen=True)
class ExportOptions:
    """Options of an export. Fields that are None or False get their defaults from `fill_defaults`."""

    moment: float | None = option(
        float,
        "For trees of frames, some of which move: time of the poses, s.",
        still_help="The time, s; the start of the scene by default.",
        flag="--time",
        ask=Ask("seconds", "time, seconds", label="Time", after="s"),
        is_of_scene=True,
    )
    size: Size | None = option(
        str,
        "Width and height in pixels; 1280x720 by default.",
        still_help="Width and height in pixels, up to 7680x4320.",
        default=(1280, 720),
        still_default=(1920, 1080),
        parse=size_of,
        text=size_text,
    )
    fps: float | None = option(
        float,
        "Frames, or rows of a table, per second; 30 by default, 25 for a GIF.",
        check=_rate,
        ask=Ask("numbers", "frames a second", label="Frames a second"),
    )
    accuracy: float | None = option(
        float,
        "For models and pages: largest error of rotations between samples, degrees, and of positions in proportion;"
        " 0.005 by default.",
        default=ACCURACY_DEG,
        check=between(
            *(FINEST_DEG, COARSEST_DEG, "degrees", f"{ACCURACY_DEG:g} matches the digits of read-outs."),
            start="expected from",
        ),
        ask=Ask("box", "largest error between samples", _ACCURACIES, label="Accuracy"),
    )
    start: float | None = option(
        float,
        "Start, s; the start of the scene by default.",
        check=_finite,
        ask=Ask("seconds", "start, seconds"),
        is_of_scene=True,
    )
    stop: float | None = option(
        float,
        "End, s; the end of the scene by default.",
        ask=Ask("seconds", "end, seconds", before="to", after="s"),
        is_of_scene=True,
    )
    theme: str | None = option(
        str,
        "dark, light, or white for papers; dark by default.",
        still_help="dark, light, or white for papers.",
        default="dark",
        still_default="dark",
        check=one_of("dark", "light", "white"),
        ask=Ask("box", "colours", tuple(COLOURS.items()), label="Colours"),
    )
    transparent: bool = option(
        bool,
        "Transparent background, without bar, legend and grid in pictures; answers stay. WebM, APNG and PNG.",
        still_help="Transparent background, without bar, legend and grid; answers stay.",
        ask=Ask("tick", "Transparent background"),
    )
    bare: bool = option(
        bool,
        "The scene alone: no bar, legend, clock, answers and grid.",
        ask=Ask("tick", "Without bar, legend, answers and grid"),
    )
    interactive: bool = option(
        bool,
        "For pages: sliders turn frames and change parameters; the page computes with the program's formulas.",
        ask=Ask("tick", "Sliders for angles and parameters"),
    )
    angle_unit: str | None = option(
        str,
        "Unit of angles in pictures: deg (default) or rad.",
        still_help="Unit of angles: deg or rad.",
        default="deg",
        still_default="deg",
        check=one_of("deg", "rad", is_near=False),
    )
    layout: str | None = option(
        str,
        "scene (default); plots: the scene and its plots; lecture: also matrix, quaternion and angles of a frame.",
        default="scene",
        check=one_of("scene", "plots", "lecture"),
        ask=Ask("box", "what is shown", _LAYOUTS, label="Show"),
    )
    plots: Sequence[str | int] | None = option(
        list[str] | None,
        "Plots that a layout shows, by title or number, separated by ; all by default.",
        metavar="TEXT",
        parse=several,
        is_of_scene=True,
    )
    frame: str | None = option(
        str,
        "Frame whose numbers a lecture or page shows; by default the first one moved by angles."
        " For trees of frames: the root, the world by default.",
        still_help="Frame whose numbers a lecture shows; by default the first one moved by angles.",
        is_of_scene=True,
    )
    library: str | None = option(
        str,
        "For code: eigen (default) or tf2 in C++; numpy (default), scipy or tf2 in Python.",
        check=one_of("eigen", "tf2", "numpy", "scipy"),
        ask=Ask("box", "library of the code", label="Library"),
    )
    hosts: Sequence[str] | None = option(
        list[str] | None,
        "For pages: origin of a web page that may embed the page and exchange messages with it, such as"
        " https://course.example. Repeat the option for more. By default the one that the address of the page names.",
        flag="--host",
        metavar="ORIGIN",
        check=_origins,
        parse=several,
        ask=Ask(
            "lines", "sites that may embed the page, one per line", label="Embed in", hint=_HOSTS_HINT, tip=_HOSTS_TIP
        ),
    )
    camera: str | None = option(
        str,
        "scene (default), or turntable: orbits the focal point.",
        default="scene",
        check=one_of("scene", "turntable"),
    )
    turns: int | None = option(
        int,
        "For a turntable: whole turns, 1 by default; negative ones are clockwise from above.",
        ask=Ask("number", "number of orbits", after="times"),
    )
    follow: str | None = option(str, "Frame that the camera follows.", is_of_scene=True)
    turning: bool = option(
        bool, "With --follow: the camera turns with the frame, too.", ask=Ask("tick", "Turn with it"), is_of_scene=True
    )
    bounce: bool = option(
        bool,
        "Forward, then backward, so that it repeats without a jump.",
        ask=Ask("tick", "Forward, then backward, so that it repeats without a jump"),
    )
    speed: float | None = option(
        float,
        "Speed of the scene in a film: 0.1 is ten times slower; 1 by default.",
        default=1.0,
        check=between(MIN_SPEED, MAX_SPEED, "times the speed of the scene", "Use 0.1 for ten times slower."),
        ask=Ask("numbers", "speed of the scene", _SPEEDS, unit="×", label="Speed"),
    )
    hold: float | None = option(
        float,
        "Time for which a film holds its last frame, s; 0 by default.",
        default=0.0,
        check=between(0.0, MAX_HOLD, "s to hold the last frame"),
        ask=Ask("seconds", "hold last frame, seconds", before="hold last frame", after="s"),
    )
    captions: Sequence[str] | None = option(
        list[str] | None,
        'A text below the picture, after the scene time at which it appears: "2.5: Then the pitch".'
        " Without a time it appears at the start. Repeat the option for more. Each stays until the next one, the last"
        ' until the end, and a time without text ("4:") ends the one before.',
        flag="--caption",
        metavar="TEXT",
        ask=Ask("lines", "captions, one per line", label="Captions", hint=_CAPTIONS_HINT, tip=_CAPTIONS_TIP),
        is_of_scene=True,
    )
    text_size: float | None = option(
        float,
        "Size of text relative to the picture; 1 by default.",
        default=1.0,
        check=between(MIN_TEXT_SIZE, MAX_TEXT_SIZE, "times its usual size"),
        ask=Ask("numbers", "size of text", _TEXT_SIZES, unit=" %", before="text"),
    )
    quality: Literal["small", "good", "best"] | None = option(
        str,
        "For MP4 and WebM: small, good (default) or best.",
        default="good",
        check=one_of("small", "good", "best"),
        ask=Ask("box", "quality", tuple(QUALITIES.items()), before="quality"),
    )
    title: str | None = option(
        str,
        "Title in the metadata of the file; by default the scene's.",
        check=_line,
        ask=Ask("words", "title in the file", label="In the file"),
        is_of_scene=True,
    )
    license: str | None = option(
        str,
        "Licence in the metadata of the file, such as CC BY 4.0.",
        check=_line,
        ask=Ask("words", "licence in the file", hint="Licence, such as CC BY 4.0"),
    )
    samples: int | None = option(
        int,
        "For each pixel, to smooth edges.",
        default=4,
        still_default=4,
        check=between(0, MAX_SAMPLES),
        bounds=(0, MAX_SAMPLES),
    )
    cluster: str | None = option(
        str,
        "A Dask scheduler, such as tcp://host:8786, whose workers render a film. They compute what the scene contains.",
        metavar="ADDRESS",
    )
    jobs: int | None = option(
        int,
        "Number of processes that draw a film or numbered pictures; by default as many as save time.",
        check=between(1, MAX_JOBS, "processes"),
        bounds=(1, MAX_JOBS),
    )
    long: bool = option(
        bool,
        "A table with a row for each number, with its name and unit. CSV, Parquet.",
        ask=Ask("tick", "One row for each number, with its name and unit"),
    )
    film: str | None = option(
        str, "Film of the scene, with several shots, by its name.", metavar="NAME", is_of_scene=True
    )
    eye: CameraState | None = option(object)
    """Camera in place of the scene's own."""
    eye_time: float | None = option(float)
    """Time at which a following camera has the pose `eye`, s. Start of the range when left out."""

    @property
    def explicit_values(self) -> dict[str, Any]:
        """Options that are set."""
        values = {name: getattr(self, name) for name in options_in(type(self))}
        return {name: value for name, value in values.items() if value is not None and value is not False}


T = TypeVar("T", bound=ExportOptions)


def options_in(kind: type[ExportOptions]) -> dict[str, Option]:
    """Return the options of a class, by name."""
    return {member.name: member.metadata["option"] for member in fields(kind) if "option" in member.metadata}


def fill_defaults(options: T, *, is_still: bool = False) -> T:
    """Return options with defaults for unset values."""
    entries = options_in(type(options)).items()
    defaults = {
        name: entry.still_default if is_still and entry.still_default else entry.default for name, entry in entries
    }
    missing = {name: value for name, value in defaults.items() if getattr(options, name) is None}
    return replace(options, **missing)


def option_problem(options: ExportOptions) -> tuple[str, str]:
    """Return the first invalid option and its problem; two empty texts if all are valid."""
    for name, entry in options_in(type(options)).items():
        value = getattr(options, name)
        problem = entry.check(value) if entry.check is not None and value is not None else ""
        if problem:
            return name, problem
    return "", ""


def options_text(kind: type[ExportOptions] = ExportOptions, indent: str = "    ") -> str:
    """Return docstring paragraphs on all options that users can give."""
    entries = options_in(kind).items()
    return "\n".join(f"{indent}{name}\n{indent}    {entry.help}" for name, entry in entries if entry.help)

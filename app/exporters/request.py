"""What is asked of an exporter, checked, and what can go wrong."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal, TypedDict

import numpy as np
from numpy.typing import NDArray

from framescope.app.exporters.camera_modes import CameraMode, checked_view
from framescope.app.exporters.captions import Caption, band_height, check_times, checked_captions
from framescope.app.exporters.errors import ExportCancelledError, ExportError
from framescope.app.exporters.formats import PICTURES, Format
from framescope.app.exporters.layouts import MAX_TEXT_SIZE, MIN_TEXT_SIZE, Composed, checked_layout, scale_of
from framescope.core.errors import did_you_mean
from framescope.core.evaluation.evaluate import Plan
from framescope.core.scene.schema.model import Scene
from framescope.core.system.file_access import Access
from framescope.core.system.optional_packages import CLUSTER
from framescope.ui.scene_view.camera.camera import CameraState
from framescope.ui.theme.tokens import DARK, LIGHT, Theme
from framescope.ui.widgets.angle_unit import ANGLE_UNITS, AngleUnit

MIN_SIDE = 64
MAX_PIXELS = 7680 * 4320
MAX_FPS = 1000.0
MAX_FRAMES = 1_000_000
MIN_SPEED, MAX_SPEED = 0.001, 1000.0
MAX_HOLD = 3600.0
MAX_WORDS = 1000
"""Letters of a title or a licence."""

QUALITIES = ("small", "good", "best")
"""How well a film is encoded: a small file, hardly any loss, and none that can be seen."""

ACCURACY_DEG = 0.005
"""How far a model may be off between its samples when nobody says so: half the last digit of angles in degrees."""
FINEST_DEG, COARSEST_DEG = 1e-5, 5.0

WHITE = replace(LIGHT, name="white", scene_top="#FFFFFF", scene_bottom="#FFFFFF")
"""For papers: the light theme on plain white."""

THEMES = {theme.name: theme for theme in (DARK, LIGHT, WHITE)}


@dataclass(frozen=True)
class SceneSource:
    """Where a scene comes from: its file's name and text, and which files its names stand for."""

    name: str = "scene.yaml"
    text: str | None = None
    access: Access = field(default_factory=Access)


class ExportOptions(TypedDict, total=False):
    """Options of an export; what is left out, or None, has the default that `export` names."""

    size: tuple[int, int] | None
    fps: float | None
    accuracy: float | None
    start: float | None
    stop: float | None
    theme: str | None
    transparent: bool
    bare: bool
    long: bool
    angle_unit: Literal["deg", "rad"] | None
    layout: str | None
    plots: Sequence[str | int] | None
    frame: str | None
    camera: str | None
    follow: str | None
    turning: bool
    turns: int | None
    bounce: bool
    speed: float | None
    hold: float | None
    captions: Sequence[str] | None
    text_size: float | None
    quality: Literal["small", "good", "best"] | None
    title: str | None
    license: str | None
    eye: CameraState | None
    eye_time: float | None
    source: SceneSource | None
    cluster: str | None


@dataclass(frozen=True, eq=False)
class ExportRequest:
    """What to export: the scene, where to, how large, how it looks, and from when to when."""

    scene: Scene
    plan: Plan
    path: Path
    size: tuple[int, int]
    fps: float
    start: float
    stop: float
    theme: Theme
    is_transparent: bool
    is_bare: bool
    is_long: bool
    angles: AngleUnit
    composed: Composed
    seen_from: CameraMode
    is_bouncing: bool
    speed: float
    """Seconds of the scene in a second of the film."""
    hold: float
    """How long the end stays in the picture, s of the film."""
    captions: tuple[Caption, ...]
    scale: float
    """Device pixels for each logical one: how large text is."""
    quality: str
    title: str
    license: str
    """What is said of the file in its own data: the title, that of the scene when nobody says, and who may use it."""
    accuracy: float
    """How far a model may be off between its samples: an angle, rad, and lengths in proportion."""
    source: SceneSource
    cluster: str | None
    """The address of a Dask scheduler whose workers make the film; None when this machine makes it."""
    progress: Callable[[int, int], None]
    is_cancelled: Callable[[], bool]

    @property
    def times(self) -> NDArray[np.float64]:
        """The time of each frame, s: the last one ends, and does not begin, at the end of the range.

        Forth and back, neither end is there twice, so that a loop goes on evenly. What is held is the very end.
        """
        forth = self.start + np.arange(self.count) * (self.speed / self.fps)
        held = np.full(round(self.hold * self.fps), self.stop)
        turned = forth if len(held) else forth[:-1]
        return np.concatenate([forth, held, turned[:0:-1] if self.is_bouncing else forth[:0]])

    @property
    def n_rows(self) -> int:
        """How many rows a table has: unlike a film it holds the end, too."""
        return math.floor((self.stop - self.start) * self.fps * (1.0 + 1e-12)) + 1

    @property
    def count(self) -> int:
        """How many frames the range has, once through."""
        return max(1, round((self.stop - self.start) * self.fps / self.speed))

    @property
    def span(self) -> float:
        """Seconds of the scene from its first frame to where the last one ends, without what is held."""
        return self.count * self.speed / self.fps

    @property
    def look(self) -> tuple[object, ...]:
        """All that a frame depends on besides the scene and its number."""
        # As long as neither plots nor a turntable span the range, a longer one has the same frames, and more.
        is_spanned = self.is_bouncing or self.composed.layout != "scene" or self.seen_from.camera == "turntable"
        return (
            *(self.size, self.fps, self.start, self.stop if is_spanned else None, self.theme.name),
            *(self.is_transparent, self.is_bare, self.angles.key),
            *(self.composed, self.seen_from, self.is_bouncing, self.speed, self.hold),
            *(self.captions, self.scale, self.title, self.license),
        )

    def stop_if_cancelled(self) -> None:
        """Raise `ExportCancelledError` when whoever asked for the export gave it up."""
        if self.is_cancelled():
            raise ExportCancelledError(f"{self.path}: the export was cancelled.")

    def failure(self, error: OSError) -> ExportError:
        """Return what to say when the system refuses to write."""
        return ExportError(f"{self.path} cannot be written: {error.strerror or error}.")


def checked_request(
    scene: Scene,
    plan: Plan,
    path: Path,
    made: Format,
    options: ExportOptions,
    *,
    progress: Callable[[int, int], None] | None,
    is_cancelled: Callable[[], bool] | None,
) -> ExportRequest:
    """Return the request with its defaults filled in; raise `ExportError` when it cannot be met."""
    _check_extras(made, options)
    size, fps, theme = options.get("size") or (1280, 720), options.get("fps"), options.get("theme") or "dark"
    fps = made.fps if fps is None else fps
    start, stop = options.get("start"), options.get("stop")
    begin, end = plan.start if start is None else start, plan.end if stop is None else stop
    _check_size(size, made)
    if not 0.0 < fps <= MAX_FPS:
        raise ExportError(f"fps: expected more than 0 and at most {MAX_FPS:g}, got {fps:g}.")
    if fps > made.max_fps:
        raise ExportError(
            f"fps: {made.called} shows at most {made.max_fps:g} frames a second, got {fps:g}. Use {made.max_fps:g}."
        )
    if not math.isfinite(begin):
        raise ExportError(f"start: expected a number of seconds, got {begin:g}.")
    if not end > begin:
        raise ExportError(f"stop: expected a time after the start at {begin:g} s, got {end:g} s.")
    is_bouncing = bool(options.get("bounce"))
    speed, hold = _checked_pace(options)
    has_frames = "accuracy" not in made.takes
    if has_frames and not ((end - begin) / speed * (1 + is_bouncing) + hold) * fps <= MAX_FRAMES:
        slowly = f", {speed:g} times as fast," if speed != 1.0 else ""
        raise ExportError(
            f"stop: {end - begin:g} s{slowly} at {fps:g} fps are more than {MAX_FRAMES} frames. Use less."
        )
    angles = angle_unit_named(options.get("angle_unit") or "deg")
    is_transparent = bool(options.get("transparent"))
    _check_look(made, options)
    captions = checked_captions(options.get("captions"))
    check_times(captions, plan.start, plan.end)
    composed, seen_from = Composed(), CameraMode()
    if "layout" in made.takes:
        composed = checked_composition(plan, size, options, angles)
        seen_from = checked_view(
            plan.names,
            camera=options.get("camera"),
            follow=options.get("follow"),
            turning=bool(options.get("turning")),
            turns=options.get("turns"),
            eye=options.get("eye"),
            eye_time=options.get("eye_time"),
        )
    return ExportRequest(
        scene=scene,
        plan=plan,
        path=path,
        size=size,
        fps=fps,
        start=begin,
        stop=end,
        theme=THEMES[theme],
        is_transparent=is_transparent,
        is_bare=is_transparent or bool(options.get("bare")),
        is_long=bool(options.get("long")),
        angles=angles,
        composed=composed,
        seen_from=seen_from,
        is_bouncing=is_bouncing,
        speed=speed,
        hold=hold,
        captions=captions,
        scale=checked_scale(size, options),
        quality=options.get("quality") or "good",
        title=checked_words("title", options.get("title") or "") or " ".join((scene.title or "").split()),
        license=checked_words("license", options.get("license") or ""),
        accuracy=_checked_accuracy(options.get("accuracy")),
        source=options.get("source") or SceneSource(),
        cluster=options.get("cluster"),
        progress=progress or (lambda _done, _total: None),
        is_cancelled=is_cancelled or (lambda: False),
    )


def checked_scale(size: tuple[int, int], options: ExportOptions) -> float:
    """Return the device pixels for each logical one; raise `ExportError` for a size that text cannot have."""
    text_size = options.get("text_size")
    text_size = 1.0 if text_size is None else text_size
    if not MIN_TEXT_SIZE <= text_size <= MAX_TEXT_SIZE:
        raise ExportError(
            f"text_size: expected {MIN_TEXT_SIZE:g} to {MAX_TEXT_SIZE:g} times its usual size, got {text_size:g}."
        )
    return scale_of(size, text_size)


def checked_words(name: str, words: str) -> str:
    """Return what is said of a file in its own data; raise `ExportError` where it is no line of text."""
    if len(words) > MAX_WORDS:
        raise ExportError(f"{name}: expected at most {MAX_WORDS} letters, got {len(words)}.")
    if any(unicodedata.category(letter) == "Cc" for letter in words):
        raise ExportError(f"{name}: expected one line of text, without control characters.")
    return words.strip()


def _checked_pace(options: ExportOptions) -> tuple[float, float]:
    """Return speed and hold."""
    speed, hold = options.get("speed"), options.get("hold")
    speed, hold = 1.0 if speed is None else speed, 0.0 if hold is None else hold
    if not MIN_SPEED <= speed <= MAX_SPEED:
        raise ExportError(
            f"speed: expected {MIN_SPEED:g} to {MAX_SPEED:g} times that of the scene, got {speed:g}."
            " Use 0.1 for ten times as slow."
        )
    if not 0.0 <= hold <= MAX_HOLD:
        raise ExportError(f"hold: expected 0 to {MAX_HOLD:g} s for the end to stay, got {hold:g}.")
    return speed, hold


def _checked_accuracy(accuracy: float | None) -> float:
    """Return an accuracy, given in degrees, in rad."""
    accuracy = ACCURACY_DEG if accuracy is None else accuracy
    if not FINEST_DEG <= accuracy <= COARSEST_DEG:
        raise ExportError(
            f"accuracy: expected from {FINEST_DEG:g} to {COARSEST_DEG:g} degrees, got {accuracy:g}."
            f" {ACCURACY_DEG:g} is as fine as read-outs are."
        )
    return math.radians(accuracy)


def angle_unit_named(key: str) -> AngleUnit:
    """Return a unit of angles; raise `ExportError` for one that there is not."""
    if key not in ANGLE_UNITS:
        raise ExportError(f'angle_unit: expected deg or rad, got "{key}".')
    return ANGLE_UNITS[key]


def check_folder(path: Path) -> None:
    """Raise `ExportError` when there is no folder to write a file into, or a folder in its place."""
    folder = path.absolute().parent
    if not folder.is_dir():
        raise ExportError(f"{path}: there is no folder {folder}. Make it first.")
    if path.is_dir():
        raise ExportError(f"{path}: this is a folder. Add a file name.")


def checked_composition(plan: Plan, size: tuple[int, int], options: ExportOptions, angles: AngleUnit) -> Composed:
    """Return what a picture is composed of; raise `ExportError` when it cannot be."""
    scale = checked_scale(size, options)
    band = band_height(checked_captions(options.get("captions")), size, scale)
    composed = checked_layout(
        *(plan, (size[0], size[1] - band), options.get("layout")),
        plots=options.get("plots"),
        frame=options.get("frame"),
        angles=angles,
        scale=scale,
    )
    for name in ("transparent", "bare"):
        if options.get(name) and composed.layout != "scene":
            raise ExportError(
                f"{name}: the layout {composed.layout} has more than the scene. Leave out {name}, or the layout."
            )
    return composed


def _check_extras(made: Format, options: ExportOptions) -> None:
    if made.extra is not None and not made.extra.is_installed:
        raise ExportError(made.extra.reason)
    if options.get("cluster") and not CLUSTER.is_installed:
        raise ExportError(f"cluster: {CLUSTER.reason}")


def _check_look(made: Format, options: ExportOptions) -> None:
    theme, quality = options.get("theme") or "dark", options.get("quality") or "good"
    if theme not in THEMES:
        raise ExportError(f'theme: expected dark, light or white, got "{theme}". {did_you_mean(theme, THEMES)}'.strip())
    if quality not in QUALITIES:
        hint = did_you_mean(quality, QUALITIES)
        raise ExportError(f'quality: expected small, good or best, got "{quality}". {hint}'.strip())
    if options.get("transparent") and "transparent" not in made.takes:
        raise ExportError(
            f"transparent: {made.called} cannot leave the ground out."
            " Use .apng, .webm, or numbered pictures such as frame-%04d.png."
        )
    if options.get("long") and "long" not in made.takes:
        raise ExportError(f"long: {made.called} has no long form. Use .csv or .parquet.")


def _check_size(size: tuple[int, int], made: Format) -> None:
    if not made.takes & PICTURES:
        return
    width, height = size
    step, most = 2 if made.is_even else 1, made.max_side
    nearest = [min(max(side + side % step, MIN_SIDE), most) for side in size]
    if [width, height] != nearest:
        said = "an even width and height" if made.is_even else "a width and height"
        raise ExportError(
            f"size: expected {said} from {MIN_SIDE} to {most}, got {width}x{height}. Use {nearest[0]}x{nearest[1]}."
        )
    if width * height > MAX_PIXELS:
        raise ExportError(f"size: expected no more pixels than 7680x4320, got {width}x{height}.")

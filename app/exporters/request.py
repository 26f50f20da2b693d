"""Request for an export, checked."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypedDict, Unpack

import numpy as np
from numpy.typing import NDArray

from framescope.app.exporters.camera_modes import CameraMode, checked_view
from framescope.app.exporters.captions import Caption, band_height, check_times, checked_captions
from framescope.app.exporters.errors import ExportCancelledError, ExportError
from framescope.app.exporters.format_options import PICTURES
from framescope.app.exporters.layouts import Composed, checked_layout, scale_of
from framescope.core.evaluation.evaluate import Plan
from framescope.core.scene.schema.model import Scene
from framescope.core.system.features import missing_provider
from framescope.core.system.file_access import Access
from framescope.core.system.optional_packages import CLUSTER
from framescope.ui.exports.format import Format
from framescope.ui.exports.options import ACCURACY_DEG, ExportOptions, fill_defaults, option_problem
from framescope.ui.theme.tokens import DARK, LIGHT, Theme
from framescope.ui.widgets.angle_unit import ANGLE_UNITS, AngleUnit

MIN_SIDE = 64
MAX_PIXELS = 7680 * 4320
MAX_FRAMES = 1_000_000

WHITE = replace(LIGHT, name="white", scene_top="#FFFFFF", scene_bottom="#FFFFFF")
"""For papers: the light theme on plain white."""

THEMES = {theme.name: theme for theme in (DARK, LIGHT, WHITE)}


@dataclass(frozen=True)
class SceneSource:
    """Source of a scene: its file's name and text, and the files that its names stand for."""

    name: str = "scene.yaml"
    text: str | None = None
    access: Access = field(default_factory=Access)


class Hooks(TypedDict, total=False):
    """What goes along with an export: where its scene is from, who is told how far it is, and who may give it up."""

    source: SceneSource | None
    progress: Callable[[int, int], None] | None
    is_cancelled: Callable[[], bool] | None


@dataclass(frozen=True, eq=False)
class ExportRequest:
    """Request for an export: the scene, where to, how large, how it looks, and from when to when."""

    scene: Scene
    plan: Plan
    path: Path
    made: Format
    options: ExportOptions
    """What is asked for, with defaults in place of what is left out."""
    size: tuple[int, int]
    fps: float
    start: float
    stop: float
    theme: Theme
    is_transparent: bool
    is_bare: bool
    angles: AngleUnit
    composed: Composed
    seen_from: CameraMode
    speed: float
    """Seconds of the scene in a second of the film."""
    hold: float
    """How long the end stays in the picture, s of the film."""
    captions: tuple[Caption, ...]
    scale: float
    """Device pixels for each logical one: how large text is."""
    title: str
    license: str
    """What is said of the file in its own data: the title, that of the scene when nobody says, and who may use it."""
    accuracy: float
    """How far a model may be off between its samples: an angle, rad, and lengths in proportion."""
    source: SceneSource
    progress: Callable[[int, int], None]
    is_cancelled: Callable[[], bool]

    @property
    def moment(self) -> float | None:
        """The moment of a picture, s; None of what moves."""
        return self.options.moment if self.made.is_still else None

    @property
    def times(self) -> NDArray[np.float64]:
        """The time of each frame, s: the last one ends, and does not begin, at the end of the range.

        Forth and back, neither end is there twice, so that a loop goes on evenly. What is held is the very end.
        """
        if self.moment is not None:
            return np.array([self.moment])
        forth = self.start + np.arange(self.count) * (self.speed / self.fps)
        held = np.full(round(self.hold * self.fps), self.stop)
        turned = forth if len(held) else forth[:-1]
        return np.concatenate([forth, held, turned[:0:-1] if self.options.bounce else forth[:0]])

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
        is_spanned = self.options.bounce or self.composed.layout != "scene" or self.seen_from.camera == "turntable"
        left_out = {"moment", "cluster", "jobs", "" if is_spanned else "stop"}
        return tuple((name, value) for name, value in self.options.explicit_values.items() if name not in left_out)

    def stop_if_cancelled(self) -> None:
        """Raise `ExportCancelledError` when whoever asked for the export gave it up."""
        if self.is_cancelled():
            raise ExportCancelledError(f"{self.path}: the export was cancelled.")

    def failure(self, error: OSError) -> ExportError:
        """Return what to say when the system refuses to write."""
        return ExportError(f"{self.path} cannot be written: {error.strerror or error}.")


def checked_request(
    scene: Scene, plan: Plan, path: Path, made: Format, options: ExportOptions, **hooks: Unpack[Hooks]
) -> ExportRequest:
    """Return the request with its defaults filled in; raise `ExportError` when it cannot be met."""
    _check_extras(made, options)
    name, problem = option_problem(options)
    if problem:
        raise ExportError(f"{name}: {problem}")
    _check_taken(made, options)
    _check_moment(plan, made, options)
    request = replace(unchecked_request(plan, path, made, options), scene=scene)
    if not request.stop > request.start:
        raise ExportError(f"stop: expected a time after the start at {request.start:g} s, got {request.stop:g} s.")
    _check_size(request.size, made)
    _check_rate(request)
    captions = checked_captions(options.captions)
    check_times(captions, plan.start, plan.end)
    request = replace(request, captions=captions, **{name: hook for name, hook in hooks.items() if hook is not None})
    if "layout" in made.takes:
        request = replace(request, composed=checked_composition(request, options))
    if "camera" in made.takes:
        request = replace(request, seen_from=checked_view(plan.names, options))
    return request


def unchecked_request(plan: Plan, path: Path, made: Format, options: ExportOptions) -> ExportRequest:
    """Return the request of options that are right each by itself, without layout, captions and camera."""
    start = plan.start if options.start is None else options.start
    stop = plan.end if options.stop is None else options.stop
    fps = made.fps if options.fps is None else options.fps
    moment = plan.start if options.moment is None else options.moment
    asked = replace(fill_defaults(options, is_still=made.is_still), start=start, stop=stop, fps=fps, moment=moment)
    size = asked.size or (0, 0)
    return ExportRequest(
        scene=plan.scene,
        plan=plan,
        path=path,
        made=made,
        options=asked,
        size=size,
        fps=fps,
        start=start,
        stop=stop,
        theme=THEMES[asked.theme or "dark"],
        is_transparent=asked.transparent,
        is_bare=asked.transparent or asked.bare,
        angles=ANGLE_UNITS[asked.angle_unit or "deg"],
        composed=Composed(),
        seen_from=CameraMode(eye=asked.eye),
        speed=asked.speed or 1.0,
        hold=asked.hold or 0.0,
        captions=(),
        scale=scale_of(size, asked.text_size or 1.0),
        title=(asked.title or "").strip() or " ".join((plan.scene.title or "").split()),
        license=(asked.license or "").strip(),
        accuracy=math.radians(asked.accuracy or ACCURACY_DEG),
        source=SceneSource(),
        progress=lambda _done, _total: None,
        is_cancelled=lambda: False,
    )


def _check_moment(plan: Plan, made: Format, options: ExportOptions) -> None:
    t = options.moment
    if t is None or not made.is_still:
        return
    if not math.isfinite(t):
        raise ExportError(f"time: expected a number of seconds, got {t:g}.")
    if not plan.start <= t <= plan.end:
        raise ExportError(f"time: expected {plan.start:g} to {plan.end:g} s, the time of the scene, got {t:g} s.")


def _check_rate(request: ExportRequest) -> None:
    made, fps, speed = request.made, request.fps, request.speed
    if fps > made.max_fps:
        shows = f"{made.called} shows at most {made.max_fps:g} frames a second"
        raise ExportError(f"fps: {shows}, got {fps:g}. Use {made.max_fps:g}.")
    if fps < made.min_fps:
        shows = f"{made.called} shows a picture for at most {1.0 / made.min_fps:g} s"
        raise ExportError(f"fps: {shows}, got {fps:g} frames a second. Use {made.min_fps:g}.")
    if "accuracy" in made.takes or made.is_still:
        return
    duration = request.stop - request.start
    if not (duration / speed * (1 + request.options.bounce) + request.hold) * fps <= MAX_FRAMES:
        slowly = f", {speed:g} times as fast," if speed != 1.0 else ""
        raise ExportError(f"stop: {duration:g} s{slowly} at {fps:g} fps are more than {MAX_FRAMES} frames. Use less.")


def check_folder(path: Path) -> None:
    """Raise `ExportError` when there is no folder to write a file into, or a folder in its place."""
    folder = path.absolute().parent
    if not folder.is_dir():
        raise ExportError(f"{path}: there is no folder {folder}. Make it first.")
    if path.is_dir():
        raise ExportError(f"{path}: this is a folder. Add a file name.")


def checked_composition(request: ExportRequest, options: ExportOptions) -> Composed:
    """Return what a picture is composed of; raise `ExportError` when it cannot be."""
    (width, height), scale = request.size, request.scale
    room = (width, height - band_height(request.captions, request.size, scale))
    composed = checked_layout(request.plan, room, options, request.angles, scale)
    for name in ("transparent", "bare"):
        if getattr(options, name) and composed.layout != "scene":
            message = f"{name}: the layout {composed.layout} has more than the scene. Leave out {name}, or the layout."
            raise ExportError(message)
    return composed


def _check_extras(made: Format, options: ExportOptions) -> None:
    if made.extra is not None and not made.extra.is_installed:
        raise ExportError(made.extra.reason)
    if options.cluster and (feature := missing_provider("cluster")):
        raise ExportError(f"cluster: films are made on a cluster by {feature}. Leave it out.")
    if options.cluster and not CLUSTER.is_installed:
        raise ExportError(f"cluster: {CLUSTER.reason}")
    if options.cluster and options.jobs:
        raise ExportError(
            "jobs: the workers of a cluster draw, and say themselves how many. Leave out jobs, or cluster."
        )


def _check_taken(made: Format, options: ExportOptions) -> None:
    if options.transparent and "transparent" not in made.takes:
        raise ExportError(
            f"transparent: {made.called} cannot leave the ground out."
            " Use .apng, .webm, or numbered pictures such as frame-%04d.png."
        )
    if options.long and "long" not in made.takes:
        raise ExportError(f"long: {made.called} has no long form. Use .csv or .parquet.")


def _check_size(size: tuple[int, int], made: Format) -> None:
    if not made.takes & PICTURES:
        return
    width, height = size
    step, most = 2 if made.is_even else 1, made.max_side
    nearest = [min(max(side + side % step, MIN_SIDE), most) for side in size]
    if [width, height] != nearest:
        message = "an even width and height" if made.is_even else "a width and height"
        expected = f"expected {message} from {MIN_SIDE} to {most}, got {width}x{height}"
        raise ExportError(f"size: {expected}. Use {nearest[0]}x{nearest[1]}.")
    if width * height > MAX_PIXELS:
        raise ExportError(f"size: expected no more pixels than 7680x4320, got {width}x{height}.")

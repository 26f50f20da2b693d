"""Checked request for an export."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Self, TypedDict, Unpack

import numpy as np
from numpy.typing import NDArray

from framescope.app.exporters.camera_modes import CameraMode, checked_view
from framescope.app.exporters.captions import Caption, band_height, check_times, checked_captions
from framescope.app.exporters.errors import ExportCancelledError, ExportError
from framescope.app.exporters.format_options import PICTURES
from framescope.app.exporters.layouts import Composed, check_frame, checked_layout, scale_of
from framescope.core.evaluation.evaluate import Plan
from framescope.core.scene.schema.model import Scene
from framescope.core.system.features import installed_features, missing_provider
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
"""Light theme on plain white, for papers."""

THEMES = {theme.name: theme for theme in (DARK, LIGHT, WHITE)}


@dataclass(frozen=True)
class SceneSource:
    """Source of a scene: name and text of its file, and access to the files that it names."""

    name: str = "scene.yaml"
    text: str | None = None
    access: Access = field(default_factory=Access)


class Hooks(TypedDict, total=False):
    """Hooks of an export: the scene's source, and functions that report progress and cancel."""

    source: SceneSource | None
    progress: Callable[[int, int], None] | None
    is_cancelled: Callable[[], bool] | None


@dataclass(frozen=True, eq=False)
class ExportRequest:
    """Request for an export: the scene, the file, its size and look, and the range of time, s."""

    scene: Scene
    plan: Plan
    path: Path
    made: Format
    options: ExportOptions
    """Options of the user, with defaults for missing ones."""
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
    """Seconds of the scene per second of the film."""
    hold: float
    """Time for which the last picture is held, s of the film."""
    captions: tuple[Caption, ...]
    scale: float
    """Device pixels per logical pixel: the size of text."""
    title: str
    license: str
    """Title and licence in the file's metadata; the title is the scene's unless the user gives one."""
    accuracy: float
    """Largest error of a model between its samples: an angle, rad; lengths in proportion."""
    source: SceneSource
    progress: Callable[[int, int], None]
    is_cancelled: Callable[[], bool]

    @property
    def moment(self) -> float | None:
        """Time of a picture, s; None for a film."""
        return self.options.moment if self.made.is_still else None

    @property
    def times(self) -> NDArray[np.float64]:
        """Time of each frame, s; the last frame ends, not starts, at the end of the range.

        Forward, then backward, each end occurs once, so a loop runs evenly. Held frames show the exact end.
        """
        if self.moment is not None:
            return np.array([self.moment])
        forth = self.start + np.arange(self.count) * (self.speed / self.fps)
        held = np.full(round(self.hold * self.fps), self.stop)
        turned = forth if len(held) else forth[:-1]
        return np.concatenate([forth, held, turned[:0:-1] if self.options.bounce else forth[:0]])

    @property
    def n_rows(self) -> int:
        """Number of rows of a table, which unlike a film includes the end of the range."""
        return math.floor((self.stop - self.start) * self.fps * (1.0 + 1e-12)) + 1

    @property
    def count(self) -> int:
        """Number of frames of the range, played once in one direction."""
        return max(1, round((self.stop - self.start) * self.fps / self.speed))

    @property
    def span(self) -> float:
        """Time of the scene from the first frame to the end of the last, s, without held frames."""
        return self.count * self.speed / self.fps

    @property
    def look(self) -> tuple[object, ...]:
        """All options that a frame depends on; besides them it depends on the scene and its number."""
        # Without plots and turntables, a longer range only adds frames.
        is_spanned = self.options.bounce or self.composed.layout != "scene" or self.seen_from.camera == "turntable"
        left_out = {"moment", "cluster", "jobs", "" if is_spanned else "stop"}
        return tuple((name, value) for name, value in self.options.explicit_values.items() if name not in left_out)

    def with_progress_after(self, before: int, total: int) -> Self:
        """Return the request for a part of the frames, after `before` others and of a `total`, for its progress."""

        def report(done: int, _total: int) -> None:
            self.progress(before + done, total)

        return replace(self, progress=report)

    def stop_if_cancelled(self) -> None:
        """Raise `ExportCancelledError` when the caller has cancelled the export."""
        if self.is_cancelled():
            raise ExportCancelledError(f"{self.path}: the export was cancelled.")

    def failure(self, error: OSError) -> ExportError:
        """Return the error to report when the system refuses to write."""
        return ExportError(f"{self.path} cannot be written: {error.strerror or error}.")


@dataclass(frozen=True)
class FrameSource:
    """Source of frames that are not simply those of the scene, such as a film of several shots.

    Attributes
    ----------
    prepare
        Function that takes a request and the options that the user gave, and returns the request for these frames. Its
        `start` and `stop` are times of the frames.
    open_renderer
        Function that takes a prepared request and returns the drawer of its frames
        (`framescope.app.exporters.rendering.headless.Drawer`).
    windows
        Number of render windows of a drawer, which decides the memory of a process.
    takes
        Options that `prepare` accepts.
    count_undrawn
        Function that takes a prepared request and returns the number of frames that an export would still draw; None
        where that is unknown before.
    """

    prepare: Callable[[ExportRequest, ExportOptions], ExportRequest]
    open_renderer: Callable[[ExportRequest], Any]
    windows: int = 1
    takes: frozenset[str] = frozenset()
    count_undrawn: Callable[[ExportRequest], int | None] = lambda _request: None


def frame_source_of(options: ExportOptions) -> FrameSource | None:
    """Return the source of frames of the feature whose option is set; None for the frames of the scene."""
    for feature in installed_features():
        for option, entry in feature.frame_sources.items():
            if getattr(options, option):
                return feature.load(entry)
    return None


def ignore_progress(_done: int, _total: int) -> None:
    """Report the progress of an export to nobody."""


def checked_request(
    scene: Scene, plan: Plan, path: Path, file_format: Format, options: ExportOptions, **hooks: Unpack[Hooks]
) -> ExportRequest:
    """Return the request with its defaults; raise `ExportError` for invalid options."""
    _check_extras(file_format, options)
    name, problem = option_problem(options)
    if problem:
        raise ExportError(f"{name}: {problem}")
    _check_ability(file_format, options)
    _check_moment(plan, file_format, options)
    request = replace(unchecked_request(plan, path, file_format, options), scene=scene)
    source = frame_source_of(options)
    if source is not None:
        request = replace(request, **{name: hook for name, hook in hooks.items() if hook is not None})
        request, options = source.prepare(request, options), ExportOptions()
    if not request.stop > request.start:
        raise ExportError(f"stop: expected a time after the start at {request.start:g} s, got {request.stop:g} s.")
    _check_size(request.size, file_format)
    _check_rate(request)
    captions = checked_captions(options.captions)
    check_times(captions, plan.start, plan.end)
    request = replace(request, captions=captions, **{name: hook for name, hook in hooks.items() if hook is not None})
    if "layout" in file_format.takes:
        request = replace(request, composed=checked_composition(request, options))
    elif options.frame:
        check_frame(options.frame, plan.names)
    if "camera" in file_format.takes:
        request = replace(request, seen_from=checked_view(plan.names, options))
    return request


def unchecked_request(plan: Plan, path: Path, file_format: Format, options: ExportOptions) -> ExportRequest:
    """Return the request of individually valid options, without layout, captions and camera."""
    start = plan.start if options.start is None else options.start
    stop = plan.end if options.stop is None else options.stop
    fps = file_format.fps if options.fps is None else options.fps
    moment = plan.start if options.moment is None and file_format.is_still else options.moment
    defaults = fill_defaults(options, is_still=file_format.is_still)
    complete = replace(defaults, start=start, stop=stop, fps=fps, moment=moment)
    size = complete.size or (0, 0)
    return ExportRequest(
        scene=plan.scene,
        plan=plan,
        path=path,
        made=file_format,
        options=complete,
        size=size,
        fps=fps,
        start=start,
        stop=stop,
        theme=THEMES[complete.theme or "dark"],
        is_transparent=complete.transparent,
        is_bare=complete.transparent or complete.bare,
        angles=ANGLE_UNITS[complete.angle_unit or "deg"],
        composed=Composed(),
        seen_from=CameraMode(eye=complete.eye),
        speed=complete.speed or 1.0,
        hold=complete.hold or 0.0,
        captions=(),
        scale=scale_of(size, complete.text_size or 1.0),
        title=(complete.title or "").strip() or " ".join((plan.scene.title or "").split()),
        license=(complete.license or "").strip(),
        accuracy=math.radians(complete.accuracy or ACCURACY_DEG),
        source=SceneSource(),
        progress=ignore_progress,
        is_cancelled=lambda: False,
    )


def _check_moment(plan: Plan, file_format: Format, options: ExportOptions) -> None:
    t = options.moment
    if t is None or "moment" not in file_format.takes:
        return
    if not math.isfinite(t):
        raise ExportError(f"time: expected a number of seconds, got {t:g}.")
    if not plan.start <= t <= plan.end:
        raise ExportError(f"time: expected {plan.start:g} to {plan.end:g} s, the time of the scene, got {t:g} s.")


def _check_rate(request: ExportRequest) -> None:
    file_format, fps, speed = request.made, request.fps, request.speed
    if fps > file_format.max_fps:
        shows = f"{file_format.called} shows at most {file_format.max_fps:g} frames a second"
        raise ExportError(f"fps: {shows}, got {fps:g}. Use {file_format.max_fps:g}.")
    if fps < file_format.min_fps:
        shows = f"{file_format.called} shows a picture for at most {1.0 / file_format.min_fps:g} s"
        raise ExportError(f"fps: {shows}, got {fps:g} frames a second. Use {file_format.min_fps:g}.")
    if "accuracy" in file_format.takes or "fps" not in file_format.takes:
        return
    duration = request.stop - request.start
    if not (duration / speed * (1 + request.options.bounce) + request.hold) * fps <= MAX_FRAMES:
        slowly = f", {speed:g} times as fast," if speed != 1.0 else ""
        raise ExportError(f"stop: {duration:g} s{slowly} at {fps:g} fps are more than {MAX_FRAMES} frames. Use less.")


def check_folder(path: Path) -> None:
    """Raise `ExportError` when a file's folder does not exist, or `path` is a folder."""
    folder = path.absolute().parent
    if not folder.is_dir():
        raise ExportError(f"{path}: there is no folder {folder}. Make it first.")
    if path.is_dir():
        raise ExportError(f"{path}: this is a folder. Add a file name.")


def checked_composition(request: ExportRequest, options: ExportOptions) -> Composed:
    """Return the composition that the options describe; raise `ExportError` when it is impossible."""
    (width, height), scale = request.size, request.scale
    room = (width, height - band_height(request.captions, request.size, scale))
    composed = checked_layout(request.plan, room, options, request.angles, scale)
    for name in ("transparent", "bare"):
        if getattr(options, name) and composed.layout != "scene":
            message = f"{name}: the layout {composed.layout} has more than the scene. Leave out {name}, or the layout."
            raise ExportError(message)
    return composed


def _check_extras(file_format: Format, options: ExportOptions) -> None:
    if file_format.extra is not None and not file_format.extra.is_installed:
        raise ExportError(file_format.extra.reason)
    if options.cluster and (feature := missing_provider("cluster")):
        raise ExportError(f"cluster: films are made on a cluster by {feature}. Leave it out.")
    if options.film and (feature := missing_provider("film")):
        raise ExportError(f"film: films of several shots are made by {feature}. Leave it out.")
    if options.cluster and not CLUSTER.is_installed:
        raise ExportError(f"cluster: {CLUSTER.reason}")
    if options.cluster and options.jobs:
        raise ExportError(
            "jobs: the workers of a cluster draw, and say themselves how many. Leave out jobs, or cluster."
        )


def _check_ability(file_format: Format, options: ExportOptions) -> None:
    if options.transparent and "transparent" not in file_format.takes:
        raise ExportError(
            f"transparent: {file_format.called} cannot leave the ground out."
            " Use .apng, .webm, or numbered pictures such as frame-%04d.png."
        )
    if options.long and "long" not in file_format.takes:
        raise ExportError(f"long: {file_format.called} has no long form. Use .csv or .parquet.")


def _check_size(size: tuple[int, int], file_format: Format) -> None:
    if not file_format.takes & PICTURES:
        return
    width, height = size
    step, most = 2 if file_format.is_even else 1, file_format.max_side
    nearest = [min(max(side + side % step, MIN_SIDE), most) for side in size]
    if [width, height] != nearest:
        message = "an even width and height" if file_format.is_even else "a width and height"
        expected = f"expected {message} from {MIN_SIDE} to {most}, got {width}x{height}"
        raise ExportError(f"size: {expected}. Use {nearest[0]}x{nearest[1]}.")
    if width * height > MAX_PIXELS:
        raise ExportError(f"size: expected no more pixels than 7680x4320, got {width}x{height}.")

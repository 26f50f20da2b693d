"""What is asked of an exporter, checked, and what can go wrong."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal, TypedDict

import numpy as np
from numpy.typing import NDArray

from framescope.app.exporters.errors import ExportCancelledError, ExportError
from framescope.app.exporters.formats import PICTURES, Format
from framescope.app.exporters.layouts import Composed, checked_layout
from framescope.app.exporters.seen_from import SeenFrom, checked_view
from framescope.core.errors import did_you_mean
from framescope.core.evaluate import Plan
from framescope.core.extras import CLUSTER
from framescope.core.named_files import Access
from framescope.core.scene.model import Scene
from framescope.ui.theme import DARK, LIGHT, Theme
from framescope.ui.view.camera import CameraState
from framescope.ui.widgets.angle_unit import ANGLE_UNITS, AngleUnit

MIN_SIDE, MAX_SIDE = 64, 7680
MAX_FPS = 1000.0
MAX_FRAMES = 1_000_000

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
    seen_from: SeenFrom
    is_bouncing: bool
    source: SceneSource
    cluster: str | None
    """The address of a Dask scheduler whose workers make the film; None when this machine makes it."""
    progress: Callable[[int, int], None]
    is_cancelled: Callable[[], bool]

    @property
    def times(self) -> NDArray[np.float64]:
        """The time of each frame, s: the last one ends, and does not begin, at the end of the range.

        Forth and back, neither end is there twice, so that a loop goes on evenly.
        """
        forth = self.start + np.arange(self.count) / self.fps
        return np.concatenate([forth, forth[-2:0:-1]]) if self.is_bouncing else forth

    @property
    def n_rows(self) -> int:
        """How many rows a table has: unlike a film it holds the end, too."""
        return math.floor((self.stop - self.start) * self.fps * (1.0 + 1e-12)) + 1

    @property
    def count(self) -> int:
        """How many frames the range has, once through."""
        return max(1, round((self.stop - self.start) * self.fps))

    @property
    def look(self) -> tuple[object, ...]:
        """All that a frame depends on besides the scene and its number."""
        # As long as neither plots nor a turntable span the range, a longer one has the same frames, and more.
        is_spanned = self.is_bouncing or self.composed.layout != "scene" or self.seen_from.camera == "turntable"
        return (
            *(self.size, self.fps, self.start, self.stop if is_spanned else None, self.theme.name),
            *(self.is_transparent, self.is_bare, self.angles.key),
            *(self.composed, self.seen_from, self.is_bouncing),
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
    if not (end - begin) * fps * (1 + is_bouncing) <= MAX_FRAMES:
        raise ExportError(f"stop: {end - begin:g} s at {fps:g} fps are more than {MAX_FRAMES} frames. Use less.")
    if theme not in THEMES:
        raise ExportError(f'theme: expected dark, light or white, got "{theme}". {did_you_mean(theme, THEMES)}'.strip())
    angles = angle_unit_named(options.get("angle_unit") or "deg")
    is_transparent = bool(options.get("transparent"))
    if is_transparent and "transparent" not in made.takes:
        raise ExportError(
            f"transparent: {made.called} cannot leave the ground out."
            " Use .apng, .webm, or numbered pictures such as frame-%04d.png."
        )
    if options.get("long") and "long" not in made.takes:
        raise ExportError(f"long: {made.called} has no long form. Use .csv or .parquet.")
    composed, seen_from = Composed(), SeenFrom()
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
        source=options.get("source") or SceneSource(),
        cluster=options.get("cluster"),
        progress=progress or (lambda _done, _total: None),
        is_cancelled=is_cancelled or (lambda: False),
    )


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
    composed = checked_layout(
        plan, size, options.get("layout"), plots=options.get("plots"), frame=options.get("frame"), angles=angles
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


def _check_size(size: tuple[int, int], made: Format) -> None:
    if not made.takes & PICTURES:
        return
    width, height = size
    step = 2 if made.is_even else 1
    nearest = [min(max(side + side % step, MIN_SIDE), MAX_SIDE) for side in size]
    if [width, height] != nearest:
        said = "an even width and height" if made.is_even else "a width and height"
        raise ExportError(
            f"size: expected {said} from {MIN_SIDE} to {MAX_SIDE}, got {width}x{height}. Use {nearest[0]}x{nearest[1]}."
        )

"""What is asked of an exporter, checked, and what can go wrong."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from framescope.core.errors import FramescopeError
from framescope.core.evaluate import Plan
from framescope.core.scene.model import Scene
from framescope.ui.theme import DARK, LIGHT, Theme

MIN_SIDE, MAX_SIDE = 64, 7680
MAX_FRAMES = 1_000_000
THEMES = {theme.name: theme for theme in (DARK, LIGHT)}


class ExportError(FramescopeError):
    """An export cannot be made; the message says why and what would do."""


class ExportCancelledError(FramescopeError):
    """An export was given up by whoever asked for it; no file is left."""


@dataclass(frozen=True, eq=False)
class ExportRequest:
    """An animation to export: what, where, how large, and from when to when."""

    scene: Scene
    plan: Plan
    path: Path
    size: tuple[int, int]
    fps: float
    start: float
    stop: float
    theme: Theme
    progress: Callable[[int, int], None]
    is_cancelled: Callable[[], bool]

    @property
    def times(self) -> NDArray[np.float64]:
        """The time of each frame, s."""
        count = max(1, round((self.stop - self.start) * self.fps))
        return self.start + np.arange(count) / self.fps


def checked_request(
    scene: Scene,
    plan: Plan,
    path: Path,
    *,
    size: tuple[int, int],
    fps: float,
    start: float | None,
    stop: float | None,
    theme: str,
    progress: Callable[[int, int], None] | None,
    is_cancelled: Callable[[], bool] | None,
) -> ExportRequest:
    """Return the request with its defaults filled in; raise `ExportError` when it cannot be met."""
    width, height = size
    nearest = [min(max(side + side % 2, MIN_SIDE), MAX_SIDE) for side in size]
    if [width, height] != nearest:
        raise ExportError(
            f"size: expected an even width and height from {MIN_SIDE} to {MAX_SIDE}, got {width}x{height}."
            f" Use {nearest[0]}x{nearest[1]}."
        )
    if not 0.0 < fps <= 1000.0:
        raise ExportError(f"fps: expected more than 0 and at most 1000, got {fps:g}.")
    begin, end = plan.start if start is None else start, plan.end if stop is None else stop
    if not (math.isfinite(begin) and end > begin):
        raise ExportError(f"stop: expected a time after the start at {begin:g} s, got {end:g} s.")
    if not (end - begin) * fps <= MAX_FRAMES:
        raise ExportError(f"stop: {end - begin:g} s at {fps:g} fps are more than {MAX_FRAMES} frames. Use less.")
    if theme not in THEMES:
        raise ExportError(f'theme: expected dark or light, got "{theme}".')
    folder = path.absolute().parent
    if not folder.is_dir():
        raise ExportError(f"{path}: there is no folder {folder}. Make it first.")
    if path.is_dir():
        raise ExportError(f"{path}: this is a folder. Add a file name.")
    return ExportRequest(
        scene=scene,
        plan=plan,
        path=path,
        size=size,
        fps=fps,
        start=begin,
        stop=end,
        theme=THEMES[theme],
        progress=progress or (lambda _done, _total: None),
        is_cancelled=is_cancelled or (lambda: False),
    )

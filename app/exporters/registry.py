"""The exporters by suffix, and the function that chooses one."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from pathlib import Path

from framescope.app.exporters.request import ExportError, checked_request
from framescope.core.errors import did_you_mean
from framescope.core.evaluate import Plan
from framescope.core.scene.model import Scene

EXPORTERS = {".mp4": "framescope.app.exporters.video"}
"""The module of each suffix; its ``write(request)`` makes the file. Modules are imported when they are needed."""


def export(
    scene: Scene,
    plan: Plan,
    path: str | Path,
    *,
    size: tuple[int, int] = (1280, 720),
    fps: float = 30,
    start: float | None = None,
    stop: float | None = None,
    theme: str = "dark",
    progress: Callable[[int, int], None] | None = None,
    is_cancelled: Callable[[], bool] | None = None,
) -> None:
    """Render a scene to a file, with no window; the suffix of `path` chooses the format.

    Parameters
    ----------
    scene, plan
        The document, and its compiled plan.
    path
        Where to write. The file appears whole or not at all.
    size
        Width and height in pixels, both even.
    fps
        Frames a second.
    start, stop
        Time range, s; that of the scene when left out.
    theme
        ``"dark"`` or ``"light"``.
    progress
        Called with the number of frames done and of all frames.
    is_cancelled
        Asked before every frame; true gives the export up.

    Raises
    ------
    ExportError
        When the request cannot be met, or writing fails; no file is left.
    ExportCancelledError
        When `is_cancelled` said so; no file is left.
    """
    path = Path(path)
    suffix = path.suffix.lower()
    if suffix not in EXPORTERS:
        said = f'"{suffix}" is no format' if suffix else "the file name has no ending"
        raise ExportError(f"{path.name}: {said} that can be exported. {did_you_mean(suffix, EXPORTERS)}")
    request = checked_request(
        scene,
        plan,
        path,
        size=size,
        fps=fps,
        start=start,
        stop=stop,
        theme=theme,
        progress=progress,
        is_cancelled=is_cancelled,
    )
    importlib.import_module(EXPORTERS[suffix]).write(request)

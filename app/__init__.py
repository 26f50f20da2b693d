"""Start-up, command line, session, wiring and export: the one layer that knows every other.

Nothing outside ``framescope.app`` imports from here. For use from Python there are `show` and `export`; what they need
is imported when they are called.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from framescope.core.scene.model import Scene

__all__ = ["export", "show"]


def show(scene: Scene, folder: str | Path | None = None) -> Scene:
    """Open the window on a scene made in code, wait until it is closed, and return the scene as it was left.

    Parameters
    ----------
    scene
        What to show.
    folder
        Where the files are that the scene names.

    Returns
    -------
    Scene
        With all edits that were made in the window. Saving there is possible, and not needed.

    Raises
    ------
    FramescopeError
        When there is no display to open a window on.

    Examples
    --------
    >>> from framescope.core.scene.model import Scene
    >>> scene = Scene.model_validate({"framescope": 1, "frames": {"arm": {
    ...     "parent": "world",
    ...     "orientation": {"form": "axes", "sequence": "ZYX", "angles": [30, "20*t", 0], "unit": "deg"}}}})
    >>> turned = show(scene)  # doctest: +SKIP
    >>> turned.frames["arm"].orientation.angles  # doctest: +SKIP
    (45.0, '20*t', 0.0)
    """
    from framescope.app import scripting

    return scripting.show(scene, None if folder is None else Path(folder))


def export(
    scene: Scene,
    path: str | Path,
    *,
    folder: str | Path | None = None,
    size: tuple[int, int] = (1280, 720),
    fps: float = 30,
    start: float | None = None,
    stop: float | None = None,
    theme: str = "dark",
) -> None:
    """Render a scene made in code to a file, with no window; the suffix of `path` chooses the format.

    Parameters
    ----------
    scene
        What to render.
    path
        Where to write, such as ``turn.mp4``. The file appears whole or not at all.
    folder
        Where the files are that the scene names.
    size
        Width and height in pixels, both even.
    fps
        Frames a second.
    start, stop
        Time range, s; that of the scene when left out.
    theme
        ``"dark"`` or ``"light"``.

    Raises
    ------
    SceneError
        When something in the scene is wrong, so that it would be drawn wrong or not at all; nothing is written.
    ExportError
        When the request cannot be met, or writing fails.

    Examples
    --------
    >>> from framescope.core.scene.model import Scene
    >>> scene = Scene.model_validate({"framescope": 1, "frames": {"arm": {"parent": "wrld"}}})
    >>> export(scene, "arm.mp4")
    Traceback (most recent call last):
    framescope.core.errors.SceneError: arm.mp4: frames.arm.parent: there is no frame "wrld". Did you mean "world"?

    >>> scene = Scene.model_validate({"framescope": 1, "frames": {"arm": {"parent": "world"}}})
    >>> export(scene, "arm.mp4", size=(640, 360), stop=2.0, theme="light")  # doctest: +SKIP
    """
    from framescope.app import scripting

    scripting.export(
        scene,
        Path(path),
        None if folder is None else Path(folder),
        size=size,
        fps=fps,
        start=start,
        stop=stop,
        theme=theme,
    )

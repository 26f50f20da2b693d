"""Start-up, command line, session, wiring and export: the one layer that knows every other.

Nothing outside ``framescope.app`` imports from here. For use from Python there are `show` and `export`; what they need
is imported when they are called.
"""

import sys

if sys.argv[:1] == ["-m"] and not sys.flags.safe_path:
    # `python -m framescope.app` would import from the folder it is started in, whatever lies there beside a scene. This
    # goes before any import: even `from __future__` and `typing` can be files there.
    del sys.path[0]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path
    from typing import Any

    from framescope.core.scene.schema.model import Scene
    from framescope.core.system.growing_series import GrowingSeries

__all__ = ["export", "show"]


def show(
    scene: "Scene", folder: "str | Path | None" = None, *, live: "Mapping[str, GrowingSeries] | None" = None
) -> "Scene":
    """Open the window on a scene made in code, wait until it is closed, and return the scene as it was left.

    Parameters
    ----------
    scene
        What to show.
    folder
        Where the files are that the scene names.
    live
        Growing series by name, for frames whose motion is ``live``: any thread may append to them while the window is
        open, and the frames follow. A row is ``x, y, z`` in m and a unit quaternion ``qx, qy, qz, qw``, Hamilton's,
        which takes the frame into its parent.

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
    >>> from framescope.core.scene.schema.model import Scene
    >>> scene = Scene.model_validate({"framescope": 1, "frames": {"arm": {
    ...     "parent": "world",
    ...     "orientation": {"form": "axes", "sequence": "ZYX", "angles": [30, "20*t", 0], "unit": "deg"}}}})
    >>> turned = show(scene)  # doctest: +SKIP
    >>> turned.frames["arm"].orientation.angles  # doctest: +SKIP
    (45.0, '20*t', 0.0)

    A frame that goes up a ramp while one looks:

    >>> from threading import Timer
    >>> from framescope.core.system.growing_series import GrowingSeries
    >>> series = GrowingSeries(7, capacity=100_000)
    >>> scene = Scene.model_validate({"framescope": 1, "frames": {"cart": {
    ...     "parent": "world", "motion": {"form": "live", "series": "cart"}}}})
    >>> for i in range(200):
    ...     Timer(0.01 * i, series.append, (0.01 * i, [0.01 * i, 0, 0.002 * i, 0, 0, 0, 1])).start()  # doctest: +SKIP
    >>> show(scene, live={"cart": series})  # doctest: +SKIP
    """
    from framescope.app import scripting

    return scripting.show(scene, folder, live or {})


def export(
    scene: "Scene",
    path: "str | Path",
    *,
    folder: "str | Path | None" = None,
    progress: "Callable[[int, int], None] | None" = None,
    **options: "Any",
) -> None:
    """Export a scene made in code to a file, with no window; the suffix of `path` chooses the format.

    Parameters
    ----------
    scene
        What to export.
    path
        Where to write, such as ``turn.mp4``. The file appears whole or not at all.
    folder
        Where the files are that the scene names.
    progress
        Called with the number of frames, or other parts, done and of all.
    options
        ``size`` in pixels, ``fps``, ``start`` and ``stop`` in s, ``theme``, ``layout``, ``camera`` and all others that
        `framescope.app.exporters.registry.export` tells of.

    Raises
    ------
    SceneError
        When something in the scene is wrong, so that it would be drawn wrong or not at all; nothing is written.
    ExportError
        When the request cannot be met, an option means nothing to the format, or writing fails.

    Examples
    --------
    >>> from framescope.core.scene.schema.model import Scene
    >>> scene = Scene.model_validate({"framescope": 1, "frames": {"arm": {"parent": "wrld"}}})
    >>> export(scene, "arm.mp4")
    Traceback (most recent call last):
    framescope.core.errors.SceneError: arm.mp4: frames.arm.parent: there is no frame "wrld". Did you mean "world"?

    >>> scene = Scene.model_validate({"framescope": 1, "frames": {"arm": {"parent": "world"}}})
    >>> export(scene, "arm.mp4", size=(640, 360), stop=2.0, theme="light")  # doctest: +SKIP
    """
    from framescope.app import scripting

    scripting.export(scene, path, folder, progress, options)

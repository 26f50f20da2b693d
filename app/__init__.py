"""Start-up, command line, session, wiring and export: the layer that may import all others.

Scripts use `load`, `check`, `evaluate`, `export` and `show`, which `framescope` exports, too. They import their
implementations when they are called.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path
    from typing import Any

    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    from framescope.core.errors import Problem
    from framescope.core.scene import LoadedScene, Scene
    from framescope.core.snapshot import Snapshot
    from framescope.core.system.growing_series import GrowingSeries

    Source = Scene | LoadedScene | str | Path

__all__ = ["check", "evaluate", "export", "load", "show"]


def load(path: "str | Path") -> "LoadedScene":
    """Read a scene file, or make a scene from a robot, a bag or the result of a simulation.

    Parameters
    ----------
    path
        A file, a folder of a bag or robot, or the name of an example, such as ``"demo"``.

    Returns
    -------
    LoadedScene
        The scene, with the path of its file. The other functions look for the files that the scene names in the folder
        of this file.

    Raises
    ------
    SceneError
        When there is no such file, or it contains no scene.

    Examples
    --------
    >>> load("gimbal-lock").scene.title
    'Gimbal lock'
    """
    from framescope.app import scripting

    return scripting.load(path)


def check(source: "Source", *, folder: "str | Path | None" = None, deep: bool = True) -> "tuple[Problem, ...]":
    """Return the problems of a scene, each with its place, its cause and, where there is one, its fix.

    Parameters
    ----------
    source
        A scene, the result of `load`, or the path of a file.
    folder
        Folder of the files that the scene names; by default the scene file's folder.
    deep
        Also compare recordings and measurements with the motion of their frames, as ``framescope check --deep`` does.

    Returns
    -------
    tuple of Problem
        Problems in the order of the file; empty for a valid scene.

    Raises
    ------
    SceneError
        When the file cannot be read as a scene.

    Examples
    --------
    >>> from framescope.core.scene import Frame, Scene
    >>> scene = Scene(frames={"arm": Frame(parent="wrld")})
    >>> problem, = check(scene)
    >>> problem.title, problem.fix_text
    ('parent missing', 'Use world')
    >>> check(problem.fix.change.apply(scene))
    ()
    """
    from framescope.app import scripting

    return scripting.check(source, folder, deep=deep)


def evaluate(
    source: "Source", t: "ArrayLike", signal: str | None = None, *, folder: "str | Path | None" = None
) -> "Snapshot | NDArray[np.float64]":
    """Return the state of a scene at one time or at many, or one of its signals.

    Parameters
    ----------
    source
        A scene, the result of `load`, or the path of a file.
    t : () or (n,)
        Times, s.
    signal
        A signal in words, as for ``framescope evaluate``: ``"angles of tip relative to world by ZYX in deg"``.
    folder
        Folder of the files that the scene names; by default the scene file's folder.

    Returns
    -------
    Snapshot or array
        Without a signal the poses, velocities, sensors and measurements of all frames. With a signal its components,
        (m,) at one time and (n, m) at many, in its unit; NaN where it has no value.

    Raises
    ------
    SceneError
        When the file cannot be read as a scene.
    FramescopeError
        When the text describes no signal of the scene.

    Notes
    -----
    Each call compiles the scene. For many calls compile it once (`framescope.core.evaluation.evaluate.compile_plan`).

    Examples
    --------
    >>> evaluate("aircraft", 0.0).R_WF.shape
    (3, 3, 3)
    """
    from framescope.app import scripting

    return scripting.evaluate_scene(source, t, signal, folder)


def show(
    scene: "Source", folder: "str | Path | None" = None, *, live: "Mapping[str, GrowingSeries] | None" = None
) -> "Scene":
    """Open the window on a scene, wait until it is closed, and return the edited scene.

    Parameters
    ----------
    scene
        A scene, the result of `load`, or the path of a file.
    folder
        Folder of the files that the scene names; by default the scene file's folder.
    live
        Growing series by name, for frames whose motion is ``live``: any thread may append to them while the window is
        open, and the frames follow. A row is ``x, y, z`` in m and a unit quaternion ``qx, qy, qz, qw``, Hamilton's,
        which takes the frame into its parent.

    Returns
    -------
    Scene
        The scene with all edits made in the window. It need not be saved there.

    Raises
    ------
    FramescopeError
        When there is no display to open a window on.

    Examples
    --------
    >>> from framescope.core.scene import Scene
    >>> scene = Scene.model_validate({"framescope": 1, "frames": {"arm": {
    ...     "parent": "world",
    ...     "orientation": {"form": "axes", "sequence": "ZYX", "angles": [30, "20*t", 0], "unit": "deg"}}}})
    >>> turned = show(scene)  # doctest: +SKIP
    >>> turned.frames["arm"].orientation.angles  # doctest: +SKIP
    (45.0, '20*t', 0.0)

    A frame that moves up a ramp while the window is open:

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
    scene: "Source",
    path: "str | Path",
    *,
    folder: "str | Path | None" = None,
    progress: "Callable[[int, int], None] | None" = None,
    **options: "Any",
) -> None:
    """Export a scene to a file without a window; the suffix of `path` chooses the format.

    Parameters
    ----------
    scene
        A scene, the result of `load`, or the path of a file.
    path
        File to write, such as ``turn.mp4``. It appears complete or not at all.
    folder
        Folder of the files that the scene names; by default the scene file's folder.
    progress
        Called with the number of frames or other parts that are done, and their total.
    options
        ``size`` in pixels, ``fps``, ``start`` and ``stop`` in s, ``theme``, ``layout``, ``camera``, and all other
        options of `framescope.app.exporters.registry.export`.

    Raises
    ------
    SceneError
        When the scene has a problem that would make it wrong or incomplete in the export; nothing is written.
    ExportError
        When the request is invalid, the format does not have an option, or writing fails.

    Examples
    --------
    >>> from framescope.core.scene import Scene
    >>> scene = Scene.model_validate({"framescope": 1, "frames": {"arm": {"parent": "wrld"}}})
    >>> export(scene, "arm.mp4")
    Traceback (most recent call last):
    framescope.core.errors.SceneError: arm.mp4: frames.arm.parent: there is no frame "wrld". Did you mean "world"?

    >>> scene = Scene.model_validate({"framescope": 1, "frames": {"arm": {"parent": "world"}}})
    >>> export(scene, "arm.mp4", size=(640, 360), stop=2.0, theme="light")  # doctest: +SKIP
    """
    from framescope.app import scripting

    scripting.export(scene, path, folder, progress, options)

"""Implementation of the functions of `framescope.app`: `load`, `check`, `evaluate`, `show` and `export`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from framescope.app import platforms
from framescope.app.session.mesh_problems import mesh_problems
from framescope.core.errors import FramescopeError, Problem, SceneError
from framescope.core.evaluation.evaluate import compile_plan
from framescope.core.scene.files.loading import LoadedScene
from framescope.core.scene.schema.model import Scene
from framescope.core.snapshot import Snapshot
from framescope.core.system.file_access import Access
from framescope.core.system.growing_series import GrowingSeries

Source = Scene | LoadedScene | str | Path
"""Types that a caller may pass as a scene."""


def load(path: str | Path) -> LoadedScene:
    """Read the scene of a file, a folder, or an example by name."""
    from framescope.app.importers.registry import read_scene
    from framescope.app.session.scene_lookup import find_scene, unpack_scene

    return read_scene(unpack_scene(find_scene(str(path))))[0]


def check(source: Source, folder: str | Path | None, *, deep: bool) -> tuple[Problem, ...]:
    """Compile a scene and return its problems, in the order of the file."""
    from framescope.core.analysis.diagnostics import diagnose

    scene, folder = _scene_and_folder("check", source, folder)
    plan = compile_plan(scene, folder)
    meshes = (replace(problem, kind="file", title="mesh file") for problem in mesh_problems(plan))
    return (*diagnose(plan, deep=deep), *meshes)


def evaluate_scene(
    source: Source, t: ArrayLike, signal: str | None, folder: str | Path | None
) -> Snapshot | NDArray[np.float64]:
    """Compile a scene and return its state, or one of its signals, at one time or at many."""
    from framescope.core.evaluation.evaluate import evaluate
    from framescope.core.evaluation.signal_curves import plot_curves
    from framescope.core.evaluation.signal_parser import parse_signal

    scene, folder = _scene_and_folder("evaluate", source, folder)
    plan = compile_plan(scene, folder)
    times = np.asarray(t, dtype=np.float64)
    if signal is None:
        return evaluate(plan, times)
    curves = plot_curves(plan, parse_signal(signal, scene), np.atleast_1d(times))
    return curves if times.ndim else curves[0]


def show(source: Source, folder: str | Path | None, live: Mapping[str, GrowingSeries]) -> Scene:
    """Open the window on a scene, wait until it is closed, and return the scene as it was left."""
    scene, folder = _scene_and_folder("show", source, folder)
    if not platforms.has_display(platforms.this_host()):
        raise FramescopeError("show: there is no display to open a window on. Use export, which needs none.")
    from PySide6.QtCore import QEventLoop, QThread

    from framescope.app.controllers.window_assembly import lack_of
    from framescope.app.process_settings import collect_between_events
    from framescope.app.session.document import Document
    from framescope.app.startup import make_application, window_on

    app = make_application()
    document = Document(scene, folder=folder, live=live, is_handed_back=True)
    wiring = window_on(document)
    window = wiring.window
    wiring.session.report_opened()
    leave_to_python = collect_between_events(window)
    draw_failures: list[str] = []

    def note_draw_failure(version: str, name: str) -> None:
        draw_failures.append(lack_of(version, name))

    window.scene_view.undrawable.connect(note_draw_failure)
    window.show()
    if QThread.currentThread().loopLevel() > 0:  # called from within an application, such as a notebook's
        loop = QEventLoop()
        window.closed.connect(loop.quit)
        window.scene_view.undrawable.connect(loop.quit)
        loop.exec()
    else:
        window.closed.connect(app.quit)
        window.scene_view.undrawable.connect(app.quit)
        app.exec()
    leave_to_python()
    window.close()
    window.deleteLater()
    if draw_failures:
        raise FramescopeError(f"show: {draw_failures[0]}")
    return document.scene


def export(
    source: Source,
    path: str | Path,
    folder: str | Path | None,
    progress: Callable[[int, int], None] | None,
    options: Mapping[str, Any],
) -> None:
    """Compile a scene and export it; raise `SceneError` for a problem with severity red."""
    scene, folder = _scene_and_folder("export", source, folder)
    platforms.prepare_rendering(platforms.this_host())
    plan = compile_plan(scene, folder)
    problems = [problem for problem in (*plan.problems, *mesh_problems(plan)) if problem.severity == "red"]
    if problems:
        raise SceneError(Path(path).name, problems)
    from framescope.app.exporters.registry import check_options
    from framescope.app.exporters.registry import export as write
    from framescope.app.exporters.request import SceneSource

    check_options(path, [name for name, value in options.items() if value is not None])
    write(scene, plan, path, source=SceneSource(access=Access(folder)), progress=progress, **options)


def _scene_and_folder(function: str, source: Source, folder: str | Path | None) -> tuple[Scene, Path | None]:
    """Return the scene that a caller passed or named, and the folder of the files that it names."""
    if isinstance(source, str | Path):
        source = load(source)
    if isinstance(source, LoadedScene):
        return source.scene, source.home if folder is None else Path(folder)
    if not isinstance(source, Scene):  # pyright: ignore[reportUnnecessaryIsInstance]
        expected = "expected a Scene, the result of load, or the path of a file"
        raise FramescopeError(f"{function}: {expected}, got {type(source).__name__}.")
    return source, None if folder is None else Path(folder)

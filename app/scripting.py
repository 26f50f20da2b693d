"""Implementation of `framescope.app.show` and `framescope.app.export`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from framescope.app import platforms
from framescope.app.session.mesh_problems import mesh_problems
from framescope.core.errors import FramescopeError, SceneError
from framescope.core.evaluation.evaluate import compile_plan
from framescope.core.scene.files.loading import LoadedScene
from framescope.core.scene.schema.model import Scene
from framescope.core.system.file_access import Access
from framescope.core.system.growing_series import GrowingSeries


def show(scene: Scene, folder: str | Path | None, live: Mapping[str, GrowingSeries]) -> Scene:
    """Open the window on a scene, wait until it is closed, and return the scene as it was left."""
    _check_scene("show", scene)
    if not platforms.has_display(platforms.this_host()):
        raise FramescopeError("show: there is no display to open a window on. Use export, which needs none.")
    from PySide6.QtCore import QEventLoop, QThread

    from framescope.app.controllers.window_assembly import lack_of
    from framescope.app.process_settings import collect_between_events
    from framescope.app.session.document import Document
    from framescope.app.startup import make_application, window_on

    app = make_application()
    document = Document(scene, folder=None if folder is None else Path(folder), live=live, is_handed_back=True)
    wiring = window_on(document)
    window = wiring.window
    wiring.session.report_opened()
    leave_to_python = collect_between_events(window)
    lacks: list[str] = []

    def note_lack(version: str, name: str) -> None:
        lacks.append(lack_of(version, name))

    window.scene_view.undrawable.connect(note_lack)
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
    if lacks:
        raise FramescopeError(f"show: {lacks[0]}")
    return document.scene


def export(
    scene: Scene,
    path: str | Path,
    folder: str | Path | None,
    progress: Callable[[int, int], None] | None,
    options: Mapping[str, Any],
) -> None:
    """Compile a scene and export it; raise `SceneError` when something in it is red."""
    _check_scene("export", scene)
    folder = None if folder is None else Path(folder)
    platforms.prepare_rendering(platforms.this_host())
    plan = compile_plan(scene, folder)
    problems = [problem for problem in (*plan.problems, *mesh_problems(plan)) if problem.severity == "red"]
    if problems:
        raise SceneError(Path(path).name, problems)
    from framescope.app.exporters.registry import check_given
    from framescope.app.exporters.registry import export as write
    from framescope.app.exporters.request import SceneSource

    check_given(path, [name for name, value in options.items() if value is not None])
    source = SceneSource(access=Access(folder))
    write(scene, plan, path, source=source, progress=progress, **options)


def _check_scene(function: str, scene: object) -> None:
    if not isinstance(scene, Scene):
        hint = " It has the scene as its attribute scene." if isinstance(scene, LoadedScene) else ""
        raise FramescopeError(f"{function}: expected a Scene, got {type(scene).__name__}.{hint}")

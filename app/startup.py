"""Start of the program: the window where there is a display, the video export where there is none."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from framescope.app import platforms, process_settings
from framescope.app.errors import GraphicsError
from framescope.app.session.scene_lookup import find_scene, unpacked
from framescope.core.system.garbage_collection import pause_collector

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

    from framescope.app.controllers.restart import Note
    from framescope.app.controllers.window_assembly import WindowAssembly
    from framescope.app.controllers.wiring import Wiring
    from framescope.app.exporters.request import ExportRequest
    from framescope.app.exporters.scene_graph.scene_graph import Accuracy
    from framescope.app.session.document import Document
    from framescope.app.session.termination import Termination
    from framescope.app.storage.log import Log
    from framescope.app.storage.start_marks import StartMark
    from framescope.ui.window.main_window import MainWindow

SETTLED_MS = 250
"""How long a complete window stands until its start counts as one that has succeeded: it is laid out, and framed."""


def open_window(named: str, *, allow_outside: bool = False) -> int:
    """Open the window on a scene and run it; with no display export the scene to a video. Return the exit status.

    With `allow_outside` files are read that this scene names outside its folder; of any other the window asks.

    Raises
    ------
    SceneError
        When there is no such scene, or with no display, it cannot be read.
    GraphicsError
        When there is a display, and nothing can be drawn on it.
    """
    path = find_scene(named)
    if not platforms.has_display(platforms.this_host()):
        return export_instead(path, allow_outside=allow_outside)
    app = make_application()  # before the window is imported: where there can be none, that is said at once
    from framescope.app.controllers.restart import Note
    from framescope.app.session.termination import Termination
    from framescope.app.storage.log import Log
    from framescope.app.storage.start_marks import StartMark

    log = Log()
    mark = StartMark()
    is_as_left = not mark.has_failed_before
    note = Note.from_environment()
    opening, then = (None, None) if note is None else continued(note, is_as_left=is_as_left)
    if opening is None:
        opening = make_opening(path, allow_outside=allow_outside, is_as_left=is_as_left)
    termination = Termination(opening.window.close, lambda: None)
    opening.show(partial(_go_on, log, mark, termination, then))
    status = app.exec()
    mark.remove()
    termination.close()
    log.close()
    if opening.lack:
        raise GraphicsError(opening.lack)
    return termination.status or status


def _go_on(
    log: Log, mark: StartMark, termination: Termination, then: Callable[[Wiring], None] | None, wiring: Wiring
) -> None:
    """Go on with a window that is complete: as another one stood, or play, and offer what there is to offer."""
    from PySide6.QtCore import QTimer

    from framescope.app.background.preload import Preloader
    from framescope.app.storage.temporary_folders import clear_abandoned
    from framescope.ui.qt_support.thread_tasks import thread_task

    termination.end, termination.keep = wiring.end, wiring.preferences.keep_unsaved
    keep_from_collector(wiring)
    Preloader(wiring.window)
    thread_task(wiring.window, clear_abandoned, lambda done: done.result())
    wiring.preferences.keep_log(log.feed)
    if then is not None:
        then(wiring)
    else:
        if wiring.session.document.path is not None:  # else it stands behind a question
            wiring.session.toggle_play()
        wiring.preferences.offer_first_steps()
        wiring.preferences.offer_recovery()
    if mark.has_failed_before:
        wiring.preferences.report_left_out()
    QTimer.singleShot(SETTLED_MS, wiring.window, partial(_settle, mark, wiring.window))


def _settle(mark: StartMark, window: MainWindow) -> None:
    """Do what is left to do once a window stands: its frame is known now."""
    window.fit_on_screen()
    mark.remove()


def continued(note: Note, *, is_as_left: bool = True) -> tuple[WindowAssembly | None, Callable[[Wiring], None] | None]:
    """Return the window that another process has left, and what makes it whole once it is furnished.

    There is none where what that process has left cannot be read any more.
    """
    from framescope.app.controllers import restart
    from framescope.app.controllers.window_assembly import WindowAssembly
    from framescope.core.errors import FramescopeError
    from framescope.core.system.reader_slips import slips_as_errors

    standing = note.read()
    try:
        with slips_as_errors("what was left open"):
            document, unsaved = (None, None) if standing is None else restart.document_of(standing)
    except FramescopeError:
        document, unsaved = None, None
    if standing is None or document is None:
        return None, None
    opening = WindowAssembly(document, is_as_left=is_as_left)
    restart.place(standing, opening.session, opening.window)

    def then(wiring: Wiring) -> None:
        wiring.preferences.take_over(unsaved)
        restart.set_camera(standing, wiring.window)
        if standing.is_presenting:
            wiring.window.commands.present.trigger()
        if standing.is_playing:
            wiring.session.toggle_play()
        note.remove()

    return opening, then


def keep_from_collector(wiring: Wiring) -> None:
    """Keep the garbage collector out of other threads, the window, and each scene that is opened later."""
    process_settings.collect_between_events(wiring.window)
    process_settings.keep_what_stands()
    wiring.session.document_opened.connect(process_settings.keep_what_stands_of_scene)


@pause_collector()
def make_application() -> QApplication:
    """Return the Qt application, in the remembered theme and size.

    Raises
    ------
    GraphicsError
        When Qt is told to use a platform that is not there, or shows no window: it would end the process. One that is
        there and cannot start ends it with a sentence, see `start_application`.
    """
    if (lack := platforms.window_lack(platforms.this_host())) is not None:
        raise GraphicsError(lack)
    os.environ["QT_API"] = "pyside6"
    # Else pydantic looks for plugins in every distribution there is: a thirtieth of a second before the first picture.
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    from PySide6.QtWidgets import QApplication

    from framescope.ui.qt_support.application_start import start_application

    if asked := os.environ.get("QT_QPA_PLATFORM"):
        from framescope.ui.qt_support.platform_plugins import platform_fault

        if fault := platform_fault(asked):
            raise GraphicsError(f"Framescope cannot open its window: {fault}")
    process_settings.import_plainly()
    process_settings.list_vtk_once()
    from framescope.app.storage.settings import Settings
    from framescope.app.storage.temporary_folders import noted
    from framescope.core.system.atomic_write import note_partials_by
    from framescope.ui.qt_support.exception_guard import guard_overrides
    from framescope.ui.theme import current_theme

    guard_overrides()
    process_settings.take_short_turns()
    note_partials_by(noted)
    process_settings.share_heaps()

    settings = Settings()
    if settings.font_scale != 1.0:
        os.environ.setdefault("QT_SCALE_FACTOR", f"{settings.font_scale:g}")
    found = QApplication.instance()
    app = found if isinstance(found, QApplication) else start_application(sys.argv[:1])
    app.setApplicationName("framescope")
    app.setApplicationDisplayName("Framescope")
    current_theme.apply_theme(app, settings.theme)
    return app


@pause_collector()
def make_opening(path: Path, *, allow_outside: bool = False, is_as_left: bool = True) -> WindowAssembly:
    """Return the window on a scene file, bare and not shown yet; as it was left, or as at the very first start.

    A file that opens in steps, such as a bag, a lesson or a model that takes long, is opened by the window on a new
    scene. The same window reports a file that cannot be read, whatever is wrong with it or with its reader.
    """
    from framescope.app.controllers.window_assembly import WindowAssembly
    from framescope.app.importers.registry import opens_apart
    from framescope.app.session.document import Document
    from framescope.core.errors import FramescopeError
    from framescope.core.system.reader_slips import slips_as_errors

    try:
        with slips_as_errors(path.name):
            if not opens_apart(path):
                document = Document.open(path, allow_outside=allow_outside)
                return WindowAssembly(document, lambda wiring: wiring.report_opened(), is_as_left=is_as_left)
    except FramescopeError:
        pass  # the window reads it again, and says what is wrong
    return WindowAssembly(Document.new(), lambda wiring: wiring.files.take(path), is_as_left=is_as_left)


def make_window(path: Path, *, allow_outside: bool = False) -> Wiring:
    """Return the window on a scene file, complete and wired to its session, not shown yet."""
    return make_opening(path, allow_outside=allow_outside).finish()


def window_on(document: Document) -> Wiring:
    """Return the window on a document, complete and wired to its session, not shown yet."""
    from framescope.app.controllers.window_assembly import WindowAssembly

    return WindowAssembly(document).finish()


def export_instead(path: Path, *, allow_outside: bool = False) -> int:
    """Say that there is no display, export the scene to a video beside the caller, and print where it is."""
    import typer

    from framescope.app.exporters.registry import request_for
    from framescope.app.importers.registry import importer_of, read_scene
    from framescope.app.session.mesh_problems import mesh_problems
    from framescope.core.errors import SceneError
    from framescope.core.evaluation.evaluate import compile_plan
    from framescope.core.system.file_access import Access
    from framescope.ui.exports.options import ExportOptions

    if (refuse := importer_of(path).refuse_without_display) is not None:
        refuse(path)
    loaded, _ = read_scene(unpacked(path))
    plan = compile_plan(loaded.scene, access=Access(loaded.home, allow_all=allow_outside))
    problems = (*plan.problems, *mesh_problems(plan))
    found_problems = [loaded.locate(problem) for problem in problems if problem.severity == "red"]
    if found_problems:
        raise SceneError(str(path), found_problems)
    typer.echo("There is no display to open a window on: exporting the scene to a video instead.", err=True)
    out = Path(f"{path.stem}.mp4").absolute()
    export_with_progress(request_for(loaded.scene, plan, out, ExportOptions()))
    typer.echo(out)
    return 0


def export_with_progress(request: ExportRequest) -> Accuracy | None:
    """Write an export with a progress bar on the terminal; plain lines where it is none. Return what it says."""
    platforms.prepare_rendering(platforms.this_host())
    import typer
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from framescope.app.exporters.registry import write

    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, disable=not console.is_terminal) as bar:
        name = request.path.name
        task = bar.add_task(f"Exporting {name}", total=None)
        told = 0

        def progress(done: int, total: int) -> None:
            nonlocal told
            bar.update(task, completed=done, total=total)
            quarter = 4 * done // max(total, 1)
            if quarter > told and not console.is_terminal:  # which shows no bar: a line every quarter
                told = quarter
                typer.echo(f"  {name}: {done} of {total}", err=True)

        return write(replace(request, progress=progress))

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
from framescope.app.session.scene_lookup import find_scene, unpack_scene
from framescope.core.system.garbage_collection import pause_collector

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

    from framescope.app.controllers.restart import RestartNote
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
"""Time after which a complete window counts as started, ms: its layout and its frame are final then."""


def open_window(named: str, *, allow_outside: bool = False) -> int:
    """Open the window on a scene and run it; without a display export a video instead. Return the exit status.

    With `allow_outside`, files that this scene names outside its folder are read without asking for consent.

    Raises
    ------
    SceneError
        When there is no such scene, or without a display, it cannot be read.
    GraphicsError
        When there is a display, but nothing can be drawn.
    """
    path = find_scene(named)
    if not platforms.has_display(platforms.this_host()):
        return export_instead(path, allow_outside=allow_outside)
    app = make_application()  # before the window's imports: reports at once that no window can be opened
    from framescope.app.controllers.restart import RestartNote
    from framescope.app.session.termination import Termination
    from framescope.app.storage.log import Log
    from framescope.app.storage.start_marks import StartMark

    log = Log()
    mark = StartMark()
    is_as_left = not mark.has_failed_before
    note = RestartNote.from_environment()
    opening, then = (None, None) if note is None else restore_window(note, is_as_left=is_as_left)
    if opening is None:
        opening = make_opening(path, allow_outside=allow_outside, is_as_left=is_as_left)
    termination = Termination(opening.window.close, lambda: None)
    opening.show(partial(_finish_start, log, mark, termination, then))
    status = app.exec()
    mark.remove()
    termination.close()
    log.close()
    if opening.lack:
        raise GraphicsError(opening.lack)
    return termination.status or status


def _finish_start(
    log: Log, mark: StartMark, termination: Termination, then: Callable[[Wiring], None] | None, wiring: Wiring
) -> None:
    """Finish the start of a complete window: restore another window's state, or play and offer recovery."""
    from PySide6.QtCore import QTimer

    from framescope.app.background.preload import Preloader
    from framescope.app.storage.temporary_folders import clear_abandoned
    from framescope.ui.qt_support.thread_tasks import thread_task

    termination.end, termination.keep = wiring.end, wiring.preferences.keep_unsaved
    control_garbage_collection(wiring)
    Preloader(wiring.window)
    thread_task(wiring.window, clear_abandoned, lambda done: done.result())
    wiring.preferences.keep_log(log.feed)
    if then is not None:
        then(wiring)
    else:
        wiring.session.play_opened()  # without a path, a dialog covers the scene
        wiring.preferences.offer_recovery()
    wiring.preferences.offer_first_steps()
    if mark.has_failed_before:
        wiring.preferences.report_left_out()
    QTimer.singleShot(SETTLED_MS, wiring.window, partial(_settle, mark, wiring.window))


def _settle(mark: StartMark, window: MainWindow) -> None:
    """Fit the window on the screen and remove the start mark, once its frame is known."""
    window.fit_on_screen()
    mark.remove()


def restore_window(
    note: RestartNote, *, is_as_left: bool = True
) -> tuple[WindowAssembly | None, Callable[[Wiring], None] | None]:
    """Return the window that another process has left, and the function that completes it.

    Return (None, None) when the other process's state cannot be read.
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
        restart.select_again(standing, wiring.session)
        wiring.preferences.show_covers(standing.covers)
        if standing.is_presenting:
            wiring.window.commands.present.trigger()
        if standing.setting is not None:
            wiring.settings_controller.show_dialog(standing.setting)
        if standing.is_playing:
            wiring.session.toggle_play()
        note.remove()

    return opening, then


def control_garbage_collection(wiring: Wiring) -> None:
    """Restrict garbage collection to the window's events, and exclude the window and each later scene from it."""
    process_settings.collect_between_events(wiring.window)
    process_settings.freeze_objects()
    wiring.session.document_opened.connect(process_settings.freeze_scene_objects)


@pause_collector()
def make_application() -> QApplication:
    """Return the Qt application, with the remembered theme and font scale.

    Raises
    ------
    GraphicsError
        When QT_QPA_PLATFORM names a platform that is missing or shows no window; Qt would end the process. A platform
        that exists but cannot start ends the process with a message, see `start_application`.
    """
    if (lack := platforms.window_lack(platforms.this_host())) is not None:
        raise GraphicsError(lack)
    os.environ["QT_API"] = "pyside6"
    # Without it pydantic searches every distribution for plugins, which delays the first picture by 33 ms.
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    # Qt would share the fill of a slider's knob with a thread that must wake first: 0.3 ms for each circle.
    os.environ.setdefault("QT_NO_GUI_THREADPOOL", "1")
    from PySide6.QtWidgets import QApplication

    from framescope.ui.qt_support.application_start import start_application

    if platform_names := os.environ.get("QT_QPA_PLATFORM"):
        from framescope.ui.qt_support.platform_plugins import platform_fault

        if fault := platform_fault(platform_names):
            raise GraphicsError(f"Framescope cannot open its window: {fault}")
    process_settings.restore_import()
    process_settings.list_vtk_once()
    from framescope.app.storage.settings import Settings
    from framescope.app.storage.temporary_folders import note_partial
    from framescope.core.system.atomic_write import note_partials_by
    from framescope.ui.qt_support.button_letters import give_buttons_letters
    from framescope.ui.qt_support.exception_guard import guard_overrides
    from framescope.ui.theme import current_theme

    guard_overrides()
    process_settings.shorten_switch_interval()
    note_partials_by(note_partial)
    process_settings.share_heaps()
    process_settings.keep_freed_pages()

    settings = Settings()
    if settings.font_scale != 1.0:
        os.environ.setdefault("QT_SCALE_FACTOR", f"{settings.font_scale:g}")
    existing = QApplication.instance()
    app = existing if isinstance(existing, QApplication) else start_application(sys.argv[:1])
    app.setApplicationName("framescope")
    app.setApplicationDisplayName("Framescope")
    current_theme.apply_theme(app, current_theme.theme_named(settings.theme))
    give_buttons_letters(app)
    return app


@pause_collector()
def make_opening(path: Path, *, allow_outside: bool = False, is_as_left: bool = True) -> WindowAssembly:
    """Return the window on a scene file, empty and not shown yet, with the remembered or the default layout.

    A file that opens in steps, such as a bag, a lesson or a model that takes long, is opened by the window on a new
    scene. That window also reports a file that cannot be read.
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
        pass  # the window reads the file again and reports the error
    return WindowAssembly(Document.new(), lambda wiring: wiring.files.take(path), is_as_left=is_as_left)


def make_window(path: Path, *, allow_outside: bool = False) -> Wiring:
    """Return the window on a scene file, complete and wired to its session, not shown yet."""
    return make_opening(path, allow_outside=allow_outside).finish()


def window_on(document: Document) -> Wiring:
    """Return the window on a document, complete and wired to its session, not shown yet."""
    from framescope.app.controllers.window_assembly import WindowAssembly

    return WindowAssembly(document).finish()


def export_instead(path: Path, *, allow_outside: bool = False) -> int:
    """Report that there is no display, export the scene to a video in the current folder, and print its path."""
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
    loaded, _ = read_scene(unpack_scene(path))
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


def export_with_progress(request: ExportRequest) -> Accuracy | str | None:
    """Write an export with a progress bar on a terminal, or with plain lines elsewhere; return what `write` returns."""
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
        reported = 0

        def progress(done: int, total: int) -> None:
            nonlocal reported
            bar.update(task, completed=done, total=total)
            quarter = 4 * done // max(total, 1)
            if quarter > reported and not console.is_terminal:  # without a bar, a line every quarter
                reported = quarter
                typer.echo(f"  {name}: {done} of {total}", err=True)

        return write(replace(request, progress=progress))

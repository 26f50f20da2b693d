"""Preferences of the user: layouts, the size of everything, the command palette, help, and recovery."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Future
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QImage, QImageWriter
from PySide6.QtWidgets import QApplication, QMenu, QMessageBox, QWidget
from shiboken6 import isValid

from framescope import assets
from framescope.app.controllers.example_cards import example_cards
from framescope.app.controllers.file_controller import FileCommands
from framescope.app.controllers.restart import Cover, RestartNote, covered_document, restart_program, state_of
from framescope.app.controllers.setting_rows import SCALES
from framescope.app.session.autosave import Autosave
from framescope.app.session.document import Document
from framescope.app.session.recovery import Recovery, find_recoveries, restore, take_recovery
from framescope.app.session.scene_lookup import DEMO
from framescope.app.session.session import Session
from framescope.app.storage.log import LogFeed, status_logger
from framescope.app.storage.settings import Settings, menu_texts, still_there, with_recent
from framescope.app.storage.settings_store import wait_until_written
from framescope.core.scene.files.saving import scene_text
from framescope.core.system.features import installed_features
from framescope.ui.dialogs.save_dialog import path_to_save
from framescope.ui.help import manual_index
from framescope.ui.palette.command import Command, commands_of_actions, example_commands, item_commands
from framescope.ui.palette.command_palette import CommandPalette
from framescope.ui.qt_support.thread_tasks import run_and_wait, thread_task
from framescope.ui.window.main_window import MainWindow

if TYPE_CHECKING:
    from framescope.ui.dialogs.welcome import Doors
    from framescope.ui.help.manual_viewer import ManualViewer

MANUAL = "manual"
"""Name of the manual's dock."""

LAST_FILE = "last file"
"""Name of the door to the file that was open last."""

ANOTHER_SIZE_MS = 350
"""Delay between the last change of size and the restart, ms."""

COMMON = (
    *("Play or pause", "Fit the scene", "Examples…"),
    *(action.text for feature in installed_features() for action in feature.actions if action.is_common),
    *("Manual", "Shortcuts"),
)
"""Texts of the commands that the palette offers before the user types."""


class Preferences(QObject):
    """Connects palette, help, recovery and the restart in another size with one window.

    Signals
    -------
    scale_changed()
        The menu has changed the size of everything, or a restart has failed and the size stays.
    """

    scale_changed = Signal()

    def __init__(self, session: Session, window: MainWindow, settings: Settings, files: FileCommands) -> None:
        super().__init__(window)
        self._session, self._window, self._settings, self._files = session, window, settings, files
        self.links: dict[str, Callable[[str], object]] = {"scene": files.open_example}
        """Functions that follow links of the manual to objects of the program, by the scheme of the link."""
        self.shown_setting: Callable[[], str | None] = lambda: None
        """Function that returns the setting that the open dialog of the settings shows; see `SettingsController`."""
        self.covers: dict[str, Cover] = {}
        """Displays of features in place of the user's document, by the name of the feature."""
        self.manual_window: ManualViewer | None = None
        self.manual_beside: ManualViewer | None = None
        self._autosave = self._create_autosave()
        self.window_scale = settings.font_scale
        self._another_size = QTimer(self, interval=ANOTHER_SIZE_MS, singleShot=True)
        self._another_size.timeout.connect(self.restart)
        self._recoveries: list[Recovery] = []
        self._feed: LogFeed | None = None
        self.command_palette = CommandPalette(window)
        window.presenting_changed.connect(self.command_palette.set_scale)
        self._connect_palette()
        self._connect_window()
        self._connect_files()
        self._connect_help()
        self._on_place(window.place)

    def user_document(self) -> Document:
        """Return the document whose changes are the user's, also while a lesson covers it."""
        document = self._session.document
        return (covered_document(self.covers) if document.is_for_show else None) or document

    def keep_unsaved(self) -> None:
        """Write unsaved work for the next start. This touches no widget."""
        self._autosave.leave()

    def close(self) -> None:
        """Save the window's settings and close the manual."""
        self._autosave.close()
        self._remember()
        if self.manual_window is not None:
            self.manual_window.deleteLater()

    def _remember(self) -> None:
        """Save geometry and layouts of the window."""
        settings, window = self._settings, self._window
        settings.geometry = window.saveGeometry()
        settings.place = window.place
        for name, layout in window.layouts().items():
            settings.set_layout_of(name, layout)

    # Searching everything

    def _connect_palette(self) -> None:
        window, palette = self._window, self.command_palette
        window.header.search.requested.connect(self._search)
        window.commands.search.triggered.connect(lambda: self._search(""))
        palette.add_provider(lambda: commands_of_actions(window.header.menu_bar.actions()))
        palette.add_provider(lambda: item_commands(self._session.document.scene, self._session.select))
        palette.add_provider(lambda: example_commands(example_cards(), self._files.open_example))
        palette.add_provider(lambda: manual_index.manual_commands(manual_index.manual_pages(), self.show_manual))
        palette.add_finder(
            lambda query: manual_index.manual_finds(manual_index.manual_pages(), self.show_manual, query)
        )
        palette.set_common(COMMON)
        palette.set_recent(self._settings.recent_commands)
        palette.ran.connect(self._remember_command)

    def add_finder(self, find: Callable[[str], Iterable[Command]]) -> None:
        """Add what searches by the typed text to the palette."""
        self.command_palette.add_finder(find)

    def add_commands(self, provide: Callable[[], Iterable[Command]]) -> None:
        """Add commands of a feature to the palette."""
        self.command_palette.add_provider(provide)

    def _search(self, text: str) -> None:
        self._window.outline.show_targets()
        self.command_palette.open_at(self._window.header.search.place(self._window), text)

    def _remember_command(self, _title: str) -> None:
        self._settings.recent_commands = self.command_palette.recent

    # The window

    def _connect_window(self) -> None:
        window, actions = self._window, self._window.commands
        actions.larger.triggered.connect(lambda: self._scale(1))
        actions.smaller.triggered.connect(lambda: self._scale(-1))
        actions.keep_plots.setChecked(self._settings.keeps_plots)
        actions.keep_plots.toggled.connect(self._remember_plots)
        window.place_changed.connect(self._on_place)

    def _on_place(self, name: str) -> None:
        is_teaching = name == "Learn"
        self._window.inspector.orientation.set_detail("full" if is_teaching else "compact")
        self._settings.place = name

    def _remember_plots(self, is_on: bool) -> None:
        self._settings.keeps_plots = is_on

    def _scale(self, step: int) -> None:
        """Select the next larger or smaller size."""
        n = len(SCALES)
        nearest = min(range(n), key=lambda i: abs(SCALES[i] - self._settings.font_scale))
        self.set_scale(SCALES[min(max(nearest + step, 0), n - 1)])
        self.scale_changed.emit()

    def set_scale(self, scale: float) -> None:
        """Restart in another size of everything. Several changes in a short time cause one restart."""
        settings = self._settings
        settings.font_scale = scale
        text = f"Everything at {settings.font_scale:.0%} of its usual size"
        if self._session.document.is_handed_back:  # a script waits for this window
            self._window.status.show_message("note", f"{text} from the next start on")
            return
        self._window.status.show_message("note", text)
        self._another_size.start()

    def restart(self) -> None:
        """Restart in a new process with the size in the settings."""
        if self._settings.font_scale == self.window_scale:
            return
        self._files.finish_gestures()
        session, window = self._session, self._window
        if not all(cover.may_leave() for cover in self.covers.values()):
            self._keep_size()
            return
        if is_presenting := window.is_presenting:
            window.commands.present.trigger()  # leave the presentation, so that the layout before it is remembered
        is_unsaved = self.user_document().is_dirty
        unsaved = self._autosave.leave()
        if is_unsaved and unsaved is None:
            self._stay("unsaved work cannot be written", None)
            return
        setting = self.shown_setting()
        state = state_of(session, window, unsaved, self.covers, is_presenting=is_presenting, setting=setting)
        try:
            note = RestartNote.write(state)
        except OSError as error:
            self._stay(error.strerror or str(error), unsaved)
            return
        self._remember()
        wait_until_written()  # the new process reads it
        restart_program(note)
        is_read = run_and_wait(note.is_read)
        if not isValid(window):  # the window was closed while waiting
            return
        if not is_read:
            note.remove()
            self._stay("the new one does not come", unsaved)
            return
        self.user_document().is_handed_back = True  # the new process has it
        window.close()

    def _keep_size(self) -> None:
        self._settings.font_scale = self.window_scale
        self.scale_changed.emit()

    def _stay(self, why: str, unsaved: Path | None) -> None:
        """Keep this window in its present size after a failed restart."""
        self._keep_size()
        if unsaved is not None and (recovery := take_recovery(unsaved)) is not None:
            recovery.discard()
        self._autosave = self._create_autosave()
        self._autosave.on_document_changed()
        self._window.status.show_message("red", f"The size stays as it is: {why}")

    def _create_autosave(self) -> Autosave:
        autosave = Autosave(self.user_document, parent=self)
        self._session.document_changed.connect(autosave.on_document_changed)
        autosave.failed.connect(partial(self._window.status.show_message, "amber"))
        return autosave

    def take_over(self, unsaved: Recovery | None) -> None:
        """Take over unsaved work from another process."""
        if unsaved is not None:
            self._autosave.write()
            unsaved.discard()

    def show_covers(self, states: Mapping[str, Any]) -> None:
        """Show again what features have shown in place of the document in another process."""
        for name, state in states.items():
            if name in self.covers:
                self.covers[name].restore(state)

    # Files

    def _connect_files(self) -> None:
        files, window = self._files, self._window
        for signal in (files.saved, files.opened):
            signal.connect(self._remember_file)
        document = self._session.document  # the command line has opened it
        if path := document.path or document.source:
            self._remember_file(path)
        files.recent_folder = self._recent_folder
        window.commands.examples.triggered.connect(self._show_gallery)
        window.menus.recent.aboutToShow.connect(self._fill_recent)

    def _remember_file(self, path: Path) -> None:
        if not self._session.document.is_example:
            self._settings.recent = with_recent(self._settings.recent, path)

    def _recent_folder(self) -> Path | None:
        """Return the folder of the most recent file, or None."""
        return next((path.parent for path in self._settings.recent), None)

    def _fill_recent(self) -> None:
        menu = self._window.menus.recent
        menu.clear()
        recent = self._settings.recent
        for path, text in zip(recent, menu_texts(recent), strict=True):
            menu.addAction(text).triggered.connect(partial(self._open_recent, path))
        if not recent:
            menu.addAction("No file was opened yet").setEnabled(False)

    def _open_recent(self, path: Path, _is_checked: bool = False) -> None:
        self._files.open(path)

    def _show_gallery(self) -> None:
        from framescope.ui.dialogs.example_gallery import Gallery

        gallery = Gallery(example_cards(), self._window)
        gallery.example_requested.connect(self._files.open_example)
        gallery.finished.connect(gallery.deleteLater)
        gallery.open()

    def report_left_out(self) -> None:
        """Report why the window does not have its remembered place and layout."""
        text = "The last start ended before its first picture: this window leaves the remembered place and layout out"
        self._session.status.emit("amber", text)

    def offer_first_steps(self) -> None:
        """Show doors over the demo until the user dismisses them, and over every new scene."""
        from framescope.ui.dialogs.welcome import Door, Doors

        features = installed_features()
        docks = {dock.name: dock.door for feature in features for dock in feature.docks if dock.door}
        actions = {action.name: action.door for feature in features for action in feature.actions if action.door}
        doors = (
            Door(LAST_FILE, "Continue", "history"),
            *(Door(name, text, "search") for name, text in docks.items()),
            Door("open", "Open a robot, bag or log", "folder-open"),
            *(Door(name, text, "circle-help") for name, text in actions.items()),
            Door("new", "New scene", "file-plus"),
        )
        row = Doors(doors, self._window.scene_view)
        row.opened.connect(partial(self._open_door, row))
        row.dismissed.connect(self._forget_first_start)
        row.hide()
        show = partial(self._show_doors, row)
        self._session.document_changed.connect(show)
        # The doors would cover the large title or the captions of the turns.
        for action in (self._window.commands.present, self._window.commands.staged):
            action.toggled.connect(show)
        self._window.place_changed.connect(show)
        show()

    def _show_doors(self, row: Doors, *_: object) -> None:
        document, commands = self._session.document, self._window.commands
        is_demo = document.path is not None and document.path.stem == DEMO and not document.is_dirty
        is_first = is_demo and self._settings.is_first_start
        is_covered = commands.present.isChecked() or commands.staged.isChecked() or self._window.place != "Build"
        is_new = document.path is None and not document.is_dirty and not document.made_of
        last = next(iter(still_there(self._settings.recent)), None) if is_first or is_new else None
        row.dismiss.setVisible(is_first)
        for name in row.buttons:
            row.offer(name, is_first or (is_new and name != "new"))
        row.offer(LAST_FILE, last is not None)
        if last is not None:
            row.name_door(LAST_FILE, "Continue with", last.name, f"Open {last}")
        row.setVisible((is_first or is_new) and not is_covered)
        rect = row.geometry()
        rects = ((rect.x(), rect.y(), rect.width(), rect.height()),) if not row.isHidden() else ()
        self._window.scene_view.reserve_areas(rects, "doors")

    def _open_door(self, row: Doors, name: str) -> None:
        commands = self._window.commands
        usual = {"open": commands.open, "new": commands.new}
        if name == LAST_FILE:
            if last := next(iter(still_there(self._settings.recent)), None):
                self._open_recent(last)
            return
        action = usual.get(name) or commands.of_features.get(name)
        if action is None:
            self._window.show_dock(name)
        elif isinstance(menu := action.menu(), QMenu):
            button = row.buttons[name]
            menu.popup(button.mapToGlobal(button.rect().bottomLeft()))
        else:
            action.trigger()

    def _forget_first_start(self) -> None:
        self._settings.is_first_start = False

    def offer_recovery(self) -> None:
        """Ask about unsaved work of a window that did not close normally."""
        self._recoveries = list(find_recoveries())
        if not self._recoveries:
            return
        from framescope.ui.dialogs.recovery_dialog import RecoveryDialog

        text = [(recovery.name, f"{recovery.when:%d %B, %H:%M}") for recovery in self._recoveries]
        dialog = RecoveryDialog(text, self._window)
        dialog.restore_requested.connect(self._recover)
        dialog.discarded.connect(self._discard_recovery)
        dialog.finished.connect(self._leave_recoveries)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def _recover(self, i: int) -> None:
        recovery = self._recoveries[i]

        def take() -> None:
            self._autosave.write()
            recovery.discard()
            self._window.status.show_message("good", f"Recovered {recovery.name}. It is not saved yet")

        self._files.open_recovered(recovery.name, partial(restore, recovery), take)

    def _discard_recovery(self, i: int) -> None:
        self._recoveries[i].discard()

    def _leave_recoveries(self, _result: int = 0) -> None:
        for recovery in self._recoveries:
            recovery.leave()

    # Help

    def _connect_help(self) -> None:
        window, actions = self._window, self._window.commands
        panels: dict[str, QWidget] = {
            "orientation": window.inspector.orientation,
            "scene": window.scene_view,
            "status": window.status,
        }
        for name, panel in panels.items():
            panel.setProperty("helpTopic", manual_index.TOPICS[name])
        actions.manual.triggered.connect(
            lambda: self.show_manual(manual_index.help_page_of(QApplication.focusWidget()))
        )
        window.instrument_seen.connect(self._fill_dock)
        if window.is_instrument_seen(MANUAL):
            self._fill_dock(MANUAL)
        actions.shortcuts.triggered.connect(self._show_shortcuts)
        actions.log.triggered.connect(self.show_log)
        actions.bug_report.triggered.connect(lambda: self._save_bug_report(True, True))
        actions.about.triggered.connect(self._about)

    def show_manual(self, target: str) -> None:
        """Open the manual at a page: in the open dock or window, else where the user had it last."""
        is_in_window = self.manual_window is not None and self.manual_window.isVisible()
        if self._window.has_dock(MANUAL) or (self._settings.is_manual_beside and not is_in_window):
            self._show_beside(target)
        else:
            self._show_in_window(target)

    def _show_in_window(self, target: str) -> None:
        self._settings.is_manual_beside = False
        if self.manual_window is None:
            self.manual_window = manual = self._create_manual(is_beside=False)
            manual.moved.connect(self._move_beside)
            self._window.closed.connect(manual.close)
            self._window.keys.watch(manual, is_to_read=True)
        self.manual_window.open_at(target)

    def _show_beside(self, target: str) -> None:
        """Show a page in the dock, which may have been visible before it was filled."""
        self._window.show_dock(MANUAL)
        self._fill_dock(MANUAL)
        if self.manual_beside is not None:
            self.manual_beside.open_at(target)

    def _fill_dock(self, name: str) -> None:
        """Put the manual into its dock when the dock is first shown."""
        if name != MANUAL:
            return
        self._settings.is_manual_beside = True
        if self.manual_beside is not None:
            return
        self.manual_beside = manual = self._create_manual(is_beside=True)
        manual.turned.connect(partial(self._window.set_dock_title, MANUAL, "Manual"))
        manual.moved.connect(self._move_into_window)
        self._window.fill_dock(MANUAL, manual, (manual.move_button,))

    def _create_manual(self, *, is_beside: bool) -> ManualViewer:
        from framescope.ui.help.manual_viewer import ManualViewer

        ground = self._window.ground(MANUAL) if is_beside else None
        return ManualViewer(parent=ground, links=self.links, is_beside=is_beside)

    def _move_beside(self, target: str) -> None:
        if self.manual_window is not None:
            self.manual_window.close()
        self._window.activateWindow()
        self._show_beside(target)

    def _move_into_window(self, target: str) -> None:
        self._window.hide_dock(MANUAL)
        self._show_in_window(target)

    def _show_shortcuts(self) -> None:
        from framescope.ui.help.shortcut_sheet import ShortcutSheet, shortcuts_of

        navigation = self._window.scene_view.pointer.navigation
        sheet = ShortcutSheet(shortcuts_of(self._window.header.menu_bar.actions()), self._window, navigation)
        sheet.finished.connect(sheet.deleteLater)
        sheet.open()

    def keep_log(self, feed: LogFeed) -> None:
        """Connect the log of the process. It also records the messages of the status line."""
        self._feed = feed
        self._session.status.connect(status_logger())
        # Queued, because the failed event may be the painting of a widget.
        feed.failed.connect(self._show_failure, Qt.ConnectionType.QueuedConnection)
        if feed.last_failure:
            self._show_failure(feed.last_failure)

    def _show_failure(self, words: str) -> None:
        self._window.status.show_message("red", words)
        self._window.status.offer("Show the log", "show the log, which has the details", self.show_log)

    def show_log(self) -> None:
        """Show the log in a window of its own."""
        from PySide6.QtWidgets import QDialog, QVBoxLayout

        from framescope.ui.help.log_view import LogView

        dialog = QDialog(self._window)
        dialog.setWindowTitle("Log")
        dialog.resize(760, 460)
        view = LogView(dialog)
        column = QVBoxLayout(dialog)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(view)
        if self._feed is not None:
            view.set_lines(self._feed.lines)
            self._feed.added.connect(view.add)
        view.bundle_requested.connect(self._save_bug_report)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.show()

    def _save_bug_report(self, with_scene: bool, with_picture: bool) -> None:
        from framescope.app.storage.bug_report import BugReport, write_report

        document = self._session.document
        suggested = document.working_folder / "framescope-report.zip"
        path = path_to_save(
            self._window, "Save a bug report", suggested, "Bundle (*.zip)", ".zip", inputs=document.files
        )
        if path is None:
            return
        scene = self._session.document.scene if with_scene else None
        picture = self._window.grab().toImage() if with_picture else None
        lines = self._feed.lines if self._feed is not None else ()
        report = BugReport(self._window.scene_view.drawing.name, self._settings.summary(), lines)

        def write() -> None:
            text = report if scene is None else replace(report, scene_text=scene_text(scene))
            write_report(text if picture is None else replace(text, screenshot=_png(picture)), path)

        def report_end(done: Future[None]) -> None:
            error = done.exception()
            if error is None:
                self._window.status.show_message("good", f"Wrote {path.name}")
            elif isinstance(error, OSError):
                self._window.status.show_message("red", f"The report is not written: {error.strerror or error}")
            else:
                raise error

        self._window.status.show_message("note", f"Writing {path.name}…")
        thread_task(self, write, report_end)

    def _about(self) -> None:
        from importlib.metadata import version

        text = (
            f"Framescope {version('framescope')}\n\n"
            "See, check and export rotations and reference frames. MIT licence.\n\n"
            f"Fonts, icons and data under their own licences: {assets.path('third_party')}"
        )
        QMessageBox.about(self._window, "About Framescope", text)


def _png(image: QImage) -> bytes:
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    QImageWriter(buffer, QByteArray(b"png")).write(image)
    return bytes(buffer.data().data())

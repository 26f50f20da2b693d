"""The habits of a person: layouts, theme and units that are remembered, what can be searched, help, and recovery."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from dataclasses import replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QObject, QProcess, Qt
from PySide6.QtGui import QImage, QImageWriter
from PySide6.QtWidgets import QApplication, QFileDialog, QMessageBox, QWidget

from framescope import assets
from framescope.app.autosave import Autosave
from framescope.app.example_cards import example_cards
from framescope.app.filing import Filing
from framescope.app.log import LogFeed, status_logger
from framescope.app.recent import menu_texts, with_recent
from framescope.app.recovery import Recovery, find_recoveries, restore
from framescope.app.scenes import DEMO
from framescope.app.session import Session
from framescope.app.settings import MAX_FONT_SCALE, MIN_FONT_SCALE, Settings
from framescope.app.settings_store import wait_until_written
from framescope.app.working import aside
from framescope.core.scene.saving import scene_text
from framescope.ui import appearance
from framescope.ui.main_window import MainWindow
from framescope.ui.manual import TOPICS, help_page_of, manual_commands, manual_pages
from framescope.ui.palette.command import Command, commands_of_actions, example_commands, item_commands
from framescope.ui.palette.command_palette import CommandPalette
from framescope.ui.theme import DARK, LIGHT, Theme

SCALE_STEP = 1.25
COMMON = ("Play or pause", "Fit the scene", "Examples…", "Import a recording…", "Manual", "Shortcuts")
"""What the palette offers while nothing is typed."""


class Habits(QObject):
    """Connects what is remembered and what helps with one window."""

    def __init__(self, session: Session, window: MainWindow, settings: Settings, filing: Filing) -> None:
        super().__init__(window)
        self._session, self._window, self._settings, self._filing = session, window, settings, filing
        self._manual: QObject | None = None
        self._autosave = Autosave(lambda: session.document, parent=self)
        self._recoveries: list[Recovery] = []
        self._feed: LogFeed | None = None
        self._palette = CommandPalette(window)
        self._connect_palette()
        self._connect_window()
        self._connect_files()
        self._connect_help()
        self._set_unit(settings.angle_unit)
        self._on_preset(window.preset)

    def close(self) -> None:
        """Remember the window, and let go: it closes."""
        self._autosave.close()
        settings, window = self._settings, self._window
        settings.geometry = window.saveGeometry()
        settings.preset = window.preset
        for name, layout in window.layouts().items():
            settings.set_layout_of(name, layout)
        if self._manual is not None:
            self._manual.deleteLater()

    # Searching everything

    def _connect_palette(self) -> None:
        window, palette = self._window, self._palette
        window.header.search.asked.connect(self._search)
        window.commands.search.triggered.connect(lambda: self._search(""))
        palette.add_provider(lambda: commands_of_actions(window.header.menu_bar.actions()))
        palette.add_provider(lambda: item_commands(self._session.document.scene, self._session.select))
        palette.add_provider(lambda: example_commands(example_cards(), self._filing.open_example))
        palette.add_provider(self._manual_commands)
        palette.set_common(COMMON)
        palette.set_recent(self._settings.recent_commands)
        palette.ran.connect(self._remember_command)

    def _search(self, text: str) -> None:
        self._palette.open_at(self._window.header.search.place(self._window), text)

    def _manual_commands(self) -> Iterator[Command]:
        return manual_commands(manual_pages(), self.show_manual)

    def _remember_command(self, _title: str) -> None:
        self._settings.recent_commands = self._palette.recent

    # The window

    def _connect_window(self) -> None:
        window, actions = self._window, self._window.commands
        actions.theme.triggered.connect(self._switch_theme)
        actions.larger.triggered.connect(lambda: self._scale(SCALE_STEP))
        actions.smaller.triggered.connect(lambda: self._scale(1 / SCALE_STEP))
        for unit, action in actions.units.items():
            action.triggered.connect(partial(self._set_unit, unit))
        window.preset_changed.connect(self._on_preset)

    def _on_preset(self, name: str) -> None:
        is_teaching = name == "Teach"
        self._window.inspector.orientation.set_detail("full" if is_teaching else "compact")
        self._settings.preset = name

    def _set_unit(self, unit: str, _is_checked: bool = True) -> None:
        chosen = "rad" if unit == "rad" else "deg"
        window = self._window
        for view in (window.inspector, window.readouts, window.plots, window.scene_view):
            view.set_angle_unit(chosen)
        window.commands.units[chosen].setChecked(True)
        self._settings.angle_unit = chosen

    def _switch_theme(self) -> None:
        theme: Theme = LIGHT if appearance.current().is_dark else DARK
        app = QApplication.instance()
        if isinstance(app, QApplication):
            appearance.apply_theme(app, theme)
        self._settings.theme = theme
        self._window.scene_view.set_theme(theme)
        self._window.set_theme_icon(theme.is_dark)

    def _scale(self, factor: float) -> None:
        """Take another size for everything; it needs a new start, which is offered."""
        scale = min(max(self._settings.font_scale * factor, MIN_FONT_SCALE), MAX_FONT_SCALE)
        self._settings.font_scale = scale
        buttons = QMessageBox.StandardButton
        text = f"Everything will be {scale:.0%} of its usual size from the next start on. Start again now?"
        answer = QMessageBox.question(self._window, "Size of everything", text, buttons.Yes | buttons.No)
        if answer == buttons.Yes and self._filing.may_discard():
            document = self._session.document
            named = [str(document.path)] if document.path is not None else []
            document.is_handed_back = True  # the person has been asked
            if self._window.close():
                environment = {key: value for key, value in os.environ.items() if key != "QT_SCALE_FACTOR"}
                wait_until_written()  # of what the new start is to read
                _start_again([sys.executable, "-m", "framescope.app", *named], environment)

    # Files

    def _connect_files(self) -> None:
        session, filing, window = self._session, self._filing, self._window
        session.document_changed.connect(self._autosave.on_document_changed)
        self._autosave.failed.connect(partial(window.status.say, "amber"))
        for signal in (filing.saved, filing.opened):
            signal.connect(self._remember_file)
        window.commands.examples.triggered.connect(self._show_gallery)
        window.menus.recent.aboutToShow.connect(self._fill_recent)

    def _remember_file(self, path: Path) -> None:
        if not self._session.document.is_example:
            self._settings.recent = with_recent(self._settings.recent, path)

    def _fill_recent(self) -> None:
        menu = self._window.menus.recent
        menu.clear()
        recent = self._settings.recent
        for path, text in zip(recent, menu_texts(recent), strict=True):
            menu.addAction(text).triggered.connect(partial(self._open_recent, path))
        if not recent:
            menu.addAction("No file was opened yet").setEnabled(False)

    def _open_recent(self, path: Path, _is_checked: bool = False) -> None:
        self._filing.open(path)

    def _show_gallery(self) -> None:
        from framescope.ui.gallery import Gallery

        gallery = Gallery(example_cards(), self._window)
        gallery.example_asked.connect(self._filing.open_example)
        gallery.finished.connect(gallery.deleteLater)
        gallery.open()

    def offer_first_steps(self) -> None:
        """Show the three links over the scene, at the first start."""
        from framescope.ui.first_start import FirstStart

        document = self._session.document
        if not self._settings.is_first_start or document.path is None or document.path.stem != DEMO:
            return
        links = FirstStart(self._window.scene_view)
        links.examples_asked.connect(self._window.commands.examples.trigger)
        links.open_asked.connect(self._window.commands.open.trigger)
        links.new_asked.connect(self._window.commands.new.trigger)
        links.dismissed.connect(self._forget_first_start)
        self._session.document_opened.connect(links.hide)
        links.show()

    def _forget_first_start(self) -> None:
        self._settings.is_first_start = False

    def offer_recovery(self) -> None:
        """Ask about unsaved work of a window that did not end by itself."""
        self._recoveries = list(find_recoveries())
        if not self._recoveries:
            return
        from framescope.ui.recovery_dialog import RecoveryDialog

        told = [(found.name, f"{found.when:%d %B, %H:%M}") for found in self._recoveries]
        dialog = RecoveryDialog(told, self._window)
        dialog.restore_asked.connect(self._recover)
        dialog.discarded.connect(self._discard_recovery)
        dialog.finished.connect(self._leave_recoveries)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def _recover(self, i: int) -> None:
        found = self._recoveries[i]

        def take() -> None:
            self._autosave.write()
            found.discard()
            self._window.status.say("good", f"Recovered {found.name}. It is not saved yet")

        self._filing.open_recovered(found.name, partial(restore, found), take)

    def _discard_recovery(self, i: int) -> None:
        self._recoveries[i].discard()

    def _leave_recoveries(self, _result: int = 0) -> None:
        for found in self._recoveries:
            found.leave()

    # Help

    def _connect_help(self) -> None:
        window, actions = self._window, self._window.commands
        panels: dict[str, QWidget] = {
            "outline": window.outline,
            "inspector": window.inspector,
            "orientation": window.inspector.orientation,
            "readouts": window.readouts,
            "problems": window.problems,
            "timeline": window.timeline,
            "plots": window.plots,
            "scene": window.scene_view,
            "status": window.status,
        }
        for name, panel in panels.items():
            panel.setProperty("helpTopic", TOPICS[name])
        actions.manual.triggered.connect(lambda: self.show_manual(help_page_of(QApplication.focusWidget())))
        actions.shortcuts.triggered.connect(self._show_shortcuts)
        actions.log.triggered.connect(self._show_log)
        actions.bug_report.triggered.connect(lambda: self._save_bug_report(True, True))
        actions.about.triggered.connect(self._about)

    def show_manual(self, target: str) -> None:
        """Open the manual at a page."""
        from framescope.ui.manual_viewer import ManualViewer

        if not isinstance(self._manual, ManualViewer):
            manual = ManualViewer()
            manual.example_asked.connect(self._filing.open_example)
            self._window.closed.connect(manual.close)
            self._manual = manual
        self._manual.open_at(target)

    def _show_shortcuts(self) -> None:
        from framescope.ui.shortcuts import ShortcutSheet, shortcuts_of

        sheet = ShortcutSheet(shortcuts_of(self._window.header.menu_bar.actions()), self._window)
        sheet.finished.connect(sheet.deleteLater)
        sheet.open()

    def keep_log(self, feed: LogFeed) -> None:
        """Take the log of the process: what the status line says stands in it, too."""
        self._feed = feed
        self._session.said.connect(status_logger())

    def _show_log(self) -> None:
        from PySide6.QtWidgets import QDialog, QVBoxLayout

        from framescope.ui.log_view import LogView

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
        view.bundle_asked.connect(self._save_bug_report)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.show()

    def _save_bug_report(self, with_scene: bool, with_picture: bool) -> None:
        from framescope.app.bug_report import Report, write_report

        suggested = str(self._session.document.working_folder / "framescope-report.zip")
        chosen, _ = QFileDialog.getSaveFileName(self._window, "Save a bug report", suggested, "Bundle (*.zip)")
        if not chosen:
            return
        scene = self._session.document.scene if with_scene else None
        picture = self._window.grab().toImage() if with_picture else None
        report = Report(
            self._window.scene_view.renderer_name,
            self._settings.told(),
            self._feed.lines if self._feed is not None else (),
        )
        path = Path(chosen)

        def write() -> None:
            told = report if scene is None else replace(report, scene_text=scene_text(scene))
            write_report(told if picture is None else replace(told, screenshot=_png(picture)), path)

        def say(done: Future[None]) -> None:
            error = done.exception()
            if error is None:
                self._window.status.say("good", f"Wrote {path.name}")
            elif isinstance(error, OSError):
                self._window.status.say("red", f"The report is not written: {error.strerror or error}")
            else:
                raise error

        self._window.status.say("note", f"Writing {path.name}…")
        aside(self, write, say)

    def _about(self) -> None:
        from importlib.metadata import version

        text = (
            f"Framescope {version('framescope')}\n\n"
            "See, check and export rotations and reference frames. MIT licence.\n\n"
            f"Fonts, icons and data under their own licences: {assets.path('third_party')}"
        )
        QMessageBox.about(self._window, "About Framescope", text)


def _start_again(command: Sequence[str], environment: dict[str, str]) -> None:
    """Start the program anew, beside this one that ends."""
    process = QProcess()
    process.setProgram(command[0])
    process.setArguments(list(command[1:]))
    from PySide6.QtCore import QProcessEnvironment

    wanted = QProcessEnvironment()
    for key, value in environment.items():
        wanted.insert(key, value)
    process.setProcessEnvironment(wanted)
    process.startDetached()


def _png(image: QImage) -> bytes:
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    QImageWriter(buffer, QByteArray(b"png")).write(image)
    return bytes(buffer.data().data())

"""Controller of exports: the dialog, the export process, and its progress in the status line."""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QUrl, Signal
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QMessageBox

from framescope.app.controllers.file_controller import FileCommands
from framescope.app.exporters.scene_graph.remarks import size_text
from framescope.app.session.export_entries import ExportEntries
from framescope.app.session.session import Session
from framescope.app.storage.settings import Settings
from framescope.ui.formatting.literal_text import literal_text
from framescope.ui.window.main_window import MainWindow

if TYPE_CHECKING:
    from framescope.app.export_service.client import Ended, ExportProcess
    from framescope.app.export_service.tasks import ExportJob, ExportTask, J
    from framescope.ui.exports.options import ExportOptions

KNOWN_AFTER_S = 0.5
"""Time for which frames are counted before the remaining time is estimated, s."""


class ExportController(QObject):
    """Exports the open scene, one export at a time.

    Signals
    -------
    ended()
        An export has ended.
    """

    ended = Signal()

    def __init__(self, session: Session, window: MainWindow, settings: Settings, files: FileCommands) -> None:
        super().__init__(window)
        self._session, self._window, self._settings, self._files = session, window, settings, files
        self.entries = ExportEntries(settings)
        self._running: _Running | None = None
        self.question: QMessageBox | None = None
        window.commands.export.triggered.connect(self.ask)
        window.header.export.clicked.connect(self.ask)
        window.status.export.cancelled.connect(self.cancel)
        window.export_cancel_requested.connect(self.ask_cancel)

    @property
    def is_running(self) -> bool:
        """Whether an export is running."""
        return self._running is not None

    @property
    def process(self) -> ExportProcess | None:
        """Running export process, or None."""
        return None if self._running is None else self._running.process

    def ask(self) -> None:
        """Open the export dialog. While an export is running, report it instead."""
        self.ask_film("")

    def ask_film(self, film: str, t: float = 0.0) -> None:
        """Open the export dialog with a film of the scene chosen, none if the name is empty, seen at its time, s."""
        if self.is_running:
            self._report_running()
            return
        from framescope.app.controllers.exports.export_dialog_controller import ExportDialogController

        self._files.finish_gestures()
        asking = ExportDialogController(self._session, self._window, self._settings, self.entries, film, t)
        asking.started.connect(self._start)

    def film_options(self, film: str) -> tuple[ExportOptions, str]:
        """Return the options and the suffix with which the export dialog would open for a film."""
        from framescope.app.controllers.exports.export_dialog_controller import offered_film_options

        return offered_film_options(self._session, self._window, self._settings, film)

    def write(self, path: Path, options: ExportOptions, *, is_still: bool = False) -> None:
        """Write the scene, or one picture of it. While an export is running, report it instead."""
        if self.is_running:
            self._report_running()
            return
        from framescope.app.export_service.client import ExportProcess
        from framescope.app.export_service.tasks import ExportJob

        process = ExportProcess(self._session.plan_source(), self)
        self._start(process, ExportJob(process.plan, path, options, is_still))

    def write_job(self, job: J, task: ExportTask[J]) -> None:
        """Run a feature's export function in another process. While an export is running, report it instead."""
        if self.is_running:
            self._report_running()
            return
        from framescope.app.export_service.client import ExportProcess

        self._begin(ExportProcess(self._session.plan_source(), self), job, task)

    def cancel(self) -> None:
        """Cancel the running export."""
        if self._running is not None:
            self._running.process.cancel()

    def ask_cancel(self) -> None:
        """Ask whether to cancel the running export, since the user may have pressed Escape for another reason."""
        if self._running is None or self.question is not None:
            return
        question = QMessageBox(self._window)
        question.setIcon(QMessageBox.Icon.Question)
        question.setWindowTitle("Export")
        question.setText(literal_text(f"{self._running.name} is still being exported. Give it up?"))
        give_up = question.addButton("Give up", QMessageBox.ButtonRole.DestructiveRole)
        go_on = question.addButton("Go on", QMessageBox.ButtonRole.RejectRole)
        question.setDefaultButton(go_on)
        question.setEscapeButton(go_on)
        give_up.clicked.connect(self.cancel)
        question.finished.connect(self._forget_question)
        self.question = question
        question.open()

    def _forget_question(self) -> None:
        question, self.question = self.question, None
        if question is not None:
            question.deleteLater()

    def may_close(self) -> bool:
        """Ask whether to cancel the running export. Return whether the window may close."""
        if self._running is None:
            return True
        buttons = QMessageBox.StandardButton
        text = f"{self._running.name} is still being exported. Give it up?"
        answer = QMessageBox.question(self._window, "Export", literal_text(text), buttons.Yes | buttons.No, buttons.No)
        return answer == buttons.Yes

    def close(self) -> None:
        """Stop the running export because the window closes."""
        if self._running is not None:
            self._running.process.close()
            self._running = None

    # Running

    def _report_running(self) -> None:
        if self._running is not None:
            name = self._running.name
            self._window.status.show_message(
                "note", f"{name} is still being exported. Wait until it is done, or cancel it"
            )

    def _start(self, process: ExportProcess, job: ExportJob) -> None:
        from framescope.app.export_service.tasks import write_export

        self._begin(process, job, write_export)

    def _begin(self, process: ExportProcess, job: J, task: ExportTask[J]) -> None:
        process.setParent(self)
        self._running = _Running(process, job.path)
        process.progressed.connect(self._on_progress)
        process.ended.connect(self._on_ended)
        self._window.status.export.show_running(f"Exporting {self._running.name}", 0.0)
        process.write(job, task)

    def _on_progress(self, done: int, total: int) -> None:
        running = self._running
        if running is not None:
            remaining_s = running.left_s(done, total)
            note = "" if remaining_s is None else f"{duration_text(remaining_s)} left"
            self._window.status.export.show_running(f"Exporting {running.name}", done / max(total, 1), note)

    def _on_ended(self, ended: Ended) -> None:
        running, self._running = self._running, None
        if self.question is not None:
            self.question.reject()  # the export is over
        status = self._window.status
        status.export.show_nothing()
        if running is None:
            return
        self.ended.emit()
        running.process.deleteLater()
        if ended.state == "done":
            folder = running.path.parent
            exact = f"; {ended.summary}" if ended.summary else ""
            status.show_message("good", f"Exported {running.summary()}{exact}")
            status.offer("Show", f"open the folder {folder.name}", partial(_open_folder, folder))
        elif ended.state == "cancelled":
            kept_note = ". Whole pictures stay, and the next export goes on there" if running.is_row else ""
            status.show_message("note", f"The export of {running.name} was cancelled{kept_note}")
        else:
            status.show_message("red", f"{running.name} is not exported: {ended.why}")


@dataclass(eq=False)
class _Running:
    """Running export: its process and its output path."""

    process: ExportProcess
    path: Path
    _first: tuple[float, int] | None = None

    @property
    def is_row(self) -> bool:
        """Whether the export writes numbered pictures."""
        return "%" in self.path.name

    @property
    def name(self) -> str:
        """Name of the file, or of the folder of numbered pictures."""
        return self.path.parent.name if self.is_row else self.path.name

    def left_s(self, done: int, total: int) -> float | None:
        """Return the estimated remaining time, s, or None before `KNOWN_AFTER_S`."""
        now = time.monotonic()
        if self._first is None:
            self._first = (now, done)
        since, at = self._first
        is_known = done > at and now - since > KNOWN_AFTER_S
        return (now - since) / (done - at) * (total - done) if is_known else None

    def summary(self) -> str:
        """Return the name and size of the written file."""
        if self.is_row:
            return f"the pictures into {self.name}"
        try:
            return f"{self.name}, {size_text(self.path.stat().st_size)}"
        except OSError:  # the file was removed already
            return self.name


def duration_text(seconds: float) -> str:
    """Return a rounded duration as text.

    >>> duration_text(0.2), duration_text(59.6), duration_text(200), duration_text(4000)
    ('1 s', '60 s', '3 min', '1 h 7 min')
    """
    if seconds < 90.0:
        return f"{max(1, round(seconds))} s"
    minutes = round(seconds / 60.0)
    return f"{minutes} min" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"


def _open_folder(folder: Path) -> None:
    QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder)))

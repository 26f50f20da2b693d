"""Reports on files that could not be opened: all their problems, apart from those of the open scene."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QWidget

from framescope.app.session.session import Session
from framescope.core.errors import Problem
from framescope.ui.panels.problems.panel import ProblemsPanel
from framescope.ui.theme.tokens import METRICS
from framescope.ui.widgets import layouts
from framescope.ui.widgets.buttons import push_button
from framescope.ui.window.main_window import MainWindow

WIDTH, HEIGHT = 620, 380


class FileReport(QDialog):
    """Dialog with all problems of a file. It can be copied from, and does not block the window."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        layouts.lay_ground(self)
        self.setWindowTitle("Not opened")
        self.resize(WIDTH, HEIGHT)
        self.heading = layouts.plain_label("", "title", wordWrap=True)
        self.note = layouts.plain_label("", "quiet", wordWrap=True)
        self.list = ProblemsPanel(self)
        self.copy = push_button("Copy", "copy", clicked=self._copy)
        self.close_button = push_button("Close", clicked=self.close)
        beside = METRICS.padding, 0  # the rows of the list have these margins themselves
        first = layouts.row((self.heading, 1), self.list.counts, spacing=METRICS.gap)
        head = layouts.column(first, self.note, margins=beside, spacing=METRICS.gap)
        buttons = layouts.row(layouts.STRETCH, self.copy, self.close_button, margins=beside, spacing=METRICS.gap)
        layouts.column(head, (self.list, 1), buttons, on=self, margins=(0, METRICS.padding), spacing=METRICS.gap)

    def set_report(self, heading: str, problems: Sequence[Problem]) -> None:
        """Show the problems of another file."""
        self.heading.setText(heading)
        n = len(problems)
        self.note.setText(f"{n} fault{'s' * (n != 1)} in the file. The scene that is open stays as it is.")
        self.list.set_problems(problems)
        self.close_button.setFocus(Qt.FocusReason.OtherFocusReason)

    def _copy(self) -> None:
        lines = [self.heading.text(), *map(str, self.list.problems)]
        QGuiApplication.clipboard().setText("\n".join(lines))


class FileReports(QObject):
    """Shows a report when a file is refused, and hides it when another file is opened."""

    def __init__(self, session: Session, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self.report: FileReport | None = None
        """Latest report, created when first needed."""
        session.refused.connect(self._show)
        session.document_opened.connect(self._put_away)

    def _show(self, heading: str, problems: tuple[Problem, ...]) -> None:
        if self.report is None:
            self.report = FileReport(self._window)
        self.report.set_report(heading, problems)
        self._window.status.offer("Show all", f"show all faults: {heading}", self._bring_up)
        self._bring_up()

    def _bring_up(self) -> None:
        if self.report is not None and self._window.isVisible():
            self.report.show()
            self.report.raise_()

    def _put_away(self) -> None:
        if self.report is not None:
            self.report.hide()

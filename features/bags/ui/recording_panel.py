"""Recording panel: all frames of a recording over time, with their gaps and faults."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import (
    QKeyEvent,
)
from PySide6.QtWidgets import QCheckBox, QLabel, QStackedWidget, QWidget

from framescope.features.bags.ui.frame_bars import (
    FrameBar,
)
from framescope.features.bags.ui.frame_canvas import FrameCanvas
from framescope.ui.theme.tokens import METRICS
from framescope.ui.widgets import layouts
from framescope.ui.widgets.empty_state import EmptyState
from framescope.ui.widgets.search_field import SearchField

EMPTY = "Open a bag of ROS or Foxglove to see its frames over time."


class RecordingPanel(QWidget):
    """Timeline of all frames of a recording, below a field that filters them.

    Signals
    -------
    time_requested(float)
        Time that the user clicked or went to by key, s.
    frame_picked(str)
        Name of the frame that the user picked.
    """

    time_requested = Signal(float)
    frame_picked = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        layouts.lay_ground(self)
        self.field = SearchField("Filter frames…", "filter frames by name", METRICS.row_icon)
        self.field.setClearButtonEnabled(True)
        self.field.setMaximumWidth(METRICS.left)
        self.only_faults = QCheckBox("Only faults")
        self.only_faults.setAccessibleName("only frames with faults")
        self.only_faults.setToolTip("Frames with an amber or a red mark, and their parents")
        self.count: QLabel = layouts.label("", "quiet")
        self.canvas = FrameCanvas()
        header = layouts.row(
            (self.field, 9),
            self.only_faults,
            layouts.STRETCH,
            self.count,
            margins=(METRICS.gap, METRICS.inner),
            spacing=METRICS.gap,
        )
        page = QWidget()
        layouts.column(header, (self.canvas, 1), on=page, margins=0, spacing=0)
        self.empty = EmptyState("layers", "No recording", EMPTY)
        self._pages = QStackedWidget()
        self._pages.addWidget(self.empty)
        self._pages.addWidget(page)
        layouts.column(self._pages, on=self, margins=0, spacing=0)
        self.setAccessibleName("frames of the recording over time")
        self.setFocusProxy(self.canvas)
        self.field.textChanged.connect(self._filter)
        self.only_faults.toggled.connect(self._filter)
        self.canvas.time_requested.connect(self.time_requested)
        self.canvas.frame_picked.connect(self.frame_picked)

    def set_frames(self, bars: Sequence[FrameBar]) -> None:
        """Show these frames, each below its parent; without frames, explain how to get some."""
        self.canvas.set_frames(bars)
        self._pages.setCurrentIndex(1 if bars else 0)
        self._filter()

    def set_range(self, start: float, end: float) -> None:
        """Set the first and last time shown, s."""
        self.canvas.set_range(start, end)

    def set_time(self, t: float) -> None:
        """Move the cursor to a time, s; only its strip is repainted."""
        self.canvas.set_time(t)

    def set_selected(self, name: str) -> None:
        """Show a frame as selected, and bring its row into view; an empty or unknown name clears the selection."""
        self.canvas.set_selected(name)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        # Keys that the field leaves: Escape clears it, Down and Return move the focus to the rows.
        if self.field.hasFocus() and event.key() == Qt.Key.Key_Escape and self.field.text():
            self.field.clear()
        elif self.field.hasFocus() and event.key() in (Qt.Key.Key_Down, Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.canvas.setFocus(Qt.FocusReason.TabFocusReason)
        else:
            super().keyPressEvent(event)

    def _filter(self) -> None:
        self.canvas.set_filter(self.field.text(), only_faults=self.only_faults.isChecked())
        n = sum(not row.is_dim for row in self.canvas.rows)
        n_all = len(self.canvas.bars)
        is_on = bool(self.field.text().strip()) or self.only_faults.isChecked()
        self.count.setText(f"{n} of {n_all}" if is_on else f"{n_all} frame{'s' * (n_all != 1)}")

"""Dialog for unsaved work after a crash."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QDialog, QListWidget, QWidget

from framescope.ui.theme.tokens import METRICS
from framescope.ui.widgets import layouts
from framescope.ui.widgets.buttons import push_button

_WIDTH = 440
_MAX_LINES = 6


class RecoveryDialog(QDialog):
    """Lists unsaved work, newest first, and restores or discards the selected entry.

    Escape and closing the window keep all entries for the next start.

    Parameters
    ----------
    entries
        Name and time of each entry, as text.

    Signals
    -------
    restore_requested(int)
        Request to open the entry with this number; the dialog closes.
    discarded(int)
        Request to delete the entry with this number for good; the numbers of the others stay.
    left()
        The dialog was closed; the remaining entries are offered again later.
    """

    restore_requested = Signal(int)
    discarded = Signal(int)
    left = Signal()

    def __init__(self, entries: Sequence[tuple[str, str]], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setProperty("role", "panel")
        self.setProperty("helpTopic", "index.md#recovery-after-a-crash")
        self.setWindowTitle("Unsaved work")
        heading = layouts.label("Framescope stopped with unsaved work", "title")
        text = layouts.label(
            "Restored work opens as unsaved changes: the file on disk stays unchanged until you save.",
            "quiet",
            wordWrap=True,
        )
        self.list = QListWidget()
        self.list.setAccessibleName("unsaved work")
        self.list.addItems([f"{name}   {when}" for name, when in entries])
        for i in range(len(entries)):
            self.list.item(i).setData(Qt.ItemDataRole.UserRole, i)
            self.list.item(i).setSizeHint(QSize(0, METRICS.outline_row))
        self.list.setCurrentRow(0)
        lines = min(max(len(entries), 2), _MAX_LINES)
        self.list.setFixedHeight(lines * METRICS.outline_row + METRICS.gap)
        self.list.itemActivated.connect(self._restore)
        self.restore = push_button("Restore", kind="main", default=True)
        self.discard, later = push_button("Discard"), push_button("Later")
        for button in (self.discard, later):
            button.setAutoDefault(False)
        self.restore.clicked.connect(self._restore)
        self.discard.clicked.connect(self._discard)
        later.clicked.connect(self.reject)
        self.rejected.connect(self.left)
        buttons = layouts.row(self.discard, layouts.STRETCH, later, self.restore, spacing=METRICS.gap)
        layouts.column(
            heading, text, self.list, METRICS.inner, buttons, on=self, margins=METRICS.padding, spacing=METRICS.gap
        )
        self.setMinimumWidth(_WIDTH)
        self.list.setFocus()

    def _place(self) -> int:
        place: int = self.list.currentItem().data(Qt.ItemDataRole.UserRole)
        return place

    def _restore(self) -> None:
        place = self._place()
        self.accept()
        self.restore_requested.emit(place)

    def _discard(self) -> None:
        self.discarded.emit(self._place())
        self.list.takeItem(self.list.currentRow())
        if self.list.count() == 0:
            self.reject()

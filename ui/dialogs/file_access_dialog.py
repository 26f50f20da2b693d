"""Dialog that asks whether a scene may read files outside its folder. It shows plain text only."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDialog, QPlainTextEdit, QWidget

from framescope.ui.theme.tokens import METRICS
from framescope.ui.widgets import layouts
from framescope.ui.widgets.buttons import push_button

MAX_LINES = 8
_WIDTH = 480


class ConsentDialog(QDialog):
    """Lists files outside a scene's folder, and asks whether to read them.

    Leaving them out is the default: Return, Escape and closing the window all mean it.

    Parameters
    ----------
    document
        Name of the scene.
    names
        The files, as the scene writes them.

    Signals
    -------
    answered(bool)
        Whether the files may be read.
    """

    answered = Signal(bool)

    def __init__(self, document: str, names: Sequence[str], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setProperty("role", "panel")
        self.setWindowTitle("Files outside the scene's folder")
        many = len(names) > 1
        heading = layouts.label(f"This scene reads {'files' if many else 'a file'} outside its folder", "title")
        text = layouts.plain_label(
            f"{document} names {f'these {len(names)} files' if many else 'this file'}. Read {'them' if many else 'it'}"
            " only if you trust the source of the scene.",
            wordWrap=True,
        )
        self.files = QPlainTextEdit("\n".join(names), readOnly=True)
        self.files.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.files.setAccessibleName("files outside the folder")
        lines = min(len(names), MAX_LINES) + (1 if many else 0)
        self.files.setFixedHeight(self.files.fontMetrics().lineSpacing() * max(lines, 2) + 2 * METRICS.gap)
        self.read = push_button("Read them" if many else "Read it")
        self.leave = push_button("Leave them out" if many else "Leave it out", kind="main", default=True)
        self.read.setAutoDefault(False)
        self.read.clicked.connect(self.accept)
        self.leave.clicked.connect(self.reject)
        self.finished.connect(lambda result: self.answered.emit(result == QDialog.DialogCode.Accepted))
        buttons = layouts.row(layouts.STRETCH, self.read, self.leave, spacing=METRICS.gap)
        layouts.column(
            heading, text, self.files, METRICS.inner, buttons, on=self, margins=METRICS.padding, spacing=METRICS.gap
        )
        self.setMinimumWidth(_WIDTH)
        self.leave.setFocus()

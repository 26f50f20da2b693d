"""A question inside the panel, before something authored is given up."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QWidget

from framescope.core.scene.edits.base import Edit
from framescope.ui.theme.tokens import METRICS
from framescope.ui.widgets import layouts
from framescope.ui.widgets.buttons import push_button
from framescope.ui.widgets.inline_message import InlineMessage


class Confirm(QFrame):
    """
    Tells what an edit would take away, and makes it only when told to.

    Signals
    -------
    confirmed(object)
        The `Edit` that was asked about.
    declined()
        It is not to be made.
    """

    confirmed = Signal(object)
    declined = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "card")
        self._edit: Edit | None = None
        self.message = InlineMessage("warning")
        self.yes = push_button("Convert", kind="main")
        self.no = push_button("Keep it")
        self.yes.clicked.connect(self._on_yes)
        self.no.clicked.connect(self._on_no)
        buttons = layouts.row(self.yes, self.no, layouts.STRETCH, spacing=METRICS.gap)
        layouts.column(
            self.message,
            buttons,
            on=self,
            margins=(METRICS.gap, METRICS.inner, METRICS.gap, METRICS.gap),
            spacing=METRICS.inner,
        )
        self.hide()

    def ask(self, loss: str, edit: Edit) -> None:
        """Ask whether to make an edit in spite of what it takes away."""
        self._edit = edit
        self.message.set_message(loss)
        self.show()
        self.no.setFocus()

    def drop(self) -> None:
        """Forget the question, as when another frame comes into view."""
        self._edit = None
        self.hide()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self._on_no()
        else:
            super().keyPressEvent(event)

    def _on_yes(self) -> None:
        edit, self._edit = self._edit, None
        self.hide()
        if edit is not None:
            self.confirmed.emit(edit)

    def _on_no(self) -> None:
        self.drop()
        self.declined.emit()

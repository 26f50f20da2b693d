"""Empty state of a panel: its missing content and the next step."""

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QLabel, QWidget

from framescope.ui.theme import icons
from framescope.ui.theme.tokens import METRICS
from framescope.ui.widgets import layouts
from framescope.ui.widgets.buttons import push_button

_ICON = 20


class EmptyState(QWidget):
    """An icon, a title, a sentence and optionally a button.

    Parameters
    ----------
    icon : str
        Name of the icon.
    title : str
        The missing content: "No curve yet".
    hint : str
        The next step.
    action : str
        Text of the button; none if empty.

    Attributes
    ----------
    hint_label : QLabel
        The sentence.

    Signals
    -------
    action_requested()
        The button was pressed.
    """

    action_requested = Signal()

    def __init__(self, icon: str, title: str, hint: str, action: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._icon_name = icon
        self.icon_label = QLabel()
        heading = layouts.label(title, "title")
        self.hint_label = layouts.label(hint, "quiet", wordWrap=True)
        column = layouts.column(layouts.STRETCH, on=self, spacing=METRICS.inner)
        for part in (self.icon_label, heading, self.hint_label):
            part.setAlignment(Qt.AlignmentFlag.AlignCenter)
            column.addWidget(part)
        if action:
            column.addSpacing(METRICS.inner)
            button = push_button(action, kind="small", autoDefault=False)
            button.clicked.connect(self.action_requested)
            column.addWidget(button, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addStretch(1)
        self._paint_icon()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.StyleChange:
            self._paint_icon()
        super().changeEvent(event)

    def _paint_icon(self) -> None:
        self.icon_label.setPixmap(icons.pixmap(self._icon_name, "quiet", _ICON))

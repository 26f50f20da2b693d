"""Welcome of the first start: three links in the scene's upper left corner."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtWidgets import QWidget

from framescope.ui.theme.tokens import METRICS
from framescope.ui.widgets import layouts
from framescope.ui.widgets.buttons import IconButton, push_button

TOP = 58
"""Distance from the top, below title and clock of the scene, logical pixels."""


class FirstStart(QWidget):
    """Links to examples, own data and a new scene, with a button that hides them for good.

    Parameters
    ----------
    scene
        The widget below the links.

    Signals
    -------
    examples_requested(), open_requested(), new_requested()
        A link was clicked.
    dismissed()
        The close button was pressed and the links are hidden.
    """

    examples_requested = Signal()
    open_requested = Signal()
    new_requested = Signal()
    dismissed = Signal()

    def __init__(self, scene: QWidget) -> None:
        super().__init__(scene)
        self._scene = scene
        self.setAccessibleName("first steps")
        self.setProperty("helpTopic", "index.md#first-steps")
        self.examples = push_button("Examples", "layout-grid", "link")
        self.open = push_button("Open my data", "folder-open", "link")
        self.new = push_button("New scene", "file-plus", "link")
        self.dismiss = IconButton("x", "Do not show these links again", size=METRICS.small_button, icon_size=12)
        row = layouts.row(on=self, margins=0, spacing=METRICS.padding)
        for button, signal in (
            (self.examples, self.examples_requested),
            (self.open, self.open_requested),
            (self.new, self.new_requested),
        ):
            button.setCursor(Qt.CursorShape.PointingHandCursor)
            button.clicked.connect(signal)
            row.addWidget(button)
        row.addWidget(self.dismiss)
        self.dismiss.clicked.connect(self._dismiss)
        scene.installEventFilter(self)
        self._place()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize and watched is self._scene:
            self._place()
        return False

    def _place(self) -> None:
        """Move to the corner of the scene, no wider than the scene."""
        size = self.sizeHint()
        room = self._scene.width() - 2 * METRICS.padding
        self.setGeometry(METRICS.padding - 2, TOP, min(size.width(), max(room, 0)), METRICS.button)

    def _dismiss(self) -> None:
        self.hide()
        self.dismissed.emit()

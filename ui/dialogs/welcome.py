"""Doors over the scene: the first things that people come for, on the demo and on an empty scene."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QMargins, QObject, QPoint, QRect, Qt, Signal
from PySide6.QtWidgets import QPushButton, QWidget

from framescope.ui.formatting.literal_text import literal_text
from framescope.ui.theme.tokens import METRICS
from framescope.ui.widgets import layouts
from framescope.ui.widgets.buttons import IconButton, push_button

TOP = 66
"""Distance from the top, below title and clock of the scene, logical pixels."""

LONGEST = 130
"""Width of the longest name in a door's text, logical pixels; longer ones are cut in their middle."""


@dataclass(frozen=True)
class Door:
    """A button over the scene: its name, its text and its icon."""

    name: str
    text: str
    icon: str


class Doors(QWidget):
    """Column of doors at the left edge of the scene, with a button that hides them on the demo for good.

    Signals
    -------
    opened(str)
        The door with this name was clicked.
    dismissed()
        The close button was pressed and the doors are hidden.
    """

    opened = Signal(str)
    dismissed = Signal()

    def __init__(self, doors: Sequence[Door], scene: QWidget) -> None:
        super().__init__(scene)
        self._scene = scene
        self.setAccessibleName("first steps")
        self.setProperty("helpTopic", "index.md#first-steps")
        self.buttons: dict[str, QPushButton] = {}
        self._offered = {door.name for door in doors}
        grid = layouts.grid(on=self, margins=0, spacing=METRICS.inner)
        for i, door in enumerate(doors):
            button = push_button(door.text, door.icon, "door")
            button.setCursor(Qt.CursorShape.PointingHandCursor)
            button.clicked.connect(lambda _=False, name=door.name: self.opened.emit(name))
            self.buttons[door.name] = button
            grid.addWidget(button, i, 0)
        self._grid = grid
        self.dismiss = IconButton("x", "Do not show these doors again", size=METRICS.small_button, icon_size=12)
        grid.addWidget(self.dismiss, 0, 1)
        self.dismiss.clicked.connect(self._dismiss)
        scene.installEventFilter(self)
        self._place()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize and watched is self._scene:
            self._place()
        return False

    def offer(self, name: str, is_offered: bool) -> None:
        """Offer a door, or no longer."""
        if is_offered == (name in self._offered):
            return
        self._offered = self._offered | {name} if is_offered else self._offered - {name}
        first = next((i for i, other in enumerate(self.buttons) if other in self._offered), 0)
        self._grid.addWidget(self.dismiss, first, 1)
        self._place()

    def name_door(self, name: str, text: str, item: str, tooltip: str) -> None:
        """Give a door a text that ends with an item's name, cut in its middle if long, and a tooltip."""
        button = self.buttons[name]
        shown = button.fontMetrics().elidedText(item, Qt.TextElideMode.ElideMiddle, LONGEST)
        button.setText(f"{text} {shown}".replace("&", "&&"))
        button.setToolTip(literal_text(tooltip))
        button.setAccessibleName(f"{text} {item}")
        self._place()

    def _place(self) -> None:
        """Move to the corner of the scene, with as many doors as have room in it."""
        room = self._scene.size().shrunkBy(QMargins(METRICS.padding, TOP, METRICS.padding, METRICS.padding))
        bottom = 0
        for name, button in self.buttons.items():
            bottom += button.sizeHint().height()
            button.setVisible(name in self._offered and bottom <= room.height())
            bottom += METRICS.inner if name in self._offered else -button.sizeHint().height()
        self.setGeometry(QRect(QPoint(METRICS.padding - 2, TOP), self.sizeHint().boundedTo(room)))

    def _dismiss(self) -> None:
        self.hide()
        self.dismissed.emit()

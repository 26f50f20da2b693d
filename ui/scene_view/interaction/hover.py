"""Hovering: highlights the item under the pointer, and shows a card with name and numbers when the pointer rests."""

from __future__ import annotations

import time
from collections.abc import Callable

from PySide6.QtCore import QChildEvent, QEvent, QObject, QPointF, Qt, QTimer
from PySide6.QtWidgets import QWidget

from framescope.core.scene.schema.model import ItemKey
from framescope.ui.scene_view.base.scene_options import HOVERED
from framescope.ui.scene_view.interaction.hover_text import item_text
from framescope.ui.scene_view.interaction.tooltip_card import PointerCard
from framescope.ui.scene_view.scene_renderer import SceneRenderer

LOOK_MS = 30
"""Minimum time between two picks under the pointer, ms."""
REST_MS = 250
"""Time the pointer rests on an item before the card appears, ms."""
FRESH_MS = 100
"""Interval at which a visible card is updated and its item picked again while time runs, ms."""


class Hovering(QObject):
    """Finds the item under the pointer of a view, at a limited rate."""

    def __init__(self, view: QWidget, renderer: SceneRenderer) -> None:
        super().__init__(view)
        self.card = PointerCard(view)
        self.key: ItemKey | None = None
        self._view, self._renderer = view, renderer
        self.at = QPointF()
        """Last position of the pointer."""
        self.has_cards = True
        """Whether a card appears where the pointer rests; not in presentations."""
        self._written = 0.0
        self._look = QTimer(self, interval=LOOK_MS, singleShot=True)
        self._again = QTimer(self, interval=FRESH_MS, singleShot=True)
        self._again.timeout.connect(self._look_again)
        self._rest = QTimer(self, interval=REST_MS, singleShot=True)
        self._rest.timeout.connect(self._show_card)

    def watch(self, event: QChildEvent) -> None:
        """Watch a new child of the view: Qt sends no leave event when the pointer enters it."""
        child = event.child()
        if event.added() and child.isWidgetType() and child is not self.card:
            child.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: ARG002
        if event.type() == QEvent.Type.Enter:
            self.leave()
        return False

    def on_look(self, look: Callable[[], None]) -> None:
        """Call `look` whenever the pointer position must be picked."""
        self._look.timeout.connect(look)

    def move(self, at: QPointF) -> None:
        """Store the pointer position; it is picked shortly after."""
        self.at = at
        if not self._look.isActive():
            self._look.start()

    def light(self, key: ItemKey | None) -> None:
        """Highlight another item, or none."""
        if key == self.key:
            if self.card.isVisible():
                self.card.show_at(self.at.toPoint())
            return
        self.key = key
        self._renderer.set_option(HOVERED, key)
        self._view.update()
        if key is None:
            self.hide_card()
        elif self.card.isVisible():
            self._show_card()
        else:
            self._rest.start()

    def leave(self) -> None:
        """Forget the pointer."""
        self._look.stop()
        self.light(None)
        self.hide_card()
        self._view.setCursor(Qt.CursorShape.ArrowCursor)

    def hide_card(self) -> None:
        """Hide the card."""
        self._rest.stop()
        self.card.hide()

    def show_message(self, title: str, kind: str) -> None:
        """Show a message beside the pointer at once."""
        self._rest.stop()
        self.card.show_message(title, kind)
        self.card.show_at(self.at.toPoint())

    def refresh(self) -> None:
        """Update the numbers at a limited rate, and pick again, as items move with time."""
        is_due = time.perf_counter() - self._written > FRESH_MS * 1e-3
        if self.key is not None and self.card.isVisible() and is_due:
            self._write(self.key)
        if self.card.isVisible() and not self._again.isActive():
            self._again.start()

    def _look_again(self) -> None:
        if self.card.isVisible():
            self._look.start()

    def _show_card(self) -> None:
        if self.has_cards and self.key is not None and self._write(self.key):
            self.card.show_at(self.at.toPoint())

    def _write(self, key: ItemKey) -> bool:
        tick = self._renderer.tick
        if tick is None:
            return False
        self._written = time.perf_counter()
        self.card.show_message(*item_text(key, tick.plan, tick.known, self._renderer.angle_unit))
        return True

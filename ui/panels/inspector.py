"""The inspector: what there is to know and to change about the selected item."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QScrollArea, QStackedWidget, QVBoxLayout, QWidget

from framescope.core.evaluate import Plan
from framescope.core.scene.model import WORLD
from framescope.core.snapshot import Snapshot
from framescope.ui.panels.card import CardView
from framescope.ui.panels.item_cards import card_of
from framescope.ui.panels.orientation import OrientationPanel
from framescope.ui.panels.wording import NO_ITEM, ItemKey, motion_text
from framescope.ui.widgets.empty_state import EmptyState


class Inspector(QWidget):
    """The selected item: the orientation of a frame, or what there is to know of anything else.

    Signals
    -------
    picked(object)
        The key of another item to select.
    titled(str, str)
        The name of the item shown, and where it hangs, for the header.
    """

    picked = Signal(object)
    titled = Signal(str, str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._plan: Plan | None = None
        self._snapshot: Snapshot | None = None
        self._key = NO_ITEM
        self.orientation = OrientationPanel()
        self.card = CardView()
        self.card.picked.connect(self.picked)
        self._frame_page, self._card_page = _scrolled(self.orientation), _scrolled(self.card)
        self._nothing = EmptyState("crosshair", "Nothing selected", "Click a frame in the scene or in the outline.")
        self._world = EmptyState("globe", "world", "The root frame: it stands still, and every other hangs on it.")
        self._pages = QStackedWidget()
        for page in (self._frame_page, self._card_page, self._nothing, self._world):
            self._pages.addWidget(page)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._pages, 1)
        self.set_item(NO_ITEM)

    def set_plan(self, plan: Plan) -> None:
        """Show another plan."""
        self._plan = plan
        self.orientation.set_plan(plan)
        self._show_item()

    def set_item(self, key: ItemKey) -> None:
        """Show another item."""
        self._key = key
        self._show_item()

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """Show the item at the snapshot's time."""
        self._snapshot = snapshot
        if self._pages.currentWidget() is self._frame_page:
            self.orientation.show_snapshot(snapshot)
        elif self._pages.currentWidget() is self._card_page:
            self.card.show_snapshot(snapshot)

    def _show_item(self) -> None:
        kind, name = self._key
        scene = None if self._plan is None else self._plan.scene
        frame = scene.frames.get(name) if scene is not None and kind == "frames" else None
        card = None if self._plan is None else card_of(self._plan, self._key)
        if frame is not None:
            motion = motion_text(frame)
            self.titled.emit(name, f"in {frame.parent}, {motion}" if motion else f"in {frame.parent}")
            self.orientation.set_frame(name)
            self._pages.setCurrentWidget(self._frame_page)
            if self._snapshot is not None and name in self._snapshot.index:
                self.orientation.show_snapshot(self._snapshot)
        elif card is not None:
            self.titled.emit(name, card.subtitle)
            self.card.set_card(card)
            self._pages.setCurrentWidget(self._card_page)
        else:
            is_world = self._key == ("frames", WORLD)
            self.titled.emit("Inspector", "")
            self._pages.setCurrentWidget(self._world if is_world else self._nothing)


def _scrolled(widget: QWidget) -> QScrollArea:
    scroll = QScrollArea(widgetResizable=True)
    scroll.setFrameShape(QFrame.Shape.NoFrame)
    scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    scroll.setWidget(widget)
    return scroll

"""Search field of the outline, and the button that filters items."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QKeyEvent
from PySide6.QtWidgets import QMenu, QToolButton, QWidget

from framescope.core.scene.schema.model import ITEM_KINDS
from framescope.ui.panels.outline.rows import Filter
from framescope.ui.theme.tokens import METRICS
from framescope.ui.widgets import layouts
from framescope.ui.widgets.buttons import IconButton
from framescope.ui.widgets.search_field import SearchField

KIND_TEXTS = {
    "frames": "Frames",
    "bodies": "Bodies",
    "points": "Connection points",
    "elements": "Elements",
    "sensors": "Sensors",
    "measured": "Measurements",
    "notes": "Notes",
}


class _Field(SearchField):
    """Search field that passes some keys on to the tree."""

    left = Signal(bool)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Down, Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.left.emit(True)
        elif event.key() == Qt.Key.Key_Escape:
            event.ignore()
        else:
            super().keyPressEvent(event)


class FilterBar(QWidget):
    """Search field that is hidden until opened.

    Signals
    -------
    left(bool)
        The tree gets the focus; with its first row if true.
    """

    left = Signal(bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.field = _Field("Name or kind", "find in the outline", METRICS.row_icon)
        self._count = layouts.label("", "quiet")
        close = IconButton("x", "Close the search (Esc)", size=METRICS.small_button, icon_size=METRICS.row_icon)
        layouts.row(
            (self.field, 1), self._count, close, on=self, margins=(METRICS.gap, METRICS.inner), spacing=METRICS.gap
        )
        close.clicked.connect(self.close_field)
        self.field.left.connect(self.left)
        self.hide()

    def open(self) -> None:
        """Show and focus the field."""
        self.show()
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.field.selectAll()

    def close_field(self) -> None:
        """Clear and hide the field, and return the focus."""
        self.field.clear()
        self.hide()
        self.left.emit(False)

    def show_count(self, n: int | None) -> None:
        """Show the number of matching rows; None without a filter."""
        self._count.setText("" if n is None else "none" if n == 0 else f"{n}")


class FilterButton(IconButton):
    """Button with a menu of filters.

    Signals
    -------
    chosen(object, bool)
        Kinds to show, and whether to show only items with a problem.
    """

    chosen = Signal(object, bool)

    def __init__(self, find: QAction, parent: QWidget | None = None) -> None:
        super().__init__(
            "list-filter",
            "Find, and choose what is listed",
            checked_color="accent_text",
            size=METRICS.small_button,
            parent=parent,
        )
        menu = QMenu(self)
        menu.addAction(find)
        menu.addSeparator()
        self.kinds = {kind: self._check(menu, KIND_TEXTS[kind], is_on=True) for kind in ITEM_KINDS}
        menu.addSeparator()
        self.only_problems = self._check(menu, "Only with a problem", is_on=False)
        menu.addSeparator()
        self.everything = menu.addAction("List everything")
        self.everything.triggered.connect(self._on_everything)
        self.setMenu(menu)
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)

    def show_filter(self, row_filter: Filter) -> None:
        """Show a filter, and whether it is on."""
        for kind, action in self.kinds.items():
            action.setChecked(kind in row_filter.kinds)
        self.only_problems.setChecked(row_filter.only_problems)
        self.setChecked(row_filter.is_on)

    def _check(self, menu: QMenu, text: str, *, is_on: bool) -> QAction:
        action = menu.addAction(text)
        action.setCheckable(True)
        action.setChecked(is_on)
        action.triggered.connect(self._on_chosen)
        return action

    def _on_chosen(self) -> None:
        kinds = tuple(kind for kind, action in self.kinds.items() if action.isChecked())
        self.chosen.emit(kinds, self.only_problems.isChecked())

    def _on_everything(self) -> None:
        for action in self.kinds.values():
            action.setChecked(True)
        self.only_problems.setChecked(False)
        self._on_chosen()

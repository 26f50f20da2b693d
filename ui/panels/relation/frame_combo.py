"""Combo box of a frame among many, which finds any part of a typed name."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPersistentModelIndex, QStringListModel, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import (
    QComboBox,
    QCompleter,
    QLineEdit,
    QListView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from framescope.core.errors import counted, near_miss
from framescope.core.evaluation.evaluate import Plan
from framescope.core.scene.schema.model import WORLD
from framescope.ui.formatting.item_names import frame_icon
from framescope.ui.formatting.literal_text import literal_text
from framescope.ui.theme import icons
from framescope.ui.theme.tokens import METRICS
from framescope.ui.widgets.choice_box import ChoiceBox

MAX_ROWS = 12
"""Of a list that drops down, before it scrolls."""

MAX_NEAR = 2000
"""Frames among which a near miss is looked for: that takes its time."""


class FrameNames(QStringListModel):
    """The names of a plan's frames, shared by all boxes: ten thousand are one list of Qt's own."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._plan: Plan | None = None
        self.names: tuple[str, ...] = ()
        """All of them, the world first."""

    def set_plan(self, plan: Plan) -> None:
        """Take the frames of another plan; an edit that leaves the names alone costs nothing."""
        self._plan = plan
        names = tuple(plan.names)
        if names != self.names:
            self.names = names
            self.setStringList(list(names))

    def icon_of(self, name: str) -> str:
        """Return the name of the icon of a frame."""
        frame = None if self._plan is None or name == WORLD else self._plan.scene.frames.get(name)
        return "globe" if frame is None else frame_icon(frame)


class FrameField(ChoiceBox):
    """
    A frame, chosen from a list or typed: any part of its name finds it.

    Parameters
    ----------
    names
        What there is to choose from.
    label : str
        What it is chosen for: `of`, `relative to`, `resolved in`.

    Signals
    -------
    chosen(str)
        Another frame, by hand.
    refused(str)
        Why what was typed is no frame; empty once that is settled.
    """

    chosen = Signal(str)
    refused = Signal(str)

    def __init__(self, names: FrameNames, label: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._names = names
        self.name = ""
        """The frame that is shown."""
        self._is_entered = False
        self.setProperty("kind", "frame")
        self.setModel(names)
        self.setEditable(True)
        self.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(6)
        self.setMaxVisibleItems(MAX_ROWS)
        self.setAccessibleName(label)
        self.setView(_list_of(names))
        line = self.lineEdit()
        assert line is not None  # noqa: S101 - an editable box has one
        self.line: QLineEdit = line
        self.line.setAccessibleName(label)
        self._icon = self.line.addAction(icons.icon("globe", "quiet"), QLineEdit.ActionPosition.LeadingPosition)
        completer = QCompleter(names, self)
        completer.setFilterMode(Qt.MatchFlag.MatchContains)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        completer.setMaxVisibleItems(MAX_ROWS)
        found = _list_of(names)
        found.setProperty("role", "completions")
        completer.setPopup(found)
        completer.activated.connect(self._take)
        self.setCompleter(completer)
        found.setItemDelegate(_IconDelegate(names, found))  # a completer puts its own in place of any other
        self.textActivated.connect(self._take)
        self.line.editingFinished.connect(self._on_finished)
        self.line.installEventFilter(self)

    def set_name(self, name: str) -> None:
        """Show a frame; what is being typed stays as it is."""
        self.name = name
        if not (self.line.hasFocus() and self.line.isModified()):
            self._show()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if event.reason() in (Qt.FocusReason.PopupFocusReason, Qt.FocusReason.ActiveWindowFocusReason):
            return  # it comes back to what is being typed
        # What is typed then takes the place of the name; a click would put the cursor into it.
        self.line.selectAll()
        self._is_entered = event.reason() == Qt.FocusReason.MouseFocusReason

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange and hasattr(self, "_icon"):
            self._show_icon()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress and event.key() == Qt.Key.Key_Escape:
            if self.line.isModified():
                self._show()
                return True
        elif event.type() == QEvent.Type.MouseButtonRelease and self._is_entered:
            self._is_entered = False
            if not self.line.hasSelectedText():
                self.line.selectAll()
        return super().eventFilter(watched, event)

    def _on_finished(self) -> None:
        if not self.line.isModified():
            return
        text = self.line.text().strip()
        found = self._found(text)
        if found is not None:
            self._take(found)
        elif not text:
            self._show()
        else:
            self._mark(True)
            self.refused.emit(self._why_not(text))

    def _found(self, text: str) -> str | None:
        """Return the frame that is meant: of this name, or the only one with this in its name."""
        if not text:
            return None
        if text in self._names.names:
            return text
        parts = self._having(text)
        same = [name for name in parts if name.casefold() == text.casefold()]
        return next((found[0] for found in (same, parts) if len(found) == 1), None)

    def _having(self, text: str) -> list[str]:
        """Return the frames that have a text in their names."""
        folded = text.casefold()
        return [name for name in self._names.names if folded in name.casefold()]

    def _why_not(self, text: str) -> str:
        """Return why a text is no frame, and what would be one."""
        parts = self._having(text)
        if parts:
            return f"{counted(len(parts), 'frame')} with {text} in the name: choose one in the list."
        near = near_miss(text, self._names.names[:MAX_NEAR])
        hint = f"Did you mean {near}?" if near else "Type a part of a name, or open the list."
        return f"There is no frame {text}. {hint}"

    def _take(self, name: str) -> None:
        is_other, self.name = name != self.name, name
        self._show()
        if is_other:
            self.chosen.emit(name)

    def _show(self) -> None:
        names = self._names.names
        row = names.index(self.name) if self.name in names else -1
        if row != self.currentIndex():
            self.setCurrentIndex(row)
        if self.line.text() != self.name:
            self.setEditText(self.name)
        self.line.setModified(False)
        self.line.setCursorPosition(0)
        self.setToolTip(literal_text(self.name))
        self._show_icon()
        if self.line.property("invalid"):
            self._mark(False)
            self.refused.emit("")

    def _show_icon(self) -> None:
        self._icon.setIcon(icons.icon(self._names.icon_of(self.name), "quiet"))

    def _mark(self, is_invalid: bool) -> None:
        for widget in (self, self.line):
            widget.setProperty("invalid", is_invalid)
            widget.style().unpolish(widget)
            widget.style().polish(widget)


class _IconDelegate(QStyledItemDelegate):
    """Gives each row the icon of its frame, of the rows that are seen alone."""

    def __init__(self, names: FrameNames, parent: QWidget) -> None:
        super().__init__(parent)
        self._names = names

    def initStyleOption(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> None:
        super().initStyleOption(option, index)
        name = index.data(Qt.ItemDataRole.DisplayRole) or ""
        option.icon = icons.icon(self._names.icon_of(name), "quiet", METRICS.row_icon)  # type: ignore[attr-defined]
        option.features |= QStyleOptionViewItem.ViewItemFeature.HasDecoration  # type: ignore[attr-defined]


def _list_of(names: FrameNames) -> QListView:
    view = QListView(uniformItemSizes=True)
    view.setItemDelegate(_IconDelegate(names, view))
    return view

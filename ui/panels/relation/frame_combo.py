"""Combo box for one of many frames. It matches any part of a typed name."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPersistentModelIndex, QRect, QStringListModel, Qt, Signal
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
"""Maximum number of rows of the drop-down list."""

MAX_LIST_WIDTH, _BESIDE_NAME = 420, 64
"""Maximum width of the drop-down list, and its width beside the longest name, logical pixels."""

MAX_NEAR = 2000
"""Maximum number of frames to search for a similar name, which is slow."""


class FrameNames(QStringListModel):
    """Names of a plan's frames, shared by all boxes, since they may be thousands."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._plan: Plan | None = None
        self.names: tuple[str, ...] = ()
        """Names of all frames, the world first."""

    def set_plan(self, plan: Plan) -> None:
        """Use the frames of another plan. Without a change of names this is cheap."""
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
    """Box for a frame, selected from a list or typed. Any part of its name matches.

    Parameters
    ----------
    names
        Names of the frames.
    label : str
        Role of the frame: `of`, `relative to`, `resolved in`.
    has_icon : bool
        Whether the icon of the frame is before its name.
    opens_on_click : bool
        Whether a click opens the list, too. Otherwise only the arrow does.

    Signals
    -------
    chosen(str)
        The user has chosen another frame.
    refused(str)
        Why the typed text is not a frame; empty once it is resolved.
    """

    chosen = Signal(str)
    refused = Signal(str)

    def __init__(
        self,
        names: FrameNames,
        label: str,
        parent: QWidget | None = None,
        *,
        has_icon: bool = True,
        opens_on_click: bool = False,
    ) -> None:
        super().__init__(parent)
        self._names = names
        self.name = ""
        """Current frame."""
        self._is_entered, self._opens_on_click = False, opens_on_click
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
        assert line is not None  # noqa: S101 - an editable combo box has one
        self.line: QLineEdit = line
        self.line.setAccessibleName(label)
        icon = icons.icon("globe", "quiet")
        self._icon = self.line.addAction(icon, QLineEdit.ActionPosition.LeadingPosition) if has_icon else None
        self._completer = completer = QCompleter(names, self)
        completer.setFilterMode(Qt.MatchFlag.MatchContains)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        completer.setMaxVisibleItems(MAX_ROWS)
        popup = _list_of(names)
        popup.setProperty("role", "completions")
        completer.setPopup(popup)
        completer.activated.connect(self._take)
        self.setCompleter(completer)
        popup.setItemDelegate(_IconDelegate(names, popup))  # setting the popup has replaced its delegate
        self.textActivated.connect(self._take)
        self.line.editingFinished.connect(self._on_finished)
        self.line.installEventFilter(self)

    def set_name(self, name: str) -> None:
        """Show a frame, unless the user is typing."""
        self.name = name
        if not (self.line.hasFocus() and self.line.isModified()):
            self._show()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if event.reason() in (Qt.FocusReason.PopupFocusReason, Qt.FocusReason.ActiveWindowFocusReason):
            return  # the focus returns to unfinished text
        # Typing then replaces the name. A click would only place the cursor.
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
            if self._opens_on_click:
                self._offer_all()
        return super().eventFilter(watched, event)

    def showPopup(self) -> None:
        self.view().setMinimumWidth(self._list_width())
        super().showPopup()

    def _offer_all(self) -> None:
        """Open the list of all names below the line, in which typing goes on to select from them."""
        completer = self._completer
        completer.setCompletionPrefix("")
        completer.complete(QRect(0, 0, max(self.width(), self._list_width()), self.height()))

    def _list_width(self) -> int:
        """Return the width of a list that shows its names in full, however narrow the box is."""
        metrics = self.fontMetrics()
        widest = max((metrics.horizontalAdvance(name) for name in self._names.names[:MAX_NEAR]), default=0)
        return min(widest + _BESIDE_NAME, MAX_LIST_WIDTH)

    def _on_finished(self) -> None:
        if not self.line.isModified():
            return
        text = self.line.text().strip()
        name = self._match(text)
        if name is not None:
            self._take(name)
        elif not text:
            self._show()
        else:
            self._mark(True)
            self.refused.emit(self._why_not(text))

    def _match(self, text: str) -> str | None:
        """Return the frame with this name, or the only one whose name contains it."""
        if not text:
            return None
        if text in self._names.names:
            return text
        parts = self._names_with(text)
        equal = [name for name in parts if name.casefold() == text.casefold()]
        return next((matches[0] for matches in (equal, parts) if len(matches) == 1), None)

    def _names_with(self, text: str) -> list[str]:
        """Return the frames whose names contain a text."""
        folded = text.casefold()
        return [name for name in self._names.names if folded in name.casefold()]

    def _why_not(self, text: str) -> str:
        """Return a message for a text that is not a frame, with a suggestion."""
        parts = self._names_with(text)
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
        if self._icon is not None:
            self._icon.setIcon(icons.icon(self._names.icon_of(self.name), "quiet"))

    def _mark(self, is_invalid: bool) -> None:
        for widget in (self, self.line):
            widget.setProperty("invalid", is_invalid)
            widget.style().unpolish(widget)
            widget.style().polish(widget)


class _IconDelegate(QStyledItemDelegate):
    """Gives each visible row the icon of its frame."""

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

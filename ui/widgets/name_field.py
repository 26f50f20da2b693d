"""Box for one of many names, selected from a list or typed. It matches words in any order, each a part of a name."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from PySide6.QtCore import (
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QRect,
    QSize,
    QStringListModel,
    Qt,
    Signal,
)
from PySide6.QtGui import QFocusEvent, QHideEvent, QKeyEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import (
    QComboBox,
    QCompleter,
    QLineEdit,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionFrame,
    QStyleOptionViewItem,
    QWidget,
)

from framescope.core.errors import counted, near_miss
from framescope.ui.formatting.literal_text import literal_text
from framescope.ui.theme import icons
from framescope.ui.theme.tokens import METRICS
from framescope.ui.widgets.choice_box import ChoiceBox

MAX_ROWS = 12
"""Maximum number of rows of the list that are seen at once."""

MAX_LIST_WIDTH, _BESIDE_NAME = 460, 64
"""Maximum width of the list, and its width beside the longest name, logical pixels."""

MAX_NEAR = 2000
"""Maximum number of names to search for a similar one, which is slow."""


def with_words(names: Iterable[str], text: str) -> list[str]:
    """Return the names that contain all words of a text, in any order.

    >>> with_words(["velocity", "angular velocity", "angular acceleration"], "acc ang")
    ['angular acceleration']
    """
    words = text.casefold().split()
    return [name for name in names if all(word in name.casefold() for word in words)]


class Names(QStringListModel):
    """Names that a box offers.

    A subclass may offer more than the names themselves: see `offers` and `note_on`.

    Signals
    -------
    offers_changed()
        The offers for a text are others, such as after a file has been read.
    """

    offers_changed = Signal()
    noun = "name"
    """Word for one of the names in messages."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.names: tuple[str, ...] = ()
        """All names, in the order of the list."""

    def set_names(self, names: Sequence[str]) -> None:
        """Offer other names. Without a change this is cheap."""
        names = tuple(names)
        if names != self.names:
            self.names = names
            self.setStringList(list(names))

    def icon_of(self, name: str) -> str:
        """Return the name of the icon of a row of the list; empty for none."""
        return "" if name else "globe"

    def offers(self, text: str) -> Sequence[str]:
        """Return the rows of the list for a typed text, all for an empty one."""
        return with_words(self.names, text)

    def note_on(self, text: str) -> str:  # noqa: ARG002
        """Return a note below the rows for a typed text; empty for none."""
        return ""

    def row_for(self, text: str, *, takes_first: bool = False) -> str | None:
        """Return the row that a typed text means: the same text, or the only row that fits; the first if this suffices.

        >>> names = Names()
        >>> names.set_names(["velocity", "angular velocity"])
        >>> names.row_for("ang velo"), names.row_for("velo"), names.row_for("velo", takes_first=True)
        ('angular velocity', None, 'velocity')
        """
        if not text or text in self.names:
            return text or None
        rows = self.offers(text)
        equal = [row for row in rows if row.casefold() == text.casefold()]
        if takes_first:
            return next(iter((*equal, *rows)), None)
        return next((matches[0] for matches in (equal, rows) if len(matches) == 1), None)

    def refusal(self, text: str) -> str:
        """Return a message for a text that is not a name, with a suggestion."""
        parts = self.offers(text)
        if parts:
            return f"{counted(len(parts), self.noun)} with {text} in the name: choose one in the list."
        near = near_miss(text, self.names[:MAX_NEAR])
        hint = f"Did you mean {near}?" if near else "Type a part of a name, or open the list."
        return f"There is no {self.noun} {text}. {hint}"


class NameField(ChoiceBox):
    """Box for a name, selected from a list or typed.

    Parameters
    ----------
    names
        Names to select from.
    label : str
        Role of the name, such as `of` or `relative to`.
    has_icon : bool
        Whether the icon of the name is before it.
    opens_on_click : bool
        Whether a click opens the list, too. Otherwise only the arrow does.
    takes_first : bool
        Whether a typed text that fits several rows takes the first of them. Otherwise it is refused.

    Signals
    -------
    chosen(str)
        The user has chosen another row.
    refused(str)
        Why the typed text is not a name; empty once it is resolved.
    opened()
        The list of all names is about to be shown.
    returned(bool)
        Return was pressed and the field is valid; whether this has taken a row.
    clicked()
        A row of the list was clicked, and is taken.
    """

    chosen = Signal(str)
    refused = Signal(str)
    opened = Signal()
    returned = Signal(bool)
    clicked = Signal()

    def __init__(
        self,
        names: Names,
        label: str,
        parent: QWidget | None = None,
        *,
        has_icon: bool = True,
        opens_on_click: bool = False,
        takes_first: bool = False,
    ) -> None:
        super().__init__(parent)
        self._names = names
        self.name = ""
        """Current name."""
        self.hint = ""
        """Text below the name in the tool tip."""
        self._is_entered = self._is_pressed = False
        self._opens_on_click, self._takes_first = opens_on_click, takes_first
        self.setProperty("kind", "frame")
        self.setModel(names)
        self.setEditable(True)
        self.line = _ElidedLine(self)
        self.setLineEdit(self.line)
        self.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(6)
        self.setMaxVisibleItems(MAX_ROWS)
        self.setAccessibleName(label)
        self.setView(_list_of(names))
        self.line.setAccessibleName(label)
        icon = icons.icon("globe", "quiet")
        self._icon = self.line.addAction(icon, QLineEdit.ActionPosition.LeadingPosition) if has_icon else None
        self.popup = popup = _Popup()
        self._completer = _WordsCompleter(names, self, self.line, popup)
        self._completer.activated.connect(self._take)
        self.setCompleter(self._completer)
        popup.clicked.connect(lambda _row: self.clicked.emit())  # the completer, connected before, has taken the row
        # Setting the popup has replaced its delegate.
        popup.setItemDelegate(_IconDelegate(names, popup, first_of=self.line if takes_first else None))
        self.textActivated.connect(self._take)
        self.line.editingFinished.connect(self._on_finished)
        self.line.installEventFilter(self)
        names.offers_changed.connect(self._show_offers)

    def set_name(self, name: str) -> None:
        """Show a name, unless the user is typing."""
        self.name = name
        if not (self.line.hasFocus() and self.line.isModified()):
            self._show()

    def reset_name(self, name: str) -> None:
        """Show a name, and discard what the user has typed."""
        self.name = name
        self._show()

    def ask(self) -> None:
        """Give the field the keyboard, with its list open; typing replaces its text."""
        self._show()
        self.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.showPopup()

    @property
    def is_open(self) -> bool:
        """Whether the list below the line is open."""
        return self.popup.isVisible()

    @property
    def offered(self) -> list[str]:
        """Texts of the rows of the list below the line, without a note."""
        return list(self._completer.rows)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if event.reason() in (Qt.FocusReason.PopupFocusReason, Qt.FocusReason.ActiveWindowFocusReason):
            return  # the focus returns to unfinished text
        # Typing then replaces the name. A click would only place the cursor.
        self.line.selectAll()
        self._is_entered = event.reason() == Qt.FocusReason.MouseFocusReason

    def hideEvent(self, event: QHideEvent) -> None:
        self.popup.hide()
        super().hideEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange and hasattr(self, "_icon"):
            self._show_icon()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._return()
            event.accept()
        elif event.key() == Qt.Key.Key_Escape and (self.popup.isVisible() or self.is_pending):
            self.popup.hide()
            self._show()
            event.accept()
        else:
            super().keyPressEvent(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress and event.key() == Qt.Key.Key_Escape:
            if self.is_pending:
                self._show()
                return True
        elif event.type() == QEvent.Type.MouseButtonPress:
            self._is_pressed = True
        elif event.type() == QEvent.Type.MouseButtonRelease and self._is_pressed:
            is_entered, self._is_pressed, self._is_entered = self._is_entered, False, False
            if is_entered and not self.line.hasSelectedText():
                self.line.selectAll()
            if self._opens_on_click and not self.is_pending:
                self.showPopup()
        return super().eventFilter(watched, event)

    def showPopup(self) -> None:
        self.opened.emit()
        if self._opens_on_click:
            self._offer_all()
            return
        self.view().setMinimumWidth(list_width(self, self._names.names))
        super().showPopup()

    def _offer_all(self) -> None:
        """Open the list of all names below the line, in which typing goes on to select from them."""
        self.line.selectAll()
        self._completer.setCompletionPrefix("")
        self._open_list()

    def _open_list(self) -> None:
        self._completer.complete(QRect(0, 0, self.width(), self.height()))

    def _show_offers(self) -> None:
        """Show the offers again in an open list, where the same row stays selected."""
        if not self.popup.isVisible():
            return
        row, current = self.popup.currentIndex().row(), self.popup.currentIndex().data()
        self._completer.setCompletionPrefix(self._completer.completionPrefix())
        self._open_list()
        rows = self._completer.rows
        if row >= 0 and current in rows:
            self.popup.setCurrentIndex(self.popup.model().index(rows.index(current), 0))

    def _return(self) -> None:
        """Take the selected row of the list, or the typed text."""
        index, was_typed = self.popup.currentIndex(), self.is_pending
        is_selected = self.popup.isVisible() and index.isValid()
        row = index.data() if is_selected else ""
        self.popup.hide()
        if is_selected:
            self._take(row)
        else:
            self._on_finished()
        if not self.is_pending:
            self.returned.emit(is_selected or was_typed)
            self.line.selectAll()

    def _on_finished(self) -> None:
        if not self.is_pending:
            return
        text = self.line.text().strip()
        name = self._names.row_for(text, takes_first=self._takes_first)
        if name is not None:
            self._take(name)
        elif not text:
            self._show()
        else:
            self.mark(True)
            self.refused.emit(self._names.refusal(text))

    @property
    def is_pending(self) -> bool:
        """Whether the line shows a text that is typed or highlighted in the list, and not taken."""
        return self.line.isModified() or self.line.text() != self.name

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
        self.setToolTip(literal_text("\n".join(filter(None, (self.name, self.hint)))))
        self._show_icon()
        if self.line.property("invalid"):
            self.mark(False)
            self.refused.emit("")

    def _show_icon(self) -> None:
        if self._icon is not None:
            self._icon.setVisible(bool(self.name))
            self._icon.setIcon(icons.icon(self._names.icon_of(self.name) or "globe", "quiet"))

    def mark(self, is_invalid: bool) -> None:
        """Mark the text as invalid, or no longer."""
        if bool(self.line.property("invalid")) == is_invalid:
            return
        for widget in (self, self.line):
            widget.setProperty("invalid", is_invalid)
            widget.style().unpolish(widget)
            widget.style().polish(widget)


class _WordsCompleter(QCompleter):
    """Completer with the offers of names, and a note below them that cannot be selected."""

    def __init__(self, names: Names, parent: QWidget, line: QLineEdit, popup: _Popup) -> None:
        super().__init__(parent)
        self._names, self._line, self._popup, self._list = names, line, popup, _Rows(self)
        self.setMaxVisibleItems(MAX_ROWS)
        self.setPopup(popup)
        self.rows: Sequence[str] = ()
        """Rows of the list without the note."""
        self.setModel(self._list)
        self.setFilterMode(Qt.MatchFlag.MatchContains)
        self.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)

    def splitPath(self, path: str) -> list[str]:
        if path and not self._line.isModified():
            return [""]  # a name is shown, and nothing is typed
        self.rows = self._names.offers(path)
        note = self._names.note_on(path)
        texts = [*self.rows, note] if note else list(self.rows)
        if texts != self._list.stringList() or self._list.has_note != bool(note):
            self._list.has_note = bool(note)
            self._list.setStringList(texts)
            self._popup.setMinimumWidth(list_width(self._popup, texts))
        return [""]  # the offers fit already


class _Popup(QListView):
    """List below a line, wide enough for its rows, and within the screen."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setUniformItemSizes(True)
        self.setProperty("role", "completions")
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        excess = self.geometry().right() - self.screen().availableGeometry().right()
        if excess > 0:
            self.move(self.x() - excess, self.y())


class _Rows(QStringListModel):
    """Rows of a list; the last one may be a note."""

    has_note = False

    def flags(self, index: QModelIndex | QPersistentModelIndex) -> Qt.ItemFlag:
        if self.has_note and index.row() == self.rowCount() - 1:
            return Qt.ItemFlag.NoItemFlags
        return super().flags(index)


class _ElidedLine(QLineEdit):
    """Line that shortens its text with an ellipsis while it has no keyboard."""

    def paintEvent(self, event: QPaintEvent) -> None:
        begin = self.cursorRect().center().x() + 1
        room = self.width() - begin - 2
        text = self.text()
        if self.hasFocus() or self.cursorPosition() > 0 or self.fontMetrics().horizontalAdvance(text) <= room:
            super().paintEvent(event)
            return
        option = QStyleOptionFrame()
        self.initStyleOption(option)
        painter = QPainter(self)
        self.style().drawPrimitive(QStyle.PrimitiveElement.PE_PanelLineEdit, option, painter, self)
        painter.setPen(self.palette().text().color())
        elided = self.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, room)
        painter.drawText(QRect(begin, 0, room, self.height()), int(Qt.AlignmentFlag.AlignVCenter), elided)


class _IconDelegate(QStyledItemDelegate):
    """Gives each visible row the icon of its name.

    With `first_of`, a line in which one types, the first row is shown as the one that Return takes.
    """

    def __init__(self, names: Names, view: QListView, *, first_of: QLineEdit | None = None) -> None:
        super().__init__(view)
        self._names, self._view, self._first_of = names, view, first_of

    def initStyleOption(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> None:
        super().initStyleOption(option, index)
        if not index.flags() & Qt.ItemFlag.ItemIsEnabled:
            return
        is_typed = self._first_of is not None and self._first_of.isModified()
        if is_typed and index.row() == 0 and not self._view.selectionModel().hasSelection():
            option.state |= QStyle.StateFlag.State_Selected  # type: ignore[attr-defined]
        name = self._names.icon_of(index.data(Qt.ItemDataRole.DisplayRole) or "")
        if name:
            option.icon = icons.icon(name, "quiet", METRICS.row_icon)  # type: ignore[attr-defined]
            option.features |= QStyleOptionViewItem.ViewItemFeature.HasDecoration  # type: ignore[attr-defined]

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(1, super().sizeHint(option, index).height())  # rows are as wide as the list, and shortened


def list_width(widget: QWidget, texts: Sequence[str]) -> int:
    """Return the width of a list that shows its texts in full, up to a limit, however narrow its box is."""
    metrics = widget.fontMetrics()
    widest = max((metrics.horizontalAdvance(text) for text in texts[:MAX_NEAR]), default=0)
    return min(widest + _BESIDE_NAME, MAX_LIST_WIDTH)


def _list_of(names: Names) -> QListView:
    view = QListView(uniformItemSizes=True)
    view.setItemDelegate(_IconDelegate(names, view))
    return view

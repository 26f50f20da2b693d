"""Tree of the outline: rows, selection, eyes, and moving items by mouse and keys."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from typing import Any, cast

from PySide6.QtCore import (
    QEvent,
    QItemSelection,
    QItemSelectionModel,
    QMimeData,
    QModelIndex,
    QPersistentModelIndex,
    QRect,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QDragEnterEvent,
    QDragLeaveEvent,
    QDragMoveEvent,
    QDropEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QStandardItem,
    QStandardItemModel,
)
from PySide6.QtWidgets import QAbstractItemView, QApplication, QStyleOptionViewItem, QTreeView, QWidget

from framescope.core.scene.schema.model import ITEM_KINDS, NO_ITEM, ItemKey
from framescope.ui.panels.outline.delegate import (
    HIDDEN_ROLE,
    ICON_ROLE,
    KEY_ROLE,
    KIND_ROLE,
    SEVERITY_ROLE,
    Index,
    OutlineDelegate,
    eye_area,
)
from framescope.ui.panels.outline.rows import OutlineRow
from framescope.ui.theme import current_theme, fonts, painters
from framescope.ui.theme.tokens import METRICS

MIME = "application/x-framescope-items"

MAX_MIME = 1 << 20

Item = Qt.ItemDataRole
Command = QItemSelectionModel.SelectionFlag

_EDITABLE = Qt.ItemFlag.ItemIsEditable
_DRAGGED = Qt.ItemFlag.ItemIsDragEnabled | Qt.ItemFlag.ItemIsDropEnabled | _EDITABLE


class OutlineModel(QStandardItemModel):
    """Rows of the tree. Dragged rows become keys, names as text, and signals for the plots."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.signals_of: Callable[[ItemKey], QMimeData | None] = lambda _key: None

    def mimeData(self, indexes: Sequence[QModelIndex]) -> QMimeData:
        keys = [tuple(index.data(KEY_ROLE)) for index in indexes]
        data = (self.signals_of(keys[0]) if len(keys) == 1 else None) or QMimeData()
        data.setData(MIME, json.dumps(keys).encode())
        data.setText("\n".join(name for _, name in keys))
        return data

    def mimeTypes(self) -> list[str]:
        return [MIME]


def keys_in(data: QMimeData) -> tuple[ItemKey, ...]:
    """Return the items of a drag; empty for other data."""
    raw = bytes(data.data(MIME).data()) if data.hasFormat(MIME) else b""
    if not raw or len(raw) > MAX_MIME:
        return ()
    try:
        decoded: Any = json.loads(raw)
    except (ValueError, RecursionError):
        return ()
    pairs = cast("list[Any]", decoded) if isinstance(decoded, list) else []
    return tuple((pair[0], pair[1]) for pair in pairs) if all(map(_is_key, pairs)) else ()


def _is_key(pair: Any) -> bool:
    return isinstance(pair, list) and [type(part) for part in cast("list[Any]", pair)] == [str, str]


INDENTED = 0.35
"""Maximum indentation of the deepest row as a fraction of the width, unless `LEAST_INDENT` needs more."""

LEAST_INDENT = 3
"""Minimum indentation per level, logical pixels."""


def _levels(rows: Sequence[OutlineRow]) -> int:
    """Return the number of levels of rows, at least one."""
    levels: list[int] = []
    for row in rows:
        levels.append(0 if row.i_parent < 0 else levels[row.i_parent] + 1)
    return max(levels, default=0) + 1


class OutlineTree(QTreeView):
    """Tree of rows and keys. It does not know the scene.

    Signals
    -------
    chosen()
        The user has changed the selection.
    eye_clicked(object, bool)
        The key of the row whose eye was clicked, and whether its descendants are included.
    carried(object, object, bool)
        While items are moved by mouse or keys: their keys, the key of the row below them, and whether they would keep
        their local pose. No keys when the move ends.
    dropped(object, object, bool)
        The same, when they are dropped.
    """

    chosen = Signal()
    eye_clicked = Signal(object, bool)
    carried = Signal(object, object, bool)
    dropped = Signal(object, object, bool)

    def __init__(self, rename: Callable[[ItemKey, str], str], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.rows_model = OutlineModel(self)
        self._items: dict[ItemKey, QStandardItem] = {}
        self._empty_text = ""
        self._is_silent = False
        self._n_levels = 1
        self._place_for_row = 0
        """Scroll position chosen for the current row. Any other position was chosen by the user."""
        self._moving: tuple[ItemKey, ...] = ()
        self._over: ItemKey = NO_ITEM
        self._target_key: ItemKey = NO_ITEM
        self._under_pointer = QPersistentModelIndex()
        self.setModel(self.rows_model)
        self.naming = self._delegate = OutlineDelegate(self, rename)
        self.setItemDelegate(self._delegate)
        self.setHeaderHidden(True)
        self.setIndentation(METRICS.outline_indent)
        self.setUniformRowHeights(True)
        self.setMouseTracking(True)
        self.setEditTriggers(QAbstractItemView.EditTrigger.DoubleClicked)
        self.setExpandsOnDoubleClick(False)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setDragDropMode(QAbstractItemView.DragDropMode.DragDrop)
        self.setDropIndicatorShown(False)
        self.setAutoExpandDelay(600)
        self.setAccessibleName("outline of the scene")
        self.selectionModel().selectionChanged.connect(self._on_selection)

    # Rows

    def set_rows(
        self, rows: Sequence[OutlineRow], severities: dict[ItemKey, str], hidden: Callable[[ItemKey], bool]
    ) -> None:
        """Rebuild the tree. Collapsed rows and the selection stay."""
        closed = {key for key, item in self._items.items() if item.hasChildren() and not self.isExpanded(item.index())}
        selected, current = self.selected_keys(), self.current_key()
        place = self.verticalScrollBar().value()
        focused = QApplication.focusWidget()
        has_editor = focused is not None and focused is not self and self.isAncestorOf(focused)
        self._is_silent = True
        self._n_levels = _levels(rows)
        self._fit_indentation()
        self.rows_model.clear()
        self._items = {}
        built: list[QStandardItem] = []
        top: list[QStandardItem] = []
        below: dict[int, list[QStandardItem]] = {}
        for row in rows:
            item = self._create_item(row, severities, hidden)
            built.append(item)
            (top if row.i_parent < 0 else below.setdefault(row.i_parent, [])).append(item)
        for i, children in below.items():
            built[i].appendRows(children)
        for item in top:  # children of the invisible root would outlive the tree
            self.rows_model.appendRow(item)
        self.expandAll()
        for key in closed & self._items.keys():
            self.collapse(self._items[key].index())
        self._is_silent = False
        self.select_keys(selected, current)
        self.verticalScrollBar().setValue(place)
        if has_editor:  # the name editor vanishes with its row
            self.setFocus(Qt.FocusReason.OtherFocusReason)

    def _create_item(
        self, row: OutlineRow, severities: dict[ItemKey, str], hidden: Callable[[ItemKey], bool]
    ) -> QStandardItem:
        item = QStandardItem(row.key[1])
        item.setData(row.key, KEY_ROLE)
        item.setData(row.icon, ICON_ROLE)
        item.setData(row.kind, KIND_ROLE)
        if row.key in severities:
            item.setData(severities[row.key], SEVERITY_ROLE)
        if hidden(row.key):
            item.setData(True, HIDDEN_ROLE)
        if row.key[0] == "group":
            item.setFlags(Qt.ItemFlag.ItemIsEnabled)
        elif row.key == ("frames", "world"):
            item.setFlags(item.flags() & ~_DRAGGED)
        self._items[row.key] = item
        self._update_accessible_text(item)
        return item

    def _update_accessible_text(self, item: QStandardItem) -> None:
        texts = [
            item.text(),
            item.data(KIND_ROLE),
            item.data(SEVERITY_ROLE),
            "hidden" if item.data(HIDDEN_ROLE) else "",
        ]
        item.setData(", ".join(word for word in texts if word), Item.AccessibleTextRole)

    def set_look(self, key: ItemKey, icon: str, kind: str) -> None:
        """Change the icon and kind of a row."""
        item = self._items.get(key)
        if item is not None:
            item.setData(icon, ICON_ROLE)
            item.setData(kind, KIND_ROLE)
            self._update_accessible_text(item)

    def set_marks(self, severities: dict[ItemKey, str]) -> None:
        """Mark the items that have a problem."""
        for key, item in self._items.items():
            if item.data(SEVERITY_ROLE) != severities.get(key):
                item.setData(severities.get(key), SEVERITY_ROLE)
                self._update_accessible_text(item)

    def set_hidden(self, keys: Iterable[ItemKey], is_hidden: bool) -> None:
        """Dim rows, or stop dimming them."""
        for key in keys:
            item = self._items.get(key)
            if item is not None:
                item.setData(is_hidden, HIDDEN_ROLE)
                self._update_accessible_text(item)

    def index_of(self, key: ItemKey) -> QModelIndex:
        """Return the index of an item; invalid if it is not in the tree."""
        item = self._items.get(key)
        return QModelIndex() if item is None else item.index()

    # Selection

    def selected_keys(self) -> tuple[ItemKey, ...]:
        """Return the selected items, in the order of the tree."""
        keys = (index.data(KEY_ROLE) for index in self.selectionModel().selectedIndexes())
        return tuple(tuple(key) for key in keys if key[0] in ITEM_KINDS)

    def current_key(self) -> ItemKey:
        """Return the item of the current row; `NO_ITEM` if there is none."""
        key = self.currentIndex().data(KEY_ROLE)
        return tuple(key) if key is not None else NO_ITEM

    def primary_key(self) -> ItemKey:
        """Return the selected item that the panels show."""
        keys, current = self.selected_keys(), self.current_key()
        return current if current in keys else keys[-1] if keys else NO_ITEM

    def select_keys(self, keys: Iterable[ItemKey], current: ItemKey) -> None:
        """Select items without a signal."""
        self._is_silent = True
        model, chosen = self.selectionModel(), QItemSelection()
        for index in (self.index_of(key) for key in keys):
            if index.isValid():
                chosen.select(index, index)
        model.select(chosen, Command.ClearAndSelect)
        index = self.index_of(current)
        if index.isValid():
            place = self.verticalScrollBar().value()
            model.setCurrentIndex(index, Command.NoUpdate)  # this may scroll, too
            self.scrollTo(index)
            if self.verticalScrollBar().value() != place:
                self._place_for_row = self.verticalScrollBar().value()
        self._is_silent = False

    def _fit_indentation(self) -> None:
        """Reduce the indentation of a deep tree, so that names of its last levels have room."""
        room = INDENTED * self.viewport().width() / self._n_levels
        indentation = max(min(METRICS.outline_indent, int(room)), LEAST_INDENT)
        if indentation != self.indentation():
            self.setIndentation(indentation)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._fit_indentation()
        super().resizeEvent(event)
        if 0 < self._place_for_row == self.verticalScrollBar().value():
            # The automatic scroll position may be outdated, such as from before the tree had its height.
            self.scrollToTop()
            self.scrollTo(self.currentIndex())
            self._place_for_row = self.verticalScrollBar().value()

    def selectionCommand(self, index: Index, event: QEvent | None = None) -> QItemSelectionModel.SelectionFlag:
        """Keep the selection for rows without an item."""
        if index.isValid() and index.data(KEY_ROLE)[0] not in ITEM_KINDS:
            return Command.NoUpdate
        return super().selectionCommand(index, event)

    def _on_selection(self) -> None:
        if not self._is_silent:
            self.chosen.emit()

    # The eye

    def _eye_at(self, event: QMouseEvent) -> QModelIndex:
        """Return the row whose eye is under the pointer, or an invalid index."""
        index = self.indexAt(event.position().toPoint())
        is_item = index.isValid() and index.data(KEY_ROLE)[0] in ITEM_KINDS
        is_eye = is_item and eye_area(self.visualRect(index)).contains(event.position().toPoint())
        return index if is_eye else QModelIndex()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        index = self._eye_at(event)
        if event.button() == Qt.MouseButton.LeftButton and index.isValid():
            is_alt = bool(event.modifiers() & Qt.KeyboardModifier.AltModifier)
            self.eye_clicked.emit(tuple(index.data(KEY_ROLE)), is_alt)
            event.accept()
            return
        super().mousePressEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if self._eye_at(event).isValid():
            self.mousePressEvent(event)
        else:
            super().mouseDoubleClickEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        under = QPersistentModelIndex(self.indexAt(event.position().toPoint()))
        if under != self._under_pointer:
            self._under_pointer = under
            self.viewport().update()
        index = QPersistentModelIndex(self._eye_at(event))
        if index != self._delegate.eye_under_pointer:
            self._delegate.eye_under_pointer = index
            word = "" if not index.isValid() else "Show" if index.data(HIDDEN_ROLE) else "Hide"
            self.setToolTip(f"{word} (Alt: with all below)" if word else "")
            self.viewport().update()
        super().mouseMoveEvent(event)

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Leave:
            self._under_pointer = self._delegate.eye_under_pointer = QPersistentModelIndex()
            self.viewport().update()
        return super().viewportEvent(event)

    def drawRow(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row: QRect = option.rect  # type: ignore[attr-defined]
        is_selected = self.selectionModel().isSelected(index)
        if is_selected or self._under_pointer == index:
            painter.fillRect(row, current_theme.qcolor("selected_row" if is_selected else "hover"))
        super().drawRow(painter, option, index)
        if is_selected:
            painter.fillRect(QRect(row.left(), row.top(), 2, row.height()), current_theme.qcolor("accent"))
        elif self.hasFocus() and self.currentIndex() == index:
            painter.setPen(current_theme.qcolor("accent"))
            painter.drawRect(row.adjusted(0, 0, -1, -1))

    # Moving by mouse

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if keys_in(event.mimeData()):
            event.acceptProposedAction()
        else:
            event.ignore()

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        keys = keys_in(event.mimeData())
        if not keys:
            event.ignore()
            return
        super().dragMoveEvent(event)  # it scrolls, and expands the row under the pointer
        self._carry(keys, self.indexAt(event.position().toPoint()), event.modifiers())
        event.setDropAction(Qt.DropAction.MoveAction)
        event.accept()

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        super().dragLeaveEvent(event)
        self.end_carrying()

    def dropEvent(self, event: QDropEvent) -> None:
        keys, index = keys_in(event.mimeData()), self.indexAt(event.position().toPoint())
        is_alt = bool(event.modifiers() & Qt.KeyboardModifier.AltModifier)
        self.end_carrying()
        # An edit moves the items. Qt must not remove rows itself.
        event.setDropAction(Qt.DropAction.IgnoreAction)
        event.accept()
        if keys and index.isValid():
            self.dropped.emit(keys, tuple(index.data(KEY_ROLE)), is_alt)

    def _carry(self, keys: tuple[ItemKey, ...], index: QModelIndex, modifiers: Qt.KeyboardModifier) -> None:
        over: ItemKey = tuple(index.data(KEY_ROLE)) if index.isValid() else NO_ITEM
        self._over = over
        self.carried.emit(keys, over, bool(modifiers & Qt.KeyboardModifier.AltModifier))
        self.viewport().update()

    def end_carrying(self) -> None:
        """End the move without a drop."""
        self._over, self._moving = NO_ITEM, ()
        self.carried.emit((), NO_ITEM, False)
        self.viewport().update()

    # Moving by keys

    def begin_moving(self, keys: tuple[ItemKey, ...]) -> None:
        """Move items by keys: arrows choose the row, Return drops, Escape cancels."""
        self._moving = keys
        self._carry(keys, self.currentIndex(), Qt.KeyboardModifier.NoModifier)

    @property
    def is_naming(self) -> bool:
        """Whether the user is editing a name."""
        return self.state() == QAbstractItemView.State.EditingState

    @property
    def is_moving(self) -> bool:
        """Whether the user moves items by keys."""
        return bool(self._moving)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not self._moving:
            super().keyPressEvent(event)
            return
        actions = QAbstractItemView.CursorAction
        steps = {
            Qt.Key.Key_Up: actions.MoveUp,
            Qt.Key.Key_Down: actions.MoveDown,
            Qt.Key.Key_Home: actions.MoveHome,
            Qt.Key.Key_End: actions.MoveEnd,
            Qt.Key.Key_PageUp: actions.MovePageUp,
            Qt.Key.Key_PageDown: actions.MovePageDown,
        }
        keys, index, modifiers = self._moving, self.index_of(self._over), event.modifiers()
        is_alt = bool(modifiers & Qt.KeyboardModifier.AltModifier)
        if event.key() == Qt.Key.Key_Escape:
            self.end_carrying()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and index.isValid():
            self.end_carrying()
            self.dropped.emit(keys, tuple(index.data(KEY_ROLE)), is_alt)
        elif event.key() in steps:
            # Qt moves from the current row. The selection stays.
            plain = modifiers & ~Qt.KeyboardModifier.AltModifier
            self.selectionModel().setCurrentIndex(index, Command.NoUpdate)
            index = self.moveCursor(steps[Qt.Key(event.key())], plain)
            self.selectionModel().setCurrentIndex(index, Command.NoUpdate)
            self.scrollTo(index)
            self._carry(keys, index, modifiers)
        elif event.key() == Qt.Key.Key_Alt:
            self._carry(keys, index, modifiers | Qt.KeyboardModifier.AltModifier)
        event.accept()

    # Drop target

    def show_target(self, key: ItemKey) -> None:
        """Draw a line below the children of an item; none for `NO_ITEM`."""
        self._target_key = key
        self.viewport().update()

    def set_empty_text(self, text: str) -> None:
        """Set the text of an empty tree. It is painted, so that the tree keeps the focus."""
        self._empty_text = text
        self.setAccessibleDescription(text)
        self.viewport().update()

    def _paint_empty(self) -> None:
        painter = QPainter(self.viewport())
        painters.write_in(painter, fonts.text(METRICS.secondary), "quiet")
        padding = METRICS.padding
        area = self.viewport().rect().adjusted(padding, padding, -padding, -padding)
        flags = Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop | Qt.TextFlag.TextWordWrap
        painter.drawText(area, int(flags), self._empty_text)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self._empty_text and self.rows_model.rowCount() == 0:
            self._paint_empty()
        index = self.index_of(self._target_key)
        if not index.isValid():
            return
        last = index
        while self.isExpanded(last) and self.rows_model.hasChildren(last):
            last = self.rows_model.index(self.rows_model.rowCount(last) - 1, 0, last)
        target, below = self.visualRect(index), self.visualRect(last)
        height = self.viewport().height()
        y = min(below.bottom() if below.isValid() else height, height - 2)
        painter = painters.smooth(self.viewport())
        painter.setPen(QPen(current_theme.qcolor("accent"), 2.0))
        left = target.left() + self.indentation() + METRICS.inner
        painter.drawLine(left, y, self.viewport().width() - METRICS.gap, y)
        painter.setPen(QPen(current_theme.qcolor("accent"), 1.0))
        painter.drawRoundedRect(target.adjusted(0, 0, -METRICS.inner, -1), METRICS.field_radius, METRICS.field_radius)
        painter.end()

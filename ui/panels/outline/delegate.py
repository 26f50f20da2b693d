"""Delegate that paints and edits a row of the outline."""

from __future__ import annotations

import html
from collections.abc import Callable

from PySide6.QtCore import QAbstractItemModel, QEvent, QModelIndex, QObject, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QFontMetrics, QHelpEvent, QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QLineEdit,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QToolTip,
    QWidget,
)
from shiboken6 import isValid

from framescope.core.scene.schema.model import ItemKey
from framescope.ui.formatting.item_names import SEVERITIES
from framescope.ui.formatting.literal_text import literal_text
from framescope.ui.theme import fonts, icons, painters
from framescope.ui.theme.tokens import METRICS

KEY_ROLE = Qt.ItemDataRole.UserRole
ICON_ROLE = Qt.ItemDataRole.UserRole + 1
KIND_ROLE = Qt.ItemDataRole.UserRole + 2
SEVERITY_ROLE = Qt.ItemDataRole.UserRole + 3
LAST_START = 0.38
"""Largest left edge of a row's content, as a fraction of the width."""

MIN_KIND = 4
"""Minimum number of letters of a kind that are worth showing."""

HIDDEN_ROLE = Qt.ItemDataRole.UserRole + 4

Index = QModelIndex | QPersistentModelIndex


def eye_area(row: QRect) -> QRect:
    """Return the clickable area of a row's eye. It is as high as the row."""
    width = METRICS.row_icon + METRICS.gap
    return QRect(row.right() - METRICS.gap - METRICS.row_icon - METRICS.inner, row.top(), width, row.height())


def left_of(row: QRect) -> int:
    """Return the left edge of a row's content. Even a deep row has room for its name."""
    return min(row.left(), round(LAST_START * row.right()))


def is_cut(row: QRect, index: Index) -> bool:
    """Return whether a row is too narrow for its name and kind."""
    size, gap = METRICS.row_icon, METRICS.gap
    marks = (index.data(KEY_ROLE)[0] != "group") + bool(index.data(SEVERITY_ROLE))
    room = row.right() - left_of(row) - METRICS.inner - size - 3 * gap - marks * (size + gap)
    name = QFontMetrics(fonts.text()).horizontalAdvance(index.data())
    kind = QFontMetrics(fonts.text(METRICS.secondary)).horizontalAdvance(index.data(KIND_ROLE))
    return name + (gap + kind if kind else 0) > room


_RETURNS, _TABS = (Qt.Key.Key_Return, Qt.Key.Key_Enter), (Qt.Key.Key_Tab, Qt.Key.Key_Backtab)


class OutlineDelegate(QStyledItemDelegate):
    """Paints icon, name, kind, a mark for a problem, and an eye. The tree paints the background.

    Parameters
    ----------
    rename
        Function of an item's key and new name; returns why the name is refused, or an empty text.
    """

    def __init__(self, view: QWidget, rename: Callable[[ItemKey, str], str]) -> None:
        super().__init__(view)
        self._rename = rename
        self.why_no_name: Callable[[str], str] = lambda _name: ""
        self.source_of: Callable[[ItemKey], str] = lambda _key: ""
        """Function that returns where the pose of an item is from, in words; empty for poses of the scene itself."""
        self.eye_under_pointer = QPersistentModelIndex()

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:  # noqa: ARG002
        return QSize(60, METRICS.outline_row)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        painter.save()
        row: QRect = option.rect  # type: ignore[attr-defined]
        state: QStyle.StateFlag = option.state  # type: ignore[attr-defined]
        is_selected = bool(state & QStyle.StateFlag.State_Selected)
        is_hidden = bool(index.data(HIDDEN_ROLE))
        size = METRICS.row_icon
        top = row.top() + (row.height() - size) // 2
        right = row.right() - METRICS.gap
        right = self._paint_eye(painter, index, QRect(right - size, top, size, size), is_hidden, is_selected)
        severity = index.data(SEVERITY_ROLE)
        if severity:
            right -= size
            painter.drawPixmap(right, top, icons.pixmap(*SEVERITIES[severity], size))
            right -= METRICS.gap
        left = left_of(row) + METRICS.inner
        color = "disabled" if is_hidden else "text" if is_selected else "quiet"
        painter.drawPixmap(left, top, icons.pixmap(index.data(ICON_ROLE), color, size))
        # The name has priority: the kind is shortened or hidden in narrow rows.
        name_width = QFontMetrics(fonts.text()).horizontalAdvance(index.data()) + 2
        free = right - left - size - 2 * METRICS.gap - name_width
        area = QRect(right - max(free, 0), row.top(), max(free, 0), row.height())
        right = self._paint_kind(painter, index.data(KIND_ROLE), area, is_selected)
        painters.write_in(painter, fonts.text(), "disabled" if is_hidden else "text")
        area = QRect(left + size + METRICS.gap, row.top(), right - left - size - 2 * METRICS.gap, row.height())
        # Names of a robot's frames start alike, so elision keeps their ends.
        name = painter.fontMetrics().elidedText(index.data(), Qt.TextElideMode.ElideMiddle, area.width())
        painter.drawText(area, int(Qt.AlignmentFlag.AlignVCenter), name)
        painter.restore()

    def _paint_eye(self, painter: QPainter, index: Index, area: QRect, is_hidden: bool, is_selected: bool) -> int:
        """Paint the eye of an item. Return the right edge of the rest of the row."""
        if index.data(KEY_ROLE)[0] == "group":
            return area.right()
        is_lit = is_selected or self.eye_under_pointer == index
        icon = icons.pixmap("eye-off" if is_hidden else "eye", "text" if is_lit else "quiet", area.width())
        painter.drawPixmap(area.topLeft(), icon)
        return area.left() - METRICS.gap

    def _paint_kind(self, painter: QPainter, kind: str, area: QRect, is_selected: bool) -> int:
        painters.write_in(painter, fonts.text(METRICS.secondary), "text" if is_selected else "quiet")
        text = painter.fontMetrics().elidedText(kind, Qt.TextElideMode.ElideRight, area.width())
        if len(text) < min(MIN_KIND, len(kind)):
            return area.right()
        painter.drawText(area, int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter), text)
        return area.right() - painter.fontMetrics().horizontalAdvance(text)

    def helpEvent(self, event: QHelpEvent, view: QAbstractItemView, option: QStyleOptionViewItem, index: Index) -> bool:
        """Show where the pose of an item is from, and the full text of a row that is cut."""
        row: QRect = option.rect  # type: ignore[attr-defined]
        if event.type() != QEvent.Type.ToolTip or not index.isValid() or self.eye_under_pointer.isValid():
            return super().helpEvent(event, view, option, index)
        name, kind = index.data(), index.data(KIND_ROLE)
        whole = (f"{name}, {kind}" if kind else name) if is_cut(row, index) else ""
        texts = [text for text in (whole, self.source_of(tuple(index.data(KEY_ROLE)))) if text]
        if not texts:
            return super().helpEvent(event, view, option, index)
        QToolTip.showText(event.globalPos(), "".join(f"<p>{html.escape(text)}</p>" for text in texts), view, row)
        return True

    # Renaming in place

    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: Index) -> QWidget:  # noqa: ARG002
        editor = QLineEdit(parent)
        editor.setAccessibleName(f"name of {index.data()}")
        return editor

    def setEditorData(self, editor: QWidget, index: Index) -> None:
        if isinstance(editor, QLineEdit) and not editor.isModified():
            editor.setText(index.data())
            editor.selectAll()

    def updateEditorGeometry(self, editor: QWidget, option: QStyleOptionViewItem, index: Index) -> None:  # noqa: ARG002
        row: QRect = option.rect  # type: ignore[attr-defined]
        left = left_of(row) + METRICS.row_icon + METRICS.gap
        editor.setGeometry(left, row.top(), eye_area(row).left() - left - METRICS.inner, row.height())

    def setModelData(self, editor: QWidget, model: QAbstractItemModel, index: Index) -> None:  # noqa: ARG002
        key: ItemKey = tuple(index.data(KEY_ROLE))
        if isinstance(editor, QLineEdit) and editor.text() != index.data():
            self._rename(key, editor.text())

    def eventFilter(self, editor: QObject, event: QEvent) -> bool:
        """Keep the editor open while the name is refused, and show the reason. Tab ends it as Return does."""
        is_press = event.type() == QEvent.Type.KeyPress
        key = event.key() if is_press and isinstance(event, QKeyEvent) else None
        if isinstance(editor, QLineEdit) and key in (*_RETURNS, *_TABS):
            why = self.why_no_name(editor.text())
            editor.setProperty("invalid", bool(why))
            editor.setToolTip(literal_text(why))
            editor.style().unpolish(editor)
            editor.style().polish(editor)
            if why:
                return True
            if key in _TABS:  # Qt would edit the name of the next row
                self.commitData.emit(editor)
                if isValid(editor):  # a renamed item has a row of its own
                    self.closeEditor.emit(editor, QStyledItemDelegate.EndEditHint.NoHint)
                return True
        return super().eventFilter(editor, event)

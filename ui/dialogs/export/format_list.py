"""List of the export formats under headings, with titles and uses."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QPainter, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from framescope.ui.exports.format import Format
from framescope.ui.theme import current_theme
from framescope.ui.theme.tokens import METRICS

OFFER_ROLE = Qt.ItemDataRole.UserRole + 1
_ROW, _HEADING = 38, 24

Index = QModelIndex | QPersistentModelIndex


class FormatList(QListView):
    """List of formats with a current one. Arrows move between them.

    Signals
    -------
    chosen(Format)
        Another format is current.
    """

    chosen = Signal(object)

    def __init__(self, offers: Sequence[Format], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("what to export")
        self.setItemDelegate(_Rows(self))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        self._offers = tuple(offers)
        self._rows: dict[str, int] = {}
        model = QStandardItemModel(self)
        group = ""
        for offer in offers:
            if offer.group != group:
                group = offer.group
                heading = QStandardItem(group)
                heading.setFlags(Qt.ItemFlag.NoItemFlags)
                model.appendRow(heading)
            item = QStandardItem(offer.title)
            item.setData(offer, OFFER_ROLE)
            item.setData(f"{offer.title}: {offer.use}", Qt.ItemDataRole.AccessibleTextRole)
            self._rows[offer.key] = model.rowCount()
            model.appendRow(item)
        self.setModel(model)
        self.selectionModel().currentChanged.connect(self._on_current)

    @property
    def offer(self) -> Format:
        """Current format."""
        current = self.currentIndex().data(OFFER_ROLE)
        return current if isinstance(current, Format) else self._offers[0]

    def choose(self, key: str) -> None:
        """Select a format by its key; the first one if the key is unknown."""
        row = self._rows.get(key, self._rows[self._offers[0].key])
        self.setCurrentIndex(self.model().index(row, 0))

    def moveCursor(self, action: QListView.CursorAction, modifiers: Qt.KeyboardModifier) -> QModelIndex:
        """Move to the first and last format with Home and End, since the first row is a heading."""
        ends = {QListView.CursorAction.MoveHome: 0, QListView.CursorAction.MoveEnd: -1}
        if action in ends:
            return self.model().index(self._rows[self._offers[ends[action]].key], 0)
        return super().moveCursor(action, modifiers)

    def _on_current(self, index: Index) -> None:
        if isinstance(index.data(OFFER_ROLE), Format):
            self.chosen.emit(self.offer)


class _Rows(QStyledItemDelegate):
    """Paints a heading, or a title with its use below."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:  # noqa: ARG002
        return QSize(0, _ROW if isinstance(index.data(OFFER_ROLE), Format) else _HEADING)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        theme = current_theme.current()
        area: QRect = option.rect  # pyright: ignore[reportAttributeAccessIssue]
        font = QFont(option.font)  # pyright: ignore[reportAttributeAccessIssue]
        small = QFont(font)
        small.setPixelSize(METRICS.secondary)
        painter.save()
        offer = index.data(OFFER_ROLE)
        inside = area.adjusted(METRICS.padding, 0, -METRICS.gap, 0)
        line = Qt.AlignmentFlag.AlignVCenter
        if not isinstance(offer, Format):
            painter.setPen(QColor(theme.quiet))
            painter.setFont(small)
            painter.drawText(inside.adjusted(0, METRICS.inner, 0, 0), line, str(index.data()))
            painter.restore()
            return
        state = option.state  # pyright: ignore[reportAttributeAccessIssue]
        is_current = bool(state & QStyle.StateFlag.State_Selected)
        is_over = bool(state & QStyle.StateFlag.State_MouseOver)
        if is_current or is_over:
            painter.fillRect(area, QColor(theme.selected_row if is_current else theme.hover))
        if is_current:
            painter.fillRect(QRect(area.left(), area.top(), 2, area.height()), QColor(theme.accent))
        if is_current and bool(state & QStyle.StateFlag.State_HasFocus):
            painter.setPen(QColor(theme.accent))
            painter.drawRect(area.adjusted(0, 0, -1, -1))
        half = area.height() // 2
        painter.setPen(QColor(theme.text))
        painter.setFont(font)
        painter.drawText(inside.adjusted(0, 3, 0, -half + 1), line, offer.title)
        painter.setPen(QColor(theme.quiet))
        painter.setFont(small)
        use = painter.fontMetrics().elidedText(offer.use, Qt.TextElideMode.ElideRight, inside.width())
        painter.drawText(inside.adjusted(0, half - 1, 0, -3), line, use)
        painter.restore()

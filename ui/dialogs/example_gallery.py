"""Example gallery: a card for each example, with its picture and a sentence on its topic."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QFont,
    QFontMetrics,
    QKeyEvent,
    QPainter,
    QPainterPath,
    QPixmap,
    QShowEvent,
    QStandardItem,
    QStandardItemModel,
)
from PySide6.QtWidgets import (
    QDialog,
    QFrame,
    QHBoxLayout,
    QListView,
    QStackedWidget,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from framescope.ui.formatting.fuzzy_match import match
from framescope.ui.palette.example_card import ExampleCard
from framescope.ui.theme import current_theme, fonts, painters
from framescope.ui.theme.tokens import METRICS
from framescope.ui.widgets import layouts
from framescope.ui.widgets.buttons import push_button
from framescope.ui.widgets.empty_state import EmptyState
from framescope.ui.widgets.search_field import SearchField

CARD_ROLE = Qt.ItemDataRole.UserRole + 1
PICTURE = QSize(232, 145)
CARD = QSize(PICTURE.width() + 2, PICTURE.height() + 78)
CELL = CARD + QSize(2 * METRICS.gap, 2 * METRICS.gap)
_N_COLUMNS = 3
_SPARE = 2
"""Extra width that a list needs beside its columns, pixels."""

_TEXT_FLAGS = int(Qt.TextFlag.TextWordWrap) | int(Qt.AlignmentFlag.AlignTop)
_WHOLE = QFont.Weight.DemiBold


class Gallery(QDialog):
    """Gallery of the examples as cards. Arrows move between cards, Return or a click opens one, and typing searches.

    Signals
    -------
    example_requested(str)
        The name of the example to open.
    """

    example_requested = Signal(str)

    def __init__(self, cards: Sequence[ExampleCard], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "panel")
        self.setProperty("helpTopic", "index.md#examples")
        self.setWindowTitle("Examples")
        self._cards = tuple(cards)
        heading = layouts.label("Examples", "title")
        hint = layouts.label("Each is a scene to play with; nothing you do changes the original", "quiet")
        self.search = SearchField("Search the examples", "search the examples")
        self.search.setClearButtonEnabled(True)
        self.search.setFixedWidth(PICTURE.width())
        self.search.textChanged.connect(self._show_cards)
        self.search.returnPressed.connect(self._open_current)
        self._model = QStandardItemModel(self)
        self.grid = _Grid()
        self.grid.setModel(self._model)
        self.grid.clicked.connect(self._open)
        self.grid.opened.connect(self._open_current)
        nothing = EmptyState("search", "No example of that", "Try another word, such as gimbal, sensor or springs.")
        self._pages = QStackedWidget()
        self._pages.addWidget(self.grid)
        self._pages.addWidget(nothing)
        close = push_button("Close", autoDefault=False, clicked=self.reject)
        column = QVBoxLayout(self)
        # Texts above and below align with the outer cards, which have a margin inside their cells.
        column.setContentsMargins(METRICS.gap, METRICS.padding, METRICS.gap, METRICS.padding)
        beside = self.grid.verticalScrollBar().sizeHint().width() + _SPARE
        column.setSpacing(METRICS.gap)
        texts = layouts.column(heading, hint, spacing=0)
        top, bottom = QHBoxLayout(), QHBoxLayout()
        for row in (top, bottom):
            row.setContentsMargins(METRICS.gap, 0, METRICS.gap + beside, 0)
        top.addLayout(texts, 1)
        top.addWidget(self.search)
        bottom.addStretch(1)
        bottom.addWidget(close)
        column.addLayout(top)
        column.addWidget(self._pages, 1)
        column.addLayout(bottom)
        self.resize(_N_COLUMNS * CELL.width() + beside + 2 * METRICS.gap, 2 * CELL.height() + 170)
        self._show_cards()

    def titles(self) -> list[str]:
        """Return the titles of the visible cards."""
        return [self._model.item(i).data(CARD_ROLE).title for i in range(self._model.rowCount())]

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.grid.setFocus()

    def _show_cards(self) -> None:
        query = self.search.text().strip()
        self._model.clear()
        for card in self._cards:
            if query and match(query, card.title, f"{card.name} {card.teaches}") is None:
                continue
            item = QStandardItem(f"{card.title}: {card.teaches}")
            item.setData(card, CARD_ROLE)
            item.setEditable(False)
            self._model.appendRow(item)
        has_any = self._model.rowCount() > 0
        self._pages.setCurrentIndex(0 if has_any else 1)
        if has_any:
            self.grid.setCurrentIndex(self._model.index(0, 0))

    def _open_current(self) -> None:
        self._open(self.grid.currentIndex())

    def _open(self, index: QModelIndex) -> None:
        if index.isValid():
            card: ExampleCard = index.data(CARD_ROLE)
            self.accept()
            self.example_requested.emit(card.name)


class _Grid(QListView):
    """Grid of cards with as many columns as fit."""

    opened = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("examples")
        self.setViewMode(QListView.ViewMode.IconMode)
        self.setMovement(QListView.Movement.Static)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setUniformItemSizes(True)
        self.setGridSize(CELL)
        self.setMouseTracking(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setItemDelegate(CardDelegate(self))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.opened.emit()
        else:
            super().keyPressEvent(event)


class CardDelegate(QStyledItemDelegate):
    """Paints a card: picture, title, and up to three lines on its topic."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._pictures: dict[str, QPixmap] = {}

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:  # noqa: ARG002
        return CELL

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        card: ExampleCard = index.data(CARD_ROLE)
        state: QStyle.StateFlag = option.state  # type: ignore[attr-defined]
        cell: QRect = option.rect  # type: ignore[attr-defined]
        is_current = bool(state & QStyle.StateFlag.State_Selected)
        is_hovered = bool(state & QStyle.StateFlag.State_MouseOver)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        frame = QRectF(QRect(cell.topLeft(), CARD).translated(METRICS.gap, METRICS.gap))
        shape = QPainterPath()
        shape.addRoundedRect(frame.adjusted(0.5, 0.5, -0.5, -0.5), METRICS.card_radius, METRICS.card_radius)
        painter.fillPath(shape, current_theme.qcolor("hover" if is_hovered else "raised"))
        self._paint_picture(painter, frame, shape, card)
        pen = painter.pen()
        pen.setColor(current_theme.qcolor("accent" if is_current else "border"))
        pen.setWidthF(2.0 if is_current else 1.0)
        painter.setPen(pen)
        painter.drawPath(shape)
        self._paint_texts(painter, frame.toRect(), card)
        painter.restore()

    def _paint_picture(self, painter: QPainter, frame: QRectF, shape: QPainterPath, card: ExampleCard) -> None:
        area = QRectF(frame.left() + 1, frame.top() + 1, PICTURE.width(), PICTURE.height())
        painter.save()
        painter.setClipPath(shape)
        painter.fillRect(area, current_theme.qcolor("scene_bottom"))
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        picture = self._picture(card)
        if not picture.isNull():
            painter.drawPixmap(area, picture, QRectF(picture.rect()))
        painter.restore()

    @staticmethod
    def _paint_texts(painter: QPainter, frame: QRect, card: ExampleCard) -> None:
        left, width = frame.left() + 10, frame.width() - 20
        top = frame.top() + PICTURE.height() + METRICS.gap
        painters.write_in(painter, fonts.text(METRICS.base, _WHOLE), "text")
        title = painter.fontMetrics().elidedText(card.title, Qt.TextElideMode.ElideRight, width)
        painter.drawText(QRect(left, top, width, 18), int(Qt.AlignmentFlag.AlignVCenter), title)
        painters.write_in(painter, fonts.text(METRICS.caption), "quiet")
        area = QRect(left, top + 20, width, frame.bottom() - top - 24)
        painter.drawText(area, _TEXT_FLAGS, _fit_text(card.teaches, painter.fontMetrics(), area))

    def _picture(self, card: ExampleCard) -> QPixmap:
        path = str(card.pictures.get(current_theme.current().name, ""))
        if path not in self._pictures:
            self._pictures[path] = QPixmap(path) if path else QPixmap()
        return self._pictures[path]


def _fit_text(text: str, metrics: QFontMetrics, area: QRect) -> str:
    """Return the longest start of a text, in whole words, that fits into an area."""
    words = text.split()
    tall = QRect(0, 0, area.width(), 10_000)
    for n in range(len(words), 0, -1):
        start = text if n == len(words) else " ".join(words[:n]).rstrip(",;:") + "…"
        if metrics.boundingRect(tall, _TEXT_FLAGS, start).height() <= area.height():
            return start
    return ""

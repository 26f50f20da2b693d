"""Strip of the shots of a film: a card for each, selected and moved by mouse and keyboard."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPoint, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFont, QImage, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QListView,
    QListWidget,
    QListWidgetItem,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from framescope.ui.formatting.literal_text import literal_text
from framescope.ui.theme import current_theme
from framescope.ui.theme.tokens import METRICS

CARD_WIDTH, STILL_HEIGHT = 152, 72
"""Width of a card and height of its still, logical pixels at the usual size of text."""

_STILL = Qt.ItemDataRole.UserRole
_SHOT = Qt.ItemDataRole.UserRole + 1
_ALT = Qt.KeyboardModifier.AltModifier


@dataclass(frozen=True)
class ShotCard:
    """Content of a card: title, times, and whether the shot has a problem."""

    title: str
    times: str
    is_faulty: bool = False


class ShotStrip(QListWidget):
    """Row of cards.

    Alt with Left or Right moves the selected shot, Delete deletes it, Ctrl D duplicates it. A card can be dragged.

    Signals
    -------
    picked(int)
        The user has selected a shot.
    moved(int, int)
        A shot is to be moved to another place.
    deleted(int), duplicated(int)
        A shot is to be deleted or duplicated.
    """

    picked = Signal(int)
    moved = Signal(int, int)
    deleted = Signal(int)
    duplicated = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("shots")
        self.setFlow(QListView.Flow.LeftToRight)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSpacing(METRICS.inner)
        self.setItemDelegate(_CardDelegate(self))
        self.currentRowChanged.connect(self._on_row)
        self._pressed: QPoint | None = None
        self._target: int | None = None

    def show_cards(self, cards: Sequence[ShotCard], k: int, stills: Sequence[QImage | None]) -> None:
        """Show the shots, their stills as far as they are drawn, and the selected shot."""
        self.blockSignals(True)
        while self.count() > len(cards):
            self.takeItem(self.count() - 1)
        while self.count() < len(cards):
            self.addItem(QListWidgetItem())
        for i, (card, still) in enumerate(zip(cards, stills, strict=True)):
            item = self.item(i)
            title = " ".join(card.title.split())
            fault = ", with a problem" if card.is_faulty else ""
            item.setText(f"{i + 1} {title}".strip())
            item.setData(_SHOT, card)
            item.setData(_STILL, still)
            item.setData(Qt.ItemDataRole.AccessibleTextRole, f"Shot {i + 1} {title}, {card.times}{fault}")
            item.setToolTip(literal_text(f"{i + 1} {title}\n{card.times}"))
        self.setCurrentRow(k)
        self.blockSignals(False)
        if 0 <= k < self.count():
            self.scrollToItem(self.item(k))
        self.viewport().update()

    def sizeHint(self) -> QSize:
        return QSize(3 * CARD_WIDTH, self._card_size().height() + 2 * METRICS.inner + METRICS.padding)

    def minimumSizeHint(self) -> QSize:
        return QSize(CARD_WIDTH, self.sizeHint().height())

    def _card_size(self) -> QSize:
        return self.itemDelegate().sizeHint(QStyleOptionViewItem(), QModelIndex())

    def _on_row(self, k: int) -> None:
        if k >= 0:
            self.picked.emit(k)

    # Keyboard

    def keyPressEvent(self, event: QKeyEvent) -> None:
        k, key = self.currentRow(), event.key()
        sideways = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}
        if key == Qt.Key.Key_Escape and self._pressed is not None:
            self._end_drag()
        elif k >= 0 and event.modifiers() & _ALT and key in sideways:
            to = k + sideways[Qt.Key(key)]
            if 0 <= to < self.count():
                self.moved.emit(k, to)
        elif k >= 0 and key in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            self.deleted.emit(k)
        elif k >= 0 and key == Qt.Key.Key_D and event.modifiers() == Qt.KeyboardModifier.ControlModifier:
            self.duplicated.emit(k)
        else:
            super().keyPressEvent(event)

    # Dragging

    def mousePressEvent(self, event: QMouseEvent) -> None:
        super().mousePressEvent(event)
        if event.button() == Qt.MouseButton.LeftButton and self.indexAt(event.position().toPoint()).isValid():
            self._pressed = event.position().toPoint()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        at = event.position().toPoint()
        if self._pressed is None:
            super().mouseMoveEvent(event)
        elif self._target is not None or (at - self._pressed).manhattanLength() >= QApplication.startDragDistance():
            self._target = self._gap_at(at)
            self.viewport().update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        k, gap = self.currentRow(), self._target
        self._end_drag()
        super().mouseReleaseEvent(event)
        if gap is not None and k >= 0:
            to = gap if gap <= k else gap - 1
            if to != k:
                self.moved.emit(k, to)

    def _end_drag(self) -> None:
        self._pressed = self._target = None
        self.viewport().update()

    def _gap_at(self, at: QPoint) -> int:
        """Return the number of shots whose middle is left of a point."""
        return sum(self.visualItemRect(self.item(i)).center().x() < at.x() for i in range(self.count()))

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self._target is None or not self.count():
            return
        is_last = self._target == self.count()
        rect = self.visualItemRect(self.item(self._target - is_last))
        x = rect.right() + METRICS.inner if is_last else rect.left() - METRICS.inner
        painter = QPainter(self.viewport())
        painter.setPen(QPen(current_theme.qcolor("accent"), METRICS.focus))
        painter.drawLine(x, rect.top(), x, rect.bottom())


class _CardDelegate(QStyledItemDelegate):
    """Painter of the cards."""

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:  # noqa: ARG002
        line = self._strip().fontMetrics().height()
        return QSize(max(CARD_WIDTH, 11 * line), STILL_HEIGHT + 2 * line + 2 * METRICS.inner)

    def _strip(self) -> QWidget:
        parent = self.parent()
        assert isinstance(parent, QWidget)  # noqa: S101 - as it was made
        return parent

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        card, still = index.data(_SHOT), index.data(_STILL)
        rect: QRect = option.rect.adjusted(1, 1, -1, -1)  # type: ignore[attr-defined]
        state = option.state  # type: ignore[attr-defined]
        is_selected = bool(state & QStyle.StateFlag.State_Selected)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        border = "accent" if is_selected else "border"
        painter.setPen(QPen(current_theme.qcolor(border), METRICS.focus if is_selected else 1))
        painter.setBrush(current_theme.qcolor("raised"))
        painter.drawRoundedRect(QRectF(rect), METRICS.button_radius, METRICS.button_radius)
        line = self._strip().fontMetrics().height()
        height = rect.height() - 2 * line - 2 * METRICS.inner
        room = QRect(rect.left() + 2, rect.top() + 2, rect.width() - 4, height - 2)
        painter.fillRect(room, current_theme.qcolor("scene_bottom"))
        if still is not None:
            size = still.size().scaled(room.size(), Qt.AspectRatioMode.KeepAspectRatio)
            picture = QRect(QPoint(0, 0), size)
            picture.moveCenter(room.center())
            painter.drawImage(picture, still)
        number = f"{index.row() + 1}  "
        texts = rect.adjusted(METRICS.gap, height + METRICS.inner, -METRICS.gap, 0)
        title, times = QRect(texts), QRect(texts)
        title.setHeight(line)
        times.setTop(title.bottom() + 1)
        times.setHeight(line)
        bold = QFont(option.font)  # type: ignore[attr-defined]
        bold.setWeight(QFont.Weight.DemiBold)
        painter.setFont(bold)
        painter.setPen(current_theme.qcolor("red" if card.is_faulty else "text"))
        metrics, elide, side = painter.fontMetrics(), Qt.TextElideMode.ElideRight, Qt.AlignmentFlag.AlignLeft
        words = " ".join(card.title.split()) or "Untitled"
        painter.drawText(title, side, metrics.elidedText(number + words, elide, title.width()))
        painter.setFont(option.font)  # type: ignore[attr-defined]
        painter.setPen(current_theme.qcolor("quiet"))
        painter.drawText(times, side, painter.fontMetrics().elidedText(card.times, elide, times.width()))
        painter.restore()

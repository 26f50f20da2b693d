"""Example gallery: the examples as cards in groups by use, each with its picture and a sentence."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPersistentModelIndex, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QFont,
    QFontMetrics,
    QKeyEvent,
    QPainter,
    QPainterPath,
    QPixmap,
    QResizeEvent,
    QShowEvent,
    QStandardItem,
    QStandardItemModel,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
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

from framescope.ui.formatting.fuzzy_match import Match, begins_words, match
from framescope.ui.palette.example_card import ExampleCard
from framescope.ui.theme import current_theme, fonts, painters
from framescope.ui.theme.tokens import METRICS
from framescope.ui.widgets import layouts
from framescope.ui.widgets.buttons import push_button
from framescope.ui.widgets.empty_state import EmptyState
from framescope.ui.widgets.search_field import SearchField
from framescope.ui.widgets.segmented_control import Segmented

ALL = "All"
"""Choice that shows every group."""

PURPOSES: Mapping[str, str] = {
    "Learn": "Lessons, and scenes that explain one idea",
    "Check": "Faults to find and fix, in scenes and in bags",
    "Build": "Scenes and files to take apart and to build on",
    "Film": "Motions to play and to export",
}
"""Groups in their order, each with its purpose."""

CARD_ROLE = Qt.ItemDataRole.UserRole + 1
"""Data of a row: its card, or the use of which it is the heading."""
PICTURE = QSize(232, 145)
CARD = QSize(PICTURE.width() + 2, PICTURE.height() + 78)
CELL = CARD + QSize(2 * METRICS.gap, 2 * METRICS.gap)
HEADING = 40
"""Height of the heading of a group, logical pixels."""
_N_COLUMNS = 4
_LARGEST = 720
"""Initial height of the dialog where the screen has room, logical pixels."""
_AROUND = 80
"""Height that the dialog leaves of the screen, for its frame and the panels of the desktop, logical pixels."""
_SPARE = 2
"""Extra width that a list needs beside its columns, pixels."""
_LINE = 18
"""Height of a line of a card's title, logical pixels."""

_CLOSE_MATCH = 40.0
"""Score above which a match counts as meant: other matches are shown only where there is none."""

_LENGTH_SHARE = 0.5
"""Difference of scores that only the lengths of titles make: the first of such cards is the best match."""

_TEXT_FLAGS = int(Qt.TextFlag.TextWordWrap) | int(Qt.AlignmentFlag.AlignTop)
_WHOLE = QFont.Weight.DemiBold
_TAG_HEIGHT, _TAG_PAD = 20, 8

Index = QModelIndex | QPersistentModelIndex


@dataclass(frozen=True)
class _Finds:
    """Cards of a search in the order of the gallery, and the best of them."""

    cards: tuple[ExampleCard, ...]
    best: ExampleCard | None


class Gallery(QDialog):
    """Gallery of the examples. Arrows move between cards, Return or a click opens one, and typing searches.

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
        self._had_text = False
        hint = layouts.label("Each opens in its place. Nothing you do changes the original.", "quiet")
        self.uses = Segmented((ALL, *PURPOSES), "show", tips=PURPOSES)
        self.uses.chosen.connect(self._show_cards)
        self.search = SearchField("Search the examples", "search the examples")
        self.search.setClearButtonEnabled(True)
        self.search.setFixedWidth(PICTURE.width())
        self.search.textChanged.connect(self._on_text)
        self.search.returnPressed.connect(self._open_current)
        self.search.installEventFilter(self)
        self._model = QStandardItemModel(self)
        self.grid = _Grid()
        self.grid.setModel(self._model)
        self.grid.clicked.connect(self._open)
        self.grid.opened.connect(self._open_current)
        self.grid.typed.connect(self._type)
        nothing = EmptyState(
            "search",
            "No example of that",
            "Try another word, such as gimbal, quaternion, springs or bag.",
            "Show all examples",
        )
        nothing.action_requested.connect(self._show_all)
        self._pages = QStackedWidget()
        self._pages.addWidget(self.grid)
        self._pages.addWidget(nothing)
        close = push_button("Close", autoDefault=False, clicked=self.reject)
        column = QVBoxLayout(self)
        # Texts above and below align with the outer cards, which have a margin inside their cells.
        column.setContentsMargins(METRICS.gap, METRICS.padding, METRICS.gap, METRICS.padding)
        beside = self.grid.verticalScrollBar().sizeHint().width() + _SPARE
        column.setSpacing(METRICS.gap)
        texts, top, bottom = QHBoxLayout(), QHBoxLayout(), QHBoxLayout()
        for row in (texts, top, bottom):
            row.setContentsMargins(METRICS.gap, 0, METRICS.gap + beside, 0)
        texts.addLayout(layouts.column(layouts.label("Examples", "title"), hint, spacing=0))
        top.addWidget(self.uses)
        top.addStretch(1)
        top.addWidget(self.search)
        bottom.addStretch(1)
        bottom.addWidget(close)
        column.addLayout(texts)
        column.addLayout(top)
        column.addWidget(self._pages, 1)
        column.addLayout(bottom)
        room = self.screen().availableSize()
        width = _N_COLUMNS * CELL.width() + beside + 2 * METRICS.gap
        self.resize(min(width, room.width()), min(_LARGEST, room.height() - _AROUND))
        self._show_cards()

    def titles(self) -> list[str]:
        """Return the titles of the visible cards."""
        return [card.title for card in self._visible_cards()]

    def headings(self) -> list[str]:
        """Return the headings of the visible groups."""
        data = (self._model.item(row).data(CARD_ROLE) for row in range(self._model.rowCount()))
        return [value for value in data if isinstance(value, str)]

    def current_title(self) -> str:
        """Return the title of the current card; empty without one."""
        card = self.grid.currentIndex().data(CARD_ROLE)
        return card.title if isinstance(card, ExampleCard) else ""

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.grid.setFocus()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            if event.key() == Qt.Key.Key_Down and self._pages.currentIndex() == 0:
                self.grid.setFocus(Qt.FocusReason.OtherFocusReason)
                return True
            if event.key() == Qt.Key.Key_Escape and self.search.text():
                self.search.clear()
                return True
        return super().eventFilter(watched, event)

    def _visible_cards(self) -> Iterator[ExampleCard]:
        for row in range(self._model.rowCount()):
            card = self._model.item(row).data(CARD_ROLE)
            if isinstance(card, ExampleCard):
                yield card

    def _type(self, event: QKeyEvent) -> None:
        """Move the focus to the search, which takes the key."""
        self.search.setFocus(Qt.FocusReason.OtherFocusReason)
        self.search.deselect()
        QApplication.sendEvent(self.search, event)

    def _on_text(self, text: str) -> None:
        """Search all groups from the first letter on. The user may then choose one of them."""
        if text.strip() and not self._had_text:
            self.uses.set_choice(ALL)
        self._had_text = bool(text.strip())
        self._show_cards()

    def _show_all(self) -> None:
        self.uses.set_choice(ALL)
        self.search.clear()
        self._show_cards()
        self.grid.setFocus(Qt.FocusReason.OtherFocusReason)

    def _show_cards(self) -> None:
        finds = _find(self.search.text().strip(), [card for card in self._cards if self._is_chosen(card)])
        self._model.clear()
        current = QModelIndex()
        for use in PURPOSES:
            cards = [card for card in finds.cards if card.use == use]
            if not cards:
                continue
            heading = QStandardItem(f"{use}: {PURPOSES[use]}")
            heading.setData(use, CARD_ROLE)
            heading.setFlags(Qt.ItemFlag.NoItemFlags)
            self._model.appendRow(heading)
            for card in cards:
                item = QStandardItem(f"{card.full_title}. {card.teaches}")
                item.setData(card, CARD_ROLE)
                item.setEditable(False)
                self._model.appendRow(item)
                if card is finds.best:
                    current = item.index()
        self._pages.setCurrentIndex(0 if finds.cards else 1)
        self.grid.setCurrentIndex(current)
        if current.row() == 1:
            self.grid.scrollToTop()  # with the heading

    def _is_chosen(self, card: ExampleCard) -> bool:
        return self.uses.choice in (ALL, card.use)

    def _open_current(self) -> None:
        self._open(self.grid.currentIndex())

    def _open(self, index: QModelIndex) -> None:
        card = index.data(CARD_ROLE)
        if isinstance(card, ExampleCard):
            self.accept()
            self.example_requested.emit(card.name)


def _find(query: str, cards: Sequence[ExampleCard]) -> _Finds:
    """Return the cards that match a typed text; all for an empty text, with the first as the best.

    Runs of letters inside words, and scattered letters, count only where no card has the text as beginnings of words.
    """
    ordered = sorted(cards, key=lambda card: list(PURPOSES).index(card.use))
    matches = [(card, how) for card in ordered if (how := _match(query, card)) is not None]
    by_words = [(card, how) for card, how in matches if begins_words(query, f"{card.title} {_hidden_words(card)}")]
    matches = by_words or matches
    closest = max((how.score for _, how in matches), default=0.0)
    shown = [card for card, how in matches if how.score >= min(closest, _CLOSE_MATCH)]
    best = next((card for card, how in matches if how.score >= closest - _LENGTH_SHARE), None)
    return _Finds(tuple(shown), best)


def _match(query: str, card: ExampleCard) -> Match | None:
    return match(query, card.title, _hidden_words(card))


def _hidden_words(card: ExampleCard) -> str:
    """Return the words by which a search finds a card, besides its title."""
    return f"{card.tag} {card.teaches} {card.words}"


class _Grid(QListView):
    """Grid of cards with as many columns as fit, and a heading over each group.

    Signals
    -------
    opened()
        The user has pressed Return.
    typed(object)
        A key event that belongs to the search.
    """

    opened = Signal()
    typed = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("examples")
        self.setAccessibleDescription("Arrows move, Return opens, and typing searches")
        self.setViewMode(QListView.ViewMode.IconMode)
        self.setMovement(QListView.Movement.Static)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setMouseTracking(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setItemDelegate(CardDelegate(self))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        modifiers = event.modifiers() & ~(Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.KeypadModifier)
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.opened.emit()
        elif event.key() == Qt.Key.Key_Backspace or (event.text().strip() and event.text().isprintable()):
            if modifiers == Qt.KeyboardModifier.NoModifier:
                self.typed.emit(event)
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.scheduleDelayedItemsLayout()  # headings are as wide as the view

    def moveCursor(
        self,
        action: QAbstractItemView.CursorAction,
        modifiers: Qt.KeyboardModifier,  # noqa: ARG002
    ) -> QModelIndex:
        """Return the card that a key moves to. Left and right go on in the next row; the headings are skipped."""
        rows = self.card_rows()
        if not rows:
            return QModelIndex()
        cards = [index for row in rows for index in row]
        now = self.currentIndex()
        if not now.isValid() or now not in cards:
            return cards[0]
        i_row = next(i for i, row in enumerate(rows) if now in row)
        page = max(self.viewport().height() // CELL.height(), 1)
        steps = {
            QAbstractItemView.CursorAction.MoveUp: -1,
            QAbstractItemView.CursorAction.MoveDown: 1,
            QAbstractItemView.CursorAction.MovePageUp: -page,
            QAbstractItemView.CursorAction.MovePageDown: page,
        }
        if action in steps:
            row = rows[min(max(i_row + steps[action], 0), len(rows) - 1)]
            return row[min(rows[i_row].index(now), len(row) - 1)]
        ends = {QAbstractItemView.CursorAction.MoveHome: 0, QAbstractItemView.CursorAction.MoveEnd: len(cards) - 1}
        by = {
            QAbstractItemView.CursorAction.MoveLeft: -1,
            QAbstractItemView.CursorAction.MovePrevious: -1,
            QAbstractItemView.CursorAction.MoveRight: 1,
            QAbstractItemView.CursorAction.MoveNext: 1,
        }.get(action, 0)
        return cards[ends.get(action, min(max(cards.index(now) + by, 0), len(cards) - 1))]

    def scrollTo(
        self, index: Index, hint: QAbstractItemView.ScrollHint = QAbstractItemView.ScrollHint.EnsureVisible
    ) -> None:
        """Scroll to a card; for one of the first row of a group its heading is shown, too."""
        super().scrollTo(index, hint)
        heading = self._heading_above(index)
        if heading is not None and self.visualRect(heading).top() < 0:
            super().scrollTo(heading, hint)

    def _heading_above(self, index: Index) -> QModelIndex | None:
        """Return the heading over a card of the first row of a group; None for a card of another row."""
        area = self.visualRect(index)
        for row in range(index.row() - 1, -1, -1):
            above = index.model().index(row, 0)
            if isinstance(above.data(CARD_ROLE), str):
                return above
            if self.visualRect(above).top() != area.top():
                return None
        return None

    def card_rows(self) -> list[list[QModelIndex]]:
        """Return the cards in the rows of the grid."""
        indices = (self.model().index(row, 0) for row in range(self.model().rowCount()))
        cards = [index for index in indices if isinstance(index.data(CARD_ROLE), ExampleCard)]
        return [list(row) for _, row in groupby(cards, lambda index: self.visualRect(index).top())]


class CardDelegate(QStyledItemDelegate):
    """Paints a card: picture with its tag, title, and a sentence. Paints the heading of a group, too."""

    def __init__(self, parent: QListView) -> None:
        super().__init__(parent)
        self._view = parent
        self._pictures: dict[str, QPixmap] = {}

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:  # noqa: ARG002
        is_heading = isinstance(index.data(CARD_ROLE), str)
        return QSize(self._view.viewport().width() - 1, HEADING) if is_heading else CELL

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        data: ExampleCard | str = index.data(CARD_ROLE)
        cell: QRect = option.rect  # type: ignore[attr-defined]
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if isinstance(data, ExampleCard):
            self._paint_card(painter, cell, option.state, data)  # type: ignore[attr-defined]
        else:
            _paint_heading(painter, cell, data)
        painter.restore()

    def _paint_card(self, painter: QPainter, cell: QRect, state: QStyle.StateFlag, card: ExampleCard) -> None:
        is_current = bool(state & QStyle.StateFlag.State_Selected)
        is_hovered = bool(state & QStyle.StateFlag.State_MouseOver)
        frame = QRectF(QRect(cell.topLeft(), CARD).translated(METRICS.gap, METRICS.gap))
        shape = QPainterPath()
        shape.addRoundedRect(frame.adjusted(0.5, 0.5, -0.5, -0.5), METRICS.card_radius, METRICS.card_radius)
        painter.fillPath(shape, current_theme.qcolor("hover" if is_hovered else "raised"))
        self._paint_picture(painter, frame, shape, card)
        if card.tag:
            _paint_tag(painter, frame.toRect(), card.tag.capitalize())
        pen = painter.pen()
        pen.setColor(current_theme.qcolor("accent" if is_current else "border"))
        pen.setWidthF(2.0 if is_current else 1.0)
        painter.setPen(pen)
        painter.drawPath(shape)
        _paint_texts(painter, frame.toRect(), card)

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

    def _picture(self, card: ExampleCard) -> QPixmap:
        path = str(card.pictures.get(current_theme.current().name, ""))
        if path not in self._pictures:
            self._pictures[path] = QPixmap(path) if path else QPixmap()
        return self._pictures[path]


def _paint_heading(painter: QPainter, cell: QRect, use: str) -> None:
    """Paint the use of a group, and its purpose on the same line."""
    base = cell.bottom() - METRICS.gap
    painters.write_in(painter, fonts.text(METRICS.scene_title, _WHOLE), "text")
    painter.drawText(cell.left() + METRICS.gap, base, use)
    left = cell.left() + 2 * METRICS.gap + painter.fontMetrics().horizontalAdvance(use)
    painters.write_in(painter, fonts.text(), "quiet")
    painter.drawText(left, base, PURPOSES[use])


def _paint_tag(painter: QPainter, frame: QRect, text: str) -> None:
    """Paint the tag in the upper right corner of a picture."""
    font = fonts.text(METRICS.caption, QFont.Weight.Medium)
    width = round(fonts.width(font, text)) + 2 * _TAG_PAD
    area = QRect(frame.right() - METRICS.gap - width, frame.top() + METRICS.gap, width, _TAG_HEIGHT)
    painters.fill_with(painter, "raised")
    painter.drawRoundedRect(area, _TAG_HEIGHT / 2, _TAG_HEIGHT / 2)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painters.write_in(painter, font, "text")
    painter.drawText(area, int(Qt.AlignmentFlag.AlignCenter), text)


def _paint_texts(painter: QPainter, frame: QRect, card: ExampleCard) -> None:
    """Paint the title, in two lines if necessary, and the sentence below it."""
    left, width = frame.left() + 10, frame.width() - 20
    top = frame.top() + PICTURE.height() + METRICS.gap
    painters.write_in(painter, fonts.text(METRICS.base, _WHOLE), "text")
    room = QRect(left, top, width, 2 * _LINE)
    title = fit_text(card.title, painter.fontMetrics(), room)
    painter.drawText(room, _TEXT_FLAGS, title)
    top += painter.fontMetrics().boundingRect(room, _TEXT_FLAGS, title).height() + METRICS.inner // 2
    painters.write_in(painter, fonts.text(METRICS.caption), "quiet")
    area = QRect(left, top, width, frame.bottom() - METRICS.inner - top)
    painter.drawText(area, _TEXT_FLAGS, fit_text(card.teaches, painter.fontMetrics(), area))


def fit_text(text: str, metrics: QFontMetrics, area: QRect) -> str:
    """Return the longest start of a text, in whole words, that fits into an area."""
    words = text.split()
    tall = QRect(0, 0, area.width(), 10_000)
    for n in range(len(words), 0, -1):
        start = text if n == len(words) else " ".join(words[:n]).rstrip(",;:") + "…"
        if metrics.boundingRect(tall, _TEXT_FLAGS, start).height() <= area.height():
            return start
    return ""

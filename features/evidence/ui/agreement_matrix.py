"""Table of who agrees with whom: a cell for each pair of readings, with signs for verdict and certainty."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPointF,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QSizePolicy,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from framescope.core.errors import visible_text
from framescope.features.evidence.core.account import Account, Agreement, Verdict
from framescope.features.evidence.core.readings import Quantity, Readings
from framescope.ui.formatting.literal_text import literal_text
from framescope.ui.theme import current_theme, fonts, icons, painters
from framescope.ui.theme.tokens import METRICS

Index = QModelIndex | QPersistentModelIndex


@dataclass(frozen=True)
class VerdictLook:
    """Sign of a verdict: icon, role of its colour, its word in the legend, and its words about two readings."""

    icon: str
    role: str
    word: str
    words: str


LOOKS: Mapping[Verdict, VerdictLook] = {
    "agree": VerdictLook("check", "good", "agree", "agree"),
    "explained": VerdictLook("triangle-alert", "amber", "agree corrected", "agree once faults are corrected"),
    "contradict": VerdictLook("octagon-x", "red", "contradict", "contradict each other"),
    "cannot tell": VerdictLook("circle-help", "quiet", "cannot tell", "cannot be compared by this motion"),
}
"""Looks of the verdicts. Signs differ in shape, so that they are distinguishable without colours."""

SYMBOLS: Mapping[Quantity, str] = {
    "orientation": "q",
    "heading": "ψ",
    "angular velocity": "ω",
    "specific force": "f",
    "velocity": "v",
    "position": "p",
    "magnetic field": "B",
    "joint": "θ",
}
"""Symbols of quantities, for names in narrow tables."""

CERTAIN, VERY_CERTAIN = 3.0, 10.0
"""Standard errors of the best rival explanation from which a cell has two dots, and three."""

MOST_STATED = 999.0
"""Largest number of standard errors that is stated."""

CELL = 22
"""Width and height of a cell, logical pixels."""

LEAST_CELLS = 120
"""Least width that names leave for the cells, logical pixels."""

_SIGN, _DOT = 14, 1.25
_FILLS = (0.10, 0.18, 0.28)


def certainty_of(agreement: Agreement) -> int:
    """Return the certainty of a comparison as a number of dots: 1 to 3.

    One dot: another explanation is less than `CERTAIN` standard errors away.
    """
    return 1 + (agreement.apart >= CERTAIN) + (agreement.apart >= VERY_CERTAIN)


def certainty_words(agreement: Agreement) -> str:
    """Return the certainty of a comparison in words."""
    if not agreement.apart > 0.0:
        return "nothing settles it"
    more = "more than " if agreement.apart > MOST_STATED else ""
    return f"next explanation {more}{min(agreement.apart, MOST_STATED):.3g} standard errors away"


class AgreementModel(QAbstractTableModel):
    """Model with the readings of an account as rows and columns, and their comparisons as cells."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.readings: tuple[Readings, ...] = ()
        self._cells: dict[tuple[str, str], Agreement] = {}

    def set_account(self, account: Account | None) -> None:
        """Show another account: its readings that are compared with others, in the order of the recording."""
        self.beginResetModel()
        agreements = () if account is None else account.agreements
        self._cells = {(each.first, each.second): each for each in agreements}
        self._cells |= {(each.second, each.first): each for each in agreements}
        named = {name for pair in self._cells for name in pair}
        self.readings = () if account is None else tuple(each for each in account.log.readings if each.name in named)
        self.endResetModel()

    def agreement(self, row: int, column: int) -> Agreement | None:
        """Return the comparison of a cell; None where two readings are not compared."""
        if not (0 <= row < len(self.readings) and 0 <= column < len(self.readings)):
            return None
        return self._cells.get((self.readings[row].name, self.readings[column].name))

    def cell_of(self, agreement: Agreement) -> tuple[int, int] | None:
        """Return row and column of a comparison; None if the account has no readings of its names."""
        names = [each.name for each in self.readings]
        if agreement.first not in names or agreement.second not in names:
            return None
        return names.index(agreement.second), names.index(agreement.first)

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        return 0 if parent.isValid() else len(self.readings)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self.readings)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not 0 <= section < len(self.readings):
            return None
        is_row = orientation == Qt.Orientation.Vertical
        if role == Qt.ItemDataRole.DisplayRole:
            return f"{section + 1}  {short_name(self.readings[section])}" if is_row else str(section + 1)
        if role == Qt.ItemDataRole.ToolTipRole:
            return literal_text(f"{section + 1}: {reading_words(self.readings[section])}")
        if role == Qt.ItemDataRole.TextAlignmentRole:
            side = (
                Qt.AlignmentFlag.AlignLeft if orientation == Qt.Orientation.Vertical else Qt.AlignmentFlag.AlignHCenter
            )
            return side | Qt.AlignmentFlag.AlignVCenter
        is_told = role == Qt.ItemDataRole.AccessibleTextRole
        return visible_text(self.readings[section].name) if is_told else None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return self.words(index.row(), index.column())
        if role == Qt.ItemDataRole.ToolTipRole:
            return literal_text(self.words(index.row(), index.column()))
        return None

    def words(self, row: int, column: int) -> str:
        """Return the content of a cell in words."""
        first, second = self.readings[row], self.readings[column]
        if row == column:
            return reading_words(first)
        agreement = self.agreement(row, column)
        names = visible_text(f"{first.name} and {second.name}")
        if agreement is None:
            return f"{names}: not compared"
        return f"{names} {LOOKS[agreement.verdict].words}; {certainty_words(agreement)}"


def short_name(readings: Readings) -> str:
    """Return the name of readings with the symbol of their quantity.

    >>> import numpy as np
    >>> short_name(Readings("angular velocity of /imu", "/imu", "angular velocity", np.zeros(0), np.zeros((0, 3))))
    'ω /imu'
    """
    source = readings.name.removeprefix(f"{readings.quantity} of ")
    return visible_text(f"{SYMBOLS[readings.quantity]} {source}")


def reading_words(readings: Readings) -> str:
    """Return the statement of a recording about readings: whose motion they are, and relative to what."""
    parts = [readings.name]
    if readings.frame:
        relative = f" relative to {readings.reference}" if readings.reference else ""
        parts.append(f"stated for {readings.frame}{relative}")
    if readings.resolved_in and readings.resolved_in != readings.frame:
        parts.append(f"in axes of {readings.resolved_in}")
    return visible_text(", ".join(parts))


class AgreementMatrix(QTableView):
    """
    Table of the comparisons. Arrow keys move in it, and Return opens a cell.

    Signals
    -------
    opened(object)
        Comparison of the cell that the user clicked or entered.
    """

    opened = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.cells = AgreementModel(self)
        self.setModel(self.cells)
        self.setItemDelegate(AgreementDelegate(self))
        self.setAccessibleName("who agrees with whom")
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setShowGrid(False)
        self.setTabKeyNavigation(False)
        self.setMouseTracking(True)
        self.setCornerButtonEnabled(False)
        for scroll in (self.setHorizontalScrollMode, self.setVerticalScrollMode):
            scroll(QAbstractItemView.ScrollMode.ScrollPerPixel)
        for header in (self.horizontalHeader(), self.verticalHeader()):
            header.setSectionsClickable(False)
            header.setHighlightSections(False)
            header.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
            header.setMinimumSectionSize(CELL)
            header.setDefaultSectionSize(CELL)
        self.verticalHeader().setTextElideMode(Qt.TextElideMode.ElideRight)
        self.horizontalHeader().setFixedHeight(METRICS.readout_row)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.clicked.connect(self._open)

    def set_account(self, account: Account | None) -> None:
        """Show another account."""
        self.cells.set_account(account)
        self._lay_names()

    def choose(self, agreement: Agreement) -> None:
        """Make the cell of a comparison the current one, without opening it."""
        cell = self.cells.cell_of(agreement)
        if cell is not None:
            self.setCurrentIndex(self.cells.index(*cell))
            self.scrollTo(self.currentIndex())

    def sizeHint(self) -> QSize:
        n = len(self.cells.readings)
        return QSize(self._names_needed() + n * CELL + 4, METRICS.readout_row + n * CELL + 4)

    def minimumSizeHint(self) -> QSize:
        return QSize(2 * LEAST_CELLS, METRICS.readout_row + 2 * CELL)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._lay_names()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self._open(self.currentIndex())
        else:
            super().keyPressEvent(event)

    def event(self, event: QEvent) -> bool:
        # Keep arrow keys and Return from reaching the menus.
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and event.key() in _OWN_KEYS:
            event.accept()
            return True
        return super().event(event)

    def _open(self, index: Index) -> None:
        agreement = self.cells.agreement(index.row(), index.column()) if index.isValid() else None
        if agreement is not None:
            self.opened.emit(agreement)

    def _names_needed(self) -> int:
        font = fonts.text(METRICS.secondary)
        names = (str(self.cells.headerData(i, Qt.Orientation.Vertical)) for i in range(len(self.cells.readings)))
        return round(max((fonts.width(font, name) for name in names), default=0.0)) + 2 * METRICS.gap

    def _lay_names(self) -> None:
        """Give the names the room that the cells leave."""
        room = max(self.width() - max(len(self.cells.readings) * CELL, LEAST_CELLS) - 6, LEAST_CELLS)
        self.verticalHeader().setFixedWidth(min(self._names_needed(), room))


_OWN_KEYS = (
    Qt.Key.Key_Left,
    Qt.Key.Key_Right,
    Qt.Key.Key_Up,
    Qt.Key.Key_Down,
    Qt.Key.Key_Home,
    Qt.Key.Key_End,
    Qt.Key.Key_Return,
    Qt.Key.Key_Enter,
    Qt.Key.Key_Space,
)


class AgreementDelegate(QStyledItemDelegate):
    """Delegate that paints the sign of a verdict on its ground, and dots for its certainty."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:  # noqa: ARG002
        return QSize(CELL, CELL)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        model = index.model()
        if not isinstance(model, AgreementModel):
            return
        area: QRect = option.rect  # type: ignore[attr-defined]
        state: QStyle.StateFlag = option.state  # type: ignore[attr-defined]
        view: QTableView = option.widget  # type: ignore[attr-defined]
        agreement = model.agreement(index.row(), index.column())
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        cell = QRectF(area).adjusted(1, 1, -1, -1)
        if index.row() == index.column():
            painters.fill_with(painter, "separator")
            painter.drawRoundedRect(cell, 3, 3)
        elif agreement is None:
            painters.fill_with(painter, "separator", 0.5)
            painter.drawEllipse(cell.center(), 1.5, 1.5)
        else:
            paint_verdict(painter, cell, agreement.verdict, certainty_of(agreement))
        if state & QStyle.StateFlag.State_Selected or (index == view.currentIndex() and view.hasFocus()):
            role = "accent" if view.hasFocus() else "quiet"
            painter.setBrush(Qt.BrushStyle.NoBrush)
            pen = painter.pen()
            pen.setStyle(Qt.PenStyle.SolidLine)
            pen.setColor(current_theme.qcolor(role))
            pen.setWidthF(METRICS.focus)
            painter.setPen(pen)
            painter.drawRoundedRect(QRectF(area).adjusted(1, 1, -1, -1), 4, 4)
        elif state & QStyle.StateFlag.State_MouseOver and agreement is not None:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(current_theme.qcolor("quiet"))
            painter.drawRoundedRect(cell.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)
        painter.restore()


def paint_verdict(painter: QPainter, cell: QRectF, verdict: Verdict, certainty: int) -> None:
    """Paint the sign of a verdict and the dots of its certainty, 0 for none."""
    look = LOOKS[verdict]
    painters.fill_with(painter, look.role, _FILLS[max(certainty, 1) - 1])
    painter.drawRoundedRect(cell, 4, 4)
    up = 2.0 if certainty else 0.0
    corner = cell.center() - QPointF(_SIGN / 2, _SIGN / 2 + up)
    painter.drawPixmap(corner.toPoint(), icons.pixmap(look.icon, look.role, _SIGN))
    painters.fill_with(painter, look.role)
    for i in range(certainty):
        at = QPointF(cell.center().x() + (i - (certainty - 1) / 2) * 4.0, cell.bottom() - 3.0)
        painter.drawEllipse(at, _DOT, _DOT)


class VerdictLegend(QWidget):
    """Legend of the signs, which goes on in another line where there is no room."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        words = ", ".join(look.word for look in LOOKS.values())
        self.setAccessibleName(f"signs: {words}; dots: certainty")
        self.setToolTip(
            "Dots: one where another explanation is less than 3 standard errors away, two from 3 on, three from 10 on"
        )

    def heightForWidth(self, width: int) -> int:
        """Return the height of all lines."""
        return max((round(top) + _LINE for _, top, _ in self._places(width)), default=_LINE)

    def sizeHint(self) -> QSize:
        return QSize(2 * LEAST_CELLS, self.heightForWidth(self.width()))

    def minimumSizeHint(self) -> QSize:
        return QSize(LEAST_CELLS, _LINE)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        painter = painters.smooth(self)
        for left, top, verdict in self._places(self.width()):
            look = LOOKS[verdict]
            picture = icons.pixmap(look.icon, look.role, 12)
            painter.drawPixmap(round(left), round(top) + (_LINE - 12) // 2, picture)
            painters.write_in(painter, fonts.text(METRICS.caption), "quiet")
            area = QRectF(left + 12 + METRICS.inner, top, 400, _LINE)
            painter.drawText(area, int(Qt.AlignmentFlag.AlignVCenter), look.word)

    def _places(self, width: int) -> list[tuple[float, float, Verdict]]:
        font = fonts.text(METRICS.caption)
        left, top, places = 0.0, 0.0, list[tuple[float, float, Verdict]]()
        for verdict, look in LOOKS.items():
            needed = 12 + METRICS.inner + fonts.width(font, look.word)
            if left and left + needed > width:
                left, top = 0.0, top + _LINE
            places.append((left, top, verdict))
            left += needed + 1.5 * METRICS.gap
        return places


_LINE = 16

"""Table of the ranked findings: convention, residual, and number of contradicting samples."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QPainter, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from framescope.core.errors import counted
from framescope.features.detective.core.pipeline import Report
from framescope.features.detective.core.report_text import NONE, Columns, columns_of
from framescope.ui.formatting import number_text
from framescope.ui.theme import current_theme, fonts
from framescope.ui.theme.tokens import METRICS

Index = QModelIndex | QPersistentModelIndex

LEAST_RMS, MOST_RMS = 1e-4, math.pi
"""Residuals at both ends of the bar's logarithmic scale, rad."""

BAR_HEIGHT = 6
ROW_HEIGHT = 25


@dataclass(frozen=True)
class Column:
    """Column of the table: key, heading, and alignment and font of its texts."""

    key: str
    title: str
    is_right: bool = False
    is_number: bool = False


RANK = Column("rank", "#")
AXES = Column("axes", "axes")
BAR = Column("bar", "residual")
RMS = Column("rms", "rad rms", is_right=True, is_number=True)
AGAINST = Column("against", "against", is_right=True, is_number=True)


class FindingsModel(QAbstractTableModel):
    """Model with the findings of a report as rows."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._report: Report | None = None
        self._cells: list[Columns] = []
        self.columns: tuple[Column, ...] = ()

    @property
    def report(self) -> Report | None:
        """Report in the table."""
        return self._report

    def set_report(self, report: Report | None) -> None:
        """Show a report, with the columns in which its rows differ."""
        self.beginResetModel()
        self._report = report
        self._cells = [] if report is None else [columns_of(finding.hypothesis) for finding in report.findings]
        self.columns = _columns(report, self._cells)
        self.endResetModel()

    def is_unclear(self, row: int) -> bool:
        """Return whether the data cannot distinguish this row from the first, or the first is no clear answer."""
        report = self._report
        return report is not None and report.status == "unclear" and (row == 0 or row in report.unclear)

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        return 0 if parent.isValid() else len(self._cells)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self.columns)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation != Qt.Orientation.Horizontal or section >= len(self.columns):
            return None
        column = self.columns[section]
        if role == Qt.ItemDataRole.DisplayRole:
            return column.title
        if role == Qt.ItemDataRole.TextAlignmentRole:
            side = Qt.AlignmentFlag.AlignRight if column.is_right else Qt.AlignmentFlag.AlignLeft
            return side | Qt.AlignmentFlag.AlignVCenter
        return _EXPLAINED.get(column.key) if role == Qt.ItemDataRole.ToolTipRole else None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        report = self._report
        if report is None or not index.isValid():
            return None
        finding = report.findings[index.row()]
        column = self.columns[index.column()]
        if role == Qt.ItemDataRole.DisplayRole:
            return self.text(index.row(), column)
        if role == Qt.ItemDataRole.ToolTipRole:
            ways = f"\nThe same may be said in {counted(len(finding.others), 'other way')}." if finding.others else ""
            return "\n".join(finding.hypothesis.texts) + f"\nresidual {finding.rms:.6g} rad rms{ways}"
        if role == Qt.ItemDataRole.AccessibleTextRole:
            same = ", cannot be told from the first" if self.is_unclear(index.row()) and index.row() else ""
            about = f", {self.text(index.row(), AXES)} axes" if column.key == "form" and AXES in self.columns else ""
            return f"{column.title} {self.text(index.row(), column)}{about}{same}"
        return None

    def text(self, row: int, column: Column) -> str:
        """Return the text of a cell."""
        report = self._report
        if report is None:
            return ""
        finding = report.findings[row]
        match column.key:
            case "rank":
                return str(row + 1)
            case "rms" | "bar":
                return number_text.fixed(finding.rms, 4)
            case "against":
                return f"{finding.n_against} of {report.n_samples}"
            case "more":
                cells, first = self._cells[row], self._cells[0]
                other = f"B {cells.form_b}" if cells.form_b != first.form_b else ""
                return ", ".join(part for part in (other, cells.more) if part)
            case key:
                return str(getattr(self._cells[row], key))


def _columns(report: Report | None, cells: list[Columns]) -> tuple[Column, ...]:
    """Return the columns, omitting optional ones in which all rows are equal."""
    if report is None:
        return ()
    kinds = {finding.hypothesis.interpretation_a.kind for finding in report.findings}
    form = {"angles": "sequence", "quaternion": "order"}.get(next(iter(kinds)), "form") if len(kinds) == 1 else "form"
    columns = [RANK, Column("form", form)]
    if "angles" in kinds:
        columns.append(AXES)
    columns.append(Column("sense", "sense"))
    if len({row.unit for row in cells}) > 1:
        columns.append(Column("unit", "unit"))
    if any(row.more for row in cells) or len({row.form_b for row in cells}) > 1:
        columns.append(Column("more", "changed"))
    return (*columns, BAR, RMS, AGAINST)


_EXPLAINED = {
    "sense": "active: maps from the frame to its parent; passive: from the parent to the frame",
    "axes": "turns about the axes of the moving frame, or about those of its parent, which is fixed",
    "bar": "root mean square of the error angles of the samples; the bar grows with the logarithm",
    "rms": "root mean square of the error angles of the samples, rad",
    "against": "samples whose error exceeds five times the noise of the first row",
    "more": "changed axes, fitted fixed rotations, and readings of B that differ from the first row",
}


class FindingsTable(QTableView):
    """
    Table of the findings of a report.

    Signals
    -------
    rows_chosen(list)
        Selected rows, the best first.
    """

    rows_chosen = Signal(list)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = FindingsModel(self)
        self.setModel(self._model)
        self.setItemDelegate(FindingsDelegate(self))
        self.setAccessibleName("findings")
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setShowGrid(False)
        self.setTabKeyNavigation(False)
        self.setMouseTracking(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        down, across = self.verticalHeader(), self.horizontalHeader()
        down.hide()
        down.setMinimumSectionSize(ROW_HEIGHT)
        down.setDefaultSectionSize(ROW_HEIGHT)
        across.setHighlightSections(False)
        across.setSectionsClickable(False)
        across.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        across.setMinimumSectionSize(20)
        across.setFixedHeight(METRICS.small_button)
        self.setProperty("kind", "findings")
        self.selectionModel().selectionChanged.connect(self._on_selected)

    @property
    def findings(self) -> FindingsModel:
        """Model of the table."""
        return self._model

    def set_report(self, report: Report | None) -> None:
        """Show a report and clear the selection."""
        was_chosen = bool(self.chosen())
        self._model.set_report(report)
        self._lay_columns()
        if was_chosen:
            self.rows_chosen.emit([])

    def _on_selected(self) -> None:
        self.rows_chosen.emit(self.chosen())

    def chosen(self) -> list[int]:
        """Return the selected rows."""
        return sorted(index.row() for index in self.selectionModel().selectedRows())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._lay_columns()

    def _lay_columns(self) -> None:
        """Give each column the width of its texts, and the remaining width to the bar.

        If the width does not suffice, redundant parts are hidden in turn: the number of samples, which the verdict
        shows; the axes, which the case of the sequence shows; and the bar, which repeats the number beside it. Then the
        column with the longest texts is narrowed.
        """
        columns = self._model.columns
        if not columns:
            return
        widths = {column: self._text_width(column) for column in columns} | {BAR: _BAR_LEAST}
        room = self.viewport().width()
        reduced = {AGAINST: self._text_width(AGAINST, is_brief=True), AXES: 0, BAR: 0}
        for column, width in reduced.items():
            if sum(min(width, _ENOUGH) for width in widths.values()) > room and column in widths:
                widths[column] = width
        rest = room - sum(widths.values())
        words = [column for column in columns if widths[column] and not column.is_right and column not in (RANK, BAR)]
        if rest < 0:
            longest = max(words, key=lambda column: widths[column])
            widths[longest] = max(widths[longest] + rest, _LONGEST_LEAST)
        else:
            last = words[-1]
            if widths[BAR]:
                last = BAR
                widths[BAR] += min(rest, _BAR_MOST - _BAR_LEAST)
            # Remaining width is spread over the columns of words.
            apart = (room - sum(widths.values())) // len(words)
            for column in words:
                widths[column] += min(apart, _APART_MOST)
            widths[last] += room - sum(widths.values())
        for k, column in enumerate(columns):
            self.setColumnHidden(k, not widths[column])
            self.setColumnWidth(k, widths[column])

    def _text_width(self, column: Column, *, is_brief: bool = False) -> int:
        texts = [self._model.text(row, column) for row in range(self._model.rowCount())]
        if is_brief:
            texts = [text.partition(" ")[0] for text in texts]
        metrics = QFontMetrics(_font(column), self)
        title = QFontMetrics(fonts.text(METRICS.secondary), self).horizontalAdvance(column.title)
        return max(title, max(map(metrics.horizontalAdvance, texts), default=0)) + 2 * _MARGIN + 2


_MARGIN = 7
_BAR_LEAST, _BAR_MOST = 68, 140
_LONGEST_LEAST, _ENOUGH, _APART_MOST = 60, 140, 40


class FindingsDelegate(QStyledItemDelegate):
    """Delegate that paints numbers, the bar of the residual, and amber rows that the data cannot distinguish."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:  # noqa: ARG002
        return QSize(40, ROW_HEIGHT)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        model = index.model()
        if not isinstance(model, FindingsModel) or model.report is None:
            return
        painter.save()
        area: Any = option.rect  # type: ignore[attr-defined]
        state: QStyle.StateFlag = option.state  # type: ignore[attr-defined]
        column = model.columns[index.column()]
        is_unclear = model.is_unclear(index.row())
        if state & QStyle.StateFlag.State_Selected:
            painter.fillRect(area, current_theme.qcolor("selected_row"))
        elif is_unclear:
            painter.fillRect(area, current_theme.qcolor("amber_ground", 0.75))
        if is_unclear and column is RANK:
            painter.fillRect(area.x(), area.y(), 2, area.height(), current_theme.qcolor("amber"))
        elif column is RANK and state & QStyle.StateFlag.State_Selected:
            painter.fillRect(area.x(), area.y(), 2, area.height(), current_theme.qcolor("accent"))
        inner = area.adjusted(_MARGIN, 0, -_MARGIN, 0)
        if column is BAR:
            _paint_bar(painter, QRectF(inner), model.report.findings[index.row()].rms, is_unclear=is_unclear)
        elif column is AGAINST:
            _paint_against(painter, inner, model.text(index.row(), column))
        else:
            painter.setFont(_font(column))
            painter.setPen(current_theme.qcolor("text"))
            text = model.text(index.row(), column)
            if text == NONE:
                painter.setPen(current_theme.qcolor("quiet"))
            text = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, inner.width())
            side = Qt.AlignmentFlag.AlignRight if column.is_right else Qt.AlignmentFlag.AlignLeft
            painter.drawText(inner, int(side | Qt.AlignmentFlag.AlignVCenter), text)
        painter.restore()


def share_of(rms: float) -> float:
    """Return the length of a residual's bar, from 0 to 1.

    >>> share_of(0.0), share_of(math.pi), round(share_of(0.0011), 2)
    (0.02, 1.0, 0.23)
    """
    if not rms > LEAST_RMS:
        return 0.02
    return min(max(math.log(rms / LEAST_RMS) / math.log(MOST_RMS / LEAST_RMS), 0.02), 1.0)


def _paint_bar(painter: QPainter, area: QRectF, rms: float, *, is_unclear: bool) -> None:
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    bar = QRectF(area.x(), area.center().y() - BAR_HEIGHT / 2, area.width(), BAR_HEIGHT)
    painter.setBrush(current_theme.qcolor("slider_track", 0.6))
    painter.drawRoundedRect(bar, 2, 2)
    bar.setWidth(max(bar.width() * share_of(rms), 4.0))
    painter.setBrush(current_theme.qcolor("amber" if is_unclear else "disabled"))
    painter.drawRoundedRect(bar, 2, 2)


def _paint_against(painter: QPainter, area: Any, text: str) -> None:
    """Paint the count and, if there is room, the total in a quiet colour, aligned right."""
    count, rest = text.split(" ", 1)
    painter.setFont(fonts.number(METRICS.number))
    flags = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
    width = 0
    if painter.fontMetrics().horizontalAdvance(text) <= area.width():
        painter.setPen(current_theme.qcolor("quiet"))
        painter.drawText(area, flags, f" {rest}")
        width = painter.fontMetrics().horizontalAdvance(f" {rest}")
    painter.setPen(current_theme.qcolor("text"))
    painter.drawText(area.adjusted(0, 0, -width, 0), flags, count)


def _font(column: Column) -> Any:
    if column.key == "form":
        return fonts.text(METRICS.secondary, 600)
    return fonts.number(METRICS.number) if column.is_number else fonts.text(METRICS.secondary)

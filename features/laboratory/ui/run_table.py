"""Table of the runs of the drift laboratory: the present run first, then the kept runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QGuiApplication, QIcon, QKeyEvent, QKeySequence, QPainter, QPen, QPixmap, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableWidget, QTableWidgetItem, QWidget

from framescope.features.laboratory.core.convergence_order import Study
from framescope.features.laboratory.core.drift import DriftRun
from framescope.features.laboratory.ui import labels
from framescope.ui.formatting.item_names import METHODS
from framescope.ui.formatting.literal_text import literal_text
from framescope.ui.formatting.number_text import MISSING, fixed
from framescope.ui.plots.dashes import SOLID, Dash
from framescope.ui.theme import current_theme, fonts, painters
from framescope.ui.theme.tokens import METRICS
from framescope.ui.widgets.angle_unit import DEG, AngleUnit
from framescope.ui.widgets.buttons import IconButton
from framescope.ui.widgets.key_use import HAS_SPACE

_ROW = 24
_SWATCH = QSize(14, 14)
_DASH_SCALE = 0.4
"""Factor of dashes, so that the swatch shows them whole."""

_HEADINGS = ("run", "rate", "equation", "method", "re-norm.", "step", "error", "residue", "order", "")
_RUN, _RATE, _END, _REMOVE = 0, 1, 6, 9
_NUMBERS = (5, 6, 7, 8)
_TIPS = {
    _END: "Attitude error at the end of the time range",
    7: "The largest constraint residue of the whole run",
}
_WIDTHS = (78, 64, 88, 94, 68, 58, 70, 70, 48, 28)


@dataclass(frozen=True, eq=False)
class RunRow:
    """Run with the study of its order, the look of its curves, their visibility, and whether it is the present run."""

    run: DriftRun
    study: Study | None
    color: str
    is_shown: bool = True
    is_present: bool = False
    dash: Dash = SOLID


class RunTable(QTableWidget):
    """Table of runs. Delete removes a kept run, Space hides or shows its curves, Ctrl+C copies the table.

    Signals
    -------
    shown_toggled(int, bool)
        The user shows or hides the curves of a row.
    remove_requested(int)
        The user removes a row.
    """

    shown_toggled = Signal(int, bool)
    remove_requested = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(0, len(_HEADINGS), parent)
        self.rows: tuple[RunRow, ...] = ()
        """Rows of the table, the present run first."""
        self._unit = DEG
        self.setAccessibleName("runs")
        self.setProperty(HAS_SPACE, True)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setIconSize(_SWATCH)
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(_ROW)
        self.verticalHeader().setMinimumSectionSize(_ROW)
        header = self.horizontalHeader()
        header.setHighlightSections(False)
        header.setSectionsClickable(False)
        header.setMinimumSectionSize(_WIDTHS[-1])
        for column, width in enumerate(_WIDTHS):
            self.setColumnWidth(column, width)
        self._show_headings()
        self.itemChanged.connect(self._on_changed)
        current_theme.signals.theme_changed.connect(self._show_rows)

    def set_rows(self, rows: Sequence[RunRow]) -> None:
        """Show the present run and the kept runs."""
        self.rows = tuple(rows)
        self._show_rows()

    def set_angle_unit(self, unit: AngleUnit) -> None:
        """Set the unit of the errors."""
        self._unit = unit
        self._show_headings()
        self._show_rows()

    def text(self, delimiter: str = ",") -> str:
        """Return the table as text at full precision, in SI units."""
        return labels.as_csv(labels.table_rows([(row.run, row.study) for row in self.rows]), delimiter)

    def copy(self) -> None:
        """Copy the table to the clipboard, with tabs for a spreadsheet."""
        QGuiApplication.clipboard().setText(self.text("\t"))

    def sizeHint(self) -> QSize:
        return QSize(sum(_WIDTHS), self.horizontalHeader().height() + 3 * _ROW)

    def minimumSizeHint(self) -> QSize:
        return QSize(240, self.horizontalHeader().height() + _ROW)

    def resizeEvent(self, event: QResizeEvent) -> None:
        # The column of the rate takes the remaining width. If there is none, the table scrolls.
        is_wide = self.viewport().width() >= sum(_WIDTHS)
        modes = QHeaderView.ResizeMode
        self.horizontalHeader().setSectionResizeMode(_RATE, modes.Stretch if is_wide else modes.Interactive)
        if not is_wide:
            self.setColumnWidth(_RATE, _WIDTHS[_RATE])
        super().resizeEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        i = self.currentRow()
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy()
        elif event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace) and i >= 0 and not self.rows[i].is_present:
            self.remove_requested.emit(i)
        elif event.key() == Qt.Key.Key_Space and i >= 0:
            self.shown_toggled.emit(i, not self.rows[i].is_shown)
        else:
            super().keyPressEvent(event)

    def _on_changed(self, item: QTableWidgetItem) -> None:
        if item.column() == _RUN:
            self.shown_toggled.emit(item.row(), item.checkState() == Qt.CheckState.Checked)

    def _show_headings(self) -> None:
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        left = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        for column, heading in enumerate(_HEADINGS):
            item = QTableWidgetItem(f"{heading} {self._unit.symbol}" if column == _END else heading)
            item.setTextAlignment(right if column in _NUMBERS else left)
            item.setToolTip(_TIPS.get(column, ""))
            self.setHorizontalHeaderItem(column, item)

    def _show_rows(self) -> None:
        was_blocked = self.blockSignals(True)
        current = self.currentRow()
        self.setRowCount(len(self.rows))
        for i, row in enumerate(self.rows):
            number = i if self.rows[0].is_present else i + 1
            for column, text in enumerate(self._texts(number, row)):
                self.setItem(i, column, self._item(row, column, text))
            if row.is_present:
                self.removeCellWidget(i, _REMOVE)
            elif not isinstance(self.cellWidget(i, _REMOVE), IconButton):
                button = IconButton("x", "Remove this run", size=METRICS.field, icon_size=METRICS.row_icon)
                button.clicked.connect(lambda _=False, i=i: self.remove_requested.emit(i))
                self.setCellWidget(i, _REMOVE, button)
        self.setCurrentCell(min(current, len(self.rows) - 1), _RUN)
        self.blockSignals(was_blocked)

    def _item(self, row: RunRow, column: int, text: str) -> QTableWidgetItem:
        item = QTableWidgetItem(text)
        item.setToolTip(literal_text(_TIPS.get(column, text)))
        item.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable)
        if column == _RUN:
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
            item.setCheckState(Qt.CheckState.Checked if row.is_shown else Qt.CheckState.Unchecked)
            item.setIcon(self._swatch(row))
            item.setToolTip("Show or hide the curves of this run")
        if column in _NUMBERS:
            item.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            item.setFont(fonts.number())
        if column == len(_HEADINGS) - 2:
            item.setToolTip(order_text(row.study))
        return item

    def _texts(self, number: int, row: RunRow) -> tuple[str, ...]:
        run, settings = row.run, row.run.settings
        order = None if row.study is None else row.study.fit.order
        return (
            "now" if row.is_present else f"{number}",
            labels.choice_text(run.choice),
            labels.EQUATION_WORDS[settings.equation],
            METHODS[settings.method],
            labels.renormalise_text(settings),
            labels.step_text(settings.step),
            labels.small(self._unit.of_rad(run.end_error)),
            labels.small(run.largest_residue) if run.has_residue else MISSING,
            MISSING if order is None else fixed(order, 2),
            "",
        )

    def _swatch(self, row: RunRow) -> QIcon:
        ratio = self.devicePixelRatio()
        pixmap = QPixmap(_SWATCH * ratio)
        pixmap.setDevicePixelRatio(ratio)
        pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(pixmap)
        pen = QPen(current_theme.qcolor(row.color), METRICS.focus)
        painters.set_dash(pen, row.dash, _DASH_SCALE)
        painter.setPen(pen)
        painter.drawLine(1, _SWATCH.height() // 2, _SWATCH.width() - 1, _SWATCH.height() // 2)
        painter.end()
        return QIcon(pixmap)


def order_text(study: Study | None) -> str:
    """Return a sentence with the order of a study, or the reason why there is none."""
    if study is None:
        return "Not known yet"
    fit = study.fit
    if fit.order is None:
        return f"No straight part: {fit.reason}"
    span = f"{labels.step_text(float(study.steps[fit.first]))} to {labels.step_text(float(study.steps[fit.last]))}"
    return f"Order {fixed(fit.order, 2)}, by steps from {span}"

"""Preview of the first rows of a table, coloured by the roles of the columns; a menu on each heading sets the role."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import numpy as np
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter
from PySide6.QtWidgets import QHeaderView, QMenu, QStyledItemDelegate, QStyleOptionViewItem, QTableView, QWidget

from framescope.core.recordings.tables import iso_timestamps
from framescope.core.recordings.tables.mixed import MixedTable
from framescope.core.recordings.tables.split_timestamps import parts_of
from framescope.features.table_import.core.choices import LETTERS, NO_ROLE, Choices, Vector, role_names, roles
from framescope.ui.formatting import number_text
from framescope.ui.theme import current_theme, fonts
from framescope.ui.theme.tokens import METRICS

SHOWN_ROWS = 200
_HEADING = 48
_CHIP = 18
_TINT = 0.16
_WIDEST, _WIDEST_DATE = 160, 224
NOT_USED = "not used"
IN_TIME = "in time"

_Index = QModelIndex | QPersistentModelIndex


def role_color(role: str) -> str:
    """Return the theme's colour name for the role of a column."""
    if role == "time":
        return "accent"
    if role == "frame name":
        return "good"
    if role[-1:].lower() in ("x", "y", "z"):
        return f"axis_{role[-1].lower()}"
    return "omega" if role else "quiet"


class PreviewModel(QAbstractTableModel):
    """Model of the first rows of a table as text."""

    def __init__(self, table: MixedTable, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._table = table
        self._roles: dict[str, tuple[str, int]] = {}
        self._groups: tuple[str, ...] = ("",)

    @property
    def table(self) -> MixedTable:
        """Table in the preview."""
        return self._table

    def set_choices(self, choices: Choices, vectors: Sequence[Vector] = ()) -> None:
        """Colour the columns by their roles, in a pose or in vectors."""
        self._roles = roles(choices)
        for vector in vectors:
            letter = LETTERS[vector.form]
            self._roles |= {column: (f"{letter} {x}", 0) for column, x in zip(vector.columns, "xyz", strict=True)}
        self._groups = tuple(group.name for group in choices.groups)
        if self.rowCount() and self.columnCount():
            last = self.index(self.rowCount() - 1, self.columnCount() - 1)
            self.dataChanged.emit(self.index(0, 0), last, [Qt.ItemDataRole.BackgroundRole])
            self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, self.columnCount() - 1)

    def role_of(self, i_column: int) -> tuple[str, str]:
        """Return the role of a column and the name of its group; empty for none."""
        role, i_group = self._roles.get(self._table.order[i_column], (NO_ROLE, 0))
        return role, self._groups[i_group] if role not in ("time", "frame name", NO_ROLE) else ""

    def is_in_time(self, i_column: int) -> bool:
        """Return whether a column is one of the two that are joined into the column of time."""
        column = self._table.order[i_column]
        return any(role == "time" and column in (parts_of(other) or ()) for other, (role, _) in self._roles.items())

    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008 - as Qt has it
        return 0 if parent.isValid() else min(self._table.n_rows, SHOWN_ROWS)

    def columnCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008 - as Qt has it
        return 0 if parent.isValid() else len(self._table.order)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        column = self._table.order[index.column()]
        numbers = self._table.numbers.get(column)
        if role == Qt.ItemDataRole.DisplayRole:
            if numbers is not None:
                value = float(numbers[index.row()])
                is_date = column in self._table.stamps and np.isfinite(value)
                return iso_timestamps.written(value) if is_date else _cell_text(value)
            names = self._table.names.get(column)
            return "…" if names is None else names.text(index.row())
        if role == Qt.ItemDataRole.TextAlignmentRole:
            side = Qt.AlignmentFlag.AlignRight if numbers is not None else Qt.AlignmentFlag.AlignLeft
            return int(side | Qt.AlignmentFlag.AlignVCenter)
        if role == Qt.ItemDataRole.BackgroundRole and (name := self.role_of(index.column())[0]):
            return current_theme.qcolor(role_color(name), _TINT)
        if role == Qt.ItemDataRole.ForegroundRole:
            is_missing = numbers is not None and not np.isfinite(numbers[index.row()])
            return current_theme.qcolor("red" if is_missing else "text")
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if orientation == Qt.Orientation.Vertical:
            return str(section + 1) if role == Qt.ItemDataRole.DisplayRole else None
        if role == Qt.ItemDataRole.DisplayRole:
            return self._table.order[section]
        if role == Qt.ItemDataRole.AccessibleTextRole:
            nothing = IN_TIME if self.is_in_time(section) else NOT_USED
            return f"{self._table.order[section]}, {' '.join(self.role_of(section)).strip() or nothing}"
        if role == Qt.ItemDataRole.ToolTipRole:
            return f"{self._table.order[section]}\nClick to choose the role of the column"
        return None


def _cell_text(value: float) -> str:
    """Return the text of a number; whole numbers, such as times in ns, with all digits."""
    if not np.isfinite(value):
        return number_text.MISSING
    text = f"{value:.0f}" if value.is_integer() and abs(value) < 1e19 else f"{value:.14g}"
    return text.replace("-", number_text.MINUS)


class _Tinted(QStyledItemDelegate):
    """Delegate that paints the background of a cell, as a stylesheet ignores the model's colours."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        ground = index.data(Qt.ItemDataRole.BackgroundRole)
        if ground is not None:
            painter.fillRect(option.rect, ground)  # pyright: ignore[reportAttributeAccessIssue]
        super().paint(painter, option, index)


class RoleHeader(QHeaderView):
    """Header with two lines for each column: its name, and a chip with its role.

    Signals
    -------
    requested(int)
        The user clicked the heading of this column.
    """

    requested = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.setSectionsClickable(True)
        self.setHighlightSections(False)
        self.sectionClicked.connect(self.requested)
        self.setToolTip("Click to choose the role of a column")

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), _HEADING)

    def chip_text(self, i_column: int) -> str:
        """Return the text of a column's chip."""
        role, group = self._model().role_of(i_column)
        if not role:
            return IN_TIME if self._model().is_in_time(i_column) else NOT_USED
        return f"{group} {role}".strip()

    def preferred_width(self, i_column: int) -> int:
        """Return the preferred width of a heading, px."""
        name = fonts.width(fonts.number(), self._model().table.order[i_column])
        chip = fonts.width(fonts.text(METRICS.caption, 500), self.chip_text(i_column)) + 10 + METRICS.row_icon
        return min(int(max(name, chip)) + 2 * METRICS.gap + 2, _WIDEST)

    def paintSection(self, painter: QPainter, rect: QRect, logicalIndex: int) -> None:
        role, _ = self._model().role_of(logicalIndex)
        color = role_color(role)
        painter.save()
        painter.fillRect(rect, current_theme.qcolor("panel"))
        painter.setFont(fonts.number())
        painter.setPen(current_theme.qcolor("text" if role else "quiet"))
        area = rect.adjusted(METRICS.gap, 4, -METRICS.gap, 0)
        name = painter.fontMetrics().elidedText(
            self._model().table.order[logicalIndex], Qt.TextElideMode.ElideMiddle, area.width()
        )
        painter.drawText(QRect(area.x(), area.y(), area.width(), 18), int(Qt.AlignmentFlag.AlignVCenter), name)
        chip = QRect(area.x(), rect.bottom() - _CHIP - 5, area.width(), _CHIP)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(current_theme.qcolor(color if role else "border"))
        painter.setBrush(current_theme.qcolor(color, 0.24) if role else Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(chip.adjusted(0, 0, -1, -1), _CHIP / 2, _CHIP / 2)
        painter.setFont(fonts.text(METRICS.caption, 500))
        painter.setPen(current_theme.qcolor("text" if role else "quiet"))
        inner = chip.adjusted(8, 0, -6, 0)
        text = painter.fontMetrics().elidedText(
            self.chip_text(logicalIndex), Qt.TextElideMode.ElideRight, inner.width()
        )
        painter.drawText(inner, int(Qt.AlignmentFlag.AlignVCenter), text)
        painter.setPen(current_theme.qcolor("separator"))
        painter.drawLine(rect.bottomLeft(), rect.bottomRight())
        painter.restore()

    def _model(self) -> PreviewModel:
        return cast("PreviewModel", self.model())


class PreviewTable(QTableView):
    """Table of the first rows, with roles in the header.

    Enter, Space or the menu key opens the menu of the column at the cursor.

    Signals
    -------
    role_chosen(str, str, int)
        Column, its new role (empty for none), and the index of its group.
    """

    role_chosen = Signal(str, str, int)

    def __init__(self, table: MixedTable, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = PreviewModel(table, self)
        self._choices = Choices()
        self.menu: QMenu | None = None
        self.heading = RoleHeader(self)
        self.setModel(self._model)
        self.setHorizontalHeader(self.heading)
        self.heading.setSectionsClickable(True)
        self.heading.requested.connect(self.open_menu)
        self.setFont(fonts.number())
        self.setSelectionMode(self.SelectionMode.SingleSelection)
        self.setEditTriggers(self.EditTrigger.NoEditTriggers)
        self.setShowGrid(False)
        self.setTabKeyNavigation(False)
        self.setItemDelegate(_Tinted(self))
        self.setCornerButtonEnabled(False)
        self.verticalHeader().setHighlightSections(False)
        self.verticalHeader().setDefaultSectionSize(METRICS.field)
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.verticalHeader().setFont(fonts.number(METRICS.caption))
        self.setAccessibleName("first rows of the table")
        self.setAccessibleDescription("Press Enter to choose the role of the column at the cursor")
        self.setCurrentIndex(self._model.index(0, 0))

    def set_choices(self, choices: Choices, vectors: Sequence[Vector] = ()) -> None:
        """Show the roles of the columns in poses or vectors."""
        self._choices = choices
        self._model.set_choices(choices, vectors)
        for i in range(self._model.columnCount()):
            width = max(self.heading.preferred_width(i), self._widest(i))
            self.setColumnWidth(i, width)
        self.heading.viewport().update()

    def open_menu(self, i_column: int) -> None:
        """Open the menu of roles below the heading of a column."""
        column = self._model.table.order[i_column]
        present = roles(self._choices).get(column, (NO_ROLE, 0))
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        is_text = column not in self._model.table.numbers
        several = len(self._choices.groups) > 1
        for i_group, group in enumerate(self._choices.groups):
            target = menu.addMenu(group.name.replace("&", "&&") or "frame") if several else menu
            for role in role_names(self._choices):
                if role in ("time", "frame name") and i_group > 0:
                    continue
                into = menu if role in ("time", "frame name") else target
                action = into.addAction(role)
                action.setCheckable(True)
                action.setChecked((role, i_group) == present)
                action.setEnabled(role == "frame name" or not is_text)
                action.triggered.connect(lambda _=False, role=role, i=i_group: self.role_chosen.emit(column, role, i))
        menu.addSeparator()
        nothing = menu.addAction(NOT_USED)
        nothing.setCheckable(True)
        nothing.setChecked(present[0] == NO_ROLE)
        nothing.triggered.connect(lambda: self.role_chosen.emit(column, NO_ROLE, 0))
        x = self.heading.sectionViewportPosition(i_column)
        self.menu = menu
        menu.popup(self.heading.viewport().mapToGlobal(QPoint(max(x, 0), self.heading.height())))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        keys = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space, Qt.Key.Key_Menu)
        if event.key() in keys and self.currentIndex().isValid():
            self.scrollTo(self.currentIndex())
            self.open_menu(self.currentIndex().column())
            return
        super().keyPressEvent(event)

    def _widest(self, i_column: int) -> int:
        texts = (str(self._model.index(row, i_column).data()) for row in range(min(self._model.rowCount(), 20)))
        longest = max(texts, key=len, default="")
        # Dates differ at their end.
        widest = _WIDEST_DATE if self._model.table.order[i_column] in self._model.table.stamps else _WIDEST
        return min(int(fonts.width(fonts.number(), longest)) + 2 * METRICS.gap, widest)

"""Card of an item: facts in two columns, current numbers below, and buttons that select related items."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QLabel, QVBoxLayout, QWidget

from framescope.core.snapshot import Snapshot
from framescope.ui.panels.inspector.editors.editor import LABEL_WIDTH
from framescope.ui.panels.inspector.item_cards import Card, Number
from framescope.ui.qt_support.replace_widget import swap
from framescope.ui.theme.tokens import METRICS
from framescope.ui.widgets import layouts
from framescope.ui.widgets.angle_unit import DEG, AngleUnit
from framescope.ui.widgets.buttons import push_button
from framescope.ui.widgets.headings import SectionHeader, separator
from framescope.ui.widgets.value_row import ValueRow

_ICONS = {"frames": "axis-3d", "bodies": "box", "points": "pin"}


class CardView(QWidget):
    """Shows a card, and its numbers at the time of a snapshot. It edits nothing.

    Signals
    -------
    picked(object)
        The key of another item to select.
    """

    picked = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "panel")
        self._card: Card | None = None
        self._rows: list[tuple[Number, ValueRow]] = []
        self._unit = DEG
        self._content = QWidget()
        self._column = layouts.column(
            self._content, layouts.STRETCH, on=self, margins=(METRICS.padding, METRICS.gap), spacing=0
        )

    def set_card(self, card: Card) -> None:
        """Show another card."""
        self._card = card
        self._rows = []
        content = QWidget()
        column = layouts.column(on=content, margins=0, spacing=METRICS.inner)
        if card.facts:
            column.addLayout(_facts(card))
        if card.numbers:
            column.addSpacing(METRICS.inner)
            column.addWidget(separator())
            column.addSpacing(METRICS.inner)
        for number in card.numbers:
            self._add_number(column, number)
        if card.note:
            column.addWidget(_label(card.note, "quiet"))
        column.addSpacing(METRICS.inner)
        for text, key in card.links:
            button = push_button(text, _ICONS[key[0]], kind="small")
            button.clicked.connect(lambda _is_checked=False, key=key: self.picked.emit(key))
            column.addWidget(button, 0, Qt.AlignmentFlag.AlignLeft)
        swap(self._column, self._content, content)
        self._content = content

    def set_angle_unit(self, unit: AngleUnit) -> None:
        """Change the unit of angles. The next snapshot updates the numbers."""
        if unit != self._unit:
            self._unit = unit
            if self._card is not None:
                self.set_card(self._card)

    @property
    def rows(self) -> tuple[ValueRow, ...]:
        """Rows of numbers, from the top."""
        return tuple(row for _, row in self._rows)

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """Show the numbers at the snapshot's time."""
        for number, row in self._rows:
            values = number.read(snapshot)
            factor = self._unit.shown(number.unit)[1]
            row.set_values(np.full(len(number.letters), np.nan) if values is None else factor * values)

    def _add_number(self, column: QVBoxLayout, number: Number) -> None:
        unit, factor = self._unit.shown(number.unit)
        column.addWidget(SectionHeader(number.title, unit))
        if number.text:
            column.addWidget(_label(number.text, "quiet"))
        row = ValueRow(number.letters, decimals=number.decimals if factor == 1.0 else self._unit.decimals)
        row.setAccessibleName(f"{number.title}, {number.text}, {unit}")
        column.addWidget(row)
        column.addSpacing(METRICS.inner)
        self._rows.append((number, row))


def _facts(card: Card) -> QGridLayout:
    grid = layouts.grid(margins=0, spacing=(METRICS.gap, METRICS.inner))
    grid.setColumnMinimumWidth(0, LABEL_WIDTH)
    grid.setColumnStretch(1, 1)
    for i, (name, text) in enumerate(card.facts):
        grid.addWidget(_label(name, "quiet"), i, 0, Qt.AlignmentFlag.AlignTop)
        grid.addWidget(_label(text, "" if name else "quiet"), i, 1)
    return grid


def _label(text: str, role: str) -> QLabel:
    label = layouts.plain_label(text, wordWrap=True)
    if role:
        label.setProperty("role", role)
    return label

"""The three angles of an orientation as a table: both branches, and those that go on over time."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QWidget

from framescope.ui.formatting.item_names import BRANCH_TEXTS
from framescope.ui.panels.orientation.values import LETTERS, OrientationValues
from framescope.ui.theme.tokens import AXIS_LETTERS, METRICS
from framescope.ui.widgets import layouts
from framescope.ui.widgets.angle_unit import DEG, AngleUnit
from framescope.ui.widgets.value_row import ValueRow

_LABEL_WIDTH = 76


class AnglesTable(QWidget):
    """Both branches within one turn, and the continuous angles."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._unit = DEG
        title = layouts.label("Angles", "section")
        self._unit_label = layouts.label(DEG.key, "caption")
        self._letters = tuple(QLabel(letter) for letter in LETTERS)
        heading = layouts.grid(margins=0, spacing=0)
        name = layouts.row(title, (self._unit_label, 1), spacing=METRICS.inner)
        heading.addLayout(name, 0, 0)
        heading.setColumnMinimumWidth(0, _LABEL_WIDTH)
        for i, letter in enumerate(self._letters):
            letter.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            heading.addWidget(letter, 0, i + 1)
            heading.setColumnStretch(i + 1, 1)
        self.rows = tuple(
            ValueRow(("", "", ""), label=label, label_width=_LABEL_WIDTH, is_strong=label == "continuous", decimals=2)
            for label in ("branch 1", "branch 2", "continuous")
        )
        for row, text in zip(self.rows, BRANCH_TEXTS, strict=True):
            row.setToolTip(f"{text[0].upper()}{text[1:]}")
        layouts.column(heading, *self.rows, on=self, margins=0, spacing=0)

    def set_unit(self, unit: AngleUnit) -> None:
        """Show the angles in another unit."""
        self._unit = unit
        self._unit_label.setText(unit.key)
        for row in self.rows:
            row.set_decimals(unit.decimals)

    def show_reading(self, reading: OrientationValues | None) -> None:
        """Show the angles of an orientation, or none."""
        if reading is None:
            for row in self.rows:
                row.set_values(np.full(3, np.nan))
            return
        for row, angles in zip(self.rows, (reading.first, reading.second, reading.continuous), strict=True):
            row.set_values([self._unit.of_rad(float(angle)) for angle in angles])

    def set_axes(self, sequence: str) -> None:
        """Colour the letters by the axes of a sequence."""
        for label, axis in zip(self._letters, sequence, strict=True):
            label.setProperty("axis", AXIS_LETTERS["XYZ".index(axis)])
            label.style().polish(label)

"""Plot of a laboratory: heading, current value and curves."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QWidget

from framescope.features.laboratory.ui.axis_scales import AxisScale
from framescope.features.laboratory.ui.lab_canvas import LabCanvas, Line
from framescope.ui.theme.tokens import METRICS
from framescope.ui.widgets import layouts
from framescope.ui.widgets.elided_label import ElidedLabel

_HEADER = 22


class LabPlot(QWidget):
    """Canvas with a heading. A note can replace the curves and explain why there are none.

    Parameters
    ----------
    title, unit
        Heading of the plot, and unit of its values.
    """

    def __init__(self, title: str, unit: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._name, self._height = title, 0
        self.title = ElidedLabel(title, role="section")
        self.unit = layouts.label(unit, "quiet")
        self.value = layouts.plain_label("", "quiet")
        self.canvas = LabCanvas()
        self._note = layouts.plain_label(parent=self.canvas, wordWrap=True, alignment=Qt.AlignmentFlag.AlignCenter)
        self._note.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._note.setProperty("role", "quiet")
        self._note.hide()
        row = layouts.row(
            self.title,
            self.unit,
            layouts.STRETCH,
            self.value,
            margins=(METRICS.gap, 0, METRICS.padding, 0),
            spacing=METRICS.inner + 2,
        )
        self._head = header = QWidget()
        header.setFixedHeight(_HEADER)
        header.setLayout(row)
        self.header = row
        layouts.column(header, (self.canvas, 1), on=self, margins=0, spacing=0)
        self.canvas.box.sigResized.connect(self._place_note)
        self._describe()

    @property
    def note(self) -> str:
        """Text in place of the curves."""
        return self._note.text()

    def set_lines(self, lines: tuple[Line, ...], x: AxisScale, y: AxisScale, note: str = "") -> None:
        """Show curves on two axes, or a note instead."""
        self.canvas.set_lines(lines, x, y)
        self._note.setText(note)
        self._note.setVisible(bool(note))
        self._place_note()
        self._describe()

    def set_value(self, text: str) -> None:
        """Show the most important value to the right of the heading."""
        if text != self.value.text():
            self.value.setText(text)
            self._describe()

    def set_unit(self, unit: str) -> None:
        """Set the unit after the heading."""
        self.unit.setText(unit)
        self._describe()

    def set_height(self, height: int) -> None:
        """Set the height, px, which grows with the font of the widget that the plot is in."""
        self._height = height
        self._size()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange and hasattr(self, "_head"):
            self._size()

    def _size(self) -> None:
        scale = max(self.font().pixelSize() / METRICS.base, 1.0)
        self._head.setFixedHeight(round(scale * _HEADER))
        self.canvas.set_scale(scale)
        if self._height:
            self.setFixedHeight(round(scale * self._height))

    def _describe(self) -> None:
        parts = (f"plot of {self._name}", self.unit.text(), self.value.text(), self._note.text())
        self.setAccessibleName(", ".join(part for part in parts if part))

    def _place_note(self) -> None:
        area = self.canvas.area.toRect()
        self._note.setGeometry(area.adjusted(METRICS.gap, METRICS.inner, -METRICS.gap, -METRICS.inner))

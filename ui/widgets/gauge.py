"""Gauge of the distance from a singularity: a bar with marks, and its number."""

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from framescope.ui.formatting import number_text
from framescope.ui.theme import current_theme, painters
from framescope.ui.theme.tokens import LOCK, METRICS, NEAR
from framescope.ui.widgets import layouts
from framescope.ui.widgets.headings import SectionHeader
from framescope.ui.widgets.value_row import ValueRow

_HEIGHT = 16


def gauge_color(value: float) -> str:
    """Return the colour role of a measure from 0 (clear) to 1 (locked).

    Examples
    --------
    >>> gauge_color(0.5), gauge_color(0.8), gauge_color(0.97)
    ('good', 'amber', 'red')
    """
    if value >= LOCK:
        return "red"
    return "amber" if value >= NEAR else "good"


class GaugeBar(QWidget):
    """A bar from 0 to 1 with marks at the changes to amber and red."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.value = 0.0
        """The displayed measure."""
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def set_value(self, value: float) -> None:
        """Display a measure from 0 to 1; cheap, called at every tick."""
        if value != self.value:
            self.value = value
            self.update()

    def sizeHint(self) -> QSize:
        return QSize(160, _HEIGHT)

    def minimumSizeHint(self) -> QSize:
        return QSize(60, _HEIGHT)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        painter = painters.smooth(self)
        painter.setPen(Qt.PenStyle.NoPen)
        bar = QRectF(0, (self.height() - METRICS.gauge) / 2, self.width(), METRICS.gauge)
        painter.setBrush(current_theme.qcolor("slider_track"))
        painter.drawRoundedRect(bar, 2, 2)
        share = min(max(self.value, 0.0), 1.0)
        if share > 0:
            painter.setBrush(current_theme.qcolor(gauge_color(share)))
            painter.drawRoundedRect(QRectF(bar.left(), bar.top(), share * bar.width(), bar.height()), 2, 2)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        for place, role in ((NEAR, "amber"), (LOCK, "red")):
            # Over the bar the mark has the background's colour, so that it is visible on a fill of its own colour.
            is_covered = share > place
            x = round(place * self.width() - 0.5)
            painter.setBrush(current_theme.qcolor(role))
            painter.drawRect(QRectF(x, 1, 1, self.height() - 2))
            if is_covered:
                painter.setBrush(current_theme.qcolor("panel"))
                painter.drawRect(QRectF(x, bar.top(), 1, bar.height()))


class Gauge(QWidget):
    """The singularity of an axis sequence: title, measure, bar, and the condition number of the map of the rates.

    Parameters
    ----------
    title : str
        The measured quantity.
    """

    def __init__(self, title: str = "Singularity", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._header = SectionHeader(title)
        self.number_label = _number()
        self._header.add_widget(self.number_label)
        self.bar = GaugeBar()
        self.condition_row = ValueRow(("",), label="condition number")
        # Parts of the layout in one line, if there is room.
        self._title = layouts.label(title, "section")
        self._name = layouts.label("", "quiet")
        self._inline_number, self._inline_condition = _number(), _number()
        self._inline_condition.setToolTip("Condition number (how strongly angle rates grow near gimbal lock)")
        unit = layouts.label("cond", "quiet")
        self._inline = (self._title, self._inline_number, self._name, self._inline_condition, unit)
        self._stacked = (self._header, self.condition_row)
        self._grid = layouts.grid(on=self, margins=0, spacing=(METRICS.gap, 2))
        self._grid.addWidget(self._header, 0, 0, 1, 6)
        self._grid.addWidget(self.condition_row, 2, 0, 1, 6)
        for column, part in zip((0, 2, 3, 4, 5), self._inline, strict=True):
            self._grid.addWidget(part, 1, column)
        self._grid.setColumnStretch(1, 1)
        self.set_inline(False)

    def set_inline(self, is_inline: bool) -> None:
        """Display everything in one line, or in three."""
        for part in self._inline:
            part.setVisible(is_inline)
        for part in self._stacked:
            part.setVisible(not is_inline)
        self._grid.removeWidget(self.bar)
        self._grid.addWidget(self.bar, 1, 1 if is_inline else 0, 1, 1 if is_inline else 6)

    def set_measure(self, name: str, value: float, condition: float) -> None:
        """Display a measure; cheap, called at every tick.

        Parameters
        ----------
        name : str
            The measured quantity, for example `|sin β|`.
        value : float
            From 0 (clear) to 1 (locked).
        condition : float
            Condition number of the map from angle rates to angular velocity.
        """
        self._header.set_note(name)
        text = number_text.fixed(value)
        for label, label_text in (
            (self.number_label, text),
            (self._inline_number, text),
            (self._name, name),
            (self._inline_condition, number_text.fixed(condition)),
        ):
            if label_text != label.text():
                label.setText(label_text)
        self.bar.set_value(value)
        self.condition_row.set_values([condition])
        self.bar.setAccessibleName(f"{name} {text}")


def _number() -> QLabel:
    return layouts.label("", "number")

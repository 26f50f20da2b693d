"""What stands above a plot: title, subtitle, and a legend with the values at the cursor."""

from collections.abc import Sequence

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from framescope.ui import appearance, fonts, units
from framescope.ui.plots.curves import CurveStyle
from framescope.ui.theme import METRICS

_LINE = 20
_TITLE_LINE = 26
_SAMPLE = 14.0
_ENTRY_GAP = 10.0
_INNER = 4.0
_SIDE = METRICS.padding


class PlotHeader(QWidget):
    """
    Painted as one widget, since the values change at every tick and labels would be laid out anew each time.

    Signals
    -------
    lines_changed()
        The legend needs another number of lines.
    """

    lines_changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._title = self._subtitle = ""
        self._styles: tuple[CurveStyle, ...] = ()
        self._values: Sequence[float] = ()
        self._decimals = 2
        self._value_widths: tuple[float, ...] = ()
        self._needed = self._lines = 0
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    @property
    def lines_needed(self) -> int:
        """Lines below the title that the legend takes; 0 when it stands beside the title."""
        return self._needed

    def set_content(
        self, title: str, subtitle: str, styles: tuple[CurveStyle, ...], decimals: int, widest: Sequence[str]
    ) -> None:
        """Show what is plotted; the widest value of each curve keeps the legend from moving."""
        self._title, self._subtitle, self._styles, self._decimals = title, subtitle, styles, decimals
        self._values = ()
        self._value_widths = tuple(fonts.width(fonts.number(), sample) for sample in widest)
        self.setToolTip(f"{title}\n{subtitle}" if subtitle else title)
        self._flow()
        self.update()

    def set_values(self, values: Sequence[float]) -> None:
        """Show the values at the cursor, scaled as the plot is."""
        self._values = values
        self.update()

    def set_lines(self, lines: int) -> None:
        """Take a number of lines below the title, the same for plots side by side."""
        if lines != self._lines or self.height() != self.sizeHint().height():
            self._lines = lines
            self.setFixedHeight(self.sizeHint().height())
            self.update()

    def sizeHint(self) -> QSize:
        return QSize(200, _TITLE_LINE + _LINE * self._lines + (2 if self._lines else 6))

    def minimumSizeHint(self) -> QSize:
        return QSize(80, self.sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._flow()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        painter = QPainter(self)
        legend = self._entry_widths()
        is_beside = self._lines == 0 and bool(legend)
        right = self.width() - _SIDE - (sum(legend) - _ENTRY_GAP + METRICS.padding if is_beside else 0)
        self._paint_title(painter, right)
        if is_beside:
            self._paint_entries(painter, self._styles, 0, self.width() - _SIDE - sum(legend) + _ENTRY_GAP, 4)
        else:
            first = 0
            for line, count in enumerate(self._line_counts()):
                entries = self._styles[first : first + count]
                self._paint_entries(painter, entries, first, _SIDE, _TITLE_LINE + line * _LINE)
                first += count

    # --- painting

    def _paint_title(self, painter: QPainter, right: float) -> None:
        middle = Qt.AlignmentFlag.AlignVCenter
        painter.setFont(fonts.text(METRICS.base, 600))
        painter.setPen(appearance.qcolor("text"))
        title = painter.fontMetrics().elidedText(self._title, Qt.TextElideMode.ElideRight, int(right - _SIDE))
        painter.drawText(QRectF(_SIDE, 4, right - _SIDE, _LINE), middle, title)
        left = _SIDE + painter.fontMetrics().horizontalAdvance(title) + 10
        if right - left < 2 * METRICS.padding:
            return
        painter.setFont(fonts.text(METRICS.secondary))
        painter.setPen(appearance.qcolor("quiet"))
        subtitle = painter.fontMetrics().elidedText(self._subtitle, Qt.TextElideMode.ElideRight, int(right - left))
        painter.drawText(QRectF(left, 4, right - left, _LINE), middle, subtitle)

    def _paint_entries(
        self, painter: QPainter, styles: Sequence[CurveStyle], first: int, left: float, top: float
    ) -> None:
        middle = Qt.AlignmentFlag.AlignVCenter
        for index, style in enumerate(styles, start=first):
            pen = QPen(appearance.qcolor(style.color), 2.0)
            if style.is_dashed:
                pen.setDashPattern([2.0, 1.3])
            pen.setCapStyle(Qt.PenCapStyle.FlatCap)
            painter.setPen(pen)
            painter.drawLine(round(left), round(top + _LINE / 2), round(left + _SAMPLE), round(top + _LINE / 2))
            x = left + _SAMPLE + _INNER
            name_width = fonts.width(fonts.text(METRICS.secondary), style.name)
            painter.setFont(fonts.text(METRICS.secondary))
            painter.setPen(appearance.qcolor("quiet"))
            painter.drawText(QRectF(x, top, name_width + 2, _LINE), middle, style.name)
            x += name_width + _INNER
            if index < len(self._values):
                painter.setFont(fonts.number())
                painter.setPen(appearance.qcolor("text"))
                text = units.fixed(self._values[index], self._decimals)
                painter.drawText(QRectF(x, top, self._value_widths[index] + 2, _LINE), middle, text)
            left = x + self._value_widths[index] + _ENTRY_GAP

    # --- layout

    def _entry_widths(self) -> list[float]:
        font = fonts.text(METRICS.secondary)
        fixed = _SAMPLE + 2 * _INNER + _ENTRY_GAP
        names = (fonts.width(font, style.name) for style in self._styles)
        return [fixed + name + value for name, value in zip(names, self._value_widths, strict=True)]

    def _line_counts(self) -> list[int]:
        """Return how many entries stand on each line."""
        counts: list[int] = []
        used = room = self.width() - 2 * _SIDE + _ENTRY_GAP
        for width in self._entry_widths():
            if used + width > room:
                counts.append(0)
                used = 0.0
            counts[-1] += 1
            used += width
        return counts

    def _flow(self) -> None:
        title = fonts.width(fonts.text(METRICS.base, 600), self._title)
        subtitle = fonts.width(fonts.text(METRICS.secondary), self._subtitle)
        beside = title + 10 + subtitle + METRICS.padding + sum(self._entry_widths()) - _ENTRY_GAP
        needed = 0 if beside <= self.width() - 2 * _SIDE else len(self._line_counts())
        if needed != self._needed:
            self._needed = needed
            self.lines_changed.emit()

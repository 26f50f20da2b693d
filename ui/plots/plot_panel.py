"""The plots at the bottom of the window, side by side."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from framescope.ui.plots.curves import Curves
from framescope.ui.plots.plot import Plot

MIN_WIDTH = 320
"""Of a plot, so that its title and numbers can be read: the row scrolls where there is less room."""


class _Sideways(QScrollArea):
    """Scrolls to the side by an ordinary wheel too: there is nothing above or below."""

    def wheelEvent(self, event: QWheelEvent) -> None:
        bar, turned = self.horizontalScrollBar(), event.angleDelta()
        if bar.maximum() > 0:
            bar.setValue(bar.value() - (turned.x() or turned.y()))
            event.accept()
        else:
            event.ignore()


class PlotPanel(QWidget):
    """
    A row of plots with a common cursor.

    Signals
    -------
    scrubbed(float), scrub_finished()
        The pointer is held in one of the plots; seconds.
    """

    scrubbed = Signal(float)
    scrub_finished = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._plots: list[Plot] = []
        self._separators: list[QFrame] = []
        content = QWidget()
        self._row = QHBoxLayout(content)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(0)
        scroll = _Sideways(widgetResizable=True)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setWidget(content)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(scroll)
        self.set_plots([None])

    @property
    def plots(self) -> tuple[Plot, ...]:
        """The plots, from left to right."""
        return tuple(self._plots)

    def set_plots(self, contents: Sequence[Curves | None], t_range: tuple[float, float] | None = None) -> None:
        """Show so many plots with these curves; without any, one empty plot says what to do."""
        contents = list(contents) or [None]
        while len(self._plots) > len(contents):
            self._remove_last()
        while len(self._plots) < len(contents):
            self._append()
        for plot, curves in zip(self._plots, contents, strict=True):
            plot.set_curves(curves, t_range)
        self._align_headers()

    def set_cursor(self, t: float) -> None:
        """Move the cursor of every plot to a time in seconds; called at every tick."""
        for plot in self._plots:
            plot.set_cursor(t)

    def set_region(self, region: tuple[float, float, str] | None) -> None:
        """Tint a span of time in every plot."""
        for plot in self._plots:
            plot.set_region(region)

    def _append(self) -> None:
        if self._plots:
            separator = QFrame()
            separator.setProperty("role", "separator")
            separator.setFixedWidth(1)
            self._separators.append(separator)
            self._row.addWidget(separator)
        plot = Plot()
        plot.setMinimumWidth(MIN_WIDTH)
        plot.scrubbed.connect(self.scrubbed)
        plot.scrub_finished.connect(self.scrub_finished)
        plot.header.lines_changed.connect(self._align_headers)
        self._plots.append(plot)
        self._row.addWidget(plot, 1)

    def _remove_last(self) -> None:
        for widget in (self._plots.pop(), self._separators.pop()):
            self._row.removeWidget(widget)
            widget.hide()
            widget.deleteLater()

    def _align_headers(self) -> None:
        """Give all legends as many lines as the longest needs, so that the plots stand level."""
        lines = max((plot.header.lines_needed for plot in self._plots if plot.curves is not None), default=0)
        for plot in self._plots:
            plot.header.set_lines(lines)

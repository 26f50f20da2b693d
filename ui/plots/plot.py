"""One plot: header, plotting area, and what it says while it is empty."""

from html import escape

import numpy as np
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QStackedLayout, QVBoxLayout, QWidget

from framescope.ui import units
from framescope.ui.plots.canvas import Canvas
from framescope.ui.plots.curves import Curves
from framescope.ui.plots.header import PlotHeader
from framescope.ui.widgets.empty_state import EmptyState


class Plot(QWidget):
    """
    Curves over time with their values at a cursor.

    Signals
    -------
    scrubbed(float), scrub_finished()
        The pointer is held in the plot; seconds.
    """

    scrubbed = Signal(float)
    scrub_finished = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._curves: Curves | None = None
        self._t: float | None = None
        self.header = PlotHeader()
        self.canvas = Canvas()
        self._full = QWidget()
        column = QVBoxLayout(self._full)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.header)
        column.addWidget(self.canvas, 1)
        self._empty = EmptyState("chart-line", "No curve yet", "Add a plot to the scene file, under view, plots.")
        self._stack = QStackedLayout(self)
        self._stack.addWidget(self._empty)
        self._stack.addWidget(self._full)
        self.canvas.scrubbed.connect(self.scrubbed)
        self.canvas.scrub_finished.connect(self.scrub_finished)

    @property
    def curves(self) -> Curves | None:
        """What is shown."""
        return self._curves

    def set_curves(self, curves: Curves | None, t_range: tuple[float, float] | None = None) -> None:
        """Show curves over their own or a given range of time; None or no curve empties the plot."""
        if curves is None or not curves.styles:
            self._curves = None
            self._stack.setCurrentWidget(self._empty)
            return
        self._curves = curves
        self.canvas.set_curves(curves, t_range)
        scale = self.canvas.value_scale
        subtitle = " · ".join(part for part in (curves.subtitle, curves.unit, scale.text) if part)
        widest = [_widest(y * scale.factor, scale.decimals) for y in curves.ys]
        self.header.set_content(curves.title, subtitle, curves.styles, scale.decimals, widest)
        self._stack.setCurrentWidget(self._full)
        self.setAccessibleName(f"plot of {curves.title}, {subtitle}")
        # Where it does not fit it is cut; and Qt would take what looks like HTML for it.
        self.header.setToolTip(f"<qt>{escape(f'{curves.title}: {subtitle}')}</qt>")
        if self._t is not None:
            self.set_cursor(self._t)

    def set_cursor(self, t: float) -> None:
        """Move the cursor to a time in seconds; called at every tick."""
        self._t = t
        if self._curves is None:
            return
        values = self._curves.at(t)
        self.canvas.set_cursor(t, values)
        self.header.set_values((values * self.canvas.value_scale.factor).tolist())

    def set_region(self, region: tuple[float, float, str] | None) -> None:
        """Tint a span of time: first and last second and the role of a colour; None takes it away."""
        self.canvas.set_region(region)

    def values_at_cursor(self) -> np.ndarray | None:
        """Return the values at the cursor, unscaled, in the order of the curves."""
        return None if self._curves is None or self._t is None else self._curves.at(self._t)


def _widest(y: np.ndarray, decimals: int) -> str:
    """Return the longest text that a value of the curve can have."""
    finite = y[np.isfinite(y)]
    ends = (float(finite.min()), float(finite.max())) if finite.size else (0.0,)
    return max((units.fixed(end, decimals) for end in ends), key=len)

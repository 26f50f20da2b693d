"""Bare plot of pyqtgraph's parts: no menu, buttons or frame.

pyqtgraph's own `PlotItem` creates about sixty widgets and menus for each plot. That takes longer than the plot itself,
and every change of theme restyles all of them.
"""

from __future__ import annotations

from typing import Any
from weakref import WeakSet

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QRectF, Qt
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QGraphicsGridLayout, QGraphicsView, QSizePolicy, QWidget
from shiboken6 import isValid

from framescope.ui.plots.background_item import GroundItem
from framescope.ui.plots.cursor_item import CursorItem
from framescope.ui.qt_support.lean_pyqtgraph import pg
from framescope.ui.theme import current_theme, fonts
from framescope.ui.theme.tokens import METRICS

_EDGE = 1

_OVERHANG = 200
"""Distance from the ends of an axis up to which pyqtgraph draws a number, pixels. It leaves out others."""


class _Axis(pg.AxisItem):
    """Axis whose last number moves inwards where it would be cut.

    Attributes
    ----------
    room : float
        Room for numbers beyond the right end, pixels.
    """

    room = 0.0

    def generateDrawSpecs(self, p: Any) -> Any:
        specs = super().generateDrawSpecs(p)
        if specs is None or self.orientation != "bottom":
            return specs
        right = self.mapRectFromParent(self.geometry()).right() + self.room
        for rect, _, _ in specs[2]:
            if rect.right() > right:
                rect.moveRight(right)
        return specs


class BarePlot(pg.GraphicsView):
    """View box over a background, with a left and a bottom axis and a cursor.

    Parameters
    ----------
    left, bottom
        Width of the left axis and height of the bottom one, pixels.
    margins
        Margins of the plot: left, top, right, bottom.

    Attributes
    ----------
    box : pg.ViewBox
        Box for items.
    left, bottom : pg.AxisItem
        The axes.
    """

    def __init__(self, left: int, bottom: int, margins: tuple[int, int, int, int], parent: QWidget | None) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setFrameShape(self.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.enableMouse(False)
        self._sizes = left, bottom, margins
        self._whole: Any = pg.GraphicsWidget()  # pyqtgraph has few types
        whole = self._whole
        whole.setContentsMargins(*margins)
        self.box: Any = pg.ViewBox(parent=whole, enableMouse=False, enableMenu=False, defaultPadding=0.0)
        self.box.disableAutoRange()
        self.left, self.bottom = (self._axis(side, whole) for side in ("left", "bottom"))
        self.left.setWidth(left)
        self.bottom.setHeight(bottom)
        grid = QGraphicsGridLayout()
        grid.setContentsMargins(_EDGE, _EDGE, _EDGE, _EDGE)
        grid.setSpacing(0.0)
        grid.addItem(self.left, 0, 0)
        grid.addItem(self.box, 0, 1)
        grid.addItem(self.bottom, 1, 1)
        grid.setRowStretchFactor(0, 1)
        grid.setColumnStretchFactor(1, 1)
        whole.setLayout(grid)
        self.setCentralItem(whole)
        self._ground = GroundItem(self.box)
        self.cursor_item = CursorItem(self.box)
        self.cursor_item.hide()  # until it has a position
        self.box.sigResized.connect(self._refresh)
        BarePlot._recolor(self)  # subclasses have nothing to colour yet
        current_theme.signals.theme_changed.connect(self._recolor)

    @property
    def area(self) -> QRectF:
        """Area of the curves, in pixels of the canvas."""
        return QRectF(self.mapFromScene(self.box.sceneBoundingRect()).boundingRect())

    def _refresh(self) -> None:
        """Update the points of items and the ticks of axes for the present size."""

    def _recolor(self) -> None:
        """Apply the colours of the theme."""
        self.setBackground(current_theme.qcolor("panel"))
        for axis in (self.left, self.bottom):
            axis.setPen(pg.mkPen(None))
            axis.setTextPen(pg.mkPen(current_theme.color("quiet")))
        self._ground.update()
        self.cursor_item.update()

    def set_scale(self, scale: float) -> None:
        """Set the factor to the default size of axis numbers, as for a presentation."""
        left, bottom, margins = self._sizes
        self._whole.setContentsMargins(*(scale * margin for margin in margins))
        self.left.setWidth(round(scale * left))
        self.bottom.setHeight(round(scale * bottom))
        self.bottom.room = scale * margins[2]
        for axis in (self.left, self.bottom):
            axis.setStyle(tickFont=fonts.text(round(scale * METRICS.caption)))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        paint_together(self)

    def _axis(self, side: str, whole: Any) -> Any:
        axis: Any = _Axis(side, parent=whole)
        axis.room = float(self._sizes[2][2])
        axis.linkToView(self.box)
        axis.setZValue(0.5)  # above images, below overlays
        axis.setStyle(
            tickLength=0,
            tickFont=fonts.text(METRICS.caption),
            maxTickLevel=0,
            tickAlpha=0,
            autoExpandTextSpace=False,
            # otherwise the first and the last number are missing
            hideOverlappingLabels=_OVERHANG,
        )
        return axis


def paint_together(view: QGraphicsView) -> None:
    """Paint a view together with the others in its window."""
    window = view.window()
    gatherer = window.findChild(PaintTogether, options=Qt.FindChildOption.FindDirectChildrenOnly)
    (gatherer or PaintTogether(window)).views.add(view)


class PaintTogether(QObject):
    """Processes the changes of all plot scenes before their window is painted.

    A `QGraphicsScene` that processes its changes paints the whole window at once. With two visible plots, a tick would
    paint the window twice, rendering the 3D scene each time, and the second plot would lag.

    Parameters
    ----------
    window
        Top-level widget to paint.
    """

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self.views: WeakSet[QGraphicsView] = WeakSet()
        self._is_gathering = False
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() != QEvent.Type.UpdateRequest:
            return False
        if self._is_gathering:
            return True  # the requested update is painted shortly
        self._is_gathering = True
        try:
            for view in list(self.views):
                if isValid(view) and view.isVisible() and view.window() is watched:
                    QCoreApplication.sendPostedEvents(view.scene(), QEvent.Type.MetaCall.value)
        finally:
            self._is_gathering = False
        return False

"""A pyqtgraph plot with nothing on it that we do not put there: no menu, no buttons, no frame, no ranges of its own."""

from __future__ import annotations

from typing import Any

import pyqtgraph as pg
from PySide6.QtCore import Qt

from framescope.ui import fonts
from framescope.ui.theme import METRICS


def make_bare(plot: pg.PlotWidget, left: int, bottom: int, margins: tuple[int, int, int, int]) -> None:
    """Take from a plot what it brings along; its axes have a width of `left` and a height of `bottom`, in pixels."""
    plot.setMenuEnabled(False)
    plot.hideButtons()
    plot.setMouseEnabled(False, False)
    plot.setFrameShape(plot.Shape.NoFrame)
    plot.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    box = plot.getViewBox()
    box.disableAutoRange()
    box.setDefaultPadding(0.0)
    plot.getAxis("left").setWidth(left)
    plot.getAxis("bottom").setHeight(bottom)
    item: Any = plot.plotItem
    item.setContentsMargins(*margins)
    # pyqtgraph makes a menu even so, and without a parent: it would outlive the plot.
    item.ctrlMenu.setParent(plot, item.ctrlMenu.windowFlags())
    for name in ("left", "bottom"):
        plot.getAxis(name).setStyle(
            tickLength=0,
            tickFont=fonts.text(METRICS.caption),
            maxTickLevel=0,
            tickAlpha=0,
            autoExpandTextSpace=False,
            # Otherwise the first and the last number go missing.
            hideOverlappingLabels=False,
        )

"""Plots of a lesson's steps on the pages of its handout: curves, axes and legends as vectors."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Self

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from framescope.app.exporters.rendering.plot_pane import PlotPane
from framescope.features.lessons.app.export.drawn_steps import DrawnStep
from framescope.features.lessons.app.export.page_flow import Piece
from framescope.features.lessons.app.export.paper import COLUMN, MM
from framescope.ui.plots.plot_content import FINE, plot_contents
from framescope.ui.theme import current_theme
from framescope.ui.theme.tokens import LIGHT

PAPER = replace(LIGHT, panel="#FFFFFF")
"""Theme of plots on white paper."""

HEIGHT = 46.0 * MM
"""Height of a plot with its header, units."""

SCALE = 2.0
"""Device pixels per unit for which curves are sampled."""


class PrintedPlots:
    """Plots of all steps. Used as a context, which deletes their widgets at its end."""

    def __init__(self) -> None:
        self._panes: list[PlotPane] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for pane in self._panes:
            pane.close()

    def pieces(self, step: DrawnStep) -> list[Piece]:
        """Return the plots that a step shows, over the whole time of its scene."""
        plan = step.plan
        if not plan.scene.view.plots:
            return []
        span = (plan.start, plan.end)
        pieces = list[Piece]()
        for curves in plot_contents(plan, FINE, span, is_simulating=False):
            with current_theme.painted_in(PAPER):
                pane = PlotPane(SCALE)
                self._panes.append(pane)
                pane.set_vectors()
                pane.show(curves, span, COLUMN, HEIGHT)
                pane.set_lines(pane.header.lines_needed, pane.header.rows_needed)
            pieces.append(Piece(HEIGHT, partial(_paint, pane), 2.5 * MM))
        return pieces


def _paint(pane: PlotPane, painter: QPainter) -> None:
    painter.setClipRect(QRectF(0.0, 0.0, COLUMN, HEIGHT))
    with current_theme.painted_in(PAPER):
        pane.paint_ground(painter)

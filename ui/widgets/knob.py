"""Knob shared by sliders and the timeline."""

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QPainter, QPen

from framescope.ui.theme import current_theme, painters
from framescope.ui.theme.tokens import METRICS


def paint_knob(
    painter: QPainter, centre: QPointF, role: str, *, fill: str = "knob", halo: float = 0.0, has_focus: bool = False
) -> None:
    """Paint a knob.

    Parameters
    ----------
    role, fill : str
        Theme roles of rim and interior.
    halo : float
        Opacity of the disc around a hovered or dragged knob; 0 for none.
    has_focus : bool
        Whether to paint the ring of keyboard focus.
    """
    if halo:
        painters.fill_with(painter, role, halo)
        painter.drawEllipse(centre, METRICS.halo / 2, METRICS.halo / 2)
    radius = (METRICS.knob - METRICS.knob_rim) / 2
    painter.setPen(QPen(current_theme.qcolor(role), METRICS.knob_rim))
    painter.setBrush(current_theme.qcolor(fill))
    painter.drawEllipse(centre, radius, radius)
    if has_focus:
        painter.setPen(QPen(current_theme.qcolor("accent"), METRICS.focus))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawEllipse(centre, METRICS.halo / 2 - 1, METRICS.halo / 2 - 1)

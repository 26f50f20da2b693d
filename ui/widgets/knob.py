"""Knob of a slider and of the timeline, painted alike."""

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QPainter, QPen

from framescope.ui.theme import current_theme, painters
from framescope.ui.theme.tokens import METRICS


def paint_knob(
    painter: QPainter, centre: QPointF, role: str, *, fill: str = "knob", halo: float = 0.0, has_focus: bool = False
) -> None:
    """
    Paint a knob.

    Parameters
    ----------
    role, fill : str
        Roles of the theme for rim and inside.
    halo : float
        Opacity of the disc around a knob that is hovered over or held; none when 0.
    has_focus : bool
        Whether the ring of the keyboard goes round it.
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

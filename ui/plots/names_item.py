"""Names of curves at their right ends."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QGraphicsItem, QStyleOptionGraphicsItem, QWidget

from framescope.ui.plots.curves import Curves
from framescope.ui.plots.end_names import columns_of, place_names
from framescope.ui.plots.zoom import Range
from framescope.ui.theme import current_theme, fonts, painters
from framescope.ui.theme.tokens import METRICS

LINE = 14.0
"""Height of a name, pixels at the default size."""


@dataclass(frozen=True)
class EndName:
    """Name of a curve with its place, pixels from the top left corner of the plot, and the colour role of its text."""

    text: str
    area: QRectF
    role: str


def names_of(
    curves: Curves,
    hidden: Iterable[int],
    size: tuple[float, float],
    t_range: Range,
    y_range: Range,
    scale: float = 1.0,
) -> tuple[EndName, ...]:
    """Return the names at the ends of curves that have room in a plot.

    A single curve needs no name.

    Parameters
    ----------
    curves, hidden
        The curves, and the indices of those that are not shown.
    size
        Width and height of the plot, pixels.
    t_range, y_range
        Times and unscaled values in view.
    scale
        Factor to the default size of text.
    """
    shown = [i for i in range(len(curves.styles)) if i not in set(hidden)]
    if len(shown) < 2 or not len(curves.t) or curves.note:
        return ()
    (width, height), (start, end), (low, high) = size, t_range, y_range
    columns = columns_of(width)
    times = start + (end - start) * columns / max(width, 1.0)
    down = np.stack([np.interp(times, curves.t, curves.ys[i], left=np.nan, right=np.nan) for i in shown])
    font = fonts.text(round(scale * METRICS.caption))
    texts = [curves.styles[i].name for i in shown]
    widths = [fonts.width(font, text) + 1.0 for text in texts]
    places = place_names((high - down) / (high - low) * height, columns, widths, height, scale * LINE)
    return tuple(
        EndName(text, QRectF(*place, name_width, scale * LINE), _text_role(curves.styles[i].color))
        for i, text, name_width, place in zip(shown, texts, widths, places, strict=True)
        if place is not None
    )


def paint_names(painter: QPainter, names: Sequence[EndName], scale: float = 1.0) -> None:
    """Paint names at their places."""
    font = fonts.text(round(scale * METRICS.caption))
    for name in names:
        painters.write_in(painter, font, name.role)
        painter.drawText(name.area, int(Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextDontClip), name.text)


class NamesItem(QGraphicsItem):
    """Names painted in pixels above the curves."""

    def __init__(self, parent: QGraphicsItem) -> None:
        super().__init__(parent)
        self.names: tuple[EndName, ...] = ()
        """Current names."""
        self._scale = 1.0
        self.setZValue(900)
        self.setCacheMode(QGraphicsItem.CacheMode.DeviceCoordinateCache)

    def set_names(self, names: tuple[EndName, ...], scale: float) -> None:
        """Show other names."""
        if (names, scale) != (self.names, self._scale):
            self.prepareGeometryChange()
            self.names, self._scale = names, scale
            self.update()

    def boundingRect(self) -> QRectF:
        area = QRectF()
        for name in self.names:
            area = area.united(name.area)
        return area

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:  # noqa: ARG002
        paint_names(painter, self.names, self._scale)


def _text_role(color: str) -> str:
    """Return the role of text about a curve: the readable shade of an axis, or plain text."""
    return f"{color}_text" if hasattr(current_theme.current(), f"{color}_text") else "text"

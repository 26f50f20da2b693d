"""MIME data of signals that are dragged from the outline and the read-outs to the plots.

The data is text (JSON), and may come from another program: `plots_of` rejects everything but valid signals.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from pydantic import ValidationError
from PySide6.QtCore import QMimeData, QPoint, QRectF, QSizeF, Qt
from PySide6.QtGui import QDrag, QGuiApplication, QPen, QPixmap
from PySide6.QtWidgets import QWidget

from framescope.core.evaluation.available_signals import short_name, signals_of_item
from framescope.core.evaluation.signal_curves import describe
from framescope.core.scene.schema.model import ItemKey, Scene
from framescope.core.scene.schema.view import Plot
from framescope.ui.theme import current_theme, fonts, icons, painters
from framescope.ui.theme.tokens import METRICS

MIME = "application/x-framescope-signals"

MAX_BYTES, MAX_PLOTS = 1 << 16, 64
"""Limits of dragged data, bytes and signals, above which it does not come from a user's drag."""


def mime_of(plots: Sequence[Plot]) -> QMimeData:
    """Return signals as drag data, and as text for other programs.

    Signals of one item are alternatives, the most informative first: dropped on a plot, the first that fits joins it.
    """
    data = QMimeData()
    carried = [plot.model_dump(mode="json", exclude_unset=True) for plot in plots]
    data.setData(MIME, json.dumps(carried).encode())
    data.setText("\n".join(describe(plot) for plot in plots))
    return data


def plots_of(data: QMimeData) -> tuple[Plot, ...]:
    """Return the signals of drag data; none if it holds anything else or anything invalid."""
    if not data.hasFormat(MIME):
        return ()
    raw = bytes(data.data(MIME).data())
    try:
        carried: Any = json.loads(raw) if len(raw) <= MAX_BYTES else ()
        if not isinstance(carried, list) or len(carried) > MAX_PLOTS:
            return ()
        return tuple(Plot.model_validate(item) for item in carried)
    except (ValueError, RecursionError, ValidationError):
        return ()


def mime_for_item(scene: Scene, key: ItemKey) -> QMimeData | None:
    """Return the drag data of an item of the outline: its signals. None if it has none."""
    plots = signals_of_item(scene, *key)
    return mime_of(plots) if plots else None


def start_drag(widget: QWidget, plots: Sequence[Plot], label: str = "") -> None:
    """Drag signals from a widget; returns at the end of the drag."""
    if not plots:
        return
    drag = QDrag(widget)
    drag.setMimeData(mime_of(plots))
    picture = pill(label or short_name(plots[0]))
    drag.setPixmap(picture)
    # Beside the pointer, so that the target stays visible.
    drag.setHotSpot(QPoint(-METRICS.gap, -METRICS.gap))
    drag.exec(Qt.DropAction.CopyAction)


def pill(label: str) -> QPixmap:
    """Return the drag picture: the name in a frame of the accent colour."""
    ratio = max((screen.devicePixelRatio() for screen in QGuiApplication.screens()), default=1.0)
    font = fonts.text(METRICS.base, 500)
    icon, gap = METRICS.row_icon, METRICS.gap
    size = QSizeF(round(fonts.width(font, label)) + icon + 3.5 * gap, METRICS.button)
    picture = QPixmap((size * ratio).toSize())
    picture.setDevicePixelRatio(ratio)
    picture.fill(Qt.GlobalColor.transparent)
    painter = painters.smooth(picture)
    painter.setPen(QPen(current_theme.qcolor("accent"), 1.5))
    painter.setBrush(current_theme.qcolor("raised"))
    area = QRectF(0.75, 0.75, size.width() - 1.5, size.height() - 1.5)
    painter.drawRoundedRect(area, METRICS.field_radius, METRICS.field_radius)
    painter.drawPixmap(gap, round((size.height() - icon) / 2), icons.pixmap("plus", "text", icon, ratio))
    painters.write_in(painter, font, "text")
    left = icon + 1.75 * gap
    painter.drawText(QRectF(left, 0, size.width() - left, size.height()), Qt.AlignmentFlag.AlignVCenter, label)
    painter.end()
    return picture

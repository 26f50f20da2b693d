"""Pictures of panels, such as a laboratory, that follow a frame over time: for films, which show them as insets.

Features list their panels under `film_panels`. A panel is a widget that the window has, too, without its controls.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from PIL import Image
from PySide6.QtCore import QCoreApplication, QEvent, QPoint, QRectF, Qt
from PySide6.QtGui import QImage, QPainter, QPainterPath
from PySide6.QtWidgets import QScrollArea, QWidget
from shiboken6 import isValid

from framescope.app.exporters.errors import ExportError
from framescope.core.evaluation.evaluate import Plan, evaluate
from framescope.core.snapshot import Snapshot
from framescope.core.system.features import film_panels, load_entry, missing_film_panel
from framescope.ui.qt_support.qt_host import no_offscreen_warning, on_qt
from framescope.ui.theme import current_theme
from framescope.ui.theme.tokens import METRICS, Theme
from framescope.ui.widgets import layouts
from framescope.ui.widgets.angle_unit import AngleUnit
from framescope.ui.widgets.buttons import IconButton

ZOOMS = (2.5, 2.25, 2.0, 1.75, 1.5, 1.25, 1.0)
"""Enlargements to try for a panel that fills the picture."""

TRIED_TIMES = 5
"""Number of times at which the height of a panel is measured."""

LAYOUT_PASSES = 3
"""Number of passes after which nested layouts are at rest."""

LEAST_WIDTH, MOST_WIDTH = 340.0, 480.0
"""Smallest and largest width of a panel over a scene, logical pixels; a wider one has larger texts."""

Size = tuple[int, int]


@dataclass(frozen=True, eq=False)
class FilmPanel:
    """Panel that follows a frame.

    Attributes
    ----------
    widget
        The panel, with its plan and its frame.
    show
        Function that shows the snapshot of a time.
    controls
        Parts that are not drawn, as nobody can use them in a film.
    set_angle_unit
        Function that takes "deg" or "rad".
    height
        Height of a panel that can have any, logical pixels; 0: it needs the height of its content.
    """

    widget: QWidget
    show: Callable[[Snapshot], None]
    controls: Sequence[QWidget] = ()
    set_angle_unit: Callable[[str], None] = lambda _unit: None
    height: int = 0


class PanelPictures:
    """Drawer of the pictures of a panel.

    Parameters
    ----------
    plan, name, frame
        The scene, the name of the panel, and the frame that it follows.
    width, room
        Width of the picture, and the largest size, pixels. A width of None fills the room.
    theme, scale, angles
        Colours, device pixels per logical pixel, and unit of angles.
    """

    def __init__(
        self, plan: Plan, name: str, frame: str, width: int | None, room: Size, *, theme: Theme, scale: float,
        angles: AngleUnit,
    ) -> None:  # fmt: skip
        entry = film_panels().get(name)
        if entry is None:
            raise ExportError(missing_film_panel(name) or f"panel: there is no panel {name}.")
        self._plan, self._theme, self._angles = plan, theme, angles
        self._make: Callable[[Plan, str], FilmPanel] = load_entry(entry)
        self._host: QWidget | None = None
        self._panel: FilmPanel | None = None
        self._zoom = scale
        self._is_whole = width is None
        self.size: Size = room
        """Width and height of the pictures, pixels."""
        on_qt(lambda: self._build(frame, width, room))

    def picture(self, t: float) -> Image.Image:
        """Return the panel at a time of the scene, s, on an opaque plate with rounded corners."""
        return on_qt(lambda: self._paint(t))

    def close(self) -> None:
        """Delete the widgets; nothing is left to delete when the program has ended before the film."""
        host = self._host
        if host is not None and isValid(host):
            on_qt(host.deleteLater)
        self._host = self._panel = None

    def _build(self, frame: str, width: int | None, room: Size) -> None:
        with current_theme.painted_in(self._theme):
            host = QWidget()
            host.setAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen)
            current_theme.dress(host, self._theme)
            panel = self._make(self._plan, frame)
            layouts.lay_ground(host)
            layouts.column((panel.widget, 1), on=host, margins=0)
            for area in host.findChildren(QScrollArea):
                area.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
                area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
            panel.set_angle_unit(self._angles.key)
            self._host, self._panel = host, panel
            host.resize(round(LEAST_WIDTH), 600)
            with no_offscreen_warning():
                host.show()
            self._show(self._plan.start)
            if width is None:
                self._fill(room)
            else:
                self._fit(width, room)

    def _fit(self, width: int, room: Size) -> None:
        """Give the panel a width, pixels, and the height that it needs; smaller if the room is too low."""
        logical = min(max(width / self._zoom, LEAST_WIDTH), MOST_WIDTH)
        self._zoom = width / logical
        height = self._needed_height(round(logical))
        self._zoom *= min(1.0, room[1] / (height * self._zoom))
        self._resize(round(logical), height)

    def _fill(self, room: Size) -> None:
        """Fill a room, pixels, with the largest texts with which everything fits."""
        scale = self._zoom
        for zoom in ZOOMS:
            self._zoom = zoom * scale
            width, height = (side / self._zoom for side in room)
            if width >= LEAST_WIDTH and self._needed_height(round(width)) <= height:
                break
        else:
            width = max(room[0] / scale, LEAST_WIDTH)
            self._zoom = min(room[0] / width, room[1] / self._needed_height(round(width)))
            width, height = (side / self._zoom for side in room)
        self._resize(round(width), round(height))
        self.size = room

    def _resize(self, width: int, height: int) -> None:
        if self._host is not None:
            self._host.resize(width, height)
            self._settle()
        self.size = max(round(width * self._zoom), 1), max(round(height * self._zoom), 1)

    def _needed_height(self, width: int) -> int:
        """Return the height at which the panel shows all its content without scrolling, logical pixels."""
        host, panel = self._host, self._panel
        if host is None or panel is None:
            return 1
        if panel.height:
            return panel.height
        host.resize(width, max(host.height(), 10))
        needed = 1
        for t in np.linspace(self._plan.start, self._plan.end, TRIED_TIMES):  # its sentences have no constant length
            self._show(float(t))
            contents = [area.widget() for area in host.findChildren(QScrollArea) if area.isVisible()]
            heights = [_height_of(content, width) for content in contents if content is not None]
            needed = max(needed, *heights) if heights else max(needed, host.sizeHint().height())
        return needed

    def _show(self, t: float) -> None:
        panel = self._panel
        if panel is None or self._host is None:
            return
        panel.show(evaluate(self._plan, t))
        for control in (*panel.controls, *panel.widget.findChildren(IconButton)):
            control.hide()
        self._settle()

    def _settle(self) -> None:
        """Lay out the panel and all in it; sentences that wrap ask for it again with their new height."""
        for _ in range(LAYOUT_PASSES):
            QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest.value)
            if self._host is not None:
                layouts.settle(self._host)

    def _paint(self, t: float) -> Image.Image:
        image = QImage(*self.size, QImage.Format.Format_RGBA8888)
        image.fill(0)
        host = self._host
        with current_theme.painted_in(self._theme):
            self._show(t)
            painter = QPainter(image)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            if not self._is_whole:
                path = QPainterPath()
                radius = METRICS.card_radius * self._zoom
                path.addRoundedRect(QRectF(0.0, 0.0, *self.size), radius, radius)
                painter.setClipPath(path)
            painter.fillRect(image.rect(), current_theme.qcolor("panel"))
            painter.scale(self._zoom, self._zoom)
            if host is not None:
                host.render(painter, QPoint(), renderFlags=QWidget.RenderFlag.DrawChildren)
            painter.end()
        return Image.frombytes("RGBA", self.size, bytes(image.constBits()), "raw", "RGBA", image.bytesPerLine())


def _height_of(content: QWidget, width: int) -> int:
    layout = content.layout()
    if layout is not None and layout.hasHeightForWidth():
        return max(layout.totalHeightForWidth(width), 1)
    return max(content.sizeHint().height(), 1)


def readouts(plan: Plan, frame: str) -> FilmPanel:
    """Return the read-outs of a frame: its pose in its parent and its motion in world."""
    from framescope.ui.panels.relation.readouts_panel import ReadOuts

    panel = ReadOuts()
    panel.set_plan(plan)
    panel.set_frame(frame)
    for button in (panel.hold_button, panel.add_button):
        button.setParent(panel)
        button.hide()
    return FilmPanel(panel, panel.show_snapshot, set_angle_unit=panel.set_angle_unit)

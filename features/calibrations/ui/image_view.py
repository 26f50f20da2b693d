"""The image of a camera with the frames that it sees: origins, short axes, names, and arrows to those outside."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QHelpEvent,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPolygonF,
)
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from framescope.core.evaluation.frame_cameras import FrameCamera
from framescope.features.calibrations.core.seen_frames import SeenFrames, heading_of
from framescope.ui.formatting.literal_text import literal_text
from framescope.ui.theme import current_theme, fonts, painters
from framescope.ui.theme.tokens import METRICS

MARGIN = 18.0
"""Room around the image for the arrows to frames outside it, logical pixels."""

AXIS = 26.0
"""Length of an axis that faces the camera, logical pixels."""

DOT, RING, HEAD = 3.0, 7.5, 5.0
"""Radius of an origin, of the outline of the selected one, and length of the head of an axis, logical pixels."""

USUAL_WIDTH = 300
"""Usual width of the widget, logical pixels."""

TALLEST = 1.2
"""Largest height of the image, in widths of the widget."""

NEAR = 14.0
"""Distance from an origin within which a click selects its frame, logical pixels."""

MOST_NAMES, MOST_OUTSIDE = 40, 40
"""Largest number of names in the image, and of arrows to frames outside it."""

RIM = 0.7
"""Opacity of the rim that separates lines and names from a picture."""


class ImageView(QWidget):
    """Drawing of the image of a camera. A click or the arrow keys select a frame in it.

    Signals
    -------
    picked(str)
        The user selected a frame.
    """

    picked = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.camera: FrameCamera | None = None
        self.seen: SeenFrames | None = None
        """Frames of the present moment; None while the camera has no pose."""
        self.selected = ""
        self._picture: QImage | None = None
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        current_theme.signals.theme_changed.connect(self.update)

    def set_camera(self, camera: FrameCamera | None, picture: NDArray[np.uint8] | None) -> None:
        """Show the image of another camera, with its picture (h, w, 3) behind."""
        self.camera, self.seen = camera, None
        self._picture = None
        if picture is not None:
            height, width, _ = picture.shape
            pixels = np.ascontiguousarray(picture)
            self._picture = QImage(pixels.data, width, height, 3 * width, QImage.Format.Format_RGB888).copy()
        self._describe()
        self.updateGeometry()
        self.update()

    def show_seen(self, seen: SeenFrames | None) -> None:
        """Show the frames of another moment; None where the camera has no pose."""
        self.seen = seen
        self._describe()
        self.update()

    def set_selected(self, name: str) -> None:
        """Outline another frame."""
        if name != self.selected:
            self.selected = name
            self._describe()
            self.update()

    @property
    def axis_px(self) -> float:
        """Length of the drawn axes in pixels of the image."""
        return AXIS * self._scale / self.pixel_size if self.camera is not None else AXIS

    def heightForWidth(self, width: int) -> int:
        """Return the height at which the image has the whole width; an upright image may be narrower."""
        margin = 2.0 * MARGIN * self._scale
        aspect = 0.75 if self.camera is None else self.camera.resolution[1] / self.camera.resolution[0]
        return round((width - margin) * min(aspect, TALLEST) + margin)

    def sizeHint(self) -> QSize:
        return QSize(USUAL_WIDTH, self.heightForWidth(USUAL_WIDTH))

    def minimumSizeHint(self) -> QSize:
        return QSize(160, 140)

    # --- Places

    @property
    def _scale(self) -> float:
        """Size of texts and marks as a multiple of the usual one, as in a presentation."""
        return max(self.font().pixelSize() / METRICS.base, 1.0)

    @property
    def pixel_size(self) -> float:
        """Size of a pixel of the image, logical pixels."""
        if self.camera is None:
            return 1.0
        margin, (width, height) = 2.0 * MARGIN * self._scale, self.camera.resolution
        return max(min((self.width() - margin) / width, (self.height() - margin) / height), 1e-6)

    @property
    def image_area(self) -> QRectF:
        """Rectangle of the image in the widget."""
        if self.camera is None:
            return QRectF()
        width, height = (self.pixel_size * n for n in self.camera.resolution)
        return QRectF(0.5 * (self.width() - width), 0.5 * (self.height() - height), width, height)

    def place_of(self, pixel: NDArray[np.float64]) -> QPointF:
        """Return the place of a pixel in the widget."""
        area, size = self.image_area, self.pixel_size
        return QPointF(area.x() + (float(pixel[0]) + 0.5) * size, area.y() + (float(pixel[1]) + 0.5) * size)

    def name_at(self, at: QPointF) -> str:
        """Return the frame whose origin is nearest to a place in the widget; empty if none is near."""
        near: list[tuple[float, str]] = []
        for i in self._in_image():
            apart = self.place_of(self._seen.pixels[i]) - at
            near.append((math.hypot(apart.x(), apart.y()), self._seen.names[i]))
        distance, name = min(near, default=(math.inf, ""))
        return name if distance <= NEAR * self._scale else ""

    @property
    def _seen(self) -> SeenFrames:
        assert self.seen is not None  # noqa: S101 - callers have looked
        return self.seen

    def _in_image(self) -> list[int]:
        return [] if self.seen is None else np.flatnonzero(self.seen.is_in_image).tolist()

    def _describe(self) -> None:
        """Set the texts for screen readers, if they have changed."""
        name = "no camera" if self.camera is None else f"image of {self.camera.frame}"
        if self.camera is not None and self.seen is None:
            text = f"{self.camera.frame} has no pose now"
        else:
            names = [self._seen.names[i] for i in self._in_image()]
            text = f"in the image: {', '.join(names)}" if names else "no frame in the image"
        for old, new, set_text in (
            (self.accessibleName(), name, self.setAccessibleName),
            (self.accessibleDescription(), text, self.setAccessibleDescription),
        ):
            if old != new:
                set_text(new)

    # --- Mouse and keyboard

    def mousePressEvent(self, event: QMouseEvent) -> None:
        name = self.name_at(event.position()) if event.button() == Qt.MouseButton.LeftButton else ""
        if name:
            self.picked.emit(name)
        else:
            super().mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        is_over = bool(self.name_at(event.position()))
        self.setCursor(Qt.CursorShape.PointingHandCursor if is_over else Qt.CursorShape.ArrowCursor)

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            name = self.name_at(QPointF(event.pos()))
            if name:
                u, v = self._seen.pixel(name)
                QToolTip.showText(event.globalPos(), literal_text(f"{name}: pixel {u:.1f}, {v:.1f}"), self)
            else:
                QToolTip.hideText()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {Qt.Key.Key_Right: 1, Qt.Key.Key_Down: 1, Qt.Key.Key_Left: -1, Qt.Key.Key_Up: -1}
        step = steps.get(Qt.Key(event.key()))
        rows = sorted(self._in_image(), key=lambda i: tuple(self._seen.pixels[i].tolist()))
        names = [self._seen.names[i] for i in rows]
        if step is None or not names:
            super().keyPressEvent(event)
        elif self.selected in names:
            self.picked.emit(names[(names.index(self.selected) + step) % len(names)])
        else:
            self.picked.emit(names[0 if step > 0 else -1])

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.update()

    # --- Painting

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        camera = self.camera
        if camera is None:
            return
        painter = painters.smooth(self)
        area = self.image_area
        self._paint_ground(painter, area, camera)
        if self.seen is None:
            painters.write_in(painter, fonts.text(round(METRICS.secondary * self._scale)), "quiet")
            painter.drawText(area, Qt.AlignmentFlag.AlignCenter, f"{camera.frame} has no pose now")
            return
        # The nearest last, and the selected one in front of all.
        rows = sorted(self._in_image(), key=lambda i: (self._seen.names[i] == self.selected, -i))
        painter.setClipRect(area)
        for i in rows:
            self._paint_axes(painter, i)
        taken: list[QRectF] = [self._mark_area(i) for i in rows]
        for i in rows:
            self._paint_origin(painter, i)
        painter.setClipping(False)
        self._paint_outside(painter, area, camera, taken)
        self._paint_names(painter, area, rows, taken)

    def _paint_ground(self, painter: QPainter, area: QRectF, camera: FrameCamera) -> None:
        if self._picture is not None:
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            painter.drawImage(area, self._picture)
        else:
            painters.fill_with(painter, "plot_ground")
            painter.drawRect(area)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(current_theme.qcolor("accent" if self.hasFocus() else "field_border"), 1.0))
        painter.drawRect(area.adjusted(-0.5, -0.5, 0.5, 0.5))
        at = self.place_of(np.array(camera.model.principal_point))
        if not area.contains(at):
            return
        painter.setPen(QPen(current_theme.qcolor("quiet", 0.8), 1.0))
        for x, y in ((1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)):
            painter.drawLine(at + QPointF(2.0 * x, 2.0 * y), at + QPointF(6.0 * x, 6.0 * y))

    def _paint_axes(self, painter: QPainter, i: int) -> None:
        """Paint the short axes of a frame, each with a head."""
        start = self.place_of(self._seen.pixels[i])
        for k, end_pixel in enumerate(self._seen.axes[i]):
            if not np.isfinite(end_pixel).all():
                continue
            end = self.place_of(end_pixel)
            v = end - start
            length = math.hypot(v.x(), v.y())
            if length > 4.0 * AXIS * self._scale:  # close to the lens
                end, length = start + v * (4.0 * AXIS * self._scale / length), 4.0 * AXIS * self._scale
            role = f"axis_{'xyz'[k]}"
            if self._picture is not None:
                painter.setPen(QPen(current_theme.qcolor("plot_ground", RIM), 4.0))
                painter.drawLine(start, end)
            painter.setPen(QPen(current_theme.qcolor(role), 2.0))
            painter.drawLine(start, end)
            if length > 2.0 * HEAD:
                painters.fill_with(painter, role)
                painter.drawPolygon(_head(end, v, HEAD))

    def _paint_origin(self, painter: QPainter, i: int) -> None:
        at = self.place_of(self._seen.pixels[i])
        painter.setPen(QPen(current_theme.qcolor("plot_ground", RIM), 1.5))
        painter.setBrush(current_theme.qcolor("text"))
        painter.drawEllipse(at, DOT, DOT)
        if self._seen.names[i] == self.selected:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            for role, width in (("plot_ground", 4.0), ("text", 1.6)):
                painter.setPen(QPen(current_theme.qcolor(role, RIM if role == "plot_ground" else 1.0), width))
                painter.drawEllipse(at, RING, RING)

    def _paint_names(self, painter: QPainter, area: QRectF, rows: list[int], taken: list[QRectF]) -> None:
        """Write the names beside the origins, where they cover neither each other nor an origin."""
        font = fonts.text(round(METRICS.caption * self._scale), 500)
        for i in rows[::-1][:MOST_NAMES]:
            name = self._seen.names[i]
            width = fonts.width(font, name) + 6.0
            place = self._free_place(self.place_of(self._seen.pixels[i]), width, area, taken)
            if place is None and name == self.selected:
                place = next(self._places(self.place_of(self._seen.pixels[i]), width))
            if place is not None:
                taken.append(place)
                self._write_name(painter, place, name)

    def _write_name(self, painter: QPainter, place: QRectF, name: str) -> None:
        painters.fill_with(painter, "panel", 0.82)
        painter.drawRoundedRect(place, 3.0, 3.0)
        is_selected = name == self.selected
        painters.write_in(
            painter, fonts.text(round(METRICS.caption * self._scale), 500), "text" if is_selected else "quiet"
        )
        painter.drawText(place, Qt.AlignmentFlag.AlignCenter, name)

    def _free_place(self, at: QPointF, width: float, area: QRectF, taken: list[QRectF]) -> QRectF | None:
        """Return a place for a name of a width beside an origin; None without one."""
        for place in self._places(at, width):
            if area.contains(place) and not any(place.intersects(other) for other in taken):
                return place
        return None

    def _places(self, at: QPointF, width: float) -> Iterator[QRectF]:
        height, off = 15.0 * self._scale, 9.0
        yield QRectF(at.x() + off, at.y() - 0.5 * height, width, height)
        yield QRectF(at.x() - off - width, at.y() - 0.5 * height, width, height)
        yield QRectF(at.x() - 0.5 * width, at.y() - off - height, width, height)
        yield QRectF(at.x() - 0.5 * width, at.y() + off, width, height)

    def _mark_area(self, i: int) -> QRectF:
        at = self.place_of(self._seen.pixels[i])
        return QRectF(at.x() - 5.0, at.y() - 5.0, 10.0, 10.0)

    def _paint_outside(self, painter: QPainter, area: QRectF, camera: FrameCamera, taken: list[QRectF]) -> None:
        """Paint arrows at the border to the frames outside the image, with the name of the selected one."""
        seen = self._seen
        outside = [i for i in np.flatnonzero(~seen.is_in_image).tolist() if np.isfinite(seen.p_C[i]).all()]
        outside.sort(key=lambda i: seen.names[i] != self.selected)
        for i in reversed(outside[:MOST_OUTSIDE]):
            is_selected = seen.names[i] == self.selected
            x, y = heading_of(camera, seen.p_C[i], seen.pixels[i]).tolist()
            reach = min(0.5 * area.width() / abs(x) if x else math.inf, 0.5 * area.height() / abs(y) if y else math.inf)
            at = area.center() + QPointF(x, y) * reach
            is_behind = not seen.p_C[i, 2] > 0.0
            painters.fill_with(painter, "text" if is_selected else "quiet", 1.0 if is_selected else 0.75)
            if is_behind:  # an outline alone
                painter.setPen(painter.brush().color())
                painter.setBrush(Qt.BrushStyle.NoBrush)
            size = 9.0 if is_selected else 6.5
            painter.drawPolygon(_head(at + QPointF(x, y) * (size + 3.0), QPointF(x, y), size))
            if is_selected:
                self._name_outside(painter, at, area, seen.names[i], taken)

    def _name_outside(self, painter: QPainter, at: QPointF, area: QRectF, name: str, taken: list[QRectF]) -> None:
        """Write the name of the selected frame beside its arrow, within the image."""
        width = fonts.width(fonts.text(round(METRICS.caption * self._scale), 500), name) + 6.0
        height = 15.0 * self._scale
        x = min(max(at.x() - 0.5 * width, area.left() + 3.0), area.right() - width - 3.0)
        y = min(max(at.y() - 0.5 * height, area.top() + 3.0), area.bottom() - height - 3.0)
        place = QRectF(x, y, width, height)
        taken.append(place)
        self._write_name(painter, place, name)


def _head(tip: QPointF, along: QPointF, size: float) -> QPolygonF:
    """Return the triangle of the head of an arrow."""
    length = math.hypot(along.x(), along.y()) or 1.0
    unit = along / length
    across = QPointF(-unit.y(), unit.x())
    back = tip - unit * size
    return QPolygonF([tip, back + across * (0.55 * size), back - across * (0.55 * size)])

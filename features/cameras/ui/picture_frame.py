"""Frame around the picture of a camera: title with buttons, border, horizon and the direction upward.

The widget covers the rectangle of the picture in the scene view and takes the mouse there. The picture itself is drawn
by the view below it.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Literal

from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QPolygonF, QWheelEvent
from PySide6.QtWidgets import QApplication, QWidget

from framescope.core.kernels.validation import Array
from framescope.features.cameras.core.looking_through import Eye, description, horizon, up_in_image
from framescope.features.cameras.ui.picture_place import TITLE, Corner, PicturePlace, box_of, resized
from framescope.ui.theme import current_theme, fonts, painters
from framescope.ui.theme.tokens import METRICS
from framescope.ui.widgets import layouts
from framescope.ui.widgets.buttons import IconButton
from framescope.ui.widgets.elided_label import ElidedLabel

GRIP = 12
"""Side of the square in the inner upper corner that resizes the picture, logical pixels."""

EDGE = 4
"""Width of the edges that resize the picture, logical pixels."""

RADIUS = 15.0
"""Radius of the disc with the arrow upward, logical pixels."""

ALONG_VIEW = 0.25
"""Length of world-up in the image below which the arrow is a dot, as it points along the view."""

KEY_STEP = 1.15
"""Factor of the width for one key press."""

Drag = Literal["", "size", "title"]


class PictureFrame(QWidget):
    """Frame of one picture, in a scene view.

    Signals
    -------
    closed()
        The user has closed the picture.
    placed()
        The frame has moved or changed its size.
    """

    closed = Signal()
    placed = Signal()

    def __init__(self, view: QWidget, eye: Eye, place: PicturePlace) -> None:
        super().__init__(view)
        self._view = view
        self.place = place
        """Where the user wants the picture."""
        self.eye = eye
        self._title_height = TITLE
        self._below: dict[Corner, float] = {"left": 0.0, "right": 0.0}
        self.R_WE: Array | None = None
        self._drag: Drag = ""
        self._pressed_at = QPoint()
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(f"picture that {eye.name} sees")
        self.setAccessibleDescription(
            "Enter: full size and back. Plus, minus: size. Left, right: corner. Escape: close"
        )
        self.title = ElidedLabel(f"{eye.name} sees", elide=Qt.TextElideMode.ElideMiddle)
        self.title.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        size = METRICS.small_button
        self.full = IconButton("scan", "Full size and back (double click)", size=size, icon_size=METRICS.row_icon)
        self.close_button = IconButton("x", "Close the picture (Escape)", size=size, icon_size=METRICS.row_icon)
        self.full.clicked.connect(self.toggle_full)
        self.close_button.clicked.connect(self.closed)
        for button in (self.full, self.close_button):
            button.setCursor(Qt.CursorShape.ArrowCursor)
        self._bar = QWidget(self)
        self._bar.setMouseTracking(True)
        layouts.row(
            (self.title, 1),
            self.full,
            self.close_button,
            on=self._bar,
            margins=(GRIP + METRICS.inner, 1, GRIP, 1),
            spacing=0,
        )
        self._bar.setToolTip(description(eye))
        self.fit()
        self.show()

    # Content

    def set_eye(self, eye: Eye) -> None:
        """Show another field of view of the same frame."""
        self.eye = eye
        self.title.setText(f"{eye.name} sees")
        self.setAccessibleName(f"picture that {eye.name} sees")
        self._bar.setToolTip(description(eye))
        self.fit()

    def show_pose(self, R_WE: Array | None) -> None:
        """Show the orientation of the eye in the world; None without a pose. The view repaints the frame anyway."""
        self.R_WE = R_WE

    @property
    def picture(self) -> QRect:
        """Rectangle of the picture in the view, logical pixels."""
        return self.geometry().adjusted(1, self._title_height, -1, -1)

    # Place

    def fit(self) -> None:
        """Move to the place that the user wants, as far as the view has room."""
        box = box_of(self.place, self.eye.aspect, self._view_size, self._below[self.place.corner], self._title_height)
        self.setGeometry(box.x, box.y, box.width, box.height)
        self._bar.setGeometry(1, 1, box.width - 2, self._title_height - 1)
        self.placed.emit()

    def set_scale(self, scale: float) -> None:
        """Set the factor of the size of title and buttons, for presentations; `fit` applies it to the place."""
        if round(scale * TITLE) == self._title_height:
            return
        self._title_height = round(scale * TITLE)
        self.title.setStyleSheet(f"font-size: {round(scale * METRICS.base)}px;" if scale != 1.0 else "")
        for button in (self.full, self.close_button):
            button.set_scale(scale)

    def set_heights_below(self, left: float, right: float) -> None:
        """Set the heights of the texts in the lower corners of the view, logical pixels."""
        self._below = {"left": left, "right": right}
        self.fit()

    def set_place(self, place: PicturePlace) -> None:
        """Move to another place."""
        self.place = place
        self.fit()

    def toggle_full(self) -> None:
        """Switch between full size and the corner."""
        self.set_place(replace(self.place, is_full=not self.place.is_full))

    @property
    def _view_size(self) -> tuple[int, int]:
        return self._view.width(), self._view.height()

    # Mouse

    def mousePressEvent(self, event: QMouseEvent) -> None:
        event.accept()
        if event.button() == Qt.MouseButton.LeftButton:
            self._pressed_at = event.position().toPoint()
            self._drag = self._drag_at(self._pressed_at)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        event.accept()
        at = event.position().toPoint()
        if not event.buttons():
            self._show_cursor(self._drag_at(at))
            return
        at_view = self.mapToParent(at)
        if self._drag == "size":
            right, left = self.geometry().right(), self.geometry().left()
            if self.place.is_full:
                centre = self._view_size[0] / 2
                width = 2.0 * abs(centre - at_view.x())
            else:
                width = float(right - at_view.x() if self.place.corner == "right" else at_view.x() - left)
            self.set_place(resized(self.place, width, self.eye.aspect, self._view_size, self._title_height))
        elif self._drag == "title" and not self.place.is_full:
            if (at - self._pressed_at).manhattanLength() < QApplication.startDragDistance():
                return
            corner = "left" if at_view.x() < self._view_size[0] / 2 else "right"
            if corner != self.place.corner:
                self.set_place(replace(self.place, corner=corner))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        event.accept()
        self._drag = ""

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        event.accept()
        if event.button() == Qt.MouseButton.LeftButton:
            self.toggle_full()

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.accept()  # the main picture does not zoom

    def _drag_at(self, at: QPoint) -> Drag:
        """Return the effect of a drag that starts at a point of the frame."""
        is_right = self.place.corner == "right"
        from_inner = at.x() if is_right or self.place.is_full else self.width() - 1 - at.x()
        if from_inner < EDGE or at.y() < EDGE or (from_inner < GRIP and at.y() < GRIP):
            return "size"
        return "title" if at.y() < self._title_height else ""

    def _show_cursor(self, drag: Drag) -> None:
        is_right = self.place.corner == "right" or self.place.is_full
        diagonal = Qt.CursorShape.SizeFDiagCursor if is_right else Qt.CursorShape.SizeBDiagCursor
        self.setCursor({"size": diagonal, "title": Qt.CursorShape.SizeHorCursor}.get(drag, Qt.CursorShape.ArrowCursor))

    # Keyboard

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        width = float(self.width())
        if key == Qt.Key.Key_Escape:
            self.closed.emit()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.toggle_full()
        elif key in (Qt.Key.Key_Plus, Qt.Key.Key_Equal):
            self.set_place(resized(self.place, width * KEY_STEP, self.eye.aspect, self._view_size, self._title_height))
        elif key == Qt.Key.Key_Minus:
            self.set_place(resized(self.place, width / KEY_STEP, self.eye.aspect, self._view_size, self._title_height))
        elif key in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            self.set_place(replace(self.place, corner="left" if key == Qt.Key.Key_Left else "right"))
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.update()

    # Painting

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        painter = painters.smooth(self)
        painters.fill_with(painter, "panel")
        painter.drawRect(0, 0, self.width(), self._title_height)
        picture = QRectF(self.rect().adjusted(1, self._title_height, -1, -1))
        if self.R_WE is None:
            self._paint_message(painter, picture)
        else:
            painter.setClipRect(picture)
            self._paint_horizon(painter, picture, self.R_WE)
            self._paint_up(painter, picture, self.R_WE)
            painter.setClipping(False)
        self._paint_grip(painter)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(current_theme.qcolor("accent" if self.hasFocus() else "field_border"), 1.0))
        painter.drawRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5))

    def _paint_message(self, painter: QPainter, picture: QRectF) -> None:
        painters.fill_with(painter, "scene_bottom")
        painter.drawRect(picture)
        painters.write_in(painter, fonts.text(METRICS.secondary), "quiet")
        painter.drawText(picture, Qt.AlignmentFlag.AlignCenter, f"{self.eye.frame} has no pose now")

    def _paint_horizon(self, painter: QPainter, picture: QRectF, R_WE: Array) -> None:
        line = horizon(R_WE, self.eye.view_angle, self.eye.aspect, self.eye.center)
        if line is None:
            return
        painter.setPen(QPen(current_theme.qcolor("quiet", 0.75), 1.0, Qt.PenStyle.DashLine))
        start, end = (QPointF(picture.x() + x * picture.width(), picture.y() + y * picture.height()) for x, y in line)
        painter.drawLine(start, end)

    def _paint_up(self, painter: QPainter, picture: QRectF, R_WE: Array) -> None:
        """Paint a small disc with an arrow to where the world's z axis points in the image."""
        if picture.width() < 4 * RADIUS or picture.height() < 4 * RADIUS:
            return
        centre = QPointF(picture.left() + RADIUS + METRICS.gap, picture.bottom() - RADIUS - METRICS.gap)
        painters.fill_with(painter, "panel", 0.8)
        painter.drawEllipse(centre, RADIUS, RADIUS)
        x, y = up_in_image(R_WE)
        length = math.hypot(x, y)
        up, reach = QPointF(x, y), RADIUS - 4.0
        tip = centre + up * reach
        painter.setPen(QPen(current_theme.qcolor("axis_z"), 2.0))
        painter.drawLine(centre - up * (0.5 * reach), tip)
        painters.fill_with(painter, "axis_z")
        if length < ALONG_VIEW:
            painter.drawEllipse(centre, 3.0, 3.0)
            return
        along, across = up / length, QPointF(-y, x) / length
        back = tip - along * 4.5
        painter.drawPolygon(QPolygonF([tip + along * 2.0, back + across * 4.0, back - across * 4.0]))

    def _paint_grip(self, painter: QPainter) -> None:
        """Paint two short lines in the corner that resizes."""
        is_right = self.place.corner == "right" or self.place.is_full
        painter.setPen(QPen(current_theme.qcolor("quiet"), 1.0))
        for reach in (5.0, 9.0):
            corner = (3.0, 3.0 + reach, 3.0 + reach, 3.0)
            x0, y0, x1, y1 = corner if is_right else (self.width() - 3.0, 3.0 + reach, self.width() - 3.0 - reach, 3.0)
            painter.drawLine(QPointF(x0, y0), QPointF(x1, y1))

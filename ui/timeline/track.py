"""Track of the timeline: elapsed time, ticks with their times, markers, and a knob to scrub with."""

import math

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QFocusEvent,
    QGuiApplication,
    QHelpEvent,
    QHideEvent,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPolygonF,
    QResizeEvent,
)
from PySide6.QtWidgets import QMenu, QSizePolicy, QToolTip, QWidget

from framescope.ui.formatting import number_text
from framescope.ui.formatting.ticks import Ticks, nice_step, ticks
from framescope.ui.theme import current_theme, fonts, painters
from framescope.ui.theme.tokens import METRICS
from framescope.ui.timeline.markers import Marker, between_neighbours, keys_text, next_marker, paint_marker, same_marker
from framescope.ui.timeline.strip import Strip, colors_of_pixels
from framescope.ui.widgets.knob import paint_knob
from framescope.ui.widgets.step_sizes import fineness

_INSET = METRICS.halo / 2
TRACK_Y = 18.0
MARKER_Y = 9.0
_MARKER_REACH = 6.0
_LABEL_SPACE = 44
_LABEL_LINE = 1.2
"""Height of a line of labels, relative to its font size."""
HANDLE_Y, _HANDLE = 21.5, 6.0
STRETCH_Y, _STRETCH, _EDGE = 12.0, 12.0, 1.5
"""Top, height, and width of the edges of the lit stretch, px."""
_STRIP = 3.0
"""Height of the strip of colours, px."""
_SIDEWAYS = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}
_ON_A_MARKER = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Delete, Qt.Key.Key_Backspace, Qt.Key.Key_Escape)

_REST = 5.0
"""Least distance of the round times at which a dragged key stops, px."""

COARSE_STEPS = 10.0
"""Number of steps of one key press with Shift."""


class TimeTrack(QWidget):
    """Time along a line.

    A dragged key stops at round times, with Ctrl anywhere, and takes the playhead along.

    Alt with Left or Right chooses the previous or next marker; Return goes to it. Left and Right move a chosen key by a
    step, ten with Shift, a tenth with Ctrl, until they are released. Delete removes it; Escape cancels.

    Signals
    -------
    scrubbed(float)
        Seconds, during a drag of the knob or after a click.
    scrub_finished()
        The drag has ended.
    key_previewed(Marker, float), key_moved(Marker, float), key_cancelled()
        A key is being moved by mouse or keyboard, was moved to a time, or its move was cancelled.
    key_deleted(Marker)
        A key is to be deleted.
    menu_asked(QMenu, object)
        The context menu is about to open, on a marker or, with None, beside them. Listeners add their actions.
    part_changed(float, float)
        The range to play, during a drag of one of its two handles.

    Parameters
    ----------
    has_part
        Whether the track has handles of a range to play.
    """

    scrubbed = Signal(float)
    scrub_finished = Signal()
    key_previewed = Signal(Marker, float)
    key_moved = Signal(Marker, float)
    key_cancelled = Signal()
    key_deleted = Signal(Marker)
    menu_asked = Signal(QMenu, object)
    part_changed = Signal(float, float)

    def __init__(self, parent: QWidget | None = None, *, has_part: bool = True) -> None:
        super().__init__(parent)
        self._has_part = has_part
        self._start, self._end = 0.0, 10.0
        self._t = 0.0
        self.markers: tuple[Marker, ...] = ()
        """Markers above the track."""
        self._ticks = Ticks((), (), 0)
        self._labels: tuple[str, ...] = ()
        self.is_scrubbing = False
        """Whether the knob is being dragged."""
        self._is_hovered = False
        self._shows_focus = False
        self._grip = 0.0
        self._part: tuple[float, float] | None = None
        self._held_handle: int | None = None
        self._held_key: Marker | None = None
        self._key_t: float | None = None
        self._pressed_x = 0.0
        self.chosen: Marker | None = None
        """The marker chosen by keyboard."""
        self.stretch: tuple[float, float] | None = None
        """First and last time of the lit stretch, s."""
        self.strip: Strip | None = None
        """Quantity that is shown in colours below the track."""
        self._strip_image = QImage()
        self._drawn_strip: tuple[Strip, float, float, int] | None = None
        self._step_s = 0.05
        self._pressed_key: int | None = None
        self.label_size: int = METRICS.caption
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName("time")

    def set_range(self, start: float, end: float) -> None:
        """Set first and last time in seconds."""
        if (start, max(end, start)) == (self._start, self._end):
            return
        self._start, self._end = start, max(end, start)
        self._update_ticks()
        self.update()

    def set_time(self, t: float) -> None:
        """Move the knob; ignored while the user drags it."""
        if self.is_scrubbing or t == self._t:
            return
        self._move(t)

    def set_markers(self, markers: tuple[Marker, ...]) -> None:
        """Display markers above the track."""
        if markers == self.markers and self.chosen is None:
            return
        self.markers = tuple(markers)
        if self.chosen is not None:
            self._choose(same_marker(self.chosen, self.markers))
        self.update()

    def set_step_size(self, step_s: float) -> None:
        """Set the distance by which an arrow key moves a keyframe, s."""
        self._step_s = step_s

    def set_part(self, part: tuple[float, float] | None) -> None:
        """Set the range that is played; None means all of it."""
        if part != self._part:
            self._part = part
            self.update()

    def set_stretch(self, stretch: tuple[float, float] | None) -> None:
        """Light a stretch of time, s, such as the one that a finding is about; None lights none."""
        if stretch != self.stretch:
            self.stretch = stretch
            self._name_time()
            self.update()

    def set_strip(self, strip: Strip | None) -> None:
        """Show a quantity over time in colours below the track; None shows none."""
        if strip is not self.strip:
            self.strip = strip
            self.setAccessibleDescription("" if strip is None else strip.name)
            self.update()

    @property
    def part(self) -> tuple[float, float]:
        """First and last time that is played."""
        return self._part or (self._start, self._end)

    def set_label_size(self, size: int) -> None:
        """Set the font size of the times, logical pixels; the track grows accordingly."""
        if size != self.label_size:
            self.label_size = size
            self._update_ticks()
            self.updateGeometry()
            self.update()

    @property
    def _height(self) -> int:
        return METRICS.timeline + round(_LABEL_LINE * (self.label_size - METRICS.caption))

    def x_of(self, t: float) -> float:
        """Return the position of a time, pixels."""
        span = self._end - self._start
        share = (t - self._start) / span if span > 0 else 0.0
        return _INSET + min(max(share, 0.0), 1.0) * (self.width() - 2 * _INSET)

    # --- Qt events

    def sizeHint(self) -> QSize:
        return QSize(320, self._height)

    def minimumSizeHint(self) -> QSize:
        return QSize(120, self._height)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._update_ticks()
        super().resizeEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton:
            event.ignore()
            return
        self._shows_focus = False
        self._finish_moving()
        self._choose(None)
        self._pressed_x = event.position().x()
        self._held_handle = self._handle_at(event.position())
        if self._held_handle is not None:
            return
        marker = self._marker_at(event.position())
        if marker is not None and marker.i_key is not None:
            # A click jumps to the key, a drag moves it.
            self._held_key = marker
            self._grip = self.x_of(marker.t) - event.position().x()
            self._scrub(marker.t)
            self.scrub_finished.emit()
            return
        self.is_scrubbing = True
        knob = self.x_of(self._t)
        on_knob = abs(event.position().x() - knob) <= METRICS.knob / 2 + 1
        self._grip = knob - event.position().x() if on_knob else 0.0
        if marker is not None:
            self._grip = self.x_of(marker.t) - event.position().x()
            self._scrub(marker.t)
        elif not on_knob:
            self._scrub(self._t_of(event.position().x()))
        self.update()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._held_handle is not None:
            self._drag_handle(self._held_handle, self._t_of(event.position().x()))
            return
        if self._held_key is not None:
            far = QGuiApplication.styleHints().startDragDistance()
            if self._key_t is not None or abs(event.position().x() - self._pressed_x) >= far:
                self._drag_key(self._held_key, event)
            return
        if self.is_scrubbing:
            self._scrub(self._t_of(event.position().x() + self._grip))
            return
        shape = Qt.CursorShape.ArrowCursor
        if self._handle_at(event.position()) is not None:
            shape = Qt.CursorShape.SizeHorCursor
        elif self._marker_at(event.position()) is not None:
            shape = Qt.CursorShape.PointingHandCursor
        self.setCursor(shape)
        is_hovered = abs(event.position().x() - self.x_of(self._t)) <= METRICS.halo / 2
        if is_hovered != self._is_hovered:
            self._is_hovered = is_hovered
            self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            if self._held_key is not None and self._key_t is not None:
                self.key_moved.emit(self._held_key, self._key_t)
                self.scrub_finished.emit()
            self._clear_drag()
            self._finish()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, chosen = Qt.Key(event.key()), self.chosen
        self._shows_focus = True
        if key == Qt.Key.Key_Escape and self._key_t is not None:
            dragged = self._held_key if self._pressed_key is None else None
            self._clear_drag()
            self.key_cancelled.emit()
            if dragged is not None:
                self._go_to(dragged.t)
        elif key in _SIDEWAYS and event.modifiers() & Qt.KeyboardModifier.AltModifier:
            self._choose_next(_SIDEWAYS[key])
        elif chosen is None:
            super().keyPressEvent(event)
        elif key == Qt.Key.Key_Escape:
            self._choose(None)
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._finish_moving()
            self._go_to(chosen.t)
        elif key in _SIDEWAYS and chosen.i_key is not None:
            self._pressed_key, self._held_key = key, chosen
            start = chosen.t if self._key_t is None else self._key_t
            self._preview(chosen, start + _SIDEWAYS[key] * self._step_s * _size_of_step(event))
        elif key in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace) and chosen.i_key is not None:
            self._finish_moving()
            self.key_deleted.emit(chosen)
        else:
            super().keyPressEvent(event)

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        if event.key() == self._pressed_key and not event.isAutoRepeat():
            self._finish_moving()
        super().keyReleaseEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        is_by_key = event.reason() == QContextMenuEvent.Reason.Keyboard
        marker = self.chosen if is_by_key else self._marker_at(QPointF(event.pos()))
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        if marker is not None:
            menu.addAction(f"Go to {marker.text}".replace("&", "&&"), lambda: self._go_to(marker.t))
            if marker.i_key is not None:
                menu.addAction("Delete this key\tDel", lambda: self.key_deleted.emit(marker))
        self.menu_asked.emit(menu, marker)
        if menu.isEmpty():
            menu.deleteLater()
            event.ignore()
            return
        place = QPointF(self.x_of(self._t if marker is None else marker.t), MARKER_Y + 8.0).toPoint()
        menu.popup(self.mapToGlobal(place) if is_by_key else event.globalPos())

    def focusInEvent(self, event: QFocusEvent) -> None:
        self._shows_focus = event.reason() != Qt.FocusReason.MouseFocusReason
        super().focusInEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self._finish_moving()
        if event.reason() != Qt.FocusReason.PopupFocusReason:
            self._choose(None)
        super().focusOutEvent(event)

    def hideEvent(self, event: QHideEvent) -> None:
        if self._key_t is not None:
            self.key_cancelled.emit()
        self._clear_drag()
        self._finish()
        super().hideEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        self._is_hovered = False
        self.update()
        super().leaveEvent(event)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            QToolTip.showText(event.globalPos(), self._help_at(QPointF(event.pos())), self)
            return True
        # Keys pressed on a chosen marker must not trigger menu shortcuts.
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            is_alt = bool(event.modifiers() & Qt.KeyboardModifier.AltModifier)
            if event.key() in _SIDEWAYS and (is_alt or self.chosen is not None):
                event.accept()
                return True
            if event.key() in _ON_A_MARKER and self.chosen is not None:
                event.accept()
                return True
        return super().event(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        dirty = event.rect()
        reach = round(30 * self.label_size / METRICS.caption)
        self._paint_ticks(painter, dirty.left() - reach, dirty.right() + reach)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self.stretch is not None:
            self._paint_stretch(painter, *self.stretch)
        painter.setPen(Qt.PenStyle.NoPen)
        half = METRICS.track / 2
        knob = QPointF(self.x_of(self._t), TRACK_Y)
        right = self.width() - _INSET
        painter.setBrush(current_theme.qcolor("slider_track"))
        painter.drawRoundedRect(QRectF(_INSET, TRACK_Y - half, right - _INSET, METRICS.track), half, half)
        role = "accent" if self.isEnabled() else "disabled"
        painter.setBrush(current_theme.qcolor(role))
        painter.drawRoundedRect(QRectF(_INSET, TRACK_Y - half, knob.x() - _INSET, METRICS.track), half, half)
        if self.strip is not None:
            self._paint_strip(painter, self.strip)
        if self._has_part:
            self._paint_part(painter)
        for marker in self.markers:
            x = self.x_of(marker.t)
            if dirty.left() - 8 <= x <= dirty.right() + 8:
                paint_marker(painter, marker.kind, QPointF(x, MARKER_Y), is_chosen=marker == self.chosen)
        self._paint_knob(painter, role, knob)

    # --- painting

    def _paint_ticks(self, painter: QPainter, left: float, right: float) -> None:
        painter.setPen(current_theme.qcolor("disabled"))
        # A drag paints the surroundings of the knob alone: most ticks are told apart by their times.
        first, last = self._t_of(left - 1.0), self._t_of(right + 1.0)
        for t in self._ticks.minor:
            if first <= t <= last:
                x = round(self.x_of(t) - 0.5)
                painter.drawLine(x, 24, x, 26)
        for t, label in zip(self._ticks.major, self._labels, strict=True):
            if first <= t <= last:
                x = self.x_of(t)
                painter.setPen(current_theme.qcolor("disabled"))
                painter.drawLine(round(x - 0.5), 24, round(x - 0.5), 27)
                painters.write_in(painter, fonts.text(self.label_size), "quiet")
                wide = 30 * self.label_size / METRICS.caption
                half = math.ceil(painter.fontMetrics().horizontalAdvance(label) / 2)
                x = max(min(x, self.width() - half), half)
                area = QRectF(x - wide, 26, 2 * wide, 13 + _LABEL_LINE * (self.label_size - METRICS.caption))
                painter.drawText(area, Qt.AlignmentFlag.AlignCenter, label)

    def _paint_stretch(self, painter: QPainter, first: float, last: float) -> None:
        """Paint a band behind the track with an edge at either end, at least as wide as its edges."""
        if last < self._start or first > self._end:
            return
        left, right = self.x_of(first), self.x_of(last)
        right = max(right, left + 2 * _EDGE)
        painters.fill_with(painter, "accent", 0.25)
        painter.drawRect(QRectF(left, STRETCH_Y, right - left, _STRETCH))
        painters.fill_with(painter, "accent")
        for x in (left, right - _EDGE):
            painter.drawRect(QRectF(x, STRETCH_Y, _EDGE, _STRETCH))

    def _paint_strip(self, painter: QPainter, strip: Strip) -> None:
        """Paint one colour for each pixel, below the track."""
        width = round(self.width() - 2 * _INSET)
        if width < 1 or self._end <= self._start:
            return
        drawn = strip, self._start, self._end, width
        if drawn != self._drawn_strip:  # not at each tick
            colors = colors_of_pixels(strip, np.linspace(self._start, self._end, width + 1))
            self._drawn_strip = drawn
            self._strip_image = QImage(colors.tobytes(), width, 1, 4 * width, QImage.Format.Format_RGBA8888).copy()
        painter.drawImage(QRectF(_INSET, TRACK_Y + METRICS.track / 2 + 1, width, _STRIP), self._strip_image)

    def _paint_part(self, painter: QPainter) -> None:
        """Paint the two handles, and cover the parts that are not played."""
        first, last = (self.x_of(t) for t in self.part)
        half = METRICS.track / 2
        painter.setBrush(current_theme.qcolor("panel", 0.6))
        if self._part is not None:
            painter.drawRect(QRectF(_INSET - 1, TRACK_Y - half, first - _INSET + 1, METRICS.track))
            painter.drawRect(QRectF(last, TRACK_Y - half, self.width() - _INSET - last + 1, METRICS.track))
        painter.setBrush(current_theme.qcolor("disabled" if self._part is None else "accent"))
        for x, way in ((first, -1.0), (last, 1.0)):
            # Each is half an arrow below the track, with its vertical edge at the exact time.
            corners = ((0.0, 0.0), (0.0, _HANDLE), (way * _HANDLE, _HANDLE))
            painter.drawPolygon(QPolygonF([QPointF(x + dx, HANDLE_Y + dy) for dx, dy in corners]))

    def _paint_knob(self, painter: QPainter, role: str, centre: QPointF) -> None:
        halo = 0.4 if self._is_hovered or self.is_scrubbing else 0.0
        has_focus = self.hasFocus() and self._shows_focus and self.chosen is None
        paint_knob(painter, centre, role, halo=halo, has_focus=has_focus)

    # --- shared by the events

    def _t_of(self, x: float) -> float:
        share = (x - _INSET) / max(self.width() - 2 * _INSET, 1.0)
        return self._start + min(max(share, 0.0), 1.0) * (self._end - self._start)

    def _scrub(self, t: float) -> None:
        if t != self._t:
            self._move(t)
            self.scrubbed.emit(t)

    def _drag_handle(self, handle: int, t: float) -> None:
        first, last = self.part
        least = (self._end - self._start) * 1e-3
        part = (min(t, last - least), last) if handle == 0 else (first, max(t, first + least))
        if part != self.part:
            self.set_part(part)
            self.part_changed.emit(*part)

    def _clear_drag(self) -> None:
        self._held_handle = self._held_key = self._key_t = self._pressed_key = None

    def _drag_key(self, key: Marker, event: QMouseEvent) -> None:
        """Preview a key at the time of the pointer, and go there, so that the pose of the key is seen."""
        t = self._t_of(event.position().x() + self._grip)
        if not event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            step = nice_step(self._end - self._start, int((self.width() - 2 * _INSET) / _REST))
            t = round(t / step) * step
        t = between_neighbours(self.markers, key, t, self._start, self._end)
        if t != self._key_t:
            self._scrub(t)
            self._preview(key, t)

    def _preview(self, key: Marker, t: float) -> None:
        """Preview a key at a time, clamped between its neighbours."""
        self._key_t = between_neighbours(self.markers, key, t, self._start, self._end)
        self.key_previewed.emit(key, self._key_t)

    def _finish_moving(self) -> None:
        """Commit a key moved by keyboard."""
        if self._pressed_key is not None and self._held_key is not None and self._key_t is not None:
            key, t = self._held_key, self._key_t
            self._clear_drag()
            self.key_moved.emit(key, t)

    def _go_to(self, t: float) -> None:
        self._scrub(t)
        self.scrub_finished.emit()

    def _choose_next(self, way: int) -> None:
        """Choose the marker after or before the chosen one, or the playhead."""
        self._finish_moving()
        marker = next_marker(self.markers, self.chosen, self._t, way)
        if marker is not None:
            self._choose(marker)
            place = QPointF(self.x_of(marker.t), self.height())
            QToolTip.showText(self.mapToGlobal(place.toPoint()), keys_text(marker), self)

    def _choose(self, marker: Marker | None) -> None:
        """Choose a marker, and set the accessible name."""
        self.chosen = marker
        self._name_time()
        self.update()

    def _name_time(self) -> None:
        """Set the accessible name: the chosen marker, else the lit stretch."""
        text = "" if self.chosen is None else f", {self.chosen.text}"
        if self.chosen is None and self.stretch is not None:
            first, last = map(number_text.seconds, self.stretch)
            text = f", lit from {first} to {last} s"
        self.setAccessibleName(f"time{text}")

    def _handle_at(self, position: QPointF) -> int | None:
        """Return the handle at a position: 0 for the first, 1 for the last."""
        if not self._has_part or not HANDLE_Y - 1 <= position.y() <= HANDLE_Y + _HANDLE + 2:
            return None
        xs = [self.x_of(t) for t in self.part]
        centres = (xs[0] - _HANDLE / 2, xs[1] + _HANDLE / 2)
        near = [i for i, x in enumerate(centres) if abs(x - position.x()) <= _HANDLE / 2 + 2]
        return near[0] if near else None

    def _help_at(self, position: QPointF) -> str:
        marker, handle = self._marker_at(position), self._handle_at(position)
        if marker is not None:
            return f"{marker.text}; drag to move it, with Ctrl to any time" if marker.i_key is not None else marker.text
        if handle is not None:
            return "playing begins here: drag it, or [" if handle == 0 else "playing ends here: drag it, or ]"
        return ""

    def _finish(self) -> None:
        if self.is_scrubbing:
            self.is_scrubbing = False
            self.update()
            self.scrub_finished.emit()

    def _move(self, t: float) -> None:
        old, new = self.x_of(self._t), self.x_of(t)
        self._t = t
        # Update only the strip between the two positions: at 60 Hz the labels must not be redrawn.
        left, right = min(old, new) - METRICS.halo, max(old, new) + METRICS.halo
        self.update(int(left), 0, int(right - left) + 1, self.height())

    def _marker_at(self, position: QPointF) -> Marker | None:
        if position.y() > TRACK_Y - METRICS.track:
            return None
        near = [m for m in self.markers if abs(self.x_of(m.t) - position.x()) <= _MARKER_REACH]
        return min(near, key=lambda m: abs(self.x_of(m.t) - position.x()), default=None)

    def _update_ticks(self) -> None:
        room = int((self.width() - 2 * _INSET) / (_LABEL_SPACE * self.label_size / METRICS.caption))
        self._ticks = ticks(self._start, self._end, max(room, 1))
        self._labels = self._ticks.labels()


def _size_of_step(event: QKeyEvent) -> float:
    if event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
        return COARSE_STEPS
    return fineness(event)

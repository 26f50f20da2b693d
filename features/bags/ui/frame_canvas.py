"""Canvas of the recording panel: rows of frames with their bars and marks over time."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, QSize, Qt, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QGuiApplication,
    QHelpEvent,
    QHideEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPolygonF,
    QResizeEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QToolTip, QWidget

from framescope.features.bags.ui.frame_bars import (
    FrameBar,
    ShownRow,
    mark_pixels,
    marks_near,
    next_mark,
    shown_rows,
    span_pixels,
    words_at,
)
from framescope.features.bags.ui.row_keys import SIDEWAYS, is_of_rows
from framescope.ui.formatting import number_text
from framescope.ui.formatting.item_names import SEVERITIES
from framescope.ui.formatting.ticks import Ticks, ticks
from framescope.ui.theme import current_theme, fonts, icons, painters
from framescope.ui.theme.tokens import METRICS

NO_MATCH = "No name of a frame contains this text."
NO_MATCH_AT_FAULT = "No name of a frame with a fault contains this text."
NO_FAULT = "No frame has a fault."

ROW = METRICS.readout_row
AXIS = METRICS.small_button
"""Height of the times above the rows, px."""
NAMES = 180
"""Width of the names, px; in a narrow panel it is less."""
REACH = 4
"""Largest distance between a click and the mark whose time it selects, px."""

_INDENT, _ICON = 12, 12
_LEAST_NAME = 72
_BAR, _STATIC_BAR = 8, 2
_KNOB = 5
_LABEL = 60
_MARK_SIZES = {"red": (3, 16), "amber": (2, 12), "note": (2, 6)}
"""Width and height of a tick by severity, px, so that severities also differ in shape."""
_MIDDLE = int(Qt.AlignmentFlag.AlignVCenter)


class FrameCanvas(QAbstractScrollArea):
    """Rows of frames: names at the left, bars over time at the right, times above.

    Up, Down, Page and Home keys move the selection. Left and Right go to the previous or next mark in its row.

    Signals
    -------
    time_requested(float), frame_picked(str)
        As in `RecordingPanel`.
    """

    time_requested = Signal(float)
    frame_picked = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.bars: tuple[FrameBar, ...] = ()
        """All frames."""
        self.rows: tuple[ShownRow, ...] = ()
        """Rows that pass the filter."""
        self.selected = ""
        """Name of the selected frame; empty without a selection."""
        self._words, self._only_faults = "", False
        self._start, self._end, self._t = 0.0, 10.0, 0.0
        self._ticks = Ticks((), (), 0)
        self._pixels: dict[int, tuple[tuple[tuple[int, int], ...], tuple[tuple[str, tuple[int, ...]], ...]]] = {}
        self._pressed_x: float | None = None
        self._is_dragged = False
        self._hovered = -1
        self._shows_focus = False
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.viewport().setMouseTracking(True)
        self.viewport().setAutoFillBackground(False)
        self.setAccessibleName("frames over time")

    def set_frames(self, bars: Sequence[FrameBar]) -> None:
        """Show other frames with the same filter."""
        self.bars = tuple(bars)
        self._pixels.clear()
        self._show_rows()

    def set_filter(self, words: str, *, only_faults: bool) -> None:
        """Show only frames whose names contain some words, or that have a fault, and their ancestors."""
        if (words, only_faults) != (self._words, self._only_faults):
            self._words, self._only_faults = words, only_faults
            self._show_rows()

    def set_range(self, start: float, end: float) -> None:
        """Set first and last time, s."""
        self._start, self._end = start, max(start, end)
        self._lay_out()

    def set_time(self, t: float) -> None:
        """Move the cursor to a time, s; only its strip is repainted."""
        before, self._t = self._t, t
        if round(self.x_of(before)) != round(self.x_of(t)) or self._is_inside(before) != self._is_inside(t):
            for time in (before, t):
                self.viewport().update(self._cursor_strip(time))

    def set_selected(self, name: str) -> None:
        """Select a frame and bring its row into view, without emitting a signal."""
        if name == self.selected:
            return
        self.selected = name
        i_row = self._row_of(name)
        if i_row >= 0:
            self._bring_into_view(i_row)
        self._describe_selected(i_row)
        self.viewport().update()

    @property
    def time(self) -> float:
        """Time of the cursor, s."""
        return self._t

    @property
    def why_empty(self) -> str:
        """Text shown if no frame passes the filter."""
        if self._words.strip():
            return NO_MATCH_AT_FAULT if self._only_faults else NO_MATCH
        return NO_FAULT

    def x_of(self, t: float) -> float:
        """Return the position of a time, px from the left."""
        span = self._end - self._start
        share = (t - self._start) / span if span > 0 else 0.0
        return self._names_width + min(max(share, -1.0), 2.0) * self._width

    def row_rect(self, i_row: int) -> QRect:
        """Return the rectangle of a row, which may be out of view."""
        top = AXIS + i_row * ROW - self.verticalScrollBar().value()
        return QRect(0, top, self.viewport().width(), ROW)

    # --- Qt events

    def sizeHint(self) -> QSize:
        return QSize(NAMES + METRICS.left, AXIS + 8 * ROW)

    def minimumSizeHint(self) -> QSize:
        return QSize(METRICS.left // 2, AXIS + 2 * ROW)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._lay_out()

    def scrollContentsBy(self, dx: int, dy: int) -> None:  # noqa: ARG002
        self.viewport().update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton:
            event.ignore()
            return
        self._shows_focus = False
        at = event.position()
        i_row = self._row_at(at)
        if i_row >= 0:
            self._pick(i_row)
        if self.rows and self._is_in_bars(at) and self._end > self._start:
            self._pressed_x, self._is_dragged = at.x(), False
            near = marks_near(self._bar(i_row).marks, self._t_at(at.x()), self._reach) if i_row >= 0 else ()
            self._go_to(near[0].time if near else self._t_at(at.x()))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        x = event.position().x()
        if self._pressed_x is not None:
            # Small movements of the pointer keep the time at the mark.
            far = QGuiApplication.styleHints().startDragDistance()
            self._is_dragged = self._is_dragged or abs(x - self._pressed_x) >= far
            if self._is_dragged:
                self._go_to(self._t_at(x))
            return
        self._hover(self._row_at(event.position()))
        is_mark = self._hovered >= 0 and self._is_in_bars(event.position())
        is_mark = is_mark and bool(marks_near(self._bar(self._hovered).marks, self._t_at(x), self._reach))
        self.viewport().setCursor(Qt.CursorShape.PointingHandCursor if is_mark else Qt.CursorShape.ArrowCursor)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._pressed_x = None

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.mousePressEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        if not is_of_rows(event) or not self.rows:
            event.ignore()
            return
        self._shows_focus = True
        i_row = self._row_of(self.selected)
        if key in SIDEWAYS:
            if i_row >= 0:
                apart = 1e-9 * max(abs(self._start), abs(self._end), 1.0)
                mark = next_mark(self._bar(i_row).marks, self._t, SIDEWAYS[key], apart)
                if mark is not None:
                    self._go_to(mark.time)
            return
        page = max((self.viewport().height() - AXIS) // ROW - 1, 1)
        last = len(self.rows) - 1
        row_of_key = {
            Qt.Key.Key_Up: i_row - 1,
            Qt.Key.Key_Down: i_row + 1,
            Qt.Key.Key_PageUp: i_row - page,
            Qt.Key.Key_PageDown: i_row + page,
            Qt.Key.Key_Home: 0,
            Qt.Key.Key_End: last,
        }
        # Without a selected row, Down selects the first one.
        self._pick(min(max(row_of_key[key], 0), last))

    def focusInEvent(self, event: QFocusEvent) -> None:
        self._shows_focus = event.reason() != Qt.FocusReason.MouseFocusReason
        self.viewport().update()
        super().focusInEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self.viewport().update()
        super().focusOutEvent(event)

    def hideEvent(self, event: QHideEvent) -> None:
        self._pressed_x = None
        super().hideEvent(event)

    def event(self, event: QEvent) -> bool:
        # Keep arrow keys from reaching the menus.
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and is_of_rows(event):
            event.accept()
            return True
        return super().event(event)

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            QToolTip.showText(event.globalPos(), self.help_at(event.pos()), self.viewport())
            return True
        if event.type() == QEvent.Type.Leave:
            self._hover(-1)
        return super().viewportEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        dirty = event.rect()
        painter = QPainter(self.viewport())
        painter.fillRect(dirty, current_theme.qcolor("panel"))
        if not self.rows:
            painters.write_in(painter, fonts.text(), "quiet")
            painter.drawText(self.viewport().rect(), int(Qt.AlignmentFlag.AlignCenter), self.why_empty)
            return
        if dirty.bottom() >= AXIS:
            painter.setClipRect(dirty.intersected(self.viewport().rect().adjusted(0, AXIS, 0, 0)))
            first = max(self._index_at(max(dirty.top(), AXIS)), 0)
            last = min(self._index_at(dirty.bottom()), len(self.rows) - 1)
            self._paint_grid(painter, dirty)
            for i_row in range(first, last + 1):
                self._paint_row(painter, i_row, dirty)
            painter.setClipping(False)
        self._paint_axis(painter, dirty)
        if self._is_inside(self._t):
            self._paint_cursor(painter)

    # --- painting

    def _paint_grid(self, painter: QPainter, dirty: QRect) -> None:
        painter.setPen(current_theme.qcolor("separator"))
        for t in self._ticks.major:
            x = round(self.x_of(t))
            if dirty.left() <= x <= dirty.right():
                painter.drawLine(x, AXIS, x, self.viewport().height())

    def _paint_row(self, painter: QPainter, i_row: int, dirty: QRect) -> None:
        row, area, bar = self.rows[i_row], self.row_rect(i_row), self._bar(i_row)
        is_selected = bar.name == self.selected
        if is_selected or i_row == self._hovered:
            painter.fillRect(area, current_theme.qcolor("selected_row" if is_selected else "hover"))
        if is_selected:
            painter.fillRect(QRect(0, area.top(), METRICS.focus, ROW), current_theme.qcolor("accent"))
        if dirty.left() < self._names_width:
            self._paint_name(painter, area, bar, is_dim=row.is_dim)
        if dirty.right() >= self._names_width - REACH:
            self._paint_bars(painter, area, row, dirty)
        if is_selected and self._shows_focus and self.hasFocus():
            painter.setPen(current_theme.qcolor("accent"))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(area.adjusted(0, 0, -1, -1))

    def _paint_name(self, painter: QPainter, area: QRect, bar: FrameBar, *, is_dim: bool) -> None:
        right = self._names_width - METRICS.gap
        if bar.worst:
            right -= _ICON
            icon, role = SEVERITIES[bar.worst]
            painter.setOpacity(0.5 if is_dim else 1.0)
            painter.drawPixmap(right, area.top() + (ROW - _ICON) // 2, icons.pixmap(icon, role, _ICON))
            painter.setOpacity(1.0)
            right -= METRICS.inner
        left = METRICS.gap + min(bar.depth * _INDENT, max(right - METRICS.gap - _LEAST_NAME, 0))
        painters.write_in(painter, fonts.text(METRICS.secondary), "disabled" if is_dim else "text")
        room = QRect(left, area.top(), right - left, ROW)
        name = painter.fontMetrics().elidedText(bar.name, Qt.TextElideMode.ElideMiddle, room.width())
        painter.drawText(room, _MIDDLE | int(Qt.TextFlag.TextSingleLine), name)

    def _paint_bars(self, painter: QPainter, area: QRect, row: ShownRow, dirty: QRect) -> None:
        left, middle = self._names_width, area.top() + ROW // 2
        low, high = dirty.left() - left, dirty.right() - left
        spans, marks = self._pixels_of(row.i_frame)
        is_static = self.bars[row.i_frame].is_static
        if not is_static and spans != ((0, self._width),):
            pen = QPen(current_theme.qcolor("disabled", 0.6))
            pen.setDashPattern([2.0, 4.0])
            painter.setPen(pen)
            painter.drawLine(left, middle, left + self._width - 1, middle)
        height = _STATIC_BAR if is_static else _BAR
        role, strength = ("quiet", 0.5) if is_static else ("accent", 0.7)
        color = current_theme.qcolor(role, strength * (0.45 if row.is_dim else 1.0))
        ground = current_theme.qcolor(self._ground_of(row))
        for first, last in spans:
            if last >= low and first <= high:
                place = QRect(left + first, middle - height // 2, last - first, height)
                # The baseline must not shine through.
                painter.fillRect(place, ground)
                painter.fillRect(place, color)
        painter.setOpacity(0.5 if row.is_dim else 1.0)
        for severity, places in marks:
            wide, high_mark = _MARK_SIZES[severity]
            color = current_theme.qcolor(SEVERITIES[severity][1])
            for x in places:
                if low - wide <= x <= high + wide:
                    painter.fillRect(
                        QRect(left + x - wide // 2, middle - high_mark // 2, wide, high_mark),
                        color,
                    )
        painter.setOpacity(1.0)

    def _paint_axis(self, painter: QPainter, dirty: QRect) -> None:
        if dirty.top() >= AXIS:
            return
        painter.fillRect(QRect(dirty.left(), 0, dirty.width(), AXIS), current_theme.qcolor("panel"))
        painter.fillRect(QRect(dirty.left(), AXIS - 1, dirty.width(), 1), current_theme.qcolor("separator"))
        line = QRect(METRICS.gap, 0, self._names_width - 3 * METRICS.gap, AXIS - METRICS.inner)
        painters.write_in(painter, fonts.text(METRICS.caption), "quiet")
        painter.drawText(line, _MIDDLE | int(Qt.AlignmentFlag.AlignRight), "t, s")
        for t in self._ticks.minor:
            painter.fillRect(QRect(round(self.x_of(t)), AXIS - 3, 1, 2), current_theme.qcolor("disabled"))
        for t, label in zip(self._ticks.major, self._ticks.labels(), strict=True):
            x = round(self.x_of(t))
            painter.fillRect(QRect(x, AXIS - 5, 1, 4), current_theme.qcolor("disabled"))
            width = painter.fontMetrics().horizontalAdvance(label) + 2
            # The last label stays within the widget.
            start = min(x - width // 2, self.viewport().width() - width)
            painter.drawText(QRect(start, 0, width, AXIS - 5), int(Qt.AlignmentFlag.AlignCenter), label)

    def _paint_cursor(self, painter: QPainter) -> None:
        x = round(self.x_of(self._t))
        painter.fillRect(QRect(x, AXIS - 1, 1, self.viewport().height()), current_theme.qcolor("text"))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painters.fill_with(painter, "text")
        corners = ((-_KNOB, -_KNOB - 1), (_KNOB, -_KNOB - 1), (0, 0))
        painter.drawPolygon(QPolygonF([QPointF(x + 0.5 + dx, AXIS + dy) for dx, dy in corners]))

    def _ground_of(self, row: ShownRow) -> str:
        if self.bars[row.i_frame].name == self.selected:
            return "selected_row"
        is_hovered = 0 <= self._hovered < len(self.rows) and self.rows[self._hovered] is row
        return "hover" if is_hovered else "panel"

    # --- hit tests

    @property
    def _names_width(self) -> int:
        return min(NAMES, round(0.4 * self.viewport().width())) + METRICS.gap

    @property
    def _width(self) -> int:
        return max(self.viewport().width() - self._names_width - METRICS.padding, 1)

    @property
    def _reach(self) -> float:
        """`REACH` in seconds."""
        return (REACH + 0.5) * (self._end - self._start) / self._width

    def _is_inside(self, t: float) -> bool:
        return self._start <= t <= self._end

    def _is_in_bars(self, at: QPointF) -> bool:
        return at.x() >= self._names_width - REACH

    def _t_at(self, x: float) -> float:
        share = (x - self._names_width) / self._width
        return self._start + min(max(share, 0.0), 1.0) * (self._end - self._start)

    def _cursor_strip(self, t: float) -> QRect:
        return QRect(round(self.x_of(t)) - _KNOB - 1, 0, 2 * _KNOB + 3, self.viewport().height())

    def _index_at(self, y: float) -> int:
        return int(y - AXIS + self.verticalScrollBar().value()) // ROW

    def _row_at(self, at: QPointF) -> int:
        i_row = self._index_at(at.y())
        return i_row if at.y() >= AXIS and 0 <= i_row < len(self.rows) else -1

    def _row_of(self, name: str) -> int:
        return next((i for i, row in enumerate(self.rows) if self.bars[row.i_frame].name == name), -1)

    def _bar(self, i_row: int) -> FrameBar:
        return self.bars[self.rows[i_row].i_frame]

    def _pixels_of(self, i_frame: int) -> tuple[tuple[tuple[int, int], ...], tuple[tuple[str, tuple[int, ...]], ...]]:
        """Return the painted pixels of a frame; cached until range or width change, so that scrolling is smooth."""
        if i_frame not in self._pixels:
            bar, of_range = self.bars[i_frame], (self._start, self._end, self._width)
            spans = ((0, self._width),) if bar.is_static else span_pixels(bar.spans, *of_range)
            self._pixels[i_frame] = spans, mark_pixels(bar.marks, *of_range)
        return self._pixels[i_frame]

    def help_at(self, at: QPoint) -> str:
        """Return the tool tip at a position as HTML: the frame, its parents, and its marks or known times there."""
        i_row = self._row_at(QPointF(at))
        if i_row < 0:
            return ""
        bar = self._bar(i_row)
        lines = [f"<b>{escape(bar.name)}</b>", escape(bar.parents)]
        if self._is_in_bars(QPointF(at)):
            pixel = (self._end - self._start) / self._width
            lines += [escape(line) for line in words_at(bar, self._t_at(at.x()), self._reach, 0.5 * pixel)]
        elif bar.marks:
            n = len(bar.marks)
            lines.append(f"{n} mark{'s' * (n > 1)}: Left and Right go through them")
        return "<br>".join(line for line in lines if line)

    # --- actions

    def _show_rows(self) -> None:
        self.rows = shown_rows(self.bars, self._words, only_faults=self._only_faults)
        self._hovered = -1
        self._lay_out()
        i_row = self._row_of(self.selected)
        if i_row >= 0:
            self._bring_into_view(i_row)
        self._describe_selected(i_row)

    def _lay_out(self) -> None:
        self._pixels.clear()
        room = max(self.viewport().height() - AXIS, 0)
        bar = self.verticalScrollBar()
        bar.setSingleStep(ROW)
        bar.setPageStep(room)
        bar.setRange(0, max(len(self.rows) * ROW - room, 0))
        self._ticks = Ticks((), (), 0)
        if self._end > self._start:
            # Times since 1970 are long labels.
            widest = max(len(number_text.fixed(t, 0)) for t in (self._start, self._end))
            self._ticks = ticks(self._start, self._end, max(self._width // (_LABEL + 6 * max(widest - 4, 0)), 1))
        self.viewport().update()

    def _bring_into_view(self, i_row: int) -> None:
        bar, room = self.verticalScrollBar(), self.viewport().height() - AXIS
        top = i_row * ROW
        if top < bar.value():
            bar.setValue(top)
        elif top + ROW > bar.value() + room:
            bar.setValue(top + ROW - room)

    def _pick(self, i_row: int) -> None:
        name = self._bar(i_row).name
        if name == self.selected:
            self._bring_into_view(i_row)
            self.viewport().update()
        self.set_selected(name)
        self.frame_picked.emit(name)

    def _go_to(self, t: float) -> None:
        self.set_time(t)
        self.time_requested.emit(t)

    def _hover(self, i_row: int) -> None:
        if i_row != self._hovered:
            before, self._hovered = self._hovered, i_row
            for row in (before, i_row):
                if row >= 0:
                    self.viewport().update(self.row_rect(row))

    def _describe_selected(self, i_row: int) -> None:
        words = "" if i_row < 0 else f"{self._bar(i_row).name}, {self._bar(i_row).parents}".removesuffix(", ")
        self.setAccessibleDescription(words)

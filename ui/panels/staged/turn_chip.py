"""Chip of one turn of a rotation: axis, progress and angle."""

from __future__ import annotations

import math

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QPixmap
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from framescope.core.analysis.staged_rotation import StagedRotation
from framescope.ui.panels.staged.formula import lit_colors
from framescope.ui.theme import current_theme, fonts, icons, painters
from framescope.ui.theme.tokens import METRICS, mix
from framescope.ui.widgets.angle_unit import DEG, AngleUnit
from framescope.ui.widgets.axis_mark import paint_axis_mark

PAD, MARK, GAP, CHECK = 10.0, 9.0, 7.0, 14.0
MARK_PAD = 6.0
"""Padding beside a mark without text."""

WORDS, AXES, VALUES, MARKS = range(4)
"""Levels of detail of a chip: all in words, axis name and value, value only, or the mark only."""

SLOP = 3.0
"""Maximum movement of the pointer during a click, logical pixels."""


class TurnChip(QAbstractButton):
    """Button of a turn. A click jumps to its end, a drag scrubs it.

    Signals
    -------
    chosen()
        The chip was clicked.
    scrubbed(float)
        Requested fraction of the turn, from 0 to 1.
    """

    scrubbed = Signal(float)
    chosen = Signal()

    def __init__(self, turn: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.turn = turn
        self._step: StagedRotation | None = None
        self._form, self._unit, self._scale = WORDS, DEG, 1.0
        self._pressed_x: float | None = None
        self._has_dragged = False
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def set_angle_unit(self, unit: AngleUnit) -> None:
        """Change the unit of angles from the next step on."""
        if unit != self._unit:
            self._unit, self._step = unit, None

    def set_scale(self, scale: float) -> None:
        """Set the factor to the default size, as for a presentation."""
        self._scale = scale
        self.updateGeometry()
        self.update()

    def show_step(self, step: StagedRotation, form: int) -> None:
        """Show the progress of the turn at a level of detail."""
        is_other = (form, _shape(step, self.turn)) != (
            self._form,
            None if self._step is None else _shape(self._step, self.turn),
        )
        self._step, self._form = step, form
        text = f"{step.about(self.turn)}, {self._value(step, AXES)}"
        self.setAccessibleName(f"{text}, {step.state(self.turn)}")
        self.setToolTip(f"{text[:1].upper()}{text[1:]}: click for its end, drag to turn")
        if is_other:
            self.updateGeometry()
        self.update()

    @property
    def texts(self) -> tuple[str, str]:
        """Texts of axis and value."""
        step = self._step
        if step is None:
            return "", ""
        return self._words(step, self._form), self._value(step, self._form)

    def sizeHint(self) -> QSize:
        """Return a size with the widest text of the state, so that changing digits do not move the neighbours."""
        if self._step is None:
            return QSize(80, METRICS.button)
        width = self._scale * self.width_for(self._step, self._form)
        return QSize(math.ceil(width), round(self._scale * METRICS.button))

    def width_for(self, step: StagedRotation, form: int) -> float:
        """Return the width of the turn at the default size, logical pixels."""
        if form == MARKS:
            return 2 * MARK_PAD + MARK
        whole = self._unit.text(step.whole(self.turn))
        is_present = step.state(self.turn) == "present" and form != VALUES
        value = f"{whole} of {whole}" if is_present else whole
        width = 2 * PAD + MARK + GAP + fonts.width(fonts.text(METRICS.base, 500), self._words(step, form))
        width += GAP + fonts.width(fonts.number(METRICS.number, 500), value)
        return width + (GAP + CHECK if self._has_check(step, form) else 0.0)

    def _words(self, step: StagedRotation, form: int) -> str:
        return {WORDS: step.about(self.turn), MARKS: ""}.get(form, step.axis_name(self.turn))

    def _value(self, step: StagedRotation, form: int) -> str:
        if form == MARKS:
            return ""
        whole = self._unit.text(step.whole(self.turn))
        if step.state(self.turn) != "present":
            return whole
        turned = self._unit.text(step.so_far(self.turn))
        return turned if form == VALUES else f"{turned} of {whole}"

    def _has_check(self, step: StagedRotation, form: int) -> bool:
        return step.state(self.turn) == "done" and form in (WORDS, AXES)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        step = self._step
        if step is None:
            return
        theme, axis, state = current_theme.current(), step.axes[self.turn], step.state(self.turn)
        color = theme.axes[axis]
        lit_ground, ink = lit_colors(theme, axis, theme.raised)
        painter = painters.smooth(self)
        painter.scale(self._scale, self._scale)
        height = self.height() / self._scale
        area = QRectF(0.0, 0.0, self.width() / self._scale, height).adjusted(0.5, 0.5, -0.5, -0.5)
        is_lit = self.turn == step.turn
        if is_lit or self.underMouse():
            painters.fill_with(painter, lit_ground if is_lit else theme.hover)
            painter.drawRoundedRect(area, METRICS.button_radius, METRICS.button_radius)
        pad = MARK_PAD if self._form == MARKS else PAD
        if state == "present":
            self._paint_share(painter, area.adjusted(pad, 0.0, -pad, 0.0), step.share(self.turn), color)
        x, middle = pad, height / 2
        paint_axis_mark(painter, axis, QPointF(x + MARK / 2, middle), current_theme.qcolor(color))
        x += MARK + GAP
        words, value = self.texts
        painters.write_in(painter, fonts.text(METRICS.base, 500), "quiet" if state == "to come" else "text")
        x = _write(painter, words, x, height) + GAP
        painter.setFont(fonts.number(METRICS.number, 500))
        painter.setPen(current_theme.qcolor(ink if is_lit else "quiet" if state == "to come" else "text"))
        x = _write(painter, value, x, height) + GAP
        if self._has_check(step, self._form):
            painter.drawPixmap(QPointF(x, middle - CHECK / 2), self._check())

    def _check(self) -> QPixmap:
        return icons.pixmap("check", "good", round(CHECK), self._scale * self.devicePixelRatioF())

    def _paint_share(self, painter: QPainter, area: QRectF, share: float, color: str) -> None:
        """Underline the finished part of the turn."""
        left, right, y = area.left(), area.right(), area.bottom() - 2.0
        for end, role in (
            (right, mix(current_theme.current().raised, color, 0.35)),
            (left + share * (right - left), color),
        ):
            painter.setPen(QPen(current_theme.qcolor(role), 2.0, Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap))
            painter.drawLine(QPointF(left, y), QPointF(end, y))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._pressed_x, self._has_dragged = event.position().x(), False

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._pressed_x is None or not event.buttons() & Qt.MouseButton.LeftButton:
            return
        x = event.position().x()
        self._has_dragged |= abs(x - self._pressed_x) >= SLOP
        if self._has_dragged:
            pad = self._scale * PAD
            self.scrubbed.emit(min(max((x - pad) / max(self.width() - 2 * pad, 1.0), 0.0), 1.0))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self._pressed_x is not None and not self._has_dragged and self.rect().contains(event.position().toPoint()):
            self.chosen.emit()
        self._pressed_x = None

    def keyPressEvent(self, event: QKeyEvent) -> None:
        event.ignore()  # the bar handles keys


def _shape(step: StagedRotation, turn: int) -> tuple[object, ...]:
    """Return the properties that determine the width of a chip."""
    return step.sequence, step.turn_axes, step.angles, step.state(turn), step.turn == turn


def _write(painter: QPainter, text: str, x: float, height: float) -> float:
    """Draw a text at half the height. Return its right edge."""
    width = painter.fontMetrics().horizontalAdvance(text) + 1.0
    painter.drawText(QRectF(x, 0.0, width, height), Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, text)
    return x + width

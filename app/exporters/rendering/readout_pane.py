"""Read-outs of a frame for lectures: sequence, angles, matrix, quaternion, axis and angle, and both branches.

It shows the numbers of the window's orientation panel with the same digits, without controls.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QPen

from framescope.app.exporters.layouts import COLUMN_WIDTH, Arrangement
from framescope.app.exporters.request import ExportRequest
from framescope.core import conventions
from framescope.core.kernels import linear_algebra
from framescope.core.kernels.validation import Array
from framescope.core.snapshot import Snapshot
from framescope.ui.formatting import number_text
from framescope.ui.panels.orientation.values import LETTERS, OrientationValues, read_orientation
from framescope.ui.theme import current_theme, fonts
from framescope.ui.theme.tokens import AXIS_LETTERS, LOCK, METRICS, NEAR
from framescope.ui.widgets.axis_mark import paint_axis_mark
from framescope.ui.widgets.gauge import gauge_color

_LEFT, _RIGHT = float(METRICS.padding), float(COLUMN_WIDTH - METRICS.padding)
_WIDTH = _RIGHT - _LEFT
_ROW = float(METRICS.readout_row)
_HEADING = 24.0
_GAP = 12.0
_ANGLE_ROW = 28.0
_TRACK = (50.0, 200.0)

_LEVEL = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
_TO_RIGHT = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight

Title = tuple[str, str]
Columns = list[tuple[float, float]]
"""Left edge and width of each column."""

Block = Callable[[QPainter, float, OrientationValues | None], float]
"""Painter of a block from a height `y` on: labels without values, else the numbers; returns the block's end."""


class LecturePanel:
    """Read-outs of a frame, in one column or two.

    Parameters
    ----------
    request
        The export: scene, frame and unit of angles.
    place
        Place of the panel.
    """

    def __init__(self, request: ExportRequest, place: Arrangement) -> None:
        self._plan, self._name, self._unit = request.plan, request.composed.frame, request.angles
        self._parent = request.scene.frames[self._name].parent
        self._source = request.scene.source or ""
        self._zoom, self._n_columns = place.panel_zoom, place.panel_columns
        self._height = 0.0 if place.panel is None else place.panel.height / place.scale
        self._sequence = self._plan.sequence(self._name) or "XYZ"
        self._is_authored = self._plan.sequence(self._name) is not None

    def paint_ground(self, painter: QPainter) -> None:
        """Paint the static parts."""
        below = self._flow(painter, None) * self._zoom
        if self._source:
            self._paint_source(painter, max(below, self._height - 48))

    def paint_moment(self, painter: QPainter, snapshot: Snapshot) -> None:
        """Paint the numbers of a snapshot."""
        values = read_orientation(self._plan, self._name, snapshot, self._sequence)
        if values is not None:
            self._flow(painter, values)

    def _paint_source(self, painter: QPainter, top: float) -> None:
        """Paint the scene's source at the bottom of the last column, in two lines where they fit."""
        left, width = (self._n_columns - 1) * COLUMN_WIDTH + _LEFT, COLUMN_WIDTH - 2 * _LEFT
        room = QRectF(left * self._zoom, top, width * self._zoom, self._height - 8 - top)
        font = fonts.text(METRICS.caption)
        line = QFontMetricsF(font).lineSpacing()
        lines = 2 if room.height() >= 2 * line else 1
        text = _shorten(
            font, self._source, (1.8 if lines == 2 else 1.0) * room.width()
        )  # 1.8: lines break between words
        flags = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignBottom
        painter.setFont(font)
        painter.setPen(current_theme.qcolor("quiet"))
        painter.drawText(room, int(flags) | (int(Qt.TextFlag.TextWordWrap) if lines == 2 else 0), text)

    def _flow(self, painter: QPainter, values: OrientationValues | None) -> float:
        """Paint all blocks; return the end of the last column."""
        angles: tuple[Block, ...] = (self._heading, self._angles, self._singularity)
        further: tuple[Block, ...] = (self._matrix, self._quaternion, self._axis)
        columns = [(*angles, *further, self._branches)]
        if self._n_columns == 2:
            columns = [(*angles, self._branches), further]
        y = 0.0
        painter.save()
        painter.scale(self._zoom, self._zoom)
        for blocks in columns:
            y = 8.0
            for block in blocks:
                y = block(painter, y, values)
            painter.translate(COLUMN_WIDTH, 0)
        painter.restore()
        return y

    # --- Blocks

    def _heading(self, painter: QPainter, y: float, values: OrientationValues | None) -> float:
        if values is None:
            font = fonts.text(METRICS.scene_title, 600)
            name = _shorten(font, self._name, _WIDTH)
            self._text(painter, QRectF(_LEFT, y, _WIDTH, 28), name, font)
            x = _LEFT + fonts.width(font, name) + 8
            self._quiet(painter, QRectF(x, y + 1, _RIGHT - x, 28), f"relative to {self._parent}", METRICS.base)
        return y + 34

    def _angles(self, painter: QPainter, y: float, values: OrientationValues | None) -> float:
        if values is None:
            reading = "about moving axes" if self._is_authored else "read about moving axes"
            self._title(painter, y, "Sequence", f"{reading}, {self._unit.key}")
            chip = QRectF(_LEFT + 68, y + 2, 42, 20)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(current_theme.qcolor("selected_row"))
            painter.drawRoundedRect(chip, METRICS.field_radius, METRICS.field_radius)
            self._text(painter, chip, self._sequence, fonts.number(METRICS.base, 500), Qt.AlignmentFlag.AlignCenter)
        y += _HEADING + 4
        for i, axis in enumerate(self._axes()):
            row = QRectF(_LEFT, y + i * _ANGLE_ROW, _WIDTH, _ANGLE_ROW)
            if values is None:
                self._mark(painter, row, axis, LETTERS[i])
            else:
                self._angle(painter, row, axis, float(values.angles[i]))
        return y + 3 * _ANGLE_ROW + 2

    def _mark(self, painter: QPainter, row: QRectF, axis: int, letter: str) -> None:
        name = AXIS_LETTERS[axis]
        middle = row.center().y()
        paint_axis_mark(painter, axis, QPointF(_LEFT + 5, middle), current_theme.qcolor(f"axis_{name}"))
        place = QRectF(_LEFT + 16, row.top(), 20, row.height())
        self._text(painter, place, letter, fonts.text(METRICS.scene_title, 500), role=f"axis_{name}_text")
        first, last = _TRACK
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(current_theme.qcolor("slider_track"))
        painter.drawRoundedRect(QRectF(first, middle - METRICS.track / 2, last - first, METRICS.track), 2, 2)
        painter.setPen(QPen(current_theme.qcolor("border"), 1))
        for share in (0.0, 0.25, 0.5, 0.75, 1.0):
            x = first + share * (last - first)
            painter.drawLine(QPointF(x, middle + 8), QPointF(x, middle + 11))

    def _angle(self, painter: QPainter, row: QRectF, axis: int, angle: float) -> None:
        """Paint an angle on its track, from -180 to 180 degrees, and as a number."""
        middle, (first, last) = row.center().y(), _TRACK
        within, turn = number_text.wrap_deg(float(np.degrees(angle)))
        zero, x = (first + last) / 2, first + (within + 180.0) / 360.0 * (last - first)
        color = current_theme.qcolor(f"axis_{AXIS_LETTERS[axis]}")
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(color)
        painter.drawRect(QRectF(min(zero, x), middle - METRICS.track / 2, abs(x - zero), METRICS.track))
        painter.setPen(QPen(color, METRICS.knob_rim))
        painter.setBrush(current_theme.qcolor("knob"))
        painter.drawEllipse(QPointF(x, middle), METRICS.knob / 2 - 1, METRICS.knob / 2 - 1)
        if turn:
            self._quiet(painter, QRectF(x + 9, row.top(), 24, 14), number_text.turn_mark(turn), METRICS.caption)
        number = number_text.fixed(self._unit.of_rad(angle), self._unit.decimals) + self._unit.sign
        self._text(painter, row, number, fonts.number(METRICS.scene_title), _TO_RIGHT)

    def _singularity(self, painter: QPainter, y: float, values: OrientationValues | None) -> float:
        bar = QRectF(_LEFT + 80, y + (_HEADING - METRICS.gauge) / 2, 100, METRICS.gauge)
        right = QRectF(_LEFT, y, _WIDTH, _HEADING)
        symbol = "|cos β|" if self._sequence[0] == self._sequence[2] else "|sin β|"
        symbol_width = fonts.width(fonts.text(METRICS.secondary), symbol) + 6
        if values is None:
            self._title(painter, y, "Singularity", symbol)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(current_theme.qcolor("slider_track"))
            painter.drawRoundedRect(bar, 2, 2)
        else:
            share = min(max(values.measure, 0.0), 1.0)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(current_theme.qcolor(gauge_color(share)))
            painter.drawRoundedRect(QRectF(bar.left(), bar.top(), share * bar.width(), bar.height()), 2, 2)
            for place, role in ((NEAR, "amber"), (LOCK, "red")):
                painter.setBrush(current_theme.qcolor("panel" if share > place else role))
                painter.drawRect(QRectF(bar.left() + place * bar.width(), bar.top() - 2, 1, bar.height() + 4))
            number = number_text.fixed(values.measure)
            self._text(painter, right.adjusted(0, 0, -symbol_width, 0), number, fonts.number(METRICS.base), _TO_RIGHT)
        return self._rule(painter, y + _HEADING + 8, values)

    def _matrix(self, painter: QPainter, y: float, values: OrientationValues | None) -> float:
        columns = _columns(_LEFT + 30, _RIGHT - 8, 3)
        if values is None:
            self._title(painter, y, "Matrix T", f"v₂ = T v₁, {self._parent} into {self._name}")
            for axis, (letter, place) in enumerate(zip(AXIS_LETTERS, columns, strict=True)):
                role = f"axis_{letter}_text"
                head = QRectF(place[0], y + _HEADING, place[1], 18)
                self._text(painter, head, f"{letter}₁", fonts.text(METRICS.secondary), _TO_RIGHT, role)
                side = QRectF(_LEFT, y + _HEADING + 18 + axis * _ROW, 30, _ROW)
                self._text(painter, side, f"{letter}₂", fonts.text(METRICS.secondary), role=role)
            self._brackets(painter, QRectF(_LEFT + 26, y + _HEADING + 19, _WIDTH - 26, 3 * _ROW - 2))
        else:
            for row, numbers in enumerate(values.R.T):
                self._numbers(painter, y + _HEADING + 18 + row * _ROW, columns, numbers)
        return y + _HEADING + 18 + 3 * _ROW + _GAP

    def _quaternion(self, painter: QPainter, y: float, values: OrientationValues | None) -> float:
        numbers = None if values is None else values.Q
        return self._four(painter, y, ("Quaternion", "scalar last"), "xyzw", numbers)

    def _axis(self, painter: QPainter, y: float, values: OrientationValues | None) -> float:
        numbers = None
        if values is not None:
            q = linear_algebra.quaternion_from_matrix(values.R.T, linear_algebra.NO_TURN)
            axis, angle = conventions.axis_angle_from_quaternion(q)
            numbers = np.append(axis, self._unit.of_rad(float(angle)))
        heading = ("Axis and angle", f"same in both frames, {self._unit.key}")
        return self._four(painter, y, heading, "xyz", numbers, self._unit.decimals)

    def _branches(self, painter: QPainter, y: float, values: OrientationValues | None) -> float:
        columns = _columns(_LEFT + 58, _RIGHT, 3)
        if values is None:
            self._title(painter, y, "Angles", "")
            self._quiet(painter, QRectF(_LEFT + 50, y, 30, _HEADING), self._unit.key)
            for letter, axis, (left, width) in zip(LETTERS, self._axes(), columns, strict=True):
                role = f"axis_{AXIS_LETTERS[axis]}_text"
                head = QRectF(left, y, width, _HEADING)
                self._text(painter, head, letter, fonts.text(METRICS.base, 500), _TO_RIGHT, role)
            for i in range(2):
                self._quiet(painter, QRectF(_LEFT, y + _HEADING + i * _ROW, 60, _ROW), f"branch {i + 1}")
        else:
            for i, angles in enumerate((values.first, values.second)):
                shown = [self._unit.of_rad(float(angle)) for angle in angles]
                self._numbers(painter, y + _HEADING + i * _ROW, columns, shown, self._unit.decimals)
        return y + _HEADING + 2 * _ROW + _GAP

    # --- Parts of blocks

    def _axes(self) -> list[int]:
        return ["XYZ".index(letter) for letter in self._sequence]

    def _four(
        self, painter: QPainter, y: float, title: Title, letters: str, numbers: Array | None, decimals: int = 4
    ) -> float:
        """Paint three components and a fourth number in a row, with their letters, if any."""
        columns = _columns(_LEFT, _RIGHT, 4, between=8.0)
        if numbers is None:
            self._title(painter, y, *title)
            for letter, (left, _) in zip(letters, columns, strict=False):
                role = "quiet" if letter == "w" else f"axis_{letter}_text"
                place = QRectF(left, y + _HEADING, 12, _ROW)
                self._text(painter, place, letter, fonts.text(METRICS.secondary), role=role)
        else:
            self._numbers(painter, y + _HEADING, columns[:3], numbers[:3])
            self._numbers(painter, y + _HEADING, columns[3:], numbers[3:], decimals)
        return y + _HEADING + _ROW + _GAP

    def _numbers(
        self, painter: QPainter, y: float, columns: Columns, numbers: Sequence[float] | Array, decimals: int = 4
    ) -> None:
        for number, (left, width) in zip(numbers, columns, strict=True):
            text = number_text.fixed(float(number), decimals)
            self._text(painter, QRectF(left, y, width, _ROW), text, fonts.number(METRICS.number), _TO_RIGHT)

    def _title(self, painter: QPainter, y: float, title: str, note: str) -> None:
        font = fonts.text(METRICS.base, 600)
        self._text(painter, QRectF(_LEFT, y, _WIDTH, _HEADING), title, font)
        quiet = fonts.text(METRICS.secondary)
        room = _WIDTH - fonts.width(font, title) - 12
        self._quiet(painter, QRectF(_LEFT, y, _WIDTH, _HEADING), _shorten(quiet, note, room), flags=_TO_RIGHT)

    def _rule(self, painter: QPainter, y: float, values: OrientationValues | None) -> float:
        if values is None:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(current_theme.qcolor("separator"))
            painter.drawRect(QRectF(_LEFT, y, _WIDTH, 1))
        return y + 8

    def _brackets(self, painter: QPainter, area: QRectF) -> None:
        painter.setPen(QPen(current_theme.qcolor("border"), 1.5))
        for x, inwards in ((area.left(), 4.0), (area.right(), -4.0)):
            painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()))
            for y in (area.top(), area.bottom()):
                painter.drawLine(QPointF(x, y), QPointF(x + inwards, y))

    def _quiet(
        self, painter: QPainter, at: QRectF, text: str, size: int = METRICS.secondary, flags: Qt.AlignmentFlag = _LEVEL
    ) -> None:
        font = fonts.text(size)
        self._text(painter, at, _shorten(font, text, at.width()), font, flags, "quiet")

    @staticmethod
    def _text(
        painter: QPainter, place: QRectF, text: str, font: QFont, flags: Qt.AlignmentFlag = _LEVEL, role: str = "text"
    ) -> None:
        painter.setFont(font)
        painter.setPen(current_theme.qcolor(role))
        painter.drawText(place, flags, text)


def _columns(left: float, right: float, n: int, between: float = 0.0) -> Columns:
    """Divide a width into `n` equal columns; return their left edges and widths."""
    width = (right - left - (n - 1) * between) / n
    return [(left + i * (width + between), width) for i in range(n)]


def _shorten(font: QFont, text: str, room: float) -> str:
    return QFontMetricsF(font).elidedText(text, Qt.TextElideMode.ElideRight, room)

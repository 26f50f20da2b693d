"""Delegate of a result row: icon, title with the matched letters bold, kind, and keys at the right."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from framescope.ui.formatting.fuzzy_match import Match
from framescope.ui.palette.command import ICONS, Command
from framescope.ui.theme import current_theme, fonts, icons, painters
from framescope.ui.theme.tokens import METRICS

FOUND_ROLE = Qt.ItemDataRole.UserRole + 1
ROW = 32
_CHIP_PADDING = 6
_VCENTER = int(Qt.AlignmentFlag.AlignVCenter)


class RowDelegate(QStyledItemDelegate):
    """Paints a row. Its data under `FOUND_ROLE` are a `Command` and its `Match`."""

    scale = 1.0
    """Factor of the row to its usual size, as for a presentation."""

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:  # noqa: ARG002
        return QSize(100, round(self.scale * ROW))

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        result: tuple[Command, Match] = index.data(FOUND_ROLE)
        command, match = result
        whole: QRect = option.rect  # type: ignore[attr-defined]
        row = QRect(0, 0, round(whole.width() / self.scale), ROW)
        state: QStyle.StateFlag = option.state  # type: ignore[attr-defined]
        painter.save()
        painter.translate(whole.topLeft())
        painter.scale(self.scale, self.scale)
        is_selected = bool(state & QStyle.StateFlag.State_Selected)
        if is_selected:
            painter.fillRect(row, current_theme.qcolor("selected_row"))
        elif state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(row, current_theme.qcolor("hover"))
        icon = "check" if command.is_on else command.icon or ICONS[command.kind]
        color = "accent_text" if is_selected or command.is_on else "quiet"
        top = row.top() + (row.height() - METRICS.icon) // 2
        sharpness = painter.device().devicePixelRatio() * self.scale
        painter.drawPixmap(row.left() + 12, top, icons.pixmap(icon, color, METRICS.icon, sharpness))
        right = row.right() - 10
        if command.shortcut:
            right = _paint_chip(painter, row, right, command.shortcut) - METRICS.gap
        left = row.left() + 12 + METRICS.icon + METRICS.gap
        kind_font = fonts.text(METRICS.secondary)
        kind_width = QFontMetrics(kind_font).horizontalAdvance(command.kind)
        area = QRect(left, row.top(), max(right - left - kind_width - METRICS.gap, 20), row.height())
        end = _paint_title(painter, area, command.title, set(match.places))
        painters.write_in(painter, kind_font, "quiet")
        painter.drawText(QRect(end + METRICS.gap, row.top(), kind_width + 2, row.height()), _VCENTER, command.kind)
        painter.restore()


def _paint_chip(painter: QPainter, row: QRect, right: int, keys: str) -> int:
    """Paint keys at the right. Return their left edge."""
    painter.setFont(fonts.text(METRICS.caption))
    width = painter.fontMetrics().horizontalAdvance(keys) + 2 * _CHIP_PADDING
    chip = QRect(right - width, row.top() + (row.height() - 20) // 2, width, 20)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(current_theme.qcolor("border"))
    painter.setBrush(current_theme.qcolor("raised"))
    painter.drawRoundedRect(chip.toRectF().adjusted(0.5, 0.5, -0.5, -0.5), METRICS.field_radius, METRICS.field_radius)
    painter.setPen(current_theme.qcolor("quiet"))
    painter.drawText(chip, int(Qt.AlignmentFlag.AlignCenter), keys)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    return chip.left()


def _paint_title(painter: QPainter, area: QRect, title: str, places: set[int]) -> int:
    """Paint a title with some letters bold, elided at the end of the area. Return its right edge."""
    plain, bold = fonts.text(METRICS.base), fonts.text(METRICS.base, QFont.Weight.DemiBold)
    painter.setPen(current_theme.qcolor("text"))
    x = area.left()
    for i, run in _runs(title, places):
        font = bold if i in places else plain
        painter.setFont(font)
        room = area.right() - x
        metrics = painter.fontMetrics()
        width = metrics.horizontalAdvance(run)
        if width > room:
            run = metrics.elidedText(run, Qt.TextElideMode.ElideRight, room)  # noqa: PLW2901 - the rest is cut
            width = metrics.horizontalAdvance(run)
            painter.drawText(QRect(x, area.top(), room + 2, area.height()), _VCENTER, run)
            return x + width
        painter.drawText(QRect(x, area.top(), width + 2, area.height()), _VCENTER, run)
        x += width
    return x


def _runs(title: str, places: set[int]) -> list[tuple[int, str]]:
    """Return runs of letters that are all bold or all plain, each with its start.

    >>> _runs("Look along", {0, 1, 5})
    [(0, 'Lo'), (2, 'ok '), (5, 'a'), (6, 'long')]
    """
    runs: list[tuple[int, str]] = []
    for i, letter in enumerate(title):
        if runs and (i in places) == (runs[-1][0] in places):
            runs[-1] = (runs[-1][0], runs[-1][1] + letter)
        else:
            runs.append((i, letter))
    return runs

"""The problems list: what is wrong, where, and how to mend it; a click goes to the item."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import (
    QAbstractItemView,
    QListView,
    QStackedWidget,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from framescope.core.errors import Problem
from framescope.ui import appearance, fonts, icons
from framescope.ui.panels.wording import ITEM_KINDS, NO_ITEM, SEVERITIES, ItemKey
from framescope.ui.theme import METRICS
from framescope.ui.widgets.empty_state import EmptyState

PROBLEM_ROLE = Qt.ItemDataRole.UserRole
_TEXT_FLAGS = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop | Qt.TextFlag.TextWordWrap)

Index = QModelIndex | QPersistentModelIndex


class ProblemsPanel(QStackedWidget):
    """The findings about the open scene, and about a file that could not be opened.

    Signals
    -------
    picked(object)
        The key of the item that the chosen problem is about.
    """

    picked = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "panel")
        self._empty = EmptyState("shield-check", "No problems", "Every check of this scene passed.")
        self._model = QStandardItemModel(self)
        self._list = QListView()
        self._list.setModel(self._model)
        self._list.setItemDelegate(ProblemDelegate(self._list))
        self._list.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self._list.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self._list.setResizeMode(QListView.ResizeMode.Adjust)
        self._list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._list.setAccessibleName("problems")
        self._list.clicked.connect(self._on_chosen)
        self._list.activated.connect(self._on_chosen)
        self.addWidget(self._empty)
        self.addWidget(self._list)

    def set_problems(self, problems: Sequence[Problem]) -> None:
        """Show the findings."""
        self._model.clear()
        for problem in problems:
            item = QStandardItem()
            item.setData(problem, PROBLEM_ROLE)
            item.setData(str(problem), Qt.ItemDataRole.AccessibleTextRole)
            item.setToolTip(_plain_tool_tip(problem))
            self._model.appendRow(item)
        self.setCurrentWidget(self._list if problems else self._empty)

    @property
    def problems(self) -> tuple[Problem, ...]:
        """The findings listed."""
        return tuple(self._model.item(i).data(PROBLEM_ROLE) for i in range(self._model.rowCount()))

    def _on_chosen(self, index: QModelIndex) -> None:
        problem: Problem = index.data(PROBLEM_ROLE)
        self.picked.emit(_item_key(problem))


class ProblemDelegate(QStyledItemDelegate):
    """Paints a problem: icon, the item's name with its place, and cause and mend below."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        view: QListView = option.widget  # type: ignore[attr-defined]
        width = view.viewport().width()
        problem: Problem = index.data(PROBLEM_ROLE)
        metrics = self._text_metrics(view)
        height = metrics.boundingRect(QRect(0, 0, _text_width(width), 2000), _TEXT_FLAGS, _sentence(problem)).height()
        return QSize(width, max(METRICS.problem_row, 12 + 18 + height + 12))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        painter.save()
        problem: Problem = index.data(PROBLEM_ROLE)
        row: QRect = option.rect  # type: ignore[attr-defined]
        state: QStyle.StateFlag = option.state  # type: ignore[attr-defined]
        if state & QStyle.StateFlag.State_Selected:
            painter.fillRect(row, appearance.qcolor("selected_row"))
            painter.fillRect(QRect(row.left(), row.top(), 2, row.height()), appearance.qcolor("accent"))
        elif state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(row, appearance.qcolor("hover"))
        painter.fillRect(QRect(row.left(), row.bottom(), row.width(), 1), appearance.qcolor("separator"))
        top = row.top() + 11
        painter.drawPixmap(METRICS.padding, top + 1, icons.pixmap(*SEVERITIES[problem.severity]))
        left = METRICS.padding + METRICS.icon + METRICS.gap
        line = QRect(left, top, row.width() - left - METRICS.gap, 18)
        self._paint_heading(painter, line, problem)
        painter.setFont(fonts.text(METRICS.secondary))
        painter.setPen(appearance.qcolor("quiet"))
        area = QRect(left, top + 19, _text_width(row.width()), row.height() - 30)
        painter.drawText(area, _TEXT_FLAGS, _sentence(problem))
        painter.restore()

    def _paint_heading(self, painter: QPainter, line: QRect, problem: Problem) -> None:
        name, place = _heading(problem)
        painter.setFont(fonts.text(METRICS.base, 600))
        painter.setPen(appearance.qcolor("text"))
        name = painter.fontMetrics().elidedText(name, Qt.TextElideMode.ElideRight, line.width())
        painter.drawText(line, int(Qt.AlignmentFlag.AlignVCenter), name)
        rest = line.adjusted(painter.fontMetrics().horizontalAdvance(name) + METRICS.gap, 0, 0, 0)
        painter.setFont(fonts.text(METRICS.secondary))
        painter.setPen(appearance.qcolor("quiet"))
        place = painter.fontMetrics().elidedText(place, Qt.TextElideMode.ElideLeft, rest.width())
        painter.drawText(rest, int(Qt.AlignmentFlag.AlignVCenter), place)

    @staticmethod
    def _text_metrics(view: QListView):  # noqa: ANN205 - a QFontMetrics of the painted font
        from PySide6.QtGui import QFontMetrics

        return QFontMetrics(fonts.text(METRICS.secondary), view)


def _text_width(row_width: int) -> int:
    return row_width - METRICS.padding - METRICS.icon - METRICS.gap - METRICS.padding


def _item_key(problem: Problem) -> ItemKey:
    return problem.item if problem.item is not None and problem.item[0] in ITEM_KINDS else NO_ITEM


def _heading(problem: Problem) -> tuple[str, str]:
    """Return the item's name, and the rest of the key path with the line."""
    line = f"line {problem.line}" if problem.line is not None else ""
    if problem.item is None:
        return problem.where or "the file", line
    rest = Problem(problem.key_path[2:], "").where
    return problem.item[1], " · ".join(part for part in (rest, line) if part)


def _sentence(problem: Problem) -> str:
    """Return cause and mend as sentences."""
    message = problem.message[:1].upper() + problem.message[1:]
    return f"{message} {problem.hint}".strip()


def _plain_tool_tip(problem: Problem) -> str:
    from html import escape

    return f"<qt>{escape(str(problem))}</qt>"

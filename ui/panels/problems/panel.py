"""Problems list, each with a button that fixes it. A click selects the item and the time."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import partial
from html import escape

from PySide6.QtCore import (
    QAbstractItemModel,
    QAbstractListModel,
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QAction, QFontMetrics, QKeySequence, QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QListView,
    QMenu,
    QSizePolicy,
    QStackedWidget,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from framescope.core.analysis.diagnostics.diagnosis import PACKAGE, is_of_missing_file
from framescope.core.errors import Problem, visible_text
from framescope.core.scene.schema.model import ITEM_KINDS, NO_ITEM, ItemKey
from framescope.ui.formatting.item_names import SEVERITIES
from framescope.ui.formatting.literal_text import literal_text
from framescope.ui.theme import current_theme, fonts, icons, painters
from framescope.ui.theme.tokens import METRICS
from framescope.ui.widgets.buttons import push_button
from framescope.ui.widgets.empty_state import EmptyState

PROBLEM_ROLE = Qt.ItemDataRole.UserRole

Index = QModelIndex | QPersistentModelIndex


class ProblemsModel(QAbstractListModel):
    """List model of problems."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.problems: tuple[Problem, ...] = ()

    def set_problems(self, problems: Sequence[Problem]) -> None:
        """Replace all problems, in this order."""
        self.beginResetModel()
        self.problems = tuple(problems)
        self.endResetModel()

    def rowCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self.problems)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        problem = self.problems[index.row()]
        match role:
            case Qt.ItemDataRole.UserRole:
                return problem
            case Qt.ItemDataRole.AccessibleTextRole:
                fix = f". Ctrl Return: {_button_text(problem)}" if _has_button(problem) else ""
                return f"{problem.title} {problem}{fix}".strip()
            case Qt.ItemDataRole.ToolTipRole:
                return f"<qt>{escape(str(problem))}</qt>"
            case _:
                return None


MEND_ALL, WORDS_FROM = "Fix all safe problems", 340
"""Text of the button for all safe fixes, and the panel width above which it is shown, logical pixels."""

FIND = "Find it…"
"""Text of the button for a missing file."""

CHOOSE = "Choose a fix"
"""Text of the button of a problem with several fixes, none of which is known to be right."""

CHOOSE_UNIT = "Choose unit"
"""Text of the button of a problem with a unit that is missing."""

ARROW = 22
"""Width of the part of a button that lists other fixes, logical pixels."""

_LINE = 18
"""Height of a line of a heading, logical pixels."""

NARROWEST = 220
"""Minimum width of a sentence beside its button, logical pixels."""

ORDER = ("red", "amber", "note")
WORDS = {"red": "problem", "amber": "warning", "note": "note"}
_TEXT_FLAGS = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop | Qt.TextFlag.TextWordWrap)

MAX_IN_HEIGHT = 20
"""Number of rows that count for the height that the panel asks for."""

AT_ONCE = 100
"""Number of rows that are laid out before the window handles further events."""


class ProblemsPanel(QStackedWidget):
    """Problems of a scene, or of a file that could not be opened.

    Signals
    -------
    picked(object)
        The key of the item of the selected problem.
    field_requested(object)
        The key path of the selected problem, which is fixed in its field: it has no button, or asks for a choice.
    time_requested(float)
        The time of the selected problem, s.
    mend_requested(object)
        The edit that fixes a problem.
    file_requested(object)
        The key path of a missing file to locate.
    action_requested(str)
        The name of the action of the window that fixes a problem.
    package_requested(str, str)
        The robot, and the name of its package to locate.
    listed()
        Other problems are shown.
    """

    picked = Signal(object)
    field_requested = Signal(object)
    time_requested = Signal(float)
    mend_requested = Signal(object)
    file_requested = Signal(object)
    action_requested = Signal(str)
    package_requested = Signal(str, str)
    listed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "panel")
        self._empty = EmptyState("shield-check", "No problems", "Every check of this scene passed.")
        still = "Recordings and measurements are still being checked."
        self._so_far = EmptyState("shield-check", "No problems so far", still)
        self._item = NO_ITEM
        """Item that is selected in the scene."""
        self.model = ProblemsModel(self)
        self.list_view = QListView()
        self.list_view.setModel(self.model)
        self.delegate = ProblemDelegate(self.list_view)
        self.delegate.pressed.connect(self._mend)
        self.delegate.choice_requested.connect(self._choose)
        self.list_view.setItemDelegate(self.delegate)
        self.list_view.setMouseTracking(True)
        self.list_view.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.list_view.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.list_view.setResizeMode(QListView.ResizeMode.Adjust)
        self.list_view.setWordWrap(True)  # otherwise Qt keeps the heights of rows when only the width changes
        self.list_view.setLayoutMode(QListView.LayoutMode.Batched)
        self.list_view.setBatchSize(AT_ONCE)
        self.list_view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list_view.setAccessibleName("problems")
        self.list_view.clicked.connect(self._on_chosen)
        self.list_view.activated.connect(self._on_chosen)
        mend = QAction("Fix", self.list_view)
        mend.setShortcut(QKeySequence("Ctrl+Return"))
        mend.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        mend.triggered.connect(lambda: self._mend(self.list_view.currentIndex()))
        self.list_view.addAction(mend)
        self.list_view.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.list_view.customContextMenuRequested.connect(lambda _at: self._choose(self.list_view.currentIndex()))
        self.choices = QMenu(self)
        self.choices.setToolTipsVisible(True)
        self.counts = SeverityCounts()
        self.mend_all = push_button(MEND_ALL, "wand-sparkles", kind="small", accessibleName=MEND_ALL)
        self.mend_all.setToolTip("Applies every fix that changes nothing but its problem, as one undo step")
        # Without its text, the button is as narrow as its icon. Otherwise it would keep the dock wide.
        self.mend_all.setMinimumWidth(METRICS.button)
        self.mend_all.hide()
        self.addWidget(self._empty)
        self.addWidget(self._so_far)
        self.addWidget(self.list_view)

    def set_problems(self, problems: Sequence[Problem], *, are_all: bool = True) -> None:
        """Show the problems, the most severe first. The selection stays if its problem remains.

        Unless they `are_all`, checks are still running.
        """
        problems = sorted(problems, key=lambda problem: ORDER.index(problem.severity))
        chosen: Problem | None = self.list_view.currentIndex().data(PROBLEM_ROLE)
        self.model.set_problems(problems)
        if chosen is not None:
            i_same = next((i for i, problem in enumerate(problems) if problem == chosen), -1)
            self.list_view.setCurrentIndex(self.model.index(i_same))
        self._select_row()
        self.setCurrentWidget(self.list_view if problems else self._empty if are_all else self._so_far)
        self.counts.set_counts({kind: sum(problem.severity == kind for problem in problems) for kind in ORDER})
        self.mend_all.setVisible(any(problem.has_safe_fix for problem in problems))
        self.listed.emit()

    def set_selected_item(self, key: ItemKey) -> None:
        """Select the first problem of the item that is selected in the scene, now or once it is listed."""
        self._item = key
        self._select_row()

    def _select_row(self) -> None:
        """Select the first problem of the selected item, unless one of its problems is selected already."""
        chosen: Problem | None = self.list_view.currentIndex().data(PROBLEM_ROLE)
        if self._item == NO_ITEM or (chosen is not None and _item_key(chosen) == self._item):
            return
        row = next((i for i, one in enumerate(self.problems) if _item_key(one) == self._item), None)
        if row is not None:
            self.list_view.setCurrentIndex(self.model.index(row))

    @property
    def problems(self) -> tuple[Problem, ...]:
        """Listed problems."""
        return self.model.problems

    @property
    def needed_height(self) -> int:
        """Height in which all problems can be read without scrolling, logical pixels."""
        return sum(self.list_view.sizeHintForRow(row) for row in range(min(len(self.problems), MAX_IN_HEIGHT)))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        # In a narrow panel the button has only its icon. The tooltip has the text.
        self.mend_all.setText(MEND_ALL if self.width() >= WORDS_FROM else "")

    def _on_chosen(self, index: QModelIndex) -> None:
        problem: Problem | None = index.data(PROBLEM_ROLE)
        if problem is None:  # its button has fixed it
            return
        self.picked.emit(_item_key(problem))
        if problem.time is not None:
            self.time_requested.emit(problem.time)
        if problem.choices or not _has_button(problem):
            self.field_requested.emit(problem.key_path)

    def _mend(self, index: Index) -> None:
        problem: Problem | None = index.data(PROBLEM_ROLE)
        if problem is not None and problem.action:
            self.action_requested.emit(problem.action)
        elif problem is not None and problem.fix is not None:
            self.mend_requested.emit(problem.fix.change)
        elif problem is not None and problem.kind == PACKAGE:
            _, robot, _, package = problem.key_path
            self.package_requested.emit(robot, package)
        elif problem is not None and is_of_missing_file(problem):
            self.file_requested.emit(problem.key_path)
        elif problem is not None:
            self._choose(index)

    def _choose(self, index: Index) -> None:
        """Show all fixes of a problem, with their effect on the measurements."""
        problem: Problem | None = index.data(PROBLEM_ROLE)
        if problem is None or not problem.fixes:
            return
        self.choices.clear()
        for fix in problem.fixes:
            action = self.choices.addAction(fix.text)
            action.setToolTip(literal_text(fix.effect or f"One step, which undo calls “{fix.change.label}”"))
            action.triggered.connect(partial(self.mend_requested.emit, fix.change))
        row = self.list_view.visualRect(self.model.index(index.row()))
        self.choices.popup(self.list_view.viewport().mapToGlobal(self.delegate.button_rect(row, problem).bottomLeft()))


class SeverityCounts(QWidget):
    """Counts of problems by severity, each with its icon. Severities without problems are left out."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._counts: Mapping[str, int] = {}
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def set_counts(self, counts: Mapping[str, int]) -> None:
        """Show the count of each severity."""
        self._counts = {severity: n for severity, n in counts.items() if n}
        text = ", ".join(f"{n} {WORDS[severity]}{'s' * (n > 1)}" for severity, n in self._counts.items())
        self.setToolTip(literal_text(text))
        self.setAccessibleName(text)
        self.setVisible(bool(text))
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        numbers = (fonts.width(fonts.text(METRICS.secondary), str(n)) for n in self._counts.values())
        width = sum(METRICS.row_icon + METRICS.inner + number + METRICS.gap for number in numbers)
        return QSize(math.ceil(width), METRICS.small_button)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        painter = QPainter(self)
        painters.write_in(painter, fonts.text(METRICS.secondary), "quiet")
        x, middle = 0.0, int(Qt.AlignmentFlag.AlignVCenter)
        for severity, n in self._counts.items():
            picture = icons.pixmap(*SEVERITIES[severity], METRICS.row_icon)
            painter.drawPixmap(round(x), (self.height() - METRICS.row_icon) // 2, picture)
            x += METRICS.row_icon + METRICS.inner
            width = fonts.width(painter.font(), str(n))
            painter.drawText(QRectF(x, 0.0, width + 1, self.height()), middle, str(n))
            x += width + METRICS.gap


class ProblemDelegate(QStyledItemDelegate):
    """Paints a problem: icon, heading with name and title, cause and hint, and the button of its fix.

    Signals
    -------
    pressed(QModelIndex)
        The button of a row was pressed.
    choice_requested(QModelIndex)
        The arrow on the button of a row with several fixes was pressed.
    """

    pressed = Signal(object)
    choice_requested = Signal(object)

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        view: QListView = option.widget  # type: ignore[attr-defined]
        width = view.viewport().width()
        problem: Problem = index.data(PROBLEM_ROLE)
        metrics = QFontMetrics(fonts.text(METRICS.secondary), view)
        room = QRect(0, 0, self.text_width(width, problem), 2000)
        height = metrics.boundingRect(room, _TEXT_FLAGS, full_text(problem)).height()
        above = 12 + self._heading_height(width, problem)
        if self._is_below(width, problem):
            return QSize(width, above + height + METRICS.gap + METRICS.button + 12)
        if self._is_under_heading(width, problem):
            height = max(height, METRICS.button)
        return QSize(width, max(METRICS.problem_row, above + height + 12))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        painter.save()
        problem: Problem = index.data(PROBLEM_ROLE)
        row: QRect = option.rect  # type: ignore[attr-defined]
        state: QStyle.StateFlag = option.state  # type: ignore[attr-defined]
        is_chosen = bool(state & QStyle.StateFlag.State_Selected)
        if is_chosen:
            painter.fillRect(row, current_theme.qcolor("selected_row"))
            painter.fillRect(QRect(row.left(), row.top(), 2, row.height()), current_theme.qcolor("accent"))
        elif state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(row, current_theme.qcolor("hover"))
        painter.fillRect(QRect(row.left(), row.bottom(), row.width(), 1), current_theme.qcolor("separator"))
        top = row.top() + 11
        painter.drawPixmap(METRICS.padding, top + 1, icons.pixmap(*SEVERITIES[problem.severity]))
        left = METRICS.padding + METRICS.icon + METRICS.gap
        width = self.text_width(row.width(), problem)
        heading = self._heading_height(row.width(), problem)
        self._paint_heading(painter, self.heading_rect(row, problem), problem)
        painters.write_in(painter, fonts.text(METRICS.secondary), "quiet")
        below = METRICS.gap + METRICS.button if self._is_below(row.width(), problem) else 0
        area = QRect(left, top + 1 + heading, width, row.height() - 12 - heading - below)
        painter.drawText(area, _TEXT_FLAGS, full_text(problem))
        if _has_button(problem):
            self._paint_button(painter, row, problem, is_main=is_chosen)
        painter.restore()

    def editorEvent(self, event: QEvent, model: QAbstractItemModel, option: QStyleOptionViewItem, index: Index) -> bool:
        if isinstance(event, QMouseEvent) and event.button() == Qt.MouseButton.LeftButton:
            problem: Problem = index.data(PROBLEM_ROLE)
            row: QRect = option.rect  # type: ignore[attr-defined]
            at = event.position().toPoint()
            if _has_button(problem) and self.button_rect(row, problem).contains(at):
                if event.type() == QEvent.Type.MouseButtonRelease:
                    is_arrow = self.arrow_rect(row, problem).contains(at)
                    is_choice = is_arrow or (_has_menu(problem) and not _has_known_fix(problem))
                    (self.choice_requested if is_choice else self.pressed).emit(index)
                return True
        return super().editorEvent(event, model, option, index)

    def button_rect(self, row: QRect, problem: Problem) -> QRect:
        """Return the rectangle of the button of a row."""
        width = self._button_width(problem)
        if self._is_below(row.width(), problem):
            left = row.left() + METRICS.padding + METRICS.icon + METRICS.gap
            return QRect(left, row.bottom() - 11 - METRICS.button, width, METRICS.button)
        left = row.right() - METRICS.padding - width + 1
        is_under = self._is_under_heading(row.width(), problem)
        above = 12 + self._heading_height(row.width(), problem) if is_under else 0
        below = 12 if above else 0
        top = row.top() + above + (row.height() - above - below - METRICS.button) // 2
        return QRect(left, top, width, METRICS.button)

    def arrow_rect(self, row: QRect, problem: Problem) -> QRect:
        """Return the rectangle of the arrow on the button of a row with several fixes; empty with one fix."""
        button = self.button_rect(row, problem)
        return button.adjusted(button.width() - ARROW, 0, 0, 0) if _has_menu(problem) else QRect()

    def heading_rect(self, row: QRect, problem: Problem) -> QRect:
        """Return the rectangle of the heading: name and title of the problem."""
        width = row.width()
        is_whole = self._is_under_heading(width, problem)
        left = METRICS.padding + METRICS.icon + METRICS.gap
        room = self.content_width(width) if is_whole else self.text_width(width, problem)
        return QRect(left, row.top() + 11, room, self._heading_height(width, problem))

    def _button_width(self, problem: Problem) -> int:
        text = QFontMetrics(fonts.text(METRICS.secondary)).horizontalAdvance(_button_text(problem))
        return text + 2 * METRICS.gap + 4 + (ARROW if _has_menu(problem) else 0)

    def text_width(self, row_width: int, problem: Problem) -> int:
        is_beside = _has_button(problem) and not self._is_below(row_width, problem)
        return self.content_width(row_width) - (self._button_width(problem) + METRICS.gap if is_beside else 0)

    def content_width(self, row_width: int) -> int:
        return row_width - METRICS.padding - METRICS.icon - METRICS.gap - METRICS.padding

    def _is_below(self, row_width: int, problem: Problem) -> bool:
        """Return whether the button is below the sentence, because the sentence beside it would be too narrow."""
        beside = self.content_width(row_width) - self._button_width(problem) - METRICS.gap
        return _has_button(problem) and beside < NARROWEST

    def _is_under_heading(self, row_width: int, problem: Problem) -> bool:
        """Return whether the button is beside the sentence only, because the heading needs the full width."""
        is_beside = _has_button(problem) and not self._is_below(row_width, problem)
        return is_beside and _width_of_heading(problem) > self.text_width(row_width, problem)

    def _heading_height(self, row_width: int, problem: Problem) -> int:
        """Return the height of the heading: two lines if name and title do not fit side by side."""
        return _LINE if _width_of_heading(problem) <= self.content_width(row_width) else 2 * _LINE

    def _paint_button(self, painter: QPainter, row: QRect, problem: Problem, *, is_main: bool) -> None:
        area, arrow = self.button_rect(row, problem), self.arrow_rect(row, problem)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(current_theme.qcolor("accent" if is_main else "border"))
        painter.setBrush(current_theme.qcolor("accent" if is_main else "raised"))
        painter.drawRoundedRect(
            area.toRectF().adjusted(0.5, 0.5, -0.5, -0.5), METRICS.button_radius, METRICS.button_radius
        )
        ink = "on_accent" if is_main else "text"
        painters.write_in(painter, fonts.text(METRICS.secondary, 550), ink)
        left = area.adjusted(0, 0, -arrow.width(), 0)
        painter.drawText(left, int(Qt.AlignmentFlag.AlignCenter), _button_text(problem))
        if not arrow.isEmpty():
            if _has_known_fix(problem):
                painter.setPen(current_theme.qcolor("on_accent" if is_main else "border"))
                painter.drawLine(arrow.left(), arrow.top() + 6, arrow.left(), arrow.bottom() - 6)
            picture = icons.pixmap("chevron-down", ink, METRICS.row_icon)
            painter.drawPixmap(
                arrow.center().x() - METRICS.row_icon // 2 + 1, arrow.center().y() - METRICS.row_icon // 2 + 1, picture
            )

    def _paint_heading(self, painter: QPainter, area: QRect, problem: Problem) -> None:
        name, place = _heading(problem)
        line = QRect(area.topLeft(), QSize(area.width(), _LINE))
        painters.write_in(painter, fonts.text(METRICS.base, 600), "text")
        name = painter.fontMetrics().elidedText(name, Qt.TextElideMode.ElideRight, line.width())
        painter.drawText(line, int(Qt.AlignmentFlag.AlignVCenter), name)
        place_area = line.adjusted(painter.fontMetrics().horizontalAdvance(name) + METRICS.gap, 0, 0, 0)
        if area.height() > _LINE:
            place_area = line.translated(0, _LINE)
        painters.write_in(painter, fonts.text(METRICS.secondary), "quiet")
        if painter.fontMetrics().horizontalAdvance(place) > place_area.width():
            place = _without_line(place)
        place = painter.fontMetrics().elidedText(place, Qt.TextElideMode.ElideRight, place_area.width())
        painter.drawText(place_area, int(Qt.AlignmentFlag.AlignVCenter), place)


def _has_button(problem: Problem) -> bool:
    return bool(problem.fixes or problem.action) or is_of_missing_file(problem)


def _has_known_fix(problem: Problem) -> bool:
    """Return whether a press of the button fixes the problem, rather than listing possible fixes."""
    return problem.fix is not None or bool(problem.action)


def _has_menu(problem: Problem) -> bool:
    """Return whether the button lists fixes, besides the one that it applies."""
    return bool(problem.others) or bool(problem.action and problem.fixes)


def _button_text(problem: Problem) -> str:
    """Return the text of a problem's button: its fix if one is known to be right."""
    if problem.action:
        return problem.action_text
    if problem.fix is None and is_of_missing_file(problem):
        return FIND
    chosen = CHOOSE_UNIT if problem.choices else CHOOSE
    return problem.fix_text if problem.fix is not None else chosen


def _item_key(problem: Problem) -> ItemKey:
    return problem.item if problem.item is not None and problem.item[0] in ITEM_KINDS else NO_ITEM


def _heading(problem: Problem) -> tuple[str, str]:
    """Return the item's name; and the problem's title or the rest of its key path, with the line in the file."""
    line = f"line {problem.line}" if problem.line is not None else ""
    if problem.item is None:
        return problem.where or "the file", " · ".join(part for part in (problem.title, line) if part)
    what = problem.title or Problem(problem.key_path[2:], "").where
    return visible_text(problem.item[1]), " · ".join(part for part in (what, line) if part)


def _without_line(place: str) -> str:
    """Return the text beside the name without the line in the file, for narrow panels."""
    return place.rpartition(" · ")[0] or place


def _width_of_heading(problem: Problem) -> int:
    """Return the width of the heading without the line in the file."""
    name, place = _heading(problem)
    text = fonts.width(fonts.text(METRICS.secondary), _without_line(place))
    return math.ceil(fonts.width(fonts.text(METRICS.base, 600), name) + METRICS.gap + text)


def full_text(problem: Problem) -> str:
    """Return cause and hint as sentences. A file name at the start keeps its first letter."""
    first = problem.message.partition(" ")[0].rstrip(",:.")
    message = problem.message if "." in first else problem.message[:1].upper() + problem.message[1:]
    return f"{message} {problem.hint}".strip()

"""Problems list: each with a button that mends it; a click goes to the item and the time."""

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

from framescope.core.analysis.diagnostics import Diagnosis
from framescope.core.analysis.diagnostics.diagnosis import PACKAGE
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
    """Rows of problems."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.diagnoses: tuple[Diagnosis, ...] = ()

    def set_problems(self, problems: Sequence[Diagnosis]) -> None:
        """Show other problems, in this order."""
        self.beginResetModel()
        self.diagnoses = tuple(problems)
        self.endResetModel()

    def rowCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self.diagnoses)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        problem = self.diagnoses[index.row()]
        match role:
            case Qt.ItemDataRole.UserRole:
                return problem
            case Qt.ItemDataRole.AccessibleTextRole:
                mend = f". Ctrl Return: {_button_text(problem)}" if _has_button(problem) else ""
                return f"{problem.title} {problem.problem}{mend}".strip()
            case Qt.ItemDataRole.ToolTipRole:
                return f"<qt>{escape(str(problem.problem))}</qt>"
            case _:
                return None


MEND_ALL, WORDS_FROM = "Mend all that is safe", 340
"""The button that mends all, and how wide the panel is for it to be said in words, logical pixels."""

FIND = "Find it…"
"""The button of a problem that a file is not there."""

CHOOSE = "Choose a mend"
"""The button of a problem with several mends, of which none is known to be the right one."""

ARROW = 22
"""Width of the part of a button that lists other mends, logical pixels."""

_LINE = 18
"""Height of a line of a heading, logical pixels."""

NARROWEST = 150
"""Of a sentence beside its button, logical pixels."""

ORDER = ("red", "amber", "note")
WORDS = {"red": "problem", "amber": "warning", "note": "note"}
_TEXT_FLAGS = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop | Qt.TextFlag.TextWordWrap)

AT_ONCE = 100
"""How many rows are measured before the window takes the next orders."""


class ProblemsPanel(QStackedWidget):
    """The problems of a scene, or of a file that could not be opened.

    Signals
    -------
    picked(object)
        The key of the item that the chosen problem is about.
    time_requested(float)
        When it is in the scene, s.
    mend_requested(object)
        The edit that mends a problem.
    file_requested(object)
        The key path at which a file is named that is not there: it is to be found.
    package_requested(str, str)
        The robot, and the package that it names, which is to be found.
    listed()
        Other problems are shown.
    """

    picked = Signal(object)
    time_requested = Signal(float)
    mend_requested = Signal(object)
    file_requested = Signal(object)
    package_requested = Signal(str, str)
    listed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "panel")
        self._empty = EmptyState("shield-check", "No problems", "Every check of this scene passed.")
        self._so_far = EmptyState("shield-check", "No problems so far", "Recordings and measurements are looked into.")
        self._model = ProblemsModel(self)
        self._list = QListView()
        self._list.setModel(self._model)
        self._delegate = ProblemDelegate(self._list)
        self._delegate.pressed.connect(self._mend)
        self._delegate.choice_requested.connect(self._choose)
        self._list.setItemDelegate(self._delegate)
        self._list.setMouseTracking(True)
        self._list.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self._list.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self._list.setResizeMode(QListView.ResizeMode.Adjust)
        self._list.setLayoutMode(QListView.LayoutMode.Batched)
        self._list.setBatchSize(AT_ONCE)
        self._list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._list.setAccessibleName("problems")
        self._list.clicked.connect(self._on_chosen)
        self._list.activated.connect(self._on_chosen)
        mend = QAction("Mend", self._list)
        mend.setShortcut(QKeySequence("Ctrl+Return"))
        mend.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        mend.triggered.connect(lambda: self._mend(self._list.currentIndex()))
        self._list.addAction(mend)
        self._list.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self._list.customContextMenuRequested.connect(lambda _at: self._choose(self._list.currentIndex()))
        self.choices = QMenu(self)
        self.choices.setToolTipsVisible(True)
        self.counts = SeverityCounts()
        self.mend_all = push_button(MEND_ALL, "wand-sparkles", kind="small", accessibleName=MEND_ALL)
        self.mend_all.setToolTip("Does every mend that changes nothing but the problem, as one step of undo")
        # Its words must not hold the dock open: without them it is as narrow as its icon.
        self.mend_all.setMinimumWidth(METRICS.button)
        self.mend_all.hide()
        self.addWidget(self._empty)
        self.addWidget(self._so_far)
        self.addWidget(self._list)

    def set_problems(self, problems: Sequence[Diagnosis], *, are_all: bool = True) -> None:
        """Show the problems, the worst first; the chosen one stays chosen where it is still there.

        Unless they `are_all`, it is still being looked for others.
        """
        problems = sorted(problems, key=lambda problem: ORDER.index(problem.problem.severity))
        chosen: Diagnosis | None = self._list.currentIndex().data(PROBLEM_ROLE)
        self._model.set_problems(problems)
        if chosen is not None:
            same = next((i for i, problem in enumerate(problems) if problem.problem == chosen.problem), -1)
            self._list.setCurrentIndex(self._model.index(same))
        self.setCurrentWidget(self._list if problems else self._empty if are_all else self._so_far)
        self.counts.set_counts({kind: sum(problem.problem.severity == kind for problem in problems) for kind in ORDER})
        self.mend_all.setVisible(any(problem.is_safe for problem in problems))
        self.listed.emit()

    @property
    def problems(self) -> tuple[Problem, ...]:
        """The findings listed."""
        return tuple(problem.problem for problem in self.diagnoses)

    @property
    def diagnoses(self) -> tuple[Diagnosis, ...]:
        """The problems listed."""
        return self._model.diagnoses

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        # In a narrow panel the icon has to do: its tool tip says the rest.
        self.mend_all.setText(MEND_ALL if self.width() >= WORDS_FROM else "")

    def _on_chosen(self, index: QModelIndex) -> None:
        problem: Diagnosis | None = index.data(PROBLEM_ROLE)
        if problem is None:  # its button has mended it
            return
        self.picked.emit(_item_key(problem.problem))
        if problem.problem.time is not None:
            self.time_requested.emit(problem.problem.time)

    def _mend(self, index: Index) -> None:
        problem: Diagnosis | None = index.data(PROBLEM_ROLE)
        if problem is not None and problem.mend is not None:
            self.mend_requested.emit(problem.mend)
        elif problem is not None and problem.kind == PACKAGE:
            _, robot, _, package = problem.problem.key_path
            self.package_requested.emit(robot, package)
        elif problem is not None and problem.is_of_missing_file:
            self.file_requested.emit(problem.problem.key_path)
        elif problem is not None:
            self._choose(index)

    def _choose(self, index: Index) -> None:
        """Show all mends of a problem, each with what it makes of everything that is measured."""
        problem: Diagnosis | None = index.data(PROBLEM_ROLE)
        if problem is None or not problem.mends:
            return
        self.choices.clear()
        for each in problem.mends:
            action = self.choices.addAction(each.text)
            action.setToolTip(literal_text(each.says or each.edit.label))
            action.triggered.connect(partial(self.mend_requested.emit, each.edit))
        row = self._list.visualRect(self._model.index(index.row()))
        self.choices.popup(self._list.viewport().mapToGlobal(self._delegate.button_rect(row, problem).bottomLeft()))


class SeverityCounts(QWidget):
    """Counts of problems by severity, each number behind its icon; those without any are left out."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._counts: Mapping[str, int] = {}
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def set_counts(self, counts: Mapping[str, int]) -> None:
        """Show so many of each severity."""
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
    """Paints a problem: icon, the item's name with what it is, cause and hint below, and the button of its mend.

    Signals
    -------
    pressed(QModelIndex)
        The button of a row.
    choice_requested(QModelIndex)
        The arrow of the button of a row that has several mends.
    """

    pressed = Signal(object)
    choice_requested = Signal(object)

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        view: QListView = option.widget  # type: ignore[attr-defined]
        width = view.viewport().width()
        problem: Diagnosis = index.data(PROBLEM_ROLE)
        metrics = QFontMetrics(fonts.text(METRICS.secondary), view)
        room = QRect(0, 0, self._text_width(width, problem), 2000)
        height = metrics.boundingRect(room, _TEXT_FLAGS, _sentence(problem.problem)).height()
        above = 12 + self._heading_height(width, problem)
        if self._is_below(width, problem):
            return QSize(width, above + height + METRICS.gap + METRICS.button + 12)
        if self._is_under_heading(width, problem):
            height = max(height, METRICS.button)
        return QSize(width, max(METRICS.problem_row, above + height + 12))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        painter.save()
        error_text: Diagnosis = index.data(PROBLEM_ROLE)
        problem = error_text.problem
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
        width = self._text_width(row.width(), error_text)
        heading = self._heading_height(row.width(), error_text)
        self._paint_heading(painter, self.heading_rect(row, error_text), error_text)
        painters.write_in(painter, fonts.text(METRICS.secondary), "quiet")
        below = METRICS.gap + METRICS.button if self._is_below(row.width(), error_text) else 0
        area = QRect(left, top + 1 + heading, width, row.height() - 12 - heading - below)
        painter.drawText(area, _TEXT_FLAGS, _sentence(problem))
        if _has_button(error_text):
            self._paint_button(painter, row, error_text, is_main=is_chosen)
        painter.restore()

    def editorEvent(self, event: QEvent, model: QAbstractItemModel, option: QStyleOptionViewItem, index: Index) -> bool:
        if isinstance(event, QMouseEvent) and event.button() == Qt.MouseButton.LeftButton:
            problem: Diagnosis = index.data(PROBLEM_ROLE)
            row: QRect = option.rect  # type: ignore[attr-defined]
            at = event.position().toPoint()
            if _has_button(problem) and self.button_rect(row, problem).contains(at):
                if event.type() == QEvent.Type.MouseButtonRelease:
                    is_choice = (problem.mend is None and bool(problem.others)) or self.arrow_rect(
                        row, problem
                    ).contains(at)
                    (self.choice_requested if is_choice else self.pressed).emit(index)
                return True
        return super().editorEvent(event, model, option, index)

    def button_rect(self, row: QRect, problem: Diagnosis) -> QRect:
        """Return where the button of a row is."""
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

    def arrow_rect(self, row: QRect, problem: Diagnosis) -> QRect:
        """Return where the button of a row that has several mends opens their list; empty where there is one."""
        button = self.button_rect(row, problem)
        return button.adjusted(button.width() - ARROW, 0, 0, 0) if problem.others else QRect()

    def heading_rect(self, row: QRect, problem: Diagnosis) -> QRect:
        """Return where the name stands, and what is wrong."""
        width = row.width()
        is_whole = self._is_under_heading(width, problem)
        left = METRICS.padding + METRICS.icon + METRICS.gap
        room = self._room(width) if is_whole else self._text_width(width, problem)
        return QRect(left, row.top() + 11, room, self._heading_height(width, problem))

    def _button_width(self, problem: Diagnosis) -> int:
        text = QFontMetrics(fonts.text(METRICS.secondary)).horizontalAdvance(_button_text(problem))
        return text + 2 * METRICS.gap + 4 + (ARROW if problem.others else 0)

    def _text_width(self, row_width: int, problem: Diagnosis) -> int:
        is_beside = _has_button(problem) and not self._is_below(row_width, problem)
        return self._room(row_width) - (self._button_width(problem) + METRICS.gap if is_beside else 0)

    def _room(self, row_width: int) -> int:
        return row_width - METRICS.padding - METRICS.icon - METRICS.gap - METRICS.padding

    def _is_below(self, row_width: int, problem: Diagnosis) -> bool:
        """Return whether the button stands below the sentence, which would be too narrow beside it."""
        beside = self._room(row_width) - self._button_width(problem) - METRICS.gap
        return _has_button(problem) and beside < NARROWEST

    def _is_under_heading(self, row_width: int, problem: Diagnosis) -> bool:
        """Return whether the button stands beside the sentence alone, as the heading needs the whole line."""
        is_beside = _has_button(problem) and not self._is_below(row_width, problem)
        return is_beside and _width_of_heading(problem) > self._text_width(row_width, problem)

    def _heading_height(self, row_width: int, problem: Diagnosis) -> int:
        """Return how high the heading is: two lines where what is wrong finds no room beside the name."""
        return _LINE if _width_of_heading(problem) <= self._room(row_width) else 2 * _LINE

    def _paint_button(self, painter: QPainter, row: QRect, problem: Diagnosis, *, is_main: bool) -> None:
        area, arrow = self.button_rect(row, problem), self.arrow_rect(row, problem)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(current_theme.qcolor("accent" if is_main else "field_border"))
        painter.setBrush(current_theme.qcolor("accent" if is_main else "raised"))
        painter.drawRoundedRect(
            area.toRectF().adjusted(0.5, 0.5, -0.5, -0.5), METRICS.button_radius, METRICS.button_radius
        )
        ink = "on_accent" if is_main else "text"
        painters.write_in(painter, fonts.text(METRICS.secondary, 550), ink)
        left = area.adjusted(0, 0, -arrow.width(), 0)
        painter.drawText(left, int(Qt.AlignmentFlag.AlignCenter), _button_text(problem))
        if not arrow.isEmpty():
            if problem.mend is not None:
                painter.setPen(current_theme.qcolor("on_accent" if is_main else "field_border"))
                painter.drawLine(arrow.left(), arrow.top() + 6, arrow.left(), arrow.bottom() - 6)
            picture = icons.pixmap("chevron-down", ink, METRICS.row_icon)
            painter.drawPixmap(
                arrow.center().x() - METRICS.row_icon // 2 + 1, arrow.center().y() - METRICS.row_icon // 2 + 1, picture
            )

    def _paint_heading(self, painter: QPainter, area: QRect, problem: Diagnosis) -> None:
        name, place = _heading(problem)
        line = QRect(area.topLeft(), QSize(area.width(), _LINE))
        painters.write_in(painter, fonts.text(METRICS.base, 600), "text")
        name = painter.fontMetrics().elidedText(name, Qt.TextElideMode.ElideRight, line.width())
        painter.drawText(line, int(Qt.AlignmentFlag.AlignVCenter), name)
        rest = line.adjusted(painter.fontMetrics().horizontalAdvance(name) + METRICS.gap, 0, 0, 0)
        if area.height() > _LINE:
            rest = line.translated(0, _LINE)
        painters.write_in(painter, fonts.text(METRICS.secondary), "quiet")
        if painter.fontMetrics().horizontalAdvance(place) > rest.width():
            place = _without_line(place)
        place = painter.fontMetrics().elidedText(place, Qt.TextElideMode.ElideRight, rest.width())
        painter.drawText(rest, int(Qt.AlignmentFlag.AlignVCenter), place)


def _has_button(problem: Diagnosis) -> bool:
    return bool(problem.mends) or problem.is_of_missing_file


def _button_text(problem: Diagnosis) -> str:
    """Return the words of the button of a problem: of the first mend, where one is known to be the right one."""
    if problem.mend is None and problem.is_of_missing_file:
        return FIND
    return problem.mend_text if problem.mend is not None else CHOOSE


def _item_key(problem: Problem) -> ItemKey:
    return problem.item if problem.item is not None and problem.item[0] in ITEM_KINDS else NO_ITEM


def _heading(error_text: Diagnosis) -> tuple[str, str]:
    """Return the item's name; and what is wrong with it, or the rest of the key path, with the line."""
    problem = error_text.problem
    line = f"line {problem.line}" if problem.line is not None else ""
    if problem.item is None:
        return problem.where or "the file", " · ".join(part for part in (error_text.title, line) if part)
    what = error_text.title or Problem(problem.key_path[2:], "").where
    return visible_text(problem.item[1]), " · ".join(part for part in (what, line) if part)


def _without_line(place: str) -> str:
    """Return what is said beside the name where there is little room: what and when matter more than the line."""
    return place.rpartition(" · ")[0] or place


def _width_of_heading(problem: Diagnosis) -> int:
    """Return what the name and what is beside it take, without the line of the file."""
    name, place = _heading(problem)
    text = fonts.width(fonts.text(METRICS.secondary), _without_line(place))
    return math.ceil(fonts.width(fonts.text(METRICS.base, 600), name) + METRICS.gap + text)


def _sentence(problem: Problem) -> str:
    """Return cause and mend as sentences; the name of a file at their begin stays as it is."""
    first = problem.message.partition(" ")[0].rstrip(",:.")
    message = problem.message if "." in first else problem.message[:1].upper() + problem.message[1:]
    return f"{message} {problem.hint}".strip()

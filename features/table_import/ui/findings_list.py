"""List of problems of a table, each with its fix; a click shows the first affected row."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import partial

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QLabel, QListWidget, QListWidgetItem, QPushButton, QWidget

from framescope.core.errors import Problem
from framescope.ui.formatting.literal_text import literal_text
from framescope.ui.theme import icons
from framescope.ui.theme.tokens import METRICS
from framescope.ui.widgets import layouts
from framescope.ui.widgets.buttons import push_button

_ICONS = {"red": ("octagon-x", "red"), "amber": ("triangle-alert", "amber"), "note": ("info", "quiet")}
_MENDED = ("check", "good")
_ALL_WELL = "Nothing odd: times run on, and every row fits."
UNDO = "Undo"
"""Button text of a problem whose fix is applied."""

_BUTTON_WIDTH, _SCROLL_BAR = 92, 12
LEAST_HEIGHT, MOST_HEIGHT = 88, 264
"""Smallest and largest height of the list, logical pixels."""


class RowProblemsList(QListWidget):
    """Problems of the frame in the preview: the worst first, fixed ones last.

    Signals
    -------
    row_requested(int)
        The user clicked a problem: its first row in the table, from 1.
    mend_requested(str)
        The user pressed the button of a problem, to apply or undo this fix.
    """

    row_requested = Signal(int)
    mend_requested = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._problems: tuple[Problem, ...] = ()
        self._applied: frozenset[str] = frozenset()
        self.buttons: dict[str, QPushButton] = {}
        """Buttons by fix."""
        self.mend_all = push_button("Fix all", "wand-sparkles", kind="small", parent=parent)
        """Button above the list that applies every fix."""
        self.mend_all.setAutoDefault(False)
        self.mend_all.setToolTip("Apply the fix of each line; each one can be undone")
        self.mend_all.hide()
        self.setWordWrap(True)
        self.setAccessibleName("what does not fit")
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(self.ScrollMode.ScrollPerPixel)
        self.setSpacing(1)
        margin = METRICS.padding - self.spacing()  # aligned with the heading above
        self.setViewportMargins(margin, 0, margin, 0)
        self.setFixedHeight(LEAST_HEIGHT)
        self.itemActivated.connect(self._on_item)
        self.itemClicked.connect(self._on_item)

    @property
    def problems(self) -> tuple[Problem, ...]:
        """Problems in the order of the list."""
        return self._problems

    def set_problems(self, problems: Sequence[Problem], applied: Collection[str] = ()) -> None:
        """Show problems, and which of their fixes are applied."""
        order = list(_ICONS)
        self._applied = frozenset(applied)
        self._problems = tuple(sorted(problems, key=lambda row: (self.is_fixed(row), order.index(row.severity))))
        focused = next((mend for mend, button in self.buttons.items() if button.hasFocus()), "")
        self.clear()
        self.buttons = {}
        for problem in self._problems:
            self._add(problem)
        if focused in self.buttons:
            self.buttons[focused].setFocus()
        fixes = {problem.fix.change for problem in problems if problem.fix is not None}
        n = len(fixes - self._applied)
        self.mend_all.setVisible(n > 0)
        self.mend_all.setText("Fix it" if n == 1 else f"Fix all {n}")
        if not self._problems:
            self.addItem(QListWidgetItem(icons.icon("check", "good", METRICS.row_icon), _ALL_WELL))
        lines = sum(self.item(i).sizeHint().height() + 2 * self.spacing() for i in range(len(self._problems)))
        self.setFixedHeight(min(max(lines + METRICS.inner, LEAST_HEIGHT), MOST_HEIGHT))

    def is_fixed(self, problem: Problem) -> bool:
        """Return whether the fix of a problem is applied."""
        return problem.fix is not None and problem.fix.change in self._applied

    def set_waiting(self, what: str) -> None:
        """Show a waiting text instead of problems."""
        self._problems = ()
        self.clear()
        self.buttons = {}
        self.addItem(QListWidgetItem(icons.icon("loader", "quiet", METRICS.row_icon), what))

    def _add(self, problem: Problem) -> None:
        """Add a row: the sentence, below it the effect of the fix, and beside it the button."""
        fix, is_fixed = problem.fix, self.is_fixed(problem)
        holder = QWidget(self)
        holder.setAttribute(Qt.WidgetAttribute.WA_TranslucentBackground)
        icon, text = QLabel(holder), layouts.plain_label(_sentence(problem.message), wordWrap=True)
        icon.setPixmap(icons.pixmap(*(_MENDED if is_fixed else _ICONS[problem.severity]), METRICS.row_icon))
        lines = [text]
        if fix is not None:
            effect = f"Fixed: {fix.effect}" if is_fixed else fix.effect
            lines.append(layouts.plain_label(_sentence(effect), "caption", wordWrap=True))
            if is_fixed:
                text.setProperty("role", "quiet")
        words = layouts.column(*lines, margins=0, spacing=0)
        row = layouts.row(
            (icon, 0, Qt.AlignmentFlag.AlignTop), (words, 1), on=holder, margins=(0, 3), spacing=METRICS.inner
        )
        width = self.width() - 2 * METRICS.padding - _SCROLL_BAR
        room = width - METRICS.row_icon - METRICS.inner
        if fix is not None:
            room -= _BUTTON_WIDTH + METRICS.inner
        for label in lines:
            label.setFixedWidth(room)
            label.ensurePolished()
        for label in (icon, *lines):
            label.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        if fix is not None:
            button = push_button(UNDO if is_fixed else fix.text, kind="small", parent=holder)
            button.setFixedWidth(_BUTTON_WIDTH)
            button.setAutoDefault(False)
            button.setToolTip(literal_text(fix.effect[:1].upper() + fix.effect[1:]))
            button.setAccessibleName(f"{button.text()}: {fix.change}")
            button.clicked.connect(partial(self.mend_requested.emit, fix.change))
            row.addWidget(button, 0, Qt.AlignmentFlag.AlignTop)
            self.buttons[fix.change] = button
        item = QListWidgetItem()
        item.setToolTip("Show the first of these rows" if problem.rows else "")
        item.setData(Qt.ItemDataRole.AccessibleTextRole, _sentence(problem.message))
        self.addItem(item)
        self.setItemWidget(item, holder)
        height = sum(label.heightForWidth(room) for label in lines)
        item.setSizeHint(QSize(width, max(height, METRICS.small_button if fix is not None else 0) + 6))

    def _on_item(self, item: QListWidgetItem) -> None:
        at = self.row(item)
        if at < len(self._problems) and self._problems[at].rows:
            self.row_requested.emit(self._problems[at].rows[0])


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]

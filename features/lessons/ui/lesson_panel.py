"""Lesson panel: text, question and reply of a step, and navigation through the lesson."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, QUrl, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QLabel, QSplitter, QWidget

from framescope.features.lessons.core.schema import AnyQuestion
from framescope.features.lessons.ui.question_form import QuestionForm
from framescope.features.lessons.ui.set_text import SetText
from framescope.ui.formatting.literal_text import literal_text
from framescope.ui.theme import icons
from framescope.ui.theme.tokens import METRICS
from framescope.ui.widgets import layouts
from framescope.ui.widgets.buttons import IconButton, push_button
from framescope.ui.widgets.headings import separator
from framescope.ui.widgets.progress_bar import ProgressBar

if TYPE_CHECKING:
    from framescope.features.lessons.ui.lesson_editor import LessonEditor

WIDTH = 340
"""Smallest width of the panel, px."""
LARGEST, SHARE = 1.5, 0.35
"""Largest scale of the text in presentation mode, unless the screen is so wide that the panel takes less than a part
of its width."""
BUTTON = 26
"""Least height of a button below the step inside its border, px."""
RADIUS, RING = 8, 5
"""Radius of the circle of a choice, and width of the ring of a chosen one, px."""
LEAST_SPLIT = 360
"""Height from which on the editor leaves a quarter to the step, px. In less room it hides the step."""
EMPTY = "**No lesson yet**\n\nChoose one:\n\n{lessons}\n\nOr open a lesson of your own: a file that ends in .lesson.md."
"""Text of the empty panel, with links to the lessons."""


class LessonPanel(QWidget):
    """Panel of a lesson, beside the scene.

    Signals
    -------
    stepped(int)
        The user moves one step forward (1) or back (-1).
    checked()
        The user submits the answer.
    hinted(), shown(), restored()
        The user asks for a hint, for the right answer, or for the initial state of the step.
    lesson_chosen(str)
        The user chooses another lesson, by its name.
    """

    stepped = Signal(int)
    checked = Signal()
    hinted = Signal()
    shown = Signal()
    restored = Signal()
    lesson_chosen = Signal(str)

    _in_sight: QWidget | None = None
    """The reply or hint that stays in sight while the page grows."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        layouts.lay_ground(self)
        self.setAccessibleName("lesson")
        self.count = layouts.plain_label("", "quiet")
        self.progress = ProgressBar(textVisible=False)
        self.progress.setMaximumHeight(4)
        self.progress.setAccessibleName("how far the lesson is")
        self.text = SetText("text of the step")
        self.form: QuestionForm | None = None
        self.next_lesson = ""
        self._list_lessons: Callable[[], Sequence[tuple[str, str]]] = tuple
        self._is_pause = False
        self._size = METRICS.base
        self.reply = _Reply("reply")
        self.tip = _Reply("hint")
        self.hint = push_button("Hint", kind="small")
        self.show_right = push_button("Show me", kind="small")
        self.check = push_button("Check", kind="small")
        for button, signal in ((self.hint, self.hinted), (self.show_right, self.shown), (self.check, self.checked)):
            button.clicked.connect(signal)
        self.export = IconButton("download", "Export this lesson: page, handout or film", size=METRICS.small_button)
        self.notes = push_button("Notes", kind="small", checkable=True)
        self.notes.setToolTip("Notes of each step for the teacher, in a window for another screen")
        self.edit = IconButton("pencil", "Edit this lesson", size=METRICS.small_button)
        self.edit.setCheckable(True)
        self._editor: LessonEditor | None = None
        self.restore = IconButton("undo-2", "Restore this step", size=METRICS.small_button)
        self.restore.clicked.connect(self.restored)
        self.back = push_button("Back", clicked=lambda: self.stepped.emit(-1))
        self.next = push_button("Next", kind="main", clicked=lambda: self.stepped.emit(1))
        self.leave = push_button("Leave", kind="small", toolTip="Leave the lesson, and restore the scene from before")
        self._ask = QWidget()
        self._ask_column = layouts.column(on=self._ask, margins=0, spacing=METRICS.gap)
        self._acts = QWidget()
        layouts.row(
            self.hint, self.show_right, layouts.STRETCH, self.check, on=self._acts, margins=0, spacing=METRICS.gap
        )
        ways = self.back, self.restore, layouts.STRETCH, self.count, layouts.STRETCH, self.next
        self._content = content = QWidget()
        parts = self.text, self._ask, self._acts, self.reply, self.tip, layouts.STRETCH
        layouts.column(
            *parts, on=content, margins=(METRICS.padding, METRICS.gap, METRICS.gap, 0), spacing=METRICS.padding
        )
        self._page = layouts.scroll_area(content, "the step")
        # The scroll bar is always shown, so that a long reply does not change the width of the question.
        self._page.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self._page.verticalScrollBar().rangeChanged.connect(lambda _low, _high: self._keep_in_sight())
        self._split = QSplitter(Qt.Orientation.Vertical)
        self._split.setChildrenCollapsible(False)
        self._split.addWidget(self._page)
        self._foot = QWidget()
        foot = layouts.row(*ways, spacing=METRICS.gap, margins=(METRICS.padding, 0))
        layouts.column(separator(), foot, on=self._foot, margins=0, spacing=METRICS.gap)
        layouts.column(
            self.progress, (self._split, 1), self._foot, on=self, margins=(0, 0, 0, METRICS.gap), spacing=METRICS.gap
        )
        self.text.anchorClicked.connect(self._follow_link)
        self.show_nothing()

    def header_widgets(self) -> tuple[QWidget, ...]:
        """Return the widgets in the header of the dock."""
        return (self.notes, self.export, self.edit, self.leave)

    @property
    def editor(self) -> LessonEditor:
        """Editor of the step, created on first use."""
        if self._editor is None:
            from framescope.features.lessons.ui.lesson_editor import LessonEditor

            self._editor = LessonEditor()
            self._split.addWidget(self._editor)
            self._split.setCollapsible(0, True)
        return self._editor

    @property
    def is_editing(self) -> bool:
        """Whether the editor is shown below the step."""
        return self._editor is not None and not self._editor.isHidden()

    def set_editing(self, is_on: bool) -> None:
        """Show or hide the editor below the step."""
        if is_on or self._editor is not None:
            self.editor.setVisible(is_on)
            if not is_on:
                self._split.setSizes([1, 0])
            if is_on:  # the user may move the border
                height = self._split.height()
                shown = height // 4 if height >= LEAST_SPLIT else 0
                self._split.setSizes([shown, height - shown])
        if self.edit.isChecked() != is_on:
            self.edit.setChecked(is_on)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self.is_editing and event.size().height() < LEAST_SPLIT:
            self._split.setSizes([0, self._split.height()])

    def offer_lessons(self, list_lessons: Callable[[], Sequence[tuple[str, str]]]) -> None:
        """Set the function that returns the titles and names of the lessons, which the empty panel offers."""
        self._list_lessons = list_lessons

    def show_nothing(self) -> None:
        """Show the text for an empty panel."""
        self.set_editing(False)
        links = "\n".join(f"- [{title}](lesson:{name})" for title, name in self._list_lessons())
        self.show_step(EMPTY.format(lessons=links), 0, 0, None)

    def show_step(self, markdown: str, i: int, n: int, question: AnyQuestion | None) -> None:
        """Show the text and the question of step `i`, from 0, of `n`."""
        self.text.show_text(markdown)
        self.count.setText(f"{i + 1} of {n}" if n else "")
        self.progress.setRange(0, max(n, 1))
        self.progress.setValue(i + 1 if n else 0)
        self.progress.setVisible(n > 0)
        self._foot.setVisible(n > 0)
        if self.form is not None:
            self.form.hide()
            self._ask_column.removeWidget(self.form)
            self.form.deleteLater()
        self.form = None if question is None else QuestionForm(question)
        self._size_texts()
        if self.form is not None:
            self._ask_column.addWidget(self.form)
            self.form.changed.connect(self._on_answer)
            self.form.submitted.connect(self._submit)
            self._order_tabs(self.form)
        self._ask.setVisible(question is not None)
        self._acts.setVisible(question is not None)
        self.hint.setVisible(question is not None and bool(question.hints))
        self.next_lesson = ""
        self.clear_replies()
        self.back.setEnabled(i > 0)
        self.edit.setEnabled(n > 0)
        self.notes.setEnabled(n > 0)
        self.export.setEnabled(n > 0)
        self.leave.setEnabled(n > 0)
        self.restore.setEnabled(n > 0)
        self.next.setEnabled(n > 0)
        self.set_answered(is_answered=question is None, is_last=i == n - 1)
        self.next.setToolTip("")
        self._page.verticalScrollBar().setValue(0)
        self._on_answer()

    def _order_tabs(self, form: QuestionForm) -> None:
        """Put the controls of the answer between the text and the buttons below it."""
        order = [self.text, *form.controls, self.hint, self.show_right, self.check]
        for before, after in pairwise(order):
            QWidget.setTabOrder(before, after)

    def set_next_lesson(self, title: str) -> None:
        """Set the title of the lesson that follows the last step; empty for none."""
        self.next_lesson = title

    def set_pause(self, is_pause: bool) -> None:
        """Set whether the question is for the class, so that going on shows its answer first."""
        self._is_pause = is_pause

    def set_answered(self, *, is_answered: bool, is_last: bool) -> None:
        """Set the text of the button: answer or skip the question, next step, next lesson or finish."""
        last = "Next lesson" if self.next_lesson else "Finish"
        self.next.setText(("Answer" if self._is_pause else "Skip") if not is_answered else last if is_last else "Next")
        self.next.setAccessibleName(self.next.text())
        self.next.setToolTip(literal_text(self.next_lesson) if is_last else "")

    def say(self, text: str, is_right: bool) -> None:
        """Show the reply to an answer."""
        self.reply.say(text, is_right)
        self._bring_up(self.reply)

    def give_hint(self, text: str) -> None:
        """Show a hint, below the reply to an answer."""
        self.tip.say(text, None)
        self._bring_up(self.tip)

    def clear_replies(self) -> None:
        """Clear the reply and the hint."""
        self._in_sight = None
        self.reply.say("", None)
        self.tip.say("", None)

    def set_scale(self, scale: float) -> None:
        """Scale the text, as for a presentation, up to `LARGEST`, and further while the panel takes up to `SHARE`."""
        scale = min(scale, max(LARGEST, SHARE * self.window().width() / WIDTH))
        self._size = round(scale * METRICS.base)
        self._size_texts()
        size = round(scale * METRICS.base)
        style = f"QLabel, QRadioButton, QLineEdit, QPushButton, AxisMark {{ font-size: {size}px; }}"
        self._content.setStyleSheet(style + _larger_circles(scale) if scale != 1.0 else "")
        high = f"QPushButton {{ min-height: {round(scale * BUTTON)}px; }}"
        self._foot.setStyleSheet(style + high if scale != 1.0 else "")
        self.restore.set_scale(scale)
        self.setMinimumWidth(round(min(WIDTH * scale, max(WIDTH, SHARE * self.window().width()))))

    def _size_texts(self) -> None:
        for text in (*self.findChildren(SetText), *(() if self.form is None else self.form.findChildren(SetText))):
            text.set_size(self._size)

    def _bring_up(self, widget: QWidget) -> None:
        # Again at each change of the page's height: a busy machine may lay the text out in several steps.
        self._in_sight = widget
        QTimer.singleShot(0, self, self._keep_in_sight)

    def _keep_in_sight(self) -> None:
        if self._in_sight is not None and self._in_sight.isVisible():
            self._page.ensureWidgetVisible(self._in_sight, 0, METRICS.gap)

    def _follow_link(self, url: QUrl) -> None:
        if url.scheme() == "lesson":
            self.lesson_chosen.emit(url.path())

    def _on_answer(self) -> None:
        self.check.setEnabled(self.form is not None and self.form.has_answer)
        self.clear_replies()

    def _submit(self) -> None:
        if self.check.isEnabled():
            self.checked.emit()


class _Reply(QFrame):
    """Reply to an answer: an icon and a text."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self._mark = QLabel()
        self.label = SetText(name)
        top = Qt.AlignmentFlag.AlignTop
        layouts.row((self._mark, 0, top), (self.label, 1), on=self, margins=(0, 2), spacing=METRICS.gap)
        self.hide()

    def say(self, text: str, is_right: bool | None) -> None:
        """Show a reply to a right or a wrong answer, or a hint (None). An empty text hides the widget."""
        name, color = {True: ("check", "good"), False: ("x", "amber"), None: ("info", "accent_text")}[is_right]
        self._mark.setPixmap(icons.pixmap(name, color, METRICS.row_icon))
        self.label.show_text(text)
        self.setVisible(bool(text))


def _larger_circles(scale: float) -> str:
    """Return the rules that enlarge the circles of a choice; Qt draws a square for a radius above half of the side."""
    radius, ring = round(scale * RADIUS), round(scale * RING)
    rules = {"": (radius, 1), ":focus": (radius, 2), ":checked": (radius, ring)}
    return "".join(
        f"QRadioButton::indicator{state} {{ border-radius: {radius}px; border-width: {border}px;"
        f" width: {2 * (radius - border)}px; height: {2 * (radius - border)}px; }}"
        for state, (radius, border) in rules.items()
    )

"""Editor of a step of a lesson: its form or its text, and buttons that add, move and remove steps."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial

from PySide6.QtCore import QSignalBlocker, Qt, QTimer, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QMenu, QPlainTextEdit, QStackedWidget, QWidget

from framescope.features.lessons.core.templates import KINDS
from framescope.features.lessons.ui.name_completer import NameCompleter
from framescope.features.lessons.ui.step_form import StepForm
from framescope.ui.theme import fonts
from framescope.ui.theme.tokens import METRICS
from framescope.ui.widgets import layouts
from framescope.ui.widgets.buttons import IconButton, push_button
from framescope.ui.widgets.inline_message import InlineMessage
from framescope.ui.widgets.segmented_control import Segmented

FORM, TEXT = "Form", "Text"
"""Two views of a step."""

REST_MS = 400
"""Pause in typing after which the text is read, ms."""


class LessonEditor(QWidget):
    """Form or text of a step in the lesson file, and buttons for the steps.

    Signals
    -------
    edited(str)
        The text of the step has changed, and the user paused typing.
    captured()
        The user adds a step that shows the state of the window.
    asked(str)
        The user adds a question of a kind to the step.
    moved(int)
        The user swaps the step with the step before (-1) or after (1).
    removed()
        The user removes the step.
    undone()
        The user undoes the last change.
    saved()
        The user saves the lesson.
    fitted()
        The camera of the step is to be fitted to what the step speaks of.
    switched()
        The user has switched between form and text.
    """

    edited = Signal(str)
    captured = Signal()
    asked = Signal(str)
    moved = Signal(int)
    removed = Signal()
    undone = Signal()
    saved = Signal()
    fitted = Signal()
    switched = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.text = QPlainTextEdit()
        self.text.setFont(fonts.number())
        self.text.setAccessibleName("text of the step, in Markdown")
        self.text.setLineWrapMode(QPlainTextEdit.LineWrapMode.WidgetWidth)
        self.text.setTabChangesFocus(True)
        self.capture = push_button("Capture this moment", "camera", kind="small")
        self.capture.setToolTip("Adds a step after this one with the current state of the window")
        self.question = push_button("Question", "circle-help", kind="small")
        self.question.setToolTip("Adds a question to this step, with the names of its scene")
        kinds = QMenu(self.question)
        for kind, words in KINDS.items():
            kinds.addAction(words).triggered.connect(partial(self.asked.emit, kind))
        self.question.setMenu(kinds)
        self.names: Callable[[], Iterable[str]] = tuple
        self.completer = NameCompleter(self.text, self._known_names)
        self.form = StepForm(self._known_names)
        self.form.fitted.connect(self.fitted)
        self.views = QStackedWidget()
        self.views.addWidget(self.form)
        self.views.addWidget(self.text)
        tips = {FORM: "Fields of the step", TEXT: "The step as it is written in the file"}
        self.view = Segmented((FORM, TEXT), "step as", tips=tips)
        self.view.chosen.connect(self._on_view)
        self.fit = IconButton("scan", "Fit the camera to what the step speaks of", size=METRICS.small_button)
        self.fit.clicked.connect(self.fitted)
        self.undo = IconButton("undo-2", "Undo the last change", size=METRICS.small_button)
        self.up = IconButton("chevron-up", "Move this step up", size=METRICS.small_button)
        self.down = IconButton("chevron-down", "Move this step down", size=METRICS.small_button)
        self.remove = IconButton("trash-2", "Remove this step", size=METRICS.small_button)
        self.save = push_button("Save", kind="small")
        self.problem = InlineMessage()
        acts = layouts.row(self.capture, self.question, layouts.STRETCH, self.save)
        steps = self.view, layouts.STRETCH, self.fit, self.undo, self.up, self.down, self.remove
        parts = acts, layouts.row(*steps, spacing=4), (self.views, 1), self.problem
        layouts.column(*parts, on=self, margins=(METRICS.gap, 0), spacing=METRICS.gap)
        self._rest = QTimer(self, interval=REST_MS, singleShot=True)
        self._rest.timeout.connect(lambda: self.edited.emit(self.text.toPlainText()))
        self.text.textChanged.connect(self._rest.start)
        self.capture.clicked.connect(self.captured)
        self.undo.clicked.connect(self.undone)
        self.up.clicked.connect(lambda: self.moved.emit(-1))
        self.down.clicked.connect(lambda: self.moved.emit(1))
        self.remove.clicked.connect(self.removed)
        self.save.clicked.connect(self.saved)
        inside = Qt.ShortcutContext.WidgetWithChildrenShortcut
        QShortcut(QKeySequence(QKeySequence.StandardKey.Save), self, self.saved.emit, context=inside)

    def show_source(self, source: str, i: int, n: int) -> None:
        """Show the text of step `i`, from 0, of `n`."""
        self._rest.stop()
        if source != self.text.toPlainText():
            with QSignalBlocker(self.text):
                self.text.setPlainText(source)
        self.up.setEnabled(i > 0)
        self.down.setEnabled(i < n - 1)
        self.remove.setEnabled(n > 1)

    def _known_names(self) -> Iterable[str]:
        return self.names()

    @property
    def is_form(self) -> bool:
        """Whether the form is shown, and not the text."""
        return self.view.choice == FORM

    def show_view(self, view: str) -> None:
        """Show the form or the text."""
        self.view.set_choice(view)
        self._on_view(view)

    def _on_view(self, view: str) -> None:
        self.flush()
        self.views.setCurrentWidget(self.form if view == FORM else self.text)
        self.switched.emit()

    def flush(self) -> None:
        """Emit what the user has typed since the last signal at once."""
        self.form.finish()
        if self._rest.isActive():
            self._rest.stop()
            self.edited.emit(self.text.toPlainText())

    @property
    def is_waiting(self) -> bool:
        """Whether the user has typed since the last signal `edited`."""
        return self._rest.isActive()

    def set_saved(self, is_saved: bool) -> None:
        """Set whether the lesson is saved; show it on the button."""
        self.save.setEnabled(not is_saved)
        self.save.setText("Saved" if is_saved else "Save")

    def set_problem(self, text: str) -> None:
        """Show a fault of the text; empty for none."""
        self.problem.set_message(text)

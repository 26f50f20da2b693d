"""Form for a pasted orientation: parses it, describes the result, and asks about ambiguities."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent
from PySide6.QtWidgets import QButtonGroup, QFrame, QPlainTextEdit, QScrollArea, QWidget

from framescope.core.angle_branches import axes_rotations_angles_branches
from framescope.core.conventions.notation import NotationError
from framescope.core.conventions.parse_pasted import Pasted, Question, read_pasted
from framescope.ui.formatting import number_text
from framescope.ui.panels.orientation.checks import LIMIT
from framescope.ui.panels.orientation.values import LETTERS
from framescope.ui.theme import fonts
from framescope.ui.theme.tokens import METRICS
from framescope.ui.widgets import layouts
from framescope.ui.widgets.buttons import push_button
from framescope.ui.widgets.headings import SectionHeader
from framescope.ui.widgets.inline_message import InlineMessage

_HINT = "[1 0 0; 0 1 0; 0 0 1]\n0, 0, 0, 1\naxes ZYX 10 20 30 deg"


class PasteForm(QFrame):
    """Text field with a live description of the parsed orientation.

    Signals
    -------
    accepted(object, object)
        The matrix (3, 3), parent into frame, and the position (3,) in the parent, m, or None.
    closed()
        The form was closed, with or without a result.
    """

    accepted = Signal(object, object)
    closed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "card")
        self._sequence = "XYZ"
        self._answers: dict[str, str] = {}
        self.questions: tuple[Question, ...] = ()
        self._shown: list[QWidget] = []
        self._pasted: Pasted | None = None
        self.text = QPlainTextEdit()
        self.text.setFont(fonts.number())
        self.text.setFixedHeight(72)
        self.text.setTabChangesFocus(True)
        self.text.setPlaceholderText(_HINT)
        self.text.setAccessibleName("pasted orientation")
        self.text.setToolTip(
            "A matrix of numpy, MATLAB, Julia or Modelica, a quaternion, a line of code, or angles.\n"
            "A pose of tf2_echo, ros2 topic echo or static_transform_publisher, or T_BS of a sensor.yaml"
        )
        self.description = layouts.plain_label("", "quiet", wordWrap=True)
        self.problem = InlineMessage("warning")
        self._questions = layouts.column(margins=0, spacing=METRICS.inner)
        self.use = push_button("Use it", "check", kind="main")
        self.leave = push_button("Close")
        self.use.clicked.connect(self._on_use)
        self.leave.clicked.connect(self.close_form)
        self.text.textChanged.connect(self._read)
        # Delayed until the layout has placed the form.
        self._shower = QTimer(self, interval=0, singleShot=True)
        self._shower.timeout.connect(self._come_into_view)
        buttons = layouts.row(self.use, self.leave, layouts.STRETCH, spacing=METRICS.gap)
        layouts.column(
            SectionHeader("Paste notation", "Ctrl Enter uses it"),
            self.text,
            self.description,
            self._questions,
            self.problem,
            buttons,
            on=self,
            margins=METRICS.gap,
            spacing=METRICS.inner,
        )
        self.hide()

    @property
    def answers(self) -> dict[str, QButtonGroup]:
        """Buttons of the current questions, by key."""
        return dict(self._groups)

    def open_form(self, sequence: str) -> None:
        """Show the form with the clipboard if it can be parsed. Angles without a sequence are in `sequence`."""
        self._sequence, self._answers = sequence, {}
        text = QGuiApplication.clipboard().text()
        try:
            read_pasted(text, {}, sequence)
        except NotationError:
            text = ""
        self.text.setPlainText(text)
        self._read()
        self.show()
        self.text.setFocus()
        self.text.selectAll()
        self._shower.start()

    def close_form(self) -> None:
        """Hide the form."""
        self.hide()
        self.closed.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        is_enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if event.key() == Qt.Key.Key_Escape:
            self.close_form()
        elif is_enter and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self._on_use()
        else:
            super().keyPressEvent(event)

    # --- parsing

    _groups: dict[str, QButtonGroup]

    def _read(self) -> None:
        self._pasted, problem = None, ""
        try:
            self._pasted = read_pasted(self.text.toPlainText(), self._answers, self._sequence)
        except NotationError as error:
            problem = str(error)
        self._ask(() if self._pasted is None else self._pasted.questions)
        parsed = None if self._pasted is None else self._pasted.parsed
        if parsed is not None and parsed.distance > LIMIT:
            problem = f"Off the nearest rotation by {parsed.distance:.4f}; the nearest is what is used."
        is_empty = not self.text.toPlainText().strip()
        self.description.setText(
            problem if is_empty else "" if self._pasted is None else _description_text(self._pasted, self._sequence)
        )
        self.description.setVisible(bool(self.description.text()))
        self.problem.set_message("" if is_empty else problem)
        self.use.setEnabled(parsed is not None)
        self._shower.start()

    def _come_into_view(self) -> None:
        """Scroll the surrounding area until the form's buttons are visible."""
        above = self.parentWidget()
        while above is not None and not isinstance(above, QScrollArea):
            above = above.parentWidget()
        if above is not None and self.isVisible():
            above.ensureWidgetVisible(self, 0, METRICS.gap)

    def _ask(self, questions: tuple[Question, ...]) -> None:
        if questions == self.questions and questions:
            return
        self.questions = questions
        self._groups = {}
        for part in self._shown:
            self._questions.removeWidget(part)
            part.hide()
            part.deleteLater()
        self._shown = [self._question(question) for question in questions]
        for part in self._shown:
            self._questions.addWidget(part)

    def _question(self, question: Question) -> QWidget:
        holder = QWidget()
        prompt = layouts.label(question.prompt, "section")
        column = layouts.column(prompt, on=holder, margins=0, spacing=2)
        group = self._groups[question.key] = QButtonGroup(holder)
        row = layouts.row(spacing=METRICS.inner)
        chosen = self._answers.get(question.key)
        for answer, text in question.choices:
            button = push_button(text, kind="small", checkable=True, checked=answer == chosen)
            button.setAccessibleName(f"{question.prompt} {text}")
            button.clicked.connect(lambda _=False, key=question.key, answer=answer: self._on_answer(key, answer))
            group.addButton(button)
            row.addWidget(button)
        row.addStretch(1)
        column.addLayout(row)
        return holder

    def _on_answer(self, key: str, answer: str) -> None:
        self._answers[key] = answer
        self._read()

    def _on_use(self) -> None:
        if self._pasted is not None and self._pasted.parsed is not None:
            position = self._pasted.position
            self.accepted.emit(self._pasted.parsed.R.T, None if position is None else np.array(position))


def _description_text(pasted: Pasted, sequence: str) -> str:
    """Return a description of the pasted orientation, and its angles."""
    if pasted.parsed is None:
        return f"{pasted.description}."
    angles = np.degrees(axes_rotations_angles_branches(pasted.parsed.R, sequence)[0])
    angles_text = ", ".join(
        f"{letter} {number_text.fixed(float(a), 2)}°" for letter, a in zip(LETTERS, angles, strict=True)
    )
    at = "" if pasted.position is None else f", at {', '.join(f'{x:.6g}' for x in pasted.position)} m"
    return f"{pasted.description}: {sequence} {angles_text}{at}"

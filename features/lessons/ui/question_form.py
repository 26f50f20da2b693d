"""Forms in which the user answers questions. Frames and arrows are rotated in the scene, or by sliders of the form."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal, SignalInstance
from PySide6.QtGui import QFont, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QButtonGroup, QLineEdit, QRadioButton, QWidget

from framescope.features.lessons.core.schema import AnyQuestion, Choose, NumberQuestion, PointQuestion, Sketch, Turn
from framescope.features.lessons.core.spoken_values import known_unit
from framescope.features.lessons.ui.answer_sliders import AnswerSliders
from framescope.features.lessons.ui.set_text import SetText
from framescope.features.lessons.ui.sketch_canvas import SketchCanvas
from framescope.ui.formatting import number_text
from framescope.ui.formatting.item_names import unit_text
from framescope.ui.formatting.typed_quantities import number_in_unit
from framescope.ui.theme import fonts
from framescope.ui.theme.tokens import METRICS
from framescope.ui.widgets import layouts
from framescope.ui.widgets.inline_message import InlineMessage

BY_HAND = {
    "turn": "Turn the pale copy with its rings in the scene, or with these sliders. Then check.",
    "point": "Drag the yellow arrow by its tip, or turn it with its rings or these sliders. Then check.",
    "sketch": "Draw with the mouse from left to right, or move points with the arrow keys. Delete clears it.",
}


class QuestionForm(QWidget):
    """Form with the controls for one question.

    Signals
    -------
    changed()
        The answer may have changed.
    submitted()
        The user pressed Return on an answer.
    """

    changed = Signal()
    submitted = Signal()

    def __init__(self, question: AnyQuestion, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.question = question
        self.ask = SetText("question", weight=QFont.Weight.DemiBold, is_label=True)
        self.ask.show_text(question.ask)
        self.options: list[QRadioButton] = []
        self.field: QLineEdit | None = None
        self.sketch: SketchCanvas | None = None
        self.sliders: AnswerSliders | None = None
        self.fault = InlineMessage()
        self.is_reached = False
        """Whether the keyboard has been brought to the answer."""
        self._group = QButtonGroup(self)
        layouts.column(self.ask, *self._fields(), on=self, margins=0, spacing=METRICS.gap)

    @property
    def answer(self) -> int | float | None:
        """Number of the chosen option, from 0, or the typed number; None where there is none yet."""
        if isinstance(self.question, Choose):
            chosen = self._group.checkedId()
            return None if chosen < 0 else chosen
        if self.field is not None:
            try:
                return self._number(self.field.text())
            except ValueError:
                return None
        return None

    def _number(self, text: str) -> float:
        """Parse a number, with its own unit or none, and return it in the unit of the question."""
        unit, dimension = known_unit(getattr(self.question, "unit", ""))
        return number_in_unit(text, unit, dimension) if unit else number_text.parse_number(text)

    @property
    def _number_fault(self) -> str:
        """Reason why the typed text is no answer; empty for an answer and for no text."""
        try:
            if self.field is not None and self.field.text().strip():
                self._number(self.field.text())
        except ValueError as error:
            return str(error)
        return ""

    def _show_unit_fault(self) -> None:
        """Show why a typed unit does not fit; other unfinished text needs no message."""
        fault = self._number_fault
        self.fault.set_message(fault if " unit of " in fault else "")

    def _show_fault(self) -> None:
        """Show why the typed text is no answer."""
        self.fault.set_message(self._number_fault)

    @property
    def has_answer(self) -> bool:
        """Whether there is an answer to check. Frames and arrows always have an orientation."""
        if isinstance(self.question, Turn | PointQuestion):
            return True
        if self.sketch is not None:
            return self.sketch.is_drawn
        return self.answer is not None

    def _fields(self) -> list[QWidget]:
        match self.question:
            case Choose() as question:
                n = len(question.options)
                return [self._option(i, option.text, n) for i, option in enumerate(question.options)]
            case NumberQuestion() as question:
                self.field = QLineEdit(alignment=Qt.AlignmentFlag.AlignRight)
                self.field.setAccessibleName(f"your answer, in {question.unit}" if question.unit else "your answer")
                self.field.setMaximumWidth(METRICS.left // 2)
                self.field.textChanged.connect(self._show_unit_fault)
                self.field.editingFinished.connect(self._show_fault)
                self.field.textChanged.connect(self.changed)
                self.field.returnPressed.connect(self.submitted)
                line = QWidget()
                unit = layouts.plain_label(unit_text(question.unit), "quiet")
                layouts.row(self.field, unit, layouts.STRETCH, on=line, margins=0, spacing=METRICS.gap)
                return [line, self.fault]
            case Sketch():
                self.sketch = SketchCanvas()
                self.sketch.changed.connect(self.changed)
                return [self.sketch, layouts.label(BY_HAND["sketch"], "quiet", wordWrap=True)]
            case question:
                self.sliders = AnswerSliders()
                return [layouts.label(BY_HAND[question.form], "quiet", wordWrap=True), self.sliders]

    @property
    def controls(self) -> list[QWidget]:
        """Controls of the answer that Tab reaches, in their order on the screen."""
        tab = Qt.FocusPolicy.TabFocus
        return [child for child in self.findChildren(QWidget) if child.focusPolicy() & tab]

    def focus_answer(self) -> None:
        """Give the first control of the answer the focus, or the chosen option."""
        self.is_reached = True
        chosen = self._group.checkedButton()
        shown = (control for control in self.controls if control.isVisible() and control.isEnabled())
        control = chosen or next(shown, None)
        if control is not None:
            control.setFocus(Qt.FocusReason.TabFocusReason)

    def type_in(self, text: str) -> None:
        """Replace the number in the field by a typed text, and give the field the focus, so that typing goes on."""
        if self.field is not None:
            self.is_reached = True
            self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
            self.field.selectAll()
            self.field.insert(text)

    def choose(self, i: int) -> None:
        """Choose option `i`, from 0, and give it the focus. Do nothing if there is no such option."""
        if i < len(self.options):
            self.options[i].click()
            self.options[i].setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _option(self, i: int, text: str, n: int) -> QWidget:
        button = _Option(self.submitted)
        words = SetText("answer", is_label=True)
        words.show_text(text)
        button.setAccessibleName(words.spoken_text())
        button.setAccessibleDescription(f"answer {i + 1} of {n} to: {self.ask.spoken_text()}")
        button.toggled.connect(self.changed)
        self._group.addButton(button, i)
        self.options.append(button)
        number = layouts.plain_label(str(i + 1), "quiet", font=fonts.number())
        number.setToolTip(f"Key {i + 1} chooses this answer")
        line, top = _Line(button), Qt.AlignmentFlag.AlignTop
        layouts.row((button, 0, top), (number, 0, top), (words, 1), on=line, margins=0, spacing=METRICS.gap)
        return line


class _Option(QRadioButton):
    """Radio button that Return presses, and submits once it is pressed."""

    def __init__(self, submitted: SignalInstance) -> None:
        super().__init__()
        self._submitted = submitted

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() not in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            super().keyPressEvent(event)
        elif self.isChecked():
            self._submitted.emit()
        else:
            self.click()


class _Line(QWidget):
    """Row with a radio button; a click anywhere in the row presses the button."""

    def __init__(self, button: QRadioButton) -> None:
        super().__init__()
        self._button = button

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._button.click()
        event.accept()

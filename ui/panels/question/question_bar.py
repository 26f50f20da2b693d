"""Question bar: what, of, relative to, in axes of and unit, in one or two rows, and the four forms of the answer."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from heapq import nlargest

from PySide6.QtCore import QEvent, QObject, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import (
    QApplication,
    QBoxLayout,
    QComboBox,
    QFrame,
    QLabel,
    QLayout,
    QPushButton,
    QSizePolicy,
    QSpacerItem,
    QWidget,
)

from framescope.core.evaluation.available_signals import usual_axes
from framescope.core.evaluation.evaluate import Plan
from framescope.core.kernels.validation import SEQUENCES
from framescope.core.scene.edits.answers import FORMS, Form, can_be_arrow
from framescope.core.scene.edits.plots import signals_of, with_keys
from framescope.core.scene.edits.recordings import plot_of_column
from framescope.core.scene.schema.model import NO_ITEM, ItemKey, Scene
from framescope.core.scene.schema.signal_kinds import signal_named
from framescope.core.scene.schema.signals import reference_problem, units_of
from framescope.core.scene.schema.view import Plot, PlottedSignal
from framescope.ui.formatting.item_names import unit_text
from framescope.ui.formatting.literal_text import literal_text
from framescope.ui.panels.question.question_choices import (
    RECORDED,
    AskableNames,
    QuantityNames,
    RecordedVariables,
    SignalChoice,
    VariableChoice,
    components_to_choose,
    quantity_of,
    signal_choices,
)
from framescope.ui.panels.relation.frame_combo import FrameFields, FrameNames
from framescope.ui.theme.tokens import AXIS_LETTERS, METRICS
from framescope.ui.widgets import layouts
from framescope.ui.widgets.choice_box import ChoiceBox
from framescope.ui.widgets.name_field import NameField

ALL = ""
"""All components of a signal, among the choices."""

FRAME_KEYS = ("relative_to", "resolved_in")
"""Keys of a signal for its frames besides the item."""

MEDIUM = 860
"""Width from which one row may have room for a question and its answers, logical pixels.

A narrower bar has two rows: the question, and what is shown of it. So has a wider one if the names of frames would be
cut in one row.
"""

NARROWEST = 420
"""Smallest width of the bar, logical pixels."""

LEAST, MOST = 46, 150
"""Smallest and largest width of a box, logical pixels."""

MOST_WHAT = 230
"""Largest width of the box of the quantity, which shows the longest of their names, logical pixels."""

MOST_TYPED = 420
"""Largest width of the box of the quantity while one types into it, logical pixels."""

LEAST_WHAT, LEAST_WHAT_NARROW = 140, 100
"""Smallest width of the box of the quantity, in which one types a few words, and in a narrow row, logical pixels."""

PARTS = 140
"""Usual width of the boxes of component and unit with their gaps, logical pixels."""

_GAP = METRICS.inner + 2

_AROUND = 36
"""Width of a box beside its text, logical pixels."""

TIPS: Mapping[Form, str] = {
    "number": "Show it as a number over the scene (Alt+N)",
    "curve": "Show it as a curve over time (Alt+C)",
    "arrow": "Show it as an arrow in the scene (Alt+A)",
    "sentence": "Say it as a sentence over the scene (Alt+S)",
}

NO_ARROW = "Only velocities and accelerations, linear and angular, have arrows"


@dataclass(frozen=True)
class Aim:
    """Wanted form of the next answer, and the plot that a curve joins; None for a plot of its own."""

    form: Form
    i_plot: int | None = None


class QuestionBar(QWidget):
    """Row of boxes that make up a question, and a button for each form of its answer, down while the scene shows it.

    Signals
    -------
    question_changed()
        Another question is in the bar.
    answer_toggled(object, str, bool)
        The user wants the question, a `PlottedSignal`, answered in a form, or no longer.
    asked(object, object)
        Return was pressed: the question, a `PlottedSignal`, and the `Aim` of its answer.
    variable_asked(object, object)
        The user wants a recorded variable, given as its `RecordedSensor`, answered with an `Aim`.
    refused(str, str)
        Kind and text for the status line: a typed name that is no item.
    aim_dropped()
        The keyboard has left the bar, or the question is answered: the next answer has no form to aim at.
    """

    question_changed = Signal()
    answer_toggled = Signal(object, str, bool)
    asked = Signal(object, object)
    variable_asked = Signal(object, object)
    refused = Signal(str, str)
    aim_dropped = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        layouts.lay_ground(self)
        self.setAccessibleName("question")
        self._plan: Plan | None = None
        self._key: ItemKey = NO_ITEM
        self._choices: tuple[SignalChoice, ...] = ()
        self._kind = ""
        """Kind of the selected item; a question about a sensor may be one about its frame."""
        self._usual: dict[str, str] = {}
        """The quantity that was last asked while an item of each kind was selected."""
        self.question: PlottedSignal | None = None
        """The question; None while nothing can be asked, or while a variable is asked."""
        self.variable: VariableChoice | None = None
        """The recorded variable that is asked in place of a signal of the scene, if any."""
        self._form: Form = FORMS[0]
        self._aim: Aim | None = None
        self.variables = RecordedVariables(self)
        self._items, self._frame_names = AskableNames(self.variables, self), FrameNames(self)
        self._quantities = QuantityNames(self._items, self.variables, self)
        self.what = NameField(self._quantities, "what", has_icon=False, opens_on_click=True, takes_first=True)
        self.frames = FrameFields(self._frame_names, self._items, is_row=True)
        self.of, self.relative_to, self.resolved_in = self.frames.fields.values()
        self.sequence, self.component = _box("sequence", "axis sequence"), _box("component", "component")
        self.unit = _box("unit", "unit")
        self.buttons = _form_buttons()
        self._words: dict[QWidget, QLabel] = {}
        self._longest: tuple[str, ...] = ()
        """The longest names of frames, as a question may have them in its three boxes."""
        self._row = self._lay_out()
        self.what.chosen.connect(self._on_what)
        self.what.line.textChanged.connect(self._on_text)
        self.what.returned.connect(lambda _is_taken: self._answer())
        self.what.clicked.connect(self._on_clicked)
        self.frames.chosen.connect(self._on_frame)
        for box in (self.sequence, self.component, self.unit):
            box.activated.connect(lambda _row: self._on_part())
            box.installEventFilter(self)
        for field in self.frames.fields.values():
            field.returned.connect(self._on_returned)
        for field in (self.what, self.frames):
            field.refused.connect(self._on_refused)
        for field in (self.what, self.of):
            field.opened.connect(self.variables.read)
        for form, button in self.buttons.items():
            button.clicked.connect(partial(self._on_form, form))
            button.installEventFilter(self)
        app = QApplication.instance()
        if isinstance(app, QApplication):
            app.focusChanged.connect(self._on_focus)
        self._show()

    def set_plan(self, plan: Plan) -> None:
        """Ask about another plan; a question about an item that is gone is dropped."""
        self._plan = plan
        self.variables.set_plan(plan)
        self._items.set_plan(plan)
        self._frame_names.set_plan(plan)
        longest = nlargest(2, plan.names, key=len)  # a vector of a frame in its own axes relative to another
        self._longest = (*longest, *longest[:1])
        if self.question is not None and not self._is_askable(self.question):
            self.question, self._key = None, NO_ITEM
        if self.variable is not None and not self.variables.has(self.variable):
            self.variable = None
        if self.variable is not None:
            self._show()
        elif self.question is None:
            self.set_item(self._key if self._key != NO_ITEM else self._first_key())
            if self.question is None:
                self._show()
        else:
            self._choices = signal_choices(plan.scene, self._key)
            self._show()

    def set_item(self, key: ItemKey, kind: str = "", question: PlottedSignal | None = None) -> None:
        """Ask about another item: the quantity last asked of its kind, else the present one, else its most useful one.

        So a sensor and a frame, selected in turn, each keep their own quantity.

        Parameters
        ----------
        key
            The item.
        kind
            Kind of the selected item, if it is another one: the frame of a sensor is asked about in its place.
        question
            The question to begin with, before any was chosen for this kind.
        """
        kind = kind or key[0]
        if self.question is not None and (key, kind) == (self._key, self._kind):
            return
        self._kind, usual = kind, self._usual.get(kind)
        if question is not None and usual in (None, self._name_of(question)):
            self._show_other(question)
        else:
            self._ask_of(key, usual)

    def set_question(self, question: PlottedSignal) -> None:
        """Put a question into the bar that the user has chosen."""
        if self._show_other(question):
            self._kind = self._key[0]
            self._usual[self._kind] = self._name_of(question)

    def _show_other(self, question: PlottedSignal) -> bool:
        """Put a question into the bar. Return False if the scene lacks its item."""
        if self._plan is None or not self._is_askable(question):
            return False
        self._key = (signal_named(question.signal).item, question.of or "")
        self._choices = signal_choices(self._plan.scene, self._key)
        self.question, self.variable = question, None
        self._show()
        self.question_changed.emit()
        return True

    def ask(self, aim: Aim | None = None) -> None:
        """Give the keyboard to the box of the quantity, with its list open; Return answers in the form aimed at.

        With an aim, the window gets the keyboard back as soon as the question is answered: *Space* plays again.
        """
        self._aim = aim
        if aim is not None:
            self._form = aim.form
        self.what.ask()
        self._show_aim()

    def show_forms(self, forms: Collection[Form]) -> None:
        """Press the buttons of the forms in which the scene answers the question."""
        for form, button in self.buttons.items():
            button.setChecked(form in forms)

    # ---- choices of the user -------------------------------------------------------------------------

    def _on_what(self, name: str) -> None:
        choice = self._quantities.choice_of(name)
        if isinstance(choice, VariableChoice):
            self._set_variable(choice)
        elif choice is not None and self._plan is not None:
            if name not in self._quantities.names:  # a row with its own item and frames
                self._key, self._choices = choice.key, signal_choices(self._plan.scene, choice.key)
                self._kind, self.question = self._key[0], None
            self._ask(choice.plot)
            self._usual[self._kind or self._key[0]] = choice.quantity

    def _on_frame(self, key: str) -> None:
        if key == "of":
            self._on_of(self.of.name)
        else:
            self._on_part(is_other_reference=key == "relative_to")

    def _ask_of(self, key: ItemKey, quantity: str | None) -> None:
        """Ask for a quantity of another item; for the present quantity or its most useful one if None."""
        choices = () if self._plan is None else signal_choices(self._plan.scene, key)
        if not choices:
            return
        before = None if self.question is None else self._name_of(self.question)
        self._key, self._choices = key, choices
        wanted = before if quantity is None else quantity
        chosen = next((choice for choice in choices if choice.quantity == wanted), choices[0])
        self._usual.setdefault(self._kind or key[0], chosen.quantity)
        self._ask(chosen.plot)

    def _on_of(self, name: str) -> None:
        variable = self._items.variable_of(name)
        if variable is not None:
            self._set_variable(variable)
            return
        key, before = self._items.key_of(name), self.question
        if key is None or (before is not None and key == self._key):
            return
        self._kind = key[0]
        self._ask_of(key, None)
        if before is not None and self.question is not None and before.signal == self.question.signal:
            self._keep(before)

    def _set_variable(self, variable: VariableChoice) -> None:
        """Ask for a recorded variable; for one that a sensor of the scene shows, its signal."""
        plot = None if self._plan is None else plot_of_column(self._plan.scene, variable.sensor)
        if plot is not None:
            self.set_question(signals_of(plot)[0])
            return
        self.variable, self.question, self._key = variable, None, NO_ITEM
        self._show()
        self.show_forms(())
        self.question_changed.emit()

    def _keep(self, before: PlottedSignal) -> None:
        """Ask the same of another item, with the same frames, components and unit. Axes of the item stay its own."""
        of = self.question.of if self.question is not None else None
        keys = signal_named(before.signal).frames
        frames = {key: of if getattr(before, key) == before.of else getattr(before, key) for key in keys}
        kept = with_keys(before, of=of, **frames)
        if kept.relative_to != of:
            self.question = kept
            self._show()
            self.question_changed.emit()

    def _on_part(self, *, is_other_reference: bool = False) -> None:
        """Ask with the present choices of the boxes. Usual axes follow another reference frame."""
        if self.question is None:
            return
        component = self.component.currentData()
        keys: dict[str, object] = {
            "components": [component] if component else self._choice_of(self.question).components
        }
        kind = signal_named(self.question.signal)
        keys |= {key: getattr(self, key).name for key in kind.frames}
        if is_other_reference and self.question.resolved_in == usual_axes(self.question):
            keys |= _usual_frames(with_keys(self.question, relative_to=self.relative_to.name))
        keys |= {
            key: box.currentData() for key, box in (("sequence", self.sequence), ("unit", self.unit)) if box.count()
        }
        self.question = with_keys(self.question, **keys)
        self._show()
        self.question_changed.emit()

    def _on_form(self, form: Form) -> None:
        aim, self._form = self._aim, form
        if self.variable is not None:
            self.variable_asked.emit(self.variable.sensor, aim if aim is not None and aim.form == form else Aim(form))
        elif self.question is None:
            return
        elif aim is not None and aim.form == form:
            self.asked.emit(self.question, aim)
        else:
            self.answer_toggled.emit(self.question, form, self.buttons[form].isChecked())
        self._set_aim(None)

    def _on_clicked(self) -> None:
        """Answer with a clicked quantity if the form of the answer is known, such as after the + of the plots."""
        if self._aim is not None:
            self._answer()

    def _on_returned(self, is_taken: bool) -> None:
        """Answer on Return in a box of a frame, unless this has just taken its text."""
        if not is_taken:
            self._answer()

    def _answer(self) -> None:
        """Answer the question in the form aimed at, or in the last one."""
        is_aimed, aim = self._aim is not None, self._aim or Aim(self._form)
        self._set_aim(None)
        if not is_aimed and self.buttons[aim.form].isChecked():
            self.refused.emit("note", f"The scene shows this {aim.form} already")
        elif self.variable is not None:
            self.variable_asked.emit(self.variable.sensor, aim)
        elif self.question is not None:
            self.asked.emit(self.question, aim)
        if is_aimed:
            self.window().setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_text(self, text: str) -> None:
        """Give the box of the quantity room for the text that is typed into it, until it shows a name again."""
        if self.what.line.isModified() or text == self.what.name:
            self._fit_widths()

    def _set_aim(self, aim: Aim | None) -> None:
        was_aimed, self._aim = self._aim is not None, aim
        self._show_aim()
        if was_aimed and aim is None:
            self.aim_dropped.emit()

    def _on_focus(self, _before: QWidget | None, now: QWidget | None) -> None:
        is_left = now is not None and not self.isAncestorOf(now)
        self._set_aim(None if is_left else self._aim)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        # Return answers from every box, and presses a button that has the keyboard.
        key = event.key() if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress else None
        if key not in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            return super().eventFilter(watched, event)
        if isinstance(watched, QPushButton):
            watched.click()
        else:
            self._answer()
        return True

    def _on_refused(self, message: str) -> None:
        if message:
            self.refused.emit("amber", message)

    def _ask(self, plot: Plot) -> None:
        """Ask for a signal with its usual frames, and with the present ones where the item stays the same."""
        before, self.variable = self.question, None
        kept: dict[str, object] = {}
        if before is not None and before.of == plot.of and before.signal != "sensor":
            kind = signal_named(plot.signal)
            kept = {key: getattr(before, key) for key in kind.frames if getattr(before, key)}
            if self._plan is not None and reference_problem(kind, self._plan.scene, str(kept.get("relative_to"))):
                kept.pop("relative_to", None)
        asked = with_keys(PlottedSignal.model_validate(plot.model_dump(exclude_unset=True)), **kept)
        if before is not None and kept and before.resolved_in == usual_axes(before):
            asked = with_keys(asked, **_usual_frames(asked))
        self.question = asked
        self._show()
        self.question_changed.emit()

    # ---- what is shown -------------------------------------------------------------------------------

    def _first_key(self) -> ItemKey:
        return self._items.key_of(self._items.names[0]) or NO_ITEM if self._items.names else NO_ITEM

    def _is_askable(self, question: PlottedSignal) -> bool:
        """Return whether the scene has the item and the frames of a question."""
        if self._plan is None:
            return False
        scene, kind = self._plan.scene, signal_named(question.signal)
        if kind.item and question.of not in getattr(scene, kind.item):
            return False
        names = [getattr(question, key) for key in kind.frames]
        return all(name in self._plan.index for name in names)

    def _choice_of(self, question: PlottedSignal) -> PlottedSignal:
        """Return the whole signal of which a question may ask one component."""
        name = self._name_of(question)
        return next((choice.plot for choice in self._choices if choice.quantity == name), question)

    def _name_of(self, question: PlottedSignal) -> str:
        return question.signal if self._plan is None else quantity_of(self._plan.scene, question)

    def _show(self) -> None:
        question, plan = self.question, self._plan
        self.setEnabled(question is not None or self.variable is not None)
        if self.variable is not None:
            self._show_variable(self.variable)
        elif question is not None and plan is not None:
            self._show_question(question, plan.scene)
        self._show_words()
        self._show_aim()
        can = question is not None and can_be_arrow(question)
        self.buttons["arrow"].setEnabled(can)
        self.buttons["arrow"].setToolTip(TIPS["arrow"] if can else NO_ARROW)

    def _show_variable(self, variable: VariableChoice) -> None:
        self._quantities.set_variable()
        self.what.set_name(RECORDED)
        self.frames.set_frames(variable.name, None, None)
        self.of.setToolTip(literal_text(f"{variable.name} in {variable.table.clock.file}"))
        for box in (self.component, self.sequence, self.unit):
            box.hide()

    def _show_question(self, question: PlottedSignal, scene: Scene) -> None:
        kind = signal_named(question.signal)
        self._quantities.set_item(scene, self._key, self._choices)
        self.what.set_name(self._name_of(question))
        of = self._items.name_of(self._key)
        frames = ((getattr(question, key) or "") if key in kind.frames else None for key in FRAME_KEYS)
        self.frames.set_frames(of, *frames)
        every = components_to_choose(scene, self._choice_of(question))
        parts = [(_whole_text(every), ALL), *((_part_text(part), part) for part in every)] if len(every) > 1 else []
        shown = question.components[0] if question.components and len(question.components) == 1 else ALL
        sequences = [(name, name) for name in SEQUENCES] if kind.has_sequence else []
        units = [(unit_text(unit), unit) for unit in units_of(question.signal)]
        for box, choices, current in (
            (self.component, parts, shown),
            (self.sequence, sequences, question.sequence),
            (self.unit, units, question.unit),
        ):
            _fill(box, choices, current)
            box.setVisible(bool(choices))

    def _show_aim(self) -> None:
        """Mark the button that Return presses while the keyboard is in the bar."""
        now = QApplication.focusWidget()
        aimed = (self._aim.form if self._aim else self._form) if now is not None and self.isAncestorOf(now) else ""
        for form, button in self.buttons.items():
            if bool(button.property("aimed")) != (form == aimed):
                button.setProperty("aimed", form == aimed)
                button.style().polish(button)

    def minimumSizeHint(self) -> QSize:
        # The row may be cut: the docks beside it need their width.
        return QSize(NARROWEST, self._height)

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), self._height)

    @property
    def _height(self) -> int:
        return METRICS.question + (METRICS.button + METRICS.inner if self._has_two_rows else 0)

    @property
    def _has_two_rows(self) -> bool:
        return self._row.direction() == QBoxLayout.Direction.TopToBottom

    def _set_rows(self) -> None:
        """Put what is shown of the question below it where one row is too narrow, else beside it.

        This depends on the scene and not on the question, so that nothing moves when another frame is selected.
        """
        is_split = self.width() < max(MEDIUM, self._width_of_names())
        if is_split == self._has_two_rows:
            return
        self._row.setDirection(QBoxLayout.Direction.TopToBottom if is_split else QBoxLayout.Direction.LeftToRight)
        self._row.setSpacing(METRICS.inner if is_split else METRICS.inner + 2)
        policy = QSizePolicy.Policy.Expanding if is_split else QSizePolicy.Policy.Fixed
        self._end.changeSize(0, 0, policy, QSizePolicy.Policy.Minimum)
        self._row.invalidate()
        self.setFixedHeight(self._height)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._show_words()

    def _width_of_names(self) -> int:
        """Return the width of one row that shows the longest names of frames in full, with the words before them."""
        names = sum(_width_of(self.of, name) for name in self._longest)
        words = sum(word.sizeHint().width() + _GAP for word in self.frames.words.values())
        boxes = 1 + len(self._longest)
        return LEAST_WHAT + names + words + boxes * _GAP + PARTS + self._forms.sizeHint().width() + 2 * METRICS.padding

    def _show_words(self) -> None:
        """Show the words for which the row has room beside the whole names; those between the frames longest."""
        self._set_narrow()  # before the rows are chosen, which depends on the width of the buttons
        self._set_rows()
        boxes = (self.what, *self.frames.fields.values())
        between = [self.frames.words[key] for key in self.frames.fields]
        ends = [word for word in self._words.values() if word not in between]
        if self._has_two_rows:
            others: tuple[QWidget, ...] = ()
        else:
            boxes, others = (*boxes, self.sequence, self.component, self.unit), (self._forms,)
        shown = [box for box in boxes if not box.isHidden()]
        needed = sum(_wanted_width(box, MOST_WHAT if box is self.what else MOST) + _GAP for box in shown)
        needed += sum(widget.sizeHint().width() + _GAP for widget in others) + 2 * METRICS.padding
        for words in (between, ends):
            of_shown = [word for widget, word in self._words.items() if word in words and not widget.isHidden()]
            needed += sum(word.sizeHint().width() + _GAP for word in of_shown)
            for word in words:
                word.setVisible(word in of_shown and needed <= self.width())
        self._fit_widths()

    def _set_narrow(self) -> None:
        """Make the buttons of the forms narrower in a narrow bar."""
        is_narrow = self.width() < MEDIUM
        if bool(self._forms.property("narrow")) != is_narrow:
            self._forms.setProperty("narrow", is_narrow)
            for button in self.buttons.values():
                button.style().polish(button)

    def _fit_widths(self) -> None:
        """Make each box as wide as its text; where the row has no room, the widest boxes shrink."""
        frames, parts = self.frames.fields.values(), (self.sequence, self.component, self.unit)
        if self._has_two_rows:
            self._fit_row((self.what, *frames), [word for word in self._words.values() if word is not self._as])
            for box in parts:
                box.setFixedWidth(_wanted_width(box))
        else:
            self._fit_row((self.what, *frames, *parts), [*self._words.values(), self._forms])

    def _fit_row(self, boxes: Sequence[QComboBox], others: Sequence[QWidget]) -> None:
        """Make each box of a row, the one of the quantity first, as wide as its text or as the row has room."""
        is_narrow = self.width() < MEDIUM
        shown = [box for box in boxes if not box.isHidden()]
        n_gaps = len(shown) + sum(not widget.isHidden() for widget in others)
        fixed = sum(widget.sizeHint().width() for widget in others if not widget.isHidden())
        room = self.width() - fixed - n_gaps * _GAP - 2 * METRICS.padding
        least = LEAST_WHAT_NARROW if is_narrow else LEAST_WHAT
        if shown[0] is self.what and self.what.line.isModified():
            least = max(least, min(_wanted_width(self.what, MOST_TYPED), room - LEAST * (len(shown) - 1)))
        what, widths = _wanted_width(shown[0], MOST_WHAT), [_wanted_width(box) for box in shown[1:]]
        most = widest_that_fits([max(what, least), *widths], room)
        if most < least:  # the box in which one types keeps its width, and the others share the rest
            what, most = least, widest_that_fits(widths, room - least)
        self.what.setFixedWidth(max(min(what, max(most, least)), least))
        for box, width in zip(shown[1:], widths, strict=True):
            box.setFixedWidth(max(min(width, most), LEAST))

    def _lay_out(self) -> QBoxLayout:
        forms = self._forms = QFrame()
        forms.setProperty("role", "segmented")
        forms.setAccessibleName("answer as")
        forms.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        forms.setFixedHeight(METRICS.button)
        layouts.row(*self.buttons.values(), on=forms, margins=2, spacing=0)
        show = layouts.label("Show", "quiet")
        as_ = self._as = layouts.label("as", "quiet")
        self._words = {self.what: show, forms: as_}
        self._words |= {field: self.frames.words[key] for key, field in self.frames.fields.items()}
        question = layouts.row(show, self.what, self.frames, margins=0, spacing=_GAP)
        self._end = QSpacerItem(0, 0, QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Minimum)
        question.addItem(self._end)
        parts = (self.sequence, self.component, self.unit, layouts.STRETCH, as_, forms)
        shown = layouts.row(*parts, margins=0, spacing=_GAP)
        row = layouts.row(question, (shown, 1), on=self, margins=(METRICS.padding, METRICS.inner), spacing=_GAP)
        row.setSizeConstraint(QLayout.SizeConstraint.SetNoConstraint)  # the window may be narrower
        return row


def _box(name: str, label: str) -> ChoiceBox:
    box = ChoiceBox()
    box.setObjectName(f"question {name}")
    box.setProperty("kind", "field")
    box.setAccessibleName(label)
    box.setToolTip(label.capitalize())
    return box


def widest_that_fits(widths: Iterable[int], room: int) -> int:
    """Return the width to which wider boxes must shrink so that all boxes fit into a room.

    >>> widest_that_fits([50, 150, 150], 250), widest_that_fits([50, 150], 300)
    (100, 250)
    """
    shares = sorted(widths)
    while len(shares) > 1 and shares[0] * len(shares) <= room:
        room -= shares.pop(0)
    return room // max(len(shares), 1)


def _wanted_width(box: QComboBox, most: int = MOST) -> int:
    """Return the width of a box that shows its present text."""
    return _width_of(box, box.currentText(), most)


def _width_of(box: QComboBox, text: str, most: int = MOST) -> int:
    """Return the width of a box that shows a text."""
    return min(max(box.fontMetrics().horizontalAdvance(text) + _AROUND, LEAST), most)


def _fill(box: QComboBox, choices: list[tuple[str, str]], current: str | None) -> None:
    """Fill a box with texts and their data, if they differ, and choose one."""
    if [box.itemData(i) for i in range(box.count())] != [data for _, data in choices]:
        box.clear()
        for text, data in choices:
            box.addItem(text, data)
    box.setCurrentIndex(max(box.findData(current), 0))


def _usual_frames(question: PlottedSignal) -> dict[str, object]:
    """Return the keys that resolve a question in its usual axes; none if it is resolved in no frame."""
    axes = usual_axes(question)
    return {} if axes is None else {"resolved_in": axes}


def _whole_text(components: Sequence[str]) -> str:
    return ", ".join(AXIS_LETTERS) if tuple(components[:3]) == AXIS_LETTERS else "all"


def _part_text(component: str) -> str:
    return component.replace("norm", "magnitude")


def _form_buttons() -> dict[Form, QPushButton]:
    buttons: dict[Form, QPushButton] = {}
    for form in FORMS:
        button = QPushButton(form)
        button.setCheckable(True)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.setAccessibleName(f"answer as {form}")
        button.setShortcut(f"Alt+{form[0].upper()}")
        button.setToolTip(TIPS[form])
        buttons[form] = button
    return buttons

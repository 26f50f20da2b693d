"""Question bar: what, of, relative to, in axes of and unit, in one row, and the four forms of the answer."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from functools import partial

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QComboBox, QFrame, QHBoxLayout, QLabel, QLayout, QPushButton, QSizePolicy, QWidget

from framescope.core.evaluation.evaluate import Plan
from framescope.core.kernels.validation import SEQUENCES
from framescope.core.scene.edits.answers import FORMS, Form, can_be_arrow
from framescope.core.scene.edits.plots import with_keys
from framescope.core.scene.schema.model import NO_ITEM, ItemKey
from framescope.core.scene.schema.signal_kinds import signal_named
from framescope.core.scene.schema.signals import components_of, units_of
from framescope.core.scene.schema.view import PlottedSignal
from framescope.ui.formatting.item_names import unit_text
from framescope.ui.panels.question.question_choices import AskableNames, SignalChoice, signal_choices
from framescope.ui.panels.relation.frame_combo import FrameField, FrameNames
from framescope.ui.theme.tokens import METRICS
from framescope.ui.widgets import layouts
from framescope.ui.widgets.choice_box import ChoiceBox

ALL = ""
"""All components of a signal, among the choices."""

WIDE, MEDIUM = 1060, 860
"""Widths from which the row has room for all its words, and for those between the frames, logical pixels."""

NARROWEST = 420
"""Smallest width of the bar, logical pixels."""

LEAST, MOST = 46, 150
"""Smallest and largest width of a box, logical pixels."""

_AROUND = 36
"""Width of a box beside its text, logical pixels."""

TIPS: Mapping[Form, str] = {
    "number": "Show it as a number over the scene (Alt+N)",
    "curve": "Show it as a curve over time (Alt+C)",
    "arrow": "Show it as an arrow in the scene (Alt+A)",
    "sentence": "Say it as a sentence over the scene (Alt+S)",
}

NO_ARROW = "Only velocities and accelerations, linear and angular, have arrows"


class QuestionBar(QWidget):
    """Row of boxes that make up a question, and a button for each form of its answer, down while the scene shows it.

    Signals
    -------
    question_changed()
        Another question is in the bar.
    answer_toggled(object, str, bool)
        The user wants the question, a `PlottedSignal`, answered in a form, or no longer.
    refused(str, str)
        Kind and text for the status line: a typed name that is no item.
    """

    question_changed = Signal()
    answer_toggled = Signal(object, str, bool)
    refused = Signal(str, str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        layouts.lay_ground(self)
        self.setAccessibleName("question")
        self._plan: Plan | None = None
        self._key: ItemKey = NO_ITEM
        self._choices: tuple[SignalChoice, ...] = ()
        self.question: PlottedSignal | None = None
        """The question; None while nothing can be asked."""
        self._items, self._frames = AskableNames(self), FrameNames(self)
        self.what = _box("what", "quantity")
        self.of = FrameField(self._items, "of", has_icon=False, opens_on_click=True)
        self.relative_to = FrameField(self._frames, "relative to", has_icon=False, opens_on_click=True)
        self.resolved_in = FrameField(self._frames, "in axes of", has_icon=False, opens_on_click=True)
        self.sequence, self.component = _box("sequence", "axis sequence"), _box("component", "component")
        self.unit = _box("unit", "unit")
        self.buttons = _form_buttons()
        self._words: dict[QWidget, QLabel] = {}
        self._row = self._lay_out()
        self.what.activated.connect(self._on_what)
        self.of.chosen.connect(self._on_of)
        for field in (self.relative_to, self.resolved_in):
            field.chosen.connect(self._on_part)
        for box in (self.sequence, self.component, self.unit):
            box.activated.connect(self._on_part)
        for field in (self.of, self.relative_to, self.resolved_in):
            field.refused.connect(self._on_refused)
        for form, button in self.buttons.items():
            button.clicked.connect(partial(self._on_form, form))
        self._show()

    def set_plan(self, plan: Plan) -> None:
        """Ask about another plan; a question about an item that is gone is dropped."""
        self._plan = plan
        self._items.set_plan(plan)
        self._frames.set_plan(plan)
        if self.question is not None and not self._is_askable(self.question):
            self.question, self._key = None, NO_ITEM
        if self.question is None:
            self.set_item(self._key if self._key != NO_ITEM else self._first_key())
        else:
            self._choices = signal_choices(plan.scene, self._key)
            self._show()

    def set_item(self, key: ItemKey) -> None:
        """Ask about another item: the same quantity if it has it, else the one that people most often want."""
        if self._plan is None or key == self._key:
            return
        choices = signal_choices(self._plan.scene, key)
        if not choices:
            return
        before = "" if self.question is None else self._name_of(self.question)
        self._key, self._choices = key, choices
        chosen = next((choice for choice in choices if choice.name == before), choices[0])
        self._ask(chosen)

    def set_question(self, question: PlottedSignal) -> None:
        """Put a question into the bar."""
        if self._plan is None or not self._is_askable(question):
            return
        self._key = (signal_named(question.signal).item, question.of or "")
        self._choices = signal_choices(self._plan.scene, self._key)
        self.question = question
        self._show()
        self.question_changed.emit()

    def show_forms(self, forms: Collection[Form]) -> None:
        """Press the buttons of the forms in which the scene answers the question."""
        for form, button in self.buttons.items():
            button.setChecked(form in forms)

    # ---- choices of the user -------------------------------------------------------------------------

    def _on_what(self, row: int) -> None:
        self._ask(self._choices[row])

    def _on_of(self, name: str) -> None:
        key, before = self._items.key_of(name), self.question
        if key is None:
            return
        self.set_item(key)
        if before is not None and self.question is not None and before.signal == self.question.signal:
            self._keep(before)

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

    def _on_part(self) -> None:
        if self.question is None:
            return
        component = self.component.currentData()
        keys: dict[str, object] = {"components": [component] if component else None}
        kind = signal_named(self.question.signal)
        keys |= {key: getattr(self, key).name for key in kind.frames}
        keys |= {
            key: box.currentData() for key, box in (("sequence", self.sequence), ("unit", self.unit)) if box.count()
        }
        self.question = with_keys(self.question, **keys)
        self._show()
        self.question_changed.emit()

    def _on_form(self, form: Form) -> None:
        if self.question is not None:
            self.answer_toggled.emit(self.question, form, self.buttons[form].isChecked())

    def _on_refused(self, message: str) -> None:
        if message:
            self.refused.emit("amber", message)

    def _ask(self, choice: SignalChoice) -> None:
        """Ask for a signal with its usual frames, and with the present ones where the item stays the same."""
        before, plot = self.question, choice.plot
        kept: dict[str, object] = {}
        if before is not None and before.of == plot.of and before.signal != "sensor":
            kept = {key: getattr(before, key) for key in signal_named(plot.signal).frames if getattr(before, key)}
        self.question = with_keys(PlottedSignal.model_validate(plot.model_dump(exclude_unset=True)), **kept)
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

    def _name_of(self, question: PlottedSignal) -> str:
        same = (c.name for c in self._choices if c.plot.signal == question.signal)
        return next(same, question.signal)

    def _show(self) -> None:
        question, plan = self.question, self._plan
        self.setEnabled(question is not None)
        if question is None or plan is None:
            return
        kind, scene = signal_named(question.signal), plan.scene
        _fill(self.what, [(choice.name, choice.name) for choice in self._choices], self._name_of(question))
        self.of.set_name(self._items.name_of(self._key))
        for key, field in (("relative_to", self.relative_to), ("resolved_in", self.resolved_in)):
            field.setVisible(key in kind.frames)
            field.set_name(getattr(question, key) or "")
        every = components_of(question, scene).every
        parts = [("whole", ALL), *((_part_text(part), part) for part in every)] if len(every) > 1 else []
        shown = question.components[0] if question.components and len(question.components) == 1 else ALL
        sequences = [(name, name) for name in SEQUENCES] if kind.has_sequence else []
        units = [(unit_text(unit), unit) for unit in units_of(question.signal)]
        for box, choices, current in (
            (self.component, parts if kind.item != "sensors" else [], shown),
            (self.sequence, sequences, question.sequence),
            (self.unit, units, question.unit),
        ):
            _fill(box, choices, current)
            box.setVisible(bool(choices))
        self._show_words()
        arrow = self.buttons["arrow"]
        arrow.setEnabled(can_be_arrow(question))
        arrow.setToolTip(TIPS["arrow"] if can_be_arrow(question) else NO_ARROW)

    def minimumSizeHint(self) -> QSize:
        # The row may be cut: the docks beside it need their width.
        return QSize(NARROWEST, METRICS.question)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._show_words()

    def _show_words(self) -> None:
        """Show the words for which the row has room: those between the frames longest."""
        between = (self.of, self.relative_to, self.resolved_in)
        for widget, word in self._words.items():
            least = MEDIUM if widget in between else WIDE
            word.setVisible(not widget.isHidden() and self.width() >= least)
        self._fit_widths()

    def _fit_widths(self) -> None:
        """Make each box as wide as its text; where the row has no room, the widest boxes shrink."""
        boxes = (self.what, self.of, self.relative_to, self.resolved_in, self.sequence, self.component, self.unit)
        shown = [box for box in boxes if not box.isHidden()]
        row = self._row
        items = filter(None, (row.itemAt(i) for i in range(row.count())))
        others = [item.widget() for item in items]
        fixed = sum(w.sizeHint().width() for w in others if w is not None and w not in boxes and not w.isHidden())
        n_shown = sum(w is not None and not w.isHidden() for w in others)
        room = self.width() - fixed - n_shown * row.spacing() - 2 * METRICS.padding
        widths = [_wanted_width(box) for box in shown]
        most = max(widest_that_fits(widths, room), LEAST)
        for box, width in zip(shown, widths, strict=True):
            box.setFixedWidth(min(width, most))

    def _lay_out(self) -> QHBoxLayout:
        self._words = {
            self.what: layouts.label("Show", "quiet"),
            self.of: layouts.label("of", "quiet"),
            self.relative_to: layouts.label("relative to", "quiet"),
            self.resolved_in: layouts.label("in axes of", "quiet"),
        }
        forms = QFrame()
        forms.setProperty("role", "segmented")
        forms.setAccessibleName("answer as")
        forms.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        forms.setFixedHeight(METRICS.button)
        layouts.row(*self.buttons.values(), on=forms, margins=2, spacing=0)
        self._words[forms] = layouts.label("as", "quiet")
        parts: list[layouts.Part] = []
        for field in (self.what, self.of, self.relative_to, self.resolved_in):
            parts += [self._words[field], field]
        parts += [self.sequence, self.component, self.unit, layouts.STRETCH, self._words[forms], forms]
        row = layouts.row(*parts, on=self, margins=(METRICS.padding, METRICS.inner), spacing=METRICS.inner + 2)
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


def _wanted_width(box: QComboBox) -> int:
    """Return the width of a box that shows its present text."""
    return min(max(box.fontMetrics().horizontalAdvance(box.currentText()) + _AROUND, LEAST), MOST)


def _fill(box: QComboBox, choices: list[tuple[str, str]], current: str | None) -> None:
    """Fill a box with texts and their data, if they differ, and choose one."""
    if [box.itemData(i) for i in range(box.count())] != [data for _, data in choices]:
        box.clear()
        for text, data in choices:
            box.addItem(text, data)
    box.setCurrentIndex(max(box.findData(current), 0))


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

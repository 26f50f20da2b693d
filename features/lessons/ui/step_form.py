"""Form of a step: title, text, question, scene and camera, each field with its faults beside it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QApplication, QWidget

from framescope.core.errors import KeyPath, Problem
from framescope.core.kernels.validation import SEQUENCES
from framescope.core.scene.schema.base import Item
from framescope.core.scene.schema.model import Scene
from framescope.features.lessons.core.schema import LessonMoment, Question
from framescope.features.lessons.core.step_text import StepFields, StepScene, StepText, missing_key
from framescope.features.lessons.ui.name_completer import NameCompleter
from framescope.ui.panels.inspector.editors import (  # noqa: F401 - lists adds its editor
    default_values,
    field_labels,
    lists,
)
from framescope.ui.panels.inspector.editors.collapsible import Fold
from framescope.ui.panels.inspector.editors.editor import Editor, EditorContext
from framescope.ui.panels.inspector.editors.fields import Field, fields_of
from framescope.ui.panels.inspector.editors.form import FormsEditor, ModelForm
from framescope.ui.panels.inspector.editors.paragraphs import LinesEditor
from framescope.ui.qt_support.edit_sink import EditSink
from framescope.ui.theme.tokens import METRICS
from framescope.ui.widgets import layouts
from framescope.ui.widgets.buttons import push_button
from framescope.ui.widgets.inline_message import InlineMessage

STEP: KeyPath = ("step",)
MOMENT: KeyPath = ("step", "moment")
QUESTION: KeyPath = ("step", "moment", "question")

IN_TEXT = ("parameters", "orientations", "frames")
"""Fields of a moment that a capture writes, and that are edited in the text."""

SHORT_KINDS = {
    "choose": "Several answers",
    "number": "A number",
    "turn": "A frame to turn",
    "point": "A direction",
    "sketch": "A curve to sketch",
}
"""Kinds of questions, in few words."""

QUESTIONS = ("Choose", "NumberQuestion", "Turn", "PointQuestion", "Sketch")

FOR_CLASS = ("pause", "notes")
"""Fields of a moment that are shown below the question."""

field_labels.add_words(
    Path(__file__).with_name("field_labels.toml"),
    choices={("Turn", "by"): tuple(SEQUENCES)},
    names={
        ("LessonMoment", "select"): ("world", "frames"),
        ("Staged", "frame"): ("frames",),
        ("Turn", "frame"): ("frames",),
        ("PointQuestion", "frame"): ("world", "frames"),
        ("PointQuestion", "resolved_in"): ("world", "frames"),
        ("DirectionMisreading", "resolved_in"): ("world", "frames"),
    },
    paragraphs={
        ("StepFields", "words"): 4,
        ("LessonMoment", "notes"): 3,
        **{(kind, key): 2 for kind in QUESTIONS for key in ("ask", "hints", "if_right", "if_wrong")},
        **{(kind, "reply"): 2 for kind in ("Option", "Misreading", "DirectionMisreading", "CurveMisreading")},
        **{("LessonMoment", key): 2 for key in ("lit", "hide", "plots")},
    },
    texts=frozenset({("NumberQuestion", "unit")}),
)
default_values.STARTS.update(
    {
        "Option": {"text": "Another answer", "reply": "What leads to it."},
        "Misreading": {"value": 0, "reply": "What leads to this number."},
        "DirectionMisreading": {"axis": (0, 0, 1), "reply": "What leads to this direction."},
        "CurveMisreading": {"expression": "0*t", "reply": "What leads to this curve."},
        "Play": {"to": "1 s"},
    }
)


@dataclass(frozen=True)
class StepContext(EditorContext):
    """Context of the fields of a step.

    Attributes
    ----------
    step_scene
        Scene of the step, with its fields.
    suggest
        Function that returns texts for a field of free text.
    template
        Function that returns a new question of a kind.
    """

    step_scene: StepScene = field(default_factory=StepScene)
    suggest: Callable[[Field], Iterable[str]] = lambda _field: ()
    template: Callable[[str], Item] | None = None

    @property
    def scene(self) -> Scene:
        """Scene of the step, with its fields."""
        return self.step_scene

    def suggestions_for(self, field: Field) -> tuple[str, ...]:
        """Return texts that complete a field of free text."""
        return tuple(self.suggest(field))


class QuestionEditor(FormsEditor):
    """Choice of the kind of question, with its fields below. A new kind begins as a template."""

    def text_of(self, form: str) -> str:
        """Return the words for a kind of question."""
        return SHORT_KINDS[form]

    def new_value(self, form: str, context: EditorContext) -> object:
        """Return a template, with the texts of the question before."""
        if not isinstance(context, StepContext) or context.template is None:
            return super().new_value(form, context)
        new, before = context.template(form), context.step_scene.step.moment.question
        if before is None:
            return new
        common = {key: getattr(before, key) for key in Question.model_fields if getattr(before, key)}
        return new.model_copy(update=common)


class StepForm(QWidget):
    """Fields of a step.

    Signals
    -------
    fitted(), view_taken()
        The camera of the step is to be fitted to its subject, or to become that of the view.
    """

    fitted = Signal()
    view_taken = Signal()

    def __init__(self, words: Callable[[], Iterable[str]], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.edits = EditSink(self)
        self._words = words
        body = layouts.panel(self)
        self.message = InlineMessage(parent=body)
        self.step = ModelForm(StepFields, without=("moment",), parent=body)
        (question,) = (entry for entry in fields_of(LessonMoment) if entry.key == "question")
        self.question = QuestionEditor(question, is_nested=False, parent=body)
        others = tuple(key for key in LessonMoment.model_fields if key not in FOR_CLASS)
        self.for_class = ModelForm(LessonMoment, without=others, parent=body)
        self.moment: ModelForm | None = None
        """Fields of scene and camera; None until the user opens them."""
        self._shown: tuple[StepContext, StepText, Sequence[Problem], str] | None = None
        self.fold = Fold("Scene and camera", self._make_moment, {}, parent=body)
        self.fold.opened.connect(self._show_again)
        parts = self.message, self.step, self.question, self.for_class, self.fold, layouts.STRETCH
        layouts.column(*parts, on=body, margins=(0, METRICS.inner, METRICS.gap, METRICS.gap), spacing=METRICS.gap)
        self.area = layouts.scroll_area(body, "fields of the step")
        self.area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        layouts.column((self.area, 1), on=self, margins=0, spacing=0)

    def show_step(
        self, context: StepContext, step: StepText, problems: Sequence[Problem], note: str, *, is_other: bool
    ) -> None:
        """Show a step.

        Parameters
        ----------
        context, step
            Scene and fields of the step.
        problems
            Problems of the step, which are shown at their fields.
        note
            Advice on the step, or a problem of another one; empty for none.
        is_other
            Whether what was typed belongs to another step, and is discarded.
        """
        if is_other:
            for editor in self.findChildren(Editor):
                editor.forget()
        self._shown = context, step, problems, note
        can_edit = not step.problem
        for part in (self.step, self.question, self.for_class, self.fold):
            part.setEnabled(can_edit)
        self.step.show_values(context, STEP)
        self.question.show_value(context, QUESTION)
        self.for_class.show_values(context, MOMENT)
        if self.moment is not None:
            self.moment.show_values(context, MOMENT)
        self._show_problems(step, problems, note)

    def finish(self) -> None:
        """Commit what was typed in a field that still has the focus."""
        focus = QApplication.focusWidget()
        if isinstance(focus, QWidget) and self.isAncestorOf(focus):
            focus.clearFocus()

    def _show_again(self) -> None:
        if self._shown is not None:
            self.show_step(*self._shown, is_other=False)

    def _make_moment(self) -> QWidget:
        content = QWidget()
        self.moment = ModelForm(LessonMoment, without=("question", *IN_TEXT, *FOR_CLASS), parent=content)
        fit = push_button("Fit camera", "scan", "small", clicked=self.fitted)
        fit.setToolTip("Move the camera until what the step speaks of fills the picture")
        take = push_button("Set camera to view", "camera", "small", clicked=self.view_taken)
        take.setToolTip("Give the step the present camera of the scene")
        note = layouts.label("Captured changes of parameters and frames are in the text.", "caption", wordWrap=True)
        layouts.column(
            self.moment,
            layouts.row(fit, take, layouts.STRETCH, spacing=METRICS.inner),
            note,
            on=content,
            margins=0,
            spacing=METRICS.inner,
        )
        for editor in self.moment.editors.values():
            if isinstance(editor, LinesEditor):
                NameCompleter(editor.box, self._words)
        return content

    def _show_problems(self, step: StepText, problems: Sequence[Problem], note: str) -> None:
        at_question: dict[str, str] = {}
        at_moment: dict[str, str] = {}
        others = [f"The fields cannot be edited: {step.problem} Correct it in the text."] if step.problem else []
        form = self.question.form
        for problem in () if step.problem else problems:
            keys, text = problem.key_path[1:], " ".join(filter(None, (problem.message, problem.hint)))  # less the title
            text = text[:1].upper() + text[1:]
            if key := missing_key(problem.message):
                keys, text = (*keys, key), "It is required."
            if keys[:1] == ("question",) and form is not None and len(keys) > 1 and str(keys[1]) in form.editors:
                entry = f"Entry {int(keys[2]) + 1}: " if len(keys) > 2 and isinstance(keys[2], int) else ""
                at_question.setdefault(str(keys[1]), f"{entry}{text}")
            elif keys and (self._has_field(str(keys[0]))):
                at_moment.setdefault(str(keys[0]), text)
            else:
                others.append(text)
        if form is not None:
            form.show_messages(at_question)
        self.question.show_message(at_moment.pop("question", ""))
        self.for_class.show_messages(at_moment)
        if self.moment is not None:
            self.moment.show_messages(at_moment)
        hidden = [text for key, text in at_moment.items() if key not in FOR_CLASS] if self.moment is None else []
        self.message.set_message(" ".join(filter(None, (*others, *hidden, note))))

    def _has_field(self, key: str) -> bool:
        return key in LessonMoment.model_fields and key not in IN_TEXT

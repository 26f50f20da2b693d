"""Pages of the inspector: a frame, another item, or the whole scene."""

from __future__ import annotations

from typing import Any, get_args

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget

from framescope.core.errors import KeyPath, RefusedError
from framescope.core.recordings.smoothing import facts
from framescope.core.scene.edits.items import rename_item
from framescope.core.scene.edits.motion_kind import set_motion, stop_frame, turn_by_formula
from framescope.core.scene.schema.base import Item
from framescope.core.scene.schema.kinds.motions import MOTION_KINDS, Moment
from framescope.core.scene.schema.model import NO_ITEM, Frame, ItemKey, Scene
from framescope.core.scene.schema.motions import Recorded
from framescope.core.scene.schema.points import Simulation
from framescope.core.scene.schema.poses import ThreeAngles
from framescope.core.scene.schema.view import FrameLook, View
from framescope.ui.formatting.item_names import is_by_formula, motion_text, sentence
from framescope.ui.panels.inspector.editors import lists, parameters  # noqa: F401 - they add their editors
from framescope.ui.panels.inspector.editors.cameras import CameraEditor
from framescope.ui.panels.inspector.editors.card import CardView
from framescope.ui.panels.inspector.editors.choices import word_text
from framescope.ui.panels.inspector.editors.collapsible import Fold
from framescope.ui.panels.inspector.editors.editor import LABEL_WIDTH, Editor, EditorContext, column_label
from framescope.ui.panels.inspector.editors.fields import Field, fields_of, forms_in
from framescope.ui.panels.inspector.editors.files import ask_consent, ask_file
from framescope.ui.panels.inspector.editors.form import FormsEditor, ModelForm, editor_for
from framescope.ui.panels.inspector.editors.position import PositionEditor
from framescope.ui.panels.inspector.item_cards import card_of, twin_card
from framescope.ui.theme.tokens import METRICS
from framescope.ui.widgets import layouts
from framescope.ui.widgets.inline_message import InlineMessage
from framescope.ui.widgets.text_line import TextLine

Part = ModelForm | Editor

HEAD_LABEL = 60
"""Width of the labels of name, parent and position of a frame, logical pixels."""

VIEW_FIELDS = ("triads", "thin_triads", "labels", "links", "triad_length", "grid", "forces", "torques")
MARK_FIELDS = ("trails", "rings", "arcs", "stages")
CAMERA_FIELDS = ("camera", "camera_path")


class InspectorPage(QScrollArea):
    """Scrollable column of editors.

    Signals
    -------
    picked(object)
        The key of another item to select.
    """

    picked = Signal(object)

    def __init__(self, memory: dict[str, bool], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setAccessibleName("inspector")
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        layouts.keep_bar(self)
        self._memory = memory
        self.folds: dict[str, Fold] = {}
        self._parts: list[tuple[Part, tuple[str, ...], bool]] = []
        self._folded: list[tuple[Fold, tuple[str, ...], bool]] = []
        self._context: EditorContext | None = None
        self._key = NO_ITEM
        body = layouts.panel()
        self.outer = layouts.column(on=body, margins=0, spacing=0)
        margins = METRICS.padding, METRICS.gap, METRICS.beside_bar, METRICS.gap
        self.column = layouts.column(margins=margins, spacing=METRICS.inner)
        self.setWidget(body)

    def show_item(self, context: EditorContext, key: ItemKey) -> None:
        """Show an item of a plan."""
        self._context, self._key = context, key
        for part, path, is_of_item in self._parts:
            if part.parent() is not None:
                self._show_part(part, path, is_of_item=is_of_item)

    def forget(self) -> None:
        """Discard refused texts of all fields at the next update."""
        for editor in self.findChildren(Editor):
            editor.forget()
        for row in self.findChildren(NameRow):
            row.forget()

    def leave(self) -> None:
        """Keep refused numbers for the next time that their item is shown. Refused names are discarded."""
        for editor in self.findChildren(Editor):
            editor.leave()
        for row in self.findChildren(NameRow):
            row.forget()

    def show_time(self, context: EditorContext) -> None:
        """Update the values that change with time."""
        self._context = context
        for part, _, _ in self._parts:
            if part.isVisible():
                part.show_time(context)

    def add(self, part: Part, path: tuple[str, ...] = (), *, is_of_item: bool = True) -> Part:
        """Register an editor or a form for a path in the item, or in the scene."""
        self._parts.append((part, path, is_of_item))
        return part

    def fold(self, title: str, *parts: tuple[Any, tuple[str, ...], bool], is_open: bool = False) -> Fold:
        """Add a fold.

        Each part is a function that creates an editor when the fold opens, a path, and whether the path is in the item.
        """

        def make() -> QWidget:
            holder = QWidget()
            column = layouts.column(on=holder, margins=(0, 0, 0, METRICS.gap), spacing=METRICS.gap)
            for make_part, path, is_of_item in parts:
                part = self.add(make_part(), path, is_of_item=is_of_item)
                column.addWidget(part)
                if self._context is not None:
                    self._show_part(part, path, is_of_item=is_of_item)
            return holder

        fold = Fold(title, make, self._memory, is_open=is_open)
        self.folds[title] = fold
        self._folded += ((fold, path, is_of_item) for _, path, is_of_item in parts if path)
        self.column.addWidget(fold)
        return fold

    def field_of(self, path: KeyPath) -> QWidget | None:
        """Open the fold of the value at a path, and return the widget that edits it; None without any."""
        for fold, part_path, is_of_item in self._folded:
            whole = (*self._key, *part_path) if is_of_item else part_path
            if path[: len(whole)] == whole:
                fold.set_open(True)
        editors = (editor for editor in self.findChildren(Editor) if editor.isVisibleTo(self))
        fields = ((len(editor.path), editor.field_of(path)) for editor in editors)
        matches = [(depth, field) for depth, field in fields if field is not None and field.isVisibleTo(self)]
        return max(matches, key=lambda match: match[0])[1] if matches else None

    def _show_part(self, part: Part, path: tuple[str, ...], *, is_of_item: bool) -> None:
        if self._context is None:
            return
        whole = (*self._key, *path) if is_of_item else path
        if isinstance(part, ModelForm):
            part.show_values(self._context, whole)
        else:
            part.show_value(self._context, whole)


class NameRow(QWidget):
    """Editor of the name of an item."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._key, self._is_forgotten = NO_ITEM, False
        self._context: EditorContext | None = None
        self.line = TextLine()
        self.line.setAccessibleName("name")
        self.line.setToolTip("All references follow a new name")
        self.line.editingFinished.connect(self._on_finished)
        self.line.given_up.connect(self._show_name)
        self._message = InlineMessage()
        self._label = column_label("name", LABEL_WIDTH)
        row = layouts.row(self._label, (self.line, 1), spacing=METRICS.gap)
        layouts.column(row, self._message, on=self, margins=0, spacing=0)

    def set_label_width(self, width: int) -> None:
        """Set the width of the label, logical pixels."""
        self._label.set_usual_width(width, METRICS.field)

    def forget(self) -> None:
        """Discard a refused name at the next update."""
        self._is_forgotten = True

    def show_key(self, context: EditorContext, key: ItemKey) -> None:
        """Show the name of an item."""
        self._context = context
        if key != self._key or self._is_forgotten or not self.line.isModified():
            self._key, self._is_forgotten = key, False
            self._show_name()

    def _on_finished(self) -> None:
        new, (kind, old) = self.line.text().strip(), self._key
        if not self.line.isModified() or self._context is None:
            return
        if new == old:
            self._show_name()
            return
        try:
            edit = rename_item(self._context.scene, kind, old, new)
        except RefusedError as error:
            self._mark(f"{sentence(error)}.")
        else:
            self._mark("")
            self.line.setModified(False)
            had_focus = self.line.hasFocus()
            self._context.edits.commit_items(edit)
            if had_focus and self.line.isVisible():  # the selection has changed, and with it the focus
                self.line.setFocus(Qt.FocusReason.OtherFocusReason)
                self.line.setCursorPosition(len(self.line.text()))

    def _show_name(self) -> None:
        """Show the item's name and discard typed text."""
        self._mark("")
        if self.line.text() != self._key[1]:
            self.line.setText(self._key[1])
            self.line.setCursorPosition(0)
        self.line.setModified(False)

    def _mark(self, message: str) -> None:
        self._message.set_message(message)
        self.line.setProperty("invalid", bool(message))
        self.line.style().polish(self.line)


class ItemPage(InspectorPage):
    """Page of a body, point, element, sensor or measurement: all fields, with current numbers below."""

    def __init__(self, kind: str, memory: dict[str, bool], card: CardView, parent: QWidget | None = None) -> None:
        super().__init__(memory, parent)
        self._card = card
        self.name = NameRow()
        self.column.addWidget(self.name)
        annotation: Any = Scene.model_fields[kind].annotation
        forms = forms_in(get_args(annotation)[0])
        if len(forms) > 1:
            text = "Form of the item. Another form keeps the common fields."
            field = Field(Scene, kind, "forms", "form", text, forms=forms)
            self.editor: Part = FormsEditor(field, is_nested=False, parent=self.widget())
        else:
            model = next(model for _, model in forms)
            assert model is not None  # noqa: S101 - items are models
            self.editor = ModelForm(model, parent=self.widget())
        self.column.addWidget(self.add(self.editor))
        self.outer.addLayout(self.column)
        self.outer.addStretch(1)

    def show_item(self, context: EditorContext, key: ItemKey) -> None:
        self.name.show_key(context, key)
        super().show_item(context, key)
        if self._card.parent() is not self.widget():
            self.outer.insertWidget(1, self._card)
        card = card_of(context.plan, key)
        if card is not None:
            self._card.set_card(card)
            self._card.show()
        if context.snapshot is not None:
            self._show_numbers(context)

    def show_time(self, context: EditorContext) -> None:
        super().show_time(context)
        self._show_numbers(context)

    def _show_numbers(self, context: EditorContext) -> None:
        if context.snapshot is not None:
            self._card.show_snapshot(context.snapshot)


STILL, FORMULA = "still", "formula"
"""Motions of a frame without a `motion`: none, or by expressions in its position or orientation."""


class MotionEditor(FormsEditor):
    """Editor of a frame's motion: still, by a formula, or of a kind. Another motion keeps the present pose."""

    def __init__(self, field: Field) -> None:
        super().__init__(field)
        kinds = (choice for choice in self.combo.choices if choice[1] is not None)
        self.combo.set_choices(((STILL, STILL), (FORMULA, FORMULA), *kinds))
        self.combo.keys_open_list = True  # on its way to another motion it would ask for a file

    def choice_of(self, value: Any) -> object:
        if value is not None or self.context is None:
            return super().choice_of(value)
        return FORMULA if is_by_formula(self.context.scene.frames[str(self.path[1])]) else STILL

    def on_form(self, form: str | None) -> None:
        if self.context is None:
            return
        name = str(self.path[1])
        moment = self.context.plan.moment(name, self.context.t, self.context.sequence)
        if form == STILL:
            self.ask(stop_frame(name, moment, f"Stopped {name}"))
        elif form == FORMULA:
            self.ask(turn_by_formula(name, moment, f"Made {name} turn by a formula of t"))
        else:
            self._on_kind(name, form or "", moment)

    def _on_kind(self, name: str, form: str, moment: Moment) -> None:
        """Request a kind of motion. One that is in a file needs the file, and without it nothing changes."""
        if self.context is None:
            return
        file = ""
        if form and "file" in MOTION_KINDS.named(form).files:
            field = next(field for field in fields_of(MOTION_KINDS.named(form).model) if field.key == "file")
            file = ask_file(self, field, self.context.plan.context.access)
            if not file:
                self.show_again()
                return
        self.ask(set_motion(name, form, moment, f"Set the motion of {name} to {word_text(form)}", file))
        if file:
            ask_consent(self.context, file)


class FramePage(InspectorPage):
    """Page of a frame: name, parent, position, rotation, motion and look, in this order."""

    def __init__(self, memory: dict[str, bool], parent: QWidget | None = None) -> None:
        super().__init__(memory, parent)
        fields = {field.key: field for field in fields_of(Frame)}
        self.name = NameRow()
        self.name.set_label_width(HEAD_LABEL)
        self.parent_row = ModelForm(
            Frame, ("position", "orientation", "motion", "parent_keys", "source"), LABEL_WIDTH - HEAD_LABEL
        )
        self.position = PositionEditor(fields["position"], HEAD_LABEL)
        self.add(self.parent_row)
        self.add(self.position, ("position",))
        self.source = layouts.plain_label("", "quiet", wordWrap=True)
        self.source.setAccessibleName("where the pose is from")
        self.source.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        rows = self.name, self.parent_row, self.position, self.source
        margins = METRICS.padding, METRICS.gap, METRICS.beside_bar, 0
        self.outer.addLayout(layouts.column(*rows, margins=margins, spacing=METRICS.inner))
        self.outer.addLayout(self.column)
        parents: tuple[Any, tuple[str, ...], bool] = (lambda: _form_of(Frame, ("parent_keys",)), (), True)
        self.motion = self.fold("Motion", (lambda: MotionEditor(fields["motion"]), ("motion",), True), parents)
        self.smoothing = layouts.plain_label("", "quiet", wordWrap=True)
        self.smoothing.setAccessibleName("how the recording is smoothed")
        self.column.addWidget(self.smoothing)
        self._look: ModelForm | None = None
        self.look = self.fold("Look", (self._make_look, (), True))
        self.turn = self.fold(
            "Rotation as written", (lambda: FormsEditor(fields["orientation"]), ("orientation",), True)
        )
        self.twin = CardView()
        self.twin.picked.connect(self.picked)
        self.twin.hide()
        self.outer.addWidget(self.twin)
        self.outer.addStretch(1)

    def put_rotation(self, orientation: QWidget) -> None:
        """Insert the panel of the rotation below the position."""
        self.outer.insertWidget(1, orientation)

    def show_item(self, context: EditorContext, key: ItemKey) -> None:
        frame = context.scene.frames[key[1]]
        self.name.show_key(context, key)
        self.turn.set_note("" if frame.orientation is None else word_text(frame.orientation.form))
        self.motion.set_note(motion_text(frame) or ("formula" if is_by_formula(frame) else "still"))
        super().show_item(context, key)
        self._place_turn(frame)
        self._show_pose(frame)
        text = "" if frame.source is None else frame.source.words(key[1], frame.parent)
        if text != self.source.text():  # a text that is set anew loses what is selected in it
            self.source.setText(text)
        self.source.setVisible(bool(text))
        self._show_smoothing(context, key[1], frame)
        card = twin_card(context.plan, key[1])
        self.twin.setVisible(card is not None)
        if card is not None:
            self.twin.set_card(card)
            self._show_numbers(context)

    def show_time(self, context: EditorContext) -> None:
        super().show_time(context)
        self._show_numbers(context)

    def _place_turn(self, frame: Frame) -> None:
        """Put the rotation as written below the angles and open it where it has another form; else at the end."""
        is_other = frame.orientation is not None and not isinstance(frame.orientation, ThreeAngles)
        place = 0 if is_other else self.column.count() - 1
        if self.column.indexOf(self.turn) != place:
            self.column.removeWidget(self.turn)
            self.column.insertWidget(place, self.turn)
            if is_other:
                self.turn.set_open(True)

    def _show_pose(self, frame: Frame) -> None:
        """Hide position and orientation of a frame that gets its pose from a recording or keys."""
        is_elsewhere = frame.motion is not None and MOTION_KINDS.of(frame.motion).gives_pose
        self.turn.setVisible(not is_elsewhere or frame.orientation is not None)
        self.position.setVisible(not is_elsewhere or frame.position is not None)

    def _show_smoothing(self, context: EditorContext, name: str, frame: Frame) -> None:
        """Show the difference between a smoothed recording and its samples."""
        motion = context.plan.tree.motions.get(context.plan.index.get(name, -1))
        smoothing = None if motion is None else motion.smoothing
        text = ""
        if smoothing is not None and isinstance(frame.motion, Recorded):
            text = "\n".join(map(sentence, facts(smoothing, frame.motion.start.si("time", ("start",)))))
        self.smoothing.setText(text)
        self.smoothing.setVisible(bool(text))

    def _make_look(self) -> ModelForm:
        self._look = ModelForm(FrameLook)
        return self._look

    def _show_part(self, part: Part, path: tuple[str, ...], *, is_of_item: bool) -> None:
        if self._look is not None and part is self._look and self._context is not None:
            self._look.show_values(self._context, ("view", "frames", self._key[1]))
            return
        super()._show_part(part, path, is_of_item=is_of_item)

    def _show_numbers(self, context: EditorContext) -> None:
        if context.snapshot is not None and not self.twin.isHidden():
            self.twin.show_snapshot(context.snapshot)


class ScenePage(InspectorPage):
    """Page of the whole scene: title, time, parameters, simulation and view."""

    def __init__(self, memory: dict[str, bool], parent: QWidget | None = None) -> None:
        super().__init__(memory, parent)
        fields = {field.key: field for field in fields_of(Scene)}
        view_fields = {field.key: field for field in fields_of(View)}
        self.titles = self.add(_form_of(Scene, ("title", "source")), is_of_item=False)
        self.column.addWidget(self.titles)

        def part(field: Field, *path: str) -> tuple[Any, tuple[str, ...], bool]:
            return lambda: editor_for(field), (*path, field.key), False

        def fields_under(*keys: str) -> tuple[Any, tuple[str, ...], bool]:
            return lambda: _form_of(View, keys), ("view",), False

        self.fold("Parameters", part(fields["parameters"]), is_open=True)
        self.fold("Time", part(fields["time"]), is_open=True)
        self.fold("Simulation", part(fields["gravity"]), (lambda: ModelForm(Simulation), ("simulation",), False))
        self.fold("View", fields_under(*VIEW_FIELDS))
        camera, path = (view_fields[key] for key in CAMERA_FIELDS)
        self.fold("Camera", (lambda: CameraEditor(camera), ("view", camera.key), False), part(path, "view"))
        self.fold("Trails, rings, arcs, stages", *(part(view_fields[key], "view") for key in MARK_FIELDS))
        self.outer.addLayout(self.column)
        self.outer.addStretch(1)

    def show_item(self, context: EditorContext, key: ItemKey) -> None:
        n_parameters = len(context.scene.parameters)
        self.folds["Parameters"].set_note(str(n_parameters) if n_parameters else "none")
        time = context.scene.time
        self.folds["Time"].set_note(f"{time.start} to {time.end}")
        super().show_item(context, key)


def _form_of(model: type[Item], keys: tuple[str, ...]) -> ModelForm:
    return ModelForm(model, tuple(field.key for field in fields_of(model) if field.key not in keys))

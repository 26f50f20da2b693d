"""Base of all editors: a place in the scene, its value, edits of it, and an error message."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from PySide6.QtWidgets import QLabel, QWidget

from framescope.core.errors import KeyPath
from framescope.core.evaluation.evaluate import Plan
from framescope.core.evaluation.relative_motion import relative_position
from framescope.core.kernels.validation import USUAL_SEQUENCE
from framescope.core.scene.edits.base import Edit
from framescope.core.scene.edits.camera import SeenFrom
from framescope.core.scene.edits.fields import RefusedValueError, set_values, unset_value, value_at
from framescope.core.scene.edits.pose import Moment
from framescope.core.scene.schema.model import ITEM_KINDS, Scene
from framescope.core.snapshot import Snapshot
from framescope.ui.formatting.item_names import FRAME_ROLES
from framescope.ui.panels.inspector.editors.fields import Field
from framescope.ui.qt_support.edit_sink import EditSink
from framescope.ui.qt_support.tab_stops import tab_stops
from framescope.ui.theme.tokens import METRICS
from framescope.ui.widgets import layouts
from framescope.ui.widgets.elided_label import ElidedLabel
from framescope.ui.widgets.inline_message import InlineMessage
from framescope.ui.widgets.number_field import NumberField

LABEL_WIDTH = 92
_LONGEST = 40


@dataclass(frozen=True)
class EditorContext:
    """Context of editors: the plan, its snapshot, and functions of the window.

    Attributes
    ----------
    plan, snapshot
        The plan, and its current snapshot once there is one.
    edits
        Sink for edits.
    eye
        Function that returns the present camera of the view.
    ask_consent
        Function that asks the user whether files outside the scene's folder may be read, by their names.
    sequence
        Axis sequence of a new rotation.
    """

    plan: Plan
    edits: EditSink
    snapshot: Snapshot | None = None
    eye: Callable[[], SeenFrom] | None = None
    ask_consent: Callable[[tuple[str, ...]], None] | None = None
    sequence: str = USUAL_SEQUENCE

    @property
    def scene(self) -> Scene:
        """The scene of the plan."""
        return self.plan.scene

    def suggestions_for(self, field: Field) -> tuple[str, ...]:  # noqa: ARG002
        """Return texts that complete a free text; none by default."""
        return ()

    @property
    def t(self) -> float:
        """Current time, s."""
        return self.plan.start if self.snapshot is None else float(self.snapshot.t)


class Editor(QWidget):
    """Editor of one field.

    Parameters
    ----------
    field
        Field to edit.
    """

    is_wide = False
    """Whether the editor has its own label and takes the full width."""

    def __init__(self, field: Field, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.field = field
        self.path: KeyPath = ()
        self.context: EditorContext | None = None
        self._message: InlineMessage | None = None
        self._is_previewing = False
        self._is_forgotten = False
        self._drafts: dict[KeyPath, dict[str, tuple[str, str]]] = {}
        self.column = layouts.column(on=self, margins=0, spacing=METRICS.inner)

    def show_value(self, context: EditorContext, path: KeyPath) -> None:
        """Show the value at a path. At the same path, keep a field that the user is editing."""
        is_other = path != self.path or self._is_forgotten
        self.context, self.path, self._is_forgotten = context, path, False
        if is_other:
            self.show_message("")
        self.display(value_at(context.scene, path), is_other=is_other)
        drafts = self._drafts.pop(path, {}) if is_other else {}
        for field in self._own_fields() if drafts else ():
            if field.accessibleName() in drafts:
                field.restore(drafts[field.accessibleName()])

    def show_again(self) -> None:
        """Show the value of the scene and discard typed text."""
        if self.context is not None:
            self.show_message("")
            self.display(value_at(self.context.scene, self.path), is_other=True)

    def forget(self) -> None:
        """Discard refused text at the next update. Until then, edits keep their path."""
        self._drafts.clear()
        self._is_forgotten = True

    def leave(self) -> None:
        """Keep refused text for the next time that the present path is shown."""
        self._is_forgotten = True
        self._drafts.pop(self.path, None)
        drafts = {field.accessibleName(): field.draft for field in self._own_fields() if field.draft is not None}
        if drafts:
            self._drafts[self.path] = drafts

    def _own_fields(self) -> list[NumberField]:
        """Return the number fields of the editor without those of editors inside it."""
        inner = {field for editor in self.findChildren(Editor) for field in editor.findChildren(NumberField)}
        return [field for field in self.findChildren(NumberField) if field not in inner]

    def field_of(self, path: KeyPath) -> QWidget | None:
        """Return the widget that edits the value at a path; None if it belongs to another editor."""
        return next(tab_stops(self), None) if path[: len(self.path)] == self.path else None

    def display(self, value: Any, *, is_other: bool) -> None:
        """Display a value. `is_other` if it belongs to another path."""
        raise NotImplementedError

    def show_time(self, context: EditorContext) -> None:
        """Update the values that change with time."""
        self.context = context

    def show_message(self, message: str) -> None:
        """Show an error below the editor. An empty message hides it."""
        if self._message is None and message:
            self._message = InlineMessage()
            self.column.addWidget(self._message)
        if self._message is not None and message != self._message.text():
            self._message.set_message(message)

    @property
    def message(self) -> str:
        """Current error message."""
        return "" if self._message is None else self._message.text()

    # Actions of the user

    def edit(self, value: object, *, path: KeyPath | None = None, shown: str = "", is_final: bool = True) -> bool:
        """Request another value at this or another path. Return whether the scene accepts it."""
        return self.edit_all({self.path if path is None else path: value}, shown=shown, is_final=is_final)

    def edit_all(self, values: dict[KeyPath, object], *, shown: str = "", is_final: bool = True) -> bool:
        """Request several values in one edit."""
        what = f"“{self.field.label}”" if self.field.label in FRAME_ROLES.values() else self.field.label
        label = f"Set {what} of {owner_text(self.path)}" + (f" to {_short(shown)}" if shown else "")
        return self.ask(set_values(values, label), is_final=is_final)

    def leave_out(self) -> None:
        """Request the removal of the field's value."""
        self.ask(unset_value(self.path, f"Removed {self.field.label} of {owner_text(self.path)}"))

    def ask(self, edit: Edit, *, is_final: bool = True) -> bool:
        """Emit an edit that can be applied. Otherwise show the reason. Return whether it was emitted."""
        if self.context is None:
            return False
        try:
            edit.apply(self.context.scene)
        except (RefusedValueError, KeyError) as refused:
            self.show_message(str(refused) if isinstance(refused, RefusedValueError) else "It no longer exists.")
            if is_final and self._is_previewing:  # the gesture is over, so its preview is cancelled
                self._is_previewing = False
                self.context.edits.cancel()
            return False
        self.show_message("")
        self._is_previewing = not is_final
        if is_final:
            self.context.edits.commit(edit)
        else:
            self.context.edits.preview(edit)
        return True

    def cancel_gesture(self) -> None:
        """Cancel the gesture and show the value from before it."""
        self.show_again()
        if self.context is not None:
            self.context.edits.cancel()


def owner_text(path: KeyPath) -> str:
    """Return the owner of a path for labels of edits.

    >>> owner_text(("bodies", "disc", "shape", "radius")), owner_text(("view", "grid"))
    ('disc', 'the view')
    >>> owner_text(("film", "lock", "shots", 2, "title"))
    'shot 3'
    >>> owner_text(("film", "lock", "shots", 2, "texts", 0, "start"))
    'text 1 of shot 3'
    """
    if len(path) > 1 and path[0] in ITEM_KINDS:
        return str(path[1])
    if path[:2] == ("view", "frames") and len(path) > 2:
        return str(path[2])
    if path[:1] == ("film",) and len(path) > 3 and isinstance(path[3], int):
        shot = f"shot {path[3] + 1}"
        match path[4:]:
            case (kind, int() as i, _, *_):
                return f"{str(kind).removesuffix('s')} {i + 1} of {shot}"
            case _:
                return shot
    return "the view" if path[:1] == ("view",) else "the scene"


def label_of(text: str, message: str = "", role: str = "quiet") -> QLabel:
    """Return a label of a field."""
    return layouts.label(text, role, toolTip=message)


def column_label(text: str, width: int, message: str = "") -> ElidedLabel:
    """Return a label in a column with a width for the usual size of texts, logical pixels."""
    label = ElidedLabel(text, "quiet")
    label.set_usual_width(width, METRICS.field)
    label.set_hint(message)
    return label


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


def moment_of(context: EditorContext, name: str) -> Moment:
    """Return the current pose of a frame in its parent, NaN if it has none or there is no snapshot."""
    plan, snapshot = context.plan, context.snapshot
    nothing = Moment(context.t, plan.start, np.full((3, 3), np.nan), np.full(3, np.nan), sequence=context.sequence)
    if snapshot is None or name not in snapshot.index:
        return nothing
    parent = plan.scene.frames[name].parent
    if parent not in snapshot.index:
        return nothing
    i = snapshot.index[name]
    if i in plan.tree.unconnected:
        return plan.moment(name, float(snapshot.t), context.sequence)
    p_PF = relative_position(snapshot, name, parent, parent)
    return Moment(float(snapshot.t), plan.start, snapshot.T_PF[i], p_PF, sequence=context.sequence)

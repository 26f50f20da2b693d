"""Base of all editors: a place in the scene, its value, edits of it, and its problem."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from PySide6.QtWidgets import QLabel, QWidget

from framescope.core.errors import KeyPath
from framescope.core.evaluation.evaluate import Plan
from framescope.core.evaluation.relative_motion import relative_position
from framescope.core.scene.edits.base import Edit
from framescope.core.scene.edits.camera import SeenFrom
from framescope.core.scene.edits.fields import RefusedValueError, set_values, unset_value, value_at
from framescope.core.scene.edits.pose import Moment
from framescope.core.scene.schema.model import ITEM_KINDS, Scene
from framescope.core.snapshot import Snapshot
from framescope.ui.panels.inspector.editors.fields import Field
from framescope.ui.qt_support.edit_sink import EditSink
from framescope.ui.theme.tokens import METRICS
from framescope.ui.widgets import layouts
from framescope.ui.widgets.inline_message import InlineMessage

LABEL_WIDTH = 92
_LONGEST = 40


@dataclass(frozen=True)
class EditorContext:
    """Context of editors: the scene, its plan, and whom they ask.

    Attributes
    ----------
    plan, snapshot
        The plan, and the snapshot of the moment once there is one.
    edits
        Where edits go.
    eye
        Tells from where the scene is seen now.
    ask_consent
        Asks a person whether files outside the folder of the scene may be read, by their names.
    """

    plan: Plan
    edits: EditSink
    snapshot: Snapshot | None = None
    eye: Callable[[], SeenFrom] | None = None
    ask_consent: Callable[[tuple[str, ...]], None] | None = None

    @property
    def scene(self) -> Scene:
        """The scene of the plan."""
        return self.plan.scene

    @property
    def t(self) -> float:
        """The time of the moment, s."""
        return self.plan.start if self.snapshot is None else float(self.snapshot.t)


class Editor(QWidget):
    """An editor of one field.

    Parameters
    ----------
    field
        What it edits.
    """

    is_wide = False
    """Whether it has a label of its own, and the whole width."""

    def __init__(self, field: Field, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.field = field
        self.path: KeyPath = ()
        self.context: EditorContext | None = None
        self._message: InlineMessage | None = None
        self._is_previewing = False
        self._is_forgotten = False
        self.column = layouts.column(on=self, margins=0, spacing=METRICS.inner)

    def show_value(self, context: EditorContext, path: KeyPath) -> None:
        """Show the value at a path; what a hand is at is left alone unless the path is another."""
        is_other = path != self.path or self._is_forgotten
        self.context, self.path, self._is_forgotten = context, path, False
        if is_other:
            self.show_message("")
        self.show_found(value_at(context.scene, path), is_other=is_other)

    def show_again(self) -> None:
        """Show the value of the scene, whatever was typed."""
        if self.context is not None:
            self.show_message("")
            self.show_found(value_at(self.context.scene, self.path), is_other=True)

    def forget(self) -> None:
        """Take what is shown next for another's: a text that was refused goes; an edit until then keeps its place."""
        self._is_forgotten = True

    def show_found(self, value: Any, *, is_other: bool) -> None:
        """Show a value; of another place when `is_other`."""
        raise NotImplementedError

    def show_time(self, context: EditorContext) -> None:
        """Show what changes with time."""
        self.context = context

    def show_message(self, message: str) -> None:
        """Say under the editor what is wrong; an empty message hides the line."""
        if self._message is None and message:
            self._message = InlineMessage()
            self.column.addWidget(self._message)
        if self._message is not None and message != self._message.text():
            self._message.set_message(message)

    @property
    def message(self) -> str:
        """What is said to be wrong."""
        return "" if self._message is None else self._message.text()

    # What a hand does

    def edit(self, value: object, *, path: KeyPath | None = None, shown: str = "", is_final: bool = True) -> bool:
        """Ask for another value here or at another path; return whether the field can have it."""
        return self.edit_all({self.path if path is None else path: value}, shown=shown, is_final=is_final)

    def edit_all(self, values: dict[KeyPath, object], *, shown: str = "", is_final: bool = True) -> bool:
        """Ask for several values at once."""
        label = f"Set {self.field.label} of {owner_text(self.path)}" + (f" to {_short(shown)}" if shown else "")
        return self.ask(set_values(values, label), is_final=is_final)

    def leave_out(self) -> None:
        """Ask for the field to be left out, where it is not already."""
        self.ask(unset_value(self.path, f"Removed {self.field.label} of {owner_text(self.path)}"))

    def ask(self, edit: Edit, *, is_final: bool = True) -> bool:
        """Emit an edit that can be applied; otherwise say why not."""
        if self.context is None:
            return False
        try:
            edit.apply(self.context.scene)
        except (RefusedValueError, KeyError) as refused:
            self.show_message(str(refused) if isinstance(refused, RefusedValueError) else "It is not there any more.")
            if is_final and self._is_previewing:  # the gesture has ended, and what it showed is not kept
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

    def give_up(self) -> None:
        """Show the value from before a gesture, which was given up."""
        self.show_again()
        if self.context is not None:
            self.context.edits.cancel()


def owner_text(path: KeyPath) -> str:
    """Return what a path is of, as labels of edits say it.

    >>> owner_text(("bodies", "disc", "shape", "radius")), owner_text(("view", "grid"))
    ('disc', 'the view')
    """
    if len(path) > 1 and path[0] in ITEM_KINDS:
        return str(path[1])
    if path[:2] == ("view", "frames") and len(path) > 2:
        return str(path[2])
    return "the view" if path[:1] == ("view",) else "the scene"


def label_of(text: str, message: str = "", role: str = "quiet") -> QLabel:
    """Return a label of a field."""
    return layouts.label(text, role, toolTip=message)


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


def moment_of(context: EditorContext, name: str) -> Moment:
    """Return the pose of a frame in its parent now; not a number where it has none, or nothing is shown yet."""
    plan, snapshot = context.plan, context.snapshot
    nothing = Moment(context.t, plan.start, np.full((3, 3), np.nan), np.full(3, np.nan))
    if snapshot is None or name not in snapshot.index:
        return nothing
    parent = plan.scene.frames[name].parent
    if parent not in snapshot.index:
        return nothing
    i = snapshot.index[name]
    if i in plan.tree.unconnected:
        return plan.moment(name, float(snapshot.t))
    return Moment(float(snapshot.t), plan.start, snapshot.T_PF[i], relative_position(snapshot, name, parent, parent))

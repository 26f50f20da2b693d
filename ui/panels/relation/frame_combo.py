"""Box for one of many frames, and the group of boxes for the frames of a question."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QLabel, QWidget

from framescope.core.evaluation.evaluate import Plan
from framescope.core.scene.schema.model import WORLD
from framescope.ui.formatting.item_names import FRAME_ROLES, frame_icon
from framescope.ui.theme.tokens import METRICS
from framescope.ui.widgets import layouts
from framescope.ui.widgets.name_field import NameField, Names

LABEL_WIDTH = 64
"""Width of the words before boxes below each other, logical pixels."""


class FrameNames(Names):
    """Names of a plan's frames, shared by all boxes, since they may be thousands."""

    noun = "frame"

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._plan: Plan | None = None

    def set_plan(self, plan: Plan) -> None:
        """Use the frames of another plan, the world first. Without a change of names this is cheap."""
        self._plan = plan
        self.set_names(plan.names)

    def icon_of(self, name: str) -> str:
        frame = None if self._plan is None or name == WORLD else self._plan.scene.frames.get(name)
        return "globe" if frame is None else frame_icon(frame)


class FrameField(NameField):
    """Box for a frame, or for another item with the frames of a scene."""

    def __init__(self, names: Names, label: str, parent: QWidget | None = None, **options: bool) -> None:
        super().__init__(names, label, parent, **options)
        self.line.setPlaceholderText("Choose a frame")


class FrameFields(QWidget):
    """Boxes for the frames of a question: of, relative to, in axes of, in this order, each with its word.

    Parameters
    ----------
    names
        Names of the frames.
    of_names
        Names for `of`, if these are others.
    is_row
        Whether the boxes are side by side, where a click opens their lists. Otherwise they are below each other.
    between
        Widget between the first two words and their boxes that are below each other.

    Signals
    -------
    chosen(str)
        The user has chosen another frame: key of the box, `of`, `relative_to` or `resolved_in`.
    refused(str)
        Why a typed text is not a frame; empty once it is resolved.
    """

    chosen = Signal(str)
    refused = Signal(str)

    def __init__(
        self,
        names: FrameNames,
        of_names: Names | None = None,
        parent: QWidget | None = None,
        *,
        is_row: bool = False,
        between: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.fields: Mapping[str, FrameField] = {
            key: FrameField(of_names or names if key == "of" else names, role, has_icon=not is_row, opens_on_click=True)
            for key, role in FRAME_ROLES.items()
        }
        """Boxes by key."""
        self.of, self.relative_to, self.resolved_in = self.fields.values()
        self.words: Mapping[str, QLabel] = {key: layouts.label(role, "quiet") for key, role in FRAME_ROLES.items()}
        """Words before the boxes, by key."""
        for key, field in self.fields.items():
            self.words[key].setBuddy(field)
            field.hint = FRAME_ROLES[key] if is_row else ""  # a narrow row hides its words
            field.chosen.connect(lambda _name, key=key: self.chosen.emit(key))
            field.refused.connect(self.refused)
        if is_row:
            parts = [part for key, field in self.fields.items() for part in (self.words[key], field)]
            layouts.row(*parts, on=self, margins=0, spacing=METRICS.inner + 2)
        else:
            self._grid = layouts.grid(on=self, margins=(0, METRICS.inner), spacing=(METRICS.inner, METRICS.inner + 2))
            self._grid.setColumnMinimumWidth(0, LABEL_WIDTH)
            self._grid.setColumnStretch(2, 1)
            self._first = 1 if between is None else 2
            if between is not None:
                self._grid.addWidget(between, 0, 1, 2, 1, Qt.AlignmentFlag.AlignCenter)
            for i, (key, field) in enumerate(self.fields.items()):
                self._add(i, self.words[key], field)

    def add_row(self, text: str, widget: QWidget) -> QLabel:
        """Add a row below those of the frames, and return its label."""
        label = layouts.label(text, "quiet")
        label.setBuddy(widget)
        self._add(self._grid.rowCount(), label, widget)
        return label

    def _add(self, row: int, label: QLabel, widget: QWidget) -> None:
        self._grid.addWidget(label, row, 0)
        self._grid.addWidget(widget, row, self._first, 1, 3 - self._first)

    def set_frames(self, of: str, relative_to: str | None, resolved_in: str | None) -> None:
        """Show frames; boxes and words of those that are None are hidden."""
        for key, name in zip(self.fields, (of, relative_to, resolved_in), strict=True):
            self.fields[key].setVisible(name is not None)
            self.words[key].setVisible(name is not None)
            if name is not None:
                self.fields[key].set_name(name)

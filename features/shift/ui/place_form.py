"""Form of the point and the force of a shift: a point of the body, a connection point, or the origin of a frame."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QWidget

from framescope.core.analysis.shifts import ShiftKey
from framescope.ui.panels.relation.frame_combo import FrameField, FrameNames
from framescope.ui.theme.tokens import AXIS_LETTERS, METRICS
from framescope.ui.widgets import layouts
from framescope.ui.widgets.choice_box import ChoiceBox
from framescope.ui.widgets.component_editor import VectorEditor
from framescope.ui.widgets.elided_label import ElidedLabel
from framescope.ui.widgets.number_field import NumberField

LABEL = 64
DECIMALS = 3
"""Decimals of components, few as three share a narrow row."""

FREE, ORIGIN = "a point of its own", "the origin of a frame"


class PlaceForm(QWidget):
    """
    Form of the point to shift to, and of the force to shift.

    Parameters
    ----------
    names
        Names of all frames.

    Signals
    -------
    changed(object)
        The user changed the shift; the new `ShiftKey`.
    refused(str)
        Reason why the typed text is not a frame; empty once it is.
    """

    changed = Signal(object)
    refused = Signal(str)

    def __init__(self, names: FrameNames, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._names = names
        self._key = ShiftKey("")
        self._points: tuple[str, ...] = ()
        self.at = _Box("the point")
        self.at.activated.connect(self._on_at)
        self.other = FrameField(names, "origin of")
        self.other.chosen.connect(self._on_other)
        self.r = VectorEditor(AXIS_LETTERS, "point")
        self.r.committed.connect(self._on_r)
        self.force = VectorEditor(AXIS_LETTERS, "force")
        self.force.committed.connect(self._on_force)
        self.about = FrameField(names, "shifted to the origin of")
        self.about.chosen.connect(self._on_about)
        for field in (self.other, self.about):
            field.refused.connect(self.refused)
        for field in (*self.r.fields, *self.force.fields):
            field.set_decimals(DECIMALS)
        self._labels = {name: ElidedLabel(name, role="quiet") for name in ("at", "origin of", "r", "f", "to origin")}
        self._labels["f"].setText("f at the point, in world, N")
        self._lay_out()

    @property
    def numbers(self) -> tuple[NumberField, ...]:
        """All number fields."""
        return (*self.r.fields, *self.force.fields)

    def set_key(self, key: ShiftKey, points: Sequence[str], r: NDArray[np.float64], *, has_port: bool) -> None:
        """Show a shift.

        `points` are the connection points of the body, and `r` is the point of the shift, m. With `has_port` the force
        acts at a connection point and cannot be edited.
        """
        is_other_frame = key.frame != self._key.frame
        self._key = key
        if tuple(points) != self._points or not self.at.count():
            self._points = tuple(points)
            self.at.clear()
            self.at.addItems([FREE, *(f"point {name}" for name in points), ORIGIN])
        row = len(self._points) + 1 if key.other else self._points.index(key.point) + 1 if key.point in points else 0
        self.at.setCurrentIndex(row)
        self.other.set_name(key.other)
        self.about.set_name(key.about or key.frame)
        show = VectorEditor.reset if is_other_frame else VectorEditor.set_values
        show(self.r, r)
        show(self.force, np.array(key.force))
        self._labels["r"].setText("r from its origin, in its axes, m")
        is_force = key.quantity == "force"
        self.r.set_read_only(bool(key.point))
        for widgets, is_shown in (
            ((self._labels["origin of"], self.other), bool(key.other)),
            ((self._labels["r"], self.r), not key.other),
            ((self._labels["f"], self.force), is_force and not has_port),
            ((self._labels["to origin"], self.about), is_force),
        ):
            for widget in widgets:
                widget.setVisible(is_shown)

    def _on_at(self, row: int) -> None:
        names = [name for name in self._names.names if name != self._key.frame]
        if row == 0:
            # A free point starts at the connection point; coming from another frame, at its previous position.
            r = self._key.r if self._key.other else tuple(self.r.values.tolist())
            self._change(point="", other="", r=r)
        elif row <= len(self._points):
            self._change(point=self._points[row - 1], other="")
        elif not self._key.other and names:
            # The last frame is the most likely to move.
            self._change(point="", other=names[-1])

    def _on_other(self, name: str) -> None:
        if name == self._key.frame:
            self._change(point="", other="", r=(0.0, 0.0, 0.0))
        else:
            self._change(other=name, point="")

    def _on_r(self, values: np.ndarray) -> None:
        self._change(r=tuple(values.tolist()), point="", other="")

    def _on_force(self, values: np.ndarray) -> None:
        self._change(force=tuple(values.tolist()))

    def _on_about(self, name: str) -> None:
        self._change(about="" if name == self._key.frame else name)

    def _change(self, **changes: object) -> None:
        self.changed.emit(replace(self._key, **changes))  # pyright: ignore[reportArgumentType]

    def _lay_out(self) -> None:
        grid = layouts.grid(on=self, margins=0, spacing=METRICS.inner)
        grid.setColumnMinimumWidth(0, LABEL)
        grid.setColumnStretch(1, 1)
        rows = (("at", self.at), ("origin of", self.other), ("to origin", self.about))
        for i, (name, field) in enumerate(rows):
            self._labels[name].setBuddy(field)
            grid.addWidget(self._labels[name], i, 0)
            grid.addWidget(field, i, 1)
        # Three numbers take the whole width, with their label above.
        for i, (name, field) in ((6, ("r", self.r)), (8, ("f", self.force))):
            grid.addWidget(self._labels[name], i, 0, 1, 2)
            grid.addWidget(field, i + 1, 0, 1, 2)


class _Box(ChoiceBox):
    """Choice box with a short minimum width."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(6)

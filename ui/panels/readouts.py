"""The read-outs: numbers of the selected frame, each with what it is of, relative to, and resolved in."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QScrollArea, QStackedWidget, QVBoxLayout, QWidget

from framescope.core import angle_branches, curves, frames
from framescope.core.evaluate import Plan
from framescope.core.frames import Orientation
from framescope.core.scene.model import WORLD
from framescope.core.snapshot import Snapshot
from framescope.ui import units
from framescope.ui.theme import METRICS
from framescope.ui.widgets.empty_state import EmptyState
from framescope.ui.widgets.matrix_view import MatrixView
from framescope.ui.widgets.section import SectionHeader, separator
from framescope.ui.widgets.value_row import ValueRow

LABEL_WIDTH = 64


class ReadOuts(QStackedWidget):
    """Matrix, angle branches, velocities and residues of one frame."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._plan: Plan | None = None
        self._name = ""
        self._guess_angle1 = 0.0

        self._relation = SectionHeader("")
        self._matrix_title = SectionHeader("", is_quiet=True)
        self._matrix = MatrixView()
        self._angles_title = SectionHeader("", "deg", is_quiet=True)
        self._branches = tuple(
            ValueRow(("", "", ""), label=label, label_width=LABEL_WIDTH, decimals=2)
            for label in ("branch 1", "branch 2", "continuous")
        )
        self._w_title = SectionHeader("", "°/s", is_quiet=True)
        self._w = ValueRow(decimals=2)
        self._residue = ValueRow(("",), label="largest of six residues", decimals=1, formatter=units.scientific)
        self._world_relation = SectionHeader("")
        self._r_title = SectionHeader("r, resolved in world", "m", is_quiet=True)
        self._r = ValueRow()
        self._v_title = SectionHeader("v, resolved in world", "m/s", is_quiet=True)
        self._v = ValueRow()
        self._w_world_title = SectionHeader("", "°/s", is_quiet=True)
        self._w_world = ValueRow(decimals=2)

        self._content = self._lay_out()
        scroll = QScrollArea(widgetResizable=True)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setWidget(self._content)
        self._scroll = scroll
        self._empty = EmptyState("ruler", "No read-outs", "Select a frame to see its numbers.")
        self.addWidget(self._empty)
        self.addWidget(scroll)

    def set_plan(self, plan: Plan) -> None:
        """Show another plan."""
        self._plan = plan
        self._show_titles()

    def set_frame(self, name: str) -> None:
        """Show another frame; an empty name shows none."""
        self._name = name
        self._guess_angle1 = 0.0
        self._show_titles()

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """Show the frame at the snapshot's time."""
        if self._plan is None or self.currentWidget() is not self._scroll:
            return
        i = snapshot.index[self._name]
        if not snapshot.is_posed[i]:
            for row in (*self._branches, self._w, self._r, self._v, self._w_world):
                row.set_values([np.nan] * 3)
            self._residue.set_values([np.nan])
            self._matrix.set_matrix(np.full((3, 3), np.nan))
            return
        T = snapshot.T_PF[i]
        self._matrix.set_matrix(T)
        self._show_branches(Orientation(T, np.zeros(3)))
        self._w.set_values(np.degrees(snapshot.w_PF_F[i]))
        residues = curves.residues(snapshot, self._name)
        self._residue.set_values([residues[np.argmax(np.abs(residues))]])
        self._r.set_values(snapshot.p_WF[i])
        self._v.set_values(snapshot.v_WF[i])
        self._w_world.set_values(np.degrees(snapshot.w_WF_F[i]))

    def _show_branches(self, R: Orientation) -> None:
        """Show the branch with angle 1 nearest zero, the other one, and the one that goes on from before."""
        sequence = self._sequence()
        first = frames.axes_rotations_angles(R, sequence)
        second = angle_branches.other_branch(sequence, first)
        continuous = frames.axes_rotations_angles(R, sequence, self._guess_angle1)
        self._guess_angle1 = float(continuous[0])
        for row, angles in zip(self._branches, (first, second, continuous), strict=True):
            row.set_values(np.degrees(angles))

    def _sequence(self) -> str:
        return (self._plan and self._plan.sequence(self._name)) or "XYZ"

    def _show_titles(self) -> None:
        name = self._name
        is_frame = self._plan is not None and name in self._plan.scene.frames and name != WORLD
        self.setCurrentWidget(self._scroll if is_frame else self._empty)
        if not is_frame or self._plan is None:
            return
        parent = self._plan.scene.frames[name].parent
        self._relation.set_title(name)
        self._relation.set_note(f"relative to {parent}")
        self._matrix_title.set_title(f"T, {parent} into {name}")
        self._angles_title.set_title(f"angles α β γ, {self._sequence()}, both branches")
        self._w_title.set_title(f"ω, resolved in {name}")
        self._world_relation.set_title(name)
        self._world_relation.set_note("relative to world")
        self._w_world_title.set_title(f"ω, resolved in {name}")

    def _lay_out(self) -> QWidget:
        content = QWidget()
        content.setProperty("role", "panel")
        column = QVBoxLayout(content)
        column.setContentsMargins(METRICS.padding, METRICS.gap, METRICS.padding, METRICS.gap)
        column.setSpacing(2)
        groups = (
            (self._relation, self._matrix_title, self._matrix),
            (self._angles_title, *self._branches),
            (self._w_title, self._w, self._residue),
            (
                self._world_relation,
                self._r_title,
                self._r,
                self._v_title,
                self._v,
                self._w_world_title,
                self._w_world,
            ),
        )
        for i, group in enumerate(groups):
            if i:
                column.addSpacing(METRICS.inner)
                column.addWidget(separator())
                column.addSpacing(METRICS.inner)
            for widget in group:
                column.addWidget(widget)
        column.addStretch(1)
        return content

"""The orientation panel: an axis sequence, three angles, and the same orientation in its other forms."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QComboBox, QGridLayout, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from framescope.core import frames, kinematics
from framescope.core.arrays import SEQUENCES, Array
from framescope.core.conventions import axis_angle_from_quaternion
from framescope.core.evaluate import Plan
from framescope.core.frames import Orientation
from framescope.core.scene import edits
from framescope.core.scene.model import Scene
from framescope.core.snapshot import Snapshot
from framescope.ui.theme import METRICS
from framescope.ui.widgets.angle_row import FIELD_WIDTH, AngleRow
from framescope.ui.widgets.gauge import Gauge
from framescope.ui.widgets.number_field import NumberField
from framescope.ui.widgets.section import SectionHeader

LETTERS = ("α", "β", "γ")
NAMES = ("alpha", "beta", "gamma")


class OrientationPanel(QWidget):
    """Orientation of one frame in its parent.

    A frame with an axis sequence can be turned; of any other the angles are read off, in a sequence of choice.

    Signals
    -------
    previewed(object, bool), committed(object)
        An `Edit`; whether time drives the angle, so that the clock is to be paused meanwhile.
    cancelled()
        The gesture was given up.
    """

    previewed = Signal(object, bool)
    committed = Signal(object)
    cancelled = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "panel")
        self._name = ""
        self._plan: Plan | None = None
        self._t = 0.0
        self._read_as = "XYZ"
        self._is_blank = False
        self._guess_angle1 = 0.0
        self._Q_guess: Array = np.array([0.0, 0.0, 0.0, 1.0])

        self.sequence = QComboBox()
        self.sequence.addItems(SEQUENCES)
        self.sequence.setFixedWidth(94)
        self.sequence.setAccessibleName("axis sequence")
        self.sequence.setToolTip("Three turns about the axes of the moving frame, one after another")
        self.sequence.currentTextChanged.connect(self._on_sequence)
        self._sequence_note = QLabel()
        self._sequence_note.setProperty("role", "quiet")

        self.rows = tuple(AngleRow(i, LETTERS[i]) for i in range(3))
        for i, row in enumerate(self.rows):
            row.previewed.connect(lambda deg, i=i: self._on_angle(i, deg, is_final=False))
            row.committed.connect(lambda deg, i=i: self._on_angle(i, deg, is_final=True))
            row.cancelled.connect(self.cancelled)
            row.reset_requested.connect(lambda i=i: self._on_reset(i))
        self._rates = tuple(self._read_out(2, axis=i) for i in range(3))
        self._quaternion = tuple(self._read_out(4) for _ in range(4))
        self._axis = tuple(self._read_out(4) for _ in range(3))
        self._turn = self._read_out(2)
        self._gauge = Gauge()
        self._rates_row = self._labelled_row("rates", self._rates, "°/s")
        self._lay_out()

    def set_plan(self, plan: Plan) -> None:
        """Show another plan; the frame stays the same if it is still there."""
        self._plan = plan
        self._show_kind()

    def set_frame(self, name: str) -> None:
        """Show another frame of the plan."""
        if name != self._name:
            self.finish()  # while it is still known what the gesture was on
            self._name = name
            self._guess_angle1, self._Q_guess = 0.0, np.array([0.0, 0.0, 0.0, 1.0])
            for row in self.rows:
                row.reset_deg(0.0)
            self._show_kind()

    def finish(self) -> None:
        """End a gesture that still goes on, as it stands."""
        for row in self.rows:
            row.finish()

    def cancel(self) -> None:
        """Give a gesture up that still goes on."""
        for row in self.rows:
            row.cancel()

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """Show the orientation at the snapshot's time."""
        if self._plan is None or self._name not in snapshot.index:
            return
        self._t = float(snapshot.t)
        i = snapshot.index[self._name]
        T = snapshot.T_PF[i]
        is_blank = not np.isfinite(T).all()
        if is_blank != self._is_blank:
            self._is_blank = is_blank
            self._show_kind()
        if is_blank:
            self._show_nothing()
            return
        R = Orientation(T, np.zeros(3))
        sequence = self._plan.sequence(self._name)
        authored = self._plan.angles(self._name, self._t)
        if sequence is not None and authored is not None:
            angles, rates = authored
            for field, rate in zip(self._rates, np.degrees(rates), strict=True):
                field.set_value(float(rate))
        else:
            sequence = self._read_as
            angles = frames.axes_rotations_angles(R, sequence, self._guess_angle1)
            self._guess_angle1 = float(angles[0])
        for row, angle in zip(self.rows, np.degrees(angles), strict=True):
            row.set_value_deg(float(angle))
        self._show_forms(R)
        measure, condition = kinematics.singularity_measure(sequence, angles)
        self._gauge.set_measure(_measure_name(sequence), float(measure), float(condition))

    # Layout

    def _read_out(self, decimals: int, axis: int | None = None) -> NumberField:
        field = NumberField(decimals=decimals, axis=axis)
        field.setReadOnly(True)
        return field

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(METRICS.padding, METRICS.gap, METRICS.padding, METRICS.gap)
        column.setSpacing(METRICS.inner)
        top = QHBoxLayout()
        top.setSpacing(METRICS.gap)
        top.addWidget(self.sequence)
        top.addWidget(self._sequence_note, 1)
        column.addLayout(top)
        heading = QHBoxLayout()
        heading.addWidget(_caption("angle"))
        heading.addStretch(1)
        unit = _caption("deg")
        unit.setFixedWidth(FIELD_WIDTH)
        unit.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        heading.addWidget(unit)
        column.addLayout(heading)
        for row in self.rows:
            column.addWidget(row)
        column.addWidget(self._rates_row)
        column.addSpacing(METRICS.inner)
        column.addWidget(SectionHeader("Quaternion", "x y z w, scalar last"))
        column.addLayout(_side_by_side(self._quaternion))
        column.addSpacing(METRICS.inner)
        column.addWidget(SectionHeader("Axis and angle", "unit vector, deg"))
        column.addLayout(_side_by_side((*self._axis, self._turn)))
        column.addSpacing(METRICS.inner)
        column.addWidget(self._gauge)
        column.addStretch(1)
        for name, field in zip("xyzw", self._quaternion, strict=True):
            field.setAccessibleName(f"quaternion {name}")
        for name, field in zip("xyz", self._axis, strict=True):
            field.setAccessibleName(f"rotation axis {name}")
        self._turn.setAccessibleName("rotation angle, degrees")

    def _labelled_row(self, label: str, fields: tuple[NumberField, ...], unit: str) -> QWidget:
        holder = QWidget()
        row = QHBoxLayout(holder)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(METRICS.inner)
        caption = _caption(label)
        caption.setFixedWidth(38)
        row.addWidget(caption)
        for name, field in zip(NAMES, fields, strict=True):
            field.setAccessibleName(f"rate of {name}, degrees per second")
            row.addWidget(field, 1)
        row.addWidget(_caption(unit))
        return holder

    # What is shown

    def _show_kind(self) -> None:
        """Show what depends on the frame and its sequence, but not on time."""
        if self._plan is None or self._name not in self._plan.index:
            return
        sequence = self._plan.sequence(self._name)
        is_editable = sequence is not None
        with QSignalBlocker(self.sequence):
            self.sequence.setCurrentText(sequence or self._read_as)
        self._sequence_note.setText("moving axes" if is_editable else "read off, moving axes")
        self._rates_row.setVisible(is_editable)
        for i, (row, letter) in enumerate(zip(self.rows, sequence or self._read_as, strict=True)):
            axis = "XYZ".index(letter)
            row.set_axis(axis, LETTERS[i], f"angle {NAMES[i]} about {letter.lower()}" + "′" * i)
            row.set_read_only(self._is_blank or not is_editable)
            driven = edits.expression_constant(self._plan.scene, self._name, i) if is_editable else None
            row.set_expression("" if driven is None else driven[0])

    def _show_forms(self, R: Orientation) -> None:
        Q = frames.to_Q(R, self._Q_guess)
        self._Q_guess = Q
        for field, value in zip(self._quaternion, Q, strict=True):
            field.set_value(float(value))
        axis, angle = axis_angle_from_quaternion(Q)
        for field, value in zip(self._axis, axis, strict=True):
            field.set_value(float(value))
        self._turn.set_value(float(np.degrees(angle)))

    def _show_nothing(self) -> None:
        for row in self.rows:
            row.reset_deg(0.0)
        for field in (*self._rates, *self._quaternion, *self._axis, self._turn):
            field.set_value(None)
        self._gauge.set_measure(_measure_name(self._read_as), float("nan"), float("nan"))

    # What a person does

    def _on_sequence(self, sequence: str) -> None:
        if self._plan is not None and self._plan.sequence(self._name) is not None:
            self.committed.emit(edits.set_sequence(self._name, sequence))
        else:
            self._read_as = sequence
            self._show_kind()

    def _on_angle(self, i: int, angle_deg: float, *, is_final: bool) -> None:
        if self._plan is None:
            return
        label = f"Moved {self._name} to {LETTERS[i]} {angle_deg:.2f}°"
        edit = edits.turn_to(self._name, i, float(np.radians(angle_deg)), self._t, label)
        if is_final:
            self.committed.emit(edit)
        else:
            self.previewed.emit(edit, self._is_driven(self._plan.scene, i))

    def _on_reset(self, i: int) -> None:
        self.committed.emit(edits.reset_angle(self._name, i, f"Reset {LETTERS[i]} of {self._name}"))

    def _is_driven(self, scene: Scene, i: int) -> bool:
        return edits.expression_constant(scene, self._name, i) is not None


def _measure_name(sequence: str) -> str:
    return "|cos β|" if sequence[0] == sequence[2] else "|sin β|"


def _caption(text: str) -> QLabel:
    label = QLabel(text)
    label.setProperty("role", "caption")
    return label


def _side_by_side(fields: tuple[QWidget, ...]) -> QGridLayout:
    row = QGridLayout()
    row.setContentsMargins(0, 0, 0, 0)
    row.setHorizontalSpacing(METRICS.inner)
    for i, field in enumerate(fields):
        row.addWidget(field, 0, i)
        row.setColumnStretch(i, 1)
    return row

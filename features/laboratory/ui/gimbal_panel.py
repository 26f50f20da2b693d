"""Panel of the gimbal laboratory: angles of an axis sequence near gimbal lock."""

from __future__ import annotations

import math

import numpy as np
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QGridLayout, QWidget

from framescope.core.angle_branches import axes_rotations_angles_continuous
from framescope.core.evaluation.evaluate import Plan
from framescope.core.kernels.validation import SEQUENCES, Array
from framescope.core.kinematics import singularity_measure
from framescope.core.orientation import orientation_of
from framescope.core.snapshot import Snapshot
from framescope.features.laboratory.core.gimbal import AlongPath, along_path, path_of_frame, path_past_lock
from framescope.features.laboratory.core.rate_presets import LaboratoryError
from framescope.features.laboratory.core.to_scene import on_path_edit
from framescope.features.laboratory.ui.gimbal_plots import BRANCHES, GimbalPlots
from framescope.features.laboratory.ui.gimbal_words import verdict_of_frame, verdict_past
from framescope.features.laboratory.ui.ring_picture import RingPicture
from framescope.ui.qt_support.edit_sink import EditSink
from framescope.ui.theme.tokens import METRICS
from framescope.ui.widgets import layouts
from framescope.ui.widgets.angle_unit import ANGLE_UNITS, DEG
from framescope.ui.widgets.buttons import push_button
from framescope.ui.widgets.choice_box import ChoiceBox
from framescope.ui.widgets.empty_state import EmptyState
from framescope.ui.widgets.folding_row import FoldingRow
from framescope.ui.widgets.inline_message import InlineMessage
from framescope.ui.widgets.scale_slider import ScaleSlider
from framescope.ui.widgets.segmented_control import Segmented
from framescope.ui.widgets.spin_field import StepField

PAST, OWN = "past the lock", "own motion"

WIDEST_DEG = 30.0
"""Miss distance at the end of the slider, deg."""

_LABEL = 92
_FIELD = 108
_COLUMN = 190
_NO_FRAME = "Select one in the outline or in the scene: its motion in its parent is the path."


class GimbalPanel(QWidget):
    """Panel with an axis sequence, a path, gimbal rings, and three plots along the path.

    The sequence follows the selected frame until the user chooses one.

    Signals
    -------
    scrubbed(float), scrub_finished()
        The user drags the pointer in a plot over time, to a time in s; the user ends the drag.
    """

    scrubbed = Signal(float)
    scrub_finished = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.edits = EditSink(self)
        layouts.lay_ground(self)
        self._plan: Plan | None = None
        self._frame = ""
        self._unit = DEG
        self._t = 0.0
        self.miss_angle, self._speed, self._place = math.radians(1.0), math.radians(10.0), 0.0
        self.along: AlongPath | None = None
        """Angles along the path."""
        self._is_chosen = False
        self.sequence = ChoiceBox()
        self.sequence.addItems(list(SEQUENCES))
        self.sequence.setCurrentText("ZYX")
        self.sequence.setProperty("kind", "field")
        self.sequence.setAccessibleName("sequence of axes")
        self.kind = Segmented((PAST, OWN), "path")
        self.miss = StepField(step=0.1, decimals=2, unit=DEG.sign)
        self.miss_slider = ScaleSlider(_miss_at, _share_of_miss, "miss distance", "How near the path comes to the lock")
        self.speed = StepField(step=1.0, decimals=2, unit=DEG.rate)
        self.place = StepField(step=0.5, decimals=2, unit=DEG.sign)
        self.place_slider = ScaleSlider(
            self._place_at, self._share_of_place, "place on the path", "Where on the path the rings are shown"
        )
        self.rings = RingPicture()
        self.preview_button = push_button("Show it in the scene", "rotate-3d", kind="small", checkable=True)
        self.verdict = layouts.plain_label(wordWrap=True)
        self.refusal = InlineMessage()
        self.branch = Segmented(BRANCHES, "angles of")
        self.plots = GimbalPlots(self.branch)
        self.empty = EmptyState("axis-3d", "No frame selected", _NO_FRAME)
        self._path_parts: list[QWidget] = []
        self._lay_out()
        self._connect()
        self._show_unit()
        self._recompute()

    def set_plan(self, plan: Plan) -> None:
        """Set the plan."""
        self._plan = plan
        self._follow_sequence()
        if self.kind.choice == OWN and self.isVisible():
            self._recompute()
        self._show_preview_button()

    def set_frame(self, name: str) -> None:
        """Set the selected frame; empty for none."""
        if name == self._frame:
            return
        self.stop_preview()
        self._frame = name
        self._follow_sequence()
        if self.kind.choice == OWN and self.isVisible():
            self._recompute()
        self._show_preview_button()

    def set_angle_unit(self, unit: str) -> None:
        """Set the unit of angles, "deg" or "rad"."""
        if self._unit == ANGLE_UNITS[unit]:
            return
        self._unit = ANGLE_UNITS[unit]
        self._show_unit()
        self._show()

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """Move the cursor of a frame's own motion to the time of a snapshot."""
        self._t = float(snapshot.t)
        if self.kind.choice == OWN:
            self._show_place()

    def stop_preview(self) -> None:
        """End the preview in the scene, if there is one."""
        if self.preview_button.isChecked():
            self.preview_button.setChecked(False)
            self.edits.cancel()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self.kind.choice == OWN:
            self._recompute()

    def hideEvent(self, event: QHideEvent) -> None:
        self.stop_preview()
        super().hideEvent(event)

    # --- User input

    def _on_sequence(self, _index: int) -> None:
        self._is_chosen = True
        self._recompute()
        self._preview()

    def _on_kind(self, _kind: str) -> None:
        self.stop_preview()
        self._recompute()
        self._show_preview_button()

    def _set_miss(self, miss: float) -> None:
        if not 0.0 <= miss < 0.5 * math.pi:
            self.refusal.set_message("The distance from the lock must be at least 0° and less than 90°.")
            return
        self.miss_angle = miss
        self._recompute()
        self._preview()

    def _set_speed(self, speed: float) -> None:
        if not speed > 0.0:
            self.refusal.set_message("A body that passes the lock turns: use a speed above zero.")
            return
        self._speed = speed
        self._recompute()

    def _set_place(self, place: float) -> None:
        if self.along is None:
            return
        x = self.along.path.x
        self._place = float(min(max(place, x[0]), x[-1]))
        self._show_place()
        self._preview()

    def _on_pointed(self, x: float) -> None:
        if self.kind.choice == OWN:
            self.scrubbed.emit(x)
        else:
            self._set_place(self._unit.to_rad(x))

    def _on_released(self) -> None:
        if self.kind.choice == OWN:
            self.scrub_finished.emit()

    def _on_preview(self, is_on: bool) -> None:
        if is_on:
            self._preview()
        else:
            self.edits.cancel()

    def _preview(self) -> None:
        if self.preview_button.isChecked() and self.along is not None:
            angles = self._angles_at_place(self.along)
            self.edits.preview(on_path_edit(self._frame, self.along.sequence, angles), pauses=False)

    # --- Display

    def _follow_sequence(self) -> None:
        """Use the sequence of the selected frame, unless the user has chosen one."""
        if self._is_chosen or self._plan is None or self._frame not in self._plan.index:
            return
        sequence = self._plan.sequence(self._frame)
        if sequence is not None and sequence != self.sequence.currentText() and not self.preview_button.isChecked():
            self.sequence.setCurrentText(sequence)
            self._recompute()

    def _recompute(self) -> None:
        sequence = self.sequence.currentText()
        self.refusal.set_message("")
        try:
            if self.kind.choice == PAST:
                path = path_past_lock(sequence, self.miss_angle, self._speed)
            elif self._plan is None or not self._frame:
                path = None
            else:
                path = path_of_frame(self._plan, self._frame)
        except LaboratoryError as error:
            path = None
            self.refusal.set_message(str(error))
        self.along = None if path is None else along_path(sequence, path)
        self._show()

    def _show(self) -> None:
        is_own = self.kind.choice == OWN
        for part in self._path_parts:
            part.setVisible(not is_own)
        along = self.along
        if along is None:
            self.verdict.setText("")
        elif is_own:
            self.verdict.setText(verdict_of_frame(along, self._frame, self._unit))
        else:
            self.verdict.setText(verdict_past(along, self.miss_angle, self._unit))
        self.verdict.setVisible(bool(self.verdict.text()))
        self.miss.set_value(round(self._unit.of_rad(self.miss_angle), 9))
        self.miss_slider.set_value(self.miss_angle)
        self.speed.set_value(round(self._unit.of_rad(self._speed), 9))
        self.plots.show_path(along, self._unit, self.branch.choice)
        self.plots.setVisible(along is not None)
        self.rings.setVisible(along is not None)
        self.empty.setVisible(along is None and not self.refusal.text())
        self._show_place()

    def _show_place(self) -> None:
        along = self.along
        if along is None:
            return
        angles = self._angles_at_place(along)
        self.rings.set_angles(along.sequence, angles)
        self.place.set_value(round(self._unit.of_rad(self._place), 6))
        self.place_slider.set_value(self._place)
        x = self._t if along.path.is_time else self._unit.of_rad(self._place)
        self.plots.show_place(x, float(singularity_measure(along.sequence, angles)[1]))

    def _angles_at_place(self, along: AlongPath) -> Array:
        """Return the continuous angles (3,) at the current place on the path, rad."""
        place = self._t if along.path.is_time else self._place
        before = along.continuous[int(np.argmin(np.abs(along.path.x - place)))]
        try:
            if not along.path.is_time:
                path = path_past_lock(along.sequence, self.miss_angle, self._speed, at=np.array([place]))
            elif self._plan is not None:
                path = path_of_frame(self._plan, self._frame, np.array([place]))
            else:
                return before
        except LaboratoryError:
            return before
        if path.followed is not None:
            return path.followed(along.sequence)[0]
        return axes_rotations_angles_continuous(orientation_of(path.T[0], np.zeros(3)), along.sequence, before)

    def _show_unit(self) -> None:
        unit = self._unit
        self.miss.set_unit(unit.sign or unit.symbol)
        self.place.set_unit(unit.sign or unit.symbol)
        self.speed.set_unit(unit.rate)
        for field, step_deg in ((self.miss, 0.1), (self.place, 0.5), (self.speed, 1.0)):
            field.set_decimals(unit.decimals)
            field.set_step(step_deg / unit.size_deg)
            field.set_parse(unit.parse)
        self.miss.reset(round(unit.of_rad(self.miss_angle), 9))
        self.place.reset(round(unit.of_rad(self._place), 6))
        self.speed.reset(round(unit.of_rad(self._speed), 9))

    def _show_preview_button(self) -> None:
        frame = None if self._plan is None else self._plan.scene.frames.get(self._frame)
        why = ""
        if self.kind.choice == OWN:
            why = "Its own motion is in the scene already: play it"
        elif frame is None:
            why = "Select a frame first: it is turned along the path for as long as this is on"
        elif frame.motion is not None:
            why = f"{self._frame} is {frame.motion.form}: select a frame with an orientation of its own"
        self.preview_button.setEnabled(not why)
        self.preview_button.setToolTip(why or f"Turn {self._frame} along the path, with its rings; nothing is kept")

    # --- Construction

    def _connect(self) -> None:
        self.sequence.activated.connect(self._on_sequence)
        self.kind.chosen.connect(self._on_kind)
        self.branch.chosen.connect(lambda _: self._show())
        self.miss.previewed.connect(lambda value: self._set_miss(self._unit.to_rad(value)))
        self.miss.cancelled.connect(lambda: self._set_miss(self._unit.to_rad(self.miss.value or 0.0)))
        self.miss_slider.previewed.connect(self._set_miss)
        self.miss_slider.cancelled.connect(lambda: self._set_miss(self.miss_slider.value))
        self.speed.previewed.connect(lambda value: self._set_speed(self._unit.to_rad(value)))
        self.speed.cancelled.connect(lambda: self._set_speed(self._unit.to_rad(self.speed.value or 0.0)))
        self.place.previewed.connect(lambda value: self._set_place(self._unit.to_rad(value)))
        self.place.cancelled.connect(lambda: self._set_place(self._unit.to_rad(self.place.value or 0.0)))
        self.place_slider.previewed.connect(self._set_place)
        self.place_slider.cancelled.connect(lambda: self._set_place(self.place_slider.value))
        for field in (self.miss, self.speed, self.place):
            field.message.connect(self.refusal.set_message)
        self.preview_button.clicked.connect(self._on_preview)
        self.plots.pointed.connect(self._on_pointed)
        self.plots.released.connect(self._on_released)

    def _lay_out(self) -> None:
        for field, name in ((self.miss, "miss distance"), (self.speed, "the body turns at"), (self.place, "place")):
            field.set_usual_width(_FIELD)
            field.setAccessibleName(name)
        self.sequence.set_usual_width(_FIELD)
        top = layouts.row(self.sequence, self.kind, layouts.STRETCH, spacing=METRICS.gap)
        grid = layouts.grid(spacing=METRICS.inner)
        grid.setColumnMinimumWidth(0, _LABEL)
        grid.setColumnStretch(2, 1)
        rows = (("misses it by", self.miss, self.miss_slider), ("body turns at", self.speed, None))
        for i, (text, field, slider) in enumerate(rows):
            self._add_row(grid, i, text, field, slider)
        place = QGridLayout()
        place.setHorizontalSpacing(METRICS.inner)
        place.setColumnMinimumWidth(0, _LABEL)
        place.setColumnStretch(2, 1)
        self._add_row(place, 0, "place", self.place, self.place_slider)
        content, left, right = layouts.panel(), QWidget(), QWidget()
        preview = self.preview_button, 0, Qt.AlignmentFlag.AlignLeft
        choices = top, grid, self.refusal, self.verdict, self.rings, place, preview, layouts.STRETCH
        layouts.column(*choices, on=left, margins=0, spacing=METRICS.gap)
        layouts.column(self.plots, layouts.STRETCH, on=right, margins=0, spacing=METRICS.gap)
        both = FoldingRow(left, right, _COLUMN)
        layouts.column(both, (self.empty, 1), on=content, margins=(METRICS.padding, METRICS.gap), spacing=METRICS.gap)
        self._path_parts.append(self.preview_button)
        scroll = layouts.scroll_area(content, "gimbal laboratory", focusPolicy=Qt.FocusPolicy.NoFocus)
        layouts.column(scroll, on=self, margins=0)

    def _add_row(self, grid: QGridLayout, i: int, text: str, field: QWidget, slider: QWidget | None) -> None:
        label = layouts.label(text, "quiet")
        label.setBuddy(field)
        grid.addWidget(label, i, 0)
        grid.addWidget(field, i, 1)
        self._path_parts += [label, field]
        if slider is not None:
            grid.addWidget(slider, i, 2)
            self._path_parts.append(slider)

    def _place_at(self, share: float) -> float:
        if self.along is None:
            return 0.0
        x = self.along.path.x
        return float(x[0] + share * (x[-1] - x[0]))

    def _share_of_place(self, place: float) -> float:
        if self.along is None:
            return 0.5
        x = self.along.path.x
        return float((place - x[0]) / (x[-1] - x[0]))


def _miss_at(share: float) -> float:
    """Return the miss distance at a position of the slider, 0 to 1, rad. The slider is finer near zero."""
    return math.radians(float(f"{WIDEST_DEG * share**3:.2g}"))


def _share_of_miss(miss: float) -> float:
    return (math.degrees(miss) / WIDEST_DEG) ** (1.0 / 3.0)

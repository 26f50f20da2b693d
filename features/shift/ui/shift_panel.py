"""Shift panel: a velocity, an acceleration or a force at a point of a body, split into its terms."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication, QHideEvent, QShowEvent
from PySide6.QtWidgets import QScrollArea, QStackedWidget, QWidget

from framescope.core.analysis.shifts import (
    Quantity,
    Shift,
    ShiftKey,
    check_of,
    motion_of,
    offset_of,
    points_on,
    shift_at,
)
from framescope.core.evaluation.evaluate import Plan
from framescope.core.evaluation.smoothing_notes import smoothing_note
from framescope.core.scene.edits.new_items import keep_as_frame
from framescope.core.scene.schema.model import WORLD, ItemKey
from framescope.core.snapshot import Snapshot
from framescope.features.shift.ui import shift_look
from framescope.features.shift.ui.place_form import PlaceForm
from framescope.features.shift.ui.terms_view import TermsView
from framescope.ui.formatting.item_names import frame_of, sentence
from framescope.ui.panels.relation.frame_combo import FrameFields, FrameNames
from framescope.ui.qt_support.edit_sink import EditSink
from framescope.ui.scene_view.geometry.default_sizes import usual_length
from framescope.ui.scene_view.visuals.bodies import SHAPE_DRAWINGS
from framescope.ui.theme.tokens import METRICS
from framescope.ui.widgets import layouts
from framescope.ui.widgets.angle_unit import ANGLE_UNITS, DEG
from framescope.ui.widgets.buttons import IconButton, push_button
from framescope.ui.widgets.elided_label import ElidedLabel
from framescope.ui.widgets.empty_state import EmptyState
from framescope.ui.widgets.headings import separator
from framescope.ui.widgets.inline_message import InlineMessage
from framescope.ui.widgets.segmented_control import Segmented

Array = NDArray[np.float64]

_QUANTITIES: dict[str, Quantity] = {"Velocity": "velocity", "Acceleration": "acceleration", "Force": "force"}
CHECK_MS = 100
"""Interval of the check while time runs, ms. The check evaluates the scene at five times."""
_TRIAL = (0.0, 0.0, -10.0)
"""Default force to shift, N."""


class ShiftPanel(QStackedWidget):
    """Panel of a shift: its point, and its terms as numbers. The scene shows the shift while the panel is visible.

    The panel follows the selection of a body, a frame or a connection point. Its point is an instrument and not part of
    the scene, unless the user keeps it as a frame.

    Signals
    -------
    drawn_changed(object)
        The `DrawnShift` of the scene has changed; None while the panel is hidden or empty.
    picked(object)
        The user chose a frame in the panel; its key.
    status(str, str)
        Kind and sentence for the status line.
    """

    drawn_changed = Signal(object)
    picked = Signal(object)
    status = Signal(str, str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.edits = EditSink(self)
        self.setProperty("role", "panel")
        self.setProperty("helpTopic", "shift.md")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._plan: Plan | None = None
        self._snapshot: Snapshot | None = None
        self._item: ItemKey = ("", "")
        self.key: ShiftKey | None = None
        """Shown shift; None for none."""
        self.known_keys: dict[str, ShiftKey] = {}
        self._angles = DEG
        self._is_seen = self._is_check_old = False
        self._rest = QTimer(self, interval=CHECK_MS, singleShot=True)
        self._rest.timeout.connect(self._check_again)
        self._scales = shift_look.ShiftScales(1.0)
        self._scales_for: tuple[object, ...] | None = None
        self._names = FrameNames(self)
        self.frames = FrameFields(self._names)
        self.of, _, self.resolved_in = self.frames.fields.values()
        self.frames.chosen.connect(self._on_frame)
        self._resolved_in = WORLD
        self.quantity = Segmented(tuple(_QUANTITIES), "shift of")
        self.quantity.chosen.connect(self._on_quantity)
        self.form = PlaceForm(self._names)
        self.form.changed.connect(self._set_shift)
        self.message, self.hint = InlineMessage(), InlineMessage("warning")
        for field in (self.frames, self.form):
            field.refused.connect(self.message.set_message)
        self.terms = TermsView()
        self.scale = ElidedLabel("", role="quiet")
        self.smoothing = layouts.plain_label("", "quiet", wordWrap=True)
        self.keep = push_button("Keep as a frame", "plus", kind="small", clicked=self._keep)
        self.pick = IconButton("crosshair", "Put the point where a body is clicked", checked_color="accent_text")
        self.copy_button = IconButton("copy", "Copy the terms, with their frame and units", clicked=self._copy)
        self.addWidget(
            EmptyState("axis-3d", "Nothing to shift", "Select a body or a frame to shift its motion to a point.")
        )
        self.addWidget(self._lay_out())
        self._update_fields()

    def header_widgets(self) -> tuple[QWidget, ...]:
        """Return the buttons for the panel's header: pick the point, copy."""
        return self.pick, self.copy_button

    # --- Updates from the controller

    def set_plan(self, plan: Plan, *, is_preview: bool = False) -> None:
        """Set the plan. During a preview the arrows keep their scale."""
        self._plan, self._snapshot = plan, None
        if not is_preview:
            self._scales_for = None
        self._names.set_plan(plan)
        self._update_fields()
        if self.key is None:
            self._follow(plan)

    def forget(self) -> None:
        """Forget all points, when another document is opened."""
        self.known_keys.clear()
        self.key = None
        self._update_fields()

    def set_item(self, item: ItemKey) -> None:
        """Follow the selection. Without a selected item the previous frame stays."""
        self._item = item
        if self._plan is not None:
            self._follow(self._plan)

    def set_point(self, frame: str, r: Array) -> None:
        """Set the point that the user placed in the scene, from the origin of a frame and resolved in it, m."""
        if self._plan is None or frame not in self._plan.index:
            return
        is_other = self.key is None or frame != self.key.frame
        key = self._key_of(self._plan, frame)
        x, y, z = (float(part) for part in r)
        self._set_shift(replace(key, r=(x, y, z), point="", other=""))
        if is_other:
            self.picked.emit(("frames", frame))

    def show_key(self, key: ShiftKey, resolved_in: str) -> None:
        """Show a shift, its components in axes of a frame."""
        self._set_shift(replace(key, force=_TRIAL))
        self._resolved_in = resolved_in
        self._update_fields()

    def set_angle_unit(self, unit: str) -> None:
        """Set the unit of rates, "deg" or "rad"."""
        self._angles = ANGLE_UNITS[unit]
        self._show_words()
        self._show()

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """Show the numbers of a snapshot. Nothing is computed while the panel is hidden."""
        self._snapshot = snapshot
        self._show(is_tick=True)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._is_seen = True
        self._show_words()
        self._show()
        self._draw()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._is_seen = False
        self._rest.stop()
        self.drawn_changed.emit(None)

    # --- Display

    def _follow(self, plan: Plan) -> None:
        """Show the frame of the selected item, if it has one."""
        frame = frame_of(plan.scene, self._item)
        if frame == WORLD or frame not in plan.index:
            return
        key = self._key_of(plan, frame)
        name = self._item[1] if self._item[0] == "points" else ""
        if name and any(point.name == name for point in points_on(plan, frame)):
            key = replace(key, point=name, other="")
        if key != self.key:
            self._set_shift(key)

    def _key_of(self, plan: Plan, frame: str) -> ShiftKey:
        """Return the shift of a frame: the previous one, or a first one on its body."""
        if self.key is not None and self.key.frame == frame:
            return self.key
        quantity = _QUANTITIES[self.quantity.choice]
        key = self.known_keys.get(frame) or replace(first_key(plan, frame, quantity), force=_TRIAL)
        return replace(key, quantity=quantity)

    def _set_shift(self, key: ShiftKey) -> None:
        """Show and draw a shift. Components in the axes of its frame stay so for another frame."""
        if self.key is not None and self._resolved_in == self.key.frame:
            self._resolved_in = key.frame
        self.known_keys[key.frame] = self.key = key
        self._update_fields()

    def _update_fields(self) -> None:
        """Update all fields from the shift. Points and frames that the plan does not have are dropped."""
        plan, key = self._plan, self.key
        if plan is not None and key is not None:
            index, points = plan.index, [point.name for point in points_on(plan, key.frame)]
            key = replace(
                key,
                point=key.point if key.point in points else "",
                other=key.other if key.other in index else "",
                about=key.about if key.about in index else "",
            )
            key = key if key.frame in index else None
        self.key = key
        has_key = key is not None and plan is not None
        self.setCurrentIndex(int(has_key))
        for button in self.header_widgets():
            button.setEnabled(has_key)
        if plan is not None and key is not None:
            points = [point.name for point in points_on(plan, key.frame)]
            r = np.full(3, np.nan) if key.other else offset_of(plan, key)
            self.frames.set_frames(key.frame, None, self._resolved_in)
            self.quantity.set_choice(next(name for name, quantity in _QUANTITIES.items() if quantity == key.quantity))
            self.form.set_key(key, points, r, has_port=bool(key.point))
            self.keep.setEnabled(not key.other)
            self._show_words()
        self._show()
        self._draw()

    def _draw(self) -> None:
        """Show the shift in the scene."""
        if self._is_seen:
            self.drawn_changed.emit(None if self.key is None else shift_look.DrawnShift(self.key, self._scales))

    def _show_words(self) -> None:
        plan, key = self._plan, self.key
        if plan is None or key is None:
            return
        self.terms.set_key(key, self._angles)
        note = smoothing_note(plan, {WORLD, *key.frames}, has_rate=key.quantity != "force")
        self.smoothing.setText(sentence(f"{note}.") if note else "")
        self.smoothing.setVisible(bool(note))
        depends_on = shift_look.scale_key(plan, key)
        if self._is_seen and depends_on != self._scales_for:
            self._scales_for = depends_on
            self._scales = scales = shift_look.scales_of(plan, key)
            text = shift_look.scale_text(scales.linear, shift_look.UNITS[key.quantity])
            moment = f", {shift_look.scale_text(scales.moment, shift_look.MOMENT)}" if key.quantity == "force" else ""
            self.scale.setText(f"Arrows: {text}{moment}")

    def _show(self, *, is_tick: bool = False) -> None:
        plan, key, snapshot = self._plan, self.key, self._snapshot
        if not self._is_seen or plan is None or key is None or snapshot is None:
            return
        shift = shift_at(plan, snapshot, key)
        self.hint.set_message("" if shift is not None else self._why_not(snapshot, key))
        resolved_in, R_CW = self._resolution(snapshot, key)
        self.terms.set_resolved_in(resolved_in)
        self.terms.show_shift(shift, R_CW)
        if is_tick and self._rest.isActive():
            self._is_check_old = True
            return
        self._is_check_old = False
        self._rest.start()
        check = None if shift is None else check_of(plan, snapshot, key, shift)
        self.terms.show_check(check, "" if shift is None else shift.unit)

    def _check_again(self) -> None:
        """Repeat the check if time has advanced since."""
        if self._is_check_old:
            self._show()

    def _resolution(self, snapshot: Snapshot, key: ShiftKey) -> tuple[str, Array]:
        """Return the frame in which components are resolved, and the matrix from world into it."""
        name = self._resolved_in
        if name == WORLD or name not in snapshot.index:
            return WORLD, np.eye(3)
        return name, motion_of(snapshot, key).R_WF[snapshot.index[name]].T

    def _why_not(self, snapshot: Snapshot, key: ShiftKey) -> str:
        unposed = [name for name in sorted(key.frames) if not snapshot.is_posed[snapshot.index[name]]]
        if unposed:
            return f"{unposed[0]} has no pose at this time. Go to another time, or look into the problems list."
        if key.quantity == "force" and key.point:
            return f"The force at {key.point} is known once the scene has been simulated. Choose a point of its own."
        return "The motion has no value at this time. Go to another time, or look into the problems list."

    # --- User input

    def _on_frame(self, box: str) -> None:
        if self._plan is None:
            return
        if box == "resolved_in":
            self._resolved_in = self.resolved_in.name
            self._show()
            return
        name = self.of.name
        self._set_shift(self._key_of(self._plan, name))
        self.picked.emit(("frames", name))

    def _on_quantity(self, choice: str) -> None:
        if self.key is not None:
            self._set_shift(replace(self.key, quantity=_QUANTITIES[choice]))

    def _keep(self) -> None:
        if self._plan is not None and self.key is not None and not self.key.other:
            self.edits.commit(keep_as_frame(self._plan.scene, self.key.frame, offset_of(self._plan, self.key)))

    def _copy(self) -> None:
        plan, key, snapshot = self._plan, self.key, self._snapshot
        shift: Shift | None = None
        if plan is not None and key is not None and snapshot is not None:
            shift = shift_at(plan, snapshot, key)
        if shift is None or key is None or snapshot is None:
            self.status.emit("amber", "There is nothing to copy: the shift has no value at this time")
            return
        resolved_in, R_CW = self._resolution(snapshot, key)
        QGuiApplication.clipboard().setText(self.terms.as_text(shift, R_CW, resolved_in, float(snapshot.t)))
        self.status.emit("note", f"Copied the terms of the {key.quantity}, in axes of {resolved_in}")

    # --- Construction

    def _lay_out(self) -> QScrollArea:
        content = layouts.panel()
        layouts.column(
            self.quantity,
            self.frames,
            self.form,
            self.message,
            self.hint,
            separator(),
            self.terms,
            self.smoothing,
            separator(),
            self.scale,
            (self.keep, 0, Qt.AlignmentFlag.AlignLeft),
            layouts.STRETCH,
            on=content,
            margins=(METRICS.padding, METRICS.gap),
            spacing=METRICS.inner + 2,
        )
        return layouts.scroll_area(content, "shift")


DECIMALS = 3
"""Decimals of a first point, m."""


def first_key(plan: Plan, frame: str, quantity: Quantity) -> ShiftKey:
    """Return the initial shift of a frame: to its first connection point, a corner of its body, or along its x axis."""
    points = points_on(plan, frame)
    if points:
        return ShiftKey(frame, quantity, point=points[0].name)
    row = plan.index[frame]
    body = next((body for body in plan.view_data.bodies if body.i_frame == row), None)
    corner = None if body is None else SHAPE_DRAWINGS[body.kind].corner
    if body is None or corner is None:
        return ShiftKey(frame, quantity, (round(usual_length(plan.view_data), DECIMALS), 0.0, 0.0))
    x, y, z = (round(float(part), DECIMALS) for part in body.p_FB + body.R_FB @ np.array(corner(body.size)))
    return ShiftKey(frame, quantity, (x, y, z))

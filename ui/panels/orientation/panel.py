"""Orientation panel: the orientation of a frame in all forms, and its edits."""

from __future__ import annotations

from functools import partial
from typing import Literal

import numpy as np
from PySide6.QtCore import Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QComboBox, QWidget

from framescope.core import frames
from framescope.core.analysis.staged_rotation import StagedRotation
from framescope.core.conventions.code_snippets import as_code
from framescope.core.conventions.pose_snippets import POSE_TARGETS, pose_as_code
from framescope.core.evaluation.evaluate import Plan
from framescope.core.kernels import linear_algebra
from framescope.core.kernels.attitude_trace import upright
from framescope.core.kernels.validation import USUAL_SEQUENCE, Array
from framescope.core.orientation import QuaternionOrder
from framescope.core.scene.edits import authored_angles, base, orientation
from framescope.core.scene.edits.authored_angles import even_parts, set_rate, why_no_expression, write_angle
from framescope.core.scene.edits.pose import Moment, angle_names
from framescope.core.scene.schema import motions, poses
from framescope.core.scene.schema.kinds.motions import MOTION_KINDS
from framescope.core.scene.schema.kinds.orientations import (
    ORIENTATION_KINDS,
    conversion_key,
    moving_sequence,
    no_rotation,
)
from framescope.core.scene.schema.model import Frame
from framescope.core.snapshot import Snapshot
from framescope.ui.formatting import number_text
from framescope.ui.formatting.item_names import measure_name
from framescope.ui.formatting.typed_signals import literal
from framescope.ui.panels.orientation.actions import OrientationActions
from framescope.ui.panels.orientation.angle_rows import KEEP_ORIENTATION
from framescope.ui.panels.orientation.form_names import CODE_NAMES, authored_text, kind_text
from framescope.ui.panels.orientation.forms import FormEditor
from framescope.ui.panels.orientation.layout import Parts
from framescope.ui.panels.orientation.values import OrientationValues, read_orientation, shown_key, values_of
from framescope.ui.qt_support.edit_sink import EditSink
from framescope.ui.widgets import layouts
from framescope.ui.widgets.angle_row import AngleRow
from framescope.ui.widgets.angle_unit import ANGLE_UNITS, DEG, AngleUnit

SAME = 1e-12
"""Difference between matrix entries that counts as rounding."""

Detail = Literal["compact", "full"]


class OrientationPanel(QWidget):
    """Orientation of a frame in its parent, in all forms. Each of them is editable.

    Signals
    -------
    picked(object)
        The key of another item to select.
    status(str, str)
        Kind and text for the status line.
    staged_toggled(bool)
        The user switches staged mode on or off.
    sequence_requested(str)
        The sequence is about to change; the scene must not show a stage meanwhile.
    """

    picked = Signal(object)
    status = Signal(str, str)
    staged_toggled = Signal(bool)
    sequence_requested = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "panel")
        self.edits = EditSink(self)
        self._name = ""
        self._plan: Plan | None = None
        self._snapshot: Snapshot | None = None
        self._is_of_plan = False
        """Whether the snapshot belongs to the plan. A plan cannot be evaluated with the snapshot of another."""
        self._orientation: OrientationValues | None = None
        self._read_as = USUAL_SEQUENCE
        self._held: Array | None = None
        self._step: StagedRotation | None = None
        self._before_turns: Frame | None = None
        self._is_read_only = False
        self._drafts: dict[str, list[tuple[str, str] | None]] = {}
        self._unit = DEG
        self.actions_of_frame = OrientationActions(self)
        self.parts = Parts(self)
        layouts.column(self.parts, on=self, margins=0)
        self._connect()

    # Interface for the window

    @property
    def sequence(self) -> QComboBox:
        """Box with the twelve sequences."""
        return self.parts.turns.combo

    @property
    def rows(self) -> tuple[AngleRow, ...]:
        """Rows of the three angles."""
        return self.parts.turns.rows

    def set_detail(self, detail: Detail) -> None:
        """Show all parts (``full``), or the rarer forms in a fold (``compact``)."""
        is_full = detail == "full"
        if is_full != self.parts.is_full:
            self.parts.set_full(is_full)
            self._show_kind()
            self._show()

    def set_angle_unit(self, unit: Literal["deg", "rad"]) -> None:
        """Change the unit of angles, also for typed angles without a unit."""
        self._unit = ANGLE_UNITS[unit]
        self.parts.set_unit(self._unit)
        self._show_kind()
        self._show()

    def set_default_sequence(self, sequence: str) -> None:
        """Change the sequence of angles for frames without a sequence of their own."""
        authored = None if self._before_turns is None else self._before_turns.orientation
        if self._step is not None and not isinstance(authored, poses.ThreeAngles):
            self._step = None
            self.sequence_requested.emit(sequence)
        self._read_as = sequence
        self._show_kind()
        self._show()

    def set_quaternion_order(self, order: QuaternionOrder) -> None:
        """Show the scalar of quaternions last or first."""
        self.parts.quaternion.set_order(order)

    def set_plan(self, plan: Plan) -> None:
        """Show another plan. The frame stays if it still exists."""
        self._is_of_plan = self._is_of_plan and plan is self._plan
        self._plan = plan
        self._show_kind()

    def set_frame(self, name: str) -> None:
        """Show another frame of the plan."""
        if name != self._name:
            self.finish()  # while the frame of the gesture is still set
            self._drafts[self._name] = [row.draft for row in self.rows]
            self._name = name
            self._held = None
            self._set_turns(None)
            self.parts.confirm.drop()
            if self.parts.paste.isVisible():
                self.parts.paste.close_form()
            for form in self.parts.forms:
                form.editor.reset(None)
            for row in self.rows:
                row.reset_deg(0.0)
                row.show_message("")
            self._show_kind()
            for row, draft in zip(self.rows, self._drafts.pop(name, ()), strict=False):
                if draft is not None:
                    row.restore(draft)

    def set_step(self, step: StagedRotation | None) -> None:
        """Show the progress of a staged rotation; None outside staged mode."""
        if step is not None and self._step is None and self._plan is not None:
            # Previews of stages replace the frame's form by three angles.
            self._before_turns = self._plan.scene.frames.get(self._name)
        self._set_turns(step)
        self._show_kind()
        self._show()

    def _set_turns(self, step: StagedRotation | None) -> None:
        self._step = step
        turning = None if step is None or step.turn < 0 else step.order[step.turn]
        self.parts.turns.set_turned(None if step is None else np.array(step.turned), turning)
        self.parts.turns.set_staged(step is not None)

    def finish(self) -> None:
        """Commit an unfinished gesture."""
        self.parts.turns.finish()

    def cancel(self) -> None:
        """Cancel an unfinished gesture."""
        self.parts.turns.cancel()

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """Show the orientation at the snapshot's time."""
        is_first, self._snapshot = self._snapshot is None, snapshot
        self._is_of_plan = True
        self._show()
        if is_first:
            self._show_kind()

    # Display

    def _show(self) -> None:
        """Show the last snapshot again."""
        plan, snapshot, parts = self._plan, self._snapshot, self.parts
        if plan is None or snapshot is None or not self._is_of_plan or self._name not in snapshot.index:
            return
        was_blank = self._orientation is None
        self._orientation = read_orientation(plan, self._name, snapshot, self._read_as)
        if was_blank != (self._orientation is None) or isinstance(self._frame_motion(), motions.Simulated):
            self._show_kind()  # a simulated frame can only be turned at its start
        orientation = self._orientation
        # During a gesture, show the angles of the user instead of computed ones.
        parts.turns.show_angles(
            None
            if orientation is None
            else orientation.in_rows(orientation.angles)
            if self._held is None
            else self._held
        )
        rates = None if orientation is None or orientation.rates is None else orientation.in_rows(orientation.rates)
        parts.turns.show_rates(rates)
        orientation = self._staged_values(orientation)
        if orientation is not None:
            parts.quaternion.set_near(orientation.Q)
        for form in parts.forms:
            if parts.is_in_view(form):
                form.show_matrix(None if orientation is None else orientation.R.T)
        if parts.is_in_view(parts.table):
            parts.table.show_values(orientation)
        sequence = self._read_as if orientation is None else orientation.key
        measure, condition = (np.nan, np.nan) if orientation is None else (orientation.measure, orientation.condition)
        parts.set_measure(measure_name(sequence), measure, condition)

    def _staged_values(self, orientation: OrientationValues | None) -> OrientationValues | None:
        """Return the orientation turned so far in staged mode, else the given one."""
        if orientation is None or self._step is None:
            return orientation
        turned = np.array(self._step.turned)
        R = frames.axes_rotations(orientation.sequence, turned)
        Q = upright(linear_algebra.quaternion_from_matrix(R.T, linear_algebra.NO_TURN))
        return values_of(
            R,
            orientation.key,
            turned,
            None,
            turned,
            Q,
            is_authored=orientation.is_authored,
        )

    def _show_kind(self) -> None:
        """Update the parts that depend on the frame and its form, but not on time."""
        if self._plan is None or self._name not in self._plan.index or self._name not in self._plan.scene.frames:
            return
        scene, parts = self._plan.scene, self.parts
        frame = scene.frames[self._name]
        authored = self._plan.sequence(self._name)
        sequence = shown_key(self._plan, self._name, self._read_as)
        parts.turns.set_sequence(sequence, is_authored=authored is not None)
        parts.table.set_axes(sequence)
        parts.set_turned("" if self._step is None else _staged_text(self._step, self._unit))
        reason = orientation.why_read_only(scene, self._name, self._moment())
        has_offset = (frame.motion is not None and MOTION_KINDS.of(frame.motion).has_offset) or (
            frame.orientation is not None and bool(ORIENTATION_KINDS.of(frame.orientation).fixed)
        )
        is_blank = self._orientation is None
        text = _sentence(reason) + (" Live values, read-only." if reason and not is_blank else "")
        text = self._why_blank() or text if is_blank else text
        parts.set_lock("" if self._snapshot is None else text, has_offset=has_offset)
        parts.set_read_only(bool(reason) or is_blank or self._step is not None)
        in_scene = frame if self._step is None or self._before_turns is None else self._before_turns
        motion = in_scene.motion
        can_convert = motion is None or not MOTION_KINDS.of(motion).why_not_converted(motion)
        parts.set_authored(authored_text(in_scene), conversion_key(in_scene.orientation), can_convert=can_convert)
        for i, (row, rate) in enumerate(zip(self.rows, parts.turns.rates, strict=True)):
            driven = authored_angles.expression_constant(scene, self._name, i) if authored else None
            row.set_expression("" if driven is None else driven[0], _unit_of(frame))
            row.set_typing(scene.parameters, _sentence(why_no_expression(scene, self._name, sequence)))
            row.set_read_only(bool(reason) or is_blank)
            rate.setReadOnly(bool(reason) or is_blank or not self._has_even_angle(frame, i))

    def _why_blank(self) -> str:
        """Return a sentence on the frame, this one or an ancestor, whose problem prevents a pose, or an empty text."""
        if self._plan is None:
            return ""
        frames_of_scene, name, visited = self._plan.scene.frames, self._name, set[str]()
        culprit = {problem.item for problem in self._plan.problems if problem.severity == "red"}
        while name in frames_of_scene and name not in visited:
            if ("frames", name) in culprit:
                other = "It" if name == self._name else f"It has no pose: its ancestor {name}"
                return f"{other} has a problem, see the list."
            visited.add(name)
            name = frames_of_scene[name].parent
        return ""

    def _has_even_angle(self, frame: Frame, i: int) -> bool:
        form = frame.orientation
        if not isinstance(form, poses.ThreeAngles) or frame.motion is not None:
            return False
        return even_parts(form.angles[i]) is not None

    def open_paste(self) -> None:
        """Open the paste form, or report why the orientation cannot be set."""
        if self.parts.paste_icon.isEnabled():
            self.parts.paste.open_form(moving_sequence(self.sequence.currentText()))
        else:
            self.status.emit("amber", f"Nothing can be pasted into {self._name} now. {self.parts.reason}".strip())

    def copy_code(self, target: str) -> None:
        """Copy the orientation or pose as code for a target, or report why there is none."""
        orientation = self._staged_values(self._orientation)
        if orientation is None:
            self.status.emit("amber", f"{self._name} has no orientation at this time")
            return
        try:
            text = self._code(orientation.R, target)
        except ValueError as error:
            self.status.emit("amber", f"{self._name} is not copied: {error}")
            return
        QGuiApplication.clipboard().setText(text)
        what = "pose" if target in POSE_TARGETS else "orientation"
        self.status.emit("good", f"Copied the {what} of {self._name} for {CODE_NAMES[target]}")

    def _code(self, R: frames.Orientation, target: str) -> str:
        plan, snapshot = self._plan, self._snapshot
        if target not in POSE_TARGETS or plan is None or snapshot is None:
            return as_code(R, target)
        moment = plan.moment(self._name, float(snapshot.t))
        parent = plan.names[plan.tree.parents[plan.index[self._name]]]
        return pose_as_code(R, moment.p_PF, parent, self._name, target)

    # Actions of the user

    def _connect(self) -> None:
        parts, turns = self.parts, self.parts.turns
        turns.combo.currentTextChanged.connect(self._on_sequence)
        for i, (row, rate) in enumerate(zip(turns.rows, turns.rates, strict=True)):
            row.previewed.connect(partial(self._on_angle, i, is_final=False))
            row.committed.connect(partial(self._on_angle, i, is_final=True))
            row.cancelled.connect(self._on_cancelled)
            row.slider.reset_requested.connect(partial(self._on_reset, i))
            row.expression_committed.connect(partial(self._on_expression, i))
            rate.committed.connect(partial(self._on_rate, i))
        turns.staged_toggled.connect(self.staged_toggled)
        for form in parts.forms:
            form.typed.connect(lambda T, form=form: self._on_typed(form, T))
        parts.paste_requested.connect(self.open_paste)
        parts.paste.accepted.connect(self._on_pasted)
        parts.paste.closed.connect(parts.focus_paste_button)
        parts.copy_requested.connect(self.copy_code)
        parts.convert_requested.connect(self._on_convert)
        parts.offset.clicked.connect(self._on_offset)
        parts.unfolded.connect(self._show)
        parts.confirm.confirmed.connect(self._on_confirmed)
        parts.confirm.declined.connect(self._show_kind)

    def _on_sequence(self, sequence: str) -> None:
        if self._plan is not None and self._name not in self._plan.index:
            return  # another scene was opened meanwhile
        self._step = None
        self.sequence_requested.emit(moving_sequence(sequence))
        if self._plan is None or self._plan.sequence(self._name) is None:
            self._read_as = sequence
            self._show_kind()
            self._show()
        elif self.parts.turns.keep.choice == KEEP_ORIENTATION:
            self._on_convert(conversion_key(no_rotation(sequence)))
        else:
            self.edits.commit(authored_angles.set_sequence(self._name, sequence))

    def _on_angle(self, i: int, angle_deg: float, *, is_final: bool) -> None:
        if self._plan is None or self._orientation is None:
            return
        label = f"Moved {self._name} to {self._angle_name(i)} {angle_deg:.2f}°"
        if self._orientation.is_authored:
            edit = authored_angles.turn_to(self._name, i, float(np.radians(angle_deg)), self._t, label)
            is_driven = authored_angles.expression_constant(self._plan.scene, self._name, i) is not None
        else:
            # The other two angles stay as at the start of the drag, even at the singularity.
            shown = self._orientation.in_rows(self._orientation.angles)
            self._held = shown.copy() if self._held is None else self._held
            self._held[i] = np.radians(angle_deg)
            edit = orientation.orient_frame(self._name, self._matrix_of_angles(self._held), self._moment(), label)
            is_driven = self._is_driven()
            refusal = orientation.refusal_of(edit, self._plan.scene)
            self.rows[i].show_message("" if is_final else _sentence(refusal))
            if refusal:
                self._held = None
                if is_final:
                    self.edits.cancel()
                return
        if is_final:
            self._held = None
            self.edits.commit(edit)
        else:
            self.edits.preview(edit, pauses=is_driven)

    def _on_cancelled(self) -> None:
        self._held = None
        for row in self.rows:
            row.show_message("")
        self.edits.cancel()

    def _on_reset(self, i: int) -> None:
        if self._plan is None or self._is_locked():
            return
        if self._plan.sequence(self._name) is not None:
            self.edits.commit(
                authored_angles.reset_angle(self._name, i, f"Reset {self._angle_name(i)} of {self._name}")
            )
        elif self._orientation is not None:
            self._on_angle(i, 0.0, is_final=True)

    def _on_expression(self, i: int, text: str, unit: str) -> None:
        if self._plan is None or not self._has_frame:
            return
        value_text = f"{text} {unit or _unit_of(self._plan.scene.frames[self._name])}".strip()
        label = f"Set {self._angle_name(i)} of {self._name} to {value_text}"
        number = literal(text)
        signal = text if number is None else number
        edit = write_angle(self._name, i, signal, unit, self.sequence.currentText(), label)
        refusal = orientation.refusal_of(edit, self._plan.scene)
        self.rows[i].show_message(_sentence(refusal))
        if refusal:
            return
        form = edit.apply(self._plan.scene).frames[self._name].orientation
        self.edits.commit(edit)
        if number is None and isinstance(form, poses.ThreeAngles) and form.angles[i] != text:
            why = f"because the angles of {self._name} are in {form.unit}"
            self.status.emit("note", f"Written as {form.angles[i]} {form.unit}, {why}")

    def _on_rate(self, i: int, value: float) -> None:
        unit = self._unit
        rate = unit.to_rad(value)
        text = f"{number_text.fixed(unit.of_rad(rate), unit.decimals)} {unit.rate}"
        label = f"Set the rate of {self._angle_name(i)} of {self._name} to {text}"
        self.edits.commit(set_rate(self._name, i, rate, self._t, label))

    def _on_typed(self, form: FormEditor, T: Array) -> None:
        refusal = self._orient(T, f"Typed the {form.title.lower().removesuffix(' t')} of {self._name}")
        if refusal:
            form.editor.keep_draft(form.values_of(T), _sentence(refusal))

    def _on_pasted(self, T: Array, p: Array | None) -> None:
        what = "orientation" if p is None else "pose"
        if self._has_pose(T, p):
            self.status.emit("note", f"The {what} of {self._name} is already that")
            self.parts.paste.close_form()
            return
        refusal = self._orient(T, f"Pasted the {what} of {self._name}", p, is_new=True)
        if refusal:
            self.parts.paste.problem.set_message(_sentence(refusal))
        else:
            self.parts.paste.close_form()

    def _has_pose(self, T: Array, p: Array | None) -> bool:
        """Return whether the frame has a pose already, within rounding, and no key needs to be set for it."""
        if self._orientation is None or isinstance(self._frame_motion(), motions.Keyframes):
            return False
        if p is not None and np.abs(p - self._moment().p_PF).max() > SAME:
            return False
        return bool(np.abs(T - self._orientation.R.T).max() < SAME)

    def _orient(self, T: Array, label: str, p: Array | None = None, *, is_new: bool = False) -> str:
        """Set the orientation, and the position if given. Return the reason if refused."""
        if self._plan is None or not self._has_frame:
            return ""
        moment = self._moment()
        edit = (
            orientation.orient_frame(self._name, T, moment, label, is_new=is_new)
            if p is None
            else orientation.pose_frame(self._name, T, p, moment, label, is_new=is_new)
        )
        refusal = orientation.refusal_of(edit, self._plan.scene)
        if not refusal:
            self.edits.commit(edit)
        return refusal

    def _on_convert(self, kind: str) -> None:
        if self._plan is None or not self._has_frame:
            return
        label = f"Converted {self._name} to {kind_text(kind)}"
        loss = orientation.conversion_loss(self._plan.scene, self._name, kind, self._t)
        edit = orientation.convert_form(self._name, kind, self._moment(), label, freezes=bool(loss))
        if loss:
            self.parts.confirm.ask(loss, edit)
        else:
            self.edits.commit(edit)

    def _on_confirmed(self, edit: base.Edit) -> None:
        self._step = None
        self.edits.commit(edit)

    def _on_offset(self) -> None:
        if self._plan is None or not self._has_frame:
            return
        new = orientation.offset_name(self._plan.scene, self._name)
        self.edits.commit(
            orientation.fix_offset(
                self._name, f"Moved the children of {self._name} to a new frame, {new}", self._read_as
            )
        )
        self.picked.emit(("frames", new))

    # State

    @property
    def _has_frame(self) -> bool:
        """Whether the frame still exists. It may be deleted while a menu is open."""
        return self._plan is not None and self._name in self._plan.scene.frames

    @property
    def _t(self) -> float:
        return 0.0 if self._snapshot is None else float(self._snapshot.t)

    def _moment(self) -> Moment:
        """Return the present pose of the frame."""
        assert self._plan is not None  # noqa: S101 - edits need a plan
        return self._plan.moment(self._name, self._t, self._read_as)

    def _angle_name(self, i: int) -> str:
        return angle_names(no_rotation(self.sequence.currentText()))[i]

    def _matrix_of_angles(self, angles: Array) -> Array:
        """Return the matrix of angles in the order of the rows."""
        assert self._orientation is not None  # noqa: S101 - there are no rows to turn without one
        return frames.axes_rotations(self._orientation.sequence, self._orientation.in_rows(angles)).T

    def _frame_motion(self) -> motions.Motion | None:
        frame = None if self._plan is None else self._plan.scene.frames.get(self._name)
        return None if frame is None else frame.motion

    def _is_locked(self) -> bool:
        return self._plan is not None and bool(orientation.why_read_only(self._plan.scene, self._name, self._moment()))

    def _is_driven(self) -> bool:
        motion = None if self._plan is None else self._plan.tree.motions.get(self._plan.index[self._name])
        return motion is not None and not motion.is_constant


def _unit_of(frame: Frame) -> str:
    form = frame.orientation
    return form.unit or "" if isinstance(form, poses.ThreeAngles) else ""


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}." if text else ""


def _staged_text(step: StagedRotation, unit: AngleUnit) -> str:
    """Return the turns so far as text, each with its axis."""
    turns = [f"{unit.text(step.so_far(i))} {step.about(i)}" for i in range(step.turn + 1)]
    if not turns:
        return "Everything below: before the first turn"
    listed = turns[0] if len(turns) == 1 else f"{', '.join(turns[:-1])} and {turns[-1]}"
    return f"Everything below: after {listed}"

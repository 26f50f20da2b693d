"""Relation panel: any frame relative to any other, resolved in any third, to plot and copy."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtGui import QGuiApplication, QShowEvent
from PySide6.QtWidgets import QMenu, QScrollArea, QStackedWidget, QToolButton, QWidget

from framescope.core.conventions.axes_in_words import axes_in_short, axes_in_words
from framescope.core.evaluation.delayed_frames import Delay
from framescope.core.evaluation.evaluate import Plan
from framescope.core.evaluation.frame_axes import body_axes_of
from framescope.core.evaluation.missing_poses import missing_pose_text
from framescope.core.evaluation.relative_motion import are_known, relation
from framescope.core.evaluation.signal_curves import seen_before
from framescope.core.evaluation.smoothing_notes import smoothing_note
from framescope.core.orientation import QuaternionOrder
from framescope.core.scene.edits.base import Edit
from framescope.core.scene.edits.plots import MAX_PLOTS, add_plot, add_plots
from framescope.core.scene.schema.model import WORLD
from framescope.core.scene.schema.view import Plot
from framescope.core.snapshot import Snapshot
from framescope.ui.panels.relation.frame_combo import FrameField, FrameFields, FrameNames
from framescope.ui.panels.relation.relation_block import RelationKey
from framescope.ui.panels.relation.relation_quantities import QUANTITIES, RelationMoment, as_python, as_text
from framescope.ui.panels.relation.relation_value import RelationValue
from framescope.ui.qt_support.edit_sink import EditSink
from framescope.ui.theme.tokens import METRICS
from framescope.ui.widgets import layouts
from framescope.ui.widgets.buttons import IconButton, push_button
from framescope.ui.widgets.elided_label import ElidedLabel
from framescope.ui.widgets.empty_state import EmptyState
from framescope.ui.widgets.headings import separator
from framescope.ui.widgets.inline_message import InlineMessage
from framescope.ui.widgets.spin_field import StepField

USUAL_DELAY_S = 0.1
"""Default delay of the frame, s."""

STILL = ("odom", "map")
"""Default frames to look back through (REP 105), in order of preference, before the world."""

I_ORIENTATION = next(i for i, quantity in enumerate(QUANTITIES) if quantity.signal == "quaternion")
"""Index of the orientation, which has its axes in words below it."""

_SWAP = 20


class RelationPanel(QStackedWidget):
    """Relation of three frames, now or with a delay of the first one.

    The panel follows the selection while the button `hold` in its header is up.

    Signals
    -------
    status(str, str)
        Kind and text for the status line.
    key_changed(object)
        The `RelationKey` that the user has chosen.
    """

    status = Signal(str, str)
    key_changed = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.edits = EditSink(self)
        layouts.lay_ground(self)
        self._plan: Plan | None = None
        self._snapshot: Snapshot | None = None
        self._wanted = self.key = RelationKey("", WORLD, WORLD)
        """Current relation."""
        self._selected = ""
        self._unit = "deg"
        self._order: QuaternionOrder = "xyzw"
        self._names = FrameNames(self)
        self.swap = IconButton(
            "arrow-up-down", "swap of and relative to", size=_SWAP, icon_size=METRICS.row_icon, parent=self
        )
        self.frames = FrameFields(self._names, between=self.swap)
        self.of, self.relative_to, self.resolved_in = self.frames.fields.values()
        self.swap.clicked.connect(self._swap)
        self.through = FrameField(self._names, "through")
        self.before = StepField(step=0.01, decimals=3, unit="s")
        self.before.setAccessibleName("earlier by")
        self.before.reset(USUAL_DELAY_S)
        self.refusal = InlineMessage()
        self.reason = layouts.plain_label("", "quiet", wordWrap=True)
        self.reason.setAccessibleName("why there are no numbers")
        self.reason.hide()
        self.values = tuple(RelationValue(quantity) for quantity in QUANTITIES)
        self.axes = ElidedLabel(role="quiet")
        self.axes.setAccessibleName("axes in words")
        self.smoothing = layouts.plain_label("", "quiet", wordWrap=True)
        self.hold = push_button("Hold", kind="small", checkable=True)
        self.hold.setToolTip("Hold this relation: it stays when the selection changes")
        self.hold.toggled.connect(self._settle)
        self.look_back = IconButton(
            "history",
            "of: at an earlier time, through a frame that is fixed in between",
            checked_color="accent_text",
        )
        self.look_back.toggled.connect(self._on_look_back)
        self.plot_button = _menu_button("chart-line", "plot this relation")
        self.copy_button = _menu_button("copy", "copy this relation")
        for field in (self.frames, self.through):
            field.chosen.connect(self._on_chosen)
            field.refused.connect(self.refusal.set_message)
        self.before.message.connect(self.refusal.set_message)
        self.before.previewed.connect(self._on_chosen)
        self.before.committed.connect(self._on_chosen)
        for value in self.values:
            value.plot_requested.connect(self._plot)
        self._fill_menus()
        hint = "Add a frame, and see here how it moves relative to any other."
        self.addWidget(EmptyState("axis-3d", "One frame alone", hint))
        self._rows_before: list[QWidget] = []
        self.addWidget(self._lay_out())
        self._show_rows_before()

    def header_widgets(self) -> tuple[QWidget, ...]:
        """Return the buttons for the panel's header: hold, look back, plot, copy."""
        return self.hold, self.look_back, self.plot_button, self.copy_button

    def set_key(self, key: RelationKey) -> None:
        """Show another relation. A missing frame is replaced until it exists again."""
        self._wanted = key
        self._settle()

    def show_key(self, key: RelationKey) -> None:
        """Show another relation, and hold it when the selection changes."""
        self._wanted = key
        self.hold.setChecked(True)
        self._choose(key)

    def set_plan(self, plan: Plan) -> None:
        """Show another plan."""
        self._plan, self._snapshot = plan, None
        self._names.set_plan(plan)
        self.setCurrentIndex(int(len(plan.names) > 1))
        for button in self.header_widgets():
            button.setEnabled(len(plan.names) > 1)
        self._settle()

    def set_frame(self, name: str) -> None:
        """Set the selected frame. It is shown while the relation is not held."""
        self._selected = name
        if name and not self.hold.isChecked():
            self._settle()

    def set_angle_unit(self, unit: str) -> None:
        """Show angles in "deg" or "rad"."""
        self._unit = unit
        self._show_words()
        self._show_numbers()

    def set_quaternion_order(self, order: QuaternionOrder) -> None:
        """Show the scalar of the quaternion last or first."""
        self._order = order
        self._show_words()
        self._show_numbers()

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """Show the numbers of a snapshot. Nothing is computed while the panel is hidden."""
        self._snapshot = snapshot
        self._show_numbers()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._show_numbers()

    # --- display

    def _settle(self) -> None:
        """Determine the frames to show: the wanted ones, with replacements for missing ones."""
        if self._plan is None:
            return
        index = self._plan.index
        if self._selected in index and not self.hold.isChecked():
            self._wanted = replace(self._wanted, of=self._selected)
        wanted = self._wanted
        of = wanted.of
        if of not in index:
            of = next((name for name in self._plan.names if name != WORLD), WORLD)
        relative_to, resolved_in = (
            name if name in index else WORLD for name in (wanted.relative_to, wanted.resolved_in)
        )
        delay = wanted.delay and replace(
            wanted.delay, through=wanted.delay.through if wanted.delay.through in index else WORLD
        )
        self.key = RelationKey(of, relative_to, resolved_in, delay)
        self.frames.set_frames(of, relative_to, resolved_in)
        if delay is not None:
            self.through.set_name(delay.through)
            self.before.set_value(delay.seconds)
        if self.look_back.isChecked() != (delay is not None):
            self.look_back.setChecked(delay is not None)
        self._show_rows_before()
        self._show_words()
        self._show_numbers()

    def _show_words(self) -> None:
        for value in self.values:
            value.set_relation(self.key, self._unit, self._order)
        note = self._smoothing_note()
        self.smoothing.setText(note)
        self.smoothing.setVisible(bool(note))

    def _smoothing_note(self) -> str:
        """Return a note on numbers of smoothed motions; empty if there are none."""
        key = self.key
        frames = (key.of, key.relative_to, key.resolved_in, *([key.delay.through] if key.delay else []))
        if self._plan is None or not (note := smoothing_note(self._plan, frames)):
            return ""
        has_poses = bool(smoothing_note(self._plan, frames, has_rate=False))
        return f"{'All numbers are' if has_poses else 'v, ω, a and z are'} {note}."

    def _show_numbers(self) -> None:
        if not self.isVisible() or self._snapshot is None or self.currentIndex() == 0:
            return
        moment = self._relation(self._snapshot)
        for value in self.values:
            value.show_relation(moment)
        self._show_axes(moment)
        self._show_reason(self._snapshot, is_known=moment is not None)

    def _show_reason(self, snapshot: Snapshot, *, is_known: bool) -> None:
        """Show why there are no numbers, such as a gap in a recording."""
        text = ""
        if not is_known and self._plan is not None:
            key, t = self.key, float(snapshot.t)
            text = missing_pose_text(self._plan, (key.of, key.relative_to, key.resolved_in), t)
            if not text and key.delay is not None:
                text = missing_pose_text(self._plan, (key.of, key.delay.through), t - key.delay.seconds)
        if text != self.reason.text():
            self.reason.setText(text)
            self.reason.setVisible(bool(text))

    def _show_axes(self, moment: RelationMoment | None) -> None:
        """Show in words along which axes of one frame those of the other are."""
        if moment is None or self._plan is None:
            self.axes.setText("")
            self.axes.set_hint("")
            return
        R_AB, key = moment.relation.R.T.T, self.key
        letters = body_axes_of(self._plan, key.relative_to)
        sentences = axes_in_words(R_AB, key.of_when, key.relative_to_when, letters)
        self.axes.setText(axes_in_short(R_AB, key.relative_to_when, letters))
        self.axes.set_hint("\n".join(sentences))
        self.axes.setAccessibleDescription(". ".join(sentences))

    def _relation(self, snapshot: Snapshot) -> RelationMoment | None:
        plan, key = self._plan, self.key
        names = key.of, key.relative_to, key.resolved_in
        if plan is None or not all(name in snapshot.index and name in plan.index for name in names):
            return None
        traces = plan.traces
        if key.delay is not None:
            snapshot, traces = seen_before(plan, snapshot, key.of, key.delay), traces.with_delay(key.delay)
        rows = traces.row_of(key.of), key.relative_to, key.resolved_in
        if not are_known(snapshot, *rows):
            return None
        Q = traces.quaternions(snapshot, key.of, key.relative_to)
        return RelationMoment(relation(snapshot, *rows), Q)

    # --- actions of the user

    def _on_chosen(self, _name: str | float) -> None:
        key = RelationKey(self.of.name, self.relative_to.name, self.resolved_in.name, self._delay())
        if key.of != self.key.of:
            self.show_key(key)
        else:
            self._choose(key)

    def _swap(self) -> None:
        self.show_key(replace(self.key, of=self.key.relative_to, relative_to=self.key.of))

    def _choose(self, key: RelationKey) -> None:
        self.set_key(key)
        self.key_changed.emit(key)

    def _on_look_back(self, is_on: bool) -> None:
        if is_on == (self.key.delay is not None):
            return
        if is_on and self._plan is not None and self.through.name not in self._plan.index:
            self.through.set_name(next((name for name in STILL if name in self._plan.index), WORLD))
        self._choose(replace(self._wanted, delay=self._delay()))

    def _delay(self) -> Delay | None:
        """Return the delay, or None while looking back is off."""
        return Delay(self.through.name, self.before.value or 0.0) if self.look_back.isChecked() else None

    def _show_rows_before(self) -> None:
        for widget in self._rows_before:
            widget.setVisible(self.look_back.isChecked())

    def _plot(self, plot: Plot) -> None:
        self._add_plots(1, add_plot(plot))

    def _plot_all(self) -> None:
        plots = [value.plot for value in self.values]
        self._add_plots(len(plots), add_plots(plots, f"{self.key.of} relative to {self.key.relative_to}"))

    def _add_plots(self, n: int, edit: Edit) -> None:
        if self._plan is None:
            return
        excess = len(self._plan.scene.view.plots) + n - MAX_PLOTS
        if excess > 0:
            n_less = "one" if excess == 1 else excess
            self.status.emit("amber", f"A scene has at most {MAX_PLOTS} plots. Remove {n_less} first")
        else:
            self.edits.commit(edit)

    def _copy(self, as_what: str) -> None:
        moment = None if self._snapshot is None else self._relation(self._snapshot)
        if moment is None or self._snapshot is None:
            self.status.emit("amber", "There is nothing to copy: one of the three frames has no pose now")
            return
        t = float(self._snapshot.t)
        text = (
            as_python(self.key, t, moment, self._order)
            if as_what == "code"
            else as_text(self.key, t, moment, self._unit, self._order)
        )
        if note := self._smoothing_note():
            text += f"\n{'# ' * (as_what == 'code')}{note}"
        QGuiApplication.clipboard().setText(text)
        self.status.emit("note", f"Copied the relation of {self.key.of} to {self.key.relative_to} as {as_what}")

    def _fill_menus(self) -> None:
        plots, copies = self.plot_button.menu(), self.copy_button.menu()
        for value in self.values:
            plots.addAction(value.quantity.title, value.ask_plot)
        plots.addSeparator()
        plots.addAction("All six", self._plot_all)
        copies.addAction("As text, with its frames and units", partial(self._copy, "text"))
        copies.addAction("As Python code, in SI units", partial(self._copy, "code"))
        copies.addSeparator()
        for value in self.values:
            copies.addAction(f"{value.quantity.title}, the numbers", value.row.copy)

    def _lay_out(self) -> QScrollArea:
        for text, widget in (("through", self.through), ("earlier by", self.before)):
            self._rows_before += [self.frames.add_row(text, widget), widget]
        content = layouts.panel()
        orientation = layouts.column(self.values[I_ORIENTATION], self.axes, margins=0, spacing=0)
        layouts.column(
            self.frames,
            self.refusal,
            separator(),
            self.reason,
            *self.values[:I_ORIENTATION],
            orientation,
            *self.values[I_ORIENTATION + 1 :],
            self.smoothing,
            layouts.STRETCH,
            on=content,
            margins=(METRICS.padding, METRICS.gap),
            spacing=METRICS.gap,
        )
        return layouts.scroll_area(content, "relation")


def _menu_button(icon: str, name: str) -> IconButton:
    button = IconButton(icon, name)
    button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
    button.setMenu(QMenu(button))
    return button

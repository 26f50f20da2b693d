"""Panel of the drift laboratory: compares integrations of an angular velocity with the exact orientation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QSplitter, QWidget

from framescope.core.evaluation.evaluate import Plan
from framescope.core.snapshot import Snapshot
from framescope.features.laboratory.core.convergence_order import Study
from framescope.features.laboratory.core.drift import DriftRun
from framescope.features.laboratory.core.rate_presets import LaboratoryError, OfFrame
from framescope.features.laboratory.core.to_scene import integrated_edit
from framescope.features.laboratory.ui.axis_scales import Array, AxisScale, log_axis
from framescope.features.laboratory.ui.drift_choices import DriftChoices
from framescope.features.laboratory.ui.lab_canvas import Line
from framescope.features.laboratory.ui.lab_plot import LabPlot
from framescope.features.laboratory.ui.labels import DriftRequest, small
from framescope.features.laboratory.ui.run_table import RunRow, RunTable, order_text
from framescope.ui.formatting.number_text import fixed
from framescope.ui.plots.dashes import (
    DASH_DASH_DOT,
    DASH_DOT,
    DASH_DOT_DOT,
    DASHED,
    DOTTED,
    LONG_DASHED,
    SPARSE_DOTS,
)
from framescope.ui.qt_support.edit_sink import EditSink
from framescope.ui.theme.tokens import METRICS
from framescope.ui.widgets import layouts
from framescope.ui.widgets.angle_unit import ANGLE_UNITS, DEG
from framescope.ui.widgets.buttons import IconButton, push_button
from framescope.ui.widgets.inline_message import InlineMessage
from framescope.ui.widgets.larger_panel import GROWS

PRESENT = "accent"
KEPT = (
    ("force", DASHED),
    ("axis_y", DASH_DOT),
    ("omega", LONG_DASHED),
    ("frame_a", DASH_DOT_DOT),
    ("axis_x", SPARSE_DOTS),
    ("sensor", DASH_DASH_DOT),
)
"""Colours and dashes of the kept runs. Solid is the present run, dotted are the fitted orders."""

"""Colour roles of kept runs, in turn."""

MAX_KEPT = 12
"""Largest number of kept runs."""

_CHOICES = 288
_PLOT = 184
"""Smallest width of a plot with a readable heading, px. If three plots do not fit, they scroll."""
_BEGINNING = 0.03
"""Fraction of a run whose small initial errors may lie outside of the plot."""

_NO_RESIDUE = "Three parameters have no residue: any three numbers are a rotation."
_NO_FRAME = "Select a frame in the outline or in the scene, or choose another rate."


class DriftPanel(QWidget):
    """Panel with controls at the left, three plots, and a table of runs below them.

    Signals
    -------
    requested(object)
        Request for a run, a `DriftRequest`. The receiver answers with `show_run`, `show_study` or `show_refusal`.
    status(str, str)
        Kind and sentence for the status line.
    save_requested(str)
        The user saves the table; CSV text.
    scrubbed(float), scrub_finished()
        The user drags the pointer in a plot over time, to a time in s; the user ends the drag.
    seen()
        The panel became visible; the scene may have changed meanwhile.
    """

    requested = Signal(object)
    status = Signal(str, str)
    save_requested = Signal(str)
    scrubbed = Signal(float)
    scrub_finished = Signal()
    seen = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.edits = EditSink(self)
        layouts.lay_ground(self)
        self._plan: Plan | None = None
        self._frame = ""
        self._unit = DEG
        self._t: float | None = None
        self._present: RunRow | None = None
        self._kept: list[RunRow] = []
        self._n_kept = 0
        self._is_putting = False
        self.choices = DriftChoices()
        self.keep_button = push_button("Keep this run", "pin", kind="small")
        self.keep_button.setToolTip("Keep these curves for comparison with others")
        self.put_button = push_button("Put into the scene", "axis-3d", kind="small")
        self.put_button.setToolTip("Add a frame that is integrated like this, beside the selected one")
        self.refusal = InlineMessage()
        self.error = LabPlot("Attitude error", DEG.symbol)
        self.residue = LabPlot("Largest residue")
        self.orders = LabPlot("Error by step", DEG.symbol)
        self.table = RunTable()
        self.copy_button = IconButton("copy", "Copy the table of runs")
        self.save_button = IconButton("download", "Save the table of runs as CSV")
        self._lay_out()
        self.choices.changed.connect(self._on_changed)
        self.keep_button.clicked.connect(self._keep)
        self.put_button.clicked.connect(self._add_to_scene)
        self.copy_button.clicked.connect(self._copy)
        self.save_button.clicked.connect(lambda: self.save_requested.emit(self.table.text()))
        self.table.shown_toggled.connect(self._on_shown)
        self.table.remove_requested.connect(self._remove)
        for plot in (self.error, self.residue):
            plot.canvas.pointed.connect(self.scrubbed)
            plot.canvas.released.connect(self.scrub_finished)
        self.orders.canvas.pointed.connect(self.choices.set_step)
        self._show()

    def header_widgets(self) -> tuple[QWidget, ...]:
        """Return the buttons for the panel's header: copy and save the table."""
        return self.copy_button, self.save_button

    @property
    def request(self) -> DriftRequest:
        """Request for a run with the current choices."""
        return DriftRequest(self.choices.choice, self.choices.settings)

    @property
    def rows(self) -> tuple[RunRow, ...]:
        """Present run, if there is one, and kept runs."""
        return (*(() if self._present is None else (self._present,)), *self._kept)

    def set_plan(self, plan: Plan) -> None:
        """Set the plan. The controller decides whether the run must be repeated."""
        self._plan, self._is_putting = plan, False

    def set_frame(self, name: str) -> None:
        """Set the selected frame; empty for none."""
        self._frame = name
        self.choices.set_frame(name)

    def set_angle_unit(self, unit: str) -> None:
        """Set the unit of angles, "deg" or "rad"."""
        if self._unit == ANGLE_UNITS[unit]:
            return
        self._unit = ANGLE_UNITS[unit]
        self.choices.set_angle_unit(self._unit)
        self.table.set_angle_unit(self._unit)
        for plot in (self.error, self.orders):
            plot.set_unit(self._unit.symbol)
        self._show()

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """Move the cursors to the time of a snapshot."""
        self._t = float(snapshot.t)
        self._show_cursor()

    def show_run(self, request: DriftRequest, run: DriftRun, study: Study | None = None) -> None:
        """Show the run of a request, with the study of its order if known. Outdated requests are ignored."""
        if request != self.request:
            return
        is_shown = self._present is None or self._present.is_shown
        self._present = RunRow(run, study, PRESENT, is_shown, is_present=True)
        self.refusal.set_message("")
        self.put_button.setEnabled(True)
        self._show()

    def show_study(self, request: DriftRequest, study: Study) -> None:
        """Show the study of a request's order: error against step."""
        if request == self.request and self._present is not None:
            self._present = replace(self._present, study=study)
            self._show()

    def show_refusal(self, request: DriftRequest, message: str, hint: str = "") -> None:
        """Show why a request cannot be run."""
        if request == self.request:
            self._present = None
            self.refusal.set_message(f"{message} {hint}".strip())
            self.put_button.setEnabled(False)  # the scene cannot run it either
            self._show()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.seen.emit()

    # --- User input

    def _on_changed(self) -> None:
        self.refusal.set_message("")
        self.put_button.setEnabled(True)
        choice = self.choices.choice
        if isinstance(choice, OfFrame) and not choice.name:
            self._present = None
            self._show()
        else:
            self.requested.emit(self.request)

    def _keep(self) -> None:
        if self._present is None:
            return
        if len(self._kept) >= MAX_KEPT:
            self.status.emit("amber", f"At most {MAX_KEPT} runs are kept. Remove one first")
            return
        color, dash = KEPT[self._n_kept % len(KEPT)]
        self._kept.append(replace(self._present, color=color, dash=dash, is_shown=True, is_present=False))
        self._n_kept += 1
        self._show()

    def _remove(self, i: int) -> None:
        first = len(self.rows) - len(self._kept)
        if first <= i < len(self.rows):
            del self._kept[i - first]
            self._show()

    def _on_shown(self, i: int, is_shown: bool) -> None:
        row = replace(self.rows[i], is_shown=is_shown)
        first = len(self.rows) - len(self._kept)
        if i < first:
            self._present = row
        else:
            self._kept[i - first] = row
        self._show()

    def _add_to_scene(self) -> None:
        if self._plan is None:
            return
        try:
            edit = integrated_edit(self._plan, self.request.choice, self.request.settings, self._frame)
        except (LaboratoryError, ValueError) as error:
            self.refusal.set_message(str(error))
            return
        self.refusal.set_message("")
        if not self._is_putting:  # the previous frame is still being integrated
            self._is_putting = True
            self.edits.commit_items(edit)

    def _copy(self) -> None:
        self.table.copy()
        self.status.emit("good", "Copied the table of runs")

    # --- Display

    def _show(self) -> None:
        self.table.set_rows(self.rows)
        for button in (self.copy_button, self.save_button):
            button.setEnabled(bool(self.rows))
        self.keep_button.setEnabled(self._present is not None)
        visible = [row for row in self.rows if row.is_shown]
        note = self._note()
        self._show_over_time(visible, note)
        self._show_orders(visible)
        self._show_cursor()

    def _note(self) -> str:
        choice = self.choices.choice
        if isinstance(choice, OfFrame) and not choice.name:
            return _NO_FRAME
        if self._present is None and self.refusal.text():
            return "There is no run: the line at the left gives the reason."
        return ""

    def _show_over_time(self, visible: Sequence[RunRow], note: str) -> None:
        times = [row.run.t for row in visible] or ([] if self._present is None else [self._present.run.t])
        if times:
            x = AxisScale(min(t[0] for t in times), max(t[-1] for t in times))
        else:
            x = AxisScale(0.0, 1.0) if self._plan is None else AxisScale(self._plan.start, self._plan.end)
        factor = self._unit.of_rad(1.0)
        errors = _lines(visible, [row.run.error * factor for row in visible])
        self.error.set_lines(
            errors, x, log_axis([line.y for line in errors], skipped=_BEGINNING), "" if errors else note
        )
        with_residue = [row for row in visible if row.run.has_residue]
        residues = _lines(with_residue, [row.run.residue for row in with_residue])
        no_residue = _NO_RESIDUE if visible and not with_residue else ""
        self.residue.set_lines(residues, x, log_axis([line.y for line in residues], skipped=_BEGINNING), no_residue)

    def _show_orders(self, visible: Sequence[RunRow]) -> None:
        factor = self._unit.of_rad(1.0)
        lines: list[Line] = []
        present = self._present
        # The present run is last, above the others.
        for row in reversed(visible):
            if row.study is None or not (row.study.errors > 0.0).any():
                continue
            study, fit = row.study, row.study.fit
            errors = np.where(study.errors > 0.0, study.errors, np.nan) * factor
            lines.append(Line(study.steps, errors, row.color, row.dash, marks="dots", is_faint=fit.order is None))
            if fit.order is not None:
                part = study.steps[[fit.first, fit.last]]
                lines.append(Line(part, fit.factor * part**fit.order * factor, row.color, DOTTED))
            if row is present:
                here = np.array([row.run.settings.step]), np.array([row.run.end_error * factor])
                lines.append(Line(*here, "text", marks="ring"))
        x, y = log_axis([line.x for line in lines]), log_axis([line.y for line in lines])
        self.orders.set_lines(tuple(lines), x, y)
        study = None if present is None else present.study
        if present is None:
            value = ""
        elif study is None:
            value = "…"
        elif study.fit.order is None:
            value = "no straight part"
        else:
            value = f"order {fixed(study.fit.order, 2)}"
        self.orders.set_value(value)
        self.orders.value.setToolTip("" if present is None else order_text(study))
        self.orders.setAccessibleDescription(order_text(study))

    def _show_cursor(self) -> None:
        for plot in (self.error, self.residue):
            plot.canvas.set_cursor(self._t)
        present = self._present
        if present is None or self._t is None:
            for plot in (self.error, self.residue):
                plot.set_value("")
            return
        run = present.run
        self.error.set_value(small(self._unit.of_rad(_at(run, run.error, self._t))))
        self.residue.set_value(small(_at(run, run.residue, self._t)) if run.has_residue else "")

    def _lay_out(self) -> None:
        scroll = QScrollArea(widgetResizable=True)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        inside = layouts.panel()
        message_row = layouts.row(self.refusal, margins=(METRICS.padding, 0, METRICS.gap, 0))
        layouts.column(self.choices, message_row, layouts.STRETCH, on=inside, margins=0, spacing=0)
        scroll.setWidget(inside)
        buttons = layouts.row(
            self.keep_button,
            self.put_button,
            layouts.STRETCH,
            margins=(METRICS.padding, METRICS.inner, METRICS.gap, METRICS.gap),
            spacing=METRICS.gap,
        )
        left = QWidget()
        left.setFixedWidth(_CHOICES)
        left.setProperty(GROWS, _CHOICES)
        layouts.column((scroll, 1), buttons, on=left, margins=0, spacing=0)
        split = QSplitter(Qt.Orientation.Vertical)
        split.addWidget(_side_by_side((self.error, self.residue, self.orders)))
        split.addWidget(self.table)
        split.setStretchFactor(0, 1)
        split.setChildrenCollapsible(False)
        layouts.row(left, (split, 1), on=self, margins=0, spacing=0)


def _side_by_side(plots: Sequence[LabPlot]) -> QScrollArea:
    """Return a row of plots, which scrolls if it is too narrow."""
    inside = layouts.panel()
    row = layouts.row(on=inside, margins=(0, METRICS.inner, 0, 0), spacing=0)
    for plot in plots:
        plot.setMinimumWidth(_PLOT)
        row.addWidget(plot, 1)
    scroll = QScrollArea(widgetResizable=True)
    scroll.setFrameShape(QFrame.Shape.NoFrame)
    scroll.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    scroll.setMinimumHeight(_PLOT // 2)
    scroll.setWidget(inside)
    return scroll


def _lines(rows: Sequence[RunRow], ys: Sequence[Array]) -> tuple[Line, ...]:
    """Return the curves of runs, the first run above the others."""
    return tuple(
        Line(row.run.t, np.where(y > 0.0, y, np.nan), row.color, row.dash)
        for row, y in reversed(list(zip(rows, ys, strict=True)))
    )


def _at(run: DriftRun, values: Array, t: float) -> float:
    if not run.t[0] <= t <= run.t[-1]:
        return float("nan")
    return float(np.interp(t, run.t, values))

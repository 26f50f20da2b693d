"""Part of the alignment's panel with the errors: their choice, their curve, their statistics."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QGridLayout, QLabel, QSizePolicy, QWidget

from framescope.features.trajectories.core.alignment_study import AlignmentStudy, ErrorChoice, ErrorCurve, error_curve
from framescope.features.trajectories.core.alignments import Kind
from framescope.features.trajectories.core.pose_stream import StreamError
from framescope.features.trajectories.core.trajectory_errors import RELATIONS, STATISTICS, DeltaUnit
from framescope.features.trajectories.ui.error_bar import ErrorBar
from framescope.ui.formatting.number_text import MINUS
from framescope.ui.plots.curves import Curves, CurveStyle
from framescope.ui.plots.plot import Plot, align_headers
from framescope.ui.theme import fonts
from framescope.ui.theme.tokens import METRICS
from framescope.ui.widgets import layouts
from framescope.ui.widgets.buttons import push_button
from framescope.ui.widgets.choice_box import ChoiceBox
from framescope.ui.widgets.inline_message import InlineMessage
from framescope.ui.widgets.number_field import NumberField
from framescope.ui.widgets.segmented_control import Segmented

_ALIGNED: dict[Kind | None, str] = {
    None: "by the mounting above",
    "none": "not",
    "points": "by points",
    "yaw": "by points, about z alone",
    "poses": "by poses",
    "origin": "at the first pose",
}
_STEPS: dict[DeltaUnit, str] = {"f": "poses", "m": "m", "s": "s", "d": "°"}
_APE, _RPE = "Absolute", "Relative"
_PLOT_HEIGHT, _COLUMNS, _LEAST_LETTERS, FIELD_LABEL = 180, 3, 4, 84


class ErrorForm(QWidget):
    """Errors of the aligned frame against the reference.

    Signals
    -------
    changed()
        The errors have changed.
    figure_wanted(), table_wanted(str)
        The user exports a figure; the user saves the errors, CSV text.
    """

    changed = Signal()
    figure_wanted = Signal()
    table_wanted = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.curve: ErrorCurve | None = None
        """Errors in the form; None without any."""
        self._study: AlignmentStudy | None = None
        self.kind = Segmented((_APE, _RPE), "errors", tips={_APE: "Poses at one time (APE)", _RPE: "Steps (RPE)"})
        self.relation = _choice("part of the error", {key: words for key, (words, _) in RELATIONS.items()})
        self.aligned = _choice("alignment before the comparison", _ALIGNED)
        self.unit = _choice("unit of a step", _STEPS)
        self.delta = NumberField(decimals=3)
        self.delta.set_value(1.0)
        self.delta.setAccessibleName("length of a step")
        self.scaled = push_button("Scale", kind="small")
        self.scaled.setCheckable(True)
        self.plot = Plot()
        self.plot.setFixedHeight(_PLOT_HEIGHT)
        self.plot.header.lines_changed.connect(partial(align_headers, [self.plot]))
        self.bar = ErrorBar()
        self.statistics = QWidget()
        self._statistics = layouts.grid(on=self.statistics, margins=0, spacing=METRICS.inner)
        self.refusal = InlineMessage()
        self.figure = push_button("Figure for a paper…", "chart-line", kind="small")
        self.figure.setToolTip("Writes the errors over time and the paths as a vector PDF")
        self.table = push_button("Save the errors…", "download", kind="small")
        self._lay_out()
        self.kind.chosen.connect(self._show)
        for box in (self.relation, self.aligned, self.unit):
            box.currentIndexChanged.connect(self._show)
        self.delta.committed.connect(self._show)
        self.scaled.toggled.connect(self._show)
        self.figure.clicked.connect(self.figure_wanted)
        self.table.clicked.connect(self._save_table)
        self._show()

    @property
    def choice(self) -> ErrorChoice:
        """Chosen errors."""
        return ErrorChoice(
            self.kind.choice == _RPE,
            self.relation.currentData(),
            self.aligned.currentData(),
            self.scaled.isChecked(),
            self.delta.value or 1.0,
            self.unit.currentData(),
        )

    def set_study(self, study: AlignmentStudy | None) -> None:
        """Show the errors of an alignment, or none."""
        self._study = study
        self._show()

    def _lay_out(self) -> None:
        self._step = QWidget()
        layouts.row((self.delta, 1), (self.unit, 1), on=self._step, margins=0, spacing=METRICS.inner)
        before = QWidget()
        layouts.row((self.aligned, 1), self.scaled, on=before, margins=0, spacing=METRICS.inner)
        choices = QWidget()
        grid = layouts.grid(on=choices, margins=0, spacing=METRICS.inner)
        add_field(grid, 0, "Of", self.relation)
        add_field(grid, 1, "Aligned", before)
        self._step_label = add_field(grid, 2, "Step", self._step)
        out = QWidget()
        layouts.row(self.figure, self.table, layouts.STRETCH, on=out, margins=0, spacing=METRICS.inner)
        head = layouts.label("Errors", "section")
        parts = (head, self.kind, choices, self.refusal, self.plot, self.bar, self.statistics, out)
        layouts.column(*parts, on=self, margins=0, spacing=METRICS.gap)

    def _show(self, *_of: object) -> None:
        choice = self.choice
        for widget in (self._step, self._step_label):
            widget.setVisible(choice.is_relative)
        self.scaled.setEnabled(choice.kind in {"points", "yaw"})
        self.curve = None
        self.refusal.set_message("")
        if self._study is not None:
            try:
                self.curve = error_curve(self._study, choice)
            except StreamError as error:
                self.refusal.set_message(str(error)[:1].upper() + str(error)[1:])
        for button in (self.figure, self.table):
            button.setEnabled(self.curve is not None)
        self._show_curve()
        self._show_statistics()
        self.changed.emit()

    def _show_curve(self) -> None:
        curve, study = self.curve, self._study
        style = CurveStyle("RPE" if self.choice.is_relative else "APE", "force")
        if curve is None or study is None:
            self.plot.set_curves(Curves(np.zeros(0), np.zeros((1, 0)), (style,), note="No errors"))
            self.bar.hide()
            return
        words, unit = RELATIONS[curve.errors.relation]
        errors = curve.errors.errors[np.newaxis]
        subtitle = f"{study.pair.b} against {study.pair.a}"
        curves = Curves(curve.t, errors, (style,), words.capitalize(), subtitle, unit, quantity=words.capitalize())
        self.plot.set_curves(curves, (float(curve.t[0]), float(curve.t[-1])) if len(curve.t) > 1 else None)
        align_headers([self.plot])
        self.bar.set_range(curve.errors.errors, unit)

    def _show_statistics(self) -> None:
        clear(self._statistics)
        if self.curve is None:
            return
        unit = self.curve.errors.unit
        for i, name in enumerate(STATISTICS[:-1]):
            row, column = divmod(i, _COLUMNS)
            value = f"{self.curve.statistics[name]:.4g} {unit}".strip().replace("-", MINUS)
            label = layouts.plain_label(value, toolTip=f"{name}: {self.curve.statistics[name]!r} {unit}".strip())
            label.setFont(fonts.number())
            label.setAccessibleName(f"{name}: {value}")
            self._statistics.addWidget(layouts.label(name, "caption"), 2 * row, column)
            self._statistics.addWidget(label, 2 * row + 1, column)

    def _save_table(self) -> None:
        if self.curve is not None:
            unit = self.curve.errors.unit
            head = f"t [s],error [{unit}]" if unit else "t [s],error"
            rows = zip(self.curve.t.tolist(), self.curve.errors.errors.tolist(), strict=True)
            self.table_wanted.emit("\n".join([head, *(f"{t!r},{error!r}" for t, error in rows)]) + "\n")


def _choice(name: str, entries: Mapping[Any, str]) -> ChoiceBox:
    box = ChoiceBox()
    box.setAccessibleName(name)
    for key, words in entries.items():
        box.addItem(words, key)
    return box


def add_field(grid: QGridLayout, row: int, word: str, widget: QWidget) -> QLabel:
    """Add a widget with its word before it, and return the word."""
    label = layouts.label(word, "quiet")
    label.setBuddy(widget)
    widget.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
    for box in widget.findChildren(ChoiceBox) or ([widget] if isinstance(widget, ChoiceBox) else []):
        box.setSizeAdjustPolicy(ChoiceBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        box.setMinimumContentsLength(_LEAST_LETTERS)
    grid.addWidget(label, row, 0)
    grid.addWidget(widget, row, 1)
    grid.setColumnMinimumWidth(0, FIELD_LABEL)
    grid.setColumnStretch(1, 1)
    return label


def clear(grid: QGridLayout) -> None:
    """Remove all widgets of a grid."""
    while (item := grid.takeAt(0)) is not None:
        widget = item.widget()
        if widget is not None:
            widget.hide()
            widget.deleteLater()

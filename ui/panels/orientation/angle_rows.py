"""Rows of the angles: the axis sequence, three angles with sliders, and their rates."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

import numpy as np
from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QPushButton, QWidget

from framescope.core.evaluation.frame_traces import CONTINUOUS_RULE
from framescope.core.kernels.validation import SEQUENCES, Array
from framescope.core.scene.schema.kinds.orientations import ROLL_PITCH_YAW, RPY, axis_letters, is_about_fixed
from framescope.ui.formatting.item_names import FLIGHT_NAMES, RPY_LETTERS
from framescope.ui.formatting.typed_quantities import number_in_unit
from framescope.ui.panels.orientation.values import LETTERS, NAMES
from framescope.ui.theme.tokens import METRICS
from framescope.ui.widgets import layouts
from framescope.ui.widgets.angle_row import FIELD_WIDTH, AngleRow
from framescope.ui.widgets.angle_unit import DEG, AngleUnit
from framescope.ui.widgets.buttons import IconButton, push_button
from framescope.ui.widgets.choice_box import ChoiceBox
from framescope.ui.widgets.elided_label import ElidedLabel
from framescope.ui.widgets.headings import SectionHeader
from framescope.ui.widgets.number_field import NumberField
from framescope.ui.widgets.segmented_control import Segmented

RATE_WIDTH = 76

RPY_NAMES = ("phi", "theta", "psi")
"""Greek letters of roll, pitch and yaw, as they are read aloud."""

KEEP_ANGLES, KEEP_ORIENTATION = "angles", "orientation"
_KEEP_TIP = (
    "What stays when another sequence is chosen: the three angles as authored (the frame turns another way),\n"
    "or the orientation (the angles are converted, which undo takes back)"
)
# Sequences of three different axes first, grouped by the first axis.
ORDERED = sorted(SEQUENCES, key=lambda sequence: (sequence[0] == sequence[2], sequence))
_SEQUENCE_TIP = "Three turns about the axes of the moving frame, one after another"
_FIXED_TIP = "Three turns about the axes of the parent, which stay, one after another"
MOVING, FIXED = "moving axes", "fixed axes"
"""Axes of the turns of a sequence."""
_STAGED_TIP = "Staged: play the sequence one axis after another"


class TurnsPart(QWidget):
    """Sequence, angles and rates of one frame.

    Attributes
    ----------
    combo : ChoiceBox
        Box to choose the sequence.
    keep : Segmented
        Choice of what a new sequence keeps: angles or orientation.

    Signals
    -------
    staged_toggled(bool)
        The user switches staged mode on or off.
    """

    staged_toggled = Signal(bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._unit = DEG
        self.turning: int | None = None
        self._is_full = False
        self._make_sequence()
        self.rows = tuple(AngleRow(i, LETTERS[i]) for i in range(3))
        self.rates = tuple(NumberField(decimals=2, axis=i) for i in range(3))
        self._lay_out()
        self.set_full(False)

    def set_full(self, is_full: bool) -> None:
        """Show sequences as buttons, and rates beside the angles; or a compact form."""
        for part in (self.header, self.axes, self._grid, self._headings, self._keeps, self.keep):
            part.setVisible(is_full)
        self._is_full = is_full
        self._place_tools()
        self._top.setVisible(not is_full)
        self._unit_label.hide()
        for row, rate in zip(self.rows, self.rates, strict=True):
            if is_full:
                rate.set_usual_width(RATE_WIDTH)
                row.add_trailing(rate)
            else:
                rate.set_usual_width(0)
                rate.setMinimumWidth(40)
                rate.setMaximumWidth(400)
                self._rates_line.removeWidget(rate)
                self._rates_line.insertWidget(self._rates_line.count() - 1, rate, 1)
            rate.show()  # Qt hides a widget that changes its parent

    def in_tab_order(self, stops: Iterable[QWidget]) -> Iterable[QWidget]:
        """Return Tab stops in order: first the angles, then the rates, in either layout."""
        return sorted(stops, key=self.rates.__contains__)

    def set_unit(self, unit: AngleUnit) -> None:
        """Change the unit of angles and rates."""
        self._unit = unit
        for row, rate in zip(self.rows, self.rates, strict=True):
            row.set_unit(unit)
            rate.set_decimals(unit.decimals)
            rate.set_parse(partial(number_in_unit, unit=f"{unit.key}/s", dimension="angular velocity"))
        for label in (self._unit_label, self._heading_angle):
            label.setText(unit.key)
        for label in (self._rates_unit, self._heading_rate):
            label.setText(unit.rate)
        self._name_rates()

    def set_sequence(self, sequence: str, *, is_authored: bool) -> None:
        """Show a sequence (a `sequence_key`), and name angles and rates by its axes. Emits nothing."""
        with QSignalBlocker(self.combo):
            self.combo.setCurrentText(sequence)
        is_fixed, letters = is_about_fixed(sequence), axis_letters(sequence)
        self._show_buttons(letters, is_fixed=is_fixed)
        about = FIXED if is_fixed else MOVING
        self.note.setText(about if is_authored else "read off")
        self.header.set_note(f"{about}, one after another" if is_authored else f"read off, {about}")
        tip = _FIXED_TIP if is_fixed else _SEQUENCE_TIP
        tip = tip if is_authored else f"{tip}\nContinuous angles, {CONTINUOUS_RULE}"
        for text in (self.combo, self.header):
            text.setToolTip(tip)
        self.keep.setEnabled(is_authored)
        self._keeps.setEnabled(is_authored)
        names = ROLL_PITCH_YAW if sequence == RPY else FLIGHT_NAMES if sequence == "ZYX" else None
        words = [f"about {letter.lower()}" + "′" * (0 if is_fixed else i) for i, letter in enumerate(letters)]
        if names is not None:
            short = words if self._is_full else [word.removeprefix("about ") for word in words]
            words = [f"{name} {word}" for name, word in zip(names, short, strict=True)]
        if is_fixed and self._is_full:
            words = [f"{word} (fixed)" for word in words]
        greek = RPY_LETTERS if sequence == RPY else LETTERS
        spoken = RPY_NAMES if sequence == RPY else NAMES
        for i, (row, rate, letter, word) in enumerate(zip(self.rows, self.rates, letters, words, strict=True)):
            axis = "XYZ".index(letter)
            name = f"angle {spoken[i]}, {word}" if names else f"angle {spoken[i]} {word}"
            row.set_axis(axis, greek[i], name if not is_fixed or self._is_full else f"{name} (fixed)")
            row.set_about(words, i)
            rate.set_axis_color(axis)

    def show_angles(self, angles: Array | None) -> None:
        """Show angles (3,), rad, or none."""
        for i, row in enumerate(self.rows):
            if angles is None:
                row.clear()
            else:
                row.set_value_deg(float(np.degrees(angles[i])))

    def show_rates(self, rates: Array | None) -> None:
        """Show rates (3,), rad/s, or none."""
        for i, field in enumerate(self.rates):
            value = None if rates is None or not np.isfinite(rates[i]) else self._unit.of_rad(float(rates[i]))
            field.set_value(value)

    def set_turned(self, turned: Array | None, i_turning: int | None) -> None:
        """Show the angles (3,) turned so far, rad, and highlight the one that is turning."""
        for i, row in enumerate(self.rows):
            row.slider.set_turned_deg(None if turned is None else float(np.degrees(turned[i])))
            row.set_lit(turned is not None and i == i_turning)
        self._heading.setText("angle" if turned is None else "turned so far, of the whole angle")

    def set_staged(self, is_staged: bool) -> None:
        """Set the button of the staged mode. Emits nothing."""
        with QSignalBlocker(self.staged):
            self.staged.setChecked(is_staged)

    def set_tools(self, *tools: QWidget) -> None:
        """Set the buttons beside the sequence, after the one of the staged mode."""
        self._tools = (self.staged, *tools)
        self._place_tools()

    def _place_tools(self) -> None:
        for tool in self._tools:
            if self._is_full:
                self.header.add_widget(tool)
            else:
                self._top_line.addWidget(tool)
            tool.show()  # Qt hides a widget that changes its parent

    def finish(self) -> None:
        """Commit an unfinished gesture."""
        for row in self.rows:
            row.finish()

    def cancel(self) -> None:
        """Cancel an unfinished gesture."""
        for row in self.rows:
            row.cancel()

    # --- building

    def _make_sequence(self) -> None:
        self.combo = ChoiceBox()
        self.combo.addItems(ORDERED)
        self.combo.insertSeparator(len(ORDERED))
        self.combo.addItems([RPY, *(sequence.lower() for sequence in ORDERED)])
        self.combo.set_usual_width(76)
        self.combo.setAccessibleName("axis sequence")
        self.note = ElidedLabel(role="quiet")
        self.staged = IconButton("layers", "Staged", checked_color="accent_text", size=METRICS.small_button)
        self.staged.setToolTip(_STAGED_TIP)
        self.staged.toggled.connect(self._on_staged)
        self._tools: tuple[QWidget, ...] = (self.staged,)
        self._group = QButtonGroup(self)
        self.sequence_buttons: dict[str, QPushButton] = {}
        self._grid = QWidget()
        grid = layouts.grid(on=self._grid, margins=(0, 0, 0, METRICS.inner), spacing=METRICS.inner)
        for index, sequence in enumerate(ORDERED):
            button = push_button(sequence, kind="code", checkable=True, minimumWidth=20)
            button.setAccessibleName(f"sequence {sequence}")
            self._group.addButton(button)
            self.sequence_buttons[sequence] = button
            grid.addWidget(button, index // 6, index % 6)
        self._group.buttonClicked.connect(self._on_button)
        self.axes = Segmented((MOVING, FIXED), "turns about")
        self.axes.setToolTip(
            f"{_SEQUENCE_TIP},\nor about the axes of the parent, which stay: roll, pitch and yaw are xyz"
        )
        self.axes.chosen.connect(self._on_axes)
        self.keep = Segmented((KEEP_ANGLES, KEEP_ORIENTATION), "another sequence keeps the")
        self.keep.setToolTip(_KEEP_TIP)

    def _lay_out(self) -> None:
        self.header = SectionHeader("Sequence")
        self._top = QWidget()
        self._top_line = _row(self._top, METRICS.inner)
        self._top_line.addWidget(self.combo)
        self._top_line.addWidget(self.note, 1)
        self._keep_row = QWidget()
        keep = _row(self._keep_row, METRICS.gap)
        self._keeps = _caption("another sequence keeps the")
        self._keeps.setToolTip(_KEEP_TIP)
        keep.addWidget(self._keeps)
        keep.addWidget(self.keep)
        keep.addStretch(1)
        self._unit_label = _right(DEG.key, FIELD_WIDTH)
        keep.addWidget(self._unit_label)
        self._headings = QWidget()
        headings = _row(self._headings, METRICS.inner)
        self._heading = _caption("angle")
        self._heading_angle, self._heading_rate = _right(DEG.key, FIELD_WIDTH), _right(DEG.rate, RATE_WIDTH)
        headings.addWidget(self._heading, 1)
        headings.addWidget(self._heading_angle)
        headings.addWidget(self._heading_rate)
        self.rates_row = QWidget()
        self._rates_line = _row(self.rates_row, METRICS.inner)
        rates = _caption("rates")
        rates.set_usual_width(38)
        self._rates_unit = _caption(DEG.rate)
        self._rates_line.addWidget(rates)
        self._rates_line.addWidget(self._rates_unit)
        layouts.column(
            self.header,
            self._top,
            (self.axes, 0, Qt.AlignmentFlag.AlignLeft),
            self._grid,
            self._keep_row,
            self._headings,
            *self.rows,
            self.rates_row,
            on=self,
            margins=0,
            spacing=METRICS.inner,
        )
        self._name_rates()

    def _name_rates(self) -> None:
        per = "degrees per second" if self._unit is DEG else "radians per second"
        for name, field in zip(NAMES, self.rates, strict=True):
            field.setAccessibleName(f"rate of {name}, {per}")

    # --- actions of the user

    def _show_buttons(self, letters: str, *, is_fixed: bool) -> None:
        """Write the buttons in upper case for moving axes, in lower case for fixed ones, and check one."""
        self.axes.set_choice(FIXED if is_fixed else MOVING)
        for upper, button in self.sequence_buttons.items():
            text = upper.lower() if is_fixed else upper
            if text != button.text():
                button.setText(text)
                button.setAccessibleName(f"sequence {text}")
        self.sequence_buttons[letters].setChecked(True)

    def _on_axes(self, axes: str) -> None:
        letters = axis_letters(self.combo.currentText())
        self.combo.setCurrentText(letters.lower() if axes == FIXED else letters)

    def _on_button(self, button: QPushButton) -> None:
        if button.text() != self.combo.currentText():
            self.combo.setCurrentText(button.text())

    def _on_staged(self, is_staged: bool) -> None:
        self.set_staged(is_staged)
        self.staged_toggled.emit(is_staged)


def _row(holder: QWidget, spacing: int) -> QHBoxLayout:
    return layouts.row(on=holder, margins=0, spacing=spacing)


def _caption(text: str) -> ElidedLabel:
    return ElidedLabel(text, "caption")


def _right(text: str, width: int) -> ElidedLabel:
    label = _caption(text)
    label.set_usual_width(width)
    label.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
    return label

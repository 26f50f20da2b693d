"""Row of one angle: axis mark and letter, slider, number; below it the driving expression, or an error."""

from collections.abc import Mapping, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from framescope.ui.formatting.typed_signals import is_expression, may_be_radians, use_decimal_points
from framescope.ui.theme import current_theme
from framescope.ui.theme.tokens import AXIS_LETTERS, METRICS
from framescope.ui.widgets import layouts
from framescope.ui.widgets.angle_field import AngleField
from framescope.ui.widgets.angle_slider import AngleSlider
from framescope.ui.widgets.angle_unit import DEG, AngleUnit
from framescope.ui.widgets.axis_mark import AxisMark
from framescope.ui.widgets.buttons import push_button
from framescope.ui.widgets.elided_label import ElidedLabel
from framescope.ui.widgets.expression_line import ExpressionLine
from framescope.ui.widgets.inline_message import InlineMessage

FIELD_WIDTH = 84


class AngleRow(QWidget):
    """One angle in degrees.

    Parameters
    ----------
    axis : int
        Axis (0, 1, 2) of rotation, which gives the mark its colour and shape.
    letter : str
        Its name, for example α.
    name : str
        Accessible name, for example "angle alpha about x"; derived from the letter if empty.

    Signals
    -------
    previewed(float)
        Degrees, during a drag, a scrub, steps or wheel turns.
    committed(float)
        Degrees, once at the end of each gesture.
    cancelled()
        Escape: the previous angle is restored and is valid again.
    expression_committed(str, str)
        A number or an expression of t to drive the angle, and its unit, ``"deg"`` or ``"rad"``; without a typed unit,
        the
        unit of the displayed expression.
    message(str)
        Error in the typed text, empty once it is resolved; the row displays it itself.
    """

    previewed = Signal(float)
    committed = Signal(float)
    cancelled = Signal()
    expression_committed = Signal(str, str)
    message = Signal(str)

    def __init__(self, axis: int, letter: str, name: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._axis = axis
        self._is_lit = False
        self._unit = DEG
        self.mark = AxisMark(axis, letter)
        self.slider = AngleSlider(axis)
        self.field = AngleField()
        self.field.set_usual_width(FIELD_WIDTH)
        self.expression = ExpressionLine()
        self.expression.hide()
        self.error_message = InlineMessage()
        self.value_deg = 0.0
        """The displayed angle, degrees."""
        self._letter, self._name = letter, name
        self._name_parts()

        self._grid = layouts.grid(on=self, margins=0, spacing=(METRICS.inner, 0))
        self._about = ElidedLabel(role="caption")
        self._about.hide()
        self._grid.addLayout(layouts.row(self.mark, self._about, margins=0, spacing=2), 0, 0)
        self._grid.addWidget(self.slider, 0, 1)
        self._grid.addWidget(self.field, 0, 2)
        self._grid.addWidget(self.expression, 1, 0, 1, -1)
        self._grid.addWidget(self.error_message, 2, 0, 1, -1)
        self._make_reading()
        self._grid.setColumnStretch(1, 1)

        # Slider and field update each other. The field is connected first, as it has full precision.
        self.slider.previewed.connect(self._on_slider)
        self.field.previewed.connect(self._on_field)
        self.slider.committed.connect(self._on_committed)
        self.field.committed.connect(lambda value: self._on_committed(self._unit.to_deg(value)))
        for half in (self.slider, self.field):
            half.cancelled.connect(self._on_cancelled)
        for typed in (self.field, self.expression):
            typed.message.connect(self.error_message.set_message)
            typed.message.connect(self.message)
        self.field.expression_committed.connect(self._on_typed_expression)
        self.field.textEdited.connect(self._show_reading)
        self.expression.textEdited.connect(self._show_reading)
        self.field.expression_requested.connect(self.edit_expression)
        self.expression.committed.connect(self._on_changed_expression)
        self.expression.left_by_key.connect(self._on_left)
        self.reset_deg(0.0)

    @property
    def is_busy(self) -> bool:
        """Whether the user is editing; values from outside wait meanwhile."""
        return self.slider.is_busy or self.field.is_busy

    def set_about(self, texts: Sequence[str], i: int) -> None:
        """Show what the angle turns about beside its letter: text `i` of those of all rows, whose column is as wide."""
        self._about.setText(texts[i])
        self._about.set_column(texts)
        self._about.setVisible(bool(texts[i]))

    def set_value_deg(self, value_deg: float) -> None:
        """Display an angle from outside; ignored while the user is editing. Emits nothing."""
        if not self.is_busy:
            self.value_deg = value_deg
            self.slider.set_value_deg(value_deg)
            self.field.set_value(self._unit.of_deg(value_deg))

    def reset_deg(self, value_deg: float) -> None:
        """Display an angle and drop any gesture and partly typed text, for example for another item."""
        self.value_deg = value_deg
        self.slider.reset_deg(value_deg)
        self.field.reset(self._unit.of_deg(value_deg))
        self.expression.cancel()
        self._show_reading("")

    @property
    def draft(self) -> tuple[str, str] | None:
        """The invalid text in the number and its error, or None."""
        return self.field.draft

    def restore(self, draft: tuple[str, str]) -> None:
        """Put an invalid text back, with its error."""
        self.field.restore(draft)

    def clear(self) -> None:
        """Display no angle, for example for a frame without a pose."""
        self.reset_deg(0.0)
        self.field.reset(None)

    def finish(self) -> None:
        """Commit a running gesture."""
        self.slider.finish()
        self.field.finish()

    def cancel(self) -> None:
        """Cancel a running gesture."""
        self.slider.cancel()
        self.field.cancel()

    def set_axis(self, axis: int, letter: str, name: str = "") -> None:
        """Set the rotation axis, for example for another sequence."""
        if (axis, letter, name) == (self._axis, self._letter, self._name):
            return
        self._axis = axis
        self.mark.set_axis(axis, letter)
        self.slider.set_axis(axis)
        self._letter, self._name = letter, name
        self._name_parts()
        self.update()

    def set_unit(self, unit: AngleUnit) -> None:
        """Set the unit of the displayed number and of typed numbers without a unit."""
        self._unit = unit
        self.field.set_unit(unit.sign)
        self.field.set_decimals(unit.decimals)
        self.field.set_parse(unit.parse)
        self.field.set_step(unit.of_deg(1.0))
        self.field.reset(unit.of_deg(self.value_deg))
        self._name_parts()

    def show_message(self, error: str) -> None:
        """Display below the row why its angle is unavailable, or nothing."""
        self.error_message.set_message(error)

    def set_expression(self, text: str, unit: str = "") -> None:
        """Display the driving signal (`0.8*sin(t) + 0.21`) and its unit below; an empty text hides the line."""
        self.expression.set_expression(text, unit)
        self.expression.setVisible(bool(text))
        self._end_reading()

    def set_typing(self, parameters: Mapping[str, float], refusal: str) -> None:
        """Set the names allowed in expressions, and the reason why none may be typed, as a sentence; empty if none."""
        self.field.parameters = self.expression.parameters = parameters
        self.field.refusal = refusal

    def edit_expression(self) -> None:
        """Move the keyboard focus to the driving expression, if there is an editable one."""
        if self.expression.isVisible() and not self.expression.isReadOnly():
            self.expression.setFocus(Qt.FocusReason.OtherFocusReason)
            self.expression.selectAll()

    def set_lit(self, is_lit: bool) -> None:
        """Highlight the row while its axis is the axis of the current turn, in staged mode."""
        self._is_lit = is_lit
        self.update()

    def set_read_only(self, is_read_only: bool) -> None:
        """Forbid or allow edits; the number can still be copied."""
        self.slider.set_read_only(is_read_only)
        self.field.setReadOnly(is_read_only)
        self.expression.set_read_only(is_read_only)

    def add_trailing(self, widget: QWidget) -> None:
        """Move another widget (the rate of the angle) to the right end of the row."""
        self._grid.addWidget(widget, 0, 3)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        if self._is_lit:
            # Square and over the whole widget: the padding of the panel belongs to the highlighted area, and is set for
            # the row by `setContentsMargins`.
            QPainter(self).fillRect(self.rect(), current_theme.qcolor(f"axis_{AXIS_LETTERS[self._axis]}", 0.12))

    def _make_reading(self) -> None:
        """Make the line that says how a formula with pi is read, with a button for the other reading."""
        self.reading = layouts.plain_label("", "quiet", wordWrap=True)
        self.in_radians = push_button("Read in radians", kind="small")
        # A click leaves the focus in the field, so that it comes before the text is committed: Qt looks for a widget
        # to focus up to the row, whose proxy is the field.
        self.in_radians.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.in_radians.clicked.connect(self._on_in_radians)
        self._reading_row = QWidget()
        layouts.row((self.reading, 1), self.in_radians, on=self._reading_row, margins=0, spacing=METRICS.inner)
        self._reading_row.hide()
        self._grid.addWidget(self._reading_row, 3, 0, 1, -1)
        self._read_text = ""

    def _show_reading(self, text: str) -> None:
        """Say how a typed formula with pi and without a unit is read."""
        is_shown = self._written_unit() == DEG.key and may_be_radians(text)
        is_shown = is_shown and is_expression(text, self.field.parameters)
        self._read_text = text if is_shown else ""
        self.reading.setText("pi is a number here: the formula is in degrees." if is_shown else "")
        self._reading_row.setFocusProxy(self.expression if self.expression.hasFocus() else self.field)
        self._reading_row.setVisible(is_shown)

    def _end_reading(self) -> None:
        """Hide the line unless its formula is being typed or was committed."""
        is_typing = self.field.isModified() or self.expression.isModified()
        if self._read_text and not is_typing and use_decimal_points(self._read_text) != self.expression.expression:
            self._show_reading("")

    def _on_left(self) -> None:
        self._end_reading()
        self.field.setFocus(Qt.FocusReason.OtherFocusReason)

    def _written_unit(self) -> str:
        """Return the unit of a formula typed without one."""
        return self._unit.key if self.field.isModified() or not self.expression.text() else self.expression.unit

    def _on_typed_expression(self, text: str, unit: str) -> None:
        self.expression_committed.emit(text, unit or self._unit.key)

    def _on_changed_expression(self, text: str, unit: str) -> None:
        if unit:
            self._show_reading("")
        self.expression_committed.emit(text, unit)

    def _on_in_radians(self) -> None:
        text = use_decimal_points(self._read_text)
        self._show_reading("")
        self.field.reset(self.field.value)
        self.expression.cancel()
        self.expression_committed.emit(text, "rad")

    def _name_parts(self) -> None:
        name = self._name or f"angle {self._letter} about {AXIS_LETTERS[self._axis]}"
        self.setAccessibleName(name)
        self.slider.setAccessibleName(f"{name}, slider")
        self.field.setAccessibleName(f"{name}, {self._unit.name}")
        self.expression.setAccessibleName(f"{name}, expression of t")
        self.slider.setToolTip(
            f"{name}, degrees\narrows and, once clicked, the wheel 1°, Page 15°, Ctrl 0.1°, Home 0, Shift snaps to 15°"
        )

    def _on_slider(self, value_deg: float) -> None:
        self.value_deg = value_deg
        self.field.reset(self._unit.of_deg(value_deg))
        self.previewed.emit(value_deg)

    def _on_field(self, value: float) -> None:
        value_deg = self._unit.to_deg(value)
        self.value_deg = value_deg
        self.slider.reset_deg(value_deg)
        self.previewed.emit(value_deg)

    def _on_committed(self, value_deg: float) -> None:
        self.value_deg = value_deg
        self.committed.emit(value_deg)

    def _on_cancelled(self) -> None:
        source = self.sender()
        self.value_deg = self.slider.value_deg if source is self.slider else self._unit.to_deg(self.field.value or 0.0)
        self.slider.reset_deg(self.value_deg)
        self.field.reset(self._unit.of_deg(self.value_deg))
        self._end_reading()
        self.cancelled.emit()

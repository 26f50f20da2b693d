"""Plot: header, plotting area, and the message of an empty plot."""

from collections.abc import Sequence
from functools import partial
from html import escape

import numpy as np
from PySide6.QtCore import QPoint, QRect, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QFocusEvent, QGuiApplication, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QHBoxLayout, QStackedLayout, QWidget

from framescope.core.scene.edits.plots import CurveKey
from framescope.ui.formatting import number_text
from framescope.ui.plots.canvas import PlotCanvas
from framescope.ui.plots.curves import Curves
from framescope.ui.plots.header import PlotHeader
from framescope.ui.plots.zoom import Range
from framescope.ui.theme.tokens import METRICS
from framescope.ui.widgets import layouts
from framescope.ui.widgets.empty_state import EmptyState
from framescope.ui.widgets.headings import separator

LEAST_CANVAS = 38
"""Smallest height of curves with their time axis, logical pixels, so that a low panel shows the times."""

_KEY_NOTCHES = 2
_KEY_PAN = 0.1


class Plot(QWidget):
    """Curves over time with their values at a cursor.

    Keys: plus and minus zoom at the cursor (with Ctrl the values), Shift and arrows pan, 0 shows all, Ctrl+C copies the
    values, the menu key opens the menu.

    Signals
    -------
    menu_requested(QPoint)
        Request for the menu at a position on the screen.
    add_requested()
        Request to add a signal.
    """

    menu_requested = Signal(QPoint)
    add_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        layouts.lay_ground(self)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.curves: Curves | None = None
        """Current curves."""
        self._t: float | None = None
        self._hidden_keys: frozenset[CurveKey] = frozenset()
        self._t_range: Range | None = None
        self._shows_focus = False
        self.header = PlotHeader()
        self.canvas = PlotCanvas()
        self.canvas.setMinimumHeight(LEAST_CANVAS)
        self.note_label = layouts.plain_label(parent=self.canvas, wordWrap=True, alignment=Qt.AlignmentFlag.AlignCenter)
        self.note_label.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.note_label.setProperty("role", "quiet")
        self.note_label.hide()
        self._full = QWidget()
        layouts.column(self.header, (self.canvas, 1), on=self._full, margins=0, spacing=0)
        self.empty_state: EmptyState | None = None
        self._stack = QStackedLayout(self)
        self._stack.addWidget(self._full)
        self.canvas.menu_requested.connect(self.menu_requested)
        self.canvas.box.sigResized.connect(self._place_note)
        self.header.entry_clicked.connect(self.toggle_curve)
        self.header.menu_button.clicked.connect(self.ask_menu)

    @property
    def hidden(self) -> frozenset[int]:
        """Indices of the hidden curves."""
        keys = () if self.curves is None else _keys(self.curves)
        return frozenset(i for i, key in enumerate(keys) if key in self._hidden_keys)

    @property
    def note(self) -> str:
        """Text in place of the curves; empty if they are shown."""
        return "" if self.curves is None else self.curves.note

    def set_curves(self, curves: Curves | None, t_range: Range | None = None) -> None:
        """Show curves over their own or a given time range. None or no curves empty the plot."""
        if curves is None or not (curves.styles or curves.note):
            self.curves = None
            self._stack.setCurrentWidget(self._empty_state())
            return
        if self.curves is None or _identity(self.curves) != _identity(curves):
            self.canvas.set_y_view(None)
            if self.curves is None or _subject(self.curves) != _subject(curves):
                self._hidden_keys = frozenset()
        is_same = curves is self.curves and t_range == self._t_range
        self.curves, self._t_range = curves, t_range
        if is_same:
            return  # an edit has not changed them
        self._show_curves()
        self.note_label.setText(curves.note)
        self.note_label.setVisible(bool(curves.note))
        self._place_note()
        self._stack.setCurrentWidget(self._full)

    def forget(self) -> None:
        """Reset zoom and hidden curves for the next curves."""
        self._hidden_keys = frozenset()
        self.canvas.set_y_view(None)
        self.canvas.set_t_view(None)

    def _empty_state(self) -> EmptyState:
        """Return the message of an empty plot. It is created when needed, since few plots are empty."""
        if self.empty_state is None:
            hint = "Ask a question and press curve, or drag a number here."
            self.empty_state = EmptyState("chart-line", "No curve yet", hint, "Ask")
            self.empty_state.action_requested.connect(self.add_requested)
            self._stack.addWidget(self.empty_state)
        return self.empty_state

    def _show_curves(self) -> None:
        curves, hidden = self.curves, self.hidden
        if curves is None:
            return
        self.canvas.set_curves(curves, self._t_range, hidden)
        scale = self.canvas.value_scale
        subtitle = " · ".join(part for part in (curves.subtitle, curves.unit, scale.text) if part)
        widest = [widest_value(y * scale.factor, scale.decimals) for y in curves.ys]
        unit = " · ".join(part for part in (curves.unit, scale.text) if part)
        self.header.set_content(curves.title, curves.subtitle, curves.styles, scale.decimals, widest, hidden, unit)
        self.setAccessibleName(f"plot of {curves.title}, {subtitle}")
        # The full texts, as the header may elide them. Escaped, because Qt would interpret HTML.
        help_text = "Click a curve of the legend to hide or show it."
        lines = (f"{curves.title}: {subtitle}", *filter(None, [curves.rule]), help_text)
        self.header.setToolTip(f"<qt>{'<br>'.join(map(escape, lines))}</qt>")
        self._show_cursor()

    def toggle_curve(self, index: int) -> None:
        """Hide or show a curve."""
        if self.curves is not None:
            self._hidden_keys ^= {_keys(self.curves)[index]}
            self._show_curves()

    def set_cursor(self, t: float) -> None:
        """Move the cursor to a time, s. Called at every tick."""
        if t != self._t:
            self._t = t
            self._show_cursor()

    def _show_cursor(self) -> None:
        if self.curves is None or self._t is None:
            return
        values = self.curves.at(self._t)
        self.canvas.set_cursor(self._t, values)
        self.header.set_values((values * self.canvas.value_scale.factor).tolist())

    def set_number_size(self, size: int) -> None:
        """Set the minimum size of numbers, logical pixels, as for a presentation; 0 for the default."""
        self.header.set_scale(max(size / METRICS.number, 1.0))
        self.canvas.set_scale(max(size / METRICS.caption, 1.0))

    def values_at_cursor(self) -> np.ndarray | None:
        """Return the unscaled values at the cursor, in the order of the curves."""
        return None if self.curves is None or self._t is None else self.curves.at(self._t)

    def values_text(self) -> str:
        """Return time and values at the cursor as text in full precision, one per line."""
        values = self.values_at_cursor()
        if self.curves is None or self._t is None or values is None:
            return ""
        unit = f" [{self.curves.unit}]" if self.curves.unit else ""
        rows = [("t [s]", self._t)]
        rows += [(f"{style.name}{unit}", value) for style, value in zip(self.curves.styles, values, strict=True)]
        return "\n".join(f"{name}\t{number_text.full(value)}" for name, value in rows)

    def copy_values(self) -> None:
        """Copy time and values at the cursor to the clipboard."""
        QGuiApplication.clipboard().setText(self.values_text())

    def curve_area(self) -> QRect:
        """Return the area of the curves, or of the whole empty plot, in pixels of the plot."""
        if self.curves is None:
            return self.rect().adjusted(METRICS.gap, METRICS.gap, -METRICS.gap, -METRICS.gap)
        return self.canvas.area.toRect().translated(self.canvas.mapTo(self, QPoint(0, 0)))

    def ask_menu(self) -> None:
        """Request the menu below its button."""
        button = self.header.menu_button
        self.menu_requested.emit(button.mapToGlobal(button.rect().bottomLeft()))

    # --- Qt events

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self.curves is None:
            super().keyPressEvent(event)
            return
        modifiers = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        zooms = {Qt.Key.Key_Plus: _KEY_NOTCHES, Qt.Key.Key_Equal: _KEY_NOTCHES, Qt.Key.Key_Minus: -_KEY_NOTCHES}
        sides = {Qt.Key.Key_Left: -1.0, Qt.Key.Key_Right: 1.0, Qt.Key.Key_Down: -1.0, Qt.Key.Key_Up: 1.0}
        key = Qt.Key(event.key())
        (start, end), (low, high) = self.canvas.ranges
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy_values()
        elif key in zooms and modifiers & Qt.KeyboardModifier.ControlModifier:
            self.canvas.zoom_y(zooms[key])
        elif key in zooms:
            is_in_view = self._t is not None and start <= self._t <= end
            self.canvas.zoom_t(zooms[key], self._t if is_in_view else None)
        elif key in sides and modifiers == Qt.KeyboardModifier.ShiftModifier:
            by = sides[key] * _KEY_PAN
            is_time = key in (Qt.Key.Key_Left, Qt.Key.Key_Right)
            self.canvas.pan(by * (end - start) * is_time, by * (high - low) * (not is_time))
        elif key == Qt.Key.Key_0 and not modifiers:
            self.canvas.show_all()
        else:
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        if self.curves is not None:
            is_by_key = event.reason() == QContextMenuEvent.Reason.Keyboard
            middle = self.mapToGlobal(self.curve_area().center())
            self.menu_requested.emit(middle if is_by_key else event.globalPos())

    def focusInEvent(self, event: QFocusEvent) -> None:
        self._shows_focus = event.reason() != Qt.FocusReason.MouseFocusReason
        self._show_focus()
        super().focusInEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self._shows_focus = False
        self._show_focus()
        super().focusOutEvent(event)

    def _show_focus(self) -> None:
        self.canvas.set_focused(self._shows_focus)

    def _place_note(self) -> None:
        self.note_label.setGeometry(self.canvas.area.toRect().adjusted(METRICS.gap, 0, -METRICS.gap, 0))


def align_headers(plots: Sequence[Plot]) -> None:
    """Give all titles and legends the same number of rows, so that plots side by side align."""
    headers = [plot.header for plot in plots if plot.curves is not None]
    lines = max((header.lines_needed for header in headers), default=0)
    rows = max((header.rows_needed for header in headers), default=1)
    for plot in plots:
        plot.header.set_lines(lines, rows)


def pair_of(first: Plot, second: Plot) -> QHBoxLayout:
    """Return two plots side by side without menus and keyboard focus."""
    for plot in (first, second):
        plot.header.menu_button.hide()
        plot.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        plot.header.lines_changed.connect(partial(align_headers, (first, second)))
    return layouts.row((first, 1), separator(is_vertical=True), (second, 1), spacing=0)


def _identity(curves: Curves) -> tuple[object, ...]:
    """Return the properties that identify the plot of curves."""
    return *_subject(curves), curves.unit


def _subject(curves: Curves) -> tuple[object, ...]:
    return curves.i_plot, curves.title, curves.subtitle


def _keys(curves: Curves) -> tuple[CurveKey, ...]:
    return curves.keys or tuple(CurveKey(0, style.name) for style in curves.styles)


def widest_value(y: np.ndarray, decimals: int) -> str:
    """Return the longest text of a value of the curve."""
    finite = y[np.isfinite(y)]
    ends = (float(finite.min()), float(finite.max())) if finite.size else (0.0,)
    return max((number_text.fixed(end, decimals) for end in ends), key=len)

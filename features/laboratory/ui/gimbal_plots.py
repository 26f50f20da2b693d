"""Plots of the gimbal laboratory, one below the other: condition number, angles, rates."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLabel, QWidget

from framescope.core.kernels.validation import as_sequence
from framescope.core.kinematics import UNSURE
from framescope.features.laboratory.core.gimbal import AlongPath
from framescope.features.laboratory.ui.axis_scales import Array, AxisScale, even_axis, log_axis
from framescope.features.laboratory.ui.gimbal_words import condition_text
from framescope.features.laboratory.ui.lab_canvas import Line
from framescope.features.laboratory.ui.lab_plot import LabPlot
from framescope.ui.formatting.item_names import angle_letters
from framescope.ui.formatting.number_text import MISSING, fixed
from framescope.ui.plots.dashes import DASH_DOT, DASHED, DOTTED, SOLID
from framescope.ui.theme import current_theme
from framescope.ui.theme.tokens import AXIS_LETTERS, LOCK, METRICS, NEAR
from framescope.ui.widgets import layouts
from framescope.ui.widgets.angle_unit import AngleUnit
from framescope.ui.widgets.segmented_control import Segmented

CONTINUOUS, FIRST, SECOND = BRANCHES = ("continuous", "branch 1", "branch 2")

_HEIGHT = 132
_DASHES = (SOLID, DASHED, DOTTED)
"""Dashes of the three angles."""

_LINES = ("—", "╌", "┈")
"""Signs of the dashes in the legend."""

_THOUSANDS = 2e3
"""Rate from which the axis is in thousands, in the unit of the axis: it has room for four digits."""


class GimbalPlots(QWidget):
    """Plots of the condition number, of the angles of one branch in front of the others, and of the rates along a path.

    Signals
    -------
    pointed(float), released()
        The user drags the pointer in a plot, to a value of the horizontal axis in its unit; the user ends the drag.
    """

    pointed = Signal(float)
    released = Signal()

    def __init__(self, branch: Segmented, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._along: AlongPath | None = None
        self._x: Array = np.zeros(0)
        self.condition = LabPlot("Condition number")
        self.angles = LabPlot("Angles")
        self.rates = LabPlot("Rates")
        self.legend = _Legend()
        self.angles.header.addWidget(self.legend)
        self.jumps = layouts.label("", "quiet")
        column = layouts.column(on=self, margins=0, spacing=METRICS.inner)
        row = layouts.row(branch, layouts.STRETCH, self.jumps)
        self.across = layouts.label("", "quiet")
        for part in (self.condition, row, self.angles, self.rates, self.across):
            if isinstance(part, QWidget):
                column.addWidget(part)
            else:
                column.addLayout(part)
        for plot in self._plots:
            plot.set_height(_HEIGHT)
            plot.header.setContentsMargins(0, 0, 0, 0)
            plot.canvas.pointed.connect(self.pointed)
            plot.canvas.released.connect(self.released)

    def show_path(self, along: AlongPath | None, unit: AngleUnit, branch: str) -> None:
        """Show the angles along a path; `branch` is one of `BRANCHES`."""
        self._along = along
        if along is None:
            return
        path = along.path
        self._x = path.x if path.is_time else unit.of_rad(1.0) * path.x
        x = AxisScale(float(self._x[0]), float(self._x[-1]))
        self.across.setText(
            "over time, s" if path.is_time else f"over the angle that the body has turned, {unit.symbol}"
        )
        roles = _roles(along.sequence)
        self.legend.show_angles(angle_letters(along.sequence), roles)
        self._show_condition(along, x)
        self._show_angles(along, x, unit, branch, roles)
        self._show_rates(along, x, unit, roles)

    def show_place(self, x: float, condition: float) -> None:
        """Move the cursors to `x` and show the condition number there."""
        for plot in self._plots:
            plot.canvas.set_cursor(x)
        if self._along is not None:
            most = condition_text(float(self._along.condition.max()))
            self.condition.set_value(f"{condition_text(condition)}, at most {most}")

    @property
    def _plots(self) -> tuple[LabPlot, LabPlot, LabPlot]:
        return self.condition, self.angles, self.rates

    def _show_condition(self, along: AlongPath, x: AxisScale) -> None:
        ends = self._x[[0, -1]]
        marks = [
            Line(ends, np.full(2, (1.0 + s) / np.sqrt(1.0 - s * s)), role, dash, has_dot=False)
            for s, role, dash in ((NEAR, "amber", DOTTED), (LOCK, "red", DASHED))
        ]
        curve = Line(self._x, along.condition, "accent")
        y = log_axis([np.minimum(along.condition, UNSURE), np.array([1.0, 10.0])])
        self.condition.set_lines((*marks, curve), x, y)

    def _show_angles(
        self, along: AlongPath, x: AxisScale, unit: AngleUnit, branch: str, roles: tuple[str, ...]
    ) -> None:
        factor = unit.of_rad(1.0)
        branches = {CONTINUOUS: along.continuous, FIRST: along.first, SECOND: along.second}
        lines: list[Line] = []
        for name, angles in branches.items():
            if name != branch:
                lines += [
                    Line(self._x, _add_gaps(along, angles)[:, k] * factor, roles[k], _DASHES[k], is_faint=True)
                    for k in range(3)
                ]
        visible = branches[branch]
        visible_lines = _add_gaps(along, visible) * factor
        lines += [Line(self._x, visible_lines[:, k], roles[k], _DASHES[k]) for k in range(3)]
        self.angles.set_unit(unit.symbol)
        self.angles.set_lines(tuple(lines), x, even_axis([line.y for line in lines]))
        self.jumps.setText(_jump_text(along, visible))

    def _show_rates(self, along: AlongPath, x: AxisScale, unit: AngleUnit, roles: tuple[str, ...]) -> None:
        is_sure = np.isfinite(along.rates).all(axis=1) & (along.condition < UNSURE)
        rates = np.where(is_sure[:, np.newaxis], along.rates, np.nan) * unit.of_rad(1.0)
        speed = np.sqrt(np.square(along.path.w).sum(axis=-1)) * unit.of_rad(1.0)
        largest = float(np.nanmax(np.abs(rates))) if is_sure.any() else 0.0
        in_thousands = largest >= _THOUSANDS
        factor = 1e-3 if in_thousands else 1.0
        lines = [Line(self._x, factor * speed, "quiet", DASH_DOT, has_dot=False)]
        lines += [Line(self._x, factor * rates[:, k], roles[k], _DASHES[k]) for k in range(3)]
        self.rates.set_unit(f"1000 {unit.rate}" if in_thousands else unit.rate)
        self.rates.set_lines(tuple(lines), x, even_axis([line.y for line in lines]))
        largest_at = along.largest
        ratio = MISSING if largest_at is None else fixed(abs(float(along.ratio[largest_at])), 1)
        self.rates.set_value(f"at most {ratio} × the body’s")


class _Legend(QLabel):
    """Legend of the three angles with their axes, in the colours of their curves."""

    def __init__(self) -> None:
        super().__init__()
        self._entries: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
        current_theme.signals.theme_changed.connect(self._paint)

    def show_angles(self, letters: tuple[str, ...], roles: tuple[str, ...]) -> None:
        """Set the names and the colours of the angles."""
        self._entries = letters, roles
        self._paint()

    def _paint(self) -> None:
        pairs = zip(*self._entries, strict=True)
        self.setText(
            "&nbsp; ".join(
                f'<span style="color:{current_theme.color(role)}">{_LINES[k]}&nbsp;'
                f"{letter.replace(' ', '&nbsp;')}</span>"
                for k, (letter, role) in enumerate(pairs)
            )
        )


def _roles(sequence: str) -> tuple[str, ...]:
    """Return the colours of three angles: the colours of their axes, and a different one for a repeated axis."""
    axes = as_sequence(sequence)
    first, second, third = (f"axis_{AXIS_LETTERS[axis - 1]}" for axis in axes)
    return first, second, "omega" if axes[0] == axes[2] else third


def _add_gaps(along: AlongPath, angles: Array) -> Array:
    """Insert a gap (NaN) into angles (n, 3) where they jump."""
    out = angles.copy()
    out[1:][along.jumps(angles)] = np.nan
    return out


def _jump_text(along: AlongPath, angles: Array) -> str:
    # A jump into a sample and a jump out of it count as one.
    n = int((np.diff(along.jumps(angles).any(axis=1).astype(np.int8), prepend=0) > 0).sum())
    return "no jump" if n == 0 else f"{n} jump{'s' * (n > 1)}"

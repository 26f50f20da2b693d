"""Strip chart of a drag: angular velocity and residues of a frame over the last seconds, newest at the right."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from PySide6.QtCore import QTimer
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QWidget

from framescope.core.analysis.drag_motion import DragRecord, drag_residues, drag_velocity
from framescope.core.kernels.validation import Array
from framescope.ui.formatting import number_text
from framescope.ui.plots.curves import Curves, xyz_styles
from framescope.ui.plots.plot import Plot, pair_of
from framescope.ui.plots.signal_styles import RESIDUE_STYLES
from framescope.ui.theme.tokens import METRICS
from framescope.ui.widgets import layouts
from framescope.ui.widgets.angle_unit import DEG, AngleUnit
from framescope.ui.widgets.buttons import IconButton, push_button
from framescope.ui.widgets.elided_label import ElidedLabel

SPAN = 10.0
"""Time span in view, s."""

REFRESH_MS = 33
"""Minimum time between two refreshes, ms. Mouse events are more frequent than pictures."""

ROUNDING = 1e-14
"""Residue below which all values count as rounding and are shown as zero."""


class Strip(QWidget):
    """Angular velocity and residues of a frame during a drag, in place of the plots.

    Attributes
    ----------
    keep : QPushButton
        Button that keeps the motion as keyframes.
    close_button : IconButton
        Button that returns to the plots.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        layouts.lay_ground(self)
        self.record = DragRecord()
        """Recorded motion."""
        self.name = ""
        """Frame that was dragged."""
        self._parent = ""
        self._unit = DEG
        self._begin_curves()
        self.velocity, self.residues = Plot(), Plot()
        self._title = ElidedLabel("", role="section")
        self.keep = push_button("Keep as keyframes", "save", kind="small")
        self.keep.setToolTip("Uses the drag as the motion of the frame, from the current time on")
        self.close_button = IconButton("x", "back to the plots (Esc)", size=METRICS.small_button)
        self._refresher = QTimer(self, interval=REFRESH_MS, singleShot=True)
        self._refresher.timeout.connect(self.refresh)
        self._lay_out()

    def set_angle_unit(self, unit: AngleUnit) -> None:
        """Change the unit of the angular velocity."""
        if unit != self._unit:
            self._unit = unit
            self._begin_curves()
            self._refresh_if_seen()

    def begin(self, name: str, parent: str) -> None:
        """Start a new record of a frame."""
        self.record = DragRecord()
        self.name, self._parent = name, parent
        self._title.setText(f"Drag of {name}")
        self.keep.hide()
        self.close_button.hide()
        self._begin_curves()
        self._refresh_if_seen()

    def _begin_curves(self) -> None:
        """Reset the curves to no samples."""
        of = f"{self.name} relative to {self._parent}, resolved in {self.name}, from the drag"
        unit, _ = self._unit.shown("rad/s")
        none, text = np.empty(0), f"{self.name} in {self._parent}"
        self._drawn = (
            Curves(none, np.empty((3, 0)), xyz_styles("ω"), "Angular velocity", of, unit, self._unit.decimals),
            Curves(none, np.empty((6, 0)), RESIDUE_STYLES, "Six residues", text, decimals=1),
        )

    def add(self, t: float, T_PF: Array) -> None:
        """Record the time of the drag, s, and the orientation of the frame in its parent."""
        self.record.append(t, T_PF)
        if self.isVisible() and not self._refresher.isActive():
            self._refresher.start()

    def end(self) -> None:
        """Show the chart with its buttons after the drag."""
        self._refresher.stop()
        self._refresh_if_seen()
        self._title.setText(f"Drag of {self.name}, finished")
        self.keep.setVisible(len(self.record) > 1)
        self.close_button.show()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.refresh()  # a hidden chart is not updated

    def _refresh_if_seen(self) -> None:
        if self.isVisible():
            self.refresh()

    def refresh(self) -> None:
        """Append new samples and show the last seconds."""
        self._append()
        velocity, residues = self._drawn
        if float(np.abs(residues.ys).max(initial=0.0)) < ROUNDING:
            text = f"{residues.subtitle} · all below {number_text.scientific(ROUNDING, 0)}, which is rounding"
            residues = replace(residues, ys=np.zeros_like(residues.ys), subtitle=text)
        for plot, curves in ((self.velocity, velocity), (self.residues, residues)):
            # newest at the right, at time zero
            plot.set_curves(replace(curves, t=curves.t - curves.t[-1:]), (-SPAN, 0.0))
            plot.set_cursor(0.0)

    def _append(self) -> None:
        """Append new samples to the curves. Replace the last one, whose rate was preliminary."""
        velocity, residues = self._drawn
        times, T = self.record.times, self.record.T
        if not len(times):
            return
        new = int(np.searchsorted(times, velocity.t[-1])) if len(velocity.t) else 0
        before = max(new - 1, 0)
        _, factor = self._unit.shown("rad/s")
        w = factor * drag_velocity(times[before:], T[before:])[new - before :].T
        start = float(times[-1]) - SPAN
        self._drawn = (
            velocity.extended(times[new:], w, start),
            residues.extended(times[new:], drag_residues(T[new:]).T, start),
        )

    def _lay_out(self) -> None:
        bar = layouts.row(
            (self._title, 1),
            self.keep,
            self.close_button,
            margins=(METRICS.padding, METRICS.inner, METRICS.gap, 0),
            spacing=METRICS.gap,
        )
        layouts.column(bar, (pair_of(self.velocity, self.residues), 1), on=self, margins=0, spacing=0)

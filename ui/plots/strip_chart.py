"""Strip chart of a drag: angular velocity of a frame in two frames over the last seconds, newest at the right."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from PySide6.QtCore import QTimer
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QWidget

from framescope.core.analysis.drag_motion import DragRecord, drag_velocity
from framescope.core.kernels.validation import Array
from framescope.ui.plots.curves import Curves, xyz_styles
from framescope.ui.plots.plot import Plot, pair_of
from framescope.ui.theme.tokens import METRICS
from framescope.ui.widgets import layouts
from framescope.ui.widgets.angle_unit import DEG, AngleUnit
from framescope.ui.widgets.buttons import IconButton, push_button
from framescope.ui.widgets.elided_label import ElidedLabel

SPAN, MIN_SPAN = 10.0, 2.0
"""Largest and smallest time span in view, s."""

REFRESH_MS = 33
"""Minimum time between two refreshes, ms. Mouse events are more frequent than pictures."""


class Strip(QWidget):
    """Angular velocity of a frame during a drag, resolved in the frame and in its parent, beside the plots.

    Attributes
    ----------
    keep : QPushButton
        Button that keeps the motion as keyframes.
    share : QPushButton
        Button that makes a page of the scene, once the motion is kept.
    close_button : IconButton
        Button that hides the chart.
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
        self.velocity, self.velocity_in_parent = Plot(), Plot()
        self._title = ElidedLabel("", role="section")
        self.keep = push_button("Keep as keyframes", "save", kind="small")
        self.keep.setToolTip("Uses the drag as the motion of the frame, from the current time on")
        self.share = push_button("Share as a page…", "globe", kind="small")
        self.share.setToolTip("Writes a page that anyone can turn and play in a browser")
        self.close_button = IconButton("x", "Hide the chart (Esc)", size=METRICS.small_button)
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
        self.share.hide()
        self.close_button.hide()
        self._begin_curves()
        self._refresh_if_seen()

    def _begin_curves(self) -> None:
        """Reset the curves to no samples."""
        unit, _ = self._unit.shown("rad/s")
        none, decimals = (np.empty(0), np.empty((3, 0))), self._unit.decimals
        text = f"of {self.name} relative to {self._parent}"
        in_frame, in_parent = (
            Curves(*none, xyz_styles("ω"), f"ω in {frame}", text, unit, decimals) for frame in (self.name, self._parent)
        )
        self._drawn = in_frame, in_parent

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

    def show_kept(self, *, can_share: bool) -> None:
        """Show that the motion is kept, and the button that shares the scene if that is possible."""
        self._title.setText(f"Drag of {self.name}, kept as keyframes")
        self.keep.hide()
        self.share.setVisible(can_share)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.refresh()  # a hidden chart is not updated

    def _refresh_if_seen(self) -> None:
        if self.isVisible():
            self.refresh()

    def refresh(self) -> None:
        """Append new samples and show the last seconds."""
        self._append()
        for plot, curves in zip((self.velocity, self.velocity_in_parent), self._drawn, strict=True):
            t = curves.t - curves.t[-1:]  # newest at the right, at time zero
            span = min(max(MIN_SPAN, -t[0] if len(t) else 0.0), SPAN)
            plot.set_curves(replace(curves, t=t), (-span, 0.0))
            plot.set_cursor(0.0)

    def _append(self) -> None:
        """Append new samples to the curves. Replace the last one, whose rate was preliminary."""
        in_frame, in_parent = self._drawn
        times, T = self.record.times, self.record.T
        if not len(times):
            return
        new = int(np.searchsorted(times, in_frame.t[-1])) if len(in_frame.t) else 0
        before = max(new - 1, 0)
        _, factor = self._unit.shown("rad/s")
        w_F = factor * drag_velocity(times[before:], T[before:])[new - before :]
        w_P = (w_F[:, np.newaxis] @ T[new:])[:, 0]
        start = float(times[-1]) - SPAN
        self._drawn = (
            in_frame.extended(times[new:], w_F.T, start),
            in_parent.extended(times[new:], w_P.T, start),
        )

    def _lay_out(self) -> None:
        bar = layouts.row(
            (self._title, 1),
            self.keep,
            self.share,
            self.close_button,
            margins=(METRICS.padding, METRICS.inner, METRICS.gap, 0),
            spacing=METRICS.gap,
        )
        layouts.column(bar, (pair_of(self.velocity, self.velocity_in_parent), 1), on=self, margins=0, spacing=0)

"""Chart of a staged rotation: its angles and the example vector over the three turns."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from framescope.core.analysis.staged_rotation import EXAMPLE, N_TURNS, StagedRotation
from framescope.ui.plots.curves import Curves, xyz_styles
from framescope.ui.plots.plot import Plot, pair_of
from framescope.ui.theme.tokens import METRICS
from framescope.ui.widgets import layouts
from framescope.ui.widgets.angle_unit import DEG, AngleUnit
from framescope.ui.widgets.elided_label import ElidedLabel

PER_TURN = 32
"""Points of the curves per turn."""


class TurnChart(QWidget):
    """Two plots over the turns, 0 to 3, in place of the plots over time during a staged rotation.

    Signals
    -------
    turned_to(float)
        Progress at the pointer, from 0 to 3, while the user scrubs.
    """

    turned_to = Signal(float)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "panel")
        self._unit = DEG
        self._step: StagedRotation | None = None
        self.angles, self.vector = Plot(), Plot()
        self._title = ElidedLabel("", role="section")
        bar = layouts.row((self._title, 1), margins=(METRICS.padding, METRICS.inner, METRICS.gap, 0))
        layouts.column(bar, (pair_of(self.angles, self.vector), 1), on=self, margins=0, spacing=0)
        for plot in (self.angles, self.vector):
            plot.canvas.scrubbed.connect(lambda progress: self.turned_to.emit(min(max(progress, 0.0), float(N_TURNS))))

    def set_angle_unit(self, unit: AngleUnit) -> None:
        """Change the unit of the angles."""
        if unit != self._unit:
            self._unit = unit
            if self._step is not None:
                self._draw(self._step)

    def set_number_size(self, size: int) -> None:
        """Set the minimum size of numbers, logical pixels, as for a presentation; 0 for the default."""
        self._title.setStyleSheet(f"font-size: {size}px;" if size > METRICS.base else "")
        for plot in (self.angles, self.vector):
            plot.set_number_size(size)

    def show_step(self, step: StagedRotation) -> None:
        """Show the turns of a rotation and its progress."""
        is_other = self._step is None or self._step.at(0.0) != step.at(0.0)
        self._step = step
        if is_other:
            self._draw(step)
        for plot in (self.angles, self.vector):
            plot.set_cursor(step.progress)

    def _draw(self, step: StagedRotation) -> None:
        self._title.setText(f"{step.frame} turn by turn: {', '.join(step.about(i) for i in range(N_TURNS))}")
        progress = np.linspace(0.0, float(N_TURNS), N_TURNS * PER_TURN + 1)
        places = [step.at(float(at)) for at in progress]
        unit, factor = self._unit.shown("rad")
        turned = factor * np.array([place.turned for place in places]).T
        styles = tuple(
            replace(xyz_styles()[step.axes[i]], name=f"{step.letter(i)} {step.axis_name(i)}") for i in step.order
        )
        vector = np.array([place.T.T @ EXAMPLE for place in places]).T
        of = f"{step.frame} in {step.parent}, {step.sequence}, over the turns"
        contents = (
            (self.angles, Curves(progress, turned, styles, "Turned so far", of, unit, self._unit.decimals)),
            (self.vector, Curves(progress, vector, xyz_styles("v"), "v", f"in axes of {step.parent}", decimals=3)),
        )
        for plot, curves in contents:
            plot.set_curves(curves, (0.0, float(N_TURNS)))

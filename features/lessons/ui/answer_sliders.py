"""Sliders for the three angles of the frame or arrow that the user rotates as the answer."""

from __future__ import annotations

from functools import partial

import numpy as np
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from framescope.core.analysis.staged_rotation import GREEK, PRIMES
from framescope.core.kernels.validation import Array, as_sequence
from framescope.ui.formatting.item_names import FLIGHT_NAMES
from framescope.ui.theme.tokens import AXIS_LETTERS, METRICS
from framescope.ui.widgets import layouts
from framescope.ui.widgets.angle_row import AngleRow


class AnswerSliders(QWidget):
    """Sliders of the angles of an axis sequence about moving axes.

    Signals
    -------
    previewed(int, float), committed(int, float)
        Number of the angle, from 0, and its value, degrees, during a drag and at its end.
    cancelled()
        The user pressed Escape: restore the previous angles.
    """

    previewed = Signal(int, float)
    committed = Signal(int, float)
    cancelled = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.rows = tuple(AngleRow(i, letter) for i, letter in enumerate(GREEK))
        layouts.column(*self.rows, on=self, margins=0, spacing=METRICS.inner)
        for i, row in enumerate(self.rows):
            row.previewed.connect(partial(self.previewed.emit, i))
            row.committed.connect(partial(self.committed.emit, i))
            row.cancelled.connect(self.cancelled)

    def show_angles(self, sequence: str, angles: Array) -> None:
        """Show the angles (3,) of a sequence, rad: *yaw about z* with the names of aviation, else *about z*."""
        axes = [f"about {AXIS_LETTERS[axis - 1]}{PRIMES[i]}" for i, axis in enumerate(as_sequence(sequence))]
        words = [f"{name} {axis}" for name, axis in zip(FLIGHT_NAMES, axes, strict=True)] if sequence == "ZYX" else axes
        for i, (row, axis) in enumerate(zip(self.rows, as_sequence(sequence), strict=True)):
            row.set_axis(axis - 1, GREEK[i], f"angle {GREEK[i]}, {words[i]}")
            row.set_about(words, i)
            row.set_value_deg(float(np.degrees(angles[i])))

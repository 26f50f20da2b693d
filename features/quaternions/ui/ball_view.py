"""View of the ball of attitudes: the path of a frame, and the short and the long way to its attitude."""

from __future__ import annotations

import math

import numpy as np
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from framescope.core.kernels.validation import Array
from framescope.features.quaternions.core.half_angle import rotation_vectors
from framescope.features.quaternions.core.ways import Way, ways
from framescope.features.quaternions.ui.ball_picture import BallPicture, Trace
from framescope.features.quaternions.ui.cover_view import DECIMALS, LABEL
from framescope.ui.theme.tokens import METRICS
from framescope.ui.widgets import layouts
from framescope.ui.widgets.angle_unit import DEG, AngleUnit
from framescope.ui.widgets.scale_slider import ScaleSlider
from framescope.ui.widgets.segmented_control import Segmented
from framescope.ui.widgets.value_row import QuaternionRow

SHORT, LONG = "short way", "long way"
N = 121
"""Number of samples of a way."""

LEGEND = (
    "Each point of the ball is an attitude: its direction the axis, its distance the angle, up to half a turn. Opposite"
    " points of the surface are one attitude: a path that leaves at one comes back at the other. The thin line is the"
    " path of the frame over time."
)
NO_TURN = np.array([0.0, 0.0, 0.0, 1.0])


class BallView(QWidget):
    """View of attitudes as points of a ball, and of the slerp from the parent's attitude to the frame's.

    Signals
    -------
    tried(object)
        The user tries a quaternion (4,) of the frame, scalar last.
    """

    tried = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._unit, self._q, self._path = DEG, NO_TURN, np.zeros((0, 3))
        self.share = 1.0
        """Position along the way, 0 to 1."""
        self.picture = BallPicture()
        self.way = Segmented((SHORT, LONG), "slerp goes the")
        self.slider = ScaleSlider(lambda share: share, lambda share: share, "share of the way")
        self.at = QuaternionRow(label="q", label_width=LABEL, decimals=DECIMALS, is_strong=True)
        self.words = layouts.plain_label(wordWrap=True)
        legend = layouts.plain_label(LEGEND, "quiet", wordWrap=True)
        self.way.chosen.connect(lambda _: self._show())
        for signal in (self.slider.previewed, self.slider.committed):
            signal.connect(self._try)
        way = layouts.row(self.way, layouts.STRETCH, spacing=METRICS.inner)
        along = layouts.row(layouts.plain_label("along", "quiet"), (self.slider, 1), spacing=METRICS.inner)
        parts = self.picture, way, along, self.at, self.words, legend
        layouts.column(*parts, on=self, margins=0, spacing=METRICS.inner)
        self._show()

    @property
    def chosen(self) -> Way:
        """Chosen way."""
        short, long = ways(NO_TURN, self._q)
        return short if self.way.choice == SHORT else long

    def set_unit(self, unit: AngleUnit) -> None:
        """Set the unit of angles."""
        self._unit = unit
        self._show()

    def set_path(self, vectors: Array) -> None:
        """Set the path of the frame over the time range of the scene: rotation vectors (n, 3), rad."""
        self._path = vectors
        self._show()

    def show_quaternion(self, q: Array) -> None:
        """Show the way to a quaternion (4,), scalar last, with the slider at its end."""
        self._q, self.share = q, 1.0
        self._show()

    def _try(self, share: float) -> None:
        self.share = share
        self._show()
        self.tried.emit(self.chosen.at(share))

    def _show(self) -> None:
        way, shares = self.chosen, np.linspace(0.0, 1.0, N)
        line = np.stack([way.at(float(share)) for share in shares])
        traces = [Trace(self._path, "quiet", 1.5)] if len(self._path) else []
        self.picture.set_traces(*traces, Trace(rotation_vectors(line), "accent", 3.0))
        now = way.at(self.share)
        self.picture.set_now(rotation_vectors(now))
        self.slider.set_value(self.share)
        self.at.set_values(now)
        short, long = ways(NO_TURN, self._q)
        angles = [self._unit.of_rad(either.angle) for either in (short, long)]
        unit, n = self._unit.sign or f" {self._unit.symbol}", self._unit.decimals
        if short.angle > math.pi - 1e-9:
            self.words.setText("Half a turn: both ways are as long, and rounding chooses between them.")
        else:
            self.words.setText(
                f"The short way turns by {angles[0]:.{n}f}{unit}, the long one by {angles[1]:.{n}f}{unit} the other way"
                " round. Slerp goes the long way where q₀·q is negative, unless one of both gets the other sign first."
            )

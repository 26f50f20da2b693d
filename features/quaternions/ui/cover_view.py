"""View of the double cover: half angle on a circle, the two quaternions of an attitude, and a belt."""

from __future__ import annotations

import math

import numpy as np
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from framescope.core.kernels.validation import Array
from framescope.core.quaternions import planar_rotation
from framescope.features.quaternions.core.belt import belt_of_turn, belt_of_two_turns
from framescope.features.quaternions.core.half_angle import TWO_TURNS, turn_of
from framescope.features.quaternions.ui.belt_picture import BeltPicture
from framescope.features.quaternions.ui.circle_picture import CirclePicture
from framescope.ui.theme.tokens import AXIS_LETTERS, METRICS
from framescope.ui.widgets import layouts
from framescope.ui.widgets.angle_unit import DEG, AngleUnit
from framescope.ui.widgets.folding_row import FoldingRow
from framescope.ui.widgets.scale_slider import ScaleSlider
from framescope.ui.widgets.spin_field import StepField
from framescope.ui.widgets.value_row import QuaternionRow

Q_LETTERS = (*AXIS_LETTERS, "w")
SNAP = math.radians(4.0)
"""Distance from a whole number of half turns within which the slider snaps to it, rad."""
COLUMN = 300
"""Least width of circle and belt side by side, px."""
LABEL, DECIMALS = 40, 3
"""Width of labels, px, and decimals of quaternions."""


class CoverView(QWidget):
    """View of a turn about the axis of the frame, up to two full turns, and its quaternion.

    Signals
    -------
    tried(object)
        The user tries a quaternion (4,) of the frame, scalar last.
    """

    tried = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._axis, self._unit = np.array([0.0, 0.0, 1.0]), DEG
        self.angle = 0.0
        """Angle of the turn, rad."""
        self.circle, self.belt = CirclePicture(), BeltPicture()
        self.turn = ScaleSlider(
            lambda share: share * TWO_TURNS, lambda angle: angle / TWO_TURNS, "turn", "From no turn to two full turns"
        )
        self.field = StepField(step=5.0, decimals=2, unit=DEG.sign)
        self.field.setAccessibleName("turn")
        self.field.set_usual_width(96)
        self.loose = ScaleSlider(lambda share: share, lambda share: share, "loosen the belt")
        self.q = QuaternionRow(label="q", label_width=LABEL, decimals=DECIMALS, is_strong=True)
        self.opposite = QuaternionRow(label="−q", label_width=LABEL, decimals=DECIMALS)
        self.words = layouts.plain_label(wordWrap=True)
        self.belt_words = layouts.plain_label("", "quiet", wordWrap=True)
        self.turn.previewed.connect(lambda angle: self._try(_snap(angle)))
        self.turn.committed.connect(lambda angle: self._try(_snap(angle)))
        self.turn.cancelled.connect(lambda: self._try(self.turn.value))
        self.field.previewed.connect(self._on_typed)
        self.field.committed.connect(self._on_typed)
        self.loose.previewed.connect(self._loosen)
        self.loose.committed.connect(self._loosen)
        turn = layouts.row(layouts.plain_label("turn", "quiet"), (self.turn, 1), self.field, spacing=METRICS.inner)
        loose = layouts.row(layouts.plain_label("loosen", "quiet"), (self.loose, 1), spacing=METRICS.inner)
        left, right = QWidget(), QWidget()
        of_turn = self.circle, turn, self.q, self.opposite, self.words, layouts.STRETCH
        layouts.column(*of_turn, on=left, margins=0, spacing=METRICS.inner)
        of_belt = self.belt, loose, self.belt_words, layouts.STRETCH
        layouts.column(*of_belt, on=right, margins=0, spacing=METRICS.inner)
        layouts.column(FoldingRow(left, right, COLUMN, METRICS.inner), on=self, margins=0)
        self.show_angle(0.0)

    def set_unit(self, unit: AngleUnit) -> None:
        """Set the unit of angles."""
        self._unit = unit
        self.field.set_unit(unit.sign)
        self.show_angle(self.angle)

    def show_quaternion(self, q: Array) -> None:
        """Show the turn of a quaternion (4,), scalar last."""
        if float(np.linalg.norm(q[:3])) > 1e-9:
            self._axis = turn_of(q)[0]
        self.show_angle(turn_of(q)[1])

    def show_angle(self, angle: float) -> None:
        """Show a turn about the axis, rad."""
        self.angle = min(max(angle, 0.0), TWO_TURNS)
        q = planar_rotation(self._axis, self.angle)
        self.circle.set_angle(self.angle)
        self.turn.set_value(self.angle)
        self.field.set_value(round(self._unit.of_rad(self.angle), 6))
        self.q.set_values(q)
        self.opposite.set_values(-q)
        self.words.setText(_words(self.angle, self._unit))
        turns = self.angle / (2.0 * math.pi)
        is_two = abs(turns - 2.0) < 1e-9
        self.loose.setEnabled(is_two)
        self.loose.set_value(0.0)
        self.belt.set_belt(belt_of_turn(self.angle), f"belt of {turns:.2f} turns")
        self.belt_words.setText(_belt_words(turns))

    def _try(self, angle: float) -> None:
        self.show_angle(angle)
        self.tried.emit(planar_rotation(self._axis, self.angle))

    def _on_typed(self, value: float) -> None:
        self._try(self._unit.to_rad(value))

    def _loosen(self, share: float) -> None:
        self.loose.set_value(share)
        self.belt.set_belt(belt_of_two_turns(share), f"belt of two turns, {share:.0%} loosened")


def _snap(angle: float) -> float:
    """Snap an angle to a whole number of half turns if it is near one, rad."""
    nearest = round(angle / math.pi) * math.pi
    return nearest if abs(angle - nearest) < SNAP else angle


def _words(angle: float, unit: AngleUnit) -> str:
    turns = angle / (2.0 * math.pi)
    if abs(turns) < 1e-9:
        return "No turn: q is 1. Its opposite, −1, is the same attitude."
    if abs(turns - 1.0) < 1e-9:
        return "One full turn: the attitude is that of the start, and q is −1. It has moved half-way round the circle."
    if abs(turns - 2.0) < 1e-9:
        return "Two full turns: q is 1 again, once around the circle."
    rest = 2.0 * math.pi - math.fmod(angle, 2.0 * math.pi)
    about = f"{unit.of_rad(angle):.{unit.decimals}f}{unit.sign or ' ' + unit.symbol}"
    back = f"{unit.of_rad(rest):.{unit.decimals}f}{unit.sign or ' ' + unit.symbol}"
    return f"q turns by {about} about n, −q leads to the same attitude: by {back} about −n."


def _belt_words(turns: float) -> str:
    if abs(turns - 2.0) < 1e-9:
        return "Two turns: the twist goes out of the belt while both ends keep their orientation. Loosen it."
    if abs(turns - 1.0) < 1e-9:
        return "One turn: however the belt is led around, a twist stays in it. Its far end has q = −1, not 1."
    return "A belt from a wall to the frame: its twist counts the turns, as the sign of q does."

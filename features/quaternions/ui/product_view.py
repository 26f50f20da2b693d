"""View of two successive turns: the orientation of the frame, and a turn about a moving or a fixed axis."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from framescope.core.kernels.validation import Array
from framescope.core.quaternions import planar_rotation
from framescope.features.quaternions.core.half_angle import rotation_vectors, turn_of
from framescope.features.quaternions.core.two_turns import two_turns
from framescope.features.quaternions.ui.ball_picture import BallPicture, Trace
from framescope.features.quaternions.ui.cover_view import DECIMALS, LABEL
from framescope.ui.theme.tokens import AXIS_LETTERS, METRICS
from framescope.ui.widgets import layouts
from framescope.ui.widgets.angle_unit import DEG, AngleUnit
from framescope.ui.widgets.segmented_control import Segmented
from framescope.ui.widgets.spin_field import StepField
from framescope.ui.widgets.value_row import QuaternionRow

N = 61
"""Number of samples of a turn."""
SAME = 1e-6
"""Angle below which two attitudes count as equal, rad."""
MOVING, FIXED = "of the frame", "of the parent"


class ProductView(QWidget):
    """View of the frame's turn q and a second turn p about an axis, as numbers and as paths in the ball.

    Signals
    -------
    tried(object)
        The user tries a quaternion (4,) of the frame, scalar last.
    """

    tried = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._q, self._unit, self._angle = np.array([0.0, 0.0, 0.0, 1.0]), DEG, np.pi / 2.0
        self.axis = Segmented(AXIS_LETTERS, "axis of the second turn")
        self.whose = Segmented((MOVING, FIXED), "whose axis")
        self.field = StepField(step=5.0, decimals=2, unit=DEG.sign)
        self.field.setAccessibleName("second turn")
        self.field.set_usual_width(96)
        self.picture = BallPicture()
        self.q = QuaternionRow(label="q", label_width=LABEL, decimals=DECIMALS)
        self.p = QuaternionRow(label="p", label_width=LABEL, decimals=DECIMALS)
        self.moving = QuaternionRow(label="q p", label_width=LABEL, decimals=DECIMALS, is_strong=True)
        self.fixed = QuaternionRow(label="p q", label_width=LABEL, decimals=DECIMALS, is_strong=True)
        self.words = layouts.plain_label(wordWrap=True)
        self.axis.chosen.connect(self._try)
        self.whose.chosen.connect(self._try)
        for signal in (self.field.previewed, self.field.committed):
            signal.connect(self._on_typed)
        second = layouts.row(
            layouts.plain_label("then by", "quiet"),
            self.field,
            layouts.plain_label("about", "quiet"),
            layouts.STRETCH,
            spacing=METRICS.inner,
        )
        whose = layouts.row(self.axis, self.whose, layouts.STRETCH, spacing=METRICS.inner)
        parts = second, whose, self.picture, self.q, self.p, self.moving, self.fixed, self.words
        layouts.column(*parts, on=self, margins=0, spacing=METRICS.inner)
        self._show()

    def set_unit(self, unit: AngleUnit) -> None:
        """Set the unit of angles."""
        self._unit = unit
        self.field.set_unit(unit.sign)
        self._show()

    def show_quaternion(self, q: Array) -> None:
        """Set the turn of the frame, a quaternion (4,), scalar last."""
        self._q = q
        self._show()

    @property
    def result(self) -> Array:
        """Product of the two turns in the chosen order: a quaternion (4,), scalar last."""
        products = two_turns(self._q, self._second(1.0))
        return products.moving if self.whose.choice == MOVING else products.fixed

    def _second(self, share: float) -> Array:
        axis = np.eye(3)[AXIS_LETTERS.index(self.axis.choice)]
        return planar_rotation(axis, share * self._angle)

    def _on_typed(self, value: float) -> None:
        self._angle = self._unit.to_rad(value)
        self._try()

    def _try(self, _choice: str = "") -> None:
        self._show()
        self.tried.emit(self.result)

    def _show(self) -> None:
        products, p = two_turns(self._q, self._second(1.0)), self._second(1.0)
        axis, angle = turn_of(self._q)
        shares = np.linspace(0.0, 1.0, N)
        first = planar_rotation(axis, shares * angle)
        steps = [two_turns(self._q, self._second(float(share))) for share in shares]
        moving = np.stack([step.moving for step in steps])
        fixed = np.stack([step.fixed for step in steps])
        paths = Trace(rotation_vectors(moving), "accent", 3.0), Trace(rotation_vectors(fixed), "amber", 2.0)
        self.picture.set_traces(Trace(rotation_vectors(first), "quiet", 2.0), *paths)
        self.picture.set_now(rotation_vectors(self.result))
        self.field.set_value(round(self._unit.of_rad(self._angle), 6))
        for row, value in (
            (self.q, self._q),
            (self.p, p),
            (self.moving, products.moving),
            (self.fixed, products.fixed),
        ):
            row.set_values(value + 0.0)
        n, unit = self._unit.decimals, self._unit.sign or f" {self._unit.symbol}"
        a, b = products.scalars
        together, apart = self._unit.of_rad(turn_of(products.moving)[1]), self._unit.of_rad(products.apart)
        other = f"In the other order the attitude is {apart:.{n}f}{unit} away: another axis, and the same angle."
        same = other if products.apart > SAME else "The order makes no difference here."
        self.words.setText(
            "About an axis of the frame p is the right factor, about an axis of the parent the left one. w = w_q"
            " w_p − u_q·u_p ="
            f" {a:.4f} {'+' if b >= 0 else '−'} {abs(b):.4f}: together they turn by {together:.{n}f}{unit}. {same}"
        )

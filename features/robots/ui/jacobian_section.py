"""Section on the Jacobian of a frame: its velocities by the joints, and joints that line up."""

from __future__ import annotations

import math

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from framescope.features.robots.core.aligned_axes import AlignedAxes, aligned_axes
from framescope.features.robots.core.jacobian import Jacobian, velocity_ellipsoid
from framescope.ui.formatting import number_text
from framescope.ui.theme.tokens import METRICS
from framescope.ui.widgets import layouts
from framescope.ui.widgets.angle_unit import DEG, AngleUnit
from framescope.ui.widgets.buttons import push_button
from framescope.ui.widgets.headings import SectionHeader
from framescope.ui.widgets.inline_message import InlineMessage
from framescope.ui.widgets.value_row import ValueRow

LABEL_WIDTH = 104

WHAT_IS_SHOWN = (
    "Arrows: the velocity that 1 rad/s or 1 m/s of each joint gives the frame's origin, half a metre long per m/s.\n"
    "Ellipsoid: all velocities of joint rates that make a vector of length 1. Lines: the axes of the joints."
)


class JacobianSection(QWidget):
    """Measures of how the joints move the selected frame.

    Signals
    -------
    shown(bool)
        Whether the Jacobian is drawn in the scene.
    """

    shown = Signal(bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._unit = DEG
        self._jacobian: Jacobian | None = None
        self.header = SectionHeader("")
        self.show_button = push_button("Show it in the scene", "rotate-3d", kind="small", checkable=True)
        self.show_button.setToolTip(WHAT_IS_SHOWN)
        self.show_button.clicked.connect(self.shown)
        self.radii = ValueRow(("", "", ""), label="Half-axes, m/s", label_width=LABEL_WIDTH)
        self.measures = ValueRow(("",), label="Manipulability", label_width=LABEL_WIDTH)
        self.condition = ValueRow(("",), label="Condition", label_width=LABEL_WIDTH, formatter=_ratio)
        self.radii.setToolTip(
            "Half-axes of the ellipsoid, longest first: speeds, m/s, that joint rates of length 1 can reach.\n"
            "They are the singular values of the Jacobian of the velocity"
        )
        self.measures.setToolTip("Product of the half-axes, m³/s³: zero if the frame cannot move in some direction")
        self.condition.setToolTip("Largest singular value divided by the smallest: 1 where all directions are alike")
        self.lock, self.near_lock = InlineMessage(), InlineMessage("warning")
        messages = self.lock, self.near_lock
        parts = self.header, self.radii, self.measures, self.condition, *messages, self.show_button
        layouts.column(*parts, on=self, margins=0, spacing=METRICS.inner)

    def set_angle_unit(self, unit: AngleUnit) -> None:
        """Show angles in another unit."""
        self._unit = unit
        self.show_jacobian(self._jacobian)

    def show_jacobian(self, jacobian: Jacobian | None) -> None:
        """Show the Jacobian of a frame; None hides the section."""
        self._jacobian = jacobian
        self.setVisible(jacobian is not None)
        if jacobian is None:
            return
        ellipsoid = velocity_ellipsoid(jacobian)
        n = len(jacobian.titles)
        self.header.set_title(f"What moves {jacobian.frame}")
        self.header.set_note(f"{n} joint{'s' * (n != 1)}")
        self.radii.set_values(ellipsoid.radii)
        self.measures.set_values((ellipsoid.manipulability,))
        self.condition.set_values((ellipsoid.condition,))
        pairs = aligned_axes(jacobian.screws)
        nearest = pairs[0] if pairs else None
        for line, is_locked in ((self.lock, True), (self.near_lock, False)):
            line.set_message(self._text(nearest) if nearest is not None and nearest.is_locked is is_locked else "")

    def _text(self, pair: AlignedAxes) -> str:
        """Return the message about two axes that line up, or nearly do."""
        joints = f"{pair.first} and {pair.second}"
        if pair.is_locked:
            return f"{joints} turn about one axis: one can undo the other, and a direction of rotation is lost."
        return f"{joints} are {self._unit.text(pair.angle, 1)} from turning about one axis."


def _ratio(value: float, decimals: int) -> str:
    return "∞" if math.isinf(value) or value > 1e12 else number_text.fixed(value, decimals)

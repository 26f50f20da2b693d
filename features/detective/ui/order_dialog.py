"""Dialog for another order of a frame's rotations: the sequence, and the assignment of the three angles."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDialog, QFormLayout, QLabel, QWidget

from framescope.core.kernels.validation import SEQUENCES, Array
from framescope.core.scene.edits.pose import LETTERS
from framescope.core.scene.edits.twins import Keeps, Order, angle_between, other_order, why_not_by_axis
from framescope.ui.theme import current_theme
from framescope.ui.theme.tokens import AXIS_LETTERS, METRICS
from framescope.ui.widgets import layouts
from framescope.ui.widgets.angle_unit import AngleUnit
from framescope.ui.widgets.buttons import push_button
from framescope.ui.widgets.choice_box import ChoiceBox
from framescope.ui.widgets.segmented_control import Segmented

TITLE = "Compare with another order"
TEXTS: dict[str, Keeps] = {"its axis": "axis", "its place": "place"}
"""Property that each angle keeps, by its text."""

_KEEP_TIP = (
    "its axis: the angle about x stays the angle about x, and is turned earlier or later\n"
    "its place: the first angle stays the first, about another axis"
)
_MEANT: dict[Keeps, str] = {
    "axis": "The angle about {axis} stays the one about {axis}, whenever that is turned.",
    "place": "The first angle stays the first, whichever axis that is about then.",
}
_SAME = 1e-9
_WIDTH = 420
_SPACE = "&nbsp;"


@dataclass(frozen=True)
class OrderChoice:
    """Chosen order for the twin of a frame."""

    frame: str
    sequence: str
    keeps: Keeps


class OrderDialog(QDialog):
    """Dialog for the order of a twin, with both products and the angle between the present orientations.

    Parameters
    ----------
    frame, sequence
        Frame and its sequence.
    angles : (3,)
        Present angles, rad; NaN without a value.
    unit
        Unit of displayed angles.

    Signals
    -------
    chosen(OrderChoice)
        The user confirmed the comparison.
    """

    chosen = Signal(object)

    def __init__(
        self, frame: str, sequence: str, angles: Array, unit: AngleUnit, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setProperty("role", "panel")
        self.setWindowTitle(TITLE)
        self.setProperty("helpTopic", "window.md#two-orders-side-by-side")
        self._frame, self._own, self._angles, self._unit = frame, Order(sequence), angles, unit
        self._preferred: Keeps = "axis"
        self.sequence_box = ChoiceBox()
        self.sequence_box.addItems([other for other in _by_kind() if other != sequence])
        self.sequence_box.setCurrentText(_counterpart(sequence))
        self.sequence_box.setAccessibleName("the other order")
        self.keep = Segmented(tuple(TEXTS), "each angle stays with")
        self.keep.setToolTip(_KEEP_TIP)
        self.reason = layouts.label("", "quiet", wordWrap=True)
        self.formulas = (_formula(), _formula())
        self._other_name = layouts.label("", "quiet")
        self.values, self.apart = layouts.label("", "number"), layouts.label("", "number")
        self._lay_out()
        self.sequence_box.currentTextChanged.connect(self._show)
        self.keep.chosen.connect(self._on_keep)
        self._show()

    def choice(self) -> OrderChoice:
        """Return the present choice."""
        return OrderChoice(self._frame, self.sequence_box.currentText(), TEXTS[self.keep.choice])

    def _lay_out(self) -> None:
        about = f"A copy of {self._frame} beside it is turned by the same three angles in another order."
        form = QFormLayout()
        form.setHorizontalSpacing(METRICS.padding)
        form.setVerticalSpacing(METRICS.gap)
        form.addRow("The other order", self.sequence_box)
        form.addRow("Each angle stays with", self.keep)
        results = QFormLayout()
        results.setHorizontalSpacing(METRICS.padding)
        results.setVerticalSpacing(METRICS.inner)
        results.addRow(layouts.label(self._own.sequence, "quiet"), self.formulas[0])
        results.addRow(self._other_name, self.formulas[1])
        results.addRow(layouts.label("angles now", "quiet"), self.values)
        results.addRow(layouts.label("between them now", "quiet"), self.apart)
        self.compare, cancel = push_button("Compare", kind="main"), push_button("Cancel")
        self.compare.setDefault(True)
        cancel.setAutoDefault(False)
        self.compare.clicked.connect(self._on_compare)
        cancel.clicked.connect(self.reject)
        layouts.column(
            layouts.label(TITLE, "title"),
            layouts.plain_label(about, "quiet", wordWrap=True),
            METRICS.inner,
            form,
            self.reason,
            METRICS.inner,
            results,
            METRICS.inner,
            layouts.row(layouts.STRETCH, cancel, self.compare, spacing=METRICS.gap),
            on=self,
            margins=METRICS.padding,
            spacing=METRICS.gap,
        )
        self.setMinimumWidth(_WIDTH)

    def _on_keep(self, text: str) -> None:
        self._preferred = TEXTS[text]
        self._show()

    def _show(self) -> None:
        """Show what the choices lead to; the axis is taken again as soon as it can be."""
        own, other = self._own, self.sequence_box.currentText()
        refusal = why_not_by_axis(own.sequence, other)
        by_axis, by_place = TEXTS
        self.keep.set_usable(by_axis, not refusal)
        self.keep.set_choice(by_axis if self._preferred == "axis" and not refusal else by_place)
        meant = _MEANT[TEXTS[self.keep.choice]].format(axis=own.sequence[0].lower())
        self.reason.setText(f"Not its axis: {refusal}." if refusal else meant)
        order = other_order(own.sequence, other, TEXTS[self.keep.choice])
        self._other_name.setText(other)
        for label, shown in zip(self.formulas, (own, order), strict=True):
            label.setText(_rich(shown))
            label.setAccessibleName(shown.text)
        if not np.isfinite(self._angles).all():
            self.values.setText("none at this time")
            self.apart.setText("–")
            return
        pairs = zip(LETTERS, self._angles.tolist(), strict=True)
        self.values.setText("   ".join(f"{letter} {self._unit.text(angle)}" for letter, angle in pairs))
        apart = angle_between(own, order, self._angles)
        same = "" if apart > _SAME else ": the order makes no difference here"
        self.apart.setText(self._unit.text(apart) + same)

    def _on_compare(self) -> None:
        self.accept()
        self.chosen.emit(self.choice())


def _by_kind() -> list[str]:
    """Return the sequences, the ones with three different axes first."""
    return sorted(SEQUENCES, key=lambda sequence: (sequence[0] == sequence[2], sequence))


def _counterpart(sequence: str) -> str:
    """Return the initial other order: the reverse, or for a symmetric sequence another middle axis.

    >>> _counterpart("ZYX"), _counterpart("ZXZ")
    ('XYZ', 'ZYZ')
    """
    first, second, third = sequence
    if first != third:
        return sequence[::-1]
    (middle,) = set("XYZ") - {first, second}
    return first + middle + third


def _formula() -> QLabel:
    label = layouts.label(textFormat=Qt.TextFormat.RichText)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return label


def _rich(order: Order) -> str:
    """Return the product of an order as rich text, each rotation in the colour of its axis."""
    colors = current_theme.current().axis_texts
    turns = (
        f'<span style="color: {colors[AXIS_LETTERS.index(axis)]}">R<sub>{axis}</sub>({letter})</span>'
        for axis, letter in order.turns
    )
    return f"R{_SPACE}={_SPACE}{_SPACE.join(turns)}"
